//! Decimal commas, and rows and columns of something else than figures: each table with the figures that are right.

use crate::reading::{agree, remarks};
use tenbin_published::{FigureKind, audit, read};

#[test]
fn one_cell_settles_the_decimal_sign_of_a_table() {
    agree(&[
        (
            "threads;TPS;avg (ms)\n1;5000;0,200\n8;20000;0,400\n",
            "clients 1 tps 5000 mean_ms 0.2; clients 8 tps 20000 mean_ms 0.4",
        ),
        (
            "threads;TPS;avg (ms)\n1;5000;0,951\n8;7000;1,120\n",
            "clients 1 tps 5000 mean_ms 0.951; clients 8 tps 7000 mean_ms 1.12",
        ),
        // No cell settles it but the one without a separator, in a file of semicolons.
        ("threads;TPS;avg (ms)\n1;5000;1,234\n", "clients 1 tps 5000 mean_ms 1.234"),
        (
            "|threads|TPS|avg (ms)|\n|-|-|-|\n|8|16.000|0,500|\n|16|20.000|0,800|\n",
            "clients 8 tps 16000 mean_ms 0.5; clients 16 tps 20000 mean_ms 0.8",
        ),
        ("|threads|TPS|avg (ms)|\n|-|-|-|\n|8|5.000,25|1,600|\n", "clients 8 tps 5000.25 mean_ms 1.6"),
        ("|threads|TPS|avg|\n|-|-|-|\n|8|16.000|0,500 ms|\n", "clients 8 tps 16000 mean_ms 0.5"),
        // Points are the decimal sign.
        ("|threads|TPS|avg (ms)|\n|-|-|-|\n|8|1,234|6.48|\n", "clients 8 tps 1234 mean_ms 6.48"),
        ("|threads|TPS|avg (ms)|\n|-|-|-|\n|8|1.234|0.500|\n", "clients 8 tps 1.234 mean_ms 0.5"),
        ("threads;TPS;avg (ms)\n8;1,234;6.48\n", "clients 8 tps 1234 mean_ms 6.48"),
        ("threads;TPS\n8;1,234\n16;2,345\n", "clients 8 tps 1234; clients 16 tps 2345"),
        // What is no figure of a result says it too.
        ("|threads|TPS|CPU|\n|-|-|-|\n|8|16.000|62,5%|\n", "clients 8 tps 16000"),
        ("|threads|TPS|TPS per core|\n|-|-|-|\n|8|16.000|2000,5|\n", "clients 8 tps 16000"),
        (
            "|threads|old|new|Diff|\n|-|-|-|-|\n|8|16.000|20.000|+25,0%|\n",
            "old clients 8 unstated 16000; new clients 8 unstated 20000",
        ),
        ("|threads|avg (ms)|CPU|\n|-|-|-|\n|8|1,234|62,5%|\n", "clients 8 mean_ms 1.234"),
        ("|threads|avg (ms)|Max TPS|\n|-|-|-|\n|8|1,234|62.5|\n", "clients 8 mean_ms 1234"),
        // Thousands and decimal places with points.
        (
            "|clients|tps|avg (ms)|\n|-|-|-|\n|1|1.436|0.70|\n|4|5.082|0.79|\n|96|12.456|7.71|\n",
            "clients 1 tps 1436 mean_ms 0.7; clients 4 tps 5082 mean_ms 0.79; clients 96 tps 12456 mean_ms 7.71",
        ),
        (
            "|clients|tps|avg (ms)|\n|-|-|-|\n|1|1.436|0.20|\n|4|5.082|0.30|\n",
            "clients 1 tps 1.436 mean_ms 0.2; clients 4 tps 5.082 mean_ms 0.3",
        ),
        // Both, each in its own cells: Little's law says what the others are.
        (
            "threads;TPS;avg (ms);sd\n2;409,18;4,888;2.94\n4;1153,36;3,468;7.72\n",
            "clients 2 tps 409.18 mean_ms 4.888 deviation 2.94; clients 4 tps 1153.36 mean_ms 3.468 deviation 7.72",
        ),
        (
            "threads;TPS;avg (ms);sd\n2;409,18;4,89;2.94\n4;1153,36;3,468;7.72\n",
            "clients 2 tps 409.18 mean_ms 4.89 deviation 2.94; clients 4 tps 1153.36 mean_ms 3.468 deviation 7.72",
        ),
        // A version is no figure.
        (
            "|version|threads|TPS|avg (ms)|\n|-|-|-|-|\n|5.7|8|16.000|0,500|\n",
            "version=5.7 clients 8 tps 16000 mean_ms 0.5",
        ),
    ]);
}

