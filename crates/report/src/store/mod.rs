//! Run directories: how they are written during a run ([`Store`]), and how they are read, even if parts are missing
//! ([`read()`]).
//!
//! ```text
//! runs/2026-11-21T0131-demo/
//!   run.json                 format, name, tool, start, state, number of planned trials; replaced as a whole
//!   SHA256SUMS               a digest of each file, added when the file has its last content
//!   plan.toml                the plan as given, without passwords
//!   events.jsonl             events of the run as a whole, one per line, appended
//!   trials/0001/trial.json   the resolved trial, with the format
//!   trials/0001/events.jsonl its events, one per line, appended
//!   trials/0001/summary.jsonl what they amount to, for fast reading; can be deleted
//!   report.html              the page; can be generated again from the other files
//! ```
//!
//! Every line is written with a single call, so a crash loses at most the last one; a trial's log is flushed to the
//! disk when the trial ends.
//!
//! A run directory may come from someone else, and may be in a directory that others can write to: see [`files`] for
//! how its files are opened.

mod about;
mod bundle;
mod chain;
mod earlier;
mod failure;
mod files;
mod foreign;
mod log;
mod pack;
mod read;
mod replaced;
mod summary;
mod sums;
mod unpacked;
mod verify;
mod within;

pub use about::Outcome;
pub use bundle::{beside as beside_bundle, is_bundle};
pub use earlier::EarlierTrials;
pub use failure::cannot_write;
pub use files::write_whole;
pub use pack::{Bundled, write as write_bundle};
pub use read::{NOT_BEGUN, Recording, read, read_within};
pub use replaced::{is_one_file, may_be_replaced};
pub use verify::{FileState, Verification, verify};
pub use within::{WithinRun, is_run, run_meant, within_run};

use about::About;
use chain::{Chain, Link};
use files::{Folder, Identity, identity};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use summary::{Folding, LogHash};
use sums::SumsWriter;
use tenbin_model::event::{EndState, Event, FORMAT, Sink};
use tenbin_model::labels::RunLabels;
use tenbin_model::summary::Summary;
use tenbin_model::trial::Trial;
use tenbin_words::hex::hex;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// Longest `run.json` and `trial.json` that are read, bytes. Those that Tenbin writes have hundreds or thousands.
const MOST_JSON: u64 = 16 << 20;

/// Most directories of trials that are read: ten times the maximum number of trials of a plan.
const MOST_TRIALS: usize = 100_000;

/// A run directory being written.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    folder: Folder,
    trials: Folder,
    /// The directory of all runs, if it was created for this one.
    made: Option<PathBuf>,
    run: Log,
    /// The trials under way: several, if they are driven at the same time.
    open: Vec<OpenTrial>,
    planned: Vec<Trial>,
    /// The number of planned trials in `run.json`.
    counted: u32,
    /// Trials whose logs are complete and flushed to the disk.
    kept: Vec<(u32, Identity)>,
    /// Whether any trial has reached its first phase.
    began: bool,
    about: About,
    sums: SumsWriter,
    /// The digest in the first line of the run's log.
    first: Option<Link>,
    /// The digest of the run, when it has ended.
    digest: Option<String>,
}

/// The trial that is being written.
#[derive(Debug)]
struct OpenTrial {
    number: u32,
    folder: Folder,
    log: Log,
    folding: Folding,
}

/// A file of lines, and its length and hashes without an incomplete line.
#[derive(Debug)]
struct Log {
    file: File,
    whole: LogHash,
    digest: Sha256,
    chain: Chain,
}

/// The file of the page.
const PAGE: &str = "report.html";

/// The file of the labels of a run.
const LABELS: &str = "labels.json";

/// What is said about a run; nothing if it has no labels. Fails if the directory is no run.
pub fn labels(dir: &Path) -> Result<RunLabels, Problem> {
    let folder = run_folder(dir)?;
    Ok(labels_in(&folder))
}

