//! A message from the server: a letter for its kind, its length, its fields.

use super::Fault;

/// Kind and length before every message, bytes.
pub const HEADER: usize = 5;

/// The header of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its letter.
    pub kind: u8,
    /// Length of its body in bytes.
    pub len: usize,
}

impl Head {
    /// Reads a header; `None` if it is incomplete.
    #[inline]
    pub fn read(buffer: &[u8]) -> Result<Option<Head>, Fault> {
        let Some([kind, a, b, c, d]) = buffer.first_chunk::<HEADER>() else { return Ok(None) };
        // The length counts itself; it is a signed number.
        match i32::from_be_bytes([*a, *b, *c, *d]) {
            len @ 4.. => Ok(Some(Head { kind: *kind, len: len as usize - 4 })),
            _ => Err(Fault::Malformed("message length")),
        }
    }
}

/// The first whole message of `buffer`: its kind, its body, and the bytes it takes; `Err` of the bytes that are
/// missing.
pub type Split<'a> = Result<(u8, &'a [u8], usize), usize>;

/// Takes the first message of a buffer. Not for the hot path. Refuses one of more than `most` bytes.
pub fn take(buffer: &[u8], most: usize) -> Result<Split<'_>, Fault> {
    let Some(head) = Head::read(buffer)? else { return Ok(Err(HEADER - buffer.len())) };
    if head.len > most {
        return Err(Fault::TooLong { limit: most });
    }
    let whole = HEADER + head.len;
    Ok(match buffer.get(HEADER..whole) {
        Some(body) => Ok((head.kind, body, whole)),
        None => Err(whole - buffer.len()),
    })
}

/// The fields of a message's body, one after the other.
#[derive(Debug)]
pub struct Fields<'a> {
    rest: &'a [u8],
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// Starts at the first field; `what` names the message in faults.
    pub fn new(body: &'a [u8], what: &'static str) -> Fields<'a> {
        Fields { rest: body, what }
    }

    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let (chunk, rest) = self.rest.split_first_chunk::<N>().ok_or(Fault::Malformed(self.what))?;
        self.rest = rest;
        Ok(*chunk)
    }

    /// One byte.
    pub fn u8(&mut self) -> Result<u8, Fault> {
        self.chunk::<1>().map(|[b]| b)
    }

    /// A 16-bit number.
    pub fn u16(&mut self) -> Result<u16, Fault> {
        self.chunk().map(u16::from_be_bytes)
    }

    /// A 32-bit number.
    pub fn i32(&mut self) -> Result<i32, Fault> {
        self.chunk().map(i32::from_be_bytes)
    }

    /// This many bytes.
    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(Fault::Malformed(self.what))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Text up to a zero.
    pub fn text(&mut self) -> Result<&'a [u8], Fault> {
        let end = self.rest.iter().position(|b| *b == 0).ok_or(Fault::Malformed(self.what))?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Ok(text)
    }

    /// All that is left.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}
