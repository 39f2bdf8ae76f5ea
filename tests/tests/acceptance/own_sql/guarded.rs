//! What the text of a script does not show is refused by the server: sessions of scripts that only read are read-only. What changes the
//! server itself is refused by its text. And what UPDATE reports is the same on every server.

use super::wrong::{bench, ran};
use super::{folder, run};
use std::fs;
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, output_of, postgres, read_back, tenbin};

const ONCE: &[&str] = &["--ops", "2", "--threads", "1"];

#[test]
fn a_function_that_writes_is_refused_by_the_server_unless_it_is_permitted() {
    let on_mariadb = "CREATE FUNCTION f() RETURNS INT BEGIN UPDATE precious SET a = a + 1; RETURN 1; END";
    let on_postgres = "CREATE FUNCTION f() RETURNS INT LANGUAGE sql AS 'UPDATE precious SET a = a + 1; SELECT 1'";
    for (server, function, said) in
        [(mariadb(&[]), on_mariadb, "READ ONLY transaction"), (postgres(&[]), on_postgres, "read-only transaction")]
    {
        let folder = folder();
        query(&server, "CREATE TABLE precious (a INT)");
        query(&server, "INSERT INTO precious VALUES (5)");
        query(&server, function);
        let value = || query(&server, "SELECT a FROM precious")[0][0].clone();
        let (code, printed) = bench(folder.path(), b"SELECT f();\n", &server.dsn(), ONCE);
        assert!(code != 0 && printed.contains(said), "{code} {printed}");
        assert_eq!(value(), "5", "{printed}");
        // What only reads is executed.
        let (code, printed) = bench(folder.path(), b"SELECT a FROM precious;\n", &server.dsn(), ONCE);
        assert!(ran(code), "{code} {printed}");
        let more = [ONCE, &["--allow", "write-unmarked"]].concat();
        let (code, printed) = bench(folder.path(), b"SELECT f();\n", &server.dsn(), &more);
        assert!(ran(code), "{code} {printed}");
        assert_eq!(value(), "7", "two transactions, as it was told");
    }
}

#[test]
fn what_changes_the_server_itself_needs_permission() {
    let server = mariadb(&[]);
    let folder = folder();
    let value = || query(&server, "SELECT @@GLOBAL.sync_binlog")[0][0].clone();
    let before = value();
    for script in ["SET GLOBAL sync_binlog = 77;\n", "SET @a = 1, @@GLOBAL.sync_binlog = 77;\n"] {
        let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), ONCE);
        assert!(code == 1 && printed.contains("changes the server itself") && printed.contains(":1: SET"), "{printed}");
        assert_eq!(value(), before, "{printed}");
    }
    let more = [ONCE, &["--allow", "write-unmarked"]].concat();
    let (_, printed) = bench(folder.path(), b"SET GLOBAL sync_binlog = 77;\n", &server.dsn(), &more);
    assert_eq!(value(), "77", "{printed}");
}

#[test]
fn a_row_that_is_found_counts_though_it_stays_as_it_was() {
    for server in [mariadb(&[]), postgres(&[])] {
        let folder = folder();
        query(&server, "CREATE TABLE t (a INT PRIMARY KEY, b INT)");
        query(&server, "INSERT INTO t VALUES (1, 7)");
        let script = b"-- tenbin: name=same expect=\"rows = 1\"\nUPDATE t SET b = 7 WHERE a = 1;\n";
        let more = [ONCE, &["--allow", "write-unmarked"]].concat();
        let (code, printed) = bench(folder.path(), script, &server.dsn(), &more);
        assert!(ran(code), "{code} {printed}");
        let (_, json) = read_back(&folder.path().join("runs"));
        let same = &json["trials"][0]["statements"]["same"];
        assert_eq!((same["rows"].as_u64(), same["completed"].as_u64()), (Some(2), Some(2)), "{same}");
    }
}

/// What is on the server besides is not reached by a statement that is certain to be about the tables of the data set: neither before they exist nor
/// when they are marked. What is not certain needs permission still.
#[test]
fn the_tables_of_the_data_set_are_written_to_beside_schemas_and_databases_of_others() {
    let maria = mariadb(&[]);
    for text in ["CREATE DATABASE shop", "CREATE TABLE shop.account (id INT)", "INSERT INTO shop.account VALUES (1)"] {
        query(&maria, text);
    }
    let pg = postgres(&[]);
    query(&pg, "CREATE DATABASE shop");
    for dsn in [maria.dsn(), pg.dsn()] {
        let folder = folder();
        fs::write(folder.path().join("own.sql"), "UPDATE account SET balance = balance + 1 WHERE id = 1;\n")
            .expect("a file");
        let text = format!(
            "schema = 1\nname = \"own\"\n[targets.s]\ndsn = \"{dsn}\"\n[datasets.bank]\nkind = \"sql\"\ncreate = \"schema.sql\"\n\
             [datasets.bank.fill.account]\nrows = 10\nid = \"serial\"\nowner = \"name\"\nbalance = \"uniform(0, 1000)\"\n\
             opened = \"date('2020-01-01', '2024-12-31')\"\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"300ms\"\n\
             load = {{ workload = \"sql\", scripts = [\"own.sql\"], clients = 1 }}\n"
        );
        for time in ["before they exist", "when they are marked"] {
            let (code, printed) = run(folder.path(), &text);
            assert!(ran(code), "{dsn} {time}: {code} {printed}");
        }
        fs::write(folder.path().join("own.sql"), "CALL p();\nUPDATE account SET balance = 1;\n").expect("a file");
        let (code, printed) = run(folder.path(), &text);
        // Of PostgreSQL, other databases are not reached from this one.
        let refused = code == 1 && printed.contains("would write into tables that Tenbin did not make");
        assert_eq!(refused, dsn == maria.dsn(), "{code} {printed}");
    }
    assert_eq!(query(&maria, "SELECT COUNT(*) FROM shop.account"), [["1"]]);
}

