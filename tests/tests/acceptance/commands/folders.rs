//! Folders whose names are not UTF-8: whatever shows a run in them says where it is.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tenbin_tests::{output_of, tenbin};

/// `euÆü` in Latin-1, as `ls` of an old archive has it.
const FOLDER: &[u8] = b"eu\xc6\xfc";
/// The same as it is shown.
const SHOWN: &str = "eu\u{fffd}\u{fffd}";

const PLAN: &str = "schema = 1\nname = \"p\"\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\nmeasure = \"200ms\"\nwarmup = \"0s\"\n\
                    interval = \"100ms\"\nrepeats = 1\nload.clients = 1\nload.workload = \"oltp_point_select\"\n";

fn run(dir: &Path, more: &[&str]) -> (String, PathBuf) {
    let (plan, runs) = (dir.join("plan.toml"), dir.join(OsStr::from_bytes(FOLDER)));
    std::fs::write(&plan, PLAN).expect("the folder is ours");
    let before: Vec<PathBuf> = entries(&runs);
    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(&runs).args(more));
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let run = entries(&runs).into_iter().find(|entry| !before.contains(entry)).unwrap_or_else(|| panic!("{out}{err}"));
    (out, run)
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

#[test]
fn every_command_with_json_names_a_folder_that_is_no_utf_8() {
    let dir = tempfile::tempdir().unwrap();
    let (out, first) = run(dir.path(), &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
    assert_eq!(json["dir"].as_str(), Some(&*first.to_string_lossy()), "what was measured is told");
    let (_, second) = run(dir.path(), &[]);
    let runs = dir.path().join(OsStr::from_bytes(FOLDER));
    let of = |arguments: &[&str], paths: &[&Path]| {
        let (code, out, err) = output_of(tenbin().args(arguments).args(paths));
        assert!([0, 3].contains(&code), "{arguments:?}: {code} {out}{err}");
        let json: serde_json::Value =
            serde_json::from_str(&out).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {out}{err}"));
        json
    };
    let names = |json: &serde_json::Value| assert!(json.as_str().is_some_and(|dir| dir.contains(SHOWN)), "{json}");
    names(&of(&["list", "--json", "--runs"], &[&runs])["runs"][0]["dir"]);
    names(&of(&["history", "p", "--json", "--runs"], &[&runs])[0]["values"][0]["dir"]);
    names(&of(&["show", "--json"], &[&first])["dir"]);
    names(&of(&["report", "--json"], &[&first])["dir"]);
    names(&of(&["verify", "--json"], &[&first])[0]["run"]);
    of(&["compare", "--json"], &[&first, &second]);
    of(&["gate", "--json", "--check", "tps > 1"], &[&first]);
    let bundled = of(&["bundle", "--json"], &[&second]);
    names(&bundled["run"]);
    names(&bundled["bundle"]);
    names(&of(&["data", "list", "--json", "--store"], &[&runs.join("store")])["store"]);
    std::fs::write(first.join("plan.toml"), "altered").unwrap();
    names(&of(&["gate", "--json", "--check", "tps > 1"], &[&first])["invalid"]);
}

/// The address of a private server is text: it could not be found again.
#[test]
fn private_servers_in_a_folder_that_is_no_utf_8_are_refused_and_nothing_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join(OsStr::from_bytes(FOLDER));
    let plan = dir.path().join("plan.toml");
    std::fs::write(&plan, PLAN.replace("dsn = \"null:\"", "sandbox = \"sqlite\"")).unwrap();
    let runs = dir.path().join("runs");
    for command in [["plan", "check"].as_slice(), &["run", "--runs", runs.to_str().unwrap()]] {
        let (code, out, err) = output_of(tenbin().args(command).arg(&plan).env("TENBIN_STATE_DIR", &state));
        assert!(
            code == 1 && err.contains("is not valid UTF-8") && err.contains("export TENBIN_STATE_DIR="),
            "{command:?}: {code} {out}{err}"
        );
        assert!(!err.contains("panicked"), "{err}");
    }
    assert!(entries(&runs).is_empty(), "nothing was begun");
    let of_target = |entry: &PathBuf| entry.file_name().is_some_and(|name| name.as_bytes().starts_with(b"a-"));
    let left: Vec<PathBuf> = entries(&state).into_iter().filter(of_target).collect();
    assert_eq!(left, Vec::<PathBuf>::new(), "no sandbox and no note of one");
}
