//! A server that Tenbin did not start, stopped and started by commands of the user, on this machine.
//!
//! While it is stopped a note in the state directory ([`state`]) says so: if Tenbin is killed then, the next run on that address finds the
//! note, puts the data directory in order and starts the server again ([`recover`]).

use crate::command::{self, UserCommand};
use crate::offline::{self, DataChange, Stopped};
use crate::{disk, facts, golden, in_use, lasting, machine, proc, sandbox, state};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::stop::StopSignal;
use tenbin_words::hex::hex;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long each command may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long a server may take to end after its command, and to accept connections after the other.
const END: Duration = Duration::from_secs(60);
const RETURN: Duration = Duration::from_secs(600);
/// How long a server that starts may have no process that works in its data directory.
const ABSENCE: Duration = Duration::from_secs(30);
/// How long something may still work in its data directory when it has ended: the processes of its sessions.
const LAST: Duration = Duration::from_secs(5);
/// How often its end and its return are looked for.
const LOOK: Duration = Duration::from_millis(20);

/// A server and the commands that stop and start it.
#[derive(Debug, Clone)]
pub struct Service<'a> {
    /// Its address.
    pub connector: &'a Connector,
    /// The command that stops it.
    pub stop: &'a str,
    /// The command that starts it.
    pub start: &'a str,
}

/// The note of a stopped server.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    dsn: String,
    data: PathBuf,
    owner: (u32, u64),
    /// The start of the machine in which the owner has these numbers.
    boot: String,
    /// The golden copy by which the data are replaced.
    golden: Option<PathBuf>,
    /// The command that starts it.
    #[serde(default)]
    start: String,
}

impl Note {
    /// Whether another process that is there now has stopped the server.
    fn is_of_running(&self) -> bool {
        let (owner, since) = self.owner;
        let is_of_this_boot = self.boot == proc::boot();
        is_of_this_boot && owner != std::process::id() && sandbox::started_at(owner) == Some(since)
    }
}

