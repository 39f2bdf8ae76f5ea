//! One run at a time on one schema: a lock that ends with its holder, so that two runs do not drop each other's
//! tables, and a run that dies leaves no lock behind.
//!
//! MySQL and MariaDB: `GET_LOCK` on a connection of its own (proxies that pool connections keep one that holds a lock
//! with its client). PostgreSQL: an advisory lock of a transaction that stays open, reads nothing and holds no
//! snapshot: pools in transaction mode keep the connection with us too, and no lock is left on a pooled connection.
//! SQLite: a locked file next to the database, whatever links lead there. Decision 0015 describes the alternatives.

use crate::table_users;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Seek;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The lock of a schema, held until this is dropped.
#[derive(Debug)]
pub struct SchemaClaim {
    /// The server's number of the connection that holds the lock; empty with SQLite.
    pub connection: String,
    /// Whether it was not held when it was last renewed, and was acquired again.
    pub was_lost: bool,
    hold: ClaimLock,
}

#[derive(Debug)]
enum ClaimLock {
    Connection {
        /// Asks the thread that holds it whether it still does; the thread ends when this is closed.
        ask: Option<SyncSender<Reply>>,
        ended: Receiver<()>,
    },
    File {
        path: PathBuf,
        locked: File,
    },
    /// Nothing that another run could use.
    Nothing,
}

/// The outcome of locking a schema.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// The lock was acquired.
    Ours(SchemaClaim),
    /// Another run has it.
    Taken {
        /// The server's number of the connection that has it; empty with SQLite, or if it is not visible.
        connection: String,
        /// What is known without its stored identity: account and address of the connection, or the content of the
        /// locked file.
        seen: String,
    },
    /// The server does not support or permit such locks.
    Unable(Message),
    /// Where the lock would be is a file of others, which is left as it is.
    Foreign(Problem),
}

/// Where the answer goes to whether a lock is held.
type Reply = SyncSender<Result<LockAnswer, Problem>>;

/// How often the connection is used, so that it is not closed as idle.
const PING: Duration = Duration::from_secs(30);
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait at the end for the lock to be released; the server releases it anyway when the connection ends.
const GOODBYE: Duration = Duration::from_secs(2);

/// Locks the schema of the address, or the given one. `who` is stored in a locked file: a line that has `by process` in it.
pub fn claim(connector: &Connector, schema: Option<&str>, who: &str) -> ClaimOutcome {
    let dsn = connector.dsn();
    match dsn.scheme {
        Scheme::Null | Scheme::Host => nothing(),
        Scheme::Sqlite if matches!(dsn.database.as_str(), "" | ":memory:") => nothing(),
        Scheme::Sqlite => file(beside(Path::new(&dsn.database)), who),
        Scheme::Mysql | Scheme::Postgres => server(connector, Locked::Tables(schema.map(str::to_owned))),
    }
}

/// Locks the variables of a server, which only one run changes at a time, from whatever account or machine.
pub fn claim_settings(connector: &Connector) -> ClaimOutcome {
    match connector.dsn().scheme {
        Scheme::Mysql | Scheme::Postgres => server(connector, Locked::Settings),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => nothing(),
    }
}

/// Says that the tables of the address are in use, for those who drop or load tables ([`table_users::user`]): any number of runs may do so side by side. The
/// connection that says it is left out where the server has no more than `connections` free, or it cannot be said.
pub fn claim_use(connector: &Connector, connections: u32) -> Option<SchemaClaim> {
    if !connector.dsn().scheme.kind().is_server {
        return None;
    }
    match server(connector, Locked::Use { connections }) {
        ClaimOutcome::Ours(claim) => Some(claim),
        ClaimOutcome::Taken { .. } | ClaimOutcome::Unable(_) | ClaimOutcome::Foreign(_) => None,
    }
}

/// What is locked on a server.
#[derive(Debug, Clone)]
enum Locked {
    /// The tables of a schema: of the given one, or of that of the address.
    Tables(Option<String>),
    /// One of the locks of runs that use the tables of the address; this many connections must remain free.
    Use { connections: u32 },
    /// The variables of the server.
    Settings,
}

