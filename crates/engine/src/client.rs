//! The life of one client, with the critical loop: from the actual start of a transaction to its last row nothing
//! happens here that is not the workload's.

use crate::pace::Pacer;
use crate::policy::{self, Then};
use crate::run::{Clock, Run, locked};
use crate::schedule::{Schedule, Ticket};
use crate::shard::Done;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tenbin_driver::{Error, Transport};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_workload::{Client, Mark, Random, Turn};
use tokio::time::Instant;

/// The generator's streams for pauses lie far from those that clients draw their data from.
const PAUSES_STREAM: u64 = 1 << 40;

/// One client and what the engine keeps for it.
pub struct Seat {
    pub number: u32,
    client: Box<dyn Client>,
    turn: Turn,
    connected: bool,
    random: Random,
}

/// Where a client lives.
pub struct Place<'a> {
    pub run: &'a Run,
    pub clock: Clock,
    pub pacer: &'a Pacer,
    pub transport: Transport,
    pub shard: usize,
}

impl Seat {
    pub fn new(number: u32, client: Box<dyn Client>, seed: u64) -> Seat {
        let random = Random::new(seed, PAUSES_STREAM + u64::from(number));
        Seat { number, client, turn: Turn::default(), connected: false, random }
    }
}

/// Transactions until the schedule has no more, the end comes or the client is lost.
pub async fn live(seat: &mut Seat, place: &Place<'_>) {
    seat.turn.last = !seat.client.has_work();
    let mut next = match place.run {
        _ if seat.turn.last => Next::Leave,
        run if run.paced => Next::Rest { free_ns: 0 },
        run => run.take(0, place.shard).into(),
    };
    loop {
        let ticket = match next {
            Next::Start(ticket) => match ticket.intended_ns {
                Some(intended_ns) if !place.pacer.until(intended_ns, place.run).await => return,
                _ => ticket,
            },
            // However late the timer is, the start is intended for the end of the rest.
            Next::Rest { free_ns } => {
                let due_ns = free_ns.saturating_add(seat.client.pause().as_nanos() as u64);
                if !place.pacer.rest_until(due_ns, place.run).await {
                    return;
                }
                match place.run.take(due_ns, place.shard) {
                    Some(ticket) => Ticket { intended_ns: Some(due_ns), ..ticket },
                    None => return,
                }
            }
            Next::Leave => return,
        };

        if let Some(intended_ns) = ticket.intended_ns {
            place.run.per_client.take(seat.number, intended_ns);
        }
        // Made beforehand and dropped afterwards, so that its memory is got and given back outside.
        seat.turn.attempt = 0;
        seat.turn.leave = place.run.leave;
        let mut step = seat.client.transaction(&mut seat.turn);
        // ---- critical: actual start to last row ----
        let start = Instant::now();
        let outcome = step.as_mut().await;
        let end = Instant::now();
        // ---- the transaction has ended; from here on it is our own time ----
        drop(step);

        let attempt = Attempt { ticket, start_ns: place.clock.ns(start), end_ns: place.clock.ns(end) };
        next = match outcome {
            Ok(_) if seat.turn.quit => {
                seat.turn.last = true;
                place.run.per_client.answer(seat.number);
                return count_attempt(seat, place, &attempt);
            }
            Ok(transaction) => settle(seat, place, &attempt.completed(transaction), attempt.end_ns),
            // On the heap, so that ten thousand well ones need not carry the room for it.
            Err(error) => Box::pin(hint(seat, place, attempt, error)).await,
        };
        // A workload that never waits for anything must still let the others have their turn.
        tokio::task::coop::consume_budget().await;
    }
}

/// What a client does after a transaction. That some rest is known only to [`settle`], which says so, and to [`live`].
#[derive(Debug, Clone, Copy)]
enum Next {
    /// Another one, at once or when it is meant to start.
    Start(Ticket),
    /// Rests as long as its workload wants, counted from here; then another one.
    Rest { free_ns: u64 },
    /// Nothing more.
    Leave,
}

impl From<Option<Ticket>> for Next {
    fn from(ticket: Option<Ticket>) -> Next {
        ticket.map_or(Next::Leave, Next::Start)
    }
}

/// The first attempt of a transaction.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    ticket: Ticket,
    start_ns: u64,
    end_ns: u64,
}

impl Attempt {
    fn completed(&self, transaction: usize) -> Done {
        Done {
            ticket: self.ticket,
            transaction,
            completed: true,
            retries: 0,
            wait_ns: self.start_ns - self.ticket.intended_ns.unwrap_or(self.start_ns).min(self.start_ns),
            service_ns: self.end_ns - self.start_ns,
        }
    }

    fn failed(&self, transaction: usize) -> Done {
        Done { completed: false, ..self.completed(transaction) }
    }
}

