//! Response time by percentile, per cell, from the merged histograms of all repeats: of TPC-C that of New-Orders, of clients in groups that of each group.

use super::Section;
use super::context::PageContext;
use crate::chart::{self, Chart, ChartLine};
use crate::figures::{self, times, titled};
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::Cell;
use tenbin_verdict::client_groups;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "distribution",
    heading: || msg!("section-distribution"),
    values,
    template: include_str!("../../templates/spectrum.html"),
};

const AT: [f64; 6] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

fn values(m: &PageContext<'_>) -> Option<Value> {
    let charts: Vec<Value> = m.measured().values().flat_map(|cells| of_cell(m, cells)).collect();
    (!charts.is_empty()).then(|| context! { charts })
}

/// The chart of a cell; of groups of clients one for each group, because together they are mostly those of one.
fn of_cell(m: &PageContext<'_>, cells: &[&Cell]) -> Vec<Value> {
    let title = msg!("chart-by-percentile");
    let mut groups: Vec<String> = Vec::new();
    for group in cells.iter().flat_map(|cell| client_groups::of_cell(m.summary, cell)) {
        if !groups.contains(&group.name) {
            groups.push(group.name);
        }
    }
    if groups.is_empty() {
        return vec![chart(m, cells, titled(title, m.summary, cells), &|cell| times(m.summary, cell))];
    }
    let of_group = |group: &String| {
        let title = figures::of(title.clone(), Some(msg!("of-the-group", group)));
        chart(m, cells, title, &|cell| cell.tally.group(group).all.response)
    };
    groups.iter().map(of_group).collect()
}

fn chart(m: &PageContext<'_>, cells: &[&Cell], title: Message, times: &dyn Fn(&Cell) -> Histogram) -> Value {
    let line = |c: &&Cell| {
        let all = times(c);
        let shown = AT.iter().filter(|q| (1.0 - **q) * all.count() as f64 >= 10.0);
        let points = shown.map(|q| (chart::nines(*q), all.quantile_ns(*q) as f64 / 1e6)).collect();
        ChartLine { name: c.target.clone(), style: m.style(&c.target), points, ..ChartLine::default() }
    };
    let lines: Vec<ChartLine> = cells.iter().map(line).collect();
    let chart = Chart {
        title,
        of: cells.first().map_or_else(Message::default, |cell| axis::cell(&cell.axes)),
        unit: foreign("ms"),
        may_be_logarithmic: true,
        ..Chart::over(msg!("x-percentile"), chart::percentiles())
    };
    m.figure(&chart, &lines)
}
