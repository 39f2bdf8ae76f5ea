//! Durations that are put together from several units: `1h30m`, `2m 10s`, `PT5M`, and `00:10:00` or `10:00` below a heading that says that it is one.

use crate::words::{half_width, is_among, unit};

/// A longer text is none.
const LONGEST: usize = 40;

/// The seconds of a duration in several units, or in the form of ISO 8601.
pub fn in_units(text: &str) -> Option<f64> {
    let may_be = text.len() <= LONGEST && text.contains(char::is_alphabetic) && text.contains(char::is_numeric);
    if !may_be {
        return None;
    }
    let text = half_width(text).to_lowercase();
    let (text, is_iso) = match text.trim().strip_prefix("pt") {
        Some(rest) => (rest, true),
        None => (text.trim(), false),
    };
    let (mut rest, mut seconds, mut before, mut n) = (text, 0.0, f64::INFINITY, 0);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..end].parse().ok()?;
        rest = rest[end..].trim_start();
        let end = rest.find(|c: char| c.is_ascii_digit() || c.is_whitespace()).unwrap_or(rest.len());
        let of_unit = match &rest[..end] {
            name if is_among(name, "of-hours") => 3600.0,
            "m" => 60.0,
            name => match unit(&[name.to_owned()])? {
                "h" => 3600.0,
                "min" => 60.0,
                "s" => 1.0,
                _ => return None,
            },
        };
        // The units become smaller.
        if of_unit >= before {
            return None;
        }
        (seconds, before, n) = (seconds + number * of_unit, of_unit, n + 1);
        rest = rest[end..].trim_start();
    }
    (n > 1 || (is_iso && n == 1)).then_some(seconds)
}

/// The seconds of `00:10:00`, which may be a time of day too.
pub fn clock(text: &str) -> Option<f64> {
    let text = half_width(text);
    let parts: Vec<&str> = text.trim().split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return None };
    let of = |text: &str, most: f64| {
        let is_number = text.starts_with(|c: char| c.is_ascii_digit()) && text.len() < 9;
        text.parse::<f64>().ok().filter(|value| is_number && *value < most)
    };
    let value = of(hours, 1000.0)? * 3600.0 + of(minutes, 60.0)? * 60.0 + of(seconds, 60.0)?;
    (minutes.len() == 2 && seconds.len() >= 2).then_some(value)
}

/// How headings name the form of durations of two parts, and what the first part counts, s.
pub const FORMS: [(&str, f64); 6] = [
    ("mm:ss", MINUTES),
    ("m:ss", MINUTES),
    ("min:sec", MINUTES),
    ("min:s", MINUTES),
    ("mins:secs", MINUTES),
    ("minutes:seconds", MINUTES),
];
/// `12:34` in minutes and seconds.
pub const MINUTES: f64 = 60.0;
/// `12:34` in hours and minutes.
pub const HOURS: f64 = 3600.0;

/// The seconds of `12:34`, by what its first part counts.
pub fn of_two_parts(text: &str, first_s: f64) -> Option<f64> {
    let text = half_width(text);
    let (first, second) = text.trim().split_once(':')?;
    let digits = |text: &str| !text.is_empty() && text.len() < 6 && text.bytes().all(|b| b.is_ascii_digit());
    let (whole, places) = second.split_once('.').unwrap_or((second, "0"));
    if !digits(first) || whole.len() != 2 || !digits(whole) || !digits(places) {
        return None;
    }
    let (first, second) = (first.parse::<f64>().ok()?, second.parse::<f64>().ok()?);
    (second < 60.0).then_some(first * first_s + second * first_s / 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_several_units_are_in_seconds() {
        for (text, seconds) in [
            ("1h30m", 5400.0),
            ("2m 10s", 130.0),
            ("1 h 30 min", 5400.0),
            ("10m0s", 600.0),
            ("PT5M", 300.0),
            ("PT1H30M", 5400.0),
            ("1時間30分", 5400.0),
            ("1小时30分钟", 5400.0),
        ] {
            assert_eq!(in_units(text), Some(seconds), "{text}");
        }
        for other in ["", "5m", "10", "30s 1m", "1h 2h", "8 cores 16 GB", "4c8g", "m5.xlarge", "PT", "1.2.3", "8s8"] {
            assert_eq!(in_units(other), None, "{other}");
        }
        assert_eq!(clock("00:10:00"), Some(600.0));
        assert_eq!(clock("1:00:00.5"), Some(3600.5));
        assert_eq!(of_two_parts("12:34", MINUTES), Some(754.0));
        assert_eq!(of_two_parts("1:30", HOURS), Some(5400.0));
        assert_eq!(of_two_parts("0:07.5", MINUTES), Some(7.5));
        for other in ["1:2", "1:60", "a:10", ":10", "1:10:00", "10"] {
            assert_eq!(of_two_parts(other, MINUTES), None, "{other}");
        }
        for other in ["10:00", "2024:01:01", "00:61:00", "a:b:c", "1:2:3:4", ""] {
            assert_eq!(clock(other), None, "{other}");
        }
    }
}
