//! The login: connect, TLS, startup message, password proof as requested by the server, until it is ready.

use super::connection::PostgresConnection;
use super::failure::{fault, lost, refused};
use crate::transport::VERSION_MOST;
use crate::transport::access::{Access, Failed};
use crate::transport::connect;
use crate::transport::stream::Stream;
use crate::transport::tls::Mode;
use crate::{Class, Error, Transport};
use std::sync::atomic::{AtomicBool, Ordering};
use tenbin_model::dsn::Dsn;
use tenbin_wire::postgres::auth::{self, AuthRequest, Binding, Scram};
use tenbin_wire::postgres::command::Out;
use tenbin_wire::postgres::{Fault, ServerError};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_words::text;

/// How to log in to one server: checked once, used for every connection.
#[derive(Debug)]
pub(crate) struct ConnectOptions {
    access: Access,
    bind: Bind,
    /// A password may be sent in clear text over an unencrypted connection.
    cleartext: bool,
    /// A pool between here and the server takes no settings of sessions.
    is_pooled: AtomicBool,
}

/// The encoding of what a session sends and receives. Tenbin's own questions and their replies are UTF-8.
fn encoding(dsn: &Dsn, of: Use) -> &str {
    dsn.options.get("client_encoding").filter(|_| of == Use::Load).map_or("UTF8", String::as_str)
}

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// What a client of a load sends: all settings are those of the address and the account.
    Load,
    /// Tenbin's own questions, which a time limit meant for the load must not end.
    Own,
    /// Questions about the settings of a session: it has those of the server and the account.
    Settings,
}

/// Whether SCRAM is bound to the TLS channel (libpq's `channel_binding`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bind {
    Disable,
    Prefer,
    Require,
}

impl ConnectOptions {
    pub(crate) fn new(dsn: &Dsn) -> Result<ConnectOptions, Problem> {
        let word = |name: &str| dsn.options.get(name).map(String::as_str);
        let bind = match word("channel_binding") {
            None | Some("prefer") => Bind::Prefer,
            Some("disable") => Bind::Disable,
            Some("require") => Bind::Require,
            Some(other) => {
                return Err(
                    Problem::new(msg!("channel-binding-unknown", value = other)).hint(msg!("use-a-channel-binding"))
                );
            }
        };
        let cleartext = match word("cleartext") {
            None | Some("refuse") => false,
            Some("allow") => true,
            Some(other) => {
                return Err(
                    Problem::new(msg!("cleartext-unknown", value = other)).hint(msg!("use-cleartext-refuse-or-allow"))
                );
            }
        };
        Ok(ConnectOptions { access: Access::new(dsn)?, bind, cleartext, is_pooled: AtomicBool::new(false) })
    }

    /// How long the login may take.
    pub(crate) fn patience(&self) -> std::time::Duration {
        self.access.patience
    }

    /// Whether a pool of connections was found between.
    pub(crate) fn is_pooled(&self) -> bool {
        self.is_pooled.load(Ordering::Relaxed)
    }

    /// Opens a connection.
    pub(crate) async fn open(&self, dsn: &Dsn, transport: Transport, of: Use) -> Result<PostgresConnection, Error> {
        let mut settings = Vec::new();
        settings.extend((of != Use::Settings).then(|| ("client_encoding", encoding(dsn, of))));
        if of != Use::Settings && !self.is_pooled() {
            settings.extend(self.access.read_only.then_some(("default_transaction_read_only", "on")));
            settings.extend((of == Use::Own).then_some(("statement_timeout", "0")));
        }
        let settings = settings.as_slice();
        let opened = self.access.open(async |mode| self.steps(dsn, transport, mode, settings).await).await;
        match opened {
            // A pool of connections, which others use too: what a statement set would stay for them.
            Err(error) if settings.len() > 1 && error.message().contains("unsupported startup parameter") => {
                self.is_pooled.store(true, Ordering::Relaxed);
                self.access.open(async |mode| self.steps(dsn, transport, mode, &settings[..1]).await).await
            }
            opened => opened,
        }
    }

