//! The text of a plan: positions of errors, the lines there, and what may be shown.

use super::spelling::option_name;
use crate::dsn::redact_line;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The maximum number of errors that are shown.
pub const MOST_SHOWN: usize = 100;

/// The errors in a plan so far, and notes. Line numbers are computed at the end, and only
/// for what is shown, so that the time to read a plan is linear in its length.
pub struct Diagnostics<'a> {
    text: &'a str,
    problems: Vec<(Range<usize>, Problem)>,
    added: BTreeSet<(usize, String)>,
    notes: Vec<(Range<usize>, Problem)>,
    stands: BTreeMap<Field, Vec<(String, Range<usize>)>>,
    /// Whether lines of the text were blanked out, so that missing keys may be in them.
    partial: bool,
}

/// A field that is checked outside of this crate: its part, its owner (the name of an experiment or data set), its
/// name.
pub type Field = (Part, String, String);

/// The parts of a plan with options of workloads and data sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `[experiment.load]` and `load.…` of its matrix.
    Load,
    /// `dataset.…` of an experiment's matrix.
    Varied,
    /// `[datasets.<name>]`
    Data,
}

/// An error in one key or value: a part of a sentence, and a hint if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub what: Message,
    pub hint: Option<Message>,
}

/// What reading the value of a key comes to.
pub type Outcome = Result<(), Diagnostic>;

/// An error and its position.
pub type Placed = (Range<usize>, Diagnostic);

impl Diagnostic {
    pub fn new(what: Message, hint: Message) -> Diagnostic {
        Diagnostic { what, hint: Some(hint) }
    }

    /// For what is valid but not supported in this version.
    pub fn not_yet(thing: Message, why: Message, hint: Message) -> Diagnostic {
        Diagnostic::new(msg!("not-yet", thing, why), hint)
    }

    fn problem(self) -> Problem {
        let problem = Problem::new(self.what);
        match self.hint {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }
}

impl<'a> Diagnostics<'a> {
    pub fn about(text: &'a str) -> Self {
        let (problems, added, notes, stands) = Default::default();
        Diagnostics { text, problems, added, notes, stands, partial: false }
    }

    /// For a text of which some lines could not be read.
    pub fn about_part_of(text: &'a str) -> Self {
        Diagnostics { partial: true, ..Diagnostics::about(text) }
    }

    /// Whether missing keys may be in a line that could not be read.
    pub fn partial(&self) -> bool {
        self.partial
    }

    /// Adds that something is missing.
    pub fn missing(&mut self, span: Range<usize>, refusal: Diagnostic) {
        if !self.partial {
            self.add(span, refusal);
        }
    }

    /// Records the position of a field with this value.
    pub fn stands(&mut self, field: Field, value: String, span: Range<usize>) {
        self.stands.entry(field).or_default().push((value, span));
    }

    /// The position of a field with this value, or of the field.
    pub fn find(&self, field: &Field, value: Option<&str>) -> Option<Range<usize>> {
        let all = self.stands.get(field)?;
        let same = all.iter().find(|(written, _)| Some(written.as_str()) == value);
        same.or(all.first()).map(|(_, span)| span.clone())
    }

    /// The position of the field of this owner that a message is about: of the option that it names, of a field with a name
    /// that it quotes, or of a value that it quotes.
    pub fn find_named(&self, (part, owner): (Part, &str), sentence: &Message) -> Option<Range<usize>> {
        let option = sentence.arg("option").map(|name| name.english().trim_matches('"'));
        let quoted = sentence.args().iter().filter_map(|(_, value)| value.strip_prefix('"')?.strip_suffix('"'));
        let quoted: Vec<&str> = quoted.collect();
        let names = option.into_iter().chain(quoted.iter().copied());
        let field = |name: &str| self.find(&(part, owner.to_owned(), option_name(name)), None);
        names.map(field).find(Option::is_some).flatten().or_else(|| {
            let own = self.stands.iter().filter(|((of, whose, _), _)| *of == part && whose == owner);
            let mut values = own.flat_map(|(_, values)| values);
            let file = sentence.arg("script").or(sentence.arg("file")).map(|file| file.english().to_owned());
            let is_meant =
                |value: &str| quoted.contains(&value) || (!value.is_empty() && file.as_deref() == Some(value));
            values.find(|(value, _)| is_meant(value)).map(|(_, span)| span.clone())
        })
    }

