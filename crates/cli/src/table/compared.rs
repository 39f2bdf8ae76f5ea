//! The answer in figures: who is ahead of whom, the ratios, and a row for each cell with its interval on a ruler.

use super::{Column, fitted, width};
use std::fmt::Write;
use tenbin_model::axis::{self, EXPERIMENT};
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::{Cell, Summary};
use tenbin_report::figures::{CellRange, is_at, is_by_cell, is_of, named, of_pairs, queries_of_pairs, value};
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::answer::{ends, ratio};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::comparison::{self, Comparable, Comparison, reading};
use tenbin_verdict::judged::Judged;
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

/// Columns of the ruler.
const RULER: usize = 21;

/// The run, its verdict and how long it took, in one line.
pub(super) fn head(summary: &Summary, words: &TerminalWords) -> String {
    let took = words.text(figure::duration(summary.last_ns as f64 / 1e9));
    let right = format!("{}  {took}", words.text(summary.verdict().word()));
    let room = super::room();
    let of_left = room.saturating_sub(width(&right) + 2);
    let left = match only(summary) {
        Some(c) => beside_one_another(c.words.map(|one| words.text(one)), &words.text(msg!("card-against")), of_left),
        None => super::shortened(&summary.name, of_left),
    };
    let pad = " ".repeat(room.saturating_sub(width(&left) + width(&right)));
    format!("{left}{pad}{right}")
}

/// `b against a` in this many columns: long names are each shortened, so that both can be read and told apart.
fn beside_one_another([a, b]: [String; 2], against: &str, room: usize) -> String {
    let of_names = room.saturating_sub(width(against) + 2);
    let half = of_names / 2;
    let of_b = match (width(&a) <= half, width(&b) <= half) {
        (true, _) => of_names - width(&a),
        (false, true) => width(&b),
        (false, false) => of_names - half,
    };
    let both = [a.as_str(), b.as_str()];
    let [of_a, of_b] = [(&a, of_names - of_b), (&b, of_b)].map(|(name, most)| super::shortened_among(name, both, most));
    format!("{of_b} {against} {of_a}")
}

/// The comparison of the run, if it has one of two in one experiment that may be made.
fn only(summary: &Summary) -> Option<Comparison> {
    let experiments = summary.experiments();
    let [experiment] = experiments.as_slice() else { return None };
    let questions = summary.questions(experiment);
    let [question] = questions.as_slice() else { return None };
    let is_comparable = *question != Question::Limit && summary.may_be_compared(experiment, *question);
    let mut all = summary.comparisons(experiment, *question, question.figure());
    if is_comparable && all.len() == 1 { all.pop() } else { None }
}

/// The other figures of the same two.
fn beside(summary: &Summary, c: &Comparison, figure: Figure) -> Option<Comparison> {
    let experiments = summary.experiments();
    let experiment = experiments.first()?;
    let question = *summary.questions(experiment).first()?;
    summary.comparisons(experiment, question, figure).into_iter().find(|other| other.a == c.a && other.b == c.b)
}

/// A line for each figure: ratio, what it is of, interval, and the figures of both if there is one cell.
pub(super) fn block(summary: &Summary, words: &TerminalWords) -> String {
    let Some(c) = only(summary) else { return String::new() };
    let p99 = Figure::Percentile(990);
    let times = (c.figure != p99 && c.figure != Figure::Seconds).then(|| beside(summary, &c, p99)).flatten();
    let cells: Vec<&Cell> = summary.cells().iter().filter(|cell| !cell.tps.is_empty()).collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for one in std::iter::once(&c).chain(&times) {
        let figures = match one.cells.as_slice() {
            [only] => of_pairs(summary, only, one.figure),
            _ => None,
        };
        let figures = beside_ratio(figures, one.figure.unit(), words);
        let named = words.text(named(summary, &cells, one.figure));
        rows.push(vec![format!("  {}", large(one)), named, span(one, words), figures]);
    }
    if let Some((of_all, both)) = queries_of_pairs(summary, &c) {
        let figures = beside_ratio(both, "QPS", words);
        let named = words.text(named(summary, &cells, Figure::Queries));
        rows.push(vec![format!("  {}×", ratio(of_all)), named, String::new(), figures]);
    }
    format!("\n{}\n", within(rows, super::room()))
}

/// The rows in this many columns: where they are too long, without the figures of both, which stand in the table below, too.
fn within(mut rows: Vec<Vec<String>>, room: usize) -> String {
    let whole = super::words(&rows);
    if whole.lines().all(|line| width(line) <= room) {
        return whole;
    }
    rows.iter_mut().for_each(|row| row.truncate(3));
    super::words(&rows)
}

/// `b against a` in figures, if there is one cell.
fn beside_ratio(figures: Option<[f64; 2]>, unit: &str, words: &TerminalWords) -> String {
    figures.map_or_else(String::new, |figures| {
        let [of_a, of_b] = figure::alike_pair(figures);
        words.text(msg!("card-figures", of_b, of_a, unit))
    })
}

fn large(c: &Comparison) -> String {
    if is_by_cell(c) { CellRange::of(c).text() } else { format!("{}×", ratio(c.ratio)) }
}

