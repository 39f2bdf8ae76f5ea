//! `[[experiment]]`: targets, data, load and the matrix are resolved into cells.

use super::compare::{compared_axis, sizes_differ};
use super::duet;
use super::group::{self, refused_beside};
use super::keys::{Table, of};
use super::matrix::{self, MOST_TRIALS, Matrix};
use super::path::{Cost, Path};
use super::scale::Reduction;
use super::sections::{PlanContext, each};
use super::settings::{Names, Order, Settings};
use super::source::{Diagnostic, Diagnostics, Part};
use super::spelling::option_name;
use super::tables::{at_most, head, place_of, server, table_of, telling};
use super::target::deaf;
use super::value::{self, Value};
use super::written::as_list;
use super::{Experiment, MatrixCell};
use crate::dsn::redact;
use crate::trial::{Restore, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use toml::de::DeValue;

/// `[[experiment]]`, once or several times.
pub fn experiments(value: &Value<'_>, known: &PlanContext<'_>, complaints: &mut Diagnostics<'_>) -> Vec<Experiment> {
    let all: Vec<&Value<'_>> = match value.get_ref() {
        DeValue::Array(all) => all.iter().collect(),
        _ => vec![value],
    };
    if all.is_empty() {
        complaints.add(value.span(), Diagnostic::new(msg!("experiments-empty"), msg!("add-an-experiment")));
    }
    let mut read: Vec<Experiment> = Vec::new();
    let (mut trials, mut names) = (0u128, BTreeSet::new());
    for value in at_most(all, MOST_EXPERIMENTS, msg!("experiments"), value.span(), complaints) {
        if let Some(experiment) = experiment(value, known, &mut trials, complaints) {
            if !names.insert(experiment.name.clone()) {
                let what = msg!("experiment-named-twice", name = format_args!("{:?}", experiment.name));
                complaints.add(head(value), Diagnostic::new(what, msg!("give-one-another-name")));
            }
            read.push(experiment);
        }
    }
    read
}

/// No plan has more experiments than this.
const MOST_EXPERIMENTS: usize = 1000;

/// A key in a load or a matrix, whose experiment's name is not known before the experiment is read.
type WrittenKey = (Part, String, String, Range<usize>);

