//! The pieces of a load and who gets which: rows part by part, a table's indexes when its rows are all in, foreign keys
//! when everything else is done. Pure but for the lock.

use super::metadata::Metadata;
use super::population::What;
use super::schema::TABLES;
use super::slice::Slice;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// All rows of a table for a warehouse (items: for none).
    Rows { what: What, w: u64 },
    /// The indexes of a table.
    Index { table: usize },
    /// All foreign keys, one table after the other.
    Keys,
}

/// All pieces of a load.
#[derive(Debug)]
pub(super) struct Work {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Parts that nobody has taken, the next last.
    parts: Vec<(What, u64)>,
    /// By table: parts that are not in yet.
    missing: [usize; 9],
    /// Tables whose rows are in and whose indexes nobody has taken.
    full: Vec<usize>,
    /// Tables whose indexes are not made yet.
    bare: BTreeSet<usize>,
    keys: Keys,
    ended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// Left to another load.
    Never,
    Waiting,
    Taken,
    Done,
}

/// The table's place among [`TABLES`].
pub(super) fn place(what: What) -> usize {
    TABLES.iter().position(|t| t.name == what.table()).unwrap_or_default()
}

/// All parts of so many warehouses.
pub(super) fn parts(warehouses: u64) -> impl Iterator<Item = (What, u64)> {
    What::ALL.into_iter().flat_map(move |what| {
        let of = if what == What::Item { 0..=0 } else { 1..=warehouses };
        of.map(move |w| (what, w))
    })
}

impl Work {
    /// What is left to do for so many warehouses, where `done` is in.
    pub(super) fn new(warehouses: u64, done: &Metadata) -> Work {
        let mut left: Vec<(What, u64)> = parts(warehouses).filter(|part| !done.parts.contains_key(part)).collect();
        let mut missing = [0; 9];
        left.iter().for_each(|(what, _)| missing[place(*what)] += 1);
        left.reverse();
        let bare: BTreeSet<usize> =
            (0..TABLES.len()).filter(|t| !done.steps.contains(&format!("index {}", TABLES[*t].name))).collect();
        let full = bare.iter().copied().filter(|t| missing[*t] == 0).collect();
        let state = State { parts: left, missing, full, bare, keys: Keys::Waiting, ended: false };
        Work { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The rows of a slice alone: what comes after all rows is left to others.
    pub(super) fn rows(warehouses: u64, slice: &Slice, done: &Metadata) -> Work {
        let wanted = |part: &(What, u64)| slice.holds(part.0, part.1) && !done.parts.contains_key(part);
        let mut left: Vec<(What, u64)> = parts(warehouses).filter(wanted).collect();
        let mut missing = [0; 9];
        left.iter().for_each(|(what, _)| missing[place(*what)] += 1);
        left.reverse();
        let state =
            State { parts: left, missing, full: Vec::new(), bare: BTreeSet::new(), keys: Keys::Never, ended: false };
        Work { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next piece; waits when others hold what has to come first; `None` when all is done or [`Work::end`] was
    /// called.
    pub(super) fn next(&self) -> Option<Piece> {
        let mut state = self.lock();
        loop {
            let no_more = state.keys == Keys::Never && state.parts.is_empty();
            if state.ended || state.keys == Keys::Done || no_more {
                return None;
            }
            if let Some(piece) = state.choose() {
                return Some(piece);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says that a piece is done.
    pub(super) fn done(&self, piece: Piece) {
        let mut state = self.lock();
        match piece {
            Piece::Rows { what, .. } => {
                let table = place(what);
                state.missing[table] -= 1;
                if state.missing[table] == 0 && state.bare.contains(&table) {
                    state.full.push(table);
                }
            }
            Piece::Index { table } => {
                state.bare.remove(&table);
            }
            Piece::Keys => state.keys = Keys::Done,
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Lets nobody have another piece.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn choose(&mut self) -> Option<Piece> {
        // Indexes first: the rows are still in the server's memory.
        if let Some(table) = self.full.pop() {
            return Some(Piece::Index { table });
        }
        if let Some((what, w)) = self.parts.pop() {
            return Some(Piece::Rows { what, w });
        }
        let ready = self.bare.is_empty() && self.missing == [0; 9] && self.keys == Keys::Waiting;
        ready.then(|| {
            self.keys = Keys::Taken;
            Piece::Keys
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the streams' order and wherever an earlier load broke off: each part that is missing goes out once,
        /// a table's indexes once and after its parts, the keys last.
        #[test]
        fn every_part_once_then_indexes_then_keys(
            warehouses in 1u64..5,
            done in proptest::collection::vec(any::<bool>(), 40),
            order in proptest::collection::vec(0usize..3, 400),
        ) {
            let mut metadata = Metadata::default();
            for (part, done) in parts(warehouses).zip(done) {
                if done {
                    metadata.parts.insert(part, 1);
                }
            }
            let work = Work::new(warehouses, &metadata);
            let (mut held, mut seen, mut indexed, mut keys) = ([None::<Piece>; 3], metadata.parts.clone(), BTreeSet::new(), 0);
            for stream in order {
                if let Some(piece) = held[stream].take() {
                    if let Piece::Rows { what, w } = piece {
                        prop_assert!(seen.insert((what, w), 1).is_none());
                    }
                    work.done(piece);
                }
                let piece = work.lock().choose();
                match piece {
                    Some(Piece::Index { table }) => {
                        prop_assert!(parts(warehouses).filter(|p| place(p.0) == table).all(|p| seen.contains_key(&p)));
                        prop_assert!(indexed.insert(table));
                    }
                    Some(Piece::Keys) => {
                        prop_assert_eq!((seen.len(), indexed.len()), (parts(warehouses).count(), 9));
                        keys += 1;
                    }
                    _ => {}
                }
                held[stream] = piece;
            }
            prop_assert_eq!((keys, work.lock().keys), (1, Keys::Done));
        }
    }
}
