//! The table of cells for the page and for Markdown: one row per cell and target.

use tenbin_model::counted::truncated_cell;
use tenbin_model::figure;
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary};

/// The names of the columns.
pub fn head(summary: &Summary) -> Vec<Message> {
    let cells = summary.cells();
    let rest = [
        msg!("column-target"),
        msg!("column-repeats"),
        foreign("TPS"),
        foreign("±"),
        msg!("column-mean-ms"),
        foreign("p50"),
        foreign("p95"),
        foreign("p99"),
        msg!("column-max"),
        msg!("column-failed"),
        msg!("column-verdict"),
    ];
    Cell::axis_keys(&cells).into_iter().map(foreign).chain(rest).collect()
}

/// The rows of the table, as text. Times are in milliseconds.
pub fn cells(summary: &Summary) -> Vec<Vec<String>> {
    let cells = summary.cells();
    let keys = Cell::axis_keys(&cells);
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
                statistics::mean_confidence(&c.tps).map_or("–".into(), |i| figure::grouped(i.high - i.value)),
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

/// Which figures of [`cells`] are the best of their cell: the highest TPS and the shortest times. None if the cell has
/// results of one target only.
pub fn best(summary: &Summary) -> Vec<Vec<bool>> {
    let cells = summary.cells();
    let axes = Cell::axis_keys(&cells).len();
    let figures: Vec<[f64; 6]> = cells
        .iter()
        .map(|c| {
            let all = c.tally.all_starts().response;
            let at = |q: f64| all.quantile_ns(q) as f64;
            // The lowest value is the best in every column.
            [-statistics::mean(&c.tps).unwrap_or(0.0), all.mean_ns(), at(0.5), at(0.95), at(0.99), all.max_ns() as f64]
        })
        .collect();
    cells
        .iter()
        .enumerate()
        .map(|(i, c)| {
            let others: Vec<usize> =
                (0..cells.len()).filter(|j| cells[*j].cell == c.cell && !cells[*j].tps.is_empty()).collect();
            let best = |k: usize| {
                others.len() > 1 && others.contains(&i) && others.iter().all(|j| figures[*j][k] >= figures[i][k])
            };
            let mut row = vec![false; axes + 11];
            // The columns after the axes: target, repeats, TPS, ±, mean, p50, p95, p99, max, failed, verdict
            for (k, column) in [2, 4, 5, 6, 7, 8].into_iter().enumerate() {
                row[axes + column] = best(k);
            }
            row
        })
        .collect()
}
