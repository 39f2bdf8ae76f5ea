//! Copies of files and directory trees: by sharing their blocks where the file system can (reflink), otherwise by copying
//! in the kernel, without the holes of sparse files.

use rustix::fs::{Mode, OFlags, SeekFrom};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// What was copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    /// Regular files.
    pub files: u64,
    /// The sum of their lengths.
    pub bytes: u64,
    /// How many of these bytes share their blocks with the original.
    pub shared: u64,
}

/// One file or directory of a tree.
struct Entry {
    /// From the root of the tree; empty for the root itself.
    path: PathBuf,
    meta: Metadata,
}

/// All files and directories below `root` that `keep` accepts by their names, parents before children, in the order of
/// their names. Fails at a symbolic link: what it points to would not be part of a copy.
fn entries(root: &Path, keep: &dyn Fn(&OsStr) -> bool) -> Result<Vec<Entry>, Problem> {
    let cannot =
        |path: &Path, e: io::Error| Problem::new(msg!("file-unreadable", file = path.display())).evidence(foreign(e));
    let mut found =
        vec![Entry { path: PathBuf::new(), meta: std::fs::symlink_metadata(root).map_err(|e| cannot(root, e))? }];
    let mut next = 0;
    while let Some(entry) = found.get(next) {
        next += 1;
        if !entry.meta.is_dir() {
            continue;
        }
        let (at, relative) = (root.join(&entry.path), entry.path.clone());
        let read = std::fs::read_dir(&at).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut inside = read.map_err(|e| cannot(&at, e))?;
        inside.sort_by_key(std::fs::DirEntry::file_name);
        for child in inside.into_iter().filter(|child| keep(&child.file_name())) {
            let meta = std::fs::symlink_metadata(child.path()).map_err(|e| cannot(&child.path(), e))?;
            if meta.is_symlink() {
                return Err(Problem::new(msg!("link-in-data-directory", link = child.path().display()))
                    .hint(msg!("restore-by-reload")));
            }
            // Sockets and pipes belong to a running server.
            if meta.is_dir() || meta.is_file() {
                found.push(Entry { path: relative.join(child.file_name()), meta });
            }
        }
    }
    Ok(found)
}

/// Copies the file or the tree `from` to `to`, which must not exist: contents, modes, times, and if we are root owners.
/// `progress` receives the number of bytes so far.
pub fn copy(
    from: &Path,
    to: &Path,
    keep: &dyn Fn(&OsStr) -> bool,
    progress: &dyn Fn(u64),
    stop: &StopSignal,
) -> Result<Copied, Problem> {
    let all = entries(from, keep)?;
    let mut done = Copied::default();
    let cannot = |path: &Path, e: io::Error| {
        let problem = Problem::new(msg!("file-cannot-be-copied", file = path.display())).evidence(foreign(&e));
        if e.kind() == io::ErrorKind::StorageFull { problem.hint(msg!("free-space-for-copy")) } else { problem }
    };
    for Entry { path, meta } in &all {
        // The root may be a file, whose relative path is empty.
        let (source, target) = (below(from, path), below(to, path));
        if meta.is_dir() {
            // Open to us alone until everything is in it.
            std::fs::DirBuilder::new().mode(0o700).create(&target).map_err(|e| cannot(&target, e))?;
            continue;
        }
        let shared = copy_file(&source, &target, meta, done.bytes, progress, stop).map_err(|e| cannot(&target, e))?;
        if stop.asked() {
            return Err(Problem::new(msg!("stopped-while-copying")));
        }
        done.files += 1;
        done.bytes += meta.len();
        done.shared += if shared { meta.len() } else { 0 };
        progress(done.bytes);
    }
    for Entry { path, meta } in all.iter().rev().filter(|entry| entry.meta.is_dir()) {
        let target = below(to, path);
        File::open(&target).and_then(|dir| dress(&dir, meta)).map_err(|e| cannot(&target, e))?;
    }
    Ok(done)
}

