//! Framing: every message is split into packets of at most 2²⁴ − 1 bytes, each with its length and a running number.
//!
//! A message whose length is an exact multiple of 2²⁴ − 1 ends with an empty packet, so that the reader knows.

use super::Fault;
use std::borrow::Cow;

/// Bytes before each packet: length (3), number (1).
pub const HEADER: usize = 4;
/// Payload of a full packet: another one of the same message follows.
pub const FULL: usize = 0xFF_FFFF;

/// Appends one message whose payload is appended by `write`; returns the next packet number.
#[inline]
pub fn message(out: &mut Vec<u8>, sequence: u8, write: impl FnOnce(&mut Vec<u8>)) -> u8 {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER]);
    write(out);
    let len = out.len() - start - HEADER;
    if len >= FULL {
        return split(out, start, sequence);
    }
    out[start..start + HEADER].copy_from_slice(&header(len, sequence));
    sequence.wrapping_add(1)
}

/// The four bytes before a packet of `len` payload bytes.
#[inline]
pub fn header(len: usize, sequence: u8) -> [u8; HEADER] {
    debug_assert!(len <= FULL, "a packet holds at most 2^24-1 bytes");
    ((len as u32) | (u32::from(sequence) << 24)).to_le_bytes()
}

/// Whether this may be the final error of a server that closes the connection (idle timeout, shutdown, killed): an
/// unsolicited error packet with number 0. `rest` is the part of its payload that was received.
#[cold]
pub(super) fn unasked(number: u8, len: usize, rest: &[u8]) -> bool {
    number == 0 && (1..FULL).contains(&len) && rest.first().is_none_or(|first| *first == 0xFF)
}

/// Splits the payload after `start + HEADER` into full packets and a last, shorter one.
#[cold]
fn split(out: &mut Vec<u8>, start: usize, sequence: u8) -> u8 {
    let len = out.len() - start - HEADER;
    let packets = len / FULL + 1;
    out.resize(out.len() + (packets - 1) * HEADER, 0);
    // Backwards from the last packet, so that nothing is overwritten before it was moved.
    for i in (0..packets).rev() {
        let from = start + HEADER + i * FULL;
        let chunk = FULL.min(len - i * FULL);
        let to = from + i * HEADER;
        out.copy_within(from..from + chunk, to);
        out[to - HEADER..to].copy_from_slice(&header(chunk, sequence.wrapping_add(i as u8)));
    }
    sequence.wrapping_add(packets as u8)
}

/// One whole message at the front of a buffer.
#[derive(Debug, PartialEq, Eq)]
pub struct WireMessage<'a> {
    /// Its payload; borrowed unless it consists of several packets.
    pub payload: Cow<'a, [u8]>,
    /// Bytes it took in the buffer, headers included.
    pub used: usize,
}

/// Takes the first complete message from `buffer`; `None` if it is incomplete. Not for the hot path: greeting,
/// authentication, and the server's side.
///
/// `sequence` is the expected packet number, and is advanced when a message is taken.
/// A message of more than `limit` bytes is a fault as soon as its length is known, before it is received.
pub fn take<'a>(buffer: &'a [u8], sequence: &mut u8, limit: usize) -> Result<Option<WireMessage<'a>>, Fault> {
    let (mut number, mut at, mut total) = (*sequence, 0, 0);
    let mut parts: Vec<&[u8]> = Vec::new();
    loop {
        let Some((head, rest)) = buffer[at..].split_first_chunk::<HEADER>() else { return Ok(None) };
        let word = u32::from_le_bytes(*head);
        let (len, got) = ((word & 0xFF_FFFF) as usize, (word >> 24) as u8);
        if got != number && !unasked(got, len, rest) {
            return Err(Fault::OutOfOrder { expected: number, got });
        }
        total += len;
        if total > limit {
            return Err(Fault::TooLong { limit });
        }
        let Some(part) = rest.get(..len) else { return Ok(None) };
        at += HEADER + len;
        number = got.wrapping_add(1);
        if len < FULL {
            *sequence = number;
            let payload = if parts.is_empty() {
                Cow::Borrowed(part)
            } else {
                parts.push(part);
                Cow::Owned(parts.concat())
            };
            return Ok(Some(WireMessage { payload, used: at }));
        }
        parts.push(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(len: usize) {
        let payload: Vec<u8> = (0..len).map(|i| (i / 251) as u8).collect();
        let mut out = vec![7; 3];
        let next = message(&mut out, 254, |out| out.extend_from_slice(&payload));
        let mut sequence = 254;
        let message = take(&out[3..], &mut sequence, len).unwrap().unwrap();
        assert_eq!(message.used, out.len() - 3);
        assert!(*message.payload == *payload, "payload of {len} bytes changed");
        assert_eq!(sequence, next);
    }

    #[test]
    fn messages_around_the_size_of_a_packet_come_back() {
        for len in [0, 1, 5, FULL - 1, FULL, FULL + 1, 2 * FULL - 1, 2 * FULL, 2 * FULL + 1] {
            round(len);
        }
    }

    #[test]
    fn incomplete_out_of_order_and_oversized_messages() {
        let mut out = Vec::new();
        message(&mut out, 0, |out| out.extend_from_slice(b"hello"));
        for end in 0..out.len() {
            assert_eq!(take(&out[..end], &mut 0, 5), Ok(None));
        }
        assert_eq!(take(&out, &mut 1, 5), Err(Fault::OutOfOrder { expected: 1, got: 0 }));
        assert_eq!(take(&out[..4], &mut 0, 4), Err(Fault::TooLong { limit: 4 }));
    }
}
