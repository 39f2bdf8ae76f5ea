//! The samples of an observer, by columns: each name is stored once, and the values of an ended trial are [packed](Packed), so
//! that a server's five hundred counters, read every second, need some megabytes per hour.

use crate::packed::Packed;
use crate::reading::ReadingSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum delay of samples requested at the edges of the window, nanoseconds.
pub const EDGE_NS: u64 = 100_000_000;

/// The reading of an observer that can no longer read anything, emitted once.
pub const LOST: &str = "lost";

/// The maximum number of readings of one observer. Ours have some tens; a damaged recording may contain any number of
/// names.
const MOST_READINGS: usize = 4096;

/// The samples of one observer, in order, and its declarations.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    names: Arc<ReadingNames>,
    times: Times,
    columns: Vec<ReadingColumn>,
}

/// What an observer reads: the same in most trials, and then [shared](Readings::share_names) by them.
#[derive(Debug, Clone, Default, PartialEq)]
struct ReadingNames {
    declared: Vec<ReadingSpec>,
    /// The column of each name.
    places: BTreeMap<String, usize>,
}

/// When one sample was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// When, nanoseconds since the run's start.
    pub at_ns: u64,
    /// The time by the clock of its source, nanoseconds since 1970, if it is known.
    pub source_unix_ns: Option<u64>,
    /// Its place among the samples.
    place: usize,
}

/// The times of the samples.
#[derive(Debug, Clone)]
enum Times {
    Open(Vec<Sample>),
    /// `at_ns`, and `source_unix_ns` or 0 if that of any sample is known.
    Packed(Packed, Option<Packed>),
}

impl Default for Times {
    fn default() -> Self {
        Times::Open(Vec::new())
    }
}

/// The values of a name, by sample; NaN or an end before that of the samples if there is none.
#[derive(Debug, Clone)]
enum ReadingColumn {
    Open(Vec<f64>),
    Packed(Packed),
}

impl ReadingColumn {
    fn values(&self) -> impl Iterator<Item = f64> + Clone + use<'_> {
        let (open, packed) = match self {
            ReadingColumn::Open(values) => (&values[..], None),
            ReadingColumn::Packed(packed) => (&[][..], Some(packed)),
        };
        open.iter().copied().chain(packed.into_iter().flat_map(Packed::floats))
    }
}

