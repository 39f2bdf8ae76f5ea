//! The files of a data directory that are the server's own and not of its data: its identity, settings, access rules, certificates and logs. It keeps them
//! when its data are put back.

use super::{ServerLogs, is_of_server, tree};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// The files of a data directory that belong to the server itself, in whatever directory, and its logs.
pub struct OwnFiles<'a> {
    /// Its path.
    pub data: &'a Path,
    /// Its logs.
    pub logs: &'a ServerLogs,
}

impl OwnFiles<'_> {
    /// Whether a file is one of them.
    pub fn has(&self, path: &Path) -> bool {
        path.file_name().is_some_and(is_of_server) || self.is_log(path)
    }

    fn is_log(&self, path: &Path) -> bool {
        path.strip_prefix(self.data).is_ok_and(|inside| self.logs.has(inside))
    }

    /// Copies them, and links to them; with the rights of the owner.
    pub fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        // A database file has none.
        for entry in std::fs::read_dir(from).into_iter().flatten() {
            let entry = entry?;
            let (kind, path, target) = (entry.file_type()?, entry.path(), to.join(entry.file_name()));
            if kind.is_dir() {
                self.copy_directory(&path, &target)?;
            } else if self.has(&path) {
                // Both are the same file: the log goes on, and is whole if the former data are brought back.
                let is_linked = self.is_log(&path) && kind.is_file() && std::fs::hard_link(&path, &target).is_ok();
                if !is_linked {
                    copy_file(&path, &target, kind)?;
                }
            }
        }
        Ok(())
    }

    /// The same of a subdirectory, which is made if it contains any.
    fn copy_directory(&self, from: &Path, to: &Path) -> io::Result<()> {
        if !self.are_in(from)? {
            return Ok(());
        }
        if to.symlink_metadata().is_err() {
            let meta = from.symlink_metadata()?;
            std::fs::DirBuilder::new().mode(0o700).create(to)?;
            self.copy(from, to)?;
            return tree::open_directory(to)?.set_permissions(meta.permissions());
        }
        self.copy(from, to)
    }

    fn are_in(&self, dir: &Path) -> io::Result<bool> {
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if if kind.is_dir() { self.are_in(&path)? } else { self.has(&path) } {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn copy_file(from: &Path, to: &Path, kind: std::fs::FileType) -> io::Result<()> {
    if kind.is_symlink() {
        return std::os::unix::fs::symlink(std::fs::read_link(from)?, to);
    }
    if kind.is_file() {
        // Its times too: certificates are compared with them by some tools.
        let meta = from.symlink_metadata()?;
        std::fs::copy(from, to)?;
        let times = std::fs::FileTimes::new().set_accessed(meta.accessed()?).set_modified(meta.modified()?);
        return std::fs::File::options().write(true).open(to).and_then(|file| file.set_times(times)).or(Ok(()));
    }
    Ok(())
}
