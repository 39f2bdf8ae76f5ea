//! The results of a run in the text format of OpenMetrics 1.0, to be pushed to or scraped by what keeps metrics.

use super::run_name::RunName;
use std::fmt::Write;
use std::path::Path;
use tenbin_model::doubt::Verdict;
use tenbin_model::exposition::series;
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_verdict::client_groups::{self, GroupResult};
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question::{self, TimesOf};
use tenbin_verdict::tpcc_result;

/// A value, and labels beside those of the trial.
struct SampleValue {
    labels: Vec<(&'static str, String)>,
    value: f64,
}

impl SampleValue {
    /// That of the trial as a whole.
    fn only(value: f64) -> Vec<SampleValue> {
        vec![SampleValue { labels: Vec::new(), value }]
    }
}

/// A figure of a trial.
struct Metric {
    name: &'static str,
    unit: Option<&'static str>,
    help: &'static str,
    of: fn(&TrialResult) -> Vec<SampleValue>,
}

/// Of every trial that was begun.
const VERDICT: Metric = Metric {
    name: "tenbin_trial_verdict",
    unit: None,
    help: "0 VALID, 1 DEGRADED, 2 INVALID.",
    of: |t| {
        let code = match t.verdict() {
            Verdict::Valid => 0.0,
            Verdict::Degraded => 1.0,
            Verdict::Invalid => 2.0,
        };
        SampleValue::only(code)
    },
};

/// Of trials that are not INVALID: what draws these metrics sees no verdict beside a figure.
const METRICS: &[Metric] = &[
    Metric {
        name: "tenbin_trial_transactions_per_second",
        unit: None,
        help: "Completed transactions per second of the measured window; where some groups of clients have a rate, those of the others.",
        of: |t| SampleValue::only(question::tps(t)),
    },
    Metric {
        name: "tenbin_trial_queries_per_second",
        unit: None,
        help: "Completed statements per second of the measured window; where some groups of clients have a rate, those of the others.",
        of: |t| Some(question::qps(t)).filter(|qps| *qps > 0.0).map_or_else(Vec::new, SampleValue::only),
    },
    Metric {
        name: "tenbin_trial_new_orders_per_minute",
        unit: None,
        help: "Completed New-Orders of TPC-C per minute of the measured window.",
        of: |t| {
            let nopm = tpcc_result::new_orders_per_minute(t).filter(|_| TimesOf::trial(t) == TimesOf::NewOrders);
            nopm.map_or_else(Vec::new, SampleValue::only)
        },
    },
    Metric {
        name: "tenbin_trial_response_seconds",
        unit: Some("seconds"),
        help: "Response time from the intended start to the last row, of all transactions; of TPC-C that of New-Orders.",
        of: |t| quantiles(&question::times(t), &[]),
    },
    Metric {
        name: "tenbin_trial_measured_seconds",
        unit: Some("seconds"),
        help: "Length of the measured window.",
        of: |t| SampleValue::only(t.measured_ns() as f64 / 1e9),
    },
    Metric {
        name: "tenbin_trial_failed_transactions",
        unit: None,
        help: "Transactions that failed after all retries.",
        of: |t| SampleValue::only(t.tally.accounting.all_failed() as f64),
    },
    Metric {
        name: "tenbin_group_transactions_per_second",
        unit: None,
        help: "Completed transactions per second of the measured window, by one group of clients.",
        of: |t| {
            let of = |group: GroupResult| SampleValue { labels: vec![("group", group.name)], value: group.tps };
            client_groups::of_trial(t).into_iter().map(of).collect()
        },
    },
    Metric {
        name: "tenbin_group_response_seconds",
        unit: Some("seconds"),
        help: "Response time of one group of clients, from the intended start to the last row.",
        of: |t| {
            let of = |group: GroupResult| quantiles(&group.figures.all.response, &[("group", group.name)]);
            client_groups::of_trial(t).into_iter().flat_map(of).collect()
        },
    },
];

/// The median and two percentiles, seconds; nothing of no transaction.
fn quantiles(times: &Histogram, labels: &[(&'static str, String)]) -> Vec<SampleValue> {
    if times.count() == 0 {
        return Vec::new();
    }
    let at = |(name, quantile): (&str, f64)| SampleValue {
        labels: labels.iter().cloned().chain([("quantile", name.to_owned())]).collect(),
        value: times.quantile_ns(quantile) as f64 / 1e9,
    };
    [("0.5", 0.5), ("0.95", 0.95), ("0.99", 0.99)].map(at).into()
}

/// One gauge per figure. Labels are the run, which distinguishes runs of one plan, the plan, the start, and what the trial is.
pub fn text(summary: &Summary, dir: Option<&Path>) -> String {
    let run = RunName::of(summary, dir);
    let mut out = String::new();
    for Metric { name, unit, help, of } in [VERDICT].iter().chain(METRICS) {
        let _ = writeln!(out, "# TYPE {name} gauge");
        if let Some(unit) = unit {
            let _ = writeln!(out, "# UNIT {name} {unit}");
        }
        let _ = writeln!(out, "# HELP {name} {help}");
        for t in summary.trials.iter().filter(|t| t.is_judged() && (*name == VERDICT.name || t.counts())) {
            let (trial, repeat) = (t.trial.number.to_string(), t.trial.repeat.to_string());
            let cell = tenbin_model::summary::label(&t.trial.axes);
            let of_trial = [
                ("run", run.of_trial(t)),
                ("plan", &summary.name),
                ("started", summary.start_of(t)),
                ("experiment", &t.trial.experiment),
                ("target", &t.trial.target.name),
                ("cell", &cell),
                ("repeat", &repeat),
                ("trial", &trial),
            ];
            for SampleValue { labels, value } in of(t) {
                let labels = of_trial.into_iter().chain(labels.iter().map(|(label, value)| (*label, value.as_str())));
                let _ = writeln!(out, "{} {value}", series(name, labels));
            }
        }
    }
    out.push_str("# EOF\n");
    out
}
