//! The message catalogue: all texts of problems, in English and in Japanese.
//!
//! The message files are in `locales/<language>/<area>.ftl`, in the syntax of Project Fluent (<https://projectfluent.org>), of
//! which text, `{ $argument }` and `{ "text" }` are used. `tests/tests/house/catalogue.rs` compares them with one another and with the sources.

use crate::answer::Language;
use fluent_syntax::ast::{Entry as Item, Expression, InlineExpression, PatternElement};
use fluent_syntax::{parser, unicode};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A message in all languages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    english: Vec<Element>,
    japanese: Vec<Element>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// Words.
    Text(String),
    /// The placeholder for the argument of this name.
    Argument(String),
}

impl Entry {
    /// Texts and placeholders in this language; empty if the message is missing in it.
    pub fn pattern(&self, language: Language) -> &[Element] {
        match language {
            Language::English => &self.english,
            Language::Japanese => &self.japanese,
        }
    }

    /// The names of the arguments in this language.
    pub fn arguments(&self, language: Language) -> BTreeSet<&str> {
        let elements = self.pattern(language).iter();
        elements.filter_map(|e| if let Element::Argument(name) = e { Some(name.as_str()) } else { None }).collect()
    }

    /// Whether these are its arguments.
    pub fn takes<'n>(&self, given: impl Iterator<Item = &'n str>) -> bool {
        given.collect::<BTreeSet<&str>>() == self.arguments(Language::English)
    }
}

/// The message with this identifier.
pub fn entry(id: &str) -> Option<&'static Entry> {
    all().get(id)
}

/// All messages by their identifiers.
pub fn all() -> &'static BTreeMap<String, Entry> {
    static ALL: OnceLock<BTreeMap<String, Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = BTreeMap::<String, Entry>::new();
        for (english, japanese) in AREAS {
            for (id, pattern) in read(english) {
                all.entry(id).or_default().english = pattern;
            }
            for (id, pattern) in read(japanese) {
                all.entry(id).or_default().japanese = pattern;
            }
        }
        all
    })
}

/// The messages of one file; lines that cannot be read are skipped, and found by a test.
fn read(text: &str) -> Vec<(String, Vec<Element>)> {
    let resource = parser::parse(text).unwrap_or_else(|(resource, _)| resource);
    let messages = resource.body.into_iter().filter_map(|item| match item {
        Item::Message(message) => Some((message.id.name.to_owned(), message.value?)),
        _ => None,
    });
    let element = |element: PatternElement<&str>| match element {
        PatternElement::TextElement { value } => Some(Element::Text(value.to_owned())),
        PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
            InlineExpression::VariableReference { id } => Some(Element::Argument(id.name.to_owned())),
            InlineExpression::StringLiteral { value } => {
                Some(Element::Text(unicode::unescape_unicode_to_string(value).into_owned()))
            }
            _ => None,
        },
        PatternElement::Placeable { .. } => None,
    };
    messages.map(|(id, pattern)| (id, pattern.elements.into_iter().filter_map(element).collect())).collect()
}

macro_rules! areas {
    ($($area:literal),* $(,)?) => {
        &[$((
            include_str!(concat!("../locales/en/", $area, ".ftl")),
            include_str!(concat!("../locales/ja/", $area, ".ftl")),
        )),*]
    };
}

/// The message files, English and Japanese.
const AREAS: &[(&str, &str)] = areas![
    "address",
    "cli",
    "doctor",
    "driver",
    "engine",
    "host",
    "lab",
    "plan",
    "recording",
    "script",
    "slap",
    "target",
    "tpcc",
    "workload",
    "audit",
];
