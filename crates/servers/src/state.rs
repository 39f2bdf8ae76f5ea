//! The directory of what must outlive a restart of the machine: notes of servers that are changed or stopped. Unlike private
//! servers, which end with the machine, these are needed after it.

use crate::proc;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Where it is: `TENBIN_STATE_DIR`; else `/var/lib/tenbin/state` for root; else `tenbin` in `XDG_STATE_HOME` or in
/// `~/.local/state` (XDG Base Directory Specification 0.8). It may not exist yet.
pub fn directory() -> PathBuf {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(dir) = std::env::var_os("TENBIN_STATE_DIR") {
        return std::path::absolute(&dir).unwrap_or_else(|_| PathBuf::from(&dir));
    }
    let user = rustix::process::geteuid();
    if user.is_root() {
        return PathBuf::from("/var/lib/tenbin/state");
    }
    let of_home = || Some(absolute("HOME").or_else(|| home_of(user.as_raw()))?.join(".local/state"));
    match absolute("XDG_STATE_HOME").or_else(of_home) {
        Some(state) => state.join("tenbin"),
        // An account without a home directory has nothing else that is its own.
        None => crate::sandbox_directory::intended(),
    }
}

/// The same directory, created if it does not exist, and on the disk.
pub fn make() -> Result<PathBuf, Problem> {
    let path = directory();
    let user = rustix::process::geteuid().as_raw();
    let wrong = |evidence: Message| {
        Problem::new(msg!("state-directory-unusable", path = path.display()))
            .evidence(evidence)
            .hint(msg!("export-state-dir"))
    };
    make_directory(&path, 0o711).map_err(|e| wrong(foreign(e)))?;
    let meta = std::fs::symlink_metadata(&path).map_err(|e| wrong(foreign(e)))?;
    if !meta.is_dir() || meta.uid() != user {
        return Err(wrong(msg!("directory-of-another-user", owner = meta.uid(), user)));
    }
    if is_open_to_others(&meta) {
        return Err(wrong(msg!("directory-open-to-others")));
    }
    Ok(path)
}

/// Whether other accounts can exchange what is in a directory of ours. The group of a user is often its own; that of root is.
pub fn is_open_to_others(meta: &Metadata) -> bool {
    let is_of_other_group = meta.uid() == 0 && meta.gid() != 0;
    let others = if is_of_other_group { 0o022 } else { 0o002 };
    meta.mode() & others != 0 && meta.mode() & 0o1000 == 0
}

/// Creates a directory and those above it that do not exist, each on the disk before anything is in it.
pub fn make_directory(path: &Path, mode: u32) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|dir| !dir.exists()).collect();
    for dir in missing.into_iter().rev() {
        match std::fs::DirBuilder::new().mode(mode).create(dir) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            _ => keep_names(dir.parent().unwrap_or(Path::new("/")))?,
        }
    }
    Ok(())
}

/// Writes the names in a directory to the disk.
pub fn keep_names(dir: &Path) -> io::Result<()> {
    File::open(dir).and_then(|dir| dir.sync_all())
}

/// The home directory of a user in `/etc/passwd`.
fn home_of(user: u32) -> Option<PathBuf> {
    let all = proc::read("/etc/passwd");
    let line = all.lines().find(|line| line.split(':').nth(2).and_then(|number| number.parse().ok()) == Some(user))?;
    line.split(':').nth(5).map(PathBuf::from).filter(|home| home.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_directory_in_which_others_exchange_what_is_ours_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        for (mode, is_open) in [(0o700, false), (0o755, false), (0o777, true), (0o1777, false)] {
            std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(mode)).unwrap();
            assert_eq!(is_open_to_others(&dir.path().metadata().unwrap()), is_open, "{mode:o}");
        }
    }
}
