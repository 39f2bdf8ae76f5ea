//! The data set `sql`: tables that a file of the user creates, filled by generators.
//!
//! [`tables`] reads the description of the tables and has their rows, [`generator`] the values, [`call`] how generators are written, [`calendar`], [`text`]
//! and [`json`] what some of them need; [`fill`] loads a table, with [`insert`], which writes rows as statements or lines, and [`size`]; [`harm`] refuses what
//! changes tables of others. Tables that exist after the file was executed and did not before get our mark.

mod calendar;
mod call;
mod fill;
mod generator;
mod harm;
mod insert;
mod json;
mod schema;
mod size;
mod tables;
#[cfg(test)]
mod tests;
mod text;

use crate::language::{CommandKind, Names, Script};
use crate::{file, statement, told};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tables::FilledTables;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, OptionSpec, Resolved, ValueType, row};
use tenbin_workload::tables::admin::{unless_stopped, with_connection};
use tenbin_workload::tables::catalogue::{Described, Kind};
use tenbin_workload::tables::created::CreatedTable;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::stream::Counted;
use tenbin_workload::tables::{created, mark, writers};
use tenbin_workload::{Dataset, DatasetEntry, DatasetSlice, DatasetState, LoadSlices, Progress};

/// Its kind, and what its marks say.
const KIND: &str = "sql";

/// The bytes of a statement that inserts rows.
const STATEMENT: usize = 128 * 1024;

/// How long a stream that is stopped waits for the server to roll back.
const GRACE: Duration = Duration::from_secs(10);

pub(crate) const ENTRY: DatasetEntry = DatasetEntry {
    kind: KIND,
    about: "tables that your own file creates, filled by generators or by its own statements",
    options: &[OPTIONS],
    sizes: &[("parts_per_million", 1)],
    created_by_user: true,
    columns: |_| Vec::new(),
    ..DatasetEntry::made_by(|options, scheme| Ok(Box::new(SqlData::new(options, scheme)?)))
};

const OPTIONS: &[OptionSpec] = &[
    row("create", "", ValueType::Text, "the file that creates the tables"),
    row(
        "fill",
        "",
        ValueType::Text,
        "the tables that are filled: a section for each, with rows or size, and a generator for each column",
    ),
    row("after_load", "", ValueType::Text, "statements after the rows are loaded: a list, or text with semicolons"),
    row(
        "parts_per_million",
        "1000000",
        ValueType::Count(1, 1_000_000),
        "the part of the rows that is loaded, in millionths; --scale reduces it",
    ),
];

struct SqlData {
    path: String,
    scheme: Scheme,
    dialect: Dialect,
    create: Vec<(u32, Vec<u8>)>,
    after_load: Vec<(u32, Vec<u8>)>,
    /// Whether statements name the schema `public`.
    names_public: bool,
    tables: FilledTables,
    digest: String,
    /// The digest of what decides about the rows: `digest` without the statements after the load.
    digest_of_rows: String,
    /// The rows that were loaded or found, if tables have sizes.
    counted: Mutex<Option<u64>>,
    /// How many rows tables with a size had when they had it: the next load of the same rows gives them as many.
    reached: Mutex<BTreeMap<String, u64>>,
}

