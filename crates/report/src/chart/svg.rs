//! Draws a chart as SVG text, which can be read without scripts, in print and in both themes. Colours come from the
//! page's style sheet; lines differ in marker and dash as well.

use super::axes::Scale;
use super::ends;
use super::path;
use super::ticks::{self, LETTER};
use super::{Chart, ChartLine, Y};
use crate::bilingual::escape;
use std::fmt::Write;
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::Message;

/// The width of a chart in a grid, and of one that has the page's width.
const WIDTH: f64 = 560.0;
const WIDE: f64 = 1120.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 30.0;
/// The height of the area in which lines are drawn.
const FIELD: f64 = 216.0;

const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
/// Marks, of which the second four are hollow.
const MARKS: usize = 8;

/// How a style is drawn. `web/src/charts.ts` has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Look {
    /// The number of its colour: `c0` to `c7`.
    colour: usize,
    mark: usize,
    dash: &'static str,
}

impl Look {
    /// The first eight styles differ in colour, mark and dash. Further ones have these colours again, each time with the next
    /// mark and dash, so that 64 differ.
    fn of(style: usize) -> Look {
        let (colour, round) = (style % COLOURS.len(), style / COLOURS.len());
        // Shifted by one for each four marks, so that no two of the eight have the same shape and dash.
        let dash = DASHES[(colour + colour / 4 + round) % DASHES.len()];
        Look { colour, mark: (colour + round) % MARKS, dash }
    }
}

/// The chart as an `<svg>` element, which is hidden from screen readers: the figure contains a description for them.
pub fn draw(chart: &Chart, lines: &[ChartLine], axis: &Y, is_wide: bool) -> String {
    let width = if is_wide { WIDE } else { WIDTH };
    let (inside, height) = inside(chart, lines, axis, width, is_wide);
    format!("<svg viewBox=\"0 0 {width} {height:.0}\" aria-hidden=\"true\">{inside}</svg>")
}

/// What is drawn, and the height of the drawing. `may_name`: names at the ends of lines are large enough to be read.
fn inside(chart: &Chart, lines: &[ChartLine], axis: &Y, width: f64, may_name: bool) -> (String, f64) {
    let (y0, y1) = (axis.ticks[0], axis.ticks[axis.ticks.len() - 1]);
    let labels = axis.labels();
    let left = 16.0 + LETTER * labels.iter().map(|l| l.chars().count()).max().unwrap_or(1) as f64;
    // Rotated words extend to the left of their position.
    let first = chart.x.marks.first().filter(|_| chart.x.scale == Scale::Words && chart.x.marks.len() > 2);
    let left = first.map_or(left, |m| left.max(0.85 * LETTER * m.1.chars().count().min(24) as f64 - 12.0));
    let scale = |v: f64| if axis.logarithmic { v.max(1e-12).log10() } else { v };
    let margin = if may_name && ends::are_named(chart, lines) { ends::room(lines) } else { RIGHT };
    let right = width - margin;
    let x = |v: f64| left + (v - chart.x.low) / (chart.x.high - chart.x.low).max(1e-12) * (right - left);
    let y = |v: f64| TOP + (1.0 - (scale(v) - scale(y0)) / (scale(y1) - scale(y0)).max(1e-12)) * FIELD;
    let (below, marks) = x_marks(chart, &x, width);
    let height = TOP + FIELD + below;

    let mut s = String::new();
    if let Some((from, to)) = chart.shade {
        let (from, to) = (x(from.max(chart.x.low)), x(to.min(chart.x.high)));
        let wide = (to - from).max(0.0);
        let _ = write!(s, "<rect class=\"shade\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{wide:.1}\" height=\"{FIELD}\"/>");
    }
    let grid: String = axis.ticks.iter().map(|tick| format!("M{left:.1} {:.1}H{right:.1}", y(*tick))).collect();
    let label = |(tick, label): (&f64, String)| {
        format!("<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>", left - 7.0, y(*tick) + 4.0)
    };
    let labels: String = axis.ticks.iter().zip(labels).map(label).collect();
    let _ = write!(s, "<path class=\"grid\" d=\"{grid}\"/><g class=\"tick\" text-anchor=\"end\">{labels}</g>");
    s += &marks;
    s += &words(&chart.shown_unit(axis), "class=\"axis\" x=\"4\" y=\"16\"");
    let middle = (left + right) / 2.0;
    let below = format!("class=\"axis\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\"", height - 6.0);
    s += &words(&chart.shown_x_name(), &below);
    if let Some(reference) = chart.reference {
        let at = y(reference);
        let _ = write!(s, "<path class=\"reference\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>");
    }
    if let Some(from) = chart.steady {
        s += &steady(from, x(from), width);
    }
    let step = if stand_apart(chart, lines) { step_apart(lines.len(), &chart.x.marks, &x) } else { 0.0 };
    for (number, line) in lines.iter().enumerate() {
        let shift = (number as f64 - (lines.len() as f64 - 1.0) / 2.0) * step;
        let field = Field { x: &|v| x(v) + shift, y: &y, low: y0, high: y1 };
        s += &stroke(chart, line, lines.len(), &field);
    }
    if margin > RIGHT {
        s += &ends::named(lines, &x, &y, right, TOP + FIELD);
    }
    (s, height)
}

