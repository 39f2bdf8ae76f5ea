//! Counts and service times of each statement, by cell and target.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::summary::Cell;
use tenbin_model::tally::StatementTally;
use tenbin_verdict::value_forms;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "statements",
    heading: || msg!("section-statements"),
    values,
    template: include_str!("../../templates/statements.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let all = || m.cells.iter().flat_map(|c| c.tally.statements.iter().map(move |(name, s)| (c, name, s)));
    // The digits of a column stand below one another.
    let column = |of: &dyn Fn(&StatementTally) -> f64| {
        let ms = |s: &StatementTally| if s.completed == 0 { f64::NAN } else { of(s) / 1e6 };
        figure::alike(&all().map(|(_, _, s)| ms(s)).collect::<Vec<_>>())
    };
    let at = |q: f64| move |s: &StatementTally| s.service.quantile_ns(q) as f64;
    let times = [
        column(&|s| s.service.mean_ns()),
        column(&at(0.5)),
        column(&at(0.95)),
        column(&at(0.99)),
        column(&|s| s.service.max_ns() as f64),
    ];
    let mut before = None;
    let row = |(row, (c, name, s)): (usize, (&Cell, &String, &StatementTally))| {
        let errors: u64 = s.errors.values().sum();
        let key = (c.cell, c.target.clone());
        let first = before.replace(key.clone()).is_some_and(|before| before != key);
        context! {
            cell => bilingual::cell(&c.axes), target => m.target(&c.target), name, first,
            completed => figure::whole(i128::from(s.completed)), rows => figure::whole(i128::from(s.rows)),
            times => times.iter().map(|column| column[row].clone()).collect::<Vec<_>>(),
            errors => figure::whole(i128::from(errors)),
            values => value_forms::of_statement(s).map(|form| bilingual::html(&form)),
        }
    };
    let rows: Vec<Value> = all().enumerate().map(row).collect();
    let cells = m.cells.iter().any(|c| !c.axes.is_empty());
    let values = all().any(|(_, _, s)| value_forms::of_statement(s).is_some());
    (!rows.is_empty()).then(|| context! { rows, cells, values })
}
