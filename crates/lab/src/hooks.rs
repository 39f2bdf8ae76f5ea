//! The user's commands before and after the trials of a target.

use crate::emitter::{EventEmitter, TrialError, both};
use crate::permission;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, PASSWORD_FILE, redact};
use tenbin_model::event::{EndState, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;
use tenbin_servers::command::UserCommand;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::tables::{attached, mark};

/// The commands of all targets of a run.
pub struct RunHooks<'a> {
    run: &'a str,
    /// A trial of each target whose first command has succeeded.
    begun: BTreeMap<String, Trial>,
    /// The addresses of private servers, by their targets.
    private: BTreeMap<String, String>,
}

impl<'a> RunHooks<'a> {
    /// Nothing has run yet; `run` is the name of the run.
    pub fn new(run: &'a str) -> Self {
        RunHooks { run, begun: BTreeMap::new(), private: BTreeMap::new() }
    }

    /// The private server of a target runs at this address, which names the file with its password.
    pub fn is_up(&mut self, target: &str, address: &str) {
        self.private.insert(target.to_owned(), address.to_owned());
    }

    /// Before a trial; before the first one on its target also the command for that. Fails if a command does.
    pub fn before(&mut self, trial: &Trial, emitter: &mut EventEmitter, stop: &StopSignal) -> Result<(), TrialError> {
        let hooks = &trial.target.hooks;
        if !self.begun.contains_key(&trial.target.name) {
            self.run("before_run", hooks.before_run.as_ref(), trial, None, emitter, stop)?;
            self.begun.insert(trial.target.name.clone(), trial.clone());
        }
        self.run("before_trial", hooks.before_trial.as_ref(), trial, None, emitter, stop)
    }

    /// When the data of the trial are there, before the settling time and the warm-up. Fails if the command does.
    pub fn with_data(&self, trial: &Trial, emitter: &mut EventEmitter, stop: &StopSignal) -> Result<(), TrialError> {
        self.run("with_data", trial.target.hooks.with_data.as_ref(), trial, None, emitter, stop)
    }

    /// After a trial, however it ended. A command that fails is reported.
    pub fn after(&self, trial: &Trial, state: EndState, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        self.undo("after_trial", trial.target.hooks.after_trial.as_ref(), trial, Some(state), emitter)
    }

    /// At the end of the run, for each target whose first command has succeeded, also if nothing can be kept of that.
    pub fn end(&mut self, state: EndState, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        let mut ended = Ok(());
        for trial in std::mem::take(&mut self.begun).into_values() {
            let of_target = self.undo("after_run", trial.target.hooks.after_run.as_ref(), &trial, Some(state), emitter);
            ended = both(ended, of_target);
        }
        ended
    }

    /// Runs a command that must also run after a stop was requested.
    fn undo(
        &self,
        hook: &str,
        text: Option<&String>,
        trial: &Trial,
        state: Option<EndState>,
        emitter: &mut EventEmitter,
    ) -> Result<(), TrialError> {
        match self.run(hook, text, trial, state, emitter, &StopSignal::new()) {
            Err(TrialError::Trial(problem)) => emitter.note_for_certain(Severity::Warning, problem),
            other => other,
        }
    }

    fn run(
        &self,
        hook: &str,
        text: Option<&String>,
        trial: &Trial,
        state: Option<EndState>,
        emitter: &mut EventEmitter,
        stop: &StopSignal,
    ) -> Result<(), TrialError> {
        let Some(text) = text else { return Ok(()) };
        let target = &trial.target;
        let private = self.private.get(&target.name).map(String::as_str);
        let mut environment = environment_of(self.run, trial, private);
        environment.extend(private.into_iter().flat_map(access));
        environment.extend(state.map(|state| ("TENBIN_STATE", format!("{state:?}").to_lowercase())));
        let patience = Duration::from_millis(target.hooks.timeout_ms);
        let command = UserCommand { text, environment: &environment, patience, directory: None, is_awaited: false };
        let end = emitter.environment.command(&command, stop).map_err(TrialError::Trial)?;
        let (name, seconds) = (&target.name, format!("{:.1}", end.took.as_secs_f64()));
        if end.failure.is_some() {
            let problem = Problem::new(msg!("hook-failed", hook, target = name));
            let problem = Problem { evidence: end.evidence(), ..problem };
            return Err(TrialError::Trial(problem.hint(msg!("try-command", command = shell::quoted(&redact(text))))));
        }
        let note = Problem::new(msg!("hook-ended", hook, target = name, seconds));
        emitter.note(Severity::Info, Problem { evidence: end.evidence(), ..note })
    }
}

