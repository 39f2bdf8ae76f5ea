//! Rows below numbers of clients whose names say what their figures are: none of them is assumed to be throughput.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{audit, read};

#[test]
fn rows_of_other_units_are_no_throughput() {
    for (threads, rows) in [
        (["8 threads", "16 threads"], ["CPU usage (%)", "Memory (GB)"]),
        (["8 threads", "16 threads"], ["Read IOPS", "Write MB/s"]),
        (["8 threads", "16 threads"], ["Replication lag (s)", "Lock waits"]),
        (["10 clients", "100 clients"], ["Insert 1M rows (s)", "Select by PK (ms)"]),
        (["8スレッド", "16スレッド"], ["CPU使用率(%)", "メモリ(GB)"]),
        (["8スレッド", "16スレッド"], ["レプリケーション遅延(秒)", "書き込み MB/s"]),
        (["8线程", "16线程"], ["CPU使用率(%)", "内存(GB)"]),
        (["8线程", "16线程"], ["复制延迟(秒)", "写入 MB/s"]),
    ] {
        for head in ["Configuration", "Test", "環境", "测试项", ""] {
            let text =
                format!("|{head}|{}|{}|\n|--|--|--|\n|{}|50|90|\n|{}|3|5|\n", threads[0], threads[1], rows[0], rows[1]);
            let of_rates = read(text.as_bytes(), "x").is_ok_and(|read| {
                read.results.iter().any(|result| result.get(tenbin_published::FigureKind::Tps).is_some())
            });
            assert!(!of_rates, "{text}{}", shown(&text));
        }
    }
}

#[test]
fn names_of_workloads_and_settings_are_no_figures() {
    for names in [
        ["95% read", "50% read, 50% write"],
        ["Read", "Write"],
        ["16 GB buffer pool", "100% cached"],
        ["Local disk", "EBS disk"],
    ] {
        let text =
            format!("|Setup|8 threads|16 threads|\n|--|--|--|\n|{}|500|900|\n|{}|400|700|\n", names[0], names[1]);
        assert_eq!(read(text.as_bytes(), "x").map_or(0, |read| read.results.len()), 4, "{text}");
    }
}

#[test]
fn rows_of_figures_with_names_are_those_figures() {
    agree(&[
        (
            "|Test|8 threads|16 threads|\n|--|--|--|\n|Read TPS|3000|5000|\n|Read latency (ms)|2.67|3.2|\n|Write TPS|1800|2500|\n|Write latency (ms)|4.4|6.4|\n",
            "clients 8 tps 3000 mean_ms 2.67; clients 16 tps 5000 mean_ms 3.2; clients 8 tps 1800 mean_ms 4.4; clients 16 tps 2500 mean_ms 6.4",
        ),
        (
            "|ケース|8スレッド|16スレッド|\n|--|--|--|\n|参照 TPS|3000|5000|\n|参照 平均レイテンシ(ms)|2.67|3.2|\n",
            "clients 8 tps 3000 mean_ms 2.67; clients 16 tps 5000 mean_ms 3.2",
        ),
        (
            "|DB|Workload|8 threads|16 threads|\n|--|--|--|--|\n|A|oltp_read_write TPS|3000|5000|\n|A|oltp_read_write latency avg (ms)|2.67|3.2|\n|B|oltp_read_write TPS|3100|5100|\n|B|oltp_read_write latency avg (ms)|2.58|31.4|\n",
            "A clients 8 tps 3000 mean_ms 2.67; A clients 16 tps 5000 mean_ms 3.2; B clients 8 tps 3100 mean_ms 2.58; B clients 16 tps 5100 mean_ms 31.4",
        ),
        (
            "|DB|Case|8 threads|16 threads|\n|--|--|--|--|\n|A|TPS|3000|5000|\n|A|p95 (ms)|3|4|\n",
            "A clients 8 tps 3000 p95_ms 3; A clients 16 tps 5000 p95_ms 4",
        ),
    ]);
    let mixed = "|DB|8 threads|16 threads|\n|--|--|--|\n|A TPS|3000|5000|\n|A Memory (GB)|3|5|\n|B TPS|3100|5100|\n";
    agree(&[(mixed, "A clients 8 tps 3000; A clients 16 tps 5000; B clients 8 tps 3100; B clients 16 tps 5100")]);
    assert_eq!(remarks(mixed), ["published-row-unknown"]);
    let below_caption = "### TPS\n\n|DB|8 threads|16 threads|\n|--|--|--|\n|A|3000|5000|\n|Memory (GB)|3|5|\n";
    agree(&[(below_caption, "A clients 8 tps 3000; A clients 16 tps 5000")]);
    assert_eq!(remarks(below_caption), ["published-row-unknown"]);
}

