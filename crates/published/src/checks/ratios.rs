//! A column that compares two others (`Improvement`, `Diff`, `A/B`): what it compares, and in what form, is what fits most rows; the
//! rows that do not fit are doubted. A column that fits no two figures says nothing.

use super::{in_all, place, precise};
use crate::beside;
use crate::comparing;
use crate::figure_kind::FigureKind;
use crate::heading;
use crate::published_audit::PublishedAudit;
use crate::quantity::{self, CellContent, Quantity};
use crate::result::{CellPlace, Meaning, Published, PublishedTable};
use crate::words::{is_among, lower, words};
use std::collections::BTreeMap;
use tenbin_model::doubt::Verdict;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// With fewer rows that fit, a column may fit by chance.
const LEAST: usize = 3;
/// The part of the rows that must fit for a column to be a comparison of these two.
const PART: f64 = 0.6;
/// The same of a column of which is known which two it compares.
const PART_OF_KNOWN: f64 = 0.5;
/// Authors round ratios of figures that they round afterwards.
const TOLERANCE: f64 = 0.002;

/// What a comparison of the second figure with the first one may be.
#[derive(Clone, Copy)]
struct ComparisonForm {
    of: fn(f64, f64) -> f64,
    /// What the form gives for figures that are the same as one another, of which their rounding is a part.
    one: f64,
    /// Whether only a heading that says that it compares is of this form.
    is_said: bool,
    /// Whether the figures may be of two kinds.
    is_quotient: bool,
}

const fn form(of: fn(f64, f64) -> f64, is_quotient: bool) -> ComparisonForm {
    ComparisonForm { of, one: 1.0, is_said: false, is_quotient }
}

const fn said(of: fn(f64, f64) -> f64, one: f64) -> ComparisonForm {
    ComparisonForm { of, one, is_said: true, is_quotient: false }
}

const FORMS: &[ComparisonForm] = &[
    form(|a, b| b / a, true),
    form(|a, b| a / b, true),
    form(|a, b| b / a - 1.0, false),
    form(|a, b| a / b - 1.0, false),
    form(|a, b| 1.0 - b / a, false),
    form(|a, b| 1.0 - a / b, false),
    // `Diff (%)` with numbers in its cells, and `Diff` in the unit of the figures.
    said(|a, b| 100.0 * (b / a - 1.0), 100.0),
    said(|a, b| 100.0 * (a / b - 1.0), 100.0),
    said(|a, b| 100.0 * b / a, 100.0),
    said(|a, b| 100.0 * a / b, 100.0),
    said(|a, b| b - a, 0.0),
    said(|a, b| a - b, 0.0),
];

/// The figures of a row that can be compared: place of the column, the result's index, and the value.
type ComparedFigures = Vec<(usize, usize, FigureKind, Quantity)>;

/// The figures of each row of each table.
type FiguresByRow = BTreeMap<(usize, usize), ComparedFigures>;

fn rows(published: &Published) -> FiguresByRow {
    // The clients of a row are those of all of its results.
    let mut cells: BTreeMap<CellPlace, (usize, FigureKind, Quantity)> = BTreeMap::new();
    for (at, result) in published.results.iter().enumerate() {
        for (kind, (quantity, cell)) in &result.figures {
            if let Some(cell) = cell {
                cells.entry(*cell).or_insert((at, *kind, *quantity));
            }
        }
    }
    let mut rows = FiguresByRow::new();
    for ((table, row, column), (at, kind, quantity)) in cells {
        rows.entry((table, row)).or_default().push((column, at, kind, quantity));
    }
    rows
}

/// The headings of columns that compare others, with their tables: what they say is checked.
pub(crate) fn headings(published: &Published) -> Vec<String> {
    let rows = rows(published);
    let tables = published.tables.iter().enumerate().filter(|(_, table)| !table.is_log);
    let columns = tables.flat_map(|(at, table)| (0..table.columns.len()).map(move |column| (at, table, column)));
    columns
        .filter(|(at, table, column)| {
            matches!(table.columns[*column].meaning, Meaning::Unknown | Meaning::Value)
                && compared_by(table, *at, *column, &rows).is_some()
        })
        .map(|(_, table, column)| table.columns[column].heading.clone())
        .collect()
}

fn compared_by(table: &PublishedTable, at: usize, column: usize, rows: &FiguresByRow) -> Option<ComparingColumn> {
    ComparingColumn::of(table, column, |row| rows.get(&(at, row)))
}

