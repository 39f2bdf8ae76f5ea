//! The ratio of two targets that were driven at the same time, from what both completed in the same instants.
//!
//! What disturbs the client, the network or the cloud disturbs both at once and cancels in the ratio (Bulej et al., "Duet
//! Benchmarking", ICPE 2020), so that the instants of a pair say what pairs of runs one after another need many repeats for.
//! Neighbouring instants are more similar than others. Their dependence is taken into account twice, by a block bootstrap (Künsch
//! 1989) and by the autocorrelation of the first order, and the larger standard error of the two holds. What differs from run to run,
//! as a start of a server does, is in no instant: if pairs of runs differ by more than their instants explain, the unit is the pair
//! again, as in every other order; of one pair nothing is known of that, which the answer says.

use super::{LogRatio, cells_differ, deviation, mean, t95};
use crate::random::SplitMix;

/// What A and B completed in the same instants of one pair of runs.
pub type PairInstants = Vec<(f64, f64)>;

/// Draws of the bootstrap.
const DRAWS: usize = 400;
/// With fewer independent instants nothing is said of their spread.
const LEAST: f64 = 6.0;
/// The autocorrelation is itself estimated. In 3,000 simulated duets of equal targets each, with an autocorrelation of 0 to 0.9, the
/// interval errs in at most 5 % of those in which anything is said; 1.12 erred in 9 % of those where instants depend on one another
/// by 0.8, because where too few independent instants are seen nothing is said.
const WIDER: f64 = 1.4;
/// More instants than these count as this number: Student's factor does not change any more.
const MOST: f64 = 1000.0;
/// The chance of a wrong "pairs differ by more than their instants explain": high, because that costs only a part of the precision,
/// and what is not found makes intervals too narrow.
const ALPHA_OF_PAIRS: f64 = 0.3;

/// The logarithm of B/A in each cell over all of its pairs, with values in the place of runs whose spread is that of the estimate: as
/// many as there are independent instants in the cell that has fewest, so that cells in which instants depend on one another more
/// are not taken for better known than they are. `None`, and pairs of runs are the unit, if a cell has too few instants, if a target
/// completed nothing in it, or if its pairs differ by more than their instants explain: units of two kinds have no common spread.
pub fn log_ratios(cells: &[Vec<PairInstants>]) -> Option<Vec<LogRatio>> {
    let estimates: Vec<Estimate> = cells.iter().map(|pairs| of_cell(pairs)).collect::<Option<_>>()?;
    let fewest = estimates.iter().map(|of| of.independent).fold(MOST, f64::min).floor();
    // The spread of all cells may be that of the one which is known worst: many cells do not make it better known.
    let wider = t95(fewest - 1.0) / t95((fewest - 1.0) * cells.len().max(1) as f64);
    Some(estimates.iter().map(|of| of.log_ratio(WIDER * wider, fewest as usize)).collect())
}

/// What the instants of a cell say.
struct Estimate {
    /// The logarithm of the ratio.
    centre: f64,
    /// Its standard error.
    error: f64,
    /// As many independent instants would have that error.
    independent: f64,
}

impl Estimate {
    fn log_ratio(&self, wider: f64, count: usize) -> LogRatio {
        LogRatio { centre: self.centre, runs: values(self.centre, wider * self.error, count) }
    }
}

/// Of one cell; `None` if pairs are to be the unit.
fn of_cell(pairs: &[PairInstants]) -> Option<Estimate> {
    let whole = estimate(pairs)?;
    if pairs.len() < 2 {
        return Some(whole);
    }
    // Each by itself, about its own ratio.
    let own: Vec<Estimate> = pairs.iter().map(|pair| estimate(std::slice::from_ref(pair))).collect::<Option<_>>()?;
    let logs: Vec<LogRatio> = own.iter().map(|of| of.log_ratio(1.0, of.independent.min(MOST) as usize)).collect();
    if cells_differ(&logs, ALPHA_OF_PAIRS) != Some(false) {
        return None;
    }
    // What they differ more than their instants explain is added, although it may be chance (DerSimonian and Laird 1986).
    let among = deviation(&own.iter().map(|of| of.centre).collect::<Vec<_>>())?.powi(2);
    let within = mean(&own.iter().map(|of| of.error.powi(2)).collect::<Vec<_>>())?;
    let more = if among > within { (among / within).sqrt() } else { 1.0 };
    Some(Estimate { error: more * whole.error, ..whole })
}

