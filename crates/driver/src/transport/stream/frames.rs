//! A connection with MySQL's compressed protocol, which starts after the login: all data are in zlib-compressed frames.

use super::Stream;
use std::io;
use std::task::{Context, Poll, ready};
use tenbin_wire::mysql::compressed::{Compressed, Unpacked};

/// Received at a time.
const PIECE: usize = 16 * 1024;

/// The underlying connection, and the buffered data.
pub struct Frames {
    below: Stream,
    codec: Compressed,
    /// Being sent, up to `sent`; empty if nothing is.
    out: Vec<u8>,
    sent: usize,
    /// Received, not yet decompressed.
    packed: Vec<u8>,
    /// Decompressed; read up to `at`.
    plain: Vec<u8>,
    at: usize,
}

impl Frames {
    /// Wraps a connection after the login.
    pub fn over(below: Stream) -> Stream {
        let (codec, out, packed, plain) = (Compressed::default(), Vec::new(), Vec::new(), Vec::new());
        Stream::Frames(Box::new(Frames { below, codec, out, sent: 0, packed, plain, at: 0 }))
    }

    /// Starts a new command: frames are numbered from 0.
    pub fn start(&mut self) {
        self.codec.start();
    }

    /// Sends all of the bytes; to be called with the same ones until it is ready.
    pub fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.out.is_empty() {
            self.codec.frames(&mut self.out, bytes);
            self.sent = 0;
        }
        let sent = ready!(self.below.poll_send(cx, &self.out, &mut self.sent));
        self.out.clear();
        Poll::Ready(sent.map(|()| bytes.len()))
    }

    pub fn poll_receive(&mut self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        while self.at == self.plain.len() {
            self.plain.clear();
            self.at = 0;
            let needs = match self.codec.take(&self.packed, &mut self.plain) {
                Ok(Unpacked::Used(n)) => {
                    self.packed.drain(..n);
                    continue;
                }
                Ok(Unpacked::Needs(n)) => n,
                Err(e) => return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, e))),
            };
            let end = self.packed.len();
            // No more than twice what has arrived, whatever length the frame claims.
            self.packed.resize(end + needs.clamp(PIECE, end.max(PIECE)), 0);
            let received = self.below.poll_receive(cx, &mut self.packed[end..]);
            self.packed.truncate(end + if let Poll::Ready(Ok(n)) = received { n } else { 0 });
            if ready!(received)? == 0 {
                return Poll::Ready(Ok(0));
            }
        }
        let n = buffer.len().min(self.plain.len() - self.at);
        buffer[..n].copy_from_slice(&self.plain[self.at..self.at + n]);
        self.at += n;
        Poll::Ready(Ok(n))
    }

    pub fn certificate(&self) -> Option<&[u8]> {
        self.below.certificate()
    }

    /// The same over what `change` makes of the underlying connection.
    pub fn over_another(mut self, change: impl FnOnce(Stream) -> io::Result<Stream>) -> io::Result<Stream> {
        self.below = change(self.below)?;
        Ok(Stream::Frames(Box::new(self)))
    }
}