pub fn comparisons(published: &Published) -> PublishedAudit {
    let rows = rows(published);
    let (mut all, mut held) = (PublishedAudit::default(), 0);
    for (at, table) in published.tables.iter().enumerate().filter(|(_, table)| !table.is_log) {
        for column in 0..table.columns.len() {
            if matches!(table.columns[column].meaning, Meaning::Figure(..) | Meaning::Target | Meaning::Workload) {
                continue;
            }
            let Some(comparison) = compared_by(table, at, column, &rows) else { continue };
            held += comparison.fits;
            all = all.and(comparison.doubt(published, &table.columns[column].heading));
        }
    }
    if held > 0 && all.doubts.is_empty() {
        all = all.and(PublishedAudit::confirmed(msg!("published-comparisons-hold", n = held)));
    }
    all
}

/// A column that compares two others.
struct ComparingColumn {
    fits: usize,
    /// The rows that do not fit: what the cell says, what it should, and the two results with their figure.
    wrong: Vec<(Quantity, f64, [usize; 2], FigureKind)>,
}

impl ComparingColumn {
    /// The comparison that most rows of this column fit.
    fn of<'a>(
        table: &PublishedTable,
        column: usize,
        figures: impl Fn(usize) -> Option<&'a ComparedFigures>,
    ) -> Option<ComparingColumn> {
        let heading = table.columns[column].heading.as_str();
        let headings: Vec<&str> = table.columns.iter().map(|column| column.heading.as_str()).collect();
        let named = comparing::named(heading, &headings).map(|(a, b)| (a.min(b), a.max(b)));
        let is_said = named.is_some() || beside::compares(heading);
        let cells: Vec<(Quantity, &ComparedFigures)> = (0..table.rows.len())
            .filter_map(|row| Some((compared(table.rows[row].cells.get(column)?, is_said)?, figures(row)?)))
            .collect();
        if cells.is_empty() {
            return None;
        }
        // Which columns have the same figure, by the first row.
        // Of two that the heading names one row is enough, and two of the only two that there are.
        let mut same = cells.iter().map(|(_, row)| pairs(row, false)).max_by_key(Vec::len)?;
        // `TPS ratio` is of no response times.
        if let Some(kind) = kind_in(heading) {
            let is_of_it = |(column, _): &(usize, usize)| {
                cells.iter().any(|(_, row)| row.iter().any(|figure| figure.0 == *column && figure.2 == kind))
            };
            let of_it: Vec<(usize, usize)> = same.iter().copied().filter(is_of_it).collect();
            same = if of_it.is_empty() { same } else { of_it };
        }
        let (least, part) = match named {
            Some(_) => (1, PART_OF_KNOWN),
            None if is_said && same.len() == 1 => (2, PART_OF_KNOWN),
            None => (LEAST, PART),
        };
        if cells.len() < least {
            return None;
        }
        let of_two = of_two_kinds(heading).map_or_else(Vec::new, |kinds| {
            let kind = |column: usize| cells.iter().find_map(|(_, row)| Some(row.iter().find(|of| of.0 == column)?.2));
            let is_of = |(a, b): &(usize, usize)| {
                let two = [kind(*a), kind(*b)].map(|kind| kind.is_some_and(|kind| kinds.contains(&kind)));
                two == [true, true]
            };
            let all = cells.iter().map(|(_, row)| pairs(row, true)).max_by_key(Vec::len).unwrap_or_default();
            all.into_iter().filter(is_of).collect()
        });
        let of_same = same.iter().flat_map(|pair| FORMS.iter().map(move |form| (*pair, *form)));
        let of_two = of_two.iter().flat_map(|pair| FORMS.iter().map(move |form| (*pair, *form)));
        let candidates =
            of_same.filter(|(_, form)| is_said || !form.is_said).chain(of_two.filter(|(_, form)| form.is_quotient));
        let candidates = candidates.filter(|(pair, _)| named.is_none_or(|named| named == *pair));
        let all = candidates.map(|(pair, form)| ComparingColumn::by(&cells, pair, form)).enumerate();
        // The first of those that fit as many rows.
        let (_, best) = all.max_by_key(|(at, of)| (of.fits, std::cmp::Reverse(*at)))?;
        let n = best.fits + best.wrong.len();
        (best.fits >= least && best.fits as f64 >= part * n as f64).then_some(best)
    }

    fn by(
        cells: &[(Quantity, &ComparedFigures)],
        (first, second): (usize, usize),
        form: ComparisonForm,
    ) -> ComparingColumn {
        let mut column = ComparingColumn { fits: 0, wrong: Vec::new() };
        for (cell, row) in cells {
            let of = |column: usize| row.iter().find(|(at, ..)| *at == column);
            let (Some(a), Some(b)) = (of(first), of(second)) else { continue };
            if a.3.value <= 0.0 || b.3.value <= 0.0 {
                continue;
            }
            let expected = (form.of)(a.3.value, b.3.value);
            let of_figures = match form.one {
                0.0 => a.3.half + b.3.half + TOLERANCE * expected.abs(),
                one => (TOLERANCE + a.3.rounding() + b.3.rounding()) * (expected.abs() + one),
            };
            let slack = cell.half + of_figures;
            match (cell.value - expected).abs() <= slack {
                true => column.fits += 1,
                false => column.wrong.push((*cell, expected, [a.1, b.1], a.2)),
            }
        }
        column
    }

    fn doubt(&self, published: &Published, heading: &str) -> PublishedAudit {
        let Some((cell, expected, [first, _], kind)) = self.wrong.first() else { return PublishedAudit::default() };
        let evidence = msg!(
            "doubt-published-comparison-seen",
            place = place(&published.results[*first]),
            heading = foreign(heading),
            said = precise(cell.value),
            expected = precise((expected * 1e3).round() / 1e3),
            figure = kind.words()
        );
        let all = in_all(self.fits + self.wrong.len());
        let problem = Problem::new(msg!("doubt-published-comparison", n = self.wrong.len(), all)).evidence(evidence);
        let touches = self.wrong.iter().flat_map(|(_, _, of, kind)| of.map(|at| (at, *kind))).collect();
        PublishedAudit::doubt(
            Verdict::Degraded,
            "comparison",
            problem.hint(msg!("doubt-published-look-at-source")),
            touches,
        )
    }
}

