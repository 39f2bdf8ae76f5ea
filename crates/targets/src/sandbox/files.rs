//! Files and directories that only the account of the sandbox can read.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;

/// The prefix of the name of a template that is being created; a key and our process number follow.
pub const MAKING: &str = "making-";

/// Creates a directory that is not accessible to others.
pub fn closed_directory(path: &Path) -> Result<(), Problem> {
    std::fs::DirBuilder::new().mode(0o700).create(path).map_err(|e| cannot(path, &e))
}

/// Writes a file that is not readable by others.
pub fn closed_file(path: &Path, text: &str) -> Result<(), Problem> {
    let file = File::options().create(true).write(true).truncate(true).mode(0o600).open(path);
    file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())).map_err(|e| cannot(path, &e))
}

/// Why a file could not be written.
pub fn cannot(path: &Path, e: &std::io::Error) -> Problem {
    Problem::new(msg!("file-cannot-be-written", file = path.display()))
        .evidence(foreign(e))
        .hint(msg!("free-space-or-export-state-dir"))
}
