//! One worker: carries clients from their first connection to their last goodbye.
//!
//! The same story for an event loop with ten thousand clients and for a thread with one; a single client is awaited
//! directly, without a task of its own.

use crate::client::{self, Place, Seat};
use crate::pace::{Pacer, Timing};
use crate::run::{Clock, Run, Stage};
use crate::schedule::Schedule;
use futures_util::FutureExt;
use std::any::Any;
use std::future::Future;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use tenbin_driver::{Class, Error, Transport};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_workload::Workload;
use tokio::sync::watch::Receiver;
use tokio::task::JoinSet;

/// Makes the clients with these numbers, on the thread that will carry them.
pub fn make(workload: &dyn Workload, numbers: Range<u32>, of: u32, seed: u64) -> Result<Vec<Seat>, Problem> {
    let made = catch_unwind(AssertUnwindSafe(|| {
        numbers.clone().map(|n| Seat::new(n, workload.client(n, of, seed), seed)).collect()
    }));
    made.map_err(|panic| {
        Problem::new(msg!("clients-panicked-when-made", workload = workload.name())).evidence(words(&*panic))
    })
}

/// Carries the clients until the drive is over, or drops them when told to.
pub async fn carry(run: Arc<Run>, seats: Vec<Seat>, transport: Transport, timing: Timing, shard: usize) {
    let mut stage = run.stage.subscribe();
    tokio::select! {
        biased;
        () = story(&run, seats, transport, timing, shard) => {}
        _ = reach(&mut stage, |s| s == Stage::Drop) => {}
    }
    run.report(&run.finished);
}

/// Connects, waits for the start, drives, waits for the end, says goodbye.
async fn story(run: &Arc<Run>, seats: Vec<Seat>, transport: Transport, timing: Timing, shard: usize) {
    let connect = async move |seat: &mut Seat, run: &Run| connect_first(seat, run, transport).await;
    let mut seats = each(seats, connect, run).await;
    run.report(&run.ready);

    let mut stage = run.stage.subscribe();
    let mut driven = None;
    if let Stage::Drive(start) = reach(&mut stage, |s| s != Stage::Connect).await {
        let clock = Clock { start };
        driven = Some(clock);
        seats = drive(run, seats, clock, transport, timing, shard).await;
    }

    reach(&mut stage, |s| matches!(s, Stage::Close | Stage::Drop)).await;
    let goodbye = async move |seat: &mut Seat, run: &Run| {
        let _panicked_at_the_door = guarded(client::close(seat, run)).await;
        if let Some(clock) = driven {
            client::count_aside(seat, run, shard, clock.now_ns());
        }
    };
    let patience = run.goodbye();
    let _too_late_to_matter = tokio::time::timeout(patience, each(seats, goodbye, run)).await;
}

/// Opens a client's first connection, unless another client was refused already.
async fn connect_first(seat: &mut Seat, run: &Run, transport: Transport) {
    if run.refusal().is_some() || *run.stage.borrow() != Stage::Connect {
        return;
    }
    match guarded(client::connect(seat, run, transport)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => run.refuse(error),
        Err(said) => {
            run.refuse(Error::new(Class::Protocol, msg!("client-panicked-because", number = seat.number, said)))
        }
    }
}

/// Drives all clients until each has left.
async fn drive(
    run: &Arc<Run>,
    seats: Vec<Seat>,
    clock: Clock,
    transport: Transport,
    timing: Timing,
    shard: usize,
) -> Vec<Seat> {
    let pacer = Rc::new(Pacer::new(clock, transport, timing));
    let mut beside = JoinSet::new();
    if transport == Transport::Shared && (run.paced || matches!(run.schedule, Schedule::Open(_))) {
        let (pacer, run) = (pacer.clone(), run.clone());
        beside.spawn_local(async move { pacer.keep(&run).await });
    }
    each(
        seats,
        async move |seat, run| {
            let place = Place { run, clock, pacer: &pacer, transport, shard };
            client::count_aside(seat, run, shard, 0);
            if let Err(said) = guarded(client::live(seat, &place)).await {
                client::lose(seat, run, clock.now_ns());
                let what = msg!("client-panicked", number = seat.number);
                run.fail(clock.now_ns(), Problem::new(what).evidence(said));
            }
            run.leave(client::has_done_all(seat));
        },
        run,
    )
    .await
}

/// Does the same for all clients at once and gives them back. A single one is awaited in place.
async fn each<F>(seats: Vec<Seat>, work: F, run: &Arc<Run>) -> Vec<Seat>
where
    F: AsyncFn(&mut Seat, &Run) + 'static,
{
    if seats.len() == 1 {
        let mut seats = seats;
        for seat in &mut seats {
            work(seat, run).await;
        }
        return seats;
    }
    let work = Rc::new(work);
    let mut tasks = JoinSet::new();
    for mut seat in seats {
        let (work, run) = (work.clone(), run.clone());
        tasks.spawn_local(async move {
            work(&mut seat, &run).await;
            seat
        });
    }
    let mut back = Vec::with_capacity(tasks.len());
    while let Some(done) = tasks.join_next().await {
        // A panic is caught inside, so what does not come back was dropped.
        back.extend(done.ok());
    }
    back
}

/// Awaits `work`; a panic in it ends as an error with its words.
async fn guarded<T>(work: impl Future<Output = T>) -> Result<T, String> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(|panic| words(&*panic))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it left no words".to_owned())
}

async fn reach(stage: &mut Receiver<Stage>, wanted: impl Fn(Stage) -> bool) -> Stage {
    // The sender lives as long as the drive; without it there is nothing left to do.
    stage.wait_for(|s| wanted(*s)).await.map_or(Stage::Drop, |s| *s)
}