/// The two kinds of figures of which a heading names the quotient: `QPS/TPS`, `TPS per thread`. `KB/s` names none.
fn of_two_kinds(heading: &str) -> Option<[FigureKind; 2]> {
    if let Some((over, under)) = heading.split_once(['/', '÷']) {
        return Some([kind_in(over)?, kind_in(under)?]);
    }
    let all = words(heading);
    let at = all.iter().position(|word| is_among(&word.to_lowercase(), "per"))?;
    Some([kind_in(&all[..at].join(" "))?, kind_in(&all[at + 1..].join(" "))?])
}

/// The figure that words of a heading name: `TPS improvement`.
fn kind_in(heading: &str) -> Option<FigureKind> {
    let all = lower(&words(heading));
    let length = all.len().min(LONGEST_NAME);
    let named = |length: usize| all.windows(length).find_map(heading::figure).map(|(kind, _)| kind);
    (1..=length).rev().find_map(named)
}

/// A figure has at most this many words.
const LONGEST_NAME: usize = 4;

/// The columns of a row that have the same figure, or two figures, each with each later one.
fn pairs(row: &ComparedFigures, is_of_two: bool) -> Vec<(usize, usize)> {
    let others = |a: &(usize, usize, FigureKind, Quantity)| {
        let (kind, from) = (a.2, a.0);
        row.iter().filter(move |b| (b.2 == kind) != is_of_two && b.0 > from).map(move |b| (from, b.0))
    };
    let few = row.len() <= MOST;
    row.iter().filter(|figure| few && (is_of_two || figure.2 != FigureKind::Clients)).flat_map(others).collect()
}

/// In a row of more figures nothing is compared.
const MOST: usize = 50;

/// `1.51`, `1.51x`, `+51%`. A bare number below a heading that says nothing of a comparison is one only with digits enough: 0 is like any small ratio.
fn compared(cell: &str, is_said: bool) -> Option<Quantity> {
    match quantity::read(cell) {
        CellContent::Number(quantity, None, false) if is_said || quantity.half <= COARSEST * quantity.value.abs() => {
            Some(quantity)
        }
        CellContent::Share(quantity) => Some(quantity),
        _ => None,
    }
}

/// How much of a number its rounding may be.
const COARSEST: f64 = 0.1;
