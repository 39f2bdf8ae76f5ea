//! The summary of a trial's log, `summary.jsonl` beside it: what its intervals and observations amount to
//! ([`Measurements`]), and its other events as they are. It is written when the trial ends, and read instead of the log as
//! long as the log is what it was then: a run of a thousand trials has a million intervals, each with its histograms.
//!
//! Its first line has the length and the hash of the log. A summary that is altered, missing, or not of this log is
//! left out, and the log is read; nothing is lost if it is deleted.

use super::files::{Folder, RunFile};
use super::foreign;
use super::log::{LogLine, LogLines};
use super::sums::digest;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;
use std::io::{self, Read};
use tenbin_model::event::Event;
use tenbin_model::summary::{Measurements, Summary};
use tenbin_model::trial::Trial;
use twox_hash::XxHash3_64;

/// Changes whenever the same log amounts to something else, or is written down in another way.
pub(super) const FORMAT: u32 = 4;

/// The name of its file.
pub(super) const NAME: &str = "summary.jsonl";

/// The shortest line of an interval, bytes. A summary with more intervals than its log can contain is not of this log.
const LEAST_LINE: u64 = 100;

/// The first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    summary_format: u32,
    /// Length of the log, bytes.
    log_bytes: u64,
    /// XXH3 (64 bits) of the log, hexadecimal.
    log_xxh3: String,
}

impl Head {
    fn of(hash: &LogHash) -> Head {
        Head { summary_format: FORMAT, log_bytes: hash.bytes, log_xxh3: format!("{:016x}", hash.hasher.finish()) }
    }
}

/// The length and the hash of a log so far.
#[derive(Default)]
pub(super) struct LogHash {
    hasher: XxHash3_64,
    pub bytes: u64,
}

impl std::fmt::Debug for LogHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LogHash({} bytes)", self.bytes)
    }
}

impl LogHash {
    /// Adds what was appended.
    pub fn take(&mut self, bytes: &[u8]) {
        self.hasher.write(bytes);
        self.bytes += bytes.len() as u64;
    }

    fn of(mut log: RunFile, most: u64) -> io::Result<LogHash> {
        let (mut hash, mut buffer) = (LogHash::default(), vec![0; 256 << 10]);
        while hash.bytes <= most {
            match log.read(&mut buffer)? {
                0 => break,
                n => hash.take(&buffer[..n]),
            }
        }
        Ok(hash)
    }
}

/// Folds the events of a trial while they are written.
#[derive(Debug, Default)]
pub(super) struct Folding {
    number: u32,
    summary: Summary,
    others: Vec<Event>,
}

/// Whether it is summarised, and not kept as it is.
fn is_measurement(event: &Event) -> bool {
    matches!(event, Event::Interval { .. } | Event::HostInterval { .. } | Event::Observation { .. })
}

impl Folding {
    /// For a trial that begins.
    pub fn of(trial: &Trial) -> Folding {
        let mut summary = Summary::default();
        summary.take(&Event::TrialPlanned { planned: Box::new(trial.clone()), expected: 1 });
        Folding { number: trial.number, summary, others: Vec::new() }
    }

    /// Adds an event of its log.
    pub fn take(&mut self, event: &Event) {
        if is_measurement(event) {
            self.summary.take(event);
        } else {
            self.others.push(event.clone());
        }
    }

    /// Writes the summary of a log that has ended, and returns its digest.
    pub fn write(&self, folder: &Folder, log: &LogHash) -> io::Result<Option<String>> {
        let Some(trial) = self.summary.trial(self.number) else { return Ok(None) };
        let mut text = serde_json::to_vec(&Head::of(log))?;
        for event in &self.others {
            text.push(b'\n');
            serde_json::to_writer(&mut text, event)?;
        }
        text.push(b'\n');
        serde_json::to_writer(&mut text, &trial.measurements())?;
        text.push(b'\n');
        folder.replace(NAME, &text)?;
        Ok(Some(digest(&text)))
    }
}

/// The summary of a log as read.
pub(super) struct Summarised {
    /// All events but intervals and observations, in their order.
    pub events: Vec<Event>,
    /// What these amount to.
    pub measurements: Measurements,
}

/// Reads the summary of a trial's log; `None` if there is none that holds for the log as it is. `is_verified`: both are known to be as
/// they were written.
pub(super) fn read(folder: &Folder, number: u32, is_verified: bool) -> Option<Summarised> {
    let mut lines = LogLines::of(folder.file(NAME).ok()?);
    let mut next = || match lines.next() {
        Ok(LogLine::Line(text)) => Some(text.to_vec()),
        _ => None,
    };
    let head: Head = serde_json::from_slice(&next()?).ok()?;
    (head.summary_format == FORMAT).then_some(())?;
    let log = folder.file("events.jsonl").ok()?;
    (log.length().ok()? == head.log_bytes).then_some(())?;
    (is_verified || Head::of(&LogHash::of(log, head.log_bytes).ok()?) == head).then_some(())?;
    let mut events = Vec::new();
    let mut ended = false;
    let last = loop {
        let line = next()?;
        match foreign::parse::<Event>(&line) {
            Ok(event) if event.trial() != number || is_measurement(&event) => return None,
            Ok(event) => {
                ended |= matches!(event, Event::TrialFinished { .. });
                events.push(event);
            }
            Err(_) => break line,
        }
    };
    let measurements: Measurements = foreign::parse(&last).ok()?;
    let possible = measurements.intervals() as u64 <= head.log_bytes / LEAST_LINE;
    (ended && possible && next().is_none()).then_some(Summarised { events, measurements })
}
