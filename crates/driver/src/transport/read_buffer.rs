//! Data that were received and not read yet.

use super::stream::Stream;
use std::io;
use std::task::{Context, Poll, ready};

/// Initial size of the buffer, once it is needed. Small, so that thousands of connections share pages and cache lines.
const FIRST: usize = 1024;

/// Its size once a reply has filled it, so that long replies need few calls. It grows further to the largest message
/// that is needed completely and was really received.
const LONG: usize = 16 * 1024;

/// A buffer of which `start..end` was received and not read.
#[derive(Debug)]
pub struct ReadBuffer {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl ReadBuffer {
    pub fn new() -> ReadBuffer {
        ReadBuffer { buffer: Vec::new(), start: 0, end: 0 }
    }

    /// The unread data.
    #[inline]
    pub fn arrived(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Consumes this many bytes.
    #[inline]
    pub fn used(&mut self, bytes: usize) {
        self.start += bytes;
    }

    /// Receives some bytes, with space for up to `wanted` of them; a length that is only claimed is not allocated at
    /// once. 0 if the other side has closed the connection.
    #[inline]
    pub fn poll_fill(&mut self, cx: &mut Context<'_>, stream: &mut Stream, wanted: usize) -> Poll<io::Result<usize>> {
        // The buffer at most doubles with each call: it grows with the received data.
        let wanted = wanted.min((self.end - self.start).max(LONG));
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.buffer.len() - self.end < wanted {
            self.make_room(wanted);
        }
        let n = ready!(stream.poll_receive(cx, &mut self.buffer[self.end..]))?;
        self.end += n;
        if self.end == self.buffer.len() && self.end < LONG {
            self.buffer.resize(LONG, 0);
        }
        Poll::Ready(Ok(n))
    }

    /// Adds data that were received elsewhere; there are no others.
    #[cold]
    pub fn keep(&mut self, received: &[u8]) {
        (self.start, self.end) = (0, received.len());
        if self.buffer.len() < self.end {
            self.buffer.resize(self.end.max(FIRST), 0);
        }
        self.buffer[..self.end].copy_from_slice(received);
    }

    #[cold]
    fn make_room(&mut self, wanted: usize) {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.buffer.len() - self.end < wanted {
            self.buffer.resize((self.end + wanted).max(FIRST), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use tokio::io::AsyncWriteExt;

    #[tokio::test]
    async fn a_claimed_length_takes_no_memory_before_it_has_come() {
        let (ours, mut theirs) = tokio::net::UnixStream::pair().unwrap();
        let (mut line, mut read_buffer) = (Stream::Unix(ours), ReadBuffer::new());
        let piece = vec![7; 1000];
        let mut came = 0;
        for _ in 0..200 {
            theirs.write_all(&piece).await.unwrap();
            came += poll_fn(|cx| read_buffer.poll_fill(cx, &mut line, 1 << 30)).await.unwrap();
            assert!(read_buffer.buffer.len() <= 2 * came.max(LONG), "{} for {came}", read_buffer.buffer.len());
        }
        assert_eq!((came, read_buffer.arrived().len()), (200_000, 200_000));
    }
}
