//! A chart as plain data. The drawing (`svg.rs`), the description for screen readers and the data for the page's script
//! are generated from it, so that they show the same.

mod axes;
mod ends;
mod heat;
mod path;
mod ruler;
mod spark;
mod strip;
mod svg;
mod ticks;

use crate::bilingual as words_of_page;
use minijinja::{Value as Markup, context};
use serde_json::{Value, json};
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::visible;

pub use axes::{X, amounts, common_y, counted, nines, numbers, percentiles, seconds, words};
pub use heat::{heat, heat_rows, heat_scale};
pub use ruler::{ROOM, ROOM_IF_NARROW, Ruler};
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
    /// Points that did not hold: each is crossed out.
    pub crosses: Vec<(f64, f64)>,
    /// Confidence intervals: position, lower and upper end.
    pub bars: Vec<(f64, f64, f64)>,
    /// Whether its points have no marks: they are many, or those of many lines.
    pub bare: bool,
    /// Whether each value is the mean of the time since the point before it: the line has steps.
    pub steps: bool,
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
    /// From where on throughput is steady, as a position on the x axis, drawn as a vertical line.
    pub steady: Option<f64>,
    /// The y axis, if it is not only that of this chart: see [`common_y`].
    pub y: Option<Y>,
}

/// The y axis, for the drawing and for the script.
#[derive(Debug, Clone, PartialEq)]
pub struct Y {
    ticks: Vec<f64>,
    logarithmic: bool,
}

impl Chart {
    /// One over this x axis, with nothing else yet: `Chart { title, unit, ..Chart::over(…) }`.
    pub fn over(x_name: Message, x: X) -> Chart {
        let (title, of, unit) = (Message::default(), Message::default(), Message::default());
        Chart {
            title,
            of,
            unit,
            x_name,
            x,
            may_be_logarithmic: false,
            shade: None,
            reference: None,
            steady: None,
            y: None,
        }
    }

    /// The unit of the y axis, and that it is logarithmic if it is.
    fn shown_unit(&self, y: &Y) -> Message {
        if y.logarithmic { msg!("log-axis", axis = self.unit.clone()) } else { self.unit.clone() }
    }

    /// The name of the x axis, and that it is logarithmic if it is.
    fn shown_x_name(&self) -> Message {
        if self.x.scale.is_doubling() { msg!("log-axis", axis = self.x_name.clone()) } else { self.x_name.clone() }
    }
}

/// Significant digits of the data of a chart, and of one of the hundreds that only the script draws: those of the page's tables.
const DIGITS: i32 = 6;
const DIGITS_ON_REQUEST: i32 = 3;

/// The chart as a `<figure>` with caption, drawing, legend and description, and its data for the script.
///
/// `number` is the index of the chart in the data of all charts; one that is wide has the page's width.
pub fn figure(chart: &Chart, lines: &[ChartLine], number: usize, is_wide: bool) -> (Markup, Value) {
    let y = axes::y(chart, lines);
    let of = (!chart.of.is_empty()).then(|| words_of_page::html(&chart.of));
    let html = words_of_page::part(
        "figure",
        context! {
            number, of, is_wide, title => words_of_page::html(&chart.title), unit => words_of_page::html(&chart.unit),
            drawing => Markup::from_safe_string(svg::draw(chart, lines, &y, is_wide)), legend => legend(lines),
            words => describe(chart, lines),
        },
    );
    let mut data = data(chart, lines, &y, DIGITS);
    // The drawing says more than what the script would draw in its place.
    if is_wide && ends::are_named(chart, lines) {
        data["named"] = true.into();
    }
    (html, data)
}

/// The chart as a file of its own, in one language and with the colours of a light page: title, drawing, legend.
pub fn standalone(chart: &Chart, lines: &[ChartLine], language: Language) -> String {
    svg::standalone(chart, lines, &axes::y(chart, lines), language)
}

