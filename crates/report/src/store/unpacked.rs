//! The files of a bundle while it is read: one file without a name on the disk that has them all, and where in it each of them
//! is. Nothing is ever made under a name that a bundle chooses, and nothing is left, whatever ends the process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// The files of a bundle.
#[derive(Debug)]
pub struct Unpacked {
    all: Arc<File>,
    /// Start and end of each file in it, by its path in the run directory.
    files: BTreeMap<String, (u64, u64)>,
}

/// One of them.
#[derive(Debug)]
pub struct Part {
    all: Arc<File>,
    at: u64,
    end: u64,
}

impl Unpacked {
    /// Files that have been written one after the other into one.
    pub fn of(all: File, files: BTreeMap<String, (u64, u64)>) -> Unpacked {
        Unpacked { all: Arc::new(all), files }
    }

    /// The file of this path.
    pub fn file(&self, path: &str) -> Option<Part> {
        self.files.get(path).map(|(at, end)| Part { all: self.all.clone(), at: *at, end: *end })
    }

    /// Whether a directory has any files; its path ends in `/`.
    pub fn has_folder(&self, path: &str) -> bool {
        self.below(path).next().is_some()
    }

    /// The names in a directory, sorted.
    pub fn names(&self, folder: &str) -> Vec<OsString> {
        let mut names: Vec<OsString> =
            self.below(folder).filter_map(|path| path[folder.len()..].split('/').next()).map(OsString::from).collect();
        names.dedup();
        names
    }

    fn below(&self, folder: &str) -> impl Iterator<Item = &String> {
        let from = folder.to_owned();
        self.files.range(from.clone()..).map(|(path, _)| path).take_while(move |path| path.starts_with(&from))
    }
}

impl Part {
    /// Its length, bytes, as far as it has not been read.
    pub fn length(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.length()).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.all.read_at(&mut buffer[..most], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
