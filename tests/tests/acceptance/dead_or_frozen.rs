//! Servers that are killed or frozen under load, and a Tenbin that is: no figure of theirs may be taken for a
//! measurement.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tenbin_tests::{Mute, NullServer, Phoenix, balanced, output_of, tenbin, wait_until_measured};

const TABLE: [&str; 2] = ["--table-size", "1000"];

fn load(dsn: &str) {
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_only", dsn]).args(TABLE));
    assert_eq!(code, 0, "{err}");
}

/// `tenbin bench` of eight clients under way.
fn bench(dsn: &str, runs: &Path, more: &[&str]) -> Child {
    let mut command = tenbin();
    command.args(["bench", "oltp_read_only", dsn, "--json", "--interval", "0.5", "--threads", "8"]).args(TABLE);
    command.args(more).arg("--runs").arg(runs).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status().unwrap().success());
}

fn result(child: Child) -> (i32, Value, String) {
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{err}"));
    (output.status.code().unwrap(), json, err)
}

/// Codes of the doubts about the trial that make it INVALID.
fn invalid(json: &Value) -> Vec<&str> {
    let doubts = json["trials"][0]["doubts"].as_array().unwrap().iter();
    doubts.filter(|d| d["verdict"] == "INVALID").map(|d| d["code"].as_str().unwrap()).collect()
}

/// That nothing of the trial stands as a figure, and the answer says so.
fn no_figure(json: &Value, code: i32, err: &str) {
    assert_eq!(code, 3, "{json:#}\n{err}");
    balanced(json);
    assert_eq!(json["verdict"], "INVALID");
    assert_eq!(
        (&json["cells"][0]["left_out"], &json["cells"][0]["tps"]),
        (&serde_json::json!([1]), &serde_json::json!([]))
    );
    let answer = json["answer"].as_str().unwrap();
    assert!(answer.starts_with("There is no result: the trial is INVALID, because "), "{answer}");
}

#[test]
fn a_killed_server_gives_no_figure_with_or_without_a_rate() {
    let mut server = Phoenix::start(&[]);
    load(&server.dsn());
    for rate in [&[][..], &["--rate", "100"]] {
        let runs = tempfile::tempdir().unwrap();
        let child = bench(&server.dsn(), runs.path(), &[&["--time", "10"], rate].concat());
        wait_until_measured(runs.path(), 3);
        server.crash();
        let (code, json, err) = result(child);
        no_figure(&json, code, &err);
        let codes = invalid(&json);
        for wanted in ["clients-lost", "silent-at-end", "unavailable"] {
            assert!(codes.contains(&wanted), "{wanted} is not in {codes:?}\n{err}");
        }
        let t = &json["trials"][0];
        assert_eq!(t["clients_at_end"], 0);
        assert!(t["unavailable_client_s"].as_f64().unwrap() > 4.0, "{t:#}");
        if !rate.is_empty() {
            assert!(t["unanswered"].as_u64().unwrap() > 100, "{t:#}");
            assert!(t["response"]["p99_ms"].as_f64().unwrap() > 1000.0, "never answered starts count: {t:#}");
        }
        server.rise();
    }

    // PostgreSQL, which closes its connections itself when one of its processes is killed.
    let mut server = Phoenix::postgres(&[]);
    load(&server.dsn());
    let runs = tempfile::tempdir().unwrap();
    let child = bench(&server.dsn(), runs.path(), &["--time", "10"]);
    wait_until_measured(runs.path(), 3);
    server.crash();
    let (code, json, err) = result(child);
    no_figure(&json, code, &err);
    assert!(invalid(&json).contains(&"clients-lost"), "{:?}", invalid(&json));
}

