//! What the figures are held to: `doc/bench/goals.json`, the only place that has the limits, with the date and the reason of every
//! change. A letter, a figure and a point have one goal; the last of its history counts.

use serde::{Deserialize, Serialize};
use std::io;

const TEXT: &str = include_str!("../../doc/bench/goals.json");

/// The goals of a figure at some points.
#[derive(Debug, Clone, Deserialize)]
pub struct Limits {
    pub letter: String,
    pub figure: String,
    pub kind: GoalKind,
    pub points: Vec<String>,
    pub history: Vec<Change>,
}

/// The limits from a day on.
#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    pub date: String,
    pub must: f64,
    pub aim: f64,
    pub reason: String,
}

/// What the limits are limits of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalKind {
    /// How many times better than the peer, at least.
    Ratio,
    /// Our own figure, at least.
    AtLeast,
    /// Our own figure, at most.
    AtMost,
    /// By which part better or worse than the peer, at most.
    Near,
    /// By which part better than the peer, at most, and not worse: the same work takes the same time.
    NotAbove,
}

/// What a figure is held to at one point.
#[derive(Debug, Clone, Serialize)]
pub struct Goal {
    pub point: String,
    pub kind: GoalKind,
    pub must: f64,
    pub aim: f64,
}

/// Whether a goal is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalVerdict {
    Aim,
    Must,
    Missed,
}

impl Goal {
    /// Compares the medians of our figure and of the ratio with the limits.
    pub fn verdict(&self, ours: Option<f64>, ratio: Option<f64>) -> GoalVerdict {
        let ours = ours.unwrap_or(f64::NAN);
        let ratio = ratio.unwrap_or(f64::NAN);
        let reached = |limit: f64| match self.kind {
            GoalKind::Ratio => ratio >= limit,
            GoalKind::AtLeast => ours >= limit,
            GoalKind::AtMost => ours <= limit,
            GoalKind::Near => (ratio - 1.0).abs() <= limit,
            GoalKind::NotAbove => (0.0..=limit).contains(&(ratio - 1.0)),
        };
        match (reached(self.aim), reached(self.must)) {
            (true, _) => GoalVerdict::Aim,
            (_, true) => GoalVerdict::Must,
            _ => GoalVerdict::Missed,
        }
    }
}

/// All of them.
pub fn all() -> io::Result<Vec<Limits>> {
    Ok(serde_json::from_str(TEXT)?)
}

/// The goals of a figure, by point.
pub fn of(all: &[Limits], letter: &str, figure: &str) -> Vec<Goal> {
    let own = all.iter().filter(|limits| limits.letter == letter && limits.figure == figure);
    let goals = own.filter_map(|limits| Some((limits, limits.history.last()?)));
    let each = goals.flat_map(|(limits, Change { must, aim, .. })| {
        limits.points.iter().map(|point| Goal { point: point.clone(), kind: limits.kind, must: *must, aim: *aim })
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_point_has_one_goal_and_each_change_a_reason() {
        let all = all().unwrap();
        let mut once = BTreeSet::new();
        for limits in &all {
            for point in &limits.points {
                let of = (limits.letter.as_str(), limits.figure.as_str(), point.as_str());
                assert!(once.insert(of), "{of:?} has two goals");
            }
            assert!(!limits.history.is_empty(), "{limits:?}");
            assert!(limits.history.is_sorted_by(|a, b| a.date < b.date), "{limits:?}");
            assert!(limits.history.iter().all(|change| !change.reason.is_empty()), "{limits:?}");
        }
        let goals = of(&all, "h", "client_us");
        let goal = goals.iter().find(|goal| goal.point == "16 connections, against go-tpc").unwrap();
        assert_eq!((goal.must, goal.aim), (2.7, 3.0), "the last change counts");
        assert_eq!(goal.verdict(None, Some(2.8)), GoalVerdict::Must);
    }
}
