//! What a trial needs: the server (private or existing), the connector to it, its data set and the workload.
//!
//! Sandboxes run from their first trial to the end of the run, one per target and set of server variables, so that
//! interleaved trials have a warm server; dropping [`TestBeds`] stops them.

use crate::earlier_servers::EarlierServers;
use crate::emitter::{EventEmitter, TrialError};
use crate::environment::{Environment, PrivateServer};
use crate::managed;
use crate::option_files::OptionFileTexts;
use crate::own_tables::OwnTables;
use crate::request::{Checks, PrebuiltWorkload, Request};
use crate::variables::{self, RunVariables};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_engine::ServerPlace;
use tenbin_model::ceiling::ClientCeiling;
use tenbin_model::data_use::DataUses;
use tenbin_model::dsn::{Dsn, LOGIN_PATH, OPTION_FILE, PASSFILE, PASSWORD_FILE, Password, SERVICE};
use tenbin_model::event::Severity;
use tenbin_model::exporter::Exporter;
use tenbin_model::names::path;
use tenbin_model::pin;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Allow, HostAccess, Replica, Restore, Target, Trial, Workers};
use tenbin_model::workload::NO_DATA;
use tenbin_servers::exporter::ExporterAccess;
use tenbin_servers::facts::Facts;
use tenbin_servers::link::SimulatedLink;
use tenbin_servers::offline::DataChange;
use tenbin_servers::replica::ReplicaSubject;
use tenbin_servers::sandbox::Options;
use tenbin_servers::service::Service;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{Dataset, Workload};

/// What one trial needs.
pub struct TestBed {
    pub connector: Connector,
    pub workload: Arc<dyn Workload>,
    /// `None` if the workload needs no tables or creates its own.
    pub dataset: Option<Box<dyn Dataset>>,
    /// The process of the server, if it runs on this machine and can be identified.
    pub pid: Option<u32>,
    /// Where that process is.
    pub place: ServerPlace,
    /// Its replicas.
    pub replicas: Vec<ReplicaSubject>,
    /// The Prometheus exporters of the target.
    pub exporters: Vec<ExporterAccess>,
    /// The simulated link to it.
    pub link: Option<Arc<SimulatedLink>>,
    /// Whether the server's facts were emitted in this run already.
    pub known: bool,
    /// Whether the limits of the server need not be compared with what the trial needs.
    pub is_checked: bool,
    /// The trial's rule for restoring data, reduced by the trials before it.
    pub rule: Restore,
}

/// Running servers, by target and server variables.
pub struct TestBeds<'a> {
    /// The name of the run.
    pub run: &'a str,
    passwords: &'a BTreeMap<String, Password>,
    option_files: &'a OptionFileTexts,
    /// Variables of existing servers.
    pub variables: RunVariables<'a>,
    up: BTreeMap<ServerKey, Up>,
    made: Option<&'a PrebuiltWorkload>,
    checks: Checks,
    /// The first trial of each cell on each server, with which its limits are compared.
    checked: BTreeMap<(ServerKey, u32), u32>,
    stop: &'a StopSignal,
    current: Option<TestBed>,
    uses: DataUses,
    /// The tables of the whole run.
    pub own_tables: OwnTables,
    /// What a continued run must find.
    pub earlier: Option<EarlierServers<'a>>,
    /// The ceilings of clients that were measured so far; `None` if that was tried in vain.
    pub ceilings: BTreeMap<CeilingKey, Option<ClientCeiling>>,
    /// The numbers of threads that were found best so far, by what decides them; `None` if that was tried in vain.
    pub threads: BTreeMap<String, Option<Workers>>,
}

/// What the ceiling of clients depends on: target and variables; clients, threads as requested, whether they block, and
/// protocol.
pub type CeilingKey = (ServerKey, u32, String, bool, bool);

/// What tells servers apart: target and variables.
type ServerKey = (String, BTreeMap<String, String>);

