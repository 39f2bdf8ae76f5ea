//! Copies of files and directory trees: by sharing their blocks where the file system can (reflink), otherwise by copying
//! without the holes of sparse files. What was copied has a digest of each file, made of the bytes that were read.

use crate::rights::Rights;
use rustix::fs::{Mode, OFlags, SeekFrom};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tenbin_model::stop::StopSignal;
use tenbin_words::hex::hex;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

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

/// SHA-256 of the content of each regular file of a tree, by its path from the root; that of a single file is empty.
pub type Digests = BTreeMap<PathBuf, String>;

/// A tree, and with whose rights it is touched.
#[derive(Debug, Clone, Copy)]
pub struct TreePlace<'a> {
    /// Its root.
    pub path: &'a Path,
    /// With whose rights.
    pub rights: Rights,
}

impl<'a> TreePlace<'a> {
    /// A tree that no one else can change.
    pub fn ours(path: &'a Path) -> TreePlace<'a> {
        TreePlace { path, rights: Rights::OURS }
    }
}

/// How a tree is copied.
#[derive(Clone, Copy)]
pub struct Copying<'a> {
    /// Which files and directories, by their paths from the root.
    pub keep: &'a dyn Fn(&Path) -> bool,
    /// Told of the number of bytes so far.
    pub progress: &'a dyn Fn(u64),
    /// Ends it.
    pub stop: &'a StopSignal,
    /// Whether the root of the copy is an empty directory that is there already; otherwise it must not exist.
    pub into: bool,
}

/// One file or directory of a tree.
struct TreeEntry {
    /// From the root of the tree; empty for the root itself.
    path: PathBuf,
    meta: Metadata,
}

/// All files and directories below `root` that `keep` accepts by their paths from it, parents before children, in the order of
/// their names. Fails at a symbolic link, or what is as one to the server: what it points to would not be part of a copy.
fn entries(root: TreePlace<'_>, keep: &dyn Fn(&Path) -> bool) -> Result<Vec<TreeEntry>, Problem> {
    let mut link = None;
    let entries = root.rights.within(|| listed(root.path, keep, &mut link));
    if let Some(link) = link {
        return Err(Problem::new(msg!("link-in-data-directory", link = link.display())).hint(msg!("restore-by-reload")));
    }
    entries.map_err(|e| Problem::new(msg!("file-unreadable", file = root.path.display())).evidence(foreign(e)))
}

fn listed(root: &Path, keep: &dyn Fn(&Path) -> bool, link: &mut Option<PathBuf>) -> io::Result<Vec<TreeEntry>> {
    let named = |path: &Path, e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
    let meta = std::fs::symlink_metadata(root).map_err(|e| named(root, e))?;
    let mut entries = vec![TreeEntry { path: PathBuf::new(), meta }];
    let mut next = 0;
    while let Some(entry) = entries.get(next) {
        next += 1;
        if !entry.meta.is_dir() {
            continue;
        }
        let (at, relative) = (root.join(&entry.path), entry.path.clone());
        let read = std::fs::read_dir(&at).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut inside = read.map_err(|e| named(&at, e))?;
        inside.sort_by_key(std::fs::DirEntry::file_name);
        for child in inside.into_iter().filter(|child| keep(&relative.join(child.file_name()))) {
            let meta = std::fs::symlink_metadata(child.path()).map_err(|e| named(&child.path(), e))?;
            if meta.is_symlink() || leads_elsewhere(&child.file_name()) {
                *link = Some(child.path());
                return Ok(entries);
            }
            // Sockets and pipes belong to a running server.
            if meta.is_dir() || meta.is_file() {
                entries.push(TreeEntry { path: relative.join(child.file_name()), meta });
            }
        }
    }
    Ok(entries)
}

/// Whether a file is as a link to InnoDB: it names the file of a table that was created with DATA DIRECTORY (MariaDB, and MySQL before 8.0).
fn leads_elsewhere(name: &OsStr) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "isl")
}

