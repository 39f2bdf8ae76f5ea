//! Compares two targets: ratios over pairs of trials, with their confidence intervals, and what can be concluded from
//! them.

use crate::compared_cells::Cells;
use crate::contender;
use crate::counting;
use crate::duets;
use crate::judged_trial::JudgedTrial;
use crate::question;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::compared_axis::kind_of_load;
use tenbin_model::counted;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::question::Question;
use tenbin_model::statistics::{self, ALPHA, Confidence, LogRatio};
use tenbin_model::summary::{Summary, TrialResult, label};
use tenbin_words::message::{Message, foreign};

/// Half the width of an interval up to which "no difference larger than" is reported: 5 %.
pub const NARROW: f64 = 0.05;

/// The most further repeats that are advised: if more are needed, find out first why repeats differ so much.
pub(crate) const MOST_REPEATS: usize = 100;

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

/// The comparison of two targets, or of two values of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The base: the name of the target, or the value of the axis.
    pub a: String,
    /// The other.
    pub b: String,
    /// Both as a sentence names them: `data set with`.
    pub words: [Message; 2],
    /// The axis of the matrix along which they are compared; `None`: they are targets.
    pub along: Option<String>,
    /// What is compared.
    pub figure: Figure,
    /// The figure of `b` over that of `a`, over all cells.
    pub ratio: f64,
    /// Its 95 % interval, from the spread between repeats; `None` with one repeat.
    pub confidence: Option<Confidence>,
    /// The same per cell, in cell order, each from its own pairs; see [`statistics::ratio_in_cell`] for the spread between them.
    pub cells: Vec<CellRatio>,
    /// The cells that `a` alone has, and those that `b` alone has, by their values of the matrix: nothing is compared there.
    pub of_one_only: [Vec<Vec<(String, String)>>; 2],
    /// The cells that both have, but in no repeat both: nothing is compared there either.
    pub unpaired: Vec<Vec<(String, String)>>,
    /// Whether the ratio differs between cells by more than the spread between repeats explains, or their loads are unlike; `None`
    /// if that cannot be said: with one cell, or one repeat. One ratio for all cells would then describe none of them.
    pub cells_differ: Option<bool>,
    /// The number of pairs.
    pub pairs: usize,
    /// Degrees of freedom of the spread: of pairs, or of the instants of duets.
    pub freedom: usize,
    /// If the trials of each pair were driven at the same time: what the interval comes from.
    pub duet: Option<DuetUnit>,
    /// How many more repeats of everything would narrow the interval to ± [`NARROW`], if the spread of repeats remains
    /// the same; `None` with one repeat.
    pub more_repeats: Option<usize>,
}

/// What the interval of a ratio comes from where targets were driven at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuetUnit {
    /// What both completed in the same instants.
    Instants,
    /// Pairs of runs, as in every other order: of figures other than throughput, and where pairs differ by more than their instants
    /// explain.
    Pairs,
}

impl DuetUnit {
    /// Its name in exports.
    pub fn name(self) -> &'static str {
        match self {
            DuetUnit::Instants => "instants",
            DuetUnit::Pairs => "pairs",
        }
    }
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
    /// The trials of `a` and those of `b` in these pairs, by number.
    pub trials: [Vec<u32>; 2],
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
    /// In how many cells nothing is compared.
    pub fn uncompared(&self) -> usize {
        self.unpaired.len() + self.of_one_only.iter().map(Vec::len).sum::<usize>()
    }

    /// Whether the runs show a difference, by the intervals that are shown: over all cells, or if these differ, in one of them at least.
    pub fn shows_difference(&self) -> bool {
        let differs = |confidence| matches!(reading(confidence), Comparable::Higher | Comparable::Lower);
        match self.cells_differ {
            Some(true) => self.cells.iter().any(|cell| differs(self.interval_of(cell))),
            _ => differs(self.interval()),
        }
    }
}

/// One cell: its matrix values, and the pairs of its trials.
type Pairs<'t> = (Vec<(String, String)>, Vec<(&'t TrialResult, &'t TrialResult)>);

