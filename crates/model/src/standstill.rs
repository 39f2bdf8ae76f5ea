//! Periods in which no transaction completed although some were in progress: a server that hangs, a client that was
//! stopped. In the closed loop they hardly affect percentiles, because each affects only as many transactions as there
//! are clients.

use crate::completions::Completions;
use crate::tally::TransactionTally;
use serde::{Deserialize, Serialize};

/// Shorter periods are ignored: servers flush and checkpoint for some hundred milliseconds.
pub const LEAST_NS: u64 = 1_000_000_000;

/// A period counts if it is this many times as long as the median transaction: the gaps between
/// completions of slow transactions do not count.
const BEYOND_USUAL: u64 = 5;

/// With this many periods and this share of slow transactions, they are the workload's own slow
/// transactions, which are visible in the percentiles, and not standstills.
const RECURRENT: (usize, f64) = (5, 0.01);

/// The standstills in a trial's measured window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standstill {
    /// The longest, nanoseconds.
    pub longest_ns: u64,
    /// All together.
    pub total_ns: u64,
    /// How many.
    pub count: usize,
}

/// Periods between completions, folded from the intervals of a measured window in their order.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Stretches {
    /// The last completion, or the window's start.
    since_ns: Option<u64>,
    /// The end of the window so far.
    to_ns: u64,
    /// Lengths of ended periods of at least [`LEAST_NS`].
    ended_ns: Vec<u64>,
}

impl Stretches {
    /// Adds the next interval. If a log does not contain completion times, transactions are assumed to fill it.
    pub fn take(&mut self, from_ns: u64, to_ns: u64, completed: u64, completions: Option<Completions>) {
        let since_ns = *self.since_ns.get_or_insert(from_ns);
        self.to_ns = to_ns;
        let filled = Completions { first_ns: from_ns, last_ns: to_ns, gap_ns: 0 };
        let Some(c) = completions.or((completed > 0).then_some(filled)) else { return };
        let lengths = [c.first_ns.saturating_sub(since_ns), c.gap_ns];
        self.ended_ns.extend(lengths.into_iter().filter(|ns| *ns >= LEAST_NS));
        self.since_ns = Some(c.last_ns);
    }

    /// The period that lasted until the end of the window.
    pub fn last_ns(&self) -> u64 {
        self.since_ns.map_or(0, |since| self.to_ns.saturating_sub(since))
    }

    /// The standstills among them. `all` are the transactions that ended; `under_way_ns` is how long the oldest one had
    /// been in progress at the end.
    pub fn standstill(&self, all: &TransactionTally, under_way_ns: u64) -> Option<Standstill> {
        let TransactionTally { response, service, failed_service, .. } = all;
        let least_ns = LEAST_NS.max(service.quantile_ns(0.5).saturating_mul(BEYOND_USUAL));
        // No transaction waited longer than the longest response time: the rest of a period was idle.
        let longest_answer_ns = response.max_ns().max(failed_service.max_ns());
        let waited = self.ended_ns.iter().map(|ns| (*ns).min(longest_answer_ns));
        let each: Vec<u64> = waited.chain([self.last_ns().min(under_way_ns)]).filter(|ns| *ns >= least_ns).collect();
        let longest_ns = *each.iter().max()?;
        let slow: u64 = service.buckets().filter(|(ns, _)| *ns >= longest_ns / 2).map(|(_, n)| n).sum();
        let recurrent = each.len() >= RECURRENT.0 && slow as f64 >= RECURRENT.1 * service.count() as f64;
        (!recurrent).then_some(Standstill {
            longest_ns,
            total_ns: each.iter().fold(0, |sum: u64, ns| sum.saturating_add(*ns)),
            count: each.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    fn times(each: &[(u64, u64)]) -> TransactionTally {
        let mut all = TransactionTally::default();
        for (ns, n) in each {
            all.response.record_n(*ns, *n);
            all.service.record_n(*ns, *n);
        }
        all
    }

    fn seconds(each: &[Option<(f64, f64, f64)>]) -> Stretches {
        let mut all = Stretches::default();
        for (n, c) in each.iter().enumerate() {
            let ns = |s: f64| (s * 1e9) as u64;
            let completions =
                c.map(|(first, last, gap)| Completions { first_ns: ns(first), last_ns: ns(last), gap_ns: ns(gap) });
            all.take(n as u64 * S, (n as u64 + 1) * S, u64::from(c.is_some()), completions);
        }
        all
    }

    fn told(of: &Stretches, answered: &TransactionTally, under_way_ns: u64) -> Option<(f64, f64, usize)> {
        let s = of.standstill(answered, under_way_ns)?;
        Some((s.longest_ns as f64 / 1e9, s.total_ns as f64 / 1e9, s.count))
    }

    #[test]
    fn a_frozen_server_is_seen_over_intervals_and_in_the_middle_of_one() {
        let frozen = seconds(&[Some((0.1, 0.5, 0.0)), None, None, Some((3.25, 3.9, 0.0))]);
        let answered = times(&[(S / 1000, 5000), (3 * S, 2)]);
        assert_eq!(told(&frozen, &answered, 0), Some((2.75, 2.75, 1)));
        let mut within = Stretches::default();
        within.take(0, 10 * S, 9, Some(Completions { first_ns: 1, last_ns: 10 * S, gap_ns: 4 * S }));
        assert_eq!(told(&within, &times(&[(S / 1000, 5000), (5 * S, 2)]), 0), Some((4.0, 4.0, 1)));
    }

    #[test]
    fn one_that_hangs_to_the_end_counts_as_long_as_something_was_under_way() {
        let hung = seconds(&[Some((0.1, 0.5, 0.0)), None, None]);
        let answered = times(&[(S / 1000, 5000)]);
        assert_eq!(hung.last_ns(), 2_500_000_000);
        assert_eq!(told(&hung, &answered, 9 * S), Some((2.5, 2.5, 1)));
        assert_eq!(told(&hung, &answered, S / 1000), None, "there was nothing to do until just now");
    }

    #[test]
    fn rests_and_slow_transactions_are_none() {
        let rests = seconds(&[Some((0.1, 0.1, 0.0)), None, None, Some((3.9, 3.9, 0.0))]);
        assert_eq!(told(&rests, &times(&[(S / 100, 50)]), 0), None, "no client waited that long");
        let slow = seconds(&[None, None, Some((2.5, 2.5, 0.0)), None, None]);
        assert_eq!(told(&slow, &times(&[(5 * S / 2, 1)]), 9 * S), None, "each takes so long");
        let recurrent: Vec<_> =
            (0..12).map(|n| (n % 2 == 1).then(|| (f64::from(n) + 0.9, f64::from(n) + 0.9, 0.0))).collect();
        assert_eq!(told(&seconds(&recurrent), &times(&[(S / 100, 50), (2 * S, 6)]), 0), None, "every eighth is slow");
    }

    #[test]
    fn logs_without_times_are_read_by_their_intervals() {
        let mut old = Stretches::default();
        for (n, completed) in [900, 0, 0, 800, 700].into_iter().enumerate() {
            old.take(n as u64 * S, (n as u64 + 1) * S, completed, None);
        }
        assert_eq!(told(&old, &times(&[(S / 1000, 2400), (3 * S, 2)]), 0), Some((2.0, 2.0, 1)));
    }
}
