//! Observers: they read figures of client and server while a trial loads, settles and is driven. One file per observer, [`ALL`] is
//! the list of them.
//!
//! An observer declares its readings; whatever is declared is recorded, drawn on the page and exported. Each has a thread and a
//! period of its own ([`watch()`]), so that one that hangs, fails or panics costs its own readings and nothing else.

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

/// All observers; which of them fit a trial's target they say themselves.
pub const ALL: &[ObserverEntry] = &[host::ENTRY, own::ENTRY, process::ENTRY, status::ENTRY, postgres::ENTRY];

/// One observer: what it reads, how often, and how it is made.
#[derive(Debug, Clone, Copy)]
pub struct ObserverEntry {
    /// Who observes what: `client.host`.
    pub name: &'static str,
    /// All that it may read. What it returns beside these is not recorded.
    pub readings: fn() -> Vec<ReadingSpec>,
    /// How long it waits from one sample to the next; `None`: the plan's `metrics.interval`.
    pub period: Option<Duration>,
    /// How long a sample may take before the observer is taken to hang: [`PATIENCE`].
    pub patience: Duration,
    /// Whether it observes a server on a connection of its own.
    pub connects: bool,
    /// Makes it, on the thread on which it then lives; `None` where it does not fit.
    pub make: fn(&Subject) -> Option<Box<dyn Observer>>,
}

/// What is observed.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The way to the target.
    pub connector: Connector,
    /// Its server's process, when that runs on this machine and is known.
    pub pid: Option<u32>,
}

/// An observer at work.
pub trait Observer {
    /// Reads once. A failure is told when it begins, not again while it lasts.
    fn read(&mut self) -> Result<Sample, Problem>;
    /// Closes its connection until the next sample.
    fn disconnect(&mut self) {}
}

/// What was read at once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Values by the names of the declared readings; counters as they stand.
    pub values: BTreeMap<String, f64>,
    /// When by the clock of the source, nanoseconds since 1970, where it tells.
    pub source_unix_ns: Option<u64>,
}

impl From<BTreeMap<String, f64>> for Sample {
    fn from(values: BTreeMap<String, f64>) -> Sample {
        Sample { values, source_unix_ns: None }
    }
}

/// How long a sample may take. Observers that ask a server give up earlier, by themselves.
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
                // Names of our own have words in both languages; a server's variables stand under the server's names.
                assert!(entry.connects || spec.label.is_some(), "{} {}", entry.name, spec.name);
            }
        }
    }

    /// The first observers were recorded without declarations: what their recordings are read as is what they declare now.
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
