//! Restores the data of a trial from a golden database of the same PostgreSQL server (see
//! [`tenbin_servers::golden::database`]). If there is none, the data are loaded and it is made first.

use crate::claims::Claims;
use crate::data::{self, DataAction};
use crate::emitter::{EventEmitter, TrialError};
use crate::golden_work::{PARTS_OF_TABLES, first_of, span, variant, working};
use crate::own_tables::OwnTables;
use crate::permission;
use crate::test_bed::TestBeds;
use tenbin_driver::Connector;
use tenbin_model::event::{Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Allow, Target, Trial};
use tenbin_servers::golden::database::{self, GoldenDatabase, Swapped};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::DatasetState;
use tenbin_workload::tables::others;

/// Brings the data into the required state: `step` is what would be done without a golden database.
pub fn restore(
    step: DataAction,
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    let Some(dataset) = test_bed.dataset.as_deref() else { return Ok(()) };
    let (connector, rows) = (test_bed.connector.clone(), dataset.rows());
    let facts = emitter.environment.server(&connector).map_err(TrialError::Trial)?;
    if let Some(problem) = obstacles(&trial.target, Some(&connector), &test_beds.own_tables).into_iter().next() {
        return Err(TrialError::Trial(problem));
    }
    claims.alone(&connector, dataset).map_err(TrialError::Trial)?;
    emitter.phase(Phase::Restore)?;
    let mut variant = variant(trial, &facts);
    let own = claims.connections(&connector);
    let outcome = working(emitter, 0, |_| {
        database::unused(&connector, &own)?;
        variant.layout = database::layout(&connector)?;
        database::find(&connector, &variant, rows)
    })?;
    let outcome = outcome.map_err(TrialError::Trial)?;
    if !outcome.dropped.is_empty() {
        let what = msg!("golden-database-remains-dropped", names = outcome.dropped.join(", "));
        emitter.note(Severity::Info, Problem::new(what))?;
    }
    let golden = match outcome.golden {
        Some(golden) => golden,
        None => {
            data::bring_into_state(step, trial, test_bed, claims, emitter, stop)?;
            // Loading may take hours, and what others have put there would be in the golden database, and come back with it.
            if !may_be_replaced(&trial.target) {
                nothing_of_others(&connector, &test_beds.own_tables).map_err(TrialError::Trial)?;
            }
            emitter.phase(Phase::Restore)?;
            claims.release(test_bed);
            let (made, start) = (emitter.environment.date(), emitter.environment.now());
            let golden = working(emitter, 0, |_| database::make(&connector, &variant, rows, &made))?;
            let golden = golden.map_err(TrialError::Trial)?;
            let what = msg!(
                "golden-database-made",
                name = golden.name,
                database = connector.dsn().database,
                bytes = figure::bytes(golden.bytes as f64),
                took = span(emitter.environment.now().saturating_duration_since(start))
            );
            emitter.note(Severity::Info, Problem::new(what))?;
            golden
        }
    };
    put_back(trial, &connector, &golden, test_beds, claims, emitter)
}

/// Puts a copy of the golden database in place, and verifies that it contains the data of the trial.
fn put_back(
    trial: &Trial,
    connector: &Connector,
    golden: &GoldenDatabase,
    test_beds: &mut TestBeds<'_>,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
) -> Result<(), TrialError> {
    claims.release(test_beds.current().map_err(TrialError::Trial)?);
    let own = test_beds.own_tables.clone();
    let nothing_of_others = || match may_be_replaced(&trial.target) {
        true => Ok(()),
        false => nothing_of_others(connector, &own),
    };
    let swapped = working(emitter, golden.bytes, |_| database::put_back(connector, golden, &nothing_of_others))?;
    let Swapped { copying, swapping, by_files } = swapped.map_err(TrialError::Trial)?;
    emitter.progress(Phase::Restore, golden.bytes, golden.bytes, "bytes")?;
    let what = msg!(
        "golden-database-put-back",
        name = golden.name,
        bytes = figure::bytes(golden.bytes as f64),
        rows = figure::whole(i128::from(golden.mark.rows)),
        made = golden.mark.made
    );
    let times = msg!("golden-database-put-back-times", copying = span(copying), swapping = span(swapping));
    let memory = if by_files { msg!("memory-after-copy-of-files") } else { msg!("memory-after-copy-by-pages") };
    emitter.note(Severity::Info, Problem::new(what).evidence(Message::joined([times, memory], "; ")))?;
    let test_bed = test_beds.replaced_while_running(trial).map_err(TrialError::Trial)?;
    let Some(dataset) = test_bed.dataset.as_deref() else { return Ok(()) };
    claims.take_for_trial(&trial.target, &test_bed.connector, dataset, emitter)?;
    let lacking = match dataset.inspect(&test_bed.connector).map_err(TrialError::Trial)? {
        DatasetState::Ready { .. } => return Ok(()),
        DatasetState::Nothing => msg!("found-none"),
        DatasetState::Unfinished { problem } | DatasetState::Different { problem, .. } => foreign(&problem),
    };
    let problem = Problem::new(msg!("golden-database-lacks-data", name = golden.name)).evidence(lacking);
    let name = format!("\"{}\"", golden.name);
    Err(TrialError::Trial(problem.hint(msg!("drop-golden-database", name))))
}

/// Why a target cannot be restored in this way, found before anything is done. `connector`: to its server, if that can be asked.
pub fn obstacles(target: &Target, connector: Option<&Connector>, own: &OwnTables) -> Vec<Problem> {
    // A private server gives all rights, and has nothing of others.
    let Some(connector) = connector.filter(|_| target.sandbox.is_none()) else { return Vec::new() };
    let mut problems = database::obstacles(connector).unwrap_or_else(|problem| vec![problem]);
    if problems.is_empty() && !may_be_replaced(target) {
        problems.extend(nothing_of_others(connector, own).err());
    }
    problems
}

/// Whether what others have in the database may be lost.
fn may_be_replaced(target: &Target) -> bool {
    target.sandbox.is_some() || target.allow.contains(&Allow::ReplaceServer)
}

/// Fails if the database has tables or other objects that Tenbin did not create, or created for other plans: they would be brought back to what they were.
fn nothing_of_others(connector: &Connector, own: &OwnTables) -> Result<(), Problem> {
    own.nothing_else(connector, &others::marked_in_database(connector)?)?;
    let mut all = others::unmarked_in_database(connector)?;
    let parts = permission::parts_of_others(connector)?.into_iter();
    let parts = parts.filter(|(kind, _)| PARTS_OF_TABLES.contains(&kind.as_str()));
    all.extend(parts.map(|(kind, name)| format!("{kind} {name}")));
    if all.is_empty() {
        return Ok(());
    }
    let what = msg!("objects-of-others", database = connector.dsn().database, count = all.len());
    Err(Problem::new(what).evidence(first_of(&all)).hint(msg!("allow-replace-server")))
}