impl Service<'_> {
    /// Stops the server, makes the change, and starts it again, also if the change fails; see [`DataChange`]. Returns how long
    /// the start took. A stop of the run does not keep the server from being started.
    pub fn offline(&self, change: &mut dyn DataChange) -> Result<Duration, Problem> {
        let data = self.data_directory()?;
        let pid = machine::process_here(self.connector).ok_or_else(|| self.unseen())?;
        let directory = number_of(&data);
        let note = self.note(&data, change.source())?;
        let stopped = self.command(self.stop).and_then(|()| self.ended(&data, Some(pid)));
        // The one in which the server worked, and not what its account, or the command, has put into its place since.
        let stopped = stopped.and_then(|()| match number_of(&data) == directory {
            true => Ok(()),
            false => Err(golden::exchanged(&data)),
        });
        let outcome = match stopped {
            Ok(()) => offline::changed(&mut StoppedService { service: self, data: &data }, &data, change),
            Err(problem) => {
                // It may run still, have come back, or have been stopped by a command that failed later.
                if facts::reachable(self.connector).is_err() {
                    StoppedService { service: self, data: &data }.start()?;
                }
                Err(problem)
            }
        };
        if outcome.is_ok() || facts::reachable(&self.connector.until(&StopSignal::new())).is_ok() {
            remove(&note);
        }
        outcome
    }

    /// The server's data directory on this machine.
    pub fn data_directory(&self) -> Result<PathBuf, Problem> {
        disk::data_directory_here(self.connector).map_err(|why| self.unseen().evidence(why))
    }

    fn unseen(&self) -> Problem {
        Problem::new(msg!("data-directory-unseen", dsn = self.connector.dsn())).hint(msg!("run-on-server-or-reload"))
    }

    fn command(&self, text: &str) -> Result<(), Problem> {
        let dsn = self.connector.dsn().to_string();
        let environment = [("TENBIN_ADDRESS", dsn)];
        // Not stopped with the run: that would leave the server down.
        let (environment, patience) = (&environment, PATIENCE);
        let command = UserCommand { text, environment, patience, directory: None, is_awaited: true };
        let end = command::run(&command, &StopSignal::new())?;
        let evidence = end.evidence();
        match (end.failure, evidence) {
            (None, _) => Ok(()),
            (Some(_), evidence) => {
                let problem = Problem::new(msg!("service-command-failed", command = tenbin_model::dsn::redact(text)));
                Err(evidence.map_or(problem.clone(), |evidence| problem.evidence(evidence)))
            }
        }
    }

    /// Waits until its process has ended, and nothing works in its data directory. A service manager may start a server again
    /// that was not stopped by it.
    fn ended(&self, data: &Path, pid: Option<u32>) -> Result<(), Problem> {
        let since = Instant::now();
        let hint = || msg!("give-command-that-stops", command = tenbin_model::dsn::redact(self.stop));
        while let Some(pid) = pid.filter(|pid| sandbox::is_alive(*pid)) {
            if since.elapsed() > END {
                return Err(Problem::new(msg!("server-runs-after-stop", dsn = self.connector.dsn()))
                    .evidence(msg!("process-is-alive", pid, seconds = END.as_secs()))
                    .hint(hint()));
            }
            std::thread::sleep(LOOK);
        }
        let since = Instant::now();
        while let Some(user) = in_use::user_of(data) {
            if since.elapsed() > LAST {
                return Err(Problem::new(msg!("server-came-back", dsn = self.connector.dsn()))
                    .evidence(user.told(data))
                    .hint(hint()));
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Waits until the server on these data accepts connections.
    fn returned(&self, data: &Path) -> Result<(), Problem> {
        let since = Instant::now();
        let mut last_use = since;
        // On a connector without the run's stop signal.
        let connector = self.connector.until(&StopSignal::new());
        loop {
            let Err(problem) = facts::reachable(&connector) else { return Ok(()) };
            if in_use::user_of(data).is_some() {
                last_use = Instant::now();
            }
            if since.elapsed() > RETURN || last_use.elapsed() > ABSENCE {
                return Err(Problem::new(msg!("server-does-not-return", dsn = self.connector.dsn()))
                    .evidence(foreign(&problem))
                    .hint(msg!("look-into-error-log")));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Writes the note, before anything is done.
    fn note(&self, data: &Path, golden: Option<&Path>) -> Result<PathBuf, Problem> {
        let path = state::make()?.join(note_name(self.connector));
        let us = std::process::id();
        let note = Note {
            dsn: lasting::address(self.connector.dsn()),
            data: data.to_owned(),
            owner: (us, sandbox::started_at(us).unwrap_or(0)),
            boot: proc::boot(),
            start: tenbin_model::dsn::redact(self.start),
            golden: golden.map(|copy| std::path::absolute(copy).unwrap_or_else(|_| copy.to_owned())),
        };
        let cannot = |e: std::io::Error| {
            Problem::new(msg!("file-cannot-be-written", file = path.display())).evidence(foreign(e))
        };
        remove(&path);
        let mut file = File::options().create_new(true).write(true).mode(0o600).open(&path).map_err(cannot)?;
        let text = serde_json::to_string_pretty(&note).unwrap_or_default();
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        written.and_then(|()| state::keep_names(&state::directory())).map_err(cannot)?;
        Ok(path)
    }
}

/// What makes a directory or file different from all others of this machine. A link is not what it leads to.
fn number_of(path: &Path) -> Option<(u64, u64)> {
    path.symlink_metadata().ok().map(|meta| (meta.dev(), meta.ino()))
}

/// A service after its stop command.
struct StoppedService<'a> {
    service: &'a Service<'a>,
    data: &'a Path,
}

impl Stopped for StoppedService<'_> {
    fn start(&mut self) -> Result<(), Problem> {
        // One that came back by itself is not started once more.
        if in_use::user_of(self.data).is_none() {
            self.service.command(self.service.start)?;
        }
        self.service.returned(self.data)
    }

    fn end(&mut self) -> Result<(), Problem> {
        // There may be nothing to stop any more: what counts is that the data are not in use.
        let _ = self.service.command(self.service.stop);
        self.service.ended(self.data, None)
    }
}

/// Finishes what a killed run has left: puts the data directory in order and starts the server. Returns a report; `None` if
/// nothing was left.
pub fn recover(service: &Service<'_>) -> Result<Option<Problem>, Problem> {
    let path = state::directory().join(note_name(service.connector));
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let damaged = |why: &str| {
        Problem::new(msg!("service-note-damaged", path = path.display()))
            .evidence(foreign(why))
            .hint(msg!("start-server-and-remove", path = path.display()))
    };
    let meta = std::fs::symlink_metadata(&path).map_err(|e| damaged(&e.to_string()))?;
    if !meta.is_file() || meta.len() > LONGEST_NOTE || meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(damaged("it is not a short regular file of this account"));
    }
    let text = tenbin_intake::regular_file(&path, LONGEST_NOTE).map_err(|e| damaged(&e.to_string()))?;
    let note: Note = serde_json::from_slice(&text).map_err(|e| damaged(&e.to_string()))?;
    if note.dsn != lasting::address(service.connector.dsn()) {
        return Err(damaged(&note.dsn));
    }
    if note.is_of_running() {
        return Err(Problem::new(msg!("service-is-stopped", dsn = service.connector.dsn(), owner = note.owner.0)));
    }
    let answered = facts::reachable(service.connector).is_ok();
    if !answered {
        golden::put_in_order(&note.data, note.golden.as_deref())?;
        StoppedService { service, data: &note.data }.start()?;
    } else {
        golden::nothing_aside(&note.data)?;
    }
    remove(&path);
    Ok(Some(if answered {
        Problem::new(msg!("service-was-started", dsn = service.connector.dsn()))
    } else {
        Problem::new(msg!("service-recovered", dsn = service.connector.dsn()))
    }))
}

/// Servers that killed runs have left stopped, and how they are started again.
pub fn left_stopped() -> Vec<Problem> {
    let entries = std::fs::read_dir(state::directory()).into_iter().flatten().flatten();
    let mut notes: Vec<Note> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(STOPPED))
        .filter_map(|entry| tenbin_intake::regular_file(&entry.path(), LONGEST_NOTE).ok())
        .filter_map(|text| serde_json::from_slice(&text).ok())
        .collect();
    notes.sort_by(|a, b| a.dsn.cmp(&b.dsn));
    let is_left = |note: &Note| !note.is_of_running() && in_use::user_of(&note.data).is_none();
    let problem = |note: Note| {
        Problem::new(msg!("service-left-stopped", dsn = note.dsn))
            .evidence(msg!("data-are-in", place = note.data.display(), command = note.start))
            .hint(msg!("run-plan-to-start-server"))
    };
    notes.into_iter().filter(is_left).map(problem).collect()
}

/// A longer note is not ours.
const LONGEST_NOTE: u64 = 1 << 20;

/// The beginning of the names of notes.
const STOPPED: &str = ".stopped-";

fn note_name(connector: &Connector) -> String {
    let dsn = lasting::address(connector.dsn());
    let digest = hex(&Sha256::digest(dsn)[..8]);
    format!("{STOPPED}{digest}")
}

fn remove(path: &Path) {
    // If that fails, the next run finds that the server runs.
    let _ = std::fs::remove_file(path);
}
