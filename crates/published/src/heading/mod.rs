//! What the heading of a column means.

pub(crate) mod named_figure;

use crate::beside::{TIME_UNITS, without_filler};
use crate::figure_kind::{FigureKind, Measure};
use crate::percentile::{is_percentile, percentile};
use crate::quantity::{self, CellContent};
use crate::scale;
use crate::spelling::{
    LONGEST_SCALED, in_two, with_scale_apart, with_scale_in_words, without_clock, without_operation,
    without_preference, without_spread, words_apart,
};
use crate::words::{half_width, has_part, is_among, lists, lower, meaning, unit, words};
use named_figure::is_operation;
use std::cell::RefCell;
use std::collections::HashMap;

/// The meaning of a heading.
#[derive(Debug, Clone, PartialEq)]
pub enum HeadingMeaning {
    /// A figure, the unit if the heading names one, and what else it says: the target, in tables with a column for each.
    Figure(FigureKind, Option<&'static str>, Option<String>),
    /// The mean per period of this many seconds.
    PerPeriod(f64),
    /// `target`, `workload`, `axis`, `remark`, `metric`, `value` or `variable`; or what is no figure, target or axis of a result:
    /// [`COMPARISON`], [`SHARE`], [`INTENDED`], [`STATISTIC`].
    Named(&'static str),
    /// Something else.
    Unknown,
}

const NAMED: &[&str] =
    &["target", "workload", "axis", "remark", "metric", "value", "variable", COMPARISON, SHARE, INTENDED];

/// A comparison of other columns: `Diff`, `Improvement`.
pub const COMPARISON: &str = "comparison";
/// A part of something: `Error rate`, `CPU %`.
pub const SHARE: &str = "share";
/// A rate that was asked for: `Target TPS`.
pub const INTENDED: &str = "intended";
/// A figure that is not among those that are read: `Max TPS`, `TPS per core`, `purge_tps`.
pub const STATISTIC: &str = "statistic";

/// What is no figure, target or axis of a result.
pub const ASIDE: [&str; 4] = [COMPARISON, SHARE, INTENDED, STATISTIC];

/// Figures that a heading can name beside a target.
pub(crate) fn may_stand_beside_a_target(kind: FigureKind) -> bool {
    use FigureKind::{Max, Mean, Min, Nopm, Percentile, Qps, Tpm, Tps};
    matches!(kind, Tps | Qps | Nopm | Tpm | Min | Mean | Max | Percentile(_))
}

/// A heading of more words is a sentence.
pub(crate) const MOST_WORDS: usize = 16;

thread_local! {
    /// What was read of texts: the same names stand in many headings and cells, and each is read in many places.
    static READ: RefCell<HashMap<String, HeadingMeaning>> = RefCell::default();
}

/// This many texts are remembered.
const MOST_REMEMBERED: usize = 10_000;
/// A longer text is not remembered.
const LONGEST_REMEMBERED: usize = 500;

/// What a heading means.
pub fn read(heading: &str) -> HeadingMeaning {
    if heading.len() > LONGEST_REMEMBERED {
        return read_as(heading, false);
    }
    if let Some(known) = READ.with_borrow(|all| all.get(heading).cloned()) {
        return known;
    }
    let meaning = read_as(heading, false);
    READ.with_borrow_mut(|all| {
        if all.len() >= MOST_REMEMBERED {
            all.clear();
        }
        all.insert(heading.to_owned(), meaning.clone());
    });
    meaning
}

/// What a heading means beside these others: `Load (min)` is a number of minutes, unless `Load (max)` stands there too.
pub fn read_beside<'h>(heading: &str, others: impl Iterator<Item = &'h str> + Clone) -> HeadingMeaning {
    if is_count_of_operations(heading, others.clone()) || is_goal_beside_result(heading, others.clone()) {
        return HeadingMeaning::Named(STATISTIC);
    }
    // The options of pgbench: `-c`, and `c` beside `j`.
    let is_option = |text: &str, letter: &str| text.trim().trim_start_matches('-') == letter;
    if is_option(heading, "c") && (heading.trim() == "-c" || others.clone().any(|other| is_option(other, "j"))) {
        return HeadingMeaning::Figure(FigureKind::Clients, None, None);
    }
    if let Some(meaning) =
        time_of_workload(heading, others.clone()).or_else(|| rate_of_version(heading, others.clone()))
    {
        return meaning;
    }
    match read(in_minutes(heading, others.clone()).as_deref().unwrap_or(heading)) {
        HeadingMeaning::Figure(kind, Some("mega"), None) if scale::is_size(heading, others) => {
            HeadingMeaning::Figure(kind, None, Some("M".to_owned()))
        }
        meaning => meaning,
    }
}

/// The time of an operation that has a rate of its own beside it, and so is a workload: `Read latency (ms)` beside `Read TPS`.
fn time_of_workload<'h>(heading: &str, mut others: impl Iterator<Item = &'h str>) -> Option<HeadingMeaning> {
    if heading.len() > LONGEST_SCALED || read(heading) != HeadingMeaning::Named(STATISTIC) {
        return None;
    }
    let HeadingMeaning::Figure(kind, unit, Some(of)) = read_as(heading, true) else { return None };
    let is_same = |other: &str| matches!(read(other), HeadingMeaning::Figure(kind, _, Some(name)) if is_rate(kind) && name.eq_ignore_ascii_case(&of));
    let is_time = kind.measure() == Measure::Milliseconds && is_operation(&of);
    (is_time && others.any(is_same)).then_some(HeadingMeaning::Figure(kind, unit, Some(of)))
}

