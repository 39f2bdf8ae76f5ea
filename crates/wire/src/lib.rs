//! Bytes and messages of the database protocols. Bytes in, bytes out: no sockets, no clock, no threads.
//!
//! Everything here reads foreign bytes, so every reader answers with a `Fault` rather than panicking, and keeps
//! no more than a stated limit. `fuzz/` and the property tests verify this.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod mysql;
pub mod postgres;
