//! Prompts on the terminal.

use std::io::{self, Read, Write};
use tenbin_intake::Lines;

/// Prompts for a password like MySQL's programs: on the terminal of the process, or on standard error, with the answer in the first
/// line of standard input, if it has none. The error is a line for standard error.
pub fn password() -> Result<String, String> {
    const PROMPT: &str = "Enter password: ";
    if std::fs::File::open("/dev/tty").is_ok() {
        return rpassword::prompt_password(PROMPT)
            .map_err(|e| format!("no password can be read from the terminal: {e}"));
    }
    let mut errors = io::stderr().lock();
    let _ = errors.write_all(PROMPT.as_bytes()).and_then(|()| errors.flush());
    first_line(io::stdin().lock()).map_err(|e| format!("no password can be read from standard input: {e}"))
}

/// The longest password.
const MOST_BYTES: usize = 64 * 1024;

/// The first line; without one, an empty text.
fn first_line(input: impl Read) -> io::Result<String> {
    let line = Lines::of(input).next(MOST_BYTES).transpose()?;
    let bytes = line.map_or_else(Vec::new, |line| line.bytes().to_vec());
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_the_first_line() {
        let of = |text: &str| first_line(text.as_bytes()).unwrap();
        assert_eq!(["s e\nrest", "secret", "", "\nx"].map(of), ["s e", "secret", "", ""]);
    }
}
