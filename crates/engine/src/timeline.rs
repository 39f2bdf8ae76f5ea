//! Phases and intervals: warm-up, then measure, each divided into intervals on a grid that starts with its phase.
//!
//! Pure, but for one thing: while the clients warm up, the start of measure may be moved forward, to a line of the grid. All
//! copies of a timeline share it. Times are nanoseconds since the common start.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tenbin_model::event::Phase;

/// The durations of a trial.
#[derive(Debug, Clone)]
pub struct Timeline {
    warmup_ns: Arc<Shared>,
    measure_ns: u64,
    interval_ns: u64,
    /// Whether measure continues after its planned end, for transactions in progress.
    drains: bool,
}

/// The start of measure, on its own cache lines: all clients read it, and hardly anybody writes.
#[derive(Debug)]
#[repr(align(128))]
struct Shared(AtomicU64);

/// One interval of the grid: `from_ns <= t < to_ns`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntervalSlot {
    /// Its index among all intervals of warm-up and measure, from 0.
    pub index: u64,
    /// The phase that it belongs to.
    pub phase: Phase,
    /// Its start.
    pub from_ns: u64,
    /// Its end.
    pub to_ns: u64,
}

impl Timeline {
    /// From milliseconds; `interval_ms` is at least 1.
    pub fn new(warmup_ms: u64, measure_ms: u64, interval_ms: u64) -> Timeline {
        let ns = |ms: u64| ms.saturating_mul(1_000_000);
        let (warmup_ns, measure_ns, interval_ns) = (ns(warmup_ms), ns(measure_ms), ns(interval_ms.max(1)));
        Timeline { warmup_ns: Arc::new(Shared(AtomicU64::new(warmup_ns))), measure_ns, interval_ns, drains: false }
    }

    /// The same, with a measure that continues after its planned end: transactions that end then belong to it.
    pub fn draining(self, drains: bool) -> Timeline {
        Timeline { drains, ..self }
    }

    /// Whether measure continues after its planned end.
    pub fn drains(&self) -> bool {
        self.drains
    }

    /// The start of measure.
    #[inline]
    pub fn warmup_ns(&self) -> u64 {
        self.warmup_ns.0.load(Ordering::Relaxed)
    }

    /// The start of an interval of the warm-up.
    pub fn warmup_slot_ns(&self, index: u64) -> u64 {
        index.saturating_mul(self.interval_ns)
    }

    /// Lets measure begin with the interval numbered `index`, which is still warm-up: it keeps its place on the grid, and so does
    /// every later one. `false`: measure begins by then anyway.
    pub fn measure_from(&self, index: u64) -> bool {
        let from_ns = self.warmup_slot_ns(index);
        self.warmup_ns.0.fetch_min(from_ns, Ordering::Relaxed) > from_ns
    }

    /// The planned end of measure.
    pub fn end_ns(&self) -> u64 {
        self.warmup_ns().saturating_add(self.measure_ns)
    }

    /// The phase that an intended start at `at_ns` belongs to.
    #[inline]
    pub fn phase_at(&self, at_ns: u64) -> Phase {
        self.phase_after(self.warmup_ns(), at_ns)
    }

    /// The same if measure begins at `warmup_ns`: a caller that also uses this instant reads it once, because it may be moved meanwhile.
    fn phase_after(&self, warmup_ns: u64, at_ns: u64) -> Phase {
        if at_ns < warmup_ns {
            Phase::WarmUp
        } else if at_ns < warmup_ns.saturating_add(self.measure_ns) || self.drains {
            Phase::Measure
        } else {
            Phase::CoolDown
        }
    }

