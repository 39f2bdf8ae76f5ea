//! Drives clients: threads, time, schedules, tallies. Knows a [`Workload`] only by its trait.
//!
//! [`drive`] is the whole interface: what to do, when, until, what if — four values — and a listener. The calling
//! thread becomes the collector; [`workers`] carry the clients; [`client`] holds the one loop that everything else is for.

mod client;
mod course;
mod limits;
mod schedule;
mod shard;
mod workers;

use crate::course::Course;
use std::sync::Arc;
use std::time::{Duration, Instant};
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

/// How often the collector looks up from its sleep.
const GLANCE: Duration = Duration::from_millis(20);

/// Connects all clients, drives them through warm-up and measure, and tells what it sees.
///
/// Fails when not all clients can connect at the start, or when `listener` fails; whatever was counted until then has been told.
pub fn drive(
    what: &Drive,
    workload: &dyn Workload,
    stop: &StopSignal,
    listener: &mut dyn FnMut(Seen) -> Result<(), Problem>,
) -> Result<Ended, Problem> {
    limits::enough_files(what.load.clients)?;
    let plan = workers::plan(&what.load, workload);
    let course = Arc::new(Course::new(what.clone(), workload, &plan));
    std::thread::scope(|scope| {
        let outcome = workers::start(scope, &plan, &course, workload).and_then(|()| collect(&course, stop, listener));
        // Whatever happened, the workers go home; the scope waits for them.
        course.end();
        outcome.map(|ended| Ended { workers: plan.workers(), ..ended })
    })
}

/// The collector: waits for all clients, opens the course, and reports at every interval's end.
fn collect(
    course: &Course,
    stop: &StopSignal,
    listener: &mut dyn FnMut(Seen) -> Result<(), Problem>,
) -> Result<Ended, Problem> {
    let what = &course.what;
    course.wait_until_connected(stop)?;
    let start_ns = course.open();
    let mut from_ns = start_ns;
    let interval_ns = what.interval_ms.max(1) * 1_000_000;
    let mut ended = Ended { measured_from_ns: 0, measured_to_ns: 0, client_cpu_ns: 0, workers: 0, cut_short: None };
    for (phase, length_ms) in [(Phase::WarmUp, what.warmup_ms), (Phase::Measure, what.measure_ms)] {
        if length_ms == 0 {
            continue;
        }
        let phase_from_ns = from_ns;
        let phase_to_ns = phase_from_ns + length_ms * 1_000_000;
        let cpu_from_ns = limits::process_cpu_ns();
        listener(Seen::Phase { phase, at_ns: phase_from_ns })?;
        let (mut over, mut ticks) = (false, 0);
        while !over {
            // On the grid of the phase, however late the last one was told.
            ticks = ((from_ns - phase_from_ns) / interval_ns + 1).max(ticks + 1);
            let due_ns = (phase_from_ns + ticks * interval_ns).min(phase_to_ns);
            let woken = sleep_until(course, due_ns, stop);
            let to_ns = course.now_ns().min(phase_to_ns).max(from_ns);
            over = to_ns >= phase_to_ns || woken != Woken::InTime;
            let tally = course.take(phase);
            if to_ns > from_ns || tally.accounting.scheduled > 0 {
                let clients = course.connected();
                listener(Seen::Interval { phase, from_ns, to_ns, clients, tally })?;
            }
            from_ns = to_ns;
            if woken != Woken::InTime {
                ended.cut_short =
                    course.fault().or_else(|| (woken == Woken::Asked).then(|| Problem::new("stopped by the user")));
            }
        }
        if phase == Phase::Measure {
            (ended.measured_from_ns, ended.measured_to_ns) = (phase_from_ns, from_ns);
            ended.client_cpu_ns = limits::process_cpu_ns().saturating_sub(cpu_from_ns);
        }
        if ended.cut_short.is_some() || course.done() {
            break;
        }
    }
    listener(Seen::Phase { phase: Phase::CoolDown, at_ns: course.now_ns() })?;
    Ok(ended)
}

/// Why the collector woke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Woken {
    InTime,
    /// The user asked to stop; the first time the interval is finished.
    Asked,
    /// All operations are done, or a fault ended the drive.
    Over,
}

fn sleep_until(course: &Course, due_ns: u64, stop: &StopSignal) -> Woken {
    loop {
        if stop.at_once() {
            return Woken::Asked;
        }
        if course.done() || course.has_fault() {
            return Woken::Over;
        }
        let now_ns = course.now_ns();
        if now_ns >= due_ns {
            return if stop.asked() { Woken::Asked } else { Woken::InTime };
        }
        std::thread::sleep(Duration::from_nanos(due_ns - now_ns).min(GLANCE));
    }
}
