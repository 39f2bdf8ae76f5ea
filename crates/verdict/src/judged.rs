//! The cells and the verdict of a run: its results as they are judged.

use crate::audit;
use crate::judged_trial::JudgedTrial;
use crate::question;
use std::collections::BTreeMap;
use tenbin_model::doubt::Verdict;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::tally::Tally;

/// A run as it is judged.
pub trait Judged {
    /// All cells, ordered by cell number, then the plan's order of targets.
    fn cells(&self) -> &[Cell];

    /// The worst verdict of all started trials and their cells; INVALID if there are none.
    fn verdict(&self) -> Verdict;
}

impl Judged for Summary {
    fn cells(&self) -> &[Cell] {
        self.kept_cells(cells_of)
    }

    fn verdict(&self) -> Verdict {
        if self.trials.iter().all(|t| !t.is_judged()) {
            return Verdict::Invalid;
        }
        self.cells().iter().map(|c| c.verdict).max().unwrap_or(Verdict::Invalid)
    }
}

fn cells_of(summary: &Summary) -> Vec<Cell> {
    let mut groups: BTreeMap<(u32, u32), Vec<&TrialResult>> = BTreeMap::new();
    for t in &summary.trials {
        groups.entry((t.trial.cell, t.trial.target.place)).or_default().push(t);
    }
    let mut cells: Vec<Cell> = groups.into_values().filter_map(cell_of).collect();
    let changes = audit::ChangesBefore::of(&summary.trials);
    for cell in &mut cells {
        cell.doubts = audit::doubts_of_cell(cell, &changes);
        cell.verdict = cell.verdict.max(audit::verdict(&cell.doubts));
    }
    cells
}

/// What some trials of a cell come to by themselves, such as those of pairs, by their numbers.
pub fn of_trials(summary: &Summary, numbers: &[u32]) -> Option<Cell> {
    cell_of(numbers.iter().filter_map(|number| summary.trial(*number)).collect())
}

/// The cell of these trials, without doubts of its own; `None` if there are none.
fn cell_of(mut trials: Vec<&TrialResult>) -> Option<Cell> {
    trials.sort_by_key(|t| t.trial.repeat);
    let planned = &trials.first()?.trial;
    let mut cell = Cell {
        cell: planned.cell,
        target: planned.target.name.clone(),
        experiment: planned.experiment.clone(),
        axes: planned.axes.clone(),
        trials: Vec::new(),
        left_out: Vec::new(),
        tps: Vec::new(),
        qps: Vec::new(),
        share: 1.0,
        tally: Tally::default(),
        begun: Tally::default(),
        standstill: None,
        doubts: Vec::new(),
        verdict: Verdict::Valid,
    };
    for t in trials.into_iter().filter(|t| t.is_judged()) {
        // The last repeat shows at which look they ended.
        cell.share = t.trial.share_of_look();
        let doubts = t.doubts();
        let verdict = audit::verdict(doubts);
        cell.verdict = cell.verdict.max(verdict);
        if verdict == Verdict::Invalid {
            cell.left_out.push(t.trial.number);
            cell.begun.merge(&t.tally);
            continue;
        }
        cell.trials.push(t.trial.number);
        cell.tps.push(question::tps(t));
        cell.qps.push(question::qps(t));
        cell.tally.merge(&t.tally);
        if doubts.iter().any(|d| d.code == audit::STANDSTILL) {
            let hidden = t.standstill().filter(|still| audit::is_hidden(t, still));
            cell.standstill = cell.standstill.into_iter().chain(hidden).max_by_key(|s| s.longest_ns);
        }
    }
    cell.begun.merge(&cell.tally);
    // One cell at a time takes the memory of counts that are added to.
    cell.tally.pack();
    cell.begun.pack();
    Some(cell)
}
