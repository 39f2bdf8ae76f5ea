//! Compares two targets: ratios over pairs of trials, with their confidence intervals, and what can be concluded from
//! them.

use crate::counted;
use crate::histogram::Histogram;
use crate::question::{Figure, Question};
use crate::statistics::{self, ALPHA, Confidence, LogRatio};
use crate::summary::{Summary, TrialResult, label};
use crate::tpcc::TransactionType;
use crate::trial::Schedule;
use std::collections::BTreeMap;

/// Half the width of an interval up to which "no difference larger than" is reported: 5 %.
pub const NARROW: f64 = 0.05;

/// The smallest difference between cells that is spoken of: 2 %.
const NOTABLE: f64 = 0.02;

/// The chance of a wrong "the cells differ": lower than [`ALPHA`], because what is then said of single cells is another claim.
const ALPHA_OF_CELLS: f64 = 0.01;

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct Comparing<'p> {
    /// The experiment.
    pub experiment: &'p str,
    /// The trials of it that ask this.
    pub question: Question,
    /// The figure.
    pub figure: Figure,
    /// The number of comparisons that stand side by side: their intervals are wider, so that all of them together err with the
    /// chance of one (Bonferroni).
    pub comparisons: usize,
}

/// The comparison of two targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The base.
    pub a: String,
    /// The other.
    pub b: String,
    /// What is compared.
    pub figure: Figure,
    /// The figure of `b` over that of `a`, over all cells.
    pub ratio: f64,
    /// Its 95 % interval, from the spread between repeats; `None` with one repeat.
    pub confidence: Option<Confidence>,
    /// The same per cell, in cell order, each from its own pairs; see [`statistics::ratio_in_cell`] for the spread between them.
    pub cells: Vec<CellRatio>,
    /// Whether the ratio differs between cells by more than the spread between repeats explains; `None` if that cannot be
    /// said: with one cell, or one repeat. One ratio for all cells would then describe none of them.
    pub cells_differ: Option<bool>,
    /// The number of pairs.
    pub pairs: usize,
    /// How many more repeats of everything would narrow the interval to ± [`NARROW`], if the spread of repeats remains
    /// the same; `None` with one repeat.
    pub more_repeats: Option<usize>,
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
    /// The figure of `b` over that of `a`.
    pub ratio: f64,
    /// Its 95 % interval; `None` with one pair.
    pub confidence: Option<Confidence>,
    /// The same if all cells are spoken of together: wider, so that all claims together err with the chance of one.
    pub among_cells: Option<Confidence>,
    /// The number of pairs.
    pub pairs: usize,
}

/// What can be concluded from the interval of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Comparable {
    /// It lies entirely above 1.
    Higher,
    /// It lies entirely below 1.
    Lower,
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
        Some(i) if i.low > 1.0 => Comparable::Higher,
        Some(i) if i.high < 1.0 => Comparable::Lower,
        Some(i) => {
            let within = (i.high - 1.0).max(1.0 - i.low);
            if within <= NARROW { Comparable::Alike { within } } else { Comparable::Unclear }
        }
    }
}

impl Comparison {
    /// Whether the runs show a difference: over all cells, or if these differ, in one of them at least.
    pub fn shows_difference(&self) -> bool {
        let differs = |confidence| matches!(reading(confidence), Comparable::Higher | Comparable::Lower);
        match self.cells_differ {
            Some(true) => self.cells.iter().any(|cell| differs(cell.among_cells)),
            _ => differs(self.confidence),
        }
    }
}

/// The response times of a trial that are compared: of TPC-C those of New-Orders.
pub fn times(trial: &TrialResult) -> Histogram {
    let of_orders = || trial.tally.transactions.get(TransactionType::NewOrder.name()).map(|t| t.response.clone());
    match Question::of(trial) {
        Question::NewOrders => of_orders().unwrap_or_default(),
        _ => trial.tally.all_starts().response,
    }
}

