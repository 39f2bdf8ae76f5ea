//! Hints for names that a table does not have and that mean a key of the plan, and for lists in the place of one value: they carry over the
//! value that was given.

use super::keys::{Key, Setter, Table};
use super::meant::{is_of_others, meant};
use super::settings::{DatasetSpec, GroupSpec, Names, Settings};
use super::source::Diagnostic;
use super::value::{self, Value};
use super::written::{self, as_axis, literal};
use crate::workload::{Catalog, NO_DATA};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;
use toml::de::{DeTable, DeValue};

/// What to write, seen from `table`, instead of another name of this key that was given `value`.
pub fn instead(key: &Key, table: Table, value: &Value<'_>) -> Message {
    if let Some(axis) = as_axis_of(key, value) {
        return axis;
    }
    match taken(key, value) {
        Some(written) => key.hint_with(table, &written),
        // Other tools say by 0 that there is no limit.
        None if value::scalar(value).is_some_and(|zero| zero.parse() == Ok(0.0)) => msg!("take-out-key"),
        None => key.hint(table),
    }
}

/// The axis that varies a key over a list of values, each of which it takes; a text with commas between them is one too.
pub fn as_axis_of(key: &Key, value: &Value<'_>) -> Option<Message> {
    let name = match key.tables.last()? {
        Table::Load => format!("load.{}", key.name),
        Table::Dataset => format!("dataset.{}", key.name),
        Table::Experiment | Table::Defaults => key.name.to_owned(),
        _ => return None,
    };
    let write = |item: &Value<'_>| key.varies.then(|| taken(key, item)).flatten();
    match value.get_ref() {
        // `"1,2,4"`; a text that the key takes as it is, or as a number, is no list.
        DeValue::String(text) if text.contains(',') && taken(key, value).is_none() => {
            let list = format!("x = {}", written::as_list(value)?);
            written::with_first_value(&list, |list| as_axis(&name, list, write)).flatten()
        }
        _ => as_axis(&name, value, write),
    }
}

/// The value as it can be written for the key: as it is, or as a number if it is the text of one. `None` if the key does not take it.
fn taken(key: &Key, value: &Value<'_>) -> Option<String> {
    let own = literal(value)?;
    if takes(key, value) {
        return Some(own);
    }
    let number = value::scalar(value).and_then(|text| units::count(&text))?.to_string();
    let document = format!("x = {number}");
    let table = DeTable::parse(&document).ok()?;
    let value = table.get_ref().iter().next().map(|(_, value)| value)?;
    takes(key, value).then_some(number)
}

fn takes(key: &Key, value: &Value<'_>) -> bool {
    let names = Names { datasets: &[], catalog: &Catalog::EMPTY };
    match key.set {
        Setter::Settings(set) => set(&mut Settings::default(), key.name, value, names).is_ok(),
        Setter::Dataset(set) => set(&mut DatasetSpec::of_kind(NO_DATA), key.name, value).is_ok(),
        Setter::Group(set) => set(&mut GroupSpec::default(), key.name, value).is_ok(),
        // These need the rest of the plan.
        Setter::Section | Setter::Plan(_) | Setter::Target(_) => value::scalar(value).is_some(),
    }
}

/// The refusal of the value of a key or an option, with the axis of the matrix as the hint if it is a list of values that the key takes.
pub fn or_axis(refusal: Diagnostic, name: &str, key: Option<&Key>, value: &Value<'_>) -> Diagnostic {
    match key {
        Some(key) => Diagnostic { hint: as_axis_of(key, value).or(refusal.hint), ..refusal },
        None => match key_of_option(name).and_then(|key| as_axis_of(key, value)) {
            Some(axis) => Diagnostic { hint: Some(axis), ..refusal },
            None => written::or_axis(refusal, name, value),
        },
    }
}

/// The key that is meant by `load.concurrency` and `dataset.threads`, which are no options. Options of workloads and data sets may have the
/// names of keys of the other.
fn key_of_option(name: &str) -> Option<&'static Key> {
    let (table, word) = name.split_once('.')?;
    let is_of_load = |key: &&Key| table == "dataset" && key.tables.last() == Some(&Table::Load);
    let is_open = ["load", "dataset"].contains(&table);
    meant(word).filter(|key| is_open && (is_of_others(word) || is_of_load(key)))
}
