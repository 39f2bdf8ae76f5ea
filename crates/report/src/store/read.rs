//! Reads a run directory, even if its files are truncated, damaged or missing, and reports what could not be read.
//!
//! Measurements are stored once; the description of the run and its trials is stored twice. If the beginning of the log
//! is lost, it is reconstructed from `run.json`, `plan.toml` and the `trial.json` of each trial. Damage to one file
//! therefore never affects measurements in other files.

use super::about::About;
use super::files::{Folder, size};
use super::log::{LogLine, LogLines};
use super::summary::{self, Summarised};
use super::verify::{Verification, examine};
use super::{MOST_JSON, MOST_TRIALS, PlannedTrial, file_name, foreign, labels_in, run_folder};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use tenbin_model::event::{EndState, Event, FORMAT};
use tenbin_model::summary::Summary;
use tenbin_model::tally::Tally;
use tenbin_model::trial::Trial;
use tenbin_words::figure;
use tenbin_words::message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible_lines;

/// Longest `plan.toml` that is read, bytes.
const MOST_PLAN: u64 = 4 << 20;

/// Most memory that the histograms of a trial may take while they are counted in, bytes. A line of a hundred bytes can contain
/// a histogram that takes a quarter of a megabyte.
pub(super) const MOST_HISTOGRAMS: u64 = 2 << 30;

/// A run directory as read.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// The summary of its events.
    pub summary: Summary,
    /// What is missing or damaged.
    pub doubts: Vec<Problem>,
}

/// Reads a run directory. Events are added to the summary while they are read, so that a run of many hours takes no
/// more memory than one of a minute. Fails only if there is no run, or one of a newer format.
pub fn read(dir: &Path) -> Result<Recording, Problem> {
    read_within(dir, MOST_HISTOGRAMS)
}

/// The same with another limit for the memory of histograms, in bytes.
pub fn read_within(dir: &Path, most_histograms: u64) -> Result<Recording, Problem> {
    read_open(&run_folder(dir)?, dir, most_histograms).map(|(recording, _)| recording)
}

/// Reads an open run directory or bundle, after it was compared with what was written; `dir` is its path.
pub(super) fn read_open(
    folder: &Folder,
    dir: &Path,
    most_histograms: u64,
) -> Result<(Recording, Verification), Problem> {
    let verified = examine(folder);
    let mut recording = read_as_verified(folder, dir, most_histograms, &verified)?;
    let Recording { summary, doubts } = &mut recording;
    summary.record = verified.record.clone();
    let everywhere = verified.is_run_altered();
    let altered = verified.altered_trials();
    for trial in summary.trials.iter_mut().filter(|t| everywhere || altered.contains(&t.trial.number)) {
        trial.altered = verified.problem(Some(trial.trial.number), dir);
    }
    doubts.extend(verified.problem(None, dir));
    Ok((recording, verified))
}

fn read_as_verified(
    folder: &Folder,
    dir: &Path,
    most_histograms: u64,
    verified: &Verification,
) -> Result<Recording, Problem> {
    let mut doubts = Vec::new();
    let about: Option<About> = json(folder, "run.json", &mut doubts)?;
    let mut run = Vec::new();
    lines(folder, "events.jsonl", &mut doubts, |event| {
        // Measurements of a trial are in its own log.
        if !matches!(event, Event::Interval { .. } | Event::HostInterval { .. } | Event::Observation { .. }) {
            run.push(event);
        }
    })?;
    let trials = trials(folder, &mut doubts)?;

    let started = run.iter().position(|e| matches!(e, Event::RunStarted { .. })).map(|i| run.remove(i));
    let finished = run.iter().position(|e| matches!(e, Event::RunFinished { .. })).map(|i| run.remove(i));
    let started = started.unwrap_or_else(|| beginning(folder, dir, about, &mut doubts));
    recover(&mut run, &trials, &mut doubts);
    let mut summary = Summary::default();
    summary.labels = labels_in(folder);
    summary.take(&started);
    run.iter().for_each(|event| summary.take(event));
    let mut memory = Memory { most: most_histograms, ..Memory::default() };
    for (number, TrialFolder { folder, .. }) in &trials {
        let summarised = match verified.has_summary(*number) {
            Some(is_whole) => is_whole.then(|| summary::read(folder, *number, true)).flatten(),
            None => summary::read(folder, *number, false),
        };
        read_trial(*number, folder, summarised, &mut doubts, &mut summary, &mut memory)?;
    }
    if memory.left_out > 0 {
        let limit = size(memory.most);
        let what = msg!("intervals-left-out", n = memory.left_out, limit);
        doubts.push(Problem::new(what).evidence(msg!("no-real-recording")));
    }
    match finished {
        Some(event) => {
            let planned = summary.trials.iter().map(|t| t.trial.number);
            let missing = planned.filter(|number| !trials.contains_key(number)).collect();
            doubts.extend(missing_trials(missing, trials.keys().last().copied(), &event));
            summary.take(&event);
        }
        None => {
            doubts.push(Problem::new(msg!("run-without-end")));
        }
    }
    Ok(Recording { summary, doubts })
}

