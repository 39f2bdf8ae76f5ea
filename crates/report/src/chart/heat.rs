//! A map of response times over time: the stronger the colour, the more transactions ended there. One hue, drawn without
//! scripts, so that it can be read in both themes, in print and by colour-blind readers.

use super::axes::X;
use super::ticks;
use std::fmt::Write;
use tenbin_model::heat_map::{Column, HeatMap, ROWS};
use tenbin_words::figure;

const WIDTH: f64 = 560.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 24.0;
const FIELD: f64 = 190.0;
/// Steps of the colour, `page.css` has their strengths.
const LEVELS: usize = 8;

/// The rows from the fastest to the slowest transaction of these maps; `None` if they have none.
pub fn heat_rows<'m>(maps: impl Iterator<Item = &'m HeatMap>) -> Option<(usize, usize)> {
    let columns: Vec<Column> = maps.flat_map(HeatMap::columns).collect();
    let used = |row: &usize| columns.iter().any(|column| column.counts[*row] > 0);
    Some(((0..ROWS).find(used)?, (0..ROWS).rev().find(used)?))
}

/// The map as an `<svg>` element in the colour of a style, which is hidden from screen readers. `rows` are the first and the last that are drawn,
/// `axis` has the seconds since its first column, of which the first `warm_s` are the warm-up.
pub fn heat(map: &HeatMap, rows: (usize, usize), axis: &X, warm_s: f64, style: usize) -> String {
    let columns = map.columns();
    let start_ns = columns.first().map_or(0, |column| column.from_ns);
    let seconds = |ns: u64| ns.saturating_sub(start_ns) as f64 / 1e9;
    let x = |s: f64| LEFT + (s - axis.low) / (axis.high - axis.low).max(1e-12) * (WIDTH - LEFT - RIGHT);
    let high = FIELD / (rows.1 + 1 - rows.0) as f64;
    let base = TOP + FIELD;
    let y = |row: f64| base - (row - rows.0 as f64) * high;
    let mut s = format!("<svg viewBox=\"0 0 {WIDTH} {:.0}\" aria-hidden=\"true\">", base + 28.0);
    s += "<text class=\"axis\" x=\"4\" y=\"16\" translate=\"no\">ms</text>";
    for (at, label) in rows_of_times(rows) {
        let at = y(at);
        let _ = write!(s, "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{}\"/>", WIDTH - RIGHT);
        let _ = write!(
            s,
            "<text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    // A column is one wide and a row one high; the first row is the lowest.
    let wide = columns.first().map_or(1.0, |column| x(seconds(column.to_ns)) - x(seconds(column.from_ns))).max(1e-9);
    let column = |ns| (x(seconds(ns)) - LEFT) / wide;
    let _ = write!(
        s,
        "<g class=\"c{}\" transform=\"translate({LEFT} {:.1})scale({wide:.2} {:.2})\">",
        style % 8,
        base - high / 2.0,
        -high
    );
    for (level, path) in cells(&columns, rows, &column).iter().enumerate().filter(|(_, p)| !p.is_empty()) {
        let _ = write!(s, "<path class=\"heat h{}\" d=\"{path}\"/>", level + 1);
    }
    s += "</g>";
    if warm_s > 0.0 {
        let _ = write!(s, "<path class=\"reference\" d=\"M{:.1} {TOP}V{base}\"/>", x(warm_s));
    }
    s += &ticks::labels(&axis.marks, &x, base + 20.0, WIDTH);
    s + "</svg>"
}

/// The steps of the colour from the weakest to the strongest, and how many transactions per second and cell they stand for.
pub fn heat_scale(map: &HeatMap, rows: (usize, usize), style: usize) -> (String, f64, f64) {
    let (least, most) = least_and_most(&map.columns(), rows);
    let step = |level| format!("<rect class=\"heat h{}\" x=\"{}\" width=\"10\" height=\"10\"/>", level + 1, 10 * level);
    let steps: String = (0..LEVELS).map(step).collect();
    let drawn = format!(
        "<svg class=\"steps f{}\" viewBox=\"0 0 {} 10\" aria-hidden=\"true\">{steps}</svg>",
        style % 8,
        10 * LEVELS
    );
    (drawn, least, most)
}

/// How many transactions ended per second in a cell. Per second, because the last column may be shorter than the others.
fn rate(column: &Column, row: usize) -> f64 {
    f64::from(column.counts[row]) / (column.to_ns.saturating_sub(column.from_ns).max(1) as f64 / 1e9)
}

/// The least and the most of the cells in which any ended.
fn least_and_most(columns: &[Column], rows: (usize, usize)) -> (f64, f64) {
    let rates = columns.iter().flat_map(|column| (rows.0..=rows.1).map(move |row| rate(column, row)));
    let some = rates.filter(|rate| *rate > 0.0);
    some.fold((f64::INFINITY, 0.0f64), |(least, most), rate| (least.min(rate), most.max(rate)))
}

/// For each step of the colour the cells that have it, as one path of lines as thick as a row is high: cells beside each other are one line.
fn cells(columns: &[Column], rows: (usize, usize), at: &dyn Fn(u64) -> f64) -> Vec<String> {
    let (least, most) = least_and_most(columns, rows);
    let spread = (most / least).ln();
    let level = |column: &Column, row: usize| {
        // All the same: the strongest.
        let share = if spread > 0.0 { (rate(column, row) / least).ln() / spread } else { 1.0 };
        ((share * (LEVELS - 1) as f64).round() as usize).min(LEVELS - 1)
    };
    let hundredths = |v: f64| (v * 100.0).round() / 100.0;
    let mut paths = vec![String::new(); LEVELS];
    for row in rows.0..=rows.1 {
        let mut rest = columns;
        while let [first, ..] = rest {
            if first.counts[row] == 0 {
                rest = &rest[1..];
                continue;
            }
            let own = level(first, row);
            let is_next = |pair: &&[Column]| {
                pair[1].from_ns == pair[0].to_ns && pair[1].counts[row] > 0 && level(&pair[1], row) == own
            };
            let n = 1 + rest.windows(2).take_while(is_next).count();
            let (from, to) = (hundredths(at(first.from_ns)), hundredths(at(rest[n - 1].to_ns)));
            let _ = write!(paths[own], "M{from} {}h{}", row - rows.0, hundredths(to - from));
            rest = &rest[n..];
        }
    }
    paths
}

/// The places of round times as rows with fractions, and their labels in milliseconds: powers of ten, with 2 and 5 between
/// them if these are few.
fn rows_of_times(rows: (usize, usize)) -> Vec<(f64, String)> {
    let (low, high) = (HeatMap::edge_ns(rows.0), HeatMap::edge_ns(rows.1 + 1));
    // The first row begins with zero, which a logarithmic axis has not.
    let low = if low > 0.0 { low } else { HeatMap::edge_ns(1) };
    let position = |ns: f64| {
        let above = HeatMap::edge_ns(2) / HeatMap::edge_ns(1);
        1.0 + (ns / HeatMap::edge_ns(1)).ln() / above.ln()
    };
    let of = |steps: &[f64]| -> Vec<(f64, String)> {
        let all = (4..=12).flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
        let within = all.filter(|ns| *ns >= low * 0.999 && *ns <= high * 1.001);
        let label = |ms: f64| if ms < 999.5 { format!("{}", (ms * 1e9).round() / 1e9) } else { figure::grouped(ms) };
        within.map(|ns| (position(ns), label(ns / 1e6))).collect()
    };
    let fine = of(&[1.0, 2.0, 5.0]);
    if fine.len() > 9 { of(&[1.0]) } else { fine }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::histogram::Histogram;

    #[test]
    fn the_map_has_a_cell_for_each_range_in_which_transactions_ended() {
        let mut map = HeatMap::default();
        for second in 0..10u64 {
            let mut response = Histogram::new();
            response.record_n(2_000_000, 1000);
            response.record_n(40_000_000, if second == 5 { 1 } else { 0 });
            map.push(second * 1_000_000_000, (second + 1) * 1_000_000_000, &response);
        }
        let rows = heat_rows([&map].into_iter()).unwrap();
        let drawn = heat(&map, rows, &super::super::seconds(10.0), 2.0, 9);
        assert!(drawn.contains("<g class=\"c1\""), "the colour of the target");
        let (steps, least, most) = heat_scale(&map, rows, 1);
        assert_eq!((steps.matches("<rect").count(), least, most), (8, 1.0, 1000.0));
        let of = |class: &str| {
            let path = drawn.split_once(&format!("class=\"heat {class}\" d=\"")).map_or("", |(_, rest)| rest);
            path.split('"').next().unwrap_or_default().to_owned()
        };
        // One column, and all ten of the lowest row.
        assert_eq!((of("h1").split_once(' ').unwrap().0, of("h8").as_str()), ("M5", "M0 0h10"), "{drawn}");
        assert!(drawn.contains(">5</text>") && drawn.contains(">20</text>") && !drawn.contains("NaN"), "{drawn}");
        assert_eq!(heat_rows([&HeatMap::default()].into_iter()), None);
    }

    #[test]
    fn ticks_are_round_milliseconds() {
        let labels = |rows| rows_of_times(rows).into_iter().map(|t| t.1).collect::<Vec<_>>().join(" ");
        assert_eq!(labels((0, ROWS - 1)), "0.01 0.1 1 10 100 1,000 10,000 100,000");
        assert_eq!(labels((11, 15)), "1 2 5");
    }
}
