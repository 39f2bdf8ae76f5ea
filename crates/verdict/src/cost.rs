//! What the transactions of a target cost, if the plan has prices.

use crate::answer::within;
use crate::judged::Judged;
use crate::limit::{self, Limit};
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::compared_axis::kind_of_load;
use tenbin_model::price::Price;
use tenbin_model::question::Question;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// What the transactions of a target cost under one kind of load.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The experiment.
    pub experiment: String,
    /// The target.
    pub target: String,
    /// The values of the plan's matrix of the cell in which it completes most of them, after the experiment if the plan has several.
    pub axes: Vec<(String, String)>,
    /// Its price; `None`: the plan has none.
    pub price: Option<Price>,
    /// Transactions per second at its limit, or in that cell.
    pub per_second: f64,
}

/// The costs of all targets, if the plan has the price of one of them: for each kind of load, because the best cell of all would be that of the easiest
/// one. Cells that ask for a rate or for seconds have none, because every target does what was asked of it.
pub fn costs(summary: &Summary) -> Vec<Cost> {
    let mut prices: BTreeMap<&str, &Price> = BTreeMap::new();
    for t in &summary.trials {
        if let Some(price) = &t.trial.target.price {
            prices.insert(&t.trial.target.name, price);
        }
    }
    if prices.is_empty() {
        return Vec::new();
    }
    let all = best_of_each_load(of_limits(summary).into_iter().chain(of_cells(summary)));
    let priced = |cost: Cost| Cost { price: prices.get(cost.target.as_str()).copied().cloned(), ..cost };
    let mut all: Vec<Cost> = all.into_iter().map(priced).collect();
    let (experiments, targets) = (summary.experiments(), summary.targets());
    let order = |cost: &Cost| {
        let experiment = experiments.iter().position(|name| *name == cost.experiment);
        (experiment, targets.iter().position(|name| *name == cost.target))
    };
    all.sort_by_key(order);
    all
}

/// What each search found that a target completes at its limit.
fn of_limits(summary: &Summary) -> Vec<Cost> {
    let one = |limit: Limit| {
        let shown = limit.shown()?;
        let per_second = limit.levels.iter().rfind(|level| level.level == Some(shown))?.tps?;
        let Limit { experiment, target, axes, .. } = limit;
        Some(Cost { experiment, target, axes, price: None, per_second })
    };
    limit::of(summary).into_iter().filter_map(one).collect()
}

/// What each target completes in each cell that asks how much that is.
fn of_cells(summary: &Summary) -> Vec<Cost> {
    let asks = |cell: &&Cell| {
        let first = cell.trials.first().and_then(|number| summary.trial(*number));
        first.is_some_and(|t| matches!(Question::of(t), Question::Throughput | Question::NewOrders))
    };
    let one = |cell: &Cell| {
        let (experiment, target, axes) = (cell.experiment.clone(), cell.target.clone(), cell.axes.clone());
        Some(Cost { experiment, target, axes, price: None, per_second: statistics::mean(&cell.tps)? })
    };
    summary.cells().iter().filter(asks).filter_map(one).collect()
}

/// Whether two costs are of the same target and kind of load.
fn is_same(a: &Cost, b: &Cost) -> bool {
    (&a.experiment, &a.target, kind_of_load(&a.axes)) == (&b.experiment, &b.target, kind_of_load(&b.axes))
}

/// Of each target and kind of load the one at which it completes most.
fn best_of_each_load(all: impl Iterator<Item = Cost>) -> Vec<Cost> {
    let mut best: Vec<Cost> = Vec::new();
    for cost in all.filter(|cost| cost.per_second > 0.0) {
        match best.iter_mut().find(|known| is_same(known, &cost)) {
            Some(known) if cost.per_second > known.per_second => *known = cost,
            Some(_) => {}
            None => best.push(cost),
        }
    }
    best
}

impl Cost {
    /// As a sentence.
    pub fn sentence(&self) -> Message {
        let (target, tps) = (self.target.as_str(), figure::grouped(self.per_second));
        let at = match within(&self.axes) {
            [] => foreign(""),
            axes => msg!("cost-at", cell = axis::cell(axes)),
        };
        let sentence = match &self.price {
            None => return msg!("cost-without-price", target),
            Some(price) => msg!(
                "cost-of-thousand",
                target,
                tps,
                at,
                hour = figure::grouped(price.per_hour),
                thousand = figure::grouped(price.of_thousand(self.per_second)),
                currency = price.currency
            ),
        };
        let experiment = self.experiment.as_str();
        // The only experiment of a plan needs no name.
        if within(&self.axes).len() == self.axes.len() {
            sentence
        } else {
            msg!("answer-of-experiment", experiment, answer = sentence)
        }
    }
}
