//! The result of a run of the workload `tpcc`, as a pure function of the summary: New-Orders per minute, response times
//! and their limits, the mix and its minimums, shares and their ranges, and deviations from TPC-C.
//!
//! Terminal, page and front ends use it, so that the figures are never presented as an audited result.

mod deviations;
mod steady;

pub use deviations::Deviation;
pub use steady::{From, Steady, Stretch, steady_from_s};

use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::tpcc::{
    Counter, TPCC_MYSQL, TransactionType, WORKLOAD, deferred, found, number, option, paced, profile,
};
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// What must stand beside every figure (TPC policies, fair use).
pub fn sentence() -> Message {
    msg!("derived-from-tpcc")
}

/// What a run's profile is, and that it says nothing about runs with another.
pub fn told_of(profile: &str) -> Message {
    if profile == TPCC_MYSQL { msg!("profile-tpcc-mysql") } else { msg!("profile-batched") }
}

/// What must be known where a run has trials of both profiles.
pub fn caution(summary: &Summary) -> Option<Message> {
    let mut measured = summary.trials.iter().filter(|t| t.tps() > 0.0).filter_map(|t| profile(&t.trial));
    let first = measured.next()?;
    measured.any(|other| other != first).then(|| msg!("profiles-differ"))
}

/// The maximum of New-Orders per minute of a warehouse's ten terminals (clause 4.1.3).
pub const MOST_PER_WAREHOUSE: f64 = 12.86;

/// Names, limits of the 90th percentile in seconds (clause 5.2.5.3; Delivery: deferred), minimum shares of the mix
/// (clause 5.2.3).
const TYPES: [(TransactionType, f64, Option<f64>); 5] = [
    (TransactionType::NewOrder, 5.0, None),
    (TransactionType::Payment, 5.0, Some(0.43)),
    (TransactionType::OrderStatus, 5.0, Some(0.04)),
    (TransactionType::Delivery, 80.0, Some(0.04)),
    (TransactionType::StockLevel, 20.0, Some(0.04)),
];

/// Limit of the 90th percentile of queueing a delivery, seconds.
const QUEUED_S: f64 = 5.0;

/// One cell on one target, over all repeats.
#[derive(Debug, Clone)]
pub struct Result {
    /// Completed New-Orders per minute, rolled-back ones included (clause 5.4.2): the mean of the repeats.
    pub nopm: f64,
    /// The same without them.
    pub nopm_committed: f64,
    /// Warehouses in use, over all sets.
    pub warehouses: u64,
    /// Sets of tables, in one database or in several.
    pub sets: u64,
    /// Terminals.
    pub terminals: u32,
    /// The profile: [`BATCHED`](tenbin_model::tpcc::BATCHED) or [`TPCC_MYSQL`].
    pub profile: String,
    /// Whether independent statements were sent together (`pipeline = on`).
    pub together: bool,
    /// Share of the maximum for this number of warehouses; only with the pauses of the specification.
    pub efficiency: Option<f64>,
    /// The five transactions.
    pub types: Vec<Type>,
    /// The shares checked by auditors.
    pub shares: Vec<Share>,
    /// The steady state, from intervals of ten seconds; `None` with fewer than two intervals.
    pub steady: Option<Steady>,
    /// The deviations from the specification.
    pub deviations: Vec<Deviation>,
}

/// One transaction type.
#[derive(Debug, Clone)]
pub struct Type {
    /// Which.
    pub of: TransactionType,
    /// Counts and times.
    pub tally: TransactionTally,
    /// Share of all completed transactions.
    pub share: f64,
    /// The minimum share.
    pub least: Option<f64>,
    /// Limit of the 90th percentile of the response time, nanoseconds.
    pub limit_ns: u64,
}

impl Result {
    /// "1 terminal", "16 terminals".
    pub fn terminals(&self) -> Message {
        msg!("terminals-counted", n = self.terminals)
    }

    /// How many warehouses: "4 warehouses", "40 warehouses (4 sets of 10)".
    pub fn size(&self) -> Message {
        let (n, sets) = (self.warehouses, self.sets);
        if sets > 1 { msg!("warehouses-in-sets", n, sets, each = n / sets) } else { msg!("warehouses-counted", n) }
    }
}

