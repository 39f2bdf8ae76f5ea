//! The reasons to doubt a run: each once, with the trials that it concerns, the gravest first. Terminal, page and job summaries show the same ones.

use crate::judged::Judged;
use crate::judged_trial::JudgedTrial;
use std::cmp::Reverse;
use tenbin_model::doubt::Doubt;
use tenbin_model::summary::{Cell, Summary};
use tenbin_words::message::Message;

/// A doubt of one or several trials, or of the repeats of one or several cells.
#[derive(Debug, Clone)]
pub struct Reason<'s> {
    /// The first of them, in whose words it is told.
    pub doubt: &'s Doubt,
    /// The trials that it concerns, by number; of a cell all of its trials.
    pub trials: Vec<u32>,
    /// The cells whose repeats show it; none if it is of single trials.
    pub cells: Vec<&'s Cell>,
    /// What was seen: in the first trial, or in each of the cells.
    pub evidence: Vec<(Option<&'s Cell>, &'s Message)>,
}

impl Reason<'_> {
    /// In how many trials, or cells, it was found.
    pub fn found(&self) -> usize {
        if self.cells.is_empty() { self.trials.len() } else { self.cells.len() }
    }
}

/// The most pieces of evidence of one trial: of its groups of clients, or of its load hosts.
const MOST_OF_A_TRIAL: usize = 8;

/// Those of a run: what makes trials INVALID, then what concerns most of them.
pub fn of(summary: &Summary) -> Vec<Reason<'_>> {
    let judged = summary.trials.iter().filter(|t| t.is_judged());
    let of_trials = judged.flat_map(|t| t.doubts().iter().map(|doubt| (doubt, vec![t.trial.number], None)));
    let of_cells = summary.cells().iter().flat_map(|cell| {
        let of_cell = |doubt| (doubt, cell.trials.clone(), Some(cell));
        cell.doubts.iter().map(of_cell).collect::<Vec<_>>()
    });
    let mut all: Vec<Reason<'_>> = Vec::new();
    for (doubt, trials, cell) in of_trials.chain(of_cells) {
        let is_same = |known: &&mut Reason<'_>| {
            (&known.doubt.code, known.doubt.verdict) == (&doubt.code, doubt.verdict)
                && known.cells.is_empty() == cell.is_none()
        };
        let known = all.iter_mut().find(is_same);
        let evidence = doubt.problem.evidence.iter().map(|evidence| (cell, evidence));
        match known {
            Some(known) => {
                // Several groups of clients, or load hosts, of one trial may have it.
                let is_first = known.trials == trials && known.evidence.len() < MOST_OF_A_TRIAL;
                known.evidence.extend(evidence.filter(|_| cell.is_some() || is_first));
                if cell.is_some() || !trials.iter().all(|trial| known.trials.contains(trial)) {
                    known.trials.extend(trials);
                }
                known.cells.extend(cell);
            }
            None => all.push(Reason { doubt, trials, cells: cell.into_iter().collect(), evidence: evidence.collect() }),
        }
    }
    all.sort_by_key(|reason| Reverse((reason.doubt.verdict, reason.trials.len())));
    all
}
