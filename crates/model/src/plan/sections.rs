//! Walks the tables of a plan: what the sections share, the defaults and the data sets.

use super::keys::{self, Found, Key, Table};
use super::settings::{self, DatasetSpec, Path, Settings};
use super::source::{Complaints, Refusal};
use super::value::{self, Value, in_order};
use crate::dsn::Password;
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
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (name, value) in in_order(entries) {
        match keys::find(table, name.get_ref()) {
            Err(refusal) => complaints.add(name.span(), refusal),
            Ok(Found::Option) => take(None, name, value, complaints),
            Ok(Found::Key(key)) => match seen.iter().find(|(canonical, _)| *canonical == key.name) {
                Some((_, before)) => {
                    let what = format!("{} is given twice, as {before} and as {}", key.name, name.get_ref());
                    complaints.add(name.span(), Refusal::new(what, "keep one of them"));
                }
                None => {
                    seen.push((key.name, *name.get_ref()));
                    take(Some(key), name, value, complaints);
                }
            },
        }
    }
}

/// The table that `value` should be.
pub fn table_of<'t, 'a>(what: &str, value: &'t Value<'a>, complaints: &mut Complaints<'_>) -> Option<&'t DeTable<'a>> {
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

/// Server variables, of a target or of an experiment.
pub fn server(value: &Value<'_>, into: &mut BTreeMap<String, String>, complaints: &mut Complaints<'_>) {
    let Some(variables) = table_of("server", value, complaints) else { return };
    for (name, value) in in_order(variables) {
        match settings::server_value(name.get_ref(), value) {
            Ok(text) => drop(into.insert(settings::server_name(name.get_ref()), text)),
            Err(refusal) => complaints.add(value.span(), refusal),
        }
    }
}

/// Where a complaint about a key's value points: the value, and the key itself when the value is a table of its own.
pub fn place_of(name: &Spanned<&str>, value: &Value<'_>) -> Range<usize> {
    if value.get_ref().is_table() { name.span() } else { value.span() }
}

/// The head of a table: where complaints about all of it point.
pub fn head(value: &Value<'_>) -> Range<usize> {
    let span = value.span();
    span.start..span.start
}
