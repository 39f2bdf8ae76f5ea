//! A trial is labelled with what its server has: after restarts between trials, with others that set variables, in private servers,
//! and in runs that are continued or compared.

use super::{plan, run, run_directory, value};
use std::path::Path;
use std::process::Stdio;
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{Restarting, mariadb, mysql, output_of, postgres, read_back, tenbin, wait_until_measured};

/// What the servers of all trials said right before or right after their loads.
fn inspections(run: &Path, edge: &str) -> Vec<serde_json::Value> {
    let mut trials: Vec<_> = std::fs::read_dir(run.join("trials")).unwrap().flatten().map(|e| e.path()).collect();
    trials.sort();
    let of_trial = |trial: std::path::PathBuf| {
        let log = std::fs::read_to_string(trial.join("events.jsonl")).unwrap();
        let events = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        events.filter(|e| e["event"] == "server-inspected" && e["edge"] == edge).collect::<Vec<_>>()
    };
    trials.into_iter().flat_map(of_trial).collect()
}

fn has(inspection: &serde_json::Value, variable: &str) -> String {
    inspection["inspection"]["facts"][format!("variable.{variable}")].as_str().unwrap_or("–").to_owned()
}

/// The codes and verdicts of the doubts about the first trial that are about its server.
fn doubts(json: &serde_json::Value) -> Vec<String> {
    let all = json["trials"][0]["doubts"].as_array().unwrap().iter();
    let of_server = all.filter(|d| {
        ["server", "settings", "role", "tables"].iter().any(|word| d["code"].as_str().unwrap().contains(word))
    });
    of_server.map(|d| format!("{} {}", d["verdict"].as_str().unwrap(), d["code"].as_str().unwrap())).collect()
}

#[test]
fn a_server_that_a_hook_starts_again_gets_its_values_again_and_trials_have_them() {
    for server in [Restarting::of(mariadb(&[])), Restarting::of(mysql("8.0.31", &[]))] {
        let dir = tempfile::tempdir().unwrap();
        let hook = format!("hooks = {{ before_trial = {:?} }}", server.command());
        let axis = "order = \"sequential\"\nmatrix = { server.innodb_flush_log_at_trx_commit = [0, 2] }";
        let path = plan(dir.path(), &server.dsn(), &hook, axis);
        let text = std::fs::read_to_string(&path).unwrap().replace("repeats = 1", "repeats = 2");
        std::fs::write(&path, text).unwrap();
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        let (saved, _) = read_back(&dir.path().join("runs"));
        let before = inspections(&saved, "before");
        let values: Vec<String> = before.iter().map(|i| has(i, "innodb_flush_log_at_trx_commit")).collect();
        assert_eq!(values, ["0", "0", "2", "2"], "{err}");
        assert!(err.contains("the server was started again, or somebody else changed them"), "{err}");
        assert_eq!(value(&server, "innodb_flush_log_at_trx_commit"), "1");
        assert!(inspections(&saved, "after").iter().all(|i| i.get("changed").is_none()), "nothing changed in a trial");
    }
}

