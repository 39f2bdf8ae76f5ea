//! The figures that answer what an experiment asks.

use crate::seconds_needed;
use crate::tpcc_result;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::question::Question;
use tenbin_model::statistics;
use tenbin_model::summary::TrialResult;
use tenbin_model::tpcc::TransactionType;

/// The response times of a trial that are compared: of TPC-C those of New-Orders.
pub fn times(trial: &TrialResult) -> Histogram {
    let of_orders = || trial.tally.transactions.get(TransactionType::NewOrder.name()).map(|t| t.response.clone());
    match Question::of(trial) {
        Question::NewOrders => of_orders().unwrap_or_default(),
        _ => trial.tally.all_starts().response,
    }
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
            let executed = mean(&|t| Some(t.qps() * of_run(Figure::Seconds, t)?))?;
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
        Figure::Seconds => Some(trial.measured_ns() as f64 / 1e9),
        Figure::Mean | Figure::Percentile(_) => None,
    }
}

/// The figure of a single run, times in nanoseconds; `None` if nothing completed.
pub fn of_one_run(figure: Figure, trial: &TrialResult) -> Option<f64> {
    of_run(figure, trial).or_else(|| times_of(&[trial]).map(|times| figure.of_times(&times)))
}
