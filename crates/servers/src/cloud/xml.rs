//! The XML of answers, looked at before it is parsed: an answer of AWS is a shallow tree with a namespace at its root, and the parser's
//! time grows with the square of what other trees have.

use roxmltree::{Document, ParsingOptions};

/// Elements and texts of an answer: some eight for each of hundreds of parameters.
const MOST_NODES: u32 = 200_000;
/// Attributes of an element.
const MOST_ATTRIBUTES: usize = 16;
/// Elements around an element.
const DEEPEST: usize = 64;
/// Namespaces that are declared in the whole answer.
const MOST_NAMESPACES: usize = 16;

/// The tree of a text. The error says why there is none.
pub fn parse(text: &str) -> Result<Document<'_>, String> {
    is_plain(text)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| error.to_string())
}

/// Whether a text is no other tree than one of AWS, as far as tags show.
fn is_plain(text: &str) -> Result<(), String> {
    let (mut depth, mut namespaces) = (0_usize, 0);
    for tag in Tags::of(text) {
        let attributes = Attributes::of(tag);
        namespaces += attributes.namespaces;
        if attributes.count > MOST_ATTRIBUTES {
            return Err(format!("an element has more than {MOST_ATTRIBUTES} attributes"));
        }
        if namespaces > MOST_NAMESPACES {
            return Err(format!("more than {MOST_NAMESPACES} namespaces"));
        }
        match (tag.starts_with('/'), tag.ends_with('/') || tag.starts_with(['?', '!'])) {
            (true, _) => depth = depth.saturating_sub(1),
            (false, true) => {}
            (false, false) => depth += 1,
        }
        if depth > DEEPEST {
            return Err(format!("elements are nested more than {DEEPEST} deep"));
        }
    }
    Ok(())
}

/// What is between `<` and `>`; inside of quotes `>` ends nothing.
struct Tags<'t> {
    rest: &'t str,
}

impl<'t> Tags<'t> {
    fn of(text: &'t str) -> Tags<'t> {
        Tags { rest: text }
    }
}

impl<'t> Iterator for Tags<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let begin = self.rest.find('<')? + 1;
        let within = &self.rest[begin..];
        let mut quote = None;
        let end = within.bytes().position(|byte| {
            match (quote, byte) {
                (None, b'>') => return true,
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), byte) if open == byte => quote = None,
                _ => {}
            }
            false
        });
        let end = end.unwrap_or(within.len());
        self.rest = &within[end..];
        Some(&within[..end])
    }
}

/// The attributes of a tag.
struct Attributes {
    count: usize,
    namespaces: usize,
}

impl Attributes {
    fn of(tag: &str) -> Attributes {
        let (mut count, mut quote) = (0, None);
        for byte in tag.bytes() {
            match (quote, byte) {
                (None, b'=') => count += 1,
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), byte) if open == byte => quote = None,
                _ => {}
            }
        }
        Attributes { count, namespaces: tag.matches("xmlns").count() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn answers_of_aws_are_parsed() {
        let text = "<?xml version=\"1.0\"?>\n<R xmlns=\"http://rds.amazonaws.com/doc/2014-10-31/\"><A b=\"x>y\" c='='/>\
                    <!-- a --><N>1 &lt; 2</N></R>";
        let tree = parse(text).unwrap();
        assert_eq!(tree.descendants().filter(|node| node.is_element()).count(), 3);
        assert_eq!(tree.descendants().find_map(|node| node.attribute("b")), Some("x>y"));
    }

    /// Each of these takes the parser minutes, or its stack.
    #[test]
    fn trees_too_large_for_an_answer_are_refused_before_they_are_parsed() {
        let numbered = |of: &dyn Fn(usize) -> String| {
            (0..300_000).fold(String::new(), |mut text, n| {
                let _ = write!(text, "{}", of(n));
                text
            })
        };
        for (text, why) in [
            (format!("<a {}/>", numbered(&|n| format!("b{n}='' "))), "attributes"),
            (format!("<a {}/>", numbered(&|n| format!("xmlns:b{n}='x{n}' "))), "attributes"),
            (numbered(&|n| format!("<a xmlns:b{n}='x{n}'>")), "namespaces"),
            ("<a>".repeat(300_000), "nested"),
            (format!("<a>{}</a>", "<b/>".repeat(300_000)), "nodes"),
            ("<!DOCTYPE a [<!ENTITY b 'bbb'>]><a>&b;</a>".to_owned(), "DTD"),
        ] {
            let start = std::time::Instant::now();
            let error = parse(&text).unwrap_err();
            assert!(error.to_lowercase().contains(&why.to_lowercase()), "{error}");
            assert!(start.elapsed().as_secs() < 20, "{why}: {:?}", start.elapsed());
        }
    }
}
