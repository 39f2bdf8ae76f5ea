//! The scripts of `deploy/github-action`, as a job on GitHub executes them, with a program in the place of Tenbin that ends as it is told.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_tests::output_of;

/// `run` leaves a run, `report` says what limits it has, and `gate` what it was called with.
const PROGRAM: &str = r#"#!/bin/sh
case $1 in
  run) [ "$RUN_ENDS" = 1 ] || mkdir "$4/one"; exit "$RUN_ENDS" ;;
  list) if [ -d "$3/one" ]; then printf '{"runs":[{"dir":"%s"}]}' "$3/one"; else printf '{"runs":[]}'; fi ;;
  report) case $* in *--json*) printf '%s' "$REPORT"; exit 3 ;; *) echo '### summary' ;; esac ;;
  gate) shift; echo "gate $*"; exit "$GATE_ENDS" ;;
esac
"#;

/// The scripts of the action, in order.
fn scripts() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/github-action/action.yml");
    let text = std::fs::read_to_string(path).expect("the action");
    let of = |block: &str| -> String {
        let lines = block.lines().take_while(|line| line.is_empty() || line.starts_with("        "));
        lines.map(|line| format!("{}\n", line.strip_prefix("        ").unwrap_or_default())).collect()
    };
    text.split("      run: |\n").skip(1).map(of).collect()
}

/// A job in a folder of its own.
struct Job {
    folder: tempfile::TempDir,
}

impl Job {
    fn new() -> Job {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("tenbin");
        std::fs::write(&program, PROGRAM).expect("the folder is ours");
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("the file is ours");
        Job { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Executes one of the scripts as `shell: bash` does it.
    fn executes(&self, script: &str, environment: &[(&str, &str)]) -> (i32, String, String) {
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-euo", "pipefail", "-c", script]).env("RUNNER_TEMP", self.folder.path());
        bash.env("GITHUB_OUTPUT", self.file("output")).env("GITHUB_STEP_SUMMARY", self.file("summary"));
        bash.env("TENBIN", self.file("tenbin"))
            .env("LANGUAGE", "en")
            .env("PLAN", "plan.toml")
            .env("ARTIFACT", "tenbin");
        output_of(bash.envs(environment.iter().copied()))
    }
}

const LIMITS: &str = r#"{"gate":{"check":["tps > 1"]}}"#;
const NO_LIMITS: &str = r#"{"gate":null}"#;

#[test]
fn the_limits_of_the_plan_and_the_baseline_decide_about_the_job() {
    let all = scripts();
    let [_, check] = all.as_slice() else { panic!("{} scripts", all.len()) };
    let cases = [
        // How the run ended, what its report says, the baseline, how the gate ends: how the step ends, and what the gate was asked.
        (("0", NO_LIMITS, "", "1"), (0, None)),
        (("0", NO_LIMITS, "base", "1"), (1, Some("gate base one"))),
        (("0", LIMITS, "", "4"), (4, Some("gate one"))),
        (("0", LIMITS, "base", "0"), (0, Some("gate base one"))),
        (("2", LIMITS, "base", "4"), (2, Some("gate base one"))),
        (("4", LIMITS, "", "0"), (4, Some("gate one"))),
        (("3", LIMITS, "base", "4"), (3, None)),
        (("3", NO_LIMITS, "", "4"), (3, None)),
        (("0", "", "base", "0"), (1, None)),
    ];
    for (case, (ends, request)) in cases {
        let (code, report, baseline, gate) = case;
        let job = Job::new();
        let of_case = [("CODE", code), ("REPORT", report), ("BASELINE", baseline), ("GATE_ENDS", gate), ("RUN", "one")];
        let (ended, out, err) = job.executes(check, &of_case);
        assert_eq!(ended, ends, "{case:?}: {out}{err}");
        let text = out.lines().find(|line| line.starts_with("gate ")).map(|line| line.trim_end_matches(" --lang en"));
        assert_eq!(text, request, "{case:?}: {out}{err}");
        let summary = std::fs::read_to_string(job.file("summary")).unwrap_or_default();
        assert_eq!(summary.is_empty(), out.is_empty(), "what is said is in the summary too: {case:?}: {summary}");
    }
}

#[test]
fn a_run_is_an_artifact_with_a_name_of_its_own() {
    let all = scripts();
    let job = Job::new();
    for (name, ends) in [("tenbin", "0"), ("tenbin-2", "2")] {
        let (code, out, err) = job.executes(&all[0], &[("RUN_ENDS", ends)]);
        let output = std::fs::read_to_string(job.file("output")).expect("outputs");
        let last: Vec<&str> = output.lines().rev().take(3).collect();
        assert_eq!((code, last[0], last[1]), (0, &*format!("artifact={name}"), &*format!("code={ends}")), "{out}{err}");
        assert!(last[2].starts_with("run=") && last[2].ends_with("/one"), "{output}");
    }
    assert_eq!(std::fs::read_to_string(job.file("summary")).expect("a summary"), "### summary\n### summary\n");
    let (code, out, err) = job.executes(&all[0], &[("RUN_ENDS", "1")]);
    assert_eq!(code, 1, "nothing was measured: {out}{err}");
}
