//! Protocol violations in received bytes, and the server's own error messages.

use super::message::Fields;
use std::fmt;

/// A protocol violation. The connection cannot be used any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A message ended before its last field, or a field makes no sense.
    #[error("malformed {0}")]
    Malformed(&'static str),
    /// A message of a kind that is not allowed here.
    #[error("a message of kind {0:?} where none was due")]
    Unexpected(char),
    /// A message exceeds the limit.
    #[error("a message of more than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
}

/// An error reported by the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerError {
    /// The five characters of the SQL state, such as `40P01`.
    pub state: [u8; 5],
    /// The server closed the connection with it.
    pub fatal: bool,
    /// The server's message, followed by its detail.
    pub message: String,
    /// The server's hint.
    pub hint: Option<String>,
    /// The same and the rest, as the server's own programs show it; on the heap, because every statement's future has room for an error.
    pub report: Box<ErrorReport>,
}

/// The parts of an error that the server's own programs show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorReport {
    /// `ERROR`, `FATAL`, ….
    pub severity: String,
    /// Without the detail.
    pub message: String,
    /// More about it.
    pub detail: Option<String>,
    /// Where in the server it happened: a function, a parameter.
    pub context: Option<String>,
    /// The character of the statement that it is about, from 1.
    pub position: Option<u32>,
}

/// At most this many bytes of a server's message are kept.
const TEXT_MOST: usize = 4096;

/// Text from the server for a message to the user.
fn words(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(TEXT_MOST)]).into_owned()
}

impl ServerError {
    /// Reads the body of an error message: fields of a letter and a text.
    pub fn parse(body: &[u8]) -> Result<ServerError, Fault> {
        let mut error =
            ServerError { state: *b"XX000", fatal: false, message: String::new(), hint: None, report: Box::default() };
        let (mut fields, mut detail, mut exact) = (Fields::new(body, "error message"), None, false);
        loop {
            let kind = fields.u8()?;
            if kind == 0 {
                break;
            }
            let text = fields.text()?;
            match kind {
                b'C' => error.state = *text.first_chunk().ok_or(Fault::Malformed("SQL state"))?,
                // The severity in the server's language, and (since 9.6) untranslated.
                b'S' => {
                    error.report.severity = words(text);
                    if !exact {
                        error.fatal = matches!(text, b"FATAL" | b"PANIC");
                    }
                }
                b'V' => (error.fatal, exact) = (matches!(text, b"FATAL" | b"PANIC"), true),
                b'M' => error.message = words(text),
                b'D' => detail = Some(words(text)),
                b'H' => error.hint = Some(words(text)),
                b'W' => error.report.context = Some(words(text)),
                b'P' => error.report.position = words(text).parse().ok(),
                _ => {}
            }
        }
        if !error.state.iter().all(u8::is_ascii_alphanumeric) {
            return Err(Fault::Malformed("SQL state"));
        }
        error.report.message.clone_from(&error.message);
        if let Some(detail) = &detail {
            error.message = format!("{}: {detail}", error.message);
        }
        error.report.detail = detail;
        Ok(error)
    }

    /// The SQL state as text.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.state).unwrap_or("XX000")
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_make_an_error() {
        let e = ServerError::parse(b"SFATAL\0VFATAL\0C57P01\0Mgoing down\0Dnow\0Hwait\0Fx.c\0\0").unwrap();
        assert_eq!((e.code(), e.fatal, e.message.as_str()), ("57P01", true, "going down: now"));
        assert_eq!(e.hint.as_deref(), Some("wait"));
        // An old server reports the severity in its own language only.
        assert!(!ServerError::parse(b"SFEHLER\0C42601\0Mx\0\0").unwrap().fatal);
        // A translated word that looks like another severity does not count if the untranslated one is sent.
        assert!(!ServerError::parse(b"VERROR\0SFATAL\0C42601\0Mx\0\0").unwrap().fatal);
        for wrong in [&b"SERROR\0"[..], b"", b"C42\0\0", b"C4260\xff\0\0", b"Mx"] {
            assert!(ServerError::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
