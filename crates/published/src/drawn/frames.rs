//! Data frames as pandas and R print them: each row begins with its index, and the name of a column ends where its cells end. Columns that do not fit
//! beside the others stand below them, with the same index.

use super::Block;
use super::ruled::{FILLER, wide};
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::{Extent, MOST_COLUMNS, Rows};
use std::collections::BTreeSet;
use tenbin_words::message::Message;

/// What stands above a frame of the tidyverse.
const TIBBLE: &str = "# A tibble:";

/// Whether a line may be the headings of a frame, told by few characters of it and of the next line.
pub(super) fn may_begin(lines: &[&str], at: usize) -> bool {
    let (line, next) = (lines[at], lines.get(at + 1).copied().unwrap_or_default());
    let is_row = |line: &str| !line.is_empty() && !line.starts_with([' ', '\t']);
    let is_over_rows = is_row(next) || (!next.is_empty() && lines.get(at + 2).is_some_and(|line| is_row(line)));
    let may_be_head = line.starts_with(' ') || line.contains("  ") || next.starts_with(['0', '1']);
    line.starts_with(TIBBLE) || (is_over_rows && may_be_head && !line.trim().is_empty() && !line.contains('\t'))
}

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    if !may_begin(lines, at) {
        return Ok(None);
    }
    let head = at + usize::from(lines[at].starts_with(TIBBLE));
    let (above, mut frame) = match Panel::at(lines, head, 2) {
        Some(frame) => (None, frame),
        None => {
            let below = Panel::at(lines, head + 1, 2).and_then(|frame| Some((frame.names_above(lines[head])?, frame)));
            let Some((above, frame)) = below else { return Ok(None) };
            (Some(above), frame)
        }
    };
    while let Some(next) = frame.next(lines).filter(|_| above.is_none()) {
        frame.join(next);
    }
    let mut rows = frame.table(head as u64 + 1);
    if let Some((above, first)) = above.zip(rows.first().map(|(_, cells)| cells.len())) {
        // Below them the headings of the index stand first.
        let empty = vec![String::new(); first - above.len().min(first)];
        rows.insert(0, (head as u64 + 1, [empty, above].concat()));
    }
    rows.iter().try_for_each(|(_, cells)| extent.take(cells.len()))?;
    Ok(Some(Block { rows, caption: None, end: frame.end }))
}

/// The characters of a line in their places.
type Layout = fn(&str) -> Vec<char>;
/// pandas counts characters, R the columns of a terminal.
const LAYOUTS: [Layout; 2] = [|line| line.chars().collect(), wide];

/// A row: its line, and its cells.
type FrameRow = (u64, Vec<String>);

/// Columns of a frame that stand side by side.
struct Panel {
    /// The names of the columns of the index, if they have some.
    names: Vec<String>,
    headings: Vec<String>,
    /// The cells of the index of each row.
    index: Vec<Vec<String>>,
    rows: Vec<FrameRow>,
    /// Where each heading ends, if cells end there too.
    ends: Vec<usize>,
    /// How many lines of the text are before its end.
    end: usize,
    /// Whether further columns stand below it, as pandas marks them.
    continues: bool,
}

impl Panel {
    /// The columns whose headings are in this line, if there are at least `least` of them.
    fn at(lines: &[&str], at: usize, least: usize) -> Option<Panel> {
        let head = lines.get(at)?.trim_end();
        let (head, continues) = head.strip_suffix('\\').map_or((head, false), |head| (head.trim_end(), true));
        let has_types = lines.get(at + 1).is_some_and(|line| is_of_types(line));
        let panel = match has_types {
            true => by_number(head, lines, at + 2),
            false => {
                let aligned = |layout: &Layout| {
                    [1, 2].into_iter().find_map(|blanks| aligned(&layout(head), lines, at + 1, *layout, blanks))
                };
                let has_enough = |panel: &Panel| panel.headings.len() >= least || !panel.names.is_empty();
                let of_layout = LAYOUTS.iter().find_map(aligned).filter(has_enough);
                of_layout.or_else(|| by_number(head, lines, at + 1).filter(Panel::counts_rows))
            }
        };
        panel.map(|panel| Panel { continues, ..panel })
    }

