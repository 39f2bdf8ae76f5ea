//! The tables of a page as a browser saves it: cells that span several rows or columns are repeated in each of them, headings and
//! captions are the words above.

use crate::caption;
use crate::grid::Grid;
use crate::page_text;
use crate::raw_table::{self, Extent, MOST_TABLES, RawTable};
use html5gum::{Token, Tokenizer};
use memchr::memchr_iter;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// Deeper tables are text of the cell that they stand in.
const DEEPEST: usize = 8;
/// At most this much of a cell, and of the words above a table, is kept.
const LONGEST: usize = 400;

/// What Tenbin's own pages have in their head.
pub const OWN_PAGE: &str = "<meta name=\"generator\" content=\"Tenbin";

/// Whether a text is a page with tables.
pub fn is_page(text: &str) -> bool {
    text.trim_start().starts_with('<') && contains(text, "<table")
}

/// Whether a text has this beginning of a tag, in any case.
fn contains(text: &str, tag: &str) -> bool {
    let bytes = text.as_bytes();
    let is_it = |at: usize| bytes[at..].get(..tag.len()).is_some_and(|part| part.eq_ignore_ascii_case(tag.as_bytes()));
    memchr_iter(b'<', bytes).any(is_it)
}

/// The text of a page without tables, with the signs of Markdown before headings and items of lists: its results are lists or sentences.
pub fn text_of_lists(page: &str) -> Option<String> {
    let has_text = || ["</li>", "</p>", "<li>"].iter().any(|tag| contains(page, tag));
    if page.len() > MOST_OF_LISTS || !page.trim_start().starts_with('<') || !has_text() {
        return None;
    }
    let shown = ["script", "style", "head", "svg"].iter().fold(page.to_owned(), |page, tag| without(&page, tag));
    page_text::text_of(&shown)
}

/// A page without the elements of this name.
fn without(page: &str, tag: &str) -> String {
    let lowered = page.to_ascii_lowercase();
    let (begin, end) = (format!("<{tag}"), format!("</{tag}>"));
    let (mut out, mut at) = (String::with_capacity(page.len()), 0);
    while let Some(from) = lowered[at..].find(&begin).map(|offset| at + offset) {
        let is_longer = lowered[from + begin.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let to = lowered[from..].find(&end).filter(|_| !is_longer).map(|offset| from + offset + end.len());
        out.push_str(&page[at..to.map_or(from + begin.len(), |_| from)]);
        at = to.unwrap_or(from + begin.len());
    }
    out + &page[at..]
}

/// In a larger page they are not looked for.
const MOST_OF_LISTS: usize = 4 << 20;

/// A table that is being read.
#[derive(Default)]
struct Open {
    caption: String,
    /// The headings around that of its section, the outermost first.
    outer: Vec<String>,
    grid: Grid,
    /// The text of the cell that is being read, and how many columns and rows it spans.
    cell: Option<(String, usize, usize)>,
    /// The text of buttons in that cell, which is its text if it has no other, and whether one is open.
    buttons: String,
    in_button: bool,
}

/// The tables of a page. The message says why it cannot be read.
pub fn tables(page: &str) -> Result<Vec<RawTable>, Message> {
    let mut reader = Reader::default();
    for token in Tokenizer::new(page) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let span = |name: &str| {
                    let value = tag.attributes.iter().find(|(key, _)| key.as_slice() == name.as_bytes());
                    let text = value.map(|(_, value)| String::from_utf8_lossy(value).into_owned());
                    text.and_then(|text| text.trim().parse::<usize>().ok()).unwrap_or(1).max(1)
                };
                let name = String::from_utf8_lossy(&tag.name);
                let is_hidden = STRUCK.contains(&&*name) || tag.attributes.iter().any(|(key, value)| hides(key, value));
                if reader.hides(&name, is_hidden && !tag.self_closing) {
                    continue;
                }
                reader.begins(&name, span("colspan"), span("rowspan"))?;
                if tag.self_closing && &*tag.name == b"table" {
                    reader.ends("table")?;
                }
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name);
                if !reader.shows_again(&name) {
                    reader.ends(&name)?;
                }
            }
            Token::String(text) => reader.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    while !reader.open.is_empty() {
        reader.ends("table")?;
    }
    raw_table::tell_apart(&mut reader.done, &reader.outer);
    Ok(reader.done)
}

