//! Charts of throughput and response times along an axis of the matrix, with one line per target.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine, X};
use minijinja::{Value, context};
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, TrialResult};
use tenbin_model::tally::TransactionTally;

pub(super) const SECTION: Section = Section {
    id: "glance",
    heading: || msg!("section-glance"),
    values,
    template: include_str!("../../templates/glance.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let cells: Vec<Cell> = m.cells.iter().filter(|cell| !is_searched(m, cell)).cloned().collect();
    let axis = along(&cells)?;
    let doubling = axis.x.scale.is_doubling();
    let charts = charts(m, &cells, &axis);
    (!charts.is_empty()).then(|| context! { charts, doubling })
}

/// Whether a cell is a level of a search, which has a section of its own.
fn is_searched(m: &PageContext<'_>, cell: &Cell) -> bool {
    cell.trials.iter().chain(&cell.left_out).any(|n| m.summary.trial(*n).is_some_and(|t| t.trial.search.is_some()))
}

/// The axis of the matrix that is the x axis of charts.
pub(super) struct Along {
    /// Its key in the plan.
    pub key: String,
    /// Its values.
    pub x: X,
}

impl Along {
    /// The position of a cell; `None` if the cell has no value on this axis.
    pub fn place(&self, axes: &[(String, String)]) -> Option<f64> {
        self.x.place(&axes.iter().find(|(k, _)| *k == self.key)?.1)
    }

    /// The values of a cell on all other axes.
    pub fn rest(&self, axes: &[(String, String)]) -> Vec<(String, String)> {
        axes.iter().filter(|(k, _)| *k != self.key).cloned().collect()
    }
}

/// Chooses the x axis of charts from the axes with more than one value: preferably one of numbers, then `load.clients`,
/// then the one with the most values. Numbers are ordered by size, words as in the plan.
pub(super) fn along(cells: &[Cell]) -> Option<Along> {
    let mut axes: Vec<(String, Vec<String>)> = Vec::new();
    for c in cells {
        for (name, value) in &c.axes {
            match axes.iter_mut().find(|a| a.0 == *name) {
                Some(known) if known.1.contains(value) => {}
                Some(known) => known.1.push(value.clone()),
                None => axes.push((name.clone(), vec![value.clone()])),
            }
        }
    }
    let figures = |values: &[String]| values.iter().map(|v| v.parse::<f64>().ok()).collect::<Option<Vec<f64>>>();
    let weight = |a: &(String, Vec<String>)| (figures(&a.1).is_some(), a.0 == "load.clients", a.1.len());
    let (key, values) = axes.into_iter().filter(|a| a.1.len() > 1).max_by_key(weight)?;
    let x = figures(&values).map_or_else(|| chart::words(&values), |v| chart::numbers(&v));
    Some(Along { key, x })
}

/// The combinations of values on the other axes, in the plan's order. Each has its own charts.
pub(super) fn groups(cells: &[Cell], axis: &Along) -> Vec<Vec<(String, String)>> {
    let mut groups = Vec::new();
    for c in cells {
        let rest = axis.rest(&c.axes);
        if !groups.contains(&rest) {
            groups.push(rest);
        }
    }
    groups
}

/// A figure of a cell or a trial. `None`: throughput, which is the mean of the repeats and is not computed from merged
/// tallies.
type Measure = Option<fn(&TransactionTally) -> f64>;

fn charts(m: &PageContext<'_>, cells: &[Cell], axis: &Along) -> Vec<Value> {
    let kinds: [(Message, &str, Measure); 4] = [
        (msg!("chart-throughput"), "TPS", None),
        (msg!("chart-mean"), "ms", Some(|t| t.response.mean_ns() / 1e6)),
        (msg!("chart-p95"), "ms", Some(|t| t.response.quantile_ns(0.95) as f64 / 1e6)),
        (msg!("chart-p99"), "ms", Some(|t| t.response.quantile_ns(0.99) as f64 / 1e6)),
    ];
    let mut charts = Vec::new();
    for group in groups(cells, axis) {
        for (title, unit, measure) in &kinds {
            let lines: Vec<ChartLine> = m
                .targets
                .iter()
                .map(|t| line((m, cells), axis, &group, t, *measure))
                .filter(|l| !l.points.is_empty())
                .collect();
            if lines.is_empty() {
                continue;
            }
            let chart = Chart {
                title: title.clone(),
                of: tenbin_model::axis::cell(&group),
                unit: foreign(unit),
                x_name: bilingual::axis_name(&axis.key),
                x: axis.x.clone(),
                may_be_logarithmic: measure.is_some(),
                shade: None,
                reference: None,
            };
            charts.push(m.figure(&chart, &lines));
        }
    }
    charts
}

fn line(
    (m, cells): (&PageContext<'_>, &[Cell]),
    axis: &Along,
    group: &[(String, String)],
    target: &str,
    measure: Measure,
) -> ChartLine {
    let mut line = ChartLine { name: target.to_owned(), style: m.style(target), ..ChartLine::default() };
    for c in cells.iter().filter(|c| c.target == target && !c.tps.is_empty() && axis.rest(&c.axes) == group) {
        let Some(x) = axis.place(&c.axes) else { continue };
        let of_trial = |t: &TrialResult| measure.map_or_else(|| t.tps(), |of| of(&t.tally.all_starts()));
        let of_cell = || statistics::mean(&c.tps).unwrap_or(0.0);
        line.points.push((x, measure.map_or_else(of_cell, |of| of(&c.tally.all_starts()))));
        // The value of a single trial is the point itself.
        if c.tps.len() > 1 {
            let runs = c.trials.iter().filter_map(|n| m.summary.trial(*n));
            line.dots.extend(runs.map(|t| (x, of_trial(t))));
        }
    }
    line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    line
}
