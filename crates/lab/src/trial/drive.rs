//! The clients of a trial at work: what the engine reports becomes events, observers read at the edges of the measured window, and
//! warm-up and window end when enough is known.

use crate::emitter::{EventEmitter, TrialError};
use crate::environment::Work;
use crate::load_hosts;
use crate::test_bed::TestBed;
use std::time::Duration;
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart};
use tenbin_hosts::{HostEvent, HostsEnded};
use tenbin_model::event::{ClientsBeside, Event, Phase};
use tenbin_model::precision::WindowCourse;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Load, Trial, Workers};
use tenbin_model::warmup::WarmupCourse;
use tenbin_verdict::audit;
use tenbin_words::problem::Problem;

/// How long observers that read only at the edges of the window are waited for there.
const EDGE: Duration = Duration::from_secs(5);
/// The same while clients are at work.
const EDGE_UNDER_LOAD: Duration = Duration::from_millis(50);
/// The same at the end of a trial of a duet: the clients of another target may still be at work.
const EDGE_BESIDE_OTHERS: Duration = Duration::from_millis(500);

/// How it went.
pub struct Driven {
    /// How the drive ended.
    pub ended: Result<HostsEnded, Problem>,
    /// The problem of a listener that cannot keep anything.
    pub broken: Option<Problem>,
    /// Whether its clients were at work to the end: connected, and with something to show for the last part of the window.
    pub stayed: bool,
    /// The clients of other targets at the same time.
    pub beside: ClientsBeside,
}

impl Driven {
    /// Whether the target was driven to the end of the window.
    pub fn is_whole(&self) -> bool {
        self.stayed && self.ended.as_ref().is_ok_and(|all| all.ended.cut_short.is_none())
    }
}

pub fn drive(
    trial: &Trial,
    workers: Workers,
    test_bed: &TestBed,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Driven {
    let environment = emitter.environment;
    let drive = of_trial(trial, workers, test_bed, emitter);
    let mut clients = ClientsAtWork::of(trial, &drive.control);
    clients.begin(emitter);
    let ended = environment.drive(&work(trial, test_bed, &drive), stop, &mut |event| clients.hear(event, emitter));
    clients.ended(ended, ClientsBeside::default())
}

/// What the clients of a trial do, and when.
pub fn of_trial(trial: &Trial, workers: Workers, test_bed: &TestBed, emitter: &EventEmitter) -> Drive {
    Drive {
        load: Load { workers, ..trial.load.clone() },
        warmup_ms: trial.warmup_ms,
        measure_ms: trial.measure_ms,
        interval_ms: trial.interval_ms,
        seed: trial.seed,
        origin: emitter.origin(),
        part: LoadPart::ALL,
        server: test_bed.place,
        control: DriveControl::default(),
    }
}

/// The same with all that a load host needs to know of it.
pub fn work<'a>(trial: &'a Trial, test_bed: &'a TestBed, drive: &'a Drive) -> Work<'a> {
    Work { drive, trial, connector: &test_bed.connector, workload: &test_bed.workload, round_trips: false }
}

/// The clients of a trial: what they report becomes events, and may end warm-up and window.
pub struct ClientsAtWork<'a> {
    trial: &'a Trial,
    courses: Courses<'a>,
    broken: Option<Problem>,
    presence: Presence,
}

impl<'a> ClientsAtWork<'a> {
    pub fn of(trial: &'a Trial, control: &'a DriveControl) -> ClientsAtWork<'a> {
        let courses = Courses {
            warm_up: trial.warmup_until.map(WarmupCourse::new),
            window: trial.measure_until.map(|until| WindowCourse::new(until, trial.measure_ms)),
            control,
        };
        ClientsAtWork { trial, courses, broken: None, presence: Presence::default() }
    }

    /// Right before they connect.
    pub fn begin(&self, emitter: &EventEmitter) {
        if let Some(observers) = emitter.observers() {
            observers.begin();
        }
    }

    /// Takes what they report.
    pub fn hear(&mut self, event: HostEvent, emitter: &mut EventEmitter) -> Result<(), Problem> {
        let event = match event {
            HostEvent::Together(event) => event,
            of_host => {
                return load_hosts::emit(of_host, emitter).map_err(|error| heard(error, &mut self.broken));
            }
        };
        self.courses.take(&event);
        self.presence.take(&event);
        if let Some((observers, patience)) = emitter.observers().zip(edge(self.trial, &event)) {
            observers.edge(patience);
        }
        emit_engine_event(event, emitter).map_err(|error| heard(error, &mut self.broken))
    }

    /// They have ended.
    pub fn ended(self, ended: Result<HostsEnded, Problem>, beside: ClientsBeside) -> Driven {
        Driven { ended, broken: self.broken, stayed: self.presence.to_the_end(self.trial), beside }
    }
}

/// What the measured window has seen of the clients.
#[derive(Default)]
struct Presence {
    /// Those that were connected at the end of the last interval.
    clients: u32,
    intervals: u32,
    /// Intervals since anything was completed.
    silent: u32,
}

impl Presence {
    /// As many intervals in which nothing is completed, and [`audit::LOST`] of the window, at its end: the target is gone.
    const LEAST: u32 = 3;

    fn take(&mut self, event: &EngineEvent) {
        let EngineEvent::Interval { phase: Phase::Measure, clients, tally, .. } = event else { return };
        self.clients = *clients;
        self.intervals += 1;
        self.silent = if tally.accounting.all_completed() == 0 { self.silent + 1 } else { 0 };
    }

    fn to_the_end(&self, trial: &Trial) -> bool {
        let is_silent = self.silent >= Self::LEAST && f64::from(self.silent) >= audit::LOST * f64::from(self.intervals);
        self.intervals > 0 && self.clients >= trial.load.clients && !is_silent
    }
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
        let completed = tally.accounting.all_completed();
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
        EngineEvent::Phase { phase: Phase::CoolDown, .. } => Some(if trial.duet { EDGE_BESIDE_OTHERS } else { EDGE }),
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

fn emit_engine_event(event: EngineEvent, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    let trial = emitter.trial;
    emitter.emit(match event {
        EngineEvent::Connected | EngineEvent::Undecided { .. } => return Ok(()),
        EngineEvent::Phase { phase, at_ns } => Event::PhaseStarted { trial, phase, at_ns },
        EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, completions, per_client, .. } => {
            Event::Interval { trial, phase, from_ns, to_ns, clients, tally, completions, per_client }
        }
    })
}
