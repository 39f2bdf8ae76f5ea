//! Refuses a trial that would fail before anything is created, and notes what would weaken the result.
//!
//! [`needs`] is what a trial requires of its server. [`check`] compares it with a running server, at the beginning of a
//! trial; the forecast of a plan does so before the first one.

use crate::claims::{Claims, is_claimed};
use crate::data::DataAction;
use crate::emitter::{EventEmitter, TrialError};
use crate::environment::Environment;
use crate::permission;
use crate::room;
use crate::test_bed::{self, TestBed};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::dsn::Password;
use tenbin_model::event::Severity;
use tenbin_model::tally::StatementKind;
use tenbin_model::trial::{HostAccess, Observe, Target, Trial};
use tenbin_servers::doctor::Needs;
use tenbin_servers::exporter::{ExporterAccess, ExporterClient, period};
use tenbin_servers::finding::{Finding, Level};
use tenbin_words::message::Message;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{Dataset, Workload};
use tenbin_workloads::is_script;

/// What a trial requires of its server, given what is done with the data first. `workload` is `None` if it cannot be
/// created without executing it (a script): its clients then count as one connection each.
pub fn needs(trial: &Trial, workload: Option<&dyn Workload>, dataset: Option<&dyn Dataset>, step: DataAction) -> Needs {
    let clients = workload.map_or(trial.load.clients, |w| w.connections(trial.load.clients));
    let made = dataset.filter(|_| step.creates());
    let mut statements = made.map(Dataset::statements).unwrap_or_default();
    statements.retain(|sql| step == DataAction::Replace || !sql.starts_with("DROP "));
    let observed = trial.load.observe == Observe::Always;
    let locked = dataset.is_some_and(|dataset| is_claimed(&trial.target, dataset));
    Needs {
        clients,
        streams: made.map_or(0, |_| trial.dataset.streams),
        // The observers of status, sessions and statements; with replicas those of binary logs and of the lag.
        beside: u32::from(observed) * if trial.target.replicas.is_empty() { 3 } else { 5 } + u32::from(locked),
        open: 0,
        prepared_per_client: workload.map_or(0, Workload::prepared_per_connection),
        statement: workload.map_or(0, Workload::longest_statement),
        statements,
        schema: dataset.and_then(|dataset| dataset.schema().map(str::to_owned)),
        writes: permission::writes(trial) && workload.is_some_and(|w| writes(trial, w)),
        planned: BTreeMap::new(),
    }
}

/// Whether the clients are known to write to tables of the address's schema; for a script that is unknown.
fn writes(trial: &Trial, workload: &dyn Workload) -> bool {
    let elsewhere = tenbin_workloads::has_own_schema(&trial.load.workload) || is_script(&trial.load.workload);
    !elsewhere && workload.statements().iter().any(|(_, kind)| *kind == StatementKind::Write)
}

/// Compares what the trial requires with the limits of the server and the space on its disk. Notes are emitted once per
/// target. Returns the titles of all findings.
pub fn check(
    trial: &Trial,
    test_bed: &TestBed,
    step: DataAction,
    claims: &Claims,
    emitter: &mut EventEmitter,
) -> Result<Vec<Message>, TrialError> {
    if test_bed.is_checked {
        return Ok(Vec::new());
    }
    let mut findings = findings(emitter.environment, trial, test_bed, step, (claims, 0));
    if let Some(dataset) = test_bed.dataset.as_deref().filter(|_| step.creates()) {
        let room = emitter.environment.room(dataset, &test_bed.connector, test_bed.pid);
        findings.extend(room::enough(dataset.bytes(), step, trial.target.scheme(), &room));
    }
    report(findings, test_bed, &[], emitter)
}

/// The same after the data were loaded and the server has settled, except for what was emitted before.
pub fn check_again(
    trial: &Trial,
    test_bed: &TestBed,
    claims: &Claims,
    noted: &[Message],
    emitter: &mut EventEmitter,
) -> Result<(), TrialError> {
    if test_bed.is_checked {
        return Ok(());
    }
    // The observers are running by now.
    let environment = emitter.environment;
    let current = |observing| findings(environment, trial, test_bed, DataAction::Use, (claims, observing));
    let mut findings = Vec::new();
    match emitter.observers() {
        Some(observers) => observers.quietly(&mut || findings = current(observers.connections())),
        None => findings = current(0),
    }
    report(findings, test_bed, noted, emitter).map(|_| ())
}

