//! The address of a database on a command line and in a plan: `mysql://user@host:3306/schema?tls=required`.
//!
//! | scheme | meaning |
//! |---|---|
//! | `mysql://`, `mariadb://` | a server with the MySQL protocol; `?socket=/path` for a Unix socket |
//! | `postgres://`, `postgresql://` | a server with the PostgreSQL protocol; `?socket=/directory` for a Unix socket; libpq's names are accepted |
//! | `sqlite:PATH`, `sqlite://PATH` | a SQLite file |
//! | `null:` | answers at once; `?delay_us=100` after this many microseconds |
//! | `host:`, `host:DIRECTORY` | no database: this machine itself, or the storage of a directory |

mod options;
mod redact;

pub use options::of_sqlite as sqlite_options;
pub use redact::{redact, redact_line, redact_web};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::collections::BTreeMap;
use std::fmt;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text;

/// The family of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// MySQL, MariaDB and compatible servers.
    Mysql,
    /// PostgreSQL and compatible servers.
    Postgres,
    /// SQLite.
    Sqlite,
    /// The null driver.
    Null,
    /// This machine itself, for workloads that need no database.
    Host,
}

/// The option of addresses of MySQL by which UPDATE counts the rows that it finds, and not those that it changes, if it is `on`.
pub const FOUND_ROWS: &str = "found_rows";

/// The option of addresses that makes sessions in which nothing can be changed, if it is `on`.
pub const READ_ONLY: &str = "read_only";

/// The option that names the file with the password: it is a path and may be shown.
pub const PASSWORD_FILE: &str = "password_file";
/// The option that names an option file of MySQL's programs, whose groups for clients complete the address.
pub const OPTION_FILE: &str = "option_file";
/// The option that names a login path of `mysql_config_editor`, which completes the address.
pub const LOGIN_PATH: &str = "login_path";
/// The option that names a service of libpq's service file, which completes the address.
pub const SERVICE: &str = "service";
/// The option that names a password file of libpq, in place of `~/.pgpass`.
pub const PASSFILE: &str = "passfile";

/// The options that name one file each.
pub const FILES: [&str; 6] = ["tls_ca", "tls_cert", "tls_key", PASSWORD_FILE, OPTION_FILE, PASSFILE];

/// A parsed address. Its `Display` and `Debug` leave the password out.
#[derive(Clone, PartialEq, Eq)]
pub struct Dsn {
    /// Which family.
    pub scheme: Scheme,
    /// User name; empty when not given.
    pub user: String,
    /// Password, if it was in the text. Prefer an environment variable or a file.
    pub password: Option<String>,
    /// Host name or address (IPv6 without brackets); empty for SQLite and null.
    pub host: String,
    /// TCP port.
    pub port: Option<u16>,
    /// Schema for MySQL, file for SQLite, directory for a host; empty when not given.
    pub database: String,
    /// The options after `?`: `tls`, `socket`, `tls_ca`, `password_file`, ….
    pub options: BTreeMap<String, String>,
}

impl Dsn {
    /// Parses an address. The problem shows an example of the nearest valid form and never contains a password.
    pub fn parse(text: &str) -> Result<Dsn, Problem> {
        Dsn::of(text).map_err(|problem| match meant(text) {
            Some(address) => Problem { hint: Some(msg!("write-address", address)), ..problem },
            None => problem,
        })
    }