struct Up {
    connector: Connector,
    sandbox: Option<Box<dyn PrivateServer>>,
    link: Option<Arc<SimulatedLink>>,
    exporters: Vec<ExporterAccess>,
    replicas: Vec<ReplicaSubject>,
    /// Those of the replicas that are private.
    private_replicas: Vec<Box<dyn PrivateServer>>,
}

impl Up {
    /// The problem if one of the private servers has ended by itself.
    fn ended(&self) -> Option<Problem> {
        self.sandbox.iter().chain(&self.private_replicas).find_map(|server| server.ended())
    }
}

impl<'a> TestBeds<'a> {
    /// No servers yet.
    pub fn new(request: &'a Request, stop: &'a StopSignal) -> Self {
        TestBeds {
            run: &request.name,
            passwords: &request.passwords,
            option_files: &request.option_files,
            variables: RunVariables::new(&request.name, stop),
            up: BTreeMap::new(),
            made: request.workload.as_ref(),
            checks: request.checks,
            checked: BTreeMap::new(),
            stop,
            current: None,
            uses: DataUses::default(),
            own_tables: OwnTables::of(&request.trials),
            earlier: EarlierServers::of(request),
            ceilings: BTreeMap::new(),
            threads: BTreeMap::new(),
        }
    }

    /// Whether the workload was created before the run, so that whatever its clients do is seen by others.
    pub fn is_prebuilt(&self) -> bool {
        self.made.is_some()
    }

    /// Reports private servers that have ended by themselves and removes them: the next trial that needs one gets a new
    /// one.
    pub fn bury(&mut self, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        for (_, up) in self.up.extract_if(.., |_, up| up.ended().is_some()) {
            if let Some(problem) = up.ended() {
                emitter.note(Severity::Error, problem)?;
            }
        }
        Ok(())
    }

    /// The server of a trial, whether it was brought up or is only known by its address; `None` for what is no server.
    pub fn server(&self, trial: &Trial) -> Option<Connector> {
        if self.is_prebuilt() {
            return None;
        }
        let up = self.up.get(&key(trial)).map(|up| up.connector.clone());
        up.or_else(|| connector(&trial.target, self.passwords).ok()).filter(|c| c.dsn().scheme.kind().is_server)
    }

    /// What the trial that was brought up last needs.
    pub fn current(&self) -> Result<&TestBed, Problem> {
        self.current.as_ref().ok_or_else(|| Problem::new(msg!("target-is-gone")))
    }

    /// The same, to be kept while another trial is brought up.
    pub fn take_current(&mut self) -> Result<TestBed, Problem> {
        self.current.take().ok_or_else(|| Problem::new(msg!("target-is-gone")))
    }

    /// Stops the server of `trial`, makes the change of its data, and starts it again; see [`DataChange`]. `discarded`: the
    /// present data will not be used any more. Returns how long the start took.
    pub fn offline(
        &mut self,
        trial: &Trial,
        discarded: bool,
        change: &mut dyn DataChange,
    ) -> Result<Duration, Problem> {
        let key = key(trial);
        match self.up.get_mut(&key) {
            Some(Up { sandbox: Some(sandbox), .. }) => sandbox.offline(discarded, change),
            // A file that no process has open has no server to stop.
            Some(up) if up.connector.dsn().scheme.kind().is_file => {
                let file = Path::new(&up.connector.dsn().database);
                // A link of the user remains one: what it leads to is replaced.
                let behind = file.canonicalize().unwrap_or_else(|_| file.to_owned());
                change.make(&behind).map(|()| Duration::ZERO)
            }
            Some(up) => service(&trial.target, &up.connector)?.offline(change),
            None => Err(Problem::new(msg!("target-is-gone"))),
        }
    }

    /// The data directory of the server of `trial`.
    pub fn data_directory(&self, trial: &Trial) -> Result<PathBuf, Problem> {
        let key = key(trial);
        match self.up.get(&key) {
            Some(Up { sandbox: Some(sandbox), .. }) => Ok(sandbox.data_directory()),
            Some(up) => service(&trial.target, &up.connector)?.data_directory(),
            None => Err(Problem::new(msg!("target-is-gone"))),
        }
    }

