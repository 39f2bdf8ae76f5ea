//! What became of the intended starts of a period, and which instant of a transaction decides to which period it belongs.

use crate::omit;
use serde::{Deserialize, Serialize};

/// What became of every intended start. `begun_before + scheduled = completed + failed + skipped + open`, always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounting {
    /// In progress when the measured window began, of those that count where they end ([`CountedBy::End`]); in its first interval.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub begun_before: u64,
    /// Intended starts that fell due.
    pub scheduled: u64,
    /// Ended successfully.
    pub completed: u64,
    /// Ended with an error after all retries.
    pub failed: u64,
    /// Never started, because of the overload policy.
    pub skipped: u64,
    /// Due or in progress, not ended: the net change over the period, so that periods can be added. Summed from the
    /// start of a phase it is the number open at its end.
    pub open: i64,
    /// Completed in the measured window of those that had fallen due before it, where the start decides ([`CountedBy::Start`]): in none
    /// of the other counts, but a part of the throughput.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub carried: u64,
    /// The same of those that failed.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub carried_failed: u64,
}

/// Which instant of a transaction decides in which phase, and so whether in the measured window, it is counted
/// (doc/decision/0033).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedBy {
    /// Its end, whenever it began: of a closed loop.
    End,
    /// Its intended start: of a rate, of a fixed number of transactions, and where those in progress at the end are waited for.
    Start,
}

/// Adds without panic, because the counts may come from a damaged log.
pub(crate) fn add(to: &mut u64, more: u64) {
    *to = to.saturating_add(more);
}

impl Accounting {
    /// Whether the identity holds.
    pub fn balances(&self) -> bool {
        i128::from(self.begun_before) + i128::from(self.scheduled)
            == i128::from(self.completed) + i128::from(self.failed) + i128::from(self.skipped) + i128::from(self.open)
    }

    /// All that completed in the period, also those that had fallen due before the measured window.
    pub fn all_completed(&self) -> u64 {
        self.completed.saturating_add(self.carried)
    }

    /// All that failed in it, likewise.
    pub fn all_failed(&self) -> u64 {
        self.failed.saturating_add(self.carried_failed)
    }

    /// How many starts did not take place in time, with this many clients: they were skipped, or still waited for a client at the end, when
    /// each of the clients had one in progress. Whether those that took place were completed or failed is another question.
    pub fn not_begun(&self, clients: u32) -> u64 {
        let waiting = u64::try_from(self.open).unwrap_or(0).saturating_sub(u64::from(clients));
        self.skipped.saturating_add(waiting)
    }

    /// The share of its starts that took place in time.
    pub fn share_begun(&self, clients: u32) -> f64 {
        1.0 - self.not_begun(clients) as f64 / self.scheduled.max(1) as f64
    }

    /// Adds another period.
    pub fn merge(&mut self, other: &Accounting) {
        let Accounting { begun_before, scheduled, completed, failed, skipped, open, carried, carried_failed } = other;
        add(&mut self.begun_before, *begun_before);
        add(&mut self.carried, *carried);
        add(&mut self.carried_failed, *carried_failed);
        add(&mut self.scheduled, *scheduled);
        add(&mut self.completed, *completed);
        add(&mut self.failed, *failed);
        add(&mut self.skipped, *skipped);
        self.open = self.open.saturating_add(*open);
    }
}
