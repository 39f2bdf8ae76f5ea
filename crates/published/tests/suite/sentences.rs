//! Figures within sentences.

use crate::reading::{agree, remarks};
use tenbin_published::{audit, read};

#[test]
fn sentences_are_read_where_no_table_is() {
    agree(&[
        (
            "MySQL 8.0 reached 12,345 TPS with 64 threads, MariaDB 10.6 only 9,870 TPS.\n",
            "MySQL 8.0 clients 64 tps 12345; MariaDB 10.6 clients 64 tps 9870",
        ),
        (
            "At 128 threads, PostgreSQL 16 delivered 45,210 QPS with a p95 latency of 5.2 ms.\n",
            "PostgreSQL 16 clients 128 qps 45210 p95_ms 5.2",
        ),
        ("With 8 threads we got 1,000 TPS and an average latency of 8 ms.\n", "clients 8 tps 1000 mean_ms 8"),
        (
            "MySQL reached 2,000 TPS with 8 threads.\n\n|threads|TPS|\n|-|-|\n|8|1000|\n|16|1600|\n",
            "clients 8 tps 1000; clients 16 tps 1600",
        ),
        ("MySQL 8.0 did not reach 12,345 TPS with 64 threads.\n", "nothing"),
    ]);
}

#[test]
fn sentences_that_are_not_understood_are_said() {
    let text = "MySQL 8.0 reached 1,000 TPS.\nMariaDB might reach 2,000 TPS.\n";
    assert_eq!(remarks(text), ["published-sentence-not-understood"]);
    let why = read("MariaDB might reach 2,000 TPS.\n".as_bytes(), "x").unwrap_err();
    assert!(format!("{why:?}").contains("published-sentence-not-understood"), "{why:?}");
    // The items of a list that differ in their form are no rows of cells.
    let items = "## Results\n\n- MySQL 8.0 - 5400 tps, 11.8 ms\n- MariaDB - 5200 tps\n";
    let why = read(items.as_bytes(), "x").unwrap_err();
    assert!(format!("{why:?}").contains("published-sentence-not-understood"), "{why:?}");
}

#[test]
fn lines_of_one_form_are_results() {
    let lists = [
        (
            "8 threads: 1000 TPS, 8.0 ms\n16 threads: 1500 TPS, 10.67 ms\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67",
        ),
        (
            "## Results\n\n- MySQL 8.0 - 5400 tps, 11.8 ms\n- MariaDB - 5200 tps, 12.3 ms\n",
            "MySQL 8.0 tps 5400 mean_ms 11.8; MariaDB tps 5200 mean_ms 12.3",
        ),
    ];
    agree(&lists);
    let is_checked = |text: &str| {
        audit(&read(text.as_bytes(), "x").unwrap()).confirmed.iter().any(|held| held.is("published-little-holds"))
    };
    assert!(is_checked(lists[0].0));
}
