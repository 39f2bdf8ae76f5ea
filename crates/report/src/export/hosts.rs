//! Export of the load hosts of a trial for JSON.

use super::response;
use serde_json::{Value, json};
use tenbin_model::summary::TrialResult;
use tenbin_verdict::host_share::{self, HostShare};
use tenbin_verdict::question::TimesOf;

/// Each load host of a trial; empty if there was one. What a host did not report because it was lost is null.
pub(super) fn json(t: &TrialResult) -> Value {
    host_share::of([t]).iter().map(|host| one(t, host)).collect()
}

fn one(t: &TrialResult, host: &HostShare) -> Value {
    let Some(result) = t.hosts.get(&host.number) else { return Value::Null };
    let (part, all) = (&result.part, TimesOf::trial(t).in_tally(&result.tally));
    let (s, measured) = (|ns: u64| ns as f64 / 1e9, t.is_measured());
    let reported = host.workers.is_some();
    let if_reported = |value: f64| reported.then_some(value);
    json!({
        "host": host.number, "name": part.name, "machine": part.machine, "cores": part.cores, "clients": part.clients,
        "workers": host.workers.map(|(_, most)| most), "share": host.share, "tps": host.tps,
        "accounting": measured.then(|| super::accounting(&result.tally.accounting)),
        "retries": measured.then_some(result.tally.all_transactions().retries), "reconnects": measured.then_some(result.tally.reconnects),
        "response": response(&all.response), "service": response(&all.service), "wait": response(&all.wait),
        "client_cpu_s": if_reported(s(part.client_cpu_ns)), "client_cores": host.client_cores,
        "late_ms": host.late_ns.map(|ns| ns as f64 / 1e6), "stopped_s": if_reported(s(part.halts.not_running_ns())),
        "suspended_s": if_reported(s(part.halts.suspended_ns)), "oldest_open_s": part.oldest_open_ns.map(s),
        "clock_error_us": part.offset_error_ns as f64 / 1e3, "clock_drift_us": part.drift_ns as f64 / 1e3,
        "clock_drift_error_us": part.drift_error_ns as f64 / 1e3, "clock_steps": part.clock_steps.count,
        "clock_stepped_ms": part.clock_steps.largest_ns as f64 / 1e6, "lost": part.lost, "late_reports": part.late_reports,
    })
}
