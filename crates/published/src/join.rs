//! Results whose figures stand in several tables of a text: one for the throughput, one for the response times; or one
//! for each workload.

use crate::figure_kind::FigureKind::{Clients, Period, QueriesPerClient, Warehouses};
use crate::heading;
use crate::result::{Published, PublishedResult};
use std::collections::BTreeMap;

/// What tells results of one text apart.
type Key = (Option<String>, Option<String>, Vec<(String, String)>, String);

/// One result for each target, workload and number of clients. Where several tables have the same figures of the same
/// targets, the words above them tell their workloads.
pub fn tables(mut published: Published) -> Published {
    if published.tables.len() < 2 {
        return published;
    }
    let has_conflicts = {
        let mut seen: BTreeMap<Key, Vec<&PublishedResult>> = BTreeMap::new();
        for result in &published.results {
            seen.entry(key(result)).or_default().push(result);
        }
        let conflict = |all: &Vec<&PublishedResult>| {
            all.iter().enumerate().any(|(n, a)| all[n + 1..].iter().any(|b| a.table != b.table && !are_parts(a, b)))
        };
        seen.values().any(conflict)
    };
    if has_conflicts {
        for result in published.results.iter_mut().filter(|result| result.workload.is_none()) {
            let caption = published.tables.get(result.table).map(|table| heading::beside_figure(&table.caption));
            result.workload = caption.filter(|caption| !caption.is_empty());
        }
    }
    let mut joined: Vec<PublishedResult> = Vec::new();
    let mut places: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for result in std::mem::take(&mut published.results) {
        let known = places.entry(key(&result)).or_default();
        match known.iter().find(|at| joined[**at].table != result.table && are_parts(&joined[**at], &result)) {
            Some(at) => {
                joined[*at].has_spread |= result.has_spread;
                joined[*at].counted_s = joined[*at].counted_s.or(result.counted_s);
                for (kind, figure) in result.figures {
                    joined[*at].figures.entry(kind).or_insert(figure);
                }
            }
            None => {
                known.push(joined.len());
                joined.push(result);
            }
        }
    }
    published.results = joined;
    published
}

fn key(result: &PublishedResult) -> Key {
    let load = [Clients, QueriesPerClient, Warehouses].map(|kind| result.get(kind).map(|value| value.to_string()));
    (result.target.clone(), result.workload.clone(), result.axes.clone(), format!("{load:?}"))
}

/// Whether two results have no figure in common but those of the load.
fn are_parts(a: &PublishedResult, b: &PublishedResult) -> bool {
    let of_load = [Clients, QueriesPerClient, Warehouses, Period];
    !a.figures.keys().any(|kind| !of_load.contains(kind) && b.figures.contains_key(kind))
}
