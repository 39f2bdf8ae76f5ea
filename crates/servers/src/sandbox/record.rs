//! A note on disk for each sandbox, written before anything else is created, so that the sandbox of a killed run is found. The same
//! is in its directory, as its mark. What is known by them of a sandbox: its directories, its process, and who uses it.

use super::files;
use super::mark::{self, DirectoryNumbers, started};
use super::place;
use crate::{in_use, proc};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tenbin_model::dsn::Scheme;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

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
    pub detached: bool,
    /// Its address.
    pub dsn: String,
    /// Its directory.
    pub dir: PathBuf,
    /// An identifier that no other one has.
    pub id: String,
    /// The start of the machine in which the processes have these numbers.
    pub boot: String,
    /// The numbers of its directory, once it is made.
    pub directory: Option<DirectoryNumbers>,
    /// The directory of its data, if the plan says where they lie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<PathBuf>,
    /// The numbers of that directory, once it is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere_numbers: Option<DirectoryNumbers>,
}

/// The numbers of one of its directories.
pub(super) type Numbers = fn(&KnownSandbox) -> Option<DirectoryNumbers>;

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
            id: mark::identifier(),
            boot: proc::boot(),
            directory: None,
            elsewhere: None,
            elsewhere_numbers: None,
        }
    }

    /// The directory in which its data and temporary tables lie.
    pub fn storage(&self) -> &Path {
        self.elsewhere.as_deref().unwrap_or(&self.dir)
    }

    /// Its data directory; for SQLite there is none.
    pub fn data(&self) -> PathBuf {
        self.storage().join("data")
    }

    /// With the numbers of its directories, which exist now.
    pub(super) fn marked(self) -> KnownSandbox {
        let elsewhere_numbers = self.elsewhere.as_deref().and_then(mark::numbers);
        KnownSandbox { directory: mark::numbers(&self.dir), elsewhere_numbers, ..self }
    }

    /// Whether its directory has its mark.
    pub(super) fn has_mark(&self) -> bool {
        self.has_mark_in(&self.dir, |known| known.directory)
    }

    /// Whether a directory has its mark and the numbers that the note has, or, if its maker was killed before the note had them,
    /// those that the mark has: a copy of the directory has the same mark and other numbers.
    pub(super) fn has_mark_in(&self, dir: &Path, numbers: Numbers) -> bool {
        let text = mark::text_of(&dir.join(mark::NAME));
        let marked: Option<KnownSandbox> = text.ok().and_then(|(text, _)| serde_json::from_str(&text).ok());
        let its = marked.filter(|marked| marked.id == self.id && marked.name == self.name);
        let numbers = its.and_then(|marked| numbers(self).or(numbers(&marked)));
        numbers.is_some() && mark::numbers(dir) == numbers
    }

    /// Whether the machine has not been started again since it was noted.
    fn is_of_this_boot(&self) -> bool {
        self.boot == proc::boot()
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
        match serving(&self.data(), &self.binary).and_then(|pid| Some((pid, started(pid)?))) {
            Some((pid, process_start)) => KnownSandbox { pid, process_start, ..self },
            None => self,
        }
    }

    /// Whether it is a file of SQLite, without a process.
    fn is_file(&self) -> bool {
        self.binary == "sqlite"
    }

    /// Whether the process exists, is not a later one with the same number, and is the server of these data: a note may be wrong.
    pub(super) fn alive(&self) -> bool {
        let is_there = self.pid != 0 && self.is_of_this_boot() && works_since(self.pid) == Some(self.process_start);
        is_there && self.is_served_by(self.pid)
    }

    /// Whether a process works in our directories, as with its log from its start, or its command line names our data.
    fn is_served_by(&self, pid: u32) -> bool {
        names_data(pid, &self.data()) || [&self.dir, self.storage()].iter().any(|dir| in_use::is_user(dir, pid))
    }

    /// Whether the process that started it still exists.
    fn owned(&self) -> bool {
        self.is_of_this_boot() && works_since(self.owner.0) == Some(self.owner.1)
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
        let directory = std::fs::read_link(format!("/proc/{pid}/cwd"));
        let directory = directory.map(|path| format!(" in {}", path.display())).unwrap_or_default();
        Some(format!("process {pid} ({name}{directory})"))
    }
}

/// The server that uses the data of a sandbox: a process with its program's name whose working directory is
/// there, as for both kinds of server after a moment, or whose command line names it.
fn serving(data: &Path, binary: &str) -> Option<u32> {
    let real = data.canonicalize().ok()?;
    let names = match super::scheme(binary) {
        Scheme::Postgres => vec!["postgres".to_owned()],
        _ => vec![Path::new(binary).file_name()?.to_string_lossy().into_owned()],
    };
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
                || names_data(*pid, data))
    })
}

/// Whether the command line of a process names the data of a sandbox.
pub(super) fn names_data(pid: u32, data: &Path) -> bool {
    let arguments = [format!("--datadir={}", data.display()), data.display().to_string()];
    let line = proc::read(&format!("/proc/{pid}/cmdline"));
    line.split('\0').any(|argument| arguments.iter().any(|t| t == argument))
}

pub(super) use place::record_of as path;

