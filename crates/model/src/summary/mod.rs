//! Folds a stream of events into results: one per trial, one cell per target and load, one answer.
//!
//! [`Summary::take`] folds one event; live and replayed runs give the same result. Terminal, page and exports use it,
//! so that every number on the page can be computed from the log.

mod cell;
mod facts;
mod in_window;
mod load_hosts;
mod measurements;
mod series;
mod stored;

pub use cell::Cell;
pub use measurements::Measurements;
pub use series::{IntervalRate, Point, Series};
pub use stored::{NamedRun, OfRun, StoredRun};

use crate::ceiling::ClientCeiling;
use crate::digest::DigestReport;
use crate::doubt::Doubt;
use crate::drained::Drained;
use crate::dsn::Dsn;
use crate::event::{ClientsBeside, EndState, Event, Halts, Phase, Severity};
use crate::heat_map::HeatMap;
use crate::inspection::{AroundLoad, Edge, Inspected, ServerFacts};
use crate::labels::RunLabels;
use crate::load_host::LoadHostResult;
use crate::names::observer;
use crate::readings::{EDGE_NS, LOST, Readings, Sample};
use crate::record::Record;
use crate::standstill::{Standstill, Stretches};
use crate::tally::{PerClient, Tally, TransactionTally};
use crate::tpcc;
use crate::trial::{Differing, HostAccess, Target, Trial};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use tenbin_words::problem::Problem;

/// A run so far.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// The plan's name.
    pub name: String,
    /// What its user says about it.
    pub labels: RunLabels,
    /// Tenbin's version.
    pub tool: String,
    /// Wall clock at the start, RFC 3339.
    pub started: String,
    /// The plan as given.
    pub plan: String,
    /// One result per planned trial, in order of execution. Not to be changed once [`Summary::kept_cells`] was called, other than by
    /// events.
    pub trials: Vec<TrialResult>,
    /// Facts about the client (`client`) and each target, by name, as they were read last; [`Summary::target_facts`] has those of
    /// a trial.
    pub facts: BTreeMap<String, BTreeMap<String, String>>,
    /// Notes on the run as a whole.
    pub notes: Vec<(Severity, Problem)>,
    /// How it ended; `None` while it is running, or if its end is missing.
    pub state: Option<EndState>,
    /// Time of the last event, nanoseconds since the start.
    pub last_ns: u64,
    /// Whether the files that it was read from are as they were written.
    pub record: Record,
    /// Of several stored runs as one: in which keys of their plans they differ.
    pub(crate) stored: Option<Vec<Differing>>,
    /// Facts about each target by the server variables that the plan sets, as they were read last.
    pub(crate) by_variables: BTreeMap<(String, ServerFacts), Arc<ServerFacts>>,
    pub(crate) cells: JudgedCells,
}

/// The cells, computed once for all who ask; a copy of the summary computes its own, because its trials may be changed.
#[derive(Debug, Default)]
pub(crate) struct JudgedCells(OnceLock<Vec<Cell>>);

impl Clone for JudgedCells {
    fn clone(&self) -> Self {
        JudgedCells::default()
    }
}

