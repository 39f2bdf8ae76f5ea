//! Results as lines of names and values: `threads=8 tps=1000`, `threads: 8, tps: 1000`, `threads 8 tps 1000`; and blocks of lines of which each is
//! one name and its value.

use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::{Extent, RawTable, Rows};
use tenbin_words::message::Message;

/// The table of a text whose lines all have the same names, or `None` if they have not.
pub fn table(text: &str) -> Result<Option<RawTable>, Message> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((first, line)) = lines.next() else { return Ok(None) };
    let Some(split) = [by_equals, by_colon, by_blanks].into_iter().find(|split| split(line).is_some()) else {
        return Ok(None);
    };
    let (mut rows, mut extent): (Rows, Extent) = (Vec::new(), Extent::default());
    for (n, line) in std::iter::once((first, line)).chain(lines) {
        let Some(pairs) = split(line) else { return Ok(None) };
        let (names, values): (Vec<String>, Vec<String>) =
            pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).unzip();
        match rows.first() {
            Some((_, known)) if *known != names => return Ok(None),
            Some(_) => {}
            None => rows.push((n as u64 + 1, names)),
        }
        extent.take(values.len())?;
        rows.push((n as u64 + 1, values));
    }
    Ok(Some(RawTable { rows, ..RawTable::default() }))
}

/// The table of a text of several blocks with empty lines between them, each of lines with the same names, most of which are of figures.
pub fn blocks(text: &str) -> Result<Option<RawTable>, Message> {
    let (mut rows, mut extent): (Rows, Extent) = (Vec::new(), Extent::default());
    let mut lines = text.lines().enumerate().peekable();
    while lines.next_if(|(_, line)| line.trim().is_empty()).is_some() || lines.peek().is_some() {
        let first = lines.peek().map_or(0, |(at, _)| *at as u64 + 1);
        let mut pairs: Vec<(String, String)> = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim().is_empty()) {
            let Some(of_line) = of_block(line).filter(|_| pairs.len() < MOST_PAIRS) else { return Ok(None) };
            pairs.extend(of_line);
        }
        if pairs.is_empty() {
            continue;
        }
        let (names, values): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
        match rows.first() {
            Some((_, known)) if *known != names => return Ok(None),
            Some(_) => {}
            None => {
                let is_figure = |name: &&String| matches!(heading::read(name), HeadingMeaning::Figure(_, _, None));
                if 2 * names.iter().filter(is_figure).count() <= names.len() || names.len() < 2 {
                    return Ok(None);
                }
                rows.push((first, names));
            }
        }
        extent.take(values.len())?;
        rows.push((first, values));
    }
    Ok((rows.len() > 2).then(|| RawTable { rows, ..RawTable::default() }))
}

/// The name and the value of a line, and the rate that stands behind a count: `Transactions: 60012 (1000.18 per sec.)`.
fn of_block(line: &str) -> Option<Vec<(String, String)>> {
    let (name, value) = line.split_once(':').or_else(|| line.split_once('='))?;
    let (name, value) = (name.trim(), value.trim());
    if value.is_empty() || value.contains([':', '=']) || !name.contains(char::is_alphabetic) {
        return None;
    }
    let with_rate = || {
        let (count, rate) = value.split_once('(')?;
        let rate = rate.trim_end().strip_suffix(')')?.trim_end_matches('.').strip_suffix("per sec")?;
        Some((count.trim().to_owned(), rate.trim().to_owned()))
    };
    Some(match with_rate() {
        Some((count, rate)) => vec![(name.to_owned(), count), (format!("{name} per second"), rate)],
        None => vec![(name.to_owned(), value.to_owned())],
    })
}

/// `threads=8 tps=1000`, with blanks or commas between the pairs.
fn by_equals(line: &str) -> Option<Vec<(&str, &str)>> {
    let parts = line.split(|c: char| c.is_whitespace() || ",;".contains(c)).filter(|part| !part.is_empty());
    of_names(parts.map(|part| part.split_once('=')).collect())
}

/// `threads: 8, avg latency: 8.0 ms`.
fn by_colon(line: &str) -> Option<Vec<(&str, &str)>> {
    let separator = [", ", "; ", " | ", "\t"].into_iter().find(|separator| line.contains(separator))?;
    of_names(line.split(separator).map(|part| part.split_once(':')).collect())
}