fn below(root: &Path, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { root.to_owned() } else { root.join(path) }
}

/// How much is copied between two looks at the stop signal.
const PART: u64 = 64 << 20;

/// Copies one file; returns whether it shares its blocks with the original.
fn copy_file(
    from: &Path,
    to: &Path,
    meta: &Metadata,
    before: u64,
    progress: &dyn Fn(u64),
    stop: &StopSignal,
) -> io::Result<bool> {
    let input = File::from(rustix::fs::open(from, OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?);
    let create = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let output = File::from(rustix::fs::open(to, create, Mode::RUSR | Mode::WUSR)?);
    let shared = match rustix::fs::ioctl_ficlone(&output, &input) {
        Ok(()) => true,
        // Another file system, or one that cannot share blocks.
        Err(Errno::OPNOTSUPP | Errno::XDEV | Errno::INVAL | Errno::NOTTY | Errno::NOSYS | Errno::PERM) => false,
        Err(e) => return Err(e.into()),
    };
    if !shared {
        copy_content(&input, &output, meta.len(), before, progress, stop)?;
    }
    dress(&output, meta)?;
    Ok(shared)
}

/// Copies the parts of a file that are not holes.
fn copy_content(
    input: &File,
    output: &File,
    length: u64,
    before: u64,
    progress: &dyn Fn(u64),
    stop: &StopSignal,
) -> io::Result<()> {
    output.set_len(length)?;
    let mut at = 0;
    while at < length && !stop.asked() {
        let from = match rustix::fs::seek(input, SeekFrom::Data(at)) {
            Ok(from) => from,
            // Only a hole remains.
            Err(Errno::NXIO) => break,
            // A file system that does not know about holes.
            Err(_) => at,
        };
        let until = rustix::fs::seek(input, SeekFrom::Hole(from)).unwrap_or(length).min(length).max(from + 1);
        at = from;
        while at < until && !stop.asked() {
            let (mut read, mut written) = (at, at);
            let wanted = usize::try_from((until - at).min(PART)).unwrap_or(usize::MAX);
            let moved = match rustix::fs::copy_file_range(input, Some(&mut read), output, Some(&mut written), wanted) {
                Ok(moved) => moved as u64,
                Err(Errno::XDEV | Errno::NOSYS | Errno::OPNOTSUPP | Errno::INVAL) => {
                    by_hand(input, output, at, wanted as u64)?
                }
                Err(e) => return Err(e.into()),
            };
            if moved == 0 {
                // The file has become shorter.
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            at += moved;
            progress(before + at);
        }
    }
    Ok(())
}

/// The same through memory.
fn by_hand(input: &File, output: &File, at: u64, length: u64) -> io::Result<u64> {
    use std::io::{Read, Seek, SeekFrom};
    let (mut input, mut output) = (input, output);
    input.seek(SeekFrom::Start(at))?;
    output.seek(SeekFrom::Start(at))?;
    io::copy(&mut input.take(length), &mut output)
}

/// Gives a copy the mode, times and, if we are root, the owner of the original.
fn dress(copy: &File, original: &Metadata) -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        fchown(copy, Some(original.uid()), Some(original.gid()))?;
    }
    copy.set_permissions(std::fs::Permissions::from_mode(original.mode() & 0o7777))?;
    let times = std::fs::FileTimes::new().set_accessed(original.accessed()?).set_modified(original.modified()?);
    copy.set_times(times)
}

/// The files of a tree, the sum of their lengths, and a digest of the names, lengths and times of change of all of them:
/// equal for two looks at an unchanged tree.
pub fn fingerprint(root: &Path) -> Result<(u64, u64, String), Problem> {
    let (mut files, mut bytes, mut hash) = (0, 0, Sha256::new());
    for Entry { path, meta } in entries(root, &|_| true)?.iter().filter(|entry| entry.meta.is_file()) {
        files += 1;
        bytes += meta.len();
        hash.update(path.as_os_str().as_bytes());
        hash.update([0]);
        for figure in [meta.len().cast_signed(), meta.mtime(), meta.mtime_nsec()] {
            hash.update(figure.to_le_bytes());
        }
    }
    let digest: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Ok((files, bytes, digest))
}

