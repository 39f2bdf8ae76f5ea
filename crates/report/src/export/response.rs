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

/// All figures, and the number of values.
pub(super) fn json(h: &Histogram) -> Value {
    let mut figures: Map<String, Value> =
        RESPONSE.iter().map(|(name, of)| ((*name).to_owned(), of(h).into())).collect();
    figures.insert("count".into(), h.count().into());
    Value::Object(figures)
}
