//! A trial: one cell of a plan, fully resolved. Running it needs no other defaults.

mod apply;
mod differing;
mod load;
mod looks;
mod recorded;
mod settle_limits;
mod target;

pub use apply::{Apply, ParameterGroupAccess};
pub(crate) use differing::Differing;
pub use load::{Arrivals, Calibrate, ClientGroup, Load, Observe, Overload, Policy, Schedule, Transient, Workers};
pub use settle_limits::SettleLimits;
pub use target::{
    Allow, Hooks, HostAccess, LinkSpec, Pin, Replica, RestoreCommand, RestoreKind, RestoreMethod, Target,
    sandbox_scheme,
};

pub use crate::ssh_access::SshAccess;

use crate::compared_axis::ComparedAxis;
use crate::load_host::LoadHostsSpec;
use crate::omit;
use crate::precision::{MeasureUntil, RepeatsUntil};
use crate::search::Search;
use crate::warmup::WarmupUntil;
use differing::{keys, options_differ};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// One execution unit of a plan: one target, one load, one repeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Position in the order of execution, from 1.
    pub number: u32,
    /// Which combination of the matrix (without target and repeat), from 1; repeats and targets share it.
    pub cell: u32,
    /// Which repeat of the cell on this target, from 1. Trials of one `(cell, repeat)` on different targets are a pair.
    pub repeat: u32,
    /// The experiment's name.
    pub experiment: String,
    /// The system under test.
    pub target: Target,
    /// The data in it.
    pub dataset: TrialDataset,
    /// What the clients do.
    pub load: Load,
    /// The files of the user that load and data set name, as they were when the trial was planned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<UsedFile>,
    /// The load hosts that drive it together; `None`: this process alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<LoadHostsSpec>,
    /// The matrix values of this cell, by dotted field, in the plan's order: used for the axes of charts.
    pub axes: Vec<(String, String)>,
    /// The axis along which its experiment compares; `None`: it compares targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<ComparedAxis>,
    /// Whether it is driven at the same time as the trials of its pair.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duet: bool,
    /// What to do with the data before the trial.
    pub restore: Restore,
    /// Wait before the load starts, after loading; milliseconds.
    pub settle_ms: u64,
    /// When the server has settled; `None`: after [`settle_ms`](Trial::settle_ms).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle_until: Option<SettleLimits>,
    /// The longest wait after the load until the target's replicas have caught up, milliseconds; 0: no wait.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub catch_up_ms: u64,
    /// Load that is driven but not counted; milliseconds. With [`warmup_until`](Trial::warmup_until) it is the upper limit.
    pub warmup_ms: u64,
    /// What ends the warm-up before [`warmup_ms`](Trial::warmup_ms); `None`: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup_until: Option<WarmupUntil>,
    /// Length of the measured window; milliseconds. With [`Load::operations`] set it is the upper limit.
    pub measure_ms: u64,
    /// What ends the window before [`measure_ms`](Trial::measure_ms); `None`: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_until: Option<MeasureUntil>,
    /// What ends the repeats of its cell before the last; `None`: they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats_until: Option<RepeatsUntil>,
    /// The search for a limit that it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    /// Length of a reporting interval; milliseconds.
    pub interval_ms: u64,
    /// By what the data and the time of the plan were multiplied for a try-out; `None`: they were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// All randomness of the trial comes from this and the client's number. Equal for all targets of a pair.
    pub seed: u64,
}

impl Trial {
    /// What two trials of a cell differ in, but for their targets. An option or a file that only one of them has is no difference.
    pub(crate) fn differing(&self, other: &Trial) -> Vec<Differing> {
        let Trial {
            dataset,
            load,
            hosts,
            duet,
            restore,
            settle_ms,
            settle_until,
            catch_up_ms,
            warmup_ms,
            warmup_until,
            measure_ms,
            measure_until,
            search,
            scale,
            // The caller decides which targets are the same.
            target: _,
            // Compared by their contents.
            files: _,
            // What the trial is among others.
            number: _,
            cell: _,
            repeat: _,
            experiment: _,
            axes: _,
            seed: _,
            // What is made of its figures.
            compare: _,
            repeats_until: _,
            interval_ms: _,
        } = self;
        // How many connections load the rows does not change them, nor what they are called.
        let TrialDataset { kind, options, name: _, streams: _ } = dataset;
        let searched = |of: &Trial| of.search.as_ref().map(|search| (search.vary, search.until.clone()));
        let of_plan = [
            ("dataset", *kind != other.dataset.kind || options_differ(options, &other.dataset.options)),
            ("hosts", hosts.as_ref().map(|h| (&h.at, h.count)) != other.hosts.as_ref().map(|h| (&h.at, h.count))),
            ("order", *duet != other.duet),
            ("restore", *restore != other.restore),
            ("settle", (settle_ms, settle_until) != (&other.settle_ms, &other.settle_until)),
            ("catch_up", *catch_up_ms != other.catch_up_ms),
            ("warmup", (warmup_ms, warmup_until) != (&other.warmup_ms, &other.warmup_until)),
            ("measure", (measure_ms, measure_until) != (&other.measure_ms, &other.measure_until)),
            ("search", search.is_some() && searched(self) != searched(other)),
            ("scale", *scale != other.scale),
        ];
        let files = self.changed_files(other).into_iter().map(Differing::File);
        keys(&of_plan).chain(load.differing(&other.load)).chain(files).collect()
    }

    /// The files of two trials that have the same name and another content. From the folder of its plan, a file has no other name; from
    /// elsewhere, it has that of the folder before it.
    pub fn changed_files(&self, other: &Trial) -> Vec<String> {
        let is_same = |a: &str, b: &str| Path::new(a).ends_with(b) || Path::new(b).ends_with(a);
        let is_other = |file: &&UsedFile| {
            other.files.iter().any(|there| is_same(&there.path, &file.path) && there.sha256 != file.sha256)
        };
        self.files.iter().filter(is_other).map(|file| file.path.clone()).collect()
    }
}

/// The data in the database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialDataset {
    /// The plan's name for it.
    pub name: String,
    /// Which generator: `sysbench`, …
    pub kind: String,
    /// The generator's own options by name (`tables`, `table_size`, …): those given in the plan, and in a recording all
    /// of them, as in a [`Load`].
    pub options: BTreeMap<String, String>,
    /// The number of connections that load it in parallel.
    pub streams: u32,
}

/// A file of the user: a script of SQL or Lua, the file that creates tables, a file of statements.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UsedFile {
    /// Its path as the plan has it.
    pub path: String,
    /// The SHA-256 of its content.
    pub sha256: String,
}

/// What to do with the data before a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restore {
    /// Use existing data; fail if there are none. Nothing is created or dropped.
    Require,
    /// Load if there are no data; otherwise use them as they are.
    Never,
    /// Restore before the first trial of the run that uses these data on a target.
    BeforeDataset,
    /// Restore before each trial of another cell than the last one that used these data on the target: the repeats of a
    /// cell that follow one another share them.
    BeforeCell,
    /// Restore before each trial: drop data with our mark and load them again, or put a copy back.
    BeforeRun,
}
