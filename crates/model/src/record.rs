//! Whether the files that a run is read from are as they were written: shown on the page and by `tenbin verify`, and a doubt on each
//! trial whose files are not.

use serde::Serialize;

/// What is known of the files of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordState {
    /// Nothing: the run was not read from files.
    #[default]
    NotRead,
    /// They are as they were written.
    Unchanged,
    /// They are, as far as they were written: the run is in progress, or was killed.
    Unfinished,
    /// At least one of them is not.
    Altered,
    /// It cannot be known: the run was recorded by a version that wrote no digests.
    WithoutDigest,
}

/// The files of a run as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Record {
    /// What is known of them.
    pub state: RecordState,
    /// The digest of all of them, if the run has ended and they are as they were written: SHA-256 in hexadecimal digits.
    pub digest: Option<String>,
}
