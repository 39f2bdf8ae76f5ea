//! Drives clients: threads, time, schedules, tallies. It knows a [`Workload`] only through its trait.
//!
//! [`drive`] is the whole interface. It takes four values (what to do, when, until when, and what to do after errors)
//! and a listener. The calling thread becomes the collector ([`collect`]); workers ([`worker`]) run the clients;
//! [`client`] contains the critical loop.
//!
//! | | |
//! |---|---|
//! | what | `tenbin_client::Client`, called from [`client`] only |
//! | when | [`schedule`]: intended starts; [`groups`]: each with its own; [`pace`]: waiting for them |
//! | which part of it | [`part`], if several load hosts drive it together |
//! | until | [`timeline`]: phases and intervals; [`run`]: the end, and other shared state |
//! | errors | [`policy`]: what follows an error |
//! | counted | [`shard`], [`counts`]; [`per_client`]; [`outages`]; [`interval`]: together |
//! | on | [`workers`]: how many threads, and why; [`scheduling`]: in which class; [`threads`]; [`limits`] |
//! | clients of a thread | [`worker`]; [`together`]: which is polled next, with its memory already fetched ([`prefetch`]) |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod client;
mod collect;
mod counts;
mod groups;
mod halt_watch;
mod interval;
pub mod limits;
mod lock;
mod mappings;
mod outages;
mod pace;
mod part;
mod per_client;
mod policy;
mod prefetch;
mod processor_queue;
mod run;
mod schedule;
mod scheduling;
mod shard;
mod threads;
mod timeline;
mod together;
mod worker;
mod workers;

use crate::groups::Groups;
use crate::pace::Timing;
pub use crate::part::{ClientNumbers, LoadPart};
use crate::run::DriveState;
use crate::shard::{Shards, StatementNames};
pub use crate::timeline::{IntervalSlot, Timeline};
use crate::workers::ClientNature;
pub use crate::workers::ServerPlace;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tenbin_client::{Transport, Workload};
use tenbin_model::event::{Completions, Halts, Phase};
use tenbin_model::idle::Period;
use tenbin_model::names::client_process;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::{PerClient, Tally};
use tenbin_model::trial::{Load, Observe, Workers};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// For this long, whatever the clients do, nothing is decided about the interval of [`EngineEvent::Undecided`].
pub const UNDECIDED_FOR: Duration = Duration::from_secs(2);

/// The driven part of a trial: connect all clients, warm up, measure, cool down.
#[derive(Debug, Clone)]
pub struct Drive {
    /// Clients, workers, schedule, operation limit, policy.
    pub load: Load,
    /// Driven but not counted, at most; milliseconds.
    pub warmup_ms: u64,
    /// Driven and counted; milliseconds.
    pub measure_ms: u64,
    /// A reporting interval; milliseconds.
    pub interval_ms: u64,
    /// The trial's seed.
    pub seed: u64,
    /// The origin of event times.
    pub origin: Instant,
    /// The part of the load that this process drives.
    pub part: LoadPart,
    /// Where the server's process is known to be. If its address alone shows that it is on this machine ([`tenbin_client::TargetReach::shares_cores`]), that
    /// is taken into account, too.
    pub server: ServerPlace,
    /// What the listener decides while it listens.
    pub control: DriveControl,
}

/// What the listener of a drive decides while it listens. Copies share it.
#[derive(Debug, Clone, Default)]
pub struct DriveControl {
    /// Set when it has seen enough: the drive then ends with the next interval, and is complete.
    pub enough: StopSignal,
    /// Set when the clients have warmed up: the warm-up then ends with the interval after the one in progress at the latest, as
    /// far as nothing has been decided about later ones.
    pub steady: StopSignal,
    /// The common start of all clients, to be set on [`EngineEvent::Connected`] if it is not then. If it has passed, the clients are
    /// late, and starts with intended times wait.
    pub start: Arc<OnceLock<Instant>>,
    /// How often it was asked from which interval on nothing has been decided. Each time is answered with
    /// [`EngineEvent::Undecided`].
    pub inquiries: Arc<AtomicU32>,
    /// The number of the interval with which the measured window begins, if it is to begin before the longest warm-up has passed.
    /// The drive fails if something has been decided about that interval already.
    pub measure_from: Arc<OnceLock<u64>>,
    /// The number of the last interval, from 0 with the warm-up's first: the drive ends with it, or with the one in progress if that
    /// is a later one, and is complete.
    pub last: Arc<OnceLock<u64>>,
    /// The number of this drive among several at the same time in this process, from 1: its threads are named after it.
    pub number: Option<u32>,
}

