//! Brings the data into the state that a trial requires: used as they are, loaded, or dropped and loaded again.

use crate::claims::Claims;
use crate::emitter::{EventEmitter, TrialError};
use crate::environment::SliceLoaders;
use crate::permission;
use crate::test_bed::TestBed;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::event::{Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Restore, RestoreKind, Trial};
use tenbin_servers::Waiting;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::{Checked, DatasetEntry, DatasetState};

/// What is done with the data before a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataAction {
    /// They are used as they are.
    Use,
    /// They are created.
    Load,
    /// Existing data of ours are dropped and created again.
    Replace,
    /// A command of the user restores them, whatever there is.
    Command,
}

impl DataAction {
    /// Whether Tenbin creates tables.
    pub fn creates(self) -> bool {
        matches!(self, DataAction::Load | DataAction::Replace)
    }
}

/// Inspects the data and decides what has to be done.
pub fn decide(
    trial: &Trial,
    test_bed: &TestBed,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<DataAction, TrialError> {
    let Some(dataset) = test_bed.dataset.as_deref() else { return Ok(without_dataset(trial, test_bed.rule)) };
    // A schema is looked at before it is dropped as a whole: for the further trials of a cell that look is enough.
    if test_bed.is_checked && dataset.schema().is_some() && test_bed.rule == Restore::BeforeRun {
        return Ok(DataAction::Replace);
    }
    let looked = (&mut *emitter, Phase::Check, "rows");
    let state = telling(looked, test_bed, stop, 0, |connector, _, _| dataset.inspect(connector))?;
    step(trial, test_bed.rule, state, &test_bed.connector).map_err(TrialError::Trial)
}

/// What is done before a trial whose workload has no data set: only a command of the user can restore what it uses.
pub fn without_dataset(trial: &Trial, rule: Restore) -> DataAction {
    let restored = rule == Restore::BeforeRun && trial.target.restore.kind == RestoreKind::Command;
    if restored { DataAction::Command } else { DataAction::Use }
}

/// What has to be done by this rule (see [`DataUses::rule`](tenbin_model::data_use::DataUses::rule)), given the existing
/// data; fails if that is not permitted.
pub fn step(trial: &Trial, rule: Restore, state: DatasetState, connector: &Connector) -> Result<DataAction, Problem> {
    // A plan that restores data may also replace what a trial has left unusable.
    let replaces = !matches!(trial.restore, Restore::Never | Restore::Require);
    if trial.target.restore.kind == RestoreKind::Command && (replaces || rule == Restore::Never) {
        return match state {
            DatasetState::Ready { .. } if rule == Restore::Never => Ok(DataAction::Use),
            DatasetState::Different { problem, .. } | DatasetState::Unfinished { problem } if !replaces => Err(problem),
            _ => Ok(DataAction::Command),
        };
    }
    match (state, rule) {
        (DatasetState::Ready { .. }, Restore::Never | Restore::Require) => Ok(DataAction::Use),
        (DatasetState::Nothing, Restore::Require) if trial.target.sandbox.is_some() => {
            Err(Problem::new(msg!("sandbox-is-empty", workload = trial.load.workload, target = trial.target.name))
                .hint(msg!("set-restore-never-to-load")))
        }
        (DatasetState::Nothing, Restore::Require) => {
            Err(Problem::new(msg!("data-missing", unit = unit(made_of(trial)), workload = trial.load.workload))
                .evidence(msg!("looked-in", dsn = connector.dsn()))
                .hint(load_command(trial)))
        }
        (DatasetState::Nothing, _) => Ok(DataAction::Load),
        (DatasetState::Ready { ours: true }, _) => Ok(DataAction::Replace),
        // Whatever a trial has left of them: a restore has to bring them back.
        (DatasetState::Different { ours: true, .. } | DatasetState::Unfinished { .. }, _) if replaces => {
            Ok(DataAction::Replace)
        }
        (DatasetState::Different { problem, .. } | DatasetState::Unfinished { problem }, _) => Err(problem),
        (DatasetState::Ready { ours: false }, _) => {
            Err(Problem::new(msg!("data-not-ours", unit = unit(made_of(trial)), dataset = trial.dataset.name))
                .evidence(match connector.dsn().scheme.kind().has_mysql_status {
                    true => msg!("no-tenbin-mark-of-now", dsn = connector.dsn()),
                    false => msg!("no-tenbin-mark-in", dsn = connector.dsn()),
                })
                .hint(msg!("set-restore-never-to-use")))
        }
    }
}

/// Executes the decision.
pub fn bring_into_state(
    step: DataAction,
    trial: &Trial,
    test_bed: &TestBed,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let Some(dataset) = test_bed.dataset.as_deref().filter(|_| step.creates()) else { return Ok(()) };
    if !permission::writes(trial) {
        // The clients only read, but there are no tables yet.
        permission::to_write(trial, test_bed, emitter)?;
    }
    claims.alone(&test_bed.connector, dataset).map_err(TrialError::Trial)?;
    if let Some(loaders) = emitter.environment.loaders().filter(|_| dataset.has_slices()) {
        // What cannot be loaded again is not dropped.
        loaders.ready().map_err(TrialError::Trial)?;
    }
    if step == DataAction::Replace {
        emitter.environment.may_drop(trial, &test_bed.connector).map_err(TrialError::Trial)?;
        emitter.phase(Phase::Restore)?;
        telling((emitter, Phase::Restore, "rows"), test_bed, stop, 0, |connector, _, _| dataset.drop_ours(connector))?;
    }
    emitter.phase(Phase::Load)?;
    match dataset.schema() {
        None => claims.say(&test_bed.connector, dataset, true),
        // The mark is created with it.
        Some(_) => claims.unsay(&test_bed.connector, dataset),
    }
    let loaded = load(trial, test_bed, emitter, stop);
    claims.say(&test_bed.connector, dataset, false);
    loaded
}

/// How long without progress until the server is queried, on another connection, for its activity. Building an index
/// makes no progress either.
const SILENT: Duration = Duration::from_secs(15);

/// How often in a row this query may fail before the server is given up: more than a minute.
const DEAF: u32 = 4;

/// The parameters of the work: the connector, the stop signal, and a callback for the progress: how much is done, and of how much.
type DataWork<'a, T> =
    dyn FnOnce(&Connector, &StopSignal, &(dyn Fn(u64, u64) + Sync)) -> Result<T, Problem> + Send + 'a;

/// Does the work on another thread while this one reports the progress. The work is abandoned if a stop was requested
/// and the server does not answer, or if the server has not answered for a long time.
fn telling<'a, T: Send>(
    (emitter, phase, unit): (&mut EventEmitter, Phase, &str),
    test_bed: &TestBed,
    stop: &StopSignal,
    total: u64,
    work: impl FnOnce(&Connector, &StopSignal, &(dyn Fn(u64, u64) + Sync)) -> Result<T, Problem> + Send + 'a,
) -> Result<T, TrialError> {
    let environment = emitter.environment;
    let work: Box<DataWork<'a, T>> = Box::new(work);
    let (done, of, over) = (AtomicU64::new(0), AtomicU64::new(total), AtomicBool::new(false));
    let (start, leave) = (environment.now(), stop.below());
    let connector = test_bed.connector.until(&leave);
    let mut worked = None;
    let working = Box::new(|| {
        worked = Some(work(&connector, &leave, &|n, all| {
            of.store(all, Ordering::Relaxed);
            done.store(n, Ordering::Relaxed);
        }));
        over.store(true, Ordering::Relaxed);
    });
    let mut listener = Ok(());
    let (mut count, mut moved, mut deaf) = (0, start, 0);
    let whole = environment.beside(working, &mut || {
        if listener.is_err() && !leave.asked() {
            leave.ask();
        }
        let (now, n, all) = (environment.now(), done.load(Ordering::Relaxed), of.load(Ordering::Relaxed));
        if n != count {
            (count, moved, deaf) = (n, now, 0);
        }
        if now.saturating_duration_since(start).as_millis() % 200 < 25 && listener.is_ok() {
            listener = if all > 0 { emitter.progress(phase, n, all, unit) } else { emitter.observations() };
        }
        let silent = now.saturating_duration_since(moved) > SILENT && connector.patience().is_some();
        if silent && !leave.asked() && listener.is_ok() {
            let Waiting { problem, answers } = environment.waiting(&connector);
            moved = environment.now();
            deaf = if answers { 0 } else { deaf + 1 };
            if !over.load(Ordering::Relaxed) && (!answers || problem.hint.is_some()) {
                listener = emitter.note(Severity::Warning, problem);
            }
            if deaf == DEAF {
                leave.ask();
            }
        }
    });
    let worked = worked.filter(|_| whole).unwrap_or_else(|| Err(Problem::new(msg!("loading-thread-panicked"))));
    if listener.is_err() {
        stop.ask();
    }
    let worked = match worked {
        Err(problem) if deaf == DEAF && !stop.asked() => {
            Err(Problem::new(msg!("server-silent", time = figure::span(f64::from(DEAF) * SILENT.as_secs_f64())))
                .evidence(foreign(&problem))
                .hint(msg!("look-into-error-log")))
        }
        other => other,
    };
    listener.and(worked.map_err(TrialError::Trial))
}

