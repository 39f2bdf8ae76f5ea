//! What others have on a server besides tables is not lost by restoring it from a golden copy: it is named, and nothing is done without permission.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::golden::{Bench, existing};
use std::os::unix::fs::MetadataExt;
use std::process::Command;
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{Restarting, mariadb, mysql, postgres, replication};

/// A thing of others: where it is, what creates it, what drops it, and how it is named.
type Thing = (&'static str, &'static str, &'static str, &'static str);

const RESTORED: &str = "data restored from the golden copy";

/// Makes the golden copy, lets others create each of these things in turn, and sees that it is named, by `plan check` and by the run.
fn each_is_named(server: &Restarting, things: &[Thing]) {
    let (bench, dsn) = (Bench::new(), server.dsn());
    let target = existing(server, "copy");
    let output = bench.run_any(&target);
    assert!(output.contains(RESTORED), "{output}");
    let pid = server.pid();
    let plan = bench.plan(&target, 1);
    for (i, (database, create, drop, name)) in things.iter().enumerate() {
        let at = dsn.replace("/sbtest", &format!("/{database}"));
        query(&at, create);
        let (code, out, err) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
        let output = format!("{out}{err}");
        assert!(code == 1 && output.contains("would remove 1 table or other object"), "{name}: {code} {output}");
        // A copy that is made now has what was created since, and the contents of a sequence would still come back.
        let comes_back = create.contains("SEQUENCE") || create.contains("lo_create");
        let hint = if comes_back { "allow = [\"replace-server\"]" } else { "tenbin data remove " };
        assert!(output.contains(name) && output.contains(hint), "{name}: {output}");
        if i == 0 {
            let output = bench.run_any(&target);
            assert!(output.contains("would remove 1 table or other object") && output.contains(name), "{output}");
            assert_eq!(server.pid(), pid, "it was not stopped");
        }
        query(&at, drop);
    }
    let output = bench.run_any(&target);
    assert!(output.contains(RESTORED), "nothing of others is left: {output}");
}

#[test]
fn objects_of_postgresql() {
    let sequence = "CREATE SEQUENCE number";
    each_is_named(
        &Restarting::of(postgres(&[])),
        &[
            ("sbtest", sequence, "DROP SEQUENCE number", "public.number"),
            ("sbtest", "CREATE VIEW seen AS SELECT 1 AS a", "DROP VIEW seen", "view public.seen"),
            (
                "sbtest",
                "ALTER TABLE sbtest1 ADD COLUMN note TEXT",
                "ALTER TABLE sbtest1 DROP COLUMN note",
                "column sbtest1.note",
            ),
            ("sbtest", "CREATE INDEX bi ON sbtest1 (pad)", "DROP INDEX bi", "index sbtest1.bi"),
            (
                "sbtest",
                "CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "DROP FUNCTION f",
                "function public.f(a integer)",
            ),
            ("sbtest", "SELECT lo_create(4711)", "SELECT lo_unlink(4711)", "large object 4711"),
            ("sbtest", "CREATE ROLE appuser", "DROP ROLE appuser", "role appuser"),
            ("sbtest", "ALTER ROLE postgres SET work_mem = '9MB'", "ALTER ROLE postgres RESET ALL", "role postgres"),
            ("postgres", "CREATE VIEW seen AS SELECT 1 AS a", "DROP VIEW seen", "view postgres.public.seen"),
            ("postgres", sequence, "DROP SEQUENCE number", "postgres.public.number"),
            ("template1", "CREATE TYPE mood AS ENUM ('good')", "DROP TYPE mood", "type template1.public.mood"),
        ],
    );
}

#[test]
fn tables_in_the_database_postgres() {
    let (bench, server) = (Bench::new(), Restarting::of(postgres(&[])));
    let target = existing(&server, "copy");
    let at = server.dsn().replace("/sbtest", "/postgres");
    query(&at, "CREATE TABLE precious(x text)");
    query(&at, "INSERT INTO precious VALUES ('mine')");
    let output = bench.run_any(&target);
    assert!(output.contains("1 table that Tenbin did not create"), "{output}");
    assert!(output.contains("postgres.public.precious"), "{output}");
    assert_eq!(query(&at, "SELECT * FROM precious"), [["mine"]]);
}

