//! The limits that searches found, from the trials of a run: the highest rate, or number of clients, at which a target holds an
//! objective.

use crate::judged_trial::JudgedTrial;
use crate::question::{self, TimesOf};
use crate::rate;
use crate::search::{self, Probe, bracket, times_of, votes};
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::doubt::Verdict;
use tenbin_model::search::Search;
use tenbin_model::statistics;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// A level of a search with what its trials showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The rate per second or the number of clients; `None`: the closed loop before rates.
    pub level: Option<f64>,
    /// How many of its trials met the objective …
    pub held: u32,
    /// … and how many did not.
    pub failed: u32,
    /// Completed per second, the mean of its trials that are not INVALID; `None`: all are.
    pub tps: Option<f64>,
    /// The objective's figure from the merged histograms of these, nanoseconds; `None`: they completed nothing.
    pub time_ns: Option<f64>,
    /// Completed by all of these.
    pub completed: u64,
    /// How many it takes to show that the objective holds.
    pub needed: u64,
}

impl Level {
    /// Whether most of its trials met the objective, by so few transactions that they do not show it.
    pub fn is_undecided(&self) -> bool {
        self.held > self.failed && self.completed < self.needed
    }
}

/// The limit of one target in one cell of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The experiment.
    pub experiment: String,
    /// The target.
    pub target: String,
    /// The cell's values of the plan's matrix.
    pub axes: Vec<(String, String)>,
    /// What was searched for.
    pub search: Search,
    /// Whether the times that its objective speaks of are those of New-Orders.
    pub is_of_orders: bool,
    /// The highest level that was held; `None`: not even the lowest.
    pub holds: Option<f64>,
    /// The lowest that was not held; `None`: all were.
    pub fails: Option<f64>,
    /// Whether the two are close, or nothing higher is possible: the search came to its end, and what holds is shown.
    pub is_found: bool,
    /// All levels in order, the closed loop last.
    pub levels: Vec<Level>,
}

/// The limits that the trials so far show, in the order of experiments, cells and targets.
pub fn of(summary: &Summary) -> Vec<Limit> {
    let mut groups: BTreeMap<(u32, u32), Vec<&TrialResult>> = BTreeMap::new();
    for trial in summary.trials.iter().filter(|t| t.state.is_some()) {
        if let Some(search) = &trial.trial.search {
            groups.entry((search.cell, trial.trial.target.place)).or_default().push(trial);
        }
    }
    groups.into_values().filter_map(|trials| of_trials(&trials)).collect()
}

/// The one that holds the highest level: what is shown comes before what seems to hold.
pub fn highest<'l>(limits: impl Iterator<Item = &'l Limit>) -> Option<&'l Limit> {
    let rank = |limit: &Limit| [limit.shown(), limit.holds].map(|level| level.unwrap_or(0.0));
    limits.max_by(|x, y| {
        let ([shown, seems], [other_shown, other_seems]) = (rank(x), rank(y));
        shown.total_cmp(&other_shown).then(seems.total_cmp(&other_seems))
    })
}

/// The probes of one target and cell, in their order.
pub(crate) fn probes(trials: &[&TrialResult]) -> Vec<Probe> {
    let of = |t: &&TrialResult| {
        let search = t.trial.search.as_ref()?;
        let count = &t.tally.accounting;
        Some(Probe {
            level: search.level,
            is_valid: t.verdict() != Verdict::Invalid,
            kept_up: rate::is_held(t) != Some(false),
            completed: count.completed,
            failed: count.failed,
            tps: t.tps(),
            times: question::times(t),
        })
    };
    trials.iter().filter_map(of).collect()
}

fn of_trials(trials: &[&TrialResult]) -> Option<Limit> {
    let first = trials.first()?;
    let search = first.trial.search.clone()?;
    let probes = probes(trials);
    let levels = votes(&search.until, &probes);
    let (holds, fails) = bracket(&levels);
    let figure = search.until.figure();
    let level = |level: Option<f64>| {
        let of_level: Vec<&Probe> = probes.iter().filter(|probe| probe.level == level).collect();
        let held = of_level.iter().filter(|probe| search::is_met(&search.until, &[**probe])).count() as u32;
        let measured = of_level.iter().filter(|probe| probe.is_valid);
        let tps: Vec<f64> = measured.map(|probe| probe.tps).collect();
        let times = Some(times_of(&of_level)).filter(|times| times.count() > 0);
        Level {
            level,
            held,
            failed: of_level.len() as u32 - held,
            tps: statistics::mean(&tps),
            time_ns: times.map(|times| figure.of_times(&times)),
            completed: search::completed(&of_level),
            needed: search::needed(&search.until, &of_level),
        }
    };
    let mut all: Vec<Level> = levels.iter().map(|(at, _)| level(Some(*at))).collect();
    all.extend(probes.iter().any(|probe| probe.level.is_none()).then(|| level(None)));
    let is_shown = |level: &Level| level.level.is_none() || level.level != holds || level.completed >= level.needed;
    let is_found = all.iter().all(is_shown)
        && match (holds, fails) {
            (Some(holds), Some(fails)) => search::are_close(&search, holds, fails),
            (Some(_), None) => search::next(&search, &probes).is_none() && (probes.len() as u32) < search.trials,
            _ => false,
        };
    let axes = first.trial.axes.iter().filter(|(key, _)| key != search.vary.axis());
    Some(Limit {
        experiment: first.trial.experiment.clone(),
        target: first.trial.target.name.clone(),
        axes: axes.cloned().collect(),
        search,
        is_of_orders: TimesOf::trial(first) == TimesOf::NewOrders,
        holds,
        fails,
        is_found,
        levels: all,
    })
}

