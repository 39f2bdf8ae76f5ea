//! Observers read figures of client and server while a trial loads, settles and is driven. There is one file per
//! observer; [`ALL`] is the list of them.
//!
//! An observer declares its readings; whatever is declared is recorded, drawn on the page and exported. Each has its
//! own thread and period ([`watch()`]), so that one that hangs, fails or panics loses only its own readings.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod binlog;
mod cloudwatch;
mod digest;
pub mod exporter;
mod files;
mod host;
mod own;
mod path;
mod postgres;
mod process;
mod replica;
mod rtt;
mod server_host;
mod session;
mod sessions;
mod settling;
mod status;
mod watch;

pub use session::OwnConnections;
pub use settling::readings as settling_readings;
pub use watch::{ObserverEvent, Sampling, Watch, watch};

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::cloud::CloudAccess;
use tenbin_model::digest::DigestReport;
use tenbin_model::reading::ReadingSpec;
use tenbin_model::trial::{HostAccess, Observe};
use tenbin_servers::exporter::ExporterAccess;
use tenbin_servers::link::SimulatedLink;
use tenbin_servers::replica::ReplicaSubject;
use tenbin_words::problem::Problem;

/// All observers. Each decides itself whether it applies to a target.
pub const ALL: &[ObserverEntry] = &[
    host::ENTRY,
    path::ENTRY,
    rtt::ENTRY,
    own::ENTRY,
    process::ENTRY,
    server_host::ENTRY,
    status::ENTRY,
    postgres::ENTRY,
    files::ENTRY,
    binlog::ENTRY,
    sessions::ENTRY,
    digest::ENTRY,
    replica::ENTRY,
    exporter::ENTRY,
    cloudwatch::ENTRY,
];

/// One observer: what it reads, how often, and how it is created.
#[derive(Debug, Clone, Copy)]
pub struct ObserverEntry {
    /// Its name, such as `client.host`.
    pub name: &'static str,
    /// The readings that it may return. Others are not recorded.
    pub readings: fn(&Subject) -> Vec<ReadingSpec>,
    /// The time from one sample to the next; `None`: the plan's `metrics.interval`.
    pub period: Option<Duration>,
    /// How long a sample may take before the observer counts as hanging: [`PATIENCE`].
    pub patience: Duration,
    /// Whether it observes a server on its own connection.
    pub connects: bool,
    /// Whether it is called only before the clients connect and at the edges of the measured window, for what it adds
    /// to the recording as a whole and not as readings.
    pub edges: bool,
    /// If there is one for each of several things: their names, and what is observed of each.
    pub each: Option<fn(&Subject) -> NamedSubjects>,
    /// Creates it, on the thread on which it runs; `None` if it does not apply.
    pub make: fn(&Subject) -> Option<Box<dyn Observer>>,
}

impl ObserverEntry {
    /// The rest of an entry (`..ObserverEntry::REGULAR`): one that reads within the period of the plan, without a connection of its own.
    pub const REGULAR: ObserverEntry = ObserverEntry {
        name: "",
        readings: |_| Vec::new(),
        period: None,
        patience: PATIENCE,
        connects: false,
        edges: false,
        each: None,
        make: |_| None,
    };
}

/// Names of observers, and what each observes.
pub type NamedSubjects = Vec<(&'static str, Subject)>;

/// What is observed.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The connector to the target.
    pub connector: Connector,
    /// The process of its server, if it runs on this machine and is known.
    pub pid: Option<u32>,
    /// Where its machine can be looked at; `None`: the plan does not say it.
    pub host: Option<HostAccess>,
    /// Its replicas.
    pub replicas: Vec<ReplicaSubject>,
    /// Prometheus exporters with figures about it.
    pub exporters: Vec<ExporterAccess>,
    /// What it and its replicas are at the provider that manages them.
    pub managed: Vec<ManagedSubject>,
    /// The simulated link to it.
    pub link: Option<Arc<SimulatedLink>>,
    /// The connections to it that Tenbin keeps beside those of the clients.
    pub own: OwnConnections,
    /// Whether load hosts on other machines drive the clients.
    pub clients_are_elsewhere: bool,
    /// The time between samples of observers without a period of their own.
    pub every: Duration,
    /// The origin of the run's clock.
    pub origin: Instant,
    /// Whether observers that connect to a server do so while the clients are at work.
    pub observe: Observe,
    /// Set while the server must not be queried ([`Watch::quietly`]).
    pub quiet: Arc<AtomicBool>,
}

/// A server that a provider manages.
#[derive(Debug, Clone)]
pub struct ManagedSubject {
    /// The name of the replica in the plan; `None`: what is observed itself.
    pub replica: Option<String>,
    /// Which it is there.
    pub access: CloudAccess,
    /// From when on its figures are asked for.
    pub since: Instant,
}

impl Subject {
    /// A server of which only the address is known.
    pub fn at(connector: Connector) -> Subject {
        let quiet = Arc::new(AtomicBool::new(false));
        Subject {
            connector,
            pid: None,
            host: None,
            replicas: Vec::new(),
            exporters: Vec::new(),
            managed: Vec::new(),
            link: None,
            own: OwnConnections::default(),
            clients_are_elsewhere: false,
            every: Duration::from_secs(1),
            observe: Observe::Always,
            origin: Instant::now(),
            quiet,
        }
    }
}

/// A running observer.
pub trait Observer {
    /// Takes a sample. A failure is reported when it starts, and not again while it lasts.
    fn read(&mut self) -> Result<Sample, Problem>;
    /// The time from one sample to the next, if it is its own.
    fn period(&self) -> Option<Duration> {
        None
    }
    /// Closes its connection until the next sample.
    fn disconnect(&mut self) {}
}

/// One sample.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Further readings, if they were not known beforehand.
    pub declares: Vec<ReadingSpec>,
    /// Values by the names of the declared readings; counters as they are.
    pub values: BTreeMap<String, f64>,
    /// The time by the clock of the source, nanoseconds since 1970, if it is known.
    pub source_unix_ns: Option<u64>,
    /// When it was taken, if that is known better than by the time of the request.
    pub at: Option<Instant>,
    /// Samples of earlier times instead of one of now, in order: of a source that has its figures late.
    pub past: Option<Vec<PastSample>>,
    /// The statements that the server counted in the measured window, once at its end.
    pub statements: Option<DigestReport>,
    /// What the reader of the result should know, if readings are missing although the sample succeeded.
    pub notes: Vec<Problem>,
}

/// A sample of an earlier time.
#[derive(Debug, Clone, PartialEq)]
pub struct PastSample {
    /// When.
    pub at: Instant,
    /// Values by the names of the declared readings.
    pub values: BTreeMap<String, f64>,
}

impl From<BTreeMap<String, f64>> for Sample {
    fn from(values: BTreeMap<String, f64>) -> Sample {
        Sample { values, ..Sample::default() }
    }
}

/// How long a sample may take. Observers that query a server give up earlier, by themselves.
pub const PATIENCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tenbin_model::dsn::Scheme;

    #[test]
    fn declarations_are_whole() {
        let subject = Subject::at(Connector::nowhere(Scheme::Mysql).unwrap());
        for entry in ALL {
            let all = (entry.readings)(&subject);
            let names: BTreeSet<&str> = all.iter().map(|spec| &*spec.name).collect();
            assert_eq!(names.len(), all.len(), "{} declares a name twice", entry.name);
            for spec in &all {
                // Our own names have labels in both languages; server variables have the names of the server.
                assert!(entry.connects || spec.label.is_some(), "{} {}", entry.name, spec.name);
            }
        }
    }
}
