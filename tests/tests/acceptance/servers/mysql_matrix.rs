//! Whole ways through servers that are not MariaDB: MySQL 5.7 and 8.0 and seekdb, from the private server to TPC-C's
//! conditions, under our names and the old ones, with the passwords and the encryption that they have by default.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use std::process::Command;
use tenbin_driver::Transport;
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::{Address, connector, on, open_as, query};
use tenbin_tests::{Seekdb, mysql, output_of, refusing, target_dir, tenbin};

/// `tenbin` with its runs under `dir`; what it says when all is well.
fn does(dir: &Path, args: &[&str]) -> String {
    let mut command = tenbin();
    command.args(args).env("TENBIN_RUNS", dir.join("runs")).current_dir(dir);
    let (code, out, err) = output_of(&mut command);
    // 3 is a short run's verdict on itself.
    let well = code == 0 || (code == 3 && args[0] == "bench");
    assert!(well, "{args:?} {code}\n{out}\n{err}");
    assert!(!err.contains("error:"), "{args:?}\n{err}");
    format!("{out}{err}")
}

/// Loads and drives sysbench's tables and TPC-C's; every condition holds afterwards. Answers with what the load said.
fn ours(at: &(impl Address + ?Sized), dir: &Path, data: &[&str], drive: &[&str]) -> String {
    let dsn = at.dsn();
    does(dir, &["load", "oltp_read_write", &dsn, "--tables", "2", "--table-size", "2000"]);
    let output = does(dir, &["bench", "oltp_read_write", &dsn, "--tables", "2", "--table-size", "2000", "--time", "1"]);
    assert!(output.contains("answer   "), "{output}");
    does(dir, &["load", "oltp_read_write", &dsn, "--tables", "2", "--only-drop"]);
    let loaded = does(dir, &[&["load", "tpcc", &dsn, "-o", "warehouses=1"], data].concat());
    let output = does(dir, &[&["bench", "tpcc", &dsn, "--time", "2", "--threads", "4"], data, drive].concat());
    assert!(output.contains("answer   "), "{output}");
    let output = does(dir, &["check", &dsn]);
    assert!(output.contains("all hold"), "{output}");
    loaded
}

/// sysbench's and mysqlslap's names, and the real sysbench beside ours; the account's password on their command lines.
fn by_old_names(server: &Sandbox, dir: &Path) {
    let port = Dsn::parse(&server.dsn()).unwrap().port.unwrap();
    let password = std::fs::read_to_string(server.password_file().unwrap()).unwrap();
    for name in ["sysbench", "mysqlslap"] {
        std::os::unix::fs::symlink(target_dir().join("tenbin"), dir.join(name)).unwrap();
    }
    let line = format!(
        "oltp_read_write --mysql-host=127.0.0.1 --mysql-port={port} --mysql-user=root --mysql-password={} --mysql-db=sbtest \
         --tables=2 --table-size=500 --threads=2 --events=40 --time=0",
        password.trim()
    );
    let as_typed = |program: &str, command: &str| {
        let mut typed = Command::new(program);
        typed.args(line.split_whitespace()).arg(command).current_dir(dir).env_remove("TENBIN_RUNS");
        let (code, out, err) = output_of(&mut typed);
        assert_eq!(code, 0, "{program} {command}\n{out}{err}");
        out
    };
    let own = dir.join("sysbench").display().to_string();
    as_typed(&own, "prepare");
    for program in [own.as_str(), "/usr/bin/sysbench"] {
        let out = as_typed(program, "run");
        assert!(out.contains("transactions:                        40 "), "{program}\n{out}");
    }
    as_typed(&own, "cleanup");
    let mut slap = Command::new(dir.join("mysqlslap"));
    slap.args([
        "--no-defaults",
        "-h127.0.0.1",
        "-P",
        &port.to_string(),
        "-uroot",
        "-a",
        "-c",
        "2",
        "--number-of-queries=100",
    ]);
    let (code, out, err) = output_of(slap.env("MYSQL_PWD", password.trim()).current_dir(dir).env_remove("TENBIN_RUNS"));
    assert!(code == 0 && out.contains("Average number of queries per client: 50"), "{code} {out}{err}");
    let (_, kept, _) = output_of(Command::new("grep").args(["-rl", password.trim()]).arg(dir.join("runs")));
    assert_eq!(kept, "", "a password was written down");
}

