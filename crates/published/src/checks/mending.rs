//! What Little's law and the percentiles have to do with one another: if the means or rates of targets are exchanged, other
//! percentiles belong to them.

use super::exchange::{self, Exchange};
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{Clients, Mean, Qps, Seconds, Tps, Transactions};
use crate::result::{Meaning, Published};
use crate::words::{is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet};

/// What the product may differ from the number of clients, as in the audit of a trial.
pub(super) const LITTLE: f64 = 0.05;
/// Of a shorter measurement the transactions in progress at its edges count.
const LEAST_TRANSACTIONS: f64 = 1000.0;
const LEAST_MEANS: f64 = 20.0;

/// The relative distance of the product from the number of clients, with the rate of one result and the mean of another,
/// and what rounding may explain of it. `None` if a figure is missing, the measurement is too short, or was made at a rate: response
/// times then include the wait for a client, and clients may be idle.
pub(super) fn distance(published: &Published, rate_of: usize, mean_of: usize, clients_of: usize) -> Option<(f64, f64)> {
    let kind = rate(published, rate_of, mean_of, clients_of);
    let distance = of_rate(published, kind, rate_of, mean_of, clients_of)?;
    (!is_of_other(published, kind, mean_of) || agree(distance)).then_some(distance)
}

/// Whether of a mean and a rate one is that of queries and the other may be that of transactions: only if each is one query they can be checked.
pub(super) fn is_of_other(published: &Published, rate: FigureKind, mean_of: usize) -> bool {
    (rate == Qps) != says_query(published, mean_of)
}

/// The rate whose product with a mean is the number of clients: that of queries, if there is no other, or if the mean is said to be of a
/// query, and a transaction has several.
pub(super) fn rate(published: &Published, rate_of: usize, mean_of: usize, clients_of: usize) -> FigureKind {
    let agrees = || of_rate(published, Tps, rate_of, mean_of, clients_of).is_some_and(agree);
    let has = |kind| published.results[rate_of].get(kind).is_some();
    if has(Qps) && (!has(Tps) || (says_query(published, mean_of) && !agrees())) { Qps } else { Tps }
}

/// Whether the heading of the mean says that it is of a query: `avg query latency`.
fn says_query(published: &Published, at: usize) -> bool {
    let is_of = |word: &String| is_among(word, "of-query") || is_among(&format!("{word}s"), "of-query");
    let all = lower(&words(heading_of_mean(published, at)));
    all.iter().any(is_of) && !all.iter().any(|word| is_among(word, "of-transaction"))
}

/// The heading of the column of the mean, or the name of its row; empty if it is that of a log.
pub(super) fn heading_of_mean(published: &Published, at: usize) -> &str {
    let Some((_, Some((table, row, column)))) = published.results[at].figures.get(&Mean) else { return "" };
    let Some(table) = published.tables.get(*table).filter(|table| !table.is_log) else { return "" };
    let of_row = || table.rows.get(*row).and_then(|row| row.cells.first()).map_or("", String::as_str);
    match table.columns.get(*column) {
        Some(column) if column.meaning == Meaning::Value => of_row(),
        Some(column) => &column.heading,
        None => "",
    }
}

/// The same with this rate, whatever the mean is of.
pub(super) fn of_rate(
    published: &Published,
    rate: FigureKind,
    rate_of: usize,
    mean_of: usize,
    clients_of: usize,
) -> Option<(f64, f64)> {
    let result = &published.results[clients_of];
    let (rate, mean) = (published.results[rate_of].quantity(rate)?, published.results[mean_of].quantity(Mean)?);
    let clients =
        result.get(Clients).filter(|clients| *clients > 0.0 && !result.is_open_loop && !result.is_of_course)?;
    if result.assumes_clients || result.shares_clients {
        return None;
    }
    let short = result.get(Seconds).is_some_and(|s| s * 1e3 < LEAST_MEANS * mean.value)
        || result.get(Transactions).is_some_and(|n| n < LEAST_TRANSACTIONS);
    let sound = rate.value > 0.0 && mean.value > 0.0 && !short;
    sound.then(|| (rate.value * mean.value / 1e3 / clients - 1.0, rate.rounding() + mean.rounding()))
}

fn agree((distance, rounding): (f64, f64)) -> bool {
    let (least, most) = ((1.0 + distance) * (1.0 - rounding), (1.0 + distance) * (1.0 + rounding));
    least <= 1.0 + LITTLE && most >= 1.0 - LITTLE
}

