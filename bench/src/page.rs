//! `doc/performance.md`: one table per letter with the newest figures of each point. It is made of the rounds that are committed under
//! `doc/bench/`, one file per letter and round, which `make bench` writes.

use crate::goals::{self, Goal, GoalKind, GoalVerdict, Limits};
use crate::measurement::{Measurement, figure};
use crate::paired::{Point, Spread};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// A round of one letter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Round {
    /// Of this form.
    pub format: u32,
    pub letter: String,
    /// What was measured.
    pub title: String,
    /// Day and time, as the file is named.
    pub date: String,
    pub machine: String,
    /// Pairs per point, and seconds of a window; `None`: not known, or they differ.
    pub pairs: Option<u32>,
    pub window_s: Option<f64>,
    /// What else has to be known.
    pub conditions: String,
    /// Where the figures come from.
    pub source: String,
    /// Why the figures are what they are, in a sentence; empty if the one of the round before still holds.
    pub why: String,
    pub figures: Vec<PublishedFigure>,
    /// Every pair, if the round was measured since rounds are kept.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub points: serde_json::Value,
}

/// A figure at a point, as medians over its pairs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PublishedFigure {
    pub point: String,
    pub figure: String,
    /// As a reader names it.
    pub name: String,
    /// How many times better than the peer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Median>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<Median>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours: Option<Median>,
}

/// A median, with the smallest and the largest if they are known.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Median {
    pub median: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl From<Spread> for Median {
    fn from(Spread { median, min, max }: Spread) -> Median {
        Median { median, min: Some(min), max: Some(max) }
    }
}

/// The folder with the rounds.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../doc/bench")
}

/// The page.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../doc/performance.md")
}

/// Writes a measurement as a round, and the page of all rounds.
pub fn publish(measurement: &Measurement, of: Round) -> io::Result<()> {
    let figures = measurement.columns.iter().flat_map(|column| {
        measurement.points.iter().filter_map(|point: &Point| {
            let ours = point.ours(column.figure)?;
            Some(PublishedFigure {
                point: point.name.clone(),
                figure: column.figure.to_owned(),
                name: column.name.to_owned(),
                ratio: point.ratio(column.figure, column.better).map(Median::from),
                peer: point.peer(column.figure).map(Median::from),
                ours: Some(ours.into()),
            })
        })
    });
    let figures = figures.collect();
    let round = Round { figures, points: serde_json::to_value(&measurement.points)?, ..of };
    let file = folder().join(format!("{}-{}.json", round.date, round.letter));
    std::fs::write(file, serde_json::to_string(&round)? + "\n")?;
    std::fs::write(path(), page(&rounds(&folder())?, &goals::all()?))
}

/// All rounds, the oldest first.
pub fn rounds(folder: &Path) -> io::Result<Vec<Round>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "json") && !path.ends_with("goals.json") {
            let text = std::fs::read_to_string(&path)?;
            let round: Round =
                serde_json::from_str(&text).map_err(|e| io::Error::other(format!("{}: {e}", path.display())))?;
            all.push(round);
        }
    }
    all.sort_by(|a, b| (&a.letter, &a.date).cmp(&(&b.letter, &b.date)));
    Ok(all)
}

const HEAD: &str = "# The cost of Tenbin itself

A load generator is part of what it measures. `make bench` compares Tenbin with other tools in pairs that alternate; only ratios mean something on a shared
machine ([0035](decision/0035-how-we-measure.md)). A ratio above 1 is in favour of Tenbin: the median (smallest–largest; figure of the peer, of Tenbin), then
whether the **aim** or the must is reached, or *missed* (must / aim). [The goals](bench/goals.json) have the date and the reason of every change.
A date in brackets is that of another round than the one in the head of the table. `make bench GO_TPC=peers/go-tpc TPCC_MYSQL=tpcc-mysql` measures all.
<!-- Generated by `make bench` of the rounds in doc/bench; a test compares it with them. -->
";

