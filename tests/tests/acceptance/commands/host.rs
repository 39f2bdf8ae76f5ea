//! sysbench's tests of the machine itself through the real binary: exact numbers of events and bytes, files made and
//! removed, and what is said when something is in the way.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::path::Path;
use tenbin_tests::{output_of, tenbin};

/// Runs `tenbin bench WORKLOAD TARGET` with these options; the one trial of its JSON.
fn bench(workload: &str, target: &str, arguments: &[&str]) -> Value {
    let runs = tempfile::tempdir().unwrap();
    let (code, out, err) = output_of(
        tenbin()
            .args(["bench", workload, target, "--json", "--interval", "1"])
            .args(arguments)
            .arg("--runs")
            .arg(runs.path()),
    );
    assert!(code == 0 || code == 3, "{code}\n{out}\n{err}");
    let json: Value = serde_json::from_str(&out).unwrap();
    let trial = json["trials"][0].clone();
    let n = |k: &str| trial["accounting"][k].as_i64().unwrap();
    assert_eq!(n("begun_before") + n("scheduled"), n("completed") + n("failed") + n("skipped") + n("open"), "{trial}");
    trial
}

fn completed(trial: &Value) -> u64 {
    trial["accounting"]["completed"].as_u64().unwrap()
}

/// Completed and rows of a statement.
fn statement(trial: &Value, name: &str) -> (u64, u64) {
    let counts = &trial["statements"][name];
    (counts["completed"].as_u64().unwrap(), counts["rows"].as_u64().unwrap())
}

#[test]
fn cpu_and_threads_end_by_the_number_of_events() {
    let trial = bench("cpu", "host:", &["--time", "60", "--events", "20", "--threads", "2", "-o", "cpu_max_prime=500"]);
    assert_eq!(completed(&trial), 20);
    let trial =
        bench("threads", "host:", &["--time", "60", "--events", "10", "--threads", "3", "-o", "thread_yields=5"]);
    assert_eq!(completed(&trial), 10);
}

#[test]
fn mutex_is_one_event_for_each_client() {
    let options =
        ["--time", "60", "--threads", "3", "-o", "mutex_num=4", "-o", "mutex_locks=200", "-o", "mutex_loops=10"];
    let trial = bench("mutex", "host:", &options);
    assert_eq!(completed(&trial), 3);
}

#[test]
fn memory_transfers_what_it_was_told_to() {
    let size = |more: &[&'static str]| [&["--time", "60", "-o", "memory_total_size=1M"], more].concat();
    let trial = bench("memory", "host:", &size(&[]));
    assert_eq!((completed(&trial), statement(&trial, "write")), (1024, (1024, 1 << 20)));
    // Each of three clients has its share of whole blocks, as in sysbench.
    let trial =
        bench("memory", "host:", &size(&["--threads", "3", "-o", "memory_oper=read", "-o", "memory_scope=local"]));
    assert_eq!((completed(&trial), statement(&trial, "read")), (1023, (1023, 1023 << 10)));
    for oper in ["memory_oper=read", "memory_oper=write"] {
        let trial = bench(
            "memory",
            "host:",
            &size(&["-o", "memory_block_size=4K", "-o", "memory_access_mode=rnd", "-o", oper]),
        );
        assert_eq!(completed(&trial), 256);
    }
    let trial = bench("memory", "host:", &size(&["-o", "memory_oper=none", "-o", "memory_block_size=256K"]));
    assert_eq!((completed(&trial), trial["statements"].as_object().unwrap().len()), (4, 0));
}

#[test]
fn what_cannot_be_is_told_with_a_hint() {
    let text_of = |arguments: &[&str]| {
        let runs = tempfile::tempdir().unwrap();
        let (code, out, err) = output_of(tenbin().args(arguments).arg("--runs").arg(runs.path()));
        assert_ne!(code, 0, "{out}");
        format!("{out}{err}")
    };
    let text = text_of(&["bench", "memory", "host:", "-o", "memory_block_size=1000"]);
    assert!(text.contains("memory_block_size cannot be 1000 bytes") && text.contains("write 1024"), "{text}");
    let text = text_of(&["bench", "memory", "host:", "-o", "memory_total_size=2K", "--threads", "3"]);
    assert!(text.contains("less than one block for each client"), "{text}");
    let text = text_of(&["bench", "cpu", "mysql://nobody@127.0.0.1:1/x"]);
    assert!(text.contains("tests this machine, not a database"), "{text}");
    let text = text_of(&["bench", "oltp_read_only", "host:"]);
    assert!(text.contains("needs a database"), "{text}");
}

#[test]
fn the_run_of_a_host_test_has_its_record_and_page() {
    let runs = tempfile::tempdir().unwrap();
    let (code, out, err) = output_of(
        tenbin().args(["bench", "cpu", "host:", "--time", "1", "-o", "cpu_max_prime=200", "--runs"]).arg(runs.path()),
    );
    assert_eq!(code, 0, "{out}\n{err}");
    // On a busy machine it is DEGRADED, and says why.
    let head = out.lines().find(|line| !line.is_empty()).unwrap_or_default();
    assert!(head.contains(" VALID ") || head.contains(" DEGRADED ") && out.contains("\nreasons "), "{out}");
    let dir = std::fs::read_dir(runs.path()).unwrap().next().unwrap().unwrap().path();
    assert!(Path::new(&dir.join("report.html")).is_file());
}
