//! `tenbin gate`: its exit code says whether a run has become worse.

use std::path::{Path, PathBuf};
use tenbin_tests::{NullServer, output_of, tenbin};

/// Delays that a busy machine leaves no doubt about: far apart, and the shorter one long.
const QUICK: &str = "20ms";
const SLOW: &str = "200ms";
/// Repeats that tell, although one of them may differ much from the others.
const REPEATS: u32 = 5;

/// A run of this many repeats on a null server with this delay.
fn run(dir: &Path, delay: &str, repeats: u32) -> PathBuf {
    run_with(dir, delay, repeats, "")
}

/// The same with more in the plan.
fn run_with(dir: &Path, delay: &str, repeats: u32, more: &str) -> PathBuf {
    let server = NullServer::start(&["--delay", delay]);
    let plan = dir.join("plan.toml");
    let text = format!(
        "schema = 1\n{more}[targets.a]\ndsn = {:?}\n[[experiment]]\nmeasure = \"1s\"\nwarmup = \"0s\"\ninterval = \"250ms\"\n\
         repeats = {repeats}\nload.clients = 2\nload.workload = \"oltp_point_select\"\n",
        server.dsn()
    );
    std::fs::write(&plan, text).expect("a plan");
    let (_, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(dir));
    let saved = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}\n{err}"));
    PathBuf::from(saved.trim())
}

fn gate(baseline: &Path, run: &Path, more: &[&str]) -> (i32, String, String) {
    output_of(tenbin().arg("gate").arg(baseline).arg(run).args(more))
}

#[test]
fn a_slower_run_does_not_pass_and_a_quicker_one_does() {
    let dir = tempfile::tempdir().unwrap();
    let [quick, slow] = [QUICK, SLOW].map(|delay| run(dir.path(), delay, REPEATS));
    let limits = ["--max-regression", "tps 10%", "--max-regression", "mean 10%"];
    let (code, out, err) = gate(&quick, &slow, &limits);
    assert!(
        code == 4 && out.contains("largest regression 10 %: EXCEEDED") && out.contains("gate    FAILED"),
        "{code} {out}{err}"
    );
    assert!(out.contains("These are stored runs"), "{out}");
    let (code, out, err) = gate(&slow, &quick, &limits);
    assert!(
        code == 0 && out.contains("tps  run ") && out.contains(": held") && out.ends_with("gate    passed\n"),
        "{code} {out}{err}"
    );
    let (code, out, _) = gate(&quick, &slow, &["--max-regression", "tps 10%", "--lang", "ja"]);
    assert!(code == 4 && out.contains("上限超過") && out.contains("不合格"), "{code} {out}");
    let (code, out, _) = gate(&quick, &slow, &["--max-regression", "p95 900%", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 4 || json["passed"] == true, "{json:#}");
    assert_eq!(json["checks"][0]["figure"], "p95");
}

#[test]
fn one_repeat_decides_nothing_and_what_cannot_be_checked_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let [quick, slow] = [QUICK, SLOW].map(|delay| run(dir.path(), delay, 1));
    let limit = ["--max-regression", "tps 10%"];
    let (code, out, err) = gate(&quick, &slow, &limit);
    assert!(code == 0 && out.contains("UNDECIDED: it takes more repeats to tell"), "{code} {out}{err}");
    let (code, out, _) = gate(&quick, &slow, &[&limit[..], &["--strict"]].concat());
    assert!(code == 4 && out.contains("gate    FAILED"), "{code} {out}");
    let refused = |more: &[&str], words: &str| {
        let (code, out, err) = gate(&quick, &slow, more);
        assert!(code == 1 && out.is_empty() && err.contains(words) && err.contains("hint"), "{code} {out} {err}");
    };
    refused(&["--max-regression", "p99"], "\"p99\" is no limit of a regression");
    refused(&["--max-regression", "nopm 5%"], "no figure in common that has a limit");
    // Beside a limit that is checked it would look as if it had been held.
    refused(
        &[&limit[..], &["--max-regression", "nopm 5%"]].concat(),
        "no experiment of the two runs has the figure new_orders_per_minute",
    );
    let (code, _, err) = gate(&quick, Path::new("/nonexistent"), &limit);
    assert!(code == 1 && err.contains("/nonexistent"), "{code} {err}");
    let (code, _, err) = gate(&quick, &slow, &[]);
    assert!(code == 1 && err.contains("--max-regression"), "{code} {err}");
}

#[test]
fn limits_in_the_plan_of_the_run_hold_unless_others_are_given() {
    let dir = tempfile::tempdir().unwrap();
    let limits = "[gate]\nmax_regression = [\"tps 10%\", \"p50 5%\"]\n";
    let (quick, slow) = (run(dir.path(), QUICK, REPEATS), run_with(dir.path(), SLOW, REPEATS, limits));
    let (code, out, err) = gate(&quick, &slow, &[]);
    assert!(code == 4 && out.contains("largest regression 10 %: "), "{code} {out}{err}");
    assert!(out.lines().any(|line| line.starts_with("p50  ") && line.contains("5.0 %: EXCEEDED")), "{out}");
    let (code, out, err) = gate(&quick, &slow, &["--max-regression", "tps 1000%"]);
    assert!(code == 0 && !out.contains("p50"), "{code} {out}{err}");
    // Those of the baseline are not asked.
    let (code, _, err) = gate(&slow, &quick, &[]);
    assert!(code == 1 && err.contains("has no limits"), "{code} {err}");
    let file = dir.path().join("page.html");
    let (code, _, err) = output_of(tenbin().arg("report").arg(&slow).args(["--format", "html", "--out"]).arg(&file));
    let page = std::fs::read_to_string(&file).expect("a page");
    assert!(code == 0 && page.contains("tps 10 %, p50 5 %"), "{code} {err}");
}

