//! A run: executes all trials in their order and emits their events.

use crate::around_trial::{before_trial, begin, finish, worse};
use crate::claims::Claims;
use crate::complete::Complete;
use crate::duet;
use crate::emitter::{EventEmitter, Listener, TrialError, both};
use crate::environment::Environment;
use crate::hooks::RunHooks;
use crate::live::Live;
use crate::load_hosts::LoadHostSets;
use crate::plan_paths;
use crate::request::{Checks, EarlierRun, Request, Resumed};
use crate::test_bed::TestBeds;
use crate::trial;
use crate::try_out;
use crate::used_files::{self, UsedFiles};
use std::collections::VecDeque;
use std::time::Duration;
use tenbin_model::changed_server::TENBIN;
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
    let environment = Live { hosts: Some(&hosts), checks: request.checks != Checks::Never, ..Live::default() };
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
    client.insert(TENBIN.to_owned(), request.tool.clone());
    if let Some(earlier) = &mut test_beds.earlier {
        earlier.compare_existing(request, &client, emitter)?;
    }
    emitter.facts("client", client)?;
    if let Some(Finding { title, evidence, hint, .. }) = environment.others_at_work() {
        emitter.note(Severity::Warning, Problem { what: title, evidence, hint })?;
    }
    let mut hooks = RunHooks::new(&request.name);
    let ended = each_trial((request, agenda), &mut trials, &mut hooks, emitter, test_beds, stop);
    // On every way out, also if nothing more can be kept.
    let (mut state, back) = (*ended.as_ref().unwrap_or(&EndState::Failed), test_beds.variables.put_back(emitter));
    if !matches!(back, Ok(true)) {
        state = EndState::Failed;
    }
    let ended = both(ended.map(drop), back.map(drop));
    both(ended, hooks.end(state, emitter))?;
    emitter.emit(Event::RunFinished { at_ns: emitter.now_ns(), state })?;
    Ok(state)
}

/// All trials in their order; fails only if the run cannot go on.
fn each_trial(
    (request, agenda): (&Request, &dyn Agenda),
    trials: &mut Trials,
    hooks: &mut RunHooks<'_>,
    emitter: &mut EventEmitter,
    test_beds: &mut TestBeds<'_>,
    stop: &StopSignal,
) -> Result<EndState, TrialError> {
    let mut state = EndState::Complete;
    let mut claims = Claims::new(&format!("run {}", request.name));
    // Observers whose thread hangs cannot be ended: there must be at most one such thread, not one for each trial.
    let mut hung = Vec::new();
    while let Some(planned) = trials.planned.pop_front() {
        if stop.asked() {
            state = EndState::Partial;
            break;
        }
        let together = trials.together(planned);
        let are_finished = |earlier: &Resumed| together.iter().all(|t| earlier.0.finished(t.number).is_some());
        if let Some(Resumed(earlier)) = request.resumed.as_ref().filter(|earlier| are_finished(earlier)) {
            for planned in &together {
                replay(earlier.as_ref(), planned, emitter)?;
            }
        } else {
            let of_run = (&mut claims, &mut hung);
            let end = match together.as_slice() {
                [alone] => one_trial(alone, hooks, test_beds, of_run, emitter, stop)?,
                all => duet::run(all, hooks, test_beds, of_run, emitter, stop)?,
            };
            claims.end_uses();
            state = worse(state, end);
        }
        if !stop.asked() {
            trials.plan(request, agenda, emitter)?;
        }
    }
    if stop.asked() {
        state = worse(state, EndState::Partial);
    }
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

/// Executes a trial, with what belongs before and after it; fails only if the run cannot go on.
fn one_trial(
    planned: &Trial,
    hooks: &mut RunHooks<'_>,
    test_beds: &mut TestBeds<'_>,
    (claims, hung): (&mut Claims, &mut Vec<&'static str>),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<EndState, TrialError> {
    begin(planned, emitter)?;
    let ended = before_trial(planned, hooks, test_beds, emitter, stop)
        .and_then(|()| trial::run(planned, test_beds, (claims, hooks, hung), emitter, stop));
    finish(planned, ended, (hooks, hung), test_beds, emitter, stop)
}

/// Trials that are planned and have not started.
#[derive(Default)]
struct Trials {
    planned: VecDeque<Trial>,
    complete: Complete,
    files: UsedFiles,
    /// Whether it was said that files are not those of the run that is continued.
    told_changed: bool,
}

impl Trials {
    /// This trial, and those that are to be driven at the same time, which are not planned any more.
    fn together(&mut self, first: Trial) -> Vec<Trial> {
        let key = |trial: &Trial| (trial.experiment.clone(), trial.cell, trial.repeat, trial.duet);
        let of_first = key(&first);
        let mut all = vec![first];
        while of_first.3 && self.planned.front().is_some_and(|next| key(next) == of_first) {
            all.extend(self.planned.pop_front());
        }
        all
    }

    /// Takes the currently available trials from the agenda, and emits them.
    fn plan(&mut self, request: &Request, agenda: &dyn Agenda, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        while let Some(given) = agenda.next(emitter.summary()) {
            let (before, expected) = (emitter.summary().trials.len(), agenda.expected(emitter.summary()));
            let mut complete = self.complete.trial(&given, request.workload.as_ref());
            complete.files = self.files.of(&complete);
            let earlier = request.resumed.as_ref().and_then(|earlier| earlier.0.finished(complete.number));
            if earlier.is_some_and(|trial| trial.scale != complete.scale) {
                let what = msg!("run-to-resume-has-other-scale");
                return Err(TrialError::Listener(Problem::new(what).hint(msg!("resume-with-its-scale"))));
            }
            let mut changed = None;
            if let Some(trial) = earlier {
                changed = used_files::as_before(trial, &complete, request.allows_changed_files)?;
                // The trial is taken over as it was.
                complete.files.clone_from(&trial.files);
            }
            // One of them may have been read in the folder of the plan, and the other elsewhere.
            let whole = |trial: &Trial| match &request.folder {
                Some(folder) => plan_paths::whole(folder, &trial.recorded()),
                None => trial.recorded(),
            };
            if earlier.is_some_and(|trial| whole(trial) != whole(&complete)) {
                let what = msg!("plan-is-not-that-of-run", trial = complete.number);
                return Err(TrialError::Listener(Problem::new(what).hint(msg!("run-without-resume"))));
            }
            let contents = if earlier.is_some() { Vec::new() } else { self.files.contents(&complete) };
            contents.into_iter().try_for_each(|content| emitter.emit(content))?;
            emitter.emit(Event::TrialPlanned { planned: Box::new(complete.recorded()), expected })?;
            if let Some(problem) = changed.filter(|_| !std::mem::replace(&mut self.told_changed, true)) {
                emitter.note(Severity::Warning, problem)?;
            }
            if emitter.summary().trials.len() == before {
                // The agenda would return the same one forever.
                return Err(TrialError::Listener(Problem::new(msg!("trial-planned-twice", trial = given.number))));
            }
            // A script distinguishes given options from its own defaults: it validates only the former.
            let files = complete.files.clone();
            self.planned.push_back(if is_script(&given.load.workload) { Trial { files, ..given } } else { complete });
        }
        Ok(())
    }
}
