//! The conditions of a result in one line: workload, data, clients, pace, time, servers. It accompanies the
//! answer everywhere, so that copied figures include their conditions. Pure.

use crate::durability;
use crate::judged_trial::JudgedTrial;
use std::collections::BTreeSet;
use tenbin_model::dsn::Scheme;
use tenbin_model::load_host::LoadHostsAt;
use tenbin_model::names::tables::{BYTES, ROWS, UNIT};
use tenbin_model::promise::Promise;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tpcc;
use tenbin_model::trial::{Allow, Arrivals, ClientGroup, Load, Schedule, Trial};
use tenbin_model::warmup::NOT_STEADY;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::units;

/// The line; `None` if no trial has started.
pub fn conditions(summary: &Summary) -> Option<Message> {
    let begun: Vec<&TrialResult> = summary.trials.iter().filter(|t| t.begun).collect();
    if begun.is_empty() {
        return None;
    }
    let mut parts: Vec<Message> = summary.scale().map(|scale| msg!("condition-scaled", scale)).into_iter().collect();
    parts.extend([distinct(begun.iter().map(|t| workload(&t.trial)))]);
    parts.extend(data(&begun));
    parts.extend(memory(summary, &begun));
    parts.push(clients(&begun));
    parts.push(distinct(begun.iter().map(|t| starts(&t.trial))));
    parts.extend(warm_up(&begun));
    parts.extend(time(&begun));
    parts.extend(servers(summary));
    let links = begun.iter().filter_map(|t| {
        let target = &t.trial.target;
        Some(msg!("condition-link", target = target.name, link = target.link?.words()))
    });
    if begun.iter().any(|t| t.trial.target.link.is_some()) {
        parts.push(distinct(links));
    }
    parts.extend(durable(summary));
    let mut of_duets = begun.iter().filter(|t| t.trial.duet).peekable();
    if of_duets.peek().is_some() {
        let is_shared = of_duets.any(|t| t.trial.target.allow.contains(&Allow::SharedMachine));
        parts.push(if is_shared { msg!("condition-duet-shared-machine") } else { msg!("condition-duet") });
    }
    if begun.iter().any(|t| t.beside_client() && !t.embedded() && t.machines_elsewhere().is_empty()) {
        parts.push(msg!("condition-one-machine"));
    }
    // The day is enough: the moment is in the head of the page and the name of the run.
    let mut days: Vec<&str> = summary.starts().into_iter().filter_map(|start| Some(start.split_once('T')?.0)).collect();
    days.dedup();
    parts.extend((!days.is_empty()).then(|| Message::list(days.into_iter().map(foreign))));
    Some(Message::joined(parts, msg!("semicolon")))
}

/// Its name, and for TPC-C the profile, because figures of two profiles are not comparable, and the connections that all terminals share.
fn workload(trial: &Trial) -> Message {
    let workload = &trial.load.workload;
    match (tpcc::profile(trial), tpcc::number(trial, "pool") as u64) {
        (Some(profile), 0) => msg!("condition-profile", workload, profile),
        (Some(profile), pool) => msg!("condition-profile-pool", workload, profile, pool),
        (None, _) => foreign(workload),
    }
}

/// `8,000,000 rows`, if the trials report it.
fn data(begun: &[&TrialResult]) -> Option<Message> {
    let mut sizes = begun.iter().filter_map(|t| {
        let n: u64 = t.tables.get(ROWS)?.parse().ok()?;
        Some(match t.tables.get(UNIT).map(String::as_str) {
            Some("bytes") => foreign(figure::bytes(n as f64)),
            _ => {
                let n = figure::whole(i128::from(n));
                let bytes =
                    t.tables.get(BYTES).and_then(|bytes| bytes.parse::<f64>().ok()).filter(|bytes| *bytes > 0.0);
                match bytes.map(figure::bytes) {
                    Some(size) => msg!("condition-rows-size", n, size),
                    None => msg!("condition-rows", n),
                }
            }
        })
    });
    let first = sizes.next()?;
    Some(distinct(std::iter::once(first).chain(sizes)))
}