    /// What `trial` needs after its server was started again on restored data: it has another process, and holds none of the
    /// tables that trials before have left.
    /// Variables that a start does not keep are set again.
    pub fn restarted(&mut self, trial: &Trial, emitter: &mut EventEmitter) -> Result<&TestBed, TrialError> {
        self.replaced(trial, false, emitter)
    }

    /// The same after a command of the user, which may have restarted the server and replaced anything in it, also what it
    /// stores of its variables.
    pub fn restored_by_command(&mut self, trial: &Trial, emitter: &mut EventEmitter) -> Result<&TestBed, TrialError> {
        self.replaced(trial, true, emitter)
    }

    /// The same after its database was replaced while the server ran on.
    pub fn replaced_while_running(&mut self, trial: &Trial) -> Result<&TestBed, Problem> {
        self.uses.replaced_by(trial);
        self.current()
    }

    fn replaced(&mut self, trial: &Trial, stored: bool, emitter: &mut EventEmitter) -> Result<&TestBed, TrialError> {
        let gone = || TrialError::Trial(Problem::new(msg!("target-is-gone")));
        self.uses.replaced_by(trial);
        let up = self.up.get(&key(trial)).ok_or_else(gone)?;
        let is_changed = self.variables.bring_again(&trial.target, &up.connector, stored, emitter)?;
        if is_changed {
            self.read_facts(trial, emitter)?;
        }
        self.find_process(trial, emitter)?;
        self.current.as_ref().ok_or_else(gone)
    }

    /// Sets the variables of a trial again if they do not have their values any more. Returns whether anything is different now.
    pub fn set_again(&mut self, trial: &Trial, emitter: &mut EventEmitter) -> Result<bool, TrialError> {
        let connector = self.current().map_err(TrialError::Trial)?.connector.clone();
        let is_changed = self.variables.bring(&trial.target, &connector, emitter)?;
        if is_changed {
            self.read_facts(trial, emitter)?;
            self.find_process(trial, emitter)?;
        }
        Ok(is_changed)
    }

    /// Reads the facts about the server of a trial again.
    pub fn read_facts(&self, trial: &Trial, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        let connector = &self.current().map_err(TrialError::Trial)?.connector;
        let read = facts(&trial.target, connector, emitter.environment)?;
        emitter.facts(&trial.target.name, read)
    }

    /// Looks for the process of a trial's server after a command of the user. Returns whether it is another one.
    pub fn has_other_process(&mut self, trial: &Trial, emitter: &EventEmitter) -> Result<bool, TrialError> {
        let before = self.current().map_err(TrialError::Trial)?.pid;
        self.find_process(trial, emitter)?;
        Ok(self.current().map_err(TrialError::Trial)?.pid != before)
    }

    /// A server that was started again has another process.
    fn find_process(&mut self, trial: &Trial, emitter: &EventEmitter) -> Result<(), TrialError> {
        let gone = || TrialError::Trial(Problem::new(msg!("target-is-gone")));
        let up = self.up.get(&key(trial)).ok_or_else(gone)?;
        let pid = process(&trial.target, up, emitter.environment);
        let current = self.current.as_mut().ok_or_else(gone)?;
        (current.pid, current.place) = (pid, place(pid, emitter.environment));
        Ok(())
    }

