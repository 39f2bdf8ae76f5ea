//! What could not go well is refused before anything is made; what would weaken the result is noted.
//!
//! [`needs`] is what a trial wants of its server. [`look`] holds it against a server that runs, at the beginning of a trial;
//! the forecast of a plan does so before the first one.

use crate::claims::{Claims, is_claimed};
use crate::data::Step;
use crate::environment::Environment;
use crate::permission;
use crate::room;
use crate::stage::Stage;
use crate::teller::{Halt, Teller};
use std::collections::BTreeSet;
use tenbin_model::event::Severity;
use tenbin_model::tally::StatementKind;
use tenbin_model::trial::{Observe, Trial};
use tenbin_target::doctor::{Finding, Level, Needs};
use tenbin_workload::script::is_script;
use tenbin_workload::{Dataset, Workload};

/// What a trial needs of its server, when this is done with the data first. `workload` is `None` where it cannot be made
/// without being run (a script): its clients then count as one connection each.
pub fn needs(trial: &Trial, workload: Option<&dyn Workload>, dataset: Option<&dyn Dataset>, step: Step) -> Needs {
    let clients = workload.map_or(trial.load.clients, |w| w.connections(trial.load.clients));
    let made = dataset.filter(|_| step != Step::Use);
    let mut statements = made.map(Dataset::statements).unwrap_or_default();
    statements.retain(|sql| step == Step::Replace || !sql.starts_with("DROP "));
    let observed = trial.load.observe == Observe::Always;
    let locked = dataset.is_some_and(|dataset| is_claimed(&trial.target, dataset));
    Needs {
        clients,
        streams: made.map_or(0, |_| trial.dataset.streams),
        beside: u32::from(observed) + u32::from(locked),
        open: 0,
        prepared_per_client: workload.map_or(0, Workload::prepared_per_connection),
        statement: workload.map_or(0, Workload::longest_statement),
        statements,
        schema: dataset.and_then(|dataset| dataset.schema().map(str::to_owned)),
        writes: permission::writes(trial) && workload.is_some_and(|w| writes(trial, w)),
    }
}

/// Whether the clients are known to write into tables of the address's schema; of a script that is not known.
fn writes(trial: &Trial, workload: &dyn Workload) -> bool {
    let elsewhere = tenbin_workload::has_own_schema(&trial.load.workload) || is_script(&trial.load.workload);
    !elsewhere && workload.statements().iter().any(|(_, kind)| *kind == StatementKind::Write)
}

/// Compares what the trial needs with what the server allows and its disk has room for. Notes are told once per target.
/// Answers with what was told.
pub fn look(
    trial: &Trial,
    stage: &Stage,
    step: Step,
    claims: &Claims,
    teller: &mut Teller,
) -> Result<BTreeSet<String>, Halt> {
    let mut found = findings(teller.environment, trial, stage, step, (claims, 0));
    if let Some(dataset) = stage.dataset.as_deref().filter(|_| step != Step::Use) {
        let room = teller.environment.room(dataset, &stage.connector, stage.pid);
        found.extend(room::enough(dataset.bytes(), step, trial.target.scheme(), &room));
    }
    tell(found, stage, &BTreeSet::new(), teller)
}

/// The same when the data have been loaded and the server has come to rest, but for what was told before.
pub fn look_again(
    trial: &Trial,
    stage: &Stage,
    claims: &Claims,
    told: &BTreeSet<String>,
    teller: &mut Teller,
) -> Result<(), Halt> {
    // The observers are at work by now.
    let environment = teller.environment;
    let findings = |observing| findings(environment, trial, stage, Step::Use, (claims, observing));
    let mut found = Vec::new();
    match teller.observers() {
        Some(observers) => observers.quietly(&mut || found = findings(observers.connections())),
        None => found = findings(0),
    }
    tell(found, stage, told, teller).map(|_| ())
}

fn findings(
    environment: &dyn Environment,
    trial: &Trial,
    stage: &Stage,
    step: Step,
    (claims, observing): (&Claims, u32),
) -> Vec<Finding> {
    let needs = needs(trial, Some(&*stage.workload), stage.dataset.as_deref(), step);
    let open = (claims.open(&stage.connector) + observing).min(needs.beside);
    environment.preflight(&stage.connector, &Needs { open, ..needs })
}

fn tell(
    found: Vec<Finding>,
    stage: &Stage,
    before: &BTreeSet<String>,
    teller: &mut Teller,
) -> Result<BTreeSet<String>, Halt> {
    let mut told = BTreeSet::new();
    for finding in found {
        let level = finding.level;
        told.insert(finding.title.english().to_owned());
        if level != Level::Error && before.contains(finding.title.english()) {
            continue;
        }
        let problem = finding.problem();
        match level {
            Level::Error => return Err(Halt::Trial(problem)),
            Level::Warning => teller.note(Severity::Warning, problem)?,
            Level::Note if !stage.known => teller.note(Severity::Info, problem)?,
            Level::Note | Level::Ok => {}
        }
    }
    Ok(told)
}
