//! The commit is the limit: writing and flushing the redo, write-ahead or binary log.

use crate::why::budget;
use crate::why::cost::{SYNCS, per_second};
use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use crate::why::settings;
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;

/// The share of the time of a transaction.
const WAITED: f64 = 0.4;
/// Settings that decide what a commit waits for.
const SETTINGS: [&str; 3] = ["innodb_flush_log_at_trx_commit", "sync_binlog", "synchronous_commit"];

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    // A load that changes nothing commits nothing.
    let queries = e.t.tally.queries();
    let writes = queries.writes > 0 || e.t.tally.statements.values().all(|s| s.kind == StatementKind::Other);
    let wait = budget::commit(e);
    let share = wait.as_ref().map(|wait| wait.seconds / e.transaction_s);
    let waited = wait.zip(share).map(|(wait, share)| {
        let share = share.min(1.0);
        let what = match wait.is_least {
            true => msg!("proof-commit-share-least", time = e.time(), percent = percent(share)),
            false => msg!("proof-commit-share", time = e.time(), percent = percent(share)),
        };
        // That it is at least this share does not say that it is less than the limit.
        if wait.is_least && share < WAITED { Proof::beside(what, share) } else { Proof::share(what, share, WAITED) }
    });
    let syncs = per_second(e, SYNCS).map(|syncs| {
        let each = e.per_operation(syncs);
        Proof::beside(msg!("proof-commit-syncs", each = format!("{each:.2}"), per_second = format!("{syncs:.0}")), each)
    });
    let set = SETTINGS.iter().find_map(|name| Some((*name, e.variable(name)?)));
    let set = set.map(|(name, value)| Proof::beside(msg!("proof-setting", name, value), 0.0));
    let none = (!writes && waited.as_ref().is_none_or(|waited| waited.limit.is_none()))
        .then(|| Proof::share(msg!("proof-no-writes"), 0.0, WAITED));
    let missing = MissingEvidence { what: msg!("missing-commit"), how: settings::sessions() };
    let judgement = Judgement::of(Bottleneck::Commit, vec![waited, none, syncs, set], Vec::new());
    let missing = if judgement.degree().is_none() { vec![missing] } else { Vec::new() };
    Some(Judgement { missing, ..judgement }.decisive(share))
}
