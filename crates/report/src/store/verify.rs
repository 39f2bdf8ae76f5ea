//! Whether the files of a run are as they were written, file by file. Each reading of a run begins with it ([`super::read()`]), so that what
//! `tenbin verify` finds is what a page is judged by.
//!
//! A file that has its last content has a digest in `SHA256SUMS` ([`super::sums`]). The lines of logs are chained ([`super::chain`]),
//! which says where a log was altered, and holds for those that are not finished.

use super::chain::{Chain, Link, LogScan, scan};
use super::files::{Folder, RunFile};
use super::log::MOST_LINE;
use super::sums::{self, Sums};
use super::{LABELS, MOST_JSON, MOST_TRIALS, PAGE, about, foreign as from_others, place, run_folder, summary};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tenbin_model::record::{Record, RecordState};
use tenbin_words::hex::hex;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// The logs of a run and of its trials.
pub(super) const LOG: &str = "events.jsonl";

/// What was found in the files of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Of all of them together.
    pub record: Record,
    /// Of each, by its path in the run directory.
    pub files: BTreeMap<String, FileState>,
}

/// What was found in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum FileState {
    /// It is as it was written.
    Unchanged,
    /// A log without an end: this many lines are as they were written.
    Unfinished {
        /// How many.
        lines: u64,
    },
    /// A log of which lines are not as they were written.
    LinesAltered {
        /// Their numbers, of the first of them. A line has another content, or does not stand behind the line that it was written
        /// behind.
        lines: Vec<u64>,
        /// How many there are.
        all: u64,
    },
    /// A log whose lines are as they were written, and whose end is missing.
    EndMissing {
        /// How many lines there are.
        lines: u64,
    },
    /// It has another content, or cannot be read.
    Altered,
    /// It is not there any more.
    Missing,
    /// It is not there any more, which makes no difference: what it says is in other files too.
    Spared,
    /// It was put there.
    Added,
    /// It was put there, and is not read.
    Ignored,
    /// It may be changed at any time: labels and the page.
    Free,
    /// It has no digest yet: the run is in progress, or was killed.
    WithoutDigest,
}

impl FileState {
    /// Whether what is read of it may not be what was measured.
    pub fn is_altered(&self) -> bool {
        use FileState::*;
        match self {
            LinesAltered { .. } | EndMissing { .. } | Altered | Missing | Added => true,
            Unchanged | Unfinished { .. } | Spared | Ignored | Free | WithoutDigest => false,
        }
    }

    /// In words.
    pub fn words(&self) -> Message {
        match self {
            FileState::Unchanged => msg!("file-unchanged"),
            FileState::Unfinished { lines } => msg!("file-unfinished", lines),
            FileState::LinesAltered { lines, all } => {
                let numbers = lines.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
                let more = if *all > lines.len() as u64 { ", …" } else { "" };
                msg!("file-lines-altered", n = all, lines = foreign(format_args!("{numbers}{more}")))
            }
            FileState::EndMissing { lines } => msg!("file-end-missing", lines),
            FileState::Altered => msg!("file-altered"),
            FileState::Missing => msg!("file-missing"),
            FileState::Spared => msg!("file-spared"),
            FileState::Added => msg!("file-added"),
            FileState::Ignored => msg!("file-ignored"),
            FileState::Free => msg!("file-free"),
            FileState::WithoutDigest => msg!("file-without-digest"),
        }
    }
}

/// Compares the files of a run with what was written. Fails if there is no run.
pub fn verify(run: &Path) -> Result<Verification, Problem> {
    Ok(examine(&run_folder(run)?))
}

/// The same of an open run.
pub(super) fn examine(folder: &Folder) -> Verification {
    // First, because digests are added behind the files: none of a file that goes on is known.
    let mut sums = Sums::read(folder);
    let log = folder.file(LOG).ok().and_then(|log| scan(log, Chain::of_run()).ok()).unwrap_or_default();
    if sums.is_none() && log.sealed == 0 && sealed_about(folder).is_none() && !has_sealed_trial(folder) {
        let record = Record { state: RecordState::WithoutDigest, digest: None };
        return Verification { record, ..Verification::default() };
    }
    // The end of a run is noted behind its last digest.
    if let Some(sums) = sums.as_mut().filter(|sums| sums.digest.is_none()) {
        sums.is_altered |= sealed_about(folder).is_some_and(|about| about.state.is_some());
    }
    let run = Run { is_ended: sums.as_ref().is_some_and(|sums| sums.digest.is_some()), first: log.first, sums };
    let mut files = of_run(folder, &run);
    files.extend(of_trials(folder, &run));
    for path in run.sums.iter().flat_map(|sums| sums.files.keys()) {
        let spared = path.ends_with(summary::NAME);
        let missing = || if spared { FileState::Spared } else { FileState::Missing };
        files.entry(path.clone()).or_insert_with(missing);
    }
    let state = match files.values().any(FileState::is_altered) {
        true => RecordState::Altered,
        false if run.is_ended => RecordState::Unchanged,
        false => RecordState::Unfinished,
    };
    let digest = run.sums.and_then(|sums| sums.digest).filter(|_| state == RecordState::Unchanged);
    Verification { record: Record { state, digest }, files }
}

