//! Compares two targets: ratios over pairs of trials, with their confidence intervals, and what can be concluded from
//! them.

use crate::statistics::{self, Confidence};
use crate::summary::{Summary, TrialResult, label};
use crate::tpcc;
use std::collections::BTreeMap;

/// Half the width of an interval up to which "no difference larger than" is reported: 5 %.
pub const NARROW: f64 = 0.05;

/// The comparison of two targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The slower, or first named.
    pub a: String,
    /// The faster.
    pub b: String,
    /// What is compared.
    pub measure: Measure,
    /// Throughput of `b` over that of `a`, over all cells.
    pub ratio: f64,
    /// Its 95 % interval, from the spread between repeats; `None` with one repeat.
    pub confidence: Option<Confidence>,
    /// The same per cell, in cell order, each from its own pairs only.
    pub cells: Vec<CellRatio>,
    /// The number of pairs.
    pub pairs: usize,
    /// How many more repeats of everything would narrow the interval to ± [`NARROW`], if the spread of repeats remains
    /// the same; `None` with one repeat.
    pub more_repeats: Option<usize>,
}

/// The figure that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Completed transactions per second.
    Transactions,
    /// Completed New-Orders per minute, if all trials have the workload `tpcc`.
    NewOrders,
}

/// The ratio in one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct CellRatio {
    /// The cell's number.
    pub cell: u32,
    /// Its matrix values as one label, by the plan's keys.
    pub label: String,
    /// Its matrix values.
    pub axes: Vec<(String, String)>,
    /// Throughput of `b` over that of `a`.
    pub ratio: f64,
    /// Its 95 % interval; `None` with one pair.
    pub confidence: Option<Confidence>,
    /// The number of pairs.
    pub pairs: usize,
}

/// What can be concluded from the interval of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Comparable {
    /// It lies entirely above 1.
    Faster,
    /// It lies entirely below 1.
    Slower,
    /// It contains 1 and is narrow: no difference larger than this share.
    Alike {
        /// The largest difference that it contains, as a share: 0.03 for 3 %.
        within: f64,
    },
    /// It contains 1 and is wide: no conclusion is possible.
    Unclear,
    /// There is no interval: one pair.
    Chance,
}

/// What can be concluded from the interval.
pub fn reading(confidence: Option<Confidence>) -> Comparable {
    match confidence {
        None => Comparable::Chance,
        Some(i) if i.low > 1.0 => Comparable::Faster,
        Some(i) if i.high < 1.0 => Comparable::Slower,
        Some(i) => {
            let within = (i.high - 1.0).max(1.0 - i.low);
            if within <= NARROW { Comparable::Alike { within } } else { Comparable::Unclear }
        }
    }
}

/// One cell's matrix values and its pairs of throughputs.
type Pairs<'t> = (&'t [(String, String)], Vec<(f64, f64)>);

/// Compares target `b` with target `a` over all cells of an experiment in which both were measured; pairs have equal
/// `(cell, repeat)`.
pub fn compare(summary: &Summary, experiment: &str, a: &str, b: &str) -> Option<Comparison> {
    let measured = |name: &str| -> BTreeMap<(u32, u32), &TrialResult> {
        let of_experiment = summary.trials.iter().filter(|t| t.trial.experiment == experiment && t.counts());
        let of_target = of_experiment.filter(|t| t.trial.target.name == name);
        of_target.map(|t| ((t.trial.cell, t.trial.repeat), t)).collect()
    };
    let (of_a, of_b) = (measured(a), measured(b));
    let tpcc = of_a.values().chain(of_b.values()).all(|t| tpcc::new_orders_per_minute(t).is_some());
    let measure = if tpcc { Measure::NewOrders } else { Measure::Transactions };
    let figure = |t: &TrialResult| match measure {
        Measure::NewOrders => tpcc::new_orders_per_minute(t).unwrap_or(0.0),
        Measure::Transactions => t.tps(),
    };
    let mut pairs: BTreeMap<u32, Pairs<'_>> = BTreeMap::new();
    for (key, first) in &of_a {
        if let Some(second) = of_b.get(key) {
            let entry = pairs.entry(key.0).or_insert_with(|| (&first.trial.axes, Vec::new()));
            entry.1.push((figure(first), figure(second)));
        }
    }
    let all: Vec<Vec<(f64, f64)>> = pairs.values().map(|(_, p)| p.clone()).collect();
    let (ratio, confidence) = statistics::paired_ratio(&all)?;
    let fewest = all.iter().map(Vec::len).min().unwrap_or(0);
    let more_repeats = statistics::pooled_deviation(&all)
        .map(|deviation| statistics::repeats_for(deviation, all.len(), (1.0 + NARROW).ln()).saturating_sub(fewest));
    let of_cell = |(cell, (axes, p)): (u32, Pairs<'_>)| {
        let pairs = p.len();
        let (ratio, confidence) = statistics::paired_ratio(&[p])?;
        Some(CellRatio { cell, label: label(axes), axes: axes.to_vec(), ratio, confidence, pairs })
    };
    Some(Comparison {
        a: a.to_owned(),
        b: b.to_owned(),
        measure,
        ratio,
        confidence,
        cells: pairs.into_iter().filter_map(of_cell).collect(),
        pairs: all.iter().map(Vec::len).sum(),
        more_repeats,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_read_for_what_it_holds() {
        let read = |low, high| reading(Some(Confidence { value: 1.0, low, high }));
        assert_eq!(read(1.001, 1.2), Comparable::Faster);
        assert_eq!(read(0.5, 0.999), Comparable::Slower);
        assert!(matches!(read(0.97, 1.01), Comparable::Alike { within } if (within - 0.03).abs() < 1e-9));
        assert_eq!(read(0.94, 1.01), Comparable::Unclear);
        assert_eq!(reading(None), Comparable::Chance);
    }
}
