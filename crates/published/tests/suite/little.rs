//! What Little's law is of: the rate whose times the mean is of, in a closed loop.

use tenbin_published::{audit, read};

/// The codes of the doubts, and what of Little's law is confirmed.
fn said(text: &str) -> (Vec<String>, Vec<String>) {
    let audited = audit(&read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}")));
    let doubts = audited.doubts.iter().map(|finding| finding.doubt.code.clone()).collect();
    let ids = audited.confirmed.iter().filter_map(|message| message.id());
    (doubts, ids.filter(|id| id.starts_with("published-little")).map(str::to_owned).collect())
}

#[test]
fn a_mean_that_may_be_of_something_else_confirms_all_or_nothing() {
    let text = |mean: &str| format!("clients,QPS,Mean (ms)\n1,590,1.70\n4,1484,{mean}\n");
    let holds = |text: &str| {
        let audited = audit(&read(text.as_bytes(), "x").expect(text));
        (audited.confirmed.iter().any(|all| all.is("published-little-of-queries-holds")), audited.doubts.len())
    };
    assert_eq!(holds(&text("0.68")), (false, 0));
    assert_eq!(holds(&text("2.70")), (true, 0));
}

#[test]
fn the_mean_of_a_query_is_multiplied_with_the_rate_of_queries() {
    let table = |rates: &str, mean: &str, cells: &str| format!("|threads|{rates}|{mean}|\n|-|-|-|\n|4|{cells}|\n");
    let none = || Vec::<String>::new();
    for mean in ["avg query latency (ms)", "Mean latency per statement (ms)", "avg request latency (ms)"] {
        let of_queries = table("TPS|QPS", mean, "500|8000|0.5");
        assert_eq!(said(&of_queries), (none(), vec!["published-little-of-queries-holds".to_owned()]), "{mean}");
        assert_eq!(said(&table("TPS|QPS", mean, "500|8000|0.7")).0, ["littles-law"], "{mean}");
        // Of what else transactions consist is not known.
        assert_eq!(said(&table("TPS", mean, "500|0.5")), (none(), none()), "{mean}");
        assert_eq!(said(&table("TPS", mean, "500|8")), (none(), vec!["published-little-holds".to_owned()]), "{mean}");
    }
    assert_eq!(said(&table("TPS|QPS", "avg latency (ms)", "500|8000|0.5")).0, ["littles-law"]);
}

#[test]
fn a_rate_of_queries_alone_is_checked_if_the_mean_is_that_of_one() {
    let holds = || vec!["published-little-of-queries-holds".to_owned()];
    for rate in ["Throughput (queries/s)", "Throughput (ops/s)", "QPS"] {
        let of = |mean: &str, cells: &str| said(&format!("|threads|{rate}|{mean}|\n|-|-|-|\n|4|{cells}|\n"));
        assert_eq!(of("avg latency (ms)", "1000|4"), (vec![], holds()), "{rate}");
        // The mean may be that of a transaction of 20 queries.
        assert_eq!(of("avg latency (ms)", "20000|4"), (vec![], vec![]), "{rate}");
        assert_eq!(of("avg query latency (ms)", "20000|4").0, ["littles-law"], "{rate}");
    }
}

#[test]
fn a_rate_in_the_command_above_a_report_is_no_closed_loop() {
    let pgbench = |command: &str| {
        format!(
            "{command}\ntransaction type: x\nscaling factor: 1\nnumber of clients: 50\nduration: 30 s\n\
             number of transactions actually processed: 9000\nlatency average = 40.000 ms\ntps = 300.0 (without initial connection time)\n"
        )
    };
    let sysbench = |command: &str| {
        format!(
            "{command}\nNumber of threads: 50\nSQL statistics:\n    queries performed:\n        read: 9000\n\
             \x20   transactions: 9000 (300.00 per sec.)\nGeneral statistics:\n    total time: 30.0000s\nLatency (ms):\n         avg: 40.00\n"
        )
    };
    for text in [
        pgbench("$ pgbench -c 50 -R 300 -T 30 b"),
        pgbench("$ pgbench -c 50 --rate=300 b"),
        pgbench("pgbench -c 50 -R300 b > x.log"),
        pgbench("$ pgbench -c 50 \\\n  --rate 300 b"),
        sysbench("$ sysbench oltp_read_only --rate=300 --threads=50 run"),
    ] {
        assert_eq!(said(&text).0, [""; 0], "{text}");
    }
    for text in [
        pgbench("$ pgbench -c 50 -T 30 b"),
        pgbench("$ pgbench -c 50 -R 300 b\n$ pgbench -c 50 b"),
        pgbench("$ pgbench -c 50 --rate=0 b"),
        sysbench("$ sysbench oltp_read_only --report-interval=300 --threads=50 run"),
    ] {
        assert_eq!(said(&text).0, ["littles-law"], "{text}");
    }
}

#[test]
fn what_rounding_to_one_digit_leaves_open_is_no_contradiction() {
    let of = |cells: &str| said(&format!("threads,tps,avg latency (s)\n{cells}\n"));
    // 0.01 s may be 5 ms: 3.8 clients are in transactions at once, of 4.
    assert_eq!(of("4,760,0.01"), (vec![], vec![]));
    assert_eq!(of("4,400,0.01").0, [""; 0]);
    for wrong in ["4,900,0.01", "4,200,0.01"] {
        assert_eq!(of(wrong).0, ["littles-law"], "{wrong}");
    }
    // What is printed with more digits beside it is confirmed.
    assert_eq!(of("4,760,0.01\n64,800,0.0801").1, ["published-little-holds"]);
}

#[test]
fn a_log_of_events_shorter_than_its_digits_is_valid() {
    let text = "Running the test with following options:\nNumber of threads: 4\n\nSQL statistics:\n    queries performed:\n        read: 0\n        write: 112\n\
                \x20       other: 0\n        total: 112\n    transactions: 3594284 (703711.44 per sec.)\n    queries: 112 (21.93 per sec.)\n\
                General statistics:\n    total time: 5.1069s\n    total number of events: 3594284\n\nLatency (ms):\n         min: 0.00\n         avg: 0.01\n\
                \x20        max: 296.98\n         sum: 18812.06\n";
    let audited = audit(&read(text.as_bytes(), "x.log").unwrap());
    assert_eq!(audited.verdict_name(), "VALID", "{:?}", audited.doubts);
    let sentences: Vec<&str> = audited.confirmed.iter().map(tenbin_words::message::Message::english).collect();
    assert!(
        !sentences
            .iter()
            .any(|sentences| sentences.contains("queries per transaction") || sentences.contains("response times")),
        "{sentences:?}"
    );
}
