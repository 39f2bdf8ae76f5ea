//! TPC-C on a real MariaDB, through the command line: loads that break, grow and meet each other; a run whose server is
//! killed.

use std::process::Stdio;
use std::time::{Duration, Instant};
use tenbin_tests::tpcc::{TABLES, check, committed, in_background, load, number, ordered, query, wait_for_parts};
use tenbin_tests::{
    Phoenix, balanced, completed_so_far, mariadb, output_of, postgres, read_back, tenbin, wait_until_completed,
};

#[test]
fn a_broken_load_goes_on_and_has_the_rows_of_one_that_was_not_broken() {
    let server = mariadb(&[]);
    let (dsn, whole) = (server.dsn(), server.dsn().replace("/sbtest", "/whole"));
    query(&dsn, "CREATE DATABASE whole");
    let keys = ["-o", "foreign_keys=on"];

    let mut first = in_background(load(&dsn, 1, &keys));
    wait_for_parts(&dsn, 2);
    // A second loader meets the first at work.
    let (code, _, err) = output_of(&mut load(&dsn, 1, &keys));
    assert!(code == 1 && err.contains("is under way on the tables in"), "{err}");
    first.kill().unwrap();
    first.wait().unwrap();
    let runs = tempfile::tempdir().unwrap();
    let bench = |more: &[&str]| {
        let keyed = ["bench", "tpcc", &dsn, "--time", "1", "-o", "foreign_keys=on"];
        output_of(tenbin().args(keyed).args(more).arg("--runs").arg(runs.path()))
    };
    let (code, _, err) = bench(&[]);
    assert!(code != 0 && err.contains("the tables were not loaded to the end"), "{err}");
    // The server takes a moment to notice that its client is gone.
    let start = Instant::now();
    let err = loop {
        let (code, _, err) = output_of(&mut load(&dsn, 1, &keys));
        if code == 0 || !err.contains("under way") || start.elapsed() > Duration::from_secs(60) {
            break err;
        }
    };
    assert_eq!(query(&dsn, "SELECT value FROM tenbin_tpcc WHERE name='complete'"), ["1"], "{err}");
    check(&dsn, &["--fresh"]);

    let (code, _, err) = output_of(&mut load(&whole, 1, &keys));
    assert_eq!(code, 0, "{err}");
    let sums = |dsn: &str| query(dsn, &format!("CHECKSUM TABLE {}", TABLES.join(", ")));
    assert_eq!(sums(&dsn), sums(&whole), "row by row the same");
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM history"), 30_000, "the table without a key has no row twice");
    let keyed = "SELECT COUNT(*) FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA=DATABASE() AND CONSTRAINT_TYPE='FOREIGN KEY'";
    assert_eq!(number(&dsn, keyed), 10);

    // More warehouses than are there: refused for a run, added by a load; another size or shape is reported.
    let (code, _, err) = bench(&["-o", "warehouses=2"]);
    assert!(code != 0 && err.contains("2 warehouses are wanted, 1 is loaded"), "{err}");
    let (code, _, err) = output_of(&mut load(&dsn, 2, &keys));
    assert_eq!(code, 0, "{err}");
    check(&dsn, &["--fresh"]);
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM stock"), 200_000);
    let (_, _, err) = bench(&["-o", "warehouses=1"]);
    assert!(err.contains("loaded with another number of warehouses"), "{err}");
    let (_, _, err) = output_of(&mut load(&dsn, 2, &["-o", "foreign_keys=off"]));
    assert!(err.contains("loaded with another foreign_keys"), "{err}");

    let (code, out, err) = output_of(&mut load(&dsn, 2, &["-o", "foreign_keys=on", "--only-drop"]));
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(query(&dsn, "SHOW TABLES"), Vec::<String>::new());
}

