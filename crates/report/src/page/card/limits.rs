//! The card of a search: the limit of each target, between the highest level that held and the lowest that did not.

use super::super::columns::number;
use super::super::context::PageContext;
use super::super::forest::{Forest, ForestRow, RowKind};
use super::super::limits::holds;
use super::{MOST_ROWS, at, within};
use crate::bilingual;
use crate::chart::Ruler;
use minijinja::{Value, context};
use tenbin_verdict::answer::{ends, ratio};
use tenbin_verdict::limit::{self, Limit};
use tenbin_verdict::limit_ratio::{self, LimitLead};
use tenbin_words::figure;
use tenbin_words::msg;

/// The card; `None` if the experiment searched for nothing.
pub(super) fn card(m: &PageContext<'_>, experiment: &str) -> Option<Value> {
    let all: Vec<Limit> = limit::of(m.summary).into_iter().filter(|l| l.experiment == experiment).collect();
    let best = limit::highest(all.iter())?;
    let leads = limit_ratio::leads(m.summary);
    let lead = leads.iter().find(|lead| lead.experiment == experiment && lead.axes == best.axes);
    let unit = bilingual::html(&bilingual::axis_name(best.search.vary.axis()));
    let big = best.holds.map_or("–".to_owned(), figure::grouped);
    let range = match (best.holds, best.fails) {
        _ if best.undecided().is_some() => msg!("card-limit-undecided"),
        (Some(_), Some(fails)) => msg!("card-limit-fails", fails = figure::grouped(fails)),
        (Some(_), None) => msg!("card-limit-open"),
        (None, _) => msg!("card-limit-none"),
    };
    let until = bilingual::html(&best.until());
    let what = Value::from_safe_string(format!("{unit} · {until}"));
    let second = lead.map(|lead| lead_over(m, lead));
    // What is large is the limit of one of them, which is not shown to be the higher one.
    let note = lead.filter(|lead| !lead.is_decided());
    let note = note.map(|lead| bilingual::html(&msg!("card-limits-close", a = lead.a.target, b = lead.b.target)));
    let closed = best.levels.iter().find(|level| level.level.is_none()).and_then(|level| level.tps);
    let closed = closed.map(|tps| {
        context! { big => figure::grouped(tps), what => bilingual::html(&msg!("card-limit-closed")) }
    });
    Some(context! {
        alone => m.target(&best.target), big, what, range => bilingual::html(&range),
        at => (!within(&best.axes).is_empty()).then(|| at(&best.axes)), muted => best.shown().is_none(), note,
        seconds => second.into_iter().chain(closed).collect::<Vec<_>>(), forest => forest(m, &all),
    })
}

/// The ratio of two limits in smaller type, with what the levels that were tried leave open.
fn lead_over(m: &PageContext<'_>, lead: &LimitLead) -> Value {
    let names = [&lead.b, &lead.a].map(|l| m.target(&l.target).to_string());
    let what = Value::from_safe_string(names.join(&format!(" {} ", bilingual::html(&msg!("card-against")))));
    let [of_b, of_a] = figure::alike_pair([&lead.b, &lead.a].map(|l| l.shown().unwrap_or_default()));
    let figures = bilingual::html(&msg!("card-figures", of_b, of_a, unit = ""));
    let range = ends(lead.interval.low, lead.interval.high).join("–");
    let range = lead.b.fails.map_or_else(|| format!("{}–", ratio(lead.interval.low)), |_| range);
    context! { big => format!("{}×", ratio(lead.interval.value)), what, range, figures, undecided => !lead.is_decided() }
}

/// A row for each target and cell: from the highest level that held to the lowest that did not.
fn forest(m: &PageContext<'_>, all: &[Limit]) -> Value {
    let rows: Vec<ForestRow> = all
        .iter()
        .map(|l| {
            let label = match within(&l.axes).is_empty() {
                true => m.target(&l.target),
                false => Value::from_safe_string(format!("{} {}", m.target(&l.target), at(&l.axes))),
            };
            ForestRow {
                label,
                style: m.style(&l.target),
                value: l.holds,
                ends: l.holds.zip(l.fails),
                dots: Vec::new(),
                before: Vec::new(),
                texts: vec![holds(l), number(l.fails)],
                kind: RowKind::Shown,
            }
        })
        .collect();
    let values: Vec<f64> = rows.iter().filter_map(|row| row.value).collect();
    let ends: Vec<(f64, f64)> = rows.iter().filter_map(|row| row.ends).collect();
    let after = vec![bilingual::html(&msg!("column-holds")), bilingual::html(&msg!("column-fails"))];
    let heads = (bilingual::html(&msg!("column-target")), Vec::new(), after);
    let axis = all.first().map_or("", |l| l.search.vary.axis());
    let (ruler, caption) = (Ruler::of_amounts(&values, &ends), bilingual::html(&bilingual::axis_name(axis)));
    Forest { heads, rows, ruler, reference: None, caption, most: MOST_ROWS, is_narrow: false }.html()
}
