//! Whether a try-out (`--scale`) did what it should: it shows that a plan works. Its figures are of too few transactions to say anything, so
//! that doubts about figures are not what decides.

use crate::audit::STANDSTILL;
use crate::judged_trial::JudgedTrial;
use tenbin_model::doubt::Verdict;
use tenbin_model::event::EndState;
use tenbin_model::summary::{Summary, TrialResult};

/// INVALID for what concerns figures only: how fast, how evenly and when.
const OF_FIGURES: [&str; 2] = ["client-delayed", "clock-stepped"];

/// The errors of two transactions that want the same rows: of a thousandth of the data, many do (MySQL 8.0 error reference; PostgreSQL manual,
/// appendix A; SQLite's result codes).
const CONFLICTS: [&str; 13] =
    ["1213", "1205", "1020", "3572", "3101", "40000", "40001", "40P01", "55P03", "5", "6", "261", "517"];

/// Whether all trials of a try-out did what they should; `None` of another run.
pub fn works(summary: &Summary) -> Option<bool> {
    summary.scale()?;
    let all = &summary.trials;
    Some(
        summary.state == Some(EndState::Complete)
            && !all.is_empty()
            && all.iter().all(|trial| did_its_work(trial, all)),
    )
}

fn did_its_work(trial: &TrialResult, all: &[TrialResult]) -> bool {
    let accounting = &trial.tally.accounting;
    let errors = trial.tally.errors();
    let only_conflicts = !errors.is_empty() && errors.keys().all(|code| CONFLICTS.contains(&code.as_str()));
    // A target on which nothing ever completes does not work.
    let same_target = |other: &&TrialResult| other.trial.target.name == trial.trial.target.name;
    let target_works = || all.iter().filter(same_target).any(|other| other.tally.accounting.all_completed() > 0);
    let is_left_out = |code: &str| match code {
        "errors" => only_conflicts,
        // All of a few transactions wanted the same rows.
        "not-measured" | STANDSTILL if accounting.completed == 0 => {
            only_conflicts && accounting.all_failed() > 0 && target_works()
        }
        // All of those of a group did.
        "not-measured" => only_conflicts && accounting.all_failed() > 0,
        other => OF_FIGURES.contains(&other),
    };
    let mut invalid = trial.doubts().iter().filter(|doubt| doubt.verdict == Verdict::Invalid);
    trial.state == Some(EndState::Complete)
        && (accounting.all_failed() == 0 || only_conflicts)
        && invalid.all(|doubt| is_left_out(&doubt.code))
}
