//! The plan that would refute a diagnosis repeats the trial, and changes one thing: whatever keys a plan has.

use super::case::{Case, usual};
use crate::common;
use std::collections::BTreeSet;
use tenbin_model::plan::keys::{self, Key, Table};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Target, Trial, Workers};
use tenbin_verdict::why::RefutingExperiment;

/// Row locks for all that is known: three quarters of the response time.
fn locked(plan: String) -> Case {
    let case = Case { plan: Some(plan), tps: 100, response_ms: 160.0, ..usual() };
    case.with("server.sessions/row_lock", 12.0)
}

fn parsed(plan: &str) -> Option<Plan> {
    Plan::parse(plan, &common::catalog()).ok()
}

/// What a trial is in any plan: not its place in the order, and not what decides how often its cell is run.
fn itself(trial: &Trial) -> Trial {
    let (axes, target) = (Vec::new(), Target { place: 0, ..trial.target.clone() });
    let repeats = Trial {
        number: 0,
        cell: 0,
        repeat: 0,
        seed: 0,
        repeats_until: None,
        search: None,
        compare: None,
        ..trial.clone()
    };
    Trial { axes, target, ..repeats }
}

/// The trial is one of those of the refuting plan, and these are the others, which differ.
fn refuted(case: &Case) -> (RefutingExperiment, Vec<Trial>) {
    let diagnosis = case.diagnosis();
    let experiment = diagnosis.experiment.clone().unwrap_or_else(|| panic!("{}", diagnosis.words().english()));
    let plan = parsed(&experiment.plan).unwrap_or_else(|| panic!("{}", experiment.plan));
    let original = itself(&case.summary().trials[0].trial);
    let all: Vec<Trial> = expand(&plan).iter().map(itself).collect();
    let (same, others): (Vec<Trial>, Vec<Trial>) = all.into_iter().partition(|trial| {
        // The number of threads that were used is written, and not that it is to be found.
        let workers = if experiment.key == "load.workers" { trial.load.workers } else { original.load.workers };
        let load = tenbin_model::trial::Load { workers, ..original.load.clone() };
        *trial == Trial { load, ..original.clone() } && workers != Workers::Count(4)
    });
    // A plan that has tested it already, and did not decide it, is given twice the repeats that were run.
    let again = case.plan.as_ref().is_some_and(|plan| plan.contains("refutes"));
    assert_eq!(same.len(), if again { 2 } else { 5 }, "{}\n{original:#?}\n{others:#?}", experiment.plan);
    (experiment, others)
}

/// The sections of a plan, with this key in one of them.
fn plan_with(table: Table, key: &Key, server: &str, load: &str) -> String {
    let given = format!("{} = {}\n", key.name, key.example);
    let of = |section: Table, usual: &str| {
        let kept = |line: &&str| section != table || !line.starts_with(&format!("{} ", key.name));
        let usual: String = usual.lines().filter(kept).map(|line| format!("{line}\n")).collect();
        if section == table { usual + &given } else { usual }
    };
    [
        of(Table::Top, "schema = 1\nname = \"p\""),
        "[defaults]\n".to_owned() + &of(Table::Defaults, "warmup = \"0s\""),
        "[metrics]\n".to_owned() + &of(Table::Metrics, ""),
        "[targets.a]\n".to_owned() + &of(Table::Target, server),
        "[targets.b]\nsandbox = \"postgres\"\n".to_owned(),
        "[datasets.small]\n".to_owned() + &of(Table::Dataset, "tables = 2"),
        "[[experiment]]\n".to_owned() + &of(Table::Experiment, "name = \"e\"\nmeasure = \"10s\""),
        "[experiment.load]\n".to_owned() + &of(Table::Load, &format!("workload = \"oltp_read_write\"\n{load}")),
    ]
    .concat()
}

/// Of sixteen clients the transactions that ended in the window took five eighths of the time: the first of them began with the load, and were shorter
/// than those that follow.
#[test]
fn the_warm_up_is_as_long_as_transactions_that_its_windows_are_too_short_for() {
    let warmups = |response_ms: f64| {
        let tally = |tally: &mut Tally| tally.in_progress_ns = 160_000_000_000;
        let case = Case { tps: 2, response_ms, tally, ..usual() }.with("server.sessions/row_lock", 12.0);
        let plan = case.diagnosis().experiment.unwrap().plan;
        expand(&parsed(&plan).unwrap()).iter().map(|trial| trial.warmup_ms).collect::<BTreeSet<_>>()
    };
    assert_eq!(warmups(5000.0), BTreeSet::from([6000]), "20 transactions of 5 s, by the histogram of at most 5.04 s");
    assert_eq!(warmups(8000.0), BTreeSet::from([0]), "20 transactions of 8 s are all the time there is");
}

