//! Fills the tables: many streams, each a thread with its own connection, execute pieces of [`WorkQueue`]. An
//! interrupted load is continued where it was; a smaller population is extended.
//!
//! MySQL and MariaDB: `LOAD DATA LOCAL` with data generated in memory if the server allows it, otherwise multi-row
//! INSERTs. PostgreSQL: `COPY`. SQLite, which allows one writer: multi-row INSERTs over one connection.

use super::inspect::{self, TablesState};
use super::lock::{lock, taken, unlock};
use super::metadata::{self, Metadata};
use super::nurand::c_load;
use super::part::{Part, parts, place};
use super::population::{LONGEST, Population, TableRows};
use super::row_writer::Format;
use super::schema::TABLES;
use super::set::Set;
use super::work::{WorkItem, WorkQueue, index_step};
use super::{ENTRY, Tables};
use std::collections::VecDeque;
use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error, Source};
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::{optional, unless_stopped};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::tables::stream::{Allows, CHUNK, Counted, InsertMethod, LINES, SQLITE_INSERT, allows, at_once};
use tenbin_workload::{DatasetSlice, LoadSlices, Progress};

/// How long a stream that is stopped waits for the server to roll back what it received.
const GRACE: Duration = Duration::from_secs(10);

pub(super) fn load(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<Vec<Problem>, Problem> {
    unless_stopped(connector, msg!("loading"), stop, GRACE, async |c| {
        let mut notes = Vec::new();
        let Some(held) = lock(tables, connector, c, &mut notes).await? else { return Ok(Err(taken(connector))) };
        let (way, done) = match begin(tables, connector, seed, c).await? {
            Ok(begun) => begun,
            Err(problem) => return Ok(Err(problem)),
        };
        let counted = Counted::new(progress, done.rows(tables.wanted()));
        let common = Common { tables, connector, streams, way, counted: &counted, stop };
        if tables.slice.is_whole() {
            let work =
                if done.adopted { common.rows(&done) } else { WorkQueue::new(tables.warehouses, &tables.sets, &done) };
            let outcome = match common.carry_out(&work, &done, c).await {
                Ok(()) => finish(tables, &done, notes, c).await,
                Err(problem) => Ok(Err(problem)),
            };
            // The lock is held until here; with MySQL until this connection closes.
            drop(held);
            return outcome;
        }
        // Others may load their slices at the same time.
        unlock(tables, held, c).await?;
        if let Err(problem) = common.carry_out(&common.rows(&done), &done, c).await {
            return Ok(Err(problem));
        }
        after_a_slice(&common, notes, c).await
    })
}

/// Creates the tables, lets others load the rows, and does what follows. No other process loads meanwhile.
pub(super) fn around(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    rows: LoadSlices<'_>,
    stop: &StopSignal,
) -> Result<Vec<Problem>, Problem> {
    unless_stopped(connector, msg!("loading"), stop, GRACE, async |c| {
        let mut notes = Vec::new();
        let Some(held) = lock(tables, connector, c, &mut notes).await? else { return Ok(Err(taken(connector))) };
        let way = match begin(tables, connector, seed, c).await? {
            Ok((way, _)) => way,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Err(problem) = rows() {
            let kept = metadata::read(c).await.ok().flatten().map_or(0, |now| now.rows(tables.wanted()));
            return Ok(Err(unfinished(problem, kept, tables, connector)));
        }
        let Some(now) = metadata::read(c).await? else { return Ok(Err(Problem::new(msg!("no-load-has-begun")))) };
        let (all, inserted) =
            (tables.wanted().count(), tables.wanted().filter(|part| now.parts.contains_key(part)).count());
        if inserted != all {
            return Ok(Err(Problem::new(msg!("slices-are-not-the-whole", inserted, all))));
        }
        let counted = Counted::new(&|_| (), now.rows(tables.wanted()));
        let common = Common { tables, connector, streams, way, counted: &counted, stop };
        if !now.adopted
            && let Err(problem) =
                common.carry_out(&WorkQueue::new(tables.warehouses, &tables.sets, &now), &now, c).await
        {
            return Ok(Err(problem));
        }
        let outcome = finish(tables, &now, notes, c).await;
        drop(held);
        outcome
    })
}

/// Loads the parts of a slice that have not been loaded; returns how many rows all of them have.
pub(super) fn slice(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    slice: DatasetSlice,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<u64, Problem> {
    unless_stopped(connector, msg!("loading"), stop, GRACE, async |c| {
        let done = match metadata::read(c).await? {
            Some(done) if done.wanted == tables.warehouses => done,
            _ => return Ok(Err(Problem::new(msg!("no-load-has-begun")))),
        };
        if let Err(problem) = inspect::fits(tables, connector, &done) {
            return Ok(Err(problem));
        }
        let way = method(tables, c).await?;
        let counted = Counted::new(progress, done.rows(tables.dealt(slice)));
        let common = Common { tables, connector, streams: slice.streams(streams), way, counted: &counted, stop };
        let work = WorkQueue::rows(tables.dealt(slice), &done);
        // How much of all rows is loaded, only the whole load knows.
        Ok(common.all_pieces(&work, &done, c).await.map(|()| counted.kept()))
    })
}

/// The process that loads the last rows creates indexes and keys. One that cannot get the lock leaves that to its holder.
async fn after_a_slice(common: &Common<'_>, notes: Vec<Problem>, c: &mut Connection) -> Loaded {
    let tables = common.tables;
    // Notes about the lock have been reported already.
    let Some(_held) = lock(tables, common.connector, c, &mut Vec::new()).await? else { return Ok(Ok(notes)) };
    let Some(now) = metadata::read(c).await? else { return Ok(Ok(notes)) };
    let all_in = parts(now.wanted, &tables.sets).all(|part| now.parts.contains_key(&part));
    if !all_in || now.finished() {
        return Ok(Ok(notes));
    }
    if !now.adopted
        && let Err(problem) = common.carry_out(&WorkQueue::new(now.wanted, &tables.sets, &now), &now, c).await
    {
        return Ok(Err(problem));
    }
    finish(tables, &now, notes, c).await
}

/// How a load ends: notes on what was left out, or why it failed.
type Loaded = Result<Result<Vec<Problem>, Problem>, Error>;

/// What all stages of a load share.
struct Common<'a> {
    tables: &'a Tables,
    connector: &'a Connector,
    streams: u32,
    way: InsertMethod,
    counted: &'a Counted<'a>,
    stop: &'a StopSignal,
}

impl Common<'_> {
    /// The rows of the slice that have not been loaded.
    fn rows(&self, done: &Metadata) -> WorkQueue {
        WorkQueue::rows(self.tables.wanted(), done)
    }

    /// Performs all of the work; a problem says what is loaded.
    async fn carry_out(&self, work: &WorkQueue, done: &Metadata, c: &mut Connection) -> Result<(), Problem> {
        let outcome = self.all_pieces(work, done, c).await;
        outcome.map_err(|problem| unfinished(problem, self.counted.kept(), self.tables, self.connector))
    }

    /// Performs all of the work, with the configured number of streams.
    async fn all_pieces(&self, work: &WorkQueue, done: &Metadata, c: &mut Connection) -> Result<(), Problem> {
        let Common { tables, connector, streams, way, counted, stop } = *self;
        let load = LoadContext { tables, seed: done.seed, work, counted, stop };
        if tables.form.dialect == Dialect::Sqlite {
            let outcome = load.stream(way, c).await;
            outcome.unwrap_or_else(|e| Err(e.problem(msg!("loading"))))
        } else {
            at_once(
                streams.max(1),
                || work.end(),
                || unless_stopped(connector, msg!("loading"), stop, GRACE, async |c| load.stream(way, c).await),
            )
        }
    }
}

fn unfinished(problem: Problem, rows: u64, tables: &Tables, connector: &Connector) -> Problem {
    let so_far = msg!("rows-are-in-and-stay", n = rows, all = tables.nominal_rows());
    let again = msg!("same-again-goes-on", load = tables.load_command(connector));
    problem.and_then(so_far, again)
}

/// Creates the missing tables; returns how rows are inserted and what has been loaded already.
async fn begin(
    tables: &Tables,
    connector: &Connector,
    seed: u64,
    c: &mut Connection,
) -> Result<Result<(InsertMethod, Metadata), Problem>, Error> {
    if let Some(problem) = inspect::keys_impossible(tables).or_else(|| inspect::transactions_impossible(tables)) {
        return Ok(Err(problem));
    }
    let state = match inspect::state_of(tables, c).await? {
        Ok(state) => state,
        Err(problem) => return Ok(Err(problem)),
    };
    let way = method(tables, c).await?;
    let fresh = Metadata {
        seed,
        c_load: c_load(seed),
        layout: tables.form.layout.name().to_owned(),
        foreign_keys: tables.form.foreign_keys,
        tables: tables.sets.len() as u64,
        numbered: tables.numbered(),
        wanted: tables.warehouses,
        ..Metadata::default()
    };
    let metadata = match state {
        TablesState::Nothing => {
            create(tables, &fresh, c).await?;
            create_missing(tables, c).await?;
            fresh
        }
        TablesState::Ours(metadata) => match inspect::fits(tables, connector, &metadata) {
            Err(problem) => return Ok(Err(problem)),
            Ok(()) if metadata.complete == tables.warehouses => {
                return Ok(Err(Problem::new(msg!("tables-are-there-already-complete"))
                    .evidence(msg!("nothing-was-changed"))
                    .hint(msg!("use-them-or-load-again", load = tables.load_command(connector)))));
            }
            Ok(()) => {
                if let Some(name) = inspect::replaced(tables, c).await? {
                    return Ok(Err(mark::was_replaced(&name)));
                }
                if !metadata.adopted {
                    create_missing(tables, c).await?;
                    mark::loosen(c, &tables.names()).await?;
                }
                metadata::set(c, "wanted", tables.warehouses).await?;
                Metadata { wanted: tables.warehouses, ..metadata }
            }
        },
        TablesState::Foreign(problem) if tables.adopt && inspect::fits_us(&problem) => {
            let filled = inspect::filled(tables, c).await?;
            if !filled.is_empty() {
                return Ok(Err(problem
                    .evidence(msg!("rows-are-in", tables = filled.join(", ")))
                    .hint(msg!("run-or-empty-yourself"))));
            }
            let fresh = Metadata { adopted: true, ..fresh };
            create(tables, &fresh, c).await?;
            fresh
        }
        TablesState::Foreign(problem) => return Ok(Err(problem)),
    };
    Ok(Ok((way, metadata)))
}

/// How rows are inserted.
async fn method(tables: &Tables, c: &mut Connection) -> Result<InsertMethod, Error> {
    Ok(match tables.form.dialect {
        Dialect::Mysql => {
            unchecked(tables, c).await?;
            let Allows { local, statement, .. } = allows(c, LONGEST).await?;
            if local { InsertMethod::LoadData(statement) } else { InsertMethod::Insert(statement) }
        }
        Dialect::Postgres => InsertMethod::Copy,
        Dialect::Sqlite => InsertMethod::Insert(SQLITE_INSERT),
    })
}

/// Makes MySQL accept rows without checking foreign keys: they are right by construction, and parts are loaded in an
/// order that the keys would not allow. Without foreign keys it does not matter whether the server can.
async fn unchecked(tables: &Tables, c: &mut Connection) -> Result<(), Error> {
    match optional(c, "SET SESSION foreign_key_checks=0").await? {
        Some(refusal) if tables.form.foreign_keys => Err(refusal),
        _ => Ok(()),
    }
}

/// Creates and marks the metadata, before any table: what exists without it is not ours.
async fn create(tables: &Tables, fresh: &Metadata, c: &mut Connection) -> Result<(), Error> {
    mark::create(c).await?;
    c.query(&metadata::create(tables.form.dialect, &tables.form.engine)).await?;
    let options = format!("seed={} warehouses={} layout={}", fresh.seed, fresh.wanted, fresh.layout);
    mark::leave(c, metadata::NAME, ENTRY.kind, 0, &options).await?;
    c.query(tables.form.dialect.begin(true)).await?;
    for (name, value) in fresh.first() {
        metadata::add(c, name, &value).await?;
    }
    c.query("COMMIT").await.map(|_| ())
}

/// Creates and marks those that do not exist.
async fn create_missing(tables: &Tables, c: &mut Connection) -> Result<(), Error> {
    let there = inspect::names(tables, c).await?;
    for (set, table) in tables.each() {
        let name = set.named(table.name);
        let marked = inspect::marked(c, &name).await?;
        if !there.contains(&name) {
            match c.query(&set.sql(&tables.form.create(table))).await {
                // MariaDB's catalogue omits a table that is being altered, for example by a statement that a killed
                // load left running.
                Err(error) if marked && there_already(&error) => {}
                outcome => outcome.map(|_| ())?,
            }
        }
        // A load may have been killed between the two.
        if !marked {
            mark::leave(c, &name, ENTRY.kind, 0, &format!("warehouses={}", tables.warehouses)).await?;
        }
    }
    Ok(())
}

/// Checks the keys and records that everything has been loaded.
async fn finish(tables: &Tables, done: &Metadata, mut notes: Vec<Problem>, c: &mut Connection) -> Loaded {
    if !done.adopted
        && let Some(problem) = inspect::keys_missing(tables, c).await?
    {
        return Ok(Err(problem));
    }
    // The server's statistics are those of the smaller population before it was extended, or of empty tables: plans
    // based on them read whole tables.
    let names: Vec<String> = tables.each().map(|(set, table)| set.named(table.name)).collect();
    notes.extend(analyze(tables.form.dialect, &names, c).await?);
    c.query(tables.form.dialect.begin(true)).await?;
    metadata::set(c, "complete", tables.warehouses).await?;
    mark::all_complete(c, &tables.names()).await?;
    c.query("COMMIT").await?;
    Ok(Ok(notes))
}

/// Makes the server analyze the tables. If it cannot, or only with a shorter statement, the rows are loaded all the
/// same. Returns what to report about that.
async fn analyze(dialect: Dialect, names: &[String], c: &mut Connection) -> Result<Option<Problem>, Error> {
    let mut words: VecDeque<&str> = match dialect {
        Dialect::Mysql => ["ANALYZE NO_WRITE_TO_BINLOG TABLE", "ANALYZE TABLE"].into(),
        Dialect::Postgres => ["ANALYZE"].into(),
        Dialect::Sqlite => return Ok(None),
    };
    for name in names {
        while let Some(analyze) = words.front() {
            let Some(refusal) = optional(c, &format!("{analyze} {name}")).await? else { break };
            words.pop_front();
            if words.is_empty() {
                let what = msg!("statistics-not-updated");
                return Ok(Some(Problem::new(what).evidence(foreign(refusal))));
            }
        }
    }
    Ok(None)
}

/// What all streams share.
struct LoadContext<'a> {
    tables: &'a Tables,
    seed: u64,
    work: &'a WorkQueue,
    counted: &'a Counted<'a>,
    stop: &'a StopSignal,
}

