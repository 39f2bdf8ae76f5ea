//! Prevents two loads of one schema at the same time: a whole load for its duration, a slice while it creates the
//! tables and while it determines whether it was the last.

use super::Tables;
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Connection, Connector, Error, LONG_TRANSACTION};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::optional;
use tenbin_workload::tables::dialect::Dialect;

/// How long a slice waits for others to create the tables, or to determine whether they are the last.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn taken(connector: &Connector) -> Problem {
    Problem::new(msg!("another-load-under-way"))
        .evidence(msg!("somebody-else-loads", dsn = connector.dsn()))
        .hint(msg!("wait-or-name-schema"))
}

/// Others are locked out while this exists.
pub(super) enum LoadLock {
    /// By the connection that requested it, until it closes.
    Here,
    /// By a transaction on a separate connection. PostgreSQL's session locks would remain on a connection that a pooler
    /// assigns for one transaction at a time, where they could not be released.
    Apart(Connection),
}

/// Locks others out of this schema as long as the connection is open and the returned value exists; `None` if
/// somebody else has the lock. A slice waits for a while, because other slices release it soon.
///
/// A server that has no such locks is loaded all the same, and `notes` report that.
pub(super) async fn lock(
    tables: &Tables,
    connector: &Connector,
    c: &mut Connection,
    notes: &mut Vec<Problem>,
) -> Result<Option<LoadLock>, Error> {
    let start = Instant::now();
    let mut apart = match tables.form.dialect {
        Dialect::Postgres => {
            let mut apart = connector.connect_ready().await?;
            apart.query("BEGIN").await?;
            apart.table(LONG_TRANSACTION).await?;
            Some(apart)
        }
        Dialect::Mysql | Dialect::Sqlite => None,
    };
    loop {
        match lock_now(tables.form.dialect, apart.as_mut().unwrap_or(c)).await {
            Ok(true) => return Ok(Some(apart.map_or(LoadLock::Here, LoadLock::Apart))),
            Ok(false) => {}
            Err(refusal) if matches!(refusal.class(), Class::Sql | Class::Refused) => {
                let what = msg!("server-without-locks");
                notes.push(Problem::new(what).evidence(foreign(refusal)));
                return Ok(Some(apart.map_or(LoadLock::Here, LoadLock::Apart)));
            }
            Err(error) => return Err(error),
        }
        if tables.slice.is_whole() || start.elapsed() > PATIENCE {
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The name of MySQL's lock: at most 64 characters, so the schema's is digested.
const MYSQL_LOCK: &str = "CONCAT('tenbin_tpcc.', MD5(DATABASE()))";

async fn lock_now(dialect: Dialect, c: &mut Connection) -> Result<bool, Error> {
    match dialect {
        Dialect::Mysql => {
            let got = c.table(&format!("SELECT GET_LOCK({MYSQL_LOCK}, 0)")).await?;
            // NULL: no schema in use, which is reported when the catalogue is read.
            Ok(got.scalar() != Some("0"))
        }
        Dialect::Postgres => {
            let got =
                c.table("SELECT pg_try_advisory_xact_lock(hashtext('tenbin_tpcc.' || current_schema()))::int").await?;
            Ok(got.scalar() != Some("0"))
        }
        Dialect::Sqlite => {
            c.query("PRAGMA locking_mode=EXCLUSIVE").await?;
            // The mode takes effect with the first write.
            let begun = match c.query("BEGIN IMMEDIATE").await {
                Ok(_) => c.query("COMMIT").await,
                error => error,
            };
            match begun {
                Ok(_) => Ok(true),
                Err(error) if error.class() == Class::Conflict => Ok(false),
                Err(error) => Err(error),
            }
        }
    }
}

/// Releases the lock; not with SQLite, which allows one writer anyway.
pub(super) async fn unlock(tables: &Tables, held: LoadLock, c: &mut Connection) -> Result<(), Error> {
    match (held, tables.form.dialect) {
        (LoadLock::Apart(mut apart), _) => {
            apart.query("ROLLBACK").await?;
            apart.close().await;
            Ok(())
        }
        (LoadLock::Here, Dialect::Mysql) => {
            optional(c, &format!("SELECT RELEASE_LOCK({MYSQL_LOCK})")).await.map(|_| ())
        }
        (LoadLock::Here, _) => Ok(()),
    }
}
