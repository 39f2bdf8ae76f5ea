//! Our mark in a schema: the table `tenbin_mark` has a row for each table that we created. Only those are dropped.
//!
//! A table that somebody else drops and creates again under the same name is not ours any more: the mark knows which table it is about
//! ([`super::identity`]).

use crate::tables::admin::with_connection;
use crate::tables::catalogue::{Catalogue, Described, Kind};
use crate::tables::dialect::Dialect;
use crate::tables::identity;
use crate::tables::identity::is_missing;
pub use crate::tables::identity::{MarkRow, NAME, TableIdentities};
pub use crate::tables::mark_table::{CREATE, create};
use std::collections::{HashMap, HashSet};
use tenbin_driver::{Connection, Connector, Error, Reply};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

const COLUMNS: [(&str, Kind); 5] = [
    ("name", Kind::Text),
    ("dataset", Kind::Text),
    ("size_rows", Kind::Integer),
    ("complete", Kind::Integer),
    ("options", Kind::Text),
];

/// One marked table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// Its name.
    pub name: String,
    /// The kind of data set that it belongs to.
    pub dataset: String,
    /// Whether its load was completed.
    pub complete: bool,
    /// Who made it, and the identity of the table.
    made_by: String,
}

/// The marks of existing tables, of all data sets.
pub async fn read(c: &mut Connection, catalogue: &Catalogue) -> Result<Result<Vec<Marked>, Problem>, Error> {
    Ok(all_rows(c, catalogue.get(NAME))
        .await?
        .map(|all| all.into_iter().filter(|mark| catalogue.contains_key(&mark.name)).collect()))
}

/// All marks, whether their tables exist or not. `table`: the mark's own table.
async fn all_rows(c: &mut Connection, table: Option<&Described>) -> Result<Result<Vec<Marked>, Problem>, Error> {
    let Some(table) = table else { return Ok(Ok(Vec::new())) };
    if let Some(problem) = not_the_mark(table) {
        return Ok(Err(problem));
    }
    let rows = identity::rows(c, None).await?.into_iter().filter(|row| row.current);
    Ok(Ok(rows
        .map(|row| Marked { name: row.name, dataset: row.dataset, complete: row.complete, made_by: row.made_by })
        .collect()))
}

/// All marks of a schema that has the mark's table.
pub async fn of_schema(c: &mut Connection, schema: &str) -> Result<Vec<MarkRow>, Error> {
    identity::rows(c, Some(schema)).await
}

/// Those of these tables whose marks are about earlier tables of their names.
pub async fn replaced(c: &mut Connection, catalogue: &Catalogue) -> Result<Vec<String>, Error> {
    if catalogue.get(NAME).is_none_or(|table| not_the_mark(table).is_some()) {
        return Ok(Vec::new());
    }
    let rows = identity::rows(c, None).await?.into_iter();
    Ok(rows.filter(|row| !row.current && catalogue.contains_key(&row.name)).map(|row| row.name).collect())
}

/// What is told about a table that was replaced by another of its name.
pub fn was_replaced(table: &str) -> Problem {
    Problem::new(msg!("table-without-mark", table))
        .evidence(msg!("mark-of-earlier-table", mark = NAME))
        .hint(msg!("use-tables-or-drop-yourself", table))
}

/// Why a table with the mark's name is not the mark.
fn not_the_mark(table: &Described) -> Option<Problem> {
    let problem = crate::tables::catalogue::misshapen(NAME, table, &COLUMNS)?;
    let (what, hint) = (msg!("mark-table-not-ours", table = NAME), msg!("rename-mark-table", table = NAME));
    Some(Problem { what, hint: Some(hint), ..problem })
}

/// Those of these tables that exist without a mark. Blocks the calling thread.
pub fn without(connector: &Connector, names: &[String]) -> Result<Vec<String>, Problem> {
    let Some((tables, marked)) = with_marks(connector, names)? else { return Ok(Vec::new()) };
    let foreign = |name: &&String| tables.contains_key(*name) && !marked.contains(*name);
    Ok(names.iter().filter(foreign).cloned().collect())
}

