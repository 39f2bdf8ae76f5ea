//! The house itself: its walls, its words.

mod additions;
mod catalogue;
mod commands;
mod described;
mod given;
mod glossary;
mod limits;
mod markup;
mod names;
mod paths;
mod rings;
mod top;
mod walls;

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is above this crate")
}

/// The sources of all crates.
fn sources() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).expect("there are crates");
    let all: Vec<PathBuf> = crates.flatten().flat_map(|krate| files(&krate.path().join("src"), "rs")).collect();
    assert!(all.len() > 300, "{}", all.len());
    all
}

/// The files with this ending in a folder and those below it, in order.
fn files(folder: &Path, ends: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")).flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => all.extend(files(&path, ends)),
            false if path.extension().is_some_and(|e| e == ends) => all.push(path),
            false => {}
        }
    }
    all.sort();
    all
}

/// A source without the module of tests at its end.
fn without_tests(text: &str) -> &str {
    let tests = text.match_indices("#[cfg(test)]\n").find(|(at, line)| {
        let next = text[at + line.len()..].lines().next().unwrap_or_default();
        next.contains("mod ") && next.ends_with('{')
    });
    tests.map_or(text, |(at, _)| &text[..at])
}
