//! What goes wrong with TPC-C's tables on a real server, and what is said: another tool's tables, an engine without
//! foreign keys, a disk that is full, a database that dies in mid-load.

use std::time::{Duration, Instant};
use tenbin_tests::tpcc::{bench, check, in_background, load, loaded, number, query, wait_for_parts};
use tenbin_tests::{Phoenix, mariadb, output_of, tenbin};

/// Tables as go-tpc lays them out: new_order without s, four decimals, no layout of ours. The smallest warehouse that
/// the conditions hold for: a district, a customer, an order that is delivered and one that is not.
const OF_GO_TPC: &[&str] = &[
    "CREATE TABLE warehouse (w_id INT NOT NULL, w_name VARCHAR(10), w_tax DECIMAL(4, 4), w_ytd DECIMAL(12, 2), PRIMARY KEY (w_id))",
    "CREATE TABLE district (d_id INT NOT NULL, d_w_id INT NOT NULL, d_tax DECIMAL(4, 4), d_ytd DECIMAL(12, 2), d_next_o_id INT, PRIMARY KEY (d_w_id, d_id))",
    "CREATE TABLE customer (c_id INT NOT NULL, c_d_id INT NOT NULL, c_w_id INT NOT NULL, c_last VARCHAR(16), c_balance DECIMAL(12, 2), c_ytd_payment DECIMAL(12, 2), c_data VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id))",
    "CREATE TABLE history (h_c_id INT NOT NULL, h_c_d_id INT NOT NULL, h_c_w_id INT NOT NULL, h_d_id INT NOT NULL, h_w_id INT NOT NULL, h_amount DECIMAL(6, 2))",
    "CREATE TABLE new_order (no_o_id INT NOT NULL, no_d_id INT NOT NULL, no_w_id INT NOT NULL, PRIMARY KEY (no_w_id, no_d_id, no_o_id))",
    "CREATE TABLE orders (o_id INT NOT NULL, o_d_id INT NOT NULL, o_w_id INT NOT NULL, o_c_id INT, o_carrier_id INT, o_ol_cnt INT, PRIMARY KEY (o_w_id, o_d_id, o_id))",
    "CREATE TABLE order_line (ol_o_id INT NOT NULL, ol_d_id INT NOT NULL, ol_w_id INT NOT NULL, ol_number INT NOT NULL, ol_i_id INT NOT NULL, ol_delivery_d DATETIME, ol_amount DECIMAL(6, 2), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))",
    "CREATE TABLE stock (s_i_id INT NOT NULL, s_w_id INT NOT NULL, PRIMARY KEY (s_w_id, s_i_id))",
    "CREATE TABLE item (i_id INT NOT NULL, PRIMARY KEY (i_id))",
    "INSERT INTO warehouse VALUES (1, 'one', 0.1234, 10.00)",
    "INSERT INTO district VALUES (1, 1, 0.0500, 10.00, 3)",
    "INSERT INTO customer VALUES (1, 1, 1, 'BARBARBAR', -3.00, 10.00, 'x')",
    "INSERT INTO history VALUES (1, 1, 1, 1, 1, 10.00)",
    "INSERT INTO orders VALUES (1, 1, 1, 1, 5, 2), (2, 1, 1, 1, NULL, 1)",
    "INSERT INTO new_order VALUES (2, 1, 1)",
    "INSERT INTO order_line VALUES (1, 1, 1, 1, 7, NOW(), 3.00), (1, 1, 1, 2, 8, NOW(), 4.00), (2, 1, 1, 1, 9, NULL, 5.00)",
];

