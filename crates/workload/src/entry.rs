//! The entries of workloads and data sets: they contain everything that other code needs to know about them,
//! so that no decision depends on a name.

use crate::options::{self, OptionMap, OptionSpec};
use crate::{Dataset, Workload};
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::workload::{DataSize, Ends, NO_DATA, WorkloadInfo};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Creates a workload of this name from resolved options.
pub type MakeWorkload = fn(&'static str, &OptionMap, Connector) -> Result<Box<dyn Workload>, Problem>;

/// Creates a data set from resolved options, for one family of database.
pub type MakeDataset = fn(&OptionMap, Scheme) -> Result<Box<dyn Dataset>, Problem>;

/// Inspects tables and returns the options with which they were loaded; empty if they are unknown.
pub type LoadedWith = fn(&Connector) -> OptionMap;

/// One workload in the list.
#[derive(Debug)]
pub struct WorkloadEntry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its family: a value of `kind` of a load.
    pub family: &'static str,
    /// What it runs on.
    pub runs_on: RunsOn,
    /// The kind of data set that it uses (see [`DatasetEntry::kind`]), or [`tenbin_model::workload::NO_DATA`].
    pub dataset: &'static str,
    /// Options with the same meaning in the data set: by default the load takes their values from there.
    pub shared: &'static [&'static str],
    /// Whether it changes nothing, or nothing that affects the next trial on the same data.
    pub reads_only: bool,
    /// Whether its clients end by themselves.
    pub ends: Ends,
    /// The option and its value with which its clients pause between transactions.
    pub paces_with: Option<(&'static str, &'static str)>,
    /// Replaces values that leave a choice open (`auto`), once all options have a value.
    pub settle: fn(&mut OptionMap),
    /// Its options, in groups, in reading order.
    pub options: &'static [&'static [OptionSpec]],
    /// Creates it from options returned by [`WorkloadEntry::resolve`].
    pub make: MakeWorkload,
}

/// What a workload runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsOn {
    /// A database.
    Database,
    /// This machine itself: its target is `host:` or `host:DIRECTORY`.
    Host,
}

/// One kind of dataset in the list.
#[derive(Debug)]
pub struct DatasetEntry {
    /// Its name in plans.
    pub kind: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its options, in groups, in reading order.
    pub options: &'static [&'static [OptionSpec]],
    /// Those that determine the amount of data, with the smallest value to which `--scale` reduces each.
    pub sizes: &'static [(&'static str, u64)],
    /// Whether each client uses its own table.
    pub table_per_client: bool,
    /// Whether it creates and drops its own schema; otherwise its tables are in the schema of the address.
    pub own_schema: bool,
    /// Whether statements or scripts of the user create its tables.
    pub created_by_user: bool,
    /// How the indexes of its tables are called, without a number at the end; primary keys are left out, and what statements of the user create.
    pub indexes: &'static [&'static str],
    /// The columns of its table of this name; empty if statements of the user create it.
    pub columns: fn(&str) -> Vec<&'static str>,
    /// The foreign keys that its table of this name may have: `fkey_stock_2 (s_i_id) REFERENCES item(i_id)`.
    pub foreign_keys: fn(&str) -> Vec<String>,
    /// What it consists of: `tables`, `files`.
    pub made_of: &'static str,
    /// Creates it from options returned by [`DatasetEntry::resolve`], for one family of database.
    pub make: MakeDataset,
    /// The options with which existing tables were loaded, as far as they are recorded; `None`: they never are.
    pub loaded_with: Option<LoadedWith>,
}

/// Options of tables that many workloads share with their data sets.
pub const SHARED: &[&str] = &["tables", "table_size", "auto_inc", "warehouses"];

impl WorkloadEntry {
    /// The rest of an entry (`..WorkloadEntry::made_by(…)`): one of a database that shares no options, changes rows, has no end and no pauses. The entry
    /// states its name, what it does, its family and its data set.
    pub const fn made_by(make: MakeWorkload) -> WorkloadEntry {
        WorkloadEntry {
            name: "",
            about: "",
            family: "",
            runs_on: RunsOn::Database,
            dataset: NO_DATA,
            shared: &[],
            reads_only: false,
            ends: Ends::Never,
            paces_with: None,
            settle: |_| {},
            options: &[],
            make,
        }
    }

    /// Whether it runs on a database, not on the machine itself.
    pub fn needs_database(&self) -> bool {
        self.runs_on == RunsOn::Database
    }

    /// What the parser of plans needs to know about it.
    /// `dataset`: the one that it uses, if any.
    pub fn info(&self, dataset: Option<&DatasetEntry>) -> WorkloadInfo {
        let both = |name: &&&str| {
            let has = |rows: Vec<&OptionSpec>| rows.iter().any(|row| row.name == **name);
            has(self.rows()) && dataset.is_some_and(|d| has(d.rows()))
        };
        WorkloadInfo {
            name: self.name,
            family: self.family,
            dataset: self.dataset,
            shared: self.shared.iter().filter(both).copied().collect(),
            table_per_client: dataset.is_some_and(|d| d.table_per_client),
            has_groups: self.rows().iter().any(|row| row.name == "groups"),
            reads_only: self.reads_only,
            ends: self.ends,
            paces_with: self.paces_with,
        }
    }

