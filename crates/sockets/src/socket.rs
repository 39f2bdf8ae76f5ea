//! A connected stream socket, TCP or Unix, of one client.

use crate::Poller;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::io;
use std::os::fd::OwnedFd;
use std::task::{Context, Poll};

/// A connected, nonblocking stream socket, which can be used on the thread of its poller only.
pub struct Socket {
    /// The number of its poller.
    poller: u32,
    key: u32,
    fd: OwnedFd,
}

impl Socket {
    /// Takes a connected socket, which must be nonblocking. Fails if the kernel does not watch it.
    pub fn new(poller: &Poller, fd: OwnedFd) -> io::Result<Socket> {
        Ok(Socket { poller: poller.number(), key: poller.add(&fd)?, fd })
    }

    /// Sends as many of the bytes as are accepted without waiting, perhaps none.
    #[inline]
    pub fn try_send(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match send(&self.fd, bytes, SendFlags::NOSIGNAL) {
                Ok(n) => return Ok(n),
                Err(Errno::AGAIN) => return Ok(0),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Sends some of the bytes, of which there is at least one.
    pub fn poll_send(&self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.try_send(bytes) {
            Ok(0) => match Poller::with(self.poller, |poller| poller.wait_to_send(self.key, cx)) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
            sent => Poll::Ready(sent),
        }
    }

    /// Waits for bytes and stores them at the front of `buffer`, which has space for at least one; 0 if the other side has closed the
    /// connection.
    #[inline]
    pub fn poll_receive(&self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let received = |poller: &Poller| {
            while poller.poll_readable(self.key, cx) {
                match recv(&self.fd, &mut *buffer, RecvFlags::empty()) {
                    Ok((_, n)) => {
                        // A short read means that nothing is left: epoll(7), question 9.
                        if n < buffer.len() {
                            poller.has_been_read(self.key);
                        }
                        return Poll::Ready(Ok(n));
                    }
                    Err(Errno::AGAIN) => poller.has_nothing(self.key),
                    Err(Errno::INTR) => {}
                    Err(error) => return Poll::Ready(Err(error.into())),
                }
            }
            Poll::Pending
        };
        Poller::with(self.poller, received).unwrap_or_else(|error| Poll::Ready(Err(error)))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // With its thread's poller, its entry is gone too.
        let _ = Poller::with(self.poller, |poller| poller.remove(self.key, &self.fd));
    }
}
