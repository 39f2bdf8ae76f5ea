//! SQLite, embedded: the database runs inside our own process, so its calls block the client's thread on purpose
//! (each client has a thread to itself, see `Connector::blocks`).
//!
//! Address: `sqlite:FILE?journal_mode=wal&synchronous=normal&begin=immediate`. Every option but `begin` and
//! `busy_timeout_ms` is a pragma, set on each connection; a journal mode that SQLite refuses is an error.

use crate::{Class, Error, Reply, Rows, Table, Value, real_text};
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags, Statement, ToSql};
use std::time::{Duration, Instant};
use tenbin_model::dsn::Dsn;
use tenbin_words::message::foreign;
use tenbin_words::msg;

/// One open SQLite connection.
pub struct SqliteConnection {
    // Statements borrow from the connection, which is boxed and never moves; the field order makes sure that they are
    // dropped first.
    prepared: Vec<Statement<'static>>,
    inner: Box<rusqlite::Connection>,
    version: String,
    /// The statement sent for `BEGIN`: a deferred transaction that starts to write fails at once if another one is
    /// writing.
    begin: &'static str,
}

impl std::fmt::Debug for SqliteConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SqliteConnection({})", self.inner.path().unwrap_or(""))
    }
}

impl SqliteConnection {
    /// `creates`: a database that is not there.
    pub(crate) fn open(dsn: &Dsn, creates: bool) -> Result<Self, Error> {
        let mut flags =
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        flags.set(OpenFlags::SQLITE_OPEN_CREATE, creates);
        let mut inner = rusqlite::Connection::open_with_flags(&dsn.database, flags).map_err(|e| {
            error(e).hint(match creates {
                true => msg!("is-file-writable", database = dsn.database),
                false => msg!("is-it-database-file", database = dsn.database),
            })
        })?;
        let number = |name: &str, default: u64| -> Result<u64, Error> {
            match dsn.options.get(name) {
                None => Ok(default),
                Some(v) => v.parse().map_err(|_| Error::new(Class::Refused, msg!("not-milliseconds", name, value = v))),
            }
        };
        PATIENCE.set(Duration::from_millis(number("busy_timeout_ms", 5000)?));
        inner.busy_handler(Some(wait_for_the_writer)).map_err(error)?;
        let begin = match dsn.options.get("begin").map(String::as_str) {
            None | Some("immediate") => "BEGIN IMMEDIATE",
            Some("deferred") => "BEGIN DEFERRED",
            Some("exclusive") => "BEGIN EXCLUSIVE",
            Some(other) => {
                return Err(Error::new(Class::Refused, msg!("begin-mode-unknown", value = other))
                    .hint(msg!("use-a-begin-mode")));
            }
        };
        let connection = SqliteConnection {
            prepared: Vec::new(),
            version: rusqlite::version().to_owned(),
            inner: Box::new(inner),
            begin,
        };
        let mut pragmas: Vec<_> =
            dsn.options.iter().filter(|(n, _)| !["begin", "busy_timeout_ms"].contains(&n.as_str())).collect();
        // The page size of a new file is fixed by the first write to it, and switching to WAL is a write.
        pragmas.sort_by_key(|(name, _)| !["page_size", "auto_vacuum"].contains(&name.as_str()));
        for (name, value) in pragmas {
            connection.pragma(name, value)?;
        }
        Ok(connection)
    }

