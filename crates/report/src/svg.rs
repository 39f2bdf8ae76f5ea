//! Charts as SVG text: lines over a category or a number, with dots for single runs. Readable without scripts, in print, in either theme:
//! colours come from the page's style, and each line has its own marker and dash beside its colour.

use std::fmt::Write;
use tenbin_model::figure;

/// One line of a chart.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// Which colour, marker and dash: the target's place.
    pub style: usize,
    /// Points of the line: place on the x axis and value.
    pub points: Vec<(f64, f64)>,
    /// Single values behind it.
    pub dots: Vec<(f64, f64)>,
}

/// What the chart shows.
#[derive(Debug, Clone)]
pub struct Chart<'a> {
    /// Read out by screen readers, shown as the figure's caption by the page.
    pub title: &'a str,
    /// The unit of the y axis.
    pub unit: &'a str,
    /// Name of the x axis.
    pub x_name: &'a str,
    /// Marks of the x axis: place and label.
    pub x_marks: Vec<(f64, String)>,
    /// Whether the y axis is logarithmic.
    pub logarithmic: bool,
    /// Shaded stretch of the x axis (warm-up).
    pub shade: Option<(f64, f64)>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 42.0;

const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];

/// The chart as an `<svg>` element.
pub fn chart(chart: &Chart<'_>, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|l| l.points.iter().chain(&l.dots)).filter(|p| p.1.is_finite());
    let (mut x0, mut x1) = bounds(all().map(|p| p.0).chain(chart.x_marks.iter().map(|m| m.0)));
    if x0 == x1 {
        (x0, x1) = (x0 - 1.0, x1 + 1.0);
    }
    let (low, high) = bounds(all().map(|p| p.1));
    let ticks = if chart.logarithmic && low > 0.0 { decades(low, high) } else { steps(high) };
    let logarithmic = chart.logarithmic && low > 0.0;
    let scale = |v: f64| if logarithmic { v.max(1e-12).log10() } else { v };
    let (y0, y1) = (scale(ticks[0]), scale(ticks[ticks.len() - 1]));
    let x = |v: f64| LEFT + (v - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| TOP + (1.0 - (scale(v) - y0) / (y1 - y0).max(1e-12)) * (HEIGHT - TOP - BOTTOM);

    let mut s = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title><desc>{1}</desc>",
        escape(chart.title),
        escape(&described(chart, lines))
    );
    if let Some((from, to)) = chart.shade {
        let (from, to) = (x(from.max(x0)), x(to.min(x1)));
        let _ = write!(
            s,
            "<rect class=\"shade\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            (to - from).max(0.0),
            HEIGHT - TOP - BOTTOM
        );
    }
    for tick in &ticks {
        let at = y(*tick);
        let _ =
            write!(s, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>", WIDTH - RIGHT);
        let _ = write!(
            s,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 7.0,
            at + 4.0,
            figure::grouped(*tick)
        );
    }
    // Labels that would run into each other are left out.
    let mut last = f64::NEG_INFINITY;
    for (place, label) in &chart.x_marks {
        let at = x(*place);
        if at - last < 8.0 + 7.0 * label.chars().count() as f64 {
            continue;
        }
        last = at;
        let _ = write!(
            s,
            "<text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM + 18.0,
            escape(label)
        );
    }
    let _ = write!(
        s,
        "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 5.0,
        escape(chart.x_name)
    );
    let _ = write!(
        s,
        "<text class=\"axis\" x=\"4\" y=\"{:.1}\" transform=\"rotate(-90 12 {1:.1})\" text-anchor=\"middle\">{2}</text>",
        (TOP + HEIGHT - BOTTOM) / 2.0,
        (TOP + HEIGHT - BOTTOM) / 2.0,
        escape(chart.unit)
    );
    for line in lines {
        let style = line.style % 8;
        let path: Vec<String> =
            line.points.iter().filter(|p| p.1.is_finite()).map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        let dash = DASHES[line.style % DASHES.len()];
        let _ =
            write!(s, "<polyline class=\"line c{style}\" stroke-dasharray=\"{dash}\" points=\"{}\"/>", path.join(" "));
        for dot in line.dots.iter().filter(|p| p.1.is_finite()) {
            let _ =
                write!(s, "<circle class=\"dot f{style}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\"/>", x(dot.0), y(dot.1));
        }
        if line.points.len() <= 40 {
            for p in line.points.iter().filter(|p| p.1.is_finite()) {
                s += &marker(style, x(p.0), y(p.1), &format!("{}: {} {}", line.name, figure::grouped(p.1), chart.unit));
            }
        }
    }
    s + "</svg>"
}

/// A mark of the style's shape with a tip that names the value.
fn marker(style: usize, x: f64, y: f64, tip: &str) -> String {
    let shape = match style % 4 {
        0 => format!("<circle class=\"mark f{style}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.4\">"),
        1 => {
            format!("<rect class=\"mark f{style}\" x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\">", x - 4.0, y - 4.0)
        }
        2 => format!("<path class=\"mark f{style}\" d=\"M{x:.1} {:.1}l5 9h-10z\">", y - 5.5),
        _ => format!("<path class=\"mark f{style}\" d=\"M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z\">", y - 5.5),
    };
    let end = if style.is_multiple_of(4) {
        "circle"
    } else if style % 4 == 1 {
        "rect"
    } else {
        "path"
    };
    format!("{shape}<title>{}</title></{end}>", escape(tip))
}

/// A short stroke with its mark, as the legend shows it.
pub fn legend_mark(style: usize) -> String {
    let dash = DASHES[style % DASHES.len()];
    let style = style % 8;
    format!(
        "<svg class=\"key\" viewBox=\"0 0 34 14\" width=\"34\" height=\"14\" aria-hidden=\"true\"><polyline class=\"line c{style}\" stroke-dasharray=\"{dash}\" points=\"1,7 33,7\"/>{}</svg>",
        marker(style, 17.0, 7.0, "")
    )
}

/// The values in words, for those who do not see the picture.
fn described(chart: &Chart<'_>, lines: &[Line]) -> String {
    let label = |x: f64| chart.x_marks.iter().find(|m| m.0 == x).map_or_else(|| figure::grouped(x), |m| m.1.clone());
    let each = lines.iter().map(|l| {
        let shown: Vec<String> =
            l.points.iter().take(12).map(|p| format!("{} {}", label(p.0), figure::grouped(p.1))).collect();
        format!("{}: {}", l.name, shown.join(", "))
    });
    format!("{} in {} by {}. {}", chart.title, chart.unit, chart.x_name, each.collect::<Vec<_>>().join(". "))
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low.is_finite() { (low, high) } else { (0.0, 1.0) }
}

/// Round marks from zero to a little above `high`.
fn steps(high: f64) -> Vec<f64> {
    let rough = high.max(1e-9) / 4.0;
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * unit).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    (0..=(high / step).ceil().max(1.0) as u32).map(|i| f64::from(i) * step).collect()
}

