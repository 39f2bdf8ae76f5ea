//! Tables whose cells stand between bars: Markdown, `mysql -t` and psql, Org, and the markup of Jira, Textile and DokuWiki.

use super::Block;
use super::ruled::{FILLER, wide};
use crate::grid::Grid;
use crate::html;
use crate::raw_table::{Extent, Rows};
use std::borrow::Cow;
use std::collections::BTreeSet;
use tenbin_words::message::Message;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    let head = lines[at].trim();
    let next = lines.get(at + 1).map(|line| line.trim());
    let boxed = is_border(head) && next.is_some_and(|next| next.starts_with('|'));
    let ruled = head.contains('|') && next.is_some_and(is_rule);
    let marked = if boxed || ruled { None } else { next.and_then(|next| Markup::of(head, next)) };
    if !boxed && !ruled && marked.is_none() {
        return Ok(None);
    }
    let is_row = |line: &str| match marked {
        Some(markup) => markup.is_row(line),
        None => line.contains('|') || is_border(line) || is_rule(line),
    };
    if marked == Some(Markup::Textile) {
        return textile(lines, at, extent).map(Some);
    }
    let (mut rows, mut at): (Rows, usize) = (Vec::new(), at);
    let columns = next.map_or(0, |rule| cells(&rule.replace('+', "|")).len());
    let is_of_psql = next.is_some_and(|rule| ruled && rule.starts_with('-') && rule.contains('+'));
    let frame = boxed.then(|| {
        let block = lines[at..].iter().map(|line| line.trim()).take_while(|line| is_row(line));
        Frame::of(block)
    });
    while let Some(line) = lines.get(at).map(|line| line.trim()).filter(|line| is_row(line)) {
        // The names of types below the headings, as DuckDB and Polars draw them.
        if is_rule(line) || is_border(line) {
            if rows.len() == 2 && rows.last().is_some_and(|(_, cells)| are_types(cells)) {
                rows.pop();
            }
        } else if let Some(placed) = frame.as_ref().and_then(|frame| frame.place(line)) {
            // A rule below some of the columns: what stands beside it belongs to the cells of the row above.
            match (placed.has_rule, rows.last_mut()) {
                (true, Some((_, above))) => add(above, placed.cells),
                (true, None) => {}
                (false, _) => {
                    extent.take(placed.cells.len())?;
                    rows.push((at as u64 + 1, placed.cells));
                }
            }
        } else {
            let line = marked.map_or(Cow::Borrowed(line), |markup| markup.in_bars(line));
            let mut cells = cells(&line);
            // Cells that go on from the row above.
            if marked == Some(Markup::DokuWiki)
                && let Some((_, above)) = rows.last()
            {
                for (at, cell) in cells.iter_mut().enumerate().filter(|(_, cell)| *cell == ROW_SPAN) {
                    *cell = above.get(at).cloned().unwrap_or_default();
                }
            }
            // `|A|B` above rules of three columns: the first heading is empty, and of psql's rows any first cell may be.
            let may_lack_first = rows.is_empty() || is_of_psql;
            if ruled && may_lack_first && line.starts_with('|') && cells.len() + 1 == columns {
                cells.insert(0, String::new());
            }
            extent.take(cells.len())?;
            rows.push((at as u64 + 1, cells));
        }
        at += 1;
    }
    Ok(Some(Block { rows, caption: None, end: at }))
}

/// What stands in a cell of DokuWiki that goes on from the row above.
const ROW_SPAN: &str = ":::";

/// The frame of a table: where its columns end, as all of its borders have them together.
struct Frame {
    edges: Vec<usize>,
}

/// A row of a framed table.
struct PlacedRow {
    cells: Vec<String>,
    /// Whether some of its cells are parts of a border.
    has_rule: bool,
}

