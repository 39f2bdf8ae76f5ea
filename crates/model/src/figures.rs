//! The figures in which targets are compared, which plans and limits name.

use crate::histogram::Histogram;

/// A figure in which targets are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Completed transactions per second.
    Transactions,
    /// Completed statements per second.
    Queries,
    /// Completed New-Orders per minute.
    NewOrders,
    /// Seconds until the last statement of the load was answered.
    Seconds,
    /// Mean response time.
    Mean,
    /// A percentile of the response time, in thousandths: 990 for the 99th.
    Percentile(u16),
}

/// The figures of response times that are compared.
pub const TIMES: [Figure; 3] = [Figure::Mean, Figure::Percentile(950), Figure::Percentile(990)];

impl Figure {
    /// Whether a lower value is the better one.
    pub fn is_time(self) -> bool {
        !matches!(self, Figure::Transactions | Figure::Queries | Figure::NewOrders)
    }

    /// The figure of this name: `tps`, `qps`, `nopm`, `seconds`, `mean`, `p50` to `p99.9`.
    pub fn parse(name: &str) -> Option<Figure> {
        Some(match name {
            "tps" => Figure::Transactions,
            "qps" => Figure::Queries,
            "nopm" | "new_orders_per_minute" => Figure::NewOrders,
            "seconds" => Figure::Seconds,
            "mean" => Figure::Mean,
            percentile => {
                let percent: f64 = percentile.strip_prefix('p')?.parse().ok()?;
                (50.0..=99.9).contains(&percent).then(|| Figure::Percentile((percent * 10.0).round() as u16))?
            }
        })
    }

    /// Its name in plans, as [`Figure::parse`] reads it.
    pub fn name(self) -> String {
        match self {
            Figure::NewOrders => "nopm".to_owned(),
            Figure::Percentile(thousandths) => format!("p{}", f64::from(thousandths) / 10.0),
            other => other.code(),
        }
    }

    /// Its name in JSON.
    pub fn code(self) -> String {
        match self {
            Figure::Transactions => "tps".to_owned(),
            Figure::Queries => "qps".to_owned(),
            Figure::NewOrders => "new_orders_per_minute".to_owned(),
            Figure::Seconds => "seconds".to_owned(),
            Figure::Mean => "mean".to_owned(),
            Figure::Percentile(thousandths) if thousandths % 10 == 0 => format!("p{}", thousandths / 10),
            Figure::Percentile(thousandths) => format!("p{thousandths}"),
        }
    }

    /// Its unit, as in the headings of columns.
    pub fn unit(self) -> &'static str {
        match self {
            Figure::Transactions => "TPS",
            Figure::Queries => "QPS",
            Figure::NewOrders => "NOPM",
            Figure::Seconds => "s",
            Figure::Mean | Figure::Percentile(_) => "ms",
        }
    }

    /// The figure of response times.
    pub fn of_times(self, times: &Histogram) -> f64 {
        match self {
            Figure::Percentile(thousandths) => times.quantile_ns(f64::from(thousandths) / 1000.0) as f64,
            _ => times.mean_ns(),
        }
    }
}

/// What follows `<` or `>`: whether that is `<=` or `>=`, and the value.
pub(crate) fn or_equal(text: &str) -> (bool, &str) {
    match text.strip_prefix('=') {
        Some(value) => (true, value.trim()),
        None => (false, text.trim()),
    }
}
