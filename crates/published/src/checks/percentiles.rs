//! Percentiles and the mean of the same response times. At least the part 1 − p of them is not below the percentile, so that
//! the mean is at least (1 − p) × percentile (Markov's inequality); and if a percentile near the end is below the mean,
//! the few above it must be very long.

use super::exchange::{self, Exchange};
use super::mending::{Contradiction, Mended, contradiction, mended, percentile_exchanges, percentiles};
use super::{in_all, place, precise, shown};
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{Max, Mean};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use tenbin_model::doubt::Verdict;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn percentiles_and_mean(published: &Published) -> PublishedAudit {
    let kinds = percentiles(published);
    let is_above = |result: &PublishedResult, kind| result.get(kind) > Some(0.0);
    let with_mean = published
        .results
        .iter()
        .filter(|result| is_above(result, Mean) && result.percentiles().any(|(_, kind)| is_above(result, kind)));
    let n = with_mean.count();
    if n == 0 {
        return PublishedAudit::not_checked(msg!("published-wants-percentiles"));
    }
    let mended = mended(published);
    let exchanges = percentile_exchanges(published, &mended);
    let mut all = PublishedAudit::default();
    for kind in &kinds {
        let of_kind: Vec<Exchange> =
            exchanges.iter().filter(|(of, _)| of == kind).map(|(_, exchange)| exchange.clone()).collect();
        let wrong: Vec<usize> = (0..published.results.len())
            .filter(|at| contradiction(published, *kind, *at, mended.mean_of(*at)).is_some())
            .collect();
        if wrong.is_empty() {
            continue;
        }
        let (in_exchange, left): (Vec<usize>, Vec<usize>) = wrong.iter().partition(|at| {
            let group = published.results[**at].group();
            of_kind.iter().any(|exchange| exchange.group == group)
        });
        if let Some(first) = in_exchange.first() {
            all = all.and(exchanged(published, *kind, &of_kind, &mended, &in_exchange, *first));
        }
        all = all.and(left_over(published, *kind, &mended, &left));
    }
    if all.doubts.is_empty() {
        PublishedAudit::confirmed(msg!("published-percentiles-hold", all = in_all(n)))
    } else {
        all
    }
}

fn exchanged(
    published: &Published,
    kind: FigureKind,
    exchanges: &[Exchange],
    mended: &Mended,
    wrong: &[usize],
    first: usize,
) -> PublishedAudit {
    let targets = exchange::words(exchanges, published.groups().len());
    let groups: Vec<&str> = exchanges.iter().map(|exchange| exchange.group.as_str()).collect();
    let all =
        published.results.iter().filter(|r| r.get(kind).is_some() && groups.contains(&r.group().as_str())).count();
    let (figure, example) = (kind.words(), example(published, kind, mended, first));
    let n = wrong.len();
    let evidence = if mended.exchanges.is_empty() {
        msg!("doubt-exchanged-percentile-seen", figure, n, all, example, targets = targets.clone())
    } else {
        let other = mended.kind.words();
        msg!("doubt-exchanged-percentile-then-seen", other, figure, n, all, example, targets = targets.clone())
    };
    let touches = exchanges.iter().flat_map(|exchange| exchange.belongs.keys().map(|at| (*at, kind))).collect();
    let problem = Problem::new(msg!("doubt-exchanged", figure = kind.words())).evidence(evidence).hint(msg!(
        "doubt-exchanged-hint",
        figure = kind.words(),
        targets
    ));
    PublishedAudit::doubt(Verdict::Invalid, "exchanged", problem, touches)
}

/// `line 4, rds: p99 4.64 ms, mean 42.39 ms`.
fn example(published: &Published, kind: FigureKind, mended: &Mended, at: usize) -> tenbin_words::message::Message {
    let result = &published.results[at];
    let mean = published.results[mended.mean_of(at)].get(Mean).unwrap_or(0.0);
    let of = |kind| result.get(kind).unwrap_or(0.0);
    msg!(
        "published-percentile-and-mean",
        place = place(result),
        figure = kind.words(),
        high = precise(of(kind)),
        mean = precise(mean)
    )
}

fn left_over(published: &Published, kind: FigureKind, mended: &Mended, results: &[usize]) -> PublishedAudit {
    let FigureKind::Percentile(hundredths) = kind else { return PublishedAudit::default() };
    let part = f64::from(hundredths) / 1e4;
    let mut all = PublishedAudit::default();
    for wanted in [Contradiction::Below, Contradiction::TooHigh] {
        let of: Vec<usize> = results
            .iter()
            .copied()
            .filter(|at| contradiction(published, kind, *at, mended.mean_of(*at)) == Some(wanted))
            .collect();
        let Some(first) = of.first() else { continue };
        let result = &published.results[*first];
        let (high, mean) = (result.get(kind).unwrap_or(0.0), published.results[mended.mean_of(*first)].get(Mean));
        let mean = mean.unwrap_or(0.0);
        let rest = (mean - part * high) / (1.0 - part);
        // The mean is at most p × percentile + (1 − p) × longest.
        let impossible = wanted == Contradiction::TooHigh || result.get(Max).is_some_and(|max| rest > max * 1.05);
        let (n, all_of, example) = (of.len(), published.results.len(), example(published, kind, mended, *first));
        let (what, evidence) = match wanted {
            Contradiction::Below => (
                msg!("doubt-published-percentile-below", figure = kind.words()),
                msg!(
                    "doubt-published-percentile-below-seen",
                    n,
                    all = all_of,
                    example,
                    rest = shown(kind, rest),
                    part = format_args!("{:.4}", (1.0 - part) * 100.0)
                        .to_string()
                        .trim_end_matches('0')
                        .trim_end_matches('.')
                ),
            ),
            Contradiction::TooHigh => (
                msg!("doubt-published-percentile-high", figure = kind.words()),
                msg!(
                    "doubt-published-percentile-high-seen",
                    n,
                    all = all_of,
                    example,
                    least = shown(kind, (1.0 - part) * high)
                ),
            ),
        };
        let verdict = if impossible { Verdict::Invalid } else { Verdict::Degraded };
        let touches = of.iter().flat_map(|at| [(*at, kind), (*at, Mean)]).collect();
        let problem = Problem::new(what).evidence(evidence).hint(msg!("doubt-published-look-at-source"));
        all = all.and(PublishedAudit::doubt(verdict, "percentile-and-mean", problem, touches));
    }
    all
}
