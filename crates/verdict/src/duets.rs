//! Targets that were driven at the same time: what both completed in the same instants, for their comparison.

use std::collections::BTreeMap;
use tenbin_model::event::Phase;
use tenbin_model::figures::Figure;
use tenbin_model::statistics::LogRatio;
use tenbin_model::statistics::duet::{self, PairInstants};
use tenbin_model::summary::{IntervalRate, TrialResult};

/// Two trials of a pair.
type Two<'s> = (&'s TrialResult, &'s TrialResult);

/// The ratios of throughput of each cell from what both completed in the same instants; `None` of pairs that were not driven at the
/// same time, of other figures, and if the instants of one cell do not tell.
pub fn ratios<'s>(figure: Figure, cells: &[&[Two<'s>]]) -> Option<Vec<LogRatio>> {
    (figure == Figure::Transactions).then_some(())?;
    // Of groups of clients instants are not known by themselves.
    let tells = |t: &TrialResult| t.trial.duet && t.trial.load.groups_without_rate().is_none();
    let of_pair = |(a, b): &Two<'s>| if tells(a) && tells(b) { common_instants(a, b) } else { None };
    let of_cell = |pairs: &&[Two<'s>]| pairs.iter().map(of_pair).collect::<Option<Vec<PairInstants>>>();
    duet::log_ratios(&cells.iter().map(of_cell).collect::<Option<Vec<_>>>()?)
}

/// The least part of the intervals of both that must be the same: the ratio is that of the trials, and not of a part of them.
const MOSTLY: f64 = 0.9;

/// What both completed in each interval of their measured windows that is the same of both: their clients started together, so that
/// intervals have the same edges. `None` if most are not.
fn common_instants(a: &TrialResult, b: &TrialResult) -> Option<PairInstants> {
    /// Edges of one interval differ by less.
    const SAME_NS: u64 = 5_000_000;
    let measured = |t: &TrialResult| -> Vec<(u64, u64, f64)> {
        let rates = t.series.rates().filter(|rate| rate.phase == Phase::Measure);
        let completed = |rate: &IntervalRate| rate.tps * rate.to_ns.saturating_sub(rate.from_ns) as f64 / 1e9;
        rates.map(|rate| (rate.from_ns, rate.to_ns, completed(&rate))).collect()
    };
    let (of_a, of_b) = (measured(a), measured(b));
    let by_start: BTreeMap<u64, (u64, f64)> = of_b.iter().map(|(from, to, n)| (*from, (*to, *n))).collect();
    let partner = |from: u64, to: u64| {
        let near = by_start.range(from.saturating_sub(SAME_NS)..=from.saturating_add(SAME_NS)).next()?;
        (near.1.0.abs_diff(to) <= SAME_NS).then_some(near.1.1)
    };
    let both: PairInstants = of_a.iter().filter_map(|(from, to, n)| Some((*n, partner(*from, *to)?))).collect();
    (both.len() as f64 >= MOSTLY * of_a.len().max(of_b.len()) as f64).then_some(both)
}
