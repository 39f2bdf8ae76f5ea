//! The files that documents for developers name are there, and the lists that ARCHITECTURE.md and CONTRIBUTING.md name are in these
//! files: somebody who adds something finds its place by these two.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::root;
use super::walls::tracked;
use std::collections::BTreeSet;
use std::fs;

/// Made by commands, or written as an example.
const NOT_THERE: [&str; 4] = ["target/", "fuzz/artifacts", "//!", "DATE-LETTER"];

#[test]
fn every_file_that_is_named_is_there() {
    let known = known();
    let named = |document: &str| -> Vec<String> {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let paths =
            text.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && !word.contains(char::is_whitespace));
        let paths = paths.filter(|path| !NOT_THERE.iter().any(|part| path.contains(part)));
        paths.flat_map(alternatives).collect()
    };
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "doc/path-of-a-statement.md"] {
        let all = named(document);
        let missing: Vec<&String> = all.iter().filter(|path| !known.iter().any(|file| is_at(path, file))).collect();
        assert!(all.len() > 10 && missing.is_empty(), "{document} names what is not there: {missing:?}");
    }
}

/// Decisions and tables of tests name sources by paths; what else has a slash in it is no file.
#[test]
fn every_source_that_another_document_names_is_there() {
    let known = known();
    let decisions = known.iter().filter(|file| file.starts_with("doc/decision/") && file.ends_with(".md"));
    let mut count = 0;
    for document in
        decisions.map(String::as_str).chain(["doc/reliability.md", "doc/performance.md", "doc/format/run-directory.md"])
    {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let words = text.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && word.ends_with(".rs"));
        let all: Vec<String> =
            words.filter(|word| !word.contains(char::is_whitespace)).flat_map(alternatives).collect();
        let missing: Vec<&String> = all.iter().filter(|path| !known.iter().any(|file| is_at(path, file))).collect();
        assert!(missing.is_empty(), "{document} names what is not there: {missing:?}");
        count += all.len();
    }
    assert!(count > 30, "only {count} sources were found in the documents");
}

#[test]
fn every_list_is_in_the_file_that_the_table_of_additions_names() {
    let (known, text) = (known(), fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap());
    let rows =
        text.lines().skip_while(|line| !line.starts_with("## Where to add what")).filter(|line| line.starts_with("| "));
    let mut lists = 0;
    for cell in rows.filter_map(|row| row.rsplit(" | ").next()) {
        let words: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        let is_list = |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        for (at, list) in words.iter().enumerate().filter(|(_, word)| is_list(word)) {
            let Some(file) = words[at..].iter().find(|word| word.ends_with(".rs")) else { continue };
            let has = |name: &&String| {
                fs::read_to_string(root().join(name)).is_ok_and(|text| text.contains(&format!("const {list}:")))
            };
            assert!(known.iter().filter(|name| is_at(file, name)).any(|name| has(&name)), "{list} is not in {file}");
            lists += 1;
        }
    }
    assert!(lists > 8, "the table of additions was not found");
}

/// All files and folders, from the root.
fn known() -> BTreeSet<String> {
    let files = tracked();
    let all = files.iter().flat_map(|file| file.strip_prefix(root()).unwrap().ancestors());
    all.map(|path| path.to_str().unwrap().to_owned()).filter(|path| !path.is_empty()).collect()
}

/// `a/{b,c}.rs` is two paths.
fn alternatives(path: &str) -> Vec<String> {
    match path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
        Some((before, (each, after))) => {
            each.split(',').flat_map(|one| alternatives(&format!("{before}{one}{after}"))).collect()
        }
        None => vec![path.trim_end_matches('/').to_owned()],
    }
}

/// Whether a path in a document is that of a file or the end of it. `<name>` and `*` stand for anything; the ending `.rs` may be left out.
fn is_at(path: &str, file: &str) -> bool {
    let parts: Vec<&str> = path.split('/').rev().collect();
    let files: Vec<&str> =
        file.strip_suffix(".rs").filter(|_| !path.ends_with(".rs")).unwrap_or(file).split('/').rev().collect();
    let fits = |(part, name): (&&str, &&str)| match part.split_once(['<', '*']) {
        Some((before, after)) => {
            name.starts_with(before) && name.ends_with(after.rsplit('>').next().unwrap_or_default())
        }
        None => part == name,
    };
    parts.len() <= files.len() && parts.iter().zip(&files).all(fits)
}

#[test]
fn paths_of_documents_are_told_from_others() {
    assert_eq!(alternatives("doc/{en,ja}/a.md"), ["doc/en/a.md", "doc/ja/a.md"]);
    assert!(is_at("crates/<family>/src/lib.rs", "crates/oltp/src/lib.rs") && is_at("lib.rs", "crates/oltp/src/lib.rs"));
    assert!(is_at("crates/oltp/tests/load", "crates/oltp/tests/load.rs") && is_at("lua/*.lua", "src/lua/api.lua"));
    assert!(!is_at("observer/mod.rs", "crates/observers/src/lib.rs") && !is_at("b.rs", "a/bb.rs"));
}
