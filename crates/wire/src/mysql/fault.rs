//! Protocol violations in received bytes, and the server's own error messages.

use super::bytes::Bytes;
use std::fmt;

/// A protocol violation. The connection cannot be used any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A message ended before its last field, or a field makes no sense.
    #[error("malformed {0}")]
    Malformed(&'static str),
    /// A packet was lost, duplicated or belongs to something else.
    #[error("packet number {got} where {expected} was due")]
    OutOfOrder {
        /// The expected number.
        expected: u8,
        /// The received number.
        got: u8,
    },
    /// A message exceeds the limit.
    #[error("a message of more than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// The server requires something that is not supported.
    #[error("the server asks for {0}, which is not spoken here")]
    Unsupported(&'static str),
}

/// An error reported by the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerError {
    /// The server's number, such as 1213.
    pub code: u16,
    /// The five characters of the SQL state; `HY000` where the server sent none.
    pub state: [u8; 5],
    /// The server's message.
    pub message: String,
}

/// No server's error is longer (MYSQL_ERRMSG_SIZE is 512); longer messages are truncated.
const TEXT_MOST: usize = 4096;

/// Text from the server for a message to the user: at most [`TEXT_MOST`] bytes.
pub(super) fn words(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(TEXT_MOST)]).into_owned()
}

impl ServerError {
    /// Reads an error message (first byte 0xFF).
    pub fn parse(message: &[u8]) -> Result<ServerError, Fault> {
        let mut bytes = Bytes::new(message, "error message");
        if bytes.u8()? != 0xFF {
            return Err(Fault::Malformed("error message"));
        }
        let code = bytes.u16()?;
        let rest = bytes.rest();
        // Before the handshake is complete the server omits the state ("Too many connections").
        let (state, text) = match rest.split_first() {
            Some((b'#', rest)) => rest.split_first_chunk::<5>().ok_or(Fault::Malformed("error message"))?,
            _ => (b"HY000", rest),
        };
        Ok(ServerError { code, state: *state, message: words(text) })
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
