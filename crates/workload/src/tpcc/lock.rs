//! Keeps two loads of one schema apart: a whole load for as long as it lasts, a slice while it makes the tables and while
//! it looks whether it was the last.

use super::Tables;
use crate::cold::optional;
use crate::dialect::Dialect;
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_model::problem::Problem;

/// How long a slice waits for others to make the tables, or to look whether they are the last.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn taken(connector: &Connector) -> Problem {
    Problem::new("another load of these tables is under way")
        .evidence(format!("somebody else loads TPC-C tables into {}", connector.dsn()))
        .mend("wait until it has ended, or name another schema")
}

/// Keeps others out of this schema for as long as the connection is open; `false` when somebody else is at it. A slice
/// waits a while, for its kind is soon done.
///
/// A server that has no such locks is loaded all the same, and that is told among `notes`.
pub(super) async fn lock(tables: &Tables, c: &mut Connection, notes: &mut Vec<Problem>) -> Result<bool, Error> {
    let start = Instant::now();
    loop {
        match lock_now(tables.form.dialect, c).await {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(refusal) if matches!(refusal.class(), Class::Sql | Class::Refused) => {
                let what = "the server has no locks that keep a second load of these tables out";
                notes.push(Problem::new(what).evidence(refusal.to_string()));
                return Ok(true);
            }
            Err(error) => return Err(error),
        }
        if tables.slice.is_whole() || start.elapsed() > PATIENCE {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

async fn lock_now(dialect: Dialect, c: &mut Connection) -> Result<bool, Error> {
    match dialect {
        Dialect::Mysql => {
            let got = c.table("SELECT GET_LOCK(CONCAT('tenbin_tpcc.', DATABASE()), 0)").await?;
            // NULL: no schema in use, which is told when the catalogue is read.
            Ok(got.scalar() != Some("0"))
        }
        Dialect::Postgres => {
            let got = c.table("SELECT pg_try_advisory_lock(hashtext('tenbin_tpcc.' || current_schema()))::int").await?;
            Ok(got.scalar() != Some("0"))
        }
        Dialect::Sqlite => {
            c.query("PRAGMA locking_mode=EXCLUSIVE").await?;
            // The mode takes hold with the first write.
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

/// Lets others in; not with SQLite, which has one writer anyway.
pub(super) async fn unlock(tables: &Tables, c: &mut Connection) -> Result<(), Error> {
    let sql = match tables.form.dialect {
        Dialect::Mysql => "SELECT RELEASE_LOCK(CONCAT('tenbin_tpcc.', DATABASE()))",
        Dialect::Postgres => "SELECT pg_advisory_unlock(hashtext('tenbin_tpcc.' || current_schema()))",
        Dialect::Sqlite => return Ok(()),
    };
    optional(c, sql).await.map(|_| ())
}
