//! The figures that answer what an experiment asks.

use crate::tpcc_result;
use tenbin_model::figures::Figure;
use tenbin_model::summary::TrialResult;

/// The figure of a run, if a run has it by itself; times are of all runs together.
pub(crate) fn of_run(figure: Figure, trial: &TrialResult) -> Option<f64> {
    match figure {
        Figure::Transactions => Some(trial.tps()),
        Figure::Queries => Some(trial.qps()),
        Figure::NewOrders => Some(tpcc_result::new_orders_per_minute(trial).unwrap_or_default()),
        Figure::Seconds => Some(trial.measured_ns() as f64 / 1e9),
        Figure::Mean | Figure::Percentile(_) => None,
    }
}

/// The figure of a single run, times in nanoseconds; `None` if nothing completed.
pub fn of_one_run(figure: Figure, trial: &TrialResult) -> Option<f64> {
    let times = || trial.tally.all_starts().response;
    of_run(figure, trial).or_else(|| Some(times()).filter(|t| t.count() > 0).map(|t| figure.of_times(&t)))
}
