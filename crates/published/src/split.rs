//! The tables of a text: CSV with commas, semicolons, tabs or spaces, tables of Markdown, and those that clients of databases draw.

use std::borrow::Cow;
use std::collections::BTreeMap;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

/// A table in cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawTable {
    /// The words above it.
    pub caption: String,
    /// Its rows, of which the first ones may be no headings, each with its line.
    pub rows: Vec<(u64, Vec<String>)>,
    /// Whether blanks separate its cells: an empty one cannot be seen.
    pub spaced: bool,
    /// Whether semicolons separate its cells.
    pub by_semicolon: bool,
}

/// More rows are not read.
pub const MOST_ROWS: usize = 20_000;
/// A table with more columns is not one of results.
pub const MOST_COLUMNS: usize = 2_000;
/// The most cells of all tables, with those that short rows lack.
const MOST_CELLS: usize = 500_000;
/// A text with more tables is not one of results.
pub const MOST_TABLES: usize = 500;
/// The deepest heading of Markdown.
const DEEPEST_HEADING: usize = 6;
/// A longer line above a table is a sentence, and not what it is called.
const LONGEST_CAPTION: usize = 60;
/// At most this much of a heading is kept, by which each table below it is called.
const LONGEST_HEADING: usize = 200;
/// This many lines show what separates columns.
const SAMPLE: usize = 200;

/// The tables of a text. The message says why it cannot be read.
pub fn tables(text: &str) -> Result<Vec<RawTable>, Message> {
    if let Some(text) = with_commas(text) {
        return bounded(vec![separated(&text)?]);
    }
    let drawn = drawn(text)?;
    bounded(if drawn.is_empty() { vec![separated(text)?] } else { drawn })
}

/// With commas instead of the full-width ones between the cells of a text, if nothing else separates them and each line has as many.
fn with_commas(text: &str) -> Option<String> {
    const COMMA: char = '，';
    if !text.contains(COMMA) || text.contains([',', ';', '\t', '|']) {
        return None;
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next()?;
    let n = first.matches(COMMA).count();
    let is_sentence = first.contains('。');
    let mut others = lines.peekable();
    let any = others.peek().is_some();
    let same = others.all(|line| line.matches(COMMA).count() == n);
    (n > 0 && any && same && !is_sentence).then(|| text.replace(COMMA, ","))
}

/// Tables that have no more cells than are read.
pub fn bounded(all: Vec<RawTable>) -> Result<Vec<RawTable>, Message> {
    let widths = all.iter().map(|table| table.rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0));
    let cells: usize = widths.zip(&all).map(|(width, table)| width * table.rows.len()).sum();
    if cells > MOST_CELLS {
        return Err(msg!("published-too-many-cells", cells, most = MOST_CELLS));
    }
    Ok(all)
}

/// What has been read so far of all tables: no more is kept than may be read.
#[derive(Default)]
struct Extent {
    rows: usize,
}

impl Extent {
    /// Takes a row of this many cells.
    fn take(&mut self, columns: usize) -> Result<(), Message> {
        self.rows += 1;
        if self.rows > MOST_ROWS {
            return Err(msg!("published-too-many-rows", rows = format_args!("> {MOST_ROWS}"), most = MOST_ROWS));
        }
        if columns > MOST_COLUMNS {
            return Err(msg!("published-too-many-columns", columns, most = MOST_COLUMNS));
        }
        Ok(())
    }
}

