//! The first lines of a table whose cells blanks separate: names above the headings stand where they are over their columns, a title is one
//! cell, whatever blanks it has, and so is a heading of several words above cells of one.

use crate::caption;
use crate::drawn::wide;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::raw_table::Rows;

/// Names are looked for above the headings in the first rows.
const HEAD_ROWS: usize = 6;
/// The most columns before those that the names are over.
const MOST_BEFORE: usize = 3;

/// The rows with their names and titles in place.
pub fn with_head(text: &str, mut rows: Rows) -> Rows {
    let most = rows.iter().take(HEAD_ROWS).map(|(line, _)| *line).max().unwrap_or(0);
    let lines: Vec<&str> = text.lines().take(most as usize).collect();
    let line = |number: u64| (number as usize).checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default();
    for at in 1..rows.len().min(HEAD_ROWS) {
        let (above, head) = (line(rows[at - 1].0), line(rows[at].0));
        if let Some(cells) = names(above, head, &rows[at].1) {
            rows[at - 1].1 = cells;
        }
    }
    with_whole_headings(&mut rows);
    let first = rows.first().map_or("", |(number, _)| line(*number).trim());
    let is_title = |head: &[String]| {
        head.len() > 1
            && head.first().is_some_and(|cell| matrix::says_clients(cell))
            && !first.contains('\t')
            && !first.contains("  ")
            && caption::of_caption(first).is_some()
    };
    if rows.len() > 2 && rows[0].1.len() > 1 && is_title(&rows[1].1) {
        rows[0].1 = vec![first.to_owned()];
    }
    rows
}

/// Puts the words above rows of fewer cells together to as many headings: `Threads TPS Avg latency (ms)` above `8 1,000 8.0`.
fn with_whole_headings(rows: &mut Rows) {
    let width = rows.last().map_or(0, |(_, cells)| cells.len());
    let below = rows.iter().rev().take_while(|(_, cells)| cells.len() == width).count();
    let Some(at) = rows.len().checked_sub(below + 1).filter(|at| *at < HEAD_ROWS) else { return };
    let words = &rows[at].1;
    if width > 1 && (width + 1..=MOST_WORDS).contains(&words.len()) {
        // All of them mean the same: `TPS | Avg latency` and `TPS Avg | latency`.
        if let [only] = headings_of(words, width).as_slice() {
            rows[at].1 = only.iter().map(|(heading, _)| heading.clone()).collect();
        }
    }
}

/// Headings of more words are sentences.
const MOST_WORDS: usize = 24;
/// So is one heading of more.
const LONGEST: usize = 5;

/// Headings with what they mean.
type Headings = Vec<(String, HeadingMeaning)>;

/// The ways to make this number of headings that are understood out of words, two at most: of those that mean the same the first one.
fn headings_of(words: &[String], n: usize) -> Vec<Headings> {
    // By the first word and the number of headings, from the last word back, so that no part is read twice.
    let mut ways: Vec<Vec<Vec<Headings>>> = vec![vec![Vec::new(); n + 1]; words.len() + 1];
    ways[words.len()][0].push(Vec::new());
    for at in (0..words.len()).rev() {
        let heading = |length: usize| {
            let heading = words[at..at + length].join(" ");
            let meaning = heading::read(&heading);
            let is_known = match meaning {
                HeadingMeaning::Figure(_, _, None) => true,
                HeadingMeaning::Named(name) => ["target", "workload", "axis", "remark", heading::SHARE].contains(&name),
                _ => false,
            };
            is_known.then_some((at + length, (heading, meaning)))
        };
        let known: Vec<_> = (1..=LONGEST.min(words.len() - at)).filter_map(heading).collect();
        for n in 1..=n {
            let mut all: Vec<Headings> = Vec::new();
            for (first, rest) in
                known.iter().flat_map(|(end, first)| ways[*end][n - 1].iter().map(move |rest| (first, rest)))
            {
                let way: Headings = std::iter::once(first).chain(rest).cloned().collect();
                let is_alike = |other: &Headings| other.iter().map(|one| &one.1).eq(way.iter().map(|one| &one.1));
                if all.len() < 2 && !all.iter().any(is_alike) {
                    all.push(way);
                }
            }
            ways[at][n] = all;
        }
    }
    ways[0].pop().unwrap_or_default()
}

/// The names of a line, each in the first of the columns that it stands over: the headings repeat below each of them.
fn names(line: &str, head_line: &str, headings: &[String]) -> Option<Vec<String>> {
    if line.contains('\t') || head_line.contains('\t') {
        return None;
    }
    let names: Vec<&str> = line.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let (n, width) = (names.len(), headings.len());
    if n < 2 || n >= width {
        return None;
    }
    let first = (1..=MOST_BEFORE.min(width - n)).find(|first| {
        let each = (width - first) / n;
        let is_repeated = |at: usize| headings[*first + at] == headings[*first + at % each];
        (width - first) % n == 0 && (0..width - first).all(is_repeated)
    })?;
    let each = (width - first) / n;
    let (of_names, of_headings) =
        (places(line, names.iter().copied()), places(head_line, headings.iter().map(String::as_str)));
    let (of_names, of_headings) = (of_names?, of_headings?);
    let is_over = |(at, name): (usize, &(usize, usize))| {
        let begin = of_headings[first + at * each].0;
        let end = of_headings[first + (at + 1) * each - 1].1;
        name.0 < end && begin < name.1
    };
    if !of_names.iter().enumerate().all(is_over) {
        return None;
    }
    let mut cells = vec![String::new(); width];
    names.iter().enumerate().for_each(|(at, name)| (*name).clone_into(&mut cells[first + at * each]));
    Some(cells)
}

/// Where cells begin and end in a line, in the columns of a terminal.
fn places<'c>(line: &str, cells: impl Iterator<Item = &'c str>) -> Option<Vec<(usize, usize)>> {
    let (mut all, mut from) = (Vec::new(), 0);
    for cell in cells {
        let begin = from + line[from..].find(cell)?;
        from = begin + cell.len();
        all.push((wide(&line[..begin]).len(), wide(&line[..from]).len()));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_over_the_columns_that_repeat() {
        let of = |above: &str, head: &str| {
            let headings: Vec<String> = head.split_whitespace().map(str::to_owned).collect();
            names(above, head, &headings).map(|cells| cells.join("|"))
        };
        assert_eq!(of("          v6.1     v6.5", "threads   tps      tps").as_deref(), Some("|v6.1|v6.5"));
        assert_eq!(
            of("           A 8.0            B", "Threads TPS avg(ms)  TPS avg(ms)").as_deref(),
            Some("|A 8.0||B|")
        );
        assert_eq!(of("v6.1  v6.5", "threads         tps    tps"), None, "they stand over others");
        assert_eq!(of("     A    B", "threads tps qps"), None);
    }
}
