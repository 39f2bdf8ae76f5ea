//! What commits survive in trials of one target with different server variables.

use crate::common;

use std::collections::BTreeMap;
use tenbin_model::event::Event;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::Summary;
use tenbin_verdict::durability::{difference, of_target, of_trial, sentence};

/// Facts of a server whose other variables do not matter here.
fn facts(trial: u32, about: &str, flush: &str) -> Event {
    let of = [("version", "10.11.19-MariaDB"), ("variable.innodb_flush_log_at_trx_commit", flush)];
    let facts = BTreeMap::from(of.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Event::Facts { trial, about: about.to_owned(), facts }
}

#[test]
fn each_trial_has_the_durability_of_its_own_variables() {
    let plan = "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\n[targets.b]\nsandbox = \"mariadbd\"\n[defaults]\nrepeats = 1\n\
                [[experiment]]\ntargets = [\"a\", \"b\"]\nload.workload = \"oltp_insert\"\n\
                [[experiment]]\nname = \"sweep\"\ntargets = [\"a\"]\nload.workload = \"oltp_insert\"\nmatrix.\"server.innodb_flush_log_at_trx_commit\" = [0, 2]";
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}"));
    let planned: Vec<_> = expand(&plan);
    let shown = |number: u32| {
        let trial = planned.iter().find(|trial| trial.number == number).unwrap();
        let set = trial.target.server.get("innodb_flush_log_at_trx_commit").cloned().unwrap_or_default();
        (trial.target.name.clone(), set)
    };
    let mut summary = Summary::default();
    let expected = planned.len() as u32;
    for trial in &planned {
        summary.take(&Event::TrialPlanned { planned: Box::new(trial.clone()), expected });
    }
    for trial in &planned {
        let (name, set) = shown(trial.number);
        summary.take(&facts(trial.number, &name, if set.is_empty() { "1" } else { &set }));
    }
    let told: Vec<String> = summary
        .trials
        .iter()
        .map(|t| format!("{:?}: {}", shown(t.trial.number), of_trial(&summary, t).unwrap().code()))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    ("a", ""): power-failure
    ("b", ""): power-failure
    ("a", "0"): none
    ("a", "2"): server-crash
    "#);
    assert_eq!(of_target(&summary, "a").unwrap().code(), "none", "the weakest");
    let found = difference(&summary).unwrap();
    let values: Vec<_> = found.settings[0].1.iter().flatten().map(String::as_str).collect();
    assert_eq!(values, ["1, 0, 2", "1"]);
    // The engine is shown in the table, but does not differ.
    summary.trials.iter_mut().for_each(|t| _ = t.tables.insert("tables.engine".into(), "innodb".into()));
    let told = sentence(&difference(&summary).unwrap());
    assert!(told.english().contains("(innodb_flush_log_at_trx_commit)"), "{}", told.english());
}