impl SqlData {
    fn new(options: &OptionMap, scheme: Scheme) -> Result<SqlData, Problem> {
        let o = Resolved(options);
        let path = o.text("create").to_owned();
        if path.is_empty() {
            return Err(Problem::new(msg!("sql-data-without-create")).hint(msg!("sql-data-example")));
        }
        let text = file::read(&path)?;
        let dialect = Dialect::of(scheme);
        let create = statements(&path, &text, dialect)?;
        harm::refuse(&path, &create, dialect)?;
        let after = o.text("after_load");
        let after_load =
            if after.trim().is_empty() { Vec::new() } else { statements("after_load", after.as_bytes(), dialect)? };
        harm::refuse_after(&create, &after_load, dialect)?;
        let mut tables = FilledTables::parse(o.text("fill"), o.count("parts_per_million"))?;
        schema::check(&path, &create, &tables, dialect)?;
        if dialect == Dialect::Postgres {
            schema::spell(&create, &mut tables, dialect);
        }
        let (mut digest, mut of_rows) = (Sha256::new_with_prefix(&text), Sha256::new_with_prefix(&text));
        // Where files of values lie changes nothing, and their content is added.
        let mut by_name = options.clone();
        rename_word_files(&mut by_name, |path| path.rsplit('/').next().unwrap_or(path).to_owned());
        for option in ["fill", "after_load", "parts_per_million"] {
            let text = format!("\0{option}={}", by_name.get(option).map_or("", String::as_str));
            digest.update(&text);
            if option != "after_load" {
                of_rows.update(&text);
            }
        }
        for words in word_files(options) {
            let words = file::read(&words)?;
            digest.update(&words);
            of_rows.update(&words);
        }
        Ok(SqlData {
            path,
            scheme,
            dialect,
            names_public: harm::names_public(&create, dialect) || harm::names_public(&after_load, dialect),
            create,
            after_load,
            tables,
            digest: tenbin_words::hex::hex(&digest.finalize()[..16]),
            digest_of_rows: tenbin_words::hex::hex(&of_rows.finalize()[..8]),
            counted: Mutex::new(None),
            reached: Mutex::default(),
        })
    }

    /// The tables that exist already although the file creates them, or the plan fills them.
    async fn in_the_way(&self, c: &mut Connection) -> Result<Vec<String>, Error> {
        let there = created::names(self.dialect, c).await?;
        let mut wanted = self.created();
        wanted.extend(self.tables.all.iter().map(|table| table.name.clone()));
        wanted.retain(|name| there.iter().any(|other| is_named(name, other)));
        wanted.dedup();
        Ok(wanted)
    }

    /// The tables that the file creates.
    fn created(&self) -> Vec<String> {
        self.create.iter().filter_map(|(_, text)| created_table(text, self.dialect)).collect()
    }

    /// Why the tables cannot be created where the connection is.
    async fn obstacle(&self, c: &mut Connection) -> Result<Option<Problem>, Error> {
        if let Some(table) = self.in_the_way(c).await?.first() {
            let problem = Problem::new(msg!("sql-table-in-the-way", table, script = self.path));
            return Ok(Some(problem.hint(msg!("sql-use-other-schema"))));
        }
        if self.names_public {
            let schema = c.table("SELECT current_schema()").await?;
            let schema = schema.scalar().unwrap_or_default();
            if schema != "public" {
                let problem = Problem::new(msg!("sql-file-names-public", script = self.path, schema));
                return Ok(Some(problem.hint(msg!("sql-leave-out-schema"))));
            }
        }
        Ok(None)
    }

    /// What users have made may change what is not ours, which its name does not show. Blocks the calling thread.
    fn refuse_writers(&self, connector: &Connector) -> Result<(), Problem> {
        let writers = writers::writers(connector)?;
        if let Some(((line, text), name)) = harm::using(&self.create, &writers, self.dialect) {
            return Err(harm::does_more(&self.path, *line, &name, text));
        }
        match harm::using(&self.after_load, &writers, self.dialect) {
            Some(((line, text), name)) => Err(harm::does_more_after(*line, &name, text)),
            None => Ok(()),
        }
    }

    /// Lets names mean again what they meant before statements that have changed where tables are looked for.
    async fn come_back(&self, c: &mut Connection, after: &[(u32, Vec<u8>)]) {
        if self.dialect == Dialect::Postgres && harm::leave_schema(after, self.dialect) {
            // In a transaction that has failed nothing can be set, and nothing was created.
            let _ = c.query("RESET search_path").await;
        }
    }

