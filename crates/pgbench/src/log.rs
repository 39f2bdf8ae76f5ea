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
        (Outcome::Other, FailureWords::Detailed) => "other".to_owned(),
        (Outcome::Serialization | Outcome::Deadlock | Outcome::Other, FailureWords::Plain) => "failed".to_owned(),
    };
    // Writing to a String cannot fail.
    let _ = write!(out, "{client} {number} {time} {script} {seconds} {us}");
    if columns.lag {
        // That of a transaction that failed is not measured.
        let _ = write!(out, " {}", if end.outcome == Outcome::Completed { end.lag_us } else { 0 });
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
    pub fn until(&mut self, log: &LogSettings, at_us: i64, out: &mut String) {
        let interval_us = log.aggregate_s as i64 * 1_000_000;
        while self.from_us + interval_us <= at_us {
            sums(self.from_us / 1_000_000, &self.stats, log, out);
            *self = Aggregate::new(self.from_us + interval_us);
        }
    }

    pub fn add(&mut self, end: &TransactionEnd) {
        self.stats.add(end);
    }
}

/// Failures are told by their kinds, or not at all.
fn sums(from_s: i64, stats: &Stats, log: &LogSettings, out: &mut String) {
    let four = |of: &SimpleStats| format!("{:.0} {:.0} {:.0} {:.0}", of.sum, of.sum_of_squares, of.min, of.max);
    let Stats { completed, skipped, retried, retries, .. } = stats;
    let (serialization, deadlock, other) = match log.words {
        FailureWords::Detailed => (stats.serialization_failures, stats.deadlock_failures, stats.other_failures),
        FailureWords::Plain => (0, 0, 0),
    };
    let _ = write!(
        out,
        "{from_s} {completed} {} {} {skipped} {retried} {retries} {serialization} {deadlock}",
        four(&stats.latency),
        four(&stats.lag)
    );
    if log.other_failures {
        let _ = write!(out, " {other}");
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(aggregate_s: u64, words: FailureWords) -> LogSettings {
        LogSettings { sampling: 0.0, aggregate_s, words, other_failures: false }
    }

    fn end(outcome: Outcome) -> TransactionEnd {
        TransactionEnd { outcome, latency_us: 2342, lag_us: 7, tries: 2 }
    }

    #[test]
    fn lines_have_pgbenchs_columns() {
        let of = |outcome, words, lag, retries| {
            let mut out = String::new();
            let logged = Logged { client: 0, number: 1, script: 2, at_us: 1_795_719_649_062_963, end: end(outcome) };
            let log = settings(0, words);
            line(&log, Columns { lag, retries }, &logged, &mut out);
            out
        };
        use FailureWords::{Detailed, Plain};
        assert_eq!(of(Outcome::Completed, Plain, false, false), "0 1 2342 2 1795719649 62963\n");
        assert_eq!(of(Outcome::Completed, Plain, true, true), "0 1 2342 2 1795719649 62963 7 1\n");
        assert_eq!(of(Outcome::Skipped, Plain, true, false), "0 1 skipped 2 1795719649 62963 0\n");
        assert_eq!(of(Outcome::Deadlock, Plain, true, true), "0 1 failed 2 1795719649 62963 0 1\n");
        assert_eq!(of(Outcome::Other, Plain, false, false), "0 1 failed 2 1795719649 62963\n");
        assert_eq!(of(Outcome::Other, Detailed, false, false), "0 1 other 2 1795719649 62963\n");
        assert_eq!(of(Outcome::Deadlock, Plain, false, false), "0 1 failed 2 1795719649 62963\n");
        assert_eq!(of(Outcome::Serialization, Detailed, false, false), "0 1 serialization 2 1795719649 62963\n");
    }

    #[test]
    fn intervals_without_transactions_have_lines_too() {
        let (mut sums, mut out) = (Aggregate::new(5_700_000), String::new());
        let log = |words| settings(1, words);
        sums.add(&end(Outcome::Completed));
        sums.until(&log(FailureWords::Plain), 5_999_999, &mut out);
        assert_eq!(out, "");
        sums.until(&log(FailureWords::Plain), 7_000_000, &mut out);
        assert_eq!(out, "5 1 2342 5484964 2342 2342 7 49 7 7 0 1 1 0 0\n6 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    }

    /// As of pgbench 15.18: failures are in these lines only if their kinds are asked for.
    #[test]
    fn failures_of_an_interval_are_told_by_their_kinds_or_not_at_all() {
        for (words, columns) in [(FailureWords::Plain, "0 2 2 0 0"), (FailureWords::Detailed, "0 2 2 1 1")] {
            let (mut sums, mut out) = (Aggregate::new(5_000_000), String::new());
            [Outcome::Serialization, Outcome::Deadlock].into_iter().for_each(|outcome| sums.add(&end(outcome)));
            sums.until(&settings(1, words), 6_000_000, &mut out);
            assert_eq!(out, format!("5 0 0 0 0 0 0 0 0 0 {columns}\n"));
        }
    }

    /// As of the source of version 19.
    #[test]
    fn from_19_on_failures_of_other_kinds_have_a_column() {
        for (words, columns) in [(FailureWords::Plain, "0 0 0"), (FailureWords::Detailed, "1 0 2")] {
            let (mut sums, mut out) = (Aggregate::new(5_000_000), String::new());
            [Outcome::Serialization, Outcome::Other, Outcome::Other]
                .iter()
                .for_each(|outcome| sums.add(&end(*outcome)));
            sums.until(&LogSettings { other_failures: true, ..settings(1, words) }, 6_000_000, &mut out);
            assert_eq!(out, format!("5 0 0 0 0 0 0 0 0 0 0 3 3 {columns}\n"));
        }
    }
}
