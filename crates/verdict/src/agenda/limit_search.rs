//! Trials that search for the limit of each target: the next level depends on what the earlier ones showed.

use super::AgendaPart;
use crate::limit;
use crate::search;
use tenbin_model::search::{Search, Varied};
use tenbin_model::summary::TrialResult;
use tenbin_model::trial::{Schedule, Trial};

/// The trials of an experiment as planned, of which the first of each cell and target is the pattern of all. Targets take turns,
/// cells follow one another.
#[derive(Debug, Clone, Default)]
pub struct LimitSearch(Vec<(Trial, Search)>);

impl LimitSearch {
    /// Of these trials, all of one experiment.
    pub fn of(trials: Vec<Trial>) -> LimitSearch {
        let mut patterns: Vec<(Trial, Search)> = Vec::new();
        for trial in trials {
            let is_known =
                patterns.iter().any(|(known, _)| (known.cell, known.target.place) == (trial.cell, trial.target.place));
            if let Some(search) = trial.search.clone().filter(|_| !is_known) {
                patterns.push((trial, search));
            }
        }
        LimitSearch(patterns)
    }
}

impl AgendaPart for LimitSearch {
    fn next(&self, own: &[&TrialResult]) -> Option<Trial> {
        if own.iter().any(|t| t.state.is_none()) {
            return None;
        }
        let mut cells: Vec<u32> = self.0.iter().map(|(pattern, _)| pattern.cell).collect();
        cells.dedup();
        for cell in cells {
            let of_cell = self.0.iter().filter(|(pattern, _)| pattern.cell == cell);
            let open = of_cell.filter_map(|(pattern, search)| {
                let probed = probed(own, pattern, search);
                search::next(search, &limit::probes(&probed)).map(|level| (pattern, search, probed, level))
            });
            // Who has had fewest turns.
            if let Some((pattern, search, probed, level)) = open.min_by_key(|(_, _, probed, _)| probed.len()) {
                return Some(at_level(pattern, search, &probed, level));
            }
        }
        None
    }

    fn expected(&self, own: &[&TrialResult]) -> u32 {
        let of = |(pattern, search): &(Trial, Search)| {
            let probed = probed(own, pattern, search);
            let is_over = search::next(search, &limit::probes(&probed)).is_none();
            if is_over { probed.len() as u32 } else { search.trials }
        };
        self.0.iter().map(of).sum()
    }
}

/// The trials so far that look for the limit which this is the pattern for.
fn probed<'t>(own: &[&'t TrialResult], pattern: &Trial, search: &Search) -> Vec<&'t TrialResult> {
    let same = |t: &&&TrialResult| {
        t.trial.target.place == pattern.target.place && t.trial.search.as_ref().is_some_and(|s| s.cell == search.cell)
    };
    own.iter().filter(same).copied().collect()
}

/// The pattern at a level; trials at the same level are repeats of one cell.
fn at_level(pattern: &Trial, search: &Search, probed: &[&TrialResult], level: Option<f64>) -> Trial {
    let of = |t: &TrialResult| t.trial.search.as_ref().and_then(|search| search.level);
    let same: Vec<&&TrialResult> = probed.iter().filter(|t| of(t) == level).collect();
    let mut trial = pattern.clone();
    trial.seed = pattern.seed.wrapping_add(probed.len() as u64);
    trial.repeat = same.len() as u32 + 1;
    // Beyond the cells of any plan; the plan's own cell is in the search.
    let new = 1_000_000 + search.cell.saturating_mul(10_000) + pattern.target.place * 100 + probed.len() as u32;
    trial.cell = same.first().map_or(new, |t| t.trial.cell);
    trial.search = Some(Search { level, ..search.clone() });
    match (search.vary, level) {
        (Varied::Clients, Some(clients)) => {
            trial.load.clients = clients as u32;
            trial.axes.push((search.vary.axis().to_owned(), clients.to_string()));
        }
        (Varied::Rate, Some(level)) => {
            if let Schedule::Open { rate, .. } = &mut trial.load.schedule {
                *rate = level;
            }
            trial.axes.push((search.vary.axis().to_owned(), level.to_string()));
        }
        (_, None) => trial.load.schedule = Schedule::Closed,
    }
    trial
}
