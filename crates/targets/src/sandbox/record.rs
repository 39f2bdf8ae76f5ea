//! A note on disk for each sandbox, written before anything else is created, so that the sandbox of a killed run is
//! found and removed. A process is ended only if it is the one in the note, with the same number and start time, or one
//! with the server's name that uses its data, because somebody has started it again.

use super::files::{self, MAKING};
use super::place;
use crate::proc;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tenbin_model::dsn::Scheme;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;

/// The note of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KnownSandbox {
    /// Its name.
    pub name: String,
    /// The server's binary as requested.
    pub binary: String,
    /// The server's process; 0 for SQLite, and before it exists.
    pub pid: u32,
    /// Its start time in ticks since boot, which distinguishes it from a later one with the same number.
    pub process_start: u64,
    /// The process that started it, and its start time.
    pub owner: (u32, u64),
    /// Whether it was meant to outlive its owner.
    #[serde(default)]
    pub detached: bool,
    /// Its address.
    pub dsn: String,
    /// Its directory.
    pub dir: PathBuf,
}

impl KnownSandbox {
    pub(super) fn new(name: &str, binary: &str, dir: &Path) -> KnownSandbox {
        let owner = std::process::id();
        KnownSandbox {
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

    /// With its server's process.
    pub(super) fn of_process(self, pid: u32) -> KnownSandbox {
        KnownSandbox { pid, process_start: started(pid).unwrap_or(0), ..self }
    }

    /// With the process that uses its data now, if it differs from that in the note: somebody has started it again, or
    /// the starting process was killed before the server was noted.
    pub(super) fn found(self) -> KnownSandbox {
        if self.is_file() || self.alive() {
            return self;
        }
        match serving(&self.dir, &self.binary).and_then(|pid| Some((pid, started(pid)?))) {
            Some((pid, process_start)) => KnownSandbox { pid, process_start, ..self },
            None => self,
        }
    }

    /// Whether it is a file of SQLite, without a process.
    fn is_file(&self) -> bool {
        self.binary == "sqlite"
    }

    /// Whether the process exists, and is not a later one with the same number.
    fn alive(&self) -> bool {
        self.pid != 0 && started(self.pid) == Some(self.process_start) && !zombie(self.pid)
    }

    /// Whether the process that started it still exists.
    fn owned(&self) -> bool {
        started(self.owner.0) == Some(self.owner.1) && !zombie(self.owner.0)
    }

    /// `running`, `starting`, `left over` (its run is gone; it may be removed) or `dead`.
    pub fn state(&self) -> &'static str {
        match (self.alive(), self.owned()) {
            (true, true) => "running",
            (true, false) if self.detached => "running",
            (false, true) if self.is_file() => "in use",
            (false, false) if self.is_file() && self.detached => "in use",
            (false, true) if self.pid == 0 => "starting",
            (false, true) => "dead",
            (false, false) if self.detached && self.pid != 0 => "dead",
            (_, false) => "left over",
        }
    }

    /// The process whose run uses it or is starting it; `None` if it is detached, left over, or our own.
    pub fn in_use_by(&self) -> Option<u32> {
        let ours = self.owner.0 == std::process::id();
        let held = !self.detached || self.state() == "starting";
        (held && !ours && self.owned()).then_some(self.owner.0)
    }

    /// A description of that process.
    pub fn user(&self) -> Option<String> {
        let pid = self.in_use_by()?;
        let name = proc::read(&format!("/proc/{pid}/comm"));
        let place = std::fs::read_link(format!("/proc/{pid}/cwd"));
        let place = place.map(|path| format!(" in {}", path.display())).unwrap_or_default();
        Some(format!("process {pid} ({name}{place})"))
    }
}

/// The start time of a process, in ticks since boot, which distinguishes it from a later one with the same number.
pub fn started(pid: u32) -> Option<u64> {
    proc::process(&proc::read(&format!("/proc/{pid}/stat"))).map(|p| p.2)
}

/// The server that uses the data in a sandbox's directory: a process with its program's name whose working directory is
/// there, as for both kinds of server after a moment, or whose command line names it.
fn serving(dir: &Path, binary: &str) -> Option<u32> {
    let data = dir.join("data");
    let real = data.canonicalize().ok()?;
    let names = match super::scheme(binary) {
        _ if binary == UNKNOWN => ["mariadbd", "mysqld", "postgres"].map(str::to_owned).to_vec(),
        Scheme::Postgres => vec!["postgres".to_owned()],
        _ => vec![Path::new(binary).file_name()?.to_string_lossy().into_owned()],
    };
    let told = [format!("--datadir={}", data.display()), data.display().to_string()];
    let mut numbers = std::fs::read_dir("/proc").ok()?.flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    numbers.find(|pid: &u32| {
        // The kernel stores the first fifteen bytes of a name.
        let comm = proc::read(&format!("/proc/{pid}/comm"));
        if !names.iter().any(|name| comm.bytes().eq(name.bytes().take(15))) {
            return false;
        }
        let line = proc::read(&format!("/proc/{pid}/cmdline"));
        // PostgreSQL's child processes, which exist for a moment after their server was killed.
        !line.starts_with("postgres: ")
            && (std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|there| there == real)
                || line.split('\0').any(|argument| told.iter().any(|t| t == argument)))
    })
}