/// `threads 8 tps 1000 avg latency 8.0 ms`: names of figures before their numbers.
fn by_blanks(line: &str) -> Option<Vec<(&str, &str)>> {
    const UNITS: [&str; 5] = ["ns", "us", "µs", "ms", "s"];
    let is_figure = |(name, _): &(&str, &str)| matches!(heading::read(name), HeadingMeaning::Figure(_, _, None));
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    // Where a name begins, where the last number does, and where the next word does.
    let (mut from, mut number, mut at) = (0, 0, 0);
    for piece in line.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end().trim_end_matches([',', ';']);
        let is_number = matches!(quantity::read(word), CellContent::Number(..));
        let is_unit = from == at && UNITS.contains(&word);
        // More of them are a sentence.
        if pairs.len() > MOST_PAIRS {
            return None;
        }
        match pairs.last_mut() {
            _ if is_number => {
                number = at;
                pairs.push((line[from..at].trim(), word));
            }
            Some((_, value)) if is_unit => *value = &line[number..at + word.len()],
            _ => {
                at += piece.len();
                continue;
            }
        }
        at += piece.len();
        from = at;
    }
    let is_whole = line[from..].trim().is_empty() && pairs.len() > 1;
    (is_whole && pairs.iter().all(is_figure)).then_some(pairs)
}

/// A line with more pairs is no result.
const MOST_PAIRS: usize = 30;

/// Pairs of which none is without a name, and the values are single.
fn of_names<'t>(pairs: Option<Vec<(&'t str, &'t str)>>) -> Option<Vec<(&'t str, &'t str)>> {
    let pairs: Vec<(&str, &str)> = pairs?.into_iter().map(|(name, value)| (name.trim(), value.trim())).collect();
    let named = |(name, value): &(&str, &str)| name.contains(char::is_alphabetic) && !value.contains(['=', ':']);
    (pairs.len() > 1 && pairs.iter().all(named)).then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        let row = |(line, cells): &(u64, Vec<String>)| format!("{line}: {}", cells.join("|"));
        table(text).unwrap().map_or(Vec::new(), |table| table.rows.iter().map(row).collect())
    }

    #[test]
    fn lines_of_the_same_names_are_rows() {
        assert_eq!(rows("threads=8 tps=1000\n\nthreads=16, tps=1500\n"), ["1: threads|tps", "1: 8|1000", "3: 16|1500"]);
        let colons = "threads: 8, avg latency: 8.0 ms\nthreads: 16, avg latency: 9 ms\n";
        assert_eq!(rows(colons), ["1: threads|avg latency", "1: 8|8.0 ms", "2: 16|9 ms"]);
        let blanks = "threads 8 tps 1000, p95 latency 8.0 ms\nthreads 16 tps 1500, p95 latency 9 ms\n";
        assert_eq!(rows(blanks), ["1: threads|tps|p95 latency", "1: 8|1000|8.0 ms", "2: 16|1500|9 ms"]);
    }

    #[test]
    fn blocks_of_the_same_names_are_rows() {
        let text = "Threads: 16\nTransactions: 60012 (1000.2 per sec.)\nAvg latency: 16.00ms\n\nThreads: 32\nTransactions: 90012 (1500.2 per sec.)\nAvg latency: 21.33ms\n";
        let all = blocks(text).unwrap().map_or(Vec::new(), |table| table.rows);
        let rows: Vec<String> = all.iter().map(|(line, cells)| format!("{line}: {}", cells.join("|"))).collect();
        let wanted = [
            "1: Threads|Transactions|Transactions per second|Avg latency",
            "1: 16|60012|1000.2|16.00ms",
            "5: 32|90012|1500.2|21.33ms",
        ];
        assert_eq!(rows, wanted);
        for other in ["Threads: 16\nTPS: 5\n", "a: 1\nb: 2\n\na: 3\nb: 4\n", "Threads: 1\nTPS: 2\n\nwords\n", ""] {
            assert!(blocks(other).unwrap().is_none(), "{other}");
        }
    }

    #[test]
    fn other_lines_are_not() {
        for text in [
            "a=1 b=2\na=1 c=2\n",
            "a=1\n",
            "12:30, 13:30\n",
            "a=1 b\n",
            "",
            "a: 1: 2, b: 3\n",
            "threads 1 8 16\n",
            "zorp 8 tps 9\n",
            "tps 1000 and more\n",
        ] {
            assert!(rows(text).is_empty(), "{text}");
        }
    }
}
