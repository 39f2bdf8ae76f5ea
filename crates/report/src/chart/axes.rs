//! The axes of charts: linear or logarithmic scales, and ticks at round values with distinct labels.

use super::{Chart, ChartLine, Y};
use tenbin_words::figure;

/// How a value is converted to its position on the x axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// The position is the value.
    Linear,
    /// The position is the value's logarithm to base 2.
    Doubling,
    /// The position is the word's index.
    Words,
    /// The position of quantile q is its number of nines: −log10(1 − q).
    Nines,
}

impl Scale {
    /// Whether equal distances are doublings of the value.
    pub fn is_doubling(self) -> bool {
        self == Scale::Doubling
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Scale::Linear => "linear",
            Scale::Doubling => "doubling",
            Scale::Words => "words",
            Scale::Nines => "nines",
        }
    }
}

/// The x axis: its ticks and its range.
#[derive(Debug, Clone, PartialEq)]
pub struct X {
    /// Position and label of each tick, ascending.
    pub marks: Vec<(f64, String)>,
    /// The leftmost position.
    pub low: f64,
    /// The rightmost position.
    pub high: f64,
    /// How values are converted to positions.
    pub scale: Scale,
}

impl X {
    /// The axis with a margin of 4 % at both ends, so that markers of lines are not cut off at its edges.
    fn around(marks: Vec<(f64, String)>, scale: Scale) -> X {
        let (low, high) = bounds(marks.iter().map(|m| m.0));
        let margin = if high > low { (high - low) * 0.04 } else { 1.0 };
        X { marks, low: low - margin, high: high + margin, scale }
    }

    /// Whether it is one of categories.
    pub fn is_of_words(&self) -> bool {
        self.scale == Scale::Words
    }

    /// The position of a value that is given as text; `None` if it is no value of this axis.
    pub fn place(&self, value: &str) -> Option<f64> {
        match self.scale {
            Scale::Words => self.marks.iter().find(|m| m.1 == value).map(|m| m.0),
            Scale::Doubling => value.parse().ok().map(f64::log2),
            Scale::Linear | Scale::Nines => value.parse().ok(),
        }
    }
}

/// An axis of numbers: logarithmic if they are positive and span a decade or more (1, 2, 4, … 512 clients), or if factors between
/// neighbours are more alike than differences (1, 2, 4, 8), else linear.
pub fn numbers(values: &[f64]) -> X {
    let (low, high) = bounds(values.iter().copied());
    let scale = if spans_a_decade(low, high) || doubles(values) { Scale::Doubling } else { Scale::Linear };
    let position = |v: f64| if scale == Scale::Doubling { v.log2() } else { v };
    let label = |v: f64| if v.fract() == 0.0 { figure::whole(v as i128) } else { v.to_string() };
    let mut marks: Vec<(f64, String)> = values.iter().map(|v| (position(*v), label(*v))).collect();
    marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    marks.dedup();
    X::around(marks, scale)
}

/// The most marks on an axis of numbers that count.
const MOST_COUNTED: usize = 20;

/// An axis of numbers that count, linear however many there are.
pub fn counted(values: &[f64]) -> X {
    let step = values.len().div_ceil(MOST_COUNTED).max(1);
    let marks = values.iter().step_by(step).map(|v| (*v, figure::whole(*v as i128))).collect();
    let (low, high) = bounds(values.iter().copied());
    let margin = ((high - low) * 0.04).max(0.5);
    X { marks, low: low - margin, high: high + margin, scale: Scale::Linear }
}

/// Whether neighbours among at least three positive values differ by more equal factors than differences.
fn doubles(values: &[f64]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    if sorted.len() < 3 || sorted.iter().any(|v| *v <= 0.0) {
        return false;
    }
    // How unequal the steps are: the largest over the smallest.
    let uneven = |position: &dyn Fn(f64) -> f64| {
        let (least, most) = bounds(sorted.windows(2).map(|pair| position(pair[1]) - position(pair[0])));
        most / least
    };
    uneven(&f64::log2) < uneven(&|v| v)
}

