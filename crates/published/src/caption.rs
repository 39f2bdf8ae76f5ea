//! Words above or below a table that say what it is: `Table 1: QPS`, `Unit: ms`.

use crate::heading::{self, HeadingMeaning};
use crate::words::{half_width, is_among, lower, words};

/// A longer line is a sentence.
const LONGEST: usize = 120;
/// A longer note is not only of a unit.
const LONGEST_UNIT: usize = 40;

/// Whether a line begins as what a table is called: `Table 1: …`.
pub(crate) fn is_label(line: &str) -> bool {
    after_label(line).is_some() && line.chars().count() <= LONGEST
}

/// Whether a line is a note on the unit of a table: `単位: ms`.
pub(crate) fn is_of_unit(line: &str) -> bool {
    let says_unit = || lower(&words(line)).iter().any(|word| is_among(word, "of-unit"));
    line.chars().count() <= LONGEST_UNIT && says_unit() && heading::unit_of_time(line).is_some()
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
    matches!(heading::read(names.unwrap_or(line)), HeadingMeaning::Figure(kind, _, None) if heading::is_rate(kind))
}

/// The words above a table, if they may say that its figures are something else than throughput, so that nothing is assumed of them:
/// `Queue length`. A short one says only what is known; a sentence names nothing that is counted.
pub(crate) fn says_something_else(caption: &str) -> Option<&str> {
    let mut parts = caption.rsplit(": ");
    let last = parts.next().unwrap_or_default();
    let is_other = heading::is_caption_of_other(caption) || !is_known(last) || { parts }.any(names_thing);
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
        is_number || KNOWN.iter().any(|of| is_among(word, of)) || (is_name && !is_thing(word))
    };
    names_clients_only(&all) || ((0..all.len()).all(is_one) && !names_thing(text))
}

/// Texts of more words are sentences.
const MOST_KNOWN: usize = 6;

/// Lists of words that say nothing of what figures are.
const KNOWN: [&str; 31] = [
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
fn names_thing(text: &str) -> bool {
    const STATES: [&str; 6] = ["on", "off", "enabled", "disabled", "with", "without"];
    let all = lower(&words(text));
    let is_number = |at: usize| all.get(at).is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()));
    let near_number = |at: usize| (at.saturating_sub(2)..=at + 2).any(is_number);
    if all.iter().any(|word| STATES.contains(&word.as_str()) || is_among(word, "of-own-workload")) {
        return false;
    }
    (0..all.len()).any(|at| is_thing(&all[at]) && !near_number(at))
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
    let name = half_width(&line[..end]).to_lowercase();
    let rest = line[end..].trim_start_matches(['.', ' ', '\u{3000}']);
    let number = rest.find(|c: char| !c.is_ascii_digit() && !"-.".contains(c)).unwrap_or(rest.len());
    let is_number = rest[..number].starts_with(|c: char| c.is_ascii_digit());
    let after = rest[number..].trim_start_matches(|c: char| c.is_whitespace() || ":.)-–—：．、".contains(c));
    (is_among(&name, "of-label") && is_number).then_some(after.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

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
