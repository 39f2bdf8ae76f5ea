//! Statements that are answered and have no effect: they are never committed, or nothing is sent at all.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_tests::{mariadb, output_of, postgres, sql, tenbin};

const SHORT: [&str; 6] = ["--threads", "2", "--time", "1.5", "--calibrate", "never"];

/// The exit code, and the codes of the doubts that make the trial INVALID.
fn invalid(workload: &str, dsn: &str, runs: &Path) -> (i32, Vec<String>) {
    let mut command = tenbin();
    command.args(["bench", workload, dsn, "--table-size", "100", "--json", "--runs"]).arg(runs).args(SHORT);
    let (code, out, err) = output_of(&mut command);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e} {out}{err}"));
    let doubts = json["trials"][0]["doubts"].as_array().unwrap();
    let invalid = doubts.iter().filter(|doubt| doubt["verdict"] == "INVALID");
    (code, invalid.map(|doubt| doubt["code"].as_str().unwrap().to_owned()).collect())
}

#[test]
fn what_is_never_committed_is_no_result() {
    let (server, runs) = (mariadb(&[]), tempfile::tempdir().unwrap());
    // Our own tables are committed all the same.
    sql::query(&server, "SET GLOBAL autocommit = 0");
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_insert", &server.dsn(), "--table-size", "100"]));
    assert_eq!(code, 0, "{err}");
    assert_eq!(sql::query(&server, "SELECT COUNT(*) FROM sbtest1")[0][0], "100");
    for (workload, told) in [
        ("oltp_update_non_index", &["never-committed"][..]),
        // Each of its transactions commits itself.
        ("oltp_write_only", &[]),
        // Nothing to commit.
        ("oltp_point_select", &[]),
    ] {
        let (code, invalid) = invalid(workload, &server.dsn(), runs.path());
        assert_eq!(
            (invalid, code == 3),
            (told.iter().map(ToString::to_string).collect(), !told.is_empty()),
            "{workload}"
        );
    }
}

#[test]
fn a_script_that_never_commits_or_sends_nothing_has_no_result() {
    let (server, dir) = (postgres(&[]), tempfile::tempdir().unwrap());
    sql::query(&server, "CREATE TABLE own (a INT)");
    let script = dir.path().join("own.lua");
    for (begin, event, told) in [
        ("con:query('BEGIN')", "con:query('INSERT INTO own VALUES (1)')", Some("never-committed")),
        ("", "con:query('INSERT INTO own VALUES (1)')", None),
        ("", "con:query('BEGIN') con:query('INSERT INTO own VALUES (1)') con:query('COMMIT')", None),
        ("", "if false then con:query('SELECT 1') end", Some("nothing-sent")),
    ] {
        let text = format!(
            "function thread_init()\n con = sysbench.sql.driver():connect()\n {begin}\nend\nfunction event() {event} end\n"
        );
        std::fs::write(&script, text).unwrap();
        let (_, invalid) = invalid(script.to_str().unwrap(), &server.dsn(), dir.path());
        assert_eq!(invalid.first().map(String::as_str), told, "{begin} {event}");
    }
}
