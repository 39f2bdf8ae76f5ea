//! The cells of an experiment whose trials are compared.

use crate::contender;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::axis;
use tenbin_model::summary::{Summary, TrialResult};

/// The cells of an experiment as its comparison sees them: what trials that are compared have in common.
pub(crate) struct Cells<'s> {
    /// Their places, from 1, unless they are those of the plan.
    places: BTreeMap<Shared<'s>, u32>,
    several_targets: bool,
}

/// A target, and values of a matrix.
type Shared<'s> = (&'s str, Vec<(String, String)>);

impl<'s> Cells<'s> {
    pub fn of(summary: &'s Summary, experiment: &str) -> Cells<'s> {
        let mut first: BTreeMap<Shared<'s>, u32> = BTreeMap::new();
        for t in summary.trials.iter().filter(|t| t.trial.experiment == experiment) {
            let Some(shared) = contender::shared(t) else { continue };
            let cell = first.entry(shared).or_insert(t.trial.cell);
            *cell = t.trial.cell.min(*cell);
        }
        let several_targets = first.keys().map(|(target, _)| target).collect::<BTreeSet<_>>().len() > 1;
        let mut in_order: Vec<(u32, Shared<'s>)> = first.into_iter().map(|(shared, cell)| (cell, shared)).collect();
        in_order.sort();
        Cells {
            places: in_order.into_iter().zip(1..).map(|((_, shared), place)| (shared, place)).collect(),
            several_targets,
        }
    }

    pub fn number(&self, t: &'s TrialResult) -> u32 {
        contender::shared(t).and_then(|shared| self.places.get(&shared).copied()).unwrap_or(t.trial.cell)
    }

    pub fn axes(&self, t: &TrialResult) -> Vec<(String, String)> {
        let Some((target, rest)) = contender::shared(t) else { return t.trial.axes.clone() };
        let target = self.several_targets.then(|| (axis::TARGET.to_owned(), target.to_owned()));
        // The experiment comes first, as everywhere.
        let (of_experiment, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(key, _)| key == axis::EXPERIMENT);
        of_experiment.into_iter().chain(target).chain(others).collect()
    }
}
