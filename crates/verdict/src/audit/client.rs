//! Doubts about the client's machine and this process: whether they, and not the target, made the figures what they are.

use super::{About, DoubtCheck, doubt, grade, s, share};
use crate::client_use::{self, ClientQuota, ClientUse};
use crate::clocks::{self, LATE_MS};
use crate::processors::Processors;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::names::client_process;
use tenbin_model::names::observer;
use tenbin_model::summary::TrialResult;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] = &[
    (About::Process, client_stopped),
    (About::Process, client_suspended),
    (About::Process, client_busy),
    (About::Process, client_throttled),
    (About::Trial, client_ceiling),
    (About::Process, client_delayed),
    (About::Process, client_late),
    (About::Machine, steal),
    (About::Machine, others_busy),
    (About::Machine, swapped),
    (About::Machine, memory_short),
    (About::Machine, slowed_by_heat),
    (About::Process, clock_set),
];

/// A stop of this process is detected from its own clock, and from the absence of completions meanwhile.
pub(super) fn stopped_ns(t: &TrialResult) -> u64 {
    let stopped = t.client_halts.stopped_ns;
    // If one thread waits for a processor while the others continue, nothing was stopped.
    let at_length =
        if stopped > t.measured_ns() / 2 { stopped } else { stopped.min(t.standstill().map_or(0, |s| s.total_ns)) };
    // The engine has compared the brief ones with both.
    at_length + t.client_halts.briefly_ns
}

fn client_stopped(t: &TrialResult) -> Option<Doubt> {
    let (ns, window) = (stopped_ns(t), t.measured_ns());
    let verdict = grade(share(t, ns))?;
    doubt(
        verdict,
        "client-stopped",
        Problem::new(msg!("doubt-client-stopped"))
            .evidence(msg!("doubt-client-stopped-seen", time = s(ns), window = s(window)))
            .hint(msg!("doubt-client-stopped-hint")),
    )
}

fn client_suspended(t: &TrialResult) -> Option<Doubt> {
    let (ns, window) = (t.client_halts.suspended_ns, t.measured_ns());
    let verdict = grade(share(t, ns))?;
    doubt(
        verdict,
        "client-suspended",
        Problem::new(msg!("doubt-client-suspended"))
            .evidence(msg!("doubt-client-suspended-seen", time = s(ns), window = s(window)))
            .hint(msg!("doubt-client-suspended-hint")),
    )
}

fn client_busy(t: &TrialResult) -> Option<Doubt> {
    let of_client = client_use::of_trial(t)?;
    let ClientUse { used, reachable, beside } = of_client;
    (of_client.share() >= client_use::BUSY).then_some(())?;
    let (used, reachable, workers) = (format!("{used:.2}"), client_use::shown(reachable), t.workers);
    doubt(
        Verdict::Degraded,
        "client-busy",
        Problem::new(msg!("doubt-client-busy"))
            .evidence(match beside {
                None => msg!("doubt-client-busy-seen", used, reachable, workers),
                Some((beside, all)) => {
                    let (beside, all) = (format!("{beside:.2}"), client_use::shown(all));
                    msg!("doubt-client-busy-seen-duet", used, reachable, workers, beside, all)
                }
            })
            .hint(msg!("doubt-client-busy-hint")),
    )
}

/// The share of the periods of the quota of this process in which it may be used up: until the next one no thread of ours runs, and
/// none takes the time of an answer.
const THROTTLED: f64 = 0.05;

fn client_throttled(t: &TrialResult) -> Option<Doubt> {
    let ClientQuota { cores, used_up } = client_use::quota(t)?;
    (used_up > THROTTLED).then_some(())?;
    doubt(
        Verdict::Degraded,
        "client-throttled",
        Problem::new(msg!("doubt-client-throttled"))
            .evidence(msg!(
                "doubt-client-throttled-seen",
                cores = client_use::shown(cores),
                percent = figure::percent_beside(used_up, THROTTLED),
                limit = figure::percent_of_limit(THROTTLED)
            ))
            .hint(msg!("doubt-client-throttled-hint")),
    )
}

/// The share of the ceiling of the clients above which they decide how much is done …
const CEILING: f64 = 0.8;
/// … if they used at least this share of their cores for it: otherwise the server, or the way to it, is the limit also
/// of statements that do nothing (of PostgreSQL on the cores of the client a point select reaches 90 %, with 0.4 of the
/// cores) …
const CEILING_CORES: f64 = 0.5;
/// … and unless they executed even more in the trial: statements were sent together, or others used the machine while the
/// ceiling was measured.
const ABOVE_CEILING: f64 = 1.25;

