//! The results of the workload `tpcc`: New-Orders per minute, limits of response times, the mix, shares, and all
//! deviations from TPC-C.

use super::Section;
use super::columns::{aligned, number};
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::summary::Cell;
use tenbin_verdict::tpcc_result::{self, Deviation, Share, Steady, Type, per_cent};
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "tpcc",
    heading: || msg!("section-tpcc"),
    values,
    template: include_str!("../../templates/tpcc.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let results = m.cells.iter().filter_map(|cell| Some((cell, tpcc_result::result(m.summary, cell)?)));
    let results: Vec<(&Cell, tpcc_result::Result)> = results.collect();
    let (_, first) = results.first()?;
    // What departs everywhere is listed once.
    let everywhere = |d: &&Deviation| results.iter().all(|(_, result)| result.deviations.contains(d));
    let shared: Vec<&Deviation> = first.deviations.iter().filter(everywhere).collect();
    let most = results.iter().map(|(_, result)| result.nopm).fold(0.0, f64::max);
    let one = |(cell, result): &(&Cell, tpcc_result::Result)| {
        // That of the answer is open.
        context! { best => result.nopm >= most, ..self::one(m, cell, result, &shared) }
    };
    let cells: Vec<Value> = results.iter().map(one).collect();
    Some(context! {
        sentence => bilingual::html(&tpcc_result::sentence()), cells, grid => grid(m, &results),
        shared => shared.into_iter().map(deviation).collect::<Vec<_>>(),
    })
}

/// New-Orders per minute of all cells, a column for each target; `None` for a single result.
fn grid(m: &PageContext<'_>, results: &[(&Cell, tpcc_result::Result)]) -> Option<Value> {
    let mut cells: Vec<&Cell> = Vec::new();
    for (cell, _) in results {
        if !cells.iter().any(|other| other.cell == cell.cell) {
            cells.push(cell);
        }
    }
    let of = |at: u32, target: &str| {
        let here = results.iter().find(|(cell, _)| cell.cell == at && cell.target == target);
        number(here.map(|(_, result)| result.nopm))
    };
    let figures = |cell: &&Cell| m.targets.iter().map(|target| of(cell.cell, target)).collect();
    let figures = aligned(cells.iter().map(figures).collect());
    let row = |(cell, figures): (&Cell, Vec<Value>)| context! { cell => bilingual::cell(&cell.axes), figures };
    let targets: Vec<Value> = m.targets.iter().map(|target| m.target(target)).collect();
    (results.len() > 1)
        .then(|| context! { targets, rows => cells.into_iter().zip(figures).map(row).collect::<Vec<_>>() })
}

/// One cell on one target, without the deviations that all share.
fn one(m: &PageContext<'_>, cell: &Cell, r: &tpcc_result::Result, shared: &[&Deviation]) -> Value {
    let kept = |yes: bool| bilingual::html(&if yes { msg!("is-kept") } else { msg!("is-not-kept") });
    let figures = |x: &Type| {
        let ms = |ns: f64| number((x.tally.completed > 0).then_some(ns / 1e6));
        let at = |q: f64| ms(x.tally.response.quantile_ns(q) as f64);
        let count = |n: u64| Value::from(figure::whole(i128::from(n)));
        vec![
            count(x.tally.completed),
            count(x.tally.failed),
            count(x.tally.retries),
            Value::from(per_cent(x.share)),
            Value::from(x.least.map_or("–".into(), per_cent)),
            ms(x.tally.response.mean_ns()),
            at(0.5),
            at(0.9),
            at(0.95),
            at(0.99),
            ms(x.tally.response.max_ns() as f64),
            Value::from(x.limit_ns as f64 / 1e6),
        ]
    };
    let figures = aligned(r.types.iter().map(figures).collect());
    let of_type = |(x, figures): (&Type, Vec<Value>)| {
        context! { name => x.of.name(), figures, kept => kept(x.in_time() && x.enough()) }
    };
    let share = |s: &Share| {
        let range = format!("{}–{}", s.shown(s.range.0), s.shown(s.range.1));
        let of = figure::whole(i128::from(s.of));
        context! { what => bilingual::html(&s.what), value => s.shown(s.value), range, of, kept => kept(s.in_range()) }
    };
    let (repeats, series) = r.steady.as_ref().map(series).unwrap_or_default();
    context! {
        target => m.target(&cell.target),
        cell => (!cell.axes.is_empty()).then(|| bilingual::cell(&cell.axes)),
        nopm => bilingual::html(&nopm(r)),
        profile => bilingual::html(&tpcc_result::told_of(&r.profile)),
        repeats,
        series,
        types => r.types.iter().zip(figures).map(of_type).collect::<Vec<_>>(),
        shares => r.shares.iter().map(share).collect::<Vec<_>>(),
        deviations => r.deviations.iter().filter(|d| !shared.contains(d)).map(deviation).collect::<Vec<_>>(),
    }
}

fn deviation(d: &Deviation) -> Value {
    context! { clause => d.clause, what => bilingual::html(&d.what) }
}

/// The numbers of the repeats, and one row per stretch of time: its start in seconds, and New-Orders per minute in each
/// repeat.
fn series(steady: &Steady) -> (Vec<usize>, Vec<Vec<Value>>) {
    let longest = steady.series.iter().map(Vec::len).max().unwrap_or(0);
    let row = |at: usize| {
        let begin = steady.series.iter().find_map(|s| s.get(at)).map_or(0.0, |s| s.from_s);
        let each = steady.series.iter().map(|s| number(s.get(at).map(|s| s.nopm())));
        std::iter::once(Value::from(format!("{begin:.0}"))).chain(each).collect()
    };
    ((1..=steady.series.len()).collect(), aligned((0..longest).map(row).collect()))
}

fn nopm(r: &tpcc_result::Result) -> Message {
    let (all, committed) = (figure::grouped(r.nopm), figure::grouped(r.nopm_committed));
    let mut sentences = vec![msg!("tpcc-nopm", all, size = r.size(), terminals = r.terminals(), committed)];
    if r.together {
        sentences.push(msg!("tpcc-together"));
    }
    sentences.extend(r.steady.as_ref().map(Steady::render));
    sentences.extend(r.efficiency.map(|efficiency| msg!("tpcc-efficiency", share = per_cent(efficiency))));
    Message::joined(sentences, msg!("between-sentences"))
}
