//! What belongs around a trial: its start, the commands of the user, its end.

use crate::emitter::{EventEmitter, TrialError, both};
use crate::hooks::{RunHooks, keeping_marks};
use crate::test_bed::TestBeds;
use crate::trial::{self, End};
use tenbin_model::event::{EndState, Event, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;

/// From here on events are those of this trial.
pub fn begin(planned: &Trial, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    emitter.trial = planned.number;
    emitter.about = Some((planned.target.clone(), planned.load.workload.clone()));
    emitter.emit(Event::TrialStarted { trial: planned.number, at_ns: emitter.now_ns() })
}

/// The commands of the user before a trial. They find a private server running.
pub fn before_trial(
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
    let has_command = planned.target.hooks.before_run.is_some() || planned.target.hooks.before_trial.is_some();
    let of_tables = has_command.then(|| test_beds.server(planned)).flatten();
    keeping_marks(of_tables.as_ref(), || hooks.before(planned, emitter, stop))
}

/// What belongs after a trial, however it ended; fails only if the run cannot go on. The command of the user is run then too.
pub fn finish(
    planned: &Trial,
    ended: Result<End, TrialError>,
    (hooks, hung): (&mut RunHooks<'_>, &mut Vec<&'static str>),
    test_beds: &mut TestBeds<'_>,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<EndState, TrialError> {
    let observed = emitter.observed().map(|more| hung.extend(more));
    let ended = both(told(ended, emitter, stop), observed);
    let ended = ended.and_then(|end| test_beds.bury(emitter).map(|()| end));
    let state = ended.as_ref().map_or(EndState::Failed, |end| end.state);
    // A server that failed is not asked: it may be frozen, and the command is what puts things in order.
    let is_asked = planned.target.hooks.after_trial.is_some() && state == EndState::Complete;
    let of_tables = is_asked.then(|| test_beds.server(planned)).flatten();
    let after = match keeping_marks(of_tables.as_ref(), || hooks.after(planned, state, emitter)) {
        Err(TrialError::Trial(problem)) => emitter.note_for_certain(Severity::Warning, problem),
        outcome => outcome,
    };
    let finished = both(ended, after).and_then(|end| finished(planned, end, emitter));
    (emitter.trial, emitter.about) = (0, None);
    finished
}

/// How a trial ended; fails only if the run cannot go on.
fn told(ended: Result<End, TrialError>, emitter: &mut EventEmitter, stop: &StopSignal) -> Result<End, TrialError> {
    match ended {
        // A requested stop is not a failure of the trial.
        Err(TrialError::Trial(problem)) if stop.asked() => {
            emitter.note(Severity::Info, problem)?;
            Ok(trial::nothing_measured(EndState::Partial))
        }
        Err(TrialError::Trial(problem)) => {
            emitter.note(Severity::Error, problem)?;
            Ok(trial::nothing_measured(EndState::Failed))
        }
        ended => ended,
    }
}

fn finished(planned: &Trial, end: End, emitter: &mut EventEmitter) -> Result<EndState, TrialError> {
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
        beside: end.beside,
    })?;
    Ok(end.state)
}

/// The worse of two ends.
pub fn worse(a: EndState, b: EndState) -> EndState {
    match (a, b) {
        (EndState::Failed, _) | (_, EndState::Failed) => EndState::Failed,
        (EndState::Partial, _) | (_, EndState::Partial) => EndState::Partial,
        _ => EndState::Complete,
    }
}
