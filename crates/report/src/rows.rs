//! The table of cells for the page and for Markdown: one row per cell and target.

use std::collections::BTreeMap;
use tenbin_model::counted::truncated_cell;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::repeats;
use tenbin_model::statistics::{self, ALPHA};
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::tally::TransactionTally;
use tenbin_verdict::judged::Judged;

/// A column after those of the axes.
struct CellColumn {
    heading: fn() -> Message,
    text: fn(&Summary, &Cell, &TransactionTally) -> String,
    /// The figure that may be the best of its cell.
    figure: Option<Figure>,
}

/// In reading order. Times are in milliseconds.
const COLUMNS: [CellColumn; 12] = [
    CellColumn { heading: || msg!("column-target"), text: |_, c, _| c.target.clone(), figure: None },
    CellColumn { heading: || msg!("column-repeats"), text: |_, c, _| c.tps.len().to_string(), figure: None },
    CellColumn {
        heading: || foreign("TPS"),
        text: |_, c, _| statistics::mean(&c.tps).map_or(NONE.into(), figure::grouped),
        figure: Some(Figure::Transactions),
    },
    CellColumn {
        heading: || msg!("column-spread"),
        text: |_, c, _| repeats::spread(&c.tps, c.share).unwrap_or_else(|| NONE.into()),
        figure: None,
    },
    CellColumn {
        heading: || msg!("published-qps"),
        text: |_, c, _| c.mean_qps().map_or(NONE.into(), figure::grouped),
        figure: None,
    },
    CellColumn {
        heading: || msg!("column-mean-ms"),
        text: |_, _, all| time(all, all.response.mean_ns()),
        figure: Some(Figure::Mean),
    },
    CellColumn {
        heading: || foreign("p50"),
        text: |_, _, all| time(all, all.response.quantile_ns(0.5) as f64),
        figure: Some(Figure::Percentile(500)),
    },
    CellColumn {
        heading: || foreign("p95"),
        text: |_, _, all| time(all, all.response.quantile_ns(0.95) as f64),
        figure: Some(Figure::Percentile(950)),
    },
    CellColumn {
        heading: || foreign("p99"),
        text: |_, c, all| {
            let p99 = time(all, all.response.quantile_ns(0.99) as f64);
            if c.standstill.is_some() { p99 + " ‡" } else { p99 }
        },
        figure: Some(Figure::Percentile(990)),
    },
    CellColumn {
        heading: || msg!("column-max"),
        text: |_, _, all| time(all, all.response.max_ns() as f64),
        figure: None,
    },
    CellColumn {
        heading: || msg!("column-failed"),
        text: |_, c, _| figure::whole(i128::from(c.tally.accounting.failed)),
        figure: None,
    },
    CellColumn {
        heading: || msg!("column-verdict"),
        text: |summary, c, _| format!("{}{}", c.verdict.name(), if truncated_cell(summary, c) { " ✂" } else { "" }),
        figure: None,
    },
];

/// What a cell of the table has where there is no figure.
const NONE: &str = "–";

fn time(all: &TransactionTally, ns: f64) -> String {
    if all.completed == 0 { NONE.into() } else { figure::grouped(ns / 1e6) }
}

/// The names of the columns.
pub fn head(summary: &Summary) -> Vec<Message> {
    let axes = Cell::axis_keys(summary.cells()).into_iter().map(foreign);
    axes.chain(COLUMNS.iter().map(|column| (column.heading)())).collect()
}

/// The rows of the table, as text.
pub fn cells(summary: &Summary) -> Vec<Vec<String>> {
    let cells = summary.cells();
    let keys = Cell::axis_keys(cells);
    let row = |cell: &Cell| {
        let all = cell.tally.all_starts();
        let axes = keys.iter().map(|key| cell.axis_value(key).to_owned());
        axes.chain(COLUMNS.iter().map(|column| (column.text)(summary, cell, &all))).collect()
    };
    cells.iter().map(row).collect()
}

/// Which figures of [`cells`] are the best of their cell: the highest TPS and the shortest times, if the runs show that every
/// other target of the cell is worse. None if the cell has results of one target only, or one repeat.
pub fn best(summary: &Summary) -> Vec<Vec<bool>> {
    let cells = summary.cells();
    let axes = Cell::axis_keys(cells).len();
    let trials: BTreeMap<u32, &TrialResult> = summary.trials.iter().map(|t| (t.trial.number, t)).collect();
    let mut of_cell: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.tps.is_empty()) {
        of_cell.entry(cell.cell).or_default().push(i);
    }
    let mut rows = vec![vec![false; axes + COLUMNS.len()]; cells.len()];
    for rivals in of_cell.values().filter(|rivals| rivals.len() > 1) {
        let times: Vec<Histogram> = rivals.iter().map(|i| cells[*i].tally.all_starts().response).collect();
        let figures = COLUMNS.iter().enumerate().filter_map(|(at, column)| Some((column.figure?, at)));
        for (figure, column) in figures {
            let value = |at: usize| match figure {
                Figure::Transactions => -statistics::mean(&cells[rivals[at]].tps).unwrap_or_default(),
                _ => figure.of_times(&times[at]),
            };
            let Some(first) = (0..rivals.len()).min_by(|x, y| value(*x).total_cmp(&value(*y))) else { continue };
            let share = rivals.iter().map(|i| cells[*i].share).fold(1.0, f64::min);
            let alpha = share * ALPHA / (rivals.len() - 1) as f64;
            let is_worse = |other: &usize| {
                let seen = reading(of_pairs(figure, &pairs(&trials, &cells[rivals[first]], &cells[*other]), alpha));
                seen == if figure.is_time() { Comparable::Higher } else { Comparable::Lower }
            };
            let best = rivals[first];
            rows[best][axes + column] = rivals.iter().filter(|other| **other != best).all(is_worse);
        }
    }
    rows
}

/// The trials of two targets in a cell that have the same repeat.
fn pairs<'s>(trials: &BTreeMap<u32, &'s TrialResult>, a: &Cell, b: &Cell) -> Vec<(&'s TrialResult, &'s TrialResult)> {
    let of = |cell: &Cell| -> Vec<&'s TrialResult> {
        cell.trials.iter().filter_map(|number| trials.get(number).copied()).collect()
    };
    let of_b = of(b);
    let partner = |first: &'s TrialResult| {
        let second = of_b.iter().find(|second| second.trial.repeat == first.trial.repeat)?;
        Some((first, *second))
    };
    of(a).into_iter().filter_map(partner).collect()
}