/// The code of the doubt that trials were not begun because the run was stopped before.
pub const NOT_BEGUN: &str = "trials-not-begun";

/// What is to be said of planned trials without a folder. `last` is the last trial that has one: those after it were not begun if the
/// user stopped the run, as it ended with `end`.
fn missing_trials(missing: Vec<u32>, last: Option<u32>, end: &Event) -> impl Iterator<Item = Problem> {
    let is_stopped = matches!(end, Event::RunFinished { state: EndState::Partial, .. });
    let is_after = |number: &u32| is_stopped && last.is_none_or(|last| *number > last);
    let (not_begun, lost): (Vec<u32>, Vec<u32>) = missing.into_iter().partition(is_after);
    let some = |numbers: &[u32]| (!numbers.is_empty()).then(|| figure::ranges(numbers));
    let not_begun = some(&not_begun).map(|trials| Problem::new(msg!("trials-not-begun", trials)));
    let lost = some(&lost).map(|trials| Problem::new(msg!("trials-missing", n = lost.len(), trials)));
    not_begun.into_iter().chain(lost)
}

/// The directory of a trial.
struct TrialFolder {
    /// The trial as resolved, if `trial.json` can be read.
    own: Option<Trial>,
    folder: Folder,
}

fn trials(dir: &Folder, doubts: &mut Vec<Problem>) -> Result<BTreeMap<u32, TrialFolder>, Problem> {
    let mut all = BTreeMap::new();
    let unread = |name: &str, e: &io::Error| {
        Problem::new(msg!("file-unreadable", file = dir.path(name).display())).evidence(message::foreign(e))
    };
    let (folder, names) = match dir.folder("trials").and_then(|folder| Ok((folder.names()?, folder))) {
        Ok((names, folder)) => (folder, names),
        Err(e) => {
            if e.kind() != io::ErrorKind::NotFound {
                doubts.push(unread("trials", &e));
            }
            return Ok(all);
        }
    };
    if names.len() > MOST_TRIALS {
        doubts.push(Problem::new(msg!("too-many-trials-to-read", trials = names.len(), most = MOST_TRIALS)));
    }
    for name in names.iter().take(MOST_TRIALS).filter_map(|name| name.to_str()) {
        let Ok(number) = name.parse::<u32>() else { continue };
        match folder.folder(name) {
            Ok(folder) => {
                let planned: Option<PlannedTrial> = json(&folder, "trial.json", doubts)?;
                let own = planned.map(|p| p.trial).filter(|t| t.number == number);
                all.insert(number, TrialFolder { own, folder });
            }
            Err(e) => doubts.push(unread(&format!("trials/{name}"), &e)),
        }
    }
    Ok(all)
}

/// The first event of a run whose log has lost it, reconstructed from the other files.
fn beginning(folder: &Folder, dir: &Path, about: Option<About>, doubts: &mut Vec<Problem>) -> Event {
    doubts.push(Problem::new(msg!("beginning-of-log-lost")).evidence(msg!("plan-taken-from-folders")));
    let About { name, tool, started, .. } = about.unwrap_or_default();
    let plan = folder.whole("plan.toml", MOST_PLAN).unwrap_or_else(|e| {
        let what = msg!("file-unreadable", file = folder.path("plan.toml").display());
        doubts.push(Problem::new(what).evidence(message::foreign(e)));
        Vec::new()
    });
    let plan = visible_lines(&String::from_utf8_lossy(&plan)).into_owned();
    let name = if name.is_empty() { file_name(dir) } else { name };
    Event::RunStarted { format: FORMAT, name, tool, started, plan }
}

/// Adds the trials that are missing in the events of the run, from their own directories.
fn recover(run: &mut Vec<Event>, places: &BTreeMap<u32, TrialFolder>, doubts: &mut Vec<Problem>) {
    let planned = |event: &Event| match event {
        Event::TrialPlanned { planned, .. } => Some(planned.number),
        _ => None,
    };
    let known: BTreeSet<u32> = run.iter().filter_map(planned).collect();
    for (number, TrialFolder { own, folder }) in places.iter().filter(|(number, _)| !known.contains(number)) {
        match own {
            Some(own) => {
                run.push(Event::TrialPlanned { planned: Box::new(own.clone()), expected: places.len() as u32 })
            }
            None => {
                let mut events = 0;
                // Problems with this log are reported when the trial is read.
                let _ = lines(folder, "events.jsonl", &mut Vec::new(), |_| events += 1);
                if events > 0 {
                    doubts.push(Problem::new(msg!("trial-plan-lost", number, events)));
                }
            }
        }
    }
}

