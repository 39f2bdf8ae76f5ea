//! Statements per transaction of sysbench's workloads, by which results are checked that name one.

use crate::words::{lower, words};

/// Each workload with its statements per transaction by default, and without BEGIN and COMMIT (`--skip-trx`).
const WORKLOADS: &[(&str, f64, f64)] = &[
    ("oltp_read_write", 20.0, 18.0),
    ("oltp_read_only", 16.0, 14.0),
    ("oltp_write_only", 6.0, 4.0),
    ("oltp_point_select", 1.0, 1.0),
    ("oltp_update_index", 1.0, 1.0),
    ("oltp_update_non_index", 1.0, 1.0),
    ("oltp_insert", 1.0, 1.0),
    ("oltp_delete", 1.0, 1.0),
];

/// The statements per transaction of a workload of this name, by default and without BEGIN and COMMIT.
pub(super) fn statements(name: &str) -> Option<[f64; 2]> {
    WORKLOADS.iter().find(|(of, ..)| *of == name).map(|(_, queries, without)| [*queries, *without])
}

/// The workload that sends this many statements of several per transaction, with their number.
pub(super) fn by_ratio(ratio: f64, tolerance: f64) -> Option<(f64, &'static str)> {
    let is_it = |(_, queries, _): &&(&str, f64, f64)| *queries > 1.0 && (ratio / queries - 1.0).abs() <= tolerance;
    WORKLOADS.iter().find(is_it).map(|(name, queries, _)| (*queries, *name))
}

/// The only workload of sysbench that a text names.
pub(super) fn named(text: &str) -> Option<&'static str> {
    let all = lower(&words(text));
    let names = |name: &str| {
        let name: Vec<&str> = name.split('_').collect();
        all.windows(name.len()).any(|part| part == name.as_slice())
    };
    let mut workloads = WORKLOADS.iter().map(|(name, ..)| *name).filter(|name| names(name));
    workloads.next().filter(|_| workloads.next().is_none())
}