/// The binary of a sandbox whose note is missing.
const UNKNOWN: &str = "unknown";

use place::record_of as path;

/// Writes the note of a sandbox that is about to be created; refuses a name that is in use.
pub(super) fn claim(base: &Path, known: &KnownSandbox) -> Result<(), Problem> {
    let (fresh, note) = (beside(base, &known.name), path(base, &known.name));
    files::closed_file(&fresh, &text(known))?;
    // Unlike a rename, a link never replaces an existing file.
    let linked = std::fs::hard_link(&fresh, &note);
    let _ = std::fs::remove_file(&fresh);
    match linked {
        Ok(()) => {
            let _ = std::fs::remove_file(log_of(base, &known.name));
            Ok(())
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Problem::new(msg!("sandbox-exists", sandbox = known.name))
                .hint(msg!("stop-sandbox-or-name", name = known.name)))
        }
        Err(e) => Err(files::cannot(&note, &e)),
    }
}

/// Replaces a note atomically.
pub(super) fn write(base: &Path, known: &KnownSandbox) -> Result<(), Problem> {
    let (fresh, note) = (beside(base, &known.name), path(base, &known.name));
    files::closed_file(&fresh, &text(known))?;
    std::fs::rename(&fresh, &note).map_err(|e| files::cannot(&note, &e))
}

fn text(known: &KnownSandbox) -> String {
    serde_json::to_string_pretty(known).unwrap_or_default()
}

fn beside(base: &Path, name: &str) -> PathBuf {
    base.join(format!(".{name}.{}", std::process::id()))
}

