//! A byte stream: TCP, Unix socket or TLS, on the runtime or blocking the thread.

pub(crate) mod frames;

use frames::Frames;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// An open connection to a server.
pub enum Stream {
    /// Shared thread, TCP.
    Tcp(tokio::net::TcpStream),
    /// Shared thread, Unix socket.
    Unix(tokio::net::UnixStream),
    /// Shared thread, TLS.
    Tls(Box<tokio_rustls::client::TlsStream<tokio::net::TcpStream>>),
    /// Own thread, TCP: the kernel does the waiting, which saves the event loop.
    OwnTcp(std::net::TcpStream),
    /// Own thread, Unix socket.
    OwnUnix(std::os::unix::net::UnixStream),
    /// Own thread, TLS.
    OwnTls(Box<StreamOwned<ClientConnection, std::net::TcpStream>>),
    /// Any of these with compression. On the heap, so that connections without it are no larger.
    Frames(Box<Frames>),
    /// Dismantled; cannot be used any more.
    Gone,
}

impl Stream {
    /// Sends everything. A socket nearly always accepts it at once, so it waits for readiness only if it does not.
    #[inline]
    pub async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Stream::Tcp(s) => match s.try_write(bytes) {
                Ok(n) if n == bytes.len() => Ok(()),
                Ok(n) => s.write_all(&bytes[n..]).await,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => s.write_all(bytes).await,
                Err(e) => Err(e),
            },
            Stream::Unix(s) => match s.try_write(bytes) {
                Ok(n) if n == bytes.len() => Ok(()),
                Ok(n) => s.write_all(&bytes[n..]).await,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => s.write_all(bytes).await,
                Err(e) => Err(e),
            },
            Stream::Tls(s) => {
                s.write_all(bytes).await?;
                s.flush().await
            }
            Stream::OwnTcp(s) => s.write_all(bytes),
            Stream::OwnUnix(s) => s.write_all(bytes),
            Stream::OwnTls(s) => {
                s.write_all(bytes)?;
                s.flush()
            }
            Stream::Frames(s) => Box::pin(s.send(bytes)).await,
            Stream::Gone => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Waits for bytes and stores them at the front of `buffer`; returns 0 if the other side has closed the connection.
    #[inline]
    pub async fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            // This way tokio concludes from a short read that nothing is left, and avoids another call.
            Stream::Tcp(s) => s.read(buffer).await,
            Stream::Unix(s) => s.read(buffer).await,
            Stream::Tls(s) => s.read(buffer).await,
            Stream::OwnTcp(s) => interrupted(|| s.read(buffer)),
            Stream::OwnUnix(s) => interrupted(|| s.read(buffer)),
            Stream::OwnTls(s) => interrupted(|| s.read(buffer)),
            Stream::Frames(s) => Box::pin(s.receive(buffer)).await,
            Stream::Gone => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

impl Stream {
    /// The certificate of the other side, if the connection is encrypted.
    pub fn certificate(&self) -> Option<&[u8]> {
        let session = match self {
            Stream::Tls(s) => s.get_ref().1,
            Stream::OwnTls(s) => &s.conn,
            Stream::Frames(s) => return s.certificate(),
            _ => return None,
        };
        session.peer_certificates()?.first().map(|c| c.as_ref())
    }

    /// Removes the socket from the runtime, for a client with its own thread.
    pub fn alone(self) -> io::Result<Stream> {
        let blocking = |tcp: tokio::net::TcpStream| {
            let tcp = tcp.into_std()?;
            tcp.set_nonblocking(false)?;
            Ok::<_, io::Error>(tcp)
        };
        Ok(match self {
            Stream::Tcp(tcp) => Stream::OwnTcp(blocking(tcp)?),
            Stream::Unix(unix) => {
                let unix = unix.into_std()?;
                unix.set_nonblocking(false)?;
                Stream::OwnUnix(unix)
            }
            Stream::Tls(tls) => {
                // Data that were decrypted and not yet read remain in the TLS session and are moved with it.
                let (tcp, session) = tls.into_inner();
                Stream::OwnTls(Box::new(StreamOwned::new(session, blocking(tcp)?)))
            }
            Stream::Frames(frames) => frames.alone()?,
            already => already,
        })
    }
}

/// Retries a call that was interrupted by a signal.
fn interrupted(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match call() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
