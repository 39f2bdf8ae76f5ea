//! Tenbin as others have it: installed from a package, in surroundings that are not a developer's machine. Needs root.

mod package;
mod surroundings;

use std::path::{Path, PathBuf};

/// A script of the project.
fn tool(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/dist").join(name)
}
