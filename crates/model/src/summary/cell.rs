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
    /// The worst verdict of its trials and of these doubts, if any was begun ([`Cell::is_begun`]).
    pub verdict: Verdict,
}

impl Cell {
    /// Whether one of its trials was begun: a cell of which none was has no verdict.
    pub fn is_begun(&self) -> bool {
        !(self.trials.is_empty() && self.left_out.is_empty())
    }

    /// Completed statements per second, the mean of the repeats; `None` if no statements were counted.
    pub fn mean_qps(&self) -> Option<f64> {
        statistics::mean(&self.qps).filter(|qps| *qps > 0.0)
    }

    /// The same as the mean of logarithms, of which ratios of throughput are made: that of statements is then the ratio of transactions if
    /// each has as many of them. `None` also if a repeat completed nothing.
    pub fn log_qps(&self) -> Option<f64> {
        mean_of_logs(&self.qps)
    }

    /// Transactions per second as the mean of logarithms; `None` also if a repeat completed nothing.
    pub fn log_tps(&self) -> Option<f64> {
        mean_of_logs(&self.tps)
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

fn mean_of_logs(all: &[f64]) -> Option<f64> {
    let logs: Option<Vec<f64>> = all.iter().map(|x| (*x > 0.0).then(|| x.ln())).collect();
    statistics::mean(&logs?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Repeats that differ by ten times, as where a disk stalls: the means of all have another ratio than the pairs have.
    #[test]
    fn statements_have_the_ratio_of_the_transactions_that_they_are_of() {
        let (slow, quick) = ([70.0_f64, 1040.0, 930.0], [5400.0_f64, 4700.0, 5900.0]);
        let pairs = slow.iter().zip(&quick).map(|(a, b)| (b / a).ln()).sum::<f64>() / 3.0;
        let of = |tps: [f64; 3]| mean_of_logs(&tps.map(|tps| 20.0 * tps)).expect("all completed something");
        assert!((of(quick) - of(slow) - pairs).abs() < 1e-12);
        assert_eq!(mean_of_logs(&[1.0, 0.0]), None);
        assert_eq!(mean_of_logs(&[]), None);
    }
}
