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

impl Readings {
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
    fn a_damaged_recording_cannot_ask_for_any_number_of_names() {
        let mut readings = Readings::default();
        for n in 0..3 * MOST_READINGS {
            readings.push(n as u64, None, &BTreeMap::from([(format!("n{n}"), 1.0)]));
        }
        assert_eq!(readings.specs("x").len(), MOST_READINGS);
    }
}
