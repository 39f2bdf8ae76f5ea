//! Columns with several figures in each cell, `Latency (avg/p95/max) ms` above `8.0/12.0/80`: a column for each figure.

use crate::beside::TIME_UNITS;
use crate::figure_kind::Measure;
use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::result::PublishedRow;
use crate::words::half_width;

/// A heading of more figures is something else.
const MOST: usize = 8;
/// A table of more columns has no such.
const MOST_COLUMNS: usize = 200;
/// A longer heading is a sentence.
const LONGEST: usize = 100;

/// Headings and rows with a column for each figure, if a heading names several response times and all of its cells have as many numbers.
pub(crate) fn apart(headings: &[String], rows: &[PublishedRow]) -> Option<(Vec<String>, Vec<PublishedRow>)> {
    let parts: Vec<Option<Vec<String>>> =
        headings.iter().enumerate().map(|(at, heading)| of_column(heading, rows, at)).collect();
    let columns: usize = parts.iter().map(|parts| parts.as_ref().map_or(1, Vec::len)).sum();
    if parts.iter().all(Option::is_none) || columns > MOST_COLUMNS {
        return None;
    }
    let each =
        |(heading, parts): (&String, &Option<Vec<String>>)| parts.clone().unwrap_or_else(|| vec![heading.clone()]);
    let all = headings.iter().zip(&parts).flat_map(each).collect();
    let row = |row: &PublishedRow| {
        let cells = row.cells.iter().enumerate().flat_map(|(at, cell)| match parts.get(at).and_then(Option::as_ref) {
            Some(_) if cell.contains('/') => cell.split('/').map(|part| part.trim().to_owned()).collect(),
            Some(parts) => vec![cell.clone(); parts.len()],
            None => vec![cell.clone()],
        });
        PublishedRow { line: row.line, cells: cells.collect() }
    };
    Some((all, rows.iter().map(row).collect()))
}

/// The headings of the figures of a column.
fn of_column(heading: &str, rows: &[PublishedRow], at: usize) -> Option<Vec<String>> {
    if !heading.contains(['/', '／']) || heading.len() > LONGEST {
        return None;
    }
    let mut cells = rows.iter().filter_map(|row| row.cells.get(at)).map(|cell| (cell, quantity::read(cell))).peekable();
    let n = cells.peek().map(|(cell, _)| cell.split('/').count()).filter(|n| (2..=MOST).contains(n))?;
    // `8 ms / 12 ms`.
    let are_times = |cell: &str| {
        let is_time = |part: &str| matches!(quantity::read(part), CellContent::Number(_, Some(unit), false) if TIME_UNITS.contains(&unit));
        cell.split('/').count() == n && cell.split('/').all(is_time)
    };
    let is_it = |(cell, content): (&String, CellContent)| match content {
        CellContent::Several => cell.split('/').count() == n,
        CellContent::Words => are_times(cell),
        CellContent::Missing => true,
        _ => false,
    };
    if !cells.all(is_it) {
        return None;
    }
    let all = names(&half_width(heading), n)?;
    let (mut kinds, mut has_unit) = (Vec::new(), false);
    for name in &all {
        let HeadingMeaning::Figure(kind, unit, None) = heading::read(name) else { return None };
        has_unit |= unit.is_some_and(|unit| TIME_UNITS.contains(&unit));
        if kind.measure() != Measure::Milliseconds || kinds.contains(&kind) {
            return None;
        }
        kinds.push(kind);
    }
    (has_unit || heading::says_time(heading)).then_some(all)
}

/// The heading with each of its names between slashes alone: in brackets, or the word before, those between and the word behind them.
fn names(heading: &str, n: usize) -> Option<Vec<String>> {
    let first = heading.find('/')?;
    let last = heading.rfind('/')?;
    let open = heading[..first].rfind(['(', '[']).map(|at| at + 1);
    let close = heading[last..].find([')', ']']).map(|at| last + at);
    let (begin, end) = match open.zip(close) {
        Some((begin, end)) if !heading[begin..end].contains(['(', ')', '[', ']']) => (begin, end),
        _ => {
            let before = heading[..first].trim_end();
            let begin = before.rfind([' ', '(', '[']).map_or(0, |at| at + 1);
            let after = &heading[last + 1..];
            let skipped = after.len() - after.trim_start().len();
            let word = after.trim_start().find([' ', '(', '[', ')', ']', ',']).unwrap_or(after.trim_start().len());
            (begin, last + 1 + skipped + word)
        }
    };
    let names: Vec<&str> = heading[begin..end].split('/').map(str::trim).collect();
    let one = |name: &&str| format!("{}{name}{}", &heading[..begin], &heading[end..]);
    (names.len() == n && names.iter().all(|name| !name.is_empty())).then(|| names.iter().map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn each_name_stands_alone_with_what_is_around_all() {
        for (heading, wanted) in [
            ("Latency (avg/p95) ms", Some(["Latency (avg) ms", "Latency (p95) ms"])),
            ("Latency avg / p95, ms", Some(["Latency avg, ms", "Latency p95, ms"])),
            ("avg/p95 latency (ms)", Some(["avg latency (ms)", "p95 latency (ms)"])),
            ("avg/", None),
            ("a/b/c", None),
        ] {
            let wanted = wanted.map(|all| all.map(str::to_owned).to_vec());
            assert_eq!(names(heading, 2), wanted, "{heading}");
        }
    }
}
