//! Signals at any moment of a run that has started private servers: it ends in order, or can be cleaned up after, and
//! what was measured can be read.

use crate::AttackContext;
use crate::outcome::{Outcome, Running};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tenbin_tests::{tenbin, tenbin_through};

/// A run with a private server, and where it keeps its notes.
struct Run {
    command: Command,
    plan: PathBuf,
    runs: PathBuf,
    state: PathBuf,
}

fn run(world: &mut AttackContext) -> Run {
    let (folder, runs, state) = (world.folder(), world.folder(), world.folder());
    let sandbox = *world.one_of(&["sqlite", "mariadbd"]);
    let plan = folder.join("plan.toml");
    let text = format!(
        "schema = 1\n[defaults]\nwarmup = \"200ms\"\nmeasure = \"1s\"\ninterval = \"200ms\"\nrepeats = 2\n\
         [targets.t]\nsandbox = \"{sandbox}\"\n[datasets.d]\ntable_size = 500\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_write\", clients = 2 }}\n"
    );
    std::fs::write(&plan, text).unwrap();
    let mut command = tenbin();
    command.arg("run").arg(&plan).arg("--runs").arg(&runs).env("TENBIN_STATE_DIR", &state);
    Run { command, plan, runs, state }
}

fn send(pid: u32, name: &str) {
    let _ = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).output();
}

/// What is left is listed, cleaned up, and then gone; what was measured can be read.
fn tidy(run: &Run) -> String {
    let cleaned = Outcome::of(tenbin().args(["sandbox", "list", "--clean"]).env("TENBIN_STATE_DIR", &run.state));
    assert_eq!(cleaned.code, Some(0), "{cleaned:?}");
    // The kernel ends the servers of a killed run; that takes it a moment.
    let start = Instant::now();
    while let Some(left) = left_behind(&run.state) {
        assert!(start.elapsed() < Duration::from_secs(60), "left behind: {left}");
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut read = 0;
    for entry in std::fs::read_dir(&run.runs).unwrap() {
        let reported = Outcome::of(tenbin().args(["report", "--json"]).arg(entry.unwrap().path()));
        assert!(reported.code.is_some(), "{reported:?}");
        read += usize::from(reported.json().is_some());
    }
    format!("{read} run directories read")
}

/// A server whose notes or data lie in this folder.
fn left_behind(state: &Path) -> Option<String> {
    let list = Outcome::of(tenbin().args(["sandbox", "list", "--json"]).env("TENBIN_STATE_DIR", state));
    let all: serde_json::Value = serde_json::from_str(&list.out).unwrap_or_default();
    let known = all.as_array().or(all["sandboxes"].as_array()).map_or(0, Vec::len);
    (known > 0).then_some(list.out)
}

pub fn killed(world: &mut AttackContext) -> String {
    let mut run = run(world);
    let after = world.between(0, 6000);
    let running = Running::start(&mut run.command);
    std::thread::sleep(Duration::from_millis(after));
    send(running.child.id(), "KILL");
    running.end();
    format!("killed after {after} ms; {}", tidy(&run))
}

pub fn stopped(world: &mut AttackContext) -> String {
    let mut run = run(world);
    let (after, name) = (world.between(0, 6000), *world.one_of(&["INT", "TERM", "HUP"]));
    let second = world.between(0, 3) == 0;
    let running = Running::start(&mut run.command);
    std::thread::sleep(Duration::from_millis(after));
    send(running.child.id(), name);
    if second {
        std::thread::sleep(Duration::from_millis(world.between(0, 500)));
        send(running.child.id(), name);
    }
    let outcome = running.end();
    let tidy = tidy(&run);
    let code = outcome.code;
    // Before its handlers stand a signal ends it as it ends every program; after the last trial it comes too late.
    let sound = matches!(code, None | Some(0 | 1 | 2 | 3 | 130)) || second && matches!(code, Some(129 | 143));
    assert!(sound, "{name} after {after} ms: {outcome:?}");
    format!("{name}{} after {after} ms → {code:?}; {tidy}", if second { " twice" } else { "" })
}

pub fn terminal_closed(world: &mut AttackContext) -> String {
    let run = run(world);
    let (after, runs, state) = (world.between(500, 5000), run.runs.clone(), run.state.clone());
    let ended = run.runs.with_extension("ended");
    // The terminal is `script`'s; killing it closes the terminal, as a lost connection does. The shell inside must
    // outlive its terminal to say how the program ended.
    let inside = format!(
        "trap '' HUP; '$0' run '{}' --runs '{}'; echo \\$? > '{}'",
        run.plan.display(),
        runs.display(),
        ended.display()
    );
    let outside = format!("exec script -q -e -c \"{inside}\" /dev/null");
    let mut script = tenbin_through("bash", &["-c", &outside]);
    script.env("TENBIN_STATE_DIR", &state).env("TERM", "xterm");
    let running = Running::start(&mut script);
    std::thread::sleep(Duration::from_millis(after));
    send(running.child.id(), "KILL");
    let start = Instant::now();
    let code = loop {
        match std::fs::read_to_string(&ended) {
            Ok(code) if !code.trim().is_empty() => break code.trim().to_owned(),
            _ => assert!(start.elapsed() < Duration::from_secs(120), "it goes on for ever without its terminal"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    // HUP is ignored, as under nohup: the run goes on to its end. 134 is an abort.
    assert!(["0", "2", "3"].contains(&code.as_str()), "exit {code} after its terminal was closed");
    format!("closed after {after} ms → exit {code}; {}", tidy(&run))
}