    async fn looked(&self, c: &mut Connection) -> Result<Result<DatasetState, Problem>, Error> {
        let ours = match created::ours(self.dialect, c, KIND).await? {
            Ok(ours) => ours,
            Err(problem) => return Ok(Err(problem)),
        };
        self.remember(&ours);
        let again =
            |problem: Problem| DatasetState::Different { ours: true, problem: problem.hint(msg!("load-script-again")) };
        Ok(Ok(if let Some(half) = ours.iter().find(|table| !table.complete) {
            again(Problem::new(msg!("table-half-loaded", table = half.name)))
        } else if let Some(other) = ours.iter().find(|table| whole(&table.digest) != self.digest) {
            let problem = Problem::new(msg!("tables-of-another-script", script = self.path));
            again(problem.evidence(msg!("mark-has-another-digest", table = other.name)))
        } else if !ours.is_empty() {
            self.found_rows(ours.iter().map(|table| table.rows).sum());
            DatasetState::Ready { ours: ours.iter().all(|table| table.current) }
        } else if let Some(problem) = self.obstacle(c).await? {
            DatasetState::Different { ours: false, problem }
        } else {
            DatasetState::Nothing
        }))
    }

    /// Creates the tables, and marks them as not loaded.
    async fn begin(&self, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
        if let Some(problem) = self.obstacle(c).await? {
            return Ok(Err(problem));
        }
        mark::create(c).await?;
        let before = created::names(self.dialect, c).await?;
        let sent: Vec<Vec<u8>> = self.create.iter().map(|(_, text)| text.to_ascii_lowercase()).collect();
        let sent = sent.join(&b'\n');
        let mut outcome = Ok(());
        for (_, text) in &self.create {
            outcome = c.query_bytes(text).await.map(|_| ());
            if outcome.is_err() {
                break;
            }
        }
        self.come_back(c, &self.create).await;
        // What was created before a mistake is ours too, and can be dropped.
        let marked =
            created::mark_new(self.dialect, c, (KIND, &self.marked_digest()), (&before, &sent[..]), (false, &shape))
                .await?;
        outcome?;
        Ok(marked.map(|_| ()))
    }

