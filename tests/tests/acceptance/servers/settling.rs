//! Waiting until a server has written what it has changed, on real servers.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{mariadb, mysql, mysql_binary, output_of, postgres, read_back, state_directory, tenbin};

/// Runs a plan whose data are loaded before the trial; returns what the run says, and its trial.
fn run(dir: &Path, target: &str, settle: &str) -> (String, serde_json::Value) {
    let plan = format!(
        "schema = 1\n{target}\n[datasets.d]\ntables = 2\ntable_size = 30000\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\n\
         measure = \"1s\"\nrestore = \"before-run\"\nsettle = {settle}\nload = {{ workload = \"oltp_point_select\", clients = 1 }}\n"
    );
    let path = dir.join("plan.toml");
    std::fs::write(&path, plan).unwrap();
    let runs = dir.join("runs");
    let mut command = tenbin();
    command
        .args(["run", path.to_str().unwrap()])
        .env("TENBIN_RUNS", &runs)
        .env("TENBIN_STATE_DIR", state_directory(dir));
    let (code, out, err) = output_of(&mut command);
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let json = read_back(&runs).1;
    std::fs::remove_dir_all(&runs).unwrap();
    (format!("{out}{err}"), json["trials"][0].clone())
}

fn existing(at: &(impl Address + ?Sized)) -> String {
    format!("[targets.a]\ndsn = \"{}\"", at.dsn())
}

#[test]
fn a_private_server_writes_all_of_it_before_the_load() {
    for binary in ["mariadbd".to_owned(), mysql_binary("8.0.31"), "postgres".to_owned()] {
        let dir = tempfile::tempdir().unwrap();
        let settle = "{ dirty_pages = 0.5, purge = 100, checkpoint_age = \"64KiB\", at_most = \"5m\" }";
        let (output, _) = run(dir.path(), &format!("[targets.a]\nsandbox = \"{binary}\""), settle);
        assert!(output.contains("the server has settled after "), "{binary}: {output}");
        assert!(!output.contains("work in the background"), "{binary}: {output}");
    }
}

#[test]
fn on_another_server_only_tables_of_ours_are_written_and_no_variable_is_set() {
    let dir = tempfile::tempdir().unwrap();
    let server = mariadb(&[]);
    let lowest = "SELECT @@GLOBAL.innodb_max_dirty_pages_pct_lwm, @@GLOBAL.innodb_max_dirty_pages_pct";
    let before = query(&server, lowest);
    // Its checkpoint age stays: it writes nothing by itself.
    let settle = "{ dirty_pages = 5, checkpoint_age = \"64KiB\", at_most = \"2s\" }";
    let (output, trial) = run(dir.path(), &existing(&server), settle);
    assert!(output.contains("after 2 s the server still had work in the background"), "{output}");
    assert!(output.contains("checkpoint age") && !output.contains("dirty pages"), "the tables were written: {output}");
    let doubts = trial["doubts"].to_string();
    assert!(doubts.contains("not-settled") && trial["verdict"] == "DEGRADED", "{trial}");
    assert_eq!(query(&server, lowest), before);
    // As the hint says.
    let request = format!("{}\nserver = {{ innodb_max_dirty_pages_pct_lwm = 0.1 }}", existing(&server));
    let (output, trial) = run(dir.path(), &request, &settle.replace("2s", "5m"));
    assert!(output.contains("the server has settled after"), "{output}");
    assert!(!trial["doubts"].to_string().contains("not-settled"), "{trial}");
    assert_eq!(query(&server, lowest), before, "put back");
}

#[test]
fn mysql_and_postgresql_settle_by_themselves() {
    let dir = tempfile::tempdir().unwrap();
    for server in [mysql("8.0.31", &[]), postgres(&[])] {
        let (output, _) = run(dir.path(), &existing(&server), "\"flush\"");
        assert!(output.contains("the server has settled after"), "{output}");
    }
}

#[test]
fn what_the_account_may_not_do_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let server = mariadb(&[]);
    query(&server, "CREATE USER plain@'127.0.0.1'");
    query(&server, "GRANT ALL ON sbtest.* TO plain@'127.0.0.1'");
    let target = existing(&server).replace("root@", "plain@");
    let (output, _) = run(dir.path(), &target, "{ checkpoint_age = \"1GiB\", dirty_pages = 100 }");
    assert!(output.contains("refuses to write what it has changed") && output.contains("GRANT RELOAD"), "{output}");
    assert!(output.contains("the server has settled after"), "{output}");
}
