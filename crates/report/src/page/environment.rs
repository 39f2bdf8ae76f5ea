//! Facts about the client's machine and the targets, except the settings of servers.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tenbin_model::inspection;
use tenbin_model::names::machine_facts;
use tenbin_model::names::path;
use tenbin_verdict::durability;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "environment",
    heading: || msg!("section-environment"),
    values,
    template: include_str!("../../templates/environment.html"),
};

/// The names of facts in recordings and on the page, in reading order. Recordings that have no table of machines have its
/// facts here.
const NAMES: &[bilingual::DisplayName] = &[
    ("version", || msg!("environment-version")),
    ("address", || msg!("environment-address")),
    ("encryption", || msg!("environment-encryption")),
    (path::INTERFACE, || msg!("environment-network-interface")),
    ("cpu", || msg!("environment-cpu")),
    ("cores", || msg!("environment-cores")),
    ("machine_cores", || msg!("environment-machine-cores")),
    ("cgroup_cpu_limit", || msg!("environment-cgroup-cpu-limit")),
    ("memory", || msg!("environment-memory")),
    ("system", || msg!("environment-system")),
    ("os", || msg!("environment-system")),
    ("kernel", || msg!("environment-kernel")),
    ("governor", || msg!("environment-governor")),
    ("clock_source", || msg!("environment-clock-source")),
    ("transparent_huge_pages", || msg!("environment-transparent-huge-pages")),
    ("virtualised", || msg!("environment-virtualised")),
    ("load_average", || msg!("environment-load-average")),
    ("tenbin", || msg!("environment-tenbin")),
];

fn values(m: &PageContext<'_>) -> Option<Value> {
    let known = std::iter::once("client").chain(m.targets.iter().map(String::as_str));
    let facts: Vec<Value> = known
        .filter_map(|about| {
            let facts = m.summary.facts.get(about)?;
            let title = if about == "client" { bilingual::html(&msg!("whose-client")) } else { m.target(about) };
            let mut rows = rows(facts);
            rows.extend(storage(m, about, facts));
            Some(context! { about => title, rows })
        })
        .collect();
    (!facts.is_empty()).then(|| context! { facts })
}

/// The storage engines and the durability of a target.
fn storage(m: &PageContext<'_>, target: &str, facts: &BTreeMap<String, String>) -> Vec<Value> {
    if !facts.keys().any(|name| name.starts_with("variable.")) {
        return Vec::new();
    }
    let row = |name: Message, value: Value| context! { name => bilingual::html(&name), value };
    let engines = durability::engines(m.summary, target)
        .map(|engines| row(msg!("environment-storage-engine"), bilingual::foreign(&engines)));
    let promise = durability::words(m.summary, target);
    let promise = row(msg!("environment-durability"), bilingual::html(&promise));
    engines.into_iter().chain([promise]).collect()
}

fn rows(facts: &BTreeMap<String, String>) -> Vec<Value> {
    let index_of = |key: &str| NAMES.iter().position(|n| n.0 == key).unwrap_or(NAMES.len());
    let is_elsewhere =
        |name: &str| ["variable.", "status.", machine_facts::PREFIX].iter().any(|of| name.starts_with(of));
    let mut shown: Vec<(&String, &String)> =
        facts.iter().filter(|(name, _)| !is_elsewhere(name) && *name != inspection::IDENTITY).collect();
    shown.sort_by_key(|(k, _)| index_of(k));
    shown
        .into_iter()
        .map(|(key, value)| {
            let name = NAMES.get(index_of(key)).map_or_else(|| foreign(key), |(_, name)| name());
            context! { name => bilingual::html(&name), value => bilingual::fact(value) }
        })
        .collect()
}
