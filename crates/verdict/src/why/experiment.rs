//! The experiment that would refute a diagnosis: a plan that repeats the trial and changes one thing. If the diagnosis is
//! right, throughput changes as it says; if not, it is wrong.
//!
//! The plan is that of the run, with this trial alone and the change: it is text that `tenbin plan check` accepts. It says in
//! `[refutes]` which limit it tests and what is to be expected, by which [`mod@super::refutation`] judges its run.

use super::evidence::Evidence;
use super::judgement::{Bottleneck, Judgement};
use super::memory;
use super::{Outcome, Refutation, Ruling};
use crate::client_use;
use crate::counting;
use crate::lag::{self, ReplicaLag, Trend};
use tenbin_model::dsn::Scheme;
use tenbin_model::plan::{TrialPlan, again_with};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tested_limit::{Expectation, NOTHING, TestedLimit};
use tenbin_model::trial::Schedule;
use tenbin_words::message::Message;
use tenbin_words::msg;
use toml::Value;

/// How often each cell of the experiment is run; of fewer, the intervals of two trials that differ by a tenth touch.
const REPEATS: u32 = 5;
/// What rises becomes at least this many times as much: less is how trials differ.
const RISES: Expectation = Expectation::AtLeast(1.05);
/// What round trips limit: twice the clients wait for twice as many of them at once.
const RISES_WITH_CLIENTS: Expectation = Expectation::AtLeast(1.2);
/// The share of the rate that a replica applied that is easy for it …
const EASY: f64 = 0.5;
/// … and the least share that it is assumed to have applied of what its source did: below it, a rate would be meaningless.
const LEAST_APPLIED: f64 = 0.02;
/// What stays the same falls by less than a tenth …
const STAYS: Expectation = Expectation::AtLeast(0.9);
/// … and rises by less than a tenth.
const DOES_NOT_RISE: Expectation = Expectation::LessThan(1.1);

/// An experiment that would refute a diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct RefutingExperiment {
    /// The key that it changes: `load.clients`.
    pub key: String,
    /// What is to be expected if the diagnosis is right; otherwise it is refuted.
    pub expects: Message,
    /// The limit that it tests.
    pub tested: TestedLimit,
    /// The plan.
    pub plan: String,
}

/// What is changed: a key of the matrix with its values (the first one is that of the trial), or the target itself.
enum Change {
    Matrix {
        key: &'static str,
        values: Vec<Value>,
    },
    /// The same with another target, which lacks these keys.
    Target {
        key: &'static str,
        without: &'static [&'static str],
    },
}

/// An experiment: the change, what is to be expected in words, and as figures.
type Test = (Change, Message, Expectation);

/// The experiment for an outcome of a trial that was run by the plan of this run; `None` if the evidence does not say what to try,
/// if the plan is not that of one run, or if it has tested this limit already and confirmed it. A run that tested a limit and did
/// not decide offers the same plan with more repeats, whatever limits its trials.
pub(super) fn experiment(
    e: &Evidence<'_>,
    outcome: Outcome,
    judgements: &[Judgement],
    summary: &Summary,
    before: Option<&Refutation>,
) -> Option<RefutingExperiment> {
    let trial = &e.t.trial;
    match before {
        Some(before) if before.ruling == Ruling::Undecided => {
            // At its rate most replicas keep up, and do not say at which they would.
            let what = match before.tested.expects {
                Expectation::KeepsUp => Some(msg!("expects-less-for-replica")),
                _ => test(e, before.limit(), judgements).map(|(_, what, _)| what),
            };
            if let Some(what) = what {
                return again(e, summary, before, what);
            }
        }
        Some(before) if before.limit() == outcome => return None,
        _ => {}
    }
    let (change, what, expects) = test(e, outcome, judgements)?;
    // Clients and rates of groups are no axes.
    let is_of_groups = matches!(change, Change::Matrix { key: "load.clients" | "load.rate", .. });
    if is_of_groups && !trial.load.groups.is_empty() {
        return None;
    }
    let mut plan = TrialPlan::of(&summary.plan, trial)?;
    plan.named(&format!("why-{}", outcome.code()));
    plan.repeated(REPEATS);
    if expects == Expectation::KeepsUp {
        plan.waits_for_replicas();
    }
    let reads = outcome == Outcome::Limit(Bottleneck::DiskReads);
    let filled_ms = reads.then(|| memory::twice_filled_ms(e)).flatten();
    if let Some(least_ms) = filled_ms.max(settled_ms(e.t)) {
        plan.warmed(trial, least_ms);
    }
    let key = match change {
        Change::Matrix { key, values } => {
            plan.varied(key, values);
            key
        }
        Change::Target { key, without } => {
            plan.target_again(&format!("{}-without", trial.target.name), without);
            key
        }
    };
    let limit = if let Outcome::Limit(bottleneck) = outcome { Some(bottleneck) } else { None };
    let run = format!("{} {}", summary.name, summary.started);
    let tested = TestedLimit { limit, changes: key.to_owned(), expects, run, trial: trial.number };
    plan.refuting(&tested);
    Some(written(e, tested, what, &plan.text()))
}

