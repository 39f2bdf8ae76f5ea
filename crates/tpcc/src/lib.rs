//! A workload derived from TPC-C (specification 5.11): nine tables in tpcc-mysql's layout, five transactions.
//!
//! The data set: [`schema`] has the tables as data, [`set`] their names if there are several sets of them,
//! [`population`] generates a row from seed and key (pure), [`work`] distributes the pieces of a load (pure),
//! [`mod@slice`] selects among them, [`load`] executes them with many streams, [`metadata`] records what has been
//! loaded, [`inspect`] determines what exists, [`check`] whether it is consistent.
//!
//! The workload: [`terminal`] is the client, [`deck`] chooses the next transaction, [`statements`] has all SQL, and
//! each transaction is a file: [`new_order`], [`payment`], [`order_status`], [`delivery`], [`stock_level`];
//! [`deferred`] executes queued deliveries; [`tpcc_mysql`] has the same five in that tool's statements, for the
//! [`profile`] of that name; [`mod@found`] describes the existing tables.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod check;
mod deck;
mod deferred;
mod delivery;
mod found;
mod input;
mod inspect;
mod load;
mod lock;
mod metadata;
mod new_order;
mod nurand;
mod order_status;
mod pacing;
mod part;
mod payment;
mod pool;
mod population;
mod profile;
mod row_writer;
mod schema;
mod session;
mod set;
mod settings;
mod slice;
mod statements;
mod stock_level;
mod terminal;
mod text;
mod tpcc_mysql;
mod work;

use part::Part;
use schema::{LAYOUTS, Layout, SchemaForm, TABLES, Table};
use set::Set;
use slice::Slice;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::options::{OptionMap, OptionSpec, Resolved, ValueType, row};
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::{
    Checked, Dataset, DatasetEntry, DatasetSlice, DatasetState, Examined, LoadSlices, Progress, When, WorkloadEntry,
};

/// The workload of this family.
pub const WORKLOADS: &[WorkloadEntry] = &[terminal::ENTRY];

/// Its kind of data set.
pub const DATASETS: &[DatasetEntry] = &[ENTRY];

const ENTRY: DatasetEntry = DatasetEntry {
    kind: "tpcc",
    about: "nine tables derived from TPC-C, in tpcc-mysql's layout: about 100 MB per warehouse",
    options: &[OPTIONS, slice::OPTIONS],
    sizes: &[("warehouses", 1)],
    indexes: &["idx_customer", "idx_orders", "fkey_stock_2", "fkey_order_line_2"],
    columns: inspect::columns,
    foreign_keys: inspect::foreign_keys,
    loaded_with: Some(inspect::loaded_with),
    ..DatasetEntry::made_by(|options, scheme| Ok(Box::new(Tables::new(options, scheme)?)))
};

const OPTIONS: &[OptionSpec] = &[
    row(
        "warehouses",
        "1",
        ValueType::Count(1, 2_000_000),
        "number of warehouses in each set; a load with more than exist adds the missing ones",
    ),
    row("tables", "1", ValueType::Count(1, 1000), TABLE_SETS),
    row("numbered", "off", ValueType::Switch, NUMBERED),
    row("foreign_keys", "off", ValueType::Switch, "tpcc-mysql's ten foreign keys, created after the rows are loaded"),
    row("layout", "spec", ValueType::Word(LAYOUTS), "column types: those of clause 1.3, or tpcc-mysql's narrower ones"),
    row(
        "check",
        "off",
        ValueType::Word(CHECKS),
        "check all consistency conditions after the load, after each run, or both",
    ),
    row("adopt", "off", ValueType::Switch, "fill existing empty tables of this layout; they are never dropped"),
    row("mysql_storage_engine", "innodb", ValueType::Name, "storage engine of MySQL and MariaDB"),
];

/// The meaning of the option `tables`, for the data set and for the load.
const TABLE_SETS: &str =
    "sets of the nine tables, each with this many warehouses; the names of several sets have a number";

/// The meaning of the option `numbered`, for both.
const NUMBERED: &str =
    "a single set has a number in its names too (warehouse1), as sysbench-tpcc creates it with --tables=1";

const CHECKS: &[&str] = &["off", "load", "run", "both"];

/// What the options describe.
#[derive(Debug, Clone)]
struct Tables {
    scheme: Scheme,
    /// Of each set.
    warehouses: u64,
    sets: Vec<Set>,
    form: SchemaForm,
    /// What of it a load brings.
    slice: Slice,
    /// Whether empty tables that somebody else created are filled.
    adopt: bool,
    checks: When,
}

impl Tables {
    fn new(options: &OptionMap, scheme: Scheme) -> Result<Tables, Problem> {
        let o = Resolved(options);
        let form = SchemaForm {
            dialect: Dialect::of(scheme),
            layout: Layout::named(o.text("layout")),
            engine: o.text("mysql_storage_engine").to_owned(),
            foreign_keys: o.on("foreign_keys"),
        };
        let check = o.text("check");
        let checks = When { load: ["load", "both"].contains(&check), run: ["run", "both"].contains(&check) };
        let warehouses = o.count("warehouses");
        let (sets, slice) = (Set::all(o.count("tables"), o.on("numbered")), Slice::of(&o, warehouses)?);
        Ok(Tables { scheme, warehouses, sets, form, slice, adopt: o.on("adopt"), checks })
    }

