//! The options after the `?` of an address: our names, and the names that other clients use for the same.
//!
//! Unknown options are rejected. If they were ignored, `?tsl=required` would permit an unencrypted login.

use super::{Dsn, FOUND_ROWS, LOGIN_PATH, OPTION_FILE, PASSFILE, PASSWORD_FILE, READ_ONLY, SERVICE, Scheme};
use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::nearest::{nearest, nearly};
use tenbin_words::text;

/// Options of MySQL's addresses.
const MYSQL: &[&str] = &[
    "tls",
    "tls_ca",
    "tls_cert",
    "tls_key",
    "socket",
    "hosts",
    PASSWORD_FILE,
    OPTION_FILE,
    LOGIN_PATH,
    "compress",
    "connect_timeout_s",
    FOUND_ROWS,
    READ_ONLY,
];

/// Options of PostgreSQL's.
const POSTGRES: &[&str] = &[
    "tls",
    "tls_ca",
    "tls_cert",
    "tls_key",
    "socket",
    PASSWORD_FILE,
    PASSFILE,
    SERVICE,
    "connect_timeout_s",
    "channel_binding",
    "cleartext",
    "application_name",
    "client_encoding",
    "options",
    READ_ONLY,
];

/// The options of an address of SQLite.
pub fn of_sqlite() -> &'static [&'static str] {
    SQLITE
}

/// Options of SQLite's: ours, and the pragmas that set something (<https://www.sqlite.org/pragma.html>).
const SQLITE: &[&str] = &[
    "begin",
    "busy_timeout_ms",
    "analysis_limit",
    "auto_vacuum",
    "automatic_index",
    "cache_size",
    "cache_spill",
    "case_sensitive_like",
    "cell_size_check",
    "checkpoint_fullfsync",
    "defer_foreign_keys",
    "encoding",
    "foreign_keys",
    "fullfsync",
    "hard_heap_limit",
    "ignore_check_constraints",
    "journal_mode",
    "journal_size_limit",
    "legacy_alter_table",
    "locking_mode",
    "max_page_count",
    "mmap_size",
    "page_size",
    "query_only",
    "read_uncommitted",
    "recursive_triggers",
    "reverse_unordered_selects",
    "secure_delete",
    "soft_heap_limit",
    "synchronous",
    "temp_store",
    "threads",
    "trusted_schema",
    "wal_autocheckpoint",
];

