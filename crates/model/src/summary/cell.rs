//! All repeats of one cell on one target, as one result.

use crate::doubt::{Doubt, Verdict};
use crate::standstill::Standstill;
use crate::statistics;
use crate::tally::Tally;

/// All repeats of one cell on one target.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The cell's number.
    pub cell: u32,
    /// The target's name.
    pub target: String,
    /// The name of its experiment.
    pub experiment: String,
    /// Its matrix values, after its experiment if the plan has several.
    pub axes: Vec<(String, String)>,
    /// Numbers of its trials that are included in the figures, by repeat.
    pub trials: Vec<u32>,
    /// Numbers of its trials that are INVALID and excluded from the cell's figures.
    pub left_out: Vec<u32>,
    /// Completed per second of each included repeat.
    pub tps: Vec<f64>,
    /// Completed statements per second of each included repeat.
    pub qps: Vec<f64>,
    /// The share of the chance of being wrong that its intervals have: 1, or less if its repeats ended when enough was known.
    pub share: f64,
    /// The merged counts of these repeats; percentiles of a cell are computed from them, never by averaging.
    pub tally: Tally,
    /// Counts of all started trials, including excluded ones, for the list of errors.
    pub begun: Tally,
    /// The longest standstill in one of the included trials, if it is a doubt.
    pub standstill: Option<Standstill>,
    /// The doubts about its repeats as a whole.
    pub doubts: Vec<Doubt>,
    /// The worst verdict of its trials and of these doubts.
    pub verdict: Verdict,
}

impl Cell {
    /// Completed statements per second, the mean of the repeats; `None` if no statements were counted.
    pub fn mean_qps(&self) -> Option<f64> {
        statistics::mean(&self.qps).filter(|qps| *qps > 0.0)
    }

    /// The axes of these cells, in the order of first use. Experiments of one plan may have different ones.
    pub fn axis_keys(cells: &[Cell]) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        for (key, _) in cells.iter().flat_map(|cell| &cell.axes) {
            if !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
        keys
    }

    /// Its value on an axis; `–` if its experiment does not have the axis.
    pub fn axis_value(&self, key: &str) -> &str {
        self.axes.iter().find(|(name, _)| name == key).map_or("–", |(_, value)| value)
    }
}
