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