#[test]
fn limits_of_a_plan_are_checked_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    let text = "schema = 1\n[gate]\nmax_regression = [\"tps 3%\", \"speed 5%\", \"p99\"]\n[targets.a]\ndsn = \"null:\"\n\
                [[experiment]]\nload.workload = \"oltp_point_select\"\n";
    std::fs::write(&plan, text).expect("a plan");
    let (code, _, err) = output_of(tenbin().args(["plan", "check"]).arg(&plan));
    assert!(code == 1, "{code} {err}");
    for words in ["\"speed 5%\" is no limit of a regression", "\"p99\" is no limit of a regression", "p50 to p99.9"] {
        assert!(err.contains(words), "{words} is not in {err}");
    }
    std::fs::write(&plan, text.replace("\"tps 3%\", \"speed 5%\", \"p99\"", "5")).expect("a plan");
    let (code, _, err) = output_of(tenbin().args(["plan", "check"]).arg(&plan));
    assert!(code == 1 && err.contains("write for example \"p99 5%\""), "{code} {err}");
    std::fs::write(&plan, text.replace(", \"speed 5%\", \"p99\"", "")).expect("a plan");
    let (code, out, err) = output_of(tenbin().args(["plan", "check"]).arg(&plan));
    assert_eq!(code, 0, "{out} {err}");
}

/// The first run of a plan has no baseline. It passes, and what is not checked is named.
#[test]
fn without_a_baseline_a_regression_is_named_as_not_checked() {
    let dir = tempfile::tempdir().unwrap();
    let alone = |run: &Path, more: &[&str]| output_of(tenbin().arg("gate").arg(run).args(more));
    let first = run_with(dir.path(), QUICK, 2, "[gate]\nmax_regression = \"p99 5%\"\nundecided = \"fail\"\n");
    let (code, out, err) = alone(&first, &[]);
    assert!(code == 0 && out.contains("not checked, because there is no baseline: p99 5.0 %"), "{code} {out}{err}");
    assert!(out.ends_with("gate    passed: nothing was checked\n"), "{out}");
    let (code, out, _) = alone(&first, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && json["passed"] == true && json["not_checked"][0]["figure"] == "p99", "{code} {json:#}");
    assert_eq!(json["checks"], serde_json::json!([]));
    // Beside a limit that is checked, too.
    let limits = "[gate]\nmax_regression = \"p99 5%\"\ncheck = \"tps > 1\"\n";
    let both = run_with(dir.path(), QUICK, 2, limits);
    let (code, out, err) = alone(&both, &[]);
    assert!(code == 0 && out.contains("not checked, because") && out.contains("tps > 1  a: "), "{code} {out}{err}");
    assert!(out.ends_with("gate    passed\n"), "{out}");
    // Who types a regression means another run.
    for more in [&["--max-regression", "p99 5%"][..], &["--max-regression", "p99 5%", "--check", "tps > 1"]] {
        let (code, out, err) = alone(&first, more);
        assert!(code == 1 && out.is_empty() && err.contains("there is one run only"), "{code} {out}{err}");
    }
}

#[test]
fn what_a_gate_cannot_check_is_said_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path(), QUICK, 1);
    let alone = |more: &[&str]| output_of(tenbin().arg("gate").arg(&run).args(more));
    let (code, out, err) = alone(&["--check", "nopm > 5"]);
    assert!(code == 1 && out.is_empty() && err.contains("no load of the run has the figure of"), "{code} {out}{err}");
    assert!(err.contains("nopm > 5") && !err.contains("--max-regression"), "{err}");
    let limit = ["--max-regression", "tps 5%"];
    let (code, out, err) = gate(&run, &run, &limit);
    assert!(code == 1 && out.is_empty() && err.contains("are the same run"), "{code} {out}{err}");
    let copy = dir.path().join("copy");
    let copied = std::process::Command::new("cp").arg("-r").arg(&run).arg(&copy).status().expect("cp");
    assert!(copied.success());
    let (code, out, err) = gate(&copy, &run, &limit);
    assert!(code == 1 && out.is_empty() && err.contains("are the same run"), "{code} {out}{err}");
    // An INVALID run has no figures, and what programs read says so too.
    std::fs::write(run.join("plan.toml"), "altered").expect("a plan");
    let (code, out, err) = alone(&["--check", "tps > 1"]);
    assert!(
        code == 3 && out.is_empty() && err.contains("is INVALID: its figures must not be used"),
        "{code} {out}{err}"
    );
    let (code, out, _) = alone(&["--check", "tps > 1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 3 && json["passed"] == false, "{code} {json:#}");
    assert_eq!(json["invalid"].as_str(), run.to_str());
}