#[test]
fn what_others_set_in_a_trial_makes_it_invalid_or_degraded() {
    let set = |server: &(dyn Address + Sync), target: &str, statements: &[&str]| {
        let dir = tempfile::tempdir().unwrap();
        let path = plan(dir.path(), &server.dsn(), target, "");
        let text = std::fs::read_to_string(&path).unwrap().replace("measure = \"300ms\"", "measure = \"3s\"");
        std::fs::write(&path, text).unwrap();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| run(dir.path(), &["run", &path]));
            wait_until_measured(&dir.path().join("runs"), 3);
            statements.iter().for_each(|sql| _ = query(server, sql));
            running.join().unwrap()
        });
        doubts(&read_back(&dir.path().join("runs")).1)
    };
    let server = mariadb(&[]);
    let wanted = "server.innodb_flush_log_at_trx_commit = 0";
    assert_eq!(set(&server, wanted, &["SET GLOBAL innodb_flush_log_at_trx_commit = 1"]), ["INVALID settings-changed"]);
    assert_eq!(set(&server, "", &["SET GLOBAL long_query_time = 3"]), ["DEGRADED settings-changed"]);
    assert_eq!(set(&server, "", &["SET GLOBAL innodb_flush_log_at_trx_commit = 2"]), ["INVALID settings-changed"]);
    assert_eq!(set(&server, "", &["SELECT 1"]), Vec::<String>::new());
    let both = ["INVALID settings-changed", "INVALID tables-changed"];
    assert_eq!(set(&server, "", &["ALTER TABLE sbtest1 ENGINE = MyISAM"]), both);
    query(&server, "DROP TABLE sbtest1");
    for sql in ["CREATE INDEX of_bi ON sbtest1(c)", "TRUNCATE TABLE sbtest1"] {
        assert_eq!(set(&server, "", &[sql]), ["INVALID tables-changed"], "{sql}");
        query(&server, "DROP TABLE sbtest1");
    }
    // It counts statements: what is put back is seen although a statement has set it before the trial.
    let server = mariadb(&[("performance_schema", "ON")]);
    let and_back = [1, 0].map(|value| format!("SET GLOBAL innodb_flush_log_at_trx_commit = {value}"));
    let and_back = and_back.each_ref().map(String::as_str);
    assert_eq!(set(&server, wanted, &and_back), ["INVALID settings-put-back"]);
    assert_eq!(set(&server, wanted, &["SET SESSION long_query_time = 3"]), Vec::<String>::new());
    let server = postgres(&[]);
    let alter = ["ALTER SYSTEM SET synchronous_commit = 'on'", "SELECT pg_reload_conf()"];
    assert_eq!(set(&server, "server.synchronous_commit = \"off\"", &alter), ["INVALID settings-changed"]);
    assert_eq!(set(&server, "", &["ALTER TABLE sbtest1 SET UNLOGGED"]), both);
    query(&server, "ALTER TABLE sbtest1 SET LOGGED");
    assert_eq!(set(&server, "", &["SELECT 1"]), Vec::<String>::new());
    for sql in ["CREATE INDEX of_bi ON sbtest1(c)", "ALTER TABLE sbtest1 ADD note TEXT", "TRUNCATE sbtest1"] {
        assert_eq!(set(&server, "", &[sql]), ["INVALID tables-changed"], "{sql}");
        query(&server, "DROP TABLE sbtest1");
    }
}

#[test]
fn a_table_that_others_alter_under_own_sql_makes_a_trial_invalid_and_its_own_statements_do_not() {
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    let during = |server: &(dyn Address + Sync), script: &str, sql: &str| {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("own.sql"), script).unwrap();
        let path = plan(dir.path(), &server.dsn(), "allow = [\"write-unmarked\"]", "");
        let text = std::fs::read_to_string(&path).unwrap().replace("measure = \"300ms\"", "measure = \"2s\"");
        let text = text.replace("[datasets.d]\ntables = 1\ntable_size = 100\n", "");
        let own = "workload = \"sql\", scripts = [\"own.sql\"]";
        std::fs::write(&path, text.replace("workload = \"oltp_point_select\"", own)).unwrap();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| run(dir.path(), &["run", &path]));
            wait_until_measured(&dir.path().join("runs"), 3);
            query(server, sql);
            running.join().unwrap()
        });
        doubts(&read_back(&dir.path().join("runs")).1)
    };
    let servers: [&(dyn Address + Sync); 2] = [&maria, &pg];
    for server in servers {
        query(server, "CREATE TABLE own (id INT PRIMARY KEY, a INT)");
        query(server, "CREATE TABLE another (id INT PRIMARY KEY, a INT)");
        let rows = "BEGIN;\nUPDATE own SET a = a + 1 WHERE id = 1;\nSELECT a FROM own WHERE id = 1;\nCOMMIT;\n";
        assert_eq!(during(server, rows, "CREATE INDEX of_a ON own(a)"), ["INVALID tables-changed"]);
        assert_eq!(during(server, rows, "CREATE INDEX of_another ON another(a)"), Vec::<String>::new());
        let more = format!("{rows}CREATE INDEX IF NOT EXISTS of_more ON own(a);\n");
        assert_eq!(during(server, &more, "SELECT 1"), Vec::<String>::new());
    }
}

