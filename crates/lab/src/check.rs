//! What a plan would do, said before it does it: `tenbin plan check`.

use crate::hint;
use crate::run::Request;
use crate::stage;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::figure;
use tenbin_model::plan::{Part, Reading, keys};
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Observe, Restore, Target, Trial};
use tenbin_model::workload::NO_DATA;
use tenbin_target::doctor::{self, Level, Needs};
use tenbin_target::sandbox;
use tenbin_workload::script::is_script;
use tenbin_workload::{Dataset, Found, Wrong};

/// What would happen.
#[derive(Debug, Clone, Default)]
pub struct Forecast {
    /// Seconds of settling, warming up and measuring, all trials together.
    pub drive_s: f64,
    /// Seconds of loading, by a cautious guess of [`ROWS_PER_SECOND`].
    pub load_s: f64,
    /// Bytes the data sets take in the databases.
    pub disk_bytes: u64,
    /// What is created and dropped, per target and data set.
    pub effects: Vec<Effect>,
    /// Good to know.
    pub notes: Vec<Problem>,
    /// Why the plan would not survive as it is.
    pub refusals: Vec<Problem>,
}

/// What happens in one target for one data set.
#[derive(Debug, Clone, Default)]
pub struct Effect {
    /// The target's name.
    pub target: String,
    /// Its address, without password.
    pub address: String,
    /// What is there now.
    pub found: String,
    /// What will be done, in words.
    pub will: Vec<String>,
    /// The statements that create and drop.
    pub statements: Vec<String>,
}

/// A cautious guess of how fast rows are loaded; real servers do two to three times as many.
pub const ROWS_PER_SECOND: f64 = 100_000.0;

/// The same for what is counted in bytes: a disk without much haste.
const BYTES_PER_SECOND: f64 = 100e6;

fn per_second(dataset: &dyn Dataset) -> f64 {
    if dataset.unit() == "bytes" { BYTES_PER_SECOND } else { ROWS_PER_SECOND }
}

/// What becomes of scripts when options are checked: they are programs, and only they know their options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scripts {
    /// They are compiled, not run.
    Compile,
    /// Their top level is run: a run is about to do it anyway.
    Run,
}

/// Adds to `reading` whatever is wrong with the options of its workloads and data sets. Looks at no server.
pub fn options(reading: &mut Reading<'_>, scripts: Scripts) {
    let mut seen = BTreeSet::new();
    let trials = reading.trials();
    for trial in &trials {
        let target = (&trial.target.dsn, &trial.target.sandbox);
        let (load, data) = (&trial.load, &trial.dataset);
        let key = (target, &trial.experiment, &load.workload, &load.options, &data.name, &data.options);
        if !seen.insert(key) {
            continue;
        }
        // The target of a plan that has mistakes may be unknown.
        if trial.target.dsn.is_some() || trial.target.sandbox.is_some() {
            let fits = stage::fits(trial);
            fits.unwrap_or_else(|problem| reading.refuse(trial, Part::Load, Some(("workload", None)), problem));
        }
        let mut of_load = tenbin_workload::wrong_load(&load.workload, &load.options, &data.options);
        if of_load.is_empty() && scripts == Scripts::Run && is_script(&load.workload) {
            let made = Connector::new(nowhere(), None).and_then(|c| stage::workload(trial, &c));
            of_load.extend(made.err().map(|problem| Wrong { field: None, problem }));
        }
        let of_data = match data.kind.as_str() {
            NO_DATA => Vec::new(),
            kind => tenbin_workload::wrong_data(kind, &data.options, trial.target.scheme()),
        };
        let parts = [(Part::Load, of_load), (Part::Data, of_data)];
        for (part, wrong) in parts.into_iter().flat_map(|(part, all)| all.into_iter().map(move |wrong| (part, wrong))) {
            let field = wrong.field.as_ref().map(|(name, value)| (name.as_str(), value.as_deref()));
            let key = field.filter(|(_, value)| value.is_none()).and_then(|(name, _)| keys::meant(name));
            let problem = match key {
                Some(key) => wrong.problem.mend(key.way_to(keys::Table::Load)),
                None => wrong.problem,
            };
            reading.refuse(trial, part, field, problem);
        }
    }
}

