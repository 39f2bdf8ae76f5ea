//! The figures of groups of clients that ran together in a trial (`[[experiment.load.group]]`), each by itself.

use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::tally::{GroupFigures, Tally};
use tenbin_model::trial::{ClientGroup, Schedule};

/// One group, of a trial or of all repeats of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupResult {
    /// Its name.
    pub name: String,
    /// Its clients.
    pub clients: u32,
    /// Intended starts per second; `None`: each client starts again as soon as it has ended.
    pub rate: Option<f64>,
    /// Completed transactions per second; the mean over repeats.
    pub tps: f64,
    /// Its counts and times; those of repeats are merged.
    pub figures: GroupFigures,
}

/// The groups of a trial, in the order of the plan; none if it has no groups.
pub fn of_trial(trial: &TrialResult) -> Vec<GroupResult> {
    let one = |group| result(group, &trial.tally, tps(trial, group));
    trial.trial.load.groups.iter().map(one).collect()
}

/// The same of all repeats of a cell that are included in its figures.
pub fn of_cell(summary: &Summary, cell: &Cell) -> Vec<GroupResult> {
    let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| summary.trial(*number)).collect();
    let Some(first) = trials.first() else { return Vec::new() };
    let mean = |group| statistics::mean(&trials.iter().map(|trial| tps(trial, group)).collect::<Vec<_>>());
    let one = |group| result(group, &cell.tally, mean(group).unwrap_or(0.0));
    first.trial.load.groups.iter().map(one).collect()
}

fn result(group: &ClientGroup, tally: &Tally, tps: f64) -> GroupResult {
    let rate = if let Schedule::Open { rate, .. } = group.schedule { Some(rate) } else { None };
    GroupResult { name: group.name.clone(), clients: group.clients, rate, tps, figures: tally.group(&group.name) }
}

/// Completed transactions per second of a group in one trial.
pub(crate) fn tps(trial: &TrialResult, group: &ClientGroup) -> f64 {
    match trial.counted_ns() {
        0 => 0.0,
        ns => completed(trial, group) as f64 / (ns as f64 / 1e9),
    }
}

/// Those of which that is made.
pub(crate) fn completed(trial: &TrialResult, group: &ClientGroup) -> u64 {
    trial.throughput_of_group(&group.name)
}
