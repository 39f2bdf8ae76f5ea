//! The figures in which cells and targets are compared, as the page's card and the terminal show them.

use std::borrow::Cow;
use tenbin_model::axis::TARGET;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::tally::TransactionTally;
use tenbin_verdict::answer::ends;
use tenbin_verdict::comparison::{CellRatio, Comparable, Comparison, reading};
use tenbin_verdict::contender;
use tenbin_verdict::judged::{self, Judged};
use tenbin_verdict::question::{self, TimesOf};
use tenbin_verdict::seconds_needed;
use tenbin_verdict::tpcc_result;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The response times of a cell that are compared: of TPC-C those of New-Orders.
pub fn times(summary: &Summary, cell: &Cell) -> Histogram {
    transactions(summary, cell).response
}

/// The transactions whose times these are.
pub fn transactions(summary: &Summary, cell: &Cell) -> TransactionTally {
    times_of(summary, cell).in_tally(&cell.tally)
}

/// Whose times these are.
fn times_of(summary: &Summary, cell: &Cell) -> TimesOf {
    first_trial(summary, cell).map_or(TimesOf::All, TimesOf::trial)
}

/// A figure of a cell; times in milliseconds.
pub fn value(summary: &Summary, cell: &Cell, figure: Figure) -> Option<f64> {
    match figure {
        Figure::Transactions => per_second(summary, cell),
        Figure::Queries => queries(summary, cell),
        Figure::NewOrders => tpcc_result::result(summary, cell).map(|result| result.nopm),
        Figure::Seconds => seconds_needed::of_cell(summary, cell).map(|needed| needed.mean),
        Figure::Mean | Figure::Percentile(_) => {
            Some(times(summary, cell)).filter(|t| t.count() > 0).map(|t| figure.of_times(&t) / 1e6)
        }
    }
}

/// Transactions per second of a cell: the mean of its repeats, but of those that ask for seconds their statements over these.
pub fn per_second(summary: &Summary, cell: &Cell) -> Option<f64> {
    let needed = seconds_needed::of_cell(summary, cell);
    needed.map_or_else(|| statistics::mean(&cell.tps), |needed| Some(needed.per_second()))
}

/// Statements per second of a cell, likewise; `None` if none were counted.
pub fn queries(summary: &Summary, cell: &Cell) -> Option<f64> {
    let Some(needed) = seconds_needed::of_cell(summary, cell) else { return cell.mean_qps() };
    let each = cell.tally.executed() as f64 / cell.tally.accounting.completed.max(1) as f64;
    Some(needed.per_second() * each).filter(|qps| *qps > 0.0)
}

/// A figure of both sides of a ratio, base first: of the trials of its pairs, which may be fewer than those of the cell.
pub fn of_pairs(summary: &Summary, r: &CellRatio, figure: Figure) -> Option<[f64; 2]> {
    let [a, b] = sides(summary, r)?;
    Some([value(summary, &a, figure)?, value(summary, &b, figure)?])
}

/// The trials of both sides of a ratio as cells.
fn sides<'s>(summary: &'s Summary, r: &CellRatio) -> Option<[Cow<'s, Cell>; 2]> {
    let side = |numbers: &Vec<u32>| match summary.cells().iter().find(|cell| cell.trials == *numbers) {
        Some(cell) => Some(Cow::Borrowed(cell)),
        None => judged::of_trials(summary, numbers).map(Cow::Owned),
    };
    let [a, b] = &r.trials;
    Some([side(a)?, side(b)?])
}

/// The ratio of statements per second over all cells of a comparison, from the same pairs; with those of both, base first, if there is one cell.
/// Where each transaction has as many statements it is that of transactions. `None` if they are not counted, and where one ratio would
/// describe no cell.
pub fn queries_of_pairs(summary: &Summary, c: &Comparison) -> Option<(f64, Option<[f64; 2]>)> {
    let of_cell = |r: &CellRatio| {
        let [a, b] = sides(summary, r)?;
        let queries = b.log_qps()? - a.log_qps()?;
        Some(match c.figure {
            Figure::Transactions => r.ratio.ln() + queries - (b.log_tps()? - a.log_tps()?),
            _ => queries,
        })
    };
    let logs: Vec<f64> = c.cells.iter().map(of_cell).collect::<Option<_>>()?;
    let both = match c.cells.as_slice() {
        [only] => Some(of_pairs(summary, only, Figure::Queries)?),
        _ => None,
    };
    (!is_by_cell(c)).then_some((statistics::mean(&logs)?.exp(), both))
}

