//! What the intervals and observations of a trial amount to, in few bytes: a run directory has it beside the log of each trial,
//! so that a reader of the run need not fold a thousand logs again.
//!
//! Nothing in it is a judgement. Doubts and answers are computed from it as from the log.

use super::TrialResult;
use super::series::{PackedSeries, Series};
use crate::drained::Drained;
use crate::heat_map::HeatMap;
use crate::histogram::Histogram;
use crate::load_host::LoadHostResult;
use crate::omit;
use crate::packed;
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
    drained: Drained,
    warm_up_writes: u64,
    series: Series,
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
    histograms: Vec<BucketCounts>,
    #[serde(default, skip_serializing_if = "Drained::is_none")]
    drained: Drained,
    #[serde(default, skip_serializing_if = "omit::zero")]
    warm_up_writes: u64,
    series: PackedSeries,
    heat: HeatMap,
    readings: BTreeMap<String, PackedReadings>,
    stretches: Stretches,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    hosts: BTreeMap<u32, LoadHostResult>,
}

/// The counts of a histogram.
#[derive(Debug)]
struct BucketCounts(Box<[u8]>);

impl Serialize for BucketCounts {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&packed::to_text(&self.0))
    }
}

impl<'de> Deserialize<'de> for BucketCounts {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        packed::from_text(d).map(BucketCounts)
    }
}

impl TrialResult {
    /// What its intervals and observations amount to; [`Summary::restore`](super::Summary::restore) puts it back.
    pub fn measurements(&self) -> PackedMeasurements {
        let mut tally = self.tally.clone();
        let histograms =
            tally.histograms().map(|histogram| BucketCounts(mem::take(histogram).to_bytes())).collect::<Vec<_>>();
        PackedMeasurements {
            tally,
            histograms,
            drained: self.drained.clone(),
            warm_up_writes: self.warm_up_writes,
            series: self.series.packed(),
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
        self.series.pack();
        self.heat.pack();
        self.observations.values_mut().for_each(|readings| readings.pack());
    }
}

impl TryFrom<PackedMeasurements> for Measurements {
    type Error = &'static str;

    fn try_from(packed: PackedMeasurements) -> Result<Measurements, Self::Error> {
        let PackedMeasurements {
            mut tally,
            histograms,
            drained,
            warm_up_writes,
            series,
            heat,
            readings,
            stretches,
            hosts,
        } = packed;
        let series = Series::of_packed(series).ok_or("the intervals are not whole")?;
        let counts: Option<Vec<Histogram>> =
            histograms.into_iter().map(|BucketCounts(bytes)| Histogram::from_bytes(bytes)).collect();
        let counts = counts.filter(|counts| counts.len() == tally.histograms().count());
        let counts = counts.ok_or("the histograms are not those of the tally")?;
        tally.histograms().zip(counts).for_each(|(histogram, counts)| *histogram = counts);
        Ok(Measurements { tally, drained, warm_up_writes, series, heat, readings, stretches, hosts })
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
        let Measurements { tally, drained, warm_up_writes, series, heat, readings, stretches, hosts } = self;
        for (observer, packed) in readings {
            into.observations.entry(observer).or_default().restore(packed);
        }
        (into.tally, into.drained, into.warm_up_writes) = (tally, drained, warm_up_writes);
        (into.series, into.heat, into.stretches) = (series, heat, stretches);
        for (number, LoadHostResult { part: _, tally, drained, stretches }) in hosts {
            let host = into.hosts.entry(number).or_default();
            (host.tally, host.drained, host.stretches) = (tally, drained, stretches);
        }
        into.doubts.take();
    }
}
