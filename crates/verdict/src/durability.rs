//! Whether the targets guarantee the same durability at commit. Without that, a comparison of speed is misleading.

use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::names::server_facts::REDO_LOG;
use tenbin_model::names::tables::{ENGINE, SET_BY_LOAD};
use tenbin_model::promise::{self, FILE_SYSTEMS, MORE, Promise, SETTINGS};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::variables::{canonical_name, plain};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// Where the targets' durability differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Targets with known settings, in the plan's order.
    pub targets: Vec<String>,
    /// Settings that differ: name and each target's value, `None` if a target has no such setting.
    pub settings: Vec<(&'static str, Vec<Option<String>>)>,
    /// What a commit survives on each target, if it is known.
    pub promises: Vec<Option<Promise>>,
}

/// What a commit survives in a trial; `None` if that is unknown.
pub fn of_trial(summary: &Summary, trial: &TrialResult) -> Option<Promise> {
    let mut facts = summary.target_facts(&trial.trial).cloned().unwrap_or_default();
    // Those of a server that could not be asked. What it said counts, not what it was asked for.
    for (name, value) in &trial.trial.target.server {
        facts.entry(format!("variable.{}", canonical_name(name))).or_insert_with(|| value.clone());
    }
    promise::of_tables(&facts, &trial.tables)
}

/// The statement of its load with which the sessions of a target's trials set what commits survive, if there is one.
pub fn set_by_load<'s>(summary: &'s Summary, target: &str) -> Option<&'s str> {
    let of = summary.trials.iter().filter(|t| t.trial.target.name == target);
    of.filter_map(|t| t.tables.get(SET_BY_LOAD)).map(String::as_str).next()
}

/// What is said of a target's promise, known or not.
pub fn words(summary: &Summary, target: &str) -> Message {
    match set_by_load(summary, target) {
        Some(statement) => msg!("promise-set-by-load", statement),
        None => promise::words(of_target(summary, target)),
    }
}

/// The storage engines of a trial's tables, as far as they are known.
pub fn engine(trial: &TrialResult) -> Option<&str> {
    trial.tables.get(ENGINE).map(String::as_str)
}

/// What a target's commits survive in all of its trials: the weakest promise, `None` if one is unknown.
pub fn of_target(summary: &Summary, target: &str) -> Option<Promise> {
    let of = summary.trials.iter().filter(|t| t.trial.target.name == target);
    let all: Option<Vec<Promise>> = of.map(|t| of_trial(summary, t)).collect();
    all?.into_iter().max()
}

/// The storage engines of all tables of a target's trials.
pub fn engines(summary: &Summary, target: &str) -> Option<String> {
    let of = summary.trials.iter().filter(|t| t.trial.target.name == target).filter_map(engine);
    let all: BTreeSet<&str> = of.flat_map(|engines| engines.split(", ")).collect();
    (!all.is_empty()).then(|| all.into_iter().collect::<Vec<_>>().join(", "))
}

/// How the durability of the targets differs; `None` if it does not, or is known for fewer than two targets.
///
/// A setting counts if two targets that both have it differ in it; the absence of a setting does not count. SQLite's `journal_mode` decides
/// nothing by itself: it counts if what a commit survives differs, or is not known.
/// Databases of different kinds differ when what a commit survives differs.
pub fn difference(summary: &Summary) -> Option<Difference> {
    let known: Vec<(String, BTreeMap<&'static str, String>)> = summary
        .targets()
        .into_iter()
        .filter_map(|name| {
            let set = SETTINGS.iter().filter_map(|s| Some((*s, summary.variable(&name, s)?)));
            let mut set: BTreeMap<&'static str, String> = set.collect();
            // Only if the server's settings make it matter.
            let more = [("innodb_flush_method", "variable.innodb_flush_method"), ("innodb_redo_log_enabled", REDO_LOG)];
            for (shown, fact) in more {
                let values = summary.fact_values(&name, fact);
                let value = values.iter().find(|v| ["nosync", "littlesync", "0"].contains(&plain(v).as_str()));
                set.extend(value.map(|value| (shown, (*value).to_owned())));
            }
            set.extend(engines(summary, &name).map(|engines| ("storage engine", engines)));
            let kinds = FILE_SYSTEMS.iter().flat_map(|fact| summary.fact_values(&name, fact));
            let mut in_memory = kinds.filter(|kind| promise::is_in_memory(kind));
            set.extend(in_memory.next().map(|kind| ("file system", kind.to_string())));
            (!set.is_empty()).then_some((name, set))
        })
        .collect();
    let promises: Vec<Option<Promise>> = known.iter().map(|(name, _)| of_target(summary, name)).collect();
    let of = |setting: &'static str| known.iter().map(|(_, set)| set.get(setting).cloned()).collect::<Vec<_>>();
    let unlike = promises.iter().flatten().any(|p| promises.iter().flatten().any(|q| p != q));
    // Engines with the same promise are no difference in durability, and neither are SQLite's journals.
    let alike = !unlike && promises.iter().all(Option::is_some);
    let counts = |setting: &&&str| !(alike && **setting == "journal_mode");
    let settings = SETTINGS.iter().filter(counts).map(|s| (*s, of(s)));
    let settings: Vec<_> = settings.filter(|(_, values)| differs(values)).collect();
    if settings.is_empty() && !unlike {
        return None;
    }
    let once = MORE.iter().map(|s| (*s, of(s))).filter(|(_, values)| values.iter().any(Option::is_some));
    // Databases of different kinds share no settings: all of theirs are shown, so that the reader sees the reason for
    // the promise.
    let settings = match settings.is_empty() {
        true => SETTINGS.iter().map(|s| (*s, of(s))).filter(|(_, v)| v.iter().any(Option::is_some)).collect(),
        false => settings,
    };
    let settings = settings.into_iter().chain(once).collect();
    Some(Difference { targets: known.into_iter().map(|(name, _)| name).collect(), settings, promises })
}

/// Whether targets that have a setting differ in it.
fn differs(values: &[Option<String>]) -> bool {
    let mut there = values.iter().flatten().map(|v| plain(v));
    there.next().is_some_and(|first| there.any(|v| v != first))
}

/// One sentence, for outputs without a table: the settings that differ, or, for databases of different kinds, all of theirs.
pub fn sentence(difference: &Difference) -> Message {
    let like = !difference.settings.iter().any(|(_, values)| differs(values));
    let named = difference.settings.iter().filter(|(_, values)| like || differs(values));
    msg!("durability-differs", names = Message::list(named.map(|(name, _)| foreign(name))))
}
