//! Every option of mysqlslap (MySQL 8 and 9, MariaDB 10 and 11), one row each: the values it takes, and its support
//! level.

pub use crate::compat::support::SupportLevel;

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name, with `-`.
    pub name: &'static str,
    /// Its letter; a space if it has none.
    pub letter: char,
    pub takes: ValueType,
    /// The default; empty: none.
    pub default: &'static str,
    /// Which programs have it.
    pub of: OptionGroup,
    /// Its meaning in one line.
    pub meaning: &'static str,
    pub support: SupportLevel,
}

/// The values it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// On if given; `=0`, `--skip-…` and `--disable-…` are off.
    Flag,
    /// Counts how often it is given.
    Times,
    Number,
    Text,
    /// Text after `=`, or nothing.
    Maybe,
}

/// Which programs have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionGroup {
    Both,
    Mysql,
    Mariadb,
    /// Neither: Tenbin's own.
    Tenbin,
}

impl OptionGroup {
    pub fn name(self) -> &'static str {
        match self {
            OptionGroup::Both => "both",
            OptionGroup::Mysql => "MySQL",
            OptionGroup::Mariadb => "MariaDB",
            OptionGroup::Tenbin => "Tenbin",
        }
    }
}

use OptionGroup::{Both, Mariadb, Mysql, Tenbin};
use SupportLevel::{Inert, Means, Refused};
use ValueType::{Flag, Maybe, Number, Text, Times};

const fn row(
    name: &'static str,
    letter: char,
    takes: ValueType,
    default: &'static str,
    of: OptionGroup,
    support: SupportLevel,
    meaning: &'static str,
) -> OptionSpec {
    OptionSpec { name, letter, takes, default, of, meaning, support }
}

const NO_LIBRARY: &str = "Tenbin speaks the protocol itself and loads no plug-ins";
const RUSTLS: &str = "only TLS 1.2 and 1.3 with current ciphers are supported";
const NO_DEBUG: &str = "Tenbin contains no debugging library";
const WINDOWS: &str = "it exists on Windows only";

