//! Run directories: what is written while a run goes on, and what is read back from whatever is left of one.
//!
//! ```text
//! runs/2026-11-21T0131-demo/
//!   run.json                 format, name, tool, start, state, number of trials; replaced as a whole
//!   plan.toml                the plan as given, without passwords
//!   events.jsonl             events of the run as a whole, one per line, appended
//!   trials/0001/trial.json   the resolved trial
//!   trials/0001/events.jsonl its events, one per line, appended
//!   report.html              the page; can be made again from the rest
//! ```
//!
//! Every line is written whole and at once, so a crash loses at most the last one. Reading forgives: a directory cut off at any
//! byte opens, and says what is missing.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tenbin_model::event::{Event, FORMAT, Sink, State};
use tenbin_model::problem::Problem;

/// A run directory being written.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    run: File,
    /// The trial under way and its log.
    trial: Option<(u32, File)>,
    about: About,
}

/// `run.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct About {
    format: u32,
    name: String,
    tool: String,
    started: String,
    /// `None` while it goes on.
    state: Option<State>,
    trials: u32,
}

impl Store {
    /// Makes a new directory for a run under `root`; never one that exists.
    pub fn create(root: &Path, name: &str) -> Result<Store, Problem> {
        let dir = new_directory(root, name).map_err(|e| cannot_write(root, &e))?;
        let run = append(&dir.join("events.jsonl")).map_err(|e| cannot_write(&dir, &e))?;
        Ok(Store { dir, run, trial: None, about: About { format: FORMAT, name: name.to_owned(), ..About::default() } })
    }

    /// The run directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Everything to the disk; the directory's path.
    pub fn close(self) -> Result<PathBuf, Problem> {
        let synced = self.run.sync_all();
        match synced {
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
                fs::write(self.dir.join("plan.toml"), plan)?;
                self.tell_about()?;
            }
            Event::RunFinished { state, .. } => {
                self.about.state = Some(*state);
                line(&mut self.run, event)?;
                return self.tell_about();
            }
            Event::TrialStarted { trial, .. } => {
                let dir = self.trial_dir(*trial);
                fs::create_dir_all(&dir)?;
                self.trial = Some((*trial, append(&dir.join("events.jsonl"))?));
            }
            _ => {}
        }
        let number = event.trial();
        match &mut self.trial {
            Some((open, log)) if *open == number && number != 0 => {
                line(log, event)?;
                if matches!(event, Event::TrialFinished { .. }) {
                    log.sync_data()?;
                    self.trial = None;
                }
                Ok(())
            }
            _ => line(&mut self.run, event),
        }
    }

    fn trial_dir(&self, number: u32) -> PathBuf {
        self.dir.join("trials").join(format!("{number:04}"))
    }

    /// Replaces `run.json` as a whole: a reader never sees half of it.
    fn tell_about(&self) -> io::Result<()> {
        let fresh = self.dir.join("run.json.new");
        fs::write(&fresh, serde_json::to_vec_pretty(&self.about)?)?;
        fs::rename(fresh, self.dir.join("run.json"))
    }
}

impl Sink for Store {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.keep(event).map_err(|e| cannot_write(&self.dir, &e))
    }
}

/// One line, in one write.
fn line(file: &mut File, event: &Event) -> io::Result<()> {
    let mut text = serde_json::to_vec(event)?;
    text.push(b'\n');
    file.write_all(&text)
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
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

/// A run read back.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// Its events, in order.
    pub events: Vec<Event>,
    /// What is missing or damaged.
    pub doubts: Vec<Problem>,
}

/// Reads a run directory, or what is left of one. Fails only when there is no run at all, or one of a newer format.
pub fn read(dir: &Path) -> Result<Recording, Problem> {
    let mut recording = Recording::default();
    if !dir.join("events.jsonl").is_file() && !dir.join("trials").is_dir() {
        return Err(Problem::new(format!("{} is not a run directory", dir.display()))
            .evidence("neither events.jsonl nor trials/ is in it")
            .mend("tenbin list shows the runs"));
    }
    let mut run = lines(&dir.join("events.jsonl"), &mut recording.doubts);
    if let Some(Event::RunStarted { format, .. }) = run.first()
        && *format > FORMAT
    {
        return Err(Problem::new("the run was recorded by a newer Tenbin")
            .evidence(format!("its format is {format}, this version reads up to {FORMAT}"))
            .mend("get that version of Tenbin"));
    }
    if !matches!(run.first(), Some(Event::RunStarted { .. })) {
        recording.doubts.push(Problem::new("the beginning of the run is lost: plan and order of trials are not known"));
    }
    let mut trials = BTreeMap::new();
    for entry in fs::read_dir(dir.join("trials")).into_iter().flatten().flatten() {
        if let Some(number) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) {
            trials.insert(number, lines(&entry.path().join("events.jsonl"), &mut recording.doubts));
        }
    }
    let finish = run.iter().position(|e| matches!(e, Event::RunFinished { .. })).map(|i| run.remove(i));
    recording.events.append(&mut run);
    for (number, events) in trials {
        let ended = events.iter().any(|e| matches!(e, Event::TrialFinished { .. }));
        if !ended {
            recording.doubts.push(Problem::new(format!(
                "trial {number} has no end: the run was killed in it, or the end of its log is lost"
            )));
        }
        // A log of another trial in its place would be counted twice.
        recording.events.extend(events.into_iter().filter(|e| e.trial() == number));
    }
    match finish {
        Some(event) => recording.events.push(event),
        None => recording
            .doubts
            .push(Problem::new("the run has no end: it goes on, was killed, or the end of its log is lost")),
    }
    Ok(recording)
}

/// The events of a log; lines that cannot be read are left out and told.
fn lines(path: &Path, doubts: &mut Vec<Problem>) -> Vec<Event> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) => {
            doubts.push(Problem::new(format!("{} cannot be read", path.display())).evidence(e.to_string()));
            return Vec::new();
        }
    };
    let (mut events, mut broken) = (Vec::new(), Vec::new());
    for (i, text) in bytes.split(|b| *b == b'\n').enumerate().filter(|(_, t)| !t.is_empty()) {
        match serde_json::from_slice(text) {
            Ok(event) => events.push(event),
            Err(e) => broken.push((i + 1, e.to_string())),
        }
    }
    if let Some((number, why)) = broken.first() {
        doubts.push(
            Problem::new(format!(
                "{} of {} lines of {} cannot be read and are left out",
                broken.len(),
                events.len() + broken.len(),
                path.display()
            ))
            .evidence(format!("the first is line {number}: {why}")),
        );
    }
    events
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
            let about: About = serde_json::from_slice(&fs::read(entry.path().join("run.json")).ok()?).ok()?;
            let About { name, started, state, trials, .. } = about;
            Some(Listed { dir: entry.path(), name, started, state, trials })
        })
        .collect();
    all.sort_by(|a, b| a.dir.cmp(&b.dir));
    Ok(all)
}
