//! What commits survive in trials of one target with different server variables.

use crate::common;

use std::collections::BTreeMap;
use tenbin_model::event::Event;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::promise::is_set_by;
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::durability::{difference, of_target, of_trial, sentence, words};

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
    let text: Vec<String> = summary
        .trials
        .iter()
        .map(|t| format!("{:?}: {}", shown(t.trial.number), of_trial(&summary, t).unwrap().code()))
        .collect();
    insta::assert_snapshot!(text.join("\n"), @r#"
    ("a", ""): power-failure
    ("b", ""): power-failure
    ("a", "0"): none
    ("a", "2"): server-crash
    "#);
    assert_eq!(of_target(&summary, "a").unwrap().code(), "none", "the weakest");
    let contrast = difference(&summary).unwrap();
    let values: Vec<_> = contrast.settings[0].1.iter().flatten().map(String::as_str).collect();
    assert_eq!(contrast.names, ["a", "a, 0", "a, 2", "b"]);
    assert_eq!(values, ["1", "0", "2", "1"], "each value of the axis by itself");
    // The engine is shown in the table, but does not differ.
    summary.trials.iter_mut().for_each(|t| _ = t.tables.insert("tables.engine".into(), "innodb".into()));
    let answer_text = sentence(&difference(&summary).unwrap());
    assert!(answer_text.english().contains("(innodb_flush_log_at_trx_commit)"), "{}", answer_text.english());
}

/// A script that sets it in its own sessions: what the server has says nothing.
#[test]
fn what_the_load_sets_is_not_known_from_the_server() {
    let plan =
        "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\n[[experiment]]\nrepeats = 1\nload.workload = \"oltp_insert\"";
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}"));
    let mut summary = Summary::default();
    for trial in expand(&plan) {
        summary.take(&Event::TrialPlanned { planned: Box::new(trial.clone()), expected: 1 });
        summary.take(&facts(trial.number, "a", "1"));
    }
    assert_eq!(words(&summary, "a").english(), "commits survive a power failure");
    let set = "pay.sql:1: SET synchronous_commit = off";
    summary.trials[0].tables.insert("tables.durability_set_by_load".into(), set.into());
    assert_eq!(of_target(&summary, "a"), None);
    assert_eq!(words(&summary, "a").english(), format!("what commits survive is set by the load: {set}"));
}

#[test]
fn statements_that_set_what_commits_survive() {
    for set in [
        "SET synchronous_commit = off",
        "set local synchronous_commit to 'off'",
        "SELECT set_config('synchronous_commit', 'off', false)",
        "PRAGMA synchronous = OFF",
        "ALTER ROLE bench SET synchronous_commit = off",
        "SET SESSION sql_log_bin = 0",
    ] {
        assert!(is_set_by(set), "{set}");
    }
    for other in
        ["UPDATE t SET a = 1", "SELECT synchronous FROM jobs", "SHOW synchronous_commit", "SET work_mem = '1GB'"]
    {
        assert!(!is_set_by(other), "{other}");
    }
}

/// Where commits survive the same with either journal, the banner would contradict its own table.
#[test]
fn journals_of_sqlite_that_promise_the_same_are_no_difference() {
    let plan = "schema = 1\n[targets.a]\ndsn = \"sqlite:a.db?journal_mode=wal\"\n[targets.b]\ndsn = \"sqlite:b.db\"\n\
                [[experiment]]\nload.workload = \"oltp_insert\"";
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}"));
    let planned: Vec<_> = expand(&plan);
    let named = |synchronous: [&str; 2]| {
        let mut summary = Summary::default();
        for trial in &planned {
            let planned = Box::new(trial.clone());
            summary.take(&Event::TrialPlanned { planned, expected: 2 });
        }
        for trial in &planned {
            let at = usize::from(trial.target.name == "b");
            let of = [
                ("version", "3.54.1"),
                ("variable.journal_mode", ["wal", "delete"][at]),
                ("variable.synchronous", synchronous[at]),
            ];
            let facts = BTreeMap::from(of.map(|(name, value)| (name.to_owned(), value.to_owned())));
            summary.take(&Event::Facts { trial: trial.number, about: trial.target.name.clone(), facts });
        }
        difference(&summary).map(|result| sentence(&result).english().to_owned())
    };
    assert_eq!(named(["2", "2"]), None);
    let text = named(["1", "2"]).unwrap_or_default();
    assert!(text.contains("(journal_mode, synchronous)"), "{text}");
}

