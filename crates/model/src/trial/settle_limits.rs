//! The limits of the wait between loading or restoring data and the start of the clients.

use serde::{Deserialize, Serialize};

/// What a server may still have to do in the background when the clients start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SettleLimits {
    /// The longest wait, milliseconds.
    pub at_most_ms: u64,
    /// Changed pages that are not in the files yet, percent of the buffer pool of InnoDB.
    pub dirty_pages_percent: f64,
    /// Transactions whose former versions of rows InnoDB has not removed (the length of its history list).
    pub purge: u64,
    /// InnoDB's redo log since the last checkpoint, bytes.
    pub checkpoint_age: u64,
    /// How far replicas may be behind, beyond the delay that the plan gives them, milliseconds.
    #[serde(default = "replica_lag_ms")]
    pub replica_lag_ms: u64,
}

/// The default of [`SettleLimits::replica_lag_ms`].
fn replica_lag_ms() -> u64 {
    1000
}

impl Default for SettleLimits {
    fn default() -> Self {
        SettleLimits {
            at_most_ms: 600_000,
            dirty_pages_percent: 1.0,
            purge: 1000,
            checkpoint_age: 16 << 20,
            replica_lag_ms: replica_lag_ms(),
        }
    }
}