/// How long a warm-up lasts at least if the first transaction of each client is to end in it, milliseconds; `None` where the windows of the trial
/// are long enough for its transactions. Until then they are shorter than those that follow, in every repeat, so that more repeats would not decide.
fn settled_ms(t: &TrialResult) -> Option<u64> {
    counting::doubtful_edges(t).map(|_| counting::longest_ns(t).div_ceil(1_000_000_000) * 1_000)
}

/// The plan that did not decide, with twice as many repeats; where its memory was not filled, also with twice the warm-up, and where transactions
/// are as long as its windows, with one that is as long as they are.
fn again(e: &Evidence<'_>, summary: &Summary, before: &Refutation, what: Message) -> Option<RefutingExperiment> {
    let of_cell = |t: &&TrialResult| t.trial.cell == e.t.trial.cell && t.trial.target.name == e.t.trial.target.name;
    let repeats = summary.trials.iter().filter(of_cell).count() as u32;
    let filled_ms = (before.not_filled > 0).then(|| e.t.trial.warmup_ms.saturating_mul(2));
    let warmup_ms = filled_ms.max(summary.trials.iter().filter_map(settled_ms).max());
    let plan = again_with(&summary.plan, &e.t.trial, repeats.saturating_mul(2), warmup_ms)?;
    Some(written(e, before.tested.clone(), what, &plan))
}

/// What is expected with its figure, and the plan with comments that say what it is.
fn written(e: &Evidence<'_>, tested: TestedLimit, what: Message, plan: &str) -> RefutingExperiment {
    let scale = e.t.trial.scale.map(|scale| format!("# --scale {scale}\n")).unwrap_or_default();
    let limit = tested.limit.map_or(NOTHING, Bottleneck::code);
    let expects = match tested.expects.ratio_words() {
        Some(ratio) => msg!("expects-by", what, ratio),
        None => what,
    };
    RefutingExperiment { key: tested.changes.clone(), expects, tested, plan: format!("# {limit}\n{scale}{plan}") }
}

fn test(e: &Evidence<'_>, outcome: Outcome, judgements: &[Judgement]) -> Option<Test> {
    let bottleneck = match outcome {
        Outcome::NotKnown => return None,
        Outcome::Nothing => {
            return Some(match e.t.trial.load.schedule {
                Schedule::Closed => (clients(e, 2), msg!("expects-more-clients"), RISES),
                Schedule::Open { rate, .. } => {
                    (matrix("load.rate", [rate, 2.0 * rate].map(number)), msg!("expects-more-rate"), Expectation::Holds)
                }
            });
        }
        Outcome::Limit(bottleneck) => bottleneck,
    };
    // What shows it most decides what would refute it.
    let shown = judgements.iter().find(|judgement| judgement.bottleneck == bottleneck);
    let shown = shown.and_then(|judgement| judgement.proofs.first()?.what.id()).unwrap_or_default();
    Some(match bottleneck {
        Bottleneck::Client => of_client(e, shown),
        Bottleneck::Replica => slower_for_replica(e)?,
        Bottleneck::Network => of_network(e, shown),
        Bottleneck::ServerCpu => fewer_clients(e, msg!("expects-fewer-clients-same")),
        Bottleneck::DiskReads => (larger_cache(e)?, msg!("expects-larger-cache"), RISES),
        Bottleneck::Commit => (relaxed(e)?, msg!("expects-relaxed-commit"), RISES),
        Bottleneck::RowLocks => fewer_clients(e, msg!("expects-fewer-clients-locks")),
        Bottleneck::Latches => fewer_clients(e, msg!("expects-fewer-clients-latches")),
        Bottleneck::Admission => fewer_clients(e, msg!("expects-fewer-clients-admission")),
    })
}

/// Of a client that is the limit by this figure. Threads help only as long as there are processors for them; a machine or a quota
/// that is used up completes the same with fewer clients.
fn of_client(e: &Evidence<'_>, shown: &str) -> Test {
    let workers = e.t.workers.max(1);
    let has_processors = client_use::processors(e.t).is_some_and(|all| f64::from(workers) < all.floor());
    match (shown, e.t.trial.load.schedule) {
        ("proof-client-between", _) => (clients(e, 2), msg!("expects-more-clients"), RISES),
        ("proof-client-late", Schedule::Open { rate, .. }) => {
            (matrix("load.rate", [rate, 0.5 * rate].map(number)), msg!("expects-in-time"), Expectation::InTime)
        }
        ("proof-client-cpu", _) if has_processors => (
            matrix("load.workers", [workers, workers.saturating_mul(2)].map(whole)),
            msg!("expects-more-workers"),
            RISES,
        ),
        _ => fewer_clients(e, msg!("expects-fewer-clients-same")),
    }
}

