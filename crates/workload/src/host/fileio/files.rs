//! Which files a test has, where they are, and which of them are ours: a file `tenbin_mark` beside them names those that
//! Tenbin made. Only these are ever removed or emptied.

use crate::options::Resolved;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tenbin_driver::Connector;
use tenbin_model::figure;
use tenbin_model::problem::Problem;

const MARK: &str = "tenbin_mark";
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
    /// The options that make them, as `tenbin load` takes them.
    said: String,
}

/// What the mark says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) names: BTreeSet<String>,
    /// Length of the checked blocks they are filled with; 0: zeros.
    pub(super) checked: u64,
}

impl Files {
    /// From options that have been checked.
    pub(super) fn new(options: &Resolved<'_>, connector: &Connector) -> Result<Files, Problem> {
        let dir = [options.text("file_dir"), &connector.dsn().database, "."].into_iter().find(|d| !d.is_empty());
        let (num, total) = (options.count("file_num"), options.size("file_total_size"));
        let (size, block) = (total / num, options.size("file_block_size"));
        if size < block {
            return Err(Problem::new("the files have no room for a single block")
                .evidence(format!("{total} bytes in {num} files make {size} bytes each; a block is {block}"))
                .mend("give a larger file_total_size, fewer files (file_num) or smaller blocks (file_block_size)"));
        }
        let said = ["file_num", "file_total_size"].map(|n| format!(" -o {n}={}", options.text(n))).concat();
        let dir = dir.unwrap_or(".").into();
        let validate =
            if options.on("validate") { format!(" -o file_block_size={block} -o validate=on") } else { String::new() };
        Ok(Files { dir, num, size, block, said: said + &validate })
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

    /// The command that makes them.
    pub(super) fn load_command(&self) -> String {
        format!("tenbin load fileio 'host:{}'{}", self.dir.display(), self.said)
    }

    /// Length of a file; `None` when it is not there.
    pub(super) fn length(&self, name: &str) -> Result<Option<u64>, Problem> {
        let path = self.path(name);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => Ok(Some(found.len())),
            Ok(_) => {
                Err(Problem::new(format!("{} is no file", path.display())).mend("name another directory: file_dir"))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(trouble("looked at", &path, &e)),
        }
    }

    /// Refuses a directory that is not there.
    pub(super) fn look(&self) -> Result<(), Problem> {
        match fs::metadata(&self.dir) {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(Problem::new(format!("{} is no directory", self.dir.display()))
                .mend("name one: file_dir, or host:DIRECTORY as the target's address")),
            Err(e) => Err(trouble("looked into", &self.dir, &e).mend(format!("mkdir -p '{}'", self.dir.display()))),
        }
    }

    /// What is marked as ours; nothing when there is no mark.
    pub(super) fn mark(&self) -> Result<Mark, Problem> {
        let path = self.path(MARK);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Mark::default()),
            Err(e) => return Err(trouble("read", &path, &e)),
        };
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(Problem::new(format!("{} is not Tenbin's mark", path.display())).mend(
                "rename it, or name another directory: Tenbin keeps its own file of this name beside what it makes",
            ));
        }
        let mut mark = Mark::default();
        for line in lines {
            match line.strip_prefix("checked blocks: ").and_then(|n| n.parse().ok()) {
                Some(length) => mark.checked = length,
                // Only names that we give.
                None if ours(line) => _ = mark.names.insert(line.to_owned()),
                None => {}
            }
        }
        Ok(mark)
    }

    /// Marks these files as ours, before they are made: a broken load can then be cleaned up. Refuses when one of them is
    /// there and was not ours.
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

    /// What is said of a file that is in the way.
    pub(super) fn foreign(&self, name: &str) -> Problem {
        Problem::new(format!(
            "{} does not carry Tenbin's mark, so nothing is removed or overwritten",
            self.path(name).display()
        ))
        .evidence(format!("{} does not name it", self.path(MARK).display()))
        .mend(format!("rm it yourself (rm '{}'/test_file.*), or name another directory", self.dir.display()))
    }

    /// Writes the mark; without names it is removed.
    pub(super) fn write(&self, mark: &Mark) -> Result<(), Problem> {
        let path = self.path(MARK);
        if mark.names.is_empty() {
            return match fs::remove_file(&path) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => Err(trouble("removed", &path, &e)),
                _ => Ok(()),
            };
        }
        let names: String = mark.names.iter().map(|n| format!("{n}\n")).collect();
        let text = format!("{HEAD}\nchecked blocks: {}\n{names}", mark.checked);
        fs::write(&path, text).map_err(|e| trouble("written", &path, &e))
    }

    /// Whether there is room for so many bytes more, in the file system and by this process's limit.
    pub(super) fn room(&self, wanted: u64) -> Result<(), Problem> {
        let stat = rustix::fs::statvfs(&self.dir).map_err(|e| trouble("asked for room", &self.dir, &e.into()))?;
        let free = stat.f_bavail.saturating_mul(stat.f_frsize);
        let smaller = "give a smaller file_total_size, or name another directory: file_dir";
        // Without blocks of its own it keeps no account; writing will tell.
        if free < wanted && stat.f_blocks > 0 {
            return Err(Problem::new("the file system has no room for the files")
                .evidence(format!(
                    "{} are wanted in {}, {} are free",
                    figure::bytes(wanted as f64),
                    self.dir.display(),
                    figure::bytes(free as f64)
                ))
                .mend(smaller));
        }
        // Beyond it the system ends the process with a signal.
        let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
        match limit {
            Some(limit) if limit < self.size => Err(Problem::new("this process may not write files so large")
                .evidence(format!("{} bytes each; the limit is {limit} bytes (ulimit -f)", self.size))
                .mend("ulimit -f unlimited, or more and smaller files (file_num)")),
            _ => Ok(()),
        }
    }
}

fn ours(name: &str) -> bool {
    name.strip_prefix("test_file.").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// What went wrong with a file, and the way out that goes with the kind of error.
pub(super) fn trouble(done: &str, path: &Path, e: &io::Error) -> Problem {
    let problem = Problem::new(format!("{} cannot be {done}", path.display())).evidence(e.to_string());
    match e.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            problem.mend("name a directory that you may write to: file_dir, or host:DIRECTORY as the target's address")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => problem.mend(
            "make room (tenbin load fileio … --only-drop removes what Tenbin made), or give a smaller file_total_size",
        ),
        _ => problem,
    }
}
