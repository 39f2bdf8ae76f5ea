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
