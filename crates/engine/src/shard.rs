//! The counters of clients: a few shards, each a set of counters and histograms behind a lock, one set per interval.
//!
//! A worker that is an event loop has its own shard, so its lock is never contended. Hundreds of workers with one
//! client each share a few shards per core, because a histogram takes up to 150 KB, and there are a dozen. A client
//! counts after its transaction has ended, never during it. The counts of an interval are closed by the first of: a
//! client whose transaction ended after it, or the collector.

use crate::schedule::{Closed, ScheduledStart};
use crate::timeline::{IntervalSlot, Timeline};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use tenbin_client::{Error, StatementRecord, TransactionContext};
use tenbin_model::event::Phase;
use tenbin_model::histogram::Histogram;
use tenbin_model::idle::{self, Period};
use tenbin_model::tally::{CONNECT, CountedBy, StatementKind, StatementTally, Tally, TransactionTally};

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

/// All shards of a drive.
pub struct Shards {
    shards: Vec<Padded>,
    transactions: Vec<String>,
    statements: StatementNames,
    counters: Vec<String>,
    /// Statements that a client sends each time it connects.
    session_statements: u64,
}

/// The workload's statements so far. Those of a script become known while it runs and are appended, so that indexes
/// remain valid.
pub type StatementNames = Box<dyn Fn() -> Vec<(String, StatementKind)> + Send + Sync>;

/// On its own cache lines: neighbours are written by other cores.
#[derive(Debug)]
#[repr(align(128))]
struct Padded(Mutex<Shard>);

/// One set of counters, and the closed intervals that the collector has not fetched.
#[derive(Debug)]
pub struct Shard {
    timeline: Timeline,
    counted_by: CountedBy,
    slot: IntervalSlot,
    /// The interval lies after the planned end of measure: those in progress then are waited for.
    after_planned_end: bool,
    current: Counts,
    closed: VecDeque<(u64, Counts)>,
    spare: Vec<Counts>,
    last_end_ns: u64,
    /// When the last transaction completed here, counted or not.
    completed_ns: u64,
    /// Periods longer than [`idle::LEAST_NS`] in which none completed here, from completion to completion, ascending.
    gaps: Vec<(u64, u64)>,
    /// Just after the latest intended start that was counted; open loop only.
    begun_to_ns: u64,
}

/// When transactions completed in an interval, nanoseconds since the common start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalCompletions {
    pub first_ns: u64,
    pub last_ns: u64,
    /// Between them, the periods in which none completed.
    pub idle: Vec<Period>,
}

/// What was counted in one interval, by index of the name.
#[derive(Debug, Default)]
struct Counts {
    /// Closed loop only; in the open loop the schedule counts them.
    scheduled: u64,
    completed: u64,
    failed: u64,
    reconnects: u64,
    /// Time in transactions, of each as far as it lies within its phase.
    in_progress_ns: u64,
    /// Time in pauses, likewise.
    paused_ns: u64,
    /// Connects that failed, by error.
    connect_errors: BTreeMap<String, u64>,
    /// First and last completion, counted or not; `None` when there was none.
    completions: Option<(u64, u64)>,
    transactions: Vec<TransactionCounts>,
    statements: Vec<StatementCounts>,
    counters: Vec<u64>,
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

impl Shards {
    pub fn new(
        n: usize,
        (timeline, counted_by): (Timeline, CountedBy),
        transactions: Vec<String>,
        statements: StatementNames,
        counters: Vec<String>,
    ) -> Shards {
        let known = statements().len();
        let counts = || Counts::new(transactions.len(), known, counters.len());
        let shard = || Shard {
            slot: timeline.slot(0),
            timeline: timeline.clone(),
            counted_by,
            after_planned_end: false,
            current: counts(),
            closed: VecDeque::new(),
            spare: vec![counts()],
            last_end_ns: 0,
            completed_ns: 0,
            gaps: Vec::new(),
            begun_to_ns: 0,
        };
        let shards = (0..n.max(1)).map(|_| Padded(Mutex::new(shard()))).collect();
        Shards { shards, transactions, statements, counters, session_statements: 0 }
    }

    /// Each reconnect is counted with this many statements.
    pub fn with_session_of(self, session_statements: u32) -> Shards {
        Shards { session_statements: session_statements.into(), ..self }
    }

