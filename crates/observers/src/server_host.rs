//! The machine of a server that is not this one, and the server's process there, over `ssh`: one connection for each
//! trial. If it is lost, the readings are, and nothing else; from time to time it is tried again.

use super::{Observer, ObserverEntry, Sample, Subject, host, process};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::names::observer;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::trial::{HostAccess, SshAccess};
use tenbin_servers::machine::{FileTexts, MachineFiles, Ssh, process_on};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: observer::SERVER_HOST,
    readings: |_| readings(),
    // To connect takes longer than a sample.
    patience: Duration::from_secs(30),
    connects: false,
    make,
    ..ObserverEntry::REGULAR
};

/// How long it waits after a failure until it connects again.
const PAUSE: Duration = Duration::from_secs(30);

fn make(subject: &Subject) -> Option<Box<dyn Observer>> {
    let Some(HostAccess::Ssh(access)) = &subject.host else { return None };
    Some(Box::new(ServerHost { access: access.clone(), connector: subject.connector.clone(), state: Link::New }))
}

fn readings() -> Vec<ReadingSpec> {
    host::readings_of(Whose::Server).into_iter().chain(process::readings(PROCESS)).collect()
}

/// What the names of the readings of the server's process start with.
const PROCESS: &str = "process_";

struct ServerHost {
    access: SshAccess,
    connector: Connector,
    state: Link,
}

enum Link {
    New,
    Connected(Connected),
    Failed { problem: Problem, until: Instant },
}

struct Connected {
    ssh: Ssh,
    disks: BTreeSet<String>,
    /// `None`: it was not found, which has been reported.
    process: Option<process::ServerProcess>,
}

impl Observer for ServerHost {
    fn read(&mut self) -> Result<Sample, Problem> {
        let mut notes = Vec::new();
        if let Link::Failed { problem, until } = &self.state
            && Instant::now() < *until
        {
            return Err(problem.clone());
        }
        let read = match &mut self.state {
            Link::Connected(connected) => connected.read(),
            Link::New | Link::Failed { .. } => {
                Connected::open(&self.access, &self.connector).and_then(|mut connected| {
                    let is_server = self.connector.dsn().scheme.kind().is_server;
                    if is_server && connected.process.is_none() {
                        let what = msg!("server-process-not-found-there", host = self.access.destination);
                        notes.push(Problem::new(what));
                    }
                    let read = connected.read();
                    self.state = Link::Connected(connected);
                    read
                })
            }
        };
        let read = read.inspect_err(|problem| {
            self.state = Link::Failed { problem: problem.clone(), until: Instant::now() + PAUSE };
        });
        read.map(|sample| Sample { notes, ..sample })
    }
}

impl Connected {
    fn open(access: &SshAccess, connector: &Connector) -> Result<Connected, Problem> {
        let ssh = Ssh::connect(access)?;
        let disks = host::disks(&ssh)?;
        let process = match process_on(&ssh, connector.dsn())? {
            Some(pid) => process::ServerProcess::find(&ssh, pid)?,
            None => None,
        };
        Ok(Connected { ssh, disks, process })
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let own = self.process.as_ref().map(process::ServerProcess::files).unwrap_or_default();
        let patterns: Vec<&str> = host::FILES.iter().copied().chain(own.iter().map(String::as_str)).collect();
        let read = self.ssh.read(&patterns)?;
        let mut values = host::values(&read.files, &self.disks);
        if let Some(process) = &mut self.process {
            // A server with a process for each connection has children.
            let files = process.files_of_children(&read.files);
            let of_children = match files.is_empty() {
                true => FileTexts::new(),
                false => self.ssh.files(&files.iter().map(String::as_str).collect::<Vec<_>>())?,
            };
            match process.values(&read.files, &of_children) {
                Some(figures) => {
                    values.extend(figures.into_iter().map(|(name, value)| (format!("{PROCESS}{name}"), value)))
                }
                // It has ended; what the clients see of that is reported by them.
                None => self.process = None,
            }
        }
        Ok(Sample { values, at: Some(read.at), source_unix_ns: read.unix_ns, ..Sample::default() })
    }
}