fn labels_in(folder: &Folder) -> RunLabels {
    folder.whole(LABELS, MOST_JSON).ok().and_then(|text| foreign::parse(&text).ok()).unwrap_or_default()
}

/// Adds to the labels of a run.
pub fn add_labels(dir: &Path, new_labels: RunLabels) -> Result<RunLabels, Problem> {
    if is_bundle(dir) {
        return Err(bundle::is_only_read(dir));
    }
    let folder = run_folder(dir)?;
    let mut labels = labels_in(&folder);
    labels.take(new_labels);
    let (what, word) =
        (msg!("run-directory-cannot-be-written", dir = dir.display()), shell::word(&dir.to_string_lossy()));
    json(&folder, LABELS, &labels).map_err(|e| cannot_write(what, dir, &e, msg!("label-a-copy", word)))?;
    Ok(labels)
}

/// A directory or a bundle that holds a run.
fn run_folder(dir: &Path) -> Result<Folder, Problem> {
    if is_bundle(dir) {
        return bundle::open(dir);
    }
    let is_run = |folder: &Folder| ["events.jsonl", "trials", "run.json"].iter().any(|name| folder.has(name));
    Folder::open(dir).ok().filter(is_run).ok_or_else(|| {
        Problem::new(msg!("not-a-run-directory", dir = dir.display()))
            .evidence(msg!("no-run-files-in-it"))
            .hint(msg!("tenbin-list-shows-runs"))
    })
}

/// The content of `trial.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PlannedTrial {
    format: u32,
    trial: Trial,
}

impl Store {
    /// Creates a new directory for a run in `root`; an existing directory is never used.
    pub fn create(root: &Path, name: &str) -> Result<Store, Problem> {
        let there = root.exists();
        let dir = new_directory(root, name).map_err(|e| of_runs(root, &e))?;
        let opened = Folder::open(&dir).and_then(|folder| {
            let sums = SumsWriter::create(&folder)?;
            let run = Log::create(&folder, Chain::of_run())?;
            Ok((folder.make_folder("trials")?, folder, run, sums))
        });
        let (trials, folder, run, sums) = opened.map_err(|e| of_runs(&dir, &e))?;
        let about = About { format: FORMAT, name: name.to_owned(), ..About::default() };
        let made = (!there).then(|| root.to_path_buf());
        Ok(Store {
            dir,
            folder,
            trials,
            made,
            run,
            open: Vec::new(),
            planned: Vec::new(),
            counted: 0,
            kept: Vec::new(),
            began: false,
            about,
            sums,
            first: None,
            digest: None,
        })
    }

    /// The run directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether any trial has reached its first phase, which restores data or runs clients.
    pub fn began(&self) -> bool {
        self.began
    }