/// Those of these tables that exist, and the names of all that have a mark; `None` if the server keeps no tables.
fn with_marks(connector: &Connector, names: &[String]) -> Result<Option<NamedAndMarked>, Problem> {
    let scheme = connector.dsn().scheme;
    if !scheme.kind().keeps_tables {
        return Ok(None);
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        if c.server_version().contains("null-server") {
            return Ok(Ok(None));
        }
        let all_names: Vec<&str> = names.iter().map(String::as_str).chain([NAME]).collect();
        let tables = match crate::tables::catalogue::read_named(Dialect::of(scheme), c, &all_names).await? {
            Ok(tables) => tables,
            Err(problem) => return Ok(Err(problem)),
        };
        let marked = read(c, &tables).await?;
        Ok(marked.map(|marked| Some((tables, marked.into_iter().map(|m| m.name).collect()))))
    })
}

/// Tables by name, and the names of those that have a mark.
type NamedAndMarked = (Catalogue, HashSet<String>);

/// Marks a table that was just created, before its rows are loaded, so that an interrupted load can be cleaned up.
/// `options` are stored for information; both must not contain quotes.
pub async fn leave(c: &mut Connection, name: &str, dataset: &str, size_rows: u64, options: &str) -> Result<(), Error> {
    insert(c, name, dataset, (size_rows, false), options).await
}

/// The same for a table that is complete already, or is with the transaction of which this is a part.
pub async fn leave_complete(
    c: &mut Connection,
    name: &str,
    dataset: &str,
    size_rows: u64,
    options: &str,
) -> Result<(), Error> {
    insert(c, name, dataset, (size_rows, true), options).await
}

/// Called before Tenbin changes the definition of tables that it has marked, on servers for which they are other tables then; ends with
/// [`complete`].
pub async fn loosen(c: &mut Connection, names: &[impl AsRef<str>]) -> Result<(), Error> {
    identity::loosen(c, names).await
}

/// Lets the marks mean the tables that have their names now: after a golden copy has put back tables and marks, or after [`loosen_all`]. Blocks the
/// calling thread.
pub fn renew(connector: &Connector) -> Result<(), Problem> {
    renew_but(connector, &TableIdentities::new())
}

/// The same after a command of the user that may have put them back: tables that were without a mark `before` ([`unmarked`]), and that it has not
/// replaced, do not become ours by a mark that has their name. Blocks the calling thread.
pub fn renew_but(connector: &Connector, before: &TableIdentities) -> Result<(), Problem> {
    all_marks(connector, async |c| identity::renew(c, before).await)
}

/// The tables of the schema that have no mark, or one of an earlier table of their name. Blocks the calling thread.
pub fn unmarked(connector: &Connector) -> Result<TableIdentities, Problem> {
    all_marks(connector, async |c| identity::unmarked(c).await)
}

/// Called before the files of the server are copied: the tables of the copy will be others to the server, and [`renew`] is called when they are put
/// back. Blocks the calling thread.
pub fn loosen_all(connector: &Connector) -> Result<(), Problem> {
    all_marks(connector, async |c| identity::loosen_all(c).await)
}

/// Called before clients that may send TRUNCATE: the tables that our marks are about are to remain ours. Blocks the calling thread, for a second at most.
pub fn settle(connector: &Connector) -> Result<(), Problem> {
    all_marks(connector, async |c| identity::settle(c).await)
}

/// Reads or changes the marks, if there are any.
fn all_marks<T: Default>(
    connector: &Connector,
    work: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>,
) -> Result<T, Problem> {
    if !connector.dsn().scheme.kind().keeps_tables {
        return Ok(T::default());
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        if c.server_version().contains("null-server") {
            return Ok(Ok(T::default()));
        }
        match work(c).await {
            Err(e) if is_missing(&e) => Ok(Ok(T::default())),
            outcome => outcome.map(Ok),
        }
    })
}

/// One statement, and thus one commit, if nothing unusual has happened: with thousands of tables each counts.
async fn insert(
    c: &mut Connection,
    name: &str,
    dataset: &str,
    (size_rows, is_complete): (u64, bool),
    options: &str,
) -> Result<(), Error> {
    let made_by = identity::made_by(c, name).await?;
    write(c, name, (dataset, size_rows, is_complete), &made_by, options).await
}

