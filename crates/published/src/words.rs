//! The names of columns and units (`words.txt`), and how a heading is compared with them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A line of `words.txt`: what is meant, and each of its names in words.
type Names = (&'static str, Vec<Vec<String>>);

static NAMES: LazyLock<Vec<Names>> = LazyLock::new(|| {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    let names = |all: &str| all.split(',').map(|name| lower(&words(name))).filter(|name| !name.is_empty()).collect();
    lines.filter_map(|line| line.split_once(':')).map(|(meaning, all)| (meaning.trim(), names(all))).collect()
});

/// The same by name: what it may mean, in the order of the lines.
static MEANINGS: LazyLock<HashMap<&'static [String], Vec<&'static str>>> = LazyLock::new(|| {
    let mut all: HashMap<&'static [String], Vec<&'static str>> = HashMap::new();
    for (meaning, names) in NAMES.iter() {
        names.iter().for_each(|name| all.entry(name.as_slice()).or_default().push(meaning));
    }
    all
});

/// The names of one word, each with the lines that have it.
static SINGLE: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let of_one = MEANINGS.iter().filter_map(|(name, lines)| match name {
        [word] => Some((word.as_str(), lines.clone())),
        _ => None,
    });
    of_one.collect()
});

/// Every word of a name.
static VOCABULARY: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| MEANINGS.keys().flat_map(|name| name.iter().map(String::as_str)).collect());

/// What a text in words means, of the meanings that `wanted` accepts: the first line of `words.txt` that has it.
pub fn meaning(text: &[String], wanted: impl Fn(&str) -> bool) -> Option<&'static str> {
    MEANINGS.get(text)?.iter().find(|meaning| wanted(meaning)).copied()
}

/// Whether a word is one of this line of `words.txt`.
pub fn is_among(word: &str, of: &str) -> bool {
    lists(word).contains(&of)
}

/// The lines of `words.txt` that have this word as a name.
pub fn lists(word: &str) -> &'static [&'static str] {
    SINGLE.get(word).map_or(&[], Vec::as_slice)
}

/// Whether a word can be a part of a name, or of a percentile.
pub fn is_known(word: &str) -> bool {
    VOCABULARY.contains(word) || word.contains(|c: char| c.is_ascii_digit()) || word.chars().count() == 1
}

/// Whether a text contains one of the parts of this line of `words.txt`.
pub fn has_part(text: &str, of: &str) -> bool {
    let parts = NAMES.iter().filter(|(meaning, _)| *meaning == of).flat_map(|(_, names)| names);
    { parts }.any(|part| text.contains(&part.join(" ")))
}

/// The unit that a text in words names, such as `ms`.
pub fn unit(text: &[String]) -> Option<&'static str> {
    meaning(text, |meaning| meaning.starts_with("unit "))?.strip_prefix("unit ")
}

/// A longer text names nothing: the words after this many bytes are not looked at.
const LONGEST: usize = 4000;

/// The words of a text, in half width: letters and digits, of which a dot may be part (`99.9`), and `%`. Numbers end
/// where letters begin only if those are not Latin: `p99`, `10s`, but `99` and a Japanese word.
pub fn words(text: &str) -> Vec<String> {
    let text = half_width(&text[..text.floor_char_boundary(LONGEST)]);
    let chars: Vec<char> = text.chars().collect();
    let (mut all, mut word) = (Vec::new(), String::new());
    for (at, c) in chars.iter().enumerate() {
        let around_digits = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
        let dot = *c == '.' && at > 0 && around_digits(at - 1) && around_digits(at + 1);
        let part = c.is_alphanumeric() || dot;
        let other_script = word.chars().next_back().is_some_and(|last| part && is_latin(last) != is_latin(*c));
        if (!part || other_script) && !word.is_empty() {
            all.push(std::mem::take(&mut word));
        }
        match c {
            c if part => word.push(*c),
            '%' => all.push("%".to_owned()),
            _ => {}
        }
    }
    all.extend((!word.is_empty()).then_some(word));
    all
}

