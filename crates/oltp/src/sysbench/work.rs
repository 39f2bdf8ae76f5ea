//! The distribution of the pieces of a load: a stream takes a table, creates it, then its rows piece by piece, then its
//! indexes, then the next table; if no table is left it helps with the rows of another, if the server supports that. Pure
//! except for the lock.
//!
//! If several processes load the rows in slices, each has a queue of its rows, and what follows is a queue of its own.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkItem {
    /// A table that does not exist.
    Create { table: u32 },
    /// Rows `from..=to` of a table (from 1).
    Rows { table: u32, from: u32, to: u32 },
    /// What follows after all rows of a table are loaded.
    Index { table: u32 },
}

impl WorkItem {
    /// The same if the first table has this number: pieces count tables from 1.
    pub(super) fn counted_from(self, first: u32) -> WorkItem {
        match self {
            WorkItem::Create { table } => WorkItem::Create { table: table - 1 + first },
            WorkItem::Rows { table, from, to } => WorkItem::Rows { table: table - 1 + first, from, to },
            WorkItem::Index { table } => WorkItem::Index { table: table - 1 + first },
        }
    }
}

/// All pieces of a load.
pub(super) struct WorkQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    /// The number of the first table.
    first: u32,
    /// Rows of one piece.
    piece: u32,
    /// Whether several streams may fill one table at the same time.
    helping: bool,
    parts: TableParts,
}

/// Which pieces a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableParts {
    /// It is created, filled, and completed with indexes.
    All,
    /// It has everything when it has been created.
    Creation,
    /// Its rows.
    Rows,
    /// What follows after all rows.
    Indexes,
}

struct QueueState {
    /// In the order of their numbers.
    tables: Vec<Table>,
    /// The number of tables that were started.
    begun: usize,
    /// Tables whose rows are all loaded and whose indexes are not taken.
    full: Vec<u32>,
    finished: usize,
    ended: bool,
}

#[derive(Debug, Clone, Copy)]
struct Table {
    /// The first row that is not taken; above the last if all are taken.
    next: u64,
    /// The last row.
    last: u64,
    /// Pieces taken and not done.
    open: u32,
    exists: bool,
}

impl WorkQueue {
    /// Everything.
    pub(super) fn new(tables: u32, table_size: u32, piece: u32, helping: bool) -> WorkQueue {
        let table = Table { next: 1, last: table_size.into(), open: 0, exists: false };
        WorkQueue::of((1, vec![table; tables as usize]), piece, helping, TableParts::All)
    }

    /// Tables that are complete when they have been created.
    pub(super) fn whole(tables: u32) -> WorkQueue {
        let table = Table { next: 1, last: 0, open: 0, exists: false };
        WorkQueue::of((1, vec![table; tables as usize]), 1, false, TableParts::Creation)
    }

    /// Only these rows, counted from 0 over all tables.
    pub(super) fn rows(rows: Range<u64>, table_size: u32, piece: u32, helping: bool) -> WorkQueue {
        let size = u64::from(table_size.max(1));
        let numbers = rows.start / size..rows.end.div_ceil(size).max(rows.start / size);
        let of = |number: u64| {
            let before = number * size;
            let (next, last) = (rows.start.max(before) - before + 1, rows.end.min(before + size) - before);
            Table { next, last, open: 0, exists: true }
        };
        let tables = if rows.is_empty() { Vec::new() } else { numbers.map(of).collect() };
        WorkQueue::of(((rows.start / size) as u32 + 1, tables), piece, helping, TableParts::Rows)
    }

    /// Only what follows after all rows.
    pub(super) fn indexes(tables: u32) -> WorkQueue {
        let table = Table { next: 1, last: 0, open: 0, exists: true };
        WorkQueue::of((1, vec![table; tables as usize]), 1, false, TableParts::Indexes)
    }

    fn of((first, tables): (u32, Vec<Table>), piece: u32, helping: bool, parts: TableParts) -> WorkQueue {
        let state = QueueState { tables, begun: 0, full: Vec::new(), finished: 0, ended: false };
        WorkQueue { state: Mutex::new(state), changed: Condvar::new(), first, piece: piece.max(1), helping, parts }
    }

