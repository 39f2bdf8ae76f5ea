//! Rates of which a column is another form: with and without the time of connecting, and statistics that do not say so, a bare `P95` beside `Mean NOTPM`, `Min` and `Max` beside `TPS`.

use crate::beside;
use crate::column::Column;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, PublishedRow, PublishedTable};
use crate::words::{lower, words};

/// A percentile of a rate is not further from its mean.
const MAGNITUDE: f64 = 5.0;
/// Other statistics of it seldom are.
const TIGHT: f64 = 1.5;
/// New-Orders are this part of the transactions of TPC-C.
const NEW_ORDERS: f64 = 0.45;
/// Statements of a transaction, at most.
const STATEMENTS: f64 = 40.0;

/// pgbench's old versions print two rates, with the time of connecting and without it: the latter is that of the transactions.
pub fn without_connecting(columns: &mut [Column]) {
    let of = |column: &Column, wanted: &[&str]| match &column.meaning {
        Meaning::Figure(kind, Some(of)) if heading::is_rate(*kind) => {
            let all = lower(&words(of));
            let has = |names: &[&str]| all.iter().any(|word| names.contains(&word.as_str()));
            let is_alone = all.len() == 1;
            ((is_alone || has(&["connections", "connection", "connecting", "conn"])) && has(wanted)).then_some(*kind)
        }
        _ => None,
    };
    let with = |column: &Column| of(column, &["including", "incl", "inclusive", "included"]);
    let without = |column: &Column| of(column, &["excluding", "excl", "exclusive", "excluded"]);
    let kinds: Vec<FigureKind> = columns.iter().filter_map(without).collect();
    for column in columns.iter_mut() {
        if let Some(kind) = without(column) {
            column.meaning = Meaning::Figure(kind, None);
        } else if let Some(kind) = with(column) {
            match kinds.contains(&kind) {
                true => (column.meaning, column.is_aside) = (Meaning::Unknown, true),
                false => column.meaning = Meaning::Figure(kind, None),
            }
        }
    }
}

/// Bare statistics that are as large as a rate beside them are its, and no response times, unless the clients show that they can be.
pub fn of_rates(columns: &mut [Column], table: &PublishedTable) {
    let is_rate = |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, None) if heading::is_rate(*kind));
    let mean = columns.iter().position(|column| heading::is_mean_of_rate(&column.heading));
    let Some(rate) = mean.or_else(|| columns.iter().position(is_rate)) else {
        return of_statistic(columns, table);
    };
    let Meaning::Figure(rate_kind, _) = columns[rate].meaning else { return };
    let is_alike = |kind: FigureKind, row: &PublishedRow, at: usize| {
        let both = value(row, at).zip(value(row, rate));
        both.is_some_and(|(one, rate)| near(one, rate, MAGNITUDE) && (mean.is_some() || is_of(kind, one, rate)))
    };
    let all: Vec<(usize, FigureKind)> = (0..columns.len()).filter_map(|at| Some((at, bare(&columns[at])?))).collect();
    let alike: Vec<(usize, FigureKind)> = all
        .iter()
        .copied()
        .filter(|(at, kind)| !table.rows.is_empty() && table.rows.iter().all(|row| is_alike(*kind, row, *at)))
        .collect();
    // Statistics that stand together are of the same.
    if mean.is_none() && alike.len() < all.len() {
        return;
    }
    let clients = columns.iter().position(|column| column.meaning == Meaning::Figure(FigureKind::Clients, None));
    // Clients × 1000 / rate: the mean response time of a closed loop, at least and at most.
    let implied = |row: &PublishedRow| {
        let clients = value(row, clients?)?;
        let (per_second, most) = match rate_kind {
            FigureKind::Nopm => (value(row, rate)? / 60.0 / NEW_ORDERS, 1.5),
            FigureKind::Tpm => (value(row, rate)? / 60.0, 1.5),
            FigureKind::Qps => (value(row, rate)?, STATEMENTS),
            _ => (value(row, rate)?, 1.25),
        };
        let ms = clients * 1e3 / per_second;
        (ms.is_finite() && ms > 0.0).then_some((ms / most.min(1.5), ms * most))
    };
    let can_be_time = |(at, kind): &(usize, FigureKind), row: &PublishedRow| {
        let Some(((low, high), value)) = implied(row).zip(value(row, *at)) else { return false };
        match kind {
            FigureKind::Mean => (low..=high).contains(&value),
            FigureKind::Min => value <= high,
            FigureKind::Percentile(hundredths) if *hundredths < 5000 => value <= high,
            FigureKind::Max => value >= low,
            _ => value >= low * 0.3,
        }
    };
    let are_times = alike.iter().all(|column| table.rows.iter().all(|row| can_be_time(column, row)));
    let has_mean = alike.iter().any(|(_, kind)| *kind == FigureKind::Mean);
    let is_tight = |(at, _): &(usize, FigureKind)| {
        let is = |row: &PublishedRow| {
            value(row, *at).zip(value(row, rate)).is_some_and(|(one, rate)| near(one, rate, TIGHT))
        };
        table.rows.iter().all(is)
    };
    let all_tight = table.rows.len() > 1 && alike.iter().all(is_tight);
    if mean.is_none() && are_times && (has_mean || !all_tight) {
        return;
    }
    for (at, _) in alike {
        (columns[at].meaning, columns[at].is_aside) = (Meaning::Unknown, true);
    }
}

/// The same where no column is the rate, but one is a statistic of it that is not read: `Median NOPM | P10 | P90`.
fn of_statistic(columns: &mut [Column], table: &PublishedTable) {
    let is_statistic = |c: &Column| {
        let is_named = heading::read(&c.heading) == HeadingMeaning::Named(heading::STATISTIC);
        is_named && heading::has_word_of_rate(&c.heading)
    };
    let Some(of) = columns.iter().position(is_statistic) else { return };
    let all: Vec<usize> = (0..columns.len()).filter(|at| bare(&columns[*at]).is_some()).collect();
    let is_alike = |at: &usize, row: &PublishedRow| {
        value(row, *at).zip(value(row, of)).is_some_and(|(one, other)| near(one, other, TIGHT))
    };
    if !table.rows.is_empty() && table.rows.iter().all(|row| all.iter().all(|at| is_alike(at, row))) {
        all.into_iter().for_each(|at| (columns[at].meaning, columns[at].is_aside) = (Meaning::Unknown, true));
    }
}

/// The statistic of a column whose heading names neither a time nor a unit.
fn bare(column: &Column) -> Option<FigureKind> {
    let Meaning::Figure(kind, None) = column.meaning else { return None };
    let says = heading::says_time(&column.heading) || beside::says_latency(&column.heading);
    (kind.measure() == Measure::Milliseconds && column.unit.is_none() && !says).then_some(kind)
}

fn near(one: f64, other: f64, factor: f64) -> bool {
    one > other / factor && one < other * factor
}

/// Whether a value can be this statistic of a rate with this mean.
fn is_of(kind: FigureKind, value: f64, rate: f64) -> bool {
    match kind {
        FigureKind::Min => value <= rate * 1.02,
        FigureKind::Percentile(hundredths) if hundredths < 5000 => value <= rate * 1.02,
        FigureKind::Mean | FigureKind::Percentile(5000) => near(value, rate, 1.3),
        _ => value >= rate * 0.98,
    }
}

/// A number without a unit.
fn value(row: &PublishedRow, at: usize) -> Option<f64> {
    match quantity::read(row.cells.get(at)?) {
        CellContent::Number(quantity, None, _) => Some(quantity.value),
        _ => None,
    }
}
