//! Walks the sections of a plan: targets, data sets, defaults, experiments.

use super::keys::{self, Found, Key, Table};
use super::matrix::{self, MOST_TRIALS, Matrix};
use super::settings::{self, DatasetSpec, Path, Settings};
use super::source::{Complaints, Refusal};
use super::value::{self, Value, in_order};
use super::{Cell, Experiment};
use crate::dsn::{Dsn, Password, Scheme};
use crate::problem::Problem;
use crate::trial::Target;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What the sections before the experiments have told.
#[derive(Default)]
pub struct Known {
    pub defaults: Settings,
    pub targets: Vec<Target>,
    pub passwords: BTreeMap<String, Password>,
    pub datasets: Vec<(String, DatasetSpec)>,
}

/// Hands each key of a table to `take`; unknown, late and doubled ones are complained of.
pub fn each<'t, 'a>(
    table: Table,
    value: &'t Value<'a>,
    complaints: &mut Complaints<'_>,
    mut take: impl FnMut(Option<&'static Key>, Spanned<&'t str>, &'t Value<'a>, &mut Complaints<'_>),
) {
    let Some(entries) = table_of(table.header(), value, complaints) else { return };
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in in_order(entries) {
        match keys::find(table, name.get_ref()) {
            Err(refusal) => complaints.add(name.span(), refusal),
            Ok(Found::Option) => take(None, name, value, complaints),
            Ok(Found::Key(key)) if seen.contains(&key.name) => {
                let what = format!("{} is given twice: {} is another name of it", key.name, name.get_ref());
                complaints.add(name.span(), Refusal::new(what, "keep one of them"));
            }
            Ok(Found::Key(key)) => {
                seen.push(key.name);
                take(Some(key), name, value, complaints);
            }
        }
    }
}

fn table_of<'t, 'a>(what: &str, value: &'t Value<'a>, complaints: &mut Complaints<'_>) -> Option<&'t DeTable<'a>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        other => {
            let refusal =
                Refusal::new(format!("{what} is a table, not {}", value::kind(other)), "see `tenbin plan example`");
            complaints.add(value.span(), refusal);
            None
        }
    }
}

/// `[defaults]`, and `[metrics]`, whose interval is one of them.
pub fn defaults(value: &Value<'_>, table: Table, known: &mut Known, complaints: &mut Complaints<'_>) {
    each(table, value, complaints, |key, name, value, complaints| {
        let Some(key) = key else { return };
        if let Err(refusal) = known.defaults.set(&Path::Own(key), value, &[]) {
            complaints.add(place_of(&name, value), refusal);
        }
    });
}

/// `[targets.<name>]`
pub fn targets(value: &Value<'_>, known: &mut Known, complaints: &mut Complaints<'_>) {
    let Some(all) = table_of("[targets]", value, complaints) else { return };
    for (place, (name, value)) in in_order(all).into_iter().enumerate() {
        target(name, value, place as u32, known, complaints);
    }
    if all.is_empty() {
        complaints
            .add(value.span(), Refusal::new("there is no target in [targets]", "add [targets.a] with dsn = \"…\""));
    }
}

