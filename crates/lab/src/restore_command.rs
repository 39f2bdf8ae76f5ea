//! Restores the data of a trial by a command of the user: a snapshot of a file system or of a provider, a dump, a backup by
//! other means. The command may restart the server and replace anything in it.

use crate::claims::Claims;
use crate::emitter::{EventEmitter, TrialError};
use crate::hooks::{access, environment_of, for_programs};
use crate::test_bed::TestBeds;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::dsn::redact;
use tenbin_model::event::{Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{RestoreCommand, Trial};
use tenbin_servers::command::UserCommand;
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::DatasetState;
use tenbin_workload::tables::mark::{self, TableIdentities};

/// How often the return of the server is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Runs the command, waits until the server accepts connections, and verifies that it has the data of the trial. A stop that is requested meanwhile waits
/// for the command only.
pub fn restore(
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let Some(command) = trial.target.restore.command.as_ref().filter(|_| !stop.asked()) else { return Ok(()) };
    emitter.phase(Phase::Restore)?;
    let start = emitter.environment.now();
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    let (connector, run) = (test_bed.connector.clone(), test_beds.run);
    let mut of_others = TableIdentities::new();
    if let Some(dataset) = test_bed.dataset.as_deref() {
        claims.alone(&connector, dataset).map_err(TrialError::Trial)?;
        of_others = mark::unmarked(&connector).map_err(TrialError::Trial)?;
    }
    claims.release(test_bed);
    run_command(command, trial, run, &connector, emitter, stop)?;
    if stop.asked() {
        // It was waited for, and the trial ends here.
        return Ok(());
    }
    let patience = Duration::from_millis(command.timeout_ms);
    answering(&connector, start, patience, emitter, stop)?;
    let test_bed = test_beds.restored_by_command(trial, emitter)?;
    let Some(dataset) = test_bed.dataset.as_deref() else { return Ok(()) };
    claims.take_for_trial(&trial.target, &test_bed.connector, dataset, emitter)?;
    // A table that took the name of one of ours stays another's, unless the command has replaced it.
    mark::renew_but(&test_bed.connector, &of_others).map_err(TrialError::Trial)?;
    let lacking = match dataset.inspect(&test_bed.connector).map_err(TrialError::Trial)? {
        DatasetState::Ready { .. } => return Ok(()),
        DatasetState::Nothing => msg!("found-none"),
        DatasetState::Unfinished { problem } | DatasetState::Different { problem, .. } => foreign(&problem),
    };
    let problem = Problem::new(msg!("restore-command-lacks-data", dataset = trial.dataset.name));
    Err(TrialError::Trial(problem.evidence(lacking).hint(try_it(command))))
}

/// Runs it to its end, and records its last lines and its time.
fn run_command(
    command: &RestoreCommand,
    trial: &Trial,
    run: &str,
    connector: &Connector,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let mut environment = environment_of(run, trial, None);
    // Also that of a private server.
    environment.retain(|(name, _)| *name != "TENBIN_ADDRESS");
    let options = trial.dataset.options.iter().map(|(name, value)| format!("{name}={value}"));
    let mut address = connector.dsn().to_string();
    if trial.target.sandbox.is_some() {
        environment.extend(access(&address));
        address = for_programs(&address);
    }
    environment.extend([
        ("TENBIN_ADDRESS", address),
        ("TENBIN_DATASET", trial.dataset.name.clone()),
        ("TENBIN_DATASET_OPTIONS", options.collect::<Vec<_>>().join(" ")),
    ]);
    let patience = Duration::from_millis(command.timeout_ms);
    let environment = &environment;
    // Half restored data may look like whole ones.
    let user = UserCommand { text: &command.run, environment, patience, directory: None, is_awaited: true };
    let end = emitter.environment.command(&user, stop).map_err(TrialError::Trial)?;
    let evidence = end.evidence();
    let target = &trial.target.name;
    if end.failure.is_some() {
        let problem = Problem { evidence, ..Problem::new(msg!("restore-command-failed", target)) };
        return Err(TrialError::Trial(problem.hint(try_it(command))));
    }
    let took = figure::span(end.took.as_secs_f64());
    let note = Problem::new(msg!("restored-by-command", target, took));
    emitter.note(Severity::Info, Problem { evidence, ..note })
}

/// Waits until the server accepts connections, which the command may have closed.
fn answering(
    connector: &Connector,
    since: std::time::Instant,
    patience: Duration,
    emitter: &EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let environment = emitter.environment;
    loop {
        let Err(problem) = environment.server(connector) else { return Ok(()) };
        let passed = environment.now().saturating_duration_since(since);
        if stop.asked() {
            return Err(TrialError::Trial(problem));
        }
        if passed > patience {
            let what =
                msg!("server-gone-after-restore", dsn = connector.dsn(), waited = figure::span(passed.as_secs_f64()));
            let problem = Problem::new(what).evidence(foreign(&problem));
            return Err(TrialError::Trial(problem.hint(msg!("look-into-error-log"))));
        }
        environment.sleep(LOOK);
    }
}

fn try_it(command: &RestoreCommand) -> tenbin_words::message::Message {
    msg!("try-command", command = shell::quoted(&redact(&command.run)))
}
