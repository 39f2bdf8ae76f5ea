//! Locks on rows are the limit: transactions wait for one another.

use crate::why::budget;
use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use crate::why::settings;
use tenbin_model::names::session::SessionClass;
use tenbin_words::figure;
use tenbin_words::msg;

/// The share of the time of a transaction.
const WAITED: f64 = 0.2;

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    let share = budget::row_lock(e).map(|(seconds, _)| (seconds / e.transaction_s).min(1.0));
    let waited = share.map(|share| {
        Proof::share(msg!("proof-row-lock-share", time = e.time(), percent = percent(share)), share, WAITED)
    });
    let counted = e.status("innodb_row_lock_time").map(|ms| ms / 1e3);
    let sessions = counted.into_iter().chain(e.class(SessionClass::RowLock)).reduce(f64::max);
    let sessions = sessions.map(|n| {
        let (waiting, clients) = (figure::grouped(n), e.t.trial.load.clients);
        Proof::beside(msg!("proof-row-lock-sessions", waiting, clients), n)
    });
    let waits = e.status("innodb_row_lock_waits").filter(|waits| *waits > 0.0).map(|waits| {
        let each = e.per_operation(waits);
        Proof::beside(msg!("proof-row-lock-waits", each = format!("{each:.2}")), each)
    });
    let missing = MissingEvidence { what: msg!("missing-row-locks"), how: settings::sessions() };
    let missing = if waited.is_none() { vec![missing] } else { Vec::new() };
    Some(Judgement::of(Bottleneck::RowLocks, vec![waited, sessions, waits], missing).decisive(share))
}
