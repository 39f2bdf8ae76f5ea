//! Tenbin as others have it: installed from a package, by an action of GitHub, in surroundings that are not a developer's machine. Needs root.

mod action;
mod package;
mod surroundings;

use std::path::{Path, PathBuf};

/// A script of the project.
fn tool(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/dist").join(name)
}
