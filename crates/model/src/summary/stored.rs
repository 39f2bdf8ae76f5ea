//! A run that was read from disk, to be compared with others.

use super::{Summary, TrialResult};

/// A stored run, and the name that it has beside others.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// Its name in tables and charts: it becomes part of the names of its targets.
    pub label: String,
    /// The run.
    pub summary: Summary,
}

impl StoredRun {
    /// The name of one of its targets beside those of other runs: that of the run, or both if the run has several.
    pub fn target_name(&self, target: &str) -> String {
        match self.summary.targets().len() {
            1 => self.label.clone(),
            _ => format!("{target} ({})", self.label),
        }
    }
}

/// The stored run that a trial is of, if several stand side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRun {
    /// The name of the run.
    pub name: String,
    /// Wall clock at its start, RFC 3339.
    pub started: String,
}

impl Summary {
    /// Wall clock at the start, RFC 3339; of stored runs that stand side by side, that of each of them.
    pub fn starts(&self) -> Vec<&str> {
        let mut runs: Vec<&NamedRun> = self.trials.iter().filter_map(|t| t.stored_run.as_ref()).collect();
        runs.dedup();
        match runs.as_slice() {
            [] => vec![self.started.as_str()],
            runs => runs.iter().map(|run| run.started.as_str()).collect(),
        }
    }

    /// Wall clock at the start of the run that one of its trials is of.
    pub fn start_of<'s>(&'s self, t: &'s TrialResult) -> &'s str {
        t.stored_run.as_ref().map_or(&self.started, |run| &run.started)
    }
}

/// Which of several stored runs of the same targets a trial is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfRun {
    /// The name of the run.
    pub run: String,
    /// Its place among the runs, from 0, the base.
    pub place: u32,
    /// The name of the target in all of them.
    pub target: String,
}
