//! Lets a server settle after its data were loaded or restored: a pause, or a wait until it has written what it has changed and
//! its replicas have it.
//!
//! The wait ends by the readings of [`debts::OBSERVER`], which are events of the run: with what figures it ended can be
//! computed from the recording.

use crate::emitter::{EventEmitter, TrialError};
use crate::test_bed::TestBed;
use std::time::Duration;
use tenbin_model::event::{Event, Phase, Severity};
use tenbin_model::names::debts;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Observe, SettleLimits, Trial};
use tenbin_observers::settling_readings;
use tenbin_verdict::settling::{self, Debt};
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How often the server is asked how much is left.
const LOOK: Duration = Duration::from_millis(500);

/// How long the first lag of a replica is waited for; one that is not read until then cannot be.
const FIRST_LAG: Duration = Duration::from_secs(5);

/// Waits as the plan says; can be interrupted.
pub fn settle(
    trial: &Trial,
    test_bed: &TestBed,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    match &trial.settle_until {
        Some(limits) => until(limits, trial, test_bed, emitter, stop),
        None if trial.settle_ms > 0 => pause(trial, emitter, stop),
        None => Ok(()),
    }
}

/// Waits until no more is left than the limits permit. If that takes too long, the clients start nevertheless, and the trial
/// has a doubt.
fn until(
    limits: &SettleLimits,
    trial: &Trial,
    test_bed: &TestBed,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let environment = emitter.environment;
    emitter.phase(Phase::Settle)?;
    let start = environment.now();
    let private = trial.target.sandbox.is_some();
    let begun = environment.settling(&test_bed.connector, private).map_err(TrialError::Trial)?;
    let Some(mut server) = begun else { return Ok(()) };
    if let Some(problem) = server.refused() {
        emitter.note(Severity::Warning, problem)?;
    }
    let (number, observer, period_ms) = (emitter.trial, debts::OBSERVER.to_owned(), LOOK.as_millis() as u64);
    emitter.emit(Event::ObserverDeclared {
        trial: number,
        observer: observer.clone(),
        period_ms,
        readings: settling_readings(),
    })?;
    loop {
        let values = server.debts().map_err(TrialError::Trial)?;
        let at_ns = emitter.now_ns();
        let observer = observer.clone();
        emitter.emit(Event::Observation { trial: number, observer, at_ns, source_unix_ns: None, values })?;
        // Of replicas their own observer reads the lag.
        emitter.observations()?;
        let debts = emitter.summary().trial(number).map(|t| settling::debts(t, limits)).unwrap_or_default();
        let passed = environment.now().saturating_duration_since(start);
        let words =
            |of: &dyn Fn(&&Debt) -> bool| Message::list(debts.iter().filter(of).map(Debt::words).collect::<Vec<_>>());
        let replicas = !trial.target.replicas.is_empty() && trial.load.observe != Observe::Ends;
        let is_lag_read = !replicas || debts.iter().any(|debt| debt.name == settling::REPLICA_LAG);
        if !debts.iter().any(Debt::is_over) && (is_lag_read || passed >= FIRST_LAG) {
            let note = Problem::new(msg!("server-settled", took = figure::span(passed.as_secs_f64())));
            return emitter.note(Severity::Info, note.evidence(words(&|_| true)));
        }
        if stop.asked() {
            return Err(stopped());
        }
        let (passed_ms, at_most_ms) = (passed.as_millis() as u64, limits.at_most_ms);
        if passed_ms >= at_most_ms {
            let waited = figure::duration(at_most_ms as f64 / 1e3);
            let note = Problem::new(msg!("server-not-settled", waited)).evidence(words(&|debt| debt.is_over()));
            return emitter.note(
                Severity::Warning,
                note.hint(msg!("doubt-not-settled-hint", setting = settling::WRITES_WHEN_IDLE)),
            );
        }
        emitter.progress(Phase::Settle, passed_ms, at_most_ms, "ms")?;
        environment.sleep(LOOK);
    }
}

fn stopped() -> TrialError {
    TrialError::Trial(Problem::new(msg!("stopped-while-settling")))
}

/// Waits for the time that the plan says.
fn pause(trial: &Trial, emitter: &mut EventEmitter, stop: &StopSignal) -> Result<(), TrialError> {
    emitter.phase(Phase::Settle)?;
    let environment = emitter.environment;
    let start = environment.now();
    loop {
        let passed = environment.now().saturating_duration_since(start);
        let done = (passed.as_millis() as u64).min(trial.settle_ms);
        emitter.progress(Phase::Settle, done, trial.settle_ms, "ms")?;
        if done == trial.settle_ms {
            return Ok(());
        }
        if stop.asked() {
            return Err(stopped());
        }
        environment.sleep(Duration::from_millis((trial.settle_ms - done).min(200)));
    }
}
