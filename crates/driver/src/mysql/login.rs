//! Gets in: connect, greeting, TLS, proof of the password, whatever the server commands for until it says OK.

use super::connection::MysqlConnection;
use super::failure::{fault, gone, lost, refused};
use crate::transport::VERSION_MOST;
use crate::transport::access::{Access, Failed};
use crate::transport::connect;
use crate::transport::frames::Frames;
use crate::transport::stream::Stream;
use crate::transport::tls::Mode;
use crate::{Class, Error, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_model::message::Message;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::text;
use tenbin_wire::mysql::handshake::{self, Greeting};
use tenbin_wire::mysql::{ServerError, auth, capability, packet};

/// How to get into one server: checked once, used for every connection.
#[derive(Debug)]
pub(crate) struct ConnectOptions {
    access: Access,
    compress: bool,
}

impl ConnectOptions {
    pub(crate) fn new(dsn: &Dsn) -> Result<ConnectOptions, Problem> {
        Ok(ConnectOptions { access: Access::new(dsn)?, compress: compress(dsn)? })
    }

    /// How long the server may take to let us in.
    pub(crate) fn patience(&self) -> std::time::Duration {
        self.access.patience
    }

    /// Opens a connection.
    pub(crate) async fn open(&self, dsn: &Dsn, transport: Transport) -> Result<MysqlConnection, Error> {
        self.access.open(async |mode| self.steps(dsn, transport, mode).await).await
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
        let mut capabilities = capability::agreed(greeting.capabilities);
        if !dsn.database.is_empty() {
            // Said before TLS too: MariaDB goes by what it hears first.
            capabilities |= capability::CONNECT_WITH_DB;
        }
        if self.compress {
            if greeting.capabilities & capability::COMPRESS == 0 {
                return Err(Error::new(Class::Refused, msg!("server-without-zlib"))
                    .hint(msg!("ask-for-compression-algorithms"))
                    .into());
            }
            capabilities |= capability::COMPRESS;
        }
        // A Unix socket never leaves the machine; `preferred` leaves it as it is, as the server's own clients do.
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
            // Whoever puts words of his own before the encryption is not the server: inside, they would pass for its.
            untouched(&c, msg!("data-after-greeting"))?;
            let mut request = Vec::new();
            sequence = packet::message(&mut request, sequence, |out| handshake::ssl_request(out, capabilities));
            c.stream.send(&request).await.map_err(|e| lost(&e))?;
            let (stream, about) = connect::encrypt(std::mem::replace(&mut c.stream, Stream::Gone), config, &dsn.host)
                .await
                .map_err(Failed::Tls)?;
            c.stream = stream;
            c.encrypted = Some(about);
            capabilities |= capability::SSL;
        }
        let password = dsn.password.as_deref().unwrap_or("");
        let line = LoginStream { safe: local || c.encrypted.is_some(), encrypted: c.encrypted.is_some() };
        prove(&mut c, &greeting, capabilities, dsn, password, line, sequence).await?;
        if self.compress {
            untouched(&c, msg!("data-before-compression"))?;
            c.stream = Frames::over(std::mem::replace(&mut c.stream, Stream::Gone));
        }
        if transport == Transport::Alone {
            // Only now: a login that blocks its thread could not be given up when the server falls silent.
            c.stream = std::mem::replace(&mut c.stream, Stream::Gone).alone().map_err(|e| lost(&e))?;
        }
        Ok(c)
    }
}

/// Where the form of the line changes nothing may have come in the old form that would be read in the new one.
fn untouched(c: &MysqlConnection, what: Message) -> Result<(), Error> {
    if c.read_buffer.arrived().is_empty() {
        return Ok(());
    }
    let hint = msg!("somebody-in-between");
    Err(Error::new(Class::Protocol, what).hint(hint))
}

