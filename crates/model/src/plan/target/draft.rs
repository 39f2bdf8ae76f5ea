//! A target whose keys are being read.

use crate::dsn::Dsn;
use crate::trial::Target;
use std::ops::Range;

/// A target whose keys are being read.
pub struct TargetDraft {
    pub target: Target,
    /// The address, with its position.
    pub dsn: Option<(Dsn, Range<usize>)>,
    /// Options of the address that have keys of their own, with their positions.
    pub tls: Vec<(&'static str, String, Range<usize>)>,
}

impl TargetDraft {
    /// A target of this name, of which nothing else is known.
    pub fn named(name: &str, place: u32) -> TargetDraft {
        TargetDraft { target: Target::named(name, place), dsn: None, tls: Vec::new() }
    }
}