/// Copies the file or the tree `from` to `to`: contents, modes and times. The copy belongs to the account with whose rights it
/// is written.
pub fn copy(from: TreePlace<'_>, to: TreePlace<'_>, how: &Copying<'_>) -> Result<(Copied, Digests), Problem> {
    let all = entries(from, how.keep)?;
    let (mut done, mut digests) = (Copied::default(), Digests::new());
    let cannot = |path: &Path, e: io::Error| {
        let problem = Problem::new(msg!("file-cannot-be-copied", file = path.display())).evidence(foreign(&e));
        if e.kind() == io::ErrorKind::StorageFull { problem.hint(msg!("free-space-for-copy")) } else { problem }
    };
    for TreeEntry { path, meta } in &all {
        // The root may be a file, whose relative path is empty.
        let (source, target) = (below(from.path, path), below(to.path, path));
        if meta.is_dir() {
            let is_there = how.into && path.as_os_str().is_empty();
            // Open to its owner alone until everything is in it.
            let make = || if is_there { Ok(()) } else { std::fs::DirBuilder::new().mode(0o700).create(&target) };
            to.rights.within(make).map_err(|e| cannot(&target, e))?;
            continue;
        }
        let (source, destination) = (TreePlace { path: &source, ..from }, TreePlace { path: &target, ..to });
        let (shared, digest) = copy_file(source, destination, meta, done.bytes, how).map_err(|e| cannot(&target, e))?;
        if how.stop.asked() {
            return Err(Problem::new(msg!("stopped-while-copying")));
        }
        digests.insert(path.clone(), digest);
        done.files += 1;
        done.bytes += meta.len();
        done.shared += if shared { meta.len() } else { 0 };
        (how.progress)(done.bytes);
    }
    for TreeEntry { path, meta } in all.iter().rev().filter(|entry| entry.meta.is_dir()) {
        let target = below(to.path, path);
        let dressed = to.rights.within(|| open_directory(&target).and_then(|dir| dress(&dir, meta)));
        dressed.map_err(|e| cannot(&target, e))?;
    }
    Ok((done, digests))
}

pub(super) fn below(root: &Path, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { root.to_owned() } else { root.join(path) }
}

/// Opens a directory that is no link.
pub(super) fn open_directory(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Opens a regular file that is no link.
fn open_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file any more")) }
}

/// How much is copied between two looks at the stop signal.
const PART: usize = 1 << 20;

/// Copies one file; returns whether it shares its blocks with the original, and its digest.
fn copy_file(
    from: TreePlace<'_>,
    to: TreePlace<'_>,
    meta: &Metadata,
    before: u64,
    how: &Copying<'_>,
) -> io::Result<(bool, String)> {
    let input = from.rights.within(|| open_file(from.path))?;
    let create = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    let output = to.rights.within(|| Ok(File::from(rustix::fs::open(to.path, create, mode)?)))?;
    let shared = match rustix::fs::ioctl_ficlone(&output, &input) {
        Ok(()) => true,
        // Another file system, or one that cannot share blocks.
        Err(Errno::OPNOTSUPP | Errno::XDEV | Errno::INVAL | Errno::NOTTY | Errno::NOSYS | Errno::PERM) => false,
        Err(e) => return Err(e.into()),
    };
    let progress = |at: u64| (how.progress)(before + at);
    let digest = if shared {
        // That of the copy, which no other process has open.
        digest_of(&output, how.stop)?
    } else {
        output.set_len(meta.len())?;
        read_through(&input, meta.len(), how.stop, |at, bytes| {
            output.write_all_at(bytes, at)?;
            progress(at + bytes.len() as u64);
            Ok(())
        })?
    };
    to.rights.within(|| dress(&output, meta))?;
    Ok((shared, digest))
}

/// The digest of a file.
fn digest_of(file: &File, stop: &StopSignal) -> io::Result<String> {
    read_through(file, file.metadata()?.len(), stop, |_, _| Ok(()))
}

