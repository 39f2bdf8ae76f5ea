//! A run: executes all trials in their order and emits their events.

use crate::claims::Claims;
use crate::complete::Complete;
use crate::emitter::{EventEmitter, Listener, TrialError};
use crate::environment::Environment;
use crate::live::Live;
use crate::request::Request;
use crate::test_bed::TestBeds;
use crate::trial;
use std::collections::VecDeque;
use tenbin_model::agenda::{Agenda, FixedOrder};
use tenbin_model::event::{EndState, Event, FORMAT, Severity};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;
use tenbin_targets::doctor::Finding;
use tenbin_workloads::is_script;

/// Runs all trials in their order and sends events to `listener`. After a failed trial the next one starts; a failed
/// listener ends the run. Servers started here are stopped here, on every way out.
pub fn run(request: &Request, listener: &mut dyn Listener, stop: &StopSignal) -> Result<EndState, Problem> {
    run_in(request, &FixedOrder::of(request.trials.clone()), &Live::default(), listener, stop)
}

/// The same with this agenda, in this environment.
pub fn run_in(
    request: &Request,
    agenda: &dyn Agenda,
    environment: &dyn Environment,
    listener: &mut dyn Listener,
    stop: &StopSignal,
) -> Result<EndState, Problem> {
    let mut emitter = EventEmitter::new(listener, environment);
    let mut test_beds = TestBeds::new(&request.passwords, request.workload.as_ref(), stop);
    match all_trials(request, agenda, &mut emitter, &mut test_beds, stop) {
        Ok(state) => Ok(state),
        Err(TrialError::Trial(problem) | TrialError::Listener(problem)) => Err(problem),
    }
}

fn all_trials(
    request: &Request,
    agenda: &dyn Agenda,
    emitter: &mut EventEmitter,
    test_beds: &mut TestBeds<'_>,
    stop: &StopSignal,
) -> Result<EndState, TrialError> {
    let environment = emitter.environment;
    emitter.emit(Event::RunStarted {
        format: FORMAT,
        name: request.name.clone(),
        tool: request.tool.clone(),
        started: environment.date(),
        plan: request.plan.clone(),
    })?;
    let mut trials = Trials::default();
    trials.plan(request, agenda, emitter)?;
    let mut client = environment.client();
    client.insert("tenbin".to_owned(), request.tool.clone());
    emitter.facts("client", client)?;
    if let Some(Finding { title, evidence, hint, .. }) = environment.others_at_work() {
        emitter.note(Severity::Warning, Problem { what: title, evidence, hint })?;
    }
    let mut state = EndState::Complete;
    let mut claims = Claims::new(&format!("run {}", request.name));
    // Observers whose thread hangs cannot be ended: there must be at most one such thread, not one for each trial.
    let mut hung = Vec::new();
    while let Some(planned) = &trials.planned.pop_front() {
        if stop.asked() {
            state = EndState::Partial;
            break;
        }
        emitter.trial = planned.number;
        emitter.about = Some((planned.target.clone(), planned.load.workload.clone()));
        emitter.emit(Event::TrialStarted { trial: planned.number, at_ns: emitter.now_ns() })?;
        let ended = trial::run(planned, test_beds, &mut claims, &hung, emitter, stop);
        hung.extend(emitter.observed()?);
        let end = match ended {
            Ok(end) => end,
            Err(TrialError::Listener(problem)) => return Err(TrialError::Listener(problem)),
            // A requested stop is not a failure of the trial.
            Err(TrialError::Trial(problem)) if stop.asked() => {
                emitter.note(Severity::Info, problem)?;
                trial::nothing_measured(EndState::Partial)
            }
            Err(TrialError::Trial(problem)) => {
                emitter.note(Severity::Error, problem)?;
                trial::nothing_measured(EndState::Failed)
            }
        };
        test_beds.bury(emitter)?;
        state = worse(state, end.state);
        emitter.emit(Event::TrialFinished {
            trial: planned.number,
            at_ns: emitter.now_ns(),
            state: end.state,
            measured_from_ns: end.measured_ns.0,
            measured_to_ns: end.measured_ns.1,
            client_cpu_ns: end.client_cpu_ns,
            workers: end.workers,
            per_client: end.per_client,
            client_halts: end.halts,
            oldest_open_ns: end.oldest_open_ns,
        })?;
        (emitter.trial, emitter.about) = (0, None);
        if !stop.asked() {
            trials.plan(request, agenda, emitter)?;
        }
    }
    if stop.asked() {
        state = worse(state, EndState::Partial);
    }
    emitter.emit(Event::RunFinished { at_ns: emitter.now_ns(), state })?;
    Ok(state)
}

/// Trials that are planned and have not started.
#[derive(Default)]
struct Trials {
    planned: VecDeque<Trial>,
    complete: Complete,
}

impl Trials {
    /// Takes the currently available trials from the agenda, and emits them.
    fn plan(&mut self, request: &Request, agenda: &dyn Agenda, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        while let Some(given) = agenda.next(emitter.summary()) {
            let (before, expected) = (emitter.summary().trials.len(), agenda.expected(emitter.summary()));
            let complete = self.complete.trial(&given, request.workload.as_ref());
            emitter.emit(Event::TrialPlanned { planned: Box::new(complete.clone()), expected })?;
            if emitter.summary().trials.len() == before {
                // The agenda would return the same one forever.
                return Err(TrialError::Listener(Problem::new(msg!("trial-planned-twice", trial = given.number))));
            }
            // A script distinguishes given options from its own defaults: it validates only the former.
            self.planned.push_back(if is_script(&given.load.workload) { given } else { complete });
        }
        Ok(())
    }
}

fn worse(a: EndState, b: EndState) -> EndState {
    match (a, b) {
        (EndState::Failed, _) | (_, EndState::Failed) => EndState::Failed,
        (EndState::Partial, _) | (_, EndState::Partial) => EndState::Partial,
        _ => EndState::Complete,
    }
}
