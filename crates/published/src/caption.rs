//! Words above or below a table that say what it is: `Table 1: QPS`, `Unit: ms`.

use crate::beside::TIME_UNITS;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{
    self, COMPARISON, HeadingMeaning, INTENDED, MOST_WORDS, STATISTIC, in_minutes, is_rate_of_other,
    may_stand_beside_a_target, read_as, says_other_unit, says_time,
};
use crate::percentile::is_percentile;
use crate::scale;
use crate::words::{half_width, has_part, is_among, lower, meaning, unit, words};

/// A longer line is a sentence.
const LONGEST: usize = 120;
/// A longer note is not only of a unit.
const LONGEST_UNIT: usize = 40;

/// Whether a line begins as what a table is called: `Table 1: …`.
pub(crate) fn is_label(line: &str) -> bool {
    after_label(line).is_some() && line.chars().count() <= LONGEST
}

/// Whether a line is a note on the unit of a table: `単位: ms`, `All latencies in µs`.
pub(crate) fn is_of_unit(line: &str) -> bool {
    let all = lower(&words(line));
    let says_unit =
        || all.iter().any(|word| is_among(word, "of-unit")) || all.first().is_some_and(|first| first == "all");
    line.chars().count() <= LONGEST_UNIT && says_unit() && unit_of_time(line).is_some()
}

/// Whether a line says only of which rate the figures above it are: `All values are queries per second.`, `TPS (higher is better)`.
pub(crate) fn is_of_rate(line: &str) -> bool {
    let line = line.trim_matches(|c: char| c.is_whitespace() || "*_.。".contains(c));
    if line.chars().count() > LONGEST {
        return false;
    }
    let names = [" are ", " is ", " in "].iter().find_map(|between| {
        let (before, rate) = line.split_once(between)?;
        lower(&words(before)).iter().all(|word| is_among(word, "of-note")).then_some(rate)
    });
    let is_rate =
        |text: &str| matches!(heading::read(text), HeadingMeaning::Figure(kind, _, None) if heading::is_rate(kind));
    // `TPS in thousands, latency in seconds.`
    let is_list = || {
        let mut all = clauses(line);
        let is_better = |clause: &str| clause.to_lowercase().ends_with("er is better");
        all.next().is_some_and(is_rate) && all.all(|clause| unit_of_clause(clause).is_some() || is_better(clause))
    };
    is_rate(names.unwrap_or(line)) || is_list()
}

/// The figure that a caption names, for tables whose columns are targets.
pub fn of_caption(caption: &str) -> Option<(FigureKind, Option<&'static str>)> {
    // `Average number of seconds to run all queries`: times of whole runs.
    if lower(&words(caption)).windows(3).any(|three| three == ["seconds", "to", "run"]) {
        return Some((FigureKind::MeanSeconds, Some("s")));
    }
    // Of a heading and the words below it the latter say it, if they do; the unit may be in the former.
    let whole = figure_of_caption(caption);
    let last = caption.rsplit_once(": ").and_then(|(_, last)| figure_of_caption(last));
    match (last, whole) {
        (Some((kind, None)), Some((of_whole, unit))) if kind == of_whole => Some((kind, unit)),
        (last, whole) => last.or(whole),
    }
}

/// The parts of a caption that may say something of a column each: `TPS in thousands; latencies are in seconds`.
fn clauses(caption: &str) -> impl Iterator<Item = &str> {
    caption.split([';', '；', ',', '，', '、', '。', ':', '：']).map(str::trim).filter(|clause| !clause.is_empty())
}

/// The scale that a caption, or a clause of it, names, with the rate that it is of, if it says that: `All TPS figures are in thousands`, `Unit: thousand`.
pub(crate) fn scale_of_rate(caption: &str) -> Option<(Option<FigureKind>, &'static str)> {
    // A bare letter may be a name.
    let is_letter = |text: &str| words(text).last().is_some_and(|last| last == "M");
    // What is left over are names, or words of such a sentence: `We saw thousands of queries per second` says nothing of the columns.
    const LISTS: [&str; 6] = ["of-note", "of-sentence", "of-caption", "of-unit", "of-product", "of-own-workload"];
    let is_known = |word: &String| {
        let of_name = |c: char| c.is_uppercase() || c.is_ascii_digit() || !c.is_ascii();
        word.contains(of_name) || LISTS.iter().any(|of| is_among(&word.to_lowercase(), of))
    };
    let of = |text: &str| match read_as(text, true) {
        HeadingMeaning::Figure(kind, Some(scale @ ("kilo" | "wan" | "mega")), rest) => {
            let is_it = heading::is_rate(kind) && !is_letter(text);
            (is_it && words(rest.as_deref().unwrap_or("")).iter().all(is_known)).then_some((Some(kind), scale))
        }
        _ => None,
    };
    let of_line = |(at, sign): (usize, &str)| scale_alone(&caption[at + sign.len()..]);
    let alone =
        || scale_alone(caption).or_else(|| caption.match_indices(": ").find_map(of_line)).map(|scale| (None, scale));
    of(caption).or_else(|| clauses(caption).find_map(of)).or_else(alone)
}