/// All sandboxes of this user, running or left over, with a note or without.
pub fn list() -> Result<Vec<KnownSandbox>, Problem> {
    let base = place::base()?;
    let entries = std::fs::read_dir(&base)
        .map_err(|e| Problem::new(msg!("file-unreadable", file = base.display())).evidence(foreign(e)))?;
    let mut all: Vec<KnownSandbox> =
        entries.flatten().filter_map(|e| of_entry(&base, &e.path())).map(KnownSandbox::found).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// The sandbox of an entry in our directory: a note, an unreadable note, or a directory without a note.
fn of_entry(base: &Path, entry: &Path) -> Option<KnownSandbox> {
    let name = entry.file_name()?.to_str()?;
    let nobodys = |name: &str| KnownSandbox { owner: (0, 0), ..KnownSandbox::new(name, UNKNOWN, &base.join(name)) };
    if let Some(name) = name.strip_suffix(".json").filter(|name| !name.starts_with('.')) {
        let read = tenbin_intake::regular_file(entry, tenbin_intake::SMALL).ok()?;
        return Some(serde_json::from_slice(&read).unwrap_or_else(|_| nobodys(name)));
    }
    // Others may store files here: only a directory that contains data of a server is a sandbox.
    let data = entry.join("data");
    let ours = ["ibdata1", "mysql", "PG_VERSION"].iter().any(|name| data.join(name).exists());
    (ours && !path(base, name).exists()).then(|| nobodys(name))
}

/// Stops a sandbox by its name and removes its data; one that a run is using only with `force`.
pub fn stop(name: &str, force: bool) -> Result<(), Problem> {
    let all = list()?;
    let Some(known) = all.iter().find(|k| k.name == name) else {
        let names: Vec<&str> = all.iter().map(|k| k.name.as_str()).collect();
        return Err(Problem::new(msg!("sandbox-unknown", sandbox = name))
            .evidence(if names.is_empty() {
                msg!("there-are-none")
            } else {
                msg!("there-are-these", names = names.join(", "))
            })
            .hint(msg!("tenbin-sandbox-list")));
    };
    if let (Some(user), false) = (known.user(), force) {
        return Err(Problem::new(msg!("sandbox-in-use", sandbox = name))
            .evidence(msg!("user-started-it", user))
            .hint(msg!("stop-sandbox-force", name)));
    }
    end(known, Log::Remove);
    Ok(())
}

/// Removes leftovers of killed runs, and kept logs; returns the names.
pub fn clean() -> Result<Vec<String>, Problem> {
    let left: Vec<KnownSandbox> = list()?.into_iter().filter(|k| ["left over", "dead"].contains(&k.state())).collect();
    left.iter().for_each(|known| end(known, Log::Remove));
    let mut names: Vec<String> = left.into_iter().map(|k| k.name).collect();
    let base = place::base()?;
    for entry in std::fs::read_dir(&base).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let log_of_none = name.strip_suffix(LOG).is_some_and(|of| !path(&base, of).exists());
        let half_made = name.strip_prefix(MAKING).and_then(|rest| rest.split('-').nth(1)?.parse().ok());
        let removed = if log_of_none {
            std::fs::remove_file(entry.path())
        } else if half_made.is_some_and(|pid| started(pid).is_none()) {
            std::fs::remove_dir_all(entry.path())
        } else {
            continue;
        };
        if removed.is_ok() {
            names.push(name);
        }
    }
    Ok(names)
}

/// What is done with the error log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Log {
    Remove,
    /// Not kept; one that was kept before remains.
    Leave,
    /// Kept for diagnosis.
    KeepWhenItEndedByItself,
}

/// The suffix of the name of a kept log.
const LOG: &str = ".error.log";

fn log_of(base: &Path, name: &str) -> PathBuf {
    base.join(format!("{name}{LOG}"))
}

/// Copies a sandbox's error log next to its directory; returns the path.
pub(super) fn keep_log(known: &KnownSandbox) -> Option<PathBuf> {
    let to = log_of(&place::base().ok()?, &known.name);
    let text = tenbin_intake::end_of_file(&known.dir.join("error.log"), tenbin_intake::SMALL)
        .ok()
        .filter(|text| !text.is_empty())?;
    files::closed_file(&to, &String::from_utf8_lossy(&text)).ok()?;
    Some(to)
}

/// Ends the process, removes the directory and then the note.
pub(super) fn end(known: &KnownSandbox, log: Log) {
    let known = known.clone().found();
    if known.pid != 0 {
        if log == Log::KeepWhenItEndedByItself && !known.alive() {
            keep_log(&known);
        }
        end_process(known.pid, Some(known.process_start), ending(Path::new(&known.binary)).0);
    }
    let Ok(base) = place::base() else { return };
    // Only subdirectories of our own directory.
    if known.dir.parent() == Some(&base) {
        remove(&known.dir);
    }
    if !known.dir.exists() {
        let _ = std::fs::remove_file(path(&base, &known.name));
    }
    if log == Log::Remove {
        let _ = std::fs::remove_file(log_of(&base, &known.name));
    }
}