/// An experiment as far as it can be understood, so that its options can be checked too; any error prevents the run.
fn experiment(
    value: &Value<'_>,
    known: &PlanContext<'_>,
    trials: &mut u128,
    complaints: &mut Diagnostics<'_>,
) -> Option<Experiment> {
    let before = complaints.count();
    let datasets: Vec<&str> = known.datasets.iter().map(|(name, _)| name.as_str()).collect();
    let names = Names { datasets: &datasets, catalog: known.catalog };
    let (mut settings, mut own_name, mut chosen, mut matrix) = (known.defaults.clone(), None, None, Matrix::default());
    let (mut keys, mut sound, mut compare) = (Vec::new(), true, None);
    each(Table::Experiment, value, complaints, |key, name, value, complaints| {
        let Some(key) = key else { return };
        match key.name {
            "name" => match value::text("name", value) {
                Ok(text) => own_name = Some(text.to_owned()),
                Err(refusal) => complaints.add(value.span(), refusal),
            },
            "targets" => chosen = choose(value, known, complaints),
            "compare" => compare = Some(value),
            "load" => load(value, &mut settings, names, &mut keys, complaints),
            "server" => server(value, "server", &mut settings.spec.server, complaints),
            "matrix" => {
                let before = complaints.count();
                if let Some(table) = table_of(&foreign("[experiment.matrix]"), value, complaints) {
                    matrix = matrix::read(table, complaints);
                }
                sound = complaints.count() == before;
            }
            _ => {
                if let Err(refusal) = settings.set(&Path::Own(key), value, names) {
                    complaints.add(place_of(&name, value), refusal);
                }
            }
        }
    });
    if value.get_ref().get("workload").is_some() {
        // It was told where it belongs.
        settings.refused.insert("workload");
    }
    let mut targets = chosen.unwrap_or_else(|| known.targets.clone());
    each_value(&matrix, &settings, &targets, names, complaints);
    group::refuse_axes(value, &settings, &matrix, complaints);
    keys.extend(matrix.axes.iter().flat_map(varied));
    let compare = match compare {
        // What an invalid matrix has is not known.
        Some(_) if !sound => None,
        compare => compared_axis(compare, &matrix, (targets.len(), settings.search.is_some()), known, complaints),
    };
    if complaints.count() == before && !few_enough(value, &matrix, &settings, targets.len(), trials, complaints) {
        targets.truncate(1);
        (settings.repeats, sound) = (1, false);
    } else if complaints.count() > before {
        settings.repeats = 1;
        // An invalid target does not keep the rest from being checked.
        targets = if targets.is_empty() { vec![Target::named("target", 0)] } else { targets };
        sound &= matrix.size().saturating_mul(targets.len() as u128) <= MOST_TRIALS;
    }
    if settings.repeats_until.is_some() && settings.order == Order::Sequential {
        complaints.add(head(value), Diagnostic::new(msg!("repeats-until-order"), msg!("repeats-until-order-hint")));
    }
    let matrix = if sound { matrix } else { Matrix::default() };
    let cells = cells(value, &matrix, &settings, (known, sound), complaints)?;
    if settings.order == Order::Duet && complaints.count() == before {
        let refusal = duet::refusal(&targets, &cells, settings.search.is_some() || compare.is_some(), known.catalog);
        refusal.into_iter().for_each(|refusal| complaints.add(head(value), refusal));
    }
    if let Some(note) = compare.as_ref().and_then(|along| sizes_differ(along, &cells, known)) {
        complaints.note(head(value), note);
    }
    if let Some(refusal) = targets.iter().find_map(|t| deaf(t, &settings.spec.server)) {
        complaints.add(head(value), refusal);
    }
    let name = own_name.unwrap_or_else(|| cells[0].spec.load.workload.clone());
    for (part, field, text, span) in keys {
        complaints.stands((part, name.clone(), field), text, span);
    }
    if let Some(scale) = known.scale {
        let reduction = Reduction::of(scale, &Matrix::default(), known.catalog);
        let replicas =
            |target: &mut Target| target.replicas.iter_mut().for_each(|r| reduction.memory("server", &mut r.at.server));
        targets.iter_mut().for_each(|target| {
            reduction.memory("server", &mut target.server);
            replicas(target);
        });
    }
    let Settings { order, repeats, repeats_until, search, .. } = settings;
    let repeats = search.as_ref().map_or(repeats, |search| search.trials);
    Some(Experiment { name, targets, compare, order, repeats, repeats_until, search, cells })
}

/// The keys of workloads and data sets that an axis varies.
fn varied(axis: &matrix::Axis<'_, '_>) -> Vec<WrittenKey> {
    let (part, name) = match &axis.path {
        Path::Load(key) => (Part::Load, key.name.to_owned()),
        Path::LoadOption(name) => (Part::Load, name.clone()),
        Path::Dataset(key) => (Part::Varied, key.name.to_owned()),
        Path::DatasetOption(name) => (Part::Varied, name.clone()),
        Path::Own(_) | Path::Server(_) | Path::TargetServer(..) => return Vec::new(),
    };
    let key = |value: &matrix::AxisValue<'_, '_>| (part, name.clone(), value.text().unwrap_or_default(), value.span());
    let whole = (part, name.clone(), String::new(), axis.span.clone());
    std::iter::once(whole).chain(axis.values.iter().map(key)).collect()
}

