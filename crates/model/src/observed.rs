//! The readings of a trial for page and exports: each with its figures over the measured window, and its values over
//! time.

use crate::event::Phase;
use crate::reading::{ReadingKind, ReadingSpec};
use crate::readings::{Readings, Sample};
use crate::summary::TrialResult;

/// A reading of one trial.
#[derive(Debug, Clone)]
pub struct ObservedReading<'t> {
    /// The observer: `server.status`.
    pub observer: &'t str,
    /// Its declaration.
    pub spec: ReadingSpec,
    readings: &'t Readings,
    window_ns: (u64, u64),
}

/// The figures of a reading in the measured window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figures {
    /// Of a counter.
    Counter {
        /// The increase between the samples nearest to the window's edges.
        change: f64,
        /// Per second between these samples.
        per_second: f64,
        /// The time between them.
        seconds: f64,
    },
    /// Of a gauge: over the samples in the window; of means over a time, over those whose time lies in it.
    Gauge {
        /// Their mean.
        mean: f64,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
}

/// A value of a reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// When, nanoseconds since the run's start.
    pub at_ns: u64,
    /// The time by the clock of the source, nanoseconds since 1970, if it is known.
    pub source_unix_ns: Option<u64>,
    /// The value as it was read.
    pub value: f64,
    /// For a counter: the increase per second since the previous value. `None` for the first, and if it became smaller
    /// (the server was restarted).
    pub per_second: Option<f64>,
}

impl TrialResult {
    /// Every reading that was recorded, by observer, in the order in which the observer declares them.
    pub fn observed(&self) -> Vec<ObservedReading<'_>> {
        let all = self.observations.iter().flat_map(|(observer, readings)| {
            let window_ns = self.window_ns;
            let one = move |spec| ObservedReading { observer: observer.as_str(), spec, readings, window_ns };
            readings.specs().into_iter().map(one)
        });
        all.collect()
    }

    /// The phase at a time; `None` before the first, and if the recording does not contain it.
    pub fn phase_at(&self, at_ns: u64) -> Option<Phase> {
        self.phases.iter().rev().find(|(from_ns, _)| *from_ns <= at_ns).map(|(_, phase)| *phase)
    }
}

impl ObservedReading<'_> {
    /// Its figures in the measured window; `None` if nothing was measured, or it was not read then.
    pub fn figures(&self) -> Option<Figures> {
        let (from, to) = self.window_ns;
        (to > from).then_some(())?;
        match self.spec.kind {
            ReadingKind::Counter => {
                let increase = self.readings.increase(&self.spec.name, self.window_ns)?;
                let (per_second, seconds) = (increase.per_second(), increase.seconds());
                Some(Figures::Counter { change: increase.change, per_second, seconds })
            }
            ReadingKind::Gauge => {
                let mut all = self.readings.gauge(&self.spec.name, self.window_ns).peekable();
                all.peek()?;
                let start = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
                let (n, sum, min, max) =
                    all.fold(start, |(n, sum, min, max), v| (n + 1.0, sum + v, f64::min(min, v), f64::max(max, v)));
                Some(Figures::Gauge { mean: sum / n, min, max })
            }
        }
    }

    /// All its values, in order, from the start of the trial.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let counter = self.spec.kind == ReadingKind::Counter;
        let mut before: Option<(u64, f64)> = None;
        self.course().map(move |(sample, value)| {
            let since = before.replace((sample.at_ns, value));
            let per_second = since.filter(|_| counter).and_then(|(at_ns, was)| {
                let seconds = sample.at_ns.saturating_sub(at_ns) as f64 / 1e9;
                (seconds > 0.0 && value >= was).then(|| (value - was) / seconds)
            });
            Value { at_ns: sample.at_ns, source_unix_ns: sample.source_unix_ns, value, per_second }
        })
    }

    fn course(&self) -> impl Iterator<Item = (Sample, f64)> {
        self.readings.course(&self.spec.name)
    }
}
