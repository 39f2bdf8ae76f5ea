//! Which intervals of a comparison are shown: those that say something.

use crate::comparison::{CellRatio, Comparable, Comparison, MOST_REPEATS, RatioInCell, reading};
use tenbin_model::statistics::Confidence;

/// Degrees of freedom from which on an interval is of use. With one, Student's factor is 12.7 where it is 2 with many: the
/// interval of two pairs of runs reaches from a tenth to ten times, and often from nothing to everything.
const TELLING: usize = 2;

/// From this factor between its ends on, an interval that contains 1 says nothing.
const WIDEST: f64 = 100.0;

/// Whether the ends of an interval are so far apart that it would only be odd to read.
fn says_nothing(i: Confidence) -> bool {
    (i.low..=i.high).contains(&1.0) && i.high > WIDEST * i.low.max(f64::MIN_POSITIVE)
}

impl Comparison {
    /// At least how many more repeats an interval that says something needs; `None`: there is one, or no spread is known at all.
    pub fn repeats_to_tell(&self) -> Option<usize> {
        let is_short = |i: Confidence| self.freedom < TELLING || says_nothing(i);
        self.confidence.is_some_and(is_short).then(|| self.more_repeats.unwrap_or_default().clamp(1, MOST_REPEATS))
    }

    /// Whether the pairs differ so much from one another that its interval says nothing, although there are enough of them.
    pub fn is_scattered(&self) -> bool {
        self.freedom >= TELLING && self.confidence.is_some_and(says_nothing)
    }

    /// Whether it shows this: over all cells, or if these differ, in each of them.
    pub fn shows(&self, wanted: Comparable) -> bool {
        match self.cells_differ {
            Some(true) => self.cells.iter().all(|cell| reading(self.interval_of(cell)) == wanted),
            _ => reading(self.interval()) == wanted,
        }
    }

    /// Whether it shows that the second does better than the base: of times that they are shorter.
    pub fn is_ahead(&self) -> bool {
        self.shows(if self.figure.is_time() { Comparable::Lower } else { Comparable::Higher })
    }

    /// Its interval as it is shown: none, if more repeats are needed for one that says something.
    pub fn interval(&self) -> Option<Confidence> {
        self.confidence.filter(|_| self.repeats_to_tell().is_none())
    }

    /// That of one of its cells, if there are enough pairs. Where cells differ, they are spoken of together.
    pub fn interval_of(&self, cell: &CellRatio) -> Option<Confidence> {
        let interval = if self.cells_differ == Some(true) { cell.among_cells } else { cell.confidence };
        interval.filter(|i| self.freedom >= TELLING && !says_nothing(*i))
    }
}

impl RatioInCell {
    /// Its interval as it is shown: none, if there are too few pairs for one that says something, or they differ too much.
    pub fn interval(&self) -> Option<Confidence> {
        self.confidence.filter(|i| self.has_enough_pairs() && !says_nothing(*i))
    }

    /// Whether there are as many pairs as an interval that says something needs.
    pub fn has_enough_pairs(&self) -> bool {
        self.pairs > TELLING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_says_nothing_if_it_reaches_from_almost_nothing_to_many_times() {
        let of = |low, high| says_nothing(Confidence { value: 1.0, low, high });
        assert!(of(0.000_24, 14_391.0) && of(0.0, 9.0) && of(0.05, 6.0));
        // Wide, but it says which one is ahead; narrow enough.
        assert!(!of(0.000_1, 0.5) && !of(2.0, 900.0) && !of(0.2, 5.0));
    }

    #[test]
    fn a_group_has_no_interval_from_two_pairs_and_none_that_says_nothing() {
        let of = |pairs, low, high| {
            RatioInCell { ratio: 1.2, confidence: Some(Confidence { value: 1.2, low, high }), pairs }.interval()
        };
        assert!(of(2, 1.1, 1.3).is_none() && of(3, 0.000_1, 36_980.0).is_none());
        assert!(of(3, 1.1, 1.3).is_some() && of(3, 0.4, 2.1).is_some());
    }
}
