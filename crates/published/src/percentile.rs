//! Percentiles in the words of a heading.

use crate::figure_kind::FigureKind;
use crate::words::is_among;

/// `p95`, `95p`, `95th`, `tp99`.
pub fn is_percentile(word: &str) -> bool {
    let number = ["tp", "pct", "p"].iter().find_map(|sign| word.strip_prefix(sign));
    let number = number.or_else(|| SUFFIXES.iter().find_map(|sign| word.strip_suffix(sign)));
    let is_one_digit = word.len() == 2 && word.starts_with('p') && !word.ends_with('0');
    number.is_some_and(|number| (number.len() > 1 || is_one_digit) && number.parse::<f64>().is_ok())
}

/// What may follow the number of a percentile in one word.
const SUFFIXES: [&str; 6] = ["th", "pctl", "pct", "tile", "ile", "p"];

/// `p99`, `99%`, `99th percentile`, `latency p99.9`, `p999`, `95pct`, `95线`.
pub fn percentile(all: &[String]) -> Option<FigureKind> {
    let is_sign = |word: &String| word == "%" || is_among(word, "percentile-sign");
    let says_nothing = |word: &String| {
        is_sign(word) || ["percentile", "percentile-filler", "of-value"].iter().any(|of| is_among(word, of))
    };
    let sign = all.iter().any(is_sign);
    let says_latency = all.iter().any(|word| is_among(word, "of-latency"));
    let says_value = all.iter().any(|word| is_among(word, "of-value"));
    let rest: Vec<&String> = all.iter().filter(|word| !says_nothing(word)).collect();
    let number = match rest.as_slice() {
        [word] if is_among(word, "median") => return Some(FigureKind::Percentile(5000)),
        // `lat95`, `latency_99`: the only numbers that stand behind such a word.
        [word] if of_latency(word).is_some() => return of_latency(word).and_then(of_number),
        [number] if !sign && is_usual(number) && (says_latency || says_value) => return of_number(number),
        // `95e centile`, `95ème`.
        [number] if sign && ORDINALS.iter().any(|end| number.strip_suffix(end).is_some_and(is_usual)) => {
            return of_number(number.trim_end_matches(char::is_alphabetic));
        }
        // TP99 of Chinese texts.
        [number] if number.starts_with("tp") => &number[1..],
        [number] => number.as_str(),
        [letter, number] if *letter == "p" => return of_number(number),
        // 99.9 written as p99_9; `p95 (1)` has the sign of a note.
        [number, tenth] if *number == "p99" && ["5", "9"].contains(&tenth.as_str()) => {
            return of_number(&format!("{}.{tenth}", &number[1..]));
        }
        _ => return None,
    };
    let prefixed = || ["pct", "p"].iter().find_map(|sign| number.strip_prefix(sign));
    let plain = prefixed().or_else(|| SUFFIXES.iter().find_map(|sign| number.strip_suffix(sign)));
    match plain {
        Some(number) => of_number(number),
        None if sign => of_number(number),
        None => None,
    }
}

/// Endings of ordinal numbers.
const ORDINALS: [&str; 4] = ["e", "ème", "eme", "er"];

/// The number of `lat95`.
fn of_latency(word: &str) -> Option<&str> {
    let number = ["latency", "lat", "rt"].iter().find_map(|name| word.strip_prefix(name))?;
    is_usual(number).then_some(number)
}

/// Whether a number without a sign is that of a percentile: others may be versions or numbers of clients.
fn is_usual(number: &str) -> bool {
    ["75", "90", "95", "98", "99", "99.9", "99.99", "999", "9999"].contains(&number)
}

fn of_number(number: &str) -> Option<FigureKind> {
    let number = match number {
        "999" => "99.9",
        "9999" => "99.99",
        number => number,
    };
    let hundredths = number.parse::<f64>().ok().map(|percent| (percent * 100.0).round())?;
    (100.0..10_000.0).contains(&hundredths).then_some(FigureKind::Percentile(hundredths as u16))
}