    /// The digest of all files of the run, when it has ended.
    pub fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }

    /// Adds what the run found to `run.json`. The run is complete without it.
    pub fn conclude(&mut self, summary: &Summary) {
        self.about.outcome = Some(Outcome::of(summary));
        let _ = self.still_there().and_then(|()| self.about.write(&self.folder));
    }

    /// Flushes everything to the disk, and returns the directory's path. Fails if files that were written are no longer
    /// there.
    pub fn close(self) -> Result<PathBuf, Problem> {
        match self.run.file.sync_all().and_then(|()| self.still_there()) {
            Ok(()) => Ok(self.dir),
            Err(e) => Err(self.write_problem(&e)),
        }
    }

    /// Deletes the directory, for a run that has not begun.
    pub fn discard(self) -> Result<(), Problem> {
        let gone = self.in_its_place().and_then(|()| fs::remove_dir_all(&self.dir));
        if let Some(root) = &self.made {
            // Fails if it contains anything else, which is then kept.
            let _ = fs::remove_dir(root);
        }
        gone.map_err(|e| Problem::new(msg!("run-directory-not-removed", dir = self.dir.display())).evidence(foreign(e)))
    }

    /// Writes an event to the file it belongs to.
    fn keep(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Progress { .. } => return Ok(()),
            Event::PhaseStarted { .. } => self.began = true,
            Event::RunStarted { name, tool, started, plan, .. } => {
                self.about =
                    About { name: name.clone(), tool: tool.clone(), started: started.clone(), ..self.about.clone() };
                self.folder.replace("plan.toml", plan.as_bytes())?;
                self.sums.add("plan.toml", &sums::digest(plan.as_bytes()))?;
                self.about.write(&self.folder)?;
                self.first = Some(self.run.line(event)?);
                return Ok(());
            }
            Event::TrialPlanned { planned, .. } => {
                self.planned.push((**planned).clone());
                self.about.trials += 1;
            }
            Event::RunFinished { state, .. } => {
                while let Some(open) = self.open.pop() {
                    self.end_trial(&open)?;
                }
                self.run.line(event)?;
                self.sums.add(verify::LOG, &self.run.digest())?;
                self.digest = Some(self.sums.end()?);
                // Only now: a run that has ended has all digests ([`verify`]).
                self.about.state = Some(*state);
                return self.about.write(&self.folder);
            }
            Event::TrialStarted { trial, .. } => {
                self.still_there()?;
                if self.counted != self.about.trials {
                    self.about.write(&self.folder)?;
                    self.counted = self.about.trials;
                }
                let begun = self.begin(*trial)?;
                self.open.push(begun);
            }
            _ => {}
        }
        let number = event.trial();
        let Some(at) = self.open.iter().position(|open| open.number == number && number != 0) else {
            return self.run.line(event).map(|_| ());
        };
        let open = &mut self.open[at];
        open.log.line(event)?;
        open.folding.take(event);
        if matches!(event, Event::TrialFinished { .. }) {
            let open = self.open.remove(at);
            open.log.file.sync_data()?;
            self.kept.push((number, identity(&open.log.file)?));
            // Nothing is lost without it.
            let summary = open.folding.write(&open.folder, &open.log.whole);
            self.end_trial(&open)?;
            if let Ok(Some(digest)) = summary {
                self.sums.add(&format!("trials/{}/{}", place(number), summary::NAME), &digest)?;
            }
        }
        Ok(())
    }

    /// Adds the digest of the log of a trial to which nothing will be added any more.
    fn end_trial(&mut self, open: &OpenTrial) -> io::Result<()> {
        self.sums.add(&format!("trials/{}/{}", place(open.number), verify::LOG), &open.log.digest())
    }

    /// Creates the directory of a trial with its `trial.json` and its empty log.
    fn begin(&mut self, number: u32) -> io::Result<OpenTrial> {
        let folder = self.trials.make_folder(&place(number))?;
        let planned = self.planned.iter().find(|t| t.number == number);
        if let Some(trial) = planned {
            let text = serde_json::to_vec_pretty(&PlannedTrial { format: FORMAT, trial: trial.clone() })?;
            folder.replace("trial.json", &text)?;
            self.sums.add(&format!("trials/{}/trial.json", place(number)), &sums::digest(&text))?;
        }
        let folding = planned.map(Folding::of).unwrap_or_default();
        let log = Log::create(&folder, Chain::of_trial(self.first.as_ref(), number))?;
        Ok(OpenTrial { number, log, folder, folding })
    }

    /// Fails if a file that was written has been moved, replaced, deleted or changed in length.
    fn still_there(&self) -> io::Result<()> {
        self.in_its_place()?;
        self.run.still_there()?;
        for (name, file) in [(verify::LOG, &self.run.file), (sums::NAME, self.sums.file())] {
            if !self.folder.identity(name)?.is(&identity(file)?) {
                return Err(io::Error::other(format!("somebody else has exchanged its {name}")));
            }
        }
        for (number, was) in &self.kept {
            let now = self.trials.folder(&place(*number)).and_then(|folder| folder.identity("events.jsonl"));
            if !now.is_ok_and(|now| now.is(was) && now.size == was.size) {
                let what = format!("the record of trial {number} was deleted or changed while the run went on");
                return Err(io::Error::other(what));
            }
        }
        Ok(())
    }

    /// Fails if the directory no longer has its name.
    fn in_its_place(&self) -> io::Result<()> {
        match Folder::open(&self.dir).and_then(|now| now.own()) {
            Ok(now) if now.is(&self.folder.own()?) => Ok(()),
            _ => Err(io::Error::other("it was deleted or moved while the run went on")),
        }
    }

    fn write_problem(&self, e: &io::Error) -> Problem {
        let problem = of_runs(&self.dir, e);
        let kept = self.kept.iter().filter(|(number, was)| {
            let now = self.trials.folder(&place(*number)).and_then(|folder| folder.identity("events.jsonl"));
            now.is_ok_and(|now| now.is(was) && now.size == was.size)
        });
        // The files of a deleted directory exist only while they are open.
        let kept = if self.in_its_place().is_ok() { kept.count() } else { 0 };
        problem.evidence(msg!("kept-trials", error = e, kept, planned = self.planned.len()))
    }
}