/// Reads a file and passes on its parts that are not holes; returns the digest of all of it. Ends early at a stop.
fn read_through(
    input: &File,
    length: u64,
    stop: &StopSignal,
    mut part: impl FnMut(u64, &[u8]) -> io::Result<()>,
) -> io::Result<String> {
    let (mut hash, mut buffer, zeros) = (Sha256::new(), vec![0; PART], vec![0; PART]);
    let mut at = 0;
    while at < length && !stop.asked() {
        let from = match rustix::fs::seek(input, SeekFrom::Data(at)) {
            Ok(from) => from.min(length),
            // Only a hole remains.
            Err(Errno::NXIO) => length,
            // A file system that does not know about holes.
            Err(_) => at,
        };
        while at < from && !stop.asked() {
            let hole = &zeros[..usize::try_from(from - at).unwrap_or(PART).min(PART)];
            hash.update(hole);
            at += hole.len() as u64;
        }
        let until = rustix::fs::seek(input, SeekFrom::Hole(from)).unwrap_or(length).min(length);
        while at < until && !stop.asked() {
            let wanted = usize::try_from(until - at).unwrap_or(PART).min(PART);
            let read = input.read_at(&mut buffer[..wanted], at)?;
            if read == 0 {
                // The file has become shorter.
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            hash.update(&buffer[..read]);
            part(at, &buffer[..read])?;
            at += read as u64;
        }
    }
    Ok(hex(&hash.finalize()))
}

/// The digests of all files of a tree.
pub fn digests(root: TreePlace<'_>, stop: &StopSignal) -> Result<Digests, Problem> {
    let mut all = Digests::new();
    for TreeEntry { path, .. } in entries(root, &|_| true)?.into_iter().filter(|entry| entry.meta.is_file()) {
        let file = below(root.path, &path);
        let read = root.rights.within(|| open_file(&file)).and_then(|file| digest_of(&file, stop));
        let digest =
            read.map_err(|e| Problem::new(msg!("file-unreadable", file = file.display())).evidence(foreign(e)))?;
        if stop.asked() {
            return Err(Problem::new(msg!("stopped-while-copying")));
        }
        all.insert(path, digest);
    }
    Ok(all)
}

/// Gives a copy the mode and the times of the original.
fn dress(copy: &File, original: &Metadata) -> io::Result<()> {
    copy.set_permissions(std::fs::Permissions::from_mode(original.mode() & 0o777))?;
    let times = std::fs::FileTimes::new().set_accessed(original.accessed()?).set_modified(original.modified()?);
    copy.set_times(times)
}

/// Makes a tree ours that another account has made: each directory before what is in it, so that its maker cannot exchange
/// anything any more.
pub fn take_over(root: &Path) -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let dir = open_directory(root)?;
    std::os::unix::fs::fchown(&dir, Some(user), Some(group))?;
    let mode = dir.metadata()?.mode() & 0o755;
    dir.set_permissions(std::fs::Permissions::from_mode(mode))?;
    for entry in std::fs::read_dir(root)? {
        let path = entry?.path();
        let meta = path.symlink_metadata()?;
        if meta.is_dir() {
            take_over(&path)?;
        } else if meta.nlink() > 1 {
            return Err(io::Error::other(format!("{} has another name", path.display())));
        } else {
            std::os::unix::fs::lchown(&path, Some(user), Some(group))?;
        }
    }
    Ok(())
}

/// The files of a tree, the sum of their lengths, and a digest of the names, lengths and times of change of all of them:
/// equal for two looks at an unchanged tree.
pub fn fingerprint(root: TreePlace<'_>) -> Result<(u64, u64, String), Problem> {
    let (mut files, mut bytes, mut hash) = (0, 0, Sha256::new());
    for TreeEntry { path, meta } in entries(root, &|_| true)?.iter().filter(|entry| entry.meta.is_file()) {
        files += 1;
        bytes += meta.len();
        hash.update(path.as_os_str().as_bytes());
        hash.update([0]);
        for figure in [meta.len().cast_signed(), meta.mtime(), meta.mtime_nsec()] {
            hash.update(figure.to_le_bytes());
        }
    }
    let digest = hex(&hash.finalize()[..16]);
    Ok((files, bytes, digest))
}

