//! PostgreSQL and compatible servers.
//!
//! [`connection`] is the hot path: encode, one send, read until the server is ready again, all in reused memory.
//! `connection::pipeline` sends several statements before the first reply; [`rows`] keeps requested rows; [`login`]
//! authenticates; [`session`] is the interface of PostgreSQL's own library, for pgbench; [`failure`] assigns classes to errors. Bytes go through the [`transport`](crate::transport).

mod connection;
mod failure;
mod login;
mod rows;
mod session;

pub use connection::PipelinedReply;
pub(crate) use connection::PostgresConnection;
pub(crate) use login::{ConnectOptions, Use};
pub use session::{KeptResult, KeptResults, OpenTransaction, PostgresSession, SessionError};

/// Lifts the time limits that a server, account or database of PostgreSQL has for its sessions, for the present transaction: one that is open as long as it
/// holds a lock. A version that does not have one of them is not asked for it.
pub const LONG_TRANSACTION: &str = "SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN \
    ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')";
