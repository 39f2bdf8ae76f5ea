//! Statements per transaction: a workload sends the same number in each.

use super::exchange;
use super::known_workloads::{self, Statements};
use super::{can_be_one, in_all, place, precise};
use crate::figure_kind::FigureKind::{Others, Qps, Queries, Reads, Retried, Tps, Transactions, Writes};
use crate::published_audit::PublishedAudit;
use crate::quantity;
use crate::result::{Meaning, Published, PublishedResult};
use crate::words::{is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::doubt::Verdict;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What a result may be off: repeated statements after a deadlock, the edges of the measurement.
const TOLERANCE: f64 = 0.01;

/// The same of a workload whose name says how many statements it sends.
const OF_KNOWN: f64 = 0.02;

/// A transaction has one statement at least.
const LEAST: f64 = 0.5;

/// More workloads are not told apart by their number of statements.
const MOST_WORKLOADS: usize = 12;

/// The transactions that failed in a second, as a part of those that did not, where a column that is not read has them: `err/s`. Their statements are
/// counted.
fn failing(published: &Published, result: &PublishedResult) -> f64 {
    let of_row = || {
        let (rate, cell) = result.figures.get(&Tps)?;
        let (table, row, _) = (*cell)?;
        let table = published.tables.get(table).filter(|table| !table.is_log)?;
        let is_it = |heading: &str| {
            let all = lower(&words(heading));
            all.iter().any(|word| is_among(word, "failed")) && all.iter().any(|word| is_among(word, "of-period"))
        };
        let at = table.columns.iter().position(|of| of.meaning == Meaning::Unknown && is_it(&of.heading))?;
        let failed = quantity::value(&table.rows.get(row)?.cells, at)?;
        (rate.value > 0.0 && failed > 0.0).then_some(failed / rate.value)
    };
    of_row().unwrap_or(0.0)
}

/// Statements per transaction, and what rounding and repeated transactions leave open of it.
fn ratio(published: &Published, queries: &PublishedResult, transactions: &PublishedResult) -> Option<(f64, f64)> {
    let retried = transactions.get(Retried).zip(transactions.get(Transactions)).filter(|(_, of)| *of > 0.0);
    let repeated = retried.map_or(0.0, |(retried, of)| retried / of);
    let failing = failing(published, transactions);
    let by_rates = queries.quantity(Qps).zip(transactions.quantity(Tps));
    let (queries, transactions) =
        by_rates.or_else(|| queries.quantity(Queries).zip(transactions.quantity(Transactions)))?;
    let slack = queries.rounding() + transactions.rounding() + repeated + failing;
    (transactions.value > 0.0).then(|| (queries.value / transactions.value, slack))
}

/// Where no workload is named, results with another whole number of statements are of another workload.
fn workload_of(result: &PublishedResult, ratio: f64, slack: f64) -> Option<u64> {
    let whole = ratio.round();
    let is_whole = whole >= 1.0 && (ratio / whole - 1.0).abs() <= TOLERANCE.min(0.2 / whole) + slack;
    (result.workload.is_none() && is_whole).then_some(whole as u64)
}

/// Results by their workload: index, statements per transaction, and what is open of them.
type Groups<'p> = BTreeMap<(Option<&'p str>, Option<u64>), Vec<(usize, f64, f64)>>;

/// Few results of which each transaction has ten or a hundred times as many or few statements as that of most others lack a digit, or have one
/// too many: they are no workload of their own.
fn with_lost_digits(groups: &mut Groups<'_>) {
    let wholes: Vec<(u64, usize)> = groups
        .iter()
        .filter_map(|((workload, whole), all)| whole.filter(|_| workload.is_none()).map(|whole| (whole, all.len())))
        .collect();
    let [(a, n), (b, m)] = wholes[..] else { return };
    let (few, most) = if n < m { (a, b) } else { (b, a) };
    let is_power = [10_u64, 100, 1000]
        .iter()
        .any(|power| few.saturating_mul(*power) == most || most.saturating_mul(*power) == few);
    // Transactions of one statement are a workload that many have beside another one.
    if is_power && 2 * n.min(m) <= n.max(m) && a > 1 && b > 1 {
        let odd = groups.remove(&(None, Some(few))).unwrap_or_default();
        groups.entry((None, Some(most))).or_default().extend(odd);
    }
}

