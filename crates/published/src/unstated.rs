//! Figures of which no heading and no word above their table says what they are: what their cells, the title of the whole text and the name of
//! the file say of them. What none of these says is no throughput.

use crate::caption;
use crate::figure_kind::FigureKind;
use crate::heading;
use crate::html;
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, Published};
use std::collections::BTreeSet;
use tenbin_words::msg;
use tenbin_words::shell;

/// The rate that all cells with a number name: `568 TPS`.
pub(crate) fn rate_of_cells<'c>(cells: impl Iterator<Item = &'c str>) -> Option<FigureKind> {
    let unit = |cell| if let CellContent::Number(_, unit, _) = quantity::read(cell) { Some(unit) } else { None };
    let mut units = cells.filter_map(unit).collect::<BTreeSet<_>>().into_iter();
    let kind = FigureKind::named(units.next()??)?;
    (heading::is_rate(kind) && units.next().is_none()).then_some(kind)
}

/// A command that says above the table that its figures are transactions per second.
pub(crate) fn command(file: &str) -> String {
    let word = shell::word(file);
    match file.to_lowercase().ends_with(".html") || file.to_lowercase().ends_with(".htm") {
        true => format!("sed 's/<table/<p>TPS<\\/p>&/' {word} | tenbin audit -"),
        false => format!("(echo TPS; echo; cat {word}) | tenbin audit -"),
    }
}

/// Takes figures of which their tables do not say what they are as the rate that the title of the text or the name of its file names, unless
/// these name two.
pub(crate) fn by_titles(all: &mut Published, text: &str, file: &str) {
    if !all.results.iter().any(|result| result.get(FigureKind::Unstated).is_some()) {
        return;
    }
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).replace(['_', '-', '.'], " ");
    let mut named = title(text).into_iter().chain([stem]).filter_map(|words| rate(&words)).collect::<BTreeSet<_>>();
    let Some(kind) = named.pop_first().filter(|_| named.is_empty()) else { return };
    for result in &mut all.results {
        if let Some(figure) = result.figures.remove(&FigureKind::Unstated) {
            result.figures.entry(kind).or_insert(figure);
        }
    }
    for column in all.tables.iter_mut().flat_map(|table| &mut table.columns) {
        if let Meaning::Figure(of, _) = &mut column.meaning
            && *of == FigureKind::Unstated
        {
            *of = kind;
        }
    }
    all.remarks.retain(|remark| !remark.is("published-unstated-below"));
    all.remarks.push(msg!("published-unstated-by-title", figure = kind.words()));
}

/// The rate that words name, and nothing else that is measured.
fn rate(words: &str) -> Option<FigureKind> {
    let (kind, unit) = caption::of_caption(words)?;
    let is_it = heading::is_rate(kind) && unit.is_none() && !heading::says_time(words);
    (is_it && !caption::is_caption_of_other(words)).then_some(kind)
}

/// The title of a whole text: a rate in its first line, or its only heading of the first level (HTML, Markdown, AsciiDoc).
fn title(text: &str) -> Option<String> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    if !first.starts_with(['#', '=']) && caption::is_of_rate(first) {
        return Some(first.to_owned());
    }
    let mut all = if html::is_page(text) { of_page(text) } else { of_lines(text) };
    all.pop().filter(|_| all.is_empty())
}

fn of_page(page: &str) -> Vec<String> {
    let of = |part: &str| Some(part.split_once('>')?.1.split_once("</")?.0.to_owned());
    page.replace("<H1", "<h1").split("<h1").skip(1).filter_map(of).collect()
}

fn of_lines(text: &str) -> Vec<String> {
    let (mut all, mut is_code, mut before) = (Vec::new(), false, "");
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let is_underline = line.len() > 1 && line.bytes().all(|b| b == b'=') && !before.trim().is_empty();
        let title = ["# ", "= "].iter().find_map(|sign| line.strip_prefix(sign)).or(is_underline.then_some(before));
        all.extend(title.filter(|_| !is_code).map(str::to_owned));
        before = line;
    }
    all
}
