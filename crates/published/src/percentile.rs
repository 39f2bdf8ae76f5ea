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
    let says_nothing =
        |word: &String| is_sign(word) || ["percentile", "percentile-filler"].iter().any(|of| is_among(word, of));
    let sign = all.iter().any(is_sign);
    let rest: Vec<&String> = all.iter().filter(|word| !says_nothing(word)).collect();
    let number = match rest.as_slice() {
        [word] if is_among(word, "median") => return Some(FigureKind::Percentile(5000)),
        // TP99 of Chinese texts.
        [number] if number.starts_with("tp") => &number[1..],
        [number] => number.as_str(),
        [letter, number] if *letter == "p" => return of_number(number),
        // 99.9 written as p99_9.
        [number, tenth] if number.starts_with('p') && tenth.len() == 1 => {
            return of_number(&format!("{}.{tenth}", &number[1..]));
        }
        _ => return None,
    };
    let prefixed = || ["pct", "p"].iter().find_map(|sign| number.strip_prefix(sign));
    let plain = prefixed().or_else(|| SUFFIXES.iter().find_map(|sign| number.strip_suffix(sign)));
    match plain {
        Some("999") => of_number("99.9"),
        Some("9999") => of_number("99.99"),
        Some(number) => of_number(number),
        None if sign => of_number(number),
        None => None,
    }
}

fn of_number(number: &str) -> Option<FigureKind> {
    let hundredths = number.parse::<f64>().ok().map(|percent| (percent * 100.0).round())?;
    (100.0..10_000.0).contains(&hundredths).then_some(FigureKind::Percentile(hundredths as u16))
}
