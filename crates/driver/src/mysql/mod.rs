//! MySQL, MariaDB and what speaks their protocol.
//!
//! [`connection`] is the hot path: encode, one send, read until the last row, all in reused memory. [`stream`] is what it sends
//! and reads through; [`login`] gets in; [`tls`] holds what each mode verifies; [`failure`] sorts errors into classes.

mod connection;
mod failure;
mod login;
mod stream;
mod tls;

pub(crate) use connection::MysqlConnection;
pub(crate) use login::Way;
