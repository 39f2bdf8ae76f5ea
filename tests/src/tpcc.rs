//! What the tests of TPC-C have in common: the command lines, and a look into the tables beside them.

use crate::{output_of, tenbin};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The names of the nine tables.
pub const TABLES: [&str; 9] =
    ["warehouse", "district", "item", "customer", "history", "stock", "orders", "new_orders", "order_line"];

/// The last column of each row of an answer.
pub fn query(dsn: &str, sql: &str) -> Vec<String> {
    crate::sql::query(dsn, sql).into_iter().map(|mut row| row.pop().unwrap_or_default()).collect()
}

/// The one number that an answer is.
pub fn number(dsn: &str, sql: &str) -> u64 {
    query(dsn, sql)[0].parse().unwrap_or_else(|e| panic!("{sql}: {e}"))
}

/// `tenbin load tpcc` of this many warehouses.
pub fn load(dsn: &str, warehouses: u32, more: &[&str]) -> Command {
    let mut command = tenbin();
    command.args(["load", "tpcc", dsn, "-o", &format!("warehouses={warehouses}")]).args(more);
    command
}

/// `tenbin bench tpcc` for this many seconds its run under `runs`.
pub fn bench(dsn: &str, seconds: u32, runs: &Path, more: &[&str]) -> Command {
    let mut command = tenbin();
    command.args(["bench", "tpcc", dsn, "--time", &seconds.to_string()]);
    if !more.contains(&"--threads") {
        command.args(["--threads", "8"]);
    }
    command.args(more).arg("--runs").arg(runs);
    command
}

/// Starts a command that says nothing.
pub fn in_background(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("tenbin runs")
}

/// Waits until the load has this many parts in.
pub fn wait_for_parts(dsn: &str, parts: u64) {
    let (start, there) = (
        Instant::now(),
        "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME='tenbin_tpcc'",
    );
    while number(dsn, there) == 0 || number(dsn, "SELECT COUNT(*) FROM tenbin_tpcc WHERE name LIKE 'part %'") < parts {
        assert!(start.elapsed() < Duration::from_secs(120), "the load does not come forward");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Loads and expects it to end well.
pub fn loaded(dsn: &str, warehouses: u32, more: &[&str]) {
    let (code, out, err) = output_of(&mut load(dsn, warehouses, more));
    assert_eq!(code, 0, "{out}{err}");
}

/// `tenbin check`, where every condition must hold.
pub fn check(dsn: &str, more: &[&str]) {
    let (code, out, err) = output_of(tenbin().args(["check", dsn]).args(more));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("all hold"), "{out}");
}

/// New-Orders that the server has said are committed, from a run's log, and what was counted beside.
pub fn committed(run: &Path) -> (u64, BTreeMap<String, u64>) {
    let log = std::fs::read_to_string(run.join("trials/0001/events.jsonl")).expect("the run has a log");
    let events = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line is an event"));
    let (mut completed, mut counters) = (0, BTreeMap::<String, u64>::new());
    for tally in events.filter(|e| e["event"] == "interval").map(|e| e["tally"].clone()) {
        completed += tally["transactions"]["new_order"]["completed"].as_u64().unwrap_or(0);
        for (name, n) in tally["counters"].as_object().into_iter().flatten() {
            *counters.entry(name.clone()).or_default() += n.as_u64().expect("a counter is a number");
        }
    }
    (completed - counters["new_order_rolled_back"], counters)
}

/// New-Orders in the tables since they were loaded.
pub fn ordered(dsn: &str) -> u64 {
    number(dsn, "SELECT CAST(SUM(d_next_o_id - 3001) AS SIGNED) FROM district")
}