impl Steady {
    /// What is to be said of it.
    pub fn render(&self) -> Message {
        let [mean, deviation] = [self.mean, self.deviation].map(figure::grouped);
        let share = format!("{:.1} %", self.deviation * 100.0 / self.mean.max(f64::MIN_POSITIVE));
        let figures = msg!("steady-figures", mean, deviation, share);
        match self.from {
            From::At(seconds) => msg!(
                "steady-from",
                seconds = format_args!("{seconds:.0}"),
                orders = figure::whole(i128::from(self.orders)),
                length = figure::span(self.seconds),
                figures,
            ),
            From::Never => msg!("steady-never", figures),
            From::TooShort => msg!("steady-too-short", figures),
        }
    }
}

impl Type {
    /// 90th percentile of the response time.
    pub fn p90_ns(&self) -> u64 {
        self.tally.response.quantile_ns(0.9)
    }

    /// Whether the 90th percentile is within its limit.
    pub fn in_time(&self) -> bool {
        self.tally.completed > 0 && self.p90_ns() <= self.limit_ns
    }

    /// Whether its share reaches the minimum.
    pub fn enough(&self) -> bool {
        // A deck that was not used up may lack a card.
        self.least.is_none_or(|least| self.share >= least)
    }
}

/// A measured share that the specification determines by random choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// What.
    pub what: Message,
    /// The measured value: a share, or a mean if `per_cent` is false.
    pub value: f64,
    /// The number of cases that it was measured over.
    pub of: u64,
    /// The range that auditors accept.
    pub range: (f64, f64),
    /// Whether it is a share, to be shown in per cent.
    pub per_cent: bool,
    /// The tolerance for chance: three standard errors for this number of cases.
    pub chance: f64,
}

impl Share {
    /// Whether it is within its range, considering chance.
    pub fn in_range(&self) -> bool {
        (self.range.0 - self.chance..=self.range.1 + self.chance).contains(&self.value)
    }

    /// A value of it, as readers see it.
    pub fn shown(&self, value: f64) -> String {
        if self.per_cent { per_cent(value) } else { format!("{value:.2}") }
    }
}

/// A share as readers see it.
pub fn per_cent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// The result of a cell; `None` for another workload, or if nothing was measured.
pub fn result(summary: &Summary, cell: &Cell) -> Option<Result> {
    let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|n| summary.trial(*n)).collect();
    let first = trials.first()?;
    if first.trial.load.workload != WORKLOAD {
        return None;
    }
    let seconds = trials.iter().map(|t| t.counted_ns()).sum::<u64>() as f64 / 1e9;
    if seconds == 0.0 || cell.tally.accounting.completed == 0 {
        return None;
    }
    let (orders, rolled_back) =
        (completed(&cell.tally, TransactionType::NewOrder), counted(&cell.tally, Counter::RolledBack));
    // The mean of the repeats, as every other figure of throughput.
    let each: Vec<f64> = trials.iter().filter_map(|t| new_orders_per_minute(t)).collect();
    let nopm = statistics::mean(&each)?;
    // Which of those that had fallen due before the window were rolled back is not counted: as many as of the others.
    let committed = orders.saturating_sub(rolled_back) as f64 / orders.max(1) as f64;
    let of_set = number(&first.trial, "warehouses") as u64;
    let databases = first.tables.get(found::DATABASES).and_then(|n| n.parse().ok()).unwrap_or(1).max(1);
    let sets = databases * number(&first.trial, "tables").max(1.0) as u64;
    let warehouses = of_set * sets;
    let as_told = paced(&first.trial) && number(&first.trial, "pace") == 1.0;
    Some(Result {
        nopm,
        nopm_committed: nopm * committed,
        warehouses,
        sets,
        terminals: first.trial.load.clients,
        profile: option(&first.trial, "profile").to_owned(),
        together: option(&first.trial, "pipeline") == "on",
        efficiency: as_told.then(|| nopm / (MOST_PER_WAREHOUSE * warehouses as f64)),
        types: types(&cell.tally, deferred(&first.trial)),
        shares: shares(&cell.tally, of_set, deferred(&first.trial)),
        steady: steady::of_repeats(&trials),
        deviations: deviations::deviations(
            first,
            summary.facts.get(&cell.target),
            seconds / trials.len() as f64,
            (warehouses, sets),
        ),
    })
}

/// Completed New-Orders per minute of one trial, rolled-back ones included (clause 5.4.2): its measure of throughput.
/// `None` for another workload, or if nothing was measured.
pub fn new_orders_per_minute(trial: &TrialResult) -> Option<f64> {
    let measured = trial.trial.load.workload == WORKLOAD && trial.measured_ns() > 0;
    measured.then(|| new_orders(trial) as f64 * 60e9 / trial.counted_ns() as f64)
}

/// Those of which throughput is made: all that ended in the window.
pub(crate) fn new_orders(trial: &TrialResult) -> u64 {
    trial.throughput_of_name(TransactionType::NewOrder.name())
}

