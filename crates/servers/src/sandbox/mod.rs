//! Private servers: started from the machine's own binaries, each in its own directory, and stopped on every exit path.
//!
//! A [`Sandbox`] stops its server when it is dropped (so also on a panic); [`stop_all`] is for signal handlers; the
//! kernel ends the server when our process is killed (`setpriv --pdeathsig`). [`record`] writes a note for each before
//! anything else is created, so that leftovers of a killed run are found by [`list`] and removed by [`clean`].
//!
//! No one else on the machine has access: the directory is closed to others, and with it the Unix socket, the data and
//! the file with the password, which is generated for each server and required over TCP.

mod access;
mod ending;
mod files;
mod launch;
mod mark;
mod mysql;
mod own_settings;
mod place;
mod postgres;
mod record;
mod registry;
pub mod replication;
mod size;
mod storage;
mod values;
mod variables;

pub use ending::{clean, stop};
pub use mark::started as started_at;
pub use own_settings::{is_its_own, leading_out};
pub use place::{base as base_directory, find as find_program, usable as usable_directory};
pub use record::{KnownSandbox, is_alive, list};
pub use registry::{left, stop_all};
pub use size::own_bytes;
pub use storage::usable as usable_data_directory;
pub use values::{WrongValue, wrong_values};
pub use variables::{Unknown, planned_variables, unknown_variables};

use crate::disk::Room;
use crate::offline::{self, DataChange, Stopped};
use launch::{DataPlace, Ended, Started};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tenbin_model::dsn::{PASSWORD_FILE, Scheme, escape};
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What to start.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// `mariadbd`, `mysqld`, `postgres`, a path to one, or `sqlite` for a private file.
    pub binary: String,
    /// Server variables, or pragmas of SQLite.
    pub server: BTreeMap<String, String>,
    /// A readable name; made unique unless `detached`.
    pub name: String,
    /// Leave it running when this process ends; it is stopped by its name.
    pub detached: bool,
    /// Aborts the start.
    pub stop: StopSignal,
    /// Allows everybody on this machine to connect over TCP without a password: for tests and benchmarks only, whose
    /// tools would show one on their command lines. No command and no plan can set this.
    pub open: bool,
    /// The directory in which its data lie; `None`: in that of private servers.
    pub data_directory: Option<PathBuf>,
    /// Its number in replication ([`replication::variables`]); `None` if it does not take part.
    pub replication: Option<u32>,
}

/// A running private server.
#[derive(Debug)]
pub struct Sandbox {
    known: KnownSandbox,
    options: Options,
    ended: Ended,
}

impl Sandbox {
    /// Starts a server and waits until it accepts connections. Fails with the end of its error log.
    pub fn start(options: &Options) -> Result<Sandbox, Problem> {
        let mut settings = options.server.iter();
        if let Some(problem) = settings.find_map(|(name, value)| leading_out(&options.binary, name, value)) {
            return Err(problem);
        }
        check_server(&options.binary)?;
        let base = place::base()?;
        let name = if options.detached { options.name.clone() } else { place::unique(&base, &options.name) };
        if name.is_empty()
            || name.starts_with('.')
            || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        {
            return Err(Problem::new(msg!("not-a-sandbox-name", name = format_args!("{name:?}")))
                .hint(msg!("use-letters-and-digits")));
        }
        let dir = place::fits(&base, &name)?;
        let known = KnownSandbox { detached: options.detached, ..KnownSandbox::new(&name, &options.binary, &dir) };
        let elsewhere = options.data_directory.as_deref().map(|there| storage::usable(there, &options.binary));
        let elsewhere =
            elsewhere.transpose()?.inspect(|there| storage::clean(there)).map(|there| storage::path(&there, &known));
        let known = KnownSandbox { elsewhere, ..known };
        let path = known.elsewhere.as_deref().unwrap_or(&base);
        let of_data = DataPlace { path, is_named: known.elsewhere.is_some() };
        let bytes = size::own_bytes(&options.binary, &options.server);
        launch::has_room(of_data, bytes)?;
        registry::enter(&known)?;
        match make(&base, known.clone(), options) {
            Ok(Started { known, ended }) => {
                registry::is_up(&known);
                if options.detached {
                    registry::release(&known);
                }
                Ok(Sandbox { known, options: options.clone(), ended })
            }
            Err(problem) => {
                // Before its directory is removed, which makes room.
                let problem = launch::or_full(problem, of_data, bytes);
                registry::put_away(&known.name);
                // Servers report unknown variables, but do not suggest the right name.
                let unknown = unknown_variables(&options.binary, &options.server);
                Err(match unknown.iter().find_map(|u| Some((&u.name, u.nearest.as_ref()?))) {
                    Some((name, nearest)) => problem.hint(msg!("write-in-place-of", nearest, name)),
                    None => problem,
                })
            }
        }
    }

