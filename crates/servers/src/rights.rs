//! Whose rights files are touched with. The path of a data directory comes from a server, and what lies there belongs to the
//! account of the server: anyone who can write there can put links and other directories in our way. Therefore nothing there is
//! read, written or deleted with more rights than that account has. Rights are those of a thread (credentials(7)).

use crate::proc;
use rustix::process::{Gid, Uid, getegid, geteuid, getgroups};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// An account with whose rights files are touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rights {
    /// The user and the group; `None`: ours.
    other: Option<(u32, u32)>,
}

impl Rights {
    /// Our own.
    pub const OURS: Rights = Rights { other: None };

    /// Those of a user, with its own group and no other. Only root can have those of another one.
    pub fn of_user(user: u32) -> Result<Rights, Problem> {
        let us = geteuid();
        if us.as_raw() == user {
            return Ok(Rights::OURS);
        }
        match us.is_root() {
            true => Ok(Rights { other: Some((user, group_of(user, &proc::read("/etc/passwd")))) }),
            false => Err(Problem::new(msg!("belongs-to-another-account", user, us = us.as_raw()))
                .hint(msg!("run-as-that-account-or-reload"))),
        }
    }

    /// Those of the owner of a file or directory.
    pub fn of_owner(path: &Path) -> Result<Rights, Problem> {
        let meta = std::fs::symlink_metadata(path)
            .map_err(|e| Problem::new(msg!("file-unreadable", file = path.display())).evidence(foreign(e)))?;
        Rights::of_user(meta.uid())
    }

    /// The user and the group, unless they are ours.
    pub fn account(self) -> Option<(u32, u32)> {
        self.other
    }

    /// Does something with these rights, on this thread.
    pub fn within<T>(self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let _taken = match self.other {
            Some((user, group)) => Some(Taken::take(user, group)?),
            None => None,
        };
        work()
    }
}

/// Opens a regular file; a link in its place is not followed, and a pipe is not waited for.
pub(crate) fn opened(file: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = options.custom_flags(flags.bits() as i32).open(file)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// Gives a file the owner and the mode of another one.
pub(crate) fn dressed_as(file: &File, former: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    if own.gid() != former.gid() {
        // The account may not belong to that group; the server has the file as its owner.
        let _ = std::os::unix::fs::fchown(file, None, Some(former.gid()));
    }
    if own.uid() != former.uid() {
        std::os::unix::fs::fchown(file, Some(former.uid()), None)?;
    }
    file.set_permissions(former.permissions())
}

/// The group of the account `nobody`.
const NO_GROUP: u32 = 65534;

/// The group of a user in `/etc/passwd`. Not that of a directory: it may be one to which the user does not belong.
fn group_of(user: u32, passwd: &str) -> u32 {
    let is_of = |line: &&str| line.split(':').nth(2).and_then(|number| number.parse().ok()) == Some(user);
    let line = passwd.lines().find(is_of);
    line.and_then(|line| line.split(':').nth(3)?.parse().ok()).unwrap_or(NO_GROUP)
}

/// The rights of another account on this thread; dropping it gives back our own.
struct Taken {
    groups: Vec<Gid>,
    group: Gid,
}

impl Taken {
    fn take(user: u32, group: u32) -> io::Result<Taken> {
        let former = Taken { groups: getgroups()?, group: getegid() };
        let group = Gid::from_raw(group);
        set_thread_groups(&[group])?;
        set_thread_res_gid(None, group, None)?;
        // Last: it takes away the right to change the others. The real user stays ours, to come back.
        set_thread_res_uid(None, Uid::from_raw(user), None)?;
        Ok(former)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let back = set_thread_res_uid(None, Uid::ROOT, None)
            .and_then(|()| set_thread_res_gid(None, self.group, None))
            .and_then(|()| set_thread_groups(&self.groups));
        if back.is_err() {
            // Everything after it would be done as somebody else.
            std::process::abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_group_is_that_of_the_account() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nmysql:x:104:110::/nonexistent:/bin/false\n";
        assert_eq!([group_of(104, passwd), group_of(0, passwd), group_of(7, passwd)], [110, 0, NO_GROUP]);
    }

    #[test]
    fn what_another_account_may_not_do_is_not_done() {
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("secret");
        std::fs::write(&secret, "x").unwrap();
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
        if !geteuid().is_root() {
            // Whose rights differ cannot be had.
            assert_eq!(Rights::of_user(0).unwrap_err().code(), Some("belongs-to-another-account"));
            return;
        }
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let nobody = Rights::of_user(65534).unwrap();
        let read = nobody.within(|| std::fs::read_to_string(&secret));
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        let removed = nobody.within(|| std::fs::remove_file(&secret));
        assert_eq!(removed.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(nobody.within(|| Ok(geteuid().as_raw())).unwrap(), 65534);
        // Another thread, and this one afterwards, have ours.
        assert!(geteuid().is_root() && std::fs::read_to_string(&secret).is_ok());
        let panicked = std::panic::catch_unwind(|| nobody.within(|| -> io::Result<()> { panic!("half way") }));
        assert!(panicked.is_err() && geteuid().is_root(), "also after a panic");
    }
}
