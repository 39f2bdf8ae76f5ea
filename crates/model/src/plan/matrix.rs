//! The matrix of an experiment: axes, `zip`, `exclude`, and the resulting cells.

use super::instead::as_axis_of;
use super::keys::Table;
use super::names::{self, NameMatch};
use super::path::{Cost, Path};
use super::range;
use super::settings::{Names, Settings};
use super::source::{Diagnostic, Diagnostics, Placed};
use super::tables::at_most;
use super::value::{self, Value, in_order};
use super::written::{as_list, literal};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tenbin_words::msg;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// No plan runs more trials than this.
pub const MOST_TRIALS: u128 = 10_000;

/// No matrix has more axes, values of an axis or exclusions than this.
const MOST_AXES: usize = 64;
const MOST_VALUES: usize = MOST_TRIALS as usize;
const MOST_EXCLUDED: usize = 1000;

/// One axis: a field and its values.
pub struct Axis<'t, 'a> {
    pub path: Path,
    pub span: Range<usize>,
    pub values: Vec<AxisValue<'t, 'a>>,
}

/// A value of an axis.
pub enum AxisValue<'t, 'a> {
    /// One of the plan's list.
    Listed(&'t Value<'a>),
    /// One of a range: as a plan would write it, and where the range is.
    OfRange(String, Range<usize>),
}

impl AxisValue<'_, '_> {
    /// Its position in the plan, or that of its range.
    pub fn span(&self) -> Range<usize> {
        match self {
            AxisValue::Listed(value) => value.span(),
            AxisValue::OfRange(_, span) => span.clone(),
        }
    }

    /// Whether the plan does not write it itself.
    pub fn is_of_range(&self) -> bool {
        matches!(self, AxisValue::OfRange(..))
    }

