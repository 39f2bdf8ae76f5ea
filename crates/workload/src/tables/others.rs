//! Tables of a whole server that Tenbin did not create: restoring a copy of the server would bring them back to what they were
//! when the copy was made.

use crate::tables::admin::with_connection;
use crate::tables::dialect::NOT_OF_SQLITE;
use crate::tables::{identity, mark};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What others have on a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unmarked {
    /// Tables without our mark outside of the system's own schemas, as `schema.table`, or databases that are not looked into, as `database.*`; for
    /// MySQL those that the account can see.
    pub tables: Vec<String>,
    /// What else has contents: sequences, which are ours if the data set creates them, and large objects.
    pub contents: Vec<String>,
    /// Tables with our mark, of whatever data set.
    pub marked: Vec<MarkedTable>,
}

/// A table with our mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedTable {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// The kind of data set that it belongs to.
    pub dataset: String,
}

/// What others have on the whole server, and what Tenbin has made there. `own_sequences`: sequences may be those of the data set. Blocks the calling thread.
pub fn unmarked(connector: &Connector, own_sequences: bool) -> Result<Unmarked, Problem> {
    let scheme = connector.dsn().scheme;
    let mut result = with_connection(connector, msg!("looking-whose-tables"), async |c| match scheme {
        Scheme::Mysql => mysql(c).await.map(Ok),
        Scheme::Postgres => postgres(c, own_sequences).await.map(Ok),
        Scheme::Sqlite => Ok(Ok(Unmarked::of(&sqlite(c).await?, Vec::new()))),
        Scheme::Null | Scheme::Host => Ok(Ok(Unmarked::default())),
    })?;
    for database in beside(connector) {
        let inside = with_connection(&connector.at_database(database)?, msg!("looking-whose-tables"), async |c| {
            of_database(c, false).await.map(Ok)
        });
        let named = |name: String| format!("{database}.{name}");
        match inside {
            Ok(inside) => {
                result.tables.extend(inside.tables.into_iter().map(named));
                result.contents.extend(inside.contents.into_iter().map(named));
                let marked = inside.marked.into_iter();
                result.marked.extend(marked.map(|table| MarkedTable { schema: named(table.schema), ..table }));
            }
            // Nothing works in the other one.
            Err(_) if *database == *POSTGRES_AND_TEMPLATE[0] => result.tables.push(named("*".to_owned())),
            Err(_) => {}
        }
    }
    Ok(result)
}

/// The databases that a fresh server of PostgreSQL has, into which others may have put something.
const POSTGRES_AND_TEMPLATE: [&str; 2] = ["postgres", "template1"];

/// Those of them that are not the one of the connection; none on other servers.
pub(crate) fn beside(connector: &Connector) -> impl Iterator<Item = &'static str> {
    let databases = match connector.dsn().scheme {
        Scheme::Postgres => &POSTGRES_AND_TEMPLATE[..],
        Scheme::Mysql | Scheme::Sqlite | Scheme::Null | Scheme::Host => &[],
    };
    databases.iter().copied().filter(|database| *database != connector.dsn().database)
}

/// What an account can write to from a connection, as far as it is seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The schema in which the connection creates tables.
    pub schema: String,
    /// Those in which it looks for a table whose schema is not named, in this order.
    pub path: Vec<String>,
    /// The tables with our mark in `schema`.
    pub marked: Vec<String>,
    /// Tables without our mark, as `schema.table`: on PostgreSQL those of the database, elsewhere those of the whole server.
    pub foreign: Vec<String>,
    /// Names, without schemas and in lower case, of what stands for tables of which it is not known whose they are: views, foreign tables of
    /// PostgreSQL.
    pub views: Vec<String>,
    /// Sequences, as `schema.name`, and whether they are those of a table with our mark or have it themselves.
    pub sequences: Vec<(String, bool)>,
}

