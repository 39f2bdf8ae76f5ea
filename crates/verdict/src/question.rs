//! What an experiment asks of its targets, which decides the figure that is compared and the sentence that answers.

use crate::tpcc_result;
use tenbin_model::counted;
use tenbin_model::summary::TrialResult;
use tenbin_model::tpcc;
use tenbin_model::trial::Schedule;

use tenbin_model::figures::Figure;

/// What is asked of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// How much a closed loop of clients completes.
    Throughput,
    /// How long transactions take, and whether the rate that was asked is held.
    Rate,
    /// New-Orders per minute of TPC-C.
    NewOrders,
    /// How long a number of statements takes, as mysqlslap asks.
    Seconds,
    /// The highest rate, or number of clients, at which an objective holds.
    Limit,
}

impl Question {
    /// What the trial asks.
    pub fn of(trial: &TrialResult) -> Question {
        let load = &trial.trial.load;
        match load.schedule {
            _ if trial.trial.search.is_some() => Question::Limit,
            _ if load.workload == tpcc::WORKLOAD => Question::NewOrders,
            Schedule::Open { .. } => Question::Rate,
            Schedule::Closed if load.workload == "slap" && counted::expected(load).is_some() => Question::Seconds,
            Schedule::Closed => Question::Throughput,
        }
    }

    /// The figure that answers it.
    pub fn figure(self) -> Figure {
        match self {
            Question::Throughput | Question::Limit => Figure::Transactions,
            Question::Rate => Figure::Percentile(990),
            Question::NewOrders => Figure::NewOrders,
            Question::Seconds => Figure::Seconds,
        }
    }
}

/// The figure of a run, if a run has it by itself; times are of all runs together.
pub(crate) fn of_run(figure: Figure, trial: &TrialResult) -> Option<f64> {
    match figure {
        Figure::Transactions => Some(trial.tps()),
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
