//! The small chart of a reading over time in a row of a table.

use super::{ChartLine, path};
use std::fmt::Write;

/// A small chart without axes as `<svg>`. The x axis begins when the clients start; the y axis reaches from the
/// smallest to the largest value of all lines. Each line has at most `most` points. Empty if the values do not differ.
pub fn spark(lines: &[ChartLine], most: usize) -> String {
    // As in the style sheet.
    const WIDE: f64 = 120.0;
    const HIGH: f64 = 22.0;
    let visible_points = |l: &ChartLine| -> Vec<(f64, f64)> {
        l.points.iter().filter(|p| p.0 >= 0.0 && p.1.is_finite()).copied().collect()
    };
    let lines: Vec<(usize, Vec<(f64, f64)>)> = lines.iter().map(|l| (l.style % 8, visible_points(l))).collect();
    let all = || lines.iter().flat_map(|l| &l.1);
    let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.1), b.max(p.1)));
    let long = all().map(|p| p.0).fold(0.0, f64::max);
    // All values are the same: a line would show nothing.
    if high <= low || long <= 0.0 {
        return String::new();
    }
    let mut out = "<svg class=\"spark\" aria-hidden=\"true\">".to_owned();
    for (style, points) in lines.iter().filter(|l| !l.1.is_empty()) {
        let step = points.len().div_ceil(most).max(1);
        let pixel = |p: &(f64, f64)| (p.0 / long * WIDE, 1.0 + (1.0 - (p.1 - low) / (high - low)) * (HIGH - 2.0));
        let path = path::relative(points.iter().step_by(step).map(pixel), 0);
        let _ = write!(out, "<path class=\"c{style}\" d=\"{path}\"/>");
    }
    out + "</svg>"
}
