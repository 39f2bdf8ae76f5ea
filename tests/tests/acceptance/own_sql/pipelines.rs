//! `\startpipeline` … `\endpipeline`: what the server makes of it, and what is counted.

use super::folder;
use super::wrong::{bench, ran};
use tenbin_tests::{mariadb, postgres, read_back, sql};

const MORE: &[&str] = &["--time", "500ms", "--clients", "2", "--allow", "write-unmarked"];

/// On PostgreSQL a pipeline is a transaction up to each `\syncpipeline`, as under pgbench, and each of its statements is counted.
#[test]
fn a_pipeline_is_a_transaction_of_postgresql() {
    let (folder, server) = (folder(), postgres(&[]));
    sql::query(&server, "CREATE TABLE seen (script TEXT, tx BIGINT)");
    let insert = |name: &str| format!("INSERT INTO seen VALUES ('{name}', txid_current());\n");
    let (one, two) = (insert("one"), insert("two"));
    let script = format!(
        "\\startpipeline\n{one}{one}SELECT * FROM generate_series(1, 3);\n\\syncpipeline\n{two}\\endpipeline\n"
    );
    let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), MORE);
    assert!(ran(code), "{code} {printed}");
    let shape = sql::query(
        &server,
        "SELECT script, MIN(n), MAX(n), COUNT(*) FROM (SELECT script, tx, COUNT(*) AS n FROM seen GROUP BY 1, 2) AS t GROUP BY 1 ORDER BY 1",
    );
    let transactions = &shape[0][3];
    assert_eq!(shape, [["one", "2", "2", transactions], ["two", "1", "1", transactions]]);
    let (_, json) = read_back(&folder.path().join("runs"));
    let trial = &json["trials"][0];
    let completed = trial["accounting"]["completed"].as_u64().expect("a number");
    for (_, statement) in trial["statements"].as_object().expect("statements") {
        assert_eq!(statement["completed"].as_u64(), Some(completed), "{trial:#}");
    }
    let rows = |name: &str| {
        trial["statements"]
            .as_object()
            .into_iter()
            .flatten()
            .find(|(n, _)| n.contains(name))
            .map(|(_, s)| s["rows"].clone())
    };
    assert_eq!(rows("SELECT").and_then(|rows| rows.as_u64()), Some(3 * completed), "{trial:#}");

    // What follows an error is not executed, and what precedes it is rolled back.
    sql::query(&server, "TRUNCATE seen");
    let script = format!("\\startpipeline\n{two}\\syncpipeline\n{one}SELECT 1 / 0;\n{one}\\endpipeline\n");
    let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), MORE);
    assert!(code == 2 && printed.contains("division by zero") && printed.contains("line 5"), "{code} {printed}");
    assert_eq!(sql::query(&server, "SELECT DISTINCT script FROM seen"), [["two"]]);
}

/// A text that ends a literal arrives as it is, by a statement whose result is stored too, in its first execution and all others.
#[test]
fn values_of_a_pipeline_are_parameters() {
    for server in [postgres(&[]), mariadb(&[])] {
        let folder = folder();
        sql::query(&server, "CREATE TABLE seen (name VARCHAR(40), number BIGINT, part DOUBLE PRECISION)");
        let script = "SELECT 'O''Brien; --' AS name \\gset\n\
            SELECT REPLACE(:name, 'Brien', 'Hara') AS again, LENGTH(:name) AS n \\gset\n\\set half 0.5\n\
            \\startpipeline\nINSERT INTO seen VALUES (:name, :n, :half);\nINSERT INTO seen VALUES (:again, :n, :half);\n\
            \\syncpipeline\nDELETE FROM seen WHERE name = :again AND number = :n;\n\\endpipeline\n";
        // Without an index a second client would wait for the rows of the first.
        let one = &["--time", "500ms", "--clients", "1", "--allow", "write-unmarked"];
        let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), one);
        assert!(ran(code), "{code} {printed}");
        let names = "SELECT DISTINCT name, number, part FROM seen";
        assert_eq!(sql::query(&server, names), [["O'Brien; --", "11", "0.5"]]);
        let (_, json) = read_back(&folder.path().join("runs"));
        let statements = json["trials"][0]["statements"].as_object().expect("statements").clone();
        assert_eq!(statements.len(), 5, "{statements:#?}");
    }
}

/// A script has no rows to offer: the statement fails, however it is sent, and nothing is waited for.
#[test]
fn a_copy_from_the_client_is_an_error_wherever_it_stands() {
    let (folder, server) = (folder(), postgres(&[]));
    sql::query(&server, "CREATE TABLE seen (name TEXT)");
    for script in [
        "COPY seen FROM STDIN;\n",
        "-- tenbin: prepare\nCOPY seen FROM STDIN;\n",
        "\\startpipeline\nSELECT 1;\nCOPY seen FROM STDIN;\n\\endpipeline\n",
    ] {
        let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), MORE);
        assert!(code == 2 && printed.contains("no rows were offered"), "{script}: {code} {printed}");
    }
}
