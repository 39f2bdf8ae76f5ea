//! Reads the definitions of a data set's tables from the schema: names, columns, indexes, engines.

use crate::tables::dialect::Dialect;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tenbin_driver::{Connection, Error};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The definition of one table.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Described {
    /// Name and kind of its columns in order.
    pub columns: Vec<(String, Kind)>,
    /// Whether `id` is auto-incremented.
    pub counting: bool,
    /// First columns of indexes.
    pub indexed: BTreeSet<String>,
    /// Its storage engine, if there is a choice.
    pub engine: Option<String>,
}

/// The type of a column, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// Text or bytes.
    Text,
    /// Anything else.
    Other,
}

/// Tables by name.
pub type Catalogue = BTreeMap<String, Described>;

/// Reads the definitions of tables of the current schema whose names start with `prefix`, and of the mark. Fails if no
/// schema is selected.
pub async fn read(dialect: Dialect, c: &mut Connection, prefix: &str) -> Result<Result<Catalogue, Problem>, Error> {
    if let Some(sql) = dialect.schema()
        && c.table(sql).await?.scalar().is_none()
    {
        return Ok(Err(no_schema()));
    }
    let mut all = Catalogue::new();
    for row in rows(c, &dialect.columns(prefix)).await? {
        let [table, column, kind, counting] = &row[..] else { continue };
        let table = all.entry(table.clone()).or_default();
        table.counting |= column.eq_ignore_ascii_case("id") && counting != "0";
        table.columns.push((column.to_ascii_lowercase(), kind_of(kind)));
    }
    for row in rows(c, &dialect.indexed(prefix)).await? {
        if let [table, column] = &row[..] {
            all.entry(table.clone()).or_default().indexed.insert(column.to_ascii_lowercase());
        }
    }
    if let Some(sql) = dialect.engines(prefix) {
        for row in rows(c, &sql).await? {
            if let [table, engine] = &row[..] {
                all.entry(table.clone()).or_default().engine = Some(engine.to_ascii_lowercase());
            }
        }
    }
    Ok(Ok(all))
}

/// Reads the names of tables and views of the current schema that start with `prefix`, and nothing else of them: a server opens
/// each table whose columns or indexes are asked for. Fails if no schema is selected.
pub async fn names(
    dialect: Dialect,
    c: &mut Connection,
    prefix: &str,
) -> Result<Result<HashSet<String>, Problem>, Error> {
    if let Some(sql) = dialect.schema()
        && c.table(sql).await?.scalar().is_none()
    {
        return Ok(Err(no_schema()));
    }
    Ok(Ok(rows(c, &dialect.names(prefix)).await?.into_iter().filter_map(|row| row.into_iter().next()).collect()))
}

/// Reads the columns of the tables with these names; without indexes and engines. Fails if no schema is selected.
pub async fn read_named(
    dialect: Dialect,
    c: &mut Connection,
    names: &[&str],
) -> Result<Result<Catalogue, Problem>, Error> {
    if let Some(sql) = dialect.schema()
        && c.table(sql).await?.scalar().is_none()
    {
        return Ok(Err(no_schema()));
    }
    let mut all = Catalogue::new();
    for row in rows(c, &dialect.columns_of(names)).await? {
        let [table, column, kind] = &row[..] else { continue };
        let table = all.entry(table.clone()).or_default();
        table.columns.push((column.to_ascii_lowercase(), kind_of(kind)));
    }
    Ok(Ok(all))
}

fn no_schema() -> Problem {
    Problem::new(msg!("address-without-schema")).hint(msg!("put-schema-behind-port"))
}

/// The rows of a result, with NULL as empty text.
async fn rows(c: &mut Connection, sql: &str) -> Result<Vec<Vec<String>>, Error> {
    let table = c.table(sql).await?;
    Ok(table.rows.into_iter().map(|row| row.into_iter().map(Option::unwrap_or_default).collect()).collect())
}

fn kind_of(declared: &str) -> Kind {
    let declared = declared.to_ascii_lowercase();
    match declared.as_str() {
        d if d.contains("int") => Kind::Integer,
        d if d.contains("char") || d.contains("text") || d.contains("binary") || d.contains("blob") => Kind::Text,
        _ => Kind::Other,
    }
}

/// Why a table does not have the `wanted` columns; `None` if it does. Additional columns are accepted.
pub fn misshapen(name: &str, table: &Described, wanted: &[(&str, Kind)]) -> Option<Problem> {
    let has = |(column, kind): &(&str, Kind)| table.columns.iter().any(|(n, k)| n == column && k == kind);
    if wanted.iter().all(has) {
        return None;
    }
    let names = |all: &mut dyn Iterator<Item = &str>| all.collect::<Vec<_>>().join(", ");
    Some(Problem::new(msg!("table-not-of-sysbench", table = name)).evidence(msg!(
        "wanted-columns-found",
        wanted = names(&mut wanted.iter().map(|w| w.0)),
        found = names(&mut table.columns.iter().map(|f| f.0.as_str()))
    )))
}
