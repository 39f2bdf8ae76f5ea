//! The seed of all random numbers: `--random-seed`, or its variable of the environment.

/// The seed, and whether it was asked for: by an option, or by the variable. `entropy`: a number from outside.
pub fn seed(
    option: Option<String>,
    variable: Option<String>,
    entropy: &dyn Fn() -> u64,
) -> Result<(u64, bool), String> {
    let (word, source) = match (option, variable) {
        (Some(word), _) => (word, "--random-seed option"),
        (None, Some(word)) => (word, "PGBENCH_RANDOM_SEED environment variable"),
        (None, None) => return Ok((entropy(), false)),
    };
    match word.as_str() {
        "time" | "rand" => Ok((entropy(), true)),
        number => unsigned(number).map(|seed| (seed, true)).ok_or_else(|| {
            format!(
                "unrecognized random seed option \"{number}\"\npgbench: detail: Expecting an unsigned integer, \"time\" or \"rand\".\n\
                 pgbench: error: error while setting random seed from {source}"
            )
        }),
    }
}

/// A number as C's `%lu` reads it: what is too large is the largest, and one with a minus sign counts down from 2⁶⁴.
fn unsigned(text: &str) -> Option<u64> {
    let text = text.trim_ascii_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match digits.parse::<u64>() {
        Ok(number) if text.starts_with('-') => number.wrapping_neg(),
        Ok(number) => number,
        Err(_) => u64::MAX,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_number_as_c_reads_it() {
        for (text, number) in [
            (" 7", Some(7)),
            ("+7", Some(7)),
            ("-1", Some(u64::MAX)),
            ("-7", Some(u64::MAX - 6)),
            ("18446744073709551616", Some(u64::MAX)),
            ("7 ", None),
            ("-", None),
            ("", None),
            ("0x7", None),
        ] {
            assert_eq!(unsigned(text), number, "{text:?}");
        }
        assert_eq!(seed(None, None, &|| 5), Ok((5, false)));
        assert_eq!(seed(Some("rand".into()), None, &|| 5), Ok((5, true)));
        let told = seed(None, Some("x".into()), &|| 5).unwrap_err();
        assert!(told.contains("PGBENCH_RANDOM_SEED") && told.contains("\"x\""), "{told}");
    }
}
