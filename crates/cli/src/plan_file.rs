//! Problems with lines of a plan that were found after it was read: they name the file and the line, as those do that were found before.

use std::path::Path;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Problems whose evidence begins with the line of the plan.
const OF_LINES: [&str; 3] = ["target-has-no-variable", "target-leads-out", "target-refuses-value"];

/// The problem with the file and the line, if it is about one.
pub fn placed(file: &Path, problem: &Problem) -> Problem {
    let number =
        problem.evidence.as_ref().and_then(|evidence| evidence.english().split_once(" | ")?.0.parse::<u32>().ok());
    match number.filter(|_| problem.code().is_some_and(|code| OF_LINES.contains(&code))) {
        Some(line) => {
            let what = msg!("in-file-line", file = file.display(), line, what = problem.what.clone());
            Problem { what, ..problem.clone() }
        }
        None => problem.clone(),
    }
}