/// Runs a command of the user. Tables whose definition it changes are others to MySQL and MariaDB, and remain ours; what it adds to our tables belongs to
/// them. `server`: `None` if there is none, or it must not be asked. One that does not answer has to be started by the command, or stays as it is.
pub fn keeping_marks(
    server: Option<&Connector>,
    command: impl FnOnce() -> Result<(), TrialError>,
) -> Result<(), TrialError> {
    let changes = |server: &&Connector| server.dsn().scheme.kind().takes_mysql;
    let parts = server.and_then(|server| Some((server, attached::parts_of_ours(server).ok()?)));
    let loosened = server.filter(changes).filter(|server| mark::loosen_all(server).is_ok());
    let outcome = command();
    let renewed = loosened.map_or(Ok(()), mark::renew);
    outcome?;
    // What is not noted, because the command has stopped the server perhaps, is not dropped.
    let _ = parts.map(|(server, parts)| attached::keep_parts_since(server, &permission::created_by_user(), &parts));
    renewed.map_err(TrialError::Trial)
}

/// The variables that every command of the user finds in its environment.
pub fn environment_of(run: &str, trial: &Trial, private: Option<&str>) -> Vec<(&'static str, String)> {
    let target = &trial.target;
    let address = private.map(for_programs).or_else(|| target.dsn.clone()).unwrap_or_default();
    vec![
        ("TENBIN_RUN", run.to_owned()),
        ("TENBIN_TARGET", target.name.clone()),
        ("TENBIN_ADDRESS", address),
        ("TENBIN_EXPERIMENT", trial.experiment.clone()),
        ("TENBIN_TRIAL", trial.number.to_string()),
        ("TENBIN_CELL", trial.cell.to_string()),
        ("TENBIN_REPEAT", trial.repeat.to_string()),
    ]
}

/// The address of a private server as its own programs take it: those of PostgreSQL refuse one that names the file with its password.
pub fn for_programs(address: &str) -> String {
    match Dsn::parse(address) {
        Ok(mut dsn) if dsn.scheme.kind().has_client_variables => {
            dsn.options.remove(PASSWORD_FILE);
            dsn.to_string()
        }
        _ => address.to_owned(),
    }
}

/// How programs of others reach a private server: the file with its password, the option file of MySQL's programs, and the variables of PostgreSQL's.
pub fn access(address: &str) -> Vec<(&'static str, String)> {
    let Ok(dsn) = Dsn::parse(address) else { return Vec::new() };
    let password = dsn.options.get(PASSWORD_FILE);
    let beside = |name: &str| Some(Path::new(password?).with_file_name(name).display().to_string());
    let mut all = vec![("TENBIN_PASSWORD_FILE", password.cloned())];
    if dsn.scheme.kind().has_client_files {
        all.push(("TENBIN_OPTION_FILE", beside(OPTIONS_OF_CLIENTS)));
    }
    if dsn.scheme.kind().has_client_variables {
        all.extend([
            ("PGHOST", Some(dsn.host.clone())),
            ("PGPORT", dsn.port.map(|port| port.to_string())),
            ("PGUSER", Some(dsn.user.clone())),
            ("PGDATABASE", Some(dsn.database.clone())),
            ("PGPASSFILE", beside(PASSFILE_OF_CLIENTS)),
        ]);
    }
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The file in the directory of a private MySQL or MariaDB server that its client programs read.
const OPTIONS_OF_CLIENTS: &str = "client.cnf";
/// The same of PostgreSQL, with the password only.
const PASSFILE_OF_CLIENTS: &str = "pgpass";
