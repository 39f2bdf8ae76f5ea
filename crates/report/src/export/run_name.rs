//! The name of a run in exports, by which rows of several runs are told apart.

use std::path::Path;
use std::rc::Rc;
use tenbin_model::summary::{Summary, TrialResult};

/// The names of the run, and of those that it was made of.
#[derive(Debug, Clone)]
pub(super) struct RunName(Rc<str>);

impl RunName {
    /// That of its directory or bundle, or without one its plan and its start.
    pub fn of(summary: &Summary, dir: Option<&Path>) -> RunName {
        let of_dir = dir
            .and_then(|dir| dir.canonicalize().ok())
            .and_then(|dir| Some(dir.file_name()?.to_string_lossy().trim_end_matches(".tar.zst").to_owned()));
        RunName(of_dir.unwrap_or_else(|| format!("{} {}", summary.name, summary.started).trim().to_owned()).into())
    }

    /// The run that a trial is of: where stored runs are compared, one of these, whether they have one target or several.
    pub fn of_trial<'r>(&'r self, t: &'r TrialResult) -> &'r str {
        t.stored_run.as_ref().map_or(&*self.0, |run| run.name.as_str())
    }

    /// The run as a whole.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
