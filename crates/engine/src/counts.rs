//! What is counted in one interval, by the indexes of names: one set in each shard for the interval in progress.

use crate::schedule::ScheduledStart;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use tenbin_client::{Error, StatementRecord, TransactionContext, ValueForm};
use tenbin_model::histogram::Histogram;
use tenbin_model::tally::{Accounting, CONNECT, Carried, StatementKind, StatementTally, Tally, TransactionTally};
use tenbin_model::trial::ClientGroup;

/// How one transaction ended, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct Completion {
    pub scheduled_start: ScheduledStart,
    /// Index of its name.
    pub transaction: usize,
    pub completed: bool,
    pub retries: u64,
    /// Intended start to actual start, and pauses between attempts.
    pub wait_ns: u64,
    /// Actual start to last row or error, without pauses.
    pub service_ns: u64,
}

impl Completion {
    /// With a wait by a schedule of the workload's own.
    #[inline]
    pub fn with_wait(self, waited: std::time::Duration) -> Completion {
        Completion { wait_ns: self.wait_ns + waited.as_nanos() as u64, ..self }
    }
}

/// What was counted in one interval, by index of the name.
#[derive(Debug, Default)]
pub struct Counts {
    /// By group of clients.
    pub starts: [Starts; ClientGroup::MOST],
    pub reconnects: u64,
    /// Completed transactions after which one of the session was open.
    pub left_open: u64,
    /// Time in transactions, of each as far as it lies within its phase.
    pub in_progress_ns: u64,
    /// Time in pauses, likewise.
    pub paused_ns: u64,
    /// What was done for starts of an earlier phase.
    pub carried: Carried,
    /// Connects that failed, by error.
    connect_errors: BTreeMap<String, u64>,
    /// First and last completion, counted or not; `None` when there was none.
    pub completions: Option<(u64, u64)>,
    transactions: Vec<TransactionCounts>,
    statements: Vec<StatementCounts>,
    counters: Vec<u64>,
}

/// Starts of one group of clients, and how those ended that were counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Starts {
    /// Closed loop only; in the open loop the schedule counts them.
    pub scheduled: u64,
    pub completed: u64,
    pub failed: u64,
    /// Completed in this interval, and counted in no phase: due in an earlier one, to which their start assigns them.
    pub carried: u64,
    /// The same of those that failed.
    pub carried_failed: u64,
}

impl Starts {
    fn merge(&mut self, other: &Starts) {
        let Starts { scheduled, completed, failed, carried, carried_failed } = other;
        self.scheduled += scheduled;
        self.completed += completed;
        self.failed += failed;
        self.carried += carried;
        self.carried_failed += carried_failed;
    }

    /// As far as it is known without the schedule.
    pub fn accounting(&self) -> Accounting {
        let Starts { scheduled, completed, failed, carried, carried_failed } = *self;
        Accounting { scheduled, completed, failed, carried, carried_failed, ..Accounting::default() }
    }
}

#[derive(Debug, Default)]
struct TransactionCounts {
    /// Completed transactions that started at their intended time: response and service are the same, wait is 0, and
    /// one record suffices for the three.
    prompt: Histogram,
    tally: TransactionTally,
}

#[derive(Debug, Default)]
struct StatementCounts {
    tally: StatementTally,
}

impl Counts {
    pub fn new(transactions: usize, statements: usize, counters: usize) -> Counts {
        Counts {
            transactions: (0..transactions).map(|_| TransactionCounts::default()).collect(),
            statements: (0..statements).map(|_| StatementCounts::default()).collect(),
            counters: vec![0; counters],
            ..Counts::default()
        }
    }

    /// Empty counts of the same structure.
    pub fn like(&self) -> Counts {
        Counts::new(self.transactions.len(), self.statements.len(), self.counters.len())
    }

    #[inline]
    pub fn add(&mut self, done: &Completion) {
        let group = done.scheduled_start.group();
        let Some(counts) = self.transactions.get_mut(done.transaction) else {
            debug_assert!(false, "the workload named a transaction it does not have: {}", done.transaction);
            return;
        };
        counts.tally.retries += done.retries;
        if !done.completed {
            self.starts[group].failed += 1;
            counts.tally.failed += 1;
            counts.tally.failed_service.record(done.service_ns);
            return;
        }
        self.starts[group].completed += 1;
        counts.tally.completed += 1;
        if done.wait_ns == 0 {
            counts.prompt.record(done.service_ns);
        } else {
            counts.tally.response.record(done.wait_ns + done.service_ns);
            counts.tally.service.record(done.service_ns);
            counts.tally.wait.record(done.wait_ns);
        }
    }

