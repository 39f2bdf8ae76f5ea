//! Looks at the server of a trial and at its replicas right before the load and right after it: a trial is labelled with what its
//! servers have, not with what they were asked to have. Nothing is asked within the measured window.

use crate::emitter::{EventEmitter, TrialError};
use crate::permission;
use crate::test_bed::{TestBed, TestBeds};
use crate::variables;
use std::collections::BTreeMap;
use tenbin_model::changed_server::variable_of;
use tenbin_model::event::{Event, Severity};
use tenbin_model::inspection::{self, Changes, Edge, IDENTITY, NO_FILE, ServerInspection};
use tenbin_model::names::tables;
use tenbin_model::promise;
use tenbin_model::trial::{Target, Trial};
use tenbin_model::variables::in_bytes;
use tenbin_model::workload::{NO_DATA, SCRIPT_DATA};
use tenbin_servers::replica::ReplicaSubject;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How often variables that somebody changes are set again.
const TIMES: u32 = 3;

/// What the servers of a trial said right before the load.
pub struct BeforeLoad {
    server: ServerInspection,
    /// Its replicas, by their names.
    replicas: BTreeMap<String, ServerInspection>,
}

/// Right before the load: variables that do not have their planned values are set again, and facts that have changed since they
/// were read are recorded. Fails if the server does not have what the plan asks for. `None` if it says nothing of itself.
pub fn before(
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    emitter: &mut EventEmitter,
) -> Result<Option<Box<BeforeLoad>>, TrialError> {
    let (target, environment) = (&trial.target, emitter.environment);
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    let (connector, names) = (test_bed.connector.clone(), own_tables(trial, test_bed));
    let look = || environment.inspect(target, &connector, &names).map_err(TrialError::Trial);
    // A file that is not there yet is made by the clients.
    let Some(mut inspection) = look()?.filter(|inspection| inspection.identity != NO_FILE) else { return Ok(None) };
    // A number that the server had adjusted when it was set is left as it is; what somebody changes again and again is not.
    let mut is_lost = false;
    for _ in 0..TIMES {
        is_lost = !inspection.unlike.is_empty() && variables::are_set(target) && test_beds.set_again(trial, emitter)?;
        if !is_lost {
            break;
        }
        let Some(again) = look()? else { return Ok(None) };
        inspection = again;
    }
    let is_lost = is_lost && !inspection.unlike.is_empty();
    if is_lost || inspection.unlike.values().any(|values| !values.iter().all(|value| is_number(value))) {
        let what = msg!("settings-not-in-force", target = target.name);
        let problem = Problem::new(what).evidence(words(&inspection.unlike));
        return Err(TrialError::Trial(problem.hint(msg!("keep-others-from-changing-settings"))));
    }
    let is_known = test_beds.current().map_err(TrialError::Trial)?.known;
    if !is_known && target.sandbox.is_some() {
        for (variable, [value, now]) in &inspection.unlike {
            let note = Problem::new(msg!("setting-adjusted", variable, value));
            emitter.note(Severity::Warning, note.evidence(msg!("setting-is-now", variable, value = now)))?;
        }
    }
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    inspection.facts.extend(kept_by(trial, test_bed).map_err(TrialError::Trial)?);
    renew_facts(trial, &inspection, test_beds, emitter)?;
    emit(trial, (None, Edge::Before), recorded(&inspection, target), Changes::new(), emitter)?;
    let mut replicas = BTreeMap::new();
    for replica in test_beds.current().map_err(TrialError::Trial)?.replicas.clone() {
        let Some((of, inspection)) = inspect_replica(trial, &replica, emitter)? else { continue };
        emit(trial, (Some(&replica), Edge::Before), recorded(&inspection, of), Changes::new(), emitter)?;
        replicas.insert(replica.name, inspection);
    }
    Ok(Some(Box::new(BeforeLoad { server: inspection, replicas })))
}

/// How the tables of the trial are kept, by which is decided what a commit survives: their storage engines, and whether they are logged. Nothing of tables that
/// statements of the user may create and change themselves.
fn kept_by(trial: &Trial, test_bed: &TestBed) -> Result<BTreeMap<String, String>, Problem> {
    if test_bed.dataset.is_none() || permission::created_by_user().contains(&trial.dataset.kind.as_str()) {
        return Ok(BTreeMap::new());
    }
    let mut facts = test_bed.workload.tables()?;
    facts.retain(|fact, _| KEPT_BY.contains(&fact.as_str()));
    Ok(facts)
}

/// The tables that the clients use and leave as they are but for rows, by the workload and its data set, or by the statements of the user: none that these may
/// create and change themselves.
fn own_tables(trial: &Trial, test_bed: &TestBed) -> Vec<String> {
    let (workload, options) = (&trial.load.workload, &trial.load.options);
    let by_user = permission::created_by_user();
    let kind = tenbin_workloads::find_workload(workload).map_or(SCRIPT_DATA, |entry| entry.dataset);
    if kind == NO_DATA || by_user.contains(&kind) || by_user.contains(&trial.dataset.kind.as_str()) {
        return test_bed.workload.named_tables().unwrap_or_default();
    }
    if let Some(dataset) = &test_bed.dataset {
        return dataset.creates().unwrap_or_default();
    }
    let used = tenbin_workloads::split(workload, options, trial.load.clients)
        .and_then(|(kind, data, _)| tenbin_workloads::dataset(kind, &data, trial.target.scheme()));
    used.ok().and_then(|dataset| dataset.creates()).unwrap_or_default()
}