fn nothing() -> ClaimOutcome {
    ClaimOutcome::Ours(SchemaClaim { connection: String::new(), was_lost: false, hold: ClaimLock::Nothing })
}

/// The locked file of a database: beside the file itself, by whatever link it is reached.
fn beside(database: &Path) -> PathBuf {
    let mut real = database.to_owned();
    // A link may lead to a file that is still to be created.
    for _ in 0..MOST_LINKS {
        let Ok(target) = std::fs::read_link(&real) else { break };
        real = real.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let (Ok(folder), Some(name)) = (folder.canonicalize(), real.file_name()) {
        real = folder.join(name);
    }
    let mut name = real.into_os_string();
    name.push("-tenbin");
    name.into()
}

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

fn file(path: PathBuf, who: &str) -> ClaimOutcome {
    let unable = |e: std::io::Error| ClaimOutcome::Unable(foreign(format_args!("{}: {e}", path.display())));
    // Without following a link, which could lead to any file.
    let flags = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).custom_flags(flags);
    // The file may have just been removed by its last holder, so that our lock is on a deleted file: then try again.
    for _ in 0..10 {
        if std::fs::symlink_metadata(&path).is_ok_and(|there| !there.is_file() || there.nlink() > 1) {
            return not_ours(&path);
        }
        let file = match options.open(&path) {
            Ok(file) => file,
            Err(e) => return unable(e),
        };
        let is_locked = match file.try_lock() {
            Ok(()) => false,
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(e)) => return unable(e),
        };
        if !is_at(&file, &path) && !is_locked {
            continue;
        }
        let Some(holder) = holder(&file) else { return not_ours(&path) };
        if is_locked {
            return ClaimOutcome::Taken { connection: String::new(), seen: holder };
        }
        let written = file.set_len(0).and_then(|()| file.write_all_at(who.as_bytes(), 0));
        return match written {
            Ok(()) => ClaimOutcome::Ours(SchemaClaim {
                connection: String::new(),
                was_lost: false,
                hold: ClaimLock::File { path, locked: file },
            }),
            Err(e) => unable(e),
        };
    }
    ClaimOutcome::Unable(msg!("lock-file-replaced", file = path.display()))
}

/// Whether this is still the file of this name, and the only name of it.
fn is_at(file: &File, path: &Path) -> bool {
    let both = file.metadata().and_then(|a| std::fs::symlink_metadata(path).map(|b| (a, b)));
    both.is_ok_and(|(a, b)| (a.dev(), a.ino(), a.nlink()) == (b.dev(), b.ino(), 1))
}

/// What a run that had or has the lock has written into its file, empty if it did not come to that; `None` if others have written it.
fn holder(mut file: &File) -> Option<String> {
    file.rewind().ok()?;
    let text = tenbin_intake::bytes(file, LONGEST_HOLDER).ok()?;
    let text = String::from_utf8(text).ok()?;
    (text.is_empty() || (text.contains(BY_PROCESS) && !text.contains('\n'))).then_some(text)
}

/// What every run says of itself.
const BY_PROCESS: &str = " by process ";
/// Names of runs and machines are shorter, in bytes.
const LONGEST_HOLDER: u64 = 4096;

fn not_ours(path: &Path) -> ClaimOutcome {
    let problem = Problem::new(msg!("lock-file-not-ours", file = path.display()));
    ClaimOutcome::Foreign(problem.hint(msg!("move-file-away", file = path.display())))
}

impl SchemaClaim {
    /// Makes sure that the lock is still held. A server that was started again, or has ended the connection, does not have it any more, and another
    /// run may have acquired it since; if it is free it is acquired again. Blocks the calling thread.
    pub fn renew(mut self) -> ClaimOutcome {
        self.was_lost = false;
        let ask = match &self.hold {
            ClaimLock::Connection { ask: Some(ask), .. } => ask,
            // Somebody has removed or replaced the file: another run locks another one.
            ClaimLock::File { path, locked } if !is_at(locked, path) => {
                let mut outcome = file(path.clone(), &holder(locked).unwrap_or_default());
                if let ClaimOutcome::Ours(again) = &mut outcome {
                    again.was_lost = true;
                }
                return outcome;
            }
            _ => return ClaimOutcome::Ours(self),
        };
        let (reply, answer) = sync_channel(1);
        let late = || msg!("server-did-not-answer-within", seconds = PATIENCE.as_secs());
        if ask.send(reply).is_err() {
            return ClaimOutcome::Unable(late());
        }
        // It may have to be used, found dead and made again.
        match answer.recv_timeout(3 * PATIENCE) {
            Ok(Ok(LockAnswer::Ours(connection))) => {
                self.was_lost = connection != self.connection;
                self.connection = connection;
                ClaimOutcome::Ours(self)
            }
            Ok(Ok(LockAnswer::Taken { connection, seen })) => ClaimOutcome::Taken { connection, seen },
            Ok(Err(problem)) => ClaimOutcome::Unable(problem.what),
            Err(_) => ClaimOutcome::Unable(late()),
        }
    }
}

