//! The limits that two targets found, or a target in two runs, as a ratio: what a search is made for, and the only figure of one that can
//! become worse.

use crate::comparison::{CellRatio, Comparable, Comparison, reading};
use crate::limit::{self, Limit};
use tenbin_model::figures::Figure;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::{Summary, label};
use tenbin_words::message::foreign;

/// The ratio of the limits of `b` to those of `a`, in each cell in which both searched. Its interval is what the searches leave open: the limit is
/// somewhere between the highest level that was shown to hold and the lowest that did not. `None` if `a` holds nowhere at all.
pub fn of(summary: &Summary, experiment: &str, [a, b]: [&str; 2]) -> Option<Comparison> {
    let (of_a, of_b) = (of_target(summary, experiment, a), of_target(summary, experiment, b));
    let pairs = of_a.iter().filter_map(|a| Some((a, of_b.iter().find(|b| b.axes == a.axes)?)));
    let cells: Vec<CellRatio> = pairs.filter_map(|(a, b)| in_cell(a, b)).collect();
    let first = cells.first()?;
    Some(Comparison {
        a: a.to_owned(),
        b: b.to_owned(),
        words: [foreign(a), foreign(b)],
        along: None,
        figure: Figure::Transactions,
        ratio: first.ratio,
        confidence: first.confidence,
        of_one_only: Default::default(),
        unpaired: Vec::new(),
        // Each search found its own limit.
        cells_differ: Some(cells.len() > 1),
        pairs: cells.len(),
        // No spread of repeats is estimated.
        freedom: usize::MAX,
        duet: None,
        more_repeats: None,
        cells,
    })
}

/// How far two limits of a cell lie apart.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitLead {
    /// The experiment.
    pub experiment: String,
    /// The values of the matrix, without the axis that is searched along.
    pub axes: Vec<(String, String)>,
    /// The base: the target that the plan names, or the first of stored runs; without one the second highest.
    pub a: Limit,
    /// The highest of the others.
    pub b: Limit,
    /// The limit of `b` over that of `a`, both as shown to hold; the interval is what the searches leave open.
    pub interval: Confidence,
}

impl LimitLead {
    /// Whether the levels that were tried show that one is higher.
    pub fn is_decided(&self) -> bool {
        matches!(reading(Some(self.interval)), Comparable::Higher | Comparable::Lower)
    }
}

/// For each cell in which several targets found a limit, or the target of several stored runs that are compared by target.
pub fn leads(summary: &Summary) -> Vec<LimitLead> {
    let limits = limit::of(summary);
    let trial = |l: &Limit| summary.trials.iter().find(|t| t.trial.search.is_some() && t.trial.target.name == l.target);
    let of_run = |l: &Limit| trial(l).and_then(|t| t.of_run.as_ref());
    let is_base = |l: &&Limit| match of_run(l) {
        Some(of) => of.place == 0,
        None => trial(l).is_some_and(|t| t.trial.target.baseline),
    };
    let place = |l: &Limit| (l.experiment.clone(), l.axes.clone(), of_run(l).map(|of| of.target.clone()));
    let mut places = Vec::new();
    for l in &limits {
        if !places.contains(&place(l)) {
            places.push(place(l));
        }
    }
    let lead = |at| {
        let all: Vec<&Limit> = limits.iter().filter(|l| place(l) == at).collect();
        let highest =
            |but: Option<&str>| limit::highest(all.iter().copied().filter(|l| Some(l.target.as_str()) != but));
        let first = all.iter().copied().find(is_base).or_else(|| highest(None))?;
        let second = highest(Some(&first.target))?;
        let (a, b) = if is_base(&first) { (first, second) } else { (second, first) };
        // Where all that was allowed held, the limit is not known.
        let both = a.fails.and(a.shown()).and(b.shown());
        let interval = both.and_then(|_| in_cell(a, b)?.confidence)?;
        let (experiment, axes) = (a.experiment.clone(), a.axes.clone());
        Some(LimitLead { experiment, axes, a: a.clone(), b: b.clone(), interval })
    };
    places.into_iter().filter_map(lead).collect()
}

/// The cells in which `a` searched and `b` did not, by their values of the matrix.
pub fn only_in_first(summary: &Summary, experiment: &str, a: &str, b: Option<&str>) -> Vec<Vec<(String, String)>> {
    let of_b = b.map(|b| of_target(summary, experiment, b)).unwrap_or_default();
    let own = of_target(summary, experiment, a).into_iter().map(|l| l.axes);
    own.filter(|axes| of_b.iter().all(|l| l.axes != *axes)).collect()
}

fn of_target(summary: &Summary, experiment: &str, target: &str) -> Vec<Limit> {
    limit::of(summary).into_iter().filter(|l| l.experiment == experiment && l.target == target).collect()
}

fn in_cell(a: &Limit, b: &Limit) -> Option<CellRatio> {
    let base = a.holds.filter(|level| *level > 0.0)?;
    let ratio = b.holds.unwrap_or(0.0) / base;
    // Above the highest level that was allowed, nothing was looked for.
    let above = |l: &Limit| l.fails.or(l.holds).unwrap_or(f64::INFINITY);
    let (low, high) = (b.shown().unwrap_or(0.0) / above(a), above(b) / base);
    let is_decided = |l: &Limit| l.undecided().is_none();
    // What only seems to hold may be lower; where even the lowest level that did not hold is below the base, that decides.
    let interval = Some(Confidence { value: ratio, low, high }).filter(|_| is_decided(a));
    let confidence = interval.filter(|i| is_decided(b) || i.high < 1.0);
    Some(CellRatio {
        cell: a.search.cell,
        label: label(&a.axes),
        axes: a.axes.clone(),
        ratio,
        confidence,
        among_cells: confidence,
        pairs: 1,
        trials: Default::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Level;
    use tenbin_model::search::{Objective, Search, Varied};

    /// A limit between two levels; this many of three hundred transactions met the lower one.
    fn limit(holds: f64, fails: f64, completed: u64) -> Limit {
        let until = Objective::parse("p99 < 20ms").expect("an objective");
        let search = Search { vary: Varied::Rate, until, from: 1.0, to: None, trials: 6, cell: 1, level: None };
        let (tps, time_ns) = (Some(holds), Some(1e6));
        let level = Level { level: Some(holds), held: 2, failed: 0, tps, time_ns, completed, needed: 300 };
        let (experiment, target) = (String::new(), String::new());
        Limit {
            experiment,
            target,
            axes: Vec::new(),
            search,
            is_of_orders: false,
            holds: Some(holds),
            fails: Some(fails),
            is_found: true,
            levels: vec![level],
        }
    }

    #[test]
    fn what_the_searches_leave_open_is_the_interval() {
        let of = |a: &Limit, b: &Limit| {
            let lead = in_cell(a, b).expect("a ratio");
            (lead.ratio, lead.confidence.map(|i| (i.low, i.high)))
        };
        let base = limit(500.0, 625.0, 300);
        assert_eq!(of(&base, &limit(400.0, 450.0, 300)), (0.8, Some((0.64, 0.9))));
        // It is lower whether what seems to hold does or not.
        assert_eq!(of(&base, &limit(400.0, 450.0, 299)), (0.8, Some((0.0, 0.9))));
        assert_eq!(of(&base, &limit(400.0, 550.0, 299)), (0.8, None));
        assert_eq!(of(&limit(500.0, 625.0, 299), &limit(400.0, 450.0, 300)), (0.8, None));
    }
}
