//! What a plan would do, and why it would fail, determined before anything is done: `tenbin plan check` prints it, and
//! a run starts only if nothing is refused.
//!
//! `mod.rs`: the plan and its servers. [`trial_group`]: the trials of a data set on one of them. [`disks`]: the room for what is loaded.

mod disks;
mod trial_group;

use crate::plan_line::{leading_out, misspelt, not_taken};
use crate::request::Request;
use crate::{ceiling, hint, managed, preflight, test_bed, try_out, variables};
use disks::Disks;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::pin;
use tenbin_model::plan::{driven_ms, line_of_variable};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Target, Trial};
use tenbin_model::workload::NO_DATA;
use tenbin_servers::doctor;
use tenbin_servers::finding::{Finding, Level};
use tenbin_servers::{facts, sandbox, settings};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::Dataset;
use tenbin_workloads::{is_script, sql};
use trial_group::{SoFar, TrialGroup};

/// What would happen.
#[derive(Debug, Clone, Default)]
pub struct Forecast {
    /// Seconds of settling, warm-up and measuring of all trials, and of the ceilings of their clients.
    pub drive_s: f64,
    /// Seconds of loading, by the conservative estimate [`ROWS_PER_SECOND`].
    pub load_s: f64,
    /// Bytes the data sets take in the databases.
    pub disk_bytes: u64,
    /// What is created and dropped, by target and data set.
    pub effects: Vec<Effect>,
    /// Whether each disk has enough space for all data to be loaded.
    pub disks: Vec<Finding>,
    /// The first transaction of each script of the user's own SQL, with values: of the first trial on each kind of database.
    pub transactions: Vec<(Trial, Vec<String>)>,
    /// Notes.
    pub notes: Vec<Problem>,
    /// Why the plan would fail.
    pub refusals: Vec<Problem>,
}

/// What a forecast may look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The servers of the targets, and the programs of private ones.
    Servers,
    /// The programs of private servers: what variables they know.
    Programs,
    /// The plan alone: no password is needed, no connection opened, and no program has to be on this machine.
    PlanOnly,
}

/// The same for the valid parts of a plan that has mistakes, without contacting a target: the further reasons why it
/// would fail.
pub fn besides(request: &Request, reported: &[Problem], look: Look, stop: &StopSignal) -> Vec<Problem> {
    let mut all = forecast(request, look, stop).refusals;
    all.retain(|problem| !reported.iter().any(|reported| reported.what.contains_message(&problem.what)));
    all
}

/// The first trial of each experiment, options and kind of database whose load is the user's own SQL.
fn first_of_scripts(trials: &[Trial]) -> impl Iterator<Item = &Trial> {
    let mut seen = BTreeSet::new();
    trials.iter().filter(move |trial| {
        let kind = format!("{:?}", trial.target.scheme());
        trial.load.workload == sql::NAME && seen.insert((&trial.experiment, &trial.load.options, kind))
    })
}

/// Scripts whose statements make other tables of those of the data set: no later trial would take them for Tenbin's.
fn rebuilt_tables(trial: &Trial) -> Option<Problem> {
    let scheme = trial.target.scheme();
    if !scheme.kind().has_mysql_status || trial.dataset.kind == NO_DATA {
        return None;
    }
    let statement = sql::rebuilds(&trial.load.options, scheme).ok().flatten()?;
    let note = Problem::new(msg!("script-rebuilds-tables", dataset = trial.dataset.name));
    Some(note.evidence(foreign(statement)).hint(msg!("take-rebuilding-out")))
}

/// What happens in one target for one data set.
#[derive(Debug, Clone, Default)]
pub struct Effect {
    /// The target's name.
    pub target: String,
    /// Its address, without password.
    pub address: Message,
    /// The existing data.
    pub found: Message,
    /// The server's limits compared with what is needed.
    pub computed: Vec<Finding>,
    /// Descriptions of what will be done.
    pub will: Vec<Message>,
    /// The statements that create and drop.
    pub statements: Vec<String>,
}