    /// Counts the completed transactions of one call; `done` is the first of them, with its scheduled start.
    pub fn add_burst(&mut self, done: &Completion, burst: &[u64]) {
        self.starts[done.scheduled_start.group()].scheduled += burst.len() as u64 - 1;
        for &service_ns in burst {
            self.add(&Completion { service_ns, ..*done });
        }
    }

    #[inline]
    pub fn add_statements(&mut self, marks: &[StatementRecord]) {
        for mark in marks {
            let StatementCounts { tally } = self.statement(usize::from(mark.statement));
            match &mark.error {
                None => {
                    tally.completed += 1;
                    tally.empty += u64::from(mark.rows == 0);
                    tally.rows += mark.rows;
                    tally.more += u64::from(mark.more);
                    tally.as_parameters += u64::from(mark.values == ValueForm::Parameters);
                    tally.as_text += u64::from(mark.values == ValueForm::Text);
                    tally.service.record(mark.service_ns);
                }
                Some(error) => {
                    tally.more_failed += u64::from(mark.more);
                    *tally.errors.entry(error.label()).or_default() += 1;
                }
            }
        }
    }

    /// Counts a transaction that belongs to an earlier phase, and ends in this one.
    #[cold]
    pub fn carry_transaction(&mut self, done: &Completion) {
        let (completed, failed) = (u64::from(done.completed), u64::from(!done.completed));
        let starts = &mut self.starts[done.scheduled_start.group()];
        (starts.carried, starts.carried_failed) = (starts.carried + completed, starts.carried_failed + failed);
        if let Some(TransactionCounts { tally, .. }) = self.transactions.get_mut(done.transaction) {
            (tally.carried, tally.carried_failed) = (tally.carried + completed, tally.carried_failed + failed);
        }
    }

    /// Counts the statements of an attempt that belongs to an earlier phase. `failed`: it ended with an error, and so with a ROLLBACK.
    #[cold]
    pub fn carry(&mut self, records: &[StatementRecord], failed: bool) {
        for record in records {
            let n = 1 + u64::from(record.more);
            let StatementCounts { tally } = self.statement(usize::from(record.statement));
            match &record.error {
                None => {
                    tally.carried += n;
                    self.carried.statements += n;
                }
                Some(error) => {
                    *tally.carried_errors.entry(error.label()).or_default() += 1;
                    self.carried.failed_statements += n;
                }
            }
        }
        self.carried.failed_statements += u64::from(failed);
    }

    #[inline]
    pub fn add_connects(&mut self, context: &TransactionContext) {
        self.reconnects += u64::from(context.reconnects);
        context.connect_errors.iter().for_each(|error| self.add_connect_error(error));
    }

    #[cold]
    pub fn add_connect_error(&mut self, error: &Error) {
        *self.connect_errors.entry(error.label()).or_default() += 1;
    }

    #[inline]
    pub fn add_counts(&mut self, counts: &[(u16, u64)]) {
        for (counter, n) in counts {
            match self.counters.get_mut(usize::from(*counter)) {
                Some(count) => *count += n,
                None => debug_assert!(false, "the workload named a counter it does not have: {counter}"),
            }
        }
    }

    #[inline]
    fn statement(&mut self, index: usize) -> &mut StatementCounts {
        if index >= self.statements.len() {
            self.make_room(index + 1);
        }
        &mut self.statements[index]
    }

    /// Adds a name that was not known at the start.
    #[cold]
    fn make_room(&mut self, statements: usize) {
        self.statements.resize_with(statements, StatementCounts::default);
    }

    pub fn merge(&mut self, other: &Counts) {
        if other.statements.len() > self.statements.len() {
            self.make_room(other.statements.len());
        }
        let Counts {
            starts,
            reconnects,
            left_open,
            in_progress_ns,
            paused_ns,
            carried,
            connect_errors,
            completions,
            transactions,
            statements,
            counters,
        } = other;
        for (error, n) in connect_errors {
            *self.connect_errors.entry(error.clone()).or_default() += n;
        }
        self.completions = match (self.completions, *completions) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
        for (ours, theirs) in self.starts.iter_mut().zip(starts) {
            ours.merge(theirs);
        }
        self.reconnects += reconnects;
        self.left_open += left_open;
        self.in_progress_ns += in_progress_ns;
        self.paused_ns += paused_ns;
        self.carried.merge(carried);
        for (ours, TransactionCounts { prompt, tally }) in self.transactions.iter_mut().zip(transactions) {
            ours.prompt.merge(prompt);
            ours.tally.merge(tally);
        }
        for (ours, StatementCounts { tally }) in self.statements.iter_mut().zip(statements) {
            ours.tally.merge(tally);
        }
        for (ours, theirs) in self.counters.iter_mut().zip(counters) {
            *ours += theirs;
        }
    }

