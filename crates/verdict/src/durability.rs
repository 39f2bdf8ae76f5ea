//! Whether those that are compared, targets or values of an axis, guarantee the same durability at commit. Without that, a comparison of speed is misleading.

use crate::contender;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::names::server_facts::REDO_LOG;
use tenbin_model::names::tables::{ENGINE, SET_BY_LOAD};
use tenbin_model::promise::{self, FILE_SYSTEMS, MORE, Promise, SETTINGS};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::variables::{canonical_name, plain};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// Where the durability of those that are compared differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Those with known settings, in the plan's order: targets, or values of the axis along which they are compared.
    pub names: Vec<String>,
    /// Whether all are values of an axis.
    pub is_along_axis: bool,
    /// Settings that differ: name and the value of each, `None` if it has no such setting.
    pub settings: Vec<(&'static str, Vec<Option<String>>)>,
    /// What a commit survives with each, if it is known.
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

/// What is said of a target's promise, known or not: for each value of the axis along which it is compared, if that decides.
pub fn words(summary: &Summary, target: &str) -> Message {
    if let Some(statement) = set_by_load(summary, target) {
        return msg!("promise-set-by-load", statement);
    }
    let each = sides(summary).into_iter().filter(|side| side.target == target);
    let each: Vec<(Message, Option<Promise>)> =
        each.map(|side| (side.words.clone(), of_trials(summary, &side.trials))).collect();
    match each.split_first() {
        Some(((_, first), others)) if others.iter().any(|(_, other)| other != first) => {
            let parts =
                each.into_iter().map(|(words, promise)| Message::joined([words, promise::words(promise)], ": "));
            Message::joined(parts, msg!("semicolon"))
        }
        _ => promise::words(of_target(summary, target)),
    }
}

/// The storage engines of a trial's tables, as far as they are known.
pub fn engine(trial: &TrialResult) -> Option<&str> {
    trial.tables.get(ENGINE).map(String::as_str)
}

/// What a target's commits survive in all of its trials: the weakest promise, `None` if one is unknown.
pub fn of_target(summary: &Summary, target: &str) -> Option<Promise> {
    let of = summary.trials.iter().filter(|t| t.trial.target.name == target);
    of_trials(summary, &of.collect::<Vec<_>>())
}

/// The same in these trials.
fn of_trials(summary: &Summary, trials: &[&TrialResult]) -> Option<Promise> {
    let all: Option<Vec<Promise>> = trials.iter().map(|t| of_trial(summary, t)).collect();
    all?.into_iter().max()
}

/// What commits survive in all trials, if it is the same with all that are compared; `None` if it is not, or unknown.
pub fn of_all(summary: &Summary) -> Option<Promise> {
    let all: Option<Vec<Promise>> = sides(summary).iter().map(|side| of_trials(summary, &side.trials)).collect();
    let all = all?;
    let first = *all.first()?;
    all.iter().all(|promise| *promise == first).then_some(first)
}

/// The storage engines of all tables of a target's trials.
pub fn engines(summary: &Summary, target: &str) -> Option<String> {
    engines_of(summary.trials.iter().filter(|t| t.trial.target.name == target))
}

fn engines_of<'t>(trials: impl Iterator<Item = &'t TrialResult>) -> Option<String> {
    let all: BTreeSet<&str> = trials.filter_map(engine).flat_map(|engines| engines.split(", ")).collect();
    (!all.is_empty()).then(|| all.into_iter().collect::<Vec<_>>().join(", "))
}

/// One of those whose durability may differ: the trials of a target, or those of a target with one value of the axis along which its experiment compares.
struct Side<'s> {
    target: &'s str,
    name: String,
    words: Message,
    is_of_axis: bool,
    trials: Vec<&'s TrialResult>,
    /// The comparisons that it takes part in.
    comparisons: BTreeSet<ComparisonOf<'s>>,
}

/// What those that are compared with one another have in common: their experiment, and the target unless targets are compared.
type ComparisonOf<'s> = (&'s str, Option<&'s str>);

fn comparison_of(t: &TrialResult) -> ComparisonOf<'_> {
    let target = match (&t.of_run, &t.trial.compare) {
        (Some(of), _) => Some(of.target.as_str()),
        (None, Some(_)) => Some(t.trial.target.name.as_str()),
        (None, None) => None,
    };
    (&t.trial.experiment, target)
}

/// All of them, by target and cell.
fn sides(summary: &Summary) -> Vec<Side<'_>> {
    let mut all: BTreeMap<(u32, &str, Option<u32>), Side<'_>> = BTreeMap::new();
    let mut first_cells: BTreeMap<(&str, String), u32> = BTreeMap::new();
    let several = summary.targets().len() > 1;
    for t in &summary.trials {
        let target = t.trial.target.name.as_str();
        let is_of_axis = t.of_run.is_none() && t.trial.compare.is_some();
        let (value, words) = match is_of_axis {
            true => (contender::name(t).into_owned(), contender::words(t)),
            false => (target.to_owned(), foreign(target)),
        };
        let cell = *first_cells.entry((target, value.clone())).or_insert(t.trial.cell);
        let side = all.entry((t.trial.target.place, target, is_of_axis.then_some(cell))).or_insert_with(|| Side {
            target,
            name: if is_of_axis && several { format!("{target}, {value}") } else { value },
            words,
            is_of_axis,
            trials: Vec::new(),
            comparisons: BTreeSet::new(),
        });
        side.trials.push(t);
        side.comparisons.insert(comparison_of(t));
    }
    all.into_values().collect()
}