impl Frame {
    fn of<'t>(block: impl Iterator<Item = &'t str>) -> Frame {
        let mut edges = BTreeSet::new();
        for line in block.take(MOST_FRAMED).filter(|line| line.contains("+-") || line.contains("+=")) {
            let line = wide(line);
            let signs: Vec<usize> = (0..line.len()).filter(|at| "+|".contains(line[*at])).collect();
            // A part of a border reaches from one sign to the next.
            for two in signs.windows(2) {
                let between = &line[two[0] + 1..two[1]];
                if !between.is_empty() && between.iter().all(|c| "-=".contains(*c)) {
                    edges.extend(two.iter().copied());
                }
            }
        }
        Frame { edges: edges.into_iter().collect() }
    }

    /// The cells of a line below the columns of the frame, if its bars stand at their edges and some are left out, or a border takes the place of some:
    /// a cell that spans several columns stands in the first one.
    fn place(&self, line: &str) -> Option<PlacedRow> {
        let columns = self.edges.len().checked_sub(1).filter(|columns| *columns > 1)?;
        let line = wide(line);
        let bars: Vec<usize> = (0..line.len()).filter(|at| line[*at] == '|').collect();
        let edges: Vec<usize> =
            self.edges.iter().copied().filter(|at| line.get(*at).is_some_and(|c| "|+".contains(*c))).collect();
        let is_whole = edges.first() == self.edges.first() && edges.last() == self.edges.last();
        let is_placed = bars.iter().all(|bar| self.edges.binary_search(bar).is_ok());
        if !is_whole || !is_placed {
            return None;
        }
        let (mut cells, mut has_rule) = (vec![String::new(); columns], false);
        for two in edges.windows(2) {
            let text: String = line[two[0] + 1..two[1]].iter().filter(|c| **c != FILLER).collect();
            let is_rule = !text.is_empty() && text.chars().all(|c| "-=".contains(c));
            has_rule |= is_rule;
            if let Some(at) = self.edges.binary_search(&two[0]).ok().filter(|_| !is_rule) {
                cells[at] = plain(text.trim());
            }
        }
        (has_rule || edges.len() < self.edges.len()).then_some(PlacedRow { cells, has_rule })
    }
}

/// Borders are looked for in this many lines.
const MOST_FRAMED: usize = 10_000;

/// Adds the texts of a line to the cells of the row above.
fn add(above: &mut Vec<String>, texts: Vec<String>) {
    above.resize(above.len().max(texts.len()), String::new());
    for (cell, text) in above.iter_mut().zip(texts).filter(|(_, text)| !text.is_empty()) {
        if !cell.is_empty() {
            cell.push(' ');
        }
        cell.push_str(&text);
    }
}

/// A table of Textile, whose cells may span columns and rows: `|_. Threads|_\2. MySQL|`.
fn textile(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Block, Message> {
    let (mut grid, mut end) = (Grid::default(), at);
    while let Some(line) = lines.get(end).map(|line| line.trim()).filter(|line| Markup::Textile.is_row(line)) {
        let number = end as u64 + 1;
        grid.begin_row(number);
        let inner = line.strip_prefix('|').unwrap_or(line);
        for cell in inner.strip_suffix('|').unwrap_or(inner).split('|') {
            let (how, text) =
                cell.trim_start().split_once(". ").filter(|(how, _)| is_textile(how)).unwrap_or(("", cell));
            // `|_.|`: a heading without words.
            let is_bare = |text: &str| text.strip_suffix('.').is_some_and(is_textile);
            let text = if is_bare(text.trim()) { "" } else { text };
            let span = |sign: char| {
                let digits = how.split(sign).nth(1)?;
                digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())].parse::<usize>().ok()
            };
            grid.cell(number, &plain(text.trim()), span('\\').unwrap_or(1), span('/').unwrap_or(1))?;
        }
        grid.end_row(extent)?;
        end += 1;
    }
    Ok(Block { rows: grid.rows, caption: None, end })
}

/// How a markup without a line between headings and rows marks its headings.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Markup {
    /// `||threads||tps||`.
    Jira,
    /// `|_. threads |_. tps |`.
    Textile,
    /// `^ threads ^ tps ^`.
    DokuWiki,
    /// They are not marked: `|threads|tps|`.
    None,
}

