//! The targets' settings side by side: those that differ, then paths and names that differ, then all of them. The
//! latter two tables are collapsed.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{foreign, foreign_list};
use minijinja::{Value, context};
use std::collections::BTreeSet;
use tenbin_model::msg;

pub(super) const SECTION: Section = Section {
    id: "settings",
    heading: || msg!("section-settings"),
    values,
    template: include_str!("../../templates/settings.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let targets: Vec<&String> = m.targets.iter().filter(|t| m.summary.facts.contains_key(*t)).collect();
    let names: BTreeSet<&str> =
        targets.iter().flat_map(|t| m.summary.facts[*t].keys()).filter_map(|k| k.strip_prefix("variable.")).collect();
    if names.is_empty() {
        return None;
    }
    let (mut differing, mut places, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let found: Vec<Option<&String>> =
            targets.iter().map(|t| m.summary.facts[*t].get(&format!("variable.{name}"))).collect();
        let differs = found.windows(2).any(|w| w[0] != w[1]);
        let shown: Vec<Value> = found.iter().map(|v| v.map_or("–".into(), |v| shown(v))).collect();
        let row = context! { name, found => shown, differs };
        match differs {
            true if place(name) => places.push(row.clone()),
            true => differing.push(row.clone()),
            false => {}
        }
        all.push(row);
    }
    let several = targets.len() > 1;
    let targets: Vec<Value> = targets.into_iter().map(|t| m.target(t)).collect();
    Some(context! { several, targets, differing, places, all })
}

/// Whether a setting is a path, an address or an identifier of a server. These always differ and do not affect results.
fn place(name: &str) -> bool {
    const WORDS: [&str; 12] = [
        "port",
        "socket",
        "hostname",
        "datadir",
        "tmpdir",
        "server_id",
        "server_uuid",
        "basedir",
        "timestamp",
        "pseudo_thread_id",
        "rand_seed1",
        "rand_seed2",
    ];
    const ENDS: [&str; 7] = ["_dir", "_file", "_basename", "_index", "_error", "_socket", "_port"];
    // Sizes of pools and logs do affect results, whatever their names end with.
    WORDS.contains(&name) || ENDS.iter().any(|e| name.ends_with(e)) && !name.contains("size")
}

fn shown(value: &str) -> Value {
    if value.is_empty() { foreign("''") } else { foreign_list(value) }
}
