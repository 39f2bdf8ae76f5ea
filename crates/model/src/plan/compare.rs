//! `compare`: the axis of the matrix along which an experiment compares. An experiment with one target finds it by itself, if
//! there is only one that can be meant.

use super::MatrixCell;
use super::matrix::{self, Axis, Matrix};
use super::path::Path;
use super::scale::Reduction;
use super::sections::PlanContext;
use super::source::{Diagnostic, Diagnostics};
use super::value::{self, Value};
use crate::compared_axis::ComparedAxis;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::msg;
use toml::de::DeValue;

/// The word for what is compared without this key.
const TARGETS: &str = "targets";

/// The axis that the experiment compares along; `None`: it compares targets. `value` is the value of its key.
pub fn compared_axis(
    value: Option<&Value<'_>>,
    matrix: &Matrix<'_, '_>,
    (targets, searches): (usize, bool),
    known: &PlanContext<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Option<ComparedAxis> {
    let Some(value) = value else {
        return if targets == 1 && !searches { found_by_itself(matrix) } else { None };
    };
    let read = written(value).and_then(|(axis, base)| match axis {
        None => Ok(None),
        Some(axis) if searches => {
            let what = msg!("compare-with-search");
            Err((axis.span(), Diagnostic::new(what, msg!("keep-one-of-them"))))
        }
        Some(axis) => along(axis, base, matrix, known).map(Some),
    });
    read.unwrap_or_else(|(span, refusal)| {
        complaints.add(span, refusal);
        None
    })
}

type Written<'v, 'a> = (Option<&'v Value<'a>>, Option<&'v Value<'a>>);
type CompareError = (std::ops::Range<usize>, Diagnostic);

/// The axis and the base as the plan writes them; no axis: it compares targets.
fn written<'v, 'a>(value: &'v Value<'a>) -> Result<Written<'v, 'a>, CompareError> {
    let DeValue::Table(table) = value.get_ref() else {
        let axis = value::text("compare", value).map_err(|refusal| (value.span(), refusal))?;
        return Ok((Some(value).filter(|_| axis != TARGETS), None));
    };
    let (mut axis, mut base) = (None, None);
    for (key, value) in value::in_order(table) {
        match *key.get_ref() {
            "axis" => axis = Some(value),
            "base" => base = Some(value),
            other => return Err((key.span(), value::unknown_key(other, "compare", &["axis", "base"]))),
        }
    }
    match axis {
        Some(axis) => {
            let name = value::text("axis", axis).map_err(|refusal| (axis.span(), refusal))?;
            Ok((Some(axis).filter(|_| name != TARGETS), base))
        }
        None => {
            let what = msg!("compare-without-axis");
            Err((value.span(), Diagnostic::new(what, msg!("write-key", key = "axis", value = "\"dataset\""))))
        }
    }
}

fn along(
    value: &Value<'_>,
    base: Option<&Value<'_>>,
    matrix: &Matrix<'_, '_>,
    known: &PlanContext<'_>,
) -> Result<ComparedAxis, CompareError> {
    let at = |refusal| (value.span(), refusal);
    let name = value::text("compare", value).map_err(at)?;
    let path = Path::of(name).map_err(at)?;
    let Some(index) = matrix.axes.iter().position(|axis| axis.path == path) else {
        let what = msg!("compare-no-axis", axis = name);
        return Err(at(Diagnostic::new(what, msg!("add-axis-to-matrix", axis = name))));
    };
    let values = distinct(&matrix.axes[index]);
    if values.len() < 2 {
        let what = msg!("compare-one-value", axis = name);
        return Err(at(Diagnostic::new(what, msg!("give-axis-another-value", axis = name))));
    }
    let base = match base {
        None => None,
        Some(base) => match matrix::text(base).filter(|text| values.contains(text)) {
            Some(text) => Some(labelled(path.name(), text, matrix, known)),
            None => {
                let what = msg!("compare-base-unknown", axis = name);
                let all = values.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                return Err((base.span(), Diagnostic::new(what, msg!("use-one-of-all", names = all))));
            }
        },
    };
    Ok(ComparedAxis { keys: with_zipped(index, matrix), base })
}

/// The only axis of an experiment with one target whose values are alternatives.
fn found_by_itself(matrix: &Matrix<'_, '_>) -> Option<ComparedAxis> {
    let is_alternative = |axis: &Axis<'_, '_>| ComparedAxis::is_found_by_itself(&axis.path.name());
    let varied = |group: &&Vec<usize>| group.iter().any(|axis| distinct(&matrix.axes[*axis]).len() > 1);
    let mut of_load = matrix.groups.iter().filter(varied).filter(|group| {
        // What is zipped with an amount of load is no alternative either.
        group.iter().all(|axis| is_alternative(&matrix.axes[*axis]))
    });
    let group = of_load.next().filter(|_| of_load.next().is_none())?;
    Some(ComparedAxis { keys: with_zipped(*group.first()?, matrix), base: None })
}

/// The name of an axis, and those of the axes that are zipped with it.
fn with_zipped(index: usize, matrix: &Matrix<'_, '_>) -> Vec<String> {
    let group = matrix.groups.iter().find(|group| group.contains(&index));
    let others = group.into_iter().flatten().filter(|other| **other != index);
    std::iter::once(&index).chain(others).map(|axis| matrix.axes[*axis].path.name()).collect()
}

/// A note if what is compared also has unlike amounts of data: then the ratio is not that of the axis alone.
pub fn sizes_differ(compare: &ComparedAxis, cells: &[MatrixCell], known: &PlanContext<'_>) -> Option<Diagnostic> {
    let axis = compare.keys.first()?;
    if axis.starts_with("dataset.") {
        // That is what is asked.
        return None;
    }
    let sizes = |cell: &MatrixCell| -> Vec<(&'static str, String)> {
        let data = &cell.spec.dataset;
        let own = known.catalog.sizes.iter().filter(|size| size.kind == data.kind);
        own.map(|size| (size.option, data.options.get(size.option).map_or(size.default, String::as_str).to_owned()))
            .collect()
    };
    let mut first: BTreeMap<_, &MatrixCell> = BTreeMap::new();
    cells.iter().find_map(|cell| {
        let beside = *first.entry(compare.rest(&cell.axes)).or_insert(cell);
        let (own, other) = (sizes(cell), sizes(beside));
        let differing = other.iter().find(|size| !own.contains(size)).filter(|_| !own.is_empty())?;
        let (option, [a, b]) = (differing.0, [beside, cell].map(|cell| compare.words(&cell.axes)));
        let of_own = own.iter().find(|size| size.0 == option).map_or("–", |size| size.1.as_str()).to_owned();
        let what = msg!("compare-sizes-differ", axis, option, a, b, of_a = differing.1, of_b = of_own);
        Some(Diagnostic::new(what, msg!("compare-sizes-differ-hint", option)))
    })
}

fn distinct(axis: &Axis<'_, '_>) -> BTreeSet<String> {
    axis.values.iter().filter_map(|value| value.text()).collect()
}

/// A value of an axis as trials have it: a try-out has smaller ones.
fn labelled(key: String, text: String, matrix: &Matrix<'_, '_>, known: &PlanContext<'_>) -> String {
    let mut label = vec![(key, matrix::label(text))];
    if let Some(scale) = known.scale {
        Reduction::of(scale, matrix, known.catalog).labels(&mut label);
    }
    label.swap_remove(0).1
}
