//! Words that stand beside a figure in a heading: what they say of it, and whether they may be a name.

use crate::percentile::is_percentile;
use crate::words::{half_width, has_part, is_among, lower, unit, words};

/// Units of time.
pub const TIME_UNITS: &[&str] = &["ns", "us", "ms", "s", "min", "h"];

/// A statistic of times without the words that say of what: `average query time (ms)`. `avg ops/s` is that of a rate.
pub fn without_filler(heading: &str, all: &[String]) -> Option<Vec<String>> {
    let is = |word: &String, lists: &[&str]| lists.iter().any(|list| is_among(word, list));
    let is_unit = |word: &String| unit(std::slice::from_ref(word)).is_some_and(is_of_time) && !is(word, &["of-min"]);
    let is_time = |word: &String| is(word, &["of-time"]) || is_unit(word);
    let says = |word: &String| is(word, &["of-mean", "of-min", "of-max", "median"]) || is_percentile(word);
    if !all.iter().any(says) || !all.iter().any(is_time) || counts_in_a_time(heading, all) {
        return None;
    }
    let is_filler = |word: &&String| is(word, &["of-response", "of-transaction", "of-query"]) && !is_time(word);
    let rest: Vec<String> = all.iter().filter(|word| !is_filler(word)).cloned().collect();
    (rest.len() < all.len()).then_some(rest)
}

/// Whether words count transactions or queries in a time, and are of no response time: `max tx/s`, `avg_ops_sec`, but not `avg query (s)`.
fn counts_in_a_time(heading: &str, all: &[String]) -> bool {
    let is_counted = |word: &str| is_among(word, "of-transaction") || is_among(word, "of-query");
    let is_period = |word: &str| is_among(word, "a-second") || is_among(word, "of-period");
    // A unit that stands directly behind several of them, `ops_sec`; one query has a time.
    let are_several = |word: &str| word.ends_with('s') || word == "tx";
    let text = half_width(heading).to_lowercase();
    let stand_together = |one: &str, other: &str| {
        let mut behind = text.match_indices(one).map(|(at, _)| &text[at + one.len()..]);
        behind.any(|rest| rest.trim_start_matches([' ', '_', '-', '.']).starts_with(other))
    };
    let is = |at: usize| {
        let (one, after) = (&all[at], &all[at + 1..]);
        match after {
            [per, period, ..] if is_among(per, "per") && is_period(period) => true,
            [period, ..] if is_period(period) => {
                stand_together(one, "/") || (are_several(one) && stand_together(one, period))
            }
            _ => false,
        }
    };
    let says_latency = all.iter().any(|word| is_among(word, "of-latency"));
    !says_latency && (0..all.len()).any(|at| is_counted(&all[at]) && is(at))
}

fn is_of_time(unit: &str) -> bool {
    TIME_UNITS.contains(&unit)
}

/// Whether words beside a statistic say that it is no response time: `Max connections`. With a number they are a name: `16 cores`.
pub fn is_of_thing(others: &[String]) -> bool {
    // `binlog off` is what was compared.
    const STATES: [&str; 6] = ["on", "off", "enabled", "disabled", "with", "without"];
    if others.iter().any(|word| STATES.contains(&word.as_str())) {
        return false;
    }
    // `Load average (1m)`.
    const PERIODS: [&str; 5] = ["1m", "5m", "15m", "1min", "5min"];
    let is_number = |word: &String| word.contains(|c: char| c.is_ascii_digit()) && !PERIODS.contains(&word.as_str());
    let is_load =
        others.iter().any(|word| word == "load") && others.iter().any(|word| PERIODS.contains(&word.as_str()));
    let is_thing = is_load || others.iter().any(|word| is_among(word, "of-thing"));
    is_thing && !others.iter().any(is_number)
}

