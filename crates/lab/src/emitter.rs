//! Sends events to the listener, with the trial's number and the time on the run's own clock.

use crate::environment::{Environment, Observers};
use crate::hint;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_model::event::{Event, Phase, Severity, Sink};
use tenbin_model::summary::Summary;
use tenbin_model::trial::Target;
use tenbin_observers::ObserverEvent;
use tenbin_words::message::{Message, foreign};
use tenbin_words::problem::Problem;

/// The receiver of a run's events. It maintains a summary, from which the agenda decides what is next.
pub trait Listener: Sink {
    /// The summary of all events so far.
    fn summary(&self) -> &Summary;
}

/// Why a trial cannot continue.
#[derive(Debug)]
pub enum TrialError {
    /// The trial failed; the next one may succeed.
    Trial(Problem),
    /// The listener failed (the disk with the run directory is full): nothing more can be kept.
    Listener(Problem),
}

impl TrialError {
    /// The same, with another problem that must be known too.
    pub fn with(self, other: &Problem) -> TrialError {
        let text = foreign(other);
        let with = |problem: Problem| {
            let evidence = Message::joined(problem.evidence.clone().into_iter().chain([text]), "\n");
            problem.evidence(evidence)
        };
        match self {
            TrialError::Trial(problem) => TrialError::Trial(with(problem)),
            TrialError::Listener(problem) => TrialError::Listener(with(problem)),
        }
    }

    fn problem(&self) -> &Problem {
        let (TrialError::Trial(problem) | TrialError::Listener(problem)) = self;
        problem
    }
}

/// The outcome of two things of which the second is done in any case; if both fail, the first problem has the second one as evidence.
pub fn both<T>(first: Result<T, TrialError>, second: Result<(), TrialError>) -> Result<T, TrialError> {
    match (first, second) {
        (first, Ok(())) => first,
        (Ok(_), Err(second)) => Err(second),
        (Err(first), Err(second)) => {
            // What the listener could not keep is the same each time, but for its evidence.
            let (is_same, evidence) =
                (first.problem().what == second.problem().what, second.problem().evidence.as_ref());
            match (is_same, evidence) {
                (true, None) => Err(first),
                (true, Some(evidence)) => {
                    let problem = Problem::new(evidence.clone());
                    Err(first.with(&problem))
                }
                (false, _) => Err(first.with(second.problem())),
            }
        }
    }
}

/// What the emitter knows of a trial under way: of several at the same time each has its own.
#[derive(Default)]
pub struct Voice {
    trial: u32,
    about: Option<(Target, String)>,
    watch: Option<Box<dyn Observers>>,
}

/// Connects a trial to the listener.
pub struct EventEmitter<'a> {
    listener: &'a mut dyn Listener,
    /// What the run touches outside of itself.
    pub environment: &'a dyn Environment,
    origin: Instant,
    /// The current trial; 0 between trials.
    pub trial: u32,
    /// The target and the workload of that trial, for the commands in notes.
    pub about: Option<(Target, String)>,
    /// The observers of that trial. Their events are emitted before any other event.
    watch: Option<Box<dyn Observers>>,
    /// Why the listener receives nothing any more: what it keeps ends where it failed.
    failed: Option<Problem>,
}

impl<'a> EventEmitter<'a> {
    /// Starts the clock of the run, at `passed` if it continues an earlier one.
    pub fn new(listener: &'a mut dyn Listener, environment: &'a dyn Environment, passed: Duration) -> Self {
        let now = environment.now();
        let origin = now.checked_sub(passed).unwrap_or(now);
        EventEmitter { listener, environment, origin, trial: 0, about: None, watch: None, failed: None }
    }

    /// Goes on with another trial, and leaves what it knows of the present one in its place.
    pub fn exchange(&mut self, voice: &mut Voice) {
        std::mem::swap(&mut self.trial, &mut voice.trial);
        std::mem::swap(&mut self.about, &mut voice.about);
        std::mem::swap(&mut self.watch, &mut voice.watch);
    }

