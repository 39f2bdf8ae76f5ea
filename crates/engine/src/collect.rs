//! The collector, which runs on the calling thread. It starts the clients together, reports each interval, and ends the
//! drive: by time, when the clients have no more to do, when one of them failed, or on request.

use crate::halt_watch::HaltWatch;
use crate::interval::{CountedInterval, OpenStarts};
use crate::limits::{process_cpu_ns, suspended_ns};
use crate::pace::Timing;
use crate::run::{Clock, DriveState, LOOK, WorkerPhase};
use crate::schedule::Remaining;
use crate::shard::IntervalCompletions;
use crate::timeline::IntervalSlot;
use crate::{Ended, EngineEvent, UNDECIDED_FOR};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tenbin_client::{Class, Error};
use tenbin_model::event::{Completions, Halts, Phase};
use tenbin_model::idle;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::{PerClient, Tally};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::time::Instant;

/// How long after its end an interval is fetched: clients may still be counting transactions that ended in it.
const LATE: Duration = Duration::from_millis(5);
/// How long transactions in progress at the end may take.
const GRACE: Duration = Duration::from_secs(10);
/// The same after a signal: who stops a container kills it ten seconds later, and until then there is to be a report.
const GRACE_AFTER_SIGNAL: Duration = Duration::from_secs(4);
/// Until this long before a common start, the collector sleeps by the system's clock.
const PRECISE: Duration = Duration::from_millis(3);
/// How long it may take to connect one more client: logins have their own time limit, the statements that start a
/// session have none.
const CONNECTING: Duration = Duration::from_secs(120);
/// If closing takes longer than this, it belongs to the measurement, even if nothing was counted in it.
const LONG_GOODBYE_NS: u64 = 10_000_000;
/// How much longer than the limit for closing the collector waits for a worker.
const GOODBYE: Duration = Duration::from_millis(500);

/// Collects until the drive has ended; by then the workers have finished or have been ordered to drop everything.
pub async fn collect(
    run: &DriveState,
    origin: std::time::Instant,
    stop: &StopSignal,
    timing: Timing,
    listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
) -> Result<Ended, Problem> {
    let mut ended = Ended {
        measured_from_ns: since(origin),
        measured_to_ns: since(origin),
        client_cpu_ns: 0,
        workers: run.workers,
        per_client: PerClient::default(),
        late_ns: 0,
        halts: Halts::default(),
        oldest_open_ns: None,
        cut_short: None,
    };
    let outcome = match all_connected(run, stop).await {
        Ok(true) => tell(run, (origin, timing), stop, listener, &mut ended).await.map(|()| Delivery::All),
        Ok(false) => {
            ended.cut_short = Some(Problem::new(msg!("stopped-while-connecting")));
            Ok(Delivery::Nothing)
        }
        Err(problem) => Err(problem),
    };
    if outcome == Ok(Delivery::All) {
        // If the load drains, they have been waited for already.
        let grace = match run.timeline.drains() && ended.cut_short.is_none() {
            true => Duration::ZERO,
            false if stop.asked() => GRACE_AFTER_SIGNAL,
            false => GRACE,
        };
        wait_until(run, stop, grace, |run| run.driving.load(Ordering::SeqCst) == 0).await;
        ended.per_client = run.per_client.read();
    }
    dismiss(run, stop).await;
    ended.per_client.unwritten = run.per_client.unwritten();
    let cut_short = run.cut_short(ended.cut_short.take());
    outcome.map(|_| Ended { cut_short, ..ended })
}

/// The extent and the end of a drive.
#[derive(Debug, PartialEq)]
enum Delivery {
    Nothing,
    All,
}

