//! One trial: preflight → restore → load → settle → warm up → measure → cool down → replicas catch up.

use crate::claims::Claims;
use crate::data::DataAction;
use crate::emitter::{EventEmitter, TrialError};
use crate::environment::{Observers, Work};
use crate::hooks::RunHooks;
use crate::test_bed::{TestBed, TestBeds};
use crate::{
    catch_up, ceiling, data, golden, inspect, late, load_hosts, managed, permission, preflight, restore_command,
    settle, thread_tries,
};
use std::time::Duration;
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart};
use tenbin_hosts::{HostEvent, HostsEnded};
use tenbin_model::event::{EndState, Event, Halts, Phase, Severity};
use tenbin_model::names::tables;
use tenbin_model::precision::WindowCourse;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::PerClient;
use tenbin_model::trial::{Load, Trial};
use tenbin_model::warmup::WarmupCourse;
use tenbin_targets::observer;
use tenbin_words::problem::Problem;

/// How a trial ended.
pub struct End {
    pub state: EndState,
    pub measured_ns: (u64, u64),
    pub client_cpu_ns: u64,
    pub workers: u32,
    pub per_client: PerClient,
    pub halts: Halts,
    pub oldest_open_ns: Option<u64>,
}

/// The end of a trial that never reached its measured window.
pub fn nothing_measured(state: EndState) -> End {
    End {
        state,
        measured_ns: (0, 0),
        client_cpu_ns: 0,
        workers: 0,
        per_client: PerClient::default(),
        halts: Halts::default(),
        oldest_open_ns: None,
    }
}

/// How long observers that read only at the edges of the window are waited for there.
const EDGE: Duration = Duration::from_secs(5);
/// The same while clients are at work.
const EDGE_UNDER_LOAD: Duration = Duration::from_millis(50);

