//! Rows of a table that have nothing but a name, over all columns: `MySQL 8.0` above its rows of figures, and `MariaDB 11` above those of the
//! other. The name becomes a column; if the names are those of figures, each is one of the columns below it.

use crate::beside;
use crate::caption;
use crate::column::{SHOWN, column, is_of_load};
use crate::figure_kind::Measure;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, PublishedRow};
use crate::unpivot;
use crate::words::{is_among, lower, unit, words};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// A longer text is a note.
const LONGEST: usize = 100;

/// The table without such rows.
pub(crate) struct WithoutSections {
    pub headings: Vec<String>,
    pub rows: Vec<PublishedRow>,
    pub remarks: Vec<Message>,
}

/// A name, its line (0 if it stands above the headings), and the rows below it.
struct Section<'t> {
    name: String,
    line: u64,
    rows: Vec<&'t PublishedRow>,
}

/// The table without rows of names, if it has some; `above`: the only cell of the row above the headings.
pub(crate) fn settled(headings: &[String], rows: &[PublishedRow], above: Option<&str>) -> Option<WithoutSections> {
    if headings.len() < 2 || !rows.iter().any(is_name) {
        return None;
    }
    let mut remarks = Vec::new();
    let sections = of_rows(headings, rows, above, &mut remarks)?;
    let body = || sections.iter().flat_map(|section| section.rows.iter().copied());
    let is_metric = |row: &PublishedRow| match heading::read(first(row)) {
        HeadingMeaning::Figure(kind, ..) => !is_of_load(kind),
        HeadingMeaning::PerPeriod(_) => true,
        _ => false,
    };
    let is_number = |cell: &str| {
        matches!(quantity::read(cell), CellContent::Number(..)) || matrix::clients_in_words(cell).is_some()
    };
    let of_numbers = body().all(|row| is_number(first(row)));
    // A row without figures may be one that was not measured, unless what stands below it comes again below another name.
    let mut section_of = BTreeMap::new();
    let again = (0..)
        .zip(&sections)
        .any(|(n, section)| section.rows.iter().any(|row| *section_of.entry(first(row)).or_insert(n) != n));
    if body().any(is_metric) {
        return again.then(|| of_metrics(headings, &sections, remarks));
    }
    if !(of_numbers || again) {
        return None;
    }
    let of_figures = headings[1..].iter().any(|heading| matches!(heading::read(heading), HeadingMeaning::Figure(..)));
    if !of_figures && sections.iter().any(|section| name_of_figure(&section.name).is_some()) {
        return Some(by_figure(headings, &sections, remarks));
    }
    let width = headings.len().max(rows.iter().map(|row| row.cells.len()).max().unwrap_or(0));
    let mut out = WithoutSections { headings: headings.to_vec(), rows: Vec::new(), remarks };
    out.headings.resize(width, String::new());
    out.headings.push(heading_of(headings, &sections, of_numbers).to_owned());
    for section in sections {
        if section.line > 0 {
            out.remarks.push(msg!("published-section", line = section.line, text = short(&section.name, SHOWN)));
        }
        for row in section.rows {
            let mut cells = row.cells.clone();
            cells.resize(width, String::new());
            cells.push(section.name.clone());
            out.rows.push(PublishedRow { line: row.line, cells });
        }
    }
    Some(out)
}

fn first(row: &PublishedRow) -> &str {
    row.cells.first().map_or("", String::as_str)
}

/// The rows below each name; `None` if no name has any. Headings that are there again are left out, and so is what has no rows below it,
/// which is said. A name directly above another one is that of all further names, up to the next such.
fn of_rows<'t>(
    headings: &[String],
    rows: &'t [PublishedRow],
    above: Option<&str>,
    remarks: &mut Vec<Message>,
) -> Option<Vec<Section<'t>>> {
    let is_head = |row: &PublishedRow| row.cells.iter().zip(headings).all(|(cell, heading)| cell == heading);
    let rows: Vec<&PublishedRow> = rows.iter().filter(|row| !is_head(row)).collect();
    let mut all = vec![Section { name: above.unwrap_or_default().to_owned(), line: 0, rows: Vec::new() }];
    let mut outer = "";
    for (at, row) in rows.iter().enumerate() {
        if !is_name(row) {
            all.extend(all.is_empty().then(|| Section { name: String::new(), line: 0, rows: Vec::new() }));
            if let Some(section) = all.last_mut() {
                section.rows.push(row);
            }
            continue;
        }
        match rows.get(at + 1) {
            Some(next) if is_name(next) => outer = first(row),
            Some(_) => {
                let name = if outer.is_empty() { first(row).to_owned() } else { format!("{outer}, {}", first(row)) };
                all.push(Section { name, line: row.line, rows: Vec::new() });
            }
            None => {
                let (name, text) =
                    (short(headings.first().map_or("", String::as_str), SHOWN), short(first(row), SHOWN));
                remarks.push(msg!("published-no-number", line = row.line, name, text));
            }
        }
    }
    all.retain(|section| !section.rows.is_empty());
    all.iter().any(|section| section.line > 0).then_some(all)
}

/// Whether a row has nothing but words, in its first cell.
pub(crate) fn is_name(row: &PublishedRow) -> bool {
    let Some((name, rest)) = row.cells.split_first() else { return false };
    // Of each row of large tables: what the cells are is asked first.
    let is_alone = !rest.is_empty() && rest.iter().all(|cell| cell.is_empty() || cell == name);
    if !is_alone || name.len() > LONGEST || !name.contains(char::is_alphabetic) {
        return false;
    }
    let has_clients = matrix::clients_in_words(name).is_some();
    let is_word = || matches!(quantity::read(name), CellContent::Words) && !name.starts_with(|c: char| c.is_numeric());
    (has_clients || is_word()) && !matches!(unit(&lower(&words(name))), Some("missing" | "same"))
}

