//! Statements per transaction of sysbench's workloads: a result that names one has as many.

use super::counts;
use super::{place, precise};
use crate::figure_kind::FigureKind::{Qps, Tps};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use crate::words::{lower, words};
use tenbin_model::doubt::Verdict;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Each workload with its statements per transaction by default, and without BEGIN and COMMIT (`--skip-trx`).
const WORKLOADS: &[(&str, f64, f64)] = &[
    ("oltp_read_write", 20.0, 18.0),
    ("oltp_read_only", 16.0, 14.0),
    ("oltp_write_only", 6.0, 4.0),
    ("oltp_point_select", 1.0, 1.0),
    ("oltp_update_index", 1.0, 1.0),
    ("oltp_update_non_index", 1.0, 1.0),
    ("oltp_insert", 1.0, 1.0),
    ("oltp_delete", 1.0, 1.0),
];

/// What the edges of a measurement and repeated statements may make of it.
const TOLERANCE: f64 = 0.02;

/// The workload that sends this many statements of several per transaction, with their number.
pub(super) fn by_ratio(ratio: f64, tolerance: f64) -> Option<(f64, &'static str)> {
    let is_it = |(_, queries, _): &&(&str, f64, f64)| *queries > 1.0 && (ratio / queries - 1.0).abs() <= tolerance;
    WORKLOADS.iter().find(is_it).map(|(name, queries, _)| (*queries, *name))
}

/// The only workload of sysbench that a text names.
pub(super) fn named(text: &str) -> Option<&'static str> {
    let all = lower(&words(text));
    let names = |name: &str| {
        let name: Vec<&str> = name.split('_').collect();
        all.windows(name.len()).any(|part| part == name.as_slice())
    };
    let mut found = WORKLOADS.iter().map(|(name, ..)| *name).filter(|name| names(name));
    found.next().filter(|_| found.next().is_none())
}

/// The workload that the words of a result name, or those above its table.
fn of(published: &Published, result: &PublishedResult) -> Option<&'static str> {
    let caption = || published.tables.get(result.table).and_then(|table| named(&table.caption));
    named(&result.group()).or_else(|| result.group().is_empty().then(caption)?)
}

pub fn statements_of_known_workloads(published: &Published) -> PublishedAudit {
    let mut wrong = Vec::new();
    for (at, result) in published.results.iter().enumerate() {
        // A log counts what was sent: its options were others.
        if published.tables.get(result.table).is_some_and(|table| table.is_log) {
            continue;
        }
        let Some((name, (ratio, slack))) = of(published, result).zip(counts::ratio(result, result)) else { continue };
        let known = WORKLOADS.iter().find(|(of, ..)| *of == name);
        let Some((_, queries, without)) = known else { continue };
        let fits = |queries: f64| (ratio / queries - 1.0).abs() <= TOLERANCE + slack;
        if !fits(*queries) && !fits(*without) {
            wrong.push((at, name, ratio, *queries));
        }
    }
    let Some((at, name, ratio, queries)) = wrong.first().copied() else { return PublishedAudit::default() };
    let place = place(&published.results[at]);
    let seen =
        msg!("doubt-published-known-queries-seen", place, ratio = precise(ratio), name, queries = precise(queries));
    let problem = Problem::new(msg!("doubt-published-known-queries", n = wrong.len())).evidence(seen);
    let touches = wrong.iter().flat_map(|(at, ..)| [(*at, Tps), (*at, Qps)]).collect();
    let problem = problem.hint(msg!("doubt-published-known-queries-hint"));
    PublishedAudit::doubt(Verdict::Degraded, "known-workload", problem, touches)
}
