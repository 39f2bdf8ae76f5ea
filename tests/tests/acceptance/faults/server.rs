//! The server goes away, falls silent, comes back or will not have us: what a user then reads, and what the run keeps.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::process::{Child, Output, Stdio};
use std::time::Duration;
use tenbin_tests::{Phoenix, balanced, mariadb, output_of, read_back, tenbin};
use tenbin_tests::{wait_until, wait_until_completed, wait_until_measured};

const TABLE: [&str; 2] = ["--table-size", "1000"];

fn load(dsn: &str) {
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", dsn]).args(TABLE));
    assert_eq!(code, 0, "{err}");
}

/// `tenbin bench` under way.
fn bench(dsn: &str, runs: &std::path::Path, more: &[&str]) -> Child {
    bench_of("oltp_read_write", dsn, runs, &[&TABLE, more].concat())
}

fn bench_of(workload: &str, dsn: &str, runs: &std::path::Path, more: &[&str]) -> Child {
    let common = ["bench", workload, dsn, "--json", "--interval", "0.5"];
    let mut command = tenbin();
    command.args(common).args(more).arg("--runs").arg(runs);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn result(child: Child) -> (i32, serde_json::Value, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&stderr).into_owned();
    let json = serde_json::from_slice(&stdout).unwrap_or_else(|e| panic!("{e}\n{err}"));
    (status.code().unwrap(), json, err)
}

fn pause(seconds: f64) {
    std::thread::sleep(Duration::from_secs_f64(seconds));
}

/// Transactions completed in each interval of the first trial, from the record.
fn per_interval(run: &std::path::Path) -> Vec<u64> {
    let log = std::fs::read_to_string(run.join("trials/0001/events.jsonl")).unwrap();
    let events = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let intervals = events.filter(|e| e["event"] == "interval" && e["phase"] == "measure");
    intervals.map(|e| e["tally"]["accounting"]["completed"].as_u64().unwrap()).collect()
}

#[test]
fn a_server_killed_and_restarted_in_mid_run_is_worked_with_again() {
    let mut server = Phoenix::start(&[]);
    let dir = tempfile::tempdir().unwrap();
    load(&server.dsn());
    let run = bench(&server.dsn(), dir.path(), &["--threads", "4", "--time", "12", "--calibrate", "never"]);
    wait_until_measured(dir.path(), 5);
    server.crash();
    pause(0.5);
    server.rise();
    let (code, json, err) = result(run);
    assert!(code == 2 || code == 3, "what was away for this long may be INVALID: {code} {err}");
    assert_ne!(json["verdict"], "VALID");
    assert!(json["trials"][0]["unavailable_client_s"].as_f64().unwrap() > 0.4, "{}", json["trials"][0]);
    let accounting = balanced(&json);
    let (failed, reconnects) =
        (accounting["failed"].as_u64().unwrap(), json["trials"][0]["reconnects"].as_u64().unwrap());
    assert!((1..=8).contains(&failed), "what was under way, and no more: {accounting}");
    assert_eq!(reconnects, 4, "each client opened its connection once again");
    assert_eq!(json["trials"][0]["state"], "complete", "{err}");
    let lost = json["trials"][0]["statements"].as_object().unwrap().values();
    let lost: u64 = lost.flat_map(|s| ["2006", "2013"].map(|n| s["errors"][n].as_u64())).flatten().sum();
    assert!(lost >= 1, "the loss is counted under its number");
    // While it is away each client tries at least at 0 and 0.1 s.
    let trial = &json["trials"][0];
    let refused = trial["statements"]["connect"]["errors"]["refused"].as_u64().unwrap_or_default();
    assert!((4..100).contains(&refused), "{refused} connects: {}", trial["statements"]);
    let doubts = trial["doubts"].as_array().unwrap();
    let away = doubts.iter().find(|d| d["code"] == "unavailable").unwrap();
    assert!(away["problem"]["evidence"].as_str().unwrap().contains(&format!("{refused} × refused")), "{away}");

    let (run, _) = read_back(dir.path());
    let completed = per_interval(&run);
    // An interval in which nothing completed is while it was away; on a slow machine one before and after may be such, too.
    let sum = |of: &[u64]| of.iter().sum::<u64>();
    assert!(sum(&completed[..4]) > 0, "before: {completed:?}");
    assert!(completed[4..].iter().any(|n| *n < sum(&completed[..4]) / 8), "while it was away: {completed:?}");
    assert!(sum(&completed[completed.len() - 3..]) > 0, "and after: {completed:?}");
    // The outage is in the response times: no client waited less than it lasted.
    assert!(json["trials"][0]["response"]["max_ms"].as_f64().unwrap() > 500.0);
    // The observer came back too.
    let log = std::fs::read_to_string(run.join("trials/0001/events.jsonl")).unwrap();
    let looks = log.lines().filter(|l| l.contains("\"server.status\"")).count();
    assert!(looks > completed.len() / 2, "{looks} looks at the server in {} intervals", completed.len());
}

