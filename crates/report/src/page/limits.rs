//! Section "Limits": the limit of each target that a search found, and throughput against response time on the way there.

use super::Section;
use super::context::{self, PageContext};
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
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
    let charts: Vec<Value> = groups.iter().filter_map(|group| chart(m, group)).collect();
    Some(context! { charts, rows => all.iter().map(|l| row(m, l)).collect::<Vec<_>>() })
}

fn row(m: &PageContext<'_>, l: &Limit) -> Value {
    let level = |level: Option<f64>| level.map_or("–".to_owned(), figure::grouped);
    let at = l.levels.iter().find(|found| found.level.is_some() && found.level == l.holds);
    let closed = l.levels.iter().find(|found| found.level.is_none());
    context! {
        target => m.target(&l.target), cell => bilingual::cell(&l.axes), until => bilingual::foreign(&l.search.until.to_string()),
        holds => level(l.holds), fails => level(l.fails), axis => bilingual::html(&bilingual::axis_name(l.search.vary.axis())),
        time => at.map_or("–".to_owned(), |found| figure::grouped(found.time_ns / 1e6)),
        closed => closed.map_or("–".to_owned(), |found| figure::grouped(found.tps)),
        trials => l.levels.iter().map(|found| found.held + found.failed).sum::<u32>(),
        found => l.is_found,
    }
}

/// Completed per second on the x axis, the time that the objective speaks of on the y axis.
fn chart(m: &PageContext<'_>, all: &[&Limit]) -> Option<Value> {
    let first = all.first()?;
    let figure = first.search.until.figure();
    let levels = |l: &Limit| l.levels.iter().filter(|found| found.level.is_some()).cloned().collect::<Vec<_>>();
    let lines: Vec<ChartLine> = all
        .iter()
        .map(|l| {
            let mut points: Vec<(f64, f64)> = levels(l).iter().map(|found| (found.tps, found.time_ns / 1e6)).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            ChartLine { name: l.target.clone(), style: m.style(&l.target), points, ..ChartLine::default() }
        })
        .filter(|line| !line.points.is_empty())
        .collect();
    let highest = lines.iter().flat_map(|line| &line.points).map(|point| point.0).reduce(f64::max)?;
    let chart = Chart {
        title: msg!("chart-throughput-and-time", figure = figure.name()),
        of: axis::cell(&first.axes),
        unit: foreign("ms"),
        x_name: foreign("TPS"),
        x: chart::amounts(highest),
        may_be_logarithmic: true,
        shade: None,
        reference: first.search.until.time().map(|(_, ns)| ns / 1e6),
        steady: None,
        y: None,
    };
    Some(m.figure(&chart, &lines))
}
