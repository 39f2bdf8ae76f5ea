//! The one list of workloads and the one list of datasets, and how they are found by name.

use crate::options::{self, Given, Row, Wrong};
use crate::system::Outside;
use crate::{Dataset, Workload, host, oltp, script, slap, sysbench, tpcc};
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::problem::Problem;

/// Makes a workload of this name from resolved options.
pub type MakeWorkload = fn(&'static str, &Given, Connector) -> Result<Box<dyn Workload>, Problem>;

/// Makes a dataset from resolved options, for one family of database.
pub type MakeDataset = fn(&Given, Scheme) -> Result<Box<dyn Dataset>, Problem>;

/// Looks at tables and answers with the options they were loaded with; empty where nothing can be said.
pub type LoadedWith = fn(&Connector) -> Given;

/// One workload in the list.
#[derive(Debug)]
pub struct Entry {
    /// The name people know it by.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The kind of dataset that it works on (see [`datasets`]), or `none`.
    pub dataset: &'static str,
    /// Its options, in groups, in reading order.
    pub options: &'static [&'static [Row]],
    /// Makes it from options that [`Entry::resolve`] gave.
    pub make: MakeWorkload,
}

/// One kind of dataset in the list.
#[derive(Debug)]
pub struct DatasetEntry {
    /// Its name, as plans call it.
    pub kind: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its options, in groups, in reading order.
    pub options: &'static [&'static [Row]],
    /// Whether each client works on a table of its own.
    pub table_per_client: bool,
    /// Makes it from options that [`DatasetEntry::resolve`] gave, for one family of database.
    pub make: MakeDataset,
    /// The options with which the tables that are there were loaded, as far as they say; `None`: they never do.
    pub loaded_with: Option<LoadedWith>,
}

/// All workloads. A new one is one new file and one line here.
pub fn workloads() -> &'static [Entry] {
    const LIST: &[Entry] = &[
        oltp::read_write::ENTRY,
        oltp::read_only::ENTRY,
        oltp::write_only::ENTRY,
        oltp::point_select::ENTRY,
        oltp::update_index::ENTRY,
        oltp::update_non_index::ENTRY,
        oltp::insert::ENTRY,
        oltp::delete::ENTRY,
        oltp::random_points::ENTRY,
        oltp::random_ranges::ENTRY,
        oltp::bulk_insert::ENTRY,
        oltp::of_0_4::ENTRY,
        slap::ENTRY,
        tpcc::terminal::ENTRY,
        host::cpu::ENTRY,
        host::memory::ENTRY,
        host::threads::ENTRY,
        host::mutex::ENTRY,
        host::fileio::ENTRY,
    ];
    LIST
}

/// All kinds of datasets. A new one is one new module and one line here.
pub fn datasets() -> &'static [DatasetEntry] {
    const LIST: &[DatasetEntry] = &[
        sysbench::ENTRY,
        sysbench::bulk::ENTRY,
        sysbench::OF_0_4,
        slap::DATASET,
        tpcc::ENTRY,
        host::fileio::dataset::ENTRY,
    ];
    LIST
}

/// The workload of this name, ready to drive. `given` needs to hold only what differs from the defaults.
pub fn workload(name: &str, given: &Given, connector: Connector) -> Result<Box<dyn Workload>, Problem> {
    let entry = find_workload(name)?;
    (entry.make)(entry.name, &entry.resolve(given)?, connector)
}

/// The workload of this name, or of this script, on a data set: what the load leaves open comes from the data set.
pub fn workload_on(
    name: &str,
    load: &Given,
    dataset: &Given,
    connector: Connector,
) -> Result<Box<dyn Workload>, Problem> {
    if script::is_script(name) {
        return script::workload_on(name, load, dataset, connector);
    }
    let entry = find_workload(name)?;
    (entry.make)(entry.name, &entry.resolve(&entry.inherit(load, dataset))?, connector)
}

/// Parts options that were given together into those of the data set and those of the load (see [`Entry::split`]), after
/// the data set's kind; a script has none, and makes its own tables.
pub fn split(name: &str, given: &Given, clients: u32) -> Result<(&'static str, Given, Given), Problem> {
    if script::is_script(name) {
        return Ok(("none", Given::new(), script::its_own(name, given)?));
    }
    let entry = find_workload(name)?;
    entry.split(given, clients).map(|(data, load)| (entry.dataset, data, load))
}

/// The dataset of this kind for databases of `scheme`. `given` needs to hold only what differs from the defaults.
pub fn dataset(kind: &str, given: &Given, scheme: Scheme) -> Result<Box<dyn Dataset>, Problem> {
    let entry = find_dataset(kind)?;
    let made = (entry.make)(&entry.resolve(given)?, scheme)?;
    // mysqlslap's schema is its own; where the address leads does not matter.
    Ok(if kind == slap::DATASET.kind { made } else { Box::new(Outside(made)) })
}

/// Everything wrong with what a load says, as far as can be seen without a server and without running a script.
pub fn wrong_load(name: &str, load: &Given, dataset: &Given) -> Vec<Wrong> {
    if script::is_script(name) {
        return script::unreadable(name).map(|problem| called("workload", name, problem)).into_iter().collect();
    }
    let entry = match find_workload(name) {
        Ok(entry) => entry,
        Err(problem) => return vec![called("workload", name, problem)],
    };
    let mut wrong = options::wrong(&format!("the workload {}", entry.name), &entry.rows(), &canonical(load));
    if wrong.is_empty() {
        let nowhere = Dsn::parse("null:").and_then(|dsn| Connector::new(dsn, None));
        let made = nowhere.and_then(|nowhere| workload_on(name, load, dataset, nowhere));
        wrong.extend(made.err().map(|problem| Wrong { field: None, problem }));
    }
    wrong
}

