//! The figures of a group of clients on one target, or at one value of the axis that is compared, over those on the base.
//!
//! A group with a rate completes what the rate asks for on every target: of it only the response time is compared.

use crate::client_groups;
use crate::compared::Compared;
use crate::comparison::{self, Comparing, RatioInCell};
use crate::contender::Contender;
use crate::judged_trial::JudgedTrial;
use crate::rate;
use std::collections::BTreeMap;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::trial::{ClientGroup, Schedule};

/// The 99th percentile of the response time, which is compared beside throughput.
const P99: Figure = Figure::Percentile(990);

/// What a group did, over what it did on the base.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupRatios {
    /// The base: a target, or a value of the axis.
    pub base: String,
    /// Of transactions per second; `None` if the group has a rate, or nothing completed.
    pub tps: Option<RatioInCell>,
    /// Of the 99th percentile of the response time; `None` if nothing completed, or if the group did not keep up with its rate in some trial, where
    /// times grow with the length of the run.
    pub p99: Option<RatioInCell>,
}

impl GroupRatios {
    /// Whether one of them is shown with its interval.
    pub fn has_interval(&self) -> bool {
        [self.tps, self.p99].into_iter().flatten().any(|ratio| ratio.interval().is_some())
    }
}

/// Of which cell, target and group.
pub type GroupPlace = (u32, String, String);

/// The ratios of all groups of a run, but for those of the bases; each from the pairs of its own cell. All of a figure of an experiment
/// together err with the chance of one (Bonferroni).
pub fn all(summary: &Summary) -> BTreeMap<GroupPlace, GroupRatios> {
    let mut all = BTreeMap::new();
    for experiment in summary.experiments() {
        let trials = || summary.trials.iter().filter(|t| t.trial.experiment == experiment);
        let Some(with_groups) = trials().find(|t| !t.trial.load.groups.is_empty()) else { continue };
        let (groups, cells) =
            (&with_groups.trial.load.groups, trials().map(|t| t.trial.cell).max().unwrap_or(1) as usize);
        for question in summary.questions(experiment) {
            let contenders = summary.contenders(experiment, question);
            // That of the comparison of all groups together: what two sentences say of the same two has the same base.
            let main = summary.comparisons(experiment, question, question.figure());
            let is_base = |one: &&Contender| main.first().map_or(one.is_base, |c| c.a == one.name);
            let Some(base) = contenders.iter().find(is_base).or(contenders.first()) else { continue };
            let comparisons = (contenders.len() - 1) * groups.len() * cells;
            for other in contenders.iter().filter(|one| one.name != base.name) {
                let ratios = |figure, group: &ClientGroup| {
                    let what = Comparing { experiment, question, figure, comparisons };
                    let tps = |t: &TrialResult| client_groups::tps(t, group);
                    let completed = |t: &TrialResult| (client_groups::completed(t, group) as f64, group.clients);
                    let times = |t: &TrialResult| t.tally.group(&group.name).all.response;
                    comparison::in_cells(summary, &what, [&base.name, &other.name], &tps, &completed, &times)
                };
                for group in groups {
                    let mut put = |(cell, target): (u32, String), put: &dyn Fn(&mut GroupRatios)| {
                        let none = || GroupRatios { base: base.name.clone(), tps: None, p99: None };
                        put(all.entry((cell, target, group.name.clone())).or_insert_with(none));
                    };
                    if group.schedule == Schedule::Closed {
                        ratios(Figure::Transactions, group)
                            .into_iter()
                            .for_each(|(place, r)| put(place, &|of| of.tps = Some(r)));
                    }
                    let holds = |t: &TrialResult| rate::is_held(&t.of_group(group)) != Some(false);
                    if trials().filter(|t| t.counts() && Question::of(t) == question).all(holds) {
                        ratios(P99, group).into_iter().for_each(|(place, r)| put(place, &|of| of.p99 = Some(r)));
                    }
                }
            }
        }
    }
    all
}