/// The transactions of a type. At a rate with as large a part of the starts that were not answered as it has of all that completed: of which types those
/// would have been is not known, and without them a server that no longer answers would have the times of its earlier answers.
pub(crate) fn starts_of(tally: &Tally, of: TransactionType) -> TransactionTally {
    let mut own = tally.transactions.get(of.name()).cloned().unwrap_or_default();
    let all: u64 = tally.transactions.values().map(|t| t.completed).sum();
    let (share, shortest_ns) = (own.completed as f64 / all.max(1) as f64, own.response.min_ns());
    let (mut unanswered, mut added) = (0, 0);
    for (ns, n) in tally.unanswered.buckets() {
        unanswered += n;
        let of_type = (unanswered as f64 * share).round() as u64;
        own.response.record_n(ns.max(shortest_ns), of_type - added);
        added = of_type;
    }
    own
}

fn completed(tally: &Tally, of: TransactionType) -> u64 {
    tally.transactions.get(of.name()).map_or(0, |t| t.completed)
}

fn counted(tally: &Tally, counter: Counter) -> u64 {
    tally.counters.get(counter.name()).copied().unwrap_or(0)
}

fn types(tally: &Tally, deferred: bool) -> Vec<Type> {
    let all: u64 = TYPES.iter().map(|(of, ..)| completed(tally, *of)).sum();
    TYPES
        .iter()
        .map(|(of, limit_s, least)| Type {
            of: *of,
            tally: starts_of(tally, *of),
            share: if all == 0 { 0.0 } else { completed(tally, *of) as f64 / all as f64 },
            least: *least,
            limit_ns: (if deferred && *of == TransactionType::Delivery { QUEUED_S } else { *limit_s } * 1e9) as u64,
        })
        .collect()
}

fn shares(tally: &Tally, warehouses_of_set: u64, deferred: bool) -> Vec<Share> {
    let orders = completed(tally, TransactionType::NewOrder);
    let lines = counted(tally, Counter::Lines);
    let share = |what, count: Counter, of: u64, expected: f64, range| {
        let chance = 3.0 * (expected * (1.0 - expected) / of.max(1) as f64).sqrt();
        let value = counted(tally, count) as f64 / of.max(1) as f64;
        Share { what, value, of, range, per_cent: true, chance }
    };
    let mut all = vec![
        share(msg!("share-orders-rolled-back"), Counter::RolledBack, orders, 0.01, (0.009, 0.011)),
        Share {
            what: msg!("share-lines-of-an-order"),
            value: lines as f64 / orders.max(1) as f64,
            of: orders,
            range: (9.5, 10.5),
            per_cent: false,
            // Uniformly distributed from 5 to 15.
            chance: 3.0 * (10.0 / orders.max(1) as f64).sqrt(),
        },
    ];
    if warehouses_of_set > 1 {
        let payments = completed(tally, TransactionType::Payment);
        all.push(share(msg!("share-remote-lines"), Counter::RemoteLines, lines, 0.01, (0.0095, 0.0105)));
        all.push(share(msg!("share-remote-payments"), Counter::RemotePayments, payments, 0.15, (0.14, 0.16)));
    }
    let by_name = |what, count, of| share(what, count, of, 0.6, (0.57, 0.63));
    all.push(by_name(
        msg!("share-payments-by-name"),
        Counter::PaymentsByName,
        completed(tally, TransactionType::Payment),
    ));
    let order_status = completed(tally, TransactionType::OrderStatus);
    all.push(by_name(msg!("share-order-status-by-name"), Counter::StatusByName, order_status));
    let queued = completed(tally, TransactionType::Delivery);
    let done = counted(tally, Counter::DeferredDone);
    if deferred {
        let in_time = done.saturating_sub(counted(tally, Counter::DeferredLate));
        all.push(Share {
            what: msg!("share-queued-deliveries"),
            // Some that were queued in the warm-up are executed later.
            value: (in_time as f64 / queued.max(1) as f64).min(1.0),
            of: queued,
            range: (0.9, 1.0),
            per_cent: true,
            chance: 3.0 * (0.09 / queued.max(1) as f64).sqrt(),
        });
    }
    let deliveries = if deferred { done } else { queued };
    // At most one in a hundred, or one.
    let most = (1.0 / deliveries.max(1) as f64).max(0.01);
    let skipped = share(msg!("share-skipped-deliveries"), Counter::SkippedDeliveries, deliveries, 0.0, (0.0, most));
    all.push(skipped);
    all.retain(|s| s.of > 0);
    all
}
