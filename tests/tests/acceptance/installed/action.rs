//! The action for GitHub (`deploy/github-action`): its steps, run as a job there runs them, with the binary of this build.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::tool;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_tests::output_of;

/// The scripts of its steps, in order; the step between them uploads what the first one names.
fn steps() -> Vec<String> {
    let action = fs::read_to_string(tool("../../deploy/github-action/action.yml")).unwrap();
    let blocks = action.split("      run: |\n").skip(1);
    let script =
        |rest: &str| rest.lines().map_while(|line| line.strip_prefix("        ")).collect::<Vec<_>>().join("\n");
    blocks.map(script).collect()
}

/// A job, whose steps share a directory.
struct Job {
    dir: PathBuf,
    steps: Vec<String>,
}

impl Job {
    fn new(dir: &Path) -> Job {
        let job = Job { dir: dir.to_owned(), steps: steps() };
        assert_eq!(job.steps.len(), 2);
        job
    }

    /// The exit code of a step, and what it gives to later ones.
    fn step(&self, at: usize, inputs: &[(&str, &str)]) -> (i32, BTreeMap<String, String>) {
        let outputs = self.dir.join("outputs");
        fs::write(&outputs, "").unwrap();
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &self.steps[at]]).current_dir(&self.dir);
        bash.env("RUNNER_TEMP", &self.dir).env("GITHUB_OUTPUT", &outputs).env("TENBIN", tenbin_tests::binary());
        bash.env("GITHUB_STEP_SUMMARY", self.dir.join("summary.md")).env("TENBIN_STATE_DIR", self.dir.join("state"));
        let (code, _, err) = output_of(bash.env("LANGUAGE", "en").envs(inputs.iter().copied()));
        let text = fs::read_to_string(&outputs).unwrap();
        let given = text.lines().map(|line| line.split_once('=').unwrap());
        let given: BTreeMap<String, String> = given.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        assert!(at > 0 || code != 0 || given.contains_key("run"), "{err}");
        (code, given)
    }

    /// Runs a plan with this table `gate`: the code of the run, that of the job, the name of the artifact, and what was added to the summary.
    fn run(&self, gate: &str) -> (i32, i32, String, String) {
        let text = format!(
            "schema = 1\n[targets.own]\ndsn = \"sqlite:own.db\"\n[defaults]\nwarmup = \"0s\"\nmeasure = \"1s\"\nrepeats = 1\n{gate}\
             [[experiment]]\nload = {{ workload = \"oltp_read_only\", table_size = 100, clients = 1 }}\n"
        );
        fs::write(self.dir.join("plan.toml"), text).unwrap();
        let _ = fs::remove_file(self.dir.join("summary.md"));
        let (code, given) = self.step(0, &[("PLAN", "plan.toml"), ("ARTIFACT", "result")]);
        assert_eq!(code, 0, "the first step leaves the decision to the last one: {given:?}");
        assert!(Path::new(&given["run"]).join("report.html").is_file(), "{given:?}");
        let (job, _) = self.step(1, &[("RUN", &given["run"]), ("CODE", &given["code"]), ("BASELINE", "")]);
        let summary = fs::read_to_string(self.dir.join("summary.md")).unwrap();
        (given["code"].parse().unwrap(), job, given["artifact"].clone(), summary)
    }
}

#[test]
fn a_job_on_github_ends_as_the_limits_of_its_plan_say() {
    let dir = tempfile::tempdir().unwrap();
    let job = Job::new(dir.path());
    // 3: something else on this machine made the run INVALID, which the job must not hide.
    let (code, ended, artifact, summary) = job.run("");
    assert!((code == 0 || code == 3) && ended == code && artifact == "result", "{code} {ended} {artifact}");
    assert!(summary.contains("own") && !summary.contains("EXCEEDED"), "{summary}");
    let (code, ended, artifact, summary) = job.run("[gate]\ncheck = [\"tps > 1000000000\"]\n");
    assert!((code == 4 || code == 3) && ended == code && artifact == "result-2", "{code} {ended} {artifact}");
    assert!(code == 3 || summary.contains("EXCEEDED"), "{summary}");
    // Without a baseline.
    let (code, ended, _, summary) = job.run("[gate]\nmax_regression = [\"p99 5%\"]\n");
    assert!((code == 0 || code == 3) && ended == code, "{code} {ended}");
    assert!(code == 3 || summary.contains("not checked"), "{summary}");
    // Nothing was measured.
    let (code, given) = job.step(0, &[("PLAN", "none.toml"), ("ARTIFACT", "result")]);
    assert!(code != 0 && given.is_empty(), "{code} {given:?}");
}