/// One cell: its matrix values, and the pairs of its trials.
type Pairs<'t> = (&'t [(String, String)], Vec<(&'t TrialResult, &'t TrialResult)>);

/// Compares target `b` with target `a` over all cells in which both were measured; pairs have equal `(cell, repeat)`.
/// `None` if there are none, or the figure is zero somewhere.
pub fn compare(summary: &Summary, what: &Comparing<'_>, a: &str, b: &str) -> Option<Comparison> {
    let mut cells = Vec::new();
    let mut share: f64 = 1.0;
    for (cell, (axes, pairs)) in pairs(summary, what, a, b) {
        // That of the last look is the smallest.
        share = pairs.iter().map(|(a, _)| a.trial.share_of_look()).fold(share, f64::min);
        cells.push(CellLog { cell, axes, log: log_ratio(what.figure, times, &pairs)? });
    }
    judged(what, share, a, b, &cells)
}

/// One cell: its number, its matrix values, its ratio.
struct CellLog<'t> {
    cell: u32,
    axes: &'t [(String, String)],
    log: LogRatio,
}

/// `share`: of the chance of being wrong, which the look has at which the repeats ended.
fn judged(what: &Comparing<'_>, share: f64, a: &str, b: &str, cells: &[CellLog<'_>]) -> Option<Comparison> {
    let alpha = share * ALPHA / what.comparisons.max(1) as f64;
    let logs: Vec<LogRatio> = cells.iter().map(|cell| cell.log.clone()).collect();
    let (ratio, confidence) = statistics::pooled_ratio(&logs, alpha)?;
    let fewest = logs.iter().map(|log| log.runs.len()).min().unwrap_or(0);
    let more_repeats = statistics::pooled_deviation(&logs)
        .map(|deviation| statistics::repeats_for(deviation, logs.len(), (1.0 + NARROW).ln()).saturating_sub(fewest));
    let (lowest, highest) = logs
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| (low.min(log.centre), high.max(log.centre)));
    let notable = highest - lowest > (1.0 + NOTABLE).ln();
    let of_cell = |(at, CellLog { cell, axes, log }): (usize, &CellLog<'_>)| {
        let (ratio, confidence) = statistics::ratio_in_cell(&logs, at, alpha)?;
        let (_, among_cells) = statistics::ratio_in_cell(&logs, at, alpha / logs.len() as f64)?;
        let (cell, axes, label) = (*cell, axes.to_vec(), label(axes));
        Some(CellRatio { cell, label, axes, ratio, confidence, among_cells, pairs: log.runs.len() })
    };
    Some(Comparison {
        a: a.to_owned(),
        b: b.to_owned(),
        figure: what.figure,
        ratio,
        confidence,
        cells_differ: statistics::cells_differ(&logs, ALPHA_OF_CELLS).map(|differ| differ && notable),
        pairs: logs.iter().map(|log| log.runs.len()).sum(),
        cells: cells.iter().enumerate().filter_map(of_cell).collect(),
        more_repeats,
    })
}

/// The pairs of trials by cell.
fn pairs<'s>(summary: &'s Summary, what: &Comparing<'_>, a: &str, b: &str) -> BTreeMap<u32, Pairs<'s>> {
    let asks = |t: &&TrialResult| {
        // A load that time cut off has no seconds until its end.
        let is_whole = what.figure != Figure::Seconds || !counted::truncated(t);
        t.trial.experiment == what.experiment && t.counts() && Question::of(t) == what.question && is_whole
    };
    let measured = |name: &str| -> BTreeMap<(u32, u32), &'s TrialResult> {
        let of_target = summary.trials.iter().filter(|t| t.trial.target.name == name).filter(asks);
        of_target.map(|t| ((t.trial.cell, t.trial.repeat), t)).collect()
    };
    let (of_a, of_b) = (measured(a), measured(b));
    let mut cells: BTreeMap<u32, Pairs<'s>> = BTreeMap::new();
    for (key, first) in &of_a {
        if let Some(second) = of_b.get(key) {
            cells.entry(key.0).or_insert_with(|| (&first.trial.axes, Vec::new())).1.push((first, second));
        }
    }
    cells
}