/// `made_by`: an expression of SQL.
async fn write(
    c: &mut Connection,
    name: &str,
    (dataset, size_rows, is_complete): (&str, u64, bool),
    made_by: &str,
    options: &str,
) -> Result<(), Error> {
    let is_complete = u8::from(is_complete);
    let row = format!("'{name}', '{dataset}', {size_rows}, {is_complete}, {made_by}, CURRENT_TIMESTAMP, '{options}'");
    let sql = format!(
        "INSERT INTO tenbin_mark (name, dataset, size_rows, complete, made_by, created, options) VALUES ({row})"
    );
    let Err(error) = c.query(&sql).await else { return Ok(()) };
    if is_missing(&error) {
        // Another process has dropped the last marked table, and the mark with it, since ours was created.
        create(c).await?;
    } else if is_there(&error) {
        // A row of that name is left from a table that was dropped by somebody else.
        c.query(&format!("DELETE FROM tenbin_mark WHERE name='{name}'")).await?;
    } else {
        return Err(error);
    }
    c.query(&sql).await.map(|_| ())
}

/// Whether a row with this key exists.
fn is_there(e: &Error) -> bool {
    e.number() == Some(1062) || e.sqlstate() == Some("23505") || e.message().contains("UNIQUE constraint failed")
}

/// Marks a table as completely loaded, including indexes.
pub async fn complete(c: &mut Connection, name: &str) -> Result<(), Error> {
    all_complete(c, std::slice::from_ref(&name)).await
}

/// [`complete`] for several tables at once.
pub async fn all_complete(c: &mut Connection, names: &[impl AsRef<str>]) -> Result<(), Error> {
    for some in names.chunks(MOST_NAMES) {
        let bound = identity::bind(c, some).await?.map(|bound| format!(", {bound}")).unwrap_or_default();
        let names = c.quoting().texts(some);
        c.query(&format!("UPDATE tenbin_mark SET complete=1{bound} WHERE name IN ({names})")).await?;
    }
    Ok(())
}

/// Marks a new table of MySQL or MariaDB as complete, together with a mark that is there already: by one statement, because each is a commit.
pub async fn leave_complete_with(c: &mut Connection, name: &str, dataset: &str, other: &str) -> Result<(), Error> {
    let identity = identity::identities(c, &[name]).await?.pop().map_or_else(String::new, |(_, identity)| identity);
    let made_by = format!("tenbin {}{identity}", env!("CARGO_PKG_VERSION"));
    let row = |name: &str| format!("('{name}', '{dataset}', 0, 1, '{made_by}', CURRENT_TIMESTAMP, '')");
    let (own, other) = (row(name), row(other));
    let columns = "name, dataset, size_rows, complete, made_by, created, options";
    let sql = format!("INSERT INTO {NAME} ({columns}) VALUES {own}, {other} ON DUPLICATE KEY UPDATE complete=1");
    c.query(&sql).await.map(|_| ())
}

/// This many names are in one statement.
const MOST_NAMES: usize = 500;

/// Creates the mark's table, unless it exists; refuses another table of its name.
pub async fn make_sure(dialect: Dialect, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
    let tables = match crate::tables::catalogue::read_named(dialect, c, &[NAME]).await? {
        Ok(tables) => tables,
        Err(problem) => return Ok(Err(problem)),
    };
    match tables.get(NAME).map(not_the_mark) {
        None => create(c).await.map(Ok),
        Some(Some(problem)) => Ok(Err(problem)),
        Some(None) => Ok(Ok(())),
    }
}

/// This many tables lose their marks by one statement before they are dropped; one each would cost a commit each.
const DROPPED_TOGETHER: usize = 100;

