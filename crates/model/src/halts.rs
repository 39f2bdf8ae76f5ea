//! Time in which the process of the clients did not run.

use serde::{Deserialize, Serialize};

/// Time in the measured window in which this process did not run, nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halts {
    /// The process was stopped (SIGSTOP, a debugger, a frozen control group), or got no processor, for more than half a second at a time: that is
    /// how late a thread woke that does nothing but sleep.
    pub stopped_ns: u64,
    /// The process did not run for between 0.1 and 0.5 s at a time, without waiting for a processor, and nothing completed meanwhile: it
    /// was stopped or frozen again and again, or the machine was.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub briefly_ns: u64,
    /// The machine was suspended: the difference between the clock that counts this time and the one that does not.
    pub suspended_ns: u64,
}

fn is_zero(ns: &u64) -> bool {
    *ns == 0
}

impl Halts {
    /// Adds those of other times.
    pub fn add(&mut self, other: Halts) {
        self.stopped_ns = self.stopped_ns.saturating_add(other.stopped_ns);
        self.briefly_ns = self.briefly_ns.saturating_add(other.briefly_ns);
        self.suspended_ns = self.suspended_ns.saturating_add(other.suspended_ns);
    }

    /// All but that the machine was suspended.
    pub fn not_running_ns(&self) -> u64 {
        self.stopped_ns.saturating_add(self.briefly_ns)
    }

    /// Whether there were none.
    pub fn is_none(&self) -> bool {
        *self == Halts::default()
    }
}
