//! Response time by percentile, per cell, from the merged histograms of all repeats.

use super::Section;
use super::context::PageContext;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::summary::Cell;
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "distribution",
    heading: || msg!("section-distribution"),
    values,
    template: include_str!("../../templates/spectrum.html"),
};

const AT: [f64; 6] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

fn values(m: &PageContext<'_>) -> Option<Value> {
    let charts: Vec<Value> = m
        .measured()
        .values()
        .map(|cells| {
            let line = |c: &&Cell| {
                let all = c.tally.all_starts().response;
                let shown = AT.iter().filter(|q| (1.0 - **q) * all.count() as f64 >= 10.0);
                let points = shown.map(|q| (chart::nines(*q), all.quantile_ns(*q) as f64 / 1e6)).collect();
                ChartLine { name: c.target.clone(), style: m.style(&c.target), points, ..ChartLine::default() }
            };
            let lines: Vec<ChartLine> = cells.iter().map(line).collect();
            let chart = Chart {
                title: msg!("chart-by-percentile"),
                of: axis::cell(&cells[0].axes),
                unit: foreign("ms"),
                x_name: msg!("x-percentile"),
                x: chart::percentiles(),
                may_be_logarithmic: true,
                shade: None,
                reference: None,
                steady: None,
                y: None,
            };
            m.figure(&chart, &lines)
        })
        .collect();
    (!charts.is_empty()).then(|| context! { charts })
}
