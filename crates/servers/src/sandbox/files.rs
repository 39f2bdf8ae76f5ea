//! Files and directories that only the account of the sandbox can read.

use crate::rights::Rights;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The prefix of the name of a template that is being created; a key and our process number follow.
pub const MAKING: &str = "making-";

/// Creates a directory that is not accessible to others.
pub fn closed_directory(path: &Path) -> Result<(), Problem> {
    std::fs::DirBuilder::new().mode(0o700).create(path).map_err(|e| cannot(path, &e))
}

/// Writes a file that is not readable by others, in place of one of that name. A link of that name is not followed.
pub fn closed_file(path: &Path, text: &str) -> Result<(), Problem> {
    if std::fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_dir()) {
        std::fs::remove_file(path).map_err(|e| cannot(path, &e))?;
    }
    let file = File::options().create_new(true).write(true).mode(0o600).open(path);
    file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())).map_err(|e| cannot(path, &e))
}

/// The most of a log that is read, from its end, bytes.
const MOST_LOG: u64 = 8 << 20;

/// The end of a server's log, read with the rights of the account to which its directory belongs.
pub fn read_log(log: &Path) -> String {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let read = log.parent().and_then(|dir| Rights::of_owner(dir).ok()).map(|owner| {
        owner.within(|| {
            let mut file = File::options().read(true).custom_flags(flags.bits() as i32).open(log)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(MOST_LOG)))?;
            tenbin_intake::bytes(file.take(MOST_LOG), MOST_LOG)
        })
    });
    let bytes = read.and_then(Result::ok).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Why a file could not be written.
pub fn cannot(path: &Path, e: &std::io::Error) -> Problem {
    Problem::new(msg!("file-cannot-be-written", file = path.display()))
        .evidence(foreign(e))
        .hint(msg!("free-space-or-export-state-dir"))
}
