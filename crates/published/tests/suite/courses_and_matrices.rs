//! Tables of the course of a run, and tables of targets with comparisons, times, other columns or the figure in their corner.

use crate::reading::{agree, remarks};
use tenbin_published::{audit, read};

fn codes(text: &str) -> Vec<String> {
    let audited = audit(&read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}")));
    { audited.doubts }.into_iter().map(|finding| finding.doubt.code).collect()
}

#[test]
fn moments_of_a_run_are_neither_runs_nor_repeats() {
    for text in [
        "Time (s),TPS,Transactions,avg latency (ms)\n1,1000,1000,8.0\n2,1010,1010,7.9\n3,990,990,8.1\n4,1000,1000,8.0\n",
        "elapsed,tps,failed\n10,1000,0\n20,1010,0\n30,990,0\n",
        "time(s),threads,tps,p95(ms)\n10,16,1000,18.2\n20,16,1010,18.0\n30,16,10,900.0\n",
        "経過時間(秒),TPS\n10,1000\n20,1010\n",
    ] {
        assert!(remarks(text).contains(&"published-column-clock".to_owned()), "{text} {:?}", remarks(text));
        let audited = audit(&read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}")));
        assert_eq!((codes(text), audited.verdict_name()), (vec![], "UNCHECKED"), "{text}");
        assert!(!audited.confirmed.iter().any(|message| message.is("published-repeated")), "{text}");
    }
    // Durations of runs.
    agree(&[
        (
            "threads,time (s),TPS\n8,60,1000\n16,120,1500\n32,180,1600\n",
            "clients 8 tps 1000 seconds 60; clients 16 tps 1500 seconds 120; clients 32 tps 1600 seconds 180",
        ),
        ("time (s),TPS\n60,1000\n60,1010\n60,990\n", "tps 1000 seconds 60; tps 1010 seconds 60; tps 990 seconds 60"),
        (
            "time (s),TPS,transactions\n10,100,1000\n20,100,2000\n30,100,3000\n",
            "tps 100 seconds 10 transactions 1000; tps 100 seconds 20 transactions 2000; tps 100 seconds 30 transactions 3000",
        ),
    ]);
}

#[test]
fn a_column_that_follows_from_two_targets_is_none() {
    for (heading, cells) in [
        ("Factor", ["1.2", "1.04"]),
        ("x", ["1.2", "1.04"]),
        ("what", ["1.2", "1.04"]),
        ("what", ["0.20", "0.04"]),
        ("what", ["20", "4"]),
        ("what", ["20", "10"]),
        ("what", ["+19", "+11"]),
        ("Δ", ["20", "11"]),
        ("変化率", ["1.3", "1.1"]),
        ("提升比例", ["0.3", "0.1"]),
        ("향상률", ["1.3", "1.1"]),
        ("Прирост", ["1.3", "1.1"]),
        ("Faktor", ["1.3", "1.1"]),
    ] {
        let text = format!("|threads|A|B|{heading}|\n|-|-|-|-|\n|1|100|120|{}|\n|8|250|260|{}|\n", cells[0], cells[1]);
        agree(&[(
            &text,
            "A clients 1 unstated 100; B clients 1 unstated 120; A clients 8 unstated 250; B clients 8 unstated 260",
        )]);
    }
    agree(&[(
        "threads,A,B,C\n1,100,120,110\n8,250,260,270\n",
        "A clients 1 unstated 100; B clients 1 unstated 120; C clients 1 unstated 110; A clients 8 unstated 250; B clients 8 unstated 260; C clients 8 unstated 270",
    )]);
}

#[test]
fn times_and_other_nouns_below_targets_are_no_rates() {
    agree(&[
        ("threads,A (ms),B (ms)\n1,1.1,1.2\n", "A clients 1 mean_ms 1.1; B clients 1 mean_ms 1.2"),
        ("threads,old [s],new [s]\n1,10,12\n", "old clients 1 mean_s 10; new clients 1 mean_s 12"),
        ("threads,Insert (s),Update (s)\n1,10,12\n", "clients 1 mean_s 10; clients 1 mean_s 12"),
        ("threads,A memory,B memory\n1,10,12\n", "nothing"),
        ("threads,Old (min),New (min)\n1,10,12\n", "nothing"),
        ("threads,A,B,CPU A,CPU B\n1,10,12,50,60\n", "A clients 1 unstated 10; B clients 1 unstated 12"),
        ("threads,A,B,Load (min)\n1,10,12,50\n", "A clients 1 unstated 10; B clients 1 unstated 12"),
        (
            "threads,A 8,B 16,Winner\n1,10,12,B\n8,20,25,B\n",
            "A 8 clients 1 unstated 10; B 16 clients 1 unstated 12; A 8 clients 8 unstated 20; B 16 clients 8 unstated 25",
        ),
    ]);
}

#[test]
fn a_figure_in_the_corner_is_that_of_the_targets() {
    let four = "A 1 clients 8 qps 1000; B 2 clients 8 qps 1100; A 1 clients 16 qps 1500; B 2 clients 16 qps 1600";
    agree(&[
        ("|QPS|A 1|B 2|\n|-|-|-|\n|8|1000|1100|\n|16|1500|1600|\n", four),
        ("|QPS|A 1|B 2|\n|-|-|-|\n|8 threads|1000|1100|\n|16 threads|1500|1600|\n", four),
        (
            "|p95 (ms)|A 1|B 2|\n|-|-|-|\n|8|9.5|8.5|\n|16|12|11|\n",
            &four
                .replace("qps 1000", "p95_ms 9.5")
                .replace("qps 1100", "p95_ms 8.5")
                .replace("qps 1500", "p95_ms 12")
                .replace("qps 1600", "p95_ms 11"),
        ),
        ("|TPS|price|rent|\n|-|-|-|\n|1000|5|6|\n|900|7|8|\n", "tps 1000; tps 900"),
    ]);
}

#[test]
fn clients_with_their_word_in_cells_and_headings_are_clients() {
    let two = "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67";
    for (heading, word) in [
        ("Threads", " threads"),
        ("", " threads"),
        ("", "线程"),
        ("并发", "线程"),
        ("スレッド数", "スレッド"),
        ("Load", " clients"),
        ("", "vu"),
    ] {
        let text = format!("|{heading}|TPS|avg (ms)|\n|-|-|-|\n|8{word}|1000|8.0|\n|16{word}|1500|10.67|\n");
        agree(&[(&text, two)]);
    }
    agree(&[
        (
            "|workload|threads=8|threads=64|\n|-|-|-|\n|x|1000|1500|\n",
            "clients 8 unstated 1000; clients 64 unstated 1500",
        ),
        (
            "|DB|TPS (16 threads)|p99 (16 threads)|TPS (32 threads)|p99 (32 threads)|\n|-|-|-|-|-|\n|A|1000|20|1500|25|\n",
            "A clients 16 tps 1000 p99_ms 20; A clients 32 tps 1500 p99_ms 25",
        ),
        (
            "|tables|8 threads|16 threads|\n|-|-|-|\n|4|900|1000|\n",
            "tables=4 clients 8 unstated 900; tables=4 clients 16 unstated 1000",
        ),
    ]);
    assert!(
        !remarks("|tables|8 threads|16 threads|\n|-|-|-|\n|4|900|1000|\n")
            .contains(&"published-taken-as-clients".to_owned())
    );
}

#[test]
fn repeats_alone_check_nothing() {
    let audited = audit(&read(&b"target,tps\nA,1000\nA,1010\nB,1100\nB,1090\n"[..], "x").unwrap());
    assert_eq!(audited.verdict_name(), "UNCHECKED");
}