/// The data of a chart that only the script draws, on request. Points before the start of the x axis are shown on a
/// further request; `before` contains the start and the ticks of the y axis for that case.
pub fn figures(chart: &Chart, lines: &[ChartLine]) -> Value {
    let visible_part = |l: &ChartLine| {
        let points = l.points.iter().filter(|p| p.0 >= chart.x.low).copied().collect();
        ChartLine { points, ..l.clone() }
    };
    let visible_lines: Vec<ChartLine> = lines.iter().map(visible_part).collect();
    let mut value = data(chart, lines, &axes::y(chart, &visible_lines), DIGITS_ON_REQUEST);
    let first = lines.iter().flat_map(|l| &l.points).map(|p| p.0).fold(chart.x.low, f64::min);
    if first < chart.x.low {
        let ticks = ticks_of(&axes::y(chart, lines));
        value["before"] = json!({ "from": Rounding { digits: 3, decimals: i32::MIN }.round(first) });
        if value["ticks"] != ticks {
            value["before"]["ticks"] = ticks;
        }
    }
    value
}

/// How many styles the lines of a chart have, given its data: one more than the greatest.
pub fn styles(figures: &Value) -> usize {
    let all = figures["lines"].as_array().into_iter().flatten().filter_map(|line| line["style"].as_u64());
    all.max().map_or(0, |style| style as usize + 1)
}

/// The ticks of a y axis for the script: their labels if these are the values, else pairs of value and label.
fn ticks_of(y: &Y) -> Value {
    let labels = y.labels();
    let says =
        |label: &str, value: f64| label.replace(',', "").parse::<f64>().is_ok_and(|says| says == OF_PLACES.near(value));
    match y.ticks.iter().zip(&labels).all(|(value, label)| says(label, *value)) {
        true => labels.join(" ").into(),
        false => y.ticks.iter().zip(labels).map(|(value, label)| json!([OF_PLACES.round(*value), label])).collect(),
    }
}

