//! The table of all cells: one row per cell and target, with the best figures of each cell in bold.

use super::Section;
use super::context::PageContext;
use super::table::{self, SectionTable};
use crate::bilingual;
use crate::rows;
use minijinja::{Value, context};
use tenbin_model::summary::Cell;
use tenbin_verdict::answer::footnotes;
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "results", heading: || msg!("section-results"), values, template: table::TEMPLATE };

fn values(m: &PageContext<'_>) -> Option<Value> {
    let keys = Cell::axis_keys(m.cells);
    let axes = keys.len();
    let names = rows::head(m.summary);
    let last = names.len() - 1;
    let head = names.iter().enumerate().map(|(i, name)| {
        let name = keys.get(i).map_or_else(|| name.clone(), |key| bilingual::axis_name(key));
        context! { name => bilingual::html(&name), words => i == axes || i == last }
    });
    let mut table = SectionTable { class: "sortable results", ..SectionTable::new(60, head.collect()) };
    let best = rows::best(m.summary);
    let mut cell = None;
    for ((texts, c), best) in rows::cells(m.summary).into_iter().zip(m.cells).zip(best) {
        let last = texts.len() - 1;
        let cells = texts.into_iter().enumerate().map(|(i, text)| match i {
            i if i == axes => table::text(m.target(&c.target)),
            i if i == last && c.is_begun() => table::text(bilingual::badge(c.verdict)),
            i if i < axes && text.parse::<f64>().is_err() => table::text(bilingual::foreign(&text)),
            _ => context! { class => if best[i] { Some("best") } else { None }, text },
        });
        let first = cell.replace(c.cell).is_some_and(|before| before != c.cell);
        table.rows.push((first, cells.collect()));
    }
    table.values(&footnotes(m.summary), &msg!("about-results"))
}
