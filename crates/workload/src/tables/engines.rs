//! How the tables of a run are stored: their storage engines (MySQL, MariaDB), and whether they are logged
//! (PostgreSQL). The durability of commits depends on it.

use crate::tables::admin::with_connection;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::names::tables::{ENGINE, PERSISTENCE};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Inspects these tables, each with its schema before a point if it is in another one, or all in the current schema; empty where tables are
/// stored in one way only (SQLite). Blocks the calling thread.
pub fn found(connector: &Connector, names: Option<&[String]>) -> Result<BTreeMap<String, String>, Problem> {
    let scheme = connector.dsn().scheme;
    if !scheme.kind().is_server {
        return Ok(BTreeMap::new());
    }
    with_connection(connector, msg!("looking-how-tables-are-kept"), async |c| {
        Ok(Ok(of(scheme, names, c).await?.into_iter().collect()))
    })
}

/// The same on an existing connection.
pub async fn of(
    scheme: Scheme,
    names: Option<&[String]>,
    c: &mut Connection,
) -> Result<Option<(String, String)>, Error> {
    if !scheme.kind().is_server || c.server_version().contains("null-server") {
        return Ok(None);
    }
    let quoting = c.quoting();
    // PostgreSQL has names that were written without quotes in lower case.
    let is = |column: &str, name: &str| match scheme {
        Scheme::Postgres => format!("lower({column}) = lower({})", quoting.text(name)),
        _ => format!("{column} = {}", quoting.text(name)),
    };
    let among = |(schema, here): (&str, &str), table: &str| match names {
        Some(names) => {
            let one = |name: &String| match name.rsplit_once('.') {
                Some((of, name)) => format!("{} AND {}", is(schema, of), is(table, name)),
                None => format!("{here} AND {}", is(table, name)),
            };
            format!("({})", names.iter().map(one).collect::<Vec<_>>().join(" OR "))
        }
        None => format!("{here} AND {table} NOT LIKE 'tenbin%'"),
    };
    let (fact, sql) = match scheme {
        Scheme::Postgres => (
            PERSISTENCE,
            format!(
                "SELECT DISTINCT CASE c.relpersistence WHEN 'u' THEN 'unlogged' ELSE 'logged' END FROM pg_class c \
                 JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE c.relkind IN ('r', 'p') AND {}",
                among(("n.nspname", "n.nspname = current_schema()"), "c.relname")
            ),
        ),
        _ => (
            ENGINE,
            format!(
                "SELECT DISTINCT ENGINE FROM information_schema.TABLES \
                 WHERE ENGINE IS NOT NULL AND {}",
                among(("TABLE_SCHEMA", "TABLE_SCHEMA=DATABASE()"), "TABLE_NAME")
            ),
        ),
    };
    let rows = c.table(&sql).await?.rows;
    let all: BTreeSet<String> = rows.into_iter().flatten().flatten().map(|kept| kept.to_lowercase()).collect();
    Ok((!all.is_empty()).then(|| (fact.to_owned(), all.into_iter().collect::<Vec<_>>().join(", "))))
}
