//! The sentences of a text, and their words and numbers.

use crate::heading;
use crate::scale;
use crate::words::{half_width, is_among};

/// A longer sentence has more than figures.
const LONGEST: usize = 600;
/// The longest word of a language without blanks.
const LONGEST_WORD: usize = 12;

/// A sentence.
pub struct Sentence {
    /// The line in which it begins, from 1.
    pub line: u64,
    /// Its text.
    pub text: String,
    /// Its words.
    pub tokens: Vec<Token>,
}

/// A word, number or sign.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Word(String),
    Number(Number),
    Separator,
    /// A sign that may mean anything: `%`, a range.
    Other,
}

/// A number of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// As it is written.
    pub written: String,
    /// Without separators of thousands.
    pub text: String,
    /// Whether it may be a thousand times as much in another language: `12.345`.
    is_open: bool,
}

impl Number {
    fn new(written: &str, sign: &str, scale: &str) -> Option<Number> {
        let (whole, places) = written.split_once('.').unwrap_or((written, ""));
        let groups: Vec<&str> = whole.split(',').collect();
        let is_grouped = groups.len() == 1
            || ((1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3));
        let is_open = places.len() == 3 && groups.len() == 1 && whole.len() <= 3 && whole != "0" && scale.is_empty();
        let text = format!("{sign}{}{scale}", written.replace(',', ""));
        is_grouped.then(|| Number { written: format!("{written}{scale}"), text, is_open })
    }

    /// The number, unless it may be another one.
    pub fn exactly(&self) -> Option<String> {
        let dots = self.text.matches('.').count();
        (!self.is_open && dots < 2).then(|| self.text.clone())
    }

    /// Whether it counts something.
    pub fn is_whole(&self) -> bool {
        !self.is_open && self.text.bytes().all(|b| b.is_ascii_digit())
    }

    /// Whether it may be that of a version: `8.0.36`.
    pub fn is_version(&self) -> bool {
        let first = self.written.split('.').next().unwrap_or("");
        self.written == self.text && first.len() <= 2 && self.written.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    }
}

/// The sentences of a text. Lines of a paragraph are one text; items of lists and headings are sentences of their own.
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut all = Vec::new();
    let mut paragraph: Vec<(u64, &str)> = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        let is_item = trimmed.starts_with(['-', '*', '+', '#', '•', '\u{30fb}', '>']);
        if trimmed.is_empty() || is_item {
            end_paragraph(&mut paragraph, &mut all);
        }
        if !trimmed.is_empty() {
            paragraph.push((n as u64 + 1, trimmed.trim_start_matches(['-', '*', '+', '#', '•', '\u{30fb}', '>', ' '])));
        }
    }
    end_paragraph(&mut paragraph, &mut all);
    all
}

fn end_paragraph(paragraph: &mut Vec<(u64, &str)>, all: &mut Vec<Sentence>) {
    let mut now: Option<(u64, String)> = None;
    let mut end = |now: &mut Option<(u64, String)>| {
        if let Some((line, text)) = now.take()
            && text.len() <= LONGEST
            && text.contains(char::is_numeric)
        {
            // Words in bold are words.
            let tokens = tokens(&text.replace("**", ""));
            all.push(Sentence { line, text, tokens });
        }
    };
    for (line, text) in paragraph.drain(..) {
        let mut rest = text;
        while !rest.is_empty() {
            let (part, after, is_end) = up_to_end(rest);
            let (_, text) = now.get_or_insert_with(|| (line, String::new()));
            if !text.is_empty() {
                // Lines that begin as a statement of their own does are separated as by a comma.
                text.push_str(if part.starts_with(char::is_uppercase) { "; " } else { " " });
            }
            text.push_str(part.trim());
            if is_end {
                end(&mut now);
            }
            rest = after.trim_start();
        }
    }
    end(&mut now);
}

/// The text up to the end of its first sentence, what is behind it, and whether it ends there.
fn up_to_end(text: &str) -> (&str, &str, bool) {
    let ends = text.char_indices().find(|(at, c)| {
        let after = text[at + c.len_utf8()..].chars().next();
        "。！？".contains(*c) || (".!?".contains(*c) && after.is_none_or(char::is_whitespace))
    });
    match ends {
        Some((at, c)) => (&text[..at], &text[at + c.len_utf8()..], true),
        None => (text, "", false),
    }
}

