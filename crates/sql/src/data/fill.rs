//! Fills one table: streams take pieces of its rows and send each in a transaction, until all rows are loaded, or until the table has the size that the plan
//! asks for, at which the server is looked at between the pieces.

use super::SqlData;
use super::insert::{self, RowLines};
use super::size::{SizeLook, bytes_of};
use super::tables::{Filled, FilledTables};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::{unless_stopped, with_connection};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::stream::{Counted, InsertMethod, allows, at_once};

/// The most rows of a transaction that inserts.
const ROWS_AT_ONCE: u64 = 20_000;

/// How long a stream that is stopped waits for the server to roll back.
const GRACE: Duration = Duration::from_secs(10);

/// A row is not longer than this, for the limit of a statement.
const LONGEST: usize = 64 * 1024;

/// What the streams of a table share.
struct Job<'a> {
    data: &'a SqlData,
    tables: &'a FilledTables,
    table: &'a Filled,
    seed: u64,
    counted: &'a Counted<'a>,
    /// The next row that no stream has taken.
    next: AtomicU64,
    end: u64,
    /// Rows of a piece.
    piece: u64,
    /// Rows are committed.
    done: AtomicU64,
    /// The size that ends it, if the server reports it.
    size: Option<SizeLook>,
    over: AtomicBool,
    /// The table has the size.
    reached: AtomicBool,
}

/// The most times as many rows as the length of its rows lets expect that a table may have: compressed, or of rows that are alike.
const MOST_TIMES_THE_ESTIMATE: u64 = 100;

/// What is to be loaded of a table.
pub(crate) struct Part<'a> {
    pub(crate) tables: &'a FilledTables,
    pub(crate) place: usize,
    /// Its rows; if the size ends it, from the first on.
    pub(crate) rows: Range<u64>,
    pub(crate) streams: u32,
    pub(crate) seed: u64,
}

/// Loads rows of a table. Returns how many it has then, and a note if the server does not report the size that the plan asks for.
pub(crate) fn fill(
    data: &SqlData,
    connector: &Connector,
    part: &Part<'_>,
    counted: &Counted<'_>,
    stop: &StopSignal,
) -> Result<(u64, Option<Problem>), Problem> {
    let Part { tables, place, rows, streams, seed } = part;
    let table = &tables.all[*place];
    let mut note = None;
    let size = match table.size {
        None => None,
        Some(wanted) => {
            let name = &table.name;
            let spelled = insert::spelled(table, name, data.dialect);
            let look = with_connection(connector, msg!("loading"), async |c| {
                Ok(Ok(SizeLook::begin(data.dialect, &spelled, wanted, c).await?))
            })?;
            if look.is_none() {
                note = Some(Problem::new(msg!("sql-size-estimated", table = name, rows = table.rows)));
            }
            look
        }
    };
    // Near the end a piece must be a small part of the whole.
    let piece = if size.is_some() { (table.rows / 200).clamp(100, ROWS_AT_ONCE) } else { ROWS_AT_ONCE };
    let end = if size.is_some() { u64::MAX } else { rows.end };
    let streams = if data.dialect == Dialect::Sqlite { 1 } else { (*streams).max(1) };
    let (next, done, over) = (AtomicU64::new(rows.start), AtomicU64::new(0), AtomicBool::new(false));
    let reached = AtomicBool::new(false);
    let job = Job { data, tables, table, seed: *seed, counted, next, end, piece, done, size, over, reached };
    at_once(
        streams,
        || job.over.store(true, Relaxed),
        || {
            unless_stopped(connector, msg!("loading"), stop, GRACE, async |c| {
                let mut method = match data.dialect {
                    Dialect::Postgres => InsertMethod::Copy,
                    // The null driver takes no lines.
                    Dialect::Mysql if matches!(c, Connection::Mysql(_)) => {
                        insert::on_mysql(&allows(c, LONGEST).await?, streams)
                    }
                    Dialect::Mysql | Dialect::Sqlite => InsertMethod::Insert(super::STATEMENT),
                };
                while let Some(rows) = job.take() {
                    if stop.asked() {
                        break;
                    }
                    job.insert(&mut method, rows, c).await?;
                    job.look(c).await?;
                }
                Ok(Ok(()))
            })
        },
    )?;
    let rows = job.done.load(Relaxed);
    if job.size.is_some() && !stop.asked() && !job.reached.load(Relaxed) {
        note = Some(Problem::new(msg!("sql-size-not-reached", table = table.name, rows)));
    }
    Ok((rows, note))
}

