//! What a result says that a commit survives is what the server does: its settings, its status, and the engine of the
//! tables.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{mariadb, output_of, postgres, tenbin};

/// One second of a workload; engine and durability as JSON and CSV have them, and the page's text.
fn kept(at: &impl Address, workload: &str, more: &[&str]) -> ([String; 2], String) {
    let dir = tempfile::tempdir().unwrap();
    let mut command = tenbin();
    command.args(["bench", workload, &at.dsn(), "--time", "1", "--table-size", "100", "--json", "--runs"]);
    let (code, out, err) = output_of(command.arg(dir.path()).args(more));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {code} {out}{err}"));
    let run = json["dir"].as_str().unwrap_or_else(|| panic!("{out}"));
    let trial = &json["trials"][0];
    let of = |name: &str| trial[name].as_str().unwrap_or("").to_owned();
    let row = output_of(tenbin().args(["report", run, "--format", "csv"])).1;
    // The last columns; options before them are objects in quotes.
    let lines: Vec<Vec<&str>> = row.lines().map(|line| line.rsplit(',').collect()).collect();
    let cell = |name: &str| lines[1][lines[0].iter().position(|c| *c == name).unwrap()].to_owned();
    // A list of engines stands in quotes.
    if !of("engine").contains(',') {
        assert_eq!([cell("engine"), cell("durability")], [of("engine"), of("durability")], "{row}");
    }
    ([of("engine"), of("durability")], std::fs::read_to_string(Path::new(run).join("report.html")).unwrap())
}

fn load(at: &impl Address, more: &[&str]) {
    let mut command = tenbin();
    let (code, out, err) =
        output_of(command.args(["load", "oltp_read_write", &at.dsn(), "--table-size", "100", "--drop"]).args(more));
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn the_engine_of_the_tables_decides_and_not_innodbs_settings() {
    let server = mariadb(&[("innodb_flush_log_at_trx_commit", "1")]);
    for (engine, says, words) in [
        ("innodb", "power-failure", "commits survive a power failure"),
        ("aria", "no-transactions", "the tables have no transactions"),
        ("myisam", "no-transactions", "the tables have no transactions"),
        ("memory", "crash-empties", "a crash of the server empties the tables"),
    ] {
        let option = format!("mysql_storage_engine={engine}");
        load(&server, &["-o", &option]);
        let (findings, page) = kept(&server, "oltp_update_index", &["-o", &option]);
        assert_eq!(findings, [engine, says]);
        assert!(page.contains(words) && (engine == "innodb" || !page.contains("survive a power failure")), "{engine}");
    }
    query(&server, "SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    load(&server, &[]);
    assert_eq!(kept(&server, "oltp_point_select", &[]).0, ["innodb", "server-crash"]);
    // Tables that another made, by their names alone.
    query(&server, "ALTER TABLE sbtest1 ENGINE=Aria");
    let allowed = ["-o", "mysql_storage_engine=aria"];
    assert_eq!(kept(&server, "oltp_point_select", &allowed).0, ["aria", "no-transactions"]);
}

#[test]
fn tpcc_without_transactions_is_refused_and_told() {
    let server = mariadb(&[]);
    let at = server.dsn();
    for engine in ["MyISAM", "aria", "MEMORY"] {
        let option = format!("mysql_storage_engine={engine}");
        let (code, _, err) = output_of(tenbin().args(["load", "tpcc", &at, "-o", &option]));
        assert!(code == 1 && err.contains(&format!("the storage engine {engine} has no transactions")), "{err}");
        assert!(err.contains("mysql_storage_engine = innodb"), "{err}");
    }
    assert_eq!(output_of(tenbin().args(["load", "tpcc", &at])).0, 0);
    // As tables of another tool would be.
    query(&server, "ALTER TABLE history ENGINE=Aria");
    query(&server, "ALTER TABLE order_line ENGINE=MyISAM");
    let dir = tempfile::tempdir().unwrap();
    let mut command = tenbin();
    let (code, out, err) =
        output_of(command.args(["bench", "tpcc", &at, "--time", "1", "--json", "--runs"]).arg(dir.path()));
    // It may stop at an order that was not rolled back before it comes to its verdict.
    assert!(matches!(code, 2 | 3), "{code} {err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let trial = &json["trials"][0];
    assert_eq!((&trial["verdict"], &trial["engine"]), (&"INVALID".into(), &"aria, innodb, myisam".into()));
    let doubts = trial["doubts"].as_array().unwrap();
    let doubt = doubts.iter().find(|d| d["code"] == "no-transactions").unwrap_or_else(|| panic!("{doubts:?}"));
    assert_eq!(doubt["problem"]["evidence"], "storage engine aria, myisam");
}

#[test]
fn an_unlogged_table_of_postgresql_promises_nothing() {
    let server = postgres(&[("fsync", "on"), ("synchronous_commit", "on"), ("full_page_writes", "on")]);
    load(&server, &[]);
    assert_eq!(kept(&server, "oltp_update_index", &[]).0, ["", "power-failure"]);
    query(&server, "ALTER TABLE sbtest1 SET UNLOGGED");
    let (findings, page) = kept(&server, "oltp_update_index", &[]);
    assert_eq!(findings, ["", "crash-empties"]);
    assert!(page.contains("a crash of the server empties the tables"));
}
