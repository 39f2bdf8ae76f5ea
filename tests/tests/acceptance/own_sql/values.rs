//! What results and variables are: a value that is stored is the same whether its statement came as text or was prepared, a number is a number on every
//! database, and rows are counted once.

use super::folder;
use super::wrong::{bench, ran};
use std::path::Path;
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, postgres, read_back};

const OFTEN: &[&str] = &["--ops", "3", "--threads", "1", "--allow", "write-unmarked"];

/// Executes a script three times, without a failure.
fn all_complete(folder: &Path, script: &str, server: &str, more: &[&str]) {
    let (code, printed) = bench(folder, script.as_bytes(), server, more);
    assert!(ran(code), "{script} {code} {printed}");
    let json = read_back(&folder.join("runs")).1;
    assert_eq!(json["trials"][0]["accounting"]["completed"], 3, "{script} {printed}");
}

/// Stores values and writes them down; what was written the first time, and what in later transactions.
fn stored(server: &str, table: &str, columns: &[&str]) -> Vec<String> {
    let folder = folder();
    query(server, "CREATE TABLE seen (t VARCHAR(2000))");
    query(server, table);
    let shown: Vec<String> = columns.iter().map(|column| format!("{column}=:{column}")).collect();
    let script = format!(
        "\\set one 1\nSELECT {} FROM kept WHERE id = :one \\gset\nINSERT INTO seen VALUES ('{}'); -- tenbin: text\n",
        columns.join(", "),
        shown.join(" ")
    );
    let (code, printed) = bench(folder.path(), script.as_bytes(), server, OFTEN);
    assert!(ran(code), "{code} {printed}");
    query(server, "SELECT t FROM seen").into_iter().map(|mut row| row.remove(0)).collect()
}

// The first execution of such a statement asks for the names of its columns, and its rows come as text; then it is prepared.
#[test]
fn a_stored_value_is_the_same_in_every_transaction() {
    let server = mariadb(&[]);
    let table = "CREATE TABLE kept AS SELECT 1 AS id, DATE '2024-02-29' AS d, CAST('2024-02-29 01:02:03.45' AS DATETIME(3)) AS ts, \
                 CAST('-101:02:03.4' AS TIME(2)) AS tm, 18446744073709551615 AS big, CAST(0.1 AS FLOAT) AS f, 1e20 AS e, 0.1e0 AS x";
    let stored_values = stored(&server.dsn(), table, &["d", "ts", "tm", "big", "f", "e", "x"]);
    let wanted = "d=2024-02-29 ts=2024-02-29 01:02:03.450 tm=-101:02:03.40 big=18446744073709551615 f=0.1 e=1e20 x=0.1";
    assert_eq!(stored_values, [wanted; 3]);

    let server = postgres(&[]);
    let table = "CREATE TABLE kept AS SELECT 1 AS id, DATE '2024-02-29' AS d, 0.1::real AS f, '-infinity'::float8 AS low, 1e300::float8 AS high, \
                 1e-7::float8 AS small, 3::float8 AS whole";
    let stored_values = stored(&server.dsn(), table, &["d", "f", "low", "high", "small", "whole"]);
    assert_eq!(stored_values, ["d=2024-02-29 f=0.1 low=-Infinity high=1e+300 small=1e-07 whole=3"; 3]);

    let folder = folder();
    let file = format!("sqlite:{}", folder.path().join("t.db").display());
    let stored_values =
        stored(&file, "CREATE TABLE kept AS SELECT 1 AS id, 3.0 AS whole, 1e300 AS high", &["whole", "high"]);
    assert_eq!(stored_values, ["whole=3.0 high=1e+300"; 3]);
}

/// The bytes of a key that is stored find its row, from the first transaction on, and whether it is prepared or not.
#[test]
fn bytes_that_are_stored_are_those_of_the_server() {
    let (on_mariadb, here) = (mariadb(&[]), folder());
    let file = format!("sqlite:{}", here.path().join("t.db").display());
    for server in [on_mariadb.dsn(), file] {
        query(&server, "CREATE TABLE keyed (k VARBINARY(20), id INT)");
        query(&server, "CREATE TABLE seen (h VARCHAR(40))");
        query(&server, "INSERT INTO keyed VALUES (x'00FF27', 1)");
        for request in ["SELECT k FROM keyed \\gset\n", "\\set i 1\nSELECT k FROM keyed WHERE id = :i \\gset\n"] {
            let script = format!(
                "{request}-- tenbin: name=found expect=\"rows = 1\"\nSELECT id FROM keyed WHERE k = :k;\nINSERT INTO seen SELECT HEX(:k);\n"
            );
            all_complete(here.path(), &script, &server, OFTEN);
        }
        assert_eq!(query(&server, "SELECT h, COUNT(*) FROM seen GROUP BY h"), [["00FF27", "6"]], "{server}");
    }
}

