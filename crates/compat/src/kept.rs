//! What a front end stores in addition to the tool's output: a run directory with its page.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tenbin_model::event::{Event, Sink};
use tenbin_model::summary::Summary;
use tenbin_report::{page, store::Store};
use tenbin_terminal::exit;
use tenbin_terminal::language::language_of_environment;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_words::problem::Problem;

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

/// Doubts about a run that are not visible in the tools' reports: time in which nothing was measured, or in which Tenbin waited, a server that was not
/// the same one throughout, and work that was not done although it was answered.
const UNSHOWN: &[&str] = &[
    "accounting",
    "server-gone",
    "clients-lost",
    "client-stopped",
    "client-suspended",
    "silent-at-end",
    "standstill",
    "unavailable",
    "client-delayed",
    "server-restarted",
    "another-server",
    "role-changed",
    "settings-changed",
    "settings-put-back",
    "settings-not-read",
    "tables-changed",
    "executed-fewer",
    "never-committed",
    "no-transactions",
    "rows-missing",
];

/// Prints on standard error why the figures of the report are unreliable, also to pipes and files: a system
/// that died or stalled must not appear with a credible figure under any name. The exit code remains that of the tool.
///
/// `reported`: doubts about what the tool's own lines have told already.
pub fn doubted(summary: &Summary, reported: &[&str]) {
    let unshown = |code: &str| UNSHOWN.contains(&code) && !reported.contains(&code);
    for trial in summary.trials.iter().filter(|t| t.begun) {
        for doubt in trial.doubts().iter().filter(|d| unshown(&d.code)) {
            let Problem { what, evidence, .. } = &doubt.problem;
            let evidence = evidence.as_ref().map_or_else(String::new, |evidence| format!(" ({})", evidence.english()));
            exit::print_error(&format!("tenbin: {}: {}{evidence}", doubt.verdict.name(), what.english()));
        }
    }
}

/// The run directory of a front end. The original tools have none, so a run does not fail if it cannot be written: the run goes
/// on without it, and its end says so.
pub struct KeptRun {
    store: Option<Store>,
    /// Why the run is not stored, or not to its end.
    lost: Option<Problem>,
    /// What can be done about that.
    remedy: &'static str,
    quiet: bool,
}

const WRITABLE: &str = "set TENBIN_RUNS to a directory that can be written";

impl KeptRun {
    /// Opens a directory for a run of this name; `quiet`: only the tool's own output is wanted.
    pub fn open(name: &str, quiet: bool) -> KeptRun {
        match Store::create(&runs(), name) {
            Ok(store) => KeptRun { store: Some(store), lost: None, remedy: WRITABLE, quiet },
            Err(problem) => KeptRun::without(problem, WRITABLE, quiet),
        }
    }

    /// Nothing is stored, for this reason, about which this can be done.
    pub fn without(why: Problem, remedy: &'static str, quiet: bool) -> KeptRun {
        KeptRun { store: None, lost: Some(why), remedy, quiet }
    }

    /// Stores an event.
    pub fn receive(&mut self, event: &Event) {
        if self.lost.is_none()
            && let Some(store) = &mut self.store
        {
            self.lost = store.receive(event).err();
        }
    }

    /// Closes the directory with what the run found, creates its page, and prints its path.
    pub fn close(self, summary: &Summary) {
        let KeptRun { store, lost, remedy, quiet } = self;
        let ran = summary.trials.iter().any(|trial| trial.begun);
        let (lost, dir) = match store {
            None => (lost, None),
            // Nothing was run: the server was not available, or the tables did not exist.
            Some(store) if !store.began() => return drop(store.discard()),
            Some(mut store) => {
                store.conclude(summary);
                let dir = store.dir().to_path_buf();
                let closed = store.close().err();
                let written = page::write(&dir, language_of_environment()).err();
                (lost.or(closed).or(written), Some(dir))
            }
        };
        // Never to a pipe or a file: programs may merge the streams and take this line for one of the tool.
        if ran && !quiet && to_a_person() {
            exit::print_error(&format!("tenbin: {}", outcome(lost.as_ref(), remedy, dir.as_deref())));
        }
    }
}

/// Where the run is stored, or why it is not and what can be done about it, in one line.
fn outcome(lost: Option<&Problem>, remedy: &str, dir: Option<&Path>) -> String {
    let stored = dir.map(|dir| dir.display().to_string());
    let Some(Problem { what, evidence, .. }) = lost else {
        return format!("the whole of this run is in {} (page: report.html)", stored.unwrap_or_default());
    };
    let evidence = evidence.as_ref().map_or_else(String::new, |evidence| format!(" ({})", evidence.english()));
    let how = stored.map_or_else(|| "not stored".to_owned(), |dir| format!("stored in part only, in {dir}"));
    format!("this run is {how}: {}{evidence}; {remedy}", what.english()).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::message::foreign;

    #[test]
    fn what_is_not_stored_is_one_line_with_a_way_out() {
        let lost =
            Problem::new(foreign("the run directory runs cannot be written")).evidence(foreign("Read-only\nfile"));
        let line = outcome(Some(&lost.hint(foreign("name another folder with --runs"))), WRITABLE, None);
        assert_eq!(
            line,
            "this run is not stored: the run directory runs cannot be written (Read-only file); \
             set TENBIN_RUNS to a directory that can be written"
        );
    }
}
