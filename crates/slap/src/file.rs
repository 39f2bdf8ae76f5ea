//! Query files of the user: read into memory if small, otherwise read while they are sent. The only file of this
//! crate that opens files (see `doc/decision`).

use super::split::Statements;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Larger files are read while they are sent.
const SMALL: u64 = 4 << 20;

/// The most that is read of a pipe, which is kept in memory.
const MOST_OF_PIPE: u64 = 64 << 20;

/// A file's statements as they are needed.
pub type Reader = Statements<BufReader<File>>;

/// The content of a file, or `None` if it is too large for that.
pub fn small(path: &Path) -> Result<Option<Vec<u8>>, Problem> {
    let file = File::open(path).map_err(|e| cannot(path, &e))?;
    // A pipe has no size and can be read only once.
    let meta = file.metadata().map_err(|e| cannot(path, &e))?;
    if meta.is_file() && meta.len() > SMALL {
        return Ok(None);
    }
    tenbin_intake::bytes(file, MOST_OF_PIPE).map(Some).map_err(|e| cannot(path, &e))
}

/// Opens a file at its start.
pub fn open(path: &Path, delimiter: &[u8]) -> std::io::Result<Reader> {
    Ok(Statements::new(BufReader::with_capacity(256 << 10, File::open(path)?), delimiter))
}

fn cannot(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new(msg!("file-cannot-be-read", file = path.display()))
        .evidence(tenbin_intake::why(error))
        .hint(msg!("check-name-and-rights"))
}
