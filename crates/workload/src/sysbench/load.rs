//! Fills the tables: many streams, each taking the next piece of work — a range of rows, later an index.
//!
//! MySQL and MariaDB get `LOAD DATA LOCAL` from memory where the server allows it, multi-row INSERTs otherwise; SQLite,
//! which has one writer, prepared INSERTs in large transactions. Pieces are bounded, so that a transaction, the progress and
//! the answer to a stop are too.

use super::rows::{LONGEST, Rows};
use super::{Tables, mark, with_connection};
use crate::dataset::Progress;
use crate::dialect::Dialect;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use tenbin_driver::{Connection, Connector, Error, Source, Value};
use tenbin_model::dsn::Scheme;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// Rows of one piece: about 20 MB.
const PIECE: u32 = 100_000;

/// Bytes handed to the connection at once.
const CHUNK: usize = 256 * 1024;

/// Largest INSERT statement; sysbench's own limit.
const INSERT: usize = 512 * 1024;

pub fn load(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<(), Problem> {
    if tables.scheme == Scheme::Null {
        progress(u64::from(tables.tables) * u64::from(tables.table_size));
        return Ok(());
    }
    let way = with_connection(connector, "creating the tables", async |c| create(tables, c).await)?;
    let streams = if tables.dialect == Dialect::Sqlite { 1 } else { streams.max(1) };
    let work = Work::new(tables);
    let rows = AtomicU64::new(0);
    let outcome = std::thread::scope(|scope| {
        let each: Vec<_> = (0..streams)
            .map(|_| scope.spawn(|| stream(tables, connector, seed, way, &work, &rows, progress, stop)))
            .collect();
        // All streams are waited for; the first failure is the one that is told.
        let ended: Vec<Result<(), Problem>> = each
            .into_iter()
            .map(|s| {
                s.join().unwrap_or_else(|_| Err(Problem::new("a loading stream panicked; this is a fault of Tenbin")))
            })
            .collect();
        ended.into_iter().collect::<Result<(), Problem>>()
    });
    outcome.map_err(|problem| unfinished(problem, rows.load(Ordering::Relaxed), tables))?;
    if stop.asked() {
        return Err(unfinished(
            Problem::new("stopped by the user while loading"),
            rows.load(Ordering::Relaxed),
            tables,
        ));
    }
    with_connection(connector, "marking the load as complete", async |c| mark::complete(c).await.map(Ok))
}

fn unfinished(problem: Problem, rows: u64, tables: &Tables) -> Problem {
    let so_far = format!("{rows} of {} rows were loaded", u64::from(tables.tables) * u64::from(tables.table_size));
    let evidence = problem.evidence.map_or(so_far.clone(), |e| format!("{e}\n{so_far}"));
    let mend = problem.mend.map_or(String::new(), |m| format!("{m}; "));
    Problem {
        evidence: Some(evidence),
        mend: Some(format!("{mend}then load again with --drop: what is there carries our mark")),
        ..problem
    }
}

/// How rows go in.
#[derive(Debug, Clone, Copy)]
enum Way {
    LoadData,
    /// Multi-row INSERTs of at most so many bytes.
    Insert(usize),
    Prepared,
}

async fn create(tables: &Tables, c: &mut Connection) -> Result<Result<Way, Problem>, Error> {
    for name in tables.names() {
        if mark::exists(tables.dialect, c, &name).await? {
            return Ok(Err(Problem::new(format!("table {name} exists already"))
                .mend("use it as it is, load again with --drop if Tenbin made it, or name an empty schema")));
        }
    }
    mark::leave(tables, c).await?;
    for table in 1..=tables.tables {
        c.query(&tables.create(table)).await?;
    }
    if tables.dialect == Dialect::Sqlite {
        return Ok(Ok(Way::Prepared));
    }
    if c.table("SELECT @@global.local_infile").await?.scalar() == Some("1") {
        return Ok(Ok(Way::LoadData));
    }
    let packet = c.table("SELECT @@max_allowed_packet").await?.scalar().and_then(|n| n.parse().ok()).unwrap_or(INSERT);
    Ok(Ok(Way::Insert(packet.min(INSERT).saturating_sub(LONGEST))))
}

/// A piece of work.
#[derive(Debug, Clone, Copy)]
enum Piece {
    /// Rows `from..=to` of a table.
    Rows { table: u32, from: u32, to: u32 },
    /// The indexes of a table whose rows are all in.
    Index { table: u32 },
}

/// The pieces, handed out in the order of tables and keys.
struct Work {
    state: Mutex<State>,
    changed: Condvar,
    tables: u32,
    table_size: u32,
}

struct State {
    table: u32,
    from: u32,
    /// Pieces of each table that are handed out or to come; index by table − 1.
    left: Vec<u32>,
    /// Tables that wait for their indexes.
    full: BTreeSet<u32>,
    indexed: u32,
    failed: bool,
}

impl Work {
    fn new(tables: &Tables) -> Work {
        let pieces = tables.table_size.div_ceil(PIECE);
        let state = State {
            table: 1,
            from: 1,
            left: vec![pieces; tables.tables as usize],
            full: BTreeSet::new(),
            indexed: 0,
            failed: false,
        };
        Work { state: Mutex::new(state), changed: Condvar::new(), tables: tables.tables, table_size: tables.table_size }
    }

    /// The next piece; waits for a table to be full when only indexes are left; `None` when all is done or lost.
    fn next(&self) -> Option<Piece> {
        let mut s = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if s.failed {
                return None;
            }
            if let Some(table) = s.full.pop_first() {
                return Some(Piece::Index { table });
            }
            if s.table <= self.tables {
                let (table, from) = (s.table, s.from);
                let to = from.saturating_add(PIECE - 1).min(self.table_size);
                if to == self.table_size {
                    (s.table, s.from) = (table + 1, 1);
                } else {
                    s.from = to + 1;
                }
                return Some(Piece::Rows { table, from, to });
            }
            if s.indexed == self.tables {
                return None;
            }
            s = self.changed.wait(s).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, piece: Piece) {
        let mut s = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match piece {
            Piece::Rows { table, .. } => {
                let left = &mut s.left[table as usize - 1];
                *left -= 1;
                if *left == 0 {
                    s.full.insert(table);
                }
            }
            Piece::Index { .. } => s.indexed += 1,
        }
        drop(s);
        self.changed.notify_all();
    }

    fn fail(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).failed = true;
        self.changed.notify_all();
    }
}

