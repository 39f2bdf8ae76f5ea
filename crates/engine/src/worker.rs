//! One worker: runs clients from their first connection until they are closed.
//!
//! The same code for an event loop with ten thousand clients and for a thread with one; a single client is awaited
//! directly, without its own task.

use crate::client::{self, ClientSlot, WorkerContext};
use crate::pace::{Pacer, Timing};
use crate::prefetch::MemoryTable;
use crate::run::{Clock, DriveState, WorkerPhase};
use crate::together::together;
use futures_util::FutureExt;
use std::any::Any;
use std::future::Future;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use tenbin_client::{Class, Error, Transport, Workload};
use tenbin_sockets::Poller;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::sync::watch::Receiver;
use tokio::task::JoinSet;
use tokio::task::coop::unconstrained;

/// Creates the clients at these places among those of this process, on the thread that will run them.
pub fn make(workload: &dyn Workload, places: Range<u32>, run: &DriveState) -> Result<Vec<ClientSlot>, Problem> {
    let (of, seed) = (run.all_clients, run.seed);
    let made = catch_unwind(AssertUnwindSafe(|| {
        let client = |place| {
            let number = run.numbers.at(place);
            ClientSlot::new(place, (number, run.groups.place_of(number)), workload.client(number, of, seed), seed)
        };
        places.clone().map(client).collect()
    }));
    made.map_err(|panic| {
        Problem::new(msg!("clients-panicked-when-made", workload = workload.name())).evidence(words(&*panic))
    })
}

/// Runs the clients until the drive is over, or drops them on request.
pub async fn carry(
    run: Arc<DriveState>,
    client_slots: Vec<ClientSlot>,
    transport: Transport,
    timing: Timing,
    shard: usize,
) {
    let mut stage = run.stage.subscribe();
    tokio::select! {
        biased;
        () = story(&run, client_slots, transport, timing, shard) => {}
        _ = reach(&mut stage, |s| s == WorkerPhase::Drop) => {}
    }
    run.report(&run.finished);
}

/// Connects, waits for the start, drives, waits for the end, closes.
async fn story(
    run: &Arc<DriveState>,
    client_slots: Vec<ClientSlot>,
    transport: Transport,
    timing: Timing,
    shard: usize,
) {
    let connect =
        async move |client_slot: &mut ClientSlot, run: &DriveState| connect_first(client_slot, run, transport).await;
    let mut client_slots = each(client_slots, unknown(), connect, run).await;
    run.report(&run.ready);

    let mut stage = run.stage.subscribe();
    let mut driven = None;
    if let WorkerPhase::Drive(start) = reach(&mut stage, |s| s != WorkerPhase::Connect).await {
        let clock = Clock { start };
        driven = Some(clock);
        client_slots = drive(run, client_slots, clock, transport, timing, shard).await;
    }

    reach(&mut stage, |s| matches!(s, WorkerPhase::Close | WorkerPhase::Drop)).await;
    let goodbye = async move |client_slot: &mut ClientSlot, run: &DriveState| {
        let _panicked_at_the_door = guarded(client::close(client_slot, run)).await;
        if let Some(clock) = driven {
            client::count_aside(client_slot, run, shard, clock.now_ns());
        }
    };
    let patience = run.goodbye();
    let _too_late_to_matter = tokio::time::timeout(patience, each(client_slots, unknown(), goodbye, run)).await;
}

/// Opens a client's first connection, unless another client has failed to connect.
async fn connect_first(client_slot: &mut ClientSlot, run: &DriveState, transport: Transport) {
    if run.refusal().is_some() || *run.stage.borrow() != WorkerPhase::Connect {
        return;
    }
    match guarded(client::connect(client_slot, run, transport)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => run.refuse(error),
        Err(text) => run.refuse(Error::new(
            Class::Protocol,
            msg!("client-panicked-because", number = client_slot.number, said = text),
        )),
    }
}

/// Drives all clients until each has left.
async fn drive(
    run: &Arc<DriveState>,
    client_slots: Vec<ClientSlot>,
    clock: Clock,
    transport: Transport,
    timing: Timing,
    shard: usize,
) -> Vec<ClientSlot> {
    let pacer = Rc::new(Pacer::new(clock, transport, timing));
    let mut beside = JoinSet::new();
    if transport == Transport::Shared && run.has_intended_starts() {
        let (pacer, run) = (pacer.clone(), run.clone());
        beside.spawn_local(async move { pacer.keep(&run).await });
    }
    let first = client_slots.first().map_or(0, |slot| slot.place);
    let memory = Rc::new(MemoryTable::new(client_slots.len()));
    client_slots.iter().enumerate().for_each(|(n, slot)| memory.set_rest(n, slot.memory(&run.per_client).into_iter()));
    let table = memory.clone();
    each(
        client_slots,
        memory,
        async move |client_slot, run| {
            let worker = WorkerContext { run, clock, pacer: &pacer, transport, shard, memory: &table, first };
            client::count_aside(client_slot, run, shard, 0);
            if let Err(text) = guarded(client::live(client_slot, &worker)).await {
                client::lose(client_slot, run, clock.now_ns());
                let what = msg!("client-panicked", number = client_slot.number);
                run.fail(clock.now_ns(), Problem::new(what).evidence(text));
            }
            run.leave(client::has_done_all(client_slot));
        },
        run,
    )
    .await
}

/// For work that is done once.
fn unknown() -> Rc<MemoryTable> {
    Rc::new(MemoryTable::new(0))
}

/// Does the same for all clients concurrently and returns them. One that has its thread for itself is awaited in place.
async fn each<F>(
    client_slots: Vec<ClientSlot>,
    memory: Rc<MemoryTable>,
    work: F,
    run: &Arc<DriveState>,
) -> Vec<ClientSlot>
where
    F: AsyncFn(&mut ClientSlot, &DriveState) + 'static,
{
    if client_slots.len() == 1 && Poller::current().is_none() {
        let mut client_slots = client_slots;
        for client_slot in &mut client_slots {
            work(client_slot, run).await;
        }
        return client_slots;
    }
    let work = Rc::new(work);
    let one = |mut client_slot: ClientSlot| {
        let (work, run) = (work.clone(), run.clone());
        async move {
            work(&mut client_slot, &run).await;
            client_slot
        }
    };
    // A task, because waking the future that the runtime was started with takes a system call.
    let mut task = JoinSet::new();
    // The runtime's limit for a task is meant for one client.
    task.spawn_local(unconstrained(together(client_slots.into_iter().map(one).collect(), memory)));
    match task.join_next().await {
        Some(Ok(back)) => back,
        Some(Err(panicked)) => resume_unwind(panicked.into_panic()),
        None => Vec::new(),
    }
}

/// Awaits `work`; turns a panic in it into an error with its message. (An `async fn` would hold the future twice.)
fn guarded<T>(work: impl Future<Output = T>) -> impl Future<Output = Result<T, Message>> {
    AssertUnwindSafe(work).catch_unwind().map(|done| done.map_err(|panic| words(&*panic)))
}

fn words(panic: &(dyn Any + Send)) -> Message {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).map_or_else(|| msg!("without-a-message"), foreign)
}

async fn reach(stage: &mut Receiver<WorkerPhase>, wanted: impl Fn(WorkerPhase) -> bool) -> WorkerPhase {
    // The sender lives as long as the drive.
    stage.wait_for(|s| wanted(*s)).await.map_or(WorkerPhase::Drop, |s| *s)
}
