//! Drives clients: threads, time, schedules, tallies. Knows a [`Workload`] only by its trait.
//!
//! [`drive`] is the whole interface: what to do, when, until, what if — four values — and a listener.

use std::time::Instant;
use tenbin_model::event::Phase;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::Tally;
use tenbin_model::trial::Load;
use tenbin_workload::Workload;

/// One driven stretch of a trial: connect all clients, warm up, measure, cool down.
#[derive(Debug, Clone)]
pub struct Drive {
    /// Clients, workers, schedule, stop by count, policy.
    pub load: Load,
    /// Driven but not counted; milliseconds.
    pub warmup_ms: u64,
    /// Driven and counted; milliseconds.
    pub measure_ms: u64,
    /// A reporting interval; milliseconds.
    pub interval_ms: u64,
    /// The trial's seed.
    pub seed: u64,
    /// What event times count from.
    pub origin: Instant,
}

/// What the engine tells while it drives.
#[derive(Debug)]
pub enum Seen {
    /// A phase begins (warm-up, measure, cool-down).
    Phase {
        /// Which.
        phase: Phase,
        /// When, since [`Drive::origin`].
        at_ns: u64,
    },
    /// An interval has ended.
    Interval {
        /// Which phase it lies in; intervals never straddle phases.
        phase: Phase,
        /// Start, since [`Drive::origin`].
        from_ns: u64,
        /// End.
        to_ns: u64,
        /// Connected clients at its end.
        clients: u32,
        /// What was counted in it.
        tally: Tally,
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
    /// Threads that carried clients.
    pub workers: u32,
    /// What ended it before its time, if anything did: the user, an error, an overload.
    pub cut_short: Option<Problem>,
}

/// Connects all clients, drives them through warm-up and measure, and tells what it sees.
///
/// Fails when not all clients can connect at the start, or when `listener` fails; whatever was counted until then has been told.
pub fn drive(
    _what: &Drive,
    _workload: &dyn Workload,
    _stop: &StopSignal,
    _listener: &mut dyn FnMut(Seen) -> Result<(), Problem>,
) -> Result<Ended, Problem> {
    Err(Problem::new("not built yet"))
}