    fn of(text: &str) -> Result<Dsn, Problem> {
        let bad = |what: Message| Problem::new(msg!("address-unreadable", what)).hint(msg!("write-address-like"));
        let (scheme, rest) = text.split_once(':').ok_or_else(|| bad(msg!("it-has-no-scheme")))?;
        let has_slashes = rest.starts_with("//");
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, query),
            None => (rest, ""),
        };
        let pairs = query.split('&').filter(|p| !p.is_empty()).map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, "1"));
            (unescape(key), unescape(value))
        });
        let pairs: Vec<(String, String)> = pairs.collect();
        let settled = |dsn: Dsn| {
            options::settle(dsn, pairs).map_err(|(what, hint)| {
                let problem = bad(what);
                Problem { hint: hint.or(problem.hint.clone()), ..problem }
            })
        };
        match scheme {
            "null" => settled(Dsn::empty(Scheme::Null)),
            "host" => settled(Dsn { database: unescape(rest), ..Dsn::empty(Scheme::Host) }),
            "sqlite" => settled(Dsn { database: unescape(rest), ..Dsn::empty(Scheme::Sqlite) }),
            "mysql" | "mariadb" | "postgres" | "postgresql" => {
                // `mysql:/h/d` would be the schema h/d of this machine.
                if !has_slashes && !rest.is_empty() {
                    return Err(bad(msg!("two-slashes-before-host")));
                }
                let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
                // In `user:pa/ss@host` the end of the password would be taken for a schema, and be shown.
                if database.contains('@') || query.contains('@') {
                    return Err(bad(msg!("at-sign-after-host")));
                }
                let (account, address) = match authority.rsplit_once('@') {
                    Some((account, address)) => (account, address),
                    None => ("", authority),
                };
                // A variable that is not set must not become this machine. Options may say where the server is.
                if authority.contains('@') && address.is_empty() && query.is_empty() {
                    return Err(bad(msg!("host-is-empty")));
                }
                let (user, password) = match account.split_once(':') {
                    Some((user, password)) => (user, Some(unescape(password))),
                    None => (account, None),
                };
                let (host, port) = if let Some(inner) = address.strip_prefix('[') {
                    let (host, after) = inner.split_once(']').ok_or_else(|| bad(msg!("ipv6-without-bracket")))?;
                    (host, after.strip_prefix(':'))
                } else {
                    match address.rsplit_once(':') {
                        Some((host, port)) => (host, Some(port)),
                        None => (address, None),
                    }
                };
                let port = match port {
                    Some(p) => Some(p.parse().map_err(|_| bad(msg!("not-a-port-after-host")))?),
                    None => None,
                };
                settled(Dsn {
                    user: unescape(user),
                    password,
                    host: unescape(host),
                    port,
                    database: unescape(database),
                    ..Dsn::empty(if scheme.starts_with('p') { Scheme::Postgres } else { Scheme::Mysql })
                })
            }
            other => Err(bad(msg!("not-a-database", scheme = text::short(other, 40)))),
        }
    }

    /// An address that says nothing but the family.
    pub fn empty(scheme: Scheme) -> Dsn {
        let (user, host, database) = (String::new(), String::new(), String::new());
        Dsn { scheme, user, password: None, host, port: None, database, options: BTreeMap::new() }
    }

    /// The same address without its password, which may be written anywhere.
    pub fn without_password(&self) -> String {
        self.to_string()
    }

    /// The address with what it leaves open taken from elsewhere: names and values as in its options. Names that have no
    /// meaning in an address are passed over, and the problem contains no value.
    pub fn completed(self, pairs: Vec<(String, String)>) -> Result<Dsn, Problem> {
        let problem = |(what, hint)| Problem { hint, ..Problem::new(what) };
        let other = options::settle_known(Dsn::empty(self.scheme), pairs).map_err(problem)?;
        let or = |own: String, other: String| if own.is_empty() { other } else { own };
        // A socket belongs to an address without a host, and a host to one without a socket.
        let (is_open, has_socket) = (self.host.is_empty(), self.options.contains_key("socket"));
        let mut options = other.options;
        if !is_open {
            options.remove("socket");
        }
        options.extend(self.options);
        Ok(Dsn {
            scheme: self.scheme,
            user: or(self.user, other.user),
            password: self.password.or(other.password),
            host: if has_socket { self.host } else { or(self.host, other.host) },
            port: self.port.or(other.port),
            database: or(self.database, other.database),
            options,
        })
    }

    /// What leads to a server: account, host, port and schema.
    fn write_server(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.user.is_empty() {
            write!(f, "{}@", escaped(&self.user, ":/@"))?;
        }
        if self.host.contains(':') {
            write!(f, "[{}]", escaped(&self.host, "/@]"))?
        } else {
            write!(f, "{}", escaped(&self.host, "/@["))?
        }
        if let Some(port) = self.port {
            write!(f, ":{port}")?;
        }
        if !self.database.is_empty() {
            write!(f, "/{}", escaped(&self.database, "@"))?;
        }
        Ok(())
    }

    /// Whether the database is on this machine: a Unix socket, a loopback address, a file, or nothing at all.
    pub fn is_local(&self) -> bool {
        !self.scheme.kind().is_server
            || self.options.contains_key("socket")
            || matches!(self.host.as_str(), "" | "localhost" | "::1")
            || self.host.starts_with("127.")
    }
}