/// The scale of a line that says nothing else of the values below it, but says that it is of them: `Values in thousands`.
fn scale_alone(line: &str) -> Option<&'static str> {
    let (of_values, others): (Vec<String>, Vec<String>) = lower(&words(line))
        .into_iter()
        .filter(|word| !is_among(word, "of-scale") && !is_among(word, "of-sentence"))
        .partition(|word| is_among(word, "of-note") || is_among(word, "of-unit"));
    match others.as_slice() {
        [scale] if !of_values.is_empty() => scale::of_word(scale),
        _ => None,
    }
}

fn figure_of_caption(caption: &str) -> Option<(FigureKind, Option<&'static str>)> {
    let stripped = without_repeats(caption);
    let caption = stripped.as_deref().unwrap_or(caption);
    let minutes = in_minutes(caption, std::iter::empty());
    match read_as(minutes.as_deref().unwrap_or(caption), true) {
        HeadingMeaning::Figure(kind, _, rest)
            if kind.measure() == Measure::Milliseconds
                && (is_of_other_time(caption) || is_mean_of_unknown(kind, caption, rest.as_deref())) =>
        {
            None
        }
        HeadingMeaning::Figure(kind, unit, _) if may_stand_beside_a_target(kind) || kind == FigureKind::Seconds => {
            Some((kind, unit))
        }
        _ => None,
    }
}

/// Whether a caption names a mean, a minimum or a maximum of something that is not known, and no word says that it is a time: `Ping avg (ms)`, or
/// that of waiting processes: `Load average`.
fn is_mean_of_unknown(kind: FigureKind, caption: &str, rest: Option<&str>) -> bool {
    let is_bare = matches!(kind, FigureKind::Mean | FigureKind::Min | FigureKind::Max) && !says_time(caption);
    let is_load = |two: &[String]| two[0] == "load" && is_among(&two[1], "of-mean");
    is_bare && (rest.is_some_and(|rest| !is_known(rest)) || lower(&words(caption)).windows(2).any(is_load))
}

/// The time that a caption speaks of in other words than those of a heading: `Seconds to run all queries`, a Japanese one of the
/// time that one query takes. Such a time is that of whole runs, unless it is in milliseconds or of one query.
pub fn time_of_caption(caption: &str) -> Option<(FigureKind, Option<&'static str>)> {
    if is_rate_of_other(caption) || is_of_other_time(caption) || is_of_statistic(caption) {
        return None;
    }
    let all = lower(&words(caption));
    // `Ping (ms)`: a unit alone does not say what took that long.
    if !may_be_of_transactions(caption, &all) {
        return None;
    }
    // What is counted in a minute is no minute.
    let is_rate = |two: &[String]| matches!(unit(two), Some("per-minute" | "per-second"));
    if all.windows(2).any(is_rate) {
        return None;
    }
    let of_first = || unit(all.get(..1)?).filter(|unit| TIME_UNITS.contains(unit));
    let unit = unit_at_end(&all).or_else(of_first).or_else(|| unit_in_brackets(caption));
    let is_time = unit.is_some() || has_part(&all.join(" "), "part-of-time");
    let is_each = has_part(&all.join(" "), "part-of-each");
    let kind = match unit {
        Some("s" | "min" | "h") if !is_each => FigureKind::MeanSeconds,
        Some(_) => FigureKind::Mean,
        None if is_each => FigureKind::Mean,
        None => return None,
    };
    is_time.then_some((kind, unit))
}

