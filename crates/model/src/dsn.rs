//! How a database is named on a command line and in a plan: `mysql://user@host:3306/schema?tls=required`.
//!
//! | scheme | meaning |
//! |---|---|
//! | `mysql://`, `mariadb://` | a server speaking the MySQL protocol; `?socket=/path` for a Unix socket |
//! | `postgres://`, `postgresql://` | a server speaking the PostgreSQL protocol; `?socket=/directory` for a Unix socket; libpq's names are understood |
//! | `sqlite:PATH`, `sqlite://PATH` | a SQLite file |
//! | `null:` | answers at once; `?delay_us=100` after so many microseconds |
//! | `host:`, `host:DIRECTORY` | no database: this machine itself, or the storage under a directory of it |

use crate::problem::Problem;
use std::collections::BTreeMap;
use std::fmt;

/// Which family of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// MySQL, MariaDB and what speaks their protocol.
    Mysql,
    /// PostgreSQL and what speaks its protocol.
    Postgres,
    /// SQLite.
    Sqlite,
    /// The null driver.
    Null,
    /// This machine itself, for workloads that need no database.
    Host,
}

/// The option that names the file with the password: it is a path and may be shown.
pub const PASSWORD_FILE: &str = "password_file";

/// A parsed address. Its `Display` and `Debug` leave the password out.
#[derive(Clone, PartialEq, Eq)]
pub struct Dsn {
    /// Which family.
    pub scheme: Scheme,
    /// User name; empty when not given.
    pub user: String,
    /// Password when it stood in the text. Prefer an environment variable or a file.
    pub password: Option<String>,
    /// Host name or address (IPv6 without brackets); empty for SQLite and null.
    pub host: String,
    /// TCP port.
    pub port: Option<u16>,
    /// Schema for MySQL, file for SQLite, directory for a host; empty when not given.
    pub database: String,
    /// What stood after `?`: `tls`, `socket`, `tls_ca`, `password_file`, ….
    pub options: BTreeMap<String, String>,
}

impl Dsn {
    /// Reads an address. The problem shows an example of the nearest right form and never repeats a password.
    pub fn parse(text: &str) -> Result<Dsn, Problem> {
        let bad = |what: &str| {
            Problem::new(format!("the address of the database cannot be read: {what}"))
                .mend("write it like mysql://user@127.0.0.1:3306/sbtest, postgres://user@127.0.0.1:5432/sbtest, sqlite:/tmp/test.db or null:")
        };
        let (scheme, rest) = text.split_once(':').ok_or_else(|| bad("it has no scheme"))?;
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, query),
            None => (rest, ""),
        };
        let mut options = BTreeMap::new();
        for pair in query.split('&').filter(|p| !p.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, "1"));
            options.insert(unescape(key), unescape(value));
        }
        let empty = Dsn {
            scheme: Scheme::Null,
            user: String::new(),
            password: None,
            host: String::new(),
            port: None,
            database: String::new(),
            options,
        };
        match scheme {
            "null" => Ok(empty),
            "host" => Ok(Dsn { scheme: Scheme::Host, database: unescape(rest), ..empty }),
            "sqlite" => Ok(Dsn { scheme: Scheme::Sqlite, database: unescape(rest), ..empty }),
            "mysql" | "mariadb" | "postgres" | "postgresql" => {
                let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
                // `user:pa/ss@host` would make the password's end a host or a schema, and show it.
                if database.contains('@') || query.contains('@') {
                    return Err(bad("an @ stands after the host; in a password write @ as %40, / as %2F and ? as %3F"));
                }
                let (account, address) = match authority.rsplit_once('@') {
                    Some((account, address)) => (account, address),
                    None => ("", authority),
                };
                let (user, password) = match account.split_once(':') {
                    Some((user, password)) => (user, Some(unescape(password))),
                    None => (account, None),
                };
                let (host, port) = if let Some(inner) = address.strip_prefix('[') {
                    let (host, after) =
                        inner.split_once(']').ok_or_else(|| bad("an IPv6 address needs its closing ]"))?;
                    (host, after.strip_prefix(':'))
                } else {
                    match address.rsplit_once(':') {
                        Some((host, port)) => (host, Some(port)),
                        None => (address, None),
                    }
                };
                let port = match port {
                    Some(p) => {
                        Some(p.parse().map_err(|_| bad("what follows the host's colon is not a port (1 to 65535)"))?)
                    }
                    None => None,
                };
                let dsn = Dsn {
                    scheme: if scheme.starts_with('p') { Scheme::Postgres } else { Scheme::Mysql },
                    user: unescape(user),
                    password,
                    host: unescape(host),
                    port,
                    database: unescape(database),
                    ..empty
                };
                if dsn.scheme == Scheme::Postgres { as_libpq(dsn).map_err(|what| bad(&what)) } else { Ok(dsn) }
            }
            other => Err(bad(&format!(
                "{other:?} is not a database we speak to (mysql, mariadb, postgres, postgresql, sqlite, null)"
            ))),
        }
    }

    /// The same address without its password, as it may be written anywhere.
    pub fn without_password(&self) -> String {
        self.to_string()
    }

    /// Whether the database is on this machine: a Unix socket, a loopback address, a file, or nothing at all.
    pub fn is_local(&self) -> bool {
        !matches!(self.scheme, Scheme::Mysql | Scheme::Postgres)
            || self.options.contains_key("socket")
            || matches!(self.host.as_str(), "" | "localhost" | "::1")
            || self.host.starts_with("127.")
    }
}

