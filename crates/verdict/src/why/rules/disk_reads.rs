//! Reading data from the disk is the limit.

use crate::why::budget;
use crate::why::cost::{SYNCS, per_second};
use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use crate::why::memory::{self, PAGES};
use crate::why::settings;
use tenbin_words::msg;

/// The share of the time of a transaction.
const WAITED: f64 = 0.4;
/// The share of the time in which a task of the machine waited for I/O (pressure stall information).
const PRESSURE: f64 = 0.2;

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    let pages = memory::pages_read(e);
    let share = budget::read(e).map(|(seconds, _)| (seconds / e.transaction_s).min(1.0));
    let waited = share
        .map(|share| Proof::share(msg!("proof-read-share", time = e.time(), percent = percent(share)), share, WAITED));
    let syncs = per_second(e, SYNCS).map(|syncs| e.per_operation(syncs));
    // Pressure does not say who waits for what: with more flushes than pages it is the commits.
    let reads = pages.is_some_and(|pages| pages >= PAGES && syncs.is_none_or(|syncs| pages >= syncs));
    let pressure = e.server_host("io_waited_s").filter(|_| pages.is_some()).map(|share| {
        let what = msg!("proof-io-pressure", percent = percent(share));
        if reads { Proof::share(what, share, PRESSURE) } else { Proof::beside(what, share) }
    });
    let each = pages.map(|pages| Proof::beside(msg!("proof-pages-read", pages = format!("{pages:.2}")), pages));
    // Without reads there is nothing to wait for.
    let none = pages.filter(|pages| *pages < PAGES).map(|pages| Proof {
        is_share: false,
        ..Proof::share(msg!("proof-pages-read", pages = format!("{pages:.3}")), pages, 1.0)
    });
    let proofs = match none {
        Some(none) => vec![Some(none)],
        None => vec![waited, pressure, each],
    };
    let missing = MissingEvidence {
        what: msg!("missing-reads"),
        how: msg!("missing-reads-how", host = settings::HOST, setting = settings::PERFORMANCE_SCHEMA),
    };
    let judgement = Judgement::of(Bottleneck::DiskReads, proofs, Vec::new());
    let missing = if judgement.degree().is_none() { vec![missing] } else { Vec::new() };
    Some(Judgement { missing, ..judgement }.decisive(share))
}
