//! The tables that sysbench's OLTP scripts work on: `sbtest1`, `sbtest2`, … with a key `id`, an indexed `k` and two texts.
//!
//! Schema and names are sysbench 1.0's, so that tables loaded by either tool serve the other. [`rows`] makes a row from a seed
//! and its number (pure); [`load`] fills tables with many streams; [`inspect`] looks at what is there; [`mark`] says what is ours.

mod inspect;
mod load;
mod mark;
mod rows;

use crate::dataset::{Dataset, Found, Progress};
use crate::dialect::Dialect;
use crate::distribution::Shape;
use crate::list::DatasetEntry;
use crate::options::{Given, RANDOM, Resolved, Row, Takes, row};
use tenbin_driver::{Connection, Connector, Error, Transport};
use tenbin_model::dsn::Scheme;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

pub(crate) const ENTRY: DatasetEntry = DatasetEntry {
    kind: "sysbench",
    about: "tables sbtest1, sbtest2, … of sysbench's OLTP scripts",
    options: &[OPTIONS, RANDOM],
    make: |options, scheme| Ok(Box::new(Tables::new(options, scheme))),
};

const OPTIONS: &[Row] = &[
    row("tables", "1", Takes::Count(1, 100_000), "number of tables"),
    row("table_size", "10000", Takes::Count(1, 2_147_483_647), "rows per table"),
    row("auto_inc", "on", Takes::Switch, "id is AUTO_INCREMENT"),
    row("secondary", "off", Takes::Switch, "a secondary index on id instead of the primary key"),
    row("create_secondary", "on", Takes::Switch, "an index on k, made after the rows"),
    row("mysql_storage_engine", "innodb", Takes::Name, "storage engine of MySQL and MariaDB"),
];

/// What the options describe.
#[derive(Debug, Clone)]
struct Tables {
    dialect: Dialect,
    scheme: Scheme,
    tables: u32,
    table_size: u32,
    auto_inc: bool,
    secondary: bool,
    index: bool,
    engine: String,
    shape: Shape,
}

impl Tables {
    fn new(options: &Given, scheme: Scheme) -> Tables {
        let o = Resolved(options);
        Tables {
            dialect: Dialect::of(scheme),
            scheme,
            tables: o.count32("tables"),
            table_size: o.count32("table_size"),
            auto_inc: o.on("auto_inc"),
            secondary: o.on("secondary"),
            index: o.on("create_secondary"),
            engine: o.text("mysql_storage_engine").to_owned(),
            shape: o.shape(),
        }
    }

    fn create(&self, table: u32) -> String {
        let key = if self.secondary { "KEY xid (id)" } else { "PRIMARY KEY (id)" };
        match self.dialect {
            Dialect::Sqlite => {
                // A key of this exact form is SQLite's row number itself.
                let id = if self.secondary { "INTEGER NOT NULL" } else { "INTEGER PRIMARY KEY" };
                format!(
                    "CREATE TABLE sbtest{table}(id {id}, k INTEGER DEFAULT 0 NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL)"
                )
            }
            Dialect::Mysql => {
                let counting = if self.auto_inc { " AUTO_INCREMENT" } else { "" };
                format!(
                    "CREATE TABLE sbtest{table}(id INTEGER NOT NULL{counting}, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, {key}) ENGINE = {}",
                    self.engine
                )
            }
        }
    }

    /// What is made once the rows are in: cheaper then.
    fn indexes(&self, table: u32) -> Vec<String> {
        let mut all = Vec::new();
        if self.secondary && self.dialect == Dialect::Sqlite {
            all.push(format!("CREATE INDEX xid_{table} ON sbtest{table}(id)"));
        }
        if self.index {
            all.push(format!("CREATE INDEX k_{table} ON sbtest{table}(k)"));
        }
        all
    }

    fn names(&self) -> Vec<String> {
        (1..=self.tables).map(|t| format!("sbtest{t}")).collect()
    }
}

impl Dataset for Tables {
    fn kind(&self) -> &str {
        ENTRY.kind
    }

    fn rows(&self) -> u64 {
        u64::from(self.tables) * u64::from(self.table_size)
    }

    fn bytes(&self) -> u64 {
        // Measured: 1M rows with their index take 236 MB in InnoDB and 225 MB in SQLite.
        self.rows() * 236 + u64::from(self.tables) * 98_304
    }

    fn statements(&self) -> Vec<String> {
        let more =
            |sql: String| if self.tables > 1 { format!("{sql}   (and so on to sbtest{})", self.tables) } else { sql };
        let mut all = vec![more(self.create(1))];
        all.extend(self.indexes(1).into_iter().map(more));
        all.push(mark::create().to_owned());
        all
    }

    fn inspect(&self, connector: &Connector) -> Result<Found, Problem> {
        if self.scheme == Scheme::Null {
            return Ok(Found::Ready { ours: false });
        }
        with_connection(connector, "looking at the tables", async |c| inspect::inspect(self, c).await)
    }

    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<(), Problem> {
        load::load(self, connector, streams, seed, progress, stop)
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        with_connection(connector, "dropping our tables", async |c| mark::drop_marked(self.dialect, c).await)
    }
}

/// Runs cold work on a connection of its own, on a runtime of its own, and tells errors as `doing … failed`.
fn with_connection<T>(
    connector: &Connector,
    doing: &str,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Problem::new("no event loop can be made").evidence(e.to_string()))?;
    runtime.block_on(async {
        let mut connection = connector
            .connect(Transport::Alone)
            .await
            .map_err(|e| e.problem(&format!("connecting to {}", connector.dsn())))?;
        let outcome = work(&mut connection).await.map_err(|e| e.problem(doing));
        connection.close().await;
        outcome?
    })
}