fn server(connector: &Connector, locked: Locked) -> ClaimOutcome {
    let (ask, asking) = sync_channel(1);
    let (ended_by, ended) = sync_channel(1);
    let (tell, answer) = sync_channel(1);
    let connector = connector.clone();
    let keeper = move || {
        keep(&connector, &locked, &tell, &asking);
        drop(ended_by);
    };
    if let Err(e) = std::thread::Builder::new().name("claim".into()).spawn(keeper) {
        return ClaimOutcome::Unable(foreign(e));
    }
    match answer.recv_timeout(PATIENCE) {
        Ok(Ok(LockAnswer::Ours(connection))) => {
            let hold = ClaimLock::Connection { ask: Some(ask), ended };
            ClaimOutcome::Ours(SchemaClaim { connection, was_lost: false, hold })
        }
        Ok(Ok(LockAnswer::Taken { connection, seen })) => ClaimOutcome::Taken { connection, seen },
        Ok(Err(problem)) => ClaimOutcome::Unable(problem.what),
        Err(_) => ClaimOutcome::Unable(msg!("server-did-not-answer-within", seconds = PATIENCE.as_secs())),
    }
}

impl Drop for SchemaClaim {
    fn drop(&mut self) {
        match &mut self.hold {
            ClaimLock::Connection { ask, ended } => {
                drop(ask.take());
                let _ = ended.recv_timeout(GOODBYE);
            }
            // Removed while it is locked: another process that has opened it meanwhile detects this.
            ClaimLock::File { path, locked } => {
                if is_at(locked, path) {
                    drop(std::fs::remove_file(path));
                }
            }
            ClaimLock::Nothing => {}
        }
    }
}

/// Who has a lock: this connection, or another one.
#[derive(Debug, Clone)]
enum LockAnswer {
    Ours(String),
    Taken { connection: String, seen: String },
}

impl LockAnswer {
    /// Taken by a connection that is not known.
    fn by_unknown() -> LockAnswer {
        LockAnswer::Taken { connection: String::new(), seen: String::new() }
    }
}