#[test]
fn a_frozen_server_and_a_frozen_tenbin_are_told_apart() {
    let server = Phoenix::start(&[]);
    load(&server.dsn());
    let runs = tempfile::tempdir().unwrap();
    let child = bench(&server.dsn(), runs.path(), &["--time", "8"]);
    wait_until_measured(runs.path(), 3);
    server.signal("STOP");
    std::thread::sleep(Duration::from_millis(2500));
    server.signal("CONT");
    let (code, json, err) = result(child);
    no_figure(&json, code, &err);
    assert_eq!(invalid(&json), ["standstill"], "{err}");
    assert!(json["trials"][0]["standstill"]["longest_s"].as_f64().unwrap() > 2.0);
    assert_eq!(json["trials"][0]["accounting"]["failed"], 0, "no error tells of it");

    let runs = tempfile::tempdir().unwrap();
    let child = bench(&server.dsn(), runs.path(), &["--time", "8"]);
    wait_until_measured(runs.path(), 3);
    signal(child.id(), "STOP");
    std::thread::sleep(Duration::from_millis(2500));
    signal(child.id(), "CONT");
    let (code, json, err) = result(child);
    no_figure(&json, code, &err);
    assert_eq!(invalid(&json), ["client-stopped"], "{err}");
    assert!(json["trials"][0]["client_stopped_s"].as_f64().unwrap() > 1.5);

    // By sysbench's name: its report and its exit code, and a line of ours beside them.
    let runs = tempfile::tempdir().unwrap();
    let port = server.dsn().rsplit(':').next().unwrap().split('/').next().unwrap().to_owned();
    let mut command = tenbin();
    command.args(["sysbench", "oltp_read_only", "--mysql-host=127.0.0.1", "--mysql-user=root", "--mysql-db=sbtest"]);
    command.args(["--table-size=1000", "--threads=4", "--time=5", "run"]).arg(format!("--mysql-port={port}"));
    let child = command.env("TENBIN_RUNS", runs.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until_measured(runs.path(), 1);
    server.signal("STOP");
    std::thread::sleep(Duration::from_millis(2000));
    server.signal("CONT");
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}\n{err}");
    assert!(out.contains("    transactions:"), "{out}");
    assert!(err.contains("tenbin: INVALID: for some time no transaction completed"), "{err}");
}

#[test]
fn waits_for_a_stall_for_a_late_client_and_in_a_queue_look_different() {
    let server = Phoenix::start(&[]);
    load(&server.dsn());
    let cause = |rate: &str, during: &dyn Fn(&Child)| {
        let runs = tempfile::tempdir().unwrap();
        let child = bench(&server.dsn(), runs.path(), &["--time", "5", "--rate", rate, "--arrivals", "even"]);
        wait_until_measured(runs.path(), 2);
        during(&child);
        let (_, json, err) = result(child);
        let t = &json["trials"][0];
        (t["wait_cause"].as_str().map(str::to_owned), format!("{:#}\n{:#}\n{err}", t["service"], t["wait"]))
    };
    let frozen = |stop: &dyn Fn(&str)| {
        stop("STOP");
        std::thread::sleep(Duration::from_millis(700));
        stop("CONT");
    };
    let (stall, evidence) = cause("40", &|_| frozen(&|name| server.signal(name)));
    assert_eq!(stall.as_deref(), Some("stall"), "{evidence}");
    let (late, evidence) = cause("40", &|child| frozen(&|name| signal(child.id(), name)));
    assert_eq!(late.as_deref(), Some("late-client"), "{evidence}");
    let (queue, evidence) = cause("100000", &|_| {});
    assert_eq!(queue.as_deref(), Some("queue"), "{evidence}");
}

/// Stops of less than half a second each: nothing stands still for long, and nine tenths of the time are missing all the same.
#[test]
fn a_client_that_is_stopped_again_and_again_gives_no_figure() {
    let server = Phoenix::start(&[]);
    load(&server.dsn());
    for more in [&["--time", "3"][..], &["--time", "3", "--rate", "100"]] {
        let runs = tempfile::tempdir().unwrap();
        let child = bench(&server.dsn(), runs.path(), more);
        wait_until_measured(runs.path(), 1);
        // Until the window is over; what it prints then is more than a pipe holds.
        for _ in 0..7 {
            signal(child.id(), "STOP");
            std::thread::sleep(Duration::from_millis(400));
            signal(child.id(), "CONT");
            std::thread::sleep(Duration::from_millis(50));
        }
        let (code, json, err) = result(child);
        assert!(invalid(&json).contains(&"client-stopped"), "{more:?} {:#}\n{err}", json["trials"][0]["doubts"]);
        no_figure(&json, code, &err);
        if more.contains(&"--rate") {
            assert_eq!(json["trials"][0]["wait_cause"], "late-client", "{json:#}");
        }
    }
}

#[test]
fn a_connection_that_stays_open_and_silent_is_a_hang() {
    // As behind a proxy whose server is gone: nothing is closed, nothing comes.
    let server = NullServer::start(&["--delay", "2ms"]);
    let mute = Mute::before(&server.dsn(), 1500);
    let runs = tempfile::tempdir().unwrap();
    let (code, json, err) = result(bench(mute.dsn(), runs.path(), &["--time", "8"]));
    no_figure(&json, code, &err);
    assert_eq!(invalid(&json), ["silent-at-end"], "{err}");
    assert_eq!(json["trials"][0]["clients_at_end"], 8);
}
