//! What the intervals and observations of a trial amount to, in few bytes: a run directory has it beside the log of each trial,
//! so that whoever reads the run need not fold a thousand logs again.
//!
//! Nothing in it is a judgement. Doubts and answers are computed from it as from the log.

use super::{Point, TrialResult};
use crate::event::Phase;
use crate::heat_map::HeatMap;
use crate::histogram::Histogram;
use crate::load_host::LoadHostResult;
use crate::packed::{self, Packed};
use crate::readings::PackedReadings;
use crate::standstill::Stretches;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::mem;

/// The folded intervals and observations of a trial, read from [`PackedMeasurements`].
#[derive(Debug, Deserialize)]
#[serde(try_from = "PackedMeasurements")]
pub struct Measurements {
    tally: Tally,
    series: Vec<Point>,
    heat: HeatMap,
    readings: BTreeMap<String, PackedReadings>,
    stretches: Stretches,
    hosts: BTreeMap<u32, LoadHostResult>,
}

/// The same as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct PackedMeasurements {
    /// Counts of the measured window; its histograms are empty.
    tally: Tally,
    /// The histograms of the tally in the order of [`Tally::histograms`].
    histograms: Vec<Counts>,
    series: PackedSeries,
    heat: HeatMap,
    readings: BTreeMap<String, PackedReadings>,
    stretches: Stretches,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    hosts: BTreeMap<u32, LoadHostResult>,
}

/// The counts of a histogram.
#[derive(Debug)]
struct Counts(Box<[u8]>);

impl Serialize for Counts {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&packed::to_text(&self.0))
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        packed::from_text(d).map(Counts)
    }
}

/// Intervals by column; see [`Point`].
#[derive(Debug, Default, Serialize, Deserialize)]
struct PackedSeries {
    /// 1 if it is of the measured window.
    measured: Packed,
    from_ns: Packed,
    to_ns: Packed,
    tps: Packed,
    mean_ns: Packed,
    p95_ns: Packed,
    p99_ns: Packed,
    service_p99_ns: Packed,
    wait_p99_ns: Packed,
    max_ns: Packed,
    failed: Packed,
    clients: Packed,
    /// One more than were completed; 0 if the interval does not have the name.
    completed: BTreeMap<String, Packed>,
}

impl PackedSeries {
    fn of(series: &[Point]) -> PackedSeries {
        let integers = |of: fn(&Point) -> u64| Packed::of_integers(series.iter().map(of));
        let floats = |of: fn(&Point) -> f64| Packed::of_floats(&series.iter().map(of).collect::<Vec<_>>());
        let names = series.iter().flat_map(|p| p.completed.keys());
        let mut completed: BTreeMap<String, Packed> = names.map(|name| (name.clone(), Packed::default())).collect();
        for (name, packed) in &mut completed {
            let of = |p: &Point| p.completed.get(name).map_or(0, |n| n.saturating_add(1));
            *packed = Packed::of_integers(series.iter().map(of));
        }
        PackedSeries {
            measured: integers(|p| u64::from(p.phase == Phase::Measure)),
            from_ns: integers(|p| p.from_ns),
            to_ns: integers(|p| p.to_ns),
            tps: floats(|p| p.tps),
            mean_ns: floats(|p| p.mean_ns),
            p95_ns: integers(|p| p.p95_ns),
            p99_ns: integers(|p| p.p99_ns),
            service_p99_ns: integers(|p| p.service_p99_ns),
            wait_p99_ns: integers(|p| p.wait_p99_ns),
            max_ns: integers(|p| p.max_ns),
            failed: integers(|p| p.failed),
            clients: integers(|p| u64::from(p.clients)),
            completed,
        }
    }

