//! Counts and service times of each statement, by cell and target.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "statements",
    heading: || msg!("section-statements"),
    values,
    template: include_str!("../../templates/statements.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let mut rows = Vec::new();
    let mut before = None;
    for c in m.cells {
        for (name, s) in &c.tally.statements {
            let ms = |ns: f64| if s.completed == 0 { "–".to_owned() } else { figure::grouped(ns / 1e6) };
            let at = |q: f64| ms(s.service.quantile_ns(q) as f64);
            let errors: u64 = s.errors.values().sum();
            let first = before.replace((c.cell, &c.target)).is_some_and(|b| b != (c.cell, &c.target));
            rows.push(context! {
                cell => bilingual::cell(&c.axes), target => m.target(&c.target), name, first,
                completed => figure::whole(i128::from(s.completed)), rows => figure::whole(i128::from(s.rows)),
                times => [ms(s.service.mean_ns()), at(0.5), at(0.95), at(0.99), ms(s.service.max_ns() as f64)],
                errors => figure::whole(i128::from(errors)),
            });
        }
    }
    let cells = m.cells.iter().any(|c| !c.axes.is_empty());
    (!rows.is_empty()).then(|| context! { rows, cells })
}
