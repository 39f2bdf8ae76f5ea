//! The plan of one trial: the plan of its run without other targets, experiments and cells. Everything else stands in it as it
//! was given, whatever keys there are, so that a trial can be repeated with one thing changed.

use super::keys::Table as Section;
use super::names::{self, NameMatch};
use super::path::Path;
use crate::axis;
use crate::counted;
use crate::tested_limit::{NOTHING, TestedLimit};
use crate::trial::Trial;
use std::collections::BTreeMap;
use tenbin_words::units;
use toml::{Table, Value};

/// The plan of one trial, which can be changed.
#[derive(Debug, Clone)]
pub struct TrialPlan {
    /// All but targets and experiments.
    rest: Table,
    targets: Table,
    target: String,
    experiment: Table,
    /// The values of the matrix by axis.
    matrix: Table,
}

impl TrialPlan {
    /// Of a trial that was run by this plan; `None` if the plan does not contain it, as the text of several runs does not.
    pub fn of(text: &str, trial: &Trial) -> Option<TrialPlan> {
        let mut rest: Table = text.parse().ok()?;
        let Value::Table(mut targets) = remove(&mut rest, Section::Top, "targets")? else { return None };
        targets.retain(|name, _| *name == trial.target.name);
        let experiments = match remove(&mut rest, Section::Top, "experiment")? {
            Value::Array(all) => all,
            one => vec![one],
        };
        let of_several = experiments.len() > 1;
        let mut tables =
            experiments.into_iter().filter_map(|one| if let Value::Table(one) = one { Some(one) } else { None });
        let mut experiment = tables.find(|one| !of_several || name(one) == Some(&trial.experiment))?;
        let varied = match remove(&mut experiment, Section::Experiment, "matrix") {
            Some(Value::Table(matrix)) => flat("", matrix),
            _ => Vec::new(),
        };
        remove(&mut experiment, Section::Experiment, "targets");
        remove(&mut experiment, Section::Experiment, "repeats");
        remove(&mut experiment, Section::Experiment, "search");
        remove(&mut experiment, Section::Experiment, "compare");
        experiment.insert("name".to_owned(), Value::String(trial.experiment.clone()));
        let load = spelled(&experiment, Section::Experiment, "load").map(str::to_owned);
        if let Some(Value::Table(load)) = load.and_then(|key| experiment.get_mut(&key)) {
            let workload = [("workload".to_owned(), trial.load.workload.clone())];
            with_whole_paths(Section::Load, load, &trial.load.options.clone().into_iter().chain(workload).collect());
        }
        let data = spelled(&rest, Section::Top, "datasets").map(str::to_owned);
        if let Some(Value::Table(all)) = data.and_then(|key| rest.get_mut(&key))
            && let Some(Value::Table(data)) = all.get_mut(&trial.dataset.name)
        {
            with_whole_paths(Section::Dataset, data, &trial.dataset.options);
        }
        let others = |key: &str| match Path::of(key) {
            Ok(Path::TargetServer(target, _)) => target != trial.target.name,
            _ => key == axis::EXPERIMENT,
        };
        let own = trial.axes.iter().filter(|(key, _)| !others(key));
        let matrix = own.map(|(key, shown)| (key.clone(), Value::Array(vec![given(&varied, key, shown)])));
        let matrix = matrix.collect();
        let has_targets = !targets.is_empty();
        has_targets.then(|| TrialPlan { rest, targets, target: trial.target.name.clone(), experiment, matrix })
    }

    /// The name of the run.
    pub fn named(&mut self, name: &str) {
        self.rest.insert("name".to_owned(), Value::String(name.to_owned()));
    }