    /// The interval numbered `index`; after the last one, the cool-down as one unlimited interval.
    pub fn slot(&self, index: u64) -> IntervalSlot {
        let warmup_ns = self.warmup_ns();
        let end_ns = warmup_ns.saturating_add(self.measure_ns);
        let warm = warmup_ns.div_ceil(self.interval_ns);
        let measure = self.measure_ns.div_ceil(self.interval_ns);
        let (phase, start, length, nth) = if index < warm {
            (Phase::WarmUp, 0, warmup_ns, index)
        } else if index - warm < measure {
            (Phase::Measure, warmup_ns, self.measure_ns, index - warm)
        } else if self.drains && index < u64::MAX {
            (Phase::Measure, end_ns, u64::MAX, index - warm - measure)
        } else {
            let index = warm.saturating_add(measure);
            return IntervalSlot { index, phase: Phase::CoolDown, from_ns: end_ns, to_ns: u64::MAX };
        };
        let offset = nth.saturating_mul(self.interval_ns);
        // The last interval of a phase ends with it.
        let to = offset.saturating_add(self.interval_ns).min(length);
        IntervalSlot { index, phase, from_ns: start.saturating_add(offset), to_ns: start.saturating_add(to) }
    }

    /// The index of the last interval before the cool-down.
    pub fn last_index(&self) -> u64 {
        match self.drains {
            true => u64::MAX - 1,
            false => self.slot(u64::MAX).index.saturating_sub(1),
        }
    }

    /// The interval that contains `at_ns`.
    pub fn slot_at(&self, at_ns: u64) -> IntervalSlot {
        let warmup_ns = self.warmup_ns();
        let warm = warmup_ns.div_ceil(self.interval_ns);
        let end_ns = warmup_ns.saturating_add(self.measure_ns);
        match self.phase_after(warmup_ns, at_ns) {
            Phase::WarmUp => self.slot(at_ns / self.interval_ns),
            Phase::Measure if at_ns >= end_ns => {
                let measure = self.measure_ns.div_ceil(self.interval_ns);
                self.slot(warm + measure + (at_ns - end_ns) / self.interval_ns)
            }
            Phase::Measure => self.slot(warm + (at_ns - warmup_ns) / self.interval_ns),
            _ => self.slot(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_last_interval_of_a_phase_may_be_shorter() {
        let line = Timeline::new(2500, 3500, 1000);
        let ends: Vec<_> = (0..8).map(|i| line.slot(i)).map(|s| (s.phase, s.to_ns / 1_000_000)).collect();
        let w = Phase::WarmUp;
        let m = Phase::Measure;
        let expected = [
            (w, 1000),
            (w, 2000),
            (w, 2500),
            (m, 3500),
            (m, 4500),
            (m, 5500),
            (m, 6000),
            (Phase::CoolDown, u64::MAX / 1_000_000),
        ];
        assert_eq!(ends, expected);
    }

    #[test]
    fn a_window_without_limit_does_not_overflow() {
        let line = Timeline::new(10, u64::MAX, 1000);
        assert_eq!(line.end_ns(), u64::MAX);
        assert_eq!(line.slot_at(10_000_000).phase, Phase::Measure);
    }

    #[test]
    fn measure_may_begin_earlier_and_the_grid_remains() {
        let line = Timeline::new(60_500, 2500, 1000);
        let before: Vec<_> = (0..10).map(|i| line.slot(i)).collect();
        let copy = line.clone();
        assert!(line.measure_from(7) && !line.measure_from(9), "it only moves forward");
        let at = |i: usize| copy.slot(i as u64);
        assert!((0..9).all(|i| (at(i).from_ns, at(i).index) == (before[i].from_ns, before[i].index)));
        assert_eq!((at(6), at(7).phase, at(9).to_ns), (before[6], Phase::Measure, 9_500_000_000));
        assert_eq!((copy.warmup_ns(), copy.end_ns(), at(10).phase), (7_000_000_000, 9_500_000_000, Phase::CoolDown));
    }

    proptest! {
        #[test]
        fn intervals_tile_the_phases(warmup in 0u64..5000, measure in 1u64..5000, interval in 1u64..1500, at in 0u64..11_000_000_000, drains: bool) {
            let line = Timeline::new(warmup, measure, interval).draining(drains);
            let slot = line.slot_at(at);
            prop_assert!(slot.from_ns <= at && at < slot.to_ns);
            prop_assert_eq!(slot.phase, line.phase_at(at));
            prop_assert_eq!(slot, line.slot(slot.index));
            if slot.phase != Phase::CoolDown {
                prop_assert_eq!(line.slot(slot.index + 1).from_ns, slot.to_ns);
            }
        }
    }
}
