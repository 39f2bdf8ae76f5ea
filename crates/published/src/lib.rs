//! Results that others published: tables in CSV, in the markup of pages, wikis and documents and as JSON, and logs of benchmarks, are read ([`read`]), and doubted
//! ([`audit()`]) by the checks that their figures permit.
//!
//! Bytes in, results out: this crate opens no files and prints nothing.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod alignment;
mod asides;
mod audit;
mod bbcode;
mod beside;
mod by_unit;
mod caption;
mod checks;
mod clients_of_each;
mod column;
mod comparing;
mod composite;
mod corner;
mod course;
mod decimal;
mod decode;
mod drawn;
mod duration;
mod figure_kind;
mod file_names;
mod footnotes;
mod grid;
mod groups;
mod heading;
mod html;
mod join;
mod json;
mod left_over;
mod listed;
mod load_in_names;
mod logs;
mod matrix;
mod merged;
mod mhtml;
mod notes;
mod of_rates;
mod open_units;
mod page_text;
mod pairs;
mod percentile;
mod percentile_rows;
mod prose;
mod published_audit;
mod quantity;
mod raw_table;
mod result;
mod row_names;
mod rows;
mod rulers;
mod scale;
mod sections;
mod settle;
mod shape;
mod spaced;
mod spelling;
mod split;
mod stacked;
mod statistics;
mod unpivot;
mod unstated;
mod words;
mod yaml;

pub use audit::audit;
pub use decode::decode;
pub use figure_kind::{FigureKind, Measure};
pub use file_names::file_names;
pub use published_audit::{PublishedAudit, PublishedDoubt};
pub use quantity::Quantity;
pub use result::{
    CellPlace, Figures, Meaning, Published, PublishedColumn, PublishedResult, PublishedRow, PublishedTable,
};
pub use split::in_ascii;
pub use yaml::configuration as yaml;

use std::borrow::Cow;
use std::collections::BTreeSet;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_words::text::{short, visible_lines};

/// A larger file is no table of results.
pub const MOST_BYTES: u64 = 128 << 20;

