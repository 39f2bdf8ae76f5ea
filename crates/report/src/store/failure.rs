//! The problem that a file cannot be written, with a hint that depends on the cause: a full disk, a directory that is
//! read-only or belongs to another user, a name that is too long.

use rustix::io::Errno;
use std::io;
use std::path::Path;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The problem `what`, caused by `e`. `directory` is that of the file; `elsewhere` is the hint to use another
/// directory (`name another folder with --runs`).
pub fn cannot_write(what: Message, directory: &Path, e: &io::Error, elsewhere: Message) -> Problem {
    Problem::new(what).evidence(foreign(e)).hint(hint_for(directory, e, elsewhere))
}

/// The hint for the cause `e`.
fn hint_for(directory: &Path, e: &io::Error, elsewhere: Message) -> Message {
    let name = if directory.as_os_str().is_empty() { ".".to_owned() } else { format!("'{}'", directory.display()) };
    match e.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOSPC) => msg!("no-space-there", place = name, elsewhere),
        Some(Errno::DQUOT) => msg!("no-quota-there", elsewhere),
        Some(Errno::FBIG) => msg!("allow-longer-files", elsewhere),
        Some(Errno::ROFS) => msg!("mounted-read-only", elsewhere),
        Some(Errno::ACCESS | Errno::PERM) => msg!("may-not-write-there", place = name, elsewhere),
        Some(Errno::NAMETOOLONG) => msg!("name-too-long", elsewhere),
        Some(Errno::NOENT) => msg!("folder-not-there", elsewhere),
        Some(Errno::NOTDIR | Errno::EXIST | Errno::LOOP | Errno::ISDIR) => {
            msg!("something-in-the-way", place = name, elsewhere)
        }
        Some(Errno::MFILE | Errno::NFILE) => msg!("allow-more-open-files"),
        Some(Errno::IO | Errno::NODEV | Errno::STALE) => msg!("storage-fails", elsewhere),
        _ => elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn the_hint_fits_the_cause() {
        let mut hints = String::new();
        for errno in [
            Errno::NOSPC,
            Errno::DQUOT,
            Errno::FBIG,
            Errno::ROFS,
            Errno::ACCESS,
            Errno::NAMETOOLONG,
            Errno::NOENT,
            Errno::NOTDIR,
            Errno::IO,
            Errno::INVAL,
        ] {
            let e = io::Error::from(errno);
            let problem =
                cannot_write(foreign("it"), Path::new("/runs"), &e, foreign("name another folder with --runs"));
            writeln!(hints, "{}: {}", e, problem.hint.unwrap().english()).unwrap();
        }
        insta::assert_snapshot!(hints);
    }
}
