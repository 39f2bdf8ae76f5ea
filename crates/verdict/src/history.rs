//! A figure over many runs of a plan, and when its level changed.

use crate::judged::Judged;
use crate::question;
use crate::rate;
use crate::subset::{self, Subset, View};
use tenbin_model::absolute_limit::Limited;
use tenbin_model::edits;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::statistics::change_points::{self, Change};
use tenbin_model::summary::{Summary, TrialResult, label};
use tenbin_model::trial::Trial;
use tenbin_words::message::Message;

/// Changes of the level smaller than this are not reported.
const LEAST: f64 = 0.02;

/// A figure of one target in one cell, over runs; of clients in groups also of each group.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The experiment.
    pub experiment: String,
    /// The cell's values, as one label.
    pub cell: String,
    /// The target.
    pub target: String,
    /// The figure.
    pub figure: Figure,
    /// Which transactions it is of; `None`: all.
    pub subset: Option<Subset>,
    /// The run, by its place among those given, and its value: the mean of its repeats, times from their merged histograms, in
    /// nanoseconds.
    pub values: Vec<(usize, f64)>,
    /// Whether every repeat held the rate, by places in `values`; `None`: it has none.
    pub held: Vec<Option<bool>>,
    /// When the level changed, by places in `values`.
    pub changes: Vec<Change>,
    /// What was edited in the plan since the run before, by places in `values`.
    pub edits: Vec<(usize, Message)>,
}

/// Why runs have no history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// All of their trials are of searches, whose levels are others in each run.
    Searches,
    /// None of their loads has the figure that was asked for.
    Figure(Figure),
    /// None of their trials is in the figures: all are INVALID, or nothing completed.
    Results,
}

/// Why these runs have no history of this figure.
pub fn absence(runs: &[Summary], figure: Option<Figure>) -> Absence {
    let begun = || runs.iter().flat_map(|run| &run.trials).filter(|t| t.begun);
    let questions = || begun().map(Question::of);
    match figure {
        _ if begun().next().is_some() && questions().all(|question| question == Question::Limit) => Absence::Searches,
        Some(figure) if begun().next().is_some() && !questions().any(|question| question.has(figure)) => {
            Absence::Figure(figure)
        }
        _ => Absence::Results,
    }
}

/// The histories of all targets and cells in these runs, which are in the order of time. Without a figure each has the one that
/// answers its question; with one those whose load has it. Times of clients in groups are those of each group. [`absence`] says why there are none.
pub fn of(runs: &[Summary], figure: Option<Figure>) -> Vec<History> {
    let views: Vec<Vec<View<'_>>> = runs.iter().map(subset::views).collect();
    let mut all: Vec<History> = Vec::new();
    // The trial of each history in the run before.
    let mut former: Vec<&Trial> = Vec::new();
    for (place, view) in views.iter().enumerate().flat_map(|(place, views)| views.iter().map(move |view| (place, view)))
    {
        let run = &view.run;
        for cell in run.cells() {
            let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| run.trial(*number)).collect();
            // The levels of a search are others in each run.
            let Some(first) = trials.first().filter(|t| t.trial.search.is_none()) else { continue };
            let question = Question::of(first);
            let figure = figure.unwrap_or_else(|| question.figure());
            if !question.has(figure) || !view.has(first, Some(figure)) {
                continue;
            }
            let Some(value) = question::of_repeats(figure, &trials) else { continue };
            let subset = view.subset(first, Limited::Figure(figure));
            let held = trials.iter().filter_map(|t| rate::is_held(t)).reduce(|all, one| all && one);
            let (experiment, target, cell) = (&cell.experiment, &cell.target, label(&cell.axes));
            let known = all.iter_mut().zip(&mut former).find(|(h, _)| {
                let is_of = (&h.experiment, &h.target, &h.cell) == (experiment, target, &cell);
                is_of && (h.figure, &h.subset) == (figure, &subset)
            });
            match known {
                Some((history, former)) => {
                    history.edits.extend(edits::between(former, &first.trial).map(|what| (history.values.len(), what)));
                    history.values.push((place, value));
                    history.held.push(held);
                    *former = &first.trial;
                }
                None => {
                    former.push(&first.trial);
                    all.push(History {
                        experiment: experiment.clone(),
                        cell,
                        target: target.clone(),
                        figure,
                        subset,
                        values: vec![(place, value)],
                        held: vec![held],
                        changes: Vec::new(),
                        edits: Vec::new(),
                    });
                }
            }
        }
    }
    for history in &mut all {
        let series: Vec<f64> = history.values.iter().map(|(_, value)| *value).collect();
        history.changes = change_points::changes(&series, LEAST);
    }
    all
}

impl History {
    /// What was edited in the plan before the run of this value.
    pub fn edit(&self, place: usize) -> Option<&Message> {
        self.edits.iter().find(|(at, _)| *at == place).map(|(_, what)| what)
    }

    /// Whether the value of this place is a time at a rate that was not held: it grows with the length of the run, or is that of fewer starts.
    pub fn is_behind(&self, place: usize) -> bool {
        self.figure.is_time() && self.held.get(place) == Some(&Some(false))
    }

    /// A value as it is shown: times in milliseconds.
    pub fn shown(&self, value: f64) -> f64 {
        match self.figure {
            Figure::Mean | Figure::Percentile(_) => value / 1e6,
            _ => value,
        }
    }
}
