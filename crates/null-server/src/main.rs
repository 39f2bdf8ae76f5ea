//! `tenbin-null-server`: listens, prints where, serves until it is stopped, prints what it saw.

use clap::Parser;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{self, Write};
use tenbin_null_server::Options;

fn main() -> io::Result<()> {
    // Caught before anybody can know our address, so that no early signal is missed.
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let server = tenbin_null_server::spawn(Options::parse())?;
    let mut out = io::stdout();
    writeln!(out, "listening on 127.0.0.1:{}", server.port())?;
    out.flush()?;
    signals.forever().next();
    writeln!(out, "{}", server.stop()?.json())
}
