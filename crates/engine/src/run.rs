//! The shared state of the workers and the collector of one drive.

use crate::DriveControl;
use crate::groups::Groups;
use crate::lock::locked;
use crate::outages::Outages;
use crate::part::ClientNumbers;
use crate::per_client::Totals;
use crate::schedule::{ScheduledStart, StartSchedule};
use crate::shard::Shards;
use crate::timeline::Timeline;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use tenbin_client::{Class, Error};
use tenbin_model::trial::{Load, Policy};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

/// How many connections are opened at the same time: servers respond to too many with resets.
const CONNECTS_AT_ONCE: usize = 64;

/// How often waiting tasks check whether the end has moved.
pub const LOOK: Duration = Duration::from_millis(50);

/// How long closing a client may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// The maximum, also if the load drains.
const LONGEST_GOODBYE: Duration = Duration::from_secs(60);

/// What the workers have to do; only moves forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerPhase {
    /// Open connections, then wait.
    Connect,
    /// Drive; the common start.
    Drive(Instant),
    /// Close the connections.
    Close,
    /// Drop everything.
    Drop,
}

/// Shared by all workers and the collector.
pub struct DriveState {
    /// Clients of this process.
    pub clients: u32,
    /// Their numbers.
    pub numbers: ClientNumbers,
    /// Clients of all load hosts.
    pub all_clients: u32,
    pub workers: u32,
    pub policy: Policy,
    pub timeline: Timeline,
    pub groups: Groups,
    pub shards: Shards,
    pub per_client: Totals,
    /// When clients lost their connections, and when they had another.
    pub outages: Mutex<Outages>,
    /// Clients pause between transactions.
    pub paced: bool,
    pub seed: u64,
    pub control: DriveControl,
    /// How many transactions a client may execute per call.
    pub leave: u32,
    /// Permits to open a connection.
    pub connects: Semaphore,
    pub stage: watch::Sender<WorkerPhase>,
    /// Wakes the collector.
    pub notify: Notify,
    /// How many of [`DriveControl::inquiries`] have been answered.
    pub answered: AtomicU32,
    /// Clients with an open connection.
    pub connected: AtomicU32,
    /// Workers that have tried to connect all their clients.
    pub ready: AtomicU32,
    /// Clients that may still start a transaction or have one in progress.
    pub driving: AtomicU32,
    /// Clients that have left because their work was done.
    pub content: AtomicU32,
    /// Workers that have finished.
    pub finished: AtomicU32,
    end_ns: AtomicU64,
    over_ns: AtomicU64,
    drain_ns: u64,
    fault: Mutex<Option<Problem>>,
    unfinished: Mutex<Option<FailedEnds>>,
    /// Clients whose last work is in progress, and the counted transactions whose rows it writes.
    ending: (AtomicU32, AtomicU64),
    refusal: Mutex<Option<Error>>,
}

/// The clients whose end failed.
#[derive(Debug, Clone)]
struct FailedEnds {
    /// The first of them, if it is known which, and its error.
    first: (Option<u32>, Error),
    /// How many there are.
    clients: u32,
    /// Transactions that were counted, and whose rows were not written.
    unwritten: u64,
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
        // An unlimited window would exceed the range of an instant; a year is equivalent.
        const YEAR_NS: u64 = 365 * 24 * 3600 * 1_000_000_000;
        self.start + Duration::from_nanos(ns.min(YEAR_NS))
    }
}

impl DriveState {
    pub fn new(
        (load, numbers): (&Load, ClientNumbers),
        (workers, leave): (u32, u32),
        timeline: Timeline,
        groups: Groups,
        shards: Shards,
        (paced, drain_ns): (bool, u64),
        seed: u64,
    ) -> DriveState {
        let end_ns = timeline.end_ns();
        let clients = numbers.count();
        DriveState {
            clients,
            numbers,
            all_clients: load.clients,
            workers,
            policy: load.policy.clone(),
            timeline,
            groups,
            shards,
            per_client: Totals::new(clients),
            outages: Mutex::default(),
            paced,
            seed,
            control: DriveControl::default(),
            leave,
            connects: Semaphore::new(CONNECTS_AT_ONCE),
            stage: watch::Sender::new(WorkerPhase::Connect),
            notify: Notify::new(),
            answered: AtomicU32::new(0),
            connected: AtomicU32::new(0),
            ready: AtomicU32::new(0),
            driving: AtomicU32::new(clients),
            content: AtomicU32::new(0),
            finished: AtomicU32::new(0),
            end_ns: AtomicU64::new(end_ns),
            over_ns: AtomicU64::new(end_ns.saturating_add(drain_ns)),
            drain_ns,
            fault: Mutex::new(None),
            unfinished: Mutex::new(None),
            ending: (AtomicU32::new(0), AtomicU64::new(0)),
            refusal: Mutex::new(None),
        }
    }

