//! What the clients of a trial did in the measured window, by time: in which part of it they were in transactions, and by which time
//! counts are divided.

use super::TrialResult;
use crate::tally::{Accounting, Tally, TransactionTally};
use crate::trial::Schedule;
use std::collections::BTreeMap;

impl TrialResult {
    /// The time in which what was counted began or ended, by which counts are divided for rates, nanoseconds: the measured window.
    /// Where transactions in progress at its planned end were waited for and counted, it is the planned window, in which they began;
    /// but without a warm-up all clients begin and end together, and it is the time until the last of them has ended.
    pub fn counted_ns(&self) -> u64 {
        let (load, warmed_up) = (&self.trial.load, self.warm_up_ns().is_some_and(|ns| ns > 0));
        match load.drain_ms > 0 && (warmed_up || !load.is_closed()) {
            true => self.planned_ns(),
            false => self.measured_ns(),
        }
    }

    /// The measured window without the time in which transactions in progress at its planned end were waited for, nanoseconds.
    fn planned_ns(&self) -> u64 {
        match self.trial.load.drain_ms {
            0 => self.measured_ns(),
            _ => self.measured_ns().min(self.trial.measure_ms.saturating_mul(1_000_000)),
        }
    }

    /// Completed transactions of which throughput is made. At a rate these are all that ended in the window, as in a closed loop, also
    /// those that had fallen due before it; which start belongs to the window is another question (doc/decision/0033).
    pub fn throughput_of(&self, starts: &Accounting) -> u64 {
        starts.completed.saturating_add(self.carried_in(starts))
    }

    /// The same of one transaction name.
    pub fn throughput_of_name(&self, transaction: &TransactionTally) -> u64 {
        transaction.completed.saturating_add(if self.is_by_ends() { transaction.carried } else { 0 })
    }

    /// Those of them that had fallen due before the window.
    pub(super) fn carried_in(&self, starts: &Accounting) -> u64 {
        if self.is_by_ends() { starts.carried } else { 0 }
    }

    /// Whether throughput is made of what ended in the window. Not where transactions in progress at the planned end are waited for: what began in the
    /// window is divided by the time in which it began.
    pub(super) fn is_by_ends(&self) -> bool {
        self.trial.load.drain_ms == 0
    }

    /// Statements that changed rows in the whole trial. Of those that were executed for starts of the warm-up, in the window, only the number is known:
    /// as many of them as of the others.
    pub fn row_changes(&self) -> u64 {
        let queries = self.tally.queries();
        let share = queries.writes as f64 / queries.total().max(1) as f64;
        let carried = (self.tally.carried.statements as f64 * share) as u64;
        self.warm_up_writes.saturating_add(queries.writes).saturating_add(carried)
    }

    /// Starts that were due or in progress and had not ended at the end of the next interval, which has these counts.
    pub(super) fn outstanding_after(&self, starts: &Accounting) -> Option<u64> {
        let load = &self.trial.load;
        (!load.is_closed() || load.drain_ms > 0 || load.operations.is_some()).then_some(())?;
        let before = match self.series.last() {
            None => 0,
            Some(point) => point.outstanding?,
        };
        Some(after(before, starts))
    }

    /// The same of each group of clients with a rate, by its name.
    pub(super) fn outstanding_of_groups_after(&self, tally: &Tally) -> BTreeMap<String, u64> {
        let before = self.series.last().map(|point| point.outstanding_of).unwrap_or_default();
        let at_rate = self.trial.load.groups.iter().filter(|group| group.schedule != Schedule::Closed);
        let of_group = |name: &String| {
            let before = before.get(name).copied().unwrap_or_default();
            // In an interval without any start it may not be named.
            let counted = tally.groups.get(name);
            (name.clone(), counted.map_or(before, |group| after(before, &group.accounting)))
        };
        at_rate.map(|group| of_group(&group.name)).collect()
    }

    /// How many starts had not ended at the end of the warm-up, and at the ends of the intervals of the measured window, as far as that is known.
    pub fn outstanding(&self) -> Vec<(u64, u64)> {
        self.outstanding.clone().unwrap_or_else(|| self.series.outstanding())
    }

    /// Until when most clients had something to do, as far as that is known in the interval that begins at `from_ns`. When no more starts fall
    /// due, the last transactions are waited for, and a time without completions is no standstill unless most clients wait.
    pub(super) fn due_to_ns(&self, from_ns: u64) -> u64 {
        let load = &self.trial.load;
        let window_ns = if self.window_ns.1 == 0 { from_ns } else { self.window_ns.0 };
        let outstanding = self.series.last().and_then(|point| point.outstanding).unwrap_or(0);
        match load.drain_ms {
            _ if 2 * outstanding >= u64::from(load.clients) => u64::MAX,
            _ if load.operations.is_some_and(|n| self.tally.accounting.scheduled >= n) => from_ns,
            0 => u64::MAX,
            _ => window_ns.saturating_add(self.trial.measure_ms.saturating_mul(1_000_000)),
        }
    }

    /// How many clients were in a transaction at a time, on average over the measured window; `None` if that was not counted.
    pub fn in_progress(&self) -> Option<f64> {
        (self.tally.in_progress_ns > 0).then(|| self.tally.in_progress_ns as f64 / self.planned_ns().max(1) as f64)
    }

    /// How many clients paused at a time by themselves, on average over the measured window.
    pub fn pausing(&self) -> f64 {
        self.tally.paused_ns as f64 / self.planned_ns().max(1) as f64
    }
}

/// How many starts had not ended at the end of an interval with these counts, of this number before it.
fn after(before: u64, starts: &Accounting) -> u64 {
    let Accounting { begun_before, open, carried, carried_failed, .. } = *starts;
    // What had begun before the window is in the number before, and where the end decides in `open` once more.
    let change = i128::from(open) - i128::from(begun_before) - i128::from(carried) - i128::from(carried_failed);
    u64::try_from(i128::from(before) + change).unwrap_or_default()
}
