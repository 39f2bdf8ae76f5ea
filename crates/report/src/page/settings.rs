//! The targets' settings: those that differ side by side, then paths and names that differ, then those that are alike, as a list. The
//! latter two are collapsed.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{foreign, foreign_list};
use minijinja::{Value, context};
use tenbin_model::variables::{self, Likeness, ServerVariables};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "settings",
    heading: || msg!("section-settings"),
    values,
    template: include_str!("../../templates/settings.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let targets: Vec<&String> = m.targets.iter().filter(|t| m.summary.facts.contains_key(*t)).collect();
    let column = |target: &&String| ServerVariables {
        name: (*target).clone(),
        values: m.summary.facts[*target]
            .iter()
            .filter_map(variable)
            .map(|(name, last)| (name.clone(), m.summary.variable(target, &name).unwrap_or(last)))
            .collect(),
        ..ServerVariables::default()
    };
    let columns: Vec<ServerVariables> = targets.iter().map(column).collect();
    let (mut differing, mut places, mut alike) = (Vec::new(), Vec::new(), Vec::new());
    for row in variables::compare(&columns) {
        if row.likeness == Likeness::Same || columns.len() == 1 {
            let value = row.values.iter().flatten().next().filter(|value| !value.is_empty());
            alike.push(context! { name => row.name, value => value.map_or("''", |value| value) });
            continue;
        }
        let found: Vec<Value> = row.values.iter().map(|v| v.map_or("–".into(), shown)).collect();
        let of_its_own = variables::is_own_to_server(row.name);
        let row = context! { name => row.name, found };
        if of_its_own { places.push(row) } else { differing.push(row) }
    }
    if differing.is_empty() && places.is_empty() && alike.is_empty() {
        return None;
    }
    let several = targets.len() > 1;
    let targets: Vec<Value> = targets.into_iter().map(|t| m.target(t)).collect();
    Some(context! { several, targets, differing, places, alike })
}

/// The variable that a fact is, with its value.
fn variable((fact, value): (&String, &String)) -> Option<(String, String)> {
    Some((fact.strip_prefix("variable.")?.to_owned(), value.clone()))
}

fn shown(value: &str) -> Value {
    if value.is_empty() { foreign("''") } else { foreign_list(value) }
}