#[test]
fn reads_and_writes_are_workloads_below_a_rate_and_nothing_without_one() {
    let workloads = |text: &str| {
        let read = read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}"));
        let one = |result: &tenbin_published::PublishedResult| {
            let tps = result.get(tenbin_published::FigureKind::Tps).unwrap_or(0.0);
            format!("{} {} {tps}", result.target_name(), result.workload.clone().unwrap_or_default())
        };
        read.results.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let rows = |head: &str| format!("|{head}|\n|--|--|--|--|\n|A|12000|5000|3000|\n");
    for last in ["Mixed", "Read/Write"] {
        let wanted = format!("A Read 12000; A Write 5000; A {last} 3000");
        assert_eq!(workloads(&format!("### TPS\n\n{}", rows(&format!("Server|Read|Write|{last}")))), wanted);
        assert_eq!(workloads(&rows(&format!("DB (TPS)|Read|Write|{last}"))), wanted);
    }
    agree(&[
        ("Server,Read,Write\nA,12000,5000\n", "nothing"),
        (
            "threads,read,write,other,total\n8,1400,400,200,2000\n",
            "clients 8 reads 1400 writes 400 others 200 queries 2000",
        ),
    ]);
}

#[test]
fn transactions_of_tpc_c_are_workloads_with_their_percentiles() {
    let text = "<table><tr><th rowspan=\"2\">多重度</th><th colspan=\"5\">Throughput(tps)</th><th colspan=\"5\">Response time (90%tile)</th></tr><tr><th>New-Order</th><th>Payment</th><th>Order-Status</th><th>Delivery</th><th>Stock-Level</th><th>New-Order</th><th>Payment</th><th>Order-Status</th><th>Delivery</th><th>Stock-Level</th></tr><tr><td>4</td><td>37.9</td><td>37.8</td><td>3.8</td><td>3.7</td><td>3.6</td><td>95</td><td>22</td><td>10</td><td>116</td><td>8</td></tr></table>";
    agree(&[
        (
            text,
            "clients 4 tps 37.9 p90_ms 95; clients 4 tps 37.8 p90_ms 22; clients 4 tps 3.8 p90_ms 10; clients 4 tps 3.7 p90_ms 116; clients 4 tps 3.6 p90_ms 8",
        ),
        (
            "|Threads|New-Order TPS|Payment TPS|New-Order 90% (ms)|Payment 90% (ms)|\n|--|--|--|--|--|\n|16|129.2|129.1|107|32|\n",
            "clients 16 tps 129.2 p90_ms 107; clients 16 tps 129.1 p90_ms 32",
        ),
        // The names of the second row are one too few for the columns.
        (
            "|多重度|Throughput(tps)|Response time (90%tile)||\n|New-Order|Payment|New-Order||\n|1|9.9|9.8|93|\n|4|37.9|37.8|95|\n",
            "nothing",
        ),
    ]);
    let names: Vec<String> = read(text.as_bytes(), "x")
        .unwrap()
        .results
        .iter()
        .map(|result| result.workload.clone().unwrap_or_default())
        .collect();
    // Each client has all of them: none has them all for itself.
    let audited = audit(&read(text.as_bytes(), "x").unwrap());
    assert!(audited.doubts.is_empty(), "{:?}", audited.doubts);
    assert_eq!(names, ["New-Order", "Payment", "Order-Status", "Delivery", "Stock-Level"]);
}

#[test]
fn numbers_of_clients_with_counter_words_are_read() {
    for (head, cells) in [
        ("동시 사용자", ["10명", "50명"]),
        ("同時ユーザー数", ["10人", "50人"]),
        ("并发用户数", ["10人", "50人"]),
        ("Connections", ["10 conn", "50 conn"]),
        ("并发数", ["10个", "50个"]),
        ("sysbench threads", ["5 * 2", "50"]),
        ("工作线程数", ["10", "50"]),
        ("在线用户数", ["10", "50"]),
        ("客户端数量", ["10", "50"]),
        ("並列スレッド数", ["10", "50"]),
        ("パラレル数", ["10", "50"]),
        ("동시 연결 수", ["10", "50"]),
        ("Anzahl der Threads", ["10", "50"]),
        ("Nebenläufige Benutzer", ["10", "50"]),
        ("Число одновременных клиентов", ["10", "50"]),
    ] {
        let text = format!("|{head}|TPS|\n|--|--|\n|{}|850|\n|{}|720|\n", cells[0], cells[1]);
        agree(&[(&text, "clients 10 tps 850; clients 50 tps 720")]);
    }
    agree(&[
        ("线程数,事务/秒,查询/秒,95值\n8,1000,20000,12\n", "clients 8 tps 1000 qps 20000 p95_ms 12"),
        ("スレッド数,TPS,遅延時間(ms)\n8,1000,8\n", "clients 8 tps 1000 mean_ms 8"),
        ("threads,TPS/QPS,avg (ms)\n8,1000,8\n", "clients 8 tps 1000 mean_ms 8"),
        ("vus,rps,avg (ms),med (ms)\n8,1000,8,7\n", "clients 8 qps 1000 mean_ms 8 p50_ms 7"),
        ("threads,QPS/TPS\n8,20\n", "nothing"),
        (
            "|threads|tps|latency(avg / .95)|\n|--|--|--|\n|8|1000|8 ms / 12 ms|\n|16|1500|10.67 ms / 15 ms |\n",
            "clients 8 tps 1000 mean_ms 8 p95_ms 12; clients 16 tps 1500 mean_ms 10.67 p95_ms 15",
        ),
        ("threads,NOPM,tps\n8,1700000000,10\n16,1700000060,12\n", "clients 8 tps 10; clients 16 tps 12"),
    ]);
}