#[test]
fn a_file_of_sqlite_that_is_replaced_removed_or_given_another_journal_in_a_trial_makes_it_invalid() {
    let during = |options: &str, act: &dyn Fn(&Path)| {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("own.db");
        let path = plan(dir.path(), &format!("sqlite:{}{options}", file.display()), "", "");
        let text = std::fs::read_to_string(&path).unwrap().replace("measure = \"300ms\"", "measure = \"3s\"");
        std::fs::write(&path, text).unwrap();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| run(dir.path(), &["run", &path]));
            wait_until_measured(&dir.path().join("runs"), 3);
            act(&file);
            running.join().unwrap()
        });
        doubts(&read_back(&dir.path().join("runs")).1)
    };
    for options in ["", "?journal_mode=wal", "?journal_mode=memory"] {
        assert_eq!(during(options, &|_| ()), Vec::<String>::new(), "{options}");
    }
    let replace = |file: &Path| {
        let other = file.with_extension("other");
        std::fs::copy(file, &other).unwrap();
        std::fs::rename(other, file).unwrap();
    };
    assert_eq!(during("", &replace), ["INVALID another-server"]);
    assert_eq!(during("", &|file| std::fs::remove_file(file).unwrap()), ["INVALID another-server"]);
    let log = |file: &Path| drop(query(&format!("sqlite:{}", file.display()), "PRAGMA journal_mode = wal"));
    for options in ["", "?journal_mode=delete"] {
        assert_eq!(during(options, &log), ["INVALID settings-changed"], "{options}");
    }
}

