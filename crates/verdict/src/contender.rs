//! What is compared: targets, the values of an axis on the same target, or stored runs of the same targets.

use std::borrow::Cow;
use std::collections::BTreeSet;
use tenbin_model::names::tables;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// One of those that are compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contender {
    /// The order in which they stand: that of the plan.
    pub place: u32,
    /// What distinguishes it from the others: the name of the target, or the value of the axis.
    pub name: String,
    /// Whether the plan compares the others with it.
    pub is_base: bool,
}

/// All contenders of these trials, in the order of the plan.
pub fn all<'t>(trials: impl Iterator<Item = &'t TrialResult>) -> Vec<Contender> {
    let mut all: Vec<Contender> = Vec::new();
    for t in trials {
        let (place, is_base) = match (&t.of_run, &t.trial.compare) {
            (Some(of), _) => (of.place, of.place == 0),
            (None, Some(along)) => (t.trial.cell, along.is_base(&t.trial.axes)),
            (None, None) => (t.trial.target.place, t.trial.target.baseline),
        };
        let name = name(t);
        match all.iter_mut().find(|known| known.name == name) {
            Some(known) => known.place = known.place.min(place),
            None => all.push(Contender { place, name: name.into_owned(), is_base }),
        }
    }
    all.sort();
    all
}

/// What distinguishes a trial from those that it is compared with: the stored run, the value of an axis, or the target.
pub fn name(t: &TrialResult) -> Cow<'_, str> {
    match (&t.of_run, &t.trial.compare) {
        (Some(of), _) => Cow::Borrowed(&of.run),
        (None, Some(along)) => Cow::Owned(along.word(&t.trial.axes)),
        (None, None) => Cow::Borrowed(&t.trial.target.name),
    }
}

/// The same in a sentence: `data set with`.
pub fn words(t: &TrialResult) -> Message {
    match (&t.of_run, &t.trial.compare) {
        (None, Some(along)) => along.words(&t.trial.axes),
        _ => foreign(name(t)),
    }
}

/// The same of the one of an experiment that has this name.
pub fn words_of_name(summary: &Summary, experiment: &str, name: &str) -> Message {
    let first = summary.trials.iter().find(|t| t.trial.experiment == experiment && self::name(t) == name);
    first.map_or_else(|| foreign(name), words)
}

/// What trials that are compared have in common apart from their repeat, if it is not their cell alone: the target, and the
/// values of the axes along which is not compared.
pub fn shared(t: &TrialResult) -> Option<(&str, Vec<(String, String)>)> {
    match (&t.of_run, &t.trial.compare) {
        (Some(of), _) => Some((&of.target, t.trial.axes.clone())),
        (None, Some(along)) => Some((&t.trial.target.name, along.rest(&t.trial.axes))),
        (None, None) => None,
    }
}

/// Whether a target of stored runs has no counterpart with which it is compared: the base has none of its name, or no other run has.
pub fn is_alone(summary: &Summary, target: &str) -> bool {
    let own = summary.trials.iter().find(|t| t.trial.target.name == target);
    let Some(own) = own.and_then(|t| t.of_run.as_ref()) else { return false };
    let of_runs = summary.trials.iter().filter_map(|t| t.of_run.as_ref());
    let runs: BTreeSet<u32> = of_runs.filter(|of| of.target == own.target).map(|of| of.place).collect();
    !(runs.contains(&0) && runs.len() > 1)
}

/// That what an experiment compares along an axis also has unlike numbers of rows, if it has: the ratio is not that of the axis
/// alone.
pub fn unlike_sizes(summary: &Summary) -> Vec<Message> {
    let of_experiment = |experiment: &str| {
        let trials = || summary.trials.iter().filter(|t| t.begun && t.trial.experiment == experiment);
        let along = trials().find_map(|t| t.trial.compare.as_ref())?;
        let axis = along.keys.first().filter(|key| !key.starts_with("dataset."))?;
        let rows = |name: &str| {
            let own = trials().filter(|t| self::name(t) == name);
            own.filter_map(|t| t.tables.get(tables::ROWS)?.parse::<u64>().ok()).max()
        };
        let all: Vec<(String, u64)> =
            all(trials()).into_iter().filter_map(|one| Some((one.name.clone(), rows(&one.name)?))).collect();
        all.windows(2).any(|two| two[0].1 != two[1].1).then_some(())?;
        let parts = all.iter().map(|(name, rows)| msg!("axis-rows-of", name, rows = figure::whole(i128::from(*rows))));
        Some(msg!("axis-changes-size", axis, parts = Message::list(parts)))
    };
    summary.experiments().into_iter().filter_map(of_experiment).collect()
}
