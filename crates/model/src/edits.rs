//! What was edited in a plan between two of its runs, whose figures stand in one history.

use crate::beside::{differences, words};
use crate::summary::{Differing, Summary};
use crate::trial::Trial;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::Message;

/// An experiment, and values of its matrix.
type CellKey<'t> = (&'t str, &'t [(String, String)]);

/// What two trials with the same matrix values differ in; `None`: nothing.
pub fn between(before: &Trial, now: &Trial) -> Option<Message> {
    listed(differences(before, now).into_iter().collect())
}

/// What two runs differ in, in cells that both have. The contents of files are [`crate::changed_files`].
pub fn of_runs(before: &Summary, now: &Summary) -> Option<Message> {
    let mut cells: BTreeMap<CellKey<'_>, &Trial> = BTreeMap::new();
    for t in &before.trials {
        cells.entry((&t.trial.experiment, &t.trial.axes)).or_insert(&t.trial);
    }
    let known = now.trials.iter().filter_map(|t| {
        let key: CellKey<'_> = (&t.trial.experiment, &t.trial.axes);
        Some(differences(cells.get(&key)?, &t.trial))
    });
    listed(known.flatten().filter(|what| !matches!(what, Differing::File(_))).collect())
}

fn listed(all: BTreeSet<Differing>) -> Option<Message> {
    (!all.is_empty()).then(|| Message::list(all.iter().map(words)))
}
