//! The horizontal ruler of a table that draws a row for each figure: where a value lies, in percent of the width, and the ticks
//! below.

use super::axes;
use super::{ChartLine, Y};

/// Ticks nearer to each other than this share of the width, in percent, would run into one another.
pub const ROOM: f64 = 20.0;
/// The same where the ruler is narrow.
pub const ROOM_IF_NARROW: f64 = 45.0;

/// A scale from left to right.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruler {
    y: Y,
}

impl Ruler {
    /// For ratios: logarithmic, with 1 on it. Wide intervals do not compress the values.
    pub fn of_ratios(values: &[f64], ends: &[(f64, f64)]) -> Ruler {
        Ruler { y: axes::axis_of(false, Some(1.0), &[&line(values, ends)]) }
    }

    /// For amounts: linear from zero.
    pub fn of_amounts(values: &[f64], ends: &[(f64, f64)]) -> Ruler {
        Ruler { y: axes::axis_of(false, None, &[&line(values, ends)]) }
    }

    fn ends(&self) -> (f64, f64) {
        let ticks = &self.y.ticks;
        (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0))
    }

    /// Where a value lies, from 0 to 100; at the end that is nearest, if it lies beyond.
    pub fn place(&self, value: f64) -> f64 {
        let scale = |v: f64| if self.y.logarithmic { v.max(1e-12).log10() } else { v };
        let (low, high) = self.ends();
        let share = (scale(value) - scale(low)) / (scale(high) - scale(low)).max(1e-12);
        if share.is_finite() { 100.0 * share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Whether a value lies before the ruler, and whether it lies behind it.
    pub fn beyond(&self, value: f64) -> (bool, bool) {
        let (low, high) = self.ends();
        (value < low, value > high)
    }

    /// The places and labels of the ticks that are so far from each other, in percent of the width, with `kept` among them.
    pub fn ticks(&self, kept: Option<f64>, room: f64) -> Vec<(f64, String)> {
        let must = kept.filter(|kept| self.y.ticks.contains(kept)).map(|kept| self.place(kept));
        apart(self.y.ticks.iter().map(|v| self.place(*v)).zip(self.y.labels()), must, room)
    }

    /// Those of these ticks that are so far from each other, likewise.
    pub fn fewer(&self, ticks: &[(f64, String)], kept: Option<f64>, room: f64) -> Vec<(f64, String)> {
        apart(ticks.iter().cloned(), kept.map(|kept| self.place(kept)), room)
    }
}

/// The first of these ticks, and each that is so far from the one before; the one at the place `must` in any case.
fn apart(all: impl Iterator<Item = (f64, String)>, must: Option<f64>, room: f64) -> Vec<(f64, String)> {
    let mut shown: Vec<(f64, String)> = Vec::new();
    for (at, label) in all {
        let clear = |other: f64| (other - at).abs() >= room;
        if must == Some(at) || (must.is_none_or(clear) && shown.last().is_none_or(|(last, _)| clear(*last))) {
            shown.push((at, label));
        }
    }
    shown
}

fn line(values: &[f64], ends: &[(f64, f64)]) -> ChartLine {
    ChartLine {
        points: values.iter().enumerate().map(|(at, v)| (at as f64, *v)).collect(),
        bars: ends.iter().enumerate().map(|(at, (low, high))| (at as f64, *low, *high)).collect(),
        ..ChartLine::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_lie_on_a_logarithmic_ruler_with_one_on_it() {
        let ruler = Ruler::of_ratios(&[0.5, 2.0], &[(0.4, 2.5)]);
        let one = ruler.place(1.0);
        assert!((one - ruler.place(0.5) - (ruler.place(2.0) - one)).abs() < 1e-9, "half and twice are equally far");
        assert!(ruler.ticks(Some(1.0), ROOM).iter().any(|(at, label)| *at == one && label == "1"), "{ruler:?}");
        assert_eq!((ruler.place(0.0001), ruler.place(1e9)), (0.0, 100.0));
        assert_eq!((ruler.beyond(1e9), ruler.beyond(1.0)), ((false, true), (false, false)));
    }

    #[test]
    fn fewer_ticks_are_some_of_the_others() {
        let ruler = Ruler::of_ratios(&[5.6], &[]);
        let all = ruler.ticks(Some(1.0), ROOM);
        let fewer = ruler.fewer(&all, Some(1.0), ROOM_IF_NARROW);
        assert!(fewer.len() > 1 && fewer.iter().all(|tick| all.contains(tick)), "{fewer:?} of {all:?}");
        assert!(fewer.iter().any(|(_, label)| label == "1"), "{fewer:?}");
        assert!(fewer.windows(2).all(|t| t[1].0 - t[0].0 >= ROOM_IF_NARROW), "{fewer:?}");
    }

    #[test]
    fn amounts_begin_at_zero_and_nothing_is_no_fault() {
        let ruler = Ruler::of_amounts(&[250.0, 1000.0], &[]);
        assert_eq!((ruler.place(0.0), ruler.place(500.0), ruler.place(f64::NAN)), (0.0, 50.0, 0.0));
        for values in [&[][..], &[0.0], &[f64::NAN], &[f64::INFINITY], &[1e9, 1e-9]] {
            for ruler in [Ruler::of_amounts(values, &[]), Ruler::of_ratios(values, &[(0.0, f64::INFINITY)])] {
                let ticks = ruler.ticks(None, ROOM);
                assert!(ticks.windows(2).all(|t| t[1].0 - t[0].0 >= ROOM), "{values:?}: {ticks:?}");
                assert!(values.iter().all(|v| (0.0..=100.0).contains(&ruler.place(*v))), "{values:?}");
            }
        }
    }
}
