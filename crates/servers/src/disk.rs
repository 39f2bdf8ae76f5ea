//! Free disk space: of a directory on this machine, or of the data directory of a server on it.
//!
//! The disk of a server on another machine, or whose process cannot be identified, cannot be examined: this is
//! reported, and never treated as sufficient space.

use crate::rights::Rights;
use crate::server_query::{NoAnswer, query_server};
use crate::{machine, proc};
use rustix::fs::OFlags;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The free space of the file system of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// The directory in question.
    pub place: PathBuf,
    /// Bytes that programs without privileges may still write there.
    pub free: u64,
    /// The file system's number: equal for directories that share their space.
    pub file_system: u64,
}

/// The space for a directory, or for a file or directory to be created; `None` if it cannot be determined.
pub fn room(place: &Path) -> Option<Room> {
    room_as_seen(place, place)
}

/// The space for the data of a database, and how many bytes it has there already; or why the space is unknown. `pid` is
/// the server's process if the caller knows it. Blocks the calling thread.
pub fn of_database(connector: &Connector, pid: Option<u32>) -> Result<(Room, u64), Message> {
    let dsn = connector.dsn();
    match dsn.scheme {
        Scheme::Sqlite => {
            let file = Path::new(&dsn.database);
            let there = std::fs::metadata(file).map_or(0, |meta| meta.len());
            room(file).map(|room| (room, there)).ok_or_else(|| msg!("cannot-be-looked-at", place = file.display()))
        }
        Scheme::Null | Scheme::Host => Err(msg!("there-is-no-database")),
        Scheme::Mysql | Scheme::Postgres => of_server(connector, pid),
    }
}

/// Bytes used by the files in a directory, without subdirectories.
pub fn bytes_of_files(directory: &Path) -> u64 {
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    // In blocks of 512 bytes (stat(2)): a sparse file uses less space than its length.
    files.filter_map(|entry| entry.metadata().ok()).filter(|meta| meta.is_file()).map(|meta| meta.blocks() * 512).sum()
}

fn of_server(connector: &Connector, pid: Option<u32>) -> Result<(Room, u64), Message> {
    let (directory, path, there) = seen_here(connector, pid)?;
    let room = room_as_seen(&directory, &path);
    room.map(|room| (room, there)).ok_or_else(|| msg!("cannot-be-looked-at", place = directory.display()))
}

/// The data directory of a server on this machine that is in no container, or why it is unknown. It is what the server says
/// only if that is true: the process that listens at the address works in it, owns it, and has its files open. A process of any
/// account can call itself a server and name any directory. Blocks the calling thread.
pub fn data_directory_here(connector: &Connector) -> Result<PathBuf, Message> {
    let pid = machine::process_here(connector).ok_or_else(|| unknown_process(connector))?;
    let (directory, path, _) = seen_here(connector, Some(pid))?;
    let same = |path: &Path| std::fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()));
    match same(&directory) {
        Some(here) if same(&path) == Some(here) => {}
        _ => return Err(msg!("server-in-container")),
    }
    let directory = directory.canonicalize().map_err(|e| foreign(format_args!("{}: {e}", directory.display())))?;
    confirmed(connector.dsn().scheme, pid, &directory).map(|()| directory)
}

fn unknown_process(connector: &Connector) -> Message {
    if connector.dsn().is_local() { msg!("server-process-unknown") } else { msg!("server-on-another-machine") }
}

