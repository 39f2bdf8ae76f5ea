//! Reading a run directory, or what is left of one. A directory cut off or damaged at any byte opens, and what is missing is said.
//!
//! Logs hold most things once and the rest twice: a lost beginning of the run is put together again from `run.json`, `plan.toml` and
//! the `trial.json` of each trial, so that damage in one file never costs another file's measurements.

use super::{About, Planned, file_name};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::{fs, io};
use tenbin_model::event::{Event, FORMAT};
use tenbin_model::problem::Problem;
use tenbin_model::summary::Summary;
use tenbin_model::trial::Trial;

/// A run read back.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// What its events come to.
    pub summary: Summary,
    /// What is missing or damaged.
    pub doubts: Vec<Problem>,
}

/// Reads a run directory. Events are folded as they are read, so that a run of many hours takes no more memory than one
/// of a minute. Fails only when there is no run at all, or one of a newer format.
pub fn read(dir: &Path) -> Result<Recording, Problem> {
    if !["events.jsonl", "trials", "run.json"].iter().any(|name| dir.join(name).exists()) {
        return Err(Problem::new(format!("{} is not a run directory", dir.display()))
            .evidence("neither run.json nor events.jsonl nor trials/ is in it")
            .mend("tenbin list shows the runs"));
    }
    let mut doubts = Vec::new();
    let about: Option<About> = json(&dir.join("run.json"), &mut doubts)?;
    let mut run = Vec::new();
    lines(&dir.join("events.jsonl"), &mut doubts, |event| run.push(event))?;
    let trials = trials(dir, &mut doubts)?;

    let started = run.iter().position(|e| matches!(e, Event::RunStarted { .. })).map(|i| run.remove(i));
    let finished = run.iter().position(|e| matches!(e, Event::RunFinished { .. })).map(|i| run.remove(i));
    let (started, planned) = beginning(dir, started, about, &trials, &mut doubts);
    let mut summary = Summary::default();
    summary.take(&started);
    run.iter().for_each(|event| summary.take(event));
    for (number, Folder { log, .. }) in &trials {
        whole(*number, log, &mut doubts, &mut summary)?;
    }
    match finished {
        Some(event) => {
            for number in planned.iter().filter(|n| !trials.contains_key(n)) {
                doubts.push(Problem::new(format!(
                    "trial {number} is not there: it was not begun, or its folder is lost"
                )));
            }
            summary.take(&event);
        }
        None => {
            doubts.push(Problem::new("the run has no end: it goes on, was killed, or the end of its log is lost"));
        }
    }
    Ok(Recording { summary, doubts })
}

/// A trial's folder.
struct Folder {
    /// The trial as resolved.
    own: Option<Trial>,
    log: PathBuf,
}

fn trials(dir: &Path, doubts: &mut Vec<Problem>) -> Result<BTreeMap<u32, Folder>, Problem> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(dir.join("trials")).into_iter().flatten().flatten() {
        if let Some(number) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) {
            let planned: Option<Planned> = json(&entry.path().join("trial.json"), doubts)?;
            let own = planned.map(|p| p.trial).filter(|t| t.number == number);
            all.insert(number, Folder { own, log: entry.path().join("events.jsonl") });
        }
    }
    Ok(all)
}

/// The run's first event, made whole where it is damaged, and the numbers of its trials.
fn beginning(
    dir: &Path,
    found: Option<Event>,
    about: Option<About>,
    folders: &BTreeMap<u32, Folder>,
    doubts: &mut Vec<Problem>,
) -> (Event, Vec<u32>) {
    let mut started = found.unwrap_or_else(|| {
        doubts.push(
            Problem::new("the beginning of the run's log is lost")
                .evidence("plan and trials are taken from plan.toml and the folders of the trials that had begun"),
        );
        let About { name, tool, started, .. } = about.unwrap_or_default();
        Event::RunStarted {
            format: FORMAT,
            name: if name.is_empty() { file_name(dir) } else { name },
            tool,
            started,
            plan: fs::read(dir.join("plan.toml")).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default(),
            trials: Vec::new(),
        }
    });
    let mut planned = Vec::new();
    if let Event::RunStarted { trials, .. } = &mut started {
        for (number, Folder { own, log }) in folders {
            match own {
                _ if trials.iter().any(|t| t.number == *number) => {}
                Some(own) => trials.push(own.clone()),
                None => {
                    let mut events = 0;
                    // What keeps it from being read is told where it is read.
                    let _ = lines(log, &mut Vec::new(), |_| events += 1);
                    if events > 0 {
                        doubts.push(Problem::new(format!(
                            "what trial {number} was to do is lost: its {events} events are left out"
                        )));
                    }
                }
            }
        }
        planned = trials.iter().map(|t| t.number).collect();
    }
    (started, planned)
}

