//! `[[experiment.load.group]]`: clients of a load that do something else than the others, at the same time.

use super::keys::{Key, Setter, Table};
use super::matrix::Matrix;
use super::sections::each;
use super::settings::{GroupSpec, Settings};
use super::source::{Diagnostic, Diagnostics};
use super::tables::{at_most, head, place_of};
use super::value::Value;
use crate::trial::ClientGroup;
use std::ops::Range;
use tenbin_words::msg;
use toml::de::DeValue;

/// What a load with groups does not have itself.
const OF_GROUPS: &[&str] = &["clients", "rate", "scripts"];
/// What is of all clients together, and not possible with groups.
const NOT_WITH_GROUPS: &[&str] = &["operations", "operations_per_client"];

/// All groups of a load. Returns the scripts of each with their position, by which mistakes in them are shown.
pub fn groups(
    value: &Value<'_>,
    settings: &mut Settings,
    complaints: &mut Diagnostics<'_>,
) -> Vec<(String, Range<usize>)> {
    let all: Vec<&Value<'_>> = match value.get_ref() {
        DeValue::Array(all) => all.iter().collect(),
        _ => vec![value],
    };
    let mut scripts = Vec::new();
    for value in at_most(all, ClientGroup::MOST, msg!("groups-of-clients"), value.span(), complaints) {
        let (mut group, mut place, before) = (GroupSpec::default(), head(value), complaints.count());
        each(Table::Group, value, complaints, |key, name, value, complaints| {
            let Some(Key { name: canonical, set: Setter::Group(set), .. }) = key else { return };
            if *canonical == "scripts" {
                place = name.span().start..place_of(&name, value).end;
            }
            if let Err(refusal) = set(&mut group, canonical, value) {
                complaints.add(place_of(&name, value), refusal);
            }
        });
        let mut refuse = |what, hint| complaints.add(head(value), Diagnostic::new(what, hint));
        if group.name.is_empty() {
            refuse(msg!("group-without-name"), msg!("write-key", key = "name", value = "\"oltp\""));
        } else if settings.groups.iter().any(|other| other.name == group.name) {
            let what = msg!("group-named-twice", name = format_args!("{:?}", group.name));
            refuse(what, msg!("give-one-another-name"));
        }
        if group.scripts.trim().is_empty() && complaints.count() == before {
            let name = format_args!("{:?}", group.name);
            let hint = msg!("write-key", key = "scripts", value = "[\"pay.sql@30\", \"look.sql@70\"]");
            complaints.add(head(value), Diagnostic::new(msg!("group-without-scripts", name), hint));
        }
        scripts.push((group.scripts.clone(), place));
        settings.groups.push(group);
    }
    scripts
}

/// Whether a load with groups must not have a key or an option of this name, and why.
pub fn refused_beside(name: &str) -> Option<Diagnostic> {
    match name {
        name if OF_GROUPS.contains(&name) => {
            Some(Diagnostic::new(msg!("key-beside-groups", key = name), msg!("write-key-in-group", key = name)))
        }
        name if NOT_WITH_GROUPS.contains(&name) => {
            Some(Diagnostic::new(msg!("key-not-with-groups", key = name), msg!("remove-option", option = name)))
        }
        _ => None,
    }
}

/// Refuses what groups do not go with: axes that vary what each group has for itself, and searches.
pub fn refuse_axes(value: &Value<'_>, settings: &Settings, matrix: &Matrix<'_, '_>, complaints: &mut Diagnostics<'_>) {
    if settings.groups.is_empty() {
        return;
    }
    for axis in &matrix.axes {
        let name = axis.path.name();
        if let Some(refusal) = name.strip_prefix("load.").and_then(refused_beside) {
            complaints.add(axis.span.clone(), refusal);
        }
    }
    if settings.search.is_some() {
        let what = msg!("key-not-with-groups", key = "search");
        complaints.add(head(value), Diagnostic::new(what, msg!("remove-option", option = "search")));
    }
}