/// Waits for the first connections; `false` if the user requested a stop.
async fn all_connected(run: &DriveState, stop: &StopSignal) -> Result<bool, Problem> {
    let mut last = (0, Instant::now());
    loop {
        let ready = run.ready.load(Ordering::SeqCst) == run.workers;
        if ready && let Some(error) = run.refusal() {
            return Err(not_connected(run, &error));
        }
        if let Some(fault) = run.fault() {
            return Err(fault);
        }
        if stop.asked() {
            return Ok(false);
        }
        if ready {
            return Ok(true);
        }
        let connected = run.connected.load(Ordering::SeqCst);
        if connected != last.0 {
            last = (connected, Instant::now());
        } else if last.1.elapsed() > CONNECTING {
            let what = msg!("sessions-not-begun", seconds = CONNECTING.as_secs());
            return Err(Problem::new(what)
                .evidence(msg!("clients-were-connected", connected, clients = run.clients))
                .hint(msg!("look-what-it-is-busy-with")));
        }
        let _ = tokio::time::timeout(LOOK, run.notify.notified()).await;
    }
}

fn not_connected(run: &DriveState, error: &Error) -> Problem {
    let connected = run.connected.load(Ordering::SeqCst);
    let mut problem = error.problem(msg!("connecting-clients"));
    let so_far = msg!("clients-were-connected", connected, clients = run.clients);
    problem.evidence = Some(Message::joined(problem.evidence.into_iter().chain([so_far]), "; "));
    if problem.hint.is_none() && error.class() == Class::Limit {
        let enough = run.clients.saturating_add(50);
        problem.hint = Some(msg!("set-max-connections-or-fewer", enough));
    }
    problem
}

/// From the common start to the end of measure.
async fn tell(
    run: &DriveState,
    (origin, timing): (std::time::Instant, Timing),
    stop: &StopSignal,
    listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
    ended: &mut Ended,
) -> Result<(), Problem> {
    listener(EngineEvent::Connected)?;
    let common = run.control.start.get().map(|&common| Instant::from_std(common));
    let start = common.unwrap_or_else(Instant::now);
    let clock = Clock { start };
    let start_ns = start.into_std().saturating_duration_since(origin).as_nanos() as u64;
    let at = |ns: u64| start_ns.saturating_add(ns);
    let mut slot = run.timeline.slot(0);
    let mut phase = None;
    if slot.phase != Phase::CoolDown {
        // Before any client starts, so that what clients print themselves comes after it.
        phase = Some(slot.phase);
        listener(EngineEvent::Phase { phase: slot.phase, at_ns: at(slot.from_ns) })?;
    }
    if common.is_some() {
        let early = if timing == Timing::Kernel { PRECISE } else { Duration::ZERO };
        tokio::time::sleep_until(start - early).await;
        // The runtime wakes to the millisecond only. No client is at work, so that this thread may sleep.
        std::thread::sleep(start.saturating_duration_since(Instant::now()));
        ended.late_ns = start.elapsed().as_nanos() as u64;
    }
    run.enter_stage(WorkerPhase::Drive(start));

    let mut cpu_at_start = process_cpu_ns();
    let mut suspended_at_start = suspended_ns();
    let mut to_ns = 0;
    let mut user = None;
    let mut warmed_up = false;
    let mut begun_before = OpenStarts::default();
    let mut watch = match timing {
        Timing::Kernel => HaltWatch::begin(clock).map_err(|error| {
            Problem::new(msg!("too-few-threads", started = run.workers, workers = run.workers + 1))
                .evidence(foreign(error))
                .hint(msg!("raise-processes"))
        })?,
        Timing::Runtime => HaltWatch::blind(),
    };
    while slot.phase != Phase::CoolDown {
        if phase != Some(slot.phase) {
            phase = Some(slot.phase);
            listener(EngineEvent::Phase { phase: slot.phase, at_ns: at(slot.from_ns) })?;
        }
        if slot.phase == Phase::Measure && slot.from_ns == run.timeline.warmup_ns() {
            (ended.measured_from_ns, ended.measured_to_ns) = (at(slot.from_ns), at(slot.from_ns));
        }
        wait_for_end_of(&slot, run, clock, stop, &mut user, listener).await?;
        let (cpu, suspended) = (process_cpu_ns(), suspended_ns());
        let clients = run.connected.load(Ordering::Relaxed);
        to_ns = run.end_ns().clamp(slot.from_ns, slot.to_ns);
        // Not a pause after each interval: with intervals shorter than the pause the collector would fall behind.
        tokio::time::sleep_until(clock.instant(to_ns) + LATE).await;
        // It may have moved meanwhile.
        let end_ns = run.end_ns();
        to_ns = end_ns.clamp(slot.from_ns, to_ns);
        let last = end_ns <= slot.to_ns;
        let drained = last && run.over_ns() <= end_ns;
        // Something may have been counted behind an end that was moved back.
        let moved_back = end_ns < slot.to_ns || run.fault().is_some();
        let mut counted = CountedInterval::fetch(run, &slot, drained && moved_back);
        match slot.phase {
            Phase::WarmUp => begun_before.add(&counted),
            _ => counted.carry_over(run, std::mem::take(&mut begun_before)),
        }
        if drained && slot.phase == Phase::Measure {
            ended.oldest_open_ns = counted.add_what_has_not_ended(run, to_ns);
        }
        let (tally, completions) = counted.together(run);
        let within = (slot.from_ns, to_ns);
        let idle = completions.as_ref().map_or(vec![within], |c| c.idle_of(within));
        ended.halts.add(watch.take(to_ns, idle, measured(run)));
        if to_ns > slot.from_ns || tally != Tally::default() {
            if slot.phase == Phase::Measure {
                ended.measured_to_ns = at(to_ns);
                ended.client_cpu_ns = cpu - cpu_at_start;
                ended.halts.suspended_ns = suspended.saturating_sub(suspended_at_start);
            }
            listener(interval(run, start_ns, slot.phase, (slot.from_ns, to_ns), clients, (tally, completions)))?;
        }
        if slot.phase == Phase::WarmUp {
            (cpu_at_start, suspended_at_start) = (cpu, suspended);
        }
        if last {
            break;
        }
        if slot.phase == Phase::WarmUp && run.control.steady.asked() && !warmed_up {
            warmed_up = true;
            run.measure_now();
        }
        slot = run.timeline.slot(slot.index + 1);
        if run.control.enough.asked() {
            run.end_at(slot.to_ns);
        }
    }
    ended.halts.add(watch.end(measured(run)));
    if run.over_ns() > run.end_ns() && user.is_none() {
        drain(run, (clock, start_ns, cpu_at_start), stop, slot, listener, ended, &mut user).await?;
        to_ns = ended.measured_to_ns.saturating_sub(start_ns);
    }
    if ended.measured_to_ns < at(run.timeline.warmup_ns()) {
        // The measured window was never reached.
        (ended.measured_from_ns, ended.measured_to_ns) = (at(to_ns), at(to_ns));
    }
    ended.cut_short = run.fault().or(user);
    listener(EngineEvent::Phase { phase: Phase::CoolDown, at_ns: at(to_ns) })
}