    fn pragma(&self, name: &str, value: &str) -> Result<(), Error> {
        let word = |t: &str| !t.is_empty() && t.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        if !word(name) || !word(value) {
            return Err(
                Error::new(Class::Refused, msg!("not-a-pragma", name, value)).hint(msg!("sqlite-options-are-pragmas"))
            );
        }
        let mut got = None;
        let take = |row: &rusqlite::Row<'_>| {
            got = row.get_ref(0).ok().map(text_of);
            Ok(())
        };
        self.inner.pragma(None, name, value, take).map_err(error)?;
        // SQLite ignores unknown values, and keeps the old journal mode if it cannot change it.
        if name == "journal_mode"
            && !got.as_ref().is_some_and(|g| g.as_deref().unwrap_or("").eq_ignore_ascii_case(value))
        {
            return Err(Error::new(Class::Refused, msg!("journal-mode-refused", value, got = format_args!("{got:?}"))));
        }
        let known: i64 = self
            .inner
            .query_row("SELECT count(*) FROM pragma_pragma_list WHERE name = ?1", [name.to_lowercase()], |r| r.get(0))
            .map_err(error)?;
        if known == 0 {
            return Err(Error::new(Class::Refused, msg!("sqlite-has-no-pragma", version = self.version, name))
                .hint(msg!("sqlite-pragma-list")));
        }
        Ok(())
    }

    pub(crate) fn prepare(&mut self, sql: &str) -> Result<u32, Error> {
        let statement = self.inner.prepare(self.dialect(sql)).map_err(error)?;
        // SAFETY: the statement borrows `*self.inner`, which is heap-allocated, never replaced, and dropped after
        // `self.prepared` (fields drop in their order of declaration); the statement is never handed out.
        let statement = unsafe { std::mem::transmute::<Statement<'_>, Statement<'static>>(statement) };
        self.prepared.push(statement);
        Ok(self.prepared.len() as u32 - 1)
    }

    /// The names of the columns of a prepared statement.
    pub(crate) fn names(&self, statement: u32) -> Vec<String> {
        let statement = self.prepared.get(statement as usize);
        statement.map_or_else(Vec::new, |statement| statement.column_names().map(str::to_owned).collect())
    }

    pub(crate) fn execute(&mut self, statement: u32, values: &[Value<'_>]) -> Result<Reply, Error> {
        self.step(statement, values, |_| ())
    }

    pub(crate) fn fetch(&mut self, statement: u32, values: &[Value<'_>], rows: &mut Rows) -> Result<Reply, Error> {
        let width = self.prepared.get(statement as usize).map_or(0, Statement::column_count);
        rows.columns(width);
        self.step(statement, values, |row| {
            for column in 0..width {
                rows.push(match row.get_ref(column) {
                    Ok(ValueRef::Integer(n)) => Value::Int(n),
                    Ok(ValueRef::Real(x)) => Value::Float(x),
                    Ok(ValueRef::Text(t) | ValueRef::Blob(t)) => Value::Text(t),
                    Ok(ValueRef::Null) | Err(_) => Value::Null,
                });
            }
        })
    }

    /// Executes a prepared statement and passes each row to the callback.
    #[inline]
    fn step(
        &mut self,
        statement: u32,
        values: &[Value<'_>],
        mut show: impl FnMut(&rusqlite::Row<'_>),
    ) -> Result<Reply, Error> {
        let Some(statement) = self.prepared.get_mut(statement as usize) else {
            return Err(Error::new(Class::Sql, msg!("prepared-on-another-connection")));
        };
        if statement.parameter_count() != values.len() {
            return Err(without_value(statement, values.len()));
        }
        for (i, value) in values.iter().enumerate() {
            statement.raw_bind_parameter(i + 1, Bound(*value)).map_err(error)?;
        }
        let before = if statement.readonly() { 0 } else { self.inner.total_changes() };
        let mut rows = 0;
        let mut cursor = statement.raw_query();
        while let Some(row) = cursor.next().map_err(error)? {
            show(row);
            rows += 1;
        }
        drop(cursor);
        let affected = if statement.readonly() { 0 } else { self.inner.total_changes() - before };
        Ok(self.reply(rows, affected, rows.min(affected)))
    }

    fn reply(&self, rows: u64, affected: u64, changed_and_returned: u64) -> Reply {
        Reply { rows, affected, changed_and_returned, open: !self.inner.is_autocommit(), ..Reply::default() }
    }

    pub(crate) fn query(&mut self, sql: &str) -> Result<Reply, Error> {
        let before = self.inner.total_changes();
        let (mut all, mut both) = (0, 0);
        let mut batch = rusqlite::Batch::new(&self.inner, self.dialect(sql));
        while let Some(mut statement) = batch.next().map_err(error)? {
            if statement.parameter_count() > 0 {
                return Err(without_value(&statement, 0));
            }
            let (changes, mut rows) = (self.inner.total_changes(), 0);
            let mut cursor = statement.raw_query();
            while cursor.next().map_err(error)?.is_some() {
                rows += 1;
            }
            all += rows;
            both += rows.min(self.inner.total_changes() - changes);
        }
        Ok(self.reply(all, self.inner.total_changes() - before, both))
    }

    /// Keeps the rows of the last statement that has columns; `names` receives the names of these.
    pub(crate) fn query_rows(
        &mut self,
        sql: &str,
        rows: &mut Rows,
        mut names: Option<&mut Vec<String>>,
    ) -> Result<Reply, Error> {
        let before = self.inner.total_changes();
        let mut batch = rusqlite::Batch::new(&self.inner, self.dialect(sql));
        let (mut all, mut both) = (0, 0);
        while let Some(mut statement) = batch.next().map_err(error)? {
            if statement.parameter_count() > 0 {
                return Err(without_value(&statement, 0));
            }
            let columns = statement.column_count();
            if columns > 0 {
                rows.clear();
                rows.columns(columns);
                if let Some(names) = &mut names {
                    **names = statement.column_names().map(str::to_owned).collect();
                }
            }
            let (changes, mut count) = (self.inner.total_changes(), 0);
            let mut cursor = statement.raw_query();
            while let Some(row) = cursor.next().map_err(error)? {
                count += 1;
                for column in 0..columns {
                    let value = row.get_ref(column).unwrap_or(ValueRef::Null);
                    match (value, text_of(value)) {
                        (ValueRef::Text(bytes) | ValueRef::Blob(bytes), _) => rows.push(Value::Text(bytes)),
                        (_, Some(text)) => rows.push(Value::Text(text.as_bytes())),
                        (_, None) => rows.push(Value::Null),
                    }
                }
            }
            all += count;
            both += count.min(self.inner.total_changes() - changes);
        }
        Ok(self.reply(all, self.inner.total_changes() - before, both))
    }

    /// Its entry remains, with a statement that does nothing.
    pub(crate) fn forget(&mut self, statement: u32) -> Result<(), Error> {
        self.prepare("SELECT 0")?;
        if let (Some(nothing), Some(slot)) = (self.prepared.pop(), self.prepared.get_mut(statement as usize)) {
            *slot = nothing;
        }
        Ok(())
    }

    pub(crate) fn table(&mut self, sql: &str) -> Result<Table, Error> {
        let mut statement = self.inner.prepare(self.dialect(sql)).map_err(error)?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = Vec::new();
        let mut cursor = statement.raw_query();
        while let Some(row) = cursor.next().map_err(error)? {
            rows.push((0..columns.len()).map(|i| row.get_ref(i).ok().and_then(text_of)).collect());
        }
        drop(cursor);
        Ok(Table { columns, rows })
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    fn dialect<'s>(&self, sql: &'s str) -> &'s str {
        if sql.eq_ignore_ascii_case("BEGIN") { self.begin } else { sql }
    }
}

thread_local! {
    /// How long the connections of this thread wait for another writer.
    static PATIENCE: std::cell::Cell<Duration> = const { std::cell::Cell::new(Duration::from_secs(5)) };
    /// Since when they have been waiting.
    static WAITING: std::cell::Cell<Option<Instant>> = const { std::cell::Cell::new(None) };
}

/// Called when another writer holds the lock, for the `times`-th time in a row; returns whether to try again.
///
/// SQLite's own handler sleeps longer each time, up to 100 ms. Under steady load the writer that has the lock then
/// acquires it again and again, and the others starve (measured: one of four clients did all the work). Short, equal
/// pauses are fair.
fn wait_for_the_writer(times: i32) -> bool {
    if times == 0 {
        WAITING.set(Some(Instant::now()));
    }
    if WAITING.get().is_some_and(|since| since.elapsed() >= PATIENCE.get()) {
        return false;
    }
    std::thread::sleep(Duration::from_micros(100));
    true
}

/// A value bound without copying it.
struct Bound<'a>(Value<'a>);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Int(i) => ValueRef::Integer(i),
            Value::Float(f) => ValueRef::Real(f),
            // Its texts are UTF-8, and no text is equal to a BLOB: other bytes come from one.
            Value::Text(t) if std::str::from_utf8(t).is_err() => ValueRef::Blob(t),
            Value::Text(t) => ValueRef::Text(t),
        }))
    }
}

