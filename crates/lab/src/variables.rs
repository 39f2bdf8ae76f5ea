//! Variables of existing servers during a run: set before a trial that needs other values than those in force, and put
//! back at the end of the run.

use crate::emitter::{EventEmitter, TrialError, both};
use crate::environment::TargetSettings;
use crate::identity::who;
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_model::event::Severity;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Apply, Target, Trial};
use tenbin_servers::settings::{Origin, ServerSettings, SettingsChange};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The variables of all servers of a run, by their addresses.
pub struct RunVariables<'a> {
    run: &'a str,
    stop: &'a StopSignal,
    servers: BTreeMap<String, Box<dyn TargetSettings>>,
    /// Further addresses of these servers, each with the first one.
    others: BTreeMap<String, String>,
}

impl<'a> RunVariables<'a> {
    /// Nothing is changed yet; `run` is the name shown to others.
    pub fn new(run: &'a str, stop: &'a StopSignal) -> Self {
        RunVariables { run, stop, servers: BTreeMap::new(), others: BTreeMap::new() }
    }

    /// Sets the variables of a target. Returns whether anything is different now.
    pub fn bring(
        &mut self,
        target: &Target,
        connector: &Connector,
        emitter: &mut EventEmitter,
    ) -> Result<bool, TrialError> {
        if !are_set(target) {
            return Ok(false);
        }
        let key = self.place(connector);
        let mut changed = false;
        if !self.servers.contains_key(&key) {
            let opened = emitter.environment.settings(target, connector, self.run).map_err(TrialError::Trial)?;
            changed |= tell(opened.1, emitter)?;
            self.servers.insert(key.clone(), opened.0);
        }
        let Some(server) = self.servers.get_mut(&key) else { return Ok(changed) };
        let change = server.bring(target, self.stop).map_err(TrialError::Trial)?;
        Ok(tell(change, emitter)? || changed)
    }

    /// Sets the variables of a target again after its server was started; `stored`: also those that a start keeps, because
    /// what the server stores may have been replaced. Returns whether anything is different now.
    pub fn bring_again(
        &mut self,
        target: &Target,
        connector: &Connector,
        stored: bool,
        emitter: &mut EventEmitter,
    ) -> Result<bool, TrialError> {
        let key = self.place(connector);
        if let Some(server) = self.servers.get_mut(&key) {
            server.restarted(stored);
        }
        self.bring(target, connector, emitter)
    }

    /// The first address of a server: several addresses may be one server, which has its variables once.
    fn place(&mut self, connector: &Connector) -> String {
        let key = place(connector);
        if let Some(first) = self.others.get(&key) {
            return first.clone();
        }
        if self.servers.contains_key(&key) {
            return key;
        }
        let Some(first) = self.servers.iter_mut().find_map(|(first, server)| server.is_at(connector).then_some(first))
        else {
            return key;
        };
        self.others.insert(key, first.clone());
        first.clone()
    }

    /// Puts everything back, at the end of the run, also if nothing can be kept of that. Returns whether that succeeded.
    pub fn put_back(&mut self, emitter: &mut EventEmitter) -> Result<bool, TrialError> {
        let (mut all, mut outcome) = (true, Ok(()));
        for server in self.servers.values_mut() {
            let of_server = match server.put_back() {
                Ok(change) => tell(change, emitter).map(drop),
                Err(problem) => {
                    all = false;
                    emitter.note_for_certain(Severity::Error, problem)
                }
            };
            outcome = both(outcome, of_server);
        }
        outcome.map(|()| all)
    }
}

/// The address of a server: two targets may be the same one with different variables.
fn place(connector: &Connector) -> String {
    let dsn = connector.dsn();
    format!("{}:{:?} {:?}", dsn.host, dsn.port, dsn.options.get("socket"))
}

fn tell(change: SettingsChange, emitter: &mut EventEmitter) -> Result<bool, TrialError> {
    for (severity, problem) in change.notes {
        emitter.note(severity, problem)?;
    }
    Ok(change.changed)
}

/// Whether the variables of a target are set while it runs: not those of a private server, which starts with them, and
/// not the pragmas of SQLite, which its connections have.
pub fn are_set(target: &Target) -> bool {
    target.sandbox.is_none() && target.scheme().kind().is_server
}

/// The values that are set in the course of these trials of one target, by variable.
pub fn planned(trials: &[&Trial]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| are_set(&trial.target)) {
        for (name, value) in &trial.target.server {
            let values = all.entry(name.clone()).or_default();
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    all
}

/// What is done to the server for that, in words.
pub fn effects(trials: &[&Trial]) -> Vec<Message> {
    let planned = planned(trials);
    let Some(trial) = trials.first().filter(|_| !planned.is_empty()) else { return Vec::new() };
    let each = planned.iter().map(|(name, values)| format!("{name} = {}", values.join(", ")));
    let set = msg!("will-set", variables = each.collect::<Vec<_>>().join("; "));
    match apply(&trial.target) {
        Apply::ParameterGroup(access) if access.may_reboot => {
            vec![set, msg!("will-change-group-and-reboot", name = access.cloud.name())]
        }
        Apply::ParameterGroup(access) => vec![set, msg!("will-change-group", name = access.cloud.name())],
        _ => vec![set],
    }
}

/// How they are set.
pub fn apply(target: &Target) -> Apply {
    target.apply.clone().unwrap_or_else(|| Apply::of_kind(target.scheme()))
}

/// A problem with a variable, with the way that a managed server has: its account may not set variables, and it cannot
/// be restarted otherwise.
pub fn managed(target: &Target, problem: Problem) -> Problem {
    let is_barred = ["variable-not-permitted", "variable-is-read-only"].map(Some).contains(&problem.code());
    match (&target.cloud, apply(target)) {
        (Some(_), Apply::SetGlobal | Apply::Persist) if is_barred => {
            problem.hint(msg!("write-key", key = "apply", value = "\"parameter-group\""))
        }
        _ => problem,
    }
}

/// The real ones.
pub fn open(
    target: &Target,
    connector: &Connector,
    run: &str,
) -> Result<(Box<dyn TargetSettings>, SettingsChange), Problem> {
    let origin = Origin {
        run: who(&format!("run {run}")),
        password_env: target.password_env.clone(),
        password_file: target.password_file.clone(),
    };
    let (settings, change) = ServerSettings::open(connector, origin)?;
    Ok((Box::new(settings), change))
}

impl TargetSettings for ServerSettings {
    fn bring(&mut self, target: &Target, stop: &StopSignal) -> Result<SettingsChange, Problem> {
        ServerSettings::bring(self, &target.server, &apply(target), stop)
    }

    fn restarted(&mut self, stored: bool) {
        ServerSettings::restarted(self, stored);
    }

    fn is_at(&mut self, connector: &Connector) -> bool {
        ServerSettings::is_at(self, connector)
    }

    fn put_back(&mut self) -> Result<SettingsChange, Problem> {
        ServerSettings::put_back(self)
    }
}
