//! The figures that answer what an experiment asks.

use crate::seconds_needed;
use crate::tpcc_result;
use tenbin_model::counted;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::statistics;
use tenbin_model::summary::TrialResult;
use tenbin_model::tally::Tally;
use tenbin_model::tpcc::{self, TransactionType};

/// The response times of a trial that are compared and judged: of TPC-C those of New-Orders.
pub fn times(trial: &TrialResult) -> Histogram {
    times_in(&trial.tally, is_of_orders(trial))
}

/// The same in what was counted of such a trial, or of several.
pub fn times_in(tally: &Tally, is_of_orders: bool) -> Histogram {
    match is_of_orders {
        true => {
            tally.transactions.get(TransactionType::NewOrder.name()).map(|t| t.response.clone()).unwrap_or_default()
        }
        false => tally.all_starts().response,
    }
}

/// Whether these are the times of New-Orders: of TPC-C, unless its mix has none.
pub fn is_of_orders(trial: &TrialResult) -> bool {
    trial.trial.load.workload == tpcc::WORKLOAD && tpcc::option(&trial.trial, "new_order") != "0"
}

/// Those of these repeats together; `None` if there are none.
pub(crate) fn times_of(trials: &[&TrialResult]) -> Option<Histogram> {
    let mut all = Histogram::new();
    trials.iter().for_each(|t| all.merge(&times(t)));
    Some(all).filter(|all| all.count() > 0)
}

/// The figure of these repeats of a cell together, as tables and the answer have it, times in nanoseconds: times are of their merged histograms, the
/// throughput of a load that asks for seconds is of the time of all, and everything else is the mean of the repeats.
pub(crate) fn of_repeats(figure: Figure, trials: &[&TrialResult]) -> Option<f64> {
    let mean = |of: &dyn Fn(&TrialResult) -> Option<f64>| {
        statistics::mean(&trials.iter().map(|t| of(t)).collect::<Option<Vec<f64>>>()?)
    };
    match (figure, seconds_needed::of_trials(trials)) {
        (Figure::Mean | Figure::Percentile(_), _) => times_of(trials).map(|all| figure.of_times(&all)),
        (Figure::Transactions, Some(needed)) => Some(needed.per_second()),
        (Figure::Queries, Some(needed)) => {
            let executed = mean(&|t| Some(t.qps() * t.measured_ns() as f64 / 1e9))?;
            (needed.mean > 0.0).then(|| executed / needed.mean)
        }
        _ => mean(&|t| of_run(figure, t)),
    }
}

/// The figure of a run, if a run has it by itself; times are of all runs together.
pub(crate) fn of_run(figure: Figure, trial: &TrialResult) -> Option<f64> {
    match figure {
        Figure::Transactions => Some(trial.tps()),
        Figure::Queries => Some(trial.qps()),
        Figure::NewOrders => Some(tpcc_result::new_orders_per_minute(trial).unwrap_or_default()),
        // What time cut off, or whose clients left, would have needed longer.
        Figure::Seconds => (!counted::is_short(trial)).then(|| trial.measured_ns() as f64 / 1e9),
        Figure::Mean | Figure::Percentile(_) => None,
    }
}

/// The figure of a single run, times in nanoseconds; `None` if it has none.
pub fn of_one_run(figure: Figure, trial: &TrialResult) -> Option<f64> {
    match figure {
        Figure::Mean | Figure::Percentile(_) => times_of(&[trial]).map(|times| figure.of_times(&times)),
        _ => of_run(figure, trial),
    }
}
