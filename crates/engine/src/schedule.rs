//! The intended starts of transactions.
//!
//! Closed: as soon as a client is free. Open: at instants that are a pure function of seed and index, shared by all
//! clients. A free client takes the oldest waiting start or else claims the next future one, so that no start waits
//! while a client is free, and no dispatcher is needed. Counts are by intended time, so they are exact however late
//! they are taken.

use crate::part::{ClientNumbers, OwnStarts};
use crate::timeline::{IntervalSlot, Timeline};
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tenbin_client::Random;
use tenbin_model::event::Phase;
use tenbin_model::tally::CountedBy;
use tenbin_model::trial::{self, Arrivals, ClientGroup, Overload};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Permission to start one transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledStart {
    /// The phase of its intended start.
    pub phase: Phase,
    /// The intended start, nanoseconds since the common start; `None`: the actual start.
    pub intended_ns: Option<u64>,
    /// Which instant decides in which phase it is counted.
    pub counted_by: CountedBy,
    /// The place of the client's group among those of the load.
    pub group: u8,
}

impl ScheduledStart {
    /// An index into what is kept for each group.
    #[inline]
    pub fn group(&self) -> usize {
        usize::from(self.group) % ClientGroup::MOST
    }
}

/// What a schedule is made of.
#[derive(Debug, Clone)]
pub struct ScheduleSpec<'a> {
    pub schedule: trial::Schedule,
    /// The clients of this process that share it, by their numbers within the group.
    pub numbers: &'a ClientNumbers,
    /// The clients of all load hosts that do.
    pub clients: u32,
    /// The transactions that end it.
    pub operations: Option<u64>,
    pub counted_by: CountedBy,
    /// The place of the group.
    pub group: u8,
}

/// The schedule of a group of clients, shared by them.
#[derive(Debug)]
pub enum StartSchedule {
    Closed(Closed),
    Open(Box<Mutex<ArrivalQueue>>),
}

/// Above this rate a start takes longer than the gap to the next.
const HIGHEST_RATE: f64 = 10_000_000.0;

/// The random stream of arrivals of the first group, those of others come before it; clients have the streams from 0.
const ARRIVALS_STREAM: u64 = u64::MAX;

impl StartSchedule {
    /// Refuses rates that are not a positive number or too high to keep.
    pub fn new(spec: &ScheduleSpec<'_>, timeline: Timeline, seed: u64) -> Result<StartSchedule, Problem> {
        let ScheduleSpec { schedule, numbers, clients, operations, counted_by, group } = *spec;
        match schedule {
            trial::Schedule::Closed => {
                let operations = operations.map(|all| AtomicU64::new(numbers.share_of(all, clients)));
                Ok(StartSchedule::Closed(Closed { timeline, operations, counted_by, group }))
            }
            trial::Schedule::Open { rate, .. } if !(rate > 0.0 && rate <= HIGHEST_RATE) => {
                Err(Problem::new(msg!("rate-cannot-be-kept", rate))
                    .hint(msg!("give-rate-up-to", highest = HIGHEST_RATE)))
            }
            trial::Schedule::Open { rate, arrivals, overload } => {
                let own = numbers.starts(clients);
                // A queue is shared by all clients, and so are its places.
                let places = |limit| numbers.share_of(limit, clients).max(1);
                let overload = match overload {
                    Overload::Queue { limit } if limit > 0 => Overload::Queue { limit: places(limit) },
                    Overload::Stop { limit } => Overload::Stop { limit: places(limit) },
                    Overload::Queue { .. } | Overload::Skip => overload,
                };
                let mut queue = ArrivalQueue::new(rate, arrivals, overload, operations, timeline, (seed, group));
                queue.counted_by = counted_by;
                Ok(StartSchedule::Open(Box::new(Mutex::new(queue.of(own)))))
            }
        }
    }
}

/// Closed loop: each client starts again when it is free.
#[derive(Debug)]
pub struct Closed {
    timeline: Timeline,
    /// Transactions of the measured phase that may still start.
    operations: Option<AtomicU64>,
    counted_by: CountedBy,
    group: u8,
}

impl Closed {
    /// The next start for a client that is free at `now_ns`; `None` if there are no more.
    #[inline]
    pub fn take(&self, now_ns: u64, end_ns: u64) -> Option<ScheduledStart> {
        if now_ns >= end_ns {
            return None;
        }
        let phase = self.timeline.phase_at(now_ns);
        if let (Some(left), Phase::Measure) = (&self.operations, phase) {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).ok()?;
        }
        Some(ScheduledStart { phase, intended_ns: None, counted_by: self.counted_by, group: self.group })
    }

    /// Why there is no next start.
    pub fn rest(&self) -> Remaining {
        match &self.operations {
            Some(left) if left.load(Ordering::Relaxed) == 0 => Remaining::Done,
            _ => Remaining::Some,
        }
    }
}

