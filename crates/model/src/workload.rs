//! What a plan needs to know of the workloads there are. The crate `workloads` fills this in from its list, so that the
//! parser of plans names no workload.

/// The kind of data set of a workload that works on no data.
pub const NO_DATA: &str = "none";

/// What a plan needs to know of one workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadInfo {
    /// The name people know it by.
    pub name: &'static str,
    /// The family it belongs to: what `kind` of a load may be. A family that has a workload of its own name means that one.
    pub family: &'static str,
    /// The kind of data set that it works on, or [`NO_DATA`].
    pub dataset: &'static str,
    /// Options that it shares with its data set: where the plan describes no data set, what the load says of them holds
    /// for the data too.
    pub shared: Vec<&'static str>,
    /// Whether each client works on a table of its own.
    pub table_per_client: bool,
    /// Whether it changes nothing, or nothing that matters to the next trial.
    pub reads_only: bool,
    /// Whether its clients end by themselves.
    pub ends: Ends,
    /// The option, and the value of it, with which its clients rest between transactions.
    pub paces_with: Option<(&'static str, &'static str)>,
}

/// Whether the clients of a workload end by themselves, before time or a number of transactions ends the trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// They go on.
    Never,
    /// Each does its part and leaves.
    Always,
    /// They do so with one of these options.
    With(Counts),
}

/// Options that say how much the clients of a workload do, each with its own count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Transactions of all clients together.
    pub total: &'static str,
    /// Transactions of each client.
    pub per_client: &'static str,
    /// Others after which each client leaves.
    pub others: &'static [&'static str],
}

impl Counts {
    /// The names of all of them.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.total, self.per_client].into_iter().chain(self.others.iter().copied())
    }
}

/// The workloads a plan may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// All that are known by name. Others, such as scripts, may write, and go on until the trial ends.
    pub workloads: Vec<WorkloadInfo>,
    /// The kind of a data set that does not say its kind, and of the data of a workload that is not in the list.
    pub default_dataset: &'static str,
}

impl Catalog {
    /// Knows no workload.
    pub const EMPTY: Catalog = Catalog { workloads: Vec::new(), default_dataset: NO_DATA };

    /// The workload of this name; `-` and `_` are the same.
    pub fn find(&self, name: &str) -> Option<&WorkloadInfo> {
        let wanted = name.replace('-', "_");
        self.workloads.iter().find(|w| w.name == wanted)
    }

    /// Whether any workload belongs to this family.
    pub fn has_family(&self, family: &str) -> bool {
        self.workloads.iter().any(|w| w.family == family)
    }
}
