//! What a front end stores in addition to the tool's output: a run directory with its page.

use crate::exit;
use crate::language::language_of_environment;
use std::io::IsTerminal;
use std::path::PathBuf;
use tenbin_model::event::{Event, Sink};
use tenbin_model::problem::Problem;
use tenbin_model::summary::Summary;
use tenbin_report::{page, store::Store};

/// The directory of run directories.
fn runs() -> PathBuf {
    std::env::var_os("TENBIN_RUNS").filter(|v| !v.is_empty()).map_or_else(|| PathBuf::from("runs"), PathBuf::from)
}

/// Whether the environment suppresses all output beyond that of the tool.
pub fn quiet() -> bool {
    std::env::var_os("TENBIN_QUIET").is_some_and(|v| !v.is_empty())
}

/// Whether standard error is a terminal.
pub fn to_a_person() -> bool {
    std::io::stderr().is_terminal()
}

/// Doubts about a run that are not visible in the tools' reports: time in which nothing was measured, or in which Tenbin waited.
const UNSHOWN: &[&str] = &[
    "server-gone",
    "clients-lost",
    "client-stopped",
    "client-suspended",
    "silent-at-end",
    "standstill",
    "unavailable",
    "client-delayed",
];

/// Prints on standard error why the figures of the report are unreliable, also to pipes and files: a system
/// that died or stalled must not appear with a credible figure under any name. The exit code remains that of the tool.
pub fn doubted(summary: &Summary) {
    for trial in summary.trials.iter().filter(|t| t.begun) {
        for doubt in trial.doubts().iter().filter(|d| UNSHOWN.contains(&d.code.as_str())) {
            let Problem { what, evidence, .. } = &doubt.problem;
            let seen = evidence.as_ref().map_or_else(String::new, |seen| format!(" ({})", seen.english()));
            exit::print_error(&format!("tenbin: {}: {}{seen}", doubt.verdict.name(), what.english()));
        }
    }
}

/// The run directory of a front end. If it cannot be written, this is reported once, and the run continues without it,
/// because the original tools have none.
pub struct KeptRun(Option<Store>);

impl KeptRun {
    /// Opens a directory for a run of this name.
    pub fn open(name: &str, complain: impl FnOnce(&Problem)) -> KeptRun {
        KeptRun(Store::create(&runs(), name).inspect_err(|p| complain(p)).ok())
    }

    /// Stores an event.
    pub fn receive(&mut self, event: &Event, complain: impl FnOnce(&Problem)) {
        if let Some(store) = &mut self.0
            && let Err(problem) = store.receive(event)
        {
            complain(&problem);
            self.0 = None;
        }
    }

    /// Closes the directory with what the run found, creates its page, and prints its path.
    pub fn close(self, summary: &Summary, quiet: bool, complain: impl Fn(&Problem)) {
        let Some(mut store) = self.0 else { return };
        if !store.began() {
            // Nothing was run: the server was not available, or the tables did not exist.
            store.discard().err().iter().for_each(complain);
            return;
        }
        store.conclude(summary);
        let dir = store.dir().to_path_buf();
        let problems = [store.close().err(), page::write(&dir, language_of_environment()).err()];
        problems.iter().flatten().for_each(complain);
        if !quiet && to_a_person() && problems.iter().all(Option::is_none) {
            // Never to a pipe or a file: programs may merge the streams and take this line for one of the tool.
            exit::print_error(&format!("tenbin: the whole of this run is in {} (page: report.html)", dir.display()));
        }
    }
}
