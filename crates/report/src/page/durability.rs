//! A warning if the commits of the targets differ in durability: a target may be faster only because it does less.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{foreign, html};
use minijinja::{Value, context};
use tenbin_model::promise;
use tenbin_verdict::durability;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "durability",
    heading: || msg!("section-durability"),
    values,
    template: include_str!("../../templates/durability.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let difference = durability::difference(m.summary)?;
    let shown = |name: &str, value: &Option<String>| value.as_ref().map_or("–".into(), |v| foreign(&named(name, v)));
    let rows: Vec<Value> = difference
        .settings
        .iter()
        .map(|(name, values)| context! { name => *name, found => values.iter().map(|v| shown(name, v)).collect::<Vec<_>>() })
        .collect();
    let promises: Vec<Value> = difference.promises.iter().map(|p| html(&promise::words(*p))).collect();
    let known = difference.promises.iter().any(Option::is_some);
    Some(context! {
        targets => difference.names.iter().map(|t| m.target(t)).collect::<Vec<_>>(),
        rows,
        promises => known.then_some(promises),
    })
}

/// A setting's value. SQLite returns `synchronous` as a number; its name is added.
fn named(name: &str, value: &str) -> String {
    let word = match (name, value) {
        ("synchronous", "0") => "OFF",
        ("synchronous", "1") => "NORMAL",
        ("synchronous", "2") => "FULL",
        ("synchronous", "3") => "EXTRA",
        _ => return value.to_owned(),
    };
    format!("{value} ({word})")
}
