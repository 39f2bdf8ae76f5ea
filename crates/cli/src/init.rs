//! Process 1 of a container: what `docker run … tenbin` starts.
//!
//! The kernel ignores signals to process 1 for which it has no handler, and leaves processes whose parent has ended to
//! it, which would then not be waited for. Therefore process 1 runs this program once more as its child, passes signals
//! on to it, waits for whatever ends, and ends as the child does.

use rustix::process::{Pid, WaitOptions, WaitStatus};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// If this is process 1: runs this program as a child until it ends; its exit code. `None` if it is not, or if it
/// cannot be run once more (without `/proc` its file is unknown), which leaves the process as it is.
pub fn attend() -> Option<ExitCode> {
    if std::process::id() != 1 {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let mut arguments = std::env::args_os();
    let mut again = Command::new(program);
    again.arg0(arguments.next()?).args(arguments);
    // Before the child is there, so that its end is not missed.
    let mut signals = Signals::new([SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]).ok()?;
    let child = Pid::from_child(&again.spawn().ok()?);
    crate::concealed::conceal(&std::env::args_os().collect::<Vec<_>>());
    // A key pressed on a terminal is a signal to both already.
    let on_terminal = std::io::stdin().is_terminal();
    for signal in signals.forever() {
        match signal {
            SIGCHLD => {
                if let Some(code) = reap(child) {
                    return Some(code);
                }
            }
            SIGINT | SIGQUIT | SIGHUP if on_terminal => {}
            other => pass_on(child, other),
        }
    }
    None
}

/// Waits for all that have ended; the exit code of this one if it is among them.
fn reap(child: Pid) -> Option<ExitCode> {
    while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
        if pid == child {
            return Some(ExitCode::from(code(status)));
        }
    }
    None
}

/// As a shell reports it: 128 and the number of the signal that ended it.
fn code(status: WaitStatus) -> u8 {
    let number = status.exit_status().or_else(|| status.terminating_signal().map(|signal| 128 + signal));
    number.and_then(|number| u8::try_from(number).ok()).unwrap_or(255)
}

fn pass_on(child: Pid, signal: i32) {
    if let Some(signal) = rustix::process::Signal::from_named_raw(signal) {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process(child, signal);
    }
}
