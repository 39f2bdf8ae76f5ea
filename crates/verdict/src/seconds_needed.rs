//! What a cell needed for a fixed number of statements, as mysqlslap asks: seconds, and milliseconds for each statement of a client. The
//! answer, the tables and the card of the page have the same figures.

use tenbin_model::counted;
use tenbin_model::question::Question;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};

/// What a cell needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SecondsNeeded {
    /// The mean of its repeats, seconds.
    pub mean: f64,
    /// The shortest of them.
    pub low: f64,
    /// The longest of them.
    pub high: f64,
    /// How many there are.
    pub runs: usize,
    /// The statements of all clients together in one repeat; of a cell in which fewer ended those that were completed, on average.
    pub statements: f64,
    /// Milliseconds for each statement of a client: what a user feels.
    pub each_ms: f64,
}

impl SecondsNeeded {
    /// Statements per second: not the mean of the rates of the repeats, of which the quick ones would count for more than their time.
    pub fn per_second(&self) -> f64 {
        if self.mean > 0.0 { self.statements / self.mean } else { 0.0 }
    }
}

/// What a cell needed; `None` if it does not ask for seconds, or nothing was measured.
pub fn of_cell(summary: &Summary, cell: &Cell) -> Option<SecondsNeeded> {
    of_trials(&trials(summary, cell))
}

/// The same of these repeats of a cell.
pub(crate) fn of_trials(trials: &[&TrialResult]) -> Option<SecondsNeeded> {
    let load = &trials.first().filter(|t| Question::of(t) == Question::Seconds)?.trial.load;
    let all: Vec<f64> = trials.iter().map(|t| t.measured_ns() as f64 / 1e9).collect();
    let mean = statistics::mean(&all)?;
    let (low, high) = all.iter().fold((f64::MAX, 0.0_f64), |(low, high), s| (low.min(*s), high.max(*s)));
    let completed: Vec<f64> = trials.iter().map(|t| t.tally.accounting.completed as f64).collect();
    let statements = match trials.iter().any(|t| counted::is_short(t)) {
        true => statistics::mean(&completed)?,
        false => counted::expected(load)? as f64,
    };
    let each_ms = mean * 1e3 * f64::from(load.clients) / statements.max(1.0);
    Some(SecondsNeeded { mean, low, high, runs: all.len(), statements, each_ms })
}

/// Of each kind of load the largest of these cells in which all of its statements ended, in their order: a rate or a time over loads that are unlike
/// would say nothing.
pub fn largest<'c>(summary: &Summary, cells: impl IntoIterator<Item = &'c Cell>) -> Vec<(&'c Cell, SecondsNeeded)> {
    let mut kinds: Vec<(Vec<&str>, (&Cell, SecondsNeeded))> = Vec::new();
    for cell in cells {
        if trials(summary, cell).iter().any(|t| counted::is_short(t)) {
            continue;
        }
        let Some(needed) = of_cell(summary, cell) else { continue };
        let kind = kind(cell);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, largest)) if needed.statements > largest.1.statements => *largest = (cell, needed),
            Some(_) => {}
            None => kinds.push((kind, (cell, needed))),
        }
    }
    kinds.into_iter().map(|(_, largest)| largest).collect()
}

fn trials<'s>(summary: &'s Summary, cell: &Cell) -> Vec<&'s TrialResult> {
    cell.trials.iter().filter_map(|number| summary.trial(*number)).collect()
}

/// The values of a cell that are no numbers: what makes its load another one.
fn kind(cell: &Cell) -> Vec<&str> {
    let values = cell.axes.iter().map(|(_, value)| value.as_str());
    std::iter::once(cell.target.as_str()).chain(values.filter(|value| value.parse::<f64>().is_err())).collect()
}
