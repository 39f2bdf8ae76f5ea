//! `warmup = "auto"`: the clients run until throughput is steady; then the measured window begins.
//!
//! Throughput is steady when the warm-up that MSER-5 finds in its course lies in the first half, and the rest is known to drift by
//! less than [`DRIFT`]: noise is no proof. As long again must have passed as the warm-up took, so that a step after two minutes is
//! left behind after four. Two looks in succession must agree, and each is a quarter later than the one before, so that hundreds of
//! looks do not find by chance what is not there. What comes after the shortest warm-up for the first time cannot be known.

use crate::statistics;
use crate::statistics::series::{self, LEAST_BATCHES, Warmup};
use crate::statistics::steady;
use serde::{Deserialize, Serialize};
use tenbin_words::units;

/// A warm-up until throughput is steady.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmupUntil {
    /// The shortest warm-up, milliseconds. The longest is that of the trial.
    pub min_ms: u64,
}

impl WarmupUntil {
    /// That of `warmup = "auto"`.
    pub const AUTO: WarmupUntil = WarmupUntil { min_ms: 30_000 };
    /// The longest warm-up of `warmup = "auto"`, milliseconds.
    pub const MAX_MS: u64 = 900_000;

    /// In a plan, with this upper limit in milliseconds.
    pub fn written(self, max_ms: u64) -> String {
        let [min, max] = [self.min_ms, max_ms].map(units::write_duration);
        format!("warmup = {{ min = {min:?}, max = {max:?} }}")
    }
}

/// Fewer intervals show nothing.
pub const LEAST_INTERVALS: usize = LEAST_BATCHES;
/// Each look is this many times later than the one before.
const LATER: f64 = 1.25;
/// From the start of the steady part to its end, throughput must be known to change by less.
pub const DRIFT: f64 = 0.1;

/// The code of the doubt about a warm-up that did not become steady.
pub const NOT_STEADY: &str = "warmup-not-steady";

/// Where the warm-up ends in this throughput of equal intervals; `None`: throughput is not steady yet, or has come to nothing.
pub fn steady_from(tps: &[f64]) -> Option<usize> {
    let Warmup::Until(cut) = steady::begins(tps)? else { return None };
    let rest = &tps[cut..];
    statistics::mean(rest).filter(|mean| *mean > 0.0)?;
    let drift = series::drift(rest)?;
    (drift.share.abs() + drift.half <= DRIFT).then_some(cut)
}

/// The course of a warm-up, interval by interval.
#[derive(Debug, Clone)]
pub struct WarmupCourse {
    began_ns: Option<u64>,
    min_ms: u64,
    next_look_ms: u64,
    was_steady: bool,
    tps: Vec<f64>,
}

impl WarmupCourse {
    /// Of a warm-up that ends so.
    pub fn new(until: WarmupUntil) -> WarmupCourse {
        let first_ms = (until.min_ms as f64 / LATER).floor() as u64;
        WarmupCourse {
            began_ns: None,
            min_ms: until.min_ms,
            next_look_ms: first_ms,
            was_steady: false,
            tps: Vec::new(),
        }
    }

    /// Takes an interval of the warm-up, in which this many transactions completed; whether throughput is steady now.
    pub fn take(&mut self, from_ns: u64, to_ns: u64, completed: u64) -> bool {
        let seconds = to_ns.saturating_sub(from_ns) as f64 / 1e9;
        self.take_rate(from_ns, to_ns, if seconds > 0.0 { completed as f64 / seconds } else { 0.0 })
    }

    /// The same with its throughput, transactions per second.
    pub fn take_rate(&mut self, from_ns: u64, to_ns: u64, tps: f64) -> bool {
        let began_ns = *self.began_ns.get_or_insert(from_ns);
        self.tps.push(tps);
        let now_ms = to_ns.saturating_sub(began_ns) / 1_000_000;
        if now_ms < self.next_look_ms || self.tps.len() < LEAST_INTERVALS {
            return false;
        }
        self.next_look_ms = (now_ms as f64 * LATER).ceil() as u64;
        if now_ms < self.min_ms {
            self.next_look_ms = self.next_look_ms.min(self.min_ms);
        }
        let is_steady = steady_from(&self.tps).is_some();
        std::mem::replace(&mut self.was_steady, is_steady) && is_steady && now_ms >= self.min_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// After how many seconds a warm-up of at least `min` ends, and how much of it is found to be warm-up, by throughput second for
    /// second, of which neighbours are alike; `None`: not within 900 s.
    fn ends(seed: u64, min: u64, noise: f64, level: impl Fn(f64) -> f64) -> Option<(u64, usize)> {
        let mut random = SplitMix(seed);
        let mut last = 0.0;
        let mut course = WarmupCourse::new(WarmupUntil { min_ms: min * 1000 });
        let end = (0..900u64).find(|s| {
            last = 0.6 * last + 0.8 * random.normal();
            let tps = level(*s as f64) * (1.0 + noise * last);
            course.take(s * 1_000_000_000, (s + 1) * 1_000_000_000, tps.max(0.0) as u64)
        })?;
        Some((end + 1, steady_from(&course.tps)?))
    }

    #[test]
    fn flat_throughput_is_steady_at_the_least() {
        assert_eq!(ends(1, 30, 0.0, |_| 1000.0), Some((30, 0)));
        assert_eq!(
            ends(1, 5, 0.0, |_| 1000.0).map(|(end, _)| end),
            Some(25),
            "after two looks at 20 intervals or more"
        );
        let all: Vec<u64> = (0..50).filter_map(|seed| Some(ends(seed, 30, 0.02, |_| 1000.0)?.0)).collect();
        let soon = all.iter().filter(|end| **end <= 40).count();
        assert!(all.len() == 50 && soon >= 40, "{soon} within 40 s: {all:?}");
    }

    #[test]
    fn a_step_is_found_where_it_is_and_left_behind() {
        let mut exact = 0;
        for at in [60_u32, 120, 180] {
            let at = f64::from(at);
            for seed in 0..10 {
                let level = |s: f64| if s < at { 600.0 } else { 1000.0 };
                let (end, cut) = ends(seed, at as u64 * 3 / 2, 0.02, level).expect("it becomes steady");
                assert!(cut as f64 >= at, "the step at {at} was found at {cut}");
                exact += u32::from(cut as f64 <= 1.1 * at);
                let share = end as f64 / at;
                assert!((2.0..=4.0).contains(&share), "of the step at {at}, it ended at {end}");
            }
        }
        assert!(exact >= 20, "{exact} of 30 were found within 10 %");
    }

    #[test]
    fn a_slow_rise_is_not_taken_for_a_steady_state() {
        // Of E3, a server whose cache fills for a quarter of an hour.
        let fills = |time: f64| move |s: f64| 1000.0 * (1.0 - 0.8 * (-s / time).exp());
        for seed in 0..20 {
            assert_eq!(ends(seed, 30, 0.05, fills(300.0)), None);
            let (end, _) = ends(seed, 30, 0.05, fills(30.0)).expect("it becomes steady");
            let missing = 1.0 - fills(30.0)(end as f64) / 1000.0;
            assert!(missing < 0.01, "at {end} s {missing:.3} was missing");
        }
    }

    #[test]
    fn what_never_settles_or_stands_still_is_not_steady() {
        for seed in 0..20 {
            assert_eq!(ends(seed, 30, 0.05, |s| 200.0 + 2.0 * s), None);
        }
        assert_eq!(ends(1, 30, 0.0, |_| 0.0), None);
        assert_eq!(steady_from(&[1.0; LEAST_INTERVALS - 1]), None);
    }
}