impl Side<'_> {
    /// The values of a fact, each once.
    fn values<'s>(&self, summary: &'s Summary, fact: &str) -> Vec<&'s str> {
        let mut values: Vec<&str> = Vec::new();
        // Those of a trial that has not read any are known from others.
        let has_own = self.trials.iter().any(|t| t.facts.is_some());
        for t in self.trials.iter().filter(|t| !has_own || t.facts.is_some()) {
            let value = summary.target_facts(&t.trial).and_then(|facts| facts.get(fact)).map(String::as_str);
            values.extend(value.filter(|value| !values.contains(value)));
        }
        values
    }
}

/// How the durability of those that are compared differs; `None` if it does not, or is known for fewer than two.
///
/// A setting counts if two that are compared with one another, and both have it, differ in it; the absence of a setting does not count. SQLite's `journal_mode` decides
/// nothing by itself: it counts if what a commit survives differs, or is not known.
/// Databases of different kinds differ when what a commit survives differs.
pub fn difference(summary: &Summary) -> Option<Difference> {
    let known: Vec<(Side<'_>, BTreeMap<&'static str, String>)> = sides(summary)
        .into_iter()
        .filter_map(|side| {
            let variable = |name: &str| {
                let values = side.values(summary, &format!("variable.{name}"));
                (!values.is_empty()).then(|| values.join(", "))
            };
            let set = SETTINGS.iter().filter_map(|s| Some((*s, variable(s)?)));
            let mut set: BTreeMap<&'static str, String> = set.collect();
            // Only if the server's settings make it matter.
            let more = [("innodb_flush_method", "variable.innodb_flush_method"), ("innodb_redo_log_enabled", REDO_LOG)];
            for (shown, fact) in more {
                let values = side.values(summary, fact);
                let value = values.iter().find(|v| ["nosync", "littlesync", "0"].contains(&plain(v).as_str()));
                set.extend(value.map(|value| (shown, (*value).to_owned())));
            }
            set.extend(engines_of(side.trials.iter().copied()).map(|engines| ("storage engine", engines)));
            let kinds = FILE_SYSTEMS.iter().flat_map(|fact| side.values(summary, fact));
            let mut in_memory = kinds.filter(|kind| promise::is_in_memory(kind));
            set.extend(in_memory.next().map(|kind| ("file system", kind.to_string())));
            (!set.is_empty()).then_some((side, set))
        })
        .collect();
    let promises: Vec<Option<Promise>> = known.iter().map(|(side, _)| of_trials(summary, &side.trials)).collect();
    let of = |setting: &'static str| known.iter().map(|(_, set)| set.get(setting).cloned()).collect::<Vec<_>>();
    let groups = compared(known.iter().map(|(side, _)| side));
    let is_unlike = |group: &Vec<usize>| {
        let mut of_group = group.iter().filter_map(|at| promises.get(*at).copied().flatten());
        of_group.next().is_some_and(|first| of_group.any(|other| other != first))
    };
    let unlike = groups.iter().any(is_unlike);
    let counts = |setting: &str, values: &[Option<String>]| {
        groups.iter().any(|group| {
            let of_group: Vec<Option<String>> = group.iter().filter_map(|at| values.get(*at).cloned()).collect();
            // Engines with the same promise are no difference in durability, and neither are SQLite's journals.
            let is_known = group.iter().all(|at| promises.get(*at).is_some_and(Option::is_some));
            let is_alike = is_known && !is_unlike(group);
            differs(&of_group) && !(is_alike && setting == "journal_mode")
        })
    };
    let settings = SETTINGS.iter().map(|s| (*s, of(s)));
    let settings: Vec<_> = settings.filter(|(setting, values)| counts(setting, values)).collect();
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
    let is_along_axis = known.iter().all(|(side, _)| side.is_of_axis);
    Some(Difference {
        names: known.into_iter().map(|(side, _)| side.name).collect(),
        is_along_axis,
        settings,
        promises,
    })
}

/// The places of those that are compared with one another, for each comparison of at least two.
fn compared<'s>(sides: impl Iterator<Item = &'s Side<'s>>) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<ComparisonOf<'_>, Vec<usize>> = BTreeMap::new();
    for (at, side) in sides.enumerate() {
        for comparison in &side.comparisons {
            groups.entry(*comparison).or_default().push(at);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
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
    let names = Message::list(named.map(|(name, _)| foreign(name)));
    if difference.is_along_axis { msg!("durability-differs-along", names) } else { msg!("durability-differs", names) }
}