/// What is left of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remaining {
    /// Further starts.
    Some,
    /// No start before the planned end.
    NoneBeforeEnd,
    /// All operations have been started.
    Done,
}

/// Open loop: every start that fell due, and what became of it.
#[derive(Debug)]
pub struct ArrivalQueue {
    instants: Instants,
    /// The first instant that is neither claimed nor due.
    next_ns: u64,
    /// Claimed by free clients, not yet due; ascending.
    claimed: VecDeque<u64>,
    /// Due, without a client; ascending.
    waiting: VecDeque<u64>,
    overload: Overload,
    overloaded: bool,
    /// Starts of the measured phase that may still be generated.
    operations: Option<u64>,
    /// No start is intended for this instant or later.
    end_ns: u64,
    /// The latest start that was counted.
    counted_to_ns: u64,
    counts: VecDeque<Count>,
    timeline: Timeline,
    own: OwnStarts,
    counted_by: CountedBy,
    group: u8,
}

/// Starts that fell due in one interval.
#[derive(Debug, Clone, Copy)]
struct Count {
    slot: IntervalSlot,
    scheduled: u64,
    skipped: u64,
}

impl ArrivalQueue {
    pub fn new(
        rate: f64,
        arrivals: Arrivals,
        overload: Overload,
        operations: Option<u64>,
        timeline: Timeline,
        (seed, group): (u64, u8),
    ) -> ArrivalQueue {
        let mut arrivals = ArrivalQueue {
            instants: Instants::new(rate, arrivals, (seed, group)),
            next_ns: 0,
            claimed: VecDeque::new(),
            waiting: VecDeque::new(),
            overload,
            overloaded: false,
            operations,
            end_ns: timeline.end_ns(),
            counted_to_ns: 0,
            counts: VecDeque::new(),
            timeline,
            own: OwnStarts::default(),
            counted_by: CountedBy::Start,
            group,
        };
        arrivals.step();
        arrivals
    }

    /// Those of its starts that fall to this process.
    fn of(mut self, own: OwnStarts) -> ArrivalQueue {
        self.own = own;
        if !self.own.has(0) {
            self.step();
        }
        self
    }

    /// The start for a client that has been free since `free_ns`: a waiting one, or else the next future one, for which
    /// the client then waits. `None` if there are no more.
    pub fn take(&mut self, free_ns: u64) -> Option<ScheduledStart> {
        self.advance(free_ns);
        if free_ns >= self.end_ns {
            return None;
        }
        let intended_ns = match self.waiting.pop_front() {
            Some(oldest) => oldest,
            None if self.next_ns < self.end_ns => {
                let next = self.next_ns;
                self.claimed.push_back(next);
                self.step();
                next
            }
            None => return None,
        };
        let phase = self.timeline.phase_at(intended_ns);
        Some(ScheduledStart { phase, intended_ns: Some(intended_ns), counted_by: self.counted_by, group: self.group })
    }

    /// Lets all starts before `now_ns` fall due: each is assigned to a client, queued, or skipped according to the
    /// policy.
    pub fn advance(&mut self, now_ns: u64) {
        let now_ns = now_ns.min(self.end_ns);
        while let Some(&due) = self.claimed.front()
            && due < now_ns
        {
            self.claimed.pop_front();
            self.count(due, false);
        }
        // Instants are ascending, so these are due only if every claimed one is: no client is free.
        while self.next_ns < now_ns.min(self.end_ns) {
            let due = self.next_ns;
            let waiting = self.waiting.len() as u64;
            let skip = match self.overload {
                Overload::Skip => true,
                Overload::Queue { limit } => waiting >= limit,
                Overload::Stop { limit } => {
                    self.overloaded |= waiting + 1 >= limit;
                    false
                }
            };
            if !skip {
                self.waiting.push_back(due);
            }
            self.count(due, skip);
            self.step();
            if self.overloaded {
                self.end_ns = self.counted_to_ns;
            }
        }
    }

    /// Why there is no next start.
    pub fn rest(&self) -> Remaining {
        match self.operations {
            Some(0) if self.next_ns == u64::MAX && self.waiting.is_empty() => Remaining::Done,
            _ if self.next_ns >= self.end_ns && self.waiting.is_empty() => Remaining::NoneBeforeEnd,
            _ => Remaining::Some,
        }
    }

    /// Whether as many starts wait as the policy [`Overload::Stop`] allows, and how many do.
    pub fn overloaded(&self) -> Option<usize> {
        self.overloaded.then_some(self.waiting.len())
    }

    /// An instant before which every start lies that was taken or is the next: what phase they belong to is decided.
    pub fn decided_to_ns(&self) -> u64 {
        let next_ns = if self.next_ns == u64::MAX { self.counted_to_ns } else { self.next_ns.saturating_add(1) };
        self.claimed.back().map_or(next_ns, |last| next_ns.max(last.saturating_add(1)))
    }

