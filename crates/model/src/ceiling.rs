//! The ceiling of a trial's clients: how often they can do nothing at all on this server.

use serde::{Deserialize, Serialize};

/// How many statements per second the clients of a trial executed that let the server do nothing, back-to-back, with the
/// same connections and threads. No workload can execute more with them, except for statements that are sent together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientCeiling {
    /// The statement: `DO 0`, `SELECT 1`.
    pub statement: String,
    /// Whether it was prepared, as those of the trial are.
    pub prepared: bool,
    /// Clients.
    pub clients: u32,
    /// The engine's threads that ran them.
    pub workers: u32,
    /// Start of the window in which it was measured, nanoseconds since the run's start: in the first trial with these
    /// clients on this target.
    pub from_ns: u64,
    /// Its end.
    pub to_ns: u64,
    /// Statements in it.
    pub round_trips: u64,
    /// CPU time of this process in it, nanoseconds.
    pub client_cpu_ns: u64,
}

impl ClientCeiling {
    /// Statements per second; 0 if there was no window.
    pub fn per_s(&self) -> f64 {
        match self.window_s() {
            0.0 => 0.0,
            seconds => self.round_trips as f64 / seconds,
        }
    }

    /// Cores that this process used meanwhile.
    pub fn client_cores(&self) -> f64 {
        match self.window_s() {
            0.0 => 0.0,
            seconds => self.client_cpu_ns as f64 / 1e9 / seconds,
        }
    }

    fn window_s(&self) -> f64 {
        self.to_ns.saturating_sub(self.from_ns) as f64 / 1e9
    }
}
