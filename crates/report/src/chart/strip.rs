//! A strip of bars on one time axis, a lane for each group: when each trial ran.

use super::axes::X;
use super::ticks;
use crate::bilingual::escape;
use std::fmt::Write;

/// One bar.
pub struct StripBar {
    /// Its lane, from the top.
    pub lane: usize,
    /// Its colour: the position of the target in the plan.
    pub style: usize,
    /// Its start and end on the axis.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// The dark part of it, if any.
    pub dark: Option<(f64, f64)>,
    /// What is drawn below it.
    pub mark: StripMark,
    /// Its tooltip; empty for none.
    pub tip: String,
}

/// The mark of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StripMark {
    /// None.
    None,
    /// A line.
    Line,
    /// A cross.
    Cross,
}

const WIDTH: f64 = 560.0;
const LEFT: f64 = 10.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 8.0;
/// The height of a lane and of its bars.
const LANE: f64 = 28.0;
const BAR: f64 = 14.0;

/// The bars as an `<svg>` element, which is hidden from screen readers.
pub fn strip(bars: &[StripBar], axis: &X) -> String {
    let lanes = bars.iter().map(|bar| bar.lane + 1).max().unwrap_or(0);
    let base = TOP + LANE * lanes as f64;
    let x = |v: f64| LEFT + (v - axis.low) / (axis.high - axis.low).max(1e-12) * (WIDTH - LEFT - RIGHT);
    let mut s = format!("<svg viewBox=\"0 0 {WIDTH} {:.0}\" aria-hidden=\"true\">", base + 26.0);
    for (value, _) in &axis.marks {
        let _ = write!(s, "<path class=\"grid\" d=\"M{:.1} {TOP}V{base:.1}\"/>", x(*value));
    }
    s += &ticks::labels(&axis.marks, &x, base + 18.0, WIDTH);
    for bar in bars {
        let (style, top) = (bar.style % 8, TOP + LANE * bar.lane as f64 + 3.0);
        // Of very many bars, each can still be seen.
        let part = |(from, to): (f64, f64)| (x(from), (x(to) - x(from)).max(0.6));
        let (at, wide) = part((bar.from, bar.to));
        let _ = write!(
            s,
            "<g class=\"f{style}\"><rect class=\"pale\" x=\"{at:.1}\" y=\"{top}\" width=\"{wide:.1}\" height=\"{BAR}\"/>"
        );
        if let Some((at, wide)) = bar.dark.map(part) {
            let _ = write!(s, "<rect x=\"{at:.1}\" y=\"{top}\" width=\"{wide:.1}\" height=\"{BAR}\"/>");
        }
        if !bar.tip.is_empty() {
            let _ = write!(s, "<title>{}</title>", escape(&bar.tip));
        }
        s += "</g>";
        let (middle, below) = (at + wide / 2.0, top + BAR + 4.0);
        let half = (wide / 2.0).clamp(0.5, 5.0);
        let _ = match bar.mark {
            StripMark::None => Ok(()),
            StripMark::Line => {
                write!(s, "<path class=\"degraded\" d=\"M{:.1} {below}h{:.1}\"/>", middle - half, 2.0 * half)
            }
            StripMark::Cross => write!(
                s,
                "<path class=\"invalid\" d=\"M{0:.1} {1}l6 6M{0:.1} {2}l6 -6\"/>",
                middle - 3.0,
                below - 2.0,
                below + 4.0
            ),
        };
    }
    s + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_where_they_ran() {
        let bar = |lane, from, to, mark| StripBar {
            lane,
            style: lane,
            from,
            to,
            dark: (mark != StripMark::Cross).then_some((from, to)),
            mark,
            tip: "<1>".into(),
        };
        let axis = super::super::seconds(100.0);
        let bars = [
            bar(0, 0.0, 50.0, StripMark::None),
            bar(1, 50.0, 100.0, StripMark::Line),
            bar(0, 100.0, 100.0, StripMark::Cross),
        ];
        let drawn = strip(&bars, &axis);
        assert_eq!((drawn.matches("class=\"degraded\"").count(), drawn.matches("class=\"invalid\"").count()), (1, 1));
        assert_eq!(drawn.matches("<rect x=").count(), 2, "the dark parts");
        assert!(
            drawn.contains("x=\"10.0\" y=\"11\" width=\"265.0\"")
                && drawn.contains("x=\"275.0\" y=\"39\" width=\"265.0\"")
        );
        assert!(drawn.contains("width=\"0.6\"") && drawn.contains("&lt;1&gt;") && !drawn.contains("<1>"), "{drawn}");
    }
}
