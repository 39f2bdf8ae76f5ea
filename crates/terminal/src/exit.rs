//! Exit codes, and output to standard error.

use crate::language::language_of_environment;
use crate::words::TerminalWords;
use rustix::fs::FileType;
use rustix::io::Errno;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tenbin_model::doubt::Verdict;
use tenbin_model::event::EndState;
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::Summary;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::try_out;
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible_lines;

/// The exit code of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Ok = 0,
    /// Invalid arguments or setup; nothing was measured.
    Usage = 1,
    /// The run had errors.
    Errors = 2,
    /// The result must not be used.
    Invalid = 3,
    /// `tenbin gate`: a figure has become worse by more than its limit.
    Gate = 4,
    /// Interrupted; the partial run is kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// The code for a finished run. `strict`: a result that is DEGRADED must not be used either.
pub fn of(summary: &Summary, interrupted: bool, strict: bool) -> Exit {
    let failed_transactions = summary.trials.iter().any(|t| t.tally.accounting.all_failed() > 0);
    if interrupted {
        Exit::Interrupted
    } else if summary.state == Some(EndState::Failed) {
        Exit::Errors
    } else if !strict && try_out::works(summary) == Some(true) {
        // Its figures say nothing, so that they do not decide.
        Exit::Ok
    } else if summary.verdict() >= if strict { Verdict::Degraded } else { Verdict::Invalid } {
        Exit::Invalid
    } else if failed_transactions {
        Exit::Errors
    } else {
        Exit::Ok
    }
}

/// The language given with `--lang` or in the plan.
static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// Sets the language of all further output; the first call determines it.
pub fn speak(language: Language) {
    let _ = LANGUAGE.set(language);
}

/// The texts in the current language: by default that of the environment.
pub fn words() -> TerminalWords {
    TerminalWords::new(LANGUAGE.get().copied().unwrap_or_else(language_of_environment))
}

/// Prints a problem on standard error: what happened, the evidence, the hint.
pub fn complain(problem: &Problem) {
    let words = words();
    let word = words.text(msg!("label-error"));
    let mark = if colour(&std::io::stderr()) { format!("\x1b[1;31m{word}\x1b[0m") } else { word };
    let _ = write(&mut io::stderr().lock(), &format!("{mark}: {}", words.problem(problem)));
}

/// Prints a warning on standard error: `text` is a problem in the user's language.
pub fn warn(words: TerminalWords, text: &str) {
    let word = words.text(msg!("label-warning"));
    let mark = if colour(&std::io::stderr()) { format!("\x1b[33m{word}\x1b[0m") } else { word };
    let _ = write(&mut io::stderr().lock(), &format!("{mark}: {}", visible_lines(text)));
}

/// Prints a note on standard error.
pub fn remark(problem: &Problem) {
    let words = words();
    print_error(&format!("{}: {}", words.text(msg!("label-note")), words.problem(problem)));
}

/// Prints to standard error, which is used for everything except the result. A closed pipe is not an error:
/// the work continues. The text may contain foreign names, so control characters are escaped.
pub fn print_error(text: &str) {
    told(write(&mut io::stderr().lock(), &visible_lines(text)));
}

/// Prints a line that need not be UTF-8 on standard error, as it is.
pub fn print_error_bytes(line: &[u8]) {
    told(io::stderr().lock().write_all(&[line, b"\n"].concat()));
}

/// The outcome of a write to standard error, which may have the same reader as standard output (`2>&1 |`).
fn told(outcome: io::Result<()>) {
    let is_gone = outcome.is_err_and(|e| e.raw_os_error().map(Errno::from_raw_os_error) == Some(Errno::PIPE));
    let both = || Some((rustix::fs::fstat(io::stdout()).ok()?, rustix::fs::fstat(io::stderr()).ok()?));
    if is_gone && both().is_some_and(|(out, err)| (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino)) {
        end_without_reader();
    }
}

/// Prints to standard output like [`print_error`], but write errors are reported at the end ([`written`]).
pub fn print(text: &str) {
    written(write(&mut io::stdout().lock(), &visible_lines(text)));
}

/// Writes a file's content to standard output.
pub fn print_bytes(bytes: &[u8]) {
    written(io::stdout().lock().write_all(bytes));
}

/// In one piece, because scripts print from several threads.
fn write(to: &mut impl Write, text: &str) -> io::Result<()> {
    to.write_all(format!("{text}\n").as_bytes())
}

/// The error of writing to standard output.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Records the outcome of a write to standard output; [`ended`] reports a failure. A closed pipe (`| head`) or a
/// closed terminal is not an error; see [`end_with_reader`].
pub fn written(outcome: io::Result<()>) {
    let Err(e) = outcome else { return };
    let gone = match e.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::PIPE) => return end_without_reader(),
        Some(Errno::IO) => rustix::fs::fstat(io::stdout())
            .is_ok_and(|s| FileType::from_raw_mode(s.st_mode) == FileType::CharacterDevice),
        _ => false,
    };
    if !gone {
        let _ = UNWRITTEN.set(e.to_string());
    }
}

/// The reader of the output is gone.
fn end_without_reader() {
    if !ENDS_WITH_READER.load(Ordering::Relaxed) {
        return;
    }
    READER_IS_GONE.store(true, Ordering::Relaxed);
    match STOPPED_WITH_READER.get() {
        Some(stop) => stop.ask(),
        None => std::process::exit(WITHOUT_READER.into()),
    }
}

/// Whether the work ends when the reader of the output is gone.
static ENDS_WITH_READER: AtomicBool = AtomicBool::new(false);
/// What ends it in order, if there is such a thing.
static STOPPED_WITH_READER: OnceLock<StopSignal> = OnceLock::new();
static READER_IS_GONE: AtomicBool = AtomicBool::new(false);
/// The exit code of a program that SIGPIPE has ended, as a shell reports it.
const WITHOUT_READER: u8 = 141;

/// From now on a closed pipe ends the work, as it ends the programs of other tools: `sysbench … run | grep -m 1 thds` is over with the line.
pub fn end_with_reader() {
    ENDS_WITH_READER.store(true, Ordering::Relaxed);
}

/// What is asked to stop then.
pub(crate) fn stop_with_reader(stop: &StopSignal) {
    let _ = STOPPED_WITH_READER.set(stop.clone());
}

/// The exit code of the process: `failed` if everything succeeded but the output was lost.
pub fn ended(code: ExitCode, failed: Exit) -> ExitCode {
    written(io::stdout().flush());
    if READER_IS_GONE.load(Ordering::Relaxed) {
        return ExitCode::from(WITHOUT_READER);
    }
    let Some(why) = UNWRITTEN.get() else { return code };
    let lost = Problem::new(msg!("standard-output-lost"));
    complain(&lost.evidence(foreign(why)).hint(msg!("free-space-for-output")));
    if code == ExitCode::SUCCESS { failed.into() } else { code }
}

/// Whether what is on `stream` can be drawn over and coloured: it is a terminal, and `TERM` names one that understands how.
pub fn is_screen(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
}

/// Whether to use colours on `stream`: it is a screen, and colours are not disabled (<https://no-color.org>).
pub fn colour(stream: &impl IsTerminal) -> bool {
    is_screen(stream) && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}
