//! `workers = "auto"` beside a server: short tries of the trial's own load decide, are told, and are not repeated by the next run.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use tenbin_tests::{mariadb, output_of, tenbin, wait_until_measured};

/// The notes of the first trial with this code, and how many threads of the clients the process had while it measured.
fn stopped(dsn: &str, runs: &Path, state: &Path, code: &str) -> (Vec<Value>, usize) {
    let log = File::create(runs.with_extension("log")).unwrap();
    let mut command = tenbin();
    command.args(["bench", "oltp_point_select", dsn, "--table-size", "1000", "--threads", "4", "--time", "30"]);
    command.arg("--runs").arg(runs).env("TENBIN_STATE_DIR", state);
    let mut child = command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
    wait_until_measured(runs, 1);
    let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    let workers = names.filter(|name| name.starts_with("worker-")).count();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap();
    let events = tenbin_tests::read_back(runs).0.join("trials/0001/events.jsonl");
    let events = std::fs::read_to_string(events).unwrap();
    let events = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    (events.filter(|event| event.to_string().contains(&format!("\"{code}\""))).collect(), workers)
}

#[test]
fn tries_decide_how_many_threads_once_and_the_next_run_knows_it() {
    let (server, folder) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let (dsn, state) = (server.dsn(), folder.path().join("state"));
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", &dsn, "--table-size", "1000"]));
    assert_eq!(code, 0, "{err}");
    let queries = || {
        let rows = tenbin_tests::sql::query(&server, "SHOW GLOBAL STATUS LIKE 'Com_stmt_execute'");
        rows[0][1].parse::<u64>().unwrap()
    };
    let number = |notes: &[Value]| notes[0].pointer("/problem/messages/what/args/chosen").cloned().unwrap_or_default();
    let before = queries();
    let (tried, threads) = stopped(&dsn, &folder.path().join("first"), &state, "threads-tried");
    assert!(queries() > before);
    assert_eq!(tried.len(), 1, "{tried:?}");
    assert_eq!(number(&tried).to_string().trim_matches('"'), threads.to_string(), "{tried:?}");
    let (known, again) = stopped(&dsn, &folder.path().join("second"), &state, "threads-remembered");
    assert_eq!((known.len(), again), (1, threads), "{known:?}");
    let (tried, _) = stopped(&dsn, &folder.path().join("third"), &state, "threads-tried");
    assert_eq!(tried, Vec::<Value>::new(), "it was tried once");
}
