//! What the heading of a column means.

use crate::figure_kind::{FigureKind, Measure};
use crate::words::{has_part, is_among, lower, meaning, unit, words};

/// The meaning of a heading.
#[derive(Debug, Clone, PartialEq)]
pub enum HeadingMeaning {
    /// A figure, the unit if the heading names one, and what else it says: the target, in tables with a column for each.
    Figure(FigureKind, Option<&'static str>, Option<String>),
    /// The mean per period of this many seconds.
    PerPeriod(f64),
    /// `target`, `workload`, `axis`, `remark`, `metric`, `value` or `variable`; or what is no figure, target or axis of a result:
    /// [`COMPARISON`], [`SHARE`], [`STATISTIC`].
    Named(&'static str),
    /// Something else.
    Unknown,
}

const NAMED: &[&str] = &["target", "workload", "axis", "remark", "metric", "value", "variable", COMPARISON, SHARE];

/// A comparison of other columns: `Diff`, `Improvement`.
pub const COMPARISON: &str = "comparison";
/// A part of something: `Error rate`, `CPU %`.
pub const SHARE: &str = "share";
/// A figure that is not among those that are read: `Max TPS`, `TPS per core`, `purge_tps`.
pub const STATISTIC: &str = "statistic";

/// Figures that a heading can name beside a target.
fn may_stand_beside_a_target(kind: FigureKind) -> bool {
    use FigureKind::{Max, Mean, Min, Nopm, Percentile, Qps, Tpm, Tps};
    matches!(kind, Tps | Qps | Nopm | Tpm | Min | Mean | Max | Percentile(_))
}

/// What a heading means.
pub fn read(heading: &str) -> HeadingMeaning {
    let original = words(heading);
    let all = lower(&original);
    if let Some(name) = meaning(&all, |meaning| NAMED.contains(&meaning)) {
        return HeadingMeaning::Named(name);
    }
    if let Some((kind, unit)) = figure(&all) {
        return HeadingMeaning::Figure(kind, unit, None);
    }
    if all.iter().any(|word| is_among(word, COMPARISON)) {
        return HeadingMeaning::Named(COMPARISON);
    }
    if all.iter().any(|word| word == "%") && !all.iter().any(|word| word.contains(|c: char| c.is_ascii_digit())) {
        return HeadingMeaning::Named(SHARE);
    }
    if let [mean, per, seconds] = all.as_slice()
        && is_among(mean, "mean-of-period")
        && per == "per"
        && let Some(Ok(seconds)) = seconds.strip_suffix('s').map(str::parse::<f64>)
        && seconds > 0.0
    {
        return HeadingMeaning::PerPeriod(seconds);
    }
    beside(&original, &all, is_per_minute(heading)).unwrap_or(HeadingMeaning::Unknown)
}

/// The longest part that names a rate, or else another figure; the rest is the target, if it can be the name of one.
fn beside(original: &[String], all: &[String], per_minute: bool) -> Option<HeadingMeaning> {
    let of = |wanted: fn(FigureKind) -> bool| part(original, all, per_minute, wanted);
    of(is_rate).or_else(|| of(|kind| !is_rate(kind)))
}

fn part(
    original: &[String],
    all: &[String],
    per_minute: bool,
    wanted: fn(FigureKind) -> bool,
) -> Option<HeadingMeaning> {
    for length in (1..all.len()).rev() {
        for start in 0..=all.len() - length {
            let Some((kind, unit)) = figure(&all[start..start + length]) else { continue };
            if !wanted(kind) || !may_stand_beside_a_target(kind) || (per_minute && kind == FigureKind::Min) {
                continue;
            }
            let is_rest = |at: &usize| !(start..start + length).contains(at);
            let is_mean = |at: &usize| is_rate(kind) && is_among(&all[*at], "of-mean");
            let rest: Vec<usize> = (0..all.len()).filter(is_rest).filter(|at| !is_mean(at)).collect();
            if rest.iter().any(|at| is_statistic(&all[*at])) {
                return Some(HeadingMeaning::Named(STATISTIC));
            }
            let name: Vec<&str> = rest.iter().map(|at| original[*at].as_str()).collect();
            return Some(HeadingMeaning::Figure(kind, unit, Some(name.join(" ")).filter(|name| !name.is_empty())));
        }
    }
    None
}

/// `orders/min`: the word is no minimum.
fn is_per_minute(heading: &str) -> bool {
    let text = heading.to_lowercase();
    ["/min", "/ min", "per min", "/m)"].iter().any(|per| text.contains(per))
}

/// Whether it counts something in a time: its mean is the figure itself, and other statistics of it are other figures.
pub fn is_rate(kind: FigureKind) -> bool {
    use FigureKind::{Nopm, Qps, Tpm, Tps};
    matches!(kind, Tps | Qps | Nopm | Tpm)
}

/// Whether the heading of a rate says that it is a mean: `Average TPS`.
pub fn is_mean_of_rate(heading: &str) -> bool {
    let all = lower(&words(heading));
    let of_rate = matches!(read(heading), HeadingMeaning::Figure(kind, ..) if is_rate(kind));
    of_rate && all.iter().any(|word| is_among(word, "of-mean"))
}

/// Whether a heading speaks of a time.
pub fn says_time(heading: &str) -> bool {
    lower(&words(heading)).iter().any(|word| is_among(word, "of-time"))
}

/// A word that says what is counted, or which statistic it is, and so is no part of a target's name.
fn is_statistic(word: &str) -> bool {
    let of_percentile = word.strip_prefix('p').is_some_and(|rest| rest.len() > 1 && rest.parse::<f64>().is_ok());
    of_percentile || ["of-statistic", "of-mean", "min", "max", "percentile"].iter().any(|of| is_among(word, of))
}

/// Whether the unit can be one of this figure.
fn suits(kind: FigureKind, unit: &str) -> bool {
    match kind.measure() {
        Measure::Milliseconds | Measure::Seconds => TIME_UNITS.contains(&unit),
        Measure::Number => unit == "per-second" && matches!(kind, FigureKind::Tps | FigureKind::Qps),
    }
}

/// The figure that a caption names, for tables whose columns are targets.
pub fn of_caption(caption: &str) -> Option<(FigureKind, Option<&'static str>)> {
    match read(caption) {
        HeadingMeaning::Figure(kind, unit, _) if may_stand_beside_a_target(kind) || kind == FigureKind::Seconds => {
            Some((kind, unit))
        }
        _ => None,
    }
}

/// The time that a caption speaks of in other words than those of a heading: `Seconds to run all queries`, a Japanese one of the
/// time that one query takes. Such a time is that of whole runs, unless it is in milliseconds or of one query.
pub fn time_of_caption(caption: &str) -> Option<(FigureKind, Option<&'static str>)> {
    let all = lower(&words(caption));
    let of_time = |word: &String| unit(std::slice::from_ref(word)).filter(|unit| TIME_UNITS.contains(unit));
    let unit = all.last().and_then(of_time).or_else(|| all.first().and_then(of_time));
    let is_time = unit.is_some() || has_part(&all.join(" "), "part-of-time");
    let is_each = has_part(&all.join(" "), "part-of-each");
    let kind = match unit {
        Some("s" | "min") if !is_each => FigureKind::MeanSeconds,
        Some(_) => FigureKind::Mean,
        None if is_each => FigureKind::Mean,
        None => return None,
    };
    is_time.then_some((kind, unit))
}

const TIME_UNITS: &[&str] = &["ns", "us", "ms", "s", "min"];

/// What a caption says beside the figure: the workload, in a text with a table for each.
pub fn beside_figure(caption: &str) -> String {
    match read(caption) {
        HeadingMeaning::Figure(_, _, rest) => rest.unwrap_or_default(),
        _ => caption.to_owned(),
    }
}

/// A figure with its unit.
fn figure(all: &[String]) -> Option<(FigureKind, Option<&'static str>)> {
    let named = |all: &[String]| {
        let name = meaning(all, |meaning| FigureKind::named(meaning).is_some());
        name.and_then(FigureKind::named).or_else(|| percentile(all))
    };
    if let Some(kind) = named(all) {
        return Some((kind, None));
    }
    // A unit of one word or of two (per second), at the end.
    let at_end = (1..=2).filter(|length| *length < all.len()).find_map(|length| {
        let (name, of) = all.split_at(all.len() - length);
        let (kind, unit) = (named(name)?, unit(of)?);
        suits(kind, unit).then_some((kind, Some(unit)))
    });
    // A unit of time in the middle: `Latency (ms) p95`.
    let within = || {
        (0..all.len().saturating_sub(1)).find_map(|at| {
            let unit = unit(&all[at..=at])?;
            let kind = named(&[&all[..at], &all[at + 1..]].concat())?;
            (TIME_UNITS.contains(&unit) && suits(kind, unit)).then_some((kind, Some(unit)))
        })
    };
    at_end.or_else(within)
}

/// `p99`, `99%`, `99th percentile`, `latency p99.9`, `p999`.
fn percentile(all: &[String]) -> Option<FigureKind> {
    let sign = all.iter().any(|word| word == "%" || (is_among(word, "percentile") && word.contains("ile")));
    let japanese = all.iter().any(|word| is_among(word, "percentile") && word.chars().count() >= 7 && !word.is_ascii());
    let rest: Vec<&String> = all.iter().filter(|word| *word != "%" && !is_among(word, "percentile")).collect();
    let number = match rest.as_slice() {
        [word] if is_among(word, "median") => return Some(FigureKind::Percentile(5000)),
        // TP99 of Chinese texts.
        [number] if number.starts_with("tp") => &number[1..],
        [number] => number.as_str(),
        [letter, number] if *letter == "p" => return of_number(number),
        // 99.9 written as p99_9.
        [number, tenth] if number.starts_with('p') && tenth.len() == 1 => {
            return of_number(&format!("{}.{tenth}", &number[1..]));
        }
        [number, th] if *th == "th" => number.as_str(),
        _ => return None,
    };
    let plain = number.strip_prefix('p').or_else(|| number.strip_suffix("th"));
    match plain {
        Some("999") => of_number("99.9"),
        Some("9999") => of_number("99.99"),
        Some(number) => of_number(number),
        None if sign || japanese => of_number(number),
        None => None,
    }
}

fn of_number(number: &str) -> Option<FigureKind> {
    let hundredths = number.parse::<f64>().ok().map(|percent| (percent * 100.0).round())?;
    (100.0..10_000.0).contains(&hundredths).then_some(FigureKind::Percentile(hundredths as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use FigureKind::{Clients, Mean, Nopm, Percentile, Qps, Seconds, Tps};

    #[test]
    fn headings_of_published_tables_are_understood() {
        let figure = |kind, unit| HeadingMeaning::Figure(kind, unit, None);
        for (heading, expected) in [
            ("threads", figure(Clients, None)),
            ("スレッド数", figure(Clients, None)),
            ("同時実行数", figure(Clients, None)),
            ("VUs", figure(Clients, None)),
            ("TPS", figure(Tps, None)),
            ("Transactions/sec", figure(Tps, None)),
            ("ＴＰＳ", figure(Tps, None)),
            ("スループット (件/秒)", figure(Tps, Some("per-second"))),
            ("queries/s", figure(Qps, None)),
            ("avg_ms", figure(Mean, Some("ms"))),
            ("平均応答時間(ms)", figure(Mean, Some("ms"))),
            ("平均レイテンシ［ミリ秒］", figure(Mean, Some("ms"))),
            ("Latency avg (s)", figure(Mean, Some("s"))),
            ("99%", figure(Percentile(9900), None)),
            ("p99_ms", figure(Percentile(9900), Some("ms"))),
            ("95th percentile (ms)", figure(Percentile(9500), Some("ms"))),
            ("95パーセンタイル", figure(Percentile(9500), None)),
            ("p99.9", figure(Percentile(9990), None)),
            ("p999", figure(Percentile(9990), None)),
            ("99th", figure(Percentile(9900), None)),
            ("95%tile latency", figure(Percentile(9500), None)),
            ("tpmC", figure(Nopm, None)),
            ("time_s", figure(Seconds, Some("s"))),
            ("avg_per_10s", HeadingMeaning::PerPeriod(10.0)),
            ("target", HeadingMeaning::Named("target")),
            ("サーバー", HeadingMeaning::Named("target")),
            ("備考", HeadingMeaning::Named("remark")),
            ("RDS TPS", HeadingMeaning::Figure(Tps, None, Some("RDS".into()))),
            ("TPS (RDS 8.0)", HeadingMeaning::Figure(Tps, None, Some("RDS 8.0".into()))),
            ("fusionio_p99_ms", HeadingMeaning::Figure(Percentile(9900), Some("ms"), Some("fusionio".into()))),
            ("price", HeadingMeaning::Unknown),
            ("100", HeadingMeaning::Unknown),
            ("", HeadingMeaning::Unknown),
        ] {
            assert_eq!(read(heading), expected, "{heading}");
        }
        assert_eq!(of_caption("Read only: TPS"), Some((Tps, None)));
        assert_eq!(of_caption("Results"), None);
        let time = |caption| time_of_caption(caption);
        assert_eq!(time("1クエリーあたりの所要時間(ms)"), Some((Mean, Some("ms"))));
        assert_eq!(time("Seconds to run all queries"), Some((FigureKind::MeanSeconds, Some("s"))));
        assert_eq!(time("Time per query (s)"), Some((Mean, Some("s"))));
        assert_eq!(time("After 60 seconds of warm-up"), None);
        assert_eq!(time("所要時間"), None, "whose, and in what");
    }
}