    /// Rows of a fresh population, or of the slice that is to be loaded; of order lines the expected number.
    fn nominal_rows(&self) -> u64 {
        self.wanted().map(|part| part.what.rows()).sum()
    }

    /// The parts that are to be loaded.
    fn wanted(&self) -> impl Iterator<Item = Part> {
        part::parts(self.warehouses, &self.sets).filter(|part| self.slice.holds(part.what, part.w))
    }

    /// Those that one of several processes loads: parts in turn.
    fn dealt(&self, slice: DatasetSlice) -> impl Iterator<Item = Part> {
        (0..).zip(self.wanted()).filter(move |(piece, _)| slice.has(*piece)).map(|(_, part)| part)
    }

    /// Each table of each set; each comes after those it refers to.
    fn each(&self) -> impl DoubleEndedIterator<Item = (Set, &'static Table)> {
        self.sets.iter().flat_map(|set| TABLES.iter().map(|table| (*set, table)))
    }

    /// Whether the only set has a number in its names.
    fn numbered(&self) -> bool {
        matches!(self.sets[..], [set] if set != Set::ALONE)
    }

    /// The names of all tables, each before those it refers to, the metadata last.
    fn names(&self) -> Vec<String> {
        let tables = self.each().rev().map(|(set, table)| set.named(table.name));
        tables.chain([metadata::NAME.to_owned()]).collect()
    }

    /// The command that loads these tables.
    fn load_command(&self, connector: &Connector) -> Message {
        let keys = if self.form.foreign_keys { " -o foreign_keys=on" } else { "" };
        let layout = if self.form.layout == Layout::TpccMysql { " -o layout=tpcc_mysql" } else { "" };
        let adopt = if self.adopt { " -o adopt=on" } else { "" };
        let slice = self.slice.options();
        let sets = Set::typed(&self.sets);
        let (address, warehouses) = (shell::quoted(&connector.dsn().to_string()), self.warehouses);
        let options = format!("{sets} -o warehouses={warehouses}{keys}{layout}{adopt}{slice}");
        msg!("tenbin-load", workload = "tpcc", address, options)
    }
}

impl Dataset for Tables {
    fn kind(&self) -> &str {
        ENTRY.kind
    }

    fn rows(&self) -> u64 {
        self.nominal_rows()
    }

    fn bytes(&self) -> u64 {
        // Measured with all indexes, without foreign keys, as files after `tenbin load tpcc`: 2 and 4 warehouses take
        // 248 and 431 MB in MariaDB 10.11 (InnoDB, whose files grow by 4 MiB), 2 take 235 MB in PostgreSQL 15 and 175
        // MB in SQLite 3. In addition to the warehouses there are the items, and the free space within the files.
        let (warehouse, beside) = match self.form.dialect {
            Dialect::Mysql => (92_000_000, 64_000_000),
            Dialect::Postgres => (111_500_000, 12_000_000),
            Dialect::Sqlite => (82_000_000, 11_000_000),
        };
        let whole = self.sets.len() as u64 * (self.warehouses * warehouse + beside);
        if self.slice.is_whole() {
            return whole;
        }
        let all: u64 = part::parts(self.warehouses, &self.sets).map(|part| part.what.rows()).sum();
        (u128::from(whole) * u128::from(self.nominal_rows()) / u128::from(all.max(1))) as u64
    }

    fn statements(&self) -> Vec<String> {
        let mut all = vec![mark::CREATE.to_owned(), metadata::create(self.form.dialect, &self.form.engine)];
        let mut add = |statements: &dyn Fn(&Table) -> Vec<String>| {
            for (set, table) in self.each() {
                all.extend(statements(table).iter().map(|sql| set.sql(sql).into_owned()));
            }
        };
        add(&|t| vec![self.form.create(t)]);
        add(&|t| self.form.index(t));
        add(&|t| self.form.constrain(t));
        all.extend(self.names().iter().map(|name| format!("DROP TABLE {name}")));
        all
    }

    fn in_parts(&self) -> bool {
        !self.slice.is_whole()
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
        load::load(self, connector, streams, seed, progress, stop)
    }

    fn has_slices(&self) -> bool {
        // SQLite has one writer; a part that the options name is a slice already.
        self.slice.is_whole() && self.scheme.kind().loads_in_slices
    }

    fn load_around(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        rows: LoadSlices<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        load::around(self, connector, streams, seed, rows, stop)
    }

    fn load_slice(
        &self,
        connector: &Connector,
        streams: u32,
        _seed: u64,
        slice: DatasetSlice,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        load::slice(self, connector, streams, slice, progress, stop)
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(());
        }
        with_connection(connector, msg!("dropping-our-tables"), async |c| inspect::drop_ours(self, c).await)
    }

    fn checks(&self) -> When {
        self.checks
    }

    fn check(
        &self,
        connector: &Connector,
        streams: u32,
        fresh: bool,
        progress: Examined<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Checked>, Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(Vec::new());
        }
        check::check(self, connector, streams, fresh, progress, stop)
    }
}
