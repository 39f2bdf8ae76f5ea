//! Bytes out, bytes in: TCP, Unix socket or TLS, on the runtime or blocking the thread.

use super::frames::Frames;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// An open line to a server.
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
    /// Any of these, with everything packed inside. On the heap, so that lines without it are no larger.
    Frames(Box<Frames>),
    /// Taken apart; nothing goes through any more.
    Gone,
}

impl Stream {
    /// Sends everything. A socket nearly always takes it at once, so readiness is asked for only when it does not.
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

    /// Waits for bytes and puts them at the front of `buffer`; 0 is the other side's goodbye.
    #[inline]
    pub async fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            // This way tokio learns from a short read that nothing is left, and spares the call that would say so.
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
    /// The certificate that the other side has shown, where the line is encrypted.
    pub fn certificate(&self) -> Option<&[u8]> {
        let session = match self {
            Stream::Tls(s) => s.get_ref().1,
            Stream::OwnTls(s) => &s.conn,
            Stream::Frames(s) => return s.certificate(),
            _ => return None,
        };
        session.peer_certificates()?.first().map(|c| c.as_ref())
    }

    /// Takes the socket off the runtime, for a client that has its thread to itself.
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
                // What was decrypted and not yet read stays inside the TLS session and moves along.
                let (tcp, session) = tls.into_inner();
                Stream::OwnTls(Box::new(StreamOwned::new(session, blocking(tcp)?)))
            }
            Stream::Frames(frames) => frames.alone()?,
            already => already,
        })
    }
}

/// A signal that arrives during a call is no error.
fn interrupted(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match call() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
