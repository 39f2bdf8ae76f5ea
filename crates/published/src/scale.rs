//! The scale of the figures below the heading of a rate: `M ops/s`, `millions of queries per second`, `tpmC (M)`.

use crate::words::{is_among, lower, unit, words};

/// The words of a heading without its scale, and the scale as the unit of its figures. `None` if there is none, or a number before it that it
/// belongs to: `1 million rows`.
pub fn apart(original: &[String]) -> Option<(Vec<String>, &'static str)> {
    let all = lower(original);
    (0..all.len()).find_map(|at| {
        let before = &all[..at];
        if before.last().is_some_and(|word| word.ends_with(|c: char| c.is_ascii_digit())) {
            return None;
        }
        let (scale, counted) = scale(original, &all, at)?;
        let from = before.len() - usize::from(before.last().is_some_and(|word| is_filler(word)));
        let of = usize::from(counted.is_none() && all.get(at + 1).is_some_and(|word| is_filler(word)));
        let after = &original[at + 1 + of..];
        let mut rest = original[..from].to_vec();
        rest.extend(counted);
        rest.extend_from_slice(after);
        Some((rest, scale))
    })
}

/// Whether the `M` at the end of a heading is one of several sizes: `TPS (M)` beside `TPS (L)`.
pub fn is_size<'h>(heading: &str, mut others: impl Iterator<Item = &'h str>) -> bool {
    let all = words(heading);
    let Some((last, figure)) = all.split_last().filter(|(last, _)| *last == "M") else { return false };
    others.any(|other| {
        let other = words(other);
        matches!(other.split_last(), Some((of, rest)) if rest == figure && of != last && of.chars().count() <= 2)
    })
}

/// Whether a heading has a word of a scale that no number stands before, whatever it is the scale of.
pub fn says_scale(all: &[String]) -> bool {
    let is_number = |at: usize| at > 0 && all[at - 1].ends_with(|c: char| c.is_ascii_digit());
    (0..all.len()).any(|at| all[at].chars().count() > 1 && of_word(&all[at]).is_some() && !is_number(at))
}

/// The scale that the word at this place is or begins with, and the rest of the word: `Kreq`.
fn scale(original: &[String], all: &[String], at: usize) -> Option<(&'static str, Option<String>)> {
    let next = all[at + 1..].iter().find(|word| !is_filler(word));
    if let Some(scale) = of_word(&all[at])
        && next.is_none_or(|next| is_counted(next) || is_among(next, "per") || is_among(next, "a-second"))
    {
        return Some((scale, None));
    }
    // A small letter may be that of minutes.
    if original[at] == "M"
        && (next.is_some_and(|next| is_counted(next) || is_among(next, "a-second")) || at + 1 == all.len())
    {
        return Some(("mega", None));
    }
    let (letter, rest) = all[at].split_at_checked(1)?;
    let scale = [("k", "kilo"), ("m", "mega")].into_iter().find(|(sign, _)| *sign == letter)?.1;
    is_counted(rest).then(|| (scale, Some(rest.to_owned())))
}

/// The scale that a word in lower case is: `kilo`, `wan` (ten thousand) or `mega`.
pub fn of_word(word: &str) -> Option<&'static str> {
    unit(&[word.to_owned()]).filter(|unit| ["kilo", "wan", "mega"].contains(unit))
}

/// Whether a word is what a rate counts, or the name of a rate.
fn is_counted(word: &str) -> bool {
    ["of-query", "of-transaction", "tps", "qps", "nopm", "tpm", "of-counted"].iter().any(|of| is_among(word, of))
}

fn is_filler(word: &str) -> bool {
    is_among(word, "of-scale")
}

#[cfg(test)]
mod tests {
    use crate::FigureKind::{Mean, Nopm, Qps, Tpm, Tps};
    use crate::heading::{HeadingMeaning, read, read_beside};

    #[test]
    fn scales_of_rates_are_those_of_their_figures() {
        for (heading, kind, scale) in [
            ("kTPS", Tps, "kilo"),
            ("TPS (k)", Tps, "kilo"),
            ("TPS (10^3)", Tps, "kilo"),
            ("TPS ('000s)", Tps, "kilo"),
            ("QPS [1000/s]", Qps, "kilo"),
            ("Throughput (Kreq/s)", Qps, "kilo"),
            ("thousand transactions per second", Tps, "kilo"),
            ("Tausend TPS", Tps, "kilo"),
            ("QPS, тыс.", Qps, "kilo"),
            ("万QPS", Qps, "wan"),
            ("QPS (万)", Qps, "wan"),
            ("M ops/s", Qps, "mega"),
            ("millions of queries per second", Qps, "mega"),
            ("tpmC (M)", Nopm, "mega"),
            ("Million tpmC", Nopm, "mega"),
            ("Mtpm", Tpm, "mega"),
        ] {
            assert_eq!(read(heading), HeadingMeaning::Figure(kind, Some(scale), None), "{heading}");
        }
        for (heading, kind) in [("TPS (1 million rows)", Tps), ("avg ms", Mean)] {
            let HeadingMeaning::Figure(figure, unit, _) = read(heading) else { panic!("{heading}") };
            assert!(figure == kind && unit.is_none_or(|unit| unit == "ms"), "{heading}: {unit:?}");
        }
        assert_eq!(read("thousands of txn/min"), HeadingMeaning::Figure(Tpm, Some("kilo"), None));
        assert!(!matches!(read("thousands of req/min"), HeadingMeaning::Figure(..)), "no two units in one");
    }

    #[test]
    fn a_size_is_no_scale() {
        let of = |heading, other| read_beside(heading, [other].into_iter());
        assert_eq!(of("TPS (M)", "TPS (L)"), HeadingMeaning::Figure(Tps, None, Some("M".into())));
        assert_eq!(of("TPS (M)", "p99 (ms)"), HeadingMeaning::Figure(Tps, Some("mega"), None));
    }
}
