//! The verdicts of the trials with their reasons. This section is omitted if all trials have run and are VALID, and no
//! cell has a doubt.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::audit::{Doubt, Verdict};
use tenbin_model::msg;
use tenbin_model::summary::TrialResult;

pub(super) const SECTION: Section = Section {
    id: "trust",
    heading: || msg!("section-trust"),
    values,
    template: include_str!("../../templates/trust.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let begun: Vec<(&TrialResult, &[Doubt])> =
        m.summary.trials.iter().filter(|t| t.begun).map(|t| (t, t.doubts())).collect();
    let verdicts: Vec<Verdict> = begun.iter().map(|(_, d)| tenbin_model::audit::verdict(d)).collect();
    let not_begun: Vec<u32> = m.summary.trials.iter().filter(|t| !t.begun).map(|t| t.trial.number).collect();
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
    Some(context! { counts, reasons => reasons(m, &begun), trials => trials(m, &begun) })
}

/// Each reason once, the most severe first, with the trials it applies to. If several trials have the reason, the
/// evidence is that of the first.
fn reasons(m: &PageContext<'_>, begun: &[(&TrialResult, &[Doubt])]) -> Vec<Value> {
    let mut all: Vec<(&Doubt, Vec<u32>)> = Vec::new();
    for (t, doubts) in begun {
        for d in *doubts {
            match all.iter_mut().find(|a| a.0.code == d.code && a.0.verdict == d.verdict) {
                Some(known) => known.1.push(t.trial.number),
                None => all.push((d, vec![t.trial.number])),
            }
        }
    }
    // A doubt about a cell applies to all its trials. Cells are not combined, because each has its own evidence.
    all.extend(m.cells.iter().flat_map(|c| c.doubts.iter().map(|d| (d, c.trials.clone()))));
    all.sort_by_key(|(d, _)| std::cmp::Reverse(d.verdict));
    all.into_iter()
        .map(|(d, trials)| {
            let n = trials.len();
            let first = (n > 1).then(|| bilingual::html(&msg!("of-trial", n = trials[0])));
            let trials = match trials.as_slice() {
                [number] => msg!("trial-of-number", number),
                _ => msg!("trials-of-numbers", numbers = bilingual::numbers(trials)),
            };
            context! {
                badge => bilingual::badge(d.verdict), trials => bilingual::html(&trials), first, what => bilingual::html(&d.problem.what),
                evidence => d.problem.evidence.as_ref().map(bilingual::html), hint => d.problem.hint.as_ref().map(bilingual::html),
            }
        })
        .collect()
}

fn trials(m: &PageContext<'_>, begun: &[(&TrialResult, &[Doubt])]) -> Vec<Value> {
    let line = |d: &Doubt| {
        let what = &d.problem.what;
        bilingual::html(&match &d.problem.evidence {
            None => what.clone(),
            Some(seen) => msg!("reason-with-evidence", what, seen),
        })
    };
    begun
        .iter()
        .map(|(t, doubts)| {
            context! {
                number => t.trial.number, repeat => t.trial.repeat, target => m.target(&t.trial.target.name),
                cell => bilingual::cell(&t.trial.axes),
                badge => bilingual::badge(tenbin_model::audit::verdict(doubts)), reasons => doubts.iter().map(line).collect::<Vec<_>>(),
            }
        })
        .collect()
}
