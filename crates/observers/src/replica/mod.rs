//! The lag of replicas: by a heartbeat on our own clock, and as second opinions by their own account
//! (`Seconds_Behind_Source`) and by the transactions that they have not applied.
//!
//! The heartbeat grows also where `Seconds_Behind_Source` is 0 or NULL: while the link to the source is down, and
//! while replication is stopped. Both are reported, as are a replica that cannot be reached, one that does not replicate
//! our schema, and one that is no replica any more; of the last two there is no lag.

mod applier;
mod beats;
mod gtid;
mod heart;

use super::{Observer, ObserverEntry, Sample, Subject};
use heart::{BEAT, Heart, Known, ReplicaState};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tenbin_model::names::replica;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: replica::OBSERVER,
    readings,
    period: Some(Duration::from_millis(500)),
    // Removing the heartbeat may take as long as the answers to some statements.
    patience: Duration::from_secs(20),
    connects: true,
    make: |subject| {
        let observed = !subject.replicas.is_empty() && subject.connector.dsn().scheme.kind().has_replicas;
        let replicas =
            Replicas { subject: subject.clone(), heart: None, noted: vec![BTreeSet::new(); subject.replicas.len()] };
        observed.then(|| Box::new(replicas) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

/// An answer of a replica that is older is not recorded.
const FRESH_NS: u64 = 1_000_000_000;
/// A replica that shows no new heartbeat for this long, and says that it is not a replica, does not replicate.
const GONE_NS: u64 = 5_000_000_000;
/// A replica whose threads do not run for this long has stopped; for less long it may be connecting to its source again.
const STOPPED_NS: u64 = 1_500_000_000;
/// This many heartbeats are written before a replica that shows none is examined: ten seconds.
const ENOUGH_BEATS: u64 = 10_000 / BEAT.as_millis() as u64;

fn readings(subject: &Subject) -> Vec<ReadingSpec> {
    let of = |name: &String| {
        let gauge =
            |name: String, unit, en: String, ja: String| ReadingSpec::gauge(name, unit, Whose::Replica).label(en, ja);
        let own = |what: &str| format!("{name}.{what}");
        [
            gauge(replica::at_least(name), "s", format!("{name} is behind, at least"), format!("{name} の遅延(下限)")),
            gauge(replica::at_most(name), "s", format!("{name} is behind, at most"), format!("{name} の遅延(上限)")),
            gauge(
                replica::seconds_behind(name),
                "s",
                format!("{name} by its own account"),
                format!("{name} 自身の報告"),
            ),
            gauge(
                own("transactions_behind"),
                "",
                format!("transactions not applied on {name}"),
                format!("{name} で未適用のトランザクション"),
            ),
            gauge(
                replica::in_commit(name),
                "",
                format!("share of looks at {name} that found a commit"),
                format!("{name} がコミット中だった割合"),
            ),
            ReadingSpec::counter(replica::syncs(name), "", Whose::Replica)
                .label(format!("flushes of InnoDB on {name}"), format!("{name} の InnoDB のフラッシュ")),
            ReadingSpec::counter(replica::reads(name), "", Whose::Replica)
                .label(format!("reads of InnoDB on {name}"), format!("{name} の InnoDB の読み取り")),
            ReadingSpec::counter(replica::writes(name), "", Whose::Replica)
                .label(format!("writes of InnoDB on {name}"), format!("{name} の InnoDB の書き込み")),
            ReadingSpec::counter(replica::log_writes(name), "", Whose::Replica)
                .label(format!("writes of InnoDB's log on {name}"), format!("{name} の InnoDB のログの書き込み")),
            gauge(replica::connections(name), "", format!("open connections of {name}"), format!("{name} の接続数")),
            gauge(own("relay_log_bytes"), "bytes", format!("relay logs of {name}"), format!("{name} のリレーログ")),
        ]
    };
    subject.replicas.iter().flat_map(|replica| of(&replica.name)).collect()
}

/// The replicas of one source.
struct Replicas {
    subject: Subject,
    heart: Option<Heart>,
    /// What was reported of each.
    noted: Vec<BTreeSet<Fault>>,
}

/// Why a replica does not apply what its source writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// One of its threads does not run.
    Stopped,
    /// It applies transactions, but not ours.
    Filtered,
    /// It is no replica, or no longer.
    Gone,
}

impl Observer for Replicas {
    fn read(&mut self) -> Result<Sample, Problem> {
        let heart = match &mut self.heart {
            Some(heart) => heart,
            none => none.insert(Heart::start(&self.subject)?),
        };
        let (now_ns, mut known) = (heart.now_ns(), heart.known());
        let mut sample = Sample { notes: std::mem::take(&mut known.troubles), ..Sample::default() };
        for ((replica, state), noted) in self.subject.replicas.iter().zip(&known.replicas).zip(&mut self.noted) {
            if state.answered_ns == 0 || now_ns.saturating_sub(state.answered_ns) > FRESH_NS {
                continue;
            }
            let fault = fault(&known, state, now_ns);
            if let Some(fault) = fault.filter(|fault| noted.insert(*fault)) {
                sample.notes.push(problem(fault, &replica.name, state));
            }
            let lag_is_known = !matches!(fault, Some(Fault::Filtered | Fault::Gone));
            sample.values.extend(values(&known, &replica.name, state, lag_is_known));
        }
        known.replicas.iter_mut().for_each(|state| state.applying = (0, 0));
        Ok(sample)
    }

    fn disconnect(&mut self) {
        self.heart = None;
    }
}

fn values(known: &Known, name: &str, state: &ReplicaState, lag_is_known: bool) -> BTreeMap<String, f64> {
    let mut values = BTreeMap::new();
    if lag_is_known && known.beats.count() > 0 {
        let behind = known.beats.behind(state.seen, state.asked_ns, state.answered_ns);
        values.insert(replica::at_least(name), behind.at_least_s);
        values.extend(behind.at_most_s.map(|at_most_s| (replica::at_most(name), at_most_s)));
    }
    let own = |what: &str, value: Option<f64>| value.map(|value| (format!("{name}.{what}"), value));
    let account = state.account.as_ref().and_then(Option::as_ref);
    let seconds_behind = account.and_then(|account| account.seconds_behind);
    values.extend(seconds_behind.map(|seconds| (replica::seconds_behind(name), seconds)));
    values.extend(own("transactions_behind", state.missing.map(|missing| missing as f64)));
    let (looks, commits) = state.applying;
    values.extend((looks > 0).then(|| (replica::in_commit(name), f64::from(commits) / f64::from(looks))));
    let status = &state.status;
    values.extend(status.syncs.map(|syncs| (replica::syncs(name), syncs)));
    values.extend(status.reads.map(|reads| (replica::reads(name), reads)));
    values.extend(status.writes.map(|writes| (replica::writes(name), writes)));
    values.extend(status.log_writes.map(|writes| (replica::log_writes(name), writes)));
    values.extend(status.connections.map(|n| (replica::connections(name), n)));
    values.extend(own("relay_log_bytes", account.and_then(|account| account.relay_log_bytes)));
    values
}

fn fault(known: &Known, state: &ReplicaState, now_ns: u64) -> Option<Fault> {
    let beats = known.beats.count();
    let stands_still = now_ns.saturating_sub(state.changed_ns) > GONE_NS;
    match &state.account {
        Some(None) if stands_still && beats > 0 => Some(Fault::Gone),
        // It has applied most of what was written since, and so our heartbeats too, unless they are filtered.
        _ if state.seen == 0 && beats >= ENOUGH_BEATS && state.missing.is_some_and(|missing| missing < beats / 2) => {
            Some(Fault::Filtered)
        }
        _ if state.stopped_ns.is_some_and(|since_ns| now_ns.saturating_sub(since_ns) > STOPPED_NS) => {
            Some(Fault::Stopped)
        }
        _ => None,
    }
}

fn problem(fault: Fault, replica: &str, state: &ReplicaState) -> Problem {
    match fault {
        Fault::Gone => Problem::new(msg!("replica-is-none", replica)).hint(msg!("look-at-replica-status")),
        Fault::Filtered => Problem::new(msg!("replica-filters", replica)).hint(msg!("look-at-replica-filters")),
        Fault::Stopped => {
            let problem = Problem::new(msg!("replica-stopped", replica)).hint(msg!("look-at-replica-status"));
            let account = state.account.as_ref().and_then(Option::as_ref);
            match account.map(|account| &account.error).filter(|error| !error.is_empty()) {
                Some(error) => problem.evidence(foreign(error)),
                None => problem,
            }
        }
    }
}