/// What can be written to; `None` if the server keeps no tables. Blocks the calling thread.
pub fn reach(connector: &Connector) -> Result<Option<Reach>, Problem> {
    let scheme = connector.dsn().scheme;
    if !scheme.kind().keeps_tables {
        return Ok(None);
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        if c.server_version().contains("null-server") {
            return Ok(Ok(None));
        }
        let (path, all, views) = match scheme {
            Scheme::Postgres => {
                let path = c.table("SELECT unnest(current_schemas(false))").await?;
                (path, of_schemas(c, POSTGRES).await?, c.table(VIEWS_OF_POSTGRES).await?)
            }
            Scheme::Sqlite => (c.table("SELECT 'main'").await?, sqlite(c).await?, c.table(VIEWS_OF_SQLITE).await?),
            _ => (c.table("SELECT DATABASE()").await?, of_schemas(c, MYSQL).await?, c.table(VIEWS_OF_MYSQL).await?),
        };
        let views = views.rows.into_iter().flatten().flatten().map(|name| name.to_lowercase()).collect();
        let path: Vec<String> = path.rows.into_iter().flatten().flatten().collect();
        let schema = path.first().cloned().unwrap_or_default();
        let marked =
            all.iter().filter(|table| table.marked.is_some() && table.schema == schema).map(|table| table.name.clone());
        let sequences = sequences(c, scheme, &all).await?;
        Ok(Ok(Some(Reach { marked: marked.collect(), foreign: foreign(&all), schema, path, views, sequences })))
    })
}

/// Which of these directories of a data directory of MySQL or MariaDB are no schemas that the account can see, as
/// `name.*`: an account without the privilege to see a schema is not shown its tables either. Blocks the calling thread.
pub fn hidden(connector: &Connector, directories: &[String]) -> Result<Vec<String>, Problem> {
    let visible = with_connection(connector, msg!("looking-whose-tables"), async |c| {
        c.table("SELECT schema_name FROM information_schema.schemata").await.map(Ok)
    })?;
    let visible: BTreeSet<String> = visible.rows.into_iter().filter_map(|row| row.into_iter().next()?).collect();
    let hides = |name: &&String| !decoded(name).is_some_and(|schema| visible.contains(&schema));
    Ok(directories.iter().filter(hides).map(|name| format!("{name}.*")).collect())
}

/// The name of a schema from that of its directory: characters other than ASCII letters, digits and `_` are written as `@` and
/// four hexadecimal digits (MySQL manual 9.2.4). `None` for the other, rarer form.
fn decoded(directory: &str) -> Option<String> {
    let mut parts = directory.split('@');
    let mut name = parts.next()?.to_owned();
    for part in parts {
        let code = u32::from_str_radix(part.get(..4)?, 16).ok()?;
        name.push(char::from_u32(code)?);
        name.push_str(&part[4..]);
    }
    Some(name)
}

/// The tables of MySQL and MariaDB that are not the system's. MariaDB has a type of its own for those that keep their history.
const MYSQL: &str = "SELECT table_schema, table_name FROM information_schema.tables \
     WHERE table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND \
     LOWER(table_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')";

/// MariaDB's sequences, which are tables to it, and get our mark with those of a data set.
const SEQUENCES_OF_MYSQL: &str =
    "SELECT table_schema, table_name FROM information_schema.tables WHERE table_type = 'SEQUENCE'";

async fn mysql(c: &mut Connection) -> Result<Unmarked, Error> {
    let tables = of_schemas(c, MYSQL).await?;
    Ok(Unmarked::of(&tables, foreign(&of_schemas(c, SEQUENCES_OF_MYSQL).await?)))
}

const VIEWS_OF_MYSQL: &str = "SELECT table_name FROM information_schema.tables \
     WHERE table_type NOT IN ('BASE TABLE', 'SYSTEM VERSIONED') AND \
     LOWER(table_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')";

const VIEWS_OF_POSTGRES: &str = "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
     WHERE c.relkind IN ('v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')";

const VIEWS_OF_SQLITE: &str = "SELECT name FROM sqlite_master WHERE type = 'view'";

async fn sqlite(c: &mut Connection) -> Result<Vec<FoundTable>, Error> {
    let tables = format!("SELECT 'main', name FROM sqlite_master WHERE type = 'table' AND {NOT_OF_SQLITE}");
    of_schemas(c, &tables).await
}

