//! An interrupted run is continued: finished trials are taken over as they were, the others are run.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_tests::{output_of, state_directory, tenbin};

const PLAN: &str = "schema = 1\nname = \"r\"\n[targets.a]\nsandbox = \"sqlite\"\n[datasets.d]\nkind = \"sysbench\"\ntable_size = 100\n\
                    [[experiment]]\ndataset = \"d\"\nrepeats = 2\nwarmup = \"0s\"\nmeasure = \"1s\"\n[experiment.load]\n\
                    workload = \"oltp_point_select\"\n[experiment.matrix]\n\"load.clients\" = [1, 2]\n";

fn run(dir: &Path, args: &[&str]) -> Command {
    let mut command = tenbin();
    command.arg("run").args(args).current_dir(dir).env("TENBIN_RUNS", dir.join("runs"));
    command.env("TENBIN_STATE_DIR", state_directory(dir));
    command
}

fn runs(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(dir.join("runs")).into_iter().flatten().flatten().map(|e| e.path()).collect();
    all.sort();
    all
}

fn json(run: &Path) -> serde_json::Value {
    // Its exit code is that of the verdict.
    let (_, out, err) = output_of(tenbin().args(["report", "--json"]).arg(run));
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"))
}

/// The number of its complete trials.
fn complete(json: &serde_json::Value) -> usize {
    json["trials"].as_array().unwrap().iter().filter(|trial| trial["state"] == "complete").count()
}

