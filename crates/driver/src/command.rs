//! Statements that are sent in one piece and answered one after the other. This saves a round trip for each
//! but the first, and is for statements that do not depend on each other's results. Nothing is read
//! while they are sent, so together they should be small (some kilobytes).

use crate::{Prepared, Value};

/// One of them.
#[derive(Debug, Clone, Copy)]
pub enum Command<'a> {
    /// A prepared statement whose rows are skipped.
    Execute(Prepared, &'a [Value<'a>]),
    /// A prepared statement whose rows are kept.
    Fetch(Prepared, &'a [Value<'a>]),
    /// SQL text whose rows are skipped.
    Query(&'a str),
}