/// The words and numbers of a sentence.
pub fn tokens(text: &str) -> Vec<Token> {
    let text = half_width(text);
    let mut all = Vec::new();
    let mut rest = text.as_str();
    let mut sign = "";
    while let Some(c) = rest.chars().next() {
        let about = std::mem::take(&mut sign);
        let length = match c {
            c if c.is_ascii_digit() => number(rest, about, &mut all),
            c if c.is_ascii_alphabetic() || c == 'µ' || c == 'μ' => word(rest, &mut all),
            '~' | '≈' => {
                sign = "~";
                c.len_utf8()
            }
            ',' | ';' | '、' | '(' | ')' => {
                all.push(Token::Separator);
                c.len_utf8()
            }
            // `900 TPS / 5 ms`.
            '/' if rest[1..].starts_with(' ') => {
                all.push(Token::Separator);
                1
            }
            // These only stand between other words.
            c if c.is_whitespace() || ":=*_`\"'".contains(c) => c.len_utf8(),
            c if c.is_alphabetic() => other_script(rest, &mut all),
            c => {
                all.push(Token::Other);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    all
}

/// The word of a scale that a text begins with: `million`.
fn scale_at(text: &str) -> Option<&str> {
    let is_ascii = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let end = text.find(|c: char| !c.is_alphabetic() || c.is_ascii() != is_ascii).unwrap_or(text.len());
    // Other scripts have no blanks between words.
    let first = if is_ascii { end } else { text.chars().next().map_or(0, char::len_utf8) };
    [end, first].into_iter().map(|end| &text[..end]).find(|word| scale::of_word(&word.to_lowercase()).is_some())
}

/// Takes a number with what is written in one with it: `12k`, `64threads`, `95th`.
fn number(text: &str, sign: &str, all: &mut Vec<Token>) -> usize {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(text.len());
    let end = text[..end].trim_end_matches([',', '.']).len();
    let letters = text[end..].find(|c: char| !c.is_ascii_alphabetic()).map_or(text.len(), |at| end + at);
    let (written, behind) = (&text[..end], &text[end..letters]);
    let after = text[end..].trim_start();
    let scale = scale_at(after);
    let taken = match behind {
        "k" | "K" => Number::new(written, sign, "k").map(|number| (Token::Number(number), letters)),
        // Of minutes the letter is a small one.
        "M" => Number::new(written, sign, "M").map(|number| (Token::Number(number), letters)),
        _ if let Some(scale) = scale => {
            let length = text.len() - after.len() + scale.len();
            Number::new(written, sign, &format!(" {scale}")).map(|number| (Token::Number(number), length))
        }
        "th" | "st" | "nd" | "rd" => Some((Token::Word(text[..letters].to_owned()), letters)),
        _ => Number::new(written, sign, "").map(|number| (Token::Number(number), end)),
    };
    let (token, length) = taken.unwrap_or((Token::Other, end));
    all.push(token);
    length
}

/// Takes a word with its digits: `p99.9`, `queries/s`, `oltp_read_only`.
fn word(text: &str, all: &mut Vec<Token>) -> usize {
    let is_part = |at: usize, c: char| {
        let after = text[at + c.len_utf8()..].chars().next();
        c.is_ascii_alphanumeric()
            || "µμ_".contains(c)
            || (c == '.' && after.is_some_and(|c| c.is_ascii_digit()))
            || ("/-".contains(c) && after.is_some_and(|c| c.is_ascii_alphanumeric()))
    };
    let end = text.char_indices().find(|(at, c)| !is_part(*at, *c)).map_or(text.len(), |(at, _)| at);
    all.push(Token::Word(text[..end].trim_end_matches('_').to_owned()));
    end
}

/// Takes the letters of another script, which are one word, or several without blanks between them.
fn other_script(text: &str, all: &mut Vec<Token>) -> usize {
    let end = text.find(|c: char| c.is_ascii() || !c.is_alphabetic() && c != '\u{30fc}').unwrap_or(text.len());
    let mut rest = &text[..end];
    while !rest.is_empty() {
        let ends: Vec<usize> = rest.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST_WORD).collect();
        let known = ends.iter().rev().find(|end| is_known(&rest[..**end]));
        let Some(end) = known else {
            all.push(Token::Other);
            break;
        };
        all.push(Token::Word(rest[..*end].to_owned()));
        rest = &rest[*end..];
    }
    end
}

fn is_known(word: &str) -> bool {
    let is_figure = || heading::read(word) != heading::HeadingMeaning::Unknown;
    let is_unit = || crate::words::unit(&[word.to_owned()]).is_some();
    ["of-sentence", "of-clause", "of-product"].iter().any(|of| is_among(word, of)) || is_unit() || is_figure()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_one_text() {
        let shown = |text: &str| {
            sentences(text).into_iter().map(|s| format!("{}: {}", s.line, s.text)).collect::<Vec<_>>().join(" / ")
        };
        assert_eq!(shown("# A1\nb 8.0 is\nc. D2! No\n\n- e3\n- f4\n"), "1: A1 b 8.0 is c / 3: D2 / 5: e3 / 6: f4");
        assert_eq!(shown("甲1。乙２"), "1: 甲1 / 1: 乙２");
        assert_eq!(shown("MySQL 8\nMariaDB 10\n"), "1: MySQL 8; MariaDB 10");
        assert_eq!(shown(&"a1".repeat(5000)), "");
    }
}