/// The vertical line from which on throughput is steady, with its label beside it.
fn steady(from: f64, at: f64, width: f64) -> String {
    let line = format!("<path class=\"steady\" d=\"M{at:.1} {:.1}V{:.1}\"/>", TOP - 4.0, TOP + FIELD);
    let (x, anchor) = if at > 0.6 * width { (at - 5.0, "end") } else { (at + 5.0, "start") };
    let attributes = format!("class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\"", TOP + 8.0);
    line + &words(&super::steady_label(from), &attributes)
}

/// Whether intervals of several lines are at the same position, or the points of several in a category, so that they must be drawn
/// beside each other.
pub fn stand_apart(chart: &Chart, lines: &[ChartLine]) -> bool {
    if chart.x.scale == Scale::Words {
        return lines.len() > 1;
    }
    let mut places: Vec<u64> = lines.iter().flat_map(|l| &l.bars).map(|bar| bar.0.to_bits()).collect();
    let all = places.len();
    places.sort_unstable();
    places.dedup();
    places.len() < all
}

/// The distance of lines that are drawn beside each other: all of them stay within the margin of the x axis, and nearer to
/// their own tick than to its neighbours. `web/src/charts.ts` has the same.
fn step_apart(lines: usize, marks: &[(f64, String)], x: &dyn Fn(f64) -> f64) -> f64 {
    let gap = marks.windows(2).map(|w| x(w[1].0) - x(w[0].0)).fold(WIDTH, f64::min);
    (0.7 * gap).min(40.0).min(9.0 * lines as f64) / lines.max(1) as f64
}

/// Where the lines are drawn.
struct Field<'f> {
    x: &'f dyn Fn(f64) -> f64,
    y: &'f dyn Fn(f64) -> f64,
    /// The ends of the y axis. What lies beyond them is drawn at them.
    low: f64,
    high: f64,
}

/// The colours of the eight styles on a light page, as in the page's style sheet.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#00845f", "#b1548a", "#2f8fc7", "#b07800", "#6f6a00", "#4a4a4a"];

/// The height of the title, and of a line of the legend.
const LINE: f64 = 22.0;

