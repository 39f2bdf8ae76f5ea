//! The response, service and wait histograms of each trial (of TPC-C those of New-Orders) as an HDR histogram log (format version 1.3 of
//! hdrhistogram.org), which its tools and plotters read. Values are nanoseconds.

use std::fmt::Write;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_verdict::question;
use tenbin_words::text::visible;

/// Nanoseconds in a unit of the column of maxima, which is milliseconds by convention.
const UNIT_NS: f64 = 1e6;

/// Three lines per trial, tagged `trial/target/clock`.
pub fn log(summary: &Summary) -> String {
    let moment = |start: &str| start.parse::<jiff::Timestamp>().ok();
    let began = summary.starts().into_iter().filter_map(moment).min();
    // Of stored runs side by side, each has its own start.
    let later_s = |t: &TrialResult| {
        let start = moment(summary.start_of(t)).zip(began);
        start.map_or(0.0, |(start, began)| (start.as_millisecond() - began.as_millisecond()) as f64 / 1e3)
    };
    let mut out = format!("#[Tenbin {}]\n#[Histogram log format version 1.3]\n", visible(&summary.tool));
    if let Some(began) = began {
        let seconds = began.as_millisecond() as f64 / 1e3;
        let _ = writeln!(out, "#[StartTime: {seconds:.3} (seconds since epoch), {began}]");
    }
    out.push_str("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n");
    for t in summary.trials.iter().filter(|t| t.measured_ns() > 0) {
        let all = question::transactions(t);
        for (clock, histogram) in [("response", &all.response), ("service", &all.service), ("wait", &all.wait)] {
            // Commas and spaces end a tag.
            let target: String = t
                .trial
                .target
                .name
                .chars()
                .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
                .collect();
            let _ = writeln!(
                out,
                "Tag={}/{target}/{clock},{:.3},{:.3},{:.3},{}",
                t.trial.number,
                t.window_ns.0 as f64 / 1e9 + later_s(t),
                t.measured_ns() as f64 / 1e9,
                histogram.max_ns() as f64 / UNIT_NS,
                histogram.to_text(),
            );
        }
    }
    out
}
