//! Little's law: in a closed loop throughput × mean response time is the number of clients (Little 1961).

use super::mending::Mended;
use super::mending::{LITTLE, agrees, distance, heading_of_mean, is_of_other, mended, of_rate, rate};
use super::{COARSE, exchange, in_all, percent, place, precise};
use crate::figure_kind::FigureKind::{Clients, Mean, Qps, Tps};
use crate::heading;
use crate::published_audit::PublishedAudit;
use crate::quantity::{self, CellContent};
use crate::result::{Published, PublishedColumn};
use crate::words::{has_part, is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::doubt::Verdict;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn littles_law(published: &Published) -> PublishedAudit {
    // Where it is not known that both are of the same, it holds for all of them or for none.
    let is_open = |at: usize| is_of_other(published, rate(published, at, at, at), at);
    let contradicts =
        |at: usize| is_open(at) && agrees(published, at, at, at).is_none() && ratio(published, at).is_some();
    let is_contradicted = (0..published.results.len()).any(contradicts);
    let is_checked = |at: &usize| agrees(published, *at, *at, *at).is_some() && !(is_contradicted && is_open(*at));
    let checked: Vec<usize> = (0..published.results.len()).filter(is_checked).collect();
    if checked.is_empty() {
        let at_a_rate = !published.results.is_empty() && published.results.iter().all(|result| result.is_open_loop);
        return PublishedAudit::not_checked(match at_a_rate {
            true => msg!("published-little-at-a-rate"),
            false => msg!("published-wants-little"),
        });
    }
    let wrong: Vec<usize> =
        checked.iter().copied().filter(|at| agrees(published, *at, *at, *at) == Some(false)).collect();
    let worst = |mended: &dyn Fn(usize) -> (usize, usize)| {
        let each = checked.iter().filter_map(|at| {
            let (rate_of, mean_of) = mended(*at);
            Some(distance(published, rate_of, mean_of, *at)?.0.abs())
        });
        each.fold(0.0, f64::max)
    };
    if wrong.is_empty() {
        let fine = |at: &usize| distance(published, *at, *at, *at).is_some_and(|(_, rounding)| rounding < COARSE);
        let n = checked.iter().copied().filter(fine).count();
        if n == 0 {
            return PublishedAudit::not_checked(msg!("published-little-of-few-digits"));
        }
        // What is further than the tolerance is so by rounding.
        let (percent, all) = (percent(worst(&|at| (at, at)).min(LITTLE)), in_all(n));
        return PublishedAudit::confirmed(match checked.iter().any(|at| rate(published, *at, *at, *at) == Qps) {
            true => msg!("published-little-of-queries-holds", all, percent),
            false => msg!("published-little-holds", all, percent),
        });
    }
    let mended = mended(published);
    let mut all = PublishedAudit::default();
    if !mended.exchanges.is_empty() {
        let from = |at: usize| mended.exchanges.iter().find_map(|exchange| exchange.belongs.get(&at)).copied();
        let with = |at: usize| match (mended.kind, from(at)) {
            (Mean, Some(from)) => (at, from),
            (_, Some(from)) => (from, at),
            (_, None) => (at, at),
        };
        let still = |at: &&usize| {
            let (rate_of, mean_of) = with(**at);
            agrees(published, rate_of, mean_of, **at) == Some(true)
        };
        let mended_n = checked.iter().filter(still).count();
        let (n, agree) = (checked.len(), checked.len() - wrong.len());
        let targets = exchange::words(&mended.exchanges, published.groups().len());
        let evidence = msg!(
            "doubt-exchanged-little-seen",
            agree,
            n,
            example = example(published, wrong[0]),
            figure = mended.kind.words(),
            targets = targets.clone(),
            mended = mended_n,
            percent = percent(worst(&with))
        );
        let kind = mended.kind;
        let other = if kind == Mean { Tps } else { Mean };
        let hint = match mended.either {
            true => {
                let targets = targets.clone();
                msg!("doubt-exchanged-either-hint", figure = kind.words(), targets, other = other.words())
            }
            false => msg!("doubt-exchanged-hint", figure = kind.words(), targets),
        };
        let what = msg!("doubt-exchanged", figure = kind.words());
        let touches = mended.exchanges.iter().flat_map(|exchange| exchange.belongs.keys().map(|at| (*at, kind)));
        let problem = Problem::new(what).evidence(evidence).hint(hint);
        all = all.and(PublishedAudit::doubt(Verdict::Invalid, "exchanged", problem, touches.collect()));
    }
    all.and(without_exchange(published, &mended, &wrong))
}

/// Of results whose number of clients is assumed: takes it as known if it is that of Little's law in most of them, or would be if figures
/// were not exchanged.
pub(crate) fn bear_out(published: &mut Published) {
    let assumed: Vec<usize> =
        (0..published.results.len()).filter(|at| published.results[*at].assumes_clients).collect();
    assumed.iter().for_each(|at| published.results[*at].assumes_clients = false);
    let known: Vec<bool> = assumed.iter().filter_map(|at| agrees(published, *at, *at, *at)).collect();
    let agreeing = known.iter().filter(|agrees| **agrees).count();
    if 2 * agreeing <= known.len() && (known.is_empty() || mended(published).exchanges.is_empty()) {
        assumed.iter().for_each(|at| published.results[*at].assumes_clients = true);
    }
}

/// How many results agree with it, of how many of which that is known.
pub(crate) fn agreeing(published: &Published) -> (usize, usize) {
    let known = (0..published.results.len()).filter_map(|at| agrees(published, at, at, at));
    known.fold((0, 0), |(agreeing, of), agrees| (agreeing + usize::from(agrees), of + 1))
}

/// The product over the number of clients of each result that has both figures, with what rounding may explain of it.
pub(crate) fn ratios(published: &Published) -> Vec<(f64, f64)> {
    (0..published.results.len()).filter_map(|at| ratio(published, at)).collect()
}

/// The same of one result.
pub(crate) fn ratio(published: &Published, at: usize) -> Option<(f64, f64)> {
    let rate = rate(published, at, at, at);
    of_rate(published, rate, at, at, at).map(|(distance, rounding)| (distance + 1.0, rounding))
}

/// The results that do not agree, and that no exchange mends.
fn without_exchange(published: &Published, mended: &Mended, wrong: &[usize]) -> PublishedAudit {
    let left: Vec<usize> = wrong.iter().copied().filter(|at| mended.left.contains(at)).collect();
    let of = |at: &usize| distance(published, *at, *at, *at).map_or(0.0, |(distance, _)| distance);
    let (above, below): (Vec<usize>, Vec<usize>) = left.iter().partition(|at| of(at) > 0.0);
    let of_means = tables_of_means(published);
    let is_mean = |at: &usize| says_mean(published, *at) || of_means.contains(&published.results[*at].table);
    let (of_runs, above): (Vec<usize>, Vec<usize>) = above.into_iter().partition(|at| is_of_runs(published, *at));
    let (above, unsaid): (Vec<usize>, Vec<usize>) = above.into_iter().partition(is_mean);
    let mut all = PublishedAudit::default();
    let all_checked = (0..published.results.len()).filter(|at| agrees(published, *at, *at, *at).is_some()).count();
    for (results, verdict, what, hint) in [
        (above, Verdict::Invalid, msg!("doubt-published-above"), hint_of_unit(published, &left)),
        // A bare `Latency` may be a percentile.
        (of_runs, Verdict::Degraded, msg!("doubt-published-above"), msg!("doubt-published-above-of-runs-hint")),
        (unsaid, Verdict::Degraded, msg!("doubt-published-above"), msg!("doubt-published-above-unsaid-hint")),
        (below, Verdict::Degraded, msg!("doubt-published-below"), msg!("doubt-published-below-hint")),
    ] {
        let Some(first) = results.first() else { continue };
        let (n, example) = (results.len(), example(published, *first));
        let evidence = msg!("doubt-published-little-seen", n, all = all_checked, example);
        let touches = results.iter().flat_map(|at| [(*at, rate(published, *at, *at, *at)), (*at, Mean)]).collect();
        all = all.and(PublishedAudit::doubt(
            verdict,
            "littles-law",
            Problem::new(what).evidence(evidence).hint(hint),
            touches,
        ));
    }
    all
}

/// Whether a row says that its rate is the mean of several runs: that of unequal ones times the mean of their response times is above the clients.
fn is_of_runs(published: &Published, at: usize) -> bool {
    let result = &published.results[at];
    let of_rate = result.figures.get(&rate(published, at, at, at)).and_then(|(_, cell)| *cell);
    let Some((table, row, column)) = of_rate else { return false };
    let Some(table) = published.tables.get(table).filter(|table| !table.is_log) else { return false };
    let Some((heading, row)) = table.columns.get(column).zip(table.rows.get(row)) else { return false };
    let counts_runs = |(column, cell): (&PublishedColumn, &String)| {
        let all = lower(&words(&column.heading));
        !all.is_empty()
            && all.iter().all(|word| is_among(word, "of-repeat"))
            && matches!(quantity::read(cell), CellContent::Number(n, None, _) if n.value > 1.0)
    };
    heading::is_mean_of_rate(&heading.heading) && table.columns.iter().zip(&row.cells).any(counts_runs)
}

/// Whether a log, a heading or the name of a row says that its response time is the mean.
fn says_mean(published: &Published, at: usize) -> bool {
    let Some((_, Some((table, ..)))) = published.results[at].figures.get(&Mean) else { return true };
    let Some(table) = published.tables.get(*table) else { return true };
    let says = |text: &str| has_part(&lower(&words(text)).join(" "), "of-mean");
    table.is_log || says(heading_of_mean(published, at)) || says(&table.caption)
}

/// The tables in most of whose results the product is the number of clients: only the mean has that.
fn tables_of_means(published: &Published) -> BTreeSet<usize> {
    let mut tables: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for at in 0..published.results.len() {
        if let Some(agrees) = agrees(published, at, at, at) {
            let (agreeing, of) = tables.entry(published.results[at].table).or_default();
            (*agreeing, *of) = (*agreeing + usize::from(agrees), *of + 1);
        }
    }
    let is_mean = |(_, (agreeing, of)): &(usize, (usize, usize))| *agreeing > 1 && 2 * agreeing > *of;
    tables.into_iter().filter(is_mean).map(|(table, _)| table).collect()
}

/// If all products are too high or too low by the same power of a thousand, the unit is another one.
fn hint_of_unit(published: &Published, results: &[usize]) -> Message {
    let ratio = |at: &usize| distance(published, *at, *at, *at).map_or(0.0, |(distance, _)| distance + 1.0);
    let is = |factor: f64| results.iter().all(|at| (ratio(at) / factor - 1.0).abs() < 2.0 * LITTLE);
    if is(1e3) { msg!("doubt-published-unit-hint", unit = "µs") } else { msg!("doubt-published-above-hint") }
}

/// `line 2, fusionio: 226.95/s × 42.39 ms = 9.62, clients 1`.
fn example(published: &Published, at: usize) -> Message {
    let result = &published.results[at];
    let of = |kind| result.get(kind).unwrap_or(0.0);
    let rate = of(rate(published, at, at, at));
    msg!(
        "published-product",
        place = place(result),
        tps = precise(rate),
        mean_ms = precise(of(Mean)),
        product = precise(rate * of(Mean) / 1e3),
        clients = precise(of(Clients))
    )
}