/// One trial and its measurements.
#[derive(Debug, Clone)]
pub struct TrialResult {
    /// The trial.
    pub trial: Trial,
    /// How it ended; `None` if it has not, or its end is missing.
    pub state: Option<EndState>,
    /// Whether it has started.
    pub begun: bool,
    /// Everything counted in the measured window.
    pub tally: Tally,
    /// Of these, what was counted after its planned end.
    drained: Drained,
    /// Statements before it, in the warm-up, that changed rows.
    warm_up_writes: u64,
    /// One point per interval, warm-up included.
    pub series: Series,
    /// Response times over the same intervals.
    pub heat: HeatMap,
    /// Readings by observer; [`TrialResult::observed`] has them one by one.
    pub observations: BTreeMap<String, Readings>,
    /// The statements that the server counted; `None` if it was not asked.
    pub server_statements: Option<DigestReport>,
    /// How often its clients can do nothing at all on its server; `None` if that was not measured.
    pub ceiling: Option<ClientCeiling>,
    /// The start of each phase, nanoseconds since the run's start, in order.
    pub phases: Vec<(u64, Phase)>,
    /// Facts about its tables, with names that start with `tables.`.
    pub tables: BTreeMap<String, String>,
    /// Facts about its server at that time; trials that have the same share them.
    pub facts: Option<Arc<ServerFacts>>,
    /// What its server said right before the load; `None` if it was not asked.
    pub before: Option<Inspected>,
    /// The same right after the load.
    pub after: Option<Inspected>,
    /// What its replicas said then, by their names.
    pub replicas: BTreeMap<String, AroundLoad>,
    /// Notes.
    pub notes: Vec<(Severity, Problem)>,
    /// The problem with the files that it was read from, if they are not as they were written. Not to be changed once its doubts are
    /// known.
    pub altered: Option<Problem>,
    /// Measured window, nanoseconds since the run's start.
    pub window_ns: (u64, u64),
    /// CPU time of this process in it, nanoseconds.
    pub client_cpu_ns: u64,
    /// Engine threads.
    pub workers: u32,
    /// What each client completed in it; empty if the log does not contain it.
    pub per_client: PerClient,
    /// Times in it in which this process did not run.
    pub client_halts: Halts,
    /// How long the oldest start that was not answered at its end had waited, if starts have intended times.
    pub oldest_open_ns: Option<u64>,
    /// The stored run that it is of, if stored runs stand side by side.
    pub stored_run: Option<NamedRun>,
    /// The stored run that it is of, if runs of the same targets are compared.
    pub of_run: Option<OfRun>,
    /// The load hosts that drove it together, by their numbers; empty if there was one.
    pub hosts: BTreeMap<u32, LoadHostResult>,
    /// The clients of the other trials of a duet, in the same process; or of other load hosts on the same machine, if this is the view of
    /// one ([`TrialResult::of_load_host`]).
    beside: ClientsBeside,
    /// How many starts had not ended at the ends of intervals, if this is the view of a group ([`TrialResult::of_group`]), which has no series.
    outstanding: Option<Vec<(u64, u64)>>,
    /// Periods without a completion.
    stretches: Stretches,
    /// Cores that the client may use, if known.
    cores: Option<f64>,
    /// The address of the server, if known: completed by the files that the address of the plan names.
    address: Option<String>,
    /// Its doubts, computed once.
    doubts: OnceLock<Vec<Doubt>>,
}

