//! Loads the tables with several streams, each a thread with its own connection, which process pieces of [`WorkQueue`].
//!
//! MySQL and MariaDB are loaded with `LOAD DATA LOCAL` from memory if the server allows it, otherwise with multi-row
//! INSERTs; PostgreSQL with `COPY`; SQLite, which has one writer, with the same. The size of pieces is limited,
//! which also limits the size of transactions (and the binary log's cache), the steps of the progress and the reaction
//! time to a stop.
//!
//! With many small tables the time is that of the commits, so each table has as few as possible, and the marks of complete
//! tables are updated together.
//!
//! Several processes can load the rows: one creates the tables and the indexes ([`around`]), and each inserts a [`slice`](slice()).

use super::Tables;
use super::rows::{LONGEST, Rows};
use super::work::{WorkItem, WorkQueue};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use tenbin_driver::{Class, Connection, Connector, Error, Source};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::tables::admin::{optional, with_connection};
use tenbin_workload::tables::catalogue;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::tables::stream::{
    ATTEMPTS, Allows, CHUNK, Counted, InsertMethod, LINES, SQLITE_INSERT, allows, at_once,
};
use tenbin_workload::{Dataset, DatasetSlice, LoadSlices, LoadStep, Progress, Steps};

/// Rows of one piece: about 20 MB.
const PIECE: u32 = 100_000;

/// Minimum rows of a piece if several streams share a table.
const SMALL_PIECE: u32 = 10_000;

/// This many complete tables are marked by one statement.
const MARKED_TOGETHER: usize = 100;

