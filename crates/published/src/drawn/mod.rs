//! The tables within a text, each with the headings and the words above it: one file for each form, and the list of them.

mod asciidoc;
mod frames;
mod latex;
mod mediawiki;
mod mermaid;
mod piped;
mod records;
mod rest;
mod ruled;
mod yaml;

pub(crate) use ruled::wide;

use crate::caption;
use crate::heading::{self, HeadingMeaning, STATISTIC};
use crate::raw_table::{self, Extent, MOST_TABLES, RawTable, Rows};
use std::borrow::Cow;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// A table that was found within a text.
#[derive(Default)]
struct Block {
    /// Its rows, each with its line.
    rows: Rows,
    /// What it is called by its own words, instead of by those above it.
    caption: Option<String>,
    /// How many lines of the text are before its end.
    end: usize,
}

/// The table of a form that begins with the line at this place of a text, if one does.
type DrawnForm = fn(&[&str], usize, &mut Extent) -> Result<Option<Block>, Message>;

const FORMS: &[DrawnForm] = &[
    mediawiki::read,
    asciidoc::read,
    latex::read,
    rest::read,
    mermaid::read,
    records::read,
    yaml::read,
    ruled::read,
    piped::read,
    frames::read,
];

/// The deepest heading.
const DEEPEST_HEADING: usize = 6;
/// A longer line above a table is a sentence, and not what it is called.
const LONGEST_CAPTION: usize = 60;
/// At most this much of a heading is kept, by which each table below it is called.
const LONGEST_HEADING: usize = 200;

/// The tables within a text.
pub fn tables(text: &str) -> Result<Vec<RawTable>, Message> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut all, mut at, mut above, mut extent) = (Vec::new(), 0, HeadingsAbove::default(), Extent::default());
    let mut titles = Vec::new();
    // Texts that call their first table by words above it call all tables so, and those in which a table stands below the last of such words.
    let last = lines.iter().rposition(|line| caption::is_label(line.trim()));
    let mut is_below = last.is_none_or(|last| !lines[last + 1..].iter().any(|line| is_of_table(line)));
    'lines: while at < lines.len() {
        let forms = if may_begin(&lines, at) { FORMS } else { &[] };
        for form in forms {
            let Some(block) = form(&lines, at, &mut extent)? else { continue };
            if all.len() == MOST_TABLES {
                return Err(msg!("published-too-many-tables", most = MOST_TABLES));
            }
            if let Some(words) = block.caption {
                above.words = short(words.trim(), LONGEST_HEADING);
            }
            is_below &= !(all.is_empty() && above.is_labelled);
            at = block.end.max(at + 1);
            let (mut caption, mut note) = (above.caption(), None);
            if let Some((line, words)) = below(&lines, at, is_below) {
                note = caption::is_of_rate(words).then_some(words);
                caption = if caption.is_empty() { words.to_owned() } else { format!("{caption}: {words}") };
                at = line + 1;
            }
            titles.push(above.title.iter().cloned().collect());
            all.push(RawTable { caption, rows: block.rows, ..RawTable::default() });
            note.into_iter().for_each(|words| of_all(&mut all, words));
            continue 'lines;
        }
        above.take(lines[at].trim());
        at += 1;
    }
    raw_table::tell_apart(&mut all, &titles);
    Ok(all)
}

/// What a line below the last table says of its rate is also that of those above it with the same columns: `All values are QPS`.
fn of_all(tables: &mut [RawTable], note: &str) {
    let Some((last, above)) = tables.split_last_mut() else { return };
    let head = |table: &RawTable| table.rows.first().map(|(_, cells)| cells.clone());
    let is_open = |table: &RawTable| caption::of_caption(&table.caption).is_none() && head(table) == head(last);
    for table in above.iter_mut().filter(|table| is_open(table)) {
        table.caption = if table.caption.is_empty() { note.to_owned() } else { format!("{}: {note}", table.caption) };
    }
}

/// Whether a line has several cells between bars, or is the frame of a table.
fn is_of_table(line: &str) -> bool {
    line.matches('|').count() > 1 || line.trim_start().starts_with("{|") || piped::is_border(line.trim())
}

/// The line below a table that says what it is, with its words: `Table 1: QPS`, `Unit: ms`.
fn below<'t>(lines: &[&'t str], end: usize, may_be_label: bool) -> Option<(usize, &'t str)> {
    let at = (end..lines.len().min(end + 2)).find(|at| !lines[*at].trim().is_empty())?;
    let line = lines[at].trim();
    let is_unit = caption::is_of_unit(line);
    // A note directly above another table is one of that.
    let next = (at + 1..lines.len()).find(|at| !lines[*at].trim().is_empty());
    let is_before_table = next.is_some_and(|next| is_of_table(lines[next]));
    let is_of_next = is_unit && at > end && is_before_table;
    let is_label = caption::is_label(line) && (may_be_label || !is_before_table);
    let is_rate = !is_before_table && caption::is_of_rate(line);
    let is_caption = is_label || is_rate || (is_unit && !is_of_next);
    is_caption.then(|| (at, caption::without_label(line).trim_matches(['*', '_'])))
}

/// Whether a table of any form may begin with this line: most lines of a large file are told by their first characters.
fn may_begin(lines: &[&str], at: usize) -> bool {
    let first = |line: &str| line.trim_start().bytes().next();
    let is_rule = |line: Option<&&str>| matches!(line.and_then(|line| first(line)), Some(b'-' | b'='));
    matches!(first(lines[at]), Some(b'-' | b'=' | b'{' | b'+' | b'*' | b'^' | b':' | b'.' | b'x'))
        || is_rule(lines.get(at + 1))
        || lines[at].bytes().any(|byte| matches!(byte, b'|' | b'\\'))
        || frames::may_begin(lines, at)
}

