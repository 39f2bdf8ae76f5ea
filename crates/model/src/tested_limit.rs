//! `[refutes]` of a plan: the limit that its run puts to the test, what it changes for that, and what is to be expected if the limit
//! is the right one. A diagnosis writes it into the plan that would refute it, and judges the run of that plan by it
//! (`tenbin_verdict::why`).

use crate::bottleneck::Bottleneck;
use std::fmt;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A limit that a plan puts to the test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestedLimit {
    /// Which; `None`: that nothing was at its limit.
    pub limit: Option<Bottleneck>,
    /// What is changed: a key of the matrix or of the target.
    pub changes: String,
    /// What is to be expected if it is the limit.
    pub expects: Expectation,
    /// The run whose diagnosis it is: its name, and when it started. Empty if not stated.
    pub run: String,
    /// The number of the trial in that run; 0 if not stated.
    pub trial: u32,
}

/// What is to be expected of the trials with the change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expectation {
    /// Their throughput is at least this many times that of the trials without it.
    AtLeast(f64),
    /// Their throughput is less than this many times that of the trials without it.
    LessThan(f64),
    /// They hold their rate.
    Holds,
    /// Their transactions start when they are due.
    InTime,
    /// Their replicas keep up.
    KeepsUp,
}

/// How a plan says that nothing was at its limit.
pub const NOTHING: &str = "none";
/// What a ratio is of.
const THROUGHPUT: &str = "tps";

/// A limit by its name in plans and JSON: one of [`Bottleneck::ALL`], or [`NOTHING`].
pub fn limit_of(name: &str) -> Option<Option<Bottleneck>> {
    let of = |bottleneck: &Bottleneck| bottleneck.code() == name;
    Bottleneck::ALL.iter().find(|one| of(one)).map(|one| Some(*one)).or((name == NOTHING).then_some(None))
}

/// The names of all limits that can be tested.
pub fn limit_names() -> impl Iterator<Item = &'static str> {
    Bottleneck::ALL.into_iter().map(Bottleneck::code).chain([NOTHING])
}

impl Expectation {
    /// Those that no ratio decides, with their words in a plan.
    const WITHOUT_RATIO: [(&str, Expectation); 3] =
        [("holds", Expectation::Holds), ("in-time", Expectation::InTime), ("keeps-up", Expectation::KeepsUp)];

    /// Reads `tps >= 1.05`, `tps < 1.1`, `holds`, `in-time` or `keeps-up`.
    pub fn parse(text: &str) -> Option<Expectation> {
        let text = text.trim();
        if let Some((_, one)) = Expectation::WITHOUT_RATIO.iter().find(|(word, _)| *word == text) {
            return Some(*one);
        }
        let rest = text.strip_prefix(THROUGHPUT)?.trim_start();
        let (ratio, of): (&str, fn(f64) -> Expectation) = match rest.strip_prefix(">=") {
            Some(ratio) => (ratio, Expectation::AtLeast),
            None => (rest.strip_prefix('<')?, Expectation::LessThan),
        };
        let ratio: f64 = ratio.trim().parse().ok()?;
        (ratio.is_finite() && ratio > 0.0).then(|| of(ratio))
    }

    /// The ratio in words: `1.05× or more`; `None` if none decides.
    pub fn ratio_words(self) -> Option<Message> {
        match self {
            Expectation::AtLeast(ratio) => Some(msg!("ratio-at-least", ratio = format!("{ratio:.2}"))),
            Expectation::LessThan(ratio) => Some(msg!("ratio-less-than", ratio = format!("{ratio:.2}"))),
            _ => None,
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::AtLeast(ratio) => write!(f, "{THROUGHPUT} >= {ratio}"),
            Expectation::LessThan(ratio) => write!(f, "{THROUGHPUT} < {ratio}"),
            other => {
                let word = Expectation::WITHOUT_RATIO.iter().find(|(_, one)| one == other).map(|(word, _)| *word);
                f.write_str(word.unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_is_read_as_it_is_written() {
        let all = [Expectation::AtLeast(1.05), Expectation::LessThan(1.1)];
        for one in all.into_iter().chain(Expectation::WITHOUT_RATIO.map(|(_, one)| one)) {
            assert_eq!(Expectation::parse(&one.to_string()), Some(one));
        }
        assert_eq!(Expectation::parse(" tps>=0.9 "), Some(Expectation::AtLeast(0.9)));
        for wrong in ["", "tps", "tps > 1", "tps >= 0", "tps < NaN", "p99 < 1", "tps >= 1x", "hold"] {
            assert_eq!(Expectation::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_limit_has_a_name_and_nothing_too() {
        assert!(limit_names().all(|name| limit_of(name).is_some()));
        assert_eq!((limit_of("none"), limit_of("client")), (Some(None), Some(Some(Bottleneck::Client))));
        assert_eq!(limit_of("not-enough-evidence"), None);
    }
}
