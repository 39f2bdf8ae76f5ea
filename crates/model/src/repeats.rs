//! How much repeats of a cell differ, as readers see it.

use crate::statistics::{self, Confidence};
use tenbin_words::figure::grouped;

/// From this mean on, it is shown without decimals.
const WHOLE: f64 = 99.95;

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
        let half = interval.high - interval.value;
        // No more decimals than the mean beside it, unless that leaves nothing.
        let is_whole = interval.value >= WHOLE && half >= 1.0;
        return Some(format!("± {}", grouped(if is_whole { half.round() } else { half })));
    }
    let ends = repeats.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    Some(format!("{}–{}", grouped(ends.0), grouped(ends.1)))
}

/// The interval of [`spread`]; `None` where it shows the repeats for what they are.
pub fn interval(repeats: &[f64], least: f64, share: f64) -> Option<Confidence> {
    let interval = statistics::mean_confidence(repeats, least, share * statistics::ALPHA)?;
    (repeats.len() > 2 && interval.low > 0.0).then_some(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_no_more_decimals_than_its_mean() {
        let of = |repeats: &[f64]| spread(repeats, 0.0, 1.0).unwrap_or_default();
        assert_eq!(of(&[327.0, 331.0, 340.0]), "± 17");
        assert_eq!(of(&[32.7, 33.1, 34.0]), "± 1.65");
        assert_eq!(of(&[5000.0, 5000.1, 5000.2]), "± 0.248");
        assert_eq!(of(&[327.0, 331.0]), "327–331");
    }
}
