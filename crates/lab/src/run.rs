//! A run: all trials in their order, each told as it happens, whatever becomes of it.

use crate::claims::Claims;
use crate::complete::complete;
use crate::environment::Environment;
use crate::live::Live;
use crate::stage::Stages;
use crate::teller::{Halt, Teller};
use crate::trial;
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_model::dsn::Password;
use tenbin_model::event::{Event, FORMAT, Severity, Sink, State};
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;
use tenbin_target::doctor::Finding;
use tenbin_workload::Workload;
use tenbin_workload::script::is_script;

/// What to run.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The program that runs it, with its version and commit, for the record.
    pub tool: String,
    /// The plan's name.
    pub name: String,
    /// The plan as given, for the record; passwords left out.
    pub plan: String,
    /// Its trials, in order.
    pub trials: Vec<Trial>,
    /// Passwords that stood in addresses, by target; those in files and the environment are fetched when they are needed.
    pub passwords: BTreeMap<String, Password>,
    /// What the clients do when it was made already (a script that was opened); else the trials' loads name it.
    pub workload: Option<Made>,
}

/// A workload that was made beforehand.
#[derive(Clone)]
pub struct Made(pub Arc<dyn Workload>);

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Made({})", self.0.name())
    }
}

/// Runs all trials and tells `sink`. A failed trial is told and the next one begins; a failed sink ends the run.
/// Servers started here are stopped here, on every way out.
pub fn run(request: &Request, sink: &mut dyn Sink, stop: &StopSignal) -> Result<State, Problem> {
    run_in(request, &Live::default(), sink, stop)
}

/// The same in this environment.
pub fn run_in(
    request: &Request,
    environment: &dyn Environment,
    sink: &mut dyn Sink,
    stop: &StopSignal,
) -> Result<State, Problem> {
    let mut teller = Teller::new(sink, environment);
    let mut stages = Stages::new(&request.passwords, request.workload.as_ref(), stop);
    match all_trials(request, &mut teller, &mut stages, stop) {
        Ok(state) => Ok(state),
        Err(Halt::Trial(problem) | Halt::Listener(problem)) => Err(problem),
    }
}

fn all_trials(
    request: &Request,
    teller: &mut Teller,
    stages: &mut Stages<'_>,
    stop: &StopSignal,
) -> Result<State, Halt> {
    let environment = teller.environment;
    let trials = complete(&request.trials, request.workload.as_ref());
    teller.tell(Event::RunStarted {
        format: FORMAT,
        name: request.name.clone(),
        tool: request.tool.clone(),
        started: environment.date(),
        plan: request.plan.clone(),
        trials: trials.clone(),
    })?;
    let mut client = environment.client();
    client.insert("tenbin".to_owned(), request.tool.clone());
    teller.facts("client", client)?;
    if let Some(Finding { title, evidence, mend, .. }) = environment.others_at_work() {
        teller.note(Severity::Warning, Problem { what: title, evidence, mend })?;
    }
    let mut state = State::Complete;
    let mut claims = Claims::new(&format!("run {}", request.name));
    // Observers whose thread hangs cannot be ended: there is to be one such thread, not one for each trial.
    let mut hung = Vec::new();
    for (given, complete) in request.trials.iter().zip(&trials) {
        // A script tells what was given from its own defaults: it checks the one and not the other.
        let planned = if is_script(&given.load.workload) { given } else { complete };
        if stop.asked() {
            state = State::Partial;
            break;
        }
        teller.trial = planned.number;
        teller.about = Some((planned.target.clone(), planned.load.workload.clone()));
        teller.tell(Event::TrialStarted { trial: planned.number, at_ns: teller.now_ns() })?;
        let ended = trial::run(planned, stages, &mut claims, &hung, teller, stop);
        hung.extend(teller.observed()?);
        let end = match ended {
            Ok(end) => end,
            Err(Halt::Listener(problem)) => return Err(Halt::Listener(problem)),
            // A stop that was asked for is no failure of the trial.
            Err(Halt::Trial(problem)) if stop.asked() => {
                teller.note(Severity::Info, problem)?;
                trial::nothing_measured(State::Partial)
            }
            Err(Halt::Trial(problem)) => {
                teller.note(Severity::Error, problem)?;
                trial::nothing_measured(State::Failed)
            }
        };
        stages.bury(teller)?;
        state = worse(state, end.state);
        teller.tell(Event::TrialFinished {
            trial: planned.number,
            at_ns: teller.now_ns(),
            state: end.state,
            measured_from_ns: end.measured_ns.0,
            measured_to_ns: end.measured_ns.1,
            client_cpu_ns: end.client_cpu_ns,
            workers: end.workers,
            per_client: end.per_client,
            client_halts: end.halts,
            oldest_open_ns: end.oldest_open_ns,
        })?;
        (teller.trial, teller.about) = (0, None);
    }
    if stop.asked() {
        state = worse(state, State::Partial);
    }
    teller.tell(Event::RunFinished { at_ns: teller.now_ns(), state })?;
    Ok(state)
}

fn worse(a: State, b: State) -> State {
    match (a, b) {
        (State::Failed, _) | (_, State::Failed) => State::Failed,
        (State::Partial, _) | (_, State::Partial) => State::Partial,
        _ => State::Complete,
    }
}