/// An axis of words, evenly spaced in the order given.
pub fn words(values: &[String]) -> X {
    X::around(values.iter().enumerate().map(|(i, v)| (i as f64, v.clone())).collect(), Scale::Words)
}

/// The percentiles of the axis of [`percentiles`].
const PERCENTILES: [f64; 6] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

/// An axis of percentiles from p50 to p99.9, the same in all charts; places are those of [`nines`].
pub fn percentiles() -> X {
    let label = |q: f64| format!("p{}", (q * 1e6f64).round() / 1e4);
    let marks: Vec<(f64, String)> = PERCENTILES.map(|q| (nines(q), label(q))).to_vec();
    X::around(marks, Scale::Nines)
}

/// The position of a quantile on the axis of [`percentiles`].
pub fn nines(quantile: f64) -> f64 {
    // The sum turns −0.0, which would be printed with its sign, into 0.0.
    -(1.0 - quantile).log10() + 0.0
}

/// An axis of seconds from 0 to `long`, with at most nine ticks at round values: 5 s, 1 min, 10 min.
pub fn seconds(long: f64) -> X {
    const STEPS: [f64; 18] = [
        0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0,
        21600.0,
    ];
    // Days, and from more than a week on several of them: a damaged log may say any time.
    let days = (0..300).flat_map(|power| [1.0, 2.0, 5.0].map(|n| 86400.0 * n * 10f64.powi(power)));
    let step = STEPS.into_iter().chain(days).find(|s| long / s <= 8.0).unwrap_or(f64::MAX);
    let unit = |s: f64| match step {
        t if t >= 3600.0 => format!("{} h", s / 3600.0),
        t if t >= 60.0 => format!("{} min", s / 60.0),
        t if t >= 1.0 => format!("{s} s"),
        _ => format!("{s:.1} s"),
    };
    let count = (long / step + 1e-9).floor() as u32;
    let marks = (0..=count).map(|i| (f64::from(i) * step, unit(f64::from(i) * step))).collect();
    X { marks, low: 0.0, high: long.max(step), scale: Scale::Linear }
}

/// A linear axis from 0 to at least `high`, with ticks at round values.
pub fn amounts(high: f64) -> X {
    let ticks = from_zero(high);
    let (high, labels) =
        (ticks.last().copied().unwrap_or(1.0), Y { ticks: ticks.clone(), logarithmic: false }.labels());
    X { marks: ticks.into_iter().zip(labels).collect(), low: 0.0, high, scale: Scale::Linear }
}

fn spans_a_decade(low: f64, high: f64) -> bool {
    low > 0.0 && high / low >= 10.0
}

/// The y axis of a chart: its own, or the one that it has in common with others.
pub(super) fn y(chart: &Chart, lines: &[ChartLine]) -> Y {
    let own = || axis_of(chart.may_be_logarithmic, chart.reference, &lines.iter().collect::<Vec<_>>());
    chart.y.clone().unwrap_or_else(own)
}

/// The y axis that charts of the same figure, one slice of lines each, have in common, so that they can be compared by
/// eye. `None` if a chart would be a flat line on it: below a fifth of a linear axis, or a part of a logarithmic one that
/// spans more than three decades.
pub fn common_y(may_be_logarithmic: bool, reference: Option<f64>, charts: &[Vec<ChartLine>]) -> Option<Y> {
    let y = axis_of(may_be_logarithmic, reference, &charts.iter().flatten().collect::<Vec<_>>());
    let (low, high) = (y.ticks.first()?, y.ticks.last()?);
    let tops = charts.iter().map(|lines| bounds(lines.iter().flat_map(values)).1);
    let flat = if y.logarithmic { high / low > 1e3 } else { tops.fold(f64::INFINITY, f64::min) < high / 5.0 };
    (!flat).then_some(y)
}