/// Whether a letter or digit is of the Latin script: `latência` is one word, `µs` and `95º` are two.
fn is_latin(c: char) -> bool {
    c.is_ascii() || matches!(c, '\u{c0}'..='\u{24f}')
}

/// The words in lower case.
pub fn lower(words: &[String]) -> Vec<String> {
    words.iter().map(|word| word.to_lowercase()).collect()
}

/// Full-width letters, digits and signs as the usual ones; the wide space as a space.
pub fn half_width(text: &str) -> String {
    let one = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' | '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        // `15’000`, as the Swiss write it.
        '\u{2019}' => '\'',
        // The minus of mathematics, and that of Japanese input.
        '\u{2212}' | '\u{2012}' => '-',
        c => c,
    };
    text.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure_kind::FigureKind;

    #[test]
    fn every_line_is_known_and_names_are_there_once() {
        let not_figures = [
            "target",
            "workload",
            "axis",
            "remark",
            "metric",
            "value",
            "variable",
            "percentile",
            "mean-of-period",
            "part-of-time",
            "part-of-each",
            "part-of-preference",
            "comparison",
            "share",
            "goal",
            "of-mean",
            "of-statistic",
            "of-time",
            "median",
            "of-spread",
            "of-number",
            "of-server",
            "part-of-number",
            "of-min",
            "of-max",
            "percentile-sign",
            "percentile-filler",
            "throughput",
            "of-transaction",
            "of-query",
            "a-second",
            "of-operation",
            "other-unit",
            "of-client",
            "client-filler",
            "intended",
            "per",
            "of-whole",
            "of-intention",
            "of-achievement",
            "of-date",
            "of-name",
            "of-own-workload",
            "of-repeat",
            "of-period",
            "part-of-rate",
            "of-response",
            "of-thing",
            "of-latency",
            "of-product",
            "of-cost",
            "of-version",
            "of-unit",
            "of-duration",
            "of-label",
            "of-hours",
            "of-about",
            "of-pause",
            "of-change",
            "of-sentence",
            "of-clause",
            "of-product-name",
            "of-tool",
            "of-counted",
            "of-scale",
            "of-note",
            "of-caption",
            "of-percentiles",
            "of-other-time",
            "part-of-other-time",
            "part-of-statistic",
            "of-tpcc",
            "of-person",
            "of-other-statistic",
            "of-statistic-of-names",
            "part-of-each-core",
            "of-clients-beside-jobs",
            "of-jobs",
            "of-counter",
            "of-value",
            "of-summary",
            "of-work",
            "of-comparison-alone",
            "of-long-period",
            "of-usage",
            "part-of-usage",
            "of-workload",
            "part-of-workload",
            "part-of-measured",
            "of-either",
        ];
        let mut all = std::collections::BTreeSet::new();
        for (meaning, names) in NAMES.iter() {
            let known = meaning.starts_with("unit ") || not_figures.contains(meaning);
            assert!(known || FigureKind::named(meaning).is_some(), "{meaning}");
            // Words that say nothing, and units, are looked for in places of their own.
            let own_place = meaning.starts_with("unit ")
                || ["percentile", "mean-of-period", "per"].contains(meaning)
                || meaning.starts_with("part-of-")
                || meaning.starts_with("of-")
                || ["median", "percentile-sign", "percentile-filler", "throughput", "a-second"].contains(meaning)
                || ["other-unit", "client-filler"].contains(meaning);
            for name in names.iter().filter(|_| !own_place) {
                assert!(all.insert(name.clone()), "{name:?} is there twice");
            }
        }
        assert!(all.len() > 150, "{}", all.len());
    }

    #[test]
    fn headings_are_compared_without_width_case_and_separators() {
        for (text, expected) in [
            ("avg_per_10s", "avg per 10s"),
            ("ＴＰＳ（件／秒）", "TPS 件 秒"),
            ("99.9th %ile", "99.9th % ile"),
            ("p99_ms", "p99 ms"),
            ("平均 [ms]", "平均 ms"),
            ("応答時間ms", "応答時間 ms"),
            ("Latência (µs), 95º", "Latência µ s 95 º"),
            ("<b>TPS</b>\x1b[1m", "b TPS b 1m"),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }
}
