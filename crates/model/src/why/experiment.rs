//! The experiment that would refute a diagnosis: a plan that repeats the trial and changes one thing. If the diagnosis is
//! right, throughput changes as it says; if not, it is wrong.
//!
//! The plan is text that `tenbin plan check` accepts, with everything that the trial had: the target, the data, the load.

use super::Outcome;
use super::evidence::Evidence;
use super::judgement::Bottleneck;
use crate::dsn::{Dsn, Scheme};
use crate::message::Message;
use crate::msg;
use crate::trial::{Allow, Arrivals, HostAccess, Observe, Restore, Schedule, Target, Trial, Workers};
use crate::units;
use std::collections::BTreeMap;
use std::fmt::Write;

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
        key: String,
        values: Vec<String>,
    },
    /// The same with another target.
    Target {
        key: &'static str,
        target: Box<Target>,
    },
}

/// The experiment for an outcome; `None` if the evidence does not say what to try.
pub(super) fn experiment(e: &Evidence<'_>, outcome: Outcome) -> Option<RefutingExperiment> {
    let trial = &e.t.trial;
    let clients = trial.load.clients;
    let fewer = || matrix("load.clients", [clients.to_string(), (clients / 2).max(1).to_string()]);
    let more = || matrix("load.clients", [clients.to_string(), clients.saturating_mul(2).to_string()]);
    let (change, expects) = match outcome {
        Outcome::NotKnown => return None,
        Outcome::Nothing => match trial.load.schedule {
            Schedule::Closed => (more(), msg!("expects-more-clients")),
            Schedule::Open { rate, .. } => {
                (matrix("load.rate", [number(rate), number(2.0 * rate)]), msg!("expects-more-rate"))
            }
        },
        Outcome::Limit(bottleneck) => match bottleneck {
            Bottleneck::Client => {
                let workers = e.t.workers.max(1);
                let values = [workers.to_string(), workers.saturating_mul(2).to_string()];
                (matrix("load.workers", values), msg!("expects-more-workers"))
            }
            Bottleneck::Replica => {
                let rate = number((0.5 * e.tps).max(1.0));
                (Change::Matrix { key: "load.rate".into(), values: vec![rate] }, msg!("expects-less-for-replica"))
            }
            Bottleneck::Network => (nearer(&trial.target), msg!("expects-nearer")),
            Bottleneck::ServerCpu => (fewer(), msg!("expects-fewer-clients-same")),
            Bottleneck::DiskReads => (larger_cache(e).unwrap_or_else(more), msg!("expects-larger-cache")),
            Bottleneck::Commit => (relaxed(&trial.target), msg!("expects-relaxed-commit")),
            Bottleneck::RowLocks => (fewer(), msg!("expects-fewer-clients-locks")),
            Bottleneck::Latches => (fewer(), msg!("expects-fewer-clients-latches")),
            Bottleneck::Admission => (fewer(), msg!("expects-fewer-clients-admission")),
        },
    };
    let key = match &change {
        Change::Matrix { key, .. } => key.clone(),
        Change::Target { key, .. } => (*key).to_owned(),
    };
    Some(RefutingExperiment { key, expects, plan: plan(trial, &change, outcome) })
}

fn matrix(key: &str, values: [String; 2]) -> Change {
    let [now, other] = values;
    // One client cannot be halved.
    let values = if now == other { vec![now] } else { vec![now, other] };
    Change::Matrix { key: key.to_owned(), values }
}

/// A number as a plan has it.
fn number(value: f64) -> String {
    format!("{:.0}", value.max(1.0))
}