    async fn steps(
        &self,
        dsn: &Dsn,
        transport: Transport,
        mode: Mode,
        of_session: &[(&str, &str)],
    ) -> Result<PostgresConnection, Failed> {
        let stream = line(dsn).await?;
        let local = matches!(stream, Stream::Unix(_));
        let mut c = PostgresConnection::new(stream);
        // The traffic of a Unix socket never leaves the machine, and PostgreSQL does not encrypt it: as in libpq the mode is for TCP.
        if mode != Mode::Disabled && !local {
            self.encrypt(&mut c, dsn, mode).await?;
        }
        let mut settings = vec![("user", dsn.user.as_str())];
        if !dsn.database.is_empty() {
            settings.push(("database", &dsn.database));
        }
        settings.push(("application_name", dsn.options.get("application_name").map_or("tenbin", String::as_str)));
        settings.extend(dsn.options.get("options").map(|o| ("options", o.as_str())));
        settings.extend_from_slice(of_session);
        let mut out = Out::default();
        out.startup(settings).map_err(fault)?;
        c.exchange.send_out(&out).await?;
        let safe = local || c.encrypted.is_some() || self.cleartext;
        self.prove(&mut c, dsn, safe).await?;
        // Only now: a login that blocks its thread could not be given up if the server does not answer.
        let stream = std::mem::replace(&mut c.exchange.channel.stream, Stream::Gone);
        c.exchange.channel.stream = stream.carried_by(transport).map_err(|e| lost(&e))?;
        Ok(c)
    }

    /// Requests TLS and, if the server agrees, starts it.
    async fn encrypt(&self, c: &mut PostgresConnection, dsn: &Dsn, mode: Mode) -> Result<(), Failed> {
        c.exchange.send(Out::ssl_request).await?;
        while c.exchange.channel.unread.arrived().is_empty() {
            c.exchange.fill(1).await?;
        }
        let error = match c.exchange.channel.unread.arrived() {
            [b'S'] => {
                c.exchange.channel.unread.used(1);
                let Some(config) = &self.access.config else { return Ok(()) };
                let stream = std::mem::replace(&mut c.exchange.channel.stream, Stream::Gone);
                let (stream, about) = connect::encrypt(stream, config, &dsn.host).await.map_err(Failed::Tls)?;
                (c.exchange.channel.stream, c.encrypted) = (stream, Some(about));
                return Ok(());
            }
            [b'N', ..] if mode == Mode::Preferred => {
                c.exchange.channel.unread.used(1);
                return Ok(());
            }
            // Data received before the encryption may have been injected (CVE-2021-23222).
            [b'S', ..] => Error::new(Class::Protocol, msg!("data-before-tls")),
            [b'N', ..] => Error::new(Class::Refused, msg!("server-without-tls"))
                .hint(msg!("set-up-tls-postgresql", plain = "tls=disabled")),
            // Too many connections, for one.
            [b'E', ..] => refused(ServerError::parse(&c.message().await?.1).map_err(fault)?),
            _ => Error::new(Class::Protocol, msg!("not-a-postgresql-server"))
                .hint(msg!("is-port-right", address = shell::quoted(&dsn.to_string()))),
        };
        Err(error.into())
    }

