//! Files of the user that were not the same in trials whose figures stand beside one another.

use crate::summary::Summary;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// Of the trials of a run: the files that were not the same in all trials of a cell on a target.
pub fn within(summary: &Summary) -> Option<Message> {
    let mut digests: BTreeMap<(u32, &str, &str), &str> = BTreeMap::new();
    let mut changed = BTreeSet::new();
    for trial in summary.trials.iter().filter(|t| t.begun).map(|t| &t.trial) {
        for file in &trial.files {
            let key = (trial.cell, trial.target.name.as_str(), file.path.as_str());
            if *digests.entry(key).or_insert(&file.sha256) != file.sha256 {
                changed.insert(&file.path);
            }
        }
    }
    (!changed.is_empty()).then(|| msg!("changed-files", files = Message::list(changed.into_iter().map(foreign))))
}

/// The files of which two runs have another content in trials of the same experiment and cell.
pub fn of_runs(a: &Summary, b: &Summary) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for a in &a.trials {
        for b in &b.trials {
            if (&a.trial.experiment, &a.trial.axes) == (&b.trial.experiment, &b.trial.axes) {
                all.extend(a.trial.changed_files(&b.trial));
            }
        }
    }
    all
}