/// The ratio of the figure in one cell. Times are those of merged histograms, never means of the runs' percentiles.
fn log_ratio(
    figure: Figure,
    times: fn(&TrialResult) -> Histogram,
    pairs: &[(&TrialResult, &TrialResult)],
) -> Option<LogRatio> {
    let of_runs: Option<Vec<(f64, f64)>> =
        pairs.iter().map(|(a, b)| Some((figure.of_run(a)?, figure.of_run(b)?))).collect();
    if let Some(runs) = of_runs {
        return LogRatio::of_pairs(&runs);
    }
    let [of_a, of_b] = [
        without_each(&pairs.iter().map(|(a, _)| times(a)).collect::<Vec<_>>()),
        without_each(&pairs.iter().map(|(_, b)| times(b)).collect::<Vec<_>>()),
    ];
    let ratio = |(a, b): (&Histogram, &Histogram)| figure.of_times(b) / figure.of_times(a);
    let without: Vec<f64> = of_a.1.iter().zip(&of_b.1).map(ratio).collect();
    LogRatio::of_merged(ratio((&of_a.0, &of_b.0)), &without)
}

/// What the pairs of trials of one cell say of a figure, times being those of all transactions: the interval of B over A errs
/// with the chance `alpha`.
pub fn of_pairs(figure: Figure, pairs: &[(&TrialResult, &TrialResult)], alpha: f64) -> Option<Confidence> {
    statistics::pooled_ratio(&[log_ratio(figure, |t| t.tally.all_starts().response, pairs)?], alpha)?.1
}

/// All merged, and all but each one merged; with one the latter is that one.
fn without_each(all: &[Histogram]) -> (Histogram, Vec<Histogram>) {
    let mut whole = Histogram::new();
    all.iter().for_each(|one| whole.merge(one));
    if all.len() < 2 {
        return (whole.clone(), vec![whole]);
    }
    let merged = |but: usize| {
        let mut rest = Histogram::new();
        all.iter().enumerate().filter(|(i, _)| *i != but).for_each(|(_, one)| rest.merge(one));
        rest
    };
    (whole, (0..all.len()).map(merged).collect())
}