/// The address that was meant by one of another program, of JDBC or SQLAlchemy, or by a host or a file alone. Its `Display` leaves the password out.
fn meant(text: &str) -> Option<Dsn> {
    let (scheme, rest) = text.split_once(':').unwrap_or((text, ""));
    let port = rest.split('/').next().and_then(|port| port.parse::<u16>().ok());
    let address = match scheme {
        "jdbc" => rest.to_owned(),
        _ if rest.starts_with("//") => format!("{}:{rest}", scheme.split_once('+')?.0),
        "mysql" | "mariadb" | "postgres" | "postgresql" if !rest.starts_with('/') => format!("{scheme}://{rest}"),
        _ if [".db", ".sqlite", ".sqlite3"].iter().any(|ending| text.ends_with(ending)) => format!("sqlite:{text}"),
        _ if port == Some(5432) => format!("postgres://{text}"),
        _ if port.is_some() || (rest.is_empty() && text.contains(['.', '@']) && !text.contains([' ', '='])) => {
            format!("mysql://{text}")
        }
        _ => return None,
    };
    Dsn::of(&address).ok()
}

/// Schemas that belong to the server itself, by family: those of MySQL, MariaDB, NDB Cluster, InnoDB Cluster, OceanBase
/// and TiDB.
const OF_MYSQL: &[&str] = &[
    "mysql",
    "sys",
    "information_schema",
    "performance_schema",
    "ndbinfo",
    "mysql_innodb_cluster_metadata",
    "oceanbase",
    "metrics_schema",
];

/// Whether a schema is the server's own, in which Tenbin creates, loads and drops nothing.
pub fn is_system_schema(scheme: Scheme, name: &str) -> bool {
    let name = name.to_lowercase();
    match scheme {
        Scheme::Mysql => OF_MYSQL.contains(&name.as_str()),
        // PostgreSQL manual 5.10.5: schema names beginning with pg_ are reserved.
        Scheme::Postgres => name == "information_schema" || name.starts_with("pg_"),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => false,
    }
}

/// What is encoded in an address: all but the unreserved characters of RFC 3986, 2.3.
pub const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Encodes text as the value of an address option: characters with a meaning there become `%` and two digits.
pub fn escape(text: &str) -> String {
    const MEANT: &AsciiSet = &UNRESERVED.remove(b'/').remove(b':').remove(b',');
    utf8_percent_encode(text, MEANT).to_string()
}

fn unescape(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Encodes as `%XX` characters that are not allowed in a part of an address, or in quotes of a shell or TOML.
fn escaped<'t>(text: &'t str, also: &'static str) -> impl fmt::Display + 't {
    struct Escaped<'t>(&'t str, &'static str);
    impl fmt::Display for Escaped<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for c in self.0.chars() {
                if text::is_hidden(c) || " %?&#'\"\\`".contains(c) || self.1.contains(c) {
                    c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|b| write!(f, "%{b:02X}"))?;
                } else {
                    write!(f, "{c}")?;
                }
            }
            Ok(())
        }
    }
    Escaped(text, also)
}

