//! A chart as plain data. The drawing (`svg.rs`), the description for screen readers and the data for the page's script
//! are generated from it, so that they show the same.

mod axes;
mod heat;
mod spark;
mod strip;
mod svg;
mod ticks;

use crate::bilingual as words_of_page;
use minijinja::{Value as Markup, context};
use serde_json::{Value, json};
use tenbin_model::figure;
use tenbin_model::language::Language;
use tenbin_model::message::Message;
use tenbin_model::msg;

pub use axes::{X, amounts, common_y, nines, numbers, percentiles, seconds, words};
pub use heat::{heat, heat_rows};
pub use spark::spark;
pub use strip::{StripBar, StripMark, strip};
pub use svg::{legend_mark, legend_marks};

/// One line of a chart.
#[derive(Debug, Clone, Default)]
pub struct ChartLine {
    /// Its name in the legend.
    pub name: String,
    /// Its colour, marker and dash: the position of the target in the plan.
    pub style: usize,
    /// Points of the line: position on the x axis and value.
    pub points: Vec<(f64, f64)>,
    /// The single values that the points summarize, drawn as dots.
    pub dots: Vec<(f64, f64)>,
    /// Confidence intervals: position, lower and upper end.
    pub bars: Vec<(f64, f64, f64)>,
}

/// A chart without its lines.
#[derive(Debug, Clone)]
pub struct Chart {
    /// The figure's caption.
    pub title: Message,
    /// The cell it belongs to, shown after the title; may be empty.
    pub of: Message,
    /// The unit of the y axis.
    pub unit: Message,
    /// The name of the x axis.
    pub x_name: Message,
    /// The ticks and the range of the x axis.
    pub x: X,
    /// Whether the y axis is logarithmic if the values span a decade or more.
    pub may_be_logarithmic: bool,
    /// The shaded range of the x axis (warm-up), as positions.
    pub shade: Option<(f64, f64)>,
    /// A value above zero to compare with, drawn as a horizontal line: the ratio 1, an objective. The y axis is logarithmic,
    /// so that twice and half are equally far from it.
    pub reference: Option<f64>,
    /// The y axis, if it is not only that of this chart: see [`common_y`].
    pub y: Option<Y>,
}

/// The y axis, for the drawing and for the script.
#[derive(Debug, Clone, PartialEq)]
pub struct Y {
    ticks: Vec<f64>,
    logarithmic: bool,
}

/// The chart as a `<figure>` with caption, drawing, legend and description, and its data for the script.
///
/// `number` is the index of the chart in the data of all charts.
pub fn figure(chart: &Chart, lines: &[ChartLine], number: usize) -> (Markup, Value) {
    let y = axes::y(chart, lines);
    let of = (!chart.of.is_empty()).then(|| words_of_page::html(&chart.of));
    let html = words_of_page::part(
        "figure",
        context! {
            number, of, title => words_of_page::html(&chart.title), unit => words_of_page::html(&chart.unit),
            drawing => Markup::from_safe_string(svg::draw(chart, lines, &y)), legend => legend(lines),
            words => describe(chart, lines),
        },
    );
    (html, data(chart, lines, &y))
}

/// The chart as a file of its own, in one language and with the colours of a light page: title, drawing, legend.
pub fn standalone(chart: &Chart, lines: &[ChartLine], language: Language) -> String {
    svg::standalone(chart, lines, &axes::y(chart, lines), language)
}

/// The data of a chart that only the script draws, on request. Points before the start of the x axis are shown on a
/// further request; `before` contains the start and the ticks of the y axis for that case.
pub fn figures(chart: &Chart, lines: &[ChartLine]) -> Value {
    let seen = |l: &ChartLine| {
        let points = l.points.iter().filter(|p| p.0 >= chart.x.low).copied().collect();
        ChartLine { points, ..l.clone() }
    };
    let seen: Vec<ChartLine> = lines.iter().map(seen).collect();
    let mut value = data(chart, lines, &axes::y(chart, &seen));
    let first = lines.iter().flat_map(|l| &l.points).map(|p| p.0).fold(chart.x.low, f64::min);
    if first < chart.x.low {
        let y = axes::y(chart, lines);
        value["before"] = json!({ "from": first, "ticks": y.ticks.iter().zip(y.labels()).collect::<Vec<_>>() });
    }
    value
}

