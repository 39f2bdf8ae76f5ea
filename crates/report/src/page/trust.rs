//! The verdicts of the trials with their reasons. This section is omitted if all trials have run and are VALID, and no
//! cell has a doubt.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::summary::{Cell, TrialResult};
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::reasons;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "trust",
    heading: || msg!("section-trust"),
    values,
    template: include_str!("../../templates/trust.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let begun: Vec<(&TrialResult, &[Doubt])> =
        m.summary.trials.iter().filter(|t| t.is_judged()).map(|t| (t, t.doubts())).collect();
    let verdicts: Vec<Verdict> = begun.iter().map(|(_, d)| tenbin_verdict::audit::verdict(d)).collect();
    let not_begun: Vec<u32> = m.summary.trials.iter().filter(|t| !t.is_judged()).map(|t| t.trial.number).collect();
    let sound = verdicts.iter().all(|v| *v == Verdict::Valid) && m.cells.iter().all(|c| c.doubts.is_empty());
    if not_begun.is_empty() && sound {
        return None;
    }
    let mut counts: Vec<Value> = [Verdict::Invalid, Verdict::Degraded, Verdict::Valid]
        .into_iter()
        .map(|v| (v, verdicts.iter().filter(|x| **x == v).count()))
        .filter(|(_, n)| *n > 0)
        .map(|(v, n)| {
            context! { badge => bilingual::badge(v), words => bilingual::html(&msg!("trials-counted", n)) }
        })
        .collect();
    if !not_begun.is_empty() {
        let words = msg!("trials-not-run", n = not_begun.len());
        counts.push(context! { words => bilingual::html(&words) });
    }
    let rows = worst(&begun);
    let left_out = begun.len() - rows.len();
    Some(context! { counts, reasons => reasons(m), most => MOST_REASONS, trials => trials(m, &rows), left_out })
}

/// The reasons that are shown before a fold.
const MOST_REASONS: usize = 3;

/// The reason that weighs most, for the first screen, and how many others there are.
pub(super) fn gravest(m: &PageContext<'_>) -> Option<Value> {
    let all = reasons(m);
    let more = all.len().saturating_sub(1);
    all.first().map(|first| context! { reason => first, more })
}

/// The most trials with a row of their own: the reasons of a thousand take a megabyte.
const MOST_ROWS: usize = 500;

/// The trials with the worst verdicts, in their order.
fn worst<'a>(begun: &[(&'a TrialResult, &'a [Doubt])]) -> Vec<(&'a TrialResult, &'a [Doubt])> {
    let mut rows = begun.to_vec();
    rows.sort_by_key(|(_, doubts)| std::cmp::Reverse(tenbin_verdict::audit::verdict(doubts)));
    rows.truncate(MOST_ROWS);
    rows.sort_by_key(|(t, _)| t.trial.number);
    rows
}

/// The reasons as the page shows them. Of a reason that several trials have, the evidence is that of the first.
fn reasons(m: &PageContext<'_>) -> Vec<Value> {
    reasons::of(m.summary)
        .into_iter()
        .map(|reason| {
            // In few words, for the first screen.
            let counted = match reason.trials.as_slice() {
                [number] => bilingual::html(&msg!("trial-of-number", number)),
                several => bilingual::html(&msg!("trials-counted", n = several.len())),
            };
            let trials = match reason.trials.as_slice() {
                [number] => msg!("trial-of-number", number),
                _ => msg!("trials-of-numbers", numbers = bilingual::numbers(reason.trials.clone())),
            };
            let evidence = reason.evidence.iter().map(|(cell, evidence)| {
                let of = match cell {
                    Some(cell) => Some(bilingual::html(&msg!("of-cell", cell = named(cell)))),
                    None if reason.trials.len() > 1 => Some(bilingual::html(&msg!("of-trial", n = reason.trials[0]))),
                    None => None,
                };
                context! { of, text => bilingual::html(evidence) }
            });
            let evidence: Vec<Value> = evidence.collect();
            let Doubt { verdict, problem, .. } = reason.doubt;
            context! {
                badge => bilingual::badge(*verdict), trials => bilingual::html(&trials), counted, what => bilingual::html(&problem.what),
                evidence, hint => problem.hint.as_ref().map(bilingual::marked),
            }
        })
        .collect()
}

/// The target of a cell, with its matrix values.
fn named(cell: &Cell) -> Message {
    let target = foreign(&cell.target);
    if cell.axes.is_empty() { target } else { Message::list([target, axis::cell(&cell.axes)]) }
}

fn trials(m: &PageContext<'_>, begun: &[(&TrialResult, &[Doubt])]) -> Vec<Value> {
    let line = |d: &Doubt| {
        let what = &d.problem.what;
        bilingual::html(&match &d.problem.evidence {
            None => what.clone(),
            Some(evidence) => msg!("reason-with-evidence", what, seen = evidence),
        })
    };
    begun
        .iter()
        .map(|(t, doubts)| {
            context! {
                number => t.trial.number, repeat => t.trial.repeat, target => m.target(&t.trial.target.name),
                cell => bilingual::cell(&t.trial.axes),
                badge => bilingual::badge(tenbin_verdict::audit::verdict(doubts)), reasons => doubts.iter().map(line).collect::<Vec<_>>(),
            }
        })
        .collect()
}
