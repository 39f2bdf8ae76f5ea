//! Variables that are set by statements: SET GLOBAL, SET PERSIST, ALTER SYSTEM.

use super::{about_variables, journals, plan, recorded, run, value};
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, mysql, output_of, postgres, read_back, tenbin};

#[test]
fn a_sweep_on_a_running_server_is_set_read_back_and_put_back() {
    for server in [mariadb(&[]), mysql("8.0.31", &[])] {
        let dir = tempfile::tempdir().unwrap();
        let before = [value(&server, "innodb_buffer_pool_size"), value(&server, "sync_binlog")];
        let axis = "matrix = { server.innodb_buffer_pool_size = [\"128MiB\", \"256MiB\"], load.clients = [1, 2] }";
        let path = plan(dir.path(), &server.dsn(), "server = { sync_binlog = 7 }", axis);
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        // Each value is set once, whatever else varies.
        assert_eq!(err.matches("set: innodb_buffer_pool_size = ").count(), 2, "{err}");
        assert!(about_variables(&err).ends_with(&format!("sync_binlog = {}", before[1])), "{err}");
        assert_eq!([value(&server, "innodb_buffer_pool_size"), value(&server, "sync_binlog")], before);
        assert_eq!(journals(dir.path()), 0);
        // Facts are those of the trial, not of the server before it.
        assert_eq!(recorded(dir.path(), "a", "sync_binlog"), "7");
    }
}

