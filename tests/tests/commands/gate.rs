//! `tenbin gate`: its exit code says whether a run has become worse.

use std::path::{Path, PathBuf};
use tenbin_tests::{NullServer, output_of, tenbin};

/// A run of three repeats on a null server with this delay.
fn run(dir: &Path, delay: &str, repeats: u32) -> PathBuf {
    let server = NullServer::start(&["--delay", delay]);
    let plan = dir.join("plan.toml");
    let text = format!(
        "schema = 1\n[targets.a]\ndsn = {:?}\n[[experiment]]\nmeasure = \"1s\"\nwarmup = \"0s\"\ninterval = \"250ms\"\n\
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
    let [quick, slow] = ["2ms", "20ms"].map(|delay| run(dir.path(), delay, 3));
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
    let [quick, slow] = ["2ms", "20ms"].map(|delay| run(dir.path(), delay, 1));
    let limit = ["--max-regression", "tps 10%"];
    let (code, out, err) = gate(&quick, &slow, &limit);
    assert!(code == 0 && out.contains("UNDECIDED: more repeats are needed"), "{code} {out}{err}");
    let (code, out, _) = gate(&quick, &slow, &[&limit[..], &["--strict"]].concat());
    assert!(code == 4 && out.contains("gate    FAILED"), "{code} {out}");
    let refused = |more: &[&str], words: &str| {
        let (code, out, err) = gate(&quick, &slow, more);
        assert!(code == 1 && out.is_empty() && err.contains(words) && err.contains("hint"), "{code} {out} {err}");
    };
    refused(&["--max-regression", "p99"], "\"p99\" is no limit of a regression");
    refused(&["--max-regression", "nopm 5%"], "no figure in common that has a limit");
    let (code, _, err) = gate(&quick, Path::new("/nonexistent"), &limit);
    assert!(code == 1 && err.contains("/nonexistent"), "{code} {err}");
    let (code, _, err) = gate(&quick, &slow, &[]);
    assert!(code == 1 && err.contains("--max-regression"), "{code} {err}");
}