#[test]
fn objects_of_mariadb() {
    each_is_named(
        &Restarting::of(mariadb(&[])),
        &[
            ("sbtest", "CREATE SEQUENCE number", "DROP SEQUENCE number", "sbtest.number"),
            ("sbtest", "CREATE SCHEMA app", "DROP SCHEMA app", "schema app"),
            ("sbtest", "CREATE VIEW seen AS SELECT 1 AS a", "DROP VIEW seen", "view sbtest.seen"),
            ("sbtest", "CREATE FUNCTION f() RETURNS INT RETURN 1", "DROP FUNCTION f", "routine sbtest.f()"),
            ("sbtest", "CREATE PROCEDURE p() SELECT 1", "DROP PROCEDURE p", "routine sbtest.p()"),
            (
                "sbtest",
                "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM nothing",
                "DROP EVENT e",
                "event sbtest.e",
            ),
            ("sbtest", "CREATE USER appuser", "DROP USER appuser", "account appuser@%"),
            (
                "sbtest",
                "GRANT SELECT ON sbtest.* TO root@'127.0.0.1'",
                "REVOKE SELECT ON sbtest.* FROM root@'127.0.0.1'",
                "account root@127.0.0.1",
            ),
            ("sbtest", "CREATE TABLE mysql.theirs(a INT)", "DROP TABLE mysql.theirs", "table mysql.theirs"),
            (
                "sbtest",
                "CREATE TRIGGER t BEFORE INSERT ON sbtest1 FOR EACH ROW SET NEW.k = 1",
                "DROP TRIGGER t",
                "trigger sbtest.t",
            ),
        ],
    );
}

#[test]
fn objects_of_mysql() {
    each_is_named(
        &Restarting::of(mysql("8.0.31", &[])),
        &[
            ("sbtest", "CREATE SCHEMA app", "DROP SCHEMA app", "schema app"),
            ("sbtest", "CREATE USER appuser", "DROP USER appuser", "account appuser@%"),
            ("sbtest", "CREATE VIEW seen AS SELECT 1 AS a", "DROP VIEW seen", "view sbtest.seen"),
        ],
    );
}

#[test]
fn objects_of_sqlite() {
    let bench = Bench::new();
    let file = format!("sqlite:{}/a.db", bench.path().display());
    let target = format!("[targets.a]\ndsn = \"{file}\"\nrestore = \"copy\"");
    assert!(bench.run_any(&target).contains(RESTORED));
    for (create, drop, name) in [
        ("CREATE VIEW seen AS SELECT 1", "DROP VIEW seen", "view seen"),
        ("CREATE INDEX bi ON sbtest1 (pad)", "DROP INDEX bi", "index sbtest1.bi"),
        ("PRAGMA user_version = 77", "PRAGMA user_version = 0", "pragma user_version"),
    ] {
        query(&file, create);
        let output = bench.run_any(&target);
        assert!(output.contains("would remove 1 table or other object") && output.contains(name), "{name}: {output}");
        query(&file, drop);
    }
    assert!(bench.run_any(&target).contains(RESTORED));
    query(&file, "CREATE VIEW seen AS SELECT 1");
    assert!(bench.run_any(&format!("{target}\nallow = [\"replace-server\"]")).contains(RESTORED));
}

/// Runs a plan with a load that takes seconds; does something else as soon as `begun` holds. Returns what the run says.
fn meanwhile(bench: &Bench, target: &str, begun: impl Fn() -> bool, act: impl Fn()) -> String {
    let plan = bench.plan(target, 1);
    let text = std::fs::read_to_string(&plan).unwrap().replace("table_size = 1000", "table_size = 200000");
    std::fs::write(&plan, text).unwrap();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| bench.does(&["run", plan.to_str().unwrap()]));
        while !begun() {
            assert!(!running.is_finished(), "{:?}", running.join().unwrap());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        act();
        let (_, out, err) = running.join().unwrap();
        format!("{out}{err}")
    })
}

