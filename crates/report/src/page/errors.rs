//! Errors by statement and error code, and the outcome of the transactions: retried, given up, reconnected.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::summary::Cell;
use tenbin_model::tally::StatementTally;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "errors",
    heading: || msg!("section-errors"),
    values,
    template: include_str!("../../templates/errors.html"),
};

/// The meanings of frequent error codes.
const MEANINGS: &[bilingual::DisplayName] = &[
    ("1213", || msg!("means-deadlock")),
    ("1205", || msg!("means-lock-wait-timeout")),
    ("1020", || msg!("means-row-changed-meanwhile")),
    ("1062", || msg!("means-duplicate-key")),
    ("1040", || msg!("means-too-many-connections")),
    ("1461", || msg!("means-too-many-prepared-statements")),
    ("1290", || msg!("means-server-is-read-only")),
    ("1317", || msg!("means-interrupted")),
    ("2006", || msg!("means-connection-gone")),
    ("2013", || msg!("means-connection-lost")),
    ("5", || msg!("means-database-busy")),
    ("517", || msg!("means-snapshot-out-of-date")),
    ("lost", || msg!("means-connection-lost")),
    ("conflict", || msg!("means-conflict")),
    ("refused", || msg!("means-refused")),
    ("limit", || msg!("means-limit-reached")),
    ("protocol", || msg!("means-protocol")),
    ("sql", || msg!("means-statement-wrong")),
    ("40001", || msg!("means-serialization-failure")),
    ("40P01", || msg!("means-deadlock")),
    ("23505", || msg!("means-duplicate-key")),
    ("57014", || msg!("means-cancelled")),
];

fn values(m: &PageContext<'_>) -> Option<Value> {
    let statements: u64 = m.cells.iter().flat_map(|c| c.begun.statements.values()).map(|s| s.executed()).sum();
    let begun = m.summary.trials.iter().any(|t| t.begun);
    if !begun {
        return None;
    }
    if m.cells.iter().all(without_errors) {
        // If no statement was completed, "no errors" would be misleading.
        return (statements > 0).then(|| context! { without_errors => figure::whole(i128::from(statements)) });
    }
    let codes: BTreeSet<String> = m.cells.iter().flat_map(|c| c.begun.errors().into_keys()).collect();
    let codes: Vec<String> = codes.into_iter().collect();
    let heads: Vec<Value> = codes.iter().map(|code| context! { code, means => meaning(code) }).collect();
    let cells = m.cells.iter().any(|c| !c.axes.is_empty());
    Some(context! { rows => matrix(m, &codes), codes => heads, outcomes => outcomes(m), cells })
}

/// Whether a cell had no errors, failures, retries and reconnects.
fn without_errors(c: &Cell) -> bool {
    let all = c.begun.all_transactions();
    c.begun.errors().is_empty() && all.retries == 0 && c.begun.reconnects == 0 && c.begun.accounting.all_failed() == 0
}

fn meaning(code: &str) -> Option<Value> {
    MEANINGS.iter().find(|m| m.0 == code).map(|(_, means)| bilingual::html(&means()))
}

/// One row per target and statement that failed at least once.
fn matrix(m: &PageContext<'_>, codes: &[String]) -> Vec<Value> {
    let mut rows: BTreeMap<(usize, &str), StatementTally> = BTreeMap::new();
    for c in m.cells {
        for (name, s) in &c.begun.statements {
            rows.entry((m.style(&c.target), name)).or_default().merge(s);
        }
    }
    rows.into_iter()
        .map(|(row, s)| (row, s.completed, s.all_errors()))
        .filter(|(_, _, errors)| !errors.is_empty())
        .map(|((index, name), completed, errors)| {
            let whole = |n: u64| figure::whole(i128::from(n));
            let all: u64 = errors.values().sum();
            let share = if completed == 0 {
                "–".into()
            } else {
                format!("{} %", figure::grouped(100.0 * all as f64 / completed as f64))
            };
            let counts: Vec<String> = codes.iter().map(|c| whole(errors.get(c).copied().unwrap_or(0))).collect();
            context! { target => m.target(&m.targets[index]), name, counts, all => whole(all), share }
        })
        .collect()
}

/// One row per cell and target with errors, failures, retries or reconnects.
fn outcomes(m: &PageContext<'_>) -> Vec<Value> {
    m.cells
        .iter()
        .filter(|c| !without_errors(c))
        .map(|c| {
            let all = c.begun.all_transactions();
            let codes: Vec<String> = c.begun.errors().iter().map(|(code, n)| format!("{n} × {code}")).collect();
            let a = &c.begun.accounting;
            let counts = [a.all_completed(), all.retries, a.all_failed(), a.skipped, c.begun.reconnects];
            context! {
                cell => bilingual::cell(&c.axes), target => m.target(&c.target),
                counts => counts.map(|n| figure::whole(i128::from(n))), codes => if codes.is_empty() { "–".into() } else { codes.join(", ") },
            }
        })
        .collect()
}