/// The text of a cell of other markup with tags and entities in it, as Markdown may have them.
pub fn text_of_cell(cell: &str) -> String {
    let mut reader = Reader::default();
    reader.open.push(Open { cell: Some((String::new(), 1, 1)), ..Open::default() });
    for token in Tokenizer::new(cell) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name);
                match &*name {
                    _ if reader.hides(&name, STRUCK.contains(&&*name)) => {}
                    "sup" | "sub" => reader.raised(&name),
                    name if name == "br" || BLOCKS.contains(&name) => reader.text(BREAK),
                    _ => {}
                }
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name);
                match &*name {
                    _ if reader.shows_again(&name) => {}
                    "sup" | "sub" => reader.in_footnote = false,
                    name if BLOCKS.contains(&name) => reader.text(BREAK),
                    _ => {}
                }
            }
            Token::String(text) => reader.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    let text = reader.open.pop().and_then(|table| table.cell).map_or(String::new(), |(text, ..)| text);
    of_lines(&text)
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[derive(Default)]
struct Reader {
    done: Vec<RawTable>,
    /// Of each of these tables the outer headings.
    outer: Vec<Vec<String>>,
    open: Vec<Open>,
    /// Tables deeper than [`DEEPEST`].
    too_deep: usize,
    /// The headings of the section, each with its level, and the last words outside of tables.
    headings: Vec<(u8, String)>,
    in_heading: bool,
    words: String,
    /// Text of scripts and styles does not count as text.
    hidden: bool,
    /// Nor does that of an element that is not displayed: its name, and how many of this name are open.
    not_displayed: Option<(String, usize)>,
    /// Nor does the sign of a footnote.
    in_footnote: bool,
    /// How many tables were before the figure that is open: what it is called stands below its table.
    figure: Option<usize>,
    /// Whether nothing but blanks was read since the last table, and whether the first table was called by words above it.
    after_table: bool,
    is_above: bool,
    extent: Extent,
}

/// Whether an attribute says that its element is not displayed.
fn hides(key: &[u8], value: &[u8]) -> bool {
    let value: String = String::from_utf8_lossy(value).to_ascii_lowercase().split_whitespace().collect();
    match key {
        b"hidden" => true,
        b"style" => value.contains("display:none") || value.contains("visibility:hidden"),
        _ => false,
    }
}

/// Where a line within a cell ends. It is a blank to everything else.
const BREAK: &str = "\u{b}";

/// The text of a cell on one line. Two numbers below one another are two, and no number with a blank between its thousands.
fn of_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split(BREAK).map(str::trim).filter(|line| !line.is_empty()) {
        let is_digit = |c: char| c.is_ascii_digit();
        out += match out.is_empty() {
            true => "",
            false if out.ends_with(is_digit) && line.starts_with(is_digit) => " / ",
            false => " ",
        };
        out += line;
    }
    out
}

/// Elements within a cell, whose ends are always written.
const WITHIN_CELLS: [&str; 18] = [
    "span", "div", "b", "i", "em", "strong", "small", "a", "sup", "sub", "font", "label", "code", "abbr", "del", "s",
    "strike", "select",
];
/// What was crossed out is not what is published, and what may be chosen is no text.
const STRUCK: [&str; 4] = ["del", "s", "strike", "select"];
/// Elements that begin and end a line of their own.
const BLOCKS: [&str; 21] = [
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "section",
    "article",
    "pre",
    "blockquote",
    "center",
    "hr",
    "button",
];

impl Reader {
    /// Whether an element that begins is not displayed, as it says itself or one around it.
    fn hides(&mut self, tag: &str, is_hidden: bool) -> bool {
        // A cell that is left open ends a span that is.
        if ["td", "th", "tr", "table"].contains(&tag) {
            self.not_displayed = None;
        }
        match &mut self.not_displayed {
            Some((name, open)) => {
                *open += usize::from(name == tag);
                true
            }
            None if is_hidden && WITHIN_CELLS.contains(&tag) => {
                self.not_displayed = Some((tag.to_owned(), 1));
                true
            }
            None => false,
        }
    }

    /// Whether the end of an element belongs to what is not displayed.
    fn shows_again(&mut self, tag: &str) -> bool {
        if ["td", "th", "tr", "table"].contains(&tag) {
            self.not_displayed = None;
        }
        let Some((name, open)) = &mut self.not_displayed else { return false };
        if name == tag {
            *open -= 1;
        }
        if *open == 0 {
            self.not_displayed = None;
        }
        true
    }

