//! What workloads, data sets and their options are, in the reader's language. Their entries have the English text, so that a program can add its
//! own; the catalogue has the Japanese of ours, in the file `described.ftl`.

use crate::catalogue::{self, Element};
use crate::language::Language;
use crate::message::{Message, foreign};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The file of the catalogue.
pub const AREA: &str = "described";

/// A description as a message; as it is if the catalogue does not have it.
pub fn described(english: &str) -> Message {
    match by_text().get(english) {
        Some(id) => Message::new(id, []),
        None => foreign(english),
    }
}

/// The identifiers of all descriptions by their English text.
pub fn by_text() -> &'static BTreeMap<&'static str, &'static str> {
    static ALL: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
    ALL.get_or_init(|| {
        let own = catalogue::of_area(AREA).into_iter();
        own.filter_map(|(id, entry)| match entry.pattern(Language::English) {
            [Element::Text(text)] => Some((text.as_str(), id)),
            _ => None,
        })
        .collect()
    })
}
