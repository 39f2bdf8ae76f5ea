//! The figures in which cells and targets are compared, as the page's card and the terminal show them.

use tenbin_model::axis::TARGET;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::tpcc::TransactionType;
use tenbin_verdict::contender;
use tenbin_verdict::seconds_needed;
use tenbin_verdict::tpcc_result;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The response times of a cell that are compared: of TPC-C those of New-Orders.
pub fn times(cell: &Cell) -> Histogram {
    let orders = cell.tally.transactions.get(TransactionType::NewOrder.name()).map(|t| t.response.clone());
    orders.unwrap_or_else(|| cell.tally.all_starts().response)
}

/// A figure of a cell; times in milliseconds.
pub fn value(summary: &Summary, cell: &Cell, figure: Figure) -> Option<f64> {
    match figure {
        Figure::Transactions => transactions(summary, cell),
        Figure::Queries => queries(summary, cell),
        Figure::NewOrders => tpcc_result::result(summary, cell).map(|result| result.nopm),
        Figure::Seconds => seconds_needed::of_cell(summary, cell).map(|needed| needed.mean),
        Figure::Mean | Figure::Percentile(_) => {
            Some(times(cell)).filter(|t| t.count() > 0).map(|t| figure.of_times(&t) / 1e6)
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

/// The unit of a figure, as in the headings of columns.
pub fn unit(figure: Figure) -> &'static str {
    match figure {
        Figure::Transactions => "TPS",
        Figure::Queries => "QPS",
        Figure::NewOrders => "NOPM",
        Figure::Seconds => "s",
        Figure::Mean | Figure::Percentile(_) => "ms",
    }
}

/// What a figure of these cells is, or a ratio of it: response times of TPC-C are those of New-Orders ([`times`]).
pub fn named(cells: &[&Cell], figure: Figure) -> Message {
    let are_of_orders = || cells.iter().any(|c| c.tally.transactions.contains_key(TransactionType::NewOrder.name()));
    match figure {
        Figure::Transactions => msg!("card-transactions"),
        Figure::Queries => msg!("card-queries"),
        Figure::NewOrders => msg!("card-new-orders"),
        Figure::Seconds => msg!("card-seconds"),
        Figure::Mean if are_of_orders() => msg!("card-mean-of-new-orders"),
        Figure::Mean => msg!("card-mean"),
        Figure::Percentile(_) if are_of_orders() => msg!("card-percentile-of-new-orders", percentile = figure.code()),
        Figure::Percentile(_) => msg!("card-percentile", percentile = figure.code()),
    }
}