    /// Further columns of the same rows, below these.
    fn next(&self, lines: &[&str]) -> Option<Panel> {
        let is_empty = lines.get(self.end).is_some_and(|line| line.trim().is_empty());
        let at = self.end + usize::from(is_empty);
        if is_empty && !self.continues || lines.get(at)?.trim().is_empty() {
            return None;
        }
        let next = Panel::at(lines, at, 1).filter(|next| next.index == self.index)?;
        let is_known = |heading: &String| self.headings.contains(heading);
        (!next.headings.iter().any(is_known)).then_some(next)
    }

    /// The names in a line above the headings, each over the first of its columns, whose end it has.
    fn names_above(&self, line: &str) -> Option<Vec<String>> {
        let line: Vec<char> = line.trim_end().chars().collect();
        let mut cells = vec![String::new(); self.headings.len()];
        let places = places(&line, 1);
        for (start, end) in &places {
            let at = self.ends.iter().position(|of| of == end)?;
            cells[at] = line[*start..*end].iter().collect();
        }
        (!places.is_empty()).then_some(cells)
    }

    fn join(&mut self, next: Panel) {
        self.headings.extend(next.headings);
        for ((_, cells), (_, more)) in self.rows.iter_mut().zip(next.rows) {
            cells.extend(more);
        }
        (self.end, self.continues) = (next.end, next.continues);
    }

    /// Whether the index has no name and counts the rows from 0 or 1, with rows left out.
    fn counts_rows(&self) -> bool {
        let numbers: Option<Vec<u64>> =
            self.index.iter().flatten().filter(|cell| !is_left_out(cell)).map(|cell| cell.parse().ok()).collect();
        let has_gap = self.index.iter().flatten().any(|cell| is_left_out(cell));
        let counts = |all: &[u64]| all.windows(2).all(|two| two[1] == two[0] + 1 || (has_gap && two[1] > two[0]));
        self.names.is_empty() && numbers.is_some_and(|all| all.first().is_some_and(|first| *first < 2) && counts(&all))
    }

    /// Its headings and rows. An index that only counts rows is left out, and so is one of numbers beside the clients; another may be anything.
    fn table(&self, head: u64) -> Rows {
        let is_clients =
            |heading: &String| matches!(heading::read(heading), HeadingMeaning::Figure(FigureKind::Clients, ..));
        let is_number = |cell: &String| is_left_out(cell) || cell.parse::<u64>().is_ok();
        let has_clients = self.headings.iter().any(is_clients);
        let begins_at_0 = self.index.first().and_then(|cells| cells.first()).is_some_and(|first| first == "0");
        let is_without = self.names.is_empty()
            && self.index.iter().flatten().all(is_number)
            && (has_clients || (begins_at_0 && self.counts_rows()));
        let names = if self.names.is_empty() { vec![String::new()] } else { self.names.clone() };
        let of_index = |cells: &[String]| if is_without { Vec::new() } else { cells.to_vec() };
        let first = (head, [of_index(&names), self.headings.clone()].concat());
        let rows = self.index.iter().zip(&self.rows);
        let rows = rows.map(|(index, (line, cells))| (*line, [of_index(index), cells.clone()].concat()));
        std::iter::once(first).chain(rows).collect()
    }
}

/// `<dbl> <int>`: the types of the columns, below their names.
fn is_of_types(line: &str) -> bool {
    let mut all = line.split_whitespace().peekable();
    all.peek().is_some() && all.all(|word| word.starts_with('<') && word.ends_with('>'))
}

/// What stands in the place of rows that are left out.
fn is_left_out(cell: &str) -> bool {
    matches!(cell, ".." | "..." | "…" | "---" | "⋮")
}

