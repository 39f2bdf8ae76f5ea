//! A search for the limit of a target: the highest rate, or number of clients, at which it holds an objective such as `p99 < 20ms`.
//!
//! The search brackets the limit: it probes levels until the highest that was held and the lowest that was not are 2 % apart, and
//! then probes both again, because near the limit chance decides. What its trials showed together decides whether a level holds:
//! percentiles come from their merged histograms. Where a higher level holds although a lower one did not, the lower one is
//! probed again, and believed if it fails again. A level that is met by so few transactions that they do not show it is probed
//! until they do; if the trials left do not suffice for that, it is undecided.

use crate::enough;
use std::collections::BTreeMap;
use tenbin_model::figures::Figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::search::{Condition, Limited, Objective, Search, Varied};
use tenbin_model::statistics;

/// Levels this close to one another are not told apart.
const CLOSE: f64 = 1.02;
/// The first rate that is probed, as a share of the throughput of the closed loop.
const FIRST: f64 = 0.7;
/// A rate beyond this share of the throughput of the closed loop is not probed.
const BEYOND: f64 = 1.05;
/// How far below the throughput of the closed loop rates are probed.
const LOWEST: f64 = 0.005;

/// One trial of a search that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Its level; `None`: the closed loop before rates.
    pub level: Option<f64>,
    /// Whether it is a measurement: not INVALID.
    pub is_valid: bool,
    /// Whether the rate was held, if it has one.
    pub kept_up: bool,
    /// Completed transactions …
    pub completed: u64,
    /// … and failed ones.
    pub failed: u64,
    /// Completed per second.
    pub tps: f64,
    /// Response times, of TPC-C those of New-Orders.
    pub times: Histogram,
}

/// What is known of a level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Votes {
    /// How many of its trials met the objective by themselves …
    held: u32,
    /// … and how many did not.
    failed: u32,
    /// Whether all together met it.
    is_held: bool,
    /// Whether these have enough transactions to show that …
    is_shown: bool,
    /// … and if not, with how many trials in all there would be enough.
    trials_needed: u32,
}

impl Votes {
    fn all(self) -> u32 {
        self.held + self.failed
    }

    fn is_tied(self) -> bool {
        self.held == self.failed
    }

    /// Whether the number of trials that are left would show whether it is held.
    fn would_be_shown_by(self, left: u32) -> bool {
        self.is_held && !self.is_shown && self.trials_needed <= self.all() + left
    }
}

/// Levels in order, with what is known of each. Rates are positive, so their bits are in the order of their values.
pub(crate) fn votes(until: &Objective, probes: &[Probe]) -> Vec<(f64, Votes)> {
    let mut levels: BTreeMap<u64, Vec<&Probe>> = BTreeMap::new();
    for probe in probes {
        if let Some(level) = probe.level {
            levels.entry(level.to_bits()).or_default().push(probe);
        }
    }
    let known = |probes: &[&Probe]| {
        let held = probes.iter().filter(|probe| is_met(until, &[**probe])).count() as u32;
        let (completed, needed) = (completed(probes), needed(until, probes));
        let trials_needed = (needed as f64 / (completed.max(1) as f64 / probes.len() as f64)).ceil();
        Votes {
            held,
            failed: probes.len() as u32 - held,
            is_held: is_met(until, probes),
            is_shown: completed >= needed,
            trials_needed: trials_needed as u32,
        }
    };
    levels.into_iter().map(|(bits, probes)| (f64::from_bits(bits), known(&probes))).collect()
}

/// The highest level that was held below all that were not, and the lowest that was not.
pub(crate) fn bracket(levels: &[(f64, Votes)]) -> (Option<f64>, Option<f64>) {
    let fails = levels.iter().find(|(_, votes)| !votes.is_held).map(|(level, _)| *level);
    let mut below = levels.iter().filter(|(level, votes)| votes.is_held && fails.is_none_or(|fails| *level < fails));
    (below.next_back().map(|(level, _)| *level), fails)
}

/// Whether these trials of one level met it, together.
pub(crate) fn is_met(objective: &Objective, probes: &[&Probe]) -> bool {
    let measured: Vec<&&Probe> = probes.iter().filter(|probe| probe.is_valid).collect();
    let times = times_of(probes);
    let sum = |of: fn(&Probe) -> u64| measured.iter().map(|probe| of(probe) as f64).sum::<f64>();
    let (completed, failed) = (sum(|probe| probe.completed), sum(|probe| probe.failed));
    let tps = statistics::mean(&measured.iter().map(|probe| probe.tps).collect::<Vec<_>>()).unwrap_or(0.0);
    let time = |ns: f64| if times.count() > 0 { ns } else { f64::INFINITY };
    let kept_up = measured.iter().filter(|probe| probe.kept_up).count();
    2 * kept_up > probes.len()
        && completed > 0.0
        && objective.conditions.iter().all(|Condition { of, may_equal }| {
            let (lower, higher) = match of {
                Limited::Time(figure, ns) => (time(figure.of_times(&times)), *ns),
                Limited::Longest(ns) => (time(times.max_ns() as f64), *ns),
                Limited::Errors(share) => (failed, share * (failed + completed)),
                Limited::Throughput(least) => (*least, tps),
            };
            lower < higher || (*may_equal && lower == higher)
        })
}

