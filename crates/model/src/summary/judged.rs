//! Results as they are judged and compared: the doubts and the verdict of a trial, its cell and the run.

use super::{Cell, Summary, TrialResult};
use crate::audit;
use crate::comparison::{self, Comparison};
use crate::doubt::{Doubt, Verdict};
use crate::tally::Tally;
use std::collections::BTreeMap;

impl Summary {
    /// All cells, ordered by cell number, then the plan's order of targets.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells: BTreeMap<(u32, u32), Cell> = BTreeMap::new();
        let mut trials: Vec<&TrialResult> = self.trials.iter().collect();
        trials.sort_by_key(|t| t.trial.repeat);
        for t in trials {
            let key = (t.trial.cell, t.trial.target.place);
            let cell = cells.entry(key).or_insert_with(|| Cell {
                cell: t.trial.cell,
                target: t.trial.target.name.clone(),
                experiment: t.trial.experiment.clone(),
                axes: t.trial.axes.clone(),
                trials: Vec::new(),
                left_out: Vec::new(),
                tps: Vec::new(),
                tally: Tally::default(),
                begun: Tally::default(),
                standstill: None,
                doubts: Vec::new(),
                verdict: Verdict::Valid,
            });
            if !t.begun {
                continue;
            }
            cell.begun.merge(&t.tally);
            let doubts = t.doubts();
            let verdict = audit::verdict(doubts);
            cell.verdict = cell.verdict.max(verdict);
            if verdict == Verdict::Invalid {
                cell.left_out.push(t.trial.number);
                continue;
            }
            cell.trials.push(t.trial.number);
            cell.tps.push(t.tps());
            cell.tally.merge(&t.tally);
            if doubts.iter().any(|d| d.code == audit::STANDSTILL) {
                cell.standstill = cell.standstill.into_iter().chain(t.standstill()).max_by_key(|s| s.longest_ns);
            }
        }
        let mut cells: Vec<Cell> = cells.into_values().collect();
        for cell in &mut cells {
            cell.doubts = audit::doubts_of_cell(cell);
            cell.verdict = cell.verdict.max(audit::verdict(&cell.doubts));
        }
        cells
    }

    /// Compares target `b` with target `a` over all cells of an experiment in which both were measured.
    pub fn compare(&self, experiment: &str, a: &str, b: &str) -> Option<Comparison> {
        comparison::compare(self, experiment, a, b)
    }

    /// Compares the two best targets of an experiment, the faster as `b`; `None` with fewer than two measured.
    pub fn verdict_pair(&self, experiment: &str) -> Option<Comparison> {
        let targets = self.targets();
        let first = targets.first()?;
        // Ranks all by their ratio to the first.
        let mut ranked: Vec<(f64, &String)> = targets
            .iter()
            .filter_map(|t| {
                if t == first { Some((1.0, t)) } else { self.compare(experiment, first, t).map(|c| (c.ratio, t)) }
            })
            .collect();
        ranked.sort_by(|x, y| y.0.total_cmp(&x.0));
        match ranked.as_slice() {
            [(_, best), (_, second), ..] => self.compare(experiment, second, best),
            _ => None,
        }
    }

    /// The worst verdict of all started trials and their cells; INVALID if there are none.
    pub fn verdict(&self) -> Verdict {
        if self.trials.iter().all(|t| !t.begun) {
            return Verdict::Invalid;
        }
        self.cells().iter().map(|c| c.verdict).max().unwrap_or(Verdict::Invalid)
    }
}

impl TrialResult {
    /// Its doubts.
    pub fn doubts(&self) -> &[Doubt] {
        self.doubts.get_or_init(|| audit::doubts(self))
    }

    /// The worst verdict of its doubts.
    pub fn verdict(&self) -> Verdict {
        audit::verdict(self.doubts())
    }

    /// Whether its figures are included in means, ratios and charts: it is not INVALID.
    pub fn counts(&self) -> bool {
        self.begun && self.tps() > 0.0 && self.verdict() != Verdict::Invalid
    }
}
