//! Ctrl-C, SIGTERM and a closed terminal: the first finishes the interval and closes in order, the second stops at
//! once.

use crate::exit;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tenbin_model::stop::StopSignal;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The first signal that asked for a stop; 0: none.
static FIRST: AtomicU8 = AtomicU8::new(0);

/// Whether a signal has asked for a stop.
pub fn received() -> bool {
    FIRST.load(Ordering::Relaxed) != 0
}

/// The exit code of a program that the received signal would have ended, as a shell reports it: 130 after Ctrl-C, 143 after SIGTERM.
pub fn exit_code() -> u8 {
    exit_code_of(FIRST.load(Ordering::Relaxed))
}

fn exit_code_of(signal: u8) -> u8 {
    128 + if signal == 0 { SIGINT as u8 } else { signal }
}

/// Turns signals into the run's stop signal from now on. On the second signal, private servers are stopped and the
/// process ends.
pub fn listen() -> Result<StopSignal, Problem> {
    listen_saying(msg!("stopping"))
}

/// The same, with this message for the first signal.
pub fn listen_saying(stopping: Message) -> Result<StopSignal, Problem> {
    receive(Some(stopping))
}

/// The same without a word, for the name of a tool that a signal ends without one.
pub fn listen_silently() -> Result<StopSignal, Problem> {
    receive(None)
}

/// Ends this process by the received signal, as if it had not been taken: who has started it sees that.
pub fn die() -> u8 {
    // It returns only if the signal cannot be sent.
    let _ = signal_hook::low_level::emulate_default_handler(FIRST.load(Ordering::Relaxed).into());
    exit_code()
}

fn receive(stopping: Option<Message>) -> Result<StopSignal, Problem> {
    let stop = StopSignal::new();
    exit::stop_with_reader(&stop);
    let thread_stop = stop.clone();
    // What was ignored when the process was started stays ignored, as in any program: a closed terminal under nohup, Ctrl-C in a background
    // command of a script.
    let taken = taken([SIGINT, SIGTERM, SIGHUP], &ignored());
    let mut signals =
        Signals::new(taken).map_err(|e| Problem::new(msg!("signals-cannot-be-received")).evidence(foreign(e)))?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                if signal == SIGHUP && thread_stop.asked() {
                    // When a terminal is closed, both kernel and shell send a signal; the second one does not count.
                    continue;
                }
                let _later_ones_do_not_count =
                    FIRST.compare_exchange(0, signal as u8, Ordering::Relaxed, Ordering::Relaxed);
                thread_stop.ask();
                if thread_stop.at_once() {
                    if stopping.is_some() {
                        exit::complain(&Problem::new(msg!("stopped-at-once-kept")));
                    }
                    if tenbin_servers::settings::journal::are_changed() {
                        let left = Problem::new(msg!("stopped-with-settings-changed"));
                        exit::complain(&left.hint(msg!("finish-with-restore-settings")));
                    }
                    tenbin_servers::command::awaited_are_ended();
                    tenbin_servers::sandbox::stop_all();
                    std::process::exit(exit_code().into());
                }
                let after_command = tenbin_servers::command::is_awaited().then(|| msg!("stopping-after-command"));
                if let Some(stopping) = stopping.as_ref().map(|stopping| after_command.as_ref().unwrap_or(stopping)) {
                    exit::complain(&Problem::new(stopping));
                }
            }
        })
        .map_err(|e| {
            Problem::new(msg!("no-thread-for-signals")).evidence(foreign(e)).hint(msg!("raise-limit-of-processes"))
        })?;
    Ok(stop)
}

/// The state of this process as the kernel shows it, which has a mask of the signals that it ignores.
fn ignored() -> String {
    tenbin_intake::text_or_empty(std::path::Path::new("/proc/self/status"), tenbin_intake::SMALL)
}

/// Those of the signals that are not in the mask of ignored ones.
fn taken<const N: usize>(signals: [i32; N], status: &str) -> Vec<i32> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    signals.into_iter().filter(|signal| mask >> (signal - 1) & 1 == 0).collect()
}

/// Makes exceeding the file size limit (`ulimit -f`) an error of the write, like a full disk, instead of ending the
/// process. Handled and not ignored, because servers that we start must not inherit an ignored signal.
pub fn write_errors_are_errors() {
    // If this fails, such a write ends the process, as by default.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_an_exit_code_as_in_a_shell() {
        assert_eq!([0, SIGINT, SIGTERM, SIGHUP].map(|signal| exit_code_of(signal as u8)), [130, 130, 143, 129]);
    }

    #[test]
    fn what_was_ignored_at_the_start_stays_ignored() {
        let of =
            |mask: &str| taken([SIGINT, SIGTERM, SIGHUP], &format!("Name:\ttenbin\nSigIgn:\t{mask}\nSigCgt:\t0\n"));
        assert_eq!(of("0000000000001000"), [SIGINT, SIGTERM, SIGHUP]);
        assert_eq!(of("0000000000000001"), [SIGINT, SIGTERM], "nohup");
        assert_eq!(of("0000000000000006"), [SIGTERM, SIGHUP], "a background command of sh");
        assert_eq!(taken([SIGINT], ""), [SIGINT], "the kernel shows nothing");
    }
}