fn text_of(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(i) => Some(i.to_string()),
        ValueRef::Real(f) => Some(real_text(f)),
        ValueRef::Text(t) | ValueRef::Blob(t) => Some(String::from_utf8_lossy(t).into_owned()),
    }
}

fn error(e: rusqlite::Error) -> Error {
    /// A longer statement is not part of the message.
    const LONGEST: usize = 200;
    let message = match &e {
        rusqlite::Error::SqlInputError { msg, sql, .. } if sql.len() > LONGEST => msg.clone(),
        _ => e.to_string(),
    };
    // A statement that cannot be prepared.
    let code = if let rusqlite::Error::SqlInputError { error, .. } = &e { Some(error) } else { e.sqlite_error() };
    let Some(code) = code else { return Error::new(Class::Sql, foreign(message)) };
    let class = match code.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Class::Conflict,
        ErrorCode::DiskFull | ErrorCode::TooBig | ErrorCode::OutOfMemory => Class::Limit,
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => {
            Class::Refused
        }
        ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt => Class::Protocol,
        _ => Class::Sql,
    };
    let error = Error::new(class, foreign(message)).code(code.extended_code.unsigned_abs());
    match class {
        Class::Limit => error.hint(msg!("free-space-for-file")),
        Class::Protocol => error.hint(msg!("name-another-file-or-remove")),
        _ => error,
    }
}

