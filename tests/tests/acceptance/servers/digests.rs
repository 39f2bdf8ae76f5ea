//! What a server counts by statement: as much as the clients executed, and reported if the server does not count.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, mysql, output_of, postgres, read_back, tenbin, wait_until_measured};

const PLAN: &str = r#"schema = 1
name = "digests"
[defaults]
warmup = "0s"
interval = "200ms"
repeats = 1
[targets.db]
dsn = "DSN"
[datasets.d]
tables = 1
table_size = 1000
[[experiment]]
measure = "3s"
load = { workload = "oltp_read_only", clients = 2, observe = "OBSERVE" }
"#;

/// Runs the plan on a server, and does something as soon as it is measured. Returns the trial, and the section of the
/// page.
fn trial(dsn: &str, observe: &str, meanwhile: impl FnOnce()) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let (plan, runs) = (folder.path().join("plan.toml"), folder.path().join("runs"));
    std::fs::write(&plan, PLAN.replace("DSN", dsn).replace("OBSERVE", observe)).unwrap();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(&runs)));
        while !runs.is_dir() && !running.is_finished() {
            std::thread::yield_now();
        }
        wait_until_measured(&runs, 2);
        meanwhile();
        let (code, out, err) = running.join().unwrap();
        assert!([0, 3].contains(&code), "{code} {out}{err}");
    });
    let (dir, json) = read_back(&runs);
    let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
    let (_, section) = page.split_once("<section id=\"server-statements\">").unwrap();
    (json["trials"][0].clone(), section.split_once("</section>").unwrap().0.to_owned())
}

fn find<'t>(trial: &'t Value, text: &str) -> &'t Value {
    let all = trial["server_statements"]["statements"].as_array().unwrap();
    all.iter().find(|s| s["text"].as_str().unwrap().contains(text)).unwrap_or_else(|| panic!("no {text}: {all:#?}"))
}

/// What is wrong, and how to resolve it.
fn problems(trial: &Value) -> Vec<String> {
    let all = trial["server_statements"]["problems"].as_array().cloned().unwrap_or_default();
    all.iter().map(|p| format!("{} → {}", p["what"].as_str().unwrap(), p["hint"].as_str().unwrap_or("–"))).collect()
}

/// The server counted the point selects of the clients, and at most one more of each, which was not completed.
/// performance_schema counts without locks, so that two clients of one statement lose a count now and then.
fn as_many_as_executed(trial: &Value, text: &str) {
    let completed = trial["statements"]["point_select"]["completed"].as_u64().unwrap();
    let counted = find(trial, text)["counts"]["count"].as_u64().unwrap();
    let least = completed - completed / 200;
    assert!((least..=completed + 2 * 10).contains(&counted), "{completed} completed, {counted} counted");
}

#[test]
fn mysql_counts_what_the_clients_executed_and_what_others_did() {
    let server = mysql("8.0.31", &[]);
    let elsewhere = server.dsn().replace("/sbtest", "/mysql");
    let (trial, section) = trial(&server.dsn(), "always", || {
        query(&elsewhere, "SELECT COUNT(*) FROM help_topic, help_keyword");
    });
    as_many_as_executed(&trial, "SELECT c FROM sbtest1 WHERE id=");
    let own = find(&trial, "SELECT c FROM sbtest1 WHERE id=");
    assert_eq!((own["schema"].as_str(), own.get("foreign")), (Some("sbtest"), None));
    assert_eq!(own["counts"]["rows_examined"], own["counts"]["count"], "one row each");
    let distinct = find(&trial, "SELECT DISTINCT c FROM sbtest1");
    assert!(distinct["counts"]["rows_examined"].as_u64() > distinct["counts"]["rows"].as_u64(), "{distinct}");
    let foreign = find(&trial, "`help_topic`");
    assert_eq!((foreign["foreign"].as_bool(), foreign["schema"].as_str()), (Some(true), Some("mysql")));
    assert_eq!(foreign["counts"]["count"], 1);
    assert_eq!(problems(&trial), Vec::<String>::new());
    assert!(section.contains("SELECT c FROM sbtest1 WHERE id=") && section.contains("others"), "{section}");

    let (trial, section) = self::trial(&server.dsn(), "always", || {
        query(&server.dsn(), "TRUNCATE TABLE performance_schema.events_statements_summary_by_digest");
    });
    let reset = "the server's counters of statements were reset during the window: what was counted before is missing";
    assert!(problems(&trial)[0].starts_with(reset), "{:?}", problems(&trial));
    assert!(section.contains(reset), "{section}");
}

#[test]
fn a_full_table_and_counters_that_are_off_are_told_with_what_changes_it() {
    let full = mysql("8.0.31", &[("performance_schema_digests_size", "3")]);
    let (trial, _) = trial(&full.dsn(), "always", || ());
    let text = problems(&trial);
    assert!(
        text.iter().any(|t| t.starts_with("the server's table of statements is full: ")
            && t.ends_with("→ TRUNCATE TABLE performance_schema.events_statements_summary_by_digest")),
        "{text:?}"
    );
    query(&full.dsn(), "UPDATE performance_schema.setup_consumers SET enabled = 'NO' WHERE name = 'statements_digest'");
    let (trial, _) = self::trial(&full.dsn(), "always", || ());
    insta::assert_snapshot!(problems(&trial).join("\n"), @"the server does not count statements → UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'statements_digest'");

    let off = mariadb(&[]);
    let (trial, section) = self::trial(&off.dsn(), "always", || ());
    insta::assert_snapshot!(problems(&trial).join("\n"), @"the server does not count statements → start the server with performance_schema = ON in its option file");
    assert!(section.contains("performance_schema = ON"), "{section}");
    let notes = trial["notes"].to_string();
    assert!(!notes.contains("statements-not-counted"), "it is no fault of the trial: {notes}");
}

#[test]
fn mariadb_counts_statements_sent_as_text_also_if_it_is_asked_at_the_ends_only() {
    let server = mariadb(&[("performance_schema", "ON")]);
    let (trial, _) = trial(&server.dsn(), "always", || ());
    insta::assert_snapshot!(problems(&trial).join("\n"), @r#"the server does not count the executions of prepared statements by statement → to see them, send the statements as text: ps_mode = "disable" in [experiment.load]"#);
    let ends = "ends\", ps_mode = \"disable";
    let (trial, _) = self::trial(&server.dsn(), ends, || ());
    as_many_as_executed(&trial, "SELECT `c` FROM `sbtest1` WHERE ID = ?");
    assert_eq!(problems(&trial), Vec::<String>::new());
}

#[test]
fn postgres_counts_if_the_extension_is_there() {
    let server = postgres(&[("shared_preload_libraries", "pg_stat_statements")]);
    let (trial, _) = trial(&server.dsn(), "always", || ());
    insta::assert_snapshot!(problems(&trial).join("\n"), @"the server does not count statements → CREATE EXTENSION pg_stat_statements");
    query(&server.dsn(), "CREATE EXTENSION pg_stat_statements");
    let (trial, section) = self::trial(&server.dsn(), "always", || {
        query(&server.dsn(), "CREATE ROLE app PASSWORD 'se#cret'");
    });
    as_many_as_executed(&trial, "SELECT c FROM sbtest1 WHERE id=");
    assert_eq!(problems(&trial), Vec::<String>::new());
    // The extension keeps such statements as they were sent.
    assert_eq!(find(&trial, "CREATE ROLE")["text"], "CREATE ROLE app PASSWORD …");
    assert!(!trial.to_string().contains("se#cret") && !section.contains("se#cret"));
}