/// A frame whose cells have no blanks in them: each row has one cell more than there are headings.
fn by_number(head: &str, lines: &[&str], from: usize) -> Option<Panel> {
    let headings = words(head);
    let is_known = headings.iter().any(|heading| heading::read(heading) != HeadingMeaning::Unknown);
    if headings.len() < 2 || !is_known || headings.iter().any(|heading| is_number(heading)) {
        return None;
    }
    let row = |line: &str| {
        let mut all = words(line).into_iter();
        let index = all.next()?.trim_end_matches(':').to_owned();
        let cells: Vec<String> = all.collect();
        (cells.len() == headings.len()).then_some((index, cells))
    };
    let rows: Vec<(u64, (String, Vec<String>))> =
        lines.iter().enumerate().skip(from).map_while(|(at, line)| Some((at as u64 + 1, row(line)?))).collect();
    if rows.len() < 2 {
        return None;
    }
    let end = from + rows.len();
    let index = rows.iter().map(|(_, (index, _))| vec![index.clone()]).collect();
    let rows = rows.into_iter().map(|(line, (_, cells))| (line, cells)).collect();
    Some(Panel { names: Vec::new(), headings, index, rows, ends: Vec::new(), end, continues: false })
}

/// The words of a line, of which those of the tidyverse stand between accents if there are blanks in them.
fn words(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, part) in line.split('`').enumerate() {
        match at % 2 {
            1 => all.push(part.to_owned()),
            _ => all.extend(part.split_whitespace().take(MOST_COLUMNS + 1).map(str::to_owned)),
        }
    }
    all
}

/// A frame in which the names of columns, with at least this many blanks between them, end where the cells of each row end.
fn aligned(head: &[char], lines: &[&str], at: usize, layout: Layout, blanks: usize) -> Option<Panel> {
    let mut places = places(head, blanks);
    // The names of the columns of the index stand below the headings, and end before the first of them does.
    let below = lines
        .get(at)
        .map(|line| layout(line.trim_end()))
        .filter(|line| line.first().is_some_and(|c| !c.is_whitespace()))?;
    let is_name = |at: usize| places.get(at).is_some_and(|(start, end)| below.len() < *end && below.len() <= *start);
    // What all columns are values of stands above those names.
    let of_columns = places.first().is_some_and(|(start, _)| *start == 0);
    let has_names = is_name(usize::from(of_columns));
    if of_columns {
        if !has_names {
            return None;
        }
        places.remove(0);
    }
    let (first, last) = (places.first()?.1, places.last()?.1);
    let is_end = |row: &[char], end: usize| {
        let is_blank = |at: usize| row.get(at).is_none_or(|c| c.is_whitespace());
        !is_blank(end - 1) && is_blank(end)
    };
    let from = at + usize::from(has_names);
    let fits = |row: &Vec<char>| row.len() == last && places.iter().all(|(_, end)| is_end(row, *end));
    let rows: Vec<Vec<char>> = lines.iter().skip(from).map(|line| layout(line.trim_end())).take_while(fits).collect();
    if rows.is_empty() {
        return None;
    }
    let cut = |row: &[char], from: usize, to: usize| {
        let text: String = row.get(from..to).unwrap_or_default().iter().filter(|c| **c != FILLER).collect();
        text.trim().to_owned()
    };
    let is_blank = |at: usize| rows.iter().all(|row| row[at].is_whitespace());
    let starts: Vec<usize> = match has_names {
        true => self::places(&below, 1)
            .into_iter()
            .map(|(start, _)| start)
            .filter(|start| *start == 0 || is_blank(start - 1))
            .collect(),
        false => vec![0],
    };
    let width = width_of_index(&rows, *starts.last()?, first)?;
    let ends = || starts.iter().skip(1).copied().chain([width]);
    // `1:`, as data.table of R counts rows.
    let of_index = |row: &[char]| -> Vec<String> {
        let cells = starts.iter().zip(ends()).map(|(from, to)| cut(row, *from, to));
        cells.map(|cell| cell.strip_suffix(':').unwrap_or(&cell).to_owned()).collect()
    };
    let cells = |row: &[char]| -> Vec<String> {
        let begins = std::iter::once(width).chain(places.iter().map(|(_, end)| *end));
        begins.zip(&places).map(|(from, (_, end))| cut(row, from, *end)).collect()
    };
    let names = match has_names {
        true => {
            let ends = starts.iter().skip(1).copied().chain([below.len()]);
            starts.iter().zip(ends).map(|(from, to)| cut(&below, *from, to)).collect()
        }
        false => Vec::new(),
    };
    // A number stands in each row that is not left out, and nothing but the index of several columns is empty.
    let is_row = |row: &Vec<char>| {
        let cells = cells(row);
        cells.iter().any(|cell| is_number(cell)) || cells.iter().all(|cell| is_left_out(cell))
    };
    let is_indexed = |row: &Vec<char>| starts.len() > 1 || !row[0].is_whitespace();
    if !rows.iter().all(|row| is_row(row) && is_indexed(row)) {
        return None;
    }
    let headings = places.iter().map(|(start, end)| cut(head, *start, *end)).collect();
    let index = rows.iter().map(|row| of_index(row)).collect();
    let rows: Vec<FrameRow> = rows.iter().enumerate().map(|(n, row)| ((from + n) as u64 + 1, cells(row))).collect();
    let end = from + rows.len();
    let ends = places.iter().map(|(_, end)| *end).collect();
    Some(Panel { names, headings, index, rows, ends, end, continues: false })
}

