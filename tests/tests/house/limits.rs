//! Nothing foreign fills memory: the functions that read to an end that somebody else decides about are disallowed in every crate.

use super::root;
use std::fs;

/// In the root of each crate. Tests may use them.
const LINT: &str = "#![cfg_attr(not(test), warn(clippy::disallowed_methods))]";

/// Each of these is in clippy.toml.
const DISALLOWED: [&str; 8] = [
    "std::fs::read",
    "std::fs::read_to_string",
    "std::io::Read::read_to_end",
    "std::io::Read::read_to_string",
    "std::io::BufRead::lines",
    "std::io::BufRead::read_line",
    "std::process::Command::output",
    "std::sync::mpsc::channel",
];

#[test]
fn reading_without_a_limit_is_disallowed_in_every_crate() {
    let settings = fs::read_to_string(root().join("clippy.toml")).unwrap();
    let missing = DISALLOWED.iter().filter(|path| !settings.contains(&format!("path = \"{path}\"")));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new(), "clippy.toml has them all");
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let source = entry.unwrap().path().join("src/lib.rs");
        assert!(fs::read_to_string(&source).unwrap().contains(LINT), "{} has {LINT}", source.display());
    }
}