/// Whether words beside the only rate of a table may be the name of what was measured, and not a word for a part or a statistic of it:
/// names have capital letters or digits, are known, or are those of workloads.
pub fn may_be_name(name: &str) -> bool {
    let is_known = |word: &String| {
        let word = word.to_lowercase();
        let lists =
            ["of-product", "of-name", "of-own-workload", "of-operation", "of-transaction", "of-query", "workload"];
        let more = ["a-second", "target", "axis", "of-client", "clients", "client-filler"];
        lists.iter().chain(&more).any(|of| is_among(&word, of))
    };
    let is_name = |word: &String| word.contains(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
    words(name).iter().any(|word| is_name(word) || is_known(word))
}

/// Whether a heading says that it is of response times.
pub fn says_latency(heading: &str) -> bool {
    lower(&words(heading)).iter().any(|word| is_among(word, "of-latency"))
}

/// Whether this is `Throughput`, which does not say of what.
pub fn is_general_rate(heading: &str) -> bool {
    let all = lower(&words(heading));
    !all.is_empty() && all.iter().all(|word| is_among(word, "throughput") || is_among(word, "of-mean"))
}

/// The name and the unit of a heading that ends with a unit of time in brackets or behind a comma: `InnoDB (ms)`.
pub fn with_unit_of_time(heading: &str) -> Option<(String, &'static str)> {
    let text = half_width(heading);
    let text = text.trim().trim_end_matches([')', ']']);
    let (name, of) = text.rsplit_once(['(', '[', ','])?;
    let unit = unit(&lower(&words(of))).filter(|unit| is_of_time(unit))?;
    let name = name.trim().to_owned();
    (!name.is_empty() && !name.contains(['(', '['])).then_some((name, unit))
}

/// Whether a name before a unit of time says only what the time is of, and names nothing that was compared: `load time`, `per query`, `wall clock`.
pub fn is_of_time_alone(name: &str) -> bool {
    const LISTS: [&str; 12] = [
        "of-time",
        "of-duration",
        "of-other-time",
        "of-work",
        "of-whole",
        "of-mean",
        "of-query",
        "of-response",
        "of-transaction",
        "of-client",
        "clients",
        "seconds",
    ];
    const PARTS: [&str; 3] = ["part-of-time", "part-of-each", "part-of-other-time"];
    let is = |word: &String| {
        word == "per"
            || word.bytes().all(|b| b.is_ascii_digit())
            || LISTS.iter().any(|of| is_among(word, of))
            || (!word.is_ascii() && PARTS.iter().any(|of| has_part(word, of)))
    };
    let all = lower(&words(name));
    !all.is_empty() && all.iter().all(is)
}

/// Whether a heading ends with a unit of time that nothing separates from it, or that is a word of its own: `msec`.
pub fn ends_with_unit_of_time(heading: &str) -> bool {
    let all = lower(&words(heading));
    let Some(last) = all.last() else { return false };
    let is_unit = |word: &str| unit(&[word.to_owned()]).is_some_and(is_of_time);
    match last.is_ascii() {
        true => last.len() > 1 && !is_among(last, "of-min") && is_unit(last),
        false => last.char_indices().skip(1).any(|(at, _)| is_unit(&last[at..])),
    }
}

/// Whether a name is that of one measurement of several: `Run 2`.
pub fn is_repeat(name: &str) -> bool {
    let all = lower(&words(name));
    let is_number = |word: &&String| word.bytes().all(|b| b.is_ascii_digit());
    let numbers = all.iter().filter(is_number).count();
    let is_of_repeat = |word: &String| is_among(word, "of-repeat");
    all.len() <= 4 && numbers == 1 && all.len() > 1 && all.iter().all(|word| is_number(&word) || is_of_repeat(word))
}

/// Whether a heading says that its column compares others.
pub fn compares(heading: &str) -> bool {
    heading.contains(" - ")
        || heading.contains('∆')
        || lower(&words(heading)).iter().any(|word| is_among(word, "comparison"))
}

/// Whether a heading says that its times are how long something took, and no times of day.
pub fn says_duration(heading: &str) -> bool {
    lower(&words(heading)).iter().any(|word| is_among(word, "of-duration"))
}

/// Whether a heading is above names of workloads: `Test scenario`, but not `Test server`.
pub fn says_workload(heading: &str) -> bool {
    let all = lower(&words(heading));
    let joined = all.join(" ");
    let says = all.iter().any(|word| is_among(word, "of-workload")) || has_part(&joined, "part-of-workload");
    let is_other =
        |word: &String| is_among(word, "target") || (is_among(word, "of-name") && !is_among(word, "of-either"));
    says && !all.iter().any(is_other) && !has_part(&joined, "part-of-measured")
}

/// Whether a heading is one above units: `Unit`.
pub fn is_of_units(heading: &str) -> bool {
    matches!(&lower(&words(heading))[..], [word] if is_among(word, "of-unit"))
}

/// Whether a heading says that clients wait between their transactions: `think time (ms)`.
pub fn says_pause(heading: &str) -> bool {
    lower(&words(heading)).iter().any(|word| is_among(word, "of-pause"))
}
