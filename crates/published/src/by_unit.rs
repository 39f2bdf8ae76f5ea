//! Tables with a row for each benchmark whose unit says which figure it is: `Benchmark | Result | Unit` above `oltp_read_only | 25000 | QPS`.

use crate::beside;
use crate::column::SHOWN;
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::result::PublishedRow;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// The table with a column for each figure.
pub(crate) struct ByFigure {
    pub headings: Vec<String>,
    pub rows: Vec<PublishedRow>,
    pub remarks: Vec<Message>,
}

/// The table with a column for each figure, if it has a column of units of which some are rates, one of numbers, and no names of figures.
pub(crate) fn by_figure(headings: &[String], rows: &[PublishedRow]) -> Option<ByFigure> {
    let units = headings.iter().position(|heading| beside::is_of_units(heading))?;
    let others = || (0..headings.len()).filter(|at| *at != units);
    let is_number = |row: &PublishedRow, at: usize| {
        matches!(row.cells.get(at).map(|cell| quantity::read(cell)), Some(CellContent::Number(_, None, _)))
    };
    let mut of_numbers = others().filter(|at| rows.iter().all(|row| is_number(row, *at)));
    let value = of_numbers.next().filter(|_| of_numbers.next().is_none())?;
    let is_figure = |cell: &String| matches!(heading::read(cell), HeadingMeaning::Figure(..));
    let names: Vec<usize> = others().filter(|at| *at != value).collect();
    let names_figures = rows.iter().any(|row| names.iter().any(|at| row.cells.get(*at).is_some_and(is_figure)));
    if names.is_empty()
        || names_figures
        || names.iter().any(|at| is_figure(&headings[*at]))
        || is_figure(&headings[value])
    {
        return None;
    }
    let kind = |row: &PublishedRow| match heading::read(row.cells.get(units)?) {
        HeadingMeaning::Figure(kind, None, None) if heading::is_rate(kind) => Some(kind),
        _ => None,
    };
    let mut kinds: Vec<FigureKind> = rows.iter().filter_map(kind).collect();
    kinds.sort();
    kinds.dedup();
    if kinds.is_empty() {
        return None;
    }
    let heads = names.iter().map(|at| headings[*at].clone()).chain(kinds.iter().map(|kind| kind.name().into_owned()));
    let mut out = ByFigure { headings: heads.collect(), rows: Vec::new(), remarks: Vec::new() };
    for row in rows {
        let Some(own) = kind(row) else {
            let name = names.first().map_or("", |at| row.cells[*at].as_str());
            out.remarks.push(msg!("published-row-unknown", name = short(name, SHOWN), line = row.line));
            continue;
        };
        let figures = kinds.iter().map(|kind| if *kind == own { row.cells[value].clone() } else { String::new() });
        let cells = names.iter().map(|at| row.cells[*at].clone()).chain(figures).collect();
        out.rows.push(PublishedRow { line: row.line, cells });
    }
    Some(out)
}
