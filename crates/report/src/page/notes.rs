//! The notes of the run: warnings, information about loading, and errors in the server's words.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::event::Severity;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "notes",
    heading: || msg!("section-notes"),
    values,
    template: include_str!("../../templates/notes.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let of_run = m.summary.notes.iter().map(|(s, p)| (0, *s, p));
    let of_trials = m.summary.trials.iter().flat_map(|t| t.notes.iter().map(|(s, p)| (t.trial.number, *s, p)));
    // A note that several trials share is shown once, with their numbers.
    let mut all: Vec<(Severity, &tenbin_words::problem::Problem, Vec<u32>)> = Vec::new();
    for (trial, severity, problem) in of_run.chain(of_trials) {
        match all.iter_mut().find(|a| a.0 == severity && a.1 == problem) {
            Some(known) => known.2.push(trial),
            None => all.push((severity, problem, vec![trial])),
        }
    }
    all.sort_by_key(|a| std::cmp::Reverse(a.0));
    let grave = all.iter().any(|a| a.0 == Severity::Error);
    let word = |s| match s {
        Severity::Info => ("note", msg!("severity-note")),
        Severity::Warning => ("warning", msg!("severity-warning")),
        Severity::Error => ("error", msg!("severity-error")),
    };
    let notes: Vec<Value> = all
        .into_iter()
        .map(|(severity, problem, trials)| {
            let (class, word) = word(severity);
            let trials = bilingual::numbers(trials.into_iter().filter(|n| *n > 0).collect());
            context! { class, severity => bilingual::html(&word), trials, text => bilingual::problem(problem) }
        })
        .collect();
    (!notes.is_empty()).then(|| context! { notes, grave })
}