/// `5.7 TPS` beside `8.0 TPS` and a heading of something else: that of a version. Alone it would be a value.
fn rate_of_version<'h>(heading: &str, mut others: impl Iterator<Item = &'h str> + Clone) -> Option<HeadingMeaning> {
    let versioned = |text: &str| {
        let (version, rate) = text.trim().split_once(' ').filter(|_| text.len() < LONGEST_SCALED)?;
        let is_low = version.parse::<f64>().is_ok_and(|version| version < 30.0);
        let (kind, unit) = figure(&lower(&words(rate)))?;
        (named_figure::is_version(version) && is_low && is_rate(kind)).then(|| (version.to_owned(), kind, unit))
    };
    let (version, kind, unit) = versioned(heading)?;
    let is_other_version = |other: &str| versioned(other).is_some_and(|(of, ..)| of != version);
    let is_word = |other: &str| {
        matches!(read(other), HeadingMeaning::Figure(..) | HeadingMeaning::Named("target" | "workload" | "axis"))
    };
    (others.clone().any(is_other_version) && others.any(is_word)).then_some(HeadingMeaning::Figure(
        kind,
        unit,
        Some(version),
    ))
}

/// Whether `Target` is what was asked for, beside `Actual`.
fn is_goal_beside_result<'h>(heading: &str, mut others: impl Iterator<Item = &'h str>) -> bool {
    const RESULTS: [&str; 5] = ["actual", "measured", "achieved", "observed", "reached"];
    let is = |text: &str, lists: &[&str]| match &lower(&words(text))[..] {
        [word] => lists.contains(&word.as_str()),
        _ => false,
    };
    heading.len() < LONGEST_SCALED && is(heading, &["target"]) && others.any(|other| is(other, &RESULTS))
}

/// Whether `Ops` is a number of operations and no rate: beside a rate, or a time that they took; and `Total ops`, unless it is the sum of
/// other columns of them. Alone it is a rate.
fn is_count_of_operations<'h>(heading: &str, mut others: impl Iterator<Item = &'h str> + Clone) -> bool {
    const OPERATIONS: &str = "ops";
    if heading.len() > LONGEST_SCALED || !heading.to_lowercase().contains(OPERATIONS) {
        return false;
    }
    let mut all = lower(&words(heading));
    let n = all.len();
    all.retain(|word| !["of-whole", "sum", "client-filler"].iter().any(|of| is_among(word, of)));
    if all != [OPERATIONS] {
        return false;
    }
    let is_of_some = |other: &str| lower(&words(other)).iter().any(|word| word == OPERATIONS);
    let shows_count = |other: &str| match read(other) {
        HeadingMeaning::Figure(kind, _, None) => kind == FigureKind::Seconds || is_rate(kind),
        _ => false,
    };
    let has_parts = || others.clone().filter(|other| is_of_some(other) && !shows_count(other)).count() > 1;
    (n > 1 && !has_parts()) || others.any(shows_count)
}