/// The page as Markdown.
pub fn page(rounds: &[Round], limits: &[Limits]) -> String {
    let mut text = HEAD.to_owned();
    let mut letters: BTreeMap<&str, Vec<&Round>> = BTreeMap::new();
    rounds.iter().for_each(|round| letters.entry(&round.letter).or_default().push(round));
    for (letter, rounds) in letters {
        // Of each figure at each point the newest, in the order in which they appear first.
        let mut newest: Vec<(&Round, &PublishedFigure)> = Vec::new();
        for (round, figure) in rounds.iter().flat_map(|round| round.figures.iter().map(move |figure| (*round, figure)))
        {
            let same =
                |(_, of): &(&Round, &PublishedFigure)| (&of.point, &of.figure) == (&figure.point, &figure.figure);
            match newest.iter().position(same) {
                Some(at) => newest[at] = (round, figure),
                None => newest.push((round, figure)),
            }
        }
        let used = |round: &Round| newest.iter().filter(|(of, _)| of.date == round.date).count();
        let Some(main) = rounds.iter().max_by_key(|round| (used(round), &round.date)) else { continue };
        let _ = write!(text, "\n## ({letter}) {}\n| {} | by point |\n|---|---|\n", main.title, conditions(main));
        for (row, cells) in rows(&newest, main, limits) {
            let _ = writeln!(text, "| {row} | {} |", cells.join(" · "));
        }
        let changed: Vec<String> = limits.iter().filter(|of| of.letter == letter).filter_map(changed).collect();
        if !changed.is_empty() {
            let _ = writeln!(text, "| goals changed | {} |", changed.join(" · "));
        }
        if let Some(round) = rounds.iter().rev().find(|round| !round.why.is_empty()) {
            let _ = writeln!(text, "| why | {} |", round.why);
        }
    }
    text
}

/// The last change of a goal, if it was changed.
fn changed(limits: &Limits) -> Option<String> {
    let [.., before, now] = &*limits.history else { return None };
    let write = |of: &goals::Change| format!("{} / {}", figure(of.must), figure(of.aim));
    let points = limits.points.join("; ");
    Some(format!(
        "{}: {} of {points} from {} to {}, {}",
        now.date,
        limits.figure,
        write(before),
        write(now),
        now.reason
    ))
}

/// Day, machine, pairs and what else has to be known.
fn conditions(round: &Round) -> String {
    let pairs = match (round.pairs, round.window_s) {
        (Some(1), _) => ", one repeat".to_owned(),
        (Some(n), Some(window)) => format!(", {n} pairs of {window} s"),
        (Some(n), None) => format!(", {n} pairs"),
        (None, _) => String::new(),
    };
    let more = if round.conditions.is_empty() { String::new() } else { format!(", {}", round.conditions) };
    format!("{}, {}{pairs}{more}", round.date, round.machine)
}

/// How many rows of figures a letter may have before the loads of a figure share a row.
const ROWS: usize = 10;

/// The rows: what the points of a figure have in common, and the figure; each with a cell per point.
fn rows(newest: &[(&Round, &PublishedFigure)], main: &Round, limits: &[Limits]) -> Vec<(String, Vec<String>)> {
    let mut rows: Vec<(String, &str, Vec<String>)> = Vec::new();
    for (round, published) in newest {
        let goals = goals::of(limits, &main.letter, &published.figure);
        let goal = goals.iter().find(|goal| goal.point == published.point);
        let (common, label) = split(&published.point);
        let date = if round.date == main.date { String::new() } else { format!(" [{}]", round.date) };
        let cell = format!("{label} {}{date}", value(published, goal));
        match rows.iter_mut().find(|(load, name, _)| (load, *name) == (&common, &published.name)) {
            Some((_, _, cells)) => cells.push(cell),
            None => rows.push((common, &published.name, vec![cell])),
        }
    }
    let titled = |load: String, rest: &str| if load.is_empty() { rest.to_owned() } else { format!("{load}: {rest}") };
    if rows.len() <= ROWS {
        return rows.into_iter().map(|(load, name, cells)| (titled(load, name), cells)).collect();
    }
    let mut figures: Vec<(String, Vec<String>)> = Vec::new();
    for (load, name, cells) in rows {
        let text = titled(load, &cells.join(" · "));
        match figures.iter_mut().find(|(of, _)| of == name) {
            Some((_, loads)) => loads.push(text),
            None => figures.push((name.to_owned(), vec![text])),
        }
    }
    // A line for each load within one cell.
    figures.into_iter().map(|(name, loads)| (name, vec![loads.join("<br>")])).collect()
}