/// Packed readings, as the summary of a trial's log contains them; declarations are events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackedReadings {
    names: Vec<String>,
    at_ns: Packed,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source_unix_ns: Option<Packed>,
    columns: Vec<Packed>,
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
        let spec = self.names.declared.iter().find(|spec| spec.name == name);
        let from = from.saturating_add(spec.map_or(0, |spec| spec.mean_over_ms.saturating_mul(1_000_000)));
        let within = from.saturating_sub(EDGE_NS)..=to.saturating_add(EDGE_NS);
        self.course(name).filter(move |(sample, _)| within.contains(&sample.at_ns)).map(|(_, value)| value)
    }

    /// Adds declarations of the observer; earlier ones are kept.
    pub fn declare(&mut self, specs: &[ReadingSpec]) {
        let declared = &mut Arc::make_mut(&mut self.names).declared;
        for spec in specs {
            let known = declared.iter().any(|s| s.name == spec.name);
            if !known && declared.len() < MOST_READINGS {
                declared.push(spec.clone());
            }
        }
    }

    /// Appends a sample.
    pub fn push(&mut self, at_ns: u64, source_unix_ns: Option<u64>, read: &BTreeMap<String, f64>) {
        self.unpack();
        let Times::Open(samples) = &mut self.times else { return };
        let index = samples.len();
        samples.push(Sample { at_ns, source_unix_ns, place: index });
        for (name, value) in read {
            let column = match self.names.places.get(name) {
                Some(column) => *column,
                None if self.columns.len() < MOST_READINGS => {
                    Arc::make_mut(&mut self.names).places.insert(name.clone(), self.columns.len());
                    self.columns.push(ReadingColumn::Open(Vec::new()));
                    self.columns.len() - 1
                }
                None => continue,
            };
            if let Some(ReadingColumn::Open(values)) = self.columns.get_mut(column) {
                values.resize(index, f64::NAN);
                values.push(*value);
            }
        }
    }

    /// Makes them small until another sample is appended.
    pub fn pack(&mut self) {
        if let Times::Open(samples) = &self.times {
            let source_unix_ns = samples.iter().any(|s| s.source_unix_ns.is_some());
            let sources = || Packed::of_integers(samples.iter().map(|s| s.source_unix_ns.unwrap_or(0)));
            let at_ns = Packed::of_integers(samples.iter().map(|s| s.at_ns));
            self.times = Times::Packed(at_ns, source_unix_ns.then(sources));
        }
        for column in &mut self.columns {
            if let ReadingColumn::Open(values) = column {
                *column = ReadingColumn::Packed(Packed::of_floats(values));
            }
        }
    }

    /// Holds the names together with another trial's readings of the same observer, if they are equal.
    pub fn share_names(&mut self, other: &Readings) {
        if self.names == other.names {
            self.names = other.names.clone();
        }
    }

    fn unpack(&mut self) {
        if let Times::Packed(..) = self.times {
            self.times = Times::Open(self.samples().collect());
            self.columns.iter_mut().for_each(|column| *column = ReadingColumn::Open(column.values().collect()));
        }
    }

    /// The samples, packed.
    pub fn packed(&self) -> PackedReadings {
        let mut packed = self.clone();
        packed.pack();
        let mut names = vec![String::new(); packed.columns.len()];
        packed.names.places.iter().for_each(|(name, place)| names[*place].clone_from(name));
        let (at_ns, source_unix_ns) = match packed.times {
            Times::Packed(at_ns, source_unix_ns) => (at_ns, source_unix_ns),
            Times::Open(_) => Default::default(),
        };
        let of = |column| if let ReadingColumn::Packed(packed) = column { packed } else { Packed::default() };
        PackedReadings { names, at_ns, source_unix_ns, columns: packed.columns.into_iter().map(of).collect() }
    }

    /// Replaces the samples by packed ones; declarations are kept.
    pub fn restore(&mut self, packed: PackedReadings) {
        let PackedReadings { names, at_ns, source_unix_ns, columns } = packed;
        let places = names.into_iter().take(MOST_READINGS).enumerate().map(|(place, name)| (name, place)).collect();
        Arc::make_mut(&mut self.names).places = places;
        self.times = Times::Packed(at_ns, source_unix_ns);
        self.columns = columns.into_iter().take(MOST_READINGS).map(ReadingColumn::Packed).collect();
    }

    /// All samples, in order.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + Clone + use<'_> {
        let (open, packed) = match &self.times {
            Times::Open(samples) => (&samples[..], None),
            Times::Packed(at_ns, source_unix_ns) => (&[][..], Some((at_ns, source_unix_ns))),
        };
        let unpacked = packed.into_iter().flat_map(|(at_ns, source_unix_ns)| {
            let mut sources = source_unix_ns.as_ref().map(Packed::integers);
            at_ns.integers().enumerate().map(move |(place, at_ns)| {
                let source = sources.as_mut().and_then(Iterator::next);
                Sample { at_ns, source_unix_ns: source.filter(|ns| *ns > 0), place }
            })
        });
        open.iter().copied().chain(unpacked)
    }

    /// The value of this name in a sample.
    pub fn value(&self, sample: Sample, name: &str) -> Option<f64> {
        self.values(name).nth(sample.place).filter(|value| !value.is_nan())
    }

    fn values(&self, name: &str) -> impl Iterator<Item = f64> + Clone + use<'_> {
        self.names
            .places
            .get(name)
            .and_then(|place| self.columns.get(*place))
            .into_iter()
            .flat_map(ReadingColumn::values)
    }

    /// The samples with the values of this name, in order.
    pub fn course(&self, name: &str) -> impl Iterator<Item = (Sample, f64)> + use<'_> {
        self.samples().zip(self.values(name)).filter(|(_, value)| !value.is_nan())
    }

    /// All declared readings with values, in the declared order.
    pub fn specs(&self) -> Vec<ReadingSpec> {
        let ReadingNames { declared, places } = &*self.names;
        declared.iter().filter(|spec| places.contains_key(&*spec.name)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Whose;

    fn read(all: &[(&str, f64)]) -> BTreeMap<String, f64> {
        all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    #[test]
    fn names_that_come_later_are_missing_before() {
        let mut readings = Readings::default();
        readings.push(1, None, &read(&[("b", 1.0)]));
        readings.push(2, Some(7), &read(&[("a", 2.0), ("b", 3.0)]));
        readings.push(3, None, &read(&[("a", 4.0)]));
        let check = |readings: &Readings| {
            let of = |name| readings.samples().map(|s| readings.value(s, name)).collect::<Vec<_>>();
            assert_eq!(of("a"), [None, Some(2.0), Some(4.0)]);
            assert_eq!(of("b"), [Some(1.0), Some(3.0), None]);
            assert_eq!(of("c"), [None; 3]);
            assert_eq!(readings.samples().nth(2).map(|s| s.at_ns), Some(3));
            let course: Vec<_> = readings.course("a").map(|(s, value)| (s.at_ns, s.source_unix_ns, value)).collect();
            assert_eq!(course, [(2, Some(7), 2.0), (3, None, 4.0)]);
            assert_eq!(readings.course("c").count(), 0);
        };
        check(&readings);
        let mut restored = Readings::default();
        restored.restore(readings.packed());
        check(&restored);
        readings.pack();
        check(&readings);
        // A sample after they were packed is one more.
        for readings in [&mut readings, &mut restored] {
            readings.push(4, None, &read(&[("d", 9.0), ("b", 5.0)]));
            assert_eq!(readings.samples().count(), 4);
            let course = |name| readings.course(name).map(|(s, value)| (s.at_ns, value)).collect::<Vec<_>>();
            assert_eq!((course("d"), course("b")), (vec![(4, 9.0)], vec![(1, 1.0), (2, 3.0), (4, 5.0)]));
        }
    }

    #[test]
    fn what_is_not_declared_is_left_out() {
        let mut readings = Readings::default();
        let level = ReadingSpec::gauge("z", "", Whose::Server);
        readings.declare(&[level.clone(), ReadingSpec::counter("never_read", "", Whose::Server)]);
        readings.declare(&[ReadingSpec::counter("z", "s", Whose::Client)]);
        readings.push(1, None, &read(&[("a_s", 1.0), ("z", 1.0)]));
        readings.push(2, None, &read(&[(LOST, 1.0)]));
        let specs = readings.specs();
        assert_eq!(specs, [level], "the first declaration stands");
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
            readings.declare(&[ReadingSpec::counter(format!("n{n}"), "", Whose::Server)]);
            readings.push(n as u64, None, &BTreeMap::from([(format!("n{n}"), 1.0)]));
        }
        assert_eq!(readings.specs().len(), MOST_READINGS);
    }
}
