//! What stands at the top of the project. A file that somebody tried something with, and committed with the rest, is found here.

use super::root;
use super::walls::tracked;
use std::collections::BTreeSet;
use std::path::Path;

const FILES: [&str; 16] = [
    ".editorconfig",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "Makefile",
    "README.ja.md",
    "README.md",
    "clippy.toml",
    "deny.toml",
    "rust-toolchain.toml",
    "rustfmt.toml",
];

const FOLDERS: [&str; 12] =
    [".ci", ".config", "bench", "crates", "deploy", "doc", "fuzz", "plans", "python", "tests", "tools", "web"];

#[test]
fn the_top_has_no_other_files_and_folders() {
    let tracked = tracked();
    let first = |path: &Path| path.strip_prefix(root()).unwrap().components().next().unwrap().as_os_str().to_owned();
    let there: BTreeSet<String> = tracked.iter().map(|path| first(path).to_string_lossy().into_owned()).collect();
    let named = FILES.into_iter().chain(FOLDERS).map(str::to_owned).collect();
    assert_eq!(there, named, "what git tracks at the top, and the lists here");
}