/// Whether the product is the number of clients.
pub(super) fn agrees(published: &Published, rate_of: usize, mean_of: usize, clients_of: usize) -> Option<bool> {
    distance(published, rate_of, mean_of, clients_of).map(agree)
}

/// Which of the two figures is taken to stand under the wrong target, and the exchanges of it.
pub(super) struct Mended {
    /// Mean response time or TPS.
    pub kind: FigureKind,
    /// The exchanges, none if there is nothing to mend.
    pub exchanges: Vec<Exchange>,
    /// Of all of them: the result whose figure belongs to a result.
    pub belongs: BTreeMap<usize, usize>,
    /// Whether the other figure of the two could as well be the wrong one.
    pub either: bool,
    /// Results of groups that disagree and have no exchange.
    pub left: BTreeSet<usize>,
}

impl Mended {
    /// The result whose mean belongs to a result.
    pub fn mean_of(&self, at: usize) -> usize {
        self.belongs.get(&at).copied().filter(|_| self.kind == Mean).unwrap_or(at)
    }
}

/// A result is of one group, and so of one exchange.
fn belongs(exchanges: &[Exchange]) -> BTreeMap<usize, usize> {
    exchanges.iter().flat_map(|exchange| exchange.belongs.iter().map(|(at, of)| (*at, *of))).collect()
}

/// The exchange that mends the table. An exchange of the rates has the same products as one of the means: it is the one
/// that leaves fewer other columns to be exchanged, or, if they are as many, the means.
pub(super) fn mended(published: &Published) -> Mended {
    let of_means = |at: usize, from: usize| agrees(published, at, from, at).unwrap_or(at == from);
    let of_rates = |at: usize, from: usize| agrees(published, from, at, at).unwrap_or(at == from);
    let (exchanges, left) = exchange::search(published, Mean, &of_means);
    let by_means = Mended { kind: Mean, belongs: belongs(&exchanges), exchanges, either: false, left };
    let (exchanges, left) = exchange::search(published, Tps, &of_rates);
    let by_rates = Mended { kind: Tps, belongs: belongs(&exchanges), exchanges, either: false, left };
    if by_means.exchanges.is_empty() || by_rates.exchanges.len() != by_means.exchanges.len() {
        return by_means;
    }
    let has_qps = usize::from(published.results.iter().any(|result| result.get(Qps).is_some()));
    let cost = |mended: &Mended| percentile_exchanges(published, mended).len();
    let (of_means, of_rates) = (cost(&by_means), cost(&by_rates) + has_qps);
    if of_rates < of_means { by_rates } else { Mended { either: of_rates == of_means, ..by_means } }
}

/// Percentiles of histograms with few buckets, such as sysbench's, are off by this.
const PERCENTILES: f64 = 0.05;
/// Below the mean may be any percentile but those near the end.
const NEAR_END: f64 = 0.9;

/// How a percentile contradicts the mean.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Contradiction {
    /// It is below the mean.
    Below,
    /// It is so high that the mean had to be higher.
    TooHigh,
}

/// The percentile of one result beside the mean of another.
pub(super) fn contradiction(
    published: &Published,
    kind: FigureKind,
    of: usize,
    mean_of: usize,
) -> Option<Contradiction> {
    let FigureKind::Percentile(hundredths) = kind else { return None };
    let part = f64::from(hundredths) / 1e4;
    let (high, mean) = (published.results[of].quantity(kind)?, published.results[mean_of].quantity(Mean)?);
    // A percentile that sysbench was not asked for is 0.
    if high.value <= 0.0 || mean.value <= 0.0 {
        return None;
    }
    if part >= NEAR_END && high.value + high.half < (mean.value - mean.half) * (1.0 - PERCENTILES) {
        return Some(Contradiction::Below);
    }
    let least = (high.value - high.half) * (1.0 - part);
    (least > (mean.value + mean.half) * (1.0 + PERCENTILES)).then_some(Contradiction::TooHigh)
}

/// The percentiles that are there.
pub(super) fn percentiles(published: &Published) -> BTreeSet<FigureKind> {
    published.results.iter().flat_map(|result| result.percentiles().map(|(_, kind)| kind)).collect()
}

/// The exchanges of percentiles that are left when the means or rates are exchanged.
pub(super) fn percentile_exchanges(published: &Published, mended: &Mended) -> Vec<(FigureKind, Exchange)> {
    let of_kind = |kind| {
        let fits = |at: usize, from: usize| contradiction(published, kind, from, mended.mean_of(at)).is_none();
        exchange::search(published, kind, &fits).0.into_iter().map(move |exchange| (kind, exchange))
    };
    percentiles(published).into_iter().flat_map(of_kind).collect()
}