/// A conservative estimate of the loading rate; real servers are two to three times as fast.
pub const ROWS_PER_SECOND: f64 = 100_000.0;

/// The same for data sets counted in bytes: a slow disk.
const BYTES_PER_SECOND: f64 = 100e6;

fn per_second(dataset: &dyn Dataset) -> f64 {
    if dataset.unit() == "bytes" { BYTES_PER_SECOND } else { ROWS_PER_SECOND }
}

/// A server of a plan, in the order of the plan: the place and the name of its target, and its variables if other ones make another server.
type PlannedServer<'p> = (u32, &'p str, &'p BTreeMap<String, String>);

/// Determines what would happen; inspects the targets (without changes) if it may look at them.
pub fn forecast(request: &Request, look: Look, stop: &StopSignal) -> Forecast {
    let mut forecast = Forecast {
        drive_s: drive_ms(&request.trials) as f64 / 1e3,
        notes: try_out::notes(&request.trials),
        ..Forecast::default()
    };
    let mut targets = Targets::new(request, look, stop);
    let offline = targets.offline;
    forecast.refuse(tenbin_engine::limits::enough_files(preflight::connections(&request.trials)).err());
    forecast.notes.extend((!offline).then(doctor::others_at_work).flatten().map(Finding::problem));
    for trial in first_of_scripts(&request.trials) {
        let shown = Connector::nowhere(trial.target.scheme())
            .and_then(|nowhere| sql::first_transactions(&trial.load.options, &nowhere, trial.load.clients, trial.seed));
        match shown {
            Ok(lines) => forecast.transactions.push((trial.clone(), lines)),
            Err(problem) => forecast.refuse([problem]),
        }
        let note = rebuilt_tables(trial).filter(|note| !forecast.notes.contains(note));
        forecast.notes.extend(note);
    }
    let scripts: BTreeSet<&str> =
        request.trials.iter().map(|t| t.load.workload.as_str()).filter(|name| is_script(name)).collect();
    forecast.notes.extend(scripts.into_iter().map(|name| Problem::new(msg!("script-compiled-only", script = name))));
    // A sandbox with other server variables is another server; an existing server is not.
    let none = BTreeMap::new();
    let mut servers: BTreeMap<PlannedServer<'_>, Vec<&Trial>> = BTreeMap::new();
    for trial in &request.trials {
        let own = if variables::are_set(&trial.target) { &none } else { &trial.target.server };
        servers.entry((trial.target.place, &trial.target.name, own)).or_default().push(trial);
    }
    let mut disks = Disks::default();
    for trials in servers.values() {
        if stop.asked() {
            break;
        }
        server(trials, &mut targets, &mut disks, &mut forecast);
    }
    for finding in disks.findings() {
        forecast.take(&finding, &|problem| problem);
        forecast.disks.push(finding);
    }
    forecast
}

fn drive_ms(trials: &[Trial]) -> u64 {
    ceiling::planned_ms(trials).saturating_add(driven_ms(trials))
}

impl Forecast {
    /// Adds reasons why the plan would fail, each only once.
    fn refuse(&mut self, problems: impl IntoIterator<Item = Problem>) {
        for problem in problems {
            if !self.refusals.contains(&problem) {
                self.refusals.push(problem);
            }
        }
    }

    /// Adds a finding according to its level.
    fn take(&mut self, finding: &Finding, phrase: &dyn Fn(Problem) -> Problem) {
        let problem = phrase(finding.clone().problem());
        match finding.level {
            Level::Error => self.refuse([problem]),
            Level::Warning if !self.notes.contains(&problem) => self.notes.push(problem),
            Level::Warning | Level::Note | Level::Ok => {}
        }
    }
}

/// The connector to each target, tried once.
struct Targets<'a> {
    request: &'a Request,
    offline: bool,
    /// Whether programs of private servers are looked at.
    programs: bool,
    several: bool,
    stop: &'a StopSignal,
    /// `None`: connecting failed, which has been reported.
    tried: BTreeMap<String, Option<Connector>>,
}

