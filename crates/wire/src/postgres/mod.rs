//! The PostgreSQL protocol, version 3, as used by PostgreSQL 9 to 18 and compatible servers.
//!
//! | module | what | used by |
//! |---|---|---|
//! | [`message`] | kind and length before every message | all |
//! | [`command`] | messages of the client | client, hot |
//! | [`reply`] | replies, read as they arrive, rows skipped | client, hot |
//! | [`auth`] | proofs of the password, SCRAM bound to the TLS channel | client, cold |
//! | [`value`] | decoding of descriptions and rows | client, cold |
//! | [`marks`] | `?` turned into `$1`, `$2`, … | client, cold |
//!
//! Messages to the server and password proofs come from the crate `postgres-protocol`; replies are read by [`reply`],
//! which stores no row (doc/decision/0010). Source: "Frontend/Backend Protocol" in the PostgreSQL documentation.

pub mod auth;
pub mod command;
mod fault;
pub mod marks;
pub mod message;
pub mod reply;
pub mod value;

pub use fault::{ErrorReport, Fault, ServerError};
