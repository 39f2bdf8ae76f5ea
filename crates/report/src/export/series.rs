//! Export of the course of each trial: CSV with one row per reporting interval.

use super::field;
use std::fmt::Write;
use tenbin_model::summary::Summary;

/// One row per interval, warm-up included, ordered by trial and time. The trials are described in the other CSV export, with the
/// same numbers.
pub fn csv(summary: &Summary) -> String {
    let mut out = String::from(
        "trial,target,cell,repeat,phase,from_s,to_s,window_s,clients,tps,failed,mean_ms,p95_ms,p99_ms,service_p99_ms,wait_p99_ms,max_ms,scale\n",
    );
    for t in &summary.trials {
        let trial = format!("{},{},{},{}", t.trial.number, field(&t.trial.target.name), t.trial.cell, t.trial.repeat);
        for p in t.series.points() {
            let s = |ns: u64| ns as f64 / 1e9;
            let ms = |ns: u64| ns as f64 / 1e6;
            // Relative to the start of the measured window; negative before it.
            let window_s = (t.measured_ns() > 0)
                .then(|| format!("{:.3}", (i128::from(p.from_ns) - i128::from(t.window_ns.0)) as f64 / 1e9));
            let _ = writeln!(
                out,
                "{trial},{},{:.3},{:.3},{},{},{:.3},{},{:.6},{:.6},{:.6},{:.6},{:.6},{:.6},{}",
                p.phase.name(),
                s(p.from_ns),
                s(p.to_ns),
                window_s.unwrap_or_default(),
                p.clients,
                p.tps,
                p.failed,
                p.mean_ns / 1e6,
                ms(p.p95_ns),
                ms(p.p99_ns),
                ms(p.service_p99_ns),
                ms(p.wait_p99_ns),
                ms(p.max_ns),
                t.trial.scale.map_or(String::new(), |scale| scale.to_string()),
            );
        }
    }
    out
}
