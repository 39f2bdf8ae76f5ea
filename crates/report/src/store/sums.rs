//! The digests of the files of a run, `SHA256SUMS`: a line for each file, written when the file has its last content, as `sha256sum`
//! writes and checks them. When the run ends, a last line has the digest of those before it; the digest of this file is the
//! digest of the run.

use super::MOST_TRIALS;
use super::files::Folder;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use tenbin_words::hex::hex;

/// The name of the file.
pub(super) const NAME: &str = "SHA256SUMS";

const HEAD: &str =
    "# Digests of the files of this run. To check them: sha256sum -c SHA256SUMS, or tenbin verify and its directory\n";
const END: &str = "# end ";

/// A line is shorter than this, and a trial has three.
const MOST_BYTES: u64 = 3 * 128 * MOST_TRIALS as u64;

/// The digest of a content.
pub(super) fn digest(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// The file while it is written.
#[derive(Debug)]
pub(super) struct SumsWriter {
    file: File,
    so_far: Sha256,
    bytes: u64,
}

impl SumsWriter {
    /// Creates it; it must not exist.
    pub fn create(folder: &Folder) -> io::Result<SumsWriter> {
        let mut sums = SumsWriter { file: folder.log(NAME)?, so_far: Sha256::new(), bytes: 0 };
        sums.append(HEAD)?;
        Ok(sums)
    }

    /// Adds a file.
    pub fn add(&mut self, path: &str, digest: &str) -> io::Result<()> {
        self.append(&format!("{digest}  {path}\n"))
    }

    /// Ends it: nothing more is added. Returns the digest of the run.
    pub fn end(&mut self) -> io::Result<String> {
        let all = hex(&self.so_far.clone().finalize());
        self.append(&format!("{END}{all}\n"))?;
        self.file.sync_data()?;
        Ok(hex(&self.so_far.clone().finalize()))
    }

    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// If only a part of the line can be written, that part is removed.
    fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(line.as_bytes()).inspect_err(|_| drop(self.file.set_len(self.bytes)))?;
        self.so_far.update(line);
        self.bytes += line.len() as u64;
        Ok(())
    }
}

/// The file as read.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// The digest of each file.
    pub files: BTreeMap<String, String>,
    /// The digest of the run; `None` until it has ended.
    pub digest: Option<String>,
    /// Whether it contains what was not written so.
    pub is_altered: bool,
}

impl Sums {
    /// Reads it; `None` if there is none.
    pub fn read(folder: &Folder) -> Option<Sums> {
        let content = match folder.whole(NAME, MOST_BYTES) {
            Ok(content) => content,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return None,
            Err(_) => return Some(Sums { is_altered: true, ..Sums::default() }),
        };
        let mut sums = Sums::default();
        let mut at = 0;
        // A line without an end is of a process that was killed while it wrote.
        for line in content.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            sums.take(&content[..at], line);
            at += line.len();
        }
        if sums.digest.is_some() {
            sums.is_altered |= at != content.len();
            sums.digest = Some(digest(&content));
        }
        Some(sums)
    }

    fn take(&mut self, before: &[u8], line: &[u8]) {
        let Ok(line) = std::str::from_utf8(line) else {
            self.is_altered = true;
            return;
        };
        // Nothing is written behind the end.
        self.is_altered |= self.digest.is_some();
        if let Some(stated) = line.strip_prefix(END) {
            self.is_altered |= stated.trim_end() != digest(before);
            self.digest = Some(stated.trim_end().to_owned());
        } else if before.is_empty() {
            self.is_altered |= line != HEAD;
        } else {
            match line.trim_end().split_once("  ") {
                Some((digest, path)) if digest.len() == 64 => {
                    let twice = self.files.insert(path.to_owned(), digest.to_owned());
                    self.is_altered |= twice.is_some();
                }
                _ => self.is_altered = true,
            }
        }
    }
}
