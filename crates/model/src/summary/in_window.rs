//! What the clients of a trial did in the measured window, by time: in which part of it they were in transactions, and by which time
//! counts are divided.

use super::TrialResult;
use crate::event::EndState;
use crate::load_host::LoadHostResult;
use crate::tally::{Accounting, CONNECT, Tally, group_prefix};
use crate::trial::Schedule;
use std::collections::BTreeMap;

impl TrialResult {
    /// Whether anything was measured: otherwise its rates and counts of 0 are no results.
    pub fn is_measured(&self) -> bool {
        self.measured_ns() > 0
    }

    /// Whether there is something to judge: it has started, and the user did not stop it before its measured window.
    pub fn is_judged(&self) -> bool {
        let is_stopped = self.state == Some(EndState::Partial) && !self.is_measured() && self.failure().is_none();
        self.begun && !is_stopped
    }

    /// The time in which that ended of which throughput is made, by which counts are divided for rates, nanoseconds: the measured window, and not
    /// the time afterwards in which transactions in progress were waited for. But without a warm-up all clients of a closed loop begin and end
    /// together, and it is the time until the last of them has ended.
    pub fn counted_ns(&self) -> u64 {
        match self.is_whole() && self.trial.load.is_closed() {
            true => self.measured_ns(),
            false => self.planned_ns(),
        }
    }

    /// Whether each transaction that ended or was in progress in the measured window is counted with all of its time: none began before it, and those
    /// in progress at its end were waited for until all had ended.
    fn is_whole(&self) -> bool {
        let warmed_up = self.warm_up_ns().is_some_and(|ns| ns > 0);
        self.trial.load.drain_ms > 0 && !warmed_up && self.tally.accounting.open <= 0
    }

    /// The measured window without the time in which transactions in progress at its end were waited for, nanoseconds.
    pub fn planned_ns(&self) -> u64 {
        let planned_ns = || self.trial.measure_ms.saturating_mul(1_000_000);
        match self.drained.window_end_ns {
            Some(end_ns) => end_ns.saturating_sub(self.window_ns.0).min(self.measured_ns()),
            None if self.trial.load.drain_ms == 0 => self.measured_ns(),
            None => self.measured_ns().min(planned_ns()),
        }
    }

    /// The latest end of a window that begins then.
    fn planned_end_ns(&self, window_ns: u64) -> u64 {
        window_ns.saturating_add(self.trial.measure_ms.saturating_mul(1_000_000))
    }

    /// Completed transactions of which throughput is made: all that ended in the window, also those that had fallen due before it; which start belongs
    /// to the window is another question (doc/decision/0033).
    pub fn throughput(&self) -> u64 {
        self.ended_in_window(&self.tally.accounting, Some(&self.drained.tally.accounting))
    }

    /// The same of one group of its clients.
    pub fn throughput_of_group(&self, name: &str) -> u64 {
        let drained = self.drained.tally.groups.get(name).map(|group| &group.accounting);
        self.tally.groups.get(name).map_or(0, |group| self.ended_in_window(&group.accounting, drained))
    }

    /// The same of one of its load hosts.
    pub fn throughput_of_host(&self, host: &LoadHostResult) -> u64 {
        self.ended_in_window(&host.tally.accounting, Some(&host.drained.tally.accounting))
    }

    /// The same of one transaction name.
    pub fn throughput_of_name(&self, name: &str) -> u64 {
        let ended = |tally: &Tally| tally.transactions.get(name).map_or(0, |t| t.completed.saturating_add(t.carried));
        ended(&self.tally).saturating_sub(if self.is_whole() { 0 } else { ended(&self.drained.tally) })
    }

    /// The statements that completed in it. Connects are none.
    pub(super) fn statements_of_throughput(&self) -> u64 {
        let executed = |tally: &Tally| {
            let connects = tally.statements.get(CONNECT).map_or(0, |connect| connect.carried);
            tally.executed().saturating_add(tally.carried.statements.saturating_sub(connects))
        };
        executed(&self.tally).saturating_sub(if self.is_whole() { 0 } else { executed(&self.drained.tally) })
    }

    /// The same of one group of its clients.
    pub fn statements_of_group(&self, name: &str) -> u64 {
        let prefix = group_prefix(name);
        let executed = |tally: &Tally| -> u64 {
            let own = tally
                .statements
                .iter()
                .filter(|(name, _)| name.strip_prefix(&prefix).is_some_and(|statement| statement != CONNECT));
            own.map(|(_, s)| s.executed().saturating_add(s.carried)).sum()
        };
        executed(&self.tally).saturating_sub(if self.is_whole() { 0 } else { executed(&self.drained.tally) })
    }

    fn ended_in_window(&self, starts: &Accounting, drained: Option<&Accounting>) -> u64 {
        let drained = drained.filter(|_| !self.is_whole()).map_or(0, Accounting::all_completed);
        starts.all_completed().saturating_sub(drained)
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
            _ => self.drained.window_end_ns.unwrap_or_else(|| self.planned_end_ns(window_ns)),
        }
    }

    /// The longest time in the measured window in which nothing completed, whatever was in progress.
    pub fn longest_silence_ns(&self) -> u64 {
        self.stretches.longest_ns().max(self.silent_at_end_ns())
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
