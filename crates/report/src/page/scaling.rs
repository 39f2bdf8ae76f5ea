//! How throughput grows with the number of clients: measured points, the fitted curve, its peak and the doubt about it.

use super::Section;
use super::context::{self, PageContext};
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_verdict::scaling::{self, Scaling};
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "scaling",
    heading: || msg!("section-scaling"),
    values,
    template: include_str!("../../templates/scaling.html"),
};

/// Points of a drawn curve.
const STEPS: u32 = 48;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let all = scaling::of(m.summary);
    if all.is_empty() {
        return None;
    }
    let groups = context::by_cell(&all, |s| (&s.experiment, &s.axes));
    let charts: Vec<Value> = groups.iter().map(|group| chart(m, group)).collect();
    let lambdas = figure::alike(&all.iter().map(|s| s.fit.lambda).collect::<Vec<_>>());
    let rows: Vec<Value> = all.iter().zip(lambdas).map(|(s, lambda)| row(m, s, lambda)).collect();
    let sentences: Vec<Value> = all.iter().map(|s| bilingual::html(&s.sentence())).collect();
    Some(context! { charts, rows, sentences })
}

fn row(m: &PageContext<'_>, s: &Scaling, lambda: String) -> Value {
    let percent = |share: f64| format!("{:.3}", share * 100.0);
    context! {
        target => m.target(&s.target), cell => bilingual::cell(&s.axes), lambda,
        sigma => percent(s.fit.sigma), kappa => percent(s.fit.kappa),
        peak => s.peak().map_or("–".to_owned(), |p| figure::grouped(p.round())), between => between(s),
        explained => format!("{:.1}", s.fit.explained * 100.0), client_bound => s.client_bound,
    }
}

/// Between which numbers of clients the peak lies.
fn between(s: &Scaling) -> String {
    let n = |clients: f64| figure::grouped(clients.round());
    match s.peak_between {
        None | Some((None, _)) => "–".to_owned(),
        Some((Some(low), None)) => format!("≥ {}", n(low)),
        Some((Some(low), Some(high))) => format!("{}–{}", n(low), n(high)),
    }
}

/// The curve as the line, what was measured as its dots.
fn chart(m: &PageContext<'_>, all: &[&Scaling]) -> Value {
    let values: Vec<f64> = all.iter().flat_map(|s| s.points.iter().map(|(n, _)| *n)).collect();
    let x = chart::numbers(&values);
    let position = |n: f64| x.place(&n.to_string()).unwrap_or(n);
    let lines: Vec<ChartLine> = all
        .iter()
        .map(|s| {
            let (first, last) = (s.points.first().map_or(1.0, |p| p.0), s.most());
            let at = |i: u32| first * (last / first).powf(f64::from(i) / f64::from(STEPS));
            ChartLine {
                name: s.target.clone(),
                style: m.style(&s.target),
                points: (0..=STEPS).map(|i| (position(at(i)), s.fit.at(at(i)))).collect(),
                dots: s.points.iter().map(|(n, tps)| (position(*n), *tps)).collect(),
                ..ChartLine::default()
            }
        })
        .collect();
    let chart = Chart {
        title: msg!("chart-scaling"),
        of: axis::cell(&all[0].axes),
        unit: foreign("TPS"),
        ..Chart::over(bilingual::axis_name("load.clients"), x.clone())
    };
    m.figure(&chart, &lines)
}
