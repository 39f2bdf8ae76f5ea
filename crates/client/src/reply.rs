//! How a client waits for an answer, and what the answer of a statement says.

/// How a connection waits for its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Many clients share the thread: wait on the runtime.
    Shared,
    /// The client has the thread to itself: block in the system call, which saves the event loop.
    Alone,
}

/// What a statement came to when its rows were skipped, not kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reply {
    /// Rows returned, over all result sets.
    pub rows: u64,
    /// Rows changed, over all result sets.
    pub affected: u64,
    /// MySQL and MariaDB: the number that an `AUTO_INCREMENT` column or `LAST_INSERT_ID(n)` took, of the last result that
    /// was no rows; 0: none.
    pub insert_id: u64,
}