/// What `run.json` says, if it has a digest.
fn sealed_about(folder: &Folder) -> Option<about::About> {
    let text = folder.whole(about::NAME, MOST_JSON).ok()?;
    from_others::parse::<about::About>(&text).ok().filter(about::About::has_check)
}

/// Whether the lines of the first trial's log have digests: the version that recorded the run wrote them.
fn has_sealed_trial(folder: &Folder) -> bool {
    let first = folder.folder("trials").and_then(|trials| {
        let names = trials.names()?;
        trials.folder(names.first().and_then(|name| name.to_str()).unwrap_or_default())
    });
    let log = first.and_then(|first| scan(first.file(LOG)?, Chain::unknown()));
    log.is_ok_and(|log| log.sealed > 0)
}

/// What the files of a run are compared with.
struct Run {
    sums: Option<Sums>,
    /// Whether all files have digests.
    is_ended: bool,
    /// The digest in the first line of its log.
    first: Option<Link>,
}

impl Run {
    fn digest_of(&self, path: &str) -> Option<&String> {
        self.sums.as_ref()?.files.get(path)
    }

    /// What a file is; `None` if there is neither the file nor its digest. `chain`: that of a log.
    fn file(&self, folder: &Folder, name: &str, path: &str, chain: Option<Chain>) -> Option<FileState> {
        let written = self.digest_of(path);
        let file = match (folder.file(name), written) {
            (Ok(file), _) => file,
            (Err(e), None) if e.kind() == io::ErrorKind::NotFound => return None,
            (Err(e), Some(_)) if e.kind() == io::ErrorKind::NotFound => return None,
            (Err(_), _) => return Some(FileState::Altered),
        };
        let same = written.is_some_and(|written| digest_of(file).is_ok_and(|now| now == *written));
        Some(match (written, chain) {
            (Some(_), _) if same => FileState::Unchanged,
            (Some(_), None) => FileState::Altered,
            (Some(_), Some(chain)) => match lines(folder, name, chain) {
                Ok(LogScan { broken_in_all: 0, whole, .. }) => FileState::EndMissing { lines: whole },
                Ok(scan) => altered(scan),
                Err(_) => FileState::Altered,
            },
            (None, _) if self.is_ended => FileState::Added,
            (None, None) => FileState::WithoutDigest,
            (None, Some(chain)) => match lines(folder, name, chain) {
                Ok(LogScan { broken_in_all: 0, whole, .. }) => FileState::Unfinished { lines: whole },
                Ok(scan) => altered(scan),
                Err(_) => FileState::Altered,
            },
        })
    }
}

fn altered(scan: LogScan) -> FileState {
    FileState::LinesAltered { lines: scan.broken, all: scan.broken_in_all }
}

fn lines(folder: &Folder, name: &str, chain: Chain) -> io::Result<LogScan> {
    scan(folder.file(name)?, chain)
}

