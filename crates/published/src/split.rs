//! The tables of a text: CSV with commas, semicolons, tabs, bars or spaces; those that are drawn or marked up ([`drawn`]), JSON, and
//! lines of names and values.

use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::{Extent, MOST_COLUMNS, MOST_ROWS, RawTable, Rows, bounded};
use crate::{drawn, json, listed, pairs, spaced, yaml};
use memchr::memchr_iter;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// This many lines show what separates columns.
const SAMPLE: usize = 200;

/// A text with a longer line has no table in it.
const LONGEST_LINE: usize = 4 << 20;

/// A text with more lines has more rows than are read, whatever separates their cells.
const MOST_LINES: usize = 10 * MOST_ROWS;

/// The tables of a text. The message says why it cannot be read.
pub fn tables(text: &str) -> Result<Vec<RawTable>, Message> {
    if let Some(tables) = json::tables(text)? {
        return bounded(tables);
    }
    // Each of several readings would copy it.
    if text.lines().any(|line| line.len() > LONGEST_LINE) {
        return Ok(Vec::new());
    }
    let lines = memchr_iter(b'\n', text.as_bytes()).count();
    if lines > MOST_LINES {
        return Err(msg!("published-too-many-rows", rows = lines, most = MOST_ROWS));
    }
    if let Some(table) = listed::table(text)? {
        return bounded(vec![table]);
    }
    match yaml::value(text) {
        // Names and values alone are lines of any text.
        Some(Value::Object(map)) if map.values().all(json::is_single) => {
            if let Some(table) = of_figures(text, &map) {
                return bounded(vec![table]);
            }
        }
        Some(value) => {
            let tables = json::of_value(&value)?;
            if !tables.is_empty() {
                return bounded(tables);
            }
        }
        None => {}
    }
    if let Some(table) = pairs::blocks(text)? {
        return bounded(vec![table]);
    }
    if let Some(text) = with_commas(text) {
        return bounded(vec![separated(&text)?]);
    }
    let text = &*in_ascii(text);
    let drawn = drawn::tables(text)?;
    if !drawn.is_empty() {
        return bounded(drawn);
    }
    let text = &*without_code(text);
    let table = match pairs::table(text)? {
        Some(table) => table,
        // The items of a list are sentences, whatever signs they have.
        None if is_list(text) => return Ok(Vec::new()),
        None => separated(text)?,
    };
    bounded(vec![table])
}

/// Languages of blocks of code that have no tables.
const OF_CODE: [&str; 27] = [
    "c",
    "cpp",
    "dot",
    "gnuplot",
    "go",
    "graphviz",
    "java",
    "javascript",
    "js",
    "lua",
    "mermaid",
    "perl",
    "php",
    "plantuml",
    "py",
    "python",
    "r",
    "rb",
    "ruby",
    "rust",
    "sql",
    "ts",
    "typescript",
    "vega",
    "vega-lite",
    "yaml",
    "yml",
];