pub fn queries_per_transaction(published: &Published) -> PublishedAudit {
    let mut groups: Groups<'_> = BTreeMap::new();
    // The transactions of a moment began before it.
    let of_course = published.results.iter().filter(|result| result.is_of_course).count();
    for (at, result) in published.results.iter().enumerate().filter(|(_, result)| !result.is_of_course) {
        if let Some((ratio, slack)) = ratio(published, result, result) {
            let key = (result.workload.as_deref(), workload_of(result, ratio, slack));
            groups.entry(key).or_default().push((at, ratio, slack));
        }
    }
    // This many workloads would have a name: these are the figures of one, and scatter.
    if groups.len() > MOST_WORKLOADS {
        let unnamed: Vec<_> =
            groups.extract_if(.., |(workload, _), _| workload.is_none()).flat_map(|(_, all)| all).collect();
        groups.extend((!unnamed.is_empty()).then_some(((None, None), unnamed)));
    }
    // What is no whole number belongs to the most frequent one.
    if let Some(odd) = groups.get(&(None, None)).cloned() {
        let most = groups.iter_mut().filter(|((workload, whole), _)| workload.is_none() && whole.is_some());
        if let Some((_, all)) = most.max_by_key(|(_, all)| all.len()) {
            all.extend(odd);
            all.sort_by_key(|(at, ..)| *at);
            groups.remove(&(None, None));
        }
    }
    with_lost_digits(&mut groups);
    if groups.is_empty() && of_course > 0 {
        return PublishedAudit::default();
    }
    if groups.is_empty() {
        return PublishedAudit::not_checked(msg!("published-wants-queries"));
    }
    let mut all = PublishedAudit::default();
    let n_groups = groups.len();
    for ((workload, _), of_it) in groups {
        let mut sorted: Vec<f64> = of_it.iter().map(|(_, ratio, _)| *ratio).collect();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted[sorted.len() / 2];
        // One statement for many events, as of `bulk_insert`: what is counted are not its statements.
        if middle < LEAST {
            continue;
        }
        let fits = |ratio: f64, rounding: f64| can_be_one(ratio / middle, TOLERANCE, rounding);
        let wrong: Vec<usize> =
            of_it.iter().filter(|(_, ratio, rounding)| !fits(*ratio, *rounding)).map(|(at, ..)| *at).collect();
        let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
        all = all.and(match wrong.first() {
            None => PublishedAudit::confirmed(constant(workload, of_it.len(), middle, low, high)),
            Some(first) => {
                let of_group: BTreeSet<usize> = of_it.iter().map(|(at, ..)| *at).collect();
                let agrees = |at: usize, from: usize| {
                    let ratio = ratio(published, &published.results[from], &published.results[at]);
                    !of_group.contains(&at) || ratio.is_some_and(|(ratio, rounding)| fits(ratio, rounding))
                };
                let (exchanges, _) = match n_groups {
                    0..=MOST_WORKLOADS => exchange::search(published, Qps, &agrees),
                    _ => Default::default(),
                };
                let example = place(&published.results[*first]);
                let of_first = of_it.iter().find(|(at, ..)| at == first).map_or(0.0, |(_, ratio, _)| *ratio);
                let (n, of) = (wrong.len(), of_it.len());
                let evidence = msg!(
                    "doubt-published-queries-seen",
                    n,
                    all = of,
                    example,
                    ratio = precise(of_first),
                    middle = precise(middle)
                );
                let hint = match exchanges.as_slice() {
                    [] => msg!("doubt-published-look-at-source"),
                    exchanges => {
                        let targets = exchange::words(exchanges, published.groups().len());
                        msg!("doubt-exchanged-hint", figure = Qps.words(), targets)
                    }
                };
                let verdict = if exchanges.is_empty() { Verdict::Degraded } else { Verdict::Invalid };
                let touches = wrong.iter().flat_map(|at| [(*at, Tps), (*at, Qps)]).collect();
                let problem = Problem::new(msg!("doubt-published-queries")).evidence(evidence).hint(hint);
                PublishedAudit::doubt(verdict, "queries-per-transaction", problem, touches)
            }
        });
    }
    all
}

/// `20 queries per transaction in all 18 results (19.99–20.01), as sysbench's oltp_read_write sends`.
fn constant(workload: Option<&str>, n: usize, middle: f64, low: f64, high: f64) -> Message {
    let known = known_workloads::by_ratio(middle, TOLERANCE);
    // A workload of another name does not send as many as this one.
    let known = known.filter(|(_, name)| workload.and_then(known_workloads::named).is_none_or(|own| own == *name));
    let of = workload.map_or(foreign(""), |workload| msg!("published-of-workload", workload));
    let ratio = known.map_or(middle, |(queries, _)| queries);
    let as_of = known.map_or(foreign(""), |(_, name)| msg!("published-as-sysbench", name));
    let (low, high) = (format!("{low:.2}"), format!("{high:.2}"));
    let range = if low == high { low } else { format!("{low}–{high}") };
    msg!("published-queries-hold", ratio = precise(ratio), of, all = in_all(n), range, known = as_of)
}