    /// Provides what `trial` needs, starting its sandbox if necessary, and emits the target's facts once.
    pub fn bring_up(&mut self, trial: &Trial, emitter: &mut EventEmitter) -> Result<&TestBed, TrialError> {
        let environment = emitter.environment;
        fits(trial).map_err(TrialError::Trial)?;
        let key = key(trial);
        let known = self.up.contains_key(&key);
        if !known {
            let mut up = start(&trial.target, environment, self.passwords, self.stop).map_err(TrialError::Trial)?;
            if self.checks == Checks::EachCell {
                up.connector = up.connector.keeping_connections();
            }
            if up.sandbox.is_some() {
                let made = msg!("sandbox-started", target = trial.target.name);
                emitter.note(Severity::Info, Problem::new(made).evidence(foreign(up.connector.dsn())))?;
            }
            self.up.insert(key.clone(), up);
        }
        let Some(up) = self.up.get(&key) else { return Err(TrialError::Trial(Problem::new(msg!("target-is-gone")))) };
        let connector = up.connector.clone();
        if trial.target.pin.is_some() && !known {
            let facts = environment.server(&connector).map_err(TrialError::Trial)?;
            if let Some(problem) = pin::differs(&trial.target, &facts) {
                // The next trial on it must find the same.
                self.up.remove(&key);
                return Err(TrialError::Trial(problem));
            }
        }
        let changed = self.variables.bring(&trial.target, &connector, emitter)?;
        let Some(up) = self.up.get(&key) else { return Err(TrialError::Trial(Problem::new(msg!("target-is-gone")))) };
        let pid = process(&trial.target, up, environment);
        if !known || changed {
            let mut read = facts(&trial.target, &up.connector, environment)?;
            if let Some(earlier) = self.earlier.as_mut().filter(|_| !known) {
                earlier.compare_first(&trial.target, &read, emitter)?;
            }
            if !known {
                match environment.machine(&trial.target, &connector, pid, &read) {
                    Ok(machine) => read.extend(machine),
                    Err(problem) => emitter.note(Severity::Warning, problem)?,
                }
                read.extend(managed::facts(&trial.target, emitter, self.stop)?);
                if let Some(earlier) = &self.earlier {
                    earlier.compare_machine(&trial.target, &read, emitter)?;
                }
                if let Some(text) = self.option_files.get(&trial.target.name) {
                    read.insert("option_file".to_owned(), text.clone());
                }
            }
            emitter.facts(&trial.target.name, read)?;
        }
        let rule = self.uses.rule(trial);
        self.uses.used_by(trial);
        let is_checked = match self.checks {
            Checks::EachTrial => false,
            Checks::EachCell => *self.checked.entry((key, trial.cell)).or_insert(trial.number) != trial.number,
            Checks::Never => true,
        };
        Ok(self.current.insert(TestBed {
            workload: match self.made {
                Some(made) => made.0.clone(),
                None => environment.workload(trial, &connector).map_err(TrialError::Trial)?,
            },
            dataset: environment.dataset(trial).map_err(TrialError::Trial)?,
            pid,
            place: place(pid, environment),
            replicas: up.replicas.clone(),
            exporters: up.exporters.clone(),
            link: up.link.clone(),
            connector,
            known,
            is_checked,
            rule,
        }))
    }
}

/// The server of a trial: its target's name and variables, unless these are set while it runs.
pub fn key(trial: &Trial) -> ServerKey {
    let own = if variables::are_set(&trial.target) { BTreeMap::new() } else { trial.target.server.clone() };
    (trial.target.name.clone(), own)
}

/// The process of a server, if it runs on this machine and can be identified.
fn process(target: &Target, up: &Up, environment: &dyn Environment) -> Option<u32> {
    match (&up.sandbox, &target.host) {
        (Some(sandbox), _) => sandbox.pid(),
        (None, None | Some(HostAccess::Local)) => environment.process(&up.connector),
        // The address may be that of a tunnel.
        (None, Some(HostAccess::None | HostAccess::Ssh(_))) => None,
    }
}

/// Where the process of a server is, as seen from the clients.
fn place(pid: Option<u32>, environment: &dyn Environment) -> ServerPlace {
    ServerPlace::of_process(pid.map(|pid| environment.same_scheduling_group(pid)))
}

/// The commands that stop and start the server of an address.
pub fn service<'a>(target: &'a Target, connector: &'a Connector) -> Result<Service<'a>, Problem> {
    match (&target.restore.stop, &target.restore.start) {
        (Some(stop), Some(start)) => Ok(Service { connector, stop, start }),
        _ => Err(Problem::new(msg!("restore-needs-commands", target = target.name))),
    }
}

