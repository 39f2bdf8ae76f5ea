//! How much of the processors that Tenbin's threads can use they used, for the audit and the diagnosis.

use tenbin_model::names::client_process::{OBSERVER, PERIODS, QUOTA, THROTTLED_PERIODS};
use tenbin_model::summary::TrialResult;

/// From this share on the client is busy: common practice.
pub const BUSY: f64 = 0.85;

/// Processors in the measured window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClientUse {
    /// Used by this process, on average.
    pub used: f64,
    /// Those that its threads can use at most: one each, and not more than the machine has, or the quota of its control group allows.
    pub reachable: f64,
    /// Those that the clients of the other targets of a duet used, which are in this process too, and all that it can use; `None`: there
    /// are no such clients.
    pub beside: Option<(f64, f64)>,
}

impl ClientUse {
    /// The share of what can be used, by its own clients or by those of all targets of a duet together.
    pub fn share(&self) -> f64 {
        let together = self.beside.map_or(0.0, |(beside, all)| (self.used + beside) / all);
        together.max(self.used / self.reachable)
    }
}

/// The quota of processor time of this process in the measured window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClientQuota {
    /// Processors.
    pub cores: f64,
    /// The share of its periods in which it was used up.
    pub used_up: f64,
}

/// The quota of a trial; `None` if it has none, or several processes drive the clients, each of which has its own.
pub fn quota(t: &TrialResult) -> Option<ClientQuota> {
    t.hosts.is_empty().then_some(())?;
    let cores = t.observed_mean(OBSERVER, QUOTA)?;
    let (periods, throttled) = (t.observed_rate(OBSERVER, PERIODS)?, t.observed_rate(OBSERVER, THROTTLED_PERIODS)?);
    Some(ClientQuota { cores, used_up: if periods > 0.0 { throttled / periods } else { 0.0 } })
}

/// The processors that the threads of this process, or of all load hosts, may use together; `None` if that is not known.
pub fn processors(t: &TrialResult) -> Option<f64> {
    let of = |t: &TrialResult| quota(t).map_or(f64::INFINITY, |quota| quota.cores);
    let quota = match t.hosts.is_empty() {
        true => of(t),
        false => t.hosts.keys().filter_map(|number| t.of_load_host(*number)).map(|host| of(&host)).sum(),
    };
    t.client_cores().map(|cores| cores.min(quota))
}

/// Processors in words: whole ones without decimals.
pub fn shown(processors: f64) -> String {
    if processors.fract() == 0.0 { format!("{processors:.0}") } else { format!("{processors:.2}") }
}

/// Of a trial; `None` if nothing was measured, the machine is not known, or an embedded database runs inside this process: its
/// CPU time is the target's.
pub fn of_trial(t: &TrialResult) -> Option<ClientUse> {
    (!t.embedded() && t.measured_ns() > 0).then_some(())?;
    let used = t.client_cpu_ns as f64 / t.measured_ns() as f64;
    let others = t.clients_beside();
    let beside = others.cpu_ns as f64 / t.measured_ns() as f64;
    let quota = quota(t).map_or(f64::INFINITY, |quota| quota.cores);
    // Load hosts have no threads of others, and each has a quota of its own.
    let (threads, own_quota) = match others.workers {
        0 => (t.workers, quota),
        // The kernel does not count the time of threads: that of all is in `used`.
        more if others.cpu_ns == 0 => (t.workers + more, quota),
        _ => (t.workers, (quota - beside).max(f64::MIN_POSITIVE)),
    };
    // What other clients take of the same machine cannot be used.
    let cores = t.client_cores()?;
    let left = cores - beside;
    let reachable = f64::from(threads.max(1)).min(left).max(1.0).min(own_quota);
    Some(ClientUse { used, reachable, beside: (others.workers > 0).then(|| (beside, cores.min(quota))) })
}
