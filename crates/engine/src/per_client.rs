//! What each client of this process has completed in the measured window: written by the client only, read by the collector.

use crate::counts::Completion;
use crate::timeline::Timeline;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tenbin_client::MemoryRange;
use tenbin_model::event::Phase;
use tenbin_model::tally::PerClient;

/// One set of totals per client.
#[derive(Debug)]
pub struct Totals(Vec<ClientStarts>);

/// On its own cache line: neighbours are written by other cores.
#[derive(Debug)]
#[repr(align(64))]
struct ClientStarts {
    completed: AtomicU64,
    response_ns: AtomicU64,
    min_ns: AtomicU64,
    max_ns: AtomicU64,
    /// The start, intended or actual, that it has taken and not answered; [`NONE`] if there is none.
    due_ns: AtomicU64,
    /// Since when it has been pausing; [`NONE`] if it is not.
    pausing_from_ns: AtomicU64,
    /// Of the completed ones, those whose rows were not written.
    unwritten: AtomicU64,
}

/// No start is taken.
const NONE: u64 = u64::MAX;

impl Totals {
    pub fn new(clients: u32) -> Totals {
        let client = || ClientStarts {
            completed: AtomicU64::default(),
            response_ns: AtomicU64::default(),
            min_ns: AtomicU64::default(),
            max_ns: AtomicU64::default(),
            due_ns: AtomicU64::new(NONE),
            pausing_from_ns: AtomicU64::new(NONE),
            unwritten: AtomicU64::default(),
        };
        Totals((0..clients).map(|_| client()).collect())
    }

    /// Records the start that the client at `place` has taken.
    #[inline]
    pub fn take(&self, place: u32, due_ns: u64) {
        if let Some(client) = self.0.get(place as usize) {
            client.due_ns.store(due_ns, Relaxed);
        }
    }

    /// Records that the client has answered it.
    #[inline]
    pub fn answer(&self, place: u32) {
        self.take(place, NONE);
    }

    /// Records that the client pauses from this instant on, or with `None` that it no longer does.
    pub fn pause(&self, place: u32, from_ns: Option<u64>) {
        if let Some(client) = self.0.get(place as usize) {
            client.pausing_from_ns.store(from_ns.unwrap_or(NONE), Relaxed);
        }
    }

    /// The time within the measured window, of which `to_ns` is the end, of transactions and of pauses that have not ended,
    /// nanoseconds, all clients together.
    pub fn not_ended_ns(&self, timeline: &Timeline, to_ns: u64) -> (u64, u64) {
        let (from_ns, to_ns) = (timeline.warmup_ns(), to_ns.min(timeline.end_ns()));
        let within = |since: &AtomicU64| match since.load(Relaxed) {
            NONE => 0,
            since_ns => to_ns.saturating_sub(since_ns.max(from_ns)),
        };
        self.0.iter().fold((0, 0), |(open, paused), client| {
            (open + within(&client.due_ns), paused + within(&client.pausing_from_ns))
        })
    }

    /// The memory of what is recorded of the client at `place`.
    pub fn memory(&self, place: u32) -> Option<MemoryRange> {
        self.0.get(place as usize).map(MemoryRange::of)
    }

    /// The starts that clients have taken and not answered, with the places of the clients.
    pub fn unanswered(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let due = |(place, client): (usize, &ClientStarts)| (place as u32, client.due_ns.load(Relaxed));
        self.0.iter().enumerate().map(due).filter(|(_, due_ns)| *due_ns != NONE)
    }

    /// Counts a transaction of the client at `place`, which is the only writer: no read-modify-write is needed.
    #[inline]
    fn count(&self, place: u32, phase: Phase, done: &Completion) {
        let Some(client) = self.0.get(place as usize) else { return };
        if !done.completed || phase != Phase::Measure {
            return;
        }
        let (took, before) = (done.wait_ns + done.service_ns, client.completed.load(Relaxed));
        let min = client.min_ns.load(Relaxed);
        client.completed.store(before + 1, Relaxed);
        client.response_ns.store(client.response_ns.load(Relaxed) + took, Relaxed);
        client.min_ns.store(if before == 0 { took } else { min.min(took) }, Relaxed);
        client.max_ns.store(client.max_ns.load(Relaxed).max(took), Relaxed);
    }

    /// Counts the transactions of one call, which were counted in `phase`: `done`, or each of its burst.
    #[inline]
    pub fn count_all(&self, place: u32, phase: Phase, done: &Completion, burst: &[u64]) {
        if burst.is_empty() {
            return self.count(place, phase, done);
        }
        burst.iter().for_each(|&service_ns| self.count(place, phase, &Completion { service_ns, ..*done }));
    }

    /// Records how many of the transactions that the client at `place` has completed have not written their rows.
    pub fn leave_unwritten(&self, place: u32, unwritten: u64) {
        if let Some(client) = self.0.get(place as usize) {
            client.unwritten.store(unwritten, Relaxed);
        }
    }

    /// What each client has left unwritten; nothing if all is written, as it should be.
    pub fn unwritten(&self) -> Vec<u64> {
        let each: Vec<u64> = self.0.iter().map(|client| client.unwritten.load(Relaxed)).collect();
        if each.iter().all(|unwritten| *unwritten == 0) { Vec::new() } else { each }
    }

    /// The current values, without those that are only known once the clients are closed.
    pub fn read(&self) -> PerClient {
        let each = |of: fn(&ClientStarts) -> &AtomicU64| self.0.iter().map(|c| of(c).load(Relaxed)).collect();
        PerClient {
            completed: each(|c| &c.completed),
            response_ns: each(|c| &c.response_ns),
            min_ns: each(|c| &c.min_ns),
            max_ns: each(|c| &c.max_ns),
            unwritten: Vec::new(),
        }
    }
}
