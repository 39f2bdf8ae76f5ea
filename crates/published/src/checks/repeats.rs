//! Repeats of the same measurement, and rows that were copied.

use super::place;
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{
    Clients, Deviation, EventsPerClient, MaxSeconds, Mean, MinSeconds, Others, PerPeriod, Period, Qps, Queries,
    QueriesPerClient, Reads, Seconds, Sum, Total, Tpm, Tps, Transactions, Warehouses, Writes,
};
use crate::published_audit::PublishedAudit;
use crate::quantity::Quantity;
use crate::result::{Meaning, Published, PublishedResult, PublishedTable};
use crate::sections;
use std::collections::BTreeMap;
use tenbin_model::doubt::Verdict;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What distinguishes results, with the cells of columns that are not understood, which may be numbers of clients, and with how many of the
/// `names` between the rows of its table stand above it.
fn key(published: &Published, result: &PublishedResult, names: &[Vec<u64>]) -> String {
    let load = [Clients, QueriesPerClient, Warehouses].map(|kind| result.get(kind).map(|value| value.to_string()));
    let table = published.tables.get(result.table);
    let row = table.and_then(|table| Some((table, table.rows.iter().find(|row| row.line == result.line)?)));
    let unknown: Vec<&str> = row.map_or_else(Vec::new, |(table, row)| {
        let cells = table.columns.iter().zip(&row.cells);
        cells.filter(|(column, _)| column.meaning == Meaning::Unknown).map(|(_, cell)| cell.as_str()).collect()
    });
    let above = names.get(result.table).map_or(0, |lines| lines.partition_point(|line| *line < result.line));
    format!("{}\n{}\n{load:?}\n{unknown:?}\n{above}", result.target_name(), result.group())
}

/// The lines of rows that are nothing but a name, of each table.
fn lines_of_names(published: &Published) -> Vec<Vec<u64>> {
    let of_table = |table: &PublishedTable| {
        let rows = table.rows.iter().filter(|row| !table.is_log && sections::is_name(row));
        rows.map(|row| row.line).collect()
    };
    published.tables.iter().map(of_table).collect()
}

/// Whether the transactions of two results consist of the same numbers of reads, writes and other statements: those of `oltp_read_only`
/// and `oltp_read_write` do not.
fn has_same_mix(a: &PublishedResult, b: &PublishedResult) -> bool {
    let each = |result: &PublishedResult, kind| {
        Some(result.get(kind)? / result.get(Transactions).filter(|transactions| *transactions > 0.0)?)
    };
    let differs = |kind| match (each(a, kind), each(b, kind)) {
        (Some(a), Some(b)) => (a - b).abs() > MIX * a.max(b) + MIX,
        _ => false,
    };
    ![Reads, Writes, Others].into_iter().any(differs)
}

/// Statements of transactions that were made again are counted.
const MIX: f64 = 0.1;

/// Measured figures of a result, those that agree only if they were copied.
fn measured(result: &PublishedResult) -> Vec<(FigureKind, u64)> {
    let of_load = [Clients, QueriesPerClient, Warehouses, Period, Seconds];
    let all = result.figures.iter().filter(|(kind, (q, _))| !of_load.contains(kind) && q.value != 0.0);
    all.map(|(kind, (quantity, _))| (*kind, quantity.value.to_bits())).collect()
}

/// Of figures with no more digits in all, agreement may be chance.
const FEW_DIGITS: usize = 4;
/// Figures that follow from one another, with the number of clients and what a transaction consists of.
const OF_RATE: [FigureKind; 12] =
    [Tps, Qps, Tpm, Transactions, Queries, Reads, Writes, Others, Mean, Sum, EventsPerClient, Total];

/// How many digits of the measured figures of a result could be others: of those that follow from one another the most that one has, and none
/// of a rate that was asked for.
fn digits(result: &PublishedResult) -> usize {
    let printed = |kind: FigureKind| result.quantity(kind).map_or(0, Quantity::digits);
    let of_rate = OF_RATE.into_iter().map(printed).max().filter(|_| !result.is_open_loop).unwrap_or(0);
    let others = measured(result).into_iter().filter(|(kind, _)| !OF_RATE.contains(kind));
    of_rate + others.map(|(kind, _)| printed(kind)).sum::<usize>()
}

/// Two rows with the same figures are one that was copied: two measurements never agree in several figures to the last digit.
pub fn copies(published: &Published) -> PublishedAudit {
    let mut by_figures: BTreeMap<Vec<(FigureKind, u64)>, Vec<usize>> = BTreeMap::new();
    for (at, result) in published.results.iter().enumerate().filter(|(_, result)| !result.is_of_course) {
        let figures = measured(result);
        if figures.len() > 1 && digits(result) > FEW_DIGITS {
            by_figures.entry(figures).or_default().push(at);
        }
    }
    let copies: Vec<Vec<usize>> = by_figures.into_values().filter(|all| all.len() > 1).collect();
    let Some(first) = copies.first() else { return PublishedAudit::default() };
    let places = Message::joined(first.iter().take(4).map(|at| place(&published.results[*at])), "; ");
    let n: usize = copies.iter().map(Vec::len).sum();
    let kinds = |at: usize| measured(&published.results[at]).into_iter().map(move |(kind, _)| (at, kind));
    let touches = copies.iter().flatten().flat_map(|at| kinds(*at)).collect();
    let problem = Problem::new(msg!("doubt-published-copies", n)).evidence(places);
    PublishedAudit::doubt(Verdict::Degraded, "copies", problem.hint(msg!("doubt-published-look-at-source")), touches)
}

/// With one result each, it is not known how far they scatter.
pub fn repeats(published: &Published) -> PublishedAudit {
    let mut by_key: BTreeMap<String, Vec<&PublishedResult>> = BTreeMap::new();
    let names = lines_of_names(published);
    published.results.iter().for_each(|result| by_key.entry(key(published, result, &names)).or_default().push(result));
    let has = |kinds: &[FigureKind]| {
        published.results.iter().any(|result| kinds.iter().any(|kind| result.get(*kind).is_some()))
    };
    let alike = by_key.values().map(|all| all.iter().filter(|one| has_same_mix(all[0], one)).count());
    let any_other = by_key.values().any(|all| all.iter().any(|one| !has_same_mix(all[0], one)));
    let is_of_other = |one: &PublishedResult, first: &PublishedResult| {
        one.table != first.table && !(one.is_repeat && first.is_repeat)
    };
    // Of two tables it is not known what else distinguishes their results.
    let is_apart = by_key
        .values()
        .any(|all| all.iter().any(|one| is_of_other(one, all[0])) || all.iter().skip(1).any(|one| one.is_apart));
    // A row that does not fit below the headings may be the name of those below it.
    let is_open = any_other || is_apart || published.remarks.iter().any(|remark| remark.is("published-row-left-out"));
    let least = if is_open { 1 } else { alike.min().unwrap_or(0) };
    if published.results.iter().any(|result| result.is_of_course) {
        PublishedAudit::not_checked(msg!("published-scatter-of-course"))
    } else if least > 1 {
        PublishedAudit::confirmed(msg!("published-repeated", n = least))
    } else if published.results.iter().any(|result| result.has_spread) {
        PublishedAudit::default()
    } else if has(&[MinSeconds, MaxSeconds]) {
        PublishedAudit::not_checked(msg!("published-scatter-min-max"))
    } else if has(&[PerPeriod, Deviation]) {
        PublishedAudit::not_checked(msg!("published-scatter-in-one-run"))
    } else {
        PublishedAudit::not_checked(msg!("published-scatter-unknown"))
    }
}
