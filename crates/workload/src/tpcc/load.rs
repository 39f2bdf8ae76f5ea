//! Fills the tables: many streams, each a thread with a connection of its own, carrying out pieces of [`Work`]. A load that
//! was broken is taken up where it was; a smaller population grows.
//!
//! MySQL and MariaDB get `LOAD DATA LOCAL` made in memory where the server allows it, multi-row INSERTs otherwise; PostgreSQL
//! gets `COPY`; SQLite, which has one writer, multi-row INSERTs over one connection.

use super::inspect::{self, State};
use super::line::Format;
use super::metadata::{self, Metadata};
use super::nurand::c_load;
use super::population::{LONGEST, Population, What};
use super::schema::{TABLES, Table};
use super::work::{Piece, Work, place};
use super::{ENTRY, Tables};
use crate::cold::with_connection;
use crate::dataset::Progress;
use crate::dialect::Dialect;
use crate::mark;
use crate::stream::{ATTEMPTS, Allows, CHUNK, Counted, allows, at_once, refuses_local};
use tenbin_driver::{Class, Connection, Connector, Error, Source};
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// SQLite's INSERTs: more bytes are not faster.
const SQLITE_INSERT: usize = 64 * 1024;

pub(super) fn load(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    seed: u64,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<(), Problem> {
    with_connection(connector, "loading", async |c| {
        // Held by this connection until it closes.
        if let Err(problem) = lock_out_others(tables, connector, c).await? {
            return Ok(Err(problem));
        }
        let (way, done) = match begin(tables, connector, seed, c).await? {
            Ok(begun) => begun,
            Err(problem) => return Ok(Err(problem)),
        };
        let work = Work::new(tables.warehouses, &done);
        let counted = Counted::new(progress, done.rows());
        let load = Load { tables, seed: done.seed, work: &work, counted: &counted, stop };
        let outcome = if tables.form.dialect == Dialect::Sqlite {
            let outcome = load.stream(way, c).await;
            outcome.unwrap_or_else(|e| Err(e.problem("loading")))
        } else {
            at_once(streams.max(1), || {
                let outcome = with_connection(connector, "loading", async |c| load.stream(way, c).await);
                if outcome.is_err() {
                    work.end();
                }
                outcome
            })
        };
        if let Err(problem) = outcome {
            return Ok(Err(unfinished(problem, counted.kept(), tables, connector)));
        }
        finish(tables, c).await
    })
}

fn unfinished(problem: Problem, rows: u64, tables: &Tables, connector: &Connector) -> Problem {
    let so_far = format!("about {rows} of {} rows are in, and stay", tables.nominal_rows());
    let evidence = problem.evidence.map_or(so_far.clone(), |e| format!("{e}\n{so_far}"));
    let first = problem.mend.map_or(String::new(), |m| format!("{m}; then "));
    let again = format!("{first}the same again goes on from there: {}", tables.load_command(connector));
    Problem { what: problem.what, evidence: Some(evidence), mend: Some(again) }
}

/// Keeps a second loader out of this schema for as long as the connection is open.
async fn lock_out_others(
    tables: &Tables,
    connector: &Connector,
    c: &mut Connection,
) -> Result<Result<(), Problem>, Error> {
    let taken = Problem::new("another load of these tables is under way")
        .evidence(format!("somebody else loads TPC-C tables into {}", connector.dsn()))
        .mend("wait until it has ended, or name another schema");
    match tables.form.dialect {
        Dialect::Mysql => {
            let got = c.table("SELECT GET_LOCK(CONCAT('tenbin_tpcc.', DATABASE()), 0)").await?;
            // NULL: no schema in use, which is told when the catalogue is read.
            Ok(if got.scalar() == Some("0") { Err(taken) } else { Ok(()) })
        }
        Dialect::Postgres => {
            let got = c.table("SELECT pg_try_advisory_lock(hashtext('tenbin_tpcc.' || current_schema()))::int").await?;
            Ok(if got.scalar() == Some("0") { Err(taken) } else { Ok(()) })
        }
        Dialect::Sqlite => {
            c.query("PRAGMA locking_mode=EXCLUSIVE").await?;
            // The mode takes hold with the first write.
            let begun = match c.query("BEGIN IMMEDIATE").await {
                Ok(_) => c.query("COMMIT").await,
                error => error,
            };
            match begun {
                Ok(_) => Ok(Ok(())),
                Err(error) if error.class() == Class::Conflict => Ok(Err(taken)),
                Err(error) => Err(error),
            }
        }
    }
}

/// Makes what is missing of the tables; answers with how rows go in and what is in already.
async fn begin(
    tables: &Tables,
    connector: &Connector,
    seed: u64,
    c: &mut Connection,
) -> Result<Result<(Way, Metadata), Problem>, Error> {
    let state = match inspect::look(tables, c).await? {
        Ok(state) => state,
        Err(problem) => return Ok(Err(problem)),
    };
    let way = match tables.form.dialect {
        Dialect::Mysql => {
            c.query("SET SESSION foreign_key_checks=0").await?;
            let Allows { local, statement, .. } = allows(c, LONGEST).await?;
            if local { Way::LoadData(statement) } else { Way::Insert(statement) }
        }
        Dialect::Postgres => Way::Copy,
        Dialect::Sqlite => Way::Insert(SQLITE_INSERT),
    };
    let metadata = match state {
        State::Nothing => {
            let fresh = Metadata {
                seed,
                c_load: c_load(seed),
                layout: tables.form.layout.name().to_owned(),
                foreign_keys: tables.form.foreign_keys,
                wanted: tables.warehouses,
                ..Metadata::default()
            };
            create(tables, &fresh, c).await?;
            fresh
        }
        State::Ours(metadata) => match inspect::fits(tables, connector, &metadata) {
            Err(problem) => return Ok(Err(problem)),
            Ok(()) if metadata.complete == tables.warehouses => {
                return Ok(Err(Problem::new("the tables are there already, complete")
                    .evidence("nothing was changed")
                    .mend("use them as they are, or load with --drop")));
            }
            Ok(()) => {
                create_missing(tables, c).await?;
                metadata::set(c, "wanted", tables.warehouses).await?;
                Metadata { wanted: tables.warehouses, ..metadata }
            }
        },
        State::Foreign(problem) => return Ok(Err(problem)),
    };
    Ok(Ok((way, metadata)))
}

/// Makes and marks all tables, the metadata first: what is there without it is not ours.
async fn create(tables: &Tables, fresh: &Metadata, c: &mut Connection) -> Result<(), Error> {
    mark::create(c).await?;
    c.query(&metadata::create(tables.form.dialect, &tables.form.engine)).await?;
    let options = format!("seed={} warehouses={} layout={}", fresh.seed, fresh.wanted, fresh.layout);
    mark::leave(c, metadata::NAME, ENTRY.kind, 0, &options).await?;
    c.query(tables.form.dialect.begin(true)).await?;
    for (name, value) in fresh.first() {
        metadata::add(c, name, &value).await?;
    }
    c.query("COMMIT").await?;
    create_missing(tables, c).await
}

/// Makes and marks those of the nine that are not there.
async fn create_missing(tables: &Tables, c: &mut Connection) -> Result<(), Error> {
    let there = inspect::names(tables, c).await?;
    for table in &TABLES {
        if !there.contains(table.name) {
            c.query(&tables.form.create(table)).await?;
        }
        // A load may have died between the two.
        if !inspect::marked(c, table.name).await? {
            mark::leave(c, table.name, ENTRY.kind, 0, &format!("warehouses={}", tables.warehouses)).await?;
        }
    }
    Ok(())
}

/// Checks the keys and says that all is in.
async fn finish(tables: &Tables, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
    if let Some(problem) = inspect::keys_missing(tables, c).await? {
        return Ok(Err(problem));
    }
    if tables.form.dialect == Dialect::Postgres {
        // What it knows of a population that has grown is of the smaller one.
        for table in &TABLES {
            c.query(&format!("ANALYZE {}", table.name)).await?;
        }
    }
    c.query(tables.form.dialect.begin(true)).await?;
    metadata::set(c, "complete", tables.warehouses).await?;
    for name in TABLES.iter().map(|t| t.name).chain([metadata::NAME]) {
        mark::complete(c, name).await?;
    }
    c.query("COMMIT").await?;
    Ok(Ok(()))
}

/// How rows go in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `LOAD DATA LOCAL`, or INSERTs of at most so many bytes should it be refused.
    LoadData(usize),
    /// `COPY`.
    Copy,
    /// Multi-row INSERTs of at most so many bytes.
    Insert(usize),
}

