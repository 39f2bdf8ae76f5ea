//! What every crate speaks: messages in two languages and their catalogue, problems with their evidence and hint, text
//! that is safe to display, figures and units as readers see them.
//!
//! Nothing here knows a plan, a trial or a result, and nothing accesses a file, a socket, a clock or a terminal.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod catalogue;
pub mod copied;
pub mod described;
pub mod figure;
pub mod hex;
pub mod language;
pub mod message;
pub mod nearest;
pub mod problem;
pub mod remedy;
pub mod secret;
pub mod shell;
pub mod text;
pub mod units;
