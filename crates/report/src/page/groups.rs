//! Groups of clients that ran together: the figures of each, by cell and target.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::rows::ratio_text;
use minijinja::{Value, context};
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::Cell;
use tenbin_verdict::client_groups::{self, GroupResult};
use tenbin_verdict::group_ratios;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "groups",
    heading: || msg!("section-groups"),
    values,
    template: include_str!("../../templates/groups.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let all: Vec<(&Cell, GroupResult)> = m
        .cells
        .iter()
        .flat_map(|cell| client_groups::of_cell(m.summary, cell).into_iter().map(move |group| (cell, group)))
        .collect();
    // The digits of a column stand below one another.
    let column = |of: &dyn Fn(&GroupResult) -> f64| figure::alike(&all.iter().map(|(_, g)| of(g)).collect::<Vec<_>>());
    let time = |of: &dyn Fn(&Histogram) -> f64| {
        column(&|g| {
            let response = &g.figures.all.response;
            if response.count() == 0 { f64::NAN } else { of(response) / 1e6 }
        })
    };
    let figures = [
        column(&|g| g.tps),
        time(&Histogram::mean_ns),
        time(&|h| h.quantile_ns(0.5) as f64),
        time(&|h| h.quantile_ns(0.95) as f64),
        time(&|h| h.quantile_ns(0.99) as f64),
        time(&|h| h.max_ns() as f64),
    ];
    let ratios = group_ratios::all(m.summary);
    let mut before = None;
    let row = |(row, (cell, g)): (usize, &(&Cell, GroupResult))| {
        let a = &g.figures.accounting;
        let key = (cell.cell, cell.target.clone());
        let first = before.replace(key.clone()).is_some_and(|before| before != key);
        let own = ratios.get(&(cell.cell, cell.target.clone(), g.name.clone()));
        let errors: u64 = g.figures.errors.values().sum();
        context! {
            cell => bilingual::cell(&cell.axes), target => m.target(&cell.target), name => g.name.as_str(), first,
            clients => g.clients, rate => g.rate.map(figure::grouped),
            completed => figure::whole(i128::from(a.completed)),
            figures => figures.iter().map(|column| column[row].clone()).collect::<Vec<_>>(),
            ratios => [own.and_then(|own| own.tps), own.and_then(|own| own.p99)].map(ratio_text),
            failed => figure::whole(i128::from(a.all_failed())), skipped => figure::whole(i128::from(a.skipped)),
            open => figure::whole(i128::from(a.open)), errors => figure::whole(i128::from(errors)),
        }
    };
    let rows: Vec<Value> = all.iter().enumerate().map(row).collect();
    let cells = m.cells.iter().any(|c| !c.axes.is_empty());
    (!rows.is_empty()).then(|| context! { rows, cells, compared => !ratios.is_empty() })
}