fn target(name: Spanned<&str>, value: &Value<'_>, place: u32, known: &mut Known, complaints: &mut Complaints<'_>) {
    let before = complaints.count();
    let mut target = Target {
        name: (*name.get_ref()).to_owned(),
        place,
        dsn: None,
        password_env: None,
        password_file: None,
        sandbox: None,
        server: BTreeMap::new(),
    };
    let (mut dsn, mut tls) = (None, Vec::new());
    each(Table::Target, value, complaints, |key, name, value, complaints| {
        let Some(key) = key else { return };
        let outcome = match key.name {
            "server" => return server(value, &mut target.server, complaints),
            "dsn" => value::text("dsn", value)
                .and_then(|text| Dsn::parse(text).map_err(refused))
                .map(|read| dsn = Some((read, value.span()))),
            "tls" => {
                let modes = ["disabled", "preferred", "required", "verify-ca", "verify-identity"].map(|m| (m, m));
                value::word("tls", value, &modes).map(|mode| tls.push(("tls", mode.to_owned(), value.span())))
            }
            "tls_ca" => value::text("tls_ca", value).map(|path| tls.push(("tls_ca", path.to_owned(), value.span()))),
            other => value::text(other, value).map(|text| {
                let field = match other {
                    "password_env" => &mut target.password_env,
                    "password_file" => &mut target.password_file,
                    _ => &mut target.sandbox,
                };
                *field = Some(text.to_owned());
            }),
        };
        if let Err(refusal) = outcome {
            complaints.add(place_of(&name, value), refusal);
        }
    });
    if target.name.trim().is_empty() {
        complaints.add(name.span(), Refusal::new("a target has no name", "write [targets.a]"));
    }
    match (&mut dsn, &target.sandbox) {
        (Some((_, span)), Some(_)) => {
            let what = format!("target {} has an address and is a sandbox", target.name);
            complaints
                .add(span.clone(), Refusal::new(what, "keep dsn for a server that runs, sandbox for one to start"));
        }
        (None, None) if complaints.count() == before => {
            let what = format!("target {} has no address", target.name);
            complaints.add(name.span(), Refusal::new(what, "give it dsn = \"mysql://…\" or sandbox = \"mariadbd\""));
        }
        (Some((dsn, span)), None) => {
            custody(&target, dsn, span.clone(), known, complaints);
            for (option, text, span) in tls {
                if dsn.scheme != Scheme::Mysql {
                    complaints.add(
                        span,
                        Refusal::new(format!("{option} means nothing to this database"), format!("remove {option}")),
                    );
                } else if dsn.options.insert(option.into(), text).is_some() {
                    let what = format!("{option} stands in the address too");
                    complaints.add(span, Refusal::new(what, "keep one of them"));
                }
            }
            target.dsn = Some(dsn.without_password());
            if let Some(refusal) = deaf(&target, &target.server) {
                complaints.add(name.span(), refusal);
            }
        }
        _ => {}
    }
    known.targets.push(target);
}

fn refused(problem: Problem) -> Refusal {
    Refusal { what: problem.what, mend: problem.mend }
}

/// Parts the password from the address.
fn custody(target: &Target, dsn: &mut Dsn, span: Range<usize>, known: &mut Known, complaints: &mut Complaints<'_>) {
    let in_options = dsn.options.remove("password");
    let Some(password) = dsn.password.take().or(in_options) else { return };
    if target.password_env.is_some() || target.password_file.is_some() {
        let what = format!("the password of target {} is given twice", target.name);
        complaints.add(span, Refusal::new(what, "take it out of the address"));
        return;
    }
    known.passwords.insert(target.name.clone(), Password::new(password));
    complaints.note(
        span,
        Refusal::new(
            format!(
                "the password of target {} stands in the plan; it is left out of everything that is written",
                target.name
            ),
            "prefer password_env = \"NAME\" or password_file = \"PATH\": then the stored plan can be run again",
        ),
    );
}

fn server(value: &Value<'_>, into: &mut BTreeMap<String, String>, complaints: &mut Complaints<'_>) {
    let Some(variables) = table_of("server", value, complaints) else { return };
    for (name, value) in in_order(variables) {
        match settings::server_value(name.get_ref(), value) {
            Ok(text) => drop(into.insert(settings::server_name(name.get_ref()), text)),
            Err(refusal) => complaints.add(value.span(), refusal),
        }
    }
}

/// Why server variables cannot be set on a target, when they cannot.
fn deaf(target: &Target, server: &BTreeMap<String, String>) -> Option<Refusal> {
    let dsn = target.dsn.as_deref()?;
    if server.is_empty() || dsn.starts_with("sqlite:") {
        return None;
    }
    Some(Refusal {
        what: format!("not yet: server variables of {} (they are set on sandboxes and SQLite only)", target.name),
        mend: Some("set them on the server itself, or use sandbox = \"mariadbd\"".into()),
    })
}

/// `[datasets.<name>]`
pub fn datasets(value: &Value<'_>, known: &mut Known, complaints: &mut Complaints<'_>) {
    let Some(all) = table_of("[datasets]", value, complaints) else { return };
    for (name, value) in in_order(all) {
        let mut spec = DatasetSpec::default();
        each(Table::Dataset, value, complaints, |key, name, value, complaints| {
            if let Err(refusal) = settings::set_dataset(&mut spec, key.map_or(*name.get_ref(), |k| k.name), value) {
                complaints.add(place_of(&name, value), refusal);
            }
        });
        known.datasets.push(((*name.get_ref()).to_owned(), spec));
    }
}

