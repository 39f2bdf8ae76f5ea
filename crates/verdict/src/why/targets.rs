//! The diagnoses of a run by target, or by what is compared on it: that of the cell with the highest throughput, and where it was another limit.

use super::{Diagnosis, Outcome, Refutation, of_trial, refutation};
use crate::contender;
use crate::judged::Judged;
use crate::judged_trial::JudgedTrial;
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// What limited a target in an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetDiagnosis {
    /// The experiment.
    pub experiment: String,
    /// Whether the run has several.
    pub of_several: bool,
    /// The target.
    pub target: String,
    /// The value of the axis along which its experiment compares, if it does.
    pub along: Option<String>,
    /// The cell with the highest throughput.
    pub cell: u32,
    /// Its values of the matrix.
    pub axes: Vec<(String, String)>,
    /// The diagnosis of most of its trials: that of the first one of them.
    pub diagnosis: Diagnosis,
    /// What limited other cells, if it was something else, with the number of cells.
    pub elsewhere: Vec<(Outcome, usize)>,
}

/// What limited each target, by experiment, in the order of the plan; with each value of the axis along which an experiment compares by itself.
pub fn of_targets(summary: &Summary) -> Vec<TargetDiagnosis> {
    let cells = summary.cells();
    let mut all = Vec::new();
    for experiment in summary.experiments() {
        for (target, along) in sides(summary, experiment) {
            let is_own =
                |cell: &&Cell| cell.experiment == experiment && cell.target == target && value(summary, cell) == along;
            let own = cells.iter().filter(is_own);
            let known: Vec<(&Cell, Diagnosis)> = own.filter_map(|cell| Some((cell, of_cell(summary, cell)?))).collect();
            let tps = |cell: &Cell| statistics::mean(&cell.tps).unwrap_or(0.0);
            let best = known.iter().max_by(|a, b| tps(a.0).total_cmp(&tps(b.0)));
            let Some((cell, diagnosis)) = best else { continue };
            let mut elsewhere: BTreeMap<Outcome, usize> = BTreeMap::new();
            for (_, other) in known.iter().filter(|(_, other)| other.outcome != diagnosis.outcome) {
                *elsewhere.entry(other.outcome).or_default() += 1;
            }
            all.push(TargetDiagnosis {
                experiment: experiment.to_owned(),
                of_several: summary.experiments().len() > 1,
                target,
                along,
                cell: cell.cell,
                axes: cell.axes.clone(),
                diagnosis: diagnosis.clone(),
                elsewhere: elsewhere.into_iter().collect(),
            });
        }
    }
    all
}

/// The targets, each with the values of the axis along which the experiment compares.
fn sides(summary: &Summary, experiment: &str) -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    for target in summary.targets() {
        let own = summary.cells().iter().filter(|cell| cell.experiment == experiment && cell.target == target);
        for cell in own {
            let side = (target.clone(), value(summary, cell));
            if !all.contains(&side) {
                all.push(side);
            }
        }
    }
    all
}

/// The value of the axis along which a cell is compared.
fn value(summary: &Summary, cell: &Cell) -> Option<String> {
    let t = cell.trials.iter().chain(&cell.left_out).find_map(|number| summary.trial(*number))?;
    let is_along = t.of_run.is_none() && t.trial.compare.is_some();
    is_along.then(|| contender::name(t).into_owned())
}

/// The diagnosis of most of a cell's trials: that of the first one of them.
fn of_cell(summary: &Summary, cell: &Cell) -> Option<Diagnosis> {
    let trials = cell.trials.iter().filter_map(|number| summary.trial(*number));
    of_most(&trials.filter_map(|t| of_trial(summary, t)).collect::<Vec<_>>()).cloned()
}

/// Of the diagnoses of a cell's trials, in their order, the first of those that say what most of them say.
pub fn of_most(all: &[Diagnosis]) -> Option<&Diagnosis> {
    let votes = |outcome: Outcome| all.iter().filter(|d| d.outcome == outcome).count();
    let most = all.iter().map(|d| votes(d.outcome)).max()?;
    all.iter().find(|d| votes(d.outcome) == most)
}

impl TargetDiagnosis {
    /// What limited the target, in a sentence.
    pub fn sentence(&self) -> Message {
        let (target, words) = (&self.target, self.diagnosis.words());
        let sentence = match self.axes.iter().any(|(key, _)| key != axis::EXPERIMENT) {
            true => msg!("why-target-at", target, cell = axis::cell(&self.axes), words),
            false => msg!("why-target", target, words),
        };
        let sentence = match self.of_several {
            true => msg!("answer-of-experiment", experiment = self.experiment, answer = sentence),
            false => sentence,
        };
        let each = self.elsewhere.iter().map(|(outcome, n)| msg!("why-elsewhere-one", outcome = outcome.label(), n));
        match self.elsewhere.is_empty() {
            true => sentence,
            false => msg!("why-elsewhere", told = sentence, others = Message::list(each.collect::<Vec<_>>())),
        }
    }
}

