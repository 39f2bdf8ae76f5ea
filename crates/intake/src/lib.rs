//! Reading what others wrote, within limits: files, lines from a pipe or a connection, the output of a command.
//!
//! Whatever another program, machine or user sends may have no end. Everything here takes the most bytes that it may hold, reads
//! no more than one byte beyond, and fails with an error that says so ([`is_too_long`]). `clippy.toml` disallows the functions of
//! the standard library that read to an end that somebody else decides about.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod command;
mod file;
mod lines;

pub use command::{output, output_within};
pub use file::{file, named_text, regular_file, text, text_or_empty};
pub use lines::{Line, Lines};

use std::fmt;
use std::io::{Error, ErrorKind, Read};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most bytes of files that people or small programs write: option files, notes, passwords, certificates, scripts, versions.
pub const SMALL: u64 = 16 << 20;

/// How long a program that only says its version, or what it sees, may be silent.
pub const SILENCE: std::time::Duration = std::time::Duration::from_secs(60);

/// All bytes up to the end, if these are at most `most`.
pub fn bytes(from: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    expected_bytes(from, most, 0)
}

/// [`bytes()`] where this many are expected, for which room is made at once.
fn expected_bytes(from: impl Read, most: u64, expected: u64) -> std::io::Result<Vec<u8>> {
    // One more, because the end is found by reading beyond it.
    let mut all = Vec::with_capacity(expected.min(most) as usize + usize::from(expected > 0));
    #[expect(clippy::disallowed_methods, reason = "what is read ends at the limit")]
    from.take(most.saturating_add(1)).read_to_end(&mut all)?;
    if all.len() as u64 > most { Err(too_long(most)) } else { Ok(all) }
}

/// The same as text in UTF-8.
pub fn text_of(from: impl Read, most: u64) -> std::io::Result<String> {
    String::from_utf8(bytes(from, most)?).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

/// There is more than may be read.
#[derive(Debug)]
struct TooLong {
    most: u64,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "longer than {}", figure::bytes(self.most as f64))
    }
}

impl std::error::Error for TooLong {}

/// The error of an input that is longer than this.
pub fn too_long(most: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, TooLong { most })
}

/// Whether an input was longer than it may be.
pub fn is_too_long(error: &Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<TooLong>())
}

/// Why something could not be read, in words of the catalogue where it was a limit.
pub fn why(error: &Error) -> Message {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<TooLong>()) {
        Some(TooLong { most }) => msg!("input-too-long", most = figure::bytes(*most as f64)),
        None => foreign(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source without an end that counts what is taken from it.
    pub struct Endless<'a>(pub &'a mut u64);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.fill(b'x');
            *self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn what_has_no_end_is_read_to_the_limit() {
        let mut taken = 0;
        let error = bytes(Endless(&mut taken), 1000).unwrap_err();
        assert!(is_too_long(&error), "{error}");
        assert_eq!(taken, 1001);
        assert_eq!(bytes(&b"1234"[..], 4).unwrap(), b"1234");
        assert_eq!(why(&error).english(), "longer than 1000 B");
    }
}
