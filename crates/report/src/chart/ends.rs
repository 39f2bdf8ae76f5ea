//! The names of lines at their ends, where there are more lines than colours.

use super::axes::Scale;
use super::ticks::LETTER;
use super::{Chart, ChartLine};
use crate::bilingual::escape;
use std::collections::HashSet;
use std::fmt::Write;

/// The lines that colours alone tell apart, and the most whose names fit one below the other.
const COLOURS: usize = 8;
const MOST: usize = 16;
/// The height of a name, and the room between the end of the axis and the names.
const LINE: f64 = 13.0;
const GAP: f64 = 26.0;
/// The most characters of a name.
const LONGEST: usize = 18;

/// Whether the lines of a chart have their names at their ends: there are many, but not too many, of few points each.
pub fn are_named(chart: &Chart, lines: &[ChartLine]) -> bool {
    let names: HashSet<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let is_short = |line: &ChartLine| !line.bare && line.points.len() <= 20 && end(line).is_some();
    let is_fit = (COLOURS + 1..=MOST).contains(&lines.len()) && names.len() == lines.len();
    is_fit && chart.x.scale != Scale::Words && lines.iter().all(is_short)
}

/// The room right of the axis.
pub fn room(lines: &[ChartLine]) -> f64 {
    let longest = lines.iter().map(|line| shown(&line.name).chars().count()).max().unwrap_or(0);
    GAP + 4.0 + 0.85 * LETTER * longest as f64
}

/// The names, each on a line of its own and as near to the end of its line as others permit, with a stroke from there.
pub fn named(lines: &[ChartLine], x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64, right: f64, bottom: f64) -> String {
    let mut all: Vec<(f64, f64, &ChartLine)> =
        lines.iter().filter_map(|line| end(line).map(|p| (x(p.0), y(p.1), line))).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut places: Vec<f64> = all.iter().map(|end| end.1).collect();
    for at in 1..places.len() {
        places[at] = places[at].max(places[at - 1] + LINE);
    }
    let mut lowest = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(lowest);
        lowest = *place - LINE;
    }
    let mut out = String::from("<g class=\"ends\">");
    for ((from_x, from_y, line), place) in all.into_iter().zip(places) {
        let (colour, name) = (line.style % COLOURS, escape(&shown(&line.name)));
        let _ = write!(
            out,
            "<path class=\"c{colour}\" d=\"M{:.1} {from_y:.1}L{:.1} {place:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" translate=\"no\">{name}</text>",
            from_x + 6.0,
            right + GAP - 4.0,
            right + GAP,
            place + 4.0
        );
    }
    out + "</g>"
}

fn end(line: &ChartLine) -> Option<(f64, f64)> {
    line.points.iter().rev().find(|p| p.1.is_finite()).copied()
}

fn shown(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        name.to_owned()
    } else {
        name.chars().take(LONGEST - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{axes, standalone};
    use super::*;
    use tenbin_words::language::Language;
    use tenbin_words::message::foreign;

    fn drawn(targets: usize, points: usize) -> String {
        let line = |n: usize| ChartLine {
            name: format!("db-{n:02}"),
            style: n,
            // Close together at the lower end of the axis, so that their names must move apart, and upwards.
            points: (0..points)
                .map(|at| (at as f64 + 1.0, 1.0 + 0.01 * n as f64))
                .chain([(points as f64 + 1.0, 1.0)])
                .collect(),
            ..ChartLine::default()
        };
        let lines: Vec<ChartLine> = (0..targets).map(line).collect();
        let chart = Chart {
            title: foreign("t"),
            unit: foreign("TPS"),
            ..Chart::over(foreign("clients"), axes::numbers(&(1..=points + 1).map(|n| n as f64).collect::<Vec<_>>()))
        };
        standalone(&chart, &lines, Language::English)
    }

    #[test]
    fn twelve_lines_have_their_names_at_their_ends_apart_from_one_another() {
        let twelve = drawn(12, 2);
        let (_, ends) = twelve.split_once("class=\"ends\"").unwrap();
        let (ends, _) = ends.split_once("</g>").unwrap();
        let places: Vec<f64> = ends
            .split("<text")
            .skip(1)
            .map(|text| text.split_once("y=\"").unwrap().1.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert!(places.len() == 12 && places.windows(2).all(|pair| pair[1] - pair[0] > LINE - 0.2), "{places:?}");
        assert!(ends.contains("db-00") && ends.contains("db-11"), "{ends}");
        // Colours are enough, or there is no room, or there are no ends to speak of.
        for (targets, points) in [(8, 2), (17, 2), (12, 30)] {
            assert!(!drawn(targets, points).contains("class=\"ends\""), "{targets} {points}");
        }
    }
}
