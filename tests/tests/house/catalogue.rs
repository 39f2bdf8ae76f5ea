//! The catalogue of messages and the sources agree: every message that is used is there in both languages with the arguments
//! that it is given, every one that is there is used, and no sentence for users stands in a source outside the catalogue.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::answer::Language;
use tenbin_model::catalogue::{self, Element};

#[test]
fn every_message_has_both_languages_with_the_same_arguments() {
    let mut wrong = Vec::new();
    for (id, entry) in catalogue::all() {
        let [english, japanese] = [Language::English, Language::Japanese].map(|l| entry.arguments(l));
        if entry.pattern(Language::English).is_empty() || entry.pattern(Language::Japanese).is_empty() {
            wrong.push(format!("{id} has one language"));
        } else if english != japanese {
            wrong.push(format!("{id} takes {english:?} in English, {japanese:?} in Japanese"));
        }
    }
    // A line that is no message, or has what the reader of the files does not know, would be passed over.
    for file in files(&root().join("crates/model/locales"), "ftl") {
        let lines = fs::read_to_string(&file).unwrap();
        for line in lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (id, text) = line.split_once(" = ").unwrap_or((line, ""));
            let language = if file.iter().any(|part| part == "ja") { Language::Japanese } else { Language::English };
            let read: usize = catalogue::entry(id).map_or(0, |entry| entry.pattern(language).len());
            let places = text.matches("{ $").count();
            if read == 0 || text.matches('{').count() < places || read < places {
                wrong.push(format!("{}: {line}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_use_is_in_the_catalogue_and_every_message_is_used() {
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        used.extend(literals(&text));
        for (id, given) in uses(&text) {
            let takes = catalogue::entry(&id).map(|entry| entry.arguments(Language::English));
            if takes.as_ref().is_none_or(|takes| !takes.iter().copied().eq(given.iter().map(String::as_str))) {
                wrong.push(format!("{}: {id} with {given:?}, the catalogue has {takes:?}", file.display()));
            }
        }
    }
    // Facts stand in recordings as words.
    let unused = catalogue::all().keys().filter(|id| !used.contains(id.as_str()) && !id.starts_with("fact-"));
    wrong.extend(unused.map(|id| format!("{id} is not used")));
    assert!(used.len() > 900, "the sources were not found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Calls that tell a user something, and which of their arguments is the sentence.
const TELLS: &[(&str, usize)] = &[
    ("Problem::new(", 0),
    ("Refusal::new(", 0),
    ("finding(", 1),
    ("Error::new(Class::", 1),
    (".evidence(", 0),
    (".hint(", 0),
    (".retold(", 1),
    (".problem(", 0),
];

/// Sentences in English alone, each with its reason.
const ENGLISH_ONLY: &[&str] = &[];

#[test]
fn no_sentence_stands_outside_the_catalogue() {
    let mut found = Vec::new();
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        for (call, place) in TELLS {
            for (at, _) in code.match_indices(call) {
                let Some(sentence) = arguments(&code[at + call.len() - 1..]).into_iter().nth(*place) else { continue };
                let sentence = sentence.trim().trim_start_matches('&').trim_start();
                let literal = sentence.strip_prefix("format!(").unwrap_or(sentence).trim_start();
                let words = literal.starts_with('"') && letters(literal) > 2;
                if words && !ENGLISH_ONLY.iter().any(|known| literal.contains(known)) {
                    found.push(format!("{}: {call}{sentence}", file.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "put these into crates/model/locales:\n{}", found.join("\n"));
}

#[test]
fn japanese_is_japanese() {
    // Commands, names and values are the same in every language.
    let same: BTreeMap<&str, String> = catalogue::all()
        .iter()
        .filter(|(_, entry)| entry.pattern(Language::English) == entry.pattern(Language::Japanese))
        .map(|(id, entry)| (id.as_str(), words(entry.pattern(Language::English))))
        .collect();
    insta::assert_snapshot!(
        same.into_iter().map(|(id, words)| format!("{id}: {words}")).collect::<Vec<_>>().join("\n")
    );
}

fn words(pattern: &[Element]) -> String {
    let text = |element: &Element| match element {
        Element::Text(text) => text.clone(),
        Element::Argument(name) => format!("{{{name}}}"),
    };
    pattern.iter().map(text).collect()
}

/// Letters outside the places of a format string, up to its closing quote.
fn letters(literal: &str) -> usize {
    let (mut count, mut place, mut before) = (0, false, ' ');
    for c in literal.chars().skip(1) {
        match c {
            '"' if before != '\\' => break,
            '{' => place = true,
            '}' => place = false,
            c if !place && c.is_alphabetic() => count += 1,
            _ => {}
        }
        before = c;
    }
    count
}

/// The messages that a source makes, each with the names of its arguments in order of the alphabet.
fn uses(text: &str) -> Vec<(String, BTreeSet<String>)> {
    let calls = text.match_indices("msg!(").filter_map(|(at, call)| {
        let all = arguments(&text[at + call.len() - 1..]);
        let id = all.first()?.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned();
        let name = |argument: &&str| {
            let name = argument.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next();
            name.unwrap_or_default().to_owned()
        };
        Some((id, all[1..].iter().map(name).filter(|name| !name.is_empty()).collect()))
    });
    calls.collect()
}

/// Every text in quotes that could be an identifier.
fn literals(text: &str) -> BTreeSet<String> {
    let plain = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    text.split('"').filter(plain).map(str::to_owned).collect()
}

/// The arguments of a call, from its opening bracket on.
fn arguments(text: &str) -> Vec<&str> {
    let (mut all, mut depth, mut start, mut quoted, mut before) = (Vec::new(), 0, 1, false, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '"' if quoted => quoted = before == '\\',
            '"' if before != '\'' => quoted = true,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    all.push(&text[start..at]);
                    break;
                }
            }
            ',' if depth == 1 => {
                all.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    all
}

fn sources() -> Vec<PathBuf> {
    let all = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    all.flat_map(|folder| files(&folder, "rs")).collect()
}

fn files(folder: &Path, ends: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path, ends));
        } else if path.extension().is_some_and(|e| e == ends) {
            all.push(path);
        }
    }
    all.sort();
    all
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}
