//! An event loop for one thread that queries a server alongside the load.

use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A runtime of tokio's that runs on the calling thread, with timers and sockets.
pub fn event_loop() -> Result<tokio::runtime::Runtime, Problem> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Problem::new(msg!("no-event-loop")).evidence(foreign(e)).hint(msg!("raise-open-files")))
}
