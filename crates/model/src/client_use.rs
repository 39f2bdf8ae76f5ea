//! How much of the processors that Tenbin's threads can use they used, for the audit and the diagnosis.

use crate::summary::TrialResult;

/// From this share on the client is busy: common practice.
pub const BUSY: f64 = 0.85;

/// Processors in the measured window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClientUse {
    /// Used by this process, on average.
    pub used: f64,
    /// Those that its threads can use at most: one each, and not more than the machine has.
    pub reachable: f64,
}

impl ClientUse {
    /// The share of what can be used.
    pub fn share(&self) -> f64 {
        self.used / self.reachable
    }
}

/// Of a trial; `None` if nothing was measured, the machine is not known, or an embedded database runs inside this process: its
/// CPU time is the target's.
pub fn of_trial(t: &TrialResult) -> Option<ClientUse> {
    (!t.embedded() && t.measured_ns() > 0).then_some(())?;
    let used = t.client_cpu_ns as f64 / t.measured_ns() as f64;
    // What other load hosts take of the same machine cannot be used.
    let left = t.client_cores()? - t.beside_cpu_ns() as f64 / t.measured_ns() as f64;
    let reachable = f64::from(t.workers.max(1)).min(left).max(1.0);
    Some(ClientUse { used, reachable })
}
