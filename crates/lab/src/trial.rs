//! One trial: look whether it can go well → restore → load → settle → warm up → measure → cool down.

use crate::claims::Claims;
use crate::data::Step;
use crate::environment::Observers;
use crate::stage::{Stage, Stages};
use crate::teller::{Halt, Teller};
use crate::{data, permission, preflight};
use std::time::Duration;
use tenbin_engine::{Drive, Seen};
use tenbin_model::conditions;
use tenbin_model::event::{Event, Halts, Phase, Severity, State};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::PerClient;
use tenbin_model::trial::Trial;
use tenbin_target::observer;

/// How a trial ended.
pub struct End {
    pub state: State,
    pub measured_ns: (u64, u64),
    pub client_cpu_ns: u64,
    pub workers: u32,
    pub per_client: PerClient,
    pub halts: Halts,
    pub oldest_open_ns: Option<u64>,
}

/// The end of a trial that never came to its measured window.
pub fn nothing_measured(state: State) -> End {
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

pub fn run(
    trial: &Trial,
    stages: &mut Stages<'_>,
    claims: &mut Claims,
    hung: &[&str],
    teller: &mut Teller,
    stop: &StopSignal,
) -> Result<End, Halt> {
    let environment = teller.environment;
    let stage = stages.bring_up(trial, teller)?;
    if permission::writes(trial) {
        permission::to_write(trial, stage, teller)?;
    }
    if let Some(dataset) = stage.dataset.as_deref() {
        claims.take_for_trial(&trial.target, &stage.connector, dataset, teller)?;
        if permission::writes(trial) {
            claims.say(&stage.connector, dataset, false);
        }
    }
    let step = data::decide(trial, stage, teller, stop)?;
    let told = preflight::look(trial, stage, step, claims, teller)?;
    teller.observe(watch(trial, stage, hung, teller));
    data::bring_into_state(step, trial, stage, claims, teller, stop)?;
    permission::to_write_tables(trial, &*stage.workload, &stage.connector).map_err(Halt::Trial)?;
    settle(trial, teller, stop)?;
    if step != Step::Use || trial.settle_ms > 0 {
        preflight::look_again(trial, stage, claims, &told, teller)?;
    }
    let mut found = stage.workload.tables().map_err(Halt::Trial)?;
    if let Some(dataset) = &stage.dataset {
        found.insert(conditions::ROWS.to_owned(), dataset.rows().to_string());
        found.insert(conditions::UNIT.to_owned(), dataset.unit().to_owned());
    }
    if !found.is_empty() {
        teller.facts(&trial.target.name, found)?;
    }
    if stop.asked() {
        return Ok(nothing_measured(State::Partial));
    }

    let what = Drive {
        load: trial.load.clone(),
        warmup_ms: trial.warmup_ms,
        measure_ms: trial.measure_ms,
        interval_ms: trial.interval_ms,
        seed: trial.seed,
        origin: teller.origin(),
    };
    if let Some(observers) = teller.observers() {
        observers.begin();
    }
    // What used the processors is told for the measured window, however short it is.
    let edge = |seen: &Seen| matches!(seen, Seen::Phase { phase: Phase::Measure | Phase::CoolDown, .. });
    let mut broken = None;
    let ended = environment.drive(&what, &stage.workload, stop, &mut |seen| {
        if let Some(observers) = teller.observers().filter(|_| edge(&seen)) {
            observers.sample();
        }
        tell_seen(seen, teller).map_err(|halt| match halt {
            Halt::Trial(problem) => problem,
            Halt::Listener(problem) => {
                broken = Some(problem.clone());
                problem
            }
        })
    });
    // One sample more, so that counters span the whole window.
    if let Some(observers) = teller.observers() {
        observers.finish();
    }
    if let Some(problem) = broken {
        return Err(Halt::Listener(problem));
    }
    teller.observations()?;
    let ended = ended.map_err(Halt::Trial)?;
    let mut inconsistent = None;
    if stage.dataset.as_deref().is_some_and(|d| d.checks().run) && !stop.asked() {
        match data::check(trial, stage, false, teller, stop) {
            Err(Halt::Trial(problem)) => inconsistent = Some(problem),
            other => other?,
        }
    }

    // What was measured stands even when the tidying up afterwards fails.
    let after = stage.dataset.as_ref().map_or(Ok(()), |dataset| dataset.after(&stage.connector));

    let state = match ended.cut_short.or(inconsistent).or(after.err()) {
        None => State::Complete,
        Some(problem) if stop.asked() => {
            teller.note(Severity::Info, problem)?;
            State::Partial
        }
        Some(problem) => {
            teller.note(Severity::Error, problem)?;
            State::Failed
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

fn tell_seen(seen: Seen, teller: &mut Teller) -> Result<(), Halt> {
    let trial = teller.trial;
    teller.tell(match seen {
        Seen::Phase { phase, at_ns } => Event::PhaseStarted { trial, phase, at_ns },
        Seen::Interval { phase, from_ns, to_ns, clients, tally, completions, per_client } => {
            Event::Interval { trial, phase, from_ns, to_ns, clients, tally, completions, per_client }
        }
    })
}

/// Starts the observers that fit the trial, but for those that hang.
fn watch(trial: &Trial, stage: &Stage, hung: &[&str], teller: &Teller) -> Box<dyn Observers> {
    let subject = observer::Subject { connector: stage.connector.clone(), pid: stage.pid };
    let every = Duration::from_millis(trial.interval_ms);
    let sampling = observer::Sampling { every, observe: trial.load.observe, origin: teller.origin() };
    teller.environment.observe(&subject, sampling, hung)
}

/// Lets the server come to rest, and can be interrupted.
fn settle(trial: &Trial, teller: &mut Teller, stop: &StopSignal) -> Result<(), Halt> {
    if trial.settle_ms == 0 {
        return Ok(());
    }
    teller.phase(Phase::Settle)?;
    let environment = teller.environment;
    let start = environment.now();
    loop {
        let passed = environment.now().saturating_duration_since(start);
        let done = (passed.as_millis() as u64).min(trial.settle_ms);
        teller.progress(Phase::Settle, done, trial.settle_ms, "ms")?;
        if done == trial.settle_ms {
            return Ok(());
        }
        if stop.asked() {
            return Err(Halt::Trial(Problem::new(msg!("stopped-while-settling"))));
        }
        environment.sleep(Duration::from_millis((trial.settle_ms - done).min(200)));
    }
}
