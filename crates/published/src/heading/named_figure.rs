//! Headings of a figure and the name of what has it: `RDS TPS`, `TPS (RDS 8.0)`, `fusionio_p99_ms`.

use super::{HeadingMeaning, INTENDED, STATISTIC, figure, is_rate, may_stand_beside_a_target, says_other_unit, suits};
use crate::beside::{TIME_UNITS, is_of_thing};
use crate::figure_kind::{FigureKind, Measure};
use crate::percentile::is_percentile;
use crate::words::{has_part, is_among, is_known, lower, meaning, unit, words};

/// The longest part that names a rate, or else another figure; the rest is the target, if it can be the name of one.
pub(crate) fn read(original: &[String], all: &[String], flags: (bool, bool)) -> Option<HeadingMeaning> {
    let parts = parts(all);
    let of = |wanted: fn(FigureKind) -> bool| {
        let mut parts = parts.iter().filter(|part| wanted(part.kind));
        parts.find_map(|part| beside(original, all, flags, part))
    };
    of(is_rate).or_else(|| of(|kind| !is_rate(kind)))
}

/// Words of a heading that name a figure, with its unit.
struct HeadingPart {
    start: usize,
    length: usize,
    kind: FigureKind,
    unit: Option<&'static str>,
}

/// The parts of a heading that name figures, the longest first. One with a word that is in no name cannot.
fn parts(all: &[String]) -> Vec<HeadingPart> {
    let known: Vec<bool> = all.iter().map(|word| is_known(word)).collect();
    let places = (1..all.len()).rev().flat_map(|length| (0..=all.len() - length).map(move |start| (start, length)));
    let may_be =
        |(start, length): &(usize, usize)| *length == 1 || known[*start..start + length].iter().all(|known| *known);
    let one = |(start, length): (usize, usize)| {
        let (kind, unit) = figure(&all[start..start + length])?;
        may_stand_beside_a_target(kind).then_some(HeadingPart { start, length, kind, unit })
    };
    places.filter(may_be).filter_map(one).collect()
}

/// What a heading means if this part of it names its figure; `None` if it does not.
fn beside(
    original: &[String],
    all: &[String],
    (per_minute, is_caption): (bool, bool),
    part: &HeadingPart,
) -> Option<HeadingMeaning> {
    let HeadingPart { start, length, kind, unit } = *part;
    if per_minute && kind == FigureKind::Min {
        return None;
    }
    let slice = &all[start..start + length];
    let is_beside = |at: &usize| !(start..start + length).contains(at);
    let beside: Vec<String> = (0..all.len()).filter(is_beside).map(|at| all[at].clone()).collect();
    // `Throughput (NOPM)`: the other word says which rate.
    let is_general = |words: &[String]| matches!(words, [word] if is_among(word, "throughput"));
    if is_general(slice) && names_rate(&beside) {
        return None;
    }
    // `Throughput (tok/s)`: what is counted in a second is none of both.
    if is_general(slice) && !is_caption && counts_something_else(&beside) {
        return Some(HeadingMeaning::Named(STATISTIC));
    }
    // `tpmC (transactions per minute)`: the words say what the abbreviation counts.
    if length > 1 && is_rate(kind) && beside.iter().any(|word| is_abbreviation_of_other(word, kind)) {
        return None;
    }
    // `p95 (95th percentile)`: twice the same.
    if let Some((_, other)) = figure(&beside).filter(|(of, _)| *of == kind) {
        return Some(HeadingMeaning::Figure(kind, unit.or(other), None));
    }
    let is_rest = |at: &usize| is_beside(at) && !says_again(all, *at, kind);
    let others: Vec<String> = (0..all.len()).filter(is_rest).map(|at| all[at].clone()).collect();
    // `95% CI`, `95% read`: no percentile, unless something says that it is a time.
    let by_sign = slice.iter().any(|word| word == "%") && !slice.iter().any(|word| is_percentile(word));
    let is_time = all.iter().any(|word| is_among(word, "of-time") || is_among(word, "percentile-sign"));
    // `5.7 95%` is that of a version, `MySQL 8.0 95%` that of a server.
    let of_version = !others.is_empty() && others.iter().all(|word| is_version(word) || is_among(word, "of-server"));
    if matches!(kind, FigureKind::Percentile(_)) && by_sign && !is_time && !of_version && unit.is_none() {
        return Some(HeadingMeaning::Named(STATISTIC));
    }
    let of_operation = !is_caption && kind.measure() == Measure::Milliseconds && is_of_operation(&others);
    // `Max connections`; words above a table may also say with which: `Max latency, 64 connections`.
    let says_time = unit.is_some() || all.iter().any(|word| is_among(word, "of-time"));
    let of_thing = kind.measure() == Measure::Milliseconds && is_of_thing(&others) && (!is_caption || !says_time);
    if of_operation || of_thing || says_other_unit(&others) {
        return Some(HeadingMeaning::Named(STATISTIC));
    }
    // Transactions are not divided: `Read TPS` is that of a workload.
    if kind == FigureKind::Qps && !is_caption && is_of_part(&others) {
        return Some(HeadingMeaning::Named(STATISTIC));
    }
    let is_intended = |word: &String| is_among(word, "of-intention");
    let says_intended =
        others.iter().any(is_intended) && others.iter().all(|word| is_intended(word) || is_among(word, "throughput"));
    // A load test, above a table, has rates that were measured.
    let says_load = is_caption && others.iter().any(|word| ["load", "request", "requested"].contains(&word.as_str()));
    if is_rate(kind) && says_intended && !says_load {
        return Some(HeadingMeaning::Named(INTENDED));
    }
    const NO_NAME: [&str; 5] = ["of-mean", "of-value", "of-whole", "of-achievement", "throughput"];
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
    Some(HeadingMeaning::Figure(kind, unit, Some(name.join(" ")).filter(|name| !name.is_empty())))
}