/// SQLite takes NULL for a parameter without a value: a misspelled name would be measured as a statement that does nothing.
#[cold]
fn without_value(statement: &rusqlite::Statement<'_>, values: usize) -> Error {
    let name = statement.parameter_name(values + 1).unwrap_or("?").to_owned();
    Error::new(Class::Sql, msg!("sqlite-parameter-without-value", name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(dir: &tempfile::TempDir, options: &str) -> Result<SqliteConnection, Error> {
        let path = dir.path().join("test.db");
        let mut dsn = Dsn::parse(&format!("sqlite:{}", path.display())).unwrap();
        // Not through the address: the server variables of a plan are set this way too.
        let pairs = options.split('&').filter_map(|pair| pair.split_once('='));
        dsn.options.extend(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
        SqliteConnection::open(&dsn, true)
    }

    #[test]
    fn prepared_text_and_tables() {
        let dir = tempfile::tempdir().unwrap();
        let mut c = open(&dir, "journal_mode=wal&synchronous=normal").unwrap();
        c.query("CREATE TABLE t(id INTEGER PRIMARY KEY, c TEXT); INSERT INTO t VALUES (1, 'a'), (2, NULL)").unwrap();
        let point = c.prepare("SELECT c FROM t WHERE id=?").unwrap();
        let change = c.prepare("UPDATE t SET c=? WHERE id=?").unwrap();
        assert_eq!(c.execute(point, &[Value::Int(1)]).unwrap(), Reply { rows: 1, ..Reply::default() });
        assert_eq!(c.execute(point, &[Value::Int(9)]).unwrap(), Reply::default());
        assert_eq!(
            c.execute(change, &[Value::Text(b"x"), Value::Int(2)]).unwrap(),
            Reply { affected: 1, ..Reply::default() }
        );
        let table = c.table("SELECT id, c FROM t ORDER BY id").unwrap();
        assert_eq!(table.rows[1], [Some("2".to_owned()), Some("x".to_owned())]);
        assert_eq!(c.table("PRAGMA synchronous").unwrap().scalar(), Some("1"));
        let (all, mut rows) =
            (c.prepare("SELECT id, c, id/2.0 FROM t WHERE id>=? ORDER BY id").unwrap(), Rows::default());
        for _ in 0..2 {
            rows.clear();
            assert_eq!(c.fetch(all, &[Value::Int(2)], &mut rows).unwrap().rows, 1);
            let row = [0, 1, 2].map(|column| rows.get(0, column));
            assert_eq!(row, [Some(Value::Int(2)), Some(Value::Text(b"x")), Some(Value::Float(1.0))]);
        }
    }

    #[test]
    fn rows_that_a_change_returns_are_counted_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut c = open(&dir, "journal_mode=wal").unwrap();
        c.query("CREATE TABLE t(id INTEGER PRIMARY KEY, c REAL)").unwrap();
        let insert = "INSERT INTO t(c) VALUES (1), (2) RETURNING id";
        let prepared = c.prepare(insert).unwrap();
        let mut rows = Rows::default();
        let replies = [c.execute(prepared, &[]), c.query(insert), c.query_rows(insert, &mut rows, None)];
        assert_eq!(replies.map(|reply| reply.unwrap().all_rows()), [2, 2, 2]);
        assert_eq!(c.query(&format!("SELECT 1; {insert}; UPDATE t SET c = 3")).unwrap().all_rows(), 1 + 2 + 8);
        assert_eq!(c.table("SELECT c FROM t").unwrap().scalar(), Some("3.0"));
    }

    #[test]
    fn the_bytes_of_a_blob_are_kept_and_find_it_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut c = open(&dir, "journal_mode=wal").unwrap();
        c.query("CREATE TABLE t(k BLOB PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (x'00FF27', 7)").unwrap();
        let (mut rows, mut names) = (Rows::default(), Vec::new());
        c.query_rows("SELECT k, n FROM t", &mut rows, Some(&mut names)).unwrap();
        assert_eq!((rows.text(0, 0), names.join(" ").as_str()), (Some(&b"\x00\xff'"[..]), "k n"));
        let point = c.prepare("SELECT n FROM t WHERE k = ?").unwrap();
        assert_eq!(c.execute(point, &[Value::Text(b"\x00\xff'")]).unwrap().rows, 1);
    }

    #[test]
    fn a_statement_that_cannot_be_prepared_has_a_code() {
        let dir = tempfile::tempdir().unwrap();
        let mut c = open(&dir, "journal_mode=wal").unwrap();
        let error = c.prepare("SELEC 1").unwrap_err();
        assert_eq!((error.number(), error.message()), (Some(1), "near \"SELEC\": syntax error in SELEC 1 at offset 0"));
        let long = format!("SELEC {}1", "1+".repeat(200));
        assert_eq!(c.prepare(&long).unwrap_err().message(), "near \"SELEC\": syntax error");
    }

    #[test]
    fn a_second_writer_meets_a_conflict() {
        let dir = tempfile::tempdir().unwrap();
        let mut a = open(&dir, "journal_mode=wal&busy_timeout_ms=1").unwrap();
        let mut b = open(&dir, "busy_timeout_ms=1").unwrap();
        a.query("CREATE TABLE t(id)").unwrap();
        a.query("BEGIN").unwrap();
        let error = b.query("BEGIN").unwrap_err();
        assert_eq!((error.class(), error.number()), (Class::Conflict, Some(5)));
        a.query("ROLLBACK").unwrap();
        b.query("BEGIN").unwrap();
    }

    #[test]
    fn an_old_snapshot_that_wants_to_write_is_a_conflict() {
        let dir = tempfile::tempdir().unwrap();
        let mut a = open(&dir, "journal_mode=wal&begin=deferred").unwrap();
        let mut b = open(&dir, "").unwrap();
        a.query("CREATE TABLE t(id); INSERT INTO t VALUES (1)").unwrap();
        a.query("BEGIN").unwrap();
        a.query("SELECT * FROM t").unwrap();
        b.query("INSERT INTO t VALUES (2)").unwrap();
        let error = a.query("INSERT INTO t VALUES (3)").unwrap_err();
        // SQLITE_BUSY_SNAPSHOT: waiting would not help, so it is returned at once, but the transaction may be retried.
        assert_eq!((error.class(), error.number()), (Class::Conflict, Some(517)));
        a.query("ROLLBACK").unwrap();
        a.query("INSERT INTO t VALUES (3)").unwrap();
    }

    #[test]
    fn pragmas_take_effect_on_a_new_file() {
        let dir = tempfile::tempdir().unwrap();
        let mut c = open(&dir, "journal_mode=wal&page_size=8192&cache_size=-3000&mmap_size=65536").unwrap();
        for (pragma, value) in
            [("journal_mode", "wal"), ("page_size", "8192"), ("cache_size", "-3000"), ("mmap_size", "65536")]
        {
            assert_eq!(c.table(&format!("PRAGMA {pragma}")).unwrap().scalar(), Some(value), "{pragma}");
        }
    }

    #[test]
    fn wrong_options_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        for options in
            ["journal_mode=nonsense", "no_such_pragma=1", "begin=later", "busy_timeout_ms=x", "cache_size=1;drop"]
        {
            let error = open(&dir, options).unwrap_err();
            assert_eq!(error.class(), Class::Refused, "{options}: {error}");
        }
        let error = SqliteConnection::open(&Dsn::parse("sqlite:/nonexistent/dir/x.db").unwrap(), true).unwrap_err();
        assert_eq!(error.class(), Class::Refused, "{error}");
        std::fs::write(dir.path().join("test.db"), [b'x'; 5000]).unwrap();
        assert_eq!(open(&dir, "journal_mode=wal").unwrap_err().class(), Class::Protocol);
    }
}