/// With empty lines instead of the blocks of code of a text in Markdown, whose commas separate no cells.
fn without_code(text: &str) -> Cow<'_, str> {
    const FENCE: &str = "```";
    if !text.contains(FENCE) {
        return Cow::Borrowed(text);
    }
    let (mut is_open, mut is_code, mut out) = (false, false, String::with_capacity(text.len()));
    for line in text.lines() {
        let language = line.trim_start().strip_prefix(FENCE);
        if let Some(language) = language {
            is_code = !is_open && OF_CODE.contains(&language.trim().to_ascii_lowercase().as_str());
            is_open = !is_open;
        } else if !is_code {
            out.push_str(line);
        }
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Whether all lines of a text but its headings are items of a list: `- MySQL 8.0 - 5400 tps, 11.8 ms`.
fn is_list(text: &str) -> bool {
    let mut items = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    items.peek().is_some() && items.all(|line| ["- ", "* ", "• "].iter().any(|sign| line.starts_with(sign)))
}

/// Lines of which each is the name of a figure and its value: `threads: 8`, `TPS: 1000`.
fn of_figures(text: &str, map: &Map<String, Value>) -> Option<RawTable> {
    let is_figure = |(name, value): &(&String, &Value)| {
        let is_number = matches!(quantity::read(value.as_str().unwrap_or("")), CellContent::Number(..));
        is_number && matches!(heading::read(name), HeadingMeaning::Figure(_, _, None))
    };
    let figures = map.iter().filter(is_figure).count();
    if figures < 2 || 2 * figures < map.len() {
        return None;
    }
    let mut rows: Rows = vec![(1, vec!["metric".to_owned(), "value".to_owned()])];
    for (name, value) in map {
        let line = text.lines().position(|line| line.trim_start().trim_start_matches(['"', '\'']).starts_with(name));
        let value = value.as_str().unwrap_or_default().to_owned();
        rows.push((line.unwrap_or(0) as u64 + 1, vec![name.clone(), value]));
    }
    (rows.len() <= MOST_COLUMNS).then(|| RawTable { rows, ..RawTable::default() })
}

/// With bars, dashes and crosses instead of the characters by which tables are drawn in terminals.
pub fn in_ascii(text: &str) -> Cow<'_, str> {
    // All of them begin with this byte, for which a large text is searched quickly.
    if !text.as_bytes().contains(&0xe2) || !text.contains(['│', '┃', '║', '┆', '╎', '┊']) {
        return Cow::Borrowed(text);
    }
    let ascii = |c: char| match c {
        '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' => '|',
        '─' | '━' | '═' | '╌' | '╍' | '┄' | '┅' | '┈' | '┉' => '-',
        '\u{250c}'..='\u{254b}' | '\u{2552}'..='\u{2570}' => '+',
        c => c,
    };
    Cow::Owned(text.chars().map(ascii).collect())
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

/// Lines of cells with the separator that makes the most of them the same number of columns.
fn separated(text: &str) -> Result<RawTable, Message> {
    let sample: String = text.lines().take(SAMPLE).flat_map(|line| [line, "\n"]).collect();
    let by_blanks = |text: &str| -> Result<Rows, Message> {
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
    for separator in [b'|', b';', b'\t', b','] {
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
    // The blanks of a title above the table separate nothing.
    let below_title = without_title(&sample, char::from(separator));
    let of_blanks = weight(&by_blanks(below_title)?);
    let within_cells = separator == b','
        && (has_commas_within(&apart(&sample)?) || (of_blanks.1 > 1 && has_commas_of_thousands_only(&sample)));
    let by_separator = of_it.0 > 0 && of_it.0 >= of_blanks.0 && !within_cells;
    let rows = if by_separator {
        records(text, separator)?
    } else {
        // A quote that is left open is found here as anywhere.
        records(text, b',')?;
        // A heading of several words has one blank between them, and columns have more.
        let apart = apart(text)?;
        let (single, wide) = (by_blanks(text)?, weight(&apart));
        let is_number = |cell: &String| matches!(quantity::read(cell), CellContent::Number(..));
        let first = apart.iter().find(|(_, cells)| cells.len() > 1);
        // `server   1   8` below a title.
        let is_named = |cells: &[String]| heading::read(&cells[0]) != HeadingMeaning::Unknown;
        let is_head = first.is_some_and(|(_, cells)| {
            cells.len() == wide.1 && (apart[0].1.len() > 1 || !cells.iter().any(is_number) || is_named(cells))
        });
        spaced::with_head(text, if is_head && wide.1 > 1 && 2 * wide.0 > apart.len() { apart } else { single })
    };
    let by_semicolon = by_separator && separator == b';';
    let has_points = by_separator && separator == b',';
    Ok(RawTable { caption: String::new(), rows, spaced: !by_separator, by_semicolon, has_points })
}

/// Whether wide gaps separate as many cells in all lines below a title, so that commas stand within them: `8   2,265.79   0.35`.
fn has_commas_within(apart: &[(u64, Vec<String>)]) -> bool {
    let mut rows = apart.iter().map(|(_, cells)| cells).skip_while(|cells| cells.len() < 2).peekable();
    let width = rows.peek().map_or(0, |first| first.len());
    let is_whole = |cell: &String| !cell.starts_with(',') && !cell.ends_with(',');
    let n = rows.clone().count();
    n > 1 && rows.all(|cells| cells.len() == width && cells.iter().all(is_whole))
}

/// Whether each comma of a text stands before exactly three digits and behind one: `16 1,500 10.67`.
fn has_commas_of_thousands_only(text: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(',').all(|(at, _)| {
        let mut after = text[at + 1..].chars();
        is_digit(text[..at].chars().next_back()) && (0..3).all(|_| is_digit(after.next())) && !is_digit(after.next())
    })
}

/// The text from the first line with this separator on, if that line has words only, as headings have.
fn without_title(text: &str, separator: char) -> &str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.contains(separator) {
            let is_number = |cell: &str| matches!(quantity::read(cell), CellContent::Number(..));
            return if line.split(separator).any(is_number) { text } else { &text[at..] };
        }
        at += line.len();
    }
    text
}

/// Lines of cells with a tab or at least two blanks between them.
fn apart(text: &str) -> Result<Rows, Message> {
    let (mut extent, mut all) = (Extent::default(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let parts = line.trim().split("  ").flat_map(|part| part.split('\t')).map(str::trim);
        let cells: Vec<String> = parts.filter(|part| !part.is_empty()).map(str::to_owned).collect();
        extent.take(cells.len())?;
        all.push((at as u64 + 1, cells));
    }
    Ok(all)
}

fn records(text: &str, separator: u8) -> Result<Rows, Message> {
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
