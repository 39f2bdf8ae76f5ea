//! Reserved keys: part of the format, but not supported yet. They are rejected with a reason, so that a plan for a
//! later version is rejected plainly.

use super::Table;
use tenbin_words::message::Message;

/// A reserved key that is not supported yet.
#[derive(Debug, PartialEq)]
pub struct Later {
    /// The table that contains it.
    pub table: Table,
    /// Its name.
    pub name: &'static str,
    /// The reason, as a part of a sentence.
    pub why: &'static str,
}

impl Later {
    /// The reason, as a sentence.
    pub fn reason(&self) -> Message {
        Message::new(self.why, [])
    }
}

/// Reserved keys, which this version rejects with a reason.
#[rustfmt::skip]
pub const LATER: &[Later] = &[
    Later { table: Table::Top, name: "allow_drop", why: "later-top-allow-drop" },
    Later { table: Table::Metrics, name: "host", why: "later-metrics-host" },
    Later { table: Table::Metrics, name: "server", why: "later-metrics-server" },
    Later { table: Table::Experiment, name: "watch", why: "later-experiment-watch" },
    Later { table: Table::Experiment, name: "check", why: "later-experiment-check" },
    Later { table: Table::Experiment, name: "table", why: "later-experiment-table" },
    Later { table: Table::Experiment, name: "chart", why: "later-experiment-chart" },
];