/// What all streams share.
struct Load<'a> {
    tables: &'a Tables,
    seed: u64,
    work: &'a Work,
    counted: &'a Counted<'a>,
    stop: &'a StopSignal,
}

impl Load<'_> {
    /// One stream: pieces until there are no more.
    async fn stream(&self, mut way: Way, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
        if self.tables.form.dialect == Dialect::Mysql {
            // The rows are right by construction, and parts go in in an order that keys would refuse.
            c.query("SET SESSION foreign_key_checks=0").await?;
        }
        if self.tables.form.dialect == Dialect::Postgres && self.tables.form.foreign_keys {
            // The same where we may; where not, only growing a population with keys needs it.
            let _ = c.query("SET session_replication_role=replica").await;
        }
        let mut population = Population::new(self.seed, &self.tables.form);
        while let Some(piece) = self.work.next() {
            match piece {
                _ if self.stop.asked() => {}
                Piece::Rows { what, w } => self.rows(&mut way, what, w, &mut population, c).await?,
                Piece::Index { table } => {
                    self.step("index", &TABLES[table], self.tables.form.index(&TABLES[table]), c).await?
                }
                Piece::Keys => {
                    for table in &TABLES {
                        self.step("keys", table, self.tables.form.constrain(table), c).await?;
                    }
                }
            }
            if self.stop.asked() {
                self.work.end();
                return Ok(Err(Problem::new("stopped while loading")));
            }
            self.work.done(piece);
        }
        Ok(Ok(()))
    }

    /// A step after the rows. A server that dies between the statement and the line that says it is done leaves an index
    /// that is there already: that is the step done.
    async fn step(&self, kind: &str, table: &Table, statements: Vec<String>, c: &mut Connection) -> Result<(), Error> {
        let name = format!("{kind} {}", table.name);
        let done = c.table(&format!("SELECT value FROM {} WHERE name='{name}'", metadata::NAME)).await?;
        if done.scalar().is_some() {
            return Ok(());
        }
        for sql in statements {
            match c.query(&sql).await {
                Err(error) if !there_already(&error) => return Err(error),
                _ => {}
            }
        }
        metadata::add(c, &name, "1").await
    }

    /// All rows of a part and the line that says so, in one transaction.
    async fn rows(
        &self,
        way: &mut Way,
        what: What,
        w: u64,
        population: &mut Population,
        c: &mut Connection,
    ) -> Result<(), Error> {
        let mut attempt = 1;
        loop {
            let error = match self.part(*way, what, w, population, c).await {
                Ok(rows) => {
                    self.counted.keep(rows);
                    return Ok(());
                }
                Err(error) => error,
            };
            match *way {
                _ if self.stop.asked() => return Ok(()),
                // The variable was on, but the account, a proxy or the driver says no.
                Way::LoadData(limit) if refuses_local(&error) => *way = Way::Insert(limit),
                _ if error.class() == Class::Conflict && attempt < ATTEMPTS => attempt += 1,
                _ => return Err(error),
            }
            let _ = c.query("ROLLBACK").await;
        }
    }

    async fn part(
        &self,
        way: Way,
        what: What,
        w: u64,
        population: &mut Population,
        c: &mut Connection,
    ) -> Result<u64, Error> {
        let table = &TABLES[place(what)];
        let format = if matches!(way, Way::Insert(_)) { Format::Tuples } else { Format::Lines };
        let mut rows = Rows { population, what, w, format, next: 0, made: 0, load: self };
        c.query(self.tables.form.dialect.begin(true)).await?;
        match way {
            Way::LoadData(_) | Way::Copy => {
                let (name, columns) = (table.name, table.names());
                let sql = match way {
                    Way::Copy => format!("COPY {name} ({columns}) FROM STDIN"),
                    _ => format!(
                        "LOAD DATA LOCAL INFILE 'tenbin' INTO TABLE {name} CHARACTER SET binary \
                         FIELDS TERMINATED BY '\\t' LINES TERMINATED BY '\\n' ({columns})"
                    ),
                };
                let took = c.load_local(&sql, &mut rows).await?.affected;
                // LOCAL makes errors of single rows warnings and passes over the row.
                if took != rows.made && !self.stop.asked() {
                    let what = format!("the server took {took} of {} rows into {}", rows.made, table.name);
                    return Err(Error::new(Class::Sql, what)
                        .mend("look whether anybody else writes to the table, and at the server's log"));
                }
            }
            Way::Insert(limit) => {
                let head = format!("INSERT INTO {} ({}) VALUES ", table.name, table.names());
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
        metadata::add(c, &metadata::part(what, w), &made.to_string()).await?;
        c.query("COMMIT").await?;
        Ok(made)
    }
}

/// Whether an error says that an index (1061) or a key (1826, 121, 1005 around 121) of that name is there.
fn there_already(error: &Error) -> bool {
    matches!(error.number(), Some(1061 | 1826 | 121))
        || (error.number() == Some(1005) && error.message().contains("121"))
        || (error.class() == Class::Sql && error.message().contains("already exists"))
}

/// Rows of a part, made as they are asked for.
struct Rows<'a> {
    population: &'a mut Population,
    what: What,
    w: u64,
    format: Format,
    next: u64,
    made: u64,
    load: &'a Load<'a>,
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
