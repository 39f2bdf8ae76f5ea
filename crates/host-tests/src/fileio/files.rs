//! The files of a test, their directory, and which of them are ours: a file `tenbin_mark` next to them lists those that
//! Tenbin created, with what makes each different from another that gets its name. Only these are removed or truncated.

use rustix::fs::OFlags;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use tenbin_driver::Connector;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::options::Resolved;

/// A link in the place of a file leads to a file of somebody else, perhaps: it is not written to.
pub(super) const NO_LINK: i32 = OFlags::NOFOLLOW.bits() as i32;

const MARK: &str = "tenbin_mark";
/// The mark while it is written.
const FRESH_MARK: &str = "tenbin_mark.new";
const HEAD: &str = "tenbin_mark 1: Tenbin made these files and may remove them";

/// The files of one test.
#[derive(Debug, Clone)]
pub(super) struct Files {
    pub(super) dir: PathBuf,
    pub(super) num: u64,
    /// Bytes of each.
    pub(super) size: u64,
    /// Bytes of a request.
    pub(super) block: u64,
    /// The options of `tenbin load` that create them.
    options: String,
}

/// The content of the mark.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FilesMark {
    pub(super) names: BTreeSet<String>,
    /// Length of the checked blocks in them; 0: filled with zeros.
    pub(super) checked: u64,
}

impl Files {
    /// From options that have been checked.
    pub(super) fn new(options: &Resolved<'_>, connector: &Connector) -> Result<Files, Problem> {
        let dir = [options.text("file_dir"), &connector.dsn().database, "."].into_iter().find(|d| !d.is_empty());
        let (num, total) = (options.count("file_num"), options.size("file_total_size"));
        let (size, block) = (total / num, options.size("file_block_size"));
        if size < block {
            return Err(Problem::new(msg!("files-too-small"))
                .evidence(msg!("bytes-in-files", total, num, size, block))
                .hint(msg!("give-larger-files")));
        }
        let arguments = ["file_num", "file_total_size"].map(|n| format!(" -o {n}={}", options.text(n))).concat();
        let dir = dir.unwrap_or(".").into();
        let validate =
            if options.on("validate") { format!(" -o file_block_size={block} -o validate=on") } else { String::new() };
        Ok(Files { dir, num, size, block, options: arguments + &validate })
    }

    /// A file's name.
    pub(super) fn name(file: u64) -> String {
        format!("test_file.{file}")
    }