/// Compares `b` with `a`, which are targets or values of the axis along which the experiment compares, over all cells in which
/// both were measured; pairs have equal repeats. `None` if there are none, or the figure is zero somewhere.
pub fn compare(summary: &Summary, what: &Comparing<'_>, a: &str, b: &str) -> Option<Comparison> {
    compare_where(summary, what, a, b, &|_| true)
}

/// The same in those cells of which this holds of all trials.
pub(crate) fn compare_where(
    summary: &Summary,
    what: &Comparing<'_>,
    a: &str,
    b: &str,
    holds: &dyn Fn(&TrialResult) -> bool,
) -> Option<Comparison> {
    let mut all = pairs(summary, what, a, b);
    all.retain(|_, (_, pairs)| pairs.iter().all(|(a, b)| holds(a) && holds(b)));
    let (first, second) = all.values().find_map(|(_, pairs)| pairs.first())?;
    let mut share: f64 = 1.0;
    for (_, pairs) in all.values() {
        // That of the last look is the smallest.
        share = pairs.iter().map(|(a, _)| a.trial.share_of_look()).fold(share, f64::min);
    }
    let of_cells: Vec<&[(&TrialResult, &TrialResult)]> = all.values().map(|(_, pairs)| pairs.as_slice()).collect();
    let by_instants = duets::ratios(what.figure, &of_cells);
    let is_by_instants = by_instants.is_some();
    let logs: Vec<CellRatios> = match by_instants {
        Some(logs) => {
            logs.into_iter().zip(&of_cells).map(|(log, pairs)| CellRatios::counted(what.figure, log, pairs)).collect()
        }
        None => of_cells.iter().map(|pairs| CellRatios::of(what.figure, pairs)).collect::<Option<_>>()?,
    };
    let cells: Vec<CellLog<'_>> = all
        .iter()
        .zip(logs)
        .map(|((cell, (axes, pairs)), log)| CellLog { cell: *cell, axes, log, pairs: pairs.len() })
        .collect();
    let words = [first, second].map(|t| contender::words(t));
    let along = first.trial.compare.as_ref().and_then(|along| along.keys.first().cloned());
    let duet = match all.values().flat_map(|(_, pairs)| pairs).all(|(a, b)| a.trial.duet && b.trial.duet) {
        false => None,
        true if is_by_instants => Some(DuetUnit::Instants),
        true => Some(DuetUnit::Pairs),
    };
    let mut judged = judged(what, share, a, b, &cells)?;
    for r in &mut judged.cells {
        let pairs = || all.get(&r.cell).into_iter().flat_map(|(_, pairs)| pairs);
        r.trials = [pairs().map(|(a, _)| a.trial.number).collect(), pairs().map(|(_, b)| b.trial.number).collect()];
    }
    let are_unlike = cells.windows(2).any(|two| kind_of_load(two[0].axes) != kind_of_load(two[1].axes));
    let cells_differ = judged.cells_differ.map(|differ| differ || are_unlike);
    let of_one_only = [only_in_first(summary, what, a, Some(b)), only_in_first(summary, what, b, Some(a))];
    let unpaired = unpaired(summary, what, a, b);
    Some(Comparison { words, along, duet, cells_differ, of_one_only, unpaired, ..judged })
}

/// One cell: its number, its matrix values, its ratio.
struct CellLog<'t> {
    cell: u32,
    axes: &'t [(String, String)],
    log: CellRatios,
    /// The number of pairs of runs.
    pairs: usize,
}

/// The ratio of a figure in one cell, with the spread of its pairs in one or two ways.
///
/// A percentile of merged histograms can be that of one trial with a cluster of slow transactions: leaving out another pair then
/// changes nothing, and the jackknife takes the spread for smaller than it is. Each pair's own percentile shows what the trials
/// do. A difference is claimed if both say so, and the interval that is shown contains both.
struct CellRatios {
    /// Of all trials of the cell together: what is shown.
    together: LogRatio,
    /// Of times, also the ratio of each pair by itself.
    by_pair: Option<LogRatio>,
}

