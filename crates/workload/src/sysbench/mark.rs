//! Our mark in a schema: the table `tenbin_mark` names each table that we made. Only those are ever dropped.

use super::Tables;
use crate::dialect::Dialect;
use tenbin_driver::{Connection, Error};
use tenbin_model::problem::Problem;

/// The statement that makes the mark.
pub fn create() -> &'static str {
    "CREATE TABLE IF NOT EXISTS tenbin_mark(name VARCHAR(64) NOT NULL PRIMARY KEY, dataset VARCHAR(64) NOT NULL, size_rows BIGINT NOT NULL, complete INTEGER NOT NULL, made_by VARCHAR(64) NOT NULL)"
}

/// One marked table.
pub struct Marked {
    pub name: String,
    pub rows: u64,
    pub complete: bool,
}

/// The tables that carry our mark, all data sets of the schema.
pub async fn read(dialect: Dialect, c: &mut Connection) -> Result<Vec<Marked>, Error> {
    if !exists(dialect, c, "tenbin_mark").await? {
        return Ok(Vec::new());
    }
    let table = c.table("SELECT name, size_rows, complete FROM tenbin_mark").await?;
    let text = |v: &Option<String>| v.clone().unwrap_or_default();
    Ok(table
        .rows
        .iter()
        .filter(|r| r.len() == 3)
        .map(|r| Marked { name: text(&r[0]), rows: text(&r[1]).parse().unwrap_or(0), complete: text(&r[2]) == "1" })
        .collect())
}

/// Whether a table of this name is in the schema.
pub async fn exists(dialect: Dialect, c: &mut Connection, name: &str) -> Result<bool, Error> {
    let sql = match dialect {
        Dialect::Sqlite => format!("SELECT count(*) FROM sqlite_master WHERE type='table' AND name='{name}'"),
        Dialect::Mysql => format!(
            "SELECT count(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME='{name}'"
        ),
    };
    Ok(c.table(&sql).await?.scalar() != Some("0"))
}

/// Marks the tables before they are made, so that a broken load can be cleaned up.
pub async fn leave(tables: &Tables, c: &mut Connection) -> Result<(), Error> {
    c.query(create()).await?;
    for name in tables.names() {
        let (size, tool) = (tables.table_size, env!("CARGO_PKG_VERSION"));
        c.query(&format!("INSERT INTO tenbin_mark VALUES ('{name}', 'sysbench', {size}, 0, 'tenbin {tool}')")).await?;
    }
    Ok(())
}

/// Marks the load as complete.
pub async fn complete(c: &mut Connection) -> Result<(), Error> {
    c.query("UPDATE tenbin_mark SET complete=1 WHERE dataset='sysbench'").await.map(|_| ())
}

/// Drops every marked table of ours, and the mark itself when nothing is left under it.
pub async fn drop_marked(dialect: Dialect, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
    let marked = read(dialect, c).await?;
    if marked.is_empty() {
        return Ok(Err(Problem::new("there is nothing here that Tenbin made, so nothing is dropped")
            .evidence("no tenbin_mark table in the schema")
            .mend("use the tables as they are, or drop them yourself")));
    }
    for table in marked {
        // The name comes from a table that others can write to: only the form that we give names is dropped.
        let ours =
            table.name.strip_prefix("sbtest").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        if ours {
            c.query(&format!("DROP TABLE IF EXISTS {}", table.name)).await?;
            c.query(&format!("DELETE FROM tenbin_mark WHERE name='{}'", table.name)).await?;
        }
    }
    if c.table("SELECT count(*) FROM tenbin_mark").await?.scalar() == Some("0") {
        c.query("DROP TABLE tenbin_mark").await?;
    }
    Ok(Ok(()))
}
