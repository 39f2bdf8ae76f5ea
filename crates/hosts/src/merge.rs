//! The intervals of all load hosts, merged by adding: tallies and histograms as they are, and never percentiles.
//!
//! The grid of intervals is the same everywhere, because it begins with the common start. An interval is complete when every host has
//! reported it, has reported a later one, or has come to its end. The clients of a host that came to its end before the others are counted
//! until the end of all: they have done what there was to do, and are not lost.

use crate::protocol::PartInterval;
use std::collections::BTreeMap;
use tenbin_model::event::Completions;
use tenbin_model::idle::{self, Period};

/// Merges the intervals of one drive.
#[derive(Debug)]
pub struct IntervalMerge {
    hosts: Vec<Progress>,
    /// By host, the start of the last interval that it reported, and its clients then.
    last: Vec<(u64, u32)>,
    /// By start; which host reported what.
    waiting: BTreeMap<u64, Vec<PartInterval>>,
    /// Everything before has been merged.
    done_ns: u64,
    late: u64,
}

/// How far a host has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Until(u64),
    /// It was given up.
    Ended,
    /// It came to its end.
    Finished,
}

impl IntervalMerge {
    /// Of this many hosts.
    pub fn new(hosts: usize) -> IntervalMerge {
        IntervalMerge {
            hosts: vec![Progress::Until(0); hosts],
            last: vec![(0, 0); hosts],
            waiting: BTreeMap::new(),
            done_ns: 0,
            late: 0,
        }
    }

    /// Takes what a host reported. `false`: the host had been given up, or the interval has been merged already; it is
    /// counted as late, and is no part of the result.
    pub fn add(&mut self, host: usize, part: PartInterval) -> bool {
        let Some(Progress::Until(reached_ns)) = self.hosts.get_mut(host) else {
            self.late += 1;
            return false;
        };
        if part.from_ns < self.done_ns || part.from_ns < *reached_ns {
            self.late += 1;
            return false;
        }
        *reached_ns = part.to_ns;
        if let Some(last) = self.last.get_mut(host) {
            *last = (part.from_ns, part.clients);
        }
        self.waiting.entry(part.from_ns).or_default().push(part);
        true
    }

    /// Nothing more is expected of a host, whose clients are no longer there unless it had come to its end.
    pub fn end(&mut self, host: usize) {
        self.stop(host, Progress::Ended);
    }

    /// A host has come to its end, and has reported all that it counted.
    pub fn finish(&mut self, host: usize) {
        self.stop(host, Progress::Finished);
    }

    fn stop(&mut self, host: usize, how: Progress) {
        let at_work = self.hosts.get_mut(host).filter(|progress| matches!(progress, Progress::Until(_)));
        if let Some(progress) = at_work {
            *progress = how;
        }
    }

    /// The clients of hosts that came to their end before an interval that begins at `from_ns`.
    fn finished_before(&self, from_ns: u64) -> u32 {
        let hosts = self.hosts.iter().zip(&self.last);
        let finished = hosts.filter(|(progress, (at_ns, _))| **progress == Progress::Finished && *at_ns < from_ns);
        finished.fold(0, |sum, (_, (_, clients))| sum.saturating_add(*clients))
    }

    /// The number of reports that came too late.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// The next interval that is complete.
    pub fn complete(&mut self) -> Option<PartInterval> {
        let first = self.waiting.first_entry()?;
        let from_ns = *first.key();
        let behind = |progress: &Progress| matches!(progress, Progress::Until(reached_ns) if *reached_ns <= from_ns);
        if self.hosts.iter().any(behind) {
            return None;
        }
        let parts = first.remove();
        let mut merged = merged(&parts)?;
        merged.clients = merged.clients.saturating_add(self.finished_before(from_ns));
        self.done_ns = merged.from_ns + 1;
        Some(merged)
    }
}

