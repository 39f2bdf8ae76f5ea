//! One client, with the critical loop: between the actual start of a transaction and its last row, only code of
//! the workload is executed.

use crate::counts::Completion;
use crate::lock::locked;
use crate::pace::Pacer;
use crate::per_client::Totals;
use crate::policy::{self, ErrorAction};
use crate::prefetch::MemoryTable;
use crate::run::{Clock, DriveState};
use crate::schedule::{ScheduledStart, StartSchedule};
use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tenbin_client::{Class, Client, Error, MemoryRange, Random, StatementRecord, TransactionContext, Transport};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::time::Instant;

/// The random streams for pauses are distinct from those of the clients' data.
const PAUSES_STREAM: u64 = 1 << 40;

/// Transactions since this client had to wait for anything, during which no other client of its thread was executed.
#[derive(Default)]
struct InARow(u32);

impl InARow {
    /// After this many, other clients have their turn.
    const MOST: u32 = 128;

    /// Counts one more; whether the client has to let others go on now.
    #[inline]
    fn is_enough(&mut self, waited: bool) -> bool {
        self.0 = if waited { 0 } else { self.0 + 1 };
        self.0.is_multiple_of(Self::MOST) && self.0 > 0
    }
}

/// One client and the engine's state for it.
pub struct ClientSlot {
    /// Its place among the clients of this process.
    pub place: u32,
    /// Its number among all.
    pub number: u32,
    /// The place of its group.
    group: u8,
    client: Box<dyn Client>,
    context: TransactionContext,
    connected: bool,
    /// The engine knows the memory of its transactions, which is complete after the first one.
    memory_known: bool,
    random: Random,
}

/// What the clients of a worker share.
pub struct WorkerContext<'a> {
    pub run: &'a DriveState,
    pub clock: Clock,
    pub pacer: &'a Pacer,
    pub transport: Transport,
    pub shard: usize,
    /// Of the clients of this worker, of which the first has the place `first`.
    pub memory: &'a MemoryTable,
    pub first: u32,
}

impl ClientSlot {
    pub fn new(place: u32, (number, group): (u32, u8), client: Box<dyn Client>, seed: u64) -> ClientSlot {
        let random = Random::new(seed, PAUSES_STREAM + u64::from(number));
        ClientSlot {
            place,
            number,
            group,
            client,
            context: TransactionContext::default(),
            connected: false,
            memory_known: false,
            random,
        }
    }

    /// The memory that its transactions use, beside its own.
    pub fn memory(&self, totals: &Totals) -> Vec<MemoryRange> {
        let mut all = self.client.memory();
        all.push(MemoryRange::of(&*self.client));
        all.extend(totals.memory(self.place));
        // Only the first record: a transaction of many statements reaches the others later.
        all.extend(self.context.records.first().map(MemoryRange::of));
        all
    }
}