/// The heading of the figure that a name is of: `TPS`, `p95 (ms)`, and that of `Average latency by threads`.
fn name_of_figure(name: &str) -> Option<String> {
    let says_nothing = |word: &String| {
        ["of-caption", "of-scale", "clients", "of-client", "client-filler"].iter().any(|of| is_among(word, of))
    };
    let of_caption = || {
        let (kind, unit) = caption::of_caption(name)?;
        let is_alone = lower(&words(&caption::beside_figure(name))).iter().all(says_nothing);
        let unit = unit.map_or(String::new(), |unit| format!(" ({unit})"));
        unpivot::name_of(kind).filter(|_| is_alone).map(|name| name + &unit)
    };
    match heading::read(name) {
        HeadingMeaning::Figure(kind, _, None) if heading::is_rate(kind) || kind.measure() == Measure::Milliseconds => {
            Some(name.to_owned())
        }
        HeadingMeaning::Named(of) if heading::ASIDE.contains(&of) => of_caption().or_else(|| Some(name.to_owned())),
        _ => of_caption(),
    }
}

/// What stands above the names.
fn heading_of(headings: &[String], sections: &[Section<'_>], of_numbers: bool) -> &'static str {
    let has = |wanted: &Meaning| headings.iter().any(|heading| column(heading).meaning == *wanted);
    let is_of_workload = |section: &Section<'_>| {
        let is = |word: &String| is_among(word, "of-own-workload") || is_among(word, "of-operation");
        lower(&words(&section.name)).iter().any(is)
    };
    let named = || sections.iter().filter(|section| !section.name.is_empty());
    if named().all(|section| beside::is_repeat(&section.name)) {
        "run"
    } else if named().all(is_of_workload) && !has(&Meaning::Workload) {
        "workload"
    } else if of_numbers && !has(&Meaning::Target) && !named().any(|s| matrix::clients_in_words(&s.name).is_some()) {
        "target"
    } else {
        "section"
    }
}

/// In a table with a row for each figure, the columns of each name beside those of the others, with the name in a row of its own.
fn of_metrics(headings: &[String], sections: &[Section<'_>], remarks: Vec<Message>) -> WithoutSections {
    let (width, of_one) = (headings.len() - 1, headings.len() == 2);
    let are_clients = sections.iter().all(|section| matrix::clients_in_words(&section.name).is_some());
    let of_section = if are_clients { "threads" } else { "workload" };
    let mut out = WithoutSections { headings: vec![headings[0].clone()], rows: Vec::new(), remarks };
    if !of_one {
        out.rows.push(PublishedRow { line: sections[0].line, cells: vec![of_section.to_owned()] });
    }
    for section in sections {
        out.remarks.push(msg!("published-section", line = section.line, text = short(&section.name, SHOWN)));
        let begin = out.headings.len();
        match of_one {
            true => out.headings.push(section.name.clone()),
            false => {
                out.headings.extend_from_slice(&headings[1..]);
                out.rows[0].cells.extend(vec![section.name.clone(); width]);
            }
        }
        for row in &section.rows {
            set(&mut out, row, begin, width);
        }
    }
    let width = out.headings.len();
    out.rows.iter_mut().for_each(|row| row.cells.resize(width, String::new()));
    out
}

/// Sets the cells of a row beside those that are known below the same first cell. One that is there again below a name is left out.
fn set(out: &mut WithoutSections, row: &PublishedRow, begin: usize, width: usize) {
    let rows = &mut out.rows;
    let known = rows.iter().position(|known| first(known) == first(row));
    let at = known.unwrap_or(rows.len());
    if known.is_none() {
        rows.push(PublishedRow { line: row.line, cells: vec![first(row).to_owned()] });
    }
    let cells = &mut rows[at].cells;
    if cells.len() > begin {
        out.remarks.push(msg!("published-row-unknown", name = short(first(row), SHOWN), line = row.line));
        return;
    }
    cells.resize(begin, String::new());
    cells.extend((1..=width).map(|at| row.cells.get(at).cloned().unwrap_or_default()));
}

/// A row for each first cell, with a column for each figure and each column below it. Rows below a name that is no figure are left out.
fn by_figure(headings: &[String], sections: &[Section<'_>], remarks: Vec<Message>) -> WithoutSections {
    let mut out = WithoutSections { headings: vec![headings[0].clone()], rows: Vec::new(), remarks };
    let mut seen = BTreeSet::new();
    for section in sections {
        let figure = name_of_figure(&section.name);
        let Some(figure) = figure.filter(|figure| seen.insert(figure.clone())) else {
            let line = section.rows.first().map_or(section.line, |row| row.line);
            out.remarks.push(msg!("published-row-unknown", name = short(&section.name, SHOWN), line));
            continue;
        };
        let begin = out.headings.len();
        out.headings.extend(headings[1..].iter().map(|heading| format!("{heading} {figure}")));
        for row in &section.rows {
            set(&mut out, row, begin, headings.len() - 1);
        }
    }
    let width = out.headings.len();
    out.rows.iter_mut().for_each(|row| row.cells.resize(width, String::new()));
    out
}