/// The targets named by an experiment, in the plan's order.
fn choose(value: &Value<'_>, known: &PlanContext<'_>, complaints: &mut Diagnostics<'_>) -> Option<Vec<Target>> {
    let texts = match value::texts("a target's name", value) {
        Ok(texts) => texts,
        Err((span, refusal)) => {
            complaints.add(span, refusal);
            return None;
        }
    };
    let names = || known.targets.iter().map(|t| t.name.as_str());
    let mut chosen: Vec<Target> = Vec::new();
    for (name, at) in &texts {
        match known.targets.iter().find(|t| t.name == *name) {
            Some(target) if chosen.iter().any(|t| t.name == target.name) => {
                let what = msg!("target-named-twice", target = name);
                complaints.add(at.span(), Diagnostic::new(what, msg!("name-each-target-once")));
            }
            Some(target) => chosen.push(target.clone()),
            None => complaints.add(
                at.span(),
                Diagnostic::new(
                    msg!("target-unknown", target = format_args!("{name:?}")),
                    match nearest(name, names()) {
                        Some(near) => msg!("write-it", near = format_args!("{near:?}")),
                        None if name.split(',').all(|part| names().any(|known| known == part.trim())) => {
                            msg!("write-key", key = "targets", value = as_list(at).unwrap_or_default())
                        }
                        None if known.targets.is_empty() => msg!("describe-target", name),
                        None => msg!("describe-target-or-use", name, names = names().collect::<Vec<_>>().join(", ")),
                    },
                ),
            ),
        }
    }
    if texts.is_empty() {
        complaints.add(value.span(), Diagnostic::new(msg!("targets-empty"), msg!("name-targets-or-remove-key")));
    }
    Some(chosen)
}

fn load(
    value: &Value<'_>,
    settings: &mut Settings,
    names: Names<'_>,
    keys: &mut Vec<WrittenKey>,
    complaints: &mut Diagnostics<'_>,
) {
    let mut beside = Vec::new();
    if !value.get_ref().is_table() {
        settings.refused.insert("workload");
    }
    each(Table::Load, value, complaints, |key, name, value, complaints| {
        if key.is_some_and(|key| key.name == "group") {
            let scripts = group::groups(value, settings, complaints);
            keys.extend(scripts.into_iter().map(|(text, span)| (Part::Load, "groups".to_owned(), text, span)));
            return;
        }
        let path = key.map_or_else(|| Path::LoadOption(option_name(name.get_ref())), Path::Load);
        let field = key.map_or_else(|| option_name(name.get_ref()), |key| key.name.to_owned());
        // A key of the experiment below the heading of its load.
        if key.is_none() && value::scalar(value).is_none() && of(Table::Experiment).any(|key| key.name == field) {
            let what = msg!("key-unknown", key = format_args!("{field:?}"), section = Table::Load.title());
            let hint = msg!("belongs-in-section", name = &field, section = Table::Experiment.title());
            complaints.add(name.span(), Diagnostic::new(what, hint));
            return;
        }
        if let Some(file) = value::scalar(value).filter(|file| field == "workload" && file.ends_with(".sql")) {
            let scripts = format!("\"sql\", scripts = [{:?}]", redact(&file));
            let hint = msg!("write-key", key = "workload", value = scripts);
            complaints.add(place_of(&name, value), Diagnostic::new(msg!("file-of-sql-is-no-workload", file), hint));
            settings.refused.insert("workload");
            return;
        }
        beside.extend(refused_beside(&field).map(|refusal| (name.span(), refusal)));
        keys.push((Part::Load, field, value::scalar(value).unwrap_or_default(), telling(&name, value)));
        if let Err(refusal) = settings.set(&path, value, names) {
            complaints.add(place_of(&name, value), refusal);
        }
    });
    if !settings.groups.is_empty() {
        beside.into_iter().for_each(|(span, refusal)| complaints.add(span, refusal));
    }
}

/// Tries every value of every axis by itself, so that each invalid one is reported once, at its position.
fn each_value(
    matrix: &Matrix<'_, '_>,
    base: &Settings,
    targets: &[Target],
    names: Names<'_>,
    complaints: &mut Diagnostics<'_>,
) {
    for (place, axis) in matrix.axes.iter().enumerate() {
        let (mut seen, mut scratch) = (BTreeSet::new(), base.clone());
        for value in &axis.values {
            if let Err(refusal) = value.with(|value| scratch.set(&axis.path, value, names)) {
                complaints.add(value.span(), refusal);
                if value.is_of_range() {
                    break;
                }
            } else if let Some(text) = value.text()
                && !seen.insert(text.clone())
                && !matrix.is_zipped(place)
            {
                let what = msg!("value-stands-twice", value = text, axis = axis.path.name());
                complaints.add(value.span(), Diagnostic::new(what, msg!("keep-one-of-repeats")));
            }
        }
        let (of, name) = match &axis.path {
            Path::Server(name) => (None, name),
            Path::TargetServer(target, name) => (Some(target), name),
            _ => continue,
        };
        if of.is_some_and(|of| targets.iter().all(|target| target.name != *of)) {
            let what = msg!("target-of-axis-unknown", axis = axis.path.name());
            let names = targets.iter().map(|t| t.name.as_str()).collect::<Vec<_>>().join(", ");
            complaints.add(axis.span.clone(), Diagnostic::new(what, msg!("use-one-of-all", names)));
        } else {
            let varied = BTreeMap::from([(name.clone(), String::new())]);
            let own = |target: &&Target| of.is_none_or(|of| target.name == *of);
            if let Some(refusal) = targets.iter().filter(own).find_map(|t| deaf(t, &varied)) {
                complaints.add(axis.span.clone(), refusal);
            }
        }
    }
}