/// How the first and the next connection of the account get in: the server remembers it after the first.
fn logins(server: &Sandbox, encrypted: bool) {
    on(async {
        let modes: &[&str] =
            if encrypted { &["disabled", "preferred", "required"] } else { &["disabled", "preferred"] };
        for (mode, packed) in modes.iter().flat_map(|mode| [(*mode, "off"), (*mode, "on")]) {
            let mut root = open_as(&server.dsn(), Transport::Shared).await;
            root.query("FLUSH PRIVILEGES").await.unwrap();
            for transport in [Transport::Shared, Transport::Alone] {
                let dsn = format!("{}&tls={mode}&compress={packed}", server.dsn());
                let mut c = open_as(&dsn, transport).await;
                let cipher =
                    c.table("SHOW STATUS LIKE 'Ssl_cipher'").await.unwrap().rows[0][1].clone().unwrap_or_default();
                assert_eq!(!cipher.is_empty(), encrypted && mode != "disabled", "{dsn}: {cipher}");
            }
        }
        let error = connector(&server.dsn().replace("root@", "root:wrong-word@")).connect(Transport::Shared).await;
        let error = error.map(|_| ()).unwrap_err();
        assert_eq!(error.number(), Some(1045), "{error}");
    });
}

#[test]
fn mysql_8_0_31() {
    let (server, dir) = (mysql("8.0.31", &[]), tempfile::tempdir().unwrap());
    logins(&server, true);
    let plugin = query(&server, "SELECT plugin FROM mysql.user WHERE user='root' AND host='127.0.0.1'");
    assert_eq!(plugin, [["caching_sha2_password"]]);
    ours(&server, dir.path(), &["-o", "foreign_keys=on"], &[]);
    by_old_names(&server, dir.path());
}

#[test]
fn mysql_8_0_15_and_5_7_22() {
    for version in ["8.0.15", "5.7.22"] {
        let (server, dir) = (mysql(version, &[]), tempfile::tempdir().unwrap());
        // Their builds offer no key exchange that is still in use, or no TLS at all: the login is by RSA or in its own
        // words.
        logins(&server, false);
        ours(&server, dir.path(), &[], &[]);
        by_old_names(&server, dir.path());
    }
}

/// A server that wants a primary key everywhere, and takes a backslash for a letter.
#[test]
fn strict_servers_are_loaded_or_say_what_lets_them() {
    let strict = [("sql_require_primary_key", "ON"), ("sql_mode", "NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES")];
    let (server, dir) = (mysql("8.0.31", &strict), tempfile::tempdir().unwrap());
    let refused = |args: &[&str]| {
        let (code, out, err) = output_of(tenbin().args(args).env("TENBIN_RUNS", dir.path().join("runs")));
        assert!(code != 0 && err.contains("(error 3750)"), "{args:?} {code} {out}{err}");
        assert!(err.contains("SET GLOBAL sql_generate_invisible_primary_key = ON"), "{err}");
    };
    refused(&["load", "tpcc", &server.dsn(), "-o", "warehouses=1"]);
    query(&server, "SET GLOBAL sql_generate_invisible_primary_key = ON");
    // What the first load has made is gone on with.
    ours(&server, dir.path(), &[], &[]);
    let nulls =
        query(&server, "SELECT COUNT(*) FROM orders WHERE o_carrier_id IS NULL AND o_id > 2100 AND o_id <= 3000");
    assert!(nulls[0][0].parse::<u64>().unwrap() > 0, "NULL went in as NULL");
    // Text that has to be quoted, by who quotes it: backslashes and quotes come back as they were.
    std::fs::write(
        dir.path().join("quote.lua"),
        "function thread_init() drv = sysbench.sql.driver(); con = drv:connect()\n\
         con:query('CREATE TABLE q(id INT PRIMARY KEY, t VARCHAR(40))')\n\
         st = con:prepare('INSERT INTO q VALUES (1, ?)'); p = st:bind_create(sysbench.sql.type.VARCHAR, 40); st:bind_param(p)\n\
         p:set([[it's a \\ and \\\\n]]); st:execute() end\n\
         function event() con:query('DO 1') end\n",
    )
    .unwrap();
    let script = dir.path().join("quote.lua").display().to_string();
    does(dir.path(), &["bench", &script, &server.dsn(), "--threads", "1", "--events", "1", "-o", "db-ps-mode=disable"]);
    assert_eq!(query(&server, "SELECT t FROM q"), [["it's a \\ and \\\\n"]]);
}

