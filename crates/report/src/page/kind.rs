//! The figures that are drawn of each cell: throughput, or New-Orders per minute or seconds where these are the answer, and response
//! times. One that was not measured is not drawn.

use super::context::PageContext;
use crate::figures::{self, throughput_of, titled, value};
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::repeats;
use tenbin_model::statistics::{self, Confidence};
use tenbin_model::summary::Cell;
use tenbin_verdict::counting;
use tenbin_verdict::question;
use tenbin_verdict::seconds_needed;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A figure that is drawn.
pub(super) struct Kind {
    pub title: Message,
    pub unit: &'static str,
    pub figure: Figure,
}

impl Kind {
    /// Whether it is a response time: of a cell that of the merged histograms of its repeats, and not the mean of theirs.
    pub fn is_of_times(&self) -> bool {
        matches!(self.figure, Figure::Mean | Figure::Percentile(_))
    }

    /// The values of the repeats of a cell.
    pub fn repeats(&self, m: &PageContext<'_>, cell: &Cell) -> Vec<f64> {
        let trials = cell.trials.iter().filter_map(|n| m.summary.trial(*n));
        let shown = |value: f64| if self.is_of_times() { value / 1e6 } else { value };
        trials.filter_map(|t| question::of_one_run(self.figure, t)).map(shown).collect()
    }

    /// The value of a cell, and the interval of the mean of its repeats; `None` if nothing was measured.
    pub fn of(&self, m: &PageContext<'_>, cell: &Cell, repeats: &[f64]) -> Option<(f64, Option<Confidence>)> {
        match self.is_of_times() {
            true => Some((value(m.summary, cell, self.figure)?, None)),
            false => {
                let least = counting::of_cell(m.summary, cell, self.figure);
                Some((statistics::mean(repeats)?, repeats::interval(repeats, least, cell.share)))
            }
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
            () if all(&|cell| counts_orders(m, cell)) => MainFigure::NewOrders,
            () if all(&|cell| seconds_needed::of_cell(m.summary, cell).is_some()) => MainFigure::Seconds,
            () => MainFigure::Throughput,
        }
    }
}

fn counts_orders(m: &PageContext<'_>, cell: &Cell) -> bool {
    let first = cell.trials.first().and_then(|number| m.summary.trial(*number));
    first.is_some_and(|t| Question::of(t).has(Figure::NewOrders))
}

/// What is drawn of these cells, of which this is the answer: this, and response times.
pub(super) fn kinds(m: &PageContext<'_>, main: MainFigure, cells: &[&Cell]) -> [Kind; 4] {
    let (title, figure) = match main {
        MainFigure::NewOrders => (msg!("unit-new-orders-per-minute"), Figure::NewOrders),
        MainFigure::Seconds => (msg!("chart-seconds-needed"), Figure::Seconds),
        MainFigure::Throughput => {
            (figures::of(msg!("chart-throughput"), throughput_of(m.summary, cells)), Figure::Transactions)
        }
    };
    let kind = |title, figure: Figure| Kind { title, unit: figure.unit(), figure };
    let time = |title, figure| kind(titled(title, m.summary, cells), figure);
    [
        kind(title, figure),
        time(msg!("chart-mean"), Figure::Mean),
        time(msg!("chart-p95"), Figure::Percentile(950)),
        time(msg!("chart-p99"), Figure::Percentile(990)),
    ]
}