impl Limit {
    /// The level that seems to hold, if that rests on too few transactions to be shown.
    pub fn undecided(&self) -> Option<&Level> {
        let seems = self.levels.iter().find(|level| level.level.is_some() && level.level == self.holds);
        seems.filter(|level| level.completed < level.needed)
    }

    /// The highest level that was shown to hold.
    pub fn shown(&self) -> Option<f64> {
        self.holds.filter(|_| self.undecided().is_none())
    }

    /// What is missing if the level that seems to hold is not shown to, and the window in which there would be enough.
    fn undecided_sentence(&self, level: &Level) -> Message {
        let window = (level.needed as f64 / level.tps.unwrap_or_default().max(f64::MIN_POSITIVE)).ceil();
        let (completed, needed) = (figure::grouped(level.completed as f64), figure::grouped(level.needed as f64));
        msg!("limit-undecided-level", completed, needed, window)
    }

    /// What was to hold, and of which transactions.
    pub fn until(&self) -> Message {
        let until = self.search.until.to_string();
        if self.is_of_orders { msg!("limit-until-of-orders", until) } else { foreign(until) }
    }

    /// What the search found, as a sentence.
    pub fn sentence(&self) -> Message {
        let (target, until) = (self.target.as_str(), self.until());
        let cell = match self.axes.as_slice() {
            [] => foreign(""),
            axes => msg!("limit-in-cell", cell = axis::cell(axes)),
        };
        let at = |level: f64| self.search.vary.amount(level);
        let number = |level: f64| figure::grouped(level);
        if let (Some(holds), Some(level)) = (self.holds, self.undecided()) {
            let why = self.undecided_sentence(level);
            let fails = match self.fails {
                Some(fails) => msg!("limit-undecided-below", fails = number(fails)),
                None => foreign(""),
            };
            return msg!("limit-is-undecided", target, cell, until, holds = at(holds), fails, why);
        }
        match (self.holds, self.fails) {
            (None, None) => msg!("limit-nothing", target, cell, until),
            (None, Some(fails)) => msg!("limit-none", target, cell, until, fails = at(fails)),
            (Some(holds), None) => msg!("limit-all", target, cell, until, holds = at(holds)),
            (Some(holds), Some(fails)) if self.is_found => {
                msg!("limit-found", target, cell, until, holds = at(holds), fails = number(fails))
            }
            (Some(holds), Some(fails)) => {
                msg!("limit-between", target, cell, until, holds = at(holds), fails = number(fails))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::search::{Objective, Varied};

    #[test]
    fn what_is_shown_comes_before_what_seems_to_hold() {
        let limit = |target: &str, level: f64, completed: u64| {
            let (until, vary) = (Objective::parse("p99 < 20ms").unwrap(), Varied::Rate);
            let search = Search { vary, until, from: 100.0, to: None, trials: 4, cell: 1, level: None };
            let (tps, time_ns) = (Some(level), Some(1e6));
            let entry = Level { level: Some(level), held: 2, failed: 0, tps, time_ns, completed, needed: 300 };
            Limit {
                experiment: String::new(),
                target: target.to_owned(),
                axes: Vec::new(),
                search,
                is_of_orders: false,
                holds: Some(level),
                fails: None,
                is_found: false,
                levels: vec![entry],
            }
        };
        let of = |all: &[Limit]| highest(all.iter()).map(|limit| limit.target.clone()).unwrap_or_default();
        assert_eq!(of(&[limit("few", 500.0, 299), limit("shown", 100.0, 300), limit("less", 50.0, 900)]), "shown");
        assert_eq!(of(&[limit("higher", 312.0, 200), limit("lower", 153.0, 100)]), "higher", "none is shown");
        assert_eq!(of(&[]), "");
    }
}
