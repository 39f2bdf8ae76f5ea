//! The catalogue: every sentence and word that users read, in English and in Japanese.
//!
//! The message files are in `locales/<language>/<area>.ftl`, in the syntax of Project Fluent
//! (<https://projectfluent.org>), of which text, `{ $argument }`, `{ "text" }` and the choice by an argument's value
//! are used. `tests/tests/house/catalogue.rs` compares them with one another and with the sources.

use crate::language::Language;
use fluent_syntax::ast::{Entry as Item, Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use fluent_syntax::{parser, unicode};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A message in all languages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    area: &'static str,
    english: Vec<Element>,
    japanese: Vec<Element>,
    remedy: Option<String>,
    elsewhere: Vec<Element>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// Words.
    Text(String),
    /// The placeholder for the argument of this name.
    Argument(String),
    /// One of several patterns, by the value of an argument: `1 trial`, `5 trials`.
    Choice {
        /// The argument's name.
        argument: String,
        /// Its values, each with what is said then.
        variants: Vec<(String, Vec<Element>)>,
        /// What is said of all other values.
        otherwise: Vec<Element>,
    },
}

impl Entry {
    /// Texts and placeholders in this language; empty if the message is missing in it.
    pub fn pattern(&self, language: Language) -> &[Element] {
        match language {
            Language::English => &self.english,
            Language::Japanese => &self.japanese,
        }
    }

    /// The file that holds it, by its name without `.ftl`.
    pub fn area(&self) -> &'static str {
        self.area
    }

    /// Of a hint: what it resolves, the attribute `.remedy` of its English text ([`crate::remedy`]). Front ends of other tools
    /// replace the hint by it.
    pub fn remedy(&self) -> Option<&str> {
        self.remedy.as_deref()
    }

    /// Of a hint: its words for users of other tools, if they are others, the attribute `.elsewhere`; empty otherwise.
    pub fn elsewhere(&self) -> &[Element] {
        &self.elsewhere
    }

    /// The names of the arguments in this language.
    pub fn arguments(&self, language: Language) -> BTreeSet<&str> {
        let mut all = BTreeSet::new();
        arguments(self.pattern(language), &mut all);
        all
    }

    /// Whether these are its arguments.
    pub fn takes<'n>(&self, given: impl Iterator<Item = &'n str>) -> bool {
        given.collect::<BTreeSet<&str>>() == self.arguments(Language::English)
    }
}

fn arguments<'p>(pattern: &'p [Element], all: &mut BTreeSet<&'p str>) {
    for element in pattern {
        match element {
            Element::Text(_) => {}
            Element::Argument(name) => _ = all.insert(name),
            Element::Choice { argument, variants, otherwise } => {
                all.insert(argument);
                variants.iter().for_each(|(_, pattern)| arguments(pattern, all));
                arguments(otherwise, all);
            }
        }
    }
}

/// The message with this identifier.
pub fn entry(id: &str) -> Option<&'static Entry> {
    index().get(id).map(FileMessage::entry)
}

/// An identifier that was read, as the catalogue has it; nothing when it does not.
pub fn identifier(id: &str) -> Option<&'static str> {
    index().get_key_value(id).map(|(id, _)| *id)
}

/// All messages by their identifiers.
pub fn all() -> BTreeMap<&'static str, &'static Entry> {
    index().iter().map(|(id, place)| (*id, place.entry())).collect()
}

/// All messages of one file by their identifiers.
pub fn of_area(area: &str) -> BTreeMap<&'static str, &'static Entry> {
    let own = index().iter().filter(|(_, place)| place.area == area);
    own.map(|(id, place)| (*id, place.entry())).collect()
}

/// Where a message is. It is parsed when it is first needed: most programs need a few of thousands, and before they do anything else.
#[derive(Default)]
struct FileMessage {
    area: &'static str,
    english: &'static str,
    japanese: &'static str,
    parsed: OnceLock<Entry>,
}

impl FileMessage {
    fn entry(&self) -> &Entry {
        self.parsed.get_or_init(|| {
            let mut entry = Entry { area: self.area, ..Entry::default() };
            for message in read(self.english) {
                entry.english = message.pattern;
                for (name, pattern) in message.attributes {
                    match &*name {
                        "remedy" => entry.remedy = Some(plain(&pattern)),
                        _ => entry.elsewhere = pattern,
                    }
                }
            }
            entry.japanese =
                read(self.japanese).into_iter().next_back().map(|message| message.pattern).unwrap_or_default();
            entry
        })
    }
}

/// The places of all messages.
fn index() -> &'static BTreeMap<&'static str, FileMessage> {
    static INDEX: OnceLock<BTreeMap<&str, FileMessage>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut all = BTreeMap::<&str, FileMessage>::new();
        for (area, english, japanese) in AREAS {
            for (id, text) in messages(english) {
                let message = all.entry(id).or_default();
                (message.area, message.english) = (area, text);
            }
            for (id, text) in messages(japanese) {
                all.entry(id).or_default().japanese = text;
            }
        }
        all
    })
}