/// Of a network that is the limit by this figure: without the simulated link; a full line carries as much for fewer clients, and
/// where each statement waits for a round trip, or for what was lost, more of them wait at once.
fn of_network(e: &Evidence<'_>, shown: &str) -> Test {
    if e.t.trial.target.link.is_some() {
        return (Change::Target { key: "link", without: &["link"] }, msg!("expects-nearer"), RISES);
    }
    match shown {
        _ if e.line_is_full() => fewer_clients(e, msg!("expects-fewer-clients-line")),
        "proof-network-trips" | "proof-network-lost" | "proof-network-lost-server" => {
            (clients(e, 2), msg!("expects-more-clients"), RISES_WITH_CLIENTS)
        }
        _ => fewer_clients(e, msg!("expects-fewer-clients-line")),
    }
}

/// A rate at which a replica that fell behind keeps up; `None` if none did: commits that wait for a confirmation.
fn slower_for_replica(e: &Evidence<'_>) -> Option<Test> {
    let grows = |replica: &ReplicaLag| match replica.trend() {
        Some(Trend::FallsBehind(slope)) => Some(slope),
        _ => None,
    };
    // In each second it applied what the source did in `1 - slope` seconds.
    let slope = lag::of_trial(e.t).iter().filter_map(grows).reduce(f64::max)?;
    let rate = e.tps * (1.0 - slope).max(LEAST_APPLIED) * EASY;
    let rate = number(if rate >= 100.0 { rate.round() } else { (10.0 * rate).round() / 10.0 });
    let change = Change::Matrix { key: "load.rate", values: vec![rate] };
    Some((change, msg!("expects-less-for-replica"), Expectation::KeepsUp))
}

/// Half the clients complete the same. One client cannot be halved: then two complete no more.
fn fewer_clients(e: &Evidence<'_>, expects: Message) -> Test {
    let now = e.t.trial.load.clients;
    match now {
        0 | 1 => (clients(e, 2), msg!("expects-more-clients-same"), DOES_NOT_RISE),
        _ => (matrix("load.clients", [now, now / 2].map(whole)), expects, STAYS),
    }
}

/// This many times as many clients.
fn clients(e: &Evidence<'_>, times: u32) -> Change {
    let now = e.t.trial.load.clients;
    matrix("load.clients", [now, now.saturating_mul(times)].map(whole))
}

fn matrix(key: &'static str, values: [Value; 2]) -> Change {
    Change::Matrix { key, values: values.into() }
}

fn whole(value: u32) -> Value {
    Value::Integer(value.into())
}

/// A rate: as it is, and a whole number without a fraction.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { Value::Integer(value as i64) } else { Value::Float(value) }
}

/// Twice the memory for pages. A try-out has a part of what its plan says, so that the plan cannot say twice; and more memory changes
/// nothing for a load that has not filled what there is.
fn larger_cache(e: &Evidence<'_>) -> Option<Change> {
    (e.t.trial.scale.is_none() && !memory::is_being_filled(e)).then_some(())?;
    let now = i64::try_from(memory::bytes(e)?).ok()?;
    match e.t.trial.target.scheme() {
        Scheme::Mysql => {
            let values = [now, now.saturating_mul(2)].map(Value::Integer);
            Some(matrix("server.innodb_buffer_pool_size", values))
        }
        Scheme::Postgres => {
            let kib = now / 1024;
            let values = [kib, kib.saturating_mul(2)].map(|kib| Value::String(format!("{kib}kB")));
            Some(matrix("server.shared_buffers", values))
        }
        _ => None,
    }
}

/// Commits that do not wait for the disk: the first of these variables that makes them wait, its usual value, and the values
/// with which they do not. The last one of these is tried.
const RELAXED: [(Scheme, &str, &str, &[&str]); 3] = [
    (Scheme::Postgres, "server.synchronous_commit", "on", &["off"]),
    (Scheme::Mysql, "server.innodb_flush_log_at_trx_commit", "1", &["0", "2"]),
    (Scheme::Mysql, "server.sync_binlog", "0", &["0"]),
];

fn relaxed(e: &Evidence<'_>) -> Option<Change> {
    let target = &e.t.trial.target;
    let value = |text: &str| text.parse().map_or_else(|_| Value::String(text.to_owned()), Value::Integer);
    RELAXED.iter().filter(|(scheme, ..)| *scheme == target.scheme()).find_map(|(_, key, usual, relaxed)| {
        let name = key.strip_prefix("server.")?;
        let planned = || target.server.get(name).map(String::as_str);
        let now = e.variable(name).or_else(planned).unwrap_or(usual);
        let other = relaxed.last().filter(|_| !relaxed.contains(&now))?;
        Some(matrix(key, [value(now), value(other)]))
    })
}