/// What the run shows of the limit that its plan tests, a sentence for each target of which it is known what limits it, and one that names the
/// others, and where what is missing can be read. Where a limit is refuted, each target has its own, also if another limit is not known.
pub fn sentences(summary: &Summary) -> Vec<Message> {
    let all = of_targets(summary);
    let tested = refutation::of_run(summary);
    let (known, others) = told_apart(&all, tested.as_ref());
    known_sentences(&known, tested.as_ref()).into_iter().chain(unknown(summary, &known, &others)).collect()
}

/// The targets that have a sentence of their own, and the others.
fn told_apart<'t>(
    all: &'t [TargetDiagnosis],
    tested: Option<&Refutation>,
) -> (Vec<&'t TargetDiagnosis>, Vec<&'t TargetDiagnosis>) {
    let is_refuted = tested.is_some_and(|tested| tested.refuted().is_some());
    all.iter().partition(|target| is_refuted || target.diagnosis.outcome != Outcome::NotKnown)
}

fn known_sentences(known: &[&TargetDiagnosis], tested: Option<&Refutation>) -> Vec<Message> {
    tested.map(Refutation::sentence).into_iter().chain(known.iter().map(|target| target.sentence())).collect()
}

/// Of which targets it is not known what limits them, in any cell.
fn unknown(summary: &Summary, known: &[&TargetDiagnosis], others: &[&TargetDiagnosis]) -> Option<Message> {
    if known.is_empty() && others.is_empty() {
        return within_client(summary).then(|| msg!("why-embedded"));
    }
    let name = |one: &&TargetDiagnosis| one.along.clone().unwrap_or_else(|| one.target.clone());
    let known: Vec<String> = known.iter().map(name).collect();
    let mut names: Vec<String> = Vec::new();
    let mut targets: Vec<Message> = Vec::new();
    for one in others {
        let name = name(one);
        if !known.contains(&name) && !names.contains(&name) {
            // A value says little without the name of its axis.
            let words = |value: &String| contender::words_of_name(summary, &one.experiment, value);
            targets.push(one.along.as_ref().map_or_else(|| foreign(&one.target), words));
            names.push(name);
        }
    }
    let targets = Message::list_of_first(MOST_NAMES, targets);
    (!names.is_empty()).then(|| msg!("why-target", target = targets, words = msg!("why-not-known-yet")))
}

/// Whether what was measured is a database that runs within the client, and no test of the machine itself.
pub fn within_client(summary: &Summary) -> bool {
    summary.trials.iter().any(|t| t.counts() && t.embedded() && !t.on_host())
}

/// The most targets that are named of those of which nothing is known.
const MOST_NAMES: usize = 6;

/// What is known, in fewer words where several experiments would make many sentences: one for each target, without the figures.
pub fn in_short(summary: &Summary) -> Vec<Message> {
    let all = of_targets(summary);
    let tested = refutation::of_run(summary);
    let full = known_sentences(&told_apart(&all, tested.as_ref()).0, tested.as_ref());
    if full.len() <= MOST_SENTENCES {
        return full;
    }
    let known: Vec<&TargetDiagnosis> = all.iter().filter(|one| one.diagnosis.outcome != Outcome::NotKnown).collect();
    let mut targets: Vec<&str> = known.iter().map(|one| one.target.as_str()).collect();
    targets.dedup();
    let mut sentences = Vec::new();
    for target in targets {
        if sentences.iter().any(|(name, _)| *name == target) {
            continue;
        }
        let mut limits: Vec<(Outcome, Vec<Message>)> = Vec::new();
        for one in known.iter().filter(|one| one.target == target) {
            let (outcome, name) = (one.diagnosis.outcome, foreign(&one.experiment));
            match limits.iter_mut().find(|(of, _)| *of == outcome) {
                // With another value of its axis.
                Some((_, names)) if names.contains(&name) => {}
                Some((_, names)) => names.push(name),
                None => limits.push((outcome, vec![name])),
            }
        }
        let parts = limits.into_iter().map(|(outcome, names)| {
            msg!("why-short-part", bottleneck = outcome.label(), experiments = Message::list(names))
        });
        let parts = Message::joined(parts, msg!("semicolon"));
        sentences.push((target, msg!("why-short", target, parts)));
    }
    sentences.into_iter().map(|(_, sentence)| sentence).collect()
}

/// More sentences on limits than these are shortened.
const MOST_SENTENCES: usize = 3;
