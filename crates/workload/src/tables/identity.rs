//! Which table a mark is about: one that somebody else drops and creates again under the same name is not ours any more. Used by [`super::mark`].
//!
//! The column `made_by` of a mark ends in the identity of its table:
//!
//! | database | identity | it lasts over | it is another one after |
//! |---|---|---|---|
//! | PostgreSQL | the OID | everything but DROP | a dump that is put back |
//! | MySQL, MariaDB | the time at which the server says that the table was created | restarts, ANALYZE, TRUNCATE, DML | ALTER TABLE, CREATE INDEX, OPTIMIZE; a copy of the files (5.7, MariaDB) or a dump that is put back |
//! | the same, if the mark is written within the second in which the table was created | that time, and InnoDB's number of the table, until `settle` | restarts, ANALYZE, DML | these, and TRUNCATE |
//! | SQLite | a partial index without rows, which exists as long as the table | everything but DROP | a dump without indexes that is put back |
//!
//! (Measured on MariaDB 10.11, MySQL 5.7.22 and 8.0.31 with InnoDB.) A table whose identity is another one is not dropped and not written to, even if it
//! may be ours. So that Tenbin's own ways do not end there, a mark of MySQL has no identity before the table is complete (`bind`), while Tenbin changes it (`loosen`), in a
//! golden copy, and where the server names no time (`CREATE_TIME` is NULL); and it gets that of now when a golden copy or a command of the user has put
//! back tables (`renew`), unless it is a table that was not ours before and that was left as it was. Thousands of tables are bound by few statements. A
//! mark without an identity, as older versions wrote them, is about the table that has its name.
//!
//! A comment in the table would be as good on MySQL, but under the names of other tools its definition is theirs, word for word. InnoDB's number of a table
//! needs the privilege PROCESS: without it a table that is dropped and created again within that second is not told from ours.

use std::collections::{BTreeMap, HashMap, HashSet};
use tenbin_driver::{Class, Connection, Error};

/// The mark's own name.
pub const NAME: &str = "tenbin_mark";

/// What stands before the OID of a table.
const OID: &str = " oid ";

/// What stands before the seconds since 1970 at which a table was created.
const CREATED: &str = " created ";

/// What stands between these and InnoDB's number of the table.
const NUMBER: &str = " id ";

/// What says that a table has our index.
const INDEXED: &str = " indexed";

/// This many tables are asked about by one statement.
const AT_ONCE: usize = 500;

/// A row of the mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkRow {
    /// The name of the table.
    pub name: String,
    /// The kind of data set that it belongs to.
    pub dataset: String,
    /// Whether its load was completed.
    pub complete: bool,
    /// What was stored for information.
    pub options: String,
    /// The rows that were loaded.
    pub size_rows: u64,
    pub(crate) made_by: String,
    /// Whether it is about the table that has the name now, if there is one.
    pub current: bool,
}

/// The marks of a schema; without the row that says which run uses the tables. `None`: of the schema of the connection.
pub(crate) async fn rows(c: &mut Connection, schema: Option<&str>) -> Result<Vec<MarkRow>, Error> {
    let (quoting, current) = (c.quoting(), current(c, schema));
    let within = schema.map_or_else(String::new, |schema| format!("{}.", quoting.name(schema)));
    let sql = format!(
        "SELECT name, dataset, complete, options, size_rows, made_by, CASE WHEN {current} THEN 1 ELSE 0 END \
         FROM {within}{NAME} WHERE dataset <> 'run' OR name <> 'run' ORDER BY name"
    );
    let read = c.table(&sql).await?.rows.into_iter().filter_map(|row| {
        let all = <[_; 7]>::try_from(row).ok()?.map(Option::unwrap_or_default);
        let [name, dataset, complete, options, size_rows, made_by, current] = all;
        let (complete, size_rows, current) = (complete == "1", size_rows.parse().unwrap_or(0), current == "1");
        Some(MarkRow { name, dataset, complete, options, size_rows, made_by, current })
    });
    let mut all: Vec<MarkRow> = read.collect();
    if matches!(c, Connection::Mysql(_)) {
        let bound: Vec<&str> =
            all.iter().filter(|row| row.made_by.contains(CREATED)).map(|row| row.name.as_str()).collect();
        let now = created(c, schema, &bound).await?;
        for row in &mut all {
            let then = row.made_by.split_once(CREATED).map(|(_, time)| time);
            let then = then.map(|then| then.split_once(NUMBER).map_or(then, |(time, _)| time));
            let other = now.get(&row.name).is_some_and(|now| then.is_some_and(|then| now.time != then));
            row.current = !other;
        }
        let number = |row: &MarkRow| row.made_by.rsplit_once(NUMBER).map(|(_, number)| number.to_owned());
        let numbered: Vec<&str> = all.iter().filter(|row| number(row).is_some()).map(|row| row.name.as_str()).collect();
        let numbers = numbers(c, schema, &numbered).await?;
        for row in &mut all {
            let other = numbers.get(&row.name).is_some_and(|now| number(row).is_some_and(|then| *now != then));
            row.current &= !other;
        }
    }
    Ok(all)
}