/// What can be left out of a load does not end it, and is reported: statistics and the lock that keeps a second load out.
#[test]
fn what_a_server_does_not_have_and_can_be_left_out_ends_no_load() {
    let (server, dir) = (tenbin_tests::mariadb(&[]), tempfile::tempdir().unwrap());
    let port = Dsn::parse(&server.dsn()).unwrap().port.unwrap();
    let at = |schema: &str, refused: &'static [(&'static str, u16, &'static str)]| {
        query(&server, &format!("CREATE DATABASE {schema}"));
        format!("mysql://root@127.0.0.1:{}/{schema}?tls=disabled", refusing(port, refused))
    };
    let load = |dsn: &str| does(dir.path(), &["load", "tpcc", dsn, "-o", "warehouses=1"]);
    let fewer_words = at("a", &[("ANALYZE NO_WRITE_TO_BINLOG", 1064, "You have an error in your SQL syntax")]);
    assert!(!load(&fewer_words).contains("note: "), "ANALYZE TABLE does it");
    let none = at(
        "b",
        &[
            ("ANALYZE", 1235, "This version doesn't yet support ANALYZE"),
            ("SELECT GET_LOCK", 1105, "Percona-XtraDB-Cluster prohibits use of GET_LOCK"),
            ("SELECT RELEASE_LOCK", 1105, "the same"),
            ("SET SESSION foreign_key_checks", 1193, "Unknown system variable"),
        ],
    );
    let output = load(&none);
    for part in [
        "note: the server did not look at the tables anew: its plans may be made for smaller ones\n  evidence  This version doesn't yet support ANALYZE (error 1235)",
        "note: the server has no locks that keep a second load of these tables out\n  evidence  Percona-XtraDB-Cluster prohibits use of GET_LOCK (error 1105)",
    ] {
        assert!(output.contains(part), "{part}\n{output}");
    }
    let output = does(dir.path(), &["bench", "tpcc", &none, "--time", "1", "--threads", "2"]);
    assert!(output.contains("answer   "), "the load is complete: {output}");
    // Where keys are to be there, rows are not to be looked at while they go in.
    let (code, _, err) = output_of(tenbin().args([
        "load",
        "tpcc",
        &none.replace("/b?", "/c?"),
        "-o",
        "warehouses=1",
        "-o",
        "foreign_keys=on",
    ]));
    assert!(code == 1 && err.contains("Unknown database 'c'"), "{err}");
    query(&server, "CREATE DATABASE c");
    let (code, _, err) = output_of(tenbin().args([
        "load",
        "tpcc",
        &none.replace("/b?", "/c?"),
        "-o",
        "warehouses=1",
        "-o",
        "foreign_keys=on",
    ]));
    assert!(code == 1 && err.contains("Unknown system variable"), "{err}");
}

/// Another engine behind the protocol, which refuses what can be left out: its rows are in, and it is reported.
#[test]
fn seekdb() {
    let (server, dir) = (Seekdb::start(), tempfile::tempdir().unwrap());
    ours(&server, dir.path(), &[], &["-o", "isolation=read_committed"]);
}
