//! Takes down what a run emits: as lines for a snapshot, and as events from which another run continues.

use super::Shared;
use std::sync::Arc;
use tenbin_lab::{EarlierRun, Listener};
use tenbin_model::changed_server;
use tenbin_model::event::{EndState, Event, Sink};
use tenbin_model::inspection::ServerFacts;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::trial::Trial;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

/// Takes down a line for each event.
pub struct Lines {
    shared: Arc<Shared>,
    recorded: Recorded,
}

/// What a run has emitted.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    pub summary: Summary,
    events: Vec<Event>,
}

impl Recorded {
    fn result(&self, number: u32) -> Option<&TrialResult> {
        self.summary
            .trials
            .iter()
            .find(|result| result.trial.number == number && result.state == Some(EndState::Complete))
    }
}

impl EarlierRun for Recorded {
    fn place(&self) -> String {
        "earlier".into()
    }

    fn count(&self) -> usize {
        self.summary.trials.iter().filter(|result| result.state == Some(EndState::Complete)).count()
    }

    fn finished(&self, number: u32) -> Option<&Trial> {
        self.result(number).map(|result| &result.trial)
    }

    fn replay(&self, number: u32, each: &mut dyn FnMut(Event) -> Result<(), Problem>) -> Result<(), Problem> {
        let of_trial = |event: &&Event| event.trial() == number && !matches!(event, Event::TrialPlanned { .. });
        self.events.iter().filter(of_trial).cloned().try_for_each(each)
    }

    fn facts(&self, number: u32) -> Option<Arc<ServerFacts>> {
        self.result(number)?.facts.clone()
    }

    fn server(&self, target: &str, server: Option<&ServerFacts>) -> Option<(Arc<ServerFacts>, Vec<String>)> {
        let mut finished = self.summary.trials.iter().rev().filter(|t| t.state == Some(EndState::Complete));
        let last = finished
            .find(|t| t.trial.target.name == target && server.is_none_or(|server| t.trial.target.server == *server))?;
        Some((last.facts.clone()?, last.trial.target.server.keys().cloned().collect()))
    }

    fn client(&self) -> Option<ServerFacts> {
        self.summary.facts.get("client").cloned()
    }

    fn notes_of_client(&self) -> Vec<Problem> {
        changed_server::notes_of_client(&self.summary).cloned().collect()
    }

    fn last_ns(&self) -> u64 {
        self.summary.last_ns
    }
}

impl Listener for Lines {
    fn summary(&self) -> &Summary {
        &self.recorded.summary
    }
}

impl Sink for Lines {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.recorded.summary.take(event);
        self.recorded.events.push(event.clone());
        let Some(line) = self.line(event) else { return Ok(()) };
        if self.shared.script.sink_fails.is_some_and(|words| line.contains(words)) {
            return Err(Problem::new(foreign("the disk is full")));
        }
        self.shared.line(&line);
        Ok(())
    }
}

impl Lines {
    pub fn new(shared: Arc<Shared>) -> Lines {
        Lines { shared, recorded: Recorded::default() }
    }

    pub fn recorded(self) -> Recorded {
        self.recorded
    }

    /// Trials of a duet have their events in turns: which of them.
    fn of_duet(&self, trial: u32) -> String {
        let trial_of_duet = self.recorded.summary.trials.iter().find(|t| t.trial.number == trial && t.trial.duet);
        trial_of_duet.map(|_| format!("{trial}: ")).unwrap_or_default()
    }

    /// Progress is left out: it is not kept.
    fn line(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::RunStarted { .. } => "run".to_owned(),
            Event::FileUsed { path, .. } => format!("file {path}"),
            Event::TrialPlanned { planned: t, expected } => {
                format!("planned {} of {expected}: {} {}", t.number, t.target.name, t.repeat)
            }
            Event::TrialStarted { trial, at_ns } => format!("{} trial {trial}", ms(*at_ns)),
            Event::PhaseStarted { trial, phase, at_ns } => {
                format!("  {}{} at {}", self.of_duet(*trial), phase.name(), ms(*at_ns))
            }
            Event::Progress { .. } | Event::HostInterval { .. } | Event::HostFinished { .. } => return None,
            Event::Interval { trial, from_ns, to_ns, clients, tally, .. } => {
                let a = &tally.accounting;
                let counts = format!("{} = {} + {} + {} + {}", a.scheduled, a.completed, a.failed, a.skipped, a.open);
                let (own, from, to) = (self.of_duet(*trial), ms(*from_ns), ms(*to_ns));
                format!("  {own}{from}-{to}: {counts}, {clients} clients")
            }
            Event::ObserverDeclared { observer, readings, .. } => {
                let names: Vec<&str> = readings.iter().map(|spec| &*spec.name).collect();
                format!("  {observer} declares {}", names.join(", "))
            }
            Event::Observation { observer, at_ns, values, .. } => format!("  {observer} at {}: {values:?}", ms(*at_ns)),
            Event::ServerStatements { report, .. } => format!("  {} statements", report.statements.len()),
            Event::ClientCeiling { ceiling: c, .. } => {
                let (statement, from, to) = (&c.statement, ms(c.from_ns), ms(c.to_ns));
                format!("  ceiling: {} × {statement} by {} clients, {from}-{to}", c.round_trips, c.clients)
            }
            Event::Facts { about, facts, .. } => {
                format!("  facts of {about}: {}", facts.keys().cloned().collect::<Vec<_>>().join(", "))
            }
            Event::ServerInspected { edge, inspection, changed, .. } => {
                format!("  {edge:?} the load: {:?}, changed {:?}", inspection.facts, changed.keys().collect::<Vec<_>>())
            }
            Event::Note { trial, severity, problem, .. } => {
                format!("  {}{severity:?}: {}", self.of_duet(*trial), problem.what.english())
            }
            Event::TrialFinished { trial, at_ns, state, measured_from_ns, measured_to_ns, .. } => {
                format!(
                    "{} {}{state:?}, measured {}-{}",
                    ms(*at_ns),
                    self.of_duet(*trial),
                    ms(*measured_from_ns),
                    ms(*measured_to_ns)
                )
            }
            Event::RunFinished { at_ns, state } => format!("{} run {state:?}", ms(*at_ns)),
        })
    }
}

/// Nanoseconds as milliseconds, without trailing zeros.
fn ms(ns: u64) -> String {
    format!("{}", ns as f64 / 1e6)
}