    /// A shard to count in: the one numbered `hint` if it is free, else any free one. If the system suspends a thread
    /// inside one, the others need not wait for it.
    #[inline]
    pub fn enter(&self, hint: usize) -> MutexGuard<'_, Shard> {
        let n = self.shards.len();
        let first = hint % n;
        for i in 0..n {
            match self.shards[(first + i) % n].0.try_lock() {
                Ok(shard) => return shard,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        lock(&self.shards[first].0)
    }

    /// Closes the intervals up to the one numbered `index`, and removes and returns what was counted in them, and when
    /// transactions completed. Intervals are fetched in order.
    pub fn fetch(&self, index: u64) -> (Tally, Option<IntervalCompletions>) {
        let mut all = Counts::new(self.transactions.len(), 0, self.counters.len());
        let mut idle = Vec::with_capacity(self.shards.len());
        for shard in &self.shards {
            let (mut closed, gaps) = lock(&shard.0).close_through(index);
            for counts in &mut closed {
                all.merge(counts);
                counts.clear();
            }
            lock(&shard.0).spare.append(&mut closed);
            idle.push(gaps);
        }
        let completions = all.completions.map(|(first_ns, last_ns)| {
            let idle = idle::common((first_ns, last_ns), idle.iter().map(Vec::as_slice));
            IntervalCompletions { first_ns, last_ns, idle }
        });
        // Read after the counts, so that each counted statement has its name.
        let mut tally = all.into_tally(&self.transactions, &(self.statements)(), &self.counters);
        tally.session_statements = tally.reconnects * self.session_statements;
        (tally, completions)
    }

    /// The name of a statement.
    pub fn statement(&self, index: u16) -> Option<String> {
        (self.statements)().into_iter().nth(usize::from(index)).map(|(name, _)| name)
    }

    /// Calls `change` with the greatest index of an interval that is being counted, while nothing is.
    pub fn while_nothing_counts(&self, change: impl FnOnce(u64)) {
        let all: Vec<_> = self.shards.iter().map(|shard| lock(&shard.0)).collect();
        change(all.iter().map(|shard| shard.slot.index).max().unwrap_or(0));
    }

    /// When the last counted transaction ended, nanoseconds since the common start.
    pub fn last_end_ns(&self) -> u64 {
        self.shards.iter().map(|s| lock(&s.0).last_end_ns).max().unwrap_or(0)
    }

    /// Just after the latest intended start that was counted, nanoseconds since the common start.
    pub fn begun_to_ns(&self) -> u64 {
        self.shards.iter().map(|s| lock(&s.0).begun_to_ns).max().unwrap_or(0)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic the counters remain valid.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shard {
    /// Counts a transaction that ended at `end_ns` with the statements of its last attempt. One that lasted beyond the end of the
    /// drive at `over_ns`, or beyond its phase if its start decides, is not counted: it is open. The further transactions of a burst
    /// have no scheduled start of their own: they are scheduled when they are counted. Returns the phase in which it was counted.
    #[inline]
    pub fn count(
        &mut self,
        end_ns: u64,
        over_ns: u64,
        done: &Completion,
        context: &TransactionContext,
    ) -> Option<Phase> {
        self.step_to(end_ns);
        if end_ns > over_ns {
            return None;
        }
        if done.completed {
            self.note_completion(end_ns);
        }
        let lasted_ns = match context.burst.as_slice() {
            [] => done.wait_ns + done.service_ns,
            burst => burst.iter().sum(),
        };
        let began_within = done.scheduled_start.phase == self.slot.phase;
        if began_within && !self.after_planned_end {
            self.current.in_progress_ns += lasted_ns;
        } else {
            self.current.in_progress_ns += self.within_phase(end_ns, lasted_ns);
            if !began_within && !self.counts_by_end() {
                return None;
            }
        }
        self.last_end_ns = self.last_end_ns.max(end_ns);
        if let Some(intended_ns) = done.scheduled_start.intended_ns {
            self.begun_to_ns = self.begun_to_ns.max(intended_ns + 1);
        }
        if context.burst.is_empty() {
            self.current.add(done);
        } else {
            self.current.add_burst(done, &context.burst);
        }
        self.current.add_statements(&context.records);
        self.current.add_connects(context);
        if done.completed {
            self.current.add_counts(&context.counts);
        }
        Some(self.slot.phase)
    }

    /// Whether what ends now is counted, whenever it began.
    #[inline]
    fn counts_by_end(&self) -> bool {
        self.counted_by == CountedBy::End && self.slot.phase != Phase::CoolDown
    }

    /// How much of the `lasted_ns` before `end_ns` lies within the phase that is being counted and before its planned end.
    #[cold]
    fn within_phase(&self, end_ns: u64, lasted_ns: u64) -> u64 {
        let (from_ns, to_ns) = match self.slot.phase {
            Phase::WarmUp => (0, self.timeline.warmup_ns()),
            _ => (self.timeline.warmup_ns(), self.timeline.end_ns()),
        };
        end_ns.min(to_ns).saturating_sub((end_ns - lasted_ns.min(end_ns)).max(from_ns))
    }

    /// Records that something completed, whatever its phase: the database is working.
    #[inline]
    fn note_completion(&mut self, end_ns: u64) {
        let completions = &mut self.current.completions;
        *completions = match *completions {
            None => Some((end_ns, end_ns)),
            Some((first, last)) => Some((first.min(end_ns), last.max(end_ns))),
        };
        if end_ns > self.completed_ns {
            if end_ns - self.completed_ns > idle::LEAST_NS {
                self.gaps.push((self.completed_ns, end_ns));
            }
            self.completed_ns = end_ns;
        }
    }

    /// Counts the statements of an attempt that ended at `end_ns` and will be followed by another.
    pub fn count_attempt(&mut self, end_ns: u64, over_ns: u64, phase: Phase, context: &TransactionContext) {
        self.step_to(end_ns);
        if (phase == self.slot.phase || self.counts_by_end()) && end_ns <= over_ns {
            self.current.add_statements(&context.records);
            self.current.add_connects(context);
        }
    }

    /// Takes the next start of a closed schedule for a client that is free at `free_ns`, and counts it.
    #[inline]
    pub fn next(&mut self, schedule: &Closed, free_ns: u64, end_ns: u64) -> Option<ScheduledStart> {
        let scheduled_start = schedule.take(free_ns, end_ns)?;
        self.step_to(free_ns);
        let counts = scheduled_start.phase == self.slot.phase || self.counts_by_end();
        self.current.scheduled += u64::from(counts);
        Some(scheduled_start)
    }

    /// Counts the pause of a client that is over at `to_ns`.
    pub fn count_pause(&mut self, from_ns: u64, to_ns: u64) {
        self.step_to(to_ns);
        self.current.paused_ns += self.within_phase(to_ns, to_ns - from_ns.min(to_ns));
    }

    /// Counts a reconnect.
    pub fn count_reconnect(&mut self, at_ns: u64) {
        self.step_to(at_ns);
        self.current.reconnects += 1;
    }

    /// Counts a connect that failed, after a loss: between two transactions, so that it is part of none.
    pub fn count_connect_error(&mut self, at_ns: u64, error: &Error) {
        self.step_to(at_ns);
        self.current.add_connect_error(error);
    }

    #[inline]
    fn step_to(&mut self, at_ns: u64) {
        if at_ns >= self.slot.to_ns {
            self.close_current(self.timeline.slot_at(at_ns));
        }
    }

    #[cold]
    fn close_current(&mut self, next: IntervalSlot) {
        let fresh = self.spare.pop().unwrap_or_else(|| self.current.like());
        self.closed.push_back((self.slot.index, std::mem::replace(&mut self.current, fresh)));
        self.slot = next;
        self.after_planned_end = next.phase == Phase::Measure && next.from_ns >= self.timeline.end_ns();
    }

    /// The counts of all intervals up to this one, and the periods without a completion that extend into it.
    fn close_through(&mut self, index: u64) -> (Vec<Counts>, Vec<(u64, u64)>) {
        if self.slot.index <= index {
            self.close_current(self.timeline.slot(index.saturating_add(1)));
        }
        let mut fetched = Vec::new();
        while let Some((closed, _)) = self.closed.front()
            && *closed <= index
        {
            fetched.extend(self.closed.pop_front().map(|(_, counts)| counts));
        }
        let mut gaps = self.gaps.clone();
        gaps.push((self.completed_ns, u64::MAX));
        let to_ns = self.timeline.slot(index).to_ns;
        self.gaps.retain(|(_, end_ns)| *end_ns > to_ns);
        (fetched, gaps)
    }
}

impl Counts {
    fn new(transactions: usize, statements: usize, counters: usize) -> Counts {
        Counts {
            transactions: (0..transactions).map(|_| TransactionCounts::default()).collect(),
            statements: (0..statements).map(|_| StatementCounts::default()).collect(),
            counters: vec![0; counters],
            ..Counts::default()
        }
    }

    /// Empty counts of the same structure.
    fn like(&self) -> Counts {
        Counts::new(self.transactions.len(), self.statements.len(), self.counters.len())
    }

    #[inline]
    fn add(&mut self, done: &Completion) {
        let Some(counts) = self.transactions.get_mut(done.transaction) else {
            debug_assert!(false, "the workload named a transaction it does not have: {}", done.transaction);
            return;
        };
        counts.tally.retries += done.retries;
        if !done.completed {
            self.failed += 1;
            counts.tally.failed += 1;
            counts.tally.failed_service.record(done.service_ns);
            return;
        }
        self.completed += 1;
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
    fn add_burst(&mut self, done: &Completion, burst: &[u64]) {
        self.scheduled += burst.len() as u64 - 1;
        for &service_ns in burst {
            self.add(&Completion { service_ns, ..*done });
        }
    }

    #[inline]
    fn add_statements(&mut self, marks: &[StatementRecord]) {
        for mark in marks {
            let index = usize::from(mark.statement);
            if index >= self.statements.len() {
                self.make_room(index + 1);
            }
            let StatementCounts { tally } = &mut self.statements[index];
            match &mark.error {
                None => {
                    tally.completed += 1;
                    tally.empty += u64::from(mark.rows == 0);
                    tally.rows += mark.rows;
                    tally.service.record(mark.service_ns);
                }
                Some(error) => *tally.errors.entry(error.label()).or_default() += 1,
            }
        }
    }

    #[inline]
    fn add_connects(&mut self, context: &TransactionContext) {
        self.reconnects += u64::from(context.reconnects);
        context.connect_errors.iter().for_each(|error| self.add_connect_error(error));
    }

    #[cold]
    fn add_connect_error(&mut self, error: &Error) {
        *self.connect_errors.entry(error.label()).or_default() += 1;
    }

    #[inline]
    fn add_counts(&mut self, counts: &[(u16, u64)]) {
        for (counter, n) in counts {
            match self.counters.get_mut(usize::from(*counter)) {
                Some(count) => *count += n,
                None => debug_assert!(false, "the workload named a counter it does not have: {counter}"),
            }
        }
    }

    /// Adds a name that was not known at the start.
    #[cold]
    fn make_room(&mut self, statements: usize) {
        self.statements.resize_with(statements, StatementCounts::default);
    }

    fn merge(&mut self, other: &Counts) {
        if other.statements.len() > self.statements.len() {
            self.make_room(other.statements.len());
        }
        let Counts {
            scheduled,
            completed,
            failed,
            reconnects,
            in_progress_ns,
            paused_ns,
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
        self.scheduled += scheduled;
        self.completed += completed;
        self.failed += failed;
        self.reconnects += reconnects;
        self.in_progress_ns += in_progress_ns;
        self.paused_ns += paused_ns;
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
    fn clear(&mut self) {
        let Counts {
            scheduled,
            completed,
            failed,
            reconnects,
            in_progress_ns,
            paused_ns,
            connect_errors,
            completions,
            transactions,
            statements,
            counters,
        } = self;
        counters.fill(0);
        connect_errors.clear();
        *completions = None;
        (*scheduled, *completed, *failed, *reconnects) = (0, 0, 0, 0);
        (*in_progress_ns, *paused_ns) = (0, 0);
        for TransactionCounts { prompt, tally } in transactions {
            let TransactionTally { completed, failed, retries, response, service, wait, failed_service } = tally;
            (*completed, *failed, *retries) = (0, 0, 0);
            for histogram in [prompt, response, service, wait, failed_service] {
                forget(histogram);
            }
        }
        for StatementCounts { tally: StatementTally { kind: _, completed, empty, rows, service, errors } } in statements
        {
            (*completed, *empty, *rows) = (0, 0, 0);
            forget(service);
            errors.clear();
        }
    }

    /// By name; names under which nothing was counted are omitted. The schedule's counts are not included.
    fn into_tally(self, transactions: &[String], statements: &[(String, StatementKind)], counters: &[String]) -> Tally {
        let Counts { reconnects, in_progress_ns, paused_ns, .. } = self;
        let mut tally = Tally { reconnects, in_progress_ns, paused_ns, ..Tally::default() };
        tally.accounting.scheduled = self.scheduled;
        tally.accounting.completed = self.completed;
        tally.accounting.failed = self.failed;
        tally.transactions = transactions
            .iter()
            .zip(self.transactions)
            .filter(|(_, c)| c.tally.completed + c.tally.failed + c.tally.retries > 0)
            .map(|(name, c)| (name.clone(), c.into_tally()))
            .collect::<BTreeMap<_, _>>();
        tally.statements = statements
            .iter()
            .zip(self.statements)
            .filter(|(_, c)| c.tally.completed > 0 || !c.tally.errors.is_empty())
            .map(|((name, kind), c)| (name.clone(), StatementTally { kind: *kind, ..c.tally }))
            .collect::<BTreeMap<_, _>>();
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

/// Clearing writes to every bucket, which an empty histogram does not need.
fn forget(histogram: &mut Histogram) {
    if histogram.count() > 0 {
        histogram.clear();
    }
}

impl TransactionCounts {
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