    /// The next piece for a stream whose own table is the one at place `own` from 1 (0: none yet); waits if others are working on what has to
    /// come first; `None` if all is done or [`WorkQueue::end`] was called.
    pub(super) fn next(&self, own: &mut u32) -> Option<WorkItem> {
        let mut state = self.lock();
        loop {
            if state.ended || state.finished == state.tables.len() {
                return None;
            }
            if let Some(piece) = self.choose(&mut state, own) {
                return Some(piece);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn choose(&self, state: &mut QueueState, own: &mut u32) -> Option<WorkItem> {
        // A full table's indexes first: its rows are still in the server's memory.
        if let Some(table) = state.full.pop() {
            return Some(WorkItem::Index { table });
        }
        if *own > 0 && state.tables[*own as usize - 1].left() > 0 {
            return Some(self.take(state, *own as usize - 1));
        }
        if state.begun < state.tables.len() {
            let index = state.begun;
            state.begun += 1;
            *own = state.begun as u32;
            let table = self.number(index);
            return Some(match self.parts {
                TableParts::All | TableParts::Creation => WorkItem::Create { table },
                TableParts::Rows => self.take(state, index),
                TableParts::Indexes => WorkItem::Index { table },
            });
        }
        if !self.helping {
            return None;
        }
        let most = (0..state.tables.len()).min_by_key(|&index| Reverse(state.tables[index].left()))?;
        (state.tables[most].left() > 0).then(|| self.take(state, most))
    }

    fn number(&self, index: usize) -> u32 {
        self.first + index as u32
    }

    fn take(&self, state: &mut QueueState, index: usize) -> WorkItem {
        let t = &mut state.tables[index];
        let from = t.next;
        let to = (from + u64::from(self.piece) - 1).min(t.last);
        t.next = to + 1;
        t.open += 1;
        WorkItem::Rows { table: self.number(index), from: from as u32, to: to as u32 }
    }

    pub(super) fn done(&self, piece: WorkItem) {
        let mut state = self.lock();
        match piece {
            WorkItem::Create { .. } if self.parts == TableParts::Creation => state.finished += 1,
            WorkItem::Create { table } => {
                let t = &mut state.tables[(table - self.first) as usize];
                t.exists = true;
                // An empty table has only indexes.
                if t.left() == 0 {
                    state.full.push(table);
                }
            }
            WorkItem::Rows { table, .. } => {
                let t = &mut state.tables[(table - self.first) as usize];
                t.open -= 1;
                if t.open == 0 && t.left() == 0 {
                    match self.parts {
                        TableParts::All => state.full.push(table),
                        _ => state.finished += 1,
                    }
                }
            }
            WorkItem::Index { .. } => state.finished += 1,
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Stops the distribution.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Rows that are not taken, and can be.
    fn left(&self) -> u64 {
        if self.exists { (self.last + 1).saturating_sub(self.next) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tenbin_workload::DatasetSlice;

    fn rows(table: u32, from: u32, to: u32) -> Option<WorkItem> {
        Some(WorkItem::Rows { table, from, to })
    }

    /// The next piece after that which creates this table.
    fn created(work: &WorkQueue, own: &mut u32, table: u32) -> Option<WorkItem> {
        let create = WorkItem::Create { table };
        assert_eq!(work.next(own), Some(create));
        work.done(create);
        work.next(own)
    }

    #[test]
    fn a_stream_stays_with_its_table_until_the_index_is_made() {
        let work = WorkQueue::new(2, 250, 100, false);
        let (mut a, mut b) = (0, 0);
        assert_eq!(created(&work, &mut a, 1), rows(1, 1, 100));
        assert_eq!(created(&work, &mut b, 2), rows(2, 1, 100));
        work.done(WorkItem::Rows { table: 1, from: 1, to: 100 });
        assert_eq!(work.next(&mut a), rows(1, 101, 200));
        assert_eq!(work.next(&mut a), rows(1, 201, 250));
        work.done(WorkItem::Rows { table: 1, from: 101, to: 200 });
        work.done(WorkItem::Rows { table: 1, from: 201, to: 250 });
        assert_eq!(work.next(&mut a), Some(WorkItem::Index { table: 1 }));
        work.end();
        assert_eq!(work.next(&mut b), None);
    }

    #[test]
    fn a_second_stream_helps_with_the_rows_of_the_only_table() {
        let work = WorkQueue::new(1, 250, 100, true);
        let (mut a, mut b) = (0, 0);
        assert_eq!(created(&work, &mut a, 1), rows(1, 1, 100));
        assert_eq!(work.next(&mut b), rows(1, 101, 200));
        assert_eq!(work.next(&mut b), rows(1, 201, 250));
    }

    #[test]
    fn what_follows_comes_alone_after_the_slices() {
        let work = WorkQueue::indexes(2);
        let mut own = 0;
        for table in [1, 2] {
            assert_eq!(work.next(&mut own), Some(WorkItem::Index { table }));
            work.done(WorkItem::Index { table });
        }
        assert_eq!(work.next(&mut own), None);
    }

    #[test]
    fn a_table_that_has_everything_when_it_was_created_has_no_other_pieces() {
        let work = WorkQueue::whole(2);
        let mut own = 0;
        for table in [1, 2] {
            let create = WorkItem::Create { table };
            assert_eq!(work.next(&mut own), Some(create));
            work.done(create);
        }
        assert_eq!(work.next(&mut own), None);
    }

    proptest! {
        /// However many slices there are, each row is in one of them, and none has anything else.
        #[test]
        fn every_row_is_in_one_slice((tables, size, piece) in (1u32..6, 0u32..60, 1u32..25), of in 1u32..9, helping: bool) {
            let mut covered = Vec::new();
            for number in 0..of {
                let rows = DatasetSlice { number, of }.rows(u64::from(tables) * u64::from(size));
                let work = WorkQueue::rows(rows, size, piece, helping);
                let mut own = 0;
                while let Some(piece) = work.next(&mut own) {
                    let WorkItem::Rows { table, from, to } = piece else { panic!("{piece:?}") };
                    covered.extend((from..=to).map(|row| (table, row)));
                    work.done(piece);
                }
            }
            covered.sort_unstable();
            let all: Vec<_> = (1..=tables).flat_map(|table| (1..=size).map(move |row| (table, row))).collect();
            prop_assert_eq!(covered, all);
        }

        /// Whatever the order of the streams, each table is created once, then each of its rows is distributed once, and each
        /// index once, after all rows are loaded.
        #[test]
        fn every_table_once_then_every_row_then_every_index(
            (tables, size, piece) in (1u32..5, 0u32..60, 1u32..25),
            helping: bool,
            order in proptest::collection::vec(0usize..3, 1000),
        ) {
            let work = WorkQueue::new(tables, size, piece, helping);
            let (mut own, mut held) = ([0u32; 3], [None::<WorkItem>; 3]);
            let (mut rows_in, mut indexed) = (vec![vec![false; size as usize]; tables as usize], vec![false; tables as usize]);
            let mut exists = vec![false; tables as usize];
            for stream in order {
                if let Some(piece) = held[stream].take() {
                    if let WorkItem::Create { table } = piece {
                        prop_assert!(!exists[table as usize - 1]);
                        exists[table as usize - 1] = true;
                    }
                    if let WorkItem::Rows { table, from, to } = piece {
                        prop_assert!(exists[table as usize - 1]);
                        for row in from..=to {
                            let filled = &mut rows_in[table as usize - 1][row as usize - 1];
                            prop_assert!(!*filled);
                            *filled = true;
                        }
                    }
                    work.done(piece);
                }
                let piece = work.choose(&mut work.lock(), &mut own[stream]);
                if let Some(WorkItem::Index { table }) = piece {
                    prop_assert!(rows_in[table as usize - 1].iter().all(|r| *r));
                    prop_assert!(!indexed[table as usize - 1]);
                    indexed[table as usize - 1] = true;
                }
                held[stream] = piece;
            }
            prop_assert!(indexed.iter().all(|i| *i), "not done after 1000 turns");
        }
    }
}
