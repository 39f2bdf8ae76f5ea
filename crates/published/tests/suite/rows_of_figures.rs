//! Tables with a row for each figure, names above a first column, cells of HTML within Markdown, repeats, samples and JSON with keys above its
//! figures.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{audit, read};

fn codes(text: &str) -> Vec<String> {
    let audited = audit(&read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}")));
    { audited.doubts }.into_iter().map(|finding| finding.doubt.code).collect()
}

#[test]
fn columns_of_statistics_are_those_of_one_result() {
    let of = |heads: &str, rows: &[&str]| format!("|{heads}|\n|-|-|-|-|\n{}", rows.concat());
    agree(&[
        (
            &of("Metric|avg|min|max", &["|TPS|1000|900|1100|\n", "|Latency (ms)|8|1|50|\n"]),
            "tps 1000 min_ms 1 mean_ms 8 max_ms 50",
        ),
        (
            &of("指标|平均|最小|最大", &["|TPS|1000|900|1100|\n", "|RT(ms)|8|1|50|\n"]),
            "tps 1000 min_ms 1 mean_ms 8 max_ms 50",
        ),
        (
            &of("Metric|p50|p95|max", &["|Latency (s)|0.001|0.002|0.009|\n", "|TPS|1|2|3|\n"]),
            "p50_ms 1 p95_ms 2 max_ms 9",
        ),
        (
            &of("|Run 1|Run 2|Average", &["|TPS|1000|1010|1005|\n", "|p95 (ms)|12|12.1|12|\n"]),
            "run=Run 1 tps 1000 p95_ms 12; run=Run 2 tps 1010 p95_ms 12.1",
        ),
        // Targets.
        (
            &of("Metric|A|B|C", &["|TPS|1|2|3|\n", "|avg (ms)|4|5|6|\n"]),
            "A tps 1 mean_ms 4; B tps 2 mean_ms 5; C tps 3 mean_ms 6",
        ),
    ]);
}

#[test]
fn names_of_targets_may_stand_below_the_words_of_metrics() {
    for heading in ["name", "Name", "Item", "项目", "項目", "key"] {
        let text = format!("{heading},threads,tps,avg_ms\nold,8,1000,8.0\nnew,8,1100,7.27\n");
        agree(&[(&text, "old clients 8 tps 1000 mean_ms 8; new clients 8 tps 1100 mean_ms 7.27")]);
    }
    agree(&[("Name,A,B\nTPS,1000,1100\nmean (ms),8,7\n", "A tps 1000 mean_ms 8; B tps 1100 mean_ms 7")]);
}

#[test]
fn html_within_markdown_is_what_pages_show() {
    agree(&[
        (
            "|Threads|Old<br>TPS|New<br/>TPS|Old<br>p99|New<BR>p99|\n|-|-|-|-|-|\n|8|1000|1100|8.5|8|\n",
            "Old clients 8 tps 1000 p99_ms 8.5; New clients 8 tps 1100 p99_ms 8",
        ),
        (
            "|Threads|TPS&nbsp;(avg)|p95&nbsp;latency&nbsp;(ms)|\n|-|-|-|\n|8|1&nbsp;000|<b>12</b>|\n|16|1600<sup>1</sup>|<span style='x'>15</span>|\n",
            "clients 8 tps 1000 p95_ms 12; clients 16 tps 1600 p95_ms 15",
        ),
        ("|DB|TPS|\n|-|-|\n|A & B; c|1|\n|a < b > c|2|\n", "A & B; c tps 1; a < b > c tps 2"),
    ]);
}

#[test]
fn the_total_of_one_sampler_is_no_copy_and_samples_are_no_results() {
    let of = |rows: &str| format!("Label,# Samples,Average,Min,Max,Throughput\n{rows}");
    let one = of("GET,1000,45,5,300,120.5/sec\nTOTAL,1000,45,5,300,120.5/sec\n");
    assert_eq!((shown(&one), codes(&one)), ("tps 120.5 min_ms 5 mean_ms 45 max_ms 300".to_owned(), vec![]));
    assert!(remarks(&one).contains(&"published-row-of-means".to_owned()));
    let two = of("GET,10,45,5,300,120/sec\nPOST,10,40,4,200,110/sec\nTOTAL,20,42,4,300,230/sec\n");
    assert_eq!(read(two.as_bytes(), "x").unwrap().results.len(), 3);
    agree(&[
        ("timeStamp,elapsed,label,success\n1700000000000,45,q,true\n1700000000050,50,q,true\n", "nothing"),
        ("progress: 10.0 s, 1543.2 tps, lat 5.1 ms\nprogress: 20.0 s, 1550.8 tps, lat 5.2 ms\n", "nothing"),
        (
            "|Threads|TPS|\n|-|-|\n|8|1000|\n|16|1500|\n|**Average**|1250|\n|Total|2500|\n",
            "clients 8 tps 1000; clients 16 tps 1500",
        ),
    ]);
}