/// The facts that say it.
const KEPT_BY: [&str; 2] = [tables::ENGINE, tables::PERSISTENCE];

/// What is recorded of an inspection before the load: the variables that the plan sets, what decides what a commit survives, and what the tables consist of.
fn recorded(inspection: &ServerInspection, target: &Target) -> ServerInspection {
    let set: Vec<String> = target.server.keys().map(|name| format!("variable.{}", variable_of(name))).collect();
    let is_kept = |fact: &str| promise::decides(fact) || KEPT_BY.contains(&fact) || set.iter().any(|of| of == fact);
    let mut recorded = inspection.with_facts(is_kept);
    recorded.facts.extend(inspection.parts_of_tables().map(|parts| (tables::PARTS.to_owned(), parts)));
    recorded
}

/// What a replica says of itself, with what the plan says of it. One that does not answer leaves a note.
fn inspect_replica<'t>(
    trial: &'t Trial,
    replica: &ReplicaSubject,
    emitter: &mut EventEmitter,
) -> Result<Option<(&'t Target, ServerInspection)>, TrialError> {
    let Some(of) = trial.target.replicas.iter().map(|of| &of.at).find(|at| at.name == replica.name) else {
        return Ok(None);
    };
    match emitter.environment.inspect(of, &replica.connector, &[]) {
        Ok(inspection) => Ok(inspection.map(|inspection| (of, inspection))),
        Err(problem) => {
            let note = Problem::new(msg!("replica-cannot-be-inspected", replica = replica.name));
            emitter.note(Severity::Warning, note.evidence(in_one(problem))).map(|()| None)
        }
    }
}

/// Right after the load. A server that does not answer leaves a note, and a doubt.
pub fn after(
    trial: &Trial,
    before: &BeforeLoad,
    test_bed: &TestBed,
    emitter: &mut EventEmitter,
) -> Result<(), TrialError> {
    let names = own_tables(trial, test_bed);
    let inspected = emitter.environment.inspect(&trial.target, &test_bed.connector, &names).and_then(|inspection| {
        let Some(mut inspection) = inspection else { return Ok(None) };
        inspection.facts.extend(kept_by(trial, test_bed)?);
        Ok(Some(inspection))
    });
    match inspected {
        Ok(Some(after)) => emit_after(trial, None, &before.server, &after, emitter)?,
        Ok(None) => {}
        Err(problem) => {
            let note = Problem::new(msg!("server-cannot-be-inspected"));
            emitter.note(Severity::Warning, note.evidence(in_one(problem)))?;
        }
    }
    for replica in &test_bed.replicas {
        let Some(before) = before.replicas.get(&replica.name) else { continue };
        let Some((_, after)) = inspect_replica(trial, replica, emitter)? else { continue };
        emit_after(trial, Some(replica), before, &after, emitter)?;
    }
    Ok(())
}

fn emit_after(
    trial: &Trial,
    replica: Option<&ReplicaSubject>,
    before: &ServerInspection,
    after: &ServerInspection,
    emitter: &mut EventEmitter,
) -> Result<(), TrialError> {
    emit(trial, (replica, Edge::After), after.with_facts(|_| false), before.changes(after), emitter)
}

/// A problem as the evidence of another.
fn in_one(problem: Problem) -> Message {
    Message::joined([problem.what].into_iter().chain(problem.evidence), "\n")
}

/// Records what has another value than the facts that are in force for the trial.
fn renew_facts(
    trial: &Trial,
    inspection: &ServerInspection,
    test_beds: &mut TestBeds<'_>,
    emitter: &mut EventEmitter,
) -> Result<(), TrialError> {
    let known = emitter.summary().target_facts(trial).cloned().unwrap_or_default();
    let now = inspection.all_facts();
    let changed = inspection::changes(&known, &now);
    if changed.contains_key("variable.version") || changed.contains_key(IDENTITY) {
        // Another server: everything about it may differ.
        test_beds.read_facts(trial, emitter)?;
    }
    let mut renewed: BTreeMap<String, String> = changed.into_iter().map(|(fact, [_, value])| (fact, value)).collect();
    renewed.extend(
        now.get_key_value(IDENTITY).filter(|(fact, _)| !known.contains_key(*fact)).map(|(f, v)| (f.clone(), v.clone())),
    );
    if renewed.is_empty() { Ok(()) } else { emitter.facts(&trial.target.name, renewed) }
}

fn emit(
    trial: &Trial,
    (replica, edge): (Option<&ReplicaSubject>, Edge),
    inspection: ServerInspection,
    changed: Changes,
    emitter: &mut EventEmitter,
) -> Result<(), TrialError> {
    let (at_ns, inspection) = (emitter.now_ns(), Box::new(inspection));
    let replica = replica.map(|replica| replica.name.clone());
    emitter.emit(Event::ServerInspected { trial: trial.number, at_ns, edge, replica, inspection, changed })
}

fn words(unlike: &Changes) -> Message {
    let each = unlike.iter().map(|(variable, [asked, has])| msg!("doubt-not-as-asked-seen", variable, asked, has));
    Message::joined(each, "\n")
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok() || in_bytes(text).is_some()
}