/// Whether a caption with a unit of time says that it is a time, or of which operation, or nothing but names and workloads.
fn may_be_of_transactions(caption: &str, all: &[String]) -> bool {
    const TIMES: [&str; 3] = ["of-time", "of-duration", "seconds"];
    const OPERATIONS: [&str; 3] = ["of-operation", "of-query", "of-transaction"];
    let is = |word: &String, lists: &[&str]| lists.iter().any(|of| is_among(word, of));
    let joined = all.join(" ");
    let says_time = all.iter().any(|word| is(word, &TIMES) || word.starts_with("timing") || word == "times")
        || has_part(&joined, "part-of-time")
        || has_part(&joined, "part-of-each");
    // The words nearest to the table, without the unit.
    let nearest = caption.rsplit(": ").next().unwrap_or_default();
    // `µs` is two words.
    let is_unit = |word: &String| {
        ["µ", "μ"].contains(&word.as_str())
            || unit(&[word.to_lowercase()]).is_some_and(|unit| TIME_UNITS.contains(&unit))
    };
    let without_unit: Vec<String> = words(nearest).into_iter().filter(|word| !is_unit(word)).collect();
    let is_of_operation = || all.iter().any(|word| is(word, &OPERATIONS)) && !names_thing(nearest);
    says_time || is_of_operation() || is_known(&without_unit.join(" "))
}

/// Whether the time that words speak of is none of transactions: `Replication lag (ms)`. `4 CPU` is what was measured.
fn is_of_other_time(text: &str) -> bool {
    let all = lower(&words(text));
    let is_number = |at: usize| all[at].starts_with(|c: char| c.is_ascii_digit());
    let is_other =
        |word: &str| ["of-other-time", "of-pause", "of-other-statistic", "goal"].iter().any(|of| is_among(word, of));
    let is = |at: usize| is_other(&all[at]) && !(at > 0 && is_number(at - 1));
    (0..all.len()).any(is) || says_other_unit(&all) || has_part(&all.join(" "), "part-of-other-time")
}

/// Whether words name a statistic other than a mean, or a comparison: `Latency stddev (ms)`. `MySQL vs MariaDB` are two targets.
fn is_of_statistic(text: &str) -> bool {
    let all = lower(&words(text));
    let lists = ["median", "of-min", "of-max", "percentile-sign", COMPARISON];
    let is_scale = |word: &String| word == "factor";
    // `min` in brackets is of minutes.
    let is_of_minutes = |word: &String| unit(std::slice::from_ref(word)) == Some("min");
    let is = |word: &String| is_percentile(word) || lists.iter().any(|of| is_among(word, of));
    let deviates = |length: usize| all.windows(length).any(|few| meaning(few, |of| of == "deviation").is_some());
    all.iter().any(|word| is(word) && !is_between_names(word) && !is_of_minutes(word) && !is_scale(word))
        || (1..=2).any(deviates)
        || has_part(&all.join(" "), "part-of-statistic")
}

/// A caption without the word between two names, which compares nothing by itself: `Aurora vs MySQL`.
pub(crate) fn without_vs(caption: &str) -> String {
    let is_it = |word: &&str| !["vs", "vs."].contains(&word.to_lowercase().as_str());
    caption.split_whitespace().filter(is_it).collect::<Vec<_>>().join(" ")
}

/// `vs`.
fn is_between_names(word: &str) -> bool {
    word == "vs" || is_among(word, "of-clause")
}

/// Whether the words above a table say that its figures are something that is not read, such as `Max QPS`.
pub fn is_caption_of_other(caption: &str) -> bool {
    let says = |text: &str| {
        let stripped = without_repeats(text);
        let meaning = read_as(stripped.as_deref().unwrap_or(text), true);
        matches!(meaning, HeadingMeaning::Named(STATISTIC | INTENDED))
    };
    says(caption) || caption.rsplit_once(": ").is_some_and(|(_, last)| says(last))
}

