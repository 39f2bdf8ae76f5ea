//! What was counted in one interval: by the clients, by the schedules, and at the end of the window what has not ended. The starts of each group of
//! clients are kept apart until the interval is reported.

use crate::lock::locked;
use crate::run::DriveState;
use crate::schedule::StartSchedule;
use crate::shard::IntervalCompletions;
use crate::timeline::IntervalSlot;
use tenbin_model::tally::{Accounting, CountedBy, GroupTally, Tally};
use tenbin_model::trial::ClientGroup;

/// The counts of an interval.
pub struct CountedInterval {
    tally: Tally,
    /// In the order of the groups.
    starts: Vec<GroupTally>,
    completions: Option<IntervalCompletions>,
}

/// Starts that are open, by group.
#[derive(Debug, Default)]
pub struct OpenStarts([i64; ClientGroup::MOST]);

impl OpenStarts {
    /// Adds those of an interval.
    pub fn add(&mut self, counted: &CountedInterval) {
        for (open, group) in self.0.iter_mut().zip(&counted.starts) {
            *open += group.accounting.open;
        }
    }
}

impl CountedInterval {
    /// Everything counted in an interval, including the schedules' own counts. With `last`, also what was counted after it: a transaction that ended
    /// just as an error moved the end to the end of this interval.
    pub fn fetch(run: &DriveState, slot: &IntervalSlot, last: bool) -> CountedInterval {
        let through = if last { run.timeline.last_index().max(slot.index) } else { slot.index };
        let (mut tally, starts, completions) = run.shards.fetch(through);
        tally.unavailable_ns = locked(&run.outages).drain(slot.to_ns.min(run.end_ns()));
        let starts = run.groups.iter().zip(starts).map(|(group, starts)| {
            let mut accounting = starts.accounting();
            if let StartSchedule::Open(arrivals) = &group.schedule {
                let mut arrivals = locked(arrivals);
                arrivals.advance(slot.to_ns.min(run.end_ns()));
                (accounting.scheduled, accounting.skipped) = arrivals.drain(through);
            }
            let ended = accounting.completed + accounting.failed + accounting.skipped;
            accounting.open = accounting.scheduled as i64 - ended as i64;
            GroupTally { accounting, ..GroupTally::default() }
        });
        CountedInterval { starts: starts.collect(), tally, completions }
    }

    /// What was in progress when the measured window began belongs to it, if the end of a transaction decides.
    pub fn carry_over(&mut self, run: &DriveState, begun_before: OpenStarts) {
        for ((group, counted), begun_before) in run.groups.iter().zip(&mut self.starts).zip(begun_before.0) {
            if group.counted_by == CountedBy::End {
                counted.accounting.begun_before = u64::try_from(begun_before).unwrap_or_default();
                counted.accounting.open += begun_before.max(0);
            }
        }
    }

    /// Adds what has not ended when the measured phase ends at `to_ns`. Returns for how long the oldest of it has been due.
    pub fn add_what_has_not_ended(&mut self, run: &DriveState, to_ns: u64) -> Option<u64> {
        let (open_ns, paused_ns) = run.per_client.not_ended_ns(&run.timeline, to_ns);
        self.tally.in_progress_ns += open_ns;
        self.tally.paused_ns += paused_ns;
        let oldest_ns = self.unanswered(run, to_ns);
        Some(oldest_ns.map_or(0, |due_ns| to_ns - due_ns))
    }

    /// Starts that count in the measured phase and were not answered when it ended at `to_ns`: of the open loop all of them, by how
    /// long they had waited. Returns the oldest.
    fn unanswered(&mut self, run: &DriveState, to_ns: u64) -> Option<u64> {
        let mut oldest: Option<u64> = None;
        let taken: Vec<(u8, u64)> = run
            .per_client
            .unanswered()
            .map(|(place, due_ns)| (run.groups.place_of(run.numbers.at(place)), due_ns))
            .collect();
        for (place, (group, counted)) in run.groups.iter().zip(&mut self.starts).enumerate() {
            let from_ns = match group.counted_by {
                CountedBy::End => 0,
                CountedBy::Start => run.timeline.warmup_ns(),
            };
            let own = taken.iter().filter(|(of, _)| usize::from(*of) == place).map(|(_, due_ns)| *due_ns);
            let own = own.filter(|due_ns| (from_ns..to_ns).contains(due_ns));
            let mut all: Vec<u64> = own.collect();
            if let StartSchedule::Open(arrivals) = &group.schedule {
                all.extend(locked(arrivals).waiting(from_ns, to_ns));
                all.iter().for_each(|due_ns| counted.unanswered.record(to_ns - due_ns));
            }
            oldest = oldest.into_iter().chain(all).min();
        }
        oldest
    }

    /// What is reported: the sums of all groups, and those of each if they have names.
    pub fn together(self, run: &DriveState) -> (Tally, Option<IntervalCompletions>) {
        let CountedInterval { mut tally, starts, completions } = self;
        let mut sum = Accounting::default();
        for (group, starts) in run.groups.iter().zip(starts) {
            sum.merge(&starts.accounting);
            tally.unanswered.merge(&starts.unanswered);
            if !group.name.is_empty() && starts != GroupTally::default() {
                tally.groups.insert(group.name.clone(), starts);
            }
        }
        tally.accounting = sum;
        (tally, completions)
    }
}