/// Whether everything after the login goes packed.
fn compress(dsn: &Dsn) -> Result<bool, Problem> {
    match dsn.options.get("compress").map_or("off", String::as_str) {
        "on" | "true" | "1" | "zlib" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        other => Err(Problem::new(msg!("compress-unknown", value = other)).hint(msg!("use-compress-on-or-off"))),
    }
}

async fn connect(dsn: &Dsn) -> Result<Stream, Error> {
    match dsn.options.get("socket") {
        Some(path) => connect::socket(path, msg!("show-socket")).await,
        None => connect::tcp(dsn, 3306).await,
    }
}

/// What may go over the line as it is.
#[derive(Clone, Copy)]
struct LoginStream {
    /// Nobody else can read it: a Unix socket, or TLS.
    safe: bool,
    encrypted: bool,
}

/// Whether the OK that ends a login says that the session has the SQL mode `NO_BACKSLASH_ESCAPES` (a flag of its status).
fn without_backslash(ok: &[u8]) -> bool {
    const STATUS_NO_BACKSLASH_ESCAPES: u16 = 0x0200;
    // Before the status stand two numbers that are 0 here, one byte each.
    matches!(ok, [0, 0, 0, low, high, ..] if u16::from_le_bytes([*low, *high]) & STATUS_NO_BACKSLASH_ESCAPES != 0)
}

/// Sends the answer to the greeting and goes on until the server is content.
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
    // A method that we do not speak may still be switched to one that we do; if not, it is the reason.
    let (first, mut unspoken) = match proof(&plugin, password, &nonce, line) {
        Ok(proof) => (proof, None),
        Err(e) => (Vec::new(), Some(e)),
    };
    let mut out = Vec::new();
    sequence = packet::message(&mut out, sequence, |out| {
        handshake::response(out, capabilities, &dsn.user, &first, &dsn.database, &plugin);
    });
    c.stream.send(&out).await.map_err(|e| lost(&e))?;
    // A server that never comes to an end is not one.
    for _ in 0..16 {
        let message = c.message(&mut sequence).await?;
        let answer = match message.first() {
            Some(0x00) => {
                c.backslash_escapes = !without_backslash(&message);
                return Ok(());
            }
            Some(0xFF) => {
                let said = refused(ServerError::parse(&message).map_err(fault)?);
                return Err(if said.number() == Some(1045) { unspoken.unwrap_or(said) } else { said });
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
            // sha256_password: the key that we asked for, with the mark of more data before it or not.
            Some(0x01) if plugin == SHA256 => by_rsa(password, &nonce, &message[1..])?,
            Some(b'-') if plugin == SHA256 => by_rsa(password, &nonce, &message)?,
            // caching_sha2: the server knows the password (3), or wants all of it (4).
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
        c.stream.send(&out).await.map_err(|e| lost(&e))?;
    }
    Err(Error::new(Class::Protocol, msg!("server-keeps-asking-for-proofs")))
}

/// MySQL 5.6's method, and what MySQL 8 may ask of an account that it does not know.
const SHA256: &str = "sha256_password";

/// The password under the server's key.
fn by_rsa(password: &str, nonce: &[u8], key: &[u8]) -> Result<Vec<u8>, Error> {
    auth::by_rsa(password.as_bytes(), nonce, key)
        .ok_or_else(|| Error::new(Class::Refused, msg!("rsa-key-unreadable")).hint(msg!("add-tls-required")))
}

/// The proof that a method wants.
fn proof(plugin: &str, password: &str, nonce: &[u8], line: LoginStream) -> Result<Vec<u8>, Error> {
    let password = password.as_bytes();
    match plugin {
        "mysql_native_password" => Ok(auth::native(password, nonce)),
        "caching_sha2_password" => Ok(auth::caching_sha2(password, nonce)),
        "client_ed25519" => Ok(auth::ed25519(password, nonce)),
        // An empty password is one zero byte; over an open line, and over a socket, the server's key is asked for first.
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
