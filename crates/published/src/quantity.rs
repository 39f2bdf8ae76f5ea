//! A number as it stands in a cell, with its unit and with what its last digit leaves open.

use crate::beside::TIME_UNITS;
use crate::duration;
use crate::words::{half_width, is_among, lower, unit, words};

/// A number of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// The value, in the unit of its figure.
    pub value: f64,
    /// By how much rounding to the printed digits may have changed it.
    pub half: f64,
}

impl Quantity {
    /// A value that is exact.
    pub fn exact(value: f64) -> Quantity {
        Quantity { value, half: 0.0 }
    }

    /// The value in another unit.
    #[must_use]
    pub fn times(self, factor: f64) -> Quantity {
        Quantity { value: self.value * factor, half: self.half * factor }
    }

    /// How many digits of it are printed, without the zeros at its front, and at the end of a whole number: two of `1.1 M`, `0.011` and 1100.
    pub fn digits(self) -> usize {
        let last = if self.half > 0.0 { 2.0 * self.half } else { 1.0 };
        let mut printed = (self.value.abs() / last).round().clamp(0.0, 1e18) as u64;
        while last >= 1.0 && printed > 0 && printed.is_multiple_of(10) {
            printed /= 10;
        }
        printed.checked_ilog10().map_or(0, |log| log as usize + 1)
    }

    /// The part of the value that rounding may have changed.
    pub fn rounding(self) -> f64 {
        if self.value == 0.0 { 0.0 } else { (self.half / self.value).abs() }
    }
}

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellContent {
    /// A number, with its unit if the cell names one, and whether a spread stands beside it.
    Number(Quantity, Option<&'static str>, bool),
    /// A share or a change in per cent, or how many times another, as a part of one: `0.01 %`, `+0.5%`, `1.5x`.
    Share(Quantity),
    /// Several numbers: `18.6 / 21.9 / 116.1`.
    Several,
    /// Nothing: empty, a dash, `N/A`.
    Missing,
    /// Words.
    Words,
}

/// The unit of `10m`: minutes of a time, and millions of anything else.
pub const MEGA_OR_MINUTES: &str = "m";

/// A longer cell is no number.
const LONGEST: usize = 1000;

/// A longer cell that begins with a letter is none either: neither `PT5M` nor a word for nothing.
const LONGEST_WORD: usize = 40;

/// The number of a row's cell, whatever its unit.
pub fn value(cells: &[String], at: usize) -> Option<f64> {
    match read(cells.get(at)?) {
        CellContent::Number(quantity, ..) => Some(quantity.value),
        _ => None,
    }
}

/// The number of a cell below a heading that says that it is a duration: `00:10:00` too, and `10:00` if it is known what the first part counts, s.
pub fn read_duration(cell: &str, first_s: Option<f64>) -> CellContent {
    let of_two_parts = || duration::of_two_parts(cell, first_s?);
    match duration::clock(cell).or_else(of_two_parts) {
        Some(value) => CellContent::Number(Quantity { value, half: 0.5 }, Some("s"), false),
        None => read(cell),
    }
}

/// What stands in a cell: `1,234.5`, `12 ms`, `１２３`, `4.4k`, `123 ± 4`.
pub fn read(cell: &str) -> CellContent {
    if cell.len() > LONGEST {
        return CellContent::Words;
    }
    // Most cells of a large table, each of which is read many times: numbers in digits, and sentences.
    if let Some(quantity) = in_digits(cell) {
        return CellContent::Number(quantity, None, false);
    }
    if cell.len() > LONGEST_WORD && cell.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) {
        return CellContent::Words;
    }
    let text = half_width(cell);
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_ornament(c)).trim_matches('*');
    let all = lower(&words(text));
    if all.is_empty() || unit(&all) == Some("missing") {
        return CellContent::Missing;
    }
    if let Some(about) = without_about(text) {
        return match read(about) {
            CellContent::Number(quantity, unit, spread) => {
                let half = quantity.half.max(quantity.value.abs() * ABOUT);
                CellContent::Number(Quantity { half, ..quantity }, unit, spread)
            }
            other => other,
        };
    }
    if let Some(value) = duration::in_units(text) {
        return CellContent::Number(Quantity { value, half: 0.5 }, Some("s"), false);
    }
    if text.contains('/') && text.split('/').all(|part| plain(part.trim()).is_some()) {
        return CellContent::Several;
    }
    let interval = text.split_once('[').and_then(|(value, bounds)| Some((value, bounds.strip_suffix(']')?)));
    let (text, spread) = match (interval, text.find(['±', '('])) {
        (Some((value, bounds)), None) if is_interval(bounds) => (value.trim(), true),
        (_, Some(at)) if at > 0 => (text[..at].trim(), is_spread(&text[at..])),
        _ => (text, false),
    };
    if let Some(share) = share(text) {
        return CellContent::Share(share);
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && !"+-.,_' ".contains(c)).unwrap_or(text.len());
    // An exponent is part of the number.
    let exponent = text[end..].strip_prefix(['e', 'E']).and_then(|rest| {
        let digits = rest.trim_start_matches(['+', '-']);
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let power = rest[..rest.len() - digits.len() + length].parse::<i32>().ok()?;
        Some((power, end + 1 + rest.len() - digits.len() + length))
    });
    let (power, after) = exponent.unwrap_or((0, end));
    let Some((value, places)) = plain(text[..end].trim()) else { return CellContent::Words };
    let rest = lower(&words(&text[after..]));
    let (factor, unit) = match rest.as_slice() {
        [] => (1.0, None),
        [letter] if letter == "k" => (1e3, None),
        // Ten thousand, as Chinese texts abbreviate it; of other figures it may be watts.
        [letter] if letter == "w" => (1.0, Some("wan")),
        // Millions or minutes, as the figure has it.
        [letter] if letter == "m" => (1.0, Some(MEGA_OR_MINUTES)),
        // `60000/min`: not this number of minutes.
        [of] if text[after..].trim_start().starts_with('/') => match unit(std::slice::from_ref(of)) {
            Some("s") => (1.0, Some("per-second")),
            Some("min") => (1.0, Some("per-minute")),
            _ => return CellContent::Words,
        },
        rest => match unit(rest) {
            Some("kilo") => (1e3, None),
            Some("wan") => (1e4, None),
            Some("mega") => (1e6, None),
            Some(unit) => (1.0, Some(unit)),
            // `12.3k TPS`, `1.2M QPS`.
            None if matches!(rest, [scale, ..] if ["k", "m"].contains(&&**scale)) => match unit(&rest[1..]) {
                Some(rate @ ("tps" | "qps")) => (if rest[0] == "k" { 1e3 } else { 1e6 }, Some(rate)),
                _ => return CellContent::Words,
            },
            // `12.5 ktps`.
            None => match rest.iter().map(|word| word.strip_prefix('k')).collect::<Option<Vec<_>>>().as_deref() {
                Some([rate @ ("tps" | "qps")]) => (1e3, unit(&[(*rate).to_owned()])),
                _ => return CellContent::Words,
            },
        },
    };
    if !(-100..=100).contains(&power) {
        return CellContent::Words;
    }
    let factor = factor * 10f64.powi(power);
    let quantity = Quantity { value: value * factor, half: 0.5 * 10f64.powi(-places) * factor };
    if quantity.value.abs() > 1e30 { CellContent::Words } else { CellContent::Number(quantity, unit, spread) }
}

