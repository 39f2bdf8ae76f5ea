//! The events of a run: one ordered stream, live or read back from disk.

pub use crate::completions::Completions;
pub use crate::halts::Halts;

use crate::ceiling::ClientCeiling;
use crate::digest::DigestReport;
use crate::inspection::{Changes, Edge, ServerInspection};
use crate::load_host::LoadHostPart;
use crate::reading::ReadingSpec;
use crate::tally::{PerClient, Tally};
use crate::trial::Trial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_words::problem::Problem;

/// Version of the format of the event log. It is in the first line, and changes if an old reader would be misled.
pub const FORMAT: u32 = 2;

/// A receiver of events: store, terminal, the output of another tool's name. An error stops the run (a full disk must
/// be noticed).
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
    /// Wait for the server to settle.
    Settle,
    /// Drive, do not count.
    WarmUp,
    /// Drive and count.
    Measure,
    /// Let transactions in progress end.
    CoolDown,
    /// Wait until the replicas have applied everything that was written.
    CatchUp,
    /// Check the data.
    Check,
}

impl Phase {
    /// The name of the phase.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Restore => "restore",
            Phase::Load => "load",
            Phase::Settle => "settle",
            Phase::WarmUp => "warm-up",
            Phase::Measure => "measure",
            Phase::CoolDown => "cool-down",
            Phase::CatchUp => "catch-up",
            Phase::Check => "check",
        }
    }
}

/// One event. Times `at_ns`, `from_ns`, `to_ns` are nanoseconds since the run started.
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
        /// The plan as given, without passwords.
        plan: String,
    },
    /// A trial was planned: it will be run after those that were planned before. Emitted before it starts; for a fixed
    /// order at the start of the run.
    TrialPlanned {
        /// All of it.
        planned: Box<Trial>,
        /// The expected total number of trials, as far as it is known.
        expected: u32,
    },
    /// What is in a file of the user that trials use. Emitted once for each content, before the first such trial is planned.
    FileUsed {
        /// Its path as the plan has it.
        path: String,
        /// The SHA-256 of its content.
        sha256: String,
        /// Its text without passwords; `None` if it is too long or not UTF-8.
        text: Option<String>,
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
    /// Progress of long work: loading, restoring, waiting. Displayed live, not stored.
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
        /// The unit: `rows`, `ms`.
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
        /// When transactions completed in it; `None` if none did, and in older logs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        completions: Option<Completions>,
        /// What each client has completed since the start of measure. Displayed live, not stored except at the end.
        #[serde(skip)]
        per_client: Arc<PerClient>,
    },
    /// What one load host counted in an interval of a trial that several drive together; [`Event::Interval`] has the sum. Absent if
    /// there is one load host.
    HostInterval {
        /// The trial.
        trial: u32,
        /// The number of the host, from 1.
        host: u32,
        /// Warm-up or measure.
        phase: Phase,
        /// Start.
        from_ns: u64,
        /// End.
        to_ns: u64,
        /// Its connected clients at the end.
        clients: u32,
        /// What it counted.
        tally: Tally,
        /// When transactions completed on it; `None` if none did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        completions: Option<Completions>,
    },
    /// The part of a load host has ended.
    HostFinished {
        /// The trial.
        trial: u32,
        /// The number of the host, from 1.
        host: u32,
        /// Its part.
        part: LoadHostPart,
    },
    /// An observer starts and declares its readings.
    ObserverDeclared {
        /// The trial.
        trial: u32,
        /// The observer: `client.host`, `server.status`, `server.process`.
        observer: String,
        /// The time from one sample to the next, milliseconds.
        period_ms: u64,
        /// The readings that it may return.
        readings: Vec<ReadingSpec>,
    },
    /// One sample of an observer.
    Observation {
        /// The trial.
        trial: u32,
        /// The observer.
        observer: String,
        /// When.
        at_ns: u64,
        /// The time by the clock of its source, nanoseconds since 1970, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source_unix_ns: Option<u64>,
        /// Readings by name. Counters are stored as they are; differences are computed by readers.
        values: BTreeMap<String, f64>,
    },
    /// The statements that the server counted in the measured window, at its end.
    ServerStatements {
        /// The trial.
        trial: u32,
        /// The statements, or why there are none.
        report: DigestReport,
    },
    /// How often the trial's clients can do nothing at all on its server: measured before the first trial with them on the
    /// target, and repeated in the others. Absent if it was not measured.
    ClientCeiling {
        /// The trial.
        trial: u32,
        /// The measurement.
        ceiling: ClientCeiling,
    },
    /// Facts about the client machine, or a target's version and variables.
    Facts {
        /// The trial in which they were read; 0 for the client. They are in force from then on, until others are read.
        trial: u32,
        /// `client` or the target's name.
        about: String,
        /// Name to value, as text. `variable.…` are server variables.
        facts: BTreeMap<String, String>,
    },
    /// What the server of a trial, or one of its replicas, says of itself right before or right after the load. Absent of
    /// servers that do not say it.
    ServerInspected {
        /// The trial.
        trial: u32,
        /// When.
        at_ns: u64,
        /// Before or after.
        edge: Edge,
        /// The name of the replica that says it; absent for the server of the target itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replica: Option<String>,
        /// What it says.
        inspection: Box<ServerInspection>,
        /// After: the facts that have another value than before, with both values.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        changed: Changes,
    },
    /// Something that the reader of the result should know.
    Note {
        /// The trial; 0 for the whole run.
        trial: u32,
        /// When.
        at_ns: u64,
        /// Its severity.
        severity: Severity,
        /// The problem, with evidence and hint.
        problem: Problem,
    },
    /// A trial has ended.
    TrialFinished {
        /// The trial.
        trial: u32,
        /// When.
        at_ns: u64,
        /// How it ended.
        state: EndState,
        /// Start of the measured window; equal to its end if nothing was measured.
        measured_from_ns: u64,
        /// End of the measured window.
        measured_to_ns: u64,
        /// CPU time of this process in the measured window, nanoseconds.
        client_cpu_ns: u64,
        /// The engine's threads in this trial.
        workers: u32,
        /// What each client completed in the window. Absent in older logs.
        #[serde(default, skip_serializing_if = "PerClient::is_empty")]
        per_client: PerClient,
        /// Times in the window in which this process did not run. Absent in older logs.
        #[serde(default, skip_serializing_if = "Halts::is_none")]
        client_halts: Halts,
        /// How long the oldest start that was not answered at the end had waited, if starts have intended times;
        /// `None` in the closed loop.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        oldest_open_ns: Option<u64>,
        /// The clients of the other trials of a duet, which are not in `client_cpu_ns` and `workers`. Absent elsewhere.
        #[serde(default, skip_serializing_if = "ClientsBeside::are_none")]
        beside: ClientsBeside,
    },
    /// The last event of a run.
    RunFinished {
        /// When.
        at_ns: u64,
        /// How it ended.
        state: EndState,
    },
}