    /// What its run puts to the test, instead of what the former plan tested.
    pub fn refuting(&mut self, tested: &TestedLimit) {
        let TestedLimit { limit, changes, expects, run, trial } = tested;
        let limit = limit.map_or(NOTHING, |limit| limit.code());
        let texts = [("limit", limit), ("changes", changes), ("expects", &expects.to_string()), ("run", run)];
        let texts = texts.map(|(key, text)| (key.to_owned(), Value::String(text.to_owned())));
        let trial = ("trial".to_owned(), Value::Integer((*trial).into()));
        let table: Table = texts.into_iter().chain([trial]).collect();
        remove(&mut self.rest, Section::Top, "refutes");
        self.rest.insert("refutes".to_owned(), Value::Table(table));
    }

    /// How often each cell is run.
    pub fn repeated(&mut self, times: u32) {
        self.experiment.insert("repeats".to_owned(), Value::Integer(times.into()));
    }

    /// The clients run for at least this many milliseconds before each measurement.
    pub fn warmed(&mut self, trial: &Trial, least_ms: u64) {
        if let Some(warmup) = warmup(trial, least_ms) {
            remove(&mut self.experiment, Section::Experiment, WARMUP);
            self.matrix.remove(WARMUP);
            self.experiment.insert(WARMUP.to_owned(), warmup);
        }
    }

    /// After each trial its replicas are waited for, so that the next one begins with replicas that have everything.
    pub fn waits_for_replicas(&mut self) {
        remove(&mut self.experiment, Section::Experiment, "catch_up");
        self.experiment.insert("catch_up".to_owned(), Value::String("10m".to_owned()));
    }

    /// Varies a field, by its dotted name.
    pub fn varied(&mut self, key: &str, values: Vec<Value>) {
        let of_target = key.strip_prefix("server.").map(|name| format!("targets.{}.server.{name}", self.target));
        // What varies a variable of the target takes precedence over what varies that of all.
        let key = of_target.filter(|key| self.matrix.contains_key(key)).unwrap_or_else(|| key.to_owned());
        self.matrix.insert(key, Value::Array(values));
    }

    /// Adds the target again under another name, without some of its keys.
    pub fn target_again(&mut self, name: &str, without: &[&str]) {
        let Some(Value::Table(mut target)) = self.targets.get(&self.target).cloned() else { return };
        for key in without {
            remove(&mut target, Section::Target, key);
        }
        // Only one can be what others are compared with.
        remove(&mut target, Section::Target, "baseline");
        self.targets.insert(name.to_owned(), Value::Table(target));
    }

    /// The text of the plan.
    pub fn text(mut self) -> String {
        if !self.matrix.is_empty() {
            self.experiment.insert("matrix".to_owned(), Value::Table(self.matrix));
        }
        self.rest.insert("targets".to_owned(), Value::Table(self.targets));
        self.rest.insert("experiment".to_owned(), Value::Array(vec![Value::Table(self.experiment)]));
        self.rest.to_string()
    }
}

/// The plan of this trial's run with this many repeats of each cell and, if given, a warm-up of at least this many milliseconds; `None` if it
/// cannot be read.
pub fn again_with(text: &str, trial: &Trial, repeats: u32, warmup_ms: Option<u64>) -> Option<String> {
    let mut plan: Table = text.parse().ok()?;
    let key = spelled(&plan, Section::Top, "experiment")?.to_owned();
    let experiments: Vec<&mut Value> = match plan.get_mut(&key)? {
        Value::Array(all) => all.iter_mut().collect(),
        one => vec![one],
    };
    let repeats = Some(("repeats", Value::Integer(repeats.into())));
    let warmup = warmup_ms.and_then(|least_ms| Some((WARMUP, warmup(trial, least_ms)?)));
    let changes: Vec<(&str, Value)> = repeats.into_iter().chain(warmup).collect();
    for experiment in experiments.into_iter().filter_map(Value::as_table_mut) {
        for (key, value) in &changes {
            remove(experiment, Section::Experiment, key);
            experiment.insert((*key).to_owned(), value.clone());
        }
    }
    Some(plan.to_string())
}

const WARMUP: &str = "warmup";

