//! The outcome of all transactions, trial by trial: in progress at the start or scheduled; completed, failed, skipped, or open at the end.

use super::Section;
use super::context::PageContext;
use super::table::{self, SectionTable};
use crate::bilingual;
use minijinja::Value;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "accounting", heading: || msg!("section-accounting"), values, template: table::TEMPLATE };

fn values(m: &PageContext<'_>) -> Option<Value> {
    let counted = [
        msg!("column-repeat"),
        msg!("column-begun-before"),
        msg!("column-scheduled"),
        msg!("column-completed"),
        msg!("column-failed"),
        msg!("column-skipped"),
        msg!("column-open"),
        msg!("column-retries"),
        msg!("column-reconnects"),
    ];
    let last = [table::plain("TPS"), table::words(&msg!("column-state")), table::words(&msg!("column-verdict"))];
    let mut table = SectionTable::new(40, table::trial_columns(m, counted.iter().map(table::column).chain(last)));
    let begun = || m.summary.trials.iter().filter(|t| t.begun);
    let tps = figure::alike_or_none(begun().map(|t| t.is_measured().then(|| question::tps(t))));
    for (t, tps) in begun().zip(tps) {
        let a = &t.tally.accounting;
        let counts = [
            i128::from(t.trial.repeat),
            i128::from(a.begun_before),
            i128::from(a.scheduled),
            i128::from(a.completed),
            i128::from(a.failed),
            i128::from(a.skipped),
            i128::from(a.open),
            i128::from(t.tally.all_transactions().retries),
            i128::from(t.tally.reconnects),
        ];
        let last = [bilingual::state(t.state), bilingual::badge(t.verdict())].map(table::text);
        let figures = counts.map(figure::whole).into_iter().chain([tps]).map(table::figure);
        table.rows.push((false, table::trial_cells(m, t, figures.chain(last))));
    }
    let are_given = m.summary.trials.iter().any(|t| question::throughput_of(&t.trial.load).is_some());
    let note = are_given.then(|| msg!("accounting-without-rate"));
    table.values(note.as_slice(), &msg!("about-accounting"))
}
