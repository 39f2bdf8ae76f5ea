//! Tables of targets whose figure stands above the numbers of clients: `QPS | MySQL | PostgreSQL`.

use crate::column::Column;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::quantity;
use crate::result::{Meaning, PublishedRow, PublishedTable};

/// Takes the first column as that of clients, and the others as targets, if its heading is a figure that its cells are not: they are whole
/// numbers that grow, and no other column is understood.
pub fn settle(columns: &mut [Column], table: &PublishedTable) -> bool {
    let Some((first, others)) = columns.split_first_mut() else { return false };
    let of_heading = || if let Meaning::Figure(kind, None) = first.meaning { Some((kind, first.unit)) } else { None };
    let Some((kind, unit)) = beside_clients(&first.heading).or_else(of_heading) else { return false };
    if !(heading::is_rate(kind) || kind.measure() == Measure::Milliseconds) || others.len() < 2 {
        return false;
    }
    let is_target = |c: &Column| c.meaning == Meaning::Unknown && !c.heading.is_empty() && c.named.is_none();
    let has_number = |at: usize| table.rows.iter().any(|row| quantity::value(&row.cells, at).is_some());
    let all_targets = others.iter().enumerate().all(|(at, c)| is_target(c) && has_number(at + 1));
    if !all_targets || others.iter().any(|c| heading::says_other(&c.heading)) {
        return false;
    }
    let in_words = matrix::are_clients_in_words(table.rows.iter().map(|row| row.cells[0].as_str()));
    if !in_words && !are_clients(table, kind, others.len()) {
        return false;
    }
    (first.meaning, first.unit) = (Meaning::Figure(FigureKind::Clients, None), None);
    for column in others {
        (column.meaning, column.unit) = (Meaning::Figure(kind, Some(column.heading.clone())), unit);
    }
    true
}

/// The figure of a heading that says what the rows and what the cells are: `Threads / QPS`. `TPS / thread` is that of each.
fn beside_clients(heading: &str) -> Option<(FigureKind, Option<&'static str>)> {
    let (one, other) = matrix::pair(heading)?;
    let figure = match (matrix::says_clients(one), matrix::says_clients(other)) {
        (true, false) => other,
        (false, true) if !heading.contains(['/', '／']) => one,
        _ => return None,
    };
    if let HeadingMeaning::Figure(kind, unit, None) = heading::read(figure) { Some((kind, unit)) } else { None }
}

/// Whether the first cells are whole numbers that grow; where the figure is a rate, below half of the other cells.
fn are_clients(table: &PublishedTable, kind: FigureKind, others: usize) -> bool {
    let first: Option<Vec<f64>> = table.rows.iter().map(|row| matrix::whole(&row.cells[0])).collect();
    let Some(first) = first.filter(|first| first.len() > 1) else { return false };
    let is_less = |(row, clients): (&PublishedRow, &f64)| {
        (1..=others).all(|at| {
            quantity::value(&row.cells, at).is_none_or(|value| !heading::is_rate(kind) || value > 2.0 * clients)
        })
    };
    first.windows(2).all(|two| two[0] < two[1]) && table.rows.iter().zip(&first).all(is_less)
}
