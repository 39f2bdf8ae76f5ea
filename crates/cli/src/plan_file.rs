//! Problems with lines of a plan that were found after it was read: they name the file and the line, as those do that were found before.

use std::path::Path;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The problem with the file and the line, if its evidence has one.
pub fn placed(file: &Path, problem: &Problem) -> Problem {
    let line = problem.evidence.as_ref().and_then(|evidence| evidence.find("line-of-plan")?.arg("line").cloned());
    match line {
        Some(line) => {
            let what = msg!("in-file-line", file = file.display(), line, what = problem.what.clone());
            Problem { what, ..problem.clone() }
        }
        None => problem.clone(),
    }
}
