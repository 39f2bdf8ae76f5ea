//! Tables of a whole server that Tenbin did not create: restoring a copy of the server would bring them back to what they were
//! when the copy was made.

use crate::tables::admin::with_connection;
use crate::tables::{identity, mark};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Tables without our mark outside of the system's own schemas, as `schema.table`, or databases that cannot be looked into
/// from here, as `database.*`; for MySQL those that the account can see. Blocks the calling thread.
pub fn unmarked(connector: &Connector) -> Result<Vec<String>, Problem> {
    let scheme = connector.dsn().scheme;
    with_connection(connector, msg!("looking-whose-tables"), async |c| match scheme {
        Scheme::Mysql => Ok(Ok(foreign(&of_schemas(c, MYSQL).await?))),
        Scheme::Postgres => postgres(c).await.map(Ok),
        Scheme::Sqlite => Ok(Ok(foreign(&sqlite(c).await?))),
        Scheme::Null | Scheme::Host => Ok(Ok(Vec::new())),
    })
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
        let marked = all.iter().filter(|table| table.marked && table.schema == schema).map(|table| table.name.clone());
        Ok(Ok(Some(Reach { marked: marked.collect(), foreign: foreign(&all), schema, path, views })))
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

const VIEWS_OF_MYSQL: &str = "SELECT table_name FROM information_schema.tables \
     WHERE table_type NOT IN ('BASE TABLE', 'SYSTEM VERSIONED') AND \
     LOWER(table_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')";

const VIEWS_OF_POSTGRES: &str = "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
     WHERE c.relkind IN ('v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')";

const VIEWS_OF_SQLITE: &str = "SELECT name FROM sqlite_master WHERE type = 'view'";

async fn sqlite(c: &mut Connection) -> Result<Vec<FoundTable>, Error> {
    let tables = "SELECT 'main', name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    of_schemas(c, tables).await
}

/// The tables of a database of PostgreSQL that are not the system's.
const POSTGRES: &str =
    "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')";

async fn postgres(c: &mut Connection) -> Result<Vec<String>, Error> {
    let mut all = foreign(&of_schemas(c, POSTGRES).await?);
    let databases = "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> current_database() \
                     AND datname <> 'postgres'";
    let others = c.table(databases).await?.rows;
    all.extend(others.into_iter().filter_map(|row| Some(format!("{}.*", row.into_iter().next()??))));
    Ok(all)
}

/// Tables without our mark in a database of PostgreSQL, and views, sequences, functions and large objects, which are never ours;
/// without those of extensions. Blocks the calling thread.
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
         UNION ALL SELECT 'large object ' || oid FROM pg_largeobject_metadata ORDER BY 1"
    );
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let mut all = foreign(&of_schemas(c, &tables).await?);
        all.extend(c.table(&rest).await?.rows.into_iter().filter_map(|row| row.into_iter().next()?));
        Ok(Ok(all))
    })
}

/// A table, and whether it has our mark.
struct FoundTable {
    schema: String,
    name: String,
    marked: bool,
}

/// The tables without our mark, as `schema.table`.
fn foreign(all: &[FoundTable]) -> Vec<String> {
    all.iter().filter(|table| !table.marked).map(|table| format!("{}.{}", table.schema, table.name)).collect()
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
        let mut ours = BTreeSet::new();
        if tables.remove(mark::NAME) || unlisted {
            let schema = if has_schemas { Some(schema.as_str()) } else { None };
            // What cannot be read as our mark marks nothing.
            let rows = match identity::rows(c, schema).await {
                Err(e) if matches!(e.class(), Class::Sql | Class::Refused) => Vec::new(),
                rows => rows?,
            };
            ours.extend(rows.into_iter().filter(|row| row.current).map(|row| row.name));
        }
        all.extend(tables.into_iter().map(|name| FoundTable {
            schema: schema.clone(),
            marked: ours.contains(&name),
            name,
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_read_as_names_of_schemas() {
        let all = ["sbtest", "my@002dshop", "@5929@79e4", "a@00", "a@zzzz"].map(decoded);
        assert_eq!(
            all,
            [Some("sbtest"), Some("my-shop"), Some("天秤"), None, None].map(|name| name.map(str::to_owned))
        );
    }
}
