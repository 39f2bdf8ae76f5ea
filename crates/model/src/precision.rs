//! When enough is known: `ci(tps) < 2%`, half the 95 % interval of a figure relative to its mean.
//!
//! Someone who looks after each repeat and stops when an interval happens to be narrow is wrong more often than the interval says.
//! Therefore the looks share the chance of being wrong (Bonferroni): with at most `max` repeats, the first look, after `min`
//! of them, has min/max of it, and each later one 1/max. The intervals of results that were stopped so are those of the look at
//! which they were.

use crate::figures::Figure;
use crate::statistics::series::{self, Warmup};
use crate::statistics::{self, ALPHA};
use serde::{Deserialize, Serialize};
use std::fmt;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// How narrow the interval of a figure must be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Precision {
    /// The figure.
    pub figure: Figure,
    /// Half the interval as a share of the mean: 0.02 for 2 %.
    pub share: f64,
}

impl Precision {
    /// Reads `ci(tps) < 2%`.
    pub fn parse(text: &str) -> Result<Precision, Message> {
        let unreadable = || msg!("precision-unreadable", text = format_args!("{text:?}"));
        let (left, share) = text.split_once('<').ok_or_else(unreadable)?;
        let name = left.trim().strip_prefix("ci(").and_then(|rest| rest.strip_suffix(')')).ok_or_else(unreadable)?;
        let figure = Figure::parse(name.trim()).ok_or_else(unreadable)?;
        let percent =
            share.trim().strip_suffix('%').and_then(|p| p.trim().parse::<f64>().ok()).ok_or_else(unreadable)?;
        if !(0.1..=50.0).contains(&percent) {
            return Err(unreadable());
        }
        Ok(Precision { figure, share: percent / 100.0 })
    }

    /// Whether runs with these values are enough, at the chance `alpha` of being wrong; `least` is the least standard error of their mean, as a share of it.
    fn is_reached(self, values: &[f64], least: f64, alpha: f64) -> bool {
        let known = statistics::mean_confidence(values, least, alpha);
        known.is_some_and(|of| of.value > 0.0 && of.high - of.value <= self.share * of.value)
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (self.share * 1e6).round() / 1e4;
        write!(f, "ci({}) < {percent}%", self.figure.name())
    }
}

impl From<Precision> for String {
    fn from(precision: Precision) -> String {
        precision.to_string()
    }
}

impl TryFrom<String> for Precision {
    type Error = String;

    fn try_from(text: String) -> Result<Precision, String> {
        Precision::parse(&text).map_err(|message| message.english().to_owned())
    }
}

/// Repeats until a figure is known precisely enough.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RepeatsUntil {
    /// The least number of repeats.
    pub min: u32,
    /// The greatest.
    pub max: u32,
    /// What ends them in between.
    pub until: Precision,
}

impl RepeatsUntil {
    /// The share of the chance of being wrong that a look after this many repeats has.
    pub fn share(&self, repeats: u32) -> f64 {
        let n = if repeats <= self.min { self.min } else { 1 };
        f64::from(n) / f64::from(self.max.max(1))
    }

    /// Whether the repeats of a cell on one target are enough: `values` are the figures of those that have ended, without INVALID
    /// ones, and `least` the least standard error of their mean, as a share of it.
    pub fn is_reached(&self, repeats: u32, values: &[f64], least: f64) -> bool {
        values.len() >= self.min as usize && self.until.is_reached(values, least, ALPHA * self.share(repeats))
    }
}

/// Measuring until the mean of a trial's throughput is known precisely enough.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeasureUntil {
    /// The shortest window, milliseconds.
    pub min_ms: u64,
    /// What ends it; [`Figure::Transactions`].
    pub until: Precision,
}

/// Each look at a window's course is this many times later than the one before.
const LATER: f64 = 1.25;

impl MeasureUntil {
    /// When to look next, milliseconds after the start of the window, given when the last look was.
    pub fn next_look_ms(&self, last_ms: u64) -> u64 {
        if last_ms < self.min_ms { self.min_ms } else { (last_ms as f64 * LATER).ceil() as u64 }
    }

    /// The most looks at a window that is `max_ms` long at most.
    fn looks(&self, max_ms: u64) -> f64 {
        (max_ms as f64 / self.min_ms.max(1) as f64).max(1.0).ln() / LATER.ln() + 1.0
    }

    /// Whether a window with this throughput in each interval is long enough. Each look has its share of the chance of being
    /// wrong.
    fn is_reached(&self, course: &[f64], max_ms: u64) -> bool {
        let half = series::half_by_batches(course, ALPHA / self.looks(max_ms).ceil());
        half.zip(statistics::mean(course)).is_some_and(|(half, mean)| mean > 0.0 && half <= self.until.share * mean)
    }
}

/// The course of a measured window, interval by interval.
#[derive(Debug, Clone)]
pub struct WindowCourse {
    until: MeasureUntil,
    max_ms: u64,
    began_ns: Option<u64>,
    next_look_ms: u64,
    tps: Vec<f64>,
}

