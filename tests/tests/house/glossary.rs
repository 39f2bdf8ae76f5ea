//! The words of ARCHITECTURE.md, held: a word that stands for a type has one type, and words that were given up stay
//! away.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::{root, sources};
use std::collections::BTreeMap;
use std::fs;

/// Names of types that were given up, and what is said instead.
const GIVEN_UP: &[(&str, &str)] = &[
    ("Asked", "Settings"),
    ("Ask", "Command"),
    ("Book", "ArrivalQueue"),
    ("Both", "Message"),
    ("Complaints", "Diagnostics"),
    ("Deck", "CoroutineHandle"),
    ("Everyone", "Sinks"),
    ("Face", "FrontEnd"),
    ("Fate", "SupportLevel"),
    ("Found", "DatasetState"),
    ("Given", "OptionMap"),
    ("Halt", "TrialError"),
    ("Inbox", "ReadBuffer"),
    ("Lane", "ScriptCoroutine"),
    ("Made", "PrebuiltWorkload"),
    ("Mark", "StatementRecord"),
    ("Material", "PageContext"),
    ("Owed", "PendingReplies"),
    ("Place", "WorkerContext"),
    ("Refusal", "Diagnostic"),
    ("Row", "OptionSpec"),
    ("Seat", "ClientSlot"),
    ("Seen", "EngineEvent, ObserverEvent"),
    ("Sight", "Health"),
    ("Stage", "TestBed"),
    ("State", "what it is the state of: EndState, ReplyState"),
    ("Step", "BoxFuture"),
    ("Takes", "ValueType"),
    ("Teller", "EventEmitter"),
    ("Then", "ErrorAction"),
    ("Ticket", "ScheduledStart"),
    ("Turn", "TransactionContext"),
    ("Typed", "ParsedArgs"),
    ("Way", "ConnectOptions"),
];

/// The same of files.
const GIVEN_UP_FILES: &[&str] = &[
    "ahead", "ask", "asked", "bout", "cold", "conceal", "face", "fate", "inbox", "lane", "line", "material", "of_0_4",
    "seen", "shown", "stage", "teller", "typed",
];

#[test]
fn a_word_that_stands_for_a_type_has_one_type() {
    let types = types();
    let named = glossary();
    assert!(named.len() > 15, "the glossary is read: {named:?}");
    let mut wrong = Vec::new();
    for (krate, name) in named {
        let there = types.get(&name).cloned().unwrap_or_default();
        if !matches!(&there[..], [one] if one.starts_with(&format!("crates/{krate}/"))) {
            wrong.push(format!("{name} of {krate} is defined in {there:?}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn words_that_were_given_up_stay_away() {
    let mut findings = Vec::new();
    for (name, places) in types() {
        if let Some((_, instead)) = GIVEN_UP.iter().find(|(old, _)| *old == name) {
            findings.extend(places.iter().map(|place| format!("{place}: {name} is now called {instead}")));
        }
    }
    for path in sources() {
        if GIVEN_UP_FILES.contains(&path.file_stem().unwrap().to_str().unwrap()) {
            findings.push(format!("{}: a file of a word that was given up", path.display()));
        }
    }
    assert_eq!(findings, Vec::<String>::new());
}

/// Crate and type of each word in the table, of `model::plan::Plan` these: model, Plan.
fn glossary() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let table = text.split("## Words").nth(1).unwrap().split("\n## ").next().unwrap();
    let last = table.lines().filter_map(|line| line.strip_prefix("| ")?.trim_end_matches('|').rsplit('|').next());
    let paths = last.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let parts =
        paths.map(|path| (path.split("::").next().unwrap().to_owned(), path.rsplit("::").next().unwrap().to_owned()));
    parts.collect()
}

/// Where each type is defined, without those of tests.
fn types() -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        // An associated type does not count as a type of its own.
        for line in crate::without_tests(&text).lines().filter(|line| !line.starts_with("    type ")) {
            if let Some(name) = defined(line) {
                let place = path.strip_prefix(root()).unwrap().display().to_string();
                all.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    all
}

/// The type that a line defines.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let kind = words.next()?;
    let name = words.next().filter(|_| ["struct", "enum", "trait", "type"].contains(&kind))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..end])
}