/// The clients hardly execute more of a statement that does nothing.
fn client_ceiling(t: &TrialResult) -> Option<Doubt> {
    let (ceiling, share) = (t.ceiling.as_ref()?, t.share_of_ceiling()?);
    let cores = f64::from(ceiling.workers).min(t.client_cores()?);
    (ceiling.client_cores() >= CEILING_CORES * cores).then_some(())?;
    // A busy client is reported already.
    (share > CEILING && share < ABOVE_CEILING && client_busy(t).is_none()).then_some(())?;
    doubt(
        Verdict::Degraded,
        "client-ceiling",
        Problem::new(msg!("doubt-client-ceiling"))
            .evidence(msg!(
                "doubt-client-ceiling-seen",
                qps = figure::grouped(t.qps()),
                percent = figure::percent_beside(share, CEILING),
                limit = figure::percent_of_limit(CEILING),
                ceiling = figure::grouped(ceiling.per_s()),
                clients = ceiling.clients,
                statement = ceiling.statement,
                used = format_args!("{:.2}", ceiling.client_cores()),
                cores = format_args!("{cores:.0}")
            ))
            .hint(msg!("doubt-client-busy-hint")),
    )
}

fn steal(t: &TrialResult) -> Option<Doubt> {
    let stolen_s = t.observed_change(observer::CLIENT_HOST, "cpu_steal_s")?;
    // Taken from all processors of the machine; this process may be limited to some of them.
    let machine = Processors::of(|name| t.observed_rate(observer::CLIENT_HOST, name)).map(Processors::all);
    let cores = machine.or_else(|| t.client_cores())?;
    let share = stolen_s / (cores * t.measured_ns() as f64 / 1e9);
    (share > 0.01).then_some(())?;
    let percent = share * 100.0;
    doubt(
        Verdict::Degraded,
        "steal",
        Problem::new(msg!("doubt-steal")).evidence(msg!(
            "doubt-steal-seen",
            percent = format_args!("{percent:.1}"),
            cores = format_args!("{cores:.0}")
        )),
    )
}

/// Work of others is a doubt if it took more than a tenth of a machine that had less than a tenth left.
const OTHERS: f64 = 0.1;
/// Shorter windows are not judged: the machine's figures have a resolution of 10 ms.
pub(super) const OTHERS_LEAST_NS: u64 = 500_000_000;
/// The share of the time ready to run that our threads may wait for a processor, on a machine that others use too.
const WAITED: f64 = 0.5;

fn others_busy(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() >= OTHERS_LEAST_NS).then_some(())?;
    let machine = Processors::of(|name| t.observed_rate(observer::CLIENT_HOST, name))?;
    let (left, all) = (machine.idle, machine.all());
    let server = if t.embedded() || !t.beside_client() {
        0.0
    } else {
        // A server that is not observed cannot be distinguished from other programs.
        let of = |name| t.observed_rate(observer::SERVER_PROCESS, name);
        of("cpu_user_s")? + of("cpu_system_s")?
    };
    let client = t.clients_on_machine_ns() as f64 / t.measured_ns() as f64;
    let others = machine.busy - server - client;
    // This process may be limited to a few of the cores, so that it waits although the machine is not fully used.
    let waited = t.observed_rate(client_process::OBSERVER, "run_delay_s");
    let starved = waited.is_some_and(|waited| waited > WAITED * (waited + client));
    (others > OTHERS * all && (left < OTHERS * all || starved)).then_some(())?;
    let threads = waited.map_or(foreign(""), |w| msg!("threads-waited", time = format_args!("{w:.2}")));
    doubt(
        Verdict::Degraded,
        "others-busy",
        Problem::new(msg!("doubt-others-busy"))
            .evidence(msg!(
                "doubt-others-busy-seen",
                all = format_args!("{all:.0}"),
                others = format_args!("{others:.2}"),
                client = format_args!("{client:.2}"),
                server = format_args!("{server:.2}"),
                left = format_args!("{left:.2}"),
                threads
            ))
            .hint(msg!("doubt-others-busy-hint")),
    )
}

/// The share of the window that a thread of ours may be ready to run and wait for a processor …
const DELAYED: f64 = 0.05;
/// … and if the server runs on the same machine and is not observed, so that it may be the cause.
const DELAYED_BESIDE_SERVER: f64 = 0.25;

/// Threads that waited for half of the window measured themselves.
const STARVED: f64 = 0.5;

