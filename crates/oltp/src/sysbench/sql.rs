//! The SQL that creates, completes and reads sysbench's tables, in each dialect.

use super::{PREFIX, name_of};
use tenbin_workload::tables::dialect::Dialect;

/// The properties of a table on which its definition depends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableForm<'a> {
    pub dialect: Dialect,
    pub auto_inc: bool,
    /// A secondary index on id instead of the primary key.
    pub secondary: bool,
    /// An index on k.
    pub create_secondary: bool,
    pub engine: &'a str,
    /// What follows the engine.
    pub options: &'a str,
    /// The name of table 0.
    pub base: &'a str,
}

impl TableForm<'_> {
    fn name(&self, table: u32) -> String {
        if table == 0 { self.base.to_owned() } else { name_of(table) }
    }

    /// The end of the names of a table's indexes, which only MySQL has for each table anew.
    fn suffix(&self, table: u32) -> String {
        match table {
            0 if self.base == PREFIX || self.dialect == Dialect::Mysql => String::new(),
            0 => format!("_{}", self.base),
            table => format!("_{table}"),
        }
    }
}

/// sysbench's table, column by column and key by key, so that each tool accepts the tables of the other. `indexed`: with the
/// index on k (MySQL), which otherwise [`finish`] creates.
pub(crate) fn create(form: TableForm<'_>, table: u32, indexed: bool) -> String {
    let TableForm { dialect, auto_inc, secondary, engine, options, .. } = form;
    // In 0.4 the id is unsigned if there is such a type.
    let integer = if table == 0 && dialect == Dialect::Mysql { "INTEGER UNSIGNED" } else { "INTEGER" };
    let columns =
        format!("k {integer} DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL");
    let name = form.name(table);
    match dialect {
        Dialect::Mysql => {
            let counting = if auto_inc { " AUTO_INCREMENT" } else { "" };
            let key = if secondary { "KEY xid (id)" } else { "PRIMARY KEY (id)" };
            let also = if indexed { format!(", KEY k{} (k)", form.suffix(table)) } else { String::new() };
            let table = format!(
                "CREATE TABLE {name}(id {integer} NOT NULL{counting}, {columns}, {key}{also}) ENGINE = {engine}"
            );
            if options.is_empty() { table } else { format!("{table} {options}") }
        }
        // A non-unique key cannot be part of a table's definition: sysbench's own `secondary` fails here.
        Dialect::Postgres => {
            let id = if auto_inc { "SERIAL" } else { "INTEGER NOT NULL" };
            let key = if secondary { "" } else { ", PRIMARY KEY (id)" };
            format!("CREATE TABLE {name}(id {id}, {columns}{key})")
        }
        // A key of exactly this form is SQLite's rowid, which is its AUTO_INCREMENT. A non-unique key cannot
        // be part of a table's definition.
        Dialect::Sqlite if secondary => format!("CREATE TABLE {name}(id INTEGER NOT NULL, {columns})"),
        Dialect::Sqlite => format!("CREATE TABLE {name}(id INTEGER PRIMARY KEY NOT NULL, {columns})"),
    }
}

/// What is done after `rows` were loaded (which is cheaper): the index on `k`, and the one on `id` if
/// [`create`] has none; on PostgreSQL also setting the sequence, which loaded rows do not advance, and a VACUUM that
/// autovacuum would otherwise do during a measurement.
pub(crate) fn finish(form: TableForm<'_>, table: u32, rows: u32) -> Vec<String> {
    let TableForm { dialect, auto_inc, secondary, create_secondary, .. } = form;
    let (name, suffix, mut all) = (form.name(table), form.suffix(table), Vec::new());
    if secondary && dialect != Dialect::Mysql {
        all.push(format!("CREATE INDEX xid{suffix} ON {name}(id)"));
    }
    if create_secondary {
        all.push(format!("CREATE INDEX k{suffix} ON {name}(k)"));
    }
    if dialect == Dialect::Postgres && rows > 0 {
        all.extend(auto_inc.then(|| format!("SELECT setval(pg_get_serial_sequence('{name}', 'id'), {rows})")));
        all.push(format!("VACUUM (ANALYZE) {name}"));
    }
    all
}

/// Reads a table and its index once, so that the server has them in memory; sysbench does this for MySQL only.
pub(crate) fn warm(dialect: Dialect, name: &str, rows: u32) -> Vec<String> {
    let by_k = format!("SELECT COUNT(*) FROM (SELECT * FROM {name} WHERE k LIKE '%0%' LIMIT {rows}) t");
    match dialect {
        Dialect::Mysql => vec![
            "SET tmp_table_size = 2147483648".into(),
            "SET max_heap_table_size = 2147483648".into(),
            format!("ANALYZE TABLE {name}"),
            format!("SELECT AVG(id) FROM (SELECT * FROM {name} FORCE KEY (PRIMARY) LIMIT {rows}) t"),
            by_k,
        ],
        Dialect::Postgres => {
            vec![format!("SELECT AVG(id) FROM {name}"), by_k.replace("k LIKE", "k::text LIKE")]
        }
        Dialect::Sqlite => vec![format!("SELECT AVG(id) FROM {name}"), by_k],
    }
}

/// bulk_insert's table.
pub(crate) fn create_bulk(table: u32) -> String {
    format!("CREATE TABLE sbtest{table}(id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY(id))")
}