/// The heading with the word for minutes at its end, if its last word, which may be that of a minimum too, is one: what is before it is no
/// response time, and no other heading names another statistic of the same.
pub(crate) fn in_minutes<'h>(heading: &str, mut others: impl Iterator<Item = &'h str>) -> Option<String> {
    let all = lower(&words(heading));
    let (last, of) = all.split_last()?;
    let is_either = is_among(last, "of-min") && unit(std::slice::from_ref(last)) == Some("min");
    // `Tx/min`.
    let is_rate_of_minutes = || matches!(read(heading), HeadingMeaning::Figure(kind, ..) if is_rate(kind));
    if !is_either
        || is_rate_of_minutes()
        || of.is_empty()
        || of.len() > MOST_WORDS
        || of.iter().any(|word| is_among(word, "of-latency"))
    {
        return None;
    }
    let says_figure = match read(&of.join(" ")) {
        HeadingMeaning::Figure(kind, ..) => kind.measure() != Measure::Seconds,
        HeadingMeaning::PerPeriod(_) => true,
        _ => false,
    };
    let is_other_statistic = |other: &str| {
        let mut rest = lower(&words(other));
        rest.retain(|word| !of.contains(word) && unit(std::slice::from_ref(word)).is_none_or(|unit| unit == "min"));
        let is = |of: &str| rest.iter().any(|word| is_among(word, of) || is_percentile(word));
        let n = rest.len();
        (1..=2).contains(&n) && ["of-mean", "of-max", "median", "deviation"].iter().any(|of| is(of)) && {
            lower(&words(other)).iter().filter(|word| of.contains(word)).count() >= of.len()
        }
    };
    (!says_figure && !others.any(is_other_statistic)).then(|| format!("{} minutes", of.join(" ")))
}

/// The same of a heading or of the words above a table, in which `Read only` is a workload and no operation that the time is of.
pub(crate) fn read_as(heading: &str, is_caption: bool) -> HeadingMeaning {
    let heading = heading.strip_prefix("Latency Distribution.").unwrap_or(heading);
    let of_ycsb = without_operation(heading);
    let heading = of_ycsb.as_deref().unwrap_or(heading);
    let of_clock = without_clock(heading);
    let heading = of_clock.as_deref().unwrap_or(heading);
    let of_preference = without_preference(heading);
    let heading = of_preference.as_deref().unwrap_or(heading);
    let of_means = without_spread(heading);
    let heading = of_means.as_deref().unwrap_or(heading);
    let of_pieces = with_scale_apart(heading);
    let heading = of_pieces.as_deref().unwrap_or(heading);
    let scaled = with_scale_in_words(heading);
    let original = words(scaled.as_deref().unwrap_or(heading));
    if original.len() > MOST_WORDS {
        return HeadingMeaning::Unknown;
    }
    match with_scale(heading, &original, is_caption) {
        // A price per transaction is no number of transactions.
        HeadingMeaning::Figure(..) if heading.contains(CURRENCIES) => HeadingMeaning::Named(STATISTIC),
        // `1543.2 tps` is a value.
        HeadingMeaning::Figure(..) if matches!(quantity::read(heading), CellContent::Number(_, Some(_), _)) => {
            HeadingMeaning::Named(STATISTIC)
        }
        HeadingMeaning::Figure(kind, ..)
            if is_rate(kind) && (heading.contains(SIGNS) || is_quotient(heading) || is_of_other_period(heading)) =>
        {
            HeadingMeaning::Named(STATISTIC)
        }
        HeadingMeaning::Unknown => {
            // With a name beside it, it may be a name as a whole: `MaxScale`.
            let of_words = words_apart(heading).map(|apart| read_as(&apart, is_caption));
            of_words.filter(|of| matches!(of, HeadingMeaning::Figure(_, _, None))).unwrap_or(HeadingMeaning::Unknown)
        }
        meaning => meaning,
    }
}

