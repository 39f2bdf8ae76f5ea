//! The table of cells for the page and for Markdown: one row per cell and target.

use crate::figures;
use std::collections::BTreeMap;
use tenbin_model::counted::truncated_cell;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::statistics::ALPHA;
use tenbin_model::summary::{Cell, Summary, TrialResult, label};
use tenbin_verdict::answer::{ends, ratio};
use tenbin_verdict::client_groups::{self, GroupResult};
use tenbin_verdict::comparison::{Comparable, RatioInCell, of_pairs, reading};
use tenbin_verdict::counting;
use tenbin_verdict::group_ratios;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::rate;
use tenbin_verdict::seconds_needed;
use tenbin_verdict::tpcc_result;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// A column of the table.
struct TextColumn {
    name: Message,
    cells: Vec<String>,
    /// The figure in it, if it may be the best of its cell.
    figure: Option<Figure>,
}

/// The columns after those of the axes that say anything: none has dashes only.
fn columns(summary: &Summary) -> Vec<TextColumn> {
    let cells = summary.cells();
    let texts =
        |name, of: &dyn Fn(&Cell) -> String| TextColumn { name, cells: cells.iter().map(of).collect(), figure: None };
    // The digits of a column stand below one another.
    let numbers = |name, figure, of: &dyn Fn(&Cell) -> Option<f64>| {
        let values: Vec<f64> = cells.iter().map(|cell| of(cell).unwrap_or(f64::NAN)).collect();
        TextColumn { name, cells: figure::alike(&values), figure }
    };
    let times: BTreeMap<*const Cell, Histogram> =
        cells.iter().map(|c| (std::ptr::from_ref(c), figures::times(summary, c))).collect();
    let ms = |c: &Cell, of: &dyn Fn(&Histogram) -> f64| {
        times.get(&std::ptr::from_ref(c)).filter(|t| t.count() > 0).map(|t| of(t) / 1e6)
    };
    let at = |q: f64| move |t: &Histogram| t.quantile_ns(q) as f64;
    let mut p99 = numbers(foreign("p99"), Some(Figure::Percentile(990)), &|c| ms(c, &at(0.99)));
    let halted = p99.cells.iter_mut().zip(cells).filter(|(_, cell)| cell.standstill.is_some());
    halted.for_each(|(text, _)| *text += " ‡");
    let seconds = |c: &Cell| seconds_needed::of_cell(summary, c);
    let mark = |c: &Cell| if truncated_cell(summary, c) { " ✂" } else { "" };
    let all = [
        texts(msg!("column-target"), &|c| c.target.clone()),
        texts(msg!("column-repeats"), &|c| c.tps.len().to_string()),
        numbers(foreign("NOPM"), Some(Figure::NewOrders), &|c| {
            tpcc_result::result(summary, c).map(|result| result.nopm)
        }),
        numbers(msg!("column-seconds"), Some(Figure::Seconds), &|c| seconds(c).map(|needed| needed.mean)),
        numbers(msg!("column-seconds-least"), None, &|c| seconds(c).map(|needed| needed.low)),
        numbers(msg!("column-seconds-most"), None, &|c| seconds(c).map(|needed| needed.high)),
        numbers(msg!("column-ms-of-statement"), None, &|c| seconds(c).map(|needed| needed.each_ms)),
        numbers(foreign("TPS"), Some(Figure::Transactions), &|c| figures::per_second(summary, c)),
        texts(msg!("column-spread"), &|c| {
            // Of seconds the shortest and the longest stand beside the mean.
            let spread = if seconds(c).is_some() { None } else { counting::spread(summary, c) };
            spread.unwrap_or_else(|| "–".into())
        }),
        numbers(msg!("published-qps"), None, &|c| figures::queries(summary, c)),
        numbers(msg!("column-mean-ms"), Some(Figure::Mean), &|c| ms(c, &Histogram::mean_ns)),
        numbers(foreign("p50"), Some(Figure::Percentile(500)), &|c| ms(c, &at(0.5))),
        numbers(foreign("p95"), Some(Figure::Percentile(950)), &|c| ms(c, &at(0.95))),
        p99,
        numbers(msg!("column-max"), None, &|c| ms(c, &|t| t.max_ns() as f64)),
        texts(msg!("column-failed"), &failed),
        texts(msg!("column-verdict"), &|c| match c.is_begun() {
            true => format!("{}{}", c.verdict.name(), mark(c)),
            false => "–".to_owned(),
        }),
    ];
    // Times of groups together are those of whichever completes most: the shortest ones would be of no group.
    let has_groups = summary.trials.iter().any(|t| !t.trial.load.groups.is_empty());
    let may_be_best = |column: TextColumn| {
        let figure = column.figure.filter(|figure| !(has_groups && figure.is_time()));
        TextColumn { figure, ..column }
    };
    let says = |column: &TextColumn| column.cells.iter().any(|text| text != "–") || column.name == foreign("TPS");
    all.into_iter().filter(says).map(may_be_best).collect()
}

/// The failed transactions of the repeats of a cell; a dash if none of them is in the figures, because 0 would say that none failed.
pub fn failed(cell: &Cell) -> String {
    match cell.trials.as_slice() {
        [] => "–".to_owned(),
        _ => figure::whole(i128::from(cell.tally.accounting.all_failed())),
    }
}

