//! Any text is a plan or has problems; no password of an address is repeated; what is stored reads the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::workload::Catalog;

fuzz_target!(|text: &str| {
    match Plan::parse(text, &Catalog::EMPTY) {
        Err(problems) => assert!(!problems.is_empty()),
        Ok(plan) => {
            let trials = expand(&plan);
            assert!(!trials.is_empty() && trials.len() <= 10_000);
            let stored = Plan::parse(&plan.text, &Catalog::EMPTY).expect("the text that is stored is a plan");
            assert_eq!(expand(&stored), trials);
        }
    }
});