/// Folds a trial's own events. One whose first line is lost has begun all the same.
fn whole(number: u32, log: &Path, doubts: &mut Vec<Problem>, summary: &mut Summary) -> Result<(), Problem> {
    let begin = Event::TrialStarted { trial: number, at_ns: 0 };
    let (mut begun, mut ended) = (false, false);
    lines(log, doubts, |event| {
        // A log of another trial in its place would be counted twice.
        if event.trial() != number {
            return;
        }
        if !begun && !matches!(event, Event::TrialStarted { .. }) {
            summary.take(&begin);
        }
        begun = true;
        ended |= matches!(event, Event::TrialFinished { .. });
        summary.take(&event);
    })?;
    if !begun {
        summary.take(&begin);
    }
    if !ended {
        doubts.push(Problem::new(format!(
            "trial {number} has no end: the run was killed in it, or the end of its log is lost"
        )));
    }
    Ok(())
}

/// A JSON file, when it is whole.
fn json<T: DeserializeOwned>(path: &Path, doubts: &mut Vec<Problem>) -> Result<Option<T>, Problem> {
    let told = |why: String| Problem::new(format!("{} cannot be read", path.display())).evidence(why);
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        // What it holds may stand elsewhere too; whoever misses it says so.
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => {
            doubts.push(told(e.to_string()));
            return Ok(None);
        }
    };
    if let Ok(value) = serde_json::from_slice::<Value>(&bytes) {
        refuse_newer(&value)?;
    }
    match serde_json::from_slice(&bytes) {
        Ok(value) => Ok(Some(value)),
        Err(e) => {
            doubts.push(told(e.to_string()));
            Ok(None)
        }
    }
}

/// Reads the events of a log one by one; lines that cannot be read are left out and told.
fn lines(path: &Path, doubts: &mut Vec<Problem>, mut take: impl FnMut(Event)) -> Result<(), Problem> {
    let unread = |e: io::Error| Problem::new(format!("{} cannot be read", path.display())).evidence(e.to_string());
    let mut log = match fs::File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(e) => {
            doubts.push(unread(e));
            return Ok(());
        }
    };
    let (mut line, mut number, mut all, mut broken, mut first) = (Vec::new(), 0, 0u64, 0u64, None);
    loop {
        line.clear();
        match log.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(e) => {
                doubts.push(unread(e));
                break;
            }
        }
        number += 1;
        let text = line.trim_ascii_end();
        if text.is_empty() {
            continue;
        }
        all += 1;
        match serde_json::from_slice(text) {
            Ok(Event::RunStarted { format, .. }) if format > FORMAT => return Err(newer(u64::from(format))),
            Ok(event) => take(event),
            Err(e) => {
                if let Ok(value) = serde_json::from_slice::<Value>(text) {
                    refuse_newer(&value)?;
                }
                broken += 1;
                first.get_or_insert_with(|| format!("the first is line {number}: {e}"));
            }
        }
    }
    if let Some(first) = first {
        let what = format!("{broken} of {all} lines of {} cannot be read and are left out", path.display());
        doubts.push(Problem::new(what).evidence(first));
    }
    Ok(())
}

/// A newer format may mean something else by the same words: better not read than misread.
fn refuse_newer(value: &Value) -> Result<(), Problem> {
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if format > u64::from(FORMAT) => Err(newer(format)),
        _ => Ok(()),
    }
}

fn newer(format: u64) -> Problem {
    Problem::new("the run was recorded by a newer Tenbin")
        .evidence(format!("its format is {format}, this version reads up to {FORMAT}"))
        .mend("get that version of Tenbin")
}