/// The meaning of the words, of those of a rate with its scale as the unit. A rate with a scale that is not understood is not read.
fn with_scale(heading: &str, original: &[String], is_caption: bool) -> HeadingMeaning {
    use HeadingMeaning::{Figure, Named};
    let plain = read_words(heading, original, is_caption);
    match &plain {
        Figure(_, Some("kilo" | "wan" | "mega"), _) => return plain,
        Figure(kind, ..) if !is_rate(*kind) => return plain,
        _ => {}
    }
    let scaled = scale::apart(original).map(|(rest, scale)| (read_words(heading, &rest, is_caption), scale));
    match scaled {
        Some((Figure(kind, Some("per-minute"), _), _)) if is_rate(kind) => Named(STATISTIC),
        Some((Figure(kind, _, of), scale)) if is_rate(kind) => Figure(kind, Some(scale), of),
        _ if matches!(plain, Figure(..)) && !is_caption && scale::says_scale(&lower(original)) => Named(STATISTIC),
        _ => plain,
    }
}

/// `Throughput [SF/h]`, `TPS per day`, `Throughput@Size`: per something else than a second or a minute.
fn is_of_other_period(heading: &str) -> bool {
    let text = half_width(heading).to_lowercase();
    let mut after = text.split('/').skip(1).map(str::trim_start);
    let is_long = |rest: &str| {
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        is_among(&rest[..end], "unit h") || is_among(&rest[..end], "of-long-period")
    };
    let in_words = || {
        let all = lower(&words(&text));
        let is = |two: &[String]| {
            is_among(&two[0], "per") && (is_among(&two[1], "unit h") || is_among(&two[1], "of-long-period"))
        };
        all.windows(2).any(is)
    };
    after.any(is_long) || text.contains("@size") || in_words()
}

/// Signs of a difference or a spread beside a rate.
const SIGNS: [char; 4] = ['∆', '±', '√', '%'];

/// `Price/tpmC`, `NOPM/W`: a rate over something else than a time, or a cost over a rate.
fn is_quotient(heading: &str) -> bool {
    let text = half_width(heading);
    let Some((above, below)) = text.split_once('/').filter(|(_, below)| !below.contains('/')) else { return false };
    if above.trim() == "1" {
        return true;
    }
    // `TPS/QPS`: either.
    if meaning(&lower(&words(&text)), |meaning| FigureKind::named(meaning).is_some()).is_some() {
        return false;
    }
    let (above, below) = (lower(&words(above)), lower(&words(below)));
    let is_rate_alone = |all: &[String]| matches!(figure(all), Some((kind, _)) if is_rate(kind));
    let (Some(last), Some(first)) = (above.last(), below.first()) else { return false };
    let is_period = is_among(first, "of-period") || is_among(first, "a-second");
    let is_cost = is_among(last, "of-cost") && is_rate_alone(&below[..1]);
    // Names of figures, and not what is counted: `Transactions/s`.
    let is_name = |word: &str| is_rate_alone(std::slice::from_ref(&word.to_owned())) && !is_among(word, "throughput");
    is_cost || (is_name(last) && !is_period)
}

const CURRENCIES: [char; 5] = ['$', '€', '£', '¥', '￥'];

