//! The MySQL protocol as MySQL 5.5 to 9, MariaDB and what imitates them speak it.
//!
//! | module | what | used by |
//! |---|---|---|
//! | [`packet`] | length and sequence number before every message, 16 MiB splitting | all |
//! | [`bytes`] | integers and strings inside a message | all |
//! | [`compressed`] | frames around packets that zlib has packed | client, where asked for |
//! | [`capability`] | what client and server agree to use | all |
//! | [`handshake`] | greeting, TLS request, answer to the greeting | client, cold |
//! | [`auth`] | proofs of the password | client, cold |
//! | [`command`] | what a client sends per statement | client, hot |
//! | [`reply`] | what comes back, read as it arrives, rows skipped | client, hot |
//! | [`value`] | one row taken apart | client, cold |
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
pub mod packet;
pub mod reply;
pub mod value;

pub use fault::{Fault, ServerError};