#[test]
fn littles_law_says_which_of_two_readings_is_right_or_it_is_told() {
    let table = |tps: &str, mean: &str| format!("|threads|TPS|avg (ms)|\n|-|-|-|\n|1|{tps}|{mean}|\n");
    agree(&[
        (&table("800", "1,250"), "clients 1 tps 800 mean_ms 1.25"),
        (&table("1.000", "1"), "clients 1 tps 1000 mean_ms 1"),
        (&table("1,000", "1"), "clients 1 tps 1000 mean_ms 1"),
        (&table("700", "1,250"), "clients 1 tps 700 mean_ms 1250"),
    ]);
    assert!(remarks(&table("700", "1,250")).contains(&"published-comma-open".to_owned()));
    for words in [table("800", "1,250"), table("1,000", "1"), table("700", "1,250.5")] {
        assert!(!remarks(&words).contains(&"published-comma-open".to_owned()), "{words}");
    }
    // A rate with exactly three digits behind the point is either, and is not read.
    let point = "published-point-open".to_owned();
    let open = "|threads|TPS|p95|\n|-|-|-|\n|8|16.123|4 ms|\n|16|20.456|5 ms|\n";
    agree(&[(open, "clients 8 p95_ms 4; clients 16 p95_ms 5"), ("|threads|TPS|\n|-|-|\n|8|16.123|\n", "nothing")]);
    assert!(remarks(open).contains(&point));
    for (words, results) in [
        ("|threads|TPS|\n|-|-|\n|8|16.123|\n|16|20.4|\n", "clients 8 tps 16.123; clients 16 tps 20.4"),
        ("threads,TPS\n8,16.123\n", "clients 8 tps 16.123"),
        (
            "[{\"threads\":8,\"tps\":16.123},{\"threads\":16,\"tps\":20.456}]",
            "clients 8 tps 16.123; clients 16 tps 20.456",
        ),
        (&table("1.000", "1"), "clients 1 tps 1000 mean_ms 1"),
    ] {
        agree(&[(words, results)]);
        assert!(!remarks(words).contains(&point), "{words}");
    }
}

const PGBENCH: &str =
    "transaction type: x\nnumber of clients: 4\nduration: 30 s\nnumber of transactions actually processed: 2290\n";

#[test]
fn pgbench_has_decimal_commas_and_a_mean_with_the_time_of_connecting() {
    let log = "transaction type: x\nnumber of clients: 8\nduration: 30 s\nnumber of transactions actually processed: 2400000\nlatency average = 0,100 ms\ntps = 80000,123 (without initial connection time)\n";
    agree(&[(log, "clients 8 tps 80000.123 mean_ms 0.1 seconds 30 transactions 2400000")]);
    let each = format!(
        "{PGBENCH}latency average = 52.400 ms\ntps = 76.3 (including connections establishing)\ntps = 91.3 (excluding connections establishing)\n"
    );
    agree(&[(&each, "clients 4 tps 76.3 mean_ms 52.4 seconds 30 transactions 2290")]);
    assert_eq!(audit(&read(each.as_bytes(), "x").unwrap()).verdict_name(), "VALID");
}

#[test]
fn a_row_of_percentages_is_not_that_of_the_headings() {
    let rows = ["|TPS|1000|900|\n", "|p99 (ms)|14|20|\n"];
    let figures = "A tps 1000 p99_ms 14; B tps 900 p99_ms 20";
    for share in ["CPU", "Error rate", "Buffer pool hit rate", "CPU使用率"] {
        let share = format!("|{share}|35%|70%|\n");
        for at in 0..3 {
            let mut rows = rows.to_vec();
            rows.insert(at, &share);
            agree(&[
                (&format!("|Metric|A|B|\n|-|-|-|\n{}", rows.concat()), figures),
                (&format!("||A|B|\n|-|-|-|\n{}", rows.concat()), figures),
            ]);
        }
    }
    agree(&[
        ("metric,A,B\nTPS,1000,900\nCPU,35%,70%\n", "A tps 1000; B tps 900"),
        (
            "|Threads|8|16|32|\n|-|-|-|-|\n|TPS|1000|1500|1800|\n|CPU|40%|60%|90%|\n",
            "clients 8 tps 1000; clients 16 tps 1500; clients 32 tps 1800",
        ),
        ("|threads|95%|99%|\n|-|-|-|\n|8|12 ms|14 ms|\n", "clients 8 p95_ms 12 p99_ms 14"),
    ]);
}

#[test]
fn a_share_does_not_say_what_the_point_of_mixed_numbers_is() {
    let text = |rates: [&str; 3]| {
        let rows = ["8", "16", "32"].iter().zip(rates).map(|(clients, rate)| format!("|{clients}|{rate}|-6.3%|\n"));
        format!("|Clients|TPS|Diff|\n|--|--|--|\n{}", rows.collect::<String>())
    };
    assert!(read(text(["180", "463", "9.462"]).as_bytes(), "x").is_err());
    for (rates, second) in [(["180.5", "463", "9.462"], 463.0), (["1.250", "2.500", "9.462"], 2.5)] {
        let read = read(text(rates).as_bytes(), "x").expect("a table");
        assert_eq!(read.results[1].get(FigureKind::Tps), Some(second), "{rates:?}");
    }
}