    /// What follows after all rows: the statements of the plan, and the marks of what is there then.
    async fn end(&self, c: &mut Connection, loaded: &[u64]) -> Result<Result<(), Problem>, Error> {
        let ours = match created::ours(self.dialect, c, KIND).await? {
            Ok(ours) => ours,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(other) = ours.iter().find(|table| !table.current) {
            return Ok(Err(mark::was_replaced(&other.name)));
        }
        for (_, text) in &self.after_load {
            c.query_bytes(text).await?;
        }
        self.come_back(c, &self.after_load).await;
        let names: Vec<&str> = ours.iter().map(|table| table.name.as_str()).collect();
        let catalogue = match tenbin_workload::tables::catalogue::read_named(self.dialect, c, &names).await? {
            Ok(catalogue) => catalogue,
            Err(problem) => return Ok(Err(problem)),
        };
        let parts = created::parts_of(c, &names).await?;
        for table in &ours {
            // A statement after the load may have changed the columns.
            let now = catalogue.get(&table.name).map(shape).unwrap_or_default();
            let filled = self.tables.all.iter().zip(loaded).find(|(filled, _)| is_named(&filled.name, &table.name));
            let rows = filled.map_or(0, |(_, rows)| *rows);
            let options = created::options_of((&self.marked_digest(), &now), &table.name, &parts);
            mark::leave_complete(c, &table.name, KIND, rows, &options).await?;
        }
        mark::all_complete(c, &names).await.map(Ok)
    }

    /// Inserts the rows of a slice with this many streams. Returns how many rows each table has got, and notes.
    fn insert(
        &self,
        connector: &Connector,
        (streams, seed): (u32, u64),
        slice: DatasetSlice,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<(Vec<u64>, Vec<Problem>), Problem> {
        let counted = Counted::new(progress, 0);
        // A table that is filled to a size has as many rows as it took: those after it refer to them.
        let (mut tables, mut loaded, mut notes) = (self.tables.clone(), Vec::new(), Vec::new());
        let reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for table in tables.all.iter_mut().filter(|table| table.size.is_some()) {
            if let Some((_, rows)) = reached.iter().find(|(name, _)| is_named(&table.name, name)) {
                (table.rows, table.size) = (*rows, None);
            }
        }
        // Tables one after the other, because they may refer to those before.
        for index in 0..tables.all.len() {
            let rows = slice.rows(tables.all[index].rows);
            let part = fill::Part { tables: &tables, place: index, rows, streams, seed };
            let (rows, note) = fill::fill(self, connector, &part, &counted, stop)?;
            notes.extend(note);
            loaded.push(rows);
            if tables.all[index].size.is_some() {
                tables.all[index].rows = rows;
            }
        }
        Ok((loaded, notes))
    }

    /// Loads all rows, and does what follows.
    fn load_all(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        self.refuse_writers(connector)?;
        with_connection(connector, msg!("loading"), async |c| self.begin(c).await)?;
        let (loaded, notes) =
            self.insert(connector, (streams, seed), DatasetSlice { number: 0, of: 1 }, progress, stop)?;
        if stop.asked() {
            return Ok(Vec::new());
        }
        unless_stopped(connector, msg!("loading"), stop, GRACE, async |c| self.end(c, &loaded).await)?;
        self.found_rows(loaded.iter().sum());
        Ok(notes)
    }

    /// What the marks say of it: also which rows it has, if their number is known only when they are loaded.
    fn marked_digest(&self) -> String {
        match self.tables.has_sizes() {
            true => format!("{}{OF_ROWS}{}", self.digest, self.digest_of_rows),
            false => self.digest.clone(),
        }
    }

    /// Remembers how many rows the tables with a size have that were loaded before: a server says a little earlier or later that a table has its size.
    fn remember(&self, ours: &[CreatedTable]) {
        let is_alike = |table: &&CreatedTable| {
            let of_rows = table.digest.split_once(OF_ROWS).map(|(_, of_rows)| of_rows);
            table.complete && table.rows > 0 && of_rows == Some(self.digest_of_rows.as_str())
        };
        let counts = ours.iter().filter(is_alike).map(|table| (table.name.clone(), table.rows));
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).extend(counts);
    }

    /// Remembers how many rows there are, which a table with a size shows only when it is loaded.
    fn found_rows(&self, rows: u64) {
        if self.tables.has_sizes() {
            *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = Some(rows);
        }
    }
}

/// What stands between the two digests of a mark.
const OF_ROWS: char = '-';

/// The digest of a mark that is about all that the data set is made of.
fn whole(digest: &str) -> &str {
    digest.split_once(OF_ROWS).map_or(digest, |(whole, _)| whole)
}

/// The files of values that the generators of a data set name: `file("colours.txt", zipfian(2))`.
pub(crate) fn word_files(options: &OptionMap) -> Vec<String> {
    let fill = options.get("fill").map(|fill| fill.replace('\\', "")).unwrap_or_default();
    let path = |rest: &str| {
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
        rest[1..].split_once(quote).map(|(path, _)| path.to_owned())
    };
    fill.split(FILE).skip(1).filter_map(path).collect()
}

/// Gives the files of values other names in the generators that name them.
pub(crate) fn rename_word_files(options: &mut OptionMap, mut name: impl FnMut(&str) -> String) {
    let Some(fill) = options.get_mut("fill") else { return };
    let (mut renamed, mut rest) = (String::new(), fill.as_str());
    while let Some((before, after)) = rest.split_once(FILE) {
        // What opens the text may be escaped, as all of `fill` is.
        let opens = |c: char| c.is_whitespace() || ['"', '\'', '\\'].contains(&c);
        let path = after.trim_start_matches(opens);
        let end = path.find(['"', '\'', '\\']).unwrap_or(0);
        renamed += &[before, FILE, &after[..after.len() - path.len()]].concat();
        renamed += &if end > 0 { name(&path[..end]) } else { String::new() };
        rest = &path[end..];
    }
    *fill = renamed + rest;
}

/// What a generator of values from a file begins with.
const FILE: &str = "file(";

/// The statements of a file, each with its line.
fn statements(path: &str, text: &[u8], dialect: Dialect) -> Result<Vec<(u32, Vec<u8>)>, Problem> {
    let script = Script::parse(path, text, dialect, &mut Names::default()).map_err(|error| told::mistake(&error))?;
    let mut all = Vec::new();
    for command in script.commands {
        match command.kind {
            // Only the first would be looked at.
            CommandKind::Sql(sql) if sql.statements > 1 => {
                let problem = Problem::new(msg!("sql-create-joins-statements", script = path, line = command.line));
                return Err(problem.evidence(foreign(command.first_line)).hint(msg!("sql-create-apart")));
            }
            CommandKind::Sql(sql) => all.push((command.line, sql.text.into_vec())),
            _ => {
                let problem = Problem::new(msg!("sql-create-has-command", script = path, line = command.line));
                return Err(problem.evidence(foreign(command.first_line)).hint(msg!("sql-create-sql-only")));
            }
        }
    }
    Ok(all)
}

/// Whether a name as the plan writes it, with quotes or a schema perhaps, is that of a table.
fn is_named(written: &str, table: &str) -> bool {
    let own = written.rsplit('.').next().unwrap_or(written);
    own.trim_matches(['`', '"']).eq_ignore_ascii_case(table)
}

/// A name without schema and quotes, in lower case.
fn bare(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).trim_matches(['`', '"']).to_lowercase()
}

