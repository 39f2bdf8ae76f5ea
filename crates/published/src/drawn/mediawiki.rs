//! Tables of MediaWiki, as Wikipedia has them: `{| … |}` (Help:Table of mediawiki.org).

use super::Block;
use crate::grid::Grid;
use crate::raw_table::Extent;
use tenbin_words::message::Message;

/// At most this much of a cell is kept.
const LONGEST: usize = 400;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    if !lines[at].trim_start_matches([' ', ':', '*']).starts_with("{|") {
        return Ok(None);
    }
    let (mut grid, mut caption, mut cell, mut end) = (Grid::default(), None, OpenCell::default(), lines.len());
    for (n, line) in lines.iter().enumerate().skip(at + 1) {
        let (line, at) = (line.trim(), n as u64 + 1);
        if line.starts_with("|}") {
            end = n + 1;
            break;
        } else if line.starts_with("|-") {
            cell.close(&mut grid)?;
            grid.end_row(extent)?;
        } else if let Some(words) = line.strip_prefix("|+") {
            caption = Some(text(without_attributes(words).1));
        } else if let Some(cells) = line.strip_prefix(['|', '!']) {
            let cells = if line.starts_with('!') { cells.replace("!!", "||") } else { cells.to_owned() };
            for words in cells.split("||") {
                cell.close(&mut grid)?;
                let (attributes, words) = without_attributes(words);
                let [columns, rows] = ["colspan", "rowspan"].map(|name| span(attributes, name));
                cell = OpenCell { open: Some((at, words.to_owned())), columns, rows };
            }
        } else if let Some((_, words)) = cell.open.as_mut().filter(|(_, words)| words.len() < LONGEST) {
            words.push(' ');
            words.push_str(line);
        }
    }
    cell.close(&mut grid)?;
    grid.end_row(extent)?;
    Ok(Some(Block { rows: grid.rows, caption, end }))
}

/// A cell whose next lines may follow: its line and its words, and how many columns and rows it spans.
#[derive(Default)]
struct OpenCell {
    open: Option<(u64, String)>,
    columns: usize,
    rows: usize,
}

impl OpenCell {
    fn close(&mut self, grid: &mut Grid) -> Result<(), Message> {
        let Some((line, words)) = self.open.take() else { return Ok(()) };
        grid.cell(line, &text(&words), self.columns, self.rows)
    }
}

/// The attributes of a cell and what it contains: `style="…" | 1000`.
fn without_attributes(cell: &str) -> (&str, &str) {
    match cell.split_once('|') {
        Some((attributes, text)) if !attributes.contains("[[") && !attributes.contains("{{") => (attributes, text),
        _ => ("", cell),
    }
}

/// The number of an attribute such as `colspan="2"`; 1 if it is not there.
fn span(attributes: &str, name: &str) -> usize {
    let number = || {
        let value = attributes.split_once(name)?.1.trim_start().strip_prefix('=')?;
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        value.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    number().unwrap_or(1)
}

/// The words of a cell: no emphasis, no notes, of links and templates what is shown.
fn text(cell: &str) -> String {
    let cell = cell.replace("'''", "").replace("''", "");
    let cell = between(&cell, "<ref", "</ref>", |_| String::new());
    let last = |inner: &str| inner.rsplit(['|', ':']).next().unwrap_or_default().to_owned();
    let cell = between(&between(&cell, "[[", "]]", last), "{{", "}}", last);
    between(&cell, "[http", "]", |inner| inner.split_once(' ').map_or(String::new(), |(_, text)| text.to_owned()))
}

/// The text with each part from `open` to `close` replaced.
fn between(text: &str, open: &str, close: &str, replaced: impl Fn(&str) -> String) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(open) {
        let Some((inner, after)) = after.split_once(close) else { break };
        out.push_str(before);
        out.push_str(&replaced(inner));
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use crate::split::tables;

    #[test]
    fn cells_on_one_line_or_each_on_its_own_with_attributes_and_spans() {
        let text = "== Results ==\n{| class=\"wikitable\"\n|+ Read '''only'''\n! rowspan=2 | Threads !! colspan=\"2\" | Latency\n|-\n\
                    ! mean\n! p95\n|-\n| style=\"x\" | 8<ref>a note</ref> || [[Second|8.0]] || {{val|12.0}}\n|-\n| 16\n| 10.5\n| 15\n|}\nend\n";
        let all = tables(text).unwrap();
        assert_eq!(all[0].caption, "Results: Read only");
        let rows: Vec<(u64, String)> = all[0].rows.iter().map(|(line, cells)| (*line, cells.join("|"))).collect();
        let wanted = [(4, "Threads|Latency|"), (6, "Threads|mean|p95"), (9, "8|8.0|12.0"), (11, "16|10.5|15")];
        assert_eq!(rows, wanted.map(|(line, cells)| (line, cells.to_owned())));
    }

    #[test]
    fn what_is_left_open_ends_with_the_text() {
        for text in ["{|", "{|\n! a", "{|\n| {{a\n| [[b\n|-", "{|\n|+\n|}", "{|\n| colspan=99999999999 | a\n"] {
            let _ = tables(text);
        }
    }
}
