//! The distribution of the pieces of a load: a stream takes a table, piece by piece, then its indexes, then
//! the next table; if no table is left it helps with the rows of another, if the server supports that. Pure except
//! for the lock.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkItem {
    /// Rows `from..=to` of a table (from 1).
    Rows { table: u32, from: u32, to: u32 },
    /// What follows after all rows of a table are loaded.
    Index { table: u32 },
}

impl WorkItem {
    /// The same if the first table has this number: pieces count tables from 1.
    pub(super) fn counted_from(self, first: u32) -> WorkItem {
        match self {
            WorkItem::Rows { table, from, to } => WorkItem::Rows { table: table - 1 + first, from, to },
            WorkItem::Index { table } => WorkItem::Index { table: table - 1 + first },
        }
    }
}

/// All pieces of a load.
pub(super) struct WorkQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    table_size: u32,
    /// Rows of one piece.
    piece: u32,
    /// Whether several streams may fill one table at the same time.
    helping: bool,
}

struct QueueState {
    /// By table − 1.
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
    /// The first row that is not taken; above the table's size if all are taken.
    next: u64,
    /// Pieces taken and not done.
    open: u32,
}

impl WorkQueue {
    pub(super) fn new(tables: u32, table_size: u32, piece: u32, helping: bool) -> WorkQueue {
        let tables = vec![Table { next: 1, open: 0 }; tables as usize];
        let state = QueueState { tables, begun: 0, full: Vec::new(), finished: 0, ended: false };
        WorkQueue { state: Mutex::new(state), changed: Condvar::new(), table_size, piece: piece.max(1), helping }
    }

    /// The next piece for a stream whose own table is `own` (0: none yet); waits if others are working on what has to
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
        let size = u64::from(self.table_size);
        // A full table's indexes first: its rows are still in the server's memory.
        if let Some(table) = state.full.pop() {
            return Some(WorkItem::Index { table });
        }
        if *own > 0 && state.tables[*own as usize - 1].next <= size {
            return Some(self.take(state, *own));
        }
        if state.begun < state.tables.len() {
            state.begun += 1;
            *own = state.begun as u32;
            // An empty table has only indexes.
            return Some(if size == 0 { WorkItem::Index { table: *own } } else { self.take(state, *own) });
        }
        if !self.helping {
            return None;
        }
        let most = (0..state.tables.len()).min_by_key(|&t| state.tables[t].next)?;
        (state.tables[most].next <= size).then(|| self.take(state, most as u32 + 1))
    }

    fn take(&self, state: &mut QueueState, table: u32) -> WorkItem {
        let t = &mut state.tables[table as usize - 1];
        let from = t.next;
        let to = (from + u64::from(self.piece) - 1).min(u64::from(self.table_size));
        t.next = to + 1;
        t.open += 1;
        WorkItem::Rows { table, from: from as u32, to: to as u32 }
    }

    pub(super) fn done(&self, piece: WorkItem) {
        let mut state = self.lock();
        match piece {
            WorkItem::Rows { table, .. } => {
                let t = &mut state.tables[table as usize - 1];
                t.open -= 1;
                if t.open == 0 && t.next > u64::from(self.table_size) {
                    state.full.push(table);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(table: u32, from: u32, to: u32) -> Option<WorkItem> {
        Some(WorkItem::Rows { table, from, to })
    }

    #[test]
    fn a_stream_stays_with_its_table_until_the_index_is_made() {
        let work = WorkQueue::new(2, 250, 100, false);
        let (mut a, mut b) = (0, 0);
        assert_eq!(work.next(&mut a), rows(1, 1, 100));
        assert_eq!(work.next(&mut b), rows(2, 1, 100));
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
        assert_eq!(work.next(&mut a), rows(1, 1, 100));
        assert_eq!(work.next(&mut b), rows(1, 101, 200));
        assert_eq!(work.next(&mut b), rows(1, 201, 250));
    }

    proptest! {
        /// Whatever the order of the streams, each row is distributed once, and each index once, after all rows of its
        /// table are loaded.
        #[test]
        fn every_row_once_then_every_index_once(
            (tables, size, piece) in (1u32..5, 0u32..60, 1u32..25),
            helping: bool,
            order in proptest::collection::vec(0usize..3, 1000),
        ) {
            let work = WorkQueue::new(tables, size, piece, helping);
            let (mut own, mut held) = ([0u32; 3], [None::<WorkItem>; 3]);
            let (mut rows_in, mut indexed) = (vec![vec![false; size as usize]; tables as usize], vec![false; tables as usize]);
            for stream in order {
                if let Some(piece) = held[stream].take() {
                    if let WorkItem::Rows { table, from, to } = piece {
                        for row in from..=to {
                            let seen = &mut rows_in[table as usize - 1][row as usize - 1];
                            prop_assert!(!*seen);
                            *seen = true;
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
