//! Tables that statements or scripts of the user have created: those that exist afterwards and did not before. They get our mark, with a digest of what
//! created them and one of their columns; a later run finds them by it, and only they are dropped.

use crate::tables::catalogue::{self, Described};
use crate::tables::dialect::{Dialect, NOT_OF_SQLITE};
use crate::tables::parts::TablePart;
use crate::tables::{identity, mark, parts};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tenbin_driver::{Connection, Error};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// One table with such a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedTable {
    /// Its name.
    pub name: String,
    /// The rows that were loaded, as the mark says; 0 if it does not.
    pub rows: u64,
    /// Whether its rows are loaded.
    pub complete: bool,
    /// The digest of what created it.
    pub digest: String,
    /// The digest of its columns when it was marked.
    pub shape: String,
    /// Whether it is the table that was created: not another that has got its name.
    pub current: bool,
}

/// The tables of the current schema, our mark's left out.
pub async fn names(dialect: Dialect, c: &mut Connection) -> Result<BTreeSet<String>, Error> {
    let of_sqlite = format!("SELECT name FROM sqlite_master WHERE type = 'table' AND {NOT_OF_SQLITE}");
    let sql = match dialect {
        Dialect::Mysql => {
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE NOT LIKE '%VIEW%'"
        }
        Dialect::Postgres => {
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        }
        Dialect::Sqlite => &of_sqlite,
    };
    let rows = c.table(sql).await?.rows.into_iter();
    Ok(rows.filter_map(|row| row.into_iter().next()?).filter(|name| name != mark::NAME).collect())
}

/// The existing tables with a mark of this kind of data set, also those that have been replaced since.
pub async fn ours(
    dialect: Dialect,
    c: &mut Connection,
    kind: &str,
) -> Result<Result<Vec<CreatedTable>, Problem>, Error> {
    let there = names(dialect, c).await?;
    let tables = match catalogue::read_named(dialect, c, &[mark::NAME]).await? {
        Ok(tables) if tables.contains_key(mark::NAME) => tables,
        Ok(_) => return Ok(Ok(Vec::new())),
        Err(problem) => return Ok(Err(problem)),
    };
    if let Err(problem) = mark::read(c, &tables).await? {
        return Ok(Err(problem));
    }
    let rows = identity::rows(c, None).await?.into_iter().filter(|row| row.dataset == kind);
    let marked = rows.map(|row| {
        let (digest, shape) = parts::without_parts(&row.options).split_once(' ').unwrap_or_default();
        let (digest, shape) = (digest.to_owned(), shape.to_owned());
        let (rows, complete) = (row.size_rows, row.complete);
        CreatedTable { name: row.name, rows, complete, digest, shape, current: row.current }
    });
    Ok(Ok(marked.filter(|table| there.contains(&table.name)).collect()))
}

/// Tables that did not exist before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewTables {
    /// Those that were marked.
    pub ours: Vec<String>,
    /// Those that somebody else has created meanwhile.
    pub of_others: Vec<String>,
}

/// Marks the tables that were created since there were only these. `statements`: what was sent, in lower case; if it names some of the new tables, the others
/// are not of it. It names none if another program, or a procedure of the server, has created them. `shape` digests the columns of a table.
pub async fn mark_new(
    dialect: Dialect,
    c: &mut Connection,
    (kind, digest): (&str, &str),
    (before, statements): (&BTreeSet<String>, &[u8]),
    (complete, shape): (bool, &dyn Fn(&Described) -> String),
) -> Result<Result<NewTables, Problem>, Error> {
    let new: Vec<String> = names(dialect, c).await?.difference(before).cloned().collect();
    let (created, of_others) = created_by(statements, new, |name| name);
    let unusual =
        |name: &&String| !name.chars().all(|c| c.is_alphanumeric() || "_$-. ".contains(c)) || name.chars().count() > 64;
    if let Some(name) = created.iter().find(unusual) {
        let what = Problem::new(msg!("table-cannot-be-marked", table = name));
        return Ok(Err(what.evidence(msg!("names-that-can-be-marked")).hint(msg!("name-table-otherwise"))));
    }
    let wanted: Vec<&str> = created.iter().map(String::as_str).collect();
    let tables = match catalogue::read_named(dialect, c, &wanted).await? {
        Ok(tables) => tables,
        Err(problem) => return Ok(Err(problem)),
    };
    let parts = if complete { parts_of(c, &wanted).await? } else { BTreeSet::new() };
    for name in &created {
        let shape = tables.get(name).map(shape).unwrap_or_default();
        if complete {
            mark::leave(c, name, kind, 0, &options_of((digest, &shape), name, &parts)).await?;
            mark::complete(c, name).await?;
        } else {
            mark::leave(c, name, kind, 0, &format!("{digest} {shape}")).await?;
        }
    }
    Ok(Ok(NewTables { ours: created, of_others }))
}

