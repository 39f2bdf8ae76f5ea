//! A note for each sandbox on disk, so that one whose run was killed is found and removed. A process is ended only when it is
//! proven to be the one in the note, with the same number and the same start, or one of the server's name that works in the
//! directory of its data: somebody has started it again.

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

    /// With the process that serves its data now, where that is another than the note's: somebody has started it again.
    fn found(self) -> Known {
        if self.pid == 0 || self.alive() {
            return self;
        }
        match serving(&self.dir, Path::new(&self.binary)).and_then(|pid| Some((pid, started(pid)?))) {
            Some((pid, process_start)) => Known { pid, process_start, ..self },
            None => self,
        }
    }

    /// Whether the process is there, and is no later one with the same number.
    fn alive(&self) -> bool {
        self.pid != 0 && started(self.pid) == Some(self.process_start) && !zombie(self.pid)
    }

    /// `running`, `left over` (its run is gone; it may be removed) or `dead`.
    pub fn state(&self) -> &'static str {
        let owned = started(self.owner.0) == Some(self.owner.1);
        match (self.alive(), owned) {
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

/// The server that runs on the data in a sandbox's directory: a process of its program's name that works where the data
/// are, as both kinds of server do from their first moment on.
fn serving(dir: &Path, binary: &Path) -> Option<u32> {
    let data = dir.join("data").canonicalize().ok()?;
    let name = match super::scheme(&binary.to_string_lossy()) {
        Scheme::Postgres => "postgres".to_owned(),
        _ => binary.file_name()?.to_string_lossy().into_owned(),
    };
    let mut numbers = std::fs::read_dir("/proc").ok()?.flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    numbers.find(|pid: &u32| {
        // The kernel keeps the first fifteen bytes of a name.
        let named = proc::read(&format!("/proc/{pid}/comm")).bytes().eq(name.bytes().take(15));
        named
            && std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|there| there == data)
            // PostgreSQL's helpers say so; they outlive a killed server for a moment.
            && !proc::read(&format!("/proc/{pid}/cmdline")).starts_with("postgres: ")
    })
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
        .filter_map(|e| serde_json::from_slice::<Known>(&std::fs::read(e.path()).ok()?).ok())
        .map(Known::found)
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
    let known = known.clone().found();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_server_started_again_is_known_by_its_name_and_the_directory_it_works_in() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let noted = |binary: &str| Known { pid: u32::MAX, ..Known::new("a", binary, dir.path()) }.found().pid;
        assert_eq!(noted("/bin/sleep"), u32::MAX, "nothing works there");
        let mut child = Command::new("sleep").arg("60").current_dir(&data).spawn().unwrap();
        assert_eq!(noted("/bin/sleep"), child.id());
        assert_eq!(noted("mariadbd"), u32::MAX, "whoever else works there is no server");
        let us = std::process::id();
        let alive = Known { pid: us, process_start: started(us).unwrap(), ..Known::new("a", "sleep", dir.path()) };
        assert_eq!(alive.found().pid, us, "the note's own process is there");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(noted("/bin/sleep"), u32::MAX, "one that has ended is no server");
    }
}