/// Loads while this thread reports the progress.
fn load(trial: &Trial, test_bed: &TestBed, emitter: &mut EventEmitter, stop: &StopSignal) -> Result<(), TrialError> {
    let Some(dataset) = test_bed.dataset.as_deref() else { return Ok(()) };
    let (total, environment) = (dataset.rows(), emitter.environment);
    let start = environment.now();
    // The data depend on the data set alone, not on the trial: every repeat and target gets the same rows.
    let seed = 0;
    let (streams, loaders) = (trial.dataset.streams, environment.loaders().filter(|_| dataset.has_slices()));
    let outcome =
        telling((emitter, Phase::Load, dataset.unit()), test_bed, stop, total, |connector, leave, progress| {
            let progress = |rows| progress(rows, total);
            match loaders {
                None => dataset.load(connector, streams, seed, &progress, leave),
                Some(loaders) => {
                    let mut rows = || loaders.load(trial, connector, seed, &progress, leave);
                    dataset.load_around(connector, streams, seed, &mut rows, leave)
                }
            }
        });
    for left_out in outcome? {
        emitter.note(Severity::Warning, left_out)?;
    }
    // A data set may know only now how many rows it took.
    let (total, streams) = (dataset.rows(), dataset.streams_used(&test_bed.connector, streams));
    if dataset.prepared_by().is_none() {
        emitter.progress(Phase::Load, total, total, dataset.unit())?;
    }
    let (seconds, unit) = (environment.now().saturating_duration_since(start).as_secs_f64(), dataset.unit());
    let (rows, took) = (figure::whole(i128::from(total)), figure::span(seconds));
    let (unit, per_second) = (self::unit(unit), figure::grouped(total as f64 / seconds.max(1e-9)));
    let what = match loaders.map(SliceLoaders::count) {
        None if let Some(script) = dataset.prepared_by() => msg!("prepared-by-script", script, took),
        None => msg!("loaded", rows, unit, took, per_second, streams),
        Some(hosts) => {
            let streams = streams.max(hosts);
            msg!("loaded-by-hosts", rows, unit, took, per_second, streams, hosts)
        }
    };
    emitter.note(Severity::Info, Problem::new(what))?;
    if dataset.checks().load { check(trial, test_bed, true, emitter, stop) } else { Ok(()) }
}

