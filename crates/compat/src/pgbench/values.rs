//! The values of options, read as pgbench and the C library read them, with pgbench's messages. Used by [`super::arguments`].

/// Whether a variable of scripts may have this name.
pub(super) fn is_variable(name: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii();
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_part)
}

/// The name and the weight after an `@`.
pub(super) fn weighted(value: &str) -> Result<(String, i64), String> {
    let Some((name, weight)) = value.rsplit_once('@') else { return Ok((value.to_owned(), 1)) };
    match weight.trim_start().parse::<i64>() {
        Ok(weight) if (0..=i64::from(i32::MAX)).contains(&weight) => Ok((name.to_owned(), weight)),
        Ok(weight) => Err(format!("weight specification out of range (0 .. {}): {weight}", i32::MAX)),
        Err(_) => Err(format!("invalid weight specification: @{weight}")),
    }
}

/// A whole number from .. to.
pub(super) fn whole(value: &str, option: &str, from: i64, to: i64) -> Result<u32, String> {
    // As under C's strtol(): nothing is 0.
    let text = value.trim_matches(is_space);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !text.is_empty() && (digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit())) {
        return Err(format!("invalid value \"{value}\" for option {option}"));
    }
    let number = if text.is_empty() { Some(0) } else { text.parse::<i64>().ok() };
    let number = number.filter(|number| (from..=to).contains(number));
    number.map(|number| number as u32).ok_or_else(|| format!("{option} must be in range {from}..{to}"))
}

/// White space as C's isspace() knows it.
fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// A whole number as C's atoi() reads it: what follows it is not read, no number is 0, and of one that is too large the lower 32 bits count.
pub(super) fn atoi(text: &str) -> i32 {
    let text = text.trim_start_matches(is_space);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text).bytes().take_while(u8::is_ascii_digit);
    let size = digits.fold(0_i128, |size, digit| (size * 10 + i128::from(digit - b'0')).min(1 << 63));
    let number = if text.starts_with('-') { -size } else { size };
    number.min(i128::from(i64::MAX)) as i32
}

const INT_MAX: i64 = i32::MAX as i64;

/// The bounds of an option that is a whole number, and its name in messages.
pub(super) fn bounds(name: &str) -> Option<(&'static str, i64, i64)> {
    Some(match name {
        "client" => ("-c/--clients", 1, INT_MAX),
        "jobs" => ("-j/--jobs", 1, INT_MAX),
        "scale" => ("-s/--scale", 1, INT_MAX),
        "transactions" => ("-t/--transactions", 1, INT_MAX),
        "time" => ("-T/--time", 1, INT_MAX),
        "fillfactor" => ("-F/--fillfactor", 10, 100),
        "progress" => ("-P/--progress", 1, INT_MAX),
        "aggregate-interval" => ("--aggregate-interval", 1, INT_MAX),
        "partitions" => ("--partitions", 0, INT_MAX),
        _ => return None,
    })
}

/// A number above 0. As under C's atof(), what follows the number is not read: `10tps`.
pub(super) fn positive(value: &str) -> Option<f64> {
    let value = value.trim_start();
    let number = |end: usize| value.get(..end)?.parse::<f64>().ok().filter(|n| n.is_finite());
    let longest = (1..=value.len().min(64)).rev().find_map(number);
    longest.filter(|n| *n > 0.0)
}

/// Checks the value of an option when it is its turn.
pub(super) fn checked(name: &str, value: &str) -> Result<(), String> {
    if let Some((option, from, to)) = bounds(name) {
        return whole(value, option, from, to).map(|_| ());
    }
    let fails = |wrong: bool, what: String| if wrong { Err(what) } else { Ok(()) };
    match name {
        "protocol" => {
            fails(!["simple", "extended", "prepared"].contains(&value), format!("invalid query mode (-M): \"{value}\""))
        }
        "rate" => fails(positive(value).is_none(), format!("invalid rate limit: \"{value}\"")),
        "latency-limit" => fails(positive(value).is_none(), format!("invalid latency limit: \"{value}\"")),
        "sampling-rate" => {
            fails(positive(value).is_none_or(|n| n > 1.0), format!("invalid sampling rate: \"{value}\""))
        }
        "partition-method" => fails(
            !["range", "hash"].iter().any(|method| value.eq_ignore_ascii_case(method)),
            format!("invalid partition method, expecting \"range\" or \"hash\", got: \"{value}\""),
        ),
        "max-tries" => fails(atoi(value) < 0, format!("invalid number of maximum tries: \"{value}\"")),
        "init-steps" => match value.chars().find(|c| !"dtgGvpf ".contains(*c)) {
            Some(step) => Err(format!(
                "unrecognized initialization step \"{step}\"\npgbench: detail: Allowed step characters are: \"dtgGvpf\"."
            )),
            None => fails(value.is_empty(), "no initialization steps specified".to_owned()),
        },
        _ => Ok(()),
    }
}