fn estimate(pairs: &[PairInstants]) -> Option<Estimate> {
    let n = pairs.iter().map(Vec::len).sum::<usize>() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().flatten().map(of).sum::<f64>();
    let [a, b] = [sum(|both| both.0) / n, sum(|both| both.1) / n];
    (n > 1.0 && a > 0.0 && b > 0.0).then_some(())?;
    let centre = (b / a).ln();
    // How much each instant moves the logarithm of the ratio of sums.
    let moves: Vec<Vec<f64>> =
        pairs.iter().map(|pair| pair.iter().map(|(of_a, of_b)| of_b / b - of_a / a).collect()).collect();
    let (square, inflation) = dependence(&moves, n);
    let independent = n / inflation;
    (independent >= LEAST).then_some(())?;
    let by_autocorrelation = (square / (n - 1.0) * inflation / n).sqrt();
    let error = by_autocorrelation.max(by_blocks(pairs, inflation, n));
    Some(Estimate { centre, error, independent })
}

/// The sum of squares of a series, and by what the variance of its mean is larger than that of independent values: (1 + ρ)/(1 − ρ)
/// with the autocorrelation ρ of the first order, corrected for its bias in short series (Marriott and Pope 1954).
fn dependence(moves: &[Vec<f64>], n: f64) -> (f64, f64) {
    let square: f64 = moves.iter().flatten().map(|x| x * x).sum();
    if square <= 0.0 {
        return (0.0, 1.0);
    }
    let product: f64 = moves.iter().flat_map(|own| own.windows(2)).map(|two| two[0] * two[1]).sum();
    let raw = product / square;
    let rho = (raw + (1.0 + 4.0 * raw) / n).clamp(0.0, 0.97);
    (square, (1.0 + rho) / (1.0 - rho))
}

/// The standard error by a bootstrap of moving blocks within each pair: blocks twice as long as instants depend on one another.
fn by_blocks(pairs: &[PairInstants], inflation: f64, n: f64) -> f64 {
    let shortest = pairs.iter().map(Vec::len).min().unwrap_or_default();
    let length = ((2.0 * inflation).max(n.cbrt()).ceil() as usize).clamp(1, (shortest / 2).max(1));
    let mut random = SplitMix(n as u64);
    let mut drawn = Vec::with_capacity(DRAWS);
    let mut instants = 0;
    for _ in 0..DRAWS {
        let (mut a, mut b) = (0.0, 0.0);
        instants = 0;
        for pair in pairs.iter().filter(|pair| pair.len() >= length) {
            for _ in 0..pair.len() / length {
                let from = random.below(pair.len() - length + 1);
                for both in &pair[from..from + length] {
                    (a, b) = (a + both.0, b + both.1);
                }
                instants += length;
            }
        }
        if a > 0.0 && b > 0.0 {
            drawn.push((b / a).ln());
        }
    }
    // A rest that no block covers makes the draws shorter than the series.
    deviation(&drawn).unwrap_or(0.0) * (instants as f64 / n).sqrt()
}