/// Which of these new tables, or other objects, statements in lower case have created, and the others: those that they name, or all if they name none.
/// `name_of`: the name that is looked for.
pub fn created_by(statements: &[u8], new: Vec<String>, name_of: fn(&str) -> &str) -> (Vec<String>, Vec<String>) {
    let (named, others) = named_in(statements, new, name_of);
    if named.is_empty() { (others, Vec::new()) } else { (named, others) }
}

fn named_in(statements: &[u8], tables: Vec<String>, name_of: fn(&str) -> &str) -> (Vec<String>, Vec<String>) {
    let of_word = |b: &u8| b.is_ascii_alphanumeric() || b"_$".contains(b) || !b.is_ascii();
    let words: HashSet<&[u8]> = statements.split(|b| !of_word(b)).collect();
    tables.into_iter().partition(|table| {
        let name = name_of(table).to_ascii_lowercase().into_bytes();
        // One with a space has to be looked for.
        words.contains(&name[..])
            || !name.iter().all(of_word) && statements.windows(name.len().max(1)).any(|there| there == name)
    })
}

/// What the mark of a complete table says: the digest of what created it, that of its columns, and what else it has, so that what somebody else adds is
/// told from that later. `parts`: of this table and others.
pub fn options_of((digest, shape): (&str, &str), name: &str, parts: &BTreeSet<TablePart>) -> String {
    let own = parts.iter().filter(|(table, part)| table.eq_ignore_ascii_case(name) && !part.starts_with(parts::COLUMN));
    parts::with_parts(&format!("{digest} {shape}"), own.map(|(_, part)| part.as_str()))
}

/// What these tables have besides rows.
pub async fn parts_of(c: &mut Connection, names: &[&str]) -> Result<BTreeSet<TablePart>, Error> {
    parts::all(c, names).await
}

/// Drops the tables with a mark of this kind whose columns are as they were when they were marked.
pub async fn drop_ours(
    dialect: Dialect,
    c: &mut Connection,
    kind: &str,
    shape: &dyn Fn(&Described) -> String,
) -> Result<Result<(), Problem>, Error> {
    let shapes: BTreeMap<String, String> = match ours(dialect, c, kind).await? {
        Ok(ours) => match ours.iter().find(|table| !table.current) {
            Some(other) => return Ok(Err(mark::was_replaced(&other.name))),
            None => ours.into_iter().map(|table| (table.name, table.shape)).collect(),
        },
        Err(problem) => return Ok(Err(problem)),
    };
    let tables = match catalogue::read(dialect, c, "").await? {
        Ok(tables) => tables,
        Err(problem) => return Ok(Err(problem)),
    };
    if dialect == Dialect::Mysql {
        // Tables that refer to each other are dropped in any order; it holds for this session only.
        c.query("SET SESSION foreign_key_checks=0").await?;
    }
    let recognise = |name: &str, table: &Described| match shapes.get(name) {
        Some(known) if *known == shape(table) => Ok(()),
        _ => Err(msg!("table-has-other-columns-now")),
    };
    mark::drop_marked_if(c, &tables, kind, &[], &recognise).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_name_whole_tables() {
        let statements =
            b"create table orders (id int);\ncreate table `order lines`(id int)\nalter table x.lines add y int";
        let tables = ["orders", "Lines", "order lines", "lin", "s", "orders2", "ines"].map(str::to_owned);
        let (named, others) = created_by(statements, tables.to_vec(), |name| name);
        assert_eq!(
            (named.join(","), others.join(",")),
            ("orders,Lines,order lines".into(), "lin,s,orders2,ines".into())
        );
        let none = created_by(b"call make_tables()", tables.to_vec(), |name| name);
        assert_eq!((none.0.len(), none.1.len()), (tables.len(), 0), "a procedure has created them");
    }
}
