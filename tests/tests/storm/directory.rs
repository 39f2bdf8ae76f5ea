//! Run directories that are full, damaged or made by a stranger: reported, never followed, never a reason to take all
//! memory.

use crate::AttackContext;
use crate::outcome::Outcome;
use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_tests::{tenbin, tenbin_through};

/// Address space that reading a small run may take, in KiB.
const MEMORY: &str = "2000000";

const PLAN: &str = "schema = 1\n[defaults]\nwarmup = \"0s\"\nmeasure = \"300ms\"\ninterval = \"100ms\"\nrepeats = 1\n\
    [targets.t]\nsandbox = \"sqlite\"\n[datasets.d]\ntable_size = 200\n\
    [[experiment]]\nload = { workload = \"oltp_read_only\", clients = 2 }\n";

/// A finished run of its own.
fn finished(world: &mut AttackContext) -> PathBuf {
    let (folder, runs) = (world.folder(), world.folder());
    let plan = folder.join("plan.toml");
    std::fs::write(&plan, PLAN).unwrap();
    let run = Outcome::of(tenbin().arg("run").arg(plan).arg("--runs").arg(&runs));
    assert!(matches!(run.code, Some(0 | 3)), "{run:?}");
    std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path()
}

/// Reads it back in every form, in little memory.
fn read(dir: &Path) -> String {
    let forms = ["html", "markdown", "csv", "json", "text"];
    let codes = forms.map(|form| {
        let limited = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let mut command = tenbin_through("bash", &["-c", &limited]);
        let outcome = Outcome::of(command.args(["report", "--format", form]).arg(dir));
        assert!(outcome.code.is_some_and(|code| code <= 3), "{form}: {outcome:?}");
        outcome.code.unwrap_or(-1).to_string()
    });
    codes.join(" ")
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}

pub fn damaged(world: &mut AttackContext) -> String {
    let dir = finished(world);
    let all = files(&dir);
    let mut done = Vec::new();
    for _ in 0..world.between(1, 4) {
        let path = world.one_of(&all).clone();
        let mut bytes = std::fs::read(&path).unwrap();
        let length = bytes.len().max(1) as u64;
        let at = (world.between(0, length - 1) as usize).min(bytes.len());
        let kind = *world.one_of(&["cut", "flip", "number", "repeat", "nest", "escape"]);
        match kind {
            "cut" => bytes.truncate(at),
            "flip" => {
                for _ in 0..world.between(1, 40) {
                    let at = world.between(0, length - 1) as usize;
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = world.between(0, 255) as u8;
                    }
                }
            }
            "number" => {
                let digits =
                    *world.one_of(&["99999999999999999999", "-1", "1e308", "18446744073709551615", "null", "{}"]);
                if let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit).map(|i| at + i) {
                    let end = bytes[from..].iter().position(|b| !b.is_ascii_digit()).map_or(bytes.len(), |i| from + i);
                    bytes.splice(from..end, digits.bytes());
                }
            }
            "repeat" => {
                let part = bytes[at..].to_vec();
                for _ in 0..world.between(1, 50) {
                    bytes.extend_from_slice(&part);
                }
            }
            "nest" => {
                let deep = world.between(10, 200_000) as usize;
                bytes.splice(at..at, std::iter::repeat_n(b'[', deep));
            }
            _ => {
                bytes.splice(at..at, "\u{1b}[2J\u{202e}\\u001b]0;x\\u0007\r\n".bytes());
            }
        }
        std::fs::write(&path, bytes).unwrap();
        done.push(format!("{kind} in {}", path.file_name().unwrap().to_string_lossy()));
    }
    format!("{} → exits {}", done.join(", "), read(&dir))
}

pub fn linked(world: &mut AttackContext) -> String {
    let dir = finished(world);
    let canary = world.folder().join("canary");
    std::fs::write(&canary, "the secret of another").unwrap();
    let all = files(&dir);
    let new = dir.join("report.html.new");
    let mut places: Vec<&PathBuf> = all.iter().collect();
    places.push(&new);
    let path = (*world.one_of(&places)).clone();
    let kind = *world.one_of(&["link", "hanging link", "pipe", "directory", "device"]);
    let _ = std::fs::remove_file(&path);
    match kind {
        "link" => std::os::unix::fs::symlink(&canary, &path).unwrap(),
        "hanging link" => std::os::unix::fs::symlink(dir.join("../elsewhere"), &path).unwrap(),
        "pipe" => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
        "directory" => std::fs::create_dir(&path).unwrap(),
        _ => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
    }
    let codes = read(&dir);
    assert_eq!(
        std::fs::read_to_string(&canary).unwrap(),
        "the secret of another",
        "{kind} at {path:?} was written through"
    );
    assert!(!dir.join("../elsewhere").exists(), "{kind} at {path:?} was followed");
    let page = std::fs::symlink_metadata(dir.join("report.html")).ok().filter(|m| m.is_file());
    if page.is_some() {
        let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
        assert!(!page.contains("the secret of another"), "{kind} at {path:?} stands on the page");
    }
    format!("{kind} for {} → exits {codes}", path.file_name().unwrap().to_string_lossy())
}

pub fn disk_full(world: &mut AttackContext) -> String {
    let (folder, runs) = (world.folder(), world.folder());
    let plan = folder.join("plan.toml");
    std::fs::write(&plan, PLAN).unwrap();
    let kilobytes = world.between(4, 60);
    // A file system of its own, so small that the run does not fit; where mounting is not allowed, a limit on files
    // does it.
    let script = "mount -t tmpfs -o size=$1k small \"$2\" && shift 2 && exec \"$0\" \"$@\"";
    let namespaces: &[&[&str]] = &[&["--mount"], &["--user", "--map-root-user", "--mount"]];
    let may = |words: &&&[&str]| {
        let probe = ["sh", "-c", "mount -t tmpfs small \"$1\"", "sh"];
        let mut command = Command::new("unshare");
        command.args(**words).args(probe).arg(&runs).output().is_ok_and(|o| o.status.success())
    };
    let words = namespaces.iter().find(may).expect("a mount namespace can be made; hint: run as root");
    let tenbin = tenbin_tests::target_dir().join("tenbin");
    let mut command = Command::new("unshare");
    command.args(*words).args(["sh", "-c", script]).arg(tenbin).arg(kilobytes.to_string()).arg(&runs);
    let outcome = Outcome::of(command.arg("run").arg(plan).arg("--runs").arg(&runs));
    assert!(outcome.code.is_some_and(|code| (1..=3).contains(&code)), "{kilobytes} KiB: {outcome:?}");
    assert!(outcome.err.contains("error"), "{kilobytes} KiB: {outcome:?}");
    format!("{kilobytes} KiB → exit {}", outcome.code.unwrap_or(-1))
}