/// How many transactions trials must have together to show that they meet the objective.
pub(crate) fn needed(objective: &Objective, probes: &[&Probe]) -> u64 {
    let failed = probes.iter().any(|probe| probe.is_valid && probe.failed > 0);
    let times = times_of(probes);
    let longest = times.max_ns() as f64;
    // The times of TPC-C are those of New-Orders, of which only a part of the transactions consists.
    let for_each = (completed(probes) as f64 / times.count().max(1) as f64).max(1.0);
    let of = |condition: &Condition| match condition.of {
        Limited::Time(Figure::Percentile(thousandths), ns) if longest < ns => {
            for_each * enough::without_any_above(thousandths)
        }
        Limited::Time(Figure::Percentile(thousandths), _) => for_each * enough::for_percentile(thousandths),
        Limited::Errors(share) if !failed => enough::without_failure(share),
        Limited::Time(..) | Limited::Longest(_) | Limited::Errors(_) | Limited::Throughput(_) => 0.0,
    };
    objective.conditions.iter().map(of).fold(0.0, f64::max).ceil() as u64
}

/// Completed by these trials, of which an INVALID one is no measurement.
pub(crate) fn completed(probes: &[&Probe]) -> u64 {
    probes.iter().filter(|probe| probe.is_valid).map(|probe| probe.completed).sum()
}

/// The response times of these trials together, of which an INVALID one is no measurement.
pub(crate) fn times_of(probes: &[&Probe]) -> Histogram {
    let mut times = Histogram::new();
    probes.iter().filter(|probe| probe.is_valid).for_each(|probe| times.merge(&probe.times));
    times
}

/// What is probed next, given all that has been: `Some(None)` is the closed loop; `None`: the search has ended.
pub fn next(search: &Search, probes: &[Probe]) -> Option<Option<f64>> {
    if probes.len() as u32 >= search.trials {
        return None;
    }
    let peak = match search.vary {
        Varied::Clients => None,
        Varied::Rate => {
            let closed: Vec<&Probe> = probes.iter().filter(|probe| probe.level.is_none()).collect();
            match closed.iter().find(|probe| probe.is_valid && probe.tps > 0.0) {
                Some(measured) => Some(measured.tps),
                // A peak that was not measured limits nothing: it is tried once more.
                None => return (closed.len() < 2).then_some(None),
            }
        }
    };
    let levels = votes(&search.until, probes);
    let known = |level: f64| levels.iter().find(|(other, _)| *other == level).map_or(Votes::default(), |l| l.1);
    let (held, fails) = bracket(&levels);
    if let Some((level, _)) = levels.iter().find(|(_, votes)| votes.is_tied()) {
        return Some(Some(*level));
    }
    // A higher level was held.
    let doubtful = fails.filter(|fails| levels.iter().any(|(level, votes)| level > fails && votes.is_held));
    if let Some(level) = doubtful.filter(|level| known(*level).all() < 2) {
        return Some(Some(level));
    }
    let top = [search.to, peak.map(|peak| peak * BEYOND)].into_iter().flatten().fold(f64::INFINITY, f64::min);
    let next = match (held, fails) {
        (None, None) => Some(
            peak.map_or(search.from, |peak| rounded(search, FIRST * peak).clamp(search.from, top.max(search.from))),
        ),
        (None, Some(fails)) => {
            let lowest = peak.map_or(search.from, |peak| search.from.max(LOWEST * peak));
            (fails > lowest).then(|| rounded(search, fails / 2.0).max(lowest))
        }
        (Some(held), None) if search.vary == Varied::Clients => (held < top).then(|| (2.0 * held).min(top)),
        (Some(held), None) => (held * CLOSE < top).then(|| between(search, held, top)),
        (Some(held), Some(fails)) => (!are_close(search, held, fails)).then(|| aimed(search, probes, held, fails)),
    };
    // Near the limit chance decides: both ends are probed twice, and the one that is held until its transactions show it.
    let left = search.trials - probes.len() as u32;
    let unsure = |level: &f64| known(*level).all() < 2 || known(*level).would_be_shown_by(left);
    let level = next.filter(|level| known(*level).all() == 0).or(held.filter(unsure)).or(fails.filter(unsure));
    level.map(Some)
}

pub(crate) fn are_close(search: &Search, held: f64, fails: f64) -> bool {
    fails <= held * CLOSE || (search.vary == Varied::Clients && fails - held <= 1.0)
}

