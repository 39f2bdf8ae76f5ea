//! Periods in which no transaction completed although some were in progress: a server that hangs, a client that was
//! stopped. In the closed loop they hardly affect percentiles, because each affects only as many transactions as there
//! are clients.

use crate::completions::Completions;
use crate::tally::TransactionTally;
use serde::{Deserialize, Serialize};

/// Shorter periods are ignored: servers flush and checkpoint for some hundred milliseconds …
const LEAST_NS: u64 = 1_000_000_000;

/// … but in a short window not if they are more than this part of it …
const PART: u64 = 10;

/// … unless they are shorter than a busy machine keeps a program waiting.
const LEAST_OF_ALL_NS: u64 = 500_000_000;

/// The shortest period that is not ignored in a window of this length.
pub fn least_ns(window_ns: u64) -> u64 {
    (window_ns / PART).clamp(LEAST_OF_ALL_NS, LEAST_NS)
}

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
    /// Lengths of ended periods, of all that are not ignored in any window.
    ended_ns: Vec<u64>,
    /// The longest of all ended periods.
    longest_ns: u64,
}

impl Stretches {
    /// Adds the next interval. If a log does not contain completion times, transactions are assumed to fill it. What of a period lies after
    /// `due_to_ns` does not count: clients that have nothing more to do complete nothing.
    pub fn take(
        &mut self,
        (from_ns, to_ns): (u64, u64),
        due_to_ns: u64,
        completed: u64,
        completions: Option<Completions>,
    ) {
        let since_ns = *self.since_ns.get_or_insert(from_ns);
        self.to_ns = to_ns;
        let filled = Completions { first_ns: from_ns, last_ns: to_ns, gap_ns: 0 };
        let Some(c) = completions.or((completed > 0).then_some(filled)) else { return };
        let gap_ns = if from_ns < due_to_ns { c.gap_ns } else { 0 };
        let lengths = [c.first_ns.min(due_to_ns).saturating_sub(since_ns), gap_ns];
        self.longest_ns = lengths.into_iter().fold(self.longest_ns, u64::max);
        self.ended_ns.extend(lengths.into_iter().filter(|ns| *ns >= LEAST_OF_ALL_NS));
        self.since_ns = Some(c.last_ns);
    }

    /// The longest period that ended, however short; of those within an interval only if its log has it.
    pub fn longest_ns(&self) -> u64 {
        self.longest_ns
    }

    /// The period that lasted until the end of the window.
    pub fn last_ns(&self) -> u64 {
        self.since_ns.map_or(0, |since| self.to_ns.saturating_sub(since))
    }

    /// The standstills among them, in a window of this length. `all` are the transactions that ended; `under_way_ns` is how long the
    /// oldest one had been in progress at the end.
    pub fn standstill(&self, all: &TransactionTally, under_way_ns: u64, window_ns: u64) -> Option<Standstill> {
        let TransactionTally { response, service, failed_service, .. } = all;
        let least_ns = least_ns(window_ns).max(service.quantile_ns(0.5).saturating_mul(BEYOND_USUAL));
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
            all.take((n as u64 * S, (n as u64 + 1) * S), u64::MAX, u64::from(c.is_some()), completions);
        }
        all
    }

    fn told(of: &Stretches, answered: &TransactionTally, under_way_ns: u64) -> Option<(f64, f64, usize)> {
        told_in(10 * S, of, answered, under_way_ns)
    }

    fn told_in(
        window_ns: u64,
        of: &Stretches,
        answered: &TransactionTally,
        under_way_ns: u64,
    ) -> Option<(f64, f64, usize)> {
        let s = of.standstill(answered, under_way_ns, window_ns)?;
        Some((s.longest_ns as f64 / 1e9, s.total_ns as f64 / 1e9, s.count))
    }

    #[test]
    fn a_frozen_server_is_seen_over_intervals_and_in_the_middle_of_one() {
        let frozen = seconds(&[Some((0.1, 0.5, 0.0)), None, None, Some((3.25, 3.9, 0.0))]);
        let answered = times(&[(S / 1000, 5000), (3 * S, 2)]);
        assert_eq!(told(&frozen, &answered, 0), Some((2.75, 2.75, 1)));
        let mut within = Stretches::default();
        let completions = Completions { first_ns: 1, last_ns: 10 * S, gap_ns: 4 * S };
        within.take((0, 10 * S), u64::MAX, 9, Some(completions));
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
    fn a_large_part_of_a_short_window_is_not_ignored() {
        let frozen = seconds(&[Some((0.1, 0.4, 0.0)), Some((1.3, 1.99, 0.0))]);
        let answered = times(&[(S / 1000, 5000), (S, 4)]);
        assert_eq!(told_in(2 * S, &frozen, &answered, 0), Some((0.9, 0.9, 1)));
        assert_eq!(told_in(10 * S, &frozen, &answered, 0), None);
        let hung = seconds(&[Some((0.1, 0.9, 0.0)), Some((1.0, 1.2, 0.0))]);
        assert_eq!(told_in(2 * S, &hung, &answered, S), Some((0.8, 0.8, 1)), "at its end");
    }

    #[test]
    fn a_last_transaction_that_is_waited_for_is_none() {
        let answered = times(&[(S / 100, 500), (5 * S, 1)]);
        let mut rest = seconds(&[Some((0.1, 0.99, 0.0))]);
        let last = Completions { first_ns: 5 * S, last_ns: 5 * S, gap_ns: 0 };
        rest.take((S, 6 * S), S, 1, Some(last));
        assert_eq!(told(&rest, &answered, 0), None, "no start falls due after the first second");
        let mut still = seconds(&[Some((0.1, 0.99, 0.0))]);
        still.take((S, 6 * S), u64::MAX, 1, Some(last));
        assert_eq!(told(&still, &answered, 0), Some((4.01, 4.01, 1)));
    }

    #[test]
    fn rests_and_slow_transactions_are_none() {
        let rests = seconds(&[Some((0.1, 0.1, 0.0)), None, None, Some((3.9, 3.9, 0.0))]);
        assert_eq!(told(&rests, &times(&[(S / 100, 50)]), 0), None, "no client waited that long");
        let slow = seconds(&[None, None, Some((2.5, 2.5, 0.0)), None, None]);
        assert_eq!(told(&slow, &times(&[(5 * S / 2, 1)]), 9 * S), None, "each takes that long");
        let recurrent: Vec<_> =
            (0..12).map(|n| (n % 2 == 1).then(|| (f64::from(n) + 0.9, f64::from(n) + 0.9, 0.0))).collect();
        assert_eq!(told(&seconds(&recurrent), &times(&[(S / 100, 50), (2 * S, 6)]), 0), None, "every eighth is slow");
    }

    #[test]
    fn logs_without_times_are_read_by_their_intervals() {
        let mut old = Stretches::default();
        for (n, completed) in [900, 0, 0, 800, 700].into_iter().enumerate() {
            old.take((n as u64 * S, (n as u64 + 1) * S), u64::MAX, completed, None);
        }
        assert_eq!(told(&old, &times(&[(S / 1000, 2400), (3 * S, 2)]), 0), Some((2.0, 2.0, 1)));
    }
}
