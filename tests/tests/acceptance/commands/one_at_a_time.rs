//! Two runs on one schema: the second is refused, with a message that names the first; a run that dies leaves nothing in the way.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_model::dsn::Dsn;
use tenbin_tests::sql::query;
use tenbin_tests::sysbench::{SysbenchDir, address};
use tenbin_tests::{mariadb, output_of, postgres, tenbin, wait_until_measured};

const TABLE: [&str; 4] = ["--tables", "1", "--table-size", "500"];

/// A long run; ended by the test that has it.
fn first(at: &str, runs: &Path) -> Child {
    let mut command = tenbin();
    command.args(["bench", "oltp_update_index", at, "--time", "120"]).args(TABLE).arg("--runs").arg(runs);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn one_at_a_time(at: &str) {
    let dir = tempfile::tempdir().unwrap();
    let load = |more: &[&str]| output_of(tenbin().args(["load", "oltp_read_write", at]).args(TABLE).args(more));
    let bench = |workload: &str, more: &[&str]| {
        let mut command = tenbin();
        command.args(["bench", workload, at, "--time", "1"]).args(TABLE).args(more);
        output_of(command.arg("--runs").arg(dir.path().join("second")))
    };
    let (code, out, err) = load(&[]);
    assert_eq!(code, 0, "{out}{err}");
    let mut running = first(at, &dir.path().join("first"));
    let who = format!("run oltp_update_index by process {} on ", running.id());
    // A load that is at it first would be in the first run's way: its word is waited for.
    let begun = Instant::now();
    let word = || match at.strip_prefix("sqlite:") {
        Some(file) => std::fs::read_to_string(format!("{file}-tenbin")).unwrap_or_default(),
        None => format!("{:?}", query(at, "SELECT options FROM tenbin_mark WHERE name='run'")),
    };
    while !word().contains(&who) {
        assert!(begun.elapsed() < Duration::from_secs(60) && running.try_wait().unwrap().is_none(), "{}", word());
        std::thread::sleep(Duration::from_millis(20));
    }
    let (code, _, err) = load(&["--drop"]);
    assert!(code == 1 && err.contains("is under way on the tables in") && err.contains(&who), "{code} {err}");
    let (_, _, err) = load(&["--drop"]);
    assert!(err.contains(" since 2") && err.contains("--allow share-tables"), "{err}");
    for workload in ["oltp_point_select", "oltp_write_only"] {
        let (code, _, err) = bench(workload, &[]);
        assert!(code == 1 && err.contains(&who), "{workload}: {code} {err}");
    }
    // Beside it as they are, but not from under it.
    if !at.starts_with("sqlite:") {
        let (code, out, err) = bench("oltp_point_select", &["--allow", "share-tables"]);
        assert_eq!(code, 0, "{out}{err}");
    }
    let (code, _, err) = load(&["--drop", "--allow", "share-tables"]);
    assert!(code == 1 && err.contains(&who), "{err}");
    let plan = dir.path().join("plan.toml");
    let text = format!(
        "schema = 1\n[targets.a]\ndsn = {at:?}\nallow = [\"share-tables\"]\n[datasets.x]\ntables = 1\ntable_size = 500\n[[experiment]]\n\
         repeats = 1\nwarmup = \"0s\"\nmeasure = \"1s\"\nrestore = \"before-run\"\nload.workload = \"oltp_update_index\"\n"
    );
    std::fs::write(&plan, text).unwrap();
    let (code, _, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(dir.path().join("second")));
    assert!(code == 1 && err.contains("is under way"), "{code} {err}");

    // A run that is killed leaves nothing in the way, once its server has noticed.
    running.kill().unwrap();
    running.wait().unwrap();
    let begun = Instant::now();
    let (code, err) = loop {
        let (code, _, err) = load(&["--drop"]);
        if code == 0 || begun.elapsed() > Duration::from_secs(60) {
            break (code, err);
        }
    };
    assert_eq!(code, 0, "{err}");
    let (code, out, err) = bench("oltp_update_index", &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(query(at, "SELECT COUNT(*) FROM tenbin_mark"), [["1"]], "the word is taken back");
    assert_eq!(load(&["--only-drop"]).0, 0);
}

/// Runs by the name of sysbench lock nothing, because several of them may be beside each other; but no other run drops their tables.
fn not_dropped_while_used(at: &str, address: &str) {
    let here = SysbenchDir::create();
    let load = |more: &[&str]| output_of(tenbin().args(["load", "oltp_read_write", at]).args(TABLE).args(more));
    assert_eq!(load(&[]).0, 0);
    let program = here.dir.path().join("sysbench").display().to_string();
    let line = format!("oltp_point_select {address} --table-size=500 --time=600 run");
    let begin = |runs: &str| {
        let mut command = here.command(&program, &line);
        let command =
            command.env("TENBIN_RUNS", here.dir.path().join(runs)).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        wait_until_measured(&here.dir.path().join(runs), 1);
        child
    };
    let mut both = [begin("first"), begin("second")];
    for left in (0..=both.len()).rev() {
        let (code, _, err) = load(&["--only-drop"]);
        match left {
            0 => assert_eq!((code, err.as_str()), (0, ""), "they are not used any more"),
            _ => assert!(code == 1 && err.contains("is under way on the tables in"), "{left}: {code} {err}"),
        }
        if let Some(child) = left.checked_sub(1).map(|last| &mut both[last]) {
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130));
        }
    }
}