/// From when to when is measured, as far as known, nanoseconds since the common start.
fn measured(run: &DriveState) -> (u64, u64) {
    (run.timeline.warmup_ns(), run.end_ns())
}

/// The event of an interval that has ended; times are since the common start, which was at `start_ns`.
fn interval(
    run: &DriveState,
    start_ns: u64,
    phase: Phase,
    (from_ns, to_ns): (u64, u64),
    clients: u32,
    (tally, completions): (Tally, Option<IntervalCompletions>),
) -> EngineEvent {
    let at = |ns: u64| start_ns.saturating_add(ns);
    let per_client = Arc::new(run.per_client.read());
    let idle = completions.iter().flat_map(|c| &c.idle).map(|(from, to)| (at(*from), at(*to))).collect();
    let completions = completions.map(|c| Completions {
        first_ns: at(c.first_ns),
        last_ns: at(c.last_ns),
        gap_ns: idle::longest_ns(&c.idle),
    });
    let (from_ns, to_ns) = (at(from_ns), at(to_ns));
    EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, completions, idle, per_client }
}

/// After the end of measure, which is that of `slot` at the latest: waits for transactions in progress and for all
/// clients to close, and reports what was counted meanwhile in intervals of the same grid.
async fn drain(
    run: &DriveState,
    (clock, start_ns, cpu_at_start): (Clock, u64, u64),
    stop: &StopSignal,
    slot: IntervalSlot,
    listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
    ended: &mut Ended,
    user: &mut Option<Problem>,
) -> Result<(), Problem> {
    let at = |ns: u64| start_ns.saturating_add(ns);
    let mut from_ns = run.end_ns();
    // That interval has been reported; whatever is counted from now on belongs to the next.
    let mut slot = run.timeline.slot(slot.index + 1);
    loop {
        let last = loop {
            let all_left = run.driving.load(Ordering::SeqCst) == 0;
            let now = Instant::now();
            if stop.asked() && user.is_none() {
                *user = Some(Problem::new(msg!("stopped-in-last-transactions")));
            }
            if all_left || user.is_some() || run.fault().is_some() || clock.ns(now) >= run.over_ns() {
                break true;
            }
            let until = clock.instant(slot.to_ns.min(run.over_ns()));
            if now >= until {
                break false;
            }
            let _ = tokio::time::timeout_at(until.min(now + LOOK), run.notify.notified()).await;
        };
        let mut to_ns = slot.to_ns;
        // Before the clients close, which does not count as a loss.
        let clients = run.connected.load(Ordering::Relaxed);
        if last {
            dismiss(run, stop).await;
            let now_ns = clock.now_ns();
            run.end_at(now_ns);
            to_ns = now_ns.max(from_ns);
            // Closing may have taken longer than the interval.
            let at_goodbye = run.timeline.slot_at(now_ns);
            slot = if at_goodbye.index > slot.index { at_goodbye } else { slot };
        } else {
            tokio::time::sleep_until(clock.instant(to_ns) + LATE).await;
        }
        let mut counted = CountedInterval::fetch(run, &slot, last);
        if last {
            ended.oldest_open_ns = counted.add_what_has_not_ended(run, to_ns);
        }
        let (tally, completions) = counted.together(run);
        if tally != Tally::default() || !last || to_ns - from_ns > LONG_GOODBYE_NS {
            let tally = Tally { drained: true, ..tally };
            ended.measured_to_ns = at(to_ns);
            ended.client_cpu_ns = process_cpu_ns() - cpu_at_start;
            listener(interval(run, start_ns, slot.phase, (from_ns, to_ns), clients, (tally, completions)))?;
        }
        if last {
            return Ok(());
        }
        from_ns = slot.to_ns;
        slot = run.timeline.slot(slot.index + 1);
    }
}