/// Adds the events of a trial's own log to the summary. A trial counts as started even if the first line is lost.
fn read_trial(
    number: u32,
    folder: &Folder,
    summarised: Option<Summarised>,
    doubts: &mut Vec<Problem>,
    summary: &mut Summary,
    memory: &mut Memory,
) -> Result<(), Problem> {
    if let Some(Summarised { events, measurements }) = summarised
        && memory.has_room_for(measurements.tally())
    {
        summary.restore(number, measurements);
        events.iter().for_each(|event| summary.take(event));
        return Ok(());
    }
    let begin = Event::TrialStarted { trial: number, at_ns: 0 };
    let (mut begun, mut ended) = (false, false);
    lines(folder, "events.jsonl", doubts, |event| {
        // Events of other trials are ignored: a copied log would be counted twice.
        if event.trial() != number {
            return;
        }
        if let Event::Interval { tally, .. } = &event
            && !memory.has_room_for(tally)
        {
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
        doubts.push(Problem::new(msg!("trial-without-end", number)));
    }
    Ok(())
}

/// The memory of the histograms that are counted in at the same time: those of one trial, or of one cell. The summary merges
/// histograms of the same name, so only the largest of them counts.
#[derive(Default)]
struct Memory {
    most: u64,
    /// Bytes by kind (transactions: `true`, statements: `false`) and name.
    held: BTreeMap<(bool, String), u64>,
    all: u64,
    left_out: u64,
}

impl Memory {
    /// Whether the histograms fit into the limit. If so, their memory is added.
    fn has_room_for(&mut self, tally: &Tally) -> bool {
        let transactions = tally.transactions.iter().map(|(name, t)| {
            (true, name, t.response.memory() + t.service.memory() + t.wait.memory() + t.failed_service.memory())
        });
        let statements = tally.statements.iter().map(|(name, s)| (false, name, s.service.memory()));
        let mut more = Vec::new();
        let mut sum = self.all;
        for (kind, name, bytes) in transactions.chain(statements) {
            let key = (kind, name.clone());
            let held = self.held.get(&key).copied().unwrap_or(0);
            if bytes > held {
                sum += bytes - held;
                more.push((key, bytes));
            }
        }
        if sum > self.most {
            self.left_out += 1;
            return false;
        }
        self.all = sum;
        self.held.extend(more);
        true
    }
}

/// Parses a JSON file; `None` if it is missing or damaged. Fails for a newer format.
fn json<T: DeserializeOwned>(folder: &Folder, name: &str, doubts: &mut Vec<Problem>) -> Result<Option<T>, Problem> {
    let unreadable = |why: String| {
        Problem::new(msg!("file-unreadable", file = folder.path(name).display())).evidence(message::foreign(why))
    };
    let bytes = match folder.whole(name, MOST_JSON) {
        Ok(bytes) => bytes,
        // Other files may have the same information; if not, the caller reports this.
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => {
            doubts.push(unreadable(e.to_string()));
            return Ok(None);
        }
    };
    if let Ok(value) = serde_json::from_slice::<Value>(&bytes) {
        refuse_newer(&value)?;
    }
    match foreign::parse(&bytes) {
        Ok(value) => Ok(Some(value)),
        Err(e) => {
            doubts.push(unreadable(e.to_string()));
            Ok(None)
        }
    }
}

/// Reads the events of a log one by one. Lines that cannot be read are left out and reported. Fails for a newer format.
pub(super) fn lines(
    folder: &Folder,
    name: &str,
    doubts: &mut Vec<Problem>,
    mut take: impl FnMut(Event),
) -> Result<(), Problem> {
    let path = folder.path(name);
    let unread =
        |e: io::Error| Problem::new(msg!("file-unreadable", file = path.display())).evidence(message::foreign(e));
    let mut log = match folder.file(name) {
        Ok(file) => LogLines::of(file),
        Err(e) => {
            doubts.push(unread(e));
            return Ok(());
        }
    };
    let (mut all, mut broken, mut first) = (0u64, 0u64, None);
    loop {
        let number = log.number + 1;
        let text = match log.next() {
            Ok(LogLine::Line([])) => continue,
            Ok(LogLine::Line(text)) => text,
            Ok(LogLine::TooLong(what)) => {
                (all, broken) = (all + 1, broken + 1);
                first.get_or_insert_with(|| message::foreign(what));
                continue;
            }
            Ok(LogLine::End) => break,
            Err(e) => {
                doubts.push(unread(e));
                break;
            }
        };
        all += 1;
        let event = foreign::parse(text);
        if let Ok(Event::RunStarted { format, .. }) = event
            && format > FORMAT
        {
            return Err(newer(u64::from(format)));
        }
        match event {
            Ok(event) => take(event),
            Err(e) => {
                if let Ok(value) = serde_json::from_slice::<Value>(text) {
                    refuse_newer(&value)?;
                }
                broken += 1;
                first.get_or_insert_with(|| msg!("first-unreadable", line = number, why = e));
            }
        }
    }
    if let Some(first) = first {
        let what = msg!("lines-unreadable", broken, all, file = path.display());
        doubts.push(Problem::new(what).evidence(first));
    }
    Ok(())
}

/// Fails for a newer format, in which the same fields may have another meaning.
fn refuse_newer(value: &Value) -> Result<(), Problem> {
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if format > u64::from(FORMAT) => Err(newer(format)),
        _ => Ok(()),
    }
}

fn newer(format: u64) -> Problem {
    Problem::new(msg!("run-of-newer-version"))
        .evidence(msg!("format-too-new", format, newest = FORMAT))
        .hint(msg!("get-that-version"))
}
