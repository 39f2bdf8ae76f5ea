//! What limits a target is found in staged cases on real servers, each with a cause that is known; and where the evidence is
//! missing, that is said, with what it would need.

mod limits;
mod no_evidence;

use serde_json::Value;
use std::fs;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tenbin_tests::{output_of, read_back, tenbin};

/// Staged cases run one after the other: one that keeps a processor busy would be found in the other ones.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Doubts about the machine of the tests, and not about the server: others used it, or it did not run in time.
const DISTURBED: [&str; 5] = ["others-busy", "client-late", "client-stopped", "client-suspended", "steal"];

/// What comes before the targets of every plan.
const HEAD: &str = "schema = 1\nname = \"staged\"\nmetrics = { interval = \"200ms\" }\n\
                    [defaults]\nrepeats = 1\nwarmup = \"500ms\"\nmeasure = \"4s\"\n";

/// A staged case: a plan, and programs that its load runs.
struct Staged {
    dir: tempfile::TempDir,
    plan: String,
}

impl Staged {
    /// A plan of these targets, data and load, with a directory for its scripts in place of `DIR`.
    fn plan(rest: &str) -> Staged {
        let dir = tempfile::tempdir().expect("a directory can be made");
        let plan = format!("{HEAD}{rest}").replace("DIR", &dir.path().display().to_string());
        Staged { dir, plan }
    }

    /// With a script whose events are these statements.
    fn script(self, name: &str, event: &str) -> Staged {
        let text = format!(
            "function thread_init() drv = sysbench.sql.driver(); con = drv:connect() end\n\
             function thread_done() con:disconnect() end\nfunction event()\n{event}\nend\n"
        );
        fs::write(self.dir.path().join(name), text).expect("it is ours");
        self
    }

    /// The diagnosis of its only trial by this `tenbin`. A trial that others disturbed is run again, and said to be; any other that
    /// is INVALID is a mistake of the case.
    #[expect(clippy::print_stderr, reason = "an attempt that is discarded must be seen")]
    fn diagnosed_by(&self, tenbin: impl Fn() -> Command) -> Value {
        let plan = self.dir.path().join("plan.toml");
        fs::write(&plan, &self.plan).expect("it is ours");
        let mut discarded = Vec::new();
        for attempt in 0..3 {
            let runs = self.dir.path().join(format!("runs-{attempt}"));
            let (code, out, err) = output_of(tenbin().args(["run", "--runs"]).arg(&runs).arg(&plan));
            assert!([0, 2, 3].contains(&code), "{code} {out}{err}");
            let (run, json) = read_back(&runs);
            let why = json["trials"][0]["why"].clone();
            let doubts = json["trials"][0]["doubts"].as_array().expect("doubts");
            let codes = doubts.iter().filter_map(|doubt| doubt["code"].as_str());
            let disturbed: Vec<&str> = codes.filter(|code| DISTURBED.contains(code)).collect();
            // The last attempt is judged as it is, if it has a diagnosis at all.
            if disturbed.is_empty() || (attempt == 2 && !why.is_null()) {
                assert!(!why.is_null(), "{code} {out}{err}");
                self.check(&run, &json, &why, &out);
                return why;
            }
            eprintln!("attempt {attempt} was disturbed ({}): {}", disturbed.join(", "), json["trials"][0]["doubts"]);
            discarded.push(format!("{code} {out}{err}"));
        }
        panic!("all attempts were disturbed: {}", discarded.join("\n"));
    }

    /// What holds of every diagnosis: terminal, page and JSON say the same, the budget adds up, and the plan that would refute
    /// it is one.
    fn check(&self, run: &std::path::Path, json: &Value, why: &Value, out: &str) {
        let known = why["limit"] != "not-enough-evidence";
        let sentence = json["bottlenecks"][0]["sentence"].as_str().expect("a sentence on the target");
        assert_eq!(json["bottlenecks"][0]["limit"], why["limit"]);
        assert_eq!(out.contains(sentence), known, "{sentence}\n{out}");
        let (_, shown, err) = output_of(tenbin().args(["show", "--why"]).arg(run));
        assert!(shown.starts_with(sentence), "{sentence}\n{shown}{err}");
        let budget = &why["latency_budget"];
        let parts = budget["parts"].as_array().expect("parts");
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} in {budget}"));
        let sum: f64 = parts.iter().map(|part| number(&part["ms"])).sum();
        let whole = number(&budget["response_ms"]);
        assert!(parts.iter().all(|part| number(&part["ms"]) >= 0.0), "{budget}");
        assert!((sum - whole).abs() <= 1e-6 * whole, "{sum} of {whole}: {budget}");
        assert_eq!(why["missing"].as_array().is_some_and(|missing| !missing.is_empty()), !known, "{why}");
        let page = fs::read_to_string(run.join("report.html")).expect("a page");
        assert!(page.contains("id=\"why\""), "the page has no section on it");
        if known {
            let refute = self.dir.path().join("refute.toml");
            let (_, told, err) = output_of(tenbin().args(["show", "--why", "--plan"]).arg(&refute).arg(run));
            assert!(told.contains("refute.toml"), "{told}{err}");
            let (code, out, err) = output_of(tenbin().args(["plan", "check", "--offline"]).arg(&refute));
            assert_eq!(code, 0, "{out}{err}\n{}", fs::read_to_string(&refute).unwrap_or_default());
        }
    }

    fn diagnosed(&self) -> Value {
        self.diagnosed_by(tenbin)
    }
}

/// Asserts what limited it.
fn assert_limit(why: &Value, limit: &str) {
    assert_eq!(why["limit"], limit, "{}\n{}", why["sentence"], why["rules"]);
    let proofs = why["proofs"].as_array().expect("proofs");
    assert!((1..=3).contains(&proofs.len()), "{proofs:?}");
}
