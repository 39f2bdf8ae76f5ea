//! Connects over TCP or a Unix socket, and starts TLS.

use super::stream::Stream;
use super::tls;
use crate::{Class, Error};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tenbin_model::dsn::Dsn;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::shell;

/// Opens a TCP connection to the address's host, at its port or `default_port`.
pub async fn tcp(dsn: &Dsn, default_port: u16) -> Result<Stream, Error> {
    let host = if dsn.host.is_empty() || dsn.host == "localhost" { "127.0.0.1" } else { &dsn.host };
    let port = dsn.port.unwrap_or(default_port);
    let named = if dsn.host.is_empty() { host } else { &dsn.host };
    let refused = |e: io::Error| {
        Error::new(Class::Refused, msg!("nothing-answers-at-port", host = named, port, error = e))
            .hint(msg!("is-server-running-at-port", address = shell::quoted(&dsn.to_string())))
    };
    let unknown =
        |e: io::Error| Error::new(Class::Refused, msg!("host-unknown", host, error = e)).hint(msg!("check-host-name"));
    let addresses = tokio::net::lookup_host((host, port)).await.map_err(unknown)?;
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in addresses {
        match tokio::net::TcpStream::connect(address).await {
            Ok(s) => {
                s.set_nodelay(true).map_err(refused)?;
                keep_alive(socket2::SockRef::from(&s));
                return Ok(Stream::Tcp(s));
            }
            Err(e) => last = e,
        }
    }
    Err(refused(last))
}

/// Opens a Unix socket; `where_it_is` says how to find its path.
///
/// If the queue of a socket is full, connecting fails at once instead of waiting, which happens when hundreds of
/// clients start together. It is retried until the caller's time limit.
pub async fn socket(path: &str, where_it_is: Message) -> Result<Stream, Error> {
    loop {
        match tokio::net::UnixStream::connect(path).await {
            Ok(s) => return Ok(Stream::Unix(s)),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => tokio::time::sleep(Duration::from_millis(2)).await,
            Err(e) => {
                return Err(Error::new(Class::Refused, msg!("nothing-answers-at-socket", path, error = e))
                    .hint(msg!("is-server-running", where_it_is)));
            }
        }
    }
}

/// A peer that has disappeared silently is detected after about a minute.
fn keep_alive(socket: socket2::SockRef<'_>) {
    let probes = socket2::TcpKeepalive::new()
        .with_time(Duration::from_secs(30))
        .with_interval(Duration::from_secs(10))
        .with_retries(3);
    // If it cannot be set, the kernel's own (longer) times apply.
    let _ = socket.set_tcp_keepalive(&probes);
}

/// The other side went away in the middle of the handshake.
fn closed() -> Message {
    msg!("tls-closed")
}

/// Starts TLS on a new connection after the server has agreed to it; also returns version and cipher.
pub async fn encrypt(stream: Stream, config: &Arc<ClientConfig>, host: &str) -> Result<(Stream, String), Error> {
    let failed = |e: Message| Error::new(Class::Refused, msg!("tls-failed", error = e));
    let name = ServerName::try_from(if host.is_empty() { "localhost".to_owned() } else { host.to_owned() })
        .map_err(|e| failed(foreign(e)).hint(msg!("give-host-name-or-ip")))?;
    let about = |c: &rustls::CommonState| {
        let version = c.protocol_version().map_or(String::new(), |v| format!("{v:?}"));
        let suite = c.negotiated_cipher_suite().map_or(String::new(), |s| format!(" {:?}", s.suite()));
        version + &suite
    };
    let refused = |e: std::io::Error| {
        let why = e.get_ref().and_then(|e| e.downcast_ref::<rustls::Error>());
        let hint = why.and_then(tls::hint).unwrap_or_else(closed);
        failed(foreign(&e)).hint(hint)
    };
    let connector = tokio_rustls::TlsConnector::from(config.clone());
    match stream {
        Stream::Tcp(tcp) => {
            let tls = connector.connect(name, tcp).await.map_err(refused)?;
            let text = about(tls.get_ref().1);
            Ok((Stream::Tls(Box::new(tls)), text))
        }
        Stream::Unix(unix) => {
            let tls = connector.connect(name, unix).await.map_err(refused)?;
            let text = about(tls.get_ref().1);
            Ok((Stream::TlsUnix(Box::new(tls)), text))
        }
        _ => Err(failed(closed())),
    }
}
