//! Reads recordings made before the catalogue, which contain only English texts: the message is looked up by its
//! English text, so that it is available in the other languages.

use crate::catalogue::{self, Element};
use crate::language::Language;
use crate::message::{Message, foreign};
use std::borrow::Cow;
use std::sync::OnceLock;

/// The message with this English text; `None` if it is not ours.
pub fn recognized(text: &str) -> Option<Message> {
    recognized_to(text, 2)
}

fn recognized_to(text: &str, deepest: usize) -> Option<Message> {
    let fits = |(id, pattern): &(&'static str, &'static [Element])| {
        let args = values(pattern, text)?.into_iter().map(|(name, value)| {
            // A server's message is not searched for our texts.
            let ours = NESTED.contains(&name) && deepest > 0;
            let nested = ours.then(|| recognized_to(value, deepest - 1)).flatten();
            // The description of what failed is always ours.
            if name == "doing" && nested.is_none() {
                return None;
            }
            Some((Cow::Borrowed(name), nested.unwrap_or_else(|| foreign(value))))
        });
        Some(Message::read((*id).to_owned(), args.collect::<Option<Vec<_>>>()?, text.to_owned()))
    };
    // `connecting to {dsn}` is only a part of a sentence, and would match too much.
    let (failures, others): (Vec<_>, Vec<_>) = patterns().iter().partition(|(id, _)| id.starts_with("failed"));
    failures.into_iter().chain(others).find_map(fits)
}

/// Arguments that are messages themselves.
const NESTED: &[&str] = &["unit", "doing", "why", "waited", "problem", "made_of"];

/// Areas that came when recordings held codes already: no older one has a problem of their words.
const LATER: &[&str] = &["answer", "page", "settings", "terminal", "tpcc_result"];

/// All messages with text, the longest first: of several that match, that is the most specific.
fn patterns() -> &'static [(&'static str, &'static [Element])] {
    static ALL: OnceLock<Vec<(&'static str, &'static [Element])>> = OnceLock::new();
    ALL.get_or_init(|| {
        let words = |pattern: &[Element]| -> usize {
            pattern.iter().map(|e| if let Element::Text(text) = e { text.len() } else { 0 }).sum()
        };
        let all = catalogue::all().iter().filter(|(_, entry)| !LATER.contains(&entry.area()));
        let all = all.map(|(id, entry)| (id.as_str(), entry.pattern(Language::English)));
        let mut all: Vec<_> = all.filter(|(_, pattern)| words(pattern) > 1).collect();
        all.sort_by_key(|(_, pattern)| std::cmp::Reverse(words(pattern)));
        all
    })
}

/// The values of the placeholders of a pattern, if the text matches it.
fn values<'t>(pattern: &'static [Element], text: &'t str) -> Option<Vec<(&'static str, &'t str)>> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let mut rest = text;
    let mut open: Option<&str> = None;
    for (n, element) in pattern.iter().enumerate() {
        match (element, open) {
            (Element::Text(words), None) => rest = rest.strip_prefix(words.as_str())?,
            (Element::Text(words), Some(name)) => {
                let last = n + 1 == pattern.len();
                let at = if last {
                    rest.ends_with(words.as_str()).then(|| rest.len() - words.len())
                } else {
                    rest.find(words.as_str())
                };
                let at = at?;
                take(&mut found, name, &rest[..at])?;
                rest = &rest[at + words.len()..];
                open = None;
            }
            // Two adjacent placeholders cannot be separated: the first gets nothing.
            (Element::Argument(name), before) => {
                if let Some(before) = before {
                    take(&mut found, before, "")?;
                }
                open = Some(name);
            }
            // No sentence that older recordings hold has one.
            (Element::Choice { .. }, _) => return None,
        }
    }
    match open {
        Some(name) => take(&mut found, name, rest)?,
        None => rest.is_empty().then_some(())?,
    }
    Some(found)
}

/// An argument that occurs twice has the same value.
fn take<'t>(found: &mut Vec<(&'static str, &'t str)>, name: &'static str, value: &'t str) -> Option<()> {
    match found.iter().find(|(n, _)| *n == name) {
        Some((_, same)) => (*same == value).then_some(()),
        None => {
            found.push((name, value));
            Some(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_found_with_what_stands_at_their_places() {
        let ja = |text: &str| recognized(text).map(|m| m.text(Language::Japanese));
        assert_eq!(
            ja("loaded 25,000 rows in 3 s (8,333 rows/s, 4 streams)").as_deref(),
            Some("25,000 行をロードしました(3 s、毎秒 8,333 行、4 並列)")
        );
        assert_eq!(ja("Table 'x' doesn't exist"), None);
        assert_eq!(ja("commits survive a power failure"), None, "no older recording has it as a problem");
        let failed = recognized("connecting to mysql://u@h/d failed: Access denied: yes").unwrap();
        assert_eq!(failed, "connecting to mysql://u@h/d failed: Access denied: yes");
        assert_eq!(failed.text(Language::Japanese), "mysql://u@h/d への接続に失敗しました: Access denied: yes");
    }
}