/// The condition for marks that are about the tables of now, as far as it can be expressed in SQL.
fn current(c: &Connection, schema: Option<&str>) -> String {
    let within =
        schema.map_or_else(String::new, |schema| format!("{} || '.' || ", c.quoting().text(&c.quoting().name(schema))));
    match c {
        Connection::Postgres(_) => format!(
            "(strpos(made_by, '{OID}') = 0 OR to_regclass({within}quote_ident(name)) IS NULL \
             OR split_part(made_by, '{OID}', 2) = to_regclass({within}quote_ident(name))::oid::text)"
        ),
        Connection::Sqlite(_) => format!(
            "(instr(made_by, '{INDEXED}') = 0 OR NOT EXISTS (SELECT 1 FROM sqlite_master t WHERE t.name = {NAME}.name AND \
             t.type IN ('table', 'view')) OR EXISTS (SELECT 1 FROM sqlite_master i WHERE i.type = 'index' \
             AND i.tbl_name = {NAME}.name AND i.name = '{INDEX}' || {NAME}.name))"
        ),
        _ => "1 = 1".to_owned(),
    }
}

/// When a table was created.
struct Created {
    /// Seconds since 1970; empty if the server does not say.
    time: String,
    /// Whether that second has not passed yet.
    is_now: bool,
}

/// When tables were created, of those that exist.
async fn created(c: &mut Connection, schema: Option<&str>, names: &[&str]) -> Result<HashMap<String, Created>, Error> {
    let mut all = HashMap::new();
    let schema = schema.map_or_else(|| "DATABASE()".to_owned(), |schema| c.quoting().text(schema));
    for some in names.chunks(AT_ONCE) {
        let sql = format!(
            "SELECT TABLE_NAME, UNIX_TIMESTAMP(CREATE_TIME), UNIX_TIMESTAMP(CREATE_TIME) >= UNIX_TIMESTAMP() \
             FROM information_schema.TABLES WHERE TABLE_SCHEMA={schema} AND TABLE_NAME IN ({})",
            c.quoting().texts(some)
        );
        all.extend(c.table(&sql).await?.rows.into_iter().filter_map(|row| {
            let [name, time, is_now] = <[_; 3]>::try_from(row).ok()?;
            let is_now = is_now.as_deref() == Some("1");
            Some((name?, Created { time: time.unwrap_or_default(), is_now }))
        }));
    }
    Ok(all)
}

/// The names that InnoDB has for tables of a schema; `None` if they would have to be encoded.
pub(crate) async fn innodb_names(
    c: &mut Connection,
    schema: Option<&str>,
    names: &[&str],
) -> Result<Option<Vec<String>>, Error> {
    let schema = match schema {
        Some(schema) => schema.to_owned(),
        None => c.table("SELECT DATABASE()").await?.scalar().unwrap_or_default().to_owned(),
    };
    let is_plain = |name: &&str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let all_plain = is_plain(&schema.as_str()) && names.iter().all(is_plain);
    Ok(all_plain.then(|| names.iter().map(|name| format!("{schema}/{name}")).collect()))
}

/// InnoDB's numbers of tables, of those that exist; empty if the account may not see them.
pub(crate) async fn numbers(
    c: &mut Connection,
    schema: Option<&str>,
    names: &[&str],
) -> Result<HashMap<String, String>, Error> {
    let mut all = HashMap::new();
    if names.is_empty() {
        return Ok(all);
    }
    let Some(known) = innodb_names(c, schema, names).await? else { return Ok(all) };
    // The view has another name since MySQL 8.0.
    let views = ["INNODB_SYS_TABLES", "INNODB_TABLES"];
    for some in known.chunks(AT_ONCE) {
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        for view in views {
            let sql = format!(
                "SELECT SUBSTRING_INDEX(NAME, '/', -1), TABLE_ID FROM information_schema.{view} WHERE NAME IN ({})",
                c.quoting().texts(&some)
            );
            let Some(rows) = c.rows_if_visible(&sql).await? else { continue };
            all.extend(rows.into_iter().filter_map(|row| {
                let [name, number] = <[_; 2]>::try_from(row).ok()?;
                Some((name?, number?))
            }));
            break;
        }
    }
    Ok(all)
}

