//! What the client libraries of MySQL and PostgreSQL read from the environment, for the old names: a setting that reaches the old tool
//! in this way reaches Tenbin too. What Tenbin has and cannot leave unsaid without another meaning is refused by name.
//!
//! Sources: PostgreSQL manual, "Environment Variables" (libpq); MySQL manual, "Environment Variables"; MariaDB Connector/C.

use std::path::Path;

/// Reads a variable of the environment.
pub type Environment<'e> = &'e dyn Fn(&str) -> Option<String>;

/// The environment of this process. An empty variable is one that is not set, as for both libraries.
pub fn own(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The text of an error of the system without its number, as programs in C print it.
pub fn plain(error: &str) -> &str {
    error.split(" (os error").next().unwrap_or_default()
}

/// The name of the account of this process, which is the default user of a server, as in libmariadb and libpq.
pub fn login_name() -> String {
    let passwd = tenbin_intake::text_or_empty(Path::new("/etc/passwd"), tenbin_intake::SMALL);
    login_of(rustix::process::geteuid().as_raw(), &passwd, &own)
}

fn login_of(uid: u32, passwd: &str, env: Environment<'_>) -> String {
    if uid == 0 {
        return "root".to_owned();
    }
    let of_line = |line: &str| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (number.parse() == Ok(uid)).then(|| name.to_owned())
    };
    let variable = || ["USER", "LOGNAME", "LOGIN"].into_iter().find_map(env);
    passwd.lines().find_map(of_line).or_else(variable).unwrap_or_else(|| "UNKNOWN_USER".to_owned())
}