/// Whether the plan is within the limits; computed without expanding it.
fn few_enough(
    value: &Value<'_>,
    matrix: &Matrix<'_, '_>,
    settings: &Settings,
    targets: usize,
    trials: &mut u128,
    complaints: &mut Diagnostics<'_>,
) -> bool {
    let repeats = settings.search.as_ref().map_or(settings.repeats, |search| search.trials);
    let each = u128::from(repeats) * targets as u128;
    // The number of excluded cells is only known after expanding, which is cheap up to this size.
    let cells = match matrix.size() {
        n if matrix.leaves_out() && n <= 10 * MOST_TRIALS => matrix.choices().len() as u128,
        n => n,
    };
    let more = cells.saturating_mul(each);
    *trials = trials.saturating_add(more);
    if *trials <= MOST_TRIALS {
        return true;
    }
    let axes: Vec<Message> =
        matrix.axes.iter().map(|a| msg!("values-of-axis", n = a.values.len(), axis = a.path.name())).collect();
    let cells = if axes.is_empty() { msg!("one-cell") } else { Message::joined(axes, " × ") };
    let what = msg!(
        "too-many-trials",
        trials = tenbin_words::figure::whole(i128::try_from(*trials).unwrap_or(i128::MAX)),
        cells,
        repeats,
        targets
    );
    complaints.add(head(value), Diagnostic::new(what, msg!("shorten-matrix")));
    false
}

/// The cells. `sound`: the matrix was read completely, so that contradictions are reported.
fn cells(
    value: &Value<'_>,
    matrix: &Matrix<'_, '_>,
    settings: &Settings,
    (known, sound): (&PlanContext<'_>, bool),
    complaints: &mut Diagnostics<'_>,
) -> Option<Vec<MatrixCell>> {
    let datasets: Vec<&str> = known.datasets.iter().map(|(name, _)| name.as_str()).collect();
    let names = Names { datasets: &datasets, catalog: known.catalog };
    let (before, mut cells) = (complaints.count(), Vec::new());
    let tell = sound && !complaints.partial();
    let mut any = false;
    let reduction = known.scale.map(|scale| Reduction::of(scale, matrix, known.catalog));
    for choice in matrix.choices() {
        any = true;
        let mut settings = match matrix.apply(&choice, settings, names) {
            Ok(settings) => settings,
            Err((span, refusal)) => {
                complaints.add(span, refusal);
                continue;
            }
        };
        if let Some(reduction) = &reduction {
            reduction.settings(&mut settings, known.catalog);
        }
        let (spec, wrong) = settings.resolve(&known.datasets, known.catalog);
        wrong.into_iter().filter(|_| tell).for_each(|refusal| complaints.add(head(value), refusal));
        if let Some(mut spec) = spec {
            let [data, servers] = [Cost::Data, Cost::Server].map(|cost| matrix.of_cost(cost, &choice));
            let mut axes = matrix.labels(&choice);
            if let Some(reduction) = &reduction {
                reduction.spec(&mut spec, known.catalog);
                reduction.labels(&mut axes);
            }
            if settings.restore.is_none() && spec.restore == Restore::Never && !data.is_empty() {
                // The tables of one cell do not have the rows of another.
                spec.restore = Restore::BeforeDataset;
            }
            cells.push(MatrixCell { axes, data, servers, spec });
        }
    }
    if !any && complaints.count() == before {
        complaints.add(head(value), Diagnostic::new(msg!("every-cell-excluded"), msg!("exclude-less")));
    }
    if cells.is_empty() { None } else { Some(cells) }
}
