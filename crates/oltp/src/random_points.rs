//! `select_random_points`: rows of table 1 whose `k` is one of several random keys.

use super::COMMON;
use super::select_random::SelectRandom;
use tenbin_workload::options::{OptionSpec, RANDOM, Resolved, ValueType, row};
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "select_random_points",
    about: "one SELECT of 10 random values of the indexed column",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    reads_only: true,
    options: &[COMMON, OPTIONS, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let keys = Resolved(options).count32("random_points");
        let marks = vec!["?"; keys as usize].join(", ");
        let sql = format!("SELECT id, k, c, pad FROM sbtest1 WHERE k IN ({marks})");
        Ok(Box::new(SelectRandom { sql, keys, ..SelectRandom::new(name, "random_points", options, connector) }))
    })
};

const OPTIONS: &[OptionSpec] =
    &[row("random_points", "10", ValueType::Count(1, 10_000), "number of values in the IN list")];