    /// Clears the counts and keeps the memory.
    pub fn clear(&mut self) {
        let Counts {
            starts,
            reconnects,
            left_open,
            in_progress_ns,
            paused_ns,
            carried,
            connect_errors,
            completions,
            transactions,
            statements,
            counters,
        } = self;
        counters.fill(0);
        connect_errors.clear();
        *completions = None;
        *starts = <[Starts; ClientGroup::MOST]>::default();
        (*reconnects, *left_open) = (0, 0);
        (*in_progress_ns, *paused_ns) = (0, 0);
        *carried = Carried::default();
        for TransactionCounts { prompt, tally } in transactions {
            let TransactionTally {
                completed,
                failed,
                retries,
                carried,
                carried_failed,
                response,
                service,
                wait,
                failed_service,
            } = tally;
            (*completed, *failed, *retries) = (0, 0, 0);
            (*carried, *carried_failed) = (0, 0);
            for histogram in [prompt, response, service, wait, failed_service] {
                forget(histogram);
            }
        }
        for StatementCounts { tally } in statements {
            let StatementTally {
                kind: _,
                completed,
                more,
                more_failed,
                empty,
                rows,
                as_parameters,
                as_text,
                service,
                errors,
                carried,
                carried_errors,
            } = tally;
            (*completed, *more, *more_failed, *carried) = (0, 0, 0, 0);
            (*empty, *rows, *as_parameters, *as_text) = (0, 0, 0, 0);
            forget(service);
            errors.clear();
            carried_errors.clear();
        }
    }

    /// By name; names under which nothing was counted are omitted. What became of the starts is not included.
    pub fn into_tally(
        self,
        transactions: &[String],
        statements: &[(String, StatementKind)],
        counters: &[String],
    ) -> Tally {
        let Counts { reconnects, left_open, in_progress_ns, paused_ns, carried, .. } = self;
        let mut tally = Tally { reconnects, left_open, in_progress_ns, paused_ns, carried, ..Tally::default() };
        for (name, counts) in transactions.iter().zip(self.transactions).filter(|(_, c)| !c.is_empty()) {
            put(&mut tally.transactions, name, counts.into_tally(), TransactionTally::merge);
        }
        for ((name, kind), counts) in statements.iter().zip(self.statements).filter(|(_, c)| !c.is_empty()) {
            put(&mut tally.statements, name, StatementTally { kind: *kind, ..counts.tally }, StatementTally::merge);
        }
        if !self.connect_errors.is_empty() {
            // A workload may count its connects itself, under the same name.
            let connects = tally.statements.entry(CONNECT.to_owned()).or_default();
            for (error, n) in self.connect_errors {
                *connects.errors.entry(error).or_default() += n;
            }
        }
        tally.counters =
            counters.iter().cloned().zip(self.counters).filter(|(_, n)| *n > 0).collect::<BTreeMap<_, _>>();
        tally
    }
}

/// What has one name has one figure, of all of it.
fn put<T>(all: &mut BTreeMap<String, T>, name: &str, one: T, merge: impl Fn(&mut T, &T)) {
    match all.entry(name.to_owned()) {
        Entry::Vacant(free) => _ = free.insert(one),
        Entry::Occupied(mut before) => merge(before.get_mut(), &one),
    }
}

/// Clearing writes to every bucket, which an empty histogram does not need.
fn forget(histogram: &mut Histogram) {
    if histogram.count() > 0 {
        histogram.clear();
    }
}

impl StatementCounts {
    fn is_empty(&self) -> bool {
        let StatementTally { completed, errors, carried, carried_errors, .. } = &self.tally;
        *completed == 0 && errors.is_empty() && *carried == 0 && carried_errors.is_empty()
    }
}

impl TransactionCounts {
    fn is_empty(&self) -> bool {
        let TransactionTally { completed, failed, retries, carried, carried_failed, .. } = &self.tally;
        [completed, failed, retries, carried, carried_failed].into_iter().all(|n| *n == 0)
    }

    fn into_tally(self) -> TransactionTally {
        let TransactionCounts { prompt, mut tally } = self;
        if prompt.count() > 0 {
            tally.response.merge(&prompt);
            tally.service.merge(&prompt);
            tally.wait.record_n(0, prompt.count());
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_one_name_is_counted_together() {
        let mut counts = Counts::new(0, 2, 0);
        counts.add_statements(
            &[(0, 3), (1, 4)].map(|(statement, rows)| StatementRecord::of(statement, 1_000, rows, None)),
        );
        let names = ["SELECT 1;", "SELECT 1;"].map(|name| (name.to_owned(), StatementKind::Read));
        let tally = counts.into_tally(&[], &names, &[]);
        let one = &tally.statements["SELECT 1;"];
        assert_eq!((one.completed, one.rows, one.service.count()), (2, 7, 2));
    }
}
