//! The table of cells for the page and for Markdown: one row per cell and target.

use std::collections::BTreeMap;
use tenbin_model::counted::truncated_cell;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::repeats;
use tenbin_model::statistics::{self, ALPHA};
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_verdict::comparison::{Comparable, of_pairs, reading};
use tenbin_verdict::judged::Judged;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The names of the columns.
pub fn head(summary: &Summary) -> Vec<Message> {
    let cells = summary.cells();
    let rest = [
        msg!("column-target"),
        msg!("column-repeats"),
        foreign("TPS"),
        msg!("column-spread"),
        msg!("published-qps"),
        msg!("column-mean-ms"),
        foreign("p50"),
        foreign("p95"),
        foreign("p99"),
        msg!("column-max"),
        msg!("column-failed"),
        msg!("column-verdict"),
    ];
    Cell::axis_keys(cells).into_iter().map(foreign).chain(rest).collect()
}

/// The rows of the table, as text. Times are in milliseconds.
pub fn cells(summary: &Summary) -> Vec<Vec<String>> {
    let cells = summary.cells();
    let keys = Cell::axis_keys(cells);
    cells
        .iter()
        .map(|c| {
            let all = c.tally.all_starts();
            let ms = |ns: f64| if all.completed == 0 { "–".into() } else { figure::grouped(ns / 1e6) };
            let mut row: Vec<String> = keys.iter().map(|key| c.axis_value(key).to_owned()).collect();
            row.extend([
                c.target.clone(),
                c.tps.len().to_string(),
                statistics::mean(&c.tps).map_or("–".into(), figure::grouped),
                repeats::spread(&c.tps, c.share).unwrap_or_else(|| "–".into()),
                c.mean_qps().map_or("–".into(), figure::grouped),
                ms(all.response.mean_ns()),
                ms(all.response.quantile_ns(0.5) as f64),
                ms(all.response.quantile_ns(0.95) as f64),
                format!(
                    "{}{}",
                    ms(all.response.quantile_ns(0.99) as f64),
                    if c.standstill.is_some() { " ‡" } else { "" }
                ),
                ms(all.response.max_ns() as f64),
                figure::whole(i128::from(c.tally.accounting.failed)),
                format!("{}{}", c.verdict.name(), if truncated_cell(summary, c) { " ✂" } else { "" }),
            ]);
            row
        })
        .collect()
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
    let mut rows = vec![vec![false; axes + COLUMNS]; cells.len()];
    for rivals in of_cell.values().filter(|rivals| rivals.len() > 1) {
        let times: Vec<Histogram> = rivals.iter().map(|i| cells[*i].tally.all_starts().response).collect();
        for (figure, column) in FIGURES {
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

/// The columns after the axes: target, repeats, TPS, spread, QPS, mean, p50, p95, p99, max, failed, verdict.
const COLUMNS: usize = 12;

/// The figures that may be the best, and the column after the axes in which they stand.
const FIGURES: [(Figure, usize); 5] = [
    (Figure::Transactions, 2),
    (Figure::Mean, 5),
    (Figure::Percentile(500), 6),
    (Figure::Percentile(950), 7),
    (Figure::Percentile(990), 8),
];

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
