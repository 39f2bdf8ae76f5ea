//! A byte stream: TCP, Unix socket or TLS, on the runtime or blocking the thread.

pub(crate) mod frames;

use frames::Frames;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tenbin_client::Transport;
use tenbin_sockets::{Poller, Socket};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// An open connection to a server.
pub enum Stream {
    /// Shared thread, TCP.
    Tcp(tokio::net::TcpStream),
    /// Shared thread, Unix socket.
    Unix(tokio::net::UnixStream),
    /// Shared thread, TCP or Unix socket, polled by the thread's poller: less than a tenth of the runtime's work per reply.
    Polled(Socket),
    /// Shared thread, TLS.
    Tls(Box<tokio_rustls::client::TlsStream<tokio::net::TcpStream>>),
    /// Shared thread, TLS over a Unix socket.
    TlsUnix(Box<tokio_rustls::client::TlsStream<tokio::net::UnixStream>>),
    /// Own thread, TCP or Unix socket: the kernel does the waiting, which saves the event loop.
    Own(socket2::Socket),
    /// Own thread, TLS.
    OwnTls(Box<StreamOwned<ClientConnection, socket2::Socket>>),
    /// Any of these with compression. On the heap, so that connections without it are no larger.
    Frames(Box<Frames>),
    /// Dismantled; cannot be used any more.
    Gone,
}

impl Stream {
    /// Sends as many of the bytes as are accepted without waiting; all of them on a thread of its own.
    #[inline]
    pub fn try_send(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let tried = match self {
            Stream::Tcp(s) => s.try_write(bytes),
            Stream::Unix(s) => s.try_write(bytes),
            Stream::Polled(s) => s.try_send(bytes),
            Stream::Own(s) => s.write_all(bytes).map(|()| bytes.len()),
            Stream::OwnTls(s) => s.write_all(bytes).and_then(|()| s.flush()).map(|()| bytes.len()),
            // These keep what they cannot send, and need to know later when they can.
            Stream::Tls(_) | Stream::TlsUnix(_) | Stream::Frames(_) => Ok(0),
            Stream::Gone => Err(io::ErrorKind::NotConnected.into()),
        };
        match tried {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(0),
            tried => tried,
        }
    }

    /// Sends `bytes` from `sent` on, and adds what was sent to it; to be called with the same bytes until it is ready. On a thread of
    /// its own it blocks instead of being pending, as does [`Self::poll_receive`].
    #[inline]
    pub fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8], sent: &mut usize) -> Poll<io::Result<()>> {
        while *sent < bytes.len() {
            match ready!(self.poll_write(cx, &bytes[*sent..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                n => *sent += n,
            }
        }
        match self {
            Stream::Tls(s) => Pin::new(s).poll_flush(cx),
            Stream::TlsUnix(s) => Pin::new(s).poll_flush(cx),
            Stream::OwnTls(s) => Poll::Ready(s.flush()),
            _ => Poll::Ready(Ok(())),
        }
    }

    /// Sends some of the bytes.
    fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Stream::Tcp(s) => Pin::new(s).poll_write(cx, bytes),
            Stream::Unix(s) => Pin::new(s).poll_write(cx, bytes),
            Stream::Polled(s) => s.poll_send(cx, bytes),
            Stream::Tls(s) => Pin::new(s).poll_write(cx, bytes),
            Stream::TlsUnix(s) => Pin::new(s).poll_write(cx, bytes),
            Stream::Own(s) => Poll::Ready(interrupted(|| s.write(bytes))),
            Stream::OwnTls(s) => Poll::Ready(interrupted(|| s.write(bytes))),
            Stream::Frames(s) => s.poll_write(cx, bytes),
            Stream::Gone => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }

    /// Waits for bytes and stores them at the front of `buffer`; 0 if the other side has closed the connection.
    #[inline]
    pub fn poll_receive(&mut self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        match self {
            // This way tokio concludes from a short read that nothing is left, and avoids another call.
            Stream::Tcp(s) => poll_read(Pin::new(s), cx, buffer),
            Stream::Unix(s) => poll_read(Pin::new(s), cx, buffer),
            Stream::Polled(s) => s.poll_receive(cx, buffer),
            Stream::Tls(s) => poll_read(Pin::new(s), cx, buffer),
            Stream::TlsUnix(s) => poll_read(Pin::new(s), cx, buffer),
            Stream::Own(s) => Poll::Ready(interrupted(|| s.read(buffer))),
            Stream::OwnTls(s) => Poll::Ready(interrupted(|| s.read(buffer))),
            Stream::Frames(s) => s.poll_receive(cx, buffer),
            Stream::Gone => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }
}

#[inline]
fn poll_read(from: Pin<&mut impl AsyncRead>, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
    let mut buffer = ReadBuf::new(buffer);
    ready!(from.poll_read(cx, &mut buffer))?;
    Poll::Ready(Ok(buffer.filled().len()))
}

impl Stream {
    /// The certificate of the other side, if the connection is encrypted.
    pub fn certificate(&self) -> Option<&[u8]> {
        let session = match self {
            Stream::Tls(s) => s.get_ref().1,
            Stream::TlsUnix(s) => s.get_ref().1,
            Stream::OwnTls(s) => &s.conn,
            Stream::Frames(s) => return s.certificate(),
            _ => return None,
        };
        session.peer_certificates()?.first().map(|c| c.as_ref())
    }

    /// The same connection as a client waits for its replies that has this transport: to be called when it is logged in.
    pub fn carried_by(self, transport: Transport) -> io::Result<Stream> {
        match transport {
            Transport::Alone => self.alone(),
            Transport::Shared => match Poller::current() {
                Some(poller) => self.polled(&poller),
                None => Ok(self),
            },
        }
    }

    /// Removes the socket from the runtime, for a client with its own thread.
    fn alone(self) -> io::Result<Stream> {
        let blocking = |socket: socket2::Socket| socket.set_nonblocking(false).map(|()| socket);
        // Data that were decrypted and not yet read remain in the TLS session and are moved with it.
        let encrypted = |session, socket| Ok::<_, io::Error>(Box::new(StreamOwned::new(session, blocking(socket)?)));
        Ok(match self {
            Stream::Tcp(tcp) => Stream::Own(blocking(tcp.into_std()?.into())?),
            Stream::Unix(unix) => Stream::Own(blocking(unix.into_std()?.into())?),
            Stream::Tls(tls) => {
                let (tcp, session) = tls.into_inner();
                Stream::OwnTls(encrypted(session, tcp.into_std()?.into())?)
            }
            Stream::TlsUnix(tls) => {
                let (unix, session) = tls.into_inner();
                Stream::OwnTls(encrypted(session, unix.into_std()?.into())?)
            }
            Stream::Frames(frames) => frames.over_another(Stream::alone)?,
            already => already,
        })
    }

    /// Moves the socket from the runtime to the poller. What is encrypted remains with the runtime.
    fn polled(self, poller: &Poller) -> io::Result<Stream> {
        Ok(match self {
            Stream::Tcp(tcp) => Stream::Polled(Socket::new(poller, tcp.into_std()?.into())?),
            Stream::Unix(unix) => Stream::Polled(Socket::new(poller, unix.into_std()?.into())?),
            Stream::Frames(frames) => frames.over_another(|below| below.polled(poller))?,
            already => already,
        })
    }
}

/// Retries a call that was interrupted by a signal.
#[inline]
fn interrupted(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match call() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
