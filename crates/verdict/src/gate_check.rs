//! Whether a run is within limits that need no baseline.

use crate::enough;
use crate::gate::GateOutcome;
use crate::judged::Judged;
use crate::question;
use crate::rate;
use crate::subset::{self, Subset, View};
use tenbin_model::absolute_limit::{AbsoluteLimit, Limited};
use tenbin_model::counted;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
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
    /// Which transactions the figure is of; `None`: all.
    pub subset: Option<Subset>,
    /// The figure of all repeats together; `None`: nothing was measured.
    pub value: Option<f64>,
    /// How many repeats were within the limit, and how many there were.
    pub repeats: (usize, usize),
    /// In how many repeats the load was not what was asked for: the rate was not held, or not all statements ended. What they show of times, errors and
    /// seconds is within no limit.
    pub behind: usize,
    /// What they say.
    pub outcome: GateOutcome,
}

/// Checks the limits in every cell of every target whose load has the figure, of clients in groups for each group. What was not measured is not
/// within any limit.
pub fn checks(summary: &Summary, limits: &[AbsoluteLimit]) -> Vec<LimitCheck> {
    let views = subset::views(summary);
    let mut all = Vec::new();
    for cell in summary.cells() {
        for limit in limits {
            all.extend(views.iter().filter_map(|view| of_view(view, cell, limit)));
        }
    }
    all
}

/// The check of a limit in a cell of the run, or of one of its groups; `None` if that does not have the figure.
fn of_view(view: &View<'_>, cell: &Cell, limit: &AbsoluteLimit) -> Option<LimitCheck> {
    let run = &view.run;
    let own = run.cells().iter().find(|own| (own.cell, &own.target) == (cell.cell, &cell.target))?;
    let planned = |t: &&TrialResult| (t.trial.cell, &t.trial.target.name) == (cell.cell, &cell.target);
    let first = run.trials.iter().find(planned)?;
    let figure = if let Limited::Figure(figure) = limit.of { Some(figure) } else { None };
    // What all clients complete together has a limit, and not what each group does.
    let is_of_all = matches!(figure, Some(Figure::Transactions));
    if !view.has(first, figure) || (is_of_all && !view.is_whole()) {
        return None;
    }
    // A cell of which no trial began has all figures: they are missing.
    if own.is_begun() && !limit.applies(Question::of(first)) {
        return None;
    }
    Some(of_cell(run, own, limit, view.subset(first, limit.of)))
}

fn of_cell(summary: &Summary, cell: &Cell, limit: &AbsoluteLimit, subset: Option<Subset>) -> LimitCheck {
    let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| summary.trial(*number)).collect();
    let value = value(limit.of, &trials);
    let own: Vec<Option<f64>> = trials.iter().map(|t| self::value(limit.of, &[t])).collect();
    let holds = |value: &Option<f64>| value.is_some_and(|value| limit.holds(value));
    let is_behind = |t: &TrialResult| match limit.of {
        Limited::Figure(Figure::Seconds) => counted::is_short(t),
        _ => limit.needs_rate() && rate::is_held(t) == Some(false),
    };
    let behind = trials.iter().filter(|t| is_behind(t)).count();
    let held = own.iter().zip(&trials).filter(|(value, t)| holds(value) && !is_behind(t)).count();
    let outcome = match (holds(&value), held) {
        // Times of starts that never took place, or of a queue that grows, are no times of that rate, nor seconds of fewer statements those of all.
        (_, 0) if behind == own.len() => GateOutcome::Exceeded,
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
        subset,
        value,
        repeats: (held, own.len()),
        behind,
        outcome,
    }
}

/// Whether these repeats together have enough transactions to tell that it holds.
fn tells(limit: &AbsoluteLimit, trials: &[&TrialResult]) -> bool {
    match limit.of {
        Limited::Figure(Figure::Percentile(thousandths)) => {
            let none_above = value(Limited::Longest, trials).is_some_and(|longest| limit.holds(longest));
            let needed = if none_above { enough::without_any_above } else { enough::for_percentile };
            question::times_of(trials).map_or(0, |all| all.count()) as f64 >= needed(thousandths)
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

/// The figure of these repeats together.
fn value(of: Limited, trials: &[&TrialResult]) -> Option<f64> {
    match of {
        Limited::Errors => {
            let (failed, completed) = errors(trials);
            (failed + completed > 0.0).then(|| failed / (failed + completed))
        }
        Limited::Longest => question::times_of(trials).map(|all| all.max_ns() as f64),
        Limited::Figure(figure) => question::of_repeats(figure, trials),
    }
}