/// A number in digits, with a point at most: `1234.5`.
fn in_digits(cell: &str) -> Option<Quantity> {
    let (whole, places) = cell.split_once('.').map_or((cell, None), |(whole, places)| (whole, Some(places)));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if cell.len() > MOST_DIGITS || !is_number(whole) || !places.is_none_or(is_number) {
        return None;
    }
    let places = places.map_or(0, str::len) as i32;
    Some(Quantity { value: cell.parse().ok()?, half: 0.5 * 10f64.powi(-places) })
}

/// A number of more digits is none that was measured, or is read with care.
const MOST_DIGITS: usize = 20;

/// Whether a text is the two bounds of an interval: `988, 1012`.
fn is_interval(text: &str) -> bool {
    let bounds = [", ", "; ", " - ", "–", ","].iter().find_map(|sign| text.split_once(sign));
    let bound = |text: &str| plain(text.trim()).map(|(value, _)| value);
    bounds.is_some_and(|(low, high)| bound(low).zip(bound(high)).is_some_and(|(low, high)| low <= high))
}

/// Whether what stands behind a number is its spread: `± 12`, `(σ 12)`, `(12)`, `(1,200–1,300)`, but not `(+18%)`, `(1.2x)`, `(TPS)`.
fn is_spread(text: &str) -> bool {
    const SIGNS: [char; 2] = ['±', 'σ'];
    if text.contains(SIGNS) {
        return text.contains(|c: char| c.is_ascii_digit());
    }
    let inner = text.trim_start_matches('(').trim_end_matches(')').trim();
    let all = lower(&words(inner));
    let says_spread = |word: &String| is_among(word, "deviation") || is_among(word, "of-spread");
    if all.iter().any(says_spread) {
        return all.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    }
    let is_number = |text: &str| match read(text) {
        CellContent::Number(_, unit, _) => unit.is_none_or(|unit| TIME_UNITS.contains(&unit)),
        _ => false,
    };
    // The sign of a difference.
    let is_plain = |text: &str| !text.starts_with(['+', '-']) && !text.contains('(') && is_number(text);
    match inner.split_once(", ").or_else(|| inner.split_once(['–', '-', '~', '…'])) {
        Some((low, high)) => is_plain(low.trim()) && is_plain(high.trim()),
        None => is_plain(inner),
    }
}

