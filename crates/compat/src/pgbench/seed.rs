//! The seed of all random numbers: `--random-seed`, or its variable of the environment.

/// The option, in messages.
pub const OPTION: &str = "--random-seed option";

/// The variable, in messages.
pub const VARIABLE: &str = "PGBENCH_RANDOM_SEED environment variable";

/// The seed that this word of an option or of the variable means. `entropy`: a number from outside.
pub fn seed(word: &str, source: &str, entropy: &dyn Fn() -> u64) -> Result<u64, String> {
    match word {
        "time" | "rand" => Ok(entropy()),
        number => unsigned(number).ok_or_else(|| {
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
        assert_eq!(seed("rand", OPTION, &|| 5), Ok(5));
        let error = seed("x", VARIABLE, &|| 5).unwrap_err();
        assert!(error.contains("PGBENCH_RANDOM_SEED") && error.contains("\"x\""), "{error}");
    }
}
