//! The table of machines: the facts about the machine of the client and of each server, side by side. Used by the page
//! and the exports.

use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::names::machine_facts::PREFIX;
use tenbin_model::summary::Summary;

/// The facts of one machine by their names without [`PREFIX`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineFacts<'a> {
    /// `client`, or the name of a target.
    pub about: &'a str,
    /// Values by name.
    pub values: BTreeMap<&'a str, &'a str>,
}

/// The machine of the client, and those of the targets that could be looked at, in the order of the plan.
pub fn all(summary: &Summary) -> Vec<MachineFacts<'_>> {
    let names: Vec<String> = std::iter::once("client".to_owned()).chain(summary.targets()).collect();
    let of = |name: &String| {
        let (about, facts) = summary.facts.get_key_value(name)?;
        let own = |(name, value)| Some((str::strip_prefix(name, PREFIX)?, value));
        let own = facts.iter().map(|(name, value)| (name.as_str(), value.as_str())).filter_map(own);
        let values: BTreeMap<&str, &str> = own.collect();
        (!values.is_empty()).then_some(MachineFacts { about, values })
    };
    names.iter().filter_map(of).collect()
}

/// The names of all facts of these machines.
pub fn names<'a>(machines: &[MachineFacts<'a>]) -> BTreeSet<&'a str> {
    machines.iter().flat_map(|machine| machine.values.keys().copied()).collect()
}
