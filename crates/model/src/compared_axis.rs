//! The axis of a matrix along which an experiment compares, in place of its targets: before and after an index, one setting and
//! another, on the same target.

use crate::axis;
use serde::{Deserialize, Serialize};
use tenbin_words::message::Message;

/// An axis whose values are compared with one another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedAxis {
    /// Its key, and those of the axes that are zipped with it.
    pub keys: Vec<String>,
    /// The value with which the others are compared; `None`: of two values the one that does worse, of more the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// Axes whose values are no alternatives to one another: amounts of load. A plan may compare along them, but it is never done by
/// itself, and neither along [`KINDS_OF_LOADS`].
const AMOUNTS_OF_LOAD: [&str; 8] = [
    "load.clients",
    "load.rate",
    "load.operations",
    "load.operations_per_client",
    "load.queries",
    "load.queries_per_client",
    "load.once",
    axis::EXPERIMENT,
];

/// Axes of which each value is another load: the best of all of them would be that of the easiest one, and one ratio for all of them
/// would describe none.
const KINDS_OF_LOADS: [&str; 6] =
    ["load.workload", "load.type", "load.kind", "load.scripts", "load.query", "load.query_file"];

/// The values of a cell that say which load it is.
pub fn kind_of_load(axes: &[(String, String)]) -> Vec<&str> {
    let of_kind = axes.iter().filter(|(key, _)| KINDS_OF_LOADS.contains(&key.as_str()));
    of_kind.map(|(_, value)| value.as_str()).collect()
}

impl ComparedAxis {
    /// Whether an experiment with one target compares along this axis if its plan does not say so.
    pub fn is_found_by_itself(key: &str) -> bool {
        !AMOUNTS_OF_LOAD.contains(&key) && !KINDS_OF_LOADS.contains(&key)
    }

    /// The values of a cell that are compared.
    pub fn values(&self, axes: &[(String, String)]) -> Vec<(String, String)> {
        axes.iter().filter(|(key, _)| self.keys.contains(key)).cloned().collect()
    }

    /// The values of a cell on all other axes: cells that have the same are compared.
    pub fn rest(&self, axes: &[(String, String)]) -> Vec<(String, String)> {
        axes.iter().filter(|(key, _)| !self.keys.contains(key)).cloned().collect()
    }

    /// What distinguishes a cell from those that it is compared with, as one word.
    pub fn word(&self, axes: &[(String, String)]) -> String {
        self.values(axes).into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(", ")
    }

    /// Whether the others are compared with this cell.
    pub fn is_base(&self, axes: &[(String, String)]) -> bool {
        let of_key = |(key, _): &&(String, String)| Some(key) == self.keys.first();
        self.base.is_some() && axes.iter().find(of_key).map(|(_, value)| value) == self.base.as_ref()
    }

    /// The same as people say it: `data set with`.
    pub fn words(&self, axes: &[(String, String)]) -> Message {
        axis::cell(&self.values(axes))
    }
}