/// What stands behind a sign for "about", if one begins the text: `~1000`.
fn without_about(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let is_sign = "~≈∼".contains(first) || (!first.is_ascii() && is_among(&first.to_string(), "of-about"));
    let rest = text[first.len_utf8()..].trim_start();
    (is_sign && rest.starts_with(|c: char| c.is_ascii_digit())).then_some(rest)
}

/// How far a number with a sign for "about" may be from what was measured.
const ABOUT: f64 = 0.05;

/// Pictures and arrows beside a number, which say nothing of its value; triangles may be those of a negative one.
fn is_ornament(c: char) -> bool {
    matches!(c, '\u{1f300}'..='\u{1faff}' | '\u{2190}'..='\u{21ff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '⭐')
}

/// Per cent, or how many times.
fn share(text: &str) -> Option<Quantity> {
    const PER_CENT: char = '%';
    const TIMES: [char; 4] = ['×', 'x', 'X', '\u{500d}'];
    let of_one = if text.ends_with(PER_CENT) { 0.01 } else { 1.0 };
    let (value, places) = plain(text.strip_suffix(PER_CENT).or_else(|| text.strip_suffix(TIMES))?.trim())?;
    Some(Quantity { value, half: 0.5 * 10f64.powi(-places) }.times(of_one))
}

/// A number in digits and its decimal places. Commas, spaces, `_` and `'` may separate thousands; a comma that does not
/// is a decimal one.
fn plain(text: &str) -> Option<(f64, i32)> {
    // `12 345`, and not `1000 1600`, which are two.
    let digits = |group: &str| group.bytes().take_while(u8::is_ascii_digit).count();
    let mut groups = text.split([' ', '_', '\'']);
    let first = groups.next().unwrap_or_default().trim_start_matches(['+', '-']);
    let mut groups = groups.peekable();
    let is_grouped = groups.peek().is_some();
    if is_grouped && (digits(first) > 3 || digits(first) < first.len()) || !groups.all(|group| digits(group) == 3) {
        return None;
    }
    let text: String = text.chars().filter(|c| !" _'".contains(*c)).collect();
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (if text.starts_with('-') { -1.0 } else { 1.0 }, rest),
        None => (1.0, text.as_str()),
    };
    let (last_dot, last_comma) = (digits.rfind('.'), digits.rfind(','));
    let whole_groups = |separator: char| {
        let mut groups = digits.split(separator);
        let first = groups.next().unwrap_or_default();
        // `0,500` is half of one: nothing has no thousands.
        (1..=3).contains(&first.len()) && !first.starts_with('0') && groups.all(|group| group.len() == 3)
    };
    let number = match (last_dot, last_comma) {
        (Some(dot), Some(comma)) if dot > comma => digits.replace(',', ""),
        (Some(_), Some(_)) => digits.replace('.', "").replace(',', "."),
        (None, Some(_)) if whole_groups(',') => digits.replace(',', ""),
        (None, Some(_)) => digits.replace(',', "."),
        (Some(_), None) if digits.matches('.').count() > 1 && whole_groups('.') => digits.replace('.', ""),
        _ => digits.to_owned(),
    };
    if !number.starts_with(|c: char| c.is_ascii_digit() || c == '.') || number.contains(['+', '-']) {
        return None;
    }
    let places = number.split_once('.').map_or(0, |(_, places)| places.len().min(300));
    Some((sign * number.parse::<f64>().ok()?, places as i32))
}