    pub fn origin(&self) -> Instant {
        self.origin
    }

    /// Nanoseconds since the run started.
    pub fn now_ns(&self) -> u64 {
        self.environment.now().saturating_duration_since(self.origin).as_nanos() as u64
    }

    pub fn emit(&mut self, event: Event) -> Result<(), TrialError> {
        self.observations()?;
        self.send(&event)
    }

    fn send(&mut self, event: &Event) -> Result<(), TrialError> {
        let received = match &self.failed {
            Some(problem) => Err(problem.clone()),
            None => self.listener.receive(event),
        };
        received.map_err(|problem| {
            self.failed.get_or_insert_with(|| problem.clone());
            TrialError::Listener(problem)
        })
    }

    /// The summary of all events so far.
    pub fn summary(&self) -> &Summary {
        self.listener.summary()
    }

    /// From now on the events of these observers are emitted too.
    pub fn observe(&mut self, watch: Box<dyn Observers>) {
        self.watch = Some(watch);
    }

    /// The current observers.
    pub fn observers(&self) -> Option<&dyn Observers> {
        self.watch.as_deref()
    }

    /// Emits the events of the observers since the last call.
    pub fn observations(&mut self) -> Result<(), TrialError> {
        let trial = self.trial;
        while let Some(event) = self.observers().and_then(Observers::next) {
            let event = match event {
                ObserverEvent::Declared { observer, period, readings } => {
                    let period_ms = period.as_millis() as u64;
                    Event::ObserverDeclared { trial, observer: observer.to_owned(), period_ms, readings }
                }
                ObserverEvent::Sampled { observer, at_ns, sample } => Event::Observation {
                    trial,
                    observer: observer.to_owned(),
                    at_ns,
                    source_unix_ns: sample.source_unix_ns,
                    values: sample.values,
                },
                ObserverEvent::Statements(report) => Event::ServerStatements { trial, report },
                ObserverEvent::Trouble(problem) => self.noted(Severity::Warning, problem),
            };
            self.send(&event)?;
        }
        Ok(())
    }

    /// Ends the observers and returns the names of those that hang. Remaining events are emitted.
    pub fn observed(&mut self) -> Result<Vec<&'static str>, TrialError> {
        let outcome = self.observations();
        let hung = self.watch.take().map(|watch| watch.hung()).unwrap_or_default();
        outcome.map(|()| hung)
    }

    pub fn phase(&mut self, phase: Phase) -> Result<(), TrialError> {
        self.emit(Event::PhaseStarted { trial: self.trial, phase, at_ns: self.now_ns() })
    }

    pub fn progress(&mut self, phase: Phase, done: u64, total: u64, unit: &str) -> Result<(), TrialError> {
        self.emit(Event::Progress {
            trial: self.trial,
            phase,
            at_ns: self.now_ns(),
            done,
            total,
            unit: unit.to_owned(),
        })
    }

    pub fn note(&mut self, severity: Severity, problem: Problem) -> Result<(), TrialError> {
        let note = self.noted(severity, problem);
        self.emit(note)
    }

    /// A note of what must be known: if it cannot be kept, the failure has it as evidence.
    pub fn note_for_certain(&mut self, severity: Severity, problem: Problem) -> Result<(), TrialError> {
        self.note(severity, problem.clone()).map_err(|failed| failed.with(&problem))
    }

    fn noted(&self, severity: Severity, problem: Problem) -> Event {
        let problem = match &self.about {
            Some((target, workload)) => hint::complete(problem, target, Some(workload)),
            None => problem,
        };
        Event::Note { trial: self.trial, at_ns: self.now_ns(), severity, problem }
    }

    pub fn facts(&mut self, about: &str, facts: BTreeMap<String, String>) -> Result<(), TrialError> {
        self.emit(Event::Facts { trial: self.trial, about: about.to_owned(), facts })
    }
}