    /// Passes it on as a value of the plan.
    pub fn with<T>(&self, take: impl FnOnce(&Value<'_>) -> T) -> T {
        match self {
            AxisValue::Listed(value) => take(value),
            AxisValue::OfRange(text, span) => {
                let (value, _) = DeValue::parse_recoverable(text);
                take(&Spanned::new(span.clone(), value.into_inner()))
            }
        }
    }

    /// Its text, for labels: see [`text`].
    pub fn text(&self) -> Option<String> {
        self.with(text)
    }
}

/// The text of a value of an axis: a single value as it is, a list as a plan writes it; `None` for tables and dates. Values are alike if their texts are.
pub fn text(value: &Value<'_>) -> Option<String> {
    value::scalar(value).or_else(|| literal(value))
}

/// The matrix of one experiment.
#[derive(Default)]
pub struct Matrix<'t, 'a> {
    /// In the plan's order.
    pub axes: Vec<Axis<'t, 'a>>,
    /// Groups of axes that are zipped, by their indexes in `axes`; a single axis is a group of one.
    pub groups: Vec<Vec<usize>>,
    /// Excluded combinations: indexes in `axes` and of the value in its list, where it is for the first time.
    excluded: Vec<Vec<(usize, usize)>>,
}

/// One combination: for each axis the index of its value.
pub type Choice = Vec<usize>;

/// Reads `[experiment.matrix]`.
pub fn read<'t, 'a>(table: &'t DeTable<'a>, complaints: &mut Diagnostics<'_>) -> Matrix<'t, 'a> {
    let mut matrix = Matrix::default();
    let (mut zips, mut excludes) = (None, None);
    for (key, value) in in_order(table) {
        match *key.get_ref() {
            "zip" => zips = Some(value),
            "exclude" => excludes = Some(value),
            name => axes(name.to_owned(), key.span(), value, &mut matrix, complaints),
        }
    }
    let mut together = vec![false; matrix.axes.len()];
    if let Some(value) = zips {
        zip(value, &mut matrix, &mut together, complaints);
    }
    // A group has the position of its first axis in the plan.
    matrix.groups.extend((0..matrix.axes.len()).filter(|i| !together[*i]).map(|i| vec![i]));
    matrix.groups.sort();
    if let Some(value) = excludes {
        exclude(value, &mut matrix, complaints);
    }
    matrix
}

/// `"load.clients" = […]`, and `load.clients = […]`, which TOML reads as tables in tables.
fn axes<'t, 'a>(
    name: String,
    span: Range<usize>,
    value: &'t Value<'a>,
    matrix: &mut Matrix<'t, 'a>,
    complaints: &mut Diagnostics<'_>,
) {
    if matrix.axes.len() == MOST_AXES {
        let what = msg!("too-many-axes", most_axes = MOST_AXES);
        return complaints.add(span, Diagnostic::new(what, msg!("vary-less")));
    }
    match value.get_ref() {
        DeValue::Table(inner) if range::is_range(&name, inner) => match path(&name) {
            Err(refusal) => complaints.add(span, refusal),
            Ok(path) => {
                let Some(values) = range::values(&path.name(), inner, value, complaints) else { return };
                let values = values.into_iter().map(|text| AxisValue::OfRange(text, value.span())).collect();
                add_axis(Axis { path, span, values }, matrix, complaints);
            }
        },
        DeValue::Table(inner)
            if ["load", "dataset", "datasets", "server", "targets"]
                .contains(&name.split('.').next().unwrap_or_default()) =>
        {
            for (key, value) in in_order(inner) {
                axes(format!("{name}.{}", key.get_ref()), key.span(), value, matrix, complaints);
            }
        }
        DeValue::Array(values) => match path(&name) {
            Err(refusal) => {
                // `duration = […]` and `threads = […]`: the axis of the key that is meant.
                let meant = names::meant(name.rsplit('.').next().unwrap_or_default());
                let hint = meant.and_then(|key| as_axis_of(key, value)).or(refusal.hint);
                complaints.add(span, Diagnostic { hint, ..refusal });
            }
            Ok(path) if values.is_empty() => {
                let what = msg!("axis-without-values", axis = path.name());
                complaints.add(value.span(), Diagnostic::new(what, msg!("give-at-least-one-value")));
            }
            Ok(path) => {
                let what = msg!("values-of", axis = path.name());
                let values = values.iter().map(AxisValue::Listed).collect();
                let values = at_most(values, MOST_VALUES, what, value.span(), complaints);
                add_axis(Axis { path, span, values }, matrix, complaints);
            }
        },
        _ => match path(&name) {
            Err(refusal) => complaints.add(span, refusal),
            Ok(path) => {
                let what = msg!("axis-takes-a-list", axis = path.name(), kind = value::kind(value.get_ref()));
                let list = as_list(value).unwrap_or_else(|| "[…]".into());
                let hint = msg!("write-key", key = format_args!("\"{name}\""), value = list);
                complaints.add(value.span(), Diagnostic::new(what, hint));
            }
        },
    }
}

fn add_axis<'t, 'a>(axis: Axis<'t, 'a>, matrix: &mut Matrix<'t, 'a>, complaints: &mut Diagnostics<'_>) {
    if matrix.axes.iter().any(|other| other.path == axis.path) {
        let what = msg!("axis-given-twice", axis = axis.path.name());
        return complaints.add(axis.span, Diagnostic::new(what, msg!("keep-one-of-them")));
    }
    matrix.axes.push(axis);
}

fn path(name: &str) -> Result<Path, Diagnostic> {
    if !name.contains('.') && matches!(names::find(Table::Matrix, name), Ok(NameMatch::Key(_)) | Err(_)) {
        // `zip` and `exclude` are handled before; similar names are typing errors.
        return names::find(Table::Matrix, name).and_then(|_| Path::of(name));
    }
    Path::of(name)
}

fn zip(value: &Value<'_>, matrix: &mut Matrix<'_, '_>, together: &mut [bool], complaints: &mut Diagnostics<'_>) {
    let wrong = || {
        Diagnostic::new(
            msg!("zip-takes-lists"),
            msg!("write-key", key = "zip", value = "[[\"load.clients\", \"load.rate\"]]"),
        )
    };
    let DeValue::Array(groups) = value.get_ref() else { return complaints.add(value.span(), wrong()) };
    for group in groups.iter() {
        let names = match value::texts("an axis", group) {
            Ok(names) if group.get_ref().is_array() => names,
            Ok(_) => return complaints.add(group.span(), wrong()),
            Err((span, refusal)) => return complaints.add(span, refusal),
        };
        let mut places = Vec::new();
        for (name, at) in names {
            match place(name, matrix) {
                Ok(i) if together[i] => {
                    complaints.add(
                        at.span(),
                        Diagnostic::new(msg!("axis-zipped-already", axis = name), msg!("name-axis-once-in-zip")),
                    );
                }
                Ok(i) => {
                    together[i] = true;
                    places.push(i);
                }
                Err(refusal) => complaints.add(at.span(), refusal),
            }
        }
        let lengths: Vec<usize> = places.iter().map(|i| matrix.axes[*i].values.len()).collect();
        if lengths.windows(2).any(|w| w[0] != w[1]) {
            let what = msg!("zipped-axes-differ", lengths = format_args!("{lengths:?}"));
            complaints.add(group.span(), Diagnostic::new(what, msg!("make-their-lists-equally-long")));
        }
        places.sort_unstable();
        if places.len() > 1 {
            repeated(&places, matrix, complaints);
        }
        if !places.is_empty() {
            matrix.groups.push(places);
        }
    }
}

/// A value of an axis as it is shown: an empty text as the plan writes it.
pub fn label(text: String) -> String {
    if text.is_empty() { "\"\"".to_owned() } else { text }
}

/// Values of zipped axes may repeat, but not all of them together: that would be the same cell.
fn repeated(places: &[usize], matrix: &Matrix<'_, '_>, complaints: &mut Diagnostics<'_>) {
    let axes: Vec<&Axis<'_, '_>> = places.iter().map(|i| &matrix.axes[*i]).collect();
    let steps = axes.iter().map(|axis| axis.values.len()).min().unwrap_or_default();
    let mut seen = BTreeSet::new();
    for step in 0..steps {
        let texts: Vec<String> = axes.iter().map(|axis| axis.values[step].text().unwrap_or_default()).collect();
        let named = axes.iter().zip(&texts).map(|(axis, text)| format!("{} {text}", axis.path.name()));
        let named = named.collect::<Vec<_>>().join(", ");
        if !seen.insert(texts) {
            let what = msg!("zipped-values-stand-twice", values = named);
            complaints.add(axes[0].values[step].span(), Diagnostic::new(what, msg!("keep-one-of-repeats")));
        }
    }
}

fn exclude(value: &Value<'_>, matrix: &mut Matrix<'_, '_>, complaints: &mut Diagnostics<'_>) {
    let wrong = || {
        Diagnostic::new(
            msg!("exclude-takes-tables"),
            msg!("write-key", key = "exclude", value = "[{ \"load.clients\" = 8 }]"),
        )
    };
    let DeValue::Array(cells) = value.get_ref() else { return complaints.add(value.span(), wrong()) };
    let texts: Vec<Vec<Option<String>>> =
        matrix.axes.iter().map(|axis| axis.values.iter().map(AxisValue::text).collect()).collect();
    for cell in at_most(cells.iter().collect(), MOST_EXCLUDED, msg!("exclusions"), value.span(), complaints) {
        let DeValue::Table(fields) = cell.get_ref() else { return complaints.add(cell.span(), wrong()) };
        let mut left_out = Vec::new();
        for (name, span, value) in flat(fields) {
            let step = |i: usize, text: &Option<String>| texts[i].iter().position(|t| t == text && t.is_some());
            let position = place(&name, matrix).map(|i| (i, step(i, &text(value))));
            match position {
                Ok((i, Some(step))) => left_out.push((i, step)),
                Ok((_, None)) => {
                    let what = msg!("excluded-value-unknown", axis = name);
                    complaints.add(value.span(), Diagnostic::new(what, msg!("use-value-of-matrix")));
                }
                Err(refusal) => complaints.add(span, refusal),
            }
        }
        if fields.is_empty() {
            complaints.add(cell.span(), Diagnostic::new(msg!("exclude-empty"), msg!("name-axes-to-exclude")));
        }
        matrix.excluded.push(left_out);
    }
}

/// `{ "load.clients" = 1 }` and `{ load.clients = 1 }` alike.
fn flat<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(String, Range<usize>, &'t Value<'a>)> {
    let mut all = Vec::new();
    for (key, value) in in_order(table) {
        match value.get_ref() {
            DeValue::Table(inner) => {
                all.extend(flat(inner).into_iter().map(|(n, s, v)| (format!("{}.{n}", key.get_ref()), s, v)));
            }
            _ => all.push((key.get_ref().to_string(), key.span(), value)),
        }
    }
    all
}

fn place(name: &str, matrix: &Matrix<'_, '_>) -> Result<usize, Diagnostic> {
    let path = Path::of(name)?;
    matrix
        .axes
        .iter()
        .position(|a| a.path == path)
        .ok_or_else(|| Diagnostic::new(msg!("axis-unknown", axis = name), msg!("add-axis-to-matrix", axis = name)))
}

impl Matrix<'_, '_> {
    /// The number of combinations before exclusions, without creating them.
    pub fn size(&self) -> u128 {
        self.groups.iter().fold(1, |n: u128, group| n.saturating_mul(self.steps(group) as u128))
    }