/// A caption without the words for what each figure is of: `TPS (median of 3 runs)`, `QPS per number of threads`, `QPS vs threads`.
fn without_repeats(caption: &str) -> Option<String> {
    let original = words(caption);
    let all = lower(&original);
    let is = |at: usize, lists: &[&str]| all.get(at).is_some_and(|word| lists.iter().any(|of| is_among(word, of)));
    let is_number = |at: usize| all.get(at).is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    const STATISTICS: [&str; 4] = ["median", "of-mean", "of-max", "of-statistic"];
    const OF_CLIENTS: [&str; 3] = ["clients", "of-client", "client-filler"];
    let of_runs =
        |at: usize| is(at, &STATISTICS) && is(at + 1, &["of-scale"]) && is_number(at + 2) && is(at + 3, &["of-repeat"]);
    let of_clients = |at: usize| {
        let behind = at + 1..all.len();
        let says_number = behind.clone().any(|at| is(at, &["client-filler"]) || all[at] == "concurrency");
        let is_against = ["vs", "versus", "against"].contains(&all[at].as_str()) && !behind.is_empty();
        let begins = is_against || (is(at, &["per"]) && says_number);
        begins && behind.into_iter().all(|at| is(at, &OF_CLIENTS))
    };
    let (at, length) = (0..all.len()).find_map(|at| match (of_runs(at), of_clients(at)) {
        (true, _) => Some((at, 4)),
        (_, true) => Some((at, all.len() - at)),
        _ => None,
    })?;
    Some([&original[..at], &original[at + length..]].concat().join(" "))
}

/// The unit of time that words end with; some are two words (`µs`: a Greek letter and another one).
fn unit_at_end(all: &[String]) -> Option<&'static str> {
    let of = |length: usize| {
        let (before, of) = all.split_at_checked(all.len().checked_sub(length)?)?;
        // `run time 300 s` is a time of its own, and no unit of figures.
        let is_of_number = before.last().is_some_and(|word| word.parse::<f64>().is_ok());
        unit(of).filter(|unit| TIME_UNITS.contains(unit) && !is_of_number)
    };
    of(2).or_else(|| of(1))
}

/// The unit of time in brackets within words that speak of a time: `Elapsed time (s) for 1M inserts`.
fn unit_in_brackets(caption: &str) -> Option<&'static str> {
    let says_it = |word: &String| is_among(word, "of-time") || is_among(word, "seconds");
    let mut within = caption.split(['(', '（', '[']).skip(1).filter_map(|part| part.split([')', '）', ']']).next());
    let is_time = lower(&words(caption)).iter().any(says_it);
    within.find_map(|part| unit(&lower(&words(part))).filter(|unit| is_time && TIME_UNITS.contains(unit)))
}

/// The unit of time in a caption that speaks of times, or of units: `All latencies in µs`, `Unit: ms`.
pub fn unit_of_time(caption: &str) -> Option<&'static str> {
    let all = lower(&words(caption));
    let says_unit = || all.iter().any(|word| is_among(word, "of-unit"));
    if all.len() > MOST_WORDS || !(says_time(caption) || says_unit()) {
        return None;
    }
    let of_whole = || unit_at_end(&all).or_else(|| unit_in_brackets(caption).filter(|_| says_time(caption)));
    of_whole().or_else(|| clauses(caption).find_map(unit_of_clause))
}

/// The unit of a clause that speaks of times, in which a word of a sentence may stand before it without a blank.
fn unit_of_clause(clause: &str) -> Option<&'static str> {
    let text = clause.trim_end_matches([')', '）', '.', ' ']);
    let apart = |c: char| if !c.is_ascii() && is_among(&c.to_string(), "of-sentence") { ' ' } else { c };
    let all = lower(&words(&text.chars().map(apart).collect::<String>()));
    let says_it = all.iter().any(|word| is_among(word, "of-time"));
    unit_at_end(&all).filter(|unit| says_it && all.len() <= MOST_WORDS && !["min", "h"].contains(unit))
}

/// The unit of time alone that a caption ends with: in brackets, or behind a word for `in` (`Results (seconds)`, `All times in seconds`). Of what it
/// is need not be said above columns that are all of times.
pub fn unit_alone(caption: &str) -> Option<&'static str> {
    let text = half_width(caption.trim().trim_end_matches([':', '：', '.', '。']));
    let is_within = |word: &String| is_among(word, "of-scale");
    let of = |text: &str, is_alone: bool| {
        let mut all = lower(&words(text));
        let n = all.len();
        all.retain(|word| !is_within(word));
        (is_alone || n > all.len()).then(|| unit(&all).filter(|unit| TIME_UNITS.contains(unit) && *unit != "min"))?
    };
    let in_brackets = || {
        let inner = text.strip_suffix([')', ']', '】'])?;
        of(inner.rsplit_once(['(', '[', '【'])?.1, true)
    };
    let behind_word = || {
        let (rest, last) = text.rsplit_once(' ')?;
        of(&format!("{} {last}", rest.rsplit_once(' ').map_or(rest, |(_, word)| word)), false)
    };
    in_brackets().or_else(behind_word)
}