impl Markup {
    /// The markup of a table with these first two lines.
    fn of(head: &str, next: &str) -> Option<Markup> {
        let markup = if head.starts_with("||") && head.ends_with("||") {
            Markup::Jira
        } else if head.starts_with("|_") && head.contains(". ") {
            Markup::Textile
        } else if head.starts_with('^') && head.ends_with('^') && head.len() > 2 {
            Markup::DokuWiki
        } else {
            let same = cells(head).len() == cells(next).len() && cells(head).len() > 1;
            let closed = [head, next].iter().all(|line| line.starts_with('|') && line.ends_with('|'));
            return (same && closed).then_some(Markup::None);
        };
        markup.is_row(next).then_some(markup)
    }

    fn is_row(self, line: &str) -> bool {
        line.len() > 1 && (line.starts_with('|') || self == Markup::DokuWiki && line.starts_with('^'))
    }

    /// A row as Markdown has it.
    fn in_bars(self, line: &str) -> Cow<'_, str> {
        match self {
            Markup::Jira if line.starts_with("||") => Cow::Owned(line.replace("||", "|")),
            Markup::DokuWiki => Cow::Owned(line.replace('^', "|")),
            Markup::Jira | Markup::Textile | Markup::None => Cow::Borrowed(line),
        }
    }
}

/// `_`, `>`, `\2`, `/3`, `(class)`: how a cell of Textile is.
fn is_textile(how: &str) -> bool {
    how.starts_with(['_', '<', '>', '=', '\\', '/', '(', '{', '^', '~']) && how.len() < 40 && !how.contains(' ')
}

/// Whether all cells are names of types of columns.
fn are_types(cells: &[String]) -> bool {
    const TYPES: &str = " varchar text string str utf8 bool boolean date time timestamp float double real decimal numeric hugeint \
                         tinyint smallint integer int bigint utinyint usmallint uinteger ubigint number ";
    let is_type = |cell: &String| {
        let name = cell.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let sized = name.len() > letters.len() && ["int", "uint", "i", "u", "f", "float"].contains(&letters);
        !name.is_empty() && (sized || TYPES.contains(&format!(" {name} ")))
    };
    !cells.is_empty() && cells.iter().all(is_type)
}

/// `|---|:--:|`, `---+----` of psql, `|---+---|` of Org.
fn is_rule(line: &str) -> bool {
    let of_markdown = line.contains('|') && line.contains('-') && line.chars().all(|c| "|-: \t".contains(c));
    let of_org = line.starts_with("|-") && line.chars().all(|c| "|-+:".contains(c));
    of_markdown || of_org || (line.starts_with('-') && line.contains("-+-") && line.chars().all(|c| "-+".contains(c)))
}

/// `+----+-----+`.
pub(crate) fn is_border(line: &str) -> bool {
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
                // An escaped sign is one, as in `0\.775` and `oltp\_insert`.
                if escaped && !is_escapable(c) {
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

/// Whether a sign is written with `\` before it where it is no markup. A path of Windows keeps its own.
fn is_escapable(c: char) -> bool {
    "|.,_~-+=()[]<>{}#!&%".contains(c)
}

/// A cell of Markdown without emphasis, links (`[1000](a.log)`) and signs of footnotes (`[^1]`, `1000*`).
fn plain(cell: &str) -> String {
    let coloured = without_macros(cell);
    let cell = coloured.trim();
    let mut text = Cow::Borrowed(cell);
    if has_html(cell) {
        text = Cow::Owned(html::text_of_cell(cell));
    }
    let cell = &*text.into_owned();
    let mut text = Cow::Borrowed(cell);
    if cell.contains("](") || cell.contains("[^") {
        text = Cow::Owned(without_links(cell));
    }
    let text = without_struck(&text);
    let strong = without_strong(&text);
    let text = ["**", "__", "`", "*"].iter().fold(strong.trim(), |text, mark| {
        text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark)).unwrap_or(text)
    });
    let noted = text.trim_end_matches(['*', '†', '‡']).trim_end();
    // Signs alone are the content of the cell.
    let is_noted = noted.len() < text.len() && noted.ends_with(|c: char| c.is_alphanumeric() || ")%".contains(c));
    if is_noted { noted.to_owned() } else { text.to_owned() }
}