/// Gives everything in a tree to a user and a group.
pub fn give(root: &Path, owner: (u32, u32)) -> Result<(), Problem> {
    for Entry { path, meta } in entries(root, &|_| true)? {
        if (meta.uid(), meta.gid()) != owner {
            let target = below(root, &path);
            std::os::unix::fs::lchown(&target, Some(owner.0), Some(owner.1)).map_err(|e| {
                Problem::new(msg!("file-cannot-be-written", file = target.display())).evidence(foreign(e))
            })?;
        }
    }
    Ok(())
}

/// Writes everything of a file system to its disk, so that a load does not compete with it.
pub fn sync(at: &Path) -> Result<(), Problem> {
    let synced = File::open(at).and_then(|file| rustix::fs::syncfs(file).map_err(Into::into));
    synced
        .map_err(|e: io::Error| Problem::new(msg!("file-cannot-be-written", file = at.display())).evidence(foreign(e)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};

    fn tree() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir_all(data.join("sbtest/deep")).unwrap();
        std::fs::write(data.join("ibdata1"), vec![7; 100_000]).unwrap();
        std::fs::write(data.join("sbtest/a.ibd"), b"rows").unwrap();
        std::fs::write(data.join("pid"), b"1").unwrap();
        let mut sparse = File::create(data.join("sbtest/deep/sparse")).unwrap();
        sparse.seek(io::SeekFrom::Start(10 << 20)).unwrap();
        sparse.write_all(b"end").unwrap();
        std::fs::set_permissions(data.join("sbtest"), PermissionsExt::from_mode(0o750)).unwrap();
        dir
    }

    #[test]
    fn a_copy_has_the_content_times_modes_and_holes_of_its_original() {
        let dir = tree();
        let (from, to) = (dir.path().join("data"), dir.path().join("copy"));
        let seen = std::cell::Cell::new(0);
        let copied = copy(&from, &to, &|name| name != "pid", &|n| seen.set(n), &StopSignal::new()).unwrap();
        let bytes = 100_004 + (10 << 20) + 3;
        assert_eq!((copied.files, copied.bytes, seen.get()), (3, bytes, bytes));
        assert!(copied.shared == 0 || copied.shared == bytes);
        assert_eq!(std::fs::read(to.join("ibdata1")).unwrap(), vec![7; 100_000]);
        assert!(!to.join("pid").exists());
        assert_eq!(std::fs::metadata(to.join("sbtest")).unwrap().mode() & 0o7777, 0o750);
        let sparse = std::fs::metadata(to.join("sbtest/deep/sparse")).unwrap();
        assert!(sparse.blocks() * 512 < 1 << 20, "{} blocks", sparse.blocks());
        std::fs::remove_file(from.join("pid")).unwrap();
        assert_eq!(fingerprint(&from).unwrap(), fingerprint(&to).unwrap());
        std::fs::write(to.join("sbtest/a.ibd"), b"swor").unwrap();
        assert_ne!(fingerprint(&from).unwrap().2, fingerprint(&to).unwrap().2);
    }

    #[test]
    fn links_are_refused_and_a_stop_ends_a_copy() {
        let dir = tree();
        let from = dir.path().join("data");
        let stop = StopSignal::new();
        stop.ask();
        assert!(copy(&from, &dir.path().join("stopped"), &|_| true, &|_| {}, &stop).is_err());
        std::os::unix::fs::symlink("/etc", from.join("elsewhere")).unwrap();
        let refused = copy(&from, &dir.path().join("linked"), &|_| true, &|_| {}, &StopSignal::new()).unwrap_err();
        assert!(refused.what.english().contains("elsewhere"), "{refused}");
        assert!(!dir.path().join("linked").exists(), "nothing is made");
    }
}