/// The connections that a server has, held by somebody else.
fn all_connections(dsn: String, mut held_s: f64) {
    tenbin_tests::sql::on(async {
        let mut held = Vec::new();
        while held_s > 0.0 {
            let another = tenbin_tests::sql::connector(&dsn).connect(tenbin_driver::Transport::Shared).await;
            held.extend(another.ok());
            tokio::time::sleep(Duration::from_millis(1)).await;
            held_s -= 0.001;
        }
        for connection in held {
            connection.close().await;
        }
    });
}

#[test]
fn connects_that_are_refused_in_the_middle_are_errors_of_their_own() {
    let server = mariadb(&[("max_connections", "10")]);
    load(&server.dsn());
    let of_script = tempfile::tempdir().unwrap();
    let script = of_script.path().join("anew.lua");
    let text = "function thread_init() con = sysbench.sql.driver():connect() end\n\
                function event() con:query('DO 1') con:reconnect() end\n";
    std::fs::write(&script, text).unwrap();
    // A client that connects anew after each transaction finds its place taken.
    refused_in_the_middle(&server.dsn(), "oltp_point_select", &["-o", "reconnect=1", TABLE[0], TABLE[1]]);
    refused_in_the_middle(&server.dsn(), script.to_str().unwrap(), &[]);
}

fn refused_in_the_middle(dsn: &str, workload: &str, more: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let options = ["--threads", "4", "--time", "6", "--observe", "ends", "--on-error", "count", "--calibrate", "never"];
    let run = bench_of(workload, dsn, dir.path(), &[&options, more].concat());
    wait_until_measured(dir.path(), 2);
    let dsn = dsn.to_owned();
    std::thread::spawn(|| all_connections(dsn, 2.0)).join().unwrap();
    let (code, json, err) = result(run);
    assert!(code == 2 || code == 3, "{code} {err}");
    let trial = &json["trials"][0];
    let refused = trial["statements"]["connect"]["errors"]["1040"].as_u64().unwrap_or_default();
    // Once each of a script; with the option a millisecond after one another, for up to a second. Then as after a loss.
    let least = if more.is_empty() { 4 } else { 100 };
    assert!((least..10_000).contains(&refused), "{refused} connects: {}", trial["statements"]);
    let accounting = balanced(&json);
    let failed = accounting["failed"].as_u64().unwrap();
    // A script has to connect again itself; without that each further event fails.
    assert!(failed >= 1 && (more.is_empty() || failed <= 16), "{accounting}");
    let page = dir.path().join("page.html");
    let (run, _) = read_back(dir.path());
    let report = output_of(tenbin().arg("report").arg(&run).args(["--format", "html", "--out"]).arg(&page));
    assert!(report.0 == 0 || report.0 == 3, "{}", report.2);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains(">connect<") && text.contains("× 1040"), "the table of errors has it");
}

