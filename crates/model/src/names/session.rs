//! The observer of a server's sessions: its readings, one for each class of active sessions.

use tenbin_words::message::Message;
use tenbin_words::msg;

/// The observer of the sessions.
pub const OBSERVER: &str = "server.sessions";

/// Its reading of the active sessions of the load: the sum of all classes.
pub const ACTIVE: &str = "active";

/// Its reading of sessions of the load that have a transaction open and wait for their client. They are not active.
pub const IN_TRANSACTION: &str = "in_transaction";

/// Its reading of active sessions of others than the load and Tenbin.
pub const OF_OTHERS: &str = "of_others";

/// What an active session is doing. A server distinguishes only some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SessionClass {
    /// The server says that it does not wait: it runs on a processor, or is ready to.
    Running,
    /// It executes, and the server does not say whether it runs, reads pages or waits for a latch.
    Executing,
    /// It reads pages or temporary files.
    Read,
    /// It writes pages or temporary files.
    Write,
    /// It commits: write-ahead, redo and binary log, and replicas that must confirm it.
    Commit,
    /// It waits for a lock on a row.
    RowLock,
    /// It waits for a lock on a table or another object of the schema.
    TableLock,
    /// It waits for a latch, a mutex or another short lock on what the server has in memory.
    Latch,
    /// Its statement waits for a thread of the thread pool.
    Admission,
    /// It sends to the client, or waits for it in the middle of a statement.
    Client,
    /// Its statement asks to wait: `SLEEP()`, user locks.
    Requested,
    /// It waits for something else.
    Other,
}

impl SessionClass {
    /// All classes, in the order in which they are shown.
    pub const ALL: [SessionClass; 12] = [
        SessionClass::Running,
        SessionClass::Executing,
        SessionClass::Read,
        SessionClass::Write,
        SessionClass::Commit,
        SessionClass::RowLock,
        SessionClass::TableLock,
        SessionClass::Latch,
        SessionClass::Admission,
        SessionClass::Client,
        SessionClass::Requested,
        SessionClass::Other,
    ];

    /// The name of its reading.
    pub fn name(self) -> &'static str {
        match self {
            SessionClass::Running => "running",
            SessionClass::Executing => "executing",
            SessionClass::Read => "read",
            SessionClass::Write => "write",
            SessionClass::Commit => "commit",
            SessionClass::RowLock => "row_lock",
            SessionClass::TableLock => "table_lock",
            SessionClass::Latch => "latch",
            SessionClass::Admission => "admission",
            SessionClass::Client => "client",
            SessionClass::Requested => "requested_wait",
            SessionClass::Other => "other",
        }
    }

    /// What it is called.
    pub fn label(self) -> Message {
        match self {
            SessionClass::Running => msg!("session-running"),
            SessionClass::Executing => msg!("session-executing"),
            SessionClass::Read => msg!("session-read"),
            SessionClass::Write => msg!("session-write"),
            SessionClass::Commit => msg!("session-commit"),
            SessionClass::RowLock => msg!("session-row-lock"),
            SessionClass::TableLock => msg!("session-table-lock"),
            SessionClass::Latch => msg!("session-latch"),
            SessionClass::Admission => msg!("session-admission"),
            SessionClass::Client => msg!("session-client"),
            SessionClass::Requested => msg!("session-requested-wait"),
            SessionClass::Other => msg!("session-other"),
        }
    }
}

/// Samples are not taken more often, milliseconds: InnoDB shows its transactions as they were when they were last read,
/// if that was less than 100 ms ago.
pub const LEAST_PERIOD_MS: u64 = 200;