impl LoadContext<'_> {
    /// One stream: pieces until there are no more.
    async fn stream(&self, mut way: InsertMethod, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
        if self.tables.form.dialect == Dialect::Mysql {
            unchecked(self.tables, c).await?;
        }
        if self.tables.form.dialect == Dialect::Postgres && self.tables.form.foreign_keys {
            // The same if permitted; otherwise, only extending a population with keys needs it.
            let _ = c.query("SET session_replication_role=replica").await;
        }
        let mut population = (Set::ALONE, Population::new(self.seed, Set::ALONE, &self.tables.form));
        while let Some(piece) = self.work.next() {
            match piece {
                _ if self.stop.asked() => {}
                WorkItem::Rows(part) => {
                    if population.0 != part.set {
                        population = (part.set, Population::new(self.seed, part.set, &self.tables.form));
                    }
                    self.rows(&mut way, part, &mut population.1, c).await?;
                }
                WorkItem::Index { set, table } => {
                    self.step(&index_step(set, table), set, self.tables.form.index(&TABLES[table]), c).await?;
                }
                WorkItem::Keys(set) => {
                    for table in &TABLES {
                        let name = format!("keys {}", set.named(table.name));
                        self.step(&name, set, self.tables.form.constrain(table), c).await?;
                    }
                }
            }
            if self.stop.asked() {
                self.work.end();
                return Ok(Err(Problem::new(msg!("stopped-while-loading"))));
            }
            self.work.done(piece);
        }
        Ok(Ok(()))
    }

    /// A step after the rows. If the server ends between the statement and the metadata row that records it, the index
    /// already exists: the step is done.
    async fn step(&self, name: &str, set: Set, statements: Vec<String>, c: &mut Connection) -> Result<(), Error> {
        let done = c.table(&format!("SELECT value FROM {} WHERE name='{name}'", metadata::NAME)).await?;
        if done.scalar().is_some() {
            return Ok(());
        }
        for sql in statements {
            match c.query(&set.sql(&sql)).await {
                Err(error) if !there_already(&error) => return Err(error),
                _ => {}
            }
        }
        metadata::add(c, name, "1").await
    }

    /// All rows of a part and the metadata row that records it, in one transaction.
    async fn rows(
        &self,
        way: &mut InsertMethod,
        part: Part,
        population: &mut Population,
        c: &mut Connection,
    ) -> Result<(), Error> {
        let mut attempt = 1;
        loop {
            let error = match self.part(*way, part, population, c).await {
                Ok(rows) => {
                    self.counted.keep(rows);
                    return Ok(());
                }
                Err(error) => error,
            };
            let _ = c.query("ROLLBACK").await;
            if self.is_in(part, c).await {
                // Another slice, or another load, was first.
                return Ok(());
            }
            if self.stop.asked() {
                return Ok(());
            }
            way.again(error, &mut attempt)?;
        }
    }

    /// Whether a part has been loaded.
    async fn is_in(&self, part: Part, c: &mut Connection) -> bool {
        let sql = format!("SELECT value FROM {} WHERE name='{}'", metadata::NAME, metadata::part(part));
        c.table(&sql).await.is_ok_and(|answer| answer.scalar().is_some())
    }

    async fn part(
        &self,
        way: InsertMethod,
        part: Part,
        population: &mut Population,
        c: &mut Connection,
    ) -> Result<u64, Error> {
        let Part { what, set, w } = part;
        let table = &TABLES[place(what)];
        let name = set.named(table.name);
        let format = if matches!(way, InsertMethod::Insert(_)) { Format::Tuples } else { Format::Lines };
        let mut rows = Rows { population, what, w, format, next: 0, made: 0, load: self };
        c.query(self.tables.form.dialect.begin(true)).await?;
        match way {
            InsertMethod::LoadData(_) | InsertMethod::Copy => {
                let columns = table.names();
                let sql = match way {
                    InsertMethod::Copy => format!("COPY {name} ({columns}) FROM STDIN"),
                    _ => format!(
                        "LOAD DATA LOCAL INFILE 'tenbin' INTO TABLE {name} CHARACTER SET binary \
                         {LINES} ({columns})"
                    ),
                };
                let took = c.load_local(&sql, &mut rows).await?.affected;
                // LOCAL turns errors of single rows into warnings and skips the row.
                if took != rows.made && !self.stop.asked() {
                    let what = msg!("server-took-fewer-rows", took, wanted = rows.made, table = name);
                    return Err(Error::new(Class::Sql, what).hint(msg!("look-who-writes")));
                }
            }
            InsertMethod::Insert(limit) => {
                let head = format!("INSERT INTO {name} ({}) VALUES ", table.names());
                let mut text = Vec::with_capacity(limit + LONGEST);
                loop {
                    text.clear();
                    text.extend_from_slice(head.as_bytes());
                    rows.make(limit, &mut text);
                    if text.len() <= head.len() {
                        break;
                    }
                    text.pop();
                    c.query(std::str::from_utf8(&text).unwrap_or_default()).await?;
                }
            }
        }
        if self.stop.asked() {
            c.query("ROLLBACK").await?;
            return Ok(0);
        }
        let made = rows.made;
        metadata::add(c, &metadata::part(part), &made.to_string()).await?;
        c.query("COMMIT").await?;
        Ok(made)
    }
}

