//! What a heading says besides its name: the form of its cells, a scale, which value is the better one.

use crate::duration::FORMS;
use crate::scale;
use crate::words::{half_width, has_part, is_among, lower, unit, words};

/// `TPS (higher is better)` without what is in the brackets.
pub fn without_preference(heading: &str) -> Option<String> {
    if heading.len() > LONGEST_SCALED || !heading.contains(['(', '（', '[']) {
        return None;
    }
    let text = half_width(heading);
    let (at, _) = text.char_indices().find(|(at, c)| {
        let inner = text[at + c.len_utf8()..].split([')', ']']).next().unwrap_or("");
        "([".contains(*c) && has_part(&lower(&words(inner)).join(" "), "part-of-preference")
    })?;
    let after = text[at..].find([')', ']']).map_or("", |end| &text[at + end + 1..]);
    Some(format!("{} {after}", text[..at].trim_end()))
}

/// `TPS (mean ± sd)`, `TPS ± SD` without the words of the spread that stands behind each mean.
pub fn without_spread(heading: &str) -> Option<String> {
    let (before, after) = heading.split_once('±').filter(|_| heading.len() <= LONGEST_SCALED)?;
    let spread = lower(&words(after));
    let is_spread = !spread.is_empty() && spread.iter().all(|word| is_among(word, "of-spread"));
    let name = before.trim_end();
    let name = match name.rfind('(') {
        Some(open) if lower(&words(&name[open..])).iter().all(|word| is_among(word, "of-mean")) => &name[..open],
        _ => name,
    };
    (is_spread && !name.trim().is_empty()).then(|| name.trim().to_owned())
}

/// `TPS (95% CI)`, `TPS [mean, sd]` without the brackets, which say that an interval or a spread stands behind each mean.
pub fn without_interval(heading: &str) -> Option<&str> {
    let (name, inner) = heading.rsplit_once(['(', '[']).filter(|_| heading.len() <= LONGEST_SCALED)?;
    if inner.trim_end().trim_end_matches([')', ']']).trim() == "±" && !name.trim().is_empty() {
        return Some(name.trim());
    }
    let inner = lower(&words(inner.trim_end().strip_suffix([')', ']'])?));
    let says_spread = |word: &String| is_among(word, "of-spread");
    let is_filler = |word: &String| is_among(word, "of-mean") || word == "%" || word.parse::<f64>().is_ok();
    let is_interval = inner.iter().any(says_spread) && inner.iter().all(|word| says_spread(word) || is_filler(word));
    (is_interval && !name.trim().is_empty()).then_some(name.trim())
}

/// `Duration (hh:mm:ss)`, `Elapsed (mm:ss)` without the form of its cells.
pub fn without_clock(heading: &str) -> Option<String> {
    let (at, form, _) = clock(heading)?;
    Some(format!("{}{}", &heading[..at], &heading[at + form.len()..]))
}

/// What the first part of `12:34` counts below a heading that names the form of its cells, s: `Elapsed (mm:ss)`.
pub fn form_of_clock(heading: &str) -> Option<f64> {
    clock(heading)?.2
}

/// The form of cells that a heading names: where, as it is written, and what the first of two parts counts.
fn clock(heading: &str) -> Option<(usize, &'static str, Option<f64>)> {
    if !heading.contains(':') {
        return None;
    }
    let text = heading.to_ascii_lowercase();
    let of_two = FORMS.iter().map(|(form, first_s)| (*form, Some(*first_s)));
    let all = ["hh:mm:ss", "h:mm:ss"].into_iter().map(|form| (form, None)).chain(of_two);
    { all }.find_map(|(form, first_s)| Some((text.find(form)?, form, first_s)))
}

/// `QPS x1000`, `TPS (×10^3)`: the scale as a word.
pub fn with_scale_in_words(heading: &str) -> Option<String> {
    const TIMES: [char; 5] = ['x', 'X', '×', '✕', '*'];
    const SCALES: [(&str, &str); 9] = [
        ("1000000", "million"),
        ("1,000,000", "million"),
        ("10^6", "million"),
        ("10⁶", "million"),
        ("1000", "thousand"),
        ("1,000", "thousand"),
        ("10^3", "thousand"),
        ("10³", "thousand"),
        ("1k", "thousand"),
    ];
    if heading.len() > LONGEST_SCALED || !heading.contains(['1', '１', '0']) {
        return None;
    }
    let text = half_width(heading);
    if let Some(scaled) = with_scale_in_brackets(&text).or_else(|| with_power_before(&text)) {
        return Some(scaled);
    }
    let (at, sign) = text.match_indices(TIMES).rfind(|(at, sign)| {
        let is_word_before = text[..*at].ends_with(char::is_alphanumeric);
        !is_word_before && text[at + sign.len()..].trim_start().starts_with('1')
    })?;
    let after = text[at + sign.len()..].trim_start();
    let (scale, word) = SCALES.into_iter().find(|(scale, _)| after.starts_with(scale))?;
    let rest = &after[scale.len()..];
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || ".,^".contains(c));
    (!goes_on).then(|| format!("{} {word} {rest}", &text[..at]))
}

/// `10^3 TPS`: the power of ten as a word.
fn with_power_before(text: &str) -> Option<String> {
    const POWERS: [(&str, &str); 4] =
        [("10^3 ", "thousand"), ("10³ ", "thousand"), ("10^6 ", "million"), ("10⁶ ", "million")];
    POWERS.into_iter().find_map(|(power, word)| Some(format!("{word} {}", text.trim_start().strip_prefix(power)?)))
}