/// Each key with its own example. A key that is added is in the list, and the plan must have it.
#[test]
fn no_key_of_the_plan_is_forgotten() {
    let servers =
        ["sandbox = \"mariadbd\"", "dsn = \"mysql://root@192.0.2.1/sbtest\"", "dsn = \"postgres://root@192.0.2.1/x\""];
    let loads = ["clients = 16", "clients = 16\nrate = 200", "clients = 16\noperations = 5"];
    let (mut tried, mut left) = (0, BTreeSet::new());
    for key in keys::all() {
        for table in key.tables.iter().copied().filter(|table| *table != Table::Matrix) {
            let mut plans =
                servers.iter().flat_map(|server| loads.iter().map(|load| plan_with(table, key, server, load)));
            match plans.find(|plan| parsed(plan).is_some()) {
                Some(plan) => {
                    refuted(&locked(plan));
                    tried += 1;
                }
                None => drop(left.insert(key.name)),
            }
        }
    }
    let sections = ["datasets", "defaults", "experiment", "group", "load", "metrics", "targets"];
    assert_eq!(left, BTreeSet::from(sections), "what is no section is tried with its example");
    assert!(tried > 50, "{tried}");
}

#[test]
fn a_cell_of_a_matrix_is_repeated_with_its_own_values() {
    let plan = "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\nserver = { sync_binlog = 0 }\n[targets.b]\nsandbox = \"postgres\"\n\
                [datasets.small]\ntable_size = 100\n[datasets.large]\ntable_size = 1000\n\
                [[experiment]]\ndataset = \"small\"\nload = { workload = \"oltp_point_select\" }\n\
                [[experiment]]\nname = \"e\"\ntarget = \"a\"\norder = \"sequential\"\nmeasure = \"10s\"\nwarm-up = \"0s\"\nload = { workload = \"oltp_read_write\" }\n\
                [experiment.matrix]\nload.clients = [16, 32]\nload.rate = [0.5e3, 1_000.5]\n\"load.auto_inc\" = [true]\n\
                dataset = [\"large\", \"small\"]\n\"targets.a.server.innodb_flush_log_at_trx_commit\" = [2]\n\
                zip = [[\"load.clients\", \"load.rate\"]]\n";
    // Its first trials are those of the first experiment; a case takes the first one.
    let only = plan.replace("[[experiment]]\ndataset = \"small\"\nload = { workload = \"oltp_point_select\" }\n", "");
    for plan in [plan.to_owned(), only] {
        let case = Case { of: "e", ..locked(plan) };
        let (experiment, others) = refuted(&case);
        let [clients, ..] = others.iter().map(|trial| trial.load.clients).collect::<Vec<_>>()[..] else { panic!() };
        assert_eq!((experiment.key.as_str(), clients, others.len()), ("load.clients", 8, 5));
    }
}

/// What a plan changes of a trial whose server had these variables.
fn relaxed(server: &str) -> Vec<String> {
    let target = format!("sandbox = \"mariadbd\"\nserver = {{ {server} }}");
    let plan = format!(
        "schema = 1\n[targets.a]\n{target}\n[[experiment]]\nmeasure = \"10s\"\nwarmup = \"0s\"\nload = {{ workload = \"oltp_read_write\", clients = 16 }}\n"
    );
    let case = Case { plan: Some(plan), ..usual() }.with("server.sessions/commit", 12.0);
    let Some(experiment) = case.diagnosis().experiment else { return Vec::new() };
    let name = experiment.key.strip_prefix("server.").unwrap().to_owned();
    let all = expand(&parsed(&experiment.plan).unwrap());
    let values: BTreeSet<String> = all.iter().map(|trial| trial.target.server[&name].clone()).collect();
    std::iter::once(name).chain(values).collect()
}

#[test]
fn what_makes_commits_wait_is_relaxed_from_its_own_value() {
    assert_eq!(relaxed(""), ["innodb_flush_log_at_trx_commit", "1", "2"]);
    assert_eq!(relaxed("innodb_flush_log_at_trx_commit = 3"), ["innodb_flush_log_at_trx_commit", "2", "3"]);
    assert_eq!(relaxed("innodb_flush_log_at_trx_commit = 2, sync_binlog = 100"), ["sync_binlog", "0", "100"]);
    assert_eq!(relaxed("innodb_flush_log_at_trx_commit = 0"), Vec::<String>::new(), "nothing makes it wait");
}

#[test]
fn names_that_are_spelled_in_another_way_are_the_same() {
    let plan = "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\n\
                [[experiments]]\nwarm_up = \"0s\"\nmeasure = \"10s\"\nload = { script = \"oltp_read_write\", threads = 16 }\n\
                [[experiments]]\nload = { workload = \"oltp_read_only\" }\n";
    let (experiment, others) = refuted(&locked(plan.to_owned()));
    assert!(!others.is_empty() && !experiment.plan.contains("oltp_read_only"), "{}", experiment.plan);
}

#[test]
fn rates_are_not_rounded() {
    let plan = "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\n[[experiment]]\nmeasure = \"10s\"\nwarmup = \"0s\"\n\
                load = { workload = \"oltp_read_write\", clients = 16, rate = 100.5 }\n";
    let case = Case { plan: Some(plan.to_owned()), tps: 100, response_ms: 40.0, ..usual() };
    let (experiment, others) = refuted(&case);
    assert_eq!((experiment.key.as_str(), others.len()), ("load.rate", 5));
    assert!(experiment.plan.contains("[100.5, 201]"), "{}", experiment.plan);
}
