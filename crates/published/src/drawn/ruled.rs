//! Tables whose columns are those of a line of dashes or equals signs: what SQL*Plus, sqlcmd, `.mode column` of sqlite3 and `tabulate`
//! print, and the simple tables of reStructuredText.

use super::Block;
use crate::raw_table::Extent;
use tenbin_words::message::Message;

/// The headings of a table have at most this many lines.
const MOST_HEAD_LINES: usize = 3;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    // A rule above the headings, as in reStructuredText, or none.
    let framed = columns(lines[at]);
    let head = if framed.is_some() { at + 1 } else { at };
    let most = if framed.is_some() { 2 * MOST_HEAD_LINES } else { 1 };
    // Rules below a part of the headings stand below names that are over several columns.
    let is_below_names = |line: &str| {
        columns(line).zip(framed.as_ref()).is_some_and(|(own, of_all)| own != *of_all && is_part(&own, of_all))
    };
    let rule = (head + 1..=head + most)
        .find(|rule| lines.get(*rule).is_some_and(|line| columns(line).is_some() && !is_below_names(line)));
    let Some((rule, starts)) = rule.and_then(|rule| Some((rule, columns(lines[rule])?))) else { return Ok(None) };
    if framed.as_ref().is_some_and(|above| *above != starts)
        || lines[head..rule].iter().any(|line| line.trim().is_empty())
    {
        return Ok(None);
    }
    let below = lines.iter().enumerate().skip(rule + 1);
    let below =
        below.take_while(|(_, line)| !line.trim().is_empty() && !line.starts_with('(') && columns(line).is_none());
    let body: Vec<(usize, &str)> = below.map(|(n, line)| (n, *line)).collect();
    let head = (head..rule).filter(|n| !is_below_names(lines[*n])).map(|n| (n, lines[n]));
    let mut rows = Vec::new();
    for (n, line) in head.chain(body.iter().copied()) {
        let names = lines.get(n + 1).filter(|below| n < rule && is_below_names(below)).and_then(|below| columns(below));
        let Some(cells) = cut(line, names.as_ref().unwrap_or(&starts)) else { return Ok(None) };
        let cells = match names {
            Some(names) => placed(cells, &names, &starts),
            None => cells,
        };
        rows.push((n as u64 + 1, cells));
    }
    if body.is_empty() {
        return Ok(None);
    }
    rows.iter().try_for_each(|(_, cells)| extent.take(cells.len()))?;
    let last = body.last().map_or(rule, |(n, _)| *n);
    let closed = lines.get(last + 1).is_some_and(|line| columns(line).is_some());
    Ok(Some(Block { rows, caption: None, end: last + 1 + usize::from(closed) }))
}

/// Whether each of these columns begins where one of all does.
fn is_part(own: &[usize], of_all: &[usize]) -> bool {
    own.iter().all(|start| of_all.contains(start))
}

/// The cells of names, each in the first of the columns that it stands over.
fn placed(names: Vec<String>, own: &[usize], of_all: &[usize]) -> Vec<String> {
    let mut cells = vec![String::new(); of_all.len()];
    for (name, start) in names.into_iter().zip(own) {
        if let Some(at) = of_all.iter().position(|of| of == start) {
            cells[at] = name;
        }
    }
    cells
}

/// Where the columns of a rule begin, in characters: `-----  ---`, of at least two columns.
fn columns(line: &str) -> Option<Vec<usize>> {
    let line = line.trim_end();
    let is_rule = line.contains("--") || line.contains("==");
    if !is_rule || !line.contains(' ') || line.contains(|c| !"-= ".contains(c)) || line.contains("- - ") {
        return None;
    }
    let bytes = line.as_bytes();
    let starts = (0..bytes.len()).filter(|at| bytes[*at] != b' ' && (*at == 0 || bytes[*at - 1] == b' '));
    Some(starts.collect()).filter(|starts: &Vec<usize>| starts.len() > 1)
}

/// The cells of a line, if there is a blank before each column.
fn cut(line: &str, starts: &[usize]) -> Option<Vec<String>> {
    let line: Vec<char> = wide(line);
    let cell = |(n, from): (usize, &usize)| {
        let before = from.checked_sub(1).and_then(|at| line.get(at));
        if before.is_some_and(|c| !c.is_whitespace()) {
            return None;
        }
        let to = starts.get(n + 1).copied().unwrap_or(line.len()).min(line.len());
        let text: String = line.get(*from.min(&to)..to)?.iter().filter(|c| **c != FILLER).collect();
        // An empty first cell of reStructuredText.
        Some(if text.trim() == "\\" { String::new() } else { text.trim().to_owned() })
    };
    starts.iter().enumerate().map(cell).collect()
}

/// Stands for the second column of a wide character.
pub(super) const FILLER: char = '\u{0}';

/// The characters of a line in the columns of a terminal, of which one of Chinese, Japanese or Korean takes two.
pub(crate) fn wide(line: &str) -> Vec<char> {
    let mut all = Vec::with_capacity(line.len());
    for c in line.chars() {
        all.push(c);
        let is_wide = matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}');
        all.extend(is_wide.then_some(FILLER));
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::split::tables;

    fn rows(text: &str) -> Vec<String> {
        let all = tables(text).unwrap();
        all.iter()
            .flat_map(|table| table.rows.iter().map(|(line, cells)| format!("{line}: {}", cells.join("|"))))
            .collect()
    }

    #[test]
    fn columns_are_where_the_rule_has_them() {
        let wanted = ["1: Threads|Avg latency", "3: 8|8.0", "4: 16|"];
        let text = "Threads Avg latency\n------- -----------\n      8         8.0\n     16\n\n2 rows selected.\n";
        assert_eq!(rows(text), wanted);
        let rst = "=======  ===========\nThreads  Avg latency\n=======  ===========\n8        8.0\n16\n=======  ===========\n";
        assert_eq!(rows(rst), ["2: Threads|Avg latency", "4: 8|8.0", "5: 16|"]);
        assert_eq!(rows("スレッド  TPS\n--------  ---\n8         100\n"), ["1: スレッド|TPS", "3: 8|100"]);
    }

    #[test]
    fn a_line_that_does_not_fit_makes_it_no_such_table() {
        assert_eq!(rows("threads tps\n--- ---\n8 1000\n")[0], "1: threads|tps");
        for text in ["-- --", "a\n-- --", "-- --\n-- --\n-- --\n-- --", "== ==\n\n== ==\nx"] {
            let _ = tables(text);
        }
    }
}
