//! Load hosts in a run: what they receive about a trial, and how they build it.

use crate::carried::CarriedFiles;
use crate::ceiling::RoundTrips;
use crate::emitter::{EventEmitter, TrialError};
use crate::environment::{SliceLoaders, Work};
use crate::request::Request;
use crate::test_bed;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tenbin_driver::Connector;
use tenbin_engine::LoadPart;
use tenbin_hosts::launch::{Launcher, LocalProcesses, OverSsh, RayCluster};
use tenbin_hosts::protocol::{Assignment, PartInterval, Secret, ServerAssignment, SliceAssignment};
use tenbin_hosts::{ExaminedHost, HostEvent, HostsEnded, LoadHosts, Site};
use tenbin_model::dsn::{Dsn, Password};
use tenbin_model::event::{Event, Severity};
use tenbin_model::load_host::{LoadHostsAt, LoadHostsSpec, observer_of_host};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Target, Trial};
use tenbin_servers::doctor::load_host::{LoadedServer, load_host};
use tenbin_servers::finding::Finding;
use tenbin_servers::machine;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{DatasetSlice, Progress, Workload};
use tenbin_workloads::is_script;

/// Load hosts that act as one client, for one trial after the other.
pub struct SharedLoadHosts {
    /// As they were asked for.
    wanted: LoadHostsSpec,
    /// Whether they are those of the plan, and not of a single target.
    of_plan: bool,
    hosts: Mutex<LoadHosts>,
    /// Files that were carried to them.
    carried: CarriedFiles,
}

/// The command of this program that serves as a load host.
pub const HOST_COMMAND: &str = "load-host";
/// The name of this program where it is carried to.
const OWN_NAME: &str = "tenbin";

/// All load hosts of a run: those of the plan, and those of single targets.
#[derive(Debug)]
pub struct LoadHostSets(Vec<(LoadHostsSpec, SharedLoadHosts)>);

impl LoadHostSets {
    /// Starts the hosts that the trials ask for, and waits until all have joined; none if they ask for none.
    pub fn start(request: &Request, stop: &StopSignal) -> Result<LoadHostSets, Problem> {
        let mut sets: Vec<(LoadHostsSpec, SharedLoadHosts)> = Vec::new();
        for wanted in request.trials.iter().filter_map(|trial| trial.hosts.as_ref()) {
            if !sets.iter().any(|(known, _)| known == wanted) {
                sets.push((wanted.clone(), SharedLoadHosts::start(wanted, request, stop)?));
            }
        }
        Ok(LoadHostSets(sets))
    }

    /// Those that drive a trial; `None`: this process does.
    pub fn of(&self, trial: &Trial) -> Option<&SharedLoadHosts> {
        let wanted = trial.hosts.as_ref()?;
        self.0.iter().find(|(known, _)| known == wanted).map(|(_, hosts)| hosts)
    }

    /// Those that load data: of a target without a client of its own, because they are those of the plan.
    pub fn loaders(&self) -> Option<&SharedLoadHosts> {
        self.all().find(|hosts| hosts.of_plan)
    }

    /// Each of them, in the order of the trials.
    pub fn all(&self) -> impl Iterator<Item = &SharedLoadHosts> {
        self.0.iter().map(|(_, hosts)| hosts)
    }
}

