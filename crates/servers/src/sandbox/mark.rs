//! Marks of what Tenbin makes in the directory of private servers. The directory may contain things of others (it can be any
//! that `TENBIN_STATE_DIR` names): only what has a mark, written when it was made and with the numbers of the directory that
//! was marked, is ended or removed.

use super::files;
use crate::proc;
use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tenbin_words::problem::Problem;

/// The name of the mark in a directory.
pub const NAME: &str = ".tenbin-mark.json";
/// A longer file is not one of ours.
const LONGEST: u64 = 64 << 10;

/// The numbers of a directory, which no other one has, whatever its name: those of its file system and of itself.
pub type DirectoryNumbers = (u64, u64);

/// Those of a directory that is no link.
pub fn numbers(dir: &Path) -> Option<DirectoryNumbers> {
    let meta = std::fs::symlink_metadata(dir).ok().filter(std::fs::Metadata::is_dir)?;
    Some((meta.dev(), meta.ino()))
}

/// An identifier that nothing else has.
pub fn identifier() -> String {
    let random = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", random(), random())
}

/// The text of a short regular file that is no link, and the account that owns it.
pub fn text_of(path: &Path) -> io::Result<(String, u32)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let meta = file.metadata()?;
    if !meta.is_file() || meta.len() > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok((tenbin_intake::text_of(file, LONGEST)?, meta.uid()))
}

/// The mark of a directory in which a data directory is made.
#[derive(Debug, Serialize, Deserialize)]
pub struct Making {
    tenbin_makes: String,
    directory: DirectoryNumbers,
    maker: (u32, u64),
    boot: String,
}

impl Making {
    /// Makes a directory with a mark. The server's account passes through it.
    pub fn make(dir: &Path) -> Result<(), Problem> {
        let us = std::process::id();
        let made = std::os::unix::fs::DirBuilderExt::mode(&mut std::fs::DirBuilder::new(), 0o711).create(dir);
        made.map_err(|e| files::cannot(dir, &e))?;
        let mark = Making {
            tenbin_makes: dir.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            directory: numbers(dir).unwrap_or_default(),
            maker: (us, started(us).unwrap_or(0)),
            boot: proc::boot(),
        };
        files::closed_file(&dir.join(NAME), &serde_json::to_string(&mark).unwrap_or_default())
    }

    /// Whether a directory has such a mark, and who wrote it is gone.
    pub fn is_left(dir: &Path) -> bool {
        let Ok((text, owner)) = text_of(&dir.join(NAME)) else { return false };
        let Ok(mark) = serde_json::from_str::<Making>(&text) else { return false };
        let is_ours = owner == rustix::process::geteuid().as_raw() && numbers(dir) == Some(mark.directory);
        let named = dir.file_name().is_some_and(|name| name.to_string_lossy() == mark.tenbin_makes);
        let (maker, since) = mark.maker;
        is_ours && named && (mark.boot != proc::boot() || started(maker) != Some(since))
    }
}

/// The start time of a process, in ticks since boot, which distinguishes it from a later one with the same number.
pub fn started(pid: u32) -> Option<u64> {
    proc::process(&proc::read(&format!("/proc/{pid}/stat"))).map(|p| p.2)
}

/// The first line of a kept log: a file without it is not removed.
const LOG: &str = "# Kept by Tenbin: the log of a private server that ended by itself.\n";

/// Writes a log that is kept.
pub fn keep_log(to: &Path, text: &str) -> Result<(), Problem> {
    remove_log(to);
    files::closed_file(to, &format!("{LOG}{text}"))
}

/// Removes a kept log; returns whether there was one.
pub fn remove_log(path: &Path) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else { return false };
    let (file, length) = (File::from(file), LOG.len() as u64);
    let is_ours = file.metadata().is_ok_and(|meta| meta.is_file())
        && tenbin_intake::text_of(file.take(length), length).is_ok_and(|start| start == LOG);
    is_ours && std::fs::remove_file(path).is_ok()
}