/// The sequences, and whether they are ours.
async fn sequences(c: &mut Connection, scheme: Scheme, all: &[FoundTable]) -> Result<Vec<(String, bool)>, Error> {
    match scheme {
        Scheme::Mysql => {
            let sequences = with_marks(c, SEQUENCES_OF_MYSQL, true).await?.into_iter();
            Ok(sequences.map(|one| (format!("{}.{}", one.schema, one.name), one.marked.is_some())).collect())
        }
        Scheme::Postgres => {
            let is_marked = |schema: &str, name: &str| {
                all.iter().any(|table| table.schema == schema && table.name == name && table.marked.is_some())
            };
            let sequences =
                c.table(SEQUENCES_AND_TABLES).await?.rows.into_iter().filter_map(|row| match row.as_slice() {
                    [Some(sequence), Some(schema), Some(table)] => Some((sequence.clone(), is_marked(schema, table))),
                    [Some(sequence), ..] => Some((sequence.clone(), false)),
                    _ => None,
                });
            Ok(sequences.collect())
        }
        Scheme::Sqlite | Scheme::Null | Scheme::Host => Ok(Vec::new()),
    }
}

/// Each sequence of PostgreSQL with the schema and the name of the table whose column it numbers, if there is one.
const SEQUENCES_AND_TABLES: &str = "SELECT n.nspname || '.' || s.relname, tn.nspname, t.relname \
     FROM pg_class s JOIN pg_namespace n ON n.oid = s.relnamespace LEFT JOIN pg_depend d ON d.objid = s.oid \
     AND d.classid = s.tableoid AND d.refclassid = s.tableoid AND d.deptype IN ('a', 'i') \
     LEFT JOIN pg_class t ON t.oid = d.refobjid LEFT JOIN pg_namespace tn ON tn.oid = t.relnamespace WHERE s.relkind = 'S'";

/// The tables of a database of PostgreSQL that are not the system's.
const POSTGRES: &str = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') \
     UNION ALL SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'f'";

async fn postgres(c: &mut Connection, own_sequences: bool) -> Result<Unmarked, Error> {
    let mut all = of_database(c, own_sequences).await?;
    let databases = "SELECT datname FROM pg_database WHERE datname <> current_database() \
                     AND datname NOT IN ('postgres', 'template0', 'template1')";
    let others = c.table(databases).await?.rows;
    all.tables.extend(others.into_iter().filter_map(|row| Some(format!("{}.*", row.into_iter().next()??))));
    Ok(all)
}

async fn of_database(c: &mut Connection, own_sequences: bool) -> Result<Unmarked, Error> {
    let tables = of_schemas(c, WHOLE_OF_POSTGRES).await?;
    let sequences = if own_sequences { "" } else { SEQUENCES_OF_POSTGRES };
    let contents = c.table(&format!("{sequences}{LARGE_OBJECTS} ORDER BY 1")).await?.rows;
    Ok(Unmarked::of(&tables, contents.into_iter().filter_map(|row| row.into_iter().next()?).collect()))
}

/// The same without partitions, which belong to the owner of the table and have no marks.
const WHOLE_OF_POSTGRES: &str = "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
     WHERE c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')";

/// Those that neither an extension nor, like that of a column, a table has.
const SEQUENCES_OF_POSTGRES: &str = "SELECT n.nspname || '.' || o.relname FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace \
     WHERE o.relkind = 'S' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT EXISTS \
     (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype IN ('e', 'a', 'i')) UNION ALL ";

const LARGE_OBJECTS: &str = "SELECT 'large object ' || oid FROM pg_largeobject_metadata";

