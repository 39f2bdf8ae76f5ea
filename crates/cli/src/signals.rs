//! Ctrl-C, SIGTERM and a terminal that is closed: the first finishes the interval and closes properly, the second stops at once.

use crate::exit::{self, Exit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// Turns signals into the run's stop signal from now on. On the second, our servers are stopped and the process ends.
pub fn listen() -> Result<StopSignal, Problem> {
    listen_saying(msg!("stopping"))
}

/// The same, with these words for the first signal.
pub fn listen_saying(stopping: Message) -> Result<StopSignal, Problem> {
    let stop = StopSignal::new();
    let asked = stop.clone();
    let mut taken = vec![SIGINT, SIGTERM];
    if !ignored(SIGHUP) {
        // Under nohup a closed terminal is to end nothing.
        taken.push(SIGHUP);
    }
    let mut signals =
        Signals::new(taken).map_err(|e| Problem::new(msg!("signals-cannot-be-received")).evidence(foreign(e)))?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                if signal == SIGHUP && asked.asked() {
                    // Of a closed terminal kernel and shell tell us both; that is no second wish.
                    continue;
                }
                asked.ask();
                if asked.at_once() {
                    exit::complain(&Problem::new(msg!("stopped-at-once-kept")));
                    tenbin_targets::sandbox::stop_all();
                    std::process::exit(Exit::Interrupted as i32);
                }
                exit::complain(&Problem::new(&stopping));
            }
        })
        .map_err(|e| Problem::new(msg!("no-thread-for-signals")).evidence(foreign(e)))?;
    Ok(stop)
}

/// Whether whoever started us wants this signal to be ignored.
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// A file that may not grow any further (`ulimit -f`) is an error of the write, as a full disk is, and not the end of us. Handled and not
/// ignored: servers that we start are to find the signal as it was.
pub fn write_errors_are_errors() {
    // Where it cannot be had, such a write ends the process, as it does by default.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}
