//! What the workers and the collector of one drive share.

use crate::outages::Outages;
use crate::per_client::Totals;
use crate::schedule::{ScheduledStart, StartSchedule};
use crate::shard::Shards;
use crate::timeline::Timeline;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tenbin_client::Error;
use tenbin_model::problem::Problem;
use tenbin_model::trial::Policy;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

/// How many connections are being opened at any moment: servers answer a flood with resets.
const CONNECTS_AT_ONCE: usize = 64;

/// How often anybody who waits looks whether the end has been moved.
pub const LOOK: Duration = Duration::from_millis(50);

/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// How long it may take at most, whatever a drain may.
const LONGEST_GOODBYE: Duration = Duration::from_secs(60);

/// What the workers are to do; only ever moves on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerPhase {
    /// Open connections, then wait.
    Connect,
    /// Drive; the common start.
    Drive(Instant),
    /// Say goodbye.
    Close,
    /// Let go of everything.
    Drop,
}

/// Shared by all workers and the collector.
pub struct DriveState {
    pub clients: u32,
    pub workers: u32,
    pub policy: Policy,
    pub timeline: Timeline,
    pub schedule: StartSchedule,
    pub shards: Shards,
    pub per_client: Totals,
    /// Who lost its connection, and when it had another.
    pub outages: Mutex<Outages>,
    /// Clients rest between transactions.
    pub paced: bool,
    pub seed: u64,
    /// How many transactions one call of a client may do.
    pub leave: u32,
    /// Leave to open a connection.
    pub connects: Semaphore,
    pub stage: watch::Sender<WorkerPhase>,
    /// Wakes the collector.
    pub notify: Notify,
    /// Clients with an open connection.
    pub connected: AtomicU32,
    /// Workers that have tried to connect all their clients.
    pub ready: AtomicU32,
    /// Clients that may still start a transaction or have one under way.
    pub driving: AtomicU32,
    /// Clients that have left because they had no more to do.
    pub content: AtomicU32,
    /// Workers that have finished.
    pub finished: AtomicU32,
    end_ns: AtomicU64,
    over_ns: AtomicU64,
    fault: Mutex<Option<Problem>>,
    refusal: Mutex<Option<Error>>,
}

/// Nanoseconds since the common start.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pub start: Instant,
}

impl Clock {
    #[inline]
    pub fn ns(self, at: Instant) -> u64 {
        at.duration_since(self.start).as_nanos() as u64
    }

    pub fn now_ns(self) -> u64 {
        self.ns(Instant::now())
    }

    pub fn instant(self, ns: u64) -> Instant {
        // A window without limit ends beyond what an instant can hold: a year is as good.
        const YEAR_NS: u64 = 365 * 24 * 3600 * 1_000_000_000;
        self.start + Duration::from_nanos(ns.min(YEAR_NS))
    }
}

impl DriveState {
    pub fn new(
        (clients, workers, leave): (u32, u32, u32),
        policy: Policy,
        timeline: Timeline,
        schedule: StartSchedule,
        shards: Shards,
        (paced, drain_ns): (bool, u64),
        seed: u64,
    ) -> DriveState {
        DriveState {
            clients,
            workers,
            policy,
            timeline,
            schedule,
            shards,
            per_client: Totals::new(clients),
            outages: Mutex::default(),
            paced,
            seed,
            leave,
            connects: Semaphore::new(CONNECTS_AT_ONCE),
            stage: watch::Sender::new(WorkerPhase::Connect),
            notify: Notify::new(),
            connected: AtomicU32::new(0),
            ready: AtomicU32::new(0),
            driving: AtomicU32::new(clients),
            content: AtomicU32::new(0),
            finished: AtomicU32::new(0),
            end_ns: AtomicU64::new(timeline.end_ns()),
            over_ns: AtomicU64::new(timeline.end_ns().saturating_add(drain_ns)),
            fault: Mutex::new(None),
            refusal: Mutex::new(None),
        }
    }

    /// No transaction starts at this instant or later, nanoseconds since the common start.
    #[inline]
    pub fn end_ns(&self) -> u64 {
        self.end_ns.load(Ordering::Relaxed)
    }

