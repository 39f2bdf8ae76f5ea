//! A note for each sandbox on disk, so that one whose run was killed is found and removed. A process is ended only when it is
//! proven to be the one in the note: same number and same start.

use super::place;
use crate::proc;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tenbin_model::dsn::Scheme;
use tenbin_model::problem::Problem;

/// What is known of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// The server's binary as asked for.
    pub binary: String,
    /// The server's process; 0 for SQLite.
    pub pid: u32,
    /// When that process started, ticks since boot: tells it from a later one with the same number.
    pub process_start: u64,
    /// The process that started it, and when that one started.
    pub owner: (u32, u64),
    /// Whether it was meant to outlive its owner.
    #[serde(default)]
    pub detached: bool,
    /// Its address.
    pub dsn: String,
    /// Its directory.
    pub dir: PathBuf,
}

impl Known {
    pub(super) fn new(name: &str, binary: &str, dir: &Path) -> Known {
        let owner = std::process::id();
        Known {
            name: name.to_owned(),
            binary: binary.to_owned(),
            pid: 0,
            process_start: 0,
            owner: (owner, started(owner).unwrap_or(0)),
            detached: false,
            dsn: String::new(),
            dir: dir.to_path_buf(),
        }
    }

    /// `running`, `left over` (its run is gone; it may be removed) or `dead`.
    pub fn state(&self) -> &'static str {
        let alive = self.pid != 0 && started(self.pid) == Some(self.process_start);
        let owned = started(self.owner.0) == Some(self.owner.1);
        match (alive, owned) {
            (true, true) => "running",
            (true, false) if self.detached => "running",
            (false, true) if self.pid == 0 => "in use",
            (false, true) => "dead",
            (false, false) if self.detached => "dead",
            (_, false) => "left over",
        }
    }
}

fn started(pid: u32) -> Option<u64> {
    proc::process(&proc::read(&format!("/proc/{pid}/stat"))).map(|p| p.2)
}

pub(super) fn path(base: &Path, name: &str) -> PathBuf {
    base.join(format!("{name}.json"))
}

pub(super) fn write(base: &Path, known: &Known) -> Result<(), Problem> {
    let text = serde_json::to_string_pretty(known).unwrap_or_default();
    std::fs::write(path(base, &known.name), text)
        .map_err(|e| Problem::new("the sandbox's note cannot be written").evidence(e.to_string()))
}

/// All sandboxes of this user, running or left over.
pub fn list() -> Result<Vec<Known>, Problem> {
    let base = place::base()?;
    let entries = std::fs::read_dir(&base)
        .map_err(|e| Problem::new(format!("{} cannot be read", base.display())).evidence(e.to_string()))?;
    let mut all: Vec<Known> = entries
        .flatten()
        .filter(|e| e.path().extension().is_some_and(|x| x == "json"))
        .filter_map(|e| serde_json::from_slice(&std::fs::read(e.path()).ok()?).ok())
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// Stops a sandbox by its name and removes its data.
pub fn stop(name: &str) -> Result<(), Problem> {
    let all = list()?;
    let Some(known) = all.iter().find(|k| k.name == name) else {
        let names: Vec<&str> = all.iter().map(|k| k.name.as_str()).collect();
        return Err(Problem::new(format!("there is no sandbox named {name}"))
            .evidence(if names.is_empty() {
                "there are none".into()
            } else {
                format!("there are: {}", names.join(", "))
            })
            .mend("tenbin sandbox list"));
    };
    end(known);
    Ok(())
}

/// Removes what killed runs have left behind; answers with the names.
pub fn clean() -> Result<Vec<String>, Problem> {
    let left: Vec<Known> = list()?.into_iter().filter(|k| ["left over", "dead"].contains(&k.state())).collect();
    left.iter().for_each(end);
    Ok(left.into_iter().map(|k| k.name).collect())
}

/// Ends the process, removes the directory and the note.
pub(super) fn end(known: &Known) {
    if known.pid != 0 {
        end_process(known.pid, Some(known.process_start), ending(Path::new(&known.binary)).0);
    }
    let Ok(base) = place::base() else { return };
    // Only what lies directly in our own directory.
    if known.dir.parent() == Some(&base) {
        let _ = std::fs::remove_dir_all(&known.dir);
    }
    let _ = std::fs::remove_file(path(&base, &known.name));
}

/// The signal that ends a server soon, and its name. To PostgreSQL TERM means to wait for its clients; QUIT does not, and writes nothing
/// more: the data are thrown away anyway.
pub(super) fn ending(binary: &Path) -> (Signal, &'static str) {
    match super::scheme(&binary.to_string_lossy()) {
        Scheme::Postgres => (Signal::QUIT, "QUIT"),
        _ => (Signal::TERM, "TERM"),
    }
}

/// Asks the process to end, and makes it end when it does not within ten seconds.
pub(super) fn end_process(pid: u32, start: Option<u64>, soon: Signal) {
    let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
    let there = || started(pid).is_some_and(|s| start.is_none_or(|wanted| wanted == s)) && !zombie(pid);
    for (signal, patience) in [(soon, 10), (Signal::KILL, 5)] {
        if !there() {
            return;
        }
        let _ = kill_process(process, signal);
        let since = Instant::now();
        while there() && since.elapsed() < Duration::from_secs(patience) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn zombie(pid: u32) -> bool {
    let stat = proc::read(&format!("/proc/{pid}/stat"));
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
}