/// The meaning of a setting of libpq.
pub enum Meaning {
    /// This option of an address.
    Option(&'static str),
    /// This run-time setting of the session, as `-c NAME=VALUE`.
    Session(&'static str),
    /// The encoding of the client, as an option of an address; that of Tenbin itself is UTF-8.
    Encoding,
    /// It has a meaning for Unix sockets only, where it cannot be followed.
    OfSockets,
    /// It may have these values, which change nothing here.
    Only(&'static [&'static str]),
    /// It has no meaning here: GSS, libraries and translations of its own, how a socket is kept alive.
    Nothing,
}
use Meaning::{Encoding, Nothing, OfSockets, Only, Option as Opt, Session};

/// Encodings that change nothing here.
const OWN_ENCODING: [&str; 5] = ["utf8", "utf-8", "unicode", "sql_ascii", "auto"];

/// Whether an encoding is one that Tenbin has anyway.
pub fn is_own_encoding(name: &str) -> bool {
    OWN_ENCODING.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// The settings of libpq that are beside host, port, account, password and database: the key word in a connection string, the variable of the
/// environment, and the meaning; what there is not is empty. `PGPASSFILE`, `PGSERVICEFILE` and `PGOPTIONS` are read elsewhere.
const LIBPQ: &[(&str, &str, Meaning)] = &[
    ("sslmode", "PGSSLMODE", Opt("sslmode")),
    ("sslrootcert", "PGSSLROOTCERT", Opt("tls_ca")),
    ("sslcert", "PGSSLCERT", Opt("tls_cert")),
    ("sslkey", "PGSSLKEY", Opt("tls_key")),
    ("channel_binding", "PGCHANNELBINDING", Opt("channel_binding")),
    ("connect_timeout", "PGCONNECT_TIMEOUT", Opt("connect_timeout_s")),
    ("application_name", "PGAPPNAME", Opt("application_name")),
    ("service", "PGSERVICE", Opt("service")),
    ("options", "", Opt("options")),
    ("passfile", "", Opt("passfile")),
    ("", "PGDATESTYLE", Session("datestyle")),
    ("", "PGTZ", Session("timezone")),
    ("", "PGGEQO", Session("geqo")),
    ("client_encoding", "PGCLIENTENCODING", Encoding),
    ("sslnegotiation", "PGSSLNEGOTIATION", Only(&["postgres"])),
    ("sslcertmode", "PGSSLCERTMODE", Only(&["allow"])),
    ("ssl_min_protocol_version", "PGSSLMINPROTOCOLVERSION", Only(&["tlsv1", "tlsv1.1", "tlsv1.2"])),
    ("ssl_max_protocol_version", "PGSSLMAXPROTOCOLVERSION", Only(&["tlsv1.3"])),
    ("sslcrl", "PGSSLCRL", Only(&[])),
    ("sslcrldir", "PGSSLCRLDIR", Only(&[])),
    ("require_auth", "PGREQUIREAUTH", Only(&[])),
    ("requirepeer", "PGREQUIREPEER", OfSockets),
    ("gssencmode", "PGGSSENCMODE", Only(&["disable", "prefer"])),
    ("min_protocol_version", "PGMINPROTOCOLVERSION", Only(&["3.0"])),
    ("max_protocol_version", "PGMAXPROTOCOLVERSION", Only(&["3.0", "latest"])),
    ("replication", "", Only(&["false", "off", "no", "0"])),
    ("krbsrvname", "PGKRBSRVNAME", Nothing),
    ("gsslib", "PGGSSLIB", Nothing),
    ("gssdelegation", "PGGSSDELEGATION", Nothing),
    ("sslsni", "PGSSLSNI", Nothing),
    ("sslcompression", "PGSSLCOMPRESSION", Nothing),
    ("load_balance_hosts", "PGLOADBALANCEHOSTS", Only(&["disable"])),
    ("keepalives", "", Nothing),
    ("keepalives_idle", "", Nothing),
    ("keepalives_interval", "", Nothing),
    ("keepalives_count", "", Nothing),
    ("tcp_user_timeout", "", Nothing),
];

/// The meaning of a key word of a connection string, if it is one beside host, port, account, password and database.
pub fn of_key_word(name: &str) -> Option<&'static Meaning> {
    LIBPQ.iter().find(|(word, ..)| !word.is_empty() && *word == name).map(|(.., meaning)| meaning)
}

/// The options of a PostgreSQL address that the environment adds to those that are `given`, with their values. The error is a line that names the
/// variable. `by_socket`: the server is reached over a Unix socket. `options`, which may be among both, are those of the session in one text.
pub fn libpq(
    env: Environment<'_>,
    by_socket: bool,
    given: impl Fn(&str) -> Option<String>,
) -> Result<Vec<(&'static str, String)>, String> {
    libpq_beside(env, by_socket, given, |path| Path::new(path).exists())
}

/// The same, where `exists` says which files there are.
fn libpq_beside(
    env: Environment<'_>,
    by_socket: bool,
    given: impl Fn(&str) -> Option<String>,
    exists: impl Fn(&str) -> bool,
) -> Result<Vec<(&'static str, String)>, String> {
    let verifies = given("sslmode").or_else(|| env("PGSSLMODE")).is_some_and(|mode| mode.starts_with("verify"));
    let mut options = Vec::new();
    let mut session: Vec<String> = given("options").or_else(|| env("PGOPTIONS")).into_iter().collect();
    // Who calls this has resolved the service.
    for (_, name, meaning) in LIBPQ.iter().filter(|(word, name, _)| !name.is_empty() && *word != "service") {
        let Some(value) = env(name) else { continue };
        match meaning {
            Opt(option) if given(option).is_some() => {}
            // As in libpq, a file that is not there is none, unless the server's certificate is to be verified with it.
            Opt("tls_ca") if value != "system" && !exists(&value) => {
                if verifies {
                    return Err(format!("the environment has PGSSLROOTCERT, and there is no file {value}"));
                }
            }
            Opt("tls_cert") if !exists(&value) => {}
            Opt(option) => options.push((*option, value)),
            Session(setting) => {
                session.push(format!("-c {setting}={}", value.replace('\\', "\\\\").replace(' ', "\\ ")))
            }
            Encoding if given("client_encoding").is_some() || is_own_encoding(&value) => {}
            Encoding => options.push(("client_encoding", value)),
            OfSockets if by_socket => return Err(refused(name)),
            Nothing | OfSockets => {}
            Only(values) if values.contains(&value.to_ascii_lowercase().as_str()) => {}
            Only(_) => return Err(refused(name)),
        }
    }
    let has_certificate = given("tls_cert").is_some() || options.iter().any(|(name, _)| *name == "tls_cert");
    if !has_certificate {
        options.retain(|(name, _)| *name != "tls_key");
    } else if env("PGSSLCERT").is_some() && given("tls_cert").is_none() {
        let has_key = given("tls_key").is_some() || options.iter().any(|(name, _)| *name == "tls_key");
        if !has_key {
            return Err("the environment has PGSSLCERT without PGSSLKEY: name the file of its key too".to_owned());
        }
    }
    if env("PGREQUIRESSL").is_some_and(|value| value == "1") && env("PGSSLMODE").is_none() && given("sslmode").is_none()
    {
        options.push(("sslmode", "require".to_owned()));
    }
    if !session.is_empty() {
        options.push(("options", session.join(" ")));
    }
    Ok(options)
}

/// The password for MySQL that is not given otherwise. The error is a line that names a variable that cannot be followed.
pub fn mysql_password(env: Environment<'_>) -> Result<Option<String>, String> {
    // It permits a password in clear: the login would fail for no visible reason.
    match env("LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN") {
        Some(value) if value.starts_with(['1', 'y', 'Y']) => Err(refused("LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN")),
        _ => Ok(env("MYSQL_PWD")),
    }
}

fn refused(name: &str) -> String {
    format!("the environment has {name}, which Tenbin cannot follow: take it away with: unset {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(set: &[(&str, &str)], given: &str) -> Result<Vec<(&'static str, String)>, String> {
        let env = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        libpq_beside(&env, true, |option| (option == given).then(String::new), |path| path.starts_with("/c/"))
    }

    #[test]
    fn settings_of_libpq_become_options_of_the_address() {
        let of =
            |set| read(set, "").unwrap().into_iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join("&");
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[("PGSSLMODE", "require"), ("PGSSLROOTCERT", "/c/ca.pem")]), "sslmode=require&tls_ca=/c/ca.pem");
        assert_eq!(of(&[("PGREQUIRESSL", "1")]), "sslmode=require");
        assert_eq!(of(&[("PGREQUIRESSL", "1"), ("PGSSLMODE", "disable")]), "sslmode=disable");
        assert_eq!(
            of(&[("PGOPTIONS", "-c synchronous_commit=off"), ("PGTZ", "Asia/Tokyo"), ("PGDATESTYLE", "ISO, MDY")]),
            "options=-c synchronous_commit=off -c datestyle=ISO,\\ MDY -c timezone=Asia/Tokyo"
        );
        assert_eq!(of(&[("PGGSSENCMODE", "prefer"), ("PGCLIENTENCODING", "UTF8"), ("PGSSLSNI", "0")]), "");
        assert_eq!(of(&[("PGCLIENTENCODING", "LATIN1")]), "client_encoding=LATIN1");
        let env = |name: &str| (name == "PGREQUIREPEER").then(|| "postgres".to_owned());
        assert_eq!(libpq(&env, false, |_| None), Ok(vec![]), "over TCP it has no meaning");
    }

    #[test]
    fn the_login_name_is_that_of_the_account() {
        let passwd = "root:x:0:0::/root:/bin/sh\napp:x:1000:1000::/home/app:/bin/sh\n";
        let env = |name: &str| (name == "USER" || name == "LOGNAME").then(|| name.to_lowercase());
        let logname = |name: &str| (name == "LOGNAME").then(|| "me".to_owned());
        assert_eq!(login_of(0, passwd, &env), "root");
        assert_eq!(login_of(1000, passwd, &env), "app");
        assert_eq!(login_of(1001, passwd, &env), "user");
        assert_eq!(login_of(1001, passwd, &logname), "me");
        assert_eq!(login_of(1001, "", &|_| None), "UNKNOWN_USER");
    }

    #[test]
    fn the_command_line_has_precedence() {
        assert_eq!(read(&[("PGSSLMODE", "require")], "sslmode"), Ok(vec![]));
        assert_eq!(read(&[("PGREQUIRESSL", "1")], "sslmode"), Ok(vec![]));
    }

    #[test]
    fn files_that_are_not_there() {
        let [root, cert, key] = [("PGSSLROOTCERT", "/no/ca"), ("PGSSLCERT", "/no/cert"), ("PGSSLKEY", "/no/key")];
        assert_eq!(read(&[root, cert, key], ""), Ok(vec![]));
        assert_eq!(read(&[root, ("PGSSLMODE", "require")], "").unwrap(), [("sslmode", "require".to_owned())]);
        let error = read(&[root, ("PGSSLMODE", "verify-full")], "").unwrap_err();
        assert_eq!(error, "the environment has PGSSLROOTCERT, and there is no file /no/ca");
        let error = read(&[("PGSSLCERT", "/c/cert")], "").unwrap_err();
        assert!(error.contains("PGSSLKEY") && !error.contains("tls_cert"), "{error}");
        let both = read(&[("PGSSLCERT", "/c/cert"), ("PGSSLKEY", "/c/key")], "").unwrap();
        assert_eq!(both.len(), 2);
    }

    #[test]
    fn what_cannot_be_followed_is_refused_by_its_name() {
        for (name, value) in [("PGSSLCRL", "/c/crl"), ("PGREQUIREPEER", "postgres"), ("PGLOADBALANCEHOSTS", "random")] {
            let error = read(&[(name, value)], "").unwrap_err();
            assert!(error.contains(&format!("unset {name}")) && !error.contains(value), "{error}");
        }
        let env = |name: &str| (name != "MYSQL_PWD").then(|| "Y".to_owned());
        assert!(mysql_password(&env).unwrap_err().contains("LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN"));
        let env = |name: &str| (name == "MYSQL_PWD").then(|| "geheim".to_owned());
        assert_eq!(mysql_password(&env), Ok(Some("geheim".to_owned())));
    }
}