/// Tables of Markdown and of `mysql -t`: rows with `|` around a line of dashes.
fn drawn(text: &str) -> Result<Vec<RawTable>, Message> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut all, mut at, mut above, mut extent) = (Vec::new(), 0, Above::default(), Extent::default());
    while at < lines.len() {
        let head = lines[at].trim();
        let boxed = is_border(head) && lines.get(at + 1).is_some_and(|next| next.trim().starts_with('|'));
        let markdown = head.contains('|') && lines.get(at + 1).is_some_and(|next| is_rule(next.trim()));
        if !boxed && !markdown {
            above.take(head);
            at += 1;
            continue;
        }
        let mut rows = Vec::new();
        let columns = lines.get(at + 1).map_or(0, |rule| cells(rule.trim()).len());
        while let Some(line) =
            lines.get(at).map(|line| line.trim()).filter(|line| line.contains('|') || is_border(line) || is_rule(line))
        {
            if !is_border(line) && !is_rule(line) {
                let mut cells = cells(line);
                // `|A|B` above rules of three columns: the first heading is empty.
                if markdown && rows.is_empty() && line.starts_with('|') && cells.len() + 1 == columns {
                    cells.insert(0, String::new());
                }
                extent.take(cells.len())?;
                rows.push((at as u64 + 1, cells));
            }
            at += 1;
        }
        if all.len() == MOST_TABLES {
            return Err(msg!("published-too-many-tables", most = MOST_TABLES));
        }
        all.push(RawTable { caption: above.caption(), rows, ..RawTable::default() });
    }
    Ok(all)
}

/// What stands above a table: the headings that it is below, and the last line of text.
#[derive(Default)]
struct Above {
    headings: Vec<(usize, String)>,
    words: String,
}

impl Above {
    fn take(&mut self, line: &str) {
        if line.is_empty() || line.starts_with("```") || is_border(line) {
            return;
        }
        let level = line.len() - line.trim_start_matches('#').len();
        let text = line.trim_start_matches(['#', '>', ' ']).trim_matches(['*', '_']).trim().to_owned();
        self.words.clear();
        match level {
            0 if text.chars().count() <= LONGEST_CAPTION => self.words = text,
            0 => {}
            // More signs are text.
            level if level > DEEPEST_HEADING => {}
            level => {
                let text = short(&text, LONGEST_HEADING);
                self.headings.retain(|(of, _)| *of < level);
                self.headings.push((level, text));
            }
        }
    }

    /// The title of the whole text says nothing about one of its tables, unless nothing else does.
    fn caption(&mut self) -> String {
        let words = std::mem::take(&mut self.words);
        let below_title = self.headings.iter().filter(|(level, _)| *level > 1).map(|(_, text)| text.clone());
        let parts: Vec<String> = below_title.chain([words]).filter(|part| !part.is_empty()).collect();
        match (parts.is_empty(), self.headings.last()) {
            (true, Some((_, title))) => title.clone(),
            _ => parts.join(": "),
        }
    }
}

/// `|---|:--:|`, and `---+----` of psql.
fn is_rule(line: &str) -> bool {
    let of_markdown = line.contains('|') && line.contains('-') && line.chars().all(|c| "|-: \t".contains(c));
    of_markdown || (line.starts_with('-') && line.contains("-+-") && line.chars().all(|c| "-+".contains(c)))
}

/// `+----+-----+`.
fn is_border(line: &str) -> bool {
    line.len() > 2 && line.starts_with('+') && line.ends_with('+') && line.chars().all(|c| "+-=".contains(c))
}

/// The cells of a row of Markdown.
fn cells(line: &str) -> Vec<String> {
    let line = line.strip_prefix('|').unwrap_or(line);
    let (mut all, mut cell, mut escaped) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '\\' if !escaped => escaped = true,
            '|' if !escaped => all.push(std::mem::take(&mut cell)),
            c => {
                if escaped && c != '|' {
                    cell.push('\\');
                }
                cell.push(c);
                escaped = false;
            }
        }
    }
    if !cell.trim().is_empty() {
        all.push(cell);
    }
    all.iter().map(|cell| plain(cell.trim())).collect()
}

