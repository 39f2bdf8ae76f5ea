//! The tables of sysbench's OLTP scripts: `sbtest1`, `sbtest2`, … with a key `id`, an indexed `k` and two texts.
//!
//! Definition and names are those of sysbench 1.0, so that tables loaded by either tool can be used by both. [`rows`]
//! generates a row from a seed and its number (pure); [`work`] distributes pieces of a load (pure); [`load`] executes
//! them with several streams; [`inspect`] inspects existing tables, [`dropping`] drops them. [`bulk`] is the smaller
//! kind of tables of bulk_insert.

pub(crate) mod bulk;
mod dropping;
mod inspect;
mod load;
mod rows;
mod sql;
mod work;

use std::ops::RangeInclusive;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::distribution::DistributionKind;
use tenbin_workload::options::{OptionMap, OptionSpec, RANDOM, Resolved, ValueType, row};
use tenbin_workload::tables::admin::{optional, with_connection};
use tenbin_workload::tables::catalogue::Kind;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::{Dataset, DatasetEntry, DatasetSlice, DatasetState, LoadSlices, LoadStep, Progress, Steps};

pub(crate) const ENTRY: DatasetEntry = DatasetEntry {
    kind: "sysbench",
    about: "tables sbtest1, sbtest2, … of sysbench's OLTP scripts",
    options: &[OPTIONS, RANDOM],
    sizes: &[("table_size", 100)],
    indexes: &["k", "xid"],
    columns: |_| COLUMNS.iter().map(|(column, _)| *column).collect(),
    ..DatasetEntry::made_by(|options, scheme| Ok(Box::new(Tables::new(options, scheme))))
};

const OPTIONS: &[OptionSpec] = &[
    row("tables", "1", ValueType::Count(1, 100_000), "number of tables"),
    row("table_size", "10000", ValueType::Count(0, u32::MAX as u64), "rows per table"),
    row("auto_inc", "on", ValueType::Switch, "id is AUTO_INCREMENT (PostgreSQL: SERIAL)"),
    row("secondary", "off", ValueType::Switch, "a secondary index on id instead of the primary key"),
    row("create_secondary", "on", ValueType::Switch, "an index on k, created after the rows are loaded"),
    row("first_table", "1", ValueType::Count(1, 100_000), "number of the first table"),
    row("mysql_storage_engine", "innodb", ValueType::Name, "storage engine of MySQL and MariaDB"),
];

/// Rows of a small table.
const SMALL: u32 = 500;

/// The prefix of the names of all these tables.
const PREFIX: &str = "sbtest";

const COLUMNS: [(&str, Kind); 4] =
    [("id", Kind::Integer), ("k", Kind::Integer), ("c", Kind::Text), ("pad", Kind::Text)];

/// The format of column `c` of sysbench's tables: ten groups of digits.
pub(crate) const C_FORM: &str = "###########-###########-###########-###########-###########-###########-###########-###########-\
                      ###########-###########";

/// The format of column `pad`: five groups of digits.
pub(crate) const PAD_FORM: &str = "###########-###########-###########-###########-###########";

/// The name of a table by its number.
pub(crate) fn name_of(table: u32) -> String {
    format!("{PREFIX}{table}")
}

/// The single table of sysbench 0.4's `oltp`, for the workload of that name.
pub(crate) const OF_0_4: DatasetEntry = DatasetEntry {
    kind: "sysbench_0_4",
    about: "the table sbtest of sysbench 0.4's oltp, whose rows differ only in their id",
    options: &[OPTIONS_OF_0_4],
    sizes: &[("table_size", 100)],
    indexes: &["k", "xid"],
    columns: |_| COLUMNS.iter().map(|(column, _)| *column).collect(),
    ..DatasetEntry::made_by(|options, scheme| Ok(Box::new(Tables::legacy_0_4(options, scheme))))
};

/// How the single table of 0.4 is called.
pub(crate) const TABLE_NAME: OptionSpec = row("table_name", PREFIX, ValueType::Name, "name of the table");

const OPTIONS_OF_0_4: &[OptionSpec] = &[
    TABLE_NAME,
    row("table_size", "10000", ValueType::Count(0, u32::MAX as u64), "rows of the table"),
    row("auto_inc", "on", ValueType::Switch, "id is AUTO_INCREMENT"),
    row("secondary", "off", ValueType::Switch, "a secondary index on id instead of the primary key"),
    row("mysql_storage_engine", "innodb", ValueType::Name, "storage engine of MySQL and MariaDB"),
    row("table_options", "", ValueType::Text, "what follows the engine in CREATE TABLE (MySQL, MariaDB)"),
];

/// The resolved options.
#[derive(Debug, Clone)]
struct Tables {
    dialect: Dialect,
    scheme: Scheme,
    /// The name of the single table of 0.4, or what all names begin with.
    base: String,
    /// The single table of 0.4 has no number: here it is number 0.
    first: u32,
    tables: u32,
    table_size: u32,
    auto_inc: bool,
    secondary: bool,
    create_secondary: bool,
    engine: String,
    /// What follows the engine in the definition of a table.
    table_options: String,
    shape: DistributionKind,
}

impl Tables {
    fn new(options: &OptionMap, scheme: Scheme) -> Tables {
        let o = Resolved(options);
        Tables {
            dialect: Dialect::of(scheme),
            scheme,
            base: PREFIX.to_owned(),
            first: o.count32("first_table"),
            tables: o.count32("tables"),
            table_size: o.count32("table_size"),
            auto_inc: o.on("auto_inc"),
            secondary: o.on("secondary"),
            create_secondary: o.on("create_secondary"),
            engine: o.text("mysql_storage_engine").to_owned(),
            table_options: o.text("table_options").to_owned(),
            shape: o.shape(),
        }
    }

