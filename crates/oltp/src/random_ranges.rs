//! `select_random_ranges`: counts rows of table 1 whose `k` is in one of several short random ranges.

use super::COMMON;
use super::select_random::SelectRandom;
use tenbin_workload::options::{OptionSpec, RANDOM, Resolved, ValueType, row};
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "select_random_ranges",
    about: "one SELECT count over 10 random ranges of the indexed column",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    reads_only: true,
    options: &[COMMON, OPTIONS, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let o = Resolved(options);
        let (keys, delta) = (o.count32("number_of_ranges"), Some(o.count32("delta")));
        let ranges = vec!["k BETWEEN ? AND ?"; keys as usize].join(" OR ");
        let sql = format!("SELECT count(k) FROM sbtest1 WHERE {ranges}");
        Ok(Box::new(SelectRandom { sql, keys, delta, ..SelectRandom::new(name, "random_ranges", options, connector) }))
    })
};

const OPTIONS: &[OptionSpec] = &[
    row("number_of_ranges", "10", ValueType::Count(1, 10_000), "number of ranges per statement"),
    row("delta", "5", ValueType::Count(0, 1_000_000), "last key of a range minus its first"),
];