fn start(
    target: &Target,
    environment: &dyn Environment,
    passwords: &BTreeMap<String, Password>,
    stop: &StopSignal,
) -> Result<Up, Problem> {
    let source = u32::from(!target.replicas.is_empty());
    let (connector, sandbox) = match &target.sandbox {
        None => (environment.connector(target, passwords)?.until(stop), None),
        Some(binary) => {
            let (connector, server) = private(binary, target, &target.name, source, environment, stop)?;
            (connector, Some(server))
        }
    };
    let exporters = exporters(target, passwords)?;
    let mut up = Up { connector, sandbox, link: None, exporters, replicas: Vec::new(), private_replicas: Vec::new() };
    for (place, replica) in target.replicas.iter().enumerate() {
        let name = replica.at.name.clone();
        let Some(binary) = &replica.at.sandbox else {
            let connector = environment.connector(&existing(target, replica), passwords)?.until(stop);
            up.replicas.push(ReplicaSubject { name, connector });
            continue;
        };
        let called = format!("{}-{name}", target.name);
        let (connector, server) = private(binary, &replica.at, &called, source + 1 + place as u32, environment, stop)?;
        let subject = ReplicaSubject { name, connector };
        environment.replicate(&up.connector, &subject, replica.delay_s)?;
        up.replicas.push(subject);
        up.private_replicas.push(server);
    }
    if let Some(spec) = target.link {
        let link = environment.link(&up.connector, spec)?;
        let port = Some(link.port());
        up.connector = Connector::new(Dsn { port, ..up.connector.dsn().clone() }, None)?.until(stop);
        up.link = Some(Arc::new(link));
    }
    Ok(up)
}

/// Facts about the target's server, and about the link to it.
fn facts(target: &Target, connector: &Connector, environment: &dyn Environment) -> Result<Facts, TrialError> {
    let mut facts = environment.server(connector).map_err(TrialError::Trial)?;
    if let Some(link) = target.link {
        let simulated = msg!("simulated-link", link = link.words());
        facts.insert(path::INTERFACE.to_owned(), simulated.english().to_owned());
    }
    Ok(facts)
}

/// A replica that exists, under the name of its password.
pub fn existing(source: &Target, replica: &Replica) -> Target {
    Target { name: replica.secret_name(source), ..replica.at.clone() }
}

/// Starts a private server; `number` is its number in replication, 0 if it does not take part.
fn private(
    binary: &str,
    target: &Target,
    name: &str,
    number: u32,
    environment: &dyn Environment,
    stop: &StopSignal,
) -> Result<(Connector, Box<dyn PrivateServer>), Problem> {
    let sandbox = environment.sandbox(&Options {
        binary: binary.to_owned(),
        server: target.server.clone(),
        // It becomes part of a path; names of targets are arbitrary, names of sandboxes are not.
        name: name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect(),
        stop: stop.clone(),
        replication: (number > 0).then_some(number),
        data_directory: target.data_directory.as_ref().map(PathBuf::from),
        ..Options::default()
    })?;
    let dsn = Dsn::parse(&sandbox.dsn())?;
    Ok((Connector::new(dsn, None)?.until(stop), sandbox))
}