/// Holds the lock on a separate connection until `asking` is closed; a lost lock is acquired again if possible.
fn keep(connector: &Connector, locked: &Locked, tell: &Reply, asking: &Receiver<Reply>) {
    let runtime = match event_loop() {
        Ok(runtime) => runtime,
        Err(problem) => {
            let _ = tell.send(Err(problem));
            return;
        }
    };
    let scheme = connector.dsn().scheme;
    let first = runtime.block_on(async {
        let asking = connector.within(PATIENCE, async {
            let mut c = connector.connect_ready().await?;
            let got = lock(scheme, locked, &mut c).await?;
            Ok((c, got))
        });
        asking.await.unwrap_or_else(|_| Err(late()))
    });
    let (mut connection, mut own) = match first {
        Ok((c, LockAnswer::Ours(own))) => {
            let _ = tell.send(Ok(LockAnswer::Ours(own.clone())));
            (Some(c), own)
        }
        Ok((c, taken)) => {
            // A client may be in need of the connection.
            runtime.block_on(c.leave());
            let _ = tell.send(Ok(taken));
            return;
        }
        Err(e) => {
            let _ = tell.send(Err(e.problem(msg!("locking"))));
            return;
        }
    };
    loop {
        // Nothing is sent beside the load of a run that only says that it uses tables.
        let ping = if matches!(locked, Locked::Use { .. }) { Duration::MAX } else { PING };
        let reply = match asking.recv_timeout(ping) {
            Ok(reply) => Some(reply),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let answer = runtime.block_on(async {
            if let Some(mut c) = connection.take()
                && within(async { c.query("SELECT 1").await }).await.is_ok()
            {
                connection = Some(c);
                return Ok(LockAnswer::Ours(own.clone()));
            }
            let (c, got) = within(async {
                let mut c = connector.connect_ready().await?;
                let got = lock(scheme, locked, &mut c).await?;
                Ok((c, got))
            })
            .await?;
            match &got {
                LockAnswer::Ours(number) => {
                    own.clone_from(number);
                    connection = Some(c);
                }
                LockAnswer::Taken { .. } => c.close().await,
            }
            Ok(got)
        });
        if let Some(reply) = reply {
            let _ = reply.send(answer.map_err(|e: Error| e.problem(msg!("locking"))));
        }
    }
    if let Some(mut c) = connection {
        runtime.block_on(async {
            let release = match scheme {
                Scheme::Postgres => "ROLLBACK".to_owned(),
                _ if matches!(locked, Locked::Use { .. }) => table_users::release_on_mysql(),
                _ => format!("DO RELEASE_LOCK({})", name(locked)),
            };
            let _ = within(async { c.query(&release).await }).await;
            c.leave().await;
        });
    }
}

/// Continues after a stop was requested: the lock is held until its holder has ended.
async fn within<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::time::timeout(PATIENCE, work).await.unwrap_or_else(|_| Err(late()))
}

fn late() -> Error {
    Error::new(Class::Lost, msg!("server-did-not-answer-in-time"))
}

/// The name of MySQL's lock: at most 64 characters, so the schema's is digested.
fn name(locked: &Locked) -> String {
    let schema = match locked {
        Locked::Settings => return "'tenbin.settings'".to_owned(),
        Locked::Use { .. } | Locked::Tables(None) => "DATABASE()".to_owned(),
        Locked::Tables(Some(name)) => format!("'{name}'"),
    };
    format!("CONCAT('tenbin.run.', MD5({schema}))")
}

async fn lock(scheme: Scheme, locked: &Locked, c: &mut Connection) -> Result<LockAnswer, Error> {
    if let Locked::Use { connections } = locked {
        let own = table_users::begin_use(scheme, c, *connections).await?;
        return Ok(own.map_or_else(LockAnswer::by_unknown, LockAnswer::Ours));
    }
    match scheme {
        Scheme::Postgres => of_postgres(locked, c).await,
        _ => of_mysql(locked, c).await,
    }
}

async fn of_mysql(locked: &Locked, c: &mut Connection) -> Result<LockAnswer, Error> {
    table_users::stay_on_mysql(c).await;
    let own = c.table("SELECT CONNECTION_ID()").await?.scalar().unwrap_or("").to_owned();
    let name = name(locked);
    // NULL: no schema in use, which is reported when the catalogue is read.
    if c.table(&format!("SELECT GET_LOCK({name}, 0)")).await?.scalar() != Some("0") {
        return Ok(LockAnswer::Ours(own));
    }
    let connection = c.table(&format!("SELECT IS_USED_LOCK({name})")).await?.scalar().unwrap_or("").to_owned();
    let seen = table_users::holder_on_mysql(c, &connection).await;
    Ok(LockAnswer::Taken { connection, seen })
}