#[test]
fn by_an_old_name_what_others_set_in_the_run_is_told_beside_the_report() {
    let set = |server: &(dyn Address + Sync), line: &[&str], statements: &[&str]| {
        let dir = tempfile::tempdir().unwrap();
        let mut command = tenbin();
        command.args(line).env("TENBIN_RUNS", dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        wait_until_measured(dir.path(), 1);
        statements.iter().for_each(|sql| _ = query(server, sql));
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "the exit code is that of the tool: {err}");
        err
    };
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    let at = |dsn: String| dsn.rsplit_once(':').unwrap().1.split('/').next().unwrap().to_owned();
    let port = format!("--mysql-port={}", at(maria.dsn()));
    let sysbench = ["sysbench", "oltp_read_only", "--mysql-host=127.0.0.1", "--mysql-user=root", "--mysql-db=sbtest"];
    let sysbench = |more: &[&'static str]| [&sysbench[..], &["--table-size=100"], more].concat();
    let (code, _, err) = output_of(tenbin().args(sysbench(&["prepare"])).arg(&port));
    assert_eq!(code, 0, "{err}");
    let run = [&sysbench(&["--time=4", "run"])[..], &[&port]].concat();
    let err = set(&maria, &run, &["SET GLOBAL innodb_flush_log_at_trx_commit = 2"]);
    assert!(err.contains("tenbin: INVALID: variables that decide what was measured changed"), "{err}");
    let err = set(&maria, &run, &["SELECT 1"]);
    assert!(!err.contains("changed") && !err.contains("gone"), "{err}");
    let err = set(&maria, &run, &["CREATE INDEX of_bi ON sbtest1(c)"]);
    assert!(err.contains("tenbin: INVALID: tables of the trial were altered"), "{err}");
    let err = set(&maria, &run, &["DELETE FROM sbtest1"]);
    assert!(err.contains("tenbin: INVALID: rows that were loaded are gone"), "{err}");

    let (port, dir) = (at(pg.dsn()), tempfile::tempdir().unwrap());
    let script = dir.path().join("one.sql");
    std::fs::write(&script, "SELECT 1;\n").unwrap();
    let line = [
        "pgbench",
        "-h",
        "127.0.0.1",
        "-U",
        "postgres",
        "-p",
        &port,
        "-n",
        "-T",
        "4",
        "-f",
        script.to_str().unwrap(),
        "sbtest",
    ];
    query(&pg, "CREATE TABLE own (id INT)");
    std::fs::write(&script, "SELECT id FROM own;\n").unwrap();
    let err = set(&pg, &line, &["ALTER TABLE own ADD note TEXT"]);
    assert!(err.contains("tenbin: INVALID: tables of the trial were altered"), "{err}");
    let alter = ["ALTER SYSTEM SET synchronous_commit = 'off'", "SELECT pg_reload_conf()"];
    let err = set(&pg, &line, &alter);
    assert!(err.contains("tenbin: INVALID: variables that decide what was measured changed"), "{err}");
}

#[test]
fn a_private_server_has_what_was_asked_for_or_ends() {
    for binary in ["mariadbd".to_owned(), tenbin_tests::mysql_binary("8.0.31")] {
        let dir = tempfile::tempdir().unwrap();
        let private = |server: &str| {
            let path = plan(dir.path(), "mysql://u@h/d", server, "");
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.replace("dsn = \"mysql://u@h/d\"", &format!("sandbox = {binary:?}"));
            std::fs::write(&path, text).unwrap();
            run(dir.path(), &["run", &path])
        };
        let (code, out, err) = private("server.log_bin = \"OFF\"");
        assert!(code == 0 || code == 3, "{out}{err}");
        let saved = std::path::PathBuf::from(run_directory(dir.path()));
        assert_eq!(has(&inspections(&saved, "before")[0], "log_bin"), "OFF");
        std::fs::remove_dir_all(dir.path().join("runs")).unwrap();
        let (code, _, err) = private("server.slow_query_log = \"maybe\"");
        assert!(code != 0, "{err}");
        // Its program says so before anything is started.
        let printed = err.contains("does not take slow_query_log = \"maybe\"") && err.contains("would have OFF");
        assert!(printed, "{err}");
    }
}

#[test]
fn a_run_is_continued_and_compared_only_on_the_server_that_it_began_on() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let path = plan(dir.path(), &server.dsn(), "", "");
    let runs = |name: &str| dir.path().join(name).display().to_string();
    let (code, out, err) = run(dir.path(), &["run", &path, "--runs", &runs("first")]);
    assert!(code == 0 || code == 3, "{out}{err}");
    let first = read_back(Path::new(&runs("first"))).0.display().to_string();
    let redo = |into: &str, more: &[&str]| {
        let into = runs(into);
        run(dir.path(), &[&["run", &path, "--resume", &first, "--redo", "--runs", &into][..], more].concat())
    };
    let (code, out, err) = redo("same", &[]);
    assert!(code == 0 || code == 3, "{out}{err}");
    assert!(
        !read_back(Path::new(&runs("same"))).1["caution"].as_str().unwrap_or("").contains("was not the same"),
        "{out}"
    );

    query(&server, "SET GLOBAL innodb_flush_log_at_trx_commit = 0");
    let (code, _, err) = redo("changed", &[]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("the server of target a is not as it was in the run to resume"), "{err}");
    assert!(err.contains("innodb_flush_log_at_trx_commit 1 → 0") && err.contains("--allow changed-server"), "{err}");
    let (code, out, err) = redo("allowed", &["--allow", "changed-server"]);
    assert!(code == 0 || code == 3, "{out}{err}");
    let caution = read_back(Path::new(&runs("allowed"))).1["caution"].as_str().unwrap_or("").to_owned();
    assert!(
        caution.contains("The server of a was not the same in all trials (innodb_flush_log_at_trx_commit 1 → 0)"),
        "{caution}"
    );

    let (code, out, err) = run(dir.path(), &["run", &path, "--runs", &runs("second")]);
    assert!(code == 0 || code == 3, "{out}{err}");
    let second = read_back(Path::new(&runs("second"))).0.display().to_string();
    let (code, _, err) = run(dir.path(), &["compare", &first, &second]);
    assert!(code == 1 && err.contains("innodb_flush_log_at_trx_commit 1 → 0"), "{code} {err}");
    let (_, out, err) = run(dir.path(), &["compare", &first, &second, "--allow", "changed-server"]);
    assert!(
        out.contains("the server (its version, its machine, or variables that the plan does not set)"),
        "{out}{err}"
    );
}

/// As for cold caches: the data are there, and the server is started again before the load.
#[test]
fn a_server_that_a_hook_starts_again_when_the_data_are_there_is_observed_and_has_its_values() {
    let server = Restarting::of(mariadb(&[]));
    let dir = tempfile::tempdir().unwrap();
    let hook = format!("hooks = {{ with_data = {:?} }}\nserver.innodb_flush_log_at_trx_commit = 0", server.command());
    let path = plan(dir.path(), &server.dsn(), &hook, "");
    let text = std::fs::read_to_string(&path).unwrap().replace("measure = \"300ms\"", "measure = \"2s\"");
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    let (saved, json) = read_back(&dir.path().join("runs"));
    assert_eq!(doubts(&json), Vec::<String>::new(), "{err}");
    assert_eq!(has(&inspections(&saved, "before")[0], "innodb_flush_log_at_trx_commit"), "0");
    assert!(err.contains("they are set again"), "{err}");
}
