//! The options of a trial in its recording: each with the value that was used.

use super::TransactionType;
use crate::tally::{Tally, TransactionTally};
use crate::trial::{Load, Trial};
use std::borrow::Cow;

/// An option of the load, or else of the data set; empty if the trial has none.
pub fn option<'t>(trial: &'t Trial, name: &str) -> &'t str {
    let recorded = trial.load.options.get(name).or_else(|| trial.dataset.options.get(name));
    recorded.map_or("", String::as_str)
}

/// The same as a number; 0 if it is not a number.
pub fn number(trial: &Trial, name: &str) -> f64 {
    option(trial, name).parse().unwrap_or(0.0)
}

/// Whether a load is of this workload, with New-Orders in its mix: they are what it is judged by.
pub fn has_new_orders(load: &Load) -> bool {
    let of = |name: &str| load.options.get(name).map_or("", String::as_str);
    load.workload == super::WORKLOAD && (matches!(of("mix"), "" | "deck") || of("new_order").parse::<f64>() != Ok(0.0))
}

/// The transactions whose times an interval of such a load has: the New-Orders, as the whole trial does, or all.
pub fn timed<'t>(load: &Load, tally: &'t Tally) -> Cow<'t, TransactionTally> {
    if !has_new_orders(load) {
        return tally.transactions_together();
    }
    let orders = tally.transactions.get(TransactionType::NewOrder.name());
    orders.map_or_else(|| Cow::Owned(TransactionTally::default()), Cow::Borrowed)
}

/// Whether terminals pause between their transactions.
pub fn paced(trial: &Trial) -> bool {
    option(trial, "mode") == "paced"
}

/// Whether a client of TPC-C has several statements in progress at a time: sent together, or those of a queued delivery.
pub fn overlaps(trial: &Trial) -> bool {
    trial.load.workload == super::WORKLOAD && (option(trial, "pipeline") == "on" || deferred(trial))
}

/// Whether deliveries are queued and executed by other connections.
pub fn deferred(trial: &Trial) -> bool {
    option(trial, "deferred_delivery") == "on"
}

/// The requested isolation level; `server`: the server's setting.
pub fn isolation(trial: &Trial) -> &str {
    option(trial, "isolation")
}
