//! Differences between SQL dialects that are relevant for workloads and data sets.

use tenbin_driver::Quoting;
use tenbin_model::dsn::Scheme;

/// Of SQLite, the condition for the name of a table that is not its own: only those that begin with `sqlite_` are, and LIKE takes `_` for any character.
pub(crate) const NOT_OF_SQLITE: &str = "substr(lower(name), 1, 7) <> 'sqlite_'";

/// The SQL dialect of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// MySQL, MariaDB; also used for the null driver.
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

    /// A name as an identifier, between quotes.
    pub fn quoted(self, name: &str) -> String {
        self.quoting().name(name)
    }

    /// How names and texts are quoted, with the usual settings of the database.
    pub fn quoting(self) -> Quoting {
        match self {
            Dialect::Mysql => Quoting::MYSQL,
            Dialect::Postgres => Quoting::POSTGRES,
            Dialect::Sqlite => Quoting::SQLITE,
        }
    }

    /// The statement that starts a transaction.
    ///
    /// SQLite's driver replaces a plain BEGIN sent as text according to the address (`begin=immediate` by default: a
    /// deferred transaction that starts to write fails at once if another client has written since). A read-only
    /// transaction must not take the write lock, so it uses an explicit form.
    pub fn begin(self, writes: bool) -> &'static str {
        match self {
            Dialect::Sqlite if !writes => "BEGIN DEFERRED",
            _ => "BEGIN",
        }
    }

    /// Whether to try to prepare the statement that starts a transaction. MySQL refuses, MariaDB from 10.6 on does not.
    pub fn prepares_begin(self) -> bool {
        self != Dialect::Sqlite
    }

    /// Whether `id` may or may not be auto-incremented, and the catalogue shows it.
    pub fn counting_is_a_choice(self) -> bool {
        self != Dialect::Sqlite
    }

    /// Whether an id of 0 in an INSERT generates the next one (MySQL) or the column must be omitted.
    pub fn zero_id_is_next(self) -> bool {
        self == Dialect::Mysql
    }

    /// Selects the columns of the tables whose names start with `prefix`, and of the mark: table, column, type, and
    /// whether it is auto-incremented (1 or 0).
    pub fn columns(self, prefix: &str) -> String {
        match self {
            Dialect::Mysql => format!(
                "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, EXTRA LIKE '%auto_increment%' FROM information_schema.COLUMNS \
                 WHERE TABLE_SCHEMA=DATABASE() AND (TABLE_NAME LIKE '{prefix}%' OR TABLE_NAME='tenbin_mark') \
                 ORDER BY TABLE_NAME, ORDINAL_POSITION"
            ),
            Dialect::Postgres => format!(
                "SELECT table_name, column_name, data_type, \
                 CASE WHEN column_default LIKE 'nextval(%' OR is_identity = 'YES' THEN 1 ELSE 0 END \
                 FROM information_schema.columns WHERE table_schema = current_schema() \
                 AND (table_name LIKE '{prefix}%' OR table_name = 'tenbin_mark') ORDER BY table_name, ordinal_position"
            ),
            Dialect::Sqlite => format!(
                "SELECT m.name, c.name, c.type, c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                 WHERE m.type='table' AND (m.name LIKE '{prefix}%' OR m.name='tenbin_mark') ORDER BY m.name, c.cid"
            ),
        }
    }

    /// Selects the names of tables and views that start with `prefix`.
    pub fn names(self, prefix: &str) -> String {
        match self {
            Dialect::Mysql => format!(
                "SELECT TABLE_NAME FROM information_schema.TABLES \
                 WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME LIKE '{prefix}%'"
            ),
            Dialect::Postgres => format!(
                "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND c.relname LIKE '{prefix}%'"
            ),
            Dialect::Sqlite => {
                format!("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name LIKE '{prefix}%'")
            }
        }
    }

    /// Selects the columns of the tables with these names: table, column, type.
    pub fn columns_of(self, names: &[&str]) -> String {
        let names = self.quoting().texts(names);
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

    /// Selects the first columns of indexes of the tables whose names start with `prefix`: table, column.
    pub fn indexed(self, prefix: &str) -> String {
        match self {
            Dialect::Mysql => format!(
                "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS \
                 WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME LIKE '{prefix}%' AND SEQ_IN_INDEX=1"
            ),
            Dialect::Postgres => format!(
                "SELECT t.relname, a.attname FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid \
                 JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0] \
                 JOIN pg_namespace n ON n.oid = t.relnamespace \
                 WHERE n.nspname = current_schema() AND t.relname LIKE '{prefix}%' AND i.indisvalid"
            ),
            Dialect::Sqlite => format!(
                "SELECT m.name, i.name FROM sqlite_master m JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) i \
                 WHERE m.type='table' AND m.name LIKE '{prefix}%' AND i.seqno=0 \
                 UNION SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                 WHERE m.type='table' AND m.name LIKE '{prefix}%' AND c.pk=1"
            ),
        }
    }

    /// Selects the storage engine of the tables whose names start with `prefix`: table, engine; `None` if there is only
    /// one.
    pub fn engines(self, prefix: &str) -> Option<String> {
        match self {
            Dialect::Mysql => Some(format!(
                "SELECT TABLE_NAME, ENGINE FROM information_schema.TABLES \
                 WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME LIKE '{prefix}%' AND ENGINE IS NOT NULL"
            )),
            Dialect::Postgres | Dialect::Sqlite => None,
        }
    }

    /// Selects the current schema; `None` if there is always one.
    pub fn schema(self) -> Option<&'static str> {
        (self == Dialect::Mysql).then_some("SELECT DATABASE()")
    }
}
