//! The tables of a text: CSV with commas, semicolons, tabs or spaces, tables of Markdown, and those that clients of databases draw.

use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;

/// A table in cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawTable {
    /// The words above it.
    pub caption: String,
    /// Its rows, of which the first ones may be no headings, each with its line.
    pub rows: Vec<(u64, Vec<String>)>,
}

/// More rows are not read.
pub const MOST_ROWS: usize = 20_000;
/// A table with more columns is none of results.
const MOST_COLUMNS: usize = 2_000;
/// A longer line above a table is a sentence, and not what it is called.
const LONGEST_CAPTION: usize = 60;
/// So many lines tell what separates columns.
const SAMPLE: usize = 200;

/// The tables of a text. The message says why it cannot be read.
pub fn tables(text: &str) -> Result<Vec<RawTable>, Message> {
    let drawn = drawn(text);
    let all = if drawn.is_empty() { vec![separated(text)?] } else { drawn };
    let rows: usize = all.iter().map(|table| table.rows.len()).sum();
    if rows > MOST_ROWS {
        return Err(msg!("published-too-many-rows", rows, most = MOST_ROWS));
    }
    let widest = all.iter().flat_map(|table| &table.rows).map(|(_, cells)| cells.len()).max().unwrap_or(0);
    if widest > MOST_COLUMNS {
        return Err(msg!("published-too-many-columns", columns = widest, most = MOST_COLUMNS));
    }
    Ok(all)
}

/// Tables of Markdown and of `mysql -t`: rows with `|` around a line of dashes.
fn drawn(text: &str) -> Vec<RawTable> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut all, mut at, mut above) = (Vec::new(), 0, Above::default());
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
            lines.get(at).map(|line| line.trim()).filter(|line| line.contains('|') || is_border(line))
        {
            if !is_border(line) && !is_rule(line) {
                let mut cells = cells(line);
                // `|A|B` above rules of three columns: the first heading is empty.
                if markdown && rows.is_empty() && line.starts_with('|') && cells.len() + 1 == columns {
                    cells.insert(0, String::new());
                }
                rows.push((at as u64 + 1, cells));
            }
            at += 1;
        }
        all.push(RawTable { caption: above.caption(), rows });
    }
    all
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
            level => {
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

/// `|---|:--:|`.
fn is_rule(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.chars().all(|c| "|-: \t".contains(c))
}

/// `+----+-----+`.
fn is_border(line: &str) -> bool {
    line.len() > 2 && line.starts_with('+') && line.ends_with('+') && line.chars().all(|c| "+-=".contains(c))
}

/// The cells of a row of Markdown, without emphasis.
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
    let plain = |cell: String| {
        let text = cell.trim();
        let text = ["**", "__", "`"]
            .iter()
            .fold(text, |text, mark| text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark)).unwrap_or(text));
        text.to_owned()
    };
    all.into_iter().map(plain).collect()
}

/// Lines of cells with the separator that makes the most of them the same number of columns.
fn separated(text: &str) -> Result<RawTable, Message> {
    let sample: String = text.lines().take(SAMPLE).flat_map(|line| [line, "\n"]).collect();
    let spaced = |text: &str| -> Vec<(u64, Vec<String>)> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(at, line)| (at as u64 + 1, line.split_whitespace().map(str::to_owned).collect())).collect()
    };
    // Rows of the most frequent number of columns, and that number.
    let weight = |rows: &[(u64, Vec<String>)]| {
        let with = |columns: usize| rows.iter().filter(|(_, cells)| cells.len() == columns).count();
        let widths = rows.iter().map(|(_, cells)| cells.len()).filter(|columns| *columns > 1);
        widths.map(|columns| (with(columns), columns)).max().unwrap_or((0, 0))
    };
    let best = [b';', b'\t', b','].into_iter().map(|separator| {
        let rows = records(&sample, separator).unwrap_or_default();
        (weight(&rows), separator)
    });
    let rows = match best.max_by_key(|(weight, _)| *weight) {
        Some((of_it, separator)) if of_it.0 > 0 && of_it.0 >= weight(&spaced(&sample)).0 => records(text, separator)?,
        // A quote that is left open is found here as anywhere.
        _ => records(text, b',').map(|_| spaced(text))?,
    };
    Ok(RawTable { caption: String::new(), rows })
}

fn records(text: &str, separator: u8) -> Result<Vec<(u64, Vec<String>)>, Message> {
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).has_headers(false).delimiter(separator).from_reader(text.as_bytes());
    let mut all = Vec::new();
    for record in reader.records() {
        let record = record.map_err(foreign)?;
        let line = record.position().map_or(0, csv::Position::line);
        if record.iter().any(|field| field.contains('\n')) {
            // Otherwise an open quote would hide all lines up to the next one.
            return Err(msg!("diff-csv-field-of-lines", line));
        }
        if record.iter().any(|field| !field.trim().is_empty()) {
            all.push((line, record.iter().map(|field| field.trim().to_owned()).collect()));
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
}
