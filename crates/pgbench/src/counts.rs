//! What a client counts: as pgbench does it, in microseconds and sums, so that its report has the same figures.

/// Count, extremes and sums of values.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SimpleStats {
    /// How many.
    pub count: u64,
    /// The least; 0 if there are none.
    pub min: f64,
    /// The greatest; 0 if there are none.
    pub max: f64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub sum_of_squares: f64,
}

impl SimpleStats {
    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        if self.count == 0 || value < self.min {
            self.min = value;
        }
        if self.count == 0 || value > self.max {
            self.max = value;
        }
        self.count += 1;
        self.sum += value;
        self.sum_of_squares += value * value;
    }

    /// Adds other values.
    pub fn merge(&mut self, other: &SimpleStats) {
        let SimpleStats { count, min, max, sum, sum_of_squares } = *other;
        if self.count == 0 || count > 0 && min < self.min {
            self.min = min;
        }
        if self.count == 0 || count > 0 && max > self.max {
            self.max = max;
        }
        self.count += count;
        self.sum += sum;
        self.sum_of_squares += sum_of_squares;
    }

    /// Mean; not a number if there are no values.
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    /// Standard deviation of the values themselves.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        (self.sum_of_squares / self.count as f64 - mean * mean).max(0.0).sqrt()
    }
}

/// What became of transactions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stats {
    /// Completed.
    pub completed: u64,
    /// Never started, because they were late.
    pub skipped: u64,
    /// Attempts beyond the first.
    pub retries: u64,
    /// Transactions with such attempts.
    pub retried: u64,
    /// Failed because concurrent transactions cannot be serialized.
    pub serialization_failures: u64,
    /// Failed in a deadlock.
    pub deadlock_failures: u64,
    /// Failures of other kinds after which the client went on.
    pub other_failures: u64,
    /// From the intended start, of completed ones; microseconds.
    pub latency: SimpleStats,
    /// From the intended to the actual start.
    pub lag: SimpleStats,
}

impl Stats {
    /// Failed, of all kinds.
    pub fn failures(&self) -> u64 {
        self.serialization_failures + self.deadlock_failures + self.other_failures
    }

    /// Completed, skipped and failed.
    pub fn all(&self) -> u64 {
        self.completed + self.skipped + self.failures()
    }

    /// Adds those of others.
    pub fn merge(&mut self, other: &Stats) {
        let Stats {
            completed,
            skipped,
            retries,
            retried,
            serialization_failures,
            deadlock_failures,
            other_failures,
            latency,
            lag,
        } = other;
        self.completed += completed;
        self.skipped += skipped;
        self.retries += retries;
        self.retried += retried;
        self.serialization_failures += serialization_failures;
        self.deadlock_failures += deadlock_failures;
        self.other_failures += other_failures;
        self.latency.merge(latency);
        self.lag.merge(lag);
    }

    /// Adds a transaction that ended so.
    pub fn add(&mut self, end: &TransactionEnd) {
        if end.tries > 1 {
            self.retries += u64::from(end.tries - 1);
            self.retried += 1;
        }
        match end.outcome {
            Outcome::Skipped => self.skipped += 1,
            Outcome::Serialization => self.serialization_failures += 1,
            Outcome::Deadlock => self.deadlock_failures += 1,
            Outcome::Other => self.other_failures += 1,
            Outcome::Completed => {
                self.completed += 1;
                self.latency.add(end.latency_us as f64);
                self.lag.add(end.lag_us as f64);
            }
        }
    }
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Completed,
    Skipped,
    Serialization,
    Deadlock,
    Other,
}

/// The end of a transaction.
#[derive(Debug, Clone, Copy)]
pub struct TransactionEnd {
    pub outcome: Outcome,
    pub latency_us: i64,
    pub lag_us: i64,
    pub tries: u32,
}

/// What became of a command of a script.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CommandCounts {
    /// Microseconds.
    pub time: SimpleStats,
    /// After which the transaction was tried again.
    pub retries: u64,
    /// After which it was not.
    pub failures: u64,
}

/// All that a client counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClientCounts {
    /// Of all scripts.
    pub all: Stats,
    /// Completed above the latency limit.
    pub late: u64,
    /// Of each script.
    pub scripts: Vec<Stats>,
    /// By script and command.
    pub commands: Vec<Vec<CommandCounts>>,
    /// Time spent connecting, microseconds.
    pub connecting_us: u64,
}

impl ClientCounts {
    /// Of scripts with these numbers of commands.
    pub fn new(commands: &[usize]) -> ClientCounts {
        ClientCounts {
            scripts: vec![Stats::default(); commands.len()],
            commands: commands.iter().map(|n| vec![CommandCounts::default(); *n]).collect(),
            ..ClientCounts::default()
        }
    }

    /// Adds those of another client.
    pub fn merge(&mut self, other: &ClientCounts) {
        let ClientCounts { all, late, scripts, commands, connecting_us } = other;
        self.all.merge(all);
        self.late += late;
        self.connecting_us += connecting_us;
        self.scripts.iter_mut().zip(scripts).for_each(|(mine, other)| mine.merge(other));
        for (mine, other) in self.commands.iter_mut().flatten().zip(commands.iter().flatten()) {
            mine.time.merge(&other.time);
            mine.retries += other.retries;
            mine.failures += other.failures;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_all_values() {
        let (mut whole, mut parts) = (SimpleStats::default(), SimpleStats::default());
        for half in [[3.0, 5.0], [1.0, 7.0]] {
            let mut part = SimpleStats::default();
            half.iter().for_each(|v| {
                part.add(*v);
                whole.add(*v);
            });
            parts.merge(&part);
        }
        parts.merge(&SimpleStats::default());
        assert_eq!(parts, whole);
        assert_eq!((whole.min, whole.max, whole.mean(), whole.deviation()), (1.0, 7.0, 4.0, 5f64.sqrt()));
        assert!(SimpleStats::default().mean().is_nan());
    }

    #[test]
    fn a_transaction_is_counted_once_whatever_it_becomes() {
        let mut stats = Stats::default();
        let end = |outcome, tries| TransactionEnd { outcome, latency_us: 10, lag_us: 2, tries };
        for (outcome, tries) in [
            (Outcome::Completed, 1),
            (Outcome::Completed, 3),
            (Outcome::Skipped, 1),
            (Outcome::Serialization, 2),
            (Outcome::Deadlock, 1),
        ] {
            stats.add(&end(outcome, tries));
        }
        assert_eq!((stats.all(), stats.completed, stats.failures(), stats.skipped), (5, 2, 2, 1));
        assert_eq!((stats.retries, stats.retried, stats.latency.count), (3, 2, 2));
    }
}