impl<'a> Targets<'a> {
    fn new(request: &'a Request, look: Look, stop: &'a StopSignal) -> Self {
        let several = request.trials.iter().any(|t| t.target.name != request.trials[0].target.name);
        let (offline, programs) = (look != Look::Servers, look != Look::PlanOnly);
        Targets { request, offline, programs, several, stop, tried: BTreeMap::new() }
    }

    /// A problem of a target, which is named if there are several.
    fn said(&self, target: &Target, problem: Problem) -> Problem {
        match self.several {
            true => Problem { what: msg!("of-target", target = target.name, what = problem.what), ..problem },
            false => problem,
        }
    }

    fn reach(&mut self, target: &Target, trial: &Trial, forecast: &mut Forecast) -> Option<Connector> {
        if let Some(known) = self.tried.get(&target.name) {
            return known.clone();
        }
        let way = match self.programs {
            true => test_bed::connector(target, &self.request.passwords),
            false => test_bed::connector_without_password(target),
        };
        let way = way.map(|connector| connector.until(self.stop));
        let reached = way.and_then(|connector| match self.offline {
            true => Ok(connector),
            false => facts::reachable(&connector).map(|()| connector),
        });
        let connector = reached.map_err(|problem| {
            let problem = self.said(target, problem);
            forecast.refuse([hint::complete(problem, target, Some(&trial.load.workload))]);
        });
        self.tried.insert(target.name.clone(), connector.clone().ok());
        connector.ok()
    }
}

/// All trials on one server, in their order.
fn server(trials: &[&Trial], targets: &mut Targets<'_>, disks: &mut Disks, forecast: &mut Forecast) {
    let target = &trials[0].target;
    let connector = match &target.sandbox {
        Some(binary) => {
            private(binary, target, targets, forecast);
            Connector::nowhere(target.scheme()).ok()
        }
        None => {
            // A database file is opened by this program, with the same variables as a private one.
            if target.scheme().kind().is_file {
                variables_known(SQLITE, target, targets, forecast);
            }
            targets.reach(target, trials[0], forecast)
        }
    };
    if target.sandbox.is_none()
        && target.pin.is_some()
        && let Some(connector) = connector.as_ref().filter(|_| !targets.offline)
        && let Some(problem) = facts::server(connector).map_or_else(Some, |facts| pin::differs(target, &facts))
    {
        forecast.refuse([hint::complete(problem, target, Some(&trials[0].load.workload))]);
    }
    if let (Some(pin), Some(connector)) = (&target.pin, connector.as_ref().filter(|_| !targets.offline))
        && target.sandbox.is_none()
    {
        let others = settings::set_at_connect(connector, pin.variables.keys()).unwrap_or_default();
        forecast.refuse(others.into_iter().map(|(_, problem)| targets.said(target, problem)));
    }
    if let Some(connector) = connector.as_ref().filter(|_| !targets.offline && variables::are_set(target)) {
        settable(connector, trials, targets, forecast);
    }
    let machine = connector.as_ref().filter(|_| !targets.offline).and_then(|c| preflight::machine_over_ssh(target, c));
    let machine =
        machine.and_then(|result| result.map_err(|problem| forecast.refuse([targets.said(target, problem)])).ok());
    let (at_provider, refusals) = managed::findings(target, !targets.offline, targets.stop);
    forecast.refuse(refusals.into_iter().map(|problem| targets.said(target, problem)));
    at_provider.iter().for_each(|finding| forecast.take(finding, &|problem| targets.said(target, problem)));
    let mut findings: Vec<Finding> = machine.into_iter().collect();
    if !targets.offline {
        let interval = Duration::from_millis(trials[0].interval_ms);
        for result in preflight::exporters(target, &targets.request.passwords, interval) {
            match result {
                Ok(finding) => {
                    forecast.take(&finding, &|problem| targets.said(target, problem));
                    findings.push(finding);
                }
                Err(problem) => forecast.refuse([targets.said(target, problem)]),
            }
        }
    }
    for replica in &target.replicas {
        match &replica.at.sandbox {
            Some(binary) => private(binary, &replica.at, targets, forecast),
            None => _ = targets.reach(&test_bed::existing(target, replica), trials[0], forecast),
        }
    }
    // One inspection per data set; name and streams of a data set do not affect its tables.
    let mut groups: BTreeMap<String, Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        groups.entry(format!("{:?}", trial.dataset)).or_default().push(trial);
    }
    let mut looked = Vec::new();
    for trials in groups.values() {
        match test_bed::dataset(trials[0]) {
            Ok(dataset) => looked.push(TrialGroup::look(trials, dataset, connector.as_ref(), targets, forecast)),
            Err(problem) => forecast.refuse([problem]),
        }
    }
    let mut so_far = SoFar::default();
    for trial in trials {
        let group = looked.iter_mut().find(|g| g.trials.iter().any(|t| t.number == trial.number));
        if let (Some(group), Some(connector)) = (group, &connector) {
            group.walk(trial, connector, &mut so_far, targets, forecast);
        }
    }
    for group in &mut looked {
        group.conclude(connector.as_ref(), targets, forecast);
        group.effect.computed.extend(findings.iter().chain(&at_provider).cloned());
    }
    disks.of_server(target, &looked, connector.as_ref(), targets.offline);
    forecast.effects.extend(looked.into_iter().map(|group| group.effect));
}