/// Marks 1, 2, 5 of each decade around the values.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let all: Vec<f64> = (low.log10().floor() as i32..=high.log10().ceil() as i32)
        .flat_map(|d| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(d)))
        .collect();
    let from = all.iter().rposition(|v| *v <= low).unwrap_or(0);
    let to = all.iter().position(|v| *v >= high).unwrap_or(all.len() - 1).max(from + 1).min(all.len() - 1);
    all[from.min(to.saturating_sub(1))..=to].to_vec()
}

/// Text made safe for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_marks() {
        assert_eq!(steps(97.0), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(steps(1234.0), [0.0, 500.0, 1000.0, 1500.0]);
        assert_eq!(decades(0.3, 40.0), [0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(decades(1.0, 1.0).len(), 2);
    }

    #[test]
    fn nothing_and_one_point_and_foreign_text_are_drawn() {
        let c = Chart {
            title: "<b>",
            unit: "ms",
            x_name: "x",
            x_marks: vec![(1.0, "<i>".into())],
            logarithmic: true,
            shade: None,
        };
        assert!(chart(&c, &[]).ends_with("</svg>"));
        let line = Line { name: "a\"<".into(), points: vec![(1.0, 0.0), (2.0, f64::NAN)], ..Line::default() };
        let text = chart(&c, &[line]);
        assert!(
            !text.contains("<b>") && !text.contains("<i>") && !text.contains("NaN") && !text.contains("a\"<"),
            "{text}"
        );
    }
}
