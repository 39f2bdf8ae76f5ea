//! Figures of a part of the transactions of a load: of one group of its clients, as if it had been alone, or of TPC-C's New-Orders. `gate` and
//! `history` judge by them, because a figure of loads that are unlike is that of the most frequent one.

use crate::judged_trial::JudgedTrial;
use std::borrow::Cow;
use tenbin_model::absolute_limit::Limited;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Which transactions of a load a figure is of, where it is not of all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subset {
    /// Those of the group of clients with this name.
    Group(String),
    /// The New-Orders of TPC-C.
    NewOrders,
    /// Those of the groups of clients without a rate, where others have one.
    WithoutRate,
    /// Those at the limit that a search found.
    Limit,
}

impl Subset {
    /// `group pay`, `New-Orders`, `groups without a rate`, `at the limit`.
    pub fn words(&self) -> Message {
        match self {
            Subset::Group(group) => msg!("of-the-group", group),
            Subset::NewOrders => msg!("subset-new-orders"),
            Subset::WithoutRate => msg!("subset-without-rate"),
            Subset::Limit => msg!("subset-limit"),
        }
    }

    /// The same in JSON and CSV: `group pay`, `new_orders`, `groups_without_rate`, `limit`.
    pub fn code(&self) -> String {
        match self {
            Subset::Group(group) => format!("group {group}"),
            Subset::NewOrders => "new_orders".to_owned(),
            Subset::WithoutRate => "groups_without_rate".to_owned(),
            Subset::Limit => "limit".to_owned(),
        }
    }
}

/// A run, or what one group of its clients did in it.
pub(crate) struct View<'s> {
    /// The group.
    group: Option<String>,
    /// The run; of a group the trials that have it.
    pub run: Cow<'s, Summary>,
}

/// The run, and each group of its clients.
pub(crate) fn views(run: &Summary) -> Vec<View<'_>> {
    let mut groups: Vec<&str> = Vec::new();
    for group in run.trials.iter().flat_map(|t| &t.trial.load.groups) {
        if !groups.contains(&group.name.as_str()) {
            groups.push(&group.name);
        }
    }
    let of_group = |name: &str| View { group: Some(name.to_owned()), run: Cow::Owned(of_group(run, name)) };
    std::iter::once(View { group: None, run: Cow::Borrowed(run) }).chain(groups.into_iter().map(of_group)).collect()
}

fn of_group(run: &Summary, name: &str) -> Summary {
    let alone = |t: &TrialResult| {
        let alone = t.of_group(t.trial.load.groups.iter().find(|group| group.name == name)?);
        // Whether a trial is in the figures is decided for all of its clients.
        alone.kept_doubts(|_| t.doubts().to_vec());
        Some(alone)
    };
    let mut view = Summary::default();
    view.trials = run.trials.iter().filter_map(alone).collect();
    view
}

impl View<'_> {
    /// Whether it is of the whole run.
    pub fn is_whole(&self) -> bool {
        self.group.is_none()
    }

    /// Whether a figure of this trial is judged here. Of clients in groups what they complete is judged together, and times and errors group by group;
    /// statements are not counted by group where they began before the window.
    pub fn has(&self, trial: &TrialResult, figure: Option<Figure>) -> bool {
        let is_throughput = matches!(figure, Some(Figure::Transactions | Figure::Queries));
        match self.is_whole() {
            true => is_throughput || trial.trial.load.groups.is_empty(),
            false => figure != Some(Figure::Queries),
        }
    }

    /// Of which transactions a figure of this trial is; `None`: of all.
    pub fn subset(&self, trial: &TrialResult, limited: Limited) -> Option<Subset> {
        match &self.group {
            Some(group) => Some(Subset::Group(group.clone())),
            None => of(trial, limited),
        }
    }
}

/// Of which transactions a figure of all clients of this trial is; `None`: of all.
pub fn of(trial: &TrialResult, limited: Limited) -> Option<Subset> {
    let question = Question::of(trial);
    match limited {
        _ if question == Question::Limit => Some(Subset::Limit),
        Limited::Longest | Limited::Figure(Figure::Mean | Figure::Percentile(_)) => {
            question.has(Figure::NewOrders).then_some(Subset::NewOrders)
        }
        Limited::Figure(Figure::Transactions | Figure::Queries) => {
            trial.trial.load.groups_without_rate().map(|_| Subset::WithoutRate)
        }
        Limited::Figure(Figure::NewOrders | Figure::Seconds) | Limited::Errors => None,
    }
}