/// Writes everything of a file system to its disk, so that a load does not compete with it.
pub fn sync(at: TreePlace<'_>) -> Result<(), Problem> {
    let opened = at
        .rights
        .within(|| Ok(File::from(rustix::fs::open(at.path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)));
    let synced = opened.and_then(|file| rustix::fs::syncfs(file).map_err(Into::into));
    synced.map_err(|e: io::Error| {
        Problem::new(msg!("file-cannot-be-written", file = at.path.display())).evidence(foreign(e))
    })
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
        let progress = std::cell::Cell::new(0);
        let stop = StopSignal::new();
        let how = Copying {
            keep: &|path| path != Path::new("pid"),
            progress: &|n| progress.set(n),
            stop: &stop,
            into: false,
        };
        let (copied, digests) = copy(TreePlace::ours(&from), TreePlace::ours(&to), &how).unwrap();
        let bytes = 100_004 + (10 << 20) + 3;
        assert_eq!((copied.files, copied.bytes, progress.get()), (3, bytes, bytes));
        assert!(copied.shared == 0 || copied.shared == bytes);
        assert_eq!(std::fs::read(to.join("ibdata1")).unwrap(), vec![7; 100_000]);
        assert!(!to.join("pid").exists());
        assert_eq!(std::fs::metadata(to.join("sbtest")).unwrap().mode() & 0o7777, 0o750);
        let sparse = std::fs::metadata(to.join("sbtest/deep/sparse")).unwrap();
        assert!(sparse.blocks() * 512 < 1 << 20, "{} blocks", sparse.blocks());
        std::fs::remove_file(from.join("pid")).unwrap();
        let fingerprint = |root: &Path| fingerprint(TreePlace::ours(root)).unwrap();
        assert_eq!(fingerprint(&from), fingerprint(&to));
        // As sha256sum calculates them, also where a file has a hole.
        let file = Path::new("sbtest/deep/sparse");
        let sum = std::process::Command::new("sha256sum").arg(from.join(file)).output().unwrap().stdout;
        assert_eq!(String::from_utf8(sum).unwrap()[..64], digests[file]);
        let now = || super::digests(TreePlace::ours(&to), &stop).unwrap();
        assert_eq!(now(), digests);
        let was = std::fs::metadata(to.join("sbtest/a.ibd")).unwrap().modified().unwrap();
        std::fs::write(to.join("sbtest/a.ibd"), b"swor").unwrap();
        assert_ne!(fingerprint(&from).2, fingerprint(&to).2);
        File::options().write(true).open(to.join("sbtest/a.ibd")).unwrap().set_modified(was).unwrap();
        assert_eq!(fingerprint(&from).2, fingerprint(&to).2, "names, lengths and times are as they were");
        assert_ne!(now(), digests);
    }

    #[test]
    fn links_are_refused_and_a_stop_ends_a_copy() {
        let dir = tree();
        let from = dir.path().join("data");
        let stop = StopSignal::new();
        stop.ask();
        let copied = |to: &str, stop: &StopSignal| {
            let how = Copying { keep: &|_| true, progress: &|_| {}, stop, into: false };
            copy(TreePlace::ours(&from), TreePlace::ours(&dir.path().join(to)), &how)
        };
        assert!(copied("stopped", &stop).is_err());
        std::os::unix::fs::symlink("/etc", from.join("elsewhere")).unwrap();
        let refused = copied("linked", &StopSignal::new()).unwrap_err();
        assert!(refused.what.english().contains("elsewhere"), "{refused}");
        assert!(!dir.path().join("linked").exists(), "nothing is made");
        std::fs::remove_file(from.join("elsewhere")).unwrap();
        std::fs::write(from.join("sbtest/d.isl"), "/fast/sbtest/d.ibd").unwrap();
        let refused = copied("elsewhere", &StopSignal::new()).unwrap_err();
        assert!(refused.what.english().contains("d.isl"), "{refused}");
    }
}
