//! What has arrived and is not read yet.

use super::stream::Stream;
use std::io;

/// First size of the buffer; grows to the largest piece that somebody wants whole.
const FIRST: usize = 16 * 1024;

/// A buffer whose middle, `start..end`, has arrived.
#[derive(Debug)]
pub struct Inbox {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl Inbox {
    pub fn new() -> Inbox {
        Inbox { buffer: vec![0; FIRST], start: 0, end: 0 }
    }

    /// What has arrived.
    #[inline]
    pub fn arrived(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// So many bytes of it are done with.
    #[inline]
    pub fn used(&mut self, bytes: usize) {
        self.start += bytes;
    }

    /// Receives some bytes, having made room for `wanted` of them; 0 is the other side's goodbye.
    #[inline]
    pub async fn fill(&mut self, stream: &mut Stream, wanted: usize) -> io::Result<usize> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.buffer.len() - self.end < wanted {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.buffer.len() - self.end < wanted {
                self.buffer.resize(self.end + wanted, 0);
            }
        }
        let n = stream.receive(&mut self.buffer[self.end..]).await?;
        self.end += n;
        Ok(n)
    }
}
