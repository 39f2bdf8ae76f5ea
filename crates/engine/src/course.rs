//! What all clients of one drive share: the clock, the phases, the schedule, the counts, the way to stop.

use crate::Drive;
use crate::schedule::Cursor;
use crate::shard::Shard;
use crate::workers;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tenbin_driver::Error;
use tenbin_model::event::Phase;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::Tally;
use tenbin_model::trial::Policy;
use tenbin_workload::Workload;

/// One drive's shared state.
pub struct Course {
    pub what: Drive,
    pub policy: Policy,
    /// Counts, one shard per event loop (or a few for many one-client threads).
    pub shards: Vec<Mutex<Shard>>,
    /// The open loop's arrivals; `None` in the closed loop.
    pub arrivals: Option<Mutex<Cursor>>,
    names: Names,
    /// Nanoseconds since the origin: end of warm-up and end of measure. Set when the course opens.
    measure_from_ns: AtomicU64,
    end_ns: AtomicU64,
    /// No client begins anything from now on.
    over: AtomicBool,
    /// Transactions handed out, for the stop by count.
    issued: AtomicU64,
    /// Of those, ended.
    ended: AtomicU64,
    connected: AtomicU32,
    gate: Mutex<Gate>,
    turned: Condvar,
    fault: Mutex<Option<Problem>>,
    faulty: AtomicBool,
    ended_at: Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Gate {
    ready: u32,
    open: bool,
    refused: Option<(Error, u32)>,
}

struct Names {
    transactions: Vec<String>,
    statements: Vec<String>,
}

/// A lock whose holder panicked still holds sound counts: every change to them is complete in itself.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Course {
    pub fn new(what: Drive, workload: &dyn Workload, plan: &workers::Plan) -> Self {
        let names = Names {
            transactions: workload.transactions(),
            statements: workload.statements().into_iter().map(|(name, _)| name).collect(),
        };
        let shard = || Mutex::new(Shard::new(names.transactions.len(), names.statements.len()));
        Course {
            policy: what.load.policy,
            shards: (0..plan.shards()).map(|_| shard()).collect(),
            arrivals: Cursor::new(what.load.schedule, what.seed).map(Mutex::new),
            what,
            names,
            measure_from_ns: AtomicU64::new(u64::MAX),
            end_ns: AtomicU64::new(u64::MAX),
            over: AtomicBool::new(false),
            issued: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            connected: AtomicU32::new(0),
            gate: Mutex::new(Gate::default()),
            turned: Condvar::new(),
            fault: Mutex::new(None),
            faulty: AtomicBool::new(false),
            ended_at: Mutex::new(None),
        }
    }

    /// Nanoseconds since the run's origin.
    #[inline]
    pub fn now_ns(&self) -> u64 {
        self.what.origin.elapsed().as_nanos() as u64
    }

    /// A point of the run's clock as an instant of the runtime's.
    pub fn instant(&self, at_ns: u64) -> Instant {
        self.what.origin + Duration::from_nanos(at_ns)
    }

    /// The phase an intended start lies in; `None` before the course opens and after it ends.
    #[inline]
    pub fn phase(&self, due_ns: u64) -> Option<Phase> {
        if due_ns >= self.end_ns.load(Ordering::Relaxed) {
            None
        } else if due_ns >= self.measure_from_ns.load(Ordering::Relaxed) {
            Some(Phase::Measure)
        } else {
            Some(Phase::WarmUp)
        }
    }

    /// Whether clients may begin another transaction.
    #[inline]
    pub fn going(&self) -> bool {
        !self.over.load(Ordering::Relaxed)
    }

    /// Takes one of the transactions that may still be begun; warm-up has no limit.
    pub fn issue(&self, phase: Phase) -> bool {
        match self.what.load.operations {
            Some(limit) if phase == Phase::Measure => self.issued.fetch_add(1, Ordering::Relaxed) < limit,
            _ => true,
        }
    }