/// This number of values with this mean, and with the spread of which it is the standard error.
pub(super) fn values(centre: f64, error: f64, count: usize) -> Vec<f64> {
    let paired = count / 2 * 2;
    // The sum of squares about the mean is then n (n − 1) times the square of the error.
    let each = error * (count as f64 * (count as f64 - 1.0) / paired as f64).sqrt();
    let side = |at: usize| match at {
        at if at >= paired => 0.0,
        at if at % 2 == 0 => each,
        _ => -each,
    };
    (0..count).map(|at| centre + side(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{ALPHA, pooled_ratio};
    use super::*;

    /// Noise of the machine, the network or the cloud that both see, and of each target by itself; shares of the throughput.
    struct Noise {
        common: f64,
        own: f64,
        /// How much an instant of a target's own noise depends on the one before.
        rho: f64,
    }

    fn course(random: &mut SplitMix, instants: usize, rho: f64, deviation: f64) -> Vec<f64> {
        let step = deviation * (1.0 - rho * rho).sqrt();
        let mut now = deviation * random.normal();
        let mut next = || {
            let was = now;
            now = rho * now + step * random.normal();
            was
        };
        (0..instants).map(|_| next()).collect()
    }

    /// What disturbs all changes over about a minute.
    fn common(random: &mut SplitMix, seconds: usize, noise: &Noise) -> Vec<f64> {
        course(random, seconds, 0.98, noise.common)
    }

    fn pair(random: &mut SplitMix, instants: usize, ratio: f64, noise: &Noise) -> PairInstants {
        let all = common(random, instants, noise);
        let [a, b] = [(); 2].map(|()| course(random, instants, noise.rho, noise.own));
        let at = |(all, own): (&f64, &f64)| 1000.0 * (all + own).exp();
        let b = all.iter().zip(&b).map(at).map(|b| ratio * b);
        all.iter().zip(&a).map(at).zip(b).collect()
    }

    fn log_ratio(pairs: &[PairInstants]) -> Option<LogRatio> {
        log_ratios(&[pairs.to_vec()])?.pop()
    }

    fn claims(ratios: Option<Vec<LogRatio>>) -> bool {
        let interval = ratios.and_then(|ratios| pooled_ratio(&ratios, ALPHA)?.1);
        interval.is_some_and(|i| i.low > 1.0 || i.high < 1.0)
    }

    /// What is claimed of cells with these pairs: by their instants, or by the pairs.
    fn claims_of(cells: &[Vec<PairInstants>]) -> bool {
        let total = |pair: &PairInstants| pair.iter().fold((0.0, 0.0), |sum, both| (sum.0 + both.0, sum.1 + both.1));
        let by_pairs = || {
            let of = |pairs: &Vec<PairInstants>| LogRatio::of_pairs(&pairs.iter().map(total).collect::<Vec<_>>());
            cells.iter().map(of).collect::<Option<Vec<_>>>()
        };
        claims(log_ratios(cells).or_else(by_pairs))
    }

    #[test]
    fn equal_targets_are_told_apart_in_less_than_one_of_twenty_duets() {
        const RUNS: usize = 600;
        for (instants, repeats, rho) in
            [(60, 1, 0.0), (60, 1, 0.5), (60, 1, 0.8), (30, 3, 0.5), (20, 3, 0.3), (120, 1, 0.9), (60, 5, 0.5)]
        {
            let noise = Noise { common: 0.04, own: 0.02, rho };
            let mut random = SplitMix(36);
            let run = |_| claims_of(&[(0..repeats).map(|_| pair(&mut random, instants, 1.0, &noise)).collect()]);
            let wrong = (0..RUNS).map(run).filter(|claims| *claims).count();
            assert!(wrong <= RUNS / 20, "{instants} instants, {repeats} repeats, dependence {rho}: {wrong} of {RUNS}");
        }
    }

    /// A sweep: cells differ in how much their instants vary, and depend on one another.
    #[test]
    fn equal_targets_are_rarely_told_apart_over_cells_that_are_not_alike() {
        const RUNS: usize = 600;
        for (instants, repeats) in [(60, 1), (60, 3), (120, 2)] {
            let mut random = SplitMix(4);
            let all = [(0.015, 0.0), (0.02, 0.3), (0.03, 0.6)];
            let run = |_| {
                let cell = |(own, rho): (f64, f64)| {
                    let noise = Noise { common: 0.04, own, rho };
                    (0..repeats).map(|_| pair(&mut random, instants, 1.0, &noise)).collect()
                };
                claims_of(&all.map(cell))
            };
            let wrong = (0..RUNS).map(run).filter(|claims| *claims).count();
            assert!(wrong <= RUNS / 20, "{instants} instants, {repeats} repeats: {wrong} of {RUNS}");
        }
    }

    /// A start of a server makes it a little faster or slower for one run, which its instants do not show. The limits are 10 % for two
    /// pairs and 5 % for more, and three standard errors of 600 runs.
    #[test]
    fn equal_targets_whose_runs_differ_are_rarely_told_apart() {
        const RUNS: usize = 600;
        let noise = Noise { common: 0.04, own: 0.02, rho: 0.3 };
        let mut worst = Vec::new();
        for repeats in [2, 3, 5] {
            for of_run in [0.002, 0.004, 0.008, 0.016, 0.05] {
                let mut random = SplitMix(9);
                let mut one = |_| {
                    let ratio = (of_run * random.normal()).exp();
                    pair(&mut random, 60, ratio, &noise)
                };
                let wrong = (0..RUNS).filter(|_| claims_of(&[(0..repeats).map(&mut one).collect()])).count();
                worst.push((wrong, repeats, of_run));
            }
        }
        // Two pairs agree by chance now and then, however much runs differ.
        let most = |repeats: u32| if repeats == 2 { RUNS / 10 + 22 } else { RUNS / 20 + 16 };
        assert!(worst.iter().all(|(wrong, repeats, _)| *wrong <= most(*repeats)), "{worst:?}");
    }

    /// Trials one after another, of this number of seconds each, as in blocks: A and B see different noise.
    fn blocks(random: &mut SplitMix, trial_s: usize, seconds: usize, ratio: f64, noise: &Noise) -> bool {
        let all = common(random, seconds, noise);
        let tps = |random: &mut SplitMix, from: usize, ratio: f64| {
            let own = course(random, trial_s, noise.rho, noise.own);
            let each = all[from..from + trial_s].iter().zip(&own).map(|(all, own)| 1000.0 * ratio * (all + own).exp());
            each.sum::<f64>() / trial_s as f64
        };
        let pairs: Vec<(f64, f64)> = (0..seconds / (2 * trial_s))
            .map(|n| (tps(random, 2 * n * trial_s, 1.0), tps(random, (2 * n + 1) * trial_s, ratio)))
            .collect();
        claims(LogRatio::of_pairs(&pairs).map(|ratio| vec![ratio]))
    }

    #[test]
    fn two_percent_are_found_in_a_fifth_of_the_time_of_blocks_under_common_noise() {
        const RUNS: usize = 300;
        let noise = Noise { common: 0.04, own: 0.02, rho: 0.3 };
        let mut random = SplitMix(2);
        let share = |found: usize| found as f64 / RUNS as f64;
        // Two minutes of a duet, and five times as long of trials of 20 s in turns.
        let duet = share((0..RUNS).filter(|_| claims_of(&[vec![pair(&mut random, 120, 1.02, &noise)]])).count());
        let of_blocks = share((0..RUNS).filter(|_| blocks(&mut random, 20, 600, 1.02, &noise)).count());
        assert!(duet >= 0.8 && duet > of_blocks, "{duet} of duets of 120 s, {of_blocks} of blocks of 600 s");
    }

    #[test]
    fn pairs_that_differ_by_more_than_their_instants_are_the_unit_again() {
        let noise = Noise { common: 0.04, own: 0.005, rho: 0.0 };
        let mut random = SplitMix(7);
        // A start of a server decides how fast it is: the instants of one pair know nothing of that.
        let pairs: Vec<PairInstants> = [0.97, 1.03, 1.0].map(|ratio| pair(&mut random, 60, ratio, &noise)).to_vec();
        assert_eq!(log_ratio(&pairs), None);
        assert!(log_ratio(&pairs[..1]).is_some(), "one pair does not tell");
    }

    #[test]
    fn what_is_alike_in_every_instant_is_certain_and_too_little_says_nothing() {
        let same: PairInstants = (1..=40).map(|at| (f64::from(at), 2.0 * f64::from(at))).collect();
        let exact = log_ratio(std::slice::from_ref(&same)).expect("forty instants");
        assert!(
            (exact.centre - 2.0_f64.ln()).abs() < 1e-12 && (mean(&exact.runs).unwrap() - exact.centre).abs() < 1e-12
        );
        assert_eq!(exact.runs.len(), 40);
        assert_eq!(log_ratios(&[]), Some(Vec::new()));
        assert_eq!(log_ratio(&[]), None, "no pair");
        assert_eq!(log_ratio(&[same[..3].to_vec()]), None, "three instants");
        assert_eq!(log_ratio(&[vec![(0.0, 1.0); 40]]), None, "one completed nothing");
        let with_gap: PairInstants =
            (0..40).map(|at| if at == 20 { (0.0, 1000.0) } else { (1000.0, 1000.0) }).collect();
        assert!(log_ratio(&[with_gap]).is_some(), "an instant of nothing has no logarithm, and counts");
    }
}
