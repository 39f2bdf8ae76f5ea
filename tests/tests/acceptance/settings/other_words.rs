//! Values that a server shows in other words than those in which they are given, and variables that take texts only.

use super::{journals, plan, recorded, run, value};
use std::path::Path;
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{mariadb, output_of, postgres, read_back, tenbin};

/// Runs a plan that sets these variables, which the server must take and get back.
fn are_taken(at: &(impl Address + ?Sized), variables: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let before: Vec<String> = variables.iter().map(|(variable, _)| value(at, variable)).collect();
    let each: Vec<String> = variables.iter().map(|(variable, value)| format!("{variable} = {value:?}")).collect();
    let target = format!("server = {{ {} }}", each.join(", "));
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &at.dsn(), &target, "")]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    as_given(dir.path());
    let after: Vec<String> = variables.iter().map(|(variable, _)| value(at, variable)).collect();
    assert_eq!((after, journals(dir.path())), (before, 0), "{err}");
}

/// The trial was measured with the values that were given.
fn as_given(dir: &Path) {
    let (_, json) = read_back(&dir.join("runs"));
    let trial = &json["trials"][0];
    assert_eq!(trial["state"], "complete");
    let doubts = trial["doubts"].as_array().unwrap();
    assert!(doubts.iter().all(|doubt| !doubt["code"].as_str().unwrap().contains("settings")), "{doubts:?}");
}

#[test]
fn values_of_mariadb_are_taken_in_all_their_words() {
    let server = mariadb(&[]);
    are_taken(
        &server,
        &[
            ("sql_mode", "TRADITIONAL"),
            ("character_set_server", "utf8"),
            ("query_cache_type", "2"),
            ("concurrent_insert", "2"),
            ("log_output", "TABLE,FILE"),
            ("completion_type", "1"),
            ("binlog_format", "1"),
            ("optimizer_switch", "default"),
        ],
    );
    are_taken(&server, &[("sql_mode", "ansi"), ("collation_server", "utf8_general_ci")]);
    // These take no numbers, with which it is tried whether a variable can be set.
    are_taken(
        &server,
        &[("time_zone", "+9:00"), ("default_storage_engine", "myisam"), ("ft_boolean_syntax", "+ -><()~*:\"\"&^")],
    );
}

#[test]
fn values_of_postgresql_are_taken_in_all_their_words() {
    let set = [
        ("wal_compression", "on"),
        ("log_min_messages", "debug"),
        ("datestyle", "ISO"),
        ("enable_seqscan", "f"),
        ("commit_delay", "0x10"),
        ("log_line_prefix", "%m [%p] "),
    ];
    let server = postgres(&[]);
    // A blank at its end belongs to it.
    query(&server, "ALTER SYSTEM SET log_line_prefix = '%p '");
    query(&server, "SELECT pg_reload_conf()");
    are_taken(&server, &set);
    let (dir, each) = (tempfile::tempdir().unwrap(), set.map(|(variable, value)| format!("{variable} = {value:?}")));
    let text = format!(
        "schema = 1\nname = \"words\"\n[targets.a]\nsandbox = \"postgres\"\nserver = {{ {} }}\n[datasets.d]\ntables = 1\n\
         table_size = 100\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"300ms\"\ninterval = \"100ms\"\n\
         load = {{ workload = \"oltp_point_select\", clients = 1 }}\n",
        each.join(", ")
    );
    let path = dir.path().join("plan.toml");
    std::fs::write(&path, text).unwrap();
    let mut command = tenbin();
    command.arg("run").arg(&path).env("TENBIN_RUNS", dir.path().join("runs"));
    let (code, out, err) = output_of(&mut command);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    as_given(dir.path());
}

#[test]
fn a_limit_for_the_statements_of_sessions_is_shown_set_and_put_back() {
    let server = postgres(&[]);
    query(&server, "ALTER SYSTEM SET statement_timeout = '30s'");
    query(&server, "SELECT pg_reload_conf()");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("postgresql.conf");
    std::fs::write(&file, "statement_timeout = 30s\n").unwrap();
    let (code, out, err) = run(dir.path(), &["diff", &server.dsn(), file.to_str().unwrap(), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let compared = json["variables"].as_array().and_then(|all| all.iter().find(|v| v["name"] == "statement_timeout"));
    let same = compared.is_some_and(|v| v["likeness"] == "same" && v["values"] == serde_json::json!(["30s", "30s"]));
    assert!(code == 0 && same, "{code} {out}{err}");
    let path = plan(dir.path(), &server.dsn(), "server.statement_timeout = \"45s\"", "");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert_eq!(recorded(dir.path(), "a", "statement_timeout"), "45s");
    assert_eq!((value(&server, "statement_timeout"), journals(dir.path())), ("30s".to_owned(), 0), "{err}");
}
