//! The server's own process, when it runs here and is ours: processor time, memory, disk.

use super::Observer;
use crate::proc;
use std::collections::BTreeMap;
use tenbin_model::problem::Problem;

/// One process.
pub struct Process {
    pub pid: u32,
}

impl Observer for Process {
    fn name(&self) -> &str {
        "server.process"
    }

    fn look(&mut self) -> Result<BTreeMap<String, f64>, Problem> {
        let dir = format!("/proc/{}", self.pid);
        let Some((user, system, _)) = proc::process(&proc::read(&format!("{dir}/stat"))) else {
            return Err(Problem::new("the server's process is gone").evidence(format!("no {dir}/stat")));
        };
        let mut values = BTreeMap::from([("cpu_user_s".to_owned(), user), ("cpu_system_s".to_owned(), system)]);
        let status = proc::read(&format!("{dir}/status"));
        values.extend(proc::memory(&status, "VmRSS").map(|v| ("memory_bytes".to_owned(), v)));
        for line in proc::read(&format!("{dir}/io")).lines() {
            if let Some((name @ ("read_bytes" | "write_bytes"), value)) = line.split_once(':') {
                values.extend(value.trim().parse().ok().map(|v: f64| (format!("disk_{name}"), v)));
            }
        }
        Ok(values)
    }
}
