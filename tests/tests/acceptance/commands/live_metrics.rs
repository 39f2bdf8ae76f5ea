//! `--metrics`: the live figures of a run are those of its run directory, in formats that others read, and no reader
//! disturbs it.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;
use tenbin_model::exposition;
use tenbin_tests::{balanced, output_of, read_back, tenbin};

fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Sends a request, and returns head and body of the answer; nothing if there is no whole answer, because the run has ended.
fn ask(at: SocketAddr, request: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(at).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let whole = head.contains(&format!("Content-Length: {}\r\n", body.len()));
    whole.then(|| (head.to_owned(), body.to_owned()))
}

const OPEN_METRICS: &str = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n\r\n";
const TEXT: &str = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";

/// The value of a series in a text.
fn value(text: &str, series: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok())
}

/// Fails unless the reference implementation of OpenMetrics reads the text; returns the number of samples.
fn reference_reader(text: &str) -> usize {
    let script = "import sys\nfrom prometheus_client.openmetrics.parser import text_string_to_metric_families as read\n\
                  print(sum(len(family.samples) for family in read(sys.stdin.read())))";
    let mut python = Command::new("/usr/bin/python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}\nhint: apt-get install python3-prometheus-client\n{text}");
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

#[test]
fn live_figures_are_those_of_the_run_directory_and_no_reader_disturbs_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let (plan, runs, at) = (dir.path().join("plan.toml"), dir.path().join("runs"), free());
    let text = "schema = 1\nname = \"live\"\n[defaults]\nwarmup = \"400ms\"\nmeasure = \"4s\"\ninterval = \"200ms\"\nrepeats = 1\n\
                [targets.\"a \\\"b\\\"\\\\\"]\ndsn = \"null:?delay_us=500\"\n[[experiment]]\nname = \"steady\"\n\
                load = { workload = \"oltp_point_select\", clients = 2, rate = 500 }\n";
    std::fs::write(&plan, text).unwrap();
    let mut run = tenbin()
        .arg("run")
        .arg(&plan)
        .args(["--metrics", &at.to_string(), "--runs"])
        .arg(&runs)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while run.try_wait().unwrap().is_none() && TcpStream::connect(at).is_err() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // More readers that never ask, or never read, than are served at a time: they are dropped after some seconds.
    let idle: Vec<TcpStream> = (0..12).filter_map(|_| TcpStream::connect(at).ok()).collect();
    let begun = TcpStream::connect(at).unwrap();
    (&begun).write_all(b"GET /metr").unwrap();

    let mut open = Vec::new();
    let mut plain = Vec::new();
    while run.try_wait().unwrap().is_none() {
        for (request, all) in [(OPEN_METRICS, &mut open), (TEXT, &mut plain)] {
            all.extend(ask(at, request));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(idle);
    // On a busy machine it may be INVALID.
    let status = run.wait().unwrap();
    assert!(matches!(status.code(), Some(0 | 3)), "{status}");
    assert!(open.len() > 10 && plain.len() > 10, "{} {}", open.len(), plain.len());

    let (head, last) = open.last().unwrap();
    assert!(head.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8"), "{head}");
    assert!(plain[0].0.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"), "{}", plain[0].0);
    for (_, text) in open.iter().step_by(10).chain([open.last().unwrap()]) {
        assert!(text.ends_with("# EOF\n"), "{text}");
        assert!(reference_reader(text) > 5);
    }
    for (_, text) in &plain {
        let read = exposition::read(text).unwrap();
        assert!(!read.ended && !read.samples.is_empty());
    }

    // Every number of completed transactions that was shown is the sum up to the end of an interval; those that had fallen due before the
    // window have no response time in it, and those that were not answered at the end have the time that they had waited.
    let (run_dir, json) = read_back(&runs);
    balanced(&json);
    let log = std::fs::read_to_string(run_dir.join("trials/0001/events.jsonl")).unwrap();
    let events = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let measured = events.filter(|event| event["event"] == "interval" && event["phase"] == "measure");
    let (mut up_to, mut open_starts) = ((0, 0), 0);
    let sums: BTreeMap<u64, u64> = measured
        .map(|event| {
            for each in event["tally"]["transactions"].as_object().unwrap().values() {
                let completed = each["completed"].as_u64().unwrap();
                up_to.0 += completed + each["carried"].as_u64().unwrap_or_default();
                up_to.1 += completed;
            }
            open_starts += event["tally"]["accounting"]["open"].as_i64().unwrap();
            if event["tally"].get("unanswered").is_some() {
                up_to.1 += u64::try_from(open_starts).unwrap();
            }
            up_to
        })
        .collect();
    let labels = "{target=\"a \\\"b\\\"\\\\\",workload=\"oltp_point_select\",phase=\"measure\"";
    let mut shown = BTreeSet::new();
    for (_, text) in open.iter().chain(&plain) {
        let Some(count) = value(text, &format!("tenbin_transactions_total{labels}}}")) else { continue };
        shown.insert(count as u64);
        let with_time = sums.get(&(count as u64)).map(|n| *n as f64);
        assert!(with_time.is_some(), "{count} is not the sum of intervals: {sums:?}");
        assert_eq!(value(text, &format!("tenbin_response_seconds_count{labels},times_of=\"all\"}}")), with_time);
        assert_eq!(
            value(text, &format!("tenbin_response_seconds_bucket{labels},times_of=\"all\",le=\"+Inf\"}}")),
            with_time
        );
        assert_eq!(value(text, "tenbin_rate_asked"), Some(500.0));
    }
    assert!(shown.len() > 5, "{shown:?}");
    for part in [
        "tenbin_trial_info{trial=\"1\",experiment=\"steady\",cell=\"1\",target=\"a \\\"b\\\"\\\\\",repeat=\"1\"",
        "tenbin_phase{tenbin_phase=\"measure\"} 1",
        "tenbin_clients 2",
        "tenbin_trials_planned 1",
        "tenbin_interval_wait_seconds{times_of=\"all\",percentile=\"99\"} ",
    ] {
        assert!(open.iter().any(|(_, text)| text.contains(part)), "{part} is not in\n{last}");
    }
    let rate = json["trials"][0]["tps"].as_f64().unwrap();
    assert!((rate / 500.0 - 1.0).abs() < 0.2, "{rate}: readers cost the load nothing");
}

#[test]
fn an_address_that_cannot_be_served_is_told_beforehand() {
    let dir = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let in_use = taken.local_addr().unwrap().to_string();
    let text = [in_use.as_str(), ":9464", "127.0.0.1", "99999"].map(|address| {
        let mut bench = tenbin();
        bench.args(["bench", "oltp_point_select", "null:", "--time", "1s", "--metrics", address, "--runs"]);
        let (code, out, err) = output_of(bench.arg(dir.path().join("runs")));
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        err.replace(&in_use, "HOST:TAKEN")
    });
    insta::assert_snapshot!(text.join("\n"), @"
    error: live figures cannot be served at HOST:TAKEN
      evidence  Address already in use (os error 98)
      hint      give another port: --metrics 127.0.0.1:9465

    error: live figures cannot be served at :9464
      hint      give address and port: --metrics 127.0.0.1:9464; on all addresses of this machine, 0.0.0.0:9464

    error: live figures cannot be served at 127.0.0.1
      hint      give address and port: --metrics 127.0.0.1:9464; on all addresses of this machine, 0.0.0.0:9464

    error: live figures cannot be served at 99999
      hint      give address and port: --metrics 127.0.0.1:9464; on all addresses of this machine, 0.0.0.0:9464
    ");
    assert!(!dir.path().join("runs").exists(), "nothing was created");
}
