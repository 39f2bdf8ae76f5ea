//! What a client sends after its last event fails: the error reaches report and exit code, in plans as well.

use std::process::Stdio;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::{on, open, query};
use tenbin_tests::sysbench::{SysbenchDir, address};
use tenbin_tests::{mariadb, postgres, read_back, wait_until_measured};

/// The rows of a client stay in its buffer until the end, when their table is gone.
#[test]
fn rows_that_the_last_statement_did_not_write_are_told() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let line = |rest: &str| format!("bulk_insert {} --threads=2 {rest}", address(&server));
    let (code, out, err) = here.ours(&line("prepare"));
    assert_eq!(code, 0, "{out}{err}");
    let program = here.dir.path().join("sysbench").display().to_string();
    let runs = here.dir.path().join("kept");
    let mut run = here.command(&program, &line("--rate=100 --time=3 --events=0 run"));
    let child = run.env("TENBIN_RUNS", &runs).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until_measured(&runs, 1);
    on(async {
        open(&server).await.query("DROP TABLE sbtest1").await.unwrap();
    });
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    let fatal: Vec<&str> = out.lines().filter(|line| line.starts_with("FATAL: ")).collect();
    let thrown = "FATAL: `thread_done' function failed: SQL error, errno = 1146, state = '42S02': ";
    assert!(fatal.iter().any(|line| line.starts_with(thrown) && line.contains("sbtest1")), "{out}{err}");
    assert!(fatal.iter().any(|line| line.ends_with("that were counted have not written their rows")), "{out}{err}");
    assert!(out.contains("Threads fairness:"), "the report is printed: {out}");
    // The other client's rows are there, and the result is not credible.
    let rows = on(async { open(&server).await.table("SELECT COUNT(*) FROM sbtest2").await.unwrap() });
    assert!(rows.scalar().and_then(|n| n.parse::<u32>().ok()).is_some_and(|n| n > 50), "{rows:?}");
    let written = rows.scalar().and_then(|n| n.parse::<f64>().ok());
    let both = (figure(&out, "transactions:"), figure(&out, "total number of events:"));
    assert_eq!(both, (written, written), "{out}");
    assert_eq!(figure(&out, "events (avg/stddev):"), written.map(|rows| rows / 2.0), "{out}");
    let (_, json) = read_back(&runs);
    assert_eq!(json["trials"][0]["verdict"], "INVALID", "{}", json["trials"][0]["doubts"]);
}

/// The first figure after a label of the report.
fn figure(out: &str, label: &str) -> Option<f64> {
    let line = out.lines().find(|line| line.trim_start().starts_with(label))?;
    line.split(':').nth(1)?.trim_start().split([' ', '/']).next()?.parse().ok()
}

