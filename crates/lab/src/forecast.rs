//! What a plan would do, and why it would fail, determined before anything is done: `tenbin plan check` prints it, and
//! a run starts only if nothing is refused.

use crate::data::{self, DataAction};
use crate::request::Request;
use crate::{hint, permission, preflight, room, test_bed};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::figure;
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Restore, Target, Trial};
use tenbin_targets::disk::{self, Room};
use tenbin_targets::doctor::limits::{self, ConnectionsInUse, Raise};
use tenbin_targets::doctor::{self, Finding, Level, Needs};
use tenbin_targets::{facts, sandbox};
use tenbin_workload::{Dataset, DatasetState};
use tenbin_workloads::is_script;

/// What would happen.
#[derive(Debug, Clone, Default)]
pub struct Forecast {
    /// Seconds of settling, warm-up and measuring of all trials.
    pub drive_s: f64,
    /// Seconds of loading, by the conservative estimate [`ROWS_PER_SECOND`].
    pub load_s: f64,
    /// Bytes the data sets take in the databases.
    pub disk_bytes: u64,
    /// What is created and dropped, by target and data set.
    pub effects: Vec<Effect>,
    /// Whether each disk has enough space for all data to be loaded.
    pub disks: Vec<Finding>,
    /// Notes.
    pub notes: Vec<Problem>,
    /// Why the plan would fail.
    pub refusals: Vec<Problem>,
}