/// What a caption says beside the figure: the workload, in a text with a table for each.
pub fn beside_figure(caption: &str) -> String {
    match read_as(caption, true) {
        HeadingMeaning::Figure(_, _, rest) => rest.unwrap_or_default(),
        _ => caption.to_owned(),
    }
}

/// The words above a table, if they may say that its figures are something else than throughput, so that nothing is assumed of them:
/// `Queue length`. A short one says only what is known; a sentence names nothing that is counted.
pub(crate) fn says_something_else(caption: &str) -> Option<&str> {
    let mut parts = caption.rsplit(": ");
    let last = parts.next().unwrap_or_default();
    let is_other = is_caption_of_other(caption) || !is_known(last) || { parts }.any(names_thing);
    is_other.then_some(if names_thing(last) || !is_known(last) { last } else { caption })
}

/// Whether all words of a short text say nothing of what the figures are: names, workloads, numbers, clients.
fn is_known(text: &str) -> bool {
    let original = words(text);
    let all = lower(&original);
    if all.len() > MOST_KNOWN {
        return !names_thing(text);
    }
    let has_words = original.iter().any(|word| word.len() > 3 && word.starts_with(char::is_lowercase));
    let is_one = |at: usize| {
        let (word, as_written) = (all[at].as_str(), original[at].as_str());
        let rest = as_written.get(1..).unwrap_or_default();
        let is_number = word.contains(|c: char| c.is_ascii_digit());
        let is_name = as_written.starts_with(char::is_uppercase) && at > 0 && has_words
            || (rest.contains(|c: char| c.is_ascii_uppercase()) && rest.contains(|c: char| c.is_ascii_lowercase()));
        // `buffer pool`.
        let in_name = (at.saturating_sub(1)..=at).any(|at| {
            all.get(at..at + 2).is_some_and(|two| meaning(two, |of| ["axis", "workload"].contains(&of)).is_some())
        });
        let is_among_known = || KNOWN.iter().any(|of| is_among(word, of));
        is_number || in_name || is_among_known() || (is_name && !is_thing(word)) || is_put_together(word)
    };
    names_clients_only(&all) || ((0..all.len()).all(is_one) && !names_thing(text))
}

/// Whether a word of Chinese or Japanese consists of words that say nothing of what figures are, such as those for a workload, performance and comparison.
fn is_put_together(word: &str) -> bool {
    const LISTS: [&str; 6] = ["of-caption", "of-own-workload", "of-operation", "of-product", "workload", "of-version"];
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(1).chain([word.len()]).collect();
    let mut reached = vec![0];
    for end in &ends {
        let is_word = |from: &usize| {
            let part = &word[*from..*end];
            part.chars().count() > 1 && LISTS.iter().any(|of| is_among(part, of))
        };
        if reached.iter().any(is_word) {
            reached.push(*end);
        }
    }
    !word.is_ascii() && reached.contains(&word.len()) && !has_part(word, "part-of-other-time")
}

/// Texts of more words are sentences.
const MOST_KNOWN: usize = 6;

/// Lists of words that say nothing of what figures are.
const KNOWN: [&str; 34] = [
    "of-caption",
    "of-product",
    "of-product-name",
    "of-tool",
    "of-own-workload",
    "of-operation",
    "of-transaction",
    "of-query",
    "of-response",
    "of-name",
    "of-repeat",
    "of-label",
    "of-note",
    "of-scale",
    "of-sentence",
    "of-clause",
    "of-version",
    "of-date",
    "of-duration",
    "of-mean",
    "of-client",
    "client-filler",
    "clients",
    "seconds",
    "a-second",
    "unit min",
    "unit kilo",
    "unit wan",
    "unit mega",
    "workload",
    "target",
    "axis",
    "remark",
    "throughput",
];

/// `By number of threads`.
fn names_clients_only(all: &[String]) -> bool {
    let lists = ["clients", "of-client", "client-filler", "of-caption", "of-scale", "of-sentence"];
    all.iter().all(|word| lists.iter().any(|of| is_among(word, of)) && word != "running")
}

