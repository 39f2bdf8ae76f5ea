//! Results whose figures stand in several tables of a text: one for the throughput, one for the response times; or one
//! for each workload.

use crate::caption;
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{Clients, Period, QueriesPerClient, Warehouses};
use crate::heading::named_figure;
use crate::result::{Published, PublishedResult};
use crate::words::{is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet};

/// What distinguishes results of one text.
type Key = (Option<String>, Option<String>, Vec<(String, String)>, String);

/// One result for each target, workload and number of clients. Where several tables have the same figures of the same
/// targets, the words above them name their workloads.
pub fn tables(mut published: Published) -> Published {
    if published.tables.len() < 2 {
        return published;
    }
    let has_conflicts = {
        let mut by_key: BTreeMap<Key, Vec<&PublishedResult>> = BTreeMap::new();
        for result in &published.results {
            by_key.entry(key(result)).or_default().push(result);
        }
        // A figure that results of two tables have.
        let conflict = |all: &Vec<&PublishedResult>| {
            let mut tables: BTreeMap<FigureKind, usize> = BTreeMap::new();
            let figures = all.iter().flat_map(|result| own(result).map(|kind| (kind, result.table)));
            { figures }.any(|(kind, table)| *tables.entry(kind).or_insert(table) != table)
        };
        let names: Vec<BTreeSet<String>> = published.tables.iter().map(|table| names(&table.caption)).collect();
        // Tables of two products, or of two workloads.
        let are_of_others = |all: &Vec<&PublishedResult>| {
            let of: BTreeSet<&BTreeSet<String>> = all.iter().filter_map(|result| names.get(result.table)).collect();
            of.iter().any(|one| of.iter().any(|other| !one.is_subset(other) && !other.is_subset(one)))
        };
        by_key.values().any(|all| conflict(all) || are_of_others(all))
    };
    if has_conflicts {
        for result in published.results.iter_mut().filter(|result| result.workload.is_none()) {
            let caption = published.tables.get(result.table).map(|table| caption::beside_figure(&table.caption));
            result.workload = caption.filter(|caption| !caption.is_empty());
        }
    }
    let mut joined: Vec<PublishedResult> = Vec::new();
    let mut places: BTreeMap<Key, Alike> = BTreeMap::new();
    for result in std::mem::take(&mut published.results) {
        let known = places.entry(key(&result)).or_default();
        let kinds: BTreeSet<FigureKind> = own(&result).collect();
        // The first that has none of these figures, of another table.
        let has_none = |(table, of): &&(usize, BTreeSet<FigureKind>)| *table != result.table && of.is_disjoint(&kinds);
        let partner = known.iter().filter(|(of, _)| has_none(of)).min_by_key(|(_, all)| all.first());
        let partner = partner.map(|(of, _)| of.clone());
        let taken = partner.and_then(|of| {
            let all = known.get_mut(&of)?;
            let at = all.pop_first();
            if all.is_empty() {
                known.remove(&of);
            }
            Some((at?, of))
        });
        let (at, table, all) = match taken {
            Some((at, (table, of))) => {
                joined[at].has_spread |= result.has_spread;
                joined[at].assumes_clients &= result.assumes_clients;
                joined[at].counted_s = joined[at].counted_s.or(result.counted_s);
                for (kind, figure) in result.figures {
                    joined[at].figures.entry(kind).or_insert(figure);
                }
                (at, table, of.union(&kinds).copied().collect())
            }
            None => {
                joined.push(result);
                (joined.len() - 1, joined[joined.len() - 1].table, kinds)
            }
        };
        known.entry((table, all)).or_default().insert(at);
    }
    published.results = joined;
    published
}

/// The words above a table that name what was compared: products, versions, and kinds of statements.
fn names(caption: &str) -> BTreeSet<String> {
    const NAMES: [&str; 3] = ["of-product", "of-operation", "of-own-workload"];
    let is_name = |word: &String| NAMES.iter().any(|of| is_among(word, of)) || named_figure::is_version(word);
    lower(&words(&caption::beside_figure(caption))).into_iter().filter(is_name).collect()
}

fn key(result: &PublishedResult) -> Key {
    let load = [Clients, QueriesPerClient, Warehouses].map(|kind| result.get(kind).map(|value| value.to_string()));
    (result.target.clone(), result.workload.clone(), result.axes.clone(), format!("{load:?}"))
}

/// Results that nothing distinguishes, by their table and their figures.
type Alike = BTreeMap<(usize, BTreeSet<FigureKind>), BTreeSet<usize>>;

/// The figures of a result without those of the load.
fn own(result: &PublishedResult) -> impl Iterator<Item = FigureKind> + '_ {
    let of_load = [Clients, QueriesPerClient, Warehouses, Period];
    result.figures.keys().copied().filter(move |kind| !of_load.contains(kind))
}
