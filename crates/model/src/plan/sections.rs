//! Common code for the sections of a plan, the defaults and the data sets.

use super::keys::{self, Key, NameMatch, Table};
use super::settings::{self, DatasetSpec, Names, Path, Settings};
use super::source::{Diagnostic, Diagnostics, Part};
use super::value::{self, Value, in_order};
use crate::dsn::Password;
use crate::message::{Message, foreign};
use crate::msg;
use crate::trial::Target;
use crate::workload::{Catalog, NO_DATA};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What experiments need to know: the known workloads, and the previous sections.
pub struct PlanContext<'c> {
    pub catalog: &'c Catalog,
    pub defaults: Settings,
    pub targets: Vec<Target>,
    pub passwords: BTreeMap<String, Password>,
    pub datasets: Vec<(String, DatasetSpec)>,
}

impl<'c> PlanContext<'c> {
    pub fn new(catalog: &'c Catalog) -> Self {
        let (defaults, targets, passwords, datasets) = Default::default();
        PlanContext { catalog, defaults, targets, passwords, datasets }
    }
}

/// Passes each key of a table to `take`; unknown, reserved and duplicate keys are reported.
pub fn each<'t, 'a>(
    table: Table,
    value: &'t Value<'a>,
    complaints: &mut Diagnostics<'_>,
    mut take: impl FnMut(Option<&'static Key>, Spanned<&'t str>, &'t Value<'a>, &mut Diagnostics<'_>),
) {
    let Some(entries) = table_of(&table.title(), value, complaints) else { return };
    let mut seen: Vec<(&str, &str)> = Vec::new();
    let entries = in_order(entries);
    let most = if table.is_open() { MOST_OPTIONS } else { usize::MAX };
    for (name, value) in at_most(entries, most, msg!("keys-in", section = table.title()), head(value), complaints) {
        match keys::find(table, name.get_ref()) {
            Err(refusal) => complaints.add(name.span(), refusal),
            Ok(NameMatch::Option) => take(None, name, value, complaints),
            Ok(NameMatch::Key(key)) => match seen.iter().find(|(canonical, _)| *canonical == key.name) {
                Some((_, before)) => {
                    let what = msg!("key-given-twice", key = key.name, before, again = name.get_ref());
                    complaints.add(name.span(), Diagnostic::new(what, msg!("keep-one-of-them")));
                }
                None => {
                    seen.push((key.name, *name.get_ref()));
                    take(Some(key), name, value, complaints);
                }
            },
        }
    }
}

/// No table of options has more keys than this.
const MOST_OPTIONS: usize = 128;
/// No plan describes more targets or data sets.
pub const MOST_NAMED: usize = 256;

/// The first `most` of them; an error if there are more.
pub fn at_most<T>(
    mut all: Vec<T>,
    most: usize,
    what: Message,
    span: Range<usize>,
    complaints: &mut Diagnostics<'_>,
) -> Vec<T> {
    if all.len() > most {
        let what = msg!("more-than-most", all = all.len(), what, most);
        complaints.add(span, Diagnostic::new(what, msg!("keep-those-you-mean")));
        all.truncate(most);
    }
    all
}

/// The table that `value` should be.
pub fn table_of<'t, 'a>(
    what: &Message,
    value: &'t Value<'a>,
    complaints: &mut Diagnostics<'_>,
) -> Option<&'t DeTable<'a>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        other => {
            let refusal = Diagnostic::new(
                msg!("section-is-a-table", section = what, kind = value::kind(other)),
                msg!("see-tenbin-plan-example"),
            );
            complaints.add(value.span(), refusal);
            None
        }
    }
}

/// `[defaults]`, and `[metrics]`, whose interval is a default.
pub fn defaults(value: &Value<'_>, table: Table, known: &mut PlanContext<'_>, complaints: &mut Diagnostics<'_>) {
    each(table, value, complaints, |key, name, value, complaints| {
        let Some(key) = key else { return };
        let names = Names { datasets: &[], catalog: known.catalog };
        if let Err(refusal) = known.defaults.set(&Path::Own(key), value, names) {
            complaints.add(place_of(&name, value), refusal);
        }
    });
}

/// `[datasets.<name>]`
pub fn datasets(value: &Value<'_>, known: &mut PlanContext<'_>, complaints: &mut Diagnostics<'_>) {
    let Some(all) = table_of(&foreign("[datasets]"), value, complaints) else { return };
    for (name, value) in at_most(in_order(all), MOST_NAMED, msg!("data-sets"), head(value), complaints) {
        let mut spec = DatasetSpec::of_kind(known.catalog.default_dataset);
        let owner = *name.get_ref();
        each(Table::Dataset, value, complaints, |key, name, value, complaints| {
            let field = key.map_or_else(|| settings::option_name(name.get_ref()), |k| k.name.to_owned());
            match spec.set(key, &field, value) {
                Ok(()) => {
                    let said = value::scalar(value).unwrap_or_default();
                    complaints.stands((Part::Data, owner.to_owned(), field), said, telling(&name, value));
                }
                Err(refusal) => {
                    if field == "kind" {
                        // Its options cannot be checked.
                        spec.kind = NO_DATA.into();
                    }
                    complaints.add(place_of(&name, value), refusal);
                }
            }
        });
        known.datasets.push(((*name.get_ref()).to_owned(), spec));
    }
}

/// MySQL 8.4 has some 650 variables.
const MOST_VARIABLES: usize = 1000;

/// Server variables, of a target or of an experiment.
pub fn server(value: &Value<'_>, into: &mut BTreeMap<String, String>, complaints: &mut Diagnostics<'_>) {
    let Some(variables) = table_of(&foreign("server"), value, complaints) else { return };
    for (name, value) in at_most(in_order(variables), MOST_VARIABLES, msg!("server-variables"), head(value), complaints)
    {
        match settings::server_value(name.get_ref(), value) {
            Ok(text) => drop(into.insert(settings::server_name(name.get_ref()), text)),
            Err(refusal) => complaints.add(value.span(), refusal),
        }
    }
}

/// The position of an error in a key's value: the value, or the key itself if the value is a table.
pub fn place_of(name: &Spanned<&str>, value: &Value<'_>) -> Range<usize> {
    if value.get_ref().is_table() { name.span() } else { value.span() }
}

/// The position of an error in an option, whether in its name or its value: from the name to the value.
pub fn telling(name: &Spanned<&str>, value: &Value<'_>) -> Range<usize> {
    name.span().start..place_of(name, value).end
}

/// The header of a table: the position of errors that concern the whole table.
pub fn head(value: &Value<'_>) -> Range<usize> {
    let span = value.span();
    span.start..span.start
}