/// The chart as an SVG file with title and legend.
pub fn standalone(chart: &Chart, lines: &[ChartLine], axis: &Y, language: Language) -> String {
    let (inside, height) = inside(chart, lines, axis, WIDTH, true);
    let height = height.round();
    let hidden = if language == Language::Japanese { "en" } else { "ja" };
    let mut names: Vec<(usize, &str)> = lines.iter().map(|line| (line.style, line.name.as_str())).collect();
    names.dedup();
    let all = height + LINE * (names.len() as f64 + 1.5);
    let mut s = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {all:.0}\" width=\"{WIDTH}\" height=\"{all:.0}\" font-family=\"sans-serif\">\n<style>"
    );
    let _ = write!(
        s,
        "[lang={hidden}]{{display:none}}.grid{{stroke:#dde1e6;fill:none}}.tick,.axis{{fill:#56606b;font-size:12px}}"
    );
    s.push_str(".reference{stroke:#56606b;stroke-dasharray:6 4;fill:none}.steady{stroke:#56606b;stroke-dasharray:6 4;fill:none}.line,.bar{fill:none;stroke-width:2}.line.thin{stroke-width:1}.dot{opacity:.55}.shade{fill:#56606b;opacity:.12}.mark.hollow{fill:#fff}.ends{font-size:12px}.ends path{opacity:.6}");
    for (style, colour) in COLOURS.iter().enumerate() {
        let _ = write!(s, ".c{style}{{stroke:{colour}}}.f{style}{{fill:{colour}}}");
    }
    let title =
        Message::joined([chart.title.clone(), chart.of.clone()].into_iter().filter(|part| !part.is_empty()), ", ");
    let _ = write!(
        s,
        "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><text x=\"4\" y=\"16\" font-size=\"14\" font-weight=\"bold\">{}</text>",
        escape(&title.text(language))
    );
    let attributes = format!("y=\"{LINE}\" width=\"{WIDTH}\" height=\"{height}\"");
    let _ = write!(s, "<svg {attributes} viewBox=\"0 0 {WIDTH} {height}\" aria-hidden=\"true\">{inside}</svg>");
    for (at, (style, name)) in names.iter().enumerate() {
        let y = LINE * 1.5 + height + LINE * at as f64;
        let (key, name) = (key(Look::of(*style)), escape(name));
        let _ = write!(
            s,
            "<g transform=\"translate(4 {:.1})\">{key}</g><text x=\"46\" y=\"{y:.1}\" font-size=\"12\">{name}</text>",
            y - 11.0
        );
    }
    s + "</svg>\n"
}

fn stroke(chart: &Chart, line: &ChartLine, lines: usize, field: &Field<'_>) -> String {
    let Look { colour, mark, dash } = Look::of(line.style);
    let x = field.x;
    let y = |v: f64| (field.y)(v.clamp(field.low, field.high));
    let mut s = String::new();
    for (value, low, high) in line.bars.iter().filter(|bar| bar.1.is_finite() && bar.2.is_finite()) {
        let (at, left, top, bottom) = (x(*value), x(*value) - 4.0, y(*high), y(*low));
        // An end that lies beyond the axis is an arrow.
        let upper = match *high > field.high {
            true => format!("M{left:.1} {:.1}L{at:.1} {top:.1}l4 7", top + 7.0),
            false => format!("M{left:.1} {top:.1}h8"),
        };
        let lower = match *low < field.low {
            true => format!("M{left:.1} {:.1}L{at:.1} {bottom:.1}l4 -7", bottom - 7.0),
            false => format!("M{left:.1} {bottom:.1}h8"),
        };
        let _ = write!(s, "<path class=\"bar c{colour}\" d=\"M{at:.1} {top:.1}V{bottom:.1}{upper}{lower}\"/>");
    }
    // Categories have no order: a line from one to the next would say nothing.
    if chart.x.scale != Scale::Words {
        let path = path(line, x, &y);
        let thin = if lines > 8 { " thin" } else { "" };
        let _ = write!(s, "<path class=\"line c{colour}{thin}\"{} d=\"{path}\"/>", dashed(dash));
    }
    for dot in line.dots.iter().filter(|p| p.1.is_finite()) {
        let _ = write!(s, "<circle class=\"dot f{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\"/>", x(dot.0), y(dot.1));
    }
    // Of a line of few points each has its mark, however many lines there are.
    if !line.bare && (line.points.len() <= 20 || chart.x.scale == Scale::Words) {
        let points = line.points.iter().filter(|p| p.1.is_finite());
        if lines * line.points.len() > MOST_TIPS {
            let all: String = points.map(|p| outline(mark, x(p.0), y(p.1))).collect();
            s += &marks(colour, mark, &all, &line.name);
        } else {
            for p in points {
                let tip = format!("{}: {} {}", line.name, figure::grouped(p.1), chart.unit.english());
                s += &marks(colour, mark, &outline(mark, x(p.0), y(p.1)), &tip);
            }
        }
    }
    for cross in line.crosses.iter().filter(|p| p.1.is_finite()) {
        let (at, top) = (x(cross.0) - 7.0, y(cross.1) - 7.0);
        let _ = write!(s, "<path class=\"invalid\" d=\"M{at:.1} {top:.1}l14 14m0 -14l-14 14\"/>");
    }
    s
}

/// The attribute of a line with these dashes.
fn dashed(dash: &str) -> String {
    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") }
}

/// Lines with more points than these are drawn to a pixel, those with fewer, which have marks, to a tenth of one.
const MOST_EXACT: usize = 20;