/// The name of a trial's directory.
fn place(number: u32) -> String {
    format!("{number:04}")
}

impl Sink for Store {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.keep(event).map_err(|e| self.write_problem(&e))
    }
}

impl Log {
    fn create(folder: &Folder, chain: Chain) -> io::Result<Log> {
        Ok(Log { file: folder.log(verify::LOG)?, whole: LogHash::default(), digest: Sha256::new(), chain })
    }

    /// The SHA-256 of the file as it is.
    fn digest(&self) -> String {
        hex(&self.digest.clone().finalize())
    }

    /// Writes one line with a single call, and returns its digest. If only a part of it can be written, that part is removed, so
    /// that later lines are not appended to it.
    fn line(&mut self, event: &Event) -> io::Result<Link> {
        let mut text = serde_json::to_vec(event)?;
        let mut chain = self.chain.clone();
        let own = chain.seal(&mut text);
        text.push(b'\n');
        self.still_there()?;
        match self.file.write_all(&text) {
            Ok(()) => {
                self.chain = chain;
                self.whole.take(&text);
                self.digest.update(&text);
                Ok(own)
            }
            Err(e) => {
                let _ = self.file.set_len(self.whole.bytes);
                Err(e)
            }
        }
    }

    /// Fails if the file no longer has a name, or not the length that was written.
    fn still_there(&self) -> io::Result<()> {
        let now = identity(&self.file)?;
        if now.deleted {
            return Err(io::Error::other("its files were deleted while the run went on"));
        }
        if now.size != self.whole.bytes {
            return Err(io::Error::other("somebody else has changed its events.jsonl"));
        }
        Ok(())
    }
}

fn json(folder: &Folder, name: &str, value: &impl Serialize) -> io::Result<()> {
    folder.replace(name, &serde_json::to_vec_pretty(value)?)
}

/// Writes the page into a run directory, or beside a bundle, and returns its path. An existing file or link of that name is replaced, not
/// written to.
pub fn write_page(dir: &Path, text: &str) -> Result<PathBuf, Problem> {
    if is_bundle(dir) {
        return write_beside(dir, text);
    }
    let path = dir.join(PAGE);
    let written = Folder::open(dir).and_then(|folder| folder.replace(PAGE, text.as_bytes()));
    written.map(|()| path.clone()).map_err(|e| {
        let run = shell::quoted(&dir.display().to_string());
        let elsewhere = foreign(format_args!("tenbin report {run} --out another/file.html"));
        let problem = cannot_write(msg!("page-cannot-be-written", file = path.display()), dir, &e, elsewhere);
        match problem.hint.as_ref().is_some_and(|hint| hint.mentions(&["no-space-there", "no-quota-there"])) {
            true => problem.hint(msg!("free-space-there", run)),
            false => problem,
        }
    })
}

