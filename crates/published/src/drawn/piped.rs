//! Tables whose cells stand between bars: Markdown, `mysql -t` and psql, Org, and the markup of Jira, Textile and DokuWiki.

use super::Block;
use crate::html;
use crate::raw_table::{Extent, Rows};
use std::borrow::Cow;
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
    let (mut rows, mut at): (Rows, usize) = (Vec::new(), at);
    let columns = next.map_or(0, |rule| cells(rule).len());
    let is_row = |line: &str| match marked {
        Some(markup) => markup.is_row(line),
        None => line.contains('|') || is_border(line) || is_rule(line),
    };
    while let Some(line) = lines.get(at).map(|line| line.trim()).filter(|line| is_row(line)) {
        // The names of types below the headings, as DuckDB and Polars draw them.
        if is_rule(line) || is_border(line) {
            if rows.len() == 2 && rows.last().is_some_and(|(_, cells)| are_types(cells)) {
                rows.pop();
            }
        } else {
            let line = marked.map_or(Cow::Borrowed(line), |markup| markup.in_bars(line));
            let mut cells = cells(&line);
            // `|A|B` above rules of three columns: the first heading is empty.
            if ruled && rows.is_empty() && line.starts_with('|') && cells.len() + 1 == columns {
                cells.insert(0, String::new());
            }
            extent.take(cells.len())?;
            rows.push((at as u64 + 1, cells));
        }
        at += 1;
    }
    Ok(Some(Block { rows, caption: None, end: at }))
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
            Markup::Textile => {
                let cell = |cell: &str| {
                    let how = cell.trim_start().split_once(". ").filter(|(how, _)| is_textile(how));
                    how.map_or(cell, |(_, text)| text).to_owned()
                };
                Cow::Owned(line.split('|').map(cell).collect::<Vec<_>>().join("|"))
            }
            Markup::DokuWiki => Cow::Owned(line.replace('^', "|")),
            Markup::Jira | Markup::None => Cow::Borrowed(line),
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
                // An escaped point is one, as in `0\.775`.
                let is_number = c == '.' && cell.ends_with(|c: char| c.is_ascii_digit());
                if escaped && c != '|' && !is_number {
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
    let text = ["**", "__", "`", "*"].iter().fold(text.trim(), |text, mark| {
        text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark)).unwrap_or(text)
    });
    let noted = text.trim_end_matches(['*', '†', '‡']).trim_end();
    // Signs alone are the content of the cell.
    let is_noted = noted.len() < text.len() && noted.ends_with(|c: char| c.is_alphanumeric() || ")%".contains(c));
    if is_noted { noted.to_owned() } else { text.to_owned() }
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
fn without_links(cell: &str) -> String {
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
