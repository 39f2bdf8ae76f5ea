//! Removes directory trees of ours, and nothing that is mounted in them: used wherever a tree is removed, and before data are copied or exchanged.

use crate::proc;
use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, StatxFlags, fstat, major, minor, openat, statx, unlinkat};
use rustix::io::Errno;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Removes a directory with all that is in it. Links are removed and not followed. Fails before anything is removed if anything is mounted below it.
pub fn tree(root: &Path) -> io::Result<()> {
    emptied(root, &|_| false)?;
    std::fs::remove_dir(root)
}

/// Removes all that is in a directory but the files that `keep` accepts by their paths, and the directories with these; returns whether nothing is left.
/// Fails before anything is removed if anything is mounted below it.
pub fn emptied(root: &Path, keep: &dyn Fn(&Path) -> bool) -> io::Result<bool> {
    if let Some(mount) = mount_below(root) {
        return Err(mounted(&mount));
    }
    let dir = opened(CWD, &c_string(root.as_os_str())?)?;
    let mount = MountedAt::of(&dir)?;
    Emptying { place: mount, keep }.directory(&dir, root)
}

/// What is mounted somewhere below a directory, as this process sees it.
pub fn mount_below(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let table = proc::read("/proc/self/mountinfo");
    let mut places = table.lines().filter_map(|line| line.split(' ').nth(4)).map(unescaped);
    places.find(|place| *place != root && place.starts_with(&root))
}

/// Fails if anything is mounted somewhere below a data directory.
pub fn nothing_mounted(data: &Path) -> Result<(), Problem> {
    mount_below(data).map_or(Ok(()), |mount| Err(mounted_in(data, &mount)))
}

/// That something is mounted in a data directory.
fn mounted_in(data: &Path, mount: &Path) -> Problem {
    Problem::new(msg!("mount-in-data-directory", data = data.display(), mount = mount.display()))
        .hint(msg!("unmount-it", mount = mount.display()))
}

/// A path of the table, in which some characters are a backslash and three octal digits.
fn unescaped(text: &str) -> PathBuf {
    let (bytes, mut path) = (text.as_bytes(), Vec::new());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| *byte == b'\\') {
            Some(code) => {
                path.push(code);
                at += 4;
            }
            None => {
                path.push(*byte);
                at += 1;
            }
        }
    }
    PathBuf::from(OsString::from_vec(path))
}

fn mounted(at: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::CrossesDevices, format!("{} is a mount point", at.display()))
}

/// The file system, and which of its mounts if the kernel says that (from Linux 5.8 on).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MountedAt {
    device: (u32, u32),
    mount: Option<u64>,
}

impl MountedAt {
    fn of(dir: &OwnedFd) -> io::Result<MountedAt> {
        let status = match statx(dir, c"", AtFlags::EMPTY_PATH, StatxFlags::BASIC_STATS | StatxFlags::MNT_ID) {
            // Linux before 4.11, or a filter of system calls that does not know it.
            Err(Errno::NOSYS | Errno::PERM) => {
                let device = fstat(dir)?.st_dev;
                return Ok(MountedAt { device: (major(device), minor(device)), mount: None });
            }
            answer => answer?,
        };
        let known = StatxFlags::from_bits_retain(status.stx_mask).contains(StatxFlags::MNT_ID);
        Ok(MountedAt {
            device: (status.stx_dev_major, status.stx_dev_minor),
            mount: known.then_some(status.stx_mnt_id),
        })
    }
}

/// What is removed, and from where.
struct Emptying<'a> {
    place: MountedAt,
    keep: &'a dyn Fn(&Path) -> bool,
}

impl Emptying<'_> {
    /// By the open directory, so that one that is exchanged for a link meanwhile leads nowhere. `path` is for errors.
    fn directory(&self, dir: &OwnedFd, path: &Path) -> io::Result<bool> {
        let mut names = Vec::new();
        for entry in Dir::read_from(dir)? {
            let name = entry?.file_name().to_owned();
            if ![c".", c".."].contains(&name.as_c_str()) {
                names.push(name);
            }
        }
        let mut all = true;
        for name in names {
            let at = path.join(OsStr::from_bytes(name.as_bytes()));
            let gone = match opened(dir, &name) {
                Ok(inside) => {
                    // Mounted since the table was read, or only for others.
                    if MountedAt::of(&inside)? != self.place {
                        return Err(mounted(&at));
                    }
                    self.directory(&inside, &at)?.then(|| unlinkat(dir, &name, AtFlags::REMOVEDIR))
                }
                Err(e) if is_no_directory(&e) => (!(self.keep)(&at)).then(|| unlinkat(dir, &name, AtFlags::empty())),
                // Another thread of ours may remove it at the same time.
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(e) => return Err(named(&at, &e)),
            };
            match gone {
                Some(Ok(()) | Err(Errno::NOENT)) => {}
                Some(Err(e)) => return Err(named(&at, &e.into())),
                None => all = false,
            }
        }
        Ok(all)
    }
}

fn named(at: &Path, e: &io::Error) -> io::Error {
    io::Error::new(e.kind(), format!("{}: {e}", at.display()))
}

fn is_no_directory(e: &io::Error) -> bool {
    [Errno::NOTDIR, Errno::LOOP].iter().any(|none| e.raw_os_error() == Some(none.raw_os_error()))
}

/// Opens a directory that is no link.
fn opened(at: impl AsFd, name: &CString) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(at, name.as_c_str(), flags, Mode::empty())?)
}

fn c_string(path: &OsStr) -> io::Result<CString> {
    Ok(CString::new(path.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_removed_and_what_its_links_lead_to_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let (root, other) = (dir.path().join("root"), dir.path().join("other"));
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::create_dir(&other).unwrap();
        std::fs::write(other.join("theirs"), "x").unwrap();
        std::fs::write(root.join("a/b/file"), "x").unwrap();
        std::fs::write(root.join("a/own.cnf"), "x").unwrap();
        std::os::unix::fs::symlink(&other, root.join("a/link")).unwrap();
        assert!(!emptied(&root, &|path| path.ends_with("own.cnf")).unwrap());
        assert!(root.join("a/own.cnf").exists() && !root.join("a/b").exists() && !root.join("a/link").is_symlink());
        tree(&root).unwrap();
        assert!(!root.exists() && other.join("theirs").exists());
        std::os::unix::fs::symlink(&other, &root).unwrap();
        assert!(tree(&root).is_err() && other.join("theirs").exists(), "a link is no tree");
    }

    #[test]
    fn paths_of_the_table_of_mounts_are_read() {
        assert_eq!(unescaped(r"/a\040b\134c"), Path::new(r"/a b\c"));
        assert_eq!(unescaped(r"/a\9"), Path::new(r"/a\9"));
        assert_eq!(mount_below(Path::new("/proc/self/fd")), None);
        assert!(mount_below(Path::new("/")).is_some(), "proc itself");
    }
}