/// The target without its simulated link, or at the local address of its own machine, where the plan is then to be run.
fn nearer(target: &Target) -> Change {
    let mut near = target.clone();
    if near.link.take().is_some() {
        return Change::Target { key: "link", target: Box::new(near) };
    }
    let local = near.dsn.as_deref().and_then(|text| {
        let dsn = Dsn::parse(text).ok().filter(|dsn| !dsn.host.is_empty())?;
        let (before, after) = text.split_at(text.rfind(&dsn.host)?);
        Some(format!("{before}127.0.0.1{}", &after[dsn.host.len()..]))
    });
    (near.dsn, near.host) = (local.or(near.dsn), None);
    Change::Target { key: "dsn", target: Box::new(near) }
}

/// Twice the memory for pages.
fn larger_cache(e: &Evidence<'_>) -> Option<Change> {
    let bytes = |text: &str| text.parse::<u64>().ok();
    match e.t.trial.target.scheme() {
        Scheme::Mysql => {
            let now = bytes(e.variable("innodb_buffer_pool_size")?)?;
            let values = [now, now.saturating_mul(2)].map(|n| n.to_string()).to_vec();
            Some(Change::Matrix { key: "server.innodb_buffer_pool_size".into(), values })
        }
        Scheme::Postgres => {
            let now = e.variable("shared_buffers")?;
            let kib = units::bytes(now).ok()? / 1024;
            let values = [kib, kib.saturating_mul(2)].map(|kib| format!("\"{kib}kB\"")).to_vec();
            Some(Change::Matrix { key: "server.shared_buffers".into(), values })
        }
        _ => None,
    }
}

/// Commits that do not wait for the disk.
fn relaxed(target: &Target) -> Change {
    let (key, values) = match target.scheme() {
        Scheme::Postgres => ("server.synchronous_commit", ["\"on\"", "\"off\""]),
        _ => ("server.innodb_flush_log_at_trx_commit", ["1", "2"]),
    };
    matrix(key, values.map(str::to_owned))
}

/// The plan: as the trial was, with the change.
fn plan(trial: &Trial, change: &Change, outcome: Outcome) -> String {
    let mut out = format!("# {}\nschema = 1\nname = {}\n", outcome.code(), text(&format!("why-{}", outcome.code())));
    let changed = match change {
        Change::Matrix { key, .. } => key.as_str(),
        Change::Target { key, .. } => key,
    };
    write_target(&mut out, &trial.target, changed);
    if let Change::Target { target, .. } = change {
        let name = format!("{}-without", target.name);
        write_target(&mut out, &Target { name, ..(**target).clone() }, changed);
    }
    let dataset = &trial.dataset;
    if !dataset.kind.is_empty() {
        let _ = writeln!(out, "\n[datasets.{}]\nkind = {}", key(&dataset.name), text(&dataset.kind));
        write_options(&mut out, &dataset.options, "");
    }
    let _ = writeln!(out, "\n[[experiment]]\nname = {}\nrepeats = 3", text(&trial.experiment));
    if !dataset.kind.is_empty() {
        let _ = writeln!(out, "dataset = {}", text(&dataset.name));
    }
    let restore = match trial.restore {
        Restore::Require => "require",
        Restore::Never => "never",
        Restore::BeforeDataset => "before-dataset",
        Restore::BeforeCell => "before-cell",
        Restore::BeforeRun => "before-run",
    };
    let _ = writeln!(out, "restore = \"{restore}\"");
    let _ = writeln!(out, "warmup = \"{}ms\"\nmeasure = \"{}ms\"", trial.warmup_ms, trial.measure_ms);
    out.push_str("\n[experiment.load]\n");
    let load = &trial.load;
    let _ = writeln!(out, "workload = {}", text(&load.workload));
    let is_varied = |name: &str| changed == format!("load.{name}");
    if !is_varied("clients") {
        let _ = writeln!(out, "clients = {}", load.clients);
    }
    if let (Workers::Count(n), false) = (load.workers, is_varied("workers")) {
        let _ = writeln!(out, "workers = {n}");
    }
    if let (Schedule::Open { rate, arrivals, .. }, false) = (load.schedule, is_varied("rate")) {
        let arrivals = if arrivals == Arrivals::Poisson { "poisson" } else { "even" };
        let _ = writeln!(out, "rate = {rate}\narrivals = \"{arrivals}\"");
    }
    if load.observe == Observe::Ends {
        out.push_str("observe = \"always\"\n");
    }
    write_options(&mut out, &load.options, "");
    if let Change::Matrix { key, values } = change {
        let _ = writeln!(out, "\n[experiment.matrix]\n{} = [{}]", text(key), values.join(", "));
    }
    out
}