/// Waits for the end of the interval or of the drive, whichever comes first; moves the end of the drive if there is a
/// reason, and stores a stop by the user in `user`. Fails if the listener does.
async fn wait_for_end_of(
    slot: &IntervalSlot,
    run: &DriveState,
    clock: Clock,
    stop: &StopSignal,
    user: &mut Option<Problem>,
    listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
) -> Result<(), Problem> {
    loop {
        // Read before the clock: clients that leave at the end must not seem to have left before it.
        let all_left = run.driving.load(Ordering::SeqCst) == 0;
        let now = Instant::now();
        let now_ns = clock.ns(now);
        if stop.at_once() {
            *user = Some(Problem::new(msg!("stopped-at-once-by-user")));
            run.end_at(now_ns);
        } else if stop.asked() && user.is_none() {
            *user = Some(Problem::new(msg!("stopped-by-user")));
            run.end_at(slot.to_ns);
        }
        // Read before the start of the window is applied, on which its place depends: code that sets both sets that start first.
        let last = run.control.last.get();
        begin_named_window(run, clock);
        if let Some(&last) = last {
            run.end_at(run.timeline.slot(last.max(slot.index)).to_ns);
        }
        if let Some(waiting) = overload(run, now_ns) {
            let problem = Problem::new(msg!("clients-could-not-keep-up"))
                .evidence(msg!("starts-were-waiting", waiting, clients = run.clients))
                .hint(msg!("ask-for-a-lower-rate"));
            run.fail(now_ns, problem);
        }
        if run.fault().is_some() {
            run.end_at(now_ns);
        }
        if all_left && now_ns < run.end_ns() {
            finish_early(run, now_ns);
        }
        let until = clock.instant(slot.to_ns.min(run.end_ns()));
        if now >= until {
            return Ok(());
        }
        let inquiries = run.control.inquiries.load(Ordering::SeqCst);
        if run.answered.swap(inquiries, Ordering::SeqCst) != inquiries {
            let interval = run.undecided_at(clock.now_ns().saturating_add(UNDECIDED_FOR.as_nanos() as u64));
            listener(EngineEvent::Undecided { interval })?;
        }
        let until = until.min(now + LOOK);
        let _ = tokio::time::timeout_at(until, run.notify.notified()).await;
    }
}

