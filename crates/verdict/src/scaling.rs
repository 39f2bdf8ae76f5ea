//! How the throughput of a closed loop grows with its clients: the Universal Scalability Law fitted to each target, with the
//! doubt about its peak.

use crate::judged::Judged;
use crate::judged_trial::JudgedTrial;
use std::collections::BTreeMap;
use tenbin_model::question::Question;
use tenbin_model::random::SplitMix;
use tenbin_model::statistics;
use tenbin_model::statistics::scalability::{LEAST, Scalability};
use tenbin_model::summary::{Cell, Summary};
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The axis of clients.
pub const CLIENTS: &str = "load.clients";
/// Fits to runs drawn anew, for the interval of the peak.
const RESAMPLES: usize = 400;
/// From this share of the highest throughput on it is called flat.
pub const FLAT: f64 = 0.95;
/// A fit that explains less of the variance describes something else.
const EXPLAINED: f64 = 0.9;

/// The fit of one target, in one combination of the other axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// The experiment.
    pub experiment: String,
    /// The target.
    pub target: String,
    /// The values of the other axes.
    pub axes: Vec<(String, String)>,
    /// Clients and throughput of each cell, in the order of clients.
    pub points: Vec<(f64, f64)>,
    /// The fit.
    pub fit: Scalability,
    /// The numbers of clients between which the peak lies in 95 % of fits to runs drawn anew, each `None` if the fit there has no peak;
    /// `None` with one repeat, or if the curve has no peak.
    pub peak_between: Option<(Option<f64>, Option<f64>)>,
    /// From where on the curve is flat, as far as clients were measured.
    pub flat: Option<Flat>,
    /// The number of the cells in which the client may have been the limit.
    pub client_bound: usize,
}

/// From where on throughput is flat: within 5 % of its highest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flat {
    /// The number of clients.
    pub from: f64,
    /// The same of 95 % of fits to runs drawn anew; `None` with one repeat.
    pub between: Option<(f64, f64)>,
}

impl Scaling {
    /// Whether the curve explains how throughput changes with clients.
    pub fn describes(&self) -> bool {
        self.fit.explained >= EXPLAINED
    }

    /// The most clients that were measured.
    pub fn most(&self) -> f64 {
        self.points.last().map_or(0.0, |(n, _)| *n)
    }

    /// The number of clients with the highest throughput. One far beyond what was measured is not spoken of, nor one that hardly any fit to
    /// runs drawn anew has.
    pub fn peak(&self) -> Option<f64> {
        let is_in_some = !matches!(self.peak_between, Some((None, _)));
        self.fit.peak().filter(|peak| is_in_some && *peak <= 2.0 * self.most())
    }

    /// What the fit says of the peak.
    pub fn sentence(&self) -> Message {
        let target = self.target.as_str();
        let percent = |share: f64| format!("{:.2}", share * 100.0);
        if !self.describes() {
            return msg!("scaling-does-not-fit", target, percent = format_args!("{:.0}", self.fit.explained * 100.0));
        }
        match self.peak() {
            None => {
                msg!("scaling-no-peak", target, most = figure::grouped(self.most()), sigma = percent(self.fit.sigma))
            }
            Some(peak) => {
                let between = match self.peak_between {
                    None | Some((None, _)) => tenbin_words::message::foreign(""),
                    Some((Some(low), None)) => msg!("scaling-from", low = figure::grouped(low)),
                    Some((Some(low), Some(high))) => {
                        msg!("scaling-between", low = figure::grouped(low), high = figure::grouped(high))
                    }
                };
                msg!(
                    "scaling-peak",
                    target,
                    clients = figure::grouped(peak.round()),
                    between,
                    tps = figure::grouped(self.fit.at(peak)),
                    sigma = percent(self.fit.sigma)
                )
            }
        }
    }
}

/// Experiment, values of the other axes, target.
type LoadSeries = (String, Vec<(String, String)>, String);