#[test]
fn another_tools_tables_are_told_checked_and_left_alone() {
    let server = mariadb(&[]);
    let (dsn, runs) = (server.dsn(), tempfile::tempdir().expect("a directory"));
    for sql in OF_GO_TPC {
        query(&dsn, sql);
    }
    let before = query(&dsn, "CHECKSUM TABLE warehouse, district, customer, history, new_order, orders, order_line");
    for more in [&[][..], &["--drop"], &["--only-drop"], &["-o", "adopt=on"]] {
        let (code, out, err) = output_of(&mut load(&dsn, 1, more));
        assert_eq!(code, 1, "{more:?}: {out}{err}");
        assert!(err.contains("Tenbin did not make") || err.contains("nothing is dropped"), "{more:?}: {err}");
    }
    let (code, _, err) = output_of(&mut bench(&dsn, 1, runs.path(), &[]));
    assert!(code != 0 && err.contains("there is a table new_order, as go-tpc, HammerDB or BenchBase make it"), "{err}");
    check(&dsn, &[]);
    assert_eq!(
        query(&dsn, "CHECKSUM TABLE warehouse, district, customer, history, new_order, orders, order_line"),
        before
    );
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA=DATABASE()"), 9);
    // A delivered order that stays a new order: 3 shows a gap's absence, 5 and 7 the contradiction.
    query(&dsn, "UPDATE orders SET o_carrier_id=3 WHERE o_id=2");
    let (code, out, _) = output_of(tenbin().args(["check", &dsn]));
    assert!(code == 3 && out.contains("2 fail"), "{out}");
}

#[test]
fn an_engine_without_foreign_keys_is_told_before_a_row_goes_in() {
    let server = mariadb(&[]);
    let dsn = server.dsn();
    for engine in ["Aria", "MyISAM"] {
        let chosen = format!("mysql_storage_engine={engine}");
        let (code, _, err) = output_of(&mut load(&dsn, 1, &["-o", "foreign_keys=on", "-o", &chosen]));
        assert!(code == 1 && err.contains(&format!("the storage engine {engine} has no foreign keys")), "{err}");
    }
    assert_eq!(query(&dsn, "SHOW TABLES"), Vec::<String>::new(), "nothing was made");
    // A partitioned table is never made for us, but the user may have made it beforehand.
    loaded(&dsn, 1, &[]);
    query(&dsn, "ALTER TABLE order_line PARTITION BY HASH (ol_w_id) PARTITIONS 4");
    let (code, _, err) = output_of(&mut load(&dsn, 1, &["-o", "foreign_keys=on"]));
    assert!(code == 1 && err.contains("loaded with another foreign_keys"), "{err}");
    check(&dsn, &["--fresh"]);
}

#[test]
fn a_full_disk_on_the_server_is_told_and_the_load_goes_on_when_there_is_room() {
    // A tablespace that may not grow says what a full disk says (error 1114), on any machine and without rights; what
    // fills it can be taken out again.
    let small = [("innodb_file_per_table", "0"), ("innodb_data_file_path", "ibdata1:12M:autoextend:max:280M")];
    let server = mariadb(&small);
    let (dsn, other) = (server.dsn(), server.dsn().replace("/sbtest", "/other"));
    query(&dsn, "CREATE DATABASE other");
    query(&other, "CREATE TABLE ballast (b LONGBLOB) SELECT REPEAT('x', 1000000) AS b FROM seq_1_to_200");
    let (code, _, err) = output_of(&mut load(&dsn, 1, &["-o", "foreign_keys=on"]));
    assert!(code == 1 && err.contains("is full") && err.contains("(error 1114)"), "{err}");
    assert!(err.contains("rows are in, and stay") && err.contains("the same again goes on from there"), "{err}");
    query(&other, "DROP TABLE ballast");
    // The server gives the room back by and by.
    let start = Instant::now();
    while output_of(&mut load(&dsn, 1, &["-o", "foreign_keys=on"])).0 != 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "it never goes on");
        std::thread::sleep(Duration::from_millis(500));
    }
    check(&dsn, &["--fresh"]);
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM history"), 30_000, "no row twice");
}

#[test]
fn a_server_killed_in_mid_load_is_told_and_the_load_goes_on() {
    let mut server = Phoenix::start(&[("innodb_flush_log_at_trx_commit", "1")]);
    let dsn = server.dsn();
    for parts in [1, 6] {
        let mut child = in_background(load(&dsn, 1, &["--streams", "2"]));
        wait_for_parts(&dsn, parts);
        server.crash();
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(1), "the load says that it was broken");
        server.rise();
    }
    loaded(&dsn, 1, &[]);
    check(&dsn, &["--fresh"]);
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM history"), 30_000, "no row twice");
}