/// What stands above a table: the headings that it is below, and the last line of text.
#[derive(Default)]
struct HeadingsAbove {
    headings: Vec<(usize, String)>,
    /// The last heading of the first level, which is no comment within a block of code, and whether such a block is open.
    title: Option<String>,
    in_code: bool,
    words: String,
    /// Whether the words are what a table is called: `Table 1: …`.
    is_labelled: bool,
}

impl HeadingsAbove {
    fn take(&mut self, line: &str) {
        self.in_code ^= line.starts_with("```");
        // A title of reStructuredText, with options below it.
        if let Some(title) = line.strip_prefix(".. table::") {
            title.trim().clone_into(&mut self.words);
            return;
        }
        if [":widths:", ":width:", ":align:", ":name:", ":class:"].iter().any(|option| line.starts_with(option)) {
            return;
        }
        // The line below a heading has no words.
        if line.starts_with("```") || !line.contains(char::is_alphanumeric) || is_directive(line) {
            return;
        }
        let (level, text) = heading(line);
        let linked = text.contains("](").then(|| piped::without_links(text));
        let text = without_settings(linked.as_deref().unwrap_or(text));
        let text = text.trim_start_matches(['#', '>', ' ']).trim_matches(['*', '_']).trim().to_owned();
        self.words.clear();
        self.is_labelled = level == 0 && caption::is_label(&text);
        match level {
            0 if self.is_labelled => caption::without_label(&text).clone_into(&mut self.words),
            0 if text.chars().count() <= LONGEST_CAPTION => self.words = text,
            0 => {}
            // More signs are text.
            level if level > DEEPEST_HEADING => {}
            level => {
                let text = short(&text, LONGEST_HEADING);
                if level == 1 && !self.in_code {
                    self.title = Some(text.clone());
                }
                self.headings.retain(|(of, _)| *of < level);
                self.headings.push((level, text));
            }
        }
    }

    /// The title of the whole text says nothing about one of its tables, unless nothing else does.
    fn caption(&mut self) -> String {
        let words = std::mem::take(&mut self.words);
        self.is_labelled = false;
        let below_title = self.headings.iter().filter(|(level, _)| *level > 1).map(|(_, text)| text.clone());
        let parts: Vec<String> = below_title.chain([words]).filter(|part| !part.is_empty()).collect();
        match (parts.is_empty(), self.headings.last()) {
            (true, Some((_, title))) => title.clone(),
            _ => parts.join(": "),
        }
    }
}

/// The words above a table without the names of settings in marks of code that have the word for a figure in them: `` `min-blob-size` ``.
fn without_settings(text: &str) -> Cow<'_, str> {
    const MARK: char = '`';
    let is_setting = |part: &str| {
        let is_figure = matches!(heading::read(part), HeadingMeaning::Figure(_, _, Some(_)));
        part.contains(['-', '_']) && (is_figure || heading::read(part) == HeadingMeaning::Named(STATISTIC))
    };
    let parts: Vec<&str> = text.split(MARK).collect();
    if parts.len() < 3 || parts.len().is_multiple_of(2) || !parts.iter().skip(1).step_by(2).any(|part| is_setting(part))
    {
        return Cow::Borrowed(text);
    }
    let is_out = |at: usize| at % 2 == 1 && is_setting(parts[at]);
    let rest: String = (0..parts.len()).filter(|at| !is_out(*at)).map(|at| parts[at]).collect();
    // The name alone is what the table is called.
    if rest.contains(char::is_alphanumeric) { Cow::Owned(rest) } else { Cow::Borrowed(text) }
}

/// The level of a heading and its text: `## Markdown`, `== AsciiDoc and wikis ==`, `h2. Jira`, `\section{LaTeX}`. Other text has
/// level 0.
fn heading(line: &str) -> (usize, &str) {
    let signs = |sign: char| line.len() - line.trim_start_matches(sign).len();
    let of_latex = |name: &str| line.strip_prefix(name)?.split_once('{')?.1.split_once('}').map(|(text, _)| text);
    let jira = line.strip_prefix('h').and_then(|rest| rest.split_once(". ")).and_then(|(level, text)| {
        let level: usize = level.parse().ok()?;
        (1..=DEEPEST_HEADING).contains(&level).then_some((level, text))
    });
    let latex = [("\\section", 1), ("\\subsection", 2), ("\\subsubsection", 3)];
    match signs('#') {
        0 => {}
        level => return (level, line),
    }
    let equals = signs('=');
    if equals > 0 && line[equals..].starts_with(' ') || equals > 1 && line.ends_with('=') {
        return (equals, line.trim_matches('='));
    }
    let latex = latex.iter().find_map(|(name, level)| Some((*level, of_latex(name)?)));
    jira.or(latex).unwrap_or((0, line))
}

/// Lines that tell how a table looks: `[cols="1,1"]` of AsciiDoc, `#+ATTR_HTML:` of Org, `\centering` of LaTeX, `.. table::` of
/// reStructuredText.
fn is_directive(line: &str) -> bool {
    let of_org = line.strip_prefix("#+").is_some_and(|rest| !rest.to_ascii_lowercase().starts_with("caption"));
    let of_latex = line.starts_with('\\') && !line.starts_with("\\section") && !line.starts_with("\\sub");
    of_org || of_latex || (line.starts_with('[') && line.ends_with(']')) || line.starts_with(".. ")
}