/// The path through the points of a line; of one with steps, with the corner before each.
fn path(line: &ChartLine, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) -> String {
    let (mut path, mut before) = (Vec::with_capacity(line.points.len()), None);
    for point in line.points.iter().filter(|p| p.1.is_finite()) {
        if let Some(corner) = before.replace(point.0).filter(|_| line.steps) {
            path.push((x(corner), y(point.1)));
        }
        path.push((x(point.0), y(point.1)));
    }
    let decimals = if path.len() > MOST_EXACT { 0 } else { 1 };
    path::relative(path.into_iter(), decimals)
}

/// The height of the labels below the x axis, and their markup. Numbers that would overlap are left out; words are
/// rotated instead.
fn x_marks(chart: &Chart, x: &dyn Fn(f64) -> f64, width: f64) -> (f64, String) {
    let marks = &chart.x.marks;
    let tight = marks.windows(2).any(|w| x(w[1].0) - x(w[0].0) < (ticks::room(&w[0].1) + ticks::room(&w[1].1)) / 2.0)
        || marks.iter().any(|m| ticks::room(&m.1) > width);
    let base = TOP + FIELD;
    if chart.x.scale == Scale::Words && tight {
        let mut s = String::new();
        let short =
            |l: &str| if l.chars().count() > 24 { l.chars().take(23).chain(['…']).collect() } else { l.to_owned() };
        let longest = marks.iter().map(|m| short(&m.1).chars().count()).max().unwrap_or(0) as f64;
        for (value, label) in marks {
            let at = x(*value);
            let _ = write!(
                s,
                "<text class=\"tick\" x=\"{at:.1}\" y=\"{1:.1}\" text-anchor=\"end\" transform=\"rotate(-28 {at:.1} {1:.1})\">{0}</text>",
                escape(&short(label)),
                base + 16.0
            );
        }
        return (40.0 + longest * 3.3, s);
    }
    (48.0, ticks::labels(marks, x, base + 22.0, width))
}

/// With more marks in a chart than these they have no tooltips with their values, which would be longer than all else.
const MOST_TIPS: usize = 40;

/// Marks of a line, with a tooltip.
fn marks(colour: usize, mark: usize, outlines: &str, tip: &str) -> String {
    let class = if mark < 4 { format!("mark f{colour}") } else { format!("mark hollow c{colour}") };
    let tip = if tip.is_empty() { String::new() } else { format!("<title>{}</title>", escape(tip)) };
    format!("<path class=\"{class}\" d=\"{outlines}\">{tip}</path>")
}

/// The outline of a mark.
fn outline(mark: usize, x: f64, y: f64) -> String {
    match mark % 4 {
        0 => format!("M{:.1} {y:.1}a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0z", x - 4.4),
        1 => format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0),
        2 => format!("M{x:.1} {:.1}l5 9h-10z", y - 5.5),
        _ => format!("M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", y - 5.5),
    }
}

/// A short line with its mark.
fn key(Look { colour, mark, dash }: Look) -> String {
    let line = format!("<path class=\"line c{colour}\"{} d=\"m1 7h32\"/>", dashed(dash));
    line + &marks(colour, mark, &outline(mark, 17.0, 7.0), "")
}

/// The styles whose marks a page contains; further ones have those of earlier ones.
const STYLES: usize = COLOURS.len() * MARKS;

/// A short line with its mark, for legends and tables; drawn by [`legend_marks`], which the page contains once.
pub fn legend_mark(style: usize) -> String {
    let style = style % STYLES;
    format!("<svg class=\"key\" aria-hidden=\"true\"><use href=\"#key{style}\"/></svg>")
}

/// The drawings of the marks of this number of styles.
pub fn legend_marks(styles: usize) -> String {
    let one = |style| format!("<g id=\"key{style}\">{}</g>", key(Look::of(style)));
    let all: String = (0..styles.clamp(1, STYLES)).map(one).collect();
    format!("<svg width=\"0\" height=\"0\" class=\"keys\" aria-hidden=\"true\"><defs>{all}</defs></svg>")
}

/// A message as `<text>` elements with these attributes: one for each language, or one if the texts are the same.
fn words(message: &Message, attributes: &str) -> String {
    let (en, ja) = (escape(message.english()), escape(&message.text(Language::Japanese)));
    if en == ja {
        return format!("<text {attributes} translate=\"no\">{en}</text>");
    }
    format!("<text lang=\"en\" {attributes}>{en}</text><text lang=\"ja\" {attributes}>{ja}</text>")
}