/// Starts the plan and waits until the third of its four trials has recorded something.
fn begun(dir: &Path) -> Child {
    std::fs::write(dir.join("plan.toml"), PLAN).unwrap();
    let mut command = run(dir, &["plan.toml"]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let recorded =
        |run: &PathBuf| std::fs::read(run.join("trials/0003/events.jsonl")).is_ok_and(|log| log.contains(&b'\n'));
    let start = Instant::now();
    while !runs(dir).first().is_some_and(recorded) {
        assert!(start.elapsed() < Duration::from_secs(60), "the third trial does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_killed_run_is_continued_where_it_ended() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = begun(dir.path());
    child.kill().unwrap();
    child.wait().unwrap();
    let first = runs(dir.path()).remove(0);
    let killed = json(&first);
    // Two, unless this test was kept waiting.
    let finished = complete(&killed);
    assert!((2..4).contains(&finished), "{killed}");

    let (code, out, err) = output_of(&mut run(dir.path(), &["plan.toml", "--resume", first.to_str().unwrap()]));
    let output = format!("{out}{err}");
    assert!([0, 3].contains(&code), "{output}");
    assert!(output.contains(&format!("{finished} finished trials were taken over from")), "{output}");
    let second = runs(dir.path()).into_iter().find(|run| *run != first).unwrap();
    let resumed = json(&second);
    let trials = resumed["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 4);
    for (n, trial) in trials.iter().enumerate() {
        assert_eq!(trial["state"], "complete", "{trial}");
        if n < finished {
            assert_eq!(trial["accounting"], killed["trials"][n]["accounting"], "taken over as it was");
        }
    }
    // The clock continues after that of the killed run.
    let at = |run: &Path, number: u32| -> u64 {
        let log = std::fs::read_to_string(run.join(format!("trials/{number:04}/events.jsonl"))).unwrap();
        let first = log.split_once('\n').expect("a whole line").0;
        let event: serde_json::Value = serde_json::from_str(first).unwrap();
        event["at_ns"].as_u64().unwrap()
    };
    assert_eq!(at(&second, 2), at(&first, 2));
    if finished == 2 {
        assert!(at(&second, 3) >= at(&first, 3), "{} {}", at(&second, 3), at(&first, 3));
    }

    let (code, _, err) = output_of(&mut run(dir.path(), &["plan.toml", "--resume", second.to_str().unwrap()]));
    assert!(code == 1 && err.contains("there is nothing to resume"), "{code} {err}");
    std::fs::write(dir.path().join("other.toml"), PLAN.replace("table_size = 100", "table_size = 101")).unwrap();
    let before = runs(dir.path()).len();
    let (code, _, err) = output_of(&mut run(dir.path(), &["other.toml", "--resume", first.to_str().unwrap()]));
    assert!(code != 0 && err.contains("differs from that of the run to resume"), "{code} {err}");
    assert_eq!(runs(dir.path()).len(), before, "nothing is left of it");
    let (code, _, err) = output_of(&mut run(dir.path(), &["plan.toml", "--resume", "nowhere"]));
    assert!(code == 1 && err.contains("nowhere"), "{code} {err}");
}

#[test]
fn redo_adds_repeats_to_a_finished_run() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    let run = |args: &[&str]| {
        let before = runs(dir.path());
        let (code, out, err) = output_of(&mut run(dir.path(), &[&["plan.toml"], args].concat()));
        assert!([0, 3].contains(&code), "{args:?}: {code} {out}{err}");
        runs(dir.path()).into_iter().find(|run| !before.contains(run)).unwrap()
    };
    let first = run(&[]);
    let second = run(&["--resume", first.to_str().unwrap(), "--redo"]);
    let [once, twice] = [&first, &second].map(|run| json(run)["trials"].as_array().unwrap().clone());
    assert_eq!((once.len(), twice.len()), (4, 8));
    for (old, new) in once.iter().zip(&twice) {
        assert_eq!(old["accounting"], new["accounting"], "taken over as it was");
    }
    let mut repeats: Vec<String> = twice.iter().map(|t| format!("{}/{}", t["cell"], t["repeat"])).collect();
    repeats.sort();
    assert_eq!(repeats, ["1/1", "1/2", "1/3", "1/4", "2/1", "2/2", "2/3", "2/4"]);

    // A run with added repeats is resumed like any other.
    std::fs::remove_file(second.join("trials/0007/events.jsonl")).unwrap();
    let third = run(&["--resume", second.to_str().unwrap()]);
    let thrice = json(&third)["trials"].as_array().unwrap().clone();
    assert_eq!(thrice.len(), 8);
    assert_eq!(thrice[7]["accounting"], twice[7]["accounting"]);
    assert!(thrice.iter().all(|t| t["state"] == "complete"));

    let (code, _, err) = output_of(&mut self::run(dir.path(), &["plan.toml", "--redo"]));
    assert!(code == 1 && err.contains("--resume"), "{code} {err}");

    // A run and its continuation are no two measurements.
    let of = |arguments: &[&str]| output_of(tenbin().args(arguments).args(["--lang", "en"]));
    let [first, third] = [&first, &third].map(|run| run.to_str().unwrap());
    for (before, after) in [(first, third), (third, first)] {
        let (code, out, err) = of(&["compare", before, after]);
        assert!(code == 1 && out.is_empty() && err.contains("continues the other"), "{code} {out}{err}");
        assert!(err.contains("trials are the same measurements in both"), "{err}");
        let (code, out, err) = of(&["gate", before, after, "--max-regression", "tps 5%"]);
        assert!(code == 1 && out.is_empty() && err.contains("continues the other"), "{code} {out}{err}");
    }
    let independent = run(&[]);
    let independent = independent.to_str().unwrap();
    let (code, out, err) = of(&["compare", first, independent]);
    assert!([0, 3].contains(&code), "the same plan, measured anew: {code} {out}{err}");
    let (code, out, err) = of(&["history", "r", "--json", "--runs", dir.path().join("runs").to_str().unwrap()]);
    let history: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
    let dirs: Vec<&str> =
        history[0]["values"].as_array().unwrap().iter().map(|value| value["dir"].as_str().unwrap()).collect();
    assert_eq!((code, dirs), (0, vec![independent, third]), "{err}");
    assert!(err.contains("a later run continues it") && err.contains(first), "{err}");
}

#[test]
fn a_stopped_run_says_how_it_is_continued_and_a_damaged_trial_is_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let child = begun(dir.path());
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let out = child.wait_with_output().unwrap();
    let output = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(130), "{output}");
    let line = output.lines().find(|l| l.starts_with("resume")).unwrap_or_else(|| panic!("{output}"));
    let first = runs(dir.path()).remove(0);
    assert!(line.ends_with(&format!("tenbin run plan.toml --resume {}", first.display())), "{line}");
    let finished = complete(&json(&first));
    let log = first.join("trials/0001/events.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replacen("\"interval\"", "\"inter", 1)).unwrap();
    let (_, out, err) = output_of(&mut run(dir.path(), &["plan.toml", "--resume", first.to_str().unwrap()]));
    let others = finished - 1;
    assert!(format!("{out}{err}").contains(&format!("{others} finished trials were taken over")), "{out}{err}");
}

/// Writes `run.json` as it is while a run goes on, with the digest of its other keys.
fn without_end(file: &Path) {
    let mut about: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let keys = about.as_object_mut().unwrap();
    keys.remove("outcome");
    keys.remove("check");
    keys.insert("state".to_owned(), serde_json::Value::Null);
    std::fs::write(file, serde_json::to_vec_pretty(&about).unwrap()).unwrap();
    let (_, sum, _) = output_of(Command::new("sha256sum").arg(file));
    about["check"] = sum.split(' ').next().unwrap().into();
    std::fs::write(file, serde_json::to_vec_pretty(&about).unwrap()).unwrap();
}

