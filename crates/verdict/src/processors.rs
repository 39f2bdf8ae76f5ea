//! What the processors of a machine did, from the readings of its observer: `cpu_user_s`, `cpu_idle_s` and the like, as Linux counts
//! them (`/proc/stat`).

/// Processors on average over a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Processors {
    /// At work.
    pub busy: f64,
    /// Idle, also if the machine waited for a disk meanwhile.
    pub idle: f64,
    /// Taken by the hypervisor; 0 if that is not known.
    pub stolen: f64,
}

impl Processors {
    /// From the rates of these counters, per second; `None` if one of them is not known.
    pub fn of(rate: impl Fn(&str) -> Option<f64>) -> Option<Processors> {
        let sum = |names: &[&str]| names.iter().map(|name| rate(&format!("cpu_{name}_s"))).sum::<Option<f64>>();
        Some(Processors {
            busy: sum(&["user", "nice", "system", "irq", "softirq"])?,
            idle: sum(&["idle", "iowait"])?,
            stolen: rate("cpu_steal_s").unwrap_or(0.0),
        })
    }

    /// All of the machine.
    pub fn all(self) -> f64 {
        self.busy + self.idle + self.stolen
    }
}
