//! MySQL, MariaDB and what speaks their protocol.
//!
//! [`connection`] is the hot path: encode, one send, read until the last row, all in reused memory.
//! [`ahead`] sends several statements before the first answer;
//! [`rows`] keeps what somebody asked to see; [`login`] gets in; [`failure`] sorts errors into classes. What it sends and reads through is the [`line`](crate::line).

mod ahead;
mod connection;
mod failure;
mod local;
mod login;
mod rows;

pub(crate) use connection::MysqlConnection;
pub(crate) use login::Way;