impl Summary {
    /// Folds a complete recording.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> Summary {
        let mut summary = Summary::default();
        events.into_iter().for_each(|e| summary.take(e));
        summary
    }

    /// By what the data and the time of the plan were multiplied, if this is a try-out.
    pub fn scale(&self) -> Option<f64> {
        self.trials.iter().find_map(|t| t.trial.scale)
    }

    /// Folds one event. Events of unknown trials (a damaged log) are ignored.
    pub fn take(&mut self, event: &Event) {
        self.cells.0.take();
        match event {
            Event::RunStarted { name, tool, started, plan, .. } => {
                (self.name, self.tool) = (name.clone(), tool.clone());
                (self.started, self.plan) = (started.clone(), plan.clone());
            }
            Event::TrialPlanned { planned, .. } => {
                let cores = self.facts.get("client").and_then(cores);
                // Ordered by number even if a damaged log has another order.
                let at = self.trials.partition_point(|t| t.trial.number < planned.number);
                if self.trials.get(at).is_none_or(|t| t.trial.number != planned.number) {
                    self.trials.insert(at, TrialResult { cores, ..TrialResult::planned((**planned).clone()) });
                }
            }
            Event::RunFinished { at_ns, state } => {
                self.last_ns = self.last_ns.max(*at_ns);
                self.state = Some(*state);
            }
            Event::Facts { trial, about, facts } => self.take_facts(*trial, about, facts),
            Event::ServerInspected { trial, at_ns, edge, replica, inspection, changed } => {
                if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == *trial) {
                    let inspection = (**inspection).clone();
                    let inspected = Some(Inspected { at_ns: *at_ns, inspection, changed: changed.clone() });
                    trial.doubts.take();
                    let (before, after) = match replica {
                        None => (&mut trial.before, &mut trial.after),
                        Some(replica) => {
                            let AroundLoad { before, after } = trial.replicas.entry(replica.clone()).or_default();
                            (before, after)
                        }
                    };
                    match edge {
                        Edge::Before => *before = inspected,
                        Edge::After => *after = inspected,
                    }
                }
            }
            Event::ObserverDeclared { trial, observer, readings, .. } => {
                if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == *trial) {
                    trial.observations.entry(observer.clone()).or_default().declare(readings);
                }
            }
            Event::ServerStatements { trial, report } => {
                if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == *trial) {
                    trial.server_statements = Some(report.clone());
                }
            }
            Event::ClientCeiling { trial, ceiling } => {
                if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == *trial) {
                    (trial.ceiling, trial.doubts) = (Some(ceiling.clone()), OnceLock::new());
                }
            }
            Event::HostFinished { trial, host, part } => {
                if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == *trial) {
                    trial.doubts.take();
                    trial.hosts.entry(*host).or_default().part = part.clone();
                }
            }
            Event::Note { trial: 0, severity, problem, .. } => self.notes.push((*severity, problem.clone())),
            // For those who repeat the run.
            Event::FileUsed { .. } => {}
            Event::TrialStarted { at_ns, .. }
            | Event::PhaseStarted { at_ns, .. }
            | Event::Progress { at_ns, .. }
            | Event::Interval { to_ns: at_ns, .. }
            | Event::HostInterval { to_ns: at_ns, .. }
            | Event::Observation { at_ns, .. }
            | Event::Note { at_ns, .. }
            | Event::TrialFinished { at_ns, .. } => {
                self.last_ns = self.last_ns.max(*at_ns);
                let number = event.trial();
                if matches!(event, Event::TrialStarted { .. }) {
                    self.begin_with_known_facts(number);
                }
                if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == number) {
                    trial.take(event);
                }
                if matches!(event, Event::TrialFinished { .. }) {
                    self.share_names(number);
                }
            }
        }
    }

    /// The observers of a trial that has ended mostly read what those of the one before did.
    fn share_names(&mut self, number: u32) {
        let at = self.trials.partition_point(|t| t.trial.number < number);
        let (before, from) = self.trials.split_at_mut(at);
        let (Some(before), Some(trial)) = (before.last(), from.first_mut()) else { return };
        for (observer, readings) in &mut trial.observations {
            before.observations.get(observer).into_iter().for_each(|before| readings.share_names(before));
        }
    }

    /// Puts the folded intervals and observations of a trial in, instead of these events.
    pub fn restore(&mut self, number: u32, measurements: Measurements) {
        self.cells.0.take();
        if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == number) {
            measurements.restore(trial);
        }
    }

    /// Targets in the order of the plan.
    pub fn targets(&self) -> Vec<String> {
        let mut targets: Vec<(u32, &String)> =
            self.trials.iter().map(|t| (t.trial.target.place, &t.trial.target.name)).collect();
        targets.sort();
        targets.dedup();
        targets.into_iter().map(|(_, name)| name.clone()).collect()
    }

    /// The experiments in the order of the plan.
    pub fn experiments(&self) -> Vec<&str> {
        let mut all: Vec<(u32, &str)> =
            self.trials.iter().map(|t| (t.trial.cell, t.trial.experiment.as_str())).collect();
        all.sort_unstable();
        let mut names: Vec<&str> = Vec::new();
        for (_, name) in all {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The cells that this judge makes of it: computed once, and kept until an event changes what they are made of.
    pub fn kept_cells(&self, judge: impl FnOnce(&Summary) -> Vec<Cell>) -> &[Cell] {
        self.cells.0.get_or_init(|| judge(self))
    }

    /// The result of one trial.
    pub fn trial(&self, number: u32) -> Option<&TrialResult> {
        // They mostly stand in the order of their numbers, from 1.
        let at = (number as usize).checked_sub(1).and_then(|at| self.trials.get(at));
        at.filter(|t| t.trial.number == number).or_else(|| self.trials.iter().find(|t| t.trial.number == number))
    }
}

/// Cores that the client may use, from its facts.
fn cores(facts: &BTreeMap<String, String>) -> Option<f64> {
    facts.get("cores").and_then(|cores| cores.parse().ok())
}

/// A cell's matrix values as one label: `load.clients 8`.
pub fn label(axes: &[(String, String)]) -> String {
    axes.iter().map(|(k, v)| format!("{k} {v}")).collect::<Vec<_>>().join(", ")
}

impl TrialResult {
    fn planned(trial: Trial) -> Self {
        TrialResult {
            trial,
            state: None,
            begun: false,
            tally: Tally::default(),
            drained: Drained::default(),
            warm_up_writes: 0,
            series: Series::default(),
            heat: HeatMap::default(),
            observations: BTreeMap::new(),
            server_statements: None,
            ceiling: None,
            phases: Vec::new(),
            tables: BTreeMap::new(),
            facts: None,
            before: None,
            after: None,
            replicas: BTreeMap::new(),
            notes: Vec::new(),
            altered: None,
            window_ns: (0, 0),
            client_cpu_ns: 0,
            workers: 0,
            per_client: PerClient::default(),
            client_halts: Halts::default(),
            oldest_open_ns: None,
            stored_run: None,
            of_run: None,
            hosts: BTreeMap::new(),
            beside: ClientsBeside::default(),
            outstanding: None,
            stretches: Stretches::default(),
            cores: None,
            address: None,
            doubts: OnceLock::new(),
        }
    }

    fn take(&mut self, event: &Event) {
        self.doubts.take();
        match event {
            Event::TrialStarted { .. } => self.begun = true,
            Event::Interval { phase, from_ns, to_ns, clients, tally, completions, .. } => {
                let (all, timed) = (tally.transactions_together(), tpcc::timed(&self.trial.load, tally));
                let seconds = to_ns.saturating_sub(*from_ns) as f64 / 1e9;
                // Whatever the throughput of the trial is made of, its course has all that ended, or it would begin with a gap.
                let ended = all.completed.saturating_add(tally.accounting.carried);
                if *phase == Phase::Measure && tally.drained {
                    self.drained.take(*from_ns, tally);
                }
                let due_to_ns = self.due_to_ns(*from_ns);
                self.heat.push(*from_ns, *to_ns, &timed.response);
                self.series.push(Point {
                    phase: *phase,
                    from_ns: *from_ns,
                    to_ns: *to_ns,
                    tps: if seconds > 0.0 { ended as f64 / seconds } else { 0.0 },
                    mean_ns: timed.response.mean_ns(),
                    p95_ns: timed.response.quantile_ns(0.95),
                    p99_ns: timed.response.quantile_ns(0.99),
                    service_p99_ns: timed.service.quantile_ns(0.99),
                    wait_p99_ns: timed.wait.quantile_ns(0.99),
                    max_ns: timed.response.max_ns(),
                    failed: all.failed.saturating_add(tally.accounting.carried_failed),
                    clients: *clients,
                    outstanding: self.outstanding_after(&tally.accounting),
                    outstanding_of: self.outstanding_of_groups_after(tally),
                    completed: match tally.transactions.len() {
                        0 | 1 => BTreeMap::new(),
                        _ => {
                            let of = |t: &TransactionTally| t.completed.saturating_add(t.carried);
                            tally.transactions.iter().map(|(name, t)| (name.clone(), of(t))).collect()
                        }
                    },
                });
                if *phase == Phase::WarmUp {
                    self.warm_up_writes = self.warm_up_writes.saturating_add(tally.queries().writes);
                }
                if *phase == Phase::Measure {
                    self.tally.merge(tally);
                    self.stretches.take((*from_ns, *to_ns), due_to_ns, tally.accounting.completed, *completions);
                    // The window so far; the end of the trial contains the exact one.
                    let from = if self.window_ns.1 == 0 { *from_ns } else { self.window_ns.0 };
                    self.window_ns = (from, *to_ns);
                }
            }
            Event::HostInterval { host, phase: Phase::Measure, from_ns, to_ns, tally, completions, .. } => {
                let due_to_ns = self.due_to_ns(*from_ns);
                let host = self.hosts.entry(*host).or_default();
                host.tally.merge(tally);
                if tally.drained {
                    host.drained.take(*from_ns, tally);
                }
                host.stretches.take((*from_ns, *to_ns), due_to_ns, tally.accounting.completed, *completions);
            }
            Event::PhaseStarted { phase, at_ns, .. } => self.phases.push((*at_ns, *phase)),
            Event::Observation { observer, at_ns, source_unix_ns, values, .. } => {
                self.observations.entry(observer.clone()).or_default().push(*at_ns, *source_unix_ns, values);
            }
            Event::Note { severity, problem, .. } => self.notes.push((*severity, problem.clone())),
            Event::TrialFinished {
                state,
                measured_from_ns,
                measured_to_ns,
                client_cpu_ns,
                workers,
                per_client,
                client_halts,
                oldest_open_ns,
                beside,
                ..
            } => {
                self.state = Some(*state);
                self.window_ns = (*measured_from_ns, *measured_to_ns);
                self.client_cpu_ns = *client_cpu_ns;
                self.workers = *workers;
                self.per_client = per_client.clone();
                (self.client_halts, self.oldest_open_ns, self.beside) = (*client_halts, *oldest_open_ns, *beside);
                self.pack();
            }
            _ => {}
        }
    }

    /// The doubts that this judge has about it: computed once, and kept until an event changes what they are about.
    pub fn kept_doubts(&self, judge: impl FnOnce(&TrialResult) -> Vec<Doubt>) -> &[Doubt] {
        self.doubts.get_or_init(|| judge(self))
    }

    /// Length of the measured window, nanoseconds.
    pub fn measured_ns(&self) -> u64 {
        self.window_ns.1.saturating_sub(self.window_ns.0)
    }

    /// How long the clients warmed up, nanoseconds; `None`: the measured window has not begun.
    pub fn warm_up_ns(&self) -> Option<u64> {
        let began = |of: Phase| self.phases.iter().find(|(_, phase)| *phase == of).map(|(at_ns, _)| *at_ns);
        let measured_ns = began(Phase::Measure)?;
        Some(began(Phase::WarmUp).map_or(0, |at_ns| measured_ns.saturating_sub(at_ns)))
    }

    /// The same for charts, seconds: as planned where the plan says it, and as far as it has come while it lasts.
    pub fn warm_up_s(&self) -> f64 {
        if self.trial.warmup_until.is_none() {
            return self.trial.warmup_ms as f64 / 1e3;
        }
        let Some((start_ns, _)) = self.series.span_ns() else { return 0.0 };
        let warming = self.series.rates().filter(|p| p.phase == Phase::WarmUp);
        warming.map(|p| p.to_ns.saturating_sub(start_ns)).max().unwrap_or(0) as f64 / 1e9
    }

    /// Completed transactions per second of the measured window; 0 when nothing was measured.
    pub fn tps(&self) -> f64 {
        match self.counted_ns() {
            0 => 0.0,
            ns => self.throughput() as f64 / (ns as f64 / 1e9),
        }
    }

    /// Completed statements per second of the measured window.
    pub fn qps(&self) -> f64 {
        match self.counted_ns() {
            0 => 0.0,
            ns => self.statements_of_throughput() as f64 / (ns as f64 / 1e9),
        }
    }

    /// Completed statements per second as a share of what its clients reached with one that does nothing.
    pub fn share_of_ceiling(&self) -> Option<f64> {
        let ceiling = self.ceiling.as_ref()?.per_s();
        (ceiling > 0.0 && self.measured_ns() > 0).then(|| self.qps() / ceiling)
    }

    /// The periods of the measured window in which nothing completed although something was in progress.
    pub fn standstill(&self) -> Option<Standstill> {
        self.stretches.standstill(&self.tally.all_transactions(), self.waited_at_end_ns(), self.measured_ns())
    }

    /// How long nothing had completed at the end of the measured window, while something was in progress.
    pub fn silent_at_end_ns(&self) -> u64 {
        self.stretches.last_ns().min(self.waited_at_end_ns())
    }

    /// How long the oldest transaction had been in progress at the end, as far as it is known.
    fn waited_at_end_ns(&self) -> u64 {
        match self.oldest_open_ns {
            Some(ns) => ns,
            None if self.tally.accounting.open > 0 => u64::MAX,
            None => 0,
        }
    }

    /// Clients connected at the end of the measured window; `None` if nothing was measured.
    pub fn clients_at_end(&self) -> Option<u32> {
        self.series.last_clients(Phase::Measure)
    }

    /// Whether an observer could no longer read anything before the end of the measured window.
    pub fn lost_sight(&self, observer: &str) -> bool {
        let Some(readings) = self.observations.get(observer) else { return false };
        let lost = readings.course(LOST).map(|(sample, _)| sample.at_ns).last();
        // It may be observed anew, after a command of the user has started its server again.
        let is_seen_again = |at_ns: u64| readings.samples().any(|sample| sample.at_ns > at_ns);
        lost.is_some_and(|at_ns| at_ns <= self.window_ns.1.saturating_add(EDGE_NS) && !is_seen_again(at_ns))
    }

    /// The error that ended it, if any.
    pub fn failure(&self) -> Option<&Problem> {
        self.notes.iter().find(|(s, _)| *s == Severity::Error).map(|(_, p)| p)
    }

    /// Whether the target runs inside this process: an embedded database, the null driver, or this machine itself.
    pub fn embedded(&self) -> bool {
        self.trial.target.sandbox.as_deref() == Some("sqlite")
            || self
                .trial
                .target
                .dsn
                .as_deref()
                .is_some_and(|d| ["sqlite:", "null:", "host:"].iter().any(|scheme| d.starts_with(scheme)))
    }

    /// Whether the target is this machine itself.
    pub fn on_host(&self) -> bool {
        self.trial.target.dsn.as_deref().is_some_and(|d| d.starts_with("host:"))
    }

    /// Whether the server runs on the client's machine according to the plan, or else to its address, or because its process was observed
    /// there: the address may be that of a container.
    pub fn beside_client(&self) -> bool {
        let Target { sandbox, dsn, host, .. } = &self.trial.target;
        if matches!(host, Some(HostAccess::Ssh(_))) {
            return false;
        }
        let dsn = self.address.as_ref().or(dsn.as_ref());
        sandbox.is_some()
            || dsn.is_some_and(|dsn| Dsn::parse(dsn).is_ok_and(|dsn| dsn.is_local()))
            || self.observations.contains_key(observer::SERVER_PROCESS)
    }

    /// The increase of a counter over the measured window, from the observations nearest to its edges.
    pub fn observed_change(&self, observer: &str, name: &str) -> Option<f64> {
        Some(self.observations.get(observer)?.increase(name, self.window_ns)?.change)
    }

    /// The mean of a gauge over its samples in the measured window; of means over a time, over those whose time lies in it.
    pub fn observed_mean(&self, observer: &str, name: &str) -> Option<f64> {
        let within = self.observations.get(observer)?.gauge(name, self.window_ns);
        let (n, sum) = within.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
        (n > 0.0).then(|| sum / n)
    }

    /// By how much a gauge differs between those observations.
    pub fn observed_difference(&self, observer: &str, name: &str) -> Option<f64> {
        let (readings, [first, last]) = self.edges(observer)?;
        Some(readings.value(last, name)? - readings.value(first, name)?)
    }

    /// By how much the time between those observations may differ from the window, as a share of it.
    pub fn observed_beside(&self, observer: &str) -> Option<f64> {
        let (_, [first, last]) = self.edges(observer)?;
        let off_ns = first.at_ns.abs_diff(self.window_ns.0) + last.at_ns.abs_diff(self.window_ns.1);
        (self.measured_ns() > 0).then(|| off_ns as f64 / self.measured_ns() as f64)
    }

    /// The observations at the edges of the measured window.
    fn edges(&self, observer: &str) -> Option<(&Readings, [Sample; 2])> {
        let readings = self.observations.get(observer)?;
        let (from, to) = self.window_ns;
        let nearest = |at: u64| readings.samples().min_by_key(|sample| sample.at_ns.abs_diff(at));
        let (first, last) = (nearest(from)?, nearest(to)?);
        Some((readings, [first, last]))
    }
}