/// An estimate from the ratios of cells.
type Estimate = Option<(f64, Option<Confidence>)>;

/// The estimate from the cells together, with an interval that contains that of the pairs by themselves.
fn estimated(cells: &[&CellRatios], estimate: impl Fn(&[LogRatio]) -> Estimate) -> Estimate {
    let together: Vec<LogRatio> = cells.iter().map(|cell| cell.together.clone()).collect();
    let (ratio, interval) = estimate(&together)?;
    let by_pair: Option<Vec<LogRatio>> = cells.iter().map(|cell| cell.by_pair.clone()).collect();
    let own = by_pair.and_then(|cells| estimate(&cells)?.1);
    let both = interval.map(|i| match own {
        Some(own) => Confidence { value: i.value, low: i.low.min(own.low), high: i.high.max(own.high) },
        None => i,
    });
    Some((ratio, both))
}

/// `share`: of the chance of being wrong, which the look has at which the repeats ended.
fn judged(what: &Comparing<'_>, share: f64, a: &str, b: &str, cells: &[CellLog<'_>]) -> Option<Comparison> {
    let alpha = share * ALPHA / what.comparisons.max(1) as f64;
    let ratios: Vec<&CellRatios> = cells.iter().map(|cell| &cell.log).collect();
    let logs: Vec<LogRatio> = ratios.iter().map(|cell| cell.together.clone()).collect();
    let by_pair: Option<Vec<LogRatio>> = ratios.iter().map(|cell| cell.by_pair.clone()).collect();
    let (ratio, confidence) = estimated(&ratios, |logs| statistics::pooled_ratio(logs, alpha))?;
    let fewest = logs.iter().map(|log| log.runs.len()).min().unwrap_or(0);
    // Instants of a duet stand for the spread: many for each pair.
    let of_pair = (fewest / cells.iter().map(|cell| cell.pairs).min().unwrap_or(1).max(1)).max(1);
    let of_pairs = by_pair.as_deref().and_then(statistics::pooled_deviation).unwrap_or(0.0);
    let more_repeats = statistics::pooled_deviation(&logs).map(|of_all| {
        statistics::repeats_for(of_all.max(of_pairs), logs.len(), (1.0 + NARROW).ln())
            .saturating_sub(fewest)
            .div_ceil(of_pair)
    });
    let (lowest, highest) = logs
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| (low.min(log.centre), high.max(log.centre)));
    let notable = highest - lowest > (1.0 + NOTABLE).ln();
    let differ = |logs: &[LogRatio]| statistics::cells_differ(logs, ALPHA_OF_CELLS);
    let also_by_pair = by_pair.as_deref().and_then(differ).unwrap_or(true);
    let of_cell = |(at, CellLog { cell, axes, pairs, .. }): (usize, &CellLog<'_>)| {
        let of = |alpha: f64| estimated(&ratios, |logs| statistics::ratio_in_cell(logs, at, alpha));
        let (ratio, confidence) = of(alpha)?;
        let (_, among_cells) = of(alpha / logs.len() as f64)?;
        let (cell, axes, label) = (*cell, axes.to_vec(), label(axes));
        Some(CellRatio { cell, label, axes, ratio, confidence, among_cells, pairs: *pairs, trials: Default::default() })
    };
    Some(Comparison {
        words: [foreign(a), foreign(b)],
        along: None,
        a: a.to_owned(),
        b: b.to_owned(),
        figure: what.figure,
        ratio,
        confidence,
        cells_differ: differ(&logs).map(|differ| differ && also_by_pair && notable),
        pairs: cells.iter().map(|cell| cell.pairs).sum(),
        of_one_only: Default::default(),
        unpaired: Vec::new(),
        freedom: logs.iter().map(|log| log.runs.len().saturating_sub(1)).sum(),
        duet: None,
        cells: cells.iter().enumerate().filter_map(of_cell).collect(),
        more_repeats,
    })
}

