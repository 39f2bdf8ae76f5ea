//! Repeats of a cell until its figure is known precisely enough on every target.

use super::AgendaPart;
use crate::counting;
use crate::judged_trial::JudgedTrial;
use crate::question;
use std::collections::BTreeSet;
use tenbin_model::doubt::Verdict;
use tenbin_model::precision::RepeatsUntil;
use tenbin_model::summary::TrialResult;
use tenbin_model::trial::Trial;

/// The trials of an experiment, with the greatest number of repeats. The first `min` repeats are run as planned; from then on a
/// cell has another repeat, on all targets, as long as one of them is not known precisely enough.
#[derive(Debug, Clone, Default)]
pub struct UntilPrecise(Vec<Trial>);

impl UntilPrecise {
    /// Of these trials, all of one experiment.
    pub fn of(trials: Vec<Trial>) -> UntilPrecise {
        let mut trials = trials;
        // Repeat after repeat, otherwise in the planned order.
        trials.sort_by_key(|trial| trial.repeat);
        UntilPrecise(trials)
    }
}

/// Whether this many repeats of a cell are enough on every target.
fn is_enough(of_cell: &[&TrialResult], repeats: u32, until: &RepeatsUntil) -> bool {
    let targets: BTreeSet<&str> = of_cell.iter().map(|t| t.trial.target.name.as_str()).collect();
    !targets.is_empty()
        && targets.iter().all(|target| {
            let counts = |t: &&TrialResult| t.trial.target.name == *target && t.verdict() != Verdict::Invalid;
            let (figure, own) = (until.until.figure, of_cell.iter().copied().filter(counts).collect::<Vec<_>>());
            let values: Vec<f64> = own.iter().filter_map(|t| question::of_one_run(figure, t)).collect();
            until.is_reached(repeats, &values, counting::of_repeats(figure, &own))
        })
}

impl AgendaPart for UntilPrecise {
    fn next(&self, own: &[&TrialResult]) -> Option<Trial> {
        let key = |trial: &Trial| (trial.cell, trial.repeat, trial.target.place);
        let planned: BTreeSet<_> = own.iter().map(|t| key(&t.trial)).collect();
        for trial in self.0.iter().filter(|trial| !planned.contains(&key(trial))) {
            let Some(until) = trial.repeats_until.filter(|until| trial.repeat > until.min) else {
                return Some(trial.clone());
            };
            let of_cell: Vec<&TrialResult> = own.iter().copied().filter(|t| t.trial.cell == trial.cell).collect();
            let before = trial.repeat - 1;
            if of_cell.iter().any(|t| t.trial.repeat > before) {
                // The other targets of a repeat that was wanted.
                return Some(trial.clone());
            }
            if of_cell.iter().any(|t| t.state.is_none()) {
                return None;
            }
            // The repeats of a cell that were enough remain so: no later one is looked at.
            let is_next = of_cell.iter().any(|t| t.trial.repeat == before);
            if is_next && !is_enough(&of_cell, before, &until) {
                return Some(trial.clone());
            }
        }
        None
    }

    fn expected(&self, own: &[&TrialResult]) -> u32 {
        let certain = |trial: &&Trial| trial.repeats_until.is_none_or(|until| trial.repeat <= until.min);
        let known = own.len() + usize::from(self.next(own).is_some());
        known.max(self.0.iter().filter(certain).count()) as u32
    }
}