    /// Nothing that ends later than this instant is counted: the end, or later where what is under way then may finish.
    #[inline]
    pub fn over_ns(&self) -> u64 {
        self.over_ns.load(Ordering::Relaxed)
    }

    /// How long a goodbye may take: where what is under way may finish, what is left to send at the end is a part of it.
    pub fn goodbye(&self) -> Duration {
        GOODBYE.max(Duration::from_nanos(self.over_ns().saturating_sub(self.end_ns())).min(LONGEST_GOODBYE))
    }

    /// Moves the end to `at_ns` if it was later. A start that was counted in no time at all, at that very instant,
    /// stays within.
    pub fn end_at(&self, at_ns: u64) {
        self.over_ns.fetch_min(self.close_at(at_ns), Ordering::Relaxed);
    }

    /// The same when nothing is left to start; what is to be said behind it still counts. Answers with the end.
    pub fn close_at(&self, at_ns: u64) -> u64 {
        let at_ns = match &self.schedule {
            StartSchedule::Closed(_) => at_ns,
            StartSchedule::Open(arrivals) => {
                let begun_to_ns = self.shards.begun_to_ns();
                locked(arrivals).close(at_ns.max(begun_to_ns))
            }
        };
        self.end_ns.fetch_min(at_ns, Ordering::Relaxed);
        at_ns
    }

    /// Ends the drive now because of `problem`, if nothing else has; the first one is told.
    pub fn fail(&self, now_ns: u64, problem: Problem) {
        locked(&self.fault).get_or_insert(problem);
        self.end_at(now_ns);
        self.notify.notify_one();
    }

    /// Takes down that a worker is gone with its clients; the collector ends the drive.
    pub fn abort(&self, problem: Problem) {
        locked(&self.fault).get_or_insert(problem);
        self.notify.notify_one();
    }

    /// What [`Self::fail`] was told first.
    pub fn fault(&self) -> Option<Problem> {
        locked(&self.fault).clone()
    }

    /// Takes down that a client could not connect at the start; the first error is told.
    pub fn refuse(&self, error: Error) {
        locked(&self.refusal).get_or_insert(error);
        self.notify.notify_one();
    }

    /// What [`Self::refuse`] was told first.
    pub fn refusal(&self) -> Option<Error> {
        locked(&self.refusal).clone()
    }

    /// The next start of a client that is free since `free_ns`; the closed schedule's is counted in `shard`.
    pub fn take(&self, free_ns: u64, shard: usize) -> Option<ScheduledStart> {
        match &self.schedule {
            StartSchedule::Closed(closed) => self.shards.enter(shard).next(closed, free_ns, self.end_ns()),
            StartSchedule::Open(arrivals) => locked(arrivals).take(free_ns),
        }
    }

    /// Moves all workers on to `stage`.
    pub fn enter_stage(&self, stage: WorkerPhase) {
        self.stage.send_replace(stage);
    }

    /// Adds one to a count that the collector waits for.
    pub fn report(&self, count: &AtomicU32) {
        count.fetch_add(1, Ordering::SeqCst);
        self.notify.notify_one();
    }

    /// A client leaves; `content`: it had no more to do.
    pub fn leave(&self, content: bool) {
        self.content.fetch_add(content.into(), Ordering::SeqCst);
        if self.driving.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.notify.notify_one();
        }
    }

    /// Waits until the end has come.
    pub async fn ended(&self, clock: Clock) {
        self.reached(clock, DriveState::end_ns).await;
    }

    /// Waits until nothing more is counted.
    pub async fn over(&self, clock: Clock) {
        self.reached(clock, DriveState::over_ns).await;
    }

    async fn reached(&self, clock: Clock, instant: impl Fn(&DriveState) -> u64) {
        loop {
            let now = Instant::now();
            let end = clock.instant(instant(self));
            if now >= end {
                return;
            }
            tokio::time::sleep_until(end.min(now + LOOK)).await;
        }
    }
}

/// Locks what only holds plain data: a panic elsewhere leaves it usable.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
