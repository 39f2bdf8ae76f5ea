//! What an experiment asks of its targets, which decides the figure that is compared and the sentence that answers.

use crate::counted;
use crate::histogram::Histogram;
use crate::summary::TrialResult;
use crate::tpcc;
use crate::trial::Schedule;

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

/// A figure in which targets are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Completed transactions per second.
    Transactions,
    /// Completed New-Orders per minute.
    NewOrders,
    /// Seconds until the last statement of the load was answered.
    Seconds,
    /// Mean response time.
    Mean,
    /// A percentile of the response time, in thousandths: 990 for the 99th.
    Percentile(u16),
}

/// The figures of response times that are compared.
pub const TIMES: [Figure; 3] = [Figure::Mean, Figure::Percentile(950), Figure::Percentile(990)];

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

impl Figure {
    /// Whether a lower value is the better one.
    pub fn is_time(self) -> bool {
        !matches!(self, Figure::Transactions | Figure::NewOrders)
    }

    /// The figure of this name: `tps`, `nopm`, `seconds`, `mean`, `p50` to `p99.9`.
    pub fn parse(name: &str) -> Option<Figure> {
        Some(match name {
            "tps" => Figure::Transactions,
            "nopm" | "new_orders_per_minute" => Figure::NewOrders,
            "seconds" => Figure::Seconds,
            "mean" => Figure::Mean,
            percentile => {
                let percent: f64 = percentile.strip_prefix('p')?.parse().ok()?;
                (50.0..=99.9).contains(&percent).then(|| Figure::Percentile((percent * 10.0).round() as u16))?
            }
        })
    }

    /// Its name in plans, as [`Figure::parse`] reads it.
    pub fn name(self) -> String {
        match self {
            Figure::NewOrders => "nopm".to_owned(),
            Figure::Percentile(thousandths) => format!("p{}", f64::from(thousandths) / 10.0),
            other => other.code(),
        }
    }

    /// Its name in JSON.
    pub fn code(self) -> String {
        match self {
            Figure::Transactions => "tps".to_owned(),
            Figure::NewOrders => "new_orders_per_minute".to_owned(),
            Figure::Seconds => "seconds".to_owned(),
            Figure::Mean => "mean".to_owned(),
            Figure::Percentile(thousandths) if thousandths % 10 == 0 => format!("p{}", thousandths / 10),
            Figure::Percentile(thousandths) => format!("p{thousandths}"),
        }
    }

    /// The figure of a run, if a run has it by itself; times are of all runs together.
    pub(crate) fn of_run(self, trial: &TrialResult) -> Option<f64> {
        match self {
            Figure::Transactions => Some(trial.tps()),
            Figure::NewOrders => Some(tpcc::new_orders_per_minute(trial).unwrap_or_default()),
            Figure::Seconds => Some(trial.measured_ns() as f64 / 1e9),
            Figure::Mean | Figure::Percentile(_) => None,
        }
    }

    /// The figure of a single run, times in nanoseconds; `None` if nothing completed.
    pub fn of_one_run(self, trial: &TrialResult) -> Option<f64> {
        let times = || trial.tally.all_starts().response;
        self.of_run(trial).or_else(|| Some(times()).filter(|t| t.count() > 0).map(|t| self.of_times(&t)))
    }

    /// The figure of response times.
    pub fn of_times(self, times: &Histogram) -> f64 {
        match self {
            Figure::Percentile(thousandths) => times.quantile_ns(f64::from(thousandths) / 1000.0) as f64,
            _ => times.mean_ns(),
        }
    }
}
