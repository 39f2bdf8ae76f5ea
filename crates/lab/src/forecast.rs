//! What a plan would do, and why it would fail, determined before anything is done: `tenbin plan check` prints it, and
//! a run starts only if nothing is refused.
//!
//! long because what is refused, what is lost and what it takes are found in one pass over the trials of a server.

use crate::complete::Complete;
use crate::data::{self, DataAction};
use crate::plan_line::{misspelt, not_taken};
use crate::request::Request;
use crate::used_files::UsedFiles;
use crate::{ceiling, golden, hint, managed, permission, preflight, room, test_bed, try_out, variables};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::data_use::DataUses;
use tenbin_model::dsn::{Scheme, redact};
use tenbin_model::pin;
use tenbin_model::plan::{driven_ms, line_of_variable};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Hooks, Restore, RestoreKind, Target, Trial};
use tenbin_servers::disk::{self, Room};
use tenbin_servers::doctor::limits::{self, ConnectionsInUse, Raise};
use tenbin_servers::doctor::{self, Needs};
use tenbin_servers::finding::{Finding, Level};
use tenbin_servers::{facts, sandbox, sandbox_directory, settings};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{Dataset, DatasetState};
use tenbin_workloads::{is_script, sql};

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
pub fn besides(request: &Request, told: &[Problem], look: Look, stop: &StopSignal) -> Vec<Problem> {
    let mut all = forecast(request, look, stop).refusals;
    all.retain(|problem| !told.iter().any(|told| told.what.contains_message(&problem.what)));
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
    }
    let scripts: BTreeSet<&str> =
        request.trials.iter().map(|t| t.load.workload.as_str()).filter(|name| is_script(name)).collect();
    forecast.notes.extend(scripts.into_iter().map(|name| Problem::new(msg!("script-compiled-only", script = name))));
    // A sandbox with other server variables is another server; an existing server is not.
    let none = BTreeMap::new();
    let mut servers: BTreeMap<(&str, &BTreeMap<String, String>), Vec<&Trial>> = BTreeMap::new();
    for trial in &request.trials {
        let own = if variables::are_set(&trial.target) { &none } else { &trial.target.server };
        servers.entry((&trial.target.name, own)).or_default().push(trial);
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
    fn take(&mut self, finding: &Finding, said: &dyn Fn(Problem) -> Problem) {
        let problem = said(finding.clone().problem());
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
        None => targets.reach(target, trials[0], forecast),
    };
    if target.sandbox.is_none()
        && target.pin.is_some()
        && let Some(connector) = connector.as_ref().filter(|_| !targets.offline)
        && let Some(problem) = facts::server(connector).map_or_else(Some, |facts| pin::differs(target, &facts))
    {
        forecast.refuse([hint::complete(problem, target, Some(&trials[0].load.workload))]);
    }
    if let Some(connector) = connector.as_ref().filter(|_| !targets.offline && variables::are_set(target)) {
        settable(connector, trials, targets, forecast);
    }
    let seen = connector.as_ref().filter(|_| !targets.offline).and_then(|c| preflight::machine_over_ssh(target, c));
    let seen = seen.and_then(|seen| seen.map_err(|problem| forecast.refuse([targets.said(target, problem)])).ok());
    let (at_provider, refusals) = managed::findings(target, !targets.offline, targets.stop);
    forecast.refuse(refusals.into_iter().map(|problem| targets.said(target, problem)));
    at_provider.iter().for_each(|finding| forecast.take(finding, &|problem| targets.said(target, problem)));
    let mut seen: Vec<Finding> = seen.into_iter().collect();
    if !targets.offline {
        let interval = Duration::from_millis(trials[0].interval_ms);
        for found in preflight::exporters(target, &targets.request.passwords, interval) {
            match found {
                Ok(finding) => {
                    forecast.take(&finding, &|problem| targets.said(target, problem));
                    seen.push(finding);
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
        group.effect.computed.extend(seen.iter().chain(&at_provider).cloned());
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
        let seen: Vec<Message> = problem.evidence.iter().cloned().chain(line.map(foreign)).collect();
        let evidence = (!seen.is_empty()).then(|| Message::joined(seen, "\n"));
        let problem = targets.said(target, variables::managed(target, Problem { evidence, ..problem }));
        forecast.refuse([hint::complete(problem, target, Some(&trial.load.workload))]);
    }
}

/// Checks that the binary of a sandbox exists, knows its variables, and takes their values.
fn private(binary: &str, target: &Target, targets: &Targets<'_>, forecast: &mut Forecast) {
    if !targets.programs {
        return;
    }
    forecast.refuse(sandbox::available(binary).err());
    if let Some(directory) = &target.data_directory {
        let usable = sandbox::usable_data_directory(Path::new(directory), binary);
        forecast.refuse(usable.err().map(|problem| targets.said(target, problem)));
    }
    let unknown = sandbox::unknown_variables(binary, &target.server);
    let plan = &targets.request.plan;
    forecast.refuse(unknown.iter().map(|unknown| misspelt(binary, &target.name, plan, unknown)));
    let mut known = target.server.clone();
    known.retain(|name, _| unknown.iter().all(|unknown| unknown.name != *name));
    let wrong = sandbox::wrong_values(binary, &known);
    forecast.refuse(wrong.iter().map(|wrong| not_taken(binary, &target.name, plan, wrong)));
}

/// What the previous trials on a server have done with its data.
#[derive(Default)]
struct SoFar<'a> {
    /// What they have loaded, by kind.
    made: BTreeMap<&'a str, &'a BTreeMap<String, String>>,
    uses: DataUses,
}

/// The trials on one server that use one data set.
struct TrialGroup<'a> {
    trials: Vec<&'a Trial>,
    dataset: Option<Box<dyn Dataset>>,
    effect: Effect,
    /// The data before the first trial; `None` if they were not inspected.
    found: Option<DatasetState>,
    /// What is done with the data before each trial.
    steps: Vec<(&'a Trial, DataAction)>,
    /// Whether the preparation of some trial is refused.
    refused: bool,
    /// Whether the database is a file that does not exist yet: inspecting it would create it.
    absent: bool,
}

impl<'a> TrialGroup<'a> {
    fn look(
        trials: &[&'a Trial],
        dataset: Option<Box<dyn Dataset>>,
        connector: Option<&Connector>,
        targets: &Targets<'_>,
        forecast: &mut Forecast,
    ) -> Self {
        let target = &trials[0].target;
        let mut effect = Effect { target: target.name.clone(), ..Effect::default() };
        let (mut found, absent) = (None, connector.is_some_and(data::is_absent));
        if let Some(binary) = &target.sandbox {
            effect.address = msg!("a-private-server", binary);
            effect.found = msg!("found-new");
            found = Some(DatasetState::Nothing);
        } else if let Some(connector) = connector {
            effect.address = foreign(connector.dsn());
            if targets.offline {
                effect.found = msg!("found-not-looked");
            } else if absent {
                effect.found = msg!("found-no-file");
                found = Some(DatasetState::Nothing);
            } else if let Some(dataset) = &dataset {
                match dataset.inspect(connector) {
                    Ok(seen) => {
                        effect.found = data::words(&seen);
                        found = Some(seen);
                    }
                    Err(problem) => {
                        effect.found = msg!("found-unseen");
                        let problem = targets.said(target, problem);
                        forecast.refuse([hint::complete(problem, target, Some(&trials[0].load.workload))]);
                    }
                }
            }
        } else {
            effect.found = msg!("found-unseen");
        }
        TrialGroup { trials: trials.to_vec(), dataset, effect, found, steps: Vec::new(), refused: false, absent }
    }

    /// What is done with the tables before this trial, given the previous ones.
    fn walk(
        &mut self,
        trial: &'a Trial,
        connector: &Connector,
        so_far: &mut SoFar<'a>,
        targets: &Targets<'_>,
        forecast: &mut Forecast,
    ) {
        if self.dataset.is_none() {
            let rule = so_far.uses.rule(trial);
            so_far.uses.used_by(trial);
            return self.steps.push((trial, data::without_dataset(trial, rule)));
        }
        let (kind, options) = (trial.dataset.kind.as_str(), &trial.dataset.options);
        let now = match so_far.made.get(kind) {
            Some(same) if *same == options => Some(DatasetState::Ready { ours: true }),
            // Other tables of ours, possibly with the same names.
            Some(_) => None,
            None => self.found.clone(),
        };
        let rule = so_far.uses.rule(trial);
        so_far.uses.used_by(trial);
        let by_command = trial.target.restore.kind == RestoreKind::Command;
        let step = match (now, rule) {
            (Some(now), rule) => data::step(trial, rule, now, connector),
            (None, Restore::BeforeRun) if by_command => Ok(DataAction::Command),
            (None, Restore::BeforeRun) => Ok(DataAction::Replace),
            (None, _) => Ok(DataAction::Use),
        };
        match step {
            Ok(step) => {
                if step != DataAction::Use {
                    so_far.made.insert(kind, options);
                }
                self.steps.push((trial, step));
            }
            Err(problem) => {
                let problem = targets.said(&trial.target, problem);
                forecast.refuse([hint::complete(problem, &trial.target, Some(&trial.load.workload))]);
                self.refused = true;
                // Its needs are computed nevertheless.
                self.steps.push((trial, DataAction::Use));
            }
        }
    }

    /// Compares what the trials need with the limits of the server, and describes what is done.
    fn conclude(&mut self, connector: Option<&Connector>, targets: &Targets<'_>, forecast: &mut Forecast) {
        let first = self.trials[0];
        if let Some(connector) = connector {
            let needs = self.needs(connector);
            match &first.target.sandbox {
                Some(_) if !targets.programs => {}
                Some(binary) => {
                    let variables = sandbox::planned_variables(binary, &first.target.server);
                    self.effect.computed = match sandbox::scheme(binary) {
                        Scheme::Mysql => limits::mysql(&variables, ConnectionsInUse::default(), &needs, Raise::InPlan),
                        Scheme::Postgres => {
                            limits::postgres(&variables, ConnectionsInUse::default(), &needs, Raise::InPlan)
                        }
                        Scheme::Sqlite | Scheme::Null | Scheme::Host => Vec::new(),
                    };
                }
                None if targets.offline || self.absent => {}
                None => {
                    // Its variables will be set before its trials.
                    let least = |(name, values): (String, Vec<String>)| {
                        let number = |value: &String| value.parse::<f64>().unwrap_or(f64::INFINITY);
                        Some((name, values.into_iter().min_by(|a, b| number(a).total_cmp(&number(b)))?))
                    };
                    let planned = variables::planned(&self.trials).into_iter().filter_map(least).collect();
                    let needs = Needs { planned, ..needs };
                    let found = doctor::preflight(connector, &needs);
                    self.effect.computed = found.into_iter().filter(|f| f.level != Level::Note).collect();
                    self.writing(connector, targets, forecast);
                    self.absent(connector, targets, forecast);
                }
            }
        }
        let restored = first.target.restore.is_golden() && self.first_step() != DataAction::Use;
        if restored && targets.programs {
            let asked = connector.filter(|_| !targets.offline && !self.absent);
            // As a run will find its golden copy.
            let mut whole = Complete::default().trial(first, None);
            whole.files = UsedFiles::default().of(&whole);
            for problem in golden::obstacles(&whole, asked) {
                let problem = targets.said(&first.target, problem);
                forecast.refuse([hint::complete(problem, &first.target, Some(&first.load.workload))]);
            }
        }
        for finding in &self.effect.computed {
            let mut finding = finding.clone();
            if let (Some(_), Some(seen)) = (&first.target.sandbox, &finding.evidence) {
                // The line of the plan that sets it, if any.
                let line = seen.arg("variable").and_then(|variable| {
                    line_of_variable(&targets.request.plan, &first.target.name, variable.english())
                });
                let parts = [seen.clone()].into_iter().chain(line.map(foreign));
                finding.evidence = Some(Message::joined(parts, "\n"));
            }
            finding.hint = hint::complete(finding.clone().problem(), &first.target, Some(&first.load.workload)).hint;
            forecast.take(&finding, &|problem| targets.said(&first.target, problem));
        }
        self.effects(forecast);
    }

    /// The combined needs of all its trials.
    fn needs(&self, connector: &Connector) -> Needs {
        let mut all = Needs::default();
        let mut made = BTreeMap::new();
        for (trial, step) in &self.steps {
            let workload = made.entry((&trial.load.workload, &trial.load.options)).or_insert_with(|| {
                (!is_script(&trial.load.workload)).then(|| test_bed::workload(trial, connector).ok()).flatten()
            });
            let needs = preflight::needs(trial, workload.as_deref(), self.dataset.as_deref(), *step);
            all.clients = all.clients.max(needs.clients);
            all.streams = all.streams.max(needs.streams);
            all.beside = all.beside.max(needs.beside);
            all.prepared_per_client = all.prepared_per_client.max(needs.prepared_per_client);
            all.statement = all.statement.max(needs.statement);
            all.writes |= needs.writes;
            all.schema = needs.schema;
            if all.statements.len() < needs.statements.len() {
                all.statements = needs.statements;
            }
        }
        all
    }

    /// Whether writing is permitted, if its trials write.
    fn writing(&self, connector: &Connector, targets: &Targets<'_>, forecast: &mut Forecast) {
        let mut refuse = |trial: &Trial, problem: Problem| {
            let problem = targets.said(&trial.target, problem);
            forecast.refuse([hint::complete(problem, &trial.target, Some(&trial.load.workload))]);
        };
        let mut seen = BTreeSet::new();
        for (trial, step) in &self.steps {
            let writes = permission::writes(trial);
            if !(writes || step.creates()) || !seen.insert((&trial.load.workload, writes)) {
                continue;
            }
            if let Err(problem) = permission::may_write(trial, connector) {
                refuse(trial, problem);
            } else if writes
                // What they will be is known when they exist.
                && let Some(coming) = self.coming(*step)
                && !is_script(&trial.load.workload)
                && let Ok(workload) = test_bed::workload(trial, connector)
                && let Err(problem) = permission::to_write_tables(trial, &*workload, connector, &coming)
            {
                refuse(trial, problem);
            }
        }
    }

    /// Tables that loads name and that are nowhere: a mistake in a script.
    fn absent(&self, connector: &Connector, targets: &Targets<'_>, forecast: &mut Forecast) {
        let mut seen = BTreeSet::new();
        for (trial, step) in &self.steps {
            let Hooks { before_run, before_trial, with_data, .. } = &trial.target.hooks;
            // Commands may create what is missing.
            let may_come = [before_run, before_trial, with_data].into_iter().any(Option::is_some);
            if may_come || is_script(&trial.load.workload) || !seen.insert((&trial.load.workload, &trial.load.options))
            {
                continue;
            }
            let Some(coming) = self.coming(*step) else { continue };
            // What the server does not say is left to the run.
            let Ok(workload) = test_bed::workload(trial, connector) else { continue };
            if let Ok(Some(problem)) = workload.absent(&coming) {
                let problem = targets.said(&trial.target, problem);
                forecast.refuse([hint::complete(problem, &trial.target, Some(&trial.load.workload))]);
            }
        }
    }

    /// The tables that are created before a trial with this step, as far as that can be known.
    fn coming(&self, step: DataAction) -> Option<Vec<String>> {
        match (step, self.dataset.as_deref()) {
            (DataAction::Command, _) => None,
            (DataAction::Load | DataAction::Replace, Some(dataset)) => dataset.creates(),
            _ => Some(Vec::new()),
        }
    }

    fn effects(&mut self, forecast: &mut Forecast) {
        let times = |wanted: &[DataAction]| self.steps.iter().filter(|(_, step)| wanted.contains(step)).count();
        if let Some(command) = &self.trials[0].target.restore.command {
            let n = times(&[DataAction::Command]);
            let will = msg!("will-restore-by-command", n, command = redact(&command.run));
            self.effect.will.extend((n > 0).then_some(will));
        }
        let Some(dataset) = self.dataset.as_deref() else { return };
        let (loads, drops) = (times(&[DataAction::Load, DataAction::Replace]), times(&[DataAction::Replace]));
        forecast.disk_bytes = forecast.disk_bytes.saturating_add(dataset.bytes());
        let effect = &mut self.effect;
        let directory = self.trials[0].target.data_directory.as_ref();
        effect.will.extend(directory.map(|directory| msg!("will-lie-in", directory)));
        effect.will.extend(variables::effects(&self.trials));
        let (rows, size) = (figure::whole(i128::from(dataset.rows())), figure::bytes(dataset.bytes() as f64));
        if loads > 0 && self.trials[0].target.restore.is_golden() {
            let data = (rows, data::unit(dataset.unit()), dataset.bytes());
            let [created, put_back] = golden::will(&self.trials[0].target, data, loads);
            let prepared = dataset.prepared_by().map(|script| msg!("will-prepare", script, n = 1));
            effect.will.extend([prepared.unwrap_or(created), put_back]);
            effect.statements = dataset.statements();
            forecast.load_s += dataset.rows() as f64 / per_second(dataset);
            return;
        }
        if drops > 0 {
            effect.will.push(msg!("will-drop", n = drops));
        }
        if loads > 0 {
            effect.will.push(match dataset.prepared_by() {
                Some(script) => msg!("will-prepare", script, n = loads),
                None => msg!("will-create", rows, unit = data::unit(dataset.unit()), size, n = loads),
            });
            effect.statements = dataset.statements();
            forecast.load_s += loads as f64 * dataset.rows() as f64 / per_second(dataset);
        } else if !self.refused && times(&[DataAction::Command]) == 0 {
            effect.will.push(msg!("will-use"));
        }
    }

    /// What is done with the data before the first trial that changes them.
    fn first_step(&self) -> DataAction {
        self.steps.iter().map(|(_, step)| *step).find(|step| *step != DataAction::Use).unwrap_or(DataAction::Use)
    }
}

/// Where the data of a private server will lie.
fn place_of_data(target: &Target) -> PathBuf {
    target.data_directory.as_ref().map_or_else(sandbox_directory::intended, PathBuf::from)
}

/// What is loaded to each disk, by all servers that exist at the same time: sandboxes keep running until the run ends.
#[derive(Default)]
struct Disks {
    known: BTreeMap<u64, Filled>,
    unknown: Vec<Finding>,
}

struct Filled {
    room: Room,
    /// What private servers take before anything is loaded, bytes.
    servers: u64,
    /// Target, bytes, and bytes with logs.
    parts: Vec<(String, u64, u64)>,
}

impl Disks {
    fn of_server(&mut self, target: &Target, groups: &[TrialGroup<'_>], connector: Option<&Connector>, offline: bool) {
        // Tables of the same kind have the same names: of several data sets only the largest counts.
        let mut most: BTreeMap<&str, (u64, &TrialGroup<'_>)> = BTreeMap::new();
        for group in groups {
            let Some(dataset) = group.dataset.as_deref().filter(|_| group.first_step().creates()) else {
                continue;
            };
            let largest = most.entry(&group.trials[0].dataset.kind).or_insert((0, group));
            if dataset.bytes() >= largest.0 {
                *largest = (dataset.bytes(), group);
            }
        }
        if target.sandbox.is_some() {
            self.take_server(target);
        }
        for (bytes, group) in most.into_values().filter(|(bytes, _)| *bytes > 0) {
            let scheme = target.scheme();
            let seen = match (&target.sandbox, connector, group.dataset.as_deref()) {
                (Some(_), ..) => {
                    let directory = place_of_data(target);
                    let why = || msg!("cannot-be-looked-at", place = directory.display());
                    disk::room(&directory).map(|room| (room, 0)).ok_or_else(why)
                }
                (None, Some(connector), Some(dataset)) if !offline || scheme.kind().is_embedded => {
                    room::of_data(dataset, connector, None)
                }
                (None, Some(_), _) => Err(msg!("target-not-looked")),
                // The failure to connect has been reported.
                (None, None, _) => continue,
            };
            match seen {
                Ok((room, there)) => {
                    let wanted = room::more(bytes, group.first_step(), there);
                    let filled =
                        self.known.entry(room.file_system).or_insert(Filled { room, servers: 0, parts: Vec::new() });
                    filled.parts.push((target.name.clone(), wanted, room::with_logs(wanted, scheme)));
                }
                Err(why) => {
                    let unknown = room::unknown(bytes, &why);
                    let title = msg!("of-target", target = target.name, what = unknown.title);
                    self.unknown.push(Finding { title, ..unknown });
                }
            }
        }
    }

    /// A private server itself, with the data it has before anything is loaded.
    fn take_server(&mut self, target: &Target) {
        let bytes = sandbox::own_bytes(target.scheme());
        let Some(room) = disk::room(&place_of_data(target)).filter(|_| bytes > 0) else { return };
        let filled = self.known.entry(room.file_system).or_insert(Filled { room, servers: 0, parts: Vec::new() });
        filled.servers = filled.servers.saturating_add(bytes);
    }

    fn findings(self) -> Vec<Finding> {
        let known = self.known.into_values().filter_map(|Filled { room, servers, parts }| {
            if room.free < servers {
                return Some(Finding::of(Level::Error, sandbox::no_room_for(servers, &room)));
            }
            if parts.is_empty() {
                return None;
            }
            let room = Room { free: room.free - servers, ..room };
            let sum = |of: fn(&(String, u64, u64)) -> u64| parts.iter().map(of).fold(0, u64::saturating_add);
            let each = parts.iter().map(|(name, bytes, _)| format!("{name} {}", figure::bytes(*bytes as f64)));
            let each = if parts.len() > 1 {
                msg!("bytes-per-target", each = each.collect::<Vec<_>>().join(", "))
            } else {
                foreign("")
            };
            Some(room::fits(sum(|p| p.1), sum(|p| p.2), room.free, &room.place, each))
        });
        known.chain(self.unknown).collect()
    }
}