    /// One of the issued transactions of the measured phase has ended.
    pub fn settle(&self, phase: Phase) {
        if phase == Phase::Measure && self.what.load.operations.is_some() {
            self.ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether all operations asked for have ended.
    pub fn done(&self) -> bool {
        self.what.load.operations.is_some_and(|limit| self.ended.load(Ordering::Relaxed) >= limit)
    }

    /// A client is connected (again), or has lost its connection.
    pub fn count_connected(&self, up: bool) {
        if up {
            self.connected.fetch_add(1, Ordering::Relaxed);
        } else {
            self.connected.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub fn connected(&self) -> u32 {
        self.connected.load(Ordering::Relaxed)
    }

    /// Ends the drive with a problem; the first one stands.
    pub fn break_off(&self, problem: Problem) {
        lock(&self.fault).get_or_insert(problem);
        self.faulty.store(true, Ordering::SeqCst);
        self.over.store(true, Ordering::SeqCst);
    }

    pub fn has_fault(&self) -> bool {
        self.faulty.load(Ordering::Relaxed)
    }

    pub fn fault(&self) -> Option<Problem> {
        lock(&self.fault).clone()
    }

    /// How long the course has been over; zero while it goes on.
    pub fn overtime(&self) -> Duration {
        lock(&self.ended_at).map_or(Duration::ZERO, |at| at.elapsed())
    }

    /// Nobody begins anything any more; whoever waits at the gate may go home.
    pub fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
        lock(&self.ended_at).get_or_insert_with(Instant::now);
        lock(&self.gate).open = true;
        self.turned.notify_all();
    }

    /// A client's first connection stands or was refused.
    pub fn report_at_gate(&self, outcome: Result<(), Error>) {
        let mut gate = lock(&self.gate);
        match outcome {
            Ok(()) => gate.ready += 1,
            Err(error) => gate.refused.get_or_insert((error, 0)).1 += 1,
        }
        drop(gate);
        self.turned.notify_all();
    }

    /// Blocks a worker until the gate opens.
    pub fn wait_at_gate(&self) {
        let mut gate = lock(&self.gate);
        while !gate.open {
            gate = self.turned.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Blocks the collector until every client is connected; fails when one is refused, or the user asks to stop.
    pub fn wait_until_connected(&self, stop: &StopSignal) -> Result<(), Problem> {
        let clients = self.what.load.clients;
        let mut gate = lock(&self.gate);
        loop {
            if let Some(problem) = self.fault() {
                return Err(problem);
            }
            if let Some((error, refused)) = &gate.refused {
                let so_far = format!("{} of {clients} clients were connected, {refused} refused", gate.ready);
                let problem = error.problem("connecting the clients");
                return Err(match problem.evidence {
                    Some(evidence) => Problem { evidence: Some(format!("{evidence}; {so_far}")), ..problem },
                    None => problem.evidence(so_far),
                });
            }
            if gate.ready == clients {
                return Ok(());
            }
            if stop.asked() {
                return Err(Problem::new("stopped by the user while clients were connecting"));
            }
            gate =
                self.turned.wait_timeout(gate, Duration::from_millis(100)).map_or_else(|p| p.into_inner().0, |g| g.0);
        }
    }

    /// Opens the course for all clients at once; answers with the start.
    pub fn open(&self) -> u64 {
        let start_ns = self.now_ns();
        let measure_ns = start_ns + self.what.warmup_ms * 1_000_000;
        self.measure_from_ns.store(measure_ns, Ordering::SeqCst);
        self.end_ns.store(measure_ns + self.what.measure_ms * 1_000_000, Ordering::SeqCst);
        if let Some(arrivals) = &self.arrivals {
            lock(arrivals).begin(start_ns, measure_ns, self.end_ns.load(Ordering::SeqCst));
        }
        lock(&self.gate).open = true;
        self.turned.notify_all();
        start_ns
    }

    /// Takes what was counted for a phase since the last call.
    pub fn take(&self, phase: Phase) -> Tally {
        let mut tally = Tally::default();
        // Held throughout, so that no ticket is on its way from the schedule to a client meanwhile.
        let mut arrivals = self.arrivals.as_ref().map(lock);
        for shard in &self.shards {
            let counts = lock(shard).take(phase);
            counts.add_to(&self.names.transactions, &self.names.statements, &mut tally);
            lock(shard).give_back(counts);
        }
        if let Some(arrivals) = &mut arrivals {
            arrivals.admit(self.now_ns());
            tally.accounting.merge(&arrivals.take(phase));
        }
        tally
    }

    /// When the phase ends, nanoseconds since the origin; what ends later is not counted in it.
    #[inline]
    pub fn end_of(&self, phase: Phase) -> u64 {
        match phase {
            Phase::WarmUp => self.measure_from_ns.load(Ordering::Relaxed),
            _ => self.end_ns.load(Ordering::Relaxed),
        }
    }
}