#[test]
fn every_condition_holds_after_a_run_whose_server_was_killed() {
    let mut server = Phoenix::start(&[("innodb_flush_log_at_trx_commit", "1")]);
    let (dsn, dir) = (server.dsn(), tempfile::tempdir().unwrap());
    let (code, _, err) = output_of(&mut load(&dsn, 2, &[]));
    assert_eq!(code, 0, "{err}");
    let mut run = tenbin();
    run.args(["bench", "tpcc", &dsn, "-o", "warehouses=2", "--threads", "8", "--time", "600", "--json", "--runs"]);
    let run = run.arg(dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Enough for each of the counters below, and again this many after the server has come back.
    wait_until_completed(dir.path(), 300);
    server.crash();
    let before = completed_so_far(dir.path());
    server.rise();
    wait_until_completed(dir.path(), before + 300);
    assert!(std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    balanced(&json);
    // On a busy machine the recovery may outlast the run.
    assert!(json["trials"][0]["reconnects"].as_u64().unwrap() <= 8);
    check(&dsn, &[]);

    // What was reported to the client as committed is there; what was under way at the crash and at the end may be.
    let (run, _) = read_back(dir.path());
    let (committed, counters) = committed(&run);
    let there = ordered(&dsn);
    assert!((committed..=committed + 16).contains(&there), "{committed} told, {there} there");
    assert!(
        committed > 100 && counters["new_order_remote_lines"] > 0 && counters["payment_remote"] > 0,
        "{counters:?}"
    );
    assert!(counters["delivery_districts"] > 0 && counters["payment_bad_credit"] > 0);

    let dir = tempfile::tempdir().unwrap();
    let again = ["bench", "tpcc", &dsn, "-o", "warehouses=2", "--threads", "8", "--time", "3", "--runs"];
    let (code, _, err) = output_of(tenbin().args(again).arg(dir.path()));
    assert!([0, 3].contains(&code), "it works on after the recovery: {code} {err}");
    check(&dsn, &[]);
    let (run, _) = read_back(dir.path());

    // The page and the terminal say what this is and what it is not.
    let (_, text, _) = output_of(tenbin().args(["report", "--format", "text"]).arg(&run));
    assert!(text.contains("NOPM") && text.contains("not comparable with published TPC-C results"), "{text}");
    output_of(tenbin().arg("report").arg(&run));
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("Derived from TPC-C; not comparable") && page.contains("5.2.5"));
}

#[test]
fn postgresql_loads_by_copy_grows_runs_and_holds() {
    let server = postgres(&[]);
    let dsn = server.dsn();
    let keys = ["-o", "foreign_keys=on"];
    for warehouses in [1, 2] {
        let (code, _, err) = output_of(&mut load(&dsn, warehouses, &keys));
        assert_eq!(code, 0, "{err}");
        check(&dsn, &["--fresh"]);
    }
    let keyed = "SELECT COUNT(*) FROM information_schema.table_constraints WHERE table_schema=current_schema() AND constraint_type='FOREIGN KEY'";
    assert_eq!(number(&dsn, keyed), 10);
    let dir = tempfile::tempdir().unwrap();
    for isolation in ["read_committed", "repeatable_read"] {
        let level = format!("isolation={isolation}");
        let mut run = tenbin();
        run.args([
            "bench",
            "tpcc",
            &dsn,
            "-o",
            "warehouses=2",
            "-o",
            &level,
            "--threads",
            "4",
            "--time",
            "3",
            "--json",
        ]);
        let (code, out, err) = output_of(run.args(keys).arg("--runs").arg(dir.path()));
        let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
        let accounting = balanced(&json);
        // Serialization failures beyond all retries may be left at the higher level.
        assert!(code == 0 || (code == 2 && isolation == "repeatable_read"), "{err}");
        assert!(accounting["completed"].as_u64().unwrap() > 100, "{accounting} {err}");
        check(&dsn, &[]);
    }
    let drop = || output_of(&mut load(&dsn, 2, &["-o", "foreign_keys=on", "--only-drop"]));
    // One of them is not ours any more: nothing is changed of the others either.
    query(&dsn, "UPDATE tenbin_mark SET dataset = 'other' WHERE name = 'item'");
    let (code, _, err) = drop();
    assert!(code == 1 && err.contains("item"), "{code} {err}");
    assert_eq!(number(&dsn, keyed), 10);
    query(&dsn, "UPDATE tenbin_mark SET dataset = 'tpcc' WHERE name = 'item'");
    let (code, _, err) = drop();
    assert_eq!(code, 0, "{err}");
}

#[test]
fn terminals_keep_their_pace_over_shared_connections_at_every_isolation_level() {
    let server = mariadb(&[]);
    let (dsn, dir) = (server.dsn(), tempfile::tempdir().unwrap());
    let plan = format!(
        "schema = 1\n[targets.a]\ndsn = \"{dsn}\"\n[datasets.small]\nkind = \"tpcc\"\nwarehouses = 1\ncheck = \"both\"\n\
         [[experiment]]\nrestore = \"never\"\nrepeats = 1\nwarmup = \"1s\"\nmeasure = \"4s\"\n\
         [experiment.load]\nkind = \"tpcc\"\nmode = \"paced\"\npace = 0.02\nclients = 20\npool = 4\nworkers = 2\n\
         [experiment.matrix]\n\"load.isolation\" = [\"read_committed\", \"serializable\"]\n"
    );
    let file = dir.path().join("plan.toml");
    std::fs::write(&file, plan).unwrap();
    let (code, out, err) = output_of(tenbin().args(["run", "--json", "--runs"]).arg(dir.path()).arg(&file));
    assert!(code == 0 || code == 3, "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    for trial in json["trials"].as_array().unwrap() {
        assert_eq!(trial["state"], "complete", "{err}");
        // Twenty terminals with a cycle of 0.42 s.
        let tps = trial["tps"].as_f64().unwrap();
        assert!((20.0..60.0).contains(&tps), "{tps}");
        let notes = trial["notes"].to_string();
        assert!(notes.contains("11 consistency conditions hold"), "{notes}");
    }
    assert!(json.to_string().contains("12 consistency conditions hold"), "after the load");
    assert!(number(&dsn, "SHOW GLOBAL STATUS LIKE 'Max_used_connections'") <= 12, "terminals share their connections");
}

/// Of two warehouses whose terminals alternate, every second terminal opens a connection for all: by their numbers these are all on one host.
#[test]
fn load_hosts_share_the_connections_of_a_pool() {
    let server = mariadb(&[]);
    let (dsn, dir) = (server.dsn(), tempfile::tempdir().unwrap());
    let run = |pool: u32| {
        let plan = format!(
            "schema = 1\n[hosts]\nat = \"local\"\ncount = 2\n[targets.a]\ndsn = \"{dsn}\"\n[datasets.two]\nkind = \"tpcc\"\nwarehouses = 2\n\
             [[experiment]]\nrepeats = 1\nwarmup = \"1s\"\nmeasure = \"3s\"\n\
             [experiment.load]\nkind = \"tpcc\"\nclients = 20\npool = {pool}\nworkers = 1\n"
        );
        let file = dir.path().join("plan.toml");
        std::fs::write(&file, plan).unwrap();
        output_of(tenbin().args(["run", "--json", "--runs"]).arg(dir.path()).arg(&file))
    };
    let (code, _, err) = run(1);
    assert!(code == 1 && err.contains("cannot be divided among 2 load hosts"), "{err}");
    let (_, out, err) = run(10);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
    let trial = &json["trials"][0];
    assert_eq!(trial["state"], "complete", "{err}");
    for host in trial["hosts"].as_array().unwrap() {
        assert!(host["accounting"]["completed"].as_u64().unwrap() > 10, "{host:#}");
    }
    assert!(number(&dsn, "SHOW GLOBAL STATUS LIKE 'Max_used_connections'") <= 18, "terminals share their connections");
}