/// The interval, if it is of all cells; else in which part of them a difference is shown, if that is not all. With one repeat nothing says that.
fn span(c: &Comparison, words: &TerminalWords) -> String {
    match is_by_cell(c) {
        _ if c.confidence.is_none() => String::new(),
        true => CellRange::of(c).part().map_or_else(String::new, |part| words.text(part)),
        false => decided(c.interval(), words.text(msg!("says-undecided"))),
    }
}

/// An interval, and that it decides nothing, if so: the ratio beside it is the largest text of the run.
fn decided(shown: Option<Confidence>, undecided: String) -> String {
    match shown {
        Some(i) if reading(shown) == Comparable::Unclear => format!("{} {undecided}", interval(i)),
        Some(i) => interval(i),
        None => undecided,
    }
}

fn interval(i: Confidence) -> String {
    ends(i.low, i.high).join("–")
}

/// A row for each cell, if there are several: the figures of both, the ratio, its interval as numbers and on a ruler. A cell that only one
/// of the two has has no more than its figure.
pub(super) fn by_cell(summary: &Summary, words: &TerminalWords) -> String {
    let is_of_several = |c: &Comparison| c.cells.len() + c.uncompared() > 1;
    let Some(c) = only(summary).filter(is_of_several) else { return String::new() };
    let cells = summary.cells();
    let none = || "–".to_owned();
    let of_one = |name: &str, axes: &[(String, String)]| {
        let cell = cells.iter().find(|x| is_of(summary, x, name) && is_at(summary, x, axes));
        cell.and_then(|x| value(summary, x, c.figure))
    };
    let figures = |side: usize| -> Vec<String> {
        let of_pair = |r| of_pairs(summary, r, c.figure).map(|both| both[side]);
        let alone = c.of_one_only.iter().enumerate().flat_map(|(at, cells)| cells.iter().map(move |axes| (at, axes)));
        let name = [&c.a, &c.b][side];
        let alone = alone.map(|(at, axes)| if at == side { of_one(name, axes) } else { None });
        let unpaired = c.unpaired.iter().map(|axes| of_one(name, axes));
        figure::alike_or_none(c.cells.iter().map(of_pair).chain(unpaired).chain(alone))
    };
    // Below the ratios.
    let with_rest = |mut column: Vec<String>| {
        column.extend(std::iter::repeat_with(none).take(c.uncompared()));
        column
    };
    let ruler = Ruler::of(c.cells.iter().flat_map(|r| {
        let ends = c.interval_of(r).map(|i| [i.low, i.high]).into_iter().flatten();
        ends.chain([r.ratio]).collect::<Vec<_>>()
    }));
    let undecided = words.text(msg!("says-undecided"));
    let drawn = |r: &comparison::CellRatio| {
        let decided = matches!(reading(c.interval_of(r)), Comparable::Higher | Comparable::Lower);
        let line = ruler.line(r.ratio, c.interval_of(r), decided);
        if decided { line } else { format!("{line}  {undecided}") }
    };
    let column =
        |head: String, cells: Vec<String>, left: bool, dispensable: u8| Column { head, cells, left, dispensable };
    let unit = c.figure.unit();
    let named = |name: &str| super::shortened_among(name, [c.a.as_str(), c.b.as_str()], 14);
    let rows = || c.cells.iter();
    let columns = [
        column(
            format!("{unit}:"),
            rows()
                .map(|r| &r.axes)
                .chain(&c.unpaired)
                .chain(c.of_one_only.iter().flatten())
                .map(|axes| place(axes, words))
                .collect(),
            true,
            0,
        ),
        column(named(&c.a), figures(0), false, 2),
        column(named(&c.b), figures(1), false, 2),
        column(
            words.text(msg!("column-ratio")),
            with_rest(rows().map(|r| format!("{}×", ratio(r.ratio))).collect()),
            false,
            0,
        ),
        column(
            "95 %".to_owned(),
            with_rest(rows().map(|r| c.interval_of(r).map_or_else(none, interval)).collect()),
            false,
            1,
        ),
        column(
            ruler.head(),
            rows().map(drawn).chain(std::iter::repeat_n(String::new(), c.uncompared())).collect(),
            true,
            3,
        ),
    ];
    format!("\n{}", fitted(&columns))
}

/// The values of a cell on the axes, without its experiment.
fn place(axes: &[(String, String)], words: &TerminalWords) -> String {
    let axes: Vec<(String, String)> = axes.iter().filter(|(key, _)| key != EXPERIMENT).cloned().collect();
    words.text(if axes.is_empty() { foreign("") } else { axis::cell(&axes) })
}

/// A logarithmic ruler of [`RULER`] columns with 1 on it.
struct Ruler {
    low: f64,
    high: f64,
}

impl Ruler {
    fn of(values: impl Iterator<Item = f64>) -> Ruler {
        let within = values.filter(|v| v.is_finite() && *v > 0.0).map(f64::ln);
        let (low, high) = within.fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        // Wide intervals would compress everything else.
        let (low, high) = (low.max(-2.5), high.min(2.5));
        let margin = (high - low).max(0.05) * 0.05;
        Ruler { low: low - margin, high: high + margin }
    }

