//! Exports of what observers read: CSV with one row per value, and for JSON the figures of each reading in the measured
//! window.

use super::field;
use serde_json::{Value, json};
use std::fmt::Write;
use tenbin_model::observed::{Figures, ObservedReading};
use tenbin_model::summary::{Summary, TrialResult};

/// One row per value (long form), ordered by trial, observer, reading and time. The trials are described in the other
/// CSV export, with the same numbers.
pub fn csv(summary: &Summary) -> String {
    let mut out = String::from(
        "trial,target,cell,repeat,observer,reading,kind,unit,whose,phase,at_s,window_s,source_time,value,per_second,scale\n",
    );
    for t in &summary.trials {
        let trial = format!("{},{},{},{}", t.trial.number, field(&t.trial.target.name), t.trial.cell, t.trial.repeat);
        for reading in t.observed() {
            let spec = &reading.spec;
            let (name, unit) = (field(&spec.name), field(&spec.unit));
            let what =
                format!("{trial},{},{name},{},{unit},{}", field(reading.observer), spec.kind.name(), spec.whose.name());
            for v in reading.values() {
                let phase = t.phase_at(v.at_ns).map_or("", |phase| phase.name());
                // Relative to the start of the measured window; negative before it.
                let window_s = (t.measured_ns() > 0)
                    .then(|| format!("{:.3}", (i128::from(v.at_ns) - i128::from(t.window_ns.0)) as f64 / 1e9));
                let source = v.source_unix_ns.and_then(|ns| jiff::Timestamp::from_nanosecond(i128::from(ns)).ok());
                let _ = writeln!(
                    out,
                    "{what},{phase},{:.3},{},{},{},{},{}",
                    v.at_ns as f64 / 1e9,
                    window_s.unwrap_or_default(),
                    source.map_or(String::new(), |at| at.to_string()),
                    v.value,
                    v.per_second.map_or(String::new(), rounded),
                    t.trial.scale.map_or(String::new(), |scale| scale.to_string()),
                );
            }
        }
    }
    out
}

/// A rate with six significant digits.
fn rounded(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let places = (5 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    format!("{value:.places$}")
}

/// Each reading of a trial with its figures in the measured window.
pub(super) fn json(t: &TrialResult) -> Vec<Value> {
    t.observed().iter().map(one).collect()
}

fn one(reading: &ObservedReading<'_>) -> Value {
    let spec = &reading.spec;
    let mut value = json!({
        "observer": reading.observer, "name": spec.name, "kind": spec.kind, "unit": spec.unit, "whose": spec.whose,
        "label": spec.label,
    });
    match reading.figures() {
        Some(Figures::Counter { change, per_second, seconds }) => {
            (value["change"], value["per_second"], value["seconds"]) =
                (json!(change), json!(per_second), json!(seconds));
        }
        Some(Figures::Gauge { mean, min, max }) => {
            (value["mean"], value["min"], value["max"]) = (json!(mean), json!(min), json!(max));
        }
        None => {}
    }
    value
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn rates_have_six_digits() {
        assert_eq!(
            [0.0, 0.00123456789, 12.0, 123_456.78, 9_876_543.2].map(rounded),
            ["0", "0.00123457", "12.0000", "123457", "9876543"]
        );
    }
}
