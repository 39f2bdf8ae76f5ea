//! How a client waits for a reply, and the result of a statement.

/// How a connection waits for replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Many clients share the thread: wait on the runtime.
    Shared,
    /// The client has its own thread: block in the system call, without an event loop.
    Alone,
}

/// The result of a statement whose rows were skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reply {
    /// Rows returned, over all result sets.
    pub rows: u64,
    /// Rows changed, over all result sets.
    pub affected: u64,
    /// Of the rows changed, those that were returned too (`INSERT … RETURNING`).
    pub changed_and_returned: u64,
    /// MySQL and MariaDB: the number of an `AUTO_INCREMENT` column or `LAST_INSERT_ID(n)`, from the last result
    /// without rows; 0: none.
    pub insert_id: u64,
    /// A transaction of the session is open after it, as far as the server says.
    pub open: bool,
}

impl Reply {
    /// Rows returned or changed, each once.
    #[inline]
    pub fn all_rows(&self) -> u64 {
        self.rows.saturating_add(self.affected).saturating_sub(self.changed_and_returned)
    }
}
