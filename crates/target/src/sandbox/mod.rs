//! Private servers: started from the machine's own binaries, in a directory of their own, stopped on every way out.
//!
//! A [`Sandbox`] stops its server when it is dropped (so also on a panic); [`stop_all`] is for the signal's path; the kernel
//! ends the server when our process is killed (`setpriv --pdeathsig`). [`record`] leaves a note of each, so that what a killed
//! run left behind is found by [`list`] and removed by [`clean`].

mod launch;
mod mysql;
mod place;
mod postgres;
mod record;

pub use record::{Known, clean, list, stop};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tenbin_model::dsn::Scheme;
use tenbin_model::problem::Problem;

/// What to start.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// `mariadbd`, `mysqld`, `postgres`, a path to one, or `sqlite` for a private file.
    pub binary: String,
    /// Server variables, or pragmas of SQLite.
    pub server: BTreeMap<String, String>,
    /// A name for people; made unique unless `detached`.
    pub name: String,
    /// Leave it running when this process ends; it is stopped by its name.
    pub detached: bool,
}

/// A running private server.
#[derive(Debug)]
pub struct Sandbox {
    known: Known,
    options: Options,
}

/// What this process has started and not stopped yet.
static RUNNING: Mutex<Vec<Known>> = Mutex::new(Vec::new());

impl Sandbox {
    /// Starts a server and waits until it takes connections. Fails with the end of its error log.
    pub fn start(options: &Options) -> Result<Sandbox, Problem> {
        let base = place::base()?;
        let name = if options.detached { options.name.clone() } else { place::unique(&base, &options.name) };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
            return Err(
                Problem::new(format!("{name:?} cannot be a sandbox's name")).mend("use letters, digits, - and _")
            );
        }
        if record::path(&base, &name).exists() {
            return Err(Problem::new(format!("a sandbox named {name} is there already"))
                .mend(format!("tenbin sandbox stop {name}, or another --name")));
        }
        let dir = place::directory(&base, &name)?;
        let started = match scheme(&options.binary) {
            Scheme::Sqlite => {
                let dsn = format!("sqlite:{}/sbtest.db", dir.display());
                Ok(Known { dsn, ..Known::new(&name, &options.binary, &dir) })
            }
            Scheme::Postgres => postgres::start(&base, &name, &dir, options),
            Scheme::Mysql | Scheme::Null | Scheme::Host => mysql::start(&base, &name, &dir, options),
        };
        let known = match started {
            Ok(known) => known,
            Err(problem) => {
                let _ = std::fs::remove_dir_all(&dir);
                return Err(problem);
            }
        };
        let known = Known { detached: options.detached, ..known };
        record::write(&base, &known)?;
        if !options.detached {
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).push(known.clone());
        }
        Ok(Sandbox { known, options: options.clone() })
    }

    /// The address, over TCP for a server; an account that only this machine reaches.
    pub fn dsn(&self) -> String {
        match self.options.binary.as_str() {
            "sqlite" => {
                let pragmas: Vec<String> = self.options.server.iter().map(|(k, v)| format!("{k}={v}")).collect();
                if pragmas.is_empty() {
                    self.known.dsn.clone()
                } else {
                    format!("{}?{}", self.known.dsn, pragmas.join("&"))
                }
            }
            _ => self.known.dsn.clone(),
        }
    }

    /// The address over its Unix socket.
    pub fn socket_dsn(&self) -> String {
        let dir = self.known.dir.display();
        match scheme(&self.known.binary) {
            Scheme::Postgres => self.known.dsn.replace("127.0.0.1", "localhost") + &format!("?socket={dir}"),
            _ => format!("mysql://root@localhost/sbtest?socket={dir}/s.sock"),
        }
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
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !self.options.detached {
            put_away(&self.known);
        }
    }
}

/// Stops everything that this process has started: for the path of a signal, where nothing is dropped.
pub fn stop_all() {
    let all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    all.iter().for_each(put_away);
}

fn put_away(known: &Known) {
    record::end(known);
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|k| k.name != known.name);
}

pub use tenbin_model::trial::sandbox_scheme as scheme;

/// The path of a server's binary, or how to get it.
pub fn available(binary: &str) -> Result<PathBuf, Problem> {
    if binary == "sqlite" {
        return Ok(PathBuf::new());
    }
    place::find(binary)
}
