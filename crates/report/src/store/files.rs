//! Access to the files of a run directory, which may come from someone else: symbolic links are not followed, only
//! regular files are read, and only up to a given length. A file is written under a new name and then renamed, so
//! nothing is written through an existing link.
//!
//! All names are resolved relative to an open directory. Replacing a parent directory at the same time therefore has no
//! effect. A directory may also be one in a bundle ([`super::bundle`]), which can only be read.

use super::unpacked::{Part, Unpacked};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::fs::{fstat, linkat, mkdirat, openat, renameat, renameat_with, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open directory.
#[derive(Debug)]
pub struct Folder {
    place: FolderPlace,
    path: PathBuf,
}

/// Where a directory is.
#[derive(Debug)]
enum FolderPlace {
    Disk(OwnedFd),
    /// In a bundle; the path within it, which ends in `/` unless it is empty.
    Bundle(Arc<Unpacked>, String),
}

/// An open file of a run directory.
#[derive(Debug)]
pub enum RunFile {
    /// On the disk.
    Disk(File),
    /// In a bundle.
    Packed(Part),
}

impl RunFile {
    /// Its length now, bytes.
    pub fn length(&self) -> io::Result<u64> {
        match self {
            RunFile::Disk(file) => Ok(file.metadata()?.len()),
            RunFile::Packed(part) => Ok(part.length()),
        }
    }

    /// When it was changed last, seconds since 1970; 0 if that is not known.
    pub fn changed_s(&self) -> u64 {
        let RunFile::Disk(file) = self else { return 0 };
        let changed = file.metadata().ok().and_then(|about| about.modified().ok());
        changed.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok()).map_or(0, |since| since.as_secs())
    }
}

impl Read for RunFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            RunFile::Disk(file) => file.read(buffer),
            RunFile::Packed(part) => part.read(buffer),
        }
    }
}

/// The identity of a file or directory, independent of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
    /// Bytes.
    pub size: u64,
    /// Whether it has no name any more (its link count is 0).
    pub deleted: bool,
}

impl Identity {
    /// Whether both are the same file.
    pub fn is(&self, other: &Identity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

impl Folder {
    /// Opens a directory that the user named. Links in its path are followed.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let fd = rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Folder { place: FolderPlace::Disk(fd), path: path.to_path_buf() })
    }

    /// The directory of the run in a bundle. `path`: the bundle's, for messages.
    pub fn of_bundle(bundle: Unpacked, path: &Path) -> Folder {
        Folder { place: FolderPlace::Bundle(Arc::new(bundle), String::new()), path: path.to_path_buf() }
    }

    /// Its descriptor, for what a bundle does not have. Fails for one in a bundle.
    fn fd(&self) -> io::Result<&OwnedFd> {
        match &self.place {
            FolderPlace::Disk(fd) => Ok(fd),
            FolderPlace::Bundle(..) => Err(io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "a bundle is only read")),
        }
    }

