//! Lines of `-l`: one for each transaction, or sums over an interval, in pgbench's format. Pure.

use crate::counts::{Outcome, SimpleStats, Stats, TransactionEnd};
use crate::settings::{FailureWords, LogSettings};
use std::fmt::Write;

/// A transaction, as a line needs it.
#[derive(Debug, Clone, Copy)]
pub struct Logged {
    pub client: u32,
    /// Its number among those of the client, from 1.
    pub number: u64,
    pub script: usize,
    /// When it ended, microseconds since the epoch.
    pub at_us: i64,
    pub end: TransactionEnd,
}

/// What columns lines have.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    pub lag: bool,
    pub retries: bool,
}

/// Appends the line of one transaction.
pub fn line(log: &LogSettings, columns: Columns, logged: &Logged, out: &mut String) {
    let Logged { client, number, script, at_us, end } = *logged;
    let (seconds, us) = (at_us / 1_000_000, at_us % 1_000_000);
    let time = match (end.outcome, log.words) {
        (Outcome::Completed, _) => end.latency_us.to_string(),
        (Outcome::Skipped, _) => "skipped".to_owned(),
        (Outcome::Serialization, FailureWords::Detailed) => "serialization".to_owned(),
        (Outcome::Deadlock, FailureWords::Detailed) => "deadlock".to_owned(),
        (_, _) => "failed".to_owned(),
    };
    // Writing to a String cannot fail.
    let _ = write!(out, "{client} {number} {time} {script} {seconds} {us}");
    if columns.lag {
        let _ = write!(out, " {}", end.lag_us);
    }
    if columns.retries {
        let _ = write!(out, " {}", end.tries.saturating_sub(1));
    }
    out.push('\n');
}

/// Sums of one thread over the current interval, which begins with a second of the clock.
#[derive(Debug, Clone, Default)]
pub struct Aggregate {
    /// Microseconds since the epoch.
    from_us: i64,
    stats: Stats,
}

impl Aggregate {
    /// From the second in which `at_us` is.
    pub fn new(at_us: i64) -> Aggregate {
        Aggregate { from_us: at_us - at_us.rem_euclid(1_000_000), stats: Stats::default() }
    }

    /// Appends the lines of the intervals that are over at `at_us`.
    pub fn until(&mut self, interval_s: u64, at_us: i64, out: &mut String) {
        let interval_us = interval_s as i64 * 1_000_000;
        while self.from_us + interval_us <= at_us {
            sums(self.from_us / 1_000_000, &self.stats, out);
            *self = Aggregate::new(self.from_us + interval_us);
        }
    }

    pub fn add(&mut self, end: &TransactionEnd) {
        self.stats.add(end);
    }
}

fn sums(from_s: i64, stats: &Stats, out: &mut String) {
    let four = |of: &SimpleStats| format!("{:.0} {:.0} {:.0} {:.0}", of.sum, of.sum_of_squares, of.min, of.max);
    let Stats { completed, skipped, retried, retries, serialization_failures, deadlock_failures, .. } = stats;
    let _ = writeln!(
        out,
        "{from_s} {completed} {} {} {skipped} {retried} {retries} {serialization_failures} {deadlock_failures}",
        four(&stats.latency),
        four(&stats.lag)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(outcome: Outcome) -> TransactionEnd {
        TransactionEnd { outcome, latency_us: 2342, lag_us: 7, tries: 2 }
    }

    #[test]
    fn lines_have_pgbenchs_columns() {
        let of = |outcome, words, lag, retries| {
            let mut out = String::new();
            let logged = Logged { client: 0, number: 1, script: 2, at_us: 1_795_719_649_062_963, end: end(outcome) };
            let log = LogSettings { sampling: 0.0, aggregate_s: 0, words };
            line(&log, Columns { lag, retries }, &logged, &mut out);
            out
        };
        use FailureWords::{Detailed, Plain};
        assert_eq!(of(Outcome::Completed, Plain, false, false), "0 1 2342 2 1795719649 62963\n");
        assert_eq!(of(Outcome::Completed, Plain, true, true), "0 1 2342 2 1795719649 62963 7 1\n");
        assert_eq!(of(Outcome::Skipped, Plain, true, false), "0 1 skipped 2 1795719649 62963 7\n");
        assert_eq!(of(Outcome::Deadlock, Plain, false, false), "0 1 failed 2 1795719649 62963\n");
        assert_eq!(of(Outcome::Serialization, Detailed, false, false), "0 1 serialization 2 1795719649 62963\n");
    }

    #[test]
    fn intervals_without_transactions_have_lines_too() {
        let (mut sums, mut out) = (Aggregate::new(5_700_000), String::new());
        sums.add(&end(Outcome::Completed));
        sums.until(1, 5_999_999, &mut out);
        assert_eq!(out, "");
        sums.until(1, 7_000_000, &mut out);
        assert_eq!(out, "5 1 2342 5484964 2342 2342 7 49 7 7 0 1 1 0 0\n6 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    }
}
