//! Stored runs among others: labels, the list with what each found, the history of a plan; and what a search for a limit leaves.

use std::path::{Path, PathBuf};
use tenbin_tests::{NullServer, output_of, tenbin};

fn run(dir: &Path, experiment: &str, more: &[&str]) -> (i32, PathBuf, String) {
    let server = NullServer::start(&["--delay", "2ms"]);
    let plan = dir.join("plan.toml");
    let text = format!(
        "schema = 1\nname = \"nightly\"\n[targets.a]\ndsn = {:?}\nprice = \"36 EUR/h\"\n[[experiment]]\nmeasure = \"1s\"\n\
         warmup = \"0s\"\ninterval = \"250ms\"\nload.clients = 2\nload.workload = \"oltp_point_select\"\n{experiment}\n",
        server.dsn()
    );
    std::fs::write(&plan, text).expect("a plan");
    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(dir.join("runs")).args(more));
    let saved = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}\n{err}"));
    (code, PathBuf::from(saved.trim()), out)
}

fn listed(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    output_of(tenbin().args(arguments).arg("--runs").arg(dir.join("runs")))
}

#[test]
fn labels_answers_and_histories_of_runs() {
    let dir = tempfile::tempdir().unwrap();
    let repeats = "repeats = 2";
    let (_, first, _) =
        run(dir.path(), repeats, &["--name", "before \x1b[31m", "--tag", "8.0", "--note", "<b>new</b> disk"]);
    let (strict, second, out) = run(dir.path(), repeats, &["--strict"]);
    // Fewer than 1,000 transactions: DEGRADED.
    assert_eq!(strict, 3, "{out}");
    assert!(first.display().to_string().contains("before"), "{first:?}");
    let (code, out, _) = output_of(tenbin().arg("label").arg(&second).args(["--tag", "8.4", "--tag", "8.4", "--json"]));
    let labels: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && labels["tags"] == serde_json::json!(["8.4"]), "{labels}");
    let (code, out, err) = listed(dir.path(), &["list", "--lang", "en"]);
    assert!(code == 0 && out.contains("DEGRADED  2 trials  before"), "{out}{err}");
    assert!(out.contains("a completed") && !out.contains('\x1b'), "{out}");
    let (_, out, _) = listed(dir.path(), &["list", "--tag", "8.4", "--lang", "ja"]);
    assert!(out.contains("8.4") && !out.contains("before") && out.contains("トランザクション"), "{out}");
    let page = std::fs::read_to_string(first.join("report.html")).unwrap();
    assert!(
        page.contains("&lt;b&gt;new&lt;&#x2f;b&gt; disk") || page.contains("&lt;b&gt;new&lt;/b&gt; disk"),
        "the note is escaped"
    );
    let plan = dir.path().join("plan.toml");
    let (code, out, err) = listed(dir.path(), &["history", plan.to_str().unwrap()]);
    assert!(
        code == 0 && out.contains("tps (TPS)") && out.contains("no change of the level was found in 2 runs"),
        "{out}{err}"
    );
    let (_, out, _) = listed(dir.path(), &["history", "nightly", "--figure", "p99", "--json"]);
    let history: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(history[0]["values"].as_array().map(Vec::len), Some(2), "{history}");
    assert!(history[0]["values"][0]["value"].as_f64().unwrap() >= 2.0, "{history}");
    let (code, _, err) = listed(dir.path(), &["history", "weekly"]);
    assert!(code == 1 && err.contains("no run of a plan named weekly"), "{err}");
    let (code, _, err) = listed(dir.path(), &["history", "nightly", "--figure", "speed"]);
    assert!(code == 1 && err.contains("p50 to p99.9"), "{err}");
    let (code, _, err) = output_of(tenbin().arg("label").arg(dir.path()).args(["--tag", "x"]));
    assert!(code == 1 && err.contains("tenbin list"), "{err}");
}

#[test]
fn a_search_tells_the_limit_and_its_price() {
    let dir = tempfile::tempdir().unwrap();
    // Two clients, 2 ms each: fewer than 1,000 transactions per second.
    let search = "search = { until = \"p99 < 1s\", trials = 4 }";
    let (_, run, out) = run(dir.path(), search, &[]);
    let (_, json, _) = output_of(tenbin().args(["report", "--json"]).arg(&run));
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    let (_, japanese, _) = output_of(tenbin().args(["report", "--format", "text", "--lang", "ja"]).arg(&run));
    match found["limits"][0]["holds"].as_f64() {
        Some(holds) => {
            assert!(out.contains("a holds p99 < 1s") && out.contains("EUR per 1,000 transactions"), "{out}");
            assert!((10.0..=1060.0).contains(&holds), "{holds}");
            assert!(japanese.contains("を満たし"), "{japanese}");
        }
        // On a machine whose processors others have, no rate is reached; then that is the answer, with its reason.
        None => {
            assert!(out.contains("a does not hold p99 < 1s even at"), "{out}");
            assert!(
                json.contains("others-busy") || json.contains("client-delayed") || json.contains("client-late"),
                "{out}"
            );
        }
    }
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("id=\"limits\"") && page.contains("p99 &lt; 1s"), "the page has the limit");
}
