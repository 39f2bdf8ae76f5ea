//! The counters of clients: a few shards, each a set of counters and histograms behind a lock, one set per interval.
//!
//! A worker that is an event loop has its own shard, so its lock is never contended. Hundreds of workers with one
//! client each share a few shards per core, because a histogram takes up to 150 KB, and there are a dozen. A client
//! counts after its transaction has ended, never during it. The counts of an interval are closed by the first of: a
//! client whose transaction ended after it, or the collector.

use crate::counts::{Completion, Counts, Starts};
use crate::lock::locked;
use crate::schedule::{Closed, ScheduledStart};
use crate::timeline::{IntervalSlot, Timeline};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, TryLockError};
use tenbin_client::{Error, StatementRecord, TransactionContext};
use tenbin_model::event::Phase;
use tenbin_model::idle::{self, Period};
use tenbin_model::tally::{CountedBy, StatementKind, Tally};
use tenbin_model::trial::ClientGroup;

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

impl IntervalCompletions {
    /// The periods without completions in an interval that had these, and before and after them.
    pub fn idle_of(&self, (from_ns, to_ns): Period) -> Vec<Period> {
        let mut all = vec![(from_ns, self.first_ns.max(from_ns))];
        all.extend(&self.idle);
        all.push((self.last_ns.min(to_ns), to_ns));
        all.retain(|(from, to)| to > from);
        all
    }
}

impl Shards {
    pub fn new(
        n: usize,
        timeline: Timeline,
        transactions: Vec<String>,
        statements: StatementNames,
        counters: Vec<String>,
    ) -> Shards {
        let known = statements().len();
        let counts = || Counts::new(transactions.len(), known, counters.len());
        let shard = || Shard {
            slot: timeline.slot(0),
            timeline: timeline.clone(),
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
        locked(&self.shards[first].0)
    }

    /// Closes the intervals up to the one numbered `index`, and removes and returns what was counted in them, the starts of each group of clients, and
    /// when transactions completed. Intervals are fetched in order.
    pub fn fetch(&self, index: u64) -> (Tally, [Starts; ClientGroup::MOST], Option<IntervalCompletions>) {
        let mut all = Counts::new(self.transactions.len(), 0, self.counters.len());
        let mut idle = Vec::with_capacity(self.shards.len());
        for shard in &self.shards {
            let (mut closed, gaps) = locked(&shard.0).close_through(index);
            for counts in &mut closed {
                all.merge(counts);
                counts.clear();
            }
            locked(&shard.0).spare.append(&mut closed);
            idle.push(gaps);
        }
        let completions = all.completions.map(|(first_ns, last_ns)| {
            let idle = idle::common((first_ns, last_ns), idle.iter().map(Vec::as_slice));
            IntervalCompletions { first_ns, last_ns, idle }
        });
        let starts = all.starts;
        // Read after the counts, so that each counted statement has its name.
        let mut tally = all.into_tally(&self.transactions, &(self.statements)(), &self.counters);
        tally.session_statements = tally.reconnects * self.session_statements;
        (tally, starts, completions)
    }

    /// The name of a statement.
    pub fn statement(&self, index: u16) -> Option<String> {
        (self.statements)().into_iter().nth(usize::from(index)).map(|(name, _)| name)
    }

    /// Calls `change` with the greatest index of an interval that is being counted, while nothing is.
    pub fn while_nothing_counts(&self, change: impl FnOnce(u64)) {
        let all: Vec<_> = self.shards.iter().map(|shard| locked(&shard.0)).collect();
        change(all.iter().map(|shard| shard.slot.index).max().unwrap_or(0));
    }

    /// When the last counted transaction ended, nanoseconds since the common start.
    pub fn last_end_ns(&self) -> u64 {
        self.shards.iter().map(|s| locked(&s.0).last_end_ns).max().unwrap_or(0)
    }

    /// Just after the latest intended start that was counted, nanoseconds since the common start.
    pub fn begun_to_ns(&self) -> u64 {
        self.shards.iter().map(|s| locked(&s.0).begun_to_ns).max().unwrap_or(0)
    }
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
            // While it waited for a client, by the schedule of the workload, the client was in another transaction.
            [] => (done.wait_ns + done.service_ns).saturating_sub(context.waited.as_nanos() as u64),
            burst => burst.iter().sum(),
        };
        let began_within = done.scheduled_start.phase == self.slot.phase;
        if began_within && !self.after_planned_end {
            self.current.in_progress_ns += lasted_ns;
        } else {
            self.current.in_progress_ns += self.within_phase(end_ns, lasted_ns);
            if !began_within && !self.counts_by_end(&done.scheduled_start) {
                self.carry(end_ns, done, &context.records);
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
            self.current.left_open += u64::from(context.records.last().is_some_and(|last| last.open));
        }
        Some(self.slot.phase)
    }

    /// What ends now, and belongs to an earlier phase by its start. Otherwise what the server did in this phase would not be known.
    #[cold]
    fn carry(&mut self, end_ns: u64, done: &Completion, records: &[StatementRecord]) {
        if self.slot.phase == Phase::Measure {
            self.current.carry_transaction(done);
            self.current.carried.service_ns += self.within_phase(end_ns, done.service_ns);
            self.current.carry(records, !done.completed);
        }
    }

    /// Whether what ends now is counted, whenever it began.
    #[inline]
    fn counts_by_end(&self, start: &ScheduledStart) -> bool {
        start.counted_by == CountedBy::End && self.slot.phase != Phase::CoolDown
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
    pub fn count_attempt(&mut self, end_ns: u64, over_ns: u64, start: &ScheduledStart, context: &TransactionContext) {
        self.step_to(end_ns);
        if end_ns > over_ns {
            return;
        }
        if start.phase == self.slot.phase || self.counts_by_end(start) {
            self.current.add_statements(&context.records);
            self.current.add_connects(context);
        } else if self.slot.phase == Phase::Measure {
            self.current.carry(&context.records, true);
        }
    }

    /// Takes the next start of a closed schedule for a client that is free at `free_ns`, and counts it.
    #[inline]
    pub fn next(&mut self, schedule: &Closed, free_ns: u64, end_ns: u64) -> Option<ScheduledStart> {
        let scheduled_start = schedule.take(free_ns, end_ns)?;
        self.step_to(free_ns);
        let counts = scheduled_start.phase == self.slot.phase || self.counts_by_end(&scheduled_start);
        self.current.starts[scheduled_start.group()].scheduled += u64::from(counts);
        Some(scheduled_start)
    }

    /// Counts the pause of a client that is over at `to_ns`.
    pub fn count_pause(&mut self, from_ns: u64, to_ns: u64) {
        self.step_to(to_ns);
        self.current.paused_ns += self.within_phase(to_ns, to_ns - from_ns.min(to_ns));
    }

    /// Counts the time that a client needed after a transaction that failed, for its ROLLBACK.
    pub fn count_recovery(&mut self, from_ns: u64, to_ns: u64) {
        self.step_to(to_ns);
        self.current.in_progress_ns += self.within_phase(to_ns, to_ns - from_ns.min(to_ns));
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
