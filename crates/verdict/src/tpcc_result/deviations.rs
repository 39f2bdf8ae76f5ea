//! The deviations of a run from the specification, by clause: from the plan, and from what was found in the tables.

use std::collections::BTreeMap;
use tenbin_model::summary::TrialResult;
use tenbin_model::tpcc::{TPCC_MYSQL, TransactionType, deferred, found, isolation, number, option, paced};
use tenbin_model::trial::Trial;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A deviation from the specification.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// The clause.
    pub clause: &'static str,
    /// What departs, and often what the clause says.
    pub what: Message,
}

/// The deck, if it is neither that of the specification nor a multiple of it.
fn other_cards(trial: &Trial) -> Option<[u64; 5]> {
    if option(trial, "mix") != "cards" {
        return None;
    }
    let cards = TransactionType::ALL.map(|of| number(trial, of.name()) as u64);
    let one = cards[4];
    (one == 0 || cards != [10 * one, 10 * one, one, one, one]).then_some(cards)
}

/// Decimals of rates and of limits, bits of warehouse numbers, if any is less than required: as they were found,
/// or according to the data set's layout if they are unknown.
fn narrow(of: &TrialResult) -> Option<[u64; 3]> {
    let wide = [4, 2, 32];
    let by_name = if option(&of.trial, "layout") == "tpcc_mysql" { [2, 0, 16] } else { wide };
    let names = [found::RATE_DECIMALS, found::LIMIT_DECIMALS, found::WAREHOUSE_BITS];
    let widths = names.map(|name| of.tables.get(name).and_then(|n| n.parse().ok()));
    let [rate, limit, bits] = std::array::from_fn(|at| widths[at].unwrap_or(by_name[at]));
    (rate < wide[0] || limit < wide[1] || bits < wide[2]).then_some([rate, limit, bits])
}

/// The isolation level of the transactions, from the option or the server's settings.
fn level(trial: &Trial, server: Option<&BTreeMap<String, String>>) -> String {
    let isolation = isolation(trial);
    let names = ["transaction_isolation", "tx_isolation", "default_transaction_isolation"];
    let set = || names.iter().find_map(|name| server?.get(&format!("variable.{name}")));
    match isolation {
        "server" => set().map_or(isolation.to_owned(), |level| level.to_ascii_lowercase().replace(['-', ' '], "_")),
        _ => isolation.to_owned(),
    }
}

/// All deviations of a trial with this duration, number of warehouses and sets of tables, and these facts
/// about the server.
pub(super) fn deviations(
    of: &TrialResult,
    server: Option<&BTreeMap<String, String>>,
    seconds: f64,
    (warehouses, sets): (u64, u64),
) -> Vec<Deviation> {
    let trial = &of.trial;
    let mut all = Vec::new();
    let mut add = |clause, what| all.push(Deviation { clause, what });
    let terminals = trial.load.clients;
    if !paced(trial) {
        add("5.2.5", msg!("deviation-no-times"));
    } else if let pace = number(trial, "pace")
        && pace != 1.0
    {
        add("5.2.5", msg!("deviation-pace", pace));
    }
    if u64::from(terminals) != warehouses * 10 {
        add("4.2.2", msg!("deviation-terminals", terminals, warehouses));
    }
    if sets > 1 {
        let databases = of.tables.contains_key(found::DATABASES);
        let kind = if databases { msg!("deviation-sets-are-databases") } else { msg!("deviation-sets-are-tables") };
        add("1.2", msg!("deviation-sets", sets, kind, each = warehouses / sets));
    }
    if option(trial, "home") == "random" {
        add("2.4.1.1", msg!("deviation-random-home"));
    }
    if option(trial, "mix") == "weights" {
        add("5.2.4.2", msg!("deviation-mix-by-weight"));
    } else if let Some(cards) = other_cards(trial) {
        let cards = cards.map(|n| n.to_string()).join(":");
        add("5.2.4.2", msg!("deviation-cards", cards));
    }
    let as_tpcc_mysql = option(trial, "profile") == TPCC_MYSQL;
    if as_tpcc_mysql {
        add("2.4.2.2", msg!("deviation-stock-counts"));
        add("2.5.2.2", msg!("deviation-payment-counts"));
        add("2.6.2.2", msg!("deviation-order-status"));
    }
    let level = level(trial, server);
    if as_tpcc_mysql {
        add("3.4", msg!("deviation-isolation-unlocked", level));
    } else if level != "serializable" {
        add("3.4", msg!("deviation-isolation", level));
    }
    if deferred(trial) {
        add("2.7.3.4", msg!("deviation-queued-results"));
    } else {
        add("2.7.2", msg!("deviation-delivery-not-queued"));
    }
    if let Some([rate, limit, bits]) = narrow(of) {
        add("1.3", msg!("deviation-narrow", rate, limit, bits));
    }
    if of.tables.get(found::LOADED_BY).is_some_and(|who| who != found::TENBIN) {
        add("2.1.6.1", msg!("deviation-constant-not-known"));
        add("4.3.3.1", msg!("deviation-loaded-by-another"));
    } else {
        add("4.3.3.1", msg!("deviation-population-dated"));
    }
    if seconds < 7200.0 {
        add("5.5.2", msg!("deviation-minutes", minutes = (seconds / 6.0).round() / 10.0));
    }
    add("3.5", msg!("deviation-durability"));
    add("2.2", msg!("deviation-no-screens"));
    add("7, 8, 9", msg!("deviation-no-audit"));
    all.sort_by_key(|d| d.clause.split(['.', ',']).filter_map(|n| n.trim().parse().ok()).collect::<Vec<u32>>());
    all
}
