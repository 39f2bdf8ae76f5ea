//! The bytes of one connection in both directions, for the drivers of servers: what could not be sent at once, and what was received
//! and not read yet.
//!
//! Nearly always a message is sent at once and its reply arrives whole. So both pass through buffers that all connections of a thread
//! share, which remain in the processor's caches; a connection has memory of its own only for what is left over.

use super::read_buffer::ReadBuffer;
use super::stream::Stream;
use crate::Error;
use std::cell::RefCell;
use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll, ready};

/// Received at a time.
const PIECE: usize = 16 * 1024;

thread_local! {
    static RECEIVED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// An open connection and its unsent and unread bytes.
pub struct Channel {
    pub stream: Stream,
    /// Bytes of a message that the socket did not accept at once, of which `rest_sent` were sent since.
    rest: Vec<u8>,
    rest_sent: usize,
    /// Received with what was read before.
    pub unread: ReadBuffer,
    /// Why a message could not be sent. The other side may have given the reason before it closed the connection.
    unsent: Option<Box<io::Error>>,
}

/// How far the reader of [`Channel::poll_read`] came.
pub enum Progress<T> {
    /// More bytes are needed; at least this many are known to follow.
    More(usize),
    /// It has read what it wanted.
    Done(T),
}

/// Why nothing more can be read.
pub enum ReadError {
    /// The reader refused the bytes.
    Refused(Error),
    /// The connection failed; `None`: the other side has closed it.
    Lost(Option<io::Error>),
    /// The message before could not be sent.
    Unsent(io::Error),
}

impl Channel {
    pub fn new(stream: Stream) -> Channel {
        Channel { stream, rest: Vec::new(), rest_sent: 0, unread: ReadBuffer::new(), unsent: None }
    }

    /// Sends a message as far as that is possible without waiting; [`Self::poll_sent`] sends the rest. If it cannot be sent, what is
    /// read next may say why.
    #[inline]
    pub fn start(&mut self, message: &[u8]) {
        match self.stream.try_send(message) {
            Ok(n) if n == message.len() => {}
            Ok(n) => self.keep(&message[n..]),
            Err(error) => self.unsent = Some(Box::new(error)),
        }
    }

    #[cold]
    fn keep(&mut self, rest: &[u8]) {
        self.rest.extend_from_slice(rest);
    }

    /// Waits until everything is sent.
    #[inline]
    pub fn poll_sent(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.rest.is_empty() { Poll::Ready(()) } else { self.poll_rest(cx) }
    }

    #[cold]
    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Err(error) = ready!(self.stream.poll_send(cx, &self.rest, &mut self.rest_sent)) {
            self.unsent = Some(Box::new(error));
        }
        self.rest.clear();
        self.rest_sent = 0;
        Poll::Ready(())
    }

    /// [`Self::start`] and [`Self::poll_sent`], for messages without a reply of their own.
    pub async fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.start(message);
        poll_fn(|cx| self.poll_sent(cx)).await;
        self.unsent.take().map_or(Ok(()), |error| Err(*error))
    }

    /// Whether a message could not be sent; asked once.
    #[inline]
    pub fn take_unsent(&mut self) -> Option<Box<io::Error>> {
        self.unsent.take()
    }

    /// Sends what is left to be sent, and passes what arrives to `read`, until it is done. It returns how many bytes it has consumed.
    #[inline]
    pub fn poll_read<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut read: impl FnMut(&[u8]) -> Result<(usize, Progress<T>), Error>,
    ) -> Poll<Result<T, ReadError>> {
        ready!(self.poll_sent(cx));
        if !self.unread.arrived().is_empty() {
            return self.poll_unread(cx, read);
        }
        let progress = RECEIVED.with_borrow_mut(|received| {
            if received.is_empty() {
                received.resize(PIECE, 0);
            }
            loop {
                let n = match ready!(self.stream.poll_receive(cx, received)) {
                    Ok(n) if n > 0 => n,
                    end => return Poll::Ready(Err(self.lost(end))),
                };
                let (used, progress) = read(&received[..n]).map_err(ReadError::Refused)?;
                if used < n {
                    self.unread.keep(&received[used..n]);
                }
                if used < n || matches!(progress, Progress::Done(_)) {
                    return Poll::Ready(Ok(progress));
                }
            }
        });
        match ready!(progress)? {
            Progress::Done(done) => Poll::Ready(Ok(done)),
            Progress::More(_) => self.poll_unread(cx, read),
        }
    }

    /// The same if a part of what `read` wants has arrived already.
    #[cold]
    fn poll_unread<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut read: impl FnMut(&[u8]) -> Result<(usize, Progress<T>), Error>,
    ) -> Poll<Result<T, ReadError>> {
        loop {
            let (used, progress) = read(self.unread.arrived()).map_err(ReadError::Refused)?;
            self.unread.used(used);
            match progress {
                Progress::Done(done) => return Poll::Ready(Ok(done)),
                Progress::More(wanted) => match ready!(self.unread.poll_fill(cx, &mut self.stream, wanted)) {
                    Ok(n) if n > 0 => {}
                    end => return Poll::Ready(Err(self.lost(end))),
                },
            }
        }
    }

    /// Receives some bytes in addition to those that are unread, with space for `wanted` of them.
    pub async fn fill(&mut self, wanted: usize) -> Result<(), ReadError> {
        poll_fn(|cx| self.poll_sent(cx)).await;
        match poll_fn(|cx| self.unread.poll_fill(cx, &mut self.stream, wanted)).await {
            Ok(n) if n > 0 => Ok(()),
            end => Err(self.lost(end)),
        }
    }

    /// Reads until the other end has closed the connection.
    pub async fn end(&mut self) {
        while self.fill(1).await.is_ok() {
            let arrived = self.unread.arrived().len();
            self.unread.used(arrived);
        }
    }

    #[cold]
    fn lost(&mut self, end: io::Result<usize>) -> ReadError {
        self.unsent.take().map_or_else(|| ReadError::Lost(end.err()), |error| ReadError::Unsent(*error))
    }
}
