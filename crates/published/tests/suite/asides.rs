//! What stands in a table beside its results: means of rows and columns, words and dates that name no target.

use crate::reading::{agree, remarks, shown};

#[test]
fn a_mean_of_rows_or_columns_is_no_further_result() {
    let two = "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67";
    for name in ["Average", "平均", "Avg", "**Mean**"] {
        let text = format!("|threads|TPS|avg ms|\n|-|-|-|\n|8|1000|8.0|\n|16|1500|10.67|\n|{name}|1250|9.33|\n");
        agree(&[(&text, two)]);
        assert!(remarks(&text).contains(&"published-row-of-means".to_owned()), "{text}");
    }
    agree(&[
        (
            "run,threads,TPS\n1,8,1000\n2,8,1010\nAvg,8,1005\nMax,8,1010\n",
            "run=1 clients 8 tps 1000; run=2 clients 8 tps 1010",
        ),
        (
            "|threads|Run 1|Run 2|Avg|\n|-|-|-|-|\n|8|1000|1010|1005|\n|16|1500|1520|1510|\n",
            "run=Run 1 clients 8 unstated 1000; run=Run 2 clients 8 unstated 1010; run=Run 1 clients 16 unstated 1500; run=Run 2 clients 16 unstated 1520",
        ),
        // Means of response times, and a table of statistics.
        ("threads,Avg,x,y\n8,5,100,7\n", "clients 8 mean_ms 5"),
        (
            "||A|B|\n|-|-|-|\n|TPS|10|20|\n|QPS|100|200|\n|avg|5|6|\n",
            "A tps 10 qps 100 mean_ms 5; B tps 20 qps 200 mean_ms 6",
        ),
    ]);
}

#[test]
fn words_and_dates_beside_the_clients_that_tell_results_apart_name_no_target() {
    for (heading, first, second) in [
        ("Bottleneck", "CPU", "disk"),
        ("Status", "ok", "slow"),
        ("Limited by", "CPU", "locks"),
        ("Date", "2024-05-01", "2024-05-02"),
        ("Started", "10:00:01", "10:05:01"),
        ("日時", "2024年5月1日 10:00", "2024年5月1日 10:10"),
        ("状态", "正常", "慢"),
        ("Datum", "01.05.2024", "02.05.2024"),
    ] {
        let text = format!("threads;TPS;{heading}\n8;1000;{first}\n16;1500;{second}\n");
        agree(&[(&text, "clients 8 tps 1000; clients 16 tps 1500")]);
        assert_eq!(remarks(&text), ["published-column-unknown"], "{heading}");
    }
    agree(&[
        // Names, without which results are not told apart.
        (
            "Verdict,threads,TPS\nA,8,1000\nA,16,1500\nB,8,1100\nB,16,1600\n",
            "A clients 8 tps 1000; A clients 16 tps 1500; B clients 8 tps 1100; B clients 16 tps 1600",
        ),
        ("Vendor,TPS\nA 8.0.36,1000\nB 10.11.4,1500\n", "A 8.0.36 tps 1000; B 10.11.4 tps 1500"),
        ("||threads|TPS|\n|-|-|-|\n|A|8|1000|\n|B|16|1500|\n", "A clients 8 tps 1000; B clients 16 tps 1500"),
        ("Vendor,threads,TPS\nA,8,1000\nA,16,1500\n", "A clients 8 tps 1000; A clients 16 tps 1500"),
        ("CPU model,threads,TPS\nA,8,1000\nB,16,1500\n", "A clients 8 tps 1000; B clients 16 tps 1500"),
        // A rate that was asked for beside the names.
        ("DBMS,target,threads,TPS\nA,1024,8,970\nB,1024,8,980\n", "A clients 8 tps 970; B clients 8 tps 980"),
    ]);
    let kinds = "Transaction,Count,Avg (ms),90% (ms)\nNEW_ORDER,45000,20.1,31\nPAYMENT,43000,9.9,15\n";
    let read = tenbin_published::read(kinds.as_bytes(), "x").unwrap();
    assert_eq!(read.targets(), [""; 0]);
    assert_eq!(read.groups(), ["NEW_ORDER", "PAYMENT"]);
}

#[test]
fn lines_of_single_transactions_are_no_results() {
    let samples =
        "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n1,7,5,5,DELIVERY,0,0,0\n1,9,6,6,STOCK_LEVEL,0,0,0\n";
    agree(&[(samples, "nothing")]);
}

#[test]
fn lines_of_values_alone_have_no_headings() {
    agree(&[
        ("[now] first: 7.25s\n[all] first: 7.25s\n[all] second: 1.50s\n", "nothing"),
        ("a 5ms 10\nb 6ms 11\n", "nothing"),
    ]);
}

#[test]
fn a_note_over_all_columns_is_no_row_of_headings() {
    let page = "<table><thead><tr><th><th>A<th>B<tbody><tr><th>TPS<td>500<td>640<tr><th>p95 (ms)<td>9<td>8\
        <tfoot><tr><td colspan=3>4 threads, more TPS are better</table>";
    agree(&[(page, "A tps 500 p95_ms 9; B tps 640 p95_ms 8")]);
}

#[test]
fn what_was_changed_from_row_to_row_tells_results_apart() {
    for (heading, cells) in [
        ("innodb_buffer_pool_size (GB)", ["24", "16", "8"]),
        ("pool (GB)", ["24", "16", "8"]),
        ("vCPU", ["2", "4", "8"]),
        ("sync_binlog", ["0", "1", "100"]),
    ] {
        let [a, b, c] = cells;
        let text = format!("|{heading}|TPS|avg (ms)|\n|-|-|-|\n|{a}|2000|8|\n|{b}|1500|10|\n|{c}|900|17|\n");
        let of = |cell: &str, figures: &str| format!("{heading}={cell} {figures}");
        let wanted =
            [of(a, "tps 2000 mean_ms 8"), of(b, "tps 1500 mean_ms 10"), of(c, "tps 900 mean_ms 17")].join("; ");
        agree(&[(&text, &wanted)]);
        assert!(remarks(&text).contains(&"published-column-swept".to_owned()), "{:?}", remarks(&text));
    }
    agree(&[
        (
            "threads,TPS,sync_binlog\n8,100,0\n8,90,1\n",
            "sync_binlog=0 clients 8 tps 100; sync_binlog=1 clients 8 tps 90",
        ),
        // Other columns tell them apart, or it stands among the figures.
        ("id,threads,TPS\n1,8,100\n2,8,90\n3,8,95\n", "clients 8 tps 100; clients 8 tps 90; clients 8 tps 95"),
        ("vCPU,threads,TPS\n2,8,100\n4,16,180\n", "clients 8 tps 100; clients 16 tps 180"),
        ("threads,TPS,hits\n8,100,5\n8,90,6\n", "clients 8 tps 100; clients 8 tps 90"),
    ]);
}

#[test]
fn a_last_row_with_an_unknown_word_for_clients_is_computed_if_its_numbers_say_so() {
    let of = |last: &str| format!("|Threads|TPS|avg (ms)|\n|-|-|-|\n|8|1000|8.0|\n|16|1500|10.67|\n{last}");
    let two = "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67";
    for last in ["|Durchschnitt|1250|9.33|\n", "|Summe|2500||\n", "|합계|2,500||\n", "|Zusammen|2500|18.67|\n"] {
        assert_eq!(shown(&of(last)), two, "{last}");
    }
    assert_eq!(shown(&of("|unlimited|1900|30|\n")), format!("{two}; tps 1900 mean_ms 30"));
}