    /// The first field of this owner.
    pub fn find_first(&self, (part, owner): (Part, &str)) -> Option<Range<usize>> {
        let own = self.stands.iter().filter(|((of, whose, _), _)| *of == part && whose == owner);
        own.flat_map(|(_, values)| values).map(|(_, span)| span.clone()).min_by_key(|span| span.start)
    }

    /// The text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Adds an error at `span`; its line becomes the evidence. Equal errors at the same position are added once.
    pub fn add(&mut self, span: Range<usize>, refusal: Diagnostic) {
        self.add_problem(span, refusal.problem());
    }

    /// The same for errors found outside of this crate.
    pub fn add_problem(&mut self, span: Range<usize>, problem: Problem) {
        if self.added.insert((span.start, problem.what.english().to_owned())) {
            self.problems.push((span, problem));
        }
    }

    /// Adds a note.
    pub fn note(&mut self, span: Range<usize>, refusal: Diagnostic) {
        self.notes.push((span, refusal.problem()));
    }

    pub fn count(&self) -> usize {
        self.problems.len()
    }

    /// Takes over the errors and positions of another reading of the same text.
    pub fn take_over(&mut self, other: Diagnostics<'_>) {
        other.problems.into_iter().for_each(|(span, problem)| self.add_problem(span, problem));
        self.stands.extend(other.stands);
    }

    /// All errors, with what was typed for the keys of their lines; notes as for a plan.
    pub fn finish_typed(mut self, typed: &BTreeMap<String, String>) -> Result<(), Vec<Problem>> {
        if self.problems.is_empty() {
            return Ok(());
        }
        self.problems.sort_by_key(|(span, _)| span.start);
        let problem = |(span, problem): (Range<usize>, Problem)| {
            let before = before(self.text, span.start);
            let line = &self.text[before.rfind('\n').map_or(0, |i| i + 1)..];
            let of_line = line.split(" = ").next().and_then(|key| typed.get(key));
            // A contradiction stands at the whole experiment, and its hint says which key is meant.
            let of_hint = || problem.hint.as_ref().and_then(|hint| typed.get(hint.arg("key")?.english()));
            let option = of_line.or_else(of_hint);
            let evidence = lines(problem.evidence.into_iter().chain(option.map(foreign)));
            Problem { evidence, hint: problem.hint.map(|hint| as_typed(hint, option)), ..problem }
        };
        Err(self.problems.into_iter().take(MOST_SHOWN).map(problem).collect())
    }

