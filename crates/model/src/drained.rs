//! What ended after the measured window, where transactions in progress at its end were waited for (`drain`): they began in the window, so that their
//! times are measured, but throughput is made of what ended in it (doc/decision/0033).

use crate::histogram::Histogram;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};

/// When the window ended, and what was counted afterwards; its histograms are empty.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Drained {
    /// The end of the window, nanoseconds since the run's start; `None` if no interval followed it.
    pub window_end_ns: Option<u64>,
    /// What was counted in these intervals: a part of the counts of the trial.
    pub tally: Tally,
}

impl Drained {
    /// Adds an interval that begins at `from_ns`.
    pub fn take(&mut self, from_ns: u64, tally: &Tally) {
        self.window_end_ns.get_or_insert(from_ns);
        let mut counts = tally.clone();
        counts.histograms().for_each(|histogram| *histogram = Histogram::default());
        self.tally.merge(&counts);
    }

    /// The same of one group of clients.
    pub fn of_group(&self, name: &str) -> Drained {
        Drained { tally: self.tally.of_group(name), ..*self }
    }

    /// Whether there is nothing.
    pub fn is_none(&self) -> bool {
        self.window_end_ns.is_none()
    }
}
