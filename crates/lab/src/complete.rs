//! Makes trials complete before anything is told of them: every option of workload and data set stands in them with the
//! value that will be used, so that a recording says the same when a default has changed since.

use crate::run::Made;
use std::collections::BTreeMap;
use tenbin_model::trial::Trial;
use tenbin_workload::script::is_script;

type Options = BTreeMap<String, String>;

/// The trials with all their options. Where these cannot be made out, the trial itself will tell why.
pub fn complete(trials: &[Trial], made: Option<&Made>) -> Vec<Trial> {
    // Many trials have the same load, and looking at a script's options runs its body.
    let mut known: BTreeMap<(&str, &Options, &Options), Option<Options>> = BTreeMap::new();
    let mut complete = Vec::with_capacity(trials.len());
    for trial in trials {
        let (load, data) = (&trial.load, &trial.dataset);
        let key = (load.workload.as_str(), &load.options, &data.options);
        let of_load = known.entry(key).or_insert_with(|| match made {
            Some(made) if is_script(&load.workload) => Some(made.0.options()),
            _ => tenbin_workload::load_options(&load.workload, &load.options, &data.options).ok(),
        });
        let mut all = trial.clone();
        all.load.options.extend(of_load.iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
        if let Ok(options) = tenbin_workload::data_options(&data.kind, &data.options) {
            all.dataset.options = options;
        }
        complete.push(all);
    }
    complete
}