/// A cell of Markdown without emphasis, links (`[1000](a.log)`) and signs of footnotes (`[^1]`, `1000*`).
fn plain(cell: &str) -> String {
    let mut text = Cow::Borrowed(cell);
    if cell.contains("](") || cell.contains("[^") {
        text = Cow::Owned(without_links(cell));
    }
    let text = ["**", "__", "`", "*"].iter().fold(text.trim(), |text, mark| {
        text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark)).unwrap_or(text)
    });
    let noted = text.trim_end_matches(['*', '†', '‡']).trim_end();
    // Signs alone are the content of the cell.
    let is_noted = noted.len() < text.len() && noted.ends_with(|c: char| c.is_alphanumeric() || ")%".contains(c));
    if is_noted { noted.to_owned() } else { text.to_owned() }
}

/// The texts of links instead of the links, and no signs of footnotes.
fn without_links(cell: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(cell.len()), cell);
    while let Some((before, after)) = rest.split_once('[') {
        let of_link = || {
            let (text, target) = after.split_once("](")?;
            let (_, rest) = target.split_once(')')?;
            (!text.contains(['[', ']'])).then_some((text, rest))
        };
        let of_note = || after.strip_prefix('^')?.split_once(']').map(|(_, rest)| ("", rest));
        match of_note().or_else(of_link) {
            Some((text, after)) => {
                match before.strip_suffix('!') {
                    // A picture has other words, which are not shown.
                    Some(before) => out.push_str(before),
                    None => out.extend([before, text]),
                }
                rest = after;
            }
            None => {
                out.push_str(before);
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}

/// Lines of cells with the separator that makes the most of them the same number of columns.
fn separated(text: &str) -> Result<RawTable, Message> {
    let sample: String = text.lines().take(SAMPLE).flat_map(|line| [line, "\n"]).collect();
    let spaced = |text: &str| -> Result<Vec<(u64, Vec<String>)>, Message> {
        let (mut extent, mut all) = (Extent::default(), Vec::new());
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let columns = line.split_whitespace().take(MOST_COLUMNS + 1).count();
            extent.take(columns)?;
            all.push((at as u64 + 1, line.split_whitespace().map(str::to_owned).collect()));
        }
        Ok(all)
    };
    // Rows of the most frequent number of columns, and that number.
    let weight = |rows: &[(u64, Vec<String>)]| {
        let mut with: BTreeMap<usize, usize> = BTreeMap::new();
        rows.iter().for_each(|(_, cells)| *with.entry(cells.len()).or_default() += 1);
        let widths = with.into_iter().filter(|(columns, _)| *columns > 1);
        widths.map(|(columns, rows)| (rows, columns)).max().unwrap_or((0, 0))
    };
    // One that has too many columns by it is refused for that.
    let mut best = ((0, 0), b',');
    for separator in [b';', b'\t', b','] {
        let rows = match records(&sample, separator) {
            Err(why) if why.is("published-too-many-columns") => return Err(why),
            rows => rows.unwrap_or_default(),
        };
        let weight = weight(&rows);
        if weight >= best.0 {
            best = (weight, separator);
        }
    }
    let (of_it, separator) = best;
    let by_separator = of_it.0 > 0 && of_it.0 >= weight(&spaced(&sample)?).0;
    let rows = if by_separator {
        records(text, separator)?
    } else {
        // A quote that is left open is found here as anywhere.
        records(text, b',')?;
        // A heading of several words has one blank between them, and columns have more.
        let apart = apart(text)?;
        let (single, wide) = (spaced(text)?, weight(&apart));
        let is_head = apart.first().is_some_and(|(_, cells)| cells.len() == wide.1);
        if is_head && wide.1 > 1 && 2 * wide.0 > apart.len() { apart } else { single }
    };
    let by_semicolon = by_separator && separator == b';';
    Ok(RawTable { caption: String::new(), rows, spaced: !by_separator, by_semicolon })
}

/// Lines of cells with a tab or at least two blanks between them.
fn apart(text: &str) -> Result<Vec<(u64, Vec<String>)>, Message> {
    let (mut extent, mut all) = (Extent::default(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let parts = line.trim().split("  ").flat_map(|part| part.split('\t')).map(str::trim);
        let cells: Vec<String> = parts.filter(|part| !part.is_empty()).map(str::to_owned).collect();
        extent.take(cells.len())?;
        all.push((at as u64 + 1, cells));
    }
    Ok(all)
}

fn records(text: &str, separator: u8) -> Result<Vec<(u64, Vec<String>)>, Message> {
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).has_headers(false).delimiter(separator).from_reader(text.as_bytes());
    let (mut all, mut extent) = (Vec::new(), Extent::default());
    for record in reader.records() {
        let record = record.map_err(foreign)?;
        extent.take(record.len())?;
        let line = record.position().map_or(0, csv::Position::line);
        // A heading may have two lines, as spreadsheets write them.
        let is_heading =
            |field: &str| all.is_empty() && field.lines().count() <= 3 && !field.as_bytes().contains(&separator);
        if record.iter().any(|field| field.contains('\n') && !is_heading(field)) {
            // Otherwise an open quote would hide all lines up to the next one.
            return Err(msg!("diff-csv-field-of-lines", line));
        }
        if record.iter().any(|field| !field.trim().is_empty()) {
            all.push((line, record.iter().map(|field| field.trim().replace('\n', " ")).collect()));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<Vec<String>>> {
        let tables = tables(text).unwrap();
        tables.into_iter().map(|table| table.rows.into_iter().map(|(_, cells)| cells).collect()).collect()
    }

    #[test]
    fn separators_are_found() {
        let wanted = vec![vec![vec!["threads", "tps"], vec!["1", "2,5"]]];
        for text in
            ["threads;tps\n1;2,5\n", "threads\ttps\n1\t2,5\n", "threads,tps\n1,\"2,5\"\n", "threads  tps\n 1 2,5\n"]
        {
            assert_eq!(rows(text), wanted, "{text:?}");
        }
        assert!(tables("a,b\n\"1\n2,3\n4,5").is_err());
    }

    #[test]
    fn tables_of_markdown_have_captions_and_escapes() {
        let text =
            "# Read only\n\n| threads | `a\\|b` |\n|---:|:--|\n| 1 | **2** |\n\ntext\n\nthreads | tps\n--|--\n1 | 3\n";
        let all = tables(text).unwrap();
        assert_eq!(all[0].caption, "Read only");
        assert_eq!(all[0].rows, [(3, vec!["threads".into(), "a|b".into()]), (5, vec!["1".into(), "2".into()])]);
        assert_eq!((all[1].caption.as_str(), all[1].rows.len()), ("text", 2));
        let boxed = "+----+-----+\n| a  | tps |\n+----+-----+\n|  1 |  5  |\n+----+-----+\n";
        assert_eq!(rows(boxed), [[["a", "tps"], ["1", "5"]]]);
    }

    /// Each of these took minutes or gigabytes.
    #[test]
    fn what_is_too_wide_or_too_long_is_refused_without_being_kept() {
        let refused = |text: &str| tables(text).err().and_then(|why| why.id().map(str::to_owned)).unwrap_or_default();
        let wide = vec!["tps"; 200_000];
        for separator in [",", ";", "\t", " "] {
            assert_eq!(refused(&format!("{}\n", wide.join(separator))), "published-too-many-columns", "{separator:?}");
        }
        assert_eq!(refused(&format!("{}\n|-|-|\n", wide.join("|"))), "published-too-many-columns");
        assert_eq!(refused(&"1,2\n".repeat(100_000)), "published-too-many-rows");
        assert_eq!(refused(&"|a|b|\n|-|-|\n\n".repeat(5000)), "published-too-many-tables");
        // A short row has all cells of the widest.
        assert_eq!(
            refused(&format!("{}\n{}", vec!["tps"; 1500].join(","), "1,2\n".repeat(15_000))),
            "published-too-many-cells"
        );
        let headings: String = (1..3000).map(|level| format!("{} {}\n", "#".repeat(level), "x".repeat(300))).collect();
        let all = tables(&format!("{headings}|a|\n|-|\n|1|\n")).unwrap();
        assert!(all[0].caption.len() < 2000, "{}", all[0].caption.len());
    }
}
