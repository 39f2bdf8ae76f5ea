//! The sockets: where clients knock, and one client's connection over either kind.

use crate::Options;
use mio::event::Source;
use mio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use mio::{Interest, Registry, Token};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// The token of the TCP listener.
pub const TCP: Token = Token(1);
/// The token of the Unix listener.
pub const UNIX: Token = Token(2);

/// Where clients knock.
#[derive(Debug)]
pub struct Listeners {
    tcp: TcpListener,
    unix: Option<UnixListener>,
}

impl Listeners {
    /// Opens the port and, when asked for, the socket; a socket file left by a dead server is replaced.
    pub fn open(options: &Options) -> io::Result<Listeners> {
        use socket2::{Domain, SockAddr, Socket, Type};
        use std::net::{Ipv4Addr, SocketAddr};
        // Thousands of clients connect at once; a short queue would cost each of them a second.
        const QUEUE: i32 = 8192;
        let tcp = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        tcp.set_reuse_address(true)?;
        tcp.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, options.port)).into())?;
        tcp.listen(QUEUE)?;
        tcp.set_nonblocking(true)?;
        let unix = match &options.socket {
            None => None,
            Some(path) => {
                if is_left_over(path) {
                    std::fs::remove_file(path)?;
                }
                let unix = Socket::new(Domain::UNIX, Type::STREAM, None)?;
                unix.bind(&SockAddr::unix(path)?)?;
                unix.listen(QUEUE)?;
                unix.set_nonblocking(true)?;
                Some(UnixListener::from_std(std::os::fd::OwnedFd::from(unix).into()))
            }
        };
        Ok(Listeners { tcp: TcpListener::from_std(tcp.into()), unix })
    }

    /// The TCP port.
    pub fn port(&self) -> io::Result<u16> {
        Ok(self.tcp.local_addr()?.port())
    }

    /// Wakes the loop when a client connects.
    pub fn register(&mut self, registry: &Registry) -> io::Result<()> {
        registry.register(&mut self.tcp, TCP, Interest::READABLE)?;
        match &mut self.unix {
            Some(unix) => registry.register(unix, UNIX, Interest::READABLE),
            None => Ok(()),
        }
    }

    /// Lets the next one in; `WouldBlock` when none waits.
    pub fn accept(&self) -> io::Result<Stream> {
        match self.tcp.accept() {
            Ok((stream, _)) => {
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => match &self.unix {
                Some(unix) => Ok(Stream::Unix(unix.accept()?.0)),
                None => Err(e),
            },
            Err(e) => Err(e),
        }
    }
}

/// Whether there is a socket of a server that has ended. Another file, to which no connection can be made either, is left alone.
fn is_left_over(path: &Path) -> bool {
    let is_socket = path.symlink_metadata().is_ok_and(|about| about.file_type().is_socket());
    is_socket && std::os::unix::net::UnixStream::connect(path).is_err_and(|e| e.kind() == ErrorKind::ConnectionRefused)
}

impl Drop for Listeners {
    fn drop(&mut self) {
        if let Some(path) =
            self.unix.as_ref().and_then(|u| u.local_addr().ok()).and_then(|a| a.as_pathname().map(ToOwned::to_owned))
        {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A client's connection.
#[derive(Debug)]
pub enum Stream {
    /// Over TCP.
    Tcp(TcpStream),
    /// Over a Unix socket.
    Unix(UnixStream),
}

impl Stream {
    /// Reads without waiting.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(s) => s.read(buffer),
            Stream::Unix(s) => s.read(buffer),
        }
    }

    /// Writes without waiting.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(s) => s.write(bytes),
            Stream::Unix(s) => s.write(bytes),
        }
    }

    /// For registration.
    pub fn source(&mut self) -> &mut dyn Source {
        match self {
            Stream::Tcp(s) => s,
            Stream::Unix(s) => s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_not_taken_for_a_socket_that_was_left() {
        let dir = tempfile::tempdir().expect("made");
        let (file, socket) = (dir.path().join("notes"), dir.path().join("socket"));
        std::fs::write(&file, "mine").expect("written");
        drop(std::os::unix::net::UnixListener::bind(&socket).expect("bound"));
        assert!(is_left_over(&socket) && !is_left_over(&file) && !is_left_over(&dir.path().join("none")));
    }
}