fn values(line: &ChartLine) -> impl Iterator<Item = f64> {
    line.points.iter().chain(&line.dots).map(|p| p.1).filter(|v| v.is_finite())
}

/// With a reference the axis encloses it, and is logarithmic. Others are logarithmic if they may be and the values span
/// a decade or more, else linear from zero.
pub(super) fn axis_of(may_be_logarithmic: bool, reference: Option<f64>, lines: &[&ChartLine]) -> Y {
    let ends = || lines.iter().flat_map(|l| &l.bars).flat_map(|b| [b.1, b.2]).filter(|v| v.is_finite());
    let (_, high) = bounds(lines.iter().flat_map(|l| values(l)));
    let positive = || lines.iter().flat_map(|l| values(l)).filter(|v| *v > 0.0);
    if let Some(reference) = reference.filter(|reference| *reference > 0.0) {
        // Wide intervals must not compress the values: they extend the axis to at most 2.5 times the largest distance of a
        // value from the reference.
        let (low, high) = bounds(positive().chain([reference]));
        let far = (high / reference).max(reference / low).max(1.02).powf(2.5);
        let (least, most) = bounds(ends().filter(|v| *v > 0.0).chain([low, high]));
        let (low, high) = (least.max(low / far), most.min(high * far));
        let ticks = of_ratios(low.min(reference / 1.02), high.max(reference * 1.02));
        return Y { ticks, logarithmic: true };
    }
    let (least, most) = bounds(positive());
    if may_be_logarithmic && spans_a_decade(least, most) {
        return Y { ticks: decades(least, most), logarithmic: true };
    }
    Y { ticks: from_zero(ends().fold(high, f64::max)), logarithmic: false }
}

impl Y {
    /// The labels of the ticks: in the format of other figures, or with as many decimal places as the ticks need.
    pub(super) fn labels(&self) -> Vec<String> {
        // A tick is an exact value: 0.5, not 0.500.
        let plain: Vec<String> = self
            .ticks
            .iter()
            .map(|t| if *t < 999.5 { format!("{}", (t * 1e9).round() / 1e9) } else { figure::grouped(*t) })
            .collect();
        let step = self.ticks.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min);
        let wide = self.logarithmic && self.ticks.last().zip(self.ticks.first()).is_some_and(|(y1, y0)| y1 / y0 > 4.0);
        if wide || step.fract() == 0.0 || !(1e-9..1e3).contains(&step) {
            return plain;
        }
        // As many decimal places as the distance between two ticks has.
        let is_whole = |places: &i32| {
            let scaled = step * 10f64.powi(*places);
            scaled.round() >= 1.0 && (scaled - scaled.round()).abs() < 1e-6
        };
        let places = (1..12).find(is_whole).unwrap_or(3) as usize;
        self.ticks.iter().map(|t| format!("{t:.places$}")).collect()
    }
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low.is_finite() { (low, high) } else { (0.0, 1.0) }
}

fn step(rough: f64) -> f64 {
    let unit = 10f64.powf(rough.max(1e-12).log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * unit).into_iter().find(|s| *s >= rough * 0.999_999).unwrap_or(rough)
}

/// Round values from zero to the first that is not below `high`.
fn from_zero(high: f64) -> Vec<f64> {
    let high = if high > 0.0 { high } else { 1.0 };
    let step = step(high / 4.0);
    (0..=(high / step - 1e-9).ceil().max(1.0) as u32).map(|i| f64::from(i) * step).collect()
}

/// Round values that enclose `low` and `high`, not necessarily zero.
fn around(low: f64, high: f64) -> Vec<f64> {
    let step = step((high - low).max(1e-9) / 4.0);
    let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    (0..=(last - first).max(1.0) as u32).map(|i| (first + f64::from(i)) * step).collect()
}

