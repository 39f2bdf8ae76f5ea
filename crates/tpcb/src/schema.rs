//! The four tables, with pgbench's names, columns and filler, so that tables loaded by either program can be used by both.
//!
//! Source: PostgreSQL manual, "pgbench", table "pgbench tables"; types as the server shows them after `pgbench -i`.

use crate::{SCALE_OF_BIGINT, TELLERS};
use tenbin_workload::tables::catalogue::Kind;
use tenbin_workload::tables::dialect::Dialect;

/// Their names, in the order in which they are created.
pub(crate) const NAMES: [&str; 4] = ["pgbench_history", "pgbench_tellers", "pgbench_accounts", "pgbench_branches"];

/// The order in which foreign keys permit to drop them.
pub(crate) const DROPPED_IN_ORDER: [&str; 4] =
    ["pgbench_history", "pgbench_tellers", "pgbench_accounts", "pgbench_branches"];

/// Their common prefix.
pub(crate) const PREFIX: &str = "pgbench_";

/// The columns by which a table is recognised.
pub(crate) fn columns(table: &str) -> &'static [(&'static str, Kind)] {
    match table {
        "pgbench_branches" => &[("bid", Kind::Integer), ("bbalance", Kind::Integer), ("filler", Kind::Text)],
        "pgbench_tellers" => &[("tid", Kind::Integer), ("bid", Kind::Integer), ("tbalance", Kind::Integer)],
        "pgbench_accounts" => &[("aid", Kind::Integer), ("bid", Kind::Integer), ("abalance", Kind::Integer)],
        _ => &[("tid", Kind::Integer), ("bid", Kind::Integer), ("aid", Kind::Integer), ("delta", Kind::Integer)],
    }
}

/// All columns of a table.
pub(crate) fn all_columns(table: &str) -> Vec<&'static str> {
    let more: &[&str] = if table == "pgbench_history" { &["mtime", "filler"] } else { &["filler"] };
    columns(table).iter().map(|(column, _)| *column).chain(more.iter().copied()).collect()
}

/// How the tables are created.
#[derive(Debug, Clone)]
pub(crate) struct TableForm {
    pub dialect: Dialect,
    pub scale: u64,
    pub foreign_keys: bool,
    pub fillfactor: u64,
    pub engine: String,
}

impl TableForm {
    /// The statement that creates a table. MySQL and SQLite store rows by the key, so there it is part of it.
    pub fn create(&self, table: &str) -> String {
        let account = if self.scale >= SCALE_OF_BIGINT { "BIGINT" } else { "INT" };
        let key = if self.dialect == Dialect::Postgres { "" } else { " PRIMARY KEY" };
        // In SQLite only a column of the type INTEGER is the key by which rows are stored.
        let int = if self.dialect == Dialect::Sqlite { "INTEGER" } else { "INT" };
        let account = if self.dialect == Dialect::Sqlite { int } else { account };
        let columns = match table {
            "pgbench_branches" => format!("bid {int} NOT NULL{key}, bbalance INT, filler CHAR(88)"),
            "pgbench_tellers" => format!("tid {int} NOT NULL{key}, bid INT, tbalance INT, filler CHAR(84)"),
            "pgbench_accounts" => format!("aid {account} NOT NULL{key}, bid INT, abalance INT, filler CHAR(84)"),
            _ => format!("tid INT, bid INT, aid {account}, delta INT, mtime TIMESTAMP, filler CHAR(22)"),
        };
        let tail = match self.dialect {
            Dialect::Mysql => format!(" ENGINE = {}", self.engine),
            Dialect::Postgres if table != "pgbench_history" => format!(" WITH (fillfactor={})", self.fillfactor),
            Dialect::Postgres | Dialect::Sqlite => String::new(),
        };
        format!("CREATE TABLE {table} ({columns}){tail}")
    }

    /// The statements after all rows.
    pub fn finish(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.dialect == Dialect::Postgres {
            for (table, key) in [("pgbench_branches", "bid"), ("pgbench_tellers", "tid"), ("pgbench_accounts", "aid")] {
                all.push(format!("ALTER TABLE {table} ADD PRIMARY KEY ({key})"));
            }
        }
        if self.foreign_keys && self.dialect != Dialect::Sqlite {
            let one = |(table, column, other): (&str, &str, &str)| {
                format!(
                    "ALTER TABLE {table} ADD CONSTRAINT {table}_{column}_fkey FOREIGN KEY ({column}) REFERENCES {other} ({column})"
                )
            };
            all.extend(FOREIGN_KEYS.map(one));
        }
        all
    }

