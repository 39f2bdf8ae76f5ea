//! Where results are kept gives out: the disk is full, the folder cannot be used. What was measured before stays and is
//! shown.
//!
//! `ulimit -f` makes any disk full for one process, without rights and without a disk of its own.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::{Path, PathBuf};
use tenbin_tests::{output_of, read_back, tenbin, tenbin_through};

/// A short trial and a long one, so that the second one's record is the one that does not fit.
const PLAN: &str = r#"
schema = 1
name = "full"
[defaults]
warmup = "0s"
interval = "50ms"
repeats = 1
order = "sequential"
[targets.a]
dsn = "null:?delay_us=500"
[[experiment]]
load = { workload = "oltp_point_select", clients = 1 }
matrix = { measure = ["200ms", "4s"] }
"#;

fn plan(dir: &Path, second: &str) -> PathBuf {
    let path = dir.join("plan.toml");
    std::fs::write(&path, PLAN.replace("4s", second)).unwrap();
    path
}

/// `tenbin run` where no file may be larger than this many KiB.
fn run_with_limit(dir: &Path, second: &str, kib: u32) -> (i32, String, String) {
    let script = format!("ulimit -f {kib}; exec \"$0\" run \"$1\" --runs \"$2\"");
    output_of(tenbin_through("bash", &["-c", &script]).arg(plan(dir, second)).arg(dir.join("runs")))
}

#[test]
fn a_disk_that_is_full_in_mid_run_costs_no_earlier_trial() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = run_with_limit(dir.path(), "4s", 64);
    assert_eq!(code, 2, "{out}\n{err}");
    for part in
        ["the run directory", "cannot be written", "File too large", "kept: 1 of 2 trials whole", "hint", "--runs"]
    {
        assert!(err.contains(part), "{part} is missing in\n{err}");
    }
    assert!(
        err.contains("the page")
            && err.contains("hint      allow longer files (ulimit -f unlimited), or tenbin report"),
        "{err}"
    );
    assert!(out.contains("answer") && out.contains("saved") && !out.contains("page  "), "{out}");

    // With room again the page can be made, and says what is missing.
    let (run, json) = read_back(&dir.path().join("runs"));
    assert!(!run.join("report.html").exists() && !run.join("report.html.new").exists(), "half a page lies around");
    assert!(json["trials"][0]["accounting"]["completed"].as_u64().unwrap() > 0, "the first trial is whole");
    assert_eq!(json["trials"][0]["state"], "complete");
    assert_eq!(json["verdict"], "INVALID");
    let (_, _, err) = output_of(tenbin().arg("report").arg(&run));
    assert!(err.contains("trial 2 has no end"), "{err}");
    assert!(std::fs::read_to_string(run.join("report.html")).unwrap().contains("<svg"));
}

#[test]
fn a_page_that_does_not_fit_costs_nothing_of_the_record() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = run_with_limit(dir.path(), "250ms", 48);
    assert_eq!(code, 2, "{out}\n{err}");
    assert!(!err.contains("the run directory") && err.contains("the page"), "{err}");
    let (run, json) = read_back(&dir.path().join("runs"));
    assert_eq!((&json["state"], json["trials"].as_array().unwrap().len()), (&"complete".into(), 2));
    // One that is there already is not lost to one that cannot be written.
    let report = |limit: &str| {
        let script = format!("{limit} exec \"$0\" report \"$1\"");
        output_of(tenbin_through("bash", &["-c", &script]).arg(&run))
    };
    let (code, _, err) = report("");
    assert!(code == 0 || code == 3, "{code} {err}");
    let page = std::fs::read(run.join("report.html")).unwrap();
    let (code, _, err) = report("ulimit -f 48;");
    assert!(code == 1 && err.contains("ulimit -f unlimited"), "{code} {err}");
    assert!(std::fs::read(run.join("report.html")).unwrap() == page, "the old page is gone");
}

#[test]
fn a_folder_that_cannot_be_used_is_told_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(dir.path(), "4s");
    for (folder, why) in [("/proc/nowhere", "No such file or directory"), ("/dev/null", "File exists")] {
        let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).args(["--runs", folder]));
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains("cannot be written") && err.contains(why) && err.contains("--runs"), "{err}");
    }
}

/// A run as one without digests, whose log can be made longer.
fn without_digests(run: &Path) {
    std::fs::remove_file(run.join("SHA256SUMS")).unwrap();
    let of_run = std::fs::read_to_string(run.join("run.json")).unwrap();
    std::fs::write(run.join("run.json"), of_run.replace("\"check\"", "\"older\"")).unwrap();
    for log in ["events.jsonl", "trials/0001/events.jsonl"] {
        let text = std::fs::read_to_string(run.join(log)).unwrap();
        let line = |line: &str| format!("{}}}\n", line.rsplit_once(",\"chain\":").expect("a chain").0);
        std::fs::write(run.join(log), text.lines().map(line).collect::<String>()).unwrap();
    }
}

#[test]
fn a_run_of_hours_is_read_in_the_memory_of_a_short_one() {
    let runs = tempfile::tempdir().unwrap();
    let (code, _, err) = output_of(tenbin().args(["bench", "tpcc", "null:", "--time", "2", "--runs"]).arg(runs.path()));
    assert!([0, 3].contains(&code), "{code} {err}");
    let (run, _) = read_back(runs.path());
    without_digests(&run);
    let log = run.join("trials/0001/events.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    let measured = |line: &&str| line.contains("\"event\":\"interval\"") && line.contains("\"phase\":\"measure\"");
    let (at, line) = text.lines().enumerate().find(|(_, line)| measured(line)).expect("there is an interval");
    let mut long: Vec<&str> = text.lines().collect();
    long.splice(at..at, std::iter::repeat_n(line, 1_000));
    // The window contains them: clients cannot do that much in the old one, and it would be INVALID.
    let number =
        |line: &str, key: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()[key].as_u64().unwrap();
    let end = text.lines().find(|line| line.contains("\"event\":\"trial-finished\"")).expect("it ended");
    let to_ns = number(end, "measured_to_ns");
    let later = to_ns + 1_000 * (number(line, "to_ns") - number(line, "from_ns"));
    let long = long.join("\n") + "\n";
    let long = long.replace(&format!("\"measured_to_ns\":{to_ns}"), &format!("\"measured_to_ns\":{later}"));
    std::fs::write(&log, long).unwrap();
    // All intervals together would take more than a gigabyte.
    let limited = ["-c", "ulimit -d 400000; exec \"$0\" \"$@\""];
    let (code, out, err) = output_of(tenbin_through("bash", &limited).args(["report", "--format", "text"]).arg(&run));
    assert!(code == 0 && out.contains("NOPM"), "{code} {out}{err}");
}