    /// All errors in the order of the text, or the notes if there are none.
    pub fn finish(mut self) -> Result<Vec<Problem>, Vec<Problem>> {
        let text = self.text;
        if self.problems.is_empty() {
            self.notes.sort_by_key(|(span, _)| span.start);
            return Ok(shown(text, self.notes, |more| msg!("and-more-notes", more, most = MOST_SHOWN)));
        }
        self.problems.sort_by_key(|(span, _)| span.start);
        Err(shown(text, self.problems, |more| msg!("and-more-mistakes", more, most = MOST_SHOWN)))
    }
}

/// Converts the hint `write key = "value"` to an option of the command line with that value.
fn as_typed(hint: Message, option: Option<&String>) -> Message {
    let name = option.and_then(|typed| typed.split(' ').next()).filter(|name| name.starts_with("--"));
    let value = hint.arg("value").map(|value| value.english().trim_matches('"').to_owned());
    match (name, value) {
        (Some(name), Some(value)) if WRITES.iter().any(|id| hint.is(id)) && !value.contains(' ') => {
            foreign(format_args!("{name} {value}"))
        }
        _ => hint,
    }
}

/// Hints that suggest another value for a key.
const WRITES: [&str; 2] = ["write-key", "write-key-for-example"];

/// Joins parts of the evidence, each on separate lines.
fn lines(parts: impl IntoIterator<Item = Message>) -> Option<Message> {
    let parts: Vec<Message> = parts.into_iter().collect();
    (!parts.is_empty()).then(|| Message::joined(parts, "\n"))
}

/// The first of them with their lines, and the number of others.
fn shown(text: &str, mut all: Vec<(Range<usize>, Problem)>, others: fn(usize) -> Message) -> Vec<Problem> {
    let more = all.len().saturating_sub(MOST_SHOWN);
    all.truncate(MOST_SHOWN);
    let mut cursor = Cursor::new(text);
    let mut shown: Vec<Problem> = all.into_iter().map(|(span, problem)| cursor.placed(span, problem)).collect();
    if more > 0 {
        shown.push(Problem::new(others(more)).hint(msg!("correct-and-look-again")));
    }
    shown
}

/// Goes through a text from error to error, so that no line is counted or redacted twice.
struct Cursor<'a> {
    text: &'a str,
    /// The current line: its number from 1, its first byte, and its text without passwords.
    number: usize,
    start: usize,
    safe: String,
    /// A byte of that line, and the number of characters before it.
    at: usize,
    before: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Cursor { text, number: 1, start: 0, safe: redact_line(line_at(text, 0)), at: 0, before: 0 }
    }

    /// Moves to a byte, which must not be before the last one, and returns its line and column.
    fn go(&mut self, to: usize) -> (usize, usize) {
        let skipped = before(self.text, to).get(self.start..).unwrap_or_default();
        if let Some(end) = skipped.rfind('\n') {
            self.number += skipped.bytes().filter(|b| *b == b'\n').count();
            self.start += end + 1;
            self.safe = redact_line(line_at(self.text, self.start));
            (self.at, self.before) = (self.start, 0);
        }
        let more = before(self.text, to).get(self.at..).unwrap_or_default();
        (self.at, self.before) = (self.at + more.len(), self.before + more.chars().count());
        (self.number, self.before + 1)
    }

    /// The problem with its line number, and the line as evidence.
    fn placed(&mut self, span: Range<usize>, problem: Problem) -> Problem {
        let (line, column) = self.go(span.start);
        let evidence = lines(problem.evidence.into_iter().chain(self.evidence(span, column).map(foreign)));
        Problem { what: msg!("at-line", line, column, what = problem.what), evidence, hint: problem.hint }
    }

    /// The line of an error, with its number and a marker below; without passwords.
    fn evidence(&self, span: Range<usize>, column: usize) -> Option<String> {
        const WIDEST: usize = 100;
        let (number, line) = (self.number, line_at(self.text, self.start));
        if line.is_empty() {
            return None;
        }
        let shown: String = self.safe.chars().take(WIDEST).map(|c| if c == '\t' { ' ' } else { c }).collect();
        if column > WIDEST || self.safe != line {
            return Some(format!("{number} | {shown}"));
        }
        let marked = self.text.get(span).and_then(|s| s.lines().next()).unwrap_or_default();
        let marked = marked.trim_end().chars().take(WIDEST).count().max(1);
        let gap = " ".repeat(number.to_string().len());
        let below = format!("{}{}", " ".repeat(column - 1), "^".repeat(marked.min(WIDEST + 1 - column)));
        Some(format!("{number} | {shown}\n{gap} | {below}"))
    }
}

/// The line that starts here; empty if it is blank.
fn line_at(text: &str, start: usize) -> &str {
    text[start..].split('\n').next().unwrap_or_default().trim_end()
}

/// The line of a position, with its number and without passwords.
pub fn numbered_line(text: &str, at: usize) -> Message {
    let mut cursor = Cursor::new(text);
    let (line, _) = cursor.go(at);
    msg!("line-of-plan", line, text = foreign(&cursor.safe))
}

fn before(text: &str, at: usize) -> &str {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    &text[..at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        let mut cursor = Cursor::new("名 = 1\nb\n\nbc");
        let places = [0, 3, 5, 7, 8, 9, 10, 12, 99].map(|at| cursor.go(at));
        let wanted = [(1, 1), (1, 2), (1, 4), (1, 6), (2, 1), (2, 2), (3, 1), (4, 2), (4, 3)];
        assert_eq!(places, wanted);
    }
}