    fn legacy_0_4(options: &OptionMap, scheme: Scheme) -> Tables {
        let all = [("first_table", "0"), ("tables", "1"), ("create_secondary", "on")];
        let mut given = options.clone();
        given.extend(all.map(|(name, value)| (name.to_owned(), value.to_owned())));
        Tables { base: Resolved(options).text("table_name").to_owned(), ..Tables::new(&given, scheme) }
    }

    fn form(&self) -> sql::TableForm<'_> {
        let Tables { dialect, auto_inc, secondary, create_secondary, .. } = *self;
        let (engine, options, base) = (&self.engine, &self.table_options, &self.base);
        sql::TableForm { dialect, auto_inc, secondary, create_secondary, engine, options, base }
    }

    /// Whether a table is created with its indexes, and filled by one transaction: with few rows an index is the same, one page,
    /// whether it is built before or after them, and with many tables the time is that of the commits.
    fn is_small(&self) -> bool {
        self.dialect == Dialect::Mysql && self.table_size <= SMALL
    }

    fn create(&self, table: u32) -> String {
        sql::create(self.form(), table, self.is_small() && self.create_secondary)
    }

    fn indexes(&self, table: u32) -> Vec<String> {
        if self.is_small() { Vec::new() } else { sql::finish(self.form(), table, self.table_size) }
    }

    /// The tables' numbers.
    fn numbers(&self) -> RangeInclusive<u32> {
        self.first..=self.first + self.tables - 1
    }

    /// The name of a table by its number.
    fn name(&self, table: u32) -> String {
        if table == 0 { self.base.clone() } else { name_of(table) }
    }

    fn names(&self) -> Vec<String> {
        self.numbers().map(|table| self.name(table)).collect()
    }
}

impl Dataset for Tables {
    fn kind(&self) -> &str {
        if self.first == 0 { OF_0_4.kind } else { ENTRY.kind }
    }

    fn rows(&self) -> u64 {
        u64::from(self.tables) * u64::from(self.table_size)
    }

    fn bytes(&self) -> u64 {
        // Measured with the index on k, as files after `tenbin load oltp_read_write`: a million rows take 252 MB in
        // MariaDB 10.11 (InnoDB), half a million 134 MB in PostgreSQL 15 and 109 MB in SQLite 3.
        let row = match self.dialect {
            Dialect::Mysql => 252,
            Dialect::Postgres => 267,
            Dialect::Sqlite => 217,
        };
        self.rows() * row + u64::from(self.tables) * 98_304
    }

    fn statements(&self) -> Vec<String> {
        let and_so_on = match self.tables {
            1 => String::new(),
            _ => format!("   (and so on to sbtest{})", self.numbers().end()),
        };
        let first = self.first;
        let create = [vec![mark::CREATE.to_owned()], vec![self.create(first) + &and_so_on]].concat();
        let index = self.indexes(first).into_iter().map(|sql| sql + &and_so_on);
        create.into_iter().chain(index).chain([format!("DROP TABLE {}{and_so_on}", self.name(first))]).collect()
    }

    fn creates(&self) -> Option<Vec<String>> {
        Some(self.names())
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(DatasetState::Ready { ours: false });
        }
        with_connection(connector, msg!("looking-at-tables"), async |c| inspect::inspect(self, connector, c).await)
    }

    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        if !self.scheme.kind().keeps_tables {
            progress(self.rows());
            return Ok(Vec::new());
        }
        load::load(self, connector, streams, seed, progress, stop)?;
        Ok(Vec::new())
    }

    fn load_each(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        tell: Steps<'_>,
        stop: &StopSignal,
    ) -> Result<(), Problem> {
        if !self.scheme.kind().keeps_tables {
            for name in self.names() {
                tell(LoadStep::Create, &name);
                if self.table_size > 0 {
                    tell(LoadStep::Insert, &name);
                }
                if self.create_secondary {
                    tell(LoadStep::Index, &name);
                }
            }
            return Ok(());
        }
        load::each(self, connector, streams, seed, tell, stop)
    }

    fn streams_used(&self, _connector: &Connector, streams: u32) -> u32 {
        match self.dialect {
            Dialect::Sqlite => 1,
            // No two of them fill a small table.
            _ if self.is_small() => streams.clamp(1, self.tables.max(1)),
            _ => streams.max(1),
        }
    }

    fn has_slices(&self) -> bool {
        // SQLite has one writer.
        self.scheme.kind().loads_in_slices
    }

    fn load_around(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        rows: LoadSlices<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        load::around(self, connector, streams, seed, rows, stop)?;
        Ok(Vec::new())
    }

    fn load_slice(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        slice: DatasetSlice,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        load::slice(self, connector, streams, seed, slice, progress, stop)
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        dropping::ours(connector, (self.kind(), &self.base), &self.names(), &COLUMNS)
    }

    fn drop_named(&self, connector: &Connector, tell: &dyn Fn(&str)) -> Result<(), Problem> {
        dropping::named(connector, &self.names(), tell)
    }

    fn warm(&self, connector: &Connector, tell: &dyn Fn(&str)) -> Result<(), Problem> {
        if !self.scheme.kind().keeps_tables {
            self.names().iter().for_each(|name| tell(name));
            return Ok(());
        }
        with_connection(connector, msg!("warming-tables"), async |c| {
            for name in self.names() {
                tell(&name);
                for sql in sql::warm(self.dialect, &name, self.table_size) {
                    // Only the reading itself was requested; statistics are optional.
                    if !sql.starts_with("SELECT") {
                        optional(c, &sql).await?;
                    } else {
                        c.table(&sql).await.map_err(|e| e.sent(&sql, false))?;
                    }
                }
            }
            Ok(Ok(()))
        })
    }
}