/// The SHA-256 of a file. Fails behind a line that is too long for one that Tenbin has written: the file may be sparse and have no
/// end.
fn digest_of(mut file: RunFile) -> io::Result<String> {
    let (mut digest, mut buffer, mut line) = (Sha256::new(), vec![0; 256 << 10], 0);
    while line <= MOST_LINE {
        let read = match file.read(&mut buffer) {
            Ok(0) => return Ok(hex(&digest.finalize())),
            Ok(n) => &buffer[..n],
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        digest.update(read);
        line = memchr::memrchr(b'\n', read).map_or(line + read.len(), |at| read.len() - at - 1);
    }
    Err(tenbin_intake::too_long(MOST_LINE as u64))
}

/// The files of the run itself.
fn of_run(folder: &Folder, run: &Run) -> BTreeMap<String, FileState> {
    let mut files = BTreeMap::new();
    let mut take = |name: &str, state: Option<FileState>| files.extend(state.map(|state| (name.to_owned(), state)));
    take(
        sums::NAME,
        Some(match &run.sums {
            None => FileState::Missing,
            Some(sums) if sums.is_altered => FileState::Altered,
            Some(_) if run.is_ended => FileState::Unchanged,
            Some(_) => FileState::WithoutDigest,
        }),
    );
    take(
        about::NAME,
        Some(match folder.whole(about::NAME, MOST_JSON).map(|text| about::is_whole(&text)) {
            Ok(true) => FileState::Unchanged,
            Ok(false) => FileState::Altered,
            Err(e) if e.kind() == io::ErrorKind::NotFound => FileState::Missing,
            Err(_) => FileState::Altered,
        }),
    );
    take("plan.toml", run.file(folder, "plan.toml", "plan.toml", None));
    take(LOG, run.file(folder, LOG, LOG, Some(Chain::of_run())).or(Some(FileState::Missing)));
    let known = [sums::NAME, about::NAME, "plan.toml", LOG, "trials"];
    for name in folder.names().unwrap_or_default().iter().filter_map(|name| name.to_str()) {
        let state = if [LABELS, PAGE].contains(&name) { FileState::Free } else { FileState::Ignored };
        take(name, (!known.contains(&name)).then_some(state));
    }
    files
}

/// The files of all trials; several processors look at them at the same time.
fn of_trials(folder: &Folder, run: &Run) -> BTreeMap<String, FileState> {
    let Ok(trials) = folder.folder("trials") else { return BTreeMap::new() };
    let names = trials.names().unwrap_or_default();
    let names: Vec<&str> = names.iter().filter_map(|name| name.to_str()).take(MOST_TRIALS).collect();
    let (next, files) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        let mut own = BTreeMap::new();
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            of_trial(&trials, name, run, &mut own);
        }
        if let Ok(mut files) = files.lock() {
            files.append(&mut own);
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    std::thread::scope(|scope| {
        for _ in 1..processors.min(names.len().div_ceil(LEAST_TRIALS)) {
            scope.spawn(work);
        }
        work();
    });
    files.into_inner().unwrap_or_default()
}

/// More threads read no faster from a disk; a thread for fewer trials is not worth it.
const MOST_THREADS: usize = 8;
const LEAST_TRIALS: usize = 8;

fn of_trial(trials: &Folder, name: &str, run: &Run, files: &mut BTreeMap<String, FileState>) {
    let number = name.parse::<u32>().ok();
    let Some((folder, number)) = trials.folder(name).ok().zip(number) else {
        // What is in the place of the directory of a trial is reported by the code that reads it.
        files.insert(format!("trials/{name}"), FileState::Ignored);
        return;
    };
    let read = ["trial.json", LOG, summary::NAME];
    let there = folder.names().unwrap_or_default();
    let others = there.iter().filter_map(|name| name.to_str()).filter(|name| !read.contains(name));
    files.extend(others.map(|other| (format!("trials/{name}/{other}"), FileState::Ignored)));
    for file in read {
        let path = format!("trials/{name}/{file}");
        let chain = (file == LOG).then(|| Chain::of_trial(run.first.as_ref(), number));
        let state = match run.file(&folder, file, &path, chain) {
            // Another name for a trial that has its own.
            Some(_) if name != place(number) => Some(FileState::Added),
            state => state,
        };
        files.extend(state.map(|state| (path, state)));
    }
}

impl Verification {
    /// The trial whose directory a file is in; `None` for those of the run as a whole.
    pub fn trial_of(path: &str) -> Option<u32> {
        path.strip_prefix("trials/")?.split('/').next()?.parse().ok()
    }

    /// The trials of which a file is not as it was written.
    pub fn altered_trials(&self) -> BTreeSet<u32> {
        self.altered().filter_map(|(path, _)| Verification::trial_of(path)).collect()
    }

    /// Whether what is not as it was written concerns all trials: a file of the run as a whole, or a trial that is missing.
    pub fn is_run_altered(&self) -> bool {
        self.altered().any(|(path, state)| concerns_all(path, state))
    }

    /// Whether the summary of a trial may be read instead of its log: `None` if that is not known.
    pub(super) fn has_summary(&self, number: u32) -> Option<bool> {
        let unchanged = |name: &str| {
            let path = format!("trials/{}/{name}", place(number));
            self.files.get(&path) == Some(&FileState::Unchanged)
        };
        (self.record.state != RecordState::WithoutDigest).then(|| unchanged(LOG) && unchanged(summary::NAME))
    }

    /// The files that are not as they were written.
    pub fn altered(&self) -> impl Iterator<Item = (&String, &FileState)> {
        self.files.iter().filter(|(_, state)| state.is_altered())
    }

    /// The problem with the files that concern a trial, or with all files if none is given; `None` if they are as they were written. `run`: the run directory, or the bundle.
    pub fn problem(&self, trial: Option<u32>, run: &Path) -> Option<Problem> {
        let concerns = |path: &str, state: &FileState| {
            trial.is_none() || Verification::trial_of(path) == trial || concerns_all(path, state)
        };
        let altered: Vec<_> = self.altered().filter(|(path, state)| concerns(path, state)).collect();
        let more = altered.len().saturating_sub(MOST_FILES);
        let first = altered.iter().take(MOST_FILES);
        let evidence = first.map(|(path, state)| msg!("file-is", file = path, state = state.words()));
        let evidence = Message::joined(evidence.chain((more > 0).then(|| msg!("and-more-files", n = more))), "; ");
        let run = shell::quoted(&run.display().to_string());
        let problem = Problem::new(msg!("record-altered")).evidence(evidence).hint(msg!("look-at-altered", run));
        (!altered.is_empty()).then_some(problem)
    }
}

/// Whether an alteration concerns all trials. That one was removed can be seen in the others only.
fn concerns_all(path: &str, state: &FileState) -> bool {
    Verification::trial_of(path).is_none() || (*state == FileState::Missing && path.ends_with(LOG))
}

/// The most files that a problem names.
const MOST_FILES: usize = 5;