#[cfg(test)]
mod tests {
    use super::super::{axes, figure};
    use super::*;
    use std::collections::HashSet;
    use tenbin_words::message::foreign;

    fn chart_of(x: axes::X) -> Chart {
        Chart { title: foreign("<b>"), unit: foreign("ms"), may_be_logarithmic: true, ..Chart::over(foreign("x"), x) }
    }

    #[test]
    fn a_mean_over_a_time_is_a_level_line_and_the_steady_part_is_marked() {
        let line =
            |steps| ChartLine { points: vec![(0.0, 4.0), (60.0, 4.0), (120.0, 8.0)], steps, ..ChartLine::default() };
        let c = Chart { steady: Some(70.0), ..chart_of(axes::seconds(120.0)) };
        let drawn = |steps| draw(&c, &[line(steps)], &axes::y(&c, &[line(steps)]), false);
        let path = |drawn: &str| -> Vec<(f64, f64)> {
            let path = drawn.split_once(" d=\"m").unwrap().1.split('"').next().unwrap().replace('-', " -");
            let steps: Vec<f64> = path.split_whitespace().map(|step| step.parse().unwrap()).collect();
            let mut at = (0.0, 0.0);
            let place = |step: &[f64]| {
                at = (at.0 + step[0], at.1 + step[1]);
                at
            };
            steps.chunks(2).map(place).collect()
        };
        assert!(path(&drawn(false)).windows(2).any(|w| w[0].0 != w[1].0 && w[0].1 != w[1].1), "slanted");
        let steps = path(&drawn(true));
        assert!(steps.windows(2).all(|w| w[0].0 == w[1].0 || w[0].1 == w[1].1), "{steps:?}");
        // The second minute is at its own level from its start.
        assert_eq!(steps[steps.len() - 2].0, steps[steps.len() - 3].0, "{steps:?}");
        assert!(drawn(true).contains("class=\"steady\"") && drawn(true).contains("steady from 70 s"));
    }

    #[test]
    fn intervals_beyond_the_axis_end_in_an_arrow_and_targets_stand_side_by_side() {
        let c = Chart { reference: Some(1.0), ..chart_of(axes::numbers(&[1.0, 2.0])) };
        let line = |style: usize, low: f64, high: f64| ChartLine {
            style,
            points: vec![(1.0, 1.1), (2.0, 1.1)],
            bars: vec![(1.0, low, high)],
            ..ChartLine::default()
        };
        let ends =
            |drawn: &str| (drawn.matches("h8").count(), drawn.matches("l4 7").count(), drawn.matches("l4 -7").count());
        let drawn = |lines: &[ChartLine]| draw(&c, lines, &axes::y(&c, lines), false);
        assert_eq!(ends(&drawn(&[line(0, 1.0, 1.2)])), (2, 0, 0));
        assert_eq!(ends(&drawn(&[line(0, 1.0, 90.0)])), (1, 1, 0));
        assert_eq!(ends(&drawn(&[line(0, 0.001, 90.0)])), (0, 1, 1));
        let places = |drawn: &str| -> Vec<f64> {
            let bars = drawn.split("<path class=\"bar").skip(1);
            bars.filter_map(|bar| bar.split_once("d=\"M")?.1.split(' ').next()?.parse().ok()).collect()
        };
        let two = places(&drawn(&[line(0, 1.0, 1.2), line(1, 1.0, 1.2)]));
        assert!((two[1] - two[0] - 9.0).abs() < 0.11, "{two:?}");
        let many: Vec<ChartLine> = (0..12).map(|style| line(style, 1.0, 1.2)).collect();
        let many = places(&drawn(&many));
        assert!(many.windows(2).all(|w| w[1] > w[0] + 2.0) && many[11] - many[0] < 40.0, "{many:?}");
        let alone = [line(0, 1.0, 1.2), ChartLine { bars: vec![(2.0, 1.0, 1.2)], ..line(1, 1.0, 1.2) }];
        assert!(!stand_apart(&c, &alone) && stand_apart(&c, &[line(0, 1.0, 1.2), line(1, 1.0, 1.2)]));
    }