/// Tables without our mark in a database of PostgreSQL, and what is never ours: views, sequences, functions, large objects, types, publications,
/// privileges on our tables and the like; without those of extensions. Blocks the calling thread.
pub fn unmarked_in_database(connector: &Connector) -> Result<Vec<String>, Problem> {
    // Neither part of an extension nor, like the sequence of a column, of a table.
    const FREE: &str = "NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid \
                        AND p.deptype IN ('e', 'a', 'i'))";
    const THERE: &str = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";
    let tables = format!(
        "SELECT n.nspname, o.relname FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace \
         WHERE o.relkind IN ('r', 'p', 'f') AND NOT o.relispartition AND {THERE} AND {FREE}"
    );
    let rest = format!(
        "SELECT n.nspname || '.' || o.relname FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace \
         WHERE o.relkind IN ('v', 'm', 'S') AND {THERE} AND {FREE} \
         UNION ALL SELECT n.nspname || '.' || o.proname || '()' FROM pg_proc o JOIN pg_namespace n ON n.oid = o.pronamespace \
         WHERE {THERE} AND {FREE} \
         UNION ALL SELECT 'large object ' || oid FROM pg_largeobject_metadata {} ORDER BY 1",
        others_of_database(THERE, FREE)
    );
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let mut all = foreign(&of_schemas(c, &tables).await?);
        all.extend(c.table(&rest).await?.rows.into_iter().filter_map(|row| row.into_iter().next()?));
        Ok(Ok(all))
    })
}

/// What a database of PostgreSQL may have besides relations and functions, as further parts of a query. `there` holds for a schema `n` of users,
/// `free` for an object `o` that is no part of another.
fn others_of_database(there: &str, free: &str) -> String {
    const NAMED: [(&str, &str, &str, &str); 6] = [
        ("collation", "pg_collation", "collname", "collnamespace"),
        ("text search configuration", "pg_ts_config", "cfgname", "cfgnamespace"),
        ("text search dictionary", "pg_ts_dict", "dictname", "dictnamespace"),
        ("operator", "pg_operator", "oprname", "oprnamespace"),
        ("operator family", "pg_opfamily", "opfname", "opfnamespace"),
        ("conversion", "pg_conversion", "conname", "connamespace"),
    ];
    let named = NAMED.map(|(kind, table, name, namespace)| {
        format!(
            "UNION ALL SELECT '{kind} ' || n.nspname || '.' || o.{name} FROM {table} o \
             JOIN pg_namespace n ON n.oid = o.{namespace} WHERE {there} AND {free} "
        )
    });
    // Default privileges give new tables theirs.
    named.concat()
        + &format!(
            "UNION ALL SELECT 'type ' || n.nspname || '.' || o.typname FROM pg_type o JOIN pg_namespace n ON n.oid = o.typnamespace \
             LEFT JOIN pg_class r ON r.oid = o.typrelid WHERE (o.typtype IN ('d', 'e', 'r') OR r.relkind = 'c') AND {there} AND {free} \
             UNION ALL SELECT 'statistics ' || n.nspname || '.' || o.stxname FROM pg_statistic_ext o \
             JOIN pg_namespace n ON n.oid = o.stxnamespace WHERE {there} \
             UNION ALL SELECT 'cast ' || o.castsource::regtype || ' AS ' || o.casttarget::regtype FROM pg_cast o \
             WHERE o.oid >= 16384 AND {free} \
             UNION ALL SELECT 'publication ' || o.pubname FROM pg_publication o WHERE {free} \
             UNION ALL SELECT 'foreign-data wrapper ' || o.fdwname FROM pg_foreign_data_wrapper o WHERE {free} \
             UNION ALL SELECT 'foreign server ' || o.srvname FROM pg_foreign_server o WHERE {free} \
             UNION ALL SELECT 'event trigger ' || o.evtname FROM pg_event_trigger o WHERE {free} \
             UNION ALL SELECT 'policy ' || o.polname || ' on ' || o.polrelid::regclass FROM pg_policy o \
             UNION ALL SELECT 'privileges on ' || n.nspname || '.' || o.relname FROM pg_class o \
             JOIN pg_namespace n ON n.oid = o.relnamespace WHERE o.relkind IN ('r', 'p') AND {there} \
             AND (EXISTS (SELECT FROM aclexplode(o.relacl) a WHERE a.grantee <> o.relowner) \
             OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = o.oid AND a.attacl IS NOT NULL)) \
             AND NOT EXISTS (SELECT FROM pg_default_acl)"
        )
}

