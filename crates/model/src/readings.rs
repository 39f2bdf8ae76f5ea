//! The samples of an observer: each name is stored once, so that a server's five hundred counters, read every
//! second, need some megabytes per hour.

use crate::reading::ReadingSpec;
use std::collections::BTreeMap;

/// Maximum delay of samples requested at the edges of the window, nanoseconds.
pub(crate) const EDGE_NS: u64 = 100_000_000;

/// The reading of an observer that can no longer read anything, emitted once.
pub const LOST: &str = "lost";

/// The maximum number of readings of one observer. Ours have some tens; a damaged recording may contain any number of
/// names.
const MOST_READINGS: usize = 4096;

/// The samples of one observer, in order, and its declarations.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    declared: Vec<ReadingSpec>,
    /// The index of each name in a sample.
    places: BTreeMap<String, usize>,
    samples: Vec<Sample>,
}

/// One sample.
#[derive(Debug, Clone)]
pub struct Sample {
    /// When, nanoseconds since the run's start.
    pub at_ns: u64,
    /// The time by the clock of its source, nanoseconds since 1970, if it is known.
    pub source_unix_ns: Option<u64>,
    /// The values by index; NaN if there is none.
    values: Vec<f64>,
}

/// The increase of a counter between two samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Increase {
    /// When it was read first.
    pub from_ns: u64,
    /// When it was read last.
    pub to_ns: u64,
    /// By how much it is larger then.
    pub change: f64,
}

impl Increase {
    /// The time between the samples; more than 0.
    pub fn seconds(&self) -> f64 {
        self.to_ns.saturating_sub(self.from_ns) as f64 / 1e9
    }

    /// The increase per second.
    pub fn per_second(&self) -> f64 {
        self.change / self.seconds()
    }
}

impl Readings {
    /// The increase of a counter between its samples nearest to the edges of a window. There is none if it is the same sample,
    /// or if it became smaller in between: the server was restarted, and what it counted until then is lost.
    pub fn increase(&self, name: &str, (from, to): (u64, u64)) -> Option<Increase> {
        let course: Vec<(u64, f64)> = self.course(name).map(|(sample, value)| (sample.at_ns, value)).collect();
        let nearest = |at: u64| (0..course.len()).min_by_key(|i| course[*i].0.abs_diff(at));
        let within = course.get(nearest(from)?..=nearest(to)?)?;
        let grows = within.iter().zip(within.iter().skip(1)).all(|(before, after)| after.1 >= before.1);
        let ((from_ns, before), (to_ns, after)) = (*within.first()?, *within.last()?);
        (grows && to_ns > from_ns).then_some(Increase { from_ns, to_ns, change: after - before })
    }

