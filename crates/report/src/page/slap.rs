//! mysqlslap's grid: seconds, milliseconds per query of one and of all clients, and rows, by statements per client and
//! by number of clients. There is one grid per variant (the other axes: a load type, a storage engine) and target.
//! Trials that were cut off by time are marked with ✂.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use std::collections::BTreeSet;
use tenbin_model::axis;
use tenbin_model::counted;
use tenbin_model::summary::TrialResult;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "slap",
    heading: || msg!("section-slap"),
    values,
    template: include_str!("../../templates/slap.html"),
};

/// A trial and its position in a grid.
struct Spot<'a> {
    variant: Vec<(String, String)>,
    target: &'a str,
    each: u64,
    clients: u32,
    trial: &'a TrialResult,
}

fn values(m: &PageContext<'_>) -> Option<Value> {
    let spots: Vec<Spot<'_>> = m.summary.trials.iter().filter_map(spot).collect();
    let mut variants: Vec<(&[(String, String)], &str)> = Vec::new();
    for s in &spots {
        if !variants.contains(&(&s.variant, s.target)) {
            variants.push((&s.variant, s.target));
        }
    }
    let shown: Vec<Value> = variants
        .into_iter()
        .map(|(variant, target)| {
            let own: Vec<&Spot<'_>> = spots.iter().filter(|s| s.variant == variant && s.target == target).collect();
            grid(m, variant, target, &own)
        })
        .collect();
    (!shown.is_empty()).then(|| context! { variants => shown })
}

fn spot(trial: &TrialResult) -> Option<Spot<'_>> {
    let load = &trial.trial.load;
    let whole = counted::expected(load).filter(|_| load.workload == "slap" && trial.tally.accounting.completed > 0)?;
    let of_grid =
        ["load.clients", "load.operations", "load.operations_per_client", "load.queries", "load.queries_per_client"];
    let variant = trial.trial.axes.iter().filter(|(name, _)| !of_grid.contains(&name.as_str())).cloned().collect();
    let clients = load.clients;
    Some(Spot { variant, target: &trial.trial.target.name, each: whole / u64::from(clients), clients, trial })
}

/// The tables and the chart of one variant on one target.
fn grid(m: &PageContext<'_>, variant: &[(String, String)], target: &str, spots: &[&Spot<'_>]) -> Value {
    let clients: BTreeSet<u32> = spots.iter().map(|s| s.clients).collect();
    let sizes: BTreeSet<u64> = spots.iter().map(|s| s.each).collect();
    let at = |each: u64, clients: u32| -> Vec<&TrialResult> {
        spots.iter().filter(|s| (s.each, s.clients) == (each, clients)).map(|s| s.trial).collect()
    };
    let table = |title: Message, show: &dyn Fn(&[&TrialResult], u32) -> String| {
        let rows: Vec<Vec<String>> = sizes
            .iter()
            .map(|each| {
                let cells = clients.iter().map(|c| {
                    let trials = at(*each, *c);
                    if trials.is_empty() { "–".to_owned() } else { show(&trials, *c) }
                });
                std::iter::once(figure::whole(i128::from(*each))).chain(cells).collect()
            })
            .collect();
        context! { title => bilingual::html(&title), rows }
    };
    let tables = [
        table(msg!("slap-seconds"), &|trials, _| {
            let all: Vec<f64> = trials.iter().map(|t| t.measured_ns() as f64 / 1e9).collect();
            let (low, high) = all.iter().fold((f64::MAX, 0.0f64), |(low, high), s| (low.min(*s), high.max(*s)));
            let mark = if trials.iter().any(|t| counted::truncated(t)) { " ✂" } else { "" };
            format!("{:.3} [{low:.3} – {high:.3}]{mark}", mean(&all))
        }),
        table(msg!("slap-of-one-client"), &|trials, clients| {
            format!("{:.3}", mean(&per_query(trials)) * f64::from(clients))
        }),
        table(msg!("slap-of-all-clients"), &|trials, _| format!("{:.3}", mean(&per_query(trials)))),
        table(msg!("slap-rows"), &|trials, _| {
            format!("{:.1}", mean(&trials.iter().map(|t| rows(t)).collect::<Vec<_>>()))
        }),
    ];
    let title = Message::joined([axis::cell(variant), foreign(target)], " ");
    let chart = (clients.len() > 1).then(|| {
        let x = chart::numbers(&clients.iter().map(|c| f64::from(*c)).collect::<Vec<_>>());
        let lines: Vec<ChartLine> = sizes
            .iter()
            .enumerate()
            .map(|(style, each)| {
                let points = clients.iter().filter_map(|c| {
                    let trials = at(*each, *c);
                    let value = mean(&per_query(&trials)) * f64::from(*c);
                    (!trials.is_empty()).then_some((x.place(&c.to_string())?, value))
                });
                ChartLine {
                    name: figure::whole(i128::from(*each)),
                    style,
                    points: points.collect(),
                    ..ChartLine::default()
                }
            })
            .collect();
        let chart = Chart {
            title: msg!("chart-slap"),
            of: title.clone(),
            unit: foreign("ms"),
            may_be_logarithmic: true,
            ..Chart::over(bilingual::axis_name("load.clients"), x)
        };
        m.figure(&chart, &lines)
    });
    let clients: Vec<u32> = clients.into_iter().collect();
    context! { title => bilingual::html(&title), tables, clients, chart }
}

/// Milliseconds per completed statement of all clients together, for each trial.
fn per_query(trials: &[&TrialResult]) -> Vec<f64> {
    trials.iter().map(|t| t.measured_ns() as f64 / 1e6 / t.tally.accounting.completed as f64).collect()
}

/// Rows returned or changed per completed statement.
fn rows(t: &TrialResult) -> f64 {
    t.tally.statements.values().map(|s| s.rows).sum::<u64>() as f64 / t.tally.accounting.completed as f64
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len().max(1) as f64
}
