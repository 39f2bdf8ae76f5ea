//! `tenbin compare`: stored runs side by side.

use std::path::{Path, PathBuf};
use tenbin_tests::{NullServer, output_of, tenbin};

/// A run of this many clients on a null server with this delay.
fn run(runs: &Path, delay: &str, more: &[&str]) -> PathBuf {
    let server = NullServer::start(&["--delay", delay]);
    let mut command = tenbin();
    command.args(["bench", "oltp_point_select", &server.dsn(), "--time", "1", "--interval", "0.25"]);
    if !more.contains(&"--threads") {
        command.args(["--threads", "2"]);
    }
    let (code, out, err) = output_of(command.args(more).arg("--runs").arg(runs));
    assert!(code == 0 || code == 3, "{out}\n{err}");
    let saved = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}\n{err}"));
    PathBuf::from(saved.trim())
}

fn compared(arguments: &[&str]) -> (i32, String, String) {
    output_of(tenbin().arg("compare").args(arguments))
}

#[test]
fn two_runs_are_compared_as_targets_of_one() {
    let runs = tempfile::tempdir().unwrap();
    let [quick, slow] = ["1ms", "20ms"].map(|delay| run(runs.path(), delay, &[]));
    let [tps_of_quick, tps_of_slow] = [&quick, &slow].map(|dir| {
        let (_, out, err) = output_of(tenbin().args(["report", "--json"]).arg(dir));
        let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e} {out}\n{err}"));
        json["trials"][0]["tps"].as_f64().unwrap()
    });
    let [quick, slow] = [&quick, &slow].map(|dir| dir.to_str().unwrap());
    let (_, out, err) = compared(&[slow, quick, "--names", "before,after", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e} {out}\n{err}"));
    let comparison = &json["comparisons"][0];
    assert_eq!(
        (&comparison["a"], &comparison["b"], &comparison["figure"]),
        (&"before".into(), &"after".into(), &"tps".into())
    );
    let ratio = comparison["ratio"].as_f64().unwrap();
    // How much quicker it is depends on the machine.
    assert!(
        ratio > 1.5 && (ratio * tps_of_slow / tps_of_quick - 1.0).abs() < 1e-6,
        "{ratio}: {tps_of_quick} {tps_of_slow}"
    );
    let answer = json["answer"].as_str().unwrap();
    assert!(answer.starts_with("after completed ") && answer.contains("of before (one repeat only"), "{answer}");
    let caution = json["caution"].as_str().unwrap();
    assert!(
        caution.starts_with("These are stored runs, not measured in turns") && !caution.contains("differ in"),
        "{caution}"
    );
    // The first is the base, whichever is better.
    let (_, out, _) = compared(&[quick, slow, "--names", "before,after"]);
    assert!(out.contains("answer   after completed 0."), "{out}");
    let (_, out, _) = compared(&[quick, slow, "--names", "前,後", "--lang", "ja"]);
    assert!(out.contains("後 の毎秒トランザクション数は 前 の 0."), "{out}");
    let page = runs.path().join("both.html");
    let (_, out, _) = compared(&[quick, slow, "--format", "html", "--out", page.to_str().unwrap()]);
    assert_eq!(out.trim(), page.to_str().unwrap());
    assert!(std::fs::read_to_string(&page).unwrap().contains("<section id=\"ratios\">"));
}

