//! Reading a run directory, or what is left of one. A directory cut off or damaged at any byte opens, and what is missing is said.
//!
//! Logs hold most things once and the rest twice: a lost beginning of the run is put together again from `run.json`, `plan.toml` and
//! the `trial.json` of each trial, so that damage in one file never costs another file's measurements.

use super::{About, Planned, file_name};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};
use tenbin_model::event::{Event, FORMAT};
use tenbin_model::problem::Problem;
use tenbin_model::trial::Trial;

/// A run read back.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// Its events, in order.
    pub events: Vec<Event>,
    /// What is missing or damaged.
    pub doubts: Vec<Problem>,
}

/// Reads a run directory. Fails only when there is no run at all, or one of a newer format.
pub fn read(dir: &Path) -> Result<Recording, Problem> {
    if !["events.jsonl", "trials", "run.json"].iter().any(|name| dir.join(name).exists()) {
        return Err(Problem::new(format!("{} is not a run directory", dir.display()))
            .evidence("neither run.json nor events.jsonl nor trials/ is in it")
            .mend("tenbin list shows the runs"));
    }
    let mut doubts = Vec::new();
    let about: Option<About> = json(&dir.join("run.json"), &mut doubts)?;
    let mut run = lines(&dir.join("events.jsonl"), &mut doubts)?;
    let trials = trials(dir, &mut doubts)?;

    let started = run.iter().position(|e| matches!(e, Event::RunStarted { .. })).map(|i| run.remove(i));
    let finished = run.iter().position(|e| matches!(e, Event::RunFinished { .. })).map(|i| run.remove(i));
    let (started, planned) = beginning(dir, started, about, &trials, &mut doubts);
    let mut events = vec![started];
    events.append(&mut run);
    for (number, (_, log)) in &trials {
        events.extend(whole(*number, log, &mut doubts));
    }
    match finished {
        Some(event) => {
            for number in planned.iter().filter(|n| !trials.contains_key(n)) {
                doubts.push(Problem::new(format!(
                    "trial {number} is not there: it was not begun, or its folder is lost"
                )));
            }
            events.push(event);
        }
        None => {
            doubts.push(Problem::new("the run has no end: it goes on, was killed, or the end of its log is lost"));
        }
    }
    Ok(Recording { events, doubts })
}

type Logs = BTreeMap<u32, (Option<Trial>, Vec<Event>)>;

/// Each trial's folder: the trial as resolved, and its events.
fn trials(dir: &Path, doubts: &mut Vec<Problem>) -> Result<Logs, Problem> {
    let mut all = Logs::new();
    for entry in fs::read_dir(dir.join("trials")).into_iter().flatten().flatten() {
        if let Some(number) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) {
            let planned: Option<Planned> = json(&entry.path().join("trial.json"), doubts)?;
            let trial = planned.map(|p| p.trial).filter(|t| t.number == number);
            all.insert(number, (trial, lines(&entry.path().join("events.jsonl"), doubts)?));
        }
    }
    Ok(all)
}

/// The run's first event, made whole where it is damaged, and the numbers of its trials.
fn beginning(
    dir: &Path,
    found: Option<Event>,
    about: Option<About>,
    logs: &Logs,
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
        for (number, (own, events)) in logs {
            match own {
                _ if trials.iter().any(|t| t.number == *number) => {}
                Some(own) => trials.push(own.clone()),
                None if events.is_empty() => {}
                None => doubts.push(Problem::new(format!(
                    "what trial {number} was to do is lost: its {} events are left out",
                    events.len()
                ))),
            }
        }
        planned = trials.iter().map(|t| t.number).collect();
    }
    (started, planned)
}

/// A trial's own events. One whose first line is lost has begun all the same.
fn whole(number: u32, log: &[Event], doubts: &mut Vec<Problem>) -> Vec<Event> {
    // A log of another trial in its place would be counted twice.
    let mut events: Vec<Event> = log.iter().filter(|e| e.trial() == number).cloned().collect();
    if !events.iter().any(|e| matches!(e, Event::TrialFinished { .. })) {
        doubts.push(Problem::new(format!(
            "trial {number} has no end: the run was killed in it, or the end of its log is lost"
        )));
    }
    if !events.iter().any(|e| matches!(e, Event::TrialStarted { .. })) {
        events.insert(0, Event::TrialStarted { trial: number, at_ns: 0 });
    }
    events
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

/// The events of a log; lines that cannot be read are left out and told.
fn lines(path: &Path, doubts: &mut Vec<Problem>) -> Result<Vec<Event>, Problem> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) => {
            doubts.push(Problem::new(format!("{} cannot be read", path.display())).evidence(e.to_string()));
            return Ok(Vec::new());
        }
    };
    let (mut events, mut broken) = (Vec::new(), Vec::new());
    for (i, text) in bytes.split(|b| *b == b'\n').enumerate().filter(|(_, t)| !t.is_empty()) {
        match serde_json::from_slice(text) {
            Ok(Event::RunStarted { format, .. }) if format > FORMAT => return Err(newer(u64::from(format))),
            Ok(event) => events.push(event),
            Err(e) => {
                if let Ok(value) = serde_json::from_slice::<Value>(text) {
                    refuse_newer(&value)?;
                }
                broken.push((i + 1, e.to_string()));
            }
        }
    }
    if let Some((number, why)) = broken.first() {
        let all = events.len() + broken.len();
        doubts.push(
            Problem::new(format!(
                "{} of {all} lines of {} cannot be read and are left out",
                broken.len(),
                path.display()
            ))
            .evidence(format!("the first is line {number}: {why}")),
        );
    }
    Ok(events)
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