/// SQLite compares a number with a text by their types, and finds nothing.
#[test]
fn a_number_in_a_text_is_compared_as_one() {
    let (on_mariadb, on_postgres, here) = (mariadb(&[]), postgres(&[]), folder());
    let file = format!("sqlite:{}", here.path().join("t.db").display());
    for server in [on_mariadb.dsn(), on_postgres.dsn(), file] {
        query(&server, "CREATE TABLE t (a INT, b VARCHAR(10))");
        query(&server, "INSERT INTO t VALUES (1, '007')");
        let script = "SELECT count(*) AS n, b AS c FROM t GROUP BY b \\gset\n\
                      -- tenbin: name=counted expect=\"rows = 1\"\n\
                      SELECT b FROM t GROUP BY b HAVING count(*) = :n AND count(*) < :half;\n\
                      -- tenbin: name=text expect=\"rows = 1\"\n\
                      SELECT b FROM t WHERE b = :c;\n\
                      SELECT 1e20 AS d \\gset\n\
                      -- tenbin: name=double expect=\"rows = 1\"\n\
                      SELECT b FROM t WHERE :d > 9e19 AND :d < 11e19;\n";
        let more = ["--ops", "3", "--threads", "1", "-o", "define=half=2"];
        all_complete(here.path(), script, &server, &more);
    }
}

#[test]
fn rows_that_a_change_returns_are_counted_once() {
    let (on_mariadb, on_postgres, here) = (mariadb(&[]), postgres(&[]), folder());
    let file = format!("sqlite:{}", here.path().join("t.db").display());
    for server in [on_mariadb.dsn(), on_postgres.dsn(), file] {
        query(&server, "CREATE TABLE t (a INT)");
        let script = "\\set a random(1, 9)\n\
                      -- tenbin: name=both expect=\"rows = 1\"\n\
                      INSERT INTO t VALUES (:a) RETURNING a;\n\
                      -- tenbin: name=plain expect=\"rows = 1\"\n\
                      INSERT INTO t VALUES (5) RETURNING a;\n";
        all_complete(here.path(), script, &server, OFTEN);
    }
}

/// As doubles these numbers are equal.
#[test]
fn a_wrong_answer_is_one_in_its_last_digit_too() {
    let here = folder();
    let file = format!("sqlite:{}", here.path().join("t.db").display());
    for (statement, expect, words) in [
        ("SELECT 9007199254740993;", "value = 9007199254740992", "found 9007199254740993"),
        ("SELECT 9007199254740993;", "value > 9007199254740992", ""),
        ("SELECT '12345678901234567.25';", "value = 12345678901234567", "found 12345678901234567.25"),
        ("SELECT 'a word';", "value = 1", "found a word"),
        ("SELECT NULL;", "value = 1", "found NULL"),
        ("SELECT '1.50';", "value = 1.5", ""),
        ("SELECT 't';", "value = true", ""),
        ("SELECT 0;", "value = true", "found 0"),
    ] {
        let script = format!("-- tenbin: name=q expect=\"{expect}\"\n{statement}\n");
        let (code, printed) = bench(here.path(), script.as_bytes(), &file, OFTEN);
        match words {
            "" => all_complete(here.path(), &script, &file, OFTEN),
            words => assert!(printed.contains(words), "{statement} {code} {printed}"),
        }
    }
}

/// As a parameter it would be a constant to PostgreSQL and SQLite, and nothing would be sorted.
#[test]
fn the_number_of_a_column_means_the_same_on_each_server() {
    let (on_mariadb, on_postgres, here) = (mariadb(&[]), postgres(&[]), folder());
    let file = format!("sqlite:{}", here.path().join("t.db").display());
    for server in [on_mariadb.dsn(), on_postgres.dsn(), file] {
        query(&server, "CREATE TABLE t (id INT)");
        query(&server, "INSERT INTO t VALUES (2), (3), (1)");
        let script = "\\set n 1\n-- tenbin: expect=\"value = 3\"\nSELECT id FROM t ORDER BY :n DESC LIMIT 1;\n";
        all_complete(here.path(), script, &server, OFTEN);
    }
}