/// Executes transactions until the schedule is exhausted, the drive ends or the client is lost.
pub async fn live(client_slot: &mut ClientSlot, worker: &WorkerContext<'_>) {
    client_slot.context.last = !client_slot.client.has_work();
    let mut next = match worker.run {
        _ if client_slot.context.last => NextStep::Leave,
        run if run.paced => NextStep::Rest { free_ns: 0 },
        run => run.take(0, worker.shard, client_slot.group).into(),
    };
    if let NextStep::Start(ScheduledStart { intended_ns: None, .. }) = next {
        worker.run.per_client.take(client_slot.place, 0);
    }
    let mut in_a_row = InARow::default();
    loop {
        let scheduled_start = match next {
            NextStep::Start(scheduled_start) => {
                if let Some(intended_ns) = scheduled_start.intended_ns {
                    // Before the wait: it falls due although this thread may wake late.
                    worker.run.per_client.take(client_slot.place, intended_ns);
                    if !worker.pacer.until(intended_ns, worker.run).await {
                        return;
                    }
                }
                scheduled_start
            }
            // However late the timer is, the intended start is the end of the pause.
            NextStep::Rest { free_ns } => {
                let pause_ns = client_slot.client.pause().as_nanos() as u64;
                let from_ns = if client_slot.client.pauses_from_now() { worker.clock.now_ns() } else { free_ns };
                let due_ns = from_ns.saturating_add(pause_ns);
                worker.run.per_client.pause(client_slot.place, Some(free_ns));
                if !worker.pacer.rest_until(due_ns, worker.run).await {
                    return;
                }
                worker.run.shards.enter(worker.shard).count_pause(free_ns, due_ns);
                worker.run.per_client.pause(client_slot.place, None);
                let Some(scheduled_start) = worker.run.take(due_ns, worker.shard, client_slot.group) else { return };
                worker.run.per_client.take(client_slot.place, due_ns);
                ScheduledStart { intended_ns: Some(due_ns), ..scheduled_start }
            }
            NextStep::Leave => return,
        };

        // Created before and dropped after, so that memory is allocated and freed outside of the critical section.
        client_slot.context.attempt = 0;
        client_slot.context.waited = Duration::ZERO;
        client_slot.context.leave = worker.run.leave;
        let index = (client_slot.place - worker.first) as usize;
        let mut step = client_slot.client.transaction(&mut client_slot.context);
        worker.memory.set_transaction(index, MemoryRange::of(&*step));
        let mut waited = false;
        // ---- critical: actual start to last row ----
        let start = Instant::now();
        let outcome = poll_fn(|cx| {
            let polled = step.as_mut().poll(cx);
            waited |= polled.is_pending();
            polled
        })
        .await;
        let end = Instant::now();
        // ---- the transaction has ended; what follows is not counted ----
        drop(step);
        if !client_slot.memory_known {
            client_slot.memory_known = true;
            worker.memory.set_rest(index, client_slot.memory(&worker.run.per_client).into_iter());
        }

        let attempt = Attempt { scheduled_start, start_ns: worker.clock.ns(start), end_ns: worker.clock.ns(end) };
        next = match outcome {
            Ok(_) if client_slot.context.quit => {
                client_slot.context.last = true;
                worker.run.per_client.answer(client_slot.place);
                // What it would start next is due beyond the end: until then it pauses.
                if worker.run.paced {
                    worker.run.per_client.pause(client_slot.place, Some(attempt.end_ns));
                }
                return count_attempt(client_slot, worker, &attempt);
            }
            Ok(transaction) => {
                let done = attempt.completed(transaction).with_wait(client_slot.context.waited);
                settle(client_slot, worker, &done, attempt.end_ns)
            }
            // On the heap, so that the futures of clients without errors do not need space for it.
            Err(error) => Box::pin(handle_error(client_slot, worker, attempt, error)).await,
        };
        // A workload that never waits must still yield to other clients.
        if in_a_row.is_enough(waited) {
            tokio::task::yield_now().await;
        }
    }
}

/// What a client does after a transaction. Pauses between transactions concern only [`settle`] and [`live`].
#[derive(Debug, Clone, Copy)]
enum NextStep {
    /// Another one, at once or at its intended start.
    Start(ScheduledStart),
    /// Pauses for as long as its workload requests, from now on; then another one.
    Rest { free_ns: u64 },
    /// Nothing more.
    Leave,
}

impl From<Option<ScheduledStart>> for NextStep {
    fn from(scheduled_start: Option<ScheduledStart>) -> NextStep {
        scheduled_start.map_or(NextStep::Leave, NextStep::Start)
    }
}

/// The first attempt of a transaction.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    scheduled_start: ScheduledStart,
    start_ns: u64,
    end_ns: u64,
}

impl Attempt {
    fn completed(&self, transaction: usize) -> Completion {
        Completion {
            scheduled_start: self.scheduled_start,
            transaction,
            completed: true,
            retries: 0,
            wait_ns: self.start_ns - self.scheduled_start.intended_ns.unwrap_or(self.start_ns).min(self.start_ns),
            service_ns: self.end_ns - self.start_ns,
        }
    }

    fn failed(&self, transaction: usize) -> Completion {
        Completion { completed: false, ..self.completed(transaction) }
    }
}

/// Counts a transaction that ended at `end_ns` and takes the next start: in the closed loop under one lock. A client
/// that pauses takes it afterwards.
#[inline]
fn settle(client_slot: &mut ClientSlot, worker: &WorkerContext<'_>, done: &Completion, end_ns: u64) -> NextStep {
    let (run, over_ns) = (worker.run, worker.run.over_ns());
    let mut shard = run.shards.enter(worker.shard);
    let counted = shard.count(end_ns, over_ns, done, &client_slot.context);
    let next = match &run.groups.at(client_slot.group).schedule {
        _ if client_slot.context.last => NextStep::Leave,
        _ if run.paced => NextStep::Rest { free_ns: end_ns },
        StartSchedule::Closed(closed) => {
            let next = shard.next(closed, end_ns, run.end_ns());
            drop(shard);
            next.into()
        }
        StartSchedule::Open(_) => {
            drop(shard);
            run.take(end_ns, worker.shard, client_slot.group).into()
        }
    };
    if let Some(phase) = counted {
        run.per_client.count_all(client_slot.place, phase, done, &client_slot.context.burst);
    }
    // Also if it is counted in no phase, unless it ended with the drive: then it is in progress at the end.
    if counted.is_some() || end_ns < over_ns {
        run.per_client.answer(client_slot.place);
    }
    // In the closed loop it is in progress from now on.
    if let NextStep::Start(ScheduledStart { intended_ns: None, .. }) = next {
        run.per_client.take(client_slot.place, end_ns);
    }
    forget(&mut client_slot.context);
    next
}

