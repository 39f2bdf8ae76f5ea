//! What a server counted by statement in the measured window: statements as the server normalises them (digests), from
//! MySQL's and MariaDB's `performance_schema` and PostgreSQL's `pg_stat_statements`.
//!
//! The client's own times of its statements are in the tally. These are the server's, and include the statements of
//! everybody else.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tenbin_words::problem::Problem;

/// The most statements that are recorded, by total time.
pub const MOST: usize = 30;

/// The statements of a server between two times.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DigestReport {
    /// When the counters were read first, nanoseconds since the run's start.
    pub from_ns: u64,
    /// When they were read again.
    pub to_ns: u64,
    /// The statements that took the most time, that with the most first; [`MOST`] at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<StatementDigest>,
    /// The counts of all others together.
    #[serde(default)]
    pub others: DigestCounts,
    /// Why statements are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

/// One statement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatementDigest {
    /// Its text as the server normalises it, or as it was prepared; shortened.
    pub text: String,
    /// The schema or database that it was executed in; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Whether that is not the target's: the statement is not one of Tenbin's clients.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
    /// What was counted.
    pub counts: DigestCounts,
}

/// What a server counts for a statement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestCounts {
    /// Executions.
    pub count: u64,
    /// Their total time, nanoseconds.
    pub total_ns: u64,
    /// Executions that failed.
    #[serde(default)]
    pub errors: u64,
    /// Rows returned or changed.
    #[serde(default)]
    pub rows: u64,
    /// Rows read to find them; 0 if the server does not count them (PostgreSQL).
    #[serde(default)]
    pub rows_examined: u64,
    /// Executions that used no index (the same).
    #[serde(default)]
    pub no_index: u64,
    /// Temporary tables on disk (the same).
    #[serde(default)]
    pub tmp_disk_tables: u64,
}

impl DigestCounts {
    /// Adds those of another statement.
    pub fn add(&mut self, other: &DigestCounts) {
        let DigestCounts { count, total_ns, errors, rows, rows_examined, no_index, tmp_disk_tables } = other;
        self.count += count;
        self.total_ns += total_ns;
        self.errors += errors;
        self.rows += rows;
        self.rows_examined += rows_examined;
        self.no_index += no_index;
        self.tmp_disk_tables += tmp_disk_tables;
    }

    /// The growth since `before`; `None` if a count is smaller, because the counters were reset.
    pub fn since(&self, before: &DigestCounts) -> Option<DigestCounts> {
        Some(DigestCounts {
            count: self.count.checked_sub(before.count)?,
            total_ns: self.total_ns.checked_sub(before.total_ns)?,
            errors: self.errors.checked_sub(before.errors)?,
            rows: self.rows.checked_sub(before.rows)?,
            rows_examined: self.rows_examined.checked_sub(before.rows_examined)?,
            no_index: self.no_index.checked_sub(before.no_index)?,
            tmp_disk_tables: self.tmp_disk_tables.checked_sub(before.tmp_disk_tables)?,
        })
    }

    /// The mean time of an execution, nanoseconds.
    pub fn mean_ns(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.total_ns as f64 / self.count as f64 }
    }
}

/// What a server's counters were at one time, by a key of its own.
pub type DigestSnapshot = BTreeMap<String, StatementDigest>;

/// The statements executed between two snapshots, that with the most total time first, and whether counters became
/// smaller or disappeared meanwhile. Counters that became smaller count from 0.
pub fn between(before: &DigestSnapshot, after: &DigestSnapshot) -> (Vec<StatementDigest>, bool) {
    // A statement that was prepared and never executed has nothing to lose with its connection.
    let mut lost = before.iter().any(|(key, was)| was.counts.count > 0 && !after.contains_key(key));
    let grown = |(key, now): (&String, &StatementDigest)| {
        let was = before.get(key).map(|was| was.counts).unwrap_or_default();
        let counts = now.counts.since(&was).unwrap_or_else(|| {
            lost = true;
            now.counts
        });
        (counts.count > 0).then(|| StatementDigest { counts, ..now.clone() })
    };
    let mut all: Vec<StatementDigest> = after.iter().filter_map(grown).collect();
    all.sort_by_key(|digest| std::cmp::Reverse(digest.counts.total_ns));
    (all, lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(all: &[(&str, u64, u64)]) -> DigestSnapshot {
        let one = |(text, count, total_ns): &(&str, u64, u64)| {
            let counts = DigestCounts { count: *count, total_ns: *total_ns, ..DigestCounts::default() };
            ((*text).to_owned(), StatementDigest { text: (*text).to_owned(), counts, ..StatementDigest::default() })
        };
        all.iter().map(one).collect()
    }

    fn lines(of: &(Vec<StatementDigest>, bool)) -> (Vec<String>, bool) {
        (of.0.iter().map(|d| format!("{} {} {}", d.text, d.counts.count, d.counts.total_ns)).collect(), of.1)
    }

    #[test]
    fn only_what_was_executed_meanwhile_counts() {
        let before = snapshot(&[("a", 10, 100), ("b", 1, 5), ("c", 7, 70)]);
        let after = snapshot(&[("a", 12, 130), ("b", 1, 5), ("c", 8, 170), ("d", 1, 50)]);
        let expected = ["c 1 100", "d 1 50", "a 2 30"].map(str::to_owned).to_vec();
        assert_eq!(lines(&between(&before, &after)), (expected, false));
        assert_eq!(lines(&between(&after, &after)), (Vec::new(), false));
    }

    #[test]
    fn counters_that_were_reset_are_noticed() {
        let before = snapshot(&[("a", 10, 100), ("b", 1, 5)]);
        let smaller = snapshot(&[("a", 2, 20), ("b", 1, 5)]);
        assert_eq!(lines(&between(&before, &smaller)), (vec!["a 2 20".to_owned()], true));
        let never_executed = snapshot(&[("a", 10, 100), ("b", 1, 5), ("c", 0, 0)]);
        assert_eq!(lines(&between(&never_executed, &before)), (Vec::new(), false));
        let gone = snapshot(&[("a", 10, 100)]);
        assert_eq!(lines(&between(&before, &gone)), (Vec::new(), true));
    }
}
