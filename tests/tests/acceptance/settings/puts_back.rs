//! Every variable goes back: those that limit the sessions of a server, also Tenbin's own, and those whose value no statement takes as it is shown.

use super::{journals, plan, run, run_directory, value};
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, mysql, postgres, wait_until_measured};

#[test]
fn limits_of_all_sessions_are_set_and_put_back() {
    let everywhere = [("max_join_size", "1"), ("sql_select_limit", "1")];
    let of_mariadb = [("sql_big_selects", "\"OFF\""), ("sql_safe_updates", "\"ON\""), ("tx_read_only", "\"ON\"")];
    let of_mysql = [("transaction_read_only", "\"ON\"")];
    for (server, more) in [(mariadb(&[]), &of_mariadb[..]), (mysql("8.0.31", &[]), &of_mysql[..])] {
        let dir = tempfile::tempdir().unwrap();
        let limits = [&everywhere[..], more].concat();
        let values = || limits.iter().map(|(name, _)| value(&server, name)).collect::<Vec<_>>();
        let before = values();
        let set: Vec<String> = limits.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let target = format!("server = {{ {} }}", set.join(", "));
        let path = plan(dir.path(), &server.dsn(), &target, "");
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        assert_eq!((values(), journals(dir.path())), (before, 0), "{err}");
        // Those of an administrator hide nothing either.
        query(&server, "SET GLOBAL sql_select_limit = 1");
        let dir = tempfile::tempdir().unwrap();
        let path = plan(dir.path(), &server.dsn(), "", "");
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        let log = std::fs::read_to_string(format!("{}/trials/0001/events.jsonl", run_directory(dir.path()))).unwrap();
        let status =
            log.lines().rfind(|line| line.contains("\"server.status\"") && line.contains("\"values\"")).unwrap();
        assert!(status.contains("com_commit") && status.contains("threads_running"), "{status}");
    }
}

/// A server that closes what is idle for 2 s closes neither observers nor what is asked at the end.
#[test]
fn sessions_of_tenbin_may_be_idle() {
    let limit = [("wait_timeout", "2")];
    let of_postgres = [("idle_session_timeout", "2s"), ("idle_in_transaction_session_timeout", "2s")];
    for server in [mariadb(&limit), mysql("8.0.31", &limit), postgres(&of_postgres)] {
        let dir = tempfile::tempdir().unwrap();
        let path = plan(dir.path(), &server.dsn(), "", "");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"300ms\"", "\"9s\"").replace("\"100ms\"", "\"3s\"")).unwrap();
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        let log = std::fs::read_to_string(format!("{}/trials/0001/events.jsonl", run_directory(dir.path()))).unwrap();
        let samples = log.lines().filter(|line| line.contains("\"server.status\"") && line.contains("\"values\""));
        assert!(samples.count() >= 3, "{log}");
        let lost = log.lines().filter(|line| {
            line.contains("\"note\"") && ["lost", "closed", "timeout"].iter().any(|word| line.contains(word))
        });
        assert_eq!(lost.collect::<Vec<_>>(), [""; 0], "{err}");
    }
}

#[test]
fn what_is_shown_in_another_form_goes_back_and_a_command_is_not_set() {
    let (server, dir) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let names = [
        "enforce_storage_engine",
        "long_query_time",
        "system_versioning_asof",
        "default_tmp_storage_engine",
        "table_open_cache",
    ];
    let values = || {
        let of = |name: &&str| query(&server, &format!("SELECT COALESCE(@@GLOBAL.{name}, 'NULL')"))[0][0].clone();
        names.iter().map(of).collect::<Vec<_>>()
    };
    let before = values();
    let target = "server = { enforce_storage_engine = \"InnoDB\", default_tmp_storage_engine = \"MEMORY\", table_open_cache = 555, \
                  system_versioning_asof = \"2020-01-01 00:00:00.000000\", long_query_time = 3 }";
    let path = plan(dir.path(), &server.dsn(), target, "");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert_eq!((values(), journals(dir.path())), (before, 0), "{err}");
    let path = plan(dir.path(), &server.dsn(), "server = { innodb_monitor_enable = \"all\" }", "");
    for command in ["plan check", "run"] {
        let words: Vec<&str> = command.split(' ').chain([path.as_str()]).collect();
        let (code, out, err) = run(dir.path(), &words);
        assert!(code == 1 && err.contains("innodb_monitor_enable is a command"), "{command}: {code} {out}{err}");
    }
}

#[test]
fn what_the_server_gives_the_sessions_of_the_account_is_told() {
    let (server, dir) = (mariadb(&[]), tempfile::tempdir().unwrap());
    for sql in [
        "CREATE USER app@'127.0.0.1' IDENTIFIED BY 'x'",
        "GRANT ALL ON sbtest.* TO app@'127.0.0.1'",
        "SET GLOBAL init_connect = 'SET SESSION tx_isolation = \"SERIALIZABLE\"'",
    ] {
        query(&server, sql);
    }
    let of_app = server.dsn().replace("root@", "app:x@");
    let pin = "pin = { variables = { tx_isolation = \"REPEATABLE-READ\" } }";
    for (dsn, is_refused) in [(of_app, true), (server.dsn(), false)] {
        let (code, out, err) = run(dir.path(), &["plan", "check", &plan(dir.path(), &dsn, pin, "")]);
        let is_told =
            err.contains("tx_isolation is set for the sessions of this account") && err.contains("init_connect");
        assert_eq!((code == 1, is_told), (is_refused, is_refused), "{out}{err}");
    }
}

#[test]
fn what_somebody_else_stores_for_the_next_start_between_two_changes_goes_back() {
    let server = mysql("8.0.31", &[]);
    let dir = tempfile::tempdir().unwrap();
    let matrix = "order = \"sequential\"\nmatrix = { server.innodb_flush_log_at_timeout = [11, 12] }";
    let path = plan(dir.path(), &server.dsn(), "apply = \"persist\"", matrix);
    let text = std::fs::read_to_string(&path).unwrap().replace("300ms", "2s");
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(dir.path(), &["run", &path]));
        wait_until_measured(&dir.path().join("runs"), 2);
        query(&server, "SET PERSIST_ONLY innodb_flush_log_at_timeout = 44");
        running.join().unwrap()
    });
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert!(err.contains("somebody else has set innodb_flush_log_at_timeout"), "{err}");
    let stored = "SELECT VARIABLE_VALUE FROM performance_schema.persisted_variables \
                  WHERE VARIABLE_NAME = 'innodb_flush_log_at_timeout'";
    assert_eq!(query(&server, stored), [["44"]], "{err}");
    assert_eq!(value(&server, "innodb_flush_log_at_timeout"), "1");
}
