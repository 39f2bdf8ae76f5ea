//! Tables of AsciiDoc: `|===` above and below them (docs.asciidoctor.org, "Build a Basic Table" and "Span Columns and Rows").

use super::Block;
use crate::grid::Grid;
use crate::raw_table::{Extent, MOST_COLUMNS};
use tenbin_words::message::Message;

/// At most this much of a cell is kept.
const LONGEST: usize = 400;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    let fence = lines[at].trim_end();
    if fence.len() < 4 || !fence.starts_with('|') || fence[1..].contains(|c| c != '=') {
        return Ok(None);
    }
    let end = lines.iter().skip(at + 1).position(|line| line.trim_end() == fence).map_or(lines.len(), |n| at + 1 + n);
    let body = at + 1..end;
    let above = lines[at.saturating_sub(3)..at].iter().rev().map(|line| line.trim());
    let above: Vec<&str> = above.take_while(|line| !line.is_empty()).collect();
    let caption = above.iter().find_map(|line| line.strip_prefix('.')).map(str::to_owned);
    let declared = above.iter().find_map(|line| declared_columns(line));
    let first = lines[body.clone()].iter().find(|line| !line.trim().is_empty());
    let of_first = || Some(cells(&[first?], 0, extent).ok()?.iter().map(|cell| cell.times * cell.columns).sum());
    let width: usize = declared.or_else(of_first).unwrap_or(1).clamp(1, MOST_COLUMNS);
    let mut grid = Grid::default();
    for cell in cells(&lines[body], at as u64 + 2, extent)? {
        for _ in 0..cell.times {
            grid.cell(cell.line, cell.text.trim(), cell.columns, cell.rows)?;
            if grid.is_full(width)? {
                grid.end_row(extent)?;
            }
        }
    }
    grid.end_row(extent)?;
    Ok(Some(Block { rows: grid.rows, caption: Some(caption.unwrap_or_default()), end: end + 1 }))
}

/// The number of columns that `[cols="1,2*",options="header"]` declares.
fn declared_columns(line: &str) -> Option<usize> {
    let value = line.strip_prefix('[')?.split_once("cols=")?.1;
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?.0,
        None => value.split([',', ']']).next()?,
    };
    let of_each = value.split([',', ';']).map(|column| match column.trim().split_once('*') {
        Some((times, _)) => times.trim().parse().unwrap_or(1),
        None => 1usize,
    });
    Some(of_each.fold(0, usize::saturating_add))
}

/// A cell: the line on which it begins, its text, how many columns and rows it spans, and how many cells of this text there are.
struct AsciidocCell {
    line: u64,
    text: String,
    columns: usize,
    rows: usize,
    times: usize,
}

/// The cells of lines of which the first one has this number.
fn cells(lines: &[&str], first: u64, extent: &Extent) -> Result<Vec<AsciidocCell>, Message> {
    let mut all: Vec<AsciidocCell> = Vec::new();
    for (line, at) in lines.iter().zip(first..) {
        let mut rest = *line;
        loop {
            let bar = rest.match_indices('|').map(|(at, _)| at).find(|at| !rest[..*at].ends_with('\\'));
            // What stands before a bar tells how its cell is: `2+|`, `.2+|`, `3*|`, `>|`.
            let text = &rest[..bar.unwrap_or(rest.len())];
            let (text, how) = match text.rfind(char::is_whitespace).map(|at| (&text[..at], text[at..].trim_start())) {
                Some((before, how)) if bar.is_some() && is_specifier(how) => (before, how),
                None if bar.is_some() && is_specifier(text) => ("", text),
                _ => (text, ""),
            };
            if let Some(cell) = all.last_mut().filter(|cell| cell.text.len() < LONGEST) {
                cell.text.push(' ');
                cell.text.push_str(&text.replace("\\|", "|"));
            }
            let Some(bar) = bar else { break };
            let (spans, times) = (how.split_once('+'), how.split_once('*'));
            let number = |text: &str| text.parse().unwrap_or(1usize).clamp(1, MOST_COLUMNS);
            let (columns, rows) = spans.map_or(("", ""), |(spans, _)| spans.split_once('.').unwrap_or((spans, "")));
            let times = times.map_or(1, |(times, _)| number(times));
            all.push(AsciidocCell {
                line: at,
                text: String::new(),
                columns: number(columns),
                rows: number(rows),
                times,
            });
            extent.within(all.len())?;
            rest = &rest[bar + 1..];
        }
    }
    Ok(all)
}

/// `2+`, `.3+^`, `4*>.^s`: numbers with a span or a factor, then alignment and style.
fn is_specifier(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let (has_numbers, rest) = (rest.len() < text.len(), rest);
    let (has_sign, rest) = rest.strip_prefix(['+', '*']).map_or((false, rest), |rest| (true, rest));
    let aligned = rest.trim_start_matches(['<', '>', '^', '.']);
    let style = aligned.len() < 2 && aligned.chars().all(|c| "adehlmsv".contains(c));
    !text.is_empty() && has_numbers == has_sign && style
}

#[cfg(test)]
mod tests {
    use crate::split::tables;

    fn rows(text: &str) -> Vec<String> {
        let all = tables(text).unwrap();
        let row = |(line, cells): &(u64, Vec<String>)| format!("{line}: {}", cells.join("|"));
        all.iter().flat_map(|table| table.rows.iter().map(row)).collect()
    }

    #[test]
    fn columns_are_those_of_the_first_line_or_of_the_declaration() {
        assert_eq!(rows("|===\n|a |b\n\n|1\n|2\n\n|3 |4 \\| 5\n|===\n"), ["2: a|b", "4: 1|2", "7: 3|4 | 5"]);
        let declared = ".Read only\n[%header,cols=\"1,2*>\"]\n|===\n|a\n|b\n|c\n\n|1\n|2\n|3\n|===\n";
        assert_eq!(rows(declared), ["4: a|b|c", "8: 1|2|3"]);
        assert_eq!(tables(declared).unwrap()[0].caption, "Read only");
    }

    #[test]
    fn cells_span_columns_and_rows_and_are_repeated() {
        let text = "|===\n.2+|threads 2+^|latency |tps\n|mean |p95 |all\n3*|1 >|2\n|===\n";
        assert_eq!(rows(text), ["2: threads|latency||tps", "3: threads|mean|p95|all", "4: 1|1|1|2"]);
    }

    #[test]
    fn what_is_left_open_ends_with_the_text() {
        for text in ["|===", "|===\n|a", "|===\n999999999999+|a\n99999*|b", "|===\nx\n|===", "|====\n|a\n|===\n"] {
            let _ = tables(text);
        }
    }
}