    /// Answers the server's requests until it is ready.
    async fn prove(&self, c: &mut PostgresConnection, dsn: &Dsn, safe: bool) -> Result<(), Failed> {
        let password = dsn.password.as_deref().unwrap_or("");
        let (mut scram, mut proven) = (None, true);
        // A limit, because a real server completes the login; dozens of settings and notices are normal.
        for _ in 0..1000 {
            let (letter, body) = c.message().await?;
            let request = match letter {
                b'R' => AuthRequest::parse(&body).map_err(fault)?,
                b'E' => {
                    let error = ServerError::parse(&body).map_err(fault)?;
                    // pg_hba.conf may allow this account on unencrypted connections only: `preferred` tries that too,
                    // as libpq does.
                    let plain = error.state == *b"28000" && c.encrypted.is_some();
                    let error = refused(error);
                    return Err(if plain { Failed::Tls(error) } else { Failed::Other(error) });
                }
                b'S' => {
                    if let Some(version) = body.strip_prefix(b"server_version\0") {
                        let version = String::from_utf8_lossy(version.strip_suffix(&[0]).unwrap_or(version));
                        c.version = text::short(&format!("PostgreSQL {version}"), VERSION_MOST);
                    }
                    continue;
                }
                b'Z' if proven => return Ok(()),
                // The cancellation key begins with the process.
                b'K' => {
                    c.number = body.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
                    continue;
                }
                // A notice, the protocol version.
                b'N' | b'v' => continue,
                other => return Err(fault(Fault::Unexpected(char::from(other))).into()),
            };
            if let (AuthRequest::Clear | AuthRequest::Md5(_) | AuthRequest::Sasl(_), "") = (&request, password) {
                let error = Error::new(Class::Refused, msg!("password-missing"));
                return Err(error.hint(msg!("give-password-env")).into());
            }
            if self.bind == Bind::Require && scram.is_none() && !matches!(request, AuthRequest::Sasl(_)) {
                return Err(unbound().into());
            }
            let mut out = Out::default();
            match request {
                AuthRequest::Nothing if proven => continue,
                AuthRequest::Nothing => return Err(unproven(msg!("scram-stops")).into()),
                AuthRequest::Clear if safe => out.password(password.as_bytes()).map_err(fault)?,
                AuthRequest::Clear => {
                    let what = msg!("clear-password-refused");
                    return Err(Error::new(Class::Refused, what).hint(msg!("add-tls-or-allow-cleartext")).into());
                }
                AuthRequest::Md5(salt) => {
                    out.password(auth::md5(&dsn.user, password, salt).as_bytes()).map_err(fault)?;
                }
                AuthRequest::Sasl(mechanisms) => {
                    let (begun, mechanism) =
                        Scram::new(password, self.binding(&mechanisms, c.exchange.channel.stream.certificate())?);
                    if !mechanisms.iter().any(|m| m == mechanism) {
                        return Err(unspoken(&mechanisms.join(", ")).into());
                    }
                    out.sasl_first(mechanism, begun.first()).map_err(fault)?;
                    (scram, proven) = (Some(begun), false);
                }
                AuthRequest::SaslNext(words) => {
                    let Some(scram) = &mut scram else { return Err(unproven(msg!("scram-before-it-begins")).into()) };
                    let answer = scram.next(&words).map_err(|e| unproven(foreign(e)))?;
                    out.sasl_next(answer).map_err(fault)?;
                }
                AuthRequest::SaslLast(words) => {
                    let Some(scram) = &mut scram else { return Err(unproven(msg!("scram-ends-before")).into()) };
                    scram.last(&words).map_err(|e| unproven(foreign(e)))?;
                    proven = true;
                    continue;
                }
                AuthRequest::Other(method) => return Err(unspoken(method).into()),
            }
            c.exchange.send_out(&out).await?;
        }
        Err(Error::new(Class::Protocol, msg!("login-never-ends")).into())
    }

    /// How SCRAM is bound to the TLS channel.
    fn binding(&self, offered: &[String], certificate: Option<&[u8]>) -> Result<Binding, Error> {
        let hash = match self.bind {
            Bind::Disable => None,
            Bind::Prefer | Bind::Require => certificate.and_then(auth::certificate_hash),
        };
        let offers = offered.iter().any(|m| m == "SCRAM-SHA-256-PLUS");
        match hash {
            Some(hash) if offers => Ok(Binding::Certificate(hash)),
            _ if self.bind == Bind::Require => Err(unbound()),
            Some(_) => Ok(Binding::NotOffered),
            None => Ok(Binding::Cannot),
        }
    }
}

fn unbound() -> Error {
    let what = msg!("channel-binding-impossible");
    Error::new(Class::Refused, what).hint(msg!("add-tls-or-drop-channel-binding"))
}

/// The server could not prove that it knows the password.
fn unproven(why: Message) -> Error {
    Error::new(Class::Refused, msg!("server-does-not-know-password", why))
}

fn unspoken(method: &str) -> Error {
    Error::new(Class::Refused, msg!("authentication-unknown", method)).hint(msg!("set-pg-hba-scram"))
}

async fn line(dsn: &Dsn) -> Result<Stream, Error> {
    let Some(path) = dsn.options.get("socket") else { return connect::tcp(dsn, 5432).await };
    // PostgreSQL identifies sockets by their directory; the port determines the file name.
    let name = format!(".s.PGSQL.{}", dsn.port.unwrap_or(5432));
    let path = if path.contains(".s.PGSQL.") { path.clone() } else { format!("{}/{name}", path.trim_end_matches('/')) };
    connect::socket(&path, msg!("show-socket-directories")).await
}
