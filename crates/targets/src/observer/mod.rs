//! Observers read figures of client and server while a trial loads, settles and is driven. There is one file per
//! observer; [`ALL`] is the list of them.
//!
//! An observer declares its readings; whatever is declared is recorded, drawn on the page and exported. Each has its
//! own thread and period ([`watch()`]), so that one that hangs, fails or panics loses only its own readings.

mod host;
mod own;
mod postgres;
mod process;
mod session;
mod status;
mod watch;

pub use watch::{ObserverEvent, Sampling, Watch, watch};

use std::collections::BTreeMap;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::problem::Problem;
use tenbin_model::reading::ReadingSpec;

/// All observers. Each decides itself whether it applies to a target.
pub const ALL: &[ObserverEntry] = &[host::ENTRY, own::ENTRY, process::ENTRY, status::ENTRY, postgres::ENTRY];

/// One observer: what it reads, how often, and how it is created.
#[derive(Debug, Clone, Copy)]
pub struct ObserverEntry {
    /// Its name, such as `client.host`.
    pub name: &'static str,
    /// The readings that it may return. Others are not recorded.
    pub readings: fn() -> Vec<ReadingSpec>,
    /// The time from one sample to the next; `None`: the plan's `metrics.interval`.
    pub period: Option<Duration>,
    /// How long a sample may take before the observer counts as hanging: [`PATIENCE`].
    pub patience: Duration,
    /// Whether it observes a server on its own connection.
    pub connects: bool,
    /// Creates it, on the thread on which it runs; `None` if it does not apply.
    pub make: fn(&Subject) -> Option<Box<dyn Observer>>,
}

/// What is observed.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The connector to the target.
    pub connector: Connector,
    /// The process of its server, if it runs on this machine and is known.
    pub pid: Option<u32>,
}

/// A running observer.
pub trait Observer {
    /// Takes a sample. A failure is reported when it starts, and not again while it lasts.
    fn read(&mut self) -> Result<Sample, Problem>;
    /// Closes its connection until the next sample.
    fn disconnect(&mut self) {}
}

/// One sample.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Values by the names of the declared readings; counters as they are.
    pub values: BTreeMap<String, f64>,
    /// The time by the clock of the source, nanoseconds since 1970, if it is known.
    pub source_unix_ns: Option<u64>,
}

impl From<BTreeMap<String, f64>> for Sample {
    fn from(values: BTreeMap<String, f64>) -> Sample {
        Sample { values, source_unix_ns: None }
    }
}

/// How long a sample may take. Observers that query a server give up earlier, by themselves.
pub const PATIENCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn declarations_are_whole() {
        for entry in ALL {
            let all = (entry.readings)();
            let names: BTreeSet<&str> = all.iter().map(|spec| &*spec.name).collect();
            assert_eq!(names.len(), all.len(), "{} declares a name twice", entry.name);
            for spec in &all {
                // Our own names have labels in both languages; server variables have the names of the server.
                assert!(entry.connects || spec.label.is_some(), "{} {}", entry.name, spec.name);
            }
        }
    }

    /// The first observers were recorded without declarations. Their recordings must be read as what they declare now.
    #[test]
    fn recordings_without_declarations_are_read_as_what_is_declared_now() {
        let first = ["client.host", "client.process", "server.process", "server.status"];
        let all = ALL.iter().filter(|entry| first.contains(&entry.name));
        let all: Vec<_> = all.flat_map(|entry| (entry.readings)().into_iter().map(|spec| (entry.name, spec))).collect();
        assert!(all.len() > 60, "{}", all.len());
        for (observer, spec) in all {
            let read = ReadingSpec::of_undeclared(observer, &spec.name);
            assert_eq!(
                (spec.kind, &spec.unit, spec.whose),
                (read.kind, &read.unit, read.whose),
                "{observer} {}",
                spec.name
            );
        }
    }
}