    /// Whether transactions have intended starts: a rate, or pauses.
    pub fn has_intended_starts(&self) -> bool {
        self.paced || self.groups.has_rate()
    }

    /// No transaction starts at this instant or later, nanoseconds since the common start.
    #[inline]
    pub fn end_ns(&self) -> u64 {
        self.end_ns.load(Ordering::Relaxed)
    }

    /// Nothing that ends after this instant is counted: the end, or later if transactions in progress may finish.
    #[inline]
    pub fn over_ns(&self) -> u64 {
        self.over_ns.load(Ordering::Relaxed)
    }

    /// How long closing a client may take: if the load drains, this includes the statements that are sent at the end.
    pub fn goodbye(&self) -> Duration {
        GOODBYE.max(Duration::from_nanos(self.over_ns().saturating_sub(self.end_ns())).min(LONGEST_GOODBYE))
    }

    /// Ends the warm-up early, with the first interval that nothing has been counted in and no start has been taken for: what is
    /// decided about a transaction remains. The measure is as long as planned.
    pub fn measure_now(&self) {
        // Without a number it cannot fail.
        let _ = self.begin_measure(None, || 0);
    }

    /// Ends the warm-up with the interval of this number. Fails, with the first that it could be, if that one has begun or something
    /// has been decided about it.
    pub fn measure_from(&self, index: u64, clock: Clock) -> Result<(), u64> {
        self.begin_measure(Some(index), || clock.now_ns().saturating_add(1))
    }

    /// `past_ns`: what lies before remains warm-up.
    fn begin_measure(&self, named: Option<u64>, past_ns: impl Fn() -> u64) -> Result<(), u64> {
        let begin = |decided_to_ns: u64| {
            let mut begun = Ok(());
            self.shards.while_nothing_counts(|counting| {
                let decided = self.timeline.slot_at(decided_to_ns.max(past_ns()).saturating_sub(1)).index;
                let first = counting.max(decided).saturating_add(1);
                if named.is_some_and(|index| index < first) {
                    begun = Err(first);
                } else {
                    self.timeline.measure_from(named.unwrap_or(first));
                }
            });
            begun.map(|()| self.timeline.end_ns())
        };
        let mut queues: Vec<_> = self.groups.queues().map(|(_, queue)| queue).collect();
        let end_ns = begin(queues.iter().map(|queue| queue.decided_to_ns()).max().unwrap_or(0))?;
        let end_ns = queues.iter_mut().map(|queue| queue.close(end_ns)).max().unwrap_or(end_ns);
        self.end_ns.fetch_min(end_ns, Ordering::Relaxed);
        self.over_ns.fetch_min(end_ns.saturating_add(self.drain_ns), Ordering::Relaxed);
        Ok(())
    }

    /// The first interval about which nothing will have been decided before this instant, whatever the clients do.
    pub fn undecided_at(&self, at_ns: u64) -> u64 {
        let ahead: Vec<_> = self.groups.queues().map(|(group, queue)| (group.clients, queue.ahead(at_ns))).collect();
        let decided_ns = ahead.into_iter().map(|(clients, ahead)| ahead.decided_to_ns(clients)).max();
        self.timeline.slot_at(decided_ns.unwrap_or(at_ns).max(at_ns)).index.saturating_add(1)
    }

    /// Moves the end to `at_ns` if it was later. A start that was counted exactly at that instant
    /// remains included.
    pub fn end_at(&self, at_ns: u64) {
        self.over_ns.fetch_min(self.close_at(at_ns), Ordering::Relaxed);
    }

    /// The same if nothing is left to start; statements sent while closing still count. Returns the end.
    pub fn close_at(&self, at_ns: u64) -> u64 {
        let at_ns = match self.groups.has_rate() {
            false => at_ns,
            true => {
                let end_ns = at_ns.max(self.shards.begun_to_ns());
                self.groups.queues().map(|(_, mut queue)| queue.close(end_ns)).max().unwrap_or(end_ns)
            }
        };
        self.end_ns.fetch_min(at_ns, Ordering::Relaxed);
        at_ns
    }

    /// Ends the drive now because of `problem`, unless it has ended already; the first problem is reported.
    pub fn fail(&self, now_ns: u64, problem: Problem) {
        locked(&self.fault).get_or_insert(problem);
        self.end_at(now_ns);
        self.notify.notify_one();
    }

    /// Records that a worker has failed with its clients; the collector ends the drive.
    pub fn abort(&self, problem: Problem) {
        locked(&self.fault).get_or_insert(problem);
        self.notify.notify_one();
    }

