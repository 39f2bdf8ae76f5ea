//! Clients of several columns: the one that has them (`client | threads`), and those of which they are the product: `threads | connections per thread`,
//! `client machines | threads`.

use crate::checks::little;
use crate::column::{Column, SHOWN};
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::Clients;
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, Published, PublishedRow, PublishedTable};
use crate::rows;
use crate::words::{is_among, lower, words};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::text::short;

/// How far throughput × mean response time may be from the product.
const NEAR: f64 = 0.05;

/// Of several columns of clients that one has them which Little's law says in most rows, or else the first whose heading is no singular: `client` beside
/// `threads` is the number of one of them.
pub(crate) fn one_of_several(columns: &mut [Column], table: &PublishedTable) {
    let all: Vec<usize> =
        (0..columns.len()).filter(|at| columns[*at].meaning == Meaning::Figure(Clients, None)).collect();
    if all.len() < 2 {
        return;
    }
    let of = |kind: FigureKind| columns.iter().position(|column| column.meaning == Meaning::Figure(kind, None));
    let value = |row: &PublishedRow, kind: FigureKind, at: usize| {
        rows::figure(&row.cells[at], kind, &columns[at], row.line, &mut false, &mut Vec::new()).map(|of| of.value)
    };
    let rate =
        of(FigureKind::Tps).map(|at| (FigureKind::Tps, at)).or(of(FigureKind::Qps).map(|at| (FigureKind::Qps, at)));
    let agreeing = |clients: usize| {
        let Some(((kind, rate), mean)) = rate.zip(of(FigureKind::Mean)) else { return 0 };
        let agrees = |row: &&PublishedRow| {
            let product = value(row, kind, rate).zip(value(row, FigureKind::Mean, mean)).map(|(a, b)| a * b / 1e3);
            let of_row = product.zip(value(row, Clients, clients));
            of_row.is_some_and(|(product, clients)| (product / clients - 1.0).abs() <= NEAR)
        };
        table.rows.iter().filter(agrees).count()
    };
    let is_singular = |at: &usize| {
        let heading = columns[*at].heading.trim().to_lowercase();
        ["client", "thread", "connection", "conn", "user", "worker", "session"].contains(&heading.as_str())
    };
    let best = all.iter().copied().max_by_key(|at| (agreeing(*at), std::cmp::Reverse(*at)));
    let by_law = best.filter(|at| 2 * agreeing(*at) > table.rows.len());
    let Some(chosen) = by_law.or_else(|| all.iter().copied().find(|at| !is_singular(at))).or(all.first().copied())
    else {
        return;
    };
    for at in all.into_iter().filter(|at| *at != chosen) {
        columns[at].meaning = Meaning::Unknown;
    }
}

/// Takes the clients of each result times the number of another column of its row, if Little's law says so of all results: of two at least, unless the
/// heading says it too (`threads per client`).
pub(crate) fn multiply(columns: &[Column], table: &PublishedTable, out: &mut Published) {
    let Some(clients) = columns.iter().position(|column| column.meaning == Meaning::Figure(Clients, None)) else {
        return;
    };
    let row = |at: usize| out.results[at].figures.get(&Clients).and_then(|(_, cell)| *cell).map(|(_, row, _)| row);
    let rows: Vec<Option<usize>> = (0..out.results.len()).map(row).collect();
    let ratios: Vec<(usize, f64, f64)> = (0..rows.len())
        .filter_map(|at| little::ratio(out, at).map(|(ratio, rounding)| (at, ratio, rounding)))
        .collect();
    let number = |row: Option<usize>, at: usize| match quantity::read(table.rows.get(row?)?.cells.get(at)?) {
        CellContent::Number(quantity, None, false) if quantity.value.fract() == 0.0 && quantity.value >= 1.0 => {
            Some(quantity.value)
        }
        _ => None,
    };
    let is_factor = |at: &usize| {
        let numbers: Option<Vec<f64>> = rows.iter().map(|row| number(*row, *at)).collect();
        let is_open = !matches!(columns[*at].meaning, Meaning::Figure(..)) && columns[*at].clients.is_none();
        let says_each = is_of_each(&columns[*at].heading, &columns[clients].heading);
        let agrees = |(result, ratio, rounding): &(usize, f64, f64)| {
            number(rows[*result], *at).is_some_and(|n| (ratio / n - 1.0).abs() <= NEAR + rounding.min(NEAR))
        };
        let all_agree = ratios.iter().all(agrees);
        is_open
            && numbers.is_some_and(|all| all.iter().any(|n| *n > 1.0))
            && all_agree
            && ratios.len() > usize::from(!says_each)
    };
    let Some(factor) = (0..columns.len()).filter(|at| *at != clients).find(is_factor) else { return };
    for (result, row) in out.results.iter_mut().zip(&rows) {
        if let (Some((quantity, _)), Some(n)) = (result.figures.get_mut(&Clients), number(*row, factor)) {
            *quantity = quantity.times(n);
        }
    }
    let heading = &columns[factor].heading;
    out.results.iter_mut().for_each(|result| result.axes.retain(|(name, _)| name != heading));
    let name = |at: usize| foreign(short(&columns[at].heading, SHOWN));
    out.remarks.push(msg!("published-clients-multiplied", each = name(factor), clients = name(clients)));
    let text = || short(heading, SHOWN);
    let of_factor = [msg!("published-column-unknown", name = text()), msg!("published-column-swept", name = text())];
    out.remarks.retain(|remark| !of_factor.contains(remark));
}

/// Whether a heading is of a number of clients for each of those of another one: `connections per thread` beside `threads`.
fn is_of_each(heading: &str, clients: &str) -> bool {
    let all = lower(&words(heading));
    let Some((what, of)) = all.iter().position(|word| is_among(word, "per")).map(|at| (&all[..at], &all[at + 1..]))
    else {
        return false;
    };
    let single = |word: &String| word.trim_end_matches('s').to_owned();
    let others: Vec<String> = lower(&words(clients)).iter().map(single).collect();
    let counts_clients = what.last().is_some_and(|word| is_among(word, "clients") || is_among(word, "of-client"));
    counts_clients && !of.is_empty() && of.iter().map(single).all(|word| others.contains(&word))
}