/// What only looks like a table of the script's own, or is of a kind of its own.
#[test]
fn views_and_tables_with_a_history_are_of_others_too() {
    let maria = mariadb(&[]);
    for text in [
        "CREATE TABLE history (a INT) WITH SYSTEM VERSIONING",
        "INSERT INTO history VALUES (1)",
        "CREATE VIEW stands AS SELECT * FROM history",
    ] {
        query(&maria, text);
    }
    let pg = postgres(&[]);
    for text in [
        "CREATE TABLE history (a INT)",
        "INSERT INTO history VALUES (1)",
        "CREATE VIEW stands AS SELECT * FROM history",
    ] {
        query(&pg, text);
    }
    for server in [&maria, &pg] {
        let folder = folder();
        for script in ["CREATE TABLE IF NOT EXISTS stands (a INT);\nDELETE FROM stands;\n", "DELETE FROM history;\n"] {
            let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), ONCE);
            let told =
                printed.contains("would write into tables that Tenbin did not make") && printed.contains("history");
            assert!(code == 1 && told, "{script} {code} {printed}");
        }
        assert_eq!(query(server, "SELECT COUNT(*) FROM history"), [["1"]]);
        // A table that is not there is the script's own.
        let own = b"CREATE TABLE IF NOT EXISTS mine (a INT);\nDELETE FROM mine;\n";
        let (code, printed) = bench(folder.path(), own, &server.dsn(), ONCE);
        assert!(ran(code), "{code} {printed}");
    }
}

/// What commits survive is not told from the server's settings if the script has others.
#[test]
fn a_script_that_sets_what_its_commits_survive_is_named() {
    let pg = postgres(&[]);
    let folder = folder();
    for (script, told) in [
        ("SELECT 1;\n", "commits survive a power failure"),
        ("SET synchronous_commit = off;\nSELECT 1;\n", "is set by the load: own.sql:1: SET synchronous_commit = off"),
    ] {
        let (code, printed) = bench(folder.path(), script.as_bytes(), &pg.dsn(), ONCE);
        assert!(ran(code) && printed.contains(told), "{script} {code} {printed}");
        assert_eq!(printed.contains("commits survive a power failure"), script.starts_with("SELECT"), "{printed}");
    }
    // So does one in Lua.
    let lua = folder.path().join("own.lua");
    let text = "function thread_init()\n con = sysbench.sql.driver():connect()\n con:query('SET synchronous_commit = off')\nend\n\
                function event() con:query('SELECT 1') end\n";
    std::fs::write(&lua, text).unwrap();
    let mut command = tenbin();
    command.arg("bench").arg(&lua).arg(pg.dsn()).args(ONCE).arg("--runs").arg(folder.path().join("runs"));
    let (code, out, err) = output_of(&mut command);
    assert!(ran(code) && out.contains("own.lua:3: con:query('SET synchronous_commit = off')"), "{code} {out}{err}");
}

/// The tables that it writes to decide what its commits survive, and not the others of the schema.
#[test]
fn the_tables_of_a_script_decide_what_its_commits_survive() {
    let more = [ONCE, &["--allow", "write-unmarked"]].concat();
    let maria = mariadb(&[("innodb_flush_log_at_trx_commit", "1")]);
    for sql in [
        "CREATE TABLE kept (a INT) ENGINE = InnoDB",
        "CREATE TABLE beside (a INT) ENGINE = MyISAM",
        "CREATE DATABASE o2",
        "CREATE TABLE o2.plain (a INT) ENGINE = MyISAM",
    ] {
        query(&maria, sql);
    }
    let pg = postgres(&[]);
    for sql in ["CREATE TABLE kept (a INT)", "CREATE UNLOGGED TABLE beside (a INT)", "CREATE SCHEMA o2"] {
        query(&pg, sql);
    }
    query(&pg, "CREATE UNLOGGED TABLE o2.plain (a INT)");
    for (dsn, told) in [(maria.dsn(), "have no transactions"), (pg.dsn(), "empties the tables")] {
        for (table, weak) in [("kept", false), ("beside", true), ("o2.plain", true)] {
            let folder = folder();
            let script = format!("INSERT INTO {table} VALUES (1);\n");
            let (code, printed) = bench(folder.path(), script.as_bytes(), &dsn, &more);
            assert!(ran(code), "{code} {printed}");
            assert_eq!(printed.contains(told), weak, "{table}: {printed}");
        }
    }
}