/// Loads everything, or nothing if one of the tables exists.
pub(super) fn load(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<(), Problem> {
    let start =
        begin(tables, connector, streams, |existing| tables.names().into_iter().find(|n| existing.contains(n)))?;
    fill(tables, connector, seed, start, (progress, &|_, _| ()), stop)
}

/// The same, but fails when it is the turn of a table that exists, and reports each step.
pub(super) fn each(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    tell: Steps<'_>,
    stop: &StopSignal,
) -> Result<(), Problem> {
    // The first one's turn is now.
    let first = tables.name(tables.first);
    let start = begin(tables, connector, streams, |existing| existing.get(&first).cloned()).inspect_err(|problem| {
        if problem.what.is("table-exists") {
            tell(LoadStep::Create, &first);
        }
    })?;
    fill(tables, connector, seed, start, (&|_| (), tell), stop)
}

/// What is known before the first table is created.
struct Start {
    streams: u32,
    method: Method,
    /// Tables and views that exist.
    existing: HashSet<String>,
}

/// Looks at the schema, once for all tables, and creates the mark; nothing if `refused` finds a table among the existing ones.
fn begin(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    refused: impl Fn(&HashSet<String>) -> Option<String>,
) -> Result<Start, Problem> {
    fits(tables)?;
    let streams = if tables.dialect == Dialect::Sqlite { 1 } else { streams.max(1) };
    with_connection(connector, msg!("creating-tables"), async |c| {
        let method = choose(tables, (streams, Some(tables.tables)), c).await?;
        let shares = method.helping && !tables.is_small();
        let streams = if shares { streams } else { streams.min(tables.tables) };
        let existing = match catalogue::names(tables.dialect, c, &tables.base).await? {
            Ok(existing) => existing,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(name) = refused(&existing) {
            return Ok(Err(exists(&name).evidence(msg!("nothing-was-changed"))));
        }
        Ok(mark::make_sure(tables.dialect, c).await?.map(|()| Start { streams, method, existing }))
    })
}

/// Refuses rows whose number would not fit into the key: larger tables can be used, if somebody else creates them.
fn fits(tables: &Tables) -> Result<(), Problem> {
    match i32::try_from(tables.table_size) {
        Err(_) if tables.dialect != Dialect::Sqlite => {
            Err(Problem::new(msg!("rows-beyond-integer", rows = tables.table_size)).hint(msg!("give-rows-of-integer")))
        }
        _ => Ok(()),
    }
}

/// Creates and fills the tables with several streams.
fn fill(
    tables: &Tables,
    connector: &Connector,
    seed: u64,
    start: Start,
    (progress, tell): (Progress<'_>, Steps<'_>),
    stop: &StopSignal,
) -> Result<(), Problem> {
    let Start { streams, method, existing } = start;
    let piece = if method.helping { (tables.table_size / (streams * 8)).clamp(SMALL_PIECE, PIECE) } else { PIECE };
    let work = if tables.is_small() {
        WorkQueue::whole(tables.tables)
    } else {
        WorkQueue::new(tables.tables, tables.table_size, piece, method.helping)
    };
    let counted = Counted::new(progress, 0);
    let changed = AtomicBool::new(false);
    let job = Job { tables, seed, way: method.way, counted: &counted, tell, existing, changed };
    let outcome = at_once(streams, || work.end(), || stream(&job, connector, &work, stop)).and_then(|()| {
        // A small one was marked by one statement with its rows.
        let binds = tables.is_small() && tables.dialect == Dialect::Mysql;
        let bind = async |c: &mut Connection| mark::all_complete(c, &tables.names()).await.map(Ok);
        if binds { with_connection(connector, msg!("loading"), bind) } else { Ok(()) }
    });
    outcome.map_err(|problem| match job.changed.load(Ordering::Relaxed) && !problem.what.is("table-exists") {
        true => unfinished(problem, counted.kept(), tables, connector),
        false => problem,
    })
}

/// Creates the tables, lets others load the rows, and creates the indexes.
pub(super) fn around(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    rows: LoadSlices<'_>,
    stop: &StopSignal,
) -> Result<(), Problem> {
    fits(tables)?;
    with_connection(connector, msg!("creating-tables"), async |c| create(tables, seed, c).await)?;
    let (inserted, all) = (rows()?, tables.rows());
    if inserted != all {
        return Err(Problem::new(msg!("slices-are-not-the-whole", inserted, all)));
    }
    let work = WorkQueue::indexes(tables.tables);
    let counted = Counted::new(&|_| (), all);
    let streams = streams.clamp(1, tables.tables);
    // No rows are inserted here in whatever way.
    let way = InsertMethod::Copy;
    let job = Job::of_existing(tables, seed, way, &counted);
    let outcome = at_once(streams, || work.end(), || stream(&job, connector, &work, stop));
    outcome.map_err(|problem| unfinished(problem, counted.kept(), tables, connector))
}

/// Inserts the rows of a slice; returns how many there are.
pub(super) fn slice(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    slice: DatasetSlice,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<u64, Problem> {
    let (streams, rows) = (slice.streams(streams), slice.rows(tables.rows()));
    // Otherwise streams of other processes insert into the same tables.
    let of = slice.of.max(1);
    let alone = tables.tables.is_multiple_of(of).then(|| tables.tables / of);
    let method =
        with_connection(connector, msg!("loading"), async |c| Ok(Ok(choose(tables, (streams, alone), c).await?)))?;
    let share = (rows.end - rows.start) / (u64::from(streams) * 8);
    let piece = if method.helping { share.clamp(SMALL_PIECE.into(), PIECE.into()) as u32 } else { PIECE };
    let work = WorkQueue::rows(rows, tables.table_size, piece, method.helping);
    let counted = Counted::new(progress, 0);
    let job = Job::of_existing(tables, seed, method.way, &counted);
    at_once(streams, || work.end(), || stream(&job, connector, &work, stop))?;
    Ok(counted.kept())
}

fn unfinished(problem: Problem, rows: u64, tables: &Tables, connector: &Connector) -> Problem {
    let all = u64::from(tables.tables) * u64::from(tables.table_size);
    let so_far = msg!("unfinished-load", n = rows, all);
    let address = shell::quoted(&connector.dsn().to_string());
    let again = msg!("tenbin-load-oltp", address, tables = tables.tables, table_size = tables.table_size);
    problem.and_then(so_far, again)
}

/// How rows are loaded, and whether streams may share a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Method {
    way: InsertMethod,
    helping: bool,
}

/// For this many streams of this process, and this many tables that no other process inserts into; `None` if there are others.
async fn choose(tables: &Tables, (streams, alone): (u32, Option<u32>), c: &mut Connection) -> Result<Method, Error> {
    match tables.dialect {
        Dialect::Sqlite => return Ok(Method { way: InsertMethod::Insert(SQLITE_INSERT), helping: false }),
        Dialect::Postgres => return Ok(Method { way: InsertMethod::Copy, helping: true }),
        Dialect::Mysql => {}
    }
    let Allows { local, statement, lock_mode } = allows(c, LONGEST).await?;
    // Below lock mode 2 InnoDB holds the table's AUTO-INC lock to the end of a LOAD DATA, even when each id is given
    // (seen on MariaDB 10.11: the second stream waits for the first), so streams that share a table must INSERT.
    let locks = tables.auto_inc && lock_mode.is_none_or(|mode| mode != "2");
    Ok(match (local, locks) {
        (true, false) => Method { way: InsertMethod::LoadData(statement), helping: true },
        // With more streams per table, parallel INSERTs are faster.
        (true, true) if alone.is_some_and(|tables| streams <= tables + tables / 2) => {
            Method { way: InsertMethod::LoadData(statement), helping: false }
        }
        _ => Method { way: InsertMethod::Insert(statement), helping: true },
    })
}

/// Creates and marks all tables, or none if one already exists.
async fn create(tables: &Tables, seed: u64, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
    let existing = match catalogue::names(tables.dialect, c, &tables.base).await? {
        Ok(existing) => existing,
        Err(problem) => return Ok(Err(problem)),
    };
    if let Some(name) = tables.names().into_iter().find(|name| existing.contains(name)) {
        return Ok(Err(exists(&name).evidence(msg!("nothing-was-changed"))));
    }
    if let Err(problem) = mark::make_sure(tables.dialect, c).await? {
        return Ok(Err(problem));
    }
    for table in tables.numbers() {
        let sql = tables.create(table);
        c.query(&sql).await.map_err(|e| e.sent(&sql, false))?;
        leave(tables, seed, table, c).await?;
    }
    Ok(Ok(()))
}

/// Marks a table after it was created, not before: a mark without a table would claim a table that somebody else creates under
/// its name.
async fn leave(tables: &Tables, seed: u64, table: u32, c: &mut Connection) -> Result<(), Error> {
    mark::leave(c, &tables.name(table), tables.kind(), tables.table_size.into(), &recorded(tables, seed)).await
}

/// The options in the mark.
fn recorded(tables: &Tables, seed: u64) -> String {
    format!("seed={seed} tables={} table_size={}", tables.tables, tables.table_size)
}

fn exists(name: &str) -> Problem {
    Problem::new(msg!("table-exists", table = name)).hint(msg!("use-it-or-load-with-drop"))
}

/// What all streams of a load share.
struct Job<'a> {
    tables: &'a Tables,
    seed: u64,
    way: InsertMethod,
    counted: &'a Counted<'a>,
    tell: Steps<'a>,
    /// Tables and views that existed at the start.
    existing: HashSet<String>,
    /// Whether a table has been created.
    changed: AtomicBool,
}

impl<'a> Job<'a> {
    /// Of tables that exist.
    fn of_existing(tables: &'a Tables, seed: u64, way: InsertMethod, counted: &'a Counted<'a>) -> Job<'a> {
        let (existing, changed) = (HashSet::new(), AtomicBool::new(true));
        Job { tables, seed, way, counted, tell: &|_, _| (), existing, changed }
    }
}

/// One stream: pieces until there are no more.
fn stream(job: &Job<'_>, connector: &Connector, work: &WorkQueue, stop: &StopSignal) -> Result<(), Problem> {
    with_connection(connector, msg!("loading"), async |c| {
        let mut stream = Stream { job, way: job.way, text: Vec::new(), complete: Vec::new() };
        let outcome = stream.pieces(work, stop, c).await;
        // What is complete is marked whatever happened to the others.
        let marked = stream.mark_complete(c).await;
        let outcome = outcome?;
        marked.map(|()| outcome)
    })
}

struct Stream<'a> {
    job: &'a Job<'a>,
    way: InsertMethod,
    text: Vec<u8>,
    /// Complete tables that are not marked so.
    complete: Vec<String>,
}

impl Stream<'_> {
    async fn pieces(
        &mut self,
        work: &WorkQueue,
        stop: &StopSignal,
        c: &mut Connection,
    ) -> Result<Result<(), Problem>, Error> {
        let mut own = 0;
        while let Some(piece) = work.next(&mut own) {
            if stop.asked() {
                return Ok(Err(Problem::new(msg!("stopped-while-loading"))));
            }
            match piece.counted_from(self.job.tables.first) {
                WorkItem::Create { table } => {
                    if let Err(problem) = self.create(table, c).await? {
                        return Ok(Err(problem));
                    }
                }
                WorkItem::Rows { table, from, to } => self.rows(table, from, to, c).await?,
                WorkItem::Index { table } => self.finish(table, c).await?,
            }
            work.done(piece);
        }
        Ok(Ok(()))
    }

    /// Creates a table; a small one with everything.
    async fn create(&mut self, table: u32, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
        let (name, tables) = (self.job.tables.name(table), self.job.tables);
        (self.job.tell)(LoadStep::Create, &name);
        if self.job.existing.contains(&name) {
            return Ok(Err(exists(&name)));
        }
        let sql = tables.create(table);
        c.query(&sql).await.map_err(|e| e.sent(&sql, false))?;
        self.job.changed.store(true, Ordering::Relaxed);
        if tables.is_small() {
            self.fill_small(table, c).await?;
        } else {
            leave(tables, self.job.seed, table, c).await?;
        }
        Ok(Ok(()))
    }

    /// Inserts all rows of a table, and its mark, in one transaction.
    async fn fill_small(&mut self, table: u32, c: &mut Connection) -> Result<(), Error> {
        let (name, tables) = (self.job.tables.name(table), self.job.tables);
        if tables.table_size > 0 {
            (self.job.tell)(LoadStep::Insert, &name);
        }
        let mut attempt = 1;
        while let Err(error) = self.insert_and_mark(table, c).await {
            let again = error.class() == Class::Conflict && attempt < ATTEMPTS;
            let rolled_back = c.query("ROLLBACK").await;
            if !again {
                if rolled_back.is_ok() {
                    // It was created, so it is ours.
                    let _ = leave(tables, self.job.seed, table, c).await;
                }
                return Err(error);
            }
            attempt += 1;
        }
        self.job.counted.keep(tables.table_size.into());
        if tables.create_secondary {
            (self.job.tell)(LoadStep::Index, &name);
        }
        Ok(())
    }

    async fn insert_and_mark(&mut self, table: u32, c: &mut Connection) -> Result<(), Error> {
        let tables = self.job.tables;
        let (size, recorded) = (tables.table_size, recorded(tables, self.job.seed));
        let limit = match self.way {
            InsertMethod::LoadData(limit) | InsertMethod::Insert(limit) => limit,
            InsertMethod::Copy => usize::MAX,
        };
        if size > 0 {
            c.query("BEGIN").await?;
            self.insert(table, 1..=size, limit, c).await?;
        }
        mark::leave_complete(c, &tables.name(table), tables.kind(), size.into(), &recorded).await?;
        if size > 0 {
            c.query("COMMIT").await?;
        }
        Ok(())
    }

    /// Creates the indexes of a table whose rows are all loaded.
    async fn finish(&mut self, table: u32, c: &mut Connection) -> Result<(), Error> {
        if self.job.tables.create_secondary {
            (self.job.tell)(LoadStep::Index, &self.job.tables.name(table));
        }
        for sql in self.job.tables.indexes(table) {
            if sql.starts_with("VACUUM") {
                optional(c, &sql).await?;
            } else {
                c.query(&sql).await.map_err(|e| e.sent(&sql, false))?;
            }
        }
        self.complete.push(self.job.tables.name(table));
        if self.complete.len() >= MARKED_TOGETHER { self.mark_complete(c).await } else { Ok(()) }
    }

    async fn mark_complete(&mut self, c: &mut Connection) -> Result<(), Error> {
        mark::all_complete(c, &std::mem::take(&mut self.complete)).await
    }

    async fn rows(&mut self, table: u32, from: u32, to: u32, c: &mut Connection) -> Result<(), Error> {
        if from == 1 {
            (self.job.tell)(LoadStep::Insert, &self.job.tables.name(table));
        }
        let (rows, mut attempt) = (u64::from(to - from) + 1, 1);
        loop {
            let outcome = match self.way {
                InsertMethod::LoadData(_) => {
                    self.stream(&load_data(&self.job.tables.name(table)), table, from..=to, c).await
                }
                InsertMethod::Copy => self.stream(&copy(&self.job.tables.name(table)), table, from..=to, c).await,
                InsertMethod::Insert(limit) => self.insert_alone(table, from..=to, limit, c).await,
            };
            let Err(error) = outcome else {
                self.job.counted.keep(rows);
                return Ok(());
            };
            self.way.again(error, &mut attempt)?;
            let _ = c.query("ROLLBACK").await;
        }
    }

    /// Sends rows as lines for the statement `sql`.
    async fn stream(
        &mut self,
        sql: &str,
        table: u32,
        ids: RangeInclusive<u32>,
        c: &mut Connection,
    ) -> Result<(), Error> {
        let wanted = u64::from(ids.end() - ids.start()) + 1;
        let rows = Rows::new(self.job.tables, self.job.seed, table);
        let mut lines =
            RowLines { rows, next: (*ids.start()).into(), end: (*ids.end()).into(), counted: self.job.counted };
        let took = c.load_local(sql, &mut lines).await?.affected;
        // With LOCAL, errors of single rows become warnings and the row is skipped.
        if took == wanted {
            return Ok(());
        }
        Err(Error::new(Class::Sql, msg!("server-took-fewer-rows", took, wanted, table = self.job.tables.name(table)))
            .hint(msg!("count-rows-of-table", table = self.job.tables.name(table))))
    }

    /// In a transaction.
    async fn insert_alone(
        &mut self,
        table: u32,
        ids: RangeInclusive<u32>,
        limit: usize,
        c: &mut Connection,
    ) -> Result<(), Error> {
        c.query("BEGIN").await?;
        self.insert(table, ids, limit, c).await?;
        c.query("COMMIT").await.map(|_| ())
    }

    async fn insert(
        &mut self,
        table: u32,
        ids: RangeInclusive<u32>,
        limit: usize,
        c: &mut Connection,
    ) -> Result<(), Error> {
        let head = format!("INSERT INTO {} (id, k, c, pad) VALUES ", self.job.tables.name(table));
        let mut rows = Rows::new(self.job.tables, self.job.seed, table);
        let mut ids = ids.peekable();
        while ids.peek().is_some() {
            self.text.clear();
            self.text.extend_from_slice(head.as_bytes());
            let mut count = 0;
            while self.text.len() < limit
                && let Some(id) = ids.next()
            {
                if count > 0 {
                    self.text.push(b',');
                }
                rows.tuple(id, &mut self.text);
                count += 1;
            }
            c.query(std::str::from_utf8(&self.text).unwrap_or_default()).await?;
            self.job.counted.sent(count);
        }
        Ok(())
    }
}

fn load_data(table: &str) -> String {
    format!(
        "LOAD DATA LOCAL INFILE 'tenbin' INTO TABLE {table} CHARACTER SET binary \
         {LINES} (id, k, c, pad)"
    )
}

/// Its text format also has tabs and line ends.
fn copy(table: &str) -> String {
    format!("COPY {table} (id, k, c, pad) FROM STDIN")
}

/// Lines of `LOAD DATA` or `COPY`, generated on request of the connection.
struct RowLines<'a> {
    rows: Rows,
    next: u64,
    end: u64,
    counted: &'a Counted<'a>,
}

impl Source for RowLines<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) {
        let count = (self.end + 1 - self.next).min((CHUNK / LONGEST) as u64);
        out.reserve(count as usize * LONGEST);
        for id in self.next..self.next + count {
            self.rows.line(id as u32, out);
        }
        self.next += count;
        if count > 0 {
            self.counted.sent(count);
        }
    }
}
