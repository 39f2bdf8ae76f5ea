//! The login: connect, greeting, TLS, password proof, and whatever else the server requests until it sends OK.

use super::connection::MysqlConnection;
use super::failure::{fault, gone, lost, refused};
use crate::transport::VERSION_MOST;
use crate::transport::access::{Access, Failed, switch};
use crate::transport::connect;
use crate::transport::stream::Stream;
use crate::transport::stream::frames::Frames;
use crate::transport::tls::Mode;
use crate::{Class, Error, Transport};
use tenbin_model::dsn::{Dsn, FOUND_ROWS};
use tenbin_wire::mysql::handshake::{self, Greeting};
use tenbin_wire::mysql::{ServerError, auth, capability, packet};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text;

/// How to log in to one server: checked once, used for every connection.
#[derive(Debug)]
pub(crate) struct ConnectOptions {
    access: Access,
    compress: bool,
    /// UPDATE counts the rows that it finds, and not those that it changes.
    found_rows: bool,
}

impl ConnectOptions {
    pub(crate) fn new(dsn: &Dsn) -> Result<ConnectOptions, Problem> {
        Ok(ConnectOptions { access: Access::new(dsn)?, compress: compress(dsn)?, found_rows: switch(dsn, FOUND_ROWS)? })
    }

    /// Whether sessions are made in which nothing can be changed, by a statement after the login.
    pub(crate) fn is_read_only(&self) -> bool {
        self.access.read_only
    }

    /// How long the login may take.
    pub(crate) fn patience(&self) -> std::time::Duration {
        self.access.patience
    }

    /// Opens a connection.
    pub(crate) async fn open(&self, dsn: &Dsn, transport: Transport) -> Result<MysqlConnection, Error> {
        let mut connection = self.access.open(async |mode| self.steps(dsn, transport, mode).await).await?;
        if self.access.read_only {
            connection.query("SET SESSION TRANSACTION READ ONLY").await?;
        }
        Ok(connection)
    }

    async fn steps(&self, dsn: &Dsn, transport: Transport, mode: Mode) -> Result<MysqlConnection, Failed> {
        let stream = connect(dsn).await?;
        let local = matches!(stream, Stream::Unix(_));
        let mut c = MysqlConnection::new(stream);
        let mut sequence = 0;
        let first = c.message(&mut sequence).await?;
        if first.first() == Some(&0xFF) {
            return Err(refused(ServerError::parse(&first).map_err(fault)?).into());
        }
        let greeting = Greeting::parse(&first).map_err(fault)?;
        c.version = text::short(&greeting.version, VERSION_MOST);
        c.number = greeting.connection_id;
        let mut capabilities = capability::agreed(greeting.capabilities);
        if !dsn.database.is_empty() {
            // Included in the request for TLS too: MariaDB uses the first flags that it receives.
            capabilities |= capability::CONNECT_WITH_DB;
        }
        if self.found_rows {
            capabilities |= greeting.capabilities & capability::FOUND_ROWS;
        }
        if self.compress {
            if greeting.capabilities & capability::COMPRESS == 0 {
                return Err(Error::new(Class::Refused, msg!("server-without-zlib"))
                    .hint(msg!("ask-for-compression-algorithms"))
                    .into());
            }
            capabilities |= capability::COMPRESS;
        }
        c.exchange.caches = capabilities & capability::CACHE_METADATA != 0;
        // The traffic of a Unix socket never leaves the machine; `preferred` does not encrypt it, as the server's own
        // clients do.
        let wanted = mode != Mode::Disabled && !(local && mode == Mode::Preferred);
        let has_tls = greeting.capabilities & capability::SSL != 0;
        if wanted && !has_tls && mode != Mode::Preferred {
            return Err(Error::new(Class::Refused, msg!("server-without-tls"))
                .hint(msg!("set-up-tls-mysql", plain = "tls=disabled"))
                .into());
        }
        if wanted
            && has_tls
            && let Some(config) = &self.access.config
        {
            // Data received before the encryption may have been injected: inside TLS they would be taken for the
            // server's.
            untouched(&c, msg!("data-after-greeting"))?;
            let mut request = Vec::new();
            sequence = packet::message(&mut request, sequence, |out| handshake::ssl_request(out, capabilities));
            c.exchange.send(&request).await?;
            let (stream, about) =
                connect::encrypt(std::mem::replace(&mut c.exchange.channel.stream, Stream::Gone), config, &dsn.host)
                    .await
                    .map_err(Failed::Tls)?;
            c.exchange.channel.stream = stream;
            c.encrypted = Some(about);
            capabilities |= capability::SSL;
        }
        let password = dsn.password.as_deref().unwrap_or("");
        let line = LoginStream { safe: local || c.encrypted.is_some(), encrypted: c.encrypted.is_some() };
        prove(&mut c, &greeting, capabilities, dsn, password, line, sequence).await?;
        if self.compress {
            untouched(&c, msg!("data-before-compression"))?;
            c.exchange.channel.stream = Frames::over(std::mem::replace(&mut c.exchange.channel.stream, Stream::Gone));
        }
        // Only now: a login that blocks its thread could not be given up if the server does not answer.
        let stream = std::mem::replace(&mut c.exchange.channel.stream, Stream::Gone);
        c.exchange.channel.stream = stream.carried_by(transport).map_err(|e| lost(&e))?;
        Ok(c)
    }
}