/// Whether the words before that for a period, if it is the last one, name what is counted in it, and neither transactions nor statements.
fn counts_something_else(words: &[String]) -> bool {
    const COUNTED: [&str; 8] =
        ["of-transaction", "of-query", "of-operation", "of-counter", "of-own-workload", "of-mean", "of-whole", "per"];
    let Some((last, counted)) = words.split_last().filter(|(_, counted)| !counted.is_empty()) else { return false };
    let is = |word: &String| {
        COUNTED.iter().any(|of| is_among(word, of))
            || ["events", "iterations"].contains(&word.as_str())
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    is_among(last, "a-second") && !counted.iter().any(is)
}

/// The name as the heading has it, with the signs between its words: `r5.large`, `node-pg`, `workers=2`.
pub(super) fn as_written(heading: &str, name: &str) -> String {
    const SIGNS: &str = " ._-=+:@#/&";
    let slice = || {
        let mut words = name.split(' ');
        let first = words.next()?;
        let start = heading.find(first)?;
        let mut end = start + first.len();
        for word in words {
            let is_sign = |gap: &usize| *gap == 0 || (*gap == 1 && SIGNS.contains(&heading[end..=end]));
            let gap = heading[end..].find(word).filter(is_sign)?;
            end += gap + word.len();
        }
        heading.get(start..end)
    };
    slice().unwrap_or(name).to_owned()
}

/// Whether a word beside a rate says again what it counts and in which time, or that rate itself: `TPS (transactions per second)`, `Query QPS`.
fn says_again(all: &[String], at: usize, kind: FigureKind) -> bool {
    if !is_rate(kind) {
        return false;
    }
    // `tpmC (NewOrders)`.
    if kind == FigureKind::Nopm && ["new", "order", "orders", "neworder", "neworders"].contains(&all[at].as_str()) {
        return true;
    }
    let counted = if kind == FigureKind::Qps { "of-query" } else { "of-transaction" };
    let is = |at: Option<usize>, of: &str| at.and_then(|at| all.get(at)).is_some_and(|word| is_among(word, of));
    let is_per = |at: Option<usize>| is(at, "per");
    let is_period = |at: Option<usize>| is(at, "a-second") || is(at, "of-period");
    let (before, this, after) = (at.checked_sub(1), Some(at), Some(at + 1));
    let is_same = || figure(&all[at..=at]).is_some_and(|(other, _)| other == kind);
    is(this, counted)
        || (is_per(this) && is_period(after))
        || (is_period(this) && (is(before, counted) || is_per(before)))
        || has_part(&all[at], "part-of-rate")
        || is_same()
}

/// Whether a word is the abbreviation of a rate of transactions, where its words alone could be those of this one.
fn is_abbreviation_of_other(word: &str, kind: FigureKind) -> bool {
    let rate = figure(&[word.to_owned()]).map(|(kind, _)| kind);
    matches!((rate, kind), (Some(FigureKind::Nopm), FigureKind::Tpm) | (Some(FigureKind::Tps), FigureKind::Qps))
        && !is_among(word, "throughput")
}

/// Whether words make a time that of one operation, and not of a workload: `Read`, but not `Read only` and `Read write`.
fn is_of_operation(others: &[String]) -> bool {
    let has = |name: &str| others.iter().any(|word| word == name);
    let is_workload = others.iter().any(|word| is_among(word, "of-own-workload")) || (has("read") && has("write"));
    !is_workload && others.iter().any(|word| is_among(word, "of-operation"))
}

/// `5.7`.
pub(crate) fn is_version(word: &str) -> bool {
    word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// The unit of time that the last of these words are, if they are the last of all, and their number.
fn unit_behind(all: &[String], rest: &[usize]) -> Option<(&'static str, usize)> {
    (1..=2).rev().find_map(|length| {
        let from = all.len().checked_sub(length)?;
        let is_last = rest.len() > length && rest[rest.len() - length..].iter().copied().eq(from..all.len());
        let unit = unit(&all[from..]).filter(|unit| TIME_UNITS.contains(unit) && *unit != "min")?;
        is_last.then_some((unit, length))
    })
}

/// Whether a name beside a figure is that of an operation, or of a transaction of TPC-C: `Read`, `New-Order`.
pub fn is_operation(name: &str) -> bool {
    let all = lower(&words(name));
    is_of_part(&all) || is_of_tpcc(name)
}

/// Whether a name is that of a transaction of TPC-C: `New-Order`.
pub fn is_of_tpcc(name: &str) -> bool {
    meaning(&lower(&words(name)), |meaning| meaning == "of-tpcc").is_some()
}

/// Whether a name is of a mix of operations beside others of one: `Read/Write`, `Mixed`.
pub fn is_mix(name: &str) -> bool {
    let all = lower(&words(name));
    let is = |word: &String| ["of-operation", "of-own-workload"].iter().any(|of| is_among(word, of));
    !all.is_empty() && all.iter().all(is)
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

/// A word that says what is counted, or which statistic it is, and so is no part of a target's name.
fn is_statistic(word: &str) -> bool {
    is_percentile(word)
        || ["of-statistic", "of-mean", "min", "max", "percentile"].iter().any(|of| is_among(word, of))
        || (!word.is_ascii() && has_part(word, "part-of-each-core"))
}
