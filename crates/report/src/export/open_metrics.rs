//! The results of a run in the text format of OpenMetrics 1.0, to be pushed to or scraped by what keeps metrics.

use super::run_name::RunName;
use std::fmt::Write;
use std::path::Path;
use tenbin_model::doubt::Verdict;
use tenbin_model::exposition::series;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_verdict::judged_trial::JudgedTrial;

/// One more label, if there is one, and the value.
type Value = (Option<(&'static str, &'static str)>, f64);

/// A figure of a trial.
struct Metric {
    name: &'static str,
    unit: Option<&'static str>,
    help: &'static str,
    of: fn(&TrialResult) -> Vec<Value>,
}

const METRICS: &[Metric] = &[
    Metric {
        name: "tenbin_trial_transactions_per_second",
        unit: None,
        help: "Completed transactions per second of the measured window.",
        of: |t| vec![(None, t.tps())],
    },
    Metric {
        name: "tenbin_trial_response_seconds",
        unit: Some("seconds"),
        help: "Response time from the intended start to the last row.",
        of: |t| {
            let times = t.tally.all_starts().response;
            let at = |name, q| (Some(("quantile", name)), times.quantile_ns(q) as f64 / 1e9);
            if times.count() == 0 { Vec::new() } else { vec![at("0.5", 0.5), at("0.95", 0.95), at("0.99", 0.99)] }
        },
    },
    Metric {
        name: "tenbin_trial_measured_seconds",
        unit: Some("seconds"),
        help: "Length of the measured window.",
        of: |t| vec![(None, t.measured_ns() as f64 / 1e9)],
    },
    Metric {
        name: "tenbin_trial_failed_transactions",
        unit: None,
        help: "Transactions that failed after all retries.",
        of: |t| vec![(None, t.tally.accounting.failed as f64)],
    },
    Metric {
        name: "tenbin_trial_verdict",
        unit: None,
        help: "0 VALID, 1 DEGRADED, 2 INVALID.",
        of: |t| {
            let code = match t.verdict() {
                Verdict::Valid => 0.0,
                Verdict::Degraded => 1.0,
                Verdict::Invalid => 2.0,
            };
            vec![(None, code)]
        },
    },
];

/// One gauge per figure. Labels are the run, which distinguishes runs of one plan, the plan, the start, and what the trial is.
pub fn text(summary: &Summary, dir: Option<&Path>) -> String {
    let run = RunName::of(summary, dir);
    let mut out = String::new();
    for Metric { name, unit, help, of } in METRICS {
        let _ = writeln!(out, "# TYPE {name} gauge");
        if let Some(unit) = unit {
            let _ = writeln!(out, "# UNIT {name} {unit}");
        }
        let _ = writeln!(out, "# HELP {name} {help}");
        for t in summary.trials.iter().filter(|t| t.begun) {
            let (trial, repeat) = (t.trial.number.to_string(), t.trial.repeat.to_string());
            let cell = tenbin_model::summary::label(&t.trial.axes);
            let of_trial = [
                ("run", run.of_trial(t)),
                ("plan", &summary.name),
                ("started", &summary.started),
                ("experiment", &t.trial.experiment),
                ("target", &t.trial.target.name),
                ("cell", &cell),
                ("repeat", &repeat),
                ("trial", &trial),
            ];
            for (more, value) in of(t) {
                let labels = of_trial.into_iter().chain(more);
                let _ = writeln!(out, "{} {value}", series(name, labels));
            }
        }
    }
    out.push_str("# EOF\n");
    out
}
