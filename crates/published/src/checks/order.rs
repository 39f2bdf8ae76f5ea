//! Figures of one result that must stand in an order: min ≤ p50 ≤ p95 ≤ p99 ≤ max, and the mean between min and max.

use super::{in_all, place, precise, shown};
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{
    Clients, Max, MaxSeconds, Mean, MeanSeconds, Min, MinSeconds, Nopm, Qps, Tpm, Tps,
};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use tenbin_model::doubt::Verdict;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A percentile is the upper end of a bucket of its histogram, which may be above the longest time: sysbench's by 1.3 %, and
/// more of tools with coarser ones. Two percentiles are of one histogram.
const TOLERANCE: f64 = 0.03;

pub fn negative(published: &Published) -> PublishedAudit {
    let mut wrong = Vec::new();
    for (at, result) in published.results.iter().enumerate() {
        wrong.extend(result.figures.iter().filter(|(_, (q, _))| q.value < 0.0).map(|(kind, _)| (at, *kind)));
    }
    let Some((at, kind)) = wrong.first().copied() else { return PublishedAudit::default() };
    let result = &published.results[at];
    let (figure, value) = (kind.words(), shown(kind, result.get(kind).unwrap_or(0.0)));
    let evidence = msg!("published-figure-at", place = place(result), figure, value);
    let problem = Problem::new(msg!("doubt-published-negative", n = wrong.len())).evidence(evidence);
    PublishedAudit::doubt(Verdict::Invalid, "negative", problem.hint(msg!("doubt-published-look-at-source")), wrong)
}

/// Nothing completes without clients.
pub fn without_clients(published: &Published) -> PublishedAudit {
    let is_wrong = |result: &PublishedResult| {
        result.get(Clients) == Some(0.0) && [Tps, Qps, Nopm, Tpm].iter().any(|kind| result.get(*kind) > Some(0.0))
    };
    let wrong: Vec<usize> = (0..published.results.len()).filter(|at| is_wrong(&published.results[*at])).collect();
    let Some(first) = wrong.first() else { return PublishedAudit::default() };
    let problem = Problem::new(msg!("doubt-published-no-clients", n = wrong.len()));
    let problem = problem.evidence(place(&published.results[*first])).hint(msg!("doubt-published-look-at-source"));
    let touches = wrong.iter().map(|at| (*at, Clients)).collect();
    PublishedAudit::doubt(Verdict::Degraded, "no-clients", problem, touches)
}

/// The pairs of figures of a result of which the first must not be above the second.
fn pairs(result: &PublishedResult) -> Vec<(FigureKind, FigureKind)> {
    let times: Vec<FigureKind> =
        [Min].into_iter().chain(result.percentiles().map(|(_, kind)| kind)).chain([Max]).collect();
    let times: Vec<FigureKind> = times.into_iter().filter(|kind| result.get(*kind).is_some()).collect();
    let mut all: Vec<(FigureKind, FigureKind)> = times.windows(2).map(|two| (two[0], two[1])).collect();
    all.extend([(Min, Mean), (Mean, Max), (MinSeconds, MeanSeconds), (MeanSeconds, MaxSeconds)]);
    all.retain(|(low, high)| result.get(*low).is_some() && result.get(*high).is_some());
    all
}

pub fn order(published: &Published) -> PublishedAudit {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (at, result) in published.results.iter().enumerate() {
        let mut pairs = pairs(result);
        // 0 is what a tool prints for what it was not asked for.
        pairs.retain(|(_, high)| result.get(*high) > Some(0.0));
        checked += usize::from(!pairs.is_empty());
        for (low, high) in pairs {
            let (Some(a), Some(b)) = (result.quantity(low), result.quantity(high)) else { continue };
            let percentiles = [low, high].iter().filter(|kind| matches!(kind, FigureKind::Percentile(_))).count();
            // Two of the same histogram are never in another order, and rounding to the same digits keeps it.
            let is_same_form = percentiles == 2 && (a.half - b.half).abs() <= 1e-9 * a.half.abs();
            let tolerance = if percentiles == 1 { TOLERANCE } else { 0.0 };
            let is_wrong = match is_same_form {
                true => a.value > b.value,
                false => a.value - a.half > (b.value + b.half) * (1.0 + tolerance),
            };
            if is_wrong {
                wrong.push((at, low, high));
            }
        }
    }
    if checked == 0 {
        return PublishedAudit::not_checked(msg!("published-wants-order"));
    }
    let Some((at, low, high)) = wrong.first().copied() else {
        return PublishedAudit::confirmed(msg!("published-order-holds", all = in_all(checked)));
    };
    let result = &published.results[at];
    let of = |kind: FigureKind| shown(kind, result.get(kind).unwrap_or(0.0));
    let evidence = msg!(
        "doubt-published-order-seen",
        place = place(result),
        low = low.words(),
        a = of(low),
        high = high.words(),
        b = of(high)
    );
    let touches = wrong.iter().flat_map(|(at, low, high)| [(*at, *low), (*at, *high)]).collect();
    let problem = Problem::new(msg!("doubt-published-order", n = wrong.len())).evidence(evidence);
    PublishedAudit::doubt(Verdict::Invalid, "order", problem.hint(msg!("doubt-published-look-at-source")), touches)
}

/// A client completes at most one transaction in the shortest response time.
pub fn faster_than_possible(published: &Published) -> PublishedAudit {
    let most = |result: &PublishedResult| {
        let (clients, min) = (result.get(Clients)?, result.quantity(Min)?);
        let shortest = min.value - min.half;
        (shortest > 0.0).then(|| (result.get(Tps).unwrap_or(0.0), clients / shortest * 1e3))
    };
    // At a rate response times include the wait for a client.
    let closed = published
        .results
        .iter()
        .enumerate()
        .filter(|(_, result)| !(result.is_open_loop || result.is_of_course || result.shares_clients));
    let wrong = closed.filter_map(|(at, result)| {
        let (tps, most) = most(result)?;
        (tps > most * 1.02).then_some((at, tps, most))
    });
    let wrong: Vec<(usize, f64, f64)> = wrong.collect();
    let Some((at, tps, most)) = wrong.first().copied() else { return PublishedAudit::default() };
    let result = &published.results[at];
    let evidence = msg!(
        "doubt-published-too-fast-seen",
        place = place(result),
        tps = precise(tps),
        most = precise(most.floor()),
        clients = precise(result.get(Clients).unwrap_or(0.0)),
        min = precise(result.get(Min).unwrap_or(0.0))
    );
    let problem = Problem::new(msg!("doubt-published-too-fast", n = wrong.len())).evidence(evidence);
    let touches = wrong.iter().map(|(at, ..)| (*at, Tps)).collect();
    PublishedAudit::doubt(Verdict::Invalid, "too-fast", problem.hint(msg!("doubt-published-look-at-source")), touches)
}
