//! The experiment that would refute a diagnosis: a plan that repeats the trial and changes one thing. If the diagnosis is
//! right, throughput changes as it says; if not, it is wrong.
//!
//! The plan is that of the run, with this trial alone and the change: it is text that `tenbin plan check` accepts.

use super::Outcome;
use super::evidence::Evidence;
use super::judgement::Bottleneck;
use crate::dsn::{Dsn, Scheme};
use crate::message::Message;
use crate::msg;
use crate::plan::TrialPlan;
use crate::trial::{Schedule, Target};
use crate::units;
use toml::Value;

/// How often each cell of the experiment is run.
const REPEATS: u32 = 3;

/// An experiment that would refute a diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct RefutingExperiment {
    /// The key that it changes: `load.clients`.
    pub key: String,
    /// What is to be expected if the diagnosis is right; otherwise it is refuted.
    pub expects: Message,
    /// The plan.
    pub plan: String,
}

/// What is changed: a key of the matrix with its values (the first one is that of the trial), or the target itself.
enum Change {
    Matrix {
        key: &'static str,
        values: Vec<Value>,
    },
    /// The same with another target: without these keys, and with others.
    Target {
        key: &'static str,
        without: &'static [&'static str],
        with: Vec<(&'static str, String)>,
    },
}

/// The experiment for an outcome of a trial that was run by this plan; `None` if the evidence does not say what to try, or the
/// plan is not that of one run.
pub(super) fn experiment(e: &Evidence<'_>, outcome: Outcome, plan: &str) -> Option<RefutingExperiment> {
    let trial = &e.t.trial;
    let (change, expects) = change(e, outcome)?;
    let mut plan = TrialPlan::of(plan, trial)?;
    plan.named(&format!("why-{}", outcome.code()));
    plan.repeated(REPEATS);
    let key = match change {
        Change::Matrix { key, values } => {
            plan.varied(key, values);
            key
        }
        Change::Target { key, without, with } => {
            let with: Vec<(&str, &str)> = with.iter().map(|(key, value)| (*key, value.as_str())).collect();
            plan.target_again(&format!("{}-without", trial.target.name), without, &with);
            key
        }
    };
    let scale = trial.scale.map(|scale| format!("# --scale {scale}\n")).unwrap_or_default();
    Some(RefutingExperiment {
        key: key.to_owned(),
        expects,
        plan: format!("# {}\n{scale}{}", outcome.code(), plan.text()),
    })
}

fn change(e: &Evidence<'_>, outcome: Outcome) -> Option<(Change, Message)> {
    let trial = &e.t.trial;
    let clients = trial.load.clients;
    let fewer = || matrix("load.clients", [clients, (clients / 2).max(1)].map(whole));
    let more = || matrix("load.clients", [clients, clients.saturating_mul(2)].map(whole));
    Some(match outcome {
        Outcome::NotKnown => return None,
        Outcome::Nothing => match trial.load.schedule {
            Schedule::Closed => (more(), msg!("expects-more-clients")),
            Schedule::Open { rate, .. } => {
                (matrix("load.rate", [rate, 2.0 * rate].map(number)), msg!("expects-more-rate"))
            }
        },
        Outcome::Limit(bottleneck) => match bottleneck {
            Bottleneck::Client => {
                let workers = e.t.workers.max(1);
                (matrix("load.workers", [workers, workers.saturating_mul(2)].map(whole)), msg!("expects-more-workers"))
            }
            Bottleneck::Replica => {
                let half = 0.5 * e.tps;
                let rate = number(if half >= 100.0 { half.round() } else { half });
                (Change::Matrix { key: "load.rate", values: vec![rate] }, msg!("expects-less-for-replica"))
            }
            Bottleneck::Network => (nearer(&trial.target), msg!("expects-nearer")),
            Bottleneck::ServerCpu => (fewer(), msg!("expects-fewer-clients-same")),
            Bottleneck::DiskReads => (larger_cache(e)?, msg!("expects-larger-cache")),
            Bottleneck::Commit => (relaxed(e)?, msg!("expects-relaxed-commit")),
            Bottleneck::RowLocks => (fewer(), msg!("expects-fewer-clients-locks")),
            Bottleneck::Latches => (fewer(), msg!("expects-fewer-clients-latches")),
            Bottleneck::Admission => (fewer(), msg!("expects-fewer-clients-admission")),
        },
    })
}

fn matrix(key: &'static str, values: [Value; 2]) -> Change {
    let [now, other] = values;
    // One client cannot be halved.
    let values = if now == other { vec![now] } else { vec![now, other] };
    Change::Matrix { key, values }
}

fn whole(value: u32) -> Value {
    Value::Integer(value.into())
}

/// A rate: as it is, and a whole number without a fraction.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { Value::Integer(value as i64) } else { Value::Float(value) }
}

/// The target without its simulated link, or at the local address of its own machine, where the plan is then to be run.
fn nearer(target: &Target) -> Change {
    if target.link.is_some() {
        return Change::Target { key: "link", without: &["link"], with: Vec::new() };
    }
    let local = target.dsn.as_deref().and_then(|text| {
        let dsn = Dsn::parse(text).ok().filter(|dsn| !dsn.host.is_empty())?;
        let (before, after) = text.split_at(text.rfind(&dsn.host)?);
        Some(("dsn", format!("{before}127.0.0.1{}", &after[dsn.host.len()..])))
    });
    Change::Target { key: "dsn", without: &["host"], with: local.into_iter().collect() }
}

/// Twice the memory for pages. A try-out has a part of what its plan says, so that the plan cannot say twice.
fn larger_cache(e: &Evidence<'_>) -> Option<Change> {
    e.t.trial.scale.is_none().then_some(())?;
    match e.t.trial.target.scheme() {
        Scheme::Mysql => {
            let now: i64 = e.variable("innodb_buffer_pool_size")?.parse().ok()?;
            let values = [now, now.saturating_mul(2)].map(Value::Integer);
            Some(matrix("server.innodb_buffer_pool_size", values))
        }
        Scheme::Postgres => {
            let kib = units::bytes(e.variable("shared_buffers")?).ok()? / 1024;
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
