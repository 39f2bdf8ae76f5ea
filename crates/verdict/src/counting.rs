//! How uncertain a count of transactions is by the edges of its window alone.
//!
//! Of small counts, three pairs of runs may be the same by chance: what they differ by is then 0, and the interval of their ratio would have no width. And
//! clients that begin and end together cross an edge together, in every repeat at the same place: of that error more repeats take nothing away.

use crate::question;
use crate::tpcc_result;
use tenbin_model::counted;
use tenbin_model::figures::Figure;
use tenbin_model::repeats;
use tenbin_model::statistics::{self, Confidence, LogRatio};
use tenbin_model::summary::{Cell, Summary, TrialResult};

/// The variance of the logarithm of the number of transactions that these clients completed in a window. Of each client the part of a transaction that
/// lies across an edge is left to chance: evenly from none to all, at both edges, with a variance of 1/6 of a transaction together, even if all last the
/// same. In windows shorter than transactions, a client completes one or none, and the variance is no more than the number.
fn variance(transactions: f64, clients: u32) -> f64 {
    (1.0 / transactions).min(f64::from(clients.max(1)) / 6.0 / transactions.powi(2))
}

/// The time of the transactions that ended in the window of a closed loop, over the time that its clients were in transactions in it. It is 1 if as much of
/// them lies before the window as behind it; else throughput is too high or too low by about as much. `None` where time does not end the window, or that
/// was not counted.
pub(crate) fn edges(t: &TrialResult) -> Option<f64> {
    let by_time = t.trial.load.is_closed() && counted::expected(&t.trial.load).is_none() && !t.on_host();
    let busy_ns = t.in_progress().filter(|_| by_time)? * t.counted_ns() as f64;
    let ended_ns: f64 = t.tally.transactions.values().map(|of| of.response.sum_ns() + of.failed_service.sum_ns()).sum();
    (busy_ns > 0.0).then(|| ended_ns / busy_ns)
}

/// The time of the transactions that ended in the window may differ by this share from the time that clients were in transactions in it:
/// by about as much throughput is too high or too low.
const EDGES: f64 = 0.05;

/// [`edges`] where they are off by so much that it is a doubt.
pub(crate) fn doubtful_edges(t: &TrialResult) -> Option<f64> {
    edges(t).filter(|ended| (ended - 1.0).abs() > EDGES)
}

/// The longest transaction of a trial, nanoseconds: one that ended in the window, or that had not ended when the load did.
pub(crate) fn longest_ns(t: &TrialResult) -> u64 {
    let all = t.tally.all_transactions();
    all.response.max_ns().max(all.failed_service.max_ns()).max(t.oldest_open_ns.unwrap_or(0))
}

/// The standard error of which 95 % intervals contain an error of this size, however many repeats there are.
fn error_of(logs: &[f64]) -> f64 {
    statistics::mean(logs).filter(|mean| mean.is_finite()).map_or(0.0, |mean| mean.abs() / 1.96)
}

/// The ratio of throughput with a standard error of at least that of these pairs of numbers: `of` are those of a trial and its clients. Of the thousands of
/// transactions that most trials have, runs differ by much more.
pub(crate) fn at_least(
    ratio: LogRatio,
    pairs: &[(&TrialResult, &TrialResult)],
    of: &dyn Fn(&TrialResult) -> (f64, u32),
) -> LogRatio {
    let sum: f64 = pairs.iter().map(|(a, b)| one(of(a)) + one(of(b))).sum();
    let by_chance = sum.sqrt() / pairs.len().max(1) as f64;
    let logs: Vec<f64> = pairs.iter().filter_map(|(a, b)| Some((edges(b)? / edges(a)?).ln())).collect();
    ratio.with_least_error(by_chance.max(error_of(&logs)))
}

fn one((transactions, clients): (f64, u32)) -> f64 {
    if transactions > 0.0 { variance(transactions, clients) } else { 0.0 }
}

