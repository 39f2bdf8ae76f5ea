//! Numbers as text, as C's `printf` and `strtod` have them: 15 significant digits, whole numbers of 64 bits.

/// Appends a whole number.
pub(super) fn write_int(value: i64, out: &mut Vec<u8>) {
    let (mut digits, mut at, mut rest) = ([0u8; 20], 20, value.unsigned_abs());
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// A double with 15 significant digits and no zeros at the end, as `%.15g` prints it; PostgreSQL's names for what is not finite.
pub(super) fn double(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-Infinity" } else { "Infinity" }.to_owned();
    }
    let scientific = format!("{value:.14e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..15).contains(&exponent) {
        return without_zeros(&format!("{value:.*}", (14 - exponent) as usize)).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", without_zeros(mantissa), exponent.unsigned_abs())
}

fn without_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

/// How a text looks that should be a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// It is this one.
    Int(i64),
    /// It consists of a sign and digits, and has no value of 64 bits.
    OutOfRange,
    /// It consists of a sign only.
    Malformed,
    /// It is something else.
    Other,
}

/// Reads white space, a sign and digits, up to the end of the text.
pub(super) fn whole(text: &[u8]) -> Whole {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        return Whole::Other;
    }
    if digits.is_empty() {
        return if text.is_empty() { Whole::Other } else { Whole::Malformed };
    }
    let add = |sum: i64, digit: &u8| {
        let digit = i64::from(digit - b'0');
        let sum = sum.checked_mul(10)?;
        if negative { sum.checked_sub(digit) } else { sum.checked_add(digit) }
    };
    digits.iter().try_fold(0i64, add).map_or(Whole::OutOfRange, Whole::Int)
}

/// The whole number with which a text begins, as C's `atoi` reads it: what follows it, as the fraction of a double, is not read.
pub(super) fn beginning(text: &[u8]) -> i64 {
    let text = text.trim_ascii_start();
    let (sign, digits) = match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, text),
    };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |sum: i64, digit| sum.saturating_mul(10).saturating_add(sign * i64::from(digit - b'0')))
}

/// A double as `strtod` reads it, up to the end of the text; `None` if there is none, or it is too large or too small for one.
pub(super) fn read_double(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii_start();
    let unsigned = text.trim_start_matches(['+', '-']);
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let value = u64::from_str_radix(digits, 16).ok()? as f64;
        return Some(if text.starts_with('-') { -value } else { value });
    }
    let value: f64 = text.parse().ok()?;
    let spelled = unsigned.starts_with(|c: char| c.is_ascii_alphabetic());
    let mantissa = unsigned.split(['e', 'E']).next().unwrap_or_default();
    let vanished = value.is_subnormal() || value == 0.0 && mantissa.contains(|c: char| matches!(c, '1'..='9'));
    (value.is_finite() && !vanished || spelled).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_have_fifteen_digits_as_in_c() {
        let table = [
            (1e100, "1e+100"),
            (1e15, "1e+15"),
            (1e14, "100000000000000"),
            (123_456_789_012_345_678.0, "1.23456789012346e+17"),
            (0.1 + 0.2, "0.3"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (0.0, "0"),
            (-2.5, "-2.5"),
            (2f64.sqrt(), "1.4142135623731"),
            (999_999_999_999_999.9, "1e+15"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ];
        for (value, text) in table {
            assert_eq!(double(value), text);
        }
    }

    #[test]
    fn a_number_is_read_up_to_what_is_none() {
        for (text, number) in [
            ("2.7", 2),
            ("0.5", 0),
            ("10ms", 10),
            (" 7", 7),
            ("+5", 5),
            ("-5", -5),
            ("-0.5", 0),
            ("x", 0),
            ("", 0),
            ("99999999999999999999", i64::MAX),
        ] {
            assert_eq!(beginning(text.as_bytes()), number, "{text}");
        }
    }

    #[test]
    fn whole_numbers_reach_both_ends() {
        let mut out = Vec::new();
        for value in [0, 7, -1, i64::MAX, i64::MIN] {
            out.clear();
            write_int(value, &mut out);
            assert_eq!(String::from_utf8(out.clone()).unwrap(), value.to_string());
            assert_eq!(whole(&out), Whole::Int(value));
        }
        assert_eq!(whole(b"9223372036854775808"), Whole::OutOfRange);
        assert_eq!(
            (whole(b"-"), whole(b""), whole(b"1 "), whole(b" +5")),
            (Whole::Malformed, Whole::Other, Whole::Other, Whole::Int(5))
        );
    }
}