impl SharedLoadHosts {
    /// Starts these hosts, and waits until all have joined.
    fn start(wanted: &LoadHostsSpec, request: &Request, stop: &StopSignal) -> Result<SharedLoadHosts, Problem> {
        let own = request.trials.iter().filter(|trial| trial.hosts.as_ref() == Some(wanted));
        let trials: Vec<Trial> = own.cloned().collect();
        all_have_clients(&trials, wanted.count)?;
        let mut carried = CarriedFiles::default();
        let launcher: Box<dyn Launcher> = match &wanted.at {
            LoadHostsAt::Local => {
                Box::new(LocalProcesses { program: own_program()?, arguments: vec![HOST_COMMAND.into()] })
            }
            LoadHostsAt::Ssh(hosts) => Box::new(OverSsh {
                hosts: hosts.clone(),
                program: wanted.program.clone().unwrap_or_else(|| "tenbin".to_owned()),
                command: HOST_COMMAND,
            }),
            LoadHostsAt::Ray(head) => {
                carried = CarriedFiles::of(&trials)?;
                Box::new(ray_cluster(head, wanted.program.as_deref(), &carried)?)
            }
        };
        if !launcher.is_confidential()
            && let Some(target) = request.passwords.keys().find(|name| trials.iter().any(|t| t.target.name == **name))
        {
            return Err(Problem::new(msg!("password-not-for-ray", target)).hint(msg!("password-on-hosts")));
        }
        let hosts = LoadHosts::start(&*launcher, wanted.count, wanted.if_lost, &request.tool, stop)?;
        if let Some(host) = hosts.elsewhere() {
            // There the same address would be another server, or none.
            let of_here = |target: &Target| {
                let dsn = target.dsn.as_deref().and_then(|dsn| Dsn::parse(dsn).ok());
                target.sandbox.is_some() || target.link.is_some() || dsn.is_some_and(|dsn| dsn.is_local())
            };
            if let Some(trial) = trials.iter().find(|trial| of_here(&trial.target)) {
                let what = msg!("hosts-cannot-reach-target", target = trial.target.name, host);
                return Err(Problem::new(what).hint(msg!("give-address-for-hosts")));
            }
        }
        let of_plan = trials.iter().any(|trial| trial.target.client.is_none());
        Ok(SharedLoadHosts { wanted: wanted.clone(), of_plan, hosts: Mutex::new(hosts), carried })
    }

    /// What the hosts find of themselves and of the servers that these trials load; private ones are not there yet.
    pub fn examine(&self, request: &Request, stop: &StopSignal) -> Result<Vec<ExaminedHost>, Problem> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, confidential) = (hosts.count(), hosts.is_confidential());
        let mut servers: BTreeMap<&str, (&Trial, u32)> = BTreeMap::new();
        let own = request.trials.iter().filter(|trial| trial.hosts.as_ref() == Some(&self.wanted));
        for trial in own.filter(|trial| trial.target.sandbox.is_none()) {
            let server = servers.entry(&trial.target.name).or_insert((trial, 0));
            server.1 = server.1.max(trial.load.clients.div_ceil(count));
        }
        let mut assigned = Vec::new();
        for (trial, clients) in servers.into_values() {
            assigned.push((trial, clients, test_bed::connector(&trial.target, &request.passwords)?));
        }
        let assign = |_| {
            let server = |(trial, clients, connector): &(&Trial, u32, Connector)| {
                let (address, password) = told(trial, connector, confidential);
                ServerAssignment { target: trial.target.clone(), clients: *clients, address, password }
            };
            assigned.iter().map(server).collect()
        };
        hosts.examine(&assign, stop)
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner).count()
    }
}

/// Fails if a host would have no clients in one of the trials, or no connection, before anything is loaded: a workload may keep clients together, and
/// let them share connections.
fn all_have_clients(trials: &[Trial], hosts: u32) -> Result<(), Problem> {
    // Clients of a script are never kept together, and their number is compared when the plan is read.
    for trial in trials.iter().filter(|trial| !is_script(&trial.load.workload)) {
        let nowhere = Connector::nowhere(trial.target.scheme())?;
        // What is wrong with a workload is reported elsewhere.
        let Ok(workload) = test_bed::workload(trial, &nowhere) else { continue };
        let clients = trial.load.clients;
        let groups: BTreeSet<u32> = (0..clients).map(|client| workload.group(client, clients) % hosts).collect();
        if groups.len() < hosts as usize {
            let what = Problem::new(msg!("hosts-without-clients", hosts, clients, workload = trial.load.workload));
            return Err(what
                .evidence(msg!("clients-kept-together", groups = groups.len()))
                .hint(msg!("give-fewer-hosts")));
        }
        if !workload.may_be_divided(clients, hosts) {
            let what = Problem::new(msg!("hosts-without-connections", hosts, workload = trial.load.workload));
            let pool = trial.load.options.get("pool").cloned().unwrap_or_default();
            return Err(what.evidence(msg!("connections-kept-on-hosts", pool)).hint(msg!("give-more-connections")));
        }
    }
    Ok(())
}