/// Whether one ratio would describe no cell, or nothing says whether it does.
pub fn is_by_cell(c: &Comparison) -> bool {
    c.cells_differ == Some(true) || (c.confidence.is_none() && c.cells.len() > 1)
}

/// How far the ratios of cells lie apart, where one ratio would describe none of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellRange {
    /// The lowest ratio of the cells in which the runs show a difference; of all cells, if they show one in none.
    pub low: f64,
    /// The highest of these.
    pub high: f64,
    /// In how many cells they show one.
    pub shown: usize,
    /// How many cells there are, with those in which nothing is compared.
    pub all: usize,
}

impl CellRange {
    /// That of a comparison.
    pub fn of(c: &Comparison) -> CellRange {
        let is_shown =
            |cell: &&CellRatio| matches!(reading(c.interval_of(cell)), Comparable::Higher | Comparable::Lower);
        let shown: Vec<&CellRatio> = c.cells.iter().filter(is_shown).collect();
        let spoken_of = if shown.is_empty() { c.cells.iter().collect() } else { shown.clone() };
        let ratios = spoken_of.iter().map(|cell| cell.ratio);
        let (low, high) = ratios.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), r| (low.min(r), high.max(r)));
        CellRange { low, high, shown: shown.len(), all: c.cells.len() + c.uncompared() }
    }

    /// `1.20–1.54×`.
    pub fn text(&self) -> String {
        let [low, high] = ends(self.low, self.high);
        if low == high { format!("{low}×") } else { format!("{low}–{high}×") }
    }

    /// In which part of the cells a difference is shown, if that is not all.
    pub fn part(&self) -> Option<Message> {
        match self.shown {
            0 => Some(msg!("shown-in-no-cell")),
            n if n < self.all => Some(msg!("shown-in-cells", n, all = self.all)),
            _ => None,
        }
    }
}

/// Whether a cell is of this one of what is compared: a target, a value of an axis, or a stored run.
pub fn is_of(summary: &Summary, cell: &Cell, named: &str) -> bool {
    first_trial(summary, cell).is_some_and(|t| contender::name(t) == named)
}

/// Whether a cell is among those that are compared at these values of the matrix.
pub fn is_at(summary: &Summary, cell: &Cell, axes: &[(String, String)]) -> bool {
    let is_target = |(key, _): &&(String, String)| key == TARGET;
    first_trial(summary, cell).is_some_and(|t| match contender::shared(t) {
        None => cell.axes == axes,
        Some((target, rest)) => {
            let of_target = axes.iter().find(is_target).is_none_or(|(_, name)| name == target);
            of_target && axes.iter().filter(|axis| !is_target(axis)).eq(rest.iter())
        }
    })
}

fn first_trial<'s>(summary: &'s Summary, cell: &Cell) -> Option<&'s TrialResult> {
    let number = cell.trials.first().or(cell.left_out.first())?;
    summary.trial(*number)
}

/// What a figure of these cells is, or a ratio of it, as the card has it: whose times are meant, and whose throughput, if not all have the same.
pub fn named(summary: &Summary, cells: &[&Cell], figure: Figure) -> Message {
    let percentile = figure.code();
    let is_given = throughput_of(summary, cells).is_some();
    match (figure, whose(summary, cells)) {
        (Figure::Transactions, _) if is_given => msg!("card-transactions-without-rate"),
        (Figure::Transactions, _) => msg!("card-transactions"),
        (Figure::Queries, _) if is_given => msg!("card-queries-without-rate"),
        (Figure::Queries, _) => msg!("card-queries"),
        (Figure::NewOrders, _) => msg!("card-new-orders"),
        (Figure::Seconds, _) => msg!("card-seconds"),
        (Figure::Mean, TimesOf::NewOrders) => msg!("card-mean-of-new-orders"),
        (Figure::Mean, TimesOf::AllGroups) => msg!("card-mean-of-groups"),
        (Figure::Mean, TimesOf::All) => msg!("card-mean"),
        (Figure::Percentile(_), TimesOf::NewOrders) => msg!("card-percentile-of-new-orders", percentile),
        (Figure::Percentile(_), TimesOf::AllGroups) => msg!("card-percentile-of-groups", percentile),
        (Figure::Percentile(_), TimesOf::All) => msg!("card-percentile", percentile),
    }
}