#[test]
fn what_others_create_while_the_data_are_loaded_or_copied_is_not_replaced() {
    let of_others = "SELECT COUNT(*) FROM information_schema.tables WHERE table_name IN ('sbtest1', 'sbtest2')";
    let loads = |server: &Restarting| query(server, of_others)[0][0] != "0";
    for (server, kind) in [(mariadb(&[]), "copy"), (postgres(&[]), "copy"), (mariadb(&[]), "backup")] {
        let (bench, server) = (Bench::new(), Restarting::of(server));
        let (target, pid) = (existing(&server, kind), server.pid());
        let create = || drop(query(&server, "CREATE TABLE orders (id INT)"));
        let output = meanwhile(&bench, &target, || loads(&server), create);
        assert!(output.contains("1 table that Tenbin did not create") && output.contains(".orders"), "{output}");
        assert_eq!(server.pid(), pid, "it was not stopped");
        assert!(bench.copies().iter().all(|name| name.starts_with('.')), "{:?}", bench.copies());
        query(&server, "DROP TABLE orders");
        if kind == "copy" {
            continue;
        }
        // While the backup of the running server is made, of data that are there.
        let begun = || bench.copies().iter().any(|name| name.starts_with(".making-"));
        let output = meanwhile(&bench, &target, begun, || drop(query(&server, "CREATE USER appuser")));
        assert!(output.contains("account appuser@%"), "{output}");
        assert_eq!(server.pid(), pid, "it was not stopped");
    }
}

#[test]
fn data_sets_of_other_plans() {
    let (bench, server) = (Bench::new(), Restarting::of(mariadb(&[])));
    query(&server, "CREATE DATABASE other");
    let target = existing(&server, "copy");
    assert!(bench.run_any(&target).contains(RESTORED));
    let (plan, pid) = (bench.plan(&target, 1), server.pid());
    let other = server.dsn().replace("/sbtest", "/other");
    let load = ["load", "oltp_read_only", &other, "--tables", "2", "--table-size", "10"];
    let (code, out, err) = bench.does(&load);
    assert_eq!(code, 0, "{out}{err}");
    let is_named = |count: &str, table: &str| {
        for words in [bench.does(&["plan", "check", plan.to_str().unwrap()]).2, bench.run_any(&target)] {
            let told = format!("remove {count} that Tenbin has loaded for other plans");
            let is_told = words.contains(&told) && words.contains(table);
            assert!(is_told && words.contains("allow = [\"replace-server\"]"), "{words}");
        }
        assert_eq!(server.pid(), pid, "it was not stopped");
    };
    is_named("2 tables", "other.sbtest1, other.sbtest2");
    assert_eq!(query(&server, "SELECT COUNT(*) FROM other.sbtest2"), [["10"]]);
    query(&server, "DROP DATABASE other");
    // Another kind of data, beside those of the plan.
    query(&server, "CREATE TABLE warehouse1 (a INT)");
    query(&server, "INSERT INTO tenbin_mark VALUES ('warehouse1', 'tpcc', 1, 1, 'tenbin', '', '')");
    is_named("1 table", "sbtest.warehouse1");
    assert!(bench.run_any(&format!("{target}\nallow = [\"replace-server\"]")).contains(RESTORED));
}

#[test]
fn files_of_tables_outside_of_the_data_directory() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::set_permissions(outside.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let path = outside.path().to_str().unwrap();
    for (server, has_undo_tablespaces) in
        [(mariadb(&[]), false), (mysql("8.0.31", &[("innodb_directories", path)]), true)]
    {
        let (bench, server) = (Bench::new(), Restarting::of(server));
        let (target, pid) = (existing(&server, "copy"), server.pid());
        let target = format!("{target}\nallow = [\"replace-server\"]");
        query(&server, &format!("CREATE TABLE elsewhere (a INT) DATA DIRECTORY = '{path}'"));
        let output = bench.run_any(&target);
        assert!(output.contains("files of tables outside of its data directory") && output.contains(path), "{output}");
        assert_eq!(server.pid(), pid, "it was not stopped");
        // An account without PROCESS sees it too, or it is found while the copy is made.
        let password = std::fs::read_to_string(server.dir().join("password")).unwrap_or_default();
        query(&server, &format!("CREATE USER app@'127.0.0.1' IDENTIFIED BY '{}'", password.trim()));
        query(&server, "GRANT ALL ON sbtest.* TO app@'127.0.0.1'");
        let output = bench.run_any(&target.replace("mysql://root@", "mysql://app@"));
        let is_seen = output.contains("files of tables outside of its data directory") && output.contains(path);
        assert!(is_seen || output.contains("elsewhere.isl") && !has_undo_tablespaces, "{output}");
        assert!(!output.contains(RESTORED), "{output}");
        query(&server, "DROP TABLE elsewhere");
        assert!(bench.run_any(&target).contains(RESTORED));
        if has_undo_tablespaces {
            query(&server, &format!("CREATE UNDO TABLESPACE theirs ADD DATAFILE '{path}/theirs.ibu'"));
            let output = bench.run_any(&target);
            assert!(
                output.contains("files of tables outside of its data directory") && output.contains("theirs.ibu"),
                "{output}"
            );
        }
    }
}