/// Without the marks of emphasis that only a part of the cell has: `off **(default)**`.
fn without_strong(cell: &str) -> Cow<'_, str> {
    const MARK: &str = "**";
    match cell.matches(MARK).count() {
        n if n > 0 && n % 2 == 0 => Cow::Owned(cell.replace(MARK, "")),
        _ => Cow::Borrowed(cell),
    }
}

/// Without what was crossed out beside other text: `~~1200~~ 1500`.
fn without_struck(cell: &str) -> Cow<'_, str> {
    let (mut out, mut rest, mut any) = (String::new(), cell, false);
    while let Some((before, after)) = rest.split_once("~~") {
        let Some((_, after)) = after.split_once("~~") else { break };
        out.push_str(before);
        (rest, any) = (after, true);
    }
    out.push_str(rest);
    if any && !out.trim().is_empty() { Cow::Owned(out) } else { Cow::Borrowed(cell) }
}

/// A cell of Jira without its colours and fonts: `{color:red}8.0{color}`, `{{8.0}}`.
fn without_macros(cell: &str) -> Cow<'_, str> {
    if !cell.contains('{') {
        return Cow::Borrowed(cell);
    }
    let (mut out, mut rest) = (String::with_capacity(cell.len()), cell);
    while let Some((before, after)) = rest.split_once("{color") {
        let Some((_, after)) = after.split_once('}').filter(|(how, _)| how.is_empty() || how.starts_with(':')) else {
            break;
        };
        out.push_str(before);
        rest = after;
    }
    Cow::Owned((out + rest).replace("{{", "").replace("}}", ""))
}

/// Whether a cell has tags or entities that pages of Markdown show as what they mean.
fn has_html(cell: &str) -> bool {
    const TAGS: [&str; 25] = [
        "b", "br", "i", "u", "s", "em", "strong", "sup", "sub", "code", "small", "span", "font", "del", "ins", "kbd",
        "a", "p", "div", "ul", "ol", "li", "strike", "center", "hr",
    ];
    let is_tag = |part: &str| {
        let name = part.strip_prefix('/').unwrap_or(part);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        part.contains('>') && TAGS.contains(&name[..end].to_ascii_lowercase().as_str())
    };
    let is_entity = |part: &str| {
        part.split_once(';').is_some_and(|(name, _)| {
            let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '#';
            (2..=8).contains(&name.len()) && name.chars().all(is_sign)
        })
    };
    cell.split('<').skip(1).any(is_tag) || cell.split('&').skip(1).any(is_entity)
}

/// The texts of links instead of the links, and no signs of footnotes.
pub(super) fn without_links(cell: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(cell.len()), cell);
    // What is not there is not looked for again behind the next bracket.
    let (mut has_target, mut has_end) = (true, true);
    while let Some((before, after)) = rest.split_once('[') {
        // The text of a link has no brackets: it ends at the next one.
        let end = after.find(['[', ']']);
        let mut of_link = || {
            let (text, rest) = (&after[..end?], &after[end?..]);
            let target = rest.strip_prefix("](").filter(|_| has_target)?;
            let link = target.split_once(')').map(|(_, rest)| (text, rest));
            has_target = link.is_some();
            link
        };
        let mut of_note = || {
            let note = after.strip_prefix('^').filter(|_| has_end)?;
            let footnote = note.split_once(']').map(|(_, rest)| ("", rest));
            has_end = footnote.is_some();
            footnote
        };
        match of_note().or_else(&mut of_link) {
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