/// Removes a directory that may still be written to for a moment (the copy of a template), or that another thread of
/// ours removes at the same time.
fn remove(dir: &Path) {
    let since = Instant::now();
    while std::fs::remove_dir_all(dir).is_err() && dir.exists() && since.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The signal that ends a server quickly, and its name. For PostgreSQL TERM means waiting for its clients; QUIT does
/// not, and writes nothing more, which is sufficient because the data are removed anyway.
pub(super) fn ending(binary: &Path) -> (Signal, &'static str) {
    match super::scheme(&binary.to_string_lossy()) {
        Scheme::Postgres => (Signal::QUIT, "QUIT"),
        // A server that is still starting ignores TERM; its data are removed anyway.
        _ => (Signal::TERM, "KILL"),
    }
}

/// Asks the process to end, and kills it if it does not within ten seconds.
pub(super) fn end_process(pid: u32, start: Option<u64>, soon: Signal) {
    if !ends(pid, start, soon, 10) {
        ends(pid, start, Signal::KILL, 5);
    }
}

/// Sends a signal to the process; returns whether it is gone within so many seconds.
fn ends(pid: u32, start: Option<u64>, signal: Signal, patience: u64) -> bool {
    let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return true };
    let there = || started(pid).is_some_and(|s| start.is_none_or(|wanted| wanted == s)) && !zombie(pid);
    if there() {
        let _ = kill_process(process, signal);
    }
    let since = Instant::now();
    while there() && since.elapsed() < Duration::from_secs(patience) {
        std::thread::sleep(Duration::from_millis(5));
    }
    !there()
}

/// How many seconds a server may take to write everything and end.
const CLEAN_END: u64 = 600;

/// Stops a server whose directory is kept, and waits for its end; returns whether it has ended. Unless the data are discarded it
/// writes everything and ends by itself: killed, its data directory would not be a complete copy.
pub(super) fn halt(known: &KnownSandbox, discarded: bool) -> bool {
    let known = known.clone().found();
    let clean = match super::scheme(&known.binary) {
        // Fast shutdown: sessions are ended (PostgreSQL manual 19.5).
        Scheme::Postgres => Signal::INT,
        _ => Signal::TERM,
    };
    let (signal, patience) = if discarded { (Signal::KILL, 30) } else { (clean, CLEAN_END) };
    known.pid == 0 || ends(known.pid, Some(known.process_start), signal, patience)
}

/// Whether a process runs.
pub fn is_alive(pid: u32) -> bool {
    started(pid).is_some() && !zombie(pid)
}

fn zombie(pid: u32) -> bool {
    let stat = proc::read(&format!("/proc/{pid}/stat"));
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Instant;

    #[test]
    fn a_server_started_again_is_known_by_its_name_and_the_directory_it_works_in() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let noted =
            |binary: &str| KnownSandbox { pid: u32::MAX, ..KnownSandbox::new("a", binary, dir.path()) }.found().pid;
        assert_eq!(noted("/bin/sleep"), u32::MAX, "nothing works there");
        let mut child = Command::new("sleep").arg("60").current_dir(&data).spawn().unwrap();
        // A process has its new name an instant after the start has returned.
        let start = Instant::now();
        while noted("/bin/sleep") != child.id() {
            assert!(start.elapsed() < Duration::from_secs(50), "it is not found");
        }
        assert_eq!(noted("mariadbd"), u32::MAX, "whoever else works there is no server");
        let us = std::process::id();
        let alive = KnownSandbox {
            pid: us,
            process_start: started(us).unwrap(),
            ..KnownSandbox::new("a", "sleep", dir.path())
        };
        assert_eq!(alive.found().pid, us, "the note's own process is there");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(noted("/bin/sleep"), u32::MAX, "one that has ended is no server");
    }
}
