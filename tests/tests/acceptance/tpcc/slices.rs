//! A TPC-C load in slices, as tpcc-mysql's load.sh begins them side by side; and tables that somebody else made for it.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::process::{Child, Stdio};
use tenbin_driver::{Connector, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_tests::{mariadb, output_of, tenbin, wait_until};

const TABLES: [&str; 9] =
    ["warehouse", "district", "item", "customer", "history", "stock", "orders", "new_orders", "order_line"];

/// The last column of each row of an answer.
fn ask(dsn: &str, sql: &str) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let connector = Connector::new(Dsn::parse(dsn).unwrap(), None).unwrap();
        let mut c = connector.connect(Transport::Alone).await.unwrap();
        let table = c.table(sql).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
        c.close().await;
        table.rows.into_iter().map(|row| row.last().cloned().flatten().unwrap_or_default()).collect()
    })
}

fn load(dsn: &str, more: &[&str]) -> std::process::Command {
    let mut command = tenbin();
    command.args(["load", "tpcc", dsn, "--streams", "1", "-o", "warehouses=2", "-o", "foreign_keys=on"]).args(more);
    command
}

fn slice(dsn: &str, part: &str, first: u32, last: u32) -> std::process::Command {
    let range = [format!("part={part}"), format!("first_warehouse={first}"), format!("last_warehouse={last}")];
    load(dsn, &range.each_ref().map(|o| ["-o", o]).concat())
}

fn wait(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn slices_begun_side_by_side_make_one_whole_and_a_broken_one_goes_on() {
    let server = mariadb(&[]);
    let (dsn, whole, theirs) =
        (server.dsn(), server.dsn().replace("/sbtest", "/whole"), server.dsn().replace("/sbtest", "/theirs"));
    ask(&dsn, "CREATE DATABASE whole");
    let begin = |mut c: std::process::Command| c.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();

    // One is killed somewhere, while the others go on.
    let mut broken = begin(slice(&dsn, "orders", 1, 1));
    let others: Vec<Child> =
        [("items", 1, 2), ("warehouse", 1, 2), ("customer", 1, 1), ("customer", 2, 2), ("orders", 2, 2)]
            .map(|(part, first, last)| begin(slice(&dsn, part, first, last)))
            .into();
    let orders = "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME='orders'";
    wait_until("some of its rows are in", || {
        ask(&dsn, orders) == ["1"] && ask(&dsn, "SELECT COUNT(*)>0 FROM orders WHERE o_w_id=1") == ["1"]
    });
    broken.kill().unwrap();
    broken.wait().unwrap();
    others.into_iter().for_each(wait);
    let complete = "SELECT value FROM tenbin_tpcc WHERE name='complete'";
    assert_eq!(ask(&dsn, complete), ["0"], "a slice is missing");
    let (code, _, err) = output_of(&mut slice(&dsn, "items", 1, 2));
    assert_eq!(code, 0, "what is in is no error: {err}");
    wait(begin(slice(&dsn, "orders", 1, 1)));
    assert_eq!(ask(&dsn, complete), ["2"], "the last one makes it whole");

    wait(begin(load(&whole, &[])));
    let sums = |dsn: &str| ask(dsn, &format!("CHECKSUM TABLE {}", TABLES.join(", ")));
    assert_eq!(sums(&dsn), sums(&whole), "row by row the same");
    let made = |dsn: &str, of: &str| {
        ask(dsn, &format!("SELECT COUNT(*) FROM information_schema.{of} WHERE TABLE_SCHEMA=DATABASE()"))
    };
    for of in ["TABLE_CONSTRAINTS", "STATISTICS"] {
        assert_eq!(made(&dsn, of), made(&whole, of), "{of}");
    }
    let (code, _, err) = output_of(&mut slice(&dsn, "orders", 1, 3));
    assert!(code == 1 && err.contains("warehouses 1 to 3 are no part of 2"), "{err}");

    // Somebody else's tables, made and empty.
    ask(&dsn, "CREATE DATABASE theirs");
    TABLES.iter().for_each(|t| drop(ask(&theirs, &format!("CREATE TABLE {t} LIKE whole.{t}"))));
    let (code, _, err) = output_of(&mut load(&theirs, &[]));
    assert!(code == 1 && err.contains("did not make"), "only when it is asked for: {err}");
    ask(&theirs, "INSERT INTO warehouse (w_id) VALUES (1)");
    let (code, _, err) = output_of(&mut load(&theirs, &["-o", "adopt=on"]));
    assert!(code == 1 && err.contains("2 warehouses are wanted, 1 is there") && err.contains("did not make"), "{err}");
    ask(&theirs, "DELETE FROM warehouse");
    wait(begin(load(&theirs, &["-o", "adopt=on"])));
    assert_eq!(sums(&theirs), sums(&whole));
    assert_eq!(ask(&theirs, "SELECT name FROM tenbin_mark"), ["tenbin_tpcc"], "only that is ours");
    let (code, _, err) = output_of(&mut load(&theirs, &["-o", "adopt=on", "--only-drop"]));
    assert!(code == 1 && err.contains("does not carry Tenbin's mark"), "{err}");
    assert_eq!(ask(&theirs, "SHOW TABLES").len(), 11);
}
