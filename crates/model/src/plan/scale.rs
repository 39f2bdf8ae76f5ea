//! `--scale`: a try-out of a plan with a part of its data and time.
//!
//! Amounts of data, durations, numbers of transactions and the memory that servers have for data are multiplied by the
//! scale, but not below a smallest sensible value. Clients, rates, repeats and everything else remain, so that a try-out
//! takes the same path as the plan. Values of an axis that differ still differ, so that it has the same cells.

use super::matrix::Matrix;
use super::settings::{LoadSpec, Settings};
use crate::warmup::LEAST_INTERVALS;
use crate::workload::Catalog;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;

/// By what the data and the time of a plan are multiplied: more than 0, less than 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanScale(f64);

impl PlanScale {
    /// Parses it: `0.001`. The error is a part of a sentence.
    pub fn parse(text: &str) -> Result<PlanScale, Message> {
        match text.trim().parse::<f64>() {
            Ok(factor) if factor > 0.0 && factor < 1.0 => Ok(PlanScale(factor)),
            _ => Err(msg!("scale-out-of-range", scale = format_args!("{text:?}"))),
        }
    }

    /// The factor.
    pub fn factor(self) -> f64 {
        self.0
    }
}

impl fmt::Display for PlanScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A measurement is not shorter (milliseconds): ten intervals of the smallest length.
const LEAST_MEASURE_MS: u64 = 1000;
const LEAST_WARMUP_MS: u64 = 200;
const LEAST_INTERVAL_MS: u64 = 100;
/// Intervals of the longest warm-up that ends by itself: half as many again as are judged.
const LEAST_UNTIL: u64 = LEAST_INTERVALS as u64 * 3 / 2;
/// Waiting does nothing that a try-out would need.
const LEAST_SETTLE_MS: u64 = 0;
/// Memory for data (bytes): many clients hold locks and pages, for which less is not enough.
const LEAST_MEMORY: u64 = 32 << 20;

/// Server variables that are the memory for data.
const MEMORY: [&str; 2] = ["innodb_buffer_pool_size", "shared_buffers"];

/// Durations of an experiment that a matrix may vary, and their smallest values.
const DURATIONS: [(&str, u64); 5] = [
    ("warmup", LEAST_WARMUP_MS),
    ("measure", LEAST_MEASURE_MS),
    ("max_cell_time", LEAST_MEASURE_MS),
    ("settle", LEAST_SETTLE_MS),
    ("interval", LEAST_INTERVAL_MS),
];

/// How the values of one experiment are reduced.
pub struct Reduction {
    scale: PlanScale,
    /// By axis: what each of its values becomes.
    axes: BTreeMap<String, BTreeMap<u64, u64>>,
}

impl Reduction {
    /// The reduction of an experiment with this matrix.
    pub fn of(scale: PlanScale, matrix: &Matrix<'_, '_>, catalog: &Catalog) -> Reduction {
        let mut axes = BTreeMap::new();
        for (name, values) in matrix.written() {
            let Some(least) = least(&name, catalog) else { continue };
            let all: BTreeSet<u64> = values.iter().filter_map(|text| amount(&name, text)).collect();
            axes.insert(name, all.iter().copied().zip(reduced(&all, scale, least)).collect());
        }
        Reduction { scale, axes }
    }

    /// One value of a field, which may be an axis.
    fn value(&self, names: &[&str], value: u64, least: u64) -> u64 {
        let on_axis = names.iter().find_map(|name| self.axes.get(*name)?.get(&value));
        on_axis.copied().unwrap_or_else(|| once(value, self.scale, least))
    }

    /// The same in the form of the plan; what is not a number remains.
    fn text(&self, names: &[&str], text: &mut String, least: u64) {
        let Some(value) = amount(names[0], text) else { return };
        *text = written(names[0], text, self.value(names, value, least));
    }