/// Whether every server that is to be there lets us in: what is wrong, once for each target. Looks at no table.
pub fn reach(request: &Request, stop: &StopSignal) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    let there = request.trials.iter().filter(|t| t.target.sandbox.is_none() && seen.insert(&t.target.name));
    let targets: Vec<&Target> = there.map(|t| &t.target).collect();
    let mut wrong = Vec::new();
    for target in &targets {
        let outcome = stage::connector(target, &request.passwords)
            .and_then(|connector| tenbin_target::facts::reachable(&connector.until(stop)));
        if let Err(problem) = outcome {
            let several = targets.len() > 1;
            let what = if several { format!("target {}: {}", target.name, problem.what) } else { problem.what };
            let workload =
                request.trials.iter().find(|t| t.target.name == target.name).map(|t| t.load.workload.as_str());
            wrong.push(hint::complete(Problem { what, ..problem }, target, workload));
        }
        if stop.asked() {
            break;
        }
    }
    wrong
}

fn nowhere() -> tenbin_model::dsn::Dsn {
    tenbin_model::dsn::Dsn {
        scheme: tenbin_model::dsn::Scheme::Null,
        user: String::new(),
        password: None,
        host: String::new(),
        port: None,
        database: String::new(),
        options: BTreeMap::new(),
    }
}

/// Works out what would happen; looks at the targets (changing nothing) unless `offline`.
pub fn forecast(request: &Request, offline: bool) -> Forecast {
    let mut forecast = Forecast {
        drive_s: request.trials.iter().map(|t| (t.settle_ms + t.warmup_ms + t.measure_ms) as f64 / 1e3).sum(),
        ..Forecast::default()
    };
    forecast.refusals.extend(tenbin_engine::limits::enough_files(connections(&request.trials)).err());
    let scripts: BTreeSet<&str> =
        request.trials.iter().map(|t| t.load.workload.as_str()).filter(|name| is_script(name)).collect();
    forecast.notes.extend(scripts.into_iter().map(|name| {
        Problem::new(format!("the script {name} was compiled, not run: its options are checked when the run begins"))
    }));
    // One look per target, data set and way to restore.
    let mut groups: BTreeMap<(String, String, String), Vec<&Trial>> = BTreeMap::new();
    for trial in &request.trials {
        let key = (trial.target.name.clone(), format!("{:?}", trial.target.server), format!("{:?}", trial.dataset));
        groups.entry(key).or_default().push(trial);
    }
    for trials in groups.values() {
        match stage::dataset(trials[0]) {
            Ok(dataset) => group(request, trials, dataset.as_deref(), offline, &mut forecast),
            Err(problem) => forecast.refusals.push(problem),
        }
    }
    forecast
}

/// The most connections that a trial opens. A workload may let its clients share them; one that cannot be made opens none,
/// and is refused elsewhere.
fn connections(trials: &[Trial]) -> u32 {
    let Ok(nowhere) = Connector::new(nowhere(), None) else { return 0 };
    let of_scripts = trials.iter().filter(|t| is_script(&t.load.workload)).map(|t| t.load.clients).max();
    let mut made = BTreeMap::new();
    let each = trials.iter().filter(|t| !is_script(&t.load.workload)).filter_map(|t| {
        let key = (&t.load.workload, &t.load.options, &t.dataset.options);
        let workload = made.entry(key).or_insert_with(|| stage::workload(t, &nowhere).ok());
        Some(workload.as_ref()?.connections(t.load.clients))
    });
    each.chain(of_scripts).max().unwrap_or(0)
}

fn group(request: &Request, trials: &[&Trial], dataset: Option<&dyn Dataset>, offline: bool, forecast: &mut Forecast) {
    let (first, before) = (trials[0], forecast.refusals.len());
    let mut effect = Effect { target: first.target.name.clone(), ..Effect::default() };
    let mut found = None;
    if let Some(binary) = &first.target.sandbox {
        effect.address = format!("a private {binary}, started for the run and removed after it");
        effect.found = "nothing: it is new".into();
        found = Some(Found::Nothing);
        if let Err(problem) = sandbox::available(binary) {
            forecast.refusals.push(problem);
        }
        for unknown in sandbox::unknown_variables(binary, &first.target.server) {
            forecast.refusals.push(misspelt(binary, &first.target.name, &unknown));
        }
    } else {
        match stage::connector(&first.target, &request.passwords) {
            Err(problem) => forecast.refusals.push(problem),
            Ok(connector) => {
                effect.address = connector.dsn().to_string();
                if offline {
                    effect.found = "not looked at (--offline)".into();
                } else {
                    found = look(trials, dataset, &connector, &mut effect, forecast);
                }
            }
        }
    }
    if let Some(dataset) = dataset {
        data(trials, dataset, found, &mut effect, forecast);
    }
    for refusal in &mut forecast.refusals[before..] {
        *refusal = hint::complete(refusal.clone(), &first.target, Some(&first.load.workload));
    }
    forecast.effects.push(effect);
}

