//! The plan's text: where a complaint lies in it, what stands there, and what of it may be repeated.

use crate::dsn::conceal_line;
use crate::problem::Problem;
use std::ops::Range;

/// Everything wrong with a plan so far, and what is only worth a note.
pub struct Complaints<'a> {
    text: &'a str,
    found: Vec<(usize, Problem)>,
    notes: Vec<Problem>,
}

/// What is wrong with one key or value: half a sentence, and the way out when it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub what: String,
    pub mend: Option<String>,
}

/// A refusal and where it belongs.
pub type Placed = (Range<usize>, Refusal);

impl Refusal {
    pub fn new(what: impl Into<String>, mend: impl Into<String>) -> Refusal {
        Refusal { what: what.into(), mend: Some(mend.into()) }
    }

    /// For what is understood but cannot be done in this version.
    pub fn not_yet(thing: &str, why: &str, mend: &str) -> Refusal {
        Refusal::new(format!("not yet: {thing} ({why})"), mend)
    }
}

impl<'a> Complaints<'a> {
    pub fn about(text: &'a str) -> Self {
        Complaints { text, found: Vec::new(), notes: Vec::new() }
    }

    /// Takes down what is wrong at `span`, with its line as evidence.
    pub fn add(&mut self, span: Range<usize>, refusal: Refusal) {
        self.found.push((span.start, self.problem(span, refusal)));
    }

    /// Takes down what is only worth a note.
    pub fn note(&mut self, span: Range<usize>, refusal: Refusal) {
        self.notes.push(self.problem(span, refusal));
    }

    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// All complaints in the order of the text, or the notes when there are none.
    pub fn finish(mut self) -> Result<Vec<Problem>, Vec<Problem>> {
        if self.found.is_empty() {
            return Ok(self.notes);
        }
        self.found.sort_by_key(|(at, _)| *at);
        Err(self.found.into_iter().map(|(_, problem)| problem).collect())
    }

    fn problem(&self, span: Range<usize>, refusal: Refusal) -> Problem {
        placed(self.text, span, Problem { what: refusal.what, evidence: None, mend: refusal.mend })
    }
}

/// The problem with its line: first in its sentence, then as evidence.
pub fn placed(text: &str, span: Range<usize>, problem: Problem) -> Problem {
    let (line, column) = place(text, span.start);
    let seen = [problem.evidence, evidence(text, span)].into_iter().flatten().collect::<Vec<_>>().join("\n");
    Problem {
        what: format!("line {line}, column {column}: {}", problem.what),
        evidence: Some(seen).filter(|s| !s.is_empty()),
        mend: problem.mend,
    }
}

/// Line and column of a byte, both from 1, the column in characters.
pub fn place(text: &str, at: usize) -> (usize, usize) {
    let before = before(text, at);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The line a complaint lies in, with its number and a mark below; no password.
fn evidence(text: &str, span: Range<usize>) -> Option<String> {
    const WIDEST: usize = 100;
    let (number, column) = place(text, span.start);
    let line = text.lines().nth(number - 1)?.trim_end();
    if line.trim().is_empty() {
        return None;
    }
    let safe = conceal_line(line);
    let shown: String = safe.chars().take(WIDEST).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let marked = text.get(span).map_or(1, |s| s.lines().next().unwrap_or("").trim_end().chars().count().max(1));
    if safe != line || column > WIDEST {
        return Some(format!("{number} | {shown}"));
    }
    let gap = " ".repeat(number.to_string().len());
    let below = format!("{}{}", " ".repeat(column - 1), "^".repeat(marked.min(WIDEST + 1 - column)));
    Some(format!("{number} | {shown}\n{gap} | {below}"))
}

/// Where in the text a problem lies that was found without looking at it, told by the name or value in its sentence:
/// `… has no option "name"`, `… name cannot be "value"`, `there is no workload "value"`.
pub fn locate(text: &str, sentence: &str) -> Option<Range<usize>> {
    let quoted: Vec<&str> = sentence.split('"').skip(1).step_by(2).collect();
    let refused = sentence.split(" cannot be ").next().and_then(|before| before.split(' ').next_back());
    let refused = refused.filter(|_| sentence.contains(" cannot be "));
    let keys = refused.into_iter().chain(quoted.iter().copied());
    keys.filter_map(|name| {
        stands(text, name, |after| after.trim_start_matches(['"', '\'', ' ', '\t']).starts_with('='))
    })
    .next()
    .or_else(|| quoted.iter().find_map(|value| stands(text, value, |after| after.starts_with(['"', '\'']))))
}

/// The first place of a whole word that is no comment and is followed as `goes_on` wants.
fn stands(text: &str, word: &str, goes_on: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    // `-` and `_` are the same in names of options.
    let same = |c: char| if c == '-' { '_' } else { c };
    let (plain, wanted): (String, String) = (text.chars().map(same).collect(), word.chars().map(same).collect());
    if wanted.is_empty() {
        return None;
    }
    plain.match_indices(&wanted).map(|(at, found)| at..at + found.len()).find(|span| {
        let line = &text[text[..span.start].rfind('\n').map_or(0, |i| i + 1)..span.start];
        !line.contains('#')
            && !line.ends_with(part)
            && !text[span.end..].starts_with(part)
            && goes_on(&text[span.end..])
    })
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
        assert_eq!(place("名 = 1\nb", 3), (1, 2));
        assert_eq!(place("a\nbc", 3), (2, 2));
        assert_eq!(place("a", 99), (1, 2));
    }
}