/// Whether the variables of an existing server can be set, and no other run is setting them.
fn settable(connector: &Connector, trials: &[&Trial], targets: &Targets<'_>, forecast: &mut Forecast) {
    let (trial, target) = (trials[0], &trials[0].target);
    let planned = variables::planned(trials);
    for (variable, problem) in settings::check(connector, &planned, &variables::apply(target), targets.stop) {
        let line = variable.and_then(|variable| line_of_variable(&targets.request.plan, &target.name, &variable));
        let lines: Vec<Message> = problem.evidence.iter().cloned().chain(line).collect();
        let evidence = (!lines.is_empty()).then(|| Message::joined(lines, "\n"));
        let problem = targets.said(target, variables::managed(target, Problem { evidence, ..problem }));
        forecast.refuse([hint::complete(problem, target, Some(&trial.load.workload))]);
    }
}

/// What a private server of SQLite has for a binary.
const SQLITE: &str = "sqlite";

/// Checks that the binary of a sandbox exists, knows its variables, and takes their values, and that none leads it to others' files.
fn private(binary: &str, target: &Target, targets: &Targets<'_>, forecast: &mut Forecast) {
    let plan = &targets.request.plan;
    let outside: Vec<Problem> = target
        .server
        .iter()
        .filter_map(|(name, value)| {
            let problem = sandbox::leading_out(binary, name, value)?;
            Some(leading_out(&target.name, plan, name, problem))
        })
        .collect();
    if !outside.is_empty() {
        return forecast.refuse(outside);
    }
    if !targets.programs {
        // That of SQLite is this one.
        if target.scheme().kind().is_file {
            variables_known(binary, target, targets, forecast);
        }
        return;
    }
    forecast.refuse(sandbox::check_server(binary).err());
    forecast.refuse(sandbox::usable_directory().err());
    if let Some(directory) = &target.data_directory {
        let usable = sandbox::usable_data_directory(Path::new(directory), binary);
        forecast.refuse(usable.err().map(|problem| targets.said(target, problem)));
    }
    variables_known(binary, target, targets, forecast);
}

/// Checks that the program knows the variables of the target, and takes their values.
fn variables_known(binary: &str, target: &Target, targets: &Targets<'_>, forecast: &mut Forecast) {
    let unknown = sandbox::unknown_variables(binary, &target.server);
    let plan = &targets.request.plan;
    forecast.refuse(unknown.iter().map(|unknown| misspelt(binary, &target.name, plan, unknown)));
    let mut known = target.server.clone();
    known.retain(|name, _| unknown.iter().all(|unknown| unknown.name != *name));
    let wrong = sandbox::wrong_values(binary, &known);
    forecast.refuse(wrong.iter().map(|wrong| not_taken(binary, &target.name, plan, wrong)));
}
