//! What a user says about a run: a name, tags, a note. It may be said when the run starts, and changed later.

use serde::{Deserialize, Serialize};

/// The labels of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunLabels {
    /// What the run is called, beside the name of its plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Words by which it is found again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A sentence for its readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl RunLabels {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        *self == RunLabels::default()
    }

    /// Takes what is newly said: a name and a note replace the former, tags are added once.
    pub fn take(&mut self, labels: RunLabels) {
        let RunLabels { name, tags, note } = labels;
        self.name = name.or(self.name.take());
        self.note = note.or(self.note.take());
        for tag in tags {
            if !self.tags.contains(&tag) {
                self.tags.push(tag);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_later_adds_and_replaces() {
        let entry = |name: Option<&str>, tags: &[&str]| RunLabels {
            name: name.map(str::to_owned),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            note: None,
        };
        let mut labels = entry(Some("before"), &["8.0", "nightly"]);
        labels.take(entry(None, &["nightly", "upgrade"]));
        assert_eq!(labels, entry(Some("before"), &["8.0", "nightly", "upgrade"]));
        labels.take(entry(Some("after"), &[]));
        assert_eq!(labels.name.as_deref(), Some("after"));
        assert!(!labels.is_empty() && RunLabels::default().is_empty());
    }
}