fn own_program() -> Result<PathBuf, Problem> {
    std::env::current_exe().map_err(|error| Problem::new(msg!("own-program-unknown")).evidence(foreign(error)))
}

/// A cluster whose nodes have this program, or else are sent the own one.
fn ray_cluster(head: &str, program: Option<&str>, carried: &CarriedFiles) -> Result<RayCluster, Problem> {
    let mut files: Vec<_> = carried.files.iter().map(|(name, path)| (name.clone(), path.clone())).collect();
    let program = match program {
        Some(there) => there.to_owned(),
        None => {
            files.push((OWN_NAME.to_owned(), own_program()?));
            format!("./{OWN_NAME}")
        }
    };
    Ok(RayCluster { head: head.to_owned(), command: vec![program.into(), HOST_COMMAND.into()], carried: files })
}

impl SliceLoaders for SharedLoadHosts {
    fn count(&self) -> u32 {
        SharedLoadHosts::count(self)
    }

    fn ready(&self) -> Result<(), Problem> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner).ready()
    }

    fn load(
        &self,
        trial: &Trial,
        connector: &Connector,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let (slices, confidential) = (hosts.count(), hosts.is_confidential());
        let assign = |slice: u32| {
            let (address, password) = told(trial, connector, confidential);
            SliceAssignment { slice, slices, trial: trial.clone(), seed, address, password }
        };
        hosts.load(&assign, progress, stop)
    }
}

impl fmt::Debug for SharedLoadHosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedLoadHosts({})", self.count())
    }
}

/// Drives the work on all hosts.
pub fn drive(
    hosts: &SharedLoadHosts,
    work: &Work<'_>,
    stop: &StopSignal,
    listener: &mut dyn FnMut(HostEvent) -> Result<(), Problem>,
) -> Result<HostsEnded, Problem> {
    let SharedLoadHosts { hosts, carried, .. } = hosts;
    let mut hosts = hosts.lock().unwrap_or_else(PoisonError::into_inner);
    let confidential = hosts.is_confidential();
    let Work { drive, trial, connector, workload, round_trips } = work;
    let assign = |part: LoadPart| {
        let (address, password) = told(trial, connector, confidential);
        Assignment {
            part: part.number,
            parts: part.of,
            load: drive.load.clone(),
            round_trips: *round_trips,
            warmup_ms: drive.warmup_ms,
            measure_ms: drive.measure_ms,
            interval_ms: drive.interval_ms,
            address,
            password,
            trial: carried.trial(trial),
        }
    };
    hosts.drive(drive, &***workload, &assign, stop, listener)
}

/// The address that a host connects to, and the password. If the password cannot be sent to a host in confidence, the host reads it
/// where the address or its own environment says.
fn told(trial: &Trial, connector: &Connector, confidential: bool) -> (String, Option<Secret>) {
    let password = connector.dsn().password.as_ref().filter(|_| confidential);
    let own = trial.target.dsn.as_ref().filter(|_| !confidential && trial.target.link.is_none());
    let address = own.cloned().unwrap_or_else(|| connector.dsn().without_password());
    (address, password.map(|password| Secret(password.clone())))
}

/// What a host receives about a trial: the trial at this address, and the connector to it.
fn reached(trial: &Trial, address: &str, password: Option<&Secret>) -> Result<(Trial, Connector), Problem> {
    let mut trial = trial.clone();
    let connector = reach(&mut trial.target, address, password)?;
    Ok((trial, connector))
}

/// The connector to a target at this address.
fn reach(target: &mut Target, address: &str, password: Option<&Secret>) -> Result<Connector, Problem> {
    target.dsn = Some(address.to_owned());
    // The variables of the server are set by the coordinator; those of SQLite are in the address.
    target.server.clear();
    let mut passwords = BTreeMap::new();
    if let Some(Secret(password)) = password {
        (target.password_env, target.password_file) = (None, None);
        passwords.insert(target.name.clone(), Password::new(password.clone()));
    }
    test_bed::connector(target, &passwords)
}

