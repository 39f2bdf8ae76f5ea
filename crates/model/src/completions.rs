//! When transactions completed in an interval.

use serde::{Deserialize, Serialize};

/// When transactions completed in an interval, over all clients. Consecutive intervals give the periods without
/// completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completions {
    /// The first, nanoseconds since the run started.
    pub first_ns: u64,
    /// The last.
    pub last_ns: u64,
    /// The longest time between two of them, nanoseconds; 0 if shorter than a tenth of a second.
    pub gap_ns: u64,
}
