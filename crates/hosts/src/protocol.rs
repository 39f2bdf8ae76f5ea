//! What the coordinator and a load host say to each other: one JSON object per line, orders one way and reports the other.
//!
//! Times in reports of a drive are nanoseconds since the common start of its clients, so that they are the same on all hosts.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use tenbin_engine::Ended;
use tenbin_model::event::{Completions, Halts, Phase};
use tenbin_model::idle::Period;
use tenbin_model::reading::ReadingSpec;
use tenbin_model::tally::{PerClient, Tally};
use tenbin_model::trial::{Load, Target, Trial};
use tenbin_servers::finding::Level;
use tenbin_words::problem::Problem;

/// Version of these messages. A host with another one is refused.
pub const PROTOCOL: u32 = 2;

/// A message with its number on its connection and in its direction, from 0, so that a launcher that loses or repeats messages is
/// noticed.
#[derive(Debug, Serialize, Deserialize)]
pub struct Numbered<T> {
    /// Its number. Older versions have none.
    #[serde(default)]
    pub number: u64,
    /// The message.
    #[serde(flatten)]
    pub message: T,
}

impl<T: Serialize> Numbered<T> {
    /// The line that is sent.
    pub fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }
}

/// Checks the numbers of what arrives.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sequence {
    next: u64,
}

/// What a number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceCheck {
    /// It is the next.
    Next,
    /// It was there before.
    Repeated,
    /// This many before it are missing.
    Missing(u64),
}

impl Sequence {
    /// Takes another number.
    pub fn take(&mut self, number: u64) -> SequenceCheck {
        match number.checked_sub(self.next) {
            None => SequenceCheck::Repeated,
            Some(0) => {
                self.next += 1;
                SequenceCheck::Next
            }
            Some(missing) => SequenceCheck::Missing(missing),
        }
    }
}

/// What the coordinator orders.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// The first.
    Join {
        /// [`PROTOCOL`].
        protocol: u32,
        /// Tenbin's version.
        version: String,
        /// For this long the host goes on without hearing from the coordinator, milliseconds.
        lease_ms: u64,
    },
    /// Connect the clients of a part of a load.
    Prepare {
        /// The number of the drive, which reports about it repeat.
        drive: u32,
        /// What to do.
        assignment: Box<Assignment>,
    },
    /// Load a slice of a data set, whose tables exist.
    LoadSlice {
        /// The number of the load, which reports about it repeat; loads and drives are counted together.
        drive: u32,
        /// What to do.
        assignment: Box<SliceAssignment>,
    },
    /// Look whether the host is fit to load these servers.
    Examine {
        /// The number of the drive, which the answer repeats.
        drive: u32,
        /// The servers.
        servers: Vec<ServerAssignment>,
    },
    /// Start all clients at this time of the host's clock.
    Start {
        /// Which drive.
        drive: u32,
        /// Nanoseconds since the host's process started.
        at_ns: u64,
    },
    /// Report from which interval on nothing will have been decided for a while.
    AskUndecided {
        /// Which drive.
        drive: u32,
    },
    /// Begin to measure with the interval of this number, before the longest warm-up has passed.
    MeasureFrom {
        /// Which drive.
        drive: u32,
        /// From 0, with the first of the warm-up.
        interval: u64,
    },
    /// End with the interval of this number.
    EndWith {
        /// Which drive.
        drive: u32,
        /// From 0, with the first of the warm-up.
        interval: u64,
    },
    /// Drop everything.
    Abort {
        /// Which drive, or load.
        drive: u32,
    },
    /// Report the time; it also renews the lease.
    Probe {
        /// The coordinator's time, which the answer repeats; nanoseconds.
        sent_ns: u64,
    },
    /// End the process.
    Leave,
}

/// A part of a load, and where to connect to.
#[derive(Debug, Serialize, Deserialize)]
pub struct Assignment {
    /// Which part, from 0.
    pub part: u32,
    /// How many parts there are.
    pub parts: u32,
    /// The trial: target, data set, seed, interval.
    pub trial: Trial,
    /// The load to drive: the trial's, or that of its ceiling.
    pub load: Load,
    /// Whether the clients execute only statements that do nothing, like those of the trial's ceiling.
    pub round_trips: bool,
    /// Driven but not counted, at most; milliseconds.
    pub warmup_ms: u64,
    /// Driven and counted, milliseconds.
    pub measure_ms: u64,
    /// A reporting interval, milliseconds.
    pub interval_ms: u64,
    /// The server's address, without password.
    pub address: String,
    /// The password, if the connection to the host is confidential and it has none of its own.
    pub password: Option<Secret>,
}

/// A slice of a data set, and where to connect to.
#[derive(Debug, Serialize, Deserialize)]
pub struct SliceAssignment {
    /// Which slice, from 0.
    pub slice: u32,
    /// How many slices there are.
    pub slices: u32,
    /// The trial: target and data set.
    pub trial: Trial,
    /// The seed of the rows.
    pub seed: u64,
    /// The server's address, without password.
    pub address: String,
    /// As in [`Assignment`].
    pub password: Option<Secret>,
}