#[test]
fn a_search_that_was_stopped_between_two_trials_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let plan = PLAN.replace("repeats = 2", "search = { until = \"p99 < 10s\", trials = 4 }");
    let plan = plan.split("[experiment.matrix]").next().unwrap();
    std::fs::write(dir.path().join("plan.toml"), plan).unwrap();
    let (_, out, err) = output_of(&mut run(dir.path(), &["plan.toml"]));
    let whole = runs(dir.path()).remove(0);
    let all = json(&whole)["trials"].as_array().unwrap().len();
    assert!(all > 2, "{out}{err}");
    // As if it had been killed after its second trial, before the third was planned.
    let up_to = |file: &str, ends: &dyn Fn(&str) -> bool| {
        let path = whole.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let kept = text.split_inclusive('\n').take_while(|line| !ends(line)).collect::<String>();
        assert!(!kept.is_empty() && kept.len() < text.len(), "{file}");
        std::fs::write(path, kept).unwrap();
    };
    up_to("events.jsonl", &|line| {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        event["planned"]["number"].as_u64() == Some(3)
    });
    up_to("SHA256SUMS", &|line| line.contains("trials/0003"));
    without_end(&whole.join("run.json"));
    (3..=all).for_each(|n| std::fs::remove_dir_all(whole.join(format!("trials/{n:04}"))).unwrap());

    let (_, out, err) = output_of(&mut run(dir.path(), &["plan.toml", "--resume", whole.to_str().unwrap()]));
    assert!(format!("{out}{err}").contains("2 finished trials were taken over"), "{out}{err}");
    let second = runs(dir.path()).into_iter().find(|run| *run != whole).unwrap();
    let resumed = json(&second);
    assert!(complete(&resumed) > 2 && resumed["limits"][0]["holds"].is_number(), "{resumed:#}");
    let (code, _, err) =
        output_of(&mut run(dir.path(), &["plan.toml", "--redo", "--resume", second.to_str().unwrap()]));
    assert!(code == 1 && err.contains("the plan itself decides"), "{code} {err}");
}

#[test]
fn a_run_is_continued_from_any_directory() {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let plan = PLAN.replace("\"oltp_point_select\"", "\"sql\"\nscripts = [\"look.sql\"]").replace("1s", "100ms");
    std::fs::write(dir.path().join("plan.toml"), plan).unwrap();
    std::fs::write(dir.path().join("look.sql"), "SELECT c FROM sbtest1 WHERE id = 1;\n").unwrap();
    let whole = dir.path().join("plan.toml").display().to_string();
    for (begun_in, plan, continued_in, same_plan) in
        [(&dir, "plan.toml", &elsewhere, whole.as_str()), (&elsewhere, whole.as_str(), &dir, "plan.toml")]
    {
        let (code, out, err) = output_of(&mut run(begun_in.path(), &[plan]));
        assert!([0, 3].contains(&code), "{code} {out}{err}");
        let first = runs(begun_in.path()).pop().unwrap();
        let more = ["--resume", first.to_str().unwrap(), "--redo"];
        let (code, out, err) = output_of(&mut run(continued_in.path(), &[&[same_plan][..], &more].concat()));
        assert!([0, 3].contains(&code) && err.contains("taken over"), "{code} {out}{err}");
        let last = runs(continued_in.path()).pop().unwrap();
        assert_eq!(complete(&json(&last)), 8);
    }
    // The plan in the directory of the run names files beside the plan that was run.
    let first = runs(dir.path()).remove(0);
    let of_run = first.join("plan.toml").display().to_string();
    let more = [&of_run, "--resume", first.to_str().unwrap(), "--redo"];
    let (code, out, err) = output_of(&mut run(dir.path(), &more));
    assert!([0, 3].contains(&code) && err.contains("taken over"), "{code} {out}{err}");
    let (code, out, err) = output_of(&mut run(elsewhere.path(), &more));
    assert!(code == 1 && err.contains("look.sql, which the plan of a run names, is not in"), "{code} {out}{err}");
    // A file of another content is another file, wherever it is named from.
    std::fs::write(dir.path().join("look.sql"), "SELECT c FROM sbtest1 WHERE id = 2;\n").unwrap();
    let (code, out, err) =
        output_of(&mut run(elsewhere.path(), &[&whole, "--resume", first.to_str().unwrap(), "--redo"]));
    assert!(code == 1 && err.contains("--allow changed-files"), "{code} {out}{err}");
}