fn misspelt(binary: &str, target: &str, unknown: &sandbox::Unknown) -> Problem {
    let problem = Problem::new(format!("target {target}: {binary} has no variable {}", unknown.name))
        .evidence(format!("server.{} stands in the plan", unknown.name));
    match &unknown.nearest {
        Some(nearest) => problem.mend(format!("did you mean {nearest}?")),
        None => problem.mend(match sandbox::scheme(binary) {
            Scheme::Postgres => format!("{binary} --describe-config lists those it has"),
            _ => format!("{binary} --verbose --help lists those it has"),
        }),
    }
}

/// Connects, compares needs with limits, and looks at the tables.
fn look(
    trials: &[&Trial],
    dataset: Option<&dyn Dataset>,
    connector: &Connector,
    effect: &mut Effect,
    forecast: &mut Forecast,
) -> Option<Found> {
    let ours = || trials.iter().filter(|t| !is_script(&t.load.workload));
    let workloads = || ours().filter_map(|t| Some((t, stage::workload(t, connector).ok()?)));
    let of_scripts = trials.iter().filter(|t| is_script(&t.load.workload)).map(|t| t.load.clients);
    let needs = Needs {
        clients: workloads().map(|(t, w)| w.connections(t.load.clients)).chain(of_scripts).max().unwrap_or(1),
        observed: trials.iter().any(|t| t.load.observe == Observe::Always),
        prepared_per_client: workloads().map(|(_, w)| w.prepared_per_connection()).max().unwrap_or(0),
    };
    for finding in doctor::preflight(connector, &needs) {
        let problem = Problem {
            what: format!("target {}: {}", effect.target, finding.title),
            evidence: finding.evidence,
            mend: finding.mend,
        };
        match finding.level {
            Level::Error => forecast.refusals.push(problem),
            Level::Warning => forecast.notes.push(problem),
            Level::Note | Level::Ok => {}
        }
    }
    match dataset?.inspect(connector) {
        Ok(found) => {
            effect.found = match &found {
                Found::Nothing => "none of the tables".into(),
                Found::Ready { ours: true } => "the tables, complete, made by Tenbin".into(),
                Found::Ready { ours: false } => "the tables, complete, not made by Tenbin".into(),
                Found::Different { problem, .. } | Found::Unfinished { problem } => problem.what.clone(),
            };
            Some(found)
        }
        Err(problem) => {
            effect.found = "it could not be looked at".into();
            forecast.refusals.push(problem);
            None
        }
    }
}

/// What becomes of the tables, over all trials of the group in their order.
fn data(trials: &[&Trial], dataset: &dyn Dataset, found: Option<Found>, effect: &mut Effect, forecast: &mut Forecast) {
    forecast.disk_bytes += dataset.bytes();
    let restored = trials.iter().filter(|t| t.restore == Restore::BeforeRun).count() as u64;
    let required = trials.iter().any(|t| t.restore == Restore::Require);
    let (mut loads, mut drops) = (restored, restored);
    match found {
        Some(Found::Nothing) if required => {
            forecast.refusals.push(Problem::new(format!("target {}: the tables are not there", effect.target)).mend(
                "load them first with `tenbin load`, or set restore = \"never\" to have them loaded when missing",
            ))
        }
        Some(Found::Nothing) if restored > 0 => drops -= 1,
        Some(Found::Nothing) => loads = 1,
        Some(Found::Ready { ours: false }) if restored > 0 => forecast.refusals.push(
            Problem::new(format!("target {}: the tables were not made by Tenbin and are not dropped", effect.target))
                .mend("set restore = \"never\" to use them as they are, or name an empty schema"),
        ),
        Some(Found::Unfinished { problem }) if restored == 0 => forecast.refusals.push(problem),
        Some(Found::Different { ours, problem }) if !(ours && restored > 0) => forecast.refusals.push(problem),
        _ => {}
    }
    let rows = figure::whole(i128::from(dataset.rows()));
    if drops > 0 {
        effect.will.push(format!("drop what Tenbin made there, {drops} times"));
    }
    if loads > 0 {
        let size = figure::bytes(dataset.bytes() as f64);
        effect.will.push(format!("create and fill: {rows} {}, about {size}, {loads} times", dataset.unit()));
        effect.statements = dataset.statements();
        forecast.load_s += loads as f64 * dataset.rows() as f64 / per_second(dataset);
    } else {
        effect.will.push("use the tables as they are".into());
    }
}
