//! The user's files: scripts, and lists of words.

use std::io;
use std::path::Path;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// The most bytes of a script: all of it is kept in memory.
const MOST: u64 = 64 << 20;

/// The content of a file.
pub(crate) fn read(path: &str) -> Result<Vec<u8>, Problem> {
    tenbin_intake::file(Path::new(path), MOST).map_err(|error| {
        // The plan may lie in another directory, beside the file.
        let here =
            std::env::current_dir().ok().filter(|_| error.kind() == io::ErrorKind::NotFound && !path.starts_with('/'));
        let is_statement = here.is_some() && path.trim().contains(char::is_whitespace) && !path.contains('/');
        let hint = match here {
            Some(_) if is_statement => {
                let statement = shell::quoted(&format!("{};", path.trim().trim_end_matches(';')));
                msg!("statement-into-file", statement)
            }
            Some(here) => msg!("path-starts-at", dir = here.display()),
            None => msg!("check-name-and-rights"),
        };
        Problem::new(msg!("file-cannot-be-read", file = path)).evidence(tenbin_intake::why(&error)).hint(hint)
    })
}
