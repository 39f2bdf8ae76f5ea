//! Parses durations and sizes: `300s`, `1h 30m`, `8GiB`.
//!
//! Pairs of a number and a unit. A bare number is in seconds, or in bytes, on command lines and in plans alike.

use crate::message::Message;
use crate::msg;

/// Units of time in milliseconds.
const TIME: &[(&str, f64)] = &[("ms", 1.0), ("s", 1e3), ("m", 60e3), ("min", 60e3), ("h", 3_600e3), ("d", 86_400e3)];

/// Units of size in bytes. `GiB` is 2³⁰ and `GB` 10⁹; `1G` is not accepted, because only servers use it
/// ([`binary_size`]).
const SIZE: &[(&str, f64)] = &[
    ("B", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
    ("KB", 1e3),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
];

/// Units of time in microseconds.
const SHORT_TIME: &[(&str, f64)] = &[("us", 1.0), ("µs", 1.0), ("ms", 1e3), ("s", 1e6)];

/// Units of rates in bits per second, as `tc` has them.
const BIT_RATE: &[(&str, f64)] = &[("bit", 1.0), ("kbit", 1e3), ("Mbit", 1e6), ("Gbit", 1e9)];

/// Parses a short duration, in seconds if it is a bare number; returns microseconds.
pub fn microseconds(text: &str) -> Result<u64, Message> {
    amount(text, SHORT_TIME, 1e6, || msg!("unit-of-short-time"), "2ms")
}

/// Parses a rate, in bits per second if it is a bare number.
pub fn bits_per_second(text: &str) -> Result<u64, Message> {
    amount(text, BIT_RATE, 1.0, || msg!("unit-of-bit-rate"), "100Mbit")
}

/// `100 Mbit/s`.
pub fn write_bit_rate(bits: u64) -> String {
    let unit = BIT_RATE.iter().rev().find(|(_, one)| bits as f64 >= *one);
    let (unit, one) = unit.copied().unwrap_or(("bit", 1.0));
    format!("{} {unit}/s", bits as f64 / one)
}

/// Parses a duration, in seconds if it is a bare number; returns milliseconds. The error is a part of a sentence: `"sec
/// onds" is not a unit of time (ms, s, m, h, d)`.
pub fn duration_ms(text: &str) -> Result<u64, Message> {
    amount(text, TIME, 1e3, || msg!("unit-of-time"), "300s")
}

/// Parses a size, in bytes if it is a bare number; returns bytes.
pub fn bytes(text: &str) -> Result<u64, Message> {
    amount(text, SIZE, 1.0, || msg!("unit-of-size"), "8GiB")
}

/// Parses a size as the option files and the tools of servers write it: `16M` is 16777216. The suffixes are K, M, G and
/// T, in capital or small letters.
pub fn binary_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// [`binary_size`] as people write it: `16MB`, `16MiB` and `16_384` too; the units are powers of 1024 all the same.
pub fn binary_amount(text: &str) -> Option<u64> {
    let plain = text.trim().replace('_', "").to_ascii_uppercase();
    let number = plain.strip_suffix("IB").filter(|rest| rest.ends_with(['K', 'M', 'G', 'T']));
    binary_size(number.or_else(|| plain.strip_suffix('B')).unwrap_or(&plain))
}

/// Parses a count as people write it: `10000`, `10_000`, `10,000`, `10k`, `1M`, `1.5G`, `1e6`. The factors are decimal, because rows and
/// transactions are counted so.
pub fn count(text: &str) -> Option<u64> {
    let plain = without_commas(&text.trim().replace('_', ""))?;
    let digits = plain.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &plain[digits.len()..] {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" | "b" | "B" => 1e9,
        "t" | "T" => 1e12,
        _ => return None,
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let (Ok(whole), true) = (digits.parse(), factor == 1.0) {
        return Some(whole);
    }
    let number = digits.parse::<f64>().ok()? * factor;
    ((number.round() - number).abs() < 1e-6 && number < 9_007_199_254_740_992.0).then(|| number.round() as u64)
}

/// A number without the commas between its thousands; `None` if they are between something else, as in a list.
fn without_commas(number: &str) -> Option<String> {
    let (whole, rest) = number.split_at(number.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(number.len()));
    let groups: Vec<&str> = whole.split(',').collect();
    let are_thousands = (1..4).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3);
    (groups.len() == 1 || are_thousands).then(|| groups.concat() + rest)
}

/// The duration that was meant by other names of units: `5s` for `5 sec`, `1h 30m` for `1 hour 30 minutes`.
pub fn duration_meant(text: &str) -> Option<String> {
    let lower = text.to_lowercase().replace(',', " ");
    let mut meant = String::new();
    let is_word = |c: char| c.is_alphabetic();
    for part in lower.split_inclusive(|c: char| c.is_whitespace()).flat_map(|part| {
        let (number, word) = part.trim().split_at(part.trim().find(is_word).unwrap_or(part.trim().len()));
        [number.to_owned(), word.to_owned()]
    }) {
        meant += match part.as_str() {
            "" | "and" => continue,
            "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" | "\u{30df}\u{30ea}\u{79d2}" => "ms ",
            "s" | "sec" | "secs" | "second" | "seconds" | "\u{79d2}" => "s ",
            "m" | "min" | "mins" | "minute" | "minutes" | "\u{5206}" => "m ",
            "h" | "hr" | "hrs" | "hour" | "hours" | "\u{6642}\u{9593}" => "h ",
            "d" | "day" | "days" | "\u{65e5}" => "d ",
            other => other,
        };
    }
    let meant = meant.trim().to_owned();
    (meant != text && duration_ms(&meant).is_ok()).then_some(meant)
}

/// Formats a duration so that [`duration_ms`] can parse it: `90s`, `5m`, `1500ms`.
pub fn write_duration(ms: u64) -> String {
    match ms {
        0 => "0s".into(),
        _ if ms.is_multiple_of(86_400_000) => format!("{}d", ms / 86_400_000),
        _ if ms.is_multiple_of(3_600_000) => format!("{}h", ms / 3_600_000),
        _ if ms.is_multiple_of(60_000) => format!("{}m", ms / 60_000),
        _ if ms.is_multiple_of(1000) => format!("{}s", ms / 1000),
        _ => format!("{ms}ms"),
    }
}

fn amount(text: &str, units: &[(&str, f64)], bare: f64, of: fn() -> Message, example: &str) -> Result<u64, Message> {
    let mut rest = text.trim();
    let plain = rest.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if rest.is_empty() {
        return Err(msg!("amount-empty", example = format_args!("{example:?}")));
    }
    let mut total = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number: f64 = match rest[..digits].parse() {
            Ok(number) if digits > 0 => number,
            _ => {
                return Err(msg!(
                    "amount-without-number",
                    text = format_args!("{rest:?}"),
                    example = format_args!("{example:?}")
                ));
            }
        };
        rest = rest[digits..].trim_start();
        let end = rest.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(rest.len());
        let unit = rest[..end].trim_end();
        rest = &rest[end..];
        if unit.is_empty() && (plain || number == 0.0) {
            total += number * bare;
            continue;
        }
        if unit.is_empty() {
            return Err(msg!("amount-without-unit", text = format_args!("{text:?}"), unit = of()));
        }
        match units.iter().find(|(name, _)| *name == unit) {
            Some((_, factor)) => total += number * factor,
            None => return Err(msg!("not-a-unit", text = format_args!("{unit:?}"), unit = of())),
        }
    }
    // Integers below 2⁵³ are exact; larger durations and sizes are rejected.
    if total < 9_007_199_254_740_992.0 {
        Ok(total.round() as u64)
    } else {
        Err(msg!("amount-too-large", text = format_args!("{text:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rates_and_short_times() {
        let rates = ["100Mbit", "1.5Gbit", "512kbit", "64000"].map(|t| bits_per_second(t).unwrap());
        assert_eq!(rates, [100_000_000, 1_500_000_000, 512_000, 64_000]);
        assert_eq!(rates.map(write_bit_rate), ["100 Mbit/s", "1.5 Gbit/s", "512 kbit/s", "64 kbit/s"]);
        assert_eq!(["2ms", "0.25 ms", "80us", "1s"].map(|t| microseconds(t).unwrap()), [2000, 250, 80, 1_000_000]);
        assert!(bits_per_second("100MB").is_err() && microseconds("2m").is_err());
    }

    #[test]
    fn what_people_write_is_read() {
        let read = ["300s", "1.5 m", "1h 30m", "250ms", "2h", "0", "0s", "5min", " 60s ", "300", "0.25"]
            .map(|t| duration_ms(t).unwrap());
        assert_eq!(read, [300_000, 90_000, 5_400_000, 250, 7_200_000, 0, 0, 300_000, 60_000, 300_000, 250]);
        let read = ["8GiB", "1.5KiB", "1KB", "12B", "4096"].map(|t| bytes(t).unwrap());
        assert_eq!(read, [8_589_934_592, 1536, 1000, 12, 4096]);
    }

    #[test]
    fn counts_and_other_names_of_units() {
        let read =
            ["10000", "10_000", "10,000", "10k", "1M", "1.5M", "1e6", "2G", "1.5", "k", "", "-1", "10 k x", "inf", "0"]
                .map(count);
        let some = Some::<u64>;
        assert_eq!(
            read,
            [
                some(10_000),
                some(10_000),
                some(10_000),
                some(10_000),
                some(1_000_000),
                some(1_500_000),
                some(1_000_000),
                some(2_000_000_000),
                None,
                None,
                None,
                None,
                None,
                None,
                some(0)
            ]
        );
        let lists = ["1,2,4", "1,2", "10,00", "1000,000", "1,2k", "1,000,", ",100", "1,000.5,000"].map(count);
        assert_eq!(lists, [None; 8]);
        assert_eq!(["1,000,000", "12,500k", "1,234.5k"].map(count), [1_000_000, 12_500_000, 1_234_500].map(some));
        let meant =
            ["5 sec", "5sec", "1 hour 30 minutes", "2 Min", "10秒", "fast", "5 fortnights", "5s"].map(duration_meant);
        let meant = meant.map(|text| text.unwrap_or_default());
        assert_eq!(meant, ["5s", "5s", "1h 30m", "2m", "10s", "", "", ""]);
    }

    #[test]
    fn sizes_of_servers_have_suffixes_of_their_own() {
        let read = ["16384", "4K", "2g", "1T", "3Q", "K", "", "-1", "16MB", "99999999T"].map(binary_size);
        let none = None;
        assert_eq!(read, [Some(16384), Some(4096), Some(2 << 30), Some(1 << 40), none, none, none, none, none, none]);
    }

    #[test]
    fn what_cannot_be_meant_is_told() {
        let refusals = ["1h 300", "300 sec onds", "", "fast", "-3s", "1..2s", "1e9h", "99999999999999999d"]
            .map(|t| duration_ms(t).unwrap_err());
        insta::assert_snapshot!(refusals.map(|m| m.english().to_owned()).join("\n"), @r#"
        "1h 300" has no unit of time (ms, s, m, h, d)
        "sec onds" is not a unit of time (ms, s, m, h, d)
        it is empty; write for example "300s"
        "fast" does not begin with a number; write for example "300s"
        "-3s" does not begin with a number; write for example "300s"
        "1..2s" does not begin with a number; write for example "300s"
        "e" is not a unit of time (ms, s, m, h, d)
        "99999999999999999d" is too large
        "#);
        assert_eq!(bytes("8G").unwrap_err(), "\"G\" is not a unit of size (B, KiB, MiB, GiB, TiB, KB, MB, GB, TB)");
    }

    proptest! {
        #[test]
        fn written_durations_are_read_back(ms in 0u64..1 << 50) {
            prop_assert_eq!(duration_ms(&write_duration(ms)), Ok(ms));
        }

        #[test]
        fn any_text_is_read_or_told(text in ".{0,40}") {
            let _ = (duration_ms(&text), bytes(&text));
        }
    }
}