/// The trials in which a contender was measured, by cell and repeat.
fn measured<'s>(
    summary: &'s Summary,
    what: &Comparing<'_>,
    cells: &Cells<'s>,
    name: &str,
) -> BTreeMap<(u32, u32), &'s TrialResult> {
    let asks = |t: &&TrialResult| {
        // A load that time cut off, or whose clients left, has no seconds until its end.
        let is_whole = what.figure != Figure::Seconds || !counted::is_short(t);
        t.trial.experiment == what.experiment && t.counts() && Question::of(t) == what.question && is_whole
    };
    let own = summary.trials.iter().filter(|t| contender::name(t) == name).filter(asks);
    own.map(|t| ((cells.number(t), t.trial.repeat), t)).collect()
}

/// The cells in which `a` was measured, and `b` was not, by their values of the matrix.
pub fn only_in_first(summary: &Summary, what: &Comparing<'_>, a: &str, b: Option<&str>) -> Vec<Vec<(String, String)>> {
    let cells = Cells::of(summary, what.experiment);
    let of_b = b.map(|b| measured(summary, what, &cells, b)).unwrap_or_default();
    let in_both: BTreeSet<u32> = of_b.into_keys().map(|(cell, _)| cell).collect();
    let mut only = BTreeMap::new();
    for ((cell, _), t) in measured(summary, what, &cells, a) {
        if !in_both.contains(&cell) {
            only.entry(cell).or_insert_with(|| cells.axes(t));
        }
    }
    only.into_values().collect()
}

/// The cells in which both were measured, but none of their repeats with both.
fn unpaired(summary: &Summary, what: &Comparing<'_>, a: &str, b: &str) -> Vec<Vec<(String, String)>> {
    let (pairs, only) = (pairs(summary, what, a, b), only_in_first(summary, what, a, Some(b)));
    let of_a = only_in_first(summary, what, a, None);
    let is_paired = |cell: &Vec<(String, String)>| pairs.values().any(|(axes, _)| axes == cell);
    of_a.into_iter().filter(|cell| !only.contains(cell) && !is_paired(cell)).collect()
}

/// The pairs of trials by cell, which has the number of the first of the cells that are compared.
fn pairs<'s>(summary: &'s Summary, what: &Comparing<'_>, a: &str, b: &str) -> BTreeMap<u32, Pairs<'s>> {
    let cells = Cells::of(summary, what.experiment);
    let (of_a, of_b) = (measured(summary, what, &cells, a), measured(summary, what, &cells, b));
    let mut pairs: BTreeMap<u32, Pairs<'s>> = BTreeMap::new();
    for (key, first) in &of_a {
        if let Some(second) = of_b.get(key) {
            pairs.entry(key.0).or_insert_with(|| (cells.axes(first), Vec::new())).1.push((first, second));
        }
    }
    pairs
}

impl CellRatios {
    /// Of a figure that each run has by itself.
    fn counted(figure: Figure, ratio: LogRatio, pairs: &[(&TrialResult, &TrialResult)]) -> CellRatios {
        CellRatios { together: counting::of_trials(figure, ratio, pairs), by_pair: None }
    }

    /// Times are those of merged histograms, never means of the trials' percentiles.
    fn of(figure: Figure, pairs: &[(&TrialResult, &TrialResult)]) -> Option<CellRatios> {
        let of_runs: Option<Vec<(f64, f64)>> =
            pairs.iter().map(|(a, b)| Some((question::of_run(figure, a)?, question::of_run(figure, b)?))).collect();
        if let Some(runs) = of_runs {
            return Some(CellRatios::counted(figure, LogRatio::of_pairs(&runs)?, pairs));
        }
        let times: Vec<(Histogram, Histogram)> =
            pairs.iter().map(|(a, b)| (question::times(a), question::times(b))).collect();
        CellRatios::of_times(figure, &times)
    }