/// Threads that wait for a processor take the time of an answer too late.
fn client_delayed(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() >= OTHERS_LEAST_NS && t.workers > 0 && !t.embedded()).then_some(())?;
    let here = t.beside_client();
    // Processors that an observed server takes belong to what is measured; `others_busy` judges the rest.
    (!here || !t.observations.contains_key(observer::SERVER_PROCESS)).then_some(())?;
    let of_process = || t.observed_rate(client_process::OBSERVER, "run_delay_s");
    let waited = t.observed_rate(client_process::OBSERVER, client_process::WORKERS_DELAY).or_else(of_process)?;
    let workers = t.workers + t.clients_beside().workers;
    // Of the process as a whole the threads that observe are a part.
    let (share, limit) = ((waited / f64::from(workers)).min(1.0), if here { DELAYED_BESIDE_SERVER } else { DELAYED });
    (share > limit).then_some(())?;
    doubt(
        if share > STARVED && !here { Verdict::Invalid } else { Verdict::Degraded },
        "client-delayed",
        Problem::new(msg!("doubt-client-delayed"))
            .evidence(msg!(
                "doubt-client-delayed-seen",
                percent = figure::percent_beside(share, limit),
                limit = figure::percent_of_limit(limit),
                workers
            ))
            .hint(msg!("doubt-others-busy-hint")),
    )
}

/// At a rate: clients were free, and starts were late nevertheless.
fn client_late(t: &TrialResult) -> Option<Doubt> {
    let p99_ms = clocks::late_ms(t)?;
    // A process that did not run has a doubt of its own.
    (p99_ms > LATE_MS && grade(share(t, stopped_ns(t))).is_none()).then_some(())?;
    doubt(
        Verdict::Degraded,
        "client-late",
        Problem::new(msg!("doubt-client-late"))
            .evidence(msg!("doubt-client-late-seen", p99_ms = figure::beside(p99_ms, LATE_MS, 1), limit = LATE_MS))
            .hint(msg!("doubt-others-busy-hint")),
    )
}

/// A machine's name in sentences.
pub(super) type NameOfMachine = fn() -> Message;

/// The observers of machines, with the names of their machines.
pub(super) const MACHINES: [(&str, NameOfMachine); 2] =
    [(observer::CLIENT_HOST, || msg!("machine-of-client")), (observer::SERVER_HOST, || msg!("machine-of-server"))];

/// What a machine's observer counted in the window, if it is more than `limit`, and which machine.
fn of_machines(
    t: &TrialResult,
    name: &str,
    of: fn(&TrialResult, &str, &str) -> Option<f64>,
    limit: f64,
) -> Option<(f64, NameOfMachine)> {
    (t.measured_ns() >= OTHERS_LEAST_NS).then_some(())?;
    let all = MACHINES.into_iter().filter_map(|(observer, machine)| Some((of(t, observer, name)?, machine)));
    all.filter(|(count, _)| *count > limit).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Pages per second: 1 MiB per second in pages of 4 KiB.
const SWAPPED: f64 = 256.0;

fn swapped(t: &TrialResult) -> Option<Doubt> {
    let (rate, whose) = of_machines(t, "swapped_in_pages", TrialResult::observed_rate, SWAPPED)?;
    doubt(
        Verdict::Degraded,
        "swap",
        Problem::new(msg!("doubt-swap", machine = whose()))
            .evidence(msg!("doubt-swap-seen", rate = format_args!("{rate:.0}"), limit = SWAPPED))
            .hint(msg!("doubt-swap-hint")),
    )
}

/// The share of the window in which some task may wait for memory.
const MEMORY: f64 = 0.1;

fn memory_short(t: &TrialResult) -> Option<Doubt> {
    let (rate, whose) = of_machines(t, "memory_waited_s", TrialResult::observed_rate, MEMORY)?;
    doubt(
        Verdict::Degraded,
        "memory",
        Problem::new(msg!("doubt-memory", machine = whose()))
            .evidence(msg!(
                "doubt-memory-seen",
                percent = figure::percent_beside(rate, MEMORY),
                limit = figure::percent_of_limit(MEMORY)
            ))
            .hint(msg!("doubt-swap-hint")),
    )
}

fn slowed_by_heat(t: &TrialResult) -> Option<Doubt> {
    let (times, whose) = of_machines(t, "thermal_throttles", TrialResult::observed_change, 0.0)?;
    doubt(
        Verdict::Degraded,
        "heat",
        Problem::new(msg!("doubt-heat", machine = whose()))
            .evidence(msg!("doubt-heat-seen", times = format_args!("{times:.0}")))
            .hint(msg!("doubt-heat-hint")),
    )
}

/// Seconds by which the clock may be set in the window.
const CLOCK: f64 = 1.0;

/// Our times come from a clock that cannot be set; those of a provider and of logs do not.
fn clock_set(t: &TrialResult) -> Option<Doubt> {
    let step = t.observed_difference(client_process::OBSERVER, "clock_step_s")?;
    (step.abs() > CLOCK && t.measured_ns() > 0).then_some(())?;
    doubt(
        Verdict::Degraded,
        "clock",
        Problem::new(msg!("doubt-clock"))
            .evidence(msg!("doubt-clock-seen", step = format_args!("{step:+.1}"), limit = CLOCK))
            .hint(msg!("doubt-clock-hint")),
    )
}