/// What several hosts counted in the same interval; `None` if there are none.
pub fn merged(parts: &[PartInterval]) -> Option<PartInterval> {
    let (first, rest) = parts.split_first()?;
    let mut tally = first.tally.clone();
    rest.iter().for_each(|part| tally.merge(&part.tally));
    let (completions, idle) = completions(parts).unzip();
    let idle = idle.unwrap_or_default();
    Some(PartInterval {
        phase: first.phase,
        from_ns: first.from_ns,
        to_ns: parts.iter().map(|part| part.to_ns).max()?,
        clients: parts.iter().fold(0, |sum, part| sum.saturating_add(part.clients)),
        tally,
        completions,
        idle,
    })
}

/// When transactions completed on any of the hosts, and the periods between them in which none did.
fn completions(parts: &[PartInterval]) -> Option<(Completions, Vec<Period>)> {
    let known: Vec<(Completions, &PartInterval)> =
        parts.iter().filter_map(|part| Some((part.completions?, part))).collect();
    let first_ns = known.iter().map(|(c, _)| c.first_ns).min()?;
    let last_ns = known.iter().map(|(c, _)| c.last_ns).max()?;
    // Nothing completed on a host before its first completion, after its last, or in between where it says so.
    let lists: Vec<Vec<Period>> =
        known.iter().map(|(c, part)| [&[(0, c.first_ns)], &*part.idle, &[(c.last_ns, u64::MAX)]].concat()).collect();
    let idle = idle::common((first_ns, last_ns), lists.iter().map(Vec::as_slice));
    Some((Completions { first_ns, last_ns, gap_ns: idle::longest_ns(&idle) }, idle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tenbin_model::event::Phase;
    use tenbin_model::idle::LEAST_NS;
    use tenbin_model::tally::{Tally, TransactionTally};

    const S: u64 = 1_000_000_000;

    /// What a host reports that completed transactions at these times.
    fn part(from_ns: u64, to_ns: u64, completed: &[u64]) -> PartInterval {
        let mut tally = Tally::default();
        let mut t = TransactionTally::default();
        for at in completed {
            t.completed += 1;
            t.response.record(at % 1_000_000 + 1);
        }
        tally.accounting.scheduled = completed.len() as u64;
        tally.accounting.completed = completed.len() as u64;
        if !completed.is_empty() {
            tally.transactions.insert("t".into(), t);
        }
        let idle: Vec<Period> =
            completed.windows(2).map(|w| (w[0], w[1])).filter(|(from, to)| to - from >= LEAST_NS).collect();
        let completions = completed.first().zip(completed.last()).map(|(&first_ns, &last_ns)| Completions {
            first_ns,
            last_ns,
            gap_ns: idle::longest_ns(&idle),
        });
        PartInterval { phase: Phase::Measure, from_ns, to_ns, clients: 3, tally, completions, idle }
    }

    #[test]
    fn an_interval_waits_for_all_hosts() {
        let mut merge = IntervalMerge::new(3);
        assert!(merge.add(0, part(0, S, &[1])) && merge.add(1, part(0, S, &[2])));
        assert_eq!(merge.complete(), None);
        assert!(merge.add(0, part(S, 2 * S, &[S + 1])));
        assert_eq!(merge.complete(), None, "the third host may have counted something");
        merge.add(2, part(0, S, &[3]));
        let first = merge.complete().expect("complete");
        assert_eq!((first.from_ns, first.clients, first.tally.accounting.completed), (0, 9, 3));
        assert_eq!(merge.complete(), None);
        merge.end(2);
        merge.end(1);
        assert_eq!(merge.complete().expect("complete").clients, 3, "of the host that goes on");
        assert!(!merge.add(2, part(S, 2 * S, &[S + 5])), "a host that was given up comes back");
        assert!(!merge.add(0, part(S, 2 * S, &[S + 5])), "the same interval again");
        assert_eq!((merge.late(), merge.complete()), (2, None));
    }

    #[test]
    fn clients_of_a_host_that_has_done_its_part_are_not_lost() {
        let mut merge = IntervalMerge::new(3);
        (0..3).for_each(|host| assert!(merge.add(host, part(0, S, &[1]))));
        merge.finish(0);
        assert_eq!(merge.complete().expect("complete").clients, 9);
        assert!(merge.add(1, part(S, 2 * S, &[S + 1])) && merge.add(2, part(S, 2 * S, &[S + 1])));
        assert_eq!(merge.complete().expect("complete").clients, 9);
        merge.end(1);
        assert!(merge.add(2, part(2 * S, 3 * S, &[2 * S + 1])));
        assert_eq!(merge.complete().expect("complete").clients, 6, "the second was given up");
        // Whether it is still there makes no difference any more.
        merge.end(0);
        assert!(merge.add(2, part(3 * S, 4 * S, &[3 * S + 1])));
        assert_eq!(merge.complete().expect("complete").clients, 6);
    }

    proptest! {
        /// Whatever the order in which reports arrive, and wherever transactions completed: merged intervals are those of one
        /// host that did everything, with the same periods without completions.
        #[test]
        fn hosts_together_are_one(
            hosts in prop::collection::vec(prop::collection::vec(0_u64..5 * S, 0..30), 1..6),
            order in prop::collection::vec(0_usize..6, 0..60),
        ) {
            let within = |all: &[u64], interval: u64| -> Vec<u64> {
                let mut these: Vec<u64> = all.iter().copied().filter(|at| at / S == interval).collect();
                these.sort_unstable();
                these
            };
            let mut merge = IntervalMerge::new(hosts.len());
            let mut sent = vec![0_u64; hosts.len()];
            let mut intervals = Vec::new();
            let everyone = (0..5).flat_map(|_| 0..hosts.len());
            for host in order.into_iter().map(|host| host % hosts.len()).chain(everyone) {
                let interval = sent[host];
                if interval == 5 { continue }
                sent[host] += 1;
                prop_assert!(merge.add(host, part(interval * S, (interval + 1) * S, &within(&hosts[host], interval))));
                intervals.extend(std::iter::from_fn(|| merge.complete()));
            }
            let all: Vec<u64> = hosts.concat();
            let one: Vec<PartInterval> = (0..5)
                .map(|i| PartInterval { clients: 3 * hosts.len() as u32, ..merged(&[part(i * S, (i + 1) * S, &within(&all, i))]).expect("one") })
                .collect();
            prop_assert_eq!(intervals.len(), 5);
            for (merged, one) in intervals.iter().zip(&one) {
                prop_assert_eq!(&merged.tally, &one.tally);
                prop_assert_eq!(merged, one);
            }
            prop_assert_eq!(merge.late(), 0);
        }

        /// Hosts are given up at any time, report twice, late, or never: what is accepted is merged exactly once, in the order of
        /// intervals, and what is not is counted.
        #[test]
        fn what_is_accepted_is_merged_once(
            hosts in 1_usize..8,
            steps in prop::collection::vec((0_usize..8, 0_u64..6, 0_u8..10), 0..120),
        ) {
            let mut merge = IntervalMerge::new(hosts);
            let (mut accepted, mut refused, mut intervals) = (Tally::default(), 0, Vec::new());
            for (host, interval, what) in steps {
                let host = host % hosts;
                if what == 0 {
                    merge.end(host);
                    continue;
                }
                let from_ns = interval * S;
                let part = part(from_ns, from_ns + S, &[from_ns + 1, from_ns + u64::from(what) * 1_000_000]);
                let tally = part.tally.clone();
                if merge.add(host, part) { accepted.merge(&tally) } else { refused += 1 }
                intervals.extend(std::iter::from_fn(|| merge.complete()));
            }
            (0..hosts).for_each(|host| merge.end(host));
            intervals.extend(std::iter::from_fn(|| merge.complete()));
            let mut together = Tally::default();
            intervals.iter().for_each(|merged| together.merge(&merged.tally));
            prop_assert_eq!(&together, &accepted);
            prop_assert!(together.accounting.balances());
            prop_assert_eq!(merge.late(), refused);
            prop_assert!(intervals.windows(2).all(|pair| pair[0].from_ns < pair[1].from_ns));
        }
    }
}
