//! What the names of rows say beside columns of numbers of clients, or of targets, whose figure no heading names: a row of `Memory (GB)` or
//! `Select by PK (ms)` is no throughput.

use crate::beside;
use crate::column::{Column, SHOWN, is_of_load};
use crate::figure_kind::FigureKind;
use crate::heading::{self, COMPARISON, HeadingMeaning};
use crate::matrix;
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, PublishedRow, PublishedTable};
use crate::words::{is_among, lower, words};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// What the name of a row says that its figures are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stated {
    /// A comparison of other rows.
    Comparison,
    /// This figure.
    Figure(FigureKind),
    /// Something that is not read.
    Other,
}

/// What a name says that its figures are, if it says so. `Read` is the name of a workload.
pub(crate) fn stated(name: &str) -> Option<Stated> {
    match heading::read(name) {
        HeadingMeaning::Figure(FigureKind::Reads | FigureKind::Writes | FigureKind::Others, ..) => None,
        HeadingMeaning::Figure(FigureKind::Clients, ..) => None,
        HeadingMeaning::Figure(kind, ..) => Some(Stated::Figure(kind)),
        HeadingMeaning::PerPeriod(_) => Some(Stated::Other),
        HeadingMeaning::Named(COMPARISON) => Some(Stated::Comparison),
        // `95% read` is a workload.
        HeadingMeaning::Named(of) if heading::ASIDE.contains(&of) => (!has_percentage(name)).then_some(Stated::Other),
        HeadingMeaning::Named("target" | "workload" | "axis") => None,
        _ => is_of_other(name).then_some(Stated::Other),
    }
}

/// Whether a name has a number with a sign for per cent, which says more about what was measured.
fn has_percentage(name: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    name.match_indices('%').any(|(at, _)| is_digit(name[..at].trim_end().chars().next_back()))
}

/// Whether words name a unit that no rate has, or only things that are counted: `Write MB/s`, `Replication lag`.
fn is_of_other(name: &str) -> bool {
    let all = lower(&words(name));
    let is_thing = |word: &String| ["of-thing", "of-other-time"].iter().any(|of| is_among(word, of));
    (heading::says_other(name) && !has_percentage(name))
        || beside::with_unit_of_time(name).is_some()
        || (all.len() > 1 && all.iter().all(is_thing))
}

/// Whether a column has the names of rows.
fn is_of_names(column: &Column) -> bool {
    matches!(column.meaning, Meaning::Target | Meaning::Workload | Meaning::Axis)
        || (column.meaning == Meaning::Unknown
            && !column.is_aside
            && column.clients.is_none()
            && column.of_axis.is_none())
}

fn is_text(cell: &str) -> bool {
    matches!(quantity::read(cell), CellContent::Words)
}

/// What the names of a row with numbers say.
fn of_row(columns: &[Column], row: &PublishedRow) -> Option<Stated> {
    let is_number = |cell: &String| matches!(quantity::read(cell), CellContent::Number(..));
    let names = || row.cells.iter().zip(columns).filter(|(_, column)| is_of_names(column)).map(|(cell, _)| cell);
    let has_numbers = row.cells.iter().zip(columns).any(|(cell, column)| !is_of_names(column) && is_number(cell));
    if !has_numbers {
        return None;
    }
    { names() }.filter(|cell| is_text(cell)).find_map(|cell| stated(cell))
}

/// A remark on each row whose name says what its figures are.
pub(crate) fn stating(columns: &[Column], table: &PublishedTable) -> Vec<Message> {
    table.rows.iter().filter(|row| of_row(columns, row).is_some()).map(|row| unknown(columns, row)).collect()
}

fn unknown(columns: &[Column], row: &PublishedRow) -> Message {
    let of_row = row
        .cells
        .iter()
        .zip(columns)
        .filter(|(cell, column)| is_of_names(column) && is_text(cell) && stated(cell).is_some());
    let name = { of_row }.map(|(cell, _)| cell.as_str()).next().unwrap_or_default();
    msg!("published-row-unknown", name = short(name, SHOWN), line = row.line)
}

/// Takes out the rows of a table of columns of clients whose names say that they are another figure than its words do, and those that compare
/// others: they are shown, and are no results.
pub(crate) fn set_aside(
    columns: &[Column],
    table: &mut PublishedTable,
    remarks: &mut Vec<Message>,
) -> Vec<PublishedRow> {
    let of_clients = columns.iter().any(|column| column.clients.is_some() || column.of_axis.is_some());
    let has_figures = columns.iter().any(|c| matches!(&c.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind)));
    if !of_clients || has_figures {
        return Vec::new();
    }
    let headings = columns.iter().filter(|c| c.clients.is_none() && !c.is_aside).map(|c| c.heading.as_str());
    let figure = matrix::figure(&table.caption, headings).map(|(kind, _)| kind);
    let is_other = |row: &PublishedRow| match of_row(columns, row) {
        None => false,
        Some(Stated::Comparison) => true,
        Some(Stated::Figure(kind)) => figure.is_some_and(|figure| figure != kind),
        Some(Stated::Other) => figure.is_some(),
    };
    let (aside, rows): (Vec<PublishedRow>, Vec<PublishedRow>) =
        std::mem::take(&mut table.rows).into_iter().partition(|row| is_other(row));
    table.rows = rows;
    remarks.extend(aside.iter().map(|row| unknown(columns, row)));
    aside
}