/// Checks the consistency of the rows; fails if they are inconsistent.
pub fn check(
    trial: &Trial,
    test_bed: &TestBed,
    fresh: bool,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let Some(dataset) = test_bed.dataset.as_deref() else { return Ok(()) };
    emitter.phase(Phase::Check)?;
    let environment = emitter.environment;
    let start = environment.now();
    let checked = telling((emitter, Phase::Check, "rows"), test_bed, stop, 0, |connector, leave, progress| {
        dataset.check(connector, trial.dataset.streams, fresh, progress, leave)
    })?;
    if let Some(problem) = Checked::problem(&checked) {
        return Err(TrialError::Trial(problem));
    }
    let (all, rows) =
        (checked.iter().filter(|c| c.left_out.is_none()).count(), checked.iter().map(|c| c.rows).sum::<u64>());
    let seconds = figure::span(environment.now().saturating_duration_since(start).as_secs_f64());
    let words = msg!("conditions-hold", all, rows = figure::whole(i128::from(rows)), time = seconds);
    emitter.note(Severity::Info, Problem::new(words))
}

/// The unit of the data set.
fn made_of(trial: &Trial) -> &'static str {
    tenbin_workloads::find_dataset(&trial.dataset.kind).map_or("tables", |entry| entry.made_of)
}

/// The name of a unit, for messages.
pub fn unit(name: &str) -> Message {
    match name {
        "rows" => msg!("unit-rows"),
        "tables" => msg!("unit-tables"),
        "files" => msg!("unit-files"),
        "bytes" => msg!("unit-bytes"),
        other => foreign(other),
    }
}

/// Whether a SQLite database is a file that will be created, in an existing directory.
pub fn is_absent(connector: &Connector) -> bool {
    let dsn = connector.dsn();
    let file = Path::new(&dsn.database);
    let directory = file.parent().map(|dir| if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    dsn.scheme.kind().is_file && !file.exists() && directory.is_some_and(Path::is_dir)
}

/// What was found, in words.
pub fn words(state: &DatasetState) -> Message {
    match state {
        DatasetState::Nothing => msg!("found-none"),
        DatasetState::Ready { ours: true } => msg!("found-ours"),
        DatasetState::Ready { ours: false } => msg!("found-not-ours"),
        DatasetState::Different { problem, .. } | DatasetState::Unfinished { problem } => problem.what.clone(),
    }
}

/// The command that creates missing data.
fn load_command(trial: &Trial) -> Message {
    let rows = tenbin_workloads::find_dataset(&trial.dataset.kind).map(DatasetEntry::rows).unwrap_or_default();
    let usual = |name: &str, value: &str| rows.iter().any(|row| row.name == name && row.default == value);
    let option = |(name, value): (&String, &String)| match name.as_str() {
        name if usual(name, value) => String::new(),
        "tables" => format!(" --tables {value}"),
        "table_size" => format!(" --table-size {value}"),
        name => format!(" -o {name}={}", shell::word(value)),
    };
    let options: String = trial.dataset.options.iter().map(option).collect();
    let dsn = trial.target.dsn.as_deref().unwrap_or("DSN");
    msg!("tenbin-load", workload = trial.load.workload, address = shell::quoted(dsn), options)
}