    /// Whether there are exclusions.
    pub fn leaves_out(&self) -> bool {
        !self.excluded.is_empty()
    }

    fn steps(&self, group: &[usize]) -> usize {
        group.first().map_or(1, |i| self.axes[*i].values.len())
    }

    /// All combinations; the first axis of the plan varies slowest.
    pub fn choices(&self) -> Vec<Choice> {
        let mut all: Vec<Choice> = vec![vec![0; self.axes.len()]];
        for group in &self.groups {
            let mut next = Vec::with_capacity(all.len() * self.steps(group));
            for choice in &all {
                for step in 0..self.steps(group) {
                    let mut choice = choice.clone();
                    for axis in group {
                        choice[*axis] = step;
                    }
                    next.push(choice);
                }
            }
            all = next;
        }
        let first: Vec<Vec<usize>> = self.axes.iter().map(Axis::first_of_each).collect();
        let excluded = |choice: &Choice, left_out: &[(usize, usize)]| {
            !left_out.is_empty() && left_out.iter().all(|(axis, step)| first[*axis][choice[*axis]] == *step)
        };
        all.retain(|choice| !self.excluded.iter().any(|left_out| excluded(choice, left_out)));
        all
    }

    /// Whether an axis is combined in parallel with others.
    pub fn is_zipped(&self, axis: usize) -> bool {
        self.groups.iter().any(|group| group.len() > 1 && group.contains(&axis))
    }