    fn at(&self, ratio: f64) -> usize {
        let share = (ratio.max(1e-12).ln() - self.low) / (self.high - self.low);
        (share.clamp(0.0, 1.0) * (RULER - 1) as f64).round() as usize
    }

    /// The ends of the ruler, and where 1 stands.
    fn head(&self) -> String {
        let mut text = vec![' '; RULER];
        text[self.at(1.0)] = '1';
        let mut head: String = text.into_iter().collect();
        let (low, high) = (ratio(self.low.exp()), ratio(self.high.exp()));
        if self.at(1.0) > low.len() {
            head.replace_range(..low.len(), &low);
        }
        if self.at(1.0) + high.len() + 1 < RULER {
            head.truncate(RULER - high.len());
            let _ = write!(head, "{high}");
        }
        head
    }

    fn line(&self, ratio: f64, confidence: Option<Confidence>, decided: bool) -> String {
        let mut text = vec![' '; RULER];
        if let Some(i) = confidence {
            text[self.at(i.low)..=self.at(i.high)].fill('━');
        }
        let one = self.at(1.0);
        text[one] = if text[one] == '━' { '┿' } else { '│' };
        text[self.at(ratio)] = if decided { '●' } else { '○' };
        text.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_are_seen_however_long_they_are() {
        let long = |from: &str, to: &str| format!("{from}{}{to}", "-".repeat(33));
        let beside = |a: &str, b: &str| beside_one_another([a.to_owned(), b.to_owned()], "against", 60);
        let both = beside(&long("old", "8.0"), &long("new", "8.4"));
        assert!(width(&both) <= 60, "{both}");
        let (b, a) = both.split_once(" against ").unwrap();
        assert!(b.starts_with("new-") && b.ends_with("8.4") && a.starts_with("old-") && a.ends_with("8.0"), "{both}");
        assert_eq!(beside("short", &long("new", "8.4")), format!("{} against short", long("new", "8.4")));
        assert_eq!(beside(&long("old", "8.0"), "b"), format!("b against {}", long("old", "8.0")));
        // Two runs of one plan differ in the middle of their names.
        let run = |second: u32| format!("2026-11-30T0055{second}-oltp_read_write-of-mariadb-and-mysql");
        let both = beside(&run(11), &run(14));
        let (b, a) = both.split_once(" against ").unwrap();
        assert!(b.contains("0055") && b.contains("14-oltp") && a.contains("11-oltp"), "{both}");
        assert!(width(&both) <= 60, "{both}");
        for most in 8..60 {
            let names = [run(11), run(14), run(11) + "x"];
            let all = names
                .each_ref()
                .map(|name| super::super::shortened_among(name, names.iter().map(String::as_str), most));
            assert!(all[0] != all[1] && all.iter().all(|name| width(name) <= most), "{most}: {all:?}");
        }
    }

    #[test]
    fn a_ratio_that_is_not_decided_says_so() {
        let of = |value, low, high| decided(Some(Confidence { value, low, high }), "undecided".to_owned());
        assert_eq!(of(1.56, 0.98, 2.48), "0.98–2.48 undecided");
        assert_eq!(of(1.51, 1.22, 1.87), "1.22–1.87");
        assert_eq!(of(1.002, 0.99, 1.02), "0.99–1.02", "alike, which the answer says");
        assert_eq!(decided(None, "undecided".to_owned()), "undecided");
    }

    #[test]
    fn a_narrow_terminal_has_the_ratios_and_not_half_of_the_figures() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = vec![
            row(["  1.52×", "the transactions per second", "1.49–1.56", "1,511 against 991 TPS"]),
            row(["  0.66×", "the p99", "0.64–0.68", "28.2 against 42.9 ms"]),
        ];
        assert!(within(rows.clone(), 80).contains("1,511 against 991 TPS"));
        let narrow = within(rows, 60);
        assert!(narrow.lines().all(|line| width(line) <= 60) && !narrow.contains("against"), "{narrow}");
        assert!(narrow.contains("0.66×") && narrow.contains("0.64–0.68"), "{narrow}");
    }

    #[test]
    fn intervals_lie_on_a_ruler_with_one_on_it() {
        let ruler = Ruler::of([0.5, 2.0].into_iter());
        assert_eq!(ruler.at(1.0), RULER / 2);
        let of = |low, high, value, decided| ruler.line(value, Some(Confidence { value, low, high }), decided);
        assert_eq!(of(1.2, 1.9, 1.5, true).trim_end(), "          │ ━━━●━━━");
        assert_eq!(of(0.9, 1.2, 1.05, false).trim_end(), "         ━┿○━");
        assert_eq!(of(0.0, 1e12, 1.0, false).chars().filter(|c| *c == ' ').count(), 0, "beyond both ends");
        assert_eq!((ruler.head().chars().count(), ruler.head().contains('1')), (RULER, true));
        let none = Ruler::of(std::iter::empty());
        assert_eq!(none.line(1.0, None, false).trim(), "○");
    }
}