impl DriveControl {
    /// What the names of the threads begin with that run the clients of the drive with this number.
    pub fn threads_of(number: u32) -> String {
        format!("{}{number}.", client_process::WORKERS)
    }
}

/// What the engine reports during a drive.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "handed over one at a time, once an interval")]
pub enum EngineEvent {
    /// All clients are connected, and wait until the listener returns.
    Connected,
    /// A phase begins (warm-up, measure, cool-down).
    Phase {
        /// Which.
        phase: Phase,
        /// When, since [`Drive::origin`].
        at_ns: u64,
    },
    /// The answer to one of [`DriveControl::inquiries`].
    Undecided {
        /// The measured window can begin with this interval if [`DriveControl::measure_from`] is set within [`UNDECIDED_FOR`].
        interval: u64,
    },
    /// An interval has ended.
    Interval {
        /// The phase that it belongs to; intervals never span phases.
        phase: Phase,
        /// Start, since [`Drive::origin`].
        from_ns: u64,
        /// End.
        to_ns: u64,
        /// Connected clients at its end.
        clients: u32,
        /// What was counted in it.
        tally: Tally,
        /// When transactions completed in it, since [`Drive::origin`]; `None` if none did.
        completions: Option<Completions>,
        /// Periods between the first and the last of them in which none completed, since [`Drive::origin`], ascending.
        idle: Vec<Period>,
        /// What each client has completed since the start of measure.
        per_client: Arc<PerClient>,
    },
}

/// How a drive ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// Start of the measured window, since [`Drive::origin`].
    pub measured_from_ns: u64,
    /// Its end.
    pub measured_to_ns: u64,
    /// CPU time of this process in the window.
    pub client_cpu_ns: u64,
    /// Threads that ran clients.
    pub workers: u32,
    /// What each client of this process completed in the window, by their numbers, ascending.
    pub per_client: PerClient,
    /// By how long the clients missed the common start that was given, nanoseconds.
    pub late_ns: u64,
    /// Times in the window in which this process did not run.
    pub halts: Halts,
    /// How long the oldest start that was not answered at the end had waited, if starts have intended times.
    pub oldest_open_ns: Option<u64>,
    /// What ended it early, if anything did: the user, an error, an overload.
    pub cut_short: Option<Problem>,
}

/// Connects all clients, drives them through warm-up and measure, and reports events.
///
/// In a closed loop a transaction is counted in the interval in which it ends, whenever it began; at a rate, with a fixed number of
/// operations, or if the load drains, in the phase of its intended start ([`tenbin_model::counted::by`]).
///
/// Each phase is reported when it starts and each interval shortly after it has ended, whether or not anything was
/// counted in it. A [`Tally`] omits names under which nothing was counted.
///
/// The first `stop` request ends the drive with the current interval, the second at once. Transactions in progress at
/// the end may finish within 10 s and are not counted: they remain `open`. If the load drains, transactions in progress
/// at the end of measure are waited for and counted, in intervals after its planned end, with the statements that
/// clients send when they close.
///
/// Blocks the calling thread, which must not be inside an async runtime. Fails if not all clients can connect at the
/// start, or if `listener` fails; everything counted until then has been reported.
pub fn drive(
    what: &Drive,
    workload: &Arc<dyn Workload>,
    stop: &StopSignal,
    listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
) -> Result<Ended, Problem> {
    let cores = workers::cores();
    workload.drives_part(what.part.number, what.part.of);
    let numbers = what.part.clients(workload.as_ref(), what.load.clients);
    let clients = numbers.count();
    let server = what.server.or(workload.reach().shares_cores);
    let nature = ClientNature::of(workload.as_ref(), what.load.clients);
    let spread = workers::spread(clients, what.load.workers, nature, server, cores);
    let observed = what.load.observe == Observe::Always;
    let spread = limits::fit(spread, workload.sockets(clients), (observed, nature.blocks))?;
    mappings::enough(spread.workers, clients, workload.mappings_per_client())?;
    let names = workload.clone();
    let names = Box::new(move || names.statements());
    let shards = workers::shards(&spread, cores);
    let run = Arc::new(prepare(what, workload.as_ref(), numbers, names, spread.workers, shards)?);
    let threads = threads::start(&run, workload, spread)?;
    let ended = threads::block_on(collect::collect(&run, what.origin, stop, Timing::Kernel, listener));
    if run.finished.load(Ordering::SeqCst) < run.workers {
        // Clients that are still busy are interrupted, before they are abandoned.
        workload.interrupt();
    }
    threads.join();
    ended
}