/// Reads a file: its bytes, and its path for messages. Fails if it is empty, no text, or has no results.
pub fn read(bytes: impl Into<Vec<u8>>, path: &str) -> Result<Published, Problem> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (text, encoding) = decode::decode(bytes.into(), path)?;
    let text = plain(text);
    if text.trim().is_empty() {
        return Err(Problem::new(msg!("published-empty", file = path)).hint(msg!("published-hint")));
    }
    let refused =
        |why: Message| Problem::new(msg!("published-not-read", file = path)).evidence(why).hint(msg!("published-hint"));
    if text[..text.floor_char_boundary(4000)].contains(html::OWN_PAGE) {
        let hint = msg!("published-own-page-hint", file = shell::word(path));
        return Err(Problem::new(msg!("published-own-page", file = path)).hint(hint));
    }
    let mut all = match logs::read(&text, file) {
        Some(log) => log,
        None => {
            let untagged = if html::is_page(&text) { None } else { html::text_of_lists(&text) };
            let text = untagged.as_deref().unwrap_or(&text);
            let page =
                if html::is_page(text) { Some(Cow::Borrowed(text)) } else { bbcode::as_page(text).map(Cow::Owned) };
            let tables = match page {
                Some(page) => html::tables(&page).and_then(raw_table::bounded),
                None => prose::of_lines(text).map_or_else(|| split::tables(text), |table| Ok(vec![table])),
            };
            let read = tables.map(|mut tables| {
                footnotes::explain(&mut tables, text);
                let tables = tables.into_iter().flat_map(stacked::apart);
                join::tables(tables.fold(Published::default(), |all, raw| all.and(shape::read(raw, file))))
            });
            match read {
                Ok(all) if has_any(&all) => all,
                // Why it is no table is known better than what its sentences say.
                Err(why) => sentences(text, file).ok().flatten().ok_or_else(|| refused(why))?,
                // What of a table is not understood is known better than why its rows are no sentences.
                Ok(read) if is_table(&read, text) => sentences(text, file).ok().flatten().unwrap_or(read),
                read => sentences(text, file)?.map_or(read, Ok).map_err(refused)?,
            }
        }
    };
    unstated::by_titles(&mut all, &text, file);
    without_zeros(&mut all);
    checks::little::bear_out(&mut all);
    load_in_names::leave_to_clients(&mut all.results);
    if all.results.len() > raw_table::MOST_ROWS {
        let rows = all.results.len();
        return Err(refused(msg!("published-too-many-rows", rows, most = raw_table::MOST_ROWS)));
    }
    if !has_any(&all) {
        // A log that has none says why.
        let why = all.remarks.last().filter(|_| all.tables.is_empty()).cloned();
        return Err(refused(why.unwrap_or_else(|| seen(&all))));
    }
    all.remark_once();
    // What compares others is checked.
    let checked = [checks::ratios::headings(&all), checks::summaries::headings(&all)].concat();
    for heading in checked {
        let unknown = msg!("published-column-unknown", name = short(&heading, column::SHOWN));
        if let Some(at) = all.remarks.iter().position(|remark| *remark == unknown) {
            all.remarks.remove(at);
        }
    }
    let of_variables = all.tables.iter().filter(|table| table.of_variables);
    let remarks: Vec<Message> = of_variables
        .map(|table| match table.columns.len() {
            0..=2 => msg!("published-of-variables-of-one", file, rows = table.rows.len(), path = shell::word(path)),
            _ => msg!("published-of-variables", file, rows = table.rows.len(), path = shell::word(path)),
        })
        .collect();
    all.remarks.extend(remarks);
    if let Some(encoding) = encoding {
        all.remarks.insert(0, msg!("published-encoding", file, encoding));
    }
    // A table of text in all its cells would have a remark for each.
    if all.remarks.len() > MOST_REMARKS {
        let n = all.remarks.len() - MOST_REMARKS;
        all.remarks.truncate(MOST_REMARKS);
        all.remarks.push(msg!("published-more-remarks", n));
    }
    Ok(all)
}

/// Leaves out percentiles of 0 that were not measured; a column of nothing else is doubted as a whole.
fn without_zeros(all: &mut Published) {
    let is_one = all.results.len() == 1;
    let figures = all.results.iter().flat_map(|result| &result.figures);
    let measured: BTreeSet<FigureKind> =
        figures.filter(|(_, (quantity, _))| is_one || quantity.value > 0.0).map(|(kind, _)| *kind).collect();
    for result in &mut all.results {
        logs::without_zeros(result, |kind| measured.contains(&kind), &mut all.remarks);
    }
}

/// Whether there is a result, or a table of variables.
fn has_any(all: &Published) -> bool {
    !all.results.is_empty() || all.tables.iter().any(|table| table.of_variables)
}

/// Whether there is a table with rows that is drawn as one, or in which something is understood.
fn is_table(all: &Published, text: &str) -> bool {
    let is_drawn = || text.lines().any(|line| line.trim_start().starts_with('|'));
    let is_figure = |column: &PublishedColumn| matches!(column.meaning, Meaning::Figure(..));
    let mut tables = all.tables.iter().filter(|table| table.columns.len() > 1 && !table.rows.is_empty());
    tables.any(|table| is_drawn() || table.columns.iter().any(is_figure))
}

/// The results of the sentences of a text that has neither a table nor a log, if it has sentences with figures. Fails if none of them is
/// understood.
fn sentences(text: &str, path: &str) -> Result<Option<Published>, Problem> {
    let prose::Prose { table, not_understood } = prose::read(text);
    let Some(table) = table else {
        let Some(first) = not_understood.into_iter().next() else { return Ok(None) };
        let problem = Problem::new(msg!("published-not-read", file = path)).evidence(first);
        return Err(problem.hint(msg!("published-sentences-hint")));
    };
    let mut all = shape::read(table, path);
    all.results.iter_mut().for_each(|result| result.is_apart = true);
    all.remarks.extend(not_understood);
    Ok(Some(all))
}