/// What libpq calls otherwise gets the name that it has here: `sslmode` is `tls`, a host that is a path is a socket's directory.
fn as_libpq(mut dsn: Dsn) -> Result<Dsn, String> {
    for (theirs, ours) in [
        ("sslmode", "tls"),
        ("sslrootcert", "tls_ca"),
        ("sslcert", "tls_cert"),
        ("sslkey", "tls_key"),
        ("connect_timeout", "connect_timeout_s"),
    ] {
        if let Some(value) = dsn.options.remove(theirs)
            && dsn.options.insert(ours.to_owned(), value).is_some()
        {
            return Err(format!("{theirs} and {ours} are the same; keep one of them"));
        }
    }
    if let Some(mode) = dsn.options.get_mut("tls") {
        let ours = match mode.as_str() {
            "disable" => "disabled",
            "allow" | "prefer" => "preferred",
            "require" => "required",
            "verify-full" => "verify-identity",
            other => other,
        };
        *mode = ours.to_owned();
    }
    dsn.user = dsn.options.remove("user").unwrap_or(dsn.user);
    dsn.password = dsn.options.remove("password").or(dsn.password);
    dsn.database = dsn.options.remove("dbname").unwrap_or(dsn.database);
    dsn.host = dsn.options.remove("host").unwrap_or(dsn.host);
    if let Some(port) = dsn.options.remove("port") {
        dsn.port = Some(port.parse().map_err(|_| "port is not a port (1 to 65535)".to_owned())?);
    }
    if dsn.host.starts_with('/') {
        dsn.options.insert("socket".to_owned(), std::mem::take(&mut dsn.host));
    }
    Ok(dsn)
}

/// Text as the value of an address's option: whatever has a meaning there is written as `%` and two digits.
pub fn escape(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_.~:,".contains(&b);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = (bytes[i] == b'%')
            .then(|| bytes.get(i + 1..i + 3))
            .flatten()
            .and_then(|h| std::str::from_utf8(h).ok())
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        match hex {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

impl fmt::Display for Dsn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            Scheme::Null => f.write_str("null:")?,
            Scheme::Host => write!(f, "host:{}", self.database)?,
            Scheme::Sqlite => write!(f, "sqlite:{}", self.database)?,
            Scheme::Mysql | Scheme::Postgres => {
                f.write_str(if self.scheme == Scheme::Mysql { "mysql://" } else { "postgres://" })?;
                if !self.user.is_empty() {
                    write!(f, "{}@", self.user)?;
                }
                if self.host.contains(':') {
                    write!(f, "[{}]", self.host)?
                } else {
                    f.write_str(&self.host)?
                }
                if let Some(port) = self.port {
                    write!(f, ":{port}")?;
                }
                if !self.database.is_empty() {
                    write!(f, "/{}", self.database)?;
                }
            }
        }
        let mut mark = '?';
        for (key, value) in self.options.iter().filter(|(k, _)| !k.contains("password") || *k == PASSWORD_FILE) {
            write!(f, "{mark}{key}={value}")?;
            mark = '&';
        }
        Ok(())
    }
}

impl fmt::Debug for Dsn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dsn({self})")
    }
}

/// A password on its way to a connection. `Debug` shows nothing of it and it cannot be serialised, so it reaches no event.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Takes it into custody.
    pub fn new(text: impl Into<String>) -> Self {
        Password(text.into())
    }

    /// The text, for the one who connects.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Dsn::parse(text).map_or_else(|p| p.what, |dsn| dsn.to_string())
    }

    #[test]
    fn the_file_of_a_password_is_shown_and_the_password_is_not() {
        let path = "/a dir/p&q?@%";
        let dsn = Dsn::parse(&format!("mysql://u@h/d?password_file={}&password=s3cret", escape(path))).unwrap();
        assert_eq!(dsn.options[PASSWORD_FILE], path);
        assert_eq!(shown("mysql://u@h/d?password_file=/run/pw&password=s3cret"), "mysql://u@h/d?password_file=/run/pw");
    }

    #[test]
    fn addresses_of_postgresql_are_read_with_libpqs_names() {
        for (text, wanted) in [
            ("postgres://a:s3cret@h:5433/db", "postgres://a@h:5433/db"),
            (
                "postgresql://a@[::1]/db?sslmode=verify-full&sslrootcert=/ca",
                "postgres://a@[::1]/db?tls=verify-identity&tls_ca=/ca",
            ),
            ("postgres://a@h/db?sslmode=prefer", "postgres://a@h/db?tls=preferred"),
            (
                "postgresql:///db?host=/run/postgresql&user=a&password=s3cret&port=5433",
                "postgres://a@:5433/db?socket=/run/postgresql",
            ),
            ("postgres://a@%2Frun%2Fpg/db", "postgres://a@/db?socket=/run/pg"),
        ] {
            assert_eq!(shown(text), wanted);
            let dsn = Dsn::parse(text).unwrap();
            assert_eq!((dsn.scheme, dsn.is_local()), (Scheme::Postgres, !wanted.contains("@h")), "{text}");
            assert_eq!(dsn.password.is_some(), text.contains("s3cret"));
            assert_eq!(Dsn::parse(wanted).map(|d| Dsn { password: None, ..d }), Ok(Dsn { password: None, ..dsn }));
        }
        assert!(shown("postgres://h/d?sslmode=require&tls=required").contains("sslmode and tls are the same"));
        assert!(shown("postgres://h/d?port=x").contains("port is not a port"));
    }
}
