//! The facts of each trial: what was known of its server when it was run. Facts are recorded when they are read first and
//! when they have changed; a trial has those that were in force.

use super::{Summary, cores};
use crate::trial::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

impl Summary {
    /// Facts about the server of a trial at the time of that trial; those that were read last of its target if there are none.
    pub fn target_facts(&self, trial: &Trial) -> Option<&BTreeMap<String, String>> {
        let at = self.trials.partition_point(|t| t.trial.number < trial.number);
        let own =
            self.trials.get(at).filter(|t| t.trial.number == trial.number && t.trial.target.name == trial.target.name);
        let of_variables = || self.by_variables.get(&(trial.target.name.clone(), trial.target.server.clone()));
        let known = own.and_then(|t| t.facts.as_ref()).or_else(of_variables).map(Arc::as_ref);
        known.or_else(|| self.facts.get(&trial.target.name))
    }

    /// The values that a fact about a target had in its trials, each once, in their order.
    pub fn fact_values(&self, target: &str, fact: &str) -> Vec<&str> {
        let mut values: Vec<&str> = Vec::new();
        for facts in self.facts_of(target) {
            if let Some(value) = facts.get(fact).map(String::as_str).filter(|value| !values.contains(value)) {
                values.push(value);
            }
        }
        values
    }

    /// The values that a variable had on a target, as text: several if they differ between its trials.
    pub fn variable(&self, target: &str, name: &str) -> Option<String> {
        let values = self.fact_values(target, &format!("variable.{name}"));
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The facts of a target's trials, each set once, in their order; those that were read last if no trial has any.
    fn facts_of(&self, target: &str) -> Vec<&BTreeMap<String, String>> {
        let of_target = self.trials.iter().filter(|t| t.trial.target.name == target);
        let mut seen = BTreeSet::new();
        let is_new = |facts: &&Arc<BTreeMap<String, String>>| seen.insert(Arc::as_ptr(facts));
        let own: Vec<_> = of_target.filter_map(|t| t.facts.as_ref()).filter(is_new).map(Arc::as_ref).collect();
        if own.is_empty() { self.facts.get(target).into_iter().collect() } else { own }
    }

    /// A trial begins with what is known of its server.
    pub(super) fn begin_with_known_facts(&mut self, number: u32) {
        let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == number) else { return };
        let target = &trial.trial.target;
        trial.facts = self.by_variables.get(&(target.name.clone(), target.server.clone())).cloned();
        trial.address = trial.facts.as_ref().and_then(|facts| facts.get("address").cloned());
    }

    /// Facts that were read in a trial, or of the client.
    pub(super) fn take_facts(&mut self, number: u32, about: &str, facts: &BTreeMap<String, String>) {
        if about == "client" {
            let cores = cores(facts);
            self.trials.iter_mut().for_each(|t| (t.cores, t.doubts) = (cores, OnceLock::new()));
        }
        let (tables, of_target): (BTreeMap<_, _>, BTreeMap<_, _>) =
            facts.clone().into_iter().partition(|(name, _)| name.starts_with("tables."));
        if let Some(trial) = self.trials.iter_mut().find(|t| t.trial.number == number) {
            trial.tables.extend(tables);
            if trial.trial.target.name == about && !of_target.is_empty() {
                if let Some(address) = of_target.get("address") {
                    trial.address = Some(address.clone());
                }
                let variables = (about.to_owned(), trial.trial.target.server.clone());
                let known = self.by_variables.entry(variables).or_default();
                // Trials before this one keep theirs.
                Arc::make_mut(known).extend(of_target.clone());
                trial.facts = Some(known.clone());
            }
        }
        if !of_target.is_empty() {
            self.facts.entry(about.to_owned()).or_default().extend(of_target);
        }
    }
}
