//! Our own sentences that come to stand in a recording have a Japanese form: those of the lab, the engine, the doctor, the observers and the store.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::phrase::PHRASES;

/// Where sentences are made that end up in notes of a run.
const SOURCES: &[&str] = &[
    "crates/lab/src",
    "crates/engine/src",
    "crates/target/src/doctor",
    "crates/target/src/observer",
    "crates/report/src/store/read.rs",
];

/// What only a terminal shows, or what a trial cannot meet.
const NOT_RECORDED: &[&str] = &[
    "connections are enough",
    "prepared statements are enough",
    "statements are short enough",
    "the account has the privileges",
    "the disk has room",
    "client  {}, {} cores, {}",
    "system  {}, Linux {}",
    "sandbox {} is here: {}",
    "server  {} at {}",
];

#[test]
fn what_a_recording_tells_is_told_in_japanese_too() {
    let known = |text: &String| PHRASES.iter().any(|(en, _)| en == text) || NOT_RECORDED.contains(&text.as_str());
    let all: Vec<(String, String)> =
        SOURCES.iter().flat_map(|s| rust(&root().join(s))).flat_map(|p| sentences(&p)).collect();
    assert!(all.len() > 40, "the sources were not found: {}", all.len());
    let missing: Vec<String> =
        all.into_iter().filter(|(_, text)| !known(text)).map(|(p, t)| format!("{p}: {t}")).collect();
    assert!(missing.is_empty(), "add these to PHRASES in crates/model/src/phrase.rs:\n{}", missing.join("\n"));
}

#[test]
fn no_phrase_is_left_over() {
    let all: String = ["crates", "tests"]
        .iter()
        .flat_map(|d| rust(&root().join(d)))
        .filter(|p| !p.ends_with("phrase.rs") && !p.ends_with("phrases.rs"))
        .map(|p| plain(&fs::read_to_string(p).unwrap()))
        .collect();
    // What is put together from two sentences stands nowhere as a whole.
    let joined = [" failed: {}", "is the server running"];
    let left: Vec<&str> = PHRASES
        .iter()
        .map(|p| p.0)
        .filter(|en| {
            !joined.iter().any(|j| en.contains(j)) && !all.contains(&format!("\"{}\"", en.replace('"', "\\\"")))
        })
        .collect();
    assert!(left.is_empty(), "nothing says these any more; take them out of crates/model/src/phrase.rs: {left:#?}");
}

/// First sentences of problems and findings in a file, with `{}` for each place.
fn sentences(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).unwrap();
    let code = plain(text.split("#[cfg(test)]").next().unwrap());
    let mut found = Vec::new();
    for start in ["Problem::new(", "finding(Level::Warning,", "finding(Level::Note,", "finding(Level::Error,"] {
        for (at, _) in code.match_indices(start) {
            let rest = code[at + start.len()..].trim_start();
            let rest = rest.strip_prefix("format!(").unwrap_or(rest).trim_start();
            let Some(literal) = rest.strip_prefix('"') else { continue };
            found.push((path.strip_prefix(root()).unwrap().display().to_string(), until_quote(literal)));
        }
    }
    found
}

/// A source with the insides of `{…}` of its texts left out and line breaks between arguments taken away.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    let mut place = false;
    let mut before = ' ';
    for c in text.chars() {
        if c == '"' && before != '\\' && before != '\'' {
            (quoted, place) = (!quoted, false);
        }
        if quoted && place && c == '}' {
            place = false;
        }
        if !place && (quoted || c != '\n') {
            out.push(c);
        }
        if quoted && c == '{' {
            place = true;
        }
        before = c;
    }
    out
}

fn until_quote(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '"' => break,
            c => out.push(c),
        }
    }
    out
}

fn rust(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(rust(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push(path);
        }
    }
    all.sort();
    all
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}