/// Whether an error says that a table (1050), an index (1061) or a key (1826, 121, 1005 around 121) of that name
/// exists.
fn there_already(error: &Error) -> bool {
    matches!(error.number(), Some(1050 | 1061 | 1826 | 121))
        || (error.number() == Some(1005) && error.message().contains("121"))
        || (error.class() == Class::Sql && error.message().contains("already exists"))
}

/// Rows of a part, generated on demand.
struct Rows<'a> {
    population: &'a mut Population,
    what: TableRows,
    w: u64,
    format: Format,
    next: u64,
    made: u64,
    load: &'a LoadContext<'a>,
}

impl Rows<'_> {
    /// Appends rows until `out` has about `limit` bytes, the part is over or the load is stopped.
    fn make(&mut self, limit: usize, out: &mut Vec<u8>) {
        let (before, units) = (self.made, self.what.units());
        while out.len() < limit && self.next < units {
            self.made += self.population.unit(self.what, self.w, self.next, self.format, out);
            self.next += 1;
        }
        if self.load.stop.asked() {
            out.clear();
            self.next = units;
        } else if self.made > before {
            self.load.counted.sent(self.made - before);
        }
    }
}

impl Source for Rows<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) {
        out.reserve(CHUNK + LONGEST);
        self.make(CHUNK, out);
    }
}
