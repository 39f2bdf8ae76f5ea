//! What an experiment asks of its targets, which decides the figure that is compared and the sentence that answers.

use crate::counted;
use crate::figures::Figure;
use crate::summary::TrialResult;
use crate::tpcc;
use crate::trial::{Load, Schedule};

/// What is asked of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// How much a closed loop of clients completes.
    Throughput,
    /// How long transactions take, and whether the rate that was asked is held.
    Rate,
    /// New-Orders per minute of TPC-C.
    NewOrders,
    /// How long New-Orders of TPC-C take at a rate, and whether that is held: how many there are is what was asked for.
    NewOrdersAtRate,
    /// How long a number of statements takes, as mysqlslap asks.
    Seconds,
    /// The highest rate, or number of clients, at which an objective holds.
    Limit,
}

impl Question {
    /// What the trial asks.
    pub fn of(trial: &TrialResult) -> Question {
        Question::of_load(&trial.trial.load, trial.trial.search.is_some())
    }

    /// What a load asks. `searches`: it is of a search for a limit.
    pub fn of_load(load: &Load, searches: bool) -> Question {
        let is_tpcc = tpcc::has_new_orders(load);
        match load.schedule {
            _ if searches => Question::Limit,
            Schedule::Open { .. } if is_tpcc => Question::NewOrdersAtRate,
            Schedule::Open { .. } => Question::Rate,
            Schedule::Closed if is_tpcc => Question::NewOrders,
            Schedule::Closed if load.workload == "slap" && counted::expected(load).is_some() => Question::Seconds,
            Schedule::Closed => Question::Throughput,
        }
    }

    /// The figure that answers it.
    pub fn figure(self) -> Figure {
        match self {
            Question::Throughput | Question::Limit => Figure::Transactions,
            Question::Rate | Question::NewOrdersAtRate => Figure::Percentile(990),
            Question::NewOrders => Figure::NewOrders,
            Question::Seconds => Figure::Seconds,
        }
    }

    /// Whether it is asked of starts that fall due at a rate, which has to be held for their times to say anything.
    pub fn is_at_rate(self) -> bool {
        matches!(self, Question::Rate | Question::NewOrdersAtRate)
    }

    /// Whether trials that ask it have a figure: New-Orders per minute and seconds only those that ask for them, all others every one.
    pub fn has(self, figure: Figure) -> bool {
        match figure {
            Figure::NewOrders => matches!(self, Question::NewOrders | Question::NewOrdersAtRate),
            Figure::Seconds => self == Question::Seconds,
            Figure::Transactions | Figure::Queries | Figure::Mean | Figure::Percentile(_) => true,
        }
    }
}