/// When TLS or compression starts, there must be no unread data that would be taken for data inside it.
fn untouched(c: &MysqlConnection, what: Message) -> Result<(), Error> {
    if c.exchange.channel.unread.arrived().is_empty() {
        return Ok(());
    }
    let hint = msg!("somebody-in-between");
    Err(Error::new(Class::Protocol, what).hint(hint))
}

/// Whether all traffic after the login is compressed; zlib is the only way.
fn compress(dsn: &Dsn) -> Result<bool, Problem> {
    match dsn.options.get("compress").map(String::as_str) {
        Some("zlib") => Ok(true),
        _ => switch(dsn, "compress"),
    }
}

async fn connect(dsn: &Dsn) -> Result<Stream, Error> {
    match dsn.options.get("socket") {
        Some(path) => connect::socket(path, msg!("show-socket")).await,
        None => connect::tcp(dsn, 3306).await,
    }
}

/// The protection of the connection, which decides what may be sent over it.
#[derive(Clone, Copy)]
struct LoginStream {
    /// No one else can read the traffic: a Unix socket, or TLS.
    safe: bool,
    encrypted: bool,
}

/// Whether the OK that ends a login reports the SQL mode `NO_BACKSLASH_ESCAPES` (a status flag).
fn without_backslash(ok: &[u8]) -> bool {
    const STATUS_NO_BACKSLASH_ESCAPES: u16 = 0x0200;
    // The status follows two numbers that are 0 here, one byte each.
    matches!(ok, [0, 0, 0, low, high, ..] if u16::from_le_bytes([*low, *high]) & STATUS_NO_BACKSLASH_ESCAPES != 0)
}