/// A scale that no blanks separate from the words around it, as Chinese and Japanese write them, and with transactions for the pieces in a second that it
/// is of.
pub fn with_scale_apart(text: &str) -> Option<String> {
    if text.len() > LONGEST_SCALED || text.is_ascii() {
        return None;
    }
    let half = half_width(text);
    let is_scale = |c: char| scale::of_word(c.encode_utf8(&mut [0; 4])).is_some() && !c.is_ascii();
    let (at, sign) = half.char_indices().find(|(_, c)| is_scale(*c))?;
    // A hundred of ten thousand is a million.
    let from = at - if half[..at].ends_with(HUNDRED) { HUNDRED.len_utf8() } else { 0 };
    let (before, scale) = (&half[..from], &half[from..at + sign.len_utf8()]);
    let after = half[at + sign.len_utf8()..].trim_start();
    if before.trim_end().ends_with(|last: char| last.is_ascii_digit()) {
        return None;
    }
    // What is counted, and in which time.
    let in_a_second = || {
        let (counted, behind) = after.split_once('/')?;
        let behind = behind.trim_start();
        let end = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
        let is_rate = unit(&[counted.trim().to_owned(), behind[..end].to_lowercase()]) == Some("per-second");
        is_rate.then_some(&behind[end..])
    };
    let before = before.strip_suffix(|c: char| is_among(&c.to_string(), "of-sentence")).unwrap_or(before);
    // The word for a unit says nothing more.
    let last = words(before).last().filter(|last| is_among(&last.to_lowercase(), "of-unit")).cloned();
    let without = before.trim_end_matches([':', ' ']);
    let before = last.and_then(|last| without.strip_suffix(&*last)).unwrap_or(before);
    match in_a_second() {
        Some(rest) => Some(format!("{before} {scale} transactions/s{rest}")),
        None if after.starts_with(|c: char| c.is_ascii_alphabetic()) && from > 0 => {
            Some(format!("{before} {scale} {after}"))
        }
        None => None,
    }
}

/// The character for a hundred.
const HUNDRED: char = '\u{767e}';

/// `QPS [1000/s]`, `TPS (10^3)`, `TPS (000s)`: a number that can be nothing but a scale.
fn with_scale_in_brackets(text: &str) -> Option<String> {
    const THOUSAND: [&str; 8] = ["10^3", "10³", "1e3", "000", "000s", "000's", "1000s", "1,000s"];
    const MILLION: [&str; 6] = ["10^6", "10⁶", "1e6", "000,000", "1000000s", "1,000,000s"];
    let (at, _) = text.match_indices(['(', '[']).next()?;
    let inner = &text[at + 1..];
    let (inner, after) = inner.split_at_checked(inner.find([')', ']'])?)?;
    let inner = inner.trim().to_lowercase();
    let inner = inner.strip_prefix("in ").unwrap_or(&inner);
    let a_second = ["/sec", "/s"].into_iter().find_map(|per| inner.strip_suffix(per));
    let number = a_second.unwrap_or(inner).trim().trim_start_matches('\'');
    let is = |all: &[&str]| all.contains(&number);
    let word = match number {
        "1000" | "1,000" if a_second.is_some() => "thousand",
        _ if is(&THOUSAND) => "thousand",
        _ if is(&MILLION) => "million",
        _ => return None,
    };
    Some(format!("{} {word} {}", &text[..at], &after[1..]))
}

/// The name of a figure of YCSB in words, with that of its operation: `[OVERALL], RunTime(ms)` is the run time, `[READ], AverageLatency(us)` that of reads.
pub fn without_operation(heading: &str) -> Option<String> {
    let (operation, name) = heading.trim().strip_prefix('[')?.split_once(']')?;
    let name = name.trim_start_matches([',', '.', ' ']);
    let is_it = ["RunTime", "Throughput"].iter().any(|begin| name.starts_with(begin)) || name.contains("Latency(");
    if heading.len() > LONGEST_SCALED || !is_it {
        return None;
    }
    let mut text = if operation == "OVERALL" { String::new() } else { format!("{operation} ") };
    let mut last = ' ';
    for c in name.chars() {
        if c.is_ascii_uppercase() && last.is_ascii_lowercase() {
            text.push(' ');
        }
        text.push(c);
        last = c;
    }
    Some(text)
}

/// A longer heading has no scale.
pub const LONGEST_SCALED: usize = 200;

/// A statistic and a time that nothing separates, in either order, as in Chinese, Japanese and German: `Durchschnittslatenz`.
pub fn in_two(word: &str) -> Option<[String; 2]> {
    let is_statistic = |part: &str| ["of-mean", "of-min", "of-max"].iter().any(|of| is_among(part, of));
    let is_time = |part: &str| is_among(part, "of-time");
    let mut pairs =
        word.char_indices().skip(1).map(|(at, _)| word.split_at(at)).filter(|_| word.len() <= LONGEST_SCALED);
    let (one, other) =
        pairs.find(|(one, other)| (is_statistic(one) && is_time(other)) || (is_time(one) && is_statistic(other)))?;
    Some([one.to_owned(), other.to_owned()])
}

/// The words of a name that a program gives, each with a capital letter: `avg Latency Ms` of `avgLatencyMs`.
pub fn words_apart(heading: &str) -> Option<String> {
    if heading.len() > LONGEST_SCALED || !heading.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let mut apart = String::new();
    for c in heading.chars() {
        if c.is_ascii_uppercase() && apart.ends_with(|last: char| last.is_ascii_lowercase() || last.is_ascii_digit()) {
            apart.push(' ');
        }
        apart.push(c);
    }
    (apart.len() > heading.len()).then_some(apart)
}
