//! Deliveries that are queued, on a real MariaDB: answered at once, carried out by others, also across the server's
//! death.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tenbin_tests::tpcc::{bench, check, loaded, number, query};
use tenbin_tests::{Phoenix, balanced, output_of, read_back, tenbin, wait_until_intervals};

/// All counters of a run.
fn counters(run: &std::path::Path) -> BTreeMap<String, u64> {
    let log = std::fs::read_to_string(run.join("trials/0001/events.jsonl")).expect("a log");
    let mut all = BTreeMap::new();
    for line in log.lines() {
        let event: serde_json::Value = serde_json::from_str(line).expect("an event");
        for (name, n) in event["tally"]["counters"].as_object().into_iter().flatten() {
            *all.entry(name.clone()).or_default() += n.as_u64().expect("a count");
        }
    }
    all
}

#[test]
fn queued_deliveries_are_answered_at_once_and_done_by_others() {
    let mut server = Phoenix::start(&[("innodb_flush_log_at_trx_commit", "1")]);
    let (dsn, dir) = (server.dsn(), tempfile::tempdir().expect("a directory"));
    loaded(&dsn, 1, &[]);
    let run = |name: &str, seconds: u32, more: &[&str]| {
        let runs = dir.path().join(name);
        (bench(&dsn, seconds, &runs, &[&["--json"], more].concat()), runs)
    };

    // At the pace of users they are queued unless it is said otherwise.
    let paced = ["-o", "mode=paced", "-o", "pace=0.02", "--threads", "20"];
    let (mut command, runs) = run("paced", 5, &paced);
    let (code, out, err) = output_of(&mut command);
    assert!(code == 0 || code == 3, "{err}");
    balanced(&serde_json::from_str(&out).expect("JSON"));
    let (folder, _) = read_back(&runs);
    let counts = counters(&folder);
    // A counter that stayed at 0 stands nowhere.
    let of = |name: &str| counts.get(name).copied().unwrap_or(0);
    let [queued, done] = ["delivery_deferred_queued", "delivery_deferred_done"].map(of);
    assert!(done > 0 && done <= queued && queued <= done + 10, "{counts:?}");
    assert_eq!(of("delivery_districts") + of("delivery_districts_skipped"), 10 * done, "each was done whole");
    let (_, text, _) = output_of(tenbin().args(["report", "--format", "text"]).arg(&folder));
    assert!(text.contains("2.7.3.4") && !text.contains("2.7.2,"), "{text}");
    check(&dsn, &[]);

    // At full speed, over the server's death: what is queued waits for it to come back.
    let (mut command, runs) = run("killed", 12, &["-o", "deferred_delivery=on", "-o", "deliverers=2"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tenbin runs");
    wait_until_intervals(&runs, "deliveries that are done", |printed| {
        printed.iter().any(|interval| interval["tally"]["counters"]["delivery_deferred_done"].as_u64() > Some(0))
    });
    server.crash();
    server.rise();
    let output = child.wait_with_output().expect("it ends");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    balanced(&json);
    let rows = counters(&read_back(&runs).0);
    assert!(rows["delivery_deferred_done"] > 0 && rows["new_order_lines"] > 0, "{rows:?}");
    check(&dsn, &[]);
    assert!(number(&dsn, "SELECT COUNT(*) FROM orders WHERE o_id > 3000 OR o_carrier_id IS NULL") > 0);
    // No session stays behind on the server, which ends connections some time after their clients are gone.
    let others = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB='sbtest' AND ID<>CONNECTION_ID()";
    let patience = Instant::now() + Duration::from_secs(60);
    while number(&dsn, others) > 0 {
        assert!(Instant::now() < patience, "a connection is left: {:?}", query(&dsn, others));
        std::thread::sleep(Duration::from_millis(50));
    }

    // Carried out by the terminal itself, which the result says.
    let (mut command, runs) = run("inline", 2, &[]);
    let (_, _, err) = output_of(&mut command);
    let (_, text, _) = output_of(tenbin().args(["report", "--format", "text"]).arg(read_back(&runs).0));
    assert!(text.contains("2.7.2,") && !text.contains("2.7.3.4"), "{text}{err}");
}
