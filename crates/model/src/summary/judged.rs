//! Results as they are judged and compared: the doubts and the verdict of a trial, its cell and the run.

use super::{Cell, Summary, TrialResult};
use crate::audit;
use crate::comparison::{self, Comparing, Comparison};
use crate::doubt::{Doubt, Verdict};
use crate::question::{Figure, Question};
use std::collections::{BTreeMap, BTreeSet};

impl Summary {
    /// All cells, ordered by cell number, then the plan's order of targets.
    pub fn cells(&self) -> &[Cell] {
        self.cells.0.get_or_init(|| self.judged_cells())
    }

    fn judged_cells(&self) -> Vec<Cell> {
        let mut groups: BTreeMap<(u32, u32), Vec<&TrialResult>> = BTreeMap::new();
        for t in &self.trials {
            groups.entry((t.trial.cell, t.trial.target.place)).or_default().push(t);
        }
        let mut cells: Vec<Cell> = groups.into_values().filter_map(Cell::of).collect();
        let changes = audit::ChangesBefore::of(&self.trials);
        for cell in &mut cells {
            cell.doubts = audit::doubts_of_cell(cell, &changes);
            cell.verdict = cell.verdict.max(audit::verdict(&cell.doubts));
        }
        cells
    }

    /// What the trials of an experiment that are in the figures ask.
    pub fn questions(&self, experiment: &str) -> Vec<Question> {
        let of_experiment = self.trials.iter().filter(|t| t.trial.experiment == experiment && t.counts());
        let all: BTreeSet<Question> = of_experiment.map(Question::of).collect();
        all.into_iter().collect()
    }

    /// The comparisons that answer a question: of each other target with the base, in the order of the plan. The base is the
    /// plan's baseline; without one, of two targets the one that does worse, of more the first one.
    pub fn comparisons(&self, experiment: &str, question: Question, figure: Figure) -> Vec<Comparison> {
        let asked = |t: &&TrialResult| t.trial.experiment == experiment && t.counts() && Question::of(t) == question;
        let measured: BTreeSet<&str> = self.trials.iter().filter(asked).map(|t| t.trial.target.name.as_str()).collect();
        let targets: Vec<String> = self.targets().into_iter().filter(|t| measured.contains(t.as_str())).collect();
        let named =
            self.trials.iter().map(|t| &t.trial.target).find(|target| target.baseline).map(|target| &target.name);
        let Some(base) = named.filter(|name| targets.contains(name)).or(targets.first()) else { return Vec::new() };
        let comparisons = targets.len().saturating_sub(1);
        let what = |figure| Comparing { experiment, question, figure, comparisons };
        let with_base = |base: &String, figure| -> Vec<Comparison> {
            let others = targets.iter().filter(|target| *target != base);
            others.filter_map(|target| comparison::compare(self, &what(figure), base, target)).collect()
        };
        let main = question.figure();
        match with_base(base, main).as_slice() {
            // The same base for every figure.
            [one] if named.is_none() && targets.len() == 2 && (one.ratio < 1.0) != main.is_time() => {
                with_base(&one.b, figure)
            }
            found if figure == main => found.to_vec(),
            _ => with_base(base, figure),
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
