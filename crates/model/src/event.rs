//! What was seen: one ordered stream of events per run, live or read back from disk.

use crate::problem::Problem;
use crate::reading::ReadingSpec;
use crate::tally::{PerClient, Tally};
use crate::trial::Trial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Version of the event log's format; stands in its first line and changes when an old reader would be misled.
pub const FORMAT: u32 = 2;

/// Whoever listens to a run: store, terminal, an old tool's printer. An error stops the run (a full disk must not go unnoticed).
pub trait Sink {
    /// Takes one event; events come in order.
    fn receive(&mut self, event: &Event) -> Result<(), Problem>;
}

/// One stage of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Return to a known state of the data.
    Restore,
    /// Create and fill tables.
    Load,
    /// Wait for the server to come to rest.
    Settle,
    /// Drive, do not count.
    WarmUp,
    /// Drive and count.
    Measure,
    /// Let what is under way end.
    CoolDown,
    /// Look at what we have.
    Check,
}

impl Phase {
    /// The phase's name as users read it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Restore => "restore",
            Phase::Load => "load",
            Phase::Settle => "settle",
            Phase::WarmUp => "warm-up",
            Phase::Measure => "measure",
            Phase::CoolDown => "cool-down",
            Phase::Check => "check",
        }
    }
}

/// One thing seen. Times `at_ns`, `from_ns`, `to_ns` are nanoseconds since the run started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The first event of a run.
    RunStarted {
        /// [`FORMAT`].
        format: u32,
        /// The plan's name.
        name: String,
        /// Tenbin's version.
        tool: String,
        /// Wall clock, RFC 3339 with offset.
        started: String,
        /// The plan as given, passwords left out.
        plan: String,
    },
    /// A trial was planned: it will be run behind those that were planned before. Told before it begins, and of a fixed order right at
    /// the start of the run.
    TrialPlanned {
        /// All of it.
        planned: Box<Trial>,
        /// How many trials are expected in all, as far as is known now.
        expected: u32,
    },
    /// A trial begins.
    TrialStarted {
        /// Its number.
        trial: u32,
        /// When.
        at_ns: u64,
    },
    /// A phase begins.
    PhaseStarted {
        /// The trial.
        trial: u32,
        /// Which phase.
        phase: Phase,
        /// When.
        at_ns: u64,
    },
    /// Long work moves on: loading, restoring, waiting. Seen live; not worth keeping.
    Progress {
        /// The trial.
        trial: u32,
        /// The phase.
        phase: Phase,
        /// When.
        at_ns: u64,
        /// Done so far, in `unit`.
        done: u64,
        /// All there is, in `unit`.
        total: u64,
        /// What is counted: `rows`, `ms`.
        unit: String,
    },
    /// One reporting interval of a driven phase.
    Interval {
        /// The trial.
        trial: u32,
        /// Warm-up or measure.
        phase: Phase,
        /// Start.
        from_ns: u64,
        /// End.
        to_ns: u64,
        /// Connected clients at its end.
        clients: u32,
        /// What was counted in it.
        tally: Tally,
        /// When transactions completed in it; `None` when none did, and in older logs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        completions: Option<Completions>,
        /// What each client has completed since measure began. Seen live; not kept, but for the end's.
        #[serde(skip)]
        per_client: Arc<PerClient>,
    },
    /// An observer begins, and declares what it reads. Older recordings have none of these.
    ObserverDeclared {
        /// The trial.
        trial: u32,
        /// Who observes what: `client.host`, `server.status`, `server.process`.
        observer: String,
        /// How long it waits from one sample to the next, milliseconds.
        period_ms: u64,
        /// All that it may read.
        readings: Vec<ReadingSpec>,
    },
    /// One sample of an observer.
    Observation {
        /// The trial.
        trial: u32,
        /// Who observes what.
        observer: String,
        /// When.
        at_ns: u64,
        /// When by the clock of its source, nanoseconds since 1970, where the source tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source_unix_ns: Option<u64>,
        /// Readings by name. Counters are given as they stand: differences are the reader's work.
        values: BTreeMap<String, f64>,
    },
    /// What something is: the client machine, a target's version and variables.
    Facts {
        /// The trial they were first read in; 0 for the client.
        trial: u32,
        /// `client` or the target's name.
        about: String,
        /// Name to value, as text. `variable.…` are server variables.
        facts: BTreeMap<String, String>,
    },
    /// Something the reader of the result should know.
    Note {
        /// The trial; 0 for the whole run.
        trial: u32,
        /// When.
        at_ns: u64,
        /// How bad it is.
        severity: Severity,
        /// What, with evidence and way out.
        problem: Problem,
    },
    /// A trial has ended.
    TrialFinished {
        /// The trial.
        trial: u32,
        /// When.
        at_ns: u64,
        /// Whether it ran to its planned end.
        state: EndState,
        /// Start of the measured window; equal to its end when nothing was measured.
        measured_from_ns: u64,
        /// End of the measured window.
        measured_to_ns: u64,
        /// CPU time our own process used in the measured window, nanoseconds.
        client_cpu_ns: u64,
        /// The engine's threads in this trial.
        workers: u32,
        /// What each client completed in the window. Older logs do not say.
        #[serde(default, skip_serializing_if = "PerClient::is_empty")]
        per_client: PerClient,
        /// What kept our own process from running in the window. Older logs do not say.
        #[serde(default, skip_serializing_if = "Halts::is_none")]
        client_halts: Halts,
        /// How long the oldest start that was not answered at the end had waited, where clients start at given times;
        /// `None` where each goes on at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        oldest_open_ns: Option<u64>,
    },
    /// The last event of a run.
    RunFinished {
        /// When.
        at_ns: u64,
        /// Whether all trials were run to their planned ends.
        state: EndState,
    },
}

/// When transactions completed in an interval, over all clients. Adjoining intervals tell the stretches in which none did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completions {
    /// The first, nanoseconds since the run started.
    pub first_ns: u64,
    /// The last.
    pub last_ns: u64,
    /// The longest stretch between two of them, nanoseconds; 0 when shorter than a tenth of a second.
    pub gap_ns: u64,
}

/// Time of the measured window in which our own process did not run, nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halts {
    /// The process was stopped (SIGSTOP, a debugger, a frozen control group), or got no processor: the collector's own
    /// sleeps of 50 ms lasted longer than half a second. What they lasted beyond.
    pub stopped_ns: u64,
    /// The machine was suspended: what the clock that goes on meanwhile gained on the one that does not.
    pub suspended_ns: u64,
}

impl Halts {
    /// Whether nothing kept it from running.
    pub fn is_none(&self) -> bool {
        *self == Halts::default()
    }
}

/// How bad a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Good to know.
    Info,
    /// The result may be weaker than it looks.
    Warning,
    /// Something failed.
    Error,
}

/// How a trial or a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndState {
    /// To its planned end.
    Complete,
    /// Stopped by the user; what was measured stands.
    Partial,
    /// By an error; what was measured stands.
    Failed,
}

impl Event {
    /// The trial the event belongs to; 0 for the run as a whole.
    pub fn trial(&self) -> u32 {
        match self {
            Event::RunStarted { .. } | Event::TrialPlanned { .. } | Event::RunFinished { .. } => 0,
            Event::TrialStarted { trial, .. }
            | Event::PhaseStarted { trial, .. }
            | Event::Progress { trial, .. }
            | Event::Interval { trial, .. }
            | Event::ObserverDeclared { trial, .. }
            | Event::Observation { trial, .. }
            | Event::Facts { trial, .. }
            | Event::Note { trial, .. }
            | Event::TrialFinished { trial, .. } => *trial,
        }
    }
}