/// Emits what concerns one host.
pub fn emit(event: HostEvent, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    let trial = emitter.trial;
    let number = |host: usize| host as u32 + 1;
    emitter.emit(match event {
        HostEvent::Together(_) => return Ok(()),
        HostEvent::Part { host, part } => {
            let PartInterval { phase, from_ns, to_ns, clients, tally, completions, idle: _ } = part;
            Event::HostInterval { trial, host: number(host), phase, from_ns, to_ns, clients, tally, completions }
        }
        HostEvent::Declared { host, observer, period_ms, readings } => {
            let observer = observer_of_host(&observer, number(host));
            Event::ObserverDeclared { trial, observer, period_ms, readings }
        }
        HostEvent::Sampled { host, observer, at_ns, values } => {
            let observer = observer_of_host(&observer, number(host));
            Event::Observation { trial, observer, at_ns, source_unix_ns: None, values }
        }
        HostEvent::Noted { host: _, problem } => return emitter.note(Severity::Warning, problem),
    })
}

/// A load host as a part of this program.
#[derive(Debug, Clone, Default)]
pub struct LabSite {
    /// The version of the program, with its commit, as in [`Request::tool`].
    pub version: String,
}

impl Site for LabSite {
    fn facts(&self) -> BTreeMap<String, String> {
        machine::client()
    }

    fn machine(&self) -> String {
        machine::identity()
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn examine(&self, servers: &[ServerAssignment]) -> Vec<Finding> {
        let loaded = servers.iter().map(|server| {
            let ServerAssignment { target, clients, address, password } = server;
            let connector = reach(&mut target.clone(), address, password.as_ref());
            LoadedServer { target: target.name.clone(), connector, clients: *clients }
        });
        load_host(&loaded.collect::<Vec<_>>())
    }

    fn load(
        &self,
        assignment: &SliceAssignment,
        progress: &(dyn Fn(u64) + Sync),
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        let SliceAssignment { slice, slices, trial, seed, address, password } = assignment;
        let (trial, connector) = reached(trial, address, password.as_ref())?;
        let kind = &trial.dataset.kind;
        let dataset = test_bed::dataset(&trial)?;
        let dataset = dataset.ok_or_else(|| Problem::new(msg!("loaded-by-one-process", kind)))?;
        let slice = DatasetSlice { number: *slice, of: *slices };
        dataset.load_slice(&connector.until(stop), trial.dataset.streams, *seed, slice, progress, stop)
    }

    fn prepare(&self, assignment: &Assignment) -> Result<(Connector, Arc<dyn Workload>), Problem> {
        let Assignment { trial, address, password, round_trips, .. } = assignment;
        let (_, connector) = reached(trial, address, password.as_ref())?;
        let workload: Arc<dyn Workload> = Arc::from(test_bed::workload(trial, &connector)?);
        if !round_trips {
            return Ok((connector, workload));
        }
        // Never the workload itself instead: its writes are not wanted yet.
        let nothing = RoundTrips::like(&*workload, &connector);
        let nothing = nothing.ok_or_else(|| Problem::new(msg!("ceiling-not-measured")))?;
        Ok((connector, Arc::new(nothing)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::plan::{Plan, expand};

    /// The second of each two terminals opens a connection for both: of two warehouses, which alternate, the first would have none on its host.
    #[test]
    fn connections_that_are_shared_are_divided_among_hosts_or_refused() {
        let refusal = |clients: u32, pool: u32, hosts: u32| {
            let text = format!(
                "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/d\"\n[datasets.d]\nkind = \"tpcc\"\nwarehouses = 2\n[[experiment]]\n\
                 dataset = \"d\"\nload = {{ workload = \"tpcc\", clients = {clients}, pool = {pool}, workers = 1 }}\n"
            );
            let trials = expand(&Plan::parse(&text, &tenbin_workloads::catalog()).expect("a plan"));
            all_have_clients(&trials, hosts).err().map(|problem| problem.to_string()).unwrap_or_default()
        };
        assert_eq!([refusal(20, 10, 2), refusal(20, 2, 2), refusal(20, 0, 2)], ["", "", ""]);
        let without = refusal(20, 1, 2);
        assert!(without.contains("cannot be divided among 2 load hosts") && without.contains("pool = 1:"), "{without}");
    }
}