/// The figures of groups of clients that ran together, as text: the names of the columns, and a row for each group, by cell and target; no
/// rows without groups. Times are in milliseconds. If something is compared, the last two columns have ratios to the base.
pub fn group_table(summary: &Summary) -> (Vec<Message>, Vec<Vec<String>>) {
    let ratios = group_ratios::all(summary);
    let of_cell = |cell| client_groups::of_cell(summary, cell).into_iter().map(move |g| (cell, g));
    let all: Vec<(&Cell, GroupResult)> = summary.cells().iter().flat_map(of_cell).collect();
    // The digits of a column stand below one another.
    let column = |of: &dyn Fn(&GroupResult) -> Option<f64>| figure::alike_or_none(all.iter().map(|(_, g)| of(g)));
    let ms = |of: fn(&Histogram) -> f64| {
        column(&|g| {
            let times = &g.figures.all.response;
            (times.count() > 0).then(|| of(times) / 1e6)
        })
    };
    let columns = [
        column(&|g| Some(g.tps)),
        ms(Histogram::mean_ns),
        ms(|times| times.quantile_ns(0.95) as f64),
        ms(|times| times.quantile_ns(0.99) as f64),
    ];
    let row = |(at, (cell, g)): (usize, &(&Cell, GroupResult))| {
        let (figures, whole) = (&g.figures, |n: u64| figure::whole(i128::from(n)));
        let [tps, mean, p95, p99] = columns.each_ref().map(|column| column[at].clone());
        let mut row = vec![
            label(&cell.axes),
            cell.target.clone(),
            g.name.clone(),
            g.rate.map_or_else(|| g.clients.to_string(), |rate| format!("{} ({}/s)", g.clients, figure::grouped(rate))),
            whole(figures.accounting.completed),
            tps,
            mean,
            p95,
            p99,
            whole(figures.accounting.all_failed()),
            whole(figures.errors.values().sum()),
        ];
        if !ratios.is_empty() {
            let own = ratios.get(&(cell.cell, cell.target.clone(), g.name.clone()));
            row.extend([own.and_then(|own| own.tps), own.and_then(|own| own.p99)].map(ratio_text));
        }
        row
    };
    let rows = all.iter().enumerate().map(row).collect();
    let mut head = vec![
        msg!("column-cell"),
        msg!("column-target"),
        msg!("column-group"),
        msg!("column-clients"),
        msg!("column-completed"),
        foreign("TPS"),
        msg!("column-mean-ms"),
        foreign("p95"),
        foreign("p99"),
        msg!("column-failed"),
        msg!("column-errors"),
    ];
    if !ratios.is_empty() {
        head.extend([msg!("column-tps-ratio"), msg!("column-p99-ratio")]);
    }
    (head, rows)
}

/// A ratio with its interval, if that says something: `1.23 (1.10–1.37)`.
pub(crate) fn ratio_text(of: Option<RatioInCell>) -> String {
    let Some(of) = of else { return "–".to_owned() };
    match of.interval() {
        Some(i) => format!("{} ({})", ratio(of.ratio), ends(i.low, i.high).join("–")),
        None => ratio(of.ratio),
    }
}

/// The names of the columns.
pub fn head(summary: &Summary) -> Vec<Message> {
    let names = columns(summary).into_iter().map(|column| column.name);
    Cell::axis_keys(summary.cells()).into_iter().map(foreign).chain(names).collect()
}

/// The rows of the table, as text. Times are in milliseconds.
pub fn cells(summary: &Summary) -> Vec<Vec<String>> {
    let (cells, columns) = (summary.cells(), columns(summary));
    let keys = Cell::axis_keys(cells);
    let row = |(at, cell): (usize, &Cell)| {
        let axes = keys.iter().map(|key| cell.axis_value(key).to_owned());
        axes.chain(columns.iter().map(|column| column.cells[at].clone())).collect()
    };
    cells.iter().enumerate().map(row).collect()
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
    let columns: Vec<Option<Figure>> = columns(summary).into_iter().map(|column| column.figure).collect();
    let mut rows = vec![vec![false; axes + columns.len()]; cells.len()];
    for rivals in of_cell.values().filter(|rivals| rivals.len() > 1) {
        let times: Vec<Histogram> = rivals.iter().map(|i| figures::times(summary, &cells[*i])).collect();
        // Times of a rate that was not held are those of fewer starts, or of a queue.
        let are_behind = rivals.iter().any(|i| rate::is_behind(summary, &cells[*i]));
        let may_be_best = |figure: &Figure| !(figure.is_time() && are_behind);
        for (column, figure) in columns.iter().enumerate().filter_map(|(at, figure)| Some((at, (*figure)?))) {
            if !may_be_best(&figure) {
                continue;
            }
            let value = |at: usize| match figure {
                Figure::Transactions => -figures::per_second(summary, &cells[rivals[at]]).unwrap_or_default(),
                Figure::Seconds => figures::value(summary, &cells[rivals[at]], figure).unwrap_or(f64::MAX),
                Figure::NewOrders => {
                    -tpcc_result::result(summary, &cells[rivals[at]]).map_or(0.0, |result| result.nopm)
                }
                _ => figure.of_times(&times[at]),
            };
            let Some(first) = (0..rivals.len()).min_by(|x, y| value(*x).total_cmp(&value(*y))) else { continue };
            let share = rivals.iter().map(|i| cells[*i].share).fold(1.0, f64::min);
            let alpha = share * ALPHA / (rivals.len() - 1) as f64;
            let is_worse = |other: &usize| {
                let reading = reading(of_pairs(figure, &pairs(&trials, &cells[rivals[first]], &cells[*other]), alpha));
                reading == if figure.is_time() { Comparable::Higher } else { Comparable::Lower }
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