async fn of_postgres(locked: &Locked, c: &mut Connection) -> Result<LockAnswer, Error> {
    let (class, object) = match locked {
        Locked::Tables(_) | Locked::Use { .. } => ("hashtext('tenbin.run')", table_users::SCHEMA_OF_POSTGRES),
        Locked::Settings => ("hashtext('tenbin.settings')", "0"),
    };
    let own = c.table("SELECT pg_backend_pid()").await?.scalar().unwrap_or("").to_owned();
    table_users::begin_on_postgres(c).await?;
    let got = c.table(&format!("SELECT pg_try_advisory_xact_lock({class}, {object})::int")).await?;
    let is_ours = got.scalar() != Some("0");
    // Such locks are those of one database, but settings are those of all: of two that have both, none goes on.
    let among = match locked {
        Locked::Tables(_) if is_ours => return Ok(LockAnswer::Ours(own)),
        Locked::Tables(_) | Locked::Use { .. } => table_users::IN_DATABASE,
        Locked::Settings => "AND l.pid<>pg_backend_pid()",
    };
    let holder = table_users::holders_on_postgres((class, object), among);
    let row = c.table(&holder).await?.rows.into_iter().next();
    if is_ours && row.is_none() {
        return Ok(LockAnswer::Ours(own));
    }
    let mut fields = row.unwrap_or_default().into_iter().map(Option::unwrap_or_default);
    Ok(LockAnswer::Taken {
        connection: fields.next().unwrap_or_default(),
        seen: fields.next().unwrap_or_else(|| "a connection that the server does not show".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tenbin_model::dsn::Dsn;

    #[test]
    fn a_database_is_locked_by_whatever_link_it_is_reached() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("data")).unwrap();
        symlink("data", at("folder")).unwrap();
        symlink("folder/a.db", at("link.db")).unwrap();
        symlink(at("link.db"), at("further.db")).unwrap();
        let claim = |name: &str| {
            let dsn = Dsn::parse(&format!("sqlite:{}", at(name).display())).unwrap();
            claim(&Connector::new(dsn, None).unwrap(), None, "run a by process 1")
        };
        for is_there in [false, true] {
            for (first, second) in [("data/a.db", "link.db"), ("further.db", "folder/a.db"), ("link.db", "further.db")]
            {
                let ClaimOutcome::Ours(held) = claim(first) else { panic!("{first}") };
                assert!(matches!(claim(second), ClaimOutcome::Taken { .. }), "{first} {second} {is_there}");
                drop(held);
            }
            std::fs::write(at("data/a.db"), "").unwrap();
        }
        assert_eq!(std::fs::read_dir(at("data")).unwrap().count(), 1, "no lock is left");
    }

    #[test]
    fn a_file_of_others_at_the_place_of_the_lock_is_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (database, lock) = (dir.path().join("a.db"), dir.path().join("a.db-tenbin"));
        let claim = || {
            let dsn = Dsn::parse(&format!("sqlite:{}", database.display())).unwrap();
            claim(&Connector::new(dsn, None).unwrap(), None, "run b by process 2")
        };
        let other = dir.path().join("other");
        let content = "run a by process 1 on here since today";
        let make: [(&str, &dyn Fn() -> std::io::Result<()>); 6] = [
            ("a database", &|| std::fs::write(&lock, b"SQLite format 3\0")),
            ("notes", &|| std::fs::write(&lock, "read these\nby process of elimination: by process 1\n")),
            ("a hard link", &|| std::fs::write(&other, content).and_then(|()| std::fs::hard_link(&other, &lock))),
            ("a link", &|| std::fs::write(&other, content).and_then(|()| symlink(&other, &lock))),
            ("a link to nothing", &|| symlink("nowhere", &lock)),
            ("a directory", &|| std::fs::create_dir(&lock)),
        ];
        for (name, make) in make {
            make().unwrap();
            let before = std::fs::read(&lock).ok();
            let ClaimOutcome::Foreign(problem) = claim() else { panic!("{name} was taken for a lock") };
            assert_eq!(problem.code(), Some("lock-file-not-ours"), "{name}");
            assert_eq!(std::fs::read(&lock).ok(), before, "{name}");
            assert!(!dir.path().join("nowhere").exists());
            let _ = std::fs::remove_file(&lock).or_else(|_| std::fs::remove_dir(&lock));
            let _ = std::fs::remove_file(&other);
        }
        // What a run that died has left is taken.
        for left in ["", content] {
            std::fs::write(&lock, left).unwrap();
            let ClaimOutcome::Ours(held) = claim() else { panic!("{left:?}") };
            assert_eq!(std::fs::read_to_string(&lock).unwrap(), "run b by process 2");
            drop(held);
            assert!(!lock.exists());
        }
        // Nor is what others have put there since removed.
        let ClaimOutcome::Ours(held) = claim() else { panic!() };
        std::fs::remove_file(&lock).unwrap();
        std::fs::write(&lock, "others").unwrap();
        drop(held);
        assert_eq!(std::fs::read_to_string(&lock).unwrap(), "others");
    }
}