/// How the names of our indexes of SQLite begin.
const INDEX: &str = "tenbin_mark_of_";

/// Whether an index of SQLite is one of ours by its name.
pub(crate) fn is_index_of_mark(name: &str) -> bool {
    name.starts_with(INDEX)
}

/// Gives a table of SQLite our index. It has no rows, and is not considered for any query.
async fn index(c: &mut Connection, name: &str) -> Result<(), Error> {
    let (table, index) = (c.quoting().name(name), c.quoting().name(&format!("{INDEX}{name}")));
    c.query(&format!("CREATE INDEX IF NOT EXISTS {index} ON {table}((0)) WHERE 0")).await.map(|_| ())
}

/// What a mark of a table that exists now has in `made_by`, as an expression of SQL.
pub(crate) async fn made_by(c: &mut Connection, name: &str) -> Result<String, Error> {
    let tool = format!("tenbin {}", env!("CARGO_PKG_VERSION"));
    Ok(match c {
        Connection::Postgres(_) => {
            format!("'{tool}' || COALESCE('{OID}' || to_regclass(quote_ident('{name}'))::oid, '')")
        }
        // A virtual table cannot have one.
        Connection::Sqlite(_) => match index(c, name).await {
            Ok(()) => format!("'{tool}{INDEXED}'"),
            Err(_) => format!("'{tool}'"),
        },
        // It is bound when the table is complete.
        Connection::Mysql(_) | Connection::Null(_) => format!("'{tool}'"),
    })
}

fn created_at(tool: &str, time: &str) -> String {
    match time.is_empty() || !time.bytes().all(|b| b.is_ascii_digit()) {
        true => tool.to_owned(),
        false => format!("{tool}{CREATED}{time}"),
    }
}

/// Lets the marks of tables mean whatever has their names, because Tenbin is about to change the tables in a way that gives them another identity. Only
/// MySQL and MariaDB need it. [`bind`] ends it.
pub(crate) async fn loosen(c: &mut Connection, names: &[impl AsRef<str>]) -> Result<(), Error> {
    if !matches!(c, Connection::Mysql(_)) {
        return Ok(());
    }
    for some in names.chunks(AT_ONCE) {
        let names = c.quoting().texts(some);
        let prefix = format!("SUBSTRING_INDEX(made_by, '{CREATED}', 1)");
        c.query(&format!("UPDATE {NAME} SET made_by={prefix} WHERE name IN ({names})")).await?;
    }
    Ok(())
}

/// The assignment that gives the marks of these tables their identities of now, to be a part of an UPDATE; `None` where they have not changed.
pub(crate) async fn bind(c: &mut Connection, names: &[impl AsRef<str>]) -> Result<Option<String>, Error> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let prefix = format!("SUBSTRING_INDEX(made_by, '{CREATED}', 1)");
    let mut cases = String::new();
    for (name, identity) in identities(c, &names).await? {
        cases.push_str(&format!(" WHEN {} THEN CONCAT({prefix}, '{identity}')", c.quoting().text(&name)));
    }
    Ok((!cases.is_empty()).then(|| format!("made_by=CASE name{cases} ELSE made_by END")))
}

/// What the marks of these tables have at the end of `made_by` to be about the tables of now, of those that exist; nothing where it is not MySQL's.
pub(crate) async fn identities(c: &mut Connection, names: &[&str]) -> Result<Vec<(String, String)>, Error> {
    if !matches!(c, Connection::Mysql(_)) {
        return Ok(Vec::new());
    }
    let mut tables: Vec<(String, Created)> = created(c, None, names).await?.into_iter().collect();
    tables.sort_by(|(a, _), (b, _)| a.cmp(b));
    // Another table of the name could have the same time only if it were created within this second.
    let fresh: Vec<&str> = tables.iter().filter(|(_, at)| at.is_now).map(|(name, _)| name.as_str()).collect();
    let numbers = numbers(c, None, &fresh).await?;
    let identity = |(name, at): (String, Created)| {
        let mut identity = created_at("", &at.time);
        let is_digits = |number: &&String| number.bytes().all(|b| b.is_ascii_digit());
        let number = numbers.get(&name).filter(|number| !identity.is_empty() && is_digits(number));
        identity.extend(number.iter().flat_map(|number| [NUMBER, number.as_str()]));
        (name, identity)
    };
    Ok(tables.into_iter().map(identity).collect())
}