    /// The same for writing only: the permission to list the directory is not needed.
    pub fn reach(path: &Path) -> io::Result<Folder> {
        let fd = rustix::fs::open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Folder { place: FolderPlace::Disk(fd), path: path.to_path_buf() })
    }

    /// Opens a subdirectory. Fails if it is a link.
    pub fn folder(&self, name: &str) -> io::Result<Folder> {
        let path = self.path.join(name);
        let fd = match &self.place {
            FolderPlace::Disk(fd) => fd,
            FolderPlace::Bundle(bundle, within) => {
                let within = format!("{within}{name}/");
                let place = FolderPlace::Bundle(bundle.clone(), within.clone());
                return bundle.has_folder(&within).then_some(Folder { place, path }).ok_or_else(not_found);
            }
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(fd, name, flags, Mode::empty()) {
            Ok(fd) => Ok(Folder { place: FolderPlace::Disk(fd), path }),
            // The kernel returns this error for a symbolic link as well.
            Err(Errno::NOTDIR) => Err(self.kind(name).map_or(Errno::NOTDIR.into(), refused)),
            Err(e) => Err(e.into()),
        }
    }

    /// Creates a subdirectory, which must not exist.
    pub fn make_folder(&self, name: &str) -> io::Result<Folder> {
        mkdirat(self.fd()?, name, Mode::from_raw_mode(0o777))?;
        self.folder(name)
    }

    /// Opens a regular file for reading. Fails for anything else.
    pub fn file(&self, name: &str) -> io::Result<RunFile> {
        let fd = match &self.place {
            FolderPlace::Disk(fd) => fd,
            FolderPlace::Bundle(bundle, within) => {
                return bundle.file(&format!("{within}{name}")).map(RunFile::Packed).ok_or_else(not_found);
            }
        };
        // Without NONBLOCK, opening a FIFO would block until another process writes to it.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = match openat(fd, name, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::LOOP) => return Err(refused(FileType::Symlink)),
            // The error for a socket.
            Err(Errno::NXIO) => return Err(self.kind(name).map_or(Errno::NXIO.into(), refused)),
            Err(e) => return Err(e.into()),
        };
        match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
            FileType::RegularFile => Ok(RunFile::Disk(File::from(fd))),
            other => Err(refused(other)),
        }
    }

    /// Reads a regular file. Fails if it has more than `most` bytes.
    pub fn whole(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        tenbin_intake::bytes(self.file(name)?, most).map_err(|e| match tenbin_intake::is_too_long(&e) {
            true => io::Error::other(format!("it is longer than {} and is not read", size(most))),
            false => e,
        })
    }

    /// Creates a file for appending, which must not exist.
    pub fn log(&self, name: &str) -> io::Result<File> {
        let flags =
            OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(openat(self.fd()?, name, flags, Mode::from_raw_mode(0o666))?))
    }

    /// Writes a file, which replaces whatever has this name (a link itself, not its target). Readers never see an
    /// incomplete file. If the file cannot be written, the old one remains.
    pub fn replace(&self, name: impl AsRef<OsStr>, content: &[u8]) -> io::Result<()> {
        let fd = self.fd()?;
        let (fresh, mut file) = self.fresh()?;
        let written = file.write_all(content).and_then(|()| Ok(renameat(fd, &fresh, fd, name.as_ref())?));
        if written.is_err() {
            let _ = unlinkat(fd, &fresh, AtFlags::empty());
        }
        written
    }

    /// Writes a file that must not exist, as `write` does. If that fails, there is none.
    pub fn create(&self, name: &OsStr, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let fd = self.fd()?;
        let (fresh, mut file) = self.fresh()?;
        let written =
            write(&mut file).and_then(|()| match renameat_with(fd, &fresh, fd, name, RenameFlags::NOREPLACE) {
                // A file system that cannot do that. A link fails too if the name is taken; the other name is removed below.
                Err(Errno::INVAL | Errno::NOSYS) => {
                    let linked = linkat(fd, &fresh, fd, name, AtFlags::empty());
                    let _ = unlinkat(fd, &fresh, AtFlags::empty());
                    Ok(linked?)
                }
                renamed => Ok(renamed?),
            });
        if written.is_err() {
            let _ = unlinkat(fd, &fresh, AtFlags::empty());
        }
        written
    }

    /// A new file with an unpredictable name.
    fn fresh(&self) -> io::Result<(String, File)> {
        let fd = self.fd()?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let name = format!(".tenbin-{:016x}.new", RandomState::new().hash_one(std::process::id()));
            match openat(fd, &name, flags, Mode::from_raw_mode(0o666)) {
                Ok(fd) => return Ok((name, File::from(fd))),
                Err(Errno::EXIST) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    /// The identity of what has this name; that of a link is not its target's.
    pub fn identity(&self, name: &str) -> io::Result<Identity> {
        Ok(identity_of(&statat(self.fd()?, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// The identity of the directory itself.
    pub fn own(&self) -> io::Result<Identity> {
        Ok(identity_of(&fstat(self.fd()?)?))
    }

    /// Whether anything has this name.
    pub fn has(&self, name: &str) -> bool {
        match &self.place {
            FolderPlace::Disk(_) => self.identity(name).is_ok(),
            FolderPlace::Bundle(bundle, within) => {
                let path = format!("{within}{name}");
                bundle.file(&path).is_some() || bundle.has_folder(&format!("{path}/"))
            }
        }
    }

    /// The names in the directory, sorted.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        use std::os::unix::ffi::OsStringExt;
        let fd = match &self.place {
            FolderPlace::Disk(fd) => fd,
            FolderPlace::Bundle(bundle, within) => return Ok(bundle.names(within)),
        };
        let entries = rustix::fs::Dir::read_from(fd)?;
        let mut names = entries
            .map(|entry| Ok(OsString::from_vec(entry?.file_name().to_bytes().to_vec())))
            .collect::<io::Result<Vec<_>>>()?;
        names.retain(|name| name != "." && name != "..");
        names.sort();
        Ok(names)
    }

    /// The path of a name in the directory, for messages.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn kind(&self, name: &str) -> Option<FileType> {
        statat(self.fd().ok()?, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(|s| FileType::from_raw_mode(s.st_mode))
    }
}

/// The current identity of an open file.
pub fn identity(file: &File) -> io::Result<Identity> {
    Ok(identity_of(&fstat(file)?))
}

fn identity_of(stat: &rustix::fs::Stat) -> Identity {
    Identity { device: stat.st_dev, inode: stat.st_ino, size: stat.st_size as u64, deleted: stat.st_nlink == 0 }
}

fn not_found() -> io::Error {
    Errno::NOENT.into()
}

fn refused(kind: FileType) -> io::Error {
    let word = match kind {
        FileType::Symlink => "a symbolic link",
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        FileType::Directory => "a directory",
        FileType::RegularFile => "a file",
        _ => "a device",
    };
    io::Error::other(format!("it is {word}, which no run directory holds there"))
}

/// Writes or replaces a file that the user named. What is not a regular file (`/dev/stdout`) is written to instead of
/// replaced.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        return fs::write(path, content);
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return fs::write(path, content);
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    Folder::reach(parent)?.replace(name, content.as_ref())
}

/// A number of bytes as text, with a unit.
pub fn size(bytes: u64) -> String {
    tenbin_words::figure::bytes(bytes as f64)
}
