//! A real server that dies or stands still under load, and Tenbin standing still itself: no such run may look sound.

use crate::AttackContext;
use crate::outcome::{Outcome, Running};
use std::process::Command;
use std::time::Duration;
use tenbin_tests::tenbin;

/// Seconds that a run of the storm measures.
const SECONDS: u64 = 4;

/// `tenbin bench` against the server, with this many clients, in a closed loop or at a rate.
fn bench(world: &mut AttackContext) -> (Command, String) {
    let (threads, rate) = (world.between(1, 24), *world.one_of(&[0, 0, 100, 500]));
    let runs = world.folder();
    let dsn = world.mariadb().dsn();
    let mut command = tenbin();
    command.args(["bench", "oltp_read_write", &dsn, "--time", &SECONDS.to_string(), "--json", "--runs"]).arg(runs);
    command.args(["--threads", &threads.to_string()]);
    if rate > 0 {
        command.args(["--rate", &rate.to_string()]);
    }
    let pace = if rate > 0 { format!("{rate}/s") } else { "closed loop".to_owned() };
    (command, format!("{threads} clients, {pace}"))
}

fn pause(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

/// A verdict is only worth something if it is not VALID after what was done.
fn not_valid(outcome: &Outcome, done: &str) -> String {
    let verdict = outcome.verdict();
    assert_ne!(verdict.as_deref(), Some("VALID"), "{done}: {outcome:?}");
    // Nothing was measured at all, or it is reported as less than sound.
    assert!(outcome.code.is_some_and(|code| code != 0) || verdict.is_some(), "{done}: {outcome:?}");
    let verdict = verdict.unwrap_or_else(|| "no result".to_owned());
    format!("{done} → {verdict}, exit {}", outcome.code.unwrap_or(-1))
}

pub fn killed(world: &mut AttackContext) -> String {
    let (mut command, load) = bench(world);
    let after = world.between(0, 2500);
    let running = Running::start(&mut command);
    pause(after);
    let server = world.mariadb();
    server.crash();
    let outcome = running.end();
    server.rise();
    let done = format!("{load}, killed after {after} ms of {SECONDS} s");
    if let Some(verdict) = outcome.verdict() {
        assert_eq!(verdict, "INVALID", "{done}: {outcome:?}");
    }
    assert_ne!(outcome.code, Some(0), "{done}: {outcome:?}");
    not_valid(&outcome, &done)
}

pub fn frozen(world: &mut AttackContext) -> String {
    let (mut command, load) = bench(world);
    let (after, long) = (world.between(800, 1500), world.between(1500, 6000));
    let running = Running::start(&mut command);
    pause(after);
    let server = world.mariadb();
    server.signal("STOP");
    pause(long);
    server.signal("CONT");
    not_valid(&running.end(), &format!("{load}, frozen after {after} ms for {long} ms"))
}

pub fn ourselves_frozen(world: &mut AttackContext) -> String {
    let (mut command, load) = bench(world);
    let (after, long) = (world.between(1200, 2000), world.between(1500, 4000));
    let running = Running::start(&mut command);
    pause(after);
    let signal = |name: &str| {
        let _ = Command::new("kill").args([&format!("-{name}"), &running.child.id().to_string()]).status();
    };
    signal("STOP");
    pause(long);
    signal("CONT");
    not_valid(&running.end(), &format!("{load}, tenbin stopped after {after} ms for {long} ms"))
}
