//! MySQL, MariaDB and what speaks their protocol.
//!
//! [`connection`] is the hot path: encode, one send, read until the last row, all in reused memory.
//! [`pipeline`] sends several statements before the first answer;
//! [`rows`] keeps what somebody asked to see; [`login`] gets in; [`failure`] sorts errors into classes. What it sends and reads through is the [`transport`](crate::transport).

mod connection;
mod failure;
mod local;
mod login;
mod pipeline;
mod rows;

pub(crate) use connection::MysqlConnection;
pub(crate) use login::ConnectOptions;
