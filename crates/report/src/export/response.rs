//! The figures of a histogram of times, for all exports.

use super::table::milliseconds;
use serde_json::{Map, Value};
use tenbin_model::histogram::Histogram;

/// A figure: its name and its value in milliseconds.
type TimeFigure = (&'static str, fn(&Histogram) -> f64);

/// In the order in which JSON has them.
pub(super) const RESPONSE: [TimeFigure; 7] = [
    ("mean_ms", |h| milliseconds(h.mean_ns())),
    ("min_ms", |h| milliseconds(h.min_ns() as f64)),
    ("p50_ms", |h| milliseconds(h.quantile_ns(0.5) as f64)),
    ("p95_ms", |h| milliseconds(h.quantile_ns(0.95) as f64)),
    ("p99_ms", |h| milliseconds(h.quantile_ns(0.99) as f64)),
    ("p999_ms", |h| milliseconds(h.quantile_ns(0.999) as f64)),
    ("max_ms", |h| milliseconds(h.max_ns() as f64)),
];

/// The figures of the times of a row, of which many are kept at once. A histogram takes a hundred times as much.
pub(super) struct Times([f64; RESPONSE.len()]);

impl Times {
    /// `None` of no value.
    pub fn of(h: &Histogram) -> Option<Times> {
        (h.count() > 0).then(|| Times(RESPONSE.map(|(_, of)| of(h))))
    }

    /// The figure of this name.
    pub fn named(&self, name: &str) -> Option<f64> {
        let at = RESPONSE.iter().position(|(of, _)| *of == name)?;
        Some(self.0[at])
    }
}

/// All figures, null of no value, and the number of values.
pub(super) fn json(h: &Histogram) -> Value {
    let value = |of: fn(&Histogram) -> f64| (h.count() > 0).then(|| of(h));
    let mut figures: Map<String, Value> =
        RESPONSE.iter().map(|(name, of)| ((*name).to_owned(), value(*of).into())).collect();
    figures.insert("count".into(), h.count().into());
    Value::Object(figures)
}