#[test]
fn what_does_not_match_is_named_or_refused() {
    let runs = tempfile::tempdir().unwrap();
    let one = run(runs.path(), "1ms", &[]);
    let other = run(runs.path(), "1ms", &["--table-size", "500"]);
    let more = run(runs.path(), "1ms", &["--threads", "3"]);
    let [one, other, more] = [&one, &other, &more].map(|dir| dir.to_str().unwrap());
    let caution = |arguments: &[&str]| {
        let (_, out, _) = compared(arguments);
        out.lines().find(|line| line.starts_with("caution")).unwrap_or_default().to_owned()
    };
    assert!(
        caution(&[one, other])
            .contains("They also differ in dataset, options of the workload: this is no like-for-like"),
        "{}",
        caution(&[one, other])
    );
    assert!(caution(&[one, more]).contains("They also differ in clients:"), "{}", caution(&[one, more]));
    let refused = |arguments: &[&str], words: &str| {
        let (code, out, err) = compared(arguments);
        assert!(code == 1 && out.is_empty() && err.contains(words) && err.contains("hint"), "{code} {out} {err}");
    };
    refused(&[one, one], "are the same run");
    refused(&[one, one, "--names", "a,b"], "are the same run");
    refused(&[one, other, "--names", "a,a"], "each of the 2 runs needs a name of its own");
    refused(&[one, other, "--names", "a"], "each of the 2 runs needs a name of its own; 1 were given");
    refused(&[one, "/nonexistent"], "/nonexistent");
    let plan = runs.path().join("plan.toml");
    std::fs::write(
        &plan,
        "schema = 1\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\nmeasure = \"200ms\"\nwarmup = \"0s\"\nrepeats = 1\n\
         matrix.load.clients = [1, 2]\nload.workload = \"oltp_point_select\"\n",
    )
    .unwrap();
    let (_, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(runs.path()));
    let saved = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}\n{err}"));
    refused(&[one, saved.trim()], "these runs have no cell in common");
}

/// Two values of an axis on one target: the terminal and the page have the figures of the JSON, each at its own value.
#[test]
fn values_of_an_axis_on_one_target_have_their_figures() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    // Ranges of ten and of a thousand rows: whatever the machine is, they differ.
    std::fs::write(
        &plan,
        "schema = 1\nname = \"axis\"\n[targets.db]\nsandbox = \"sqlite\"\n[datasets.small]\ntables = 1\ntable_size = 1000\n\
         [[experiment]]\nname = \"e\"\ndataset = \"small\"\nrestore = \"before-dataset\"\nrepeats = 3\nmeasure = \"1s\"\n\
         warmup = \"0s\"\nsettle = \"0s\"\ninterval = \"250ms\"\nload = { workload = \"oltp_read_only\", clients = 1 }\n\
         matrix.load.range_size = [10, 1000]\n",
    )
    .unwrap();
    let (code, out, err) =
        output_of(tenbin().arg("run").arg(&plan).args(["--lang", "en", "--runs"]).arg(dir.path().join("runs")));
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let saved = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}{err}"));
    let (_, json, _) = output_of(tenbin().args(["report", "--json"]).arg(saved.trim()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let comparison = &json["comparisons"][0];
    // The one that does worse is the base: long ranges.
    assert_eq!([&comparison["along"], &comparison["a"], &comparison["b"]], ["load.range_size", "1000", "10"]);
    let of = |value: &str| {
        let cells = json["trials"].as_array().unwrap().iter().filter(|t| t["axes"]["load.range_size"] == value);
        let tps: Vec<f64> = cells.map(|t| t["tps"].as_f64().unwrap()).collect();
        assert_eq!(tps.len(), 3);
        tps.iter().sum::<f64>() / 3.0
    };
    let [long, short] = ["1000", "10"].map(of);
    assert!(short > 2.0 * long, "{short} {long}");
    let number = |text: &str| text.replace(',', "").parse::<f64>().unwrap_or(f64::NAN);
    let line = out
        .lines()
        .find(|line| line.ends_with(" TPS") && line.contains(" against "))
        .unwrap_or_else(|| panic!("{out}"));
    let words: Vec<&str> = line.split_whitespace().collect();
    let [shown_short, "against", shown_long, "TPS"] = words[words.len() - 4..] else { panic!("{line}") };
    assert!((number(shown_short) / short - 1.0).abs() < 0.01, "{line}: {short}");
    assert!((number(shown_long) / long - 1.0).abs() < 0.01, "{line}: {long}");
    assert!(out.lines().any(|line| line.contains("range_size 10 against load.range_size 1000")), "{out}");
}
