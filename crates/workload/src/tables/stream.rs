//! Shared by loaders: parallel streams, support of `LOAD DATA LOCAL`, counting of rows.

use crate::dataset::Progress;
use std::sync::atomic::{AtomicU64, Ordering};
use tenbin_driver::{Class, Connection, Error};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Bytes passed to the connection at once.
pub const CHUNK: usize = 256 * 1024;

/// Largest INSERT statement; sysbench's own limit.
const INSERT: usize = 512 * 1024;

/// SQLite's INSERTs: more bytes are not faster.
pub const SQLITE_INSERT: usize = 64 * 1024;

/// The format of lines for `LOAD DATA`: tabs between fields, `\N` for NULL. In hexadecimal, because a server with the
/// SQL mode `NO_BACKSLASH_ESCAPES` takes `'\t'` for two characters.
pub const LINES: &str = "FIELDS TERMINATED BY X'09' ESCAPED BY X'5C' LINES TERMINATED BY X'0A'";

/// Attempts of one piece after a conflict (a cluster's certification, a deadlock).
pub const ATTEMPTS: u32 = 5;

/// Runs `streams` streams, each on its own thread. All are waited for; the first failure is reported.
/// `end` notifies the others when one has failed, so that none waits for what it held.
pub fn at_once(
    streams: u32,
    end: impl Fn() + Sync,
    stream: impl Fn() -> Result<(), Problem> + Sync,
) -> Result<(), Problem> {
    let guarded = || {
        let mut fate = StreamOutcome { end: &end, well: false };
        let outcome = stream();
        fate.well = outcome.is_ok();
        outcome
    };
    std::thread::scope(|scope| {
        let each: Vec<_> = (0..streams).map(|_| scope.spawn(guarded)).collect();
        let ended: Vec<Result<(), Problem>> =
            each.into_iter().map(|s| s.join().unwrap_or_else(|_| Err(Problem::new(msg!("stream-panicked"))))).collect();
        ended.into_iter().collect()
    })
}

/// The outcome of a stream: a failure until it has succeeded, so that a panic counts too.
struct StreamOutcome<'a, E: Fn()> {
    end: &'a E,
    well: bool,
}

impl<E: Fn()> Drop for StreamOutcome<'_, E> {
    fn drop(&mut self) {
        if !self.well {
            (self.end)();
        }
    }
}

/// Rows counted twice: when they are sent, for the progress; when their transaction has committed, for the result.
pub struct Counted<'a> {
    progress: Progress<'a>,
    sent: AtomicU64,
    kept: AtomicU64,
}

impl<'a> Counted<'a> {
    /// Starts with this many rows that are loaded already.
    pub fn new(progress: Progress<'a>, done: u64) -> Counted<'a> {
        progress(done);
        Counted { progress, sent: AtomicU64::new(done), kept: AtomicU64::new(done) }
    }

    /// This many rows were sent.
    pub fn sent(&self, rows: u64) {
        let before = self.sent.fetch_add(rows, Ordering::Relaxed);
        (self.progress)(before + rows);
    }

    /// The transaction with this many rows has been committed.
    pub fn keep(&self, rows: u64) {
        self.kept.fetch_add(rows, Ordering::Relaxed);
    }

    /// How many rows are loaded.
    pub fn kept(&self) -> u64 {
        self.kept.load(Ordering::Relaxed)
    }
}

/// How rows can be loaded into a MySQL server.
#[derive(Debug, Clone)]
pub struct Allows {
    /// Whether it permits `LOAD DATA LOCAL`.
    pub local: bool,
    /// Largest INSERT statement to send it, bytes, before its last row.
    pub statement: usize,
    /// `innodb_autoinc_lock_mode`.
    pub lock_mode: Option<String>,
}

/// Queries a MySQL server for how rows can be loaded; `longest` is the length of the longest row in bytes.
pub async fn allows(c: &mut Connection, longest: usize) -> Result<Allows, Error> {
    let sql = "SHOW GLOBAL VARIABLES WHERE Variable_name IN \
                 ('local_infile', 'max_allowed_packet', 'innodb_autoinc_lock_mode')";
    let answer = c.table(sql).await?;
    let value = |name: &str| {
        let row = answer.rows.iter().find(|r| r.first().and_then(|n| n.as_deref()) == Some(name))?;
        row.get(1).cloned().flatten()
    };
    let packet = value("max_allowed_packet").and_then(|n| n.parse().ok()).unwrap_or(INSERT);
    Ok(Allows {
        local: value("local_infile").is_some_and(|v| v.eq_ignore_ascii_case("on") || v == "1"),
        statement: packet.min(INSERT).saturating_sub(longest + 64).max(longest),
        lock_mode: value("innodb_autoinc_lock_mode"),
    })
}

/// How rows are sent to a server, in pieces of which each is a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertMethod {
    /// `LOAD DATA LOCAL`, or INSERTs of at most this many bytes if it is refused.
    LoadData(usize),
    /// `COPY`.
    Copy,
    /// INSERTs of at most this many bytes.
    Insert(usize),
}

impl InsertMethod {
    /// Prepares to send a piece again after this error: by INSERT if the server takes no lines, or as before after a conflict.
    ///
    /// # Errors
    /// The error, if the piece would fail again.
    pub fn again(&mut self, error: Error, attempt: &mut u32) -> Result<(), Error> {
        match *self {
            // The variable was on, but the account, a proxy or the driver refuses it.
            InsertMethod::LoadData(limit) if refuses_local(&error) => *self = InsertMethod::Insert(limit),
            _ if error.class() == Class::Conflict && *attempt < ATTEMPTS => *attempt += 1,
            _ => return Err(error),
        }
        Ok(())
    }
}

/// Whether an error means that this connection may not use LOAD DATA LOCAL: MySQL before 8.0 and MariaDB say 1148 or
/// 4166, MySQL 8.0 says 3948, a client library 2068.
fn refuses_local(error: &Error) -> bool {
    matches!(error.number(), Some(1148 | 2068 | 3948 | 4166))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex};

    #[test]
    fn a_stream_that_panicked_is_not_waited_for() {
        let (over, changed, first) = (Mutex::new(false), Condvar::new(), AtomicU64::new(0));
        let end = || {
            *over.lock().unwrap() = true;
            changed.notify_all();
        };
        let outcome = at_once(3, end, || {
            assert!(first.fetch_add(1, Ordering::Relaxed) > 0, "the first one dies");
            let waited = changed.wait_while(over.lock().unwrap(), |over| !*over).unwrap();
            drop(waited);
            Ok(())
        });
        assert!(outcome.unwrap_err().what.contains("panicked"));
    }
}
