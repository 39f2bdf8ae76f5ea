//! What limits a target is found in staged cases on real servers, each with a cause that is known; and where the evidence is
//! missing, that is said, with what it would need.
//!
//! Each case has the machine for itself (`.config/nextest.toml`): one that keeps a processor busy would be found in the others. In
//! `make test-all`, those that leave the processors idle run two at a time. A trial that other programs disturb says so itself, and the
//! case is tried again, which the runner of the tests shows and counts.

mod limits;
mod no_evidence;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tenbin_tests::{DISTURBED, more_attempts_follow, output_of, read_back, tenbin};

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

    fn diagnosed(&self) -> Diagnosed {
        self.diagnosed_by(tenbin)
    }

    /// The diagnosis of its only trial by this `tenbin`.
    fn diagnosed_by(&self, tenbin: impl Fn() -> Command) -> Diagnosed {
        self.diagnosed_while(tenbin, |_, _| ())
    }

    /// The diagnosis of its only trial by this `tenbin`, with the doubts that others disturbed it. A trial that is INVALID for
    /// another reason is a mistake of the case. Meanwhile, something is done with the process and the folder of its runs.
    fn diagnosed_while(&self, tenbin: impl Fn() -> Command, meanwhile: impl FnOnce(u32, &Path)) -> Diagnosed {
        let plan = self.dir.path().join("plan.toml");
        fs::write(&plan, &self.plan).expect("it is ours");
        let runs = self.dir.path().join("runs");
        let mut command = tenbin();
        command.args(["run", "--runs"]).arg(&runs).arg(&plan).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("tenbin is built");
        meanwhile(child.id(), &runs);
        let output = child.wait_with_output().expect("it ends");
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        let code = output.status.code().expect("it is not killed");
        assert!([0, 2, 3].contains(&code), "{code} {out}{err}");
        let (run, json) = read_back(&runs);
        // The target's limit is that of the cell with the highest throughput.
        let cell = &json["bottlenecks"][0]["cell"];
        let all = json["trials"].as_array().expect("trials");
        let trial = all.iter().find(|trial| trial["cell"] == *cell).unwrap_or(&all[0]);
        let doubts = trial["doubts"].as_array().expect("doubts").clone();
        let disturbed: Vec<Value> =
            doubts.into_iter().filter(|doubt| DISTURBED.iter().any(|code| doubt["code"] == *code)).collect();
        let why = trial["why"].clone();
        assert!(!why.is_null() || !disturbed.is_empty(), "{code} {out}{err}");
        if !why.is_null() {
            self.check(&run, &json, &why, &out);
        }
        let page = fs::read_to_string(run.join("report.html")).expect("a page");
        Diagnosed { why, disturbed, shown: [("the terminal", out + &err), ("the page", page)] }
    }

    /// Asserts that the run of the plan that would refute the diagnosis confirms this limit. A run that others disturbed is tried
    /// again.
    fn assert_confirmed(&self, limit: &str, tenbin: impl Fn() -> Command) {
        let (mut tested, mut disturbed) = self.tested(&self.dir.path().join("refute.toml"), limit, &tenbin);
        // As a user would: its run offers the same plan with more repeats.
        if tested["outcome"] == "not-decided" {
            (tested, disturbed) = self.tested(&self.dir.path().join("again.toml"), limit, &tenbin);
        }
        if tested["outcome"] != "confirmed" && disturbed {
            assert!(!more_attempts_follow(), "disturbed, to be tried again: {tested}");
            return;
        }
        assert_eq!(tested["outcome"], "confirmed", "{tested}");
    }

    /// What the run of a plan shows of the limit that it tests, and whether others disturbed it. Terminal, page and JSON show it, and
    /// what is refuted is not said again.
    #[expect(clippy::print_stderr, reason = "the figures of each staged limit are looked at")]
    fn tested(&self, plan: &Path, limit: &str, tenbin: &impl Fn() -> Command) -> (Value, bool) {
        let runs = self.dir.path().join("tested");
        let _ = fs::remove_dir_all(&runs);
        shorten(plan, limit);
        let (code, out, err) = output_of(tenbin().args(["run", "--runs"]).arg(&runs).arg(plan));
        assert!([0, 2, 3].contains(&code), "{code} {out}{err}");
        let (run, json) = read_back(&runs);
        let tested = json["refutation"].clone();
        let sentence = tested["sentence"].as_str().unwrap_or_else(|| panic!("{tested} {out}{err}"));
        eprintln!("{sentence}");
        assert_eq!(tested["limit"], limit, "{tested}");
        assert!(out.contains(sentence), "{sentence}\n{out}");
        let (_, shown, err) = output_of(tenbin_tests::tenbin().args(["show", "--why"]).arg(&run));
        assert!(shown.starts_with(sentence), "{sentence}\n{shown}{err}");
        // The run whose diagnosis it is shows it too, once they stand in one folder.
        let (original, _) = read_back(&self.dir.path().join("runs"));
        let beside = self.dir.path().join("runs").join("tested");
        assert!(Command::new("cp").arg("-a").arg(&run).arg(&beside).status().expect("it can be copied").success());
        let (_, output, err) = output_of(tenbin_tests::tenbin().args(["show", "--why"]).arg(&original));
        fs::remove_dir_all(&beside).expect("it is ours");
        assert!(output.contains(sentence), "{sentence}\n{output}{err}");
        let page = fs::read_to_string(run.join("report.html")).expect("a page");
        assert!(page.contains(sentence), "{sentence}");
        let trials = json["trials"].as_array().expect("trials");
        if tested["outcome"] == "refuted" {
            assert!(trials.iter().all(|trial| trial["why"]["limit"] != limit), "{:?}", trials[0]["why"]["sentence"]);
            let targets = json["bottlenecks"].as_array().expect("targets");
            assert!(targets.iter().all(|target| target["limit"] != limit), "{targets:?}");
        }
        if tested["outcome"] == "not-decided" {
            let again = self.dir.path().join("again.toml");
            let (_, text, err) =
                output_of(tenbin_tests::tenbin().args(["show", "--why", "--plan"]).arg(&again).arg(&run));
            assert!(again.is_file(), "{text}{err}");
        }
        let doubts = trials.iter().filter_map(|trial| trial["doubts"].as_array()).flatten();
        let disturbed = doubts.into_iter().any(|doubt| DISTURBED.iter().any(|code| doubt["code"] == *code));
        (tested, disturbed)
    }

    /// What holds of every diagnosis: terminal, page and JSON say the same, the budget adds up, and the plan that would refute
    /// it is one.
    fn check(&self, run: &Path, json: &Value, why: &Value, out: &str) {
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
            let (_, output, err) = output_of(tenbin().args(["show", "--why", "--plan"]).arg(&refute).arg(run));
            assert!(output.contains("refute.toml"), "{output}{err}");
            let (code, out, err) = output_of(tenbin().args(["plan", "check", "--offline"]).arg(&refute));
            assert_eq!(code, 0, "{out}{err}\n{}", fs::read_to_string(&refute).unwrap_or_default());
        }
    }
}