/// A server that clients of the host would load.
#[derive(Debug, Serialize, Deserialize)]
pub struct ServerAssignment {
    /// The target.
    pub target: Target,
    /// Clients of the host.
    pub clients: u32,
    /// The server's address, without password.
    pub address: String,
    /// The password, as that of [`Assignment`].
    pub password: Option<Secret>,
}

/// Something that was found on a host.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HostFinding {
    /// How severe it is.
    pub level: Level,
    /// What.
    pub problem: Problem,
}

/// A password on its way over a confidential connection.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What a load host reports.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub enum Report {
    /// The answer to [`Order::Join`].
    Joined {
        /// [`PROTOCOL`].
        protocol: u32,
        /// Tenbin's version.
        version: String,
        /// Which machine it is: hosts with the same text share one.
        machine: String,
        /// Facts about it.
        facts: BTreeMap<String, String>,
    },
    /// The answer to [`Order::Probe`].
    Probed {
        /// What was sent.
        sent_ns: u64,
        /// The host's time, nanoseconds since its process started.
        host_ns: u64,
    },
    /// All clients of the drive are connected, and wait for their start.
    Connected {
        /// Which drive.
        drive: u32,
    },
    /// The answer to [`Order::AskUndecided`].
    Undecided {
        /// Which drive.
        drive: u32,
        /// The measured window can begin with it, if that is known within [`tenbin_engine::UNDECIDED_FOR`].
        interval: u64,
    },
    /// An interval has ended.
    Interval {
        /// Which drive.
        drive: u32,
        /// What was counted.
        part: PartInterval,
    },
    /// An observer of the host starts.
    Declared {
        /// Which drive.
        drive: u32,
        /// Its name.
        observer: String,
        /// The time from one sample to the next, milliseconds.
        period_ms: u64,
        /// What it may read.
        readings: Vec<ReadingSpec>,
    },
    /// A sample of an observer of the host.
    Sampled {
        /// Which drive.
        drive: u32,
        /// Its name.
        observer: String,
        /// When, nanoseconds since the host's process started.
        host_ns: u64,
        /// What was read.
        values: BTreeMap<String, f64>,
    },
    /// Something that the reader of the result should know: an observer of the host can read nothing.
    Noted {
        /// Which drive.
        drive: u32,
        /// What.
        problem: Problem,
    },
    /// The drive has ended.
    Ended {
        /// Which drive.
        drive: u32,
        /// How.
        ended: PartEnded,
    },
    /// This many rows of the slice have been sent to the server.
    Progress {
        /// Which load.
        drive: u32,
        /// Rows.
        rows: u64,
    },
    /// The slice is loaded.
    Loaded {
        /// Which load.
        drive: u32,
        /// Its rows.
        rows: u64,
    },
    /// The answer to [`Order::Examine`].
    Examined {
        /// Which drive.
        drive: u32,
        /// What was found.
        findings: Vec<HostFinding>,
    },
    /// The drive or the load has failed: not all clients could connect, or something is wrong with the assignment.
    Failed {
        /// Which drive.
        drive: u32,
        /// Why.
        problem: Problem,
    },
}

/// What one host counted in an interval, or all together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartInterval {
    /// The phase that it belongs to.
    pub phase: Phase,
    /// Its start.
    pub from_ns: u64,
    /// Its end.
    pub to_ns: u64,
    /// Connected clients at its end.
    pub clients: u32,
    /// What was counted in it.
    pub tally: Tally,
    /// When transactions completed in it.
    pub completions: Option<Completions>,
    /// Periods between them in which none completed.
    pub idle: Vec<Period>,
}

/// How the drive of one host ended: [`Ended`] with times since the common start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartEnded {
    /// Start of the measured window.
    pub measured_from_ns: u64,
    /// Its end.
    pub measured_to_ns: u64,
    /// Processor time of the host's process in the window.
    pub client_cpu_ns: u64,
    /// Threads that ran clients.
    pub workers: u32,
    /// What each client of the host completed.
    pub per_client: PerClient,
    /// By how long the clients missed the common start.
    pub late_ns: u64,
    /// Times in the window in which the process did not run.
    pub halts: Halts,
    /// How long the oldest start that was not answered had waited.
    pub oldest_open_ns: Option<u64>,
    /// What ended it early.
    pub cut_short: Option<Problem>,
}

impl PartEnded {
    /// Of a drive whose clients started together at `start_ns` since its origin.
    pub fn of(ended: Ended, start_ns: u64) -> PartEnded {
        let since = |at_ns: u64| at_ns.saturating_sub(start_ns);
        PartEnded {
            measured_from_ns: since(ended.measured_from_ns),
            measured_to_ns: since(ended.measured_to_ns),
            client_cpu_ns: ended.client_cpu_ns,
            workers: ended.workers,
            per_client: ended.per_client,
            late_ns: ended.late_ns,
            halts: ended.halts,
            oldest_open_ns: ended.oldest_open_ns,
            cut_short: ended.cut_short,
        }
    }
}