/// Lets the measured window begin with the interval that was named for it; the drive fails if that is known too late.
fn begin_named_window(run: &DriveState, clock: Clock) {
    let Some(&index) = run.control.measure_from.get() else { return };
    // Otherwise it has been done, or the longest warm-up has passed by then.
    if run.timeline.warmup_ns() > run.timeline.warmup_slot_ns(index)
        && run.fault().is_none()
        && let Err(first) = run.measure_from(index, clock)
    {
        let problem = Problem::new(msg!("window-named-too-late")).evidence(msg!("window-could-begin", index, first));
        run.fail(clock.now_ns(), problem);
    }
}

/// All clients have left before the end: all operations are done, or no client is left.
fn finish_early(run: &DriveState, now_ns: u64) {
    match run.groups.rest() {
        Remaining::Done => done(run),
        Remaining::NoneBeforeEnd => {}
        Remaining::Some => match run.content.load(Ordering::SeqCst) {
            // All clients have completed their work.
            all if all == run.clients => done(run),
            some => {
                let problem = if some == 0 {
                    Problem::new(msg!("all-clients-lost-their-connections"))
                } else {
                    Problem::new(msg!("clients-lost-their-connections-before"))
                };
                let problem = problem
                    .evidence(msg!("clients-came-to-their-end", ended = some, clients = run.clients))
                    .hint(msg!("see-why-connections-close"));
                let over_ns = if some == 0 { now_ns } else { run.shards.last_end_ns().min(now_ns) };
                run.fail(over_ns, problem);
            }
        },
    }
}

/// The drive ends with its last transaction.
fn done(run: &DriveState) {
    let last_ns = run.shards.last_end_ns();
    // A transaction that ended exactly when an interval starts is counted in that interval.
    let last_ns = last_ns + u64::from(run.timeline.slot_at(last_ns).from_ns == last_ns);
    if run.timeline.drains() { _ = run.close_at(last_ns) } else { run.end_at(last_ns) }
}

fn overload(run: &DriveState, now_ns: u64) -> Option<usize> {
    run.groups
        .queues()
        .filter_map(|(_, mut arrivals)| {
            arrivals.advance(now_ns);
            arrivals.overloaded()
        })
        .max()
}

/// Lets the workers close their connections and finish. Those that do not finish in time are abandoned.
async fn dismiss(run: &DriveState, stop: &StopSignal) {
    if *run.stage.borrow() == WorkerPhase::Drop {
        return;
    }
    let at_rest = *run.stage.borrow() == WorkerPhase::Connect || run.driving.load(Ordering::SeqCst) == 0;
    if at_rest && !stop.at_once() {
        run.enter_stage(WorkerPhase::Close);
        wait_until(run, stop, run.goodbye() + GOODBYE, |run| run.finished.load(Ordering::SeqCst) == run.workers).await;
        run.give_up_ends();
    }
    run.enter_stage(WorkerPhase::Drop);
}

/// Waits until `done`, up to a time limit, and not if the user requests an immediate stop.
async fn wait_until(run: &DriveState, stop: &StopSignal, patience: Duration, done: impl Fn(&DriveState) -> bool) {
    let until = Instant::now() + patience;
    while !done(run) && !stop.at_once() && Instant::now() < until {
        let _ = tokio::time::timeout_at(until.min(Instant::now() + LOOK), run.notify.notified()).await;
    }
}

fn since(origin: std::time::Instant) -> u64 {
    Instant::now().into_std().saturating_duration_since(origin).as_nanos() as u64
}
