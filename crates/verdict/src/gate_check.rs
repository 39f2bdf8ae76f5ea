//! Whether a run is within limits that need no baseline.

use crate::comparison::times;
use crate::enough;
use crate::gate::GateOutcome;
use crate::judged::Judged;
use crate::question::of_one_run;
use tenbin_model::absolute_limit::{AbsoluteLimit, Limited};
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::question::Question;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::tally::Accounting;

/// A limit in one cell of one target.
#[derive(Debug, Clone)]
pub struct LimitCheck {
    /// The limit.
    pub limit: AbsoluteLimit,
    /// The experiment.
    pub experiment: String,
    /// The target.
    pub target: String,
    /// The values of the matrix.
    pub axes: Vec<(String, String)>,
    /// The figure of all repeats together; `None`: nothing was measured.
    pub value: Option<f64>,
    /// How many repeats were within the limit, and how many there were.
    pub repeats: (usize, usize),
    /// What they say.
    pub outcome: GateOutcome,
}

/// Checks the limits in every cell of every target whose load has the figure. What was not measured is not within any limit.
pub fn checks(summary: &Summary, limits: &[AbsoluteLimit]) -> Vec<LimitCheck> {
    let mut all = Vec::new();
    for cell in summary.cells() {
        for limit in limits.iter().filter(|limit| has(summary, cell, limit)) {
            all.push(of_cell(summary, cell, limit));
        }
    }
    all
}

/// Whether the load of a cell has the figure.
fn has(summary: &Summary, cell: &Cell, limit: &AbsoluteLimit) -> bool {
    let mut trials = cell.trials.iter().chain(&cell.left_out).filter_map(|number| summary.trial(*number));
    // A cell of which no trial began has all figures: they are missing.
    trials.next().is_none_or(|t| limit.applies(Question::of(t)))
}

fn of_cell(summary: &Summary, cell: &Cell, limit: &AbsoluteLimit) -> LimitCheck {
    let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| summary.trial(*number)).collect();
    let value = value(limit.of, &trials);
    let own: Vec<Option<f64>> = trials.iter().map(|t| self::value(limit.of, &[t])).collect();
    let holds = |value: &Option<f64>| value.is_some_and(|value| limit.holds(value));
    let held = own.iter().filter(|value| holds(value)).count();
    let outcome = match (holds(&value), held) {
        (true, _) if !tells(limit, &trials) => GateOutcome::Undecided,
        (true, n) if n == own.len() => GateOutcome::Held,
        (false, 0) => GateOutcome::Exceeded,
        // The repeats disagree.
        _ => GateOutcome::Undecided,
    };
    LimitCheck {
        limit: limit.clone(),
        experiment: cell.experiment.clone(),
        target: cell.target.clone(),
        axes: cell.axes.clone(),
        value,
        repeats: (held, own.len()),
        outcome,
    }
}

/// Whether these repeats together have enough transactions to tell that it holds.
fn tells(limit: &AbsoluteLimit, trials: &[&TrialResult]) -> bool {
    let sum = |of: fn(&TrialResult) -> u64| trials.iter().map(|t| of(t) as f64).sum::<f64>();
    match limit.of {
        Limited::Figure(Figure::Percentile(thousandths)) => {
            let none_above = value(Limited::Longest, trials).is_some_and(|longest| limit.holds(longest));
            let needed = if none_above { enough::without_any_above } else { enough::for_percentile };
            sum(|t| t.tally.accounting.completed) >= needed(thousandths)
        }
        Limited::Errors => {
            let (failed, completed) = errors(trials);
            failed > 0.0 || completed >= enough::without_failure(limit.bound)
        }
        Limited::Figure(_) | Limited::Longest => true,
    }
}

/// How many failed, and how many completed: of all that ended in the windows.
fn errors(trials: &[&TrialResult]) -> (f64, f64) {
    let sum = |of: fn(&Accounting) -> u64| trials.iter().map(|t| of(&t.tally.accounting) as f64).sum::<f64>();
    (sum(Accounting::all_failed), sum(Accounting::all_completed))
}

/// The figure of these repeats together: times from their merged histograms, everything else the mean of the repeats.
fn value(of: Limited, trials: &[&TrialResult]) -> Option<f64> {
    let mean = |of: &dyn Fn(&TrialResult) -> Option<f64>| {
        let all: Option<Vec<f64>> = trials.iter().map(|t| of(t)).collect();
        statistics::mean(&all?)
    };
    let merged = || {
        let mut all = Histogram::new();
        trials.iter().for_each(|t| all.merge(&times(t)));
        Some(all).filter(|all| all.count() > 0)
    };
    match of {
        Limited::Errors => {
            let (failed, completed) = errors(trials);
            (failed + completed > 0.0).then(|| failed / (failed + completed))
        }
        Limited::Longest => merged().map(|all| all.max_ns() as f64),
        Limited::Figure(figure @ (Figure::Mean | Figure::Percentile(_))) => merged().map(|all| figure.of_times(&all)),
        Limited::Figure(figure) => mean(&|t| of_one_run(figure, t)),
    }
}