/// `3600 s; from 900 s on`: the whole time, and from when on it counts.
pub fn counted(remark: &str) -> Option<(f64, f64)> {
    let all = lower(&words(remark));
    let (mut whole, mut from) = (None, None);
    for (at, word) in all.iter().enumerate() {
        let (number, next) = match word.strip_suffix('s') {
            Some(number) => (number, Some("s")),
            None => (word.as_str(), all.get(at + 1..at + 2).and_then(unit)),
        };
        let Some(seconds) = number.parse::<f64>().ok().filter(|_| next == Some("s")) else { continue };
        if at > 0 && all[at - 1] == "from" {
            from = Some(seconds);
        } else {
            whole = whole.or(Some(seconds));
        }
    }
    Some((whole?, from?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (cell, value, half, unit) in [
            ("226.95", 226.95, 0.005, None),
            ("007", 7.0, 0.5, None),
            ("12345678901234567890123", 12_345_678_901_234_567_890_123.0, 0.5, None),
            ("1,234", 1234.0, 0.5, None),
            ("1,234,567.8", 1_234_567.8, 0.05, None),
            ("1.234,5", 1234.5, 0.05, None),
            ("12,5", 12.5, 0.05, None),
            ("0,500", 0.5, 0.0005, None),
            ("5.000,25", 5000.25, 0.005, None),
            ("12 345", 12345.0, 0.5, None),
            ("1 234 567.8", 1_234_567.8, 0.05, None),
            ("１２３．４", 123.4, 0.05, None),
            ("１，２３４", 1234.0, 0.5, None),
            (" 12ms ", 12.0, 0.5, Some("ms")),
            ("1.5 秒", 1.5, 0.05, Some("s")),
            ("4.4k", 4400.0, 50.0, None),
            ("12.3k TPS", 12300.0, 50.0, Some("tps")),
            ("1.2M QPS", 1.2e6, 50_000.0, Some("qps")),
            ("1e3", 1000.0, 500.0, None),
            ("-1", -1.0, 0.5, None),
            ("500 件/秒", 500.0, 0.5, Some("per-second")),
            ("10m", 10.0, 0.5, Some("m")),
            ("2 h", 2.0, 0.5, Some("h")),
            ("1h30m", 5400.0, 0.5, Some("s")),
            ("~1000", 1000.0, 50.0, None),
            ("**1500** 🏆", 1500.0, 0.5, None),
            ("↑ 12", 12.0, 0.5, None),
        ] {
            let CellContent::Number(quantity, of, spread) = read(cell) else { panic!("{cell}") };
            assert!(
                (quantity.value - value).abs() < 1e-9 * value.abs() && (quantity.half - half).abs() < 1e-9,
                "{cell}: {quantity:?}"
            );
            assert_eq!((of, spread), (unit, false), "{cell}");
        }
        assert!(matches!(read("123.4 ± 5.6"), CellContent::Number(q, None, true) if q.value == 123.4));
        let has_spread = |cell: &str| match read(cell) {
            CellContent::Number(quantity, None, spread) if quantity.value == 1250.0 => spread,
            other => panic!("{cell}: {other:?}"),
        };
        for spread in [
            "±4",
            " ± 0.3%",
            " (±4)",
            " (4.5)",
            " (4 ms)",
            " (σ 4)",
            " (sd 4)",
            " (1,200–1,300)",
            " (1200 - 1300)",
            " (95% CI 1200, 1300)",
            " (1200, 1300)",
            " [1200, 1300]",
            " [1,200–1,300]",
        ] {
            assert!(has_spread(&format!("1,250{spread}")), "{spread}");
        }
        for other in [
            " (+18%)",
            " (18%)",
            " (+18)",
            " (-18)",
            " (1.2x)",
            " (×1.2)",
            " (TPS)",
            " ()",
            " (2000.00 per sec.)",
            " (σ)",
            " (best)",
        ] {
            assert!(!has_spread(&format!("1,250{other}")), "{other}");
        }
        for missing in ["", " ", "-", "—", "N/A", "n.a.", "なし", "OOM", "timeout", "❌"] {
            assert_eq!(read(missing), CellContent::Missing, "{missing}");
        }
        for words in [
            "remote",
            "5.6.17",
            "mysql 8",
            "1-2",
            "1e9999",
            "12 apples",
            "8 16",
            "1000 1600 2000",
            "1.5 000",
            "0x10",
            "1,2,3",
            "--1",
            "a/b",
            "1000 [3]",
            "1000 [TPS, ms]",
            "%",
            "/",
        ] {
            assert!(!matches!(read(words), CellContent::Number(..) | CellContent::Share(_)), "{words}");
        }
        for share in ["99 %", "+0.5%", "-4.0%", "0.01％"] {
            assert!(matches!(read(share), CellContent::Share(_)), "{share}");
        }
        assert_eq!(read("18.6 / 21.9 / 116.1"), CellContent::Several);
    }
}