#[test]
fn repeats_and_versions_are_axes() {
    agree(&[
        (
            "|Threads|Run 1|Run 2|\n|-|-|-|\n|8|1000|1010|\n",
            "run=Run 1 clients 8 unstated 1000; run=Run 2 clients 8 unstated 1010",
        ),
        (
            "|threads|TPS run 1|TPS run 2|\n|-|-|-|\n|8|1000|1010|\n",
            "run=run 1 clients 8 tps 1000; run=run 2 clients 8 tps 1010",
        ),
        ("|回数|TPS|\n|-|-|\n|1回目|1000|\n|2回目|1010|\n", "回数=1回目 tps 1000; 回数=2回目 tps 1010"),
        (
            "|MySQL version|Threads|TPS|\n|-|-|-|\n|5.7|8|1000|\n|8.0|8|1100|\n",
            "MySQL version=5.7 clients 8 tps 1000; MySQL version=8.0 clients 8 tps 1100",
        ),
        ("|版本号|线程|TPS|\n|-|-|-|\n|5.7|8|1000|\n", "版本号=5.7 clients 8 tps 1000"),
    ]);
}

#[test]
fn keys_above_the_figures_of_json_are_no_targets() {
    agree(&[
        (
            "[{\"config\":{\"threads\":8},\"result\":{\"tps\":1000,\"latency\":{\"avg\":8.0}}}]",
            "clients 8 tps 1000 mean_ms 8",
        ),
        ("[{\"threads\":8,\"old\":{\"tps\":1},\"new\":{\"tps\":2}}]", "old clients 8 tps 1; new clients 8 tps 2"),
    ]);
}

#[test]
fn comparisons_in_other_units_and_of_two_kinds_are_checked() {
    let of = |head: &str, cells: [&str; 4]| {
        let rows = ["|8|1000|1100", "|16|1500|1600", "|32|1500|1650", "|64|1500|1800"];
        let rows = rows.iter().zip(cells).map(|(row, cell)| format!("{row}|{cell}|\n"));
        format!("|Threads|TPS 5.7|TPS 8.0|{head}|\n|-|-|-|-|\n{}", rows.collect::<String>())
    };
    for (head, cells, wrong) in [
        ("Diff (%)", ["10.0", "6.7", "10.0", "20.0"], "40.0"),
        ("Diff", ["100", "100", "150", "300"], "200"),
        ("Δ%", ["10.0", "6.7", "10.0", "20.0"], "40.0"),
    ] {
        let (right, mut changed) = (of(head, cells), cells);
        changed[3] = wrong;
        assert_eq!(codes(&right), [""; 0], "{right}");
        assert_eq!(remarks(&right), [""; 0], "{right}");
        assert_eq!(codes(&of(head, changed)), ["comparison"], "{head}");
    }
    let quotients = |a: &str, b: &str| {
        format!(
            "threads,TPS,QPS,QPS/TPS,TPS/thread\n8,1000,20000,20,125\n16,1500,30000,20,93.75\n32,2000,40000,20,62.5\n64,2500,50000,{a},{b}\n"
        )
    };
    assert_eq!(codes(&quotients("20", "39.06")), [""; 0]);
    assert_eq!(codes(&quotients("25", "39.06")), ["comparison"]);
    assert_eq!(codes(&quotients("20", "100")), ["comparison"]);
}

#[test]
fn a_throughput_without_clients_is_doubted() {
    assert_eq!(codes("threads,tps,avg_ms\n0,1000,8.0\n8,1000,8.0\n"), ["no-clients"]);
}

