//! Section "Limits": the limit of each target that a search found, and throughput against response time on the way there.

use super::Section;
use super::columns::{aligned, number};
use super::context::{self, PageContext};
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use crate::figures;
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_verdict::limit::{self, Limit};
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "limits",
    heading: || msg!("section-limits"),
    values,
    template: include_str!("../../templates/limits.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let all = limit::of(m.summary);
    if all.is_empty() {
        return None;
    }
    let groups = context::by_cell(&all, |l| (&l.experiment, &l.axes));
    let mut charts: Vec<Value> = groups.iter().enumerate().filter_map(|(at, group)| chart(m, group, at == 0)).collect();
    m.offer(&mut charts);
    let levels: Vec<Value> = all.iter().map(|l| levels(m, l)).collect();
    let has_cells = all.iter().any(|l| !l.axes.is_empty());
    let bounds = aligned(all.iter().map(bounds).collect());
    let rows: Vec<Value> = all.iter().zip(bounds).map(|(l, bounds)| row(m, l, &bounds)).collect();
    Some(context! { charts, has_cells, rows, levels })
}

/// The levels that were tried, from the lowest, with what they showed; the closed loop last.
fn levels(m: &PageContext<'_>, l: &Limit) -> Value {
    let figure = l.search.until.figure().name();
    let most = l.levels.iter().filter_map(|level| level.tps).fold(0.0, f64::max);
    let width = |tps: f64| if most > 0.0 { 100.0 * tps / most } else { 0.0 };
    let levels = sorted(l);
    let tps = figure::alike_or_none(levels.iter().map(|level| level.tps));
    let times = figure::alike_or_none(levels.iter().map(|level| level.time_ns.map(|ns| ns / 1e6)));
    let row = |(level, (tps, time)): (&limit::Level, (String, String))| {
        let name = match level.level {
            Some(level) => Value::from(figure::grouped(level)),
            None => bilingual::html(&msg!("closed-loop")),
        };
        let mark = match (level.level, level.held > level.failed) {
            (None, _) => "",
            _ if level.is_undecided() => "?",
            (_, true) => "✓",
            (_, false) => "✗",
        };
        context! {
            name, mark, held => level.held, failed => level.failed, closed => level.level.is_none(),
            tps, time => beside_bound(l, level, time), width => format!("{:.1}", width(level.tps.unwrap_or_default())),
        }
    };
    let rows: Vec<Value> = levels.iter().zip(tps.into_iter().zip(times)).map(row).collect();
    let axis = bilingual::html(&bilingual::axis_name(l.search.vary.axis()));
    context! {
        target => m.target(&l.target), style => m.style(&l.target) % 8, cell => bilingual::cell(&l.axes), figure, axis, rows,
    }
}

/// The time that the objective speaks of, milliseconds, as it is shown, on the side of its bound on which it is.
fn beside_bound(l: &Limit, level: &limit::Level, shown: String) -> String {
    match (level.time_ns, l.search.until.time()) {
        (Some(ns), Some((_, bound))) => figure::beside_as(shown, ns / 1e6, bound / 1e6),
        _ => shown,
    }
}

/// The levels from the lowest, the closed loop last.
fn sorted(l: &Limit) -> Vec<limit::Level> {
    let mut all = l.levels.clone();
    all.sort_by(|x, y| x.level.unwrap_or(f64::INFINITY).total_cmp(&y.level.unwrap_or(f64::INFINITY)));
    all
}

/// The highest level that held, for a column; with a question mark where that is undecided.
pub(super) fn holds(l: &Limit) -> Value {
    match l.undecided() {
        Some(_) => Value::from(format!("{} ?", l.holds.map_or("–".to_owned(), figure::grouped))),
        None => number(l.holds),
    }
}

/// What held, what did not, and the throughput of the closed loop.
fn bounds(l: &Limit) -> Vec<Value> {
    let closed = l.levels.iter().find(|level| level.level.is_none());
    vec![holds(l), number(l.fails), number(closed.and_then(|level| level.tps))]
}

fn row(m: &PageContext<'_>, l: &Limit, bounds: &[Value]) -> Value {
    let at = l.levels.iter().find(|level| level.level.is_some() && level.level == l.holds);
    context! {
        target => m.target(&l.target), cell => bilingual::cell(&l.axes), until => bilingual::html(&l.until()),
        holds => bounds.first(), fails => bounds.get(1), axis => bilingual::html(&bilingual::axis_name(l.search.vary.axis())),
        time => at.and_then(|level| Some(beside_bound(l, level, figure::grouped(level.time_ns? / 1e6)))).unwrap_or_else(|| "–".to_owned()), closed => bounds.get(2),
        trials => l.levels.iter().map(|level| level.held + level.failed).sum::<u32>(),
        found => l.is_found,
    }
}

/// The levels on the x axis, the time that the objective speaks of on the y axis: what held, and beside it what did not.
fn chart(m: &PageContext<'_>, all: &[&Limit], may_lead: bool) -> Option<Value> {
    let first = all.first()?;
    let figure = first.search.until.figure();
    let tried = |l: &Limit| sorted(l).into_iter().filter_map(|level| Some((level.level?, level))).collect::<Vec<_>>();
    let values: Vec<f64> = all.iter().flat_map(|l| tried(l)).map(|(level, _)| level).collect();
    let x = chart::amounts(values.iter().copied().reduce(f64::max)?);
    let lines: Vec<ChartLine> = all
        .iter()
        .map(|l| {
            let levels = tried(l);
            let point = |(level, measured): &(f64, limit::Level)| Some((*level, measured.time_ns? / 1e6));
            let failed = levels.iter().filter(|(_, measured)| measured.held <= measured.failed);
            ChartLine {
                name: l.target.clone(),
                style: m.style(&l.target),
                points: levels.iter().filter_map(point).collect(),
                crosses: failed.filter_map(point).collect(),
                ..ChartLine::default()
            }
        })
        .filter(|line| !line.points.is_empty())
        .collect();
    let axis = first.search.vary.axis();
    let whom = first.is_of_orders.then(|| msg!("subset-new-orders"));
    let chart = Chart {
        title: figures::of(msg!("chart-levels", figure = figure.name()), whom),
        of: axis::cell(&first.axes),
        unit: foreign("ms"),
        may_be_logarithmic: true,
        reference: first.search.until.time().map(|(_, ns)| ns / 1e6),
        ..Chart::over(bilingual::axis_name(axis), x)
    };
    Some(if may_lead { m.leading_figure(&chart, &lines) } else { m.figure(&chart, &lines) })
}
