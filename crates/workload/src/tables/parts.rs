//! The columns and indexes of tables, which somebody else may have added to ours and which are dropped with them. Used by [`super::attached`] and
//! [`super::created`].
//!
//! A mark may name those that statements of the user have created, behind its options ([`recorded`]).

use crate::tables::identity;
use std::collections::BTreeSet;
use tenbin_driver::{Connection, Error};

/// A table, and one of its parts: `column note`, `index by_note`.
pub type TablePart = (String, String);

/// How the text of a column begins.
pub(crate) const COLUMN: &str = "column ";

/// How the text of an index begins.
pub(crate) const INDEX: &str = "index ";

/// What stands before the parts in the options of a mark.
const PARTS: &str = " parts:";

/// The bytes that the options of a mark have room for.
const ROOM: usize = 1024;

/// The parts of these tables; primary keys and what belongs to the mark are left out, and on MySQL and MariaDB all indexes: a table with another one is not
/// ours any more ([`super::identity`]).
pub(crate) async fn of(c: &mut Connection, names: &[&str]) -> Result<BTreeSet<TablePart>, Error> {
    let names = c.quoting().texts(names);
    let sql = match c {
        Connection::Postgres(_) => {
            let table = format!(
                "o.relname IN ({names}) AND o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
            );
            format!(
                "SELECT o.relname, '{COLUMN}' || a.attname FROM pg_attribute a JOIN pg_class o ON o.oid = a.attrelid \
                 WHERE a.attnum > 0 AND NOT a.attisdropped AND {table} \
                 UNION ALL SELECT o.relname, '{INDEX}' || i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
                 JOIN pg_class o ON o.oid = x.indrelid WHERE NOT x.indisprimary AND {table}"
            )
        }
        // An index without a statement belongs to a key of the table.
        Connection::Sqlite(_) => {
            let names = names.to_lowercase();
            format!(
                "SELECT m.name, '{COLUMN}' || c.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c \
                 WHERE m.type = 'table' AND lower(m.name) IN ({names}) \
                 UNION ALL SELECT tbl_name, '{INDEX}' || name FROM sqlite_master \
                 WHERE type = 'index' AND sql IS NOT NULL AND lower(tbl_name) IN ({names})"
            )
        }
        // The key that MySQL 8.0 adds by itself to a table without one.
        Connection::Mysql(_) => format!(
            "SELECT TABLE_NAME, CONCAT('{COLUMN}', COLUMN_NAME) FROM information_schema.COLUMNS \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ({names}) AND COLUMN_NAME <> 'my_row_id'"
        ),
        Connection::Null(_) => return Ok(BTreeSet::new()),
    };
    let rows = c.table(&sql).await?.rows.into_iter();
    let parts = rows.filter_map(|row| {
        let [table, part] = <[_; 2]>::try_from(row).ok()?;
        Some((table?, part?))
    });
    let of_mark = |part: &str| part.strip_prefix(INDEX).is_some_and(identity::is_index_of_mark);
    Ok(parts.filter(|(_, part)| !of_mark(part)).collect())
}

/// The parts that a mark names; `None` if it does not name any of the table's.
pub(crate) fn recorded(options: &str) -> Option<Vec<&str>> {
    options.split_once(PARTS).map(|(_, parts)| parts.split(',').filter(|part| !part.is_empty()).collect())
}

/// The options of a mark without the parts that it names.
pub(crate) fn without_parts(options: &str) -> &str {
    options.split_once(PARTS).map_or(options, |(options, _)| options)
}

/// The options of a mark with these parts; without any if there is no room for them, or one has an unusual name.
pub(crate) fn with_parts<'p>(options: &str, parts: impl Iterator<Item = &'p str>) -> String {
    let options = without_parts(options);
    let parts = parts.collect::<Vec<_>>().join(",");
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"_$-. ,".contains(&b);
    let all = format!("{options}{PARTS}{parts}");
    if all.len() <= ROOM && parts.bytes().all(is_plain) { all } else { options.to_owned() }
}
