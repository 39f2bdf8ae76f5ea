//! Counts and service times of each statement, by cell and target.

use super::Section;
use super::context::PageContext;
use super::table::{self, SectionTable};
use crate::bilingual;
use minijinja::Value;
use tenbin_model::tally::StatementTally;
use tenbin_verdict::value_forms;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "statements", heading: || msg!("section-statements"), values, template: table::TEMPLATE };

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
    let (cells, values) =
        (m.cells.iter().any(|c| !c.axes.is_empty()), all().any(|(_, _, s)| value_forms::of_statement(s).is_some()));
    let first = [cells.then(|| msg!("column-cell")), Some(msg!("column-target")), Some(msg!("column-statement"))];
    let mut columns: Vec<Value> = first.iter().flatten().map(table::words).collect();
    columns.extend([msg!("column-completed"), msg!("column-rows"), msg!("column-mean-ms")].iter().map(table::column));
    columns.extend(["p50", "p95", "p99"].map(table::plain));
    columns.extend([msg!("column-max"), msg!("column-errors")].iter().map(table::column));
    columns.extend(values.then(|| table::words(&msg!("column-values"))));
    let mut table = SectionTable::new(48, columns);
    let mut before = None;
    for (row, (c, name, s)) in all().enumerate() {
        let errors: u64 = s.errors.values().sum();
        let key = (c.cell, c.target.clone());
        let first = before.replace(key.clone()).is_some_and(|before| before != key);
        let whole = |n: u64| figure::whole(i128::from(n));
        let mut texts: Vec<Value> = cells.then(|| bilingual::cell(&c.axes)).into_iter().collect();
        texts.extend([m.target(&c.target), bilingual::foreign(name)]);
        let times = times.iter().map(|column| column[row].clone());
        let figures = [whole(s.completed), whole(s.rows)].into_iter().chain(times).chain([whole(errors)]);
        let form = || value_forms::of_statement(s).map_or_else(|| Value::from("–"), |form| bilingual::html(&form));
        let last = values.then(|| table::text(form()));
        table
            .rows
            .push((first, texts.into_iter().map(table::text).chain(figures.map(table::figure)).chain(last).collect()));
    }
    table.values(&[], &msg!("about-statements"))
}