    /// The intervals; `None` if the columns have different lengths.
    fn points(&self) -> Option<Vec<Point>> {
        let (mut from_ns, mut to_ns) = (self.from_ns.integers(), self.to_ns.integers());
        let (mut tps, mut mean_ns) = (self.tps.floats(), self.mean_ns.floats());
        let (mut p95_ns, mut p99_ns) = (self.p95_ns.integers(), self.p99_ns.integers());
        let (mut service, mut wait) = (self.service_p99_ns.integers(), self.wait_p99_ns.integers());
        let (mut max_ns, mut failed) = (self.max_ns.integers(), self.failed.integers());
        let mut clients = self.clients.integers();
        let mut completed: Vec<_> = self.completed.iter().map(|(name, n)| (name, n.integers())).collect();
        let point = |measured| {
            let of_name = |(name, values): &mut (&String, _)| {
                let n: Option<u64> = Iterator::next(values);
                n.and_then(|n| Some(((*name).clone(), n.checked_sub(1)?)))
            };
            Some(Point {
                phase: if measured == 1 { Phase::Measure } else { Phase::WarmUp },
                from_ns: from_ns.next()?,
                to_ns: to_ns.next()?,
                tps: tps.next()?,
                mean_ns: mean_ns.next()?,
                p95_ns: p95_ns.next()?,
                p99_ns: p99_ns.next()?,
                service_p99_ns: service.next()?,
                wait_p99_ns: wait.next()?,
                max_ns: max_ns.next()?,
                failed: failed.next()?,
                clients: u32::try_from(clients.next()?).ok()?,
                completed: completed.iter_mut().filter_map(of_name).collect(),
            })
        };
        let points: Option<Vec<Point>> = self.measured.integers().map(point).collect();
        points.map(|mut points| {
            points.shrink_to_fit();
            points
        })
    }
}

impl TrialResult {
    /// What its intervals and observations amount to; [`Summary::restore`](super::Summary::restore) puts it back.
    pub fn measurements(&self) -> PackedMeasurements {
        let mut tally = self.tally.clone();
        let histograms =
            tally.histograms().map(|histogram| Counts(mem::take(histogram).to_bytes())).collect::<Vec<_>>();
        PackedMeasurements {
            tally,
            histograms,
            series: PackedSeries::of(&self.series),
            heat: self.heat.clone(),
            readings: self.observations.iter().map(|(name, readings)| (name.clone(), readings.packed())).collect(),
            stretches: self.stretches.clone(),
            hosts: self.hosts.clone(),
        }
    }

    /// Makes the measurements small: nothing more is counted in them.
    pub(super) fn pack(&mut self) {
        self.tally.pack();
        self.hosts.values_mut().for_each(|host| host.tally.pack());
        self.series.shrink_to_fit();
        self.observations.values_mut().for_each(|readings| readings.pack());
    }
}

impl TryFrom<PackedMeasurements> for Measurements {
    type Error = &'static str;

    fn try_from(packed: PackedMeasurements) -> Result<Measurements, Self::Error> {
        let PackedMeasurements { mut tally, histograms, series, heat, readings, stretches, hosts } = packed;
        let series = series.points().ok_or("the intervals are not whole")?;
        let counts: Option<Vec<Histogram>> =
            histograms.into_iter().map(|Counts(bytes)| Histogram::from_bytes(bytes)).collect();
        let counts = counts.filter(|counts| counts.len() == tally.histograms().count());
        let counts = counts.ok_or("the histograms are not those of the tally")?;
        tally.histograms().zip(counts).for_each(|(histogram, counts)| *histogram = counts);
        Ok(Measurements { tally, series, heat, readings, stretches, hosts })
    }
}

impl Measurements {
    /// Counts of the measured window.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many intervals there were.
    pub fn intervals(&self) -> usize {
        self.series.len()
    }

    /// Puts them into the result of a trial, instead of the events.
    pub(super) fn restore(self, into: &mut TrialResult) {
        let Measurements { tally, series, heat, readings, stretches, hosts } = self;
        for (observer, packed) in readings {
            into.observations.entry(observer).or_default().restore(packed);
        }
        (into.tally, into.series, into.heat, into.stretches) = (tally, series, heat, stretches);
        for (number, LoadHostResult { part: _, tally, stretches }) in hosts {
            let host = into.hosts.entry(number).or_default();
            (host.tally, host.stretches) = (tally, stretches);
        }
        into.doubts.take();
    }
}
