//! A finished measurement: its points, the figures a reader wants of them, the goals, and the table.

use crate::goals::{Goal, GoalVerdict};
use crate::paired::{Better, Point, Spread};
use serde::Serialize;
use std::borrow::Cow;

/// A finished measurement.
#[derive(Debug, Serialize)]
pub struct Measurement {
    /// Its letter.
    pub key: &'static str,
    /// What was measured, in one line.
    pub name: Cow<'static, str>,
    /// The figures of the table.
    pub columns: Vec<Column>,
    /// All pairs.
    pub points: Vec<Point>,
}

/// One figure of a table.
#[derive(Debug, Serialize)]
pub struct Column {
    /// Its name in the pairs.
    pub figure: &'static str,
    /// As a reader names it.
    pub name: &'static str,
    /// Which way is better.
    pub better: Better,
    /// What it is held to, by point.
    pub goals: Vec<Goal>,
}

impl Column {
    /// A column, without goals.
    pub const fn new(figure: &'static str, name: &'static str, better: Better) -> Column {
        Column { figure, name, better, goals: Vec::new() }
    }
}

/// The verdict on a goal, with its two limits.
fn verdict(goal: &Goal, ours: Spread, ratio: Option<Spread>) -> String {
    let word = match goal.verdict(Some(ours.median), ratio.map(|r| r.median)) {
        GoalVerdict::Aim => "aim reached",
        GoalVerdict::Must => "must reached",
        GoalVerdict::Missed => "MISSED",
    };
    format!("{word} ({} / {})", figure(goal.must), figure(goal.aim))
}

impl Measurement {
    /// The table as text: one row per point and figure; ratios above 1 are in our favour.
    pub fn table(&self, peer: &str, ours: &str) -> String {
        let head = ["", "", peer, ours, "ratio", "spread", "goal (must / aim)"].map(str::to_owned);
        let mut rows = vec![head];
        for point in &self.points {
            let mut first = true;
            for column in &self.columns {
                let Some(b) = point.ours(column.figure) else { continue };
                let (a, ratio) = (point.peer(column.figure), point.ratio(column.figure, column.better));
                let goal = column.goals.iter().find(|g| g.point == point.name).map(|g| verdict(g, b, ratio));
                let none = || "–".to_owned();
                rows.push([
                    if std::mem::take(&mut first) { point.name.clone() } else { String::new() },
                    column.name.to_owned(),
                    // Where no other program does it there is no peer.
                    a.map_or_else(none, |a| figure(a.median)),
                    figure(b.median),
                    ratio.map_or_else(none, |r| format!("{:.2}×", r.median)),
                    ratio.map_or_else(none, |r| format!("{:.2}–{:.2}", r.min, r.max)),
                    goal.unwrap_or_default(),
                ]);
            }
        }
        format!("({}) {}\n{}", self.key, self.name, aligned(&rows))
    }
}

fn aligned(rows: &[[String; 7]]) -> String {
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(c, (cell, &w))| match c {
            2..=5 => format!("{cell:>w$}"),
            _ => format!("{cell:<w$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(format!("  {line}").trim_end());
        text.push('\n');
    }
    text
}

/// Three figures or so, thousands apart.
pub fn figure(x: f64) -> String {
    match x.abs() {
        n if n >= 1000.0 => {
            let digits = format!("{x:.0}");
            let mut text = String::new();
            for (i, digit) in digits.char_indices() {
                if i > 0 && (digits.len() - i).is_multiple_of(3) && !text.ends_with('-') {
                    text.push(',');
                }
                text.push(digit);
            }
            text
        }
        n if n >= 100.0 => format!("{x:.0}"),
        n if n >= 10.0 => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goals::GoalKind;
    use crate::paired::{Figures, Pair};

    #[test]
    fn the_table_tells_ratio_spread_and_goal() {
        let pair = |peer: f64, ours: f64| Pair {
            repeat: 1,
            peer_first: true,
            peer: Figures::from([("us", peer), ("qps", 1e6 / peer)]),
            ours: Figures::from([("us", ours), ("qps", 1e6 / ours)]),
        };
        let goal = |kind, must, aim| Goal { point: "16 clients".into(), kind, must, aim };
        let measurement = Measurement {
            key: "a",
            name: "cost".into(),
            columns: vec![
                Column {
                    figure: "us", name: "µs", better: Better::Less, goals: vec![goal(GoalKind::Ratio, 2.0, 3.0)]
                },
                Column {
                    figure: "qps",
                    name: "queries/s",
                    better: Better::More,
                    goals: vec![goal(GoalKind::AtLeast, 200_000.0, 250_000.0)],
                },
            ],
            points: vec![Point {
                name: "16 clients".into(),
                pairs: vec![pair(14.0, 6.0), pair(15.0, 5.0), pair(12.0, 6.0)],
            }],
        };
        let expected = "\
(a) cost
                         sysbench   tenbin  ratio     spread  goal (must / aim)
  16 clients  µs             14.0     6.00  2.33×  2.00–3.00  must reached (2.00 / 3.00)
              queries/s    71,429  166,667  2.33×  2.00–3.00  MISSED (200,000 / 250,000)
";
        assert_eq!(measurement.table("sysbench", "tenbin"), expected);
    }
}