    fn text(&self, axis: usize, choice: &Choice) -> Option<String> {
        self.axes[axis].values[choice[axis]].text()
    }

    /// The cell's values by field, in the plan's order.
    pub fn labels(&self, choice: &Choice) -> Vec<(String, String)> {
        let text = |i| label(self.text(i, choice).unwrap_or_default());
        self.axes.iter().enumerate().map(|(i, axis)| (axis.path.name(), text(i))).collect()
    }

    /// Each axis with its values, as texts.
    pub fn written(&self) -> Vec<(String, Vec<String>)> {
        let texts = |axis: &Axis<'_, '_>| axis.values.iter().filter_map(AxisValue::text).collect();
        self.axes.iter().map(|axis| (axis.path.name(), texts(axis))).collect()
    }

    /// Its values on the axes of this cost: cells with equal values share data, or servers.
    pub fn of_cost(&self, cost: Cost, choice: &Choice) -> Vec<usize> {
        let of_cost = self.axes.iter().zip(choice).filter(|(axis, _)| axis.path.cost() == cost);
        of_cost.map(|(axis, step)| axis.first_of(*step)).collect()
    }

    /// The settings of the experiment with this combination.
    pub fn apply(&self, choice: &Choice, base: &Settings, names: Names<'_>) -> Result<Settings, Placed> {
        let mut settings = base.clone();
        for (axis, step) in self.axes.iter().zip(choice) {
            let value = &axis.values[*step];
            let set = value.with(|value| settings.set(&axis.path, value, names));
            set.map_err(|refusal| (value.span(), refusal))?;
        }
        Ok(settings)
    }
}

impl Axis<'_, '_> {
    /// The index of the first value that is equal to this one: a value of zipped axes may repeat.
    fn first_of(&self, step: usize) -> usize {
        let text = self.values[step].text();
        self.values[..step].iter().position(|value| text.is_some() && value.text() == text).unwrap_or(step)
    }

    /// The same for all values.
    fn first_of_each(&self) -> Vec<usize> {
        let mut first = BTreeMap::new();
        let text = |(step, value): (usize, &AxisValue<'_, '_>)| (step, value.text());
        let of = |(step, text): (usize, Option<String>)| text.map_or(step, |text| *first.entry(text).or_insert(step));
        self.values.iter().enumerate().map(text).map(of).collect()
    }
}