/// `buffer pool 128 MiB`: whether the data fit into memory decides most figures.
fn memory(summary: &Summary, begun: &[&TrialResult]) -> Option<Message> {
    // PostgreSQL writes 128MB, and means MiB.
    let sizes = |variable: &str| -> Vec<Message> {
        let of = |t: &&TrialResult| {
            units::binary_size(
                summary.target_facts(&t.trial)?.get(&format!("variable.{variable}"))?.trim_end_matches('B'),
            )
        };
        let all: BTreeSet<u64> = begun.iter().filter_map(of).collect();
        all.into_iter().map(|bytes| foreign(figure::bytes(bytes as f64))).collect()
    };
    let (pool, shared) = (sizes("innodb_buffer_pool_size"), sizes("shared_buffers"));
    let parts: Vec<Message> = [
        (!pool.is_empty()).then(|| msg!("condition-buffer-pool", size = few(pool))),
        (!shared.is_empty()).then(|| msg!("condition-shared-buffers", size = few(shared))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| Message::joined(parts, msg!("semicolon")))
}

/// What a commit survives, if it is the same everywhere: otherwise it has a warning of its own.
fn durable(summary: &Summary) -> Option<Message> {
    let targets = summary.targets();
    if let Some(target) = targets.iter().find(|target| durability::set_by_load(summary, target).is_some()) {
        return Some(durability::words(summary, target));
    }
    durability::of_all(summary).map(Promise::words)
}

/// `1, 4, 16 clients`.
fn clients(begun: &[&TrialResult]) -> Message {
    let mut all: Vec<u32> = begun.iter().map(|t| t.trial.load.clients).collect();
    all.sort_unstable();
    all.dedup();
    let clients = msg!("condition-clients", numbers = few(all.iter().map(foreign).collect()));
    let hosts: BTreeSet<u32> = begun.iter().filter_map(|t| Some(t.trial.hosts.as_ref()?.count)).collect();
    if hosts.is_empty() {
        return clients;
    }
    // Several processes of one machine are no more than that.
    let one = begun.iter().filter_map(|t| t.trial.hosts.as_ref()).all(|hosts| hosts.at == LoadHostsAt::Local);
    let numbers = few(hosts.iter().map(foreign).collect());
    if one {
        msg!("condition-clients-of-local-hosts", clients, numbers)
    } else {
        msg!("condition-clients-of-hosts", clients, numbers)
    }
}

/// When the transactions of a trial begin, or those of each of its groups, and whether clients pause in between: with pauses throughput is that of the
/// clients, and no capacity.
fn starts(trial: &Trial) -> Message {
    let starts = intended(&trial.load);
    let is_tpcc = trial.load.workload == tpcc::WORKLOAD;
    let has_pauses = trial.load.paced || (is_tpcc && tpcc::paced(trial));
    match tpcc::option(trial, "pace") {
        _ if !has_pauses => starts,
        _ if !is_tpcc => msg!("condition-pauses", starts),
        "" | "1" => msg!("condition-paced", starts),
        pace => msg!("condition-paced-by", starts, pace),
    }
}

fn intended(load: &Load) -> Message {
    let group = |group: &ClientGroup| {
        let clients = msg!("condition-clients", numbers = group.clients);
        msg!("condition-group", name = group.name, clients, schedule = schedule(&group.schedule))
    };
    match load.groups.is_empty() {
        true => schedule(&load.schedule),
        false => Message::list(load.groups.iter().map(group).collect::<Vec<_>>()),
    }
}

fn schedule(schedule: &Schedule) -> Message {
    match schedule {
        Schedule::Closed => msg!("closed-loop"),
        Schedule::Open { rate, arrivals, .. } => {
            let arrivals = match arrivals {
                Arrivals::Even => msg!("arrivals-even"),
                Arrivals::Poisson => foreign("Poisson"),
            };
            msg!("condition-open-loop", rate = figure::grouped(*rate), arrivals)
        }
    }
}

/// `warm-up until steady: 42–55 s`, of those that ended by themselves; and `not steady after a warm-up of 15 min`.
fn warm_up(begun: &[&TrialResult]) -> impl Iterator<Item = Message> {
    let until = begun.iter().filter(|t| t.trial.warmup_until.is_some());
    let is_steady = |t: &TrialResult| t.doubts().iter().all(|doubt| doubt.code != NOT_STEADY);
    let lasted = |steady: bool| {
        let such = until.clone().filter(move |t| is_steady(t) == steady);
        such.filter_map(|t| t.warm_up_ns()).collect::<Vec<u64>>()
    };
    let [steady, others] = [lasted(true), lasted(false)];
    let steady = (!steady.is_empty()).then(|| msg!("condition-warm-up", long = spans(steady.into_iter())));
    let others = (!others.is_empty()).then(|| msg!("condition-not-steady", long = spans(others.into_iter())));
    steady.into_iter().chain(others)
}

/// From the shortest to the longest.
fn spans(all_ns: impl Iterator<Item = u64> + Clone) -> Message {
    let span = |ns: u64| {
        let seconds = ns as f64 / 1e9;
        if seconds < 10.0 { msg!("seconds", value = format_args!("{seconds:.1}")) } else { figure::duration(seconds) }
    };
    let (least, most) = (all_ns.clone().min().unwrap_or(0), all_ns.max().unwrap_or(0));
    match (span(least), span(most)) {
        (a, b) if a == b => a,
        (from, to) => msg!("from-to", from, to),
    }
}

/// `measured for 60 s, 3 times`; nothing if nothing was measured.
fn time(begun: &[&TrialResult]) -> Option<Message> {
    let measured = begun.iter().map(|t| t.measured_ns()).filter(|ns| *ns > 0);
    measured.clone().next()?;
    let long = spans(measured);
    Some(msg!("condition-measured", long, n = begun.iter().map(|t| t.trial.repeat).max().unwrap_or(1)))
}

/// `old: MySQL 5.7.44, new: MySQL 8.0.31`; one name where all are the same.
fn servers(summary: &Summary) -> Option<Message> {
    let named: Vec<(String, String)> =
        summary.targets().into_iter().filter_map(|t| Some((product(summary, &t)?, t))).collect();
    let (first, _) = named.first()?;
    if named.iter().all(|(product, _)| product == first) {
        return Some(foreign(first));
    }
    Some(Message::list(named.iter().map(|(product, target)| foreign(format_args!("{target}: {product}")))))
}

/// The product and version according to a target's facts: `MariaDB 10.11.19`; several if it had several in the run.
fn product(summary: &Summary, target: &str) -> Option<String> {
    let versions = summary.fact_values(target, "version");
    let mut products: Vec<String> = versions.into_iter().filter_map(|v| of_version(summary, target, v)).collect();
    products.dedup();
    (!products.is_empty()).then(|| products.join(" → "))
}

fn of_version(summary: &Summary, target: &str, version: &str) -> Option<String> {
    if version.is_empty() {
        return None;
    }
    let facts = summary.facts.get(target)?;
    let trial = summary.trials.iter().find(|t| t.trial.target.name == target)?;
    let number = number(version);
    let name = match trial.trial.target.scheme() {
        Scheme::Mysql if version.contains("MariaDB") => "MariaDB",
        Scheme::Mysql => match facts.get("variable.version_comment") {
            // A server with MySQL's protocol is not always MySQL; its version comment says what it is.
            Some(words) if !words.is_empty() && !words.contains("MySQL") => {
                return Some(format!("{words} ({version})"));
            }
            _ => "MySQL",
        },
        Scheme::Postgres => "PostgreSQL",
        Scheme::Sqlite => "SQLite",
        Scheme::Null | Scheme::Host => return None,
    };
    Some(format!("{name} {number}"))
}

/// The number in a version: that of `10.11.19-MariaDB`, of `PostgreSQL 15.18 (Debian …)`.
fn number(version: &str) -> &str {
    let mut words = version.split(['-', ' ', '(']);
    words.find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(version)
}

/// Each text once, in the order of first use.
fn distinct(texts: impl Iterator<Item = Message>) -> Message {
    let mut all: Vec<Message> = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    few(all)
}

/// A list; if it is long, only its ends.
fn few(mut all: Vec<Message>) -> Message {
    if all.len() > 8 {
        all.splice(1..all.len() - 1, [foreign("…")]);
    }
    Message::joined(all, msg!("between-values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers() {
        let all = ["10.11.19-MariaDB-0+deb12u1", "8.0.31", "PostgreSQL 15.18 (Debian 15.18-1)", "devel"];
        assert_eq!(all.map(number), ["10.11.19", "8.0.31", "15.18", "devel"]);
    }
}
