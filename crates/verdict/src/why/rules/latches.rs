//! Latches are the limit: short locks on what the server has in memory. Only servers that record waits report them.

use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use crate::why::settings;
use tenbin_model::names::session::SessionClass;
use tenbin_words::figure;
use tenbin_words::msg;

/// The share of the transactions in progress.
const WAITED: f64 = 0.2;

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    let sessions = e.class(SessionClass::Latch);
    let share = sessions.map(|n| e.share(n).min(1.0));
    let waited = sessions.zip(share).map(|(n, share)| {
        let what = msg!("proof-latches", n = figure::grouped(n), percent = percent(share));
        Proof::share(what, share, WAITED)
    });
    let missing =
        MissingEvidence { what: msg!("missing-latches"), how: msg!("missing-latches-how", setting = settings::WAITS) };
    let missing = if waited.is_none() { vec![missing] } else { Vec::new() };
    Some(Judgement::of(Bottleneck::Latches, vec![waited], missing).decisive(share))
}