/// Where the limit seems to be, between a level that was held and one that was not: on the line through the logarithms of their
/// times, at the allowed one, and a little to the side that is further away, so that the next two levels enclose it. Half-way if
/// the times do not show.
fn aimed(search: &Search, probes: &[Probe], held: f64, fails: f64) -> f64 {
    let half = between(search, held, fails);
    let (Varied::Rate, Some((figure, allowed_ns))) = (search.vary, search.until.time()) else { return half };
    // As the logarithm of a share of what it may be: below 0 if it was short enough.
    let time = |level: f64| {
        let of_level: Vec<&Probe> = probes.iter().filter(|probe| probe.level == Some(level)).collect();
        (figure.of_times(&times_of(&of_level)) / allowed_ns).ln()
    };
    let (low, high) = (time(held), time(fails));
    if !(low < 0.0 && high > 0.0 && (high - low).is_finite()) {
        return half;
    }
    let aim = held * (fails / held).powf(-low / (high - low));
    // Not so close to one side that the other would never move.
    let aim = aim.clamp(held * (fails / held).powf(0.1), held * (fails / held).powf(0.9));
    let aside = CLOSE.powf(0.45);
    let level = rounded(search, if fails / aim > aim / held { aim * aside } else { aim / aside });
    if level > held && level < fails { level } else { half }
}

fn between(search: &Search, low: f64, high: f64) -> f64 {
    match search.vary {
        Varied::Clients => ((low + high) / 2.0).floor(),
        Varied::Rate => rounded(search, (low * high).sqrt()),
    }
}

/// To four digits, or to whole clients.
fn rounded(search: &Search, level: f64) -> f64 {
    match search.vary {
        Varied::Clients => level.floor().max(1.0),
        Varied::Rate => {
            let step = 10f64.powi(level.log10().floor() as i32 - 3);
            let digits = (3 - level.log10().floor() as i32).max(0) as usize;
            // Written and read again, so that it is the number that is shown.
            format!("{:.digits$}", (level / step).round() * step).parse().unwrap_or(level)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search() -> Search {
        let until = Objective::parse("p99 < 20ms").expect("an objective");
        Search { vary: Varied::Rate, until, from: 1.0, to: None, trials: 12, cell: 1, level: None }
    }

    /// A thousand transactions, each of this many milliseconds.
    fn probe(level: Option<f64>, ms: u64) -> Probe {
        let mut times = Histogram::new();
        times.record_n(ms * 1_000_000, 1000);
        Probe { level, is_valid: true, kept_up: true, completed: 1000, failed: 0, tps: 1000.0, times }
    }

    #[test]
    fn a_trial_that_did_not_keep_up_is_not_left_out_of_its_level() {
        let at = |probes: Vec<Probe>| votes(&search().until, &probes)[0].1.is_held;
        let slow = Probe { kept_up: false, ..probe(Some(500.0), 800) };
        assert!(at(vec![probe(Some(500.0), 15), probe(Some(500.0), 15)]));
        assert!(!at(vec![probe(Some(500.0), 15), probe(Some(500.0), 15), slow]), "its times are in the percentile");
        // What is no measurement says nothing of times, and counts as not held.
        let invalid = || Probe { is_valid: false, ..probe(Some(500.0), 800) };
        assert!(at(vec![probe(Some(500.0), 15), probe(Some(500.0), 15), invalid()]));
        assert!(!at(vec![probe(Some(500.0), 15), invalid()]));
    }

    #[test]
    fn a_level_is_probed_until_its_transactions_show_that_it_is_held() {
        let of = |level: f64, ms: u64, completed: u64| Probe { completed, ..probe(Some(level), ms) };
        let bracketed = |completed: u64| {
            let fails = [of(505.0, 30, 1000), of(505.0, 30, 1000)];
            let held = [of(500.0, 15, completed), of(500.0, 15, completed)];
            [vec![probe(None, 1)], held.to_vec(), fails.to_vec()].concat()
        };
        assert_eq!(next(&search(), &bracketed(150)), None, "three hundred together, and none above the limit");
        // 12 trials, of which 5 were made: seven more of 34 suffice for three hundred.
        assert_eq!(next(&search(), &bracketed(34)), Some(Some(500.0)));
        assert_eq!(next(&search(), &bracketed(33)), None, "no trials that are left would show it");
        assert_eq!(needed(&search().until, &[&of(500.0, 15, 1), &of(500.0, 30, 1)]), 1000, "some above the limit");
        let errors = Search { until: Objective::parse("errors < 1%").expect("an objective"), ..search() };
        assert_eq!(needed(&errors.until, &[&probe(None, 1)]), 300);
        assert_eq!(needed(&errors.until, &[&Probe { failed: 1, ..probe(None, 1) }]), 0);
    }

    #[test]
    fn a_peak_that_was_no_measurement_is_tried_once_more() {
        let invalid = || Probe { is_valid: false, ..probe(None, 1) };
        assert_eq!(next(&search(), &[]), Some(None));
        assert_eq!(next(&search(), &[invalid()]), Some(None));
        assert_eq!(next(&search(), &[invalid(), invalid()]), None);
        assert_eq!(next(&search(), &[invalid(), probe(None, 1)]), Some(Some(700.0)));
    }
}
