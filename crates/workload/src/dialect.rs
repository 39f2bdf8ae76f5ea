//! Where databases differ in what they are told: everything a workload or a dataset needs to know about a dialect.

use crate::sysbench::name_of;
use tenbin_model::dsn::Scheme;

/// Which SQL a database understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// MySQL, MariaDB; also what the null driver is told.
    Mysql,
    /// PostgreSQL.
    Postgres,
    /// SQLite.
    Sqlite,
}

impl Dialect {
    /// The dialect of a kind of database.
    pub fn of(scheme: Scheme) -> Dialect {
        match scheme {
            Scheme::Sqlite => Dialect::Sqlite,
            Scheme::Postgres => Dialect::Postgres,
            Scheme::Mysql | Scheme::Null | Scheme::Host => Dialect::Mysql,
        }
    }

    /// What begins a transaction.
    ///
    /// SQLite's driver turns a plain BEGIN sent as text into what the address says (`begin=immediate` by default: a deferred
    /// transaction that turns into a writer fails at once when another client has written since). One that only reads
    /// must not take the write lock, so it says so itself.
    pub fn begin(self, writes: bool) -> &'static str {
        match self {
            Dialect::Sqlite if !writes => "BEGIN DEFERRED",
            _ => "BEGIN",
        }
    }

    /// Whether to try and prepare what begins a transaction. MySQL refuses, MariaDB from 10.6 on does not.
    pub fn prepares_begin(self) -> bool {
        self != Dialect::Sqlite
    }

    /// Whether a table's `id` either counts up or does not, and shows it.
    pub fn counting_is_a_choice(self) -> bool {
        self != Dialect::Sqlite
    }

    /// Whether an id of 0 in an INSERT asks for the next one (MySQL) or the column must be left out.
    pub fn zero_id_is_next(self) -> bool {
        self == Dialect::Mysql
    }

    /// sysbench's table, column by column and key by key, so that either tool accepts what the other made.
    pub fn create_sbtest(self, table: u32, auto_inc: bool, secondary: bool, engine: &str) -> String {
        // That of 0.4 counted without a sign where there is such a type.
        let integer = if table == 0 && self == Dialect::Mysql { "INTEGER UNSIGNED" } else { "INTEGER" };
        let columns = format!(
            "k {integer} DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL"
        );
        let name = name_of(table);
        match self {
            Dialect::Mysql => {
                let counting = if auto_inc { " AUTO_INCREMENT" } else { "" };
                let key = if secondary { "KEY xid (id)" } else { "PRIMARY KEY (id)" };
                format!("CREATE TABLE {name}(id {integer} NOT NULL{counting}, {columns}, {key}) ENGINE = {engine}")
            }
            // A plain key cannot stand in a table's definition: sysbench's own `secondary` fails here.
            Dialect::Postgres => {
                let id = if auto_inc { "SERIAL" } else { "INTEGER NOT NULL" };
                let key = if secondary { "" } else { ", PRIMARY KEY (id)" };
                format!("CREATE TABLE {name}(id {id}, {columns}{key})")
            }
            // A key of exactly this form is SQLite's row number itself, which is its AUTO_INCREMENT. A plain key cannot
            // stand in a table's definition.
            Dialect::Sqlite if secondary => format!("CREATE TABLE {name}(id INTEGER NOT NULL, {columns})"),
            Dialect::Sqlite => format!("CREATE TABLE {name}(id INTEGER PRIMARY KEY NOT NULL, {columns})"),
        }
    }

    /// What is made once `rows` are in (it is cheaper then): the index on `k`, and the one on `id` where
    /// [`Dialect::create_sbtest`] has none; on PostgreSQL also the counter behind the last row, which loaded rows do not move, and what
    /// the server's own cleaner would otherwise do in the middle of a measurement.
    pub fn finish_sbtest(
        self,
        table: u32,
        rows: u32,
        auto_inc: bool,
        secondary: bool,
        create_secondary: bool,
    ) -> Vec<String> {
        let (name, mut all) = (name_of(table), Vec::new());
        let suffix = if table == 0 { String::new() } else { format!("_{table}") };
        if secondary && self != Dialect::Mysql {
            all.push(format!("CREATE INDEX xid{suffix} ON {name}(id)"));
        }
        if create_secondary {
            all.push(format!("CREATE INDEX k{suffix} ON {name}(k)"));
        }
        if self == Dialect::Postgres && rows > 0 {
            all.extend(auto_inc.then(|| format!("SELECT setval(pg_get_serial_sequence('{name}', 'id'), {rows})")));
            all.push(format!("VACUUM (ANALYZE) {name}"));
        }
        all
    }

    /// Reads a table and its index once, so that the server has them in memory; sysbench has this for MySQL only.
    pub fn warm(self, name: &str, rows: u32) -> Vec<String> {
        let by_k = format!("SELECT COUNT(*) FROM (SELECT * FROM {name} WHERE k LIKE '%0%' LIMIT {rows}) t");
        match self {
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
    pub fn create_bulk(self, table: u32) -> String {
        format!("CREATE TABLE sbtest{table}(id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY(id))")
    }

    /// Asks for the columns of all tables that a dataset here could have, and of the mark: table, column, type, and
    /// whether the server counts it up (1 or 0).
    pub fn columns(self) -> &'static str {
        match self {
            Dialect::Mysql => {
                "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, EXTRA LIKE '%auto_increment%' FROM information_schema.COLUMNS \
                 WHERE TABLE_SCHEMA=DATABASE() AND (TABLE_NAME LIKE 'sbtest%' OR TABLE_NAME='tenbin_mark') \
                 ORDER BY TABLE_NAME, ORDINAL_POSITION"
            }
            Dialect::Postgres => {
                "SELECT table_name, column_name, data_type, \
                 CASE WHEN column_default LIKE 'nextval(%' OR is_identity = 'YES' THEN 1 ELSE 0 END \
                 FROM information_schema.columns WHERE table_schema = current_schema() \
                 AND (table_name LIKE 'sbtest%' OR table_name = 'tenbin_mark') ORDER BY table_name, ordinal_position"
            }
            Dialect::Sqlite => {
                "SELECT m.name, c.name, c.type, c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                 WHERE m.type='table' AND (m.name LIKE 'sbtest%' OR m.name='tenbin_mark') ORDER BY m.name, c.cid"
            }
        }
    }

    /// Asks for the columns of the tables with these names: table, column, type.
    pub fn columns_of(self, names: &[&str]) -> String {
        let names = names.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ");
        match self {
            Dialect::Mysql => format!(
                "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE FROM information_schema.COLUMNS \
                 WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME IN ({names}) ORDER BY TABLE_NAME, ORDINAL_POSITION"
            ),
            Dialect::Postgres => format!(
                "SELECT table_name, column_name, data_type FROM information_schema.columns \
                 WHERE table_schema = current_schema() AND table_name IN ({names}) ORDER BY table_name, ordinal_position"
            ),
            Dialect::Sqlite => format!(
                "SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                 WHERE m.type='table' AND m.name IN ({names}) ORDER BY m.name, c.cid"
            ),
        }
    }

    /// Asks which columns an index begins with: table, column.
    pub fn indexed(self) -> &'static str {
        match self {
            Dialect::Mysql => {
                "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS \
                 WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME LIKE 'sbtest%' AND SEQ_IN_INDEX=1"
            }
            Dialect::Postgres => {
                "SELECT t.relname, a.attname FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid \
                 JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0] \
                 JOIN pg_namespace n ON n.oid = t.relnamespace \
                 WHERE n.nspname = current_schema() AND t.relname LIKE 'sbtest%' AND i.indisvalid"
            }
            Dialect::Sqlite => {
                "SELECT m.name, i.name FROM sqlite_master m JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) i \
                 WHERE m.type='table' AND m.name LIKE 'sbtest%' AND i.seqno=0 \
                 UNION SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                 WHERE m.type='table' AND m.name LIKE 'sbtest%' AND c.pk=1"
            }
        }
    }

    /// Asks for the storage engine of tables: table, engine; `None` where there is but one.
    pub fn engines(self) -> Option<&'static str> {
        match self {
            Dialect::Mysql => Some(
                "SELECT TABLE_NAME, ENGINE FROM information_schema.TABLES \
                 WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME LIKE 'sbtest%' AND ENGINE IS NOT NULL",
            ),
            Dialect::Postgres | Dialect::Sqlite => None,
        }
    }

    /// Asks which schema is in use; `None` where there is always one.
    pub fn schema(self) -> Option<&'static str> {
        (self == Dialect::Mysql).then_some("SELECT DATABASE()")
    }
}