/// The fits of all targets that were measured with enough different numbers of clients.
pub fn of(summary: &Summary) -> Vec<Scaling> {
    let mut groups: BTreeMap<LoadSeries, Vec<(f64, &Cell)>> = BTreeMap::new();
    let closed = |cell: &&Cell| {
        let first = cell.trials.first().and_then(|n| summary.trial(*n));
        first.is_some_and(|t| {
            matches!(Question::of(t), Question::Throughput | Question::NewOrders) && !t.trial.load.paced
        })
    };
    for cell in summary.cells().iter().filter(closed) {
        let Some(clients) = cell.axes.iter().find(|(key, _)| key == CLIENTS).and_then(|(_, n)| n.parse::<f64>().ok())
        else {
            continue;
        };
        let axes: Vec<(String, String)> = cell.axes.iter().filter(|(key, _)| key != CLIENTS).cloned().collect();
        groups.entry((cell.experiment.clone(), axes, cell.target.clone())).or_default().push((clients, cell));
    }
    groups
        .into_iter()
        .filter_map(|((experiment, axes, target), cells)| {
            scaling(summary, cells).map(|s| Scaling { experiment, axes, target, ..s })
        })
        .collect()
}

fn scaling(summary: &Summary, mut cells: Vec<(f64, &Cell)>) -> Option<Scaling> {
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    (cells.len() >= LEAST).then_some(())?;
    let points: Vec<(f64, f64)> =
        cells.iter().filter_map(|(n, cell)| Some((*n, statistics::mean(&cell.tps)?))).collect();
    let fit = Scalability::fit(&points)?;
    let is_busy = |cell: &Cell| {
        let of_trial =
            |n: &u32| summary.trial(*n).is_some_and(|t| t.doubts().iter().any(|d| d.code.starts_with("client-")));
        cell.trials.iter().any(of_trial)
    };
    let client_bound = cells.iter().filter(|(_, cell)| is_busy(cell)).count();
    let most = points.last().map_or(1.0, |(n, _)| *n);
    // A curve that rises for ever has its peak beyond all others.
    let peak_between = fit.peak().and_then(|_| between(&cells, |fit| fit.peak().unwrap_or(f64::INFINITY)));
    let known = |peak: f64| Some(peak).filter(|peak| peak.is_finite());
    let peak_between = peak_between.map(|(low, high)| (known(low), known(high)));
    let flat = flat_from(&fit, most).map(|from| {
        let between = between(&cells, |fit| flat_from(fit, most).unwrap_or(most));
        Flat { from, between }
    });
    Some(Scaling {
        experiment: String::new(),
        target: String::new(),
        axes: Vec::new(),
        points,
        fit,
        peak_between,
        flat,
        client_bound,
    })
}

/// From how many clients on the curve is within 5 % of its highest; `None` if it has not been for the last doubling of clients: it
/// still rises then.
fn flat_from(fit: &Scalability, most: f64) -> Option<f64> {
    let top = fit.peak().unwrap_or(f64::INFINITY).min(most);
    let (mut low, mut high) = (1.0, top);
    if fit.at(low) >= FLAT * fit.at(top) {
        return Some(low);
    }
    // The curve rises up to its top.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if fit.at(middle) >= FLAT * fit.at(top) { high = middle } else { low = middle }
    }
    (high * 2.0 <= most || top < most).then_some(high)
}

/// What fits to as many runs of each cell, drawn with replacement (Efron 1979), have: the middle 95 %; `None` with one repeat.
fn between(cells: &[(f64, &Cell)], of: impl Fn(&Scalability) -> f64) -> Option<(f64, f64)> {
    cells.iter().all(|(_, cell)| cell.tps.len() > 1).then_some(())?;
    let mut random = SplitMix(cells.len() as u64);
    let mut estimates = Vec::new();
    for _ in 0..RESAMPLES {
        let mut drawn = |runs: &[f64]| {
            let some: Vec<f64> = runs.iter().map(|_| runs[random.below(runs.len())]).collect();
            statistics::mean(&some)
        };
        let points: Option<Vec<(f64, f64)>> = cells.iter().map(|(n, cell)| Some((*n, drawn(&cell.tps)?))).collect();
        estimates.push(of(&Scalability::fit(&points?)?));
    }
    estimates.sort_by(f64::total_cmp);
    let at = |p: f64| estimates[((estimates.len() - 1) as f64 * p).round() as usize];
    Some((at(0.025), at(0.975)))
}
