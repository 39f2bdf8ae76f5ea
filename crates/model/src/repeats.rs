//! How much repeats of a cell differ, as readers see it.

use crate::statistics::{self, Confidence};
use tenbin_words::figure::grouped;

/// How much repeats differ: `± 76`, half the 95 % interval of their mean, with Student's t. Two repeats, and repeats whose
/// interval would contain zero, are shown for what they are: the lowest and the highest, `1,324–1,456`.
///
/// `least`: the least standard error of their mean, as a share of it, by what one run cannot know; repeats that are the same by chance are not exact.
/// `share`: the share of the chance of being wrong that the look has at which the repeats ended; 1 if they were counted.
pub fn spread(repeats: &[f64], least: f64, share: f64) -> Option<String> {
    if repeats.len() < 2 {
        return None;
    }
    if let Some(interval) = interval(repeats, least, share) {
        return Some(format!("± {}", grouped(interval.high - interval.value)));
    }
    let ends = repeats.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    Some(format!("{}–{}", grouped(ends.0), grouped(ends.1)))
}

/// The interval of [`spread`]; `None` where it shows the repeats for what they are.
pub fn interval(repeats: &[f64], least: f64, share: f64) -> Option<Confidence> {
    let interval = statistics::mean_confidence(repeats, least, share * statistics::ALPHA)?;
    (repeats.len() > 2 && interval.low > 0.0).then_some(interval)
}
