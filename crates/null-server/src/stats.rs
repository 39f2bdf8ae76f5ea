//! What the server counts about itself: queries, connections, and how long it kept requests.

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, Value};
use tenbin_model::histogram::Histogram;

/// Running counts of the loop.
#[derive(Debug, Default)]
pub struct Stats {
    /// Statements answered, with rows, OK or an error: `COM_QUERY` and `COM_STMT_EXECUTE`, this table's own commands
    /// apart.
    pub queries: u64,
    /// Connections that authenticated.
    pub connections: u64,
    /// Those open now.
    pub open: u64,
    /// Statements that ended with the injected error.
    pub errors: u64,
    /// Connections closed by injection.
    pub drops: u64,
    /// From the return of `epoll` that reported the request to just before its answer was sent. Time that a request
    /// waited in the socket before is not in it, so the truth is at least this.
    pub residence: Histogram,
    /// CPU time of the thread at the last reset.
    pub cpu_since_ns: u64,
}

impl Stats {
    /// Starts counting anew; connections stay what they are.
    pub fn reset(&mut self) {
        let Stats { queries, connections: _, open: _, errors, drops, residence, cpu_since_ns } = self;
        (*queries, *errors, *drops) = (0, 0, 0);
        residence.clear();
        *cpu_since_ns = thread_cpu_ns();
    }

    /// The figures now.
    pub fn snapshot(&self) -> Snapshot {
        let r = &self.residence;
        Snapshot(vec![
            ("queries", self.queries),
            ("connections", self.connections),
            ("connections_open", self.open),
            ("errors_injected", self.errors),
            ("connections_dropped", self.drops),
            ("residence_count", r.count()),
            ("residence_ns_mean", r.mean_ns().round() as u64),
            ("residence_ns_p50", r.quantile_ns(0.50)),
            ("residence_ns_p95", r.quantile_ns(0.95)),
            ("residence_ns_p99", r.quantile_ns(0.99)),
            ("residence_ns_max", r.max_ns()),
            ("cpu_ns", thread_cpu_ns().saturating_sub(self.cpu_since_ns)),
        ])
    }
}

/// The server's figures at one moment, by name; names end in their unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot(Vec<(&'static str, u64)>);

impl Snapshot {
    /// The figure of that name; `None` when there is no such figure.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
    }

    /// All figures in a fixed order.
    pub fn rows(&self) -> &[(&'static str, u64)] {
        &self.0
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        let map: Map<String, Value> = self.0.iter().map(|(n, v)| ((*n).to_owned(), Value::from(*v))).collect();
        Value::Object(map).to_string()
    }
}

/// CPU time of the calling thread, user and system.
pub fn thread_cpu_ns() -> u64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}