fn write_target(out: &mut String, target: &Target, changed: &str) {
    let name = key(&target.name);
    let _ = writeln!(out, "\n[targets.{name}]");
    let strings = [
        ("sandbox", target.sandbox.as_deref()),
        // A private server has no address of its own.
        ("dsn", target.dsn.as_deref().filter(|_| target.sandbox.is_none())),
        ("password_env", target.password_env.as_deref()),
        ("password_file", target.password_file.as_deref()),
        ("host", host(target.host.as_ref())),
    ];
    for (name, value) in strings {
        if let Some(value) = value {
            let _ = writeln!(out, "{name} = {}", text(value));
        }
    }
    let allow: Vec<String> = target.allow.iter().filter_map(|allow| Some(text(allow_word(*allow)?))).collect();
    if !allow.is_empty() {
        let _ = writeln!(out, "allow = [{}]", allow.join(", "));
    }
    if let Some(link) = target.link {
        let rate = link.bits_per_s.map(|bits| format!("rate = {}, ", text(&format!("{bits}bit"))));
        let _ = writeln!(out, "link = {{ {}delay = \"{}us\" }}", rate.unwrap_or_default(), link.delay_us);
    }
    let server: Vec<String> = target
        .server
        .iter()
        .filter(|(name, _)| changed.strip_prefix("server.") != Some(name.as_str()))
        .map(|(name, v)| format!("{} = {}", key(name), value(v)))
        .collect();
    if !server.is_empty() {
        let _ = writeln!(out, "server = {{ {} }}", server.join(", "));
    }
    for replica in &target.replicas {
        let _ = writeln!(out, "[targets.{name}.replicas.{}]", key(&replica.at.name));
        match (&replica.at.sandbox, &replica.at.dsn) {
            (None, Some(dsn)) => {
                let _ = writeln!(out, "dsn = {}", text(dsn));
            }
            _ => out.push_str("sandbox = true\n"),
        }
        for (name, word) in [("password_env", &replica.at.password_env), ("password_file", &replica.at.password_file)] {
            if let Some(word) = word {
                let _ = writeln!(out, "{name} = {}", text(word));
            }
        }
        let server: Vec<String> =
            replica.at.server.iter().map(|(name, v)| format!("{} = {}", key(name), value(v))).collect();
        if !server.is_empty() {
            let _ = writeln!(out, "server = {{ {} }}", server.join(", "));
        }
    }
}

fn allow_word(allow: Allow) -> Option<&'static str> {
    Allow::WORDS.iter().find(|(_, of)| *of == allow).map(|(word, _)| *word)
}

fn host(access: Option<&HostAccess>) -> Option<&str> {
    match access? {
        HostAccess::Local => Some("local"),
        HostAccess::None => Some("none"),
        HostAccess::Ssh(ssh) => Some(&ssh.destination),
    }
}

fn write_options(out: &mut String, options: &BTreeMap<String, String>, before: &str) {
    for (name, given) in options {
        let _ = writeln!(out, "{before}{} = {}", key(name), value(given));
    }
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if bare { name.to_owned() } else { text(name) }
}

/// A value as it was given: a number or a text.
fn value(given: &str) -> String {
    let plain = given.parse::<i64>().is_ok_and(|n| n.to_string() == given) || ["true", "false"].contains(&given);
    if plain { given.to_owned() } else { text(given) }
}

/// A basic string of TOML.
fn text(given: &str) -> String {
    let mut out = String::from("\"");
    for c in given.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