#[test]
fn a_frozen_server_does_not_hold_tenbin_for_ever() {
    let server = Phoenix::start(&[]);
    let dir = tempfile::tempdir().unwrap();
    load(&server.dsn());
    let run = bench(&server.dsn(), dir.path(), &["--threads", "2", "--time", "6"]);
    wait_until_completed(dir.path(), 1);
    server.signal("STOP");
    let (code, json, err) = result(run);
    server.signal("CONT");
    balanced(&json);
    assert_eq!(code, 3, "{err}");
    assert_eq!(balanced(&json)["open"], 2, "both clients still wait for their answers");
    assert_eq!(json["verdict"], "INVALID", "most of the window nothing was answered");
    assert!(err.contains("the server did not tell its status within 5 s"), "{err}");
    let (run, _) = read_back(dir.path());
    assert!(per_interval(&run).iter().any(|n| *n > 0), "what was measured before stands");
}

#[test]
fn a_server_that_is_not_there_before_or_between_trials_is_told_for_each() {
    let mut server = Phoenix::start(&[]);
    let dir = tempfile::tempdir().unwrap();
    load(&server.dsn());
    let text = format!(
        "schema = 1\nname = \"gone\"\n[defaults]\nwarmup = \"0s\"\nmeasure = \"3s\"\nsettle = \"0s\"\nrepeats = 4\n[targets.db]\ndsn = \"{}\"\n\
         [datasets.d]\ntable_size = 1000\n[[experiment]]\nrestore = \"never\"\nload = {{ workload = \"oltp_read_only\", clients = 2 }}\n",
        server.dsn()
    );
    let plan = dir.path().join("plan.toml");
    std::fs::write(&plan, text).unwrap();
    let runs = dir.path().join("runs");
    let mut command = tenbin();
    command.args(["run", "--json"]).arg(&plan).arg("--runs").arg(&runs);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // In the second trial the server goes.
    let first =
        || std::fs::read_dir(&runs).is_ok_and(|mut d| d.any(|r| r.unwrap().path().join("trials/0002").exists()));
    wait_until("the second trial begins", first);
    server.crash();
    let (code, json, err) = result(child);
    assert_eq!(code, 2, "{err}");
    balanced(&json);
    let trials = json["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 4);
    assert_eq!(trials[0]["state"], "complete", "the first trial is kept: {err}");
    assert!(trials[0]["accounting"]["completed"].as_u64().unwrap() > 0);
    for trial in &trials[2..] {
        assert_eq!((&trial["state"], &trial["verdict"]), (&"failed".into(), &"INVALID".into()), "{err}");
    }
    assert!(err.contains("nothing answers at 127.0.0.1") && err.contains("tenbin doctor"), "{err}");

    // Before: the same is said by everything that asks, and nothing is left half made.
    let (code, _, err) = output_of(tenbin().args(["plan", "check"]).arg(&plan));
    assert!(code != 0 && err.contains("nothing answers") && err.contains("hint"), "{code} {err}");
    let (code, out, _) = output_of(tenbin().args(["doctor", &server.dsn()]));
    assert!(code == 1 && out.contains("nothing answers"), "{out}");
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &server.dsn()]));
    assert!(code == 1 && err.contains("nothing answers"), "{code} {err}");
    // Afterwards all is as it was.
    server.rise();
    let (code, _, err) = output_of(tenbin().args(["run"]).arg(&plan).arg("--runs").arg(dir.path().join("more")));
    assert!(code == 0 || code == 3, "{code} {err}");
}