    /// The values of a gauge in a window; of means over a time, those whose whole time lies in it.
    pub fn gauge(&self, name: &str, (from, to): (u64, u64)) -> impl Iterator<Item = f64> + use<'_> {
        let spec = self.declared.iter().find(|spec| spec.name == name);
        let from = from.saturating_add(spec.map_or(0, |spec| spec.mean_over_ms.saturating_mul(1_000_000)));
        let within = from.saturating_sub(EDGE_NS)..=to.saturating_add(EDGE_NS);
        self.course(name).filter(move |(sample, _)| within.contains(&sample.at_ns)).map(|(_, value)| value)
    }

    /// Adds declarations of the observer; earlier ones are kept.
    pub fn declare(&mut self, specs: &[ReadingSpec]) {
        for spec in specs {
            let known = self.declared.iter().any(|s| s.name == spec.name);
            if !known && self.declared.len() < MOST_READINGS {
                self.declared.push(spec.clone());
            }
        }
    }

    /// Appends a sample.
    pub fn push(&mut self, at_ns: u64, source_unix_ns: Option<u64>, read: &BTreeMap<String, f64>) {
        let mut values = vec![f64::NAN; self.places.len()];
        for (name, value) in read {
            match self.places.get(name) {
                Some(place) => values[*place] = *value,
                None if values.len() < MOST_READINGS => {
                    self.places.insert(name.clone(), values.len());
                    values.push(*value);
                }
                None => {}
            }
        }
        self.samples.push(Sample { at_ns, source_unix_ns, values });
    }

    /// All samples, in order.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The value of this name in a sample.
    pub fn value(&self, sample: &Sample, name: &str) -> Option<f64> {
        sample.values.get(*self.places.get(name)?).copied().filter(|value| !value.is_nan())
    }

    /// The samples with the values of this name, in order.
    pub fn course(&self, name: &str) -> impl Iterator<Item = (&Sample, f64)> + use<'_> {
        let place = self.places.get(name).copied().unwrap_or(usize::MAX);
        self.samples.iter().filter_map(move |sample| {
            Some((sample, sample.values.get(place).copied().filter(|value| !value.is_nan())?))
        })
    }

    /// All readings with values: in the declared order, then undeclared ones by name.
    pub fn specs(&self, observer: &str) -> Vec<ReadingSpec> {
        let read = |spec: &&ReadingSpec| self.places.contains_key(&*spec.name);
        let mut all: Vec<ReadingSpec> = self.declared.iter().filter(read).cloned().collect();
        let undeclared = |name: &&String| *name != LOST && !self.declared.iter().any(|spec| spec.name == **name);
        all.extend(self.places.keys().filter(undeclared).map(|name| ReadingSpec::of_undeclared(observer, name)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{ReadingKind, Whose};

    fn read(all: &[(&str, f64)]) -> BTreeMap<String, f64> {
        all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    #[test]
    fn names_that_come_later_are_missing_before() {
        let mut readings = Readings::default();
        readings.push(1, None, &read(&[("b", 1.0)]));
        readings.push(2, Some(7), &read(&[("a", 2.0), ("b", 3.0)]));
        readings.push(3, None, &read(&[("a", 4.0)]));
        let of = |name| readings.samples().iter().map(|s| readings.value(s, name)).collect::<Vec<_>>();
        assert_eq!(of("a"), [None, Some(2.0), Some(4.0)]);
        assert_eq!(of("b"), [Some(1.0), Some(3.0), None]);
        assert_eq!(of("c"), [None; 3]);
        assert_eq!(readings.samples()[2].at_ns, 3);
        let course: Vec<_> = readings.course("a").map(|(s, value)| (s.at_ns, s.source_unix_ns, value)).collect();
        assert_eq!(course, [(2, Some(7), 2.0), (3, None, 4.0)]);
        assert_eq!(readings.course("c").count(), 0);
    }

    #[test]
    fn what_is_declared_comes_first_and_what_is_not_is_known_by_its_name() {
        let mut readings = Readings::default();
        let level = ReadingSpec::gauge("z", "", Whose::Server);
        readings.declare(&[level.clone(), ReadingSpec::counter("never_read", "", Whose::Server)]);
        readings.declare(&[ReadingSpec::counter("z", "s", Whose::Client)]);
        readings.push(1, None, &read(&[("a_s", 1.0), ("z", 1.0)]));
        readings.push(2, None, &read(&[(LOST, 1.0)]));
        let specs = readings.specs("client.host");
        assert_eq!(specs[0], level, "the first declaration stands");
        assert_eq!((&*specs[1].name, &*specs[1].unit, specs[1].kind), ("a_s", "s", ReadingKind::Counter));
        assert_eq!(specs.len(), 2);
    }

    #[test]
    fn a_counter_increases_between_the_samples_at_the_edges() {
        let mut readings = Readings::default();
        for (at_ns, value) in [(0, 1.0), (11, 5.0), (20, 6.0), (29, 8.0), (40, 2.0), (50, 9.0)] {
            readings.push(at_ns * 1_000_000_000, None, &read(&[("n", value)]));
            readings.push(at_ns * 1_000_000_000 + 1, None, &read(&[("other", 0.0)]));
        }
        let of = |from: u64, to: u64| readings.increase("n", (from * 1_000_000_000, to * 1_000_000_000));
        let increase = of(10, 30).unwrap();
        assert_eq!((increase.change, increase.seconds()), (3.0, 18.0), "by the samples that have it");
        assert_eq!(increase.per_second(), 3.0 / 18.0);
        assert_eq!(of(10, 50), None, "it started again in between, although it is larger at the end");
        assert_eq!((of(12, 13), readings.increase("m", (0, 9))), (None, None), "one sample, and none");
    }

    #[test]
    fn means_over_a_time_are_in_a_window_if_all_of_it_is() {
        let mut readings = Readings::default();
        readings.declare(&[ReadingSpec::gauge("minute", "", Whose::Server).mean_over(60_000)]);
        for minute in 0..5u64 {
            readings.push(minute * 60_000_000_000, None, &read(&[("minute", minute as f64), ("now", minute as f64)]));
        }
        let of = |name| readings.gauge(name, (60_000_000_000, 180_000_000_000)).collect::<Vec<_>>();
        assert_eq!((of("minute"), of("now")), (vec![2.0, 3.0], vec![1.0, 2.0, 3.0]));
    }

    #[test]
    fn a_damaged_recording_cannot_ask_for_any_number_of_names() {
        let mut readings = Readings::default();
        for n in 0..3 * MOST_READINGS {
            readings.push(n as u64, None, &BTreeMap::from([(format!("n{n}"), 1.0)]));
        }
        assert_eq!(readings.specs("x").len(), MOST_READINGS);
    }
}