/// Round values that enclose `low` and `high`, both above zero, on a logarithmic axis: evenly spaced in a narrow range,
/// steps of decades in a wide one.
fn of_ratios(low: f64, high: f64) -> Vec<f64> {
    if high / low > 10.0 {
        return decades(low, high);
    }
    if high / low <= 3.0 {
        return around(low, high).into_iter().filter(|v| *v > 0.0).collect();
    }
    within(&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0], low, high)
}

/// These multiples of powers of ten that enclose `low` and `high`.
fn within(steps: &[f64], low: f64, high: f64) -> Vec<f64> {
    let all: Vec<f64> = (low.log10().floor() as i32..=high.log10().ceil() as i32)
        .flat_map(|d| steps.iter().map(move |m| m * 10f64.powi(d)))
        .collect();
    let from = all.iter().rposition(|v| *v <= low).unwrap_or(0);
    let to = all.iter().position(|v| *v >= high).unwrap_or(all.len() - 1).max(from + 1).min(all.len() - 1);
    all[from.min(to.saturating_sub(1))..=to].to_vec()
}

/// The values 1, 2 and 5 of each decade that enclose `low` and `high`; powers of ten only if these are more than 12.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let fine = within(&[1.0, 2.0, 5.0], low, high);
    if fine.len() > 12 { within(&[1.0], low, high) } else { fine }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_values() {
        assert_eq!(from_zero(97.0), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(from_zero(1234.0), [0.0, 500.0, 1000.0, 1500.0]);
        assert_eq!(from_zero(0.0), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(decades(0.3, 40.0), [0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(decades(1.0, 1.0).len(), 2);
        assert_eq!(decades(0.01, 90_000.0).len(), 8, "whole decades");
        let near_one: Vec<String> = around(0.96, 1.07).iter().map(|v| format!("{v:.2}")).collect();
        assert_eq!(near_one, ["0.95", "1.00", "1.05", "1.10"]);
    }

    #[test]
    fn amounts_begin_at_zero_and_have_ticks_at_round_values() {
        let labels = |high| amounts(high).marks.into_iter().map(|m| m.1).collect::<Vec<_>>().join(" ");
        assert_eq!(labels(1234.0), "0 500 1,000 1,500");
        assert_eq!(labels(7.0), "0 2 4 6 8");
        assert_eq!((labels(0.0), amounts(97.0).high), ("0.00 0.25 0.50 0.75 1.00".to_owned(), 100.0));
    }

    fn of(points: &[f64], bars: &[(f64, f64)]) -> ChartLine {
        let at = |(i, v): (usize, &f64)| (i as f64, *v);
        ChartLine {
            points: points.iter().enumerate().map(at).collect(),
            bars: bars.iter().enumerate().map(|(i, b)| (i as f64, b.0, b.1)).collect(),
            ..ChartLine::default()
        }
    }

    #[test]
    fn ratios_are_on_a_logarithmic_axis_that_wide_intervals_do_not_stretch() {
        let labels = |points: &[f64], bars: &[(f64, f64)]| {
            let y = axis_of(false, Some(1.0), &[&of(points, bars)]);
            assert!(y.logarithmic && y.ticks[0] > 0.0 && y.ticks[0] <= 1.0 && *y.ticks.last().unwrap() >= 1.0);
            y.labels().join(" ")
        };
        assert_eq!(labels(&[1.03, 0.97], &[]), "0.96 0.98 1.00 1.02 1.04");
        // 1.1 to the power of 3.5 is 1.4.
        assert_eq!(labels(&[1.1], &[(0.01, 120.0)]), "0.6 0.8 1.0 1.2 1.4");
        assert_eq!(labels(&[0.5, 3.0], &[]), "0.5 0.7 1 1.5 2 3");
        assert_eq!(labels(&[0.04, 3.0], &[]), "0.02 0.05 0.1 0.2 0.5 1 2 5");
        assert_eq!(labels(&[], &[]), "0.98 0.99 1.00 1.01 1.02");
    }

    #[test]
    fn charts_of_one_figure_share_an_axis_unless_one_would_be_flat() {
        let charts = |high: f64| [vec![of(&[90.0, 10.0], &[])], vec![of(&[high], &[(high, 1.2 * high)])]];
        let shared = common_y(false, None, &charts(200.0)).map(|y| y.ticks);
        assert_eq!(shared, Some(vec![0.0, 100.0, 200.0, 300.0]), "with the end of the interval");
        assert_eq!(common_y(false, None, &charts(2000.0)), None);
        assert!(common_y(true, None, &charts(2000.0)).is_some_and(|y| y.logarithmic));
        assert_eq!(common_y(true, None, &charts(2e6)), None);
    }

    #[test]
    fn clients_that_span_a_decade_have_a_logarithmic_axis() {
        let x = numbers(&[512.0, 1.0, 8.0, 64.0]);
        assert_eq!(x.scale, Scale::Doubling);
        assert_eq!(x.marks, [(0.0, "1".to_owned()), (3.0, "8".into()), (6.0, "64".into()), (9.0, "512".into())]);
        assert_eq!(x.place("8"), Some(3.0));
        assert!(x.low < 0.0 && x.high > 9.0);
        let near = numbers(&[10.0, 20.0, 30.0, 30.0]);
        assert_eq!((near.scale, near.place("20"), near.marks.len()), (Scale::Linear, Some(20.0), 3));
        let doubled = numbers(&[1.0, 2.0, 4.0, 8.0]).marks;
        assert!(doubled.windows(2).all(|pair| pair[1].0 - pair[0].0 == 1.0), "equal steps: {doubled:?}");
        assert_eq!([numbers(&[1.0, 2.0, 3.0]).scale, numbers(&[2.0, 4.0]).scale], [Scale::Linear; 2]);
        assert_eq!(numbers(&[0.0, 100.0]).scale, Scale::Linear, "zero has no logarithm");
        assert_eq!(words(&["a".into(), "b".into()]).place("b"), Some(1.0));
    }

    #[test]
    fn labels_of_ticks_are_distinct() {
        let labels = |ticks: &[f64]| Y { ticks: ticks.to_vec(), logarithmic: false }.labels();
        assert_eq!(labels(&[0.95, 1.0, 1.05]), ["0.95", "1.00", "1.05"]);
        assert_eq!(labels(&[0.975, 1.0, 1.025]), ["0.975", "1.000", "1.025"]);
        assert_eq!(labels(&[0.0, 5e-8, 1e-7]), ["0.00000000", "0.00000005", "0.00000010"]);
        assert_eq!(labels(&[0.0, 2.5, 5.0]), ["0.0", "2.5", "5.0"]);
        assert_eq!(labels(&[0.8, 1.0, 1.2]), ["0.8", "1.0", "1.2"]);
        assert_eq!(labels(&[0.0, 500.0, 1000.0, 1500.0]), ["0", "500", "1,000", "1,500"]);
    }

    #[test]
    fn ticks_of_time_are_round_seconds_or_minutes() {
        let labels = |long| seconds(long).marks.into_iter().map(|m| m.1).collect::<Vec<_>>().join(" ");
        assert_eq!(labels(8.0), "0 s 1 s 2 s 3 s 4 s 5 s 6 s 7 s 8 s");
        assert_eq!(labels(1200.0), "0 min 5 min 10 min 15 min 20 min");
        assert_eq!(labels(0.5), "0.0 s 0.1 s 0.2 s 0.3 s 0.4 s 0.5 s");
        assert_eq!(labels(14_400.0), "0 min 30 min 60 min 90 min 120 min 150 min 180 min 210 min 240 min");
        assert_eq!(labels(30.0 * 86_400.0), "0 h 120 h 240 h 360 h 480 h 600 h 720 h");
        assert!([1e9, u64::MAX as f64, f64::MAX].into_iter().all(|long| seconds(long).marks.len() <= 9));
    }
}
