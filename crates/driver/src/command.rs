//! Several statements that go out together: sent in one piece, answered one after the other. It spares a way to the server
//! and back for each but the first, and is for statements that need nothing from one another's answers. Nobody reads
//! while they go out, so together they should be small (some kilobytes).

use crate::{Prepared, Value};

/// One of them.
#[derive(Debug, Clone, Copy)]
pub enum Command<'a> {
    /// A prepared statement whose rows nobody looks at.
    Execute(Prepared, &'a [Value<'a>]),
    /// A prepared statement whose rows are kept.
    Fetch(Prepared, &'a [Value<'a>]),
    /// SQL text whose rows nobody looks at.
    Query(&'a str),
}