/// The connector to an existing target. The password comes from the environment or a file, never from an event.
pub fn connector(target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Connector, Problem> {
    Connector::new(address(target)?, secret(target, passwords)?)
}

/// Options of addresses that name files with accounts or passwords.
const ACCOUNT_FILES: [&str; 5] = [PASSWORD_FILE, OPTION_FILE, LOGIN_PATH, SERVICE, PASSFILE];

/// The same for what is only looked at and never connected: neither the password nor a file with accounts is read.
pub fn connector_without_password(target: &Target) -> Result<Connector, Problem> {
    let mut dsn = address(target)?;
    dsn.options.retain(|name, _| !ACCOUNT_FILES.contains(&name.as_str()));
    Connector::new(dsn, Some(String::new()))
}

fn address(target: &Target) -> Result<Dsn, Problem> {
    let text = target.dsn.as_deref().ok_or_else(|| {
        Problem::new(msg!("target-has-no-address", target = target.name)).hint(msg!("give-dsn-or-sandbox"))
    })?;
    let mut dsn = Dsn::parse(text)?;
    if dsn.scheme.kind().is_file {
        dsn.options.extend(target.server.clone());
    } else if !target.server.is_empty() && !variables::are_set(target) {
        let problem = Problem::new(msg!("variables-cannot-be-set", target = target.name));
        return Err(problem.hint(msg!("remove-option", option = "server")));
    }
    Ok(dsn)
}

/// The exporters of a target, with their passwords.
pub fn exporters(target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Vec<ExporterAccess>, Problem> {
    let access = |exporter: &Exporter| {
        let (password_env, password_file) = (exporter.password_env.clone(), exporter.password_file.clone());
        let name = exporter.secret_name(&target.name);
        let named = Target { password_env, password_file, ..Target::named(&name, 0) };
        let password = secret(&named, passwords)?.map(Password::new);
        let address = passwords.get(&exporter.secret_address(&target.name)).cloned();
        Ok(ExporterAccess { exporter: exporter.clone(), password, address })
    };
    target.exporters.iter().map(access).collect()
}

/// The password from the environment, a file, or the address in the plan.
fn secret(target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Option<String>, Problem> {
    Ok(password(target)?.or_else(|| passwords.get(&target.name).map(|p| p.reveal().to_owned())))
}

fn password(target: &Target) -> Result<Option<String>, Problem> {
    if let Some(name) = &target.password_env {
        return std::env::var(name).map(Some).map_err(|_| {
            Problem::new(msg!("password-env-missing", target = target.name))
                .evidence(msg!("password-env-not-set", name = format_args!("{name:?}")))
                .hint(msg!("export-variable", name))
        });
    }
    let Some(path) = &target.password_file else { return Ok(None) };
    let text = tenbin_intake::named_text(Path::new(path), tenbin_intake::SMALL).map_err(|e| {
        Problem::new(msg!("password-file-unreadable", target = target.name))
            .evidence(foreign(format_args!("{path}: {e}")))
            .hint(msg!("check-name-and-rights"))
    })?;
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// Whether the trial's workload and target go together: some need a database, some need none.
pub fn fits(trial: &Trial) -> Result<(), Problem> {
    let Target { name, dsn, sandbox, .. } = &trial.target;
    let called = dsn.as_ref().or(sandbox.as_ref()).unwrap_or(name);
    tenbin_workloads::fits(&trial.load.workload, trial.target.scheme(), called)
}

/// The trial's workload, its options checked.
pub fn workload(trial: &Trial, connector: &Connector) -> Result<Box<dyn Workload>, Problem> {
    let target = &trial.target;
    let is_free = target.sandbox.is_some() || target.allow.contains(&Allow::WriteUnmarked);
    let scheme = connector.dsn().scheme;
    let connector = match tenbin_workloads::only_reads_as_seen(&trial.load.workload, &trial.load.options, scheme) {
        true if !is_free => connector.reading_only()?,
        _ => connector.clone(),
    };
    let connector =
        if tenbin_workloads::is_own_sql(&trial.load.workload) { connector.finding_rows()? } else { connector };
    // The data set determines the tables, the load what the clients do.
    tenbin_workloads::workload_on(&trial.load.workload, &trial.load.options, &trial.dataset.options, connector)
}

/// The trial's data set, its options checked; `None` when its kind is `none`.
pub fn dataset(trial: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem> {
    match trial.dataset.kind.as_str() {
        NO_DATA => Ok(None),
        kind => tenbin_workloads::dataset(kind, &trial.dataset.options, trial.target.scheme()).map(Some),
    }
}
