//! The ceiling of the clients, before the first trial with them on a target: all of them execute a statement that does
//! nothing, back-to-back, on connections and threads like those of the trial.
//!
//! It is measured before the observers start, and is no part of the trial's figures. A server that does not answer
//! delays the trial by the time limit of a login and that of the engine for transactions in progress, no longer.

mod round_trips;

use crate::emitter::{EventEmitter, TrialError};
use crate::environment::Work;
use crate::test_bed::{self, CeilingKey, TestBeds};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::Connector;
use tenbin_engine::{Drive, DriveControl, Ended, EngineEvent, LoadPart};
use tenbin_hosts::HostEvent;
use tenbin_model::ceiling::ClientCeiling;
use tenbin_model::dsn::Scheme;
use tenbin_model::event::{Event, Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::Tally;
use tenbin_model::tpcc;
use tenbin_model::trial::{Calibrate, Load, Observe, Policy, Schedule, Transient, Trial, Workers};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::Workload;
use tenbin_workloads::is_script;

pub use round_trips::{RoundTrips, statement};

/// Driven before it is counted, and counted; milliseconds.
const WARMUP_MS: u64 = 250;
const MEASURE_MS: u64 = 1_000;
/// It may take a tenth of the trial.
const LEAST_TRIAL_MS: u64 = 10 * MEASURE_MS;
/// Fewer round trips show nothing, …
const LEAST_ROUND_TRIPS: u64 = 100;
/// … nor does a window in which this much time passed without one.
const LONGEST_GAP_NS: u64 = MEASURE_MS * 1_000_000 / 4;

/// Emits the ceiling of the trial's clients, after measuring it if no trial before has the same.
pub fn measure(
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    if !is_asked(trial, test_bed.connector.dsn().scheme) || stop.asked() {
        return Ok(());
    }
    let (connector, workload) = (test_bed.connector.clone(), test_bed.workload.clone());
    let prepared = workload.prepared_per_connection() > 0;
    let same = key(trial, Some(&*workload));
    let number = trial.number;
    if let Some(known) = test_beds.ceilings.get(&same) {
        let Some(ceiling) = known.clone() else { return Ok(()) };
        return emitter.emit(Event::ClientCeiling { trial: number, ceiling });
    }
    let Some(nothing) = emitter.environment.round_trips(&connector, &*workload) else { return Ok(()) };
    let what = Drive {
        load: Load {
            workload: nothing.name().to_owned(),
            options: BTreeMap::new(),
            schedule: Schedule::Closed,
            groups: Vec::new(),
            operations: None,
            drain_ms: 0,
            paced: false,
            policy: Policy { retries: 0, reconnect: false, stop_on_error: true, transient: Transient::Known },
            ..trial.load.clone()
        },
        warmup_ms: WARMUP_MS,
        measure_ms: MEASURE_MS,
        interval_ms: WARMUP_MS,
        seed: trial.seed,
        origin: emitter.origin(),
        part: LoadPart::ALL,
        server: test_bed.place,
        control: DriveControl::default(),
    };
    let mut counted = Counted::default();
    let work = Work { drive: &what, trial, connector: &connector, workload: &nothing, round_trips: true };
    let ended = emitter.environment.drive(&work, stop, &mut |event| {
        if let HostEvent::Together(event) = event {
            counted.take(event);
        }
        Ok(())
    });
    let ended = ended.map(|all| all.ended);
    if stop.asked() {
        return Ok(());
    }
    let sql = statement(connector.dsn().scheme).unwrap_or_default();
    let why = match ended.and_then(|ended| ended.cut_short.clone().map_or(Ok(ended), Err)) {
        // The trial itself says more, if it fails for the same reason.
        Err(problem) => problem.what,
        Ok(ended) => match counted.ceiling(trial, (sql, prepared), &ended) {
            Ok(ceiling) => {
                test_beds.ceilings.insert(same, Some(ceiling.clone()));
                return emitter.emit(Event::ClientCeiling { trial: number, ceiling });
            }
            Err(why) => {
                test_beds.ceilings.insert(same, None);
                why
            }
        },
    };
    emitter.note(Severity::Info, Problem::new(msg!("ceiling-not-measured")).evidence(why))
}

/// How long all of them take before these trials, milliseconds. What a script does is not known: it counts as one that prepares nothing.
pub fn planned_ms(trials: &[Trial]) -> u64 {
    let mut made: BTreeMap<_, Option<Box<dyn Workload>>> = BTreeMap::new();
    let mut all = BTreeSet::new();
    for trial in trials.iter().filter(|trial| is_asked(trial, trial.target.scheme())) {
        let (name, scheme) = (trial.load.workload.as_str(), trial.target.scheme());
        let workload = made.entry((&trial.target.name, name, &trial.load.options)).or_insert_with(|| {
            let connector = Connector::nowhere(scheme).ok().filter(|_| !is_script(name))?;
            test_bed::workload(trial, &connector).ok()
        });
        all.insert(key(trial, workload.as_deref()));
    }
    all.len() as u64 * (WARMUP_MS + MEASURE_MS)
}

/// Trials with the same key have the same ceiling.
fn key(trial: &Trial, workload: Option<&dyn Workload>) -> CeilingKey {
    let workers = match trial.load.workers {
        Workers::Auto => "auto".to_owned(),
        Workers::PerClient => "per-client".to_owned(),
        Workers::Count(n) => n.to_string(),
    };
    let blocks = workload.is_some_and(|workload| workload.reach().blocks);
    let prepared = workload.is_some_and(|workload| workload.prepared_per_connection() > 0);
    (test_bed::key(trial), trial.load.clients, workers, blocks, prepared)
}

/// Whether the plan asks for it, and it makes sense.
fn is_asked(trial: &Trial, scheme: Scheme) -> bool {
    let load = &trial.load;
    statement(scheme).is_some()
        && match load.calibrate {
            Calibrate::Never => false,
            Calibrate::Always => true,
            Calibrate::Auto => {
                trial.warmup_ms.saturating_add(trial.measure_ms) >= LEAST_TRIAL_MS
                    && load.operations.is_none()
                    && load.observe == Observe::Always
                    && !load.paced
                    && !tpcc::paced(trial)
            }
        }
}

/// What was counted in the measured window.
#[derive(Default)]
struct Counted {
    tally: Tally,
    /// The last completion, or the window's start.
    last_ns: Option<u64>,
    longest_gap_ns: u64,
}

impl Counted {
    fn take(&mut self, event: EngineEvent) {
        let EngineEvent::Interval { phase: Phase::Measure, from_ns, to_ns, tally, completions, .. } = event else {
            return;
        };
        let since = *self.last_ns.get_or_insert(from_ns);
        let gap = completions.map_or(to_ns.saturating_sub(since), |c| c.gap_ns.max(c.first_ns.saturating_sub(since)));
        self.longest_gap_ns = self.longest_gap_ns.max(gap);
        if let Some(c) = completions {
            self.last_ns = Some(c.last_ns);
        }
        self.tally.merge(&tally);
    }

    /// The ceiling; or why there is none.
    fn ceiling(
        mut self,
        trial: &Trial,
        (statement, prepared): (&str, bool),
        ended: &Ended,
    ) -> Result<ClientCeiling, Message> {
        let gap = self.last_ns.map_or(0, |last| ended.measured_to_ns.saturating_sub(last));
        self.longest_gap_ns = self.longest_gap_ns.max(gap);
        let round_trips = self.tally.accounting.completed;
        if round_trips < LEAST_ROUND_TRIPS || self.longest_gap_ns > LONGEST_GAP_NS {
            let gap_s = format!("{:.2}", self.longest_gap_ns as f64 / 1e9);
            return Err(msg!("ceiling-not-measured-seen", round_trips, gap_s));
        }
        Ok(ClientCeiling {
            statement: statement.to_owned(),
            prepared,
            clients: trial.load.clients,
            workers: ended.workers,
            from_ns: ended.measured_from_ns,
            to_ns: ended.measured_to_ns,
            round_trips,
            client_cpu_ns: ended.client_cpu_ns,
        })
    }
}