/// Tables by name, each with what tells it from one that had its name before, as far as the server says.
pub type TableIdentities = BTreeMap<String, String>;

/// The tables of the schema that have no mark, or one that is about an earlier table of their name.
pub(crate) async fn unmarked(c: &mut Connection) -> Result<TableIdentities, Error> {
    let marks = match rows(c, None).await {
        Ok(marks) => marks,
        // There is none, or another table has its name.
        Err(e) if e.class() == Class::Sql => Vec::new(),
        Err(e) => return Err(e),
    };
    let marked: HashSet<String> = marks.into_iter().filter(|row| row.current).map(|row| row.name).collect();
    let mut all = tables(c).await?;
    all.retain(|name, _| !marked.contains(name));
    if matches!(c, Connection::Mysql(_)) {
        // A command may replace them within the second in which they were created.
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        let created = created(c, None, &names).await?;
        let fresh: Vec<&str> = created.iter().filter(|(_, at)| at.is_now).map(|(name, _)| name.as_str()).collect();
        for (name, number) in numbers(c, None, &fresh).await? {
            all.entry(name).and_modify(|identity| *identity += &format!("{NUMBER}{number}"));
        }
    }
    Ok(all)
}

/// Those of these tables that are still there.
async fn left(c: &mut Connection, before: &TableIdentities) -> Result<TableIdentities, Error> {
    if before.is_empty() {
        return Ok(TableIdentities::new());
    }
    let mut now = tables(c).await?;
    let numbered: Vec<&str> =
        before.iter().filter(|(_, then)| then.contains(NUMBER)).map(|(name, _)| name.as_str()).collect();
    let numbers = numbers(c, None, &numbered).await?;
    now.retain(|name, now| match before.get(name).map(|then| then.split_once(NUMBER).ok_or(then)) {
        None => false,
        Some(Err(then)) => then == now,
        Some(Ok((time, number))) => time == now && numbers.get(name).is_none_or(|now| now == number),
    });
    Ok(now)
}

/// All tables of the schema.
async fn tables(c: &mut Connection) -> Result<TableIdentities, Error> {
    let sql = match c {
        Connection::Postgres(_) => {
            "SELECT c.relname, c.oid::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')"
        }
        // It does not say: one that has no index of ours keeps its name without being ours.
        Connection::Sqlite(_) => "SELECT name, '' FROM sqlite_master WHERE type = 'table'",
        _ => {
            "SELECT TABLE_NAME, UNIX_TIMESTAMP(CREATE_TIME) FROM information_schema.TABLES \
             WHERE TABLE_SCHEMA = DATABASE()"
        }
    };
    let pair = |row: Vec<Option<String>>| {
        let [name, identity] = <[_; 2]>::try_from(row).ok()?;
        Some((name?, identity.unwrap_or_default()))
    };
    Ok(c.table(sql).await?.rows.into_iter().filter_map(pair).collect())
}

/// Whether there is no such table.
pub(crate) fn is_missing(e: &Error) -> bool {
    matches!(e.number(), Some(1146 | 1051)) || e.sqlstate() == Some("42P01") || e.message().contains("no such table")
}

/// Lets all marks of the schema mean the tables that have their names now, but for those of tables that were not ours `before` and are still there.
pub(crate) async fn renew(c: &mut Connection, before: &TableIdentities) -> Result<(), Error> {
    let foreign = left(c, before).await?;
    if let Connection::Postgres(_) = c {
        let but = match foreign.is_empty() {
            true => String::new(),
            false => format!(" AND name NOT IN ({})", c.quoting().texts(foreign.keys())),
        };
        let renew = format!(
            "UPDATE {NAME} SET made_by = split_part(made_by, '{OID}', 1) || \
             COALESCE('{OID}' || to_regclass(quote_ident(name))::oid, '') WHERE strpos(made_by, '{OID}') > 0{but}"
        );
        return c.query(&renew).await.map(|_| ());
    }
    let mut all: Vec<String> = rows(c, None).await?.into_iter().map(|row| row.name).collect();
    all.retain(|name| !foreign.contains_key(name));
    if let Connection::Sqlite(_) = c {
        for name in &all {
            // Of a table that is not there, or that has its index.
            _ = index(c, name).await;
        }
        return Ok(());
    }
    for some in all.chunks(AT_ONCE) {
        if let Some(bound) = bind(c, some).await? {
            let names = c.quoting().texts(some);
            c.query(&format!("UPDATE {NAME} SET {bound} WHERE name IN ({names})")).await?;
        }
    }
    Ok(())
}

