//! A run: all trials in their order, each told as it happens, whatever becomes of it.

use crate::claims::Claims;
use crate::complete::Complete;
use crate::environment::Environment;
use crate::live::Live;
use crate::stage::Stages;
use crate::teller::{Halt, Teller};
use crate::trial;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use tenbin_model::agenda::{Agenda, FixedOrder};
use tenbin_model::dsn::Password;
use tenbin_model::event::{Event, FORMAT, Severity, Sink, State};
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::Summary;
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
    /// Its trials as they are known beforehand, in order.
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

/// Who listens to a run. What it was told comes to a summary, from which the agenda decides what is next.
pub trait Listener: Sink {
    /// All that was told, folded.
    fn summary(&self) -> &Summary;
}

/// Runs all trials in their order and tells `listener`. A failed trial is told and the next one begins; a failed listener ends the run.
/// Servers started here are stopped here, on every way out.
pub fn run(request: &Request, listener: &mut dyn Listener, stop: &StopSignal) -> Result<State, Problem> {
    run_in(request, &FixedOrder::of(request.trials.clone()), &Live::default(), listener, stop)
}

/// The same by this agenda, in this environment.
pub fn run_in(
    request: &Request,
    agenda: &dyn Agenda,
    environment: &dyn Environment,
    listener: &mut dyn Listener,
    stop: &StopSignal,
) -> Result<State, Problem> {
    let mut teller = Teller::new(listener, environment);
    let mut stages = Stages::new(&request.passwords, request.workload.as_ref(), stop);
    match all_trials(request, agenda, &mut teller, &mut stages, stop) {
        Ok(state) => Ok(state),
        Err(Halt::Trial(problem) | Halt::Listener(problem)) => Err(problem),
    }
}

fn all_trials(
    request: &Request,
    agenda: &dyn Agenda,
    teller: &mut Teller,
    stages: &mut Stages<'_>,
    stop: &StopSignal,
) -> Result<State, Halt> {
    let environment = teller.environment;
    teller.tell(Event::RunStarted {
        format: FORMAT,
        name: request.name.clone(),
        tool: request.tool.clone(),
        started: environment.date(),
        plan: request.plan.clone(),
    })?;
    let mut trials = Trials::default();
    trials.plan(request, agenda, teller)?;
    let mut client = environment.client();
    client.insert("tenbin".to_owned(), request.tool.clone());
    teller.facts("client", client)?;
    if let Some(Finding { title, evidence, hint, .. }) = environment.others_at_work() {
        teller.note(Severity::Warning, Problem { what: title, evidence, hint })?;
    }
    let mut state = State::Complete;
    let mut claims = Claims::new(&format!("run {}", request.name));
    // Observers whose thread hangs cannot be ended: there is to be one such thread, not one for each trial.
    let mut hung = Vec::new();
    while let Some(planned) = &trials.planned.pop_front() {
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
        if !stop.asked() {
            trials.plan(request, agenda, teller)?;
        }
    }
    if stop.asked() {
        state = worse(state, State::Partial);
    }
    teller.tell(Event::RunFinished { at_ns: teller.now_ns(), state })?;
    Ok(state)
}

/// Trials that were planned and have not begun.
#[derive(Default)]
struct Trials {
    planned: VecDeque<Trial>,
    complete: Complete,
}

impl Trials {
    /// Takes from the agenda what there is for now, and tells it.
    fn plan(&mut self, request: &Request, agenda: &dyn Agenda, teller: &mut Teller) -> Result<(), Halt> {
        while let Some(given) = agenda.next(teller.summary()) {
            let (before, expected) = (teller.summary().trials.len(), agenda.expected(teller.summary()));
            let complete = self.complete.trial(&given, request.workload.as_ref());
            teller.tell(Event::TrialPlanned { planned: Box::new(complete.clone()), expected })?;
            if teller.summary().trials.len() == before {
                // It would be asked for the same one for ever.
                let what =
                    format!("trial {} was planned twice, or not taken down; this is a fault of Tenbin", given.number);
                return Err(Halt::Listener(Problem::new(what)));
            }
            // A script tells what was given from its own defaults: it checks the one and not the other.
            self.planned.push_back(if is_script(&given.load.workload) { given } else { complete });
        }
        Ok(())
    }
}

fn worse(a: State, b: State) -> State {
    match (a, b) {
        (State::Failed, _) | (_, State::Failed) => State::Failed,
        (State::Partial, _) | (_, State::Partial) => State::Partial,
        _ => State::Complete,
    }
}
