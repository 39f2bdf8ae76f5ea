//! Results as lists of figures below headings: `### MySQL 8.0` above `- TPS: 5400` and `- Latency: 11.8 ms`. Each list is a result with the words of
//! its headings.

use crate::beside;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::quantity::{self, CellContent};
use crate::raw_table::{Extent, RawTable, Rows};
use tenbin_words::message::Message;
use tenbin_words::text::short;

/// The level of words in bold, which stand below all headings.
const OF_BOLD: usize = 7;
/// At most this much of a name is kept.
const LONGEST: usize = 200;
/// A larger text is none of lists.
const MOST_BYTES: usize = 256 << 10;

/// The figures of a list, and the words above it, the outermost first.
struct ListOfFigures {
    line: u64,
    names: Vec<String>,
    figures: Vec<(String, String)>,
}

/// The table of a text that has nothing with numbers but such lists, or `None` if it has something else.
pub fn table(text: &str) -> Result<Option<RawTable>, Message> {
    if text.len() > MOST_BYTES {
        return Ok(None);
    }
    let Some(mut all) = lists(text) else { return Ok(None) };
    let is_figure = |(label, value): &(String, String)| {
        matches!(heading::read(label), HeadingMeaning::Figure(_, _, None) | HeadingMeaning::PerPeriod(_))
            && matches!(quantity::read(value), CellContent::Number(..))
    };
    let (figures, others): (Vec<&(String, String)>, Vec<_>) =
        all.iter().flat_map(|list| &list.figures).partition(|figure| is_figure(figure));
    if figures.len() < 2 || others.len() > figures.len() {
        return Ok(None);
    }
    // The title of the whole text, if it has several lists.
    let mut caption = Vec::new();
    while all.len() > 1 && all.iter().all(|list| list.names.len() > 1 && list.names[0] == all[0].names[0]) {
        caption.extend(all.iter_mut().map(|list| list.names.remove(0)).last());
    }
    let mut extent = Extent::default();
    let is_counted =
        |list: &ListOfFigures| list.names.last().is_some_and(|name| matrix::clients_in_words(name).is_some());
    let is_repeat = |list: &ListOfFigures| list.names.last().is_some_and(|name| beside::is_repeat(name));
    let last = if all.iter().all(is_counted) { Some("threads") } else { all.iter().all(is_repeat).then_some("run") };
    let has_names = last.is_none() || all.iter().any(|list| list.names.len() > 1);
    let mut labels: Vec<String> = Vec::new();
    let mut rows: Rows = Vec::new();
    for list in &all {
        let names = &list.names[..list.names.len() - usize::from(last.is_some())];
        let of_list = last.and(list.names.last().cloned());
        let mut cells: Vec<String> =
            has_names.then(|| short(&names.join(", "), LONGEST)).into_iter().chain(of_list).collect();
        let before = cells.len();
        for (label, value) in &list.figures {
            let at = labels.iter().position(|known| known.eq_ignore_ascii_case(label)).unwrap_or(labels.len());
            if at == labels.len() {
                labels.push(label.clone());
            }
            cells.resize(cells.len().max(before + at + 1), String::new());
            value.clone_into(&mut cells[before + at]);
        }
        extent.take(before + labels.len())?;
        rows.push((list.line, cells));
    }
    let heads = has_names.then_some("target").into_iter().chain(last).map(str::to_owned).chain(labels);
    rows.insert(0, (rows.first().map_or(1, |(line, _)| *line), heads.collect()));
    Ok(Some(RawTable { caption: short(&caption.join(": "), LONGEST), rows, ..RawTable::default() }))
}

