//! `order = "duet"` on servers that answer at once, whose figures are known, and on real ones, of which one is killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tenbin_model::doubt::Verdict;
use tenbin_model::event::{EndState, Phase};
use tenbin_model::summary::TrialResult;
use tenbin_report::store;
use tenbin_tests::{NullServer, Phoenix, output_of, tenbin, wait_until};
use tenbin_verdict::judged_trial::JudgedTrial;

fn plan(dir: &Path, [a, b]: [String; 2]) -> PathBuf {
    let file = dir.join("plan.toml");
    let allow = "allow = [\"shared-machine\"]";
    let text = format!(
        "schema = 1\nname = \"duet\"\n[targets.a]\ndsn = {a:?}\n{allow}\n[targets.b]\ndsn = {b:?}\n{allow}\n[[experiment]]\n\
         name = \"e\"\norder = \"duet\"\nrepeats = 2\nmeasure = \"3s\"\nwarmup = \"500ms\"\nsettle = \"0s\"\ninterval = \"100ms\"\n\
         load = {{ workload = \"oltp_point_select\", clients = 2, tables = 1, table_size = 1000 }}\n"
    );
    std::fs::write(&file, text).expect("the directory is there");
    file
}

fn saved(out: &str, err: &str) -> PathBuf {
    let line = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}\n{err}"));
    PathBuf::from(line.trim())
}

#[test]
fn two_targets_are_driven_in_the_same_instants() {
    let dir = tempfile::tempdir().unwrap();
    let servers = ["2ms", "3ms"].map(|delay| NullServer::start(&["--delay", delay]));
    let file = plan(dir.path(), servers.each_ref().map(NullServer::dsn));
    // Without the permission it is refused.
    let without = std::fs::read_to_string(&file).unwrap().replace("allow = [\"shared-machine\"]", "");
    let refused = dir.path().join("refused.toml");
    std::fs::write(&refused, without).unwrap();
    let (code, _, err) = output_of(tenbin().args(["plan", "check", "--offline", "--lang", "en"]).arg(&refused));
    assert!(
        code == 1 && err.contains("share a machine") && err.contains("allow = [\"shared-machine\"]"),
        "{code} {err}"
    );

    let (code, out, err) =
        output_of(tenbin().arg("run").arg(&file).args(["--lang", "en", "--runs"]).arg(dir.path().join("runs")));
    assert!([0, 3].contains(&code), "{code} {out}\n{err}");
    let run = saved(&out, &err);
    let summary = store::read(&run).unwrap().summary;
    assert!(summary.trials.len() == 4 && summary.trials.iter().all(|t| t.state == Some(EndState::Complete)), "{out}");
    let edges = |at: usize| -> Vec<(u64, u64)> {
        let rates = summary.trials[at].series.rates().filter(|rate| rate.phase == Phase::Measure);
        rates.map(|rate| (rate.from_ns / 5_000_000, rate.to_ns / 5_000_000)).collect()
    };
    for pair in [[0, 1], [2, 3]] {
        let [a, b] = pair.map(edges);
        assert_eq!(a.len(), 30);
        let close = |(x, y): (&(u64, u64), &(u64, u64))| x.0.abs_diff(y.0) <= 1 && x.1.abs_diff(y.1) <= 1;
        assert!(a.len() == b.len() && a.iter().zip(&b).all(close), "{a:?}\n{b:?}");
    }
    let (_, json, _) = output_of(tenbin().args(["report", "--json"]).arg(&run));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let comparison = &json["comparisons"][0];
    let completed = |name: &str| {
        let own = json["trials"].as_array().unwrap().iter().filter(|t| t["target"] == name);
        own.map(|t| t["accounting"]["completed"].as_f64().unwrap()).sum::<f64>()
    };
    let (a, b) = (comparison["a"].as_str().unwrap(), comparison["b"].as_str().unwrap());
    // Independently: all that both completed in their windows, which are the same.
    let ratio = comparison["ratio"].as_f64().unwrap();
    assert_eq!([a, b], ["b", "a"], "the quick one is compared with the slow one");
    // Where the two pairs differ by more than their instants do, as on a busy machine, they are the unit.
    let of_pair = |[a, b]: [usize; 2]| {
        let completed = |at: usize| summary.trials[at].tally.accounting.completed as f64;
        let ratio = completed(a) / completed(b);
        if summary.trials[a].trial.target.name == "a" { ratio } else { 1.0 / ratio }
    };
    let apart = (of_pair([0, 1]) / of_pair([2, 3])).ln().abs();
    if apart < 0.02 {
        assert!((ratio / (completed(b) / completed(a)) - 1.0).abs() < 0.02, "{comparison}");
    }
    let by_instants = match comparison["duet"].as_str() {
        Some("instants") => true,
        Some("pairs") => false,
        _ => panic!("{comparison}"),
    };
    assert_eq!(out.contains("2 pairs of runs at the same time, by their instants"), by_instants, "{out}");
    // Each has its own processor time and threads, and not those of the other.
    for t in &summary.trials {
        let beside = t.clients_beside();
        assert!(beside.workers > 0 && beside.cpu_ns > 0 && t.client_cpu_ns > 0, "{beside:?} {}", t.client_cpu_ns);
    }
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("2 pairs at the same time") || !by_instants, "the card says it");
    assert!(json["conditions"].as_str().unwrap().contains("permitted to share a machine"), "{json}");
    let (code, out, _) = output_of(tenbin().args(["verify", "--lang", "en"]).arg(&run));
    assert!(code == 0 && out.contains(": unchanged"), "{code} {out}");
}

