//! `link` of a private server: its delay and its rate are kept, and the result says so.

use std::fs;
use tenbin_tests::{output_of, read_back, tenbin};

const PLAN: &str = r#"
schema = 1
name = "line"
[defaults]
repeats = 1
warmup = "0s"
measure = "2s"
[targets.far]
sandbox = "mariadbd"
link = { rate = "2Mbit", delay = "3ms" }
[targets.near]
sandbox = "mariadbd"
[datasets.sb]
table_size = 500
[[experiment]]
load = { workload = "oltp_point_select" }
matrix = { load.clients = [1, 16] }
"#;

#[test]
fn a_private_server_behind_a_link_is_as_far_away_as_the_plan_says() {
    let dir = tempfile::tempdir().unwrap();
    let (plan, runs) = (dir.path().join("plan.toml"), dir.path().join("runs"));
    fs::write(&plan, PLAN).unwrap();
    let (code, out, err) = output_of(tenbin().args(["run", "--runs"]).arg(&runs).arg(&plan));
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    assert!(out.contains("far behind a simulated link of 2 Mbit/s, 3 ms each way"), "{out}");
    let (run, json) = read_back(&runs);
    for trial in json["trials"].as_array().unwrap() {
        assert_eq!(trial["state"], "complete", "{trial}");
        let number = |value: &serde_json::Value| value.as_f64().unwrap_or_else(|| panic!("{value} in {trial}"));
        let path = |name: &str| {
            let all = trial["readings"].as_array().unwrap();
            all.iter().find(|r| r["observer"] == "client.path" && r["name"] == name).cloned()
        };
        if trial["target"] == "near" {
            assert_eq!(path("sent_bits"), None);
            continue;
        }
        let fastest_ms = number(&trial["response"]["min_ms"]);
        // The histogram has three digits.
        assert!(fastest_ms >= 5.99, "{fastest_ms}");
        for name in ["sent_bits", "received_bits"] {
            let reading = path(name).unwrap_or_else(|| panic!("no {name} in {trial}"));
            // A message of each client may be counted that still waits for the line.
            let bits = number(&reading["per_second"]);
            assert!(bits > 0.0 && bits <= 2_000_000.0 * 1.05, "{name}: {bits}");
        }
    }
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("simulated link, 2 Mbit/s, 3 ms each way"), "the page does not name the link");
}

#[test]
fn links_that_cannot_be_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    let refused = |target: &str| {
        let load = "[[experiment]]\nload = { workload = \"oltp_read_only\" }\n";
        fs::write(&plan, format!("schema = 1\n[targets.a]\n{target}\n{load}")).unwrap();
        let (code, out, err) = output_of(tenbin().args(["plan", "check", "--offline"]).arg(&plan));
        assert_eq!(code, 1, "{target}: {out}{err}");
        let first = |label: &str| {
            err.lines().find(|line| line.trim_start().starts_with(label)).unwrap_or_default().trim().to_owned()
        };
        format!("{}\n  {}", err.lines().next().unwrap_or_default().rsplit("plan.toml: ").next().unwrap(), first("hint"))
    };
    let all = [
        "dsn = \"mysql://u@h/d\"\nlink = { delay = \"1ms\" }",
        "sandbox = \"sqlite\"\nlink = { delay = \"1ms\" }",
        "sandbox = \"mariadbd\"\nlink = { rate = \"100MB\" }",
        "sandbox = \"mariadbd\"\nlink = { rate = 0 }",
        "sandbox = \"mariadbd\"\nlink = { delay = \"1m\" }",
        "sandbox = \"mariadbd\"\nlink = { loss = 1 }",
        "sandbox = \"mariadbd\"\nlink = \"100Mbit\"",
    ]
    .map(refused)
    .join("\n");
    insta::assert_snapshot!(all, @r#"
    line 2, column 10: target a: only private servers of MySQL, MariaDB and PostgreSQL can have a simulated link
      hint      remove link
    line 2, column 10: target a: only private servers of MySQL, MariaDB and PostgreSQL can have a simulated link
      hint      remove link
    line 4, column 17: rate: "MB" is not a unit of a rate per second (bit, kbit, Mbit, Gbit)
      hint      write rate = "100Mbit"
    line 4, column 17: rate cannot be 0
      hint      write rate = "100Mbit"
    line 4, column 18: delay: "m" is not a unit of time (us, ms, s)
      hint      write delay = "2ms"
    line 4, column 17: "loss" is not a key of link
      hint      use one of rate, delay
    line 4, column 8: link is a table, not a text
      hint      see `tenbin plan example`
    "#);
}
