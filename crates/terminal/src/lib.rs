//! What the command line of Tenbin and the front ends by other names share: exit codes, what is printed and in which language, signals,
//! and plans that are ready to run.
//!
//! The only layer below `compat` and `cli` that writes to standard output and standard error.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod exit;
pub mod language;
pub mod runnable;
pub mod signals;
pub mod version;
pub mod words;
