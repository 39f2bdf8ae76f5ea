//! Every option of mysqlslap (MySQL 8 and 9, MariaDB 10 and 11), one row each: the values it takes, and its support level.

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
const RUSTLS: &str = "TLS 1.2 and 1.3 with today's ciphers are what there is";
const NO_DEBUG: &str = "there is no debugging library inside";
const WINDOWS: &str = "it is of Windows only";

/// All of them, in the order of mysqlslap's help.
#[rustfmt::skip] // one row, one line: a table to read
pub const OPTIONS: &[OptionSpec] = &[
    row("help", '?', Flag, "", Both, Means, "tell the options"),
    row("auto-generate-sql", 'a', Flag, "off", Both, Means, "make table, rows and statements"),
    row("auto-generate-sql-add-autoincrement", ' ', Flag, "off", Both, Means, "a first column that the server counts up (`id serial`)"),
    row("auto-generate-sql-execute-number", ' ', Number, "0", Both, Means, "statements of each client"),
    row("auto-generate-sql-guid-primary", ' ', Flag, "off", Both, Means, "a first column filled with uuid()"),
    row("auto-generate-sql-load-type", ' ', Text, "mixed", Both, Means, "mixed, update, write, key or read; a first letter is enough, any other word is refused (there it means mixed)"),
    row("auto-generate-sql-secondary-indexes", ' ', Number, "0", Both, Means, "unique columns filled with uuid()"),
    row("auto-generate-sql-unique-query-number", ' ', Number, "10", Both, Means, "distinct statements; as there, the list is one longer"),
    row("auto-generate-sql-unique-write-number", ' ', Number, "10", Both, Means, "distinct INSERTs of the preload"),
    row("auto-generate-sql-write-number", ' ', Number, "100", Both, Means, "statements of the preload, the CREATE TABLE included: one row less, in all, not for each client"),
    row("character-sets-dir", ' ', Text, "", Mariadb, Inert("no character sets are read from files"), "where character sets lie"),
    row("commit", ' ', Number, "0", Both, Means, "autocommit off in the clients (there in the preload too), COMMIT after so many statements and at the end"),
    row("compress", 'C', Flag, "off", Both, Means, "compress the protocol with zlib, on every connection (MySQL's own: on the first only); a server that does not offer it is an error (there nothing is said)"),
    row("compression-algorithms", ' ', Text, "", Mysql, Means, "how to compress: zlib or uncompressed; of a list that has zlib in it, zlib"),
    row("concurrency", 'c', Text, "1", Both, Means, "clients, a list; 0 is refused (there it counts up without end)"),
    row("create", ' ', Text, "", Both, Means, "statements, or a file of them, that make the tables"),
    row("create-schema", ' ', Text, "mysqlslap", Both, Means, "the schema; dropped only if Tenbin made it (there always)"),
    row("csv", ' ', Maybe, "", Both, Means, "a line of figures for each cell, to standard output or appended to a file"),
    row("debug", '#', Maybe, "", Both, Inert(NO_DEBUG), "a trace"),
    row("debug-check", ' ', Flag, "off", Both, Inert(NO_DEBUG), "check memory at the end"),
    row("debug-info", 'T', Flag, "off", Both, Inert(NO_DEBUG), "print resources at the end"),
    row("default-auth", ' ', Text, "", Both, Inert("the server names the method, and every one that the driver speaks is tried"), "the method to try first"),
    row("delimiter", 'F', Text, "a newline", Both, Means, "what parts statements: all its letters (there the first), outside quotes and comments (there everywhere)"),
    row("detach", ' ', Number, "0", Both, Means, "a new connection after so many statements, counted through (there anew with each pass of the list)"),
    row("enable-cleartext-plugin", 'Y', Flag, "off", Mysql, Inert("a password in clear text is sent when the server asks for it and the line is encrypted or local"), "allow passwords in clear text"),
    row("engine", 'e', Text, "", Both, Means, "storage engines, a list; each may have table options behind a colon"),
    row("get-server-public-key", ' ', Flag, "off", Mysql, Inert("it is asked for whenever it is needed"), "ask the server for its RSA key"),
    row("host", 'h', Text, "localhost", Both, Means, "where the server is"),
    row("init-command", ' ', Text, "", Mariadb, Means, "a statement that every client's connection begins with"),
    row("iterations", 'i', Number, "1", Both, Means, "how often each cell is run"),
    row("no-drop", ' ', Flag, "off", Both, Means, "leave the schema after the last iteration (there none is dropped before the next either, which then fails)"),
    row("number-char-cols", 'x', Text, "1", Both, Means, "VARCHAR columns; `:1` puts an index on each"),
    row("number-int-cols", 'y', Text, "1", Both, Means, "INT columns; `:1` puts an index on each"),
    row("number-of-queries", ' ', Number, "0", Both, Means, "statements of all clients together, exactly (there the remainder is lost, and fewer than clients means no limit)"),
    row("only-print", ' ', Flag, "off", Both, Means, "print the statements and connect to nothing; shell commands are not run (there they are)"),
    row("password", 'p', Maybe, "", Both, Means, "the password; better in MYSQL_PWD or a defaults file. Without a value it is asked for on the terminal"),
    row("password1", ' ', Maybe, "", Mysql, Means, "the same"),
    row("password2", ' ', Maybe, "", Mysql, Refused("one factor of authentication is spoken"), "the second factor"),
    row("password3", ' ', Maybe, "", Mysql, Refused("one factor of authentication is spoken"), "the third factor"),
    row("pipe", 'W', Flag, "off", Both, Refused(WINDOWS), "a named pipe"),
    row("plugin-dir", ' ', Text, "", Both, Inert(NO_LIBRARY), "where plug-ins lie"),
    row("port", 'P', Number, "3306", Both, Means, "the server's port; given with localhost it means TCP"),
    row("post-query", ' ', Text, "", Both, Means, "statements, or a file of them, after each iteration, not timed"),
    row("post-system", ' ', Text, "", Both, Means, "a shell command after each iteration; one that fails ends the run (there it is passed over)"),
    row("pre-query", ' ', Text, "", Both, Means, "statements, or a file of them, before each iteration, not timed"),
    row("pre-system", ' ', Text, "", Both, Means, "a shell command before each iteration; one that fails ends the run (there it is passed over)"),
    row("protocol", ' ', Text, "", Both, Means, "tcp or socket"),
    row("query", 'q', Text, "", Both, Means, "statements, or a file of them, which is streamed when large; a name of a file that is not there is refused (there it is sent as SQL)"),
    row("server-public-key-path", ' ', Text, "", Mysql, Inert("the key is asked for"), "the server's RSA key"),
    row("shared-memory-base-name", ' ', Text, "", Mysql, Refused(WINDOWS), "shared memory"),
    row("silent", 's', Flag, "off", Both, Means, "no block"),
    row("socket", 'S', Text, "", Both, Means, "the server's socket"),
    row("sql-mode", ' ', Text, "", Mysql, Means, "sql_mode of every client's connection (there of the first only)"),
    row("ssl", ' ', Flag, "on", Both, Means, "encrypt where the server can; --skip-ssl: never"),
    row("ssl-mode", ' ', Text, "", Mysql, Means, "disabled, preferred, required, verify_ca or verify_identity, of every connection (there of the first only)"),
    row("ssl-ca", ' ', Text, "", Both, Means, "the authority to trust"),
    row("ssl-capath", ' ', Text, "", Both, Refused("one file is read; put the certificates into it and give --ssl-ca"), "a directory of authorities"),
    row("ssl-cert", ' ', Text, "", Both, Means, "our certificate"),
    row("ssl-key", ' ', Text, "", Both, Means, "the key to it"),
    row("ssl-cipher", ' ', Text, "", Both, Refused(RUSTLS), "ciphers of TLS 1.2"),
    row("tls-ciphersuites", ' ', Text, "", Mysql, Refused(RUSTLS), "ciphers of TLS 1.3"),
    row("ssl-crl", ' ', Text, "", Both, Refused("lists of revoked certificates are not read"), "revoked certificates"),
    row("ssl-crlpath", ' ', Text, "", Both, Refused("lists of revoked certificates are not read"), "a directory of them"),
    row("ssl-fips-mode", ' ', Text, "", Mysql, Refused(RUSTLS), "OpenSSL's FIPS mode"),
    row("tls-version", ' ', Text, "", Both, Inert(RUSTLS), "versions of TLS"),
    row("tls-sni-servername", ' ', Text, "", Mysql, Inert("the host's name is sent"), "the name to ask for"),
    row("ssl-session-data", ' ', Text, "", Mysql, Refused("sessions are not resumed"), "a TLS session to resume"),
    row("ssl-session-data-continue-on-failed-reuse", ' ', Flag, "off", Mysql, Inert("sessions are not resumed"), "go on without it"),
    row("ssl-verify-server-cert", ' ', Flag, "off", Mariadb, Means, "check the certificate and the name in it"),
    row("user", 'u', Text, "the login name", Both, Means, "the account (MySQL's default is root)"),
    row("verbose", 'v', Times, "0", Both, Means, "twice: stages; three times: statements too, as they are sent (Tenbin's mark in the schema left out); figures that mysqlslap does not have go to standard error"),
    row("version", 'V', Flag, "", Both, Means, "tell the version"),
    row("zstd-compression-level", ' ', Number, "3", Mysql, Refused("zlib is what the driver speaks, and it has one level, as in MySQL"), "how hard zstd is to compress"),
    row("allow-drop", ' ', Flag, "off", Tenbin, Means, "drop the schema even if Tenbin did not make it"),
];

/// Options that determine which files are read; they must be first.
#[rustfmt::skip]
pub const FILES: &[OptionSpec] = &[
    row("print-defaults", ' ', Flag, "", Both, Means, "print what the files say, and end"),
    row("no-defaults", ' ', Flag, "", Both, Means, "read no files"),
    row("defaults-file", ' ', Text, "", Both, Means, "read this file only"),
    row("defaults-extra-file", ' ', Text, "", Both, Means, "read this file after the system's"),
    row("defaults-group-suffix", ' ', Text, "", Both, Means, "read groups with this behind their names too"),
    row("login-path", ' ', Text, "", Mysql, Means, "read this group of mysql_config_editor's ~/.mylogin.cnf too, --no-defaults or not; one that is not there is refused (there it is passed over)"),
    row("no-login-paths", ' ', Flag, "off", Mysql, Means, "do not read ~/.mylogin.cnf; under the name mariadb-slap, as there, it is read for --login-path only"),
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
