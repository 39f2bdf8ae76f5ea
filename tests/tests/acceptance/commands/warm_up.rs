//! `warmup = "auto"`: the measurement begins when throughput is steady, and what is shown says how long that took.

use std::fs;
use tenbin_tests::{output_of, tenbin};

/// Transactions at even instants: throughput is steady, unless the machine is too busy for a moment.
const PLAN: &str = "schema = 1\ntargets.a.dsn = \"null:\"\n[[experiment]]\nrepeats = 3\nrestore = \"never\"\n\
                    warmup = { min = \"2s\", max = \"6s\" }\nmeasure = \"1s\"\ninterval = \"100ms\"\n\
                    load = { workload = \"oltp_point_select\", clients = 2, rate = 500, arrivals = \"even\" }\n";

#[test]
fn a_measurement_begins_when_throughput_is_steady() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    fs::write(&plan, PLAN).unwrap();
    let (code, out, err) = output_of(tenbin().args(["plan", "check"]).arg(&plan));
    assert!(
        code == 0 && out.contains("at most 6 s + 1 s") && out.contains("time     at most about 21 s"),
        "{out}{err}"
    );

    let (code, out, err) = output_of(tenbin().args(["run", "--runs"]).arg(dir.path().join("runs")).arg(&plan));
    assert!([0, 3].contains(&code) && out.contains("warm-up until steady: "), "{code} {out}{err}");
    let run = fs::read_dir(dir.path().join("runs")).unwrap().flatten().map(|e| e.path()).find(|p| p.is_dir()).unwrap();
    let (_, json, _) = output_of(tenbin().args(["report", "--format", "json"]).arg(&run));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut lengths = Vec::new();
    for trial in json["trials"].as_array().unwrap() {
        let number = trial["trial"].as_u64().unwrap();
        let events = fs::read_to_string(run.join(format!("trials/{number:04}/events.jsonl"))).unwrap();
        let events: Vec<serde_json::Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let began = |phase: &str| {
            let of = |e: &&serde_json::Value| e["event"] == "phase-started" && e["phase"] == phase;
            events.iter().find(of).and_then(|e| e["at_ns"].as_u64()).unwrap()
        };
        let (long_ns, measured_ns) = (began("measure") - began("warm-up"), began("cool-down") - began("measure"));
        assert_eq!(measured_ns, 1_000_000_000, "the window is as long as planned");
        assert_eq!(long_ns % 100_000_000, 0, "it begins with an interval");
        let doubted = trial["doubts"].as_array().unwrap().iter().any(|d| d["code"] == "warmup-not-steady");
        assert!(!doubted || long_ns == 6_000_000_000, "{trial}");
        lengths.push(long_ns / 1_000_000);
    }
    assert!(lengths.iter().all(|ms| (2_000..=6_000).contains(ms)), "{lengths:?}");
    assert!(lengths.len() == 3 && lengths.iter().any(|ms| *ms < 6_000), "none ended early: {lengths:?}");
}
