//! The MySQL protocol as used by MySQL 5.5 to 9, MariaDB and compatible servers.
//!
//! | module | what | used by |
//! |---|---|---|
//! | [`packet`] | length and sequence number before every message, 16 MiB splitting | all |
//! | [`bytes`] | integers and strings inside a message | all |
//! | [`compressed`] | zlib-compressed frames around packets | client, if requested |
//! | [`capability`] | capability flags | all |
//! | [`handshake`] | greeting, TLS request, handshake response | client, cold |
//! | [`auth`] | proofs of the password | client, cold |
//! | [`command`] | commands of the client | client, hot |
//! | [`reply`] | replies, read as they arrive, rows skipped | client, hot |
//! | [`value`] | decoding of one row | client, cold |
//! | [`moment`] | the text of dates and times | client, cold |
//!
//! Sources: "MySQL Client/Server Protocol" in the MySQL source documentation (dev.mysql.com/doc/dev/mysql-server),
//! "Client/Server Protocol" in the MariaDB knowledge base.

pub mod auth;
pub mod bytes;
pub mod capability;
pub mod command;
pub mod compressed;
mod fault;
pub mod handshake;
pub mod moment;
pub mod packet;
pub mod reply;
pub mod value;

pub use fault::{Fault, ServerError};