/// One kind of line end, and nothing that acts on a terminal or hides: what is read here is shown in many places. A large file
/// without any of them is not copied.
fn plain(mut text: String) -> String {
    for (sign, instead) in [("\r\n", "\n"), ("\r", "\n")].into_iter().chain(INVISIBLE.map(|sign| (sign, ""))) {
        if text.contains(sign) {
            text = text.replace(sign, instead);
        }
    }
    if text.contains(COLOUR) || text.contains(ZERO) {
        text = without_colours(&text);
    }
    match visible_lines(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(visible) => visible,
    }
}

/// Invisible spaces of web pages, which would make a heading another word.
const INVISIBLE: [&str; 3] = ["\u{200b}", "\u{feff}", "\u{ad}"];
/// The start of a sequence that a terminal acts on.
const COLOUR: &str = "\u{1b}[";
/// A zero byte as an editor writes it.
const ZERO: &str = "^@";

/// Without the colours and moves of a terminal, which a log has if its output was recorded there (ECMA-48, CSI), and without zero
/// bytes as an editor writes them (`^@`).
fn without_colours(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(COLOUR) {
        out.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_digit() && !";?".contains(c));
        rest = match end.and_then(|end| after[end..].chars().next().filter(char::is_ascii_alphabetic).map(|_| end + 1))
        {
            Some(end) => &after[end..],
            None => {
                out.push_str(COLOUR);
                after
            }
        };
    }
    (out + rest).replace(ZERO, "")
}

/// This many remarks on the reading of a file are said.
const MOST_REMARKS: usize = 20;

/// What a file has instead of results.
fn seen(all: &Published) -> Message {
    const REASONS: [&str; 3] = ["published-caption-unknown", "published-point-open", "published-row-unknown"];
    // Signs of a text are no names.
    let has_letters =
        |remark: &&Message| remark.arg("name").is_none_or(|name| name.english().contains(char::is_alphanumeric));
    let mut reasons = all.remarks.iter().filter(|remark| REASONS.iter().any(|reason| remark.is(reason)));
    if let Some(why) = reasons.find(has_letters) {
        return why.clone();
    }
    let rows: usize = all.tables.iter().map(|table| table.rows.len()).sum();
    if let Some(why) = all.remarks.iter().find(|remark| rows == 0 && remark.is("published-row-left-out")) {
        return why.clone();
    }
    let columns = || all.tables.iter().flat_map(|table| &table.columns);
    let names = |columns: &mut dyn Iterator<Item = &PublishedColumn>| -> Vec<String> {
        columns.map(|column| short(&column.heading, 30)).filter(|heading| !heading.is_empty()).take(8).collect()
    };
    let headings = names(&mut columns());
    let unknown = names(&mut columns().filter(|column| column.meaning == Meaning::Unknown));
    if !unknown.is_empty() && unknown.len() < headings.len() {
        return msg!("published-no-results-unknown", rows, headings = foreign(unknown.join(" | ")));
    }
    msg!("published-no-results-seen", rows, headings = foreign(headings.join(" | ")))
}

/// The tables of a page as a browser saves it, each as rows of cells; none if the text is no page with tables. The message says why they cannot
/// be read.
pub fn page_tables(text: &str) -> Result<Vec<Vec<Vec<String>>>, Message> {
    let tables = if html::is_page(text) { html::tables(text)? } else { Vec::new() };
    Ok(tables.into_iter().map(|table| table.rows.into_iter().map(|(_, cells)| cells).collect()).collect())
}

/// The number of a cell: `128`; `12 GB` is not a number.
pub fn number(cell: &str) -> Option<f64> {
    match quantity::read(cell) {
        quantity::CellContent::Number(quantity, Some(quantity::MEGA_OR_MINUTES), _) => Some(quantity.value * 1e6),
        quantity::CellContent::Number(quantity, _, _) => Some(quantity.value),
        _ => None,
    }
}
