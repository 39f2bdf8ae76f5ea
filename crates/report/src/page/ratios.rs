//! The throughput of each target relative to a base target, with confidence intervals, overall and per cell, and what
//! follows from it.

use super::Section;
use super::context::PageContext;
use super::glance::{self, Along};
use crate::bilingual;
use crate::chart::{Chart, ChartLine};
use minijinja::{Value, context};
use tenbin_model::answer::{percent, ratio};
use tenbin_model::axis;
use tenbin_model::comparison::{Comparable, Comparison, reading};
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::statistics::Confidence;

pub(super) const SECTION: Section = Section {
    id: "ratios",
    heading: || msg!("section-ratios"),
    values,
    template: include_str!("../../templates/ratios.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let measured: Vec<&String> =
        m.targets.iter().filter(|t| m.cells.iter().any(|c| c.target == **t && !c.tps.is_empty())).collect();
    // Of two targets the base is the slower one, as in the first answer; of more, the first one of the plan.
    let experiments = m.summary.experiments();
    let pair = experiments.iter().find_map(|experiment| m.summary.verdict_pair(experiment));
    let pair = pair.filter(|_| measured.len() == 2);
    let base = measured.iter().find(|t| pair.as_ref().is_none_or(|p| p.a == ***t))?;
    let mut comparisons = Vec::new();
    for target in m.targets.iter().filter(|t| t != base) {
        comparisons.extend(experiments.iter().filter_map(|experiment| m.summary.compare(experiment, base, target)));
    }
    if comparisons.is_empty() {
        return None;
    }
    let count: usize = comparisons.iter().map(|c| c.cells.len() + 1).sum();
    let charts = glance::along(&m.cells).map(|axis| charts(m, &axis, &comparisons));
    let tables: Vec<Value> =
        comparisons.iter().map(|c| context! { target => m.target(&c.b), rows => rows(c) }).collect();
    Some(context! { base => m.target(base), charts, count, comparisons => tables })
}

fn rows(c: &Comparison) -> Vec<Value> {
    let row = |cell: Value, value: f64, confidence: Option<Confidence>, pairs: usize, more: Option<usize>| {
        context! {
            cell, ratio => ratio(value), pairs, says => bilingual::html(&says(confidence, more)),
            interval => confidence.map_or("–".into(), |i| format!("{} – {}", ratio(i.low), ratio(i.high))),
        }
    };
    // The experiment, if the plan has several.
    let of = c.cells.first().and_then(|cell| cell.axes.first()).filter(|(key, _)| key == axis::EXPERIMENT);
    let whole = match of {
        Some((_, experiment)) => msg!("all-cells-of", experiment),
        None => msg!("all-cells"),
    };
    let all = row(bilingual::html(&whole), c.ratio, c.confidence, c.pairs, c.more_repeats);
    let each = c.cells.iter().map(|r| row(bilingual::cell(&r.axes), r.ratio, r.confidence, r.pairs, None));
    // The row of a single cell would repeat the first row.
    if c.cells.len() < 2 { vec![all] } else { std::iter::once(all).chain(each).collect() }
}

fn says(confidence: Option<Confidence>, more: Option<usize>) -> Message {
    match (reading(confidence), confidence) {
        // Above 200 % faster, a factor is easier to understand than a percentage.
        (Comparable::Faster, Some(i)) if i.high >= 3.0 => {
            msg!("says-times-as-fast", low = ratio(i.low), high = ratio(i.high))
        }
        (Comparable::Faster, Some(i)) => {
            msg!("says-faster", low = percent(i.low - 1.0), high = percent(i.high - 1.0))
        }
        (Comparable::Slower, Some(i)) => {
            msg!("says-slower", low = percent(1.0 - i.high), high = percent(1.0 - i.low))
        }
        (Comparable::Alike { within }, _) => msg!("says-alike", within = percent(within)),
        (Comparable::Unclear, _) => match more {
            Some(n @ 1..=100) => msg!("says-more-repeats", n),
            Some(101..) => msg!("says-too-many-repeats"),
            _ => msg!("says-unclear"),
        },
        _ => msg!("says-chance"),
    }
}

fn charts(m: &PageContext<'_>, axis: &Along, comparisons: &[Comparison]) -> Vec<Value> {
    let mut charts = Vec::new();
    for group in glance::groups(&m.cells, axis) {
        let line = |c: &Comparison| {
            let mut line = ChartLine { name: c.b.clone(), style: m.style(&c.b), ..ChartLine::default() };
            for r in c.cells.iter().filter(|r| axis.rest(&r.axes) == group) {
                let Some(x) = axis.place(&r.axes) else { continue };
                line.points.push((x, r.ratio));
                line.bars.extend(r.confidence.map(|i| (x, i.low, i.high)));
            }
            line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
            line
        };
        let lines: Vec<ChartLine> = comparisons.iter().map(line).filter(|l| l.points.len() > 1).collect();
        if lines.is_empty() {
            continue;
        }
        let chart = Chart {
            title: msg!("chart-ratio"),
            of: tenbin_model::axis::cell(&group),
            unit: foreign("×"),
            x_name: bilingual::axis_name(&axis.key),
            x: axis.x.clone(),
            may_be_logarithmic: false,
            shade: None,
            reference: Some(1.0),
        };
        charts.push(m.figure(&chart, &lines));
    }
    charts
}