/// Whether a trial kept up with the starts that fell due: all but 1 %, or as many as clients may have had in progress at the
/// end, were done. It did not if a load host was lost, with the starts that it was to make. `None` in a closed loop.
pub fn held_rate(trial: &TrialResult) -> Option<bool> {
    let Schedule::Open { .. } = trial.trial.load.schedule else { return None };
    let count = &trial.tally.accounting;
    let behind = count.scheduled.saturating_sub(count.completed + count.failed);
    let is_whole = trial.lost_hosts().next().is_none();
    Some(is_whole && behind <= (count.scheduled / 100).max(u64::from(trial.trial.load.clients)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn an_interval_is_read_for_what_it_holds() {
        let read = |low, high| reading(Some(Confidence { value: 1.0, low, high }));
        assert_eq!(read(1.001, 1.2), Comparable::Higher);
        assert_eq!(read(0.5, 0.999), Comparable::Lower);
        assert!(matches!(read(0.97, 1.01), Comparable::Alike { within } if (within - 0.03).abs() < 1e-9));
        assert_eq!(read(0.94, 1.01), Comparable::Unclear);
        assert_eq!(reading(None), Comparable::Chance);
    }

    /// Of so many simulated runs with `targets` targets the share in which a difference between the first and another one is
    /// shown. All have the same throughput but the last, which has `ratio` of it; runs differ by 3 % (standard deviation).
    fn shown(targets: usize, cells: u32, repeats: usize, ratio: f64) -> f64 {
        shown_of(targets, cells, repeats, ratio, 1.0)
    }

    /// The same, where runs of the first cell differ by so many times as much as those of the others.
    fn shown_of(targets: usize, cells: u32, repeats: usize, ratio: f64, noise: f64) -> f64 {
        const RUNS: usize = 2000;
        let mut random = SplitMix(0);
        let mut throughput = |centre: f64, noise: f64| centre * (0.03 * noise * random.normal()).exp();
        let what = Comparing {
            experiment: "e",
            question: Question::Throughput,
            figure: Figure::Transactions,
            comparisons: targets - 1,
        };
        let mut run = || {
            let speed = |target: usize| if target == targets - 1 { ratio } else { 1.0 };
            let had: Vec<Vec<Vec<f64>>> = (0..targets)
                .map(|t| {
                    let of = |cell: u32| if cell == 0 { noise } else { 1.0 };
                    (0..cells).map(|cell| (0..repeats).map(|_| throughput(speed(t), of(cell))).collect()).collect()
                })
                .collect();
            (1..targets).any(|other| {
                let cells: Vec<CellLog<'_>> = (0..cells)
                    .map(|cell| {
                        let of = |target: usize| had[target][cell as usize].iter().copied();
                        let pairs: Vec<(f64, f64)> = of(0).zip(of(other)).collect();
                        CellLog { cell, axes: &[], log: LogRatio::of_pairs(&pairs).expect("pairs") }
                    })
                    .collect();
                judged(&what, 1.0, "a", "b", &cells).expect("a comparison").shows_difference()
            })
        };
        (0..RUNS).filter(|_| run()).count() as f64 / RUNS as f64
    }

    /// What is claimed of equal targets is wrong in 5 % of all runs at most, also if there are several targets and cells.
    #[test]
    fn equal_targets_are_rarely_told_apart() {
        // 5 % and three standard errors of 2,000 runs.
        let limit = 0.05 + 3.0 * (0.05_f64 * 0.95 / 2000.0).sqrt();
        for (targets, cells, repeats) in [(2, 1, 2), (2, 1, 5), (2, 3, 2), (2, 4, 3), (3, 3, 3), (5, 1, 5), (5, 3, 2)] {
            let wrong = shown(targets, cells, repeats, 1.0);
            assert!(wrong <= limit, "{targets} targets, {cells} cells, {repeats} repeats: {wrong}");
        }
        // Cells are not alike in how much their runs differ.
        for (cells, repeats, noise) in [(9, 2, 4.0), (12, 2, 4.0), (9, 5, 2.0)] {
            let wrong = shown_of(2, cells, repeats, 1.0, noise);
            assert!(wrong <= limit, "{cells} cells, {repeats} repeats, {noise} times the noise: {wrong}");
        }
    }

    #[test]
    fn a_difference_of_a_tenth_is_found() {
        // Five repeats of runs that differ by 3 %.
        let found = shown(2, 1, 5, 1.1);
        assert!(found > 0.9, "{found}");
        assert!(shown(2, 3, 3, 1.1) > 0.95);
        assert!(shown(2, 4, 2, 1.3) > 0.95, "two repeats of four cells");
    }

    #[test]
    fn histograms_are_merged_without_each() {
        let of = |ns: u64| {
            let mut h = Histogram::new();
            h.record(ns);
            h
        };
        let (whole, rest) = without_each(&[of(1000), of(2000), of(3000)]);
        assert_eq!((whole.count(), rest.len()), (3, 3));
        assert_eq!(rest.iter().map(Histogram::count).collect::<Vec<_>>(), [2, 2, 2]);
        assert!(rest[0].min_ns() > rest[1].min_ns());
        let (whole, rest) = without_each(&[of(1000)]);
        assert_eq!((whole.count(), rest.len()), (1, 1));
    }
}