#[test]
fn rows_of_percentiles_are_one_result() {
    agree(&[
        (
            "|Percentile|Latency|\n|-|-|\n|min|20 µs|\n|**p50**|31 µs|\n|p99|50 µs|\n|max|1 500 µs|\n",
            "min_ms 0.02 p50_ms 0.031 p99_ms 0.05 max_ms 1.5",
        ),
        ("|Percentile|Latency (s)|\n|-|-|\n|50th|0.5|\n|99th|2|\n", "p50_ms 500 p99_ms 2000"),
        ("|Metric|Latency (µs)|\n|-|-|\n|avg|700|\n|p99|900|\n", "mean_ms 0.7 p99_ms 0.9"),
        ("|Quantile|Latency (ms)|\n|-|-|\n|0.5|8|\n|0.99|20|\n", "p50_ms 8 p99_ms 20"),
        (
            "|Percentile|MySQL|MariaDB|\n|-|-|-|\n|50%|8 ms|7 ms|\n|99%|20 ms|18 ms|\n",
            "MySQL p50_ms 8 p99_ms 20; MariaDB p50_ms 7 p99_ms 18",
        ),
        (
            "### Latency (ms)\n\n|Percentile|50|95|99|\n|-|-|-|-|\n|A|5|9|20|\n|B|6|11|25|\n",
            "A p50_ms 5 p95_ms 9 p99_ms 20; B p50_ms 6 p95_ms 11 p99_ms 25",
        ),
        (
            "|Statistic|TPS|Latency (ms)|\n|-|-|-|\n|Mean|700|8|\n|Max|800|50|\n|P95|750|12|\n",
            "tps 700 mean_ms 8 p95_ms 12 max_ms 50",
        ),
        // What they are of is not known.
        ("|Percentile|A|B|\n|-|-|-|\n|50|8|7|\n|99|20|18|\n", "nothing"),
        ("|Percentile|TPS|\n|-|-|\n|p50|700|\n|p99|900|\n", "nothing"),
    ]);
}

#[test]
fn what_was_asked_for_is_no_result() {
    let rows = "|TPS|900|1000|\n|p95 (ms)|50|30|\n";
    for heads in ["Goal|Result", "SLA|Measured", "Expected|Actual", "Required|Value", "Target|Actual", "目標|実測"]
    {
        let name = heads.split_once('|').map_or("", |(_, name)| name);
        let text = format!("|Metric|{heads}|\n|-|-|-|\n{rows}");
        let read = shown(&text);
        let figures = "tps 1000 p95_ms 30";
        assert!(read == figures || read == format!("{name} {figures}"), "{heads}: {read}");
    }
    agree(&[
        (
            "|Metric|SLO|A|B|\n|-|-|-|-|\n|TPS|900|1000|1100|\n|p95 (ms)|50|30|28|\n",
            "A tps 1000 p95_ms 30; B tps 1100 p95_ms 28",
        ),
        (
            "|threads|Required TPS|A TPS|B TPS|\n|-|-|-|-|\n|8|900|1000|1100|\n",
            "A clients 8 tps 1000; B clients 8 tps 1100",
        ),
        // A server.
        ("|target|threads|TPS|\n|-|-|-|\n|A|8|1000|\n", "A clients 8 tps 1000"),
    ]);
}

#[test]
fn a_column_of_another_unit_per_second_compares_nothing() {
    let report = "Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput,Received KB/sec,Sent KB/sec\n\
                  login,932,16,14,25,32,49,1,155,0.00%,44.18913,55.42,18.47\nsearch,942,18,16,28,36,55,3,471,0.00%,59.22956,141.40,47.13\n\
                  order,1073,48,43,76,96,148,2,336,0.00%,58.81952,171.59,57.20\npay,998,27,24,43,54,83,1,519,0.00%,48.29813,182.34,60.78\n\
                  list,967,12,10,19,24,37,3,458,0.00%,56.34801,143.77,47.92\n";
    assert_eq!(codes(report), [""; 0]);
    // Two columns that fit by chance.
    let ios = "threads,TPS,min,max,IO/s\n8,1000,2,155,155\n16,1500,2,471,157\n32,2000,2,336,168\n64,2500,2,300,900\n";
    assert_eq!(codes(ios), [""; 0]);
    let audited = tenbin_published::audit(&tenbin_published::read(ios, "x.csv").unwrap());
    assert!(!audited.confirmed.iter().any(|message| message.is("published-comparisons-hold")), "{audited:?}");
    assert!(remarks(ios).iter().any(|id| id == "published-column-unknown"), "{:?}", remarks(ios));
}

#[test]
fn figures_of_few_digits_are_no_copies() {
    let two = |head: &str, cells: &str| format!("DB,Threads,{head}\nMySQL,100,{cells}\nMariaDB,100,{cells}\n");
    for (head, cells) in [
        ("QPS (M),p99 (ms)", "1.1,2"),
        ("TPS,QPS", "1.2k,24k"),
        ("TPS (k),avg (s),p99 (s)", "10,0.01,0.02"),
        ("target tps,tps,qps", "1000,1000,20000"),
        ("TPS,QPS,avg (ms)", "2510,50200,39.8"),
    ] {
        assert_eq!(codes(&two(head, cells)), [""; 0], "{head}");
    }
    for (head, cells) in [
        ("TPS,p95 (ms)", "2500.1,53.21"),
        ("TPS,QPS,avg (ms)", "2905.92,58118.4,34.41"),
        ("TPS,p95 (ms),max (ms)", "2500,53.2,812"),
    ] {
        assert_eq!(codes(&two(head, cells)), ["copies"], "{head}");
    }
}
