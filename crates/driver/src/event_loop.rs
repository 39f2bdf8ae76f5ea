//! An event loop for one thread that asks a server something beside the load.

use tenbin_model::problem::Problem;

/// A runtime of tokio's that runs on the calling thread, with timers and sockets.
pub fn event_loop() -> Result<tokio::runtime::Runtime, Problem> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| {
        Problem::new("no event loop can be made")
            .evidence(e.to_string())
            .mend("raise the limit of open files (ulimit -n)")
    })
}