    /// An option that it declares more than once.
    pub fn declared_twice(&self) -> Option<&'static str> {
        let rows = self.rows();
        let again =
            |(place, row): (usize, &&OptionSpec)| rows[..place].iter().any(|r| r.name == row.name).then_some(row.name);
        rows.iter().enumerate().find_map(again)
    }

    /// Its options in one list.
    pub fn rows(&self) -> Vec<&'static OptionSpec> {
        self.options.iter().flat_map(|group| group.iter()).collect()
    }

    /// All its options with their values, checked.
    pub fn resolve(&self, given: &OptionMap) -> Result<OptionMap, Problem> {
        let mut all = options::resolve(&msg!("the-workload", workload = self.name), &self.rows(), given)?;
        (self.settle)(&mut all);
        Ok(all)
    }

    /// Takes options that are not given in a load from its data set, if both have them (`tables`, `table_size`, …).
    pub fn inherit(&self, load: &OptionMap, dataset: &OptionMap) -> OptionMap {
        let (mut all, dataset) = (canonical(load), canonical(dataset));
        for row in self.rows().iter().filter(|row| self.shared.contains(&row.name)) {
            // Empty tables do not determine the range of future keys: the load's own table_size does not accept 0.
            if let Some(value) = dataset.get(row.name).filter(|value| row.takes(value)) {
                all.entry(row.name.to_owned()).or_insert_with(|| value.clone());
            }
        }
        all
    }

    /// Splits options that were given together (a command line that loads and runs) into those of the data set and
    /// those of the load; shared options go to both. `dataset`: the one that it uses, if any. `clients` is the largest
    /// number of clients that will run.
    pub fn split(
        &self,
        given: &OptionMap,
        clients: u32,
        dataset: Option<&DatasetEntry>,
    ) -> Result<(OptionMap, OptionMap), Problem> {
        let (mine, theirs) = (self.rows(), dataset.map(DatasetEntry::rows).unwrap_or_default());
        let has = |rows: &[&OptionSpec], name: &str| rows.iter().any(|r| r.name == name);
        let both: Vec<&OptionSpec> = [&mine[..], &theirs[..]].concat();
        let mut given = canonical(given);
        // Command lines have the number and size of tables for every workload; they are ignored for those without.
        given.retain(|name, _| has(&both, name) || !SHARED.contains(&name.as_str()));
        options::resolve(&msg!("the-workload", workload = self.name), &both, &given)?;
        let only = |rows: &[&OptionSpec]| -> OptionMap {
            given
                .iter()
                .filter(|(name, _)| has(rows, name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let (mut data, load) = (only(&theirs), only(&mine));
        if dataset.is_some_and(|d| d.table_per_client) {
            let tables = data.get("tables").and_then(|n| n.parse().ok()).unwrap_or(1);
            data.insert("tables".into(), clients.max(tables).to_string());
        }
        Ok((data, load))
    }
}

impl DatasetEntry {
    /// The rest of an entry (`..DatasetEntry::made_by(…)`): tables in the schema of the address, without further indexes. The entry states its name, what
    /// it is, its options and its columns.
    pub const fn made_by(make: MakeDataset) -> DatasetEntry {
        DatasetEntry {
            kind: "",
            about: "",
            options: &[],
            sizes: &[],
            table_per_client: false,
            own_schema: false,
            created_by_user: false,
            indexes: &[],
            columns: |_| Vec::new(),
            foreign_keys: |_| Vec::new(),
            made_of: "tables",
            make,
            loaded_with: None,
        }
    }

    /// Its options in one list.
    pub fn rows(&self) -> Vec<&'static OptionSpec> {
        self.options.iter().flat_map(|group| group.iter()).collect()
    }

    /// What determines the amount of data.
    pub fn data_sizes(&self) -> impl Iterator<Item = DataSize> {
        self.sizes.iter().filter_map(|(option, least)| {
            let row = self.rows().into_iter().find(|row| row.name == *option)?;
            Some(DataSize { kind: self.kind, option: row.name, default: row.default, least: *least })
        })
    }

    /// All its options with their values, checked.
    pub fn resolve(&self, given: &OptionMap) -> Result<OptionMap, Problem> {
        options::resolve(&msg!("the-dataset", dataset = self.kind), &self.rows(), given)
    }
}

/// The same options with `_` for every `-` in their names.
pub fn canonical(given: &OptionMap) -> OptionMap {
    given.iter().map(|(name, value)| (name.replace('-', "_"), value.clone())).collect()
}