fn read_words(heading: &str, original: &[String], is_caption: bool) -> HeadingMeaning {
    let all = lower(original);
    if let Some(name) = meaning(&all, |meaning| NAMED.contains(&meaning)) {
        return HeadingMeaning::Named(name);
    }
    if meaning(&all, |meaning| meaning == "goal").is_some() {
        return HeadingMeaning::Named(STATISTIC);
    }
    if let Some((kind, unit)) = figure(&all) {
        return HeadingMeaning::Figure(kind, unit, None);
    }
    // `kops/s`.
    if let [word, rest @ ..] = all.as_slice()
        && let Some(of) = word.strip_prefix('k')
        && let Some((kind, None)) = figure(&[&[of.to_owned()], rest].concat())
        && is_rate(kind)
    {
        return HeadingMeaning::Figure(kind, Some("kilo"), None);
    }
    // `MySQL version`.
    if let [_, .., last] = all.as_slice()
        && all.len() < 4
        && is_among(last, "of-version")
    {
        return HeadingMeaning::Named("axis");
    }
    if let Some((kind, unit)) = without_filler(heading, &all).and_then(|all| figure(&all)) {
        return HeadingMeaning::Figure(kind, unit, None);
    }
    let compares_alone = || matches!(all.as_slice(), [word] if is_among(word, "of-comparison-alone"));
    if all.iter().any(|word| is_among(word, COMPARISON)) || compares_alone() {
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
    match named_figure::read(original, &all, (is_per_minute(heading), is_caption)) {
        Some(HeadingMeaning::Figure(kind, unit, Some(of))) => {
            HeadingMeaning::Figure(kind, unit, Some(named_figure::as_written(heading, &of)))
        }
        read => read.unwrap_or(HeadingMeaning::Unknown),
    }
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

/// Whether a word of a heading is the name of a rate: `Throughput [SF/h]`.
pub fn has_word_of_rate(heading: &str) -> bool {
    let is_rate = |word: &String| matches!(figure(std::slice::from_ref(word)), Some((kind, _)) if is_rate(kind));
    lower(&words(heading)).iter().any(is_rate)
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

/// Whether the unit can be one of this figure.
pub fn suits(kind: FigureKind, unit: &str) -> bool {
    if unit == quantity::MEGA_OR_MINUTES {
        return kind.measure() != Measure::Milliseconds;
    }
    match kind.measure() {
        // No transaction takes minutes.
        Measure::Milliseconds => TIME_UNITS.contains(&unit) && unit != "min" && unit != "h",
        Measure::Seconds => TIME_UNITS.contains(&unit),
        Measure::Number => match unit {
            "per-second" | "per-minute" => {
                matches!(kind, FigureKind::Tps | FigureKind::Qps)
                    || (unit == "per-second" && kind == FigureKind::Unstated)
                    || (unit == "per-minute" && is_rate(kind))
            }
            "tps" => kind == FigureKind::Tps,
            "qps" => kind == FigureKind::Qps,
            "kilo" | "wan" | "mega" => is_rate(kind) || kind == FigureKind::Unstated,
            _ => false,
        },
    }
}

/// Whether words name a number of something in a second or minute, whatever is counted: `Errors per second`, `fsyncs/s`. A rate that is read
/// is to be ruled out before.
pub(crate) fn is_rate_of_other(text: &str) -> bool {
    let text = half_width(text).to_lowercase();
    let all = lower(&words(&text));
    let is_period = |word: &str| is_among(word, "of-period");
    let by_words = || all.windows(2).any(|two| is_among(&two[0], "per") && is_period(&two[1]));
    let by_sign = || {
        let mut after = text.split('/').skip(1).map(str::trim_start);
        after.any(|rest| is_period(&rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())]))
    };
    by_words() || by_sign() || has_part(&all.join(" "), "part-of-rate")
}

/// Whether words speak of something that is not read: a share, a comparison, bytes, errors per second.
pub fn says_other(text: &str) -> bool {
    let is_rate_of_other = || text.len() < LONGEST_SCALED && is_rate_of_other(text);
    says_share(text) || is_rate_of_other()
}

/// Whether words speak of a share, a comparison or bytes.
pub fn says_share(text: &str) -> bool {
    let is = |word: &String| word == "%" || ["share", "comparison"].iter().any(|of| is_among(word, of));
    let mut all = lower(&words(text));
    all.truncate(2 * MOST_WORDS);
    all.iter().any(is) || says_other_unit(&all)
}

/// Whether words name a unit that no figure has. Behind a number it is that of a size: `10M rows`, `100 GB`.
pub(crate) fn says_other_unit(all: &[String]) -> bool {
    let is_number = |at: Option<usize>| at.is_some_and(|at| all[at].starts_with(|c: char| c.is_ascii_digit()));
    let is_scale = |at: usize| at > 0 && scale::of_word(&all[at - 1]).is_some();
    let is_size = |at: usize| is_number(at.checked_sub(1)) || (is_scale(at) && is_number(at.checked_sub(2)));
    (0..all.len()).any(|at| is_among(&all[at], "other-unit") && !is_size(at))
}

#[cfg(test)]
thread_local! {
    /// How many times it was asked which figure words name.
    static ASKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A figure with its unit.
pub(crate) fn figure(all: &[String]) -> Option<(FigureKind, Option<&'static str>)> {
    #[cfg(test)]
    ASKED.set(ASKED.get() + 1);
    let named = |all: &[String]| {
        let name = meaning(all, |meaning| FigureKind::named(meaning).is_some());
        name.and_then(FigureKind::named).or_else(|| percentile(all)).or_else(|| composed(all))
    };
    if let Some(kind) = named(all) {
        return Some((kind, None));
    }
    // `kTPS`.
    let scaled = |word: &str| {
        let (sign, rest) = word.split_at_checked(1)?;
        let unit = [("k", "kilo"), ("m", "mega")].iter().find(|(letter, _)| *letter == sign)?.1;
        named(&[rest.to_owned()]).filter(|kind| is_rate(*kind)).map(|kind| (kind, Some(unit)))
    };
    if let [word] = all
        && let Some(figure) = scaled(word)
    {
        return Some(figure);
    }
    // A unit of one word or of two (per second), at the end.
    let at_end = (1..=2).filter(|length| *length < all.len()).find_map(|length| {
        let (name, of) = all.split_at(all.len() - length);
        let name = name.strip_suffix(&["in".to_owned()]).unwrap_or(name);
        let (kind, unit) = (named(name)?, unit(of)?);
        suits(kind, unit).then_some((kind, Some(unit)))
    });
    // A unit of time in the middle: `Latency (ms) p95`. A letter before a figure is a name: `S-Avg`.
    let within = || {
        let is_letter = |at: usize| at == 0 && all[0].chars().count() == 1;
        (0..all.len().saturating_sub(1)).filter(|at| !is_letter(*at)).find_map(|at| {
            let unit = unit(&all[at..=at])?;
            let kind = named(&[&all[..at], &all[at + 1..]].concat())?;
            (TIME_UNITS.contains(&unit) && suits(kind, unit)).then_some((kind, Some(unit)))
        })
    };
    at_end.or_else(within)
}

/// A name that is put together from words of several lists, in any order: `max lat`, `Transactions / second`, `number of sessions`.
fn composed(all: &[String]) -> Option<FigureKind> {
    if all.iter().any(|word| lists(word).is_empty()) {
        let [word] = all else { return None };
        return composed(&in_two(word)?);
    }
    let is = |word: &String, lists: &[&str]| lists.iter().any(|list| is_among(word, list));
    let count = |lists: &[&str]| all.iter().filter(|word| is(word, lists)).count();
    let only = |lists: &[&str]| all.iter().all(|word| word == "per" || is(word, lists));
    if all.len() > 1 && count(&["of-time"]) > 0 {
        for (of, kind) in [("of-mean", FigureKind::Mean), ("of-min", FigureKind::Min), ("of-max", FigureKind::Max)] {
            // `Avg Mean Latency`: of runs.
            let n = count(&[of]);
            if (n == 1 || (n == 2 && kind == FigureKind::Mean)) && only(&[of, "of-time"]) {
                return Some(kind);
            }
        }
    }
    if let [what, .., last] = all
        && is(last, &["a-second"])
    {
        for (of, kind) in [("of-transaction", FigureKind::Tps), ("of-query", FigureKind::Qps)] {
            if is(what, &[of]) && only(&[of, "a-second"]) && count(&["a-second"]) == 1 {
                return Some(kind);
            }
        }
    }
    // Threads per client are not all of them.
    let is_part = all.iter().any(|word| is_among(word, "per"));
    let of_clients =
        !is_part && count(&["of-client", "clients"]) > 0 && only(&["of-client", "clients", "client-filler", "of-tool"]);
    of_clients.then_some(FigureKind::Clients)
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
            ("レスポンスタイム平均(ms)", figure(Mean, Some("ms"))),
            ("응답시간평균", figure(Mean, None)),
            ("Durchschnittslatenz (ms)", figure(Mean, Some("ms"))),
            ("Mittl. Latenz [ms]", figure(Mean, Some("ms"))),
            ("Latenz (Mittel)", figure(Mean, None)),
            ("MySQL 8.0 95%", HeadingMeaning::Figure(Percentile(9500), None, Some("MySQL 8.0".into()))),
            ("A機 TPS", HeadingMeaning::Figure(Tps, None, Some("A機".into()))),
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
    }

    #[test]
    fn a_text_of_unknown_words_is_read_once_and_in_few_steps() {
        let steps = |text: &str| {
            let before = ASKED.get();
            assert_eq!(read(text), HeadingMeaning::Unknown, "{text}");
            ASKED.get() - before
        };
        let words = "ubi sunt qui ante nos in mundo fuere vadite ad superos transite ad inferos";
        let first = steps(words);
        assert!((1..100).contains(&first), "{first}");
        assert_eq!(steps(words), 0);
    }
}