#[test]
fn closed_doors_say_which_and_how_to_open_them() {
    let server = mariadb(&[("max_connections", "30")]);
    let dir = tempfile::tempdir().unwrap();
    let secret = "Gehe1mnis";
    let sql = format!(
        "CREATE USER reader@'127.0.0.1' IDENTIFIED BY '{secret}'; GRANT SELECT ON sbtest.* TO reader@'127.0.0.1';
         CREATE USER nothing@'127.0.0.1' IDENTIFIED BY '{secret}';"
    );
    let client = |sql: &str| {
        let socket = server.dir().join("s.sock");
        let done = std::process::Command::new("mariadb").arg("-uroot").arg("-S").arg(socket).args(["-e", sql]).status();
        assert!(done.unwrap().success(), "{sql}");
    };
    client(&sql);
    load(&server.dsn());
    let with = |account: &str| server.dsn().replace("root@", &format!("{account}@"));
    let word = format!(":{secret}");
    let cases = [
        (
            server.dsn().replace("127.0.0.1", "no-such-host.invalid"),
            "the host no-such-host.invalid is not known",
            "check its name",
        ),
        ("mysql://root@127.0.0.1:1/sbtest".into(), "nothing answers at 127.0.0.1:1", "tenbin doctor"),
        (with("reader:Falsch99"), "Access denied for user 'reader'", "--password-env"),
        (with(&format!("nothing{word}")), "to database 'sbtest' (error 1044)", "GRANT ALL"),
        (
            with(&format!("reader{word}")),
            "privileges of 'reader'@'127.0.0.1' missing in sbtest: INSERT",
            "GRANT INSERT",
        ),
        (server.dsn().replace("/sbtest", "/other"), "Unknown database 'other' (error 1049)", "CREATE DATABASE"),
        (format!("{}?tls=required", server.dsn()), "the server does not offer TLS", "tls=disabled"),
        (format!("{}?tls=verify-ca&tls_ca=/nonexistent", server.dsn()), "/nonexistent cannot be read", ""),
    ];
    for (n, (dsn, what, hint)) in cases.into_iter().enumerate() {
        let runs = dir.path().join(n.to_string());
        let mut command = tenbin();
        command.args(["bench", "oltp_read_write", &dsn, "--time", "1", "--threads", "2"]).args(TABLE);
        let (code, out, err) = output_of(command.arg("--runs").arg(&runs));
        assert!(code == 1 || code == 2, "{dsn}: {code}");
        assert!(err.contains(what) && err.contains(hint), "{what:?} and {hint:?} are not both in\n{err}");
        let words = format!("{secret}|Falsch99");
        let (_, written, _) = output_of(std::process::Command::new("grep").args(["-rE", &words]).arg(dir.path()));
        assert_eq!(written, "", "a password was written down");
        assert!(!format!("{out}{err}").contains(secret) && !format!("{out}{err}").contains("Falsch99"), "{out}{err}");
    }

    // Tables: none, and of another size.
    for (more, what, hint) in [
        (["--tables", "2"], "sbtest2", "tenbin load oltp_read_write"),
        (["--table-size", "5000"], "table sbtest1 has the wrong size", "tenbin load oltp_read_write"),
    ] {
        let mut command = tenbin();
        let size: &[&str] = if more[0] == "--tables" { &TABLE } else { &[] };
        command.args(["bench", "oltp_read_write", &server.dsn(), "--time", "1"]).args(size).args(more);
        let (code, _, err) = output_of(command.arg("--runs").arg(dir.path().join(more[0])));
        assert!(code == 1 && err.contains(what) && err.contains(hint), "{code} {err}");
    }

    // A server that takes no changes says so before the first one fails.
    client("GRANT INSERT, UPDATE, DELETE ON sbtest.* TO reader@'127.0.0.1'; SET GLOBAL read_only = 1");
    let mut command = tenbin();
    command.args(["bench", "oltp_read_write", &with(&format!("reader{word}")), "--time", "1"]).args(TABLE);
    let (code, _, err) = output_of(command.arg("--runs").arg(dir.path().join("ro")));
    assert!(code == 1 && err.contains("the server is read-only") && err.contains("oltp_read_only"), "{code} {err}");
}

#[test]
fn others_at_work_on_the_server_are_told() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    load(&server.dsn());
    let other = std::process::Command::new("mariadb")
        .arg("-uroot")
        .arg("-S")
        .arg(server.dir().join("s.sock"))
        .args(["-e", "SELECT SLEEP(600) /* Gehe1mnis */"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut other = other.unwrap();
    let at_work = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP(600)%'";
    wait_until("the other one is at work", || tenbin_tests::sql::query(&server, at_work) == [["1"]]);
    let mut command = tenbin();
    command.args(["bench", "oltp_read_only", &server.dsn(), "--time", "1"]).args(TABLE);
    let (_, out, err) = output_of(command.arg("--runs").arg(dir.path()));
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(err.contains("others are at work on the server") && err.contains("root"), "{out}\n{err}");
    assert!(!err.contains("Gehe1mnis"), "statements of others are not shown: {err}");
}
