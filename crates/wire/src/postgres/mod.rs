//! The PostgreSQL protocol, version 3, as PostgreSQL 9 to 18 and what imitates them speak it.
//!
//! | module | what | used by |
//! |---|---|---|
//! | [`message`] | kind and length before every message | all |
//! | [`command`] | what a client sends | client, hot |
//! | [`reply`] | what comes back, read as it arrives, rows skipped | client, hot |
//! | [`auth`] | proofs of the password, SCRAM bound to the TLS channel | client, cold |
//! | [`value`] | descriptions and rows taken apart | client, cold |
//! | [`marks`] | `?` turned into `$1`, `$2`, … | client, cold |
//!
//! Messages to the server and the proofs of passwords are those of the crate `postgres-protocol`; answers are read by [`reply`],
//! which keeps no row (doc/decision/0010). Source: "Frontend/Backend Protocol" in the PostgreSQL documentation.

pub mod auth;
pub mod command;
mod fault;
pub mod marks;
pub mod message;
pub mod reply;
pub mod value;

pub use fault::{Fault, ServerError};