pub fn run(
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    (claims, hooks, hung): (&mut Claims, &RunHooks<'_>, &[&str]),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<End, TrialError> {
    let environment = emitter.environment;
    let test_bed = test_beds.bring_up(trial, emitter)?;
    if permission::writes(trial) {
        permission::to_write(trial, test_bed, emitter)?;
    }
    if let Some(dataset) = test_bed.dataset.as_deref() {
        claims.take_for_trial(&trial.target, &test_bed.connector, dataset, emitter)?;
        if permission::writes(trial) {
            claims.say(&test_bed.connector, dataset, false);
        }
    }
    let step = data::decide(trial, test_bed, emitter, stop)?;
    let told = preflight::check(trial, test_bed, step, claims, emitter)?;
    // The server may be started again, and its observers would lose their connections.
    let before_observers = step == DataAction::Command || (step.creates() && trial.target.restore.is_golden());
    match step {
        DataAction::Command => restore_command::restore(trial, test_beds, claims, emitter, stop)?,
        _ if before_observers => golden::restore(step, trial, test_beds, claims, emitter, stop)?,
        _ => {}
    }
    ceiling::measure(trial, test_beds, emitter, stop)?;
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    emitter.observe(watch(trial, test_bed, claims, hung, emitter));
    if !before_observers {
        data::bring_into_state(step, trial, test_bed, claims, emitter, stop)?;
    }
    permission::to_write_tables(trial, &*test_bed.workload, &test_bed.connector).map_err(TrialError::Trial)?;
    hooks.with_data(trial, emitter, stop)?;
    settle::settle(trial, test_bed, emitter, stop)?;
    if step != DataAction::Use || trial.settle_ms > 0 || trial.settle_until.is_some() {
        preflight::check_again(trial, test_bed, claims, &told, emitter)?;
    }
    let mut found = test_bed.workload.tables().map_err(TrialError::Trial)?;
    if let Some(dataset) = test_bed.dataset.as_ref().filter(|dataset| dataset.prepared_by().is_none()) {
        found.insert(tables::ROWS.to_owned(), dataset.rows().to_string());
        found.insert(tables::UNIT.to_owned(), dataset.unit().to_owned());
        found.insert(tables::BYTES.to_owned(), dataset.bytes().to_string());
    }
    if !found.is_empty() {
        emitter.facts(&trial.target.name, found)?;
    }
    if stop.asked() {
        return Ok(nothing_measured(EndState::Partial));
    }
    let workers = thread_tries::decide(trial, test_beds, emitter, stop)?.unwrap_or(trial.load.workers);
    let before = inspect::before(trial, test_beds, emitter)?;
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;

    let what = Drive {
        load: Load { workers, ..trial.load.clone() },
        warmup_ms: trial.warmup_ms,
        measure_ms: trial.measure_ms,
        interval_ms: trial.interval_ms,
        seed: trial.seed,
        origin: emitter.origin(),
        part: LoadPart::ALL,
        server: test_bed.place,
        control: DriveControl::default(),
    };
    let mut warming = trial.warmup_until.map(WarmupCourse::new);
    let mut course = trial.measure_until.map(|until| WindowCourse::new(until, trial.measure_ms));
    if let Some(observers) = emitter.observers() {
        observers.begin();
    }
    // Processor usage is recorded for the measured window, however short it is.
    let edge = |seen: &EngineEvent| match seen {
        // Under load the event must not be late. Without a warm-up, and at the end, no client is at work.
        EngineEvent::Connected if trial.warmup_ms == 0 => Some(EDGE),
        EngineEvent::Phase { phase: Phase::Measure, .. } if trial.warmup_ms > 0 => Some(EDGE_UNDER_LOAD),
        EngineEvent::Phase { phase: Phase::CoolDown, .. } => Some(EDGE),
        _ => None,
    };
    let mut broken = None;
    let work =
        Work { drive: &what, trial, connector: &test_bed.connector, workload: &test_bed.workload, round_trips: false };
    let ended = environment.drive(&work, stop, &mut |seen| {
        let seen = match seen {
            HostEvent::Together(seen) => seen,
            of_host => {
                return load_hosts::emit(of_host, emitter).map_err(|error| heard(error, &mut broken));
            }
        };
        if let (Some(warming), EngineEvent::Interval { phase: Phase::WarmUp, from_ns, to_ns, tally, .. }) =
            (&mut warming, &seen)
            && warming.take(*from_ns, *to_ns, tally.accounting.completed)
        {
            what.control.steady.ask();
        }
        if let (Some(course), EngineEvent::Interval { phase: Phase::Measure, from_ns, to_ns, tally, .. }) =
            (&mut course, &seen)
            && course.take(*from_ns, *to_ns, tally.accounting.completed)
        {
            what.control.enough.ask();
        }
        if let Some((observers, patience)) = emitter.observers().zip(edge(&seen)) {
            observers.edge(patience);
        }
        emit_engine_event(seen, emitter).map_err(|error| heard(error, &mut broken))
    });
    let (ended, parts) = match ended {
        Ok(HostsEnded { ended, parts }) => (Ok(ended), parts),
        Err(problem) => (Err(problem), Vec::new()),
    };
    let is_whole = ended.as_ref().is_ok_and(|ended| ended.cut_short.is_none());
    if let Some(before) = before.filter(|_| is_whole && broken.is_none() && !stop.asked()) {
        inspect::after(trial, &before, &test_bed.connector, emitter)?;
    }
    let caught_up = match &ended {
        Ok(ended) => catch_up::wait(trial, emitter, stop)
            .and_then(|()| late::wait(trial, (ended.measured_from_ns, ended.measured_to_ns), emitter, stop)),
        Err(_) => Ok(()),
    };
    // One more sample, so that counters span the whole window.
    if let Some(observers) = emitter.observers() {
        observers.finish();
    }
    if let Some(problem) = broken {
        return Err(TrialError::Listener(problem));
    }
    caught_up?;
    emitter.observations()?;
    for (place, part) in parts.into_iter().enumerate() {
        emitter.emit(Event::HostFinished { trial: trial.number, host: place as u32 + 1, part })?;
    }
    let ended = ended.map_err(TrialError::Trial)?;
    let mut inconsistent = None;
    if test_bed.dataset.as_deref().is_some_and(|d| d.checks().run) && !stop.asked() {
        match data::check(trial, test_bed, false, emitter, stop) {
            Err(TrialError::Trial(problem)) => inconsistent = Some(problem),
            other => other?,
        }
    }

    // The measurement is valid even if the cleanup afterwards fails.
    let after = test_bed.dataset.as_ref().map_or(Ok(()), |dataset| dataset.after(&test_bed.connector));

    let state = match ended.cut_short.or(inconsistent).or(after.err()) {
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
    })
}

/// The problem of a listener, which ends the run if it cannot keep anything.
fn heard(error: TrialError, broken: &mut Option<Problem>) -> Problem {
    match error {
        TrialError::Trial(problem) => problem,
        TrialError::Listener(problem) => broken.insert(problem).clone(),
    }
}

fn emit_engine_event(seen: EngineEvent, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    let trial = emitter.trial;
    emitter.emit(match seen {
        EngineEvent::Connected | EngineEvent::Undecided { .. } => return Ok(()),
        EngineEvent::Phase { phase, at_ns } => Event::PhaseStarted { trial, phase, at_ns },
        EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, completions, per_client, .. } => {
            Event::Interval { trial, phase, from_ns, to_ns, clients, tally, completions, per_client }
        }
    })
}

/// Starts the observers that apply to the trial, except for those that hang.
fn watch(
    trial: &Trial,
    test_bed: &TestBed,
    claims: &Claims,
    hung: &[&str],
    emitter: &EventEmitter,
) -> Box<dyn Observers> {
    let connector = test_bed.connector.clone();
    let replicas = test_bed.replicas.clone();
    let exporters = test_bed.exporters.clone();
    let link = test_bed.link.clone();
    let host = trial.target.host.clone();
    let managed = managed::subjects(&trial.target, emitter.environment.now());
    let subject = observer::Subject {
        pid: test_bed.pid,
        host,
        replicas,
        exporters,
        managed,
        link,
        own: observer::OwnConnections::of(claims.connections(&test_bed.connector)),
        ..observer::Subject::at(connector)
    };
    let every = Duration::from_millis(trial.interval_ms);
    let sampling = observer::Sampling { every, observe: trial.load.observe, origin: emitter.origin() };
    emitter.environment.observe(&subject, sampling, hung)
}
