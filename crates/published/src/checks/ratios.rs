//! A column that compares two others (`Improvement`, `Diff`, `A/B`): what it compares, and in what form, is what fits most rows; the
//! rows that do not fit are doubted. A column that fits no two figures says nothing.

use super::{in_all, place, precise};
use crate::figure_kind::FigureKind;
use crate::published_audit::PublishedAudit;
use crate::quantity::{self, CellContent, Quantity};
use crate::result::{Meaning, Published, PublishedTable};
use std::collections::BTreeMap;
use tenbin_model::doubt::Verdict;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// With fewer rows that fit, a column may fit by chance.
const LEAST: usize = 3;
/// The part of the rows that must fit for a column to be a comparison of these two.
const PART: f64 = 0.6;
/// Authors round ratios of figures that they round afterwards.
const TOLERANCE: f64 = 0.002;

/// What a comparison of the second figure with the first one may be.
const FORMS: &[fn(f64, f64) -> f64] =
    &[|a, b| b / a, |a, b| a / b, |a, b| b / a - 1.0, |a, b| a / b - 1.0, |a, b| 1.0 - b / a, |a, b| 1.0 - a / b];

/// The figures of a row that can be compared: place of the column, the result's index, and the value.
type Figures = Vec<(usize, usize, FigureKind, Quantity)>;

pub fn comparisons(published: &Published) -> PublishedAudit {
    let mut rows: BTreeMap<(usize, usize), Figures> = BTreeMap::new();
    for (at, result) in published.results.iter().enumerate() {
        for (kind, (quantity, place)) in &result.figures {
            if let Some((table, row, column)) = place {
                rows.entry((*table, *row)).or_default().push((*column, at, *kind, *quantity));
            }
        }
    }
    let (mut all, mut held) = (PublishedAudit::default(), 0);
    for (at, table) in published.tables.iter().enumerate().filter(|(_, table)| !table.is_log) {
        for column in 0..table.columns.len() {
            if matches!(table.columns[column].meaning, Meaning::Figure(..) | Meaning::Target | Meaning::Workload) {
                continue;
            }
            let Some(comparison) = ComparingColumn::of(table, column, |row| rows.get(&(at, row))) else { continue };
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
        figures: impl Fn(usize) -> Option<&'a Figures>,
    ) -> Option<ComparingColumn> {
        let cells: Vec<(Quantity, &Figures)> = (0..table.rows.len())
            .filter_map(|row| Some((compared(table.rows[row].cells.get(column)?)?, figures(row)?)))
            .collect();
        if cells.len() < LEAST {
            return None;
        }
        // Which columns have the same figure, by the first row.
        let pairs = cells.iter().map(|(_, row)| pairs(row)).max_by_key(Vec::len)?;
        let candidates = pairs.iter().flat_map(|pair| FORMS.iter().map(move |form| (*pair, *form)));
        let best = candidates.map(|(pair, form)| ComparingColumn::by(&cells, pair, form)).max_by_key(|of| of.fits)?;
        let n = best.fits + best.wrong.len();
        (best.fits >= LEAST && best.fits as f64 >= PART * n as f64).then_some(best)
    }

    fn by(
        cells: &[(Quantity, &Figures)],
        (first, second): (usize, usize),
        form: fn(f64, f64) -> f64,
    ) -> ComparingColumn {
        let mut found = ComparingColumn { fits: 0, wrong: Vec::new() };
        for (cell, row) in cells {
            let of = |column: usize| row.iter().find(|(at, ..)| *at == column);
            let (Some(a), Some(b)) = (of(first), of(second)) else { continue };
            if a.3.value <= 0.0 || b.3.value <= 0.0 {
                continue;
            }
            let expected = form(a.3.value, b.3.value);
            let slack = cell.half + (TOLERANCE + a.3.rounding() + b.3.rounding()) * (expected.abs() + 1.0);
            match (cell.value - expected).abs() <= slack {
                true => found.fits += 1,
                false => found.wrong.push((*cell, expected, [a.1, b.1], a.2)),
            }
        }
        found
    }

    fn doubt(&self, published: &Published, heading: &str) -> PublishedAudit {
        let Some((cell, expected, [first, _], kind)) = self.wrong.first() else { return PublishedAudit::default() };
        let seen = msg!(
            "doubt-published-comparison-seen",
            place = place(&published.results[*first]),
            heading = foreign(heading),
            said = precise(cell.value),
            expected = precise((expected * 1e3).round() / 1e3),
            figure = kind.words()
        );
        let all = in_all(self.fits + self.wrong.len());
        let problem = Problem::new(msg!("doubt-published-comparison", n = self.wrong.len(), all)).evidence(seen);
        let touches = self.wrong.iter().flat_map(|(_, _, of, kind)| of.map(|at| (at, *kind))).collect();
        PublishedAudit::doubt(
            Verdict::Degraded,
            "comparison",
            problem.hint(msg!("doubt-published-look-at-source")),
            touches,
        )
    }
}

/// The columns of a row that have the same figure, each with each later one.
fn pairs(row: &Figures) -> Vec<(usize, usize)> {
    let alike = |a: &(usize, usize, FigureKind, Quantity)| {
        let kind = a.2;
        let from = a.0;
        row.iter().filter(move |b| b.2 == kind && b.0 > from).map(move |b| (from, b.0))
    };
    row.iter().filter(|figure| figure.2 != FigureKind::Clients).flat_map(alike).collect()
}

/// `1.51`, `1.51x`, `+51%`.
fn compared(cell: &str) -> Option<Quantity> {
    match quantity::read(cell) {
        CellContent::Number(quantity, None, false) | CellContent::Share(quantity) => Some(quantity),
        _ => None,
    }
}