    pub(super) fn names(&self) -> impl Iterator<Item = String> + use<> {
        (0..self.num).map(Files::name)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The command that creates them.
    pub(super) fn load_command(&self) -> Message {
        let address = shell::quoted(&format!("host:{}", self.dir.display()));
        msg!("tenbin-load", workload = "fileio", address, options = self.options)
    }

    /// Length of a file; `None` if it does not exist.
    pub(super) fn length(&self, name: &str) -> Result<Option<u64>, Problem> {
        let path = self.path(name);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_file() => Ok(Some(metadata.len())),
            Ok(_) => {
                Err(Problem::new(msg!("not-a-file", path = path.display()))
                    .hint(msg!("name-another-directory-file-dir")))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(trouble(msg!("file-cannot-be-looked-at", path = path.display()), &e)),
        }
    }

    /// Fails if the directory does not exist.
    pub(super) fn inspect(&self) -> Result<(), Problem> {
        match fs::metadata(&self.dir) {
            Ok(metadata) if metadata.is_dir() => Ok(()),
            Ok(_) => {
                Err(Problem::new(msg!("not-a-directory", dir = self.dir.display())).hint(msg!("name-a-directory")))
            }
            Err(e) => Err(trouble(msg!("directory-cannot-be-looked-into", path = self.dir.display()), &e)
                .hint(msg!("mkdir-p", dir = self.dir.display()))),
        }
    }

    /// What makes a file different from another of its name: its number and, since numbers are used again, when it was created.
    fn identity(&self, name: &str) -> Option<String> {
        let meta = fs::symlink_metadata(self.path(name)).ok()?;
        let since = meta.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Some(format!("{}:{}", meta.ino(), since.map_or(0, |since| since.as_nanos())))
    }

    /// The files marked as ours, without those that somebody else has put in their places; empty if there is no mark.
    pub(super) fn mark(&self) -> Result<FilesMark, Problem> {
        let path = self.path(MARK);
        let text = match tenbin_intake::text(&path, tenbin_intake::SMALL) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(FilesMark::default()),
            Err(e) => return Err(trouble(msg!("file-cannot-be-read-here", path = path.display()), &e)),
        };
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(
                Problem::new(msg!("not-tenbins-mark", path = path.display())).hint(msg!("rename-or-name-another"))
            );
        }
        let mut mark = FilesMark::default();
        for line in lines {
            if let Some(length) = line.strip_prefix("checked blocks: ").and_then(|n| n.parse().ok()) {
                mark.checked = length;
                continue;
            }
            // One without an identity was about to be created.
            let (name, identity) = line.split_once(' ').map_or((line, None), |(name, of)| (name, Some(of)));
            let is_other = || identity.is_some_and(|then| self.identity(name).is_some_and(|now| now != then));
            // Only names that we use.
            if ours(name) && !is_other() {
                mark.names.insert(name.to_owned());
            }
        }
        Ok(mark)
    }

    /// Marks these files as ours, before they are created, so that an interrupted load can be cleaned up. Refuses if
    /// one of them exists and is not ours.
    pub(super) fn claim(&self, checked: u64) -> Result<(), Problem> {
        let mut mark = self.mark()?;
        for name in self.names() {
            if !mark.names.contains(&name) && self.length(&name)?.is_some() {
                return Err(self.foreign(&name));
            }
        }
        mark.names.extend(self.names());
        mark.checked = checked;
        self.write(&mark)
    }

    /// The problem for a file that is in the way.
    pub(super) fn foreign(&self, name: &str) -> Problem {
        Problem::new(msg!("file-without-mark", file = self.path(name).display()))
            .evidence(msg!("mark-does-not-name-it", mark = self.path(MARK).display()))
            .hint(msg!("rm-test-files-yourself", dir = self.dir.display()))
    }

    /// Called when marked files have been created: the mark is about these from then on.
    pub(super) fn bind(&self) -> Result<(), Problem> {
        self.write(&self.mark()?)
    }

    /// Writes the mark, about the files that have these names now; if it has no names it is removed.
    pub(super) fn write(&self, mark: &FilesMark) -> Result<(), Problem> {
        let path = self.path(MARK);
        if mark.names.is_empty() {
            return match fs::remove_file(&path) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => {
                    Err(trouble(msg!("file-cannot-be-removed", path = path.display()), &e))
                }
                _ => Ok(()),
            };
        }
        // What is not a file is somebody else's, and stays in its place.
        self.length(MARK)?;
        let line = |name: &String| match self.identity(name) {
            Some(identity) => format!("{name} {identity}\n"),
            None => format!("{name}\n"),
        };
        let names: String = mark.names.iter().map(line).collect();
        let text = format!("{HEAD}\nchecked blocks: {}\n{names}", mark.checked);
        self.replace(&path, &text).map_err(|e| trouble(msg!("file-cannot-be-written-here", path = path.display()), &e))
    }

    /// Puts a file with this text into the place of the mark, whole or not at all: with half of it some files would be nobody's.
    fn replace(&self, path: &Path, text: &str) -> io::Result<()> {
        let fresh = self.path(FRESH_MARK);
        // One that was left when a process was killed.
        let _ = fs::remove_file(&fresh);
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&fresh)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        written.and_then(|()| fs::rename(&fresh, path)).inspect_err(|_| {
            let _ = fs::remove_file(&fresh);
        })
    }

    /// Whether there is space for this many additional bytes, in the file system and within this process's limit.
    pub(super) fn room(&self, wanted: u64) -> Result<(), Problem> {
        let stat = rustix::fs::statvfs(&self.dir)
            .map_err(|e| trouble(msg!("room-cannot-be-asked", path = self.dir.display()), &e.into()))?;
        let free = stat.f_bavail.saturating_mul(stat.f_frsize);
        let smaller = msg!("give-smaller-files");
        // A file system without blocks does not report its space; writing will show.
        if free < wanted && stat.f_blocks > 0 {
            return Err(Problem::new(msg!("no-room-for-files"))
                .evidence(msg!(
                    "wanted-and-free",
                    wanted = figure::bytes(wanted as f64),
                    dir = self.dir.display(),
                    free = figure::bytes(free as f64)
                ))
                .hint(smaller));
        }
        // Beyond it the system ends the process with a signal.
        let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
        match limit {
            Some(limit) if limit < self.size => Err(Problem::new(msg!("files-above-limit"))
                .evidence(msg!("bytes-each-and-limit", size = self.size, limit))
                .hint(msg!("ulimit-f-or-smaller-files"))),
            _ => Ok(()),
        }
    }
}

fn ours(name: &str) -> bool {
    name.strip_prefix("test_file.").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The problem for a file error, with a hint for the kind of error.
pub(super) fn trouble(what: Message, e: &io::Error) -> Problem {
    let problem = Problem::new(what).evidence(foreign(e));
    Problem { hint: hint_for(e), ..problem }
}

/// A hint for this kind of error.
pub(super) fn hint_for(e: &io::Error) -> Option<Message> {
    match e.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Some(msg!("name-writable-directory")),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Some(msg!("make-room-for-files"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_takes_the_name_of_ours_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files { dir: dir.path().to_owned(), num: 2, size: 10, block: 1, options: String::new() };
        let names = || files.mark().unwrap().names.into_iter().collect::<Vec<_>>();
        files.claim(0).unwrap();
        for name in files.names() {
            fs::write(files.path(&name), "0123456789").unwrap();
        }
        assert_eq!(names(), ["test_file.0", "test_file.1"], "a load that was interrupted can be cleaned up");
        files.bind().unwrap();
        fs::write(files.path("test_file.1"), "changed").unwrap();
        assert_eq!(names(), ["test_file.0", "test_file.1"], "a test writes into them");
        fs::write(files.path("theirs"), "9876543210").unwrap();
        fs::rename(files.path("theirs"), files.path("test_file.0")).unwrap();
        assert_eq!(names(), ["test_file.1"]);
        assert!(files.claim(0).is_err());
    }

    #[test]
    fn the_mark_is_replaced_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files { dir: dir.path().to_owned(), num: 2, size: 10, block: 1, options: String::new() };
        files.claim(0).unwrap();
        let reader = fs::File::open(files.path(MARK)).unwrap();
        let former = fs::read_to_string(files.path(MARK)).unwrap();
        fs::write(files.path(FRESH_MARK), "left by a process that was killed").unwrap();
        files.claim(16).unwrap();
        // Who has opened it before has the whole former one.
        assert_eq!(io::read_to_string(reader).unwrap(), former);
        assert_eq!(files.mark().unwrap().checked, 16);
        let left = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.collect::<Vec<_>>(), [MARK]);
    }
}