/// Sends the handshake response and continues until the login is complete.
async fn prove(
    c: &mut MysqlConnection,
    greeting: &Greeting,
    capabilities: u64,
    dsn: &Dsn,
    password: &str,
    line: LoginStream,
    mut sequence: u8,
) -> Result<(), Error> {
    let mut plugin = greeting.plugin.clone();
    let mut nonce = greeting.nonce.clone();
    // From an unsupported method the server may still switch to a supported one; otherwise it is the reason of the
    // failure.
    let (first, mut unspoken) = match proof(&plugin, password, &nonce, line) {
        Ok(proof) => (proof, None),
        Err(e) => (Vec::new(), Some(e)),
    };
    let mut out = Vec::new();
    sequence = packet::message(&mut out, sequence, |out| {
        handshake::response(out, capabilities, &dsn.user, &first, &dsn.database, &plugin);
    });
    c.exchange.send(&out).await?;
    // A limit, because a real server completes the login after a few messages.
    for _ in 0..16 {
        let message = c.message(&mut sequence).await?;
        let answer = match message.first() {
            Some(0x00) => {
                c.backslash_escapes = !without_backslash(&message);
                return Ok(());
            }
            Some(0xFF) => {
                let refusal = refused(ServerError::parse(&message).map_err(fault)?);
                return Err(if refusal.number() == Some(1045) { unspoken.unwrap_or(refusal) } else { refusal });
            }
            Some(0xFE) if message.len() == 1 => {
                return Err(Error::new(Class::Refused, msg!("server-wants-old-password"))
                    .hint(msg!("give-account-newer-password")));
            }
            Some(0xFE) => {
                let rest = &message[1..];
                let end = rest.iter().position(|b| *b == 0).unwrap_or(rest.len());
                plugin = String::from_utf8_lossy(&rest[..end]).into_owned();
                nonce = rest.get(end + 1..).unwrap_or(&[]).to_vec();
                nonce.truncate(auth::nonce_length(&plugin));
                unspoken = None;
                proof(&plugin, password, &nonce, line)?
            }
            // sha256_password: the requested key, with or without the byte for more data before it.
            Some(0x01) if plugin == SHA256 => by_rsa(password, &nonce, &message[1..])?,
            Some(b'-') if plugin == SHA256 => by_rsa(password, &nonce, &message)?,
            // caching_sha2: fast authentication succeeded (3), or full authentication is required (4).
            Some(0x01) if plugin != "caching_sha2_password" => {
                return Err(Error::new(Class::Protocol, msg!("login-goes-on-after-plugin", plugin)));
            }
            Some(0x01) if message.get(1) == Some(&3) => continue,
            Some(0x01) if message.get(1) == Some(&4) && line.safe => [password.as_bytes(), &[0]].concat(),
            Some(0x01) if message.get(1) == Some(&4) => vec![2],
            Some(0x01) => by_rsa(password, &nonce, &message[1..])?,
            Some(_) => return Err(Error::new(Class::Protocol, msg!("login-answer-makes-no-sense"))),
            None => return Err(gone()),
        };
        out.clear();
        sequence = packet::message(&mut out, sequence, |out| out.extend_from_slice(&answer));
        c.exchange.send(&out).await?;
    }
    Err(Error::new(Class::Protocol, msg!("server-keeps-asking-for-proofs")))
}

/// The method of MySQL 5.6, which MySQL 8 may also request for unknown accounts.
const SHA256: &str = "sha256_password";

/// The password encrypted with the server's key.
fn by_rsa(password: &str, nonce: &[u8], key: &[u8]) -> Result<Vec<u8>, Error> {
    auth::by_rsa(password.as_bytes(), nonce, key)
        .ok_or_else(|| Error::new(Class::Refused, msg!("rsa-key-unreadable")).hint(msg!("add-tls-required")))
}

/// The proof for a method.
fn proof(plugin: &str, password: &str, nonce: &[u8], line: LoginStream) -> Result<Vec<u8>, Error> {
    let password = password.as_bytes();
    match plugin {
        "mysql_native_password" => Ok(auth::native(password, nonce)),
        "caching_sha2_password" => Ok(auth::caching_sha2(password, nonce)),
        "client_ed25519" => Ok(auth::ed25519(password, nonce)),
        // An empty password is one zero byte; over an unencrypted connection and over a socket the server's key is
        // requested first.
        SHA256 if password.is_empty() || line.encrypted => Ok([password, &[0]].concat()),
        SHA256 => Ok(vec![1]),
        "mysql_clear_password" if line.safe => Ok([password, &[0]].concat()),
        "mysql_clear_password" => {
            Err(Error::new(Class::Refused, msg!("clear-password-refused")).hint(msg!("add-tls-required")))
        }
        "auth_gssapi_client" | "unix_socket" => Ok(Vec::new()),
        other => Err(Error::new(Class::Refused, msg!("authentication-unknown", method = format_args!("{other:.64?}")))
            .code(2054)
            .hint(msg!("use-account-with-known-plugin"))),
    }
}