    fn of_times(figure: Figure, pairs: &[(Histogram, Histogram)]) -> Option<CellRatios> {
        let ratio = |a: &Histogram, b: &Histogram| figure.of_times(b) / figure.of_times(a);
        let own: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (figure.of_times(a), figure.of_times(b))).collect();
        let (of_a, without_a) = without_each(pairs.iter().map(|(a, _)| a));
        let (of_b, without_b) = without_each(pairs.iter().map(|(_, b)| b));
        let without: Vec<f64> = without_a.iter().zip(&without_b).map(|(a, b)| ratio(a, b)).collect();
        let together = LogRatio::of_merged(ratio(&of_a, &of_b), &without)?;
        // Of a trial without any there is no time to compare.
        Some(CellRatios { together, by_pair: Some(LogRatio::of_pairs(&own)?) })
    }
}

/// What the pairs of trials of one cell say of a figure: the interval of B over A errs with the chance `alpha`.
pub fn of_pairs(figure: Figure, pairs: &[(&TrialResult, &TrialResult)], alpha: f64) -> Option<Confidence> {
    let ratios = CellRatios::of(figure, pairs)?;
    estimated(&[&ratios], |logs| statistics::pooled_ratio(logs, alpha))?.1
}

/// The ratio of a figure in one cell, from the pairs of that cell alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioInCell {
    /// The figure over that of the base.
    pub ratio: f64,
    /// Its interval; `None` with one pair.
    pub confidence: Option<Confidence>,
    /// The number of pairs.
    pub pairs: usize,
}

/// Compares a part of what the trials did, such as one group of clients, in each cell by itself: the second of `names` over the first.
/// `tps`, `times` and `completed` (with its clients) are those of the part. Results are by the cell and target of the second.
pub fn in_cells(
    summary: &Summary,
    what: &Comparing<'_>,
    names: [&str; 2],
    tps: &dyn Fn(&TrialResult) -> f64,
    completed: &dyn Fn(&TrialResult) -> (f64, u32),
    times: &dyn Fn(&TrialResult) -> Histogram,
) -> Vec<((u32, String), RatioInCell)> {
    let one = |(_, pairs): Pairs<'_>| {
        let (_, second) = pairs.first()?;
        let share = pairs.iter().map(|(a, _)| a.trial.share_of_look()).fold(1.0, f64::min);
        let ratios = match what.figure.is_time() {
            false => {
                let runs: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (tps(a), tps(b))).collect();
                CellRatios {
                    together: counting::at_least(LogRatio::of_pairs(&runs)?, &pairs, completed),
                    by_pair: None,
                }
            }
            true => {
                let runs: Vec<(Histogram, Histogram)> = pairs.iter().map(|(a, b)| (times(a), times(b))).collect();
                CellRatios::of_times(what.figure, &runs)?
            }
        };
        let alpha = share * ALPHA / what.comparisons.max(1) as f64;
        let (ratio, confidence) = estimated(&[&ratios], |logs| statistics::pooled_ratio(logs, alpha))?;
        let key = (second.trial.cell, second.trial.target.name.clone());
        Some((key, RatioInCell { ratio, confidence, pairs: pairs.len() }))
    };
    pairs(summary, what, names[0], names[1]).into_values().filter_map(one).collect()
}

