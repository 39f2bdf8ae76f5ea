//! Columns that follow from two others whatever their headings say, and so are no targets: `Factor` beside two servers.

use crate::column::Column;
use crate::quantity::{self, CellContent, Quantity};
use crate::result::{Meaning, PublishedRow, PublishedTable};
use crate::words::{half_width, is_among};

/// The two others that a heading consists of, by their places: `A/B`, `A vs B`, `Change A→B`, `B − A (TPS)`.
pub fn named(heading: &str, all: &[&str]) -> Option<(usize, usize)> {
    const BETWEEN: [&str; 14] = [
        "/",
        "÷",
        ":",
        "→",
        "->",
        " vs ",
        " vs. ",
        " to ",
        " over ",
        " % of ",
        " relative to ",
        " compared to ",
        " - ",
        "-",
    ];
    if heading.len() > LONGEST || all.len() > MOST_COLUMNS {
        return None;
    }
    let text = half_width(heading);
    let text = without_brackets(&text);
    let index_of = |name: &str| {
        let is = |other: &&str| **other != *heading && without_brackets(other).eq_ignore_ascii_case(name.trim());
        all.iter().position(is).filter(|_| !name.trim().is_empty())
    };
    // Words that say only that it compares, before the first name.
    let first = |name: &str| {
        let says = |word: &str| {
            word == "%" || is_among(&word.to_lowercase(), "comparison") || is_among(&word.to_lowercase(), "of-scale")
        };
        let mut rest = name.trim();
        loop {
            let index = index_of(rest);
            let (word, after) = match (index, rest.split_once(' ')) {
                (None, Some(two)) => two,
                _ => return index,
            };
            if !says(word.trim_end_matches(':')) {
                return None;
            }
            rest = after.trim_start();
        }
    };
    BETWEEN.iter().find_map(|between| {
        text.match_indices(between).find_map(|(at, sign)| {
            let (a, b) = (first(&text[..at])?, index_of(&text[at + sign.len()..])?);
            (a != b).then_some((a, b))
        })
    })
}

/// In a table of more columns they are not looked for.
const MOST_COLUMNS: usize = 100;
/// A longer heading names no two others.
const LONGEST: usize = 200;

/// `A (TPS)` without what is in the brackets at its end.
fn without_brackets(text: &str) -> &str {
    let text = text.trim();
    let name = text.strip_suffix([')', ']']).and_then(|text| Some(text.rsplit_once(['(', '['])?.0.trim_end()));
    name.filter(|name| !name.is_empty()).unwrap_or(text)
}

/// In a table of more targets no two are compared.
const MOST: usize = 12;
/// Authors round comparisons of figures that they round afterwards.
const TOLERANCE: f64 = 0.002;
/// This many rows show it.
const ROWS: usize = 200;

/// What a comparison of the second figure with the first one may be.
type Relation = fn(f64, f64) -> f64;
const FORMS: [Relation; 9] = [
    |a, b| b / a,
    |a, b| a / b,
    |a, b| b / a - 1.0,
    |a, b| 1.0 - b / a,
    |a, b| 100.0 * b / a,
    |a, b| 100.0 * (b / a - 1.0),
    |a, b| 100.0 * (1.0 - b / a),
    |a, b| b - a,
    |a, b| a - b,
];

/// Marks columns that are not understood and follow from two of those before them, and columns of numbers with a plus sign.
pub fn columns(columns: &mut [Column], table: &PublishedTable) {
    let is_open = |c: &Column| c.meaning == Meaning::Unknown && !c.heading.is_empty() && !c.is_aside;
    let open: Vec<usize> = (0..columns.len()).filter(|at| is_open(&columns[*at])).collect();
    let rows = &table.rows[..table.rows.len().min(ROWS)];
    let has_plus = |at: usize| {
        let is = |row: &PublishedRow| row.cells[at].trim_start().starts_with('+') && number(row, at).is_some();
        rows.iter().any(is)
    };
    for at in open.iter().copied().filter(|at| has_plus(*at)).collect::<Vec<_>>() {
        columns[at].is_aside = true;
    }
    if open.len() > MOST {
        return;
    }
    for (n, at) in open.iter().enumerate().skip(2) {
        let before = &open[..n];
        let mut pairs = before.iter().flat_map(|a| before.iter().filter(move |b| *b > a).map(move |b| (*a, *b)));
        if pairs.any(|pair| FORMS.iter().any(|form| follows(rows, *at, pair, *form))) {
            columns[*at].is_aside = true;
        }
    }
}

/// Whether all rows have the comparison, which is a smaller number than the two; one row alone shows it only of a much smaller one.
fn follows(rows: &[PublishedRow], at: usize, (first, second): (usize, usize), form: Relation) -> bool {
    let mut n = 0;
    let (mut is_small, mut differs) = (true, false);
    for row in rows {
        let (Some(cell), Some(a), Some(b)) = (number(row, at), number(row, first), number(row, second)) else {
            continue;
        };
        let expected = form(a.value, b.value);
        let slack = cell.half + (TOLERANCE + a.rounding() + b.rounding()) * (expected.abs() + 1.0);
        let is_near = (cell.value - expected).abs() <= slack;
        if a.value <= 0.0 || b.value <= 0.0 || !is_near || 2.0 * cell.value.abs() > a.value.min(b.value) {
            return false;
        }
        is_small &= 20.0 * cell.value.abs() < a.value.min(b.value);
        differs |= cell.value != 0.0;
        n += 1;
    }
    differs && (n > 1 || (n == 1 && is_small))
}

/// A number of a cell.
fn number(row: &PublishedRow, at: usize) -> Option<Quantity> {
    match quantity::read(row.cells.get(at)?) {
        CellContent::Number(quantity, None, _) => Some(quantity),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_heading_that_consists_of_two_others_names_them() {
        let all = ["threads", "pg-16", "pg-17 (TPS)", "8.0.35", "8.0.36"];
        for (heading, two) in [
            ("pg-17/pg-16", (2, 1)),
            ("pg-16 vs. pg-17", (1, 2)),
            ("Change pg-16→pg-17", (1, 2)),
            ("Change in %: 8.0.35 to 8.0.36", (3, 4)),
            ("8.0.36 / 8.0.35", (4, 3)),
            ("8.0.36 − 8.0.35 (TPS)", (4, 3)),
            ("8.0.36-8.0.35", (4, 3)),
            ("8.0.36 relative to 8.0.35", (4, 3)),
        ] {
            assert_eq!(named(heading, &all), Some(two), "{heading}");
        }
        for heading in ["pg-16", "pg-16/pg-18", "pg-16/pg-16", "/", "", "a/b", "pg-16 pg-17"] {
            assert_eq!(named(heading, &all), None, "{heading}");
        }
    }
}
