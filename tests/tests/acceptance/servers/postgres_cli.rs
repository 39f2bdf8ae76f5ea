//! `tenbin` with PostgreSQL: loading, benches, the doctor, private servers, what happens when the server dies.

use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tenbin_tests::{Phoenix, balanced, output_of, postgres, state_directory, tenbin, wait_until_completed};

fn json(out: &str) -> Value {
    serde_json::from_str(out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

#[test]
fn load_bench_and_doctor() {
    let server = postgres(&[("max_connections", "20"), ("fsync", "off")]);
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn().replace("postgres://", "postgresql://");
    let bench = |extra: &[&str]| {
        let common = ["bench", "oltp_read_write", &dsn, "--table-size", "2000", "--runs"];
        output_of(tenbin().args(common).arg(dir.path()).args(extra))
    };
    let (code, _, err) = bench(&[]);
    assert!(code == 1 && err.contains("are not there") && err.contains("tenbin load oltp_read_write"), "{code} {err}");
    let load = |extra: &[&str]| {
        output_of(tenbin().args(["load", "oltp_read_write", &dsn, "--table-size", "2000"]).args(extra))
    };
    let (code, out, err) = load(&["--json", "--streams", "2"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(json(&out)["rows"], 2000);
    for mode in ["ps_mode=auto", "ps_mode=disable"] {
        let (code, out, err) = bench(&["--threads", "4", "--time", "1", "-o", mode, "--json"]);
        assert!(code == 0 || code == 3, "{code} {err}");
        let t = &json(&out)["trials"][0];
        let completed = t["accounting"]["completed"].as_u64().unwrap();
        // Twenty statements each, ten of them point selects; those under way at the end and those tried again add some.
        let selects = t["statements"]["point_select"]["completed"].as_u64().unwrap();
        let most = completed * 10 + 40 + 40 * t["retries"].as_u64().unwrap();
        assert!(completed > 0 && (completed * 10..=most).contains(&selects), "{selects} {completed}");
    }
    // One connection for each client, and exactly as many transactions as asked for.
    let (_, out, _) = bench(&["--threads", "4", "--workers", "2", "--events", "100", "--time", "60", "--json"]);
    let a = &json(&out)["trials"][0]["accounting"];
    assert_eq!(a["completed"].as_u64().unwrap() + a["failed"].as_u64().unwrap(), 100);
    let (code, _, err) = bench(&["--threads", "40"]);
    assert!(code != 0 && err.contains("does not allow so many connections") && err.contains("ALTER SYSTEM"), "{err}");

    let (code, out, _) = output_of(tenbin().args(["doctor", &dsn, "--clients", "8"]));
    assert_eq!(code, 0, "{out}");
    for words in ["PostgreSQL 1", "connections are enough", "fsync off", "synchronous_commit on", "share this machine"]
    {
        assert!(out.contains(words), "{words}: {out}");
    }
    let (code, out, _) = output_of(tenbin().args(["doctor", &dsn, "--clients", "80"]));
    assert!(code == 1 && out.contains("max_connections 20, 3 of them reserved"), "{out}");

    // What is kept of these runs: the server's settings and what it counted.
    let events = std::process::Command::new("grep")
        .arg("-rhoE")
        .arg("\"variable.shared_buffers\":\"[^\"]*\"|\"xact_commit\":[0-9]+|\"wal_bytes\":[0-9]+")
        .arg(dir.path())
        .output()
        .unwrap();
    let events = String::from_utf8_lossy(&events.stdout).into_owned();
    assert!(events.contains("512MB") && events.contains("xact_commit") && events.contains("wal_bytes"), "{events}");
    assert_eq!(load(&["--only-drop"]).0, 0);
}

#[test]
fn deadlocks_are_tried_again_and_counted_by_their_state() {
    let server = postgres(&[("deadlock_timeout", "10ms")]);
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn();
    assert_eq!(output_of(tenbin().args(["load", "oltp_write_only", &dsn, "--table-size", "20"])).0, 0);
    let common =
        ["bench", "oltp_write_only", &dsn, "--table-size", "20", "--threads", "16", "--time", "3", "--json", "--runs"];
    let (code, out, err) = output_of(tenbin().args(common).arg(dir.path()));
    assert!([0, 2, 3].contains(&code), "{code} {err}");
    let t = &json(&out)["trials"][0];
    assert!(t["retries"].as_u64().unwrap() > 0 && t["accounting"]["completed"].as_u64().unwrap() > 0, "{t}");
    assert!(out.contains("\"40P01\""), "{t}");
}

#[test]
fn clients_come_back_when_the_server_does() {
    let mut server = Phoenix::postgres(&[("fsync", "off")]);
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn();
    assert_eq!(output_of(tenbin().args(["load", "oltp_point_select", &dsn, "--table-size", "1000"])).0, 0);
    let child = tenbin()
        .args([
            "bench",
            "oltp_point_select",
            &dsn,
            "--table-size",
            "1000",
            "--threads",
            "8",
            "--time",
            "8",
            "--json",
            "--runs",
        ])
        .arg(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_completed(dir.path(), 1);
    server.crash();
    std::thread::sleep(Duration::from_millis(500));
    server.rise();
    let output = child.wait_with_output().unwrap();
    let out = json(&String::from_utf8_lossy(&output.stdout));
    let t = &out["trials"][0];
    assert!(t["reconnects"].as_u64().unwrap() >= 8, "{t}\n{}", String::from_utf8_lossy(&output.stderr));
    let accounting = balanced(&out);
    assert!(accounting["failed"].as_u64().unwrap() >= 1, "{accounting}");
}

const KILLED: &str = r#"
schema = 1
name = "killed"
[defaults]
warmup = "0s"
measure = "30s"
[targets.a]
sandbox = "postgres"
server = { shared_buffers = "64MiB", synchronous_commit = false }
[datasets.d]
table_size = 500
[[experiment]]
[experiment.load]
workload = "oltp_read_only"
"#;

#[test]
fn a_private_server_is_what_was_asked_for_and_never_outlives_its_run() {
    let dir = tempfile::tempdir().unwrap();
    // Reachable for the server's account.
    std::process::Command::new("chmod").arg("711").arg(dir.path()).status().unwrap();
    let state = state_directory(dir.path());
    let sandbox = |args: &[&str]| output_of(tenbin().arg("sandbox").args(args).env("TENBIN_STATE_DIR", &state));
    let gone = |pid: u64| {
        (0..150).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            !Path::new(&format!("/proc/{pid}/exe")).exists() || std::fs::read_link(format!("/proc/{pid}/exe")).is_err()
        })
    };

    let (code, out, err) = sandbox(&["start", "postgres", "--name", "own", "--set", "work_mem=8MB", "--json"]);
    assert_eq!(code, 0, "{err}");
    let started = json(&out);
    let pid = started["pid"].as_u64().unwrap();
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    assert!(!status.contains("Uid:\t0\t"), "never as root: {status}");
    for dsn in ["dsn", "socket"] {
        let (code, out, _) = output_of(tenbin().args(["doctor", started[dsn].as_str().unwrap()]));
        assert!(code == 0 && out.contains("server  PostgreSQL"), "{out}");
    }
    assert_eq!(sandbox(&["stop", "own"]).0, 0);
    assert!(gone(pid) && !state.join("own").exists());

    let (code, _, err) = sandbox(&["start", "postgres", "--set", "work_mam=8MB"]);
    assert!(code == 1 && err.contains("work_mam") && err.contains("unrecognized configuration parameter"), "{err}");
    let (code, _, err) = sandbox(&["start", "postgres", "--set", "work_mem=lots"]);
    assert!(code == 1 && err.contains("work_mem"), "{err}");
    assert_eq!(json(&sandbox(&["list", "--json"]).1).as_array().unwrap().len(), 0, "what did not start leaves nothing");

    let plan = dir.path().join("plan.toml");
    std::fs::write(&plan, KILLED).unwrap();
    let mut child = tenbin()
        .arg("run")
        .arg(&plan)
        .arg("--runs")
        .arg(dir.path().join("runs"))
        .env("TENBIN_STATE_DIR", &state)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let list = || json(&sandbox(&["list", "--json"]).1).as_array().unwrap().clone();
    let pid = (0..300).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        list().iter().find_map(|s| s["pid"].as_u64().filter(|p| *p != 0))
    });
    let pid = pid.expect("a private server is started");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(gone(pid), "the kernel ends the server of a killed run");
    assert_eq!(sandbox(&["list", "--clean"]).0, 0);
    assert!(list().is_empty());
}