/// A server of each driver, the options that name it, and those with which every error is to be ignored.
fn both_drivers() -> [(Sandbox, String, &'static str); 2] {
    let (mysql, postgres) = (mariadb(&[]), postgres(&[]));
    let dsn = tenbin_model::dsn::Dsn::parse(&postgres.dsn()).expect("an address");
    let at = format!(
        "--db-driver=pgsql --pgsql-host=127.0.0.1 --pgsql-port={} --pgsql-user={} --pgsql-db={}",
        dsn.port.expect("a test's server has a port"),
        dsn.user,
        dsn.database
    );
    let at_mysql = address(&mysql);
    [(mysql, at_mysql, "--mysql-ignore-errors=all"), (postgres, at, "")]
}

/// The next attempt would send the same rows.
#[test]
fn a_bulk_insert_that_collides_ends_the_run_even_if_its_error_is_to_be_ignored() {
    let here = SysbenchDir::create();
    for (server, at, ignoring) in both_drivers() {
        let line = |rest: &str| format!("bulk_insert {at} --threads=1 {ignoring} {rest}");
        assert_eq!(here.ours(&line("prepare")).0, 0);
        query(&server, "INSERT INTO sbtest1 VALUES(100000,1)");
        // Without a limit of time it would never end.
        let (code, out, err) = here.ours(&line("--time=0 --events=0 run"));
        assert_eq!(code, 1, "{out}{err}");
        assert!(out.contains("\nFATAL: `thread_run' function failed: SQL error, errno = "), "{out}{err}");
        let rows: f64 = query(&server, "SELECT COUNT(*) - 1 FROM sbtest1")[0][0].parse().unwrap();
        assert!(rows > 0.0 && rows < 100_000.0, "{rows}");
        let of = |label: &str| figure(&out, label);
        assert_eq!((of("transactions:"), of("total number of events:")), (Some(rows), Some(rows)), "{out}");
        assert_eq!(of("events (avg/stddev):"), Some(rows), "{out}");
        // Without a cleanup its first INSERT collides.
        let (code, out, err) = here.ours(&line("--time=3 run"));
        assert_eq!((code, figure(&out, "transactions:")), (1, Some(0.0)), "{out}{err}");
    }
}

#[test]
fn the_last_rows_of_bulk_insert_fail_in_the_words_of_thread_done_and_in_no_figure() {
    let here = SysbenchDir::create();
    for (server, at, _) in both_drivers() {
        let line = |rest: &str| format!("bulk_insert {at} --threads=2 {rest}");
        assert_eq!(here.ours(&line("prepare")).0, 0);
        query(&server, "ALTER TABLE sbtest1 DROP COLUMN k");
        query(&server, "ALTER TABLE sbtest2 DROP COLUMN k");
        let (code, out, err) = here.ours(&line("--events=10 run"));
        assert_eq!(code, 1, "{out}{err}");
        let first = if at.contains("pgsql") {
            "FATAL: PQexec() failed: 7 "
        } else {
            "FATAL: mysql_drv_query() returned error 1136 ("
        };
        for start in [first, "FATAL: `thread_done' function failed: SQL error, errno = "] {
            assert!(out.lines().any(|line| line.starts_with(start)), "{start}: {out}{err}");
        }
        let of = |label: &str| figure(&out, label);
        assert_eq!((of("transactions:"), of("total number of events:")), (Some(0.0), Some(0.0)), "{out}");
        let rest = (of("events (avg/stddev):"), of("ignored errors:"));
        // One of the clients may have had all events.
        assert!(rest == (Some(0.0), Some(2.0)) || rest == (Some(0.0), Some(1.0)), "{out}");
    }
}

#[test]
fn a_script_whose_end_fails_says_so() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let script = "function thread_init() drv = sysbench.sql.driver() con = drv:connect() end\n\
                  function event() con:query('SELECT 1') end\n\
                  function thread_done() con:query('SELECT * FROM not_there') end\n";
    std::fs::write(here.dir.path().join("ends.lua"), script).unwrap();
    let line = format!("./ends.lua {} --threads=1 --events=10 --time=0 run", address(&server));
    let (code, out, err) = here.ours(&line);
    assert!(code == 1 && out.contains("FATAL: ") && out.contains("not_there"), "{code} {out}{err}");
    assert!(here.theirs(&line).1.contains("not_there"), "the real one says it too");
}

/// The account of libmysqlclient's environment, and an address that an unset variable of a shell leaves empty.
#[test]
fn the_environment_is_followed_and_an_empty_host_is_none() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    on(async {
        let mut c = open(&server).await;
        c.query("CREATE USER env@'%' IDENTIFIED BY 'of the environment'").await.unwrap();
        c.query("GRANT ALL ON *.* TO env@'%'").await.unwrap();
    });
    let at = address(&server).replace("--mysql-user=root", "--mysql-user=env");
    let without: Vec<&str> = at.split(' ').filter(|word| !word.starts_with("--mysql-password")).collect();
    for (program, what) in
        [(here.dir.path().join("sysbench").display().to_string(), "ours"), ("/usr/bin/sysbench".into(), "theirs")]
    {
        let line = format!("oltp_read_only {} --table-size=10 {{}}", without.join(" "));
        let run = |command: &str, password: &str| {
            let output =
                here.command(&program, &line.replace("{}", command)).env("MYSQL_PWD", password).output().unwrap();
            output.status.code()
        };
        assert_eq!(run("prepare", "wrong"), Some(1), "{what}");
        assert_eq!(run("prepare", "of the environment"), Some(0), "{what}");
        assert_eq!(run("cleanup", "of the environment"), Some(0), "{what}");
    }
    for line in ["--mysql-host=", "--mysql-host=127.0.0.1 --mysql-port="] {
        let line = format!("oltp_read_only {line} --mysql-user=root --mysql-db=x prepare");
        let (ours, theirs) = (here.ours(&line), here.theirs(&line));
        assert_eq!((ours.0, theirs.0), (1, 1));
        let fatal = |out: &str| out.lines().find(|line| line.starts_with("FATAL: ")).map(str::to_owned);
        assert_eq!(fatal(&ours.1), fatal(&theirs.1), "{}{}", ours.1, ours.2);
    }
}