/// All of them, in the order of mysqlslap's help.
#[rustfmt::skip] // one row, one line: a table to read
pub const OPTIONS: &[OptionSpec] = &[
    row("help", '?', Flag, "", Both, Means, "print this help"),
    row("auto-generate-sql", 'a', Flag, "off", Both, Means, "generate the table, its rows and the statements"),
    row("auto-generate-sql-add-autoincrement", ' ', Flag, "off", Both, Means, "a first column that is an auto-increment key (`id serial`)"),
    row("auto-generate-sql-execute-number", ' ', Number, "0", Both, Means, "number of statements of each client"),
    row("auto-generate-sql-guid-primary", ' ', Flag, "off", Both, Means, "a first column filled with uuid()"),
    row("auto-generate-sql-load-type", ' ', Text, "mixed", Both, Means, "mixed, update, write, key or read; the first letter is enough, any other word is refused (mysqlslap: it means mixed)"),
    row("auto-generate-sql-secondary-indexes", ' ', Number, "0", Both, Means, "number of unique columns filled with uuid()"),
    row("auto-generate-sql-unique-query-number", ' ', Number, "10", Both, Means, "number of distinct statements; as in mysqlslap, the list is one longer"),
    row("auto-generate-sql-unique-write-number", ' ', Number, "10", Both, Means, "number of distinct INSERTs of the preload"),
    row("auto-generate-sql-write-number", ' ', Number, "100", Both, Means, "number of statements of the preload including CREATE TABLE, so one row less; for all clients together"),
    row("character-sets-dir", ' ', Text, "", Mariadb, Inert("no character sets are read from files"), "the directory of character sets"),
    row("commit", ' ', Number, "0", Both, Means, "autocommit off in the clients (mysqlslap: in the preload too), COMMIT after this many statements and at the end"),
    row("compress", 'C', Flag, "off", Both, Means, "compress the protocol with zlib, on every connection (MySQL's mysqlslap: on the first only); it is an error if the server does not offer it (mysqlslap: ignored silently)"),
    row("compression-algorithms", ' ', Text, "", Mysql, Means, "compression algorithm: zlib or uncompressed; from a list that contains zlib, zlib"),
    row("concurrency", 'c', Text, "1", Both, Means, "number of clients, or a list of numbers; 0 is refused (mysqlslap: it counts up endlessly)"),
    row("create", ' ', Text, "", Both, Means, "statements that create the tables, or a file of them"),
    row("create-schema", ' ', Text, "mysqlslap", Both, Means, "the schema; dropped only if Tenbin created it (mysqlslap: always)"),
    row("csv", ' ', Maybe, "", Both, Means, "print a line of comma-separated values for each cell, to standard output or appended to a file"),
    row("debug", '#', Maybe, "", Both, Inert(NO_DEBUG), "write a trace"),
    row("debug-check", ' ', Flag, "off", Both, Inert(NO_DEBUG), "check memory at the end"),
    row("debug-info", 'T', Flag, "off", Both, Inert(NO_DEBUG), "print resource usage at the end"),
    row("default-auth", ' ', Text, "", Both, Inert("the server names the method, and every one that the driver supports is tried"), "the authentication method to try first"),
    row("delimiter", 'F', Text, "a newline", Both, Means, "the delimiter of statements: all its characters (mysqlslap: the first), outside quotes and comments (mysqlslap: everywhere)"),
    row("detach", ' ', Number, "0", Both, Means, "reconnect after this many statements, counted continuously (mysqlslap: counted again for each pass through the list)"),
    row("enable-cleartext-plugin", 'Y', Flag, "off", Mysql, Inert("a password in clear text is sent if the server asks for it and the connection is encrypted or local"), "allow passwords in clear text"),
    row("engine", 'e', Text, "", Both, Means, "list of storage engines; each may have table options after a colon"),
    row("get-server-public-key", ' ', Flag, "off", Mysql, Inert("it is requested whenever it is needed"), "ask the server for its RSA key"),
    row("host", 'h', Text, "localhost", Both, Means, "the server's host"),
    row("init-command", ' ', Text, "", Mariadb, Means, "a statement that is executed first on every client's connection"),
    row("iterations", 'i', Number, "1", Both, Means, "number of runs of each cell"),
    row("no-drop", ' ', Flag, "off", Both, Means, "keep the schema after the last iteration (mysqlslap: it is not dropped before the next iteration either, which then fails)"),
    row("number-char-cols", 'x', Text, "1", Both, Means, "number of VARCHAR columns; `:1` creates an index on each"),
    row("number-int-cols", 'y', Text, "1", Both, Means, "number of INT columns; `:1` creates an index on each"),
    row("number-of-queries", ' ', Number, "0", Both, Means, "exact number of statements of all clients together (mysqlslap: the remainder is lost, and fewer statements than clients means no limit)"),
    row("only-print", ' ', Flag, "off", Both, Means, "print the statements without connecting to a server; shell commands are not run (mysqlslap: they are)"),
    row("password", 'p', Maybe, "", Both, Means, "the password; preferably in MYSQL_PWD or a defaults file. Without a value it is requested on the terminal"),
    row("password1", ' ', Maybe, "", Mysql, Means, "the same"),
    row("password2", ' ', Maybe, "", Mysql, Refused("only one factor of authentication is supported"), "the second factor"),
    row("password3", ' ', Maybe, "", Mysql, Refused("only one factor of authentication is supported"), "the third factor"),
    row("pipe", 'W', Flag, "off", Both, Refused(WINDOWS), "a named pipe"),
    row("plugin-dir", ' ', Text, "", Both, Inert(NO_LIBRARY), "the directory of plug-ins"),
    row("port", 'P', Number, "3306", Both, Means, "the server's port; together with localhost it means TCP"),
    row("post-query", ' ', Text, "", Both, Means, "statements after each iteration, not timed, or a file of them"),
    row("post-system", ' ', Text, "", Both, Means, "a shell command after each iteration; if it fails, the run ends (mysqlslap: ignored)"),
    row("pre-query", ' ', Text, "", Both, Means, "statements before each iteration, not timed, or a file of them"),
    row("pre-system", ' ', Text, "", Both, Means, "a shell command before each iteration; if it fails, the run ends (mysqlslap: ignored)"),
    row("protocol", ' ', Text, "", Both, Means, "tcp or socket"),
    row("query", 'q', Text, "", Both, Means, "statements, or a file of them, which is streamed if it is large; the name of a missing file is refused (mysqlslap: sent as SQL)"),
    row("server-public-key-path", ' ', Text, "", Mysql, Inert("the key is requested from the server"), "the server's RSA key"),
    row("shared-memory-base-name", ' ', Text, "", Mysql, Refused(WINDOWS), "shared memory"),
    row("silent", 's', Flag, "off", Both, Means, "do not print the report"),
    row("socket", 'S', Text, "", Both, Means, "the server's socket"),
    row("sql-mode", ' ', Text, "", Mysql, Means, "sql_mode of every client's connection (mysqlslap: of the first only)"),
    row("ssl", ' ', Flag, "on", Both, Means, "encrypt if the server supports it; --skip-ssl: never"),
    row("ssl-mode", ' ', Text, "", Mysql, Means, "disabled, preferred, required, verify_ca or verify_identity, for every connection (mysqlslap: for the first only)"),
    row("ssl-ca", ' ', Text, "", Both, Means, "file of the certificate authority"),
    row("ssl-capath", ' ', Text, "", Both, Refused("only a file is supported; put the certificates into one and use --ssl-ca"), "a directory of certificate authorities"),
    row("ssl-cert", ' ', Text, "", Both, Means, "file of the client certificate"),
    row("ssl-key", ' ', Text, "", Both, Means, "file of the client certificate's private key"),
    row("ssl-cipher", ' ', Text, "", Both, Refused(RUSTLS), "ciphers of TLS 1.2"),
    row("tls-ciphersuites", ' ', Text, "", Mysql, Refused(RUSTLS), "ciphers of TLS 1.3"),
    row("ssl-crl", ' ', Text, "", Both, Refused("lists of revoked certificates are not supported"), "revoked certificates"),
    row("ssl-crlpath", ' ', Text, "", Both, Refused("lists of revoked certificates are not supported"), "a directory of lists of revoked certificates"),
    row("ssl-fips-mode", ' ', Text, "", Mysql, Refused(RUSTLS), "OpenSSL's FIPS mode"),
    row("tls-version", ' ', Text, "", Both, Inert(RUSTLS), "versions of TLS"),
    row("tls-sni-servername", ' ', Text, "", Mysql, Inert("the host's name is sent"), "the server name to send"),
    row("ssl-session-data", ' ', Text, "", Mysql, Refused("sessions are not resumed"), "a TLS session to resume"),
    row("ssl-session-data-continue-on-failed-reuse", ' ', Flag, "off", Mysql, Inert("sessions are not resumed"), "continue if the session cannot be resumed"),
    row("ssl-verify-server-cert", ' ', Flag, "off", Mariadb, Means, "verify the server's certificate and the name in it"),
    row("user", 'u', Text, "the login name", Both, Means, "the account (MySQL's default is root)"),
    row("verbose", 'v', Times, "0", Both, Means, "twice: print the stages; three times: also the statements as they are sent (except Tenbin's mark in the schema); figures that mysqlslap does not have go to standard error"),
    row("version", 'V', Flag, "", Both, Means, "print the version"),
    row("zstd-compression-level", ' ', Number, "3", Mysql, Refused("only zlib is supported, with one level, as in MySQL"), "compression level of zstd"),
    row("allow-drop", ' ', Flag, "off", Tenbin, Means, "drop the schema even if Tenbin did not create it"),
];

