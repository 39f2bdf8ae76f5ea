//! Groups of clients that ran together: the figures of each, by cell and target.

use super::Section;
use super::context::PageContext;
use super::table::{self, SectionTable};
use crate::bilingual;
use crate::rows::ratio_text;
use minijinja::Value;
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::Cell;
use tenbin_verdict::client_groups::{self, GroupResult};
use tenbin_verdict::group_ratios;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "groups", heading: || msg!("section-groups"), values, template: table::TEMPLATE };

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
    let figures_of_times = [
        column(&|g| g.tps),
        time(&Histogram::mean_ns),
        time(&|h| h.quantile_ns(0.5) as f64),
        time(&|h| h.quantile_ns(0.95) as f64),
        time(&|h| h.quantile_ns(0.99) as f64),
        time(&|h| h.max_ns() as f64),
    ];
    let ratios = group_ratios::all(m.summary);
    let (cells, compared) = (m.cells.iter().any(|c| !c.axes.is_empty()), !ratios.is_empty());
    let first = [cells.then(|| msg!("column-cell")), Some(msg!("column-target")), Some(msg!("column-group"))];
    let mut columns: Vec<Value> = first.iter().flatten().map(table::words).collect();
    columns.extend([msg!("column-clients"), msg!("column-rate"), msg!("column-completed")].iter().map(table::column));
    columns.extend([table::plain("TPS"), table::column(&msg!("column-mean-ms"))]);
    columns.extend(["p50", "p95", "p99"].map(table::plain));
    let of_ratios = compared.then(|| [msg!("column-tps-ratio"), msg!("column-p99-ratio")]);
    let last = [msg!("column-failed"), msg!("column-skipped"), msg!("column-open"), msg!("column-errors")];
    let last = [msg!("column-max")].into_iter().chain(of_ratios.into_iter().flatten()).chain(last);
    columns.extend(last.map(|name| table::column(&name)));
    let mut table = SectionTable::new(48, columns);
    let mut before = None;
    for (row, (cell, g)) in all.iter().enumerate() {
        let a = &g.figures.accounting;
        let key = (cell.cell, cell.target.clone());
        let first = before.replace(key.clone()).is_some_and(|before| before != key);
        let own = ratios.get(&(cell.cell, cell.target.clone(), g.name.clone()));
        let ratios = [own.and_then(|own| own.tps), own.and_then(|own| own.p99)].map(ratio_text);
        let whole = |n: u64| figure::whole(i128::from(n));
        let mut texts: Vec<Value> = cells.then(|| bilingual::cell(&cell.axes)).into_iter().collect();
        texts.extend([m.target(&cell.target), bilingual::foreign(&g.name)]);
        let rate = g.rate.map_or_else(|| "–".to_owned(), figure::grouped);
        let figures = [g.clients.to_string(), rate, whole(a.completed)].into_iter();
        let figures = figures.chain(figures_of_times.iter().map(|column| column[row].clone()));
        let figures = figures.chain(ratios.into_iter().filter(|_| compared));
        let errors: u64 = g.figures.errors.values().sum();
        let figures =
            figures.chain([whole(a.all_failed()), whole(a.skipped), figure::whole(i128::from(a.open)), whole(errors)]);
        table.rows.push((first, texts.into_iter().map(table::text).chain(figures.map(table::figure)).collect()));
    }
    table.values(&[], &msg!("about-groups"))
}
