//! After the clients of a trial: replicas catch up, late figures arrive, data are checked, and the end is known.

use super::End;
use super::drive::Driven;
use crate::claims::Claims;
use crate::emitter::{EventEmitter, TrialError};
use crate::inspect::{self, BeforeLoad};
use crate::test_bed::TestBed;
use crate::{catch_up, data, late, used_files};
use tenbin_engine::Ended;
use tenbin_hosts::HostsEnded;
use tenbin_model::event::{ClientsBeside, EndState, Event, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Observe, Trial};
use tenbin_words::problem::Problem;

/// What comes after the clients and belongs to what they were measured with: a second look at the server, replicas, late figures,
/// the last samples, and what each load host did.
pub fn after_load(
    trial: &Trial,
    test_bed: &TestBed,
    before: Option<Box<BeforeLoad>>,
    driven: Driven,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<Ended, TrialError> {
    let Driven { ended, broken, .. } = driven;
    let is_whole = ended.as_ref().is_ok_and(|all| all.ended.cut_short.is_none());
    let mut before = before.filter(|_| is_whole && broken.is_none() && !stop.asked());
    // What an inspection reads would be in the figures of a server that is observed once more only after the clients.
    let is_first = trial.load.observe != Observe::Ends;
    if let Some(before) = before.take_if(|_| is_first) {
        inspect::after(trial, &before, test_bed, emitter)?;
    }
    let caught_up = match &ended {
        Ok(HostsEnded { ended, .. }) => catch_up::wait(trial, emitter, stop)
            .and_then(|()| late::wait(trial, (ended.measured_from_ns, ended.measured_to_ns), emitter, stop)),
        Err(_) => Ok(()),
    };
    // One more sample, so that counters span the whole window.
    if let Some(observers) = emitter.observers() {
        observers.finish();
    }
    if let Some(before) = before {
        inspect::after(trial, &before, test_bed, emitter)?;
    }
    if let Some(problem) = broken {
        return Err(TrialError::Listener(problem));
    }
    caught_up?;
    emitter.observations()?;
    let HostsEnded { ended, parts } = ended.map_err(TrialError::Trial)?;
    for (place, part) in parts.into_iter().enumerate() {
        emitter.emit(Event::HostFinished { trial: trial.number, host: place as u32 + 1, part })?;
    }
    Ok(ended)
}

/// Checks the data, cleans up, and says how the trial ended.
pub fn conclude(
    trial: &Trial,
    test_bed: &TestBed,
    ended: Ended,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<End, TrialError> {
    let inconsistent = check_data(trial, test_bed, emitter, stop)?;
    // The measurement is valid even if the cleanup afterwards fails.
    let after = test_bed.dataset.as_ref().map_or(Ok(()), |dataset| dataset.after(&test_bed.connector));
    let changed = used_files::sent_file_changed(trial);
    let state = match ended.cut_short.or(changed).or(inconsistent).or(after.err()) {
        None => EndState::Complete,
        Some(problem) if stop.asked() => {
            emitter.note(Severity::Info, problem)?;
            EndState::Partial
        }
        Some(problem) => {
            emitter.note(Severity::Error, problem)?;
            EndState::Failed
        }
    };
    Ok(End {
        state,
        measured_ns: (ended.measured_from_ns, ended.measured_to_ns),
        client_cpu_ns: ended.client_cpu_ns,
        workers: ended.workers,
        per_client: ended.per_client,
        halts: ended.halts,
        oldest_open_ns: ended.oldest_open_ns,
        beside: ClientsBeside::default(),
    })
}

/// Tells if the tables of a trial were not locked for all of its time; one in which another run has them now has failed.
pub fn still_locked(
    end: End,
    trial: &Trial,
    test_bed: &TestBed,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
) -> Result<End, TrialError> {
    // A server that was lost answers no more questions.
    let dataset = test_bed.dataset.as_deref().filter(|_| end.state == EndState::Complete);
    let lost = dataset.and_then(|dataset| claims.lost(&trial.target, &test_bed.connector, dataset));
    let Some((severity, problem)) = lost else { return Ok(end) };
    emitter.note(severity, problem)?;
    let is_failed = severity == Severity::Error;
    Ok(End { state: if is_failed { EndState::Failed } else { end.state }, ..end })
}

/// In what the data are inconsistent after the run, if their data set checks that.
fn check_data(
    trial: &Trial,
    test_bed: &TestBed,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<Option<Problem>, TrialError> {
    if stop.asked() || !test_bed.dataset.as_deref().is_some_and(|dataset| dataset.checks().run) {
        return Ok(None);
    }
    match data::check(trial, test_bed, false, emitter, stop) {
        Ok(()) => Ok(None),
        Err(TrialError::Trial(problem)) => Ok(Some(problem)),
        Err(error) => Err(error),
    }
}
