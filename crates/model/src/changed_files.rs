//! Files of the user that were not the same in trials whose figures stand beside one another.

use crate::summary::Summary;
use crate::trial::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The files of two trials that have the same name and another content. From the folder of its plan, a file has no other name; from
/// elsewhere, it has that of the folder before it.
pub fn between(a: &Trial, b: &Trial) -> Vec<String> {
    let is_same = |a: &str, b: &str| Path::new(a).ends_with(b) || Path::new(b).ends_with(a);
    let other = |file: &&crate::trial::UsedFile| {
        b.files.iter().any(|other| is_same(&other.path, &file.path) && other.sha256 != file.sha256)
    };
    a.files.iter().filter(other).map(|file| file.path.clone()).collect()
}

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
                all.extend(between(&a.trial, &b.trial));
            }
        }
    }
    all
}