    /// The first problem passed to [`Self::fail`].
    pub fn fault(&self) -> Option<Problem> {
        locked(&self.fault).clone()
    }

    /// Records that a client begins its last work, which is to write the rows of this many counted transactions.
    pub fn ending(&self, last_work: Option<u64>) {
        if let Some(unwritten) = last_work {
            self.ending.0.fetch_add(1, Ordering::SeqCst);
            self.ending.1.fetch_add(unwritten, Ordering::SeqCst);
        }
    }

    /// Records that it has come to an end, whatever its outcome.
    pub fn ended_work(&self, last_work: Option<u64>) {
        if let Some(unwritten) = last_work {
            self.ending.0.fetch_sub(1, Ordering::SeqCst);
            self.ending.1.fetch_sub(unwritten, Ordering::SeqCst);
        }
    }

    /// Records the clients whose last work has not come to an end, once they are given up.
    pub fn give_up_ends(&self) {
        let (clients, unwritten) = (self.ending.0.load(Ordering::SeqCst), self.ending.1.load(Ordering::SeqCst));
        if clients > 0 {
            let error =
                Error::new(Class::Lost, msg!("last-statement-without-answer", seconds = self.goodbye().as_secs()));
            let mut all = locked(&self.unfinished);
            let all = all.get_or_insert_with(|| FailedEnds { first: (None, error), clients: 0, unwritten: 0 });
            all.clients += clients;
            all.unwritten += unwritten;
        }
    }

    /// Records that the end of a client failed: what it had still to send was not done, although this many of its transactions were
    /// counted before.
    pub fn end_failed(&self, client: u32, error: Error, unwritten: u64) {
        let mut all = locked(&self.unfinished);
        let all = all.get_or_insert_with(|| FailedEnds { first: (Some(client), error), clients: 0, unwritten: 0 });
        all.clients += 1;
        all.unwritten += unwritten;
    }

    /// The problem of the clients whose end failed, with the number of transactions that were counted and have not written their rows.
    fn unfinished(&self) -> Option<Problem> {
        let FailedEnds { first: (number, error), clients, unwritten } = locked(&self.unfinished).clone()?;
        let problem = error.problem(match number {
            Some(number) => msg!("end-of-client", number),
            None => msg!("end-of-some-clients"),
        });
        let of_all = (clients > 1 || unwritten > 0).then(|| msg!("end-of-clients", n = clients, unwritten));
        Some(with_evidence(problem, of_all))
    }

    /// Why the drive was cut short, if it was: `why`, with the rows that were not written then, or else the clients whose end failed.
    pub fn cut_short(&self, why: Option<Problem>) -> Option<Problem> {
        let Some(why) = why else { return self.unfinished() };
        let ends = locked(&self.unfinished).clone().filter(|ends| ends.unwritten > 0);
        Some(with_evidence(why, ends.map(|ends| msg!("end-of-clients", n = ends.clients, unwritten = ends.unwritten))))
    }

    /// Records that a client could not connect at the start; the first error is reported.
    pub fn refuse(&self, error: Error) {
        locked(&self.refusal).get_or_insert(error);
        self.notify.notify_one();
    }

    /// The first error passed to [`Self::refuse`].
    pub fn refusal(&self) -> Option<Error> {
        locked(&self.refusal).clone()
    }

    /// The next start for a client of this group that has been free since `free_ns`; in the closed schedule it is counted in `shard`.
    pub fn take(&self, free_ns: u64, shard: usize, group: u8) -> Option<ScheduledStart> {
        match &self.groups.at(group).schedule {
            StartSchedule::Closed(closed) => self.shards.enter(shard).next(closed, free_ns, self.end_ns()),
            StartSchedule::Open(arrivals) => locked(arrivals).take(free_ns),
        }
    }

    /// Moves all workers to `stage`.
    pub fn enter_stage(&self, stage: WorkerPhase) {
        self.stage.send_replace(stage);
    }

    /// Adds one to a count that the collector waits for.
    pub fn report(&self, count: &AtomicU32) {
        count.fetch_add(1, Ordering::SeqCst);
        self.notify.notify_one();
    }

    /// A client leaves; `content`: its work is done.
    pub fn leave(&self, content: bool) {
        self.content.fetch_add(content.into(), Ordering::SeqCst);
        if self.driving.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.notify.notify_one();
        }
    }

    /// Waits for the end.
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

/// The problem with one more line of evidence after its own.
fn with_evidence(problem: Problem, more: Option<Message>) -> Problem {
    let lines: Vec<Message> = problem.evidence.iter().cloned().chain(more).collect();
    if lines.is_empty() { problem } else { problem.evidence(Message::joined(lines, "\n")) }
}