    /// The address, over TCP for a server; it names the password file, which only we may read.
    pub fn dsn(&self) -> String {
        if self.options.binary != "sqlite" || self.options.server.is_empty() {
            return self.known.dsn.clone();
        }
        let pragmas: Vec<String> = self.options.server.iter().map(|(k, v)| format!("{k}={v}")).collect();
        format!("{}?{}", self.known.dsn, pragmas.join("&"))
    }

    /// The address over its Unix socket.
    pub fn socket_dsn(&self) -> String {
        let dir = self.known.dir.display();
        match scheme(&self.known.binary) {
            Scheme::Postgres => {
                let and = if self.options.open { '?' } else { '&' };
                format!("{}{and}socket={dir}", self.known.dsn.replace("127.0.0.1", "localhost"))
            }
            _ if self.options.open => format!("mysql://root@localhost/sbtest?socket={dir}/s.sock"),
            _ => format!("mysql://root@localhost/sbtest?socket={dir}/s.sock&{}", password_option(&self.known.dir)),
        }
    }

    /// The file that holds the password; `None` where there is none.
    pub fn password_file(&self) -> Option<PathBuf> {
        (self.known.binary != "sqlite" && !self.options.open).then(|| access::file(&self.known.dir))
    }

    /// The server's binary as requested.
    pub fn binary(&self) -> &str {
        &self.known.binary
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.known.name
    }

    /// Its process; `None` for SQLite, which has none.
    pub fn pid(&self) -> Option<u32> {
        (self.known.pid != 0).then_some(self.known.pid)
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        &self.known.dir
    }

    /// Its data directory.
    pub fn data(&self) -> PathBuf {
        self.known.data()
    }

    /// Stops the server, makes the change, and starts it again at the same address; see [`DataChange`]. `discarded`: the present
    /// data will not be used any more, so that the server need not write them. Returns how long the start took.
    pub fn offline(&mut self, discarded: bool, change: &mut dyn DataChange) -> Result<Duration, Problem> {
        if scheme(&self.known.binary).kind().is_file {
            return change.make(&self.known.storage().join("sbtest.db")).map(|()| Duration::ZERO);
        }
        self.halted(discarded)?;
        let data = self.known.data();
        offline::changed(self, &data, change)
    }

    fn halted(&self, discarded: bool) -> Result<(), Problem> {
        if ending::halt(&self.known, discarded) {
            return Ok(());
        }
        Err(Problem::new(msg!("server-does-not-end", sandbox = self.known.name))
            .evidence(foreign(launch::tail(&self.known.dir.join("error.log")))))
    }

    /// The problem if its server has ended unexpectedly, with the end of its log, which is kept. `None` while it runs.
    pub fn ended(&self) -> Option<Problem> {
        let status = self.ended.get()?;
        // Somebody may have started it again on the same data.
        if self.known.clone().found().state() == "running" {
            return None;
        }
        let log = self.known.dir.join("error.log");
        let problem = Problem::new(msg!("sandbox-ended", sandbox = self.known.name))
            .evidence(foreign(format!("{status}\n{}", launch::tail(&log)).trim_end()));
        Some(match ending::keep_log(&self.known) {
            Some(kept) => problem.hint(msg!("less-file", kept = kept.display())),
            None => problem,
        })
    }
}

impl Stopped for Sandbox {
    fn start(&mut self) -> Result<(), Problem> {
        let started = match scheme(&self.known.binary) {
            Scheme::Postgres => postgres::raise(&self.known, &self.options),
            _ => mysql::raise(&self.known, &self.options),
        };
        started.map(|Started { known, ended }| (self.known, self.ended) = (known, ended))
    }

    fn end(&mut self) -> Result<(), Problem> {
        self.halted(true)
    }
}

fn make(base: &Path, known: KnownSandbox, options: &Options) -> Result<Started, Problem> {
    files::closed_directory(&known.dir)?;
    if let Some(elsewhere) = &known.elsewhere {
        files::closed_directory(elsewhere)?;
    }
    // Before anything is in it.
    let known = known.marked();
    record::write(base, &known)?;
    match scheme(&options.binary) {
        Scheme::Sqlite => {
            let dsn = format!("sqlite:{}/sbtest.db", known.storage().display());
            let known = KnownSandbox { dsn, ..known };
            record::write(base, &known)?;
            Ok(Started { known, ended: Ended::default() })
        }
        Scheme::Postgres => postgres::start(base, known, options),
        Scheme::Mysql | Scheme::Null | Scheme::Host => mysql::start(base, known, options),
    }
}

