//! Exit codes, and the last words to standard error.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use tenbin_model::audit::Verdict;
use tenbin_model::event::State;
use tenbin_model::problem::Problem;
use tenbin_model::summary::Summary;
use tenbin_model::text::visible_lines;

/// How the process ends. (4, "a gate failed", belongs to a command that is not there yet.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything went as asked.
    Ok = 0,
    /// What was typed, or what it names, is not right; nothing was measured.
    Usage = 1,
    /// The run had errors.
    Errors = 2,
    /// The result must not be used.
    Invalid = 3,
    /// Interrupted; the partial run is kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// The code for a finished run.
pub fn of(summary: &Summary, interrupted: bool) -> Exit {
    let failed_transactions = summary.trials.iter().any(|t| t.tally.accounting.failed > 0);
    if interrupted {
        Exit::Interrupted
    } else if summary.state == Some(State::Failed) {
        Exit::Errors
    } else if summary.verdict() == Verdict::Invalid {
        Exit::Invalid
    } else if failed_transactions {
        Exit::Errors
    } else {
        Exit::Ok
    }
}

/// Tells a problem on standard error: what happened, the evidence, the way out.
pub fn complain(problem: &Problem) {
    let mark = if colour(&std::io::stderr()) { "\x1b[1;31merror\x1b[0m" } else { "error" };
    write(&mut std::io::stderr().lock(), &format!("{mark}: {problem}"));
}

/// Tells what follows the word `warning` on standard error.
pub fn warn(rest: &str) {
    let mark = if colour(&std::io::stderr()) { "\x1b[33mwarning\x1b[0m" } else { "warning" };
    write(&mut std::io::stderr().lock(), &format!("{mark}{}", visible_lines(rest)));
}

/// Tells something worth a word on standard error.
pub fn remark(problem: &Problem) {
    tell(&format!("note: {problem}"));
}

/// Prints to standard error, where everything goes that is not the result. A reader that has gone away is no error here
/// either: the work goes on. Names from elsewhere may stand in the text: what a terminal would act upon is written out.
pub fn tell(text: &str) {
    write(&mut std::io::stderr().lock(), &visible_lines(text));
}

/// Prints to standard output; as [`tell`] does. A reader that has gone away (`| head`) is no error.
pub fn say(text: &str) {
    write(&mut std::io::stdout().lock(), &visible_lines(text));
}

/// In one piece: scripts print from threads of their own.
fn write(to: &mut impl Write, text: &str) {
    let _ = to.write_all(format!("{text}\n").as_bytes());
}

/// Whether to colour what goes to `stream`: a terminal, and nobody asked not to (<https://no-color.org>).
pub fn colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}
