//! What the heading of a column means.

use crate::beside::{TIME_UNITS, is_of_thing, without_filler};
use crate::figure_kind::{FigureKind, Measure};
use crate::percentile::{is_percentile, percentile};
use crate::quantity::{self, CellContent};
use crate::scale;
use crate::spelling::{LONGEST_SCALED, with_scale_in_words, without_clock, without_preference};
use crate::words::{half_width, has_part, is_among, lower, meaning, unit, words};

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

/// What a heading means.
pub fn read(heading: &str) -> HeadingMeaning {
    read_as(heading, false)
}

/// What a heading means beside these others: `Load (min)` is a number of minutes, unless `Load (max)` stands there too.
pub fn read_beside<'h>(heading: &str, others: impl Iterator<Item = &'h str> + Clone) -> HeadingMeaning {
    if is_count_of_operations(heading, others.clone()) || is_goal_beside_result(heading, others.clone()) {
        return HeadingMeaning::Named(STATISTIC);
    }
    match read(in_minutes(heading, others.clone()).as_deref().unwrap_or(heading)) {
        HeadingMeaning::Figure(kind, Some("mega"), None) if scale::is_size(heading, others) => {
            HeadingMeaning::Figure(kind, None, Some("M".to_owned()))
        }
        meaning => meaning,
    }
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
    if !is_either || of.is_empty() || of.len() > MOST_WORDS || of.iter().any(|word| is_among(word, "of-latency")) {
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
    let of_clock = without_clock(heading);
    let heading = of_clock.as_deref().unwrap_or(heading);
    let of_preference = without_preference(heading);
    let heading = of_preference.as_deref().unwrap_or(heading);
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
        HeadingMeaning::Figure(kind, ..) if is_rate(kind) && (heading.contains(SIGNS) || is_quotient(heading)) => {
            HeadingMeaning::Named(STATISTIC)
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

/// Signs of a difference or a spread beside a rate.
const SIGNS: [char; 4] = ['∆', '±', '√', '%'];

/// `Price/tpmC`, `NOPM/W`: a rate over something else than a time, or a cost over a rate.
fn is_quotient(heading: &str) -> bool {
    let text = half_width(heading);
    let Some((above, below)) = text.split_once('/').filter(|(_, below)| !below.contains('/')) else { return false };
    if above.trim() == "1" {
        return true;
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
    beside(original, &all, (is_per_minute(heading), is_caption)).unwrap_or(HeadingMeaning::Unknown)
}

/// The longest part that names a rate, or else another figure; the rest is the target, if it can be the name of one.
fn beside(original: &[String], all: &[String], flags: (bool, bool)) -> Option<HeadingMeaning> {
    let of = |wanted: fn(FigureKind) -> bool| part(original, all, flags, wanted);
    of(is_rate).or_else(|| of(|kind| !is_rate(kind)))
}

fn part(
    original: &[String],
    all: &[String],
    (per_minute, is_caption): (bool, bool),
    wanted: fn(FigureKind) -> bool,
) -> Option<HeadingMeaning> {
    for length in (1..all.len()).rev() {
        for start in 0..=all.len() - length {
            let Some((kind, unit)) = figure(&all[start..start + length]) else { continue };
            if !wanted(kind) || !may_stand_beside_a_target(kind) || (per_minute && kind == FigureKind::Min) {
                continue;
            }
            let is_rest = |at: &usize| !(start..start + length).contains(at);
            let others: Vec<String> = (0..all.len()).filter(is_rest).map(|at| all[at].clone()).collect();
            // `Throughput (NOPM)`: the other word says which rate.
            let is_general = |words: &[String]| matches!(words, [word] if is_among(word, "throughput"));
            if is_general(&all[start..start + length]) && names_rate(&others) {
                continue;
            }
            // `95% CI`, `95% read`: no percentile, unless something says that it is a time.
            let slice = &all[start..start + length];
            let by_sign = slice.iter().any(|word| word == "%") && !slice.iter().any(|word| is_percentile(word));
            let is_time = all.iter().any(|word| is_among(word, "of-time") || is_among(word, "percentile-sign"));
            // `5.7 95%` is that of a version.
            let of_version = !others.is_empty() && others.iter().all(|word| is_version(word));
            if matches!(kind, FigureKind::Percentile(_)) && by_sign && !is_time && !of_version && unit.is_none() {
                return Some(HeadingMeaning::Named(STATISTIC));
            }
            let of_operation = !is_caption && kind.measure() == Measure::Milliseconds && is_of_operation(&others);
            let of_thing = kind.measure() == Measure::Milliseconds && !is_caption && is_of_thing(&others);
            if of_operation || of_thing || says_other_unit(&others) {
                return Some(HeadingMeaning::Named(STATISTIC));
            }
            // Transactions are not divided: `Read TPS` is that of a workload.
            if kind == FigureKind::Qps && !is_caption && is_of_part(&others) {
                return Some(HeadingMeaning::Named(STATISTIC));
            }
            let is_intended = |word: &String| is_among(word, "of-intention");
            let says_intended = others.iter().any(is_intended)
                && others.iter().all(|word| is_intended(word) || is_among(word, "throughput"));
            if is_rate(kind) && !is_caption && says_intended {
                return Some(HeadingMeaning::Named(INTENDED));
            }
            const NO_NAME: [&str; 4] = ["of-mean", "of-whole", "of-achievement", "throughput"];
            const OF_TIME: [&str; 4] = ["of-response", "of-transaction", "of-query", "of-latency"];
            let no_name: &[&str] = if is_rate(kind) { &NO_NAME } else { &OF_TIME };
            let is_of_rate = |at: &usize| no_name.iter().any(|of| is_among(&all[*at], of));
            let rest: Vec<usize> = (0..all.len()).filter(is_rest).filter(|at| !is_of_rate(at)).collect();
            if rest.iter().any(|at| is_statistic(&all[*at])) {
                return Some(HeadingMeaning::Named(STATISTIC));
            }
            // `log(TPS)`, `TPS index`; `Index TPS` is that of a workload.
            let is_function = |at: usize| match all[at].as_str() {
                "log" => at + 1 == start,
                "index" => at == start + length,
                _ => false,
            };
            if is_rate(kind) && matches!(rest[..], [only] if is_function(only)) {
                return Some(HeadingMeaning::Named(STATISTIC));
            }
            // `Latency 5.7 (µs)`: the unit behind the name.
            let (unit, rest) = match unit_behind(all, &rest).filter(|_| unit.is_none() && !is_rate(kind)) {
                Some((unit, length)) if suits(kind, unit) => (Some(unit), rest[..rest.len() - length].to_vec()),
                _ => (unit, rest),
            };
            let name: Vec<&str> = rest.iter().map(|at| original[*at].as_str()).collect();
            return Some(HeadingMeaning::Figure(kind, unit, Some(name.join(" ")).filter(|name| !name.is_empty())));
        }
    }
    None
}

/// Whether words make a time that of one operation, and not of a workload: `Read`, but not `Read only` and `Read write`.
fn is_of_operation(others: &[String]) -> bool {
    let has = |name: &str| others.iter().any(|word| word == name);
    let is_workload = others.iter().any(|word| is_among(word, "of-own-workload")) || (has("read") && has("write"));
    !is_workload && others.iter().any(|word| is_among(word, "of-operation"))
}

/// `5.7`.
fn is_version(word: &str) -> bool {
    word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// The unit of time that the last of these words are, if they are the last of all, and their number.
fn unit_behind(all: &[String], rest: &[usize]) -> Option<(&'static str, usize)> {
    (1..=2).rev().find_map(|length| {
        let from = all.len().checked_sub(length)?;
        let is_last = rest.len() > length && rest[rest.len() - length..].iter().copied().eq(from..all.len());
        let found = unit(&all[from..]).filter(|unit| TIME_UNITS.contains(unit) && *unit != "min")?;
        is_last.then_some((found, length))
    })
}

/// Whether a name beside a figure is that of an operation: `Read`.
pub fn is_operation(name: &str) -> bool {
    is_of_part(&lower(&words(name)))
}

/// Whether these words beside a rate make it that of a part of the queries: `Read QPS`, and not `Read only QPS` or `Point select QPS`,
/// which are workloads.
fn is_of_part(others: &[String]) -> bool {
    let is = |of: &str| others.iter().filter(|word| is_among(word, of)).count();
    // Reads and writes are all of them.
    is("of-operation") == 1 && is("of-own-workload") == 0 && others.len() == 1
}

/// Whether some of these words name a rate.
fn names_rate(all: &[String]) -> bool {
    let of = |length: usize| all.windows(length).any(|words| figure(words).is_some_and(|(kind, _)| is_rate(kind)));
    (1..=all.len()).any(of)
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
    is_percentile(word) || ["of-statistic", "of-mean", "min", "max", "percentile"].iter().any(|of| is_among(word, of))
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
                matches!(kind, FigureKind::Tps | FigureKind::Qps) || (unit == "per-minute" && is_rate(kind))
            }
            "tps" => kind == FigureKind::Tps,
            "qps" => kind == FigureKind::Qps,
            "kilo" | "wan" | "mega" => is_rate(kind),
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

/// A figure with its unit.
fn figure(all: &[String]) -> Option<(FigureKind, Option<&'static str>)> {
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
        && let Some(found) = scaled(word)
    {
        return Some(found);
    }
    // A unit of one word or of two (per second), at the end.
    let at_end = (1..=2).filter(|length| *length < all.len()).find_map(|length| {
        let (name, of) = all.split_at(all.len() - length);
        let name = name.strip_suffix(&["in".to_owned()]).unwrap_or(name);
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

/// A name that is put together from words of several lists, in any order: `max lat`, `Transactions / second`, `number of sessions`.
fn composed(all: &[String]) -> Option<FigureKind> {
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
        !is_part && count(&["of-client", "clients"]) > 0 && only(&["of-client", "clients", "client-filler"]);
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
}