/// The name of a point without its part that is a number (`16 clients`), and that part; all of it if there is none.
fn split(point: &str) -> (String, &str) {
    let parts: Vec<&str> = point.split(", ").collect();
    match parts.iter().position(|part| part.starts_with(|c: char| c.is_ascii_digit())) {
        None => (String::new(), point),
        Some(at) => {
            let others = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, part)| *part);
            (others.collect::<Vec<_>>().join(", "), parts[at])
        }
    }
}

fn value(published: &PublishedFigure, goal: Option<&Goal>) -> String {
    let PublishedFigure { ratio, peer, ours, .. } = published;
    let of_both = match (peer, ours) {
        (Some(peer), Some(ours)) => format!("{}, {}", figure(peer.median), figure(ours.median)),
        _ => String::new(),
    };
    let range = |of: &Median| match (of.min, of.max) {
        (Some(min), Some(max)) => format!("{}–{}", figure(min), figure(max)),
        _ => String::new(),
    };
    let in_brackets = |parts: [String; 2]| {
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
    };
    let text = match (ratio, ours) {
        (Some(ratio), _) => format!("{}×{}", figure(ratio.median), in_brackets([range(ratio), of_both])),
        (None, Some(ours)) => format!("{}{}", figure(ours.median), in_brackets([range(ours), peer_of(peer)])),
        (None, None) => "–".to_owned(),
    };
    let Some(goal) = goal else { return text };
    let limits = match goal.kind {
        GoalKind::Near | GoalKind::NotAbove => format!("{}% / {}%", 100.0 * goal.must, 100.0 * goal.aim),
        _ => format!("{} / {}", figure(goal.must), figure(goal.aim)),
    };
    let word = match goal.verdict(ours.map(|of| of.median), ratio.map(|of| of.median)) {
        GoalVerdict::Aim => "**aim**",
        GoalVerdict::Must => "must",
        GoalVerdict::Missed => "*missed*",
    };
    format!("{text} {word} ({limits})")
}

fn peer_of(peer: &Option<Median>) -> String {
    peer.map_or(String::new(), |peer| format!("peer {}", figure(peer.median)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `TENBIN_UPDATE_DOCS=1 cargo test -p tenbin-bench` writes it.
    #[test]
    fn the_page_is_made_of_the_rounds() {
        let made = page(&rounds(&folder()).unwrap(), &goals::all().unwrap());
        if std::env::var_os("TENBIN_UPDATE_DOCS").is_some() {
            std::fs::write(path(), &made).unwrap();
        }
        assert!(made == std::fs::read_to_string(path()).unwrap(), "doc/performance.md is not made of doc/bench");
        assert!(made.lines().count() <= 150, "{} lines", made.lines().count());
    }

    #[test]
    fn the_newest_figure_of_a_point_is_shown_with_its_verdict() {
        let round = |date: &str, ratio: f64| Round {
            format: 2,
            letter: "a".into(),
            title: "Client".into(),
            date: date.into(),
            machine: "a machine".into(),
            pairs: Some(5),
            window_s: Some(3.0),
            conditions: String::new(),
            source: "made up".into(),
            why: if date == "1" { "first".into() } else { String::new() },
            figures: vec![PublishedFigure {
                point: "64 clients".into(),
                figure: "client_us".into(),
                name: "CPU".into(),
                ratio: Some(Median { median: ratio, min: Some(ratio), max: Some(ratio) }),
                peer: Some(Median { median: 8.0, min: None, max: None }),
                ours: Some(Median { median: 4.0, min: None, max: None }),
            }],
            points: serde_json::Value::Null,
        };
        let limits = goals::all().unwrap();
        let text = page(&[round("1", 9.0), round("2", 2.0)], &limits);
        let (_, table) = text.split_once("## ").unwrap();
        let expected = "(a) Client\n| 2, a machine, 5 pairs of 3 s | by point |\n|---|---|\n\
                        | CPU | 64 clients 2.00× (2.00–2.00; 8.00, 4.00) *missed* (2.20 / 3.00) |\n| why | first |\n";
        assert_eq!(table, expected);
    }
}