/// The same for the valid parts of a plan that has mistakes, without contacting a target: the further reasons why it
/// would fail.
pub fn besides(request: &Request, told: &[Problem], stop: &StopSignal) -> Vec<Problem> {
    let mut all = forecast(request, true, stop).refusals;
    all.retain(|problem| !told.iter().any(|told| told.what.contains_message(&problem.what)));
    all
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

/// Determines what would happen; inspects the targets (without changes) unless `offline`.
pub fn forecast(request: &Request, offline: bool, stop: &StopSignal) -> Forecast {
    let mut forecast = Forecast {
        drive_s: request.trials.iter().map(|t| (t.settle_ms + t.warmup_ms + t.measure_ms) as f64 / 1e3).sum(),
        ..Forecast::default()
    };
    let mut targets = Targets::new(request, offline, stop);
    forecast.refuse(tenbin_engine::limits::enough_files(connections(&request.trials)).err());
    if !offline {
        forecast.notes.extend(doctor::others_at_work().map(Finding::problem));
    }
    let scripts: BTreeSet<&str> =
        request.trials.iter().map(|t| t.load.workload.as_str()).filter(|name| is_script(name)).collect();
    forecast.notes.extend(scripts.into_iter().map(|name| Problem::new(msg!("script-compiled-only", script = name))));
    // A sandbox with other server variables is another server.
    let mut servers: BTreeMap<(&str, &BTreeMap<String, String>), Vec<&Trial>> = BTreeMap::new();
    for trial in &request.trials {
        servers.entry((&trial.target.name, &trial.target.server)).or_default().push(trial);
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

/// The most connections that a trial opens. A workload may let its clients share them; one that cannot be created opens
/// none, and is refused elsewhere.
fn connections(trials: &[Trial]) -> u32 {
    let of_scripts = trials.iter().filter(|t| is_script(&t.load.workload)).map(|t| t.load.clients).max();
    let mut made = BTreeMap::new();
    let each = trials.iter().filter(|t| !is_script(&t.load.workload)).filter_map(|t| {
        let key = (&t.load.workload, &t.load.options, &t.dataset.options);
        let workload = made
            .entry(key)
            .or_insert_with(|| Connector::nowhere(t.target.scheme()).and_then(|c| test_bed::workload(t, &c)).ok());
        Some(workload.as_ref()?.connections(t.load.clients))
    });
    each.chain(of_scripts).max().unwrap_or(0)
}

/// The connector to each target, tried once.
struct Targets<'a> {
    request: &'a Request,
    offline: bool,
    several: bool,
    stop: &'a StopSignal,
    /// `None`: connecting failed, which has been reported.
    tried: BTreeMap<String, Option<Connector>>,
}

impl<'a> Targets<'a> {
    fn new(request: &'a Request, offline: bool, stop: &'a StopSignal) -> Self {
        let several = request.trials.iter().any(|t| t.target.name != request.trials[0].target.name);
        Targets { request, offline, several, stop, tried: BTreeMap::new() }
    }

    /// A problem of a target, which is named if there are several.
    fn said(&self, target: &Target, problem: Problem) -> Problem {
        match self.several {
            true => Problem { what: msg!("of-target", target = target.name, what = problem.what), ..problem },
            false => problem,
        }
    }

    fn reach(&mut self, trial: &Trial, forecast: &mut Forecast) -> Option<Connector> {
        let target = &trial.target;
        if let Some(known) = self.tried.get(&target.name) {
            return known.clone();
        }
        let way = test_bed::connector(target, &self.request.passwords).map(|connector| connector.until(self.stop));
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
            private(binary, target, &targets.request.plan, forecast);
            Connector::nowhere(target.scheme()).ok()
        }
        None => targets.reach(trials[0], forecast),
    };
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
    let mut made = BTreeMap::new();
    for trial in trials {
        let group = looked.iter_mut().find(|g| g.trials.iter().any(|t| t.number == trial.number));
        if let (Some(group), Some(connector)) = (group, &connector) {
            group.walk(trial, connector, &mut made, targets, forecast);
        }
    }
    for group in &mut looked {
        group.conclude(connector.as_ref(), targets, forecast);
    }
    disks.of_server(target, &looked, connector.as_ref(), targets.offline);
    forecast.effects.extend(looked.into_iter().map(|group| group.effect));
}

/// Checks that the binary of a sandbox exists, and knows its variables.
fn private(binary: &str, target: &Target, plan: &str, forecast: &mut Forecast) {
    forecast.refuse(sandbox::available(binary).err());
    let unknown = sandbox::unknown_variables(binary, &target.server);
    forecast.refuse(unknown.iter().map(|unknown| misspelt(binary, &target.name, plan, unknown)));
}

fn misspelt(binary: &str, target: &str, plan: &str, unknown: &sandbox::Unknown) -> Problem {
    let line = line_of(plan, target, &unknown.name);
    let problem = Problem::new(msg!("target-has-no-variable", target, binary, variable = unknown.name))
        .evidence(foreign(line.unwrap_or_else(|| format!("server.{}", unknown.name))));
    match &unknown.nearest {
        Some(nearest) => problem.hint(msg!("did-you-mean", nearest)),
        None => problem.hint(match sandbox::scheme(binary) {
            Scheme::Postgres => msg!("describe-config-lists-variables", binary),
            _ => msg!("verbose-help-lists-variables", binary),
        }),
    }
}

/// The line of a plan in which a server variable is set, with its number: for this target, or in the matrix.
fn line_of(plan: &str, target: &str, variable: &str) -> Option<String> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let sets = |line: &str| {
        let plain = line.replace('-', "_");
        let line = plain.split('#').next().unwrap_or_default();
        line.match_indices(&variable.replace('-', "_")).any(|(at, found)| {
            let after = line[at + found.len()..].trim_start_matches(['"', '\'', ' ', '\t']);
            !line[..at].ends_with(part) && after.starts_with('=')
        })
    };
    let lines = || (1..).zip(plan.lines());
    let heads = [format!("[targets.{target}]"), format!("[targets.\"{target}\"]")];
    let own = lines().skip_while(|(_, line)| !heads.iter().any(|head| line.trim() == head));
    let found = own.chain(lines()).find(|(_, line)| sets(line));
    found.map(|(number, line)| format!("{number} | {}", line.trim_end()))
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
        let (mut found, absent) = (None, connector.is_some_and(is_absent));
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
                        effect.found = words(&seen);
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

    /// What is done with the tables before this trial, given the previous ones. `made`: what those have loaded, by
    /// kind.
    fn walk(
        &mut self,
        trial: &'a Trial,
        connector: &Connector,
        made: &mut BTreeMap<&'a str, &'a BTreeMap<String, String>>,
        targets: &Targets<'_>,
        forecast: &mut Forecast,
    ) {
        if self.dataset.is_none() {
            return self.steps.push((trial, DataAction::Use));
        }
        let (kind, options) = (trial.dataset.kind.as_str(), &trial.dataset.options);
        let now = match made.get(kind) {
            Some(same) if *same == options => Some(DatasetState::Ready { ours: true }),
            // Other tables of ours, possibly with the same names.
            Some(_) => None,
            None => self.found.clone(),
        };
        let step = match (now, trial.restore) {
            (Some(now), _) => data::step(trial, now, connector),
            (None, Restore::BeforeRun) => Ok(DataAction::Replace),
            (None, Restore::Never | Restore::Require) => Ok(DataAction::Use),
        };
        match step {
            Ok(step) => {
                if step != DataAction::Use {
                    made.insert(kind, options);
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
                    let found = doctor::preflight(connector, &needs);
                    self.effect.computed = found.into_iter().filter(|f| f.level != Level::Note).collect();
                    self.writing(connector, targets, forecast);
                }
            }
        }
        for finding in &self.effect.computed {
            let mut finding = finding.clone();
            if let (Some(_), Some(seen)) = (&first.target.sandbox, &finding.evidence) {
                // The line of the plan that sets it, if any.
                let line = seen
                    .arg("variable")
                    .and_then(|variable| line_of(&targets.request.plan, &first.target.name, variable.english()));
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
            if !(writes || *step != DataAction::Use) || !seen.insert((&trial.load.workload, writes)) {
                continue;
            }
            if let Err(problem) = permission::may_write(trial, connector) {
                refuse(trial, problem);
            } else if writes
                && !is_script(&trial.load.workload)
                && let Ok(workload) = test_bed::workload(trial, connector)
                && let Err(problem) = permission::to_write_tables(trial, &*workload, connector)
            {
                refuse(trial, problem);
            }
        }
    }

    fn effects(&mut self, forecast: &mut Forecast) {
        let Some(dataset) = self.dataset.as_deref() else { return };
        let times = |wanted: &[DataAction]| self.steps.iter().filter(|(_, step)| wanted.contains(step)).count();
        let (loads, drops) = (times(&[DataAction::Load, DataAction::Replace]), times(&[DataAction::Replace]));
        forecast.disk_bytes = forecast.disk_bytes.saturating_add(dataset.bytes());
        let effect = &mut self.effect;
        if drops > 0 {
            effect.will.push(msg!("will-drop", n = drops));
        }
        if loads > 0 {
            let (rows, size) = (figure::whole(i128::from(dataset.rows())), figure::bytes(dataset.bytes() as f64));
            effect.will.push(msg!("will-create", rows, unit = data::unit(dataset.unit()), size, n = loads));
            effect.statements = dataset.statements();
            forecast.load_s += loads as f64 * dataset.rows() as f64 / per_second(dataset);
        } else if !self.refused {
            effect.will.push(msg!("will-use"));
        }
    }

    /// What is done with the data before the first trial that changes them.
    fn first_step(&self) -> DataAction {
        self.steps.iter().map(|(_, step)| *step).find(|step| *step != DataAction::Use).unwrap_or(DataAction::Use)
    }
}

/// Whether a SQLite database is a file that will be created, in an existing directory.
fn is_absent(connector: &Connector) -> bool {
    let dsn = connector.dsn();
    let file = Path::new(&dsn.database);
    let directory = file.parent().map(|dir| if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    dsn.scheme == Scheme::Sqlite && !file.exists() && directory.is_some_and(Path::is_dir)
}

fn words(found: &DatasetState) -> Message {
    match found {
        DatasetState::Nothing => msg!("found-none"),
        DatasetState::Ready { ours: true } => msg!("found-ours"),
        DatasetState::Ready { ours: false } => msg!("found-not-ours"),
        DatasetState::Different { problem, .. } | DatasetState::Unfinished { problem } => problem.what.clone(),
    }
}

/// What is loaded to each disk, by all servers that exist at the same time: sandboxes keep running until the run ends.
#[derive(Default)]
struct Disks {
    known: BTreeMap<u64, Filled>,
    unknown: Vec<Finding>,
}

struct Filled {
    room: Room,
    /// Target, bytes, and bytes with logs.
    parts: Vec<(String, u64, u64)>,
}

impl Disks {
    fn of_server(&mut self, target: &Target, groups: &[TrialGroup<'_>], connector: Option<&Connector>, offline: bool) {
        // Tables of the same kind have the same names: of several data sets only the largest counts.
        let mut most: BTreeMap<&str, (u64, &TrialGroup<'_>)> = BTreeMap::new();
        for group in groups {
            let Some(dataset) = group.dataset.as_deref().filter(|_| group.first_step() != DataAction::Use) else {
                continue;
            };
            let largest = most.entry(&group.trials[0].dataset.kind).or_insert((0, group));
            if dataset.bytes() >= largest.0 {
                *largest = (dataset.bytes(), group);
            }
        }
        for (bytes, group) in most.into_values().filter(|(bytes, _)| *bytes > 0) {
            let scheme = target.scheme();
            let seen = match (&target.sandbox, connector, group.dataset.as_deref()) {
                (Some(_), ..) => {
                    let directory = sandbox::directory();
                    let why = || msg!("cannot-be-looked-at", place = directory.display());
                    disk::room(&directory).map(|room| (room, 0)).ok_or_else(why)
                }
                (None, Some(connector), Some(dataset))
                    if !offline || matches!(scheme, Scheme::Sqlite | Scheme::Host) =>
                {
                    room::of_data(dataset, connector, None)
                }
                (None, Some(_), _) => Err(msg!("target-not-looked")),
                // The failure to connect has been reported.
                (None, None, _) => continue,
            };
            match seen {
                Ok((room, there)) => {
                    let wanted = room::more(bytes, group.first_step(), there);
                    let filled = self.known.entry(room.file_system).or_insert(Filled { room, parts: Vec::new() });
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

    fn findings(self) -> Vec<Finding> {
        let known = self.known.into_values().map(|Filled { room, parts }| {
            let sum = |of: fn(&(String, u64, u64)) -> u64| parts.iter().map(of).fold(0, u64::saturating_add);
            let each = parts.iter().map(|(name, bytes, _)| format!("{name} {}", figure::bytes(*bytes as f64)));
            let each = if parts.len() > 1 {
                msg!("bytes-per-target", each = each.collect::<Vec<_>>().join(", "))
            } else {
                foreign("")
            };
            room::fits(sum(|p| p.1), sum(|p| p.2), room.free, &room.place, each)
        });
        known.chain(self.unknown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_has_its_line_in_the_plan() {
        let plan = "schema = 1\n[targets.b]\nserver = { max_connections = 9 }\n[targets.a]\n# max_connections = 1\n\
                    server.max-connections = 12\nserver.max_connect = 3\n[experiment.matrix]\n\"server.sync_binlog\" = [0, 1]\n";
        let line = |target, name| line_of(plan, target, name).unwrap_or_default();
        assert_eq!(line("a", "max_connections"), "6 | server.max-connections = 12");
        assert_eq!(line("b", "max_connections"), "3 | server = { max_connections = 9 }");
        assert_eq!(line("a", "max_connect"), "7 | server.max_connect = 3");
        assert_eq!(line("a", "sync_binlog"), "9 | \"server.sync_binlog\" = [0, 1]");
        assert_eq!(line("a", "connections"), "");
    }
}
