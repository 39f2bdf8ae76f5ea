//! What can be wrong with bytes from the other side, and the error message that is right.

use super::bytes::Bytes;
use std::fmt;

/// The other side does not speak the protocol as we know it. The connection is of no further use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A message ended before its last field, or a field makes no sense.
    #[error("malformed {0}")]
    Malformed(&'static str),
    /// A packet was lost, doubled or belongs to something else.
    #[error("packet number {got} where {expected} was due")]
    OutOfOrder {
        /// The number that should have come.
        expected: u8,
        /// The number that came.
        got: u8,
    },
    /// A message is larger than anything we would keep.
    #[error("a message of more than {limit} bytes")]
    TooLong {
        /// How much we would keep.
        limit: usize,
    },
    /// The server wants something we do not speak.
    #[error("the server asks for {0}, which is not spoken here")]
    Unsupported(&'static str),
}

/// An error as the server tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerError {
    /// The server's number, such as 1213.
    pub code: u16,
    /// The five characters of the SQL state; `HY000` where the server sent none.
    pub state: [u8; 5],
    /// The server's words.
    pub message: String,
}

/// No server's error is longer (MYSQL_ERRMSG_SIZE is 512); the rest of one that is gets dropped.
const TEXT_MOST: usize = 4096;

/// Foreign words for a message to a person: at most [`TEXT_MOST`] bytes of them.
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
        // Before the handshake is over the server leaves the state out ("Too many connections").
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
