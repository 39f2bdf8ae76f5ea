//! The figures that are drawn of each cell: throughput, or New-Orders per minute where these are the answer, and response times.

use super::context::PageContext;
use tenbin_model::repeats;
use tenbin_model::statistics::{self, Confidence};
use tenbin_model::summary::{Cell, TrialResult};
use tenbin_model::tally::TransactionTally;
use tenbin_verdict::tpcc_result;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A figure that is drawn.
pub(super) struct Kind {
    pub title: Message,
    pub unit: &'static str,
    /// Of a trial.
    pub of_trial: fn(&TrialResult) -> f64,
    /// Of the merged tally of a cell; `None`: the mean of the repeats.
    pub of_cell: Option<fn(&TransactionTally) -> f64>,
}

impl Kind {
    /// The values of the repeats of a cell.
    pub fn repeats(&self, m: &PageContext<'_>, cell: &Cell) -> Vec<f64> {
        cell.trials.iter().filter_map(|n| m.summary.trial(*n)).map(self.of_trial).collect()
    }

    /// The value of a cell, and the interval of the mean of its repeats.
    pub fn of(&self, cell: &Cell, repeats: &[f64]) -> (f64, Option<Confidence>) {
        match self.of_cell {
            Some(of) => (of(&cell.tally.all_starts()), None),
            None => (statistics::mean(repeats).unwrap_or(0.0), repeats::interval(repeats, cell.share)),
        }
    }
}

/// What is drawn: throughput, or New-Orders per minute where these are the answer, and response times.
pub(super) fn kinds(m: &PageContext<'_>, cells: &[Cell]) -> [Kind; 4] {
    let main = match cells.iter().any(|cell| tpcc_result::result(m.summary, cell).is_some()) {
        true => Kind {
            title: msg!("unit-new-orders-per-minute"),
            unit: "NOPM",
            of_trial: |t| tpcc_result::new_orders_per_minute(t).unwrap_or_default(),
            of_cell: None,
        },
        false => Kind { title: msg!("chart-throughput"), unit: "TPS", of_trial: TrialResult::tps, of_cell: None },
    };
    let time = |title, of_trial, of_cell| Kind { title, unit: "ms", of_trial, of_cell: Some(of_cell) };
    [
        main,
        time(msg!("chart-mean"), |t| mean_ms(&t.tally.all_starts()), mean_ms),
        time(msg!("chart-p95"), |t| p95_ms(&t.tally.all_starts()), p95_ms),
        time(msg!("chart-p99"), |t| p99_ms(&t.tally.all_starts()), p99_ms),
    ]
}

fn mean_ms(t: &TransactionTally) -> f64 {
    t.response.mean_ns() / 1e6
}

fn p95_ms(t: &TransactionTally) -> f64 {
    t.response.quantile_ns(0.95) as f64 / 1e6
}

fn p99_ms(t: &TransactionTally) -> f64 {
    t.response.quantile_ns(0.99) as f64 / 1e6
}