/// `[[experiment]]`, once or several times.
pub fn experiments(value: &Value<'_>, known: &Known, complaints: &mut Complaints<'_>) -> Vec<Experiment> {
    let all: Vec<&Value<'_>> = match value.get_ref() {
        DeValue::Array(all) => all.iter().collect(),
        _ => vec![value],
    };
    let mut read: Vec<Experiment> = Vec::new();
    let mut trials = 0u128;
    for value in all {
        if let Some(experiment) = experiment(value, known, &mut trials, complaints) {
            if read.iter().any(|e| e.name == experiment.name) {
                let what = format!("two experiments are called {:?}", experiment.name);
                complaints.add(head(value), Refusal::new(what, "give one of them another name"));
            }
            read.push(experiment);
        }
    }
    read
}

fn experiment(
    value: &Value<'_>,
    known: &Known,
    trials: &mut u128,
    complaints: &mut Complaints<'_>,
) -> Option<Experiment> {
    let before = complaints.count();
    let names: Vec<&str> = known.datasets.iter().map(|(name, _)| name.as_str()).collect();
    let (mut settings, mut own_name, mut chosen, mut matrix) = (known.defaults.clone(), None, None, Matrix::default());
    each(Table::Experiment, value, complaints, |key, name, value, complaints| {
        let Some(key) = key else { return };
        match key.name {
            "name" => match value::text("name", value) {
                Ok(text) => own_name = Some(text.to_owned()),
                Err(refusal) => complaints.add(value.span(), refusal),
            },
            "targets" => chosen = choose(value, known, complaints),
            "load" => load(value, &mut settings, complaints),
            "server" => server(value, &mut settings.server, complaints),
            "matrix" => {
                if let Some(table) = table_of("[experiment.matrix]", value, complaints) {
                    matrix = matrix::read(table, complaints);
                }
            }
            _ => {
                if let Err(refusal) = settings.set(&Path::Own(key), value, &names) {
                    complaints.add(place_of(&name, value), refusal);
                }
            }
        }
    });
    let targets = chosen.unwrap_or_else(|| known.targets.clone());
    each_value(&matrix, &settings, &targets, &names, complaints);
    if complaints.count() > before || !few_enough(value, &matrix, &settings, targets.len(), trials, complaints) {
        return None;
    }
    let cells = cells(value, &matrix, &settings, known, complaints)?;
    let servers = cells.iter().any(|c| !c.resolved.server.is_empty());
    if let Some(refusal) = targets.iter().filter(|_| servers).find_map(|t| deaf(t, &cells[0].resolved.server)) {
        complaints.add(head(value), refusal);
    }
    let name = own_name.unwrap_or_else(|| cells[0].resolved.load.workload.clone());
    Some(Experiment { name, targets, order: settings.order, repeats: settings.repeats, cells })
}

/// The targets an experiment names, in the plan's order.
fn choose(value: &Value<'_>, known: &Known, complaints: &mut Complaints<'_>) -> Option<Vec<Target>> {
    let said = match value::texts("a target's name", value) {
        Ok(said) => said,
        Err((span, refusal)) => {
            complaints.add(span, refusal);
            return None;
        }
    };
    let names = || known.targets.iter().map(|t| t.name.as_str());
    let mut chosen: Vec<Target> = Vec::new();
    for (name, at) in &said {
        match known.targets.iter().find(|t| t.name == *name) {
            Some(target) if chosen.iter().any(|t| t.name == target.name) => {
                let what = format!("target {name} is named twice; against itself it would weigh nothing");
                complaints.add(
                    at.span(),
                    Refusal::new(what, "name each target once, or describe a second one with the same address"),
                );
            }
            Some(target) => chosen.push(target.clone()),
            None => complaints.add(
                at.span(),
                Refusal::new(
                    format!("there is no target {name:?} in the plan"),
                    match keys::nearest(name, names()) {
                        Some(near) => format!("write {near:?}"),
                        None => format!("describe it in [targets.{name}]"),
                    },
                ),
            ),
        }
    }
    if said.is_empty() {
        complaints.add(
            value.span(),
            Refusal::new("targets is empty: there is nothing to weigh", "name targets, or remove the key to take all"),
        );
    }
    Some(chosen)
}

