//! Statements that are answered and have no effect: they are never committed, or nothing is sent at all.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_tests::{mariadb, output_of, postgres, sql, tenbin};

const SHORT: [&str; 6] = ["--threads", "2", "--time", "1.5", "--calibrate", "never"];

/// The doubts about it. A busy machine has others, which make a trial INVALID too.
const OF_EFFECT: [&str; 3] = ["nothing-sent", "never-committed", "executed-fewer"];

/// The exit code, and those of the doubts about the effect of statements that make the trial INVALID.
fn invalid(workload: &str, dsn: &str, runs: &Path) -> (i32, Vec<String>) {
    let mut command = tenbin();
    command.args(["bench", workload, dsn, "--table-size", "100", "--json", "--runs"]).arg(runs).args(SHORT);
    let (code, out, err) = output_of(&mut command);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e} {out}{err}"));
    let doubts = json["trials"][0]["doubts"].as_array().unwrap();
    let invalid = doubts.iter().filter(|doubt| doubt["verdict"] == "INVALID");
    let codes = invalid.map(|doubt| doubt["code"].as_str().unwrap().to_owned());
    (code, codes.filter(|code| OF_EFFECT.contains(&code.as_str())).collect())
}

#[test]
fn what_is_never_committed_is_no_result() {
    let (server, runs) = (mariadb(&[]), tempfile::tempdir().unwrap());
    // Our own tables are committed all the same.
    sql::query(&server, "SET GLOBAL autocommit = 0");
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_insert", &server.dsn(), "--table-size", "100"]));
    assert_eq!(code, 0, "{err}");
    assert_eq!(sql::query(&server, "SELECT COUNT(*) FROM sbtest1")[0][0], "100");
    for (workload, words) in [
        ("oltp_update_non_index", &["never-committed"][..]),
        // Each of its transactions commits itself.
        ("oltp_write_only", &[]),
        // Nothing to commit.
        ("oltp_point_select", &[]),
    ] {
        let (code, invalid) = invalid(workload, &server.dsn(), runs.path());
        assert_eq!(invalid, words, "{workload}");
        assert!(words.is_empty() || code == 3, "{workload}: {code}");
    }
}

#[test]
fn a_script_that_never_commits_or_sends_nothing_has_no_result() {
    let (server, dir) = (postgres(&[]), tempfile::tempdir().unwrap());
    sql::query(&server, "CREATE TABLE own (a INT)");
    let script = dir.path().join("own.lua");
    for (begin, event, words) in [
        ("con:query('BEGIN')", "con:query('INSERT INTO own VALUES (1)')", &["never-committed"][..]),
        ("", "con:query('INSERT INTO own VALUES (1)')", &[]),
        ("", "con:query('BEGIN') con:query('INSERT INTO own VALUES (1)') con:query('COMMIT')", &[]),
        ("", "if false then con:query('SELECT 1') end", &["nothing-sent"]),
    ] {
        let text = format!(
            "function thread_init()\n con = sysbench.sql.driver():connect()\n {begin}\nend\nfunction event() {event} end\n"
        );
        std::fs::write(&script, text).unwrap();
        let (_, invalid) = invalid(script.to_str().unwrap(), &server.dsn(), dir.path());
        assert_eq!(invalid, words, "{begin} {event}");
    }
}
