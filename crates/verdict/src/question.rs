//! The figures that answer what an experiment asks.

use crate::seconds_needed;
use crate::tpcc_result;
use tenbin_model::counted;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::statistics;
use tenbin_model::summary::TrialResult;
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::tpcc::{self, TransactionType};
use tenbin_model::trial::Load;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The response times of a trial that are compared and judged: of TPC-C those of New-Orders.
pub fn times(trial: &TrialResult) -> Histogram {
    transactions(trial).response
}

/// The transactions whose times these are.
pub fn transactions(trial: &TrialResult) -> TransactionTally {
    TimesOf::trial(trial).in_tally(&trial.tally)
}

/// Whose response times are those of a trial: in its row of every table, in its charts, on the card and in the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimesOf {
    /// Of all transactions, which are of one kind, or of kinds that nothing sets apart.
    All,
    /// Of the New-Orders of TPC-C.
    NewOrders,
    /// Of all groups of clients together, and mostly of the one that completes most.
    AllGroups,
}

impl TimesOf {
    /// Those of a trial.
    pub fn trial(trial: &TrialResult) -> TimesOf {
        TimesOf::load(&trial.trial.load)
    }

    /// Those of a trial of this load, which may still run.
    pub fn load(load: &Load) -> TimesOf {
        match load {
            load if tpcc::has_new_orders(load) => TimesOf::NewOrders,
            load if !load.groups.is_empty() => TimesOf::AllGroups,
            _ => TimesOf::All,
        }
    }

    /// Its name in exports.
    pub fn code(self) -> &'static str {
        match self {
            TimesOf::All => "all",
            TimesOf::NewOrders => "new_orders",
            TimesOf::AllGroups => "all_groups",
        }
    }

    /// As it stands beside a figure; `None`: nothing needs to be said.
    pub fn words(self) -> Option<Message> {
        match self {
            TimesOf::All => None,
            TimesOf::NewOrders => Some(msg!("subset-new-orders")),
            TimesOf::AllGroups => Some(msg!("times-of-all-groups")),
        }
    }

    /// The transactions whose times these are, in what was counted of such a trial, or of several.
    pub fn in_tally(self, tally: &Tally) -> TransactionTally {
        match self {
            TimesOf::NewOrders => tpcc_result::starts_of(tally, TransactionType::NewOrder),
            TimesOf::All | TimesOf::AllGroups => tally.all_starts(),
        }
    }
}

/// The transactions that a trial completed of which its throughput is made, and the clients that completed them. Where some groups of its clients have a
/// rate, which gives what they complete, those of the other groups.
pub fn completed(trial: &TrialResult) -> (u64, u32) {
    match trial.trial.load.groups_without_rate() {
        None => (trial.throughput(), trial.trial.load.clients),
        Some(groups) => {
            let completed = groups.iter().map(|group| trial.throughput_of_group(&group.name)).sum();
            (completed, groups.iter().map(|group| group.clients).sum())
        }
    }
}

/// The same per second: the throughput that is compared, and that stands in every table and chart of trials and cells.
pub fn tps(trial: &TrialResult) -> f64 {
    per_second(trial, completed(trial).0)
}

/// Statements per second, of the same clients.
pub fn qps(trial: &TrialResult) -> f64 {
    match trial.trial.load.groups_without_rate() {
        None => trial.qps(),
        Some(groups) => per_second(trial, groups.iter().map(|group| trial.statements_of_group(&group.name)).sum()),
    }
}

fn per_second(trial: &TrialResult, n: u64) -> f64 {
    match trial.counted_ns() {
        0 => 0.0,
        ns => n as f64 / (ns as f64 / 1e9),
    }
}

/// The throughput of an interval of a trial that runs, of the same transactions as that of the whole trial: New-Orders per minute, or else transactions
/// per second.
pub fn of_interval(figure: Figure, load: &Load, tally: &Tally, ns: u64) -> f64 {
    let (completed, unit_ns) = match (figure, load.groups_without_rate()) {
        (Figure::NewOrders, _) => {
            let orders = tally.transactions.get(TransactionType::NewOrder.name());
            (orders.map_or(0, |t| t.completed.saturating_add(t.carried)), 60e9)
        }
        (_, None) => (tally.accounting.all_completed(), 1e9),
        (_, Some(groups)) => {
            let of = groups.iter().filter_map(|group| tally.groups.get(&group.name));
            (of.map(|group| group.accounting.all_completed()).sum(), 1e9)
        }
    };
    if ns == 0 { 0.0 } else { completed as f64 * unit_ns / ns as f64 }
}

/// Of which of its clients the throughput of a trial is, beside it; `None`: of all.
pub fn throughput_of(load: &Load) -> Option<Message> {
    load.groups_without_rate().map(|_| msg!("subset-without-rate"))
}

/// Of which of its clients the throughput of a trial is, as exports have it.
pub fn tps_of(trial: &TrialResult) -> &'static str {
    if trial.trial.load.groups_without_rate().is_some() { "groups_without_rate" } else { "all" }
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
            let executed = mean(&|t| Some(qps(t) * t.measured_ns() as f64 / 1e9))?;
            (needed.mean > 0.0).then(|| executed / needed.mean)
        }
        _ => mean(&|t| of_run(figure, t)),
    }
}

/// The figure of a run, if a run has it by itself; times are of all runs together.
pub(crate) fn of_run(figure: Figure, trial: &TrialResult) -> Option<f64> {
    match figure {
        Figure::Transactions => Some(tps(trial)),
        Figure::Queries => Some(qps(trial)),
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