/// A warm-up like that of a trial, but of at least this many milliseconds; `None` if it is already, or if the clients of the load have a part
/// to do, in which no warm-up may be.
fn warmup(trial: &Trial, least_ms: u64) -> Option<Value> {
    let is_as_long = trial.warmup_until.map_or(trial.warmup_ms, |until| until.min_ms) >= least_ms;
    if is_as_long || counted::expected(&trial.load).is_some() {
        return None;
    }
    let written = |ms: u64| Value::String(units::write_duration(ms));
    let Some(_) = trial.warmup_until else { return Some(written(least_ms)) };
    let max_ms = trial.warmup_ms.max(least_ms.saturating_mul(2));
    let limits = [("min", least_ms), ("max", max_ms)].map(|(key, ms)| (key.to_owned(), written(ms)));
    Some(Value::Table(limits.into_iter().collect()))
}

/// The name of an experiment: its own, or that of its workload.
fn name(experiment: &Table) -> Option<&str> {
    let load = || spelled(experiment, Section::Experiment, "load").and_then(|load| experiment.get(load)?.as_table());
    let of_load = || load().and_then(|load| load.get(spelled(load, Section::Load, "workload")?));
    experiment.get("name").or_else(of_load)?.as_str()
}

/// The plan may come to stand in another folder: paths that were used with that of the plan are written with it.
fn with_whole_paths(section: Section, table: &mut Table, used: &BTreeMap<String, String>) {
    for (key, value) in table {
        let name = match names::find(section, key) {
            Ok(NameMatch::Key(key)) => key.name.to_owned(),
            _ => key.replace('-', "_"),
        };
        let Some(whole) = used.get(&name).filter(|whole| whole.starts_with('/')) else { continue };
        let is_part = match &*value {
            Value::String(path) => whole.len() > path.len() && whole.ends_with(path),
            Value::Array(paths) => paths.first().and_then(Value::as_str).is_some_and(|path| !path.starts_with('/')),
            _ => false,
        };
        if is_part {
            *value = Value::String(whole.clone());
        }
    }
}

/// How a key is spelled in a table.
fn spelled<'t>(table: &'t Table, section: Section, key: &str) -> Option<&'t str> {
    let is = |name: &&String| matches!(names::find(section, name), Ok(NameMatch::Key(found)) if found.name == key);
    table.keys().find(is).map(String::as_str)
}

/// Removes a key, however it is spelled.
fn remove(from: &mut Table, section: Section, key: &str) -> Option<Value> {
    let spelled = spelled(from, section, key)?.to_owned();
    from.remove(&spelled)
}

/// The lists of a matrix by axis: `"load.clients" = […]` and `load.clients = […]` alike.
fn flat(before: &str, matrix: Table) -> Vec<(String, Vec<Value>)> {
    let each = matrix.into_iter().flat_map(|(name, value)| match value {
        Value::Table(inner) => flat(&format!("{before}{name}."), inner),
        Value::Array(values) => vec![(format!("{before}{name}"), values)],
        _ => Vec::new(),
    });
    each.collect()
}

/// The value of an axis that is shown so, as it was given; a level of a search was not given.
fn given(varied: &[(String, Vec<Value>)], key: &str, shown: &str) -> Value {
    let is_axis = |name: &str| Path::of(name).is_ok_and(|path| path.name() == key);
    let values = varied.iter().find(|(name, _)| is_axis(name)).map_or(&[][..], |(_, values)| values);
    let is = |value: &&Value| match value {
        Value::String(text) => text == shown,
        Value::Boolean(is) => shown == if *is { "on" } else { "off" },
        Value::Float(number) => shown.replace('_', "").parse() == Ok(*number),
        other => other.to_string() == shown,
    };
    let written = || match (shown.parse::<i64>(), shown.parse::<f64>()) {
        (Ok(n), _) => Value::Integer(n),
        (_, Ok(n)) => Value::Float(n),
        _ => Value::String(shown.to_owned()),
    };
    values.iter().find(is).cloned().unwrap_or_else(written)
}

/// A text as a value of TOML.
pub fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}