/// Writes the note of a sandbox that is about to be created; refuses a name that is in use.
pub(super) fn claim(base: &Path, known: &KnownSandbox) -> Result<(), Problem> {
    let (fresh, note) = (beside(base, &known.name), path(base, &known.name));
    files::closed_file(&fresh, &text(known))?;
    // Unlike a rename, a link never replaces an existing file.
    let linked = std::fs::hard_link(&fresh, &note);
    let _ = std::fs::remove_file(&fresh);
    match linked {
        Ok(()) => {
            mark::remove_log(&log_of(base, &known.name));
            Ok(())
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Problem::new(msg!("sandbox-exists", sandbox = known.name))
                .hint(msg!("stop-sandbox-or-name", name = known.name)))
        }
        Err(e) => Err(files::cannot(&note, &e)),
    }
}

/// Replaces a note atomically, and the mark in the sandbox's directory.
pub(super) fn write(base: &Path, known: &KnownSandbox) -> Result<(), Problem> {
    let mark = |dir: &Path| (unfinished_mark(dir, std::process::id()), dir.join(mark::NAME));
    let note = (beside(base, &known.name), path(base, &known.name));
    let marks = known.elsewhere.as_deref().into_iter().chain([known.dir.as_path()]).map(mark);
    for (fresh, kept) in marks.chain([note]) {
        files::closed_file(&fresh, &text(known))?;
        std::fs::rename(&fresh, &kept).map_err(|e| files::cannot(&kept, &e))?;
    }
    Ok(())
}

/// A mark that is being written by a process.
pub(super) fn unfinished_mark(dir: &Path, writer: u32) -> PathBuf {
    dir.join(format!("{}.{writer}", mark::NAME))
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

/// The sandbox of an entry in our directory: a note, or a directory with a mark of ours whose note is gone. Others may store
/// files here: nothing else is a sandbox.
fn of_entry(base: &Path, entry: &Path) -> Option<KnownSandbox> {
    let name = entry.file_name()?.to_str()?;
    let note = name.strip_suffix(".json").filter(|name| !name.starts_with('.'));
    if let Some(name) = note {
        return read(entry, base, name);
    }
    let known = read(&entry.join(mark::NAME), base, name).filter(|_| entry.is_dir())?;
    // A search for its note does not find it: it is left over unless the run that started it goes on.
    (known.has_mark() && !path(base, name).exists()).then_some(KnownSandbox { detached: false, ..known })
}

/// What a note of ours says about the sandbox of this name.
pub(super) fn read(file: &Path, base: &Path, name: &str) -> Option<KnownSandbox> {
    let (text, owner) = mark::text_of(file).ok()?;
    let known: KnownSandbox = serde_json::from_str(&text).ok()?;
    let is_ours = owner == rustix::process::geteuid().as_raw();
    (is_ours && known.name == name && known.dir == base.join(name)).then_some(known)
}

/// The suffix of the name of a kept log.
pub(super) const LOG: &str = ".error.log";

/// The log that is kept of a sandbox of this name.
pub(super) fn log_of(base: &Path, name: &str) -> PathBuf {
    base.join(format!("{name}{LOG}"))
}

/// Whether a process runs.
pub fn is_alive(pid: u32) -> bool {
    works_since(pid).is_some()
}

/// As [`started`], of a process that has not ended. By one reading: of two, the first may find a process that has ended, and the second none.
pub(super) fn works_since(pid: u32) -> Option<u64> {
    let stat = proc::read(&format!("/proc/{pid}/stat"));
    proc::process(&stat).map(|process| process.2).filter(|_| !proc::ended(&stat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::{Duration, Instant};

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
        assert_eq!(noted("mariadbd"), u32::MAX, "another process that works there is no server");
        let by_number = |pid: u32| {
            let process_start = started(pid).unwrap();
            KnownSandbox { pid, process_start, ..KnownSandbox::new("a", "mariadbd", dir.path()) }
        };
        assert!(by_number(child.id()).alive(), "the note's own process is there");
        assert!(
            !by_number(std::process::id()).alive(),
            "a process that works elsewhere is not its server, whatever the note says"
        );
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(noted("/bin/sleep"), u32::MAX, "one that has ended is no server");
    }

    #[test]
    fn a_file_or_directory_of_somebody_else_is_no_sandbox() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path();
        std::fs::create_dir_all(base.join("prod/data/mysql")).unwrap();
        std::fs::write(base.join("prod/data/ibdata1"), "rows").unwrap();
        std::fs::write(base.join("package.json"), "{\"name\": \"package\"}").unwrap();
        std::fs::create_dir(base.join("making-of-2019")).unwrap();
        let known = KnownSandbox::new("mine", "mariadbd", &base.join("mine"));
        std::fs::create_dir(base.join("mine")).unwrap();
        write(base, &known.clone().marked()).unwrap();
        // A note that names the directory of another one.
        let lie = KnownSandbox { dir: base.join("prod"), ..KnownSandbox::new("lie", "mariadbd", &base.join("lie")) };
        std::fs::write(path(base, "lie"), text(&lie)).unwrap();
        let entry = |name: &str| of_entry(base, &base.join(name)).map(|known| known.name);
        for name in ["prod", "package.json", "making-of-2019", "lie.json", "lie", "mine"] {
            assert_eq!(entry(name), None, "{name}");
        }
        assert_eq!(entry("mine.json").as_deref(), Some("mine"));
        std::fs::remove_file(path(base, "mine")).unwrap();
        assert_eq!(entry("mine").as_deref(), Some("mine"), "its note is gone");
        assert!(!mark::Making::is_left(&base.join("making-of-2019")));
    }
}
