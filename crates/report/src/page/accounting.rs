//! The outcome of all transactions, trial by trial: in progress at the start or scheduled; completed, failed, skipped, or open at the end.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "accounting",
    heading: || msg!("section-accounting"),
    values,
    template: include_str!("../../templates/accounting.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let rows: Vec<Value> = m
        .summary
        .trials
        .iter()
        .filter(|t| t.begun)
        .map(|t| {
            let a = &t.tally.accounting;
            let counts = [
                i128::from(a.begun_before),
                i128::from(a.scheduled),
                i128::from(a.completed),
                i128::from(a.failed),
                i128::from(a.skipped),
                i128::from(a.open),
                i128::from(t.tally.all_transactions().retries),
                i128::from(t.tally.reconnects),
            ];
            let tps = if t.is_measured() { figure::grouped(question::tps(t)) } else { "–".to_owned() };
            context! {
                trial => t.trial.number, target => m.target(&t.trial.target.name), repeat => t.trial.repeat,
                cell => bilingual::cell(&t.trial.axes), counts => counts.map(figure::whole),
                tps, state => bilingual::state(t.state), badge => bilingual::badge(t.verdict()),
            }
        })
        .collect();
    let are_given = m.summary.trials.iter().any(|t| question::throughput_of(&t.trial.load).is_some());
    let note = are_given.then(|| bilingual::html(&msg!("accounting-without-rate")));
    (!rows.is_empty()).then(|| context! { rows, note })
}
