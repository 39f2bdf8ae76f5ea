//! What a face keeps beside the old tool's text: a run directory with its page, and where it is.

use crate::execute::language_of_environment;
use std::path::PathBuf;
use tenbin_model::problem::Problem;
use tenbin_report::{page, store::Store};

/// Where run directories are kept.
pub fn runs() -> PathBuf {
    std::env::var_os("TENBIN_RUNS").filter(|v| !v.is_empty()).map_or_else(|| PathBuf::from("runs"), PathBuf::from)
}

/// Whether the environment asks for no word beyond the old tool's.
pub fn quiet() -> bool {
    std::env::var_os("TENBIN_QUIET").is_some_and(|v| !v.is_empty())
}

/// Closes the run directory, draws its page, and tells where it is.
#[expect(clippy::print_stderr, reason = "the one line that old tools do not have goes where their parsers do not look")]
pub fn keep(store: Store, quiet: bool, complain: impl Fn(&Problem)) {
    let dir = store.dir().to_path_buf();
    let problems = [store.close().err(), page::write(&dir, language_of_environment()).err()];
    problems.iter().flatten().for_each(complain);
    if !quiet {
        eprintln!("tenbin: the whole of this run is in {} (page: report.html)", dir.display());
    }
}
