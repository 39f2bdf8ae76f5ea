//! What was edited in a plan between two of its runs, whose figures stand in one history.

use crate::summary::Summary;
use crate::trial::{Differing, Trial};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::Message;

/// An experiment, a target, and values of the matrix.
type EditedCell<'t> = (&'t str, &'t str, &'t [(String, String)]);

/// What two trials with the same matrix values differ in; `None`: nothing.
pub fn between(before: &Trial, now: &Trial) -> Option<Message> {
    listed(differences(before, now))
}

/// What two trials of the same target differ in.
fn differences(before: &Trial, now: &Trial) -> BTreeSet<Differing> {
    before.differing(now).into_iter().chain(before.target.differing(&now.target)).collect()
}

/// What two runs differ in, in cells of a target that both have. The contents of files are [`crate::changed_files`].
pub fn of_runs(before: &Summary, now: &Summary) -> Option<Message> {
    fn key(t: &Trial) -> EditedCell<'_> {
        (&t.experiment, &t.target.name, &t.axes)
    }
    let mut cells: BTreeMap<EditedCell<'_>, &Trial> = BTreeMap::new();
    for t in &before.trials {
        cells.entry(key(&t.trial)).or_insert(&t.trial);
    }
    let known = now.trials.iter().filter_map(|t| Some(differences(cells.get(&key(&t.trial))?, &t.trial)));
    listed(known.flatten().filter(|what| !matches!(what, Differing::File(_))).collect())
}

fn listed(all: BTreeSet<Differing>) -> Option<Message> {
    (!all.is_empty()).then(|| Differing::words(&all))
}