/// Writes the page of a bundle beside it, unless a file of the user's is there.
fn write_beside(bundle: &Path, text: &str) -> Result<PathBuf, Problem> {
    let path = beside_bundle(bundle, ".html");
    let run = shell::quoted(&bundle.display().to_string());
    let elsewhere = foreign(format_args!("tenbin report {run} --out another/file.html"));
    if !may_be_replaced(&path) {
        let problem = Problem::new(msg!("page-cannot-be-written", file = path.display()));
        return Err(problem.evidence(msg!("file-of-others-is-there")).hint(elsewhere));
    }
    write_whole(&path, text).map(|()| path.clone()).map_err(|e| {
        let parent = bundle.parent().unwrap_or(bundle);
        cannot_write(msg!("page-cannot-be-written", file = path.display()), parent, &e, elsewhere)
    })
}

fn new_directory(root: &Path, name: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(root)?;
    let stamp = jiff::Zoned::now().strftime("%Y-%m-%dT%H%M%S").to_string();
    let mut safe: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).take(60).collect();
    // File names have at most 255 bytes, including the time and a number.
    safe.truncate((0..=180).rfind(|n| safe.is_char_boundary(*n)).unwrap_or(0));
    for n in 1.. {
        let last = if n == 1 { String::new() } else { format!("-{n}") };
        let dir = root.join(format!("{stamp}-{safe}{last}"));
        match fs::create_dir(&dir) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| dir),
        }
    }
    Err(io::Error::other("no free name"))
}

fn of_runs(dir: &Path, e: &io::Error) -> Problem {
    cannot_write(msg!("run-directory-cannot-be-written", dir = dir.display()), dir, e, msg!("name-another-folder"))
}

/// One run in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    /// Its directory, or its bundle.
    #[serde(serialize_with = "as_text")]
    pub dir: PathBuf,
    /// The plan's name.
    pub name: String,
    /// The wall clock time of its start, as in RFC 3339.
    pub started: String,
    /// How it ended; `None`: it has no recorded end.
    pub state: Option<EndState>,
    /// Planned trials.
    pub trials: u32,
    /// What it found; `None` of a run that did not come to its end, or of an older version.
    pub outcome: Option<Outcome>,
    /// What its user says about it.
    pub labels: RunLabels,
}

/// A path as text, whatever bytes its names have.
fn as_text<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

/// The runs in a directory, oldest first, also those of which only a bundle is there; none if the directory does not exist. Fails if it cannot be listed.
pub fn list(root: &Path) -> Result<Vec<Listed>, Problem> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Problem::new(msg!("file-unreadable", file = root.display())).evidence(foreign(e))),
    };
    let mut all: Vec<Listed> = entries
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            if bundle::is_named_so(&path) && path.is_file() { listed_bundle(path) } else { listed_directory(path) }
        })
        .collect();
    all.sort_by(|a, b| a.dir.cmp(&b.dir));
    Ok(all)
}

fn listed_directory(dir: PathBuf) -> Option<Listed> {
    let folder = Folder::open(&dir).ok()?;
    let about = folder.whole(about::NAME, MOST_JSON).ok().and_then(|text| about::listed(&text));
    // A run with a damaged run.json is listed under the name of its directory.
    let lost = || folder.has("events.jsonl").then(|| About { name: file_name(&dir), ..About::default() });
    let About { name, started, state, trials, outcome, .. } = about.or_else(lost)?;
    Some(Listed { dir, name, started, state, trials, outcome, labels: labels_in(&folder) })
}

/// A bundle whose directory is not beside it.
fn listed_bundle(bundle: PathBuf) -> Option<Listed> {
    if is_run(&beside_bundle(&bundle, "")) {
        return None;
    }
    let files = bundle::first_files(&bundle, &[about::NAME, LABELS]);
    let About { name, started, state, trials, outcome, .. } = about::listed(files.get(about::NAME)?)?;
    let labels = files.get(LABELS).and_then(|text| foreign::parse(text).ok()).unwrap_or_default();
    Some(Listed { dir: bundle, name, started, state, trials, outcome, labels })
}

/// A time of RFC 3339 as seconds since 1970; `None` if the text is not one.
pub fn moment(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second)
}

/// The last part of a path, as text.
fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}