/// What the vertical line says.
fn steady_label(from_s: f64) -> Message {
    msg!("chart-steady-from", seconds = figure::grouped(from_s))
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

/// The values as text for screen readers: at most 8 lines with at most 8 points each.
fn describe(chart: &Chart, lines: &[ChartLine]) -> Markup {
    let label = |x: f64| chart.x.marks.iter().find(|m| m.0 == x).map_or_else(|| figure::grouped(x), |m| m.1.clone());
    let each: Vec<String> = lines
        .iter()
        .take(8)
        .map(|l| {
            let step = l.points.len().div_ceil(8).max(1);
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
    let steady = chart.steady.map(|from| words_of_page::marked(&steady_label(from)).to_string());
    Markup::from_safe_string(format!("{shows}{}{}", steady.map(|s| s + "; ").unwrap_or_default(), each.join("; ")))
}

/// To which digits the numbers of a chart's data are rounded: no drawing shows more, and a page has a million of them.
#[derive(Debug, Clone, Copy)]
struct Rounding {
    /// Significant digits.
    digits: i32,
    /// Decimals that are kept even so, because values that lie close together would be the same; may be below zero.
    decimals: i32,
}

impl Rounding {
    /// So that `difference` is still that to a thousandth.
    fn of(digits: i32, difference: f64) -> Rounding {
        let is_difference = difference.is_finite() && difference > 0.0;
        Rounding { digits, decimals: if is_difference { (3.0 - difference.log10()).ceil() as i32 } else { i32::MIN } }
    }

    /// For places on the x axis: neighbours stay apart, and a place is that of its mark.
    fn of_x(digits: i32, lines: &[ChartLine], x: &X) -> Rounding {
        if x.scale.name() != "linear" {
            return Rounding { digits, decimals: 9 };
        }
        let gaps = lines.iter().flat_map(|l| l.points.windows(2)).map(|pair| (pair[1].0 - pair[0].0).abs());
        // To a hundredth of what is between them.
        Rounding::of(digits, 10.0 * gaps.filter(|gap| *gap > 0.0).fold(f64::INFINITY, f64::min))
    }

    /// For the values of a line: its ups and downs stay what they are.
    fn of_y(digits: i32, line: &ChartLine) -> Rounding {
        let points = line.points.iter().chain(&line.dots).map(|p| p.1).chain(line.bars.iter().flat_map(|b| [b.1, b.2]));
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = points.filter(|v| v.is_finite()).fold(start, |(low, high), v| (low.min(v), high.max(v)));
        Rounding::of(digits, high - low)
    }

    fn round(self, v: f64) -> Value {
        let v = self.near(v);
        // Without a decimal point, if there is nothing behind it.
        if !v.is_finite() {
            Value::Null
        } else if v.fract() == 0.0 && v.abs() < 1e15 {
            json!(v as i64)
        } else {
            json!(v)
        }
    }

    /// The rounded number.
    fn near(self, v: f64) -> f64 {
        if !v.is_finite() {
            return v;
        }
        let magnitude = v.abs().max(1e-9).log10().floor() as i32;
        let decimals = (self.digits - 1 - magnitude).max(self.decimals);
        // A floating-point number has no more than 15.
        match decimals {
            _ if decimals + magnitude >= 15 => v,
            1.. => (v * 10f64.powi(decimals)).round() / 10f64.powi(decimals),
            _ => v.round(),
        }
    }
}

/// Steps in which the values of a line are written, so that they are small whole numbers: those of a line that only the script draws, on
/// request, differ by what half a pixel of the drawing stands for.
const STEPS: f64 = 4000.0;
const STEPS_ON_REQUEST: f64 = 250.0;
/// Lines with more points than these are written in steps; those with fewer have their marks, and the digits of a number.
const MOST_DIGITS: usize = 20;
/// The greatest whole number that is written for a value.
const MOST_STEPS: f64 = (1u64 << 50) as f64;

/// The greatest of 1, 2 and 5 times a power of ten that is not above a number.
fn round_below(v: f64) -> f64 {
    let power = 10f64.powi(v.log10().floor() as i32);
    [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|step| *step <= v * 1.000_001).unwrap_or(power)
}

/// The step of the places on the x axis of all lines, if these are written in steps.
fn x_step(all: &[ChartLine], x: &X, digits: i32) -> Option<f64> {
    let is_long = digits == DIGITS_ON_REQUEST || all.iter().any(|l| l.points.len() > MOST_DIGITS);
    if x.scale.name() != "linear" || !is_long {
        return None;
    }
    let ends = |l: &ChartLine| Some((l.points.first()?.0, l.points.last()?.0, l.points.len()));
    // A twentieth of what is between two samples, and less than what a pixel stands for.
    let gap = |(first, last, n): (f64, f64, usize)| ((last - first) / n as f64 / 20.0).min((last - first) / 2000.0);
    let step = all.iter().filter_map(ends).map(gap).filter(|gap| *gap > 0.0).fold(f64::INFINITY, f64::min);
    let step = if step.is_finite() { round_below(step) } else { 1.0 };
    let fits = |v: f64| v.is_finite() && (v / step).abs() < MOST_STEPS;
    all.iter()
        .flat_map(|l| &l.points)
        .all(|p| fits(p.0) && (!p.1.is_finite() || p.1.abs() < MOST_STEPS))
        .then_some(step)
}

/// The step of the values of a line: small against the greatest of them, and against how far they lie apart; on a logarithmic axis against the
/// least too.
fn y_step(line: &ChartLine, is_logarithmic: bool, digits: i32) -> f64 {
    let steps = if digits == DIGITS_ON_REQUEST { STEPS_ON_REQUEST } else { STEPS };
    let values = || line.points.iter().map(|p| p.1).filter(|v| v.is_finite());
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let most = low.abs().max(high.abs());
    let least = values().filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
    let of_least = if is_logarithmic { 20.0 * least } else { f64::INFINITY };
    let close = if high > low { high - low } else { f64::INFINITY };
    let step = round_below(most.min(close).min(of_least) / steps);
    match values().all(|v| v.fract() == 0.0) {
        _ if !step.is_finite() || step <= 0.0 => 1.0,
        // Between whole numbers there is nothing.
        true => step.max(1.0),
        false => step.max(most / MOST_STEPS),
    }
}

/// The data of a chart, with this many significant digits.
fn data(chart: &Chart, all: &[ChartLine], y: &Y, digits: i32) -> Value {
    let in_both = |message: &Message| json!([visible(message.english()), visible(&message.text(Language::Japanese))]);
    let of_x = Rounding::of_x(digits, all, &chart.x);
    let x_step = x_step(all, &chart.x, digits);
    let in_steps = |v: f64, step: f64| if v.is_finite() { json!((v / step).round() as i64) } else { Value::Null };
    let lines: Vec<Value> = all
        .iter()
        .map(|l| {
            let of_y = Rounding::of_y(digits, l);
            let (x, y_of) = (|v| of_x.round(v), |v| of_y.round(v));
            let pairs = |all: &[(f64, f64)]| all.iter().map(|p| json!([x(p.0), y_of(p.1)])).collect::<Vec<_>>();
            let mut line = json!({ "name": visible(&l.name), "style": l.style });
            match x_step {
                None => {
                    line["x"] = l.points.iter().map(|p| x(p.0)).collect();
                    line["y"] = l.points.iter().map(|p| y_of(p.1)).collect();
                }
                Some(x_step) => {
                    let step = y_step(l, y.logarithmic, digits);
                    line["x"] = l.points.iter().map(|p| in_steps(p.0, x_step)).collect();
                    line["y"] = l.points.iter().map(|p| in_steps(p.1, step)).collect();
                    line["step"] = step.into();
                }
            }
            // What a line does not have is left out: a page has hundreds of them.
            let bars: Vec<Value> = l.bars.iter().map(|b| json!([x(b.0), y_of(b.1), y_of(b.2)])).collect();
            for (name, values) in [("dots", pairs(&l.dots)), ("crosses", pairs(&l.crosses)), ("bars", bars)] {
                if !values.is_empty() {
                    line[name] = values.into();
                }
            }
            for (name, _) in [("steps", l.steps), ("bare", l.bare)].into_iter().filter(|(_, is_so)| *is_so) {
                line[name] = true.into();
            }
            line
        })
        .collect();
    let is_logarithmic = y.logarithmic || chart.x.scale.is_doubling();
    let axes = is_logarithmic.then(|| [in_both(&chart.shown_x_name()), in_both(&chart.shown_unit(y))]);
    let coordinate = |v: f64| OF_PLACES.round(v);
    let labelled = |all: Vec<(f64, String)>| {
        all.into_iter().map(|(v, label)| json!([coordinate(v), visible(&label)])).collect::<Vec<_>>()
    };
    let mut value = json!({
        "unit": in_both(&chart.unit), "xName": in_both(&chart.x_name), "axes": axes,
        "marks": labelled(chart.x.marks.clone()), "range": [coordinate(chart.x.low), coordinate(chart.x.high)], "scale": chart.x.scale.name(),
        "log": y.logarithmic, "ticks": ticks_of(y),
        "shade": chart.shade, "reference": chart.reference, "steady": chart.steady.map(|at| json!({ "at": at, "label": in_both(&steady_label(at)) })), "apart": svg::stand_apart(chart, all), "xStep": x_step, "lines": lines,
    });
    // What most charts do not have is left out.
    if let Some(keys) = value.as_object_mut() {
        keys.retain(|_, value| !value.is_null() && *value != json!(false));
    }
    value
}

/// Places of marks differ by more than a part in 10⁹ of their values.
const OF_PLACES: Rounding = Rounding { digits: 10, decimals: i32::MIN };

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::message::foreign;

    fn data_of(points: &[(f64, f64)], digits: i32) -> Value {
        let lines = [ChartLine { points: points.to_vec(), ..ChartLine::default() }];
        let long = points.last().map_or(0.0, |p| p.0);
        let chart = Chart { ..Chart::over(foreign(""), seconds(long)) };
        let mut data = data(&chart, &lines, &axes::y(&chart, &lines), digits);
        let x_step = data["xStep"].as_f64();
        let mut line = data["lines"][0].take();
        // What is written in steps, as numbers again.
        let steps = x_step.map(|x| [("x", x), ("y", line["step"].as_f64().unwrap())]);
        for (name, step) in steps.into_iter().flatten() {
            let all = line[name].as_array().unwrap().iter().map(|v| v.as_f64().map(|v| v * step));
            let all: Vec<Option<f64>> = all.collect();
            line[name] = json!(all);
        }
        line
    }

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    }

    #[test]
    fn a_sample_of_the_thirtieth_day_is_where_it_was() {
        let day = 30.0 * 86_400.0;
        let times: Vec<f64> = (0..2000).map(|n| day - 200.0 + f64::from(n) * 0.1 + 0.000_012_3).collect();
        let points: Vec<(f64, f64)> = times.iter().map(|t| (*t, 1.0)).collect();
        for digits in [DIGITS, DIGITS_ON_REQUEST] {
            let x = numbers(&data_of(&points, digits)["x"]);
            assert!(x.iter().zip(&times).all(|(x, t)| (x - t).abs() <= 0.001_01), "{digits}: {x:?}");
            assert!(x.windows(2).all(|pair| pair[0] < pair[1]), "{digits}");
        }
    }

    #[test]
    fn values_close_together_keep_their_differences() {
        let level = 16_106_127_360.0;
        let points: Vec<(f64, f64)> = (0..50).map(|n| (f64::from(n), level + f64::from(n % 7) * 4096.0)).collect();
        for digits in [DIGITS, DIGITS_ON_REQUEST] {
            let y = numbers(&data_of(&points, digits)["y"]);
            assert!(y.iter().zip(&points).all(|(y, p)| (y - p.1).abs() <= 30.0), "{digits}: {y:?}");
        }
        // Where they differ much, there are as few digits as before.
        let rough = [(0.0, 123_456.789), (1.0, 0.123_456_789), (2.0, -7.654_321_9), (3.0, 1_234_567.8)];
        assert_eq!(numbers(&data_of(&rough, DIGITS)["y"]), [123_457.0, 0.123_457, -7.654_32, 1_234_568.0]);
        // A chart on request has what its drawing can show.
        assert_eq!(numbers(&data_of(&rough, DIGITS_ON_REQUEST)["y"]), [124_000.0, 0.0, 0.0, 1_234_000.0]);
    }

    #[test]
    fn there_is_no_number_that_cannot_be_written() {
        let strange = [
            (0.0, f64::NAN),
            (0.0, f64::INFINITY),
            (f64::MIN_POSITIVE, f64::MAX),
            (1e300, f64::MIN_POSITIVE),
            (1e300, -0.0),
        ];
        let data = data_of(&strange, DIGITS);
        assert_eq!(data["y"][0], Value::Null);
        assert_eq!((data["y"][2].as_f64(), data["x"][3].as_f64()), (Some(f64::MAX), Some(1e300)));
        assert_eq!(numbers(&data_of(&[(1.0, 5.0)], DIGITS)["y"]), [5.0]);
    }

    #[test]
    fn a_place_is_that_of_its_mark() {
        let points: Vec<(f64, f64)> = [3.0f64, 1000.0, 100_001.0].iter().map(|n| (n.log2(), 1.0)).collect();
        let lines = [ChartLine { points: points.clone(), ..ChartLine::default() }];
        let rounding = Rounding::of_x(DIGITS, &lines, &numbers_axis());
        for (n, (x, _)) in [3.0, 1000.0, 100_001.0].iter().zip(points) {
            let at = rounding.round(x).as_f64().unwrap();
            assert!((at - x).abs() < 1e-9 && (at.exp2() - n).abs() < 0.01, "{n}: {at}");
        }
    }

    fn numbers_axis() -> X {
        super::numbers(&[3.0, 1000.0, 100_001.0])
    }
}