#[test]
fn persisted_values_are_put_back_as_they_were() {
    let server = mysql("8.0.31", &[]);
    query(&server, "SET PERSIST innodb_io_capacity = 333");
    query(&server, "SET GLOBAL innodb_io_capacity = 444");
    let persisted =
        || query(&server, "SELECT variable_name, variable_value FROM performance_schema.persisted_variables");
    let dir = tempfile::tempdir().unwrap();
    let target = "apply = \"persist\"\nserver = { innodb_io_capacity = 555, sync_binlog = 5 }";
    let path = plan(dir.path(), &server.dsn(), target, "");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    insta::assert_snapshot!(about_variables(&err), @r"
    note     set: innodb_io_capacity = 555, sync_binlog = 5;
    note     put back: innodb_io_capacity = 444, sync_binlog = 1
    ");
    assert_eq!(persisted(), [["innodb_io_capacity", "333"]]);
    assert_eq!((value(&server, "innodb_io_capacity").as_str(), journals(dir.path())), ("444", 0));
}

#[test]
fn settings_of_postgres_are_altered_reloaded_and_put_back() {
    let server = postgres(&[]);
    query(&server, "ALTER SYSTEM SET work_mem = '5MB'");
    query(&server, "SELECT pg_reload_conf()");
    let dir = tempfile::tempdir().unwrap();
    let target = "server = { work_mem = \"8MiB\", checkpoint_timeout = \"7min\" }";
    let path = plan(dir.path(), &server.dsn(), target, "");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    insta::assert_snapshot!(about_variables(&err), @r"
    note     set: checkpoint_timeout = 7min, work_mem = 8192kB;
    note     put back: checkpoint_timeout = 300s, work_mem = 5120kB
    ");
    assert_eq!([value(&server, "work_mem"), value(&server, "checkpoint_timeout")], ["5MB", "5min"]);
    let stored = "SELECT name, setting FROM pg_file_settings WHERE sourcefile LIKE '%auto.conf'";
    assert_eq!(query(&server, stored), [["work_mem", "5MB"]]);
    assert_eq!(recorded(dir.path(), "a", "work_mem"), "8MB");
}

#[test]
fn what_would_be_refused_is_told_beforehand_and_nothing_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    let mut text = String::new();
    let mut check = |dsn: &str, target: &str| {
        let (code, out, err) = run(dir.path(), &["plan", "check", &plan(dir.path(), dsn, target, "")]);
        assert_eq!(code, 1, "{out}{err}");
        text += &format!("{}\n", err.trim().replace(&format!("{}/", dir.path().display()), ""));
    };
    let (maria, oracle, pg) = (mariadb(&[]), mysql("8.0.31", &[]), postgres(&[]));
    for server in [&maria, &oracle] {
        query(server, "CREATE USER low@'127.0.0.1' IDENTIFIED BY 'x'");
        query(server, "GRANT ALL ON sbtest.* TO low@'127.0.0.1'");
    }
    query(&pg, "CREATE ROLE low LOGIN SUPERUSER");
    query(&pg, "ALTER ROLE low NOSUPERUSER");
    let variables =
        "server = { innodb_page_size = 4096, inodb_buffer_pool_size = 1, timestamp = 1, init_connect = \"x\" }";
    check(&maria.dsn(), variables);
    check(&oracle.dsn(), variables);
    check(&maria.dsn(), "apply = \"persist\"\nserver.sync_binlog = 1");
    let low = |dsn: String| dsn.replace("root@", "low:x@").split('?').next().unwrap().to_owned();
    check(&low(maria.dsn()), "server.sync_binlog = 1");
    check(&low(oracle.dsn()), "server.sync_binlog = 1");
    check(&pg.dsn(), "server = { wal_buffers = \"1MB\", work_men = 1, shared_buffers = 1, server_version = 1 }");
    check(&pg.dsn().replace("postgres@", "low@"), "server.work_mem = \"1MB\"");
    check(&maria.dsn(), "apply = { file = \"/etc/passwd\", restart = \"true\" }\nserver.innodb_page_size = 4096");
    check(&maria.dsn(), "apply = { file = \"/nowhere/x.cnf\", restart = \"true\" }\nserver.inodb_page_size = 4096");
    for (at, name) in [(maria.dsn(), "MARIA"), (oracle.dsn(), "ORACLE"), (pg.dsn(), "PG")] {
        let host = at.split('@').nth(1).unwrap().split('/').next().unwrap().to_owned();
        text = text.replace(&host, name);
    }
    insta::assert_snapshot!(text);
    assert_eq!(journals(dir.path()), 0);
}

#[test]
fn a_value_that_sessions_would_not_have_is_refused() {
    let (server, dir) = (postgres(&[]), tempfile::tempdir().unwrap());
    for (set, hint) in [
        ("ALTER ROLE postgres SET work_mem = '9MB'", "ALTER ROLE postgres RESET work_mem"),
        ("ALTER DATABASE sbtest SET work_mem = '9MB'", "ALTER DATABASE sbtest RESET work_mem"),
    ] {
        query(&server, set);
        let check = |value: &str| {
            let path = plan(dir.path(), &server.dsn(), &format!("server.work_mem = {value:?}"), "");
            run(dir.path(), &["plan", "check", &path])
        };
        let (code, out, err) = check("17MB");
        assert!(code == 1 && err.contains(hint), "{code} {out}{err}");
        let (code, out, err) = check("9MB");
        assert_eq!(code, 0, "{out}{err}");
        query(&server, hint);
    }
}

#[test]
fn a_value_that_does_not_come_fails_its_trial_and_an_adjusted_one_is_told() {
    let server = mysql("8.0.31", &[("innodb_buffer_pool_size", "134217728")]);
    let dir = tempfile::tempdir().unwrap();
    // In chunks of 128 MiB, and never less than one of them.
    let axis =
        "order = \"sequential\"\nmatrix = { server.innodb_buffer_pool_size = [\"200MiB\", \"100MiB\", \"256MiB\"] }";
    let path = plan(dir.path(), &server.dsn(), "", axis);
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert_eq!(code, 2, "{out}{err}");
    insta::assert_snapshot!(about_variables(&err), @r"
    note     set: innodb_buffer_pool_size = 209715200;
    warning: the server has adjusted innodb_buffer_pool_size = 209715200
    error: the server did not take innodb_buffer_pool_size = 104857600
    note     set: innodb_buffer_pool_size = 268435456;
    note     put back: innodb_buffer_pool_size = 134217728
    ");
    assert_eq!(value(&server, "innodb_buffer_pool_size"), "134217728");
    let (_, json) = read_back(&dir.path().join("runs"));
    let states: Vec<&str> = json["trials"].as_array().unwrap().iter().map(|t| t["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["complete", "failed", "complete"], "{out}");
}

#[test]
fn a_server_that_is_not_the_pinned_one_is_refused() {
    let server = mariadb(&[("sync_binlog", "1")]);
    let dir = tempfile::tempdir().unwrap();
    let right =
        "pin = { version = \"10.*\", variables = { sync_binlog = true, innodb_buffer_pool_size = \"512MiB\" } }";
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &server.dsn(), right, "")]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    let wrong = "pin = { version = \"8.0.*\", variables = { sync_binlog = 0, innodb_page_size = \"16KiB\" } }";
    let path = plan(dir.path(), &server.dsn(), wrong, "");
    for arguments in [["run", &path].as_slice(), &["plan", "check", &path]] {
        let (code, _, err) = run(dir.path(), arguments);
        let version = query(&server, "SELECT version()")[0][0].clone();
        let text = err.replace(&version, "VERSION");
        assert_eq!(code, 1, "{err}");
        insta::allow_duplicates! { insta::assert_snapshot!(text.trim(), @r"
    error: the server of target a is not the one that the plan is for
      evidence  the version is VERSION, pinned is 8.0.*
                sync_binlog is 1, pinned is 0
      hint      give the address of another server, or change pin in [targets.a]
    "); }
    }
}

#[test]
fn lists_of_names_are_set_name_by_name_and_put_back() {
    let server = postgres(&[]);
    let stored = || {
        let rows =
            query(&server, "SELECT name, setting FROM pg_file_settings WHERE sourcefile LIKE '%auto.conf' ORDER BY 1");
        rows.iter().map(|row| row.join(" = ")).collect::<Vec<_>>()
    };
    query(&server, "ALTER SYSTEM SET search_path = 'public', 'a, b'");
    query(&server, "SELECT pg_reload_conf()");
    let dir = tempfile::tempdir().unwrap();
    let before = stored();
    assert_eq!(before, ["search_path = public, \"a, b\""]);
    let set = "server = { search_path = \"public,pg_catalog\", session_preload_libraries = \"\" }";
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &server.dsn(), set, "")]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert_eq!(recorded(dir.path(), "a", "search_path"), "public, pg_catalog");
    assert_eq!((stored(), journals(dir.path())), (before, 0), "{err}");
    let empty = plan(dir.path(), &server.dsn(), "server.search_path = \"\"", "");
    let (code, _, err) = run(dir.path(), &["plan", "check", &empty]);
    assert!(code == 1 && err.contains("cannot store an empty list for search_path"), "{code} {err}");
}

#[test]
fn the_plan_of_the_buffer_pool_sweep_says_what_each_size_gives() {
    let server = mariadb(&[]);
    let before = value(&server, "innodb_buffer_pool_size");
    let dir = tempfile::tempdir().unwrap();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("plans/e3-buffer-pool.toml");
    let text = std::fs::read_to_string(file).unwrap();
    // Smaller, and shorter.
    let small = [
        ("mysql://root@127.0.0.1:3306/sbtest", server.dsn()),
        ("300_000", "100_000".to_owned()),
        ("\"3s\"", "\"1s\"".to_owned()),
        ("\"10s\"", "\"3s\"".to_owned()),
        ("repeats = 3", "repeats = 1".to_owned()),
    ];
    let text = small.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let path = dir.path().join("plan.toml");
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = run(dir.path(), &["run", &path.display().to_string()]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert_eq!(value(&server, "innodb_buffer_pool_size"), before);
    for size in ["16MiB", "32MiB", "64MiB", "128MiB"] {
        assert!(out.lines().any(|line| line.starts_with(size)), "{size}\n{out}");
    }
    // The smallest pool reads again and again from disk what the largest reads once: how much more that is depends on how many
    // transactions the machine executes.
    let (run, json) = read_back(&dir.path().join("runs"));
    let rows = output_of(tenbin().args(["report", "--format", "readings-csv"]).arg(&run)).1;
    let reads = |size: &str| {
        let trials = json["trials"].as_array().unwrap();
        let of = |t: &&serde_json::Value| t["axes"]["server.innodb_buffer_pool_size"] == size;
        let number = trials.iter().find(of).unwrap()["trial"].to_string();
        let mut table = csv::Reader::from_reader(rows.as_bytes());
        let heads = table.headers().unwrap().clone();
        let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
        let of = table
            .records()
            .map(Result::unwrap)
            .filter(|row| row[at("trial")] == number && row[at("reading")] == *"innodb_buffer_pool_reads");
        let values: Vec<f64> = of.map(|row| row[at("value")].parse().unwrap()).collect();
        values.last().unwrap() - values[0]
    };
    assert!(reads("16MiB") > 2.0 * reads("128MiB").max(1.0), "{} {}", reads("16MiB"), reads("128MiB"));
}