    fn begins(&mut self, tag: &str, columns: usize, rows: usize) -> Result<(), Message> {
        match tag {
            "script" | "style" | "svg" | "template" => self.hidden = true,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.open.is_empty() => {
                let level = tag.bytes().last().unwrap_or_default();
                self.headings.retain(|(of, _)| *of < level);
                self.headings.push((level, String::new()));
                self.words.clear();
                self.in_heading = true;
            }
            "figure" if self.open.is_empty() => self.figure = Some(self.done.len()),
            "p" | "div" | "li" | "center" | "figcaption" if self.open.is_empty() => self.words.clear(),
            "br" => self.text(BREAK),
            "button" => self.in_button(true),
            _ if BLOCKS.contains(&tag) => self.text(BREAK),
            "sup" | "sub" => self.raised(tag),
            "table" if self.open.len() == DEEPEST => self.too_deep += 1,
            "table" => {
                let words = std::mem::take(&mut self.words);
                if self.done.is_empty() {
                    self.is_above = caption::is_label(words.trim());
                }
                let words = caption::without_label(words.trim());
                let mut headings: Vec<&str> =
                    self.headings.iter().map(|(_, text)| text.trim()).filter(|text| !text.is_empty()).collect();
                let parts: Vec<&str> = [headings.pop().unwrap_or_default(), words.trim()]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .collect();
                let outer = headings.iter().map(|text| short(text, LONGEST)).collect();
                self.open.push(Open { caption: parts.join(": "), outer, ..Open::default() });
            }
            "tr" if self.too_deep == 0 => {
                self.end_row()?;
                if let Some(table) = self.open.last_mut() {
                    table.grid.begin_row(0);
                }
            }
            "td" | "th" if self.too_deep == 0 => {
                self.in_footnote = false;
                if let Some(table) = self.open.last_mut() {
                    table.end_cell()?;
                    table.grid.begin_row(0);
                    table.cell = Some((String::new(), columns, rows));
                }
            }
            "caption" if self.too_deep == 0 => {
                if let Some(table) = self.open.last_mut() {
                    table.cell = Some((String::new(), 0, 0));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn ends(&mut self, tag: &str) -> Result<(), Message> {
        match tag {
            "script" | "style" | "svg" | "template" => self.hidden = false,
            "sup" | "sub" => self.in_footnote = false,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.in_heading = false,
            "table" if self.too_deep > 0 => self.too_deep -= 1,
            "table" => {
                self.end_row()?;
                let Some(table) = self.open.pop() else { return Ok(()) };
                if table.grid.rows.len() > 1 {
                    if self.done.len() == MOST_TABLES {
                        return Err(msg!("published-too-many-tables", most = MOST_TABLES));
                    }
                    let rows = (1..).zip(table.grid.rows.into_iter().map(|(_, cells)| cells)).collect();
                    self.outer.push(table.outer);
                    self.done.push(RawTable { caption: short(&table.caption, LONGEST), rows, ..RawTable::default() });
                    self.after_table = self.open.is_empty();
                }
            }
            "figcaption" if self.figure.is_some_and(|before| before < self.done.len()) => self.below(),
            "figure" => self.figure = None,
            "p" | "div" | "center" if self.open.is_empty() && !self.words.trim().is_empty() => {
                let is_caption =
                    (!self.is_above && caption::is_label(self.words.trim())) || caption::is_of_unit(self.words.trim());
                match self.after_table && is_caption {
                    true => self.below(),
                    false => self.after_table = false,
                }
            }
            "tr" if self.too_deep == 0 => self.end_row()?,
            "td" | "th" if self.too_deep == 0 => {
                if let Some(table) = self.open.last_mut() {
                    table.end_cell()?;
                }
            }
            "caption" if self.too_deep == 0 => {
                if let Some(table) = self.open.last_mut()
                    && let Some((text, ..)) = table.cell.take()
                {
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    caption::without_label(&text).clone_into(&mut table.caption);
                }
            }
            "button" => self.in_button(false),
            _ if BLOCKS.contains(&tag) => self.text(BREAK),
            _ => {}
        }
        Ok(())
    }

    /// A button in a cell begins or ends.
    fn in_button(&mut self, begins: bool) {
        self.text(BREAK);
        if let Some(table) = self.open.last_mut() {
            table.in_button = begins && table.cell.is_some();
        }
    }

    /// The last words are those below the last table.
    fn below(&mut self) {
        let words = std::mem::take(&mut self.words);
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(table) = self.done.last_mut() {
            let above = if table.caption.is_empty() { String::new() } else { format!("{}: ", table.caption) };
            table.caption = short(&format!("{above}{}", caption::without_label(&words)), LONGEST);
        }
        self.after_table = false;
    }

    fn text(&mut self, text: &str) {
        if self.hidden || self.in_footnote || self.not_displayed.is_some() {
            return;
        }
        if let Some(into) = self.reading().filter(|into| into.len() < LONGEST) {
            into.push_str(text);
        }
    }

    /// What the text of the page belongs to at this place.
    fn reading(&mut self) -> Option<&mut String> {
        match self.open.last_mut() {
            Some(table) if table.in_button => Some(&mut table.buttons),
            Some(table) => table.cell.as_mut().map(|(cell, ..)| cell),
            None if self.in_heading => self.headings.last_mut().map(|(_, text)| text),
            None => Some(&mut self.words),
        }
    }

    /// What is raised above text, or lowered beside a number, is the sign of a footnote and no digit of it: `1000<sup>2</sup>`. Of
    /// `tpm<sub>C</sub>` it is a part, and of `10<sup>3</sup>` the exponent.
    fn raised(&mut self, tag: &str) {
        let before = self.reading().map(|text| text.trim_end().to_owned()).unwrap_or_default();
        let is_digit = before.ends_with(|c: char| c.is_ascii_digit());
        let is_power = before
            .strip_suffix("10")
            .is_some_and(|rest| !rest.ends_with(|c: char| ".,".contains(c) || c.is_ascii_digit()));
        match tag {
            "sup" if is_power => self.text("^"),
            "sup" => self.in_footnote = !before.is_empty(),
            _ => self.in_footnote = is_digit,
        }
    }

    fn end_row(&mut self) -> Result<(), Message> {
        let Some(table) = self.open.last_mut() else { return Ok(()) };
        table.end_cell()?;
        table.grid.end_row(&mut self.extent)
    }
}

impl Open {
    fn end_cell(&mut self) -> Result<(), Message> {
        // A caption that was left open spans none.
        let buttons = std::mem::take(&mut self.buttons);
        self.in_button = false;
        let Some((text, columns, rows)) = self.cell.take().filter(|(_, columns, _)| *columns > 0) else {
            return Ok(());
        };
        let text = if text.trim().is_empty() { buttons } else { text };
        self.grid.cell(0, &of_lines(&text), columns, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(page: &str) -> Vec<String> {
        let all = tables(page).unwrap();
        all.iter()
            .map(|table| {
                let rows = table.rows.iter().map(|(_, cells)| cells.join("|")).collect::<Vec<_>>();
                format!("{}: {}", table.caption, rows.join(" / "))
            })
            .collect()
    }

    #[test]
    fn tables_of_pages_are_read_with_spans_entities_and_headings() {
        let page = "<!DOCTYPE html><html><h2>Read &amp; write</h2><p>TPS<table><thead><tr><th rowspan=2>threads</th><th colspan=2>A</th></tr>\
            <tr><th>tps<th>avg&nbsp;(ms)</tr></thead><tr><td>8<td><b>1,000</b><td>8.0<tr><td>16<td>1500<td>10.67</table>\
            <script>document.write('<table><tr><td>no</td></tr></table>')</script></html>";
        assert!(is_page(page));
        let notes = "<table><tr><th>tpm<sub>C</sub><th>TPS<sup>1</sup><th>x<tr><td>1000<sup>2</sup><td>900<sub>a<td>10<sup>3</sup></table>";
        assert_eq!(rows(notes), [": tpmC|TPS|x / 1000|900|10^3"]);
        assert_eq!(rows(page), ["Read & write: TPS: threads|A| / threads|tps|avg (ms) / 8|1,000|8.0 / 16|1500|10.67"]);
        let sorted = "<table><tr><th>threads<th>TPS<tr><td>8<td><span style='Display: none'>0001<span>0</span>00</span>1000<tr><td>16<td><i hidden>9<td>7</table>";
        assert_eq!(rows(sorted), [": threads|TPS / 8|1000 / 16||7"]);
        let blocks = "<table><tr><th><p>mean</p><p>TPS</p><th><div>p95</div><div>(ms)</div><th>QPS<button>sort</button><th><button>max</button>\
            <tr><td><ul><li>1<li>2</ul><td><del>3</del><ins>4</ins><td><s>5</s> 6<td>7<select><option>ms<option>s</select><h4>8</h4></table>";
        assert_eq!(rows(blocks), [": mean TPS|p95 (ms)|QPS|max / 1 / 2|4|6|7 / 8"]);
        assert_eq!(text_of_cell("<p>1</p><p>2 <del>3</del></p><s>4</s>5"), "1 / 2 / 5");
        assert!(!is_page("threads,tps\n1,2\n") && !is_page("<p>no table</p>"));
    }

    /// Each of these might take minutes or gigabytes.
    #[test]
    fn hostile_pages_end() {
        let deep = format!("{}{}", "<table><tr><td>".repeat(1000), "</table>".repeat(1000));
        assert!(tables(&deep).unwrap().len() <= DEEPEST);
        assert!(tables("<table><tr><td colspan=99999999>x</td><td>y</td></tr></table>").is_err());
        assert!(tables(&format!("<table>{}</table>", "<tr><td rowspan=99999>x<td>y".repeat(30_000))).is_err());
        assert!(tables("<table><tr><td rowspan=0 colspan=-1>x<td>y</tr><tr><td>1<td>2").is_ok());
    }
}