    /// What [`Self::decided_to_ns`] may be at this later instant, to be computed without keeping clients waiting.
    pub fn ahead(&self, at_ns: u64) -> StartsAhead {
        StartsAhead {
            at_ns,
            claimed: self.claimed.iter().filter(|due| **due >= at_ns).count() as u64,
            next_ns: self.next_ns,
            warmup_ns: self.timeline.warmup_ns(),
            instants: self.instants.clone(),
            own: self.own.clone(),
        }
    }

    /// Ends the schedule at `end_ns`, or just after the last start already counted; returns the instant.
    pub fn close(&mut self, end_ns: u64) -> u64 {
        self.end_ns = self.end_ns.min(end_ns.max(self.counted_to_ns));
        self.end_ns
    }

    /// Removes and returns what was counted up to and including the interval `index`: scheduled, skipped.
    pub fn drain(&mut self, index: u64) -> (u64, u64) {
        let mut sum = (0, 0);
        while let Some(count) = self.counts.front()
            && count.slot.index <= index
        {
            sum = (sum.0 + count.scheduled, sum.1 + count.skipped);
            self.counts.pop_front();
        }
        sum
    }

    /// Intended starts in this period that wait for a client.
    pub fn waiting(&self, from_ns: u64, to_ns: u64) -> impl Iterator<Item = u64> + '_ {
        self.waiting.iter().copied().filter(move |due| (from_ns..to_ns).contains(due))
    }

    fn count(&mut self, due_ns: u64, skipped: bool) {
        self.counted_to_ns = due_ns + 1;
        if self.counts.back().is_none_or(|c| due_ns >= c.slot.to_ns) {
            self.counts.push_back(Count { slot: self.timeline.slot_at(due_ns), scheduled: 0, skipped: 0 });
        }
        if let Some(count) = self.counts.back_mut() {
            count.scheduled += 1;
            count.skipped += u64::from(skipped);
        }
    }

    /// Advances `next_ns`, past the starts of others, which count among the operations too.
    fn step(&mut self) {
        loop {
            let index = self.instants.index;
            self.next_ns = self.instants.next_ns();
            if let (Some(left), Phase::Measure) = (&mut self.operations, self.timeline.phase_at(self.next_ns)) {
                match left.checked_sub(1) {
                    Some(rest) => *left = rest,
                    None => self.next_ns = u64::MAX,
                }
            }
            if self.own.has(index) || self.next_ns >= self.end_ns {
                return;
            }
        }
    }
}

/// The starts of a schedule from a later instant on.
pub struct StartsAhead {
    at_ns: u64,
    /// Starts from that instant on that clients have claimed already.
    claimed: u64,
    next_ns: u64,
    warmup_ns: u64,
    instants: Instants,
    own: OwnStarts,
}

impl StartsAhead {
    /// An instant before which every start lies that may have been taken or be the next: each client has claimed one at most.
    pub fn decided_to_ns(mut self, clients: u32) -> u64 {
        let mut claimed = self.claimed;
        // Later than the warm-up nothing has to be known.
        while self.next_ns < self.warmup_ns {
            claimed += u64::from(self.next_ns >= self.at_ns);
            if claimed > u64::from(clients) {
                break;
            }
            loop {
                let index = self.instants.index;
                self.next_ns = self.instants.next_ns();
                if self.own.has(index) || self.next_ns >= self.warmup_ns {
                    break;
                }
            }
        }
        self.next_ns.saturating_add(1)
    }
}

/// The instants themselves: a pure function of rate, kind, seed and index.
#[derive(Debug, Clone)]
struct Instants {
    gap_ns: f64,
    index: u64,
    /// Sum of the random gaps so far, in mean gaps.
    sum: f64,
    random: Option<Random>,
}

impl Instants {
    fn new(rate: f64, arrivals: Arrivals, (seed, group): (u64, u8)) -> Instants {
        let stream = ARRIVALS_STREAM - u64::from(group);
        let random = matches!(arrivals, Arrivals::Poisson).then(|| Random::new(seed, stream));
        Instants { gap_ns: 1e9 / rate, index: 0, sum: 0.0, random }
    }