fn is_number(cell: &str) -> bool {
    matches!(quantity::read(cell), CellContent::Number(..) | CellContent::Share(_))
}

/// Where the words of a line begin and end, with at least this many blanks between them.
fn places(line: &[char], blanks: usize) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for at in (0..line.len()).filter(|at| !line[*at].is_whitespace()) {
        match all.last_mut().filter(|(_, end)| at - *end < blanks) {
            Some((_, end)) => *end = at + 1,
            None => all.push((at, at + 1)),
        }
    }
    all.truncate(MOST_COLUMNS);
    all
}

/// Where the last column of the index, which begins here, ends: before the blanks that all rows have there, of which words may have some, too.
fn width_of_index(rows: &[Vec<char>], start: usize, first_end: usize) -> Option<usize> {
    let of_number = |row: &Vec<char>| {
        let word: String = row[start..first_end].iter().take_while(|c| !c.is_whitespace()).collect();
        (word.parse::<f64>().is_ok() || is_left_out(&word)).then_some(start + word.chars().count())
    };
    if let Some(ends) = rows.iter().map(of_number).collect::<Option<BTreeSet<usize>>>() {
        return ends.last().copied();
    }
    let blank: Vec<usize> = (start..first_end).filter(|at| rows.iter().all(|row| row[*at].is_whitespace())).collect();
    blank.last().copied()
}

#[cfg(test)]
mod tests {
    use crate::split::tables;

    fn rows(text: &str) -> Vec<String> {
        let all = tables(text).unwrap();
        all.iter().flat_map(|table| table.rows.iter().map(|(_, cells)| cells.join("|"))).collect()
    }