/// The workload that the words of a result name, or those above its table, with how many statements it sends.
fn known_workload(published: &Published, result: &PublishedResult) -> Option<(&'static str, Statements)> {
    let (group, caption) =
        (result.group(), published.tables.get(result.table).map_or("", |table| table.caption.as_str()));
    let of_caption = || known_workloads::named(caption).filter(|_| group.is_empty());
    let name = known_workloads::named(&group).or_else(of_caption)?;
    Some((name, known_workloads::statements(name, &format!("{group} {caption}"))?))
}

pub fn statements_of_known_workloads(published: &Published) -> PublishedAudit {
    let mut wrong = Vec::new();
    for (at, result) in published.results.iter().enumerate() {
        // A log counts what was sent: its options were others.
        if published.tables.get(result.table).is_some_and(|table| table.is_log) {
            continue;
        }
        let Some(((name, known), (ratio, slack))) =
            known_workload(published, result).zip(ratio(published, result, result))
        else {
            continue;
        };
        let fits = |queries: f64| can_be_one(ratio / queries, OF_KNOWN, slack);
        if !known.either.into_iter().any(fits) {
            wrong.push((at, name, ratio, known));
        }
    }
    let Some((at, name, ratio, known)) = wrong.first().map(|(at, name, ratio, known)| (at, *name, ratio, known)) else {
        return PublishedAudit::default();
    };
    let (place, ratio, queries) = (place(&published.results[*at]), precise(*ratio), precise(known.either[0]));
    let evidence = match known.has_options {
        true => msg!("doubt-published-known-queries-of-options-seen", place, ratio, name, queries),
        false => msg!("doubt-published-known-queries-seen", place, ratio, name, queries),
    };
    let problem = Problem::new(msg!("doubt-published-known-queries", n = wrong.len())).evidence(evidence);
    let touches = wrong.iter().flat_map(|(at, ..)| [(*at, Tps), (*at, Qps)]).collect();
    let problem = problem.hint(msg!("doubt-published-known-queries-hint"));
    PublishedAudit::doubt(Verdict::Degraded, "known-workload", problem, touches)
}

/// Reads, writes and others are all statements, and as many of each in every transaction.
pub fn shares_of_statements(published: &Published) -> PublishedAudit {
    let (mut n, mut wrong, mut shares) = (0, Vec::new(), Vec::new());
    for (at, result) in published.results.iter().enumerate() {
        let of = |kind| result.get(kind);
        let (Some(reads), Some(writes), Some(others)) = (of(Reads), of(Writes), of(Others)) else { continue };
        n += 1;
        let sum = reads + writes + others;
        if of(Queries).is_some_and(|queries| (sum - queries).abs() > 0.5_f64.max(queries * 1e-9)) {
            wrong.push((at, sum));
        } else if let Some(transactions) = of(Transactions).filter(|n| *n > 0.0) {
            shares.push([reads, writes, others].map(|count| count / transactions));
        }
    }
    if let Some((at, sum)) = wrong.first() {
        let result = &published.results[*at];
        let evidence = msg!(
            "doubt-published-sum-seen",
            place = place(result),
            sum = precise(*sum),
            queries = precise(result.get(Queries).unwrap_or(0.0))
        );
        let touches =
            wrong.iter().flat_map(|(at, _)| [Reads, Writes, Others, Queries].map(|kind| (*at, kind))).collect();
        let problem = Problem::new(msg!("doubt-published-sum")).evidence(evidence);
        let problem = problem.hint(msg!("doubt-published-look-at-source"));
        return PublishedAudit::doubt(Verdict::Invalid, "sum", problem, touches);
    }
    let Some(first) = shares.first() else { return PublishedAudit::default() };
    let whole = first.iter().all(|share| (share - share.round()).abs() <= TOLERANCE * share.max(1.0));
    let same = shares.iter().all(|all| all.iter().zip(first).all(|(a, b)| (a - b).abs() <= TOLERANCE * b.max(1.0)));
    if !whole || !same {
        return PublishedAudit::default();
    }
    let [reads, writes, others] = first.map(|share| precise(share.round()));
    PublishedAudit::confirmed(msg!("published-shares-hold", reads, writes, others, all = in_all(n)))
}