/// Starts a run, and does something with its process when the measured window of its first pair has intervals in both logs.
fn run_and(file: &Path, runs: &Path, then: impl FnOnce(u32)) -> (i32, String, String) {
    let mut command = tenbin();
    command.arg("run").arg(file).args(["--lang", "en", "--runs"]).arg(runs);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let has_measured = |run: &Path, trial: &str| {
        let log = std::fs::read_to_string(run.join("trials").join(trial).join("events.jsonl")).unwrap_or_default();
        log.lines().filter(|line| line.contains("\"interval\"") && line.contains("\"measure\"")).count() > 5
    };
    wait_until("both targets are measured", || {
        let run = std::fs::read_dir(runs).ok().and_then(|mut all| all.next()?.ok());
        run.is_some_and(|run| ["0001", "0002"].iter().all(|trial| has_measured(&run.path(), trial)))
    });
    then(child.id());
    let ended = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (ended.status.code().unwrap_or(-1), text(&ended.stdout), text(&ended.stderr))
}

#[test]
fn a_target_that_dies_in_a_duet_has_no_figure_and_the_other_is_not_compared() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (NullServer::start(&["--delay", "2ms"]), NullServer::start(&["--delay", "2ms"]));
    let file = plan(dir.path(), [a.dsn(), b.dsn()]);
    let (code, out, err) = run_and(&file, &dir.path().join("runs"), move |_| drop(b));
    assert_ne!(code, 0, "{out}\n{err}");
    let run = saved(&out, &err);
    let summary = store::read(&run).unwrap().summary;
    let of = |name: &str| summary.trials.iter().filter(|t| t.trial.target.name == name).collect::<Vec<_>>();
    let codes = |t: &TrialResult| t.doubts().iter().map(|doubt| doubt.code.clone()).collect::<Vec<_>>().join(" ");
    assert!(summary.trials.iter().all(|t| t.verdict() == Verdict::Invalid), "{out}\n{err}");
    // It was at work alone in the first pair, and not at all in the second, in which no other was beside it.
    let [first, second] = of("a")[..] else { panic!("{out}") };
    assert!(codes(first).contains("driven-alone"), "{}", codes(first));
    assert!(second.state == Some(EndState::Failed) && codes(second).contains("not-measured"), "{}", codes(second));
    assert!(
        out.contains("There is no result") && err.contains("not driven, because b cannot be driven"),
        "{out}\n{err}"
    );
    let (_, json, _) = output_of(tenbin().args(["report", "--format", "json"]).arg(&run));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["comparisons"].as_array().map(Vec::len), Some(0), "{json}");
}

#[test]
fn an_interrupted_duet_is_continued_with_whole_pairs() {
    let dir = tempfile::tempdir().unwrap();
    let servers = [(); 2].map(|()| NullServer::start(&["--delay", "2ms"]));
    let file = plan(dir.path(), servers.each_ref().map(NullServer::dsn));
    let runs = dir.path().join("runs");
    let interrupt = |pid: u32| {
        let sent = Command::new("kill").args(["-INT", &pid.to_string()]).status().unwrap();
        assert!(sent.success());
    };
    let (code, out, err) = run_and(&file, &runs, interrupt);
    assert_eq!(code, 130, "{out}\n{err}");
    let first = saved(&out, &err);
    let states = |run: &Path| store::read(run).unwrap().summary.trials.iter().map(|t| t.state).collect::<Vec<_>>();
    assert_eq!(states(&first)[..2], [Some(EndState::Partial); 2], "{out}\n{err}");
    let (code, out, err) = output_of(
        tenbin().arg("run").arg(&file).arg("--resume").arg(&first).args(["--lang", "en", "--runs"]).arg(&runs),
    );
    assert!([0, 3].contains(&code), "{code} {out}\n{err}");
    assert_eq!(states(&saved(&out, &err)), [Some(EndState::Complete); 4], "{out}\n{err}");
}

#[test]
fn real_servers_are_driven_at_the_same_time_and_one_of_them_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let (a, mut b) = (tenbin_tests::mariadb(&[]), Phoenix::start(&[]));
    let file = plan(dir.path(), [a.dsn(), b.dsn()]);
    let (code, out, err) =
        output_of(tenbin().arg("run").arg(&file).args(["--lang", "en", "--runs"]).arg(dir.path().join("whole")));
    assert!([0, 3].contains(&code), "{code} {out}\n{err}");
    let summary = store::read(&saved(&out, &err)).unwrap().summary;
    assert_eq!(
        summary.trials.iter().map(|t| t.state).collect::<Vec<_>>(),
        [Some(EndState::Complete); 4],
        "{out}\n{err}"
    );
    assert!(out.contains("at the same time"), "{out}");
    let (code, out, err) = run_and(&file, &dir.path().join("runs"), |_| b.crash());
    assert_ne!(code, 0, "{out}\n{err}");
    let summary = store::read(&saved(&out, &err)).unwrap().summary;
    assert!(summary.trials.iter().all(|t| t.verdict() == Verdict::Invalid), "{out}\n{err}");
    assert!(out.contains("There is no result"), "{out}\n{err}");
}