/// The lists of a text, each below a heading of its own and with each label once.
fn lists(text: &str) -> Option<Vec<ListOfFigures>> {
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut all: Vec<ListOfFigures> = Vec::new();
    let mut is_open = false;
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        if let Some((level, name)) = name(text) {
            above.retain(|(of, _)| *of < level);
            above.push((level, name));
            is_open = false;
        } else if let Some((label, value)) = item(text) {
            if !is_open {
                let names: Vec<String> = above.iter().map(|(_, name)| name.clone()).collect();
                if names.is_empty() || all.last().is_some_and(|last| last.names == names) {
                    return None;
                }
                all.push(ListOfFigures { line, names, figures: Vec::new() });
                is_open = true;
            }
            let figures = &mut all.last_mut()?.figures;
            if figures.iter().any(|(known, _)| known.eq_ignore_ascii_case(label)) {
                return None;
            }
            figures.push((label.to_owned(), value.to_owned()));
        } else if text.contains(|c: char| c.is_numeric() || c == '|') {
            return None;
        } else {
            is_open = false;
        }
    }
    (!all.is_empty()).then_some(all)
}

/// The level and the words of a heading: `### MySQL 8.0`, `**8 threads**`.
pub(crate) fn name(line: &str) -> Option<(usize, String)> {
    let text = line.trim_end().trim_end_matches([':', '：']);
    let level = text.len() - text.trim_start_matches('#').len();
    let words = match level {
        0 => ["**", "__"].into_iter().find_map(|sign| {
            let inner = text.trim_start().strip_prefix(sign)?.strip_suffix(sign)?;
            (!inner.contains(sign)).then_some(inner)
        })?,
        level => text[level..].strip_prefix(' ')?,
    };
    let words = words.trim().trim_matches(['*', '_', '`', ':', '：']).trim();
    let level = if level == 0 { OF_BOLD } else { level };
    (!words.is_empty() && level <= OF_BOLD).then(|| (level, short(words, LONGEST)))
}

/// The label and the value of an item: `- TPS: 5400`, `* **Latency**: 11.8 ms`.
fn item(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix(['-', '*', '+', '•', '\u{30fb}'])?;
    let rest = rest.strip_prefix([' ', '\t']).or_else(|| line.trim_start().strip_prefix(['•', '\u{30fb}']))?;
    let (label, value) = rest.split_once([':', '：', '='])?;
    let signs = ['*', '_', '`', ' '];
    let (label, value) = (label.trim_matches(signs), value.trim_matches(signs));
    let is_one = !label.is_empty() && !value.is_empty() && !label.starts_with(|c: char| c.is_ascii_digit());
    // `- MySQL: TPS: 5400` is something else.
    (is_one && !value.contains([':', '：', '='])).then_some((label, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        let row = |(line, cells): &(u64, Vec<String>)| format!("{line}: {}", cells.join("|"));
        table(text).unwrap().map_or(Vec::new(), |table| table.rows.iter().map(row).collect())
    }

    #[test]
    fn lists_below_headings_are_rows() {
        let text =
            "# Results\n\n### A 8.0\n\n- TPS: 5400\n- Latency: 11.8 ms\n\n### B\n- TPS: 5200\n- Latency: 12.3 ms\n";
        assert_eq!(rows(text), ["5: target|TPS|Latency", "5: A 8.0|5400|11.8 ms", "9: B|5200|12.3 ms"]);
        let counted = "**8 threads**\n- TPS: 1000\n\n**16 threads**:\n* TPS: 1500\n* p95: 12 ms\n";
        assert_eq!(rows(counted), ["2: threads|TPS|p95", "2: 8 threads|1000", "5: 16 threads|1500|12 ms"]);
        let both = "## A\n### 8 threads\n- TPS: 10\n## B\n### 8 threads\n- TPS: 20\n";
        assert_eq!(rows(both), ["3: target|threads|TPS", "3: A|8 threads|10", "6: B|8 threads|20"]);
    }

    #[test]
    fn other_texts_are_not() {
        for text in [
            "- TPS: 5400\n- Latency: 11.8 ms\n",
            "### A\n- TPS: 5400\n- TPS: 5200\n",
            "### A\n- TPS: 5400\nIt took 5 s.\n",
            "### A\n- threads: 8\n  tps: 1000\n",
            "### A\n- 12:30\n- 13:30\n",
            "### A\n- fast: yes\n- small: no\n",
        ] {
            assert!(rows(text).is_empty(), "{text}");
        }
    }
}