/// The table that a statement creates.
fn created_table(text: &[u8], dialect: Dialect) -> Option<String> {
    // INSERTs may be long.
    if text.get(..6).is_some_and(|verb| verb.eq_ignore_ascii_case(b"insert")) {
        return None;
    }
    let what = statement::of_text(text, dialect);
    what.table.filter(|_| what.verb == "CREATE" && what.creates_table).map(|table| table.replace('"', ""))
}

/// Identifies the columns of a table: another one that got its name meanwhile is not ours.
fn shape(table: &Described) -> String {
    let kind = |kind: &Kind| match kind {
        Kind::Integer => "integer",
        Kind::Text => "text",
        Kind::Other => "other",
    };
    let columns: String = table.columns.iter().map(|(name, of)| format!("{name} {},", kind(of))).collect();
    tenbin_words::hex::hex(&Sha256::digest(columns.as_bytes())[..16])
}

impl Dataset for SqlData {
    fn kind(&self) -> &str {
        KIND
    }

    fn rows(&self) -> u64 {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or_else(|| self.tables.rows())
    }

    fn bytes(&self) -> u64 {
        self.tables.bytes()
    }

    fn statements(&self) -> Vec<String> {
        let text = |(_, text): &(u32, Vec<u8>)| String::from_utf8_lossy(text).into_owned();
        let fills = self.tables.all.iter().map(|table| match table.size {
            None => format!("{}…  -- {} rows", insert::head(table, self.dialect), table.rows),
            Some(bytes) => format!("{}…  -- until it has {bytes} bytes", insert::head(table, self.dialect)),
        });
        [mark::CREATE.to_owned()]
            .into_iter()
            .chain(self.create.iter().map(text))
            .chain(fills)
            .chain(self.after_load.iter().map(text))
            .collect()
    }

    fn creates(&self) -> Option<Vec<String>> {
        Some(self.created())
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(DatasetState::Ready { ours: false });
        }
        with_connection(connector, msg!("looking-at-tables"), async |c| self.looked(c).await)
    }

    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        self.load_all(connector, streams, seed, progress, stop)
    }

    fn has_slices(&self) -> bool {
        // How many rows a size takes is not known beforehand, so that they cannot be divided.
        !self.tables.has_sizes()
    }

    fn load_around(
        &self,
        connector: &Connector,
        _streams: u32,
        _seed: u64,
        rows: LoadSlices<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        self.refuse_writers(connector)?;
        with_connection(connector, msg!("loading"), async |c| self.begin(c).await)?;
        let (inserted, all) = (rows()?, self.rows());
        if inserted != all {
            return Err(Problem::new(msg!("sql-slices-are-not-the-whole", inserted, all)));
        }
        let loaded: Vec<u64> = self.tables.all.iter().map(|table| table.rows).collect();
        unless_stopped(connector, msg!("loading"), stop, GRACE, async |c| self.end(c, &loaded).await)?;
        Ok(Vec::new())
    }

    fn load_slice(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        slice: DatasetSlice,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        let (loaded, _) = self.insert(connector, (slice.streams(streams), seed), slice, progress, stop)?;
        Ok(loaded.iter().sum())
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        with_connection(connector, msg!("dropping-tables"), async |c| {
            created::drop_ours(self.dialect, c, KIND, &shape).await
        })
    }
}
