//! The figures that are drawn of each cell: throughput, or New-Orders per minute or seconds where these are the answer, and response
//! times. One that was not measured is not drawn.

use super::context::PageContext;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::repeats;
use tenbin_model::statistics::{self, Confidence};
use tenbin_model::summary::{Cell, TrialResult};
use tenbin_model::tally::TransactionTally;
use tenbin_verdict::question;
use tenbin_verdict::seconds_needed;
use tenbin_verdict::tpcc_result;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A figure that is drawn.
pub(super) struct Kind {
    pub title: Message,
    pub unit: &'static str,
    /// Of a trial.
    pub of_trial: fn(&TrialResult) -> Option<f64>,
    /// Of the merged tally of a cell; `None`: the mean of the repeats.
    pub of_cell: Option<fn(&TransactionTally) -> Option<f64>>,
}

impl Kind {
    /// The values of the repeats of a cell.
    pub fn repeats(&self, m: &PageContext<'_>, cell: &Cell) -> Vec<f64> {
        cell.trials.iter().filter_map(|n| m.summary.trial(*n)).filter_map(self.of_trial).collect()
    }

    /// The value of a cell, and the interval of the mean of its repeats; `None` if nothing was measured.
    pub fn of(&self, cell: &Cell, repeats: &[f64]) -> Option<(f64, Option<Confidence>)> {
        match self.of_cell {
            Some(of) => Some((of(&cell.tally.all_starts())?, None)),
            None => Some((statistics::mean(repeats)?, repeats::interval(repeats, cell.share))),
        }
    }
}

/// The figure that is the answer of cells that are drawn together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MainFigure {
    /// All that were measured are of TPC-C.
    NewOrders,
    /// All that were measured ask for the time that fixed numbers of statements take.
    Seconds,
    Throughput,
}

impl MainFigure {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [MainFigure; 3] = [MainFigure::NewOrders, MainFigure::Seconds, MainFigure::Throughput];

    /// That of these cells.
    pub fn of<'c>(m: &PageContext<'_>, cells: impl IntoIterator<Item = &'c Cell>) -> MainFigure {
        let measured: Vec<&Cell> = cells.into_iter().filter(|cell| !cell.tps.is_empty()).collect();
        let all = |is_of: &dyn Fn(&Cell) -> bool| !measured.is_empty() && measured.iter().all(|cell| is_of(cell));
        match () {
            () if all(&|cell| tpcc_result::result(m.summary, cell).is_some()) => MainFigure::NewOrders,
            () if all(&|cell| seconds_needed::of_cell(m.summary, cell).is_some()) => MainFigure::Seconds,
            () => MainFigure::Throughput,
        }
    }
}

/// What is drawn of cells of which this is the answer: this, and response times.
pub(super) fn kinds(main: MainFigure) -> [Kind; 4] {
    let main = match main {
        MainFigure::NewOrders => Kind {
            title: msg!("unit-new-orders-per-minute"),
            unit: "NOPM",
            of_trial: tpcc_result::new_orders_per_minute,
            of_cell: None,
        },
        MainFigure::Seconds => Kind {
            title: msg!("chart-seconds-needed"),
            unit: "s",
            of_trial: |t| question::of_one_run(Figure::Seconds, t),
            of_cell: None,
        },
        MainFigure::Throughput => {
            Kind { title: msg!("chart-throughput"), unit: "TPS", of_trial: |t| Some(t.tps()), of_cell: None }
        }
    };
    let time = |title, of_trial, of_cell| Kind { title, unit: "ms", of_trial, of_cell: Some(of_cell) };
    [
        main,
        time(msg!("chart-mean"), |t| mean_ms(&t.tally.all_starts()), mean_ms),
        time(msg!("chart-p95"), |t| p95_ms(&t.tally.all_starts()), p95_ms),
        time(msg!("chart-p99"), |t| p99_ms(&t.tally.all_starts()), p99_ms),
    ]
}

fn mean_ms(t: &TransactionTally) -> Option<f64> {
    in_ms(t, Histogram::mean_ns)
}

fn p95_ms(t: &TransactionTally) -> Option<f64> {
    in_ms(t, |times| times.quantile_ns(0.95) as f64)
}

fn p99_ms(t: &TransactionTally) -> Option<f64> {
    in_ms(t, |times| times.quantile_ns(0.99) as f64)
}

fn in_ms(t: &TransactionTally, of: fn(&Histogram) -> f64) -> Option<f64> {
    (t.response.count() > 0).then(|| of(&t.response) / 1e6)
}
