//! The mark of a directory of ours in the directory of golden copies: a file that is written before anything else is there, and
//! is locked while the copy is made, read or removed.

use super::swap::marked_text;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Its name.
pub const NAME: &str = "mark.json";

/// Its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldenMark {
    /// The name of the directory while the copy is made.
    pub tenbin_golden_copy: String,
    /// Its name when the copy is complete.
    pub becomes: String,
}

impl GoldenMark {
    /// Marks a directory; it is locked as long as the result lives.
    pub fn write(&self, dir: &Path) -> io::Result<File> {
        let mut file = File::options().create_new(true).read(true).write(true).mode(0o600).open(dir.join(NAME))?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.try_lock()?;
        Ok(file)
    }
}

/// Whether a directory has the mark of one of this name.
pub fn is_of(dir: &Path, name: &str) -> bool {
    let text = marked_text(&dir.join(NAME)).ok();
    let mark: Option<GoldenMark> = text.and_then(|text| serde_json::from_slice(&text).ok());
    mark.is_some_and(|mark| [&mark.tenbin_golden_copy, &mark.becomes].iter().any(|known| *known == name))
}

/// Locks a directory for reading it.
pub fn shared(dir: &Path) -> io::Result<File> {
    let file = File::open(dir.join(NAME))?;
    file.try_lock_shared()?;
    Ok(file)
}

/// Locks a directory for removing it; `None` if another process has it.
pub fn alone(dir: &Path) -> io::Result<Option<File>> {
    let file = File::open(dir.join(NAME))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(e),
    }
}