/// The messages of a file with their identifiers: each reaches from a line that begins with a letter to the next one that begins with one, or with
/// the `#` of a comment; what belongs to it is indented.
fn messages(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_start = |at: usize| file.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic);
    let is_next = move |at: usize| is_start(at) || file.as_bytes().get(at) == Some(&b'#');
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < file.len() {
            let start = at;
            at = line_after(file, at);
            if is_start(start) {
                while at < file.len() && !is_next(at) {
                    at = line_after(file, at);
                }
                let text = &file[start..at];
                return Some((text.split([' ', '=']).next().unwrap_or(""), text));
            }
        }
        None
    })
}

/// Where the next line begins.
fn line_after(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// A message of a file.
struct ReadMessage {
    pattern: Vec<Element>,
    attributes: Vec<(String, Vec<Element>)>,
}

/// The messages of a text; lines that cannot be read are skipped, and found by a test.
fn read(text: &str) -> Vec<ReadMessage> {
    let resource = parser::parse(text).unwrap_or_else(|(resource, _)| resource);
    let messages = resource.body.into_iter().filter_map(|item| match item {
        Item::Message(message) => {
            let attributes = message.attributes.into_iter();
            let attributes = attributes.map(|attribute| (attribute.id.name.to_owned(), elements(attribute.value)));
            let attributes = attributes.collect();
            Some(ReadMessage { pattern: elements(message.value?), attributes })
        }
        _ => None,
    });
    messages.collect()
}

/// The words of a pattern without arguments.
fn plain(pattern: &[Element]) -> String {
    fill(pattern, |_| String::new())
}

/// The text of a pattern, with a value for each argument.
pub fn fill(pattern: &[Element], value: impl Fn(&str) -> String) -> String {
    let part = |element: &Element| match element {
        Element::Text(text) => text.clone(),
        Element::Argument(name) => value(name),
        Element::Choice { .. } => String::new(),
    };
    pattern.iter().map(part).collect()
}

fn elements(pattern: Pattern<&str>) -> Vec<Element> {
    let element = |element: PatternElement<&str>| match element {
        PatternElement::TextElement { value } => Some(Element::Text(value.to_owned())),
        PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
            InlineExpression::VariableReference { id } => Some(Element::Argument(id.name.to_owned())),
            InlineExpression::StringLiteral { value } => {
                Some(Element::Text(unicode::unescape_unicode_to_string(value).into_owned()))
            }
            _ => None,
        },
        PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
            let InlineExpression::VariableReference { id } = selector else { return None };
            let (otherwise, variants): (Vec<_>, Vec<_>) = variants.into_iter().partition(|variant| variant.default);
            let variant = |variant: Variant<&str>| match variant.key {
                VariantKey::Identifier { name: key } | VariantKey::NumberLiteral { value: key } => {
                    (key.to_owned(), elements(variant.value))
                }
            };
            Some(Element::Choice {
                argument: id.name.to_owned(),
                variants: variants.into_iter().map(variant).collect(),
                otherwise: otherwise.into_iter().flat_map(|variant| elements(variant.value)).collect(),
            })
        }
    };
    pattern.elements.into_iter().filter_map(element).collect()
}

macro_rules! areas {
    ($($area:literal),* $(,)?) => {
        &[$((
            $area,
            include_str!(concat!("../locales/en/", $area, ".ftl")),
            include_str!(concat!("../locales/ja/", $area, ".ftl")),
        )),*]
    };
}

/// The message files: name, English, Japanese.
const AREAS: &[(&str, &str, &str)] = areas![
    "address",
    "answer",
    "cli",
    "described",
    "doctor",
    "driver",
    "engine",
    "golden",
    "host",
    "hosts",
    "lab",
    "page",
    "plan",
    "record",
    "recording",
    "script",
    "settings",
    "slap",
    "sql",
    "target",
    "tpcb",
    "terminal",
    "tpcc",
    "tpcc_result",
    "why",
    "workload",
    "audit",
    "published",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_is_found_where_it_is() {
        for (area, english, japanese) in AREAS {
            for (language, text) in [(Language::English, english), (Language::Japanese, japanese)] {
                let (whole, ids) = (read(text), messages(text).map(|(id, _)| id).collect::<Vec<_>>());
                assert_eq!(whole.len(), ids.len(), "{area}");
                for (message, id) in whole.iter().zip(ids) {
                    let entry = entry(id).expect("it is in the file");
                    assert_eq!((entry.area, entry.pattern(language)), (*area, &*message.pattern), "{id}");
                }
            }
        }
    }

    #[test]
    fn a_message_ends_where_the_next_one_or_a_comment_begins() {
        let file = "# about\na = one\n\nb =\n    two\n\n    lines\n    .remedy = x\n# more\nc = { $n ->\n    [1] one\n   *[other] many\n}\n";
        let messages: Vec<_> = messages(file).collect();
        assert_eq!(messages[0], ("a", "a = one\n\n"));
        assert_eq!(messages[1], ("b", "b =\n    two\n\n    lines\n    .remedy = x\n"));
        assert!(messages[2].0 == "c" && messages[2].1.ends_with("}\n"));
        assert_eq!(messages.len(), 3);
    }
}
