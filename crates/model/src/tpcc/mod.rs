//! The workload `tpcc` as recordings have it: its transactions and counters, its options, and what it finds in its tables. What
//! the workload counts and what the verdict reads.

pub mod found;
mod names;
mod options;

pub use names::{Counter, TransactionType};
pub use options::{deferred, has_new_orders, isolation, number, option, overlaps, paced, timed};

use crate::trial::Trial;

/// The name of the workload.
pub const WORKLOAD: &str = "tpcc";

/// The profile that accesses rows needed at the same point in one statement; the default.
pub const BATCHED: &str = "batched";

/// The profile with the statements of tpcc-mysql, row by row.
pub const TPCC_MYSQL: &str = "tpcc-mysql";

/// The profile of a trial of this workload.
pub fn profile(trial: &Trial) -> Option<&str> {
    (trial.load.workload == WORKLOAD).then(|| option(trial, "profile"))
}
