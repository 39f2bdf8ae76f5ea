//! The client's machine: processors, memory, network, waiting.

use super::Observer;
use crate::proc;
use std::collections::BTreeMap;
use tenbin_model::problem::Problem;

/// This machine.
pub struct Host;

impl Observer for Host {
    fn name(&self) -> &str {
        "client.host"
    }

    fn look(&mut self) -> Result<BTreeMap<String, f64>, Problem> {
        let mut values = proc::cpu(&proc::read("/proc/stat"));
        values.extend(proc::network(&proc::read("/proc/net/dev")));
        let memory = proc::read("/proc/meminfo");
        values.extend(proc::memory(&memory, "MemAvailable").map(|v| ("memory_available_bytes".to_owned(), v)));
        values.extend(proc::memory(&memory, "Dirty").map(|v| ("memory_dirty_bytes".to_owned(), v)));
        for what in ["cpu", "io"] {
            let waited = proc::pressure_us(&proc::read(&format!("/proc/pressure/{what}")));
            values.extend(waited.map(|us| (format!("{what}_waited_s"), us / 1e6)));
        }
        Ok(values)
    }
}
