//! `tenbin verify` and `tenbin bundle`: runs whose files were altered are not shown as valid by any command, and a bundle is read
//! as its directory is.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::path::{Path, PathBuf};
use tenbin_tests::{output_of, tenbin};

const PLAN: &str = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[targets.b]\ndsn = \"null:\"\n[[experiment]]\nmeasure = \"1s\"\n\
    warmup = \"0s\"\ninterval = \"100ms\"\nrepeats = 1\nload.clients = 1\nload.workload = \"oltp_point_select\"\n";

/// A finished run of two trials, and what was printed at its end.
fn run(dir: &Path) -> (PathBuf, String) {
    let plan = dir.join("plan.toml");
    fs::write(&plan, PLAN).unwrap();
    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(dir.join("runs")));
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let saved = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}{err}"));
    (PathBuf::from(saved.trim()), out)
}

fn command(name: &str, runs: &[&Path], more: &[&str]) -> (i32, String, String) {
    output_of(tenbin().arg(name).args(runs).args(more))
}

/// Another count of completed transactions in the third interval of the first trial. Returns the number of its line.
fn edit(run: &Path) -> usize {
    let log = run.join("trials/0001/events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let intervals = text.lines().enumerate().filter(|(_, line)| line.contains("\"event\":\"interval\""));
    let (at, line) = intervals.clone().nth(2).unwrap();
    let edited = line.replacen("\"completed\":", "\"completed\":9", 1);
    fs::write(&log, text.replacen(line, &edited, 1)).unwrap();
    at + 1
}

#[test]
fn what_was_altered_is_named_and_no_command_shows_it_as_valid() {
    let dir = tempfile::tempdir().unwrap();
    let (run, printed) = run(dir.path());
    let (code, out, err) = command("verify", &[&run], &[]);
    assert!(code == 0 && out.contains(": unchanged, 10 files"), "{code} {out}{err}");
    let digest = printed.lines().find_map(|line| line.strip_prefix("digest   ")).unwrap_or_else(|| panic!("{printed}"));
    assert!(digest.len() == 64 && out.contains(digest), "{out}");
    assert!(fs::read_to_string(run.join("report.html")).unwrap().contains(digest));
    let copy = dir.path().join("copy");
    let copied = std::process::Command::new("cp").args(["-r"]).args([&run, &copy]).status().unwrap();
    assert!(copied.success());

    let line = edit(&run);
    let (code, out, _) = command("verify", &[&run, &copy], &[]);
    let file = format!("trials/0001/events.jsonl: line {line} is not what was written there");
    assert!(code == 3 && out.contains("ALTERED, 1 of 10 files") && out.contains(&file), "{code} {out}");
    assert!(out.contains("must not be used: 1\n") && out.contains("copy: unchanged"), "{out}");
    let (code, out, _) = command("verify", &[&run], &["--lang", "ja"]);
    assert!(code == 3 && out.contains("変更あり") && out.contains(&format!("{line} 行目が")), "{code} {out}");
    let (code, out, _) = command("verify", &[&run], &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &json[0]["state"], &json[0]["altered_trials"]), (3, &"altered".into(), &[1].as_slice().into()));
    let files = json[0]["files"].as_array().unwrap();
    let log = files.iter().find(|file| file["altered"] == true).unwrap();
    assert_eq!((&log["file"], &log["lines"]), (&"trials/0001/events.jsonl".into(), &[line].as_slice().into()));

    let hint = format!("tenbin verify '{}'", run.display());
    for (name, runs, more, expected) in [
        ("report", &[run.as_path()][..], &["--format", "text"][..], 3),
        ("report", &[&run], &["--json"], 3),
        ("report", &[&run], &["--format", "csv"], 3),
        ("show", &[&run], &[], 3),
        ("compare", &[&copy, &run], &[], 3),
        ("gate", &[&copy, &run], &["--max-regression", "tps 90%"], 3),
    ] {
        let (code, out, err) = command(name, runs, more);
        assert_eq!(code, expected, "{name} {more:?}: {out}{err}");
        assert!(format!("{out}{err}").contains("INVALID") && err.contains(&hint), "{name} {more:?}: {out}{err}");
    }
    // What has no digest, or is no run, is neither altered nor verified.
    let older = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/report/tests/recordings/without-digests");
    let (code, out, _) = command("verify", &[&older], &[]);
    assert!(code == 2 && out.contains("cannot be verified"), "{code} {out}");
    let (code, _, err) = command("verify", &[dir.path()], &[]);
    assert!(code == 1 && err.contains("is not a run directory"), "{code} {err}");
}