/// Counts a transaction without taking another start.
fn settle_last(client_slot: &mut ClientSlot, worker: &WorkerContext<'_>, done: &Completion, end_ns: u64) {
    let (run, over_ns) = (worker.run, worker.run.over_ns());
    let counted = run.shards.enter(worker.shard).count(end_ns, over_ns, done, &client_slot.context);
    if let Some(phase) = counted {
        run.per_client.count_all(client_slot.place, phase, done, &client_slot.context.burst);
    }
    if counted.is_some() || end_ns < over_ns {
        run.per_client.answer(client_slot.place);
    }
    forget(&mut client_slot.context);
}

/// Resets the context for another attempt.
#[inline]
fn forget(context: &mut TransactionContext) {
    context.records.clear();
    context.counts.clear();
    context.burst.clear();
    context.connect_errors.clear();
    context.reconnects = 0;
}

/// Counts the statements of an attempt that was not the transaction's end.
fn count_attempt(client_slot: &mut ClientSlot, worker: &WorkerContext<'_>, attempt: &Attempt) {
    let run = worker.run;
    let start = &attempt.scheduled_start;
    run.shards.enter(worker.shard).count_attempt(attempt.end_ns, run.over_ns(), start, &client_slot.context);
    forget(&mut client_slot.context);
}

/// Counts the statements that the client sent outside of transactions, at `at_ns`.
pub fn count_aside(client_slot: &mut ClientSlot, run: &DriveState, shard: usize, at_ns: u64) {
    client_slot.client.aside(&mut client_slot.context);
    if !client_slot.context.records.is_empty() {
        let (phase, group) = (run.timeline.phase_at(at_ns), client_slot.group);
        let counted_by = run.groups.at(group).counted_by;
        let start = ScheduledStart { phase, intended_ns: None, counted_by, group };
        run.shards.enter(shard).count_attempt(at_ns, run.over_ns(), &start, &client_slot.context);
    }
    forget(&mut client_slot.context);
}

/// Handles an error: retries, a new connection, the end. Returns what the client does next.
async fn handle_error(
    client_slot: &mut ClientSlot,
    worker: &WorkerContext<'_>,
    first: Attempt,
    error: Error,
) -> NextStep {
    let WorkerContext { run, clock, .. } = *worker;
    let (mut error, mut end_ns) = (error, first.end_ns);
    let mut done = first.failed(client_slot.context.transaction).with_wait(client_slot.context.waited);
    let first_wait_ns = done.wait_ns;
    let mut paused_ns = 0;
    let mut attempt = 0;
    loop {
        let action = policy::after(&error, attempt, client_slot.context.retries, &run.policy);
        let is_too_late = end_ns.saturating_sub(run.end_ns()) > policy::RETRIES_AFTER_END.as_nanos() as u64;
        match action {
            ErrorAction::Retry if is_too_late && run.policy.stop_on_error => {
                return stop(client_slot, worker, &error, &done, end_ns);
            }
            ErrorAction::Retry if is_too_late => return fail(client_slot, worker, &done, end_ns, Link::Open).await,
            ErrorAction::RetryElsewhere if is_too_late => {
                return fail(client_slot, worker, &done, end_ns, Link::Lost).await;
            }
            ErrorAction::Retry | ErrorAction::RetryElsewhere => {}
            ErrorAction::Next => return fail(client_slot, worker, &done, end_ns, Link::Open).await,
            ErrorAction::Reconnect => return fail(client_slot, worker, &done, end_ns, Link::Lost).await,
            ErrorAction::Leave => {
                settle_last(client_slot, worker, &done, end_ns);
                lose(client_slot, run, end_ns);
                return NextStep::Leave;
            }
            ErrorAction::Stop => return stop(client_slot, worker, &error, &done, end_ns),
        }

        count_attempt(client_slot, worker, &Attempt { end_ns, ..first });
        if action == ErrorAction::RetryElsewhere {
            let lost = Instant::now();
            lose(client_slot, run, end_ns);
            if !reconnect(client_slot, worker).await {
                settle_last(client_slot, worker, &done, clock.now_ns());
                return NextStep::Leave;
            }
            paused_ns += (Instant::now() - lost).as_nanos() as u64;
        } else if client_slot.client.recover().await.is_err() {
            return fail(client_slot, worker, &done, end_ns, Link::Lost).await;
        }
        attempt += 1;
        let rested = Instant::now();
        let pause = policy::before_retry(attempt, &mut client_slot.random);
        if !rest(worker, pause).await {
            // The drive ended first: the transaction is open, not failed.
            return NextStep::Leave;
        }

        client_slot.context.attempt = attempt;
        let mut step = client_slot.client.transaction(&mut client_slot.context);
        // ---- critical, as above ----
        let start = Instant::now();
        let outcome = step.as_mut().await;
        let end = Instant::now();
        // ---- end of the critical section ----
        drop(step);

        // The pause counts as wait; everything that the server did, including ROLLBACK, counts as service.
        paused_ns += (start - rested).as_nanos() as u64;
        end_ns = clock.ns(end);
        done.retries = u64::from(attempt);
        done.wait_ns = first_wait_ns + paused_ns;
        done.service_ns = end_ns - first.start_ns - paused_ns;
        match outcome {
            Ok(_) if client_slot.context.quit => {
                client_slot.context.last = true;
                run.per_client.answer(client_slot.place);
                count_attempt(client_slot, worker, &Attempt { end_ns, ..first });
                return NextStep::Leave;
            }
            Ok(transaction) => {
                return settle(client_slot, worker, &Completion { completed: true, transaction, ..done }, end_ns);
            }
            Err(again) => {
                done.transaction = client_slot.context.transaction;
                error = again;
            }
        }
    }
}