impl Job<'_> {
    /// The rows of the next piece.
    fn take(&self) -> Option<Range<u64>> {
        if self.over.load(Relaxed) {
            return None;
        }
        let from = self.next.fetch_add(self.piece, Relaxed);
        (from < self.end).then(|| from..from.saturating_add(self.piece).min(self.end))
    }

    /// Looks at the size if enough has been added since the last look, and ends the table if it has its size.
    async fn look(&self, c: &mut Connection) -> Result<(), Error> {
        let Some(size) = &self.size else { return Ok(()) };
        let done = self.done.load(Relaxed);
        if size.is_due(done) {
            let (dialect, name) = (self.data.dialect, &self.table.name);
            let is_full = match bytes_of(dialect, &insert::spelled(self.table, name, dialect), c).await? {
                Some(bytes) => size.seen(bytes, done),
                // It no longer reports it.
                None => done >= self.table.rows,
            };
            // A server that counts nothing must not be filled for ever.
            if is_full || done >= self.table.rows.saturating_mul(MOST_TIMES_THE_ESTIMATE) {
                self.over.store(true, Relaxed);
                self.reached.fetch_or(is_full, Relaxed);
            }
        }
        Ok(())
    }

    /// Sends rows in one transaction; again after a conflict, and by INSERT if the server takes no lines.
    async fn insert(&self, method: &mut InsertMethod, rows: Range<u64>, c: &mut Connection) -> Result<(), Error> {
        let mut attempt = 1;
        loop {
            let sent = match *method {
                InsertMethod::Copy | InsertMethod::LoadData(_) => self.lines(rows.clone(), c).await,
                InsertMethod::Insert(limit) => self.tuples(limit, rows.clone(), c).await.map(|()| true),
            };
            let error = match (sent, *method) {
                // What LOCAL did with these rows an INSERT does or refuses, as the server is set.
                (Ok(false), InsertMethod::LoadData(limit)) => {
                    *method = InsertMethod::Insert(limit);
                    c.query("ROLLBACK").await?;
                    continue;
                }
                (Ok(_), _) => {
                    self.counted.keep(rows.end - rows.start);
                    self.done.fetch_add(rows.end - rows.start, Relaxed);
                    return Ok(());
                }
                (Err(error), _) => error,
            };
            method.again(error, &mut attempt)?;
            let _ = c.query("ROLLBACK").await;
        }
    }

    /// Sends rows as lines. `false`, and nothing is committed: the server has warned of them, or has not taken all.
    async fn lines(&self, rows: Range<u64>, c: &mut Connection) -> Result<bool, Error> {
        let (wanted, dialect) = (rows.end - rows.start, self.data.dialect);
        let &Job { tables, table, seed, counted, .. } = self;
        let mut lines = RowLines { tables, table, rows, seed, dialect, counted };
        c.query(dialect.begin(true)).await?;
        let took = c.load_local(&insert::takes_lines(table, dialect), &mut lines).await?.affected;
        if dialect == Dialect::Mysql {
            // LOCAL makes warnings of errors: it skips rows and cuts values off.
            let warned = c.table("SHOW WARNINGS LIMIT 64").await?.rows;
            if took != wanted || warned.iter().any(|row| row.first() != Some(&Some("Note".to_owned()))) {
                return Ok(false);
            }
        }
        if took != wanted {
            let what = msg!("server-took-fewer-rows", took, wanted, table = table.name);
            return Err(Error::new(Class::Sql, what).hint(msg!("look-who-writes")));
        }
        c.query("COMMIT").await.map(|_| true)
    }

    async fn tuples(&self, limit: usize, rows: Range<u64>, c: &mut Connection) -> Result<(), Error> {
        let (head, form) = (insert::head(self.table, self.data.dialect), (self.data.dialect, c.quoting()));
        let limit = limit.min(super::STATEMENT);
        let mut text = Vec::with_capacity(limit + 4096);
        let mut waiting = 0;
        c.query(self.data.dialect.begin(true)).await?;
        for row in rows {
            text.extend_from_slice(if waiting == 0 { head.as_bytes() } else { b"," });
            insert::push_row(self.tables, self.table, row, self.seed, form, &mut text);
            waiting += 1;
            if text.len() >= limit {
                c.query_bytes(&text).await?;
                self.counted.sent(waiting);
                (waiting, text) = (0, Vec::with_capacity(limit + 4096));
            }
        }
        if waiting > 0 {
            c.query_bytes(&text).await?;
            self.counted.sent(waiting);
        }
        c.query("COMMIT").await.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_workload::tables::stream::Allows;

    #[test]
    fn streams_that_would_wait_for_one_another_insert() {
        let of = |local, mode: &str, streams| {
            let allows = Allows { local, statement: 7, lock_mode: Some(mode.to_owned()) };
            insert::on_mysql(&allows, streams)
        };
        assert_eq!(of(true, "2", 4), InsertMethod::LoadData(7));
        assert_eq!(of(true, "1", 1), InsertMethod::LoadData(7));
        assert_eq!(of(true, "1", 4), InsertMethod::Insert(7));
        assert_eq!(of(false, "2", 1), InsertMethod::Insert(7));
    }
}