/// Counts a transaction that ended at `end_ns` and takes leave for the next: in the closed loop under one lock. A client
/// that rests takes it afterwards.
#[inline]
fn settle(seat: &mut Seat, place: &Place<'_>, done: &Done, end_ns: u64) -> Next {
    let run = place.run;
    let mut shard = run.shards.enter(place.shard);
    let counted = shard.count(end_ns, run.over_ns(), done, &seat.turn);
    let next = match &run.schedule {
        _ if seat.turn.last => Next::Leave,
        _ if run.paced => Next::Rest { free_ns: end_ns },
        Schedule::Closed(closed) => {
            let next = shard.next(closed, end_ns, run.end_ns());
            drop(shard);
            next.into()
        }
        Schedule::Open(_) => {
            drop(shard);
            run.take(end_ns, place.shard).into()
        }
    };
    if counted {
        run.per_client.count_all(seat.number, done, &seat.turn.burst);
        if done.ticket.intended_ns.is_some() {
            run.per_client.answer(seat.number);
        }
    }
    forget(&mut seat.turn);
    next
}

/// Counts a transaction without asking for another.
fn settle_last(seat: &mut Seat, place: &Place<'_>, done: &Done, end_ns: u64) {
    let run = place.run;
    if run.shards.enter(place.shard).count(end_ns, run.over_ns(), done, &seat.turn) {
        run.per_client.count_all(seat.number, done, &seat.turn.burst);
        run.per_client.answer(seat.number);
    }
    forget(&mut seat.turn);
}

/// Makes the turn good for another attempt.
#[inline]
fn forget(turn: &mut Turn) {
    turn.marks.clear();
    turn.counts.clear();
    turn.burst.clear();
    turn.reconnects = 0;
}

/// Counts the statements of an attempt that was not the transaction's end.
fn count_attempt(seat: &mut Seat, place: &Place<'_>, attempt: &Attempt) {
    let run = place.run;
    let phase = attempt.ticket.phase;
    run.shards.enter(place.shard).count_attempt(attempt.end_ns, run.over_ns(), phase, &seat.turn);
    forget(&mut seat.turn);
}

/// Counts what the client has sent outside of transactions, at `at_ns`.
pub fn count_aside(seat: &mut Seat, run: &Run, shard: usize, at_ns: u64) {
    seat.client.aside(&mut seat.turn);
    if !seat.turn.marks.is_empty() {
        let phase = run.timeline.phase_at(at_ns);
        run.shards.enter(shard).count_attempt(at_ns, run.over_ns(), phase, &seat.turn);
    }
    forget(&mut seat.turn);
}

/// What follows an error: retries, a new connection, the end. Answers with what the client does then.
async fn hint(seat: &mut Seat, place: &Place<'_>, first: Attempt, error: Error) -> Next {
    let Place { run, clock, .. } = *place;
    let (mut error, mut end_ns) = (error, first.end_ns);
    let mut done = first.failed(seat.turn.transaction);
    let first_wait_ns = done.wait_ns;
    let mut paused_ns = 0;
    let mut attempt = 0;
    loop {
        match policy::after(&error, attempt, &run.policy) {
            Then::Retry => {}
            Then::Next => return fail(seat, place, &done, end_ns, Link::Open).await,
            Then::Reconnect => return fail(seat, place, &done, end_ns, Link::Lost).await,
            Then::Leave => {
                settle_last(seat, place, &done, end_ns);
                lose(seat, run, end_ns);
                return Next::Leave;
            }
            Then::Stop => {
                let problem = stopped_by(seat, run, &error);
                settle_last(seat, place, &done, end_ns);
                run.fail(end_ns, problem);
                return Next::Leave;
            }
        }

        count_attempt(seat, place, &Attempt { end_ns, ..first });
        if seat.client.recover().await.is_err() {
            return fail(seat, place, &done, end_ns, Link::Lost).await;
        }
        attempt += 1;
        let rested = Instant::now();
        let pause = policy::before_retry(attempt, &mut seat.random);
        if !rest(place, pause).await {
            // The end came first: open, not failed.
            return Next::Leave;
        }

        seat.turn.attempt = attempt;
        let mut step = seat.client.transaction(&mut seat.turn);
        // ---- critical, as above ----
        let start = Instant::now();
        let outcome = step.as_mut().await;
        let end = Instant::now();
        // ---- to here ----
        drop(step);

        // The pause is a wait; all that the server did for us, ROLLBACK too, is service.
        paused_ns += (start - rested).as_nanos() as u64;
        end_ns = clock.ns(end);
        done.retries = u64::from(attempt);
        done.wait_ns = first_wait_ns + paused_ns;
        done.service_ns = end_ns - first.start_ns - paused_ns;
        match outcome {
            Ok(_) if seat.turn.quit => {
                seat.turn.last = true;
                run.per_client.answer(seat.number);
                count_attempt(seat, place, &Attempt { end_ns, ..first });
                return Next::Leave;
            }
            Ok(transaction) => return settle(seat, place, &Done { completed: true, transaction, ..done }, end_ns),
            Err(again) => {
                done.transaction = seat.turn.transaction;
                error = again;
            }
        }
    }
}