/// Parses back to the same address, without its password.
impl fmt::Display for Dsn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            Scheme::Null => f.write_str("null:")?,
            Scheme::Host => write!(f, "host:{}", escaped(&self.database, ""))?,
            Scheme::Sqlite => write!(f, "sqlite:{}", escaped(&self.database, ""))?,
            Scheme::Mysql => f.write_str("mysql://").and_then(|()| self.write_server(f))?,
            Scheme::Postgres => f.write_str("postgres://").and_then(|()| self.write_server(f))?,
        }
        let mut mark = '?';
        for (key, value) in &self.options {
            write!(f, "{mark}{}={}", escaped(key, "=@"), escaped(value, "@"))?;
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

/// A password for a connection. `Debug` does not show it and it cannot be serialised, so that it never gets into an
/// event.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Wraps a password.
    pub fn new(text: impl Into<String>) -> Self {
        Password(text.into())
    }

    /// The text, for use when connecting.
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
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        Dsn::parse(text).map_or_else(|p| p.what.english().to_owned(), |dsn| dsn.to_string())
    }

    #[test]
    fn the_file_of_a_password_is_shown_and_the_password_is_not() {
        let path = "/a dir/p&q?@%";
        let dsn = Dsn::parse(&format!("mysql://u@h/d?password_file={}&password=s3cret", escape(path))).unwrap();
        assert_eq!(dsn.options[PASSWORD_FILE], path);
        assert_eq!(shown("mysql://u@h/d?password_file=/run/pw&password=s3cret"), "mysql://u@h/d?password_file=/run/pw");
    }

    #[test]
    fn an_address_without_a_host_is_not_this_machine() {
        for text in ["mysql:/h/d", "mariadb:h:3306/d", "postgres:/d"] {
            assert!(shown(text).contains("two slashes are missing"), "{text}: {}", shown(text));
        }
        for text in ["mysql://u@/d", "postgres://u:s3cret@/d"] {
            assert!(shown(text).contains("no host after the @"), "{text}: {}", shown(text));
        }
        for text in ["mysql://u@/d?socket=/run/s", "postgres:///d", "mysql://h"] {
            assert!(Dsn::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_an_address_elsewhere_is_told_as_it_is_written_here() {
        for (text, wanted) in [
            ("127.0.0.1:3306/x", "mysql://127.0.0.1:3306/x"),
            ("db.example.com", "mysql://db.example.com"),
            ("root@db:5432/x", "postgres://root@db:5432/x"),
            ("jdbc:mysql://h:3306/x", "mysql://h:3306/x"),
            ("jdbc:postgresql://u:s3cret@h/x", "postgres://u@h/x"),
            ("mysql+pymysql://u:s3cret@h/x", "mysql://u@h/x"),
            ("mysql:root@h/x", "mysql://root@h/x"),
            ("x.db", "sqlite:x.db"),
        ] {
            let hint = Dsn::parse(text).expect_err("it is no address here").hint.unwrap_or_default();
            assert_eq!(hint.english(), format!("write {wanted}"), "{text}");
        }
        for text in ["u:s3cret@tcp(h:3306)/x", "oracle://h/x", "host=h dbname=x", "plan", "mysql:/h/d", "jdbc:jdbc:x"] {
            let hint = Dsn::parse(text).expect_err("it is no address here").hint.unwrap_or_default();
            assert!(hint.english().starts_with("write it like "), "{text}");
        }
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
        assert!(shown("postgres://h/d?port=x").contains("port is not a port"));
    }

    proptest! {
        /// Writing and parsing round-trips, whatever the parts contain.
        #[test]
        fn an_address_reads_back(
            postgres: bool,
            user in "\\PC{0,8}",
            host in "([a-z0-9.-]{0,10}|[0-9a-f:]{2,9}|\\PC{0,6})",
            port in proptest::option::of(any::<u16>()),
            database in ".{0,8}",
            socket in ".{1,8}",
        ) {
            let scheme = if postgres { Scheme::Postgres } else { Scheme::Mysql };
            // A host that is a path becomes the socket's directory, as in libpq.
            let host = host.trim_start_matches('/').to_owned();
            let options = BTreeMap::from([("socket".to_owned(), socket)]);
            let dsn = Dsn { scheme, user, password: None, host, port, database, options };
            let text = dsn.to_string();
            prop_assert_eq!(&text, &text::visible(&text), "something hidden stands in it");
            prop_assert_eq!(Dsn::parse(&text), Ok(dsn));
        }
    }
}