/// What the clients of other targets took of this process while those of a trial were at work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientsBeside {
    /// CPU time of their threads in the measured window, nanoseconds.
    pub cpu_ns: u64,
    /// Their threads.
    pub workers: u32,
}

impl ClientsBeside {
    /// Whether there were none.
    pub fn are_none(&self) -> bool {
        self.workers == 0 && self.cpu_ns == 0
    }
}

/// The severity of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// For information.
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
    /// Stopped by the user; the measurements so far are valid.
    Partial,
    /// By an error; the measurements so far are valid.
    Failed,
}

impl EndState {
    /// The name as recorded.
    pub fn name(self) -> &'static str {
        match self {
            EndState::Complete => "complete",
            EndState::Partial => "partial",
            EndState::Failed => "failed",
        }
    }
}

impl Event {
    /// The trial the event belongs to; 0 for the run as a whole.
    pub fn trial(&self) -> u32 {
        match self {
            Event::RunStarted { .. }
            | Event::TrialPlanned { .. }
            | Event::FileUsed { .. }
            | Event::RunFinished { .. } => 0,
            Event::TrialStarted { trial, .. }
            | Event::PhaseStarted { trial, .. }
            | Event::Progress { trial, .. }
            | Event::Interval { trial, .. }
            | Event::HostInterval { trial, .. }
            | Event::HostFinished { trial, .. }
            | Event::ObserverDeclared { trial, .. }
            | Event::Observation { trial, .. }
            | Event::ServerStatements { trial, .. }
            | Event::ClientCeiling { trial, .. }
            | Event::Facts { trial, .. }
            | Event::ServerInspected { trial, .. }
            | Event::Note { trial, .. }
            | Event::TrialFinished { trial, .. } => *trial,
        }
    }
}