#[test]
fn tables_that_sysbench_is_using_are_not_dropped() {
    let server = mariadb(&[]);
    not_dropped_while_used(&server.dsn(), &address(&server));
}

#[test]
fn tables_that_sysbench_is_using_on_postgresql_are_not_dropped() {
    let server = postgres(&[("idle_in_transaction_session_timeout", "1s")]);
    not_dropped_while_used(&server.dsn(), &address_on_postgres(&server.dsn()));
    assert_eq!(query(&server, "SELECT count(*) FROM pg_locks WHERE locktype='advisory'"), [["0"]]);
}

/// `--pgsql-…` for a server.
fn address_on_postgres(dsn: &str) -> String {
    let Dsn { user, port, database, .. } = Dsn::parse(dsn).unwrap();
    let port = port.unwrap();
    format!("--db-driver=pgsql --pgsql-host=127.0.0.1 --pgsql-port={port} --pgsql-user={user} --pgsql-db={database}")
}

/// A server that has no connection to spare gives them all to the clients.
#[test]
fn the_last_connections_are_for_the_clients() {
    let maria = mariadb(&[("max_connections", "20")]);
    let postgres = postgres(&[("max_connections", "20"), ("superuser_reserved_connections", "0")]);
    for at in [address(&maria), address_on_postgres(&postgres.dsn())] {
        let (here, line) = (SysbenchDir::create(), format!("oltp_point_select {at} --table-size=100"));
        assert_eq!(here.ours(&format!("{line} prepare")).0, 0);
        let (code, out, err) = here.ours(&format!("{line} --threads=20 --events=40 run"));
        assert_eq!(code, 0, "{out}{err}");
    }
}

#[test]
fn mariadb_by_get_lock() {
    let server = mariadb(&[]);
    one_at_a_time(&server.dsn());
    let tables = "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA='sbtest'";
    assert_eq!(query(&server, tables), [["0"]], "the mark goes with the last table");
}

#[test]
fn postgresql_by_a_transactions_lock() {
    let server = postgres(&[("idle_in_transaction_session_timeout", "1s")]);
    one_at_a_time(&server.dsn());
    assert_eq!(query(&server, "SELECT count(*) FROM pg_locks WHERE locktype='advisory'"), [["0"]]);
}

#[test]
fn sqlite_by_a_locked_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("db");
    one_at_a_time(&format!("sqlite:{}", file.display()));
    assert!(!dir.path().join("db-tenbin").exists(), "nothing is left");
}
