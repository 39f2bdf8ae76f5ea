//! Before the clients of a trial: its server is up, its data are in the required state, and its observers read.

use crate::claims::Claims;
use crate::data::{self, DataAction};
use crate::emitter::{EventEmitter, TrialError};
use crate::environment::Observers;
use crate::hooks::{RunHooks, keeping_marks};
use crate::inspect::{self, BeforeLoad};
use crate::test_bed::{TestBed, TestBeds};
use crate::used_files;
use crate::{ceiling, golden, managed, permission, preflight, restore_command, settle, thread_tries};
use std::time::Duration;
use tenbin_model::load_host::LoadHostsAt;
use tenbin_model::names::tables;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Trial, Workers};
use tenbin_workload::tables::mark;

/// Whether the clients can start.
pub enum Prepared {
    /// They can.
    Ready {
        /// What the server said before them, if it was asked.
        before: Option<Box<BeforeLoad>>,
        /// On how many threads.
        workers: Workers,
    },
    /// The run was stopped before.
    Stopped,
}

pub fn prepare(
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    (claims, hooks, hung): (&mut Claims, &RunHooks<'_>, &[&str]),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<Prepared, TrialError> {
    let is_prebuilt = test_beds.is_prebuilt();
    if !is_prebuilt {
        used_files::unchanged(trial)?;
    }
    let test_bed = test_beds.bring_up(trial, emitter)?;
    claim(trial, test_bed, claims, emitter)?;
    if !is_prebuilt {
        permission::tell_reach(trial, test_bed, emitter)?;
    }
    let step = data::decide(trial, test_bed, emitter, stop)?;
    if let Some(dataset) = test_bed.dataset.as_deref().filter(|_| permission::writes(trial) && !step.creates()) {
        // Who creates the tables says it with them.
        claims.say(&test_bed.connector, dataset, false);
    }
    let notes = preflight::check(trial, test_bed, step, claims, emitter)?;
    // The server may be started again, and its observers would lose their connections.
    let before_observers = step == DataAction::Command || (step.creates() && trial.target.restore.is_golden());
    match step {
        DataAction::Command => restore_command::restore(trial, test_beds, claims, emitter, stop)?,
        _ if before_observers => golden::restore(step, trial, test_beds, claims, emitter, stop)?,
        _ => {}
    }
    if step == DataAction::Command && stop.asked() {
        return Ok(Prepared::Stopped);
    }
    ceiling::measure(trial, test_beds, emitter, stop)?;
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    emitter.observe(watch(trial, test_bed, claims, hung, emitter));
    if !before_observers {
        data::bring_into_state(step, trial, test_bed, claims, emitter, stop)?;
    }
    permission::to_write_tables(trial, &*test_bed.workload, &test_bed.connector, &[]).map_err(TrialError::Trial)?;
    let of_tables = trial.target.hooks.with_data.is_some().then_some(&test_bed.connector);
    keeping_marks(of_tables, || hooks.with_data(trial, emitter, stop))?;
    if let Some(dataset) = test_bed.dataset.as_deref().filter(|_| of_tables.is_some()) {
        // A server that the command has started again has forgotten who uses the tables.
        claims.take_for_trial(&trial.target, &test_bed.connector, dataset, emitter)?;
    }
    if trial.target.hooks.with_data.is_some() && test_beds.has_other_process(trial, emitter)? {
        // The observers have lost the server that the command has started again, as for a cold cache.
        let hung: Vec<&str> = hung.iter().copied().chain(emitter.observed()?).collect();
        let test_bed = test_beds.current().map_err(TrialError::Trial)?;
        emitter.observe(watch(trial, test_bed, claims, &hung, emitter));
    }
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    if test_bed.connector.dsn().scheme.kind().has_mysql_status && test_bed.workload.truncates() {
        mark::settle(&test_bed.connector).map_err(TrialError::Trial)?;
    }
    settle::settle(trial, test_bed, emitter, stop)?;
    if step != DataAction::Use || trial.settle_ms > 0 || trial.settle_until.is_some() {
        preflight::check_again(trial, test_bed, claims, &notes, emitter)?;
    }
    emit_tables(trial, test_bed, emitter)?;
    if stop.asked() {
        return Ok(Prepared::Stopped);
    }
    let workers = thread_tries::decide(trial, test_beds, emitter, stop)?.unwrap_or(trial.load.workers);
    let before = inspect::before(trial, test_beds, emitter)?;
    Ok(Prepared::Ready { before, workers })
}

/// This many connections are left for observers and for people who look at the server.
const OF_OBSERVERS: u32 = 10;

/// Makes sure that the trial may write what it writes, and that no other run uses its tables.
fn claim(trial: &Trial, test_bed: &TestBed, claims: &mut Claims, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    if permission::writes(trial) {
        permission::to_write(trial, test_bed, emitter)?;
    }
    if let Some(dataset) = test_bed.dataset.as_deref() {
        claims.take_for_trial(&trial.target, &test_bed.connector, dataset, emitter)?;
    } else {
        let clients = test_bed.workload.connections(trial.load.clients);
        if clients > 0 && tenbin_engine::limits::leave_room(test_bed.workload.sockets(trial.load.clients)) {
            claims.say_use(&trial.target, &test_bed.connector, clients.saturating_add(OF_OBSERVERS));
        }
    }
    Ok(())
}

/// Emits the facts about the tables.
fn emit_tables(trial: &Trial, test_bed: &TestBed, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    let mut facts = test_bed.workload.tables().map_err(TrialError::Trial)?;
    if let Some(dataset) = test_bed.dataset.as_ref().filter(|dataset| dataset.prepared_by().is_none()) {
        facts.insert(tables::ROWS.to_owned(), dataset.rows().to_string());
        facts.insert(tables::UNIT.to_owned(), dataset.unit().to_owned());
        facts.insert(tables::BYTES.to_owned(), dataset.bytes().to_string());
    }
    if facts.is_empty() { Ok(()) } else { emitter.facts(&trial.target.name, facts) }
}

/// Starts the observers that apply to the trial, except for those that hang.
fn watch(
    trial: &Trial,
    test_bed: &TestBed,
    claims: &Claims,
    hung: &[&str],
    emitter: &EventEmitter,
) -> Box<dyn Observers> {
    let connector = test_bed.connector.clone();
    let replicas = test_bed.replicas.clone();
    let exporters = test_bed.exporters.clone();
    let link = test_bed.link.clone();
    let host = trial.target.host.clone();
    let managed = managed::subjects(&trial.target, emitter.environment.now());
    let subject = tenbin_observers::Subject {
        pid: test_bed.pid,
        host,
        replicas,
        exporters,
        managed,
        link,
        own: tenbin_observers::OwnConnections::of(claims.connections(&test_bed.connector)),
        clients_are_elsewhere: trial.hosts.as_ref().is_some_and(|hosts| hosts.at != LoadHostsAt::Local),
        ..tenbin_observers::Subject::at(connector)
    };
    let every = Duration::from_millis(trial.interval_ms);
    let sampling = tenbin_observers::Sampling { every, observe: trial.load.observe, origin: emitter.origin() };
    emitter.environment.observe(&subject, sampling, hung)
}