    /// Even instants start at 0, random ones after their first gap. Rounding errors do not accumulate.
    fn next_ns(&mut self) -> u64 {
        let gaps = match &mut self.random {
            None => self.index as f64,
            Some(random) => {
                self.sum += random.exponential();
                self.sum
            }
        };
        self.index += 1;
        (gaps * self.gap_ns).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn arrivals(rate: f64, arrivals: Arrivals, overload: Overload) -> ArrivalQueue {
        ArrivalQueue::new(rate, arrivals, overload, None, Timeline::new(0, 10_000, 1000), (7, 0))
    }

    fn instants(rate: f64, arrivals: Arrivals, seed: u64, n: usize) -> Vec<u64> {
        let mut all = Instants::new(rate, arrivals, (seed, 0));
        (0..n).map(|_| all.next_ns()).collect()
    }

    #[test]
    fn even_instants_keep_the_rate_to_the_nanosecond() {
        assert_eq!(instants(3.0, Arrivals::Even, 1, 4), [0, 333_333_333, 666_666_667, 1_000_000_000]);
        assert_eq!(instants(7777.0, Arrivals::Even, 1, 7778)[7777], 1_000_000_000);
    }

    #[test]
    fn random_instants_come_from_the_seed_alone_and_have_the_moments_of_a_poisson_stream() {
        let n = 200_000;
        let some = instants(1000.0, Arrivals::Poisson, 42, n);
        assert_eq!(some, instants(1000.0, Arrivals::Poisson, 42, n));
        assert_ne!(some, instants(1000.0, Arrivals::Poisson, 43, n));
        let gaps: Vec<f64> = some.windows(2).map(|w| (w[1] - w[0]) as f64 / 1e6).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        // Standard errors at this n are 0.0022 and 0.0063; the bounds are five of them.
        assert!((mean - 1.0).abs() < 0.011, "mean {mean}");
        assert!((variance - 1.0).abs() < 0.032, "variance {variance}");
        let above_one = gaps.iter().filter(|&&g| g > 1.0).count() as f64 / gaps.len() as f64;
        assert!((above_one - (-1f64).exp()).abs() < 0.0055, "P(gap > mean) = {above_one}");
    }

    #[test]
    fn a_free_client_claims_the_next_start_and_a_late_one_finds_the_oldest() {
        let mut arrivals = arrivals(100.0, Arrivals::Even, Overload::Queue { limit: 2 });
        let at = |t: Option<ScheduledStart>| t.and_then(|t| t.intended_ns).map(|ns| ns / MS);
        assert_eq!(at(arrivals.take(0)), Some(0));
        assert_eq!(at(arrivals.take(0)), Some(10));
        // No client is free until 55: 20 and 30 wait, 40 and 50 find the queue full.
        assert_eq!(at(arrivals.take(55 * MS)), Some(20));
        assert_eq!(at(arrivals.take(55 * MS)), Some(30));
        assert_eq!(at(arrivals.take(55 * MS)), Some(60));
        // A start that is due exactly when a client becomes free finds it free.
        assert_eq!(at(arrivals.take(70 * MS)), Some(70));
        arrivals.advance(100 * MS);
        // 0 to 90 fell due; 80 and 90 wait.
        assert_eq!(arrivals.drain(0), (10, 2));
    }

    #[test]
    fn without_a_queue_a_start_without_a_free_client_is_dropped() {
        let mut arrivals = arrivals(100.0, Arrivals::Even, Overload::Skip);
        assert_eq!(arrivals.take(0).and_then(|t| t.intended_ns), Some(0));
        assert_eq!(arrivals.take(35 * MS).and_then(|t| t.intended_ns), Some(40 * MS));
        assert_eq!(arrivals.drain(0), (4, 3));
    }

    #[test]
    fn stop_tells_when_enough_wait() {
        let mut arrivals = arrivals(100.0, Arrivals::Even, Overload::Stop { limit: 3 });
        arrivals.advance(21 * MS - 1 - MS);
        assert_eq!(arrivals.overloaded(), None);
        arrivals.advance(500 * MS);
        assert_eq!(arrivals.overloaded(), Some(3));
        assert_eq!(arrivals.close(500 * MS), 20 * MS + 1, "the end is where the limit was reached");
        arrivals.advance(500 * MS);
        assert_eq!(arrivals.drain(0), (3, 0));
        assert_eq!(arrivals.take(21 * MS), None);
    }

    #[test]
    fn claimed_starts_after_the_close_were_never_due() {
        let mut arrivals = arrivals(100.0, Arrivals::Even, Overload::Skip);
        for _ in 0..5 {
            arrivals.take(0);
        }
        assert_eq!(arrivals.close(15 * MS), 15 * MS);
        arrivals.advance(15 * MS);
        assert_eq!(arrivals.drain(0), (2, 0));
    }

    #[test]
    fn operations_bound_the_starts_of_the_measured_phase() {
        let timeline = Timeline::new(20, 10_000, 1000);
        let mut arrivals = ArrivalQueue::new(100.0, Arrivals::Even, Overload::Skip, Some(3), timeline, (7, 0));
        arrivals.advance(9000 * MS);
        assert_eq!(arrivals.drain(0), (2, 2), "warm-up");
        assert_eq!(arrivals.drain(u64::MAX), (3, 3), "measure");
        assert_eq!(arrivals.take(9000 * MS), None);
    }
}
