//! The clients of a trial at work: what the engine reports becomes events, observers read at the edges of the measured window, and
//! warm-up and window end when enough is known.

use crate::emitter::{EventEmitter, TrialError};
use crate::environment::Work;
use crate::load_hosts;
use crate::test_bed::TestBed;
use std::time::Duration;
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart};
use tenbin_hosts::{HostEvent, HostsEnded};
use tenbin_model::event::{Event, Phase};
use tenbin_model::precision::WindowCourse;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;
use tenbin_model::warmup::WarmupCourse;
use tenbin_words::problem::Problem;

/// How long observers that read only at the edges of the window are waited for there.
const EDGE: Duration = Duration::from_secs(5);
/// The same while clients are at work.
const EDGE_UNDER_LOAD: Duration = Duration::from_millis(50);

/// How it went.
pub struct Driven {
    /// How the drive ended.
    pub ended: Result<HostsEnded, Problem>,
    /// The problem of a listener that cannot keep anything.
    pub broken: Option<Problem>,
}

pub fn drive(trial: &Trial, test_bed: &TestBed, emitter: &mut EventEmitter, stop: &StopSignal) -> Driven {
    let environment = emitter.environment;
    let drive = Drive {
        load: trial.load.clone(),
        warmup_ms: trial.warmup_ms,
        measure_ms: trial.measure_ms,
        interval_ms: trial.interval_ms,
        seed: trial.seed,
        origin: emitter.origin(),
        part: LoadPart::ALL,
        server: test_bed.place,
        control: DriveControl::default(),
    };
    let mut courses = Courses {
        warm_up: trial.warmup_until.map(WarmupCourse::new),
        window: trial.measure_until.map(|until| WindowCourse::new(until, trial.measure_ms)),
        control: &drive.control,
    };
    if let Some(observers) = emitter.observers() {
        observers.begin();
    }
    let (connector, workload) = (&test_bed.connector, &test_bed.workload);
    let work = Work { drive: &drive, trial, connector, workload, round_trips: false };
    let mut broken = None;
    let ended = environment.drive(&work, stop, &mut |event| {
        let event = match event {
            HostEvent::Together(event) => event,
            of_host => {
                return load_hosts::emit(of_host, emitter).map_err(|error| heard(error, &mut broken));
            }
        };
        courses.take(&event);
        if let Some((observers, patience)) = emitter.observers().zip(edge(trial, &event)) {
            observers.edge(patience);
        }
        emit_engine_event(event, emitter).map_err(|error| heard(error, &mut broken))
    });
    Driven { ended, broken }
}

/// What decides how long clients warm up and how long is measured, if the plan leaves it to what is seen.
struct Courses<'a> {
    warm_up: Option<WarmupCourse>,
    window: Option<WindowCourse>,
    control: &'a DriveControl,
}

impl Courses<'_> {
    fn take(&mut self, event: &EngineEvent) {
        let EngineEvent::Interval { phase, from_ns, to_ns, tally, .. } = event else { return };
        let completed = tally.accounting.completed;
        match phase {
            Phase::WarmUp if self.warm_up.as_mut().is_some_and(|course| course.take(*from_ns, *to_ns, completed)) => {
                self.control.steady.ask();
            }
            Phase::Measure if self.window.as_mut().is_some_and(|course| course.take(*from_ns, *to_ns, completed)) => {
                self.control.enough.ask();
            }
            _ => {}
        }
    }
}

/// How long observers that read only at the edges of the window are waited for, if this is one. Processor usage is recorded for the
/// measured window, however short it is.
fn edge(trial: &Trial, event: &EngineEvent) -> Option<Duration> {
    match event {
        // Under load the event must not be late. Without a warm-up, and at the end, no client is at work.
        EngineEvent::Connected if trial.warmup_ms == 0 => Some(EDGE),
        EngineEvent::Phase { phase: Phase::Measure, .. } if trial.warmup_ms > 0 => Some(EDGE_UNDER_LOAD),
        EngineEvent::Phase { phase: Phase::CoolDown, .. } => Some(EDGE),
        _ => None,
    }
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