/// Removes the marks that are about tables that had their names before, and [loosens](loosen) the others: before the files of the server are
/// copied, because the tables of the copy will be others to MySQL and MariaDB, and [`renew`] is called when they are put back.
pub(crate) async fn loosen_all(c: &mut Connection) -> Result<(), Error> {
    let (ours, stale): (Vec<MarkRow>, Vec<MarkRow>) = rows(c, None).await?.into_iter().partition(|row| row.current);
    let names = |all: Vec<MarkRow>| all.into_iter().map(|row| row.name).collect::<Vec<_>>();
    for some in names(stale).chunks(AT_ONCE) {
        let names = c.quoting().texts(some);
        c.query(&format!("DELETE FROM {NAME} WHERE name IN ({names})")).await?;
    }
    loosen(c, &names(ours)).await
}

/// As often it is looked whether the second has passed. A clock that was set back is not waited for.
const ROUNDS: u32 = 8;

/// Takes InnoDB's numbers out of the marks, which TRUNCATE changes: once the second in which a table was created has passed, no other one can be created with
/// its time. Waits for the end of that second. Marks that are about earlier tables of their names remain as they are.
pub(crate) async fn settle(c: &mut Connection) -> Result<(), Error> {
    if !matches!(c, Connection::Mysql(_)) {
        return Ok(());
    }
    for _ in 0..ROUNDS {
        let numbered = rows(c, None).await?.into_iter().filter(|row| row.current && row.made_by.contains(NUMBER));
        let names: Vec<String> = numbered.map(|row| row.name).collect();
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        if created(c, None, &all).await?.values().any(|at| at.is_now) {
            // Others may create a table in the meantime: they are looked at again.
            c.query("DO SLEEP(0.2)").await?;
            continue;
        }
        for some in all.chunks(AT_ONCE) {
            let names = c.quoting().texts(some);
            let prefix = format!("SUBSTRING_INDEX(made_by, '{NUMBER}', 1)");
            c.query(&format!("UPDATE {NAME} SET made_by={prefix} WHERE name IN ({names})")).await?;
        }
        break;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::tables::admin::with_connection;
    use crate::tables::mark;
    use tenbin_driver::Connector;
    use tenbin_model::dsn::Dsn;
    use tenbin_words::message::foreign;

    fn execute(at: &Connector, statements: &[&str]) {
        with_connection(at, foreign("testing"), async |c| {
            for sql in statements {
                c.query(sql).await?;
            }
            Ok(Ok(()))
        })
        .unwrap();
    }

    /// A new file with a table of ours.
    fn with_table(dir: &std::path::Path, name: &str) -> Connector {
        let dsn = Dsn::parse(&format!("sqlite:{}/{name}", dir.display())).unwrap();
        let at = Connector::new(dsn, None).unwrap();
        with_connection(&at, foreign("testing"), async |c| {
            mark::create(c).await?;
            c.query("CREATE TABLE sbtest1(id INTEGER)").await?;
            mark::leave_complete(c, "sbtest1", "sysbench", 1, "").await.map(Ok)
        })
        .unwrap();
        at
    }

    #[test]
    fn only_what_a_command_has_replaced_becomes_ours() {
        let (dir, names) = (tempfile::tempdir().unwrap(), ["sbtest1".to_owned()]);
        let of_others = |at: &Connector| mark::without(at, &names).unwrap();
        let at = with_table(dir.path(), "a");
        execute(&at, &["CREATE TABLE x(id INTEGER)", "DROP TABLE sbtest1", "ALTER TABLE x RENAME TO sbtest1"]);
        assert_eq!(of_others(&at), names);
        mark::renew_but(&at, &mark::unmarked(&at).unwrap()).unwrap();
        assert_eq!(of_others(&at), names, "it is the table of somebody else still");
        mark::loosen_all(&at).unwrap();
        mark::renew(&at).unwrap();
        assert_eq!(of_others(&at), names, "also in a golden copy");

        let at = with_table(dir.path(), "b");
        let before = mark::unmarked(&at).unwrap();
        assert!(!before.contains_key("sbtest1"), "{before:?}");
        execute(&at, &["DROP TABLE sbtest1", "CREATE TABLE sbtest1(id INTEGER)"]);
        assert_eq!(of_others(&at), names);
        mark::renew_but(&at, &before).unwrap();
        assert!(of_others(&at).is_empty(), "a dump without indexes has put it back");
    }
}
