//! TPC-B on every database: its data set, its transactions, and the check of its balances, which must find what it is there to find.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_tests::sql::{connector, query};
use tenbin_tests::{mariadb, output_of, postgres, tenbin};
use tenbin_workloads::dataset;

/// A plan of each of the three workloads, for a second each.
fn plan(target: &str) -> String {
    format!(
        "schema = 1\n[defaults]\nwarmup = \"0s\"\nmeasure = \"1s\"\nrepeats = 1\n[targets.t]\n{target}\n\
         [datasets.bank]\nkind = \"tpcb\"\nscale = 1\n[[experiment]]\ndataset = \"bank\"\nload = {{ clients = 2, retries = 100 }}\n\
         matrix = {{ load.workload = [\"tpcb_like\", \"simple_update\", \"select_only\"] }}\n"
    )
}

fn run(folder: &Path, target: &str) -> serde_json::Value {
    let file = folder.join("plan.toml");
    std::fs::write(&file, plan(target)).unwrap();
    let runs = folder.join("runs");
    let (code, out, err) = output_of(tenbin().args(["run", file.to_str().unwrap(), "--runs"]).arg(&runs));
    assert!(code == 0 || code == 3, "{target}: {code}\n{out}\n{err}");
    assert!(!err.contains("violations"), "{err}");
    tenbin_tests::read_back(&runs).1
}

#[test]
fn all_databases_keep_the_balances_that_tpc_b_demands() {
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    let file = tempfile::tempdir().unwrap();
    let sqlite = format!("dsn = \"sqlite:{}\"", file.path().join("bank.db").display());
    for target in [format!("dsn = \"{}\"", maria.dsn()), format!("dsn = \"{}\"", pg.dsn()), sqlite] {
        let folder = tempfile::tempdir().unwrap();
        let json = run(folder.path(), &target);
        let trials = json["trials"].as_array().unwrap();
        assert_eq!(trials.len(), 3, "{json}");
        for trial in trials {
            assert!(trial["accounting"]["completed"].as_u64().unwrap() > 0, "{target}: {trial}");
        }
    }
}

/// Each kind of a lost or doubled change is found, and what is legitimate is not taken for one.
#[test]
fn a_balance_that_does_not_agree_is_found() {
    let server = postgres(&[]);
    let at = connector(&server);
    let set = dataset("tpcb", &Default::default(), at.dsn().scheme).unwrap();
    let stop = tenbin_model::stop::StopSignal::new();
    set.load(&at, 2, 1, &|_| (), &stop).unwrap();
    let wrong = || -> Vec<String> {
        let all = set.check(&at, 1, false, &|_, _| (), &stop).unwrap();
        all.into_iter().filter(|c| !c.holds()).map(|c| c.name).collect()
    };
    assert!(wrong().is_empty());
    let transaction = "UPDATE pgbench_accounts SET abalance=abalance+7 WHERE aid=5; UPDATE pgbench_tellers SET tbalance=tbalance+7 WHERE tid=3; \
         UPDATE pgbench_branches SET bbalance=bbalance+7 WHERE bid=1; INSERT INTO pgbench_history (tid,bid,aid,delta) VALUES (3,1,5,7)";
    transaction.split("; ").for_each(|sql| _ = query(&server, sql));
    assert!(wrong().is_empty(), "a whole transaction");
    for (change, undo, evidence) in [
        ("UPDATE pgbench_accounts SET abalance=abalance-7 WHERE aid=5", "+7", &["condition 1", "condition 5"][..]),
        ("UPDATE pgbench_tellers SET tbalance=tbalance-7 WHERE tid=3", "+7", &["condition 2", "condition 4"]),
        (
            "UPDATE pgbench_branches SET bbalance=bbalance-7 WHERE bid=1",
            "+7",
            &["condition 3", "condition 4", "condition 5"],
        ),
    ] {
        query(&server, change);
        assert_eq!(wrong(), evidence, "{change}");
        query(&server, &change.replace("-7", undo));
    }
    query(&server, "DELETE FROM pgbench_history");
    assert_eq!(wrong(), ["condition 1", "condition 2", "condition 3"], "a lost row of the history");
    set.drop_ours(&at).unwrap();
    assert_eq!(query(&server, "SELECT COUNT(*) FROM pg_class WHERE relname LIKE 'pgbench%'"), [["0"]]);
}