    /// Reduces durations except the warm-up, whose default depends on the workload, numbers of transactions and the
    /// memory of servers.
    pub fn settings(&self, settings: &mut Settings, catalog: &Catalog) {
        let s = settings;
        let all = [
            ("measure", Some(&mut s.spec.measure_ms), LEAST_MEASURE_MS),
            ("measure", s.spec.measure_until.as_mut().map(|until| &mut until.min_ms), LEAST_MEASURE_MS),
            ("max_cell_time", s.max_cell_ms.as_mut(), LEAST_MEASURE_MS),
            ("settle", Some(&mut s.spec.settle_ms), LEAST_SETTLE_MS),
            ("interval", Some(&mut s.spec.interval_ms), LEAST_INTERVAL_MS),
            ("load.operations", s.spec.load.operations.as_mut(), u64::from(s.spec.load.clients)),
            ("load.operations_per_client", s.operations_per_client.as_mut(), 1),
        ];
        for (name, value, least) in all {
            if let Some(value) = value {
                *value = self.value(&[name], *value, least);
            }
        }
        for (name, text) in &mut s.spec.load.options {
            if catalog.counts().any(|counted| counted == name) {
                self.text(&[&format!("load.{name}")], text, 1);
            }
        }
        self.memory("server", &mut s.spec.server);
        for (target, server) in &mut s.spec.target_server {
            self.memory(&format!("targets.{target}.server"), server);
        }
    }

    /// Reduces the memory for data in these server variables; `field` is their table.
    pub fn memory(&self, field: &str, server: &mut BTreeMap<String, String>) {
        for (name, text) in server.iter_mut().filter(|(name, _)| MEMORY.contains(&name.as_str())) {
            self.text(&[&format!("{field}.{name}")], text, LEAST_MEMORY);
        }
    }

    /// Reduces the warm-up and the amount of data of a cell, also where they are the defaults.
    pub fn spec(&self, spec: &mut LoadSpec, catalog: &Catalog) {
        spec.warmup_ms = self.value(&["warmup"], spec.warmup_ms, LEAST_WARMUP_MS);
        if let Some(until) = &mut spec.warmup_until {
            until.min_ms = self.value(&["warmup"], until.min_ms, LEAST_WARMUP_MS);
            // Else it would always be too short to tell.
            spec.warmup_ms = spec.warmup_ms.max(LEAST_UNTIL * spec.interval_ms);
        }
        for size in catalog.sizes.iter().filter(|size| size.kind == spec.dataset.kind) {
            let [of_data, of_load] = ["dataset", "load"].map(|part| format!("{part}.{}", size.option));
            let names = [of_data.as_str(), of_load.as_str()];
            let text = spec.dataset.options.entry(size.option.to_owned()).or_insert_with(|| size.default.to_owned());
            self.text(&names, text, size.least);
            if let Some(text) = spec.load.options.get_mut(size.option) {
                self.text(&names, text, size.least);
            }
        }
    }

    /// Replaces the values of a cell by what they became.
    pub fn labels(&self, axes: &mut [(String, String)]) {
        for (name, text) in axes {
            let Some(value) = amount(name, text) else { continue };
            if let Some(value) = self.axes.get(name).and_then(|axis| axis.get(&value)) {
                *text = written(name, text, *value);
            }
        }
    }
}

/// Reduces the memory for data in server variables that are no values of an axis.
pub fn reduced_memory(scale: PlanScale, server: &mut BTreeMap<String, String>) {
    Reduction { scale, axes: BTreeMap::new() }.memory("server", server);
}

/// The smallest value of a field, if it is reduced.
fn least(name: &str, catalog: &Catalog) -> Option<u64> {
    if let Some((_, least)) = DURATIONS.iter().find(|(duration, _)| *duration == name) {
        return Some(*least);
    }
    match name.split_once('.')? {
        ("server", variable) => MEMORY.contains(&variable).then_some(LEAST_MEMORY),
        ("targets", rest) => {
            rest.split_once(".server.").is_some_and(|(_, variable)| MEMORY.contains(&variable)).then_some(LEAST_MEMORY)
        }
        ("load", "operations" | "operations_per_client") => Some(1),
        ("load", option) if catalog.counts().any(|counted| counted == option) => Some(1),
        (_, option) => catalog.sizes.iter().find(|size| size.option == option).map(|size| size.least),
    }
}

