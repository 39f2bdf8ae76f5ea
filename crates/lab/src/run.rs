//! A run: executes all trials in their order and emits their events.

use crate::claims::Claims;
use crate::complete::Complete;
use crate::emitter::{EventEmitter, Listener, TrialError};
use crate::environment::Environment;
use crate::hooks::RunHooks;
use crate::live::Live;
use crate::load_hosts::LoadHostSets;
use crate::request::{EarlierRun, Request, Resumed};
use crate::test_bed::TestBeds;
use crate::trial;
use crate::try_out;
use std::collections::VecDeque;
use std::time::Duration;
use tenbin_model::event::{EndState, Event, FORMAT, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;
use tenbin_servers::finding::Finding;
use tenbin_verdict::agenda::{self, Agenda};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workloads::is_script;

/// Runs all trials in their order and sends events to `listener`. After a failed trial the next one starts; a failed
/// listener ends the run. Servers started here are stopped here, on every way out.
pub fn run(request: &Request, listener: &mut dyn Listener, stop: &StopSignal) -> Result<EndState, Problem> {
    let hosts = LoadHostSets::start(request, stop)?;
    let environment = Live { hosts: Some(&hosts), ..Live::default() };
    run_in(request, &*agenda::of_plan(request.trials.clone()), &environment, listener, stop)
}

/// The same with this agenda, in this environment.
pub fn run_in(
    request: &Request,
    agenda: &dyn Agenda,
    environment: &dyn Environment,
    listener: &mut dyn Listener,
    stop: &StopSignal,
) -> Result<EndState, Problem> {
    let passed = request.resumed.as_ref().map_or(Duration::ZERO, |earlier| Duration::from_nanos(earlier.0.last_ns()));
    let mut emitter = EventEmitter::new(listener, environment, passed);
    let mut test_beds = TestBeds::new(request, stop);
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
    if let Some(Resumed(earlier)) = &request.resumed {
        let what = msg!("trials-taken-over", trials = earlier.count(), place = earlier.place());
        emitter.note(Severity::Info, Problem::new(what))?;
    }
    for problem in try_out::notes(&request.trials) {
        emitter.note(Severity::Info, problem)?;
    }
    let mut client = environment.client();
    client.insert("tenbin".to_owned(), request.tool.clone());
    if let Some(earlier) = &mut test_beds.earlier {
        earlier.compare_existing(request, &client, emitter)?;
    }
    emitter.facts("client", client)?;
    if let Some(Finding { title, evidence, hint, .. }) = environment.others_at_work() {
        emitter.note(Severity::Warning, Problem { what: title, evidence, hint })?;
    }
    let mut state = EndState::Complete;
    let mut hooks = RunHooks::new(&request.name);
    let mut claims = Claims::new(&format!("run {}", request.name));
    // Observers whose thread hangs cannot be ended: there must be at most one such thread, not one for each trial.
    let mut hung = Vec::new();
    while let Some(planned) = &trials.planned.pop_front() {
        if stop.asked() {
            state = EndState::Partial;
            break;
        }
        if let Some(Resumed(earlier)) = request.resumed.as_ref().filter(|r| r.0.finished(planned.number).is_some()) {
            replay(earlier.as_ref(), planned, emitter)?;
        } else {
            let end = one_trial(planned, &mut hooks, test_beds, (&mut claims, &mut hung), emitter, stop)?;
            state = worse(state, end);
        }
        if !stop.asked() {
            trials.plan(request, agenda, emitter)?;
        }
    }
    if stop.asked() {
        state = worse(state, EndState::Partial);
    }
    if !test_beds.variables.put_back(emitter)? {
        state = EndState::Failed;
    }
    hooks.end(state, emitter)?;
    emitter.emit(Event::RunFinished { at_ns: emitter.now_ns(), state })?;
    Ok(state)
}

/// Emits what an earlier run has recorded of a trial.
fn replay(earlier: &dyn EarlierRun, planned: &Trial, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    let mut each = |event| {
        let begins = matches!(event, Event::TrialStarted { .. });
        let emitted = emitter.emit(event).and_then(|()| {
            // Trials that were run again may have found other facts.
            let known = emitter.summary().target_facts(planned);
            let facts =
                earlier.facts(planned.number).filter(|facts| begins && known.is_some_and(|now| *now != **facts));
            let (trial, about) = (planned.number, planned.target.name.clone());
            match facts {
                Some(facts) => emitter.emit(Event::Facts { trial, about, facts: (*facts).clone() }),
                None => Ok(()),
            }
        });
        emitted.map_err(|(TrialError::Trial(problem) | TrialError::Listener(problem))| problem)
    };
    earlier.replay(planned.number, &mut each).map_err(TrialError::Listener)
}

/// The commands of the user before a trial. They find a private server running.
fn before_trial(
    planned: &Trial,
    hooks: &mut RunHooks<'_>,
    test_beds: &mut TestBeds<'_>,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    if planned.target.sandbox.is_some() && !planned.target.hooks.is_empty() {
        let dsn = test_beds.bring_up(planned, emitter)?.connector.dsn().to_string();
        hooks.is_up(&planned.target.name, &dsn);
    }
    hooks.before(planned, emitter, stop)
}

/// Executes a trial, with what belongs before and after it; fails only if the run cannot go on.
fn one_trial(
    planned: &Trial,
    hooks: &mut RunHooks<'_>,
    test_beds: &mut TestBeds<'_>,
    (claims, hung): (&mut Claims, &mut Vec<&'static str>),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<EndState, TrialError> {
    emitter.trial = planned.number;
    emitter.about = Some((planned.target.clone(), planned.load.workload.clone()));
    emitter.emit(Event::TrialStarted { trial: planned.number, at_ns: emitter.now_ns() })?;
    let ended = before_trial(planned, hooks, test_beds, emitter, stop)
        .and_then(|()| trial::run(planned, test_beds, (claims, hooks, hung), emitter, stop));
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
    hooks.after(planned, end.state, emitter)?;
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
    Ok(end.state)
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
            let earlier = request.resumed.as_ref().and_then(|earlier| earlier.0.finished(complete.number));
            if earlier.is_some_and(|trial| trial.scale != complete.scale) {
                let what = msg!("run-to-resume-has-other-scale");
                return Err(TrialError::Listener(Problem::new(what).hint(msg!("resume-with-its-scale"))));
            }
            if earlier.is_some_and(|trial| *trial != complete) {
                let what = msg!("plan-is-not-that-of-run", trial = complete.number);
                return Err(TrialError::Listener(Problem::new(what).hint(msg!("run-without-resume"))));
            }
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