    #[test]
    fn empty_charts_and_names_with_markup_can_be_drawn() {
        let c = chart_of(axes::words(&["<i>".into()]));
        assert!(figure(&c, &[], 0, false).0.to_string().ends_with("</figure>"));
        let line = ChartLine { name: "a\"<".into(), points: vec![(0.0, 0.0), (2.0, f64::NAN)], ..ChartLine::default() };
        let (text, data) = figure(&c, &[line], 0, true);
        let text = text.to_string();
        let inside = text.replace("<b>&lt;", "");
        assert!(
            !inside.contains("<b>") && !text.contains("<i>") && !text.contains("NaN") && !text.contains("a\"<"),
            "{text}"
        );
        assert_eq!(data["lines"][0]["y"], serde_json::json!([0, null]));
    }

    #[test]
    fn labels_that_would_overlap_are_left_out_or_rotated() {
        let numbers: Vec<f64> = (1..=40).map(|n| f64::from(n) * 1000.0).collect();
        let shown = x_marks(&chart_of(axes::numbers(&numbers)), &|v| v * 14.0, WIDTH).1.matches("<text").count();
        assert!(shown < 40, "{shown}");
        let words: Vec<String> = (0..8).map(|n| format!("oltp_workload_{n}")).collect();
        let (height, rotated) = x_marks(&chart_of(axes::words(&words)), &|v| v * 60.0, WIDTH);
        assert!(rotated.matches("rotate(").count() == 8 && height > 60.0, "{height} {rotated}");
        // One that is wider than the drawing, alone.
        let (_, cut) = x_marks(&chart_of(axes::words(&["long".repeat(40)])), &|v| v, WIDTH);
        assert!(cut.contains("rotate(") && cut.contains('…') && cut.len() < 200, "{cut}");
    }

    /// A file stands alone, so that it has the colours of the page's light theme in its own words.
    #[test]
    fn files_have_the_colours_of_the_page() {
        let css = include_str!("../../templates/page.css");
        let light = css.split_once(":root{--ink").unwrap().1.split_once('}').unwrap().0;
        let of =
            |name: &str| light.split(';').find_map(|one| one.strip_prefix(&format!("--{name}:"))).unwrap().to_owned();
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|style| of(&format!("c{style}"))), COLOURS);
        let line = ChartLine { points: vec![(1.0, 1.0)], ..ChartLine::default() };
        let c = chart_of(axes::numbers(&[1.0, 2.0]));
        let lines = [line];
        let file = standalone(&c, &lines, &axes::y(&c, &lines), Language::English);
        for (name, rule) in [("soft", ".tick,.axis{fill:"), ("soft", ".reference{stroke:"), ("rule", ".grid{stroke:")] {
            assert!(file.contains(&format!("{rule}{}", of(name))), "{rule} {file}");
        }
        let height =
            |text: &str| text.split_once("viewBox=\"0 0 560 ").unwrap().1.split('"').next().unwrap().to_owned();
        let (whole, inner) = file.split_once("<svg y=").map(|(whole, inner)| (height(whole), height(inner))).unwrap();
        assert!(whole.parse::<f64>().unwrap() > inner.parse::<f64>().unwrap() && inner == "294", "{whole} {inner}");
    }

    #[test]
    fn styles_differ_in_mark_or_dash_and_later_ones_from_earlier_ones_of_their_colour() {
        let looks: Vec<Look> = (0..STYLES).map(Look::of).collect();
        let shapes: HashSet<(usize, &str)> = looks[..8].iter().map(|look| (look.mark, look.dash)).collect();
        assert_eq!(shapes.len(), 8, "also without colours");
        assert_eq!(looks.iter().map(|look| (look.colour, look.mark)).collect::<HashSet<_>>().len(), STYLES);
        // Lines without marks.
        assert_eq!(looks[..32].iter().map(|look| (look.colour, look.dash)).collect::<HashSet<_>>().len(), 32);
        let drawn = |style: usize| {
            let all = legend_marks(STYLES);
            all.split("<g ").find_map(|g| g.strip_prefix(&format!("id=\"key{style}\""))).unwrap().to_owned()
        };
        assert!(drawn(0) != drawn(8) && drawn(8) != drawn(16) && legend_mark(STYLES) == legend_mark(0));
        assert_eq!(legend_marks(2).matches("<g ").count(), 2, "no more than a page has");
    }
}