/// The same for a figure of whole trials: of one that is no throughput nothing is changed.
pub(crate) fn of_trials(figure: Figure, ratio: LogRatio, pairs: &[(&TrialResult, &TrialResult)]) -> LogRatio {
    match numbers(figure) {
        Some(of) => at_least(ratio, pairs, &of),
        None => ratio,
    }
}

/// How much the throughput of the repeats of a cell differs ([`repeats::spread`]).
pub fn spread(summary: &Summary, cell: &Cell) -> Option<String> {
    spread_of(summary, cell, Figure::Transactions).map(|(spread, _)| spread)
}

/// Its interval ([`repeats::interval`]).
pub fn interval(summary: &Summary, cell: &Cell) -> Option<Confidence> {
    repeats::interval(&cell.tps, of_cell(summary, cell, Figure::Transactions), cell.share)
}

/// The same of a figure that is made of a number of transactions, and whether it is an interval; `None` of one repeat, and of other figures.
pub fn spread_of(summary: &Summary, cell: &Cell, figure: Figure) -> Option<(String, bool)> {
    numbers(figure)?;
    let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| summary.trial(*number)).collect();
    let values: Vec<f64> = trials.iter().filter_map(|t| question::of_run(figure, t)).collect();
    let least = of_repeats(figure, &trials);
    let is_interval = repeats::interval(&values, least, cell.share).is_some();
    Some((repeats::spread(&values, least, cell.share)?, is_interval))
}

/// The least standard error of the mean of the repeats of a cell, as a share of it.
pub fn of_cell(summary: &Summary, cell: &Cell, figure: Figure) -> f64 {
    let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| summary.trial(*number)).collect();
    of_repeats(figure, &trials)
}

/// The same of these trials of one cell and target.
pub(crate) fn of_repeats(figure: Figure, trials: &[&TrialResult]) -> f64 {
    let Some(of) = numbers(figure) else { return 0.0 };
    let by_chance = trials.iter().map(|t| one(of(t))).sum::<f64>().sqrt() / trials.len().max(1) as f64;
    let logs: Vec<f64> = trials.iter().filter_map(|t| Some(edges(t)?.ln())).collect();
    by_chance.max(error_of(&logs))
}

/// A number of transactions of a trial, and the clients that completed them.
type Completed = fn(&TrialResult) -> (f64, u32);

/// The transactions of a trial of which this figure is made; `None` of a figure that is no throughput.
fn numbers(figure: Figure) -> Option<Completed> {
    match figure {
        // Of statements, too: they lie across an edge with their transaction.
        Figure::Transactions | Figure::Queries => Some(|t| {
            let (completed, clients) = question::completed(t);
            (completed as f64, clients)
        }),
        Figure::NewOrders => Some(|t| (tpcc_result::new_orders(t) as f64, t.trial.load.clients)),
        Figure::Seconds | Figure::Mean | Figure::Percentile(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::random::SplitMix;
    use tenbin_model::statistics::{deviation, mean};

    /// Clients whose transactions all last the same, and begin at random times.
    #[test]
    fn the_variance_is_that_of_simulated_windows() {
        let mut random = SplitMix(11);
        for (clients, length) in [(1, 2.5), (4, 3.3), (8, 10.5), (64, 20.5)] {
            let mut window = || (0..clients).map(|_| (length + random.uniform()).floor()).sum::<f64>();
            let logs: Vec<f64> = (0..20_000).map(|_| window().ln()).collect();
            let expected = variance(f64::from(clients) * length, clients).sqrt();
            let measured = deviation(&logs).expect("a deviation");
            assert!(
                (0.7..=1.3).contains(&(measured / expected)),
                "{clients} clients, {length}: {measured} for {expected}"
            );
            assert!(mean(&logs).is_some());
        }
        // Each completes one or none.
        assert_eq!(variance(2.0, 64), 0.5);
        assert!(variance(200_000.0, 64).sqrt() < 2e-5);
    }
}