/// The state of the connection after a failed transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    Open,
    Lost,
}

/// Counts a failed transaction and prepares the client for another.
async fn fail(
    client_slot: &mut ClientSlot,
    worker: &WorkerContext<'_>,
    done: &Completion,
    end_ns: u64,
    link: Link,
) -> NextStep {
    let WorkerContext { run, clock, .. } = *worker;
    // In the closed loop the client starts again at once. In the open loop it must not take a start that it
    // cannot serve yet.
    let wanted = match &run.groups.at(client_slot.group).schedule {
        StartSchedule::Closed(_) => Some(settle(client_slot, worker, done, end_ns)),
        StartSchedule::Open(_) => {
            settle_last(client_slot, worker, done, end_ns);
            None
        }
    };
    if let Some(NextStep::Leave) = wanted {
        return NextStep::Leave;
    }
    let lost = link == Link::Lost || client_slot.client.recover().await.is_err();
    // Until then it was in the transaction that failed. A pause has begun with its end, and an outage is part of the next response time.
    if !lost && !matches!(wanted, Some(NextStep::Rest { .. })) {
        let now_ns = clock.now_ns();
        if now_ns < run.over_ns() {
            run.shards.enter(worker.shard).count_recovery(end_ns, now_ns);
            if wanted.is_some() {
                run.per_client.take(client_slot.place, now_ns);
            }
        }
    }
    if lost {
        lose(client_slot, run, end_ns);
        if let Some(NextStep::Start(scheduled_start)) = wanted {
            // In progress since the loss, in case it never starts.
            run.per_client.take(client_slot.place, scheduled_start.intended_ns.unwrap_or(end_ns));
        }
        if !run.policy.reconnect || !reconnect(client_slot, worker).await {
            return NextStep::Leave;
        }
    }
    match wanted {
        // The outage is part of the next response time.
        Some(NextStep::Start(scheduled_start)) if lost => {
            NextStep::Start(ScheduledStart { intended_ns: Some(end_ns), ..scheduled_start })
        }
        // An outage that is longer than the pause delays the next start, and thus increases its response time.
        Some(next) => next,
        None => run.take(clock.now_ns(), worker.shard, client_slot.group).into(),
    }
}

/// Tries to reopen the connection until the drive ends, and counts that; `false` if it ended first.
async fn reconnect(client_slot: &mut ClientSlot, worker: &WorkerContext<'_>) -> bool {
    let run = worker.run;
    let trying = async {
        let mut failed = 0;
        while let Err(error) = connect(client_slot, run, worker.transport).await {
            run.shards.enter(worker.shard).count_connect_error(worker.clock.now_ns(), &error);
            failed += 1;
            tokio::time::sleep(policy::before_reconnect(failed, &mut client_slot.random)).await;
        }
    };
    let is_back = tokio::select! {
        biased;
        () = run.ended(worker.clock) => false,
        () = trying => true,
    };
    if is_back {
        let now_ns = worker.clock.now_ns();
        run.shards.enter(worker.shard).count_reconnect(now_ns);
        locked(&run.outages).back(now_ns);
    }
    is_back
}

