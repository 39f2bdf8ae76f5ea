//! Charts of throughput and response times along an axis of the matrix, with one line per target; of a single cell, with
//! the targets side by side.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine, X};
use minijinja::{Value, context};
use tenbin_model::axis::EXPERIMENT;
use tenbin_model::repeats;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, TrialResult};
use tenbin_model::tally::TransactionTally;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "glance",
    heading: || msg!("section-glance"),
    values,
    template: include_str!("../../templates/glance.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let cells: Vec<Cell> = m.cells.iter().filter(|cell| !is_searched(m, cell)).cloned().collect();
    let axis = along(&cells).or_else(|| across(&cells))?;
    let doubling = axis.x.scale.is_doubling();
    let (charts, intervals) = charts(m, &cells, &axis);
    (!charts.is_empty()).then(|| context! { charts, doubling, intervals })
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

/// The key of the axis of [`across`]; no plan has it.
const TARGETS: &str = "";

/// The targets as the x axis, for a single cell of each.
fn across(cells: &[Cell]) -> Option<Along> {
    let names: Vec<String> = cells.iter().filter(|c| !c.tps.is_empty()).map(|c| c.target.clone()).collect();
    (names.len() > 1).then(|| Along { key: TARGETS.to_owned(), x: chart::words(&names) })
}

impl Along {
    /// The position of a cell of a target.
    fn place_of(&self, cell: &Cell) -> Option<f64> {
        if self.key == TARGETS { self.x.place(&cell.target) } else { self.place(&cell.axes) }
    }

    /// Its name.
    fn name(&self) -> Message {
        if self.key == TARGETS { msg!("column-target") } else { bilingual::axis_name(&self.key) }
    }

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

/// Values on the other axes.
pub(super) type Group = Vec<(String, String)>;

/// The combinations of values on the other axes, in the plan's order. Each has its own charts.
pub(super) fn groups(cells: &[Cell], axis: &Along) -> Vec<Group> {
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

/// The charts, and whether they have intervals.
fn charts(m: &PageContext<'_>, cells: &[Cell], axis: &Along) -> (Vec<Value>, bool) {
    let kinds: [(Message, &str, Measure); 4] = [
        (msg!("chart-throughput"), "TPS", None),
        (msg!("chart-mean"), "ms", Some(|t| t.response.mean_ns() / 1e6)),
        (msg!("chart-p95"), "ms", Some(|t| t.response.quantile_ns(0.95) as f64 / 1e6)),
        (msg!("chart-p99"), "ms", Some(|t| t.response.quantile_ns(0.99) as f64 / 1e6)),
    ];
    let groups = groups(cells, axis);
    let of_kind = |measure: Measure| {
        let of_group = |group: &Group| -> Vec<ChartLine> {
            let lines = m.targets.iter().map(|t| line((m, cells), axis, group, t, measure));
            lines.filter(|l| !l.points.is_empty()).collect()
        };
        groups.iter().map(of_group).collect::<Vec<_>>()
    };
    let lines: Vec<Vec<Vec<ChartLine>>> = kinds.iter().map(|(_, _, measure)| of_kind(*measure)).collect();
    let experiment = |group: &Group| group.iter().find(|(key, _)| key == EXPERIMENT).map(|(_, name)| name.clone());
    let mut charts = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        for ((title, unit, measure), lines) in kinds.iter().zip(&lines) {
            if lines[at].is_empty() {
                continue;
            }
            // The charts of this figure of the same experiment.
            let beside = groups.iter().zip(lines).filter(|(other, _)| experiment(other) == experiment(group));
            let beside: Vec<Vec<ChartLine>> =
                beside.map(|(_, lines)| lines.clone()).filter(|lines| !lines.is_empty()).collect();
            let chart = Chart {
                title: title.clone(),
                of: tenbin_model::axis::cell(group),
                unit: foreign(unit),
                x_name: axis.name(),
                x: axis.x.clone(),
                may_be_logarithmic: measure.is_some(),
                shade: None,
                reference: None,
                steady: None,
                y: chart::common_y(measure.is_some(), None, &beside),
            };
            charts.push(m.figure(&chart, &lines[at]));
        }
    }
    (charts, lines.iter().flatten().flatten().any(|line| !line.bars.is_empty()))
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
        let Some(x) = axis.place_of(c) else { continue };
        let of_trial = |t: &TrialResult| measure.map_or_else(|| t.tps(), |of| of(&t.tally.all_starts()));
        let of_cell = || statistics::mean(&c.tps).unwrap_or(0.0);
        line.points.push((x, measure.map_or_else(of_cell, |of| of(&c.tally.all_starts()))));
        // The value of a single trial is the point itself.
        if c.tps.len() > 1 {
            let runs = c.trials.iter().filter_map(|n| m.summary.trial(*n));
            line.dots.extend(runs.map(|t| (x, of_trial(t))));
        }
        let interval = repeats::interval(&c.tps, c.share).filter(|_| measure.is_none());
        line.bars.extend(interval.map(|i| (x, i.low, i.high)));
    }
    line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    line
}
