//! What the transactions of a target cost, if the plan has prices.

use crate::compared::Compared;
use crate::judged::Judged;
use crate::limit;
use std::collections::BTreeMap;
use tenbin_model::price::Price;
use tenbin_model::question::Question;
use tenbin_model::statistics;
use tenbin_model::summary::Summary;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// What the transactions of a target cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The experiment.
    pub experiment: String,
    /// The target.
    pub target: String,
    /// Its price; `None`: the plan has none.
    pub price: Option<Price>,
    /// Transactions per second at its limit, or in the cell in which it completes most.
    pub per_second: f64,
}

/// The costs of all targets, if the plan has the price of one of them; experiments that ask for a rate or for seconds have none,
/// because every target does what was asked of it.
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
    let limits = limit::of(summary);
    let cells = summary.cells();
    let mut all = Vec::new();
    for experiment in summary.experiments() {
        let questions = summary.questions(experiment);
        for target in summary.targets() {
            let per_second = match questions.as_slice() {
                [Question::Limit] => {
                    let own = limits.iter().filter(|l| l.experiment == experiment && l.target == target);
                    own.filter_map(|l| l.levels.iter().rfind(|level| level.level == l.shown() && l.shown().is_some()))
                        .filter_map(|level| level.tps)
                        .reduce(f64::max)
                }
                [Question::Throughput | Question::NewOrders] => {
                    let own = cells.iter().filter(|c| c.experiment == experiment && c.target == target);
                    own.filter_map(|c| statistics::mean(&c.tps)).reduce(f64::max)
                }
                _ => None,
            };
            let price = prices.get(target.as_str()).copied().cloned();
            all.extend(per_second.filter(|tps| *tps > 0.0).map(|per_second| Cost {
                experiment: experiment.to_owned(),
                target,
                price,
                per_second,
            }));
        }
    }
    all
}

impl Cost {
    /// As a sentence.
    pub fn sentence(&self) -> Message {
        let (target, tps) = (self.target.as_str(), figure::grouped(self.per_second));
        match &self.price {
            None => msg!("cost-without-price", target),
            Some(price) => msg!(
                "cost-of-thousand",
                target,
                tps,
                hour = figure::grouped(price.per_hour),
                thousand = figure::grouped(price.of_thousand(self.per_second)),
                currency = price.currency
            ),
        }
    }
}
