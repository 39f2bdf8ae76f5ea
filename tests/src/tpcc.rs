//! What the tests of TPC-C have in common: the command lines, and a look into the tables beside them.

use crate::{tenbin, told};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The names of the nine tables.
pub const TABLES: [&str; 9] =
    ["warehouse", "district", "item", "customer", "history", "stock", "orders", "new_orders", "order_line"];

/// The last column of each row of an answer.
pub fn ask(dsn: &str, sql: &str) -> Vec<String> {
    crate::sql::ask(dsn, sql).into_iter().map(|mut row| row.pop().unwrap_or_default()).collect()
}

/// The one number that an answer is.
pub fn number(dsn: &str, sql: &str) -> u64 {
    ask(dsn, sql)[0].parse().unwrap_or_else(|e| panic!("{sql}: {e}"))
}

/// `tenbin load tpcc` of so many warehouses.
pub fn load(dsn: &str, warehouses: u32, more: &[&str]) -> Command {
    let mut command = tenbin();
    command.args(["load", "tpcc", dsn, "-o", &format!("warehouses={warehouses}")]).args(more);
    command
}

/// `tenbin bench tpcc` for so many seconds its run under `runs`.
pub fn bench(dsn: &str, seconds: u32, runs: &std::path::Path, more: &[&str]) -> Command {
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

/// Waits until the load has so many parts in.
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
    let (code, out, err) = told(&mut load(dsn, warehouses, more));
    assert_eq!(code, 0, "{out}{err}");
}

/// `tenbin check`, where every condition must hold.
pub fn check(dsn: &str, more: &[&str]) {
    let (code, out, err) = told(tenbin().args(["check", dsn]).args(more));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("all hold"), "{out}");
}
