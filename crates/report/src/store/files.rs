//! The files of a run directory, opened so that one from a stranger does no harm: links are not followed, only regular
//! files are read, nothing is read at whatever length it has, and what is written takes the place of a name instead of
//! going through it.
//!
//! Everything goes through an open directory, not through a path: a name that is exchanged meanwhile leads nowhere
//! else.

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// An open directory.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

/// What a file or directory is, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
    /// Bytes.
    pub size: u64,
    /// Whether its last name is gone.
    pub deleted: bool,
}

impl Identity {
    /// Whether both are the same file.
    pub fn is(&self, other: &Identity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

impl Folder {
    /// Opens a directory that the user has named: there links are followed.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let fd = rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Folder { fd, path: path.to_path_buf() })
    }

    /// The same for writing only, where one may not even be allowed to list it.
    fn reach(path: &Path) -> io::Result<Folder> {
        let fd = rustix::fs::open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Folder { fd, path: path.to_path_buf() })
    }

    /// Opens a directory inside.
    pub fn folder(&self, name: &str) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => Ok(Folder { fd, path: self.path.join(name) }),
            // What the kernel says of a link, too.
            Err(Errno::NOTDIR) => Err(self.kind(name).map_or(Errno::NOTDIR.into(), refused)),
            Err(e) => Err(e.into()),
        }
    }

    /// Makes a directory inside, which must not be there.
    pub fn make_folder(&self, name: &str) -> io::Result<Folder> {
        mkdirat(&self.fd, name, Mode::from_raw_mode(0o777))?;
        self.folder(name)
    }

    /// Opens a regular file for reading.
    pub fn file(&self, name: &str) -> io::Result<File> {
        // A FIFO would hold us until somebody writes into it.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = match openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::LOOP) => return Err(refused(FileType::Symlink)),
            // A socket.
            Err(Errno::NXIO) => return Err(self.kind(name).map_or(Errno::NXIO.into(), refused)),
            Err(e) => return Err(e.into()),
        };
        match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
            FileType::RegularFile => Ok(File::from(fd)),
            other => Err(refused(other)),
        }
    }

    /// The whole of a regular file that has at most `most` bytes.
    pub fn whole(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file(name)?.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("it is longer than {} and is not read", size(most))));
        }
        Ok(bytes)
    }

    /// Makes a file for appending, which must not be there.
    pub fn log(&self, name: &str) -> io::Result<File> {
        let flags =
            OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.fd, name, flags, Mode::from_raw_mode(0o666))?))
    }

    /// Puts a file in the place of whatever has this name (a link itself, not what it leads to): a reader never sees
    /// half of it, and when it cannot be written, what was there stays.
    pub fn replace(&self, name: impl AsRef<OsStr>, content: &[u8]) -> io::Result<()> {
        let (fresh, mut file) = self.fresh()?;
        let written = file.write_all(content).and_then(|()| Ok(renameat(&self.fd, &fresh, &self.fd, name.as_ref())?));
        if written.is_err() {
            let _ = unlinkat(&self.fd, &fresh, AtFlags::empty());
        }
        written
    }

    /// A new file under a name that nobody can have foreseen.
    fn fresh(&self) -> io::Result<(String, File)> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let name = format!(".tenbin-{:016x}.new", RandomState::new().hash_one(std::process::id()));
            match openat(&self.fd, &name, flags, Mode::from_raw_mode(0o666)) {
                Ok(fd) => return Ok((name, File::from(fd))),
                Err(Errno::EXIST) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    /// What has this name; a link is itself.
    pub fn identity(&self, name: &str) -> io::Result<Identity> {
        Ok(identity_of(&statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// What the directory itself is.
    pub fn own(&self) -> io::Result<Identity> {
        Ok(identity_of(&fstat(&self.fd)?))
    }

    /// Whether anything has this name.
    pub fn has(&self, name: &str) -> bool {
        self.identity(name).is_ok()
    }

    /// The names inside, in order.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        use std::os::unix::ffi::OsStringExt;
        let entries = rustix::fs::Dir::read_from(&self.fd)?;
        let mut names = entries
            .map(|entry| Ok(OsString::from_vec(entry?.file_name().to_bytes().to_vec())))
            .collect::<io::Result<Vec<_>>>()?;
        names.retain(|name| name != "." && name != "..");
        names.sort();
        Ok(names)
    }

    /// The path of what has this name, for messages.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn kind(&self, name: &str) -> Option<FileType> {
        statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(|s| FileType::from_raw_mode(s.st_mode))
    }
}

/// What an open file is now.
pub fn identity(file: &File) -> io::Result<Identity> {
    Ok(identity_of(&fstat(file)?))
}

fn identity_of(stat: &rustix::fs::Stat) -> Identity {
    Identity { device: stat.st_dev, inode: stat.st_ino, size: stat.st_size as u64, deleted: stat.st_nlink == 0 }
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

/// Writes or replaces a file that the user has named. `/dev/stdout` and its like are written to, not replaced.
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

/// Bytes as one reads them.
pub fn size(bytes: u64) -> String {
    tenbin_model::figure::bytes(bytes as f64)
}
