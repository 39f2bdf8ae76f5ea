//! Messages beside the report, by level, and errors in sysbench's form.

use crate::compat::hint::HintWords;
use crate::exit;
use tenbin_model::problem::Problem;

/// Levels of messages.
pub const FATAL: u8 = 0;
pub const NOTICE: u8 = 3;
pub const INFO: u8 = 4;

/// Prints a message of this level if `verbosity` permits. sysbench logs to standard output.
pub fn print(verbosity: u8, level: u8, line: &str) {
    if level <= verbosity {
        exit::print(line);
    }
}

/// A problem as the lines after `FATAL: `, with a hint in sysbench's terms.
pub fn told(words: &HintWords, problem: &Problem) -> String {
    let more = [problem.evidence.clone(), words.hint(problem)].into_iter().flatten();
    let more = more.map(|part| format!("\nFATAL: {}", part.english()));
    format!("{}{}", problem.what.english(), more.collect::<String>())
}

/// For an error that does not concern an option.
pub fn complain(line: &str) {
    exit::print(&format!("FATAL: {line}"));
}
