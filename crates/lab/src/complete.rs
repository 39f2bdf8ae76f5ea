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
        // Whether it is by a rate of its own, as with pgbench's -R, does not stand in the plan.
        all.load.paced |= made.is_some_and(|made| made.0.paces());
        all.load.options.extend(of_load.iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
        if let Ok(options) = tenbin_workloads::data_options(&data.kind, &data.options) {
            all.dataset.options = options;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tenbin_model::plan::{Plan, expand};
    use tenbin_model::tally::StatementKind;
    use tenbin_workload::{Client, TargetReach, Workload};

    /// A workload whose clients pause, or do not.
    struct Pausing(bool);

    impl Workload for Pausing {
        fn name(&self) -> &'static str {
            "pausing"
        }
        fn transactions(&self) -> Vec<String> {
            Vec::new()
        }
        fn statements(&self) -> Vec<(String, StatementKind)> {
            Vec::new()
        }
        fn paces(&self) -> bool {
            self.0
        }
        fn prepared_per_connection(&self) -> u32 {
            0
        }
        fn reach(&self) -> TargetReach {
            TargetReach::default()
        }
        fn client(&self, _: u32, _: u32, _: u64) -> Box<dyn Client> {
            unreachable!("nothing is driven")
        }
    }

    #[test]
    fn a_load_is_paced_if_the_workload_that_was_made_is() {
        let text = "schema = 1\nname = \"p\"\n[targets]\na = { dsn = \"postgres://u@127.0.0.1/x\" }\n[[experiment]]\nname = \"e\"\n\
                    load = { workload = \"pgbench\", clients = 1 }\nwarmup = 0\nmeasure = \"1s\"\n";
        let trial = expand(&Plan::parse(text, &tenbin_workloads::catalog()).expect("a plan")).remove(0);
        let paced = |made: Option<bool>| {
            let made = made.map(|pauses| PrebuiltWorkload(Arc::new(Pausing(pauses))));
            Complete::default().trial(&trial, made.as_ref()).load.paced
        };
        assert_eq!([None, Some(false), Some(true)].map(paced), [false, false, true]);
    }
}
