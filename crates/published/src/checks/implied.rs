//! Figures of one result that cannot be together, without a mean response time to say so: more transactions than statements, more
//! New-Orders than transactions, and times below the mean that follows from clients and throughput.

use super::{place, precise, shown};
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{Clients, Max, Mean, Nopm, Qps, Queries, Tpm, Tps, Transactions};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use tenbin_model::doubt::Verdict;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What rounding and the edges of a measurement may make of it.
const TOLERANCE: f64 = 0.02;
/// Where clients pause, times are shorter than what follows from throughput: with this difference, they are not meant to be the same.
const SHORTER: f64 = 0.9;
/// Below the mean may be any percentile but those near the end.
const NEAR_END: f64 = 0.9;

/// The first of two figures counts what the second counts too, and more.
const PARTS: &[(FigureKind, FigureKind)] = &[(Tps, Qps), (Transactions, Queries), (Nopm, Tpm)];

pub fn parts_above_their_whole(published: &Published) -> PublishedAudit {
    let mut all = PublishedAudit::default();
    for (part, whole) in PARTS {
        let is_wrong = |result: &PublishedResult| {
            let (part, whole) = (result.quantity(*part)?, result.quantity(*whole)?);
            // Rows of one INSERT are transactions to some tools, whose own counts are in their logs.
            let of_log = published.tables.get(result.table).is_some_and(|table| table.is_log);
            (!of_log && whole.value > 0.0 && part.value - part.half > (whole.value + whole.half) * (1.0 + TOLERANCE))
                .then_some(())
        };
        let wrong: Vec<usize> =
            (0..published.results.len()).filter(|at| is_wrong(&published.results[*at]).is_some()).collect();
        let Some(first) = wrong.first().map(|at| &published.results[*at]) else { continue };
        let of = |kind: FigureKind| precise(first.get(kind).unwrap_or(0.0));
        let evidence = msg!(
            "doubt-published-part-seen",
            place = place(first),
            part = part.words(),
            a = of(*part),
            whole = whole.words(),
            b = of(*whole)
        );
        let problem =
            Problem::new(msg!("doubt-published-part", part = part.words(), whole = whole.words(), n = wrong.len()));
        let problem = problem.evidence(evidence).hint(msg!("doubt-published-look-at-source"));
        let touches = wrong.iter().flat_map(|at| [(*at, *part), (*at, *whole)]).collect();
        all = all.and(PublishedAudit::doubt(Verdict::Invalid, "part-and-whole", problem, touches));
    }
    all
}

/// In a closed loop the mean response time is clients ÷ throughput: the longest is not below it, and a percentile near the end hardly.
pub fn times_below_the_implied_mean(published: &Published) -> PublishedAudit {
    let mut wrong: Vec<(usize, FigureKind, f64)> = Vec::new();
    let mut checked = 0;
    for (at, result) in published
        .results
        .iter()
        .enumerate()
        .filter(|(_, result)| !(result.is_open_loop || result.is_of_course || result.shares_clients))
    {
        let (Some(clients), Some(tps), None) = (result.get(Clients), result.quantity(Tps), result.get(Mean)) else {
            continue;
        };
        let highest = result.percentiles().filter(|(part, _)| *part >= NEAR_END).last().map(|(_, kind)| kind);
        let Some(kind) = result.get(Max).filter(|max| *max > 0.0).map(|_| Max).or(highest) else { continue };
        let (Some(time), true) = (result.quantity(kind), tps.value > 0.0 && clients > 0.0) else { continue };
        let mean = clients / tps.value * 1e3;
        if time.value <= 0.0 {
            continue;
        }
        checked += 1;
        if time.value + time.half < clients / (tps.value + tps.half) * 1e3 * SHORTER {
            wrong.push((at, kind, mean));
        }
    }
    let Some((at, kind, mean)) = wrong.first().copied() else {
        return match checked {
            0 => PublishedAudit::default(),
            n => PublishedAudit::confirmed(msg!("published-implied-holds", all = super::in_all(n))),
        };
    };
    let result = &published.results[at];
    let evidence = msg!(
        "doubt-published-implied-seen",
        place = place(result),
        clients = precise(result.get(Clients).unwrap_or(0.0)),
        tps = precise(result.get(Tps).unwrap_or(0.0)),
        mean = shown(Mean, mean),
        figure = kind.words(),
        time = shown(kind, result.get(kind).unwrap_or(0.0))
    );
    let problem = Problem::new(msg!("doubt-published-implied", n = wrong.len())).evidence(evidence);
    let touches = wrong.iter().flat_map(|(at, kind, _)| [(*at, *kind), (*at, Tps)]).collect();
    PublishedAudit::doubt(
        Verdict::Degraded,
        "implied-mean",
        problem.hint(msg!("doubt-published-implied-hint")),
        touches,
    )
}
