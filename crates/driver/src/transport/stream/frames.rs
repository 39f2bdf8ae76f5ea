//! A connection with MySQL's compressed protocol, which starts after the login: all data are in zlib-compressed frames.

use super::Stream;
use std::io;
use tenbin_wire::mysql::compressed::{Compressed, Unpacked};

/// Received at a time.
const PIECE: usize = 16 * 1024;

/// The underlying connection, and the buffered data.
pub struct Frames {
    below: Stream,
    codec: Compressed,
    out: Vec<u8>,
    /// Received, not yet decompressed.
    packed: Vec<u8>,
    /// Decompressed; read up to `at`.
    plain: Vec<u8>,
    at: usize,
}

impl Frames {
    /// Wraps a connection after the login.
    pub fn over(below: Stream) -> Stream {
        let (codec, out, packed, plain, at) = (Compressed::default(), Vec::new(), Vec::new(), Vec::new(), 0);
        Stream::Frames(Box::new(Frames { below, codec, out, packed, plain, at }))
    }

    /// Starts a new command: frames are numbered from 0.
    pub fn start(&mut self) {
        self.codec.start();
    }

    pub async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.clear();
        self.codec.frames(&mut self.out, bytes);
        self.below.send(&self.out).await
    }

    pub async fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.plain.len() {
            self.plain.clear();
            self.at = 0;
            let needs = match self.codec.take(&self.packed, &mut self.plain) {
                Ok(Unpacked::Used(n)) => {
                    self.packed.drain(..n);
                    continue;
                }
                Ok(Unpacked::Needs(n)) => n,
                Err(e) => return Err(io::Error::new(io::ErrorKind::InvalidData, e)),
            };
            let end = self.packed.len();
            // No more than twice what has arrived, whatever length the frame claims.
            self.packed.resize(end + needs.clamp(PIECE, end.max(PIECE)), 0);
            let n = self.below.receive(&mut self.packed[end..]).await;
            self.packed.truncate(end + *n.as_ref().unwrap_or(&0));
            if n? == 0 {
                return Ok(0);
            }
        }
        let n = buffer.len().min(self.plain.len() - self.at);
        buffer[..n].copy_from_slice(&self.plain[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }

    pub fn certificate(&self) -> Option<&[u8]> {
        self.below.certificate()
    }

    /// The same for a client with its own thread.
    pub fn alone(mut self) -> io::Result<Stream> {
        self.below = self.below.alone()?;
        Ok(Stream::Frames(Box::new(self)))
    }
}
