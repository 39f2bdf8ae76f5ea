//! Puts the data into the state a trial starts from: found as wanted, loaded, or dropped and loaded again.

use crate::stage::Stage;
use crate::teller::{Halt, Teller};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tenbin_model::event::{Phase, Severity};
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Restore, Trial};
use tenbin_workload::{Checked, Found};

pub fn bring_into_state(trial: &Trial, stage: &Stage, teller: &mut Teller, stop: &StopSignal) -> Result<(), Halt> {
    let Some(dataset) = stage.dataset.as_deref() else { return Ok(()) };
    let found = dataset.inspect(&stage.connector).map_err(Halt::Trial)?;
    let fresh = match (found, trial.restore) {
        (Found::Ready { .. }, Restore::Never | Restore::Require) => return Ok(()),
        (Found::Nothing, Restore::Require) => {
            return Err(Halt::Trial(
                Problem::new(format!("the {} of {} are not there", tables(trial), trial.load.workload))
                    .evidence(format!("looked in {}", stage.connector.dsn()))
                    .mend(load_command(trial)),
            ));
        }
        (Found::Nothing, _) => true,
        (
            Found::Ready { ours: true } | Found::Different { ours: true, .. } | Found::Unfinished { .. },
            Restore::BeforeRun,
        ) => false,
        (Found::Different { problem, .. } | Found::Unfinished { problem }, _) => return Err(Halt::Trial(problem)),
        (Found::Ready { ours: false }, Restore::BeforeRun) => {
            return Err(Halt::Trial(
                Problem::new(format!(
                    "the {} of data set {} were not made by Tenbin, so they are not dropped and loaded again",
                    tables(trial),
                    trial.dataset.name
                ))
                .evidence(format!("no tenbin_mark in {}", stage.connector.dsn()))
                .mend("set restore = \"never\" to use them as they are, or point the target at an empty schema"),
            ));
        }
    };
    if !fresh {
        teller.phase(Phase::Restore)?;
        dataset.drop_ours(&stage.connector).map_err(Halt::Trial)?;
    }
    teller.phase(Phase::Load)?;
    load(trial, stage, teller, stop)
}

/// Works on a thread of its own while this one tells how far it has come: so much of so much, put down by `work`.
fn telling<T: Send>(
    (teller, phase, unit): (&mut Teller, Phase, &str),
    stop: &StopSignal,
    total: u64,
    work: impl FnOnce(&(dyn Fn(u64, u64) + Sync)) -> Result<T, Problem> + Send,
) -> Result<T, Halt> {
    let (done, of, start) = (AtomicU64::new(0), AtomicU64::new(total), Instant::now());
    std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            work(&|n, all| {
                of.store(all, Ordering::Relaxed);
                done.store(n, Ordering::Relaxed);
            })
        });
        let mut listener = Ok(());
        while !working.is_finished() {
            std::thread::sleep(Duration::from_millis(20));
            let all = of.load(Ordering::Relaxed);
            if start.elapsed().as_millis() % 200 < 25 && listener.is_ok() && all > 0 {
                listener = teller.progress(phase, done.load(Ordering::Relaxed), all, unit);
                if listener.is_err() {
                    stop.ask();
                }
            }
        }
        let worked = working.join().unwrap_or_else(|_| {
            Err(Problem::new("the thread that loads or checks panicked; this is a fault of Tenbin"))
        });
        listener.and(worked.map_err(Halt::Trial))
    })
}

/// Loads while this thread tells the progress.
fn load(trial: &Trial, stage: &Stage, teller: &mut Teller, stop: &StopSignal) -> Result<(), Halt> {
    let Some(dataset) = stage.dataset.as_deref() else { return Ok(()) };
    let (total, start) = (dataset.rows(), Instant::now());
    // The data depend on the data set alone, not on the trial: every repeat and target gets the same rows.
    let seed = 0;
    let outcome = telling((teller, Phase::Load, dataset.unit()), stop, total, |progress| {
        dataset.load(&stage.connector, trial.dataset.streams, seed, &|rows| progress(rows, total), stop)
    });
    for left_out in outcome? {
        teller.note(Severity::Warning, left_out)?;
    }
    teller.progress(Phase::Load, total, total, dataset.unit())?;
    let (seconds, unit) = (start.elapsed().as_secs_f64(), dataset.unit());
    teller.note(
        Severity::Info,
        Problem::new(format!(
            "loaded {} {unit} in {} ({} {unit}/s, {} streams)",
            figure::whole(i128::from(total)),
            figure::span(seconds),
            figure::grouped(total as f64 / seconds.max(1e-9)),
            trial.dataset.streams
        )),
    )?;
    if dataset.checks().load { check(trial, stage, true, teller, stop) } else { Ok(()) }
}

/// Looks whether the rows agree with each other; fails when they do not.
pub fn check(trial: &Trial, stage: &Stage, fresh: bool, teller: &mut Teller, stop: &StopSignal) -> Result<(), Halt> {
    let Some(dataset) = stage.dataset.as_deref() else { return Ok(()) };
    teller.phase(Phase::Check)?;
    let start = Instant::now();
    let checked = telling((teller, Phase::Check, "rows"), stop, 0, |progress| {
        dataset.check(&stage.connector, trial.dataset.streams, fresh, progress, stop)
    })?;
    if let Some(problem) = Checked::problem(&checked) {
        return Err(Halt::Trial(problem));
    }
    let (all, rows) =
        (checked.iter().filter(|c| c.left_out.is_none()).count(), checked.iter().map(|c| c.rows).sum::<u64>());
    let seconds = figure::span(start.elapsed().as_secs_f64());
    let words =
        format!("{all} consistency conditions hold: {} rows examined in {seconds}", figure::whole(i128::from(rows)));
    teller.note(Severity::Info, Problem::new(words))
}

/// What the data set is made of.
fn tables(trial: &Trial) -> &'static str {
    if trial.dataset.kind == "files" { "files" } else { "tables" }
}

/// The command that makes the missing tables.
fn load_command(trial: &Trial) -> String {
    if trial.dataset.kind == "files" {
        let options: String = trial.dataset.options.iter().map(|(name, value)| format!(" -o {name}={value}")).collect();
        return format!(
            "tenbin load {} '{}'{options}",
            trial.load.workload,
            trial.target.dsn.as_deref().unwrap_or("host:")
        );
    }
    let option =
        |name: &str, flag: &str| trial.dataset.options.get(name).map(|v| format!(" {flag} {v}")).unwrap_or_default();
    format!(
        "tenbin load {} '{}'{}{}",
        trial.load.workload,
        trial.target.dsn.as_deref().unwrap_or("DSN"),
        option("tables", "--tables"),
        option("table_size", "--table-size")
    )
}
