//! PostgreSQL and what speaks its protocol.
//!
//! [`connection`] is the hot path: encode, one send, read until the server is ready again, all in reused memory. [`pipeline`] sends several
//! statements before the first answer; [`rows`] keeps what
//! somebody asked to see; [`login`] gets in; [`failure`] sorts errors into classes. What it sends and reads through is the
//! [`transport`](crate::transport).

mod connection;
mod failure;
mod login;
mod pipeline;
mod rows;

pub(crate) use connection::PostgresConnection;
pub(crate) use login::ConnectOptions;