fn findings(
    environment: &dyn Environment,
    trial: &Trial,
    test_bed: &TestBed,
    step: DataAction,
    (claims, observing): (&Claims, u32),
) -> Vec<Finding> {
    // They would be taken for those of others.
    test_bed.connector.close_idle_but_one();
    let needs = needs(trial, Some(&*test_bed.workload), test_bed.dataset.as_deref(), step);
    let open = (claims.open(&test_bed.connector) + observing).min(needs.beside);
    environment.preflight(&test_bed.connector, &Needs { open, ..needs })
}

fn report(
    findings: Vec<Finding>,
    test_bed: &TestBed,
    before: &[Message],
    emitter: &mut EventEmitter,
) -> Result<Vec<Message>, TrialError> {
    let mut noted = Vec::new();
    for finding in findings {
        let level = finding.level;
        noted.push(finding.title.clone());
        if level != Level::Error && before.contains(&finding.title) {
            continue;
        }
        let problem = finding.problem();
        match level {
            Level::Error => return Err(TrialError::Trial(problem)),
            Level::Warning => emitter.note(Severity::Warning, problem)?,
            Level::Note if !test_bed.known => emitter.note(Severity::Info, problem)?,
            Level::Note | Level::Ok => {}
        }
    }
    Ok(noted)
}

/// The most connections that a trial opens, with those of the other targets of a duet. A workload may let its clients share them; one that cannot be created opens
/// none, and is refused elsewhere.
pub fn connections(trials: &[Trial]) -> u32 {
    let mut together: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    trials.iter().filter(|t| t.duet).for_each(|t| *together.entry((t.cell, t.repeat)).or_default() += 1);
    let of_all = |t: &Trial, connections: u32| {
        let targets = if t.duet { together.get(&(t.cell, t.repeat)).copied().unwrap_or(1) } else { 1 };
        connections.saturating_mul(targets)
    };
    // A script may open connections, or not: that is known when it is run.
    let connects = |t: &&Trial| is_script(&t.load.workload) && !t.target.scheme().kind().sends_nothing;
    let of_scripts = trials.iter().filter(connects).map(|t| of_all(t, t.load.clients)).max();
    let mut made = BTreeMap::new();
    let each = trials.iter().filter(|t| !is_script(&t.load.workload)).filter_map(|t| {
        let key = (&t.load.workload, &t.load.options, &t.dataset.options);
        let workload = made
            .entry(key)
            .or_insert_with(|| Connector::nowhere(t.target.scheme()).and_then(|c| test_bed::workload(t, &c)).ok());
        Some(of_all(t, workload.as_ref()?.sockets(t.load.clients)))
    });
    each.chain(of_scripts).max().unwrap_or(0)
}

/// Whether the machine of a server can be looked at over `ssh`; `None` if the plan does not say so.
pub fn machine_over_ssh(target: &Target, connector: &Connector) -> Option<Result<Finding, Problem>> {
    let Some(HostAccess::Ssh(access)) = &target.host else { return None };
    let finding = |evidence| Finding {
        level: Level::Ok,
        title: msg!("host-can-be-looked-at"),
        evidence: Some(evidence),
        hint: None,
    };
    Some(tenbin_servers::machine::reachable(access, connector).map(finding))
}

/// Whether the exporters of a target can be read, and what would be recorded of each.
pub fn exporters(
    target: &Target,
    passwords: &BTreeMap<String, Password>,
    interval: Duration,
) -> Vec<Result<Finding, Problem>> {
    let read = |access: ExporterAccess| {
        let exporter = &access.exporter.name;
        let scrape = ExporterClient::new(&access, period(&access.exporter, interval))?.scrape()?;
        let names: BTreeSet<&str> = scrape.readings.iter().map(|(spec, _)| metric(&spec.name)).collect();
        let count = scrape.readings.len() + scrape.left_out;
        let title = msg!("exporter-can-be-read", exporter, recorded = scrape.readings.len(), offered = scrape.offered);
        let (level, hint) = match (scrape.readings.is_empty(), scrape.left_out) {
            (true, _) => (Level::Warning, Some(msg!("choose-other-series", exporter))),
            (false, 0) => (Level::Ok, None),
            (false, _) => (Level::Warning, Some(msg!("choose-fewer-series", exporter, count))),
        };
        let evidence = (!names.is_empty()).then(|| foreign(names.into_iter().collect::<Vec<_>>().join(", ")));
        Ok(Finding { level, title, evidence, hint })
    };
    match test_bed::exporters(target, passwords) {
        Ok(all) => all.into_iter().map(read).collect(),
        Err(problem) => vec![Err(problem)],
    }
}

/// The name of a series without its labels.
fn metric(series: &str) -> &str {
    series.split_once('{').map_or(series, |(name, _)| name)
}
