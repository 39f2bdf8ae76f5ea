//! The compressed protocol: the packets of [`packet`](super::packet), whole or in pieces, inside zlib-compressed
//! frames.
//!
//! Each frame has a header: its length (3), its number (1), and the length of its uncompressed content (3), or 0 if it
//! is not compressed. Content that is short, or does not become shorter, is not compressed.
//!
//! Numbers of frames begin at 0 with each command, like those of packets; the packets' own are made equal to them where
//! the server flushes, so inside frames they carry no information, and neither side checks them. Nor does a client
//! check the numbers of frames: those of a server that rejects a message before its end (larger than
//! `max_allowed_packet`) lag behind.

use super::Fault;
use super::packet::FULL;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// Bytes before each frame.
pub const HEADER: usize = 7;
/// Initial space for the content of a frame; it grows with the data that were decompressed.
const ROOM: usize = 64 * 1024;
/// Shorter content is not compressed; the limit of MySQL itself.
const SHORT: usize = 50;

/// Both directions of one connection.
#[derive(Debug)]
pub struct Compressed {
    pack: Compress,
    unpack: Decompress,
    /// The number of the next frame to be sent.
    next: u8,
}

impl Default for Compressed {
    fn default() -> Self {
        // Level 6 is zlib's and so MySQL's default.
        Compressed { pack: Compress::new(Compression::new(6), true), unpack: Decompress::new(true), next: 0 }
    }
}

impl Compressed {
    /// Starts a new command.
    pub fn start(&mut self) {
        self.next = 0;
    }

    /// Appends the frames that carry `plain`, whole packets with their headers.
    pub fn frames(&mut self, out: &mut Vec<u8>, plain: &[u8]) {
        for piece in plain.chunks(FULL) {
            let start = out.len();
            out.extend_from_slice(&[0; HEADER]);
            let packed = piece.len() >= SHORT && self.pack(out, piece);
            if !packed {
                out.truncate(start + HEADER);
                out.extend_from_slice(piece);
            }
            let inside = if packed { piece.len() } else { 0 };
            let frame = (out.len() - start - HEADER) as u64;
            let header = frame | u64::from(self.next) << 24 | (inside as u64) << 32;
            out[start..start + HEADER].copy_from_slice(&header.to_le_bytes()[..HEADER]);
            self.next = self.next.wrapping_add(1);
        }
    }

    /// Appends `piece` compressed; `false` if it did not become shorter.
    fn pack(&mut self, out: &mut Vec<u8>, piece: &[u8]) -> bool {
        self.pack.reset();
        let start = out.len();
        // No more space than the uncompressed length: if it does not suffice, compression does not complete.
        out.reserve_exact(piece.len());
        let mut used = 0;
        while out.len() - start < piece.len() {
            let room = (piece.len() - (out.len() - start)).min(64 * 1024);
            let end = out.len();
            out.resize(end + room, 0);
            let before = self.pack.total_out();
            let status = self.pack.compress(&piece[used..], &mut out[end..], FlushCompress::Finish);
            used = self.pack.total_in() as usize;
            out.truncate(end + (self.pack.total_out() - before) as usize);
            match status {
                Ok(Status::StreamEnd) => return out.len() - start < piece.len(),
                Ok(_) if out.len() > end => {}
                _ => return false,
            }
        }
        false
    }

    /// Takes the first frame from `arrived` and appends its content to `plain`. Returns the bytes used, or how many
    /// more are needed.
    pub fn take(&mut self, arrived: &[u8], plain: &mut Vec<u8>) -> Result<Unpacked, Fault> {
        let Some((head, rest)) = arrived.split_first_chunk::<HEADER>() else {
            return Ok(Unpacked::Needs(HEADER - arrived.len()));
        };
        let three =
            |at: usize| usize::from(head[at]) | usize::from(head[at + 1]) << 8 | usize::from(head[at + 2]) << 16;
        let (len, inside) = (three(0), three(4));
        let Some(frame) = rest.get(..len) else { return Ok(Unpacked::Needs(len - rest.len())) };
        self.next = head[3].wrapping_add(1);
        if inside == 0 {
            plain.extend_from_slice(frame);
        } else {
            self.unpack(frame, inside, plain)?;
        }
        Ok(Unpacked::Used(HEADER + len))
    }