fn load(value: &Value<'_>, settings: &mut Settings, complaints: &mut Complaints<'_>) {
    each(Table::Load, value, complaints, |key, name, value, complaints| {
        let path = key.map_or_else(|| Path::LoadOption(settings::option_name(name.get_ref())), Path::Load);
        if let Err(refusal) = settings.set(&path, value, &[]) {
            complaints.add(place_of(&name, value), refusal);
        }
    });
}

/// Tries every value of every axis by itself, so that each wrong one is told once, where it stands.
fn each_value(
    matrix: &Matrix<'_, '_>,
    base: &Settings,
    targets: &[Target],
    datasets: &[&str],
    complaints: &mut Complaints<'_>,
) {
    for axis in &matrix.axes {
        let mut seen = Vec::new();
        for value in &axis.values {
            if let Err(refusal) = base.clone().set(&axis.path, value, datasets) {
                complaints.add(value.span(), refusal);
            } else if let Some(text) = value::scalar(value) {
                if seen.contains(&text) {
                    let what = format!("{text} stands twice in {}", axis.path.name());
                    complaints.add(value.span(), Refusal::new(what, "keep one; repeats says how often a cell is run"));
                }
                seen.push(text);
            }
        }
        if let Path::Server(name) = &axis.path {
            let varied = BTreeMap::from([(name.clone(), String::new())]);
            if let Some(refusal) = targets.iter().find_map(|t| deaf(t, &varied)) {
                complaints.add(axis.span.clone(), refusal);
            }
        }
    }
}

/// Whether the plan stays within what anybody can run; computed, not expanded.
fn few_enough(
    value: &Value<'_>,
    matrix: &Matrix<'_, '_>,
    settings: &Settings,
    targets: usize,
    trials: &mut u128,
    complaints: &mut Complaints<'_>,
) -> bool {
    let each = u128::from(settings.repeats) * targets as u128;
    // What is left out is only known after expanding, which is cheap up to here.
    let cells = match matrix.size() {
        n if matrix.leaves_out() && n <= 10 * MOST_TRIALS => matrix.choices().len() as u128,
        n => n,
    };
    let more = cells.saturating_mul(each);
    *trials = trials.saturating_add(more);
    if *trials <= MOST_TRIALS {
        return true;
    }
    let axes: Vec<String> = matrix.axes.iter().map(|a| format!("{} {}", a.values.len(), a.path.name())).collect();
    let what = format!(
        "the plan comes to {} trials or more ({} × {} repeats × {targets} targets), more than {MOST_TRIALS}",
        crate::figure::whole(i128::try_from(*trials).unwrap_or(i128::MAX)),
        if axes.is_empty() { "1 cell".into() } else { axes.join(" × ") },
        settings.repeats,
    );
    complaints.add(head(value), Refusal::new(what, "shorten the lists of the matrix, or tie axes together with zip"));
    false
}

fn cells(
    value: &Value<'_>,
    matrix: &Matrix<'_, '_>,
    settings: &Settings,
    known: &Known,
    complaints: &mut Complaints<'_>,
) -> Option<Vec<Cell>> {
    let names: Vec<&str> = known.datasets.iter().map(|(name, _)| name.as_str()).collect();
    let mut cells = Vec::new();
    for choice in matrix.choices() {
        let made = matrix
            .apply(&choice, settings, &names)
            .and_then(|settings| settings.resolve(&known.datasets).map_err(|refusal| (head(value), refusal)));
        match made {
            Ok(resolved) => {
                cells.push(Cell { axes: matrix.labels(&choice), expensive: matrix.expensive(&choice), resolved })
            }
            Err((span, refusal)) => {
                complaints.add(span, refusal);
                return None;
            }
        }
    }
    if cells.is_empty() {
        complaints
            .add(head(value), Refusal::new("every cell of the matrix is left out", "take something out of exclude"));
        return None;
    }
    Some(cells)
}

/// Where a complaint about a key's value points: the value, and the key itself when the value is a table of its own.
fn place_of(name: &Spanned<&str>, value: &Value<'_>) -> Range<usize> {
    if value.get_ref().is_table() { name.span() } else { value.span() }
}

/// The head of a table: where complaints about all of it point.
fn head(value: &Value<'_>) -> Range<usize> {
    let span = value.span();
    span.start..span.start
}