/// Whether a directory is the data directory of a process.
fn confirmed(scheme: Scheme, pid: u32, directory: &Path) -> Result<(), Message> {
    let path = || directory.display();
    let unseen = |e: std::io::Error| foreign(e);
    let meta = std::fs::symlink_metadata(directory).map_err(unseen)?;
    let cwd = std::fs::metadata(format!("/proc/{pid}/cwd")).map_err(unseen)?;
    if (cwd.dev(), cwd.ino()) != (meta.dev(), meta.ino()) {
        let works = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
        return Err(msg!("server-works-elsewhere", pid, place = path(), works = works.display()));
    }
    let account = machine::account_of(pid).ok_or_else(|| msg!("server-process-unknown"))?;
    if account != meta.uid() {
        return Err(msg!("server-does-not-own-data", pid, place = path(), account, owner = meta.uid()));
    }
    let rights = Rights::of_user(account).map_err(|problem| problem.what)?;
    let is_data = match scheme {
        // The first line of its lock file is its process (manual of PostgreSQL, 70.1).
        Scheme::Postgres => rights
            .within(|| short_text(&directory.join("postmaster.pid")))
            .is_ok_and(|text| text.lines().next().and_then(|line| line.trim().parse().ok()) == Some(pid)),
        // InnoDB and Aria have them open as long as the server runs.
        _ => ["ibdata1", "aria_log_control"].iter().any(|name| has_open(pid, &directory.join(name))),
    };
    if is_data { Ok(()) } else { Err(msg!("no-data-directory-of-server", pid, place = path())) }
}

/// The first bytes of a regular file that is no link.
fn short_text(path: &Path) -> std::io::Result<String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, rustix::fs::Mode::empty())?);
    match file.metadata()?.is_file() {
        true => tenbin_intake::text_of(file.take(1000), 1000),
        false => Ok(String::new()),
    }
}

/// Whether a process has this file open.
fn has_open(pid: u32, file: &Path) -> bool {
    let number = |meta: std::fs::Metadata| meta.is_file().then(|| (meta.dev(), meta.ino()));
    let Some(wanted) = std::fs::symlink_metadata(file).ok().and_then(number) else { return false };
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    open.into_iter().any(|entry| std::fs::metadata(entry.path()).ok().and_then(number) == Some(wanted))
}

/// The data directory of a server on this machine: its name for the server, its path for us, and how many bytes the current
/// database has there.
fn seen_here(connector: &Connector, pid: Option<u32>) -> Result<(PathBuf, PathBuf, u64), Message> {
    let pid = pid.or_else(|| machine::process_here(connector)).ok_or_else(|| unknown_process(connector))?;
    let answer = query_server(connector, async |c| data_directory(connector.dsn().scheme, c).await);
    let (directory, there) = match answer.map_err(|problem| problem.what)? {
        Ok((Some(directory), there)) => (directory, there),
        Ok((None, _)) => return Err(msg!("server-does-not-say-directory")),
        Err(NoAnswer::Connecting(error) | NoAnswer::Querying(error)) => return Err(foreign(error)),
        Err(NoAnswer::Abandoned(_)) => return Err(msg!("server-did-not-say-directory")),
    };
    let directory = PathBuf::from(directory);
    let path = as_server_sees(pid, &directory).ok_or_else(|| msg!("server-in-container"))?;
    Ok((directory, path, there))
}

/// The directory with the data of the server's current database, and their size in bytes.
async fn data_directory(scheme: Scheme, c: &mut Connection) -> Result<(Option<String>, u64), Error> {
    let (directory, size) = match scheme {
        Scheme::Postgres => (
            "SELECT coalesce(nullif(pg_tablespace_location(dattablespace), ''), current_setting('data_directory')) \
             FROM pg_database WHERE datname = current_database()",
            "SELECT pg_database_size(current_database())",
        ),
        _ => (
            "SELECT @@datadir",
            "SELECT CAST(COALESCE(SUM(data_length + index_length), 0) AS CHAR) FROM information_schema.tables \
             WHERE table_schema = DATABASE()",
        ),
    };
    // The account may lack the privilege to see them.
    let directory = c.table(directory).await.ok().and_then(|table| table.scalar().map(str::to_owned));
    let size = c.table(size).await.ok().and_then(|table| table.scalar()?.parse().ok());
    Ok((directory.filter(|d| d.starts_with('/')), size.unwrap_or(0)))
}