/// The meaning of an option.
#[derive(Clone, Copy)]
enum Says {
    /// The same as this option of ours.
    Option(&'static str),
    /// A TLS mode.
    Mode,
    /// The TLS modes for true and for false.
    Whether(&'static str, Option<&'static str>),
    User,
    Password,
    Host,
    Port,
    Database,
}

/// Spellings of other clients without `-` and `_`, in lower case, and whose they are.
const SPELLINGS: &[(&str, Says)] = &[
    // MySQL's own clients and libpq: --ssl-mode, sslmode; Connector/J: sslMode.
    ("sslmode", Says::Mode),
    ("tlsmode", Says::Mode),
    // MySQL's clients, PyMySQL, libpq.
    ("sslca", Says::Option("tls_ca")),
    ("sslrootcert", Says::Option("tls_ca")),
    ("sslcert", Says::Option("tls_cert")),
    ("sslkey", Says::Option("tls_key")),
    // libpq and PyMySQL; Connector/J's connectTimeout is in milliseconds and so not this.
    ("connecttimeout", Says::Option("connect_timeout_s")),
    ("unixsocket", Says::Option("socket")),
    ("usecompression", Says::Option("compress")),
    // MariaDB's --ssl, PyMySQL, drivers of Node; Connector/J: useSSL, requireSSL; libpq before 8.0: requiressl.
    ("ssl", Says::Whether("required", Some("disabled"))),
    ("usessl", Says::Whether("required", Some("disabled"))),
    ("usetls", Says::Whether("required", Some("disabled"))),
    ("requiressl", Says::Whether("required", None)),
    // Connector/J and PyMySQL verify the chain by these, MariaDB's clients and PyMySQL the name too.
    ("verifyservercertificate", Says::Whether("verify-ca", None)),
    ("sslverifycert", Says::Whether("verify-ca", None)),
    ("sslverifyservercert", Says::Whether("verify-identity", None)),
    ("sslverifyidentity", Says::Whether("verify-identity", None)),
    ("user", Says::User),
    ("username", Says::User),
    ("password", Says::Password),
    ("passwd", Says::Password),
    ("pwd", Says::Password),
    ("pass", Says::Password),
    ("host", Says::Host),
    ("port", Says::Port),
    ("dbname", Says::Database),
    ("database", Says::Database),
];

/// In ascending order. If several modes are given, the strictest applies.
const MODES: [&str; 5] = ["disabled", "preferred", "required", "verify-ca", "verify-identity"];

/// Why an address is rejected, and a hint.
pub(super) type Refused = (Message, Option<Message>);

/// Stores the options after the `?` in the address under our names.
pub(super) fn settle(mut dsn: Dsn, typed: Vec<(String, String)>) -> Result<Dsn, Refused> {
    let mut modes: Vec<(String, &'static str)> = Vec::new();
    let mut from: BTreeMap<&str, String> = BTreeMap::new();
    for (name, value) in typed {
        match meaning(dsn.scheme, &name)? {
            Says::Mode => modes.push((name.clone(), mode(&name, &value)?)),
            Says::Whether(yes, no) => {
                let mode = if truth(&name, &value)? { Some(yes) } else { no };
                modes.extend(mode.map(|mode| (name, mode)));
            }
            Says::User => dsn.user = value,
            Says::Password => dsn.password = Some(value),
            Says::Host => dsn.host = value,
            Says::Database => dsn.database = value,
            Says::Port => {
                dsn.port = Some(value.parse().map_err(|_| (msg!("option-is-not-a-port", option = name), None))?);
            }
            Says::Option(ours) => match dsn.options.get(ours) {
                Some(before) if *before != value => {
                    let other = from.get(ours).filter(|other| **other != name);
                    return Err((
                        match other {
                            Some(other) => msg!("options-are-the-same", other, option = name),
                            None => msg!("option-stands-twice", option = name),
                        },
                        Some(msg!("keep-one-of-them")),
                    ));
                }
                _ => {
                    dsn.options.insert(ours.to_owned(), value);
                    from.insert(ours, name);
                }
            },
        }
    }
    if let Some(mode) = strictest(&modes)? {
        dsn.options.insert("tls".to_owned(), mode.to_owned());
    }
    if dsn.host.starts_with('/') && dsn.scheme.kind().has_socket_directories {
        dsn.options.insert("socket".to_owned(), std::mem::take(&mut dsn.host));
    }
    Ok(dsn)
}

/// What pairs of another source (an option file, a service) say, by the same names; the others, which have a meaning only
/// there, are passed over.
pub(super) fn settle_known(dsn: Dsn, pairs: Vec<(String, String)>) -> Result<Dsn, Refused> {
    let scheme = dsn.scheme;
    settle(dsn, pairs.into_iter().filter(|(name, _)| meaning(scheme, name).is_ok()).collect())
}

fn rank(mode: &str) -> usize {
    MODES.iter().position(|m| *m == mode).unwrap_or(0)
}

/// The mode that applies; an error if TLS is both forbidden and required.
fn strictest(modes: &[(String, &'static str)]) -> Result<Option<&'static str>, Refused> {
    let never = modes.iter().find(|(_, mode)| *mode == "disabled");
    let most = modes.iter().max_by_key(|(_, mode)| rank(mode));
    match (never, most) {
        (Some((no, _)), Some((yes, mode))) if rank(mode) >= rank("required") => {
            Err((msg!("tls-forbidden-and-demanded", no, yes), Some(msg!("keep-one-of-them"))))
        }
        (Some((_, mode)), _) | (None, Some((_, mode))) => Ok(Some(mode)),
        (None, None) => Ok(None),
    }
}

/// The meaning of an option; an error if it is unknown.
fn meaning(scheme: Scheme, name: &str) -> Result<Says, Refused> {
    let (whose, ours): (_, &[&str]) = match scheme {
        Scheme::Mysql => ("MySQL", MYSQL),
        Scheme::Postgres => ("PostgreSQL", POSTGRES),
        Scheme::Sqlite => ("SQLite", SQLITE),
        Scheme::Null => ("null:", &["delay_us"]),
        Scheme::Host => ("host:", &[]),
    };
    if name == "tls" && ours.contains(&"tls") {
        return Ok(Says::Mode);
    }
    if let Some(ours) = ours.iter().find(|o| **o == name) {
        return Ok(Says::Option(ours));
    }
    let squashed: String = name.chars().filter(|c| !"-_".contains(*c)).map(|c| c.to_ascii_lowercase()).collect();
    // Milliseconds in Connector/J, seconds elsewhere.
    let known = scheme.kind().is_server && name != "connectTimeout";
    let of_others = SPELLINGS.iter().find(|(theirs, _)| known && *theirs == squashed).map(|(_, says)| *says);
    let of_ours = ours.iter().find(|o| known && o.replace('_', "") == squashed).map(|o| Says::Option(o));
    match of_others.or(of_ours) {
        Some(Says::Option(o)) if !ours.contains(&o) => Err(unknown(whose, name, ours)),
        Some(says) => Ok(says),
        None => Err(unknown(whose, name, ours)),
    }
}

/// Whether the value of this option may be shown if the address cannot be parsed.
pub(super) fn is_known(name: &str) -> bool {
    [MYSQL, POSTGRES, SQLITE].concat().contains(&name)
}

/// Reports the name, never the value, which may be a secret.
fn unknown(whose: &str, name: &str, ours: &[&'static str]) -> Refused {
    let what = msg!("address-has-no-option", whose, option = text::short(name, 40));
    // Names of sysbench and libpq lead to ours too.
    let of_others = SPELLINGS.iter().filter_map(|(theirs, says)| match says {
        Says::Mode => Some((*theirs, "tls")),
        Says::Option(o) if ours.contains(o) => Some((*theirs, *o)),
        Says::Whether(..) if ours.contains(&"tls") => Some((*theirs, "tls")),
        _ => None,
    });
    let near = nearly(name, ours.iter().copied()).or_else(|| nearest(name, ours.iter().copied())).or_else(|| {
        let all: Vec<_> = of_others.collect();
        let squashed = name.replace(['-', '_'], "").to_ascii_lowercase();
        let candidate = nearest(&squashed, all.iter().map(|(theirs, _)| *theirs))?;
        all.iter().find(|(theirs, _)| *theirs == candidate).map(|(_, ours)| *ours)
    });
    let hint = match (near, ours) {
        (_, []) => msg!("leave-it-out"),
        (Some(near), _) => msg!("did-you-mean-of", near, names = ours.join(", ")),
        (None, _) => msg!("leave-it-out-or-use", names = ours.join(", ")),
    };
    let settings = (whose == "PostgreSQL").then(|| msg!("setting-through-options"));
    (what, Some(Message::joined([hint].into_iter().chain(settings), "; ")))
}

/// The TLS mode for a word of any client.
fn mode(name: &str, value: &str) -> Result<&'static str, Refused> {
    Ok(match value.to_ascii_lowercase().replace('_', "-").as_str() {
        "disabled" | "disable" => "disabled",
        "preferred" | "prefer" | "allow" => "preferred",
        "required" | "require" => "required",
        "verify-ca" => "verify-ca",
        "verify-identity" | "verify-full" => "verify-identity",
        _ => {
            return Err((
                msg!("tls-mode-of-option-unknown", mode = text::short(value, 40), option = name),
                Some(msg!("use-tls-modes", modes = MODES.join(", "))),
            ));
        }
    })
}

fn truth(name: &str, value: &str) -> Result<bool, Refused> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err((msg!("option-not-true-or-false", option = name), Some(msg!("write-true-or-tls", option = name)))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Dsn;

    fn read(text: &str) -> String {
        Dsn::parse(text).map_or_else(|p| p.to_string(), |dsn| dsn.to_string())
    }

    #[test]
    fn what_other_clients_write_means_here_what_it_means_there() {
        for (typed, ours) in [
            ("ssl-mode=REQUIRED", "tls=required"),
            ("ssl_mode=VERIFY_CA&ssl-ca=/ca", "tls=verify-ca&tls_ca=/ca"),
            ("sslMode=VERIFY_IDENTITY", "tls=verify-identity"),
            ("sslmode=verify-full", "tls=verify-identity"),
            ("sslmode=disable", "tls=disabled"),
            ("ssl=true", "tls=required"),
            ("ssl=0", "tls=disabled"),
            ("ssl", "tls=required"),
            ("useSSL=true&requireSSL=true&verifyServerCertificate=true", "tls=verify-ca"),
            ("useSSL=true&verifyServerCertificate=false", "tls=required"),
            ("requireSSL=false", ""),
            ("ssl_verify_identity=1&ssl_ca=/ca", "tls=verify-identity&tls_ca=/ca"),
            ("sslcert=/c&ssl-key=/k", "tls_cert=/c&tls_key=/k"),
            ("tls=required&sslmode=require", "tls=required"),
            // The stricter of two modes applies.
            ("tls=preferred&ssl-mode=required", "tls=required"),
            ("connect_timeout=5", "connect_timeout_s=5"),
        ] {
            for (scheme, at) in [("mysql", "mysql://a@h/d"), ("postgresql", "postgres://a@h/d")] {
                let mark = if ours.is_empty() { "" } else { "?" };
                assert_eq!(read(&format!("{scheme}://a@h/d?{typed}")), format!("{at}{mark}{ours}"), "{typed}");
            }
        }
        assert_eq!(
            read("mysql://h/d?unix_socket=/s&useCompression=1&username=u&pwd=x"),
            "mysql://u@h/d?compress=1&socket=/s"
        );
        assert_eq!(read("sqlite:/x?journal_mode=wal"), "sqlite:/x?journal_mode=wal");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, what, hint) in [
            ("mysql://h/d?tsl=required", "has no option \"tsl\"", "did you mean tls?"),
            ("mysql://h/d?sslmod=require", "has no option \"sslmod\"", "did you mean tls?"),
            ("postgres://h/d?tsl=required", "has no option \"tsl\"", "did you mean tls?"),
            ("postgres://h/d?compress=on", "has no option \"compress\"", "options=-c%20NAME=VALUE"),
            ("mysql://h/d?channel_binding=require", "has no option", "leave it out"),
            ("mysql://h/d?connectTimeout=5000", "has no option \"connectTimeout\"", "did you mean connect_timeout_s?"),
            ("sqlite:/x?journalmode=wal", "has no option \"journalmode\"", "did you mean journal_mode?"),
            ("null:?delay=1", "has no option \"delay\"", "did you mean delay_us?"),
            ("host:/x?a=1", "has no option \"a\"", "there are no options here"),
            ("mysql://h/d?tls=yes", "there is no TLS mode \"yes\" for tls", "use tls=disabled, preferred"),
            ("mysql://h/d?ssl-mode=", "there is no TLS mode \"\" for ssl-mode", "use tls="),
            ("mysql://h/d?ssl=maybe", "ssl is neither true nor false", "write ssl=true"),
            ("mysql://h/d?ssl=false&sslmode=required", "ssl forbids TLS and sslmode demands it", "keep one"),
            ("mysql://h/d?tls=disabled&tls=required", "tls forbids TLS and tls demands it", "keep one"),
            ("mysql://h/d?ssl-ca=/a&tls_ca=/b", "ssl-ca and tls_ca are the same", "keep one"),
            ("mysql://h/d?socket=/a&socket=/b", "socket stands there twice", "keep one"),
        ] {
            let refusal = read(text);
            assert!(refusal.contains(what) && refusal.contains(hint), "{text}: {refusal}");
        }
    }
}