/// All merged, and all but each one merged; with one the latter is that one.
fn without_each<'h>(all: impl Iterator<Item = &'h Histogram> + Clone) -> (Histogram, Vec<Histogram>) {
    let merged = |but: Option<usize>| {
        let mut rest = Histogram::new();
        all.clone().enumerate().filter(|(i, _)| Some(*i) != but).for_each(|(_, one)| rest.merge(one));
        rest
    };
    let whole = merged(None);
    match all.clone().count() {
        0 | 1 => (whole.clone(), vec![whole]),
        n => (whole, (0..n).map(|i| merged(Some(i))).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::random::SplitMix;

    #[test]
    fn an_interval_is_read_for_what_it_holds() {
        let read = |low, high| reading(Some(Confidence { value: 1.0, low, high }));
        assert_eq!(read(1.001, 1.2), Comparable::Higher);
        assert_eq!(read(0.5, 0.999), Comparable::Lower);
        assert!(matches!(read(0.97, 1.01), Comparable::Alike { within } if (within - 0.03).abs() < 1e-9));
        assert_eq!(read(0.94, 1.01), Comparable::Unclear);
        assert_eq!(reading(None), Comparable::Chance);
    }

    /// Of this many simulated runs with `targets` targets the share in which a difference between the first and another one is
    /// shown. All have the same throughput but the last, which has `ratio` of it; runs differ by 3 % (standard deviation).
    fn shown(targets: usize, cells: u32, repeats: usize, ratio: f64) -> f64 {
        shown_of(targets, cells, repeats, ratio, 1.0)
    }

    /// The same, where runs of the first cell differ by this many times as much as those of the others.
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
                        let log = CellRatios { together: LogRatio::of_pairs(&pairs).expect("pairs"), by_pair: None };
                        CellLog { cell, axes: &[], log, pairs: repeats }
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
        let share = shown(2, 1, 5, 1.1);
        assert!(share > 0.9, "{share}");
        assert!(shown(2, 3, 3, 1.1) > 0.95);
        assert!(shown(2, 4, 2, 1.3) > 0.95, "two repeats of four cells");
    }

    /// The times of a trial of 500 transactions: about 1 ms, trials unlike by 5 %, and in three of ten a cluster of 2 to 30 slow
    /// ones.
    fn clustered(random: &mut SplitMix) -> Histogram {
        let mut times = Histogram::new();
        let level = (0.05 * random.normal()).exp();
        for _ in 0..500 {
            times.record((1e6 * level * (0.3 * random.normal()).exp()) as u64);
        }
        if random.below(10) < 3 {
            let slow = 4e6 * (0.5 * random.normal()).exp();
            for _ in 0..2 + random.below(29) {
                times.record((slow * (0.2 * random.normal()).exp()) as u64);
            }
        }
        times
    }

    /// Slow transactions come in clusters: a percentile of merged times may be that of one trial.
    #[test]
    fn percentiles_of_equal_targets_with_clusters_of_slow_transactions_are_rarely_told_apart() {
        const RUNS: usize = 500;
        let mut random = SplitMix(33);
        let claims = |interval: Estimate| {
            interval
                .and_then(|(_, i)| i)
                .is_some_and(|i| matches!(reading(Some(i)), Comparable::Higher | Comparable::Lower))
        };
        for figure in [Figure::Mean, Figure::Percentile(950), Figure::Percentile(990)] {
            let (mut wrong, mut merged_alone) = (0, 0);
            for _ in 0..RUNS {
                let pairs: Vec<_> = (0..4).map(|_| (clustered(&mut random), clustered(&mut random))).collect();
                let ratios = CellRatios::of_times(figure, &pairs).expect("ratios");
                let interval = |logs: &[LogRatio]| statistics::pooled_ratio(logs, ALPHA);
                wrong += usize::from(claims(estimated(&[&ratios], interval)));
                merged_alone += usize::from(claims(interval(&[ratios.together])));
            }
            // 5 % and three standard errors; the jackknife alone claims more.
            assert!(wrong <= 25 + 14 && wrong < merged_alone, "{figure:?}: {wrong}, {merged_alone} of {RUNS}");
        }
    }

    #[test]
    fn histograms_are_merged_without_each() {
        let of = |ns: u64| {
            let mut h = Histogram::new();
            h.record(ns);
            h
        };
        let (whole, rest) = without_each([of(1000), of(2000), of(3000)].iter());
        assert_eq!((whole.count(), rest.len()), (3, 3));
        assert_eq!(rest.iter().map(Histogram::count).collect::<Vec<_>>(), [2, 2, 2]);
        assert!(rest[0].min_ns() > rest[1].min_ns());
        let (whole, rest) = without_each([of(1000)].iter());
        assert_eq!((whole.count(), rest.len()), (1, 1));
    }
}
