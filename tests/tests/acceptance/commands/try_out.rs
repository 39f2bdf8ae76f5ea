//! `tenbin run --scale`: a plan is tried out with a part of its data and time, and nothing can be mistaken for the
//! result of the plan.

use std::fs;
use std::path::{Path, PathBuf};
use tenbin_tests::{output_of, state_directory, tenbin};

const PLAN: &str = "schema = 1\nname = \"big\"\n[targets.a]\ndsn = \"sqlite:here.db\"\n[datasets.d]\nkind = \"sysbench\"\n\
                    [[experiment]]\ndataset = \"d\"\nrepeats = 2\nwarmup = \"0s\"\nmeasure = \"1h\"\n[experiment.load]\n\
                    workload = \"oltp_point_select\"\n[experiment.matrix]\n\"dataset.table_size\" = [100_000, 40_000_000]\n";

fn runs(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(dir.join("runs")).into_iter().flatten().flatten().map(|e| e.path()).collect();
    all.sort();
    all
}

#[test]
fn a_try_out_is_marked_wherever_it_is_shown_and_leaves_servers_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    let run = |args: &[&str]| {
        let mut command = tenbin();
        command
            .arg("run")
            .args(args)
            .arg("plan.toml")
            .current_dir(dir.path())
            .env("TENBIN_RUNS", dir.path().join("runs"));
        output_of(command.env("TENBIN_STATE_DIR", state_directory(dir.path())))
    };
    let (code, out, err) = run(&["--scale", "0.0001"]);
    // Other tests may take its processors.
    let printed = match code {
        0 => "the plan works: all 4 trials came to an end",
        _ => "this try-out did not do what the plan says",
    };
    assert!([0, 3].contains(&code) && out.contains(printed), "{code} {out}{err}");
    assert!(!dir.path().join("here.db").exists(), "the file of the plan was created");
    let sentence = "This is a try-out of the plan with its data and time multiplied by 0.0001";
    assert!(out.contains(sentence) && out.contains("try-out at scale 0.0001"), "{out}");
    assert!(err.contains("the target a is a private server (sqlite) in place of sqlite:here.db"), "{err}");
    let first = runs(dir.path()).remove(0);
    assert!(first.to_string_lossy().ends_with("-big-scale-0.0001"), "{first:?}");

    let report = |form: &str| output_of(tenbin().args(["report", "--format", form]).arg(&first)).1;
    let json: serde_json::Value = serde_json::from_str(&report("json")).unwrap();
    assert_eq!((json["scale"].as_f64(), json["name"].as_str()), (Some(0.0001), Some("big-scale-0.0001")));
    assert!(json["caution"].as_str().unwrap().contains(sentence), "{}", json["caution"]);
    let trials = json["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 4);
    for trial in trials {
        assert_eq!((trial["state"].as_str(), trial["scale"].as_f64()), (Some("complete"), Some(0.0001)), "{trial}");
        assert_ne!(trial["verdict"], "VALID", "{trial}");
        let codes: Vec<&str> =
            trial["doubts"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
        assert!(codes.contains(&"scaled"), "{codes:?}");
    }
    let mut sizes: Vec<&str> = trials.iter().map(|t| t["axes"]["dataset.table_size"].as_str().unwrap()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, ["100", "100", "4000", "4000"]);
    assert!(report("markdown").contains(sentence));
    for form in ["csv", "readings-csv"] {
        let csv = report(form);
        let mut lines = csv.lines();
        assert!(lines.next().unwrap().ends_with(",scale"), "{form}");
        assert!(lines.all(|line| line.ends_with(",0.0001")), "{form}: {csv}");
    }
    let page = fs::read_to_string(first.join("report.html")).unwrap();
    assert!(page.contains(sentence) && page.contains("tenbin run plan.toml --scale 0.0001"));

    // A gate that judges it says so, alone and as a baseline; and so does the list.
    let (code, out, err) = run(&["--scale", "0.0001"]);
    assert_eq!(code, 0, "{out}{err}");
    let second = runs(dir.path()).into_iter().find(|run| *run != first).unwrap();
    let gate = |arguments: &[&str], all: &[&PathBuf]| {
        let (code, out, err) = output_of(tenbin().arg("gate").args(all).args(arguments).args(["--lang", "en"]));
        assert!([0, 4].contains(&code), "{code} {out}{err}");
        out
    };
    let alone = gate(&["--check", "tps > 0.001"], &[&first]);
    assert!(alone.contains("The run is a try-out of its plan, with its data and time multiplied by 0.0001"), "{alone}");
    let beside = gate(&["--max-regression", "tps 50%", "--json"], &[&second, &first]);
    let beside: serde_json::Value = serde_json::from_str(&beside).unwrap();
    let caution = beside["caution"].as_str().unwrap();
    assert!(caution.contains("The baseline is a try-out") && caution.contains("The run is a try-out"), "{caution}");
    let list = |more: &[&str]| {
        let (code, out, err) = output_of(tenbin().arg("list").args(more).arg("--runs").arg(dir.path().join("runs")));
        assert_eq!(code, 0, "{err}");
        out
    };
    let text = list(&["--all", "--lang", "en"]);
    assert_eq!(text.matches("try-out at scale 0.0001").count(), 2, "{text}");
    let csv = list(&["--csv"]);
    assert!(csv.lines().next().unwrap().ends_with(",scale"), "{csv}");
    assert_eq!(csv.lines().filter(|line| line.ends_with(",0.0001")).count(), 2, "{csv}");

    // The same plan as a whole is another run.
    fs::remove_file(first.join("trials/0004/events.jsonl")).unwrap();
    let resume = first.to_str().unwrap();
    let (code, _, err) = run(&["--scale", "0.0002", "--resume", resume]);
    assert!(code != 0 && err.contains("the run to resume was not made with this --scale"), "{code} {err}");
    let (code, out, err) = run(&["--scale", "0.0001", "--resume", resume]);
    assert!([0, 3].contains(&code) && err.contains("3 finished trials were taken over"), "{code} {out}{err}");
    for wrong in ["0", "1", "2", "x"] {
        let (code, _, err) = run(&["--scale", wrong]);
        assert!(code == 1 && err.contains("more than 0 and less than 1"), "{wrong}: {code} {err}");
    }
}

/// Plans that come with the project, on the servers of this machine: one for each kind of experiment that takes seconds. Of
/// the directories that one plan measures there are others here.
#[test]
fn plans_of_the_project_can_be_tried_out() {
    let plans = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("plans");
    for name in ["demo-sqlite", "host-storage", "e5-replica-lag", "e5-rds"] {
        let path = plans.join(format!("{name}.toml"));
        let dir = tempfile::tempdir().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let text = ["/var/tmp/tenbin-here", "/mnt/tenbin-there"].iter().fold(text, |text, old| {
            let own = dir.path().join(old.rsplit('/').next().unwrap());
            if text.contains(old) {
                fs::create_dir(&own).unwrap();
            }
            text.replace(old, own.to_str().unwrap())
        });
        let plan = dir.path().join("plan.toml");
        fs::write(&plan, text).unwrap();
        let mut command = tenbin();
        command.args(["run", "--scale", "0.001", "--json"]).arg(&plan).env("TENBIN_RUNS", dir.path().join("runs"));
        command.env("TENBIN_STATE_DIR", state_directory(dir.path())).env("TENBIN_DATA_DIR", dir.path().join("data"));
        let (code, out, err) = output_of(&mut command);
        // The few transactions of a try-out may all fail in a deadlock, and other tests may take its processors.
        assert!([0, 3].contains(&code), "{code} {}: {err}", path.display());
        let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
        assert_eq!(json["state"], "complete", "{}: {err}", path.display());
        assert!(json["trials"].as_array().unwrap().iter().all(|t| t["scale"] == 0.001), "{}", path.display());
    }
}
