//! What a client sends per statement. Hot: appends to a buffer that is reused, so nothing is allocated once warm.

use super::packet;
use super::value::kind;

/// First byte of each command.
pub mod code {
    /// Goodbye; there is no answer.
    pub const QUIT: u8 = 0x01;
    /// Change the schema.
    pub const INIT_DB: u8 = 0x02;
    /// SQL text.
    pub const QUERY: u8 = 0x03;
    /// Are you there?
    pub const PING: u8 = 0x0E;
    /// Prepare a statement.
    pub const STMT_PREPARE: u8 = 0x16;
    /// Execute a prepared statement.
    pub const STMT_EXECUTE: u8 = 0x17;
    /// Part of a long parameter; there is no answer.
    pub const STMT_SEND_LONG_DATA: u8 = 0x18;
    /// Forget a prepared statement; there is no answer.
    pub const STMT_CLOSE: u8 = 0x19;
    /// Bring a prepared statement back to rest.
    pub const STMT_RESET: u8 = 0x1A;
    /// Bring the session back to rest.
    pub const RESET_CONNECTION: u8 = 0x1F;
}

/// One parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Param<'a> {
    /// SQL NULL.
    Null,
    /// Bound as BIGINT.
    Int(i64),
    /// Bound as DOUBLE.
    Float(f64),
    /// Bound as VARCHAR.
    Text(&'a [u8]),
}

impl Param<'_> {
    /// The type number it is bound as; `None` for NULL, which takes whatever the statement had before.
    #[inline]
    fn kind(self) -> Option<u8> {
        match self {
            Param::Null => None,
            Param::Int(_) => Some(kind::LONGLONG),
            Param::Float(_) => Some(kind::DOUBLE),
            Param::Text(_) => Some(kind::VAR_STRING),
        }
    }
}

/// A prepared statement as the client remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The server's number for it.
    pub id: u32,
    /// Type numbers the parameters were last bound as; as many as there are parameters.
    kinds: Vec<u8>,
    /// Whether the server knows `kinds`.
    bound: bool,
}

impl Statement {
    /// A statement that was just prepared.
    pub fn new(id: u32, params: u16) -> Self {
        Statement { id, kinds: vec![kind::VAR_STRING; params.into()], bound: false }
    }

    /// How many parameters it takes.
    #[inline]
    pub fn params(&self) -> usize {
        self.kinds.len()
    }

    /// After an error nobody knows how far the server read: send the types again.
    pub fn unbind(&mut self) {
        self.bound = false;
    }
}

/// Appends the execution of a prepared statement. Types are sent with the first execution and whenever they change.
/// `params` must be as many as the statement takes.
#[inline]
pub fn execute<'a>(out: &mut Vec<u8>, statement: &mut Statement, params: impl Iterator<Item = Param<'a>> + Clone) {
    packet::message(out, 0, |out| {
        let mut head = [0; 10];
        head[0] = code::STMT_EXECUTE;
        head[1..5].copy_from_slice(&statement.id.to_le_bytes());
        head[6] = 1; // iteration count; byte 5 says no cursor
        out.extend_from_slice(&head);
        if statement.kinds.is_empty() {
            return;
        }
        let nulls = out.len();
        out.resize(nulls + statement.kinds.len().div_ceil(8), 0);
        for (i, (known, param)) in statement.kinds.iter_mut().zip(params.clone()).enumerate() {
            match param.kind() {
                None => out[nulls + i / 8] |= 1 << (i % 8),
                Some(kind) if kind != *known => {
                    *known = kind;
                    statement.bound = false;
                }
                Some(_) => {}
            }
        }
        out.push(u8::from(!statement.bound));
        if !statement.bound {
            statement.bound = true;
            for &kind in &statement.kinds {
                out.extend_from_slice(&[kind, 0]);
            }
        }
        for param in params {
            match param {
                Param::Null => {}
                Param::Int(value) => out.extend_from_slice(&value.to_le_bytes()),
                Param::Float(value) => out.extend_from_slice(&value.to_le_bytes()),
                Param::Text(text) => super::bytes::put_lenenc_str(out, text),
            }
        }
    });
}

/// Appends SQL text to be run.
#[inline]
pub fn query(out: &mut Vec<u8>, sql: &[u8]) {
    with_text(out, code::QUERY, sql);
}

/// Appends SQL text to be prepared.
pub fn prepare(out: &mut Vec<u8>, sql: &[u8]) {
    with_text(out, code::STMT_PREPARE, sql);
}

/// Appends the end of a prepared statement.
pub fn close(out: &mut Vec<u8>, statement: u32) {
    with_text(out, code::STMT_CLOSE, &statement.to_le_bytes());
}

/// Appends a ping.
pub fn ping(out: &mut Vec<u8>) {
    with_text(out, code::PING, b"");
}

/// Appends a goodbye.
pub fn quit(out: &mut Vec<u8>) {
    with_text(out, code::QUIT, b"");
}

#[inline]
fn with_text(out: &mut Vec<u8>, code: u8, text: &[u8]) {
    packet::message(out, 0, |out| {
        out.push(code);
        out.extend_from_slice(text);
    });
}
