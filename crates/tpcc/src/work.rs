//! The pieces of a load and their distribution: rows by parts, a table's indexes when all its rows have been loaded,
//! foreign keys when everything else is done. Pure except for the lock.

use super::metadata::Metadata;
use super::part::{Part, parts, place};
use super::schema::TABLES;
use super::set::Set;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkItem {
    Rows(Part),
    /// The indexes of a table, by its index in [`TABLES`].
    Index {
        set: Set,
        table: usize,
    },
    /// All foreign keys of a set, one table after the other.
    Keys(Set),
}

/// All pieces of a load.
#[derive(Debug)]
pub(super) struct WorkQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Debug)]
struct QueueState {
    /// Parts that have not been taken, the next one last.
    parts: Vec<Part>,
    /// By table: the number of parts that have not been loaded.
    missing: BTreeMap<(Set, usize), usize>,
    /// Tables whose rows have been loaded and whose indexes have not been taken.
    full: Vec<(Set, usize)>,
    /// Tables whose indexes have not been created.
    bare: BTreeSet<(Set, usize)>,
    /// By set; empty if they are left to another load.
    keys: BTreeMap<Set, Keys>,
    ended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    Waiting,
    Taken,
    Done,
}

/// How many there are of each table.
fn by_table(parts: &[Part]) -> BTreeMap<(Set, usize), usize> {
    let mut all = BTreeMap::new();
    parts.iter().for_each(|part| *all.entry((part.set, place(part.what))).or_default() += 1);
    all
}

impl WorkQueue {
    /// What remains to be done for this many warehouses in each set, if `done` has been loaded.
    pub(super) fn new(warehouses: u64, sets: &[Set], done: &Metadata) -> WorkQueue {
        let mut left: Vec<Part> = parts(warehouses, sets).filter(|part| !done.parts.contains_key(part)).collect();
        let missing = by_table(&left);
        left.reverse();
        let tables = sets.iter().flat_map(|set| (0..TABLES.len()).map(|t| (*set, t)));
        let bare: BTreeSet<(Set, usize)> =
            tables.filter(|(set, t)| !done.steps.contains(&index_step(*set, *t))).collect();
        let full = bare.iter().copied().filter(|t| !missing.contains_key(t)).collect();
        let keys = sets.iter().map(|set| (*set, Keys::Waiting)).collect();
        let state = QueueState { parts: left, missing, full, bare, keys, ended: false };
        WorkQueue { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Only the rows of these parts: what follows after all rows is left to others.
    pub(super) fn rows(wanted: impl Iterator<Item = Part>, done: &Metadata) -> WorkQueue {
        let mut left: Vec<Part> = wanted.filter(|part| !done.parts.contains_key(part)).collect();
        left.reverse();
        let state = QueueState {
            missing: by_table(&left),
            parts: left,
            full: Vec::new(),
            bare: BTreeSet::new(),
            keys: BTreeMap::new(),
            ended: false,
        };
        WorkQueue { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next piece; waits if others work on what has to come first; `None` when all is done or [`WorkQueue::end`]
    /// was called.
    pub(super) fn next(&self) -> Option<WorkItem> {
        let mut state = self.lock();
        loop {
            if state.ended || (state.parts.is_empty() && state.keys.values().all(|k| *k == Keys::Done)) {
                return None;
            }
            if let Some(piece) = state.choose() {
                return Some(piece);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Marks a piece as done.
    pub(super) fn done(&self, piece: WorkItem) {
        let mut state = self.lock();
        match piece {
            WorkItem::Rows(Part { what, set, .. }) => {
                let table = (set, place(what));
                if let Some(left) = state.missing.get_mut(&table) {
                    *left -= 1;
                    if *left == 0 {
                        state.missing.remove(&table);
                        if state.bare.contains(&table) {
                            state.full.push(table);
                        }
                    }
                }
            }
            WorkItem::Index { set, table } => {
                state.bare.remove(&(set, table));
            }
            WorkItem::Keys(set) => {
                state.keys.insert(set, Keys::Done);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Gives out no more pieces.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a table's indexes in the metadata.
pub(super) fn index_step(set: Set, table: usize) -> String {
    format!("index {}", set.named(TABLES[table].name))
}

impl QueueState {
    fn choose(&mut self) -> Option<WorkItem> {
        // Indexes first: the rows are still in the server's memory.
        if let Some((set, table)) = self.full.pop() {
            return Some(WorkItem::Index { set, table });
        }
        if let Some(part) = self.parts.pop() {
            return Some(WorkItem::Rows(part));
        }
        let QueueState { missing, bare, keys, .. } = self;
        let whole = |set: Set| bare.iter().chain(missing.keys()).all(|(s, _)| *s != set);
        let (set, state) = keys.iter_mut().find(|(set, state)| **state == Keys::Waiting && whole(**set))?;
        *state = Keys::Taken;
        Some(WorkItem::Keys(*set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the streams' order and wherever an earlier load was interrupted: each missing part is given out
        /// once, a table's indexes once and after its parts, a set's keys last.
        #[test]
        fn every_part_once_then_indexes_then_keys(
            warehouses in 1u64..5,
            tables in 1u64..4,
            done in proptest::collection::vec(any::<bool>(), 110),
            order in proptest::collection::vec(0usize..3, 1200),
        ) {
            let sets = Set::all(tables, false);
            let mut metadata = Metadata::default();
            for (part, done) in parts(warehouses, &sets).zip(done) {
                if done {
                    metadata.parts.insert(part, 1);
                }
            }
            let work = WorkQueue::new(warehouses, &sets, &metadata);
            let (mut held, mut loaded, mut indexed, mut keys) = ([None::<WorkItem>; 3], metadata.parts.clone(), BTreeSet::new(), BTreeSet::new());
            for stream in order {
                if let Some(piece) = held[stream].take() {
                    if let WorkItem::Rows(part) = piece {
                        prop_assert!(loaded.insert(part, 1).is_none());
                    }
                    work.done(piece);
                }
                let piece = work.lock().choose();
                match piece {
                    Some(WorkItem::Index { set, table }) => {
                        let mut of = parts(warehouses, &sets).filter(|p| p.set == set && place(p.what) == table);
                        prop_assert!(of.all(|p| loaded.contains_key(&p)));
                        prop_assert!(indexed.insert((set, table)));
                    }
                    Some(WorkItem::Keys(set)) => {
                        let mut of = parts(warehouses, &sets).filter(|p| p.set == set);
                        prop_assert!(of.all(|p| loaded.contains_key(&p)));
                        prop_assert_eq!(indexed.iter().filter(|(s, _)| *s == set).count(), 9);
                        prop_assert!(keys.insert(set));
                    }
                    _ => {}
                }
                held[stream] = piece;
            }
            prop_assert_eq!(keys.len() as u64, tables);
            prop_assert!(work.next().is_none());
        }
    }
}