#[test]
fn a_bundle_is_read_by_every_command_that_reads_its_directory() {
    let dir = tempfile::tempdir().unwrap();
    let (run, _) = run(dir.path());
    let (code, out, err) = command("bundle", &[&run], &[]);
    let bundle = PathBuf::from(out.trim());
    assert!(code == 0 && bundle.display().to_string() == format!("{}.tar.zst", run.display()), "{code} {out}{err}");
    let another = dir.path().join("another.tar.zst");
    let (code, out, _) = command("bundle", &[&run, &another], &["--json"]);
    let about: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && another.exists() && about["bundle"] == another.to_str().unwrap(), "{code} {about}");
    assert_eq!((&about["state"], &about["left_out"]), (&"unchanged".into(), &serde_json::json!([])));
    assert_eq!(about["digest"].as_str().map(str::len), Some(64));
    let same = |name: &str, more: &[&str]| {
        let [of_run, of_bundle] = [&run, &bundle].map(|run| {
            let (code, out, err) = command(name, &[run], more);
            let path = run.display().to_string();
            (code, out.replace(&path, "RUN"), err.replace(&path, "RUN"))
        });
        assert_eq!(of_run, of_bundle, "{name} {more:?}");
    };
    let pages = dir.path().join("page.html");
    for (name, more) in [
        ("show", &[][..]),
        ("show", &["--why"]),
        ("report", &["--json"]),
        ("report", &["--format", "series-csv"]),
        ("report", &["--out", pages.to_str().unwrap()]),
        ("verify", &[]),
        ("verify", &["--json"]),
        ("label", &["--json"]),
    ] {
        same(name, more);
    }
    let page = |run: &Path| {
        let (code, out, err) = command("report", &[run], &[]);
        assert!([0, 3].contains(&code), "{code} {out}{err}");
        fs::read(out.trim()).unwrap()
    };
    assert!(page(&run) == page(&bundle), "the pages differ");
    assert!(
        dir.path()
            .join("runs")
            .join(bundle.file_name().unwrap().to_str().unwrap().replace(".tar.zst", ".html"))
            .exists()
    );
    let (code, out, err) = command("compare", &[&run, &bundle], &["--names", "a,b"]);
    assert!(code == 1 && out.is_empty() && err.contains("are the same run"), "{code} {out}{err}");
    // A run is continued from it, in a directory of its own; nothing is written into it.
    let before = fs::read(&bundle).unwrap();
    let (code, out, err) = output_of(
        tenbin()
            .arg("run")
            .arg(dir.path().join("plan.toml"))
            .arg("--resume")
            .arg(&bundle)
            .arg("--redo")
            .arg("--runs")
            .arg(dir.path().join("more")),
    );
    assert!(
        [0, 3].contains(&code) && format!("{out}{err}").contains("2 finished trials were taken over"),
        "{code} {out}{err}"
    );
    let more = fs::read_dir(dir.path().join("more")).unwrap().next().unwrap().unwrap().path();
    // It begins with the trials of the bundle.
    let (code, out, err) = command("compare", &[&more, &bundle], &["--names", "a,b"]);
    assert!(code == 1 && out.is_empty() && err.contains("continues the other"), "{code} {out}{err}");
    let anew = dir.path().join("anew");
    let (code, out, err) = output_of(tenbin().arg("run").arg(dir.path().join("plan.toml")).arg("--runs").arg(&anew));
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let anew = fs::read_dir(anew).unwrap().next().unwrap().unwrap().path();
    let (code, out, err) = command("compare", &[&anew, &bundle], &["--names", "a,b"]);
    assert!([0, 3].contains(&code) && out.contains("a (b)"), "{code} {out}{err}");
    let (code, _, err) = command("label", &[&bundle], &["--note", "x"]);
    assert!(code == 1 && err.contains("tar --zstd -xf"), "{code} {err}");
    assert!(fs::read(&bundle).unwrap() == before);
    let (code, _, err) = command("bundle", &[&run], &[]);
    assert!(code == 1 && err.contains("there is a file of this name already"), "{code} {err}");
    // Half of one.
    let half = dir.path().join("half.tar.zst");
    fs::write(&half, &before[..before.len() / 2]).unwrap();
    for name in ["report", "show", "verify", "diff", "bundle"] {
        let (code, out, err) = command(name, &[&half], &[]);
        assert!(code == 1 && out.is_empty() && err.contains("half.tar.zst"), "{name}: {code} {out}{err}");
    }
    // That of an altered run says so.
    edit(&run);
    let (code, out, err) = command("bundle", &[&run, &dir.path().join("altered.tar.zst")], &[]);
    assert!(code == 3 && err.contains("not as they were written"), "{code} {out}{err}");
    assert_eq!(command("show", &[Path::new(out.trim())], &[]).0, 3);
}
