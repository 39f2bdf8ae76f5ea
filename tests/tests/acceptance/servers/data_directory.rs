//! Where the data of private servers lie: in a directory of ours within that of the plan, which is removed afterwards, also by
//! others than the run that has made it. What else is there stays.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::golden::{Bench, wait_for};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tenbin_tests::{output_of, state_directory, tenbin_through};

fn place(name: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
    let place = dir.path().join(name);
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("thesis"), "of somebody else").unwrap();
    std::fs::create_dir_all(place.join("tenbin-old/data")).unwrap();
    (dir, place)
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap().flatten();
    let mut all: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    all.sort();
    all
}

/// What is there of others.
const OTHERS: [&str; 2] = ["tenbin-old", "thesis"];

fn target(name: &str, binary: &str, directory: &Path) -> String {
    format!("[targets.{name}]\nsandbox = \"{binary}\"\ndata_directory = \"{}\"\n", directory.display())
}

#[test]
fn the_data_of_each_server_lie_where_the_plan_says() {
    let (dir, place) = place("here");
    let (bench, link, small) = (Bench::new(), dir.path().join("link"), dir.path().join("other"));
    std::os::unix::fs::symlink(&place, &link).unwrap();
    std::fs::create_dir(&small).unwrap();
    let targets = [
        target("a", "mariadbd", &place) + "restore = \"copy\"\n",
        target("same", "mariadbd", &link),
        target("p", "postgres", &place),
        target("s", "sqlite", &place),
        target("small", "mariadbd", &small) + "server = { innodb_log_file_size = \"16MiB\" }\n",
    ];
    let plan = bench.plan(&targets.concat(), 1);
    let (code, out, err) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(out.matches("keep the data of the server in a directory of its own in").count(), 5, "{out}");
    // A small file system that only this run sees.
    let mount = format!("mount -t tmpfs -o size=600m small {} && exec \"$0\" \"$@\"", small.display());
    let mut run = tenbin_through("unshare", &["--mount", "bash", "-c", &mount]);
    run.args(["run", plan.to_str().unwrap()]).envs(bench.command(&[]).get_envs().filter_map(|(k, v)| Some((k, v?))));
    let (code, out, err) = output_of(&mut run);
    assert!([0, 2].contains(&code), "{out}{err}");
    assert_eq!(names(&place), OTHERS, "nothing of ours is left, and all of others");
    // Each target's facts give its file system and where it is mounted.
    let of = |name: &str| bench.fact(name, "machine.file_system");
    assert_eq!(of("small").as_deref(), Some("tmpfs"));
    assert_eq!(bench.fact("small", "machine.mounted_at").as_deref(), small.to_str());
    assert_eq!(of("a"), of("same"));
    assert_ne!(of("a").as_deref(), Some("tmpfs"));
    let datadir = bench.fact("same", "machine.data_directory").unwrap();
    assert!(datadir.starts_with(&format!("{}/tenbin-same-", place.canonicalize().unwrap().display())), "{datadir}");
    let page = std::fs::read_to_string(bench.run_directory().join("report.html")).unwrap();
    assert!(page.contains("tmpfs"), "the page tells it too");
}

#[test]
fn what_cannot_hold_data_is_told_before_anything_is_made() {
    let (dir, place) = place("here");
    let bench = Bench::new();
    let closed = dir.path().join("closed");
    std::fs::create_dir_all(closed.join("in")).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
    let text_of = |directory: &Path| {
        let plan = bench.plan(&target("a", "mariadbd", directory), 1);
        let (checked, _, check) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
        let (code, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
        assert_eq!((checked, code), (1, 1), "{out}{err}");
        assert_eq!(check.matches("error:").count(), 1, "{check}");
        assert!(!out.contains("trial 1"), "{out}");
        check + &err
    };
    assert!(text_of(&dir.path().join("missing")).contains("mkdir -p"));
    assert!(text_of(&place.join("thesis")).contains("not a directory"));
    let closed_in = text_of(&closed.join("in"));
    assert!(closed_in.contains("the account mysql") && closed_in.contains("chmod a+x"), "{closed_in}");
    std::os::unix::fs::symlink(dir.path().join("missing"), dir.path().join("dangling")).unwrap();
    assert!(text_of(&dir.path().join("dangling")).contains("mkdir -p"));
    assert_eq!(names(&place), OTHERS);
    // One that is full.
    let plan = bench.plan(&target("a", "mariadbd", &place), 1);
    let mount = format!("mount -t tmpfs -o size=8m small {} && exec \"$0\" \"$@\"", place.display());
    let mut run = tenbin_through("unshare", &["--mount", "bash", "-c", &mount]);
    run.args(["run", plan.to_str().unwrap()]).env("TENBIN_STATE_DIR", state_directory(dir.path()));
    let (code, out, err) = output_of(&mut run);
    assert!(code == 1 && err.contains("no room for a private server") && err.contains("here"), "{out}{err}");
    assert!(err.contains("set data_directory of the target to"), "what would help there: {err}");
}

#[test]
fn what_a_killed_run_leaves_there_is_removed_by_the_next_and_by_name() {
    let (_dir, place) = place("here");
    let bench = Bench::new();
    let plan = bench.plan(&target("a", "mariadbd", &place), 1);
    let ours = || names(&place).into_iter().find(|name| name.starts_with("tenbin-a-"));
    let killed = || {
        let mut run = bench.command(&["run", plan.to_str().unwrap()]);
        let mut child = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for(|| ours().is_some_and(|name| place.join(name).join("data/sbtest").exists()));
        child.kill().unwrap();
        child.wait().unwrap();
        ours().unwrap()
    };
    killed();
    let (_, out, err) = bench.does(&["sandbox", "list", "--clean"]);
    assert_eq!(names(&place), OTHERS, "{out}{err}");
    // Its note is lost, as after a start of the machine that empties the directory for temporary files.
    let left = killed();
    wait_for(|| is_left_alone(&place.join(&left)));
    let state = state_directory(bench.path());
    for entry in std::fs::read_dir(&state).unwrap().flatten() {
        let path = entry.path();
        let _ = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
    }
    let (code, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
    assert!([0, 2].contains(&code), "{out}{err}");
    assert_eq!(names(&place), OTHERS, "{left}");
}

/// Whether nothing works in a directory any more.
fn is_left_alone(dir: &Path) -> bool {
    let look = format!("ls -l /proc/*/cwd 2>/dev/null | grep -c '{}'", dir.display());
    let printed = Command::new("sh").args(["-c", &look]).output().unwrap().stdout;
    String::from_utf8(printed).unwrap().trim() == "0"
}