/// Whose response times are those of these cells, of which some may be of other loads than the others.
fn whose(summary: &Summary, cells: &[&Cell]) -> TimesOf {
    let of = cells.iter().map(|cell| times_of(summary, cell));
    let is_special = |of: &TimesOf| *of != TimesOf::All;
    of.clone().find(|of| *of == TimesOf::NewOrders).or(of.clone().find(is_special)).unwrap_or(TimesOf::All)
}

/// The same beside a title: `99th percentile of response time: New-Orders`.
pub fn titled(title: Message, summary: &Summary, cells: &[&Cell]) -> Message {
    let are_orders = || cells.iter().all(|cell| times_of(summary, cell) == TimesOf::NewOrders);
    of(
        title,
        match whose(summary, cells) {
            TimesOf::NewOrders if !are_orders() => Some(msg!("times-of-orders-among-others")),
            whose => whose.words(),
        },
    )
}

/// Whose throughput is that of these cells, if some groups of their clients have a rate.
pub fn throughput_of(summary: &Summary, cells: &[&Cell]) -> Option<Message> {
    let mut trials = cells.iter().filter_map(|cell| first_trial(summary, cell));
    trials.find_map(|t| question::throughput_of(&t.trial.load))
}

/// The title of times that are drawn interval by interval: `99th percentile over time: New-Orders`.
pub fn titled_times<'t>(title: Message, trials: impl IntoIterator<Item = &'t TrialResult>) -> Message {
    of(title, trials.into_iter().find_map(|t| TimesOf::trial(t).words()))
}

/// The title of transactions that are drawn interval by interval, which are those of all clients: `Throughput over time: all groups together`.
pub fn titled_throughput<'t>(title: Message, trials: impl IntoIterator<Item = &'t TrialResult>) -> Message {
    let words = trials.into_iter().find_map(|t| match TimesOf::trial(t) {
        TimesOf::NewOrders => Some(msg!("times-of-all-types")),
        other => other.words(),
    });
    of(title, words)
}

/// A title, and of whom that is, if that needs to be said.
pub fn of(title: Message, whom: Option<Message>) -> Message {
    match whom {
        Some(whom) => msg!("chart-of-whom", title, whom),
        None => title,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::statistics::Confidence;
    use tenbin_words::message::foreign;

    /// Cells with these ratios and intervals, which differ.
    fn cells(all: &[(f64, f64, f64)]) -> Comparison {
        let cell = |(at, (value, low, high)): (usize, &(f64, f64, f64))| {
            let confidence = Some(Confidence { value: *value, low: *low, high: *high });
            let axes = vec![("load.clients".to_owned(), at.to_string())];
            let (label, trials) = (String::new(), Default::default());
            CellRatio {
                cell: at as u32,
                label,
                axes,
                ratio: *value,
                confidence,
                among_cells: confidence,
                pairs: 3,
                trials,
            }
        };
        Comparison {
            a: "a".to_owned(),
            b: "b".to_owned(),
            words: [foreign("a"), foreign("b")],
            along: None,
            figure: Figure::Percentile(990),
            ratio: 0.8,
            confidence: Some(Confidence { value: 0.8, low: 0.6, high: 1.1 }),
            cells: all.iter().enumerate().map(cell).collect(),
            of_one_only: Default::default(),
            unpaired: Vec::new(),
            cells_differ: Some(true),
            pairs: 9,
            freedom: 6,
            duet: None,
            more_repeats: None,
        }
    }

    /// A ratio of 1.30 whose interval reaches from 0.70 to 2.40 is none that the runs show.
    #[test]
    fn a_range_of_cells_is_of_those_in_which_a_difference_is_shown() {
        let [shorter, little, open] = [(0.5, 0.4, 0.6), (0.8, 0.7, 0.9), (1.3, 0.7, 2.4)];
        let of = |all: &[(f64, f64, f64)]| {
            let range = CellRange::of(&cells(all));
            (range.text(), range.part().map_or_else(String::new, |part| part.english().to_owned()))
        };
        let expected = |text: &str, part: &str| (text.to_owned(), part.to_owned());
        assert_eq!(of(&[shorter, little, open]), expected("0.50–0.80×", "shown in 2 of 3 cells"));
        assert_eq!(of(&[shorter, open, open]), expected("0.50×", "shown in 1 of 3 cells"));
        assert_eq!(of(&[shorter, little]), expected("0.50–0.80×", ""));
        assert_eq!(of(&[open, (0.9, 0.5, 1.6)]), expected("0.90–1.30×", "shown in no cell"));
    }
}
