//! Which process works in a directory: asked before and after data there are copied, replaced or deleted, since a service
//! manager may start a server again that was stopped, and somebody else may have started one.

use crate::proc;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A process that works in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryUser {
    /// Its number.
    pub pid: u32,
    /// The name of its program.
    pub name: String,
}

impl DirectoryUser {
    /// In words.
    pub fn told(&self, directory: &Path) -> Message {
        msg!("process-works-in", pid = self.pid, name = self.name, place = directory.display())
    }
}

/// A process, other than ours, whose working directory is in `directory`, or that has a file there open for writing. `directory` may be a
/// file. Processes of other accounts are visible to root only.
pub fn user_of(directory: &Path) -> Option<DirectoryUser> {
    users_of(directory).into_iter().next()
}

/// All of them.
pub fn users_of(directory: &Path) -> Vec<DirectoryUser> {
    let Some(wanted) = UsedPath::of(directory) else { return Vec::new() };
    let us = std::process::id();
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| *pid != us && wanted.is_used_by(*pid)).map(named).collect()
}

/// Whether this process is one of them.
pub fn is_user(directory: &Path, pid: u32) -> bool {
    UsedPath::of(directory).is_some_and(|wanted| wanted.is_used_by(pid))
}

fn named(pid: u32) -> DirectoryUser {
    DirectoryUser { pid, name: proc::read(&format!("/proc/{pid}/comm")) }
}

/// A directory or file by its path, and by its number for processes that know it by another path.
struct UsedPath {
    path: PathBuf,
    number: (u64, u64),
}

impl UsedPath {
    fn of(directory: &Path) -> Option<UsedPath> {
        let path = directory.canonicalize().ok()?;
        let meta = path.metadata().ok()?;
        Some(UsedPath { path, number: (meta.dev(), meta.ino()) })
    }

    fn is_used_by(&self, pid: u32) -> bool {
        let at = format!("/proc/{pid}/cwd");
        let there = std::fs::metadata(&at).is_ok_and(|meta| (meta.dev(), meta.ino()) == self.number);
        let below = || std::fs::read_link(&at).is_ok_and(|link| link.starts_with(&self.path));
        there || below() || self.is_written_by(pid)
    }

    fn is_written_by(&self, pid: u32) -> bool {
        let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        open.into_iter().any(|file| {
            let inside = std::fs::read_link(file.path()).is_ok_and(|link| link.starts_with(&self.path));
            // The mode of the link says how the file was opened (proc(5)).
            inside && file.metadata().is_ok_and(|meta| meta.mode() & 0o200 != 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    fn ended(mut child: Child) {
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn becomes(directory: &Path, wanted: Option<u32>) {
        let since = Instant::now();
        while user_of(directory).map(|user| user.pid) != wanted {
            assert!(since.elapsed() < Duration::from_secs(50), "{:?} and not {wanted:?}", user_of(directory));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn who_works_there_or_writes_there_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir_all(data.join("deep")).unwrap();
        std::fs::write(data.join("deep/file"), "x").unwrap();
        assert_eq!(user_of(&data), None);
        let child = Command::new("sleep").arg("60").current_dir(data.join("deep")).spawn().unwrap();
        becomes(&data, Some(child.id()));
        assert_eq!(user_of(&dir.path().join("data/deep/file")), None, "its directory is not the file");
        ended(child);
        becomes(&data, None);
        let file = std::fs::File::options().append(true).open(data.join("deep/file")).unwrap();
        let child = Command::new("sleep").arg("60").stdout(Stdio::from(file)).spawn().unwrap();
        becomes(&data, Some(child.id()));
        becomes(&data.join("deep/file"), Some(child.id()));
        // A directory of a similar name is another one.
        std::fs::create_dir(dir.path().join("dat")).unwrap();
        assert_eq!(user_of(&dir.path().join("dat")), None);
        ended(child);
        becomes(&data, None);
    }
}
