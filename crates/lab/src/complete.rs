//! Completes trials before they are reported: each contains every option of workload and data set with the
//! value that will be used, so that a recording keeps its meaning when defaults change.

use crate::request::PrebuiltWorkload;
use std::collections::BTreeMap;
use tenbin_model::trial::Trial;
use tenbin_workloads::is_script;

type Options = BTreeMap<String, String>;

/// All options of each load seen so far; many trials have the same load, and reading a script's options executes its
/// body.
#[derive(Default)]
pub struct Complete(BTreeMap<(String, Options, Options), Option<Options>>);

impl Complete {
    /// The trial with all its options. If they cannot be determined, the trial itself will report why.
    pub fn trial(&mut self, trial: &Trial, made: Option<&PrebuiltWorkload>) -> Trial {
        let (load, data) = (&trial.load, &trial.dataset);
        let key = (load.workload.clone(), load.options.clone(), data.options.clone());
        let of_load = self.0.entry(key).or_insert_with(|| match made {
            Some(made) if is_script(&load.workload) => Some(made.0.options()),
            _ => tenbin_workloads::load_options(&load.workload, &load.options, &data.options).ok(),
        });
        let mut all = trial.clone();
        all.load.options.extend(of_load.iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
        if let Ok(options) = tenbin_workloads::data_options(&data.kind, &data.options) {
            all.dataset.options = options;
        }
        all
    }
}