/// What a failed transaction left of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    Open,
    Lost,
}

/// Counts a failed transaction and brings the client back to where it can start another.
async fn fail(seat: &mut Seat, place: &Place<'_>, done: &Done, end_ns: u64, link: Link) -> Next {
    let Place { run, clock, .. } = *place;
    // In the closed loop the client wants to go again at once. In the open loop it must not claim a start that it
    // cannot serve yet.
    let wanted = match &run.schedule {
        Schedule::Closed(_) => Some(settle(seat, place, done, end_ns)),
        Schedule::Open(_) => {
            settle_last(seat, place, done, end_ns);
            None
        }
    };
    if let Some(Next::Leave) = wanted {
        return Next::Leave;
    }
    let lost = link == Link::Lost || seat.client.recover().await.is_err();
    if lost {
        lose(seat, run, end_ns);
        if let Some(Next::Start(ticket)) = wanted {
            // Under way since the loss, should it never come to start.
            run.per_client.take(seat.number, ticket.intended_ns.unwrap_or(end_ns));
        }
        if !run.policy.reconnect || !reconnect(seat, place).await {
            return Next::Leave;
        }
        let now_ns = clock.now_ns();
        run.shards.enter(place.shard).count_reconnect(now_ns);
        locked(&run.outages).back(now_ns);
    }
    match wanted {
        // The outage is part of the next response time.
        Some(Next::Start(ticket)) if lost => Next::Start(Ticket { intended_ns: Some(end_ns), ..ticket }),
        // One that is longer than a rest makes the next start late, and so its response time long.
        Some(next) => next,
        None => run.take(clock.now_ns(), place.shard).into(),
    }
}

/// Opens the connection again, for as long as the drive lasts; `false` when its end came first.
async fn reconnect(seat: &mut Seat, place: &Place<'_>) -> bool {
    let run = place.run;
    let trying = async {
        let mut failed = 0;
        while connect(seat, run, place.transport).await.is_err() {
            failed += 1;
            tokio::time::sleep(policy::before_reconnect(failed, &mut seat.random)).await;
        }
    };
    tokio::select! {
        biased;
        () = run.ended(place.clock) => false,
        () = trying => true,
    }
}

/// Pauses; `false` when it was over before.
async fn rest(place: &Place<'_>, pause: Duration) -> bool {
    tokio::select! {
        biased;
        () = place.run.over(place.clock) => false,
        () = tokio::time::sleep(pause) => true,
    }
}

fn stopped_by(seat: &Seat, run: &Run, error: &Error) -> Problem {
    // Others that went out with it may have failed too.
    let of_it = |m: &&Mark| m.error.as_ref().is_some_and(|e| e.message() == error.message());
    let failed = seat.turn.marks.iter().rev().find(of_it);
    let doing = match failed.and_then(|m| run.shards.statement(m.statement)) {
        Some(name) => msg!("statement-of-client", name, number = seat.number),
        None => msg!("transaction-of-client", number = seat.number),
    };
    let problem = error.problem(doing);
    if problem.hint.is_some() { problem } else { problem.hint(msg!("count-errors-and-go-on")) }
}

/// Opens the client's connection; few do so at a time.
pub async fn connect(seat: &mut Seat, run: &Run, transport: Transport) -> Result<(), Error> {
    // Never closed, so always granted.
    let _leave = run.connects.acquire().await;
    seat.client.connect(transport).await?;
    seat.connected = true;
    run.connected.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Closes the client's connection if it has one.
pub async fn close(seat: &mut Seat, run: &Run) {
    if seat.connected {
        seat.connected = false;
        run.connected.fetch_sub(1, Ordering::Relaxed);
        let _too_late_to_matter = seat.client.close().await;
    }
}

/// Whether the client left because it had done all it was made for.
pub fn has_done_all(seat: &Seat) -> bool {
    seat.turn.last
}

/// Takes down that a client's connection is gone since `at_ns`, whatever became of it.
pub fn lose(seat: &mut Seat, run: &Run, at_ns: u64) {
    if std::mem::take(&mut seat.connected) {
        run.connected.fetch_sub(1, Ordering::Relaxed);
        locked(&run.outages).lost(at_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of the future that this makes.
    fn future<'a, F: Future>(_: impl FnOnce(&'a mut Seat, &'a Place<'a>) -> F) -> usize {
        size_of::<F>()
    }

    /// Ten thousand clients carry it, so what has no part in a transaction that goes well lies on the heap.
    #[test]
    fn a_client_that_is_well_is_small() {
        let bytes = future(live);
        assert!(bytes <= 304, "{bytes} bytes for a client's life");
    }
}
