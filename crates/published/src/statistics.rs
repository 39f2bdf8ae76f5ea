//! Tables with a row for each figure and a column for each statistic of it or for each repeat: `Metric | avg | min | max`.

use crate::beside;
use crate::column::{Column, SHOWN, column_among, is_of_load};
use crate::figure_kind::FigureKind;
use crate::heading;
use crate::result::{Meaning, PublishedResult, PublishedTable};
use crate::rows::{figure, of_units, with_unit};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// What the columns behind the names of the figures are.
pub(crate) enum Across {
    /// Statistics of one result, each with its column.
    Statistics(Vec<(usize, FigureKind)>),
    /// Repeats, each with its column, beside statistics of them.
    Repeats(Vec<usize>),
}

/// What the columns are, if all of them are statistics or repeats.
pub(crate) fn of(columns: &[Column]) -> Option<Across> {
    let texts: Vec<&str> = columns.iter().map(|column| column.heading.as_str()).collect();
    let (mut statistics, mut repeats) = (Vec::new(), Vec::new());
    for at in 1..columns.len() {
        match column_among(at, &texts).meaning {
            _ if beside::is_of_units(texts[at]) => {}
            _ if beside::is_repeat(texts[at]) => repeats.push(at),
            Meaning::Figure(
                kind @ (FigureKind::Mean
                | FigureKind::Min
                | FigureKind::Max
                | FigureKind::Percentile(_)
                | FigureKind::Deviation),
                None,
            ) if !heading::says_time(texts[at]) => statistics.push((at, kind)),
            _ => return None,
        }
    }
    match (statistics.len(), repeats.len()) {
        (2.., 0) => Some(Across::Statistics(statistics)),
        (_, 2..) => Some(Across::Repeats(repeats)),
        _ => None,
    }
}

/// The results: one of statistics, and one for each repeat.
pub(crate) fn results(
    table: &PublishedTable,
    columns: &[Column],
    across: &Across,
    remarks: &mut Vec<Message>,
) -> Vec<PublishedResult> {
    let texts: Vec<&str> = table.rows.iter().map(|row| row.cells[0].as_str()).collect();
    let line = table.rows.first().map_or(0, |row| row.line);
    let units = of_units(columns);
    let result = || PublishedResult { line, ..PublishedResult::default() };
    let mut all: Vec<PublishedResult> = match across {
        Across::Statistics(_) => vec![result()],
        Across::Repeats(places) => places
            .iter()
            .map(|at| PublishedResult { axes: vec![("run".to_owned(), columns[*at].heading.clone())], ..result() })
            .collect(),
    };
    for (at, row) in table.rows.iter().enumerate() {
        let of_row = column_among(at, &texts);
        let Meaning::Figure(kind, None) = of_row.meaning else {
            if !row.cells[0].is_empty() {
                remarks.push(msg!("published-row-unknown", name = short(&row.cells[0], SHOWN), line = row.line));
            }
            continue;
        };
        // Which cell is which figure of which result.
        let cells: Vec<(usize, FigureKind, usize)> = match across {
            Across::Repeats(places) => places.iter().enumerate().map(|(n, at)| (*at, kind, n)).collect(),
            Across::Statistics(of) if kind == FigureKind::Mean => of.iter().map(|(at, of)| (*at, *of, 0)).collect(),
            Across::Statistics(_) if is_of_load(kind) => vec![(1, kind, 0)],
            Across::Statistics(of) => {
                of.iter().filter(|(_, of)| *of == FigureKind::Mean).map(|(at, _)| (*at, kind, 0)).collect()
            }
        };
        if cells.is_empty() {
            remarks.push(msg!("published-row-unknown", name = short(&row.cells[0], SHOWN), line = row.line));
        }
        for (column, kind, n) in cells {
            let result = &mut all[n];
            let cell = &row.cells[column];
            let cell = units.first().map_or(cell.clone(), |at| with_unit(cell, &of_row, &row.cells[*at]));
            if let Some(quantity) = figure(&cell, kind, &of_row, row.line, &mut result.has_spread, remarks) {
                result.figures.entry(kind).or_insert((quantity, Some((0, at, column))));
            }
        }
    }
    if let Across::Repeats(repeats) = across {
        let left = (1..columns.len()).filter(|at| !repeats.contains(at) && !units.contains(at));
        remarks.extend(left.map(|at| msg!("published-column-unknown", name = short(&columns[at].heading, SHOWN))));
    }
    all.retain(|result| result.figures.keys().any(|kind| !is_of_load(*kind)));
    all
}