#[test]
fn replicas_of_the_server() {
    let (bench, both) = (Bench::new(), replication(&[]));
    let restore = "restore = { kind = \"copy\", stop = \"false\", start = \"false\" }";
    let plan = bench.plan(&format!("[targets.a]\ndsn = {:?}\n{restore}", both.source.dsn()), 1);
    let (code, out, err) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
    assert!(
        code == 1 && err.contains("replicas are connected to the server") && err.contains("(1)"),
        "{code} {out}{err}"
    );
}

/// The file that a link of the user leads to has the data, before and after.
#[test]
fn a_link_to_a_database_file_remains_one() {
    let bench = Bench::new();
    let (file, link) = (bench.path().join("disk/own.db"), bench.path().join("link.db"));
    std::fs::create_dir(bench.path().join("disk")).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let target = format!("[targets.a]\ndsn = \"sqlite:{}\"\nrestore = \"copy\"", link.display());
    for _ in 0..2 {
        let output = bench.run_any(&target);
        assert!(output.contains(RESTORED), "{output}");
        assert!(link.is_symlink() && file.is_file(), "{output}");
        let rows = query(
            &format!("sqlite:{}", file.display()),
            "SELECT (SELECT COUNT(*) FROM sbtest1) + COUNT(*) FROM sbtest2",
        );
        assert_eq!(rows, [["2050"]], "{output}");
    }
}

/// Private servers are copies of one template, with one identifier: the first 8 bytes of the control file. `pg_resetwal` makes what depends on it right.
fn give_own_identity(server: &Restarting) {
    let shell = |script: &str| {
        let output = Command::new("sh").args(["-c", script]).output().unwrap();
        assert!(output.status.success(), "{script}: {output:?}");
    };
    let (stop, start) = server.commands();
    let program = std::fs::canonicalize(format!("/proc/{}/exe", server.pid())).unwrap();
    shell(&stop);
    let data = server.dir().join("data");
    let control = data.join("global/pg_control");
    let mut bytes = std::fs::read(&control).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&control, bytes).unwrap();
    let owner = std::fs::metadata(&control).unwrap();
    let (uid, gid) = (owner.uid(), owner.gid());
    let resetwal = program.with_file_name("pg_resetwal");
    let account = format!("setpriv --reuid={uid} --regid={gid} --clear-groups");
    shell(&format!("{account} {} -f -D {}", resetwal.display(), data.display()));
    shell(&start);
}

/// Its archives, backups and standbys know it by its identifier, which its data directory has.
#[test]
fn a_cluster_of_postgresql_keeps_its_identity() {
    let bench = Bench::new();
    let identity = |server: &Restarting| {
        let sql = "SELECT system_identifier::text FROM pg_control_system()";
        query(server, sql).remove(0).remove(0)
    };
    let servers = [postgres(&[]), postgres(&[])].map(Restarting::of);
    give_own_identity(&servers[1]);
    let before = servers.each_ref().map(identity);
    assert_ne!(before[0], before[1]);
    for server in &servers {
        let text = bench.run(&existing(server, "copy"), 1);
        assert_eq!(text.matches("data restored from the golden copy").count(), 1, "{text}");
    }
    assert_eq!(servers.each_ref().map(identity), before);
    assert_eq!(bench.copies().len(), 2);
}