    /// Appends the content of a frame. Memory grows with the decompressed data, not with the length claimed by the
    /// header.
    fn unpack(&mut self, frame: &[u8], inside: usize, plain: &mut Vec<u8>) -> Result<(), Fault> {
        self.unpack.reset(true);
        let start = plain.len();
        let mut room = inside.min(ROOM);
        loop {
            let (taken, end) = (self.unpack.total_in() as usize, plain.len());
            plain.resize(end + room, 0);
            let done = self.unpack.decompress(&frame[taken..], &mut plain[end..], FlushDecompress::None);
            let out = self.unpack.total_out() as usize;
            plain.truncate(start + out);
            match done {
                Ok(Status::StreamEnd) if out == inside => return Ok(()),
                Ok(Status::Ok) if out > end - start && out < inside => room = (inside - out).min(out),
                // All content is decompressed and only the checksum is not read yet.
                Ok(Status::Ok) if out == inside && self.unpack.total_in() as usize > taken => room = 0,
                _ => return Err(Fault::Malformed("compressed frame")),
            }
        }
    }
}

/// The outcome of processing received bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Unpacked {
    /// A frame of this many bytes was taken.
    Used(usize),
    /// At least this many more bytes are needed.
    Needs(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sends and takes, `piece` bytes at a time.
    fn round(plain: &[u8], piece: usize) -> (usize, Vec<u8>) {
        let (mut out, mut back) = (Vec::new(), Vec::new());
        Compressed::default().frames(&mut out, plain);
        let (mut us, mut start, mut end) = (Compressed::default(), 0, 0);
        while start < out.len() {
            match us.take(&out[start..end], &mut back).unwrap() {
                Unpacked::Used(n) => start += n,
                Unpacked::Needs(n) => {
                    assert!(n > 0 && end + n <= out.len(), "asked for more than there is");
                    end = (end + piece.max(1)).min(out.len());
                }
            }
        }
        (out.len(), back)
    }

    #[test]
    fn what_is_packed_comes_back() {
        let text: Vec<u8> = b"SELECT 1 ".iter().cycle().take(300_000).copied().collect();
        let (sent, back) = round(&text, 1000);
        assert!(back == text && sent < text.len() / 50, "{sent} bytes for {}", text.len());
        // Too short to pack: as it is, behind a header that says so.
        let mut out = Vec::new();
        let mut us = Compressed::default();
        us.frames(&mut out, b"\x01\0\0\0\x0e");
        us.frames(&mut out, b"\x01\0\0\0\x0e");
        assert_eq!(out, b"\x05\0\0\0\0\0\0\x01\0\0\0\x0e\x05\0\0\x01\0\0\0\x01\0\0\0\x0e", "the second has number 1");
        us.start();
        out.clear();
        us.frames(&mut out, b"\x01\0\0\0\x0e");
        assert_eq!(out[3], 0, "a new command");
    }

    #[test]
    fn a_frame_of_mysqls_own_is_read() {
        // SELECT "012345678901234567890123456789012345" as the protocol's documentation has it packed.
        let frame = [
            0x22, 0x00, 0x00, 0x00, 0x32, 0x00, 0x00, 0x78, 0x9c, 0xd3, 0x63, 0x60, 0x60, 0x60, 0x2e, 0x4e, 0xcd, 0x49,
            0x4d, 0x2e, 0x51, 0x50, 0x32, 0x30, 0x34, 0x32, 0x36, 0x31, 0x35, 0x33, 0xb7, 0xb0, 0xc4, 0xcd, 0x52, 0x02,
            0x00, 0x0c, 0xd1, 0x0a, 0x6c,
        ];
        let mut plain = Vec::new();
        assert_eq!(Compressed::default().take(&frame, &mut plain), Ok(Unpacked::Used(frame.len())));
        assert_eq!(plain, b"\x2e\0\0\0\x03select \"012345678901234567890123456789012345\"");
    }

    #[test]
    fn more_than_a_frame_holds_and_what_does_not_get_shorter() {
        let mut seed = 1u64;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 56) as u8
        })
        .take(FULL + 70_000)
        .collect();
        let (sent, back) = round(&noise, 1 << 20);
        assert!(back == noise, "changed");
        assert_eq!(sent, noise.len() + 2 * HEADER, "as it is");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), zlib: bool) {
            if zlib && bytes.len() > 9 {
                let (len, inside) = ((bytes.len() - HEADER) as u8, bytes[4]);
                bytes[..9].copy_from_slice(&[len, 0, 0, 1, inside, 0, 0, 0x78, 0x9c]);
            }
            let mut plain = Vec::new();
            if let Ok(Unpacked::Used(n)) = Compressed::default().take(&bytes, &mut plain) {
                prop_assert!(n <= bytes.len());
            }
        }
    }
}
