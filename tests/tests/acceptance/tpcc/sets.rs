//! Several sets of TPC-C's tables in one schema, as sysbench-tpcc's `--tables` makes them.

use tenbin_tests::tpcc::{TABLES, bench, check, in_background, load, loaded, number, query, wait_for_parts};
use tenbin_tests::{balanced, mariadb, output_of, postgres, tenbin};

const KEYS: [&str; 4] = ["-o", "foreign_keys=on", "--tables", "2"];

#[test]
fn two_sets_are_loaded_run_on_checked_and_dropped() {
    let server = mariadb(&[]);
    let (dsn, runs) = (server.dsn(), tempfile::tempdir().unwrap());
    let mut broken = in_background(load(&dsn, 1, &KEYS));
    wait_for_parts(&dsn, 4);
    broken.kill().unwrap();
    broken.wait().unwrap();
    // The server takes a moment to notice that its client is gone.
    while number(&dsn, "SELECT IS_FREE_LOCK(CONCAT('tenbin_tpcc.', DATABASE()))") == 0 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    loaded(&dsn, 1, &KEYS);
    for table in TABLES {
        let [one, two] = [1, 2].map(|n| query(&dsn, &format!("CHECKSUM TABLE {table}{n}")));
        // New orders are nothing but keys.
        assert_eq!(one == two, table == "new_orders", "{table}: each set has rows of its own");
    }
    let keyed = "SELECT COUNT(*) FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA=DATABASE() AND CONSTRAINT_TYPE='FOREIGN KEY'";
    assert_eq!(number(&dsn, keyed), 20);
    check(&dsn, &["--fresh"]);

    // The first set has the rows of the only one.
    let alone = dsn.replace("/sbtest", "/alone");
    query(&dsn, "CREATE DATABASE alone");
    loaded(&alone, 1, &[]);
    for table in TABLES {
        let [of_two, only] = [(&dsn, "1"), (&alone, "")].map(|(d, n)| query(d, &format!("CHECKSUM TABLE {table}{n}")));
        assert_eq!(of_two, only, "{table}");
    }

    let (_, _, err) = output_of(&mut bench(&dsn, 1, runs.path(), &["-o", "foreign_keys=on", "--tables", "3"]));
    assert!(err.contains("loaded with another tables") && err.contains("wanted tables = 3, found 2"), "{err}");
    let (_, _, err) = output_of(&mut load(&dsn, 1, &["-o", "foreign_keys=on", "-o", "tables=1"]));
    assert!(err.contains("loaded with another tables"), "{err}");

    for shared in [&["-o", "pool=4", "--workers", "2"][..], &[]] {
        let (code, out, err) = output_of(bench(&dsn, 3, runs.path(), &KEYS).arg("--json").args(shared));
        assert!([0, 3].contains(&code), "{code} {err}");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(balanced(&json)["completed"].as_u64().unwrap() > 0, "{err}");
        check(&dsn, &[]);
    }
    let made = |n: u32| number(&dsn, &format!("SELECT CAST(SUM(d_next_o_id - 3001) AS SIGNED) FROM district{n}"));
    assert!(made(1) > 0 && made(2) > 0, "terminals work on both sets: {} {}", made(1), made(2));

    // One broken set is named.
    query(&dsn, "UPDATE warehouse2 SET w_ytd=w_ytd+1");
    let (code, out, _) = output_of(tenbin().args(["check", &dsn]));
    assert!(code == 3 && out.contains("FAILS") && out.contains("set 2, warehouse 1"), "{out}");
    let (code, out, _) = output_of(tenbin().args(["check", &dsn, "--tables", "3"]));
    assert!(code == 1 && out.is_empty(), "{out}");

    // The last one: their names begin with the time, and the first was refused.
    let run = std::fs::read_dir(runs.path()).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
    let (_, text, _) = output_of(tenbin().args(["report", "--format", "text"]).arg(run));
    assert!(text.contains("2 warehouses (2 sets of 1)"), "{text}");

    // However many are wanted now, all that are ours go.
    let (code, out, err) = output_of(&mut load(&dsn, 1, &["--only-drop"]));
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(query(&dsn, "SHOW TABLES"), Vec::<String>::new());
}

