//! What the parser of plans needs to know about workloads. The crate `workloads` provides it from its list, so that the
//! parser names no workload.

/// The kind of data set of a workload that uses no data.
pub const NO_DATA: &str = "none";

/// The kind of data set that a script's own prepare command creates.
pub const SCRIPT_DATA: &str = "script";

/// Whether a workload's name is that of a script: a path, or a file with a script's extension.
pub fn is_script(name: &str) -> bool {
    name.ends_with(".lua") || name.contains('/')
}

/// What the parser of plans needs to know about one workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadInfo {
    /// Its name.
    pub name: &'static str,
    /// Its family: a value of `kind` of a load. A family with a workload of the same name means that workload.
    pub family: &'static str,
    /// The kind of data set that it uses, or [`NO_DATA`].
    pub dataset: &'static str,
    /// Options that it shares with its data set: if the plan has no data set, the values in the load apply
    /// to the data too.
    pub shared: Vec<&'static str>,
    /// Whether each client uses its own table.
    pub table_per_client: bool,
    /// Whether its clients may be in groups that do different things.
    pub has_groups: bool,
    /// Whether it changes nothing, or nothing that affects the next trial.
    pub reads_only: bool,
    /// Whether its clients end by themselves.
    pub ends: Ends,
    /// The option and its value with which its clients pause between transactions.
    pub paces_with: Option<(&'static str, &'static str)>,
}

/// Whether the clients of a workload end by themselves, before time or an operation limit ends the trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// They do not.
    Never,
    /// Each does its work and ends.
    Always,
    /// They do with one of these options.
    With(Counts),
}

/// Options that determine the amount of work of the clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Transactions of all clients together.
    pub total: &'static str,
    /// Transactions of each client.
    pub per_client: &'static str,
    /// Other options after which each client ends.
    pub others: &'static [&'static str],
}

impl Counts {
    /// The names of all of them.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.total, self.per_client].into_iter().chain(self.others.iter().copied())
    }
}

/// The workloads that a plan may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// All known workloads. Others, such as scripts, are assumed to write, and to run until the trial ends.
    pub workloads: Vec<WorkloadInfo>,
    /// The default kind of a data set, also for workloads that are not in the list.
    pub default_dataset: &'static str,
    /// The options of data sets that determine the amount of data.
    pub sizes: Vec<DataSize>,
}

/// An option of a data set that determines the amount of data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSize {
    /// The kind of data set.
    pub kind: &'static str,
    /// The option.
    pub option: &'static str,
    /// Its default.
    pub default: &'static str,
    /// The smallest value with which a try-out makes sense.
    pub least: u64,
}

impl Catalog {
    /// A catalog without workloads.
    pub const EMPTY: Catalog = Catalog { workloads: Vec::new(), default_dataset: NO_DATA, sizes: Vec::new() };

    /// The workload of this name; `-` and `_` are equivalent.
    pub fn find(&self, name: &str) -> Option<&WorkloadInfo> {
        let wanted = name.replace('-', "_");
        self.workloads.iter().find(|w| w.name == wanted)
    }

    /// The options of workloads that are numbers of transactions.
    pub fn counts(&self) -> impl Iterator<Item = &'static str> {
        self.workloads
            .iter()
            .filter_map(|w| if let Ends::With(c) = w.ends { Some([c.total, c.per_client]) } else { None })
            .flatten()
    }

    /// Whether any workload belongs to this family.
    pub fn has_family(&self, family: &str) -> bool {
        self.workloads.iter().any(|w| w.family == family)
    }
}