/// Pauses; `false` if the drive ended first.
async fn rest(worker: &WorkerContext<'_>, pause: Duration) -> bool {
    tokio::select! {
        biased;
        () = worker.run.over(worker.clock) => false,
        () = tokio::time::sleep(pause) => true,
    }
}

/// Counts a failed transaction and ends the drive.
fn stop(
    client_slot: &mut ClientSlot,
    worker: &WorkerContext<'_>,
    error: &Error,
    done: &Completion,
    end_ns: u64,
) -> NextStep {
    let problem = stopped_by(client_slot, worker.run, error);
    settle_last(client_slot, worker, done, end_ns);
    worker.run.fail(end_ns, problem);
    NextStep::Leave
}

fn stopped_by(client_slot: &ClientSlot, run: &DriveState, error: &Error) -> Problem {
    // Other statements that were sent with it may have failed too.
    let of_it = |m: &&StatementRecord| m.error.as_ref().is_some_and(|e| e.message() == error.message());
    let failed = client_slot.context.records.iter().rev().find(of_it);
    let doing = match failed.and_then(|m| run.shards.statement(m.statement)) {
        Some(name) => msg!("statement-of-client", name, number = client_slot.number),
        None => msg!("transaction-of-client", number = client_slot.number),
    };
    let problem = error.problem(doing);
    if problem.hint.is_some() { problem } else { problem.hint(msg!("count-errors-and-go-on")) }
}

/// Opens the client's connection; the number of clients that do so at the same time is limited.
pub async fn connect(client_slot: &mut ClientSlot, run: &DriveState, transport: Transport) -> Result<(), Error> {
    // The semaphore is never closed.
    let _leave = run.connects.acquire().await;
    client_slot.client.connect(transport).await?;
    client_slot.connected = true;
    run.connected.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Closes the client's connection if it has one.
pub async fn close(client_slot: &mut ClientSlot, run: &DriveState) {
    if client_slot.connected {
        client_slot.connected = false;
        run.connected.fetch_sub(1, Ordering::Relaxed);
        let last_work = client_slot.client.ends_with_work().then(|| client_slot.client.unwritten());
        // In case that it does not come to an end.
        run.per_client.leave_unwritten(client_slot.place, last_work.unwrap_or(0));
        run.ending(last_work);
        let outcome = client_slot.client.close().await;
        run.ended_work(last_work);
        let unwritten = client_slot.client.unwritten();
        run.per_client.leave_unwritten(client_slot.place, unwritten);
        if let Err(error) = outcome {
            run.end_failed(client_slot.number, error, unwritten);
        }
    } else if client_slot.client.unwritten() > 0 {
        let (error, unwritten) = (Error::new(Class::Lost, msg!("not-connected")), client_slot.client.unwritten());
        run.per_client.leave_unwritten(client_slot.place, unwritten);
        run.end_failed(client_slot.number, error, unwritten);
    }
}

/// Whether the client ended because it has completed its work.
pub fn has_done_all(client_slot: &ClientSlot) -> bool {
    client_slot.context.last
}

/// Records that the client has had no connection since `at_ns`.
pub fn lose(client_slot: &mut ClientSlot, run: &DriveState, at_ns: u64) {
    if std::mem::take(&mut client_slot.connected) {
        run.connected.fetch_sub(1, Ordering::Relaxed);
        locked(&run.outages).lost(at_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Size of the future that the function returns, in bytes.
    fn future<'a, F: Future>(_: impl FnOnce(&'a mut ClientSlot, &'a WorkerContext<'a>) -> F) -> usize {
        size_of::<F>()
    }

    /// There may be ten thousand of these futures, so what a successful transaction does not need is on the heap.
    #[test]
    fn a_client_that_is_well_is_small() {
        let bytes = future(live);
        assert!(bytes <= 312, "{bytes} bytes for a client's life");
    }

    #[test]
    fn a_client_that_waits_for_replies_never_yields_besides() {
        let mut in_a_row = InARow::default();
        assert!((0..10_000).all(|_| !in_a_row.is_enough(true)));
        let yields = (1..=1000).filter(|_| in_a_row.is_enough(false)).count();
        assert_eq!(yields, 1000 / 128);
        assert!((0..1000).all(|n| !in_a_row.is_enough(n % 100 == 0)), "it waits before there are too many");
    }
}