/// Drops tables by name, marked or not, with their marks; also the mark itself if it has no more rows. `table`: the mark's
/// own table.
pub async fn drop_named(
    c: &mut Connection,
    table: Option<&Described>,
    names: &[String],
    tell: &dyn Fn(&str),
) -> Result<(), Error> {
    // A table of that name that is not ours is left alone.
    let marked = all_rows(c, table).await?.ok().filter(|_| table.is_some());
    let all: HashSet<&str> = names.iter().map(String::as_str).collect();
    // Before the tables: a mark without its table would claim a table that somebody else creates under its name.
    let remains = marked.is_some() && !drop_when_only(c, &all).await?;
    for some in names.chunks(DROPPED_TOGETHER) {
        if remains {
            let names = c.quoting().texts(some);
            let sql = format!("DELETE FROM tenbin_mark WHERE name IN ({names})");
            if_there(c.query(&sql).await).map_err(|e| e.sent(&sql, false))?;
        }
        for (at, name) in some.iter().enumerate() {
            tell(name);
            let sql = format!("DROP TABLE IF EXISTS {name}");
            if let Err(error) = c.query(&sql).await {
                mark_again(c, marked.iter().flatten().filter(|m| some[at..].contains(&m.name))).await;
                return Err(error.sent(&sql, false));
            }
        }
    }
    if remains {
        drop_when_empty(c).await?;
    }
    Ok(())
}

/// Marks tables again that were not dropped after all, if the server still accepts statements.
async fn mark_again(c: &mut Connection, tables: impl Iterator<Item = &Marked>) {
    for mark in tables {
        if write_again(c, mark).await.is_err() {
            return;
        }
    }
}

/// Writes the mark of a table again, about the table that it was about.
async fn write_again(c: &mut Connection, mark: &Marked) -> Result<(), Error> {
    // They are read from a table that others can write to.
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-+. ".contains(&b));
    if !plain(&mark.dataset) || !plain(&mark.made_by) {
        return Ok(());
    }
    write(c, &mark.name, (&mark.dataset, 0, mark.complete), &format!("'{}'", mark.made_by), "").await
}

/// Ignores that the mark may have been dropped by another process meanwhile.
pub(crate) fn if_there(outcome: Result<Reply, Error>) -> Result<Option<Reply>, Error> {
    match outcome {
        Err(e) if is_missing(&e) => Ok(None),
        outcome => outcome.map(Some),
    }
}

/// Drops the mark if it has no more rows.
pub(crate) async fn drop_when_empty(c: &mut Connection) -> Result<(), Error> {
    drop_when_only(c, &HashSet::new()).await.map(|_| ())
}

/// Drops the mark if it has rows of these tables only, while others are locked out from marking a table; returns whether it does
/// not exist any more.
async fn drop_when_only(c: &mut Connection, names: &HashSet<&str>) -> Result<bool, Error> {
    let outcome = match c {
        Connection::Mysql(_) => {
            // Without the privilege to lock it is done without a lock.
            let locked = c.query("LOCK TABLES tenbin_mark WRITE").await;
            let outcome = if locked.as_ref().is_err_and(is_missing) { Ok(true) } else { unless_others(c, names).await };
            let unlocked = c.query("UNLOCK TABLES").await;
            // If it was not locked, there is nothing to unlock.
            if locked.is_ok() {
                unlocked?;
            }
            outcome
        }
        Connection::Postgres(_) => {
            c.query("BEGIN").await?;
            let outcome = match c.query("LOCK TABLE tenbin_mark IN ACCESS EXCLUSIVE MODE").await {
                Ok(_) => unless_others(c, names).await,
                Err(e) => Err(e),
            };
            end(c, outcome).await
        }
        _ => {
            c.query("BEGIN IMMEDIATE").await?;
            let outcome = unless_others(c, names).await;
            end(c, outcome).await
        }
    };
    match outcome {
        Err(e) if is_missing(&e) => Ok(true),
        outcome => outcome,
    }
}

async fn unless_others(c: &mut Connection, names: &HashSet<&str>) -> Result<bool, Error> {
    let rows = c.table("SELECT name FROM tenbin_mark").await?.rows;
    let only = rows.iter().flatten().flatten().all(|name| names.contains(name.as_str()));
    if only {
        let sql = "DROP TABLE tenbin_mark";
        c.query(sql).await.map_err(|e| e.sent(sql, false))?;
    }
    Ok(only)
}

/// Ends a transaction: COMMIT if it succeeded.
async fn end<T>(c: &mut Connection, outcome: Result<T, Error>) -> Result<T, Error> {
    match outcome {
        Ok(value) => c.query("COMMIT").await.map(|_| value),
        Err(e) => {
            c.query("ROLLBACK").await?;
            Err(e)
        }
    }
}