/// Each name once, with its line style. If there are more than 8 lines, the trials of a target share one entry: the
/// number of the repeat (` #1`) is removed from their names.
fn legend(lines: &[ChartLine]) -> Vec<Markup> {
    let mut shown: Vec<(usize, String)> = Vec::new();
    let many = lines.len() > 8;
    for l in lines {
        let name = if many { l.name.split(" #").next().unwrap_or(&l.name).to_owned() } else { l.name.clone() };
        if !shown.contains(&(l.style, name.clone())) {
            shown.push((l.style, name));
        }
    }
    let line = |(style, name): &(usize, String)| {
        context! { mark => Markup::from_safe_string(legend_mark(*style)), name => words_of_page::foreign(name) }
    };
    shown.iter().map(line).collect()
}

/// The values as text for screen readers: at most 12 lines with at most 12 points each.
fn describe(chart: &Chart, lines: &[ChartLine]) -> Markup {
    let label = |x: f64| chart.x.marks.iter().find(|m| m.0 == x).map_or_else(|| figure::grouped(x), |m| m.1.clone());
    let each: Vec<String> = lines
        .iter()
        .take(12)
        .map(|l| {
            let step = l.points.len().div_ceil(12).max(1);
            let values = l.points.iter().step_by(step).filter(|p| p.1.is_finite());
            let interval = |x: f64| {
                let bar = l.bars.iter().find(|bar| bar.0 == x);
                bar.map_or_else(String::new, |b| format!(" ({}–{})", figure::grouped(b.1), figure::grouped(b.2)))
            };
            let values: Vec<String> =
                values.map(|p| format!("{} → {}{}", label(p.0), figure::grouped(p.1), interval(p.0))).collect();
            words_of_page::foreign(&format!("{}: {}", l.name, values.join(", "))).to_string()
        })
        .collect();
    let Chart { title, unit, x_name: x, .. } = chart;
    let shows = words_of_page::marked(&msg!("chart-in-words", title, unit, x));
    Markup::from_safe_string(format!("{shows}{}", each.join("; ")))
}

/// With six significant digits, which no drawing shows.
fn rounded(v: f64) -> Value {
    if !v.is_finite() {
        return Value::Null;
    }
    let digits = 5 - v.abs().max(1e-9).log10().floor() as i32;
    let v = if digits > 0 { (v * 10f64.powi(digits)).round() / 10f64.powi(digits) } else { v.round() };
    // Without a decimal point, if there is nothing behind it.
    if v.fract() == 0.0 && v.abs() < 1e15 { json!(v as i64) } else { json!(v) }
}

fn data(chart: &Chart, all: &[ChartLine], y: &Y) -> Value {
    let in_both = |message: &Message| json!([message.english(), message.text(Language::Japanese)]);
    let pairs = |points: &[(f64, f64)]| points.iter().map(|p| json!([rounded(p.0), rounded(p.1)])).collect::<Vec<_>>();
    let lines: Vec<Value> = all
        .iter()
        .map(|l| {
            json!({
                "name": l.name, "style": l.style, "x": l.points.iter().map(|p| rounded(p.0)).collect::<Vec<_>>(),
                "y": l.points.iter().map(|p| rounded(p.1)).collect::<Vec<_>>(), "dots": pairs(&l.dots),
                "bars": l.bars.iter().map(|b| json!([rounded(b.0), rounded(b.1), rounded(b.2)])).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "unit": in_both(&chart.unit), "xName": in_both(&chart.x_name),
        "marks": chart.x.marks, "range": [chart.x.low, chart.x.high], "scale": chart.x.scale.name(),
        "log": y.logarithmic, "ticks": y.ticks.iter().zip(y.labels()).collect::<Vec<_>>(),
        "shade": chart.shade, "reference": chart.reference, "apart": svg::stand_apart(all), "lines": lines,
    })
}