    #[test]
    fn the_index_of_pandas_is_told_from_the_columns() {
        let counted = "   threads     tps  p95 (ms)\n0        8  1000.5      9.10\n1       16  1800.2     10.30\n";
        assert_eq!(rows(counted), ["threads|tps|p95 (ms)", "8|1000.5|9.10", "16|1800.2|10.30"]);
        let cut = "    threads      tps\n0         1    120.5\n1         2    235.5\n..      ...      ...\n9       512   9900.1\n\n[10 rows x 2 columns]\n";
        assert_eq!(rows(cut), ["threads|tps", "1|120.5", "2|235.5", "...|...", "512|9900.1"]);
        let named =
            "            tps  p95_ms\nthreads                \n8        1000.5    9.10\n16       1800.2   10.30\n";
        assert_eq!(rows(named), ["threads|tps|p95_ms", "8|1000.5|9.10", "16|1800.2|10.30"]);
        let pivot =
            "db       mariadb   mysql\nthreads                 \n8         1100.2  1000.5\n16        1900.3  1800.2\n";
        assert_eq!(rows(pivot), ["threads|mariadb|mysql", "8|1100.2|1000.5", "16|1900.3|1800.2"]);
        let groups = "            tps          p95_ms      \ndb      mariadb   mysql mariadb mysql\nthreads                              \n8        1100.2  1000.5    8.60  9.10\n16       1900.3  1800.2    9.90 10.30\n";
        assert_eq!(rows(groups)[..2], ["|tps||p95_ms|", "threads|mariadb|mysql|mariadb|mysql"]);
        let two = "                      tps\ndb        threads        \nmysql 8.0 8        1000.5\n          16       1800.2\nmariadb   8        1100.2\n";
        assert_eq!(rows(two), ["db|threads|tps", "mysql 8.0|8|1000.5", "|16|1800.2", "mariadb|8|1100.2"]);
        let words = "          db  threads     tps\n0  mysql 8.0        8  1000.5\n1    mariadb        8  1100.2\n";
        assert_eq!(rows(words), ["db|threads|tps", "mysql 8.0|8|1000.5", "mariadb|8|1100.2"]);
        let wrapped = "         db  threads  \\\n0     mysql        8   \n1   mariadb        8   \n\n      tps  avg_ms  \n0  1000.5    8.00  \n1  1100.2    7.27  \n";
        assert_eq!(rows(wrapped), ["db|threads|tps|avg_ms", "mysql|8|1000.5|8.00", "mariadb|8|1100.2|7.27"]);
        assert_eq!(
            rows("  スレッド数    TPS\n0      8  100.5\n1     16  180.5\n"),
            ["スレッド数|TPS", "8|100.5", "16|180.5"]
        );
    }

    #[test]
    fn the_forms_of_r_are_read() {
        let plain = "  threads    tps p95_ms\n1       8 1000.5    9.1\n2      16 1800.2   10.3\n";
        assert_eq!(rows(plain), ["threads|tps|p95_ms", "8|1000.5|9.1", "16|1800.2|10.3"]);
        let names = "         tps p95_ms\nMySQL 1000.5    9.1\nPG 17 1800.2   10.3\n";
        assert_eq!(rows(names), ["|tps|p95_ms", "MySQL|1000.5|9.1", "PG 17|1800.2|10.3"]);
        let tibble = "# A tibble: 2 × 3\n  threads   tps `p95 ms`\n    <dbl> <dbl>    <dbl>\n1       8 1000.      9.1\n2      16 1800.     10.3\n";
        assert_eq!(rows(tibble), ["threads|tps|p95 ms", "8|1000.|9.1", "16|1800.|10.3"]);
        let table = "   threads    tps\n     <num>  <num>\n1:       8 1000.5\n2:      16 1800.2\n";
        assert_eq!(rows(table), ["threads|tps", "8|1000.5", "16|1800.2"]);
        let wrapped = "  threads    tps\n1       8 1000.5\n2      16 1800.2\n  p95_ms\n1    9.1\n2   10.3\n";
        assert_eq!(rows(wrapped), ["threads|tps|p95_ms", "8|1000.5|9.1", "16|1800.2|10.3"]);
        let trimmed = "threads tps p95_ms\n0 8 1000.5 9.10\n1 16 1800.2 10.30\n";
        assert_eq!(rows(trimmed), ["threads|tps|p95_ms", "8|1000.5|9.10", "16|1800.2|10.30"]);
    }

    #[test]
    fn other_texts_with_blanks_are_no_frames() {
        for (text, first) in [
            ("threads  tps\n8  1000\n16  1800\n", "threads|tps"),
            ("threads   tps\n      8  1000\n     16  1800\n", "threads|tps"),
            (" threads  tps\n8        1000\n16       1800\n", "threads|tps"),
        ] {
            assert_eq!(rows(text)[0], first, "{text}");
        }
        // An index of the numbers of clients has no name.
        assert_eq!(
            rows("         MySQL  MariaDB\n8         1000     1100\n16        1800     1900\n")[0],
            "|MySQL|MariaDB"
        );
        for text in [
            "  a\nb",
            "  a b\nc",
            " \u{3000}x\n0",
            "# A tibble:",
            "# A tibble:\n  a\n <x>",
            "  \\\n0\n",
            "`a` b\n0 1 2\n1 `x",
        ] {
            let _ = tables(text);
        }
    }
}
