//! What a trial needs: the server (private or existing), the connector to it, its data set and the workload.
//!
//! Sandboxes run from their first trial to the end of the run, one per target and set of server variables, so that
//! interleaved trials have a warm server; dropping [`TestBeds`] stops them.

use crate::emitter::{EventEmitter, TrialError};
use crate::environment::{Environment, PrivateServer};
use crate::request::PrebuiltWorkload;
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Password, Scheme};
use tenbin_model::event::Severity;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Target, Trial};
use tenbin_model::workload::NO_DATA;
use tenbin_targets::sandbox::Options;
use tenbin_workload::{Dataset, Workload};

/// What one trial needs.
pub struct TestBed {
    pub connector: Connector,
    pub workload: Arc<dyn Workload>,
    /// `None` if the workload needs no tables or creates its own.
    pub dataset: Option<Box<dyn Dataset>>,
    /// The process of the server, if it runs on this machine and can be identified.
    pub pid: Option<u32>,
    /// Whether the server's facts were emitted in this run already.
    pub known: bool,
}

/// Running servers, by target and server variables.
pub struct TestBeds<'a> {
    passwords: &'a BTreeMap<String, Password>,
    up: BTreeMap<(String, BTreeMap<String, String>), Up>,
    made: Option<&'a PrebuiltWorkload>,
    stop: &'a StopSignal,
    current: Option<TestBed>,
}

struct Up {
    connector: Connector,
    sandbox: Option<Box<dyn PrivateServer>>,
}

impl<'a> TestBeds<'a> {
    /// No servers yet.
    pub fn new(
        passwords: &'a BTreeMap<String, Password>,
        made: Option<&'a PrebuiltWorkload>,
        stop: &'a StopSignal,
    ) -> Self {
        TestBeds { passwords, up: BTreeMap::new(), made, stop, current: None }
    }

    /// Reports private servers that have ended by themselves and removes them: the next trial that needs one gets a new
    /// one.
    pub fn bury(&mut self, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        for up in self.up.extract_if(.., |_, up| up.sandbox.as_ref().is_some_and(|s| s.ended().is_some())) {
            if let Some(problem) = up.1.sandbox.as_ref().and_then(|sandbox| sandbox.ended()) {
                emitter.note(Severity::Error, problem)?;
            }
        }
        Ok(())
    }

    /// Provides what `trial` needs, starting its sandbox if necessary, and emits the target's facts once.
    pub fn bring_up(&mut self, trial: &Trial, emitter: &mut EventEmitter) -> Result<&TestBed, TrialError> {
        let environment = emitter.environment;
        fits(trial).map_err(TrialError::Trial)?;
        let key = (trial.target.name.clone(), trial.target.server.clone());
        let known = self.up.contains_key(&key);
        if !known {
            let up = start(&trial.target, environment, self.passwords, self.stop).map_err(TrialError::Trial)?;
            if up.sandbox.is_some() {
                let made = msg!("sandbox-started", target = trial.target.name);
                emitter.note(Severity::Info, Problem::new(made).evidence(foreign(up.connector.dsn())))?;
            }
            self.up.insert(key.clone(), up);
        }
        let Some(up) = self.up.get(&key) else { return Err(TrialError::Trial(Problem::new(msg!("target-is-gone")))) };
        if !known {
            let read = environment.server(&up.connector).map_err(TrialError::Trial)?;
            emitter.facts(&trial.target.name, read)?;
        }
        let connector = up.connector.clone();
        Ok(self.current.insert(TestBed {
            workload: match self.made {
                Some(made) => made.0.clone(),
                None => environment.workload(trial, &connector).map_err(TrialError::Trial)?,
            },
            dataset: environment.dataset(trial).map_err(TrialError::Trial)?,
            pid: match &up.sandbox {
                Some(sandbox) => sandbox.pid(),
                None => environment.process(&connector),
            },
            connector,
            known,
        }))
    }
}

fn start(
    target: &Target,
    environment: &dyn Environment,
    passwords: &BTreeMap<String, Password>,
    stop: &StopSignal,
) -> Result<Up, Problem> {
    match &target.sandbox {
        None => Ok(Up { connector: environment.connector(target, passwords)?.until(stop), sandbox: None }),
        Some(binary) => {
            let sandbox = environment.sandbox(&Options {
                binary: binary.clone(),
                server: target.server.clone(),
                // It becomes part of a path; names of targets are arbitrary, names of sandboxes are not.
                name: target
                    .name
                    .chars()
                    .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' })
                    .collect(),
                stop: stop.clone(),
                ..Options::default()
            })?;
            let dsn = Dsn::parse(&sandbox.dsn())?;
            Ok(Up { connector: Connector::new(dsn, None)?.until(stop), sandbox: Some(sandbox) })
        }
    }
}

/// The connector to an existing target. The password comes from the environment or a file, never from an event.
pub fn connector(target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Connector, Problem> {
    let text = target.dsn.as_deref().ok_or_else(|| {
        Problem::new(msg!("target-has-no-address", target = target.name)).hint(msg!("give-dsn-or-sandbox"))
    })?;
    let mut dsn = Dsn::parse(text)?;
    if dsn.scheme == Scheme::Sqlite {
        dsn.options.extend(target.server.clone());
    } else if !target.server.is_empty() {
        return Err(
            Problem::new(msg!("variables-cannot-be-set", target = target.name)).hint(msg!("set-variables-on-server"))
        );
    }
    let secret = match password(target)? {
        Some(secret) => Some(secret),
        None => passwords.get(&target.name).map(|p| p.reveal().to_owned()),
    };
    Connector::new(dsn, secret)
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
    let text = std::fs::read_to_string(path).map_err(|e| {
        Problem::new(msg!("password-file-unreadable", target = target.name))
            .evidence(foreign(format_args!("{path}: {e}")))
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
    // The data set determines the tables, the load what the clients do.
    tenbin_workloads::workload_on(&trial.load.workload, &trial.load.options, &trial.dataset.options, connector.clone())
}

/// The trial's data set, its options checked; `None` when its kind is `none`.
pub fn dataset(trial: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem> {
    match trial.dataset.kind.as_str() {
        NO_DATA => Ok(None),
        kind => tenbin_workloads::dataset(kind, &trial.dataset.options, trial.target.scheme()).map(Some),
    }
}