/// Whether a text names something that is counted or measured besides transactions; with a number it is a size: `64 GB memory`.
pub(crate) fn names_thing(text: &str) -> bool {
    const STATES: [&str; 7] = ["on", "off", "enabled", "disabled", "with", "without", "bound"];
    let all = lower(&words(text));
    let is_number = |at: usize| all.get(at).is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()));
    let near_number = |at: usize| (at.saturating_sub(2)..=at + 2).any(is_number);
    if all.iter().any(|word| STATES.contains(&word.as_str()) || is_among(word, "of-own-workload")) {
        return false;
    }
    let is_in_memory = |at: usize| all[at] == "memory" && at > 0 && all[at - 1] == "in";
    (0..all.len()).any(|at| is_thing(&all[at]) && !near_number(at) && !is_in_memory(at))
}

fn is_thing(word: &str) -> bool {
    const THINGS: [&str; 3] = ["of-thing", "of-other-time", "of-statistic"];
    const NONE: [&str; 8] =
        ["clients", "of-client", "of-caption", "of-mean", "of-query", "of-whole", "of-repeat", "of-duration"];
    let is = |lists: &[&str]| lists.iter().any(|of| is_among(word, of));
    is(&THINGS) && (word == "running" || !is(&NONE))
}

/// The words behind the number of a table: `QPS` of `Table 1: QPS`.
pub(crate) fn without_label(line: &str) -> &str {
    after_label(line).unwrap_or(line)
}

fn after_label(line: &str) -> Option<&str> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || "*_<>#:".contains(c));
    let end = line.find(|c: char| !c.is_alphabetic()).filter(|end| *end > 0)?;
    let rest = line[end..].trim_start_matches(['.', ' ', '\u{3000}']);
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let number = rest.find(|c: char| !c.is_ascii_digit() && !"-.".contains(c)).unwrap_or(rest.len());
    let after = rest[number..].trim_start_matches(|c: char| c.is_whitespace() || ":.)-–—：．、".contains(c));
    let name = half_width(&line[..end]).to_lowercase();
    is_among(&name, "of-label").then_some(after.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_above_a_table_say_its_figure_or_its_time() {
        use FigureKind::{Mean, Percentile, Tps};
        assert_eq!(of_caption("Read only: TPS"), Some((Tps, None)));
        assert_eq!(of_caption("Results"), None);
        assert_eq!(of_caption("QPS: p95 latency (ms)"), Some((Percentile(9500), Some("ms"))));
        assert_eq!(of_caption("Throughput: MB/s"), None);
        let time = |caption| time_of_caption(caption);
        assert_eq!(time("1クエリーあたりの所要時間(ms)"), Some((Mean, Some("ms"))));
        assert_eq!(time("Seconds to run all queries"), Some((FigureKind::MeanSeconds, Some("s"))));
        assert_eq!(time("Time per query (s)"), Some((Mean, Some("s"))));
        assert_eq!(time("After 60 seconds of warm-up"), None);
        assert_eq!(time("所要時間"), None, "whose, and in what");
    }

    #[test]
    fn labels_and_notes_are_known_from_sentences() {
        for (line, rest) in [
            ("Table 1: QPS", "QPS"),
            ("*Table 2. Latency (ms)*", "Latency (ms)"),
            ("表1 応答時間 (単位: 秒)", "応答時間 (単位: 秒)"),
            ("Fig. 3 - TPS", "TPS"),
            ("Tabelle 4: TPS", "TPS"),
        ] {
            assert_eq!((is_label(line), without_label(line)), (true, rest), "{line}");
        }
        for line in ["Table", "Tables 1 and 2", "The table 1", "QPS", "8 threads", ""] {
            assert!(!is_label(line) && without_label(line) == line, "{line}");
        }
        assert!(is_of_unit("単位: ms") && is_of_unit("(Unit: µs)") && is_of_unit("单位：毫秒"));
        assert!(is_of_unit("*All latencies in µs*") && !is_of_unit("All queries took 5 ms"));
        for line in
            ["All values are queries per second.", "Transactions per second (higher is better).", "*Figures in TPS*"]
        {
            assert!(is_of_rate(line), "{line}");
        }
        for line in ["MySQL had 500 TPS.", "The winner is TPS", "p99 (ms)", "Notes", ""] {
            assert!(!is_of_rate(line), "{line}");
        }
        assert!(!is_of_unit("Latency in ms") && !is_of_unit("Units: 5"));
    }
}
