//! Converts a server's address from the options of other tools (host, port, socket, account) to that of Tenbin.

use std::path::Path;

/// The server's socket in Debian, Red Hat, MySQL's own packages and old ones; a client library has one of them
/// built in. The first is that of Debian's.
const SOCKETS: &[&str] =
    &["/run/mysqld/mysqld.sock", "/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock"];

/// The socket that a client library uses for `localhost`, also if there is none: it never takes TCP instead, where another server may answer.
pub fn default_socket() -> String {
    let there = || SOCKETS.iter().find(|path| Path::new(path).exists()).unwrap_or(&SOCKETS[0]);
    std::env::var("MYSQL_UNIX_PORT").unwrap_or_else(|_| (*there()).to_owned())
}

/// A host in the form required before a port.
pub fn bracketed(host: &str) -> String {
    // In brackets already, which the old tools take for a part of a name that no host has.
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_ipv6 = inner.parse::<std::net::Ipv6Addr>().is_ok();
    match (is_ipv6, host.contains(':')) {
        (true, _) => format!("[{inner}]"),
        (false, true) => format!("[{host}]"),
        (false, false) => escaped(host, ""),
    }
}

/// Percent-encodes everything with a meaning in addresses, except for `plain`.
pub fn escaped(text: &str, plain: &str) -> String {
    let one = |b: u8| match b {
        b if b.is_ascii_alphanumeric() || b"-._~".contains(&b) || plain.as_bytes().contains(&b) => {
            char::from(b).to_string()
        }
        b => format!("%{b:02X}"),
    };
    text.bytes().map(one).collect()
}

/// An address without a password.
pub fn written(
    scheme: &str,
    user: &str,
    address: &str,
    database: &str,
    options: &[(impl AsRef<str>, String)],
) -> String {
    let options: Vec<String> =
        options.iter().map(|(name, value)| format!("{}={}", name.as_ref(), escaped(value, "/,:[]"))).collect();
    let mark = if options.is_empty() { "" } else { "?" };
    format!("{scheme}://{}@{address}/{}{mark}{}", escaped(user, ""), escaped(database, ""), options.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_address_has_brackets_once() {
        let hosts = ["::1", "[::1]", "db.example", "a b", "[x", "[db]"].map(bracketed);
        assert_eq!(hosts, ["[::1]", "[::1]", "db.example", "a%20b", "%5Bx", "%5Bdb%5D"]);
    }
}
