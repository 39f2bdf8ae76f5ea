//! A MySQL server's address as old tools name it: host, port, socket, account; written as Tenbin's.

use std::path::Path;

/// Where Debian, Red Hat, MySQL's own packages and old ones put the server's socket; a client library has one of them
/// built in.
const SOCKETS: &[&str] =
    &["/run/mysqld/mysqld.sock", "/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock"];

/// What a client library takes for `localhost`.
pub fn default_socket() -> Option<String> {
    std::env::var("MYSQL_UNIX_PORT")
        .ok()
        .or_else(|| SOCKETS.iter().find(|path| Path::new(path).exists()).map(|path| (*path).to_owned()))
}

/// A host as it stands before a port.
pub fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { escaped(host, "") }
}

/// With `%` forms for everything an address could take for its own; `plain` stays as it is.
pub fn escaped(text: &str, plain: &str) -> String {
    let one = |b: u8| match b {
        b if b.is_ascii_alphanumeric() || b"-._~".contains(&b) || plain.as_bytes().contains(&b) => {
            char::from(b).to_string()
        }
        b => format!("%{b:02X}"),
    };
    text.bytes().map(one).collect()
}
