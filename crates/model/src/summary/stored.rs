//! A run that was read from disk, to be compared with others.

use super::Summary;

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
