//! TPC-B as pgbench has it: four tables and three transactions, on every database.
//!
//! The data set: [`schema`] has the tables, [`load`] fills them, [`inspect`] determines what exists and whose it is, [`check`] whether the
//! balances agree. The workloads: [`client`]. [`init`] is `pgbench -i`: the same tables in that program's statements.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod check;
mod client;
pub mod init;
mod inspect;
mod load;
mod schema;

use schema::{NAMES, TableForm};
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, OptionSpec, Resolved, ValueType, row};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::{Checked, Dataset, DatasetEntry, DatasetState, Examined, Progress, When, WorkloadEntry};

/// The workloads of this family.
pub const WORKLOADS: &[WorkloadEntry] = &[client::TPCB_LIKE, client::SIMPLE_UPDATE, client::SELECT_ONLY];

/// Its kind of data set.
pub const DATASETS: &[DatasetEntry] = &[ENTRY];

/// The accounts of a branch.
pub(crate) const ACCOUNTS: u64 = 100_000;

/// The tellers of a branch.
pub(crate) const TELLERS: u64 = 10;

/// From this scale on, keys of accounts need 64 bits: 2,000,000,000 of them.
pub(crate) const SCALE_OF_BIGINT: u64 = 20_000;

pub(crate) const ENTRY: DatasetEntry = DatasetEntry {
    kind: "tpcb",
    about: "pgbench's tables: a branch, ten tellers and 100,000 accounts per unit of scale, and their history; about 15 MB",
    options: &[OPTIONS],
    sizes: &[("scale", 1)],
    columns: schema::all_columns,
    foreign_keys: schema::foreign_keys,
    ..DatasetEntry::made_by(|options, scheme| Ok(Box::new(Tables::new(options, scheme))))
};

const OPTIONS: &[OptionSpec] = &[
    SCALE,
    row(
        "foreign_keys",
        "off",
        ValueType::Switch,
        "pgbench's five foreign keys, created after the rows are loaded; not on SQLite",
    ),
    row("fillfactor", "100", ValueType::Count(10, 100), "PostgreSQL: how full the pages of the tables are"),
    row(
        "check",
        "run",
        ValueType::Word(&["off", "load", "run", "both"]),
        "whether accounts, tellers, branches and history agree, after the load, after each run, or both",
    ),
    row("mysql_storage_engine", "innodb", ValueType::Name, "storage engine of MySQL and MariaDB"),
];

pub(crate) const SCALE: OptionSpec =
    row("scale", "1", ValueType::Count(1, 21_000), "number of branches: 10 tellers and 100,000 accounts each");

/// The resolved options.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    scheme: Scheme,
    scale: u64,
    form: TableForm,
    checks: When,
}

impl Tables {
    fn new(options: &OptionMap, scheme: Scheme) -> Tables {
        let o = Resolved(options);
        let (check, scale) = (o.text("check"), o.count("scale"));
        Tables {
            scheme,
            scale,
            form: TableForm {
                dialect: Dialect::of(scheme),
                scale,
                foreign_keys: o.on("foreign_keys"),
                fillfactor: o.count("fillfactor"),
                engine: o.text("mysql_storage_engine").to_owned(),
            },
            checks: When { load: ["load", "both"].contains(&check), run: ["run", "both"].contains(&check) },
        }
    }

    /// Whether nothing is stored: the null driver.
    fn is_nowhere(&self) -> bool {
        !self.scheme.kind().keeps_tables
    }
}

impl Dataset for Tables {
    fn kind(&self) -> &str {
        ENTRY.kind
    }

    fn rows(&self) -> u64 {
        self.scale * (1 + TELLERS + ACCOUNTS)
    }

    fn bytes(&self) -> u64 {
        // Measured as files after a load at scale 10, indexes included: PostgreSQL 15 150 MB, MariaDB 10.11 (InnoDB) 143 MB,
        // SQLite 3 119 MB.
        let account = match self.form.dialect {
            Dialect::Mysql => 143,
            Dialect::Postgres => 150,
            Dialect::Sqlite => 119,
        };
        self.scale * ACCOUNTS * account + 262_144
    }

    fn statements(&self) -> Vec<String> {
        let create = NAMES.map(|name| self.form.create(name));
        let drop = schema::DROPPED_IN_ORDER.map(|name| format!("DROP TABLE {name}"));
        create.into_iter().chain(self.form.finish()).chain(drop).collect()
    }

    fn creates(&self) -> Option<Vec<String>> {
        Some(NAMES.map(str::to_owned).to_vec())
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        if self.is_nowhere() { Ok(DatasetState::Ready { ours: false }) } else { inspect::inspect(self, connector) }
    }

    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        _seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        if self.is_nowhere() {
            progress(self.rows());
            return Ok(Vec::new());
        }
        load::load(self, connector, streams, progress, stop).map(|()| Vec::new())
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        if self.is_nowhere() { Ok(()) } else { inspect::drop_ours(connector) }
    }

    fn checks(&self) -> When {
        self.checks
    }

    fn check(
        &self,
        connector: &Connector,
        _streams: u32,
        fresh: bool,
        progress: Examined<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Checked>, Problem> {
        if self.is_nowhere() { Ok(Vec::new()) } else { check::check(self, connector, fresh, progress, stop) }
    }
}
