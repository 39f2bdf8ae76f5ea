//! Times of a fixed number of queries: more queries take more time.

use super::{place, precise, shown};
use crate::figure_kind::FigureKind::{Clients, MeanSeconds, QueriesPerClient, Seconds};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use std::collections::BTreeMap;
use tenbin_model::doubt::Verdict;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The seconds of a result of a fixed number of queries.
fn seconds(result: &PublishedResult) -> Option<f64> {
    result.get(MeanSeconds).or_else(|| result.get(Seconds)).filter(|_| result.get(QueriesPerClient).is_some())
}

/// Target, the other words and the number of clients.
type Series<'p> = (&'p str, String, String);

pub fn seconds_grow(published: &Published) -> PublishedAudit {
    let mut series: BTreeMap<Series<'_>, Vec<(f64, f64, usize)>> = BTreeMap::new();
    for (at, result) in published.results.iter().enumerate() {
        let (Some(seconds), Some(queries)) = (seconds(result), result.get(QueriesPerClient)) else { continue };
        let clients = result.get(Clients).map(|clients| clients.to_string()).unwrap_or_default();
        series.entry((result.target_name(), result.group(), clients)).or_default().push((queries, seconds, at));
    }
    series.retain(|_, all| all.len() > 1);
    if series.is_empty() {
        return PublishedAudit::default();
    }
    let (mut wrong, mut low, mut high) = (Vec::new(), f64::INFINITY, 0.0_f64);
    for all in series.values_mut() {
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        wrong.extend(
            all.windows(2).filter(|two| two[1].0 > two[0].0 && two[1].1 < two[0].1).map(|two| (two[0], two[1])),
        );
        // Milliseconds of one client for a query, beside those of the largest number of queries.
        let each: Vec<f64> = all.iter().filter(|(n, ..)| *n > 0.0).map(|(n, s, _)| s / n * 1e3).collect();
        if let Some(last) = each.last().filter(|last| **last > 0.0) {
            each.iter().for_each(|ms| (low, high) = (low.min(ms / last), high.max(ms / last)));
        }
    }
    let Some((few, many)) = wrong.first() else {
        let (low, high) = (format!("{low:.2}"), format!("{high:.2}"));
        return PublishedAudit::confirmed(msg!("published-growth-holds", n = series.len(), low, high));
    };
    let evidence = msg!(
        "doubt-published-growth-seen",
        place = place(&published.results[many.2]),
        many = precise(many.0),
        a = shown(Seconds, many.1),
        few = precise(few.0),
        b = shown(Seconds, few.1)
    );
    let kind = if published.results[many.2].get(MeanSeconds).is_some() { MeanSeconds } else { Seconds };
    let touches = wrong.iter().flat_map(|(a, b)| [(a.2, kind), (b.2, kind)]).collect();
    let problem = Problem::new(msg!("doubt-published-growth", n = wrong.len())).evidence(evidence);
    PublishedAudit::doubt(Verdict::Degraded, "growth", problem.hint(msg!("doubt-published-look-at-source")), touches)
}
