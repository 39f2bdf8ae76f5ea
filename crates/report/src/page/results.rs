//! The table of all cells: one row per cell and target, with the best figures of each cell in bold.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::rows;
use minijinja::{Value, context};
use tenbin_model::summary::Cell;
use tenbin_verdict::answer::footnotes;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "results",
    heading: || msg!("section-results"),
    values,
    template: include_str!("../../templates/results.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let keys = Cell::axis_keys(m.cells);
    let axes = keys.len();
    let names = rows::head(m.summary);
    let last = names.len() - 1;
    let head = names.iter().enumerate().map(|(i, name)| {
        let name = keys.get(i).map_or_else(|| name.clone(), |key| bilingual::axis_name(key));
        context! { name => bilingual::html(&name), words => i == axes || i == last }
    });
    let head: Vec<Value> = head.collect();
    let best = rows::best(m.summary);
    let mut cell = None;
    let rows: Vec<Value> = rows::cells(m.summary)
        .into_iter()
        .zip(m.cells)
        .zip(best)
        .map(|((texts, c), best)| {
            let last = texts.len() - 1;
            let cells: Vec<Value> = texts
                .into_iter()
                .enumerate()
                .map(|(i, text)| match i {
                    i if i == axes => context! { class => "w", text => m.target(&c.target) },
                    i if i == last && c.is_begun() => context! { class => "w", text => bilingual::badge(c.verdict) },
                    i if i < axes && text.parse::<f64>().is_err() => {
                        context! { class => "w", text => bilingual::foreign(&text) }
                    }
                    _ => context! { class => if best[i] { Some("best") } else { None }, text },
                })
                .collect();
            let first = cell.replace(c.cell).is_some_and(|before| before != c.cell);
            context! { cells, first }
        })
        .collect();
    let notes: Vec<Value> = footnotes(m.summary).iter().map(bilingual::html).collect();
    Some(context! { head, rows, notes })
}