impl WindowCourse {
    /// Of a window that is `max_ms` long at most.
    pub fn new(until: MeasureUntil, max_ms: u64) -> WindowCourse {
        WindowCourse { until, max_ms, began_ns: None, next_look_ms: until.next_look_ms(0), tps: Vec::new() }
    }

    /// Takes an interval of the window, in which this many transactions completed; whether enough is known now.
    pub fn take(&mut self, from_ns: u64, to_ns: u64, completed: u64) -> bool {
        let began_ns = *self.began_ns.get_or_insert(from_ns);
        let seconds = to_ns.saturating_sub(from_ns) as f64 / 1e9;
        if seconds > 0.0 {
            self.tps.push(completed as f64 / seconds);
        }
        let now_ms = to_ns.saturating_sub(began_ns) / 1_000_000;
        if now_ms < self.next_look_ms {
            return false;
        }
        self.next_look_ms = self.until.next_look_ms(now_ms);
        // What still warms up is not known, however little it differs from one second to the next.
        let Some(Warmup::Until(cut)) = series::warmup(&self.tps) else { return false };
        let means = statistics::mean(&self.tps).zip(statistics::mean(&self.tps[cut..]));
        let is_steady = means.is_some_and(|(all, rest)| (all / rest - 1.0).abs() <= self.until.until.share / 2.0);
        is_steady && self.until.is_reached(&self.tps, self.max_ms)
    }
}

impl RepeatsUntil {
    /// `3 to 10 repeats, until ci(tps) < 2%`.
    pub fn words(&self) -> Message {
        msg!(
            "repeats-until",
            min = figure::whole(i128::from(self.min)),
            max = figure::whole(i128::from(self.max)),
            until = self.until
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn precision_is_read_and_written() {
        let read = Precision::parse(" ci( p99.9 ) <2.5 %").expect("it is one");
        assert_eq!(read, Precision { figure: Figure::Percentile(999), share: 0.025 });
        assert_eq!(read.to_string(), "ci(p99.9) < 2.5%");
        let text = serde_json::to_string(&read).expect("text");
        assert_eq!(
            (text.as_str(), serde_json::from_str::<Precision>(&text).ok()),
            ("\"ci(p99.9) < 2.5%\"", Some(read))
        );
        for wrong in ["", "tps < 2%", "ci(tps) > 2%", "ci(tps) < 2", "ci(tps) < 0%", "ci(tps) < 99%", "ci(speed) < 2%"]
        {
            assert!(Precision::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_looks_share_the_chance_of_being_wrong() {
        let until = RepeatsUntil { min: 3, max: 10, until: Precision::parse("ci(tps) < 2%").expect("it is one") };
        let all: f64 = (3..=10).map(|n| until.share(n)).sum();
        assert!((all - 1.0).abs() < 1e-12);
        let measure = MeasureUntil { min_ms: 60_000, until: until.until };
        let mut looks = vec![0];
        while let Some(next) = Some(measure.next_look_ms(looks[looks.len() - 1])).filter(|ms| *ms <= 3_600_000) {
            looks.push(next);
        }
        assert!((looks.len() - 1) as f64 <= measure.looks(3_600_000) && looks[1] == 60_000, "{looks:?}");
    }

    /// Whether the mean of normal values lies in the interval of the look at which they were enough, in how many of this many.
    #[test]
    fn intervals_of_runs_that_stopped_early_still_hold() {
        let until = RepeatsUntil { min: 3, max: 10, until: Precision::parse("ci(tps) < 2%").expect("it is one") };
        let mut random = SplitMix(1);
        let (mut missed, mut early, mut naive) = (0, 0, 0);
        for _ in 0..4000 {
            let mut values = Vec::new();
            let mut ended = (0, 0);
            for n in 1..=10 {
                values.push(100.0 + random.normal());
                if n >= 3 && ended.0 == 0 && (until.until.is_reached(&values, 0.0, ALPHA * until.share(n)) || n == 10) {
                    ended.0 = n;
                    let (mean, s) = (statistics::mean(&values).unwrap(), statistics::deviation(&values).unwrap());
                    let half =
                        statistics::t_factor(f64::from(n) - 1.0, ALPHA * until.share(n)) * s / f64::from(n).sqrt();
                    missed += u32::from((mean - 100.0).abs() > half);
                    early += u32::from(n < 10);
                }
                if n >= 3 && ended.1 == 0 && (until.until.is_reached(&values, 0.0, ALPHA) || n == 10) {
                    ended.1 = n;
                    let (mean, s) = (statistics::mean(&values).unwrap(), statistics::deviation(&values).unwrap());
                    let half = statistics::t_factor(f64::from(n) - 1.0, ALPHA) * s / f64::from(n).sqrt();
                    naive += u32::from((mean - 100.0).abs() > half);
                }
            }
        }
        assert!(missed <= 200, "{missed} of 4000 at 5 %");
        assert!(early > 3000, "{early} of 4000 stopped before the last repeat");
        assert!(naive > missed, "without the correction {naive} of 4000");
    }
}
