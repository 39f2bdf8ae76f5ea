//! Run directories: what is written while a run goes on ([`Store`]), and what is read back from whatever is left of one ([`read()`]).
//!
//! ```text
//! runs/2026-11-21T0131-demo/
//!   run.json                 format, name, tool, start, state, number of trials; replaced as a whole
//!   plan.toml                the plan as given, without passwords
//!   events.jsonl             events of the run as a whole, one per line, appended
//!   trials/0001/trial.json   the resolved trial, with the format
//!   trials/0001/events.jsonl its events, one per line, appended
//!   report.html              the page; can be made again from the rest
//! ```
//!
//! Every line is written whole and at once, so a crash loses at most the last one; a trial's log goes to the disk at its end.

mod read;

pub use read::{Recording, read};

use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tenbin_model::event::{Event, FORMAT, Sink, State};
use tenbin_model::problem::Problem;
use tenbin_model::trial::Trial;

/// A run directory being written.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    run: Log,
    /// The trial under way and its log.
    trial: Option<(u32, Log)>,
    planned: Vec<Trial>,
    /// Trials whose logs are whole and on the disk.
    kept: u32,
    about: About,
}

/// A file of lines, and how long it is without a half one.
#[derive(Debug)]
struct Log {
    file: File,
    whole: u64,
}

/// `run.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct About {
    format: u32,
    name: String,
    tool: String,
    started: String,
    /// `None` while it goes on.
    state: Option<State>,
    trials: u32,
}

/// `trial.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Planned {
    format: u32,
    trial: Trial,
}

impl Store {
    /// Makes a new directory for a run under `root`; never one that exists.
    pub fn create(root: &Path, name: &str) -> Result<Store, Problem> {
        let dir = new_directory(root, name).map_err(|e| cannot_write(root, &e))?;
        let run = Log::open(&dir.join("events.jsonl")).map_err(|e| cannot_write(&dir, &e))?;
        let about = About { format: FORMAT, name: name.to_owned(), ..About::default() };
        Ok(Store { dir, run, trial: None, planned: Vec::new(), kept: 0, about })
    }

    /// The run directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Everything to the disk; the directory's path.
    pub fn close(self) -> Result<PathBuf, Problem> {
        match self.run.file.sync_all() {
            Ok(()) => Ok(self.dir),
            Err(e) => Err(cannot_write(&self.dir, &e)),
        }
    }

    fn keep(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Progress { .. } => return Ok(()),
            Event::RunStarted { name, tool, started, plan, trials, .. } => {
                self.about = About {
                    name: name.clone(),
                    tool: tool.clone(),
                    started: started.clone(),
                    trials: trials.len() as u32,
                    ..self.about.clone()
                };
                self.planned.clone_from(trials);
                fs::write(self.dir.join("plan.toml"), plan)?;
                replace(&self.dir.join("run.json"), &self.about)?;
            }
            Event::RunFinished { state, .. } => {
                self.about.state = Some(*state);
                self.run.line(event)?;
                return replace(&self.dir.join("run.json"), &self.about);
            }
            Event::TrialStarted { trial, .. } => self.trial = Some((*trial, self.begin(*trial)?)),
            _ => {}
        }
        let number = event.trial();
        match &mut self.trial {
            Some((open, log)) if *open == number && number != 0 => {
                log.line(event)?;
                if matches!(event, Event::TrialFinished { .. }) {
                    log.file.sync_data()?;
                    self.trial = None;
                    self.kept += 1;
                }
                Ok(())
            }
            _ => self.run.line(event),
        }
    }

    /// A trial's own directory, with the trial as resolved, and its empty log.
    fn begin(&self, number: u32) -> io::Result<Log> {
        let dir = self.dir.join("trials").join(format!("{number:04}"));
        fs::create_dir_all(&dir)?;
        if let Some(trial) = self.planned.iter().find(|t| t.number == number) {
            replace(&dir.join("trial.json"), &Planned { format: FORMAT, trial: trial.clone() })?;
        }
        Log::open(&dir.join("events.jsonl"))
    }
}

impl Sink for Store {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.keep(event).map_err(|e| {
            let problem = cannot_write(&self.dir, &e);
            let kept = format!("{e}; kept: {} of {} trials whole, and the lines before", self.kept, self.planned.len());
            problem.evidence(kept)
        })
    }
}

impl Log {
    fn open(path: &Path) -> io::Result<Log> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let whole = file.metadata()?.len();
        Ok(Log { file, whole })
    }

    /// One line, in one write. When the disk has no room for all of it, its beginning is taken back: what comes later must not be glued to it.
    fn line(&mut self, event: &Event) -> io::Result<()> {
        let mut text = serde_json::to_vec(event)?;
        text.push(b'\n');
        match self.file.write_all(&text) {
            Ok(()) => {
                self.whole += text.len() as u64;
                Ok(())
            }
            Err(e) => {
                let _ = self.file.set_len(self.whole);
                Err(e)
            }
        }
    }
}

fn replace(path: &Path, value: &impl Serialize) -> io::Result<()> {
    write_whole(path, serde_json::to_vec_pretty(value)?)
}

/// Writes or replaces a file as a whole: a reader never sees half of it, and when it cannot be written, what was there stays.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        // `/dev/stdout` and its like are written to, not replaced.
        return fs::write(path, content);
    }
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let written = fs::write(&fresh, content).and_then(|()| fs::rename(&fresh, path));
    if written.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    written
}

fn new_directory(root: &Path, name: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(root)?;
    let stamp = jiff::Zoned::now().strftime("%Y-%m-%dT%H%M%S").to_string();
    let safe: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).take(60).collect();
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

fn cannot_write(dir: &Path, e: &io::Error) -> Problem {
    Problem::new(format!("the run directory {} cannot be written", dir.display()))
        .evidence(format!("{e}; what was written before is kept"))
        .mend("free space there, or name another folder with --runs")
}

/// One run in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    /// Its directory.
    pub dir: PathBuf,
    /// The plan's name.
    pub name: String,
    /// Wall clock at its start.
    pub started: String,
    /// How it ended; `None`: not (yet).
    pub state: Option<State>,
    /// Planned trials.
    pub trials: u32,
}

/// The runs under a folder, oldest first; none when the folder is not there.
pub fn list(root: &Path) -> Result<Vec<Listed>, Problem> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Problem::new(format!("{} cannot be read", root.display())).evidence(e.to_string())),
    };
    let mut all: Vec<Listed> = entries
        .flatten()
        .filter_map(|entry| {
            let dir = entry.path();
            let about = fs::read(dir.join("run.json")).ok().and_then(|text| serde_json::from_slice(&text).ok());
            // A run whose run.json is damaged is still a run.
            let lost =
                || dir.join("events.jsonl").is_file().then(|| About { name: file_name(&dir), ..About::default() });
            let About { name, started, state, trials, .. } = about.or_else(lost)?;
            Some(Listed { dir, name, started, state, trials })
        })
        .collect();
    all.sort_by(|a, b| a.dir.cmp(&b.dir));
    Ok(all)
}

/// The last part of a path, for names.
fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}
