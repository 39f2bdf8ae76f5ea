//! As many threads as the machine rewards: before the first trial with a number of clients whose plan leaves the number of threads open, a few short
//! tries of its own load with several numbers, in turns. The best is used for all targets of the run, and remembered for later ones on this machine.
//!
//! Only for loads that read, whose tries leave the data as they are, and a server on this machine, whose processors the clients share: there no constant
//! is right (doc/decision/0039). Tries come before the warm-up, and are in no figure. Differences within their own spread decide nothing: then the fewest
//! threads are used, which cost the least.

use crate::emitter::{EventEmitter, TrialError};
use crate::environment::Work;
use crate::permission;
use crate::test_bed::TestBeds;
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart, ServerPlace};
use tenbin_hosts::HostEvent;
use tenbin_model::event::{Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::trial::{Policy, Schedule, Transient, Trial, Workers};
use tenbin_model::workload::Ends;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Driven before it is counted, and counted; milliseconds.
const WARMUP_MS: u64 = 100;
const MEASURE_MS: u64 = 250;
/// How often each number is tried.
const ROUNDS: usize = 3;
/// All tries together may take a fifth of the trial: four numbers, in each round.
const LEAST_TRIAL_MS: u64 = 5 * 4 * ROUNDS as u64 * (WARMUP_MS + MEASURE_MS);
/// Differences below this part are none, however small the spread of three tries happens to be.
const LEAST_DIFFERENCE: f64 = 0.02;
/// The most clients on each processor that get a thread each in a try: more threads were never better.
const FEW_PER_CORE: u32 = 32;

/// The load with the number of threads that was found best; `None`: the engine decides.
pub fn decide(
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<Option<Workers>, TrialError> {
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let is_open = |trial: &Trial| is_asked(trial, test_bed.place, &*test_bed.workload, cores);
    if test_beds.is_prebuilt() || !is_open(trial) || stop.asked() {
        return Ok(None);
    }
    let key = key(trial, test_bed.place);
    if let Some(known) = test_beds.threads.get(&key) {
        return Ok(*known);
    }
    let of_run = test_beds.earlier.as_ref().and_then(|_| before(trial, test_bed.place, emitter.summary(), &is_open));
    if of_run.is_some() {
        test_beds.threads.insert(key, of_run);
        return Ok(of_run);
    }
    let scope = format!("{key} on {:?}", test_bed.connector.dsn().scheme);
    let workers = match emitter.environment.remembered_threads(&scope).and_then(|word| named(&word)) {
        Some(workers) => {
            let chosen = said(workers, trial.load.clients);
            emitter
                .note(Severity::Info, Problem::new(msg!("threads-remembered", chosen, clients = trial.load.clients)))?;
            Some(workers)
        }
        None => match try_all(trial, cores, test_beds, emitter, stop) {
            Some(tries) => {
                let workers = best(&tries);
                emitter.environment.remember_threads(&scope, &word(workers));
                let each = Message::list(tries.iter().map(|one| one.said(trial.load.clients)));
                let chosen = said(workers, trial.load.clients);
                let what = Problem::new(msg!("threads-tried", chosen, clients = trial.load.clients)).evidence(each);
                emitter.note(Severity::Info, what)?;
                Some(workers)
            }
            None => None,
        },
    };
    test_beds.threads.insert(key, workers);
    Ok(workers)
}

/// By how many threads the clients of such a trial were driven before in a run that is continued, if possible on the same target: another number
/// would make the mean of its repeats one of two clients. `is_open`: of a trial, whether its number was decided here.
fn before(trial: &Trial, place: ServerPlace, summary: &Summary, is_open: &dyn Fn(&Trial) -> bool) -> Option<Workers> {
    let wanted = key(trial, place);
    let is_of_target = |t: &TrialResult| t.trial.target.name == trial.target.name;
    let is_alike = |t: &&TrialResult| {
        t.workers > 0 && (is_of_target(t) || t.beside_client()) && key(&t.trial, place) == wanted && is_open(&t.trial)
    };
    let workers = summary.trials.iter().filter(is_alike).max_by_key(|t| is_of_target(t))?.workers;
    Some(if workers == trial.load.clients { Workers::PerClient } else { Workers::Count(workers) })
}

/// Whether the plan leaves it open, and it makes a difference.
fn is_asked(trial: &Trial, place: ServerPlace, workload: &dyn tenbin_workload::Workload, cores: u32) -> bool {
    let load = &trial.load;
    let local = place != ServerPlace::Apart || workload.reach().shares_cores;
    load.workers == Workers::Auto
        && load.clients > 1
        && cores > 1
        && local
        && trial.hosts.is_none()
        && !workload.reach().blocks
        && !workload.paces()
        && workload.most_threads(load.clients).is_none()
        && load.schedule == Schedule::Closed
        && load.groups.is_empty()
        && load.operations.is_none()
        && trial.warmup_ms.saturating_add(trial.measure_ms) >= LEAST_TRIAL_MS
        && trial.scale.is_none()
        // A try of a load that writes would change the data that the trial finds, and one of a load that ends by itself is the load.
        && !permission::writes(trial)
        && !ends_by_itself(trial)
}

fn ends_by_itself(trial: &Trial) -> bool {
    tenbin_workloads::find_workload(&trial.load.workload).is_ok_and(|entry| entry.ends != Ends::Never)
}

/// Trials with the same key have the same number of threads, whatever their target.
fn key(trial: &Trial, place: ServerPlace) -> String {
    format!("{} {} {:?} {place:?}", trial.load.workload, trial.load.clients, trial.load.options.get("ps_mode"))
}

/// What the numbers to try are, the fewest threads first.
fn candidates(clients: u32, cores: u32) -> Vec<Workers> {
    let mut all = vec![Workers::Count(1)];
    for loops in [cores, cores * 3] {
        if loops > 1 && loops < clients {
            all.push(Workers::Count(loops));
        }
    }
    if clients <= cores * FEW_PER_CORE {
        all.push(Workers::PerClient);
    }
    all
}

/// The tries with one number.
#[derive(Debug, Clone, PartialEq)]
struct Tries {
    workers: Workers,
    /// Transactions per second of each.
    tps: Vec<f64>,
}

impl Tries {
    fn mean(&self) -> f64 {
        self.tps.iter().sum::<f64>() / self.tps.len().max(1) as f64
    }

    /// The variance of the mean.
    fn variance(&self) -> f64 {
        let (n, mean) = (self.tps.len() as f64, self.mean());
        if n < 2.0 { 0.0 } else { self.tps.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0) / n }
    }

    fn said(&self, clients: u32) -> Message {
        msg!("threads-rate", threads = said(self.workers, clients), tps = format!("{:.0}", self.mean()))
    }
}

/// The fewest threads that are not slower than the best by more than the spread of both.
fn best(tries: &[Tries]) -> Workers {
    let Some(top) = tries.iter().max_by(|a, b| a.mean().total_cmp(&b.mean())) else { return Workers::Auto };
    let as_good = |one: &&Tries| {
        let margin = (2.0 * (one.variance() + top.variance()).sqrt()).max(top.mean() * LEAST_DIFFERENCE);
        one.mean() >= top.mean() - margin
    };
    tries.iter().find(as_good).unwrap_or(top).workers
}

/// All numbers in turns, each round beginning with another one; `None` if a try failed.
fn try_all(
    trial: &Trial,
    cores: u32,
    test_beds: &TestBeds<'_>,
    emitter: &EventEmitter,
    stop: &StopSignal,
) -> Option<Vec<Tries>> {
    let all = candidates(trial.load.clients, cores);
    let mut tries: Vec<Tries> = all.iter().map(|workers| Tries { workers: *workers, tps: Vec::new() }).collect();
    for round in 0..ROUNDS {
        for turn in 0..all.len() {
            let index = (turn + round) % all.len();
            // Other random numbers than those of the trial.
            let seed = trial.seed ^ (0x5EED << 16 | (round * all.len() + turn) as u64);
            tries[index].tps.push(one(trial, all[index], seed, test_beds, emitter, stop)?);
            if stop.asked() {
                return None;
            }
        }
    }
    Some(tries)
}

/// Transactions per second of one try.
fn one(
    trial: &Trial,
    workers: Workers,
    seed: u64,
    test_beds: &TestBeds<'_>,
    emitter: &EventEmitter,
    stop: &StopSignal,
) -> Option<f64> {
    let test_bed = test_beds.current().ok()?;
    let policy = Policy { stop_on_error: false, transient: Transient::Known, ..trial.load.policy.clone() };
    let load = tenbin_model::trial::Load { workers, drain_ms: 0, policy, ..trial.load.clone() };
    let drive = Drive {
        load,
        warmup_ms: WARMUP_MS,
        measure_ms: MEASURE_MS,
        interval_ms: MEASURE_MS,
        seed,
        origin: emitter.origin(),
        part: LoadPart::ALL,
        server: test_bed.place,
        control: DriveControl::default(),
    };
    let work =
        Work { drive: &drive, trial, connector: &test_bed.connector, workload: &test_bed.workload, round_trips: false };
    let mut completed = 0;
    let ended = emitter.environment.drive(&work, stop, &mut |event| {
        if let HostEvent::Together(EngineEvent::Interval { phase: Phase::Measure, tally, .. }) = event {
            completed += tally.accounting.all_completed();
        }
        Ok(())
    });
    let ended = ended.ok()?.ended;
    let seconds = ended.measured_to_ns.saturating_sub(ended.measured_from_ns) as f64 / 1e9;
    (ended.cut_short.is_none() && completed > 0 && seconds > 0.0).then(|| completed as f64 / seconds)
}

/// How a number is remembered.
fn word(workers: Workers) -> String {
    match workers {
        Workers::Auto => "auto".to_owned(),
        Workers::PerClient => "per-client".to_owned(),
        Workers::Count(n) => n.to_string(),
    }
}

fn named(word: &str) -> Option<Workers> {
    match word {
        "per-client" => Some(Workers::PerClient),
        number => number.parse().ok().filter(|n| *n > 0).map(Workers::Count),
    }
}

/// How many threads that are.
fn said(workers: Workers, clients: u32) -> u32 {
    match workers {
        Workers::Count(n) => n.min(clients),
        Workers::Auto | Workers::PerClient => clients,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::event::Event;
    use tenbin_model::plan::{Plan, expand};

    #[test]
    fn the_fewest_threads_unless_more_are_better_beyond_doubt() {
        let of = |rates: [[f64; 3]; 3]| {
            let workers = [Workers::Count(1), Workers::Count(2), Workers::PerClient];
            let tries: Vec<Tries> =
                workers.iter().zip(rates).map(|(w, tps)| Tries { workers: *w, tps: tps.to_vec() }).collect();
            best(&tries)
        };
        let close = [100.0, 101.0, 99.0];
        assert_eq!(of([close, close, close]), Workers::Count(1));
        assert_eq!(of([close, [131.0, 129.0, 130.0], [131.5, 130.0, 130.5]]), Workers::Count(2));
        assert_eq!(of([close, [110.0, 111.0, 109.0], [150.0, 151.0, 149.0]]), Workers::PerClient);
        assert_eq!(
            of([[99.0, 60.0, 150.0], [130.0, 70.0, 140.0], [100.0; 3]]),
            Workers::Count(1),
            "noise decides nothing"
        );
        assert_eq!(of([[99.0; 3], [100.0; 3], [100.5; 3]]), Workers::Count(1), "nor does a difference below 2 %");
    }

    #[test]
    fn a_run_that_is_continued_has_the_threads_of_its_first_trials() {
        let plan = |clients: u32| {
            let text = format!(
                "schema = 1\n[targets]\na = {{ dsn = \"mysql://u@127.0.0.1/d\" }}\nb = {{ dsn = \"mysql://u@127.0.0.1:3307/d\" }}\n\
                 c = {{ dsn = \"mysql://u@far/d\" }}\n[[experiment]]\nrepeats = 1\n\
                 load = {{ workload = \"oltp_point_select\", clients = {clients} }}\n"
            );
            let mut trials = expand(&Plan::parse(&text, &tenbin_workloads::catalog()).unwrap());
            trials.sort_by(|a, b| a.target.name.cmp(&b.target.name));
            trials
        };
        let trials = plan(16);
        let mut summary = Summary::default();
        for trial in trials.clone() {
            summary.take(&Event::TrialPlanned { planned: Box::new(trial), expected: 3 });
        }
        summary.trials.sort_by(|a, b| a.trial.target.name.cmp(&b.trial.target.name));
        let of = |summary: &Summary, trial: &Trial| before(trial, ServerPlace::SameCores, summary, &|_| true);
        assert_eq!(of(&summary, &trials[0]), None, "nothing was driven yet");
        summary.trials[2].workers = 2;
        assert_eq!(of(&summary, &trials[0]), None, "the server of that target is elsewhere");
        summary.trials[1].workers = 6;
        assert_eq!(of(&summary, &trials[0]), Some(Workers::Count(6)), "of the other target");
        summary.trials[0].workers = 16;
        assert_eq!(of(&summary, &trials[0]), Some(Workers::PerClient));
        assert_eq!(of(&summary, &trials[1]), Some(Workers::Count(6)));
        assert_eq!(of(&summary, &plan(8)[0]), None, "of another number of clients nothing is known");
        let none_is_open = before(&trials[0], ServerPlace::SameCores, &summary, &|_| false);
        assert_eq!(none_is_open, None, "a number that the plan gives says nothing of another trial");
    }

    #[test]
    fn numbers_that_are_the_same_are_tried_once() {
        use Workers::{Count, PerClient};
        assert_eq!(candidates(16, 2), [Count(1), Count(2), Count(6), PerClient]);
        assert_eq!(candidates(2, 2), [Count(1), PerClient]);
        assert_eq!(candidates(512, 2), [Count(1), Count(2), Count(6)]);
        for workers in [Count(1), Count(6), PerClient] {
            assert_eq!(named(&word(workers)), Some(workers));
        }
        assert_eq!((named("0"), named("auto")), (None, None));
    }
}