/// One target, with and without flushes: that is no like-for-like comparison, and nothing holds of the whole run.
#[test]
fn values_of_an_axis_that_differ_in_durability_are_told_apart() {
    let plan = "schema = 1\n[targets.db]\nsandbox = \"sqlite\"\n[[experiment]]\nrepeats = 1\nload.workload = \"oltp_write_only\"\n\
                matrix.\"server.synchronous\" = [\"off\", \"full\"]";
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}"));
    let mut summary = Summary::default();
    let planned = expand(&plan);
    for trial in &planned {
        summary.take(&Event::TrialPlanned { planned: Box::new(trial.clone()), expected: 2 });
    }
    for trial in &planned {
        summary.take(&Event::TrialStarted { trial: trial.number, at_ns: 0 });
        let synchronous = if trial.target.server["synchronous"] == "off" { "0" } else { "2" };
        let of = [("version", "3.54.1"), ("variable.journal_mode", "delete"), ("variable.synchronous", synchronous)];
        let facts = BTreeMap::from(of.map(|(name, value)| (name.to_owned(), value.to_owned())));
        summary.take(&Event::Facts { trial: trial.number, about: "db".into(), facts });
    }
    let contrast = difference(&summary).unwrap();
    assert_eq!(contrast.names, ["off", "full"]);
    let text = sentence(&contrast);
    assert!(text.english().contains("between the values that are compared (synchronous)"), "{}", text.english());
    let conditions = conditions(&summary).unwrap();
    assert!(!conditions.english().contains("power failure"), "{}", conditions.english());
    let each = words(&summary, "db");
    assert!(
        each.english().contains("synchronous off: ") && each.english().contains("synchronous full: "),
        "{}",
        each.english()
    );
}

/// A run of SQLite in files, each target with its `journal_mode` and `synchronous`.
fn sqlite(plan: &str, set: &[(&str, [&str; 2])]) -> Summary {
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}"));
    let planned: Vec<_> = expand(&plan);
    let mut summary = Summary::default();
    let expected = planned.len() as u32;
    for trial in &planned {
        summary.take(&Event::TrialPlanned { planned: Box::new(trial.clone()), expected });
    }
    for trial in &planned {
        let about = trial.target.name.clone();
        let [journal, synchronous] =
            set.iter().find(|(name, _)| *name == about).map(|(_, set)| *set).expect("a target");
        let of = [("version", "3.54.1"), ("variable.journal_mode", journal), ("variable.synchronous", synchronous)];
        let facts = BTreeMap::from(of.map(|(name, value)| (name.to_owned(), value.to_owned())));
        summary.take(&Event::Facts { trial: trial.number, about, facts });
    }
    summary
}

/// Two runs of one plan: each target is compared with itself, and what the targets of a run differ in says nothing.
#[test]
fn targets_that_are_not_compared_may_differ_in_durability() {
    let plan = "schema = 1\n[targets.wal]\ndsn = \"sqlite:a.db\"\n[targets.delete]\ndsn = \"sqlite:b.db\"\n[[experiment]]\n\
                load.workload = \"oltp_insert\"";
    let stored = |label: &str, wal: [&str; 2]| StoredRun {
        label: label.to_owned(),
        summary: sqlite(plan, &[("wal", wal), ("delete", ["delete", "2"])]),
    };
    let beside = |wal| Summary::compared(vec![stored("before", ["wal", "1"]), stored("after", wal)]);
    assert_eq!(difference(&beside(["wal", "1"])), None);
    let changed = difference(&beside(["wal", "0"])).unwrap();
    assert!(changed.names.contains(&"wal (before)".to_owned()), "{changed:?}");
    // The journals of the two targets are not compared.
    assert!(sentence(&changed).english().contains("(synchronous)"), "{}", sentence(&changed).english());
    // In one run they are compared with one another.
    let together = difference(&sqlite(plan, &[("wal", ["wal", "1"]), ("delete", ["delete", "2"])])).unwrap();
    assert!(sentence(&together).english().contains("(journal_mode, synchronous)"), "{together:?}");
    // Each in an experiment of its own: nothing is compared.
    let alone = "schema = 1\n[targets.wal]\ndsn = \"sqlite:a.db\"\n[targets.delete]\ndsn = \"sqlite:b.db\"\n[defaults]\nrepeats = 2\n\
                 [[experiment]]\nname = \"one\"\ntargets = [\"wal\"]\nload.workload = \"oltp_insert\"\n\
                 [[experiment]]\nname = \"other\"\ntargets = [\"delete\"]\nload.workload = \"oltp_insert\"";
    assert_eq!(difference(&sqlite(alone, &[("wal", ["wal", "1"]), ("delete", ["delete", "2"])])), None);
}
