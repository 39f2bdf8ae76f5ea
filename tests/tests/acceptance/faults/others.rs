//! Somebody else works on the PostgreSQL server that is measured.

use serde_json::Value;
use std::process::Stdio;
use tenbin_tests::sql::{self, Address};
use tenbin_tests::{mariadb, mysql, output_of, postgres, tenbin, wait_until_completed};

#[test]
fn transactions_of_a_second_client_are_told_in_our_database_and_in_another() {
    let server = postgres(&[]);
    let dsn = server.dsn();
    tenbin_tests::sql::query(&server, "CREATE DATABASE other");
    let other = dsn.replacen("/sbtest", "/other", 1);
    assert_ne!(other, dsn);
    for dsn in [&dsn, &other] {
        let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", dsn, "--table-size", "1000"]));
        assert_eq!(code, 0, "{err}");
    }
    let run = |dsn: &str, clients: &str, time: &str, rate: &str| {
        let mut command = tenbin();
        command.args(["bench", "oltp_point_select", dsn, "--table-size", "1000", "--json", "--threads", clients]);
        command.args(["--time", time, "--rate", rate, "--calibrate", "never"]);
        command
    };
    // At a rate, so that the other one cannot take enough time for ours to stop.
    let text_of = |beside: Option<&String>| {
        let [runs, of_other] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        let other = beside.map(|dsn| {
            let mut command = run(dsn, "2", "600", "1500");
            command.args(["--allow", "share-tables"]).arg("--runs").arg(of_other.path());
            let quiet = command.stdout(Stdio::null()).spawn();
            // It is at work when the window of the first begins, and until it has ended.
            wait_until_completed(of_other.path(), 1);
            quiet.expect("a second client")
        });
        let mut command = run(&dsn, "2", "8", "500");
        let (code, out, err) = output_of(command.args(["--allow", "share-tables"]).arg("--runs").arg(runs.path()));
        if let Some(mut other) = other {
            other.kill().expect("it runs");
            other.wait().expect("it ends");
        }
        assert!(code == 0 || code == 3, "{err}");
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e} {err}"));
        let doubts = json["trials"][0]["doubts"].as_array().cloned().unwrap_or_default();
        let doubt = doubts.iter().find(|d| d["code"] == "foreign-transactions");
        doubt.map(|d| d["problem"]["evidence"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(text_of(None), None, "observers and autovacuum alone");
    let elsewhere = text_of(Some(&other)).expect("a doubt");
    assert!(!elsewhere.contains("(0 of them"), "{elsewhere}");
    let here = text_of(Some(&dsn)).expect("a doubt");
    assert!(here.contains("per second"), "{here}");
}

#[test]
fn clients_that_connect_anew_are_not_others() {
    let server = mariadb(&[]);
    let dsn = server.dsn();
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", &dsn, "--table-size", "1000"]));
    assert_eq!(code, 0, "{err}");
    for ps_mode in ["ps_mode=auto", "ps_mode=disable"] {
        let runs = tempfile::tempdir().expect("a directory");
        let mut command = tenbin();
        command.args(["bench", "oltp_point_select", &dsn, "--table-size", "1000", "--threads", "2", "--time", "4"]);
        command.args(["-o", "reconnect=1", "-o", ps_mode, "--calibrate", "never", "--json", "--runs"]).arg(runs.path());
        let (code, out, err) = output_of(&mut command);
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{code} {e} {err}"));
        let trial = &json["trials"][0];
        assert!(trial["reconnects"].as_f64() > Some(400.0), "{trial}");
        let doubts = trial["doubts"].as_array().expect("doubts");
        assert!(doubts.iter().all(|d| d["code"] != "foreign-statements"), "{doubts:?}");
    }
}

#[test]
fn a_session_is_as_many_statements_as_the_audit_takes_it_for() {
    const SESSIONS: u64 = 20;
    let sessions = |at: &dyn Address| {
        sql::on(async {
            for _ in 0..SESSIONS {
                let mut c = sql::open(&at.dsn()).await;
                // As with `reconnect=1`: statements are prepared, and closed before the connection.
                let prepared = c.prepare("SELECT 1").await.expect("it can be prepared");
                if at.dsn().starts_with("mysql") {
                    c.forget(prepared).await.expect("it can be closed");
                }
                c.close().await;
            }
        });
    };
    for server in [mariadb(&[]), mysql("8.0.31", &[]), mysql("5.7.22", &[])] {
        let questions = || -> u64 {
            // The goodbye of a session is counted a moment after it was said.
            std::thread::sleep(std::time::Duration::from_millis(700));
            let row = sql::query(&server, "SHOW GLOBAL STATUS LIKE 'Questions'").remove(0);
            row[1].parse().expect("a number")
        };
        // What each look at the counter adds is known from two of them.
        let (first, second) = (questions(), questions());
        sessions(&server);
        let added = questions() - second - (second - first);
        assert!([0, SESSIONS].contains(&added), "one each, or none: {added}");
    }
    let server = postgres(&[]);
    let transactions = || -> u64 {
        let ask = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
        sql::query(&server, ask)[0][0].parse().expect("a number")
    };
    let before = transactions();
    sessions(&server);
    // Its sessions report what they have done when they end, which takes a moment.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let added = transactions() - before;
    // A login and what was prepared, and those of the looks.
    assert!((2 * SESSIONS..=2 * SESSIONS + 8).contains(&added), "{added}");
}

#[test]
fn parallel_workers_of_our_own_queries_are_not_others() {
    let costs = ["min_parallel_table_scan_size", "parallel_setup_cost", "parallel_tuple_cost"].map(|name| (name, "0"));
    let server = postgres(&costs);
    let dsn = server.dsn();
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", &dsn, "--table-size", "20000"]));
    assert_eq!(code, 0, "{err}");
    let dir = tempfile::tempdir().expect("a directory");
    let script = dir.path().join("counts.lua");
    let text = "function thread_init() con = sysbench.sql.driver():connect() end\n\
                function event() con:query(\"SELECT COUNT(*) FROM sbtest1 WHERE pad < 'a'\") end\n";
    std::fs::write(&script, text).expect("a script");
    let mut command = tenbin();
    command.arg("bench").arg(&script).args([&dsn, "--threads", "2", "--time", "6", "--calibrate", "never", "--json"]);
    let (code, out, err) = output_of(command.arg("--runs").arg(dir.path()));
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{code} {e} {err}"));
    let trial = &json["trials"][0];
    let readings = trial["readings"].as_array().expect("readings");
    let reading = |name: &str| {
        readings
            .iter()
            .find(|r| r["observer"] == "server.status" && r["name"] == name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    let counted = reading("xact_commit")["per_second"].as_f64().expect("a rate");
    let tps = trial["tps"].as_f64().expect("a rate");
    assert!(counted > 2.0 * tps && counted > tps + 50.0, "the server counts those of the workers: {counted} of {tps}");
    // A sample shows those of its moment only, of which there may be none.
    assert!(reading("parallel_workers")["max"].is_number(), "{}", reading("parallel_workers"));
    let doubts = trial["doubts"].as_array().expect("doubts");
    assert!(doubts.iter().all(|d| d["code"] != "foreign-transactions"), "{doubts:?}");
}

#[test]
fn a_lock_that_was_lost_in_a_trial_is_told() {
    let server = mariadb(&[]);
    let dsn = server.dsn();
    let bench = ["bench", "oltp_point_select", &dsn, "--table-size", "100", "--threads", "1", "--time", "4"];
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", &dsn, "--table-size", "100"]));
    assert_eq!(code, 0, "{err}");
    let (_, _, err) = output_of(tenbin().args(bench));
    assert!(!err.contains("was lost during the trial"), "{err}");
    let holder = || {
        let row = sql::query(&server, "SELECT IS_USED_LOCK(CONCAT('tenbin.run.', MD5('sbtest')))").remove(0);
        row[0].parse::<u32>().ok()
    };
    std::thread::scope(|s| {
        s.spawn(|| {
            let connection = loop {
                match holder() {
                    Some(connection) => break connection,
                    None => std::thread::sleep(std::time::Duration::from_millis(20)),
                }
            };
            std::thread::sleep(std::time::Duration::from_millis(1500));
            sql::query(&server, &format!("KILL {connection}"));
        });
        let (_, _, err) = output_of(tenbin().args(bench));
        assert!(err.contains("was lost during the trial and acquired again"), "{err}");
    });
}