/// Everything wrong with the options of a data set.
pub fn wrong_data(kind: &str, given: &Given, scheme: Scheme) -> Vec<Wrong> {
    let entry = match find_dataset(kind) {
        Ok(entry) => entry,
        Err(problem) => return vec![called("kind", kind, problem)],
    };
    let mut wrong = options::wrong(&format!("the dataset {}", entry.kind), &entry.rows(), &canonical(given));
    if wrong.is_empty() {
        wrong.extend(dataset(kind, given, scheme).err().map(|problem| Wrong { field: None, problem }));
    }
    wrong
}

fn called(field: &str, name: &str, problem: Problem) -> Wrong {
    Wrong { field: Some((field.to_owned(), Some(name.to_owned()))), problem }
}

/// The entry of this name; `-` and `_` are the same.
pub fn find_workload(name: &str) -> Result<&'static Entry, Problem> {
    let wanted = name.replace('-', "_");
    let names = || workloads().iter().map(|e| e.name);
    workloads().iter().find(|e| e.name == wanted).ok_or_else(|| unknown("workload", name, &wanted, names()))
}

/// The entry of this kind; `-` and `_` are the same.
pub fn find_dataset(kind: &str) -> Result<&'static DatasetEntry, Problem> {
    let wanted = kind.replace('-', "_");
    let kinds = || datasets().iter().map(|e| e.kind);
    datasets().iter().find(|e| e.kind == wanted).ok_or_else(|| unknown("dataset", kind, &wanted, kinds()))
}

fn unknown(what: &str, typed: &str, wanted: &str, names: impl Iterator<Item = &'static str> + Clone) -> Problem {
    let problem = Problem::new(format!("there is no {what} {typed:?}"));
    match options::nearest(wanted, names.clone()) {
        Some(right) => problem.mend(format!("write {right}, or see all with `tenbin list`")),
        None => problem.mend(format!("use one of: {}", names.collect::<Vec<_>>().join(", "))),
    }
}

impl Entry {
    /// Whether it works on a database, not on the machine itself.
    pub fn needs_database(&self) -> bool {
        !host::NAMES.contains(&self.name)
    }

    /// Its options in one list.
    pub fn rows(&self) -> Vec<&'static Row> {
        self.options.iter().flat_map(|group| group.iter()).collect()
    }

    /// All its options with their values, checked.
    pub fn resolve(&self, given: &Given) -> Result<Given, Problem> {
        options::resolve(&format!("the workload {}", self.name), &self.rows(), given)
    }

    /// Fills in what a load leaves open from the dataset it runs on: options that both have (`tables`, `table_size`, …).
    pub fn inherit(&self, load: &Given, dataset: &Given) -> Given {
        let (mut all, dataset) = (canonical(load), canonical(dataset));
        let shared = |r: &&&Row| {
            SHARED.contains(&r.name)
                || self.name == "slap" && slap::SHARED.contains(&r.name)
                || self.name == "fileio" && host::fileio::SHARED.contains(&r.name)
        };
        for row in self.rows().iter().filter(shared) {
            // Empty tables say nothing about the range of the keys to come.
            let empty = |v: &&String| !(SHARED.contains(&row.name) && *v == "0");
            if let Some(value) = dataset.get(row.name).filter(empty) {
                all.entry(row.name.to_owned()).or_insert_with(|| value.clone());
            }
        }
        all
    }

    /// Parts options that were given together (a command line that loads and runs) into those of the dataset and those
    /// of the load; one that both have goes to both. `clients` is the largest number of clients that will run.
    pub fn split(&self, given: &Given, clients: u32) -> Result<(Given, Given), Problem> {
        // `none`: it works on no data.
        let dataset = (self.dataset != "none").then(|| find_dataset(self.dataset)).transpose()?;
        let (mine, theirs) = (self.rows(), dataset.map(DatasetEntry::rows).unwrap_or_default());
        let has = |rows: &[&Row], name: &str| rows.iter().any(|r| r.name == name);
        let both: Vec<&Row> = [&mine[..], &theirs[..]].concat();
        let mut given = canonical(given);
        // Command lines have the tables' number and size for every workload; one without them has no use for them.
        given.retain(|name, _| has(&both, name) || !SHARED.contains(&name.as_str()));
        options::resolve(&format!("the workload {}", self.name), &both, &given)?;
        let only = |rows: &[&Row]| -> Given {
            given
                .iter()
                .filter(|(name, _)| has(rows, name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let (mut data, load) = (only(&theirs), only(&mine));
        if dataset.is_some_and(|d| d.table_per_client) {
            let said = data.get("tables").and_then(|n| n.parse().ok()).unwrap_or(1);
            data.insert("tables".into(), clients.max(said).to_string());
        }
        Ok((data, load))
    }
}

/// The same options with `_` for every `-` in their names.
fn canonical(given: &Given) -> Given {
    given.iter().map(|(name, value)| (name.replace('-', "_"), value.clone())).collect()
}

/// Options that mean the same in a dataset and in the load that runs on it.
pub(crate) const SHARED: &[&str] = &["tables", "table_size", "auto_inc", "warehouses"];

impl DatasetEntry {
    /// Its options in one list.
    pub fn rows(&self) -> Vec<&'static Row> {
        self.options.iter().flat_map(|group| group.iter()).collect()
    }

    /// All its options with their values, checked.
    pub fn resolve(&self, given: &Given) -> Result<Given, Problem> {
        options::resolve(&format!("the dataset {}", self.kind), &self.rows(), given)
    }
}