/// Tables with our mark in the database of PostgreSQL to which the connection goes. Blocks the calling thread.
pub fn marked_in_database(connector: &Connector) -> Result<Vec<MarkedTable>, Problem> {
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        Ok(Ok(Unmarked::of(&of_schemas(c, WHOLE_OF_POSTGRES).await?, Vec::new()).marked))
    })
}

/// A table, and the kind of data set that our mark says, if it has one.
struct FoundTable {
    schema: String,
    name: String,
    marked: Option<String>,
}

impl Unmarked {
    fn of(all: &[FoundTable], contents: Vec<String>) -> Unmarked {
        let marked = all.iter().filter_map(|table| {
            let (schema, name) = (table.schema.clone(), table.name.clone());
            Some(MarkedTable { schema, name, dataset: table.marked.clone()? })
        });
        Unmarked { tables: foreign(all), contents, marked: marked.collect() }
    }
}

/// The tables without our mark, as `schema.table`.
fn foreign(all: &[FoundTable]) -> Vec<String> {
    all.iter().filter(|table| table.marked.is_none()).map(|table| format!("{}.{}", table.schema, table.name)).collect()
}

/// Those without our mark of the tables whose schemas and names are the first columns of a query, as `schema.table`.
pub(crate) async fn without_mark(c: &mut Connection, tables: &str) -> Result<Vec<String>, Error> {
    Ok(foreign(&with_marks(c, tables, true).await?))
}

/// The tables of a list of schemas and names, without the mark's own.
async fn of_schemas(c: &mut Connection, tables: &str) -> Result<Vec<FoundTable>, Error> {
    with_marks(c, tables, false).await
}

/// The same; `unlisted`: the mark's own table need not be in the list.
async fn with_marks(c: &mut Connection, tables: &str, unlisted: bool) -> Result<Vec<FoundTable>, Error> {
    let has_schemas = !matches!(c, Connection::Sqlite(_));
    let mut schemas: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in c.table(tables).await?.rows {
        if let [Some(schema), Some(table), ..] = row.as_slice() {
            schemas.entry(schema.clone()).or_default().insert(table.clone());
        }
    }
    let mut all = Vec::new();
    for (schema, mut tables) in schemas {
        let mut ours = BTreeMap::new();
        if tables.remove(mark::NAME) || unlisted {
            let schema = if has_schemas { Some(schema.as_str()) } else { None };
            // What cannot be read as our mark marks nothing.
            let rows = match identity::rows(c, schema).await {
                Err(e) if matches!(e.class(), Class::Sql | Class::Refused) => Vec::new(),
                rows => rows?,
            };
            ours.extend(rows.into_iter().filter(|row| row.current).map(|row| (row.name, row.dataset)));
        }
        all.extend(tables.into_iter().map(|name| FoundTable {
            schema: schema.clone(),
            marked: ours.remove(&name),
            name,
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_begin_with_sqlite_and_an_underscore_are_of_sqlite() {
        let dir = tempfile::tempdir().unwrap();
        let dsn = tenbin_model::dsn::Dsn::parse(&format!("sqlite:{}/db", dir.path().display())).unwrap();
        let at = Connector::new(dsn, None).unwrap();
        with_connection(&at, tenbin_words::message::foreign("creating"), async |c| {
            c.query("CREATE TABLE sqlite3_users (id INTEGER PRIMARY KEY AUTOINCREMENT)").await?;
            c.query("CREATE TABLE SQLiteData (id INTEGER)").await.map(|_| Ok(()))
        })
        .unwrap();
        let mine = ["main.SQLiteData", "main.sqlite3_users"];
        assert_eq!(unmarked(&at, false).unwrap().tables, mine, "what a copy would lose");
        assert_eq!(reach(&at).unwrap().unwrap().foreign, mine, "what a script may write to");
    }

    #[test]
    fn directories_are_read_as_names_of_schemas() {
        let all = ["sbtest", "my@002dshop", "@5929@79e4", "a@00", "a@zzzz"].map(decoded);
        assert_eq!(
            all,
            [Some("sbtest"), Some("my-shop"), Some("天秤"), None, None].map(|name| name.map(str::to_owned))
        );
    }
}
