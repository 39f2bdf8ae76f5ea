//! What the text of a script does not show is refused by the server: sessions of scripts that only read are read-only. What changes the
//! server itself is refused by its text. And what UPDATE reports is the same on every server.

use super::folder;
use super::wrong::{bench, ran};
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, postgres, read_back};

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