/// A value of a field: milliseconds, bytes or a number.
fn amount(name: &str, text: &str) -> Option<u64> {
    if DURATIONS.iter().any(|(duration, _)| *duration == name) {
        return units::duration_ms(text).ok();
    }
    units::binary_size(text).or_else(|| units::bytes(text).ok())
}

/// A value in the form in which the field had `text`.
fn written(name: &str, text: &str, value: u64) -> String {
    if DURATIONS.iter().any(|(duration, _)| *duration == name) {
        return units::write_duration(value);
    }
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let unit = units.into_iter().find(|(_, bits)| value > 0 && value.trailing_zeros() >= *bits);
    match unit.filter(|_| text.parse::<u64>().is_err()) {
        Some((unit, bits)) => format!("{}{unit}", value >> bits),
        // A size given with a unit needs no single bytes.
        None if text.parse::<u64>().is_err() && value > 1 << 20 => format!("{}MiB", value.div_ceil(1 << 20)),
        None => value.to_string(),
    }
}

fn once(value: u64, scale: PlanScale, least: u64) -> u64 {
    reduced(&BTreeSet::from([value]), scale, least).first().copied().unwrap_or(value)
}

/// Reduces values, in their order: none below `least` unless it was, none more than it was, and none equal to another.
fn reduced(values: &BTreeSet<u64>, scale: PlanScale, least: u64) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::with_capacity(values.len());
    let mut before: Option<(u64, u64)> = None;
    for &value in values {
        let scaled = (value as f64 * scale.factor()).round() as u64;
        let apart = before.map_or(0, |(was, is)| is + (value - was).min(least.max(1)));
        let is = scaled.max(value.min(least)).max(apart);
        before = Some((value, is));
        all.push(is);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64], scale: f64, least: u64) -> Vec<u64> {
        reduced(&values.iter().copied().collect(), PlanScale(scale), least)
    }

    #[test]
    fn values_shrink_and_still_differ() {
        assert_eq!(of(&[100, 250, 500], 0.001, 1), [1, 2, 3]);
        assert_eq!(of(&[100, 250, 500], 0.1, 1), [10, 25, 50]);
        assert_eq!(of(&[60_000, 300_000], 0.001, 1000), [1000, 2000]);
        assert_eq!(of(&[0, 10, 20], 0.001, 100), [0, 10, 20]);
        assert_eq!(of(&[40_000_000], 0.001, 100), [40_000]);
    }

    #[test]
    fn a_value_keeps_its_form() {
        let one = |name: &str, text: &str, least| {
            let reduction = Reduction { scale: PlanScale(0.001), axes: BTreeMap::new() };
            let mut text = text.to_owned();
            reduction.text(&[name], &mut text, least);
            text
        };
        assert_eq!(one("server.innodb_buffer_pool_size", "64GiB", LEAST_MEMORY), "66MiB");
        assert_eq!(one("server.innodb_buffer_pool_size", "1G", LEAST_MEMORY), "32MiB");
        assert_eq!(one("server.innodb_buffer_pool_size", "70%", LEAST_MEMORY), "70%");
        assert_eq!(one("measure", "2h", LEAST_MEASURE_MS), "7200ms");
        assert_eq!(one("dataset.table_size", "10000000", 100), "10000");
    }

    #[test]
    fn a_scale_is_a_part() {
        assert_eq!(PlanScale::parse("0.001").map(PlanScale::factor), Ok(0.001));
        for text in ["0", "1", "1.5", "-0.1", "NaN", "inf", "", "1%"] {
            assert!(PlanScale::parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_value_grows_and_none_equals_another(
            values in proptest::collection::btree_set(0..1_000_000_000u64, 1..50), scale in 0.000_001..0.999, least in 0..10_000u64,
        ) {
            let small = reduced(&values, PlanScale(scale), least);
            prop_assert!(small.windows(2).all(|pair| pair[0] < pair[1]), "{small:?}");
            prop_assert!(small.iter().zip(&values).all(|(small, value)| small <= value));
        }
    }
}
