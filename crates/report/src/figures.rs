//! The figures in which cells and targets are compared, as the page's card and the terminal show them.

use std::borrow::Cow;
use tenbin_model::axis::TARGET;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_verdict::comparison::{CellRatio, Comparison};
use tenbin_verdict::contender;
use tenbin_verdict::judged::{self, Judged};
use tenbin_verdict::question;
use tenbin_verdict::seconds_needed;
use tenbin_verdict::tpcc_result;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The response times of a cell that are compared: of TPC-C those of New-Orders.
pub fn times(summary: &Summary, cell: &Cell) -> Histogram {
    question::times_in(&cell.tally, is_of_orders(summary, cell))
}

/// Whether these are the times of New-Orders.
fn is_of_orders(summary: &Summary, cell: &Cell) -> bool {
    first_trial(summary, cell).is_some_and(question::is_of_orders)
}

/// A figure of a cell; times in milliseconds.
pub fn value(summary: &Summary, cell: &Cell, figure: Figure) -> Option<f64> {
    match figure {
        Figure::Transactions => transactions(summary, cell),
        Figure::Queries => queries(summary, cell),
        Figure::NewOrders => tpcc_result::result(summary, cell).map(|result| result.nopm),
        Figure::Seconds => seconds_needed::of_cell(summary, cell).map(|needed| needed.mean),
        Figure::Mean | Figure::Percentile(_) => {
            Some(times(summary, cell)).filter(|t| t.count() > 0).map(|t| figure.of_times(&t) / 1e6)
        }
    }
}

/// Transactions per second of a cell: the mean of its repeats, but of those that ask for seconds their statements over these.
pub fn transactions(summary: &Summary, cell: &Cell) -> Option<f64> {
    let needed = seconds_needed::of_cell(summary, cell);
    needed.map_or_else(|| statistics::mean(&cell.tps), |needed| Some(needed.per_second()))
}

/// Statements per second of a cell, likewise; `None` if none were counted.
pub fn queries(summary: &Summary, cell: &Cell) -> Option<f64> {
    let Some(needed) = seconds_needed::of_cell(summary, cell) else { return cell.mean_qps() };
    let each = cell.tally.executed() as f64 / cell.tally.accounting.completed.max(1) as f64;
    Some(needed.per_second() * each).filter(|qps| *qps > 0.0)
}

/// A figure of both sides of a ratio, base first: of the trials of its pairs, which may be fewer than those of the cell.
pub fn of_pairs(summary: &Summary, r: &CellRatio, figure: Figure) -> Option<[f64; 2]> {
    let [a, b] = sides(summary, r)?;
    Some([value(summary, &a, figure)?, value(summary, &b, figure)?])
}

/// The trials of both sides of a ratio as cells.
fn sides<'s>(summary: &'s Summary, r: &CellRatio) -> Option<[Cow<'s, Cell>; 2]> {
    let side = |numbers: &Vec<u32>| match summary.cells().iter().find(|cell| cell.trials == *numbers) {
        Some(cell) => Some(Cow::Borrowed(cell)),
        None => judged::of_trials(summary, numbers).map(Cow::Owned),
    };
    let [a, b] = &r.trials;
    Some([side(a)?, side(b)?])
}

/// The ratio of statements per second over all cells of a comparison, from the same pairs; with those of both, base first, if there is one cell.
/// Where each transaction has as many statements it is that of transactions. `None` if they are not counted, and where one ratio would
/// describe no cell.
pub fn queries_of_pairs(summary: &Summary, c: &Comparison) -> Option<(f64, Option<[f64; 2]>)> {
    let of_cell = |r: &CellRatio| {
        let [a, b] = sides(summary, r)?;
        let queries = b.log_qps()? - a.log_qps()?;
        Some(match c.figure {
            Figure::Transactions => r.ratio.ln() + queries - (b.log_tps()? - a.log_tps()?),
            _ => queries,
        })
    };
    let logs: Vec<f64> = c.cells.iter().map(of_cell).collect::<Option<_>>()?;
    let both = match c.cells.as_slice() {
        [only] => Some(of_pairs(summary, only, Figure::Queries)?),
        _ => None,
    };
    (!is_by_cell(c)).then_some((statistics::mean(&logs)?.exp(), both))
}

/// Whether one ratio would describe no cell, or nothing says whether it does.
pub fn is_by_cell(c: &Comparison) -> bool {
    c.cells_differ == Some(true) || (c.confidence.is_none() && c.cells.len() > 1)
}

/// Whether a cell is of this one of what is compared: a target, a value of an axis, or a stored run.
pub fn is_of(summary: &Summary, cell: &Cell, named: &str) -> bool {
    first_trial(summary, cell).is_some_and(|t| contender::name(t) == named)
}

/// Whether a cell is among those that are compared at these values of the matrix.
pub fn is_at(summary: &Summary, cell: &Cell, axes: &[(String, String)]) -> bool {
    let is_target = |(key, _): &&(String, String)| key == TARGET;
    first_trial(summary, cell).is_some_and(|t| match contender::shared(t) {
        None => cell.axes == axes,
        Some((target, rest)) => {
            let of_target = axes.iter().find(is_target).is_none_or(|(_, name)| name == target);
            of_target && axes.iter().filter(|axis| !is_target(axis)).eq(rest.iter())
        }
    })
}

fn first_trial<'s>(summary: &'s Summary, cell: &Cell) -> Option<&'s TrialResult> {
    let number = cell.trials.first().or(cell.left_out.first())?;
    summary.trial(*number)
}

/// What a figure of these cells is, or a ratio of it: response times of TPC-C are those of New-Orders ([`times`]), those of clients in groups of all
/// groups together.
pub fn named(summary: &Summary, cells: &[&Cell], figure: Figure) -> Message {
    let are_of_orders = || cells.iter().any(|cell| is_of_orders(summary, cell));
    let are_of_groups = || {
        let mut all = cells.iter().filter_map(|cell| first_trial(summary, cell));
        all.any(|t| !t.trial.load.groups.is_empty())
    };
    match figure {
        Figure::Transactions => msg!("card-transactions"),
        Figure::Queries => msg!("card-queries"),
        Figure::NewOrders => msg!("card-new-orders"),
        Figure::Seconds => msg!("card-seconds"),
        Figure::Mean if are_of_orders() => msg!("card-mean-of-new-orders"),
        Figure::Mean if are_of_groups() => msg!("card-mean-of-groups"),
        Figure::Mean => msg!("card-mean"),
        Figure::Percentile(_) if are_of_orders() => msg!("card-percentile-of-new-orders", percentile = figure.code()),
        Figure::Percentile(_) if are_of_groups() => msg!("card-percentile-of-groups", percentile = figure.code()),
        Figure::Percentile(_) => msg!("card-percentile", percentile = figure.code()),
    }
}