/// Options that determine which files are read; they must be first.
#[rustfmt::skip]
pub const FILES: &[OptionSpec] = &[
    row("print-defaults", ' ', Flag, "", Both, Means, "print the options from the files and exit"),
    row("no-defaults", ' ', Flag, "", Both, Means, "read no files"),
    row("defaults-file", ' ', Text, "", Both, Means, "read this file only"),
    row("defaults-extra-file", ' ', Text, "", Both, Means, "read this file after the system's"),
    row("defaults-group-suffix", ' ', Text, "", Both, Means, "also read groups whose names have this suffix"),
    row("login-path", ' ', Text, "", Mysql, Means, "also read this group of mysql_config_editor's ~/.mylogin.cnf, even with --no-defaults; a missing group is refused (mysqlslap: ignored)"),
    row("no-login-paths", ' ', Flag, "off", Mysql, Means, "do not read ~/.mylogin.cnf; under the name mariadb-slap it is read for --login-path only, as in MariaDB"),
];

impl OptionSpec {
    /// Its syntax.
    pub fn synopsis(&self) -> String {
        let letter = if self.letter == ' ' { String::new() } else { format!("-{}, ", self.letter) };
        let value = match self.takes {
            Flag | Times => "",
            Number => "=N",
            Text => "=TEXT",
            Maybe => "[=TEXT]",
        };
        format!("{letter}--{}{value}", self.name)
    }
}