/// [`drive`] with all clients and the collector on the calling thread, inside its `LocalRuntime`. Under tokio's paused
/// time it is exact and takes no time: for tests of workloads and of the engine itself.
pub async fn drive_here(
    what: &Drive,
    workload: &dyn Workload,
    stop: &StopSignal,
    listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
) -> Result<Ended, Problem> {
    workload.drives_part(what.part.number, what.part.of);
    let numbers = what.part.clients(workload, what.load.clients);
    let workers = match what.load.workers {
        Workers::Count(n) => n.clamp(1, numbers.count().max(1)),
        Workers::Auto | Workers::PerClient => 1,
    };
    let known = workload.statements();
    let names = Box::new(move || known.clone());
    let run = Arc::new(prepare(what, workload, numbers, names, workers, workers as usize)?);
    let mut carried = tokio::task::JoinSet::new();
    for n in 0..workers {
        let client_slots = worker::make(workload, workers::share(run.clients, workers, n), &run)?;
        carried.spawn_local(worker::carry(run.clone(), client_slots, Transport::Shared, Timing::Runtime, n as usize));
    }
    let ended = collect::collect(&run, what.origin, stop, Timing::Runtime, listener).await;
    carried.join_all().await;
    ended
}

/// The shared state of workers and collector, from the given values; rejects invalid ones.
fn prepare(
    what: &Drive,
    workload: &dyn Workload,
    numbers: ClientNumbers,
    names: StatementNames,
    workers: u32,
    shards: usize,
) -> Result<DriveState, Problem> {
    let Drive { load, warmup_ms, measure_ms, interval_ms, seed, origin: _, part: _, server: _, control } = what;
    let drain_ns = load.drain_ms.saturating_mul(1_000_000);
    if numbers.count() == 0 {
        return Err(Problem::new(msg!("drive-needs-a-client")));
    }
    if *interval_ms == 0 {
        return Err(Problem::new(msg!("interval-of-zero")).hint(msg!("give-an-interval")));
    }
    if workload.paces() && !load.is_closed() {
        return Err(Problem::new(msg!("clients-keep-own-pace", workload = workload.name()))
            .hint(msg!("remove-rate-or-let-clients")));
    }
    let timeline = Timeline::new(*warmup_ms, *measure_ms, *interval_ms).draining(drain_ns > 0);
    let groups = Groups::new(load, &numbers, &timeline, *seed)?;
    let shards = Shards::new(shards, timeline.clone(), workload.transactions(), names, workload.counters())
        .with_session_of(workload.session_statements());
    // Transactions of a burst are not taken from the schedule one by one: only possible if nothing but time ends the
    // drive.
    let alone = !groups.has_rate() && load.operations.is_none() && !workload.paces();
    let leave = if alone { workload.burst().max(1) } else { 1 };
    let (sizes, paced) = ((workers, leave), (workload.paces(), drain_ns));
    let mut state = DriveState::new((load, numbers), sizes, timeline, groups, shards, paced, *seed);
    state.control = control.clone();
    Ok(state)
}