/// The address option that names the password file of a sandbox.
fn password_option(dir: &Path) -> String {
    format!("{PASSWORD_FILE}={}", escape(&access::file(dir).display().to_string()))
}

/// An address with that option, unless the server has no password.
fn with_password(address: String, dir: &Path, options: &Options) -> String {
    if options.open { address } else { format!("{address}?{}", password_option(dir)) }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !self.options.detached {
            registry::put_away(&self.known.name);
        }
    }
}

pub use tenbin_model::trial::sandbox_scheme as scheme;

/// The directory of sandboxes and their data, created if it does not exist.
pub fn make_directory() -> Result<PathBuf, Problem> {
    place::base()
}

/// The path of a server's binary, or a hint how to install it.
pub fn available(binary: &str) -> Result<PathBuf, Problem> {
    if binary == "sqlite" {
        return Ok(PathBuf::new());
    }
    place::find(binary)
}

/// Refuses a program that is no server of the family that its name stands for, by what it says of its version.
///
/// # Errors
/// If it is none, is not there, or does not run.
pub fn check_server(binary: &str) -> Result<(), Problem> {
    /// Those that are: a plan may have hundreds of servers.
    static KNOWN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let path = available(binary)?;
    let is_server: fn(&str) -> bool = match scheme(binary) {
        Scheme::Postgres => |says| says.starts_with("postgres "),
        // Clients of MariaDB have two versions.
        Scheme::Mysql => |says| says.contains(" Ver ") && !says.contains(" Distrib "),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => return Ok(()),
    };
    let known = &mut *KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.contains(&path) {
        return Ok(());
    }
    // Whatever it is told, it starts a server.
    let starts_one = binary.ends_with("_safe") || binary.ends_with("-safe");
    let says = if starts_one { String::new() } else { launch::version(&path)? };
    let first = says.lines().next().unwrap_or_default().to_owned();
    if !starts_one && is_server(&first) {
        known.insert(path);
        return Ok(());
    }
    let server = match binary.rsplit('/').next().unwrap_or_default() {
        name if name.starts_with("mysql") => "mysqld",
        name if name.starts_with("pg_") || name.starts_with("postgres") => "postgres",
        _ => "mariadbd",
    };
    let hint = msg!("write-key", key = "sandbox", value = format_args!("{server:?}"));
    let problem = Problem::new(msg!("binary-is-no-server", binary)).hint(hint);
    Err(if first.is_empty() { problem } else { problem.evidence(foreign(first)) })
}

/// That private servers, which take this many bytes before anything is loaded, do not fit; `is_named`: into the directory that the plan names.
pub fn no_room_for(bytes: u64, room: &Room, is_named: bool) -> Problem {
    launch::no_room(DataPlace { path: &room.place, is_named }, room.free, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_no_server_is_refused() {
        for (binary, words) in [("sh", "sandbox = \"mariadbd\""), ("/opt/no/pg_ctl", "there is no ")] {
            let problem = check_server(binary).unwrap_err().to_string();
            assert!(problem.contains(words) && problem.contains(binary), "{problem}");
        }
        let dir = tempfile::tempdir().unwrap();
        let says = |name: &str, version: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\necho '{version}'\n")).unwrap();
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
            check_server(&path.display().to_string()).map_err(|problem| problem.to_string())
        };
        assert_eq!(says("mysqld-debug", "/opt/mysqld-debug  Ver 8.4.0-debug for Linux on x86_64 (Source)"), Ok(()));
        assert_eq!(says("mariadbd", "mariadbd  Ver 11.4.2-MariaDB for Linux on x86_64 (Source)"), Ok(()));
        assert_eq!(says("postgres", "postgres (PostgreSQL) 17.2"), Ok(()));
        for (name, version, server) in [
            ("mysqladmin", "mysqladmin  Ver 9.1 Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)", "mysqld"),
            ("pg_ctl", "pg_ctl (PostgreSQL) 15.18", "postgres"),
            ("mysqld_safe", "mysqld  Ver 8.4.0 for Linux on x86_64 (Source)", "mysqld"),
        ] {
            let problem = says(name, version).unwrap_err();
            assert!(problem.contains(&format!("sandbox = {server:?}")), "{problem}");
        }
    }
}