/// Five pairs of short windows decide as well as those of the plan. What fills a memory, falls behind or commits at the speed of a disk
/// needs two seconds. A second of transactions that wait for lost packets has some twenty, which
/// would not decide, so that twice as many pairs followed.
fn shorten(plan: &Path, limit: &str) {
    let text = fs::read_to_string(plan).expect("a plan");
    let measure = match limit {
        "network" if text.contains(">= 1.2\"") => return,
        // Transactions that are as long as the window have been given a warm-up.
        "row-locks" if text.matches("warmup").count() > 1 => return,
        "network" | "client" | "server-cpu" | "admission" => "measure = \"1s\"\n",
        _ => "measure = \"2s\"\n",
    };
    let line = |line: &str| match line.split_once(" = ") {
        Some(("measure", _)) => measure.to_owned(),
        _ => format!("{line}\n"),
    };
    let text: String = text.lines().map(line).collect();
    fs::write(plan, text).expect("it is ours");
}

/// What a trial of a staged case says of itself.
struct Diagnosed {
    why: Value,
    /// The doubts that others disturbed it.
    disturbed: Vec<Value>,
    /// What a reader sees of the trial, and where.
    shown: [(&'static str, String); 2],
}

impl Diagnosed {
    /// Whether it is to be judged as the case was staged. A disturbed trial is not: it fails, to be tried again, and at the last
    /// attempt what must hold is that its readers learn of it.
    #[expect(clippy::print_stderr, reason = "a case that could not be staged must be seen")]
    fn is_as_staged(&self, holds: bool) -> bool {
        if holds || self.disturbed.is_empty() {
            return true;
        }
        assert!(!more_attempts_follow(), "disturbed, to be tried again: {:?}", self.disturbed);
        self.assert_told();
        eprintln!("could not be staged, and said so: {:?}", self.disturbed);
        false
    }

    /// That terminal and page show how it was disturbed: what each doubt is, and its evidence.
    fn assert_told(&self) {
        for doubt in &self.disturbed {
            for text in ["what", "evidence"] {
                let text = doubt["problem"][text].as_str().expect("a text");
                for (place, shown) in &self.shown {
                    assert!(shown.contains(text), "{place} does not show {text:?} of {doubt}\n{shown}");
                }
            }
        }
    }
}

/// Whether the plan that would refute a limit is run, which takes a minute and the whole machine: in `make test-all`.
fn is_tested() -> bool {
    std::env::var("NEXTEST_PROFILE").as_deref() != Ok("test")
}

/// Asserts what limited a staged case, by figures whose sentences contain these words, and that the run of the plan that would refute
/// it confirms it.
fn assert_found(case: &Staged, tenbin: impl Fn() -> Command, limit: &str, words: &[&str]) {
    let diagnosed = case.diagnosed_by(&tenbin);
    assert_limit(&diagnosed, limit, words);
    if diagnosed.why["limit"] == limit && is_tested() {
        case.assert_confirmed(limit, tenbin);
    }
}

/// Asserts what limited it, by figures whose sentences contain these words.
fn assert_limit(diagnosed: &Diagnosed, limit: &str, words: &[&str]) {
    let why = &diagnosed.why;
    if !diagnosed.is_as_staged(why["limit"] == limit) {
        return;
    }
    assert_eq!(why["limit"], limit, "{}\n{}", why["sentence"], why["rules"]);
    let proofs = why["proofs"].as_array().expect("proofs");
    assert!((1..=3).contains(&proofs.len()), "{proofs:?}");
    let proofs = why["proofs"].to_string();
    assert!(words.iter().all(|word| proofs.contains(word)), "{words:?} in {proofs}");
}