#[test]
fn the_only_set_may_be_numbered_as_sysbench_tpcc_makes_it() {
    const NUMBERED: [&str; 2] = ["-o", "numbered=on"];
    let server = mariadb(&[]);
    let (dsn, runs) = (server.dsn(), tempfile::tempdir().unwrap());
    loaded(&dsn, 1, &NUMBERED);
    assert!(query(&dsn, "SHOW TABLES").contains(&"warehouse1".to_owned()));
    check(&dsn, &["--fresh"]);
    let (_, _, err) = output_of(&mut load(&dsn, 1, &["-o", "numbered=off"]));
    assert!(err.contains("loaded with another numbered") && err.contains("set numbered = on"), "{err}");
    let (code, _, err) = output_of(&mut bench(&dsn, 2, runs.path(), &NUMBERED));
    assert!([0, 3].contains(&code), "{code} {err}");

    // As they are where another tool has made them: without our mark and what we know of the load.
    query(&dsn, "DROP TABLE tenbin_mark");
    query(&dsn, "DROP TABLE tenbin_tpcc");
    let foreign = ["--allow", "write-unmarked"];
    let (code, out, err) = output_of(bench(&dsn, 2, runs.path(), &NUMBERED).args(foreign).arg("--json"));
    assert!([0, 3].contains(&code), "{code} {err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(balanced(&json)["completed"].as_u64().unwrap() > 0, "{err}");
    check(&dsn, &[]);
    assert!(!query(&dsn, "SHOW TABLES").contains(&"warehouse".to_owned()));
    let (code, out, err) = output_of(&mut load(&dsn, 1, &["-o", "numbered=on", "--only-drop"]));
    assert!(code == 1 && query(&dsn, "SHOW TABLES").len() == 9, "nothing of others is dropped: {out}{err}");
}

#[test]
fn postgresql_takes_two_sets_in_one_schema() {
    let server = postgres(&[]);
    let (dsn, runs) = (server.dsn(), tempfile::tempdir().unwrap());
    loaded(&dsn, 1, &KEYS);
    check(&dsn, &["--fresh", "--tables", "2"]);
    let (code, _, err) =
        output_of(&mut bench(&dsn, 2, runs.path(), &[&KEYS[..], &["-o", "isolation=read_committed"]].concat()));
    assert!([0, 3].contains(&code), "{code} {err}");
    check(&dsn, &[]);
    let (code, _, err) = output_of(&mut load(&dsn, 1, &["--only-drop"]));
    assert_eq!(code, 0, "{err}");
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema=current_schema()"), 0);
}

#[test]
fn what_a_command_line_leaves_open_is_as_it_was_loaded() {
    let (server, runs) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let dsn = server.dsn();
    loaded(&dsn, 1, &["--tables", "2", "-o", "foreign_keys=on"]);
    let command = |more: &[&str]| {
        let mut command = tenbin();
        command.args(["bench", "tpcc", &dsn, "--time", "1", "--threads", "4", "--runs"]).arg(runs.path()).args(more);
        output_of(&mut command)
    };
    let (code, out, err) = command(&[]);
    assert!([0, 3].contains(&code) && out.contains("2 warehouses (2 sets of 1)"), "{out}{err}");
    assert!(err.contains("note: the tables are taken as they were loaded: foreign_keys = on, tables = 2"), "{err}");
    let (code, _, err) = command(&["-o", "foreign-keys=off"]);
    assert!(
        code != 0 && err.contains("set foreign_keys = on") && !err.contains("taken as they were loaded: f"),
        "{err}"
    );
    // More of the same.
    loaded(&dsn, 2, &[]);
    let (code, out, err) = command(&[]);
    assert!(code == 0 && out.contains("4 warehouses (2 sets of 2)"), "{out}{err}");
}