    /// An INSERT of the rows of the small tables: branches or tellers `from..to`, from 1.
    pub fn small_rows(&self, table: &str, from: u64, to: u64) -> String {
        let branches = table == "pgbench_branches";
        let row = |n: u64| {
            if branches { format!("({n},0)") } else { format!("({n},{},0)", (n - 1) / TELLERS + 1) }
        };
        let columns = if branches { "bid,bbalance" } else { "tid,bid,tbalance" };
        let rows: Vec<String> = (from..to).map(row).collect();
        format!("INSERT INTO {table} ({columns}) VALUES {}", rows.join(","))
    }
}

/// The foreign keys that a table may have, as PostgreSQL shows them: also after `pgbench -i -I f`.
pub(crate) fn foreign_keys(table: &str) -> Vec<String> {
    let own = FOREIGN_KEYS.iter().filter(|(of, ..)| *of == table);
    own.map(|(_, column, other)| format!("{table}_{column}_fkey ({column}) REFERENCES {other}({column})")).collect()
}

/// Table, column, and the table that it refers to.
const FOREIGN_KEYS: [(&str, &str, &str); 5] = [
    ("pgbench_tellers", "bid", "pgbench_branches"),
    ("pgbench_accounts", "bid", "pgbench_branches"),
    ("pgbench_history", "bid", "pgbench_branches"),
    ("pgbench_history", "tid", "pgbench_tellers"),
    ("pgbench_history", "aid", "pgbench_accounts"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn form(dialect: Dialect, scale: u64) -> TableForm {
        TableForm { dialect, scale, foreign_keys: true, fillfactor: 90, engine: "innodb".into() }
    }

    #[test]
    fn tables_as_each_database_creates_them() {
        let of = |dialect| form(dialect, 1).create("pgbench_accounts");
        assert_eq!(
            of(Dialect::Mysql),
            "CREATE TABLE pgbench_accounts (aid INT NOT NULL PRIMARY KEY, bid INT, abalance INT, filler CHAR(84)) ENGINE = innodb"
        );
        assert_eq!(
            of(Dialect::Postgres),
            "CREATE TABLE pgbench_accounts (aid INT NOT NULL, bid INT, abalance INT, filler CHAR(84)) WITH (fillfactor=90)"
        );
        assert!(of(Dialect::Sqlite).contains("aid INTEGER NOT NULL PRIMARY KEY"));
        assert!(form(Dialect::Postgres, SCALE_OF_BIGINT).create("pgbench_history").contains("aid BIGINT"));
        let after = |dialect| form(dialect, 1).finish().len();
        assert_eq!([Dialect::Mysql, Dialect::Postgres, Dialect::Sqlite].map(after), [5, 8, 0]);
    }

    #[test]
    fn all_columns_are_those_that_are_created() {
        for table in NAMES {
            let created = form(Dialect::Mysql, 1).create(table);
            let (_, columns) = created.split_once('(').unwrap();
            let mut names: Vec<&str> = columns.split(", ").filter_map(|column| column.split(' ').next()).collect();
            let mut known = all_columns(table);
            names.sort_unstable();
            known.sort_unstable();
            known.dedup();
            assert_eq!(known, names, "{created}");
        }
    }

    #[test]
    fn foreign_keys_are_those_that_are_created() {
        let created = form(Dialect::Postgres, 1).finish().concat();
        for key in NAMES.into_iter().flat_map(foreign_keys) {
            let (name, definition) = key.split_once(' ').unwrap();
            let definition = definition.replacen("s(", "s (", 1);
            assert!(created.contains(&format!("ADD CONSTRAINT {name} FOREIGN KEY {definition}")), "{key}: {created}");
        }
        assert_eq!(NAMES.map(|name| foreign_keys(name).len()), [3, 1, 1, 0]);
    }

    #[test]
    fn tellers_belong_to_their_branches() {
        let sql = form(Dialect::Mysql, 2).small_rows("pgbench_tellers", 10, 12);
        assert_eq!(sql, "INSERT INTO pgbench_tellers (tid,bid,tbalance) VALUES (10,1,0),(11,2,0)");
    }
}