/// The path of a directory of the server from our point of view: through the server's root, which may differ from ours.
/// If we may not access it, the path is the same for a process that is not in a container.
fn as_server_sees(pid: u32, directory: &Path) -> Option<PathBuf> {
    let root = PathBuf::from(format!("/proc/{pid}/root"));
    if std::fs::metadata(root.join(".")).is_ok() {
        return Some(root.join(directory.strip_prefix("/").ok()?));
    }
    in_our_namespace(&proc::read(&format!("/proc/{pid}/status"))).then(|| directory.to_owned())
}

/// Whether a process is in our PID namespace: one in a container has a second number there (`NSpid` of
/// `/proc/PID/status`, proc(5)).
fn in_our_namespace(status: &str) -> bool {
    status.lines().any(|line| line.strip_prefix("NSpid:").is_some_and(|pids| pids.split_whitespace().count() == 1))
}

fn room_as_seen(place: &Path, path: &Path) -> Option<Room> {
    let path = std::path::absolute(path).ok()?;
    let there = path.ancestors().find(|p| p.exists())?;
    let status = rustix::fs::statvfs(there).ok()?;
    Some(Room {
        place: place.to_owned(),
        free: status.f_bavail.saturating_mul(status.f_frsize),
        file_system: std::fs::metadata(there).ok()?.dev(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn what_is_to_be_made_has_the_room_of_where_it_will_be() {
        let dir = tempfile::tempdir().unwrap();
        let here = room(dir.path()).unwrap();
        let later = room(&dir.path().join("not/yet/there.db")).unwrap();
        assert_eq!(here.file_system, later.file_system);
        assert!(here.free > 0 && later.place.ends_with("not/yet/there.db"), "{later:?}");
        assert_ne!(room(Path::new("/proc")).unwrap().file_system, here.file_system);
    }

    #[test]
    fn a_directory_is_that_of_a_process_which_works_there_owns_it_and_has_its_data_open() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().canonicalize().unwrap().join("data");
        std::fs::create_dir(&data).unwrap();
        std::fs::write(data.join("ibdata1"), "x").unwrap();
        let process = |cwd: &Path, open: Option<&Path>| {
            let input = open.map_or(Stdio::null(), |path| File::open(path).unwrap().into());
            Command::new("sleep").arg("60").current_dir(cwd).stdin(input).spawn().unwrap()
        };
        let confirmation = |mut child: std::process::Child, scheme| {
            // A process has its working directory as soon as its program runs.
            while proc::read(&format!("/proc/{}/comm", child.id())) != "sleep" {}
            let result = confirmed(scheme, child.id(), &data).map_err(|why| why.id().unwrap_or_default().to_owned());
            child.kill().unwrap();
            child.wait().unwrap();
            result
        };
        let ibdata1 = data.join("ibdata1");
        let refused = |code: &str| Err(code.to_owned());
        assert_eq!(confirmation(process(&data, Some(&ibdata1)), Scheme::Mysql), Ok(()));
        assert_eq!(confirmation(process(dir.path(), Some(&ibdata1)), Scheme::Mysql), refused("server-works-elsewhere"));
        assert_eq!(confirmation(process(&data, None), Scheme::Mysql), refused("no-data-directory-of-server"));
        std::fs::write(data.join("postmaster.pid"), format!("{}\n", std::process::id())).unwrap();
        assert_eq!(confirmation(process(&data, None), Scheme::Postgres), refused("no-data-directory-of-server"));
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(&data, Some(65534), None).unwrap();
            assert_eq!(
                confirmation(process(&data, Some(&ibdata1)), Scheme::Mysql),
                refused("server-does-not-own-data")
            );
        }
    }

    #[test]
    fn a_process_in_a_container_has_two_numbers() {
        assert!(in_our_namespace("Name:\tmysqld\nNSpid:\t812\nNSpgid:\t812\n"));
        assert!(!in_our_namespace("Name:\tmysqld\nNSpid:\t812\t1\nNSpgid:\t812\t1\n"));
        assert!(!in_our_namespace(""), "an old kernel does not say");
    }
}