/// One stream: a thread, a connection, and pieces until there are no more.
#[expect(clippy::too_many_arguments, reason = "a thread's whole world, handed in once")]
fn stream(
    tables: &Tables,
    connector: &Connector,
    seed: u64,
    way: Way,
    work: &Work,
    rows: &AtomicU64,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<(), Problem> {
    let told = |more: u32| progress(rows.fetch_add(u64::from(more), Ordering::Relaxed) + u64::from(more));
    let outcome = with_connection(connector, "loading", async |c| {
        while let Some(piece) = work.next() {
            if stop.asked() {
                work.fail();
                break;
            }
            match piece {
                Piece::Rows { table, from, to } => fill(c, tables, way, seed, table, from..=to, &told).await?,
                Piece::Index { table } => {
                    for sql in tables.indexes(table) {
                        c.query(&sql).await?;
                    }
                }
            }
            work.done(piece);
        }
        Ok(Ok(()))
    });
    if outcome.is_err() {
        work.fail();
    }
    outcome
}

async fn fill(
    c: &mut Connection,
    tables: &Tables,
    way: Way,
    seed: u64,
    table: u32,
    ids: std::ops::RangeInclusive<u32>,
    told: &(dyn Fn(u32) + Sync),
) -> Result<(), Error> {
    let mut rows = Rows::new(tables, seed, table);
    match way {
        Way::LoadData => {
            let sql = format!(
                "LOAD DATA LOCAL INFILE 'tenbin' INTO TABLE sbtest{table} CHARACTER SET binary FIELDS TERMINATED BY '\\t' LINES TERMINATED BY '\\n' (id, k, c, pad)"
            );
            let mut lines = Lines { rows, ids, told };
            c.load_local(&sql, &mut lines).await.map(|_| ())
        }
        Way::Insert(limit) => {
            let mut text: Vec<u8> = Vec::with_capacity(limit + LONGEST);
            let mut ids = ids.peekable();
            while ids.peek().is_some() {
                text.clear();
                text.extend_from_slice(format!("INSERT INTO sbtest{table} (id, k, c, pad) VALUES ").as_bytes());
                let mut count = 0;
                while text.len() < limit
                    && let Some(id) = ids.next()
                {
                    if count > 0 {
                        text.push(b',');
                    }
                    rows.tuple(id, &mut text);
                    count += 1;
                }
                c.query(&String::from_utf8_lossy(&text)).await?;
                told(count);
            }
            Ok(())
        }
        Way::Prepared => {
            let insert = c.prepare(&format!("INSERT INTO sbtest{table} (id, k, c, pad) VALUES (?, ?, ?, ?)")).await?;
            c.query("BEGIN").await?;
            for id in ids {
                rows.make(id);
                let values =
                    [Value::Int(id.into()), Value::Int(rows.k.into()), Value::Text(&rows.c), Value::Text(&rows.pad)];
                c.execute(insert, &values).await?;
                if id % 10_000 == 0 {
                    told(10_000);
                }
            }
            c.query("COMMIT").await.map(|_| ())
        }
    }
}

/// Lines of `LOAD DATA`, made as the connection asks for them.
struct Lines<'a> {
    rows: Rows,
    ids: std::ops::RangeInclusive<u32>,
    told: &'a (dyn Fn(u32) + Sync),
}

impl Source for Lines<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) {
        let (end, mut count) = (out.len() + CHUNK, 0);
        while out.len() < end {
            let Some(id) = self.ids.next() else { break };
            self.rows.line(id, out);
            count += 1;
        }
        (self.told)(count);
    }
}