/// Drops every table with this data set's mark, then the mark itself if it has no more rows. Refuses, and
/// drops nothing, if one of the tables `wanted` exists without it or if a marked table has another definition now.
pub async fn drop_marked(
    c: &mut Connection,
    catalogue: &Catalogue,
    dataset: &str,
    wanted: &[String],
    shape: &[(&str, Kind)],
) -> Result<Result<(), Problem>, Error> {
    drop_marked_if(c, catalogue, dataset, wanted, &|name, table| {
        // The names come from a table that others can write to: only names that we use are dropped.
        let digits = name.strip_prefix("sbtest").unwrap_or("");
        if name != "sbtest" && digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(msg!("not-a-name-of-ours"));
        }
        match crate::tables::catalogue::misshapen(name, table, shape) {
            Some(problem) => Err(problem.evidence.unwrap_or_else(|| foreign(""))),
            None => Ok(()),
        }
    })
    .await
}

/// Returns the reason if a marked table is not one of ours any more.
pub type Recognise<'a> = &'a dyn Fn(&str, &Described) -> Result<(), Message>;

/// [`drop_marked`] with any way to recognise our tables; `wanted` are dropped first, in their order.
pub async fn drop_marked_if(
    c: &mut Connection,
    catalogue: &Catalogue,
    dataset: &str,
    wanted: &[String],
    recognise: Recognise<'_>,
) -> Result<Result<(), Problem>, Error> {
    let marked = match read(c, catalogue).await? {
        Ok(marked) => marked,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut ours: Vec<&Marked> = marked.iter().filter(|m| m.dataset == dataset).collect();
    let order: HashMap<&str, usize> = wanted.iter().zip(0..).map(|(name, at)| (name.as_str(), at)).collect();
    ours.sort_by_key(|mark| order.get(mark.name.as_str()).copied().unwrap_or(usize::MAX));
    let known: HashSet<&str> = ours.iter().map(|m| m.name.as_str()).collect();
    let foreign = wanted.iter().find(|w| catalogue.contains_key(*w) && !known.contains(w.as_str()));
    if let Some(name) = foreign {
        if replaced(c, catalogue).await?.contains(name) {
            return Ok(Err(was_replaced(name)));
        }
        return Ok(Err(Problem::new(msg!("table-without-mark", table = name))
            .evidence(match catalogue.contains_key(NAME) {
                true => msg!("mark-without-row", mark = NAME),
                false => msg!("no-mark-table", table = NAME),
            })
            .hint(msg!("use-tables-or-drop-yourself", table = name))));
    }
    for mark in &ours {
        let name = &mark.name;
        let evidence = match catalogue.get(name) {
            Some(table) => recognise(name, table).err(),
            None => None,
        };
        if let Some(evidence) = evidence {
            return Ok(Err(not_ours(name, evidence)));
        }
    }
    for mark in &ours {
        if let Err(problem) = drop_one(c, mark, recognise).await? {
            return Ok(Err(problem));
        }
    }
    if catalogue.contains_key(NAME) {
        // Marks of tables that somebody else has dropped are useless.
        if_there(c.query(&format!("DELETE FROM tenbin_mark WHERE dataset='{dataset}'")).await)?;
        drop_when_empty(c).await?;
    }
    Ok(Ok(()))
}

/// Drops one table. Only the process that removes its row in the mark may drop it: if another process
/// was faster, the table that has the name now is not ours. Then it is inspected once more.
async fn drop_one(c: &mut Connection, mark: &Marked, recognise: Recognise<'_>) -> Result<Result<(), Problem>, Error> {
    let Marked { name, dataset, .. } = mark;
    let claim = format!("DELETE FROM tenbin_mark WHERE name='{name}' AND dataset='{dataset}'");
    let dialect = match c {
        Connection::Postgres(_) => Dialect::Postgres,
        Connection::Sqlite(_) => Dialect::Sqlite,
        Connection::Mysql(_) | Connection::Null(_) => Dialect::Mysql,
    };
    // In MySQL a DROP commits implicitly.
    let begun = match dialect {
        Dialect::Mysql => None,
        Dialect::Postgres => Some("BEGIN"),
        Dialect::Sqlite => Some("BEGIN IMMEDIATE"),
    };
    if let Some(begin) = begun {
        c.query(begin).await?;
    }
    let claimed = match c.query(&claim).await {
        Ok(reply) => reply.affected > 0,
        Err(e) => {
            if begun.is_some() {
                c.query("ROLLBACK").await?;
            }
            return if is_missing(&e) { Ok(Ok(())) } else { Err(e) };
        }
    };
    let outcome = if claimed { look_and_drop(c, dialect, name, recognise).await } else { Ok(Ok(())) };
    let well = matches!(outcome, Ok(Ok(())));
    match begun {
        Some(_) => _ = c.query(if well { "COMMIT" } else { "ROLLBACK" }).await?,
        // It still exists, and can be dropped another time.
        None if !well => {
            write_again(c, mark).await?;
        }
        None => {}
    }
    outcome
}

async fn look_and_drop(
    c: &mut Connection,
    dialect: Dialect,
    name: &str,
    recognise: Recognise<'_>,
) -> Result<Result<(), Problem>, Error> {
    let tables = match crate::tables::catalogue::read_named(dialect, c, &[name]).await? {
        Ok(tables) => tables,
        Err(problem) => return Ok(Err(problem)),
    };
    if let Some(evidence) = tables.get(name).and_then(|table| recognise(name, table).err()) {
        return Ok(Err(not_ours(name, evidence)));
    }
    c.query(&format!("DROP TABLE IF EXISTS {}", dialect.quoted(name))).await.map(|_| Ok(()))
}

fn not_ours(name: &str, evidence: Message) -> Problem {
    Problem::new(msg!("mark-names-foreign-table", mark = NAME, table = name)).evidence(evidence).hint(msg!(
        "delete-mark",
        mark = NAME,
        table = name
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use tenbin_model::dsn::Dsn;

    fn on<T: Send>(at: &Connector, work: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>) -> T {
        with_connection(at, foreign("testing"), async |c| work(c).await.map(Ok)).unwrap()
    }

    async fn all(c: &mut Connection, statements: &[&str]) -> Result<(), Error> {
        for sql in statements {
            c.query(sql).await?;
        }
        Ok(())
    }

    /// Between the inspection and the drop another process replaces the table by one that is not ours.
    #[test]
    fn a_table_that_was_replaced_meanwhile_is_not_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let dsn = Dsn::parse(&format!("sqlite:{}/db", dir.path().display())).unwrap();
        let at = &Connector::new(dsn, None).unwrap();
        for (meanwhile, left) in [
            (&[][..], "0"),
            (&["DROP TABLE sbtest1", "DELETE FROM tenbin_mark", "CREATE TABLE sbtest1(mine INTEGER)"], "1"),
            (&["DROP TABLE sbtest1", "DROP TABLE tenbin_mark"], "0"),
        ] {
            on(at, async |c| {
                create(c).await?;
                c.query("CREATE TABLE sbtest1(id INTEGER)").await?;
                leave(c, "sbtest1", "sysbench", 1, "").await
            });
            let first = Cell::new(true);
            let recognise = |_: &str, _: &Described| {
                if first.replace(false) {
                    std::thread::scope(|s| {
                        s.spawn(|| on(at, async |c| all(c, meanwhile).await)).join().unwrap();
                    });
                }
                Ok(())
            };
            with_connection(at, foreign("dropping"), async |c| {
                let tables = match crate::tables::catalogue::read(Dialect::Sqlite, c, "sbtest").await? {
                    Ok(tables) => tables,
                    Err(problem) => return Ok(Err(problem)),
                };
                drop_marked_if(c, &tables, "sysbench", &["sbtest1".to_owned()], &recognise).await
            })
            .unwrap();
            let names = |name: &str| {
                let sql = format!("SELECT count(*) FROM sqlite_master WHERE name='{name}'");
                on(at, async |c| Ok(c.table(&sql).await?.scalar().unwrap_or("").to_owned()))
            };
            assert_eq!((names("sbtest1").as_str(), names(NAME).as_str()), (left, "0"), "{meanwhile:?}");
            on(at, async |c| all(c, &["DROP TABLE IF EXISTS sbtest1"]).await);
        }
    }
}
