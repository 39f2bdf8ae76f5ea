//! The network path to targets on other machines: for each trial a sentence, and for each cell the use of the path over
//! time, one line per trial.

use super::Section;
use super::columns::{aligned, number};
use super::context::PageContext;
use super::readings::over_time;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::names::path::{self, OBSERVER};
use tenbin_model::summary::TrialResult;
use tenbin_verdict::network_path::{self, NetworkPath};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "network",
    heading: || msg!("section-network"),
    values,
    template: include_str!("../../templates/network.html"),
};

/// The most trials with a sentence, and the most cells with charts; the table has all trials.
const MOST: usize = 12;
/// The most points of a line.
const MOST_POINTS: usize = 600;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let paths = m.summary.trials.iter().filter_map(|t| Some((t, network_path::of_trial(t)?)));
    let all: Vec<(&TrialResult, NetworkPath)> = paths.collect();
    let mut cells: BTreeMap<u32, Vec<&TrialResult>> = BTreeMap::new();
    for (t, _) in &all {
        cells.entry(t.trial.cell).or_default().push(t);
    }
    let sentences: Vec<Value> = all.iter().take(MOST).map(|(t, path)| sentence(m, t, path)).collect();
    let interface = |t: &TrialResult| m.summary.facts.get(&t.trial.target.name)?.get(path::INTERFACE);
    let figures = aligned(all.iter().map(|(_, path)| figures(path)).collect());
    let rows = all.iter().zip(figures).map(|((t, _), figures)| {
        let interface = interface(t).map_or("–", String::as_str);
        let (trial, target) = (t.trial.number, m.target(&t.trial.target.name));
        context! { trial, target, cell => bilingual::cell(&t.trial.axes), interface, figures }
    });
    let rows: Vec<Value> = rows.collect();
    let has_interfaces = all.iter().any(|(t, _)| interface(t).is_some());
    let charts = cells.values().take(MOST).flat_map(|trials| {
        [
            chart(m, trials, msg!("chart-network-received"), path::RECEIVED),
            chart(m, trials, msg!("chart-network-sent"), path::SENT),
        ]
    });
    let charts: Vec<Value> = charts.collect();
    (!rows.is_empty()).then(|| context! { sentences, rows, has_interfaces, charts })
}

fn sentence(m: &PageContext<'_>, t: &TrialResult, path: &NetworkPath) -> Value {
    let text = bilingual::html(&path.sentence());
    context! { trial => t.trial.number, target => m.target(&t.trial.target.name), text }
}

/// Received and sent, mean and maximum, in Mbit/s, and how much was sent again, in percent.
fn figures(path: &NetworkPath) -> Vec<Value> {
    let bits = [path.received.mean, path.received.max, path.sent.mean, path.sent.max];
    let again = path.retransmitted.map(|share| 100.0 * share);
    bits.into_iter().map(|bits| Some(bits / 1e6)).chain([again]).map(number).collect()
}

/// One direction in all trials of a cell.
fn chart(m: &PageContext<'_>, trials: &[&TrialResult], title: Message, name: &str) -> Value {
    let line = |t: &&TrialResult| {
        let observed = t.observed();
        let reading = observed.iter().find(|o| o.observer == OBSERVER && o.spec.name == name)?;
        let points = over_time(t, reading, MOST_POINTS).into_iter().filter(|(x, _)| *x >= 0.0);
        Some(ChartLine {
            name: format!("{} #{}", t.trial.target.name, t.trial.repeat),
            style: m.style(&t.trial.target.name),
            points: points.map(|(x, bits)| (x, bits / 1e6)).collect(),
            ..ChartLine::default()
        })
    };
    let lines: Vec<ChartLine> = trials.iter().filter_map(line).collect();
    let long = lines.iter().flat_map(|l| &l.points).map(|p| p.0).fold(0.0, f64::max);
    let warm_s = trials.iter().map(|t| t.warm_up_s()).fold(0.0, f64::max);
    let chart = Chart {
        title,
        of: axis::cell(&trials[0].trial.axes),
        unit: foreign("Mbit/s"),
        shade: (warm_s > 0.0).then_some((0.0, warm_s)),
        ..Chart::over(msg!("x-time"), chart::seconds(long))
    };
    m.figure(&chart, &lines)
}
